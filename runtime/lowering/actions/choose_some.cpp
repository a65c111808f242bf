// Choices of several members: code that calls itself, or loops within loops if they are few.
#include "runtime/lowering/lowering.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

void Lowering::choose_members(const Todo* todo, Reg wanted, Type type, Reg chosen, Reg left, Reg list,
                              Draft d) {
  if (plays(d)) return play_members(todo, wanted, type, chosen, list, std::move(d));
  constexpr std::int32_t kFew = 4; // loops within loops
  const auto known = e_.known_number(wanted);
  const Node n = node(todo->action);
  if (type == Type::cells && known && *known <= kFew) {
    if (*known >= 0) choose_few_cells(todo, *known, chosen, left, std::move(d));
    return;
  }
  if (const auto most = greatest_possible(kid(todo->action, 0)); type == Type::cells && most && *most <= kFew)
    return choose_up_to(todo, wanted, *most, chosen, left, std::move(d));
  const Label member = e_.label(), past = e_.label(), all = e_.label(), back = e_.label(), next = e_.label();
  const Emitter::Registers window = e_.registers();
  const Reg count = e_.new_number(), base = e_.new_number(), mark = e_.new_number(2);
  const Reg cell = e_.new_number();
  const Reg as_set = e_.new_set();
  // The window also has what is chosen and left: registers of the same kind that are kept with it.
  const Reg inner_chosen = type == Type::cells ? e_.new_set() : e_.new_box();
  const Reg inner_left = type == Type::cells ? e_.new_set() : e_.new_number();
  e_.emit(Ir::if_less, 0, wanted, e_.number_constant(0), 0, past);
  e_.emit(Ir::constant, count, 0, 0, 0, 0);
  e_.emit(type == Type::cells ? Ir::set_copy : Ir::box_copy, inner_chosen, chosen);
  e_.emit(type == Type::cells ? Ir::set_copy : Ir::copy, inner_left, left);
  begin_choices(d, base);
  e_.emit(Ir::call, 0, 0, 0, 0, member);
  e_.go(past);
  e_.place(member);
  e_.forget_values();
  e_.emit(Ir::mark, mark);
  e_.emit(Ir::if_equal, 0, count, wanted, 0, all);
  e_.place(next);
  if (type == Type::cells)
    e_.emit(Ir::take, cell, inner_left, 0, 0, back);
  else {
    e_.emit(Ir::copy, cell, inner_left);
    if (type == Type::sets)
      e_.emit(Ir::next_set, as_set, list, inner_left, 0, back);
    else {
      const Reg as_number = e_.new_number();
      e_.emit(Ir::next_member, as_number, list, inner_left, 0, back);
    }
  }
  {
    const Emitter::Scope scope(e_);
    Draft e = d;
    const std::size_t kept = e_.emit(Ir::keep);
    e_.emit(Ir::add, count, count, e_.number_constant(1));
    if (type == Type::cells) {
      e_.emit(Ir::set_add, inner_chosen, cell);
    } else if (type == Type::sets) {
      e_.emit(Ir::box_add_set, inner_chosen, as_set);
    } else {
      const Reg value = e_.new_number();
      e_.emit(Ir::box_get, value, list, cell);
      e_.emit(Ir::box_add, inner_chosen, value);
    }
    record(e, cell);
    begin_choices(e, base);
    e_.emit(Ir::call, 0, 0, 0, 0, member);
    code_.instructions[std::min(kept, code_.instructions.size() - 1)].x = window_since(window);
    e_.emit(Ir::restore);
  }
  e_.go(next);
  e_.place(all);
  {
    const Emitter::Scope scope(e_);
    Draft e = d;
    bind_local(n.a, type, type == Type::cells ? any_set(inner_chosen) : make_box(inner_chosen), e);
    act(todo->next, std::move(e));
  }
  e_.emit(Ir::undo, 0, mark);
  e_.place(back);
  e_.emit(Ir::ret);
  e_.place(past);
}

// None, one, two, …: each has code of its own, which leaves the last one open.
void Lowering::choose_up_to(const Todo* todo, Reg wanted, std::int32_t most, Reg chosen, Reg left, Draft d) {
  const Label past = e_.label();
  const Reg base = e_.new_number();
  begin_choices(d, base);
  for (std::int32_t k = 0; k <= most; ++k) {
    const Label next = e_.label();
    {
      const Emitter::Scope scope(e_);
      e_.emit(Ir::if_not_equal, 0, wanted, e_.number_constant(k), 0, next);
      choose_few_cells(todo, k, chosen, left, d);
      e_.go(past);
    }
    e_.place(next);
  }
  e_.place(past);
}

void Lowering::choose_few_cells(const Todo* todo, std::int32_t wanted, Reg chosen, Reg left, Draft d) {
  const Node n = node(todo->action);
  if (wanted == 0) {
    bind_local(n.a, Type::cells, any_set(chosen), d);
    return act(todo->next, std::move(d));
  }
  if (wanted == 1)
    return choose_cell(any_set(left), todo->next, std::move(d), [&](Draft& e, const Val& cell) {
      const Reg all = e_.new_set();
      e_.emit(Ir::set_copy, all, chosen);
      e_.emit(Ir::set_add, all, cell.reg);
      bind_local(n.a, Type::cells, any_set(all), e);
    });
  const Reg cell = e_.new_number(), mark = e_.new_number(2), more = e_.new_set(), others = e_.new_set();
  const Label loop = e_.label(), past = e_.label();
  e_.emit(Ir::mark, mark);
  e_.emit(Ir::set_copy, others, left);
  e_.place(loop);
  e_.emit(Ir::take, cell, others, 0, 0, past);
  {
    const Emitter::Scope scope(e_);
    e_.forget_values();
    e_.emit(Ir::set_copy, more, chosen);
    e_.emit(Ir::set_add, more, cell);
    record(d, cell);
    choose_few_cells(todo, wanted - 1, more, others, std::move(d));
  }
  e_.emit(Ir::undo, 0, mark);
  e_.go(loop);
  e_.place(past);
}

void Lowering::play_members(const Todo* todo, Reg wanted, Type type, Reg chosen, Reg list, Draft d) {
  const Node n = node(todo->action);
  const auto add = [&](Reg given) {
    if (type == Type::cells) {
      e_.emit(Ir::set_add, chosen, given);
    } else if (type == Type::sets) {
      const Reg r = e_.new_set();
      e_.emit(Ir::box_get_set, r, list, given);
      e_.emit(Ir::box_add_set, chosen, r);
    } else {
      const Reg r = e_.new_number();
      e_.emit(Ir::box_get, r, list, given);
      e_.emit(Ir::box_add, chosen, r);
    }
  };
  if (const auto known = e_.known_number(wanted); known && mode_ == Mode::play_one) {
    for (std::int32_t k = 0; k < *known; ++k) add(given_choice(Type::number).reg);
  } else {
    const Reg count = e_.new_number();
    const Label loop = e_.label(), past = e_.label();
    e_.emit(Ir::constant, count, 0, 0, 0, 0);
    e_.place(loop);
    e_.emit(Ir::if_not_less, 0, count, wanted, 0, past);
    add(given_choice(Type::number).reg);
    e_.emit(Ir::add, count, count, e_.number_constant(1));
    e_.go(loop);
    e_.place(past);
  }
  bind_local(n.a, type, type == Type::cells ? any_set(chosen) : make_box(chosen), d);
  act(todo->next, std::move(d));
}

} // namespace boardwright::runtime::lowering
