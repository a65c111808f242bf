// Nodes of a program, for the planners and compilers that look at them or add some of their own.
#pragma once

#include "runtime/model/program.hpp"

#include <cstdint>
#include <vector>

namespace boardwright::runtime {

inline NodeId add_node(Program& program, Op op, Type type, const std::vector<NodeId>& kids,
                       std::int32_t a = 0, std::uint32_t origin = 0) {
  Node n;
  n.op = op;
  n.type = type;
  n.a = a;
  n.kids = static_cast<std::uint32_t>(program.kids.size());
  n.count = static_cast<std::uint32_t>(kids.size());
  n.origin = origin;
  program.kids.insert(program.kids.end(), kids.begin(), kids.end());
  program.nodes.push_back(n);
  return static_cast<NodeId>(program.nodes.size() - 1);
}

} // namespace boardwright::runtime
