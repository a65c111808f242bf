// What may be written where: a typed grammar as tables of texts with holes, from which Writer fills rules.
//
// In the text of a form `$` begins what isn't written as it stands:
//
//   $cells        something of that sort, written anew
//   $Kind         a word that the file itself decides: one of its kinds, cells, numbers of a rank, …
//   $d=direction  a name that nothing visible has, for a value of that sort. It is bound, that is, rules may
//                 use it, from the next comma of the form on
//   $d            that name again (labels are single letters)
//   $+d $-d       binds it here, or hides it here
//   $:d=cell      binds it without writing it, where the reader meets it before its `in`
//   $[ … $]       a scope: what is bound within it, or is walked to, is forgotten behind it
//   $~            what the last scope holds once more, with a small change
//   $^            here the walker stands on a cell, whoever asks
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace boardwright::tests {

enum class Sort : std::uint8_t {
  // --- values
  number,
  truth,
  cells,
  cell,
  directions,
  direction,
  kind,
  player,
  numbers, // lists
  sets,
  kinds,
  players,
  map,
  text, // what `say` writes
  // --- actions
  rounds, // of a repetition
  ways,   // directions to go along, tracks among them
  aim,    // cells to go to
  mine,   // cells to begin from
  walk,   // steps of a walker who stands somewhere; a sequence
  carry,  // the same, ending where a piece can be put
  effect, // what a turn does besides; a step
  action, // of a piece, from its cell on; a sequence
  turn,
  ending, // a line of `end`
  // --- stories: what is chosen gets names, which are said, and to which something is done
  few,     // cells to choose from
  doubt,   // a condition on what has a name
  naming,  // a sequence that binds a name, or several
  telling, // a sequence that writes
  deed,    // a sequence that changes something, or walks
  beat,    // one of these, or a choice among several
  beats,   // a sequence of them
  story,
  count
};

// What must be so for a form to make sense: of the file, or of the place where it stands.
enum Needs : std::uint32_t {
  kAnywhere = 0,
  kHere = 1,     // a walker stands somewhere
  kTurn = 2,     // not in a line of `end`
  kEnd = 4,      // in one
  kForward = 8,  // players have directions
  kSquares = 16, // the board
  kHexes = 32,
  kStacks = 64,
  kFlat = 128, // no stacks
  kHands = 256,
  kTwo = 512,      // players
  kMany = 1024,    // three or more
  kNeutral = 2048, // a neutral kind
  kTracks = 4096,
  kCurves = 8192,
  kKinds = 1 << 14,     // two kinds of every player
  kNumberVar = 1 << 15, // a variable of that type
  kTruthVar = 1 << 16,
  kCellsVar = 1 << 17,
  kKindVar = 1 << 18,
  kPlayerVar = 1 << 19,
  kStore = 1 << 20,    // a number of each player's
  kWord = 1 << 21,     // an option with words
  kSteps = 1 << 22,    // actions may stand here, not only walks
  kOpenings = 1 << 23, // a square board with sides for both: `pie_across`
  kTwice = 1 << 24,    // definitions that take an action, and a variable
  kCountUp = 1 << 25,
  kCarried = 1 << 26, // pieces carry values: facing, fresh, arms, was
  kFamily = 1 << 27,  // a family of kinds: token
  kEndless = 1 << 28, // a board without edges
  kEdges = 1 << 29,   // one with edges
  kNamed = 1 << 30,   // a cell, or several, that have a name here
};

struct Form {
  std::string_view text;
  std::uint32_t weight = 1;
  std::uint32_t needs = kAnywhere;
};

[[nodiscard]] std::span<const Form> value_forms(Sort sort);
[[nodiscard]] std::span<const Form> action_forms(Sort sort);
[[nodiscard]] std::span<const Form> rolling_turns(); // whole ones, in which nature moves
[[nodiscard]] std::span<const Form> story_forms(Sort sort);
[[nodiscard]] std::span<const Form> telling_turns(); // whole ones, which are stories

[[nodiscard]] Sort sort_named(std::string_view name); // Sort::count where there is none

// Games of a family: whole sections that say what its vocabulary asks for, `define:` and `turn:` among them.
struct Family {
  std::string_view vocabulary, board, players, pieces, hands, setup, state, define, turn, end;
};
[[nodiscard]] std::span<const Family> families();

} // namespace boardwright::tests
