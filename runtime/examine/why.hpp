// Why a move is legal, or isn't: how far each rule got on the way to it, and what stopped it there.
//
// The walker carries out the turn and an observer notes where drafts end that could have become the move. So
// the answer is the rules' own, down to the words of the file, whatever the rules are.
#pragma once

#include "runtime/model/program.hpp"
#include "runtime/reference/walker.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace boardwright::runtime {

// What is asked about: a move, or all that begins on a cell.
struct Question {
  std::string move;    // notation, as typed; case and blanks don't count
  int from = kNowhere; // the cell that the move begins on, if that is known
  int to = kNowhere;   // and the one it leads to
};

// An action at which drafts ended.
struct Stop {
  NodeId action = kNoNode;
  // Of a condition the innermost part that decided it; of a set that `here` was not in the part that lacks
  // it; else kNoNode.
  NodeId cause = kNoNode;
  std::optional<std::int64_t> left, right; // of a comparison of numbers what they were
  CellSet seen; // what `cause` was, where it is about cells; or the set that `here` was not in
  int from = kNowhere, here = kNowhere;
  std::string written;     // the notation so far
  Stack there;             // what stood on `here`
  bool begins = false;     // `here` is the cell that was asked for, and the action can't choose it
  bool ends_loop = false;  // in a round that needn't be: so a loop ended there
  bool arrived = false;    // `here` is the cell that was asked for
  std::uint64_t times = 1; // drafts that ended so
};

// How a repetition ended on the way to a move.
struct LoopEnd {
  enum class By {
    until,   // its condition held
    times,   // it had gone round as often as it says
    no_more, // it goes on as long as it can, and couldn't
  } by = By::times;
  NodeId loop = kNoNode;
  NodeId cause = kNoNode; // of `until` the innermost part that held
  int here = kNowhere;    // where it ended
  Stack there;            // and what stood there
  std::int64_t times = 0;
  std::vector<int> on;    // where it went on instead, in that order
  std::vector<Stop> last; // what stopped another round
};

// The rule that stands in the way of a move: without it the move would be legal (relaxed.hpp).
struct Decisive {
  enum class By {
    first,     // of `otherwise`: what stands before it can be done
    most,      // another move does more of something
    goes_on,   // of a loop: it must go on
    condition, // `require` or `at`
  } by = By::condition;
  NodeId action = kNoNode;
  Stop stop;                        // of a condition
  std::vector<std::string> instead; // of `first`: moves that come of what stands before
};

struct Why {
  std::vector<std::vector<NodeId>>
      ways; // to the move, if it is legal: the actions that were carried out, outermost first
  std::vector<LoopEnd> loops; // on the first of these ways; not those that `most` and `distinct` go through
  std::vector<Stop> stops;    // those on the cell that was asked for first, then those that got farthest
  // Alternatives that had an outcome, so that those behind them in an `otherwise` were not asked, with some
  // of the moves that come of them.
  std::vector<NodeId> before;
  std::map<NodeId, std::vector<std::string>> of_before;
  std::uint64_t carrying = 0; // drafts on the way that ended with pieces that are carried
  std::optional<Decisive> decisive;
  bool astray = false;     // walkers set out from where the move begins, and none came where it leads
  std::uint64_t steps = 0; // that the walker took
};

// Is a cell one of these, or straight between two of them, one behind the other?
[[nodiscard]] bool is_on_way(const Board& board, const std::vector<int>& cells, int cell);

// Moves of one alternative that are kept.
inline constexpr std::size_t kMaxOfBefore = 4;
// Stops that are kept; the rest would tell nobody anything.
inline constexpr std::size_t kMaxStops = 64;
// Ways to a move that are kept.
inline constexpr std::size_t kMaxWays = 4;
// What stopped one round of a loop, and where it went on before: as much as anyone reads.
inline constexpr std::size_t kMaxLastStops = 2, kMaxWentOn = 16;

// Steps of the walker for one question, unless it is told otherwise: nobody waits much longer than two
// seconds.
inline constexpr std::uint64_t kMaxWhySteps = 5'000'000;

// A fault where a rule goes wrong, or the walker takes more steps than this.
[[nodiscard]] tl::expected<Why, Fault> why(const Program& program, const Position& position,
                                           std::span<const Position> past, const Question& question,
                                           std::uint64_t most_steps = kMaxWhySteps);

} // namespace boardwright::runtime
