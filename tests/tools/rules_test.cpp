// `boardwright rules`: what it tells people, and the page.
#include "tests/tools/steps.hpp"

#include <catch2/catch.hpp>

using namespace boardwright::tests;

namespace {

// Men that must take, crowns, a repeated position; texts of which one is for all of a family.
std::string told_game() {
  return scratch().file(
      "told.yaml",
      "game: Told\n"
      "about:\n"
      "  author: Ann Example\n"
      "  year: 2025\n"
      "  aim: Leave the other one without a move.\n"
      "  kinds: { man: one step ahead, lord: one step any way }\n"
      "use: repetition\n"
      "players: { Black: north, White: south }\n"
      "board: { squares: 5 by 5 }\n"
      "pieces: { man: b w, lord: { 1: c C, 2: d D } }\n"
      "setup: { b: rank(1), w: rank(5) }\n"
      "options: { repetition: { default: 3 }, short: { default: false, help: ends early } }\n"
      "turn: |\n"
      "  (from own man, step(ahead, enemy), crown(lord(1))) otherwise\n"
      "  ((from own man, step(ahead, empty), crown(lord(1))) or (from own lord, step(all, empty)))\n"
      "end:\n"
      "  - draw when repeated\n"
      "  - win when short and count(enemy) < 4\n"
      "  - lose when no own or count(own) < 2\n"
      "  - lose when no move\n");
}

} // namespace

TEST_CASE("rules for people: the texts of the file, example moves, the end in words") {
  const Run result = run("rules '" + told_game() + "'");
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  for (const char* part :
       {"Told\n  Ann Example, 2025\n  Black and White; Black begins\n  5 by 5 squares\n",
        "Aim\n  Leave the other one without a move.\n", "man (Black b, White w): one step ahead\n",
        "lord(1) (Black c, White C): one step any way\n", " (takes something)",
        "A move is written like a1-a2.\n", "Whoever can take something must.\n",
        "The game is a draw if a position has come about 3 times.\n",
        "You lose if you have no pieces left or you have fewer than 2 pieces.\n",
        "You lose if you can't move.\n", "short = false, or true: ends early\n"})
    CHECK(has(result.out, part));
  CHECK_FALSE(has(result.out, "You win")); // not with these options
  CHECK(has(run("rules '" + told_game() + "' --set short=true").out,
            "You win if your opponent has fewer than 4 pieces.\n"));
}

TEST_CASE("the same rules are told every time, and as the file writes them") {
  CHECK(run("rules '" + told_game() + "'").out == run("rules '" + told_game() + "'").out);
  const Run source = run("rules --source '" + told_game() + "'");
  CHECK(has(source.out, "turn\n  (from own man, step(ahead, enemy), crown(lord(1))) otherwise\n"));
  CHECK_FALSE(has(source.out, "Aim"));
}

TEST_CASE("the page has a board for each kind that moved") {
  const std::string file = scratch().path("rules.html");
  CHECK(run("rules '" + told_game() + "' --html " + file).status == 0);
  const std::string page = read(file);
  CHECK(has(page, "<h1>Told</h1>"));
  CHECK(has(page, "<h2>Aim</h2>\n<p>Leave the other one without a move.</p>"));
  std::size_t boards = 0;
  for (std::size_t at = 0; (at = page.find("<svg", at)) != std::string::npos; ++at) ++boards;
  CHECK(boards >= 2);
  CHECK(run("rules '" + told_game() + "' --html -").out == page);
  CHECK(run("rules '" + told_game() + "' --html " + scratch().path("none/x.html")).status == 3);
  CHECK(run("rules '" + told_game() + "' --html x --source").status == 2);
  CHECK(run("rules nowhere").status == 3);
}

TEST_CASE("`show` tells how kinds move, and what of the file is for programs") {
  CHECK(has(run("show '" + told_game() + "'").out, "  man: Black b, White w\n    one step ahead\n"));
  CHECK(has(run("show --json '" + told_game() + "'").out, "\"kinds\": {"));
}
