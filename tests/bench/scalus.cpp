#include "tests/bench/scalus.hpp"

#include <algorithm>

namespace boardwright::yardstick {

namespace {

// The rank of the enemy's headquarters, by player; they are on two files.
constexpr std::array<int, 2> kGoalRank{18, 2};
constexpr std::array<int, 2> kGoalFiles{5, 6};

int column_x(const Scalus::Group& g, int column, int row) {
  return g.x + g.spacing * (column + g.slant * row);
}
int row_y(const Scalus::Group& g, int row) { return g.y + g.spacing * row; }

// f(x, y) for every stone; stops where it is false.
template <class F>
bool all_stones(const Scalus::Group& g, F&& f) {
  for (int row = 0; row < g.rows; ++row)
    for (int column = 0; column < g.columns; ++column)
      if (!f(column_x(g, column, row), row_y(g, row))) return false;
  return true;
}

// Pairs and squares of four may be scaled without a pivot.
bool is_small(const Scalus::Group& g) { return g.columns <= 2 && g.rows <= 2; }

Scalus::Group group_of(int x, int y, int columns, int rows, int spacing, int slant) {
  const auto small = [](int n) { return static_cast<std::int8_t>(n); };
  return {small(x), small(y), small(columns), small(rows), small(spacing), small(slant)};
}

} // namespace

Scalus::Scalus() : Scalus(Vacant{}) {
  for (int x = 4; x <= 7; ++x)
    for (int y = 4; y <= 7; ++y) put(x, y, 0), put(x, y + 9, 1);
}

Scalus Scalus::blank(int to_move) {
  Scalus game{Vacant{}};
  game.mover_ = to_move;
  return game;
}

void Scalus::put(int x, int y, int player) {
  std::int8_t& cell = board_[index(x, y)];
  if (cell != kNobody) --stones_[static_cast<std::size_t>(cell)];
  if (player != kNobody) ++stones_[static_cast<std::size_t>(player)];
  cell = static_cast<std::int8_t>(player);
}

void Scalus::list(std::vector<Move>& moves) {
  moves.clear();
  if (winner_) return;
  for (int y = 1; y <= kRanks; ++y)
    for (int x = 1; x <= kFiles; ++x) {
      if (owner(x, y) != mover_) continue;
      steps(x, y, moves);
      for (const int spacing : {1, 2, 3}) groups(x, y, spacing, moves);
    }
}

void Scalus::steps(int x, int y, std::vector<Move>& moves) const {
  for (int to_y = y - 1; to_y <= y + 1; ++to_y)
    for (int to_x = x - 1; to_x <= x + 1; ++to_x)
      if (inside(to_x, to_y) && owner(to_x, to_y) == kNobody)
        moves.push_back({group_of(x, y, 1, 1, 1, 0), group_of(to_x, to_y, 1, 1, 1, 0)});
}

// Own stones in a row from (x, y) on to the right.
int Scalus::row_length(int x, int y, int spacing) const {
  int length = 0;
  while (is_own(x + spacing * length, y)) ++length;
  return length;
}

// All groups whose first stone is at (x, y).
void Scalus::groups(int x, int y, int spacing, std::vector<Move>& moves) {
  int widest = kFiles;
  for (int rows = 1; widest > 0; ++rows) {
    widest = std::min(widest, row_length(x, y + spacing * (rows - 1), spacing));
    for (int columns = rows == 1 ? 2 : 1; columns <= widest; ++columns)
      scalings(group_of(x, y, columns, rows, spacing, 0), moves);
  }
  for (const int slant : {-1, 1})
    if (is_own(x + spacing * slant, y + spacing)) scalings(group_of(x, y, 1, 2, spacing, slant), moves);
}

// Spacing 1 grows to 2 or, without a pivot, to 3, and both shrink back. The group is off the board meanwhile:
// it may land where it was.
void Scalus::scalings(const Group& group, std::vector<Move>& moves) {
  set_stones(group, kNobody);
  if (group.spacing == 1) {
    about_pivots(group, 2, moves);
    if (is_small(group)) without_pivot(group, 3, moves);
  } else if (is_clear(group)) {
    if (group.spacing == 2) about_pivots(group, 1, moves);
    if (group.spacing == 3 && is_small(group)) without_pivot(group, 1, moves);
  }
  set_stones(group, mover_);
}

void Scalus::about_pivots(const Group& group, int spacing, std::vector<Move>& moves) const {
  for (int row = 0; row < group.rows; ++row)
    for (int column = 0; column < group.columns; ++column) {
      Group after = group;
      after.spacing = static_cast<std::int8_t>(spacing);
      after.x =
          static_cast<std::int8_t>(column_x(group, column, row) - column_x(after, column, row) + group.x);
      after.y = static_cast<std::int8_t>(row_y(group, row) - row_y(after, row) + group.y);
      if (can_land(after)) moves.push_back({group, after});
    }
}

// The middle of the group stays where it is.
void Scalus::without_pivot(const Group& group, int spacing, std::vector<Move>& moves) const {
  const int half = (group.spacing - spacing) / 2;
  Group after = group;
  after.spacing = static_cast<std::int8_t>(spacing);
  after.x = static_cast<std::int8_t>(group.x + half * (group.columns - 1 + group.slant * (group.rows - 1)));
  after.y = static_cast<std::int8_t>(group.y + half * (group.rows - 1));
  if (can_land(after)) moves.push_back({group, after});
}

bool Scalus::can_land(const Group& group) const {
  return all_stones(group, [&](int x, int y) { return inside(x, y) && owner(x, y) != mover_; });
}

// No other own stone stands in the group's rectangle, or between the stones of a diagonal pair.
bool Scalus::is_clear(const Group& group) const {
  if (group.slant != 0) {
    for (int i = 1; i < group.spacing; ++i)
      if (owner(group.x + group.slant * i, group.y + i) == mover_) return false;
    return true;
  }
  for (int y = group.y; y <= row_y(group, group.rows - 1); ++y)
    for (int x = group.x; x <= column_x(group, group.columns - 1, 0); ++x)
      if (owner(x, y) == mover_) return false;
  return true;
}

void Scalus::set_stones(const Group& group, int player) {
  all_stones(group, [&](int x, int y) {
    board_[index(x, y)] = static_cast<std::int8_t>(player);
    return true;
  });
}

bool Scalus::holds_headquarters() const {
  const int y = kGoalRank[static_cast<std::size_t>(mover_)];
  return std::any_of(kGoalFiles.begin(), kGoalFiles.end(), [&](int x) { return owner(x, y) == mover_; });
}

void Scalus::play(const Move& move) {
  all_stones(move.before, [&](int x, int y) { return put(x, y, kNobody), true; });
  all_stones(move.after, [&](int x, int y) { return put(x, y, mover_), true; });
  if (holds_headquarters() || stones_[static_cast<std::size_t>(1 - mover_)] == 0) winner_ = mover_;
  mover_ = 1 - mover_;
}

} // namespace boardwright::yardstick
