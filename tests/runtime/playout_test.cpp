#include "runtime/game/playout.hpp"

#include "tests/runtime/program_builder.hpp"

#include "tests/rule_files.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <memory>

namespace boardwright::runtime::playout_test {

namespace {

// Men step forward or astray over a small board until one is on its last row.
std::shared_ptr<const Rules> race() {
  ProgramBuilder b(4, 5);
  for (const char* cell : {"a1", "b1", "c1", "d1"}) b.stack(cell, "w");
  for (const char* cell : {"a5", "b5", "c5", "d5"}) b.stack(cell, "b");
  for (int p = 0; p < 2; ++p) {
    const int forward = p == 0 ? 1 : -1;
    const NodeId ahead = b.directions({{0, forward}, {1, forward}, {-1, forward}});
    const NodeId goal = b.add(Op::rank_of, Type::cells, {b.number(p == 0 ? 5 : 1)});
    const NodeId there = b.add(Op::within, Type::truth, {b.here(), goal});
    const NodeId win = b.act(Op::if_action, {there, b.act(Op::win, {}, p)});
    const NodeId free = b.add(Op::complement, Type::cells, {b.own(p)});
    b.program.players[static_cast<std::size_t>(p)].turn =
        b.seq({b.from(b.own(p)), b.lift(), b.go(ahead), b.at(free), b.put(), win});
    b.end(p, Verdict::lose, b.add(Op::no_move, Type::truth, {}, p));
  }
  return Rules::make(std::make_shared<const Program>(b.program));
}

PlayoutResult result_of(const std::shared_ptr<const Rules>& rules, const PlayoutOptions& options,
                        const Position* from = nullptr) {
  const auto result = playouts(rules, options, from);
  if (!result) FAIL(result.error().message);
  return *result;
}

// Bytes of address space that this program has taken.
std::uint64_t address_space() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

} // namespace

TEST_CASE("sums do not depend on the number of threads") {
  const auto rules = race();
  PlayoutOptions options;
  options.count = 500;
  options.seed = 7;
  const PlayoutResult one = result_of(rules, options);
  CHECK(one.playouts == 500);
  CHECK(one.wins[0] + one.wins[1] + one.draws + one.unfinished == 500);
  CHECK(one.shortest <= one.longest);
  CHECK(one.moves > one.plies);
  for (const int threads : {2, 3, 8}) {
    options.threads = threads;
    const PlayoutResult more = result_of(rules, options);
    CHECK(more.wins == one.wins);
    CHECK(std::tie(more.playouts, more.draws, more.plies, more.moves, more.shortest, more.longest) ==
          std::tie(one.playouts, one.draws, one.plies, one.moves, one.shortest, one.longest));
  }
  options.seed = 8;
  CHECK(result_of(rules, options).plies != one.plies);
}

TEST_CASE("games are cut off where asked, begin where asked, and stop when asked") {
  const auto rules = race();
  PlayoutOptions options;
  options.count = 20;
  options.max_plies = 2;
  CHECK(result_of(rules, options).unfinished == 20);

  Position won = rules->program().initial;
  won.cells.assign(won.cells.size(), {});
  won.cells[0] = {*rules->program().piece_of('w')};
  won.to_move = 1;
  options.max_plies = 100;
  const PlayoutResult lost = result_of(rules, options, &won);
  CHECK(lost.wins[0] == 20);
  CHECK(lost.longest == 0);

  const std::atomic<bool> stop = true;
  options.stop = &stop;
  const PlayoutResult stopped = result_of(rules, options);
  CHECK(stopped.stopped);
  CHECK(stopped.playouts == 0);
}

TEST_CASE("progress is told, and time is kept to") {
  const auto rules = race();
  PlayoutOptions options;
  options.count = 100;
  std::uint64_t last = 0;
  options.progress = [&](std::uint64_t done) {
    CHECK(done >= last);
    last = done;
  };
  (void)result_of(rules, options);
  CHECK(last == 100);
  options.cpu_seconds = 0.02;
  last = 0;
  const PlayoutResult timed = result_of(rules, options);
  CHECK(timed.playouts > 0);
  CHECK(timed.cpu_seconds >= 0.02);
}

TEST_CASE("a rule that goes wrong in a random game is a fault") {
  ProgramBuilder b(3, 3);
  b.turn(b.go(b.adjacent()));
  const auto result = playouts(Rules::make(std::make_shared<const Program>(b.program)), {});
  CHECK_FALSE(result);
}

TEST_CASE("random numbers are even and repeatable") {
  Random a(1), b(1), c(2);
  CHECK(a.next() == b.next());
  CHECK(a.next() != c.next());
  std::array<int, 7> hits{};
  for (int i = 0; i < 70'000; ++i) ++hits[a.below(7)];
  for (const int n : hits) CHECK(std::abs(n - 10'000) < 500);
  CHECK(a.below(1) == 0);
}

// The stack of a thread takes address space; the system refuses threads when there is no more.
TEST_CASE("fewer threads do where the system gives no more") {
  if (tests::kSanitized) return; // its shadow memory needs all the address space there is
  const auto rules = race();
  PlayoutOptions options;
  options.count = 2'000;
  const PlayoutResult one = result_of(rules, options);
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  rlimit tight = before;
  tight.rlim_cur = address_space() + (64U << 20U);
  REQUIRE(setrlimit(RLIMIT_AS, &tight) == 0);
  options.threads = 100;
  const auto crowded = playouts(rules, options);
  REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
  REQUIRE(crowded);
  CHECK(crowded->plies == one.plies);
  CHECK(crowded->wins == one.wins);
}

} // namespace boardwright::runtime::playout_test
