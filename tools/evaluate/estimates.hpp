// How sure a number is that some games give.
#pragma once

#include "tools/match/match_statistics.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace boardwright::tools {

// Wilson's interval of a share; nothing without trials.
[[nodiscard]] std::optional<Estimate> share_estimate(std::uint64_t hits, std::uint64_t trials);

// Of points from 0 to 1, a number for each game: Wilson's interval for as many games that are either won or
// lost as would have such a variance. So draws make it narrower, and it is honest near 0 and 1.
[[nodiscard]] std::optional<Estimate> points_estimate(const std::vector<double>& points);

// What each game adds above and below a line: the number is the ratio of the sums.
using Ratios = std::vector<std::pair<double, double>>;
// By the percentile bootstrap (B. Efron, Bootstrap methods: another look at the jackknife, 1979): games are
// drawn again a thousand times, always by the same random numbers. Nothing for fewer than two games.
[[nodiscard]] std::optional<Estimate> bootstrap_ratio(const Ratios& ratios);

// The same of any number that some lists of points give.
using Points = std::vector<double>;
[[nodiscard]] std::optional<Estimate>
bootstrap_points(const std::vector<Points>& lists,
                 const std::function<double(const std::vector<Points>&)>& number);

} // namespace boardwright::tools
