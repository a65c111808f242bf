// Sets of pieces and of cells in words.
#include "tools/english/nouns.hpp"
#include "tools/english/speaker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace boardwright::tools {

using dsl::Ast;
using dsl::Form;

namespace {

bool is_operator(const Ast& n, std::string_view sign) { return n.form == Form::binary && n.word == sign; }

// What a walk is called: of `(to c, glide)` it is glide.
const Ast* named_walk(const Ast& action, const std::string& from) {
  if (action.form == Form::paren) return named_walk(action.kids[0], from);
  if (action.form == Form::name || action.form == Form::call) return &action;
  const bool begins = action.form == Form::sequence && action.kids.size() == 2 &&
                      (action.kids[0].form == Form::to || action.kids[0].form == Form::from) &&
                      dsl::is_name(action.kids[0].kids[0], from);
  return begins ? named_walk(action.kids[1], from) : nullptr;
}

// Of a step in these directions.
Words beside_by(const Ast& directions) {
  if (dsl::is_name(directions, "orthogonal")) return "orthogonally beside ";
  if (dsl::is_name(directions, "diagonal")) return "diagonally beside ";
  if (dsl::is_name(directions, "all")) return "straight or diagonally beside ";
  return dsl::is_name(directions, "adjacent") ? Words("beside ") : Words();
}

std::string ordinal_row(std::int64_t n) {
  if (n == 1) return "first row";
  if (n == 2) return "second row";
  if (n == -1) return "last row";
  if (n == -2) return "last row but one";
  return n > 0 ? fmt::format("row {}", n) : fmt::format("row {} from the last one", -n);
}

} // namespace

std::optional<Speaker::Things> Speaker::things(const Ast& n) const {
  switch (n.form) {
  case Form::paren: return things(n.kids[0]);
  case Form::name: return things_named(n);
  case Form::perspective: {
    const auto sides = sides_of(n.kids[0]);
    return sides ? seen_by(*sides).things(n.kids[1]) : std::nullopt;
  }
  case Form::owned:
    if (dsl::is_name(n.kids[0], "own")) return owned(sides_.own, n.kids[1]);
    if (dsl::is_name(n.kids[0], "enemy")) return owned(sides_.enemy, n.kids[1]);
    return std::nullopt;
  case Form::binary: return things_joined(n);
  case Form::conditional: {
    const auto known = n.kids.size() == 3 ? settled(n.kids[0]) : std::nullopt;
    return known ? things(n.kids[*known ? 1 : 2]) : std::nullopt;
  }
  case Form::part: {
    auto all = things(n.kids[0]);
    if (!all || all->empty_cells) return std::nullopt;
    const Words clause = that(n.word, n.kids[1]);
    if (!clause) return std::nullopt;
    all->where += *clause;
    return all;
  }
  default: return std::nullopt;
  }
}

std::optional<Speaker::Things> Speaker::things_named(const Ast& n) const {
  if (const Meant* meant = local(n.word)) {
    if (meant->sort == Meant::Sort::kind) return Things{false, "", {meant->words}, ""};
    return meant->value == nullptr ? std::nullopt : where_meant(*meant).things(*meant->value);
  }
  if (n.word == "own") return Things{false, sides_.own, {}, ""};
  if (n.word == "enemy") return Things{false, sides_.enemy, {}, ""};
  if (n.word == "occupied") return Things{};
  if (n.word == "empty") return Things{true, "", {}, ""};
  if (is_kind(n.word)) return Things{false, "", {words_of_name(n.word)}, ""};
  const Ast* body = body_of(n);
  return body == nullptr ? std::nullopt : deeper(n, *definition_of(n)).things(*body);
}

std::optional<std::vector<std::string>> Speaker::kinds_in(const Ast& n) const {
  const auto all = things(n);
  const bool only_kinds = all && !all->empty_cells && all->owner.empty() && all->where.empty();
  return only_kinds ? std::optional(all->kinds) : std::nullopt;
}

std::optional<Speaker::Things> Speaker::owned(const std::string& owner, const Ast& kinds) const {
  if (const auto named = kinds_in(kinds)) return Things{false, owner, *named, ""};
  const Words where = place(kinds); // own rank(1)
  return where ? std::optional(Things{false, owner, {}, " on " + *where}) : std::nullopt;
}

std::optional<Speaker::Things> Speaker::things_joined(const Ast& n) const {
  auto left = things(n.kids[0]), right = things(n.kids[1]);
  if (is_operator(n, "|")) {
    const bool alike = left && right && left->owner == right->owner && left->where == right->where &&
                       !left->empty_cells && !right->empty_cells && !left->kinds.empty() &&
                       !right->kinds.empty();
    if (!alike) return std::nullopt;
    left->kinds.insert(left->kinds.end(), right->kinds.begin(), right->kinds.end());
    return left;
  }
  if (is_operator(n, "-")) {
    const Words where = place(n.kids[1]);
    if (!left || !where || right) return std::nullopt;
    left->where += " outside " + *where;
    return left;
  }
  if (!is_operator(n, "&")) return std::nullopt;
  if (left && right) {
    if (left->empty_cells || right->empty_cells) return std::nullopt;
    if (!left->owner.empty() && !right->owner.empty() && left->owner != right->owner) return std::nullopt;
    if (!left->kinds.empty() && !right->kinds.empty()) return std::nullopt;
    if (left->owner.empty()) left->owner = right->owner;
    if (left->kinds.empty()) left->kinds = right->kinds;
    left->where += right->where;
    return left;
  }
  const Words where = place(n.kids[left ? 1 : 0]);
  if ((!left && !right) || !where) return std::nullopt;
  Things& found = left ? *left : *right;
  found.where += " on " + *where;
  return found;
}

// What is asked of `name`, as it follows a noun: " of height 2 or more".
Words Speaker::that(const std::string& name, const Ast& n) const {
  const auto asked = [&](const Ast& call) -> const Ast& { // also as somebody else sees it
    return call.form == Form::perspective ? call.kids[1] : call;
  };
  const auto called = [&](const Ast& call) {
    return call.form == Form::call && call.kids.size() == 1 && dsl::is_name(call.kids[0], name);
  };
  switch (n.form) {
  case Form::paren: return that(name, n.kids[0]);
  case Form::all_of: {
    std::string text;
    for (const Ast& kid : n.kids) {
      if (settled(kid) == std::optional(true)) continue;
      const Words clause = that(name, kid);
      if (!clause) return std::nullopt;
      text += text.empty() ? *clause : " and" + *clause;
    }
    return text;
  }
  case Form::can: {
    const Ast* walk = named_walk(n.kids[0], name);
    if (walk == nullptr) return std::nullopt;
    const Words told = term(walk->word);
    if (!told && !walk->kids.empty()) return std::nullopt; // what it is called with counts
    return " that can " + told.value_or(quoted_name(walk->word));
  }
  case Form::some:
  case Form::no: return beside_it(name, n);
  case Form::compare: {
    if (n.word == "in" && dsl::is_name(n.kids[0], name)) {
      const Words where = place(n.kids[1]);
      return where ? Words(" on " + *where) : Words();
    }
    const auto bound = number(n.kids[1]);
    const Ast& of = asked(n.kids[0]);
    if (!bound || !called(of)) return std::nullopt;
    const std::string amount = n.word == ">="   ? fmt::format("{} or more", *bound)
                               : n.word == ">"  ? fmt::format("more than {}", *bound)
                               : n.word == "<"  ? fmt::format("less than {}", *bound)
                               : n.word == "<=" ? fmt::format("{} at most", *bound)
                               : n.word == "="  ? fmt::format("exactly {}", *bound)
                                                : "";
    if (amount.empty()) return std::nullopt;
    const bool height = of.word == "height" && definition_of(of) == nullptr;
    if (height) return " of height " + amount;
    const bool others = &of != &n.kids[0]; // as somebody else counts it
    const auto sides = others ? sides_of(n.kids[0].kids[0]) : std::nullopt;
    if (others && !sides) return std::nullopt;
    return fmt::format(
        " whose {}{} is {}", term(of.word).value_or(quoted_name(of.word)),
        sides ? ", as " + sides->own + (is_plural(sides->own) ? " count it," : " counts it,") : "", amount);
  }
  default: return std::nullopt;
  }
}

// `no next(c, orthogonal) & enemy`, `some liberties(c)`
Words Speaker::beside_it(const std::string& name, const Ast& n) const {
  const std::string with = n.form == Form::some ? " with " : " without ";
  const Ast& set = n.kids[0];
  if (set.form == Form::call && set.kids.size() == 1 && dsl::is_name(set.kids[0], name))
    return with + (n.form == Form::some ? "some " : "any ") + term(set.word).value_or(quoted_name(set.word));
  if (!is_operator(set, "&")) return std::nullopt;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const Ast& step = set.kids[i];
    const auto what = things(set.kids[1 - i]);
    if (!what || step.form != Form::call || step.word != "next" || step.kids.size() != 2 ||
        !dsl::is_name(step.kids[0], name))
      continue;
    const auto* d = definition_of(step);
    const Words how = d != nullptr && is_standard(*d) ? beside_by(step.kids[1]) : Words();
    if (!how) continue;
    const std::string one = what->empty_cells     ? "an empty cell" + what->where
                            : what->owner.empty() ? with_article(noun(*what, 1))
                                                  : "one of " + all_of(*what);
    return with + one + " " + *how + "it";
  }
  return std::nullopt;
}

std::string Speaker::noun(const Things& what, std::int64_t count) const {
  const bool stacks = program_->board.stacks;
  if (what.kinds.empty()) return counted_noun(stacks ? "stack" : "piece", count) + what.where;
  std::string text;
  for (const std::string& kind : what.kinds) text += (text.empty() ? "" : " or ") + counted_noun(kind, count);
  return text + (stacks && !what.owner.empty() ? " on top" : "") + what.where;
}

std::string Speaker::all_of(const Things& what) const {
  return what.owner.empty() ? noun(what, 2) : possessive(what.owner) + " " + noun(what, 2);
}

// --- cells

std::string Speaker::own_place(const std::string& words) const {
  return sides_.own == reader_ ? "the " + words : possessive(sides_.own) + " " + words;
}

Words Speaker::place(const Ast& n) const {
  switch (n.form) {
  case Form::paren: return place(n.kids[0]);
  case Form::name: return place_named(n);
  case Form::call: return place_called(n);
  case Form::perspective: {
    const auto sides = sides_of(n.kids[0]);
    return sides ? seen_by(*sides).place(n.kids[1]) : std::nullopt;
  }
  case Form::binary: {
    const Words left = place(n.kids[0]), right = place(n.kids[1]);
    if (!left || !right) return std::nullopt;
    if (n.word == "|") return *left + " or " + *right;
    if (n.word == "..") return "the cells from " + *left + " to " + *right;
    return n.word == "-" ? Words(*left + " outside " + *right) : Words();
  }
  case Form::conditional: {
    const auto known = n.kids.size() == 3 ? settled(n.kids[0]) : std::nullopt;
    return known ? place(n.kids[*known ? 1 : 2]) : std::nullopt;
  }
  default: return std::nullopt;
  }
}

Words Speaker::place_named(const Ast& n) const {
  if (const Meant* meant = local(n.word)) {
    if (meant->sort == Meant::Sort::place) return meant->words;
    return meant->value == nullptr ? std::nullopt : where_meant(*meant).place(*meant->value);
  }
  if (program_->board.cell_named(n.word) >= 0) return n.word;
  if (auto told = term(n.word)) return told;
  for (const char* built_in : {"board", "corners", "edge"})
    if (n.word == built_in) return "the " + n.word;
  if (const auto* v = variable(n.word); v != nullptr && v->type == runtime::Type::cells)
    return v->player < 0 ? quoted_name(n.word) : possessive(sides_.own) + " " + quoted_name(n.word);
  const auto* d = definition_of(n);
  if (d == nullptr || things_named(n)) return std::nullopt;
  const bool each_has_his = by_side(n);
  if (moving(n)) return (each_has_his ? possessive(sides_.own) + " " : "") + quoted_name(n.word);
  if (!d->cases.empty()) return possessive(sides_.own) + " " + words_of_name(n.word);
  return each_has_his ? own_place(words_of_name(n.word)) : "the " + words_of_name(n.word);
}

Words Speaker::rows(const Ast& n) const {
  if (const auto one = number(n)) return own_place(ordinal_row(*one));
  if (!is_operator(n, "..")) return std::nullopt;
  const auto low = number(n.kids[0]), high = number(n.kids[1]);
  if (!low || !high || *low > *high) return std::nullopt;
  if (*low == 1 && *high > 1) return own_place(fmt::format("first {} rows", *high));
  return *high == -1 ? Words(own_place(fmt::format("last {} rows", -*low))) : Words();
}

Words Speaker::place_called(const Ast& n) const {
  const auto* d = definition_of(n);
  const bool one = n.kids.size() == 1;
  if (d == nullptr && n.word == "row" && one) return rows(n.kids[0]);
  if (d == nullptr && (n.word == "rank" || n.word == "file") && one) {
    const Meant* meant = n.kids[0].form == Form::name ? local(n.kids[0].word) : nullptr;
    if (meant != nullptr && meant->sort == Meant::Sort::number) return n.word + " " + meant->words;
    const auto which = number(n.kids[0]);
    return which && *which > 0 ? Words(fmt::format("{} {}", n.word, *which)) : Words();
  }
  if (d == nullptr && n.word == "cell" && one) {
    const auto which = number(n.kids[0]);
    const std::string named = which ? fmt::format("{}", *which) : "";
    return program_->board.cell_named(named) >= 0 ? Words(named) : Words();
  }
  if (d == nullptr && (n.word == "first" || n.word == "last") && one && dsl::is_name(n.kids[0], "board"))
    return "the " + n.word + " cell of the board";
  const bool beside = d != nullptr && is_standard(*d) &&
                      ((n.word == "next" && n.kids.size() == 2) || (n.word == "around" && one));
  if (!beside) return std::nullopt;
  const Words near = n.word == "around" ? Words("beside ") : beside_by(n.kids[1]);
  if (!near) return std::nullopt;
  const std::string& how = *near;
  if (const auto what = things(n.kids[0]); what && !what->empty_cells)
    return "cells " + how + (what->owner.empty() ? with_article(noun(*what, 1)) : all_of(*what));
  const Words where = place(n.kids[0]);
  return where ? Words("cells " + how + *where) : Words();
}

} // namespace boardwright::tools
