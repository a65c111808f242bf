// Pieces of a stack that is spread: while moves are searched it is enough to count those in the air, as long
// as nothing asks what lies where some have been lifted or laid down.
//
// # What it may rest on
// The state stays as it was, but for the number of pieces in the air. So it may be asked where nothing would
// have changed: the walker goes on in one direction from the cell where it lifted the pieces, and looks at
// each cell before it lays one down there. What is left to the move that is played may ask anything: playing
// lifts the pieces. Where something else comes up, all is compiled again without this.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// An action that can be searched so, if the cells that it looks at are untouched.
bool Lowering::only_counts(NodeId id) const {
  if (id == kNoNode) return true;
  const Node& n = node(id);
  const auto kids = program_.kids_of(n);
  const auto plain = [this](NodeId value) { return reads_no_pieces(value); };
  const auto follows = [this](NodeId action) { return only_counts(action); };
  switch (n.op) {
  case Op::sequence:
  case Op::alternatives:
  case Op::quietly: return std::all_of(kids.begin(), kids.end(), follows);
  case Op::if_action: return plain(kids[0]) && std::all_of(kids.begin() + 1, kids.end(), follows);
  case Op::repeat: return follows(kids[0]) && std::all_of(kids.begin() + 1, kids.end(), plain);
  case Op::choose: return node(kids[0]).type != Type::cells && plain(kids[0]);
  case Op::at: return plain(kids[0]) || goes_by_cell(kids[0]);
  case Op::change: {
    Air::Kind air = Air::Kind::nothing;
    bool has_cell = true;
    return node(kids[0]).op == Op::here && certain(id, any_draft(), air, has_cell);
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

// Is everything that comes such an action, but what is left to the move that is played?
bool Lowering::may_only_count(const Todo* todo, const Draft& d) const {
  if (!is_on(Form::carried)) return false;
  if (mode_ != Mode::search || !d.recorded || once_ || text_ || d.compared || never_counted_) return false;
  if (exact_ > 0 || reaching_ > 0 || asking_ || !doubts_.branches.empty() || !doubts_.alike.empty())
    return false;
  if (d.only_counted || d.air.kind != Air::Kind::nothing || !lifts_some(todo->action)) return false;
  const Todo* part = todo->next;
  for (; part != nullptr && part->then == nullptr && only_counts(part->action);) part = part->next;
  if (part == todo->next || (part != nullptr && part->then != nullptr)) return false;
  Air::Kind air = Air::Kind::nothing;
  bool has_cell = true;
  for (; part != nullptr; part = part->next)
    if (part->then != nullptr || never_open_.count(part->action) != 0 ||
        !certain(part->action, d, air, has_cell))
      return false;
  return true;
}

// Asked of every action that is searched so.
bool Lowering::goes_on_counting(const Todo* todo, const Draft& d) {
  return mode_ == Mode::search && d.recorded && only_counts(todo->action);
}

void Lowering::give_up_counting() {
  never_counted_ = true;
  again_ = true;
}

void Lowering::lift_counted(const Todo* todo, Draft d, Label past) {
  const NodeId id = todo->action;
  const Reg there = e_.number_value(Ir::height_at, d.here.reg, 0, 0, 0, kPieces);
  Reg many = there;
  if (node(id).count > 0) {
    many = number(kid(id, 0), d);
    e_.emit(Ir::if_less, 0, there, many, 0, past);
  } else {
    e_.emit(Ir::if_equal, 0, there, e_.number_constant(0), 0, past);
  }
  e_.emit(Ir::write, layout_.air, many);
  e_.changed(kAir);
  d.air = {Air::Kind::dynamic, all_contents()};
  d.only_counted = true;
  d.line = kLineUnknown;
  d.fresh = false;
  act(todo->next, std::move(d));
  e_.place(past);
}

void Lowering::put_counted(const Todo* todo, Draft d) {
  const NodeId id = todo->action;
  const Node n = node(id);
  const Label past = e_.label();
  const Emitter::Scope scope(e_);
  if (!need_here(d, "put")) return;
  const Reg zero = e_.number_constant(0);
  Reg many = layout_.air, left = zero;
  if (n.count > 0) {
    many = number(kid(id, 0), d);
    if (!e_.known_number(many)) e_.emit(Ir::if_less, 0, many, zero, 0, past);
    e_.emit(Ir::if_less, 0, layout_.air, many, 0, past);
    left = e_.new_number();
    e_.emit(Ir::subtract, left, layout_.air, many);
  }
  if (!heights_bounded_) {
    const Label low = e_.label();
    const Reg height = e_.new_number(), sum = e_.new_number();
    e_.emit(Ir::height_at, height, d.here.reg);
    e_.emit(Ir::add, sum, height, many);
    e_.emit(Ir::if_not_less, 0, e_.number_constant(board().levels), sum, 0, low);
    // A fault, which is that of laying them down.
    e_.emit(Ir::put_some, 0, d.here.reg, many, 0, past, n.count > 0 ? 0 : 1);
    e_.place(low);
  }
  e_.emit(Ir::write, layout_.air, left);
  e_.changed(kAir);
  d.fresh = false;
  d.air.kind = n.count == 0 ? Air::Kind::nothing : Air::Kind::dynamic;
  act(todo->next, std::move(d));
  e_.place(past);
}

// The walker has taken a step.
void Lowering::step_counted(int step, Draft& d) {
  if (!d.only_counted) return;
  if (d.line == kLineUnknown) d.line = step;
  d.fresh = d.line == step;
  if (!d.fresh) d.line = kLineLost;
}

// May it be asked where the walker is?
bool Lowering::can_test_counted(NodeId tested, const Draft& d) {
  return reads_no_pieces(tested) ||
         (d.fresh && goes_by_cell(tested) && d.line >= 0 && lines_part(StepSet::of(d.line)));
}

// Where an action can't be got through with nothing in the air that is asked before all else.
void Lowering::ask_carried(NodeId action, const Draft& d, Label none) {
  if (mode_ != Mode::search || !stacks() || d.air.kind != Air::Kind::dynamic) return;
  const auto is_carried = [this](NodeId id) { return node(id).op == Op::carried; };
  const auto is_positive = [this](NodeId id) { return node(id).op == Op::number && node(id).a >= 1; };
  bool needs = false;
  Steps parts;
  flatten_quiet(action, parts);
  for (const NodeId part : parts) {
    const Node& n = node(part);
    if (n.op == Op::lift || needs) break;
    if (n.op == Op::put) needs = n.count > 0 && is_positive(kid(part, 0));
    if (n.op == Op::choose && node(kid(part, 0)).op == Op::range)
      needs = is_positive(kid(kid(part, 0), 0)) && is_carried(kid(kid(part, 0), 1));
    if (n.op != Op::require) continue;
    const NodeId condition = kid(part, 0);
    const Op op = node(condition).op;
    if (op != Op::equal && op != Op::at_most) continue;
    const NodeId a = kid(condition, 0), b = kid(condition, 1);
    needs = (is_positive(a) && is_carried(b)) || (op == Op::equal && is_positive(b) && is_carried(a));
  }
  if (needs) e_.emit(Ir::if_equal, 0, layout_.air, e_.number_constant(0), 0, none);
}

// The direction in which a repetition goes, where it is the first that goes anywhere: its rounds go on in it.
void Lowering::find_line(NodeId body, Draft& d) const {
  Steps parts;
  flatten_quiet(body, parts);
  for (const NodeId part : parts) {
    if (node(part).op != Op::go) continue;
    const auto steps = constant_steps(kid(part, 0), d);
    d.line = steps && steps->count() == 1 ? steps->first() : kLineLost;
    return;
  }
  d.line = kLineLost;
}

} // namespace boardwright::runtime::lowering
