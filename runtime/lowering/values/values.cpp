// Values of every type, and sets of cells.
#include "runtime/lowering/values/values.hpp"
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/idioms/images.hpp"
#include "runtime/lowering/idioms/memos.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/lowering/values/lists.hpp"
#include "runtime/lowering/values/truths.hpp"
#include "runtime/lowering/walks/set_at_a_time.hpp"
#include "runtime/lowering/walks/walks.hpp"
#include "runtime/model/arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

// ---------------------------------------------------------------- as registers

Reg number(Context& cx, NodeId id, AbstractDraft& d) { return value(cx, id, d).reg; }

Reg cell(Context& cx, NodeId id, AbstractDraft& d) { return cell_of(cx, value(cx, id, d)); }

// ---------------------------------------------------------------- contents

Contents contents_of(Context& cx, NodeId id, const AbstractDraft& d) {
  if (cx.layout.mailbox && cx.mode != Mode::search) return cx.facts.all_contents();
  AbstractDraft asked = d;
  const Emitter::Scope scope(cx.e);
  Emitter::Attempt attempt(cx.e);
  const AbstractValue v = value(cx, id, asked);
  attempt.give_up();
  return v.is(Kind::set) || v.is(Kind::cell) ? v.contents : cx.facts.all_contents();
}

AbstractValue somewhere_in(Context& cx, NodeId id, const AbstractDraft& d) {
  return make_set(cx.all_cells, contents_of(cx, id, d));
}

// ---------------------------------------------------------------- sets

namespace {

AbstractValue local(Context& cx, NodeId id, AbstractDraft& d);
AbstractValue branches_of_value(Context& cx, NodeId id, AbstractDraft& d);
AbstractValue number_value(Context& cx, NodeId id, AbstractDraft& d);
AbstractValue before(Context& cx, NodeId id, AbstractDraft& d);

// Sets of cells by an operation that directions and lists have, too.
AbstractValue combined_cells(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  switch (as<SetOp>(n.op)) {
  case SetOp::cells: {
    const CellSet& set = cx.program.cell_sets[at(n.a)];
    return make_set(cx.e.set_constant(set), cx.facts.all_contents());
  }
  case SetOp::unite:
  case SetOp::meet:
  case SetOp::minus: {
    // What only cells tell is kept whole.
    if (const auto kept = cached_whole(cx, id, d)) return any_set(cx, *kept);
    const AbstractValue a = value(cx, cx.kid(id, 0), d), b = value(cx, cx.kid(id, 1), d);
    const Reg ra = set_of(cx, a), rb = set_of(cx, b);
    if (n.op == Op::unite) return make_set(unite(cx, ra, rb), a.contents | b.contents);
    if (n.op == Op::meet) return make_set(meet(cx, ra, rb), a.contents & b.contents);
    // Only a set that is told by what is on a cell takes that away.
    Contents left = a.contents;
    if (rb <= cx.layout.empty) left &= ~b.contents;
    return make_set(minus(cx, ra, rb), left);
  }
  case SetOp::select: return selected(cx, id, d);
  case SetOp::directions: break;
  }
  cx.fail("a set of cells of an unknown operation");
  return any_set(cx, cx.no_cells);
}

// A corner of a rectangle, as y * 1024 + x.
Reg corner(Context& cx, NodeId id, std::uint32_t i, AbstractDraft& d) {
  const Node n = cx.node(id);
  const std::int32_t fixed = i == 0 ? n.a : n.b;
  if (fixed >= 0) return cx.e.number_constant(fixed);
  const Reg c = cell(cx, cx.kid(id, i == 0 ? 0 : n.count - 1), d);
  const Reg x = cx.e.number_value(Ir::table, c, 0, 0, 0), y = cx.e.number_value(Ir::table, c, 0, 0, 1);
  const Reg sum =
      cx.e.number_value(Ir::add, x, cx.e.number_value(Ir::multiply, y, cx.e.number_constant(1024)));
  const Reg r = cx.e.new_number(); // -1 where there is no cell
  const Label past = cx.e.label();
  cx.e.emit(Ir::copy, r, c);
  cx.e.emit(Ir::if_less, 0, c, cx.e.number_constant(0), 0, past);
  cx.e.emit(Ir::copy, r, sum);
  cx.e.place(past);
  return r;
}

AbstractValue cells_value(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  const auto operand = [&](std::uint32_t i) { return value(cx, cx.kid(id, i), d); };
  switch (as<CellsOp>(n.op)) {
  case CellsOp::empty: {
    Contents nothing;
    nothing.set(0);
    return make_set(as_seen(cx, cx.layout.empty), nothing);
  }
  case CellsOp::owned: return make_set(owned(cx, n), cx.facts.contents_of_owner(n));
  case CellsOp::kind_cells: {
    const Reg kind = number(cx, cx.kid(id, 0), d);
    if (const auto known = cx.e.known_number(kind))
      return make_set(kind_cells(cx, *known), cx.facts.contents_of_kind(*known));
    return any_set(cx, cx.e.set_value(Ir::set_of_kind, kind, 0, 0, 0, kPieces));
  }
  case CellsOp::here:
  case CellsOp::start: {
    AbstractValue v = n.op == Op::here ? d.here : d.start;
    if (v.is(Kind::none)) return make_set(cx.no_cells, Contents());
    v.contents = on(cx, d, v.reg);
    return v;
  }
  case CellsOp::complement: {
    const AbstractValue v = operand(0);
    return any_set(cx, minus(cx, cx.all_cells, set_of(cx, v)));
  }
  case CellsOp::rectangle: {
    const Reg a = corner(cx, id, 0, d), b = corner(cx, id, 1, d);
    return any_set(cx, cx.e.set_value(Ir::set_corners, a, b));
  }
  case CellsOp::box: {
    const Reg a = cell_of(cx, operand(0)), b = cell_of(cx, operand(1));
    const Reg apart = n.count > 2 ? number(cx, cx.kid(id, 2), d) : cx.e.number_constant(1);
    AbstractDraft inside = d;
    return any_set(cx, remembered(cx, id, inside, [&] { return cx.e.set_value(Ir::set_box, a, b, apart); }));
  }
  case CellsOp::first:
  case CellsOp::last: {
    const AbstractValue v = operand(0);
    if (v.is(Kind::cell)) return v;
    return make_cell(cx.e.number_value(n.op == Op::first ? Ir::first : Ir::last, set_of(cx, v)), v.contents);
  }
  case CellsOp::union_of: {
    if (cx.node(cx.kid(id, 0)).op == Op::list_for && cx.node(cx.kid(id, 0)).type == Type::sets)
      return union_for(cx, cx.kid(id, 0), d);
    const bool kinds = cx.node(cx.kid(id, 0)).type == Type::kinds;
    const Reg from = box_of(cx, operand(0)), r = cx.e.new_set();
    cx.e.emit(kinds ? Ir::set_of_kinds : Ir::set_union, r, from);
    if (kinds) cx.e.depend(r, kPieces);
    return any_set(cx, r);
  }
  case CellsOp::image: {
    const AbstractValue of = operand(0);
    return any_set(cx, image(cx, set_of(cx, of), cx.kid(id, 1), d));
  }
  case CellsOp::reach: return reach(cx, id, d);
  case CellsOp::file_of:
  case CellsOp::rank_of: return any_set(cx, in_line(cx, id, d));
  case CellsOp::cell_numbered:
    return any_set(cx, cx.e.set_value(Ir::set_numbered, number(cx, cx.kid(id, 0), d)));
  }
  cx.fail("a set of cells of an unknown operation");
  return any_set(cx, cx.no_cells);
}

} // namespace

AbstractValue selected(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  const Type type = n.type;
  if (asked_at_once(cx, cx.kid(id, 0), cx.kid(id, 1))) {
    const AbstractValue all = value(cx, cx.kid(id, 0), d);
    if (const auto those = members_where(cx, cx.kid(id, 1), n.a, all, d))
      return make_set(*those, all.contents);
  }
  const AbstractValue from =
      type == Type::cells ? candidates(cx, cx.kid(id, 0), n.a, cx.kid(id, 1), d) : AbstractValue();
  const Reg into = new_of_type(cx, type);
  if (type == Type::cells || type == Type::directions)
    cx.e.emit(Ir::set_copy, into, cx.no_cells);
  else
    cx.e.emit(Ir::box_clear, into);
  const auto add_if = [&](const AbstractValue& member, Label next) {
    AbstractDraft inside = d;
    inside.locals[n.a] = member;
    jump(cx, cx.kid(id, 1), false, next, inside);
    switch (member.kind) {
    case Kind::cell:
    case Kind::step: cx.e.emit(Ir::set_add, into, member.reg); break;
    case Kind::steps: cx.e.emit(Ir::set_join, into, ways_of(cx, member)); break;
    case Kind::set: cx.e.emit(Ir::box_add_set, into, member.reg); break;
    default: cx.e.emit(Ir::box_add, into, member.reg); break;
    }
  };
  if (type == Type::cells)
    each_member(cx, from, type, add_if);
  else
    each_candidate(cx, cx.kid(id, 0), n.a, cx.kid(id, 1), d, add_if);
  AbstractValue v = of_type(cx, type, into);
  if (type == Type::cells) v.contents = from.contents;
  return v;
}

// ---------------------------------------------------------------- any type

Reg row_of_kind(Context& cx, NodeId cells, AbstractDraft& d) {
  const AbstractValue where = value(cx, cells, d);
  cx.need_mailbox();
  const Reg kind = cx.e.number_value(Ir::kind_at, cell_of(cx, where), 0, 0, 0, kPieces);
  return cx.e.number_value(Ir::add, kind, cx.e.number_constant(1));
}

namespace {

AbstractValue any_value(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  switch (as<AnyOp>(n.op)) {
  case AnyOp::local: return local(cx, id, d);
  case AnyOp::let_value: {
    const AbstractValue v = value(cx, cx.kid(id, 0), d);
    AbstractDraft inside = d;
    inside.locals[n.a] = v;
    return value(cx, cx.kid(id, 1), inside);
  }
  case AnyOp::before: return before(cx, id, d);
  case AnyOp::first_of:
  case AnyOp::last_of: return end_of_list(cx, id, d);
  case AnyOp::if_value:
  case AnyOp::by_kind:
  case AnyOp::by_player: return branches_of_value(cx, id, d);
  case AnyOp::variable: {
    if (n.type != Type::cells) return make_number(static_cast<Reg>(n.a));
    return any_set(cx, static_cast<Reg>(cx.layout.set_of_variable[at(n.a)]));
  }
  }
  cx.fail("a value of an unknown operation");
  return of_type(cx, n.type, 0);
}

AbstractValue local(Context& cx, NodeId id, AbstractDraft& d) {
  const Node& n = cx.node(id);
  if (const auto changed = cx.changed_locals.find(n.a); changed != cx.changed_locals.end())
    return changed->second;
  const auto known = d.locals.find(n.a);
  if (known != d.locals.end()) return known->second;
  cx.fail("a name is used where nothing is bound to it");
  return of_type(cx, n.type, 0);
}

void assign(Context& cx, Type type, Reg to, NodeId id, AbstractDraft& d) {
  if (type == Type::truth) {
    const Label past = cx.e.label();
    cx.e.emit(Ir::constant, to, 0, 0, 0, 0);
    {
      const Emitter::Scope scope(cx.e);
      jump(cx, id, false, past, d);
    }
    cx.e.emit(Ir::constant, to, 0, 0, 0, 1);
    cx.e.place(past);
    return;
  }
  const AbstractValue v = value(cx, id, d);
  switch (type) {
  case Type::cells: cx.e.emit(Ir::set_copy, to, set_of(cx, v)); break;
  case Type::number:
  case Type::kind:
  case Type::player: cx.e.emit(Ir::copy, to, v.reg); break;
  case Type::directions: cx.e.emit(Ir::set_copy, to, ways_of(cx, v)); break;
  default: cx.e.emit(Ir::box_copy, to, box_of(cx, v)); break;
  }
}

// A value for each case, of which one is worked out.
AbstractValue branches_of_value(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  if (n.op == Op::if_value)
    if (const auto always = constant_truth(cx, cx.kid(id, 0), d))
      return value(cx, cx.kid(id, *always ? 1 : 2), d);
  const Reg to = new_of_type(cx, n.type);
  const Label done = cx.e.label();
  if (n.op == Op::if_value) {
    const Label other = cx.e.label();
    {
      const Emitter::Scope scope(cx.e);
      jump(cx, cx.kid(id, 0), false, other, d);
      assign(cx, n.type, to, cx.kid(id, 1), d);
      cx.e.go(done);
    }
    cx.e.place(other);
    {
      const Emitter::Scope scope(cx.e);
      assign(cx, n.type, to, cx.kid(id, 2), d);
    }
  } else {
    Reg which = 0;
    if (n.op == Op::by_player) {
      which = number(cx, cx.kid(id, 0), d);
    } else {
      which = row_of_kind(cx, cx.kid(id, 0), d);
    }
    std::vector<std::uint32_t> labels;
    const auto table = static_cast<std::int32_t>(cx.code.labels.size());
    cx.code.labels.emplace_back();
    cx.e.emit(Ir::jump_table, 0, which, 0, 0, table);
    for (std::uint32_t k = 1; k < n.count; ++k) {
      const Emitter::Scope scope(cx.e);
      const Label here = cx.e.label();
      cx.e.place(here);
      labels.push_back(static_cast<std::uint32_t>(here));
      assign(cx, n.type, to, cx.kid(id, k), d);
      cx.e.go(done);
    }
    // For no kind, which comes first in the table, the last body counts.
    if (n.op == Op::by_kind) std::rotate(labels.begin(), labels.end() - 1, labels.end());
    cx.code.labels[at(table)] = labels;
  }
  cx.e.place(done);
  return of_type(cx, n.type, to);
}

} // namespace

AbstractValue value(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  if (cx.stopped() || ++cx.depth > kMaxDepth) {
    if (!cx.stopped()) cx.fail("values are nested too deeply");
    return of_type(cx, n.type, 0);
  }
  struct Leave {
    int& depth;
    ~Leave() { --depth; }
  } const leave{cx.depth};
  if (const auto known = from_table(cx, id, d)) return *known;
  switch (group_of(n.op)) {
  case runtime::Group::any: return any_value(cx, id, d);
  case runtime::Group::number:
  case runtime::Group::truth:
  case runtime::Group::name: return number_value(cx, id, d);
  case runtime::Group::set:
    return n.type == Type::cells ? combined_cells(cx, id, d)
           : is_set(n.type)      ? directions(cx, id, d)
                                 : list(cx, id, d);
  case runtime::Group::cells: return cells_value(cx, id, d);
  case runtime::Group::directions: return directions(cx, id, d);
  case runtime::Group::list: return list(cx, id, d);
  case runtime::Group::map: return map(cx, id, d);
  case runtime::Group::joining:
  case runtime::Group::walking:
  case runtime::Group::pieces:
  case runtime::Group::position:
  case runtime::Group::text: break;
  }
  cx.fail("an action has no value");
  return of_type(cx, n.type, 0);
}

AbstractValue bound(Context& cx, NodeId id, AbstractDraft& d) {
  AbstractValue v = value(cx, id, d);
  if ((v.is(Kind::set) || v.is(Kind::ways)) && v.reg < cx.layout.draft_sets) {
    v.reg = cx.e.copied(v.reg);
  } else if (v.is(Kind::number) && v.reg < cx.layout.draft_numbers) {
    const Reg kept = cx.e.new_number();
    cx.e.emit(Ir::copy, kept, v.reg);
    v.reg = kept;
  } else if (v.is(Kind::box)) {
    const Node& n = cx.node(id);
    if (n.op == Op::local) {
      const Reg kept = cx.e.new_box();
      cx.e.emit(Ir::box_copy, kept, v.reg);
      v.reg = kept;
    }
  }
  return v;
}

// ---------------------------------------------------------------- numbers

namespace {

// Two numbers by an operation.
AbstractValue combined_numbers(Context& cx, NodeId id, Ir op, AbstractDraft& d) {
  const Reg a = number(cx, cx.kid(id, 0), d), b = number(cx, cx.kid(id, 1), d);
  const auto kb = cx.e.known_number(b);
  const bool divides = op == Ir::divide || op == Ir::modulo;
  if (divides && kb && *kb > 0 && std::has_single_bit(static_cast<std::uint32_t>(*kb))) {
    const int bits = std::countr_zero(static_cast<std::uint32_t>(*kb));
    if (bits == 0) return op == Ir::divide ? make_number(a) : constant_number(cx, 0);
    return make_number(cx.e.number_value(op == Ir::divide ? Ir::shift_down : Ir::low_bits, a, 0, 0, bits));
  }
  return make_number(cx.e.number_value(op, a, b));
}

// Is a list known to have no member twice, so that members can be counted one by one?
bool has_no_repeats(const Context& cx, NodeId list) {
  const Op op = cx.node(list).op;
  return op == Op::range || op == Op::still_in || op == Op::owners || has_known_members(cx, list);
}

// How many members a value has.
AbstractValue count_of(Context& cx, NodeId id, AbstractDraft& d) {
  const Node of = cx.node(id);
  const auto one_by_one = [&] {
    if (of.op != Op::select) return false;
    if (of.type == Type::sets) return cx.facts.constant_list(cx.kid(id, 0)).has_value();
    if (of.type == Type::numbers || of.type == Type::kinds || of.type == Type::players)
      return has_no_repeats(cx, cx.kid(id, 0));
    return of.type == Type::directions && !cx.facts.constant_steps(id, d) &&
           cx.facts.constant_steps(cx.kid(id, 0), d).has_value();
  };
  if (one_by_one()) {
    const Reg sum = cx.e.new_number();
    cx.e.emit(Ir::constant, sum, 0, 0, 0, 0);
    const auto add_if = [&](const AbstractValue& member, Label next) {
      AbstractDraft inside = d;
      inside.locals[of.a] = member;
      jump(cx, cx.kid(id, 1), false, next, inside);
      cx.e.emit(Ir::add, sum, sum, cx.e.number_constant(1));
    };
    if (!each_known(cx, cx.kid(id, 0), d, add_if)) each_member(cx, cx.kid(id, 0), d, add_if);
    return make_number(sum);
  }
  const AbstractValue v = value(cx, id, d);
  if (v.is(Kind::set) || v.is(Kind::ways)) return make_number(cx.e.number_value(Ir::count, v.reg));
  if (v.is(Kind::cell)) return make_number(cx.e.number_value(Ir::count, set_of(cx, v)));
  if (v.is(Kind::step)) return make_number(cx.e.number_value(Ir::count, ways_of(cx, v)));
  if (v.is(Kind::steps)) return constant_number(cx, v.steps.count());
  const Reg r = cx.e.new_number();
  cx.e.emit(Ir::box_count, r, box_of(cx, v));
  return make_number(r);
}

// Pieces of some owners on some cells, those within stacks too.
AbstractValue count_pieces(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  cx.need_mailbox();
  std::int32_t mask = 0;
  for (int code = 1; code < cx.facts.pieces().count(); ++code)
    if (cx.facts.contents_of_owner(n).test(at(code))) mask |= 1 << cx.facts.pieces().owner_index[at(code)];
  const Reg of = set(cx, cx.kid(id, 0), d);
  const Reg kind = n.count > 1 ? number(cx, cx.kid(id, 1), d) : cx.e.number_constant(-2);
  return make_number(cx.e.number_value(Ir::pieces, of, kind, 0, mask, kPieces));
}

AbstractValue number_value(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  const auto two = [&](Ir op) { return combined_numbers(cx, id, op, d); };
  const auto several = [&](Ir op) {
    Reg all = number(cx, cx.kid(id, 0), d);
    for (std::uint32_t i = 1; i < n.count; ++i)
      all = cx.e.number_value(op, all, number(cx, cx.kid(id, i), d));
    return make_number(all);
  };
  const auto coordinate = [&](std::int32_t table) {
    return make_number(cx.e.number_value(Ir::table, cell(cx, cx.kid(id, 0), d), 0, 0, table));
  };
  if (is_constant(n.op)) return constant_number(cx, n.a);
  if (n.op == Op::kind_at) {
    const AbstractValue where = value(cx, cx.kid(id, 0), d);
    cx.need_mailbox();
    return make_number(cx.e.number_value(Ir::kind_at, cell_of(cx, where), 0, 0, 0, kPieces));
  }
  if (group_of(n.op) == runtime::Group::truth) { // worked out by jumps
    const Reg r = cx.e.new_number();
    assign(cx, Type::truth, r, id, d);
    return make_number(r);
  }
  switch (as<NumberOp>(n.op)) {
  case NumberOp::hand:
    return make_number(cx.e.number_value(Ir::hand, number(cx, cx.kid(id, 0), d), 0, 0, n.a, kInHand));
  case NumberOp::hand_total: {
    Reg all = cx.e.number_constant(0);
    for (const int slot : cx.program.hand_slot[at(n.a)])
      if (slot >= 0) all = cx.e.number_value(Ir::add, all, cx.layout.hands + slot);
    return make_number(all);
  }
  case NumberOp::ply: return make_number(cx.layout.ply);
  case NumberOp::turns: return make_number(static_cast<Reg>(cx.layout.turns + n.a));
  case NumberOp::carried:
    if (!cx.stacks() && d.carried.kind != Carried::Kind::dynamic)
      return constant_number(cx, d.carried.kind == Carried::Kind::nothing ? 0 : 1);
    return make_number(cx.e.number_value(Ir::carried, 0, 0, 0, 0, kAir));
  case NumberOp::repeats: {
    cx.code.uses_history = true;
    const Reg r = cx.e.new_number();
    cx.e.emit(Ir::repeats, r, 0, 0, 0, 0, cx.end_lines.asking ? 1 : 0);
    return make_number(r);
  }
  case NumberOp::repeats_of: {
    cx.code.uses_history = true;
    const Reg r = cx.e.new_number();
    cx.e.emit(Ir::repeats_of, r, 0, 0, 0, n.a);
    return make_number(r);
  }
  case NumberOp::earlier: {
    cx.code.uses_history = true;
    const Reg which = number(cx, cx.kid(id, 0), d), r = cx.e.new_number();
    cx.e.emit(Ir::earlier, r, which, 0, 0, 0, cx.end_lines.asking ? 1 : 0);
    return make_number(r);
  }
  case NumberOp::board_repeats: {
    cx.code.uses_history = true;
    const Reg r = cx.e.new_number();
    cx.e.emit(Ir::board_repeats, r, 0, 0, 0, cx.end_lines.asking ? 0 : 1);
    return make_number(r);
  }
  case NumberOp::add: return two(Ir::add);
  case NumberOp::subtract: return two(Ir::subtract);
  case NumberOp::multiply: return two(Ir::multiply);
  case NumberOp::divide: return two(Ir::divide);
  case NumberOp::modulo: return two(Ir::modulo);
  case NumberOp::negate: {
    const Reg negated = number(cx, cx.kid(id, 0), d);
    return make_number(cx.e.number_value(Ir::subtract, cx.e.number_constant(0), negated));
  }
  case NumberOp::least: return several(Ir::least);
  case NumberOp::greatest: return several(Ir::greatest);
  case NumberOp::absolute: return make_number(cx.e.number_value(Ir::absolute, number(cx, cx.kid(id, 0), d)));
  case NumberOp::sum_for:
  case NumberOp::product_for: return total_for(cx, id, d);
  case NumberOp::least_for:
  case NumberOp::greatest_for: return extreme_for(cx, id, d);
  case NumberOp::count: return count_of(cx, cx.kid(id, 0), d);
  case NumberOp::height: {
    const AbstractValue where = value(cx, cx.kid(id, 0), d);
    if (cx.stacks() && where.is(Kind::cell))
      return make_number(cx.e.number_value(Ir::height_at, where.reg, 0, 0, 0, kPieces));
    return make_number(cx.e.number_value(Ir::height, set_of(cx, where), 0, 0, 0, kPieces));
  }
  case NumberOp::pieces: return count_pieces(cx, id, d);
  case NumberOp::spread: return make_number(cx.e.number_value(Ir::spread, set(cx, cx.kid(id, 0), d)));
  case NumberOp::x_of: return coordinate(0);
  case NumberOp::y_of: return coordinate(1);
  case NumberOp::z_of: return coordinate(2);
  case NumberOp::number: break; // a constant
  }
  cx.fail("a number of an unknown operation");
  return make_number(0);
}

// ---------------------------------------------------------------- before

AbstractValue before(Context& cx, NodeId id, AbstractDraft& d) {
  if (const auto known = cx.turn.before.find(id); known != cx.turn.before.end()) return known->second;
  cx.code.reads_beginning = true;
  const Node n = cx.node(id);
  const Reg to = new_of_type(cx, n.type);
  cx.e.emit(Ir::view_beginning);
  {
    const Emitter::Scope scope(cx.e);
    cx.e.forget_values();
    AbstractDraft inside = d;
    forget_contents(cx, inside);
    assign(cx, n.type, to, cx.kid(id, 0), inside);
  }
  cx.e.emit(Ir::view_now);
  return of_type(cx, n.type, to);
}

} // namespace

} // namespace boardwright::runtime::lowering
