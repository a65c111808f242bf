// What turns leave to chance: `roll`, and a turn that rolls as the plies it is played in.
#pragma once

#include "dsl/diagnostic.hpp"
#include "runtime/model/program.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace boardwright::interpreter {

class Builder;

// What the elaborator knows of the `roll` steps it has met.
struct Rolls {
  std::map<std::int32_t, dsl::Span> places;  // by the slot of what is rolled: the step
  std::map<std::int32_t, std::string> names; // by slot, of all local names
  std::set<std::int32_t> further;            // slots of dice that are thrown together with the one before
  std::map<std::int32_t, runtime::NodeId> weights; // by slot, of what is rolled `by` a weight
  int odds = -1;                                   // the variable of weights; -1: all outcomes are alike
  // What writes the signs around that which is secret: each ply has its own.
  runtime::NodeId secret_begins = runtime::kNoNode, secret_ends = runtime::kNoNode;
};

// Turns that roll become plies: nature's and the player's. A ply ends before a roll that a choice has led to,
// and behind what was rolled before the next choice; what follows is a further turn of the same player, which
// begins with what was known. The program gets a variable for each name that is kept, one for how far the
// turn is, and `chance`; lines of `end` are asked at the beginning of a turn alone. Programs without rolls
// stay as they are.
void split_turns(Builder& builder, const Rolls& rolls, dsl::Diagnostics& diagnostics);

} // namespace boardwright::interpreter
