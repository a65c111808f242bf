#include "tools/english/plain_words.hpp"

#include "dsl/about.hpp"
#include "interpreter/findings/text_places.hpp"
#include "interpreter/look/counts.hpp"
#include "interpreter/look/look.hpp"
#include "runtime/model/shares.hpp"
#include "tools/english/move_endings.hpp"
#include "tools/english/nouns.hpp"
#include "tools/english/rule_sources.hpp"
#include "tools/english/speaker.hpp"
#include "tools/games/about_text.hpp"
#include "tools/games/game_choice.hpp"

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
  const Words most = speaker.best(*line.score); // what is scored has a score
  const std::string best =
      most ? *most
           : fmt::format("the highest `{}`", on_one_line(source_text(loaded.sources, line.score->span)));
  return fmt::format("The game ends{}: whoever has {} wins.", condition, best);
}

// May everybody pass, whatever the position?
bool may_always_pass(const dsl::RuleFile& file) {
  const auto passes = [](const auto& self, const Ast& n) -> bool {
    if (n.form == Form::pass) return true;
    if (n.form == Form::paren) return self(self, n.kids[0]);
    if (n.form == Form::sequence) { // and counts it
      const auto counts = [](const Ast& kid) {
        return kid.form == Form::pass || kid.form == Form::set || kid.form == Form::say;
      };
      return std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& kid) { return self(self, kid); }) &&
             std::all_of(n.kids.begin(), n.kids.end(), counts);
    }
    const bool one_of = n.form == Form::either || n.form == Form::otherwise;
    return one_of &&
           std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& kid) { return self(self, kid); });
  };
  return file.turn && file.turn->cases.empty() && passes(passes, file.turn->body);
}

// Does a condition hold for whoever has no move? A full board is taken for the end of games that fill it.
bool holds_without_a_move(const Ast& n, const Speaker& speaker) {
  const auto holds = [&](const Ast& kid) { return holds_without_a_move(kid, speaker); };
  if (speaker.settled(n) == std::optional(true)) return true;
  switch (n.form) {
  case Form::no_move: return true;
  case Form::no: return dsl::is_name(n.kids[0], "empty");
  case Form::paren: return holds(n.kids[0]);
  case Form::either: return std::any_of(n.kids.begin(), n.kids.end(), holds);
  case Form::all_of: return std::all_of(n.kids.begin(), n.kids.end(), holds);
  default: return false;
  }
}

// What becomes of a player without a move, where the lines of `end` leave that open; "": they don't.
std::string without_a_move(const Loaded& loaded) {
  if (may_always_pass(*loaded.file)) return "";
  const Speaker speaker(loaded, {"you", "your opponent"});
  const auto decides = [&](const dsl::EndRule& line) {
    return line.player.empty() && holds_without_a_move(line.condition, speaker);
  };
  const auto& end = loaded.file->end;
  if (std::any_of(end.begin(), end.end(), decides)) return "";
  const auto asks = [](const auto& self, const Ast& n) -> bool {
    return n.form == Form::no_move ||
           std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& kid) { return self(self, kid); });
  };
  const bool asked = std::any_of(end.begin(), end.end(),
                                 [&](const dsl::EndRule& line) { return asks(asks, line.condition); });
  return asked ? "Otherwise the game is a draw if there is no move left."
               : "The game is a draw if there is no move left.";
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
  if (std::string open = without_a_move(loaded); !open.empty()) sentences.push_back(std::move(open));
  return sentences;
}

} // namespace boardwright::tools
