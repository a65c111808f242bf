// Positions that the walker goes through, as far as a budget reaches, and what it met there.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/reference/trace.hpp"

#include <cstdint>
#include <span>

namespace boardwright::runtime {

// Budgets are counted in nodes that are met, not in time, so that they end in the same place everywhere.
struct WalkBudget {
  std::uint64_t positions = 250;
  std::uint64_t steps = 3'000'000; // for all of them: a second or so
};

class Walked {
public:
  Walked(const Program& program, const WalkBudget& budget)
      : program_(program), budget_(budget), trace_(program) {}

  // Asks the end lines of a position and, if it isn't over, derives its moves. Of a position that takes too
  // long, or meets a fault, only that counts which was carried out to its end, or which moves had come from:
  // what is broken off would seem to have led nowhere.
  void add(Position position, std::span<const Position> past);

  [[nodiscard]] bool is_spent() const {
    return positions_ + parts_ >= budget_.positions || steps_ >= budget_.steps;
  }
  [[nodiscard]] std::uint64_t positions() const { return positions_; } // whole ones
  [[nodiscard]] std::uint64_t parts() const { return parts_; }         // those that were broken off
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }
  [[nodiscard]] const Trace& trace() const { return trace_; }

private:
  const Program& program_;
  WalkBudget budget_;
  std::uint64_t positions_ = 0, parts_ = 0, left_out_ = 0, steps_ = 0;
  Trace trace_;
};

} // namespace boardwright::runtime
