// Entry points: is_family, read_family, resolve_families, family_named, members_of.
#include "dsl/families.hpp"

#include "dsl/sections.hpp"
#include "dsl/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace boardwright::dsl {
namespace {

// Kinds times owners are at most so many, and pieces need letters: a file with more is refused by the
// interpreter, and nobody waits for what would be made of them here.
constexpr std::size_t kMaxKindsOfFamilies = 255;
// Nobody writes numbers with more digits as names of kinds.
constexpr std::size_t kMaxDigits = 9;
constexpr std::size_t kMaxShown = 12;

// `2`, `-1`; nothing for what isn't a number.
std::optional<std::int64_t> number_of(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits.size() > kMaxDigits) return std::nullopt;
  const auto value = whole_number(digits);
  if (!value) return std::nullopt;
  const auto number = static_cast<std::int64_t>(*value);
  return negative ? -number : number;
}

bool is_player(std::string_view name, const std::vector<PlayerEntry>& players) {
  return name == "neutral" ||
         std::any_of(players.begin(), players.end(), [&](const auto& p) { return p.name.text == name; });
}

std::string near_player(const std::string& name, const std::vector<PlayerEntry>& players) {
  std::vector<std::string> known;
  for (const auto& p : players) known.push_back(p.name.text);
  return nearest(name, known);
}

// --- what rules can ask

Ast name_ast(const std::string& word, Span span) {
  Ast ast;
  ast.word = word;
  ast.span = ast.word_span = span;
  return ast;
}

Ast number_ast(std::int64_t number, Span span) {
  Ast ast;
  ast.form = Form::number;
  ast.number = number < 0 ? -number : number;
  ast.span = span;
  if (number >= 0) return ast;
  Ast negated;
  negated.form = Form::negate;
  negated.span = span;
  negated.kids.push_back(std::move(ast));
  return negated;
}

Ast pair_ast(Form form, const std::string& word, Ast left, Ast right, Span span) {
  Ast ast;
  ast.form = form;
  ast.word = word;
  ast.span = span;
  ast.kids.push_back(std::move(left));
  ast.kids.push_back(std::move(right));
  return ast;
}

Ast call_ast(const std::string& word, Ast argument, Span span) {
  Ast ast = name_ast(word, span);
  ast.form = Form::call;
  ast.kids.push_back(std::move(argument));
  return ast;
}

constexpr const char* kNumber = "number"; // a file may have a definition of this name, which replaces ours
// The names that only rewritten rules have: no author can write them.
constexpr const char* kNumberOf = "(number)";
std::string unwritten(std::string_view family) { return std::string(family) + "()"; }

Definition definition_of(const std::string& name, Span span) {
  Definition d;
  d.name = {name, span};
  d.span = span;
  return d;
}

// `round`: a tree that is no higher than it must be, as of what authors write.
Ast all_members(const FamilyEntry& family, std::size_t first, std::size_t last) {
  const Span span = family.name.span;
  if (last - first == 1) return name_ast(family.members[first].kind, span);
  const std::size_t middle = first + (last - first) / 2;
  return pair_ast(Form::binary, "|", all_members(family, first, middle), all_members(family, middle, last),
                  span);
}

// `round(n)`: the member whose number is n, or no kind.
Definition member_by_number(const FamilyEntry& family) {
  const Span span = family.name.span;
  Definition d = definition_of(unwritten(family.name.text), span);
  d.parameters.push_back({"n", span});
  Ast is_it =
      pair_ast(Form::compare, "=", call_ast(kNumberOf, name_ast("k", span), span), name_ast("n", span), span);
  Ast found = pair_ast(Form::part, "k", call_ast("kinds", name_ast(family.name.text, span), span),
                       std::move(is_it), span);
  found.word_span = span;
  d.body = call_ast("first", std::move(found), span);
  return d;
}

Definition number_by_kind(const RuleFile& file, const std::string& name) {
  const Span span = file.families.front().name.span;
  Definition d = definition_of(name, span);
  d.parameters.push_back({"c", span});
  for (const FamilyEntry& family : file.families)
    for (const FamilyMember& member : family.members)
      d.cases.emplace_back(Name{member.kind, member.key.span}, number_ast(member.number, member.key.span));
  return d;
}

void add_definitions(RuleFile& file) {
  for (const FamilyEntry& family : file.families) {
    Definition all = definition_of(family.name.text, family.name.span);
    all.body = all_members(family, 0, family.members.size());
    file.of_families.push_back(std::move(all));
    file.of_families.push_back(member_by_number(family));
  }
  file.of_families.push_back(number_by_kind(file, kNumber));
  file.of_families.push_back(number_by_kind(file, kNumberOf));
}

// --- in rules

// The number or name that stands in `round(2)`, where it is written out.
std::optional<std::string> written_key(const Ast& argument) {
  const bool negative = argument.form == Form::negate && argument.kids[0].form == Form::number;
  if (negative) return "-" + std::to_string(argument.kids[0].number);
  if (argument.form == Form::number) return std::to_string(argument.number);
  return std::nullopt;
}

const FamilyMember* member_named(const FamilyEntry& family, std::string_view key) {
  for (const FamilyMember& member : family.members)
    if (member.kind == fmt::format("{}({})", family.name.text, key)) return &member;
  return nullptr;
}

class Resolver {
public:
  Resolver(RuleFile& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  void all() {
    for (auto& d : file_.define) definition(d, true);
    for (auto& vocabulary : file_.vocabularies)
      for (auto& d : vocabulary) definition(d, false);
    if (file_.turn) turn(*file_.turn);
    for (auto* lines : {&file_.end, &file_.end_before})
      for (auto& line : *lines) {
        rule(line.condition);
        if (line.score) rule(*line.score);
      }
    for (auto& entry : file_.setup.entries) rule(entry.cells);
    if (file_.setup.shuffle) {
      for (auto& cells : file_.setup.shuffle->among) rule(cells);
      if (file_.setup.shuffle->such_that) rule(*file_.setup.shuffle->such_that);
    }
    for (auto& entry : file_.state) state(entry);
    for (auto* seen : {&file_.sees.cells, &file_.sees.kinds})
      if (*seen) rule(**seen);
    hands();
  }

  // `round(2)` becomes a name; `round(n)` a call of the definition that finds the member.
  void rule(Ast& n) {
    for (Ast& kid : n.kids) rule(kid);
    if (n.form != Form::call || n.kids.size() != 1) return;
    const FamilyEntry* family = family_named(file_, n.word);
    if (family == nullptr) return;
    const auto key = n.kids[0].form == Form::name && member_named(*family, n.kids[0].word) != nullptr
                         ? std::optional(n.kids[0].word)
                         : written_key(n.kids[0]);
    if (!key) {
      n.word = unwritten(n.word);
      return;
    }
    const FamilyMember* member = member_named(*family, *key);
    if (member == nullptr) {
      diagnostics_.error("unknown-name", n.span, fmt::format("there is no `{}({})`", n.word, *key)).help =
          fmt::format("there are {}", members_of(*family));
      member = &family->members.front();
    }
    Ast name = name_ast(member->kind, n.span);
    n = std::move(name);
  }

private:
  void state(StateEntry& entry) {
    if (entry.value) rule(*entry.value);
    if (!entry.each_piece) return;
    for (auto& [value, cells] : entry.each_piece->setup) {
      rule(value);
      rule(cells);
    }
  }

  void turn(TurnSection& turn) {
    rule(turn.body);
    for (auto& [player, body] : turn.cases) rule(body);
    if (turn.others) rule(*turn.others);
    if (turn.replaced == nullptr) return;
    auto replaced = std::make_shared<TurnSection>(*turn.replaced);
    this->turn(*replaced);
    turn.replaced = std::move(replaced);
  }

  // A vocabulary speaks of no family, but a body for `pawn` may be one for a family of pawns.
  void definition(Definition& d, bool of_game) {
    if (of_game) {
      if (d.body) rule(*d.body);
      for (auto& [who, body] : d.cases) rule(body);
      if (d.others) rule(*d.others);
    }
    d.cases = for_members(std::move(d.cases));
    for (auto& [who, body] : d.cases) inner_cases(body);
    if (d.others) inner_cases(*d.others);
    if (d.replaced == nullptr) return;
    auto replaced = std::make_shared<Definition>(*d.replaced);
    definition(*replaced, of_game);
    d.replaced = std::move(replaced);
  }

  using Cases = std::vector<std::pair<Name, Ast>>;

  Cases for_members(Cases cases) {
    const auto is_of_family = [&](const auto& c) { return family_named(file_, c.first.text) != nullptr; };
    if (std::none_of(cases.begin(), cases.end(), is_of_family)) return cases;
    std::set<std::string> own; // members that have a body of their own
    for (const auto& [who, body] : cases) own.insert(who.text);
    Cases all;
    for (auto& [who, body] : cases) {
      const FamilyEntry* family = family_named(file_, who.text);
      if (family == nullptr) {
        all.emplace_back(std::move(who), std::move(body));
        continue;
      }
      if (!may_copy(body, family->members.size())) continue;
      for (const FamilyMember& member : family->members)
        if (!own.contains(member.kind)) all.emplace_back(Name{member.kind, who.span}, body);
    }
    return all;
  }

  void inner_cases(Ast& body) {
    if (body.form != Form::cases) return;
    Cases cases;
    for (std::size_t i = 0; i < body.names.size(); ++i)
      cases.emplace_back(Name{body.names[i], body.name_spans[i]}, std::move(body.kids[i]));
    std::optional<Ast> others;
    if ((body.flags & kHasOthers) != 0) others = std::move(body.kids.back());
    body.names.clear();
    body.name_spans.clear();
    body.kids.clear();
    for (auto& [who, kid] : for_members(std::move(cases))) {
      body.names.push_back(who.text);
      body.name_spans.push_back(who.span);
      body.kids.push_back(std::move(kid));
    }
    if (others) body.kids.push_back(std::move(*others));
  }

  bool may_copy(const Ast& body, std::size_t copies) {
    copied_ += (body.span.end - body.span.begin) * copies;
    if (copied_ <= kMaxCopiedRules) return true;
    if (!std::exchange(told_, true))
      diagnostics_.error("limit", body.span, "this body is copied to too many kinds").help =
          "give it a name and use that for each of them";
    return false;
  }

  // `hands: { round: 2 }` is so many of each.
  void hands() {
    std::vector<HandEntry> all;
    for (auto& entry : file_.hands) {
      const FamilyEntry* family = family_named(file_, entry.kind.text);
      if (family == nullptr) {
        all.push_back(std::move(entry));
        continue;
      }
      for (const FamilyMember& member : family->members)
        all.push_back({{member.kind, entry.kind.span}, entry.count});
    }
    file_.hands = std::move(all);
    for (auto& entry : file_.hands) {
      if (entry.count.all) rule(*entry.count.all);
      for (auto& [player, count] : entry.count.each) rule(count);
    }
  }

  RuleFile& file_;
  Diagnostics& diagnostics_;
  std::size_t copied_ = 0;
  bool told_ = false;
};

} // namespace

bool is_family(const Yaml& letters, const std::vector<PlayerEntry>& players) {
  if (!letters.is_map() || letters.entries.empty()) return false;
  for (const auto& entry : letters.entries)
    if (is_player(entry.key.text, players)) return false;
  const YamlEntry& first = letters.entries.front();
  if (number_of(first.key.text)) return true;
  if (!is_identifier(first.key.text) || !near_player(first.key.text, players).empty()) return false;
  // `{ Green: g }` of two players is a player that doesn't exist.
  return first.value.is_map() || players.size() == 1 ||
         (first.value.is_scalar() && words(first.value.text).size() != 1);
}

void read_family(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  auto name = declared_name(entry.key, "a family of kinds", diagnostics);
  if (!name) return;
  FamilyEntry family{std::move(*name), {}};
  const bool numbered = number_of(entry.value.entries.front().key.text).has_value();
  for (const auto& inner : entry.value.entries) {
    const auto number = number_of(inner.key.text);
    if (number.has_value() != numbered || (!numbered && !is_identifier(inner.key.text))) {
      diagnostics
          .error("pieces", inner.key.span(),
                 fmt::format("{} can't be a member of {}", in_backticks(inner.key.text),
                             in_backticks(family.name.text)))
          .expected =
          numbered ? "expected a whole number, as of the first one" : "expected a name, as of the first one";
      continue;
    }
    if (file.pieces.size() >= kMaxKindsOfFamilies) {
      diagnostics.error("limit", inner.key.span(), "there are too many kinds of pieces");
      break;
    }
    const std::string key = numbered ? std::to_string(*number) : inner.key.text;
    FamilyMember member{to_name(inner.key), 0, fmt::format("{}({})", family.name.text, key)};
    member.number = numbered ? *number : static_cast<std::int64_t>(family.members.size()) + 1;
    if (member_named(family, key) != nullptr) {
      diagnostics.error("duplicate", inner.key.span(), in_backticks(member.kind) + " is written twice");
      continue;
    }
    KindEntry kind{{member.kind, member.key.span}, {}};
    read_letters(inner.value, file.players, kind, diagnostics);
    file.pieces.push_back(std::move(kind));
    family.members.push_back(std::move(member));
  }
  if (!family.members.empty()) file.families.push_back(std::move(family));
}

void resolve_families(RuleFile& file, Diagnostics& diagnostics) {
  if (file.families.empty()) return;
  Resolver(file, diagnostics).all();
  add_definitions(file);
}

void resolve_families(RuleFile& file, Ast& rule, Diagnostics& diagnostics) {
  if (!file.families.empty()) Resolver(file, diagnostics).rule(rule);
}

const FamilyEntry* family_named(const RuleFile& file, std::string_view name) {
  const auto found = std::find_if(file.families.begin(), file.families.end(),
                                  [&](const FamilyEntry& family) { return family.name.text == name; });
  return found == file.families.end() ? nullptr : &*found;
}

std::string members_of(const FamilyEntry& family) {
  std::string all;
  for (std::size_t i = 0; i < family.members.size(); ++i) {
    if (i == kMaxShown) return all + ", …";
    all += (i == 0 ? "" : ", ") + in_backticks(family.members[i].kind);
  }
  return all;
}

} // namespace boardwright::dsl
