// Which part of a condition it is that never held, for findings that say that the whole never did.
#pragma once

#include "interpreter/findings/surveyed.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace boardwright::interpreter {

class Clauses {
public:
  // What it is given must outlive it.
  Clauses(const runtime::Program& program, const runtime::Trace& trace, const TextPlaces& places);

  // A part of the file itself, and how often it was asked.
  struct Clause {
    dsl::Span span;
    std::uint64_t asked = 0;
    bool is_set = false; // of cells or other members, and there was never one
  };
  // The innermost part that kept a condition from holding wherever it was come to. None where the condition
  // held once, was asked too seldom to tell, or several parts did.
  [[nodiscard]] std::optional<Clause> unheld(runtime::NodeId condition) const;

  // What stands on the way from an action to one within it, and was never passed.
  [[nodiscard]] std::optional<Clause> unpassed(runtime::NodeId action, runtime::NodeId inner) const;

  // Shows the part below the last finding, unless that tells of the very same place.
  static void show(const std::optional<Clause>& clause, dsl::Diagnostics& out);

private:
  using Place = TextPlaces::Place;
  // The same text is met in several nodes: one for each player, one for each call.
  [[nodiscard]] const runtime::NodeCount* count_of(runtime::NodeId id) const;
  [[nodiscard]] bool never_held(runtime::NodeId id) const;
  [[nodiscard]] runtime::NodeId innermost(runtime::NodeId id) const;
  [[nodiscard]] bool way_to(runtime::NodeId inner, std::vector<runtime::NodeId>& way) const;
  [[nodiscard]] std::optional<Clause> stop_of(runtime::NodeId above, runtime::NodeId below) const;

  const runtime::Program& program_;
  const TextPlaces& places_;
  std::map<std::pair<Place, runtime::Op>, runtime::NodeCount> sums_;
};

} // namespace boardwright::interpreter
