// The stack of calls, and the registers that a call keeps.
#pragma once

#include "runtime/executor/machine.hpp"

#include <utility>

namespace boardwright::runtime::executor {

template <int W>
void keep(Machine<W>& m, std::int32_t spill_area) {
  const ir::SpillArea& w = m.code.spill_areas[at(spill_area)];
  m.stack.push_back({spill_area, 0});
  const std::size_t boxes = w.box_end - w.box_begin, before = m.spilled_box_bytes;
  for (const ir::Reg r : w.sets) m.spilled_sets.push_back(m.sets[r]);
  for (const ir::Reg r : w.numbers) m.spilled_numbers.push_back(m.numbers[r]);
  if (m.spilled_boxes.size() < m.spilled_box_count + boxes)
    m.spilled_boxes.resize(2 * (m.spilled_box_count + boxes));
  for (std::size_t k = 0; k < boxes; ++k) {
    m.spilled_boxes[m.spilled_box_count + k] = m.boxes[w.box_begin + k];
    m.spilled_box_bytes += m.boxes[w.box_begin + k].bytes();
  }
  // Each is copied here, and once more when it is restored.
  m.charge(w.sets.size() * W + w.numbers.size() + (m.spilled_box_bytes - before) / kBytesPerStep);
  m.spilled_box_count += boxes;
}

template <int W>
void restore(Machine<W>& m) {
  const ir::SpillArea& w = m.code.spill_areas[at(m.stack.back().spill_area)];
  m.stack.pop_back();
  const std::size_t sets = w.sets.size(), numbers = w.numbers.size(), boxes = w.box_end - w.box_begin;
  for (std::size_t k = 0; k < sets; ++k) m.sets[w.sets[k]] = m.spilled_sets[m.spilled_sets.size() - sets + k];
  m.spilled_sets.resize(m.spilled_sets.size() - sets);
  for (std::size_t k = 0; k < numbers; ++k)
    m.numbers[w.numbers[k]] = m.spilled_numbers[m.spilled_numbers.size() - numbers + k];
  m.spilled_numbers.resize(m.spilled_numbers.size() - numbers);
  m.spilled_box_count -= boxes;
  for (std::size_t k = 0; k < boxes; ++k) {
    m.spilled_box_bytes -= m.spilled_boxes[m.spilled_box_count + k].bytes();
    std::swap(m.boxes[w.box_begin + k], m.spilled_boxes[m.spilled_box_count + k]);
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
  m.spilled_box_count = m.spilled_box_bytes = 0;
  m.spilled_sets.clear();
  m.spilled_numbers.clear();
  m.path.clear();
  m.places.end(0);
  m.outcomes.end(0);
}

} // namespace boardwright::runtime::executor
