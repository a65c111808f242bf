#include "tools/drawing/board_labels.hpp"

#include "dsl/text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

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

// Cells that are all called by one letter and a number, as the points of a track are, have no files by name.
bool tell_apart(const std::map<int, std::string>& files) {
  if (files.size() < 2) return true;
  return std::any_of(files.begin(), files.end(),
                     [&](const auto& file) { return file.second != files.begin()->second; });
}

// `c7` where each file counts its cells from its lowest one on.
Labels lettered_by_file(const Board& board) {
  Labels labels;
  for (std::size_t i = 0; i < board.name.size(); ++i) {
    const auto low = labels.first.emplace(board.x[i], board.y[i]).first;
    low->second = std::min(low->second, board.y[i]);
  }
  // A file's lowest cell may be a hole: what its other cells are called tells where it would be.
  for (std::size_t i = 0; i < board.name.size(); ++i) {
    const std::string& name = board.name[i];
    const std::size_t letters = name.find_first_of("0123456789");
    if (letters == 0 || letters == std::string::npos) continue;
    if (const auto number = dsl::number_in<int>(std::string_view(name).substr(letters)))
      if (labels.file.emplace(board.x[i], name.substr(0, letters)).second)
        labels.first[board.x[i]] = board.y[i] - *number + 1;
  }
  for (std::size_t i = 0; i < board.name.size(); ++i) {
    const int rank = labels.rank_of(board.x[i], board.y[i]);
    labels.rank[rank] = std::to_string(rank);
  }
  return tell_apart(labels.file) ? labels : Labels{};
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
  std::array<Labels, 4> ways = {board.endless() ? round_labels(board) : lettered(board), numbered(board, ""),
                                numbered(board, "_"), board.endless() ? Labels{} : lettered_by_file(board)};
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

std::vector<RankEnd> rank_ends(const Labels& labels, const Board& board, bool last) {
  std::map<int, int> outermost; // a cell, by what `rank` goes by
  for (int cell = 0; cell < board.cells; ++cell) {
    const auto i = static_cast<std::size_t>(cell);
    const auto place = outermost.emplace(labels.rank_of(board.x[i], board.y[i]), cell).first;
    const int so_far = board.x[static_cast<std::size_t>(place->second)];
    if (last ? board.x[i] > so_far : board.x[i] < so_far) place->second = cell;
  }
  std::vector<RankEnd> ends;
  for (const auto& [rank, cell] : outermost)
    if (const auto label = labels.rank.find(rank); label != labels.rank.end())
      ends.push_back({cell, label->second});
  return ends;
}

bool are_labels_at_right(const Board& board, bool flipped) { return board.slant_right == flipped; }

bool are_letters_above(const Labels& labels, bool flipped) { return labels.by_file() && flipped; }

bool is_label_below(const Labels& labels, const Board& board, bool right, bool flipped) {
  return labels.by_file() ? flipped : right == board.slant_right;
}

} // namespace boardwright::tools
