// check --coverage: what is counted of each part of the rules, and how that is told.
#include "tools/reports/coverage_report.hpp"

#include "dsl/finder.hpp"
#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <string>

namespace coverage_test {

using namespace boardwright;
using namespace boardwright::tests;
using interpreter::Coverage;
using interpreter::CoveredPart;
using interpreter::PartKind;
using nlohmann::json;

namespace {

// Men step forward or capture diagonally; kings, of which there are none, would slide.
const std::string kGame = R"(game: Walk
players: { White: north, Black: south }
board: { squares: 3 by 4 }
pieces: { man: w b, king: W B }
options: { tired: { default: false, help: a game ends early } }
setup: { w: a1 | b1, b: c4 }
define:
  capture: step(ahead & diagonal, enemy)
  arrive: if here in last_row then win
  slow: step(forward, empty)
turn: |
  (from own man, (slow or capture), arrive)
  or (from own king, slide(all))
end:
  - draw when tired and ply > 2
  - lose when no own
  - lose when no move
)";

Coverage covered(const std::string& game, const std::string& tests,
                 const interpreter::CoverageOptions& options = {}) {
  const auto find = dsl::finder_with("walk", game + tests);
  const auto loaded = interpreter::load("walk", {}, find);
  INFO(loaded.errors());
  REQUIRE(loaded);
  return interpreter::coverage_of(loaded, "walk", {}, find, options);
}

const CoveredPart& part(const Coverage& coverage, PartKind kind, const std::string& text) {
  const auto found = std::find_if(coverage.parts.begin(), coverage.parts.end(),
                                  [&](const CoveredPart& p) { return p.kind == kind && p.text == text; });
  INFO(text);
  REQUIRE(found != coverage.parts.end());
  return *found;
}

const std::string kOpening = "tests:\n  - { name: opening, count: 2 }\n";

} // namespace

TEST_CASE("coverage counts what a test's position meets") {
  const Coverage found = covered(kGame, kOpening, {true, false, 1, nullptr});
  CHECK(found.tests == 1);
  CHECK(found.test_positions == 1);
  CHECK(found.random_positions == 0);
  const auto& slow = part(found, PartKind::alternative, "slow");
  CHECK(slow.tests.met == 3); // of two men, and of the first of them again for `no move`
  CHECK(slow.tests.held == 3);
  const auto& capture = part(found, PartKind::alternative, "capture");
  CHECK(capture.tests.met == 2);
  CHECK(capture.tests.held == 0);
  CHECK(interpreter::what_is_missing(capture.kind, capture.tests) == "gives no move");
  const auto& arrived = part(found, PartKind::condition, "here in last_row");
  CHECK(arrived.tests.met == 3);
  CHECK(arrived.tests.held == 0);
  CHECK(interpreter::what_is_missing(arrived.kind, arrived.tests) == "never holds");
  const auto& kings = part(found, PartKind::alternative, "(from own king, slide(all))");
  CHECK(kings.tests.met == 1);
  CHECK(kings.tests.held == 0);
  const auto& line = part(found, PartKind::end_line, "lose when no own");
  CHECK(line.tests.met == 1);
  CHECK(line.tests.held == 0);
  CHECK(part(found, PartKind::definition, "arrive").tests.met == 3);
  // What follows a condition that is false at once isn't asked at all.
  CHECK(part(found, PartKind::end_line, "draw when tired and ply > 2").tests.met == 1);
}

TEST_CASE("coverage follows moves, what is played before, options and counts") {
  const std::string tests = R"(tests:
  - name: after a move
    position: { to_move: White, cells: { a2: w, b3: b, c3: w } }
    count: 4
    after a2xb3: { to_move: Black }
  - { name: a win, position: { to_move: White, cells: { a3: w, c4: b } }, after a3-a4: { winner: White } }
  - { name: early, set: { tired: true }, position: { play: a1-a2 c4-c3 a2-a3 }, winner: nobody }
)";
  const Coverage found = covered(kGame, tests, {true, false, 1, nullptr});
  CHECK(found.tests == 3);
  CHECK(found.test_positions == 8); // two, two, and four of the game that was played
  CHECK(found.left_out == 0);
  CHECK(part(found, PartKind::alternative, "capture").tests.held == 1);
  const auto& arrived = part(found, PartKind::condition, "here in last_row");
  CHECK(interpreter::is_covered(arrived.kind, arrived.tests));
  CHECK(part(found, PartKind::end_line, "draw when tired and ply > 2").tests.held == 1);
  CHECK(part(found, PartKind::end_line, "lose when no own").tests.held == 1);
  const Coverage deep = covered(kGame, "tests: [{ name: t, perft: [2, 4, 8] }]\n", {true, false, 1, nullptr});
  CHECK(deep.test_positions == 1 + 8 * 2); // eight lines, two moves deep
}

TEST_CASE("coverage of random games is the same for the same seed") {
  const Coverage found = covered(kGame, kOpening), again = covered(kGame, kOpening);
  REQUIRE(found.parts.size() == again.parts.size());
  CHECK(found.games == again.games);
  CHECK(found.games > 20);
  for (std::size_t i = 0; i < found.parts.size(); ++i) {
    CHECK(found.parts[i].random.met == again.parts[i].random.met);
    CHECK(found.parts[i].random.held == again.parts[i].random.held);
  }
  const auto& arrived = part(found, PartKind::condition, "here in last_row");
  CHECK(interpreter::is_covered(arrived.kind, arrived.random));
  CHECK(part(found, PartKind::end_line, "lose when no own").random.games > 0);
  CHECK(part(found, PartKind::alternative, "(from own king, slide(all))").random.held == 0);
  CHECK(covered(kGame, kOpening, {true, true, 2, nullptr}).parts[0].random.met != found.parts[0].random.met);
}

TEST_CASE("coverage is of the file itself, not of what it extends or uses") {
  const dsl::FileFinder find = [](const std::string& reference, const std::string& beside) {
    if (reference == "walk") return std::optional(dsl::FoundFile{"walk", kGame});
    if (reference == "variant")
      return std::optional(dsl::FoundFile{"variant",
                                          "extends: walk\ngame: V\ndefine: { slow: \"if ply > 3 then "
                                          "step(forward, empty) else (step(forward, empty) or "
                                          "step(left, empty))\" }\n"});
    return dsl::standard_finder()(reference, beside);
  };
  const auto loaded = interpreter::load("variant", {}, find);
  INFO(loaded.errors());
  REQUIRE(loaded);
  const Coverage found = interpreter::coverage_of(loaded, "variant", {}, find);
  for (const CoveredPart& p : found.parts) CHECK(p.span.file == loaded.file->file);
  CHECK(part(found, PartKind::condition, "ply > 3").random.held > 0);
  CHECK(part(found, PartKind::alternative, "step(left, empty)").random.held > 0);
}

TEST_CASE("conditions of all sorts are counted") {
  const std::string game = R"(game: Sorts
players: { White: north, Black: south }
board: { squares: 4 by 4 }
pieces: { man: w b }
setup: { w: a1 | b1, b: c4 }
turn: |
  from own, require some x in empty where x in next(here, forward), lift,
  (go forward, at empty)+ until here in rank(3), put,
  set seen = count((x in own where x in rank(2))) + sum(1 for x in own where x in file(1))
state: { seen: 0 }
end:
  - draw when no x in empty where x in rank(4)
  - lose when no move
)";
  const Coverage found = covered(game, "tests: [{ name: opening, count: 2 }]\n", {true, false, 1, nullptr});
  // Of two men, and of the first of them again for `no move`.
  CHECK(part(found, PartKind::condition, "some x in empty where x in next(here, forward)").tests.held == 3);
  CHECK(part(found, PartKind::condition, "x in next(here, forward)").tests.held == 3);
  CHECK(part(found, PartKind::condition, "at empty").tests.met >= 2);
  CHECK(part(found, PartKind::condition, "here in rank(3)").tests.held == 3);
  CHECK(part(found, PartKind::condition, "x in rank(2)").tests.met > 0);
  CHECK(part(found, PartKind::condition, "x in file(1)").tests.met > 0);
  CHECK(part(found, PartKind::condition, "x in rank(4)").tests.held > 0);
}

TEST_CASE("positions of tests are gone through as far as a budget reaches") {
  std::string tests = "tests:\n";
  for (int i = 0; i < 401; ++i) tests += "  - { name: t" + std::to_string(i) + ", count: 2 }\n";
  const Coverage found = covered(kGame, tests, {true, false, 1, nullptr});
  CHECK(found.test_positions == 400);
  CHECK(found.left_out == 1);
  tests.resize(tests.rfind("  - {"));
  const Coverage all = covered(kGame, tests, {true, false, 1, nullptr});
  CHECK(all.test_positions == 400);
  CHECK(all.left_out == 0);
}

TEST_CASE("coverage is stopped") {
  const std::atomic<bool> stop = true;
  CHECK(covered(kGame, kOpening, {true, true, 1, &stop}).stopped);
}

TEST_CASE("check --coverage tells counts below the lines, and what no test reaches") {
  const std::string file = scratch().file("covered.yaml", kGame + kOpening);
  const Run text = run("check --coverage --allow all " + file);
  INFO(text.out + text.err);
  CHECK(text.status == 0);
  CHECK(has(text.out, "coverage: 1 position of 1 test, "));
  CHECK(has(text.out, "   12 |   (from own man, (slow or capture), arrive)\n"));
  CHECK(has(text.out, "what no test reaches:\n"));
  CHECK(has(text.out, file + ":12:27: the alternative `capture` gives no move\n"));
  CHECK(has(text.out, file +
                          ":13:6: the alternative `(from own king, slide(all))` gives no move; nor do random "
                          "games reach it\n"));
  CHECK(run("check --no-games --coverage " + file).out.find("random games 0 of") != std::string::npos);
  CHECK(has(run("check --no-tests --coverage " + file).out, "tests reach 0 of"));
  CHECK_FALSE(has(run("check " + file).out, "coverage"));
}

TEST_CASE("check --coverage as JSON") {
  const std::string file = scratch().file("covered.yaml", kGame + kOpening);
  const json found =
      json::parse(run("check --json --coverage --allow all " + file).out)["files"][0]["coverage"];
  CHECK(found["tests"] == 1);
  const json& parts = found["parts"];
  CHECK(found["not_reached_by_tests"].size() + found["covered_by_tests"].get<std::size_t>() == parts.size());
  for (const json& p : parts) {
    CHECK(p["tests"]["met"].get<int>() >= p["tests"]["held"].get<int>());
    CHECK(p["random"]["met"].get<int>() == p["random"]["held"].get<int>() + p["random"]["failed"].get<int>());
    CHECK(p["line"].get<int>() >= 8);
    CHECK(p.contains("text"));
  }
  CHECK_FALSE(json::parse(run("check --json " + file).out)["files"][0].contains("coverage"));
}

TEST_CASE("check --coverage-html writes one page that needs nothing else") {
  const std::string file = scratch().file("a<b>&\".yaml", kGame + kOpening + "# <script>alert(1)</script>\n");
  const std::string page = scratch().path("coverage.html");
  const Run made = run("check --allow all --coverage-html " + page + " '" + file + "'");
  CHECK(made.status == 0);
  CHECK_FALSE(has(made.out, "coverage"));
  const std::string html = read(page);
  CHECK(html.starts_with("<!DOCTYPE html>"));
  CHECK(has(html, "a&lt;b&gt;&amp;&quot;.yaml"));
  CHECK(has(html, "&lt;script&gt;"));
  CHECK_FALSE(has(html, "<script"));
  CHECK_FALSE(has(html, "src="));
  CHECK_FALSE(has(html, "href="));
  CHECK(has(html, "What no test reaches"));
  for (const char* element : {"span", "tr", "td", "table", "ul", "li", "code", "p", "h2"}) {
    const auto times = [&](const std::string& tag) {
      std::size_t count = 0;
      for (std::size_t at = 0; (at = html.find(tag, at)) != std::string::npos; ++at) ++count;
      return count;
    };
    INFO(element);
    const std::string name = element;
    CHECK(times("<" + name + ">") + times("<" + name + " ") == times("</" + name + ">"));
  }
  // Every line of the file is there as it is, once what marks its parts is taken away.
  std::string bare;
  bool inside = false;
  for (const char c : html) {
    inside = inside || c == '<';
    if (!inside) bare += c;
    inside = inside && c != '>';
  }
  CHECK(has(bare, "(from own man, (slow or capture), arrive)"));
  CHECK(has(bare, "  - draw when tired and ply &gt; 2"));
  CHECK(run("check --coverage-html /nosuchfolder/x.html " + file.substr(0, 0) + "'" + file + "'").status ==
        3);
}

TEST_CASE("coverage has no room in formats for findings") {
  const std::string file = scratch().file("covered.yaml", kGame + kOpening);
  for (const char* format : {"sarif", "junit", "line"})
    CHECK(run("check --coverage --format " + std::string(format) + " " + file).status == 2);
  const std::string page = scratch().path("other.html");
  CHECK(run("check --format sarif --allow all --coverage-html " + page + " " + file).status == 0);
  CHECK(has(read(page), "<!DOCTYPE html>"));
}

} // namespace coverage_test
