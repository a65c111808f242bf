// Entry points: read_position, read_position_text.
#include "dsl/position.hpp"

#include "dsl/picture.hpp"
#include "dsl/section_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace boardwright::dsl {
namespace {

constexpr std::string_view kPositionExample = "position: { to_move: Black, cells: { c3: b, d4: w } }";
constexpr std::string_view kNoHand = "none";

bool is_word(const Yaml& value, std::string_view word) {
  return value.is_scalar() && value.text.trimmed().text == word;
}

void to_move(const Yaml& value, PositionEntry& position, Diagnostics& diagnostics) {
  position.to_move = read_word(value, "`to_move`", "to_move: Black", diagnostics);
}

// The pieces of a cell; nothing at all says that the cell is empty.
std::optional<Name> read_stack(const YamlEntry& entry, Diagnostics& diagnostics) {
  if (entry.value.kind == Yaml::Kind::empty) return Name{"", entry.key.span()};
  if (!expect_text(entry.value, in_backticks(entry.key.text), kPositionExample, diagnostics))
    return std::nullopt;
  return to_name(entry.value.text.trimmed());
}

bool board_is_given_twice(const PositionEntry& position, Span span, Diagnostics& diagnostics) {
  if (!position.has_board && !position.fen) return false;
  diagnostics.error("shape", span, "the board is given twice").help = "write either `cells` or `fen`";
  return true;
}

void cells(const Yaml& value, PositionEntry& position, Diagnostics& diagnostics) {
  if (board_is_given_twice(position, value.span, diagnostics)) return;
  position.has_board = true;
  if (value.is_scalar()) {
    position.picture = read_piece_picture(value, diagnostics);
    return;
  }
  if (!expect_map(value, "`cells`", "cells: { c3: b, d4: w }", diagnostics)) return;
  for (const auto& entry : value.entries)
    if (auto stack = read_stack(entry, diagnostics)) position.cells.emplace_back(to_name(entry.key), *stack);
}

void fen(const Yaml& value, PositionEntry& position, Diagnostics& diagnostics) {
  if (board_is_given_twice(position, value.span, diagnostics)) return;
  if (expect_text(value, "`fen`", "fen: 4k3/8/8/8/8/8/4P3/4K3 w", diagnostics))
    position.fen = value.text.trimmed();
}

void play(const Yaml& value, PositionEntry& position, Diagnostics& diagnostics) {
  position.play = read_words(value, "`play`", "play: c3-c4 d6-d5", diagnostics);
}

// One player's hand: pieces by kind, or `none`.
void hand(const YamlEntry& player, std::string_view example, PositionEntry& position,
          Diagnostics& diagnostics) {
  HandsOfPlayer counts{to_name(player.key), is_word(player.value, kNoHand), {}};
  if (!counts.none) {
    if (!expect_map(player.value, "a hand", example, diagnostics)) return;
    for (const auto& kind : player.value.entries)
      if (auto count = read_value(kind.value, "a number of pieces", example, diagnostics))
        counts.counts.emplace_back(to_name(kind.key), std::move(*count));
  }
  position.hands.push_back(std::move(counts));
}

void hands(const Yaml& value, PositionEntry& position, Diagnostics& diagnostics) {
  constexpr std::string_view kExample = "hands: { Black: { man: 3 } }";
  position.no_hands = is_word(value, kNoHand);
  if (position.no_hands || !expect_map(value, "`hands`", kExample, diagnostics)) return;
  for (const auto& player : value.entries) hand(player, kExample, position, diagnostics);
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

void out(const Yaml& value, PositionEntry& position, Diagnostics& diagnostics) {
  position.out = read_words(value, "`out`", "out: Red", diagnostics);
}

constexpr std::array<Key<PositionEntry>, 9> kPositionKeys = {{
    {"to_move", to_move},
    {"cells", cells},
    {"fen", fen},
    {"play", play},
    {"hands", hands},
    {"state", state},
    {"ply", ply},
    {"turns", turns},
    {"out", out},
}};

constexpr std::array<Key<PositionEntry>, 4> kComparedKeys = {{
    {"to_move", to_move},
    {"hands", hands},
    {"state", state},
    {"cells", cells},
}};

// One line with a `/` in it; a picture of one rank has none.
bool is_fen(const Text& text) {
  const Text line = text.trimmed();
  return line.text.find('/') != std::string::npos && line.text.find('\n') == std::string::npos;
}

// `key:` at the beginning of a line, or a bracket: what a picture or a FEN doesn't have.
bool is_entry(std::string_view line) {
  const auto begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return false;
  line.remove_prefix(begin);
  if (line.front() == '{' || line.front() == '[' || line.front() == '"') return true;
  const auto colon = line.find(':');
  return colon != std::string_view::npos && is_identifier(line.substr(0, colon)) &&
         (colon + 1 == line.size() || line[colon + 1] == ' ' || line[colon + 1] == '\r');
}

bool holds_entries(std::string_view text) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (is_entry(text.substr(0, end))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

// The text as it stands, as if it were written below `position: |`.
Yaml literal(const std::string& text, FileId file) {
  Yaml block;
  block.kind = Yaml::Kind::scalar;
  block.style = Yaml::Style::literal;
  block.text = {text, std::vector<std::uint32_t>(text.size() + 1), file};
  std::iota(block.text.offsets.begin(), block.text.offsets.end(), 0U);
  block.span = block.text.span();
  return block;
}

} // namespace

std::optional<PositionEntry> read_position(const Yaml& value, Diagnostics& diagnostics) {
  PositionEntry position;
  position.span = value.span;
  if (value.is_scalar()) {
    is_fen(value.text) ? fen(value, position, diagnostics) : cells(value, position, diagnostics);
    if (position.picture.size() == 1) position.line = value.text.trimmed();
    return position;
  }
  if (!expect_map(value, "a position", kPositionExample, diagnostics)) return std::nullopt;
  read_keys<PositionEntry>(value, "a position", kPositionKeys, position, diagnostics);
  return position;
}

std::optional<PositionEntry> read_position_text(const Sources& sources, FileId file,
                                                Diagnostics& diagnostics) {
  const std::string& text = sources.text(file);
  if (text.size() <= kMaxFileBytes && !holds_entries(text))
    return read_position(literal(text, file), diagnostics);
  const auto yaml = read_yaml(sources, file, diagnostics);
  if (!yaml) return std::nullopt;
  return read_position(*yaml, diagnostics);
}

std::vector<std::string> position_keys() { return key_names<PositionEntry>(kPositionKeys); }

std::span<const Key<PositionEntry>> compared_keys() { return kComparedKeys; }

} // namespace boardwright::dsl
