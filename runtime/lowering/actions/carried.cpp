// Pieces of a stack that is spread: while moves are searched it is enough to count those carried, as long
// as nothing asks what lies where some have been lifted or laid down.
//
// # What it may rest on
// The state stays as it was, but for the number of pieces that are carried. So it may be asked where nothing
// would have changed: the walker goes on in one direction from the cell where it lifted the pieces, and looks
// at each cell before it lays one down there. What is deferred to the move that is played may ask anything:
// playing lifts the pieces. Where something else comes up, all is recompiled without this.
#include "runtime/lowering/actions/carried.hpp"
#include "runtime/lowering/actions/actions.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

// An action that can be searched so, if the cells that it looks at are untouched.
bool only_counts(const Context& cx, NodeId id) {
  if (id == kNoNode) return true;
  const Node& n = cx.node(id);
  const auto kids = cx.program.kids_of(n);
  const auto plain = [&cx](NodeId value) { return cx.facts.reads_no_pieces(value); };
  const auto follows = [&cx](NodeId action) { return only_counts(cx, action); };
  switch (n.op) {
  case Op::sequence:
  case Op::alternatives:
  case Op::quietly: return std::all_of(kids.begin(), kids.end(), follows);
  case Op::if_action: return plain(kids[0]) && std::all_of(kids.begin() + 1, kids.end(), follows);
  case Op::repeat: return follows(kids[0]) && std::all_of(kids.begin() + 1, kids.end(), plain);
  case Op::choose: return cx.node(kids[0]).type != Type::cells && plain(kids[0]);
  case Op::at: return plain(kids[0]) || cx.facts.goes_by_cell(kids[0]);
  case Op::change: {
    Carried::Kind carried = Carried::Kind::nothing;
    bool has_cell = true;
    return cx.node(kids[0]).op == Op::here && certain(cx, id, any_draft(), carried, has_cell);
  }
  case Op::go:
  case Op::put:
  case Op::require:
  case Op::let:
  case Op::set_local:
  case Op::set_variable:
  case Op::say: return std::all_of(kids.begin(), kids.end(), plain);
  case Op::never:
  case Op::pass: return true;
  default: return false;
  }
}

} // namespace

bool may_only_count(const Context& cx, const Todo* todo, const AbstractDraft& d) {
  if (!is_on(Idiom::carried)) return false;
  if (cx.mode != Mode::search || !d.recorded || cx.comparison.once || cx.text || d.compared ||
      cx.speculation.never_counted)
    return false;
  if (cx.within.each > 0 || cx.within.reach > 0 || cx.end_lines.asking ||
      !cx.comparison.ambiguities.branches.empty() || !cx.comparison.ambiguities.alike.empty())
    return false;
  if (d.only_counted || d.carried.kind != Carried::Kind::nothing || !cx.facts.lifts_some(todo->action))
    return false;
  const Todo* part = todo->next;
  for (; part != nullptr && part->then == nullptr && only_counts(cx, part->action);) part = part->next;
  if (part == todo->next || (part != nullptr && part->then != nullptr)) return false;
  Carried::Kind carried = Carried::Kind::nothing;
  bool has_cell = true;
  for (; part != nullptr; part = part->next)
    if (part->then != nullptr || cx.speculation.never_deferred.count(part->action) != 0 ||
        !certain(cx, part->action, d, carried, has_cell))
      return false;
  return true;
}

bool goes_on_counting(Context& cx, const Todo* todo, const AbstractDraft& d) {
  return cx.mode == Mode::search && d.recorded && only_counts(cx, todo->action);
}

void give_up_counting(Context& cx) {
  cx.speculation.never_counted = true;
  cx.recompile = true;
}

void lift_counted(Context& cx, const Todo* todo, AbstractDraft d, Label past) {
  const NodeId id = todo->action;
  const Reg there = cx.e.number_value(Ir::height_at, d.here.reg, 0, 0, 0, kPieces);
  Reg many = there;
  if (cx.node(id).count > 0) {
    many = number(cx, cx.kid(id, 0), d);
    cx.e.emit(Ir::if_less, 0, there, many, 0, past);
  } else {
    cx.e.emit(Ir::if_equal, 0, there, cx.e.number_constant(0), 0, past);
  }
  cx.e.emit(Ir::write, cx.layout.carried, many);
  cx.e.changed(kAir);
  d.carried = {Carried::Kind::dynamic, cx.facts.all_contents()};
  d.only_counted = true;
  d.line = kLineUnknown;
  d.fresh = false;
  act(cx, todo->next, std::move(d));
  cx.e.place(past);
}

void put_counted(Context& cx, const Todo* todo, AbstractDraft d) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  const Label past = cx.e.label();
  const Emitter::Scope scope(cx.e);
  if (!need_here(cx, d, "put")) return;
  const Reg zero = cx.e.number_constant(0);
  Reg many = cx.layout.carried, left = zero;
  if (n.count > 0) {
    many = number(cx, cx.kid(id, 0), d);
    if (!cx.e.known_number(many)) cx.e.emit(Ir::if_less, 0, many, zero, 0, past);
    cx.e.emit(Ir::if_less, 0, cx.layout.carried, many, 0, past);
    left = cx.e.new_number();
    cx.e.emit(Ir::subtract, left, cx.layout.carried, many);
  }
  if (!cx.heights_bounded) {
    const Label low = cx.e.label();
    const Reg height = cx.e.new_number(), sum = cx.e.new_number();
    cx.e.emit(Ir::height_at, height, d.here.reg);
    cx.e.emit(Ir::add, sum, height, many);
    cx.e.emit(Ir::if_not_less, 0, cx.e.number_constant(cx.board().levels), sum, 0, low);
    // A fault, which is that of laying them down.
    cx.e.emit(Ir::put_some, 0, d.here.reg, many, 0, past, n.count > 0 ? 0 : 1);
    cx.e.place(low);
  }
  cx.e.emit(Ir::write, cx.layout.carried, left);
  cx.e.changed(kAir);
  d.fresh = false;
  d.carried.kind = n.count == 0 ? Carried::Kind::nothing : Carried::Kind::dynamic;
  act(cx, todo->next, std::move(d));
  cx.e.place(past);
}

void step_counted(int step, AbstractDraft& d) {
  if (!d.only_counted) return;
  if (d.line == kLineUnknown) d.line = step;
  d.fresh = d.line == step;
  if (!d.fresh) d.line = kLineLost;
}

bool can_test_counted(Context& cx, NodeId tested, const AbstractDraft& d) {
  return cx.facts.reads_no_pieces(tested) || (d.fresh && cx.facts.goes_by_cell(tested) && d.line >= 0 &&
                                              cx.facts.lines_part(StepSet::of(d.line)));
}

void ask_carried(Context& cx, NodeId action, const AbstractDraft& d, Label none) {
  if (cx.mode != Mode::search || !cx.stacks() || d.carried.kind != Carried::Kind::dynamic) return;
  const auto is_carried = [&cx](NodeId id) { return cx.node(id).op == Op::carried; };
  const auto is_positive = [&cx](NodeId id) { return cx.node(id).op == Op::number && cx.node(id).a >= 1; };
  bool needs = false;
  Actions parts;
  cx.facts.flatten_quiet(action, parts);
  for (const NodeId part : parts) {
    const Node& n = cx.node(part);
    if (n.op == Op::lift || needs) break;
    if (n.op == Op::put) needs = n.count > 0 && is_positive(cx.kid(part, 0));
    if (n.op == Op::choose && cx.node(cx.kid(part, 0)).op == Op::range)
      needs = is_positive(cx.kid(cx.kid(part, 0), 0)) && is_carried(cx.kid(cx.kid(part, 0), 1));
    if (n.op != Op::require) continue;
    const NodeId condition = cx.kid(part, 0);
    const Op op = cx.node(condition).op;
    if (op != Op::equal && op != Op::at_most) continue;
    const NodeId a = cx.kid(condition, 0), b = cx.kid(condition, 1);
    needs = (is_positive(a) && is_carried(b)) || (op == Op::equal && is_positive(b) && is_carried(a));
  }
  if (needs) cx.e.emit(Ir::if_equal, 0, cx.layout.carried, cx.e.number_constant(0), 0, none);
}

void find_line(const Context& cx, NodeId body, AbstractDraft& d) {
  Actions parts;
  cx.facts.flatten_quiet(body, parts);
  for (const NodeId part : parts) {
    if (cx.node(part).op != Op::go) continue;
    const auto steps = cx.facts.constant_steps(cx.kid(part, 0), d);
    d.line = steps && steps->count() == 1 ? steps->first() : kLineLost;
    return;
  }
  d.line = kLineLost;
}

} // namespace boardwright::runtime::lowering
