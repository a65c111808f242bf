// What is wrong with a game, in words: only what the games show beyond chance.
#include "tools/evaluate/evaluation.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace boardwright::tools {
namespace {

// Shares that are told; an interval must lie beyond them altogether.
constexpr double kUnfair = 0.2, kLeaning = 0.1; // of a fair share more or less
constexpr double kMostlyDrawn = 0.5, kOftenDrawn = 0.25, kOftenUnfinished = 0.1;
constexpr std::uint64_t kFewTurns = 4; // of each player
constexpr double kEarly = 0.6;         // played after it is decided
constexpr std::uint64_t kFewGames = 20;

std::optional<Estimate> value_of(const Evaluation& e, const char* id) {
  const Measure* measure = e.measure(id);
  return measure == nullptr ? std::nullopt : measure->value;
}

// A strength whose own games say surely otherwise than the strongest's, nearer to what is fair or beyond it;
// players by chance see nothing of a game, and contradict nobody.
const StrengthRow* contradicting(const Evaluation& e, const Estimate& first, double fair) {
  const bool favours = first.value > fair;
  for (const StrengthRow& row : e.strengths) {
    if (row.strength == 0 || row.strength == e.measured() || row.games < kFewGames || !row.first) continue;
    if (favours ? row.first->high < first.low : row.first->low > first.high) return &row;
  }
  return nullptr;
}

void judge_fairness(const Evaluation& e, std::vector<Judgement>& all) {
  const auto first = value_of(e, "advantage");
  if (!first) return;
  const double fair = 1 / static_cast<double>(e.players.size());
  const std::string& name = e.players[e.first];
  const std::string share = fmt::format("{:.0f} % of the points ({:.0f} to {:.0f})", 100 * first->value,
                                        100 * first->low, 100 * first->high);
  const bool is_leaning = first->low > fair * (1 + kLeaning) || first->high < fair * (1 - kLeaning);
  if (const StrengthRow* other = is_leaning ? contradicting(e, *first, fair) : nullptr)
    all.push_back(
        {"disputed", false,
         fmt::format("Who is favoured is not known: {}, who begins, gets {} of {} against itself, "
                     "but {:.0f} % ({:.0f} to {:.0f}) of {}.",
                     name, share, strength_name(e.measured()), 100 * other->first->value,
                     100 * other->first->low, 100 * other->first->high, strength_name(other->strength))});
  else if (first->low > fair * (1 + kUnfair))
    all.push_back(
        {"unfair", true, fmt::format("Unfair: {}, who begins, gets {} among equals.", name, share)});
  else if (first->high < fair * (1 - kUnfair))
    all.push_back(
        {"unfair", true, fmt::format("Unfair: {}, who begins, gets only {} among equals.", name, share)});
  else if (is_leaning)
    all.push_back({"leaning", false,
                   fmt::format("Not quite even: {}, who begins, gets {} among equals.", name, share)});
}

void judge_ends(const Evaluation& e, std::vector<Judgement>& all) {
  const auto draws = value_of(e, "draws"), unfinished = value_of(e, "unfinished");
  const std::string who = strength_name(e.measured());
  if (draws && draws->low > kMostlyDrawn)
    all.push_back(
        {"drawn", true,
         fmt::format("Mostly drawn: {:.0f} % of the games of {} against itself.", 100 * draws->value, who)});
  else if (draws && draws->low > kOftenDrawn)
    all.push_back(
        {"often-drawn", false,
         fmt::format("Often drawn: {:.0f} % of the games of {} against itself.", 100 * draws->value, who)});
  if (unfinished && unfinished->low > kOftenUnfinished)
    all.push_back(
        {"unfinished", true,
         fmt::format("It often doesn't end: {:.0f} % of the games of {} go on for {} moves and more.",
                     100 * unfinished->value, who, e.plan.max_plies)});
}

void judge_length(const Evaluation& e, std::vector<Judgement>& all) {
  if (e.lengths.empty()) return;
  std::vector<std::uint64_t> sorted = e.lengths;
  std::sort(sorted.begin(), sorted.end());
  const std::uint64_t middle = sorted[sorted.size() / 2];
  if (middle <= kFewTurns * e.players.size())
    all.push_back(
        {"short", true, fmt::format("Over too early: half of the games last {} turns or fewer.", middle)});
  const auto after = value_of(e, "decisiveness");
  if (after && after->low > kEarly)
    all.push_back(
        {"decided-early", true,
         fmt::format("Decided too early: the last {:.0f} % of a game are played out.", 100 * after->value)});
}

void judge_skill(const Evaluation& e, std::vector<Judgement>& all) {
  const double fair = 1 / static_cast<double>(e.players.size());
  const bool known =
      std::any_of(e.steps.begin(), e.steps.end(), [](const StepRow& s) { return s.games >= kFewGames; });
  const bool skilled = std::any_of(e.steps.begin(), e.steps.end(),
                                   [&](const StepRow& s) { return s.points && s.points->low > fair; });
  if (known && !skilled)
    all.push_back(
        {"no-skill", true, "Not decided by skill: nobody who looks further ahead gets more points for it."});
  if (!known || !skilled) return;
  const StepRow& last = e.steps.back();
  if (last.points && last.games >= kFewGames && last.points->low <= fair)
    all.push_back({"shallow-end", false,
                   fmt::format("{} is not surely stronger than {}: to look further ahead than that gains "
                               "little, or these are too few games.",
                               strength_name(last.strong), strength_name(last.weak))});
}

// Surely neither unfair one way nor the other.
bool is_known_well(const std::optional<Estimate>& first, std::size_t players) {
  const double fair = 1 / static_cast<double>(players);
  return first && first->low > fair * (1 - kUnfair) && first->high < fair * (1 + kUnfair);
}

} // namespace

std::vector<Judgement> judge(const Evaluation& e) {
  std::vector<Judgement> all;
  judge_fairness(e, all);
  judge_ends(e, all);
  judge_length(e, all);
  judge_skill(e, all);
  const bool fault = std::any_of(all.begin(), all.end(), [](const Judgement& j) { return j.fault; });
  if (e.lengths.size() < kFewGames)
    all.push_back({"few-games", false,
                   fmt::format("Only {} games of {} against itself that differ: little is certain.",
                               e.lengths.size(), strength_name(e.measured()))});
  else if (!fault && is_known_well(value_of(e, "advantage"), e.players.size()))
    all.push_back({"good", false,
                   "Nothing speaks against it: nobody is favoured much, games end, and skill decides them."});
  else if (!fault)
    all.push_back({"unsure", false,
                   "Nothing is known to speak against it; whether it is fair, more games would tell."});
  return all;
}

} // namespace boardwright::tools
