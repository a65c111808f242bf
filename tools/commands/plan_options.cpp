#include "tools/commands/plan_options.hpp"

#include "tools/commands/common_options.hpp"

#include <algorithm>

namespace boardwright::tools {
namespace {

// `random,varied:1,varied:5`, rising.
std::vector<int> parse_strengths(const std::string& text) {
  std::vector<int> strengths;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    int strength = 0;
    while (strength <= kStrongest && strength_name(strength) != word) ++strength;
    if (word.starts_with("level:"))
      throw CLI::ValidationError(
          "--strengths",
          fmt::format("`{}` slips on purpose, which would hide who is favoured: here play "
                      "varied:1 to {}, any of whose moves looks nearly as good as the best one",
                      printable(word), strength_name(kStrongest)));
    if (strength > kStrongest || (!strengths.empty() && strength <= strengths.back()))
      throw CLI::ValidationError(
          "--strengths", fmt::format("`{}` is not a list such as random,varied:1,varied:5: rising, up to {}",
                                     printable(text), strength_name(kStrongest)));
    strengths.push_back(strength);
    begin = end + 1;
  }
  return strengths;
}

} // namespace

void add_plan(CLI::App& command, EvaluationPlan& plan) {
  add_number<std::uint64_t>(
      command, "--games", plan.games, 2, 1'000'000,
      fmt::format("Games of each strength against itself, and against the next one ({})", plan.games));
  std::string names;
  for (const int strength : plan.strengths) names += (names.empty() ? "" : ",") + strength_name(strength);
  command
      .add_option_function<std::string>(
          "--strengths", [&plan](const std::string& text) { plan.strengths = parse_strengths(text); },
          fmt::format(
              "Who plays, the weakest first: random, varied:1 to {}, which look at so many positions for "
              "a move, however long that takes, and play any that looks nearly as good as the best ({})",
              strength_name(kStrongest), names))
      ->type_name("LIST");
  add_number<std::uint64_t>(command, "--seed", plan.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "The same seed gives the same answer, on any number of threads (1)");
  add_number(command, "--max-plies", plan.max_plies, 1, 1'000'000,
             fmt::format("A game that is not over after this many moves is unfinished ({})", plan.max_plies));
}

} // namespace boardwright::tools
