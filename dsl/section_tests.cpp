// Entry point: read_tests.
#include "dsl/picture.hpp"
#include "dsl/sections.hpp"
#include "dsl/shape.hpp"

#include <fmt/format.h>

#include <array>

namespace boardwright::dsl {
namespace {

constexpr std::string_view kTestExample = "{ name: opening, perft: [40, 1600] }";
constexpr std::string_view kPositionExample = "position: { to_move: Black, cells: { c3: b, d4: w } }";
constexpr std::string_view kMovesExample = "moves: a1-a2 a1-b2";

// --- a position, and what is compared of one

void to_move(const Yaml& value, PositionEntry& position, Diagnostics& diagnostics) {
  position.to_move = read_word(value, "`to_move`", "to_move: Black", diagnostics);
}

// The pieces of a cell; nothing at all says that the cell is empty.
std::optional<Name> read_stack(const YamlEntry& entry, Diagnostics& diagnostics) {
  if (entry.value.kind == Yaml::Kind::empty) return Name{"", entry.key.span()};
  if (!expect_text(entry.value, quoted(entry.key.text), kPositionExample, diagnostics)) return std::nullopt;
  return to_name(entry.value.text.trimmed());
}

void cells(const Yaml& value, PositionEntry& position, Diagnostics& diagnostics) {
  position.has_board = true;
  if (value.is_scalar()) {
    position.picture = read_piece_picture(value, diagnostics);
    return;
  }
  if (!expect_map(value, "`cells`", "cells: { c3: b, d4: w }", diagnostics)) return;
  for (const auto& entry : value.entries)
    if (auto stack = read_stack(entry, diagnostics)) position.cells.emplace_back(to_name(entry.key), *stack);
}

void play(const Yaml& value, PositionEntry& position, Diagnostics& diagnostics) {
  position.play = read_words(value, "`play`", "play: c3-c4 d6-d5", diagnostics);
}

void hands(const Yaml& value, PositionEntry& position, Diagnostics& diagnostics) {
  constexpr std::string_view kExample = "hands: { Black: { man: 3 } }";
  if (!expect_map(value, "`hands`", kExample, diagnostics)) return;
  for (const auto& player : value.entries) {
    if (!expect_map(player.value, "a hand", kExample, diagnostics)) continue;
    std::vector<std::pair<Name, Ast>> counts;
    for (const auto& kind : player.value.entries)
      if (auto count = read_value(kind.value, "a number of pieces", kExample, diagnostics))
        counts.emplace_back(to_name(kind.key), std::move(*count));
    position.hands.emplace_back(to_name(player.key), std::move(counts));
  }
}

void state(const Yaml& value, PositionEntry& position, Diagnostics& diagnostics) {
  if (!expect_map(value, "`state`", "state: { passes: 1 }", diagnostics)) return;
  for (const auto& variable : value.entries)
    position.state.emplace_back(to_name(variable.key), variable.value);
}

void ply(const Yaml& value, PositionEntry& position, Diagnostics& diagnostics) {
  position.ply = read_value(value, "`ply`", "ply: 0", diagnostics);
}

void turns(const Yaml& value, PositionEntry& position, Diagnostics& diagnostics) {
  constexpr std::string_view kExample = "turns: { Black: 1, White: 1 }";
  if (!expect_map(value, "`turns`", kExample, diagnostics)) return;
  for (const auto& player : value.entries)
    if (auto count = read_value(player.value, "a number of turns", kExample, diagnostics))
      position.turns.emplace_back(to_name(player.key), std::move(*count));
}

constexpr std::array<Key<PositionEntry>, 7> kPositionKeys = {{
    {"to_move", to_move},
    {"cells", cells},
    {"play", play},
    {"hands", hands},
    {"state", state},
    {"ply", ply},
    {"turns", turns},
}};

// What can be expected of a position: `kComparedKeys` of the board after a move, and of the test's own
// position all of these but the board, which the test gives itself.
constexpr std::array<Key<PositionEntry>, 4> kComparedKeys = {{
    {"to_move", to_move},
    {"hands", hands},
    {"state", state},
    {"cells", cells},
}};

void read_position(const Yaml& value, TestEntry& test, Diagnostics& diagnostics) {
  PositionEntry position;
  position.span = value.span;
  if (value.is_scalar()) {
    cells(value, position, diagnostics);
  } else {
    if (!expect_map(value, "`position`", kPositionExample, diagnostics)) return;
    read_keys<PositionEntry>(value, "`position`", kPositionKeys, position, diagnostics);
  }
  test.position = std::move(position);
}

// --- what a test expects

void winner(const Yaml& value, ExpectEntry& expect, Diagnostics& diagnostics) {
  if (expect_text(value, "`winner`", "winner: Black", diagnostics))
    expect.winner = to_name(value.text.trimmed());
}

void moves(const Yaml& value, ExpectEntry& expect, Diagnostics& diagnostics) {
  expect.moves = read_words(value, "`moves`", kMovesExample, diagnostics);
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
  auto known = key_names<PositionEntry>(kComparedKeys);
  for (const auto& key : kExpectKeys) known.emplace_back(key.name);
  return known;
}

// `after MOVE: { … }`
void read_after(const YamlEntry& entry, const Text& move, TestEntry& test, Diagnostics& diagnostics) {
  ExpectEntry expect;
  expect.move = to_name(move);
  expect.span = entry.key.span();
  const std::string what = quoted(entry.key.text);
  if (!expect_map(entry.value, what, "after a1-a2: { winner: Black }", diagnostics)) return;
  for (const auto& inner : entry.value.entries)
    if (!read_compared(inner, kComparedKeys, expect, diagnostics) &&
        !read_key<ExpectEntry>(inner, kExpectKeys, expect, diagnostics))
      unknown_key(inner.key, what, expectation_names(), diagnostics);
  test.expect.push_back(std::move(expect));
}

// What the test says of its own position stands beside its other keys.
bool read_own_expectation(const YamlEntry& entry, ExpectEntry& expect, Diagnostics& diagnostics) {
  return read_key<ExpectEntry>(entry, kExpectKeys, expect, diagnostics) ||
         read_compared(entry, std::span(kComparedKeys).first<3>(), expect, diagnostics);
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

void add_perft(const Yaml& value, TestEntry& test, Diagnostics& diagnostics) {
  if (!expect_text(value, "a count of moves", "perft: [40, 1600]", diagnostics)) return;
  if (const auto number = whole_number(value.text.text))
    test.perft.emplace_back(*number, value.span);
  else
    diagnostics.error("shape", value.span, quoted(value.text.text) + " is not a whole number");
}

void perft(const Yaml& value, TestEntry& test, Diagnostics& diagnostics) {
  if (value.is_scalar()) return add_perft(value, test, diagnostics);
  if (!expect_list(value, "`perft`", "perft: [40, 1600]", diagnostics)) return;
  for (const Yaml& item : value.items) add_perft(item, test, diagnostics);
}

constexpr std::array<Key<TestEntry>, 4> kTestKeys = {{
    {"name", name},
    {"set", settings},
    {"position", read_position},
    {"perft", perft},
}};

std::vector<std::string> test_names() {
  auto known = key_names<TestEntry>(kTestKeys);
  for (const auto& key : kExpectKeys) known.emplace_back(key.name);
  for (const char* other : {"after MOVE", "to_move", "state", "hands"}) known.emplace_back(other);
  return known;
}

void unknown_test_key(const Text& key, Diagnostics& diagnostics) {
  for (const char* other : {"cells", "play", "ply", "turns"})
    if (key.text == other) {
      diagnostics.error("unknown-key", key.span(), fmt::format("unknown key {} in a test", quoted(key.text)))
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

bool expects_nothing(const TestEntry& test) { return test.perft.empty() && test.expect.empty(); }

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
                        fmt::format("the test {} expects nothing", quoted(test.name.text)));
  }
  return test;
}

} // namespace

void read_tests(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  if (!expect_list(entry.value, "`tests`", "- { name: opening, perft: [40, 1600] }", diagnostics)) return;
  for (const Yaml& item : entry.value.items)
    if (expect_map(item, "a test", kTestExample, diagnostics))
      file.tests.push_back(read_test(item, diagnostics));
}

} // namespace boardwright::dsl
