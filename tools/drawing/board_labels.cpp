#include "tools/drawing/board_labels.hpp"

#include <algorithm>
#include <array>

namespace boardwright::tools {
namespace {

using runtime::Board;

// `c7`: letters for the file, the rank's number behind them.
Labels lettered(const Board& board) {
  Labels labels;
  for (std::size_t i = 0; i < board.name.size(); ++i) {
    const std::string rank = std::to_string(board.y[i]);
    const std::string& name = board.name[i];
    labels.rank[board.y[i]] = rank;
    const std::size_t letters = name.find_first_of("0123456789");
    if (letters == 0 || letters == std::string::npos || name.substr(letters) != rank) continue;
    labels.file.emplace(board.x[i], name.substr(0, letters));
  }
  return labels;
}

// Of a board without edges, or a part of it: as the names say, since files and ranks go round.
Labels round_labels(const Board& board) {
  Labels labels;
  for (std::size_t i = 0; i < board.name.size(); ++i) {
    const std::string& name = board.name[i];
    const std::size_t letters = name.find_first_of("0123456789");
    if (letters == 0 || letters == std::string::npos) continue;
    labels.file.emplace(board.x[i], name.substr(0, letters));
    labels.rank.emplace(board.y[i], name.substr(letters));
  }
  return labels;
}

// `23` or `2_3`: the row from the top, then the column.
Labels numbered(const Board& board, const std::string& between) {
  Labels labels;
  labels.rank_first = true;
  labels.between = between;
  for (std::size_t i = 0; i < board.name.size(); ++i) {
    labels.rank[board.y[i]] = std::to_string(board.ranks + 1 - board.y[i]);
    labels.file[board.x[i]] = std::to_string(board.x[i]);
  }
  return labels;
}

} // namespace

Labels labels_of(const Board& board) {
  std::array<Labels, 3> ways = {board.endless() ? round_labels(board) : lettered(board), numbered(board, ""),
                                numbered(board, "_")};
  for (Labels& way : ways)
    for (std::size_t i = 0; i < board.name.size(); ++i)
      if (way.name(board.x[i], board.y[i]) != board.name[i]) way.others.push_back(i);
  Labels& best = *std::min_element(ways.begin(), ways.end(), [](const Labels& a, const Labels& b) {
    return a.others.size() < b.others.size();
  });
  if (best.others.size() * 2 > board.name.size()) { // labels would mislead
    best.file.clear();
    best.rank.clear();
  }
  return std::move(best);
}

} // namespace boardwright::tools
