// What a pass wants to have changed, while places in the code stay as they are; then all of it at once.
#pragma once

#include "runtime/ir/ir.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace boardwright::runtime::passes {

class Edits {
public:
  // Precondition: the code has as many instructions when the edits are applied.
  explicit Edits(std::size_t instructions) : gone_(instructions + 1, false) {}

  void remove(std::size_t k) { gone_[k] = true; }
  // Before instruction k, behind what was inserted there earlier. What leads to k leads to it from then on.
  void insert(std::size_t k, const ir::Instruction& i) { inserted_[k].push_back(i); }
  [[nodiscard]] bool removed(std::size_t k) const { return gone_[k]; }

  // Precondition: all places that the code names are at most the number of its instructions. They go on
  // leading to the same instructions; to one that is removed: to the next that isn't.
  void apply(ir::Code& code) const;

private:
  std::vector<bool> gone_;
  std::map<std::size_t, std::vector<ir::Instruction>> inserted_;
};

} // namespace boardwright::runtime::passes
