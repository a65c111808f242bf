// Units of `playouts` and `match`: random games and pairs of games by their numbers, whose sums are the
// answer.
#pragma once

#include "tools/evaluate/unit.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// Random games are played by the million, so that only thousands of them are worth a worker's beginning.
inline constexpr std::uint64_t kPlayoutsOfUnit = 10'000, kPairsOfUnit = 2;
// More of them would be files without end.
inline constexpr std::uint64_t kMostUnits = 1'000'000;

// Units begin and end at multiples of a number, so that another range of the same games finds them again.
[[nodiscard]] std::vector<Unit> playouts_units(const std::shared_ptr<const GamesChoice>& choice,
                                               std::uint64_t first, std::uint64_t count, std::uint64_t seed,
                                               int max_plies);
// Likewise of choice->match, its pairs.
[[nodiscard]] std::vector<Unit> match_units(const std::shared_ptr<const GamesChoice>& choice);

// Why the games of this plan aren't the same whenever they are played; "" if they are.
[[nodiscard]] std::string why_not_in_units(const MatchPlan& plan);

[[nodiscard]] UnitDone carry_out_playouts(const Variant& variant, const Unit& unit,
                                          const std::atomic<bool>* stop);
[[nodiscard]] UnitDone carry_out_match(const Variant& variant, const Unit& unit,
                                       const std::atomic<bool>* stop);

// All that the result of such a unit depends on, but rules and version.
[[nodiscard]] Json game_unit_json(const Unit& unit);
// Results, but for the time that they took. What reads them throws nlohmann::json::exception where it is of
// another shape.
[[nodiscard]] Json odd_pairs_json(const OddPairs& odd);
[[nodiscard]] Json playout_sums_json(const runtime::PlayoutResult& result);
[[nodiscard]] runtime::PlayoutResult playout_sums_in(const Json& json);
[[nodiscard]] Json match_sums_json(const MatchScore& score);
[[nodiscard]] MatchScore match_sums_in(const Json& json);

} // namespace boardwright::tools
