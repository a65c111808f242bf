// The smallest piece of work: some games between players of two strengths, the use of the rules, random
// games, or pairs of games of a match. What comes out depends on the rules and on what stands in the unit,
// not on who does it, when, or after what: so units may be done in any order, on any machine, and again.
#pragma once

#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/search/varied.hpp"
#include "tools/console/json.hpp"
#include "tools/match/match_games.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

// A strength is one of the varied players (search/varied.hpp); 0 plays at random. Levels (search/levels.hpp)
// slip on purpose, and would hide who is favoured.
inline constexpr int kStrongest = runtime::search::kLastVariety;
[[nodiscard]] std::string strength_name(int strength); // "random", "varied:3"

// A rule file with its options: what units are about.
struct Variant {
  std::string reference;
  interpreter::Settings settings;
  interpreter::Loaded loaded;
};

// What all units of some playouts or of a match share.
struct GamesChoice {
  std::shared_ptr<const runtime::Game> from; // where they begin; null: at the set-up
  std::string begin;                         // the same as text
  MatchPlan match;                           // but for which pairs
};

struct Unit {
  enum class Kind : std::uint8_t { games, coverage, playouts, match } kind = Kind::games;
  int strong = 0, weak = 0; // of games: one seat is taken by the first, all others by the second
  std::uint64_t first =
      0; // numbers of the games (pairs of a match), counted from 0 for each pair of strengths
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  int max_plies = 500;
  std::shared_ptr<const GamesChoice> choice; // of playouts and matches
  // How games differ from those without a twist, which have the same numbers.
  enum class Twist : std::uint8_t {
    none,
    same_dice, // the same is rolled, and who plays has other random numbers
    sees_all,  // nothing is hidden from one of the seats
  } twist = Twist::none;
};

// What is told of a game.
struct GameNote {
  int seat = 0;                            // of the stronger player
  std::optional<runtime::Outcome> outcome; // nothing: cut off
  std::uint64_t plies = 0, moves = 0;      // of players, not of nature; legal moves, summed over the plies
  std::uint64_t turns = 0;                 // what one player does until another moves: one ply, or several
  std::uint64_t line = 0;                  // of all positions: games in which the same happened have the same
  std::vector<int> chances; // of player 0 before each ply, in thousandths; of two players who think
  std::uint64_t near_best = 0,
                choices = 0; // moves that were nearly as good as the best; positions with a choice
  std::uint64_t opening = 0; // the position after kOpeningTurns, or the last one
  std::uint64_t cells = 0;   // on which anything changed
};
inline constexpr std::uint64_t kOpeningTurns = 4;

// A part of the rules, and whether random games reached it.
struct UsedPart {
  bool end_line = false; // else an alternative
  std::uint32_t line = 0;
  std::string text;
  bool used = false;
};

struct UnitResult {
  std::vector<GameNote> games;
  std::vector<std::uint64_t> cells; // by cell: games in which it changed
  std::vector<UsedPart> parts;
  bool partial = false; // it was stopped, or its account (runtime/model/meter.hpp) was spent: these are the
                        // games that were over by then
  std::optional<runtime::PlayoutResult> playouts;
  std::optional<MatchScore> match;
};

// Nothing: it was stopped, or had no steps left.
using UnitDone = tl::expected<std::optional<UnitResult>, runtime::Fault>;
[[nodiscard]] UnitDone carry_out(const Variant& variant, const Unit& unit, const std::atomic<bool>* stop);

} // namespace boardwright::tools
