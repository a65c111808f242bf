// What holds of all code, checked.
#pragma once

#include "runtime/ir/ir.hpp"

#include <string>
#include <vector>

namespace boardwright::runtime::ir {

// The ways in which code isn't what the executor expects of it: a sentence for each, with its place
// ("instruction 12, set_meet: …"). None: it is well-formed. Asked are
// - tables: every index lies in its table, with `program` also those of the board's steps, players and texts;
//   every register lies in its file; every place that is named lies in the code;
// - files: constants aren't written, and what is noted on the trail is state;
// - flow: nothing goes on behind the last instruction, `ret` is come to from a call alone;
// - values: what is read has been written on every way there;
// - marks: what is taken back, cut or ended has been marked or begun so on every way there;
// - the stack: `keep` and `restore` pair on every way, and a call leaves as much there as it found.
// Values, marks and the stack are left out where anything else is wrong, and values and marks of code that is
// very large. Takes some times as long as the code is, times its registers.
[[nodiscard]] std::vector<std::string> verify(const Code& code, const Program* program = nullptr);

} // namespace boardwright::runtime::ir
