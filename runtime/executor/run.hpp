// The loop over the operations.
#pragma once

#include "runtime/executor/boxes.hpp"
#include "runtime/executor/changes.hpp"
#include "runtime/executor/drafts.hpp"
#include "runtime/executor/images.hpp"
#include "runtime/executor/looks.hpp"
#include "runtime/executor/memo.hpp"
#include "runtime/executor/native.hpp"
#include "runtime/executor/notation.hpp"
#include "runtime/executor/stock.hpp"
#include "runtime/executor/turns.hpp"
#include "runtime/model/arithmetic.hpp"
#include "runtime/model/spread.hpp"
#include "runtime/model/unbounded_repeat.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::executor {

template <int W>
void Executor<W>::fail(const I& i, std::string message) {
  if (!fault_) fault_ = Fault{std::move(message), i.origin};
}

// ---------------------------------------------------------------- registers that a call keeps

template <int W>
void Executor<W>::keep(std::int32_t window) {
  const ir::Window& w = code_.windows[at(window)];
  stack_.push_back({window, 0});
  const std::size_t boxes = w.box_end - w.box_begin, before = kept_box_bytes_;
  for (const ir::Reg r : w.sets) kept_sets_.push_back(m_.sets[r]);
  for (const ir::Reg r : w.numbers) kept_numbers_.push_back(m_.numbers[r]);
  if (kept_boxes_.size() < kept_box_count_ + boxes) kept_boxes_.resize(2 * (kept_box_count_ + boxes));
  for (std::size_t k = 0; k < boxes; ++k) {
    kept_boxes_[kept_box_count_ + k] = m_.boxes[w.box_begin + k];
    kept_box_bytes_ += m_.boxes[w.box_begin + k].bytes();
  }
  charge((kept_box_bytes_ - before) / kBytesPerStep);
  kept_box_count_ += boxes;
}

template <int W>
void Executor<W>::restore() {
  const ir::Window& w = code_.windows[at(stack_.back().window)];
  stack_.pop_back();
  const std::size_t sets = w.sets.size(), numbers = w.numbers.size(), boxes = w.box_end - w.box_begin;
  for (std::size_t k = 0; k < sets; ++k) m_.sets[w.sets[k]] = kept_sets_[kept_sets_.size() - sets + k];
  kept_sets_.resize(kept_sets_.size() - sets);
  for (std::size_t k = 0; k < numbers; ++k)
    m_.numbers[w.numbers[k]] = kept_numbers_[kept_numbers_.size() - numbers + k];
  kept_numbers_.resize(kept_numbers_.size() - numbers);
  kept_box_count_ -= boxes;
  for (std::size_t k = 0; k < boxes; ++k) {
    kept_box_bytes_ -= kept_boxes_[kept_box_count_ + k].bytes();
    std::swap(m_.boxes[w.box_begin + k], kept_boxes_[kept_box_count_ + k]);
  }
}

// ---------------------------------------------------------------- memos

template <int W>
std::uint64_t* Executor<W>::memo_slot(int memo, int a, int b) {
  if (a < 0 || b < 0) return nullptr;
  const auto slot = at(a * l_.cells + b) % ir::kMemoSlots;
  return memos_.data() + (at(memo) * ir::kMemoSlots + slot) * (W + 1);
}

template <int W>
bool Executor<W>::recall(const I& i) {
  const int a = m_.numbers[i.a], b = m_.numbers[i.b];
  const std::uint64_t* const slot = memo_slot(i.c, a, b);
  if (slot == nullptr || slot[0] != at(a * l_.cells + b + 1)) return false;
  for (unsigned k = 0; k < W; ++k) m_.sets[i.d].word[k] = slot[1 + k];
  return true;
}

template <int W>
void Executor<W>::remember(const I& i) {
  const int a = m_.numbers[i.b], b = m_.numbers[i.c];
  std::uint64_t* const slot = memo_slot(i.x, a, b);
  if (slot == nullptr) return;
  slot[0] = at(a * l_.cells + b + 1);
  for (unsigned k = 0; k < W; ++k) slot[1 + k] = m_.sets[i.a].word[k];
}

// ---------------------------------------------------------------- walks of whole sets

template <int W>
Bits<W> Executor<W>::stepped(const Set& from, int step, bool back) {
  charge(back ? at(l_.cells) / 2 : 1 + W / 2);
  Set found;
  const std::int16_t* to = t_.to.data() + at(step) * at(l_.cells);
  if (!back) {
    from.each([&](int cell) {
      if (to[cell] >= 0) found.set(to[cell]);
    });
    return found;
  }
  for (int cell = 0; cell < l_.cells; ++cell)
    if (to[cell] >= 0 && from.test(to[cell])) found.set(cell);
  return found;
}

template <int W>
Bits<W> Executor<W>::run_on(const I& i) {
  const Set& through = m_.sets[i.b];
  Set found, front = m_.sets[i.a];
  while (front.any()) {
    front = (stepped(front, i.x, false) & through) - found;
    found |= front;
  }
  return found;
}

// By doubling (Kogge and Stone): after k rounds all cells within 2^k steps are found.
template <int W>
Bits<W> Executor<W>::run_shifted(const I& i) const {
  Set through = m_.sets[i.b] & m_.sets[i.c];
  Set found = m_.sets[i.a].moved(i.x) & through;
  int by = i.x;
  for (int round = 0; round < i.y; ++round) {
    found |= found.moved(by) & through;
    through &= through.moved(by);
    by *= 2;
  }
  return found;
}

template <int W>
void Executor<W>::flood(const I& i) {
  Set found = m_.sets[i.a], front = found;
  const Set through = m_.sets[i.b];
  const auto& around = t_.around[at(i.x)];
  // Few cells are faster one by one than all of them together.
  constexpr int kFew = 6;
  while (front.any()) {
    charge(kFew / 2 + W);
    Set next;
    if (!t_.flood_steps[at(i.x)].empty() || front.count() <= kFew)
      front.each([&](int cell) { next |= around[at(cell)]; });
    else
      for (const auto& shift : t_.floods[at(i.x)]) next |= (front & shift.from).moved(shift.by);
    front = (next & through) - found;
    found |= front;
  }
  m_.sets[i.d] = found;
}

// Along lines from one cell; `with_last`: with the first cell that isn't in the set.
template <int W>
Bits<W> Executor<W>::seen(const I& i, bool with_last) const {
  Set found;
  const int cell = m_.numbers[i.a];
  if (cell < 0) return found;
  const Set& through = m_.sets[i.b];
  for (const auto& line : t_.lines[at(i.x)]) {
    if (line.grows || line.shrinks) {
      Set ray = line.ray[at(cell)];
      const Set blockers = ray - through;
      const int first = line.grows ? blockers.first() : blockers.last();
      if (first >= 0) {
        ray -= line.ray[at(first)];
        if (!with_last) ray.clear(first);
      }
      found |= ray;
      continue;
    }
    int on = next_cell(cell, line.step);
    Set walked;
    while (on >= 0 && !walked.test(on)) {
      if (!through.test(on)) {
        if (with_last) walked.set(on);
        break;
      }
      walked.set(on);
      on = next_cell(on, line.step);
    }
    found |= walked;
  }
  return found;
}

// Along lines from one cell, over cells of a set as far as the last cell of another that can be come to so.
template <int W>
Bits<W> Executor<W>::between(const I& i) const {
  Set found;
  const int cell = m_.numbers[i.a];
  if (cell < 0) return found;
  const Set &through = m_.sets[i.b], &ends = m_.sets[i.c];
  for (const auto& line : t_.lines[at(i.x)]) {
    Set walked;
    for (int on = next_cell(cell, line.step); on >= 0 && !walked.test(on); on = next_cell(on, line.step)) {
      if (ends.test(on)) found |= walked;
      if (!through.test(on)) break;
      walked.set(on);
    }
  }
  return found;
}

template <int W>
bool Executor<W>::in_row(const I& i) const {
  const auto& rows = t_.rows[i.c];
  const int cell = m_.numbers[i.a];
  if (cell < 0) return false;
  const Set& set = m_.sets[i.b];
  for (const auto& axis : rows.axes) {
    int length = 1;
    for (const auto* way : {&axis.forth, &axis.back})
      for (int on = (*way)[at(cell)]; on >= 0 && set.test(on) && on != cell && length < rows.length;
           on = (*way)[at(on)])
        ++length;
    if (length >= rows.length) return true;
  }
  return false;
}

// ---------------------------------------------------------------- the loop

// Carries out one instruction; `pc` says where to go on, which is behind it unless it jumps. False: at an
// end, or something has gone wrong.
template <int W>
[[gnu::always_inline]] inline bool Executor<W>::carry_out(const I& i, std::uint32_t& pc, Set* const s,
                                                          std::int32_t* const n) {
  using ir::Op;
  auto& b = m_.boxes;
  // What a condition decides: where to go on.
#define JUMP_IF(condition)                                                                                   \
  if (condition) pc = static_cast<std::uint32_t>(i.x);                                                       \
  break
  switch (i.op) {
  // --- sets
  case Op::set_copy: s[i.d] = s[i.a]; break;
  case Op::set_unite: s[i.d] = s[i.a] | s[i.b]; break;
  case Op::set_meet: s[i.d] = s[i.a] & s[i.b]; break;
  case Op::set_minus: s[i.d] = s[i.a] - s[i.b]; break;
  case Op::set_shift: s[i.d] = (s[i.a] & s[i.b]).moved(i.x); break;
  case Op::set_step: s[i.d] = stepped(s[i.a], i.x, false); break;
  case Op::set_step_back: s[i.d] = stepped(s[i.a], i.x, true); break;
  case Op::set_steps_by: {
    Set found;
    const Set from = s[i.a];
    const Set ways = s[i.b]; // which may be d
    ways.each([&](int step) { found |= stepped(from, step, false); });
    s[i.d] = found;
    break;
  }
  case Op::set_run: s[i.d] = run_on(i); break;
  case Op::set_run_shift: s[i.d] = run_shifted(i); break;
  case Op::set_flood: flood(i); break;
  case Op::set_rays: s[i.d] = seen(i, false); break;
  case Op::set_slides: s[i.d] = seen(i, true); break;
  case Op::set_between: s[i.d] = between(i); break;
  case Op::set_around: s[i.d] = n[i.a] < 0 ? Set() : t_.around[at(i.x)][at(n[i.a])]; break;
  case Op::set_table: {
    const auto& table = t_.set_tables[at(i.x)];
    s[i.d] = n[i.a] < 0 ? Set()
                        : table.sets[at(n[i.a] * table.numbers + std::clamp(n[i.b], 0, table.numbers - 1))];
    break;
  }
  case Op::set_first: s[i.d] = s[i.a].only_first(); break;
  case Op::set_cell: s[i.d] = n[i.a] < 0 ? Set() : Set::of(n[i.a]); break;
  case Op::set_of_kind:
    s[i.d] = n[i.a] < 0 ? Set() : l_.kinds > 0 ? s[l_.owners + at(n[i.a])] : t_.board - s[l_.empty];
    break;
  case Op::set_corners: s[i.d] = rectangle(n[i.a], n[i.b]); break;
  case Op::set_box: s[i.d] = box(n[i.a], n[i.b], n[i.c]); break;
  case Op::set_file:
    s[i.d] = n[i.a] >= 1 && n[i.a] <= t_.program.board.files ? t_.file[at(n[i.a])] : Set();
    break;
  case Op::set_rank:
    s[i.d] = n[i.a] >= 1 && n[i.a] <= t_.program.board.ranks ? t_.rank[at(n[i.a])] : Set();
    break;
  case Op::set_numbered: {
    Set found;
    charge(t_.program.board.numbered.size() / 2);
    for (const auto& [number, cell] : t_.program.board.numbered)
      if (number == n[i.a]) found.set(cell);
    s[i.d] = found;
    break;
  }
  case Op::set_image: s[i.d] = image(s[i.a], b[i.b].map); break;
  case Op::set_displaced: {
    const Board& board = t_.program.board;
    const std::int32_t from = n[i.b], to = n[i.c];
    s[i.d] = from < 0 || to < 0 ? Set()
                                : displaced(s[i.a], board.x[at(to)] - board.x[at(from)],
                                            board.y[at(to)] - board.y[at(from)]);
    break;
  }
  case Op::set_scaled: s[i.d] = scaled(s[i.a], s[i.b], code_.scales[at(i.x)]); break;
  case Op::set_fitting: s[i.d] = fitting(s[i.a], s[i.b], s[i.c], i.x); break;
  case Op::set_union: {
    Set all;
    charge(b[i.a].bytes() / kBytesPerStep);
    for (const Set& set : b[i.a].sets) all |= set;
    s[i.d] = all;
    break;
  }
  case Op::set_of_kinds: {
    Set all;
    for (const std::int32_t kind : b[i.a].numbers)
      if (kind >= 0) all |= l_.kinds > 0 ? s[l_.owners + at(kind)] : t_.board - s[l_.empty];
    s[i.d] = all;
    break;
  }
  case Op::set_add:
    if (n[i.a] >= 0) s[i.d].set(n[i.a]);
    break;
  case Op::set_join: s[i.d] |= s[i.a]; break;
  // --- numbers
  case Op::copy: n[i.d] = n[i.a]; break;
  case Op::constant: n[i.d] = i.x; break;
  case Op::add: n[i.d] = saturated(std::int64_t{n[i.a]} + n[i.b]); break;
  case Op::subtract: n[i.d] = saturated(std::int64_t{n[i.a]} - n[i.b]); break;
  case Op::multiply: n[i.d] = saturated(std::int64_t{n[i.a]} * n[i.b]); break;
  case Op::divide: n[i.d] = saturated(divided(n[i.a], n[i.b])); break;
  case Op::modulo: n[i.d] = saturated(remainder(n[i.a], n[i.b])); break;
  case Op::shift_down: n[i.d] = n[i.a] >> i.x; break;
  case Op::low_bits: n[i.d] = n[i.a] & ((1 << i.x) - 1); break;
  case Op::least: n[i.d] = std::min(n[i.a], n[i.b]); break;
  case Op::greatest: n[i.d] = std::max(n[i.a], n[i.b]); break;
  case Op::absolute: n[i.d] = saturated(n[i.a] < 0 ? -std::int64_t{n[i.a]} : n[i.a]); break;
  case Op::count: n[i.d] = s[i.a].count(); break;
  case Op::first: n[i.d] = s[i.a].first(); break;
  case Op::last: n[i.d] = s[i.a].last(); break;
  case Op::table: n[i.d] = n[i.a] < 0 ? 0 : code_.tables[at(i.x)][at(n[i.a])]; break;
  case Op::place: n[i.d] = n[i.a] < 0 ? -1 : code_.places[at(i.x)][at(n[i.a])]; break;
  case Op::height: {
    std::int32_t sum = 0;
    if (l_.stacks)
      (s[i.a] - s[l_.empty]).each([&](int cell) { sum += height_of(cell); });
    else
      sum = (s[i.a] & (t_.board - s[l_.empty])).count();
    n[i.d] = sum;
    break;
  }
  case Op::spread:
    charge(at(t_.program.board.files + t_.program.board.ranks));
    n[i.d] = spread(t_.program.board, s[i.a]);
    break;
  case Op::height_at: n[i.d] = n[i.a] < 0 ? 0 : height_of(n[i.a]); break;
  case Op::pieces: n[i.d] = pieces_on(i); break;
  case Op::kind_at: {
    const std::uint8_t piece = n[i.a] < 0 ? std::uint8_t{0} : top(n[i.a]);
    n[i.d] = piece == 0 ? -1 : t_.pieces.kind[piece];
    break;
  }
  case Op::hand:
    if (n[i.a] < 0) {
      n[i.d] = 0;
    } else if (const int slot = t_.program.hand_slot[at(i.x)][at(n[i.a])]; slot >= 0) {
      n[i.d] = n[l_.hands + at(slot)];
    } else {
      fail(i, "`hand` of `" + t_.program.kinds[at(n[i.a])].name + "`: no such entry in `hands`");
      return false;
    }
    break;
  case Op::carried: n[i.d] = l_.stacks ? n[l_.air] : n[l_.air] != 0 ? 1 : 0; break;
  case Op::repeats: n[i.d] = repeats(i.y != 0); break;
  case Op::board_repeats: n[i.d] = board_repeats(i.x != 0); break;
  case Op::step_to: n[i.d] = n[i.a] < 0 || n[i.b] < 0 ? -1 : next_cell(n[i.a], n[i.b]); break;
  // --- directions
  case Op::set_mapped:
  case Op::steps_turned:
  case Op::steps_spins:
  case Op::steps_sum:
  case Op::steps_times: steps_operation(i); break;
  // --- boxes
  case Op::box_count: n[i.d] = static_cast<std::int32_t>(b[i.a].size()); break;
  case Op::box_get: n[i.d] = b[i.a].numbers[at(n[i.b])]; break;
  case Op::box_get_set: s[i.d] = b[i.a].sets[at(n[i.b])]; break;
  case Op::box_copy:
  case Op::box_unite:
  case Op::box_meet:
  case Op::box_minus:
  case Op::box_clear:
  case Op::box_add:
  case Op::box_add_set:
  case Op::box_range:
  case Op::box_players:
  case Op::map_shift:
  case Op::map_scale:
  case Op::map_rotate:
  case Op::map_reflect:
    box_operation(i);
    if (fault_) return false;
    break;
  // --- where to go on
  case Op::go: pc = static_cast<std::uint32_t>(i.x); break;
  case Op::if_none: JUMP_IF(s[i.a].none());
  case Op::if_some: JUMP_IF(s[i.a].any());
  case Op::if_apart: JUMP_IF((s[i.a] & s[i.b]).none());
  case Op::if_meet: JUMP_IF((s[i.a] & s[i.b]).any());
  case Op::if_in: JUMP_IF(n[i.a] < 0 || s[i.b].test(n[i.a]));
  case Op::if_out: JUMP_IF(n[i.a] >= 0 && !s[i.b].test(n[i.a]));
  case Op::if_part: JUMP_IF(s[i.a].within(s[i.b]));
  case Op::if_not_part: JUMP_IF(!s[i.a].within(s[i.b]));
  case Op::if_same: JUMP_IF(s[i.a] == s[i.b]);
  case Op::if_not_same: JUMP_IF(!(s[i.a] == s[i.b]));
  case Op::if_less: JUMP_IF(n[i.a] < n[i.b]);
  case Op::if_not_less: JUMP_IF(n[i.a] >= n[i.b]);
  case Op::if_equal: JUMP_IF(n[i.a] == n[i.b]);
  case Op::if_not_equal: JUMP_IF(n[i.a] != n[i.b]);
  case Op::if_box_none: JUMP_IF(b[i.a].size() == 0);
  case Op::if_box_some: JUMP_IF(b[i.a].size() != 0);
  case Op::if_box_same:
  case Op::if_box_differ:
    charge(b[i.a].bytes() / kBytesPerStep);
    JUMP_IF((b[i.a] == b[i.b]) == (i.op == Op::if_box_same));
  case Op::if_member:
  case Op::if_no_member: {
    const auto& list = b[i.b].numbers;
    if (!work(list.size() / 4, i)) return false;
    JUMP_IF((std::find(list.begin(), list.end(), n[i.a]) != list.end()) == (i.op == Op::if_member));
  }
  case Op::if_member_set:
  case Op::if_no_member_set: {
    const auto& list = b[i.b].sets;
    if (!work(list.size(), i)) return false;
    JUMP_IF((std::find(list.begin(), list.end(), s[i.a]) != list.end()) == (i.op == Op::if_member_set));
  }
  case Op::if_changed:
  case Op::if_unchanged: charge(steps_of_state()); JUMP_IF(changed() == (i.op == Op::if_changed));
  case Op::if_row: JUMP_IF(in_row(i));
  case Op::if_no_row: JUMP_IF(!in_row(i));
  case Op::if_no_move: JUMP_IF(total_ == 0);
  case Op::if_move: JUMP_IF(total_ != 0);
  case Op::jump_table: pc = code_.labels[at(i.x)][at(n[i.a])]; break;
  // --- loops and calls
  case Op::take: {
    const int cell = s[i.a].first();
    if (cell < 0) {
      pc = static_cast<std::uint32_t>(i.x);
      break;
    }
    s[i.a].clear(cell);
    n[i.d] = cell;
    break;
  }
  case Op::next_member:
    if (at(n[i.b]) >= b[i.a].numbers.size()) {
      pc = static_cast<std::uint32_t>(i.x);
      break;
    }
    n[i.d] = b[i.a].numbers[at(n[i.b]++)];
    break;
  case Op::next_set:
    if (at(n[i.b]) >= b[i.a].sets.size()) {
      pc = static_cast<std::uint32_t>(i.x);
      break;
    }
    s[i.d] = b[i.a].sets[at(n[i.b]++)];
    break;
  case Op::bend: JUMP_IF(bend(i) < 0);
  case Op::hop: {
    const int to = n[i.a] < 0 ? -1 : next_cell(n[i.a], i.c);
    n[i.d] = to;
    JUMP_IF(to < 0 || !s[i.b].test(to));
  }
  case Op::hop_by: {
    const int to = n[i.a] < 0 || n[i.c] < 0 ? -1 : next_cell(n[i.a], n[i.c]);
    n[i.d] = to;
    JUMP_IF(to < 0 || !s[i.b].test(to));
  }
  case Op::mark:
    n[i.d] = m_.trail.mark();
    n[i.d + 1u] = static_cast<std::int32_t>(text_.size());
    break;
  case Op::undo:
    m_.undo(n[i.a]);
    if (text_.size() > at(n[i.a + 1u])) text_.resize(at(n[i.a + 1u]));
    break;
  case Op::keep: keep(i.x); break;
  case Op::restore: restore(); break;
  case Op::call:
    if (stack_.size() > kMaxCalls) {
      fail(i, "this goes on without end: nested more than " + std::to_string(kMaxCalls) + " deep");
      fault_->origin = unbounded_repeat_around(t_.program, fault_->origin);
      return false;
    }
    stack_.push_back({-1, pc});
    pc = static_cast<std::uint32_t>(i.x);
    break;
  case Op::ret:
    pc = stack_.back().back;
    stack_.pop_back();
    break;
  case Op::stack_mark:
    n[i.d] = static_cast<std::int32_t>(stack_.size());
    n[i.d + 1u] = static_cast<std::int32_t>(path_.size());
    n[i.d + 2u] = static_cast<std::int32_t>(place_count_);
    n[i.d + 3u] = static_cast<std::int32_t>(outcome_count_);
    break;
  case Op::cut: {
    const std::size_t paths = at(n[i.a + 1u]), places = at(n[i.a + 2u]), outcomes = at(n[i.a + 3u]);
    path_.resize(paths);
    place_count_ = places;
    outcome_count_ = outcomes;
    const std::size_t to = at(n[i.a]);
    while (stack_.size() > to)
      if (stack_.back().window >= 0)
        restore();
      else
        stack_.pop_back();
    pc = static_cast<std::uint32_t>(i.x);
    break;
  }
  case Op::path_mark: n[i.d] = static_cast<std::int32_t>(path_.size()); break;
  case Op::path_enter: JUMP_IF(!path_enter(i));
  case Op::path_leave: path_.resize(at(n[i.a])); break;
  case Op::visit_begin:
    if (places_.size() <= place_count_) places_.emplace_back();
    places_[place_count_].clear();
    n[i.d] = static_cast<std::int32_t>(place_count_++);
    break;
  case Op::visit: JUMP_IF(!visit(i));
  case Op::recall: JUMP_IF(recall(i));
  case Op::remember: remember(i); break;
  case Op::visit_end: place_count_ = at(n[i.a]); break;
  case Op::memo_enter: {
    const bool known = memo_enter(i);
    if (fault_) return false;
    JUMP_IF(known);
  }
  case Op::memo_leave:
    memo_leave(i);
    if (fault_) return false;
    break;
  // --- changes
  case Op::put_in: m_.put_in(i.d, n[i.a]); break;
  case Op::take_out: m_.take_out(i.d, n[i.a]); break;
  case Op::write_set: m_.write_set(i.d, s[i.a]); break;
  case Op::join_set: m_.write_set(i.d, s[i.d] | s[i.a]); break;
  case Op::leave_set: m_.write_set(i.d, s[i.d] - s[i.a]); break;
  case Op::write: m_.write_number(i.d, n[i.a]); break;
  case Op::write_box:
    if (!work((b[i.a].bytes() + b[i.d].bytes()) / kBytesPerStep, i)) return false;
    m_.write_box(i.d, b[i.a]);
    break;
  case Op::write_hand:
    write_hand(i);
    if (fault_) return false;
    break;
  case Op::lift: {
    const int cell = n[i.a];
    const std::uint8_t piece = m_.codes[at(cell)];
    if (piece == 0) {
      pc = static_cast<std::uint32_t>(i.x);
      break;
    }
    if (n[l_.air] != 0) {
      fail(i, "`lift` with a piece in the air already, on a board without stacks");
      return false;
    }
    set_code(cell, 0);
    m_.write_number(l_.air, piece);
    break;
  }
  case Op::put:
    if (i.y != 0) note_gone(n[i.a]);
    set_code(n[i.a], static_cast<std::uint8_t>(n[l_.air]));
    m_.write_number(l_.air, 0);
    break;
  case Op::set_piece:
    if (i.y != 0) note_gone(n[i.a]);
    set_code(n[i.a], static_cast<std::uint8_t>(i.x));
    break;
  case Op::lift_some: {
    const bool good = lift_some(i);
    if (fault_) return false;
    JUMP_IF(!good);
  }
  case Op::put_some: {
    const bool good = put_some(i);
    if (fault_) return false;
    JUMP_IF(!good);
  }
  case Op::discard: JUMP_IF(!discard(i));
  case Op::remove: remove(i); break;
  case Op::drop:
  case Op::change: {
    const bool good = i.op == Op::drop ? drop(i) : change(i);
    if (fault_) return false;
    if (good) ++pc;
    break;
  }
  case Op::move_by: {
    const bool good = move_by(i);
    if (fault_) return false;
    JUMP_IF(!good);
  }
  case Op::decide:
    m_.write_number(l_.decision, i.x + 1);
    m_.write_number(l_.winners, static_cast<std::int32_t>(code_.verdicts[at(i.x)].winners));
    break;
  case Op::lose: lose(i); break;
  // --- notation
  case Op::say_text:
  case Op::say_from:
  case Op::say_put:
  case Op::say_gone:
  case Op::say_drop:
  case Op::say_change:
  case Op::say_number:
  case Op::say_truth:
  case Op::say_set:
  case Op::say_kind:
  case Op::say_player:
    say(i);
    if (fault_) return false;
    break;
  case Op::gone_cell:
    if (!s[mover_].test(n[i.a]) && !s[l_.empty].test(n[i.a])) m_.put_in(l_.gone, n[i.a]);
    break;
  case Op::gone_cell_of_air: m_.put_in(l_.gone, n[i.a]); break;
  case Op::gone_cells: m_.write_set(l_.gone, s[l_.gone] | (s[i.a] - s[mover_] - s[l_.empty])); break;
  case Op::gone_air: {
    const int carried = n[l_.air], wanted = i.y != 0 ? carried : n[i.b];
    if (!l_.stacks) {
      if (carried != 0 && wanted != 0 && t_.pieces.owner_of(static_cast<std::uint8_t>(carried)) != mover_)
        m_.put_in(l_.gone, n[i.a]);
      break;
    }
    for (int k = 0; k < std::min(wanted, carried); ++k)
      if (t_.pieces.owner_of(m_.air[at(carried - 1 - k)]) != mover_) m_.put_in(l_.gone, n[i.a]);
    break;
  }
  case Op::gone_copy: s[i.d] = s[l_.gone]; break;
  case Op::gone_back: m_.write_set(l_.gone, s[i.a]); break;
  // --- moves
  case Op::key_text: {
    const ir::KeyText& text = code_.key_texts[at(i.x)];
    s[i.d].word[0] = s[i.a].word[0] * text.times + text.plus;
    break;
  }
  case Op::key_set: s[i.d].word[0] = keys::with_cells(s[i.a].word[0], s[i.b]); break;
  case Op::leaf:
  case Op::leaf_one:
  case Op::leaf_once:
  case Op::leaf_key:
  case Op::leaf_keys:
    switch (i.op) {
    case Op::leaf: found(i, s[i.a]); break;
    case Op::leaf_one: found_one(i); break;
    case Op::leaf_once:
      if (work(kComparingWork + text_.size() / 4, i)) found_once(i);
      break;
    case Op::leaf_key:
      if (is_new(s[i.a].word[0])) found_one(i);
      break;
    default:
      if (s[i.b].any() && is_new(s[i.a].word[0])) found(i, s[i.b]);
      break;
    }
    if (fault_) return false;
    if (alike_) {                // once more, with all that moves can differ in
      constexpr int kTurns = 16; // it will happen again soon
      alike_ = false;
      full_turns_ = kTurns;
      unwind();
      pc = code_.players[at(mover_)].position;
      break;
    }
    if (purpose_ == Purpose::any && total_ > 0) {
      unwind();
      pc = code_.players[at(mover_)].moves_done;
    } else if (purpose_ == Purpose::find && total_ > target_) {
      unwind();
      pc = take_found();
    }
    break;
  case Op::choices: write_choices(i); break;
  case Op::best_begin: n[i.d] = std::numeric_limits<std::int32_t>::min(); break;
  case Op::best_moves: begin_best(n + i.d); break;
  case Op::best_test:
    if (n[i.a] < n[i.d]) {
      pc = static_cast<std::uint32_t>(i.x);
      break;
    }
    if (n[i.a] > n[i.d]) forget_moves(n + i.b);
    n[i.d] = n[i.a];
    break;
  case Op::best_end:
    end_best(i);
    if (fault_) return false;
    break;
  case Op::outcomes_begin:
    if (outcomes_.size() <= outcome_count_) outcomes_.emplace_back();
    outcomes_[outcome_count_].clear();
    n[i.d] = static_cast<std::int32_t>(outcome_count_++);
    break;
  case Op::outcomes_note: note_outcome(i); break;
  case Op::outcomes_test: JUMP_IF(!keeps_outcome(i));
  case Op::outcomes_end: outcome_count_ = at(n[i.a]); break;
  // --- playing a move
  case Op::next_choice:
    if (script_next_ >= played_.size()) {
      fail(i, "this is no move of the position");
      return false;
    }
    n[i.d] = played_[script_next_++];
    break;
  case Op::choice: n[i.d] = i.x < 0 ? open_ : played_[at(i.x)]; break;
  // --- the course of a turn
  case Op::begin_turn:
    begin_turn(i);
    if (fault_) return false;
    break;
  case Op::compare: begin_comparing(i); break;
  case Op::snapshot: snapshot(); break;
  case Op::view_beginning:
  case Op::view_now:
    charge(steps_of_state() + m_.codes.size() / kBytesPerStep);
    swap_with_beginning();
    break;
  case Op::end_turn:
    end_turn();
    if (!running_game_) return false;
    if (--plies_left_ == 0 || n[l_.decision] != 0) return false;
    pc = code_.players[at(n[l_.to_move])].position;
    break;
  case Op::again: m_.write_number(l_.again, 1); break;
  case Op::score: shares_[at(i.x)] = n[i.a]; break;
  case Op::decide_score: decide_score(i); break;
  case Op::put_out:
    if (!put_out(i)) return false;
    pc = code_.players[at(n[l_.to_move])].position;
    break;
  case Op::moves_done: break;
  case Op::pick:
    if (purpose_ == Purpose::find) fail(i, "a move that was counted isn't found");
    if (purpose_ != Purpose::pick) return false;
    pc = pick();
    break;
  case Op::fault: fail(i, code_.messages[at(i.x)]); return false;
  case Op::halt: return false;
  }
#undef JUMP_IF
  return true;
}

template <int W>
void Executor<W>::interpret(std::uint32_t pc) {
  const I* const code = code_.instructions.data();
  Set* const s = m_.sets.data();
  std::int32_t* const n = m_.numbers.data();
  for (;;) {
    const I& i = code[pc++];
    if (i.cost != 0 && !work(i.cost, i)) return;
    if (!carry_out(i, pc, s, n)) return;
  }
}

} // namespace boardwright::runtime::executor
