// The walker: carries out a program to the letter. Slow, obvious, and the judge of every faster engine.
//
// It works on plain Positions, copies whatever it changes and compares exactly what the language says is
// compared. No bitboard trick, no hash, no undo: when it and another engine differ, the other engine is
// wrong.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <tl/expected.hpp>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace boardwright::runtime {

class Observer;

// A value of any type; which member counts is known from the node's Type.
struct Value {
  std::int64_t number = 0; // number, truth, kind, player
  CellSet cells;
  StepSet steps;
  CellMap map;
  std::vector<Value> list; // numbers, sets, kinds, players
  friend bool operator==(const Value&, const Value&) = default;
};

struct WalkedMove {
  std::string notation;
  Position after;                 // the next player to move, counters advanced
  std::optional<Outcome> outcome; // decided by the move itself
};

// Steps that the walker takes for one answer, unless it is told otherwise: each takes up to a microsecond,
// and nobody should wait much longer than ten seconds for an answer.
inline constexpr std::uint64_t kMaxWalkSteps = 20'000'000;

class Walker {
public:
  // `observer`, if there is one, is told of all that derive() does and of the end lines that outcome() asks;
  // it must outlive the walker.
  explicit Walker(const Program& program, std::uint64_t max_steps = kMaxWalkSteps,
                  Observer* observer = nullptr)
      : program_(program), max_steps_(max_steps), observer_(observer) {}

  // The legal moves of a position, each once, without asking the end lines. `past`: the earlier positions of
  // the game, oldest first (for repetition).
  [[nodiscard]] tl::expected<std::vector<WalkedMove>, Fault> derive(const Position& position,
                                                                    std::span<const Position> past) const;

  // How the game stands before the player to move moves: the end lines, in order; a game without any line
  // that applies and without a move is drawn. An end line `lose` among three or more players puts the player
  // out and goes on with the next: `position` changes accordingly. `ask_moves` false: leaves the last test
  // out.
  [[nodiscard]] tl::expected<std::optional<Outcome>, Fault>
  outcome(Position& position, std::span<const Position> past, bool ask_moves = true) const;

  // The steps of all answers so far.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  // The value of a node in a position, with no locals and no walker: how the interpreter folds constants.
  [[nodiscard]] tl::expected<Value, Fault> evaluate(NodeId node, const Position& position) const;
  // The same, taking the steps it needs from `steps`; a fault if they don't suffice.
  [[nodiscard]] tl::expected<Value, Fault> evaluate(NodeId node, const Position& position,
                                                    std::uint64_t& steps) const;
  // The values of a node where the walker stands nowhere, and on each cell of the board in turn (of a hole,
  // none and 0); with a name, where that stands for no cell, and for each. A fault if one of them is, or if
  // the steps don't suffice. `by_number` are nodes within it that go by one name alone, which is one of a
  // number, and by which: for each number they are worked out once.
  [[nodiscard]] tl::expected<std::vector<Value>, Fault>
  evaluate_by_cell(NodeId node, std::optional<std::uint32_t> name, const Position& position,
                   std::uint64_t& steps, const std::map<NodeId, std::uint32_t>& by_number = {}) const;

private:
  const Program& program_;
  std::uint64_t max_steps_;
  Observer* observer_;
  mutable std::uint64_t steps_ = 0;
};

} // namespace boardwright::runtime
