// Plays the games of a match: pairs with sides swapped, in several threads.
#pragma once

#include "runtime/model/shares.hpp"
#include "runtime/search/network.hpp"
#include "runtime/search/player.hpp"
#include "tools/match/match_record.hpp"
#include "tools/match/match_statistics.hpp"

#include <tl/expected.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

// Another program that fails in so many games one after the other isn't asked again: it doesn't work at all.
inline constexpr int kMostFailures = 5;

struct MatchPlan {
  std::array<std::string, 2> players; // descriptions: see opponents.hpp
  std::string game;                   // its name, for other programs
  // Those that run already: the first thread asks them.
  std::array<std::shared_ptr<runtime::search::Player>, 2> running;
  std::uint64_t first_pair = 0; // of those that the seed has: the others follow it
  std::uint64_t pairs = 50;
  std::optional<int> milliseconds; // for a move
  bool cpu_time = false;           // these are of CPU time: what else the machine does changes nothing
  std::optional<std::uint64_t> nodes;
  std::uint64_t seed = 1;
  int jobs = 1;          // games at a time
  int opening_plies = 4; // played at random, the same for both games of a pair
  int max_plies = 500;   // a game that isn't over by then is a draw
  std::optional<Sprt> sprt;
  std::shared_ptr<const runtime::search::Learnt> weights; // what was learnt of the game, for those who use it
  const std::atomic<bool>* stop = nullptr;
  // Is given every game that was played to its end, by one thread at a time; "" or what is wrong, which ends
  // the match.
  std::function<std::string(const PlayedGame&)> record;
};

// Whether a player's time is that of the processor. Another program's can't be seen: it is told the time by
// the clock, and the clock tells what it took.
[[nodiscard]] bool counts_cpu_time(const MatchPlan& plan, std::size_t player);

// Of one player, all games together.
struct Spent {
  std::uint64_t moves = 0, nodes = 0;
  double seconds = 0, longest = 0; // longest: of one move; see counts_cpu_time
};

struct MatchScore {
  Pairs pairs{};                       // of the first player
  OddPairs odd_pairs;                  // likewise
  std::uint64_t shared = 0;            // games whose point was divided: who had more of it won them
  std::uint64_t games = 0;             // of pairs that are complete
  std::array<std::uint64_t, 2> wins{}; // by player
  std::uint64_t draws = 0, cut_off = 0;
  std::array<std::uint64_t, 2> side_wins{}; // by player of the rules, whoever plays it
  std::uint64_t plies = 0;
  std::array<Spent, 2> spent;
  // Of another program: games that it lost since it crashed, fell silent or played no legal move, those of
  // pairs that aren't complete too, and what it was the last time.
  std::array<std::uint64_t, 2> failures{};
  std::array<std::string, 2> last_failure;
};

// Adds the games of another part of a match.
void add_score(const MatchScore& part, MatchScore& total);

// A game that couldn't go on.
struct MatchFault {
  std::string player; // whose turn it was
  runtime::Fault fault;
  runtime::Position position;
};

struct MatchRun {
  MatchScore score;
  bool stopped = false;
  std::optional<MatchFault> fault;
  std::optional<std::size_t> given_up; // the player that failed kMostFailures times in a row
  std::string unrecorded;              // why a game couldn't be recorded
};

// The result depends on plan and game alone where players count nodes, whatever the number of jobs; but where
// a sequential test ends it, several jobs may have counted other pairs by then. `from` is where openings
// begin. Both descriptions must be good. `progress` is called after every pair, from one thread at a time.
[[nodiscard]] MatchRun play_match(const std::shared_ptr<const runtime::Rules>& rules,
                                  const runtime::Game& from, const MatchPlan& plan,
                                  const std::function<void(const MatchScore&)>& progress = {});

// A game that has gone on for some moves at random: fewer than asked for where it would be over.
[[nodiscard]] tl::expected<runtime::Game, runtime::Fault> drawn_opening(const runtime::Game& from, int plies,
                                                                        std::uint64_t seed);

} // namespace boardwright::tools
