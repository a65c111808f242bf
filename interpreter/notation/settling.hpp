// Positions that other programs wrote, as play would have left them. Our own spellings are taken as they
// stand.
//
// What says what may still be done (who may castle, who may be taken in passing) is dropped by the rules of
// a game once it can't be done any more, so that positions are the same in which the same moves can be made.
// Whoever writes a position down needn't know that. Where the rules use names of the vocabulary
// of games with a king that say what still counts, positions are read so: of `rights` what `castlers` gives,
// and of `passant`, where they use `expose`, what may be taken.
#pragma once

#include "dsl/rule_file.hpp"
#include "runtime/game/rules.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <memory>

namespace boardwright::interpreter {

inline constexpr const char* kCastlers = "castlers";
inline constexpr const char* kExpose = "expose";

[[nodiscard]] runtime::Position settled(const std::shared_ptr<const runtime::Rules>& rules,
                                        runtime::Position position);
// The same without the cell in `passant` where nobody can take there, whatever the file says of it.
[[nodiscard]] runtime::Position without_idle_passing(const std::shared_ptr<const runtime::Rules>& rules,
                                                     runtime::Position position);

} // namespace boardwright::interpreter
