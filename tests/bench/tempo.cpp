#include "tests/bench/tempo.hpp"

#include <algorithm>

namespace boardwright::yardstick {

namespace {

constexpr std::int8_t kOutside = -2;

// A line of three pegs along `line` frees the middle one to go `across` it, either way.
struct Line {
  int line, across;
};
constexpr std::array<Line, 4> kLines{{{1, 8}, {8, 1}, {9, 7}, {7, 9}}};

// The hole, its neighbours along the edges, and the way to the middle of the board.
struct Corner {
  int cell, beside, above_or_below, way;
};
constexpr std::array<Corner, 4> kCorners{
    {{9, 10, 17, 9}, {14, 13, 22, 7}, {41, 42, 33, -7}, {46, 45, 38, -9}}};

constexpr int kOccurrences = 3; // of a position that end the game

} // namespace

Tempo::Tempo(Vacant) {
  board_.fill(kOutside);
  for (int y = 1; y <= kRanks; ++y)
    for (int x = 1; x <= kFiles; ++x) put(x, y, kNobody);
}

// The full board: by turns along the rows, the middle row the other way round.
Tempo::Tempo() : Tempo(Vacant{}) {
  for (int y = 1; y <= kRanks; ++y)
    for (int x = 1; x <= kFiles; ++x) put(x, y, (x + (y == 3 ? 0 : 1)) % 2);
}

Tempo Tempo::blank(int to_move) {
  Tempo game{Vacant{}};
  game.mover_ = to_move;
  return game;
}

void Tempo::set(int cell, int owner) {
  board_[static_cast<std::size_t>(cell)] = static_cast<std::int8_t>(owner);
}

void Tempo::list(std::vector<Move>& moves) const {
  moves.clear();
  if (winner_) return;
  std::array<Cell, kFiles * kRanks> pegs;
  const std::size_t count = own_pegs(pegs);
  for (std::size_t i = 0; i < count; ++i)
    for (const auto [line, across] : kLines) {
      const int cell = pegs[i];
      if (!are_filled(cell - line, cell + line)) continue;
      go(cell, across, moves);
      go(cell, -across, moves);
    }
  for (const auto& corner : kCorners)
    if (at(corner.cell) == mover_ && are_filled(corner.beside, corner.above_or_below))
      go(corner.cell, corner.way, moves);
}

// How many there are. No branch: a processor can't foresee whose a hole is.
std::size_t Tempo::own_pegs(std::array<Cell, kFiles * kRanks>& pegs) const {
  std::size_t count = 0;
  for (int y = 1; y <= kRanks; ++y)
    for (int x = 1; x <= kFiles; ++x) {
      const int cell = 8 * y + x;
      pegs[count] = static_cast<Cell>(cell);
      count += at(cell) == mover_ ? 1 : 0;
    }
  return count;
}

// Over empty holes, or onto an enemy peg beside.
void Tempo::go(int from, int way, std::vector<Move>& moves) const {
  const auto add = [&](int to) { moves.push_back({static_cast<Cell>(from), static_cast<Cell>(to)}); };
  if (at(from + way) == 1 - mover_) return add(from + way);
  for (int to = from + way; at(to) == kNobody; to += way) add(to);
}

void Tempo::play(const Move& move) {
  if (is_filled(move.to))
    seen_.clear(); // what stood before a capture can't stand again
  else
    seen_.push_back(key());
  set(move.from, kNobody);
  set(move.to, mover_);
  mover_ = 1 - mover_;
  if (std::count(seen_.begin(), seen_.end(), key()) == kOccurrences - 1) winner_ = with_fewer_pegs();
}

Tempo::Key Tempo::key() const {
  Key key = static_cast<Key>(mover_);
  for (int y = 1; y <= kRanks; ++y)
    for (int x = 1; x <= kFiles; ++x) key = 4 * key + static_cast<Key>(owner(x, y) - kNobody);
  return key;
}

// Or nobody.
int Tempo::with_fewer_pegs() const {
  const auto gold = std::count(board_.begin(), board_.end(), 0);
  const auto silver = std::count(board_.begin(), board_.end(), 1);
  if (gold == silver) return kNobody;
  return gold < silver ? 0 : 1;
}

// Holes are named by row, from the top, and column.
std::string Tempo::notation(const Move& move) const {
  const auto name = [](int cell) { return std::to_string(6 - cell / 8) + std::to_string(cell % 8); };
  return name(move.from) + (is_filled(move.to) ? "x" : "-") + name(move.to);
}

} // namespace boardwright::yardstick
