// A lint about alternatives: one that another one covers gives no move of its own.
//
// `step(forward, empty)` gives nothing that `step(ahead, ~own)` doesn't give. That is known where two
// alternatives are the same but for sets of which one is a part of the other, and where more in these sets
// can only mean more moves.
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/sets.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Definition;
using dsl::Form;

// Definitions within one another that are gone into.
constexpr int kMostNestedCovers = 12;

class Covered {
public:
  Covered(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out) {}

  void rule(const Ast& rule) {
    each_node(rule, [&](const Ast& n) {
      const Reading* r = in_.reading(n);
      const bool joins = n.form == Form::either || n.form == Form::otherwise;
      if (joins && r != nullptr && r->is_action) alternatives(n);
    });
  }

private:
  void alternatives(const Ast& n) {
    for (const Ast& one : n.kids)
      for (const Ast& other : n.kids)
        // That what is asked first is less than what is asked otherwise is meant: first of all captures.
        if (&one != &other && (n.form == Form::either || &one < &other) && !same_rule(one, other) &&
            covers(one, other)) {
          auto& warning = out_.warning("said-twice", other.span, "another alternative gives all these moves");
          warning.help = "remove it, or say what it should be";
          warning.related.push_back({one.span, "that is this one"});
          return;
        }
  }

  // Does `more` give all outcomes of `less`?
  [[nodiscard]] bool covers(const Ast& more_, const Ast& less_) const {
    const Ast &more = bare(more_), &less = bare(less_);
    if (same_rule(more, less)) return true;
    if (less.form == Form::sequence || more.form == Form::sequence) return covers_steps(more, less);
    if (more.form != less.form || more.word != less.word || more.kids.size() != less.kids.size())
      return false;
    switch (more.form) {
    case Form::from:
    case Form::to:
    case Form::at:
    case Form::go: return is_part(in_, less.kids[0], more.kids[0]);
    case Form::call: break;
    default: return false;
    }
    const Definition* d = in_.definition(more);
    if (d == nullptr || !d->body || !d->cases.empty()) return false;
    for (std::size_t i = 0; i < more.kids.size(); ++i)
      if (!same_rule(more.kids[i], less.kids[i]) &&
          !(is_part(in_, less.kids[i], more.kids[i]) && only_adds(*d->body, d->parameters[i].text)))
        return false;
    return true;
  }
  // Step by step; what `less` requires beside that makes it fewer.
  [[nodiscard]] bool covers_steps(const Ast& more, const Ast& less) const {
    const auto steps = [](const Ast& n) {
      std::vector<const Ast*> list;
      if (n.form != Form::sequence) return std::vector<const Ast*>{&n};
      for (const Ast& kid : n.kids) list.push_back(&bare(kid));
      return list;
    };
    const auto all = steps(more), fewer = steps(less);
    std::size_t at = 0;
    for (const Ast* step : fewer) {
      if (at < all.size() && covers(*all[at], *step)) {
        ++at;
        continue;
      }
      if (step->form != Form::require) return false;
    }
    return at == all.size();
  }

  // Can more members of a parameter only mean more outcomes of an action?
  [[nodiscard]] bool only_adds(const Ast& action, const std::string& parameter, int depth = 0) const {
    if (depth > kMostNestedCovers) return false;
    const Ast& n = bare(action);
    switch (n.form) {
    case Form::from:
    case Form::to:
    case Form::at:
    case Form::go: return grows(n.kids[0], parameter);
    case Form::choose: return n.kids.size() == 1 && grows(n.kids[0], parameter);
    case Form::repeat:
      if ((n.flags & (dsl::kRepeatMaximal | dsl::kRepeatUntil)) != 0) return !names(n, parameter);
      break;
    case Form::sequence:
    case Form::either: break;
    case Form::call: {
      const Definition* d = in_.definition(n);
      for (std::size_t i = 0; i < n.kids.size(); ++i) {
        if (!names(n.kids[i], parameter)) continue;
        const bool passed = d != nullptr && d->body && d->cases.empty() && grows(n.kids[i], parameter);
        if (!passed || !only_adds(*d->body, d->parameters[i].text, depth + 1)) return false;
      }
      return true;
    }
    default: return !names(n, parameter);
    }
    return std::all_of(n.kids.begin(), n.kids.end(),
                       [&](const Ast& kid) { return only_adds(kid, parameter, depth); });
  }
  // Does a set have more members where a parameter has?
  [[nodiscard]] static bool grows(const Ast& set, const std::string& parameter) {
    const Ast& n = bare(set);
    if (is_name(n, parameter) || !names(n, parameter)) return true;
    if (is_sign(n, "|") || is_sign(n, "&")) return grows(n.kids[0], parameter) && grows(n.kids[1], parameter);
    return is_sign(n, "-") && grows(n.kids[0], parameter) && !names(n.kids[1], parameter);
  }
  [[nodiscard]] static bool names(const Ast& rule, const std::string& name) {
    bool found = false;
    each_node(rule, [&](const Ast& n) { found = found || is_name(n, name); });
    return found;
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
};

} // namespace

void lint_covered(const Linted& in, dsl::Diagnostics& out) {
  Covered covered(in, out);
  each_rule(in.file, [&](const Ast& rule) { covered.rule(rule); });
}

} // namespace boardwright::interpreter
