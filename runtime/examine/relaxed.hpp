// Which single rule stands in the way of a move: each that might is left out by itself, and the turn carried
// out again. Where the move is found then, that rule is the reason, whatever else failed on the way.
#pragma once

#include "runtime/examine/why.hpp"

#include <optional>
#include <span>

namespace boardwright::runtime {

// `found` is what is known already: where drafts ended, and what goes before others. Takes no more than
// `steps` of the walker for all attempts together; those that it took are taken off.
[[nodiscard]] std::optional<Decisive> decisive(const Program& program, const Position& position,
                                               std::span<const Position> past, const Question& question,
                                               const Why& found, std::uint64_t& steps);

} // namespace boardwright::runtime
