// Charts as SVG inside a page: their colours are the page's (`var(--…)`), so that they are light or dark with
// it, and print.
#pragma once

#include "tools/match/match_statistics.hpp"

#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

// A share with its interval, a line each.
struct ShareLine {
  std::string name;
  std::optional<Estimate> share;
};
// `fair` is marked.
[[nodiscard]] std::string shares_chart(const std::vector<ShareLine>& lines, double fair,
                                       const std::string& told);

// Parts of a whole, a bar each.
struct StackedBar {
  std::string name;
  std::vector<double> parts;
};
[[nodiscard]] std::string stacked_chart(const std::vector<StackedBar>& bars,
                                        const std::vector<std::string>& names, const std::string& told);

// How many there are of each number.
[[nodiscard]] std::string histogram(const std::vector<std::uint64_t>& numbers, const std::string& axis,
                                    const std::string& told);

// A line through shares, evenly apart.
[[nodiscard]] std::string curve_chart(const std::vector<double>& shares, const std::string& left,
                                      const std::string& right, const std::string& told);

// A share for each cell of a table: the more, the darker. Text stands in each; nothing: "-".
struct HeatCell {
  std::optional<double> shade; // 0 to 1
  std::string text;
  bool best = false;
};
[[nodiscard]] std::string heat_map(const std::vector<std::string>& rows,
                                   const std::vector<std::string>& columns,
                                   const std::vector<std::vector<HeatCell>>& cells, const std::string& told);

// What pages with charts begin with, up to <body>.
[[nodiscard]] std::string page_head(const std::string& title);

} // namespace boardwright::tools
