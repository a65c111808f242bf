// Where there is no memory every command says so in one line and ends with the same status: whatever it does
// just then, and in whichever thread.
#include "tests/rule_files.hpp"
#include "tests/tools/running.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace hostile_memory_test {

using namespace boardwright::tests;

namespace {

std::string file(const std::string& name) {
  return "'" + source_root() + "/tests/hostile/limits/" + name + ".yaml'";
}

// With so many kilobytes of address space. Who plays asks for the moves: nothing else makes `play` list them.
Run run_within(int kilobytes, const std::string& arguments) {
  return shell(fmt::format("ulimit -v {}; echo moves | '{}' {}", kilobytes, program_path(), arguments));
}

} // namespace

TEST_CASE("out of memory is one line and a status of its own, everywhere") {
  if (boardwright::tests::kSanitized) return; // they need address space without end
  const std::string trail = file("each-three-deep"), keys = file("choose-three-say"),
                    drafts = file("distinct-quietly");
  const std::vector<std::string> commands{
      "moves " + trail,
      "moves " + drafts,
      "perft --depth 1 " + keys,
      "perft --depth 2 " + drafts,
      "playouts --count 40 --max-plies 3 " + drafts,
      "playouts --count 40 --max-plies 3 --threads 4 " + drafts,
      "bench --seconds 0.1 --threads 2 " + drafts,
      "check " + trail,
      "check --jobs 2 " + drafts + " " + trail,
      "match --games 2 --time 50ms " + trail + " mcts random",
      "match --games 4 --jobs 2 --time 50ms " + drafts + " mcts:threads=2 random",
      "analyse --time 0.1 --threads 3 " + trail,
      "analyse --time 0.1 --player alphabeta " + drafts,
      "play " + trail,
      "solve --time 0.1 " + trail,
  };
  for (const std::string& command : commands) {
    int without = 0; // how often there was no memory
    for (const int kilobytes : {40'000, 90'000, 160'000}) {
      INFO(command << " in " << kilobytes);
      const Run run = run_within(kilobytes, command);
      INFO(run.err);
      CHECK(run.status < 126); // neither a signal nor a shell that couldn't
      CHECK_FALSE(has(run.err, "terminate"));
      if (!has(run.err, "out of memory")) continue;
      ++without;
      CHECK(run.err == "error: out of memory\n");
      CHECK(run.status == 3);
    }
    INFO(command);
    CHECK(without > 0);
  }
}

} // namespace hostile_memory_test
