// Golden files of findings: tests/warnings/*.golden hold a rule file that loads, a line `-----`, and what
// `check` finds in it. One mistake is one finding. The files of tests/warnings/right are odd and right:
// nothing is found in them.
#include "dsl/finder.hpp"
#include "interpreter/examine.hpp"
#include "interpreter/load_with_readings.hpp"
#include "interpreter/notation/position_text.hpp"
#include "tests/paths.hpp"
#include "tests/rule_files.hpp"
#include "tests/text_files.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace warnings_test {

using namespace boardwright;

namespace {

// Without the lines that bundled files have today: they move whenever somebody edits one.
std::string without_bundled_lines(const std::string& printed) {
  static const std::regex kPlace("(<bundled>/[^:]*):[0-9]+:[0-9]+:"), kGutter("^ *[0-9]+ \\|");
  std::istringstream in(printed);
  std::string text;
  bool bundled = false;
  for (std::string line; std::getline(in, line);) {
    const bool heads = line.rfind(' ', 0) != 0; // the others show the text that it is about
    if (heads) bundled = line.rfind("<bundled>/", 0) == 0;
    if (bundled) line = std::regex_replace(std::regex_replace(line, kPlace, "$1:"), kGutter, "      |");
    text += line + "\n";
  }
  return text;
}

// Each is examined by hundreds of random games; under sanitizers one in so many is.
constexpr std::size_t kApart = 15;

} // namespace

TEST_CASE("every mistake that loads is told once, at its line", "[warnings]") {
  std::set<std::string> met;
  for (const auto& path :
       tests::sampled(tests::files_in(tests::source_root() + "/tests/warnings", ".golden"), kApart)) {
    INFO(path.stem().string());
    tests::Golden golden(path);
    REQUIRE(golden.has_ruler());
    auto loaded = interpreter::load_text("game.yaml", golden.input());
    REQUIRE(loaded);
    interpreter::ExamineOptions options;
    options.effort =
        path.stem().string().starts_with("effort-") ? 2 : 1; // what is told when more is asked for
    const auto found = interpreter::examine(loaded, {}, options).findings;
    CHECK(found.all().size() == 1);
    for (const auto& diagnostic : found.all()) {
      met.emplace(diagnostic.code.name());
      // What is told can be seen: the position is one.
      if (!diagnostic.position.empty())
        CHECK(interpreter::read_position(loaded.rules, "position", diagnostic.position).errors() == "");
      CHECK((!diagnostic.help.empty() || diagnostic.severity == dsl::Severity::note));
    }
    const std::string printed = without_bundled_lines(dsl::render(found, loaded.sources, false));
    golden.rebase(printed);
    CHECK(printed == golden.expected());
  }
  for (const auto& lint : interpreter::kLints) {
    if (tests::kSanitized) break; // not all were looked at
    INFO(lint.name);
    CHECK(met.contains(std::string(lint.name)));
  }
}

TEST_CASE("a condition on which nothing depends is told only where more is asked for", "[warnings]") {
  tests::Golden golden(tests::source_root() + "/tests/warnings/effort-a-condition-for-nothing.golden");
  auto loaded = interpreter::load_text("game.yaml", golden.input());
  REQUIRE(loaded);
  CHECK(dsl::render(interpreter::examine(loaded, {}).findings, loaded.sources, false) == "");
}

TEST_CASE("what is odd and right is not told", "[warnings]") {
  const auto files = tests::files_in(tests::source_root() + "/tests/warnings/right", ".yaml");
  REQUIRE(files.size() > 10);
  for (const auto& path : tests::sampled(files, kApart)) {
    INFO(path.stem().string());
    auto loaded = interpreter::load_text("game.yaml", tests::read_file(path));
    CHECK(loaded.errors() == "");
    REQUIRE(loaded);
    CHECK(dsl::render(interpreter::examine(loaded, {}).findings, loaded.sources, false) == "");
  }
}

TEST_CASE("the text of no bundled file has a finding", "[warnings]") {
  int files = 0, allowed = 0;
  for (const std::string& name : tests::bundled_games()) {
    INFO(name);
    ++files;
    auto loaded = interpreter::load(name);
    REQUIRE(loaded);
    for (const auto& [level, entries] : loaded.file->check) allowed += level.text == "allow" ? 1 : 0;
    interpreter::ExamineOptions options;
    options.games = false;
    const auto found = interpreter::examine(loaded, {}, options).findings;
    CHECK(dsl::render(found, loaded.sources, false) == "");
  }
  CHECK(files > (tests::kSanitized ? 10 : 150));
  CHECK(allowed <= 19);
}

// All of them take a minute; `boardwright check game-defs/*/*.yaml` is for that.
TEST_CASE("random games of some bundled files show nothing", "[warnings]") {
  const std::vector<const char*> games{"blocking/clobber",   "capture/surakarta", "connection/hex",
                                       "draughts/konane",    "hunt/foxandgeese",  "puzzles/klotski",
                                       "races/breakthrough", "rows/connectfour",  "rows/pentago",
                                       "sowing/kalah",       "tafl/tablut",       "territory/reversi"};
  for (const char* const game : tests::sampled(games, 4)) {
    INFO(game);
    auto loaded = interpreter::load(tests::source_root() + "/game-defs/" + game + ".yaml");
    REQUIRE(loaded);
    CHECK(dsl::render(interpreter::examine(loaded, {}).findings, loaded.sources, false) == "");
  }
}

TEST_CASE("what a test of the file shows is no finding of random games", "[warnings]") {
  const std::string rules =
      "game: Test\nplayers: { White: north, Black: south }\nboard: { squares: 5 by 5 }\n"
      "pieces: { man: w b, king: W B }\n"
      "setup: { w: rank(1) - c1, W: c1, b: rank(5) - c5, B: c5 }\n"
      "turn: from own, step(all, ~own)\n"
      "end: [draw when count(own & last_row) = 5, lose when no own king]\n";
  const auto codes = [&](const std::string& more) {
    auto loaded = interpreter::load_text("game.yaml", rules + more);
    REQUIRE(loaded);
    std::string all;
    const auto found = interpreter::examine(loaded, {}).findings;
    for (const auto& d : found.all()) all += std::string(d.code.name()) + " ";
    return all;
  };
  // The numbers were far from it: that says more than that it never held.
  CHECK(codes("") == "never-so-many ");
  CHECK(codes("tests: [{ name: many, position: { fen: wwwww/wwwww/wwwww/wwwww/wwwww w }, "
              "winner: nobody }]\n") == "missing-about "); // it has tests, and no texts for people
}

namespace {

// How often a finding is told in the text of a file.
std::size_t times_told(const std::string& rules, std::string_view finding) {
  auto loaded = interpreter::load_text("game.yaml", rules);
  REQUIRE(loaded);
  interpreter::ExamineOptions options;
  options.games = false;
  const auto found = interpreter::examine(loaded, {}, options).findings;
  return static_cast<std::size_t>(std::count_if(found.all().begin(), found.all().end(),
                                                [&](const auto& d) { return d.code.name() == finding; }));
}

const std::string kBoard =
    "game: Test\nplayers: { White: north, Black: south }\nboard: { squares: 9 by 9 }\n"
    "pieces: { man: w b }\nsetup: { w: rank(1), b: rank(9) }\nend: [lose when no move]\n";

} // namespace

TEST_CASE("what a step has settled is known behind seven others, and not behind eight", "[warnings]") {
  const auto with_others = [](int others) {
    std::string turn = "turn: from own, ";
    for (int i = 1; i <= others; ++i) turn += "at file(1) | rank(" + std::to_string(i) + "), ";
    return kBoard + turn + "require here in own, step(forward, empty)\n";
  };
  CHECK(times_told(with_others(7), "constant-condition") == 1);
  CHECK(times_told(with_others(8), "constant-condition") == 0);
}

TEST_CASE("sets within one another are gone into twelve deep, and no deeper", "[warnings]") {
  // own is a part of a union that it stands in, behind as many others as this.
  const auto with_others = [](int others) {
    std::string set = "own";
    for (int i = 0; i < others; ++i) set = "(" + set + " | rank(" + std::to_string(1 + i % 9) + "))";
    return kBoard + "turn: from own, require here in " + set + ", step(forward, empty)\n";
  };
  CHECK(times_told(with_others(12), "constant-condition") == 1);
  CHECK(times_told(with_others(13), "constant-condition") == 0);
}

TEST_CASE("two hundred tests are looked at for moves that nobody could make", "[warnings]") {
  const auto with_others = [](int others) {
    std::string tests = "tests:\n";
    for (int i = 0; i < others; ++i)
      tests += "  - { name: t" + std::to_string(i) + ", moves exclude: a1-a3 }\n";
    return kBoard + "turn: from own, step(forward, empty)\n" + tests +
           "  - { name: t, moves exclude: a4-a3 }\n";
  };
  CHECK(times_told(with_others(200), "empty-test") == 1);
  CHECK(times_told(with_others(201), "empty-test") == 0);
}

TEST_CASE("set-ups of five pieces are compared, and a quarter of them may be odd", "[warnings]") {
  const auto told = [](const std::string& first, const std::string& second) {
    return times_told("game: Test\nplayers: { White: north, Black: south }\nboard: { squares: 8 by 5 }\n"
                      "pieces: { man: w b }\nsetup: { w: " +
                          first + ", b: " + second +
                          " }\nturn: from own, step(all, ~own)\nend: [lose when no move]\n",
                      "setup-not-mirrored");
  };
  CHECK(told("a1 | c1 | e1", "a5 | c5") == 1);
  CHECK(told("a1 | c1", "c5") == 0);
  CHECK(told("a1 .. e1", "a5 .. c5") == 1);                               // two of eight
  CHECK(told("a1 .. e1", "a5 | c5") == 0);                                // three of seven
  CHECK(told("rank(1 .. 2)", "rank(4) - (a4 | b4 | h4) | rank(5)") == 1); // three of twenty-nine
  CHECK(told("rank(1)", "rank(5) - (a5 | b5 | h5)") == 0);                // three of thirteen
}

TEST_CASE("eight other sizes of the board are tried, and no more", "[warnings]") {
  // Of options that have one other value each, only the last of so many fails.
  const auto fails = [&](int options) {
    std::string sizes = "8", list;
    for (int i = 1; i <= options; ++i) {
      const std::string name = "n" + std::to_string(i);
      sizes += " - " + name;
      list += "  " + name + ": { default: 0, range: 0.." + (i == options ? "7" : "1") + " }\n";
    }
    return times_told("game: Test\nplayers: { White: north, Black: south }\nboard: { squares: " + sizes +
                          " by 5 }\noptions:\n" + list +
                          "pieces: { man: w b }\nsetup: { w: b1, b: b5 }\n"
                          "turn: from own, step(all, ~own)\nend: [lose when no move]\n",
                      "option-fails");
  };
  CHECK(fails(8) == 1);
  CHECK(fails(9) == 0);
}

TEST_CASE("sets made of sets are followed as far as there is time", "[warnings]") {
  // Each name stands for twice what the one before does.
  const auto with_names = [](int names) {
    std::string lets = "let s0 = own";
    for (int i = 1; i <= names; ++i) {
      const std::string last = "s" + std::to_string(i - 1);
      lets += ", let s" + std::to_string(i) + " = " + last + " | " + last;
    }
    return kBoard + "turn: from own, " + lets + ", capture(all, s" + std::to_string(names) + ")\n";
  };
  CHECK(times_told(with_names(4), "takes-own") == 1);
  CHECK(times_told(with_names(40), "takes-own") == 0);
}

TEST_CASE("readings that the load has noted find the same", "[warnings]") {
  for (const char* name : {"odd-board-no-middle", "own-after-from-own", "never-holds"}) {
    INFO(name);
    tests::Golden golden(tests::source_root() + "/tests/warnings/" + name + ".golden");
    auto plain = interpreter::load_text("game.yaml", golden.input());
    REQUIRE(plain);
    interpreter::Loaded loaded;
    interpreter::Readings readings;
    interpreter::load_with_readings(loaded, readings, "game.yaml", {},
                                    dsl::finder_with("game.yaml", golden.input()));
    REQUIRE(loaded);
    CHECK_FALSE(readings.empty());
    interpreter::ExamineOptions options;
    options.readings = &readings;
    CHECK(dsl::render(interpreter::examine(loaded, {}, options).findings, loaded.sources, false) ==
          dsl::render(interpreter::examine(plain, {}).findings, plain.sources, false));
  }
}

TEST_CASE("texts for people are asked for when nothing else is amiss, or where their lack is an error",
          "[warnings]") {
  const auto told = [](const std::string& more, std::vector<interpreter::LevelSetting> levels = {}) {
    auto loaded =
        interpreter::load_text("game.yaml", kBoard + "turn: from own, step(forward, empty)\n" + more);
    REQUIRE(loaded);
    interpreter::ExamineOptions options;
    options.games = false;
    options.levels = std::move(levels);
    const auto found = interpreter::examine(loaded, {}, options).findings;
    std::string all;
    for (const auto& d : found.all())
      all += std::string(name_of(d.severity)) + " " + std::string(d.code.name()) + "\n";
    return all;
  };
  const std::string tests = "tests: [{ name: opening, count: 9 }]\n", other = "define: { unused: a1 }\n";
  CHECK(told("") == ""); // rules that are still being written
  CHECK(told(tests) == "note missing-about\n");
  CHECK(told(tests + other) == "warning unused-definition\n");
  CHECK(told(tests + other, {{"missing-about", interpreter::LintLevel::deny}}) ==
        "warning unused-definition\nerror missing-about\n");
  CHECK(told(tests + "check: { allow: { missing-about: a sketch } }\n") == "");
  CHECK(told(tests + other + "check: { allow: { missing-about: a sketch } }\n") ==
        "warning unused-definition\n");
  CHECK(told(tests + "about: { summary: S, aim: A }\n") == "note missing-about\n");
  CHECK(told(tests + "about: { summary: S, aim: A, kinds: { man: M } }\n") == "");
}

TEST_CASE("the reference has a row for every finding", "[warnings]") {
  const std::string page = tests::read_file(tests::source_root() + "/dsl/README.md");
  const auto word = [](interpreter::LintLevel level) {
    return level == interpreter::LintLevel::note   ? "note"
           : level == interpreter::LintLevel::warn ? "warn"
                                                   : "deny";
  };
  for (const auto& lint : interpreter::kLints) {
    INFO(lint.name);
    const std::string row = "| `" + std::string(lint.name) + "` | " + word(lint.level) + " | " +
                            std::string(lint.meaning) + " |\n";
    CHECK(page.find(row) != std::string::npos);
  }
}

TEST_CASE("levels come from the file, then from the caller, then from the table", "[warnings]") {
  const std::string rules = "game: Test\nplayers: [White, Black]\nboard: { squares: 3 by 3 }\n"
                            "pieces: { man: w b }\nsetup: { w: a1, b: c3 }\ndefine: { a: a1, b: b1 }\n"
                            "turn: from own, step(all, ~own)\nend: [lose when no own]\n";
  const auto told = [&](const std::string& section, std::vector<interpreter::LevelSetting> levels) {
    auto loaded = interpreter::load_text("game.yaml", rules + section);
    REQUIRE(loaded);
    std::string all;
    interpreter::ExamineOptions options;
    options.levels = std::move(levels);
    options.games = false;
    const auto found = interpreter::examine(loaded, {}, options).findings;
    for (const auto& d : found.all())
      all += std::string(name_of(d.severity)) + " " + std::string(d.code.name()) + "\n";
    return all;
  };
  using interpreter::LintLevel;
  const std::string both = "warning unused-definition\nwarning unused-definition\n";
  CHECK(told("", {}) == both);
  CHECK(told("", {{"unused-definition", LintLevel::allow}}) == "");
  CHECK(told("", {{"all", LintLevel::deny}}) == "error unused-definition\nerror unused-definition\n");
  CHECK(told("", {{"warnings", LintLevel::deny}, {"unused-definition", LintLevel::warn}}) == both);
  CHECK(told("check: { allow: { unused-definition: a reason } }\n", {{"all", LintLevel::deny}}) == "");
  CHECK(told("check: { allow: { unused-definition in a: a reason } }\n", {{"all", LintLevel::deny}}) ==
        "error unused-definition\n");
  CHECK(told("check: { deny: unused-definition, note: [unused-definition in b] }\n", {}) ==
        "error unused-definition\nnote unused-definition\n");
  CHECK(told("check: { allow: { unused-definition: } }\n", {}) == "error lint\n");
  CHECK(told("check: { deny: unused-definitions }\n", {}) == "error lint\n" + both);
  CHECK(told("check: { deny: unused-definition in c }\n", {}) == "error lint\n" + both);
  CHECK(told("check: { allow: unused-definition }\n", {}) == "error lint\n" + both);
}

} // namespace warnings_test
