// Positions, moves and games: what happens between the derivations.
#pragma once

#include "runtime/executor/drafts.hpp"
#include "runtime/executor/executor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace boardwright::runtime::executor {

template <int W>
Executor<W>::Executor(const Tables<W>& tables) : t_(tables), code_(tables.code), l_(code_.layout) {
  m_.sets.resize(code_.sets);
  m_.numbers.resize(code_.numbers);
  m_.boxes.resize(code_.boxes);
  for (std::size_t k = 0; k < code_.set_constants.size(); ++k)
    m_.sets[l_.draft_sets + k] = narrow<W>(code_.set_constants[k]);
  for (std::size_t k = 0; k < code_.number_constants.size(); ++k)
    m_.numbers[l_.draft_numbers + k] = code_.number_constants[k];
  if (l_.mailbox) m_.codes.resize(at(l_.cells) * at(l_.levels));
  if (l_.stacks) m_.heights.resize(at(l_.cells)), m_.air.resize(kMaxHeight);
  m_.trail.reserve(1024);
  memos_.begin_empty(at(code_.memos) * ir::kMemoSlots * (W + 1));
  keeps_history_ = code_.uses_history;
  shares_.resize(at(l_.players));
}

// ---------------------------------------------------------------- positions

template <int W>
void Executor<W>::load(const Position& position) {
  const Program& p = t_.program;
  std::size_t pieces = 0;
  for (const Stack& stack : position.cells) pieces += stack.size();
  may_memo_ = pieces <= at(t_.program.board.levels);
  for (std::size_t s = 0; s < l_.state_sets; ++s) m_.sets[s] = Set();
  for (std::size_t i = 0; i < l_.draft_numbers; ++i) m_.numbers[i] = 0;
  std::fill(m_.codes.begin(), m_.codes.end(), std::uint8_t{0});
  std::fill(m_.heights.begin(), m_.heights.end(), std::uint8_t{0});
  m_.sets[l_.empty] = t_.board;
  for (std::size_t c = 0; c < position.cells.size(); ++c) {
    const int cell = code_.of_cell.empty() ? static_cast<int>(c) : code_.of_cell[c];
    for (const Piece piece : position.cells[c]) {
      const std::uint8_t code = t_.pieces.code_of(piece.owner, piece.kind);
      if (code == 0) continue;
      if (l_.stacks) {
        push(cell, code, I());
        continue;
      }
      if (l_.mailbox) m_.codes[at(cell)] = code;
      set_owner_and_kind(cell, 0, code);
    }
  }
  for (std::size_t k = 0; k < position.variables.size() && k < p.variables.size(); ++k)
    if (const int s = l_.set_of_variable[k]; s >= 0)
      m_.sets[at(s)] = narrow<W>(renumbered(position.variables[k].cells));
    else
      m_.numbers[k] = position.variables[k].number;
  for (std::size_t k = 0; k < at(p.hands) && k < position.hands.size(); ++k)
    m_.numbers[l_.hands + k] = position.hands[k];
  m_.numbers[l_.ply] = position.ply;
  for (std::size_t k = 0; k < position.turns.size() && k < p.players.size(); ++k)
    m_.numbers[l_.turns + k] = position.turns[k];
  m_.numbers[l_.to_move] = position.to_move;
  m_.numbers[l_.out] = static_cast<std::int32_t>(position.out);
  note_start();
  forget_past();
}

template <int W>
void Executor<W>::note_start() {
  start_.sets.assign(m_.sets.begin(), m_.sets.begin() + l_.state_sets);
  start_.numbers.assign(m_.numbers.begin(), m_.numbers.begin() + l_.state_numbers);
  start_.codes = m_.codes;
  start_.heights = m_.heights;
}

// Between turns nothing is in the air, and what a draft is made of counts for nothing.
template <int W>
void Executor<W>::load_from(const Engine& other) {
  const auto& o = static_cast<const Executor&>(other);
  may_memo_ = o.may_memo_;
  std::copy_n(o.m_.sets.begin(), l_.state_sets, m_.sets.begin());
  std::copy_n(o.m_.numbers.begin(), l_.state_numbers, m_.numbers.begin());
  std::copy(o.m_.codes.begin(), o.m_.codes.end(), m_.codes.begin());
  std::copy(o.m_.heights.begin(), o.m_.heights.end(), m_.heights.begin());
  note_start();
  forget_past();
}

template <int W>
void Executor<W>::count_pieces(std::vector<std::int32_t>& counts) const {
  const Pieces& p = t_.pieces;
  counts.assign(at((p.players + 1) * p.kinds), 0);
  const auto place = [&](std::uint8_t code) {
    return at(p.owner_index[code]) * at(p.kinds) + at(p.kind[code]);
  };
  for (int player = 0; player < p.players; ++player)
    for (int kind = 0; kind < p.kinds; ++kind)
      if (const int slot = t_.program.hand_slot[at(player)][at(kind)]; slot >= 0)
        counts[at(player) * at(p.kinds) + at(kind)] = m_.numbers[l_.hands + at(slot)];
  if (l_.stacks) {
    for (int cell = 0; cell < l_.cells; ++cell)
      for (int level = 0; level < height_of(cell); ++level)
        ++counts[place(m_.codes[at(cell) * at(l_.levels) + at(level)])];
    return;
  }
  for (int k = 1; k < p.count(); ++k) {
    const auto code = static_cast<std::uint8_t>(k);
    Set cells = m_.sets[p.owner_index[code]];
    if (l_.kinds > 0) cells = cells & m_.sets[l_.owners + at(p.kind[code])];
    counts[place(code)] += cells.count();
  }
}

template <int W>
void Executor<W>::forget_past() {
  m_.trail.clear();
  m_.old_boxes.clear();
  plies_.clear();
  if (keeps_history_) positions_.clear(), boards_.clear();
  ended_.reset();
  fault_.reset();
  turn_mark_ = 0;
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
CellSet Executor<W>::renumbered(const CellSet& cells) const {
  if (code_.of_cell.empty()) return cells;
  CellSet all;
  cells.each([&](int c) { all.set(code_.of_cell[at(c)]); });
  return all;
}

template <int W>
Position Executor<W>::position() const {
  Position p;
  const std::size_t cells = code_.of_cell.empty() ? at(l_.cells) : code_.of_cell.size();
  p.cells.resize(cells);
  std::vector<std::int16_t> back(at(l_.cells), -1);
  for (std::size_t c = 0; c < cells; ++c) {
    const int cell = code_.of_cell.empty() ? static_cast<int>(c) : code_.of_cell[c];
    back[at(cell)] = static_cast<std::int16_t>(c);
    p.cells[c] = stack_on(cell);
  }
  p.hands.assign(m_.numbers.begin() + l_.hands, m_.numbers.begin() + l_.hands + t_.program.hands);
  for (std::size_t k = 0; k < t_.program.variables.size(); ++k) {
    VariableValue& v = p.variables.emplace_back();
    if (const int s = l_.set_of_variable[k]; s >= 0)
      m_.sets[at(s)].each([&](int cell) { v.cells.set(back[at(cell)]); });
    else
      v.number = m_.numbers[k];
  }
  p.to_move = m_.numbers[l_.to_move];
  p.out = static_cast<std::uint32_t>(m_.numbers[l_.out]);
  p.ply = m_.numbers[l_.ply];
  p.turns.assign(m_.numbers.begin() + l_.turns, m_.numbers.begin() + l_.turns + l_.players);
  return p;
}

template <int W>
Stack Executor<W>::stack_on(int cell) const {
  Stack stack;
  if (l_.stacks) {
    for (int level = 0; level < height_of(cell); ++level)
      stack.push_back(t_.pieces.of_code[m_.codes[at(cell) * at(l_.levels) + at(level)]]);
    return stack;
  }
  if (const std::uint8_t code = code_of_sets(cell); code != 0) stack.push_back(t_.pieces.of_code[code]);
  return stack;
}

template <int W>
std::size_t Executor<W>::state_bytes() const {
  return sizeof(Set) * l_.state_sets + sizeof(std::int32_t) * l_.state_numbers + m_.codes.size() +
         m_.heights.size();
}

// ---------------------------------------------------------------- moves

template <int W>
void Executor<W>::note(const I& i, const Set& set, std::uint64_t count) {
  List& list = *list_;
  const bool stops = limits_ != nullptr && (seeking_best_ ? list.records.size() % 64 == 0 && limits_->over()
                                                          : must_stop(total_ - count));
  if (stops) {
    total_ -= count;
    if (seeking_best_) forget_moves(best_found_.data()); // nobody knows which of them count
    stopped_ = true;
    return fail(i, "stopped");
  }
  if (total_ > kMaxMoves) return fail(i, "a position has more than " + std::to_string(kMaxMoves) + " moves");
  const ir::Leaf& leaf = code_.leaves[at(i.x)];
  const std::int32_t before = !leaf.dynamic || leaf.base < 0 ? 0 : m_.numbers[at(leaf.base)];
  const std::size_t values = leaf.dynamic ? 1 + at(before) + leaf.choices.size() : leaf.values.size();
  if (list.values.size() + values > kMaxChoices)
    return fail(i, "the moves of a position have more than " + std::to_string(kMaxChoices) +
                       " choices together");
  list.records.push_back(
      {static_cast<std::uint32_t>(i.x), static_cast<std::uint32_t>(list.values.size()), total_ - count, set});
  if (!leaf.dynamic) {
    for (const ir::Reg r : leaf.values) list.values.push_back(m_.numbers[r]);
    return;
  }
  list.values.push_back(before);
  list.values.append(choices_.data(), at(before));
  for (const ir::Choice& c : leaf.choices) list.values.push_back(value_of(c));
}

template <int W>
bool Executor<W>::must_stop(std::uint64_t found) const {
  const Limits& l = *limits_;
  if (found >= l.most_moves || list_->bytes() >= l.most_bytes) return true;
  return list_->records.size() % 64 == 0 && l.over();
}

template <int W>
std::size_t Executor<W>::list_bytes(std::size_t ply) const {
  return ply < lists_.size() ? lists_[ply].bytes() : 0;
}

template <int W>
void Executor<W>::forget_list(std::size_t ply) {
  if (ply < lists_.size()) lists_[ply] = List();
}

template <int W>
std::int32_t Executor<W>::value_of(const ir::Choice& c) const {
  return c.from == ir::Choice::From::constant ? c.value
         : c.from == ir::Choice::From::number ? m_.numbers[at(c.value)]
                                              : 0;
}

template <int W>
void Executor<W>::found(const I& i, const Set& set) {
  const auto count = static_cast<std::uint64_t>(set.count());
  if (count == 0) return;
  total_ += count;
  if (purpose_ == Purpose::find && total_ <= target_) return;
  if (purpose_ >= Purpose::list) note(i, set, count);
}

template <int W>
void Executor<W>::found_one(const I& i) {
  ++total_;
  if (purpose_ == Purpose::find && total_ <= target_) return;
  if (purpose_ >= Purpose::list) note(i, Set(), 1);
}

template <int W>
void Executor<W>::found_once(const I& i) {
  const bool full = m_.numbers[l_.full] > 0;
  std::uint64_t key = 0xcbf29ce484222325U;
  if (full) {
    key = chain(state_key(), static_cast<std::uint64_t>(after_turn()));
    key =
        chain(key, static_cast<std::uint32_t>(m_.numbers[l_.decision] != 0 ? m_.numbers[l_.winners] + 1 : 0));
  }
  const std::string_view text = text_.view();
  for (std::size_t k = 0; k < text.size(); k += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + k, std::min(sizeof word, text.size() - k));
    key = keys::part(key, word);
  }
  if (seeking_best_) best_keys_.push_back(mix(key));
  if (once_.add(mix(key)) == 1)
    found_one(i);
  else
    alike_ = !full;
}

// Moves that are found from here on count only if they are the best.
template <int W>
void Executor<W>::begin_best(std::int32_t* found) {
  found[0] = static_cast<std::int32_t>(total_);
  found[1] = static_cast<std::int32_t>(list_->records.size());
  found[2] = static_cast<std::int32_t>(list_->values.size());
  std::copy_n(found, best_found_.size(), best_found_.begin());
  best_keys_.clear();
  seeking_best_ = true;
}

// There is a better one.
template <int W>
void Executor<W>::forget_moves(const std::int32_t* found) {
  total_ = at(found[0]);
  list_->records.resize(at(found[1]));
  list_->values.resize(at(found[2]));
  for (const std::uint64_t key : best_keys_) once_.add(key, -1);
  best_keys_.clear();
}

// Until now most limits of the list have let all of them through: it wasn't known which ones would count.
template <int W>
void Executor<W>::end_best(const I& i) {
  seeking_best_ = false;
  if (limits_ == nullptr) return;
  Buffer<Record>& records = list_->records;
  const auto too_many = [&] {
    return records.back().before >= limits_->most_moves || list_->bytes() >= limits_->most_bytes;
  };
  while (records.size() > at(m_.numbers[i.a + 1]) && too_many()) {
    total_ = records.back().before;
    list_->values.resize(records.back().values);
    records.pop_back();
    stopped_ = true;
  }
  if (stopped_) fail(i, "stopped");
}

template <int W>
void Executor<W>::write_choices(const I& i) {
  const auto& list = code_.choice_lists[at(i.x)];
  const std::size_t to = at(m_.numbers[i.a]);
  if (choices_.size() < to + list.size()) choices_.resize(2 * (to + list.size()));
  for (std::size_t k = 0; k < list.size(); ++k) choices_[to + k] = value_of(list[k]);
  m_.numbers[i.d] = static_cast<std::int32_t>(to + list.size());
}

template <int W>
std::int32_t Executor<W>::open_value(const ir::Choice& choice, int cell) const {
  return choice.place < 0 ? cell : code_.places[at(choice.place)][at(cell)];
}

// The record that a move belongs to, and its cell if it is one of a set.
template <int W>
auto Executor<W>::move_at(const List& list, std::uint64_t n) const -> std::pair<const Record*, int> {
  const auto after = std::upper_bound(list.records.begin(), list.records.end(), n,
                                      [](std::uint64_t k, const Record& r) { return k < r.before; });
  const Record& r = *(after - 1);
  return {&r, r.set.none() ? -1 : r.set.nth(static_cast<int>(n - r.before))};
}

template <int W>
Script Executor<W>::script(std::size_t move) const {
  const List& list = lists_[plies_.size()];
  const auto [record, cell] = move_at(list, move);
  const ir::Leaf& leaf = code_.leaves[record->leaf];
  Script script;
  const std::int32_t* values = list.values.data() + record->values;
  if (leaf.dynamic) {
    const auto before = at(values[0]);
    script.assign(values + 1, values + 1 + before);
    for (std::size_t k = 0; k < leaf.choices.size(); ++k)
      script.push_back(leaf.choices[k].from == ir::Choice::From::open ? open_value(leaf.choices[k], cell)
                                                                      : values[1 + before + k]);
    return script;
  }
  for (const ir::Choice& c : leaf.choices) switch (c.from) {
    case ir::Choice::From::constant: script.push_back(c.value); break;
    case ir::Choice::From::open: script.push_back(open_value(c, cell)); break;
    case ir::Choice::From::number: {
      const auto r = std::find(leaf.values.begin(), leaf.values.end(), static_cast<ir::Reg>(c.value));
      script.push_back(values[r - leaf.values.begin()]);
      break;
    }
    }
  return script;
}

// Readies what the code that plays the move takes.
template <int W>
void Executor<W>::set_choices(const List& list, const Record& record, int cell) {
  const ir::Leaf& leaf = code_.leaves[record.leaf];
  const std::int32_t* const begin = list.values.data() + record.values;
  const std::size_t size = leaf.dynamic ? 1 + at(*begin) + leaf.choices.size() : leaf.values.size();
  open_ = cell;
  played_.assign(begin, begin + size);
  given_ = played_.data() + (leaf.dynamic ? 1 : 0);
  if (!leaf.dynamic) return;
  const auto before = at(played_[0]);
  for (std::size_t k = 0; k < leaf.choices.size(); ++k)
    if (leaf.choices[k].from == ir::Choice::From::open)
      played_[1 + before + k] = open_value(leaf.choices[k], cell);
  script_next_ = 1;
}

// A random one of the moves; where the code that plays it begins.
template <int W>
std::uint32_t Executor<W>::pick() {
  const std::uint64_t number = random_->below(total_);
  const auto [record, cell] = move_at(*list_, number);
  playout_moves_ += total_;
  if (record->leaf != kMany) return take_move(*record, cell);
  target_ = number;
  purpose_ = Purpose::find;
  return code_.players[at(mover_)].position;
}

// The move that was searched for by its number: the only one in the list.
template <int W>
std::uint32_t Executor<W>::take_found() {
  purpose_ = Purpose::pick;
  const auto [record, cell] = move_at(*list_, target_);
  return take_move(*record, cell);
}

// Where the code that plays it begins.
template <int W>
std::uint32_t Executor<W>::take_move(const Record& record, int cell) {
  set_choices(*list_, record, cell);
  return code_.leaves[record.leaf].entry;
}

// From within the search to where the turn begins.
template <int W>
void Executor<W>::unwind() {
  m_.undo(turn_mark_);
  forget_calls();
}

// What calls, repetitions and comparisons under way have kept.
template <int W>
void Executor<W>::forget_calls() {
  stack_.clear();
  kept_box_count_ = 0;
  kept_sets_.clear();
  kept_numbers_.clear();
  path_.clear();
  place_count_ = outcome_count_ = 0;
}

// ---------------------------------------------------------------- turns

template <int W>
void Executor<W>::reset_draft() {
  m_.numbers[l_.again] = m_.numbers[l_.decision] = m_.numbers[l_.winners] = m_.numbers[l_.air] = 0;
  m_.sets[l_.gone] = Set();
  text_.clear();
}

template <int W>
void Executor<W>::begin_turn(const I& i) {
  mover_ = i.x;
  total_ = 0;
  if (running_game_) { // each turn is an answer
    (void)work(kStepsOfTurn, i);
    begun_ = left_;
  }
  if (running_game_) m_.trail.clear(), m_.old_boxes.clear();
  turn_mark_ = m_.trail.mark();
  seeking_best_ = false;
  list_->records.clear();
  list_->values.clear();
  reset_draft();
  if (!code_.uses_history) return;
  board_at_beginning_ = board_key();
  key_at_beginning_ = repetition_key(board_at_beginning_);
}

template <int W>
void Executor<W>::begin_comparing(const I& i) {
  m_.numbers[i.d] = m_.numbers[i.a];
  if (m_.numbers[i.a] >= 0) return; // it has begun in this turn
  once_.clear();
  m_.numbers[i.d] = full_turns_ > 0 ? 1 : 0;
  full_turns_ = std::max(full_turns_ - 1, 0);
}

template <int W>
int Executor<W>::next_player(int after) const {
  const auto out = static_cast<std::uint32_t>(m_.numbers[l_.out]);
  for (int k = 1; k < l_.players; ++k)
    if (const int p = (after + k) % l_.players; (out >> p & 1) == 0) return p;
  return -1;
}

template <int W>
int Executor<W>::after_turn() const {
  const auto out = static_cast<std::uint32_t>(m_.numbers[l_.out]);
  const bool stays = m_.numbers[l_.again] != 0 && (out >> mover_ & 1) == 0;
  const int next = next_player(mover_);
  return stays || next < 0 ? mover_ : next;
}

template <int W>
void Executor<W>::end_turn() {
  const auto count_up = [this](std::size_t i) {
    if (m_.numbers[i] < std::numeric_limits<std::int32_t>::max()) m_.write_number(i, m_.numbers[i] + 1);
  };
  if (running_game_ && code_.uses_history) {
    positions_.add(key_at_beginning_);
    boards_.add(board_at_beginning_); // native code keeps what is asked for
  }
  const int next = after_turn();
  count_up(l_.ply);
  count_up(l_.turns + at(mover_));
  m_.write_number(l_.to_move, next);
}

// The mover loses: of two the other wins; of more he is out, and the last one left wins.
template <int W>
void Executor<W>::lose(const I& i) {
  const ir::Verdict& v = code_.verdicts[at(i.x)];
  const auto out = static_cast<std::uint32_t>(m_.numbers[l_.out]) | std::uint32_t{1} << v.player;
  std::uint32_t left = 0;
  for (int p = 0; p < l_.players; ++p)
    if (p != v.player && (out >> p & 1) == 0) left |= std::uint32_t{1} << p;
  if (l_.players > 2) m_.write_number(l_.out, static_cast<std::int32_t>(out));
  if ((left & (left - 1)) != 0) return;
  m_.write_number(l_.decision, i.x + 1);
  m_.write_number(l_.winners, static_cast<std::int32_t>(left));
}

template <int W>
void Executor<W>::decide_score(const I& i) {
  std::int64_t best = std::numeric_limits<std::int64_t>::min();
  std::uint32_t winners = 0, everyone = 0;
  const auto out = static_cast<std::uint32_t>(m_.numbers[l_.out]);
  for (int p = 0; p < l_.players; ++p) {
    if ((out >> p & 1) != 0) continue;
    const std::int64_t share = shares_[at(p)];
    if (share > best) winners = 0;
    best = std::max(best, share);
    everyone |= std::uint32_t{1} << p;
    if (share == best) winners |= std::uint32_t{1} << p;
  }
  const bool alone = (winners & (winners - 1)) == 0;
  m_.write_number(l_.decision, i.x + 1);
  m_.write_number(l_.winners, static_cast<std::int32_t>(winners == everyone && !alone ? 0 : winners));
}

// False: the game is over.
template <int W>
bool Executor<W>::put_out(const I& i) {
  m_.undo(turn_mark_);
  const auto out = static_cast<std::uint32_t>(m_.numbers[l_.out]) | std::uint32_t{1} << mover_;
  m_.write_number(l_.out, static_cast<std::int32_t>(out));
  const int next = next_player(mover_), last = next < 0 ? -1 : next_player(next);
  if (next >= 0 && last >= 0 && last != mover_) {
    m_.write_number(l_.to_move, next);
    return true;
  }
  turn_mark_ = m_.trail.mark(); // that he is out stays
  m_.write_number(l_.decision, i.x + 1);
  m_.write_number(l_.winners, next < 0 ? 0 : static_cast<std::int32_t>(std::uint32_t{1} << next));
  return false;
}

template <int W>
std::optional<Outcome> Executor<W>::decided() const {
  const std::int32_t d = m_.numbers[l_.decision];
  if (d == 0) return std::nullopt;
  const ir::Verdict& v = code_.verdicts[at(d - 1)];
  return Outcome{static_cast<std::uint32_t>(m_.numbers[l_.winners]), v.origin, v.by, v.shares};
}

template <int W>
tl::unexpected<Fault> Executor<W>::take_fault() {
  Fault f = std::move(*fault_);
  fault_.reset();
  forget_calls();
  memo_.open.clear();
  give_back();
  if (escaped_) std::rethrow_exception(std::exchange(escaped_, nullptr));
  return tl::unexpected(std::move(f));
}

// ---------------------------------------------------------------- what a game asks

// Of three or more players one is left: where a position comes from outside. Else the move, or the line, has
// decided.
template <int W>
bool Executor<W>::one_is_left() const {
  return l_.players > 2 && l_.players - std::popcount(static_cast<std::uint32_t>(m_.numbers[l_.out])) <= 1;
}

// Whatever went wrong, the state is the present one.
template <int W>
void Executor<W>::run_code(std::uint32_t pc) {
  run(pc);
  if (escaped_ && !fault_) fault_ = Fault{"out of memory", 0};
  if (viewing_) swap_with_beginning();
}

template <int W>
tl::expected<Judgement, Fault> Executor<W>::judge(Purpose purpose, const Limits* limits) {
  if (ended_) return Judgement{ended_, 0};
  if (one_is_left()) {
    const std::uint32_t everyone = (std::uint32_t{1} << l_.players) - 1;
    const auto out = static_cast<std::uint32_t>(m_.numbers[l_.out]);
    return Judgement{Outcome{everyone & ~out, 0, Outcome::By::last_left}, 0};
  }
  purpose_ = purpose;
  running_game_ = false;
  if (lists_.size() <= plies_.size()) lists_.resize(plies_.size() + 1);
  list_ = &lists_[plies_.size()];
  limits_ = limits;
  begin_answer();
  turn_mark_ = m_.trail.mark();
  run_code(code_.players[at(to_move())].position);
  limits_ = nullptr;
  const Judgement judged{decided(), total_};
  m_.undo(turn_mark_); // who has been put out stays out, even if something goes wrong behind it
  give_back();
  if (!fault_) return judged;
  const auto fault = take_fault();
  if (stopped_) return Judgement{std::nullopt, total_, false};
  return fault;
}

template <int W>
tl::expected<std::optional<Outcome>, Fault> Executor<W>::play_from(std::uint32_t entry) {
  Ply ply{m_.trail.mark(), 0, 0};
  mover_ = to_move();
  running_game_ = false;
  begin_answer();
  purpose_ = Purpose::any;
  reset_draft();
  turn_mark_ = ply.trail;
  if (keeps_history_) {
    board_at_beginning_ = ply.board = board_key();
    key_at_beginning_ = ply.key = repetition_key(ply.board);
  }
  plies_.push_back(ply);
  run_code(entry);
  // Only now: within the move the position at its beginning isn't one of the past.
  if (keeps_history_) positions_.add(ply.key);
  if (code_.uses_history) boards_.add(ply.board);
  give_back();
  if (fault_) {
    undo();
    return take_fault();
  }
  ended_ = decided();
  return ended_;
}

template <int W>
tl::expected<std::optional<Outcome>, Fault> Executor<W>::play(const Script& script) {
  played_.assign(script.data(), script.data() + script.size());
  script_next_ = 0;
  return play_from(code_.players[at(to_move())].play);
}

template <int W>
tl::expected<std::optional<Outcome>, Fault> Executor<W>::play_listed(std::size_t move) {
  const List& list = lists_[plies_.size()];
  const auto [record, cell] = move_at(list, move);
  set_choices(list, *record, cell);
  return play_from(code_.leaves[record->leaf].entry);
}

template <int W>
bool Executor<W>::undo() {
  if (plies_.empty()) return false;
  const Ply ply = plies_.back();
  plies_.pop_back();
  m_.undo(ply.trail);
  ended_.reset();
  if (keeps_history_) positions_.add(ply.key, -1);
  if (code_.uses_history) boards_.add(ply.board, -1);
  return true;
}

template <int W>
tl::expected<std::string, Fault> Executor<W>::notation(const Script& script) {
  begin_answer();
  auto fault = write(script);
  give_back();
  if (fault) return tl::unexpected(std::move(*fault));
  return std::string(text_.view());
}

template <int W>
tl::expected<std::vector<std::string>, Fault> Executor<W>::notations(std::size_t moves, std::uint64_t spent) {
  begin_answer(spent);
  std::vector<std::string> texts;
  texts.reserve(moves);
  std::size_t bytes = moves * sizeof(std::string);
  const I& writes = code_.instructions[code_.players[at(to_move())].notate];
  for (std::size_t k = 0; k < moves; ++k) {
    if (!work(kWritingWork, writes)) return take_fault();
    if (auto fault = write(script(k))) return tl::unexpected(std::move(*fault));
    const std::string& text = texts.emplace_back(text_.view());
    if (text.capacity() > std::string().capacity()) bytes += text.capacity() + 1;
    if (bytes <= kMaxTextBytes) continue;
    fail(writes,
         "to write the moves of a position takes more than " + std::to_string(kMaxTextBytes) + " bytes");
    return take_fault();
  }
  give_back();
  return texts;
}

// Into the text. Everything else is as it was.
template <int W>
std::optional<Fault> Executor<W>::write(const Script& script) {
  played_.assign(script.data(), script.data() + script.size());
  script_next_ = 0;
  said_from_ = said_to_ = -1;
  const std::int32_t mark = turn_mark_ = m_.trail.mark();
  mover_ = to_move();
  running_game_ = false;
  purpose_ = Purpose::any;
  reset_draft();
  if (code_.uses_history) key_at_beginning_ = repetition_key(), board_at_beginning_ = board_key();
  run_code(code_.players[at(to_move())].notate);
  m_.undo(mark);
  if (fault_) return take_fault().value();
  return std::nullopt;
}

template <int W>
MoveCells Executor<W>::written_cells() const {
  if (code_.of_cell.empty()) return {said_from_, said_to_};
  const auto back = [&](int cell) {
    const auto found = std::find(code_.of_cell.begin(), code_.of_cell.end(), static_cast<std::int16_t>(cell));
    return cell < 0 || found == code_.of_cell.end() ? -1 : static_cast<int>(found - code_.of_cell.begin());
  };
  return {back(said_from_), back(said_to_)};
}

template <int W>
tl::expected<bool, Fault> Executor<W>::captures(std::size_t move) {
  const List& list = lists_[plies_.size()];
  const auto [record, cell] = move_at(list, move);
  if (!may_capture(list, *record, cell, of_others())) return false;
  Capture capture;
  return try_capture(*record, cell, nullptr, capture);
}

template <int W>
tl::expected<std::size_t, Fault> Executor<W>::find_captures(std::size_t from, const std::int32_t* worth,
                                                            std::vector<Capture>& into,
                                                            const Limits* limits) {
  const List& list = lists_[plies_.size()];
  const Set others = of_others();
  std::size_t tried = 0;
  for (const Record& record : list.records) {
    Set left = record.set;
    std::size_t n = record.before;
    const std::size_t end = n + (left.none() ? 1 : at(left.count()));
    if (end <= from || (t_.takes[record.leaf].losers & ~(std::uint32_t{1} << to_move())) == 0) continue;
    for (; n < end; ++n) {
      const int cell = left.first();
      if (cell >= 0) left.clear(cell);
      if (n < from || !may_capture(list, record, cell, others)) continue;
      if (limits != nullptr && tried++ % 64 == 0 && limits->over()) return n;
      Capture capture{static_cast<std::uint32_t>(n), 0};
      const auto captures = try_capture(record, cell, worth, capture);
      if (!captures) return tl::unexpected(captures.error());
      if (*captures) into.push_back(capture);
    }
  }
  return std::numeric_limits<std::size_t>::max();
}

template <int W>
auto Executor<W>::of_others() const -> Set {
  Set others;
  for (int p = 0; p < l_.players; ++p)
    if (p != to_move()) others |= m_.sets[at(p)];
  return others;
}

// Does the code of the move leave it open whether it takes something?
template <int W>
bool Executor<W>::may_capture(const List& list, const Record& record, int cell, const Set& others) const {
  const Takes& takes = t_.takes[record.leaf];
  if ((takes.losers & ~(std::uint32_t{1} << to_move())) == 0) return false;
  if (!takes.told) return true;
  return std::any_of(takes.cells.begin(), takes.cells.end(), [&](const NamedCell& place) {
    const int c = named(place, list, record, cell);
    return c >= 0 && others.test(c);
  });
}

template <int W>
int Executor<W>::named(const NamedCell& named, const List& list, const Record& record, int cell) const {
  int c = named.value < 0 ? cell : list.values[record.values + at(named.value)];
  for (const NamedCell::Way& way : named.ways) {
    if (c < 0) break;
    c = way.is_step ? next_cell(c, way.index) : code_.places[at(way.index)][at(c)];
  }
  return c;
}

// Plays the move and takes it back; nobody but its own code can ask for the past then.
template <int W>
tl::expected<bool, Fault> Executor<W>::try_capture(const Record& record, int cell, const std::int32_t* worth,
                                                   Capture& capture) {
  before_try_.resize(at(l_.players));
  std::copy_n(m_.sets.begin(), l_.players, before_try_.begin());
  set_choices(lists_[plies_.size()], record, cell);
  const std::int32_t mark = m_.trail.mark();
  mover_ = to_move();
  const int mover = mover_;
  running_game_ = false;
  begin_answer();
  purpose_ = Purpose::any;
  reset_draft();
  turn_mark_ = mark;
  if (code_.uses_history) {
    board_at_beginning_ = board_key();
    key_at_beginning_ = repetition_key(board_at_beginning_);
  }
  run_code(code_.leaves[record.leaf].entry);
  bool fewer = false;
  Set changed;
  for (int p = 0; p < l_.players; ++p) {
    const Set &now = m_.sets[at(p)], &before = before_try_[at(p)];
    fewer = fewer || (p != mover && now.count() < before.count());
    changed |= now ^ before;
  }
  if (fewer && worth != nullptr) weigh(changed, worth, mover, 1, capture);
  m_.undo(mark);
  if (fewer && worth != nullptr) weigh(changed, worth, mover, -1, capture);
  give_back();
  if (fault_) return take_fault();
  return fewer;
}

// What lies on top of the cells, after the move (sign 1) and before it (-1).
template <int W>
void Executor<W>::weigh(const Set& cells, const std::int32_t* worth, int mover, int sign,
                        Capture& capture) const {
  cells.each([&](int cell) {
    const std::uint8_t code = top(cell);
    if (code == 0) return;
    const int owner = t_.pieces.of_code[code].owner;
    if (owner >= 0) capture.gain += sign * (owner == mover ? worth[code] : -worth[code]);
  });
}

template <int W>
tl::expected<Playout, Fault> Executor<W>::playout(Random& random, std::uint32_t max_plies) {
  reset();
  return play_on(random, max_plies);
}

template <int W>
tl::expected<Playout, Fault> Executor<W>::play_on(Random& random, std::uint32_t max_plies) {
  if (one_is_left()) max_plies = 0;
  begin_answer();
  purpose_ = Purpose::pick;
  running_game_ = true;
  random_ = &random;
  plies_left_ = max_plies;
  playout_moves_ = 0;
  turn_mark_ = 0;
  reset_draft();
  list_ = &lists_[0];
  Playout result;
  if (max_plies > 0) run_code(code_.players[at(to_move())].position);
  running_game_ = false;
  if (fault_) return take_fault();
  result.plies = max_plies - plies_left_;
  result.moves = playout_moves_;
  result.outcome = ended_ = decided();
  if (result.outcome || plies_left_ > 0) return result;
  // Cut off, unless the game is over.
  reset_draft();
  auto judged = judge(Purpose::any, nullptr);
  if (!judged) return tl::unexpected(std::move(judged.error()));
  result.outcome = ended_ = judged->outcome;
  return result;
}

} // namespace boardwright::runtime::executor
