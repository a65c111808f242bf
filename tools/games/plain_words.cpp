#include "tools/games/plain_words.hpp"

#include "tools/games/game_choice.hpp"
#include "tools/games/rule_sources.hpp"

#include "dsl/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {
namespace {

using dsl::Ast;
using dsl::Form;
using interpreter::Loaded;
using runtime::Outcome;
using runtime::Program;
using Words = std::optional<std::string>;

// `last_row` as "last row".
std::string words_of_name(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

bool is_plural(const std::string& who) {
  return who == "you" || !runtime::with_verb(who, "win").ends_with("wins");
}

std::string has(const std::string& who) { return who + (is_plural(who) ? " have" : " has"); }

std::string pieces_named(const std::string& kind, std::int64_t count) {
  return count == 1 || kind.ends_with('s') ? kind : kind + "s";
}

// A set of pieces of one owner, or of nobody in particular.
struct Things {
  std::string owner, kind; // "": anybody's; any kind
  [[nodiscard]] std::string noun(std::int64_t count) const {
    return pieces_named(kind.empty() ? "piece" : words_of_name(kind), count);
  }
};

class Speaker {
public:
  Speaker(const Loaded& loaded, Sides sides)
      : loaded_(loaded), program_(loaded.rules->program()), sides_(std::move(sides)) {}

  // What options alone decide.
  [[nodiscard]] std::optional<bool> settled(const Ast& n) const {
    switch (n.form) {
    case Form::paren: return settled(n.kids[0]);
    case Form::name: {
      if (const auto* option = option_named(n.word)) {
        if (option->value == "true" || option->value == "false") return option->value == "true";
        return std::nullopt;
      }
      const Ast* body = body_of(n.word);
      return body == nullptr ? std::nullopt : settled(*body);
    }
    case Form::negation: {
      const auto kid = settled(n.kids[0]);
      return kid ? std::optional(!*kid) : std::nullopt;
    }
    case Form::compare: return settled_comparison(n);
    case Form::all_of: return joined(n, false);
    case Form::either: return joined(n, true);
    default: return std::nullopt;
    }
  }

  [[nodiscard]] Words condition(const Ast& n) const {
    if (const auto known = settled(n)) return *known ? Words("") : std::nullopt;
    switch (n.form) {
    case Form::paren: return condition(n.kids[0]);
    case Form::no_move: return sides_.own + " can't move";
    case Form::name: return name(n);
    case Form::perspective: return seen_by(n);
    case Form::no:
    case Form::some: return some_or_no(n.kids[0], n.form == Form::some);
    case Form::some_inside:
    case Form::every_inside: return inside(n);
    case Form::compare: return comparison(n);
    case Form::all_of: return list(n, " and ");
    case Form::either: return list(n, " or ");
    case Form::negation:
      return n.kids[0].form == Form::name ? Words("not " + words_of_name(n.kids[0].word)) : Words();
    default: return std::nullopt;
    }
  }

  // What is counted at the end: "most pieces".
  [[nodiscard]] Words most(const Ast& n) const {
    if (n.form == Form::name) return "the highest " + words_of_name(n.word);
    if (n.form != Form::call || n.word != "count" || n.kids.size() != 1) return std::nullopt;
    const auto counted = things(n.kids[0]);
    return counted && counted->owner == sides_.own ? Words("the most " + counted->noun(2)) : Words();
  }

private:
  [[nodiscard]] const runtime::Option* option_named(const std::string& name) const {
    const auto found = std::find_if(program_.options.begin(), program_.options.end(),
                                    [&](const runtime::Option& option) { return option.name == name; });
    return found == program_.options.end() ? nullptr : &*found;
  }
  // Of a definition without parameters that is the same for all; null where there is none.
  [[nodiscard]] const Ast* body_of(const std::string& name) const {
    const auto in = [&](const std::vector<dsl::Definition>& definitions) -> const Ast* {
      for (const dsl::Definition& d : definitions)
        if (d.name.text == name && d.parameters.empty() && d.body) return &*d.body;
      return nullptr;
    };
    if (const Ast* own = in(loaded_.file->define)) return own;
    for (auto words = loaded_.file->vocabularies.rbegin(); words != loaded_.file->vocabularies.rend();
         ++words)
      if (const Ast* found = in(*words)) return found;
    return nullptr;
  }
  [[nodiscard]] bool is_kind(const std::string& word) const {
    return std::any_of(program_.kinds.begin(), program_.kinds.end(),
                       [&](const runtime::Kind& kind) { return kind.name == word; });
  }

  [[nodiscard]] std::optional<std::int64_t> number(const Ast& n) const {
    switch (n.form) {
    case Form::paren: return number(n.kids[0]);
    case Form::number: return n.number;
    case Form::name: {
      const auto* option = option_named(n.word);
      return option == nullptr ? std::nullopt : dsl::number_in<std::int64_t>(option->value);
    }
    case Form::binary: {
      const auto left = number(n.kids[0]), right = number(n.kids[1]);
      if (!left || !right) return std::nullopt;
      if (n.word == "+") return *left + *right;
      if (n.word == "-") return *left - *right;
      return n.word == "*" ? std::optional(*left * *right) : std::nullopt;
    }
    default: return std::nullopt;
    }
  }

  [[nodiscard]] std::optional<bool> settled_comparison(const Ast& n) const {
    const auto left = number(n.kids[0]), right = number(n.kids[1]);
    if (left && right) {
      if (n.word == "<") return *left < *right;
      if (n.word == "<=") return *left <= *right;
      if (n.word == ">") return *left > *right;
      if (n.word == ">=") return *left >= *right;
      if (n.word == "=" || n.word == "!=") return (*left == *right) == (n.word == "=");
    }
    const bool names = n.kids[0].form == Form::name && n.kids[1].form == Form::name;
    const auto* option = names ? option_named(n.kids[0].word) : nullptr;
    if (option == nullptr || option->values.empty() || (n.word != "=" && n.word != "!=")) return std::nullopt;
    return (option->value == n.kids[1].word) == (n.word == "=");
  }

  // All of them hold, or one of them does.
  [[nodiscard]] std::optional<bool> joined(const Ast& n, bool one) const {
    bool all_known = true;
    for (const Ast& kid : n.kids) {
      const auto known = settled(kid);
      if (known && *known == one) return one;
      all_known = all_known && known;
    }
    return all_known ? std::optional(!one) : std::nullopt;
  }

  [[nodiscard]] Words name(const Ast& n) const {
    if (n.word == "repeated") {
      const auto* times = option_named("repetition");
      return times == nullptr ? "a position has come about again"
                              : came_up(dsl::number_in<std::int64_t>(times->value).value_or(2));
    }
    if (const Ast* body = body_of(n.word))
      if (auto words = condition(*body)) return words;
    return words_of_name(n.word);
  }
  [[nodiscard]] static std::string came_up(std::int64_t times) {
    return times <= 2 ? "a position has come about again"
                      : fmt::format("a position has come about {} times", times);
  }

  // `enemy.(…)`, `Red.(…)`
  [[nodiscard]] Words seen_by(const Ast& n) const {
    const Ast& who = n.kids[0];
    if (who.form != Form::name) return std::nullopt;
    if (who.word == "enemy") return Speaker(loaded_, {sides_.enemy, sides_.own}).condition(n.kids[1]);
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Things> things(const Ast& n) const {
    if (n.form == Form::paren) return things(n.kids[0]);
    if (n.form == Form::perspective && dsl::is_name(n.kids[0], "enemy"))
      return Speaker(loaded_, {sides_.enemy, sides_.own}).things(n.kids[1]);
    if (n.form == Form::owned && n.kids[1].form == Form::name && is_kind(n.kids[1].word)) {
      if (dsl::is_name(n.kids[0], "own")) return Things{sides_.own, n.kids[1].word};
      if (dsl::is_name(n.kids[0], "enemy")) return Things{sides_.enemy, n.kids[1].word};
      return std::nullopt;
    }
    if (n.form != Form::name) return std::nullopt;
    if (n.word == "own") return Things{sides_.own, ""};
    if (n.word == "enemy") return Things{sides_.enemy, ""};
    if (n.word == "occupied") return Things{"", ""};
    return is_kind(n.word) ? std::optional(Things{"", n.word}) : std::nullopt;
  }

  [[nodiscard]] Words some_or_no(const Ast& set, bool some) const {
    if (dsl::is_name(set, "empty")) return some ? "a cell is empty" : "the board is full";
    const auto what = things(set);
    if (!what) return std::nullopt;
    if (what->owner.empty())
      return some ? fmt::format("a {} is on the board", what->noun(1))
                  : fmt::format("no {} is left", what->noun(1));
    return some ? fmt::format("{} a {} on the board", has(what->owner), what->noun(1))
                : fmt::format("{} no {} left", has(what->owner), what->noun(what->kind.empty() ? 2 : 1));
  }

  [[nodiscard]] Words inside(const Ast& n) const {
    const auto what = things(n.kids[0]);
    if (!what || n.kids[1].form != Form::name || things(n.kids[1])) return std::nullopt;
    const bool some = n.form == Form::some_inside, cell = program_.board.cell_named(n.kids[1].word) >= 0;
    const std::string where = (cell ? "on " : "on the ") + words_of_name(n.kids[1].word);
    if (what->owner.empty())
      return some ? fmt::format("a {} is {}", what->noun(1), where)
                  : fmt::format("all {} are {}", what->noun(2), where);
    return fmt::format("{} {} {} {}", has(what->owner), some ? "a" : "all", what->noun(some ? 1 : 2), where);
  }

  [[nodiscard]] static Words amount(const std::string& sign, std::int64_t n) {
    if (n == 0 && (sign == "=" || sign == "<=")) return "no";
    if (sign == "=") return fmt::format("exactly {}", n);
    if (sign == "<") return fmt::format("fewer than {}", n);
    if (sign == "<=") return fmt::format("no more than {}", n);
    if (sign == ">") return fmt::format("more than {}", n);
    return sign == ">=" ? Words(fmt::format("{} or more", n)) : Words();
  }

  [[nodiscard]] Words comparison(const Ast& n) const {
    const Ast& left = n.kids[0];
    if (n.word == "in" && dsl::is_name(left, "here") && n.kids[1].form == Form::name)
      return "the piece comes to the " + words_of_name(n.kids[1].word);
    const auto bound = number(n.kids[1]);
    if (!bound) return std::nullopt;
    if (dsl::is_name(left, "repeats") && (n.word == ">=" || n.word == ">"))
      return came_up(*bound + (n.word == ">" ? 2 : 1));
    if (dsl::is_name(left, "ply") && (n.word == ">=" || n.word == "="))
      return fmt::format("{} moves have been played", *bound);
    const Words many = amount(n.word, *bound);
    if (!many) return std::nullopt;
    if (left.form == Form::call && left.word == "count" && left.kids.size() == 1) {
      const auto what = things(left.kids[0]);
      if (!what) return std::nullopt;
      if (what->owner.empty()) return fmt::format("there are {} {} on the board", *many, what->noun(*bound));
      return fmt::format("{} {} {}", has(what->owner), *many, what->noun(*bound));
    }
    return counted(left, *many);
  }
  // Something that the file counts, or a hand.
  [[nodiscard]] Words counted(const Ast& left, const std::string& many) const {
    if (left.form == Form::perspective && dsl::is_name(left.kids[0], "enemy"))
      return Speaker(loaded_, {sides_.enemy, sides_.own}).counted(left.kids[1], many);
    if (dsl::is_name(left, "hand")) return fmt::format("{} {} pieces in hand", has(sides_.own), many);
    if (left.form == Form::call && left.word == "hand" && left.kids.size() == 1 &&
        left.kids[0].form == Form::name)
      return fmt::format("{} {} {} in hand", has(sides_.own), many,
                         pieces_named(words_of_name(left.kids[0].word), 2));
    const bool state = left.form == Form::name &&
                       std::any_of(program_.variables.begin(), program_.variables.end(),
                                   [&](const runtime::Variable& v) { return v.name == left.word; });
    return state ? Words(fmt::format("there are {} {}", many, words_of_name(left.word))) : Words();
  }

  [[nodiscard]] Words list(const Ast& n, const char* between) const {
    std::string text;
    for (const Ast& kid : n.kids) {
      if (settled(kid)) continue; // else all of it would be
      const Words words = condition(kid);
      if (!words) return std::nullopt;
      text += (text.empty() ? "" : between) + *words;
    }
    return text;
  }

  const Loaded& loaded_;
  const Program& program_;
  Sides sides_;
};

// The condition of the innermost `if` that a place stands behind; null where there is none.
const Ast* guard_of(const Ast& tree, dsl::Span place) {
  const auto within = [&](const Ast& n) {
    return n.span.file == place.file && n.span.begin <= place.begin && place.end <= n.span.end;
  };
  for (std::size_t i = 0; i < tree.kids.size(); ++i) {
    if (!within(tree.kids[i])) continue;
    if (const Ast* inner = guard_of(tree.kids[i], place)) return inner;
    return tree.form == Form::conditional && i == 1 ? &tree.kids[0] : nullptr;
  }
  return nullptr;
}

// Calls `look` with each body of the turn and of the file's definitions, and the name of the definition.
template <class Look>
void each_rule(const dsl::RuleFile& file, const Look& look) {
  if (file.turn) {
    look(file.turn->body, "");
    for (const auto& [name, body] : file.turn->cases) look(body, "");
  }
  for (const dsl::Definition& d : file.define) {
    if (d.body) look(*d.body, d.name.text);
    for (const auto& [name, body] : d.cases) look(body, d.name.text);
  }
}

const Ast* call_in(const Ast& tree, const std::string& name) {
  if (dsl::is_name(tree, name)) return &tree;
  for (const Ast& kid : tree.kids)
    if (const Ast* found = call_in(kid, name)) return found;
  return nullptr;
}

// The condition under which a place decides: of an `if` around it, or around the call of the definition that
// it stands in. Null where there is none, and where the options are so that it never decides.
const Ast* condition_of(const Loaded& loaded, dsl::Span place, int depth = 0) {
  constexpr int kDeepest = 8; // definitions that call one another
  const Ast* guard = nullptr;
  std::string of;
  each_rule(*loaded.file, [&](const Ast& body, const std::string& name) {
    if (body.span.file != place.file || place.begin < body.span.begin || body.span.end < place.end) return;
    of = name;
    guard = guard_of(body, place);
  });
  if (guard != nullptr) {
    const auto settled = Speaker(loaded, {"", ""}).settled(*guard);
    if (settled != std::optional(true)) return settled ? nullptr : guard;
  }
  const Ast* call = nullptr;
  each_rule(*loaded.file, [&](const Ast& body, const std::string&) {
    if (call == nullptr && !of.empty()) call = call_in(body, of);
  });
  return call == nullptr || depth == kDeepest ? nullptr : condition_of(loaded, call->span, depth + 1);
}

// A game of two: who is not among the winners.
std::string other_of(const Program& program, std::uint32_t winners) {
  for (std::size_t i = 0; i < program.players.size(); ++i)
    if ((winners >> i & 1U) == 0) return program.players[i].name;
  return "";
}

Sides sides_of(const Program& program, const Outcome& outcome, dsl::EndVerdict verdict) {
  const auto winners = outcome.winners;
  std::string winner;
  for (std::size_t i = 0; i < program.players.size(); ++i)
    if ((winners >> i & 1U) != 0) winner = program.players[i].name;
  const bool decided = program.players.size() == 2 && !winner.empty();
  if (decided && verdict == dsl::EndVerdict::lose) return {other_of(program, winners), winner};
  if (decided && verdict == dsl::EndVerdict::win) return {winner, other_of(program, winners)};
  return {"a player", "the opponent"};
}

std::string won_by(const Program& program, const Outcome& outcome) {
  const auto winners = winners_of(program, outcome);
  if (winners.empty()) return "a draw";
  if (winners.size() == 1) return runtime::with_verb(winners.front(), "win");
  return fmt::format("{} share the win", fmt::join(winners, " and "));
}

Words reason_in_words(const Loaded& loaded, const Outcome& outcome) {
  if (outcome.by == Outcome::By::last_left) return "nobody else is left";
  if (const dsl::EndRule* line = end_line_of(loaded, outcome.origin)) {
    const Sides sides = sides_of(loaded.rules->program(), outcome, line->verdict);
    return plain_condition(loaded, line->condition, sides);
  }
  return outcome.by == Outcome::By::no_move ? Words("no move is left") : Words();
}

std::string sentence_of(const Loaded& loaded, const dsl::EndRule& line) {
  const Sides you{"you", "your opponent"};
  const Speaker speaker(loaded, you);
  if (speaker.settled(line.condition) == std::optional(false)) return "";
  const Words when = speaker.condition(line.condition);
  if (!when) return fmt::format("By the line `{}`.", on_one_line(source_text(loaded.sources, line.span)));
  const std::string condition = when->empty() ? "" : " if " + *when;
  const std::string who = line.player.empty() ? "You" : line.player;
  const bool one = who != "You" && !is_plural(who);
  switch (line.verdict) {
  case dsl::EndVerdict::draw: return fmt::format("The game is a draw{}.", condition);
  case dsl::EndVerdict::win: return fmt::format("{} win{}{}.", who, one ? "s" : "", condition);
  case dsl::EndVerdict::lose: return fmt::format("{} lose{}{}.", who, one ? "s" : "", condition);
  case dsl::EndVerdict::score: break;
  }
  const Words most = line.score ? speaker.most(*line.score) : Words();
  return fmt::format("The game ends{}, and whoever has {} wins.", condition, most.value_or("the best score"));
}

} // namespace

Words plain_condition(const Loaded& loaded, const Ast& condition, const Sides& sides) {
  return loaded.file ? Speaker(loaded, sides).condition(condition) : Words();
}

std::string plain_result(const Loaded& loaded, const Outcome& outcome) {
  const std::string result = won_by(loaded.rules->program(), outcome);
  const Words reason = reason_in_words(loaded, outcome);
  return reason && !reason->empty() ? result + ": " + *reason : result;
}

std::vector<std::string> plain_endings(const Loaded& loaded) {
  std::vector<std::string> sentences;
  if (!loaded.file) return sentences;
  const auto add = [&](std::string sentence) {
    if (!sentence.empty() && std::find(sentences.begin(), sentences.end(), sentence) == sentences.end())
      sentences.push_back(std::move(sentence));
  };
  for (const dsl::Span place : decisions(*loaded.file)) {
    const Ast* guard = condition_of(loaded, place);
    const Words when = guard == nullptr ? Words() : plain_condition(loaded, *guard, {"you", "your opponent"});
    const std::string what = source_text(loaded.sources, place); // win, lose or draw
    if (when && !when->empty())
      add(fmt::format("A move can end the game: {} if {}.", what == "draw" ? "a draw" : "you " + what,
                      *when));
  }
  for (const dsl::EndRule& line : loaded.file->end) add(sentence_of(loaded, line));
  return sentences;
}

} // namespace boardwright::tools
