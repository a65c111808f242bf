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
#include "interpreter/meaning/readings.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
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
  std::uint64_t effort = 1;         // so many times as many of them
  std::uint64_t seed = 1;
  const std::atomic<bool>* stop = nullptr;
  const Readings* readings = nullptr; // of `loaded` as it is; without them it is read again
};

// What random games let see, as far as their budget went.
struct Looked {
  std::uint64_t games = 0;
  std::uint64_t positions = 0; // whose moves the engine listed
  std::uint64_t rules = 0;     // of these, those whose rules the walker went through
  std::uint64_t parts = 0;     // and those whose rules took it too long to go through as a whole
};

struct Examined {
  dsl::Diagnostics findings;
  std::optional<Looked> looked; // nothing where no random games were played
};

// Efforts beyond this take hours.
inline constexpr std::uint64_t kMostEffort = 10'000;

// Is there such a lint, or a word for several?
[[nodiscard]] bool is_lint_or_group(const std::string& name);

// `loaded` has rules. Adds to its sources, where other options are tried.
[[nodiscard]] Examined examine(Loaded& loaded, const Settings& settings, const ExamineOptions& options = {});

} // namespace boardwright::interpreter
