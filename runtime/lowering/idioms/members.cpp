// Members of a set that can't pass a condition, left out before it is asked of each: `box(a, z) in own` only
// holds of an own z, and so does `z in own and …`.
#include "runtime/lowering/idioms/members.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/model/idioms.hpp"

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

bool has_cell(const Context& cx, NodeId set, std::int32_t slot, NodeId of);
bool steps_fit(const Context& cx, NodeId members, std::int32_t from, std::int32_t apart);

// A set that has every cell for which the condition holds, if the name stands for it; nothing where that
// isn't known.
std::optional<Reg> implied(Context& cx, NodeId condition, std::int32_t slot, NodeId of, AbstractDraft& d) {
  if (!is_on(Idiom::implied_members)) return std::nullopt;
  const Node n = cx.node(condition);
  const auto known = [&](NodeId id) -> std::optional<Reg> {
    if (!known_everywhere(cx, id, d)) return std::nullopt;
    return set(cx, id, d);
  };
  switch (n.op) {
  case Op::all_of: {
    std::optional<Reg> all;
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (const auto part = implied(cx, cx.kid(condition, i), slot, of, d))
        all = all ? meet(cx, *all, *part) : *part;
    return all;
  }
  case Op::any_of: {
    Reg all = cx.no_cells;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const auto part = implied(cx, cx.kid(condition, i), slot, of, d);
      if (!part) return std::nullopt;
      all = unite(cx, all, *part);
    }
    return n.count > 0 ? std::optional(all) : std::nullopt;
  }
  case Op::within:
    if (cx.node(cx.kid(condition, 0)).type != Type::cells || !has_cell(cx, cx.kid(condition, 0), slot, of))
      return std::nullopt;
    return known(cx.kid(condition, 1));
  default: return std::nullopt;
  }
}

// Is the cell that the name stands for surely in a set?
bool has_cell(const Context& cx, NodeId set, std::int32_t slot, NodeId of) {
  const Node& n = cx.node(set);
  switch (n.op) {
  case Op::local: return n.a == slot;
  case Op::unite:
    return has_cell(cx, cx.program.kid(n, 0), slot, of) || has_cell(cx, cx.program.kid(n, 1), slot, of);
  case Op::box: { // it has its corners, if they fit
    const Node &a = cx.node(cx.program.kid(n, 0)), &b = cx.node(cx.program.kid(n, 1));
    if (a.op != Op::local || b.op != Op::local || (a.a != slot && b.a != slot)) return false;
    const Node* const apart = n.count > 2 ? &cx.node(cx.program.kid(n, 2)) : nullptr;
    if (apart == nullptr) return true;
    if (apart->op != Op::number || apart->a < 1) return false;
    return apart->a == 1 || a.a == b.a || steps_fit(cx, of, a.a == slot ? b.a : a.a, apart->a);
  }
  default: return false;
  }
}

// Are the members reached from the cell that a name stands for, by steps of multiples of so many files and
// ranks?
bool steps_fit(const Context& cx, NodeId members, std::int32_t from, std::int32_t apart) {
  const Node& n = cx.node(members);
  if (n.op == Op::minus) return steps_fit(cx, cx.program.kid(n, 0), from, apart);
  if (n.op == Op::meet)
    return steps_fit(cx, cx.program.kid(n, 0), from, apart) ||
           steps_fit(cx, cx.program.kid(n, 1), from, apart);
  if (n.op == Op::local) return n.a == from;
  const Path* walk = n.op == Op::reach ? cx.facts.path(cx.program.kid(n, 1)) : nullptr;
  if (walk == nullptr || !steps_fit(cx, cx.program.kid(n, 0), from, apart)) return false;
  return all_of_path(*walk, [&](const Path& p) {
    if (!is_plain_part(p)) return false;
    if (!p.is(Path::Kind::step) && !p.named()) return true;
    const Node& of = cx.node(p.of);
    bool fits = of.op == Op::directions || of.op == Op::local;
    if (of.op != Op::directions) return fits;
    cx.program.step_sets[at(of.a)].each([&](int s) {
      const Step& step = cx.board().steps[at(s)];
      fits = fits && !step.may_return() && step.dx % apart == 0 && step.dy % apart == 0;
    });
    return fits;
  });
}

} // namespace

AbstractValue members(Context& cx, NodeId of, std::int32_t slot, NodeId condition, AbstractDraft& d) {
  AbstractValue all = value(cx, of, d);
  if (cx.node(of).type != Type::cells || !all.is(Kind::set) || !cx.facts.harmless(condition)) return all;
  if (const auto among = implied(cx, condition, slot, of, d)) all.reg = meet(cx, all.reg, *among);
  return all;
}

} // namespace boardwright::runtime::lowering
