// Numbers and their comparisons in words.
#include "tools/english/nouns.hpp"
#include "tools/english/speaker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace boardwright::tools {

using dsl::Ast;
using dsl::Form;

namespace {

// "3 or more", "no": how many there are.
Words amount_words(const std::string& sign, std::int64_t n) {
  if ((n == 0 && (sign == "=" || sign == "<=")) || (n == 1 && sign == "<")) return "no";
  if (sign == "=") return fmt::format("exactly {}", n);
  if (sign == "<") return fmt::format("fewer than {}", n);
  if (sign == "<=") return fmt::format("no more than {}", n);
  if (sign == ">") return fmt::format("more than {}", n);
  return sign == ">=" ? Words(fmt::format("{} or more", n)) : Words();
}

// Of the noun that follows these words.
std::int64_t grammatical(const std::string& sign, std::int64_t n) {
  return n == 1 && (sign == "=" || sign == "<=" || sign == ">") ? 1 : 2;
}

Words comparing(const std::string& sign) {
  for (const auto& [known, words] : {std::pair{"=", "is"},
                                     {"!=", "is not"},
                                     {"<", "is less than"},
                                     {"<=", "is at most"},
                                     {">", "is more than"},
                                     {">=", "is at least"}})
    if (sign == known) return words;
  return std::nullopt;
}

std::string turned_round(const std::string& sign) {
  if (sign == "<") return ">";
  if (sign == ">") return "<";
  return sign == "<=" ? ">=" : sign == ">=" ? "<=" : sign;
}

// "the player's store": of those who are compared each has one.
Words without_owner(Words told) {
  for (const std::string_view begin : {"the player's ", "the "})
    if (told && told->starts_with(begin)) return told->substr(begin.size());
  return told;
}

bool names_many(const std::string& name) { return name.ends_with('s') && !name.ends_with("ss"); }

// Is a variable set to `ply` wherever it is set?
bool keeps_ply(const dsl::RuleFile& file, const std::string& name) {
  bool set = false, only = true;
  const auto look = [&](const auto& self, const Ast& n) -> void {
    if (n.form == Form::set && n.word == name) {
      set = true;
      only = only && !n.kids.empty() && dsl::is_name(n.kids[0], "ply");
    }
    for (const Ast& kid : n.kids) self(self, kid);
  };
  const auto each_of = [&](const std::vector<dsl::Definition>& definitions) {
    for (const dsl::Definition& d : definitions) {
      if (d.body) look(look, *d.body);
      if (d.others) look(look, *d.others);
      for (const auto& [who, body] : d.cases) look(look, body);
    }
  };
  each_of(file.define);
  for (const auto& words : file.vocabularies) each_of(words);
  if (file.turn) {
    look(look, file.turn->body);
    if (file.turn->others) look(look, *file.turn->others);
    for (const auto& [who, body] : file.turn->cases) look(look, body);
  }
  return set && only;
}

} // namespace

Words Speaker::quantity(const Ast& n) const {
  if (const auto known = number(n)) return fmt::format("{}", *known);
  switch (n.form) {
  case Form::paren: return quantity(n.kids[0]);
  case Form::name: return quantity_named(n);
  case Form::call: return quantity_called(n);
  case Form::perspective: {
    const auto sides = sides_of(n.kids[0]);
    return sides ? seen_by(*sides).quantity(n.kids[1]) : std::nullopt;
  }
  case Form::conditional: {
    const auto known = n.kids.size() == 3 ? settled(n.kids[0]) : std::nullopt;
    return known ? quantity(n.kids[*known ? 1 : 2]) : std::nullopt;
  }
  case Form::binary: {
    const bool product = n.word == "*" && n.kids[0].form != Form::paren && n.kids[1].form != Form::paren;
    const char* joint = n.word == "+" ? " plus " : n.word == "-" ? " minus " : product ? " times " : nullptr;
    const Words left = quantity(n.kids[0]), right = quantity(n.kids[1]);
    if (left && right && *right == "0" && !product) return left;
    return joint == nullptr || !left || !right || n.kids[1].form == Form::paren ? Words()
                                                                                : *left + joint + *right;
  }
  default: return std::nullopt;
  }
}

Words Speaker::quantity_named(const Ast& n) const {
  if (const Meant* meant = local(n.word)) {
    if (meant->sort == Meant::Sort::number) return meant->words;
    return meant->value == nullptr ? std::nullopt : where_meant(*meant).quantity(*meant->value);
  }
  if (auto told = term(n.word)) return told;
  if (n.word == "hand") return "the number of pieces in " + possessive(sides_.own) + " hand";
  if (n.word == "ply") return "the number of moves played";
  if (n.word == "turns") return "the number of " + possessive(sides_.own) + " turns";
  if (const auto* v = variable(n.word))
    return v->player < 0 ? quoted_name(n.word) : possessive(sides_.own) + " " + quoted_name(n.word);
  const Ast* body = body_of(n);
  if (body == nullptr) return std::nullopt;
  if (auto told = deeper(n, *definition_of(n)).quantity(*body)) return told;
  return (by_side(n) ? possessive(sides_.own) + " " : "") + quoted_name(n.word);
}

Words Speaker::quantity_called(const Ast& n) const {
  if (const auto* d = definition_of(n))
    return d->body && !is_standard(*d) ? deeper(n, *d).quantity(*d->body) : std::nullopt;
  if (n.kids.size() != 1) return std::nullopt;
  const Ast& of = n.kids[0];
  if (n.word == "level" && dsl::is_name(of, "here")) return "the level of the piece";
  if (n.word == "height" && dsl::is_name(of, "here")) return "the height of the stack";
  if (n.word == "hand" && of.form == Form::name)
    return fmt::format("the number of {} in {} hand", plural_of(words_of_name(of.word)),
                       possessive(sides_.own));
  if (n.word != "count" && n.word != "height") return std::nullopt;
  const std::string pieces = n.word == "count" ? "" : "pieces in ";
  if (const auto what = things(of)) {
    if (what->empty_cells)
      return n.word == "count" ? Words("the number of empty cells" + what->where) : Words();
    return "the number of " + pieces + all_of(*what);
  }
  const Words where = place(of);
  if (!where) return std::nullopt;
  return (n.word == "count" ? "the number of cells in " : "the number of pieces on ") + *where;
}

Words Speaker::compared(const Ast& left, const std::string& sign, const Ast& right) const {
  if (const auto bound = number(right)) return bounded(left, sign, *bound);
  if (const auto bound = number(left)) return bounded(right, turned_round(sign), *bound);
  const Words one = quantity(left), other = quantity(right), how = comparing(sign);
  return one && other && how ? Words(fmt::format("{} {} {}", *one, *how, *other)) : Words();
}

Words Speaker::bounded(const Ast& left, const std::string& sign, std::int64_t bound) const {
  if (left.form == Form::paren) return bounded(left.kids[0], sign, bound);
  if (left.form == Form::perspective) {
    const auto sides = sides_of(left.kids[0]);
    return sides ? seen_by(*sides).bounded(left.kids[1], sign, bound) : std::nullopt;
  }
  if (left.form == Form::name && local(left.word) == nullptr && !term(left.word))
    if (const Ast* body = body_of(left))
      if (auto told = deeper(left, *definition_of(left)).bounded(*body, sign, bound)) return told;
  if (auto told = moves_played(left, sign, bound)) return told;
  const bool built_in = left.form == Form::call && left.kids.size() == 1 && definition_of(left) == nullptr;
  if (built_in && left.word == "count")
    if (auto told = counted(left.kids[0], sign, bound)) return told;
  if (built_in && left.word == "height" && !things(left.kids[0]))
    if (const Words where = place(left.kids[0]), many = amount_words(sign, bound); where && many)
      return fmt::format("there {} {} {} on {}", grammatical(sign, bound) == 1 ? "is" : "are", *many,
                         counted_noun("piece", grammatical(sign, bound)), *where);
  if (auto told = stored(left, sign, bound)) return told;
  const Words one = quantity(left), how = comparing(sign);
  return one && how ? Words(fmt::format("{} {} {}", *one, *how, bound)) : Words();
}

Words Speaker::counted(const Ast& set, const std::string& sign, std::int64_t bound) const {
  const Words many = amount_words(sign, bound);
  if (!many) return std::nullopt;
  const std::int64_t noun_for = grammatical(sign, bound);
  const char* are = noun_for == 1 ? "is" : "are";
  if (const auto what = things(set)) {
    if (what->empty_cells)
      return fmt::format("{} {}{} {} empty", *many, counted_noun("cell", noun_for), what->where, are);
    const std::string pieces = *many + " " + noun(*what, noun_for);
    if (!what->owner.empty()) return has(what->owner) + " " + pieces;
    return fmt::format("there {} {}{}", are, pieces, what->where.empty() ? " on the board" : "");
  }
  const Words where = place(set);
  if (!where) return std::nullopt;
  const char* one = where->find("“") == std::string::npos ? "cell" : "member"; // or of a list
  return fmt::format("there {} {} {} in {}", are, *many, counted_noun(one, noun_for), *where);
}

// Moves since the beginning, turns, repetitions.
Words Speaker::moves_played(const Ast& left, const std::string& sign, std::int64_t bound) const {
  if (dsl::is_name(left, "repeats") && (sign == ">=" || sign == ">")) {
    const std::int64_t times = bound + (sign == ">" ? 2 : 1);
    return times <= 2 ? "a position has come about again"
                      : fmt::format("a position has come about {} times", times);
  }
  if (since_of(left)) return moves_since(left.kids[1].word, sign, bound);
  const bool any = bound == 0 && (sign == ">" || sign == "!=");
  const Words many = sign == ">=" ? Words(fmt::format("{}", bound)) : amount_words(sign, bound);
  if (!many || (sign == "!=" && !any)) return std::nullopt;
  const std::int64_t noun_for = grammatical(sign, bound);
  const auto played = [&](const std::string& count) {
    return fmt::format("{} {} been played", counted_noun(count + " move", noun_for),
                       noun_for == 1 ? "has" : "have");
  };
  if (dsl::is_name(left, "ply")) return any ? "a move has been played" : played(*many);
  if (dsl::is_name(left, "turns"))
    return has(sides_.own) + (any ? " had a turn" : " had " + counted_noun(*many + " turn", noun_for));
  return std::nullopt;
}

// `ply - v`, where v keeps the number of a move.
bool Speaker::since_of(const Ast& left) const {
  return left.form == Form::binary && left.word == "-" && dsl::is_name(left.kids[0], "ply") &&
         left.kids[1].form == Form::name && variable(left.kids[1].word) != nullptr &&
         keeps_ply(*loaded_->file, left.kids[1].word);
}

// The move that is kept is one of `ply - v` itself: more than 50 of these are 50 moves since.
Words Speaker::moves_since(const std::string& name, const std::string& sign, std::int64_t bound) const {
  const bool at_least = sign == ">" || sign == ">=";
  const std::int64_t moves = sign == ">" ? bound : bound - 1;
  const Words many = at_least ? Words(fmt::format("{}", moves)) : amount_words(sign, moves);
  if (!many || sign == "!=" || moves < 1) return std::nullopt;
  const std::int64_t noun_for = grammatical(at_least ? "=" : sign, moves);
  return fmt::format("{} {} been played since {}", counted_noun(*many + " move", noun_for),
                     noun_for == 1 ? "has" : "have", term(name).value_or(quoted_name(name)));
}

// Something that the file counts, or a hand.
Words Speaker::stored(const Ast& left, const std::string& sign, std::int64_t bound) const {
  const Words many = amount_words(sign, bound);
  if (!many) return std::nullopt;
  const std::int64_t noun_for = grammatical(sign, bound);
  if (dsl::is_name(left, "hand") && local("hand") == nullptr)
    return fmt::format("{} {} {} in hand", has(sides_.own), *many, counted_noun("piece", noun_for));
  const bool of_kind = left.form == Form::call && left.word == "hand" && left.kids.size() == 1 &&
                       left.kids[0].form == Form::name && is_kind(left.kids[0].word);
  if (of_kind)
    return fmt::format("{} {} {} in hand", has(sides_.own), *many,
                       counted_noun(words_of_name(left.kids[0].word), noun_for));
  const auto* v = left.form == Form::name ? variable(left.word) : nullptr;
  if (v == nullptr || !names_many(v->name) || term(v->name)) return std::nullopt;
  const std::string counted_things = *many + " " + words_of_name(v->name);
  return v->player < 0 ? "there are " + counted_things : has(sides_.own) + " " + counted_things;
}

Words Speaker::best(const Ast& n) const {
  if (n.form == Form::paren) return best(n.kids[0]);
  if (n.form == Form::conditional && n.kids.size() == 3)
    if (const auto known = settled(n.kids[0])) return best(n.kids[*known ? 1 : 2]);
  const bool least = n.form == Form::negate;
  const Ast& of = least ? n.kids[0] : n;
  const Speaker each = seen_by({"the player", "the others"});
  const bool counts = of.form == Form::call && of.word == "count" && of.kids.size() == 1;
  if (counts && definition_of(of) == nullptr)
    if (const auto what = each.things(of.kids[0]); what && !what->empty_cells && what->owner == "the player")
      return (least ? "the fewest " : "the most ") + noun(*what, 2);
  const std::string high = least ? "the lowest " : "the highest ";
  if (of.form == Form::name && local(of.word) == nullptr && variable(of.word) != nullptr)
    return high + without_owner(each.term(of.word)).value_or(quoted_name(of.word));
  if (number(of)) return std::nullopt;
  const Words sum = each.quantity(of);
  return sum ? Words(high + "score (" + *sum + ")") : Words();
}

} // namespace boardwright::tools
