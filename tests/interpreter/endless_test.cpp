// Boards without edges: where steps lead, how far pieces may spread, what is the same wherever they are.
#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/reference/walker.hpp"
#include "tests/rule_files.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

namespace endless_test {

using namespace boardwright;

namespace {

std::shared_ptr<const runtime::Rules> rules(const std::string& sections) {
  const auto loaded = interpreter::load_text(
      "endless.yaml", "game: Endless\nplayers: { White: north, Black: south }\n" + sections);
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded.rules;
}

runtime::Game game(const std::shared_ptr<const runtime::Rules>& of, const std::string& position) {
  const auto read = interpreter::read_position(of, "position", position);
  if (!read.game) FAIL(read.errors());
  return *read.game;
}

constexpr const char* kSmall = "board: { squares: endless, reach: 4, margin: 2 }\n"
                               "pieces: { man: w b }\n"
                               "turn: from own, step(all, ~own)\n"
                               "end: [win when count(own) = 3]\n";

// The message of the fault that asking how the game stands and asking for its moves meets, by the engine and
// by the walker; "" for none.
std::string fault_of(const std::shared_ptr<const runtime::Rules>& of, const std::string& position) {
  runtime::Game asked = game(of, position);
  const auto outcome = asked.outcome();
  const auto moves = game(of, position).moves();
  const runtime::Walker walker(of->program());
  runtime::Position walked = asked.position();
  const auto judged = walker.outcome(walked, {}, true);
  const auto derived = walker.derive(asked.position(), {});
  const auto message = [](const auto& result) { return result ? std::string() : result.error().message; };
  CHECK(message(outcome) == message(judged));
  CHECK(message(moves) == message(derived));
  CHECK(message(outcome) == message(moves));
  return message(outcome);
}

} // namespace

TEST_CASE("without edges steps lead round, and every cell has all its neighbours") {
  const auto made = rules(kSmall);
  const runtime::Board& board = made->program().board;
  CHECK(board.cells == 36);
  CHECK(board.reach == 4);
  CHECK(board.name[static_cast<std::size_t>(board.origin)] == "c3");
  CHECK(board.cell_named("origin") == board.origin);
  for (const runtime::Step& step : board.steps) {
    CHECK(step.may_return());
    CHECK(std::count(step.to.begin(), step.to.end(), runtime::kNowhere) == 0);
  }
  CHECK(board.cell_from(board.cell_named("f6"), 1, 1) == board.cell_named("a1"));
  CHECK(board.cell_from(board.cell_named("a1"), -2, 0) == board.cell_named("e1"));
}

TEST_CASE("a board with edges has no origin") {
  const auto made = rules("board: { squares: 3 by 3 }\npieces: { man: w b }\nturn: pass\n");
  CHECK(made->program().board.cell_named("origin") == runtime::kNowhere);
  CHECK_FALSE(made->program().board.endless());
  CHECK(made->program().board.cell_from(0, -1, 0) == runtime::kNowhere);
}

TEST_CASE("`origin` may be the name of something else where there are edges") {
  rules("board: { squares: 3 by 3 }\npieces: { man: w b }\ndefine: { origin: a1 }\nsetup: { w: origin }\n"
        "turn: from origin, step(all, empty)\n");
  const auto clash = interpreter::load_text(
      "endless.yaml", "game: G\nplayers: [A, B]\nboard: { squares: endless }\npieces: { man: w b }\n"
                      "define: { origin: own }\nturn: pass\n");
  CHECK(clash.errors().find("`origin` is already a cell") != std::string::npos);
}

TEST_CASE("what spreads as far as the reach is played, what spreads farther is a fault") {
  const auto made = rules(kSmall);
  CHECK(fault_of(made, R"({"to_move": "White", "cells": {"a1": "w", "d4": "b"}})").empty());
  // Over the seam: from e to b are four files.
  CHECK(fault_of(made, R"({"to_move": "White", "cells": {"e5": "w", "b2": "b"}})").empty());
  const std::string far =
      "the pieces spread over more than 4 files or ranks, which is the `reach` of this board";
  // Farther apart than half of the board: a, c and e are five files, whichever comes first.
  CHECK(fault_of(made, R"({"to_move": "White", "cells": {"a1": "w", "c1": "b", "e1": "b"}})") == far);
  CHECK(fault_of(made, R"({"to_move": "White", "cells": {"a1": "w", "a3": "b", "a5": "b"}})") == far);
}

TEST_CASE("the fault comes before any line of the end is asked") {
  const auto made = rules(kSmall);
  CHECK_FALSE(fault_of(made, R"({"to_move": "White", "cells": {"a1": "w", "c1": "w", "e1": "w"}})").empty());
  runtime::Game fits = game(made, R"({"to_move": "White", "cells": {"a1": "w", "c1": "w", "d1": "w"}})");
  const auto outcome = fits.outcome();
  REQUIRE(outcome);
  CHECK(*outcome);
}

TEST_CASE("a move may lead too far, and the next turn says so") {
  const auto made = rules(kSmall);
  runtime::Game played = game(made, R"({"to_move": "White", "cells": {"b2": "w", "a1": "w", "d1": "b"}})");
  const auto move = played.find("a1-f1");
  REQUIRE((move && *move));
  REQUIRE(played.play(**move));
  CHECK_FALSE(played.outcome());
  REQUIRE(played.undo());
  CHECK(played.outcome());
}

TEST_CASE("spread is that of the smallest rectangle, with edges and without") {
  const std::string more = "pieces: { man: w b }\nsetup: { w: a1, b: e2 }\n"
                           "turn: say (spread(own), spread(occupied), spread(none)), pass\n";
  const auto texts = [](const std::shared_ptr<const runtime::Rules>& of) {
    runtime::Game first(of);
    const auto moves = first.moves();
    REQUIRE(moves);
    const std::string text = *first.notation((*moves)[0]);
    const runtime::Walker walker(of->program());
    const auto walked = walker.derive(first.position(), {});
    REQUIRE(walked);
    CHECK(walked->front().notation == text);
    return text;
  };
  CHECK(texts(rules("board: { squares: 6 by 6 }\n" + more)) == "150pass");
  CHECK(texts(rules("board: { squares: endless, reach: 4, margin: 2 }\n" + more)) == "130pass");
}

TEST_CASE("games are the same wherever they are played") {
  const auto made = rules("board: { hexes: endless, reach: 6, margin: 2, stacks: true }\n"
                          "pieces: { man: w b }\nhands: { man: 3 }\n"
                          "turn: |\n  place(man, if ply = 0 then origin else empty & around(occupied))\n"
                          "  or (from own, lift, require united(occupied, adjacent), go adjacent, put,\n"
                          "      require united(occupied, adjacent))\n");
  const runtime::Board& board = made->program().board;
  const runtime::Position first =
      game(made, R"({"to_move": "White", "cells": {"c3": "wb", "d3": "w", "d2": "b"}})").position();
  std::vector<std::uint64_t> counts;
  for (int dy = 0; dy < board.ranks; ++dy) {
    for (int dx = 0; dx < board.files; ++dx) {
      runtime::Position moved = first;
      for (auto& stack : moved.cells) stack.clear();
      for (int cell = 0; cell < board.cells; ++cell)
        moved.cells[static_cast<std::size_t>(board.cell_from(cell, dx, dy))] =
            first.cells[static_cast<std::size_t>(cell)];
      runtime::Game there(made, moved);
      runtime::PerftOptions options;
      options.depth = 2;
      counts.push_back(tests::required(runtime::perft(there, options), *made).leaves);
    }
  }
  CHECK(counts.front() > 100);
  CHECK(std::count(counts.begin(), counts.end(), counts.front()) == std::ssize(counts));
}

TEST_CASE("pictures lie around the origin") {
  const auto made = rules("board: { squares: endless, reach: 5 }\npieces: { man: w b }\n"
                          "setup: |\n  . . b\n  w . .\nturn: pass\n");
  const runtime::Position& first = made->program().initial;
  const runtime::Board& board = made->program().board;
  REQUIRE(board.name[static_cast<std::size_t>(board.origin)] == "d4");
  CHECK(first.cells[static_cast<std::size_t>(board.cell_named("c4"))].size() == 1);
  CHECK(first.cells[static_cast<std::size_t>(board.cell_named("e5"))].size() == 1);
  const auto drawn = game(made, "w b .\n. . .\n. . w\n").position();
  CHECK(drawn.cells[static_cast<std::size_t>(board.cell_named("c5"))].size() == 1);
  CHECK(drawn.cells[static_cast<std::size_t>(board.cell_named("e3"))].size() == 1);
  const auto large = interpreter::read_position(made, "position", "w . . . . .\n");
  CHECK(large.errors().find("this picture has 6 files or ranks, but the board's `reach` is 5") !=
        std::string::npos);
}

TEST_CASE("there are no FENs without edges") {
  const auto made = rules(kSmall);
  CHECK_FALSE(interpreter::write_fen(made->program(), made->program().initial));
}

TEST_CASE("a stack has room for the pieces that there are") {
  const std::string more = "board: { hexes: endless, stacks: true }\npieces: { man: w b }\n";
  const auto from_hands = rules(more + "hands: { man: 14 }\nturn: place(man, origin)\n");
  CHECK(from_hands->program().board.levels == 28);
  const auto few = rules(more + "hands: { man: 2 }\nturn: place(man, origin)\n");
  CHECK(few->program().board.levels == 24);
  CHECK(few->state_bytes() < 20'000);
  const auto unlimited = rules(more + "turn: place(man, origin)\n");
  CHECK(unlimited->program().board.levels == runtime::kMaxHeight);
  CHECK(unlimited->state_bytes() > 140'000);
  const auto refilled = rules(more + "hands: { man: 2 }\nturn: place(man, origin), set hand(man) = 2\n");
  CHECK(refilled->program().board.levels == runtime::kMaxHeight);
}

TEST_CASE("a stack holds as many pieces as it has room for, and no more") {
  const auto few = rules("board: { squares: 3 by 3, stacks: true }\npieces: { man: w b }\nhands: { man: 2 }\n"
                         "turn: place(man, a1)\n");
  runtime::Position position = few->program().initial;
  position.cells[0].assign(23, {0, 0});
  CHECK(runtime::check_position(few->program(), position).empty());
  runtime::Game full(few, position);
  const auto moves = full.moves();
  REQUIRE(moves);
  REQUIRE(full.play((*moves)[0]));
  const runtime::Walker walker(few->program());
  const auto walked = walker.derive(full.position(), {});
  REQUIRE_FALSE(walked);
  CHECK(walked.error().message == "more than 24 pieces on a1");
  // The engine may notice only when the piece is laid down: no game comes to such a position.
  const auto listed = full.moves();
  const bool is_wrong = !listed || !full.play((*listed)[0]);
  CHECK(is_wrong);
  position.cells[0].assign(25, {0, 0});
  CHECK(runtime::check_position(few->program(), position) == "25 pieces on a1; a stack holds at most 24");
}

} // namespace endless_test
