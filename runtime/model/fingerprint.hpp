// A number for what is played: two programs have the same one if their rules are the same.
#pragma once

#include "runtime/model/program.hpp"

#include <cstdint>
#include <string>

namespace boardwright::runtime {

// Board, players, pieces, state, the beginning position, `turn` and `end`, with options as they are set. The
// text that the rules came from doesn't count: comments, layout, definitions that nothing uses, names of
// definitions, the title. It is the same on every machine; another version of Boardwright may make another
// program of the same text, and then it differs.
[[nodiscard]] std::uint64_t fingerprint(const Program& program);

// As sixteen hexadecimal digits.
[[nodiscard]] std::string fingerprint_text(std::uint64_t number);

} // namespace boardwright::runtime
