// Where cells and directions of the first player go when they become another's.
#pragma once

#include "interpreter/board/geometry.hpp"
#include "runtime/model/program.hpp"

#include <cstdint>
#include <optional>

namespace boardwright::interpreter {

class SideImage {
public:
  // Turned clockwise by `degrees` about the middle of the board; without them reflected, so that the first
  // player's forward becomes the other's.
  SideImage(const Geometry& geometry, const runtime::Program& program, int player,
            std::optional<std::int64_t> degrees)
      : geometry_(geometry), program_(program), player_(player), degrees_(degrees) {}

  // Does such a turn take the board's shape to itself?
  [[nodiscard]] bool fits() const;
  [[nodiscard]] int cell(int cell) const; // -1: it leaves the board
  [[nodiscard]] Vector vector(Vector v) const;

private:
  [[nodiscard]] Place place(Place p) const;

  const Geometry& geometry_;
  const runtime::Program& program_;
  int player_;
  std::optional<std::int64_t> degrees_;
};

} // namespace boardwright::interpreter
