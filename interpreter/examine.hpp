// What may be wrong with a rule file that loads: lints over its text, and what random games show.
//
// Every finding has the name of a lint (lints/table.hpp) as its code, and the severity that the level of this
// lint asks for. Levels come from three places. The section `check` of the file goes first, then the caller,
// then the lint's own level:
//
//   check:
//     allow:
//       dead-end in castle: no random game castles
//       all-of-them: own is never empty here
//     deny: [unused-name]
//
// `NAME in ENTRY` is about findings in one definition, option, variable, kind, or in `turn`, `end`, `setup`
// and `tests` alone. What is allowed needs a reason.
#pragma once

#include "interpreter/lints/table.hpp"
#include "interpreter/load.hpp"
#include "interpreter/readings.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace boardwright::interpreter {

struct LevelSetting {
  std::string lint; // a name, or `all`, or `warnings`: those that warn by themselves
  LintLevel level = LintLevel::warn;
};

struct ExamineOptions {
  std::vector<LevelSetting> levels; // later ones go before earlier ones
  bool games = true;                // also plays random games
  std::uint64_t seed = 1;
  const std::atomic<bool>* stop = nullptr;
  const Readings* readings = nullptr; // of `loaded` as it is; without them it is read again
};

// Is there such a lint, or a word for several?
[[nodiscard]] bool is_lint_or_group(const std::string& name);

// `loaded` has rules. Adds to its sources, where other options are tried.
[[nodiscard]] dsl::Diagnostics examine(Loaded& loaded, const Settings& settings,
                                       const ExamineOptions& options = {});

} // namespace boardwright::interpreter
