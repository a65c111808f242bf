// Actions that change pieces, the state and the notation.
//
// Without a mailbox every change must be one of sets, so what lies on a cell must be known exactly
// (Contents); where it isn't, the whole program is compiled with a mailbox.
#include "runtime/lowering/actions/changes.hpp"
#include "runtime/lowering/actions/actions.hpp"
#include "runtime/lowering/actions/carried.hpp"
#include "runtime/lowering/actions/choices.hpp"
#include "runtime/lowering/actions/keys.hpp"
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/idioms/images.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/lowering/values/truths.hpp"
#include "runtime/lowering/values/values.hpp"
#include "runtime/model/drops.hpp"
#include "runtime/model/idioms.hpp"

#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

void remove(Context& cx, NodeId id, AbstractDraft& d);
void drop(Context& cx, const Todo* todo, AbstractDraft d);
void change_top(Context& cx, const Todo* todo, AbstractDraft d);
void move_by(Context& cx, const Todo* todo, AbstractDraft d);
void set_local(Context& cx, NodeId id, AbstractDraft& d);
bool is_left_to_play(const Context& cx, const Todo* todo, const AbstractDraft& d);
void set_variable(Context& cx, NodeId id, AbstractDraft& d);
void set_hand(Context& cx, const Todo* todo, AbstractDraft d);
void decide(Context& cx, const Todo* todo, AbstractDraft d);

[[nodiscard]] std::optional<int> only(const Contents& c) {
  if (c.count() != 1) return std::nullopt;
  for (int code = 0; code < 256; ++code)
    if (c.test(at(code))) return code;
  return std::nullopt;
}

// What is known of other cells may be of the same cell under another name.
void pieces_changed(Context& cx, AbstractDraft& d) {
  cx.e.changed(kPieces);
  forget_contents(cx, d);
}

// Some cells have a piece of this code now, or none (0): all others are what they were.
void pieces_changed_to(Context& cx, int code, AbstractDraft& d) {
  cx.e.changed(kPieces);
  for (auto& [cell, contents] : d.there) contents.set(at(code));
  for (auto& [slot, v] : d.locals) v.contents.set(at(code));
  d.here.contents.set(at(code));
  d.start.contents.set(at(code));
}

// Has a set of the state the cells where such a piece is, or none?
bool is_in(const Context& cx, int set, int code) {
  if (set == cx.layout.empty || code == 0) return set == cx.layout.empty && code == 0;
  return set < cx.layout.owners ? cx.facts.pieces().owner_index[at(code)] == set
                                : cx.facts.pieces().kind[at(code)] == set - cx.layout.owners;
}

// One cell gets a piece of a known code, or none; `there`: what may be on it.
void fill(Context& cx, Reg cell, const Contents& there, int code, AbstractDraft& d) {
  if (cx.layout.mailbox) {
    cx.e.emit(Ir::set_piece, 0, cell, 0, 0, code, cx.writes(d) ? 1 : 0);
  } else {
    if (cx.writes(d)) cx.e.emit(Ir::gone_cell, 0, cell);
    for (int s = 0; s <= cx.layout.empty; ++s) {
      bool may = false, must = false;
      for (int c = 0; c < cx.facts.pieces().count(); ++c) {
        const bool in = is_in(cx, s, c);
        if (in && there.test(at(c))) may = true;
        if (in && c == code) must = true;
      }
      const bool surely = must && only(there) && may;
      if (must && !surely) cx.e.emit(Ir::put_in, s, cell);
      if (!must && may) cx.e.emit(Ir::take_out, s, cell);
    }
  }
  pieces_changed_to(cx, code, d);
  d.there[cell].reset();
  d.there[cell].set(at(code));
}

// All cells of a set get a piece of a known code.
void fill_set(Context& cx, Reg cells, int code) {
  for (int s = 0; s <= cx.layout.empty; ++s) {
    cx.e.emit(is_in(cx, s, code) ? Ir::join_set : Ir::leave_set, s, cells);
  }
}

// A set of the state that is changed piece by piece can't be what says which cells.
void clear_set(Context& cx, Reg cells) { fill_set(cx, cells, 0); }

// ---------------------------------------------------------------- the air

// Where there is a piece to lift nothing may be carried yet, on a board without stacks.
void need_empty_hand(Context& cx, const AbstractDraft& d) {
  if (d.carried.kind == Carried::Kind::nothing) return;
  const Label good = cx.e.label();
  if (d.carried.kind == Carried::Kind::dynamic) {
    const Reg carried = cx.e.new_number();
    cx.e.emit(Ir::carried, carried);
    cx.e.emit(Ir::if_equal, 0, carried, cx.e.number_constant(0), 0, good);
  }
  cx.fail("`lift` with a piece in the air already, on a board without stacks");
  cx.e.place(good);
}

void lift_from_stack(Context& cx, const Todo* todo, AbstractDraft d, Label past) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  const Reg here = d.here.reg;
  if (cx.mode == Mode::search && cx.facts.lifts_some(id)) {
    AbstractDraft seen = d;
    seen.carried = {Carried::Kind::dynamic, cx.facts.all_contents()};
    if (const Reg from = could_begin(cx, todo->next, seen, true, true); from != cx.all_cells)
      cx.e.emit(Ir::if_out, 0, here, from, 0, past);
  }
  if (may_only_count(cx, todo, d)) return lift_counted(cx, todo, std::move(d), past);
  const Reg many = n.count > 0 ? number(cx, cx.kid(id, 0), d) : cx.e.number_constant(0);
  cx.e.emit(Ir::lift_some, 0, here, many, 0, past, n.count > 0 ? 0 : 1);
  cx.e.changed(kAir);
  pieces_changed(cx, d);
  d.carried = {Carried::Kind::dynamic, cx.facts.all_contents()};
  act(cx, todo->next, std::move(d));
  cx.e.place(past);
}

// How many is known only in play.
void lift_none_or_one(Context& cx, const Todo* todo, const AbstractDraft& d, Reg many, Label past) {
  const Reg here = d.here.reg;
  const Label none = cx.e.label();
  cx.e.emit(Ir::if_in, 0, here, cx.layout.empty, 0, past);
  const Label one = cx.e.label();
  cx.e.emit(Ir::if_not_equal, 0, many, cx.e.number_constant(0), 0, one);
  need_empty_hand(cx, d);
  cx.e.go(none);
  cx.e.place(one);
  cx.e.emit(Ir::if_not_equal, 0, many, cx.e.number_constant(1), 0, past);
  AbstractDraft e = d;
  cx.e.emit(Ir::lift, 0, here, 0, 0, past);
  cx.e.changed(kAir);
  pieces_changed(cx, e);
  e.carried = {Carried::Kind::dynamic, cx.facts.all_contents()};
  cx.e.place(none); // which it was stands in the state
  cx.e.forget_values();
  act(cx, todo->next, std::move(e));
  cx.e.place(past);
}

void lift(Context& cx, const Todo* todo, AbstractDraft d) {
  if (!need_here(cx, d, "lift")) return;
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  const Reg here = d.here.reg;
  const Label past = cx.e.label();
  const Emitter::Scope scope(cx.e);
  if (cx.stacks()) return lift_from_stack(cx, todo, std::move(d), past);
  if (n.count > 0) { // of one piece 0 or 1 can be lifted
    const Reg many = number(cx, cx.kid(id, 0), d);
    const auto known = cx.e.known_number(many);
    if (!known) cx.need_mailbox();
    if (known && (*known < 0 || *known > 1)) return;
    if (known && *known == 0) {
      cx.e.emit(Ir::if_in, 0, here, cx.layout.empty, 0, past);
      need_empty_hand(cx, d);
      act(cx, todo->next, std::move(d));
      return cx.e.place(past);
    }
    if (!known) return lift_none_or_one(cx, todo, d, many, past);
  }
  Contents there = on(cx, d, here);
  if (cx.layout.mailbox) {
    cx.e.emit(Ir::lift, 0, here, 0, 0, past);
    cx.e.changed(kAir);
    pieces_changed(cx, d);
    there.reset(0);
    d.carried = {Carried::Kind::dynamic, there};
    d.carried.surely = true;
    d.there[here] = Contents(1);
    act(cx, todo->next, std::move(d));
    return cx.e.place(past);
  }
  if (there.test(0)) {
    cx.e.emit(Ir::if_in, 0, here, cx.layout.empty, 0, past);
    there.reset(0);
  }
  need_empty_hand(cx, d);
  if (there.none() || d.carried.kind != Carried::Kind::nothing) return cx.e.place(past);
  if (!only(there)) {
    cx.need_mailbox();
    return cx.e.place(past);
  }
  const bool quiet = std::exchange(d.quiet, true); // what is carried hasn't left
  fill(cx, here, there, 0, d);
  d.quiet = quiet;
  d.carried = {Carried::Kind::known, there};
  act(cx, todo->next, std::move(d));
  cx.e.place(past);
}

void put_on_stack(Context& cx, const Todo* todo, AbstractDraft d, Reg many, Label past, Label nothing) {
  const Node n = cx.node(todo->action);
  if (n.count > 0 || d.carried.kind != Carried::Kind::nothing) {
    // To lay down none does nothing, and needs no place.
    Reg laid = many;
    if (n.count == 0) {
      laid = cx.e.new_number();
      cx.e.emit(Ir::carried, laid);
    }
    cx.e.emit(Ir::if_equal, 0, laid, cx.e.number_constant(0), 0, nothing);
    if (!need_here(cx, d, "put")) {
      cx.e.place(nothing);
      cx.e.forget_values();
      return act(cx, todo->next, std::move(d));
    }
    cx.e.emit(Ir::put_some, 0, d.here.reg, many, 0, past, n.count > 0 ? 0 : 1);
    if (cx.writes(d)) cx.e.emit(Ir::say_put, 0, d.here.reg, 0, 0, 0, cx.said(d));
    if (keys(cx, d)) no_keys(cx); // it may be nothing
    cx.e.place(nothing);
  }
  cx.e.changed(kAir);
  cx.e.forget_values();
  forget_contents(cx, d);
  d.carried.kind = n.count == 0 ? Carried::Kind::nothing : Carried::Kind::dynamic;
  act(cx, todo->next, std::move(d));
  cx.e.place(past);
}

// So many are carried, or none are laid down. False: that can't be known here.
bool ask_number_to_put(Context& cx, Reg many, const AbstractDraft& d, Label past, Label nothing) {
  const auto known = cx.e.known_number(many);
  if (!known || *known != 1) {
    cx.need_mailbox();
    if (d.carried.kind == Carried::Kind::known) return false;
    // None, or the one that is carried.
    const Reg carried = cx.e.new_number();
    cx.e.emit(Ir::if_equal, 0, many, cx.e.number_constant(0), 0, nothing);
    cx.e.emit(Ir::carried, carried);
    cx.e.emit(Ir::if_not_equal, 0, many, carried, 0, past);
  } else if (d.carried.kind == Carried::Kind::dynamic) {
    const Reg carried = cx.e.new_number();
    cx.e.emit(Ir::carried, carried);
    cx.e.emit(Ir::if_equal, 0, carried, cx.e.number_constant(0), 0, past);
  }
  return true;
}

// What is carried lies where the walker is: all of it, or so many.
void lay_down(Context& cx, std::optional<Reg> many, AbstractDraft& d) {
  const Reg here = d.here.reg;
  const auto only_code = only(d.carried.codes);
  if (d.carried.kind == Carried::Kind::known && only_code) {
    fill(cx, here, on(cx, d, here), *only_code, d);
    if (cx.writes(d)) cx.e.emit(Ir::say_put, 0, here, 0, 0, 0, cx.said(d));
    d.carried = {};
  } else {
    cx.e.emit(Ir::put, 0, here, 0, 0, 0, cx.writes(d) ? 1 : 0);
    if (cx.writes(d)) cx.e.emit(Ir::say_put, 0, here, 0, 0, 0, cx.said(d));
    const Contents codes = d.carried.codes;
    pieces_changed(cx, d);
    if (!many) d.there[here] = codes;
    const bool maybe_left = many && !cx.e.known_number(*many);
    d.carried = maybe_left ? Carried{Carried::Kind::dynamic, codes} : Carried{};
  }
}

void put(Context& cx, const Todo* todo, AbstractDraft d) {
  if (d.only_counted) return put_counted(cx, todo, std::move(d));
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  if (!cx.stacks() && d.carried.kind == Carried::Kind::nothing) {
    // Nothing can be laid down; to lay down more than is carried fails.
    if (n.count == 0) return act(cx, todo->next, std::move(d));
    const Label past = cx.e.label();
    const Emitter::Scope scope(cx.e);
    const Reg many = number(cx, cx.kid(id, 0), d);
    cx.e.emit(Ir::if_not_equal, 0, many, cx.e.number_constant(0), 0, past);
    act(cx, todo->next, std::move(d));
    return cx.e.place(past);
  }
  const Label past = cx.e.label(), nothing = cx.e.label();
  const Emitter::Scope scope(cx.e);
  Reg many = cx.e.number_constant(0);
  if (n.count > 0) many = number(cx, cx.kid(id, 0), d);
  if (cx.stacks()) return put_on_stack(cx, todo, std::move(d), many, past, nothing);
  if (n.count > 0) {
    const auto known = cx.e.known_number(many);
    if (known && *known == 0) {
      act(cx, todo->next, std::move(d));
      return cx.e.place(past);
    }
    if (!ask_number_to_put(cx, many, d, past, nothing)) return cx.e.place(past);
  }
  const bool is_known = d.carried.kind == Carried::Kind::known;
  const bool surely = is_known || (d.carried.surely && n.count == 0);
  if (!surely && n.count == 0) {
    const Reg carried = cx.e.new_number();
    cx.e.emit(Ir::carried, carried);
    cx.e.emit(Ir::if_equal, 0, carried, cx.e.number_constant(0), 0, nothing);
  }
  if (!need_here(cx, d, "put")) {
    cx.e.place(nothing);
    return cx.e.place(past);
  }
  if (keys(cx, d) && !surely) no_keys(cx); // it may be nothing
  if (keys(cx, d)) key_put(cx, d);
  lay_down(cx, n.count > 0 ? std::optional(many) : std::nullopt, d);
  cx.e.place(nothing);
  if (!is_known) cx.e.changed(kAir);
  if (!surely) {
    cx.e.changed(kAir);
    cx.e.forget_values();
    forget_contents(cx, d);
  }
  act(cx, todo->next, std::move(d));
  cx.e.place(past);
}

void discard(Context& cx, const Todo* todo, AbstractDraft d) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  const Label past = cx.e.label(), nothing = cx.e.label();
  const Emitter::Scope scope(cx.e);
  Reg many = cx.e.number_constant(0);
  if (n.count > 0) many = number(cx, cx.kid(id, 0), d);
  if (!cx.stacks() && d.carried.kind == Carried::Kind::nothing) {
    if (n.count > 0) cx.e.emit(Ir::if_not_equal, 0, many, cx.e.number_constant(0), 0, past);
    act(cx, todo->next, std::move(d));
    return cx.e.place(past);
  }
  if (!cx.stacks() && d.carried.kind == Carried::Kind::known) {
    const auto known = cx.e.known_number(many);
    if (n.count > 0 && !known) {
      cx.need_mailbox();
      return;
    }
    if (n.count > 0 && (*known < 0 || *known > 1)) return;
    if (n.count == 0 || *known == 1) {
      if (!need_here(cx, d, "discard")) return;
      if (cx.writes(d) &&
          cx.facts.pieces().owner_of(static_cast<std::uint8_t>(*only(d.carried.codes))) != cx.turn.player)
        cx.e.emit(Ir::gone_cell_of_carried, 0, d.here.reg);
      d.carried = {};
    }
    act(cx, todo->next, std::move(d));
    return cx.e.place(past);
  }
  Reg thrown = many;
  if (n.count == 0) {
    thrown = cx.e.new_number();
    cx.e.emit(Ir::carried, thrown);
  }
  cx.e.emit(Ir::if_equal, 0, thrown, cx.e.number_constant(0), 0, nothing);
  if (need_here(cx, d, "discard")) {
    const Reg carried = cx.e.new_number();
    cx.e.emit(Ir::carried, carried);
    cx.e.emit(Ir::if_less, 0, carried, thrown, 0, past);
    cx.e.emit(Ir::if_less, 0, thrown, cx.e.number_constant(0), 0, past);
    if (cx.writes(d)) cx.e.emit(Ir::gone_carried, 0, d.here.reg, many, 0, 0, n.count > 0 ? 0 : 1);
    if (cx.stacks())
      cx.e.emit(Ir::discard, 0, 0, many, 0, past, n.count > 0 ? 0 : 1);
    else
      cx.e.emit(Ir::write, cx.layout.carried, cx.e.number_constant(0));
  }
  cx.e.place(nothing);
  cx.e.changed(kAir);
  cx.e.forget_values();
  forget_contents(cx, d);
  if (n.count == 0) d.carried = {};
  act(cx, todo->next, std::move(d));
  cx.e.place(past);
}

} // namespace

// ---------------------------------------------------------------- pieces on the board

void handle(Context& cx, const Todo* todo, AbstractDraft d) {
  const NodeId id = todo->action;
  switch (as<PiecesOp>(cx.node(id).op)) {
  case PiecesOp::lift: return lift(cx, todo, std::move(d));
  case PiecesOp::put: return put(cx, todo, std::move(d));
  case PiecesOp::discard: return discard(cx, todo, std::move(d));
  case PiecesOp::drop: return drop(cx, todo, std::move(d));
  case PiecesOp::change:
    if (d.only_counted) return act(cx, todo->next, std::move(d)); // nothing that is searched sees it
    return change_top(cx, todo, std::move(d));
  case PiecesOp::move_by: return move_by(cx, todo, std::move(d));
  case PiecesOp::remove: remove(cx, id, d); return act(cx, todo->next, std::move(d));
  }
}

// ---------------------------------------------------------------- the position

namespace {

void remove(Context& cx, NodeId id, AbstractDraft& d) {
  const AbstractValue v = value(cx, cx.kid(id, 0), d);
  if (v.is(Kind::none)) return;
  if (v.is(Kind::cell) && !cx.stacks()) {
    const Label past = cx.e.label();
    const bool open = cx.maybe_none.count(v.reg) != 0 || !(d.here.is(Kind::cell) && d.here.reg == v.reg);
    if (open) cx.e.emit(Ir::if_less, 0, v.reg, cx.e.number_constant(0), 0, past);
    AbstractDraft e = d;
    fill(cx, v.reg, on(cx, d, v.reg), 0, e);
    cx.e.place(past);
    pieces_changed_to(cx, 0, d);
    if (!open) d.there[v.reg] = Contents(1);
    return;
  }
  Reg gone = set_of(cx, v);
  if (gone == cx.no_cells) return;
  if (cx.layout.mailbox) {
    cx.e.emit(Ir::remove, 0, gone, 0, 0, 0, cx.writes(d) ? 1 : 0);
  } else {
    if (gone < cx.layout.draft_sets) { // it changes itself
      const Reg kept = cx.e.new_set();
      cx.e.emit(Ir::set_copy, kept, gone);
      gone = kept;
    }
    if (cx.writes(d)) cx.e.emit(Ir::gone_cells, 0, gone);
    clear_set(cx, gone);
  }
  pieces_changed_to(cx, 0, d);
}

// One piece of a known code for each cell, from a hand (`slot`, or none).
void drop_on_sets(Context& cx, const AbstractValue& on_cells, int slot, int code, AbstractDraft& d,
                  Label past) {
  if (slot >= 0) {
    const Reg hand = static_cast<Reg>(cx.layout.hands + slot);
    const Reg wanted = cx.e.number_value(Ir::count, set_of(cx, on_cells));
    cx.e.emit(Ir::if_less, 0, hand, wanted, 0, past);
    const Reg left = cx.e.new_number();
    cx.e.emit(Ir::subtract, left, hand, wanted);
    cx.e.emit(Ir::write, hand, left);
    cx.e.changed(kInHand);
  }
  const bool is_here = on_cells.is(Kind::cell) && d.here.is(Kind::cell) && d.here.reg == on_cells.reg;
  if (is_here && cx.maybe_none.count(on_cells.reg) == 0) {
    fill(cx, on_cells.reg, on(cx, d, on_cells.reg), code, d);
  } else {
    Reg cells = set_of(cx, on_cells);
    if (cells < cx.layout.draft_sets) {
      const Reg kept = cx.e.new_set();
      cx.e.emit(Ir::set_copy, kept, cells);
      cells = kept;
    }
    if (cx.writes(d)) cx.e.emit(Ir::gone_cells, 0, cells);
    fill_set(cx, cells, code);
    pieces_changed_to(cx, code, d);
  }
}

void drop(Context& cx, const Todo* todo, AbstractDraft d) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  const Emitter::Scope scope(cx.e);
  const Label past = cx.e.label();
  const AbstractValue on_cells = value(cx, cx.kid(id, 0), d);
  const Reg kind = number(cx, cx.kid(id, 1), d);
  const Reg many = n.count > 2 ? number(cx, cx.kid(id, 2), d) : cx.e.number_constant(1);
  const auto known_kind = cx.e.known_number(kind), known_many = cx.e.known_number(many);
  int code = 0, owner = n.a;
  bool simple = known_kind && *known_kind >= 0 && known_many && *known_many == 1 && !cx.stacks();
  if (simple) {
    const auto known_owner = owner_of_drop(cx.program, n.a, n.b, *known_kind);
    simple = known_owner.has_value();
    if (simple) owner = *known_owner;
    if (simple) code = cx.facts.pieces().code_of(owner, *known_kind);
  }
  const auto table = static_cast<std::int32_t>(cx.code.drops.size());
  cx.code.drops.push_back({n.a, n.b});
  Reg said = 0;
  if (keys(cx, d)) no_keys(cx); // its letter isn't in keys
  if (cx.writes(d)) {           // the cells that are named are those before the change
    said = cx.e.new_set();
    cx.e.emit(Ir::set_copy, said, set_of(cx, on_cells));
  }
  if (!simple) cx.need_mailbox();
  if (simple && !cx.layout.mailbox) {
    drop_on_sets(cx, on_cells, cx.program.hand_slot[at(owner < 0 ? n.b : owner)][at(*known_kind)], code, d,
                 past);
  } else {
    cx.e.emit(Ir::drop, 0, set_of(cx, on_cells), kind, many, table, cx.writes(d) ? 1 : 0);
    cx.e.go(past);
    cx.e.changed(kInHand);
    pieces_changed(cx, d);
  }
  if (cx.writes(d)) cx.e.emit(Ir::say_drop, 0, said, kind, 0, table, cx.said(d));
  act(cx, todo->next, std::move(d));
  cx.e.place(past);
}

// Is there a piece of an owner (or kKeepOwner), and of a kind (or their own), for each that may be there?
bool can_become(const Context& cx, const Contents& may, int owner, std::optional<std::int32_t> kind) {
  const Pieces& pieces = cx.facts.pieces();
  for (int c = 1; c < pieces.count(); ++c) {
    if (!may.test(at(c))) continue;
    const int whose = owner == kKeepOwner ? pieces.owner_of(static_cast<std::uint8_t>(c)) : owner;
    if (pieces.code_of(whose, kind ? *kind : pieces.kind[at(c)]) == 0) return false;
  }
  return true;
}

void change_top(Context& cx, const Todo* todo, AbstractDraft d) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  const Emitter::Scope scope(cx.e);
  const Label past = cx.e.label();
  const AbstractValue of = value(cx, cx.kid(id, 0), d);
  const bool to_kind = n.count > 1;
  const Reg kind = to_kind ? number(cx, cx.kid(id, 1), d) : cx.e.number_constant(0);
  const auto known = cx.e.known_number(kind);
  if (of.is(Kind::none) || (of.is(Kind::set) && of.reg == cx.no_cells)) {
    const Label good = cx.e.label();
    if (to_kind) {
      cx.e.emit(Ir::if_not_less, 0, kind, cx.e.number_constant(0), 0, good);
      cx.fail(kNoKindToChangeTo);
    }
    cx.e.place(good);
    return act(cx, todo->next, std::move(d));
  }
  if (keys(cx, d) && n.b == 1 && to_kind) no_keys(cx); // nor is this one
  if (cx.writes(d) && n.b == 1 && to_kind) {
    const Label none = cx.e.label();
    cx.e.emit(Ir::if_less, 0, kind, cx.e.number_constant(0), 0, none);
    const Reg here = cell_of(cx, of);
    cx.e.emit(Ir::if_less, 0, here, cx.e.number_constant(0), 0, none);
    cx.e.emit(Ir::say_change, 0, here, kind, 0, 0, cx.said(d));
    cx.e.place(none);
  }
  if (!cx.layout.mailbox) {
    const Contents may = of.is(Kind::cell) ? on(cx, d, of.reg) : of.contents;
    const bool good = !to_kind || (known && *known >= 0);
    if (!good || !can_become(cx, may, n.a, to_kind ? known : std::nullopt)) {
      cx.need_mailbox();
      return;
    }
    const Reg all = minus(cx, set_of(cx, of), cx.layout.empty);
    Reg kept = cx.e.new_set();
    cx.e.emit(Ir::set_copy, kept, all);
    if (n.a != kKeepOwner) {
      const int index = n.a < 0 ? cx.players() : n.a;
      for (int s = 0; s < cx.layout.owners; ++s)
        cx.e.emit(s == index ? Ir::join_set : Ir::leave_set, s, kept);
    }
    if (to_kind)
      for (int k = 0; k < cx.layout.kinds; ++k)
        cx.e.emit(k == *known ? Ir::join_set : Ir::leave_set, cx.layout.owners + k, kept);
  } else {
    const auto table = static_cast<std::int32_t>(cx.code.drops.size());
    cx.code.drops.push_back({n.a, to_kind ? 0 : 1});
    cx.e.emit(Ir::change, 0, set_of(cx, of), kind, 0, table);
    cx.e.go(past);
  }
  pieces_changed(cx, d);
  act(cx, todo->next, std::move(d));
  cx.e.place(past);
}

void move_by(Context& cx, const Todo* todo, AbstractDraft d) {
  cx.need_mailbox();
  if (ask_as_if_moved(cx, todo, d)) return;
  const NodeId id = todo->action;
  const Emitter::Scope scope(cx.e);
  const Label past = cx.e.label();
  const Reg moved = set(cx, cx.kid(id, 0), d), map = box(cx, cx.kid(id, 1), d);
  cx.e.emit(Ir::move_by, 0, moved, map, 0, past, cx.writes(d) ? 1 : 0);
  pieces_changed(cx, d);
  act(cx, todo->next, std::move(d));
  cx.e.place(past);
}

} // namespace

void change_position(Context& cx, const Todo* todo, AbstractDraft d) {
  const NodeId id = todo->action;
  switch (as<PositionOp>(cx.node(id).op)) {
  case PositionOp::set_hand: return set_hand(cx, todo, std::move(d));
  case PositionOp::win:
  case PositionOp::lose:
  case PositionOp::draw: return decide(cx, todo, std::move(d));
  case PositionOp::set_local: set_local(cx, id, d); break;
  case PositionOp::set_variable:
    if (!is_left_to_play(cx, todo, d)) set_variable(cx, id, d);
    break;
  case PositionOp::pass:
    if (cx.writes(d)) cx.e.emit(Ir::say_text, 0, 0, 0, 0, cx.pass_text, cx.said(d));
    if (keys(cx, d)) key_pass(cx, d);
    break;
  case PositionOp::again: cx.e.emit(Ir::again); break;
  case PositionOp::say: say(cx, id, d); break;
  }
  act(cx, todo->next, std::move(d));
}

// ---------------------------------------------------------------- names and the state

namespace {

void set_local(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  bind_local(cx, n.a, cx.node(cx.kid(id, 0)).type, bound(cx, cx.kid(id, 0), d), d);
}

// A turn that begins with what it counts need not count while moves are searched: before the first choice all
// moves have the same of it, and the move that is played does it. Unless something that comes after asks.
bool is_left_to_play(const Context& cx, const Todo* todo, const AbstractDraft& d) {
  if (!is_on(Idiom::deferred) || cx.mode != Mode::search || !d.recorded) return false;
  if (cx.within.each > 0 || cx.within.reach > 0 || cx.end_lines.asking) return false;
  if (d.here.is(Kind::cell) || !d.choices.empty() || d.base >= 0) return false;
  const std::int32_t variable = cx.node(todo->action).a;
  if (cx.code.weighs && variable == cx.program.chance->odds) return false; // moves are drawn by it
  if (!cx.facts.harmless(cx.kid(todo->action, 0))) return false;
  const auto asks = [&](const Node& n) {
    if (n.op == Op::variable) return Terms::found(n.a == variable);
    return Terms::found((own_reads(n.op) & kVariables) != 0);
  };
  for (const Todo* part = todo->next; part != nullptr; part = part->next)
    if (part->then != nullptr || cx.facts.finds(part->action, asks)) return false;
  return true;
}

void set_variable(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  if (cx.program.variables[at(n.a)].type == Type::cells)
    cx.e.emit(Ir::write_set, cx.layout.set_of_variable[at(n.a)], set(cx, cx.kid(id, 0), d));
  else
    cx.e.emit(Ir::write, n.a, number(cx, cx.kid(id, 0), d));
  cx.e.changed(part_of_variable(at(n.a)));
}

void set_hand(Context& cx, const Todo* todo, AbstractDraft d) {
  const NodeId id = todo->action;
  const Emitter::Scope scope(cx.e);
  const Reg kind = number(cx, cx.kid(id, 0), d), many = number(cx, cx.kid(id, 1), d);
  cx.e.emit(Ir::write_hand, 0, kind, many, cx.node(id).a);
  cx.e.changed(kInHand);
  act(cx, todo->next, std::move(d));
}

} // namespace

void bind_local(Context& cx, std::int32_t slot, Type type, const AbstractValue& v, AbstractDraft& d) {
  const auto changed = cx.changed_locals.find(slot);
  if (changed == cx.changed_locals.end()) {
    d.locals[slot] = v;
    return;
  }
  (void)type;
  const Reg to = changed->second.reg;
  switch (changed->second.kind) {
  case Kind::set: cx.e.emit(Ir::write_set, to, set_of(cx, v)); break;
  case Kind::ways: cx.e.emit(Ir::write_set, to, ways_of(cx, v)); break;
  case Kind::number: cx.e.emit(Ir::write, to, v.is(Kind::none) ? cx.e.number_constant(-1) : v.reg); break;
  default: cx.e.emit(Ir::write_box, to, box_of(cx, v)); break;
  }
  cx.e.changed(part_of_variable(at(slot) + cx.program.variables.size()));
}

void let(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  const AbstractValue v = bound(cx, cx.kid(id, 0), d);
  bind_local(cx, n.a, cx.node(cx.kid(id, 0)).type, v, d);
}

bool let_either(Context& cx, const Todo* todo, const AbstractDraft& d) {
  if (!is_on(Idiom::either_name)) return false;
  constexpr std::size_t kWorthCopying = 600; // nodes of what comes after
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  const Node& value = cx.node(cx.kid(id, 0));
  if (cx.mode != Mode::search || cx.text || value.op != Op::if_value || value.type != Type::directions)
    return false;
  if (cx.facts.is_changed(n.a) || cx.sizes.weight(todo->next) > kWorthCopying) return false;
  const auto first = cx.facts.constant_steps(cx.program.kid(value, 1), d),
             second = cx.facts.constant_steps(cx.program.kid(value, 2), d);
  if (!first || !second) return false;
  const Label other = cx.e.label(), past = cx.e.label();
  const NodeId condition = cx.program.kid(value, 0);
  {
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    jump(cx, condition, false, other, e);
    bind_local(cx, n.a, Type::directions, make_steps(*first), e);
    act(cx, todo->next, std::move(e));
    cx.e.go(past);
  }
  cx.e.place(other);
  {
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    bind_local(cx, n.a, Type::directions, make_steps(*second), e);
    act(cx, todo->next, std::move(e));
  }
  cx.e.place(past);
  return true;
}

// ---------------------------------------------------------------- decisions

namespace {

// A draft that is decided goes through the rest of the turn unchanged.
void decide(Context& cx, const Todo* todo, AbstractDraft d) {
  const Node n = cx.node(todo->action);
  const std::uint32_t all = std::uint32_t{1} << n.a;
  if (n.op == Op::win || n.op == Op::draw) {
    cx.e.emit(Ir::decide, 0, 0, 0, 0, verdict(cx, n.op == Op::win ? all : 0, n.origin, Outcome::By::move));
    d.decided = true;
    return act(cx, todo->next, std::move(d));
  }
  const bool two = cx.players() <= 2;
  cx.e.emit(Ir::lose, 0, 0, 0, 0,
            verdict(cx, 0, n.origin, two ? Outcome::By::move : Outcome::By::last_left, n.a));
  cx.e.changed(kWhoIsOut);
  cx.e.forget_values();
  if (two || n.a == cx.turn.player) {
    d.decided = true;
    return act(cx, todo->next, std::move(d));
  }
  // Another player is out: that decides only if he was the last but one.
  act_if_undecided(cx, todo->next, d);
}

} // namespace

std::int32_t verdict(Context& cx, std::uint32_t winners, std::uint32_t origin, Outcome::By by, int player) {
  cx.code.verdicts.push_back({winners, origin, player, by});
  return static_cast<std::int32_t>(cx.code.verdicts.size()) - 1;
}

void jump_if_decided(Context& cx, Label to) {
  cx.e.emit(Ir::if_not_equal, 0, cx.layout.decision, cx.e.number_constant(0), 0, to);
  if (cx.players() > 2) jump_if_out(cx, cx.turn.player, to);
}

void act_if_undecided(Context& cx, const Todo* todo, const AbstractDraft& d) {
  const auto to_decided = [&](Label decided, AbstractDraft&) { jump_if_decided(cx, decided); };
  two_ways(cx, d, to_decided, [&](bool undecided, AbstractDraft e) {
    e.decided = !undecided;
    act(cx, todo, std::move(e));
  });
}

// ---------------------------------------------------------------- notation

void say(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  if (keys(cx, d)) return key_say(cx, id, d);
  if (cx.writes(d)) cx.e.emit(Ir::say_gone, 0, 0, 0, 0, 0, cx.said(d));
  for (std::uint32_t i = 0; i < n.count; ++i) {
    const NodeId part = cx.kid(id, i);
    const Node of = cx.node(part);
    if (of.op == Op::text) {
      if (cx.writes(d)) cx.e.emit(Ir::say_text, 0, 0, 0, 0, of.a, cx.said(d));
      continue;
    }
    if (!cx.writes(d) && cx.facts.harmless(part)) continue;
    const AbstractValue v = value(cx, part, d);
    if (!cx.writes(d)) continue;
    switch (of.type) {
    case Type::number: cx.e.emit(Ir::say_number, 0, v.reg, 0, 0, 0, cx.said(d)); break;
    case Type::truth: cx.e.emit(Ir::say_truth, 0, v.reg, 0, 0, 0, cx.said(d)); break;
    case Type::cells: cx.e.emit(Ir::say_set, 0, set_of(cx, v), 0, 0, 0, cx.said(d)); break;
    case Type::kind: cx.e.emit(Ir::say_kind, 0, v.reg, 0, 0, 0, cx.said(d)); break;
    default: cx.e.emit(Ir::say_player, 0, v.reg, 0, 0, 0, cx.said(d)); break;
    }
  }
}

void unless_carried(Context& cx, const AbstractDraft& d, const std::function<void()>& code) {
  if (!cx.stacks() && d.carried.kind == Carried::Kind::known) return;
  const Label past = cx.e.label();
  if (d.carried.kind == Carried::Kind::dynamic && !cx.plays(d))
    cx.e.emit(Ir::if_not_equal, 0, cx.layout.carried, cx.e.number_constant(0), 0, past);
  code();
  cx.e.place(past);
}

void finish(Context& cx, const AbstractDraft& d) {
  if (cx.stopped()) return;
  unless_carried(cx, d, [&] {
    if (cx.text || (d.compared && !cx.comparison.keyed)) cx.e.emit(Ir::say_gone, 0, 0, 0, 0, 0, cx.said(d));
    if (cx.mode == Mode::search)
      leaf(cx, nullptr, d);
    else
      cx.e.emit(Ir::end_turn, 0, 0, 0, 0, cx.turn.player);
  });
}

} // namespace boardwright::runtime::lowering
