// Lints about what the step before has settled: `from own, require here in own` always holds, `to empty,
// require here in enemy` never does, and `at own, put` loses a piece.
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/sets.hpp"
#include "interpreter/meaning/elaborator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Form;

// Sets that `here` is known to be in, or outside of, and the step that has seen to it.
struct Fact {
  const Ast* set;
  const Ast* step;
  bool outside = false;
};
using Facts = std::vector<Fact>;

bool names(const Ast& rule, const std::string& name) {
  bool found = false;
  each_node(rule, [&](const Ast& n) {
    found = found || ((n.form == Form::name || n.form == Form::call) && n.word == name);
  });
  return found;
}

Facts without(Facts facts, const std::string& name) {
  std::erase_if(facts, [&](const Fact& fact) { return names(*fact.set, name); });
  return facts;
}

// Facts that are kept: the newest. Nobody writes a step that has seen to more.
constexpr std::size_t kMaxFacts = 8;

Facts in_both(const Facts& a, const Facts& b) {
  Facts both;
  for (const Fact& fact : a)
    if (std::any_of(b.begin(), b.end(), [&](const Fact& other) {
          return fact.outside == other.outside && same_rule(*fact.set, *other.set);
        }))
      both.push_back(fact);
  return both;
}

class Implied {
public:
  Implied(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out) {}

  void rule(const Ast& rule) {
    const Reading* r = in_.reading(rule);
    if (r != nullptr && r->is_action) after(rule, {});
    each_node(rule, [&](const Ast& n) {
      const bool walks = n.form == Form::reach || n.form == Form::can;
      if (walks) after(n.kids.back(), {});
      call(n);
    });
  }

private:
  // What is known after an action, from what is known before it.
  Facts after(const Ast& action, Facts facts) {
    const Ast& n = bare(action);
    switch (n.form) {
    case Form::sequence:
      for (const Ast& kid : n.kids) facts = after(kid, std::move(facts));
      return facts;
    case Form::from:
    case Form::to: return with({}, n.kids[0], n);
    case Form::at:
      if (settled(n, n.kids[0], facts)) return facts;
      return with(std::move(facts), n.kids[0], n);
    case Form::require: return where(n.kids[0], std::move(facts), &n);
    case Form::conditional: return conditional(n, facts);
    case Form::either:
    case Form::otherwise: return any_of(n, facts);
    case Form::repeat: return repeated(n, facts);
    case Form::let:
    case Form::choose:
    case Form::set: return without(std::move(facts), n.word);
    case Form::secretly: return after(n.kids[0], std::move(facts));
    case Form::say:
    case Form::quietly:
    case Form::most:
    case Form::distinct:
    case Form::each:
      for (const Ast& kid : n.kids) after(kid, {}); // what stands within is looked at by itself
      return n.form == Form::say ? facts : Facts{};
    case Form::go:
    case Form::bend:
    case Form::never: return {};
    case Form::put:
      if (n.kids.empty()) landing(facts, n);
      return lasting(std::move(facts));
    case Form::change: same_kind(n, facts); return lasting(std::move(facts));
    case Form::lift:
    case Form::discard:
    case Form::drop:
    case Form::remove:
    case Form::move: return lasting(std::move(facts));
    default: return {};
    }
  }

  Facts conditional(const Ast& n, const Facts& facts) {
    const Facts then = after(n.kids[1], where(n.kids[0], facts, &n));
    return in_both(then, n.kids.size() > 2 ? after(n.kids[2], facts) : facts);
  }

  Facts any_of(const Ast& n, const Facts& facts) {
    Facts all = after(n.kids.front(), facts);
    for (std::size_t i = 1; i < n.kids.size(); ++i) all = in_both(all, after(n.kids[i], facts));
    return all;
  }

  // What a round ends with holds after the loop, if there is a round.
  Facts repeated(const Ast& n, const Facts& facts) {
    const Facts round = after(n.kids[0], {});
    const bool some_round = (n.flags & dsl::kRepeatUnbounded) != 0 && n.number > 0;
    return some_round ? round : in_both(facts, round);
  }

  // `at own, put`: two pieces of one's own on one cell, where there are no stacks.
  void landing(const Facts& facts, const Ast& put) {
    for (const Fact& fact : facts)
      if (!fact.outside && lands_on_own(*fact.set)) return tell_landing(join(fact.step->span, put.span));
  }
  [[nodiscard]] bool lands_on_own(const Ast& set) const {
    static const Ast kOwn{Form::name, {}, 0, 0, "own", {}, {}, {}, {}};
    static const Ast kEnemy{Form::name, {}, 0, 0, "enemy", {}, {}, {}, {}};
    const Reading* r = in_.reading(set);
    return !in_.program.board.stacks && r != nullptr && r->varies && is_part(in_, set, kOwn) &&
           !is_part(in_, set, kEnemy); // there is no such cell
  }
  void tell_landing(dsl::Span span) {
    out_.warning("lands-on-own", span, "a piece is put on one of the player's own, which is lost").help =
        "`empty` are the cells without a piece, `~own` those without one of the player's own";
  }
  // step(D, own): a definition that puts on a cell of its parameter.
  void call(const Ast& n) {
    const dsl::Definition* d = n.form == Form::call ? in_.definition(n) : nullptr;
    if (d == nullptr || !d->body) return;
    for (std::size_t i = 0; i < n.kids.size(); ++i)
      if (puts_on(*d, i) && lands_on_own(n.kids[i])) return tell_landing(n.span);
  }
  bool puts_on(const dsl::Definition& d, std::size_t which) {
    const auto [known, is_new] = puts_on_.try_emplace({&d, which}, false);
    if (!is_new) return known->second;
    const std::string& parameter = d.parameters[which].text;
    bool found = false;
    each_node(*d.body, [&](const Ast& n) {
      if (n.form != Form::sequence) return;
      for (std::size_t i = 0; i + 1 < n.kids.size(); ++i) {
        const Ast &step = bare(n.kids[i]), &next = bare(n.kids[i + 1]);
        const bool there =
            (step.form == Form::at || step.form == Form::to) && is_name(bare(step.kids[0]), parameter);
        found = found || (there && next.form == Form::put && next.kids.empty());
      }
    });
    return known->second = found;
  }

  // `if here in man & last_row then change here to man`
  void same_kind(const Ast& n, const Facts& facts) {
    if (!n.word.empty() || n.kids.size() < 2 || !is_name(bare(n.kids[0]), "here")) return;
    const Ast& kind = bare(n.kids[1]);
    const auto& kinds = in_.program.kinds;
    if (kind.form != Form::name ||
        std::none_of(kinds.begin(), kinds.end(), [&](const auto& one) { return one.name == kind.word; }))
      return;
    for (const Fact& fact : facts)
      if (!fact.outside && is_part(in_, *fact.set, kind)) {
        auto& warning = out_.warning("self-assignment", n.span, "this piece is of that kind already");
        warning.help = "say what it should become";
        warning.related.push_back({fact.step->span, "it has just been asked here"});
        return;
      }
  }

  // What stays so when pieces move: fixed cells, and of `S - T` that it isn't one of T.
  Facts lasting(Facts facts) const {
    for (Fact& fact : facts)
      if (const Ast& set = bare(*fact.set); !is_fixed(set) && is_sign(set, "-"))
        fact = {&bare(set.kids[1]), fact.step, true};
    std::erase_if(facts, [&](const Fact& fact) { return !is_fixed(*fact.set); });
    return facts;
  }
  [[nodiscard]] bool is_fixed(const Ast& set) const {
    const Reading* r = in_.reading(set);
    return r != nullptr && r->type == Ty::cells && !r->varies;
  }

  // Looks at a condition, and adds what is known where it holds.
  Facts where(const Ast& condition, Facts facts, const Ast* step) {
    const Ast& n = bare(condition);
    if (n.form == Form::all_of) {
      for (const Ast& kid : n.kids) facts = where(kid, std::move(facts), step);
      return facts;
    }
    if (n.form == Form::negation) {
      where(n.kids[0], facts, step);
      return facts;
    }
    // `here = c`, where c is a cell that isn't known to be anything else, says as much as `here in c`.
    const bool equals = n.form == Form::compare && n.word == "=" && is_name(bare(n.kids[0]), "here");
    if (equals) outside_of(n, n.kids[1], facts);
    const bool about_here = n.form == Form::compare && n.word == "in" && is_name(bare(n.kids[0]), "here");
    if (!about_here || settled(n, n.kids[1], facts)) return facts;
    return with(std::move(facts), n.kids[1], *step);
  }

  [[nodiscard]] Facts with(Facts facts, const Ast& set, const Ast& step) {
    if (facts.size() == kMaxFacts) facts.erase(facts.begin());
    if (!goes_by_walker(set)) facts.push_back({&set, &step});
    return facts;
  }

  // Does a set go by where the walker is, so that the same words mean something else after a step?
  bool goes_by_walker(const Ast& set) {
    bool found = false;
    each_node(set, [&](const Ast& n) {
      if (found || (n.form != Form::name && n.form != Form::call)) return;
      found = n.word == "here" || n.word == "heading" || n.word == "start" || n.word == "carried";
      const dsl::Definition* d = found ? nullptr : in_.definition(n);
      found = found || (d != nullptr && goes_by_walker(*d));
    });
    return found;
  }
  bool goes_by_walker(const dsl::Definition& d) {
    const auto [known, is_new] = by_walker_.try_emplace(&d, false);
    if (!is_new) return known->second;
    bool found = false;
    each_body(d, [&](const Ast& body) { found = found || goes_by_walker(body); });
    return by_walker_[&d] = found;
  }

  // Tells of cells that a step has kept the walker from.
  bool outside_of(const Ast& condition, const Ast& set, const Facts& facts) {
    // `enemy den` is another slip, which is told where it stands.
    if (bare(set).form == Form::owned || in_.reading(set) == nullptr || goes_by_walker(set)) return false;
    for (const Fact& fact : facts) {
      if (!fact.outside || !is_part(in_, set, *fact.set)) continue;
      auto& warning = out_.warning("constant-condition", condition.span, "this never holds here");
      warning.help = fmt::format("`{}` has kept it away from there", text_of(*fact.step));
      warning.related.push_back({fact.step->span, "that is here"});
      return true;
    }
    return false;
  }
  // Tells of a condition that is decided already.
  bool settled(const Ast& condition, const Ast& set, const Facts& facts) {
    const Reading* r = in_.reading(set);
    if (r == nullptr || goes_by_walker(set)) return false; // never read, or another set than before
    if (outside_of(condition, set, facts)) return true;
    for (const Fact& fact : facts) {
      if (fact.outside) continue;
      const bool always = is_part(in_, *fact.set, set), never = are_apart(in_, *fact.set, set);
      if (!always && !never) continue;
      auto& warning = out_.warning("constant-condition", condition.span,
                                   always ? "this always holds here" : "this never holds here");
      const std::string text = text_of(*fact.step);
      warning.help = always
                         ? fmt::format("`{}` has seen to it: leave this out, or say what it should be", text)
                         : fmt::format("`{}` has settled that: leave it out, or say what it should be", text);
      warning.related.push_back({fact.step->span, "that is here"});
      return true;
    }
    return false;
  }
  [[nodiscard]] std::string text_of(const Ast& n) const {
    return in_.sources.text(n.span.file).substr(n.span.begin, n.span.end - n.span.begin);
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
  std::map<const dsl::Definition*, bool> by_walker_;
  std::map<std::pair<const dsl::Definition*, std::size_t>, bool> puts_on_; // by parameter
};

} // namespace

void lint_implied(const Linted& in, dsl::Diagnostics& out) {
  Implied implied(in, out);
  each_rule(in.file, [&](const Ast& rule) { implied.rule(rule); });
}

} // namespace boardwright::interpreter
