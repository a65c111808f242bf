// Lints about what is left to chance, and what is secret: weights that are all the same, what stands behind a
// roll that can't fail, and secrets that are written down for all.
#include "interpreter/lints/lints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Form;

bool names_any(const Ast& n, const std::set<std::string>& names) {
  bool found = false;
  each_node(
      n, [&](const Ast& part) { found = found || (part.form == Form::name && names.contains(part.word)); });
  return found;
}

// A definition knows its parameters alone, so a weight that goes by what is rolled names it.
void lint_weight(const Ast& roll, dsl::Diagnostics& out) {
  if (roll.kids.size() < 2 || roll.names.size() != 1) return;
  const Ast& weight = roll.kids[1];
  const std::string& name = roll.names.front();
  if (names_any(weight, {name}) || bare(weight).form == Form::conditional) return; // which may be 0, for all
  auto& warning = out.warning(
      "same-weights", weight.span,
      fmt::format("this weight doesn't ask for `{}`: each of them is as likely as another", name));
  const Ast& what = bare(weight);
  warning.help = what.form == Form::name
                     ? fmt::format("the weight of each is `{}({})`", what.word, name)
                     : fmt::format("leave `by` out, or work the weight out from `{}`", name);
}

// What a turn, or a part of it, begins with.
const Ast& first_step(const Ast& n) {
  const Ast* first = &bare(n);
  while ((first->form == Form::sequence || first->form == Form::paren) && !first->kids.empty())
    first = &first->kids.front();
  return *first;
}

// Is there always something to roll?
bool never_fails(const Ast& roll) {
  const Ast& from = bare(roll.kids.front());
  const bool numbers = is_sign(from, "..") && from.kids[0].form == Form::number &&
                       from.kids[1].form == Form::number && from.kids[0].number <= from.kids[1].number;
  return roll.kids.size() == 1 && (numbers || dsl::is_name(from, "kinds") || dsl::is_name(from, "players"));
}

// A roll ends the ply, so what comes behind it can't make `otherwise` go on.
void lint_otherwise(const Ast& n, dsl::Diagnostics& out) {
  const Ast& first = bare(n.kids.front());
  const Ast& roll = first_step(first);
  if (roll.form != Form::roll || roll.kids.empty() || !never_fails(roll)) return;
  auto& warning = out.warning("after-a-roll", n.kids[1].span,
                              "nobody comes to this: there is always something to roll before `otherwise`");
  warning.help = first.form == Form::sequence
                     ? "what can't be done is known behind the roll: write `roll …, (A otherwise B)`"
                     : "";
  warning.related.push_back({roll.span, "this always gives something"});
}

// What steps within `secretly` have chosen is known by its name behind them.
class ToldSecrets {
public:
  explicit ToldSecrets(dsl::Diagnostics& out) : out_(out) {}
  void visit(const Ast& n) {
    if (n.form == Form::secretly) return note(n);
    if (n.form == Form::say) {
      for (const Ast& what : n.kids)
        if (names_any(what, secret_)) return tell(n);
      return;
    }
    const bool branches = n.form == Form::either || n.form == Form::otherwise || n.form == Form::conditional;
    const std::set<std::string> before = secret_;
    for (const Ast& kid : n.kids) {
      if (branches) secret_ = before;
      visit(kid);
    }
    if (branches) secret_ = before;
    if (n.form == Form::choose) secret_.erase(n.word); // an open one of the same name
    if (n.form == Form::roll)
      for (const std::string& name : n.names) secret_.erase(name);
  }

private:
  void note(const Ast& secretly) {
    each_node(secretly, [this](const Ast& n) {
      if (n.form == Form::choose) secret_.insert(n.word);
      if (n.form == Form::roll) secret_.insert(n.names.begin(), n.names.end());
    });
  }
  void tell(const Ast& say) {
    out_.warning("told-secret", say.span, "what was chosen secretly is written here for everybody to read")
        .help = "`secretly (choose n in S, say n)`: the parentheses hold all that nobody else reads";
  }

  dsl::Diagnostics& out_;
  std::set<std::string> secret_;
};

} // namespace

void lint_chance(const Linted& in, dsl::Diagnostics& out) {
  each_rule(in.file, [&](const Ast& rule) {
    each_node(rule, [&](const Ast& n) {
      if (n.form == Form::roll) lint_weight(n, out);
      if (n.form == Form::otherwise) lint_otherwise(n, out);
    });
    ToldSecrets(out).visit(rule);
  });
}

} // namespace boardwright::interpreter
