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
  std::vector<std::size_t> others; // cells with names of their own

  [[nodiscard]] std::string name(int x, int y) const {
    const auto f = file.find(x), r = rank.find(y);
    if (f == file.end() || r == rank.end()) return {};
    return rank_first ? r->second + between + f->second : f->second + between + r->second;
  }
};

[[nodiscard]] Labels labels_of(const runtime::Board& board);

} // namespace boardwright::tools
