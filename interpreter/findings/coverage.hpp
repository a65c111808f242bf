// How often the alternatives, conditions, end lines and definitions of a rule file come into play: over its
// tests, and over random games.
//
// Positions are drawn by the engine and gone through by the walker, which sees every node of the rules. It
// goes by a program whose expressions are as they were written: nothing is folded away.
#pragma once

#include "interpreter/load.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace boardwright::interpreter {

enum class PartKind : std::uint8_t {
  alternative, // of `or` and `otherwise` among actions
  condition,   // of `if`, `where`, `require`, `until`, and the set of `at`
  end_line,
  definition, // of the file itself
};

struct PartCount {
  std::uint64_t met = 0; // drafts that came to an alternative or definition; times that a condition was asked
  std::uint64_t held = 0;  // of those: alternatives that gave a move, conditions that held, definitions that
                           // were true, held anything, or went on
  std::uint64_t games = 0; // that an end line ended
};

struct CoveredPart {
  PartKind kind = PartKind::condition;
  dsl::Span span;   // in the file itself
  std::string text; // what stands there, on one line; of a definition its name
  PartCount tests, random;
};

// Is there nothing left for more positions to show? A condition has both held and failed, anything else held.
[[nodiscard]] bool is_covered(PartKind kind, const PartCount& count);
// What is missing, as the end of a sentence: "never holds", "is never tried"; "" where nothing is.
[[nodiscard]] std::string what_is_missing(PartKind kind, const PartCount& count);

struct Coverage {
  std::vector<CoveredPart> parts; // in the order of the file
  std::uint64_t tests = 0, test_positions = 0;
  std::uint64_t games = 0, random_positions = 0;
  std::uint64_t left_out = 0; // positions of tests for which the budget didn't reach
  std::uint64_t seed = 0;
  bool stopped = false;
};

struct CoverageOptions {
  bool tests = true;
  bool games = true;
  std::uint64_t seed = 1;
  const std::atomic<bool>* stop = nullptr;
  std::uint64_t share = 1; // of the budget for random games: it is divided by this where somebody waits
};

// `loaded` has rules.
[[nodiscard]] Coverage coverage_of(const Loaded& loaded, const std::string& reference,
                                   const Settings& settings, const dsl::FileFinder& find,
                                   const CoverageOptions& options = {});

} // namespace boardwright::interpreter
