// Runs the `tests:` section of a rule file.
#pragma once

#include "dsl/rule_file.hpp"
#include "interpreter/load.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace boardwright::interpreter {

struct TestResult {
  std::string name;
  bool passed = false;
  double seconds = 0;
  dsl::Diagnostics diagnostics; // what it found wrong, and warnings
  std::string details;          // what `describe` said of the positions in which it failed
};

// A position in which a test failed.
struct FailedPosition {
  const Loaded& loaded; // the rules, with the options that the test sets
  const dsl::TestEntry& test;
  runtime::Game& game;
  std::vector<std::string> missing; // moves that should be legal there
  std::vector<std::string> extra;   // and that shouldn't
  int depth = 0;                    // of the count that is another, else 0
};
// Of one test; the others are like these, or come of them.
inline constexpr int kMaxFailedPositions = 2;

struct TestRun {
  std::vector<TestResult> results;
  dsl::Diagnostics
      diagnostics; // each failure of all tests, at the line of the file that expects something else
  bool stopped = false;
};

struct TestRunOptions {
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const TestResult&)> progress;
  std::function<std::string(const FailedPosition&)> describe; // what else to say of a failure
};

// `loaded` must have loaded without errors. Files that `set:` makes it load again are found by `find`; spans
// of the diagnostics are those of `loaded.sources`. Settings of the user's hold where a test sets nothing
// else.
[[nodiscard]] TestRun run_tests(const Loaded& loaded, const std::string& reference, const Settings& settings,
                                const dsl::FileFinder& find, const TestRunOptions& options = {});

} // namespace boardwright::interpreter
