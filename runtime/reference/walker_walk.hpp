// One walk: the carrying out of a turn, or the asking of a question, in one position.
//
// A Walk knows the position, and counts what is done. What each operation means is a function of it: values
// are in walker_values.cpp and walker_lists.cpp, in the order of the table in operation_table.hpp, actions in
// walker_actions.cpp, repetition in walker_loops.cpp. A rule that goes wrong throws a Failure, which the
// Walker catches.
#pragma once

#include "runtime/model/meter.hpp"
#include "runtime/reference/observer.hpp"
#include "runtime/reference/walker_draft.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace boardwright::runtime {

// The walker's own limits, lower than those of limits.hpp because it is slow and its drafts are large.

// Drafts that are kept at one time, and moves of one position: each may be a board of 512 stacks, some 20 KB.
inline constexpr std::size_t kMaxWalkDrafts = 1 << 16;
// Bytes of these drafts, each counted as if it shared nothing with the others.
inline constexpr std::size_t kMaxWalkBytes = std::size_t{256} << 20;
// Nodes within nodes, and actions that wait for the next of a sequence. Each takes a few frames of the C++
// stack, 5 KB with sanitizers, and a stack is 8 MB; games need 40 at the most.
inline constexpr int kMaxWalkDepth = 800;

inline constexpr std::size_t kStepsToFind = 4;

struct Failure {
  Fault fault;
};

// Receives the outcomes of an action, one by one, and answers whether it wants more. Refers to a callable
// that outlives it.
class Sink {
public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, Sink>)
      Sink(F&& f) // NOLINT: a lambda is meant to pass as a Sink
      : target_(const_cast<void*>(static_cast<const void*>(&f))), call_([](void* target, Draft&& d) {
          return static_cast<bool>((*static_cast<std::remove_reference_t<F>*>(target))(std::move(d)));
        }) {}
  bool operator()(Draft&& d) const { return call_(target_, std::move(d)); }

private:
  void* target_;
  bool (*call_)(void*, Draft&&);
};

// Values that go by the number alone for which a name stands: what they were for each is kept.
struct Memory {
  const std::map<NodeId, std::uint32_t>& by_number;
  std::map<std::pair<NodeId, std::int64_t>, Value> known;
};

class Walk {
public:
  Walk(const Program& program, const Position& position, std::span<const Position> past, std::uint64_t limit,
       Observer* observer = nullptr, std::uint64_t* spent = nullptr);
  // The walk's steps are added to those that have been spent.
  ~Walk();
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  // From now on. The memory must outlive the walk.
  void remember(Memory& memory) { memory_ = &memory; }

  // The draft that player `mover` begins his turn with, or, for `moving` false, that end lines are asked of.
  // It refers to the turn, which must outlive it.
  [[nodiscard]] Turn begin_turn(int mover, bool moving) const;
  [[nodiscard]] Draft begin(const Turn& turn) const;

  // The drafts that the turn of a player yields with nothing carried, from a draft that begins the turn.
  bool turn(int player, Draft d, Sink out);

  // Carries out an action; false if `out` wanted no more.
  bool run(NodeId id, Draft d, Sink out);
  [[nodiscard]] bool any_outcome(NodeId id, Draft d);

  [[nodiscard]] Value value(NodeId id, const Draft& d);
  [[nodiscard]] std::int64_t number(NodeId id, const Draft& d) { return value(id, d).number; }
  [[nodiscard]] bool holds(NodeId id, const Draft& d) { return value(id, d).number != 0; }
  [[nodiscard]] CellSet cells(NodeId id, const Draft& d) { return value(id, d).cells; }
  [[nodiscard]] StepSet steps(NodeId id, const Draft& d) { return value(id, d).steps; }
  [[nodiscard]] int kind(NodeId id, const Draft& d) { return static_cast<int>(value(id, d).number); }
  [[nodiscard]] int player(NodeId id, const Draft& d) { return static_cast<int>(value(id, d).number); }
  [[nodiscard]] int first_cell(NodeId id, const Draft& d) { return cells(id, d).first(); }
  [[nodiscard]] int top_kind(NodeId id, const Draft& d);
  // The members of a set (each a set of one) or a list.
  [[nodiscard]] std::vector<Value> members(NodeId id, const Draft& d);

  [[noreturn]] void fail(const Node& n, std::string message) const;
  [[noreturn]] void unknown(const Node& n) const;
  // Counts a draft that is kept among so many others, in order.
  void keep(const Node& n, std::size_t drafts) {
    seek_draft(n);
    check_kept(n, drafts);
  }
  void check_kept(const Node& n, std::size_t drafts) const;

  // The players still in the game after `player` in turn order, from a mask of those who are out.
  [[nodiscard]] std::vector<int> following(int player, std::uint32_t out) const;

  void check_list(const Node& n, std::size_t members) const;
  void need_here(const Node& n, const Draft& d) const;

  void work(const Node& n, std::size_t steps);
  // To copy a board, or to find a draft among others, is more work where the board is large.
  void copy_board(const Node& n) {
    work(n, steps_of_board_);
    charge_copy();
  }
  // The same for the command alone, with whatever is copied beside.
  void charge_copy(std::uint64_t more = 0) const { Meter::charge(copying_ + more); }
  void seek_draft(const Node& n) { work(n, kStepsToFind * steps_of_board_); }

  // While it lasts a `reach` is worked out.
  class Reaching;
  [[nodiscard]] bool is_reaching() const { return reaching_ != 0; }

  [[nodiscard]] const Node& node(NodeId id) const { return program_.nodes[id]; }
  [[nodiscard]] NodeId kid(const Node& n, std::uint32_t i) const { return program_.kid(n, i); }
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] const Board& board() const { return board_; }
  [[nodiscard]] const Position& position() const { return position_; }
  [[nodiscard]] std::span<const Position> past() const { return past_; }

private:
  class Entered; // counts a step and a level of nesting

  // What run() and value() do where nobody looks on, and where somebody does.
  bool carry_out(const Node& n, Draft&& d, Sink out);
  bool carry_out_observed(NodeId id, Draft&& d, Sink out);
  Value worked_out(const Node& n, const Draft& d);
  Value remembered(NodeId id, const Draft& d);

  const Program& program_;
  const Board& board_;
  const Position& position_;
  std::span<const Position> past_;
  const std::uint64_t limit_;
  std::uint64_t steps_ = 0;
  // To copy a board beyond the usual size is more than a step, to find a draft among others several times
  // that.
  std::size_t steps_of_board_ = 0;
  std::uint64_t copying_ = 0; // what a copy of the board counts for the command: each stack has its memory
  std::size_t draft_bytes_ = 0;
  int depth_ = 0;
  Observer* const observer_;
  std::uint64_t* const spent_;
  Memory* memory_ = nullptr;
  std::uint64_t moves_found_ = 0; // counted for the observer alone
  int keeping_ = 0;  // how many actions that keep their outcomes until all are known are being carried out
  int reaching_ = 0; // how many `reach` are being worked out, one in another
};

// A step of the walk while it lasts.
class Walk::Entered {
public:
  Entered(Walk& walk, const Node& n) : walk_(walk) {
    if (++walk_.depth_ > kMaxWalkDepth) walk_.fail(n, "the rule is nested too deeply to be carried out");
    walk_.work(n, 1);
  }
  ~Entered() { --walk_.depth_; }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;

private:
  Walk& walk_;
};

class Walk::Reaching {
public:
  explicit Reaching(Walk& walk) : walk_(walk) { ++walk_.reaching_, ++walk_.keeping_; }
  ~Reaching() { --walk_.reaching_, --walk_.keeping_; }
  Reaching(const Reaching&) = delete;
  Reaching& operator=(const Reaching&) = delete;

private:
  Walk& walk_;
};

} // namespace boardwright::runtime
