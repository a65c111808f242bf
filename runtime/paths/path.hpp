// A walk as a value: where one gets from a cell, as a regular expression over steps of the board.
//
// # What it is
// An action that only goes from cell to cell is parsed once into a Path, which has six constructors:
//
//     step          a step in any of some directions
//     test          goes on from a cell of a set, or where a condition holds
//     sequence      its parts one after the other; of none: stays where it is
//     alternatives  any of its parts; of none: leads nowhere
//     star          rounds of its part, from `least` to `most`
//     by_kind       the part for the kind of the piece that stands there, the last for an empty cell
//
// Everything that is asked of a walk is a function over these, and whoever needs something new of walks
// writes one more such function: where it leads from a set of cells (`image`, lowering/walks/walks.cpp), from
// where it leads into one (`preimage`: the image of the walk read backwards), where it may end at most,
// whatever lies on the board (`Facts::possible_ends`), what the change of a cell does to its ends (`MonotonicityFacts`),
// each way through it for all walkers at once (lowering/walks/set_at_a_time.cpp), rows
// (lowering/idioms/rows.cpp). None of them knows how the walk was written.
//
// # Names
// `choose d in D` is alternatives with a name: what comes behind it is its only part, once for each direction
// of D, with the name standing for that. `let v = V` is a sequence with a name: its parts are what comes
// behind. So the part of a walk that a name is known in is what it encloses.
//
// # Values
// Directions, sets and conditions stay nodes of the program: what they are depends on the names and the
// position, and who asks knows these.
#pragma once

#include "runtime/model/program.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace boardwright::runtime {

struct Path {
  enum class Kind : std::uint8_t { step, test, sequence, alternatives, star, by_kind };

  Kind kind = Kind::sequence;
  // Of a step its directions, of a test the set or the condition, of what goes by kind the cells that are
  // asked, of rounds the repetition as it is written, of what has a name the value.
  NodeId of = kNoNode;
  std::int32_t slot = -1; // the name, of alternatives and sequences that have one
  std::vector<Path> parts;

  bool curved = false;    // a step goes round curves, where they lead somewhere
  bool condition = false; // a test is of a condition, not of the cell
  bool backwards = false; // it is read from its end to its beginning (`reversed`)
  // Rounds, if their number is constant; without `most` there may be any number.
  std::optional<std::int32_t> least, most;
  bool endless = false; // rounds go on as long as there are new cells
  bool maximal = false,
       until = false; // they stop only where there is no further one, or where something holds

  [[nodiscard]] bool is(Kind k) const { return kind == k; }
  [[nodiscard]] bool named() const { return slot >= 0; }
  [[nodiscard]] bool is_straight_step() const { return kind == Kind::step && !curved; }
  [[nodiscard]] bool is_never() const { return kind == Kind::alternatives && parts.empty(); }
  // Any number of rounds, or any but none.
  [[nodiscard]] bool is_any_rounds() const {
    return kind == Kind::star && endless && !maximal && !until && least && *least <= 1;
  }
};

// The walk of some actions, one after the other; nothing where they do more than to go from cell to cell.
[[nodiscard]] std::optional<Path> path_of(const Program& rules, std::span<const NodeId> actions);

// The same walk from its end to its beginning: its steps are taken back.
[[nodiscard]] Path reversed(const Path& path);

// The parts of a sequence, or the walk itself.
[[nodiscard]] std::span<const Path> parts_in_a_row(const Path& path);
// The last step, test, star, … of a walk, in whatever names are known.
[[nodiscard]] const Path& last_of(const Path& path);
// Is something true of a walk and of every part of it, however deep?
[[nodiscard]] bool all_of_path(const Path& path, const std::function<bool(const Path&)>& asked);
// Steps along the board and tests of cells: nothing round curves, no conditions, kinds, names for values, nor
// rounds that stop by themselves. The part itself; its own parts aren't asked.
[[nodiscard]] bool is_plain_part(const Path& path);

} // namespace boardwright::runtime
