#include "tools/evaluate/game_units.hpp"

#include "runtime/game/playout_parts.hpp"
#include "runtime/model/fingerprint.hpp"
#include "runtime/model/random.hpp"
#include "runtime/model/shares.hpp"
#include "runtime/search/levels.hpp"
#include "tools/engines/opponents.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>

namespace boardwright::tools {
namespace {

std::vector<Unit> cut_into_units(Unit unit, std::uint64_t first, std::uint64_t count, std::uint64_t most) {
  std::vector<Unit> units;
  for (std::uint64_t at = first; at - first < count; at += unit.count) {
    unit.first = at;
    unit.count = std::min(most - at % most, first + count - at);
    units.push_back(unit);
  }
  return units;
}

// By how they are as bits: what is learnt differs in the last of them.
std::string hash_of_weights(const runtime::search::Learnt& learnt) {
  std::uint64_t hash = runtime::chain(0, learnt.features.size());
  const auto add = [&](const auto& numbers) {
    for (const auto number : numbers) hash = runtime::chain(hash, static_cast<std::uint64_t>(number));
  };
  if (const auto& network = learnt.network) {
    add(network->first), add(network->bias), add(network->own), add(network->other);
    hash = runtime::chain(hash, static_cast<std::uint64_t>(network->constant));
  }
  for (const auto& [name, value] : learnt.features) {
    for (const char c : name) hash = runtime::chain(hash, static_cast<unsigned char>(c));
    hash = runtime::chain(hash, std::bit_cast<std::uint64_t>(value));
  }
  return runtime::fingerprint_text(hash);
}

// The highest level thinks as long as it may.
bool counts_positions(const std::string& player) {
  return player == "random" || player.starts_with("varied:") ||
         (player.starts_with("level:") && player != fmt::format("level:{}", runtime::search::kLastLevel));
}

Json ending_json(const runtime::Ending& ending) {
  return {{"by", static_cast<int>(ending.how.by)},
          {"origin", ending.how.origin},
          {"games", ending.games},
          {"wins", ending.wins},
          {"draws", ending.draws}};
}

runtime::Ending ending_in(const Json& json) {
  runtime::Ending ending;
  ending.how.by = static_cast<runtime::Outcome::By>(json.at("by").get<int>());
  ending.how.origin = json.at("origin").get<std::uint32_t>();
  ending.games = json.at("games").get<std::uint64_t>();
  ending.wins = json.at("wins").get<std::vector<std::uint64_t>>();
  ending.draws = json.at("draws").get<std::uint64_t>();
  return ending;
}

} // namespace

std::vector<Unit> playouts_units(const std::shared_ptr<const GamesChoice>& choice, std::uint64_t first,
                                 std::uint64_t count, std::uint64_t seed, int max_plies) {
  Unit unit;
  unit.kind = Unit::Kind::playouts;
  unit.seed = seed;
  unit.max_plies = max_plies;
  unit.choice = choice;
  return cut_into_units(std::move(unit), first, count, kPlayoutsOfUnit);
}

std::vector<Unit> match_units(const std::shared_ptr<const GamesChoice>& choice) {
  Unit unit;
  unit.kind = Unit::Kind::match;
  unit.seed = choice->match.seed;
  unit.max_plies = choice->match.max_plies;
  unit.choice = choice;
  return cut_into_units(std::move(unit), choice->match.first_pair, choice->match.pairs, kPairsOfUnit);
}

std::string why_not_in_units(const MatchPlan& plan) {
  for (const std::string& player : plan.players) {
    if (is_external(player))
      return fmt::format("--units: what another program plays isn't the same every time: `{}`",
                         quotable(player));
    if (player.find("threads=") != std::string::npos)
      return fmt::format("--units: several threads don't think the same every time: `{}`", quotable(player));
    if (!plan.nodes && !counts_positions(player))
      return fmt::format("--units: `{}` needs --nodes: only games whose players count positions are the same "
                         "on every machine",
                         quotable(player));
  }
  return "";
}

UnitDone carry_out_playouts(const Variant& variant, const Unit& unit, const std::atomic<bool>* stop) {
  runtime::PlayoutOptions options;
  options.count = unit.count;
  options.seed = unit.seed;
  options.max_plies = unit.max_plies;
  options.stop = stop;
  std::optional<runtime::Position> from;
  if (unit.choice->from) from = unit.choice->from->position();
  auto run = runtime::run_playouts_from(unit.first, variant.loaded.rules, options, from ? &*from : nullptr);
  if (run.faulty) {
    run.faulty->fault.message = fmt::format("game {} of seed {}, after {} moves: {}", run.faulty->number,
                                            unit.seed, run.faulty->plies, run.faulty->fault.message);
    return tl::unexpected(std::move(run.faulty->fault));
  }
  if (run.result.stopped || run.result.playouts < unit.count) return std::nullopt;
  UnitResult result;
  result.playouts = std::move(run.result);
  return result;
}

UnitDone carry_out_match(const Variant& variant, const Unit& unit, const std::atomic<bool>* stop) {
  MatchPlan plan = unit.choice->match;
  plan.first_pair = unit.first;
  plan.pairs = unit.count;
  plan.jobs = 1;
  plan.stop = stop;
  const runtime::Game from = unit.choice->from ? *unit.choice->from : runtime::Game(variant.loaded.rules);
  MatchRun run = play_match(variant.loaded.rules, from, plan);
  if (run.fault) return tl::unexpected(std::move(run.fault->fault));
  if (run.stopped) return std::nullopt;
  UnitResult result;
  result.match = std::move(run.score);
  return result;
}

Json game_unit_json(const Unit& unit) {
  const bool match = unit.kind == Unit::Kind::match;
  Json json = {{"kind", match ? "match" : "playouts"},
               {"first", unit.first},
               {"count", unit.count},
               {"seed", unit.seed},
               {"max_plies", unit.max_plies},
               {"begin", unit.choice->begin}};
  if (!match) return json;
  const MatchPlan& plan = unit.choice->match;
  json["players"] = plan.players;
  json["nodes"] = plan.nodes ? Json(*plan.nodes) : Json();
  json["opening"] = plan.opening_plies;
  json["weights"] = plan.weights ? Json(hash_of_weights(*plan.weights)) : Json();
  return json;
}

Json odd_pairs_json(const OddPairs& odd) {
  Json all = Json::array();
  for (const auto& [points, pairs] : odd) all.push_back({{"points", points}, {"pairs", pairs}});
  return all;
}

Json playout_sums_json(const runtime::PlayoutResult& result) {
  Json endings = Json::array();
  for (const runtime::Ending& ending : result.endings) endings.push_back(ending_json(ending));
  Json json = {
      {"playouts", result.playouts},     {"wins", result.wins},       {"draws", result.draws},
      {"unfinished", result.unfinished}, {"plies", result.plies},     {"moves", result.moves},
      {"shortest", result.shortest},     {"longest", result.longest}, {"endings", std::move(endings)}};
  for (const auto& [parts, games] : result.shared)
    json["shared"].push_back({{"parts", parts}, {"games", games}});
  return json;
}

runtime::PlayoutResult playout_sums_in(const Json& json) {
  runtime::PlayoutResult result;
  result.playouts = json.at("playouts").get<std::uint64_t>();
  result.wins = json.at("wins").get<std::vector<std::uint64_t>>();
  result.draws = json.at("draws").get<std::uint64_t>();
  result.unfinished = json.at("unfinished").get<std::uint64_t>();
  result.plies = json.at("plies").get<std::uint64_t>();
  result.moves = json.at("moves").get<std::uint64_t>();
  result.shortest = json.at("shortest").get<std::uint32_t>();
  result.longest = json.at("longest").get<std::uint32_t>();
  if (json.contains("shared"))
    for (const Json& one : json.at("shared"))
      result.shared[one.at("parts").get<runtime::Result>()] = one.at("games").get<std::uint64_t>();
  for (const Json& ending : json.at("endings")) result.endings.push_back(ending_in(ending));
  return result;
}

Json match_sums_json(const MatchScore& score) {
  Json json = {{"pairs", score.pairs}, {"games", score.games},     {"wins", score.wins},
               {"draws", score.draws}, {"cut_off", score.cut_off}, {"side_wins", score.side_wins},
               {"plies", score.plies}};
  if (score.shared > 0)
    json.update({{"shared", score.shared}, {"odd_pairs", odd_pairs_json(score.odd_pairs)}});
  json["spent"] = Json::array();
  for (const Spent& spent : score.spent)
    json["spent"].push_back({{"moves", spent.moves}, {"nodes", spent.nodes}});
  return json;
}

MatchScore match_sums_in(const Json& json) {
  MatchScore score;
  score.pairs = json.at("pairs").get<Pairs>();
  score.shared = json.value("shared", std::uint64_t{0});
  if (score.shared > 0)
    for (const Json& one : json.at("odd_pairs"))
      score.odd_pairs[one.at("points").get<double>()] = one.at("pairs").get<std::uint64_t>();
  score.games = json.at("games").get<std::uint64_t>();
  score.wins = json.at("wins").get<std::array<std::uint64_t, 2>>();
  score.draws = json.at("draws").get<std::uint64_t>();
  score.cut_off = json.at("cut_off").get<std::uint64_t>();
  score.side_wins = json.at("side_wins").get<std::array<std::uint64_t, 2>>();
  score.plies = json.at("plies").get<std::uint64_t>();
  for (std::size_t k = 0; k < score.spent.size(); ++k) {
    score.spent[k].moves = json.at("spent").at(k).at("moves").get<std::uint64_t>();
    score.spent[k].nodes = json.at("spent").at(k).at("nodes").get<std::uint64_t>();
  }
  return score;
}

} // namespace boardwright::tools
