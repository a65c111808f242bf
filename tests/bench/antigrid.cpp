#include "tests/bench/antigrid.hpp"

namespace boardwright::yardstick {

namespace {

constexpr int kEast = 1, kNorth = 16;

// Red's (0) lines are the even files and the odd ranks, Blue's the others.
bool has_file(int player, int x) { return x % 2 == player; }
bool has_rank(int player, int y) { return y % 2 != player; }

// Where two lines of a player meet.
bool has_point(int player, int x, int y) { return has_file(player, x) && has_rank(player, y); }

bool is_edge(int coordinate, int last) { return coordinate == 1 || coordinate == last; }

} // namespace

// Within, every cell is a point of one player, or a crossing of both players' lines. On the edge there are no
// crossings.
AntiGrid::AntiGrid(Vacant) {
  board_.fill(kHole);
  for (int y = 1; y <= kRanks; ++y)
    for (int x = 1; x <= kFiles; ++x) {
      const bool inner = !is_edge(x, kFiles) && !is_edge(y, kRanks);
      if (inner || has_point(0, x, y) || has_point(1, x, y)) put(x, y, kNobody);
    }
}

AntiGrid::AntiGrid() : AntiGrid(Vacant{}) {
  for (int i = 1; i < kFiles; i += 2) {
    put(i + 1, 1, 0), put(kFiles, i, 0);
    put(i, kRanks, 1), put(1, i + 1, 1);
  }
}

AntiGrid AntiGrid::blank(int to_move) {
  AntiGrid game{Vacant{}};
  game.mover_ = to_move;
  return game;
}

// Who has at most one gem that can move has lost.
void AntiGrid::list(std::vector<Move>& moves) const {
  moves.clear();
  int mobile = 0;
  for (int y = 1; y <= kRanks; ++y)
    for (int x = 1; x <= kFiles; ++x) {
      if (at(cell_at(x, y)) != mover_) continue;
      const auto before = moves.size();
      gem_moves(x, y, moves);
      if (moves.size() > before) ++mobile;
    }
  if (mobile <= 1) moves.clear();
}

// Along lines of its own. A line on the edge has every other cell for a point.
void AntiGrid::gem_moves(int x, int y, std::vector<Move>& moves) const {
  const int from = cell_at(x, y);
  if (has_file(mover_, x)) {
    const int step = is_edge(x, kFiles) ? 2 * kNorth : kNorth;
    glide(from, step, kEast, moves);
    glide(from, -step, kEast, moves);
  }
  if (has_rank(mover_, y)) {
    const int step = is_edge(y, kRanks) ? 2 * kEast : kEast;
    glide(from, step, kNorth, moves);
    glide(from, -step, kNorth, moves);
  }
}

void AntiGrid::glide(int from, int step, int beside, std::vector<Move>& moves) const {
  for (int to = from + step; at(to) == kNobody; to += step) {
    moves.push_back({static_cast<Cell>(from), static_cast<Cell>(to)});
    if (is_blockaded(to, beside)) return;
  }
}

// Two enemy gems on both sides, on points of their own, end the way.
bool AntiGrid::is_blockaded(int cell, int beside) const {
  const int enemy = 1 - mover_, side = cell + beside;
  return at(side) == enemy && at(cell - beside) == enemy && has_point(enemy, file_of(side), rank_of(side));
}

void AntiGrid::play(const Move& move) {
  set(move.from, kNobody);
  set(move.to, mover_);
  for (const int step : {kEast, -kEast, kNorth, -kNorth}) capture(move.to, step);
  mover_ = 1 - mover_;
}

// A run of enemy gems from `cell` to another gem of the mover's.
void AntiGrid::capture(int cell, int step) {
  const int enemy = 1 - mover_;
  int end = cell + step;
  while (at(end) == enemy) end += step;
  if (at(end) != mover_) return;
  for (int taken = cell + step; taken != end; taken += step) set(taken, kNobody);
}

std::string AntiGrid::notation(const Move& move) const {
  const auto name = [](int cell) { return name_of(file_of(cell), rank_of(cell)); };
  AntiGrid after = *this;
  after.play(move);
  return name(move.from) + "-" + name(move.to) + captures_between(*this, after);
}

} // namespace boardwright::yardstick
