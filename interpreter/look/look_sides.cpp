// Entry point: joined_sides.
#include "interpreter/look/look_sides.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Form;
using runtime::Board;
using runtime::CellSet;

class SideFinder {
public:
  SideFinder(const Board& board, const SeenCells& seen) : board_(board), seen_(seen) {}

  void look_at(const Ast& tree) {
    if (tree.form == Form::some_inside) from_within(tree);
    if (tree.form == Form::all_of) asked_twice(tree);
  }

  std::vector<Side> found() { return std::move(sides_); }

private:
  // `some group(row(1), own, D) in last_row`
  void from_within(const Ast& tree) {
    std::vector<const Ast*> parts;
    constants_in(tree.kids[0], parts);
    for (const Ast* part : parts)
      if (const auto begin = sides_of(*part); !begin.empty())
        if (const auto end = sides_of(tree.kids[1]); !end.empty()) return add(begin, end);
  }

  // What a call or a walk begins with.
  static void constants_in(const Ast& tree, std::vector<const Ast*>& parts) {
    if (tree.form == Form::paren || (tree.form == Form::binary && tree.word == "&"))
      for (const Ast& kid : tree.kids) constants_in(kid, parts), parts.push_back(&kid);
    if (tree.form == Form::call && tree.word == "row") return; // that is a constant itself
    if ((tree.form == Form::call || tree.form == Form::reach) && !tree.kids.empty()) {
      parts.push_back(&tree.kids[0]);
      constants_in(tree.kids[0], parts);
    }
  }

  // `some g in row(1) and some g in last_row`
  void asked_twice(const Ast& tree) {
    std::map<std::string, const Ast*> first;
    for (const Ast& kid : tree.kids) {
      if (kid.form != Form::some_inside || kid.kids[0].form != Form::name) continue;
      const auto [known, is_new] = first.emplace(kid.kids[0].word, &kid.kids[1]);
      if (is_new) continue;
      if (const auto begin = sides_of(*known->second); !begin.empty())
        if (const auto end = sides_of(kid.kids[1]); !end.empty()) add(begin, end);
    }
  }

  // By player; empty for what is no side of the board, or the same for all.
  [[nodiscard]] std::vector<CellSet> sides_of(const Ast& tree) const {
    std::vector<CellSet> sets = seen_(tree);
    const auto is_side = [&](const CellSet& set) {
      const auto steps = neighbour_steps(board_);
      return set.any() && std::any_of(steps.begin(), steps.end(), [&](const auto& step) {
               return is_outermost(board_, set, step.first, step.second);
             });
    };
    if (sets.size() < 2 || !std::all_of(sets.begin(), sets.end(), is_side)) sets.clear();
    return sets;
  }

  void add(const std::vector<CellSet>& begin, const std::vector<CellSet>& end) {
    for (std::size_t player = 0; player < begin.size(); ++player)
      for (const CellSet& cells : {begin[player], end[player]}) {
        const auto same = [&](const Side& side) {
          return side.player == static_cast<int>(player) && side.cells == cells;
        };
        if (std::none_of(sides_.begin(), sides_.end(), same))
          sides_.push_back({static_cast<int>(player), cells});
      }
  }

  const Board& board_;
  const SeenCells& seen_;
  std::vector<Side> sides_;
};

} // namespace

bool is_outermost(const Board& board, const CellSet& cells, int dx, int dy) {
  bool outermost = true;
  cells.each([&](int cell) {
    int x = board.x[static_cast<std::size_t>(cell)] + dx, y = board.y[static_cast<std::size_t>(cell)] + dy;
    for (; x >= 1 && y >= 1 && x <= board.files && y <= board.ranks; x += dx, y += dy)
      if (board.cell_at(x, y) >= 0) outermost = false;
  });
  return outermost;
}

std::vector<std::pair<int, int>> neighbour_steps(const Board& board) {
  std::vector<std::pair<int, int>> steps = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  if (!board.hexes) return steps;
  const int slant = board.slant_right ? 1 : -1;
  steps.emplace_back(slant, 1);
  steps.emplace_back(-slant, -1);
  return steps;
}

std::vector<Side> joined_sides(const std::vector<const Ast*>& trees, const Board& board,
                               const SeenCells& seen) {
  SideFinder finder(board, seen);
  for (const Ast* tree : trees) finder.look_at(*tree);
  return finder.found();
}

} // namespace boardwright::interpreter
