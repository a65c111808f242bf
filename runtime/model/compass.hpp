// The directions of a board among each other: opposites, turns, rotations and reflections.
#pragma once

#include "runtime/model/board.hpp"

#include <cstdint>
#include <vector>

namespace boardwright::runtime {

struct Compass {
  explicit Compass(const Board& board);

  std::vector<std::int16_t> opposite;           // by step: the way back; -1 where there is none
  std::vector<std::vector<std::int16_t>> spins; // by step: its rotations and reflections

  [[nodiscard]] bool is_track(int step) const {
    return board_.steps[static_cast<std::size_t>(step)].track >= 0;
  }
  // The step that a step becomes when it is turned clockwise, or -1.
  [[nodiscard]] int turned_step(int step, std::int32_t degrees) const;
  // The sum of two displacements, a multiple of one: -1 where the board has no such step.
  [[nodiscard]] int sum(int a, int b) const;
  [[nodiscard]] int multiple(std::int64_t factor, int step) const;
  // All multiples of a step that the board has.
  struct Multiple {
    int factor = 1, step = 0;
  };
  [[nodiscard]] std::vector<Multiple> multiples_of(int step) const;
  // A factor that leads off the board by any step.
  [[nodiscard]] int beyond_all_multiples() const;

  // Of sets of steps, as the language defines them.
  [[nodiscard]] StepSet opposites(const StepSet& steps) const;
  [[nodiscard]] StepSet turned(const StepSet& steps, std::int32_t degrees) const;
  [[nodiscard]] StepSet spun(const StepSet& steps) const;
  [[nodiscard]] StepSet sums(const StepSet& a, const StepSet& b) const;
  [[nodiscard]] StepSet multiples(std::int64_t factor, const StepSet& steps) const;
  // By any factor; or by those that aren't negative.
  [[nodiscard]] StepSet multiples(const StepSet& steps, bool never_negative) const;

private:
  struct Vector {
    std::int64_t x = 0, y = 0;
  };
  [[nodiscard]] Vector turned(Vector v, std::int64_t degrees) const;
  [[nodiscard]] int step_of(Vector v) const;
  [[nodiscard]] Vector vector_of(int step) const;
  [[nodiscard]] Vector sixth(Vector v) const;
  [[nodiscard]] int back(int step) const;
  void make_turns();
  const Board& board_;
  int unit_ = 45, turns_ = 8;        // degrees, and how many of them make a whole turn
  std::vector<std::int16_t> turned_; // by turns and step
};

} // namespace boardwright::runtime
