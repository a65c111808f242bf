// Entry points: read_sections, read_vocabulary.
#include "dsl/sections.hpp"

#include "dsl/about.hpp"
#include "dsl/section_keys.hpp"
#include "dsl/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

namespace boardwright::dsl {
namespace {

struct Section {
  std::string_view name;
  void (*read)(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
  std::string_view example; // of a section that every file needs
};

void skip(const YamlEntry&, RuleFile&, Diagnostics&) {} // read_rule_file has followed it

void keep(const YamlEntry& entry, std::vector<std::pair<Name, Yaml>>& into, Diagnostics& diagnostics) {
  if (!expect_map(entry.value, in_backticks(entry.key.text), entry.key.text + ": { … }", diagnostics)) return;
  for (const auto& inner : entry.value.entries) into.emplace_back(to_name(inner.key), inner.value);
}

void read_look(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  keep(entry, file.look, diagnostics);
}

void read_check(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  keep(entry, file.check, diagnostics);
}

constexpr std::array kSections = {
    Section{"game", read_game, "game: My Game"},
    Section{"about", read_about, ""},
    Section{"boardwright", skip, ""},
    Section{"extends", skip, ""},
    Section{"use", skip, ""},
    Section{"players", read_players, "players: { White: north, Black: south }"},
    Section{"first", read_first, ""},
    Section{"board", read_board, "board: { squares: 8 by 8 }"},
    Section{"pieces", read_pieces, "pieces: { man: w b }"},
    Section{"hands", read_hands, ""},
    Section{"setup", read_setup, ""},
    Section{"state", read_state, ""},
    Section{"sees", read_sees, ""},
    Section{"options", read_options, ""},
    Section{"define", read_define, ""},
    Section{"turn", read_turn, "turn: from own, step(forward, empty)"},
    Section{"end", read_end, ""},
    Section{"tests", read_tests, ""},
    Section{"look", read_look, ""},
    Section{"check", read_check, ""},
};

const Section* section_named(std::string_view name) {
  const auto found =
      std::find_if(kSections.begin(), kSections.end(), [&](const Section& s) { return s.name == name; });
  return found == kSections.end() ? nullptr : &*found;
}

bool is_file(const Yaml& root, Diagnostics& diagnostics) {
  return expect_map(root, "a rule file", "game: My Game", diagnostics);
}

// What other languages, and people, call sections.
const std::map<std::string_view, std::string_view, std::less<>> kOtherNames{
    {"start", "setup"},       {"initial", "setup"},   {"position", "setup"}, {"placement", "setup"},
    {"moves", "turn"},        {"move", "turn"},       {"play", "turn"},      {"rules", "turn"},
    {"ending", "end"},        {"win", "end"},         {"winner", "end"},     {"result", "end"},
    {"variables", "state"},   {"vars", "state"},      {"values", "state"},   {"definitions", "define"},
    {"functions", "define"},  {"macros", "define"},   {"name", "game"},      {"title", "game"},
    {"description", "about"}, {"info", "about"},      {"metadata", "about"}, {"import", "use"},
    {"include", "use"},       {"variant", "extends"}, {"reserve", "hands"},  {"display", "look"}};

// What is a section elsewhere, and how it is said here.
constexpr std::string_view kRolled = "nature moves by a step of the turn: `turn: roll n in 1 .. 6, …`";
constexpr std::string_view kHidden =
    "what a player sees is a section `sees: { cells: own }`; a variable that only its player sees is one of "
    "the state: `card: { private: 0 }`";
constexpr std::string_view kAtOnce =
    "one chooses after the other, `secretly (choose n in 1 .. 6, set bid = n)`, and the last one's move goes "
    "on with what both have chosen";
const std::map<std::string_view, std::string_view, std::less<>> kElsewhere{
    {"dice", kRolled},    {"die", kRolled},     {"random", kRolled},       {"chance", kRolled},
    {"nature", kRolled},  {"cards", kRolled},   {"deck", kRolled},         {"hidden", kHidden},
    {"visible", kHidden}, {"private", kHidden}, {"simultaneous", kAtOnce}, {"information", kHidden}};

// A section that is missing because its name was mistyped is told once.
using Mistyped = std::set<std::string, std::less<>>;

void unknown_section(const Text& key, Mistyped& mistyped, Diagnostics& diagnostics) {
  auto& error = diagnostics.error("unknown-section", key.span(), "unknown section " + in_backticks(key.text));
  if (const auto told = kElsewhere.find(key.text); told != kElsewhere.end()) {
    error.help = told->second;
    return;
  }
  const auto meant = kOtherNames.find(key.text);
  const std::string near =
      meant != kOtherNames.end() ? std::string(meant->second) : nearest(key.text, section_names());
  if (near.empty()) return;
  error.help = fmt::format("did you mean `{}`?", near);
  mistyped.insert(near);
}

// A section without anything in it (all its lines commented out) is as if it were not there.
const YamlEntry* entry_of(const Section& section, const Yaml& root) {
  for (const auto& entry : root.entries)
    if (entry.key.text == section.name && entry.value.kind != Yaml::Kind::empty) return &entry;
  return nullptr;
}

void report_missing(const Section& section, FileId file, Diagnostics& diagnostics) {
  auto& error = diagnostics.error("missing-section", {file, 0, 0},
                                  fmt::format("the section {} is missing", in_backticks(section.name)));
  error.expected = fmt::format("expected a section like `{}`", section.example);
}

// Nobody could call such a definition. In a rule file the interpreter finds it with all other clashes of
// names.
void refuse_keywords(const std::vector<Definition>& definitions, Diagnostics& diagnostics) {
  for (const Definition& definition : definitions)
    if (is_keyword(definition.name.text))
      diagnostics.error("reserved", definition.name.span,
                        in_backticks(definition.name.text) + " is a reserved word");
}

std::vector<std::string> joined_keys(std::vector<std::string> some, const std::vector<std::string>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

} // namespace

std::vector<std::string> section_names() {
  std::vector<std::string> names;
  for (const Section& section : kSections) names.emplace_back(section.name);
  return names;
}

std::vector<std::pair<std::string, std::vector<std::string>>> keys_of_sections() {
  return {{"", section_names()},
          {"about", {std::string(kAim), std::string(kKinds), std::string(kTerms)}},
          {"board", board_keys()},
          {"setup", setup_keys()},
          {"state.*", joined_keys({"each", "private", "hidden", "clock"}, piece_value_keys())},
          {"sees", sees_keys()},
          {"options.*", option_keys()},
          {"tests.-", test_keys()},
          {"tests.-.position", position_keys()},
          {"tests.-.games", games_keys()},
          {"tests.-.after", expectation_keys()}};
}

void read_sections(const Yaml& root, RuleFile& file, Diagnostics& diagnostics) {
  if (!is_file(root, diagnostics)) return;
  Mistyped mistyped;
  for (const auto& entry : root.entries)
    if (section_named(entry.key.text) == nullptr) unknown_section(entry.key, mistyped, diagnostics);
  // In the table's order: pieces are checked against the players, wherever in the file those stand.
  for (const Section& section : kSections) {
    if (const YamlEntry* entry = entry_of(section, root))
      section.read(*entry, file, diagnostics);
    else if (!section.example.empty() && !mistyped.contains(section.name))
      report_missing(section, file.file, diagnostics);
  }
}

std::vector<Definition> read_vocabulary(const Yaml& root, Diagnostics& diagnostics) {
  RuleFile file;
  if (!expect_map(root, "a vocabulary", "define: { … }", diagnostics)) return {};
  for (const auto& entry : root.entries) {
    // `options` and `look` lie below those of the game: read_rule_file.
    if (entry.key.text == "about" || entry.key.text == "options" || entry.key.text == "look") continue;
    if (entry.key.text == "define") {
      if (entry.value.kind != Yaml::Kind::empty) read_define(entry, file, diagnostics);
      continue;
    }
    auto& error =
        diagnostics.error("unknown-section", entry.key.span(),
                          in_backticks(entry.key.text) + " can't be in a file that is named by `use`");
    error.expected = "expected `define`, `options`, `look` or `about` and nothing else";
  }
  refuse_keywords(file.define, diagnostics);
  return std::move(file.define);
}

void read_game(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  if (expect_text(entry.value, "`game`", "game: My Game", diagnostics))
    file.game = to_name(entry.value.text.trimmed());
}

namespace {

// `kinds` or `terms`: texts under names, which are kept behind a prefix.
void read_texts(const YamlEntry& entry, std::string_view prefix, std::string_view example, RuleFile& file,
                Diagnostics& diagnostics) {
  if (!expect_map(entry.value, in_backticks(entry.key.text), example, diagnostics)) return;
  for (const auto& inner : entry.value.entries) {
    if (!expect_text(inner.value, in_backticks(inner.key.text), example, diagnostics)) continue;
    Name name = to_name(inner.key);
    name.text.insert(0, prefix);
    file.about.emplace_back(std::move(name), inner.value.text.trimmed().text);
  }
}

} // namespace

void read_about(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  if (entry.value.is_scalar()) {
    file.about.emplace_back(Name{"", entry.value.span}, entry.value.text.trimmed().text);
    return;
  }
  constexpr std::string_view kExample = "about: { author: Ann Example, year: 2000 }";
  if (!expect_map(entry.value, "`about`", kExample, diagnostics)) return;
  for (const auto& inner : entry.value.entries)
    if (inner.key.text == kKinds)
      read_texts(inner, kOfKind, "kinds: { man: \"steps forward\" }", file, diagnostics);
    else if (inner.key.text == kTerms)
      read_texts(inner, kOfTerm, "terms: { taken: the men that you have taken }", file, diagnostics);
    else if (expect_text(inner.value, in_backticks(inner.key.text), kExample, diagnostics))
      file.about.emplace_back(to_name(inner.key), inner.value.text.trimmed().text);
}

} // namespace boardwright::dsl
