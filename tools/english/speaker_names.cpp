// What names stand for, and what options decide.
#include "tools/english/speaker.hpp"

#include "dsl/text.hpp"
#include "tools/english/nouns.hpp"
#include "tools/games/about_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace boardwright::tools {

using dsl::Ast;
using dsl::Definition;
using dsl::Form;

namespace {

constexpr int kDeepestNames = 12; // definitions that call one another

const Definition* definition_among(const std::vector<Definition>& definitions, const Ast& n) {
  const std::size_t given = n.form == Form::call ? n.kids.size() : 0;
  for (const Definition& d : definitions)
    if (d.name.text == n.word && d.parameters.size() == given) return &d;
  return nullptr;
}

// Longer ones before those that they begin with.
std::string said_to(std::string_view text, const Sides& sides) {
  const std::array<std::pair<std::string_view, std::string>, 6> spoken = {
      {{"your opponent's", possessive(sides.enemy)},
       {"your opponent", sides.enemy},
       {"your", possessive(sides.own)},
       {"you have", has(sides.own)},
       {"you are", sides.own + (is_plural(sides.own) ? " are" : " is")},
       {"you", sides.own}}};
  const auto is_letter_at = [&](std::size_t at) {
    return at < text.size() && ((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= 'A' && text[at] <= 'Z'));
  };
  std::string said;
  for (std::size_t at = 0; at < text.size();) {
    const auto found = std::find_if(spoken.begin(), spoken.end(), [&](const auto& one) {
      const bool begins = at == 0 || !is_letter_at(at - 1);
      return begins && text.substr(at).starts_with(one.first) && !is_letter_at(at + one.first.size());
    });
    said += found == spoken.end() ? std::string(1, text[at]) : found->second;
    at += found == spoken.end() ? 1 : found->first.size();
  }
  return said;
}

} // namespace

Speaker::Speaker(const interpreter::Loaded& loaded, Sides sides)
    : loaded_(&loaded), program_(&loaded.rules->program()), sides_(std::move(sides)), reader_(sides_.own),
      scope_(std::make_shared<const Scope>()) {}

Speaker Speaker::in_scope(Scope scope) const {
  Speaker other = *this;
  other.scope_ = std::make_shared<const Scope>(std::move(scope));
  return other;
}

Speaker Speaker::seen_by(Sides sides) const {
  Speaker other = *this;
  other.sides_ = std::move(sides);
  return other;
}

Scope Speaker::scope_of_call(const Definition& definition, const Ast& call) const {
  Scope scope;
  for (std::size_t i = 0; i < definition.parameters.size() && i < call.kids.size(); ++i)
    scope[definition.parameters[i].text] = {Meant::Sort::value, "", &call.kids[i], scope_, sides_};
  return scope;
}

Speaker Speaker::deeper(const Ast& n, const Definition& definition) const {
  Speaker other = in_scope(scope_of_call(definition, n));
  ++other.depth_;
  return other;
}

Speaker Speaker::without(const std::string& name) const {
  Scope scope = *scope_;
  scope[name] = {};
  return in_scope(std::move(scope));
}

Speaker Speaker::where_it_stands() const {
  Speaker other = *this;
  other.has_moved_ = false;
  return other;
}

const Meant* Speaker::local(const std::string& name) const {
  const auto found = scope_->find(name);
  return found == scope_->end() ? nullptr : &found->second;
}

Speaker Speaker::where_meant(const Meant& meant) const {
  Speaker other = seen_by(meant.sides);
  other.scope_ = meant.scope;
  ++other.depth_;
  return other;
}

const runtime::Option* Speaker::option_named(const std::string& name) const {
  if (local(name) != nullptr) return nullptr;
  const auto found = std::find_if(program_->options.begin(), program_->options.end(),
                                  [&](const runtime::Option& option) { return option.name == name; });
  return found == program_->options.end() ? nullptr : &*found;
}

const Definition* Speaker::definition_of(const Ast& n) const {
  if ((n.form != Form::name && n.form != Form::call) || depth_ > kDeepestNames) return nullptr;
  if (n.form == Form::name && local(n.word) != nullptr) return nullptr;
  if (const Definition* own = definition_among(loaded_->file->define, n)) return own;
  const auto& vocabularies = loaded_->file->vocabularies;
  for (auto words = vocabularies.rbegin(); words != vocabularies.rend(); ++words)
    if (const Definition* found = definition_among(*words, n)) return found;
  return nullptr;
}

Words Speaker::term(const std::string& name) const {
  const std::string_view text = local(name) == nullptr ? term_told(program_->about, name) : "";
  return text.empty() ? Words() : said_to(text, sides_);
}

bool Speaker::is_standard(const Definition& definition) const {
  const auto& own = loaded_->file->define;
  return std::none_of(own.begin(), own.end(), [&](const Definition& d) { return &d == &definition; });
}

const Ast* Speaker::body_of(const Ast& n) const {
  const Definition* d = definition_of(n);
  return d != nullptr && d->parameters.empty() && d->body ? &*d->body : nullptr;
}

bool Speaker::is_kind(const std::string& word) const {
  return local(word) == nullptr && std::any_of(program_->kinds.begin(), program_->kinds.end(),
                                               [&](const auto& kind) { return kind.name == word; });
}

const runtime::Variable* Speaker::variable(const std::string& name) const {
  if (local(name) != nullptr) return nullptr;
  const auto found = std::find_if(program_->variables.begin(), program_->variables.end(),
                                  [&](const auto& v) { return v.name == name && v.plane < 0; });
  return found == program_->variables.end() ? nullptr : &*found;
}

bool Speaker::is_player(const std::string& word) const {
  return local(word) == nullptr && std::any_of(program_->players.begin(), program_->players.end(),
                                               [&](const auto& player) { return player.name == word; });
}

std::optional<Sides> Speaker::sides_of(const Ast& who) const {
  if (who.form == Form::paren) return sides_of(who.kids[0]);
  if (who.form != Form::name) return std::nullopt;
  const Meant* meant = local(who.word);
  if (meant != nullptr && meant->sort == Meant::Sort::player) return Sides{meant->words, "the others"};
  if (meant != nullptr || is_kind(who.word)) return std::nullopt;
  const bool two = program_->players.size() == 2;
  if (who.word == "enemy") return two ? std::optional(Sides{sides_.enemy, sides_.own}) : std::nullopt;
  if (!is_player(who.word)) return std::nullopt;
  std::string other = "the others";
  for (const auto& player : program_->players)
    if (two && player.name != who.word) other = player.name;
  return Sides{who.word, other};
}

// Is there a name of which `is` holds in an expression, or in the definitions that it uses?
template <class Is>
bool Speaker::mentions(const Ast& n, const Is& is, int depth) const {
  if (n.form == Form::name && is(n.word)) return true;
  if (n.form == Form::owned || n.form == Form::can || n.form == Form::no_move) return true;
  if (depth < kDeepestNames)
    if (const Definition* d = definition_of(n)) {
      if (!d->cases.empty() && is("me")) return true;
      for (const auto& [who, body] : d->cases)
        if (mentions(body, is, depth + 1)) return true;
      if (d->body && mentions(*d->body, is, depth + 1)) return true;
    }
  if (n.form == Form::call && is(n.word)) return true;
  return std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& kid) { return mentions(kid, is, depth); });
}

bool Speaker::by_side(const Ast& n) const {
  static constexpr std::array<std::string_view, 9> kSided = {
      "own", "enemy", "me", "forward", "backward", "left", "right", "advance", "row"};
  return mentions(n, [&](const std::string& word) {
    const auto* of_player = variable(word);
    return std::find(kSided.begin(), kSided.end(), word) != kSided.end() || word == "hand" ||
           (of_player != nullptr && of_player->player >= 0);
  });
}

bool Speaker::moving(const Ast& n) const {
  static constexpr std::array<std::string_view, 11> kMoving = {
      "own", "enemy", "neutral", "empty", "here", "start", "ply", "turns", "repeats", "height", "kind"};
  return mentions(n, [&](const std::string& word) {
    return std::find(kMoving.begin(), kMoving.end(), word) != kMoving.end() || is_kind(word) ||
           variable(word) != nullptr;
  });
}

// --- what options decide

std::optional<bool> Speaker::settled(const Ast& n) const {
  switch (n.form) {
  case Form::paren: return settled(n.kids[0]);
  case Form::name: {
    if (n.word == "true" || n.word == "false") return n.word == "true";
    if (const Meant* meant = local(n.word))
      return meant->value == nullptr ? std::nullopt : where_meant(*meant).settled(*meant->value);
    if (const auto* option = option_named(n.word)) {
      if (option->value == "true" || option->value == "false") return option->value == "true";
      return std::nullopt;
    }
    const Ast* body = body_of(n);
    return body == nullptr ? std::nullopt : deeper(n, *definition_of(n)).settled(*body);
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

std::optional<std::int64_t> Speaker::number(const Ast& n) const {
  switch (n.form) {
  case Form::paren: return number(n.kids[0]);
  case Form::number: return n.number;
  case Form::negate: {
    const auto kid = number(n.kids[0]);
    return kid ? std::optional(-*kid) : std::nullopt;
  }
  case Form::name: {
    if (const Meant* meant = local(n.word))
      return meant->value == nullptr ? std::nullopt : where_meant(*meant).number(*meant->value);
    if (const auto* option = option_named(n.word)) return dsl::number_in<std::int64_t>(option->value);
    const Ast* body = body_of(n);
    return body == nullptr ? std::nullopt : deeper(n, *definition_of(n)).number(*body);
  }
  case Form::conditional: {
    const auto known = n.kids.size() == 3 ? settled(n.kids[0]) : std::nullopt;
    return known ? number(n.kids[*known ? 1 : 2]) : std::nullopt;
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

std::optional<bool> Speaker::settled_comparison(const Ast& n) const {
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
std::optional<bool> Speaker::joined(const Ast& n, bool one) const {
  bool all_known = true;
  for (const Ast& kid : n.kids) {
    const auto known = settled(kid);
    if (known && *known == one) return one;
    all_known = all_known && known;
  }
  return all_known ? std::optional(!one) : std::nullopt;
}

} // namespace boardwright::tools
