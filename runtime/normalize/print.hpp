// Trees of a program as text, for tests and for people: one line, operations by name, constants by content.
#pragma once

#include "runtime/model/program.hpp"

#include <string>

namespace boardwright::runtime {

// The tree as one line. Slots are numbered in the order in which the text meets them, so that two trees that
// differ in the numbers of nodes and slots alone have one text.
[[nodiscard]] std::string print(const Program& program, NodeId id);

// The turn of a player and his end lines, each on a line of its own.
[[nodiscard]] std::string print(const Program& program, int player);

// The same for an author: one action a line, parts indented; players, kinds and variables by name; where it
// comes from at the end of a line.
[[nodiscard]] std::string print_lines(const Program& program, int player);

} // namespace boardwright::runtime
