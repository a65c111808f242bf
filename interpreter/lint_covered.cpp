// A lint about alternatives: one that another one covers gives no move of its own.
//
// `step(forward, empty)` gives nothing that `step(ahead, ~own)` doesn't give. That is known where two
// alternatives are the same but for sets of which one is a part of the other, and where more in these sets
// can only mean more moves.
#include "interpreter/lints.hpp"
#include "interpreter/lowering.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Definition;
using dsl::Form;

// Definitions and sets within one another that are gone into.
constexpr int kMaxDepth = 12;

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
    case Form::go: return is_part(less.kids[0], more.kids[0]);
    case Form::call: break;
    default: return false;
    }
    const Definition* d = in_.definition(more);
    if (d == nullptr || !d->body || !d->cases.empty()) return false;
    for (std::size_t i = 0; i < more.kids.size(); ++i)
      if (!same_rule(more.kids[i], less.kids[i]) &&
          !(is_part(less.kids[i], more.kids[i]) && only_adds(*d->body, d->parameters[i].text)))
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
    if (depth > kMaxDepth) return false;
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

  // Without parentheses, and what a name without parameters stands for.
  [[nodiscard]] const Ast& unfolded(const Ast& set, int depth) const {
    const Ast& n = bare(set);
    const Definition* d = n.form == Form::name && depth < kMaxDepth ? in_.definition(n) : nullptr;
    return d != nullptr && d->body && d->cases.empty() ? unfolded(*d->body, depth + 1) : n;
  }

  // Is a set always a part of another one? False where that isn't seen.
  [[nodiscard]] bool is_part(const Ast& less_, const Ast& more_, int depth = 0) const {
    if (depth > kMaxDepth || same_rule(less_, more_)) return depth <= kMaxDepth;
    const Ast &less = unfolded(less_, depth), &more = unfolded(more_, depth);
    const auto part = [&](const Ast& a, const Ast& b) { return is_part(a, b, depth + 1); };
    if (same_rule(less, more) || is_name(more, "board")) return true;
    if (is_sign(less, "|")) return part(less.kids[0], more) && part(less.kids[1], more);
    if (is_sign(more, "&")) return part(less, more.kids[0]) && part(less, more.kids[1]);
    if (is_sign(more, "|") && (part(less, more.kids[0]) || part(less, more.kids[1]))) return true;
    if (is_sign(less, "&") && (part(less.kids[0], more) || part(less.kids[1], more))) return true;
    if (is_sign(less, "-") && part(less.kids[0], more)) return true;
    if (less.form == Form::owned && part(less.kids[0], more)) return true;
    if (more.form == Form::complement) return apart(less, more.kids[0], depth + 1);
    return known_part(less, more);
  }
  // Have two sets nothing in common in any position?
  [[nodiscard]] bool apart(const Ast& a_, const Ast& b_, int depth) const {
    if (depth > kMaxDepth) return false;
    const Ast &a = unfolded(a_, depth), &b = unfolded(b_, depth);
    const auto is_owner = [](const Ast& n) {
      return is_name(n, "own") || is_name(n, "enemy") || is_name(n, "neutral") || is_name(n, "empty");
    };
    if (is_sign(b, "|")) return apart(a, b.kids[0], depth + 1) && apart(a, b.kids[1], depth + 1);
    if (is_sign(a, "&")) return apart(a.kids[0], b, depth + 1) || apart(a.kids[1], b, depth + 1);
    if (is_sign(a, "-")) return apart(a.kids[0], b, depth + 1);
    if (a.form == Form::owned) return apart(a.kids[0], b, depth + 1);
    if (b.form == Form::owned) return apart(a, b.kids[0], depth + 1);
    return is_owner(a) && is_owner(b) && a.word != b.word;
  }
  // By what they turned out to be, where that is the same for all players.
  [[nodiscard]] bool known_part(const Ast& less, const Ast& more) const {
    static const auto kGoesByPlayer = [](const Ast& n) {
      return is_name(n, "forward") || is_name(n, "backward") || is_name(n, "left") || is_name(n, "right");
    };
    bool same_for_all = true;
    each_node(more, [&](const Ast& n) { same_for_all = same_for_all && !kGoesByPlayer(n); });
    const Reading *a = in_.reading(less), *b = in_.reading(more);
    if (!same_for_all || a == nullptr || b == nullptr || a->varies || b->varies) return false;
    return a->type == Ty::directions && b->type == Ty::directions && a->steps.any() &&
           (a->steps & b->steps) == a->steps;
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
