// What operations work on: the registers with the state in them, and whatever else is known while an answer
// is found.
//
// The operations are functions on it, in groups: run.hpp has the loop over them; walks.hpp those that take
// whole sets along steps and lines, changes.hpp those that change pieces, boxes.hpp those on directions,
// lists and maps, drafts.hpp what compares drafts, notation.hpp what writes, moves.hpp what notes the moves
// that are found, turns.hpp the course of a turn, memo.hpp counts moves that needn't be enumerated, stock.hpp
// what an answer may take.
#pragma once

#include "runtime/codegen/native_code.hpp"
#include "runtime/executor/engine.hpp"
#include "runtime/executor/key_set.hpp"
#include "runtime/executor/memory.hpp"
#include "runtime/executor/move_counts.hpp"
#include "runtime/executor/tables.hpp"
#include "runtime/model/limits.hpp"
#include "runtime/model/meter.hpp"

#include <array>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::runtime::executor {

using I = ir::Instruction;

// Looking for the like of a move.
inline constexpr std::uint64_t kComparingWork = codegen::kStepsOfComparing;
// What is copied or compared in one step, at least.
inline constexpr std::uint64_t kBytesPerStep = 16;
// To lay a piece down or take it up, with all that is noted of it.
inline constexpr std::uint64_t kStepsPerPiece = 4;
// To begin a turn of a random game, whatever comes then.
inline constexpr std::uint64_t kStepsOfTurn = codegen::kStepsOfTurn;
// To find any answer at all.
inline constexpr std::uint64_t kStepsOfAnswer = 64;
// To write a move, beside what its rules do.
inline constexpr std::uint64_t kWritingWork = 64;
// What is carried out once isn't counted by loops: what an answer, or a ply of a random game, takes of the
// account beside them.
[[nodiscard]] inline std::uint64_t steps_of_code(const ir::Code& code) {
  constexpr std::uint64_t kInstructionsInAStep = 16; // only some are carried out, each for a part of a step
  return code.instructions.size() / kInstructionsInAStep;
}

// What an answer works with and leaves to none, or finds out anew: a copy of a machine begins without it.
// After a position with many thousands of moves it would be most of what there is to copy.
template <class T>
struct Scratch : T {
  Scratch() = default;
  Scratch(const Scratch&) : T() {}
  Scratch& operator=(const Scratch&) = delete;
};

// Memory for what is begun and ended one within another, kept for whatever begins next. A copy begins with
// none of it, and with nothing begun.
template <class T>
class Nested {
public:
  Nested() = default;
  Nested(const Nested&) {}
  Nested& operator=(const Nested&) = delete;

  // Begins one; what comes out is its number, by which it is found and ended.
  std::size_t begin() {
    if (all_.size() <= begun_) all_.emplace_back();
    all_[begun_].clear();
    return begun_++;
  }
  // Ends one, and whatever was begun within it.
  void end(std::size_t number) { begun_ = number; }
  [[nodiscard]] const std::size_t& begun() const { return begun_; }
  [[nodiscard]] T& operator[](std::size_t number) { return all_[number]; }
  // With the memory that waits for others.
  [[nodiscard]] std::vector<T>& all() { return all_; }

private:
  std::vector<T> all_;
  std::size_t begun_ = 0;
};

// Moves that were found at one time: all cells of a set, or one; or so many that are only counted (kMany).
template <int W>
struct Record {
  std::uint32_t leaf = 0;
  std::uint32_t values = 0; // where its values (or all its choices) begin in those of the list
  std::uint64_t before = 0; // moves found before
  Bits<W> set;
};
inline constexpr std::uint32_t kMany = 0xffffffff;

template <int W>
struct MoveList {
  Buffer<Record<W>> records;
  Buffer<std::int32_t> values;
  [[nodiscard]] std::size_t bytes() const {
    return records.size() * sizeof(Record<W>) + values.size() * sizeof(std::int32_t);
  }
};

// Steps that aren't on the account of the command yet: those of short answers come there several at a time.
struct Account {
  std::uint64_t steps = 0;
  Account() = default;
  Account(const Account&) {} // a copy has done nothing
  Account& operator=(const Account&) = delete;
  ~Account() { settle(kWholePrice); } // few steps aren't worth to find out what they are worth
  // False: the command has nothing left.
  bool settle(std::uint32_t price) {
    Meter::charge(std::exchange(steps, 0) * price / kWholePrice);
    return !Meter::gave_up();
  }
};

// A call: where to go on; or registers that are kept.
struct Frame {
  std::int32_t spill_area = -1;
  std::uint32_t back = 0;
};

// Of `distinct`: what has come about, each with its best notation.
struct Outcomes {
  struct Best {
    std::size_t begin, size; // its notation, of the texts
    bool passed = false;
  };
  MoveCounts places; // by draft: which of the best
  std::vector<Best> best;
  std::string texts;

  void clear() { places.clear(), best.clear(), texts.clear(); }
  [[nodiscard]] std::size_t bytes() const {
    constexpr std::size_t kWhileItGrows = 3; // the old ones and twice as many new ones
    return kWhileItGrows * (places.bytes() + best.size() * sizeof(Best) + texts.size());
  }
  [[nodiscard]] std::string_view text(const Best& b) const {
    return std::string_view(texts).substr(b.begin, b.size);
  }
};

// How many moves come from a place of the code with such numbers in the registers. It holds for good.
struct Memo {
  struct Entry {
    std::uint64_t key = 0, before = 0;
    bool picks = false;
  };
  MoveCounts known;        // by a few numbers
  std::vector<Entry> open; // whose moves are being counted
};

// By memo and slot: the cells and one more, as a number, then the words of the set. A copy begins anew.
struct Memos : Buffer<std::uint64_t> {
  Memos() = default;
  Memos(const Memos& other) : Buffer() { begin_empty(other.size()); }
  Memos& operator=(const Memos&) = delete;
  void begin_empty(std::size_t size) {
    resize(size);
    std::fill(begin(), end(), 0);
  }
};

template <int W>
struct Machine : Memory<W> {
  using Set = Bits<W>;

  explicit Machine(const Tables<W>& all) : tables(all), code(all.code), layout(code.layout) {}

  void fail(const I& i, std::string message) {
    if (!fault) fault = Fault{std::move(message), i.origin};
  }
  // False: it must not go on.
  bool work(std::uint64_t steps, const I& i) {
    left -= static_cast<std::int64_t>(steps);
    return left >= 0 || take_stock(*this, i);
  }
  // The same, where nobody looks until the next round of a loop.
  void charge(std::uint64_t steps) { left -= static_cast<std::int64_t>(steps); }
  // Of this answer, and of all.
  [[nodiscard]] std::uint64_t steps() const { return static_cast<std::uint64_t>(begun - left); }
  [[nodiscard]] std::uint64_t all_steps() const { return earlier_steps + steps() - spent; }

  [[nodiscard]] int to_move() const { return this->numbers[layout.to_move]; }
  [[nodiscard]] int height_of(int cell) const { return this->heights[at(cell)]; }
  [[nodiscard]] int next_cell(int cell, int step) const {
    return tables.to[at(step) * at(layout.cells) + at(cell)];
  }

  const Tables<W>& tables;
  const ir::Code& code;
  const ir::Layout& layout;

  // --- native code
  const codegen::NativeCode* native = nullptr;
  const codegen::NativeCode* native_games = nullptr;
  const codegen::NativeCode* running = nullptr; // either
  bool native_allowed = true;
  std::vector<std::uint64_t>* counts = nullptr; // of instructions; null: they aren't counted
  std::uint8_t *native_heights = nullptr, *native_carried = nullptr; // of the memory
  void* native_stack = nullptr; // where native code leaves it from any depth
  std::uint32_t stock_at = 0;   // the instruction of native code at which stock is taken
  std::exception_ptr escaped;   // there was no memory; thrown again once everything is as before

  // --- calls, and what they keep
  Buffer<Frame> stack;
  Buffer<Set> spilled_sets; // of the stack's spill areas
  Buffer<std::int32_t> spilled_numbers;
  std::vector<Box<W>> spilled_boxes;
  std::size_t spilled_box_count = 0;
  std::size_t spilled_box_bytes = 0; // beside themselves

  // --- the draft that is followed
  Buffer<std::int32_t> choices;
  Buffer<std::uint64_t> path;
  Nested<VisitedDrafts> places; // of visit
  Nested<Outcomes> outcomes;    // of distinct
  Text text;
  int said_from = -1, said_to = -1; // cells that the notation has come by
  Memos memos;
  Box<W> scratch_box;
  std::vector<std::array<int, 3>> arriving; // of move_by
  std::vector<std::uint8_t> arriving_codes;

  // --- the moves that are found
  Purpose purpose = Purpose::list;
  std::uint64_t total = 0;
  MoveList<W>* list = nullptr;
  Scratch<KeyCounts> once;
  bool alike = false;                       // two moves have the same notation
  bool seeking_best = false;                // of the moves that are being found only the best will count
  std::array<std::int32_t, 3> best_found{}; // before them: moves, records, values
  Scratch<Buffer<std::uint64_t>> best_keys; // by which they were compared
  int full_turns = 0;                       // for so many turns results are compared too
  Scratch<Memo> memo;
  bool may_memo = true;     // no stack can become too high
  std::uint64_t target = 0; // of Purpose::find

  // --- the turn
  int mover = 0;
  std::int32_t turn_mark = 0; // of the trail, where a turn begins
  Memory<W> beginning;        // the state at the beginning of the turn
  bool viewing = false;       // it has changed places with the state
  std::uint64_t key_at_beginning = 0, board_at_beginning = 0;
  KeyCounts positions, boards; // of the past
  Buffer<std::uint64_t> line;  // the keys of its positions in order,
  bool keeps_line = false;     // where the code asks when one stood
  std::vector<std::int32_t> shares;

  // --- what the answer may take
  // The steps of an answer are counted down, a stretch at a time; `begun` is what `left` would have been when
  // the answer began, had there been one stretch.
  std::int64_t left = 0, begun = 0;
  std::uint64_t spent = 0, earlier_steps = 0; // before this answer: on its behalf; for others
  std::int64_t counted = 0;                   // what `left` was when steps were last put on the account
  std::size_t far_bytes = 0;                  // of the rows, that have been counted as steps
  bool priced = true;                         // false: the account gets steps as they are counted
  Account account;
  std::optional<Fault> fault;
  const Limits* limits = nullptr; // of the list that is made
  bool stopped = false;           // by them
  bool took_stock = false;        // for this answer
  Patience patience;

  // --- the move that is played
  std::size_t script_next = 0;
  Buffer<std::int32_t> played;
  int open = -1;
  const std::int32_t* given = nullptr; // its values (or choices), for native code

  // --- the random game
  Random* random = nullptr;
  std::uint32_t plies_left = 0;
  std::array<std::uint64_t, codegen::kMostInOrder> before{}; // of native code: see there
  std::uint64_t playout_moves = 0;
  bool running_game = false;
};

} // namespace boardwright::runtime::executor
