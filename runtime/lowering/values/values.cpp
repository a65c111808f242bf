// Values of every type, and sets of cells.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// ---------------------------------------------------------------- making them

Val Lowering::of_type(Type type, Reg reg) {
  switch (type) {
  case Type::cells: return any_set(reg);
  case Type::number:
  case Type::truth:
  case Type::kind:
  case Type::player: return make_number(reg);
  case Type::directions: return make_ways(reg);
  default: return make_box(reg);
  }
}

Reg Lowering::new_of_type(Type type) {
  switch (type) {
  case Type::cells:
  case Type::directions: return e_.new_set();
  case Type::number:
  case Type::truth:
  case Type::kind:
  case Type::player: return e_.new_number();
  default: return e_.new_box();
  }
}

// ---------------------------------------------------------------- as registers

Reg Lowering::set_of(const Val& v) {
  if (v.is(Kind::set)) return v.reg;
  if (v.is(Kind::cell)) return e_.set_value(Ir::set_cell, v.reg);
  return none_;
}

Reg Lowering::cell_of(const Val& v) {
  if (v.is(Kind::cell)) return v.reg;
  if (v.is(Kind::set)) return e_.number_value(Ir::first, v.reg);
  return e_.number_constant(-1);
}

Reg Lowering::box_of(const Val& v) {
  if (v.is(Kind::box)) return v.reg;
  const Reg d = e_.new_box();
  e_.emit(Ir::box_clear, d);
  return d;
}

// A set of directions has a bit for each step: where there are more steps than bits, sets get wider.
void Lowering::need_room_for_steps() {
  if (static_cast<int>(board().steps.size()) <= layout_.words * 64) return;
  wide_ = true;
  again_ = true;
}

// Directions as a set of steps.
Reg Lowering::ways_of(const Val& v) {
  need_room_for_steps();
  if (v.is(Kind::ways)) return v.reg;
  if (v.is(Kind::step)) return e_.set_value(Ir::set_cell, v.reg);
  return v.is(Kind::steps) ? e_.directions(v.steps) : none_;
}

Reg Lowering::number(NodeId id, Draft& d) { return value(id, d).reg; }
Reg Lowering::cell(NodeId id, Draft& d) { return cell_of(value(id, d)); }

// ---------------------------------------------------------------- contents

// What may be on the cells of a value, which isn't worked out. Only without a mailbox it matters while a move
// is played: then what is lifted must be known.
Contents Lowering::contents_of(NodeId id, const Draft& d) {
  if (layout_.mailbox && mode_ != Mode::search) return all_contents();
  Draft asked = d;
  const Emitter::Scope scope(e_);
  Emitter::Attempt attempt(e_);
  const Val v = value(id, asked);
  attempt.give_up();
  return v.is(Kind::set) || v.is(Kind::cell) ? v.contents : all_contents();
}

// Any cells, of which it is known that they are of this value.
Val Lowering::somewhere_in(NodeId id, const Draft& d) { return make_set(board_, contents_of(id, d)); }

// ---------------------------------------------------------------- sets

Reg Lowering::unite(Reg a, Reg b) {
  if (a == b || b == none_) return a;
  if (a == none_) return b;
  const CellSet *ka = e_.known_set(a), *kb = e_.known_set(b);
  if (ka != nullptr && kb != nullptr) return e_.set_constant(*ka | *kb);
  return e_.set_value(Ir::set_unite, std::min(a, b), std::max(a, b));
}

Reg Lowering::meet(Reg a, Reg b) {
  if (a == b || b == board_) return a;
  if (a == board_) return b;
  if (a == none_ || b == none_) return none_;
  const CellSet *ka = e_.known_set(a), *kb = e_.known_set(b);
  if (ka != nullptr && kb != nullptr) return e_.set_constant(*ka & *kb);
  return e_.set_value(Ir::set_meet, std::min(a, b), std::max(a, b));
}

Reg Lowering::minus(Reg a, Reg b) {
  if (b == none_) return a;
  if (a == b || a == none_ || b == board_) return none_;
  const CellSet *ka = e_.known_set(a), *kb = e_.known_set(b);
  if (ka != nullptr && kb != nullptr) return e_.set_constant(*ka - *kb);
  return e_.set_value(Ir::set_minus, a, b);
}

Reg Lowering::owned(const Node& n) {
  switch (static_cast<Owners>(n.a)) {
  case Owners::any: return occupied();
  case Owners::exactly: return as_seen(static_cast<Reg>(n.b));
  case Owners::neutral: return layout_.owners > players() ? as_seen(static_cast<Reg>(players())) : none_;
  case Owners::others: break;
  }
  Reg all = none_;
  for (int p = 0; p < players(); ++p)
    if (p != n.b) all = unite(all, as_seen(static_cast<Reg>(p)));
  return all;
}

Reg Lowering::kind_cells(int kind) {
  if (kind < 0 || kind >= pieces_.kinds) return none_;
  return layout_.kinds == 0 ? occupied() : static_cast<Reg>(layout_.owners + kind);
}

// Sets of cells by an operation that directions and lists have, too.
Val Lowering::combined_cells(NodeId id, Draft& d) {
  const Node n = node(id);
  switch (as<SetOp>(n.op)) {
  case SetOp::cells: {
    const CellSet& set = program_.cell_sets[at(n.a)];
    return make_set(e_.set_constant(set), all_contents());
  }
  case SetOp::unite:
  case SetOp::meet:
  case SetOp::minus: {
    // What only cells tell is kept whole.
    if (const auto kept = kept_whole(id, d)) return any_set(*kept);
    const Val a = value(kid(id, 0), d), b = value(kid(id, 1), d);
    const Reg ra = set_of(a), rb = set_of(b);
    if (n.op == Op::unite) return make_set(unite(ra, rb), a.contents | b.contents);
    if (n.op == Op::meet) return make_set(meet(ra, rb), a.contents & b.contents);
    // Only a set that is told by what is on a cell takes that away.
    Contents left = a.contents;
    if (rb <= layout_.empty) left &= ~b.contents;
    return make_set(minus(ra, rb), left);
  }
  case SetOp::select: return selected(id, d);
  case SetOp::directions: break;
  }
  fail("a set of cells of an unknown operation");
  return any_set(none_);
}

Val Lowering::cells_value(NodeId id, Draft& d) {
  const Node n = node(id);
  const auto operand = [&](std::uint32_t i) { return value(kid(id, i), d); };
  const auto constant = [&](std::uint32_t i) { // a corner of a rectangle, as y * 1024 + x
    const std::int32_t fixed = i == 0 ? n.a : n.b;
    if (fixed >= 0) return e_.number_constant(fixed);
    const Reg c = cell_of(operand(i == 0 ? 0 : n.count - 1));
    const Reg x = e_.number_value(Ir::table, c, 0, 0, 0), y = e_.number_value(Ir::table, c, 0, 0, 1);
    const Reg sum = e_.number_value(Ir::add, x, e_.number_value(Ir::multiply, y, e_.number_constant(1024)));
    const Reg r = e_.new_number(); // -1 where there is no cell
    const Label past = e_.label();
    e_.emit(Ir::copy, r, c);
    e_.emit(Ir::if_less, 0, c, e_.number_constant(0), 0, past);
    e_.emit(Ir::copy, r, sum);
    e_.place(past);
    return r;
  };
  switch (as<CellsOp>(n.op)) {
  case CellsOp::empty: {
    Contents nothing;
    nothing.set(0);
    return make_set(as_seen(layout_.empty), nothing);
  }
  case CellsOp::owned: return make_set(owned(n), contents_of_owner(n));
  case CellsOp::kind_cells: {
    const Reg kind = number(kid(id, 0), d);
    if (const auto known = e_.known_number(kind))
      return make_set(kind_cells(*known), contents_of_kind(*known));
    return any_set(e_.set_value(Ir::set_of_kind, kind, 0, 0, 0, kPieces));
  }
  case CellsOp::here:
  case CellsOp::start: {
    Val v = n.op == Op::here ? d.here : d.start;
    if (v.is(Kind::none)) return make_set(none_, Contents());
    v.contents = on(d, v.reg);
    return v;
  }
  case CellsOp::complement: {
    const Val v = operand(0);
    return any_set(minus(board_, set_of(v)));
  }
  case CellsOp::rectangle: {
    const Reg a = constant(0), b = constant(1);
    return any_set(e_.set_value(Ir::set_corners, a, b));
  }
  case CellsOp::box: {
    const Reg a = cell_of(operand(0)), b = cell_of(operand(1));
    const Reg apart = n.count > 2 ? number(kid(id, 2), d) : e_.number_constant(1);
    Draft inside = d;
    return any_set(remembered(id, inside, [&] { return e_.set_value(Ir::set_box, a, b, apart); }));
  }
  case CellsOp::first:
  case CellsOp::last: {
    const Val v = operand(0);
    if (v.is(Kind::cell)) return v;
    return make_cell(e_.number_value(n.op == Op::first ? Ir::first : Ir::last, set_of(v)), v.contents);
  }
  case CellsOp::union_of: {
    const bool kinds = node(kid(id, 0)).type == Type::kinds;
    const Reg from = box_of(operand(0)), r = e_.new_set();
    e_.emit(kinds ? Ir::set_of_kinds : Ir::set_union, r, from);
    if (kinds) e_.depend(r, kPieces);
    return any_set(r);
  }
  case CellsOp::image: {
    const Val of = operand(0);
    return any_set(image(set_of(of), kid(id, 1), d));
  }
  case CellsOp::reach: return reach(id, d);
  case CellsOp::file_of:
  case CellsOp::rank_of: return any_set(in_line(id, d));
  case CellsOp::cell_numbered: return any_set(e_.set_value(Ir::set_numbered, number(kid(id, 0), d)));
  }
  fail("a set of cells of an unknown operation");
  return any_set(none_);
}

// The members for which a condition holds, one after the other.
Val Lowering::selected(NodeId id, Draft& d) {
  const Node n = node(id);
  const Type type = n.type;
  if (const auto rows = selected_rows(kid(id, 0), n.a, kid(id, 1), d)) return any_set(*rows);
  // Groups of cells beside the walker are soon found one by one, those of all cells aren't.
  const bool beside = contains(kid(id, 0), Op::here) && contains(kid(id, 0), Op::reach) &&
                      !contains(kid(id, 0), Op::repeat) && contains(kid(id, 1), Op::repeat);
  if (type == Type::cells && !is_few(kid(id, 0)) && !beside) {
    const Val all = value(kid(id, 0), d);
    if (const auto those = members_where(n, all, d)) return make_set(*those, all.contents);
  }
  const Val from = type == Type::cells ? members(kid(id, 0), n.a, kid(id, 1), d) : Val();
  const Reg into = new_of_type(type);
  if (type == Type::cells || type == Type::directions)
    e_.emit(Ir::set_copy, into, none_);
  else
    e_.emit(Ir::box_clear, into);
  const auto add_if = [&](const Val& member, Label next) {
    Draft inside = d;
    inside.locals[n.a] = member;
    jump(kid(id, 1), false, next, inside);
    switch (member.kind) {
    case Kind::cell:
    case Kind::step: e_.emit(Ir::set_add, into, member.reg); break;
    case Kind::steps: e_.emit(Ir::set_join, into, ways_of(member)); break;
    case Kind::set: e_.emit(Ir::box_add_set, into, member.reg); break;
    default: e_.emit(Ir::box_add, into, member.reg); break;
    }
  };
  if (type == Type::cells)
    each_member(from, type, add_if);
  else
    each_candidate(kid(id, 0), n.a, kid(id, 1), d, add_if);
  Val v = of_type(type, into);
  if (type == Type::cells) v.contents = from.contents;
  return v;
}

// ---------------------------------------------------------------- any type

Val Lowering::value(NodeId id, Draft& d) {
  const Node n = node(id);
  if (stopped() || ++depth_ > kMaxDepth) {
    if (!stopped()) fail("values are nested too deeply");
    return of_type(n.type, 0);
  }
  struct Leave {
    int& depth;
    ~Leave() { --depth; }
  } const leave{depth_};
  switch (group_of(n.op)) {
  case runtime::Group::any: return any_value(id, d);
  case runtime::Group::number:
  case runtime::Group::truth:
  case runtime::Group::name: return number_value(id, d);
  case runtime::Group::set:
    return n.type == Type::cells ? combined_cells(id, d) : is_set(n.type) ? directions(id, d) : list(id, d);
  case runtime::Group::cells: return cells_value(id, d);
  case runtime::Group::directions: return directions(id, d);
  case runtime::Group::list: return list(id, d);
  case runtime::Group::map: return map(id, d);
  case runtime::Group::joining:
  case runtime::Group::walking:
  case runtime::Group::pieces:
  case runtime::Group::position:
  case runtime::Group::text: break;
  }
  fail("an action has no value");
  return of_type(n.type, 0);
}

Val Lowering::any_value(NodeId id, Draft& d) {
  const Node n = node(id);
  switch (as<AnyOp>(n.op)) {
  case AnyOp::local: return local(id, d);
  case AnyOp::let_value: {
    const Val v = value(kid(id, 0), d);
    Draft inside = d;
    inside.locals[n.a] = v;
    return value(kid(id, 1), inside);
  }
  case AnyOp::before: return before(id, d);
  case AnyOp::first_of:
  case AnyOp::last_of: return end_of_list(id, d);
  case AnyOp::if_value:
  case AnyOp::by_kind:
  case AnyOp::by_player: return branches_of_value(id, d);
  case AnyOp::variable: {
    if (n.type != Type::cells) return make_number(static_cast<Reg>(n.a));
    return any_set(static_cast<Reg>(layout_.set_of_variable[at(n.a)]));
  }
  }
  fail("a value of an unknown operation");
  return of_type(n.type, 0);
}

Val Lowering::local(NodeId id, Draft& d) {
  const Node& n = node(id);
  if (const auto changed = changed_.find(n.a); changed != changed_.end()) return changed->second;
  const auto known = d.locals.find(n.a);
  if (known != d.locals.end()) return known->second;
  fail("a name is used where nothing is bound to it");
  return of_type(n.type, 0);
}

// A state register would change under a name that is bound to it.
Val Lowering::bound(NodeId id, Draft& d) {
  Val v = value(id, d);
  if ((v.is(Kind::set) || v.is(Kind::ways)) && v.reg < layout_.draft_sets) {
    v.reg = e_.copied(v.reg);
  } else if (v.is(Kind::number) && v.reg < layout_.draft_numbers) {
    const Reg kept = e_.new_number();
    e_.emit(Ir::copy, kept, v.reg);
    v.reg = kept;
  } else if (v.is(Kind::box)) {
    const Node& n = node(id);
    if (n.op == Op::local) {
      const Reg kept = e_.new_box();
      e_.emit(Ir::box_copy, kept, v.reg);
      v.reg = kept;
    }
  }
  return v;
}

void Lowering::assign(Type type, Reg to, NodeId id, Draft& d) {
  if (type == Type::truth) {
    const Label past = e_.label();
    e_.emit(Ir::constant, to, 0, 0, 0, 0);
    {
      const Emitter::Scope scope(e_);
      jump(id, false, past, d);
    }
    e_.emit(Ir::constant, to, 0, 0, 0, 1);
    e_.place(past);
    return;
  }
  const Val v = value(id, d);
  switch (type) {
  case Type::cells: e_.emit(Ir::set_copy, to, set_of(v)); break;
  case Type::number:
  case Type::kind:
  case Type::player: e_.emit(Ir::copy, to, v.reg); break;
  case Type::directions: e_.emit(Ir::set_copy, to, ways_of(v)); break;
  default: e_.emit(Ir::box_copy, to, box_of(v)); break;
  }
}

// A value for each case, of which one is worked out.
Val Lowering::branches_of_value(NodeId id, Draft& d) {
  const Node n = node(id);
  const Reg to = new_of_type(n.type);
  const Label done = e_.label();
  if (n.op == Op::if_value) {
    const Label other = e_.label();
    {
      const Emitter::Scope scope(e_);
      jump(kid(id, 0), false, other, d);
      assign(n.type, to, kid(id, 1), d);
      e_.go(done);
    }
    e_.place(other);
    {
      const Emitter::Scope scope(e_);
      assign(n.type, to, kid(id, 2), d);
    }
  } else {
    Reg which = 0;
    if (n.op == Op::by_player) {
      which = number(kid(id, 0), d);
    } else {
      const Val where = value(kid(id, 0), d);
      need_mailbox();
      const Reg kind = e_.number_value(Ir::kind_at, cell_of(where), 0, 0, 0, kPieces);
      which = e_.number_value(Ir::add, kind, e_.number_constant(1));
    }
    std::vector<std::uint32_t> labels;
    const auto table = static_cast<std::int32_t>(code_.labels.size());
    code_.labels.emplace_back();
    e_.emit(Ir::jump_table, 0, which, 0, 0, table);
    for (std::uint32_t k = 1; k < n.count; ++k) {
      const Emitter::Scope scope(e_);
      const Label here = e_.label();
      e_.place(here);
      labels.push_back(static_cast<std::uint32_t>(here));
      assign(n.type, to, kid(id, k), d);
      e_.go(done);
    }
    // For no kind, which comes first in the table, the last body counts.
    if (n.op == Op::by_kind) std::rotate(labels.begin(), labels.end() - 1, labels.end());
    code_.labels[at(table)] = labels;
  }
  e_.place(done);
  return of_type(n.type, to);
}

// ---------------------------------------------------------------- numbers

Val Lowering::number_value(NodeId id, Draft& d) {
  const Node n = node(id);
  const auto two = [&](Ir op) {
    const Reg a = number(kid(id, 0), d), b = number(kid(id, 1), d);
    const auto ka = e_.known_number(a), kb = e_.known_number(b);
    if (ka && kb) {
      const std::int64_t x = *ka, y = *kb;
      switch (op) {
      case Ir::add: return constant_number(saturated(x + y));
      case Ir::subtract: return constant_number(saturated(x - y));
      case Ir::multiply: return constant_number(saturated(x * y));
      case Ir::divide: return constant_number(saturated(divided(x, y)));
      case Ir::modulo: return constant_number(saturated(remainder(x, y)));
      default: break;
      }
    }
    const bool divides = op == Ir::divide || op == Ir::modulo;
    if (divides && kb && *kb > 0 && std::has_single_bit(static_cast<std::uint32_t>(*kb))) {
      const int bits = std::countr_zero(static_cast<std::uint32_t>(*kb));
      if (bits == 0) return op == Ir::divide ? make_number(a) : constant_number(0);
      return make_number(e_.number_value(op == Ir::divide ? Ir::shift_down : Ir::low_bits, a, 0, 0, bits));
    }
    return make_number(e_.number_value(op, a, b));
  };
  const auto several = [&](Ir op) {
    Reg all = number(kid(id, 0), d);
    for (std::uint32_t i = 1; i < n.count; ++i) all = e_.number_value(op, all, number(kid(id, i), d));
    return make_number(all);
  };
  const auto coordinate = [&](std::int32_t table) {
    return make_number(e_.number_value(Ir::table, cell(kid(id, 0), d), 0, 0, table));
  };
  if (is_constant(n.op)) return constant_number(n.a);
  if (n.op == Op::kind_at) {
    const Val where = value(kid(id, 0), d);
    need_mailbox();
    return make_number(e_.number_value(Ir::kind_at, cell_of(where), 0, 0, 0, kPieces));
  }
  if (group_of(n.op) == runtime::Group::truth) { // worked out by jumps
    const Reg r = e_.new_number();
    assign(Type::truth, r, id, d);
    return make_number(r);
  }
  switch (as<NumberOp>(n.op)) {
  case NumberOp::hand:
    return make_number(e_.number_value(Ir::hand, number(kid(id, 0), d), 0, 0, n.a, kHands));
  case NumberOp::hand_total: {
    Reg all = e_.number_constant(0);
    for (const int slot : program_.hand_slot[at(n.a)])
      if (slot >= 0) all = e_.number_value(Ir::add, all, layout_.hands + slot);
    return make_number(all);
  }
  case NumberOp::ply: return make_number(layout_.ply);
  case NumberOp::turns: return make_number(static_cast<Reg>(layout_.turns + n.a));
  case NumberOp::carried:
    if (!stacks() && d.air.kind != Air::Kind::dynamic)
      return constant_number(d.air.kind == Air::Kind::nothing ? 0 : 1);
    return make_number(e_.number_value(Ir::carried, 0, 0, 0, 0, kAir));
  case NumberOp::repeats: {
    code_.uses_history = true;
    const Reg r = e_.new_number();
    e_.emit(Ir::repeats, r, 0, 0, 0, 0, asking_ ? 1 : 0);
    return make_number(r);
  }
  case NumberOp::board_repeats: {
    code_.uses_history = true;
    const Reg r = e_.new_number();
    e_.emit(Ir::board_repeats, r, 0, 0, 0, asking_ ? 0 : 1);
    return make_number(r);
  }
  case NumberOp::add: return two(Ir::add);
  case NumberOp::subtract: return two(Ir::subtract);
  case NumberOp::multiply: return two(Ir::multiply);
  case NumberOp::divide: return two(Ir::divide);
  case NumberOp::modulo: return two(Ir::modulo);
  case NumberOp::negate: {
    const Reg negated = number(kid(id, 0), d);
    return make_number(e_.number_value(Ir::subtract, e_.number_constant(0), negated));
  }
  case NumberOp::least: return several(Ir::least);
  case NumberOp::greatest: return several(Ir::greatest);
  case NumberOp::absolute: return make_number(e_.number_value(Ir::absolute, number(kid(id, 0), d)));
  case NumberOp::sum_for: return sum_for(id, d);
  case NumberOp::least_for:
  case NumberOp::greatest_for: return extreme_for(id, d);
  case NumberOp::count: {
    const Node of = node(kid(id, 0));
    if (of.op == Op::select && of.type == Type::sets && constant_list(kid(kid(id, 0), 0))) {
      const Reg sum = e_.new_number();
      e_.emit(Ir::constant, sum, 0, 0, 0, 0);
      each_member(kid(kid(id, 0), 0), d, [&](const Val& member, Label next) {
        Draft inside = d;
        inside.locals[of.a] = member;
        jump(kid(kid(id, 0), 1), false, next, inside);
        e_.emit(Ir::add, sum, sum, e_.number_constant(1));
      });
      return make_number(sum);
    }
    const Val v = value(kid(id, 0), d);
    if (v.is(Kind::set) || v.is(Kind::ways)) return make_number(e_.number_value(Ir::count, v.reg));
    if (v.is(Kind::cell)) return make_number(e_.number_value(Ir::count, set_of(v)));
    if (v.is(Kind::step)) return make_number(e_.number_value(Ir::count, ways_of(v)));
    if (v.is(Kind::steps)) return constant_number(v.steps.count());
    const Reg r = e_.new_number();
    e_.emit(Ir::box_count, r, box_of(v));
    return make_number(r);
  }
  case NumberOp::height: {
    const Val where = value(kid(id, 0), d);
    if (stacks() && where.is(Kind::cell))
      return make_number(e_.number_value(Ir::height_at, where.reg, 0, 0, 0, kPieces));
    return make_number(e_.number_value(Ir::height, set_of(where), 0, 0, 0, kPieces));
  }
  case NumberOp::pieces: {
    need_mailbox();
    std::int32_t mask = 0;
    for (int code = 1; code < pieces_.count(); ++code)
      if (contents_of_owner(n).test(at(code))) mask |= 1 << pieces_.owner_index[at(code)];
    const Reg of = set(kid(id, 0), d);
    const Reg kind = n.count > 1 ? number(kid(id, 1), d) : e_.number_constant(-2);
    return make_number(e_.number_value(Ir::pieces, of, kind, 0, mask, kPieces));
  }
  case NumberOp::spread: return make_number(e_.number_value(Ir::spread, set(kid(id, 0), d)));
  case NumberOp::x_of: return coordinate(0);
  case NumberOp::y_of: return coordinate(1);
  case NumberOp::z_of: return coordinate(2);
  case NumberOp::number: break; // a constant
  }
  fail("a number of an unknown operation");
  return make_number(0);
}

// ---------------------------------------------------------------- before

Val Lowering::before(NodeId id, Draft& d) {
  if (const auto known = before_.find(id); known != before_.end()) return known->second;
  code_.reads_beginning = true;
  const Node n = node(id);
  const Reg to = new_of_type(n.type);
  e_.emit(Ir::view_beginning);
  {
    const Emitter::Scope scope(e_);
    e_.forget_values();
    Draft inside = d;
    forget_contents(inside);
    before_[id]; // a `before` inside it is of the same position
    before_.erase(id);
    assign(n.type, to, kid(id, 0), inside);
  }
  e_.emit(Ir::view_now);
  return of_type(n.type, to);
}

} // namespace boardwright::runtime::lowering
