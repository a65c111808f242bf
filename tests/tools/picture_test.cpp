// show --svg and --png, through the program.
#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>

namespace picture_test {

using namespace boardwright::tests;

TEST_CASE("show writes a picture into a file, or to standard output") {
  const Run printed = run("show breakthrough --svg -");
  CHECK(printed.status == 0);
  CHECK(printed.out.starts_with("<svg "));
  const std::string path = scratch().path("board.svg");
  const Run written = run("show breakthrough --svg '" + path + "'");
  CHECK(written.status == 0);
  CHECK(written.out.empty());
  CHECK(read(path) == printed.out);
  CHECK(run("show breakthrough --svg /no/such/folder/board.svg").status == 3);
}

TEST_CASE("moves are drawn as arrows: one that is written, or all from a cell") {
  const Run one = run("show breakthrough --svg - --bare --move a2-a3");
  CHECK(one.status == 0);
  CHECK(has(one.out, "<polygon"));
  const Run from = run("show breakthrough --svg - --bare --moves b2");
  CHECK(from.status == 0);
  CHECK(from.out.size() > one.out.size());
  const Run illegal = run("show breakthrough --svg - --move a2-a5");
  CHECK(illegal.status == 1);
  CHECK(has(illegal.err, "a2-a5"));
  CHECK(run("show breakthrough --svg - --moves z9").status == 1);
}

TEST_CASE("the last move is marked where the position has one") {
  const Run played = run("show breakthrough --svg - --position 'play: a2-a3'");
  const Run quiet = run("show breakthrough --svg -");
  CHECK(has(played.out, "#e8b400"));
  CHECK_FALSE(has(quiet.out, "#e8b400"));
}

// Where it isn't: boardwright show eximo --svg tools/drawing/board.svg --moves b2
TEST_CASE("the picture of the front page is what the program draws") {
  CHECK(run("show eximo --svg - --moves b2").out == read(source_root() + "/tools/drawing/board.svg"));
}

TEST_CASE("what belongs to a picture needs one") {
  const Run run_without = run("show breakthrough --move a2-a3");
  CHECK(run_without.status == 2);
  CHECK(has(run_without.err, "--svg"));
  CHECK(run("show breakthrough --svg - --fen").status == 2);
}

TEST_CASE("a PNG is made by rsvg-convert, and without it that is said") {
  const std::string path = scratch().path("board.png");
  const Run missing = shell("PATH=/nowhere '" + program_path() + "' show breakthrough --png '" + path + "'");
  CHECK(missing.status == 3);
  CHECK(has(missing.err, "rsvg-convert"));
  if (shell("command -v rsvg-convert").status != 0) return;
  CHECK(run("show breakthrough --png '" + path + "'").status == 0);
  CHECK(read(path).starts_with("\x89PNG"));
}

TEST_CASE("where no terminal is, boards are ASCII") {
  const Run shown = run("show breakthrough");
  CHECK(has(shown.out, "  1  w w w w w w w w\n"));
  CHECK(run("show breakthrough --ascii").out == shown.out);
}

} // namespace picture_test
