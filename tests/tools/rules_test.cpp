// `boardwright rules`: what it tells people, and the page.
#include "tests/rule_files.hpp"
#include "tests/tools/steps.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

namespace rules_test {

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
        "lord(1) and lord(2) (Black c d, White C D): one step any way\n", " (takes something)",
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

namespace {

// The sentences about the end of a game with this turn, this `end` and more sections.
std::string told_end(const std::string& turn, const std::string& end, const std::string& more = "") {
  const std::string file = scratch().file(
      "ends.yaml", "game: Ends\nplayers: { Black: north, White: south }\nboard: { squares: 5 by 5 }\n"
                   "pieces: { man: b w, king: B W }\nsetup: { b: rank(1), w: rank(5) }\n" +
                       more + "turn: " + turn + "\nend:\n  - " + end + "\n");
  const Run result = run("rules '" + file + "'");
  CHECK(result.err.empty());
  const std::size_t begin = result.out.find("The end\n");
  REQUIRE(begin != std::string::npos);
  std::string text;
  for (const char c : result.out.substr(begin, result.out.find("\n\n", begin) - begin)) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || (!text.empty() && text.back() != ' ')) text += blank ? ' ' : c;
  }
  return text;
}

const std::string kStep = "from own, step(ahead, ~own)";

} // namespace

TEST_CASE("lines of `end` in words, by what they mean", "[tools]") {
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"win when enemy.(no own king)", "You win if your opponent has no king left."},
      {"lose when no own king and count(own man) < 3",
       "You lose if you have no king left and you have fewer than 3 men."},
      {"lose when some c in own where no next(c, orthogonal) & own",
       "You lose if you have a piece without one of your pieces orthogonally beside it."},
      {"win when every own in last_row | c3", "You win if all your pieces are on the last row or c3."},
      {"lose when corners in enemy", "You lose if your opponent's pieces hold all of the corners."},
      {"win when some k in kinds where no enemy.own k",
       "You win if for some kind your opponent has no piece of that kind left."},
      {"win when count(own & last_row) > count(enemy & row(1))",
       "You win if the number of your pieces on the last row is more than the number of your opponent's "
       "pieces on the first row."},
      {"White wins when some own king in last_row", "White wins if White has a king on the last row."},
      {"score -count(own man) when no empty",
       "The game ends if the board is full: whoever has the fewest men wins."},
      {"draw when not (no move or ply < 30)",
       "The game is a draw if you can move and 30 moves have been played."},
  };
  for (const auto& [line, sentence] : lines) {
    INFO(line);
    CHECK(has(told_end(kStep, line), sentence));
  }
}

TEST_CASE("what has no plain words stands under its name or as it is", "[tools]") {
  CHECK(has(told_end(kStep, "win when ahead_of_all",
                     "define: { ahead_of_all: max(y(c) for c in own) > max(y(c) for c in enemy) }\n"),
            "You win if “ahead of all” holds for you."));
  CHECK(has(told_end(kStep, "lose when max(y(c) for c in own) < 3"),
            "By the line `lose when max(y(c) for c in own) < 3`."));
}

TEST_CASE("a name that `terms` tells of stands as it is told there", "[tools]") {
  const std::string names =
      "about:\n  terms:\n    far: one of your men stands far ahead\n    taken: the men that you have taken\n"
      "    slip: slip away\n"
      "state: { taken: { each: 0 } }\n"
      "define: { far: max(y(c) for c in own) > 3, slip: \"from own, step(all, empty)\" }\n";
  CHECK(has(told_end(kStep, "win when far", names), "You win if one of your men stands far ahead."));
  CHECK(has(told_end(kStep, "lose when enemy.far", names),
            "You lose if one of your opponent's men stands far ahead."));
  CHECK(has(told_end(kStep, "White wins when far", names),
            "White wins if one of White's men stands far ahead."));
  CHECK(has(told_end(kStep, "win when not far", names),
            "You win if it is not so that one of your men stands far ahead."));
  CHECK(has(told_end(kStep, "win when taken > 2", names),
            "You win if the men that you have taken is more than 2."));
  CHECK(has(told_end(kStep, "lose when enemy.taken > 2", names),
            "You lose if the men that your opponent has taken is more than 2."));
  CHECK(has(told_end(kStep, "lose when not can slip", names), "You lose if you can't slip away."));
}

TEST_CASE("what another line or another part of it decides isn't told again", "[tools]") {
  const std::string twice =
      told_end(kStep, "score -count(own) when repeats >= 2\n  - draw when repeats >= 2");
  CHECK(has(twice, "whoever has the fewest pieces wins."));
  CHECK_FALSE(has(twice, "draw if a position has come about"));
  const std::string other = told_end(kStep, "White wins when no own\n  - Black wins when no own");
  CHECK(has(other, "White wins if White has no pieces left. Black wins if Black has no pieces left."));
  CHECK(has(told_end(kStep, "win when some own in enemy.row(1) or enemy.row(1) in own"),
            "You win if you have a piece on your opponent's first row."));
  const std::string never =
      told_end("|\n  (" + kStep + ") or (require lifted, " + kStep + ", if no enemy then win)\n",
               "lose when no move", "options: { lifted: { default: false } }\n");
  CHECK_FALSE(has(never, "you win"));
  CHECK(has(told_end("|\n  place(man, empty), if in_row(3) then win\n", "lose when no move"),
            "you win if you have a row of 3 or more pieces."));
}

TEST_CASE("what decides in a turn is told with all that it goes by", "[tools]") {
  const std::string both = told_end(
      "|\n  " + kStep + ",\n  if no enemy king then win else if no own man then lose\n", "lose when no move");
  CHECK(has(both, "A move can end the game: you win if your opponent has no king left."));
  CHECK(has(both, "A move can end the game: otherwise you lose if you have no man left."));
  const std::string judged = told_end("|\n  " + kStep + ", judge(some own king in last_row)\n",
                                      "lose when no move", "define: { judge(good): if good then win }\n");
  CHECK(has(judged, "you win if you have a king on the last row."));
  const std::string one = told_end("|\n  " + kStep + ", judged\n", "lose when no move",
                                   "define:\n  judged:\n    Black: if no enemy king then win\n"
                                   "    White: if no own man then lose\n");
  CHECK(has(one, "as Black you win if your opponent has no king left."));
  CHECK(has(one, "as White you lose if you have no man left."));
  // A name that the turn has bound on its way is of a time that is over.
  const std::string late =
      told_end("|\n  let alone = (count(own) = 1), " + kStep + ", if alone then win\n", "lose when no move");
  CHECK(has(late, "you win by the rule `let alone = (count(own) = 1), if alone`."));
}

TEST_CASE("no condition of a decision in a turn is dropped", "[tools]") {
  const std::string step = "step(ahead, ~own)";
  const auto told = [](const std::string& turn, const std::string& more = "") {
    return told_end("|\n  " + turn + "\n", "lose when no move", more);
  };
  CHECK(has(told("from own, ((at last_row, say \"!\", win) or " + step + ")"),
            "you win if the piece stands on the last row."));
  CHECK(has(told("from own, ((require here in last_row, say \"!\", win) or " + step + ")"),
            "you win if the piece stands on the last row."));
  CHECK(has(
      told("(from own king, step(all, ~own), if here in last_row then win) or (from own man, " + step + ")"),
      "you win if the piece comes to the last row, by the rule `from own king, step(all, ~own)`."));
  CHECK(has(told("(from own, " + step + ") otherwise (say \"!\", lose)"),
            "you lose if `(from own, step(ahead, ~own))` can't be done."));
  CHECK(has(told("from own, lift, (go north, at empty, if some own king then win)*, put"),
            "you win if you have a king on the board, by the rule `go north, at empty`."));
  CHECK(has(told("(choose c in corners, require c in own, win) or (from own, " + step + ")"),
            "you win by the rule `choose c in corners, require c in own`."));
  CHECK(has(told("from own, " + step + ", goal", "define: { goal: { king: win, others: nothing } }\n"),
            "you win if the piece is a king."));
}

TEST_CASE("a definition that decides is told for each place that calls it", "[tools]") {
  const std::string text = told_end("|\n  (from own man, step(ahead, ~own), if here in last_row then done)\n"
                                    "  or (from own king, step(all, ~own), if no enemy king then done)\n",
                                    "lose when no move", "define: { done: win }\n");
  CHECK(has(text,
            "you win if the piece comes to the last row, by the rule `from own man, step(ahead, ~own)`."));
  CHECK(
      has(text, "you win if your opponent has no king left, by the rule `from own king, step(all, ~own)`."));
}

TEST_CASE("what is only asked about, or never comes about, is no end of the game", "[tools]") {
  CHECK_FALSE(
      has(told_end("from own, step(ahead, ~own), if can (go north, win) then say \"!\"", "lose when no move"),
          "A move can end"));
  const std::string both =
      told_end("from own, step(ahead, ~own), if no enemy then (win, lose)", "lose when no move");
  CHECK(has(both, "you win if your opponent has no pieces left."));
  CHECK_FALSE(has(both, "you lose."));
}

TEST_CASE("lines of `end` keep what their conditions are made with", "[tools]") {
  const std::string two =
      told_end(kStep, "lose when not can hop(forward)\n  - win when not can hop(backward)",
               "define: { hop(D): \"from own, step(D, empty)\" }\n");
  CHECK(has(two, "By the line `lose when not can hop(forward)`."));
  CHECK(has(two, "By the line `win when not can hop(backward)`."));
  CHECK(has(told_end(kStep, "win when some line(3, own, orthogonal)"), "are in a row, not diagonally."));
  CHECK_FALSE(has(told_end(kStep, "win when some line(3, own, north)"), "in a row"));
  CHECK(has(told_end(kStep, "win when united(own, diagonal)"), "all your pieces are connected diagonally."));
  CHECK(has(told_end(kStep, "score max(y(c) for c in own) when no empty"),
            "whoever has the highest `max(y(c) for c in own)` wins."));
  CHECK(has(told_end(kStep, "win when no move and count(own) > 3"),
            "Otherwise the game is a draw if there is no move left."));
}

TEST_CASE("rules have an end, also where definitions call one another in more ways than anybody reads",
          "[tools]") {
  std::string define = "define:\n  part0: \"if some own king then win\"\n";
  for (int i = 1; i <= 5; ++i) {
    const std::string before = "part" + std::to_string(i - 1);
    define += "  part" + std::to_string(i) + ": " + before + " or (say \"" + std::to_string(i) + "\", " +
              before + ") or (say \"x\", " + before + ")\n";
  }
  const std::string text = told_end("from own, step(ahead, ~own), part5", "lose when no move", define);
  CHECK(has(text, "you win if you have a king on the board."));
}

TEST_CASE("other ways in which moves are written are shown", "[tools]") {
  if (boardwright::tests::kSanitized) return; // a minute of long turns
  CHECK(has(run("rules scalus").out, "Others are written like "));
}

TEST_CASE("moves since something are counted as people count them") {
  const std::string game = scratch().file(
      "since.yaml", "game: Since\nabout: { terms: { progress: the last step of a man } }\n"
                    "players: [Black, White]\nboard: { squares: 3 by 3 }\npieces: { man: b w, king: B W }\n"
                    "setup: { b: a1, B: b1, w: a3, W: b3 }\nstate: { progress: 0 }\n"
                    "turn: from own, step(all, empty), if here in man then set progress = ply\n"
                    "end:\n  - draw when ply - progress > 5\n  - lose when no move\n");
  // A man steps, then five kings.
  const std::string moves = " --position 'play: a1-a2 b3-b2 b1-c1 b2-b1 c1-c2 b1-c1'";
  CHECK(has(run("rules " + game).out, "if 5 moves have been played since the last step of a man"));
  CHECK(has(run("moves " + game + moves).out, "draw"));
}

TEST_CASE("what isn't so ends a list of alternatives") {
  const std::string game = scratch().file(
      "unless.yaml", "game: Unless\nabout: { terms: { late: it is late } }\nplayers: [Black, White]\n"
                     "board: { squares: 3 by 3 }\npieces: { man: b w }\nstate: { late: false }\n"
                     "turn: place(man, empty), set late = ply > 4\n"
                     "end:\n  - lose when not (late and count(own) > 2)\n  - draw when no empty\n");
  const std::string told = run("rules " + game).out;
  const auto last = told.find("it is not so that it is late");
  REQUIRE(last != std::string::npos);
  CHECK(told.rfind(" or ", last) != std::string::npos);
}

} // namespace rules_test
