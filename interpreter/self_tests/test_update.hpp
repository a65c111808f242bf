// What tests that expect nothing could expect: the moves and counts that the rules give in their positions.
#pragma once

#include "dsl/migrate.hpp"
#include "interpreter/load.hpp"

#include <atomic>
#include <string>
#include <vector>

namespace boardwright::interpreter {

// More moves than this are not written one by one: nobody reads them.
inline constexpr std::size_t kMaxWrittenMoves = 40;
// Sequences of moves that are counted for a test: it is to be run at every save.
inline constexpr std::uint64_t kMaxWrittenLeaves = 20'000;
// And no deeper.
inline constexpr int kMaxWrittenDepth = 3;

struct TestUpdate {
  dsl::Name test;
  dsl::Edit edit;      // of the file's text; comments and layout stay
  std::string written; // "moves: a1-a2 b1-b2; perft: [2, 4]"
};

struct TestUpdates {
  std::vector<TestUpdate> updates; // in the order of the file
  dsl::Diagnostics diagnostics;    // why nothing can be written for a test
  bool stopped = false;
};

// `loaded` has rules, and was loaded from `reference` by `find`.
[[nodiscard]] TestUpdates updates_of(const Loaded& loaded, const std::string& reference,
                                     const dsl::FileFinder& find, const std::atomic<bool>* stop = nullptr);

} // namespace boardwright::interpreter
