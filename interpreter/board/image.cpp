#include "interpreter/board/image.hpp"

namespace boardwright::interpreter {

bool SideImage::fits() const {
  if (!degrees_ || *degrees_ % 180 == 0) return true;
  if (geometry_.hexes) return *degrees_ % 60 == 0 && geometry_.hexagon;
  return *degrees_ % 90 == 0 && geometry_.files == geometry_.ranks;
}

Place SideImage::place(Place p) const {
  if (!degrees_) {
    const auto forward = [&](int player) {
      const auto& one = program_.players[static_cast<std::size_t>(player)];
      return Vector{one.dx, one.dy};
    };
    return geometry_.mirrored(p, forward(0), forward(player_));
  }
  // Doubled, since the middle may lie between cells.
  const int files = geometry_.files + 1, ranks = geometry_.ranks + 1;
  const Vector turned = geometry_.turned({2 * p.x - files, 2 * p.y - ranks}, *degrees_);
  return {(turned.dx + files) / 2, (turned.dy + ranks) / 2};
}

int SideImage::cell(int cell) const {
  const auto& board = program_.board;
  const auto i = static_cast<std::size_t>(cell);
  const Place there = place({board.x[i], board.y[i]});
  return geometry_.inside(there) ? board.cell_at(there.x, there.y) : -1;
}

Vector SideImage::vector(Vector v) const {
  if (degrees_) return geometry_.turned(v, *degrees_);
  const Place from = place({0, 0}), to = place({v.dx, v.dy});
  return {to.x - from.x, to.y - from.y};
}

} // namespace boardwright::interpreter
