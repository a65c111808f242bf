// `most`, `distinct` and `each`: outcomes are collected first, then gone on from.
//
// A collected outcome is what its draft changed (every place that is on the trail, with what stands there
// now) and its Regs. Going on from it is to make those changes again.
#pragma once

#include "runtime/machine_loops.hpp"

namespace boardwright::runtime::machine {

template <int W>
typename Machine<W>::Collection& Machine<W>::begin_collection(const Instruction& i) {
  if (collections_used_ == collections_.size()) collections_.emplace_back();
  Collection& c = collections_[collections_used_++];
  c.of = &i;
  c.trail = trail_.size();
  c.floor = {0, bytes_floor_, numbers_floor_, sets_floor_};
  c.redo = redo_.size();
  c.redo_sets = redo_sets_.size();
  c.redo_maps = redo_maps_.size();
  c.found = c.kept = 0;
  c.seen.clear();
  return c;
}

template <int W>
void Machine<W>::end_collection(Collection& c) {
  redo_.resize(c.redo);
  redo_sets_.resize(c.redo_sets);
  redo_maps_.resize(c.redo_maps);
  bytes_floor_ = c.floor.bytes;
  numbers_floor_ = c.floor.numbers;
  sets_floor_ = c.floor.sets;
  --collections_used_;
}

template <int W>
void Machine<W>::run_collection(Collection& c, const Regs& r) {
  Frame f;
  f.outer = r.frame;
  f.collection = &c;
  Regs inner = r;
  inner.frame = &f;
  const Mark m = mark();
  run(after(c.of->body, inner), inner);
  unwind(m);
}

// ---------------------------------------------------------------------------------------------------- an
// outcome

template <int W>
void Machine<W>::collected(Regs& r) {
  Collection& c = *r.frame->collection;
  ++c.found;
  if (c.of->what == Do::each_any) {
    if (c.found > 1)
      return fault(c.of->origin, "the action of `each` must have exactly one outcome, and has several");
    return keep(c, 0, r);
  }
  c.of->c0 != nullptr ? keep_most(c, r) : keep_distinct(c, r);
}

template <int W>
void Machine<W>::keep_most(Collection& c, const Regs& r) {
  const std::int32_t value = number(*c.of->c0, r);
  if (c.kept > 0 && value < c.best) return;
  if (c.kept > 0 && value > c.best) {
    c.kept = 0;
    redo_.resize(c.redo);
    redo_sets_.resize(c.redo_sets);
    redo_maps_.resize(c.redo_maps);
  }
  c.best = value;
  keep(c, c.kept, r);
}

// Of equal ones the one with the shortest notation, then the first in order of text. What stands before is
// the same.
template <int W>
void Machine<W>::keep_distinct(Collection& c, const Regs& r) {
  const auto fresh = static_cast<std::uint32_t>(c.kept);
  const std::uint32_t place =
      c.seen.find_or_add(draft_key(c.of->list, r), fresh, [](std::uint32_t) { return true; });
  if (place == fresh) return keep(c, place, r);
  const Collected& other = c.outcomes[place];
  if (other.regs.length < r.length) return;
  if (other.regs.length > r.length || text_.compare(0, r.length, other.text) < 0) keep(c, place, r);
}

template <int W>
Past::What Machine<W>::slot_part(Type type) {
  switch (type) {
  case Type::cells:
  case Type::directions: return Past::What::slot_set;
  case Type::map: return Past::What::slot_map;
  case Type::numbers:
  case Type::sets:
  case Type::kinds:
  case Type::players: return Past::What::slot_list;
  default: return Past::What::slot_number;
  }
}

template <int W>
void Machine<W>::keep(Collection& c, std::size_t place, const Regs& r) {
  if (place == c.outcomes.size()) c.outcomes.emplace_back();
  if (place == c.kept) ++c.kept;
  if (redo_.size() + (trail_.size() - c.trail) > kMaxTrail || c.kept > kMaxMoves)
    return fault(c.of->origin, "too many outcomes are compared");
  Collected& o = c.outcomes[place];
  o.regs = r;
  o.redo = redo_.size();
  for (std::size_t k = c.trail; k < trail_.size(); ++k) save_now(trail_[k].what, trail_[k].index);
  for (const SlotRef& slot : code_.frames[c.of->bound]) save_now(slot_part(slot.type), at(slot.slot));
  o.redo_end = redo_.size();
  spend(c.of->origin, o.redo_end - o.redo);
  if (writing_) o.text.assign(text_, 0, r.length);
  bytes_floor_ = bytes_.size();
  numbers_floor_ = numbers_.size();
  sets_floor_ = sets_.size();
}

// Notes what stands at a place now.
template <int W>
void Machine<W>::save_now(Past::What what, std::size_t index) {
  Past p{what, static_cast<std::uint16_t>(index), 0, 0};
  switch (what) {
  case Past::What::cell:
    if (tables_.stacks) {
      p.first = pos_->stack[index].begin;
      p.second = pos_->stack[index].size;
    } else {
      p.first = pos_->top[index];
    }
    break;
  case Past::What::hand: p.first = static_cast<std::uint32_t>(pos_->hands[index]); break;
  case Past::What::number: p.first = static_cast<std::uint32_t>(pos_->numbers[index]); break;
  case Past::What::slot_number: p.first = static_cast<std::uint32_t>(slots_[index].number); break;
  case Past::What::slot_list:
    p.first = slots_[index].list.begin;
    p.second = slots_[index].list.size;
    break;
  case Past::What::set:
  case Past::What::slot_set:
    p.first = static_cast<std::uint32_t>(redo_sets_.size());
    redo_sets_.push_back(what == Past::What::set ? pos_->sets[index] : slot_sets_[index]);
    break;
  case Past::What::slot_map:
    p.first = static_cast<std::uint32_t>(redo_maps_.size());
    redo_maps_.push_back(slot_maps_[index]);
    break;
  }
  redo_.push_back(p);
}

template <int W>
void Machine<W>::redo(const Past& p) {
  if (p.what >= Past::What::slot_number) trail_slot(p.index);
  switch (p.what) {
  case Past::What::cell:
    if (tables_.stacks) return set_stack(p.index, {p.first, p.second});
    return set_code(p.index, static_cast<std::uint8_t>(p.first));
  case Past::What::hand: return change_hand(p.index, static_cast<std::int32_t>(p.first));
  case Past::What::number: return change_number(p.index, static_cast<std::int32_t>(p.first));
  case Past::What::set: return change_set(p.index, redo_sets_[p.first]);
  case Past::What::slot_number: slots_[p.index].number = static_cast<std::int32_t>(p.first); return;
  case Past::What::slot_list: slots_[p.index].list = {p.first, p.second}; return;
  case Past::What::slot_set: return bind_set(p.index, redo_sets_[p.first]);
  case Past::What::slot_map: slot_maps_[p.index] = redo_maps_[p.first]; return;
  }
}

template <int W>
void Machine<W>::replay(const Collected& c, Frame* frame, Regs& r) {
  for (std::size_t k = c.redo; k < c.redo_end; ++k) redo(redo_[k]);
  r = c.regs;
  r.frame = frame;
  if (writing_) text_ = c.text;
}

// ---------------------------------------------------------------------------------------------------- the
// actions

// `distinct` compares texts, so it needs them even where nobody else does.
template <int W>
std::uint32_t Machine<W>::collect(const Instruction& i, Regs& r) {
  Collection& c = begin_collection(i);
  const bool was_writing = writing_;
  writing_ = was_writing || i.c0 == nullptr;
  run_collection(c, r);
  writing_ = was_writing;
  Frame* const frame = r.frame;
  const Mark m = mark();
  for (std::size_t k = 0; k + 1 < c.kept && !stop_; ++k) {
    Regs copy;
    replay(c.outcomes[k], frame, copy);
    run(after(i.next, copy), copy);
    unwind(m);
  }
  const bool some = c.kept > 0 && !stop_;
  if (some) replay(c.outcomes[c.kept - 1], frame, r);
  end_collection(c);
  return some ? after(i.next, r) : kNone;
}

template <int W>
bool Machine<W>::each_sure(const Instruction& i, Regs& r) {
  return for_members(*i.c0, i.a, r, [&] {
    if (r.decided) return true;
    if (run_block(i.body, r)) return !stop_;
    fault(i.origin, "the action of `each` must have exactly one outcome, and has none");
    return false;
  });
}

template <int W>
bool Machine<W>::each_any(const Instruction& i, Regs& r) {
  return for_members(*i.c0, i.a, r, [&] {
    if (r.decided) return true;
    Collection& c = begin_collection(i);
    run_collection(c, r);
    if (c.found == 0) fault(i.origin, "the action of `each` must have exactly one outcome, and has none");
    if (!stop_) replay(c.outcomes[0], r.frame, r);
    end_collection(c);
    return !stop_;
  });
}

} // namespace boardwright::runtime::machine
