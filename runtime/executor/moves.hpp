// The moves that are found: noting them in the list, comparing them, drawing one.
#pragma once

#include "runtime/executor/calls.hpp"
#include "runtime/executor/drafts.hpp"
#include "runtime/executor/stock.hpp"

#include <algorithm>

namespace boardwright::runtime::executor {

template <int W>
void note(Machine<W>& m, const I& i, const Bits<W>& set, std::uint64_t count) {
  MoveList<W>& list = *m.list;
  const bool stops =
      m.limits != nullptr &&
      (m.seeking_best ? list.records.size() % 64 == 0 && m.limits->over() : must_stop(m, m.total - count));
  if (stops) {
    m.total -= count;
    if (m.seeking_best) forget_moves(m, m.best_found.data()); // nobody knows which of them count
    m.stopped = true;
    return m.fail(i, "stopped");
  }
  if (m.total > kMaxMoves)
    return m.fail(i, "a position has more than " + std::to_string(kMaxMoves) + " moves");
  const ir::Leaf& leaf = m.code.leaves[at(i.x)];
  const std::int32_t before = !leaf.dynamic || leaf.base < 0 ? 0 : m.numbers[at(leaf.base)];
  const std::size_t values = leaf.dynamic ? 1 + at(before) + leaf.choices.size() : leaf.values.size();
  if (list.values.size() + values > kMaxChoices)
    return m.fail(i, "the moves of a position have more than " + std::to_string(kMaxChoices) +
                         " choices together");
  list.records.push_back({static_cast<std::uint32_t>(i.x), static_cast<std::uint32_t>(list.values.size()),
                          m.total - count, set});
  if (!leaf.dynamic) {
    for (const ir::Reg r : leaf.values) list.values.push_back(m.numbers[r]);
    return;
  }
  list.values.push_back(before);
  list.values.append(m.choices.data(), at(before));
  for (const ir::Choice& c : leaf.choices) list.values.push_back(value_of(m, c));
}

template <int W>
[[nodiscard]] bool must_stop(const Machine<W>& m, std::uint64_t found) {
  const Limits& l = *m.limits;
  if (found >= l.most_moves || m.list->bytes() >= l.most_bytes) return true;
  return m.list->records.size() % 64 == 0 && l.over();
}

template <int W>
[[nodiscard]] std::int32_t value_of(const Machine<W>& m, const ir::Choice& c) {
  return c.from == ir::Choice::From::constant ? c.value
         : c.from == ir::Choice::From::number ? m.numbers[at(c.value)]
                                              : 0;
}

template <int W>
void found(Machine<W>& m, const I& i, const Bits<W>& set) {
  const auto count = static_cast<std::uint64_t>(set.count());
  if (count == 0) return;
  m.total += count;
  if (m.purpose == Purpose::find && m.total <= m.target) return;
  if (m.purpose >= Purpose::list) note(m, i, set, count);
}

template <int W>
void found_one(Machine<W>& m, const I& i) {
  ++m.total;
  if (m.purpose == Purpose::find && m.total <= m.target) return;
  if (m.purpose >= Purpose::list) note(m, i, Bits<W>(), 1);
}

// To look a move up among those found before: by what is written of it, or by all that it leads to. Native
// code counts the same (codegen/history.cpp).
template <int W>
[[nodiscard]] std::uint64_t steps_to_compare(const Machine<W>& m) {
  if (m.numbers[m.layout.full] <= 0) return kComparingWork;
  std::uint64_t steps = (m.layout.state_sets * std::uint64_t{W} + m.layout.state_numbers) / 2;
  if (m.layout.stacks)
    for (const std::uint8_t height : m.heights) steps += height / 2;
  return kComparingWork + steps;
}

template <int W>
void found_once(Machine<W>& m, const I& i) {
  const bool full = m.numbers[m.layout.full] > 0;
  const std::uint64_t key = move_key(m, full);
  if (m.seeking_best) m.best_keys.push_back(key);
  if (m.once.add(key) == 1)
    found_one(m, i);
  else
    m.alike = !full;
}

// Moves that are found from here on count only if they are the best.
template <int W>
void begin_best(Machine<W>& m, std::int32_t* found) {
  found[0] = static_cast<std::int32_t>(m.total);
  found[1] = static_cast<std::int32_t>(m.list->records.size());
  found[2] = static_cast<std::int32_t>(m.list->values.size());
  std::copy_n(found, m.best_found.size(), m.best_found.begin());
  m.best_keys.clear();
  m.seeking_best = true;
}

// There is a better one.
template <int W>
void forget_moves(Machine<W>& m, const std::int32_t* found) {
  m.total = at(found[0]);
  m.list->records.resize(at(found[1]));
  m.list->values.resize(at(found[2]));
  for (const std::uint64_t key : m.best_keys) m.once.add(key, -1);
  m.best_keys.clear();
}

// Until now most limits of the list have let all of them through: it wasn't known which ones would count.
template <int W>
void end_best(Machine<W>& m, const I& i) {
  m.seeking_best = false;
  if (m.limits == nullptr) return;
  Buffer<Record<W>>& records = m.list->records;
  const auto too_many = [&] {
    return records.back().before >= m.limits->most_moves || m.list->bytes() >= m.limits->most_bytes;
  };
  while (records.size() > at(m.numbers[i.a + 1]) && too_many()) {
    m.total = records.back().before;
    m.list->values.resize(records.back().values);
    records.pop_back();
    m.stopped = true;
  }
  if (m.stopped) m.fail(i, "stopped");
}

template <int W>
void write_choices(Machine<W>& m, const I& i) {
  const auto& list = m.code.choice_lists[at(i.x)];
  const std::size_t to = at(m.numbers[i.a]);
  if (m.choices.size() < to + list.size()) m.choices.resize(2 * (to + list.size()));
  for (std::size_t k = 0; k < list.size(); ++k) m.choices[to + k] = value_of(m, list[k]);
  m.numbers[i.d] = static_cast<std::int32_t>(to + list.size());
}

template <int W>
[[nodiscard]] std::int32_t open_value(const Machine<W>& m, const ir::Choice& choice, int cell) {
  return choice.place < 0 ? cell : m.code.places[at(choice.place)][at(cell)];
}

// The record that a move belongs to, and its cell if it is one of a set.
template <int W>
[[nodiscard]] auto move_at(const MoveList<W>& list, std::uint64_t n) -> std::pair<const Record<W>*, int> {
  const auto after = std::upper_bound(list.records.begin(), list.records.end(), n,
                                      [](std::uint64_t k, const Record<W>& r) { return k < r.before; });
  const Record<W>& r = *(after - 1);
  return {&r, r.set.none() ? -1 : r.set.nth(static_cast<int>(n - r.before))};
}

// Readies what the code that plays the move takes.
template <int W>
void set_choices(Machine<W>& m, const MoveList<W>& list, const Record<W>& record, int cell) {
  const ir::Leaf& leaf = m.code.leaves[record.leaf];
  const std::int32_t* const begin = list.values.data() + record.values;
  const std::size_t size = leaf.dynamic ? 1 + at(*begin) + leaf.choices.size() : leaf.values.size();
  m.open = cell;
  m.played.assign(begin, begin + size);
  m.given = m.played.data() + (leaf.dynamic ? 1 : 0);
  if (!leaf.dynamic) return;
  const auto before = at(m.played[0]);
  for (std::size_t k = 0; k < leaf.choices.size(); ++k)
    if (leaf.choices[k].from == ir::Choice::From::open)
      m.played[1 + before + k] = open_value(m, leaf.choices[k], cell);
  m.script_next = 1;
}

// What each of the record's moves weighs: something, whatever the position that was set up says.
template <int W>
[[nodiscard]] std::uint64_t weight_of(const Machine<W>& m, const Record<W>& record) {
  const ir::Leaf& leaf = m.code.leaves[record.leaf];
  const std::int32_t* value = m.list->values.data() + record.values;
  const auto odds = static_cast<ir::Reg>(leaf.choices.back().value);
  value += leaf.dynamic ? *value + static_cast<std::ptrdiff_t>(leaf.choices.size())
                        : std::find(leaf.values.begin(), leaf.values.end(), odds) - leaf.values.begin();
  return static_cast<std::uint64_t>(std::max(*value, 1));
}

template <int W>
[[nodiscard]] std::uint64_t moves_of(const Record<W>& record) {
  return record.set.none() ? 1 : static_cast<std::uint64_t>(record.set.count());
}

// The number of a move that is drawn by weight.
template <int W>
[[nodiscard]] std::uint64_t drawn_by_weight(const Machine<W>& m) {
  std::uint64_t all = 0;
  for (const Record<W>& r : m.list->records) all += moves_of(r) * weight_of(m, r);
  std::uint64_t left = m.random->below(all);
  for (const Record<W>& r : m.list->records) {
    const std::uint64_t weight = weight_of(m, r), those = moves_of(r) * weight;
    if (left < those) return r.before + left / weight;
    left -= those;
  }
  return 0; // never
}

// A random one of the moves; where the code that plays it begins.
template <int W>
std::uint32_t pick(Machine<W>& m) {
  const std::uint64_t number = m.code.weighs ? drawn_by_weight(m) : m.random->below(m.total);
  const auto [record, cell] = move_at(*m.list, number);
  m.playout_moves += m.total;
  if (record->leaf != kMany) return take_move(m, *record, cell);
  m.target = number;
  m.purpose = Purpose::find;
  return m.code.players[at(m.mover)].position;
}

// The move that was searched for by its number: the only one in the list.
template <int W>
std::uint32_t take_found(Machine<W>& m) {
  m.purpose = Purpose::pick;
  const auto [record, cell] = move_at(*m.list, m.target);
  return take_move(m, *record, cell);
}

// Where the code that plays it begins.
template <int W>
std::uint32_t take_move(Machine<W>& m, const Record<W>& record, int cell) {
  set_choices(m, *m.list, record, cell);
  return m.code.leaves[record.leaf].entry;
}

} // namespace boardwright::runtime::executor
