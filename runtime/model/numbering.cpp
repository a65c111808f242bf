#include "runtime/model/numbering.hpp"
#include "runtime/model/index.hpp"

#include <algorithm>
#include <set>

namespace boardwright::runtime {

namespace {

// How many shifts a step of a whole set takes at most.
[[nodiscard]] std::size_t shifts(const Board& board, const std::vector<std::int16_t>& number) {
  std::size_t most = 0;
  for (const Step& step : board.steps) {
    std::set<int> distances;
    for (std::size_t cell = 0; cell < step.to.size(); ++cell)
      if (step.to[cell] != kNowhere) distances.insert(number[at(step.to[cell])] - number[cell]);
    most = std::max(most, distances.size());
  }
  return most;
}

// Rows so far apart, and every `part`-th number only; nothing if cells fall between.
[[nodiscard]] std::optional<Numbering> rows_apart(const Board& board, int apart, int part) {
  Numbering n;
  const auto place = [&](int cell) { return (board.y[at(cell)] - 1) * apart + board.x[at(cell)] - 1; };
  int least = place(0);
  for (int cell = 0; cell < board.cells; ++cell) least = std::min(least, place(cell));
  for (int cell = 0; cell < board.cells; ++cell) {
    const int from_least = place(cell) - least;
    if (from_least % part != 0) return std::nullopt;
    n.of_cell.push_back(static_cast<std::int16_t>(from_least / part));
    n.size = std::max(n.size, from_least / part + 1);
  }
  std::vector<std::int16_t> sorted = n.of_cell;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return std::nullopt;
  return n;
}

} // namespace

std::map<int, CellSet> by_distance(const std::vector<std::int16_t>& to, bool back) {
  std::map<int, CellSet> groups;
  for (int cell = 0; cell < static_cast<int>(to.size()); ++cell) {
    const int other = to[at(cell)];
    if (other != kNowhere) groups[back ? cell - other : other - cell].set(back ? other : cell);
  }
  return groups;
}

std::optional<Numbering> find_numbering(const Board& board, int words) {
  if (board.cells == 0 || !board.tracks.empty() || !board.curves.empty()) return std::nullopt;
  std::vector<std::int16_t> same;
  for (int cell = 0; cell < board.cells; ++cell) same.push_back(static_cast<std::int16_t>(cell));
  const std::size_t of_same = shifts(board, same);
  if (of_same <= 1) return std::nullopt;
  std::optional<Numbering> best;
  std::size_t best_shifts = 0;
  for (const int part : {2, 1}) {
    for (const int apart : {board.files, board.files + 1}) {
      auto n = rows_apart(board, apart, part);
      if (!n || n->size > words * 64) continue;
      // More than one shift is only worth it where board order takes too many.
      const std::size_t of_this = shifts(board, n->of_cell);
      if (of_this > 1 && (of_same <= kMostShifts || of_this > kMostShifts)) continue;
      if (best && (best_shifts < of_this || (best_shifts == of_this && best->size <= n->size))) continue;
      best = std::move(n);
      best_shifts = of_this;
    }
  }
  return best;
}

void renumber(Program& program, const Numbering& numbering) {
  Board& board = program.board;
  const Board old = board;
  const auto number = [&](int cell) { return numbering.of_cell[at(cell)]; };
  const auto moved = [&](const CellSet& set) {
    CellSet result;
    set.each([&](int cell) { result.set(number(cell)); });
    return result;
  };
  board.cells = numbering.size;
  // No cell has the name of another, so what is asked of names holds with these too.
  board.name.assign(at(numbering.size), old.name.front());
  board.x.assign(at(numbering.size), 0);
  board.y = board.x;
  for (int cell = 0; cell < old.cells; ++cell) {
    board.name[at(number(cell))] = old.name[at(cell)];
    board.x[at(number(cell))] = old.x[at(cell)];
    board.y[at(number(cell))] = old.y[at(cell)];
  }
  for (auto& cell : board.at)
    if (cell != kNowhere) cell = number(cell);
  board.all = moved(old.all);
  for (std::size_t s = 0; s < board.steps.size(); ++s) {
    board.steps[s].to.assign(at(numbering.size), kNowhere);
    for (int cell = 0; cell < old.cells; ++cell)
      if (const auto to = old.steps[s].to[at(cell)]; to != kNowhere)
        board.steps[s].to[at(number(cell))] = number(to);
  }
  for (auto& [name, cell] : board.numbered) cell = number(cell);
  for (CellSet& set : program.cell_sets) set = moved(set);
}

} // namespace boardwright::runtime
