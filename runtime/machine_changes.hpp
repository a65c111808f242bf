// Changes of the state and of slots, and how they are taken back.
#pragma once

#include "runtime/machine_class.hpp"

namespace boardwright::runtime::machine {

// ----------------------------------------------------------------------------------------------------
// reading

template <int W>
std::span<const std::uint8_t> Machine<W>::content(const State<W>& s, int cell) const {
  if (tables_.stacks) {
    const Slice slice = s.stack[at(cell)];
    return {bytes_.data() + slice.begin, slice.size};
  }
  return {&s.top[at(cell)], s.top[at(cell)] != 0 ? std::size_t{1} : 0};
}

template <int W>
std::uint64_t Machine<W>::stack_hash(int cell, Slice slice, std::size_t from) const {
  std::uint64_t hash = 0;
  for (std::size_t level = from; level < slice.size; ++level) {
    const std::uint8_t code = bytes_[slice.begin + level];
    hash ^= level == 0 ? tables_.ground[at(cell) * 256 + code] : piece_key(cell, level, code);
  }
  return hash;
}

// ---------------------------------------------------------------------------------------------------- cells

template <int W>
void Machine<W>::place_code(State<W>& s, int cell, std::uint8_t code) const {
  const std::uint64_t* keys = tables_.ground.data() + at(cell) * 256;
  s.board_hash ^= keys[s.top[at(cell)]] ^ keys[code];
  s.set_top(tables_.pieces, cell, code);
}

template <int W>
void Machine<W>::place_stack(State<W>& s, int cell, Slice slice) const {
  const Slice old = s.stack[at(cell)];
  // Up to here both have the same pieces: what is lifted off or laid on shares them.
  std::size_t common = 0;
  const std::size_t least = std::min(old.size, slice.size);
  if (old.begin == slice.begin)
    common = least;
  else
    while (common < least && bytes_[old.begin + common] == bytes_[slice.begin + common]) ++common;
  s.board_hash ^= stack_hash(cell, old, common) ^ stack_hash(cell, slice, common);
  s.stack[at(cell)] = slice;
  s.set_top(tables_.pieces, cell, slice.size == 0 ? std::uint8_t{0} : bytes_[slice.begin + slice.size - 1]);
}

template <int W>
void Machine<W>::set_code(int cell, std::uint8_t code) {
  push(Past::What::cell, at(cell), pos_->top[at(cell)]);
  place_code(*pos_, cell, code);
}

template <int W>
void Machine<W>::set_stack(int cell, Slice slice) {
  push(Past::What::cell, at(cell), pos_->stack[at(cell)].begin, pos_->stack[at(cell)].size);
  place_stack(*pos_, cell, slice);
}

// The stack of some pieces with a part of the arena on top, which may be the arena's own pieces.
template <int W>
Slice Machine<W>::joined(std::span<const std::uint8_t> below, Slice above, std::uint32_t origin) {
  if (below.empty()) return above;
  const std::size_t size = below.size() + above.size;
  if (bytes_.size() + size > kMaxArena) {
    fault(origin, "too many pieces are moved about");
    return above;
  }
  const std::size_t from = static_cast<std::size_t>(below.data() - bytes_.data());
  const Slice slice{static_cast<std::uint32_t>(bytes_.size()), static_cast<std::uint32_t>(size)};
  bytes_.resize(bytes_.size() + size);
  std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(from), below.size(), bytes_.begin() + slice.begin);
  std::copy_n(bytes_.begin() + above.begin, above.size,
              bytes_.begin() + slice.begin + static_cast<std::ptrdiff_t>(below.size()));
  return slice;
}

template <int W>
Slice Machine<W>::repeated(std::uint8_t code, std::size_t times) {
  const Slice slice{static_cast<std::uint32_t>(bytes_.size()), static_cast<std::uint32_t>(times)};
  bytes_.insert(bytes_.end(), times, code);
  return slice;
}

// ---------------------------------------------------------------------------------------------------- the
// rest

template <int W>
void Machine<W>::change_hand(std::size_t hand, std::int32_t number) {
  push(Past::What::hand, hand, static_cast<std::uint32_t>(pos_->hands[hand]));
  pos_->set_hand(hand, number);
}

template <int W>
void Machine<W>::change_number(std::size_t variable, std::int32_t number) {
  push(Past::What::number, variable, static_cast<std::uint32_t>(pos_->numbers[variable]));
  pos_->set_number(variable, number);
}

template <int W>
void Machine<W>::change_set(std::size_t variable, const Set& set) {
  push(Past::What::set, variable, 0);
  past_sets_.push_back(pos_->sets[variable]);
  pos_->set_set(variable, set);
}

template <int W>
void Machine<W>::trail_slot(std::int32_t slot) {
  const SlotValue& s = slots_[at(slot)];
  switch (code_.slot_types[at(slot)]) {
  case Type::cells:
  case Type::directions:
    push(Past::What::slot_set, at(slot), 0);
    past_sets_.push_back(slot_sets_[at(slot)]);
    return;
  case Type::map:
    push(Past::What::slot_map, at(slot), 0);
    past_maps_.push_back(slot_maps_[at(slot)]);
    return;
  case Type::numbers:
  case Type::sets:
  case Type::kinds:
  case Type::players: push(Past::What::slot_list, at(slot), s.list.begin, s.list.size); return;
  default: push(Past::What::slot_number, at(slot), static_cast<std::uint32_t>(s.number)); return;
  }
}

// ---------------------------------------------------------------------------------------------------- going
// back

template <int W>
void Machine<W>::take_back(const Past& p) {
  switch (p.what) {
  case Past::What::cell:
    if (tables_.stacks) return place_stack(*pos_, p.index, {p.first, p.second});
    return place_code(*pos_, p.index, static_cast<std::uint8_t>(p.first));
  case Past::What::hand: return pos_->set_hand(p.index, static_cast<std::int32_t>(p.first));
  case Past::What::number: return pos_->set_number(p.index, static_cast<std::int32_t>(p.first));
  case Past::What::set: pos_->set_set(p.index, past_sets_.back()); return past_sets_.pop_back();
  case Past::What::slot_number: return bind_number(p.index, static_cast<std::int32_t>(p.first));
  case Past::What::slot_list: return bind_list(p.index, {p.first, p.second});
  case Past::What::slot_set: bind_set(p.index, past_sets_.back()); return past_sets_.pop_back();
  case Past::What::slot_map: bind_map(p.index, past_maps_.back()); return past_maps_.pop_back();
  }
}

template <int W>
void Machine<W>::unwind_trail(std::size_t length) {
  while (trail_.size() > length) {
    take_back(trail_.back());
    trail_.pop_back();
  }
}

// The arenas keep what collected outcomes still refer to.
template <int W>
void Machine<W>::unwind(const Mark& m) {
  if (trail_.size() > m.trail) unwind_trail(m.trail);
  if (bytes_.size() > m.bytes) bytes_.resize(std::max(m.bytes, bytes_floor_));
  if (numbers_.size() > m.numbers) numbers_.resize(std::max(m.numbers, numbers_floor_));
  if (sets_.size() > m.sets) sets_.resize(std::max(m.sets, sets_floor_));
}

} // namespace boardwright::runtime::machine
