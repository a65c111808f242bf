// What the expressions of a rule file turn out to be when it is loaded: for those who look for mistakes.
//
// A rule is elaborated for each player and a definition at each of its calls, so one expression is elaborated
// many times. A reading sums all of them up; several loads, with other options, may add to the same readings.
#pragma once

#include "dsl/ast.hpp"
#include "runtime/model/value.hpp"

#include <cstdint>
#include <set>
#include <unordered_map>

namespace boardwright::interpreter {

enum class Ty : std::uint8_t; // elaborator.hpp

struct Reading {
  Ty type{};
  bool is_action = false;
  // Of values: each is true if it was so at least once.
  bool varies = false;    // can't be known at load
  bool holds = false;     // is known: true; of sets and lists: has a member
  bool fails = false;     // is known: false; of sets and lists: empty
  bool many = false;      // cells: there may be several
  bool live = false;      // cells that the board decides, such as `own`: there may be none
  bool few = false;       // cells of which there aren't known to be several, or always some
  bool loose = false;     // cells that aren't known to be a single one
  runtime::CellSet cells; // all that are known to be in it, taken together
  runtime::StepSet steps; // likewise
  int ways = 0;           // directions: the most at one time
  std::set<int> kinds;    // likewise
};

// How many cells there may be in a set.
struct Extent {
  bool many = false; // several
  bool live = false; // that depends on the board, and there may be none
  bool one = false;  // a single one: that of the walker, a member
};

using Readings = std::unordered_map<const dsl::Ast*, Reading>;

} // namespace boardwright::interpreter
