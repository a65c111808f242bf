// Does a program keep to the table of operations? Whoever makes or rewrites programs asks, in tests and where
// assertions are on: what a node is made of is relied on by everything behind.
#pragma once

#include "runtime/model/program.hpp"

#include <optional>
#include <string>

namespace boardwright::runtime {

// What is wrong with the first node that doesn't fit its row of the table: its type, an operand, how many
// children it has, of which types, or that it stands where no action, or no value, can stand; nothing if all
// fit. Takes time in proportion to the nodes that turns and ends reach.
[[nodiscard]] std::optional<std::string> misfit(const Program& program);

// Likewise of one node, by itself.
[[nodiscard]] std::optional<std::string> misfit(const Program& program, NodeId id);

} // namespace boardwright::runtime
