#include "tools/english/player_rules.hpp"

#include "dsl/about.hpp"
#include "interpreter/look/look.hpp"
#include "tools/console/console.hpp"
#include "tools/console/wrapped.hpp"
#include "tools/english/nouns.hpp"
#include "tools/english/plain_words.hpp"
#include "tools/games/about_text.hpp"
#include "tools/games/board_shape.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {
namespace {

using runtime::Program;

std::string made_by(const Program& program) {
  std::string text;
  for (const char* key : {"author", "authors", "year"})
    if (const auto told_there = told(program.about, key); !told_there.empty())
      text += (text.empty() ? "" : ", ") + std::string(told_there);
  return text;
}

std::string players_of(const Program& program) {
  std::string text;
  const std::size_t count = program.players.size();
  for (std::size_t i = 0; i < count; ++i)
    text += (i == 0 ? "" : i + 1 == count ? " and " : ", ") + program.players[i].name;
  if (count == 1) return text;
  const auto first = static_cast<std::size_t>(program.initial.to_move);
  return text + "; " + runtime::with_verb(program.players[first].name, "begin");
}

// "White P, Black p", each behind the sign that the board has for it: "Sente 鷹 L, Gote 鷹 l". Of several
// kinds those of each player together: "White a b c, Black A B C".
std::string letters_of(const Program& program, const interpreter::Look& look,
                       const std::vector<std::size_t>& kinds) {
  std::string text;
  for (std::size_t i = 0; i <= program.players.size(); ++i) {
    std::string his;
    for (const std::size_t number : kinds) {
      const runtime::Kind& kind = program.kinds[number];
      if (i >= kind.letter.size() || kind.letter[i] == 0) continue;
      const std::string glyph = i < look.pieces[number].size() ? look.pieces[number][i].glyph : std::string();
      his += fmt::format(" {}{}{}", glyph, glyph.empty() ? "" : " ", kind.letter[i]);
    }
    const std::string owner = i < program.players.size() ? program.players[i].name : "neutral";
    if (!his.empty()) text += (text.empty() ? "" : ", ") + owner + his;
  }
  return text;
}

// The kinds of a family, told together, where nothing is told of one alone.
std::vector<std::size_t> told_together(const interpreter::Loaded& loaded, std::size_t first) {
  const Program& program = loaded.rules->program();
  std::vector<std::size_t> alone{first};
  for (const dsl::FamilyEntry& family : loaded.file->families) {
    std::vector<std::size_t> members;
    for (const dsl::FamilyMember& member : family.members)
      for (std::size_t i = 0; i < program.kinds.size(); ++i)
        if (program.kinds[i].name == member.kind) members.push_back(i);
    if (members.size() < 2 || members.front() != first) continue;
    const auto text = [&](std::size_t kind) {
      return movement_told(program.about, program.kinds[kind].name);
    };
    const bool alike = std::all_of(members.begin(), members.end(),
                                   [&](std::size_t kind) { return text(kind) == text(first); });
    return alike ? members : alone;
  }
  return alone;
}

// "round(2) to round(16)"
std::string name_of_kinds(const Program& program, const std::vector<std::size_t>& kinds) {
  const std::string& first = program.kinds[kinds.front()].name;
  if (kinds.size() == 1) return first;
  return fmt::format("{} {} {}", first, kinds.size() == 2 ? "and" : "to", program.kinds[kinds.back()].name);
}

std::string option_line(const runtime::Option& option) {
  std::string text = fmt::format("{} = {}", option.name, option.value);
  if (!option.values.empty()) text += fmt::format(", one of {}", fmt::join(option.values, ", "));
  if (option.range) text += fmt::format(", from {} to {}", option.range->first, option.range->second);
  if (option.values.empty() && (option.value == "true" || option.value == "false"))
    text += ", or " + std::string(option.value == "true" ? "false" : "true");
  return option.help.empty() ? text : text + ": " + option.help;
}

std::vector<std::string> moving(const ExampleMoves& examples) {
  std::vector<std::string> sentences;
  if (!examples.first.empty()) sentences.push_back(fmt::format("A move is written like {}.", examples.first));
  if (!examples.others.empty())
    sentences.push_back(fmt::format("Others are written like {}.", fmt::join(examples.others, ", ")));
  if (examples.must_take) sentences.emplace_back("Whoever can take something must.");
  if (examples.may_pass) sentences.emplace_back("One may pass: write `pass`.");
  if (examples.must_pass && !examples.may_pass) sentences.emplace_back("Whoever can do nothing else passes.");
  return sentences;
}

std::string section(const std::string& heading, const std::string& text) {
  return text.empty() ? "" : fmt::format("\n{}\n{}", heading, indented(text));
}

std::string paragraphs(const std::vector<std::string>& lines, std::size_t width) {
  std::string text;
  for (const std::string& line : lines) text += wrapped(line, width) + "\n";
  return text;
}

std::string kinds_text(const std::vector<KindRules>& kinds, std::size_t width) {
  std::string text;
  for (const KindRules& kind : kinds) {
    std::string line = fmt::format("{} ({})", kind.name, kind.letters);
    if (!kind.text.empty()) line += ": " + kind.text;
    text += wrapped(line, width) + "\n";
    std::string shown;
    for (const ExampleMove& example : kind.examples)
      shown += (shown.empty() ? "such as " : ", ") + example_text(example);
    if (!shown.empty()) text += indented(wrapped(shown, width - 2));
  }
  return text;
}

} // namespace

std::string example_text(const ExampleMove& example) {
  switch (example.sort) {
  case ExampleMove::Sort::goes: break;
  case ExampleMove::Sort::takes: return example.move + " (takes something)";
  case ExampleMove::Sort::changes:
    return fmt::format("{} (becomes {})", example.move, with_article(example.turned_into));
  case ExampleMove::Sort::enters: return example.move + " (enters the board)";
  }
  return example.move;
}

PlayerRules player_rules(const interpreter::Loaded& loaded, const runtime::Game& beginning) {
  const Program& program = loaded.rules->program();
  ExampleMoves examples = example_moves(beginning);
  const interpreter::Look look = interpreter::look_of(loaded);
  PlayerRules rules;
  rules.title = program.game;
  rules.made_by = made_by(program);
  rules.players = players_of(program);
  rules.board = board_shape(program.board);
  rules.summary = std::string(told(program.about, "summary"));
  if (rules.summary.empty()) rules.summary = std::string(told(program.about, ""));
  rules.aim = std::string(told(program.about, dsl::kAim));
  std::vector<bool> is_told(program.kinds.size());
  for (std::size_t i = 0; i < program.kinds.size(); ++i) {
    if (is_told[i]) continue;
    const std::vector<std::size_t> kinds = told_together(loaded, i);
    std::vector<ExampleMove> shown; // of the first one that has any
    for (const std::size_t kind : kinds) {
      is_told[kind] = true;
      if (shown.empty()) shown = std::move(examples.of_kind[kind]);
    }
    rules.kinds.push_back({name_of_kinds(program, kinds), letters_of(program, look, kinds),
                           std::string(movement_told(program.about, program.kinds[i].name)),
                           std::move(shown)});
  }
  rules.moving = moving(examples);
  rules.endings = plain_endings(loaded);
  for (const runtime::Option& option : program.options) rules.options.push_back(option_line(option));
  return rules;
}

std::string player_rules_text(const PlayerRules& rules, int width) {
  constexpr int kNarrow = 30, kWide = 80, kMargin = 4;
  const auto room = static_cast<std::size_t>(std::clamp(width, kNarrow, kWide) - kMargin);
  std::string text = rules.title + "\n";
  if (!rules.made_by.empty()) text += indented(wrapped(rules.made_by, room));
  text += indented(fmt::format("{}\n{}", rules.players, rules.board));
  text += section("Aim", wrapped(rules.aim, room));
  text += section("In short", wrapped(rules.summary, room));
  text += section("Pieces", kinds_text(rules.kinds, room));
  text += section("Moves", paragraphs(rules.moving, room));
  text += section("The end", paragraphs(rules.endings, room));
  text += section("Options, for --set", paragraphs(rules.options, room));
  return printable(text);
}

} // namespace boardwright::tools
