// The course of a turn: how it begins and ends, who loses and who is next.
#pragma once

#include "runtime/executor/calls.hpp"
#include "runtime/executor/drafts.hpp"
#include "runtime/executor/stock.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace boardwright::runtime::executor {

template <int W>
void reset_draft(Machine<W>& m) {
  m.numbers[m.layout.again] = m.numbers[m.layout.decision] = m.numbers[m.layout.winners] =
      m.numbers[m.layout.carried] = 0;
  m.sets[m.layout.gone] = Bits<W>();
  if (m.layout.written != 0) m.sets[m.layout.written] = Bits<W>();
  m.text.clear();
}

template <int W>
void begin_turn(Machine<W>& m, const I& i) {
  m.mover = i.x;
  m.total = 0;
  if (m.running_game) { // each turn is an answer
    (void)m.work(kStepsOfTurn, i);
    m.begun = m.left;
  }
  if (m.running_game) m.forget_changes();
  m.turn_mark = m.trail.mark();
  m.seeking_best = false;
  m.list->records.clear();
  m.list->values.clear();
  reset_draft(m);
  if (!m.code.uses_history) return;
  m.board_at_beginning = board_key(m);
  m.key_at_beginning = repetition_key(m, m.board_at_beginning);
}

template <int W>
void begin_comparing(Machine<W>& m, const I& i) {
  m.numbers[i.d] = m.numbers[i.a];
  if (m.numbers[i.a] >= 0) return; // it has begun in this turn
  m.once.clear();
  m.numbers[i.d] = m.full_turns > 0 ? 1 : 0;
  m.full_turns = std::max(m.full_turns - 1, 0);
}

template <int W>
[[nodiscard]] int next_player(const Machine<W>& m, int after) {
  const auto out = static_cast<std::uint32_t>(m.numbers[m.layout.out]);
  for (int k = 1; k < m.layout.players; ++k)
    if (const int p = (after + k) % m.layout.players; (out >> p & 1) == 0) return p;
  return -1;
}

template <int W>
[[nodiscard]] int after_turn(const Machine<W>& m) {
  const auto out = static_cast<std::uint32_t>(m.numbers[m.layout.out]);
  const bool stays = m.numbers[m.layout.again] != 0 && (out >> m.mover & 1) == 0;
  const int next = next_player(m, m.mover);
  return stays || next < 0 ? m.mover : next;
}

template <int W>
void end_turn(Machine<W>& m) {
  const auto count_up = [&m](std::size_t i) {
    if (m.numbers[i] < std::numeric_limits<std::int32_t>::max()) m.write_number(i, m.numbers[i] + 1);
  };
  if (m.running_game && m.code.uses_history) {
    m.positions.add(m.key_at_beginning);
    m.boards.add(m.board_at_beginning); // native code keeps what is asked for
    if (m.keeps_line) m.line.push_back(m.key_at_beginning);
  }
  const int next = after_turn(m);
  count_up(m.layout.ply);
  count_up(m.layout.turns + at(m.mover));
  m.write_number(m.layout.to_move, next);
}

// The mover loses: of two the other wins; of more he is out, and the last one left wins.
template <int W>
void lose(Machine<W>& m, const I& i) {
  const ir::Verdict& v = m.code.verdicts[at(i.x)];
  const auto out = static_cast<std::uint32_t>(m.numbers[m.layout.out]) | std::uint32_t{1} << v.player;
  std::uint32_t left = 0;
  for (int p = 0; p < m.layout.players; ++p)
    if (p != v.player && (out >> p & 1) == 0) left |= std::uint32_t{1} << p;
  if (m.layout.players > 2) m.write_number(m.layout.out, static_cast<std::int32_t>(out));
  if ((left & (left - 1)) != 0) return;
  m.write_number(m.layout.decision, i.x + 1);
  m.write_number(m.layout.winners, static_cast<std::int32_t>(left));
}

template <int W>
void decide_score(Machine<W>& m, const I& i) {
  std::int64_t best = std::numeric_limits<std::int64_t>::min();
  std::uint32_t winners = 0, everyone = 0;
  const auto out = static_cast<std::uint32_t>(m.numbers[m.layout.out]);
  for (int p = 0; p < m.layout.players; ++p) {
    if ((out >> p & 1) != 0) continue;
    const std::int64_t share = m.shares[at(p)];
    if (share > best) winners = 0;
    best = std::max(best, share);
    everyone |= std::uint32_t{1} << p;
    if (share == best) winners |= std::uint32_t{1} << p;
  }
  const bool alone = (winners & (winners - 1)) == 0;
  m.write_number(m.layout.decision, i.x + 1);
  m.write_number(m.layout.winners, static_cast<std::int32_t>(winners == everyone && !alone ? 0 : winners));
}

// False: the game is over.
template <int W>
bool put_out(Machine<W>& m, const I& i) {
  m.undo(m.turn_mark);
  const auto out = static_cast<std::uint32_t>(m.numbers[m.layout.out]) | std::uint32_t{1} << m.mover;
  m.write_number(m.layout.out, static_cast<std::int32_t>(out));
  const int next = next_player(m, m.mover), last = next < 0 ? -1 : next_player(m, next);
  if (next >= 0 && last >= 0 && last != m.mover) {
    m.write_number(m.layout.to_move, next);
    return true;
  }
  m.turn_mark = m.trail.mark(); // that he is out stays
  m.write_number(m.layout.decision, i.x + 1);
  m.write_number(m.layout.winners, next < 0 ? 0 : static_cast<std::int32_t>(std::uint32_t{1} << next));
  return false;
}

template <int W>
[[nodiscard]] std::optional<Outcome> decided(const Machine<W>& m) {
  const std::int32_t d = m.numbers[m.layout.decision];
  if (d == 0) return std::nullopt;
  const ir::Verdict& v = m.code.verdicts[at(d - 1)];
  return Outcome{static_cast<std::uint32_t>(m.numbers[m.layout.winners]), v.origin, v.by, v.shares};
}

template <int W>
tl::unexpected<Fault> take_fault(Machine<W>& m) {
  Fault f = std::move(*m.fault);
  m.fault.reset();
  forget_calls(m);
  m.memo.open.clear();
  give_back(m);
  if (m.escaped) std::rethrow_exception(std::exchange(m.escaped, nullptr));
  return tl::unexpected(std::move(f));
}

// Of three or more players one is left: where a position comes from outside. Else the move, or the line, has
// decided.
template <int W>
[[nodiscard]] bool one_is_left(const Machine<W>& m) {
  return m.layout.players > 2 &&
         m.layout.players - std::popcount(static_cast<std::uint32_t>(m.numbers[m.layout.out])) <= 1;
}

} // namespace boardwright::runtime::executor
