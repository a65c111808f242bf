#include "tools/drawing/board_edges.hpp"

#include "interpreter/look/look_sides.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::tools {
namespace {

using runtime::Board;

// From so many lines on, and how far from the edge: the third line, the fourth on larger boards.
constexpr int kLeastLines = 9, kLargeLines = 13, kLargestLines = 19;

// Those of one direction, from 1. The middle line is one where there is one.
std::vector<int> star_lines(int lines) {
  const int off = lines < kLargeLines ? 3 : 4;
  std::vector<int> found = {off, lines + 1 - off};
  if (lines % 2 != 0) found.push_back((lines + 1) / 2);
  return found;
}

} // namespace

std::vector<SideEdge> side_edges(const Scene& scene) {
  const Board& board = scene.board();
  std::vector<SideEdge> edges;
  for (const interpreter::Side& side : scene.look().sides)
    for (const auto& step : interpreter::neighbour_steps(board)) {
      if (!interpreter::is_outermost(board, side.cells, step.first, step.second)) continue;
      side.cells.each([&](int cell) {
        edges.push_back({cell, step.first, step.second, side.player, false});
      });
    }
  for (SideEdge& edge : edges)
    edge.shared = std::any_of(edges.begin(), edges.end(), [&](const SideEdge& other) {
      return other.cell == edge.cell && other.dx == edge.dx && other.dy == edge.dy &&
             other.player != edge.player;
    });
  return edges;
}

std::vector<Arms> arms_of(const Scene& scene) {
  const Board& board = scene.board();
  std::vector<Arms> arms(static_cast<std::size_t>(board.cells), Arms{kNoLine, kNoLine, kNoLine, kNoLine});
  if (scene.look().owned_lines.empty()) {
    constexpr std::array<std::pair<int, int>, 4> kSteps = {{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}};
    for (std::size_t cell = 0; cell < arms.size(); ++cell)
      for (std::size_t d = 0; d < kSteps.size(); ++d)
        if (board.cell_at(board.x[cell] + kSteps[d].first, board.y[cell] + kSteps[d].second) >= 0)
          arms[cell][d] = -1;
    return arms;
  }
  for (const interpreter::OwnedLine& line : scene.look().owned_lines) {
    const auto a = static_cast<std::size_t>(line.from), b = static_cast<std::size_t>(line.to);
    const int dx = board.x[b] - board.x[a], dy = board.y[b] - board.y[a];
    if ((dx == 0) == (dy == 0)) continue; // characters go straight on
    const std::size_t d = dy > 0 ? 0 : dx > 0 ? 1 : dy < 0 ? 2 : 3;
    arms[a][d] = arms[b][(d + 2) % 4] = line.player;
  }
  return arms;
}

runtime::CellSet star_points(const Scene& scene) {
  const Board& board = scene.board();
  runtime::CellSet stars;
  const bool whole = board.cells == board.files * board.ranks;
  const auto& cells = scene.program().initial.cells;
  const bool bare = std::all_of(cells.begin(), cells.end(), [](const auto& stack) { return stack.empty(); });
  if (!scene.points() || board.hexes || board.endless() || !whole || !bare || !scene.look().lines.empty() ||
      !scene.look().owned_lines.empty() || std::min(board.files, board.ranks) < kLeastLines)
    return stars;
  const bool all_nine = std::min(board.files, board.ranks) >= kLargestLines;
  for (const int x : star_lines(board.files))
    for (const int y : star_lines(board.ranks))
      if (all_nine || (2 * x == board.files + 1) == (2 * y == board.ranks + 1))
        stars.set(board.cell_at(x, y));
  return stars;
}

} // namespace boardwright::tools
