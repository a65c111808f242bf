// The small helpers of the command line: columns, quoted text, intervals, why a move is illegal.
#include "interpreter/load.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/game/game.hpp"
#include "tools/console/console.hpp"
#include "tools/console/text_file.hpp"
#include "tools/console/wrapped.hpp"
#include "tools/games/game_choice.hpp"
#include "tools/games/illegal_move.hpp"
#include "tools/games/notation_columns.hpp"
#include "tools/games/wilson.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace text_test {

using namespace boardwright;

TEST_CASE("texts stand in columns that fit") {
  CHECK(tools::in_columns({"a1", "b22", "c3", "d4"}, 8) == "a1   b22\nc3   d4\n");
  CHECK(tools::in_columns({"a1", "b22"}, 1) == "a1\nb22\n");
  CHECK(tools::in_columns({}, 80).empty());
}

TEST_CASE("lines that are too long are broken at blanks, and all others stay") {
  using tools::wrapped_lines;
  CHECK(wrapped_lines("a line\n\n  and  another\n", 30) == "a line\n\n  and  another\n");
  CHECK(wrapped_lines("  one two three four five six", 24) == "  one two three four\n  five six");
  CHECK(wrapped_lines("one two three four five six\nshort\n", 20) == "one two three four\nfive six\nshort\n");
  CHECK(wrapped_lines("", 20).empty());
  CHECK(wrapped_lines("one two three", 5) == "one two three"); // too narrow for anything
}

TEST_CASE("moves are in the order of their numbers") {
  CHECK(tools::in_order({"a10-b2", "a2-b10", "a2-b2", "b1", "a2"}) ==
        std::vector<std::string>{"a2", "a2-b2", "a2-b10", "a10-b2", "b1"});
}

TEST_CASE("control characters of a file do not reach the terminal") {
  CHECK(tools::printable("a\x1b[31mb\x7f\tc\nd") == "a?[31mb? c\nd");
  CHECK(tools::printable("\xc2\x9b"
                         "1m é") == "?1m é");
}

TEST_CASE("a quoted text is no longer than a line, and no character is cut") {
  CHECK(tools::quotable(std::string(79, 'a') + "éé") == std::string(79, 'a') + "…");
  CHECK(tools::quotable("short") == "short");
}

TEST_CASE("thousands are grouped") {
  CHECK(tools::grouped(0) == "0");
  CHECK(tools::grouped(999) == "999");
  CHECK(tools::grouped(1000) == "1,000");
  CHECK(tools::grouped(1234567) == "1,234,567");
}

TEST_CASE("Wilson's interval holds at the ends") {
  // Values of Wilson (1927) as published for 95 %.
  CHECK(tools::wilson(0, 10).low == Approx(0).margin(1e-12));
  CHECK(tools::wilson(0, 10).high == Approx(0.2775).margin(1e-4));
  CHECK(tools::wilson(5, 10).low == Approx(0.2366).margin(1e-4));
  CHECK(tools::wilson(5, 10).high == Approx(0.7634).margin(1e-4));
  CHECK(tools::wilson(10, 10).high == Approx(1));
  CHECK(tools::wilson(0, 0).low == 0);
  CHECK(tools::wilson(0, 0).high == 1);
}

TEST_CASE("a file is read up to a limit") {
  CHECK_FALSE(tools::read_text_file("/dev/zero", 1000).has_value());
  const auto missing = tools::read_text_file("/no/such/file", 1000);
  REQUIRE_FALSE(missing);
  CHECK(missing.error() == "can't read `/no/such/file`: No such file or directory");
  CHECK(tools::read_text_file("/dev/null", 1000).value().empty());
}

namespace {

constexpr const char* kRules = R"(
game: Steps
players: { Black: north, White: south }
board: { squares: 3 by 3 }
pieces: { man: b w }
setup: { b: a1 | b1 | c2, w: c3 | a3 }
turn: from own, step(ahead, empty)
end:
  - lose when
      no move
)";

interpreter::Loaded steps() {
  auto loaded = interpreter::load_text("steps.yaml", kRules);
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded;
}

std::string why(const std::string& typed, bool at_prompt = true) {
  const auto loaded = steps();
  runtime::Game game(loaded.rules);
  const auto legal = game.notations();
  REQUIRE(legal);
  return tools::why_illegal(loaded.rules->program(), game.position(), *legal, typed, at_prompt);
}

} // namespace

TEST_CASE("a player is told why a move is illegal") {
  CHECK(why("b1-") == "b1- can go on: b1-a2, b1-b2");
  CHECK(why("a1").find("a1 can go on: a1-") == 0);
  CHECK(why("A1-c3").find("A1-c3 is not a legal move; from a1: a1-") == 0);
  CHECK(why("c1-c2") == "c1-c2 is not a legal move; c1 is empty");
  CHECK(why("c3-c2") == "c3-c2 is not a legal move; c3 holds one of White's pieces");
  CHECK(why("hello") == "hello is not a legal move; `moves` lists the legal ones, `help` the commands");
  CHECK(why("hello", false) == "hello is not a legal move");
}

TEST_CASE("an outcome is told with the condition as the file writes it") {
  const auto loaded = steps();
  auto read =
      interpreter::read_position(loaded.rules, "position", R"({"to_move": "White", "cells": {"a1": "b"}})");
  REQUIRE(read.game);
  const auto outcome = read.game->outcome();
  REQUIRE(outcome);
  REQUIRE(outcome->has_value());
  CHECK(tools::reason_of(loaded, **outcome) == "no move");
  CHECK(tools::winners_of(loaded.rules->program(), **outcome) == std::vector<std::string>{"Black"});
  CHECK(tools::outcome_text(loaded, **outcome).find("Black wins: no move; see steps.yaml:9:") == 0);
}

TEST_CASE("source text loses the indentation that its lines share") {
  dsl::Sources sources;
  const std::string text = "turn: |\n    from own,\n      step\n    or pass\n";
  const auto file = sources.add("a.yaml", text);
  const auto begin = static_cast<std::uint32_t>(text.find("from"));
  CHECK(tools::source_text(sources, {file, begin, static_cast<std::uint32_t>(text.size())}) ==
        "from own,\n  step\nor pass");
}

} // namespace text_test
