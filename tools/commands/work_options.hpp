// How work is done that is cut into units.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace boardwright::tools {

// How the work is done, which changes nothing of its answer.
struct WorkOptions {
  int threads = 1;
  std::string folder;                  // of units that are done; "": none are kept
  std::uint64_t shard = 1, shards = 1; // only the first of so many parts is done, the second …
  std::string on;       // "parallel:4", "parallel:HOSTS", "slurm", "slurm:OPTIONS", "list:FILE"
  bool or_here = false; // what those leave undone is done by this process
  double seconds = 0;   // after which it is given up; 0: it takes what it takes
  bool quiet = false;   // for workers: no plan is written, nothing is told
};

// --units, --shard, --on and --quiet. Gives the option that all others ask for.
CLI::Option* add_units(CLI::App& command, WorkOptions& work);
// The same and --threads.
void add_work(CLI::App& command, WorkOptions& work);

} // namespace boardwright::tools
