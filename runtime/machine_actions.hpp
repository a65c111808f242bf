// The instruction loop, and the walker's choices.
#pragma once

#include "runtime/machine_changes.hpp"
#include "runtime/machine_lists.hpp"
#include "runtime/machine_reach.hpp"

namespace boardwright::runtime::machine {

// Where a draft goes on: a decided one passes over everything up to an end.
template <int W>
std::uint32_t Machine<W>::after(std::uint32_t next, const Regs& r) const {
  if (r.decided)
    while (!is_end(instructions_[next].what)) next = instructions_[next].next;
  return next;
}

template <int W>
std::uint32_t Machine<W>::branch_of(const Instruction& i, const Regs& r) {
  if (i.what == Do::branch) return truth(*i.c0, r) ? i.body : i.other;
  const std::vector<std::uint32_t>& entries = code_.lists[i.list];
  if (i.what == Do::branch_by_player) return entries[at(number(*i.c0, r))];
  const int kind = top_kind(*i.c0, r);
  return kind < 0 ? entries.back() : entries[at(kind)];
}

// Finds all outcomes from here on. May leave changes behind, which its caller unwinds.
template <int W>
void Machine<W>::run(std::uint32_t pc, Regs& r) {
  struct Deeper { // within one C++ call
    int& depth;
    ~Deeper() { --depth; }
  } deeper{++depth_};
  if (depth_ > kMaxDepth)
    return fault(instructions_[pc].origin, "a rule is nested too deeply, or repeated too often");
  while (pc != kNone) {
    const Instruction& i = instructions_[pc];
    if (!spend(i.origin)) return;
    switch (i.what) {
    case Do::branch:
    case Do::branch_by_kind:
    case Do::branch_by_player: pc = branch_of(i, r); break;
    case Do::from: pc = from_each(i, r); break;
    case Do::to: pc = to_each(i, r); break;
    case Do::go: pc = go_each(i, r); break;
    case Do::go_fan: pc = go_fan(i, r); break;
    case Do::bend: pc = bend_each(i, r); break;
    case Do::choose: pc = choose(i, r); break;
    case Do::choose_some: pc = choose_some(i, r); break;
    case Do::alternatives: pc = alternatives(i, r); break;
    case Do::otherwise: pc = otherwise(i, r); break;
    case Do::loop: pc = enter_loop(i, r); break;
    case Do::loop_block: pc = loop_block(i, r); break;
    case Do::collect: pc = collect(i, r); break;
    case Do::quiet:
      ++r.quiet;
      pc = i.body;
      break;
    case Do::quiet_end:
      --r.quiet;
      pc = after(i.next, r);
      break;
    case Do::otherwise_end:
      r.frame->any = true;
      r.frame = r.frame->outer;
      pc = after(i.next, r);
      break;
    case Do::loop_end: pc = end_round(i, r); break;
    case Do::collect_end: return collected(r);
    case Do::found: found_ = stop_ = true; return;
    case Do::reached: return r.frame->reached->set(r.here);
    case Do::turn_end: return end_of_turn(r);
    default:
      if (!simple(i, r)) return;
      pc = r.decided ? after(i.next, r) : i.next;
    }
  }
}

template <int W>
bool Machine<W>::run_block(std::uint32_t pc, Regs& r) {
  for (;;) {
    const Instruction& i = instructions_[pc];
    if (!spend(i.origin)) return false;
    switch (i.what) {
    case Do::block_end: return true;
    case Do::branch:
    case Do::branch_by_kind:
    case Do::branch_by_player: pc = branch_of(i, r); break;
    case Do::quiet:
      ++r.quiet;
      pc = i.body;
      break;
    case Do::quiet_end:
      --r.quiet;
      pc = after(i.next, r);
      break;
    default:
      if (!simple(i, r)) return false;
      pc = r.decided ? after(i.next, r) : i.next;
    }
  }
}

// What has at most one outcome, in place; false if it has none.
template <int W>
bool Machine<W>::simple(const Instruction& i, Regs& r) {
  switch (i.what) {
  case Do::at: return has_place(i, r) && contains(*i.c0, r.here, r);
  case Do::require: return truth(*i.c0, r);
  case Do::let: let(i, r); return true;
  case Do::go_fixed: return go_step(i, i.a, r);
  case Do::go_one: return go_step(i, first_of(*i.c0, r), r);
  case Do::lift: return lift(i, r);
  case Do::put: return put(i, r);
  case Do::discard: return discard(i, r);
  case Do::remove: remove(i, r); return true;
  case Do::drop: return drop(i, r);
  case Do::change: return change(i, r);
  case Do::move_by: return move_by(i, r);
  case Do::to_one:
  case Do::from_one: {
    const int cell = first_of(*i.c0, r);
    if (cell < 0) return false;
    if (i.what == Do::from_one) begin_at(cell, r);
    r.here = static_cast<std::int16_t>(cell);
    r.heading = -1;
    return true;
  }
  case Do::set_variable: set_variable(i, r); return true;
  case Do::set_hand: return set_hand(i, r);
  case Do::pass: write(tables_.pass, r); return true;
  case Do::again: r.again = true; return true;
  case Do::win: decide(static_cast<std::uint8_t>(kWonBy + i.a), i, r); return true;
  case Do::draw: decide(kDrawn, i, r); return true;
  case Do::lose: lose(i, r); return true;
  case Do::say:
    write_gone(r);
    for (const Expr* item : *i.items) write_value(*item, r);
    return true;
  case Do::say_kept: return say_kept(i, r);
  case Do::each_sure: return each_sure(i, r);
  case Do::each_any: return each_any(i, r);
  case Do::loop_sure: return loop_sure(i, r);
  case Do::otherwise_sure: return otherwise_sure(i, r);
  case Do::too_deep: fault(i.origin, "the rules are nested too deeply"); return false;
  default: return false; // never
  }
}

// ---------------------------------------------------------------------------------------------------- steps

template <int W>
bool Machine<W>::has_place(const Instruction& i, const Regs& r) {
  if (r.here >= 0) [[likely]]
    return true;
  fault(i.origin, "a step, a test or a piece before any `from` or `to`");
  return false;
}

template <int W>
void Machine<W>::begin_at(int cell, Regs& r) {
  write_gone(r);
  write(r.length > 0 ? tables_.spaced[at(cell)] : tables_.name[at(cell)], r);
  r.here = r.start = static_cast<std::int16_t>(cell);
  r.heading = -1;
}

template <int W>
std::uint32_t Machine<W>::from_each(const Instruction& i, Regs& r) {
  Set cells = set(*i.c0, r);
  int cell = cells.first();
  if (cell < 0) return kNone;
  const Mark m = mark();
  for (;;) {
    cells.clear(cell);
    const int next = cells.first();
    if (next < 0 || stop_) break;
    Regs copy = r;
    begin_at(cell, copy);
    run(i.next, copy);
    unwind(m);
    cell = next;
  }
  if (stop_) return kNone;
  begin_at(cell, r);
  return i.next;
}

template <int W>
std::uint32_t Machine<W>::to_each(const Instruction& i, Regs& r) {
  Set cells = set(*i.c0, r);
  r.heading = -1;
  const Mark m = mark();
  for (int cell = cells.first(); cell >= 0 && !stop_;) {
    r.here = static_cast<std::int16_t>(cell);
    cells.clear(cell);
    cell = cells.first();
    if (cell < 0) return i.next;
    branch_off(i.next, r, m);
  }
  return kNone;
}

// Sets the place, and asks the test that stands behind the step.
template <int W>
bool Machine<W>::arrives(const Instruction& i, int to, int step, Regs& r) {
  r.here = static_cast<std::int16_t>(to);
  r.heading = static_cast<std::int16_t>(step);
  return i.test == nullptr || contains(*i.test, to, r);
}

template <int W>
bool Machine<W>::go_step(const Instruction& i, int step, Regs& r) {
  if (!has_place(i, r) || step < 0) return false;
  const int to = to_[step * cells_ + r.here];
  return to >= 0 && arrives(i, to, step, r);
}

template <int W>
std::uint32_t Machine<W>::go_fan(const Instruction& i, Regs& r) {
  if (!has_place(i, r)) return kNone;
  const Fan& fan = code_.fans[i.fan];
  const Fan::Hop* hop = fan.hops.data() + fan.begin[at(r.here)];
  const Fan::Hop* const last = fan.hops.data() + fan.begin[at(r.here) + 1];
  const Fan::Hop* waiting = nullptr; // arrives, and isn't followed yet: it may be the last
  const Mark m = mark();
  for (; hop != last && !stop_; ++hop) {
    if (!arrives(i, hop->to, hop->step, r)) continue;
    if (waiting != nullptr) {
      r.here = waiting->to;
      r.heading = waiting->step;
      branch_off(i.next, r, m);
    }
    waiting = hop;
  }
  if (waiting == nullptr || stop_) return kNone;
  r.here = waiting->to;
  r.heading = waiting->step;
  return i.next;
}

template <int W>
std::uint32_t Machine<W>::go_each(const Instruction& i, Regs& r) {
  if (!has_place(i, r)) return kNone;
  const int from = r.here;
  int waiting = -1;
  const Mark m = mark();
  Set steps = set(*i.c0, r);
  for (int step = steps.first(); step >= 0 && !stop_; step = steps.first()) {
    steps.clear(step);
    const int to = to_[step * cells_ + from];
    if (to < 0 || !arrives(i, to, step, r)) continue;
    if (waiting >= 0) {
      r.here = to_[waiting * cells_ + from];
      r.heading = static_cast<std::int16_t>(waiting);
      branch_off(i.next, r, m);
    }
    waiting = step;
  }
  if (waiting < 0 || stop_) return kNone;
  r.here = to_[waiting * cells_ + from];
  r.heading = static_cast<std::int16_t>(waiting);
  return i.next;
}

template <int W>
std::uint32_t Machine<W>::bend_each(const Instruction& i, Regs& r) {
  if (!has_place(i, r)) return kNone;
  const Set steps = set(*i.c0, r);
  const int from = r.here;
  const Mark m = mark();
  for (const Curve& curve : tables_.program.board.curves) {
    if (stop_ || curve.from != from || !steps.test(curve.leaving)) continue;
    r.here = curve.to;
    r.heading = curve.heading;
    branch_off(i.next, r, m);
  }
  return kNone;
}

// ----------------------------------------------------------------------------------------------------
// choices

template <int W>
std::uint32_t Machine<W>::choose(const Instruction& i, Regs& r) {
  const Mark m = mark();
  // Within a repetition an earlier round may still go by the slot's old value.
  if (i.keep) trail_slot(i.a);
  for_members(*i.c0, i.a, r, [&] {
    branch_off(i.next, r, mark());
    return !stop_;
  });
  unwind(m);
  return kNone;
}

template <int W>
std::uint32_t Machine<W>::choose_some(const Instruction& i, Regs& r) {
  const std::int64_t wanted = number(*i.c0, r);
  const Type type = i.c1->type;
  const Mark m = mark();
  if (i.keep) trail_slot(i.a);
  if (wanted >= 0) is_list(type) ? choose_members(i, wanted, r) : choose_sets(i, wanted, r);
  unwind(m);
  return kNone;
}

// The next choice of as many among `of`, in order; false after the last.
[[nodiscard]] inline bool next_choice(std::vector<std::uint32_t>& which, std::size_t of) {
  for (std::size_t i = which.size(); i-- > 0;) {
    if (which[i] == of - which.size() + i) continue;
    ++which[i];
    for (std::size_t k = i + 1; k < which.size(); ++k) which[k] = which[k - 1] + 1;
    return true;
  }
  return false;
}

[[nodiscard]] inline std::vector<std::uint32_t> first_choice(std::int64_t wanted) {
  std::vector<std::uint32_t> which(at(wanted));
  for (std::uint32_t i = 0; i < which.size(); ++i) which[i] = i;
  return which;
}

template <int W>
bool Machine<W>::choose_sets(const Instruction& i, std::int64_t wanted, const Regs& r) {
  const Set from = set(*i.c1, r);
  std::vector<int> members;
  from.each([&](int member) { members.push_back(member); });
  if (wanted > static_cast<std::int64_t>(members.size())) return false;
  std::vector<std::uint32_t> which = first_choice(wanted);
  const Mark m = mark();
  do {
    if (!spend(i.origin, which.size())) return false;
    Set chosen;
    for (const std::uint32_t k : which) chosen.set(members[k]);
    bind_set(i.a, chosen);
    branch_off(i.next, r, m);
  } while (!stop_ && next_choice(which, members.size()));
  return true;
}

template <int W>
bool Machine<W>::choose_members(const Instruction& i, std::int64_t wanted, const Regs& r) {
  const Slice from = list(*i.c1, r);
  if (wanted > from.size || stop_) return false;
  std::vector<std::uint32_t> which = first_choice(wanted);
  const Mark m = mark();
  do {
    if (!spend(i.origin, which.size())) return false;
    const bool of_sets = i.c1->type == Type::sets;
    const std::size_t begin = of_sets ? sets_.size() : numbers_.size();
    for (const std::uint32_t k : which)
      of_sets ? sets_.push_back(Set(sets_[from.begin + k]))
              : numbers_.push_back(std::int32_t{numbers_[from.begin + k]});
    bind_list(i.a, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(which.size())});
    branch_off(i.next, r, m);
  } while (!stop_ && next_choice(which, from.size));
  return true;
}

template <int W>
std::uint32_t Machine<W>::alternatives(const Instruction& i, Regs& r) {
  const std::vector<std::uint32_t>& entries = code_.lists[i.list];
  const Mark m = mark();
  for (std::size_t k = 0; k + 1 < entries.size() && !stop_; ++k) branch_off(entries[k], r, m);
  return stop_ ? kNone : entries.back();
}

template <int W>
std::uint32_t Machine<W>::otherwise(const Instruction& i, Regs& r) {
  const std::vector<std::uint32_t>& entries = code_.lists[i.list];
  const Mark m = mark();
  for (std::size_t k = 0; k + 1 < entries.size(); ++k) {
    Frame f;
    f.outer = r.frame;
    Regs inner = r;
    inner.frame = &f;
    run(entries[k], inner);
    unwind(m);
    if (f.any || stop_) return kNone;
  }
  return entries.back();
}

template <int W>
bool Machine<W>::otherwise_sure(const Instruction& i, Regs& r) {
  const Mark m = mark();
  for (const std::uint32_t entry : code_.lists[i.list]) {
    Regs inner = r;
    if (run_block(entry, inner)) {
      r = inner;
      return true;
    }
    unwind(m);
    if (stop_) return false;
  }
  return false;
}

} // namespace boardwright::runtime::machine
