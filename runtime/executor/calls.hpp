// The stack of calls, and the registers that a call keeps.
#pragma once

#include "runtime/executor/machine.hpp"

#include <utility>

namespace boardwright::runtime::executor {

template <int W>
void keep(Machine<W>& m, std::int32_t window) {
  const ir::Window& w = m.code.windows[at(window)];
  m.stack.push_back({window, 0});
  const std::size_t boxes = w.box_end - w.box_begin, before = m.kept_box_bytes;
  for (const ir::Reg r : w.sets) m.kept_sets.push_back(m.sets[r]);
  for (const ir::Reg r : w.numbers) m.kept_numbers.push_back(m.numbers[r]);
  if (m.kept_boxes.size() < m.kept_box_count + boxes) m.kept_boxes.resize(2 * (m.kept_box_count + boxes));
  for (std::size_t k = 0; k < boxes; ++k) {
    m.kept_boxes[m.kept_box_count + k] = m.boxes[w.box_begin + k];
    m.kept_box_bytes += m.boxes[w.box_begin + k].bytes();
  }
  // Each is copied here, and once more when it is restored.
  m.charge(w.sets.size() * W + w.numbers.size() + (m.kept_box_bytes - before) / kBytesPerStep);
  m.kept_box_count += boxes;
}

template <int W>
void restore(Machine<W>& m) {
  const ir::Window& w = m.code.windows[at(m.stack.back().window)];
  m.stack.pop_back();
  const std::size_t sets = w.sets.size(), numbers = w.numbers.size(), boxes = w.box_end - w.box_begin;
  for (std::size_t k = 0; k < sets; ++k) m.sets[w.sets[k]] = m.kept_sets[m.kept_sets.size() - sets + k];
  m.kept_sets.resize(m.kept_sets.size() - sets);
  for (std::size_t k = 0; k < numbers; ++k)
    m.numbers[w.numbers[k]] = m.kept_numbers[m.kept_numbers.size() - numbers + k];
  m.kept_numbers.resize(m.kept_numbers.size() - numbers);
  m.kept_box_count -= boxes;
  for (std::size_t k = 0; k < boxes; ++k) {
    m.kept_box_bytes -= m.kept_boxes[m.kept_box_count + k].bytes();
    std::swap(m.boxes[w.box_begin + k], m.kept_boxes[m.kept_box_count + k]);
  }
}

// From within the search to where the turn begins.
template <int W>
void unwind(Machine<W>& m) {
  m.undo(m.turn_mark);
  forget_calls(m);
}

// What calls, repetitions and comparisons under way have kept.
template <int W>
void forget_calls(Machine<W>& m) {
  m.stack.clear();
  m.kept_box_count = m.kept_box_bytes = 0;
  m.kept_sets.clear();
  m.kept_numbers.clear();
  m.path.clear();
  m.places.end(0);
  m.outcomes.end(0);
}

} // namespace boardwright::runtime::executor
