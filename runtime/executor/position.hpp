// Positions: set up, told, and begun anew.
#pragma once

#include "runtime/executor/changes.hpp"
#include "runtime/executor/executor.hpp"
#include "runtime/model/meter.hpp"

#include <algorithm>

namespace boardwright::runtime::executor {

template <int W>
Executor<W>::Executor(const Tables<W>& tables) : m_(tables), keeps_history_(tables.code.uses_history) {
  m_.keeps_line = tables.asks_when;
  const ir::Code& code = tables.code;
  const ir::Layout& l = code.layout;
  m_.sets.resize(code.sets);
  m_.numbers.resize(code.numbers);
  m_.boxes.resize(code.boxes);
  for (std::size_t k = 0; k < code.set_constants.size(); ++k)
    m_.sets[l.draft_sets + k] = narrow<W>(code.set_constants[k]);
  for (std::size_t k = 0; k < code.number_constants.size(); ++k)
    m_.numbers[l.draft_numbers + k] = code.number_constants[k];
  // Native code reads the codes of stacks by words, also those of the last cell.
  if (l.mailbox) m_.codes.resize(at(l.cells) * at(l.levels) + (l.stacks ? at(codegen::kCodesInWord) : 0));
  if (l.stacks) m_.heights.resize(at(l.cells)), m_.carried.resize(kMaxHeight);
  m_.trail.reserve(1024);
  m_.memos.begin_empty(at(code.memos) * ir::kMemoSlots * (W + 1));
  m_.shares.resize(at(l.players));
}

template <int W>
void Executor<W>::load(const Position& position) {
  const Program& p = m_.tables.program;
  std::size_t pieces = 0;
  for (const Stack& stack : position.cells) pieces += stack.size();
  m_.may_memo = pieces <= at(m_.tables.program.board.levels);
  for (std::size_t s = 0; s < m_.layout.state_sets; ++s) m_.sets[s] = Bits<W>();
  for (std::size_t i = 0; i < m_.layout.draft_numbers; ++i) m_.numbers[i] = 0;
  std::fill(m_.codes.begin(), m_.codes.end(), std::uint8_t{0});
  std::fill(m_.heights.begin(), m_.heights.end(), std::uint8_t{0});
  m_.sets[m_.layout.empty] = m_.tables.board;
  for (std::size_t c = 0; c < position.cells.size(); ++c) {
    const int cell = m_.code.of_cell.empty() ? static_cast<int>(c) : m_.code.of_cell[c];
    for (const Piece piece : position.cells[c]) {
      const std::uint8_t code = m_.tables.pieces.code_of(piece.owner, piece.kind);
      if (code == 0) continue;
      if (m_.layout.stacks) {
        push(m_, cell, code, I());
        continue;
      }
      if (m_.layout.mailbox) m_.codes[at(cell)] = code;
      set_owner_and_kind(m_, cell, 0, code);
    }
  }
  for (std::size_t k = 0; k < position.variables.size() && k < p.variables.size(); ++k)
    if (const int s = m_.layout.set_of_variable[k]; s >= 0)
      m_.sets[at(s)] = narrow<W>(renumbered(m_, position.variables[k].cells));
    else
      m_.numbers[k] = position.variables[k].number;
  for (std::size_t k = 0; k < at(p.hands) && k < position.hands.size(); ++k)
    m_.numbers[m_.layout.hands + k] = position.hands[k];
  m_.numbers[m_.layout.ply] = position.ply;
  for (std::size_t k = 0; k < position.turns.size() && k < p.players.size(); ++k)
    m_.numbers[m_.layout.turns + k] = position.turns[k];
  m_.numbers[m_.layout.to_move] = position.to_move;
  m_.numbers[m_.layout.out] = static_cast<std::int32_t>(position.out);
  note_start();
  forget_past();
}

template <int W>
void Executor<W>::note_start() {
  start_.sets.assign(m_.sets.begin(), m_.sets.begin() + m_.layout.state_sets);
  start_.numbers.assign(m_.numbers.begin(), m_.numbers.begin() + m_.layout.state_numbers);
  start_.codes = m_.codes;
  start_.heights = m_.heights;
}

// Between turns nothing is carried, and what a draft is made of counts for nothing.
template <int W>
void Executor<W>::load_from(const Engine& other) {
  const auto& o = static_cast<const Executor&>(other);
  m_.may_memo = o.m_.may_memo;
  std::copy_n(o.m_.sets.begin(), m_.layout.state_sets, m_.sets.begin());
  std::copy_n(o.m_.numbers.begin(), m_.layout.state_numbers, m_.numbers.begin());
  std::copy(o.m_.codes.begin(), o.m_.codes.end(), m_.codes.begin());
  std::copy(o.m_.heights.begin(), o.m_.heights.end(), m_.heights.begin());
  note_start();
  forget_past();
}

template <int W>
void Executor<W>::count_pieces(std::vector<std::int32_t>& counts) const {
  const Pieces& p = m_.tables.pieces;
  counts.assign(at((p.players + 1) * p.kinds), 0);
  const auto place = [&](std::uint8_t code) {
    return at(p.owner_index[code]) * at(p.kinds) + at(p.kind[code]);
  };
  for (int player = 0; player < p.players; ++player)
    for (int kind = 0; kind < p.kinds; ++kind)
      if (const int slot = m_.tables.program.hand_slot[at(player)][at(kind)]; slot >= 0)
        counts[at(player) * at(p.kinds) + at(kind)] = m_.numbers[m_.layout.hands + at(slot)];
  if (m_.layout.stacks) {
    for (int cell = 0; cell < m_.layout.cells; ++cell)
      for (int level = 0; level < m_.height_of(cell); ++level)
        ++counts[place(m_.codes[at(cell) * at(m_.layout.levels) + at(level)])];
    return;
  }
  for (int k = 1; k < p.count(); ++k) {
    const auto code = static_cast<std::uint8_t>(k);
    Bits<W> cells = m_.sets[p.owner_index[code]];
    if (m_.layout.kinds > 0) cells = cells & m_.sets[m_.layout.owners + at(p.kind[code])];
    counts[place(code)] += cells.count();
  }
}

template <int W>
void Executor<W>::forget_past() {
  m_.forget_changes();
  plies_.clear();
  if (keeps_history_) m_.positions.clear(), m_.boards.clear();
  m_.line.clear();
  ended_.reset();
  m_.fault.reset();
  m_.turn_mark = 0;
}

template <int W>
void Executor<W>::reset() {
  std::copy(start_.sets.begin(), start_.sets.end(), m_.sets.begin());
  std::copy(start_.numbers.begin(), start_.numbers.end(), m_.numbers.begin());
  std::copy(start_.codes.begin(), start_.codes.end(), m_.codes.begin());
  std::copy(start_.heights.begin(), start_.heights.end(), m_.heights.begin());
  forget_past();
}

template <int W>
[[nodiscard]] CellSet renumbered(const Machine<W>& m, const CellSet& cells) {
  if (m.code.of_cell.empty()) return cells;
  CellSet all;
  cells.each([&](int c) { all.set(m.code.of_cell[at(c)]); });
  return all;
}

// To write a position down: each cell and each variable takes some memory of its own.
template <int W>
[[nodiscard]] std::uint64_t steps_of_position(const Machine<W>& m) {
  constexpr std::uint64_t kOfCell = 4, kOfVariable = 24;
  return at(m.layout.cells) * kOfCell + m.tables.program.variables.size() * kOfVariable;
}

template <int W>
Position Executor<W>::position() const {
  Meter::charge(steps_of_position(m_));
  Position p;
  const std::size_t cells = m_.code.of_cell.empty() ? at(m_.layout.cells) : m_.code.of_cell.size();
  p.cells.resize(cells);
  std::vector<std::int16_t> back(at(m_.layout.cells), -1);
  for (std::size_t c = 0; c < cells; ++c) {
    const int cell = m_.code.of_cell.empty() ? static_cast<int>(c) : m_.code.of_cell[c];
    back[at(cell)] = static_cast<std::int16_t>(c);
    p.cells[c] = stack_on(m_, cell);
  }
  p.hands.assign(m_.numbers.begin() + m_.layout.hands,
                 m_.numbers.begin() + m_.layout.hands + m_.tables.program.hands);
  for (std::size_t k = 0; k < m_.tables.program.variables.size(); ++k) {
    VariableValue& v = p.variables.emplace_back();
    if (const int s = m_.layout.set_of_variable[k]; s >= 0)
      m_.sets[at(s)].each([&](int cell) { v.cells.set(back[at(cell)]); });
    else
      v.number = m_.numbers[k];
  }
  p.to_move = m_.numbers[m_.layout.to_move];
  p.out = static_cast<std::uint32_t>(m_.numbers[m_.layout.out]);
  p.ply = m_.numbers[m_.layout.ply];
  p.turns.assign(m_.numbers.begin() + m_.layout.turns,
                 m_.numbers.begin() + m_.layout.turns + m_.layout.players);
  return p;
}

template <int W>
[[nodiscard]] Stack stack_on(const Machine<W>& m, int cell) {
  Stack stack;
  if (m.layout.stacks) {
    for (int level = 0; level < m.height_of(cell); ++level)
      stack.push_back(m.tables.pieces.of_code[m.codes[at(cell) * at(m.layout.levels) + at(level)]]);
    return stack;
  }
  if (const std::uint8_t code = code_of_sets(m, cell); code != 0)
    stack.push_back(m.tables.pieces.of_code[code]);
  return stack;
}

template <int W>
std::size_t Executor<W>::state_bytes() const {
  return sizeof(Bits<W>) * m_.layout.state_sets + sizeof(std::int32_t) * m_.layout.state_numbers +
         m_.codes.size() + m_.heights.size();
}

} // namespace boardwright::runtime::executor
