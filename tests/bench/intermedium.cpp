#include "tests/bench/intermedium.hpp"

#include <algorithm>

namespace boardwright::yardstick {

namespace {

constexpr std::int8_t kOutside = -2;
constexpr std::array<int, 4> kDiagonals{10, 8, -8, -10}, kOrthogonals{9, 1, -1, -9};
constexpr std::array<int, 2> kCity{9 * 1 + 4, 9 * 10 + 4}; // d1 and d10, by player
constexpr int kStonesAtFirst = 4;                          // in each stack

} // namespace

Intermedium::Intermedium(Vacant) {
  owner_.fill(kOutside);
  for (int y = 1; y <= kRanks; ++y)
    for (int x = 1; x <= kFiles; ++x) clear(9 * y + x);
}

// Every other cell of three ranks.
Intermedium::Intermedium() : Intermedium(Vacant{}) {
  for (int y = 2; y <= 4; ++y)
    for (int x = 1; x <= kFiles; ++x) {
      if ((x + y) % 2 == 0) continue;
      for (int i = 0; i < kStonesAtFirst; ++i) put(x, y, 0), put(x, kRanks + 1 - y, 1);
    }
}

Intermedium Intermedium::blank(int to_move, int ply) {
  Intermedium game{Vacant{}};
  game.mover_ = to_move;
  game.ply_ = ply;
  return game;
}

void Intermedium::add_stone(int cell, int owner) {
  owner_[static_cast<std::size_t>(cell)] = static_cast<std::int8_t>(owner);
  ++height_[static_cast<std::size_t>(cell)];
}

void Intermedium::clear(int cell) {
  owner_[static_cast<std::size_t>(cell)] = kNobody;
  height_[static_cast<std::size_t>(cell)] = 0;
}

void Intermedium::list(std::vector<Move>& moves) const {
  moves.clear();
  if (winner_) return;
  for (int y = 1; y <= kRanks; ++y)
    for (int x = 1; x <= kFiles; ++x) {
      const int cell = 9 * y + x;
      if (at(cell) != mover_ || height_of(cell) < 2) continue;
      Move move;
      move.from = static_cast<Cell>(cell);
      move.steps = static_cast<std::uint8_t>(height_of(cell));
      sow(cell, 0, 0, move, moves);
    }
}

// All ways on from `cell`. Only the step back is barred: the cells of a player's diagonals hold no enemy.
void Intermedium::sow(int cell, int last_step, std::size_t sown, Move& move, std::vector<Move>& moves) const {
  if (sown == move.steps) {
    if (!is_opening() || opens_well(move)) moves.push_back(move);
    return;
  }
  for (const int step : kDiagonals) {
    if (step == -last_step || at(cell + step) == kOutside) continue;
    move.way[sown] = static_cast<Cell>(cell + step);
    sow(cell + step, step, sown + 1, move, moves);
  }
}

// The first moves of a player must end farther forward than they began, and put a stone on an empty cell.
bool Intermedium::opens_well(const Move& move) const {
  const int from = move.from / 9, to = move.way[move.steps - 1U] / 9;
  return (mover_ == 0 ? to > from : to < from) && std::any_of(move.way.begin(), move.way.begin() + move.steps,
                                                              [&](Cell cell) { return at(cell) == kNobody; });
}

// Only a last stone on a single one takes what is walled beside it, and the city.
void Intermedium::play(const Move& move) {
  clear(move.from);
  for (std::size_t i = 0; i < move.steps; ++i) add_stone(move.way[i], mover_);
  const int last = move.way[move.steps - 1U];
  if (height_of(last) == 2) {
    for (const int step : kOrthogonals)
      if (at(last + step) == 1 - mover_ && is_walled(last + step)) clear(last + step);
    if (wins_city(last)) winner_ = mover_;
  }
  mover_ = 1 - mover_;
  ++ply_;
}

// By stacks of the mover on all sides, and the edge.
bool Intermedium::is_walled(int cell) const {
  return std::all_of(kOrthogonals.begin(), kOrthogonals.end(),
                     [&](int step) { return at(cell + step) == mover_ || at(cell + step) == kOutside; });
}

bool Intermedium::wins_city(int cell) const {
  const int city = kCity[static_cast<std::size_t>(1 - mover_)];
  return std::find(kOrthogonals.begin(), kOrthogonals.end(), city - cell) != kOrthogonals.end() &&
         is_walled(city);
}

std::string Intermedium::notation(const Move& move) const {
  Intermedium after = *this;
  after.play(move);
  std::string text = name_of(move.from % 9, move.from / 9);
  for (std::size_t i = 0; i < move.steps; ++i) text += "-" + name_of(move.way[i] % 9, move.way[i] / 9);
  return text + captures_between(*this, after) + (after.winner() ? "#" : "");
}

} // namespace boardwright::yardstick
