// What a generated program may contain: each a switch, drawn by the seed. A feature that is off occurs
// nowhere in the program, so that programs are met that use any part of the language without any other.
#pragma once

#include "runtime/game/playout.hpp"

#include <cstdint>
#include <string>

namespace boardwright::tests {

// clang-format off
// X(name, what it allows)
#define BOARDWRIGHT_FEATURES(X) \
  /* --- the board */ \
  X(hexes, "hexes instead of squares") \
  X(holes, "cells that are missing") \
  X(irregular, "steps that are missing, or lead over holes") \
  X(large_board, "more than 64 cells") \
  X(many_steps, "leaps of all lengths: more than 64 steps") \
  X(tracks, "closed and open tracks") \
  X(curves, "curves, and `bend`") \
  X(endless, "steps that lead round, and pieces that spread too far") \
  X(stacks, "several pieces on a cell") \
  /* --- players and pieces */ \
  X(many_players, "three or four players") \
  X(one_player, "a puzzle") \
  X(kinds, "several kinds, changes of kind, bodies by kind") \
  X(neutral, "neutral pieces, and a kind that nobody owns") \
  X(hands, "pieces beside the board") \
  X(asymmetric, "players with different rules") \
  /* --- state */ \
  X(constant_state, "variables that nothing sets") \
  X(state, "variables that are set") \
  X(large_numbers, "numbers near the bounds of 32 bits") \
  X(counters, "`ply`, `turns`") \
  X(again, "the same player moves again") \
  X(repetition, "`repeats`, `board_repeats`") \
  /* --- actions */ \
  X(rides, "any distance in one direction") \
  X(captures, "pieces that are taken, jumped over or surrounded") \
  X(chains, "captures one after the other") \
  X(drops, "pieces laid on the board") \
  X(second_lift, "a second piece moved in the same turn") \
  X(flights, "moves to a set of cells, and walks given as `reach`") \
  X(otherwise, "`otherwise`, in sequences and in alternatives") \
  X(most, "`most`") \
  X(distinct, "`distinct`") \
  X(quietly, "`quietly`") \
  X(each, "`each`") \
  X(choose, "`choose` from sets and lists") \
  X(choose_some, "`choose n`") \
  X(bounded, "loops with an upper bound") \
  X(unbounded, "loops without one") \
  X(maximal, "loops that go on as long as they can") \
  X(until, "loops with a condition to stop") \
  X(loose_loops, "loops whose directions are chosen inside, that turn and come back") \
  X(formations, "several pieces moved as one") \
  X(ahead, "questions about the cell ahead, and targets given by conditions") \
  X(listed, "sets that `for` makes, coordinates, formations by maps") \
  X(joins, "steps behind branches that join") \
  X(wild_actions, "actions of any sort anywhere") \
  X(by_player, "bodies by player") \
  X(maps, "maps: images, stacks moved by maps") \
  X(decisions, "win, lose, draw inside a turn") \
  X(say, "`say`") \
  X(checks, "conditions after everything else was done") \
  /* --- values */ \
  X(locals, "names: `let`, values bound in values, assignment") \
  X(lists, "lists") \
  X(can, "`can`") \
  X(before, "`before`, `changed`") \
  X(reach, "`reach`: groups, runs, neighbours") \
  X(geometry, "rectangles, files, ranks, coordinates, turned directions") \
  X(rows, "so many pieces in a line") \
  X(groups, "connected groups: sides they join, neighbours they have") \
  X(attacks, "pieces that may not be attacked") \
  X(deep_values, "values of any sort anywhere") \
  /* --- the end */ \
  X(end_scores, "an end line with scores") \
  X(end_shares, "an end line that shares the point") \
  X(end_others, "end lines about pieces, places and counters") \
  X(end_no_move, "an end line about having no move") \
  /* --- */ \
  X(faulty, "what may go wrong in play")
// clang-format on

enum class Feature : std::uint8_t {
#define X(name, what) name,
  BOARDWRIGHT_FEATURES(X)
#undef X
      count
};

class Features {
public:
  // Some features are rare, as they take much time or say little together with others.
  static Features drawn(runtime::Random& random);

  [[nodiscard]] bool has(Feature f) const { return (bits_ >> static_cast<unsigned>(f) & 1) != 0; }
  void set(Feature f, bool on) {
    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(f);
    bits_ = on ? bits_ | bit : bits_ & ~bit;
  }
  [[nodiscard]] std::string names() const;

private:
  std::uint64_t bits_ = 0;
};
static_assert(static_cast<unsigned>(Feature::count) <= 64);

} // namespace boardwright::tests
