// Turns, moves, outcomes, playing and taking back.
//
// # Effects
// What a move changes is kept as words: a header (next player and decision, players out, origin of the
// decision, how many words follow), then an entry for each place: its head (kind of place, index, length) and
// the new value.
#pragma once

#include "runtime/machine_pieces.hpp"
#include "runtime/machine_slots.hpp"

#include <bit>
#include <ctime>

namespace boardwright::runtime::machine {

// Heads of entries.
inline constexpr std::uint32_t kCellEntry = 0, kStackEntry = 1, kHandEntry = 2, kNumberEntry = 3,
                               kSetEntry = 4;
inline constexpr std::size_t kHeader = 4;

[[nodiscard]] constexpr std::uint32_t entry_head(std::uint32_t kind, std::size_t index, std::size_t extra) {
  return kind << 28 | static_cast<std::uint32_t>(index) << 8 | static_cast<std::uint32_t>(extra);
}
[[nodiscard]] constexpr std::size_t entry_index(std::uint32_t head) { return head >> 8 & 0xfffff; }

template <int W>
Machine<W>::Machine(std::shared_ptr<const Rules> rules, const Tables<W>& tables, const Position& position)
    : rules_(std::move(rules)), tables_(tables), code_(tables.code), instructions_(code_.instructions.data()),
      to_(tables.to.data()), cells_(tables.program.board.cells) {
  slots_.resize(code_.slot_types.size());
  slot_sets_.resize(slots_.size());
  slot_maps_.resize(slots_.size());
  slot_versions_.resize(slots_.size());
  slot_rows_.resize(slots_.size(), kRowUnknown);
  kept_contents_.resize(code_.memo_contents);
  kept_texts_.resize(code_.memo_texts);
  kept_maps_.resize(code_.memo_maps);
  kept_sets_.resize(code_.memo_tables);
  kept_.resize(code_.memo_latest);
  bound_to_.resize(code_.prunes.size());
  trail_.reserve(256);
  load(position);
}

// ----------------------------------------------------------------------------------------------------
// positions

template <int W>
void Machine<W>::load(const Position& position) {
  const Program& program = tables_.program;
  now_.top.assign(at(cells_), 0);
  now_.owner.assign(program.players.size() + 1, Set());
  if (program.kinds.size() > 1) now_.kind.assign(program.kinds.size(), Set());
  if (tables_.stacks) now_.stack.assign(at(cells_), Slice());
  now_.hands.assign(at(program.hands), 0);
  now_.numbers.assign(program.variables.size(), 0);
  now_.sets.assign(program.variables.size(), Set());
  for (std::size_t k = 0; k < now_.hands.size() && k < position.hands.size(); ++k)
    now_.set_hand(k, position.hands[k]);
  for (std::size_t k = 0; k < now_.numbers.size() && k < position.variables.size(); ++k) {
    now_.set_number(k, position.variables[k].number);
    now_.set_set(k, narrow<W>(position.variables[k].cells));
  }
  for (int cell = 0; cell < cells_ && at(cell) < position.cells.size(); ++cell) {
    const auto begin = static_cast<std::uint32_t>(bytes_.size());
    for (const Piece piece : position.cells[at(cell)])
      bytes_.push_back(tables_.pieces.code_of(piece.owner, piece.kind));
    const Slice slice{begin, static_cast<std::uint32_t>(bytes_.size()) - begin};
    if (slice.size == 0) continue;
    tables_.stacks ? place_stack(now_, cell, slice) : place_code(now_, cell, bytes_.back());
  }
  if (!tables_.stacks) bytes_.clear();
  now_.to_move = position.to_move;
  now_.ply = position.ply;
  now_.out = position.out;
  now_.turns = position.turns;
  now_.turns.resize(program.players.size());
  stamps_.assign(at(cells_) + now_.hands.size() + now_.numbers.size(), 0);
  start_ = now_;
  start_bytes_ = bytes_;
  reset();
}

template <int W>
void Machine<W>::reset() {
  now_ = start_;
  bytes_ = start_bytes_;
  compact_at_ = 4 * bytes_.size() + 4096;
  decision_ = {};
  length_ = 0;
  undo_.clear();
  undo_starts_.clear();
  history_.clear();
  if (code_.uses_history) {
    board_buckets_.assign(kBuckets, 0);
    all_buckets_.assign(kBuckets, 0);
  }
  for (Derived& d : recent_) d.forget(0);
  derived_ = &recent();
  if (code_.out_by_end && !judge()) (void)take_fault(); // asked again, it will be told
}

template <int W>
Position Machine<W>::position() const {
  Position p;
  p.cells.resize(at(cells_));
  for (int cell = 0; cell < cells_; ++cell)
    for (const std::uint8_t code : content(now_, cell))
      p.cells[at(cell)].push_back(tables_.pieces.of_code[code]);
  p.hands = now_.hands;
  for (std::size_t k = 0; k < now_.numbers.size(); ++k)
    p.variables.push_back({now_.numbers[k], widen(now_.sets[k])});
  p.to_move = now_.to_move;
  p.out = now_.out;
  p.ply = now_.ply;
  p.turns = now_.turns;
  return p;
}

// Throws away pieces that no cell holds any more.
template <int W>
void Machine<W>::compact() {
  std::vector<std::uint8_t> kept;
  for (int cell = 0; cell < cells_; ++cell) {
    const auto codes = content(now_, cell);
    const auto begin = static_cast<std::uint32_t>(kept.size());
    kept.insert(kept.end(), codes.begin(), codes.end());
    now_.stack[at(cell)].begin = begin;
  }
  bytes_ = std::move(kept);
  compact_at_ = 4 * bytes_.size() + 4096;
}

// ---------------------------------------------------------------------------------------------------- faults

template <int W>
void Machine<W>::fault(std::uint32_t origin, std::string message) {
  // Instructions that only close another come from nowhere.
  if (origin == 0) origin = tables_.program.nodes[tables_.program.players[at(mover_)].turn].origin;
  if (!fault_) fault_ = Fault{std::move(message), origin};
  stop_ = true;
}

template <int W>
bool Machine<W>::out_of_work(std::uint32_t origin) {
  fault(origin, "this takes too long: more than " + std::to_string(kMaxWork) + " steps for one position");
  return false;
}

template <int W>
Fault Machine<W>::take_fault() {
  Fault f = fault_.value_or(Fault{"the derivation stopped", 0});
  fault_.reset();
  stop_ = found_ = false;
  return f;
}

// ---------------------------------------------------------------------------------------------------- turns

// Carries out a player's turn from the state as it is, which is as before afterwards.
template <int W>
void Machine<W>::run_turn(int player, Purpose purpose, std::uint32_t entry) {
  struct Outside { // a turn may be asked about within another
    int mover;
    Purpose purpose;
    bool moving;
    std::uint64_t board_hash;
    std::size_t trail;
  } const outside{mover_, purpose_, moving_, turn_board_hash_, turn_trail_};
  std::vector<std::int32_t> hands;
  State<W> beginning;
  if (outside.moving) {
    hands = turn_hands_;
    if (code_.uses_before) beginning = beginning_;
  }
  mover_ = player;
  purpose_ = purpose;
  moving_ = true;
  turn_board_hash_ = pos_->board_hash;
  turn_hands_ = pos_->hands;
  turn_trail_ = trail_.size();
  if (code_.uses_before) beginning_ = *pos_;
  Regs r;
  r.out = pos_->out;
  r.quiet = purpose == Purpose::ask ? 1 : 0;
  r.decided = (r.out >> player & 1) != 0;
  const Mark m = mark();
  run(after(entry, r), r);
  unwind(m);
  mover_ = outside.mover;
  purpose_ = outside.purpose;
  moving_ = outside.moving;
  turn_board_hash_ = outside.board_hash;
  turn_trail_ = outside.trail;
  if (!outside.moving) return;
  turn_hands_ = std::move(hands);
  if (code_.uses_before) beginning_ = std::move(beginning);
}

template <int W>
void Machine<W>::end_of_turn(Regs& r) {
  if (r.carried.size > 0) return;
  if (purpose_ == Purpose::ask) {
    found_ = stop_ = true;
    return;
  }
  write_gone(r);
  if (!stop_) emit(r);
}

// The next player still in the game, or -1.
template <int W>
int Machine<W>::following(int player, std::uint32_t out) const {
  const int players = tables_.pieces.players;
  for (int k = 1; k < players; ++k)
    if (const int next = (player + k) % players; (out >> next & 1) == 0) return next;
  return -1;
}

template <int W>
int Machine<W>::next_player(const Regs& r) const {
  if (r.again && (r.out >> mover_ & 1) == 0) return mover_;
  const int next = following(mover_, r.out);
  return next < 0 ? mover_ : next;
}

template <int W>
std::uint64_t Machine<W>::result_of(const Regs& r, int next) const {
  return mix((pos_->board_hash ^ pos_->rest_hash ^ turn_key(next, r.out)) + r.decision);
}

// A move is its notation and what it leads to: the same pair is the same move.
template <int W>
void Machine<W>::emit(Regs& r) {
  const int next = next_player(r);
  const std::uint64_t result = result_of(r, next);
  std::vector<Move>& moves = derived_->moves;
  if (purpose_ == Purpose::write_one) {
    if (r.text != wanted_text_ || result != wanted_result_) return;
    written_.emplace_back(text_, 0, r.length);
    stop_ = found_ = true;
    return;
  }
  const auto fresh = static_cast<std::uint32_t>(moves.size());
  const auto place = index_.find_or_add(chain(r.text, result), fresh, [&](std::uint32_t k) {
    return moves[k].text_hash == r.text && moves[k].result_hash == result;
  });
  if (purpose_ == Purpose::write_all && place < written_.size()) written_[place].assign(text_, 0, r.length);
  if (purpose_ == Purpose::write_all || place != fresh) return;
  if (moves.size() >= kMaxMoves || derived_->effects.size() >= kMaxEffects)
    return fault(instructions_[code_.players[at(mover_)].turn].origin, "the position has too many moves");
  moves.push_back({r.text, result, static_cast<std::uint32_t>(derived_->effects.size()), 0});
  write_effect(r, next);
}

// ----------------------------------------------------------------------------------------------------
// effects

template <int W>
bool Machine<W>::touch(Past::What what, std::size_t index) {
  std::size_t place = index;
  if (what != Past::What::cell) place += at(cells_);
  if (what == Past::What::number || what == Past::What::set) place += now_.hands.size();
  return std::exchange(stamps_[place], stamp_) != stamp_;
}

template <int W>
void Machine<W>::write_effect(const Regs& r, int next) {
  std::vector<std::uint32_t>& into = derived_->effects;
  const std::size_t begin = into.size();
  into.push_back(static_cast<std::uint32_t>(next) | static_cast<std::uint32_t>(r.decision) << 8 |
                 (r.last_left ? 1U << 16 : 0U));
  into.push_back(r.out);
  into.push_back(r.origin);
  into.push_back(0);
  if (++stamp_ == 0) { // after 2^32 effects old stamps might look new
    std::fill(stamps_.begin(), stamps_.end(), 0U);
    stamp_ = 1;
  }
  for (std::size_t k = turn_trail_; k < trail_.size(); ++k) {
    const Past& p = trail_[k];
    if (p.what < Past::What::slot_number && touch(p.what, p.index)) write_entry(p.what, p.index, into);
  }
  into[begin + 3] = static_cast<std::uint32_t>(into.size() - begin - kHeader);
}

template <int W>
void Machine<W>::write_cell(int cell, std::vector<std::uint32_t>& into) const {
  if (!tables_.stacks) return into.push_back(entry_head(kCellEntry, at(cell), now_.top[at(cell)]));
  const auto codes = content(now_, cell);
  into.push_back(entry_head(kStackEntry, at(cell), codes.size()));
  for (std::size_t k = 0; k < codes.size(); k += 4) {
    std::uint32_t word = 0;
    for (std::size_t j = k; j < codes.size() && j < k + 4; ++j)
      word |= std::uint32_t{codes[j]} << 8 * (j - k);
    into.push_back(word);
  }
}

template <int W>
void Machine<W>::write_set(std::size_t variable, const Set& set, std::vector<std::uint32_t>& into) const {
  into.push_back(entry_head(kSetEntry, variable, 0));
  for (const std::uint64_t word : set.word) {
    into.push_back(static_cast<std::uint32_t>(word));
    into.push_back(static_cast<std::uint32_t>(word >> 32));
  }
}

template <int W>
void Machine<W>::write_entry(Past::What what, std::size_t index, std::vector<std::uint32_t>& into) const {
  switch (what) {
  case Past::What::cell: return write_cell(static_cast<int>(index), into);
  case Past::What::hand:
    into.push_back(entry_head(kHandEntry, index, 0));
    return into.push_back(static_cast<std::uint32_t>(now_.hands[index]));
  case Past::What::number:
    into.push_back(entry_head(kNumberEntry, index, 0));
    return into.push_back(static_cast<std::uint32_t>(now_.numbers[index]));
  case Past::What::set: return write_set(index, now_.sets[index], into);
  default: return;
  }
}

template <int W>
std::size_t Machine<W>::entry_size(std::uint32_t head) {
  switch (head >> 28) {
  case kCellEntry: return 1;
  case kStackEntry: return 1 + ((head & 0xff) + 3) / 4;
  case kSetEntry: return 1 + 2 * W;
  default: return 2;
  }
}

// Puts an entry's value in its place; the next entry.
template <int W>
const std::uint32_t* Machine<W>::apply(const std::uint32_t* entry) {
  const std::uint32_t head = *entry;
  const std::size_t index = entry_index(head);
  switch (head >> 28) {
  case kCellEntry: place_code(now_, static_cast<int>(index), static_cast<std::uint8_t>(head)); break;
  case kStackEntry: {
    const Slice slice{static_cast<std::uint32_t>(bytes_.size()), head & 0xff};
    for (std::size_t k = 0; k < slice.size; ++k)
      bytes_.push_back(static_cast<std::uint8_t>(entry[1 + k / 4] >> 8 * (k % 4)));
    place_stack(now_, static_cast<int>(index), slice);
    break;
  }
  case kHandEntry: now_.set_hand(index, static_cast<std::int32_t>(entry[1])); break;
  case kNumberEntry: now_.set_number(index, static_cast<std::int32_t>(entry[1])); break;
  default: {
    Set set;
    for (unsigned k = 0; k < W; ++k)
      set.word[k] = entry[1 + 2 * k] | static_cast<std::uint64_t>(entry[2 + 2 * k]) << 32;
    now_.set_set(index, set);
  }
  }
  return entry + entry_size(head);
}

// ----------------------------------------------------------------------------------------------------
// playing

template <int W>
void Machine<W>::advance(const std::uint32_t* effect, bool record) {
  static constexpr Past::What kPlaces[] = {Past::What::cell, Past::What::cell, Past::What::hand,
                                           Past::What::number, Past::What::set};
  const std::uint32_t* const end = effect + kHeader + effect[3];
  if (code_.uses_history) enter_history();
  if (record) {
    undo_starts_.push_back(undo_.size());
    undo_.push_back(static_cast<std::uint32_t>(now_.to_move) |
                    static_cast<std::uint32_t>(decision_.what) << 8 | (decision_.last_left ? 1U << 16 : 0U));
    undo_.push_back(now_.out);
    undo_.push_back(decision_.origin);
    for (const std::uint32_t* entry = effect + kHeader; entry != end; entry += entry_size(*entry))
      write_entry(kPlaces[*entry >> 28], entry_index(*entry), undo_);
  }
  for (const std::uint32_t* entry = effect + kHeader; entry != end;) entry = apply(entry);
  ++now_.turns[at(now_.to_move)];
  ++now_.ply;
  ++length_;
  now_.to_move = static_cast<std::int32_t>(effect[0] & 0xff);
  now_.out = effect[1];
  decision_ = {static_cast<std::uint8_t>(effect[0] >> 8), (effect[0] >> 16 & 1) != 0, effect[2]};
  if (bytes_.size() > compact_at_) compact();
}

template <int W>
void Machine<W>::take_back_move() {
  const std::size_t begin = undo_starts_.back();
  const std::uint32_t* entry = undo_.data() + begin;
  now_.to_move = static_cast<std::int32_t>(entry[0] & 0xff);
  decision_ = {static_cast<std::uint8_t>(entry[0] >> 8), (entry[0] >> 16 & 1) != 0, entry[2]};
  now_.out = entry[1];
  const std::uint32_t* const end = undo_.data() + undo_.size();
  for (entry += 3; entry != end;) entry = apply(entry);
  --now_.turns[at(now_.to_move)];
  --now_.ply;
  --length_;
  undo_.resize(begin);
  undo_starts_.pop_back();
  if (code_.uses_history) leave_history();
  if (bytes_.size() > compact_at_) compact();
}

template <int W>
void Machine<W>::play(const Move& move) {
  if (!list()) return (void)take_fault();
  // Should it be a move of elsewhere, nothing happens.
  if (move.effect + kHeader > derived_->effects.size()) return;
  advance(derived_->effects.data() + move.effect, true);
  derived_ = &recent();
  derived_->forget(length_);
  // Who is to move must be known at once.
  if (code_.out_by_end && !judge()) (void)take_fault();
}

template <int W>
bool Machine<W>::undo() {
  if (undo_starts_.empty()) return false;
  take_back_move();
  derived_ = &recent();
  if (derived_->length != length_) derived_->forget(length_);
  return true;
}

template <int W>
void Machine<W>::enter_history() {
  history_.push_back({now_.hash(), now_.board_hash});
  ++all_buckets_[history_.back().all % kBuckets];
  ++board_buckets_[history_.back().board % kBuckets];
}

template <int W>
void Machine<W>::leave_history() {
  --all_buckets_[history_.back().all % kBuckets];
  --board_buckets_[history_.back().board % kBuckets];
  history_.pop_back();
}

template <int W>
std::int32_t Machine<W>::repeats() const {
  const std::uint64_t wanted = pos_->hash();
  if (all_buckets_[wanted % kBuckets] == 0) return 0;
  return static_cast<std::int32_t>(
      std::count_if(history_.begin(), history_.end(), [&](const Earlier& e) { return e.all == wanted; }));
}

// Within a turn the position at its beginning is one that the board has been in.
template <int W>
std::int32_t Machine<W>::board_repeats() const {
  const std::uint64_t wanted = pos_->board_hash;
  const std::int32_t here = moving_ && wanted == turn_board_hash_ ? 1 : 0;
  if (board_buckets_[wanted % kBuckets] == 0) return here;
  return here + static_cast<std::int32_t>(std::count_if(history_.begin(), history_.end(),
                                                        [&](const Earlier& e) { return e.board == wanted; }));
}

// ---------------------------------------------------------------------------------------------------- the
// end

template <int W>
Outcome Machine<W>::outcome_of(const Decision& d) const {
  Outcome o;
  o.winners = d.what >= kWonBy ? std::uint32_t{1} << (d.what - kWonBy) : 0;
  o.origin = d.origin;
  o.by = d.last_left ? Outcome::By::last_left : Outcome::By::move;
  return o;
}

// The greatest share wins; if all are equal nobody does.
template <int W>
Outcome Machine<W>::shares(const EndRule& rule, const Regs& r) {
  std::uint32_t best = 0, all = 0;
  std::int32_t most = 0;
  for (int player = 0; player < tables_.pieces.players; ++player) {
    if ((now_.out >> player & 1) != 0 || at(player) >= rule.score.size()) continue;
    const std::int32_t share = number(*rule.score[at(player)], r);
    if (all == 0 || share > most) best = 0;
    if (all == 0 || share >= most) {
      most = share;
      best |= std::uint32_t{1} << player;
    }
    all |= std::uint32_t{1} << player;
  }
  const bool alone = std::popcount(best) == 1;
  return {best == all && !alone ? 0 : best, rule.origin, Outcome::By::end_line};
}

template <int W>
typename Machine<W>::Judged Machine<W>::put_out(const EndRule& rule) {
  now_.out |= std::uint32_t{1} << now_.to_move;
  derived_->listed = derived_->rest_listed = false; // it was another's list
  derived_->slots = kUncounted;
  const int next = following(now_.to_move, now_.out);
  if (next >= 0 && following(next, now_.out) >= 0) {
    now_.to_move = next;
    return Judged::again;
  }
  derived_->outcome = Outcome{next < 0 ? 0 : std::uint32_t{1} << next, rule.origin, Outcome::By::last_left};
  return Judged::over;
}

template <int W>
typename Machine<W>::Judged Machine<W>::apply_line(const EndRule& rule, const Regs& r) {
  const std::uint32_t mover = std::uint32_t{1} << now_.to_move;
  switch (rule.verdict) {
  case Verdict::draw: derived_->outcome = Outcome{0, rule.origin, Outcome::By::end_line}; break;
  case Verdict::win: derived_->outcome = Outcome{mover, rule.origin, Outcome::By::end_line}; break;
  case Verdict::score:
    derived_->outcome = shares(rule, r);
    if (stop_) return Judged::faulty;
    break;
  case Verdict::lose:
    if (tables_.pieces.players > 2) return put_out(rule);
    const int other = following(now_.to_move, mover);
    derived_->outcome =
        Outcome{other < 0 ? 0 : std::uint32_t{1} << other, rule.origin, Outcome::By::end_line};
    break;
  }
  return Judged::over;
}

template <int W>
typename Machine<W>::Judged Machine<W>::judge_player() {
  Regs r;
  r.out = now_.out;
  r.quiet = 1;
  mover_ = now_.to_move;
  turn_board_hash_ = now_.board_hash;
  for (const EndRule& rule : code_.players[at(now_.to_move)].end) {
    const bool holds = truth(*rule.condition, r);
    if (stop_) return Judged::faulty;
    if (holds) return apply_line(rule, r);
  }
  return Judged::open;
}

template <int W>
bool Machine<W>::one_is_left() const {
  const int players = tables_.pieces.players;
  return players > 2 && players - std::popcount(now_.out) <= 1;
}

// Finds out whether the game is over, but for the lack of moves. False: a fault.
template <int W>
bool Machine<W>::judge() {
  Derived& d = *derived_;
  if (d.judged) return true;
  d.outcome.reset();
  if (decision_.what != kUndecided) {
    d.outcome = outcome_of(decision_);
    return d.judged = true;
  }
  if (one_is_left()) { // from the beginning: else the move, or the line, has decided
    const std::uint32_t everyone = (std::uint32_t{1} << tables_.pieces.players) - 1;
    d.outcome = Outcome{everyone & ~now_.out, 0, Outcome::By::last_left};
    return d.judged = true;
  }
  stop_ = false;
  in_end_ = true;
  work_ = kMaxWork; // of all lines together
  Judged answer = Judged::again;
  while (answer == Judged::again) answer = judge_player();
  in_end_ = false;
  d.judged = answer != Judged::faulty;
  return d.judged;
}

template <int W>
bool Machine<W>::list() {
  Derived& d = *derived_;
  if (d.listed) return true;
  d.rest_listed = false;
  list_from(code_.players[at(now_.to_move)].turn);
  d.listed = !fault_.has_value();
  return d.listed;
}

template <int W>
bool Machine<W>::list_rest() {
  Derived& d = *derived_;
  if (d.rest_listed) return true;
  d.listed = false;
  list_from(rest());
  d.rest_listed = !fault_.has_value();
  return d.rest_listed;
}

template <int W>
void Machine<W>::list_from(std::uint32_t entry) {
  derived_->moves.clear();
  derived_->effects.clear();
  index_.clear();
  work_ = kMaxWork;
  stop_ = false;
  run_turn(now_.to_move, Purpose::list, entry);
}

template <int W>
std::int64_t Machine<W>::count_moves() {
  if (derived_->listed) return kUnknown; // and known better
  const std::int64_t counted = count_slots();
  if (counted < 0 || rest() == kNone) return counted;
  return list_rest() ? counted + static_cast<std::int64_t>(derived_->moves.size()) : kUnknown;
}

// Whether there is a move, without listing them all: whoever plays each move of a position to see where it
// leads asks this as often.
template <int W>
bool Machine<W>::has_move() {
  if (derived_->listed) return !derived_->moves.empty();
  const std::int64_t counted = count_slots();
  if (counted > 0 || stop_) return true;
  if (counted == 0) return rest() != kNone && has_outcome(rest());
  return has_outcome(code_.players[at(now_.to_move)].turn);
}

template <int W>
bool Machine<W>::has_outcome(std::uint32_t entry) {
  const std::uint64_t work = std::exchange(work_, kMaxWork);
  run_turn(now_.to_move, Purpose::ask, entry);
  work_ = work;
  const bool found = std::exchange(found_, false);
  stop_ = fault_.has_value();
  return found;
}

template <int W>
tl::expected<std::optional<Outcome>, Fault> Machine<W>::outcome() {
  outcome_only_ = true;
  const bool judged = judge();
  outcome_only_ = false;
  if (!judged) return tl::unexpected(take_fault());
  if (is_over()) return derived_->outcome;
  stop_ = false;
  const bool any = has_move();
  if (fault_) return tl::unexpected(take_fault());
  if (!any) return Outcome{0, 0, Outcome::By::no_move};
  return std::nullopt;
}

template <int W>
tl::expected<std::span<const Move>, Fault> Machine<W>::moves() {
  if (!judge()) return tl::unexpected(take_fault());
  if (is_over()) return std::span<const Move>();
  if (!list()) return tl::unexpected(take_fault());
  return std::span<const Move>(derived_->moves);
}

// ----------------------------------------------------------------------------------------------------
// notation

// Derives the moves once more with their texts. False: a fault.
template <int W>
bool Machine<W>::write_moves(Purpose purpose) {
  work_ = kMaxWork;
  stop_ = found_ = false;
  writing_ = true;
  run_turn(now_.to_move, purpose);
  writing_ = stop_ = found_ = false;
  return !fault_.has_value();
}

template <int W>
tl::expected<std::string, Fault> Machine<W>::notation(const Move& move) {
  wanted_text_ = move.text_hash;
  wanted_result_ = move.result_hash;
  written_.clear();
  if (!write_moves(Purpose::write_one)) return tl::unexpected(take_fault());
  if (written_.empty()) return tl::unexpected(Fault{"no such move in this position", 0});
  return written_.back();
}

template <int W>
tl::expected<std::vector<std::string>, Fault> Machine<W>::notations() {
  const auto listed = moves();
  if (!listed) return tl::unexpected(listed.error());
  const std::vector<Move>& all = derived_->moves;
  written_.assign(listed->size(), std::string());
  if (written_.empty()) return written_;
  index_.clear();
  for (std::uint32_t k = 0; k < all.size(); ++k)
    index_.find_or_add(chain(all[k].text_hash, all[k].result_hash), k, [](std::uint32_t) { return false; });
  if (!write_moves(Purpose::write_all)) return tl::unexpected(take_fault());
  return written_;
}

// ---------------------------------------------------------------------------------------------------- counts

template <int W>
std::uint64_t Machine<W>::distinct_moves() {
  std::vector<std::uint64_t> results;
  for (const Move& move : derived_->moves) results.push_back(move.result_hash);
  std::sort(results.begin(), results.end());
  return static_cast<std::uint64_t>(std::unique(results.begin(), results.end()) - results.begin());
}

// Adds the lines of `depth` moves from here. False: a fault, or stopped.
template <int W>
bool Machine<W>::count_lines(int depth, const PerftOptions& options, PerftCount& count) {
  if (depth == 0) {
    ++count.leaves;
    return true;
  }
  count.stopped = options.stop != nullptr && options.stop->load(std::memory_order_relaxed);
  if (count.stopped || !judge()) return false;
  if (is_over()) return true;
  if (depth == 1 && !options.distinct) {
    const std::int64_t counted = count_moves();
    if (fault_) return false;
    if (counted >= 0) {
      count.leaves += static_cast<std::uint64_t>(counted);
      return true;
    }
  }
  if (!list()) return false;
  Derived* const here = derived_;
  if (depth == 1) {
    count.leaves += options.distinct ? distinct_moves() : here->moves.size();
    return true;
  }
  const auto level = at(depth);
  if (level >= levels_.size()) levels_.resize(level + 1);
  std::unordered_set<std::uint64_t> met; // results, where equal ones count once
  bool good = true;
  for (std::size_t k = 0; good && k < here->moves.size(); ++k) {
    if (options.distinct && !met.insert(here->moves[k].result_hash).second) continue;
    advance(here->effects.data() + here->moves[k].effect, true);
    derived_ = &levels_[level];
    derived_->forget(length_);
    good = count_lines(depth - 1, options, count);
    derived_ = here;
    take_back_move();
  }
  return good;
}

template <int W>
tl::expected<PerftCount, Fault> Machine<W>::perft(const PerftOptions& options) {
  PerftCount count;
  const bool good = count_lines(std::max(options.depth, 0), options, count);
  if (!good && !count.stopped) return tl::unexpected(take_fault());
  return count;
}

// Is there a sprint for games from this position? It takes room for many drafts, so it is made when it is
// asked for the first time.
template <int W>
bool Machine<W>::sprints_from(const State<W>& state) {
  if (!tables_.sprint || state.out != 0) return false;
  const Frozen& frozen = code_.sprint->frozen;
  const bool fits = std::all_of(frozen.begin(), frozen.end(),
                                [&](const auto& f) { return state.numbers[at(f.first)] == f.second; });
  if (fits && !sprint_) sprint_.emplace(*tables_.sprint, native_);
  return fits;
}

template <int W>
tl::expected<Playout, Fault> Machine<W>::sample(Random& random, std::uint32_t max_plies) {
  if (!sprints_from(start_)) {
    reset();
    return playout(random, max_plies);
  }
  if (!sprint_at_start_) sprint_->load(start_);
  sprint_at_start_ = true;
  const Random before = random;
  const Playout p = sprint_->run(random, max_plies);
  if (!sprint_->gave_up()) return p;
  random = before;
  reset();
  return play_on(random, max_plies);
}

// Takes over where the sprint has come to, with the past that the rules ask about.
template <int W>
void Machine<W>::sprinted() {
  for (std::size_t i = 0; i < sprint_->past(); ++i) {
    sprint_->store_past(i, now_, tables_.pieces);
    enter_history();
  }
  sprint_->store(now_, tables_.pieces);
  length_ += sprint_->plies();
  derived_ = &recent();
  derived_->forget(length_);
  const SprintVerdict* v = sprint_->verdict();
  if (v == nullptr || v->by != Outcome::By::move) return;
  decision_ = {v->winners == 0 ? kDrawn : static_cast<std::uint8_t>(kWonBy + std::countr_zero(v->winners)),
               false, v->origin};
}

template <int W>
tl::expected<Playout, Fault> Machine<W>::playout(Random& random, std::uint32_t max_plies) {
  undo_.clear();
  undo_starts_.clear();
  if (decision_.what == kUndecided && history_.empty() && sprints_from(now_)) {
    sprint_->load(now_);
    sprint_at_start_ = false;
    const Random before = random;
    const Playout p = sprint_->run(random, max_plies);
    if (!sprint_->gave_up()) {
      sprinted();
      return p;
    }
    random = before;
  }
  return play_on(random, max_plies);
}

template <int W>
tl::expected<Playout, Fault> Machine<W>::play_on(Random& random, std::uint32_t max_plies) {
  Playout p;
  for (;;) {
    if (!judge()) return tl::unexpected(take_fault());
    if (is_over()) {
      p.outcome = derived_->outcome;
      return p;
    }
    if (p.plies >= max_plies) {
      // A game without moves is over, and this is not known yet.
      if (!list()) return tl::unexpected(take_fault());
      if (derived_->moves.empty()) p.outcome = Outcome{0, 0, Outcome::By::no_move};
      return p;
    }
    const std::int64_t counted = count_moves();
    if (fault_ || (counted < 0 && !list())) return tl::unexpected(take_fault());
    const std::uint64_t moves = counted < 0 ? derived_->moves.size() : static_cast<std::uint64_t>(counted);
    if (moves == 0) {
      p.outcome = Outcome{0, 0, Outcome::By::no_move};
      return p;
    }
    p.moves += moves;
    ++p.plies;
    const std::uint64_t chosen = random.below(moves);
    const std::uint64_t by_slots = counted < 0 ? 0 : static_cast<std::uint64_t>(derived_->slots);
    if (chosen >= by_slots)
      advance(derived_->effects.data() + derived_->moves[chosen - by_slots].effect, false);
    else if (!play_slot(chosen))
      return tl::unexpected(take_fault());
    derived_->forget(length_);
  }
}

template <int W>
std::unique_ptr<Game::Engine> Tables<W>::engine(std::shared_ptr<const Rules> rules,
                                                const Position& position) const {
  return std::make_unique<Machine<W>>(std::move(rules), *this, position);
}

template <int W>
std::unique_ptr<AnyTables> make_tables(const Program& program, const Code& code) {
  return std::make_unique<Tables<W>>(program, code);
}

} // namespace boardwright::runtime::machine
