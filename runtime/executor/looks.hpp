// What a search asks about positions and moves without carrying anything out.
#pragma once

#include "runtime/executor/changes.hpp"
#include "runtime/executor/drafts.hpp"
#include "runtime/executor/executor.hpp"
#include "runtime/executor/moves.hpp"

#include <algorithm>
#include <cstring>

namespace boardwright::runtime::executor {

// A first look sees an empty board before it.
template <int W>
void begin_view(const Machine<W>& m, BoardView& view) {
  const std::size_t cells = m.code.of_cell.empty() ? at(m.layout.cells) : m.code.of_cell.size();
  view.levels = m.layout.stacks ? at(m.layout.levels) : 1;
  view.codes.assign(cells * view.levels, 0);
  view.height.assign(cells, 0);
  view.hands.assign(at(m.tables.program.hands), 0);
  view.cell_of.assign(at(m.layout.cells), -1);
  for (std::size_t c = 0; c < cells; ++c)
    view.cell_of[m.code.of_cell.empty() ? c : at(m.code.of_cell[c])] = static_cast<std::int16_t>(c);
  std::size_t planes = 0;
  view.values.clear();
  for (const PieceValue& value : m.tables.program.piece_values) {
    planes += at(value.planes);
    view.values.insert(view.values.end(), cells, value.flipped);
  }
  view.seen.assign(m.layout.stacks ? 0 : (board_sets(m) + planes) * W, 0);
  view.seen_codes.assign(m.layout.stacks ? m.codes.size() + m.heights.size() : 0, 0);
}

template <int W>
[[nodiscard]] const Bits<W>& plane(const Machine<W>& m, const PieceValue& value, int bit) {
  return m.sets[at(m.layout.set_of_variable[at(value.first + bit)])];
}

template <int W>
void Executor<W>::look(BoardView& view) const {
  if (view.cell_of.empty()) begin_view(m_, view);
  view.changed.clear();
  for (std::size_t k = 0; k < view.hands.size(); ++k) view.hands[k] = m_.numbers[m_.layout.hands + k];
  if (m_.layout.stacks) return look_at_stacks(m_, view);
  Bits<W> differ;
  const auto see = [&](std::size_t number, const Bits<W>& now) {
    for (unsigned k = 0; k < W; ++k) {
      std::uint64_t& seen = view.seen[number * W + k];
      differ.word[k] |= seen ^ now.word[k];
      seen = now.word[k];
    }
  };
  for (std::size_t s = 0; s < board_sets(m_); ++s) see(s, m_.sets[s]);
  std::size_t number = board_sets(m_);
  for (const PieceValue& value : m_.tables.program.piece_values)
    for (int bit = 0; bit < value.planes; ++bit) see(number++, plane(m_, value, bit));
  differ.each([&](int cell) {
    const std::int16_t c = view.cell_of[at(cell)];
    if (c < 0) return;
    view.codes[at(c)] = m_.layout.mailbox ? m_.codes[at(cell)] : code_of_sets(m_, cell);
    view.height[at(c)] = view.codes[at(c)] != 0 ? 1 : 0;
    for (std::size_t v = 0; v < m_.tables.program.piece_values.size(); ++v) {
      const PieceValue& value = m_.tables.program.piece_values[v];
      std::uint32_t code = value.flipped;
      for (int bit = 0; bit < value.planes; ++bit)
        if (plane(m_, value, bit).test(cell)) code ^= std::uint32_t{1} << static_cast<unsigned>(bit);
      view.values[v * view.height.size() + at(c)] = code;
    }
    view.changed.push_back(c);
  });
}

template <int W>
void look_at_stacks(const Machine<W>& m, BoardView& view) {
  std::uint8_t* const seen_heights = view.seen_codes.data() + m.codes.size();
  const std::size_t levels = at(m.layout.levels);
  for (std::size_t cell = 0; cell < m.heights.size(); ++cell) {
    const std::size_t height = m.heights[cell];
    std::uint8_t* const seen = view.seen_codes.data() + cell * levels;
    const std::uint8_t* const now = m.codes.data() + cell * levels;
    if (seen_heights[cell] == height && std::memcmp(seen, now, height) == 0) continue;
    seen_heights[cell] = static_cast<std::uint8_t>(height);
    std::memcpy(seen, now, height);
    const std::int16_t c = view.cell_of[cell];
    if (c < 0) continue;
    view.height[at(c)] = static_cast<std::uint8_t>(height);
    std::memcpy(view.codes.data() + at(c) * levels, now, height);
    view.changed.push_back(c);
  }
}

// By the way through the rule and what was chosen on it: all but the cell of a set.
template <int W>
[[nodiscard]] std::uint64_t label_of(const Machine<W>& m, const MoveList<W>& list, const Record<W>& record) {
  const ir::Leaf& leaf = m.code.leaves[record.leaf];
  const std::int32_t* const values = list.values.data() + record.values;
  const std::size_t size = leaf.dynamic ? 1 + at(*values) + leaf.choices.size() : leaf.values.size();
  std::uint64_t label = mix(record.leaf);
  for (std::size_t k = 0; k < size; ++k) label = chain(label, static_cast<std::uint32_t>(values[k]));
  return label;
}

[[nodiscard]] inline std::uint64_t label_with(std::uint64_t label, int cell) {
  return mix(label + static_cast<std::uint64_t>(cell) + 1);
}

template <int W>
void Executor<W>::append_labels(std::vector<std::uint64_t>& labels) const {
  const MoveList<W>& list = listed();
  for (const Record<W>& record : list.records) {
    const std::uint64_t label = label_of(m_, list, record);
    if (record.set.none())
      labels.push_back(label);
    else
      record.set.each([&](int cell) { labels.push_back(label_with(label, cell)); });
  }
}

template <int W>
std::uint64_t Executor<W>::label(std::size_t move) const {
  const MoveList<W>& list = listed();
  const auto [record, cell] = move_at(list, move);
  const std::uint64_t label = label_of(m_, list, *record);
  return cell < 0 ? label : label_with(label, cell);
}

} // namespace boardwright::runtime::executor
