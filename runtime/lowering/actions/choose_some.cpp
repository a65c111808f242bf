// Choices of several members: code that calls itself, or loops within loops if they are few.
#include "runtime/lowering/actions/changes.hpp"
#include "runtime/lowering/actions/choices.hpp"
#include "runtime/lowering/actions/loops.hpp"
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

namespace {

void choose_few_cells(Context& cx, const Todo* todo, std::int32_t wanted, Reg chosen, Reg left,
                      AbstractDraft d);

// None, one, two, …: each has code of its own, which leaves the last one open.
void choose_up_to(Context& cx, const Todo* todo, Reg wanted, std::int32_t most, Reg chosen, Reg left,
                  AbstractDraft d) {
  const Label past = cx.e.label();
  const Reg base = cx.e.new_number();
  begin_choices(cx, d, base);
  for (std::int32_t k = 0; k <= most; ++k) {
    const Label next = cx.e.label();
    {
      const Emitter::Scope scope(cx.e);
      cx.e.emit(Ir::if_not_equal, 0, wanted, cx.e.number_constant(k), 0, next);
      choose_few_cells(cx, todo, k, chosen, left, d);
      cx.e.go(past);
    }
    cx.e.place(next);
  }
  cx.e.place(past);
}

void choose_few_cells(Context& cx, const Todo* todo, std::int32_t wanted, Reg chosen, Reg left,
                      AbstractDraft d) {
  const Node n = cx.node(todo->action);
  if (wanted == 0) {
    bind_local(cx, n.a, Type::cells, any_set(cx, chosen), d);
    return act(cx, todo->next, std::move(d));
  }
  if (wanted == 1)
    return choose_cell(cx, any_set(cx, left), todo->next, std::move(d),
                       [&](AbstractDraft& e, const AbstractValue& cell) {
                         const Reg all = cx.e.new_set();
                         cx.e.emit(Ir::set_copy, all, chosen);
                         cx.e.emit(Ir::set_add, all, cell.reg);
                         bind_local(cx, n.a, Type::cells, any_set(cx, all), e);
                       });
  const Reg cell = cx.e.new_number(), mark = cx.e.new_number(2), more = cx.e.new_set(),
            others = cx.e.new_set();
  const Label loop = cx.e.label(), past = cx.e.label();
  cx.e.emit(Ir::mark, mark);
  cx.e.emit(Ir::set_copy, others, left);
  cx.e.place(loop);
  cx.e.emit(Ir::take, cell, others, 0, 0, past);
  {
    const Emitter::Scope scope(cx.e);
    cx.e.forget_values();
    cx.e.emit(Ir::set_copy, more, chosen);
    cx.e.emit(Ir::set_add, more, cell);
    record(cx, d, cell);
    choose_few_cells(cx, todo, wanted - 1, more, others, std::move(d));
  }
  cx.e.emit(Ir::undo, 0, mark);
  cx.e.go(loop);
  cx.e.place(past);
}

void play_members(Context& cx, const Todo* todo, Reg wanted, Type type, Reg chosen, Reg list,
                  AbstractDraft d) {
  const Node n = cx.node(todo->action);
  const auto add = [&](Reg given) {
    if (type == Type::cells) {
      cx.e.emit(Ir::set_add, chosen, given);
    } else if (type == Type::sets) {
      const Reg r = cx.e.new_set();
      cx.e.emit(Ir::box_get_set, r, list, given);
      cx.e.emit(Ir::box_add_set, chosen, r);
    } else {
      const Reg r = cx.e.new_number();
      cx.e.emit(Ir::box_get, r, list, given);
      cx.e.emit(Ir::box_add, chosen, r);
    }
  };
  if (const auto known = cx.e.known_number(wanted); known && cx.mode == Mode::play_one) {
    for (std::int32_t k = 0; k < *known; ++k) add(given_choice(cx, Type::number).reg);
  } else {
    const Reg count = cx.e.new_number();
    const Label loop = cx.e.label(), past = cx.e.label();
    cx.e.emit(Ir::constant, count, 0, 0, 0, 0);
    cx.e.place(loop);
    cx.e.emit(Ir::if_not_less, 0, count, wanted, 0, past);
    add(given_choice(cx, Type::number).reg);
    cx.e.emit(Ir::add, count, count, cx.e.number_constant(1));
    cx.e.go(loop);
    cx.e.place(past);
  }
  bind_local(cx, n.a, type, type == Type::cells ? any_set(cx, chosen) : make_box(chosen), d);
  act(cx, todo->next, std::move(d));
}

// The next of those that are left, as a cell, a set, or its place in a list; to the label where there is
// none.
void take_member(Context& cx, Type type, Reg list, Reg left, Reg cell, Reg as_set, Label none) {
  if (type == Type::cells)
    cx.e.emit(Ir::take, cell, left, 0, 0, none);
  else {
    cx.e.emit(Ir::copy, cell, left);
    if (type == Type::sets)
      cx.e.emit(Ir::next_set, as_set, list, left, 0, none);
    else {
      const Reg as_number = cx.e.new_number();
      cx.e.emit(Ir::next_member, as_number, list, left, 0, none);
    }
  }
}

void add_member(Context& cx, Type type, Reg list, Reg chosen, Reg cell, Reg as_set) {
  if (type == Type::cells) {
    cx.e.emit(Ir::set_add, chosen, cell);
  } else if (type == Type::sets) {
    cx.e.emit(Ir::box_add_set, chosen, as_set);
  } else {
    const Reg value = cx.e.new_number();
    cx.e.emit(Ir::box_get, value, list, cell);
    cx.e.emit(Ir::box_add, chosen, value);
  }
}

} // namespace

void choose_members(Context& cx, const Todo* todo, Reg wanted, Type type, Reg chosen, Reg left, Reg list,
                    AbstractDraft d) {
  if (cx.plays(d)) return play_members(cx, todo, wanted, type, chosen, list, std::move(d));
  constexpr std::int32_t kFew = 4; // loops within loops
  const auto known = cx.e.known_number(wanted);
  const Node n = cx.node(todo->action);
  if (type == Type::cells && known && *known <= kFew) {
    if (*known >= 0) choose_few_cells(cx, todo, *known, chosen, left, std::move(d));
    return;
  }
  if (const auto most = cx.facts.greatest_possible(cx.kid(todo->action, 0));
      type == Type::cells && most && *most <= kFew)
    return choose_up_to(cx, todo, wanted, *most, chosen, left, std::move(d));
  const Label member = cx.e.label(), past = cx.e.label(), all = cx.e.label(), back = cx.e.label(),
              next = cx.e.label();
  const Emitter::Registers spill_area = cx.e.registers();
  const Reg count = cx.e.new_number(), base = cx.e.new_number(), mark = cx.e.new_number(2);
  const Reg cell = cx.e.new_number();
  const Reg as_set = cx.e.new_set();
  // The spill area also has what is chosen and left: registers of the same kind that are kept with it.
  const Reg inner_chosen = type == Type::cells ? cx.e.new_set() : cx.e.new_box();
  const Reg inner_left = type == Type::cells ? cx.e.new_set() : cx.e.new_number();
  cx.e.emit(Ir::if_less, 0, wanted, cx.e.number_constant(0), 0, past);
  cx.e.emit(Ir::constant, count, 0, 0, 0, 0);
  cx.e.emit(type == Type::cells ? Ir::set_copy : Ir::box_copy, inner_chosen, chosen);
  cx.e.emit(type == Type::cells ? Ir::set_copy : Ir::copy, inner_left, left);
  begin_choices(cx, d, base);
  cx.e.emit(Ir::call, 0, 0, 0, 0, member);
  cx.e.go(past);
  cx.e.place(member);
  cx.e.forget_values();
  cx.e.emit(Ir::mark, mark);
  cx.e.emit(Ir::if_equal, 0, count, wanted, 0, all);
  cx.e.place(next);
  take_member(cx, type, list, inner_left, cell, as_set, back);
  {
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    const std::size_t kept = cx.e.emit(Ir::keep);
    cx.e.emit(Ir::add, count, count, cx.e.number_constant(1));
    add_member(cx, type, list, inner_chosen, cell, as_set);
    record(cx, e, cell);
    begin_choices(cx, e, base);
    cx.e.emit(Ir::call, 0, 0, 0, 0, member);
    cx.code.instructions[std::min(kept, cx.code.instructions.size() - 1)].x =
        spill_area_since(cx, spill_area);
    cx.e.emit(Ir::restore);
  }
  cx.e.go(next);
  cx.e.place(all);
  {
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    bind_local(cx, n.a, type, type == Type::cells ? any_set(cx, inner_chosen) : make_box(inner_chosen), e);
    act(cx, todo->next, std::move(e));
  }
  cx.e.emit(Ir::undo, 0, mark);
  cx.e.place(back);
  cx.e.emit(Ir::ret);
  cx.e.place(past);
}

} // namespace boardwright::runtime::lowering
