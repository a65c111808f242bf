// What rules count to decide a game, as drawings tell it.
#include "interpreter/look/counts.hpp"

#include "interpreter/load.hpp"
#include "interpreter/look/look.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace counts_test {

using namespace boardwright;

namespace {

interpreter::Loaded loaded(const std::string& sections) {
  auto made = interpreter::load_text(
      "counted.yaml", "game: Counted\nplayers: { Black: north, White: south }\nboard: { squares: 4 by 4 }\n"
                      "pieces: { man: b w }\nsetup: { b: a1 | b1, w: d4 }\nturn: place(man, empty)\n" +
                          sections);
  INFO(made.errors());
  REQUIRE(made.rules != nullptr);
  return made;
}

// "name: value of the first player, of the second", a line each.
std::string told(const interpreter::Loaded& made, std::uint64_t steps = interpreter::kMaxCountSteps) {
  const auto& program = made.rules->program();
  std::string text;
  for (const interpreter::Count& count : interpreter::counts_of(made)) {
    text += count.name + ":";
    for (const auto& value : interpreter::values_of(count, program, program.initial, steps))
      text += value ? " " + std::to_string(*value) : " -";
    text += count.shared ? " all\n" : "\n";
  }
  return text;
}

std::string told(const std::string& sections) { return told(loaded(sections)); }

} // namespace

TEST_CASE("a score is counted for each player") {
  CHECK(told("end:\n  - score 10 + count(own) when no empty\n") == "score: 12 11\n");
}

TEST_CASE("numbers that lines of end compare are told by their definition or as they are written") {
  CHECK(told("define: { base: count(own & row(1)) }\n"
             "end:\n  - win when base >= 3 and not count(own) < 2\n  - draw when count(empty) = 0\n") ==
        "base: 2 1\ncount(own): 2 1\ncount(empty): 13 13 all\n");
}

TEST_CASE("what `enemy` counts is told with the other player") {
  CHECK(told("end:\n  - win when count(own) > 9 or count(enemy) < 1\n") == "count(own): 2 1\n");
}

TEST_CASE("what a vocabulary compares within a condition is its own affair") {
  const auto shogi = interpreter::load("shogi");
  REQUIRE(shogi.rules != nullptr);
  CHECK(told(shogi).empty()); // `hounded` is a condition of std's
}

TEST_CASE("what is told anyway, what needs the past and what never applies isn't counted") {
  CHECK(told("state: { passes: 0 }\noptions: { short: { default: false } }\n"
             "end:\n  - draw when passes >= 2\n  - draw when repeats >= 3\n"
             "  - win when short and count(own) = 3\n  - draw when 0 - ply < 0 - 100\n")
            .empty());
}

TEST_CASE("counts have limits") {
  std::string lines = "end:\n";
  for (const char* cells : {"rank(1)", "rank(2)", "rank(3)", "rank(4)"})
    lines.append("  - draw when count(own & ").append(cells).append(") = 4\n");
  CHECK(interpreter::counts_of(loaded(lines)).size() == interpreter::kMaxCounts);
  lines += "  - draw when count(own & file(1)) = 4\n";
  CHECK(interpreter::counts_of(loaded(lines)).size() == interpreter::kMaxCounts);

  const std::string longest = "count(own) + 10 + 10 + 1";
  REQUIRE(longest.size() == interpreter::kMaxCountName);
  CHECK(told("end:\n  - draw when " + longest + " > 90\n") == longest + ": 23 22\n");
  CHECK(told("end:\n  - draw when " + longest + "0 > 90\n").empty());
}

TEST_CASE("what takes more steps than there are isn't told") {
  const auto made = loaded("end:\n  - score count(own) when no empty\n");
  CHECK(told(made, 100) == "score: 2 1\n");
  CHECK(told(made, 1) == "score: - -\n");
}

TEST_CASE("a look knows the counts, and may hide those that are definitions") {
  CHECK(interpreter::look_of(loaded("end:\n  - score count(own) when no empty\n")).counts.size() == 1);
}

} // namespace counts_test
