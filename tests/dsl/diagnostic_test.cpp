#include "dsl/diagnostic.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

namespace diagnostic_test {

using namespace boardwright::dsl;

namespace {

// A file with one error at the first place where `marked` stands in it, as it is shown.
std::string shown(const std::string& text, const std::string& marked) {
  Sources sources;
  const FileId file = sources.add("game.yaml", text);
  const auto begin = static_cast<std::uint32_t>(text.find(marked));
  Diagnostics diagnostics;
  diagnostics.error("syntax", {file, begin, begin + static_cast<std::uint32_t>(marked.size())}, "message");
  return render(diagnostics, sources, false);
}

std::string line_of(const std::string& text, int number) {
  std::size_t begin = 0;
  for (int i = 0; i < number; ++i) begin = text.find('\n', begin) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

// The columns of a shown line, where `…` and `·` count as one.
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

} // namespace

TEST_CASE("a diagnostic shows place, line and caret", "[diagnostic]") {
  Sources sources;
  const FileId file = sources.add("eximo.yaml", "game: Eximo\nturn: from own, step(forwad, empty)\n");
  Diagnostics diagnostics;
  Diagnostic& d = diagnostics.error("unknown-name", {file, 33, 39}, "unknown name `forwad`");
  d.expected = "expected directions";
  d.help = "did you mean `forward`?";
  d.related.push_back({{file, 6, 11}, "in this game"});
  CHECK(render(diagnostics, sources, false) ==
        "eximo.yaml:2:22: error: unknown name `forwad` [unknown-name]\n"
        "    2 | turn: from own, step(forwad, empty)\n"
        "      |                      ^~~~~~\n"
        "      | expected directions\n"
        "      | did you mean `forward`?\n"
        "eximo.yaml:1:7: note: in this game\n"
        "    1 | game: Eximo\n"
        "      |       ^~~~~\n");
}

TEST_CASE("diagnostics are shown in the order of files and offsets", "[diagnostic]") {
  Sources sources;
  sources.add("a", "x y\n");
  sources.add("b", "z\n");
  Diagnostics diagnostics;
  diagnostics.error("type", {1, 0, 1}, "third");
  diagnostics.warning("type", {0, 2, 3}, "second");
  diagnostics.error("type", {0, 0, 1}, "first");
  CHECK(render(diagnostics, sources, false) == "a:1:1: error: first [type]\n"
                                               "    1 | x y\n"
                                               "      | ^\n"
                                               "a:1:3: warning: second [type]\n"
                                               "    1 | x y\n"
                                               "      |   ^\n"
                                               "b:1:1: error: third [type]\n"
                                               "    1 | z\n"
                                               "      | ^\n");
}

TEST_CASE("the caret stands under what it means", "[diagnostic]") {
  SECTION("behind characters of several bytes") {
    CHECK(line_of(shown("\xC3\xA9\xE2\x82\xAC: bad", "bad"), 2) == "      |     ^~~");
  }
  SECTION("under characters of several bytes") {
    CHECK(line_of(shown("a: \xC3\xA9\xC3\xA9", "\xC3\xA9\xC3\xA9"), 2) == "      |    ^~");
  }
  SECTION("behind tabs, which are shown as blanks") {
    const std::string text = shown("\ta\tbad", "bad");
    CHECK(line_of(text, 1) == "    1 |     a   bad");
    CHECK(line_of(text, 2) == "      |         ^~~");
  }
  SECTION("of a span of several lines, on the first") {
    CHECK(line_of(shown("a: one\n  two\n", "one\n  two"), 2) == "      |    ^~~");
  }
  SECTION("of a span that begins at the line break, one past the line") {
    CHECK(line_of(shown("ab\r\ncd", "\r\nc"), 2) == "      |   ^");
  }
  SECTION("of an empty span") { CHECK(line_of(shown("ab", ""), 2) == "      | ^"); }
  SECTION("at the end of the file") {
    Sources sources;
    sources.add("a", "ab\n");
    Diagnostics diagnostics;
    diagnostics.error("type", {0, 3, 3}, "m");
    CHECK(render(diagnostics, sources, false) == "a:2:1: error: m [type]\n"
                                                 "    2 |\n"
                                                 "      | ^\n");
  }
}

TEST_CASE("long lines are cut around the caret", "[diagnostic]") {
  const std::string far(5000, 'x');
  SECTION("short enough") {
    const std::string text = shown(std::string(157, 'x') + "bad", "bad");
    CHECK(text.find("…") == std::string::npos);
  }
  SECTION("one too long") {
    const std::string text = shown(std::string(158, 'x') + "bad", "bad");
    CHECK(columns(line_of(text, 1)) == 8 + 160);
    CHECK(line_of(text, 1).find("…") != std::string::npos);
  }
  SECTION("at all lengths the caret is right and the line fits") {
    for (std::size_t before = 0; before < 1000; before += 7)
      for (const std::size_t after : {0U, 1U, 50U, 107U, 200U, 700U}) {
        const std::string text = shown(std::string(before, 'x') + "bad" + std::string(after, 'y'), "bad");
        const std::string line = line_of(text, 1);
        REQUIRE(columns(line) <= 8 + 160);
        REQUIRE(columns(line) == 8 + std::min<std::size_t>(before + 3 + after, 160));
        REQUIRE(columns(line.substr(0, line.find("bad"))) == line_of(text, 2).find('^'));
        REQUIRE(line_of(text, 2).substr(line_of(text, 2).find('^')) == "^~~");
      }
  }
  SECTION("the underline ends with what is shown") {
    const std::string text = shown("a: " + far, far);
    CHECK(columns(line_of(text, 2)) <= 8 + 160);
  }
  SECTION("long lines that are not UTF-8") {
    CHECK(columns(line_of(shown(std::string(5000, '\x80') + "bad" + far, "bad"), 1)) == 8 + 160);
  }
}

TEST_CASE("nothing from a file controls the terminal", "[diagnostic]") {
  Sources sources;
  sources.add("a\x1b[2J", "x\x1b[31m \x07\x7f \xC2\x9B \xE2\x80\xAE y\xFF\n");
  Diagnostics diagnostics;
  Diagnostic& d = diagnostics.error("type", {0, 0, 1}, "the name `\x1b[2J`\nline");
  d.help = "\r";
  const std::string text = render(diagnostics, sources, false);
  CHECK(text == "a·[2J:1:1: error: the name `·[2J`·line [type]\n"
                "    1 | x·[31m ·· · · y·\n"
                "      | ^\n"
                "      | ·\n");
}

TEST_CASE("messages are cut where a name has no end", "[diagnostic]") {
  Sources sources;
  sources.add("a", "x");
  Diagnostics diagnostics;
  diagnostics.error("type", {0, 0, 1}, std::string(1U << 20U, 'n'));
  CHECK(render(diagnostics, sources, false).size() < 2000);
}

TEST_CASE("a diagnostic of no file has no place", "[diagnostic]") {
  Diagnostics diagnostics;
  diagnostics.error("not-found", {}, "there is no such file");
  CHECK(render(diagnostics, Sources(), false) == "error: there is no such file [not-found]\n");
}

TEST_CASE("colors only where they are asked for", "[diagnostic]") {
  Sources sources;
  sources.add("a", "x");
  Diagnostics diagnostics;
  diagnostics.error("type", {0, 0, 1}, "m");
  CHECK(render(diagnostics, sources, false).find('\x1b') == std::string::npos);
  CHECK(render(diagnostics, sources, true) ==
        "\x1b[1ma:1:1:\x1b[0m \x1b[1;31merror:\x1b[0m \x1b[1mm\x1b[0m [type]\n"
        "    1 | x\n"
        "      | \x1b[1;32m^\x1b[0m\n");
}

TEST_CASE("the same message at the same place is kept once", "[diagnostic]") {
  Diagnostics diagnostics;
  diagnostics.error("type", {0, 0, 1}, "m");
  diagnostics.error("type", {0, 0, 1}, "m").help = "is lost";
  CHECK(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].help.empty());
  CHECK(diagnostics.error_count() == 1);
  CHECK(diagnostics.suppressed() == 0);
  diagnostics.error("type", {0, 0, 2}, "m");
  diagnostics.error("type", {0, 0, 1}, "other");
  CHECK(diagnostics.error_count() == 3);
}

TEST_CASE("warnings are no errors", "[diagnostic]") {
  Diagnostics diagnostics;
  diagnostics.warning("type", {0, 0, 1}, "m");
  CHECK_FALSE(diagnostics.has_errors());
  diagnostics.error("type", {0, 0, 1}, "m");
  CHECK(diagnostics.has_errors());
  CHECK(diagnostics.all().size() == 2);
}

TEST_CASE("beyond a limit diagnostics are counted", "[diagnostic]") {
  Sources sources;
  sources.add("a", "x");
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < kMaxDiagnostics; ++i) diagnostics.warning("type", {0, 0, 1}, std::to_string(i));
  for (std::size_t i = 0; i < kMaxDiagnostics; ++i) diagnostics.error("type", {0, 0, 1}, std::to_string(i));
  CHECK(diagnostics.all().size() == 2 * kMaxDiagnostics); // warnings leave room for errors
  CHECK(diagnostics.suppressed() == 0);
  diagnostics.error("type", {0, 0, 1}, "one more").help = "goes nowhere";
  CHECK(diagnostics.all().size() == 2 * kMaxDiagnostics);
  CHECK(diagnostics.suppressed() == 1);
  CHECK(diagnostics.error_count() == kMaxDiagnostics + 1);
  const std::string tail = "1 more message not shown\n";
  const std::string text = render(diagnostics, sources, false);
  CHECK(text.substr(text.size() - tail.size()) == tail);
}

TEST_CASE("the nearest name is one that may be meant", "[diagnostic]") {
  struct Example {
    std::string name;
    std::vector<std::string> known;
    std::string meant;
  };
  const std::vector<Example> examples{
      {"forwad", {"backward", "forward", "own"}, "forward"}, // a letter left out
      {"fowrard", {"forward"}, "forward"},                   // two letters swapped
      {"forrwwarrd", {"forward"}, "forward"},                // three slips in a long name
      {"owm", {"own"}, "own"},
      {"onw", {"own"}, "own"}, // a swap is one slip
      {"wno", {"own"}, ""},    // two slips in a short name
      {"stpe", {"step", "stop"}, "step"},
      {"x", {"y"}, ""}, // one letter is not taken for another
      {"X", {"x"}, "x"},
      {"white", {"White", "while"}, "White"}, // the case is the smallest slip
      {"man", {"men", "mad", "MAN"}, "MAN"},
      {"bat", {"bar", "bag", "ban"}, "bag"}, // equal ones by the alphabet
      {"bat", {"ban", "bar", "bag"}, "bag"},
      {"gone", {"none"}, ""}, // a short word that begins otherwise is another word
      {"gray", {"grey"}, "grey"},
      {"wn", {"own"}, "own"},
      {"nkig", {"king"}, ""},
      {"ikng", {"king"}, "king"},
      {"gonnes", {"connes"}, "connes"}, // a longer one isn't
      {"", {"a"}, ""},
      {"a", {}, ""},
      {"abc", {""}, ""},
      {"something", {"else"}, ""},
      {std::string(5000, 'a'), {std::string(5000, 'a')}, ""}, // too long for a slip
  };
  for (const Example& e : examples) {
    INFO(e.name);
    CHECK(nearest(e.name, e.known) == e.meant);
  }
}

} // namespace diagnostic_test
