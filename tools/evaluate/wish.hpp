// What is wanted of a game: `advantage 48 .. 52 %, draws < 5 %`.
#pragma once

#include "tools/evaluate/evaluation.hpp"

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace boardwright::tools {

struct Wish {
  std::string measure; // its id
  double low = 0, high = 0;
};
using Wishes = std::vector<Wish>;

// An error says what is wrong. Numbers with `%` are hundredths.
[[nodiscard]] tl::expected<Wishes, std::string> read_wishes(const std::string& text);
// What can be wished of: the ids of measures.
[[nodiscard]] std::vector<std::string> measures_to_wish();

struct Fulfilment {
  double distance = 0; // how far the numbers are from what is wanted: 0 where all are as wanted
  bool sure = false;   // their intervals, too
  bool known = true;   // every number that is wanted is there
};
[[nodiscard]] Fulfilment fulfilment_of(const Wishes& wishes, const Evaluation& evaluation);

} // namespace boardwright::tools
