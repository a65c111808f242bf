#include "dsl/merge.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace merge_test {

using namespace boardwright::dsl;

namespace {

// The tree on one line: maps in braces, lists in brackets.
std::string dumped(const Yaml& yaml) {
  std::string text;
  switch (yaml.kind) {
  case Yaml::Kind::empty: return "";
  case Yaml::Kind::scalar: return yaml.text.trimmed().text;
  case Yaml::Kind::sequence:
    for (const auto& item : yaml.items) text += (text.empty() ? "" : ", ") + dumped(item);
    return "[" + text + "]";
  case Yaml::Kind::map:
    for (const auto& entry : yaml.entries)
      text += (text.empty() ? "" : ", ") + entry.key.text + ": " + dumped(entry.value);
  }
  return "{" + text + "}";
}

struct Merged {
  Sources sources;
  Diagnostics diagnostics;
  Yaml tree;

  Merged(const std::string& parent, const std::string& child) {
    auto below = read_yaml(sources, sources.add("parent.yaml", parent), diagnostics);
    auto above = read_yaml(sources, sources.add("child.yaml", child), diagnostics);
    REQUIRE(below);
    REQUIRE(above);
    tree = merge(std::move(*below), std::move(*above), diagnostics);
  }

  [[nodiscard]] std::string errors() const { return render(diagnostics, sources, false); }
};

struct Case {
  const char* name;
  const char* parent;
  const char* child;
  const char* merged;
};

} // namespace

TEST_CASE("sections merge") {
  const Case cases[] = {
      {"text replaces", "game: A\nturn: x\n", "game: B\n", "{game: B, turn: x}"},
      {"new sections follow", "game: A\n", "first: W\n", "{game: A, first: W}"},
      {"entries merge in place", "pieces: { a: w, b: x }\n", "pieces: { c: z, a: v }\n",
       "{pieces: {a: v, b: x, c: z}}"},
      {"players of the same names merge", "players: { A: north, B: south }\n",
       "players: { C: east, B: west }\n", "{players: {A: north, B: west, C: east}}"},
      {"other players replace", "players: { A: north, B: south }\n", "players: { C: east, D: west }\n",
       "{players: {C: east, D: west}}"},
      {"a list replaces", "end: [a, b]\n", "end: [c]\n", "{end: [c]}"},
      {"a picture replaces entries", "setup: { w: a1 }\n", "setup: |\n  w.\n", "{setup: w.}"},
      {"entries replace a picture", "setup: |\n  w.\n", "setup: { w: a1 }\n", "{setup: {w: a1}}"},
      {"the shape of a board replaces", "board: { squares: 8 by 8, stacks: true }\n",
       "board: { hexagon: 5 }\n", "{board: {stacks: true, hexagon: 5}}"},
      {"a board keeps its shape", "board: { squares: 8 by 8 }\n", "board: { holes: a1 }\n",
       "{board: {squares: 8 by 8, holes: a1}}"},
      {"options merge key by key", "options: { n: { default: 3, range: 1..9 } }\n",
       "options: { n: { default: 4 } }\n", "{options: {n: {default: 4, range: 1..9}}}"},
      {"bodies for kinds do not", "define: { hit: { a: 1, b: 2 } }\n", "define: { hit: { a: 3 } }\n",
       "{define: {hit: {a: 3}}}"},
      {"an empty entry removes", "pieces: { a: w, b: x }\n", "pieces: { a: }\n", "{pieces: {b: x}}"},
      {"also below an option", "options: { n: { default: 3, help: x } }\n", "options: { n: { help: } }\n",
       "{options: {n: {default: 3}}}"},
      {"an empty section removes", "game: A\nend: [a]\n", "end:\n", "{game: A}"},
      {"`inherited` in `end`", "end: [a, b]\n", "end: [c, inherited, d]\n", "{end: [c, a, b, d]}"},
      {"`inherited` alone", "end: a\n", "end: inherited\n", "{end: [a]}"},
      {"tests stay behind", "game: A\ntests: [{ name: t }]\n", "game: B\n", "{game: B}"},
      {"tests of its own", "tests: [{ name: t }]\n", "tests: [{ name: u }]\n", "{tests: [{name: u}]}"},
      {"no tests at all", "game: A\n", "tests:\n", "{game: A}"},
      {"another author has no year of the parent's", "about: { author: A, year: 1, source: s, aim: x }\n",
       "about: { author: B }\n", "{about: {aim: x, author: B}}"},
      {"about merges", "about: { author: A, year: 1 }\n", "about: { year: 2 }\n",
       "{about: {author: A, year: 2}}"},
      {"and what it says of kinds", "about: { kinds: { a: x, b: y } }\n", "about: { kinds: { b: z } }\n",
       "{about: {kinds: {a: x, b: z}}}"},
  };
  for (const auto& [name, parent, child, expected] : cases) {
    INFO(name);
    const Merged merged(parent, child);
    CHECK(dumped(merged.tree) == expected);
    CHECK(merged.errors().empty());
  }
}

TEST_CASE("definitions are matched by name and by having parameters") {
  const Case cases[] = {
      {"same name", "define: { a: 1, b: 2 }\n", "define: { a: 3 }\n", "{define: {a: 3, b: 2}}"},
      {"other parameters", "define: { 'a(x)': 1 }\n", "define: { 'a(y, z)': 3 }\n", "{define: {a(y, z): 3}}"},
      {"a blank before them", "define: { 'a(x)': 1 }\n", "define: { 'a (y)': 3 }\n", "{define: {a (y): 3}}"},
      {"with and without", "define: { 'a(x)': 1 }\n", "define: { a: 3 }\n", "{define: {a(x): 1, a: 3}}"},
      {"removed by name", "define: { 'a(x)': 1, b: 2 }\n", "define: { a: }\n", "{define: {b: 2}}"},
      {"removed with parameters", "define: { 'a(x)': 1, a: 2 }\n", "define: { 'a(y)': }\n",
       "{define: {a: 2}}"},
      {"the plain one first", "define: { 'a(x)': 1, a: 2 }\n", "define: { a: }\n", "{define: {a(x): 1}}"},
  };
  for (const auto& [name, parent, child, expected] : cases) {
    INFO(name);
    const Merged merged(parent, child);
    CHECK(dumped(merged.tree) == expected);
    CHECK(merged.errors().empty());
  }
}

TEST_CASE("what is replaced is kept") {
  const Merged merged("turn: a\ndefine: { 'step(D)': x, other: z }\n",
                      "turn: b, inherited\ndefine: { 'step(E)': y }\n");
  const YamlEntry& turn = merged.tree.entries[0];
  REQUIRE(turn.replaced);
  CHECK(dumped(turn.replaced->value) == "a");
  CHECK(merged.sources.name(turn.replaced->value.text.file) == "parent.yaml");
  const Yaml* define = merged.tree.find("define");
  REQUIRE(define);
  REQUIRE(define->entries[0].replaced);
  CHECK(define->entries[0].replaced->key.text == "step(D)");
  CHECK_FALSE(define->entries[1].replaced);
}

TEST_CASE("what isn't there can't be removed") {
  const Merged section("setup: a\n", "set-up:\n");
  CHECK(section.errors().find("there is no `set-up` in the extended file to remove") != std::string::npos);
  CHECK(section.errors().find("did you mean `setup`?") != std::string::npos);
  const Merged entry("define: { 'castle(d)': 1 }\n", "define: { castel: }\n");
  CHECK(entry.errors().find("child.yaml:1:11") != std::string::npos);
  CHECK(entry.errors().find("did you mean `castle`?") != std::string::npos);
}

TEST_CASE("merging takes linear time") {
  std::string parent = "define:\n", child = "define:\n";
  for (int i = 0; i < 20'000; ++i) {
    parent += "  p" + std::to_string(i) + ": 1\n";
    child += "  p" + std::to_string(i) + (i % 2 == 0 ? ": 2\n" : ":\n") + "  q" + std::to_string(i) + ":\n";
  }
  const Merged merged(parent, child);
  CHECK(merged.tree.find("define")->entries.size() == 10'000);
  CHECK(merged.diagnostics.error_count() == 20'000);
}

} // namespace merge_test
