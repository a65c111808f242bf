// What a game asks: how a position stands, its moves; to play them, take them back and write them; random
// games.
#pragma once

#include "runtime/executor/executor.hpp"
#include "runtime/executor/moves.hpp"
#include "runtime/executor/native.hpp"
#include "runtime/executor/price.hpp"
#include "runtime/executor/turns.hpp"

#include <algorithm>
#include <limits>

namespace boardwright::runtime::executor {

template <int W>
std::size_t Executor<W>::list_bytes(std::size_t ply) const {
  return ply < lists_.size() ? lists_[ply].bytes() : 0;
}

template <int W>
void Executor<W>::forget_list(std::size_t ply) {
  if (ply < lists_.size()) lists_[ply] = MoveList<W>();
}

template <int W>
Script Executor<W>::script(std::size_t move) const {
  const MoveList<W>& list = listed();
  const auto [record, cell] = move_at(list, move);
  const ir::Leaf& leaf = m_.code.leaves[record->leaf];
  Script script;
  const std::int32_t* values = list.values.data() + record->values;
  if (leaf.dynamic) {
    const auto before = at(values[0]);
    script.assign(values + 1, values + 1 + before);
    for (std::size_t k = 0; k < leaf.choices.size(); ++k)
      script.push_back(leaf.choices[k].from == ir::Choice::From::open ? open_value(m_, leaf.choices[k], cell)
                                                                      : values[1 + before + k]);
    return script;
  }
  for (const ir::Choice& c : leaf.choices) switch (c.from) {
    case ir::Choice::From::constant: script.push_back(c.value); break;
    case ir::Choice::From::open: script.push_back(open_value(m_, c, cell)); break;
    case ir::Choice::From::number: {
      const auto r = std::find(leaf.values.begin(), leaf.values.end(), static_cast<ir::Reg>(c.value));
      script.push_back(values[r - leaf.values.begin()]);
      break;
    }
    }
  return script;
}

template <int W>
CellSet Executor<W>::chosen_cells() const {
  CellSet chosen;
  for (const Record<W>& record : listed().records) {
    const ir::Leaf& leaf = m_.code.leaves[record.leaf];
    if (leaf.dynamic || leaf.choices.empty()) continue;
    const ir::Choice& c = leaf.choices.back();
    switch (c.from) {
    case ir::Choice::From::constant: chosen.set(c.value); break;
    case ir::Choice::From::open:
      record.set.each([&](int cell) { chosen.set(open_value(m_, c, cell)); });
      break;
    case ir::Choice::From::number: {
      const auto r = std::find(leaf.values.begin(), leaf.values.end(), static_cast<ir::Reg>(c.value));
      chosen.set(listed().values[record.values + at(r - leaf.values.begin())]);
      break;
    }
    }
  }
  if (m_.code.of_cell.empty()) return chosen;
  CellSet cells;
  for (std::size_t c = 0; c < m_.code.of_cell.size(); ++c)
    if (chosen.test(m_.code.of_cell[c])) cells.set(static_cast<int>(c));
  return cells;
}

template <int W>
void Executor<W>::charge_code(std::uint64_t times) {
  if (m_.priced) m_.account.steps += times * steps_of_code(m_.code);
}

template <int W>
tl::expected<Judgement, Fault> Executor<W>::judge(Purpose purpose, const Limits* limits) {
  if (ended_) return Judgement{ended_, 0};
  if (one_is_left(m_)) {
    const std::uint32_t everyone = (std::uint32_t{1} << m_.layout.players) - 1;
    const auto out = static_cast<std::uint32_t>(m_.numbers[m_.layout.out]);
    return Judgement{Outcome{everyone & ~out, 0, Outcome::By::last_left}, 0};
  }
  m_.purpose = purpose;
  m_.running_game = false;
  if (lists_.size() <= plies_.size()) lists_.resize(plies_.size() + 1);
  m_.list = &lists_[plies_.size()];
  m_.limits = limits;
  charge_code(1);
  begin_answer(m_);
  m_.turn_mark = m_.trail.mark();
  run_code(m_, m_.code.players[at(to_move())].position);
  m_.limits = nullptr;
  const Judgement judged{decided(m_), m_.total};
  m_.undo(m_.turn_mark); // who has been put out stays out, even if something goes wrong behind it
  give_back(m_);
  if (!m_.fault) return judged;
  const auto fault = take_fault(m_);
  if (m_.stopped) return Judgement{std::nullopt, m_.total, false};
  return fault;
}

template <int W>
typename Executor<W>::Ply Executor<W>::begin_ply() {
  Ply ply{m_.trail.mark(), 0, 0};
  m_.mover = to_move();
  m_.running_game = false;
  begin_answer(m_);
  m_.purpose = Purpose::any;
  reset_draft(m_);
  m_.turn_mark = ply.trail;
  if (keeps_history_) {
    m_.charge(steps_of_state(m_));
    m_.board_at_beginning = ply.board = board_key(m_);
    m_.key_at_beginning = ply.key = repetition_key(m_, ply.board);
  }
  plies_.push_back(ply);
  return ply;
}

// Only now: within the move the position at its beginning isn't one of the past.
template <int W>
void Executor<W>::end_ply(const Ply& ply) {
  if (keeps_history_) m_.positions.add(ply.key);
  if (m_.keeps_line) m_.line.push_back(ply.key);
  if (m_.code.uses_history) m_.boards.add(ply.board);
  give_back(m_);
}

template <int W>
tl::expected<std::optional<Outcome>, Fault> Executor<W>::play_from(std::uint32_t entry) {
  const Ply ply = begin_ply();
  run_code(m_, entry);
  end_ply(ply);
  if (m_.fault) {
    undo();
    return take_fault(m_);
  }
  ended_ = decided(m_);
  return ended_;
}

template <int W>
void Executor<W>::skip_turn() {
  const Ply ply = begin_ply();
  end_turn(m_);
  end_ply(ply);
}

template <int W>
tl::expected<std::optional<Outcome>, Fault> Executor<W>::play(const Script& script) {
  m_.played.assign(script.data(), script.data() + script.size());
  m_.script_next = 0;
  return play_from(m_.code.players[at(to_move())].play);
}

template <int W>
tl::expected<std::optional<Outcome>, Fault> Executor<W>::play_listed(std::size_t move) {
  const MoveList<W>& list = listed();
  const auto [record, cell] = move_at(list, move);
  set_choices(m_, list, *record, cell);
  return play_from(m_.code.leaves[record->leaf].entry);
}

template <int W>
bool Executor<W>::undo() {
  if (plies_.empty()) return false;
  const Ply ply = plies_.back();
  plies_.pop_back();
  m_.undo(ply.trail);
  ended_.reset();
  if (keeps_history_) m_.positions.add(ply.key, -1);
  if (m_.keeps_line) m_.line.pop_back();
  if (m_.code.uses_history) m_.boards.add(ply.board, -1);
  return true;
}

template <int W>
tl::expected<std::string, Fault> Executor<W>::notation(const Script& script) {
  begin_answer(m_);
  auto fault = write(script);
  give_back(m_);
  if (fault) return tl::unexpected(std::move(*fault));
  return std::string(m_.text.view());
}

template <int W>
tl::expected<std::vector<std::string>, Fault> Executor<W>::notations(std::size_t moves, std::uint64_t spent) {
  begin_answer(m_, spent);
  std::vector<std::string> texts;
  texts.reserve(moves);
  std::size_t bytes = moves * sizeof(std::string);
  const I& writes = m_.code.instructions[m_.code.players[at(to_move())].notate];
  for (std::size_t k = 0; k < moves; ++k) {
    if (!m_.work(kWritingWork, writes)) return take_fault(m_);
    if (auto fault = write(script(k))) return tl::unexpected(std::move(*fault));
    const std::string& text = texts.emplace_back(m_.text.view());
    if (text.capacity() > std::string().capacity()) bytes += text.capacity() + 1;
    if (bytes <= kMaxTextBytes) continue;
    m_.fail(writes,
            "to write the moves of a position takes more than " + std::to_string(kMaxTextBytes) + " bytes");
    return take_fault(m_);
  }
  give_back(m_);
  return texts;
}

// Into the text. Everything else is as it was.
template <int W>
std::optional<Fault> Executor<W>::write(const Script& script) {
  m_.played.assign(script.data(), script.data() + script.size());
  m_.script_next = 0;
  m_.said_from = m_.said_to = -1;
  const std::int32_t mark = m_.turn_mark = m_.trail.mark();
  m_.mover = to_move();
  m_.running_game = false;
  m_.purpose = Purpose::any;
  reset_draft(m_);
  if (m_.code.uses_history) {
    m_.charge(steps_of_state(m_));
    m_.key_at_beginning = repetition_key(m_), m_.board_at_beginning = board_key(m_);
  }
  run_code(m_, m_.code.players[at(to_move())].notate);
  m_.undo(mark);
  if (m_.fault) return take_fault(m_).value();
  return std::nullopt;
}

template <int W>
MoveCells Executor<W>::written_cells() const {
  if (m_.code.of_cell.empty()) return {m_.said_from, m_.said_to};
  const auto back = [&](int cell) {
    const auto found =
        std::find(m_.code.of_cell.begin(), m_.code.of_cell.end(), static_cast<std::int16_t>(cell));
    return cell < 0 || found == m_.code.of_cell.end() ? -1
                                                      : static_cast<int>(found - m_.code.of_cell.begin());
  };
  return {back(m_.said_from), back(m_.said_to)};
}

template <int W>
tl::expected<bool, Fault> Executor<W>::captures(std::size_t move) {
  const MoveList<W>& list = listed();
  const auto [record, cell] = move_at(list, move);
  if (!may_capture(m_, list, *record, cell, of_others(m_))) return false;
  Capture capture;
  return try_capture(*record, cell, nullptr, capture);
}

template <int W>
tl::expected<std::size_t, Fault> Executor<W>::find_captures(std::size_t from, const std::int32_t* worth,
                                                            std::vector<Capture>& into,
                                                            const Limits* limits) {
  const MoveList<W>& list = listed();
  const Bits<W> others = of_others(m_);
  std::size_t tried = 0;
  for (const Record<W>& record : list.records) {
    Bits<W> left = record.set;
    std::size_t n = record.before;
    const std::size_t end = n + (left.none() ? 1 : at(left.count()));
    if (end <= from || (m_.tables.takes[record.leaf].losers & ~(std::uint32_t{1} << to_move())) == 0)
      continue;
    for (; n < end; ++n) {
      const int cell = left.first();
      if (cell >= 0) left.clear(cell);
      if (n < from || !may_capture(m_, list, record, cell, others)) continue;
      if (limits != nullptr && tried++ % 64 == 0 && limits->over()) return n;
      Capture capture{static_cast<std::uint32_t>(n), 0, 0};
      const auto captures = try_capture(record, cell, worth, capture);
      if (!captures) return tl::unexpected(captures.error());
      if (*captures) into.push_back(capture);
    }
  }
  return std::numeric_limits<std::size_t>::max();
}

template <int W>
[[nodiscard]] Bits<W> of_others(const Machine<W>& m) {
  Bits<W> others;
  for (int p = 0; p < m.layout.players; ++p)
    if (p != m.to_move()) others |= m.sets[at(p)];
  return others;
}

// Does the code of the move leave it open whether it takes something?
template <int W>
[[nodiscard]] bool may_capture(const Machine<W>& m, const MoveList<W>& list, const Record<W>& record,
                               int cell, const Bits<W>& others) {
  const Takes& takes = m.tables.takes[record.leaf];
  if ((takes.losers & ~(std::uint32_t{1} << m.to_move())) == 0) return false;
  if (!takes.told) return true;
  return std::any_of(takes.cells.begin(), takes.cells.end(), [&](const NamedCell& place) {
    const int c = named(m, place, list, record, cell);
    return c >= 0 && others.test(c);
  });
}

template <int W>
[[nodiscard]] int named(const Machine<W>& m, const NamedCell& named, const MoveList<W>& list,
                        const Record<W>& record, int cell) {
  int c = named.value < 0 ? cell : list.values[record.values + at(named.value)];
  for (const NamedCell::Way& way : named.ways) {
    if (c < 0) break;
    c = way.is_step ? m.next_cell(c, way.index) : m.code.places[at(way.index)][at(c)];
  }
  return c;
}

// Plays the move and takes it back; nobody but its own code can ask for the past then.
template <int W>
tl::expected<bool, Fault> Executor<W>::try_capture(const Record<W>& record, int cell,
                                                   const std::int32_t* worth, Capture& capture) {
  before_try_.resize(at(m_.layout.players));
  std::copy_n(m_.sets.begin(), m_.layout.players, before_try_.begin());
  set_choices(m_, listed(), record, cell);
  const std::int32_t mark = m_.trail.mark();
  m_.mover = to_move();
  const int mover = m_.mover;
  m_.running_game = false;
  begin_answer(m_);
  m_.purpose = Purpose::any;
  reset_draft(m_);
  m_.turn_mark = mark;
  if (m_.code.uses_history) {
    m_.charge(steps_of_state(m_));
    m_.board_at_beginning = board_key(m_);
    m_.key_at_beginning = repetition_key(m_, m_.board_at_beginning);
  }
  run_code(m_, m_.code.leaves[record.leaf].entry);
  bool fewer = false;
  Bits<W> changed;
  for (int p = 0; p < m_.layout.players; ++p) {
    const Bits<W>&now = m_.sets[at(p)], &before = before_try_[at(p)];
    fewer = fewer || (p != mover && now.count() < before.count());
    changed |= now ^ before;
  }
  if (fewer && worth != nullptr) weigh(m_, changed, worth, mover, 1, capture);
  m_.undo(mark);
  if (fewer && worth != nullptr) weigh(m_, changed, worth, mover, -1, capture);
  give_back(m_);
  if (m_.fault) return take_fault(m_);
  return fewer;
}

// What lies on top of the cells, after the move (sign 1) and before it (-1).
template <int W>
void weigh(const Machine<W>& m, const Bits<W>& cells, const std::int32_t* worth, int mover, int sign,
           Capture& capture) {
  cells.each([&](int cell) {
    const std::uint8_t code = top(m, cell);
    if (code == 0) return;
    const int owner = m.tables.pieces.of_code[code].owner;
    if (owner >= 0) capture.gain += sign * (owner == mover ? worth[code] : -worth[code]);
    if (sign > 0 && owner == mover) capture.risk = std::max(capture.risk, worth[code]);
  });
}

template <int W>
tl::expected<Playout, Fault> Executor<W>::playout(Random& random, std::uint32_t max_plies) {
  reset();
  return play_on(random, max_plies);
}

template <int W>
tl::expected<Playout, Fault> Executor<W>::play_on(Random& random, std::uint32_t max_plies) {
  if (one_is_left(m_)) max_plies = 0;
  begin_answer(m_);
  m_.purpose = Purpose::pick;
  m_.running_game = true;
  m_.random = &random;
  m_.plies_left = max_plies;
  m_.playout_moves = 0;
  m_.turn_mark = 0;
  reset_draft(m_);
  m_.list = &lists_[0];
  Playout result;
  if (max_plies > 0) run_code(m_, m_.code.players[at(to_move())].position);
  m_.running_game = false;
  charge_code(max_plies - m_.plies_left);
  if (m_.fault) return take_fault(m_);
  result.plies = max_plies - m_.plies_left;
  result.moves = m_.playout_moves;
  result.outcome = ended_ = decided(m_);
  if (result.outcome || m_.plies_left > 0) return result;
  // Cut off, unless the game is over.
  reset_draft(m_);
  auto judged = judge(Purpose::any, nullptr);
  if (!judged) return tl::unexpected(std::move(judged.error()));
  result.outcome = ended_ = judged->outcome;
  return result;
}

template <int W>
const std::vector<bool>* Executor<W>::falls_back() {
  return make_native(m_) ? &m_.native->falls_back() : nullptr;
}

} // namespace boardwright::runtime::executor
