// A rule file as text, judged: it loads or is refused; what it sets up is there; the engine does what the
// walker does (tests/generated/judge.hpp); moves are found by their notation; what is written of a position
// is read back.
#pragma once

#include "tests/generated/judge.hpp"

#include <cstdint>
#include <string>

namespace boardwright::tests {

struct FileJudgement {
  bool loaded = false;
  std::string refused; // why it doesn't load: all errors, as they are told
  Judgement judged;
  // What isn't so, in one line and with all that is known; "" where nothing is wrong. The kind is that of a
  // Difference, or `read back`, `set up`, `found`.
  std::string kind, detail;
};

struct FileJudgeOptions {
  JudgeOptions engine;
  int games = 2; // random ones, each judged on its own
};

[[nodiscard]] FileJudgement judge_file(const std::string& text, std::uint64_t seed,
                                       const FileJudgeOptions& options = {});

} // namespace boardwright::tests
