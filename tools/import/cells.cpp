#include "tools/import/cells.hpp"

#include "tools/import/variants/ini.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace boardwright::tools {
namespace {

CellSet rectangle(int low_rank, int high_rank, int low_file, int high_file) {
  CellSet cells;
  for (int rank = low_rank; rank <= high_rank; ++rank)
    for (int file = low_file; file <= high_file; ++file) cells.insert({rank, file});
  return cells;
}

CellSet whole_board(BoardSize size) { return rectangle(1, size.ranks, 1, size.files); }

// The ranks that are in a set as a whole, as runs "7 .. 9".
std::vector<std::pair<int, int>> whole_ranks(const CellSet& cells, BoardSize size) {
  std::vector<std::pair<int, int>> runs;
  for (int rank = 1; rank <= size.ranks; ++rank) {
    const CellSet line = rectangle(rank, rank, 1, size.files);
    if (!std::includes(cells.begin(), cells.end(), line.begin(), line.end())) continue;
    if (!runs.empty() && runs.back().second == rank - 1)
      runs.back().second = rank;
    else
      runs.emplace_back(rank, rank);
  }
  return runs;
}

std::string run_text(const char* word, std::pair<int, int> run) {
  return run.first == run.second ? fmt::format("{}({})", word, run.first)
                                 : fmt::format("{}({} .. {})", word, run.first, run.second);
}

void add_cells(std::string& text, const std::string& more) { text += (text.empty() ? "" : " | ") + more; }

// The largest rectangle, of two cells a side at least, that begins in a cell; else that cell.
std::pair<int, int> corner_from(const CellSet& cells, std::pair<int, int> cell) {
  int width = 0, best = 0;
  std::pair<int, int> corner = cell;
  while (cells.contains({cell.first, cell.second + width})) ++width;
  for (int rank = cell.first; width > 0; ++rank) {
    int here = 0;
    while (here < width && cells.contains({rank, cell.second + here})) ++here;
    width = here;
    const int area = width * (rank - cell.first + 1);
    if (width > 0 && area > best) {
      best = area;
      corner = {rank, cell.second + width - 1};
    }
  }
  return best > 2 ? corner : cell;
}

} // namespace

int read_line_number(std::string_view text, int most) {
  if (text.size() == 1 && std::isalpha(static_cast<unsigned char>(text.front())) != 0) {
    const int letter = std::tolower(static_cast<unsigned char>(text.front())) - 'a' + 1;
    return letter <= most ? letter : 0;
  }
  int number = 0;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 || number > most) return 0;
    number = number * 10 + (c - '0');
  }
  return number <= most ? number : 0;
}

tl::expected<CellSet, std::string> read_cells(std::string_view text, BoardSize size) {
  CellSet cells;
  for (const std::string& word : words_of(text)) {
    if (word == "-" || word == "none") continue;
    const std::string_view file_text = std::string_view(word).substr(0, 1);
    const std::string_view rank_text = std::string_view(word).substr(1);
    const bool any_file = file_text == "*", any_rank = rank_text == "*";
    const int file = any_file ? 0 : read_line_number(file_text, kMostFiles);
    const int rank = any_rank ? 0 : read_line_number(rank_text, kMostRanks);
    const bool is_letter = std::isalpha(static_cast<unsigned char>(word.front())) != 0;
    const bool is_number =
        !rank_text.empty() && std::isdigit(static_cast<unsigned char>(rank_text.front())) != 0;
    if ((!any_file && (!is_letter || file == 0)) || (!any_rank && (!is_number || rank == 0)))
      return tl::unexpected(fmt::format("`{}` is no cell", word.substr(0, 20)));
    for (int r = any_rank ? 1 : rank; r <= (any_rank ? size.ranks : std::min(rank, size.ranks)); ++r)
      for (int f = any_file ? 1 : file; f <= (any_file ? size.files : std::min(file, size.files)); ++f)
        cells.insert({r, f});
  }
  return cells;
}

std::string cell_name(std::pair<int, int> cell) {
  return fmt::format("{}{}", static_cast<char>('a' + cell.second - 1), cell.first);
}

CellSet across(const CellSet& cells, BoardSize size) {
  CellSet other;
  for (const auto& [rank, file] : cells) other.insert({size.ranks + 1 - rank, file});
  return other;
}

std::string cells_text(const CellSet& cells, BoardSize size) {
  if (cells.empty()) return "none";
  if (cells == whole_board(size)) return "board";
  std::string text;
  CellSet rest = cells;
  for (const auto& run : whole_ranks(cells, size)) {
    add_cells(text, run_text("rank", run));
    for (const auto& cell : rectangle(run.first, run.second, 1, size.files)) rest.erase(cell);
  }
  while (!rest.empty()) {
    const auto low = *rest.begin();
    const auto high = corner_from(rest, low);
    add_cells(text, low == high ? cell_name(low) : fmt::format("{} .. {}", cell_name(low), cell_name(high)));
    for (const auto& cell : rectangle(low.first, high.first, low.second, high.second)) rest.erase(cell);
  }
  return text;
}

std::string common_text(const CellSet& first, const CellSet& second, BoardSize size) {
  std::size_t covered = 0;
  std::string text;
  for (const auto& [low, high] : whole_ranks(first, size)) {
    covered += static_cast<std::size_t>((high - low + 1) * size.files);
    const bool far = low > (size.ranks + 1) / 2;
    add_cells(text, run_text("row", far ? std::pair(low - size.ranks - 1, high - size.ranks - 1)
                                        : std::pair(low, high)));
  }
  if (second == across(first, size) && !first.empty() && covered == first.size() && first != second)
    return text;
  return first == second ? cells_text(first, size) : "";
}

std::string players_text(const CellSet& first, const CellSet& second, BoardSize size) {
  if (std::string text = common_text(first, second, size); !text.empty()) return text;
  return fmt::format("{{ White: {}, Black: {} }}", cells_text(first, size),
                     second == across(first, size) ? "mirror" : cells_text(second, size));
}

} // namespace boardwright::tools
