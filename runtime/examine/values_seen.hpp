// The values of nodes as they were worked out last, and what decided a condition.
#pragma once

#include "runtime/examine/why.hpp"

#include <cstdint>
#include <map>

namespace boardwright::runtime {

class ValuesSeen {
public:
  explicit ValuesSeen(const Program& program) : program_(program) {}

  void note(NodeId id, const Value& value) { values_[id] = value; }

  [[nodiscard]] bool has(NodeId id) const { return values_.contains(id); }
  [[nodiscard]] Value value_of(NodeId id) const;
  [[nodiscard]] std::int64_t number_of(NodeId id) const;
  [[nodiscard]] CellSet cells_of(NodeId id) const;
  // The innermost part of a condition that decided it, where it should have been `wanted`.
  [[nodiscard]] NodeId deciding(NodeId id, bool wanted) const;
  // Adds to a stop whose cause is known what the two sides of a comparison were, and the cells that it was
  // about.
  void explain(Stop& stop) const;

private:
  const Program& program_;
  std::map<NodeId, Value> values_;
};

} // namespace boardwright::runtime
