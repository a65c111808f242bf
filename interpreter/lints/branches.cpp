// Lints about `if`: branches that say the same, conditions of a chain that earlier ones cover, and branches
// that ask at once what has just been decided.
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/sets.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Form;

class Branches {
public:
  explicit Branches(dsl::Diagnostics& out) : out_(out) {}

  void look_at(const Ast& n) {
    if (n.form != Form::conditional) return;
    alike(n);
    chained(n);
    asked_again(n.kids[0], n.kids[1], true);
    if (n.kids.size() > 2) asked_again(n.kids[0], n.kids[2], false);
  }

private:
  // if C then A else A
  void alike(const Ast& n) {
    if (n.kids.size() < 3 || !same_rule(n.kids[1], n.kids[2])) return;
    auto& warning = out_.warning("said-twice", n.kids[2].span, "both branches say the same");
    warning.help = "leave out the condition, or say what is otherwise";
    warning.related.push_back({n.kids[1].span, "here"});
  }

  // if C then … else if C then …
  void chained(const Ast& n) {
    if (chained_.contains(&n)) return;
    std::vector<const Ast*> conditions;
    for (const Ast* branch = &n; branch->form == Form::conditional;) {
      chained_.insert(branch);
      const Ast& condition = branch->kids[0];
      for (const Ast* earlier : conditions)
        if (same_rule(*earlier, condition) || is_special_case(condition, *earlier)) {
          auto& warning = out_.warning(
              "said-twice", condition.span,
              same_rule(*earlier, condition)
                  ? "this has been asked before, and didn't hold"
                  : "where this holds, what has been asked before holds as well, and came first");
          warning.help = "what follows is never reached";
          warning.related.push_back({earlier->span, "here"});
        }
      conditions.push_back(&condition);
      if (branch->kids.size() < 3) break;
      branch = &bare(branch->kids[2]);
    }
  }

  // count(S) > 5 of count(S) > 3, in_row(4) of in_row(3)
  static bool is_special_case(const Ast& later, const Ast& earlier) {
    const Bounded special = bounded(later), general = bounded(earlier);
    if (about_the_same(special, general)) return general.low <= special.low && special.high <= general.high;
    const auto row = [](const Ast& condition) -> const Ast& {
      const Ast& n = bare(condition);
      return n.form == Form::some && n.kids.size() == 1 ? bare(n.kids[0]) : n;
    };
    const Ast &a = row(later), &b = row(earlier);
    const bool rows = a.form == Form::call && b.form == Form::call && a.word == b.word &&
                      (a.word == "in_row" || a.word == "line") && !a.kids.empty() &&
                      a.kids.size() == b.kids.size() && bare(a.kids[0]).form == Form::number &&
                      bare(b.kids[0]).form == Form::number;
    return rows && bare(a.kids[0]).number >= bare(b.kids[0]).number &&
           std::equal(a.kids.begin() + 1, a.kids.end(), b.kids.begin() + 1, same_rule);
  }

  // if C then … else require no C: nothing has changed since C was asked.
  void asked_again(const Ast& condition, const Ast& branch, bool holds) {
    const Ast& first = bare(branch).form == Form::sequence ? bare(bare(branch).kids[0]) : bare(branch);
    if (first.form != Form::require) return;
    const Ast &before = bare(condition), &again = bare(first.kids[0]);
    const bool same = same_rule(before, again);
    if (is_about_here(again)) return; // told by what steps have settled
    if (!same && !are_opposite(before, again) && !are_opposite(again, before)) return;
    auto& warning = out_.warning("constant-condition", again.span,
                                 same == holds ? "this always holds here" : "this never holds here");
    warning.help = "the `if` has asked it already; was something else meant there, or here?";
    warning.related.push_back({condition.span, "asked here"});
  }

  // here in S, not here in S
  static bool is_about_here(const Ast& condition) {
    if (condition.form == Form::negation) return is_about_here(bare(condition.kids[0]));
    return condition.form == Form::compare && condition.word == "in" &&
           bare(condition.kids[0]).word == "here";
  }

  dsl::Diagnostics& out_;
  std::set<const Ast*> chained_;
};

} // namespace

void lint_branches(const Linted& in, dsl::Diagnostics& out) {
  Branches branches(out);
  each_rule(in.file, [&](const Ast& rule) { each_node(rule, [&](const Ast& n) { branches.look_at(n); }); });
}

} // namespace boardwright::interpreter
