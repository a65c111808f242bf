// Conditions of many cells at once: the members of a set for which something holds are walkers that stand
// where they are (walks/set_at_a_time.cpp), and who of them could carry an action out is asked by carrying it
// out by all of them at once.
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/walks/set_at_a_time.hpp"
#include "runtime/lowering/walks/walkers.hpp"
#include "runtime/model/idioms.hpp"

#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

// Does a condition speak of the walker that asks, and not only of the cell that it is asked of?
bool reads_outer_walker(const Context& cx, NodeId id) {
  if (id == kNoNode) return false;
  const Node& n = cx.node(id);
  if (!is_action(n.op) && (own_reads(n.op) & (kWalker | kCarried)) != 0) return true;
  switch (n.op) {
  case Op::reach: // within it `here` is its own walker, and so is the heading
    return reads_outer_walker(cx, cx.program.kid(n, 0)) ||
           cx.facts.contains(cx.program.kid(n, 1), Op::start) ||
           cx.facts.contains(cx.program.kid(n, 1), Op::carried);
  case Op::can: {
    Actions parts;
    cx.facts.flatten(cx.program.kid(n, 0), parts);
    const Node& first = cx.node(parts.front());
    if ((first.op != Op::to && first.op != Op::from) || reads_outer_walker(cx, cx.program.kid(first, 0)))
      return true;
    return first.op == Op::to && cx.facts.contains(cx.program.kid(n, 0), Op::start);
  }
  default: break;
  }
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (reads_outer_walker(cx, cx.program.kid(n, i))) return true;
  return false;
}

} // namespace

std::optional<Reg> members_where(Context& cx, NodeId condition, std::int32_t slot, const AbstractValue& from,
                                 const AbstractDraft& d) {
  if (!is_on(Idiom::members_set_at_a_time)) return std::nullopt;
  if (d.decided || cx.within.each > 0 || !from.is(Kind::set) || d.carried.kind != Carried::Kind::nothing ||
      reads_outer_walker(cx, condition) || cx.facts.contains(condition, Op::before))
    return std::nullopt;
  Walkers w;
  w.set = from.reg;
  w.contents = from.contents;
  w.start = everywhere(cx);
  w.changes.push_back({kNoNode, everywhere(cx), true, slot});
  w.known.push_back(from.contents);
  const auto names = std::exchange(cx.set_at_a_time.names, {{slot, cx.here_node}});
  Emitter::Attempt attempt(cx.e);
  AbstractDraft inside = d;
  const auto holding = where_holds(cx, condition, w, inside);
  cx.set_at_a_time.names = names;
  if (holding) return meet(cx, from.reg, *holding);
  attempt.give_up();
  return std::nullopt;
}

std::optional<Reg> where_can(Context& cx, NodeId action, const Walkers& w, const AbstractDraft& d) {
  Actions parts;
  cx.facts.flatten(action, parts);
  const Node first = cx.node(parts.front());
  if ((first.op != Op::to && first.op != Op::from) || !is_walker_cell(cx, cx.kid(parts.front(), 0)) ||
      cx.text || d.carried.kind != Carried::Kind::nothing)
    return std::nullopt;
  const Reg all = cx.e.new_set();
  cx.e.emit(Ir::set_copy, all, cx.no_cells);
  const Emitter::Scope scope(cx.e);
  Emitter::Attempt attempt(cx.e);
  Continuation then;
  then.is_end = true;
  then.go = [](const AbstractDraft&) {};
  then.set_at_a_time = [&](const void* walkers, const AbstractDraft&) {
    const Walkers& v = *static_cast<const Walkers*>(walkers);
    Reg back = v.set;
    for (std::size_t k = v.path.size(); k-- > 0;) back = stepped(cx, back, v.path[k], true);
    cx.e.emit(Ir::set_join, all, back);
  };
  std::vector<Todo> chain(parts.size());
  chain.back() = {kNoNode, nullptr, &then};
  for (std::size_t k = parts.size(); k-- > 1;) chain[k - 1] = {parts[k], &chain[k], nullptr};
  Walkers v;
  v.set = w.set;
  v.contents = w.contents;
  v.starts = first.op == Op::from;
  v.start = everywhere(cx);
  v.changes = w.changes; // names only
  v.known = w.known;
  AbstractDraft inside = d;
  inside.quiet = true;
  inside.recorded = false;
  inside.choices.clear();
  inside.here = inside.heading = {};
  const Mode mode = std::exchange(cx.mode, Mode::search);
  const int reaching = std::exchange(cx.within.reach, 0);
  const bool stays = std::exchange(cx.set_at_a_time.must_stay, true),
             left = std::exchange(cx.set_at_a_time.left, false);
  act_set_at_a_time(cx, chain.data(), std::move(v), std::move(inside));
  const bool parted = std::exchange(cx.set_at_a_time.left, left);
  cx.mode = mode, cx.within.reach = reaching, cx.set_at_a_time.must_stay = stays;
  if (!parted) return all;
  attempt.give_up();
  return std::nullopt;
}

} // namespace boardwright::runtime::lowering
