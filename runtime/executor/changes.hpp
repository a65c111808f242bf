// Operations that change pieces. They keep the sets of the state, the mailbox and the stacks in step, and
// note every change on the trail.
#pragma once

#include "runtime/executor/machine.hpp"
#include "runtime/model/operations.hpp"

#include <algorithm>

namespace boardwright::runtime::executor {

template <int W>
[[nodiscard]] std::uint8_t top(const Machine<W>& m, int cell) {
  if (!m.layout.stacks && !m.layout.mailbox) return code_of_sets(m, cell);
  if (!m.layout.stacks) return m.codes[at(cell)];
  const int height = m.height_of(cell);
  return height == 0 ? std::uint8_t{0} : m.codes[at(cell) * at(m.layout.levels) + at(height - 1)];
}

template <int W>
[[nodiscard]] std::uint8_t code_of_sets(const Machine<W>& m, int cell) {
  for (int code = 1; code < m.tables.pieces.count(); ++code) {
    const auto c = static_cast<std::uint8_t>(code);
    if (!m.sets[m.tables.pieces.owner_index[c]].test(cell)) continue;
    if (m.layout.kinds == 0 || m.sets[m.layout.owners + at(m.tables.pieces.kind[c])].test(cell)) return c;
  }
  return 0;
}

template <int W>
void set_owner_and_kind(Machine<W>& m, int cell, std::uint8_t old, std::uint8_t now) {
  const Pieces& p = m.tables.pieces;
  if (old != 0) {
    if (now == 0 || p.owner_index[now] != p.owner_index[old]) m.take_out(p.owner_index[old], cell);
    if (m.layout.kinds > 0 && (now == 0 || p.kind[now] != p.kind[old]))
      m.take_out(m.layout.owners + at(p.kind[old]), cell);
  }
  if (now != 0) {
    m.put_in(p.owner_index[now], cell);
    if (m.layout.kinds > 0) m.put_in(m.layout.owners + at(p.kind[now]), cell);
    if (old == 0) m.take_out(m.layout.empty, cell);
  } else if (old != 0) {
    m.put_in(m.layout.empty, cell);
  }
}

// On a board without stacks.
template <int W>
void set_code(Machine<W>& m, int cell, std::uint8_t code) {
  const std::uint8_t old = m.codes[at(cell)];
  if (old == code) return;
  set_owner_and_kind(m, cell, old, code);
  m.write_code(at(cell), code);
}

template <int W>
void push(Machine<W>& m, int cell, std::uint8_t code, const I& i) {
  const int height = m.height_of(cell);
  if (height >= m.layout.levels) {
    m.fail(i, "more than " + std::to_string(m.layout.levels) + " pieces on " +
                  m.tables.program.board.name[at(cell)]);
    return;
  }
  set_owner_and_kind(m, cell, top(m, cell), code);
  m.write_code(at(cell) * at(m.layout.levels) + at(height), code);
  m.write_height(at(cell), static_cast<std::uint8_t>(height + 1));
}

template <int W>
void shorten(Machine<W>& m, int cell, int height) {
  if (height == m.height_of(cell)) return;
  const std::uint8_t old = top(m, cell);
  m.write_height(at(cell), static_cast<std::uint8_t>(height));
  set_owner_and_kind(m, cell, old, top(m, cell));
}

// Another's pieces that leave from a cell are written later.
template <int W>
void note_gone(Machine<W>& m, int cell) {
  if (!m.layout.stacks) {
    const std::uint8_t code = m.codes[at(cell)];
    if (code != 0 && m.tables.pieces.owner_of(code) != m.mover) m.put_in(m.layout.gone, cell);
    return;
  }
  for (int level = 0; level < m.height_of(cell); ++level)
    if (m.tables.pieces.owner_of(m.codes[at(cell) * at(m.layout.levels) + at(level)]) != m.mover)
      m.put_in(m.layout.gone, cell);
}

// ---------------------------------------------------------------- what is carried

template <int W>
bool lift_some(Machine<W>& m, const I& i) {
  const int cell = m.numbers[i.a], height = m.height_of(cell), carried = m.numbers[m.layout.carried];
  const int wanted = i.y != 0 ? height : m.numbers[i.b];
  if (height == 0 || wanted < 0 || wanted > height) return false;
  if (carried + wanted > kMaxHeight) {
    m.fail(i, "more than " + std::to_string(kMaxHeight) + " pieces are carried");
    return true;
  }
  // From the top down: what is lifted comes under what is carried.
  m.charge(kStepsPerPiece * at(wanted));
  for (int k = 0; k < wanted; ++k)
    m.write_carried(at(carried + k), m.codes[at(cell) * at(m.layout.levels) + at(height - 1 - k)]);
  m.write_number(m.layout.carried, carried + wanted);
  shorten(m, cell, height - wanted);
  return true;
}

template <int W>
bool put_some(Machine<W>& m, const I& i) {
  const int cell = m.numbers[i.a], carried = m.numbers[m.layout.carried];
  const int wanted = i.y != 0 ? carried : m.numbers[i.b];
  if (wanted < 0 || wanted > carried) return false;
  for (int k = 0; k < wanted && !m.fault; ++k) push(m, cell, m.carried[at(carried - 1 - k)], i);
  m.write_number(m.layout.carried, carried - wanted);
  return true;
}

template <int W>
bool discard(Machine<W>& m, const I& i) {
  const int carried = m.numbers[m.layout.carried];
  const int wanted = i.y != 0 ? carried : m.numbers[i.b];
  if (wanted < 0 || wanted > carried) return false;
  m.write_number(m.layout.carried, carried - wanted);
  return true;
}

// ---------------------------------------------------------------- sets of cells

template <int W>
void remove(Machine<W>& m, const I& i) {
  const Bits<W> cells = m.sets[i.a] - m.sets[m.layout.empty];
  m.charge(kStepsPerPiece * at(cells.count()));
  cells.each([&](int cell) {
    if (i.y != 0) note_gone(m, cell);
    if (m.layout.stacks)
      shorten(m, cell, 0);
    else
      set_code(m, cell, 0);
  });
}

template <int W>
[[nodiscard]] int dropped_owner(const Machine<W>& m, const ir::DropTable& table, int kind) {
  if (table.owner >= 0 || table.owner == kNeutral) return table.owner;
  const bool only_neutral =
      m.tables.pieces.code_of(kNeutral, kind) != 0 && m.tables.pieces.code_of(table.player, kind) == 0;
  return only_neutral ? kNeutral : table.player;
}

template <int W>
bool drop(Machine<W>& m, const I& i) {
  const ir::DropTable& table = m.code.drops[at(i.x)];
  const Bits<W> on = m.sets[i.a];
  const int kind = m.numbers[i.b];
  const std::int64_t each = m.numbers[i.c];
  if (kind < 0) {
    m.fail(i, kNoKindToDrop);
    return true;
  }
  if (each < 0) return false;
  const int owner = dropped_owner(m, table, kind);
  const std::uint8_t code = m.tables.pieces.code_of(owner, kind);
  if (code == 0) {
    const std::string& name = m.tables.program.kinds[at(kind)].name;
    m.fail(i, owner < 0 ? "there is no neutral `" + name + "`"
                        : m.tables.program.players[at(owner)].name + " has no `" + name + "`");
    return true;
  }
  if (each > 1 && !m.layout.stacks) {
    m.fail(i, "`drop` of " + std::to_string(each) + " pieces on one cell of a board without stacks");
    return true;
  }
  const int slot = m.tables.program.hand_slot[at(owner < 0 ? table.player : owner)][at(kind)];
  if (slot >= 0) {
    const std::int64_t wanted = each * on.count();
    const std::int32_t there = m.numbers[m.layout.hands + at(slot)];
    if (there < wanted) return false;
    if (wanted > 0) m.write_number(m.layout.hands + at(slot), static_cast<std::int32_t>(there - wanted));
  }
  if (each > kMaxHeight && on.any()) {
    m.fail(i, "more than " + std::to_string(kMaxHeight) + " pieces on one cell");
    return true;
  }
  m.charge(kStepsPerPiece * at(on.count()) * static_cast<std::uint64_t>(m.layout.stacks ? each + 1 : 1));
  on.each([&](int cell) {
    if (!m.layout.stacks && each > 0) {
      if (i.y != 0) note_gone(m, cell);
      set_code(m, cell, code);
    }
    for (std::int64_t k = 0; m.layout.stacks && k < each && !m.fault; ++k) push(m, cell, code, i);
  });
  return true;
}

template <int W>
bool change(Machine<W>& m, const I& i) {
  const std::int32_t to = m.code.drops[at(i.x)].owner;
  const int kind = m.numbers[i.b];
  const bool keeps_kind = m.code.drops[at(i.x)].player != 0; // no kind is given
  if (!keeps_kind && kind < 0) {
    m.fail(i, kNoKindToChangeTo);
    return true;
  }
  const Bits<W> cells = m.sets[i.a] - m.sets[m.layout.empty];
  m.charge(kStepsPerPiece * at(cells.count()));
  cells.each([&](int cell) {
    const std::uint8_t old = top(m, cell);
    const int owner = to == kKeepOwner ? m.tables.pieces.owner_of(old) : to;
    const int now_kind = keeps_kind ? m.tables.pieces.kind[old] : kind;
    const std::uint8_t now = m.tables.pieces.code_of(owner, now_kind);
    if (now == 0) {
      const std::string& name = m.tables.program.kinds[at(now_kind)].name;
      m.fail(i, owner < 0 ? "there is no neutral `" + name + "`"
                          : m.tables.program.players[at(owner)].name + " has no `" + name + "`");
      return;
    }
    if (!m.layout.stacks) return set_code(m, cell, now);
    set_owner_and_kind(m, cell, old, now);
    m.write_code(at(cell) * at(m.layout.levels) + at(m.height_of(cell) - 1), now);
  });
  return true;
}

template <int W>
bool move_by(Machine<W>& m, const I& i) {
  const Bits<W> moved = m.sets[i.a] - m.sets[m.layout.empty];
  m.charge(kStepsPerPiece * at(moved.count()));
  const CellMap& map = m.boxes[i.b].map;
  if (map.shifts() && map.dx == 0 && map.dy == 0) return true; // all stay where they are
  Bits<W> targets;
  bool fits = true;
  // Where they go, in board order, with what stands there: a part of m.carried.
  m.arriving.clear();
  moved.each([&](int cell) {
    const int target = m.tables.program.board.map(map, cell);
    fits = fits && target >= 0 && !targets.test(target);
    if (fits) targets.set(target);
    m.arriving.push_back({target, 0, 0});
  });
  if (!fits) return false;
  const Bits<W> met = targets - moved - m.sets[m.layout.empty];
  const bool only_asked = (i.y & ir::kOnlyAsked) != 0 && m.numbers[m.layout.full] <= 0;
  if (only_asked && !(m.layout.stacks && met.any())) { // a stack may become too high
    if ((i.y & 1) != 0) met.each([&](int cell) { note_gone(m, cell); });
    return true;
  }
  m.arriving_codes.clear();
  std::size_t next = 0;
  moved.each([&](int cell) {
    const auto begin = m.codes.begin() + cell * m.layout.levels;
    const int height = m.layout.stacks ? m.height_of(cell) : 1;
    m.arriving[next][1] = static_cast<int>(m.arriving_codes.size());
    m.arriving[next++][2] = height;
    m.arriving_codes.insert(m.arriving_codes.end(), begin, begin + height);
    m.layout.stacks ? shorten(m, cell, 0) : set_code(m, cell, 0);
  });
  m.charge(kStepsPerPiece * (2 * m.arriving.size() + m.arriving_codes.size()));
  if (!map.shifts() || !m.tables.even) // a shift keeps their order
    std::sort(m.arriving.begin(), m.arriving.end());
  for (const auto& [cell, from, height] : m.arriving) {
    if (m.layout.stacks) {
      for (int level = 0; level < height && !m.fault; ++level)
        push(m, cell, m.arriving_codes[at(from + level)], i);
      continue;
    }
    if ((i.y & 1) != 0) note_gone(m, cell);
    set_code(m, cell, m.arriving_codes[at(from)]);
  }
  return true;
}

// No hand holds less than nothing.
template <int W>
void write_hand(Machine<W>& m, const I& i) {
  const int kind = m.numbers[i.a];
  if (kind < 0) return m.fail(i, kNoKindOfHand);
  const int slot = m.tables.program.hand_slot[i.c][at(kind)];
  if (slot < 0)
    return m.fail(i,
                  "`set hand` of `" + m.tables.program.kinds[at(kind)].name + "`: no such entry in `hands`");
  m.write_number(m.layout.hands + at(slot), std::max(m.numbers[i.b], 0));
}

template <int W>
std::int32_t pieces_on(Machine<W>& m, const I& i) {
  const Bits<W> cells = m.sets[i.a] - m.sets[m.layout.empty];
  const int kind = m.numbers[i.b];
  const auto owners = static_cast<std::uint32_t>(i.x);
  const auto counts = [&](std::uint8_t code) {
    const bool is_theirs = (owners >> m.tables.pieces.owner_index[code] & 1) != 0;
    return is_theirs && (kind == -2 || m.tables.pieces.kind[code] == kind) ? 1 : 0;
  };
  std::int32_t sum = 0;
  cells.each([&](int cell) { // native code counts the same steps (codegen/stacks.cpp)
    m.charge(1 + at(m.layout.stacks ? m.height_of(cell) : 0) / 2);
    if (!m.layout.stacks) {
      sum += counts(m.codes[at(cell)]);
      return;
    }
    const std::uint8_t* const codes = m.codes.data() + at(cell) * at(m.layout.levels);
    for (int level = 0; level < m.height_of(cell); ++level) sum += counts(codes[level]);
  });
  return sum;
}

} // namespace boardwright::runtime::executor
