// Conditions in words.
#include "tools/english/speaker.hpp"

#include "tools/english/nouns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace boardwright::tools {

using dsl::Ast;
using dsl::Form;

namespace {

constexpr std::string_view kNotSoThat = "it is not so that ";

// Does `some S in T` hold wherever `T in S` does, as a cell of T is one of S then?
bool implies(const Ast& all, const Ast& some) {
  if (all.form != Form::compare || all.word != "in" || some.form != Form::some_inside) return false;
  return dsl::dump(all.kids[0]) == dsl::dump(some.kids[1]) &&
         dsl::dump(all.kids[1]) == dsl::dump(some.kids[0]);
}

std::string inverse(const std::string& sign) {
  for (const auto& [one, other] : {std::pair{"=", "!="}, {"<", ">="}, {">", "<="}}) {
    if (sign == one) return other;
    if (sign == other) return one;
  }
  return "";
}

// How pieces hang together by steps in these directions; "" is the usual way. None: it can't be said.
Words hanging_by(const Ast& directions) {
  if (dsl::is_name(directions, "adjacent")) return "";
  if (dsl::is_name(directions, "orthogonal")) return " orthogonally";
  if (dsl::is_name(directions, "diagonal")) return " diagonally";
  return dsl::is_name(directions, "all") ? Words(" straight or diagonally") : Words();
}

// In what rows pieces lie that are in line in these directions.
Words rows_along(const Ast& directions) {
  if (dsl::is_name(directions, "axes") || dsl::is_name(directions, "all")) return "in a row";
  const bool two = directions.form == Form::binary && directions.word == "|" &&
                   dsl::is_name(directions.kids[0], "north") && dsl::is_name(directions.kids[1], "east");
  if (two || dsl::is_name(directions, "orthogonal")) return "in a row, not diagonally";
  return dsl::is_name(directions, "diagonal") ? Words("in a diagonal row") : Words();
}

// The action of `can`, if it is one with a name.
const Ast* named_action(const Ast& action) {
  if (action.form == Form::paren) return named_action(action.kids[0]);
  return action.form == Form::name || action.form == Form::call ? &action : nullptr;
}

} // namespace

Words Speaker::condition(const Ast& n, bool holds) const {
  if (const auto known = settled(n)) return *known == holds ? Words("") : std::nullopt;
  switch (n.form) {
  case Form::paren: return condition(n.kids[0], holds);
  case Form::negation: return condition(n.kids[0], !holds);
  case Form::no_move: return sides_.own + (holds ? " can't move" : " can move");
  case Form::name:
  case Form::call: return name(n, holds);
  case Form::perspective: {
    const auto sides = sides_of(n.kids[0]);
    return sides ? seen_by(*sides).condition(n.kids[1], holds) : std::nullopt;
  }
  case Form::no:
  case Form::some: return some_or_no(n.kids[0], (n.form == Form::some) == holds);
  case Form::some_inside:
  case Form::no_inside:
  case Form::every_inside: return inside(n, holds);
  case Form::some_in:
  case Form::no_in: return some_where(n, (n.form == Form::some_in) == holds);
  case Form::compare: return comparison(n, holds);
  case Form::can: return able(n.kids[0], holds);
  case Form::all_of: return list(n, holds, holds);
  case Form::either: return list(n, !holds, holds);
  default: return std::nullopt;
  }
}

// What options leave open of a list of conditions, if it is one of them.
const Ast& Speaker::unsettled_part(const Ast& n) const {
  if (n.form == Form::paren) return unsettled_part(n.kids[0]);
  if (n.form != Form::all_of) return n;
  const Ast* only = nullptr;
  for (const Ast& kid : n.kids) {
    if (settled(kid)) continue;
    if (only != nullptr) return n;
    only = &kid;
  }
  return only == nullptr ? n : unsettled_part(*only);
}

// `all`: joined by "and" when it is told.
Words Speaker::list(const Ast& n, bool all, bool holds) const {
  std::string text;
  bool mixed = false;
  std::vector<std::string> parts;
  const auto implied = [&](const Ast& kid) { // one of them is enough, and there is another
    return !all && std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& other) {
      return implies(unsettled_part(kid), unsettled_part(other));
    });
  };
  for (const Ast& kid : n.kids) {
    if (settled(kid)) continue; // else all of it would be
    if (holds && implied(kid)) continue;
    Words words = condition(kid, holds);
    if (!words) return std::nullopt;
    mixed = mixed || words->find(all ? " or " : " and ") != std::string::npos;
    parts.push_back(std::move(*words));
  }
  // Whatever stands behind "it is not so that" would be read as a part of it.
  std::stable_partition(parts.begin(), parts.end(),
                        [](const std::string& part) { return !part.starts_with(kNotSoThat); });
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : mixed ? (all ? ", and " : ", or ") : all ? " and " : " or ") + parts[i];
  return text;
}

Words Speaker::able(const Ast& action, bool can) const {
  const Ast* walk = named_action(action);
  if (walk == nullptr) return std::nullopt;
  const Words told = term(walk->word);
  if (!told && !walk->kids.empty()) return std::nullopt; // what it is called with counts
  return sides_.own + (can ? " can " : " can't ") + told.value_or(quoted_name(walk->word));
}

// --- names

Words Speaker::name(const Ast& n, bool holds) const {
  if (n.form == Form::name)
    if (const Meant* meant = local(n.word))
      return meant->value == nullptr ? std::nullopt : where_meant(*meant).condition(*meant->value, holds);
  if (const Words told = term(n.word)) return holds ? told : Words(std::string(kNotSoThat) + *told);
  if (auto words = standard(n, holds)) return words;
  if (const auto* d = definition_of(n); d != nullptr && d->body)
    if (auto words = deeper(n, *d).condition(*d->body, holds)) return words;
  return n.form == Form::name ? under_its_name(n, holds) : std::nullopt;
}

// What options and names of the file make of directions.
const Ast& Speaker::meant_directions(const Ast& n) const {
  if (n.form == Form::paren) return meant_directions(n.kids[0]);
  if (n.form == Form::conditional && n.kids.size() == 3)
    if (const auto known = settled(n.kids[0])) return meant_directions(n.kids[*known ? 1 : 2]);
  const auto* d = definition_of(n);
  const bool own_name = d != nullptr && !is_standard(*d) && n.form == Form::name && d->body;
  return own_name && depth_ == 0 ? deeper(n, *d).meant_directions(*d->body) : n;
}

// Of the vocabularies that come with the language.
Words Speaker::standard(const Ast& n, bool holds) const {
  const auto* d = definition_of(n);
  if (d == nullptr || !is_standard(*d)) return std::nullopt;
  if (n.word == "checked" && n.kids.empty())
    return sides_.own + (is_plural(sides_.own) ? " are" : " is") + (holds ? " in check" : " not in check");
  if (n.word == "connected" && n.kids.size() == 1 && holds)
    if (const Words how = hanging_by(meant_directions(n.kids[0])))
      return fmt::format("{} pieces connect {} first row with {} last{}", possessive(sides_.own),
                         sides_.own == "you" ? "your" : "the", sides_.own == "you" ? "your" : "the", *how);
  if (n.word == "in_row" && n.kids.size() == 1 && holds)
    if (const auto length = number(n.kids[0]))
      return fmt::format("{} a row of {} or more pieces", has(sides_.own), *length);
  if (n.word == "united" && n.kids.size() == 2)
    if (const auto what = things(n.kids[0]); what && !what->empty_cells)
      if (const Words how = hanging_by(meant_directions(n.kids[1])))
        return fmt::format("all {} are {}connected{}", all_of(*what), holds ? "" : "not ", *how);
  return std::nullopt;
}

Words Speaker::under_its_name(const Ast& n, bool holds) const {
  const bool known = definition_of(n) != nullptr || variable(n.word) != nullptr;
  if (!known) return std::nullopt;
  return fmt::format("{} {}{}", quoted_name(n.word), holds ? "holds" : "doesn't hold",
                     by_side(n) ? " for " + sides_.own : "");
}

// --- what is there

std::string Speaker::there_are(const Things& what, bool some) const {
  if (what.empty_cells) {
    if (what.where.empty()) return some ? "a cell is empty" : "the board is full";
    return fmt::format("{} cell{} is empty", some ? "a" : "no", what.where);
  }
  const std::string one = noun(what, 1);
  const bool anywhere = what.where.empty();
  if (what.owner.empty()) {
    if (some) return fmt::format("there is {}{}", with_article(one), anywhere ? " on the board" : "");
    return fmt::format("{} {}{}", anywhere ? "no" : "there is no", one, anywhere ? " is left" : "");
  }
  if (some)
    return fmt::format("{} {}{}", has(what.owner), with_article(one), anywhere ? " on the board" : "");
  if (anywhere) {
    const bool on_top = program_->board.stacks && !what.kinds.empty();
    const std::string none = what.kinds.empty() ? noun(what, 2)
                             : on_top           ? one.substr(0, one.rfind(" on top"))
                                                : one;
    return fmt::format("{} no {} left{}", has(what.owner), none, on_top ? " on top" : "");
  }
  return fmt::format("{} no {}", has(what.owner), one);
}

Words Speaker::some_or_no(const Ast& set, bool some) const {
  if (set.form == Form::paren) return some_or_no(set.kids[0], some);
  if (set.form == Form::perspective) {
    const auto sides = sides_of(set.kids[0]);
    return sides ? seen_by(*sides).some_or_no(set.kids[1], some) : std::nullopt;
  }
  if (set.form == Form::name)
    if (const Words told = term(set.word))
      return fmt::format("there is {}", some ? with_article(*told) : "no " + *told);
  if (const auto what = things(set)) return there_are(*what, some);
  const auto* d = definition_of(set);
  if (d != nullptr && is_standard(*d) && set.word == "line" && set.kids.size() == 3) {
    const auto length = number(set.kids[0]);
    const auto what = things(set.kids[1]);
    const Words how = rows_along(meant_directions(set.kids[2]));
    if (!length || !what || what->empty_cells || !how) return std::nullopt;
    return fmt::format("{}{} or more of {} are {}", some ? "" : "no ", *length, all_of(*what), *how);
  }
  if (d != nullptr && d->body)
    if (auto told = deeper(set, *d).some_or_no(*d->body, some)) return told;
  if (!some && set.form == Form::binary && set.word == "-") {
    const Words inner = place(set.kids[0]), outer = place(set.kids[1]);
    return inner && outer ? Words(fmt::format("all of {} is in {}", *inner, *outer)) : Words();
  }
  if (d != nullptr && d->body && !moving(set)) return std::nullopt;
  const Words where = place(set);
  return where ? Words(fmt::format("there is {} in {}", some ? "something" : "nothing", *where)) : Words();
}

// `some S in T`, `no S in T`, `every S in T`
Words Speaker::inside(const Ast& n, bool holds) const {
  auto inner = things(n.kids[0]), outer = things(n.kids[1]);
  const Words where = outer ? place(n.kids[0]) : place(n.kids[1]);
  if (n.form == Form::every_inside) {
    if (!inner || inner->empty_cells || outer || !where || !holds) return std::nullopt;
    return fmt::format("all {} are on {}", all_of(*inner), *where);
  }
  const bool some = (n.form == Form::some_inside) == holds;
  if (inner && outer) {
    const bool joinable = !inner->empty_cells && !outer->empty_cells && inner->where.empty() &&
                          (inner->owner.empty() || outer->owner.empty()) &&
                          (inner->kinds.empty() || outer->kinds.empty());
    if (!joinable) return std::nullopt;
    if (inner->owner.empty()) inner->owner = outer->owner;
    if (inner->kinds.empty()) inner->kinds = outer->kinds;
    inner->where = outer->where;
    return there_are(*inner, some);
  }
  if ((!inner && !outer) || !where) return std::nullopt;
  Things& found = inner ? *inner : *outer;
  found.where += " on " + *where;
  return there_are(found, some);
}

// `some x in S where C`
Words Speaker::some_where(const Ast& n, bool some) const {
  if (auto all = things(n.kids[0]); all && !all->empty_cells) {
    const Words clause = that(n.word, n.kids[1]);
    if (!clause) return std::nullopt;
    all->where += *clause;
    return there_are(*all, some);
  }
  return some ? for_one_of(n, some) : std::nullopt;
}

// Kinds, players, numbers, lists of places.
Words Speaker::for_one_of(const Ast& n, bool some) const {
  const Ast& set = n.kids[0];
  std::string of;
  Meant meant;
  if (dsl::is_name(set, "kinds")) {
    of = "some kind";
    meant = {Meant::Sort::kind, "piece of that kind"};
  } else if (dsl::is_name(set, "players")) {
    of = "some player";
    meant = {Meant::Sort::player, "that player"};
  } else if (set.form == Form::binary && set.word == "..") {
    const Words low = quantity(set.kids[0]), high = quantity(set.kids[1]);
    if (!low || !high) return std::nullopt;
    of = fmt::format("some {} from {} to {}", n.word, *low, *high);
    meant = {Meant::Sort::number, n.word};
  } else {
    const auto* d = set.form == Form::name ? definition_of(set) : nullptr;
    if (d == nullptr || moving(set)) return std::nullopt;
    of = "one of the " + words_of_name(set.word);
    meant = {Meant::Sort::place, "it"};
  }
  Scope scope = *scope_;
  scope[n.word] = meant;
  const Words words = in_scope(std::move(scope)).condition(n.kids[1], some);
  return words && !words->empty() ? Words("for " + of + " " + *words) : Words();
}

// --- comparisons

// `here in last_row`, said of the piece that has been moved or placed.
Words Speaker::of_the_piece(const Ast& left, const Ast& set) const {
  const bool here = dsl::is_name(left, "here");
  if (const auto what = things(set)) {
    if (what->empty_cells || !here) return std::nullopt;
    if (!what->owner.empty() && what->kinds.empty() && what->where.empty())
      return what->owner == "you" ? "the piece is yours" : "the piece is " + possessive(what->owner);
    if (!what->owner.empty())
      return fmt::format("the piece is {} {}", possessive(what->owner), noun(*what, 1));
    return what->kinds.empty() ? Words() : "the piece is " + with_article(noun(*what, 1));
  }
  if (here) return comes_to(set);
  const Words where = one_of(set);
  return where ? Words("the piece leaves " + *where) : Words();
}

Words Speaker::one_of(const Ast& set) const {
  Words where = place(set);
  if (where && where->starts_with("cells ")) where = "one of the " + *where;
  return where;
}

Words Speaker::comes_to(const Ast& set) const {
  const Words where = things(set) ? Words() : one_of(set);
  return where ? Words((has_moved_ ? "the piece comes to " : "the piece stands on ") + *where) : Words();
}

Words Speaker::subset(const Ast& n, bool holds) const {
  const Ast &left = n.kids[0], &right = n.kids[1];
  if (!holds) return std::nullopt;
  if (dsl::is_name(left, "here") || dsl::is_name(left, "start")) return of_the_piece(left, right);
  const auto inner = things(left), outer = things(right);
  if (inner && !outer && !inner->empty_cells) {
    const Words where = place(right);
    return where ? Words(fmt::format("all {} are on {}", all_of(*inner), *where)) : Words();
  }
  const Words where = outer && !inner ? place(left) : Words();
  if (!where) return std::nullopt;
  if (outer->empty_cells) return outer->where.empty() ? Words(*where + " is empty") : Words();
  const bool cells = where->starts_with("cells ");
  return fmt::format("{} hold {}{}", all_of(*outer), cells ? "all " : "all of ", *where);
}

Words Speaker::comparison(const Ast& n, bool holds) const {
  const Ast &left = n.kids[0], &right = n.kids[1];
  if (n.word == "in") return subset(n, holds);
  const std::string sign = holds ? n.word : inverse(n.word);
  if (dsl::is_name(left, "me") && right.form == Form::name && is_player(right.word))
    return sides_.own == "you" ? Words((sign == "=" ? "you are " : "you are not ") + right.word) : Words();
  if (sign == "=" && (dsl::is_name(left, "here") || dsl::is_name(left, "start")))
    return of_the_piece(left, right);
  if (sign == "=")
    if (const auto what = things(left); what && !what->empty_cells && !things(right)) {
      const Words where = place(right);
      return where ? Words(fmt::format("{} fill {} and stand nowhere else", all_of(*what), *where)) : Words();
    }
  return sign.empty() ? Words() : compared(left, sign, right);
}

} // namespace boardwright::tools
