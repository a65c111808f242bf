// Slots: counting the moves of a turn for all cells at once, and carrying out one of them.
#pragma once

#include "runtime/machine_class.hpp"

namespace boardwright::runtime::machine {

template <int W>
std::int64_t Machine<W>::count_slots() {
  std::int64_t& known = derived_->slots;
  if (known != kUncounted) return known;
  known = kUnknown;
  const auto& plan = code_.players[at(now_.to_move)].slots;
  if (!plan || (now_.out >> now_.to_move & 1) != 0) return known;
  if (registers_.size() < plan->depth + 1) registers_.resize(plan->depth + 1);
  const std::uint64_t work = std::exchange(work_, kMaxWork);
  for (const SlotGroup& group : plan->groups) {
    known = count_group(*plan, group);
    if (known != 0) break;
  }
  work_ = work;
  if (stop_) known = kUnknown;
  return known;
}

template <int W>
typename Machine<W>::Set Machine<W>::slot_set(const SlotStep& s, const Regs& r) {
  switch (s.source) {
  case SlotStep::Source::owner: return now_.owner[s.index];
  case SlotStep::Source::empty: return tables_.board - now_.occupied;
  case SlotStep::Source::constant: return tables_.constants[s.index];
  case SlotStep::Source::value: break;
  }
  return set(*s.value, r);
}

template <int W>
std::int64_t Machine<W>::count_group(const SlotCode& plan, const SlotGroup& group) {
  const Regs r;
  std::int64_t total = 0;
  leaves_.clear();
  for (std::uint32_t i = group.begin; i < group.end;) {
    const SlotStep& s = plan.steps[i];
    // Register 0 is the empty set before any `begin`.
    const Set& before = registers_[s.depth];
    if (s.what == SlotOp::What::leaf) {
      if (group.probe) return kUnknown;
      const std::int32_t count = before.count();
      leaves_.push_back({s.leaf, count, before});
      total += count;
      ++i;
      continue;
    }
    Set& now = registers_[s.depth + 1];
    switch (s.what) {
    case SlotOp::What::begin: now = slot_set(s, r); break;
    case SlotOp::What::step: now = stepped_by(s.step, before); break;
    case SlotOp::What::keep: now = before & slot_set(s, r); break;
    case SlotOp::What::able: now = before & origins(*s.value->walk, tables_.board, r); break;
    default: now = truth(*s.value, r) ? before : Set(); break;
    }
    i = now.any() ? i + 1 : s.skip;
  }
  return total;
}

template <int W>
bool Machine<W>::play_slot(std::uint64_t k) {
  const SlotCode& plan = *code_.players[at(now_.to_move)].slots;
  auto chosen = leaves_.begin();
  auto left = static_cast<std::int64_t>(k);
  for (; left >= chosen->count; ++chosen) left -= chosen->count;
  const SlotEnd& end = plan.ends[chosen->leaf];
  const int cell = chosen->set.nth(static_cast<int>(left));
  const int origin = end.leaf.origin[at(cell)];
  if (code_.uses_history) enter_history();
  if (code_.uses_before) beginning_ = now_;
  mover_ = now_.to_move;
  turn_board_hash_ = now_.board_hash;
  if (!now_.hands.empty()) turn_hands_ = now_.hands;
  Regs r;
  r.out = now_.out;
  r.quiet = 1;
  const bool done =
      end.leaf.direct ? play_direct(plan, end, origin, cell, r) : play_action(plan, end, origin, r);
  if (!done || stop_) {
    fault(0, "a move that was counted can't be carried out");
    return false;
  }
  finish_turn(r);
  return true;
}

template <int W>
bool Machine<W>::play_action(const SlotCode& plan, const SlotEnd& end, int origin, Regs& r) {
  bind_member(plan.slot, origin);
  return play_block(end.entry, r);
}

template <int W>
bool Machine<W>::play_direct(const SlotCode& plan, const SlotEnd& end, int origin, int cell, Regs& r) {
  std::uint8_t carried = 0;
  for (const SlotEffect& e : end.leaf.effects) {
    const int where = plan.places[e.place][at(origin)];
    switch (e.what) {
    case SlotEffect::What::lift:
      carried = now_.top[at(where)];
      place_code(now_, where, 0);
      break;
    case SlotEffect::What::put: place_code(now_, where, carried); break;
    case SlotEffect::What::clear: place_code(now_, where, 0); break;
    case SlotEffect::What::drop: place_code(now_, where, tables_.pieces.code_of(e.owner, e.kind)); break;
    }
  }
  if (end.tail == kNone) return true;
  r.here = static_cast<std::int16_t>(cell);
  if (end.leaf.starts) r.start = static_cast<std::int16_t>(origin);
  r.heading = static_cast<std::int16_t>(end.leaf.heading);
  return play_block(end.tail, r);
}

// Nothing of it will be taken back.
template <int W>
bool Machine<W>::play_block(std::uint32_t entry, Regs& r) {
  work_ = kMaxWork;
  moving_ = true;
  const bool done = run_block(entry, r);
  moving_ = false;
  trail_.clear();
  past_sets_.clear();
  past_maps_.clear();
  numbers_.clear();
  sets_.clear();
  return done;
}

template <int W>
void Machine<W>::finish_turn(const Regs& r) {
  const int next = next_player(r);
  ++now_.turns[at(now_.to_move)];
  ++now_.ply;
  ++length_;
  now_.to_move = next;
  now_.out = r.out;
  decision_ = {r.decision, r.last_left, r.origin};
}

} // namespace boardwright::runtime::machine
