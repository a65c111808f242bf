#include "tools/evaluate/wish.hpp"

#include "dsl/text.hpp"
#include "tools/console/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <regex>

namespace boardwright::tools {
namespace {

constexpr double kAnything = std::numeric_limits<double>::infinity();

// Shares are as far apart as they differ by tenths; other numbers as they differ by tenths of what is wanted.
double distance_to(const Wish& wish, double value, bool share) {
  const double beyond = std::max({wish.low - value, value - wish.high, 0.0});
  const double bound = value < wish.low ? wish.low : wish.high;
  return beyond == 0 ? 0 : beyond / (share ? 0.1 : std::max(0.1 * bound, 0.1));
}

tl::expected<Wish, std::string> wish_in(const std::string& text) {
  static const std::regex kBetween(R"(\s*([a-z_]+)\s+([0-9.]+?)\s*\.\.\s*([0-9.]+)\s*(%?)\s*)");
  static const std::regex kBound(R"(\s*([a-z_]+)\s*(<|>)=?\s*([0-9.]+)\s*(%?)\s*)");
  std::smatch found;
  const bool between = std::regex_match(text, found, kBetween);
  if (!between && !std::regex_match(text, found, kBound))
    return tl::unexpected(fmt::format(
        "`{}` is no wish such as `advantage 48 .. 52 %`, `draws < 5 %` or `length > 20`", quotable(text)));
  const double scale = found[4].length() > 0 ? 0.01 : 1;
  Wish wish{found[1].str(), -kAnything, kAnything};
  const auto known = measures_to_wish();
  if (std::find(known.begin(), known.end(), wish.measure) == known.end())
    return tl::unexpected(
        fmt::format("there is no measure `{}`; there are {}", wish.measure, fmt::join(known, ", ")));
  const auto low = dsl::number_in<double>(found[between ? 2 : 3].str()),
             high = dsl::number_in<double>(found[3].str());
  if (!low || !high) return tl::unexpected(fmt::format("`{}` has no number", quotable(text)));
  if (between || found[2].str() == ">") wish.low = *low * scale;
  if (between || found[2].str() == "<") wish.high = *high * scale;
  if (wish.low > wish.high) return tl::unexpected(fmt::format("`{}` is empty", quotable(text)));
  return wish;
}

} // namespace

std::vector<std::string> measures_to_wish() {
  return {"advantage",    "draws", "unfinished", "length",   "branching", "choice", "decisiveness",
          "lead_changes", "drama", "depth",      "openings", "board",     "rules"};
}

tl::expected<Wishes, std::string> read_wishes(const std::string& text) {
  Wishes wishes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    auto wish = wish_in(text.substr(begin, end - begin));
    if (!wish) return tl::unexpected(std::move(wish.error()));
    wishes.push_back(std::move(*wish));
    begin = end + 1;
  }
  return wishes;
}

Fulfilment fulfilment_of(const Wishes& wishes, const Evaluation& evaluation) {
  Fulfilment fulfilment{0, true, true};
  for (const Wish& wish : wishes) {
    const Measure* measure = evaluation.measure(wish.measure);
    if (measure == nullptr || !measure->value) {
      fulfilment.known = fulfilment.sure = false;
      continue;
    }
    fulfilment.distance += distance_to(wish, measure->value->value, measure->share);
    fulfilment.sure = fulfilment.sure && measure->value->low >= wish.low && measure->value->high <= wish.high;
  }
  return fulfilment;
}

} // namespace boardwright::tools
