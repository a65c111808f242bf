// Numbers, truths, and what any type of value can be.
#pragma once

#include "runtime/machine_memo.hpp"

namespace boardwright::runtime::machine {

[[nodiscard]] inline bool is_list(Type t) {
  return t == Type::numbers || t == Type::sets || t == Type::kinds || t == Type::players;
}

// ---------------------------------------------------------------------------------------------------- any
// type

template <int W>
int Machine<W>::top_kind(const Expr& e, const Regs& r) {
  const int cell = first_of(e, r);
  const std::uint8_t code = cell < 0 ? 0 : pos_->top[at(cell)];
  return code == 0 ? -1 : tables_.pieces.kind[code];
}

template <int W>
const Expr& Machine<W>::by_kind(const Expr& e, const Regs& r) {
  const int kind = top_kind(*e.c0, r);
  return kind < 0 ? *e.kids->back() : *(*e.kids)[at(1 + kind)];
}

template <int W>
const Expr& Machine<W>::by_player(const Expr& e, const Regs& r) {
  return *(*e.kids)[at(1 + number(*e.c0, r))];
}

template <int W>
const Expr& Machine<W>::bound(const Expr& e, const Regs& r) {
  bind(e.a, *e.c0, r);
  return *e.c1;
}

// Evaluates with the state of the turn's beginning; what `can` changes there it takes back itself.
template <int W>
template <class F>
auto Machine<W>::in_beginning(F&& f) {
  State<W>* const now = pos_;
  if (moving_) pos_ = &beginning_; // an end line is asked at a beginning
  auto value = f();
  pos_ = now;
  return value;
}

template <int W>
void Machine<W>::bind(std::int32_t slot, const Expr& e, const Regs& r) {
  switch (e.type) {
  case Type::number:
  case Type::kind:
  case Type::player: return bind_number(slot, number(e, r));
  case Type::truth: return bind_number(slot, truth(e, r) ? 1 : 0);
  case Type::cells:
  case Type::directions: bind_set(slot, set(e, r)); return;
  case Type::map: return e.memo != nullptr ? bind_kept_map(slot, e, r) : bind_map(slot, map(e, r));
  case Type::numbers:
  case Type::sets:
  case Type::kinds:
  case Type::players: return bind_list(slot, list(e, r));
  case Type::action: return;
  }
}

// ----------------------------------------------------------------------------------------------------
// numbers

template <int W>
std::int32_t Machine<W>::number_anew(const Expr& e, const Regs& r) {
  const auto a = [&] { return std::int64_t{number(*e.c0, r)}; };
  const auto b = [&] { return std::int64_t{number(*e.c1, r)}; };
  const auto coordinate = [&](const std::vector<int>& of) {
    const int cell = first_of(*e.c0, r);
    return cell < 0 ? 0 : of[at(cell)];
  };
  switch (e.op) {
  case Op::number:
  case Op::kind:
  case Op::player: return e.a;
  case Op::local: return slots_[at(e.a)].number;
  case Op::let_value: return number(bound(e, r), r);
  case Op::if_value: return number(truth(*e.c0, r) ? *e.c1 : *e.c2, r);
  case Op::before: return in_beginning([&] { return number(*e.c0, r); });
  case Op::by_kind: return number(by_kind(e, r), r);
  case Op::by_player: return number(by_player(e, r), r);
  case Op::variable: return pos_->numbers[at(e.a)];
  case Op::hand: return hand(e, r);
  case Op::hand_total: return hand_total(e.a);
  case Op::ply: return pos_->ply;
  case Op::turns: return at(e.a) < pos_->turns.size() ? pos_->turns[at(e.a)] : 0;
  case Op::carried: return static_cast<std::int32_t>(r.carried.size);
  case Op::repeats: return repeats();
  case Op::board_repeats: return board_repeats();
  case Op::add: return saturated(a() + b());
  case Op::subtract: return saturated(a() - b());
  case Op::multiply: return saturated(a() * b());
  case Op::divide: return saturated(divided(a(), b()));
  case Op::modulo: return saturated(remainder(a(), b()));
  case Op::negate: return saturated(-a());
  case Op::least: return extreme(e, r, false);
  case Op::greatest: return extreme(e, r, true);
  case Op::absolute: return saturated(std::abs(a()));
  case Op::count: return count(*e.c0, r);
  case Op::height: return height(set(*e.c0, r));
  case Op::pieces: return pieces_on(e, r);
  case Op::x_of: return coordinate(tables_.program.board.x);
  case Op::y_of: return coordinate(tables_.program.board.y);
  case Op::z_of: {
    const int cell = first_of(*e.c0, r);
    return cell < 0 ? 0 : tables_.program.board.z_of(cell);
  }
  case Op::kind_at: return top_kind(*e.c0, r);
  default:
    if (e.type == Type::truth) return truth(e, r) ? 1 : 0;
    fault(e.origin, "the rules are nested too deeply");
    return 0;
  }
}

template <int W>
std::int32_t Machine<W>::count(const Expr& e, const Regs& r) {
  if (!is_list(e.type)) return view(e, r).count();
  const Mark m = mark();
  const Slice members = list(e, r);
  unwind(m);
  return static_cast<std::int32_t>(members.size);
}

template <int W>
std::int32_t Machine<W>::hand(const Expr& e, const Regs& r) {
  const std::int32_t kind = number(*e.c0, r);
  if (kind < 0) return 0;
  const std::int32_t slot = tables_.hand[at(e.a)][at(kind)];
  if (slot >= 0) return pos_->hands[at(slot)];
  fault(e.origin, "`hand` of `" + tables_.program.kinds[at(kind)].name + "`: no such entry in `hands`");
  return 0;
}

template <int W>
std::int32_t Machine<W>::hand_total(int player) const {
  std::int64_t sum = 0;
  for (const std::int32_t slot : tables_.hand[at(player)])
    if (slot >= 0) sum += pos_->hands[at(slot)];
  return saturated(sum);
}

template <int W>
std::int32_t Machine<W>::height(const Set& cells) const {
  if (!tables_.stacks) return (cells & pos_->occupied).count();
  std::int64_t sum = 0;
  (cells & pos_->occupied).each([&](int cell) { sum += pos_->stack[at(cell)].size; });
  return saturated(sum);
}

template <int W>
bool Machine<W>::owner_fits(const Expr& e, std::uint8_t code) const {
  const int owner = tables_.pieces.owner_of(code);
  switch (static_cast<Owners>(e.a)) {
  case Owners::any: return true;
  case Owners::exactly: return owner == e.b;
  case Owners::others: return owner != e.b && owner >= 0;
  case Owners::neutral: return owner < 0;
  }
  return false;
}

template <int W>
std::int32_t Machine<W>::pieces_on(const Expr& e, const Regs& r) {
  const std::int32_t kind = e.c1 == nullptr ? -2 : number(*e.c1, r);
  std::int64_t sum = 0;
  (set(*e.c0, r) & pos_->occupied).each([&](int cell) {
    const auto codes = content(*pos_, cell);
    spend(e.origin, codes.size());
    for (const std::uint8_t code : codes)
      if (owner_fits(e, code) && (kind == -2 || tables_.pieces.kind[code] == kind)) ++sum;
  });
  return saturated(sum);
}

template <int W>
std::int32_t Machine<W>::extreme(const Expr& e, const Regs& r, bool greatest) {
  std::int32_t best = number(*e.c0, r);
  for (std::size_t i = 1; i < e.kids->size(); ++i) {
    const std::int32_t next = number(*(*e.kids)[i], r);
    best = greatest ? std::max(best, next) : std::min(best, next);
  }
  return best;
}

// ---------------------------------------------------------------------------------------------------- truths

template <int W>
bool Machine<W>::truth_anew(const Expr& e, const Regs& r) {
  switch (e.op) {
  case Op::truth: return e.a != 0;
  case Op::local: return slots_[at(e.a)].number != 0;
  case Op::let_value: return truth(bound(e, r), r);
  case Op::if_value: return truth(truth(*e.c0, r) ? *e.c1 : *e.c2, r);
  case Op::before: return in_beginning([&] { return truth(*e.c0, r); });
  case Op::by_kind: return truth(by_kind(e, r), r);
  case Op::by_player: return truth(by_player(e, r), r);
  case Op::variable: return pos_->numbers[at(e.a)] != 0;
  case Op::negation: return !truth(*e.c0, r);
  case Op::all_of:
    return std::all_of(e.kids->begin(), e.kids->end(), [&](const Expr* c) { return truth(*c, r); });
  case Op::any_of:
    return std::any_of(e.kids->begin(), e.kids->end(), [&](const Expr* c) { return truth(*c, r); });
  case Op::equal: return equal(e, r);
  case Op::less: return number(*e.c0, r) < number(*e.c1, r);
  case Op::at_most: return number(*e.c0, r) <= number(*e.c1, r);
  case Op::within: return set(*e.c0, r).within(view(*e.c1, r));
  case Op::member: return member(e, r);
  case Op::some: return some(*e.c0, r);
  case Op::some_where: return some_where(e, r);
  case Op::can: return can(e, r);
  case Op::no_move: return no_move(e.a);
  case Op::changed: return pos_->board_hash != turn_board_hash_ || (moving_ && pos_->hands != turn_hands_);
  default: fault(e.origin, "the rules are nested too deeply"); return false;
  }
}

template <int W>
bool Machine<W>::equal(const Expr& e, const Regs& r) {
  const Type type = e.c0->type;
  if (type == Type::truth) return truth(*e.c0, r) == truth(*e.c1, r);
  if (type == Type::cells || type == Type::directions) return set(*e.c0, r) == view(*e.c1, r);
  if (type == Type::map) return map(*e.c0, r) == map(*e.c1, r);
  if (!is_list(type)) return number(*e.c0, r) == number(*e.c1, r);
  const Mark m = mark();
  const Slice a = list(*e.c0, r), b = list(*e.c1, r);
  const bool same = same_lists(a, b, type == Type::sets);
  unwind(m);
  return same;
}

template <int W>
bool Machine<W>::same_lists(Slice a, Slice b, bool sets) const {
  if (a.size != b.size) return false;
  for (std::uint32_t i = 0; i < a.size; ++i)
    if (sets ? sets_[a.begin + i] != sets_[b.begin + i] : numbers_[a.begin + i] != numbers_[b.begin + i])
      return false;
  return true;
}

template <int W>
bool Machine<W>::member(const Expr& e, const Regs& r) {
  const Mark m = mark();
  const bool sets = e.c1->type == Type::sets;
  const Set wanted_set = sets ? set(*e.c0, r) : Set();
  const std::int32_t wanted = sets ? 0 : number(*e.c0, r);
  const Slice members = list(*e.c1, r);
  spend(e.origin, members.size / 8);
  const bool found = has(members, sets, wanted, wanted_set);
  unwind(m);
  return found;
}

template <int W>
bool Machine<W>::has(Slice slice, bool sets, std::int32_t number, const Set& set) const {
  for (std::uint32_t i = slice.begin; i < slice.begin + slice.size; ++i)
    if (sets ? sets_[i] == set : numbers_[i] == number) return true;
  return false;
}

template <int W>
bool Machine<W>::some(const Expr& e, const Regs& r) {
  if (is_list(e.type)) return count(e, r) > 0;
  if (e.op != Op::meet || e.memo != nullptr) return view(e, r).any();
  Set first = view(*e.c0, r);
  return (first &= view(*e.c1, r)).any();
}

template <int W>
bool Machine<W>::some_where(const Expr& e, const Regs& r) {
  const Mark m = mark();
  const bool none = for_members(
      *e.c0, e.a, r, [&] { return !truth(*e.c1, r) && !stop_; }, e.prune);
  unwind(m);
  return !none && !stop_;
}

// Does the action have an outcome? What it writes doesn't matter.
template <int W>
bool Machine<W>::can(const Expr& e, const Regs& r) {
  if (stop_) return false;
  const Mark m = mark();
  Regs inner = r;
  ++inner.quiet;
  inner.frame = nullptr;
  found_ = false;
  run(after(e.entry, inner), inner);
  const bool found = found_;
  found_ = false;
  stop_ = fault_.has_value();
  unwind(m);
  return found;
}

// The list of the player to move is needed anyhow, so it answers at the position itself.
template <int W>
bool Machine<W>::no_move(int player) {
  if (stop_) return false;
  if (in_end_ && !moving_ && pos_ == &now_ && player == now_.to_move) {
    if (outcome_only_) return !has_move() && !stop_;
    const std::int64_t counted = count_slots();
    if (stop_ || counted > 0) return false;
    if (counted == 0 && rest() == kNone) return true;
    const std::uint64_t work = work_;
    const bool listed = counted == 0 ? list_rest() : list();
    work_ = work;
    stop_ = !listed;
    return listed && derived_->moves.empty();
  }
  run_turn(player, Purpose::ask);
  const bool found = found_;
  found_ = false;
  stop_ = fault_.has_value();
  return !found && !stop_;
}

} // namespace boardwright::runtime::machine
