#include "runtime/model/board.hpp"

#include "runtime/model/spread.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace boardwright::runtime {

namespace {

// numerator / over where that is whole.
bool divide_exactly(std::int64_t numerator, std::int64_t over, std::int64_t& quotient) {
  if (over == 1 || over == 2) { // mostly; a division takes long
    quotient = numerator >> (over - 1);
    return over == 1 || (numerator & 1) == 0;
  }
  if (numerator % over != 0) return false;
  quotient = numerator / over;
  return true;
}

} // namespace

int Board::cell_named(std::string_view wanted) const {
  const auto found = std::find(name.begin(), name.end(), wanted);
  if (found == name.end() && endless() && wanted == "origin") return origin;
  return found == name.end() ? kNowhere : static_cast<int>(found - name.begin());
}

int Board::cell_from(int cell, int dx, int dy) const {
  const int px = x[static_cast<std::size_t>(cell)] + dx, py = y[static_cast<std::size_t>(cell)] + dy;
  if (!endless()) return cell_at(px, py);
  const auto wrapped = [](int n, int count) { return ((n - 1) % count + count) % count + 1; };
  return cell_at(wrapped(px, files), wrapped(py, ranks));
}

int Board::step_by(int dx, int dy) const {
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].track < 0 && steps[i].dx == dx && steps[i].dy == dy) return static_cast<int>(i);
  return -1;
}

int Board::map(const CellMap& m, int cell) const {
  if (!m.valid || m.over == 0 || cell < 0 || cell >= cells) return kNowhere;
  if (m.shifts())
    return cell_at(x[static_cast<std::size_t>(cell)] + m.dx, y[static_cast<std::size_t>(cell)] + m.dy);
  // Coordinates in half cells, because the middle of a box may lie between two cells.
  const std::int64_t u = 2 * std::int64_t{x[static_cast<std::size_t>(cell)]} - m.px;
  const std::int64_t v = 2 * std::int64_t{y[static_cast<std::size_t>(cell)]} - m.py;
  std::int64_t px = 0, py = 0;
  if (!divide_exactly(m.xx * u + m.xy * v, m.over, px) || !divide_exactly(m.yx * u + m.yy * v, m.over, py))
    return kNowhere;
  if (!divide_exactly(px + m.px, 2, px) || !divide_exactly(py + m.py, 2, py)) return kNowhere;
  px += m.dx;
  py += m.dy;
  if (px < 1 || py < 1 || px > files || py > ranks) return kNowhere;
  return cell_at(static_cast<int>(px), static_cast<int>(py));
}

std::string too_far(const Board& board) {
  return fmt::format("the pieces spread over more than {} files or ranks, which is the `reach` of this board",
                     board.reach);
}

} // namespace boardwright::runtime
