// Entry points: is_part, are_apart, are_opposite, bounded.
#include "interpreter/lints/sets.hpp"

#include "interpreter/meaning/elaborator.hpp"

#include <algorithm>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Definition;
using dsl::Form;

// Definitions and sets within one another that are gone into.
constexpr int kMostNestedSets = 12;
// Pairs of sets that one question looks at. Sets that people write need a few dozen; unions of intersections
// can be made that would need millions.
constexpr int kMaxPairs = 1'000;

class Sets {
public:
  explicit Sets(const Linted& in) : in_(in) {}

  bool is_part(const Ast& less_, const Ast& more_, int depth = 0) {
    if (depth > kMostNestedSets || --left_ < 0) return false;
    if (same_rule(less_, more_)) return true;
    const Ast &less = unfolded(less_, depth), &more = unfolded(more_, depth);
    const auto part = [&](const Ast& a, const Ast& b) { return is_part(a, b, depth + 1); };
    if (same_rule(less, more) || is_name(more, "board")) return true;
    if (is_sign(less, "|")) return part(less.kids[0], more) && part(less.kids[1], more);
    if (is_sign(more, "&")) return part(less, more.kids[0]) && part(less, more.kids[1]);
    if (is_sign(more, "|") && (part(less, more.kids[0]) || part(less, more.kids[1]))) return true;
    if (is_sign(less, "&") && (part(less.kids[0], more) || part(less.kids[1], more))) return true;
    if (is_sign(less, "-") && part(less.kids[0], more)) return true;
    if (less.form == Form::owned && (part(less.kids[0], more) || part(less.kids[1], more))) return true;
    if (less.form == Form::part && part(less.kids[0], more)) return true;
    if (more.form == Form::complement) return apart(less, more.kids[0], depth + 1);
    return known_part(less, more);
  }

  bool apart(const Ast& a_, const Ast& b_, int depth = 0) {
    if (depth > kMostNestedSets || --left_ < 0) return false;
    const Ast &a = unfolded(a_, depth), &b = unfolded(b_, depth);
    const auto is_owner = [](const Ast& n) {
      return is_name(n, "own") || is_name(n, "enemy") || is_name(n, "neutral") || is_name(n, "empty");
    };
    if (is_sign(b, "|")) return apart(a, b.kids[0], depth + 1) && apart(a, b.kids[1], depth + 1);
    if (is_sign(a, "&")) return apart(a.kids[0], b, depth + 1) || apart(a.kids[1], b, depth + 1);
    if (is_sign(a, "-")) return apart(a.kids[0], b, depth + 1);
    if (a.form == Form::owned) return apart(a.kids[0], b, depth + 1);
    if (b.form == Form::owned) return apart(a, b.kids[0], depth + 1);
    if (b.form == Form::complement) return is_part(a, b.kids[0], depth + 1);
    return is_owner(a) && is_owner(b) && a.word != b.word;
  }

private:
  // Without parentheses, and what a name without parameters stands for.
  [[nodiscard]] const Ast& unfolded(const Ast& set, int depth) const {
    const Ast& n = bare(set);
    const Definition* d = n.form == Form::name && depth < kMostNestedSets ? in_.definition(n) : nullptr;
    return d != nullptr && d->body && d->cases.empty() ? unfolded(*d->body, depth + 1) : n;
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
  int left_ = kMaxPairs;
};

} // namespace

bool are_opposite(const Ast& a, const Ast& b) {
  if (b.form == Form::negation) return same_rule(a, b.kids[0]);
  const bool some = a.form == Form::some && b.form == Form::no;
  const bool equal = a.form == Form::compare && b.form == Form::compare && a.word == "=" && b.word == "!=";
  return (some || equal) && std::equal(a.kids.begin(), a.kids.end(), b.kids.begin(), b.kids.end(), same_rule);
}

Bounded bounded(const Ast& condition) {
  const Ast& n = bare(condition);
  if (n.form == Form::no && n.kids.size() == 1) return {&bare(n.kids[0]), true, 0, 0};
  if (n.form == Form::some && n.kids.size() == 1) return {&bare(n.kids[0]), true, 1, INT64_MAX};
  if (n.form != Form::compare || bare(n.kids[1]).form != Form::number) return {};
  const Ast& left = bare(n.kids[0]);
  Bounded result{&left, false, INT64_MIN, INT64_MAX};
  if (left.form == Form::call && left.word == "count" && left.kids.size() == 1)
    result = {&bare(left.kids[0]), true, 0, INT64_MAX};
  const std::int64_t number = bare(n.kids[1]).number;
  if (n.word == "<") result.high = number - 1;
  if (n.word == "<=") result.high = number;
  if (n.word == ">") result.low = number + 1;
  if (n.word == ">=") result.low = number;
  if (n.word == "=") result.low = result.high = number;
  return n.word == "!=" || n.word == "in" ? Bounded{} : result;
}

bool about_the_same(const Bounded& a, const Bounded& b) {
  return a.what != nullptr && b.what != nullptr && a.counted == b.counted && same_rule(*a.what, *b.what);
}

bool is_part(const Linted& in, const Ast& less, const Ast& more) { return Sets(in).is_part(less, more); }

bool are_apart(const Linted& in, const Ast& a, const Ast& b) { return Sets(in).apart(a, b); }

} // namespace boardwright::interpreter
