#include "tests/bench/eximo.hpp"

namespace boardwright::yardstick {

namespace {

constexpr std::int8_t kOutside = -2;

struct Side {
  std::array<int, 3> ahead;         // ways to step and to vault
  std::array<int, 5> capturing;     // ahead or sideways
  std::array<Eximo::Cell, 12> home; // where new men enter
};

constexpr std::array<Side, 2> kSides{
    Side{{9, 10, 11}, {9, 10, 11, -1, 1}, {12, 13, 14, 15, 16, 17, 22, 23, 24, 25, 26, 27}},
    Side{{-9, -10, -11}, {-9, -10, -11, -1, 1}, {72, 73, 74, 75, 76, 77, 82, 83, 84, 85, 86, 87}}};

const Side& side_of(int player) { return kSides[static_cast<std::size_t>(player)]; }

} // namespace

Eximo::Eximo(Vacant) {
  board_.fill(kOutside);
  for (int y = 1; y <= kRanks; ++y)
    for (int x = 1; x <= kFiles; ++x) put(x, y, kNobody);
}

Eximo::Eximo() : Eximo(Vacant{}) {
  for (int x = 2; x <= 7; ++x)
    for (const int y : {1, 2}) put(x, y, 0), put(x, 9 - y, 1);
  for (const int x : {2, 3, 6, 7}) put(x, 3, 0), put(x, 6, 1);
}

Eximo Eximo::blank(int to_move) {
  Eximo game{Vacant{}};
  game.mover_ = to_move;
  return game;
}

// Captures are compulsory.
void Eximo::list(std::vector<Move>& moves) {
  moves.clear();
  each_man([&](int cell, Move& move) { captures(cell, move, moves); });
  if (!moves.empty()) return;
  each_man([&](int cell, Move& move) {
    vaults(cell, move, moves);
    steps(cell, move, moves);
  });
}

// The man is off the board while his moves are listed.
template <class F>
void Eximo::each_man(F&& list_moves) {
  for (int y = 1; y <= kRanks; ++y)
    for (int x = 1; x <= kFiles; ++x) {
      const int cell = 10 * y + x;
      if (at(cell) != mover_) continue;
      Move move;
      move.from = static_cast<Cell>(cell);
      at(cell) = kNobody;
      list_moves(cell, move);
      at(cell) = static_cast<std::int8_t>(mover_);
    }
}

// A chain goes on as long as it can, but not beyond the last row. False if there is nothing to capture from
// here.
bool Eximo::captures(int cell, Move& move, std::vector<Move>& moves) {
  const auto enemy = static_cast<std::int8_t>(1 - mover_);
  bool found = false;
  for (const int way : side_of(mover_).capturing) {
    const int over = cell + way, to = over + way;
    if (at(over) != enemy || at(to) != kNobody) continue;
    found = true;
    at(over) = kNobody;
    move.captured[move.captures++] = static_cast<Cell>(over);
    if (in_last_row(to) || !captures(to, move, moves)) end_at(to, move, moves);
    --move.captures;
    at(over) = enemy;
  }
  return found;
}

bool Eximo::vaults(int cell, Move& move, std::vector<Move>& moves) {
  bool found = false;
  for (const int way : side_of(mover_).ahead) {
    const int over = cell + way, to = over + way;
    if (at(over) != mover_ || at(to) != kNobody) continue;
    found = true;
    if (in_last_row(to) || !vaults(to, move, moves)) end_at(to, move, moves);
  }
  return found;
}

void Eximo::steps(int cell, Move& move, std::vector<Move>& moves) {
  for (const int way : side_of(mover_).ahead)
    if (at(cell + way) == kNobody) end_at(cell + way, move, moves);
}

void Eximo::end_at(int cell, Move& move, std::vector<Move>& moves) {
  move.to = static_cast<Cell>(cell);
  if (in_last_row(cell))
    drops(move, moves);
  else
    moves.push_back(move);
}

// Two new men enter in any way; one if there is room for no more, or none.
void Eximo::drops(Move& move, std::vector<Move>& moves) {
  std::array<Cell, 12> vacant;
  std::size_t count = 0;
  for (const Cell cell : side_of(mover_).home)
    if (at(cell) == kNobody) vacant[count++] = cell;
  move.drops = static_cast<std::uint8_t>(count < 2 ? count : 2);
  if (count == 1) move.dropped[0] = vacant[0];
  if (count < 2) moves.push_back(move);
  for (std::size_t second = 1; second < count; ++second)
    for (std::size_t first = 0; first < second; ++first) {
      move.dropped = {vacant[first], vacant[second]};
      moves.push_back(move);
    }
  move.drops = 0;
}

void Eximo::play(const Move& move) {
  const auto man = static_cast<std::int8_t>(mover_);
  at(move.from) = kNobody;
  for (std::size_t i = 0; i < move.captures; ++i) at(move.captured[i]) = kNobody;
  if (!in_last_row(move.to)) at(move.to) = man;
  for (std::size_t i = 0; i < move.drops; ++i) at(move.dropped[i]) = man;
  mover_ = 1 - mover_;
}

} // namespace boardwright::yardstick
