// Repetition.
//
// A round is one level of recursion, whose Frame lives in the C++ call that began it. Where a round has at
// most one outcome the rounds are a plain loop instead.
#pragma once

#include "runtime/machine_actions.hpp"

namespace boardwright::runtime::machine {

template <int W>
typename Machine<W>::Bounds Machine<W>::bounds(const Instruction& i, const Regs& r) {
  const std::int64_t low = std::max(0, number(*i.c0, r));
  return {low, i.c1 == nullptr ? std::numeric_limits<std::int64_t>::max() : number(*i.c1, r)};
}

// ----------------------------------------------------------------------------------------------------
// equality

template <int W>
std::uint64_t Machine<W>::slot_key(const SlotRef& slot) const {
  const SlotValue& s = slots_[at(slot.slot)];
  switch (slot.type) {
  case Type::cells:
  case Type::directions: return set_key(1, slot_sets_[at(slot.slot)]);
  case Type::map: {
    const CellMap& m = slot_maps_[at(slot.slot)];
    std::uint64_t key = m.valid ? 1 : 0;
    for (const std::int32_t part : {m.xx, m.xy, m.yx, m.yy, m.over, m.px, m.py, m.dx, m.dy})
      key = chain(key, static_cast<std::uint32_t>(part));
    return key;
  }
  case Type::sets:
  case Type::numbers:
  case Type::kinds:
  case Type::players: {
    std::uint64_t key = s.list.size;
    for (std::uint32_t k = s.list.begin; k < s.list.begin + s.list.size; ++k)
      key = chain(key,
                  slot.type == Type::sets ? set_key(2, sets_[k]) : static_cast<std::uint32_t>(numbers_[k]));
    return key;
  }
  default: return static_cast<std::uint32_t>(s.number);
  }
}

// Of all that makes drafts equal: everything but the notation; of locals those of the frame.
template <int W>
std::uint64_t Machine<W>::draft_key(std::uint32_t frame, const Regs& r) const {
  std::uint64_t key = pos_->board_hash ^ pos_->rest_hash;
  key = chain(key, static_cast<std::uint64_t>(static_cast<std::uint16_t>(r.here)) << 48 |
                       static_cast<std::uint64_t>(static_cast<std::uint16_t>(r.start)) << 32 |
                       static_cast<std::uint64_t>(static_cast<std::uint16_t>(r.heading)) << 16 |
                       static_cast<std::uint64_t>(r.decision) << 1 | (r.again ? 1U : 0U));
  key = chain(key, static_cast<std::uint64_t>(r.out) << 32 | r.carried.size);
  if (r.carried.size > 0) {
    if (tables_.stacks)
      for (std::uint32_t k = 0; k < r.carried.size; ++k) key = chain(key, bytes_[r.carried.begin + k]);
    else
      key = chain(key, r.carried.begin);
  }
  for (const SlotRef& slot : code_.frames[frame]) key = chain(key, slot_key(slot));
  return key;
}

// A draft's key takes as long as so many plain instructions.
inline constexpr std::uint64_t kKeyWork = 16;

// Has the path come by this draft before? If not, it does now. The path begins where the lower bound is
// reached, because A+ is A, A*; inside a reach, drafts that owe rounds count as others. Frames differ from
// loop to loop, and so do their keys: inner loops leave theirs on the path of outer ones.
template <int W>
bool Machine<W>::on_path(const Instruction& i, std::size_t path, std::int64_t round, std::int64_t low,
                         const Regs& r) {
  const std::int64_t owed = std::max<std::int64_t>(low - round, 0);
  if (owed > 0 && !i.in_reach) return false;
  const std::uint64_t key = chain(draft_key(i.list, r), static_cast<std::uint64_t>(owed) << 32 | i.list);
  spend(i.origin, kKeyWork + (path_.size() - path) / 16);
  for (std::size_t k = path; k < path_.size(); ++k)
    if (path_[k] == key) return true;
  path_.push_back(key);
  return false;
}

// The same where the drafts of all paths count.
template <int W>
bool Machine<W>::visit(const Instruction& i, Frame& f, const Regs& r, bool ended) {
  const std::int64_t owed = std::max<std::int64_t>(f.low - f.round, 0);
  return f.visited->add(
      chain(draft_key(i.list, r), static_cast<std::uint64_t>(owed) << 1 | (ended ? 1U : 0U)));
}

// ---------------------------------------------------------------------------------------------------- by
// recursion

template <int W>
std::uint32_t Machine<W>::enter_loop(const Instruction& i, Regs& r) {
  const Bounds b = bounds(i, r);
  if (b.high < b.low) return kNone;
  Frame f;
  f.outer = r.frame;
  f.low = b.low;
  f.high = b.high;
  f.path = path_.size();
  if (!i.check) return rounds(i, f, r);
  if (!i.in_reach) {
    on_path(i, f.path, 0, f.low, r);
    const std::uint32_t next = rounds(i, f, r);
    path_.resize(f.path);
    return next;
  }
  const std::size_t used = visited_used_;
  if (!i.shared || shared_visited_ == nullptr) {
    if (visited_used_ == visited_.size()) visited_.emplace_back();
    f.visited = &visited_[visited_used_++];
    f.visited->clear();
    if (i.shared) shared_visited_ = f.visited;
  } else {
    f.visited = shared_visited_;
  }
  const std::uint32_t next = visit(i, f, r, false) ? rounds(i, f, r) : kNone;
  if (!i.shared) visited_used_ = used;
  return next;
}

// All further rounds, then whether the repetition may end here: the answer is where that goes on.
template <int W>
std::uint32_t Machine<W>::rounds(const Instruction& i, Frame& f, Regs& r) {
  if (f.round < f.high) {
    const Mark m = mark();
    Regs inner = r;
    inner.frame = &f;
    run(i.body, inner);
    unwind(m);
    if (stop_) return kNone;
  }
  if (f.round < f.low || ((i.a & kMaximal) != 0 && f.any)) return kNone;
  r.frame = f.outer;
  return i.next;
}

template <int W>
std::uint32_t Machine<W>::end_round(const Instruction& end, Regs& r) {
  const Instruction& i = instructions_[end.other];
  Frame& f = *r.frame;
  f.any = true;
  Frame next = f;
  next.any = false;
  ++next.round;
  const bool ended = ends(i, r);
  if (i.check && i.in_reach && !visit(i, next, r, ended)) return kNone;
  if (ended) {
    r.frame = f.outer;
    return after(i.next, r);
  }
  const std::size_t length = path_.size();
  if (i.check && !i.in_reach && on_path(i, f.path, next.round, f.low, r)) return kNone;
  const std::uint32_t on = rounds(i, next, r);
  path_.resize(length);
  return on;
}

// ---------------------------------------------------------------------------------------------------- in
// place

template <int W>
std::uint32_t Machine<W>::loop_block(const Instruction& i, Regs& r) {
  const Bounds b = bounds(i, r);
  const std::size_t path = path_.size();
  std::uint32_t next = kNone;
  if (b.high < b.low) return kNone;
  for (std::int64_t round = 0; round <= b.high; ++round) {
    if (i.check && on_path(i, path, round, b.low, r)) break;
    if (round >= kMaxDepth) fault(i.origin, "a repetition has too many rounds");
    if (round == b.high && round >= b.low) next = i.next;
    if (round == b.high || stop_) break;
    if (round >= b.low) branch_off(i.next, r, mark());
    if (stop_ || !run_block(i.body, r)) break;
    if (!ends(i, r)) continue;
    next = after(i.next, r);
    break;
  }
  path_.resize(path);
  return stop_ ? kNone : next;
}

// As long as possible, or a fixed number of times: one outcome at the most.
template <int W>
bool Machine<W>::loop_sure(const Instruction& i, Regs& r) {
  const Bounds b = bounds(i, r);
  const std::size_t path = path_.size();
  bool good = b.high >= b.low;
  for (std::int64_t round = 0; good && round < b.high; ++round) {
    // A dropped outcome still counts as a further one, so it doesn't end here either.
    if (i.check && on_path(i, path, round, b.low, r)) good = false;
    if (round >= kMaxDepth) fault(i.origin, "a repetition has too many rounds");
    if (!good || stop_) break;
    const Mark m = mark();
    const Regs here = r;
    if (!run_block(i.body, r)) {
      unwind(m);
      r = here;
      good = round >= b.low;
      break;
    }
    if (ends(i, r)) break;
  }
  path_.resize(path);
  return good && !stop_;
}

} // namespace boardwright::runtime::machine
