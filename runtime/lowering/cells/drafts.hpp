// What is known of a draft, and the choices that make its move.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstdint>
#include <optional>

namespace boardwright::runtime::lowering {

// What may be on a cell.
[[nodiscard]] Contents on(const Context& cx, const AbstractDraft& d, Reg cell);
// Pieces have changed, nobody knows where: nor are the cells of a name what they were.
void forget_contents(const Context& cx, AbstractDraft& d);
// Is what lies on the cell known to be in the set?
[[nodiscard]] bool lies_in(const Context& cx, Reg cell, Reg set, const AbstractDraft& d);
// A number, kind or player that is the same in every position: a constant, or a name that stands for one.
[[nodiscard]] std::optional<std::int32_t> known_number(const Context& cx, NodeId id, const AbstractDraft& d);
// What a condition comes to in every position, where constants alone decide it: what is compared may be a
// name, and names stand for constants where code is made for each member of a list.
[[nodiscard]] std::optional<bool> constant_truth(const Context& cx, NodeId id, const AbstractDraft& d);
// The next choice of the move: a constant, or what a number is when it is made.
void record(AbstractDraft& d, std::int32_t constant);
void record(const Context& cx, AbstractDraft& d, Reg number);

} // namespace boardwright::runtime::lowering
