// From each cell to the cells that may be meant, seen from it.
#pragma once

#include "runtime/model/value.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace boardwright::runtime::lowering::unambiguity {

// Copies share their sets until one of them is changed: the proof that notations differ makes thousands of
// copies of a relation for every one that it changes, and of a large board each has sixteen kilobytes.
class CellRelation {
public:
  CellRelation() = default;
  explicit CellRelation(std::vector<CellSet> sets)
      : sets_(std::make_shared<std::vector<CellSet>>(std::move(sets))) {}

  [[nodiscard]] std::size_t size() const { return sets_ == nullptr ? 0 : sets_->size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] const CellSet& operator[](std::size_t cell) const { return (*sets_)[cell]; }
  [[nodiscard]] bool shares_with(const CellRelation& other) const { return sets_ == other.sets_; }

  // Of relations that live: those that share their sets have the same.
  [[nodiscard]] const void* id() const { return sets_.get(); }

  // The sets, to be changed: no other relation sees that. Not of an empty relation.
  std::vector<CellSet>& own() {
    if (sets_.use_count() > 1) sets_ = std::make_shared<std::vector<CellSet>>(*sets_);
    return *sets_;
  }
  void clear() { sets_.reset(); }

private:
  std::shared_ptr<std::vector<CellSet>> sets_;
};

} // namespace boardwright::runtime::lowering::unambiguity
