// Entry point: read_tests.
#include "dsl/position.hpp"
#include "dsl/section_keys.hpp"
#include "dsl/sections.hpp"
#include "dsl/shape.hpp"

#include <fmt/format.h>

#include <array>

namespace boardwright::dsl {
namespace {

constexpr std::string_view kTestExample = "{ name: opening, perft: [40, 1600] }";
constexpr std::string_view kMovesExample = "moves: a1-a2 a1-b2";

void read_test_position(const Yaml& value, TestEntry& test, Diagnostics& diagnostics) {
  if (auto position = read_position(value, diagnostics)) test.position = std::move(position);
}

// --- what a test expects

void winner(const Yaml& value, ExpectEntry& expect, Diagnostics& diagnostics) {
  if (expect_text(value, "`winner`", "winner: Black", diagnostics))
    expect.winner = to_name(value.text.trimmed());
}

// `none` alone is no move at all; a move that is written so needs a list.
void moves(const Yaml& value, ExpectEntry& expect, Diagnostics& diagnostics) {
  expect.moves = read_words(value, "`moves`", kMovesExample, diagnostics);
  if (expect.moves && value.is_scalar() && expect.moves->size() == 1 && expect.moves->front().text == "none")
    expect.moves->clear();
}

void moves_include(const Yaml& value, ExpectEntry& expect, Diagnostics& diagnostics) {
  expect.include = read_words(value, "`moves include`", kMovesExample, diagnostics);
}

void moves_exclude(const Yaml& value, ExpectEntry& expect, Diagnostics& diagnostics) {
  expect.exclude = read_words(value, "`moves exclude`", kMovesExample, diagnostics);
}

void count(const Yaml& value, ExpectEntry& expect, Diagnostics& diagnostics) {
  expect.count = read_value(value, "`count`", "count: 40", diagnostics);
}

constexpr std::array<Key<ExpectEntry>, 5> kExpectKeys = {{
    {"winner", winner},
    {"moves", moves},
    {"moves include", moves_include},
    {"moves exclude", moves_exclude},
    {"count", count},
}};

bool read_compared(const YamlEntry& entry, std::span<const Key<PositionEntry>> keys, ExpectEntry& expect,
                   Diagnostics& diagnostics) {
  PositionEntry position = expect.position.value_or(PositionEntry{});
  if (!read_key(entry, keys, position, diagnostics)) return false;
  position.span = entry.key.span();
  expect.position = std::move(position);
  return true;
}

std::vector<std::string> expectation_names() {
  auto known = key_names<PositionEntry>(compared_keys());
  for (const auto& key : kExpectKeys) known.emplace_back(key.name);
  return known;
}

// `after MOVE: { … }`
void read_after(const YamlEntry& entry, const Text& move, TestEntry& test, Diagnostics& diagnostics) {
  ExpectEntry expect;
  expect.move = to_name(move);
  expect.span = entry.key.span();
  const std::string what = in_backticks(entry.key.text);
  if (!expect_map(entry.value, what, "after a1-a2: { winner: Black }", diagnostics)) return;
  for (const auto& inner : entry.value.entries)
    if (!read_compared(inner, compared_keys(), expect, diagnostics) &&
        !read_key<ExpectEntry>(inner, kExpectKeys, expect, diagnostics))
      unknown_key(inner.key, what, expectation_names(), diagnostics);
  test.expect.push_back(std::move(expect));
}

// What the test says of its own position stands beside its other keys.
bool read_own_expectation(const YamlEntry& entry, ExpectEntry& expect, Diagnostics& diagnostics) {
  return read_key<ExpectEntry>(entry, kExpectKeys, expect, diagnostics) ||
         read_compared(entry, compared_keys().first(3), expect, diagnostics);
}

// --- a test

void name(const Yaml& value, TestEntry& test, Diagnostics& diagnostics) {
  if (expect_text(value, "`name`", "name: opening", diagnostics)) test.name = to_name(value.text.trimmed());
}

void settings(const Yaml& value, TestEntry& test, Diagnostics& diagnostics) {
  if (!expect_map(value, "`set`", "set: { size: 9 }", diagnostics)) return;
  for (const auto& entry : value.entries)
    if (auto word = read_word(entry.value, "a setting", "set: { size: 9 }", diagnostics))
      test.settings.emplace_back(to_name(entry.key), std::move(*word));
}

void add_perft(const Yaml& value, int depth, TestEntry& test, Diagnostics& diagnostics) {
  if (!expect_text(value, "a count of moves", "perft: [40, 1600]", diagnostics)) return;
  if (const auto number = whole_number(value.text.text))
    test.perft.push_back({depth, *number, value.span});
  else
    diagnostics.error("shape", value.span, in_backticks(value.text.text) + " is not a whole number");
}

// `4: 197281`
void add_perft_at(const YamlEntry& entry, TestEntry& test, Diagnostics& diagnostics) {
  const auto depth = whole_number(entry.key.text);
  if (depth && *depth >= 1 && *depth <= kMaxTestDepth)
    return add_perft(entry.value, static_cast<int>(*depth), test, diagnostics);
  diagnostics.error("shape", entry.key.span(), in_backticks(entry.key.text) + " is not a depth").expected =
      fmt::format("expected a whole number from 1 to {}, as in `perft: {{ 4: 197281 }}`", kMaxTestDepth);
}

void perft(const Yaml& value, TestEntry& test, Diagnostics& diagnostics) {
  if (value.is_scalar()) return add_perft(value, 1, test, diagnostics);
  if (value.is_map()) {
    for (const auto& entry : value.entries) add_perft_at(entry, test, diagnostics);
    return;
  }
  if (!expect_list(value, "`perft`", "perft: [40, 1600]", diagnostics)) return;
  int depth = 0;
  for (const Yaml& item : value.items) add_perft(item, ++depth, test, diagnostics);
}

void games(const Yaml& value, TestEntry& test, Diagnostics& diagnostics) {
  test.games = read_games(value, diagnostics);
}

constexpr std::array<Key<TestEntry>, 5> kTestKeys = {{
    {"name", name},
    {"set", settings},
    {"position", read_test_position},
    {"perft", perft},
    {"games", games},
}};

std::vector<std::string> test_names() {
  auto known = key_names<TestEntry>(kTestKeys);
  for (const auto& key : kExpectKeys) known.emplace_back(key.name);
  for (const char* other : {"after MOVE", "to_move", "state", "hands"}) known.emplace_back(other);
  return known;
}

void unknown_test_key(const Text& key, Diagnostics& diagnostics) {
  for (const char* other : {"draws", "plies", "seed"})
    if (key.text == other) {
      diagnostics
          .error("unknown-key", key.span(), fmt::format("unknown key {} in a test", in_backticks(key.text)))
          .help = "put it under `games`";
      return;
    }
  for (const char* other : {"cells", "fen", "play", "ply", "turns", "out"})
    if (key.text == other) {
      diagnostics
          .error("unknown-key", key.span(), fmt::format("unknown key {} in a test", in_backticks(key.text)))
          .help = "put it under `position`";
      return;
    }
  unknown_key(key, "a test", test_names(), diagnostics);
}

void read_test_key(const YamlEntry& entry, TestEntry& test, ExpectEntry& own, Diagnostics& diagnostics) {
  constexpr std::string_view kAfter = "after ";
  if (entry.key.text.starts_with(kAfter)) {
    const Text move = entry.key.part(kAfter.size(), entry.key.text.size()).trimmed();
    return read_after(entry, move, test, diagnostics);
  }
  if (read_own_expectation(entry, own, diagnostics)) return;
  if (!read_key<TestEntry>(entry, kTestKeys, test, diagnostics)) unknown_test_key(entry.key, diagnostics);
}

bool expects_anything(const ExpectEntry& expect) {
  return expect.position || expect.winner || expect.moves || expect.include || expect.exclude || expect.count;
}

bool expects_nothing(const TestEntry& test) {
  return test.perft.empty() && test.expect.empty() && !test.games;
}

TestEntry read_test(const Yaml& value, Diagnostics& diagnostics) {
  TestEntry test;
  test.span = value.entries.empty() ? value.span : value.entries.front().key.span();
  ExpectEntry own;
  own.span = test.span;
  for (const auto& entry : value.entries) read_test_key(entry, test, own, diagnostics);
  if (expects_anything(own)) test.expect.insert(test.expect.begin(), std::move(own));
  if (test.name.text.empty()) {
    diagnostics.error("shape", test.span, "this test has no name").expected =
        fmt::format("expected `name`, as in `{}`", kTestExample);
  } else if (expects_nothing(test) && !diagnostics.has_errors()) {
    diagnostics.warning("empty-test", test.name.span,
                        fmt::format("the test {} expects nothing", in_backticks(test.name.text)));
  }
  return test;
}

} // namespace

std::vector<std::string> test_keys() { return test_names(); }
std::vector<std::string> expectation_keys() { return expectation_names(); }

void read_tests(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  if (!expect_list(entry.value, "`tests`", "- { name: opening, perft: [40, 1600] }", diagnostics)) return;
  for (const Yaml& item : entry.value.items)
    if (expect_map(item, "a test", kTestExample, diagnostics))
      file.tests.push_back(read_test(item, diagnostics));
}

} // namespace boardwright::dsl
