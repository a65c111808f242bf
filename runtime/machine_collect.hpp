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
  c.needs = {};
  c.found = 0;
  c.seen.clear();
  return c;
}

template <int W>
void Machine<W>::forget_outcomes(Collection& c) {
  redo_total_ -= c.redo.size();
  c.redo.clear();
  c.redo_sets.clear();
  c.redo_maps.clear();
  c.kept = 0;
}

// The arenas stay as long as those outside need them.
template <int W>
void Machine<W>::end_collection(Collection& c) {
  forget_outcomes(c);
  --collections_used_;
  bytes_floor_ = numbers_floor_ = sets_floor_ = 0;
  for (std::size_t k = 0; k < collections_used_; ++k) {
    const Mark& needs = collections_[k].needs;
    bytes_floor_ = std::max(bytes_floor_, needs.bytes);
    numbers_floor_ = std::max(numbers_floor_, needs.numbers);
    sets_floor_ = std::max(sets_floor_, needs.sets);
  }
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

// ----------------------------------------------------------------------------------------------------
// outcomes

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
  if (c.kept > 0 && value > c.best) forget_outcomes(c);
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
  if (redo_total_ + (trail_.size() - c.trail) > kMaxTrail || c.kept > kMaxMoves)
    return fault(c.of->origin, "too many outcomes are compared");
  Collected& o = c.outcomes[place];
  o.regs = r;
  o.redo = c.redo.size();
  for (std::size_t k = c.trail; k < trail_.size(); ++k) save_now(trail_[k].what, trail_[k].index, c);
  for (const SlotRef& slot : code_.frames[c.of->bound]) save_now(slot_part(slot.type), at(slot.slot), c);
  o.redo_end = c.redo.size();
  redo_total_ += o.redo_end - o.redo;
  spend(c.of->origin, o.redo_end - o.redo);
  if (writing_) o.text.assign(text_, 0, r.length);
  c.needs = mark();
  bytes_floor_ = bytes_.size();
  numbers_floor_ = numbers_.size();
  sets_floor_ = sets_.size();
}

// Notes what stands at a place now.
template <int W>
void Machine<W>::save_now(Past::What what, std::size_t index, Collection& into) {
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
    p.first = static_cast<std::uint32_t>(into.redo_sets.size());
    into.redo_sets.push_back(what == Past::What::set ? pos_->sets[index] : slot_sets_[index]);
    break;
  case Past::What::slot_map:
    p.first = static_cast<std::uint32_t>(into.redo_maps.size());
    into.redo_maps.push_back(slot_maps_[index]);
    break;
  }
  into.redo.push_back(p);
}

template <int W>
void Machine<W>::redo(const Collection& c, const Past& p) {
  if (p.what >= Past::What::slot_number) trail_slot(p.index);
  switch (p.what) {
  case Past::What::cell:
    if (tables_.stacks) return set_stack(p.index, {p.first, p.second});
    return set_code(p.index, static_cast<std::uint8_t>(p.first));
  case Past::What::hand: return change_hand(p.index, static_cast<std::int32_t>(p.first));
  case Past::What::number: return change_number(p.index, static_cast<std::int32_t>(p.first));
  case Past::What::set: return change_set(p.index, c.redo_sets[p.first]);
  case Past::What::slot_number: return bind_number(p.index, static_cast<std::int32_t>(p.first));
  case Past::What::slot_list: return bind_list(p.index, {p.first, p.second});
  case Past::What::slot_set: return bind_set(p.index, c.redo_sets[p.first]);
  case Past::What::slot_map: return bind_map(p.index, c.redo_maps[p.first]);
  }
}

template <int W>
void Machine<W>::replay(const Collection& c, std::size_t which, Frame* frame, Regs& r) {
  const Collected& o = c.outcomes[which];
  for (std::size_t k = o.redo; k < o.redo_end; ++k) redo(c, c.redo[k]);
  r = o.regs;
  r.frame = frame;
  if (writing_) text_ = o.text;
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
    replay(c, k, frame, copy);
    run(after(i.next, copy), copy);
    unwind(m);
  }
  const bool some = c.kept > 0 && !stop_;
  if (some) replay(c, c.kept - 1, frame, r);
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
    if (!stop_) replay(c, 0, r.frame, r);
    end_collection(c);
    return !stop_;
  });
}

} // namespace boardwright::runtime::machine
