// Who plays: whatever is asked for a move, and thinks about it for as long as it may. (runtime::Player is a
// player that the rules name; search::Player one who plays.)
//
//   auto player = search::make_tree_search(rules);
//   search::ThinkLimits limits;
//   limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
//   if (const auto thought = player->think(game, limits); thought && thought->move)
//   game.play(*thought->move);
#pragma once

#include "runtime/game/game.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::runtime::search {

// So long after the time is up the line that is expected may still be written down.
inline constexpr std::chrono::milliseconds kTimeToWrite{2};

// What ends the thinking: the limit that is met first. Without any, a player thinks until it knows the
// result.
struct ThinkLimits {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  // Where a clock runs for the whole game the deadline is a share of it: who gains by it may think until
  // then, and less long than until the deadline elsewhere.
  std::optional<std::chrono::steady_clock::time_point> latest;
  std::optional<std::chrono::nanoseconds>
      cpu_time; // of the thread that asks: for measurements on a busy machine
  std::uint64_t most_nodes = std::numeric_limits<std::uint64_t>::max(); // positions visited
  int most_depth = std::numeric_limits<int>::max(); // of a search that goes ply by ply: where it ends
  const std::atomic<bool>* stop = nullptr;          // set by another thread: the best move so far, at once
  // The moves that may be answered, by their index in the position's list; empty: all. A tree looks at the
  // others as well.
  std::vector<std::uint32_t> only;
  [[nodiscard]] bool allows(std::uint32_t move) const {
    return only.empty() || std::find(only.begin(), only.end(), move) != only.end();
  }
};

// What is certain of a position, for the player to move.
enum class Proof : std::uint8_t { unknown, win, draw, loss };

// A move that was thought about.
struct Candidate {
  Move move;
  double value = 0.5;       // for the player to move: see Thought
  std::uint64_t visits = 0; // 0 for a player that doesn't count them
  Proof proof = Proof::unknown;
};

struct Thought {
  std::optional<Move> move; // nothing: the game is over
  // The result to be expected for the player to move: 1 wins, 0 loses, a draw and an even game are 0.5. With
  // more than two players a draw is shared by all, and a win by those who win together.
  double value = 0.5;
  Proof proof = Proof::unknown;
  int depth = 0;                     // moves looked ahead: complete ones of alpha-beta, the line of a tree
  std::uint64_t nodes = 0;           // positions visited
  std::vector<std::string> line;     // the moves that are expected, in their notation; `move` is the first
  std::vector<Candidate> candidates; // the best first; perhaps only some
  std::string remark;                // one line about why, if there is something to say
};

// Told now and then while thinking, from the thread that called `think`. If it throws, `think` ends, and what
// it threw is thrown on once all threads have ended.
using OnThought = std::function<void(const Thought&)>;

class Player {
public:
  virtual ~Player() = default;

  // A move for the player to move in `game`, which stays as it is; the move is one of its present position.
  // What was learnt of this position in earlier calls is used again. A fault: a rule went wrong.
  [[nodiscard]] virtual tl::expected<Thought, Fault> think(const Game& game, const ThinkLimits& limits,
                                                           const OnThought& on_thought = {}) = 0;

protected:
  Player() = default;
  Player(const Player&) = default;
  Player& operator=(const Player&) = default;
};

} // namespace boardwright::runtime::search
