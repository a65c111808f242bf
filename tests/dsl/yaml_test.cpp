#include "dsl/yaml.hpp"
#include "tests/paths.hpp"
#include "tests/text_files.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <random>
#include <string>

namespace yaml_test {

using namespace boardwright::dsl;

namespace {

struct Read {
  Sources sources;
  Diagnostics diagnostics;
  std::optional<Yaml> root;

  explicit Read(const std::string& text) {
    const FileId file = sources.add("t.yaml", text);
    root = read_yaml(sources, file, diagnostics);
  }
  [[nodiscard]] std::string source(Span span) const {
    return sources.text(0).substr(span.begin, span.end - span.begin);
  }
  [[nodiscard]] std::string shown() const { return render(diagnostics, sources, false); }
};

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string dump(const Yaml& node) {
  std::string text;
  switch (node.kind) {
  case Yaml::Kind::empty: return "-";
  case Yaml::Kind::scalar: return "'" + node.text.text + "'";
  case Yaml::Kind::sequence:
    for (const Yaml& item : node.items) text += (text.empty() ? "" : ", ") + dump(item);
    return "[" + text + "]";
  case Yaml::Kind::map:
    for (const YamlEntry& e : node.entries)
      text += (text.empty() ? "" : ", ") + e.key.text + ": " + dump(e.value);
    return "{" + text + "}";
  }
  return text;
}

void for_each_text(const Yaml& node, const std::function<void(const Text&)>& visit) {
  if (node.is_scalar()) visit(node.text);
  for (const Yaml& item : node.items) for_each_text(item, visit);
  for (const YamlEntry& entry : node.entries) {
    visit(entry.key);
    for_each_text(entry.value, visit);
  }
}

// What holds for every text, escapes or not.
void require_well_formed(const Text& text, std::size_t file_size) {
  REQUIRE(text.offsets.size() == text.text.size() + 1);
  REQUIRE(std::is_sorted(text.offsets.begin(), text.offsets.end()));
  REQUIRE(text.offsets.back() <= file_size);
}

// Each byte that isn't white space stands at its place: for texts without escapes.
void require_aligned(const Text& text, const std::string& source) {
  require_well_formed(text, source.size());
  for (std::size_t i = 0; i < text.text.size(); ++i)
    if (!is_white(text.text[i])) REQUIRE(source[text.offsets[i]] == text.text[i]);
}

} // namespace

TEST_CASE("a document becomes a tree", "[yaml]") {
  struct Example {
    std::string text, tree;
  };
  const std::vector<Example> examples{
      {"a: 1", "{a: '1'}"},
      {"a: 1\nb:\nc: x", "{a: '1', b: -, c: 'x'}"},
      {"a: yes\nb: null\nc: 0x1F\nd: NULL", "{a: 'yes', b: 'null', c: '0x1F', d: 'NULL'}"}, // never typed
      {"null: 1\na:\nNull: 2", "{null: '1', a: -, Null: '2'}"},
      {"a:\nnull x: 2\nb:\n  c:\nd:\n", "{a: -, null x: '2', b: {c: -}, d: -}"},
      {"a: \"\"\nb: ''", "{a: '', b: ''}"}, // quoted: a scalar
      {"a: [x, y z, [1]]", "{a: ['x', 'y z', ['1']]}"},
      {"a: [null, ~x]\nb: []\nc: {}", "{a: ['null', '~x'], b: [], c: {}}"},
      {"a:\n- x\n-\n- y", "{a: ['x', -, 'y']}"},
      {"a: { b: 1, c: [d, e], }", "{a: {b: '1', c: ['d', 'e']}}"},
      {"a: { b: , c: }", "{a: {b: -, c: -}}"},
      {"a: [b: 1]", "{a: [{b: '1'}]}"},
      {"a: ~own\nb: x ~ y", "{a: '~own', b: 'x ~ y'}"},
      {"win(a, b): x", "{win(a, b): 'x'}"},
      {"\"a b\": x", "{a b: 'x'}"},
      {"a: x # comment\n# more\nb: y#z", "{a: 'x', b: 'y#z'}"},
      {"a: |\n  x # rule\n   y\nb: 1", "{a: 'x # rule\n y\n', b: '1'}"},
      {"a: >\n  x\n  y\n\n  z", "{a: 'x y\nz\n'}"},
      {"a: |-\n  x\nb: |+\n  y\n\nc: 1", "{a: 'x', b: 'y\n\n', c: '1'}"},
      {"a: x,\n  y\n  z", "{a: 'x, y z'}"},
      {"a: 'it''s'\nb: \"q\\\"\\\\ \\u00e9\"", "{a: 'it's', b: 'q\"\\ \xC3\xA9'}"},
      {"---\na: 1\n...\n", "{a: '1'}"},
      {"\xEF\xBB\xBF"
       "a: 1",
       "{a: '1'}"},
      {"a: 1\r\nb:\r\n  - x\r\n  - y,\r\n    z\r\n", "{a: '1', b: ['x', 'y, z']}"},
      {"? a\n: b", "{a: 'b'}"},
      {"{a: b}", "{a: 'b'}"},
  };
  for (const Example& e : examples) {
    Read read(e.text);
    INFO(e.text << "\n" << read.shown());
    REQUIRE(read.root);
    CHECK(dump(*read.root) == e.tree);
    for_each_text(*read.root, [&](const Text& t) { require_well_formed(t, e.text.size()); });
  }
}

TEST_CASE("nodes know their style and place", "[yaml]") {
  Read read("a: x y\nb: 'q'\nc: \"r\"\nd: |\n  two\n  lines\ne: >\n  f\ng: { h: [i, j] , }\nk:\nl: |\n");
  REQUIRE(read.root);
  const auto value = [&](const char* key) -> const Yaml& { return *read.root->find(key); };
  CHECK(value("a").style == Yaml::Style::plain);
  CHECK(value("b").style == Yaml::Style::single_quoted);
  CHECK(value("c").style == Yaml::Style::double_quoted);
  CHECK(value("d").style == Yaml::Style::literal);
  CHECK(value("e").style == Yaml::Style::folded);
  CHECK(read.source(value("a").span) == "x y");
  CHECK(read.source(value("b").span) == "'q'");
  CHECK(read.source(value("c").span) == "\"r\"");
  CHECK(read.source(value("d").span) == "two\n  lines");
  CHECK(read.source(value("e").span) == "f");
  CHECK(read.source(value("g").span) == "{ h: [i, j] , }");
  CHECK(read.source(value("g").find("h")->span) == "[i, j]");
  CHECK(read.source(value("g").find("h")->items[1].span) == "j");
  CHECK(read.sources.locate(0, value("k").span.begin).line == 10); // right behind the colon
  CHECK(read.sources.locate(0, value("k").span.begin).column == 3);
  CHECK(read.source(value("l").span) == "|");
  CHECK(read.root->find("m") == nullptr);
  CHECK(value("a").find("x") == nullptr);
  CHECK(read.source(read.root->span).substr(0, 6) == "a: x y");
}

TEST_CASE("parts of a text know their place", "[yaml]") {
  Read read("a: >\n  own,\n  step(forward)  \nb: \"caf\\u00e9 \\\"x\\\"\"\n");
  REQUIRE(read.root);
  const Text& folded = read.root->find("a")->text;
  CHECK(read.source(folded.span(5, 9)) == "step");
  CHECK(read.source(folded.span(0, 4)) == "own,"); // ends with the comma, not at the next word
  CHECK(read.source(folded.trimmed().span()) == "own,\n  step(forward)");
  CHECK(folded.trimmed().text == "own, step(forward)");
  CHECK(folded.part(5, 9).text == "step");
  CHECK(read.source(folded.part(5, 9).span(1, 3)) == "te");
  CHECK(folded.part(7, 99).text == folded.text.substr(7));
  CHECK(folded.part(9, 5).text.empty());
  CHECK(folded.span(99, 99).begin == folded.offsets.back());

  const Text& quoted = read.root->find("b")->text;
  CHECK(read.source(quoted.span(3, 5)) == "\\u00e9");
  CHECK(read.source(quoted.span(7, 8)) == "x");
  CHECK(Text{}.trimmed().text.empty());
  CHECK(Text{"  ", {4, 5, 6}, 0}.trimmed().span() == Span{0, 6, 6});
}

TEST_CASE("indentation inside a block keeps its places", "[yaml]") {
  const std::string source = "a: |\n    one\n      two\n\n    three\n";
  Read read(source);
  REQUIRE(read.root);
  const Text& text = read.root->find("a")->text;
  REQUIRE(text.text == "one\n  two\n\nthree\n");
  CHECK(text.offsets[0] == source.find("one"));
  CHECK(text.offsets[3] == source.find("\n      two"));
  CHECK(text.offsets[4] == source.find("  two")); // the two blanks that are content
  CHECK(text.offsets[5] == source.find(" two"));
  CHECK(text.offsets[9] == source.find("\n\n"));
  CHECK(text.offsets.back() == source.size());
}

// --- errors
// -----------------------------------------------------------------------------------------------------

namespace {

struct Mistake {
  std::string text;
  std::string place;  // line:column
  std::string marked; // what is underlined
  std::string_view code;
  std::string message; // a part of it
  std::string help;    // a part of it
};

void check_mistake(const Mistake& m) {
  Read read(m.text);
  INFO(m.text << "\n" << read.shown());
  CHECK_FALSE(read.root);
  REQUIRE_FALSE(read.diagnostics.all().empty());
  const Diagnostic& d = read.diagnostics.all().front();
  const Location at = read.sources.locate(0, d.span.begin);
  CHECK(std::to_string(at.line) + ":" + std::to_string(at.column) == m.place);
  CHECK(read.source(d.span) == m.marked);
  CHECK(d.code == m.code);
  CHECK(d.message.find(m.message) != std::string::npos);
  CHECK(d.help.find(m.help) != std::string::npos);
}

} // namespace

TEST_CASE("what YAML accepts silently is an error", "[yaml]") {
  const std::vector<Mistake> mistakes{
      {"a: 1\nb: 2\na: 3", "3:1", "a", "duplicate-key", "`a` is written twice", "remove one"},
      {"x: { a: 1, \"a\": 2 }", "1:13", "a", "duplicate-key", "written twice", ""},
      {"x: &a b", "1:4", "&", "yaml-reference", "anchor", "`extends:`"},
      {"x: own\ny: &a [*a]", "2:4", "&", "yaml-reference", "anchor", ""},
      {"x: !t b", "1:4", "!", "yaml-reference", "tag", "quote the value"},
      {"x: !\ny: 1", "1:4", "!", "yaml-reference", "tag", ""},
      {"&a x: 1", "1:1", "&", "yaml-reference", "anchor", ""},
      {"x: ~", "1:4", "~", "yaml", "`~` on its own", "`none`"},
      {"x: [~, a]", "1:5", "~", "yaml", "`~` on its own", ""},
      {"x: \"abc\ny: 2\n", "1:4", "\"", "yaml", "never closed", "close the text with `\"`"},
      {"x: 'it''s\n y: b", "1:4", "'", "yaml", "never closed", "close the text with `'`"},
      {"a: { b: \"c }\n", "1:9", "\"", "yaml", "never closed", ""},
      {"\"a: b", "1:1", "\"", "yaml", "never closed", ""},
      {"a: b\n---\nc: d", "2:1", "---", "yaml", "second document", "one document"},
      {"a: b\n...\nc: d", "3:1", "c", "yaml", "belongs to no entry", ""},
      {"  a: 1\nb: 2", "2:1", "b", "yaml", "indented less", "same column"},
      {"%YAML 1.2\n---\na: b", "1:1", "%", "yaml", "directive", "remove"},
      {"x: { B: b1..g2, w: x, y }", "1:23", "y", "yaml", "a comma inside `{ }` splits the entry",
       "quote the value"},
      {"x: { p: step(forward, empty), b: x }", "1:23", "empty)", "yaml", "a comma inside", "quote"},
      {"x: { a, b: 1 }", "1:6", "a", "yaml", "a comma inside", ""},
      {"x: 1\nb:2\n", "2:1", "b:2", "yaml", "expected an entry", "after the key"},
      {"x:\n\t y", "2:1", "\t", "yaml", "a tab in the indentation", "spaces"},
      {"x: \"a\\0b\"", "1:6", "\\0", "yaml", "control character", ""},
      {"x: \"\\u009b\"", "1:5", "\\u009b", "yaml", "control character", ""},
      {"x: \"\\N\"", "1:5", "\\N", "yaml", "control character", ""},
      {": x", "1:1", ":", "yaml", "without a key", ""},
      {"{a: b}: c", "1:1", "{a: b}", "yaml", "a key can't be", "quote"},
      {"? [a]\n: c", "1:3", "[a]", "yaml", "a key can't be", "quote"},
      {"- a", "1:1", "- a", "yaml", "no entries", "sections"},
      {"just text", "1:1", "just text", "yaml", "no entries", ""},
      {"", "1:1", "", "yaml", "nothing in this file", ""},
      {"# a comment\n", "1:1", "", "yaml", "nothing in this file", ""},
  };
  for (const Mistake& m : mistakes) check_mistake(m);
}

TEST_CASE("what is not YAML is told in plain words", "[yaml]") {
  const std::vector<Mistake> mistakes{
      {"x: | own", "1:4", "|", "yaml", "starts a block", "quote the value"},
      {"x: > 3", "1:4", ">", "yaml", "starts a block", "quote the value"},
      {"x: |0\n a", "1:6", "", "yaml", "zero", ""},
      {"x: *foo", "1:4", "*", "yaml-reference", "alias", "quote the value"},
      {"x: * foo", "1:4", "*", "yaml-reference", "alias", "quote the value"},
      {"x: & own", "1:4", "&", "yaml-reference", "anchor", "quote the value"},
      {"x: @a", "1:4", "@", "yaml", "can't start with `@`", "quote the value"},
      {"x: %a", "1:4", "%", "yaml", "can't start with `%`", "quote the value"},
      {"x: `a`", "1:4", "`", "yaml", "backtick", "quote the value"},
      {"x: ,a", "1:4", ",", "yaml", "can't start with `,`", "quote the value"},
      {"x: ]", "1:4", "]", "yaml", "closes nothing", "quote the value"},
      {"x: a: b", "1:5", ":", "yaml", "in quotes", "quote the value"},
      {"x: a\n  b: c", "2:4", ":", "yaml", "in quotes", "line it up"},
      {"x: 1\nfoo\ny: 2", "2:1", "foo", "yaml", "expected an entry", ""},
      {"x:\n  y: 1\n  b:2\n  c: 1", "3:3", "b:2", "yaml", "expected an entry", "space after the `:`"},
      {"x: foo # c\n  bar", "2:3", "bar", "yaml", "the comment in the line above", "block"},
      {"a:\n    b: 1\n  c: 2", "3:3", "c: 2", "yaml", "indentation", "line it up"},
      {"x:\n\ty: 1", "2:1", "\t", "yaml", "a tab", "spaces"},
      {"x:\n  y: 1\n\tz: 2", "3:1", "\t", "yaml", "a tab", "spaces"},
      {"a: b\n%YAML 1.x\n", "2:1", "%", "yaml", "directive", "remove"},
      {"x: - a", "1:4", "-", "yaml", "list item", "line of its own"},
      {"x: ? a", "1:4", "?", "yaml", "`?`", "quote"},
      {"x: [a, b", "1:4", "[", "yaml", "never closed", "close it with `]`"},
      {"x: { a: [b, c], d: e\n\n", "1:4", "{", "yaml", "never closed", "close it with `}`"},
      {"x: { a: b\ny: c", "2:2", ":", "yaml", "expected `,` or `}`", "quote"},
      {"x: { a: step? , b: c }", "1:13", "?", "yaml", "expected `,` or `}`", "quote"},
      {"x: [a}", "1:6", "}", "yaml", "does not close", ""},
      {"x: [a] | b", "1:8", "| b", "yaml", "after the closing `]`", "whole value in quotes"},
      {"x: \"a\" or b", "1:8", "or b", "yaml", "after the closing `\"`", "whole value in quotes"},
      {"x: \"\\q\"", "1:5", "\\q", "yaml", "escape", "`\\\\`"},
      {"x: \"\\xZZ\"", "1:5", "\\xZZ", "yaml", "escape", ""},
      {"x: \"\\ud800\"", "1:5", "\\ud800", "yaml", "escape", ""},
      {"x: \"a\n---\nb\"", "2:1", "---", "yaml", "document", "quote"},
      {"c: d\r\nx: a: b\r\n", "2:5", ":", "yaml", "in quotes", "quote"},
      {"\xEF\xBB\xBFx: a: b", "1:5", ":", "yaml", "in quotes", "quote"},
      {"\xC3\xA9: a: b", "1:5", ":", "yaml", "in quotes", "quote"},
  };
  for (const Mistake& m : mistakes) check_mistake(m);
}

TEST_CASE("only clean UTF-8 is read", "[yaml]") {
  using namespace std::string_literals;
  const auto bad = [](std::string text, std::string place, std::string marked, std::string message) {
    check_mistake({std::move(text), std::move(place), std::move(marked), "encoding", std::move(message), ""});
  };
  bad("x: a\xFF", "1:5", "\xFF", "not UTF-8");
  bad("x: \xC3", "1:4", "\xC3", "not UTF-8");             // cut off
  bad("x: \xC0\xAF", "1:4", "\xC0", "not UTF-8");         // too long a form
  bad("x: \xED\xA0\x80", "1:4", "\xED", "not UTF-8");     // a surrogate
  bad("x: \xF4\x90\x80\x80", "1:4", "\xF4", "not UTF-8"); // beyond Unicode
  bad("x: \xE0\x80\x80", "1:4", "\xE0", "not UTF-8");
  bad("\xFF\xFEx\0"s, "1:1", "\xFF", "not UTF-8"); // UTF-16
  bad("x: a\0b"s, "1:5", "\0"s, "control character");
  bad("x: a\x04", "1:5", "\x04", "control character"); // the end of the file to yaml-cpp
  bad("x: a\rb: c", "1:5", "\r", "control character");
  bad("x: \x7F", "1:4", "\x7F", "control character");
  bad("x: \xC2\x85", "1:4", "\xC2\x85", "control character");
  bad("x: a\xEF\xBB\xBF", "1:5", "\xEF\xBB\xBF", "control character");
  bad("\xEF\xBB\xBF\xEF\xBB\xBFx: a", "1:1", "\xEF\xBB\xBF", "control character");
  CHECK(Read("x: \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xEF\xBF\xBD").root);
}

TEST_CASE("one pass tells several errors", "[yaml]") {
  Read read("a: ~\nb: !t x\na: 1\nc: { d: e, f }\n");
  CHECK_FALSE(read.root);
  CHECK(read.diagnostics.error_count() == 4);
}

TEST_CASE("errors point to what they belong to", "[yaml]") {
  const auto related = [](const std::string& text) {
    Read read(text);
    const auto& d = read.diagnostics.all().at(0);
    return d.related.empty() ? "" : read.source(d.related[0].span);
  };
  CHECK(related("ab: 1\nab: 2") == "ab");
  CHECK(related("x: { p: f(a, b) }") == "f(a");
  CHECK(related("x: { a: b\ny: c") == "{");
  CHECK(related("x: \"a\ny: \"b\"") == "\"a\ny: \"");
}

// --- limits
// -----------------------------------------------------------------------------------------------------

TEST_CASE("the limit of a file's size", "[yaml][limits]") {
  const std::string head = "a: |\n  ";
  CHECK(Read(head + std::string(kMaxFileBytes - head.size(), 'x')).root);
  Read too_big(head + std::string(kMaxFileBytes - head.size() + 1, 'x'));
  CHECK_FALSE(too_big.root);
  CHECK(too_big.diagnostics.all().at(0).code == "file-size");
}

TEST_CASE("the limit of nesting", "[yaml][limits]") {
  const auto nested = [](int depth) { // the map is one level
    const auto lists = static_cast<std::size_t>(depth - 1);
    return "a: " + std::string(lists, '[') + "x" + std::string(lists, ']');
  };
  CHECK(Read(nested(kMaxYamlDepth)).root);
  Read too_deep(nested(kMaxYamlDepth + 1));
  CHECK_FALSE(too_deep.root);
  CHECK(too_deep.shown().find("nested deeper") != std::string::npos);
}

TEST_CASE("hostile files end with an error", "[yaml][limits]") {
  const auto repeated = [](const std::string& head, const std::string& body) {
    std::string text = head;
    while (text.size() + body.size() < 100000) text += body;
    return text;
  };
  for (const std::string body : {"[", "{", "[\"", "- ", "? ", "a: ", "[a: ", "!", "&a ", "\t", "'", "\"\\",
                                 ",", "]", "a:\n", "~,", "|", "{a,"})
    for (const std::string head : {"", "x: ", "x: [", "x: {"}) {
      Read read(repeated(head, body));
      INFO(head << body);
      CHECK(read.root.has_value() != read.diagnostics.has_errors());
      CHECK(read.shown().size() < 200000);
    }
  Read bomb("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n");
  CHECK_FALSE(bomb.root);
}

TEST_CASE("changed files are read or refused", "[yaml][limits]") {
  const std::string seed =
      "game: A # c\nb: { c: \"d\\u0041\", e: [f, 'g''h'] }\nd: |\n  x\n   # y\n- z: >-\n  a\n\n  b\n"
      "k:\n  - l: m,\n      n\n  - ~o\n";
  const std::string signs = "\"'\\{}[],:#|>-?*&!%@`~ \t\n\rax\xC3";
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  for (int round = 0; round < 3000; ++round) {
    std::string text = seed;
    for (std::size_t changes = 1 + below(6); changes > 0; --changes) {
      const std::size_t at = below(text.size());
      if (below(2) == 0)
        text[at] = signs[below(signs.size())];
      else if (below(2) == 0)
        text.insert(at, 1, signs[below(signs.size())]);
      else
        text.erase(at, 1 + below(8));
      if (text.empty()) text = "a";
    }
    Read read(text);
    INFO(text << "\n" << read.shown());
    REQUIRE(read.root.has_value() != read.diagnostics.has_errors());
    REQUIRE(read.shown().find("can't be read") == std::string::npos); // every text was found in its file
    if (read.root) for_each_text(*read.root, [&](const Text& t) { require_well_formed(t, text.size()); });
  }
}

// --- places in scalars
// ------------------------------------------------------------------------------------------

namespace {

// Writes random words as a scalar of some style, and notes where it puts each byte that isn't white space.
class RandomScalar {
public:
  explicit RandomScalar(std::mt19937& random) : random_(random) {}

  void write(Yaml::Style style) {
    style_ = style;
    source_ = "# \xC3\xA9\nkey: ";
    begin();
    const std::size_t words = 1 + below(12);
    for (std::size_t i = 0; i < words; ++i) {
      if (i > 0) space();
      word();
    }
    if (style == Yaml::Style::single_quoted) source_ += '\'';
    if (style == Yaml::Style::double_quoted) source_ += '"';
    source_ += below(2) == 0 ? "\n" : "\n\n\nnext: 1\n";
  }

  [[nodiscard]] const std::string& source() const { return source_; }
  // Checks a decoded text against what was written.
  void require_placed(const Text& text) const {
    std::size_t ink = 0;
    for (std::size_t i = 0; i < text.text.size(); ++i) {
      if (is_white(text.text[i])) continue;
      REQUIRE(ink < bytes_.size());
      REQUIRE(text.text[i] == bytes_[ink]);
      REQUIRE(text.offsets[i] == places_[ink]);
      ++ink;
    }
    REQUIRE(ink == bytes_.size());
  }

private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  [[nodiscard]] bool is_block() const {
    return style_ == Yaml::Style::literal || style_ == Yaml::Style::folded;
  }

  void begin() {
    constexpr std::array<const char*, 4> kHeaders{"", "-", "+", " # comment"};
    switch (style_) {
    case Yaml::Style::single_quoted: source_ += '\''; break;
    case Yaml::Style::double_quoted: source_ += '"'; break;
    case Yaml::Style::literal: source_ += '|'; break;
    case Yaml::Style::folded: source_ += '>'; break;
    case Yaml::Style::plain: put("a"); break; // many signs can't begin a plain scalar
    }
    if (is_block()) source_ += std::string(kHeaders[below(4)]) + (below(4) == 0 ? "\n\n   " : "\n   ");
  }

  void put(const std::string& written, const std::string& decoded) {
    for (const char c : decoded) {
      bytes_ += c;
      places_.push_back(static_cast<std::uint32_t>(source_.size()));
      if (written == decoded) source_ += c;
    }
    if (written != decoded) source_ += written;
  }

  void put(const std::string& written) { put(written, written); }

  void word() {
    const std::string signs = style_ == Yaml::Style::plain ? "axyz(),.~=" : "axyz(),.~=|>*&!{}[]-";
    for (std::size_t letters = 1 + below(5); letters > 0; --letters) {
      if (letters == 1 && below(3) == 0) return special();
      put(std::string(1, signs[below(signs.size())]));
    }
  }

  void special() {
    if (style_ == Yaml::Style::single_quoted && below(2) == 0) return put("''", "'");
    if (style_ == Yaml::Style::double_quoted) {
      switch (below(5)) {
      case 0: return put("\\\"", "\"");
      case 1: return put("\\u00e9", "\xC3\xA9");
      case 2: return put("\\x41", "A");
      case 3: return put("\\U0001F600", "\xF0\x9F\x98\x80");
      default: return put("\\\\", "\\");
      }
    }
    put("\xE2\x82\xAC");
    if (is_block()) put("#:\"'\\");
  }

  void space() {
    const bool block = is_block();
    switch (below(block ? 5 : 6)) {
    case 0:
    case 1: source_ += std::string(1 + below(3), ' '); break;
    case 2: source_ += below(2) == 0 ? "\n   " : "\r\n   "; break;
    case 3: source_ += std::string(block ? 0 : below(3), ' ') + "\n   " + std::string(below(3), ' '); break;
    case 4: source_ += "\n\n   \n   " + std::string(below(3), ' '); break;
    default:
      source_ += style_ == Yaml::Style::double_quoted ? (below(2) == 0 ? " \\\n  " : "\\n \\t") : " \t ";
      break;
    }
  }

  std::mt19937& random_;
  Yaml::Style style_ = Yaml::Style::plain;
  std::string source_;
  std::string bytes_;
  std::vector<std::uint32_t> places_;
};

} // namespace

TEST_CASE("every byte of random scalars is placed exactly", "[yaml]") {
  std::mt19937 random(20240229);
  using Style = Yaml::Style;
  for (const Style style :
       {Style::plain, Style::single_quoted, Style::double_quoted, Style::literal, Style::folded})
    for (int round = 0; round < 2000; ++round) {
      RandomScalar scalar(random);
      scalar.write(style);
      Read read(scalar.source());
      INFO(scalar.source() << "\n" << read.shown());
      REQUIRE(read.root);
      const Yaml& value = *read.root->find("key");
      REQUIRE(value.style == style);
      require_well_formed(value.text, scalar.source().size());
      scalar.require_placed(value.text);
    }
}

TEST_CASE("the bundled rule files map to their source", "[yaml]") {
  const std::filesystem::path folder = std::filesystem::path(boardwright::tests::source_root()) / "game-defs";
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".yaml") continue;
    const std::string text = boardwright::tests::read_file(file.path());
    Read read(text);
    INFO(file.path() << "\n" << read.shown());
    REQUIRE(read.root);
    for_each_text(*read.root, [&](const Text& t) {
      if (text.find('\\') == std::string::npos && text.find("''") == std::string::npos)
        require_aligned(t, text);
    });
  }
}

} // namespace yaml_test
