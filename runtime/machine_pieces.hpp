// Actions on pieces, hands and variables, decisions, and what they all write.
#pragma once

#include "runtime/machine_collect.hpp"

namespace boardwright::runtime::machine {

// ---------------------------------------------------------------------------------------------------- in the
// air

// The number asked for, or all; nothing where there are fewer.
template <int W>
std::optional<std::size_t> Machine<W>::how_many(const Instruction& i, const Regs& r, std::size_t all) {
  if (i.c0 == nullptr) return all;
  const std::int32_t n = number(*i.c0, r);
  if (n < 0 || at(n) > all) return std::nullopt;
  return at(n);
}

template <int W>
bool Machine<W>::lift(const Instruction& i, Regs& r) {
  if (!has_place(i, r)) return false;
  const std::size_t height = height_of(r.here);
  const auto n = how_many(i, r, height);
  if (height == 0 || !n) return false;
  if (r.carried.size > 0 && !tables_.stacks) {
    fault(i.origin, "`lift` with a piece in the air already, on a board without stacks");
    return false;
  }
  if (*n == 0) return true;
  if (r.carried.size + *n > kMaxHeight) fault(i.origin, "more than 255 pieces are carried");
  if (!tables_.stacks) {
    r.carried = {pos_->top[at(r.here)], 1};
    set_code(r.here, 0);
    return true;
  }
  const Slice stack = pos_->stack[at(r.here)];
  const auto left = static_cast<std::uint32_t>(height - *n);
  const Slice lifted{stack.begin + left, static_cast<std::uint32_t>(*n)};
  r.carried =
      r.carried.size == 0 ? lifted : joined({bytes_.data() + lifted.begin, lifted.size}, r.carried, i.origin);
  set_stack(r.here, {stack.begin, left});
  return !stop_;
}

template <int W>
Slice Machine<W>::take_carried(std::size_t n, Regs& r) {
  const auto taken = static_cast<std::uint32_t>(n);
  const Slice front{r.carried.begin, taken};
  r.carried = {r.carried.begin + taken, r.carried.size - taken};
  if (r.carried.size == 0) r.carried = {};
  return front;
}

// Lays pieces on what is there, or without stacks in its place.
template <int W>
void Machine<W>::lay(int cell, Slice pieces, const Instruction& i, Regs& r) {
  if (!tables_.stacks) {
    leaves(cell, content(*pos_, cell), r);
    return set_code(cell, static_cast<std::uint8_t>(pieces.begin));
  }
  const auto below = content(*pos_, cell);
  if (below.size() + pieces.size > kMaxHeight)
    return fault(i.origin, "more than 255 pieces on " + tables_.name[at(cell)].chars);
  set_stack(cell, joined(below, pieces, i.origin));
}

template <int W>
bool Machine<W>::put(const Instruction& i, Regs& r) {
  const auto n = how_many(i, r, r.carried.size);
  if (!n) return false;
  if (*n == 0) return true;
  if (!has_place(i, r)) return false;
  lay(r.here, take_carried(*n, r), i, r);
  if (r.quiet > 0) return !stop_;
  write_loud(r.gone.any() ? tables_.crossed[at(r.here)] : tables_.dashed[at(r.here)], r);
  r.gone = {}; // what has left so far is what the `x` tells
  return !stop_;
}

template <int W>
bool Machine<W>::discard(const Instruction& i, Regs& r) {
  const auto n = how_many(i, r, r.carried.size);
  if (!n) return false;
  if (*n == 0) return true;
  if (!has_place(i, r)) return false;
  const Slice thrown = take_carried(*n, r);
  const auto code = static_cast<std::uint8_t>(thrown.begin);
  if (tables_.stacks)
    leaves(r.here, {bytes_.data() + thrown.begin, thrown.size}, r);
  else
    leaves(r.here, {&code, 1}, r);
  return true;
}

// ---------------------------------------------------------------------------------------------------- on the
// board

template <int W>
void Machine<W>::clear_cell(int cell) {
  tables_.stacks ? set_stack(cell, {}) : set_code(cell, 0);
}

template <int W>
void Machine<W>::remove(const Instruction& i, Regs& r) {
  (set(*i.c0, r) & pos_->occupied).each([&](int cell) {
    leaves(cell, content(*pos_, cell), r);
    clear_cell(cell);
  });
}

template <int W>
std::uint8_t Machine<W>::code_for(int owner, int kind, const Instruction& i) {
  const std::uint8_t code = tables_.pieces.code_of(owner, kind);
  if (code != 0) return code;
  const std::string& name = tables_.program.kinds[at(kind)].name;
  fault(i.origin, owner < 0 ? "there is no neutral `" + name + "`"
                            : tables_.program.players[at(owner)].name + " has no `" + name + "`");
  return 0;
}

template <int W>
bool Machine<W>::take_from_hand(int player, int kind, std::int64_t number) {
  const std::int32_t slot = tables_.hand[at(player)][at(kind)];
  if (slot < 0) return true; // unlimited
  if (pos_->hands[at(slot)] < number) return false;
  if (number > 0) change_hand(at(slot), static_cast<std::int32_t>(pos_->hands[at(slot)] - number));
  return true;
}

template <int W>
bool Machine<W>::drop(const Instruction& i, Regs& r) {
  const Set on = set(*i.c0, r);
  const std::int32_t kind = number(*i.c1, r);
  const std::int32_t n = i.c2 == nullptr ? 1 : number(*i.c2, r);
  if (kind < 0 || n < 0) return false;
  int owner = i.a;
  if (owner == kNatural) {
    const bool only_neutral = tables_.pieces.code_of(i.b, kind) == 0 && tables_.pieces.code_of(-1, kind) != 0;
    owner = only_neutral ? kNeutral : i.b;
  }
  const std::uint8_t code = code_for(owner, kind, i);
  if (n > 1 && !tables_.stacks)
    fault(i.origin, "`drop` of several pieces on one cell of a board without stacks");
  if (stop_ || !take_from_hand(owner < 0 ? i.b : owner, kind, std::int64_t{n} * on.count())) return false;
  if (n > kMaxHeight && on.any()) fault(i.origin, "more than 255 pieces on one cell");
  if (n > 0 && on.any() && !stop_) {
    const Slice pieces = tables_.stacks ? repeated(code, at(n)) : Slice{code, 1};
    on.each([&](int cell) { lay(cell, pieces, i, r); });
  }
  write_drop(owner, kind, on, r);
  return !stop_;
}

template <int W>
bool Machine<W>::change(const Instruction& i, Regs& r) {
  const Set changed = set(*i.c0, r) & pos_->occupied;
  const std::int32_t kind = i.c1 == nullptr ? -2 : number(*i.c1, r); // -2: as it is
  if (kind == -1) return false;
  changed.each([&](int cell) { change_top(i, cell, kind, r); });
  return !stop_;
}

template <int W>
void Machine<W>::change_top(const Instruction& i, int cell, int kind, Regs& r) {
  const Piece old = tables_.pieces.of_code[pos_->top[at(cell)]];
  const int now_kind = kind < 0 ? old.kind : kind;
  const std::uint8_t code = code_for(i.a == kKeepOwner ? old.owner : i.a, now_kind, i);
  if (stop_) return;
  if (!tables_.stacks) {
    set_code(cell, code);
  } else {
    const Slice stack = pos_->stack[at(cell)];
    const Slice changed = repeated(code, 1);
    set_stack(cell, joined({bytes_.data() + stack.begin, stack.size - 1}, changed, i.origin));
  }
  if (i.b == 1 && now_kind != old.kind) write(tables_.changed_to[at(now_kind)], r);
}

// Where the stacks of the cells go: false if one would leave the board or two would meet.
template <int W>
bool Machine<W>::find_targets(const Set& moved, const Expr& by, const Regs& r) {
  const CellMap m = map(by, r);
  const std::int16_t* to = row(by, m);
  arrivals_.clear();
  Set targets;
  bool fits = true;
  moved.each([&](int cell) {
    const int target = to[cell];
    fits = fits && target >= 0 && !targets.test(target);
    if (!fits) return;
    targets.set(target);
    arrivals_.push_back({target, tables_.stacks ? pos_->stack[at(cell)] : Slice{pos_->top[at(cell)], 1}});
  });
  return fits;
}

template <int W>
bool Machine<W>::move_by(const Instruction& i, Regs& r) {
  const Set moved = set(*i.c0, r) & pos_->occupied;
  if (!find_targets(moved, *i.c1, r)) return false;
  spend(i.origin, arrivals_.size());
  moved.each([&](int cell) { clear_cell(cell); });
  for (const Arrival& a : arrivals_) lay(a.target, a.pieces, i, r);
  return !stop_;
}

// ---------------------------------------------------------------------------------------------------- the
// position

template <int W>
void Machine<W>::let(const Instruction& i, const Regs& r) {
  if (!i.keep) return bind(i.a, *i.c0, r);
  trail_slot(i.a);
  bind(i.a, *i.c0, r);
}

template <int W>
void Machine<W>::set_variable(const Instruction& i, const Regs& r) {
  const Type type = tables_.program.variables[at(i.a)].type;
  if (type == Type::cells) return change_set(at(i.a), set(*i.c0, r));
  change_number(at(i.a), type == Type::truth ? (truth(*i.c0, r) ? 1 : 0) : number(*i.c0, r));
}

template <int W>
bool Machine<W>::set_hand(const Instruction& i, const Regs& r) {
  const std::int32_t kind = number(*i.c0, r);
  if (kind < 0) return false;
  const std::int32_t slot = tables_.hand[at(i.a)][at(kind)];
  if (slot < 0) {
    fault(i.origin, "`set hand` of `" + tables_.program.kinds[at(kind)].name + "`: no such entry in `hands`");
    return false;
  }
  change_hand(at(slot), number(*i.c1, r));
  return true;
}

template <int W>
void Machine<W>::decide(std::uint8_t decision, const Instruction& i, Regs& r) {
  r.decision = decision;
  r.decided = true;
  r.origin = i.origin;
}

// Of two players the other wins; of more he is out, and the last one left wins.
template <int W>
void Machine<W>::lose(const Instruction& i, Regs& r) {
  const int players = tables_.pieces.players;
  const std::uint32_t out = r.out | std::uint32_t{1} << i.a;
  const int next = following(i.a, out);
  if (players > 2) r.out = out;
  const bool others = next >= 0 && following(next, out) >= 0;
  if (!others) {
    r.last_left = players > 2;
    return decide(static_cast<std::uint8_t>(next < 0 ? kDrawn : kWonBy + next), i, r);
  }
  r.decided = (out >> mover_ & 1) != 0;
}

// ----------------------------------------------------------------------------------------------------
// notation

// Pieces leave the game from a cell. The mover's own are not written.
template <int W>
void Machine<W>::leaves(int cell, std::span<const std::uint8_t> codes, Regs& r) {
  if (r.quiet > 0) return;
  for (const std::uint8_t code : codes)
    if (tables_.pieces.owner_of(code) != mover_) return r.gone.set(cell);
}

template <int W>
void Machine<W>::write_loud(const Word& word, Regs& r) {
  if (writing_) [[unlikely]] {
    text_.resize(r.length);
    text_ += word.chars;
  }
  r.text = word.after(r.text);
  r.length += static_cast<std::uint32_t>(word.chars.size());
  if (r.length > kMaxNotation) fault(r.origin, "the notation of a move has more than 4096 characters");
}

template <int W>
void Machine<W>::write_cells(const Set& cells, Regs& r) {
  if (r.quiet > 0) return;
  bool first = true;
  cells.each([&](int cell) {
    if (!std::exchange(first, false)) write_loud(tables_.comma, r);
    write_loud(tables_.name[at(cell)], r);
  });
}

// What has left the board since the last `put` is written by the next `put`, `from` or `say`, or at the end.
template <int W>
void Machine<W>::write_gone(Regs& r) {
  if (r.quiet > 0 || r.gone.none()) return;
  write_loud(tables_.cross, r);
  write_cells(r.gone, r);
  r.gone = {};
}

// The first kind that the owner has needs no letter.
template <int W>
void Machine<W>::write_drop(int owner, int kind, const Set& on, Regs& r) {
  if (r.quiet > 0) return;
  if (r.length > 0) write_loud(tables_.slash, r);
  const int first = tables_.first_kind[at(owner < 0 ? tables_.pieces.players : owner)];
  if (kind != first && on.any()) write_loud(tables_.kind_letter[at(kind)], r);
  write_cells(on, r);
}

template <int W>
void Machine<W>::write_value(const Expr& e, Regs& r) {
  if (r.quiet > 0) return;
  if (e.op == Op::text) return write_loud(tables_.text[at(e.a)], r);
  switch (e.type) {
  case Type::cells: return write_cells(set(e, r), r);
  case Type::truth: return write_loud(truth(e, r) ? tables_.yes : tables_.no, r);
  case Type::number: return write_loud(Word(std::to_string(number(e, r))), r);
  case Type::kind: {
    const std::int32_t kind = number(e, r);
    if (kind >= 0) write_loud(tables_.kind_letter[at(kind)], r);
    return;
  }
  case Type::player: return write_loud(tables_.player_name[at(number(e, r))], r);
  default: fault(e.origin, "`say` writes text, numbers, cells, kinds and players");
  }
}

} // namespace boardwright::runtime::machine
