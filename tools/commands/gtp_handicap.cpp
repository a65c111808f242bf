// Entry points: handicap_cells, most_handicap.
#include "tools/commands/gtp_handicap.hpp"

#include <array>
#include <utility>

namespace boardwright::tools {
namespace {

constexpr int kLeastHandicapSize = 7, kLeastWithSides = 9, kLeastWithFour = 12;

// The left or lower line of points, the middle, the right or upper one.
enum class HandicapLine : std::uint8_t { low, middle, high };
using HandicapPoint = std::pair<HandicapLine, HandicapLine>; // file, rank

// In the order in which they are taken; the centre last, where the number is odd.
constexpr std::array<HandicapPoint, 8> kHandicapPoints{{{HandicapLine::low, HandicapLine::low},
                                                        {HandicapLine::high, HandicapLine::high},
                                                        {HandicapLine::low, HandicapLine::high},
                                                        {HandicapLine::high, HandicapLine::low},
                                                        {HandicapLine::low, HandicapLine::middle},
                                                        {HandicapLine::high, HandicapLine::middle},
                                                        {HandicapLine::middle, HandicapLine::low},
                                                        {HandicapLine::middle, HandicapLine::high}}};

int cell_on(const runtime::Board& board, HandicapPoint point) {
  const int edge = board.files < kLeastWithFour ? 3 : 4;
  const auto place = [&](HandicapLine line) {
    return line == HandicapLine::low    ? edge
           : line == HandicapLine::high ? board.files + 1 - edge
                                        : (board.files + 1) / 2;
  };
  const int x = place(point.first), y = place(point.second);
  for (int cell = 0; cell < board.cells; ++cell) {
    const auto i = static_cast<std::size_t>(cell);
    if (board.x[i] == x && board.y[i] == y) return cell;
  }
  return runtime::kNowhere;
}

} // namespace

int most_handicap(const runtime::Board& board) {
  if (board.hexes || board.files != board.ranks || board.files < kLeastHandicapSize) return 0;
  return board.files >= kLeastWithSides && board.files % 2 == 1 ? 9 : 4;
}

std::vector<int> handicap_cells(const runtime::Board& board, int stones) {
  std::vector<int> cells;
  if (stones < 2 || stones > most_handicap(board)) return cells;
  const bool centre = stones > 4 && stones % 2 == 1;
  for (int i = 0; i < stones - (centre ? 1 : 0); ++i)
    cells.push_back(cell_on(board, kHandicapPoints[static_cast<std::size_t>(i)]));
  if (centre) cells.push_back(cell_on(board, {HandicapLine::middle, HandicapLine::middle}));
  for (const int cell : cells)
    if (cell == runtime::kNowhere) return {}; // a hole
  return cells;
}

} // namespace boardwright::tools
