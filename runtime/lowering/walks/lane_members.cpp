// Conditions of many cells at once: the members of a set for which something holds are walkers that stand
// where they are (walks/lanes.cpp), and who of them could carry an action out is asked by carrying it out in
// bulk.
#include "runtime/lowering/walks/walkers.hpp"
#include "runtime/model/forms.hpp"

#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// Does a condition speak of the walker that asks, and not only of the cell that it is asked of?
bool Lowering::reads_outer_walker(NodeId id) const {
  if (id == kNoNode) return false;
  const Node& n = node(id);
  if (!is_action(n.op) && (own_reads(n.op) & (kWalker | kCarried)) != 0) return true;
  switch (n.op) {
  case Op::reach: // within it `here` is its own walker, and so is the heading
    return reads_outer_walker(program_.kid(n, 0)) || contains(program_.kid(n, 1), Op::start) ||
           contains(program_.kid(n, 1), Op::carried);
  case Op::can: {
    Steps parts;
    flatten(program_.kid(n, 0), parts);
    const Node& first = node(parts.front());
    if ((first.op != Op::to && first.op != Op::from) || reads_outer_walker(program_.kid(first, 0)))
      return true;
    return first.op == Op::to && contains(program_.kid(n, 0), Op::start);
  }
  default: break;
  }
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (reads_outer_walker(program_.kid(n, i))) return true;
  return false;
}

// The members of a set of cells (bound to slot a) for which a condition holds.
std::optional<Reg> Lowering::members_where(const Node& n, const Val& from, const Draft& d) {
  if (!is_on(Form::members_where)) return std::nullopt;
  const NodeId condition = program_.kid(n, 1);
  if (d.decided || exact_ > 0 || !from.is(Kind::set) || d.air.kind != Air::Kind::nothing ||
      reads_outer_walker(condition) || contains(condition, Op::before))
    return std::nullopt;
  Walkers w;
  w.set = from.reg;
  w.contents = from.contents;
  w.start = everywhere();
  w.changes.push_back({kNoNode, everywhere(), true, n.a});
  w.known.push_back(from.contents);
  const auto names = std::exchange(walker_names_, {{n.a, here_}});
  Emitter::Attempt attempt(e_);
  Draft inside = d;
  const auto holding = where_holds(condition, w, inside);
  walker_names_ = names;
  if (holding) return meet(from.reg, *holding);
  attempt.give_up();
  return std::nullopt;
}

// Who could carry out an action that begins where the walker is?
std::optional<Reg> Lowering::where_can(NodeId action, const Walkers& w, const Draft& d) {
  Steps parts;
  flatten(action, parts);
  const Node first = node(parts.front());
  if (is_walk(action) && !contains(action, Op::heading)) { // from where does it lead anywhere?
    Draft walking = d;
    return walked_back(parts, parts.size(), board_, walking);
  }
  if ((first.op != Op::to && first.op != Op::from) || !is_walker_cell(kid(parts.front(), 0)) || text_ ||
      d.air.kind != Air::Kind::nothing)
    return std::nullopt;
  const Reg all = e_.new_set();
  e_.emit(Ir::set_copy, all, none_);
  const Emitter::Scope scope(e_);
  Emitter::Attempt attempt(e_);
  Continuation then;
  then.is_end = true;
  then.go = [](const Draft&) {};
  then.bulk = [&](const void* walkers, const Draft&) {
    const Walkers& v = *static_cast<const Walkers*>(walkers);
    Reg back = v.set;
    for (std::size_t k = v.path.size(); k-- > 0;) back = stepped(back, v.path[k], true);
    e_.emit(Ir::set_join, all, back);
  };
  std::vector<Todo> chain(parts.size());
  chain.back() = {kNoNode, nullptr, &then};
  for (std::size_t k = parts.size(); k-- > 1;) chain[k - 1] = {parts[k], &chain[k], nullptr};
  Walkers v;
  v.set = w.set;
  v.contents = w.contents;
  v.starts = first.op == Op::from;
  v.start = everywhere();
  v.changes = w.changes; // names only
  v.known = w.known;
  Draft inside = d;
  inside.quiet = true;
  inside.recorded = false;
  inside.choices.clear();
  inside.here = inside.heading = {};
  const Mode mode = std::exchange(mode_, Mode::search);
  const int reaching = std::exchange(reaching_, 0);
  const bool stays = std::exchange(stays_in_bulk_, true), left = std::exchange(left_bulk_, false);
  bulk(chain.data(), std::move(v), std::move(inside));
  const bool parted = std::exchange(left_bulk_, left);
  mode_ = mode, reaching_ = reaching, stays_in_bulk_ = stays;
  if (!parted) return all;
  attempt.give_up();
  return std::nullopt;
}

// Among which cells' directions is a step?
std::optional<Reg> Lowering::where_step(NodeId id, int step, const Walkers& w, Draft& d) {
  if (const auto known = constant_steps(id, d)) return known->test(step) ? board_ : none_;
  const Node n = node(id);
  const auto operand = [&](std::uint32_t i) { return where_step(kid(id, i), step, w, d); };
  switch (n.op) {
  case Op::local: {
    const auto named = walker_names_.find(n.a);
    if (named == walker_names_.end() || !names_at_hand(id, w)) return std::nullopt;
    return where_step(named->second, step, w, d);
  }
  case Op::if_value: {
    const auto holds = where_holds(kid(id, 0), w, d);
    if (!holds) return std::nullopt;
    const auto a = operand(1), b = operand(2);
    if (!a || !b) return std::nullopt;
    const Reg where_it_holds = meet(*a, *holds);
    return unite(where_it_holds, minus(*b, *holds));
  }
  case Op::unite:
  case Op::meet:
  case Op::minus: {
    const auto a = operand(0), b = operand(1);
    if (!a || !b) return std::nullopt;
    return n.op == Op::unite ? unite(*a, *b) : n.op == Op::meet ? meet(*a, *b) : minus(*a, *b);
  }
  case Op::opposite: {
    const int back = compass_.opposite[at(step)];
    if (back < 0 || compass_.opposite[at(back)] != step) return std::nullopt;
    return where_step(kid(id, 0), back, w, d);
  }
  default: return std::nullopt;
  }
}

} // namespace boardwright::runtime::lowering
