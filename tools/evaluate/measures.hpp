// The numbers of an evaluation, from what is told of each game.
#pragma once

#include "tools/evaluate/evaluation.hpp"

namespace boardwright::tools {

// All games of two strengths; the same one: against itself.
struct Played {
  int strong = 0, weak = 0;
  std::vector<GameNote> games;      // those that differ
  std::vector<std::uint64_t> cells; // by cell: games in which it changed
  std::uint64_t all = 0;            // games, also those that were played before
};

// Fills in all but the head and what is judged. `parts`: of the rules, if that is known.
void measure_all(const Variant& variant, const std::vector<Played>& all,
                 const std::optional<std::vector<UsedPart>>& parts, Evaluation& e);

// Two games in which the same was rolled; who played had other random numbers.
struct Twins {
  GameNote one, other;
};
// How much of the results what is rolled decides.
[[nodiscard]] Measure luck_measure(const std::vector<Twins>& twins, const Evaluation& e);

// What somebody gets who sees all, against others who see what is theirs.
[[nodiscard]] Measure secrets_measure(const std::vector<GameNote>& games, const Evaluation& e);

} // namespace boardwright::tools
