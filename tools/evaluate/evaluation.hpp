// What games of several strengths say of a game: is it fair, deep, drawn, decided by skill?
#pragma once

#include "tools/evaluate/estimates.hpp"
#include "tools/evaluate/unit.hpp"
#include "tools/games/endings.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

struct EvaluationPlan {
  std::vector<int> strengths{0, 1, 3, 5}; // rising
  std::uint64_t games = 100;              // of each strength against itself, and against the next
  std::uint64_t seed = 1;
  int max_plies = 500;   // a game that isn't over by then is told as unfinished, and counts as a draw
  bool rules_use = true; // also what random games reach of the rules
  bool luck = false;     // the strongest one's games also once more, with the same dice
  bool secrets = false;  // and with one player who sees all
};
// The order is that of the plan; more games only add units, but for the last one of each pair of strengths.
[[nodiscard]] std::vector<Unit> units_of(const EvaluationPlan& plan);

// A number, how sure it is, and what it means.
struct Measure {
  std::string id, title;
  bool share = false; // told in per cent
  std::optional<Estimate> value;
  std::string interval;           // how it was worked out
  std::string definition, source; // source: who has defined it
  std::string sentence;           // in plain words
};

struct StrengthRow {
  int strength = 0;
  std::uint64_t games = 0, played = 0; // those that differ, and all
  std::optional<Estimate> first;       // share of the points for whoever begins
  std::optional<Estimate> draws, unfinished, length, branching;
  std::vector<std::optional<Estimate>> players; // shares by player
  std::array<std::uint64_t, 3> results{};       // games won by who begins, drawn or unfinished, won by others
};

struct StepRow {
  int strong = 0, weak = 0;
  std::uint64_t games = 0, played = 0; // those that differ, and all
  std::optional<Estimate> points;      // of the stronger one
};

struct Judgement {
  std::string id;     // "unfair"
  bool fault = false; // else it is only worth knowing
  std::string text;
};

struct Evaluation {
  EvaluationPlan plan;
  std::string game, rules;       // rules: their fingerprint
  interpreter::Settings options; // all there are, as they are set
  std::vector<std::string> players;
  std::size_t first = 0; // who begins
  std::uint64_t games = 0, planned = 0;
  std::uint64_t different = 0; // of the games: a game that was played before, move by move, tells nothing new
  std::vector<Measure> measures;
  std::vector<StrengthRow> strengths;
  std::vector<StepRow> steps;
  std::vector<EndingCount> endings; // of the strongest player's games
  std::vector<UsedPart> unused;     // parts of the rules
  std::vector<std::string> unused_cells;
  std::vector<Judgement> judgements;
  // Of the strongest player's games: their lengths in turns; how much the leader leads, and how many moves
  // there are to choose from, by tenths of the game.
  std::vector<std::uint64_t> lengths;
  std::array<double, 10> lead{};
  bool stopped = false;          // by somebody
  bool gave_up = false;          // the command's account (runtime/model/meter.hpp) was spent before
  std::optional<double> seconds; // after which its time was over, before all games were played

  [[nodiscard]] const Measure* measure(const std::string& id) const;
  // Who the measures are of: where it was stopped early, the strongest may not have played yet.
  [[nodiscard]] int measured() const;
};

// `results` by unit of the plan; what is missing is left out.
[[nodiscard]] Evaluation evaluate(const Variant& variant, const EvaluationPlan& plan,
                                  const std::vector<std::optional<UnitResult>>& results);

// What is wrong with the game, and if nothing is, that.
[[nodiscard]] std::vector<Judgement> judge(const Evaluation& evaluation);

// "53.8 %", "24.1"
[[nodiscard]] std::string number_text(const Measure& measure, double number);

} // namespace boardwright::tools
