// What random games show of the rules: how games end, what the players can do, which rules ever come into
// play.
//
// The games are played by the engine; some of their positions are gone through by the walker as well, which
// sees every node of the rules. Further games are only played to their end, which is many times as quick:
// they show results. The budgets are moves, positions and steps, not time, so that the same seed shows the
// same everywhere. No game takes more than a share of them, so that one that goes on long leaves enough for
// others.
#pragma once

#include "runtime/examine/standing.hpp"
#include "runtime/game/game.hpp"
#include "runtime/reference/trace.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace boardwright::runtime {

// A position of most games takes a few thousand steps, one of the largest some ten million. All games
// together take no longer than some seconds.
inline constexpr std::uint64_t kMaxSurveySteps = 2'000'000'000;

struct SurveyOptions {
  std::uint64_t seed = 1;
  std::uint64_t plies = 10'000;          // moves that are played, all games together
  int games = 200;                       // at the most
  int max_plies = 2'000;                 // a game that is not over by then is unfinished
  int positions = 1'000;                 // that the walker goes through, at the most
  std::uint64_t walk_steps = 3'000'000;  // that it takes for all of them
  std::uint64_t listed = 500'000;        // moves that are listed, all positions together
  std::uint64_t steps = kMaxSurveySteps; // of the engine (model/limits.hpp)
  // Of games of which only the results are seen; native code takes few steps, and long ones.
  std::uint64_t more_games = 800, more_plies = 40'000, more_moves = 300'000, more_steps = 30'000'000;
  // What the walker goes by, if that is another form of the rules than the engine's. It must outlive the
  // survey.
  const Program* walked = nullptr;
  const std::atomic<bool>* stop = nullptr;
  // What happens in these positions is seen too: those that the tests of the file show.
  std::vector<Position> shown;
};

// With all budgets so many times as large, or so many times smaller. Seed, positions and what a single game
// may take stay as they are.
[[nodiscard]] SurveyOptions scaled(SurveyOptions budgets, std::uint64_t times, std::uint64_t smaller = 1);

// A position of which something is told, and the moves that led to it.
struct Witness {
  Position position;
  std::vector<std::string> line; // from the set-up
};

struct FaultSeen {
  Fault fault;
  Witness where;
};

struct MoveSeen {
  std::string notation;
  Witness where;
};

// Moves of one position that are written differently, begin and end on the same cells and lead to the same
// position.
struct Twins {
  std::uint64_t positions = 0; // whose moves were compared
  std::uint64_t with = 0;      // of these, those with such moves
  std::vector<std::string> notations;
  Witness where; // the first one
};

// How games ended.
struct Results {
  // What ended a game: an origin (a line of `end`, or a deciding action) and how.
  struct End {
    std::uint32_t origin = 0;
    Outcome::By by = Outcome::By::move;
    auto operator<=>(const End&) const = default;
  };
  std::uint64_t games = 0, unfinished = 0, draws = 0;
  std::vector<std::uint64_t> wins; // by player, alone or shared
  std::map<End, std::uint64_t> ends;
};

struct Survey {
  using End = Results::End;
  Results all;                  // with the games of which only the results were seen
  std::uint64_t more_plies = 0; // of these
  std::uint64_t games = 0, unfinished = 0, plies = 0;
  std::uint64_t draws = 0;
  std::vector<std::uint64_t> wins;   // by player, alone or shared
  std::vector<std::uint64_t> moved;  // by player: moves played
  std::map<End, std::uint64_t> ends; // games by what ended them
  // Of these, the ends by a line that would have held a turn before: for the player who lost or won by it,
  // right after his own last move.
  std::map<End, std::uint64_t> late;
  // Ends that another answer to that move would have prevented, once at least.
  std::set<End> undoable;
  // Ends by a line by which whoever made the last move lost, while another player won.
  std::map<End, std::uint64_t> lost_by_mover;
  // Ends by which a game was won though every player had made no more than one move.
  std::map<End, std::uint64_t> at_once;
  Twins twins;
  std::uint64_t circling = 0;        // games in which a position came for the third time
  std::optional<Witness> third;      // the first one that did
  std::vector<Position> some_of_all; // positions from all over the games, not from their beginnings
  std::uint64_t opening_moves = 0;
  std::optional<FaultSeen> fault; // the first one; games end where one is met
  // Moves after which nothing has changed but who is to move: some, written differently.
  std::vector<MoveSeen> unchanging;
  // Moves that put a piece on one of the mover's own, which is gone: some.
  std::vector<MoveSeen> overwriting;
  std::uint64_t unchanged = 0;       // all moves after which nothing had changed
  std::uint64_t most_moves = 0;      // of a position, where there are thousands
  std::optional<Witness> with_most;  // and this is the position
  std::optional<MoveSeen> ambiguous; // a notation that two moves of one position have
  std::vector<Position> alike;       // the positions after these
  std::uint64_t looked_at = 0;       // positions whose moves were listed
  std::uint64_t positions = 0;       // of these, those that the walker went through
  std::uint64_t parts = 0;           // and those that took it too long, so that it broke off
  std::uint64_t left_out = 0;        // and those that it had no steps for
  bool stopped = false;
  bool broken_off = false;    // because the engine took too many steps
  Trace trace;                // what it met there
  Standing standing;          // of the pieces, in the games that were looked at
  std::vector<DeadCell> dead; // cells that pieces never left, and from which no move begins

  // `walked` is what the walker goes by, `played` what the engine does.
  Survey(const Program& walked, const Program& played) : trace(walked), standing(played) {}
};

[[nodiscard]] Survey survey(const std::shared_ptr<const Rules>& rules, const SurveyOptions& options = {});

} // namespace boardwright::runtime
