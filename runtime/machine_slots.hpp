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
    case SlotOp::What::begin: now = set(*s.value, r); break;
    case SlotOp::What::step: now = stepped_by(s.step, before); break;
    case SlotOp::What::keep: now = before & set(*s.value, r); break;
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
  for (auto left = static_cast<std::int64_t>(k); left >= chosen->count; ++chosen) {
    left -= chosen->count;
    k = static_cast<std::uint64_t>(left);
  }
  const int cell = chosen->set.nth(static_cast<int>(k));
  bind_member(plan.slot, plan.origins[chosen->leaf][at(cell)]);
  if (code_.uses_history) enter_history();
  if (code_.uses_before) beginning_ = now_;
  mover_ = now_.to_move;
  turn_board_hash_ = now_.board_hash;
  turn_hands_ = now_.hands;
  work_ = kMaxWork;
  Regs r;
  r.out = now_.out;
  r.quiet = 1;
  moving_ = true;
  const bool done = run_block(plan.entries[chosen->leaf], r);
  moving_ = false;
  trail_.clear();
  past_sets_.clear();
  past_maps_.clear();
  numbers_.clear();
  sets_.clear();
  if (!done || stop_) {
    fault(instructions_[plan.entries[chosen->leaf]].origin, "a move that was counted can't be carried out");
    return false;
  }
  finish_turn(r);
  return true;
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
