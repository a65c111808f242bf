// Uniformly random games.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/model/random.hpp"
#include "runtime/model/shares.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <vector>

namespace boardwright::runtime {

struct PlayoutOptions {
  std::uint64_t count = 1000;
  std::uint64_t seed = 1;
  int threads = 1;      // the sums do not depend on it: playout i has a stream of its own, made of seed and i
  int max_plies = 2000; // a game that is not over by then is unfinished; at most kMaxPly
  double cpu_seconds = 0; // > 0: stop after so much CPU time instead of `count` (one thread only)
  bool native = true;     // by native code where the rules and the processor allow it; the games are the same
  const std::atomic<bool>* stop = nullptr; // seen within a millisecond or so, also in the middle of a turn
  // Called now and then, from the thread that asks. If it throws, the games end, and what it threw is thrown
  // on once all threads have ended.
  std::function<void(std::uint64_t done)> progress;
};

// The random numbers of a game, counted from 0: the same whoever plays it.
[[nodiscard]] Random random_of_game(std::uint64_t seed, std::uint64_t game);

// Games that ended in the same way: by the same line of `end`, or the same `win`, `lose` or `draw` of a turn.
struct Ending {
  Outcome how; // `by` and `origin` count; `winners` are those of one of the games
  std::uint64_t games = 0;
  std::vector<std::uint64_t> wins; // by player, alone or shared
  std::uint64_t draws = 0;
};

struct PlayoutResult {
  std::uint64_t playouts = 0;
  std::vector<std::uint64_t> wins; // by player, alone or shared
  std::uint64_t draws = 0, unfinished = 0;
  std::map<Result, std::uint64_t> shared;  // games whose point was divided: who has the most of it won them
  std::uint64_t plies = 0;                 // moves played, all games together
  std::uint64_t moves = 0;                 // legal moves, summed over all plies
  std::uint32_t shortest = 0, longest = 0; // plies of finished and unfinished games
  std::vector<Ending> endings;             // by place in the rules; finished games are in exactly one
  double cpu_seconds = 0;
  bool native = false; // played by native code
  bool stopped = false;
  // The account of the command (model/meter.hpp) had nothing left: these are the first games, as many as
  // there were steps for, on any number of threads.
  bool gave_up = false;
};

// A random game that couldn't go on.
struct FaultyGame {
  std::uint64_t number = 0; // counted from 1
  std::uint32_t plies = 0;  // that were played before
  Position position;        // whose moves, or outcome, met the fault
  Fault fault;
};

struct PlayoutRun {
  PlayoutResult result; // of the games that were finished
  std::optional<FaultyGame> faulty;
};

// The same as `playouts`, but where a game meets a fault the games that were finished are counted. With one
// thread these are all before it; with several the others stop where they are.
[[nodiscard]] PlayoutRun run_playouts(std::shared_ptr<const Rules> rules, const PlayoutOptions& options,
                                      const Position* from = nullptr);

// Plays games from the position the rules begin with (or `from`), choosing among the legal moves evenly.
[[nodiscard]] tl::expected<PlayoutResult, Fault>
playouts(std::shared_ptr<const Rules> rules, const PlayoutOptions& options, const Position* from = nullptr);

} // namespace boardwright::runtime
