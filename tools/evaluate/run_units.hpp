// Carries units out, in several threads, or takes their results from the files of a folder. Where the command
// has an account they are done until it is spent: the same ones on any number of threads.
#pragma once

#include "tools/evaluate/unit.hpp"

#include <functional>
#include <map>
#include <string>

namespace boardwright::tools {

struct Job {
  const Variant* variant = nullptr;
  Unit unit;
};

// Results that are kept in memory, by the name that the unit's file would have.
using UnitStore = std::map<std::string, UnitResult>;

struct RunChoice {
  int threads = 1;
  std::string folder; // of files with results; "": none are kept
  // Of the units that have no file, only those are carried out whose number has this remainder.
  std::uint64_t shard = 0, shards = 1;
  UnitStore* kept = nullptr; // likewise, without files
  const std::atomic<bool>* stop = nullptr;
  // Told now and then, by one thread at a time.
  std::function<void(std::size_t done, std::size_t all)> progress;
};

struct UnitFault {
  const Variant* variant = nullptr;
  runtime::Fault fault;
};

struct UnitsRun {
  std::vector<std::optional<UnitResult>> results; // by job
  std::size_t found = 0, done = 0;                // in files; carried out
  bool stopped = false;
  // The account of the command (runtime/model/meter.hpp) had nothing left: the results are those of the first
  // units in the order in which all strengths go on together, and of the games of one more.
  bool gave_up = false;
  std::optional<UnitFault> fault;
  std::string unwritten; // why a result couldn't be written: that ended it
};
[[nodiscard]] UnitsRun run_units(const std::vector<Job>& jobs, const RunChoice& choice);

} // namespace boardwright::tools
