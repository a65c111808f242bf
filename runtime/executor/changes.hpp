// Operations that change pieces. They keep the sets of the state, the mailbox and the stacks in step, and
// note every change on the trail.
#pragma once

#include "runtime/executor/executor.hpp"
#include "runtime/model/operations.hpp"

#include <algorithm>

namespace boardwright::runtime::executor {

template <int W>
std::uint8_t Executor<W>::top(int cell) const {
  if (!l_.stacks && !l_.mailbox) return code_of_sets(cell);
  if (!l_.stacks) return m_.codes[at(cell)];
  const int height = height_of(cell);
  return height == 0 ? std::uint8_t{0} : m_.codes[at(cell) * at(l_.levels) + at(height - 1)];
}

template <int W>
std::uint8_t Executor<W>::code_of_sets(int cell) const {
  for (int code = 1; code < t_.pieces.count(); ++code) {
    const auto c = static_cast<std::uint8_t>(code);
    if (!m_.sets[t_.pieces.owner_index[c]].test(cell)) continue;
    if (l_.kinds == 0 || m_.sets[l_.owners + at(t_.pieces.kind[c])].test(cell)) return c;
  }
  return 0;
}

template <int W>
void Executor<W>::set_owner_and_kind(int cell, std::uint8_t old, std::uint8_t now) {
  const Pieces& p = t_.pieces;
  if (old != 0) {
    if (now == 0 || p.owner_index[now] != p.owner_index[old]) m_.take_out(p.owner_index[old], cell);
    if (l_.kinds > 0 && (now == 0 || p.kind[now] != p.kind[old]))
      m_.take_out(l_.owners + at(p.kind[old]), cell);
  }
  if (now != 0) {
    m_.put_in(p.owner_index[now], cell);
    if (l_.kinds > 0) m_.put_in(l_.owners + at(p.kind[now]), cell);
    if (old == 0) m_.take_out(l_.empty, cell);
  } else if (old != 0) {
    m_.put_in(l_.empty, cell);
  }
}

// On a board without stacks.
template <int W>
void Executor<W>::set_code(int cell, std::uint8_t code) {
  const std::uint8_t old = m_.codes[at(cell)];
  if (old == code) return;
  set_owner_and_kind(cell, old, code);
  m_.write_code(at(cell), code);
}

template <int W>
void Executor<W>::push(int cell, std::uint8_t code, const I& i) {
  const int height = height_of(cell);
  if (height >= l_.levels) {
    fail(i, "more than " + std::to_string(l_.levels) + " pieces on " + t_.program.board.name[at(cell)]);
    return;
  }
  set_owner_and_kind(cell, top(cell), code);
  m_.write_code(at(cell) * at(l_.levels) + at(height), code);
  m_.write_height(at(cell), static_cast<std::uint8_t>(height + 1));
}

template <int W>
void Executor<W>::shorten(int cell, int height) {
  if (height == height_of(cell)) return;
  const std::uint8_t old = top(cell);
  m_.write_height(at(cell), static_cast<std::uint8_t>(height));
  set_owner_and_kind(cell, old, top(cell));
}

// Another's pieces that leave from a cell are written later.
template <int W>
void Executor<W>::note_gone(int cell) {
  if (!l_.stacks) {
    const std::uint8_t code = m_.codes[at(cell)];
    if (code != 0 && t_.pieces.owner_of(code) != mover_) m_.put_in(l_.gone, cell);
    return;
  }
  for (int level = 0; level < height_of(cell); ++level)
    if (t_.pieces.owner_of(m_.codes[at(cell) * at(l_.levels) + at(level)]) != mover_)
      m_.put_in(l_.gone, cell);
}

// ---------------------------------------------------------------- the air

template <int W>
bool Executor<W>::lift_some(const I& i) {
  const int cell = m_.numbers[i.a], height = height_of(cell), carried = m_.numbers[l_.air];
  const int wanted = i.y != 0 ? height : m_.numbers[i.b];
  if (height == 0 || wanted < 0 || wanted > height) return false;
  if (carried + wanted > kMaxHeight) {
    fail(i, "more than " + std::to_string(kMaxHeight) + " pieces are carried");
    return true;
  }
  // From the top down: what is lifted comes under what is in the air.
  charge(kStepsPerPiece * at(wanted));
  for (int k = 0; k < wanted; ++k)
    m_.write_air(at(carried + k), m_.codes[at(cell) * at(l_.levels) + at(height - 1 - k)]);
  m_.write_number(l_.air, carried + wanted);
  shorten(cell, height - wanted);
  return true;
}

template <int W>
bool Executor<W>::put_some(const I& i) {
  const int cell = m_.numbers[i.a], carried = m_.numbers[l_.air];
  const int wanted = i.y != 0 ? carried : m_.numbers[i.b];
  if (wanted < 0 || wanted > carried) return false;
  for (int k = 0; k < wanted && !fault_; ++k) push(cell, m_.air[at(carried - 1 - k)], i);
  m_.write_number(l_.air, carried - wanted);
  return true;
}

template <int W>
bool Executor<W>::discard(const I& i) {
  const int carried = m_.numbers[l_.air];
  const int wanted = i.y != 0 ? carried : m_.numbers[i.b];
  if (wanted < 0 || wanted > carried) return false;
  m_.write_number(l_.air, carried - wanted);
  return true;
}

// ---------------------------------------------------------------- sets of cells

template <int W>
void Executor<W>::remove(const I& i) {
  const Set cells = m_.sets[i.a] - m_.sets[l_.empty];
  charge(kStepsPerPiece * at(cells.count()));
  cells.each([&](int cell) {
    if (i.y != 0) note_gone(cell);
    if (l_.stacks)
      shorten(cell, 0);
    else
      set_code(cell, 0);
  });
}

template <int W>
int Executor<W>::dropped_owner(const ir::DropTable& table, int kind) const {
  if (table.owner >= 0 || table.owner == kNeutral) return table.owner;
  const bool only_neutral =
      t_.pieces.code_of(kNeutral, kind) != 0 && t_.pieces.code_of(table.player, kind) == 0;
  return only_neutral ? kNeutral : table.player;
}

template <int W>
bool Executor<W>::drop(const I& i) {
  const ir::DropTable& table = code_.drops[at(i.x)];
  const Set on = m_.sets[i.a];
  const int kind = m_.numbers[i.b];
  const std::int64_t each = m_.numbers[i.c];
  if (kind < 0) {
    fail(i, kNoKindToDrop);
    return true;
  }
  if (each < 0) return false;
  const int owner = dropped_owner(table, kind);
  const std::uint8_t code = t_.pieces.code_of(owner, kind);
  if (code == 0) {
    const std::string& name = t_.program.kinds[at(kind)].name;
    fail(i, owner < 0 ? "there is no neutral `" + name + "`"
                      : t_.program.players[at(owner)].name + " has no `" + name + "`");
    return true;
  }
  if (each > 1 && !l_.stacks) {
    fail(i, "`drop` of " + std::to_string(each) + " pieces on one cell of a board without stacks");
    return true;
  }
  const int slot = t_.program.hand_slot[at(owner < 0 ? table.player : owner)][at(kind)];
  if (slot >= 0) {
    const std::int64_t wanted = each * on.count();
    const std::int32_t there = m_.numbers[l_.hands + at(slot)];
    if (there < wanted) return false;
    if (wanted > 0) m_.write_number(l_.hands + at(slot), static_cast<std::int32_t>(there - wanted));
  }
  if (each > kMaxHeight && on.any()) {
    fail(i, "more than " + std::to_string(kMaxHeight) + " pieces on one cell");
    return true;
  }
  charge(kStepsPerPiece * at(on.count()) * static_cast<std::uint64_t>(l_.stacks ? each + 1 : 1));
  on.each([&](int cell) {
    if (!l_.stacks && each > 0) {
      if (i.y != 0) note_gone(cell);
      set_code(cell, code);
    }
    for (std::int64_t k = 0; l_.stacks && k < each && !fault_; ++k) push(cell, code, i);
  });
  return true;
}

template <int W>
bool Executor<W>::change(const I& i) {
  const std::int32_t to = code_.drops[at(i.x)].owner;
  const int kind = m_.numbers[i.b];
  const bool keeps_kind = code_.drops[at(i.x)].player != 0; // no kind is given
  if (!keeps_kind && kind < 0) {
    fail(i, kNoKindToChangeTo);
    return true;
  }
  const Set cells = m_.sets[i.a] - m_.sets[l_.empty];
  charge(kStepsPerPiece * at(cells.count()));
  cells.each([&](int cell) {
    const std::uint8_t old = top(cell);
    const int owner = to == kKeepOwner ? t_.pieces.owner_of(old) : to;
    const int now_kind = keeps_kind ? t_.pieces.kind[old] : kind;
    const std::uint8_t now = t_.pieces.code_of(owner, now_kind);
    if (now == 0) {
      const std::string& name = t_.program.kinds[at(now_kind)].name;
      fail(i, owner < 0 ? "there is no neutral `" + name + "`"
                        : t_.program.players[at(owner)].name + " has no `" + name + "`");
      return;
    }
    if (!l_.stacks) return set_code(cell, now);
    set_owner_and_kind(cell, old, now);
    m_.write_code(at(cell) * at(l_.levels) + at(height_of(cell) - 1), now);
  });
  return true;
}

template <int W>
bool Executor<W>::move_by(const I& i) {
  const Set moved = m_.sets[i.a] - m_.sets[l_.empty];
  charge(kStepsPerPiece * at(moved.count()));
  const CellMap& map = m_.boxes[i.b].map;
  Set targets;
  bool fits = true;
  // Where they go, in board order, with what stands there: a part of carried_.
  arriving_.clear();
  moved.each([&](int cell) {
    const int target = t_.program.board.map(map, cell);
    fits = fits && target >= 0 && !targets.test(target);
    if (fits) targets.set(target);
    arriving_.push_back({target, 0, 0});
  });
  if (!fits) return false;
  carried_.clear();
  std::size_t next = 0;
  moved.each([&](int cell) {
    const auto begin = m_.codes.begin() + cell * l_.levels;
    const int height = l_.stacks ? height_of(cell) : 1;
    arriving_[next][1] = static_cast<int>(carried_.size());
    arriving_[next++][2] = height;
    carried_.insert(carried_.end(), begin, begin + height);
    l_.stacks ? shorten(cell, 0) : set_code(cell, 0);
  });
  charge(kStepsPerPiece * (2 * arriving_.size() + carried_.size()));
  std::sort(arriving_.begin(), arriving_.end());
  for (const auto& [cell, from, height] : arriving_) {
    if (l_.stacks) {
      for (int level = 0; level < height && !fault_; ++level) push(cell, carried_[at(from + level)], i);
      continue;
    }
    if (i.y != 0) note_gone(cell);
    set_code(cell, carried_[at(from)]);
  }
  return true;
}

// No hand holds less than nothing.
template <int W>
void Executor<W>::write_hand(const I& i) {
  const int kind = m_.numbers[i.a];
  if (kind < 0) return fail(i, kNoKindOfHand);
  const int slot = t_.program.hand_slot[i.c][at(kind)];
  if (slot < 0)
    return fail(i, "`set hand` of `" + t_.program.kinds[at(kind)].name + "`: no such entry in `hands`");
  m_.write_number(l_.hands + at(slot), std::max(m_.numbers[i.b], 0));
}

template <int W>
std::int32_t Executor<W>::pieces_on(const I& i) {
  const Set cells = m_.sets[i.a] - m_.sets[l_.empty];
  const int kind = m_.numbers[i.b];
  charge(256 / 8 + at(cells.count()));
  std::array<std::uint8_t, 256> counts{}; // by code
  for (int c = 1; c < t_.pieces.count(); ++c) {
    const auto code = static_cast<std::uint8_t>(c);
    counts[code] = (static_cast<std::uint32_t>(i.x) >> t_.pieces.owner_index[code] & 1) != 0 &&
                   (kind == -2 || t_.pieces.kind[code] == kind);
  }
  std::int32_t sum = 0;
  cells.each([&](int cell) {
    if (!l_.stacks) {
      sum += counts[m_.codes[at(cell)]];
      return;
    }
    const std::uint8_t* const codes = m_.codes.data() + at(cell) * at(l_.levels);
    charge(at(height_of(cell)) / 2);
    for (int level = 0; level < height_of(cell); ++level) sum += counts[codes[level]];
  });
  return sum;
}

} // namespace boardwright::runtime::executor
