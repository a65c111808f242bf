// Actions that change pieces, the state and the notation.
//
// Without a mailbox every change must be one of sets, so what lies on a cell must be known exactly
// (Contents); where it isn't, the whole program is compiled with a mailbox.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

namespace {

[[nodiscard]] std::optional<int> only(const Contents& c) {
  if (c.count() != 1) return std::nullopt;
  for (int code = 0; code < 256; ++code)
    if (c.test(at(code))) return code;
  return std::nullopt;
}

} // namespace

Contents Lowering::on(const Draft& d, Reg cell) const {
  const auto known = d.there.find(cell);
  return known == d.there.end() ? all_contents() : known->second;
}

// What is known of other cells may be of the same cell under another name.
void Lowering::pieces_changed(Draft& d) {
  e_.changed(kPieces);
  forget_contents(d);
}

// Some cells have a piece of this code now, or none (0): all others are what they were.
void Lowering::pieces_changed_to(int code, Draft& d) {
  e_.changed(kPieces);
  for (auto& [cell, contents] : d.there) contents.set(at(code));
  for (auto& [slot, v] : d.locals) v.contents.set(at(code));
  d.here.contents.set(at(code));
  d.start.contents.set(at(code));
}

// Nor are the cells of a name what they were.
void Lowering::forget_contents(Draft& d) const {
  d.there.clear();
  for (auto& [slot, v] : d.locals) v.contents = all_contents();
  d.here.contents = d.start.contents = all_contents();
}

// One cell gets a piece of a known code, or none; `there`: what may be on it.
void Lowering::fill(Reg cell, const Contents& there, int code, Draft& d) {
  if (layout_.mailbox) {
    e_.emit(Ir::set_piece, 0, cell, 0, 0, code, writes(d) ? 1 : 0);
  } else {
    if (writes(d)) e_.emit(Ir::gone_cell, 0, cell);
    for (int s = 0; s <= layout_.empty; ++s) {
      bool may = false, must = false;
      for (int c = 0; c < pieces_.count(); ++c) {
        const bool in = s == layout_.empty   ? c == 0
                        : c == 0             ? false
                        : s < layout_.owners ? pieces_.owner_index[at(c)] == s
                                             : pieces_.kind[at(c)] == s - layout_.owners;
        if (in && there.test(at(c))) may = true;
        if (in && c == code) must = true;
      }
      const bool surely = must && only(there) && may;
      if (must && !surely) e_.emit(Ir::put_in, s, cell);
      if (!must && may) e_.emit(Ir::take_out, s, cell);
    }
  }
  pieces_changed_to(code, d);
  d.there[cell].reset();
  d.there[cell].set(at(code));
}

// All cells of a set get a piece of a known code.
void Lowering::fill_set(Reg cells, int code) {
  for (int s = 0; s <= layout_.empty; ++s) {
    const bool in = s == layout_.empty   ? code == 0
                    : code == 0          ? false
                    : s < layout_.owners ? pieces_.owner_index[at(code)] == s
                                         : pieces_.kind[at(code)] == s - layout_.owners;
    e_.emit(in ? Ir::join_set : Ir::leave_set, s, cells);
  }
}

// A set of the state that is changed piece by piece can't be what says which cells.
void Lowering::clear_set(Reg cells) { fill_set(cells, 0); }

// ---------------------------------------------------------------- the air

// Where there is a piece to lift nothing may be carried yet, on a board without stacks.
void Lowering::need_empty_hand(const Draft& d) {
  if (d.air.kind == Air::Kind::nothing) return;
  const Label good = e_.label();
  if (d.air.kind == Air::Kind::dynamic) {
    const Reg carried = e_.new_number();
    e_.emit(Ir::carried, carried);
    e_.emit(Ir::if_equal, 0, carried, e_.number_constant(0), 0, good);
  }
  fail("`lift` with a piece in the air already, on a board without stacks");
  e_.place(good);
}

void Lowering::lift(const Todo* todo, Draft d) {
  if (!need_here(d, "lift")) return;
  const NodeId id = todo->action;
  const Node n = node(id);
  const Reg here = d.here.reg;
  const Label past = e_.label();
  const Emitter::Scope scope(e_);
  if (stacks()) {
    if (mode_ == Mode::search && lifts_some(id)) {
      Draft seen = d;
      seen.air = {Air::Kind::dynamic, all_contents()};
      if (const Reg from = could_begin(todo->next, seen, true, true); from != board_)
        e_.emit(Ir::if_out, 0, here, from, 0, past);
    }
    if (may_only_count(todo, d)) return lift_counted(todo, std::move(d), past);
    const Reg many = n.count > 0 ? number(kid(id, 0), d) : e_.number_constant(0);
    e_.emit(Ir::lift_some, 0, here, many, 0, past, n.count > 0 ? 0 : 1);
    e_.changed(kAir);
    pieces_changed(d);
    d.air = {Air::Kind::dynamic, all_contents()};
    act(todo->next, std::move(d));
    return e_.place(past);
  }
  if (n.count > 0) { // of one piece 0 or 1 can be lifted
    const Reg many = number(kid(id, 0), d);
    const auto known = e_.known_number(many);
    const Label none = e_.label();
    if (!known) need_mailbox();
    if (known && (*known < 0 || *known > 1)) return;
    const Todo* next = todo->next;
    if (known && *known == 0) {
      e_.emit(Ir::if_in, 0, here, layout_.empty, 0, past);
      need_empty_hand(d);
      act(next, std::move(d));
      return e_.place(past);
    }
    if (!known) {
      e_.emit(Ir::if_in, 0, here, layout_.empty, 0, past);
      const Label one = e_.label();
      e_.emit(Ir::if_not_equal, 0, many, e_.number_constant(0), 0, one);
      need_empty_hand(d);
      e_.go(none);
      e_.place(one);
      e_.emit(Ir::if_not_equal, 0, many, e_.number_constant(1), 0, past);
      Draft e = d;
      e_.emit(Ir::lift, 0, here, 0, 0, past);
      e_.changed(kAir);
      pieces_changed(e);
      e.air = {Air::Kind::dynamic, all_contents()};
      const Reg mark = e_.new_number(2);
      e_.place(none); // which it was stands in the state
      (void)mark;
      e_.forget_values();
      act(next, std::move(e));
      return e_.place(past);
    }
  }
  Contents there = on(d, here);
  if (layout_.mailbox) {
    e_.emit(Ir::lift, 0, here, 0, 0, past);
    e_.changed(kAir);
    pieces_changed(d);
    there.reset(0);
    d.air = {Air::Kind::dynamic, there};
    d.air.surely = true;
    d.there[here] = Contents(1);
    act(todo->next, std::move(d));
    return e_.place(past);
  }
  if (there.test(0)) {
    e_.emit(Ir::if_in, 0, here, layout_.empty, 0, past);
    there.reset(0);
  }
  need_empty_hand(d);
  if (there.none() || d.air.kind != Air::Kind::nothing) return e_.place(past);
  if (!only(there)) {
    need_mailbox();
    return e_.place(past);
  }
  const bool quiet = std::exchange(d.quiet, true); // what is in the air hasn't left
  fill(here, there, 0, d);
  d.quiet = quiet;
  d.air = {Air::Kind::known, there};
  act(todo->next, std::move(d));
  e_.place(past);
}

void Lowering::put(const Todo* todo, Draft d) {
  if (d.only_counted) return put_counted(todo, std::move(d));
  const NodeId id = todo->action;
  const Node n = node(id);
  if (!stacks() && d.air.kind == Air::Kind::nothing) {
    // Nothing can be laid down; to lay down more than is carried fails.
    if (n.count == 0) return act(todo->next, std::move(d));
    const Label past = e_.label();
    const Emitter::Scope scope(e_);
    const Reg many = number(kid(id, 0), d);
    e_.emit(Ir::if_not_equal, 0, many, e_.number_constant(0), 0, past);
    act(todo->next, std::move(d));
    return e_.place(past);
  }
  const Label past = e_.label(), nothing = e_.label();
  const Emitter::Scope scope(e_);
  Reg many = e_.number_constant(0);
  if (n.count > 0) many = number(kid(id, 0), d);
  if (stacks()) {
    if (n.count > 0 || d.air.kind != Air::Kind::nothing) {
      // To lay down none does nothing, and needs no place.
      Reg laid = many;
      if (n.count == 0) {
        laid = e_.new_number();
        e_.emit(Ir::carried, laid);
      }
      e_.emit(Ir::if_equal, 0, laid, e_.number_constant(0), 0, nothing);
      if (!need_here(d, "put")) {
        e_.place(nothing);
        e_.forget_values();
        act(todo->next, std::move(d));
        return;
      }
      e_.emit(Ir::put_some, 0, d.here.reg, many, 0, past, n.count > 0 ? 0 : 1);
      if (writes(d)) e_.emit(Ir::say_put, 0, d.here.reg);
      if (keys(d)) no_keys(); // it may be nothing
      e_.place(nothing);
    }
    e_.changed(kAir);
    e_.forget_values();
    forget_contents(d);
    d.air.kind = n.count == 0 ? Air::Kind::nothing : Air::Kind::dynamic;
    act(todo->next, std::move(d));
    return e_.place(past);
  }
  if (n.count > 0) {
    const auto known = e_.known_number(many);
    if (known && *known == 0) {
      act(todo->next, std::move(d));
      return e_.place(past);
    }
    if (!known || *known != 1) {
      need_mailbox();
      if (d.air.kind == Air::Kind::known) return e_.place(past);
      // None, or the one that is carried.
      const Reg carried = e_.new_number();
      e_.emit(Ir::if_equal, 0, many, e_.number_constant(0), 0, nothing);
      e_.emit(Ir::carried, carried);
      e_.emit(Ir::if_not_equal, 0, many, carried, 0, past);
    } else if (d.air.kind == Air::Kind::dynamic) {
      const Reg carried = e_.new_number();
      e_.emit(Ir::carried, carried);
      e_.emit(Ir::if_equal, 0, carried, e_.number_constant(0), 0, past);
    }
  }
  const auto only_code = only(d.air.codes);
  const bool is_known = d.air.kind == Air::Kind::known;
  const bool surely = is_known || (d.air.surely && n.count == 0);
  if (!surely && n.count == 0) {
    const Reg carried = e_.new_number();
    e_.emit(Ir::carried, carried);
    e_.emit(Ir::if_equal, 0, carried, e_.number_constant(0), 0, nothing);
  }
  if (!need_here(d, "put")) {
    e_.place(nothing);
    return e_.place(past);
  }
  const Reg here = d.here.reg;
  if (keys(d) && !surely) no_keys(); // it may be nothing
  if (keys(d)) key_put(d);
  if (is_known && only_code) {
    fill(here, on(d, here), *only_code, d);
    if (writes(d)) e_.emit(Ir::say_put, 0, here);
    d.air = {};
  } else {
    e_.emit(Ir::put, 0, here, 0, 0, 0, writes(d) ? 1 : 0);
    if (writes(d)) e_.emit(Ir::say_put, 0, here);
    const Contents codes = d.air.codes;
    pieces_changed(d);
    if (n.count == 0) d.there[here] = codes;
    const bool maybe_left = n.count > 0 && !e_.known_number(many);
    d.air = maybe_left ? Air{Air::Kind::dynamic, codes} : Air{};
  }
  e_.place(nothing);
  if (!is_known) e_.changed(kAir);
  if (!surely) {
    e_.changed(kAir);
    e_.forget_values();
    forget_contents(d);
  }
  act(todo->next, std::move(d));
  e_.place(past);
}

void Lowering::discard(const Todo* todo, Draft d) {
  const NodeId id = todo->action;
  const Node n = node(id);
  const Label past = e_.label(), nothing = e_.label();
  const Emitter::Scope scope(e_);
  Reg many = e_.number_constant(0);
  if (n.count > 0) many = number(kid(id, 0), d);
  if (!stacks() && d.air.kind == Air::Kind::nothing) {
    if (n.count > 0) e_.emit(Ir::if_not_equal, 0, many, e_.number_constant(0), 0, past);
    act(todo->next, std::move(d));
    return e_.place(past);
  }
  if (!stacks() && d.air.kind == Air::Kind::known) {
    const auto known = e_.known_number(many);
    if (n.count > 0 && !known) {
      need_mailbox();
      return;
    }
    if (n.count > 0 && (*known < 0 || *known > 1)) return;
    if (n.count == 0 || *known == 1) {
      if (!need_here(d, "discard")) return;
      if (writes(d) && pieces_.owner_of(static_cast<std::uint8_t>(*only(d.air.codes))) != player_)
        e_.emit(Ir::gone_cell_of_air, 0, d.here.reg);
      d.air = {};
    }
    act(todo->next, std::move(d));
    return e_.place(past);
  }
  Reg thrown = many;
  if (n.count == 0) {
    thrown = e_.new_number();
    e_.emit(Ir::carried, thrown);
  }
  e_.emit(Ir::if_equal, 0, thrown, e_.number_constant(0), 0, nothing);
  if (need_here(d, "discard")) {
    const Reg carried = e_.new_number();
    e_.emit(Ir::carried, carried);
    e_.emit(Ir::if_less, 0, carried, thrown, 0, past);
    e_.emit(Ir::if_less, 0, thrown, e_.number_constant(0), 0, past);
    if (writes(d)) e_.emit(Ir::gone_air, 0, d.here.reg, many, 0, 0, n.count > 0 ? 0 : 1);
    if (stacks())
      e_.emit(Ir::discard, 0, 0, many, 0, past, n.count > 0 ? 0 : 1);
    else
      e_.emit(Ir::write, layout_.air, e_.number_constant(0));
  }
  e_.place(nothing);
  e_.changed(kAir);
  e_.forget_values();
  forget_contents(d);
  if (n.count == 0) d.air = {};
  act(todo->next, std::move(d));
  e_.place(past);
}

// ---------------------------------------------------------------- pieces on the board

void Lowering::handle(const Todo* todo, Draft d) {
  const NodeId id = todo->action;
  switch (as<PiecesOp>(node(id).op)) {
  case PiecesOp::lift: return lift(todo, std::move(d));
  case PiecesOp::put: return put(todo, std::move(d));
  case PiecesOp::discard: return discard(todo, std::move(d));
  case PiecesOp::drop: return drop(todo, std::move(d));
  case PiecesOp::change:
    if (d.only_counted) return act(todo->next, std::move(d)); // nothing that is searched sees it
    return change_top(todo, std::move(d));
  case PiecesOp::move_by: return move_by(todo, std::move(d));
  case PiecesOp::remove: remove(id, d); return act(todo->next, std::move(d));
  }
}

// ---------------------------------------------------------------- the position

void Lowering::change_position(const Todo* todo, Draft d) {
  const NodeId id = todo->action;
  switch (as<PositionOp>(node(id).op)) {
  case PositionOp::set_hand: return set_hand(todo, std::move(d));
  case PositionOp::win:
  case PositionOp::lose:
  case PositionOp::draw: return decide(todo, std::move(d));
  case PositionOp::set_local: set_local(id, d); break;
  case PositionOp::set_variable: set_variable(id, d); break;
  case PositionOp::pass:
    if (writes(d)) e_.emit(Ir::say_text, 0, 0, 0, 0, pass_text_);
    if (keys(d)) key_pass(d);
    break;
  case PositionOp::again: e_.emit(Ir::again); break;
  case PositionOp::say: say(id, d); break;
  }
  act(todo->next, std::move(d));
}

void Lowering::remove(NodeId id, Draft& d) {
  const Val v = value(kid(id, 0), d);
  if (v.is(Kind::none)) return;
  if (v.is(Kind::cell) && !stacks()) {
    const Label past = e_.label();
    const bool open = maybe_none_.count(v.reg) != 0 || !(d.here.is(Kind::cell) && d.here.reg == v.reg);
    if (open) e_.emit(Ir::if_less, 0, v.reg, e_.number_constant(0), 0, past);
    Draft e = d;
    fill(v.reg, on(d, v.reg), 0, e);
    e_.place(past);
    pieces_changed_to(0, d);
    if (!open) d.there[v.reg] = Contents(1);
    return;
  }
  Reg gone = set_of(v);
  if (gone == none_) return;
  if (layout_.mailbox) {
    e_.emit(Ir::remove, 0, gone, 0, 0, 0, writes(d) ? 1 : 0);
  } else {
    if (gone < layout_.draft_sets) { // it changes itself
      const Reg kept = e_.new_set();
      e_.emit(Ir::set_copy, kept, gone);
      gone = kept;
    }
    if (writes(d)) e_.emit(Ir::gone_cells, 0, gone);
    clear_set(gone);
  }
  pieces_changed_to(0, d);
}

void Lowering::drop(const Todo* todo, Draft d) {
  const NodeId id = todo->action;
  const Node n = node(id);
  const Emitter::Scope scope(e_);
  const Label past = e_.label();
  const Val on_cells = value(kid(id, 0), d);
  const Reg kind = number(kid(id, 1), d);
  const Reg many = n.count > 2 ? number(kid(id, 2), d) : e_.number_constant(1);
  const auto known_kind = e_.known_number(kind), known_many = e_.known_number(many);
  int code = 0, owner = n.a;
  bool simple = known_kind && *known_kind >= 0 && known_many && *known_many == 1 && !stacks();
  if (simple) {
    if (owner == kNatural)
      owner = pieces_.code_of(kNeutral, *known_kind) != 0 && pieces_.code_of(n.b, *known_kind) == 0 ? kNeutral
                                                                                                    : n.b;
    code = pieces_.code_of(owner, *known_kind);
    simple = code != 0;
  }
  const auto table = static_cast<std::int32_t>(code_.drops.size());
  code_.drops.push_back({n.a, n.b});
  Reg said = 0;
  if (keys(d)) no_keys(); // its letter isn't in keys
  if (writes(d)) {        // the cells that are named are those before the change
    said = e_.new_set();
    e_.emit(Ir::set_copy, said, set_of(on_cells));
  }
  if (!simple) need_mailbox();
  if (simple && !layout_.mailbox) {
    const int slot = program_.hand_slot[at(owner < 0 ? n.b : owner)][at(*known_kind)];
    if (slot >= 0) {
      const Reg hand = static_cast<Reg>(layout_.hands + slot);
      const Reg wanted = e_.number_value(Ir::count, set_of(on_cells));
      e_.emit(Ir::if_less, 0, hand, wanted, 0, past);
      const Reg left = e_.new_number();
      e_.emit(Ir::subtract, left, hand, wanted);
      e_.emit(Ir::write, hand, left);
      e_.changed(kHands);
    }
    if (on_cells.is(Kind::cell) && d.here.is(Kind::cell) && d.here.reg == on_cells.reg) {
      fill(on_cells.reg, on(d, on_cells.reg), code, d);
    } else {
      Reg cells = set_of(on_cells);
      if (cells < layout_.draft_sets) {
        const Reg kept = e_.new_set();
        e_.emit(Ir::set_copy, kept, cells);
        cells = kept;
      }
      if (writes(d)) e_.emit(Ir::gone_cells, 0, cells);
      fill_set(cells, code);
      pieces_changed_to(code, d);
    }
  } else {
    e_.emit(Ir::drop, 0, set_of(on_cells), kind, many, table, writes(d) ? 1 : 0);
    e_.go(past);
    e_.changed(kHands);
    pieces_changed(d);
  }
  if (writes(d)) e_.emit(Ir::say_drop, 0, said, kind, 0, table);
  act(todo->next, std::move(d));
  e_.place(past);
}

void Lowering::change_top(const Todo* todo, Draft d) {
  const NodeId id = todo->action;
  const Node n = node(id);
  const Emitter::Scope scope(e_);
  const Label past = e_.label();
  const Val of = value(kid(id, 0), d);
  const bool to_kind = n.count > 1;
  const Reg kind = to_kind ? number(kid(id, 1), d) : e_.number_constant(0);
  const auto known = e_.known_number(kind);
  if (of.is(Kind::none) || (of.is(Kind::set) && of.reg == none_)) {
    const Label good = e_.label();
    if (to_kind) {
      e_.emit(Ir::if_not_less, 0, kind, e_.number_constant(0), 0, good);
      fail(kNoKindToChangeTo);
    }
    e_.place(good);
    return act(todo->next, std::move(d));
  }
  if (keys(d) && n.b == 1 && to_kind) no_keys(); // nor is this one
  if (writes(d) && n.b == 1 && to_kind) {
    const Label none = e_.label();
    e_.emit(Ir::if_less, 0, kind, e_.number_constant(0), 0, none);
    const Reg here = cell_of(of);
    e_.emit(Ir::if_less, 0, here, e_.number_constant(0), 0, none);
    e_.emit(Ir::say_change, 0, here, kind);
    e_.place(none);
  }
  if (!layout_.mailbox) {
    // Every piece that may be there must become one that there is.
    bool good = !to_kind || (known && *known >= 0);
    const Contents may = of.is(Kind::cell) ? on(d, of.reg) : of.contents;
    for (int c = 1; good && c < pieces_.count(); ++c)
      if (may.test(at(c)))
        good = pieces_.code_of(n.a == kKeepOwner ? pieces_.owner_of(static_cast<std::uint8_t>(c)) : n.a,
                               to_kind ? *known : pieces_.kind[at(c)]) != 0;
    if (!good) {
      need_mailbox();
      return;
    }
    const Reg all = minus(set_of(of), layout_.empty);
    Reg kept = e_.new_set();
    e_.emit(Ir::set_copy, kept, all);
    if (n.a != kKeepOwner) {
      const int index = n.a < 0 ? players() : n.a;
      for (int s = 0; s < layout_.owners; ++s) e_.emit(s == index ? Ir::join_set : Ir::leave_set, s, kept);
    }
    if (to_kind)
      for (int k = 0; k < layout_.kinds; ++k)
        e_.emit(k == *known ? Ir::join_set : Ir::leave_set, layout_.owners + k, kept);
  } else {
    const auto table = static_cast<std::int32_t>(code_.drops.size());
    code_.drops.push_back({n.a, to_kind ? 0 : 1});
    e_.emit(Ir::change, 0, set_of(of), kind, 0, table);
    e_.go(past);
  }
  pieces_changed(d);
  act(todo->next, std::move(d));
  e_.place(past);
}

void Lowering::move_by(const Todo* todo, Draft d) {
  need_mailbox();
  if (ask_as_if_moved(todo, d)) return;
  const NodeId id = todo->action;
  const Emitter::Scope scope(e_);
  const Label past = e_.label();
  const Reg moved = set(kid(id, 0), d), map = box(kid(id, 1), d);
  e_.emit(Ir::move_by, 0, moved, map, 0, past, writes(d) ? 1 : 0);
  pieces_changed(d);
  act(todo->next, std::move(d));
  e_.place(past);
}

// ---------------------------------------------------------------- names and the state

void Lowering::bind_local(std::int32_t slot, Type type, const Val& v, Draft& d) {
  const auto changed = changed_.find(slot);
  if (changed == changed_.end()) {
    d.locals[slot] = v;
    return;
  }
  (void)type;
  const Reg to = changed->second.reg;
  switch (changed->second.kind) {
  case Kind::set: e_.emit(Ir::write_set, to, set_of(v)); break;
  case Kind::ways: e_.emit(Ir::write_set, to, ways_of(v)); break;
  case Kind::number: e_.emit(Ir::write, to, v.is(Kind::none) ? e_.number_constant(-1) : v.reg); break;
  default: e_.emit(Ir::write_box, to, box_of(v)); break;
  }
  e_.changed(part_of_variable(at(slot) + program_.variables.size()));
}

void Lowering::let(NodeId id, Draft& d) {
  const Node n = node(id);
  const Val v = bound(kid(id, 0), d);
  bind_local(n.a, node(kid(id, 0)).type, v, d);
}

// A name of one of two constant sets of directions: the search goes on with each of them by itself.
bool Lowering::let_either(const Todo* todo, const Draft& d) {
  if (!is_on(Form::let_either)) return false;
  constexpr std::size_t kWorthCopying = 600; // nodes of what comes after
  const NodeId id = todo->action;
  const Node n = node(id);
  const Node& value = node(kid(id, 0));
  if (mode_ != Mode::search || text_ || value.op != Op::if_value || value.type != Type::directions)
    return false;
  if (is_changed(n.a) || sizes_.weight(todo->next) > kWorthCopying) return false;
  const auto first = constant_steps(program_.kid(value, 1), d),
             second = constant_steps(program_.kid(value, 2), d);
  if (!first || !second) return false;
  const Label other = e_.label(), past = e_.label();
  const NodeId condition = program_.kid(value, 0);
  {
    const Emitter::Scope scope(e_);
    Draft e = d;
    jump(condition, false, other, e);
    bind_local(n.a, Type::directions, make_steps(*first), e);
    act(todo->next, std::move(e));
    e_.go(past);
  }
  e_.place(other);
  {
    const Emitter::Scope scope(e_);
    Draft e = d;
    bind_local(n.a, Type::directions, make_steps(*second), e);
    act(todo->next, std::move(e));
  }
  e_.place(past);
  return true;
}

void Lowering::set_local(NodeId id, Draft& d) {
  const Node n = node(id);
  bind_local(n.a, node(kid(id, 0)).type, bound(kid(id, 0), d), d);
}

void Lowering::set_variable(NodeId id, Draft& d) {
  const Node n = node(id);
  if (program_.variables[at(n.a)].type == Type::cells)
    e_.emit(Ir::write_set, layout_.set_of_variable[at(n.a)], set(kid(id, 0), d));
  else
    e_.emit(Ir::write, n.a, number(kid(id, 0), d));
  e_.changed(part_of_variable(at(n.a)));
}

void Lowering::set_hand(const Todo* todo, Draft d) {
  const NodeId id = todo->action;
  const Emitter::Scope scope(e_);
  const Reg kind = number(kid(id, 0), d), many = number(kid(id, 1), d);
  e_.emit(Ir::write_hand, 0, kind, many, node(id).a);
  e_.changed(kHands);
  act(todo->next, std::move(d));
}

// ---------------------------------------------------------------- decisions

std::int32_t Lowering::verdict(std::uint32_t winners, std::uint32_t origin, Outcome::By by, int player) {
  code_.verdicts.push_back({winners, origin, player, by});
  return static_cast<std::int32_t>(code_.verdicts.size()) - 1;
}

// A draft that is decided goes through the rest of the turn unchanged.
void Lowering::decide(const Todo* todo, Draft d) {
  const Node n = node(todo->action);
  const std::uint32_t all = std::uint32_t{1} << n.a;
  if (n.op == Op::win || n.op == Op::draw) {
    e_.emit(Ir::decide, 0, 0, 0, 0, verdict(n.op == Op::win ? all : 0, n.origin, Outcome::By::move));
    d.decided = true;
    return act(todo->next, std::move(d));
  }
  const bool two = players() <= 2;
  e_.emit(Ir::lose, 0, 0, 0, 0, verdict(0, n.origin, two ? Outcome::By::move : Outcome::By::last_left, n.a));
  e_.changed(kOut);
  e_.forget_values();
  if (two || n.a == player_) {
    d.decided = true;
    return act(todo->next, std::move(d));
  }
  // Another player is out: that decides only if he was the last but one.
  act_if_undecided(todo->next, d);
}

// Has the game been decided, or the mover put out, by what has been carried out so far?
void Lowering::jump_if_decided(Label to) {
  e_.emit(Ir::if_not_equal, 0, layout_.decision, e_.number_constant(0), 0, to);
  if (players() > 2) jump_if_out(player_, to);
}

// What comes after something that may have decided the game: which of both is a choice of the move.
void Lowering::act_if_undecided(const Todo* todo, const Draft& d) {
  const auto follow = [&](bool decided, Draft e) {
    e.decided = decided;
    act(todo, std::move(e));
  };
  if (plays(d)) return ways({0, 1}, d, [&](std::size_t way, Draft e) { follow(way == 1, std::move(e)); });
  const Label decided = e_.label(), past = e_.label();
  jump_if_decided(decided);
  {
    const Emitter::Scope scope(e_);
    Draft e = d;
    record(e, std::int32_t{0});
    follow(false, std::move(e));
    e_.go(past);
  }
  e_.place(decided);
  {
    const Emitter::Scope scope(e_);
    Draft e = d;
    record(e, std::int32_t{1});
    follow(true, std::move(e));
  }
  e_.place(past);
}

// ---------------------------------------------------------------- notation

void Lowering::say(NodeId id, Draft& d) {
  const Node n = node(id);
  if (keys(d)) return key_say(id, d);
  if (writes(d)) e_.emit(Ir::say_gone);
  for (std::uint32_t i = 0; i < n.count; ++i) {
    const NodeId part = kid(id, i);
    const Node of = node(part);
    if (of.op == Op::text) {
      if (writes(d)) e_.emit(Ir::say_text, 0, 0, 0, 0, of.a);
      continue;
    }
    if (!writes(d) && harmless(part)) continue;
    const Val v = value(part, d);
    if (!writes(d)) continue;
    switch (of.type) {
    case Type::number: e_.emit(Ir::say_number, 0, v.reg); break;
    case Type::truth: e_.emit(Ir::say_truth, 0, v.reg); break;
    case Type::cells: e_.emit(Ir::say_set, 0, set_of(v)); break;
    case Type::kind: e_.emit(Ir::say_kind, 0, v.reg); break;
    default: e_.emit(Ir::say_player, 0, v.reg); break;
    }
  }
}

// What is still in the air makes no move.
void Lowering::unless_carried(const Draft& d, const std::function<void()>& code) {
  if (!stacks() && d.air.kind == Air::Kind::known) return;
  const Label past = e_.label();
  if (d.air.kind == Air::Kind::dynamic && !plays(d))
    e_.emit(Ir::if_not_equal, 0, layout_.air, e_.number_constant(0), 0, past);
  code();
  e_.place(past);
}

// The end of a turn.
void Lowering::finish(const Draft& d) {
  if (stopped()) return;
  unless_carried(d, [&] {
    if (text_ || (d.compared && !keyed_)) e_.emit(Ir::say_gone);
    if (mode_ == Mode::search)
      leaf(nullptr, d);
    else
      e_.emit(Ir::end_turn, 0, 0, 0, 0, player_);
  });
}

} // namespace boardwright::runtime::lowering
