// The coordinates at the sides of a board that is drawn.
#pragma once

#include "runtime/model/board.hpp"

#include <map>
#include <string>
#include <vector>

namespace boardwright::tools {

// The labels of files and ranks, where the names of most cells are made of them.
struct Labels {
  std::map<int, std::string> file, rank; // by x, by y
  bool rank_first = false;
  std::string between;
  // Where each file counts its cells by itself: the rank that its first one is in, by x. `rank` goes by that
  // count then, not by y.
  std::map<int, int> first;
  std::vector<std::size_t> others; // cells with names of their own

  [[nodiscard]] bool by_file() const { return !first.empty(); }
  // What `rank` goes by.
  [[nodiscard]] int rank_of(int x, int y) const {
    const auto low = first.find(x);
    return low == first.end() ? y : y - low->second + 1;
  }
  [[nodiscard]] std::string name(int x, int y) const {
    const auto f = file.find(x), r = rank.find(rank_of(x, y));
    if (f == file.end() || r == rank.end()) return {};
    return rank_first ? r->second + between + f->second : f->second + between + r->second;
  }
};

[[nodiscard]] Labels labels_of(const runtime::Board& board);

// Where the label of a rank stands: beside its first cell, the one of the lowest file, or its last one.
struct RankEnd {
  int cell = 0;
  std::string text;
};
[[nodiscard]] std::vector<RankEnd> rank_ends(const Labels& labels, const runtime::Board& board, bool last);

// Of hexes whose ranks are level, while each file counts by itself: on which side, as the board is seen, no
// cell stands in a label's place.
[[nodiscard]] bool are_labels_at_right(const runtime::Board& board, bool flipped);

// Of upright hexes: whether files have their letters above, as the board is seen: where each counts by itself
// they stand where it begins, since numbers stand where it ends.
[[nodiscard]] bool are_letters_above(const Labels& labels, bool flipped);

// Of upright hexes: whether that label stands obliquely below the cell, seen as the board is drawn; else
// above. There is room where the rank would go on, or, where each file counts by itself, above the file that
// is first to reach so far.
[[nodiscard]] bool is_label_below(const Labels& labels, const runtime::Board& board, bool right,
                                  bool flipped);

} // namespace boardwright::tools
