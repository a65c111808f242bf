// Directions, lists and maps.
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/idioms/groups.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/lowering/values/lists.hpp"
#include "runtime/lowering/values/values.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

// ---------------------------------------------------------------- what only the walker's cell decides

namespace {

void gather(Context& cx, NodeId id, Reg into, AbstractDraft& d);

// What becomes of directions where each goes to one at most, or to nothing: a step of a step, by a table.
AbstractValue mapped_steps(Context& cx, const AbstractValue& v,
                           const std::function<StepSet(const StepSet&)>& map) {
  std::vector<std::int16_t> to;
  for (std::size_t s = 0; s < cx.board().steps.size(); ++s)
    to.push_back(static_cast<std::int16_t>(map(StepSet::of(static_cast<int>(s))).first()));
  const std::int32_t table = place_table(cx, to);
  if (v.is(Kind::step)) return make_step(cx.e.number_value(Ir::place, v.reg, 0, 0, table));
  return make_ways(cx.e.set_value(Ir::set_mapped, ways_of(cx, v), 0, 0, table));
}

// One step so many times, by a table; nothing where there may be several steps, or the table would be large.
std::optional<AbstractValue> multiplied_step(Context& cx, Reg factor, bool never_negative,
                                             const AbstractValue& of) {
  const auto& steps = cx.board().steps;
  const int most = cx.facts.compass().beyond_all_multiples();
  const int width = 2 * most + 1;
  const bool known = of.is(Kind::steps) && of.steps.count() == 1;
  constexpr std::size_t kMostEntries = 1 << 16;
  if ((!known && !of.is(Kind::step)) || at(width) * steps.size() > kMostEntries) return std::nullopt;
  // By step, unless it is known, and by factor, from -most on.
  std::vector<std::int16_t> table(at(width) * (known ? 1 : steps.size()), -1);
  for (std::size_t row = 0; row < table.size() / at(width); ++row)
    for (const auto& m : cx.facts.compass().multiples_of(known ? of.steps.first() : static_cast<int>(row)))
      table[row * at(width) + at(most + m.factor)] = static_cast<std::int16_t>(m.step);
  const auto with = [&cx](Ir op, Reg a, int b) { return cx.e.number_value(op, a, cx.e.number_constant(b)); };
  Reg entry = with(Ir::least, factor, most);
  if (!never_negative) entry = with(Ir::greatest, entry, -most);
  entry = with(Ir::add, entry, most);
  if (!known) entry = cx.e.number_value(Ir::add, with(Ir::multiply, of.reg, width), entry);
  return make_step(cx.e.number_value(Ir::place, entry, 0, 0, place_table(cx, table)));
}

// Of operations on sets, where they are of directions. Constants don't come here: they are known.
AbstractValue combined_directions(Context& cx, NodeId id, AbstractDraft& d) {
  const Op op = cx.node(id).op;
  if (op == Op::select) return selected(cx, id, d);
  const Reg a = ways_of(cx, value(cx, cx.kid(id, 0), d)), b = ways_of(cx, value(cx, cx.kid(id, 1), d));
  switch (as<SetOp>(op)) {
  case SetOp::unite: return make_ways(unite(cx, a, b));
  case SetOp::meet: return make_ways(meet(cx, a, b));
  case SetOp::minus: return make_ways(minus(cx, a, b));
  case SetOp::cells:
  case SetOp::directions:
  case SetOp::select: break;
  }
  cx.fail("directions of an unknown operation");
  return make_steps({});
}

} // namespace

AbstractValue directions(Context& cx, NodeId id, AbstractDraft& d) {
  if (const auto known = cx.facts.constant_steps(id, d)) return make_steps(*known);
  const Node n = cx.node(id);
  const auto operand = [&](std::uint32_t i) { return ways_of(cx, value(cx, cx.kid(id, i), d)); };
  const auto constant = [&](std::uint32_t i) -> std::optional<std::int32_t> {
    const Node& of = cx.node(cx.kid(id, i));
    return of.op == Op::number ? std::optional(of.a) : std::nullopt;
  };
  const auto result = [&](Ir op, Reg a, Reg b = 0) { return make_ways(cx.e.set_value(op, a, b)); };
  if (group_of(n.op) == runtime::Group::set) return combined_directions(cx, id, d);
  switch (as<DirectionsOp>(n.op)) {
  case DirectionsOp::heading: return d.heading;
  case DirectionsOp::sum: {
    const Reg a = operand(0), b = operand(1);
    return result(Ir::steps_sum, a, b);
  }
  case DirectionsOp::times: {
    const AbstractValue of = value(cx, cx.kid(id, 1), d);
    if (const auto by = constant(0))
      return mapped_steps(cx, of, [&](const StepSet& s) { return cx.facts.compass().multiples(*by, s); });
    const Reg by = number(cx, cx.kid(id, 0), d);
    if (const auto step = multiplied_step(cx, by, cx.facts.never_negative(cx.kid(id, 0)), of)) return *step;
    return result(Ir::steps_times, by, ways_of(cx, of));
  }
  case DirectionsOp::opposite:
    return mapped_steps(cx, value(cx, cx.kid(id, 0), d),
                        [&](const StepSet& s) { return cx.facts.compass().opposites(s); });
  case DirectionsOp::turned: {
    const AbstractValue of = value(cx, cx.kid(id, 0), d);
    if (const auto by = constant(1))
      return mapped_steps(cx, of, [&](const StepSet& s) { return cx.facts.compass().turned(s, *by); });
    const Reg a = ways_of(cx, of);
    return result(Ir::steps_turned, a, number(cx, cx.kid(id, 1), d));
  }
  case DirectionsOp::spins: return result(Ir::steps_spins, operand(0));
  }
  cx.fail("directions of an unknown operation");
  return make_steps({});
}

// ---------------------------------------------------------------- lists

namespace {

// A list that is made member by member, so that others may come behind them.
bool gathers(const Context& cx, NodeId id) {
  return cx.node(id).op == Op::list_for && cx.node(id).type == Type::sets;
}

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

void combine_lists(Context& cx, NodeId id, Reg into, AbstractDraft& d) {
  if (cx.node(id).op == Op::unite && gathers(cx, cx.kid(id, 0)) && gathers(cx, cx.kid(id, 1))) {
    cx.e.emit(Ir::box_clear, into);
    gather(cx, cx.kid(id, 0), into, d);
    gather(cx, cx.kid(id, 1), into, d);
    return;
  }
  const Reg a = box_of(cx, value(cx, cx.kid(id, 0), d)), b = box_of(cx, value(cx, cx.kid(id, 1), d));
  cx.e.emit(combining(cx.node(id).op), into, a, b);
}

// Adds the value of every binding.
void gather(Context& cx, NodeId id, Reg into, AbstractDraft& d) {
  if (const auto groups = all_groups(cx, id, d))
    return each_group(cx, *groups,
                      [&](const AbstractValue& part, Label) { cx.e.emit(Ir::box_add_set, into, part.reg); });
  each_binding(cx, id, 0, d, [&](AbstractDraft& inside) {
    const AbstractValue v = value(cx, cx.kid(id, 0), inside);
    if (cx.node(id).type == Type::sets)
      cx.e.emit(Ir::box_add_set, into, set_of(cx, v));
    else
      cx.e.emit(Ir::box_add, into, v.reg);
  });
}

// Adds the players who have a piece on top there, in turn order from one of them on.
void gather_owners(Context& cx, Reg where, int first, Reg into) {
  for (int i = 0; i < cx.players(); ++i) {
    Node his;
    his.a = static_cast<std::int32_t>(Owners::exactly);
    his.b = (first + i) % cx.players();
    const Reg there = meet(cx, where, owned(cx, his)), player = cx.e.number_constant(his.b);
    const Label past = cx.e.label();
    cx.e.emit(Ir::if_none, 0, there, 0, 0, past);
    cx.e.emit(Ir::box_add, into, player);
    cx.e.place(past);
  }
}

} // namespace

AbstractValue list(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  const Reg r = cx.e.new_box();
  if (n.op == Op::select) return selected(cx, id, d);
  if (group_of(n.op) == runtime::Group::set) {
    combine_lists(cx, id, r, d);
    return make_box(r);
  }
  switch (as<ListOp>(n.op)) {
  case ListOp::range: {
    const Reg low = number(cx, cx.kid(id, 0), d), high = number(cx, cx.kid(id, 1), d);
    cx.e.emit(Ir::box_range, r, low, high);
    break;
  }
  case ListOp::list:
    cx.e.emit(Ir::box_clear, r);
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const AbstractValue v = value(cx, cx.kid(id, i), d);
      if (n.type == Type::sets)
        cx.e.emit(Ir::box_add_set, r, set_of(cx, v));
      else
        cx.e.emit(Ir::box_add, r, v.reg);
    }
    break;
  case ListOp::list_for:
    cx.e.emit(Ir::box_clear, r);
    gather(cx, id, r, d);
    break;
  case ListOp::owners: {
    const Reg where = set(cx, cx.kid(id, 0), d);
    cx.e.emit(Ir::box_clear, r);
    gather_owners(cx, where, n.a, r);
    break;
  }
  case ListOp::still_in: cx.e.emit(Ir::box_players, r, 0, 0, 0, n.a + (n.b == 1 ? 256 : 0)); break;
  }
  return make_box(r);
}

// ---------------------------------------------------------------- maps

AbstractValue map(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  const Reg r = cx.e.new_box();
  switch (as<MapOp>(n.op)) {
  case MapOp::shift: {
    const Reg a = cell(cx, cx.kid(id, 0), d), b = cell(cx, cx.kid(id, 1), d);
    cx.e.emit(Ir::map_shift, r, a, b);
    break;
  }
  case MapOp::scale: {
    const Reg by = number(cx, cx.kid(id, 0), d), over = number(cx, cx.kid(id, 1), d),
              of = set(cx, cx.kid(id, 2), d);
    cx.e.emit(Ir::map_scale, r, by, over, of);
    break;
  }
  case MapOp::rotate: {
    const Reg by = number(cx, cx.kid(id, 0), d), of = set(cx, cx.kid(id, 1), d);
    cx.e.emit(Ir::map_rotate, r, by, of);
    break;
  }
  case MapOp::reflect: {
    const Reg along = ways_of(cx, value(cx, cx.kid(id, 0), d)), of = set(cx, cx.kid(id, 1), d);
    cx.e.emit(Ir::map_reflect, r, along, of);
    break;
  }
  }
  return make_box(r);
}

} // namespace boardwright::runtime::lowering
