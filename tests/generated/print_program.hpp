// A program as text: its board, pieces, position and rules, for people who look for what went wrong.
#pragma once

#include "runtime/model/program.hpp"

#include <string>

namespace boardwright::tests {

// A tree, one node a line: its operation, operands and type, its children indented below it.
[[nodiscard]] std::string print_node(const runtime::Program& program, runtime::NodeId id);
[[nodiscard]] std::string print_program(const runtime::Program& program);

} // namespace boardwright::tests
