// Entry point: evaluate. The numbers themselves are in measures.cpp.
#include "tools/evaluate/evaluation.hpp"

#include "runtime/model/fingerprint.hpp"
#include "tools/evaluate/measures.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace boardwright::tools {
namespace {

// Large enough that to begin a piece of work costs nothing beside it, small enough that little is lost where
// one is given up. Every player of four or fewer sits on each seat as often.
constexpr std::uint64_t kGamesOfUnit = 4;

void add_units(const EvaluationPlan& plan, int strong, int weak, std::vector<Unit>& units,
               Unit::Twist twist = Unit::Twist::none) {
  for (std::uint64_t first = 0; first < plan.games; first += kGamesOfUnit)
    units.push_back({Unit::Kind::games, strong, weak, first, std::min(kGamesOfUnit, plan.games - first),
                     plan.seed, plan.max_plies, nullptr, twist});
}

// Games of the strongest player against himself by their numbers, as they were and with a twist.
struct Twisted {
  std::map<std::uint64_t, GameNote> plain, same_dice;
  std::vector<GameNote> sees_all;

  void add(const Unit& unit, const UnitResult& result) {
    for (std::size_t k = 0; k < result.games.size(); ++k) {
      if (unit.twist == Unit::Twist::sees_all)
        sees_all.push_back(result.games[k]);
      else
        (unit.twist == Unit::Twist::none ? plain : same_dice)[unit.first + k] = result.games[k];
    }
  }
  [[nodiscard]] std::vector<Twins> twins() const {
    std::vector<Twins> found;
    for (const auto& [number, game] : plain)
      if (const auto other = same_dice.find(number); other != same_dice.end())
        found.push_back({game, other->second});
    return found;
  }
};

void add_result(const UnitResult& result, Played& played) {
  played.games.insert(played.games.end(), result.games.begin(), result.games.end());
  if (played.cells.empty()) played.cells.resize(result.cells.size());
  for (std::size_t cell = 0; cell < std::min(played.cells.size(), result.cells.size()); ++cell)
    played.cells[cell] += result.cells[cell];
}

Played& played_by(std::vector<Played>& all, const Unit& unit) {
  for (Played& one : all)
    if (one.strong == unit.strong && one.weak == unit.weak) return one;
  return all.emplace_back(Played{unit.strong, unit.weak, {}, {}, 0});
}

// Leaves of games that are the same move by move only the first one: players of little chance repeat
// themselves, and the same game a second time makes nothing surer. Of two strengths the seats count, too.
std::uint64_t keep_different(Played& played) {
  std::set<std::pair<std::uint64_t, int>> seen;
  const bool same = played.strong == played.weak;
  std::erase_if(played.games, [&](const GameNote& game) {
    return !seen.insert({game.line, same ? 0 : game.seat}).second;
  });
  return played.games.size();
}

Evaluation head_of(const Variant& variant, const EvaluationPlan& plan) {
  const runtime::Program& program = variant.loaded.rules->program();
  Evaluation e;
  e.plan = plan;
  e.game = program.game;
  e.rules = runtime::fingerprint_text(runtime::fingerprint(program));
  for (const runtime::Option& option : program.options) e.options.emplace_back(option.name, option.value);
  for (const runtime::Player& player : program.players) e.players.push_back(player.name);
  e.first = static_cast<std::size_t>(std::max(runtime::Game(variant.loaded.rules).to_move(), 0));
  return e;
}

} // namespace

std::vector<Unit> units_of(const EvaluationPlan& plan) {
  std::vector<Unit> units;
  for (const int strength : plan.strengths) add_units(plan, strength, strength, units);
  for (std::size_t k = 1; k < plan.strengths.size(); ++k)
    add_units(plan, plan.strengths[k], plan.strengths[k - 1], units);
  const int strongest = plan.strengths.back();
  if (plan.luck) add_units(plan, strongest, strongest, units, Unit::Twist::same_dice);
  // Who plays at random has no use for what he sees.
  if (plan.secrets && strongest > 0) add_units(plan, strongest, strongest, units, Unit::Twist::sees_all);
  if (plan.rules_use) {
    Unit coverage;
    coverage.kind = Unit::Kind::coverage;
    coverage.seed = plan.seed;
    units.push_back(coverage);
  }
  return units;
}

const Measure* Evaluation::measure(const std::string& id) const {
  for (const Measure& one : measures)
    if (one.id == id) return &one;
  return nullptr;
}

int Evaluation::measured() const {
  for (std::size_t k = strengths.size(); k-- > 0;)
    if (strengths[k].games > 0) return strengths[k].strength;
  return plan.strengths.back();
}

Evaluation evaluate(const Variant& variant, const EvaluationPlan& plan,
                    const std::vector<std::optional<UnitResult>>& results) {
  const std::vector<Unit> units = units_of(plan);
  Evaluation e = head_of(variant, plan);
  std::vector<Played> all;
  Twisted twisted;
  std::optional<std::vector<UsedPart>> parts;
  for (std::size_t k = 0; k < units.size(); ++k) {
    const bool games = units[k].kind == Unit::Kind::games;
    e.planned += games ? units[k].count : 0;
    const bool plain = units[k].twist == Unit::Twist::none;
    if (games && plain) (void)played_by(all, units[k]); // those without results, too
    if (k >= results.size() || !results[k]) continue;
    const UnitResult& result = *results[k];
    if (!games) parts = result.parts;
    if (games && plain) add_result(result, played_by(all, units[k]));
    if (games && units[k].strong == plan.strengths.back() && units[k].strong == units[k].weak)
      twisted.add(units[k], result);
    e.games += result.games.size();
    if (!plain) e.different += result.games.size(); // each is compared with another one, or with nobody's
  }
  for (Played& played : all) {
    played.all = played.games.size();
    e.different += keep_different(played);
  }
  measure_all(variant, all, parts, e);
  if (plan.luck) e.measures.push_back(luck_measure(twisted.twins(), e));
  if (plan.secrets) e.measures.push_back(secrets_measure(twisted.sees_all, e));
  e.judgements = judge(e);
  return e;
}

std::string number_text(const Measure& measure, double number) {
  return measure.share ? fmt::format("{:.1f} %", 100 * number) : fmt::format("{:.1f}", number);
}

} // namespace boardwright::tools
