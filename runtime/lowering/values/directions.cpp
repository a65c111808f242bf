// Directions, lists and maps.
#include "runtime/lowering/lowering.hpp"

#include <cstdlib>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// ---------------------------------------------------------------- directions

// ---------------------------------------------------------------- what only the walker's cell decides

// What becomes of directions where each goes to one at most, or to nothing: a step of a step, by a table.
Val Lowering::mapped_steps(const Val& v, const std::function<StepSet(const StepSet&)>& map) {
  std::vector<std::int16_t> to;
  for (std::size_t s = 0; s < board().steps.size(); ++s)
    to.push_back(static_cast<std::int16_t>(map(StepSet::of(static_cast<int>(s))).first()));
  const std::int32_t table = place_table(to);
  if (v.is(Kind::step)) return make_step(e_.number_value(Ir::place, v.reg, 0, 0, table));
  return make_ways(e_.set_value(Ir::set_mapped, ways_of(v), 0, 0, table));
}

// Of operations on sets, where they are of directions. Constants don't come here: they are known.
Val Lowering::combined_directions(NodeId id, Draft& d) {
  const Op op = node(id).op;
  if (op == Op::select) return selected(id, d);
  const Reg a = ways_of(value(kid(id, 0), d)), b = ways_of(value(kid(id, 1), d));
  switch (as<SetOp>(op)) {
  case SetOp::unite: return make_ways(unite(a, b));
  case SetOp::meet: return make_ways(meet(a, b));
  case SetOp::minus: return make_ways(minus(a, b));
  case SetOp::cells:
  case SetOp::directions:
  case SetOp::select: break;
  }
  fail("directions of an unknown operation");
  return make_steps({});
}

Val Lowering::directions(NodeId id, Draft& d) {
  if (const auto known = constant_steps(id, d)) return make_steps(*known);
  const Node n = node(id);
  const auto operand = [&](std::uint32_t i) { return ways_of(value(kid(id, i), d)); };
  const auto constant = [&](std::uint32_t i) -> std::optional<std::int32_t> {
    const Node& of = node(kid(id, i));
    return of.op == Op::number ? std::optional(of.a) : std::nullopt;
  };
  const auto result = [&](Ir op, Reg a, Reg b = 0) { return make_ways(e_.set_value(op, a, b)); };
  if (group_of(n.op) == runtime::Group::set) return combined_directions(id, d);
  switch (as<DirectionsOp>(n.op)) {
  case DirectionsOp::heading: return d.heading;
  case DirectionsOp::sum: {
    const Reg a = operand(0), b = operand(1);
    return result(Ir::steps_sum, a, b);
  }
  case DirectionsOp::times: {
    const Val of = value(kid(id, 1), d);
    if (const auto by = constant(0))
      return mapped_steps(of, [&](const StepSet& s) { return compass_.multiples(*by, s); });
    const Reg by = number(kid(id, 0), d);
    return result(Ir::steps_times, by, ways_of(of));
  }
  case DirectionsOp::opposite:
    return mapped_steps(value(kid(id, 0), d), [&](const StepSet& s) { return compass_.opposites(s); });
  case DirectionsOp::turned: {
    const Val of = value(kid(id, 0), d);
    if (const auto by = constant(1))
      return mapped_steps(of, [&](const StepSet& s) { return compass_.turned(s, *by); });
    const Reg a = ways_of(of);
    return result(Ir::steps_turned, a, number(kid(id, 1), d));
  }
  case DirectionsOp::spins: return result(Ir::steps_spins, operand(0));
  }
  fail("directions of an unknown operation");
  return make_steps({});
}

// ---------------------------------------------------------------- lists

// A list that is made member by member, so that others may come behind them.
bool Lowering::gathers(NodeId id) const { return node(id).op == Op::list_for && node(id).type == Type::sets; }

Val Lowering::list(NodeId id, Draft& d) {
  const Node n = node(id);
  const Reg r = e_.new_box();
  if (n.op == Op::select) return selected(id, d);
  if (group_of(n.op) == runtime::Group::set) {
    combine_lists(id, r, d);
    return make_box(r);
  }
  switch (as<ListOp>(n.op)) {
  case ListOp::range: {
    const Reg low = number(kid(id, 0), d), high = number(kid(id, 1), d);
    e_.emit(Ir::box_range, r, low, high);
    break;
  }
  case ListOp::list:
    e_.emit(Ir::box_clear, r);
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const Val v = value(kid(id, i), d);
      if (n.type == Type::sets)
        e_.emit(Ir::box_add_set, r, set_of(v));
      else
        e_.emit(Ir::box_add, r, v.reg);
    }
    break;
  case ListOp::list_for:
    e_.emit(Ir::box_clear, r);
    gather(id, r, d);
    break;
  case ListOp::still_in: e_.emit(Ir::box_players, r, 0, 0, 0, n.a + (n.b == 1 ? 256 : 0)); break;
  }
  return make_box(r);
}

namespace {

// What combines two lists.
Ir combining(Op op) {
  switch (as<SetOp>(op)) {
  case SetOp::unite: return Ir::box_unite;
  case SetOp::meet: return Ir::box_meet;
  case SetOp::minus: return Ir::box_minus;
  case SetOp::cells:
  case SetOp::directions:
  case SetOp::select: break;
  }
  return Ir::halt;
}

} // namespace

void Lowering::combine_lists(NodeId id, Reg into, Draft& d) {
  if (node(id).op == Op::unite && gathers(kid(id, 0)) && gathers(kid(id, 1))) {
    e_.emit(Ir::box_clear, into);
    gather(kid(id, 0), into, d);
    gather(kid(id, 1), into, d);
    return;
  }
  const Reg a = box_of(value(kid(id, 0), d)), b = box_of(value(kid(id, 1), d));
  e_.emit(combining(node(id).op), into, a, b);
}

// Adds the value of every binding.
void Lowering::gather(NodeId id, Reg into, Draft& d) {
  if (const auto groups = all_groups(id, d))
    return each_group(*groups, [&](const Val& part, Label) { e_.emit(Ir::box_add_set, into, part.reg); });
  each_binding(id, 0, d, [&](Draft& inside) {
    const Val v = value(kid(id, 0), inside);
    if (node(id).type == Type::sets)
      e_.emit(Ir::box_add_set, into, set_of(v));
    else
      e_.emit(Ir::box_add, into, v.reg);
  });
}

// ---------------------------------------------------------------- maps

Val Lowering::map(NodeId id, Draft& d) {
  const Node n = node(id);
  const Reg r = e_.new_box();
  switch (as<MapOp>(n.op)) {
  case MapOp::shift: {
    const Reg a = cell(kid(id, 0), d), b = cell(kid(id, 1), d);
    e_.emit(Ir::map_shift, r, a, b);
    break;
  }
  case MapOp::scale: {
    const Reg by = number(kid(id, 0), d), over = number(kid(id, 1), d), of = set(kid(id, 2), d);
    e_.emit(Ir::map_scale, r, by, over, of);
    break;
  }
  case MapOp::rotate: {
    const Reg by = number(kid(id, 0), d), of = set(kid(id, 1), d);
    e_.emit(Ir::map_rotate, r, by, of);
    break;
  }
  case MapOp::reflect: {
    const Reg along = ways_of(value(kid(id, 0), d)), of = set(kid(id, 1), d);
    e_.emit(Ir::map_reflect, r, along, of);
    break;
  }
  }
  return make_box(r);
}

} // namespace boardwright::runtime::lowering
