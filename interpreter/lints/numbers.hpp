// How many pieces there can be: as many as are set up, unless rules make more.
#pragma once

#include "runtime/model/program.hpp"

#include <cstdint>
#include <vector>

namespace boardwright::interpreter {

class MostPieces {
public:
  // The set-up and the hands; with `shown` also these positions, which tests set up.
  MostPieces(const runtime::Program& program, const std::vector<runtime::Position>& shown);

  [[nodiscard]] bool is_bounded() const { return bounded_; }
  [[nodiscard]] std::int64_t of_all() const { return all_; }
  // Of the player who has most: of all kinds, or of one.
  [[nodiscard]] std::int64_t of_one() const { return one_; }
  [[nodiscard]] std::int64_t of_kind(int kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] std::int64_t in_hand(int kind) const { return hands_[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] bool keep_owner() const { return !changes_owner_; }
  [[nodiscard]] bool keep_kind() const { return !changes_kind_; }

private:
  void add(const runtime::Position& position);

  const runtime::Program& program_;
  bool bounded_ = true, changes_owner_ = false, changes_kind_ = false;
  std::int64_t all_ = 0, one_ = 0;
  std::vector<std::int64_t> kinds_, hands_;
};

} // namespace boardwright::interpreter
