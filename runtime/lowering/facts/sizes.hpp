// How much code an action would be.
#pragma once

#include "runtime/lowering/facts/terms.hpp"

#include <cstddef>
#include <map>

namespace boardwright::runtime::lowering {

class Sizes {
public:
  Sizes(const Terms& terms, const Program& program) : terms_(terms), rules_(program) {}

  // Nodes, as far as they can be counted.
  [[nodiscard]] std::size_t weight(NodeId id) const;
  // Likewise of all that comes after. Directions that are chosen multiply what comes behind.
  [[nodiscard]] std::size_t weight(const Todo* todo) const;
  // How much code it would be if what comes behind each of its ways on were written there, and how many ways
  // there are.
  struct WrittenOut {
    std::size_t size = 0, ways = 1;
  };
  [[nodiscard]] WrittenOut written_out(NodeId id) const;
  [[nodiscard]] WrittenOut written_out(const Todo* todo) const;

private:
  [[nodiscard]] const Node& node(NodeId id) const { return terms_.node(id); }

  const Terms& terms_;
  const Program& rules_;
  std::map<NodeId, WrittenOut> mutable written_out_;
};

} // namespace boardwright::runtime::lowering
