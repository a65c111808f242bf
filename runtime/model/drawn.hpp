// Rules as random games need them.
#pragma once

#include "runtime/model/program.hpp"

#include <memory>

namespace boardwright::runtime {

// The same rules for whoever only draws moves, and never shows or lists one. Its moves are those of the
// rules, each as likely as it is there, but:
//
// - what nature weighs is drawn by weight (Chance::draws);
// - a turn that leaves only distinct outcomes (`distinct`, behind which nothing is chosen or changed) isn't
//   written: its moves are told apart by where they lead. So the outcomes of `distinct` need no notations of
//   their own, of which the best would have to be found first.
//
// Null where the rules themselves will do.
[[nodiscard]] std::shared_ptr<const Program> drawn(const Program& program);

} // namespace boardwright::runtime
