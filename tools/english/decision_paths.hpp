// The ways on which a turn comes to its `win`, `lose` and `draw`, with all that must hold or be done there.
#pragma once

#include "interpreter/load.hpp"
#include "tools/english/speaker.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// What not every move goes through on the way to a decision: a condition, or a part of the move itself.
struct DecisionStep {
  Words words;             // as a player would say it, if that can be said
  std::string source = {}; // as the file writes it: "if bad", "from own king"
  std::string binds = {};  // the name that it gives, which later steps may use
  bool condition = true;
  bool filter = true; // no move without it; false: a move goes on otherwise, and decides nothing
};

// One way from the beginning of a turn to a decision.
struct DecisionPath {
  dsl::Span place; // of the word that decides
  dsl::Form what = dsl::Form::win;
  std::vector<DecisionStep> steps = {};
  std::string player = {}; // who alone comes there: "White"; "": anybody
  bool otherwise = false;  // another decision stands before it, and hasn't been made
};

struct DecisionPaths {
  std::vector<DecisionPath> paths;
  bool all = true; // false: there may be more than these
};

// In the order of the file. What options rule out is left out, as are decisions that are only asked about
// (`can (…, win)`).
[[nodiscard]] DecisionPaths decision_paths(const interpreter::Loaded& loaded, const Sides& sides);

} // namespace boardwright::tools
