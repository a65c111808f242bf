// What a search asks about positions and moves without carrying anything out.
#pragma once

#include "runtime/executor/executor.hpp"

#include <algorithm>
#include <cstring>

namespace boardwright::runtime::executor {

// A first look sees an empty board before it.
template <int W>
void Executor<W>::begin_view(BoardView& view) const {
  const std::size_t cells = code_.of_cell.empty() ? at(l_.cells) : code_.of_cell.size();
  view.levels = l_.stacks ? at(l_.levels) : 1;
  view.codes.assign(cells * view.levels, 0);
  view.height.assign(cells, 0);
  view.hands.assign(at(t_.program.hands), 0);
  view.cell_of.assign(at(l_.cells), -1);
  for (std::size_t c = 0; c < cells; ++c)
    view.cell_of[code_.of_cell.empty() ? c : at(code_.of_cell[c])] = static_cast<std::int16_t>(c);
  std::size_t planes = 0;
  view.values.clear();
  for (const PieceValue& value : t_.program.piece_values) {
    planes += at(value.planes);
    view.values.insert(view.values.end(), cells, value.flipped);
  }
  view.seen.assign(l_.stacks ? 0 : (board_sets() + planes) * W, 0);
  view.seen_codes.assign(l_.stacks ? m_.codes.size() + m_.heights.size() : 0, 0);
}

template <int W>
const typename Executor<W>::Set& Executor<W>::plane(const PieceValue& value, int bit) const {
  return m_.sets[at(l_.set_of_variable[at(value.first + bit)])];
}

template <int W>
void Executor<W>::look(BoardView& view) const {
  if (view.cell_of.empty()) begin_view(view);
  view.changed.clear();
  for (std::size_t k = 0; k < view.hands.size(); ++k) view.hands[k] = m_.numbers[l_.hands + k];
  if (l_.stacks) return look_at_stacks(view);
  Set differ;
  const auto see = [&](std::size_t number, const Set& now) {
    for (unsigned k = 0; k < W; ++k) {
      std::uint64_t& seen = view.seen[number * W + k];
      differ.word[k] |= seen ^ now.word[k];
      seen = now.word[k];
    }
  };
  for (std::size_t s = 0; s < board_sets(); ++s) see(s, m_.sets[s]);
  std::size_t number = board_sets();
  for (const PieceValue& value : t_.program.piece_values)
    for (int bit = 0; bit < value.planes; ++bit) see(number++, plane(value, bit));
  differ.each([&](int cell) {
    const std::int16_t c = view.cell_of[at(cell)];
    if (c < 0) return;
    view.codes[at(c)] = l_.mailbox ? m_.codes[at(cell)] : code_of_sets(cell);
    view.height[at(c)] = view.codes[at(c)] != 0 ? 1 : 0;
    for (std::size_t v = 0; v < t_.program.piece_values.size(); ++v) {
      const PieceValue& value = t_.program.piece_values[v];
      std::uint32_t code = value.flipped;
      for (int bit = 0; bit < value.planes; ++bit)
        if (plane(value, bit).test(cell)) code ^= std::uint32_t{1} << static_cast<unsigned>(bit);
      view.values[v * view.height.size() + at(c)] = code;
    }
    view.changed.push_back(c);
  });
}

template <int W>
void Executor<W>::look_at_stacks(BoardView& view) const {
  std::uint8_t* const seen_heights = view.seen_codes.data() + m_.codes.size();
  const std::size_t levels = at(l_.levels);
  for (std::size_t cell = 0; cell < m_.heights.size(); ++cell) {
    const std::size_t height = m_.heights[cell];
    std::uint8_t* const seen = view.seen_codes.data() + cell * levels;
    const std::uint8_t* const now = m_.codes.data() + cell * levels;
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
std::uint64_t Executor<W>::label_of(const List& list, const Record& record) const {
  const ir::Leaf& leaf = code_.leaves[record.leaf];
  const std::int32_t* const values = list.values.data() + record.values;
  const std::size_t size = leaf.dynamic ? 1 + at(*values) + leaf.choices.size() : leaf.values.size();
  std::uint64_t label = mix(record.leaf);
  for (std::size_t k = 0; k < size; ++k) label = chain(label, static_cast<std::uint32_t>(values[k]));
  return label;
}

template <int W>
std::uint64_t Executor<W>::label_with(std::uint64_t label, int cell) {
  return mix(label + static_cast<std::uint64_t>(cell) + 1);
}

template <int W>
void Executor<W>::append_labels(std::vector<std::uint64_t>& labels) const {
  const List& list = lists_[plies_.size()];
  for (const Record& record : list.records) {
    const std::uint64_t label = label_of(list, record);
    if (record.set.none())
      labels.push_back(label);
    else
      record.set.each([&](int cell) { labels.push_back(label_with(label, cell)); });
  }
}

template <int W>
std::uint64_t Executor<W>::label(std::size_t move) const {
  const List& list = lists_[plies_.size()];
  const auto [record, cell] = move_at(list, move);
  const std::uint64_t label = label_of(list, *record);
  return cell < 0 ? label : label_with(label, cell);
}

} // namespace boardwright::runtime::executor
