#include "tools/games/plain_words.hpp"

#include "dsl/about.hpp"
#include "interpreter/counts.hpp"
#include "interpreter/look.hpp"
#include "interpreter/text_places.hpp"
#include "runtime/model/shares.hpp"
#include "tools/games/about_text.hpp"
#include "tools/games/game_choice.hpp"
#include "tools/games/move_endings.hpp"
#include "tools/games/nouns.hpp"
#include "tools/games/rule_sources.hpp"
#include "tools/games/speaker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {
namespace {

using dsl::Ast;
using dsl::Form;
using interpreter::Loaded;
using runtime::Outcome;
using runtime::Program;

// A game of two: who is not among the winners.
std::string other_of(const Program& program, std::uint32_t winners) {
  for (std::size_t i = 0; i < program.players.size(); ++i)
    if ((winners >> i & 1U) == 0) return program.players[i].name;
  return "";
}

// A line that names a player is read from his side.
Sides sides_named(const Program& program, const std::string& player) {
  std::string other = "the others";
  for (const auto& one : program.players)
    if (program.players.size() == 2 && one.name != player) other = one.name;
  return {player, other};
}

// Of `share 1/4 to me, 3/4 to enemy`: has the player to move less?
bool gives_more_to_enemy(const dsl::EndRule& line) {
  double own = 0, enemys = 0;
  for (const dsl::SharePart& part : line.shares)
    (part.player == "me" ? own : enemys) = static_cast<double>(part.above) / static_cast<double>(part.below);
  return enemys > own;
}

// "3/4 of the point to your opponent, 1/4 to you"
std::string division_of(const dsl::EndRule& line, const Sides& sides) {
  std::string text;
  for (const dsl::SharePart& part : line.shares) {
    const std::string who = part.player == "me"      ? sides.own
                            : part.player == "enemy" ? sides.enemy
                                                     : part.player;
    const std::string much =
        part.below == 1 ? std::to_string(part.above) : fmt::format("{}/{}", part.above, part.below);
    text +=
        fmt::format("{}{}{} to {}", text.empty() ? "" : ", ", much, text.empty() ? " of the point" : "", who);
  }
  return text;
}

Sides sides_at_end(const Program& program, const Outcome& outcome, const dsl::EndRule& line) {
  if (!line.player.empty()) return sides_named(program, line.player);
  const auto winners = outcome.winners;
  std::string winner;
  for (std::size_t i = 0; i < program.players.size(); ++i)
    if ((winners >> i & 1U) != 0) winner = program.players[i].name;
  const bool decided = program.players.size() == 2 && !winner.empty();
  if (decided && line.verdict == dsl::EndVerdict::lose) return {other_of(program, winners), winner};
  if (decided && line.verdict == dsl::EndVerdict::share && gives_more_to_enemy(line))
    return {other_of(program, winners), winner};
  if (decided && (line.verdict == dsl::EndVerdict::win || line.verdict == dsl::EndVerdict::share))
    return {winner, other_of(program, winners)};
  return {"a player", "the opponent"};
}

std::string won_by(const Program& program, const Outcome& outcome) {
  if (outcome.shares != 0) return runtime::shares_text(program, outcome.shares);
  const auto winners = winners_of(program, outcome);
  if (winners.empty()) return "a draw";
  if (winners.size() == 1) return runtime::with_verb(winners.front(), "win");
  return fmt::format("{} share the win", fmt::join(winners, " and "));
}

// Of a `win`, `lose` or `draw` in a move. A win that has no plain words is what the game is about.
Words reason_of_decision(const Loaded& loaded, const Outcome& outcome) {
  const Program& program = loaded.rules->program();
  const auto place = interpreter::TextPlaces(program, *loaded.file, loaded.sources).span_of(outcome.origin);
  const auto winners = winners_of(program, outcome);
  if (!place || program.players.size() != 2 || winners.size() != 1) return Words();
  const std::string other = other_of(program, outcome.winners);
  const bool won = source_text(loaded.sources, *place) == "win";
  if (const Words words =
          reason_of_move(loaded, *place, won ? Sides{winners.front(), other} : Sides{other, winners.front()}))
    return words;
  const std::string_view aim = told(program.about, dsl::kAim);
  return won && !aim.empty() ? Words("the aim was: " + std::string(aim)) : Words();
}

Words reason_in_words(const Loaded& loaded, const Outcome& outcome) {
  if (outcome.by == Outcome::By::last_left) return "nobody else is left";
  if (const dsl::EndRule* line = end_line_of(loaded, outcome.origin)) {
    const Sides sides = sides_at_end(loaded.rules->program(), outcome, *line);
    return Speaker(loaded, sides).condition(line->condition);
  }
  if (outcome.by == Outcome::By::no_move) return "no move is left";
  return outcome.by == Outcome::By::move ? reason_of_decision(loaded, outcome) : Words();
}

std::string verdict_of(const Program& program, const dsl::EndRule& line) {
  const std::string who = line.player.empty() ? "You" : line.player;
  const bool one = who != "You" && !is_plural(who);
  if (line.verdict == dsl::EndVerdict::win) return who + (one ? " wins" : " win");
  if (program.players.size() > 2 && line.player.empty()) return "You are out";
  return who + (one ? " loses" : " lose");
}

// From whose side a line is told.
Sides sides_of_line(const Program& program, const dsl::EndRule& line) {
  const bool many = program.players.size() > 2;
  return line.player.empty() ? Sides{"you", many ? "your opponents" : "your opponent"}
                             : sides_named(program, line.player);
}

Words condition_of(const Loaded& loaded, const dsl::EndRule& line) {
  const Speaker speaker(loaded, sides_of_line(loaded.rules->program(), line));
  return speaker.settled(line.condition) == std::optional(false) ? Words()
                                                                 : speaker.condition(line.condition);
}

std::string sentence_of(const Loaded& loaded, const dsl::EndRule& line, const Words& when) {
  const Program& program = loaded.rules->program();
  const Sides sides = sides_of_line(program, line);
  const Speaker speaker(loaded, sides);
  if (speaker.settled(line.condition) == std::optional(false)) return "";
  if (!when) return fmt::format("By the line `{}`.", on_one_line(source_text(loaded.sources, line.span)));
  const std::string condition = when->empty() ? "" : " if " + *when;
  if (line.verdict == dsl::EndVerdict::draw) return fmt::format("The game is a draw{}.", condition);
  if (line.verdict == dsl::EndVerdict::share)
    return fmt::format("The game ends{}: {}.", condition, division_of(line, sides));
  if (line.verdict != dsl::EndVerdict::score) return verdict_of(program, line) + condition + ".";
  const Words most = line.score ? speaker.best(*line.score) : Words();
  return fmt::format("The game ends{}: whoever has {} wins.", condition, most.value_or("the best score"));
}

// Is there a move that passes?
bool may_pass(const dsl::RuleFile& file) {
  const auto passes = [](const auto& self, const Ast& n) -> bool {
    return n.form == Form::pass ||
           std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& kid) { return self(self, kid); });
  };
  const auto in_rule = [&](const auto& rule) {
    if (rule.others && passes(passes, *rule.others)) return true;
    return std::any_of(rule.cases.begin(), rule.cases.end(),
                       [&](const auto& one) { return passes(passes, one.second); });
  };
  if (file.turn && (passes(passes, file.turn->body) || in_rule(*file.turn))) return true;
  return std::any_of(file.define.begin(), file.define.end(), [&](const dsl::Definition& d) {
    return (d.body && passes(passes, *d.body)) || in_rule(d);
  });
}

// Is there a line of `end` for a player without a move, or for a full board?
bool asks_for_moves(const dsl::RuleFile& file) {
  const auto asks = [](const auto& self, const Ast& n) -> bool {
    if (n.form == Form::no_move || (n.form == Form::no && dsl::is_name(n.kids[0], "empty"))) return true;
    return std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& kid) { return self(self, kid); });
  };
  return std::any_of(file.end.begin(), file.end.end(),
                     [&](const dsl::EndRule& line) { return asks(asks, line.condition); });
}

// " 28 to 20", the winner's first, where scores have decided a game of two and the file doesn't hide them.
std::string scores_at_end(const Loaded& loaded, const Outcome& outcome, const runtime::Position& last) {
  const Program& program = loaded.rules->program();
  const dsl::EndRule* line = loaded.file ? end_line_of(loaded, outcome.origin) : nullptr;
  if (line == nullptr || line->verdict != dsl::EndVerdict::score || program.players.size() != 2) return "";
  const interpreter::Look look = interpreter::look_of(loaded);
  constexpr std::string_view kScore = "score";
  if (std::find(look.hidden.begin(), look.hidden.end(), kScore) != look.hidden.end()) return "";
  std::uint64_t steps = interpreter::kMaxCountSteps;
  for (const interpreter::Count& count : look.counts) {
    if (count.name != kScore || count.shared) continue;
    const auto values = interpreter::values_of(count, program, last, steps);
    if (values.size() != 2 || !values[0] || !values[1]) return "";
    const bool second = (outcome.winners & 2U) != 0 && (outcome.winners & 1U) == 0;
    return fmt::format(" {} to {}", *values[second ? 1 : 0], *values[second ? 0 : 1]);
  }
  return "";
}

} // namespace

std::string plain_result(const Loaded& loaded, const Outcome& outcome, const runtime::Position* last) {
  std::string result = won_by(loaded.rules->program(), outcome);
  if (last != nullptr) result += scores_at_end(loaded, outcome, *last);
  const Words reason = loaded.file ? reason_in_words(loaded, outcome) : Words();
  return reason && !reason->empty() ? result + ": " + *reason : result;
}

std::vector<std::string> plain_endings(const Loaded& loaded) {
  if (!loaded.file) return {};
  std::vector<std::string> sentences = endings_by_moves(loaded);
  const std::size_t by_moves = sentences.size();
  std::vector<std::pair<std::string, std::string>> asked; // the player who is named, and what is asked of him
  for (const dsl::EndRule& line : loaded.file->end) {
    const Words when = condition_of(loaded, line);
    if (when && std::find(asked.begin(), asked.end(), std::pair(line.player, *when)) != asked.end())
      continue; // an earlier line has decided it
    if (when) asked.emplace_back(line.player, *when);
    std::string sentence = sentence_of(loaded, line, when);
    if (!sentence.empty() && std::find(sentences.begin(), sentences.end(), sentence) == sentences.end())
      sentences.push_back(std::move(sentence));
  }
  if (sentences.size() > by_moves + 1)
    sentences.insert(sentences.begin() + static_cast<std::ptrdiff_t>(by_moves),
                     "Before each turn these are asked of the player to move, in this order; the first that "
                     "holds decides:");
  if (!asks_for_moves(*loaded.file) && !may_pass(*loaded.file))
    sentences.emplace_back("The game is a draw if there is no move left.");
  return sentences;
}

} // namespace boardwright::tools
