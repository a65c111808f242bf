// What the results of a match say about the strength of two players.
//
// Games come in pairs: the same opening twice, with sides swapped. An opening that favours a side favours
// each player once, so the two games of a pair are not independent: what is counted are pairs, with five
// possible scores ("pentanomial": M. Van den Bergh, for the testing framework of Stockfish).
#pragma once

#include <array>
#include <cstdint>
#include <map>

namespace boardwright::tools {

// Of the first player: pairs with 0, 1/2, 1, 3/2, 2 points.
using Pairs = std::array<std::uint64_t, 5>;

// Pairs with other points, by these: of games whose point is divided otherwise than in halves.
using OddPairs = std::map<double, std::uint64_t>;

struct Estimate {
  double value = 0, low = 0, high = 0; // with 95 % confidence
};

// Points for a game, from 0 to 1. Wilson's interval for as many independent games as would have such a
// variance: for scores near 0 and 1 it is honest where the usual one is not.
[[nodiscard]] Estimate score_of_pairs(const Pairs& pairs, const OddPairs& odd = {});

// The difference in Elo's scale that such a score is expected from: 400 points are ten to one (A. Elo, 1978).
// Infinite for scores of 0 and 1.
[[nodiscard]] double elo_of_score(double score);
[[nodiscard]] double score_of_elo(double elo);

// Wald's sequential probability ratio test (1945): are the results rather those of a player who is `high`
// stronger than of one who is `low` stronger? It is wrong once in twenty times, if at all.
struct Sprt {
  double low = 0, high = 40; // Elo
};
enum class Verdict : std::uint8_t { unknown, low, high };

// Logarithm of how many times likelier the results are with `high` than with `low`: of normally distributed
// scores with the variance that was seen. One pair of results of all kinds is made up, so that a handful of
// equal results proves nothing.
[[nodiscard]] double log_likelihood_ratio(const Pairs& pairs, const Sprt& sprt, const OddPairs& odd = {});
// Beyond it, to either side, the test is over.
[[nodiscard]] double sprt_bound();
[[nodiscard]] Verdict verdict_of(const Pairs& pairs, const Sprt& sprt, const OddPairs& odd = {});

} // namespace boardwright::tools
