// Sets of cells as such a file names them, and as a rule file does.
#pragma once

#include <tl/expected.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace boardwright::tools {

inline constexpr int kMostFiles = 26, kMostRanks = 26;

struct BoardSize {
  int files = 8, ranks = 8;
};

using CellSet = std::set<std::pair<int, int>>; // (rank, file), both from 1 on: in board order

// "d4 *8 a*". What isn't on the board is left out; fails with a sentence for what is no cell at all.
[[nodiscard]] tl::expected<CellSet, std::string> read_cells(std::string_view text, BoardSize size);
// "12" or "l"; 0 if it is neither.
[[nodiscard]] int read_line_number(std::string_view text, int most);

[[nodiscard]] std::string cell_name(std::pair<int, int> cell);
// The same cells as the other player sees them.
[[nodiscard]] CellSet across(const CellSet& cells, BoardSize size);
// "rank(7 .. 9)", "d4 .. e5", "a8 | h8", "none"
[[nodiscard]] std::string cells_text(const CellSet& cells, BoardSize size);
// The same for both players, where each has his own: "row(-1)", or "" if one text can't say it.
[[nodiscard]] std::string common_text(const CellSet& first, const CellSet& second, BoardSize size);
// That, or a body for each player.
[[nodiscard]] std::string players_text(const CellSet& first, const CellSet& second, BoardSize size);

} // namespace boardwright::tools
