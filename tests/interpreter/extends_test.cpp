// A file that extends another: what is wrong between the two.
#include "dsl/finder.hpp"
#include "interpreter/load.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <string>

namespace extends_test {

using namespace boardwright;

namespace {

// The file `child`, which extends `parent`.
interpreter::Loaded load_child(const std::string& parent, const std::string& child) {
  const auto standard = dsl::standard_finder();
  const dsl::FileFinder find = [&](const std::string& reference,
                                   const std::string& beside) -> std::optional<dsl::FoundFile> {
    if (reference == "parent") return dsl::FoundFile{"parent", parent};
    if (reference == "child") return dsl::FoundFile{"child", "extends: parent\n" + child};
    return standard(reference, beside);
  };
  return interpreter::load("child", {}, find);
}

std::string parent_with(const std::string& sections) {
  return "game: Parent\n"
         "players: { White: north, Black: south }\n"
         "board: { squares: 4 by 4 }\n"
         "pieces: { man: w b }\n"
         "setup: { w: rank(1), b: rank(4) }\n" +
         sections;
}

void check_errors(const std::string& parent, const std::string& child, const std::string& errors) {
  const auto loaded = load_child(parent_with(parent), child);
  CHECK_FALSE(loaded);
  CHECK(loaded.errors() == errors);
}

} // namespace

TEST_CASE("a variable may go with the definition that used it") {
  const auto loaded = load_child(parent_with("state: { quiet: 0 }\n"
                                             "define:\n"
                                             "  after_move: set quiet = quiet + 1\n"
                                             "turn: from own, step(forward, empty), after_move\n"),
                                 "state: { quiet: }\n"
                                 "define: { after_move: pass }\n");
  CHECK(loaded.errors().empty());
  CHECK(loaded);
}

TEST_CASE("a body for a kind that a variant has taken away may speak of it") {
  const auto loaded = load_child(
      parent_with("define:\n"
                  "  next_kind: { man: man, king: tower, tower: king }\n"
                  "turn: from own, step(forward, empty), change here to next_kind\n")
          .replace(parent_with("").find("{ man: w b }"), 12, "{ man: w b, king: W B, tower: t T }"),
      "pieces: { king: , tower: }\n");
  CHECK(loaded.errors().empty());
  CHECK(loaded);
}

TEST_CASE("a definition that is inherited still needs what it used") {
  check_errors("state: { quiet: 0 }\n"
               "define:\n"
               "  after_move: set quiet = quiet + 1\n"
               "turn: from own, step(forward, empty), after_move\n",
               "state: { quiet: }\n"
               "define: { after_move: \"inherited, pass\" }\n",
               "parent:8:19: error: unknown name `quiet` [unknown-name]\n"
               "    8 |   after_move: set quiet = quiet + 1\n"
               "      |                   ^~~~~\n"
               "parent:8:27: error: unknown name `quiet` [unknown-name]\n"
               "    8 |   after_move: set quiet = quiet + 1\n"
               "      |                           ^~~~~\n");
}

TEST_CASE("a clash of names shows the lines of both files") {
  check_errors("turn: from own, let was = here, step(forward, empty)\n", "state: { was: 0 }\n",
               "parent:6:21: error: `was` is already a state variable [name-clash]\n"
               "    6 | turn: from own, let was = here, step(forward, empty)\n"
               "      |                     ^~~\n"
               "      | choose another name\n"
               "child:2:10: note: here\n"
               "    2 | state: { was: 0 }\n"
               "      |          ^~~\n");
  check_errors("define: { spot: rank(2) }\nturn: from own, step(forward, spot)\n", "state: { spot: 0 }\n",
               "parent:6:11: error: `spot` is already a state variable [name-clash]\n"
               "    6 | define: { spot: rank(2) }\n"
               "      |           ^~~~\n"
               "child:2:10: note: here\n"
               "    2 | state: { spot: 0 }\n"
               "      |          ^~~~\n");
  check_errors("turn: from own, step(forward, empty)\n", "pieces: { king: w k }\n",
               "child:2:17: error: the letter `w` already stands for a piece [pieces]\n"
               "    2 | pieces: { king: w k }\n"
               "      |                 ^\n"
               "parent:4:16: note: here\n"
               "    4 | pieces: { man: w b }\n"
               "      |                ^\n");
}

TEST_CASE("a clash with a cell shows the board of the other file") {
  check_errors("state: { e5: 0 }\nturn: from own, step(forward, empty), set e5 = 1\n",
               "board: { squares: 5 by 5 }\nsetup: { b: rank(5) }\n",
               "parent:6:10: error: `e5` is already a cell of the board [name-clash]\n"
               "    6 | state: { e5: 0 }\n"
               "      |          ^~\n"
               "child:2:1: note: of this board\n"
               "    2 | board: { squares: 5 by 5 }\n"
               "      | ^~~~~\n");
}

TEST_CASE("of a file that can't be had only that is told") {
  const auto loaded = load_child("extends: nowhere\nturn: from own, leap(forward)\n", "define: { a: b }\n");
  CHECK_FALSE(loaded);
  CHECK(loaded.errors() == "parent:1:10: error: there is no rule file `nowhere` [not-found]\n"
                           "    1 | extends: nowhere\n"
                           "      |          ^~~~~~~\n"
                           "      | it is looked for beside this file, then among the bundled files\n");
}

} // namespace extends_test
