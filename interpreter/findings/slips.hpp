// What single changes of a file (changes.hpp) tell of the place that they change: the file with one place
// changed is played beside the file as it is.
#pragma once

#include "interpreter/load.hpp"
#include "runtime/examine/survey.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

namespace boardwright::interpreter {

struct SlipSearch {
  Loaded& loaded; // with rules
  const Settings& settings;
  std::uint64_t seed = 1, effort = 1;
  const std::vector<runtime::Position>& shown;                   // by tests
  std::function<bool(const dsl::Diagnostics& found)> would_tell; // anything of what random games show
  const std::atomic<bool>* stop = nullptr;
};

// Random games have shown something odd. Is there a place by whose change nothing odd is left? It is named in
// the first of these findings: the mistake may be there, and not where it shows. Nothing is added where
// many changes would do, since none of them is the one then.
void tell_cures(const SlipSearch& in, dsl::Diagnostics& found);

// A condition that often failed in the games of a survey, and without which the same games are played, move
// by move.
void report_idle(const SlipSearch& in, const runtime::Survey& survey, dsl::Diagnostics& out);

} // namespace boardwright::interpreter
