// Sprint: carrying out its code. See sprint.hpp.
#pragma once

#include "runtime/arithmetic.hpp"
#include "runtime/machine.hpp"
#include "runtime/sprint.hpp"
#include "runtime/state.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace boardwright::runtime::machine {

// What the sprints of one program look up. Made once, then only read.
template <int W>
struct SprintTables {
  using Set = Bits<W>;
  SprintTables(const Program& program, const SprintCode& code);

  const Board& board;
  const SprintCode& code;
  std::vector<Set> constants;
  struct Flood {
    std::vector<std::pair<int, Set>> shifts; // by how much, which cells
    std::vector<int> steps;                  // the others
  };
  std::vector<Flood> floods;
  struct Row {
    // On small boards: for each cell all lines of the wanted length that it is in.
    std::vector<std::uint64_t> lines; // so many for each
    std::size_t lines_each = 0;
    // On others: where each axis leads from a cell, forth and back.
    std::vector<const std::int16_t*> forth, back;
    int length = 0;
  };
  std::vector<Row> rows;

private:
  void make_flood(const std::vector<int>& steps);
  void make_row(const SprintRow& row);
  bool line(const SprintRow& row, int step, int cell, int before, Set& into) const;
};

template <int W>
class Sprint {
public:
  using Set = Bits<W>;
  explicit Sprint(const SprintTables<W>& tables);

  // Takes a position from which playouts begin. It has no past.
  void load(const State<W>& state);
  // A random game from there.
  Playout run(Random& random, std::uint32_t max_plies);

  // The position where the last game ended, and those on the way to it where the rules ask for them.
  void store(State<W>& state, const Pieces& pieces) const {
    store(state, pieces, sets_.data(), numbers_.data(), to_move_);
  }
  [[nodiscard]] std::size_t past() const { return history_.size(); }
  void store_past(std::size_t i, State<W>& state, const Pieces& pieces) const;
  [[nodiscard]] std::uint32_t plies() const { return plies_; }
  [[nodiscard]] const SprintVerdict* verdict() const { return verdict_; }
  // The game that was run came to a position with too much to try; nothing of it counts.
  [[nodiscard]] bool gave_up() const { return gave_up_; }

private:
  struct Leaf {
    Set set;
    std::uint32_t until = 0; // moves of this leaf and those before
    std::int32_t leaf = 0;
    std::int32_t draft = -1; // in `drafts_`
    std::int16_t start = 0;  // where that began
  };
  struct Frame { // of a round whose further rounds are being tried
    const SprintOp* back = nullptr;
    std::size_t sets = 0, numbers = 0, cells = 0; // where on the stacks
  };
  struct Flooded { // what a flood found last: sets grow, so it needn't start anew
    bool known = false;
    Set from, through, found, frontier;
  };

  void begin();
  void exec(Random& random, std::uint32_t max_plies, Playout& result);
  [[nodiscard]] bool in_row(const typename SprintTables<W>::Row& row, int cell, const Set& set) const;
  Set flood(std::size_t index, const Set& from, const Set& through);
  [[nodiscard]] Set around(const typename SprintTables<W>::Flood& flood, const Set& from) const;
  [[nodiscard]] Outcome outcome(const SprintVerdict& verdict) const;
  [[nodiscard]] std::uint64_t hash() const;
  void enter_history();
  [[nodiscard]] std::int32_t repeats() const;
  void store(State<W>& state, const Pieces& pieces, const Set* sets, const std::int32_t* numbers,
             int to_move) const;

  const SprintTables<W>& tables_;
  const SprintCode& code_;
  std::vector<Set> sets_;
  std::vector<std::int32_t> numbers_;
  std::vector<std::int16_t> cells_;
  // the position to begin from
  std::vector<Set> first_sets_;
  std::vector<std::int32_t> first_numbers_;
  std::vector<std::uint16_t> first_pool_;
  std::int32_t first_to_move_ = 0;

  std::vector<std::uint16_t> pool_; // the empty cells, in any order
  std::size_t pool_size_ = 0;
  std::int32_t to_move_ = 0;
  std::uint32_t plies_ = 0;
  // Drafts of one position that are looked at by a sprint, and rounds of repetitions: games that need more go
  // to the general engine, which also knows when it is too much.
  static constexpr std::size_t kMostDrafts = 4096, kMostRounds = std::size_t{1} << 16;
  std::vector<Leaf> leaves_;
  std::vector<Set> drafts_;         // so many sets each
  std::vector<std::uint64_t> keys_; // of drafts
  std::vector<Frame> frames_;
  std::vector<Set> set_stack_;
  std::vector<std::int32_t> number_stack_;
  std::vector<std::int16_t> cell_stack_;
  bool gave_up_ = false;
  std::vector<Flooded> floods_;
  const SprintVerdict* verdict_ = nullptr;

  struct Past {
    std::uint64_t hash = 0;
    std::int32_t to_move = 0;
  };
  static constexpr std::size_t kBuckets = 1024; // most questions are answered by an empty one
  std::vector<Past> history_;
  std::vector<Set> history_sets_;
  std::vector<std::int32_t> history_numbers_;
  std::vector<std::uint16_t> buckets_;
  std::uint64_t hash_ = 0;
};

// ---------------------------------------------------------------------------------------------------- tables

template <int W>
SprintTables<W>::SprintTables(const Program& program, const SprintCode& c) : board(program.board), code(c) {
  const auto narrow = [](const CellSet& wide) {
    Set set;
    for (unsigned i = 0; i < W; ++i) set.word[i] = wide.word[i];
    return set;
  };
  for (const CellSet& set : c.constants) constants.push_back(narrow(set));
  for (const std::vector<int>& steps : c.floods) make_flood(steps);
  for (const SprintRow& row : c.rows) make_row(row);
}

template <int W>
void SprintTables<W>::make_flood(const std::vector<int>& steps) {
  Flood& flood = floods.emplace_back();
  for (const int step : steps) {
    const auto& to = board.steps[at(step)].to;
    std::vector<std::pair<int, Set>> shifts;
    for (int cell = 0; cell < board.cells; ++cell) {
      if (to[at(cell)] == kNowhere) continue;
      const int by = to[at(cell)] - cell;
      auto known = std::find_if(shifts.begin(), shifts.end(), [by](const auto& s) { return s.first == by; });
      if (known == shifts.end()) known = shifts.insert(known, {by, Set()});
      known->second.set(cell);
    }
    if (shifts.size() > 3)
      flood.steps.push_back(step);
    else
      flood.shifts.insert(flood.shifts.end(), shifts.begin(), shifts.end());
  }
}

// The line of the wanted length that begins so many cells before the cell; false if it leaves the board.
template <int W>
bool SprintTables<W>::line(const SprintRow& row, int step, int cell, int before, Set& into) const {
  const Step& s = board.steps[at(step)];
  const int back = board.step_by(-s.dx, -s.dy);
  int first = cell;
  for (int i = 0; i < before && first != kNowhere; ++i) first = board.steps[at(back)].to[at(first)];
  for (int i = 0; i < row.length && first != kNowhere; ++i) {
    into.set(first);
    if (i + 1 < row.length) first = s.to[at(first)];
  }
  return first != kNowhere;
}

template <int W>
void SprintTables<W>::make_row(const SprintRow& row) {
  Row& into = rows.emplace_back();
  into.length = row.length;
  for (const int step : row.steps) {
    const Step& s = board.steps[at(step)];
    into.forth.push_back(s.to.data());
    into.back.push_back(board.steps[at(board.step_by(-s.dx, -s.dy))].to.data());
  }
  if (W > 1) return;
  std::vector<std::vector<std::uint64_t>> of_cell(at(board.cells));
  for (int cell = 0; cell < board.cells; ++cell) {
    for (const int step : row.steps)
      for (int before = 0; before < row.length; ++before)
        if (Set cells; line(row, step, cell, before, cells)) of_cell[at(cell)].push_back(cells.word[0]);
    into.lines_each = std::max(into.lines_each, of_cell[at(cell)].size());
  }
  // A multiple of four, so that the processor can look at four at once. Lines are given again to fill up;
  // where a cell is in none, one of all bits isn't full before the whole board is.
  into.lines_each = (into.lines_each + 3) / 4 * 4;
  for (auto& lines : of_cell) {
    lines.resize(into.lines_each, lines.empty() ? ~std::uint64_t{0} : lines.front());
    into.lines.insert(into.lines.end(), lines.begin(), lines.end());
  }
}

// ---------------------------------------------------------------------------------------------------- sets

// Moved up or down by a number of cells less than the set's size.
template <int W>
[[nodiscard]] inline Bits<W> moved_up(const Bits<W>& s, int by) {
  Bits<W> r;
  const auto bits = static_cast<unsigned>(by) & 63U;
  if constexpr (W == 1) {
    r.word[0] = s.word[0] << bits;
    return r;
  }
  if (by >= 64) [[unlikely]]
    return s.moved(by);
  for (unsigned k = W - 1; k > 0; --k) r.word[k] = s.word[k] << bits | (s.word[k - 1] >> 1) >> (63U - bits);
  r.word[0] = s.word[0] << bits;
  return r;
}

template <int W>
[[nodiscard]] inline Bits<W> moved_down(const Bits<W>& s, int by) {
  Bits<W> r;
  const auto bits = static_cast<unsigned>(by) & 63U;
  if constexpr (W == 1) {
    r.word[0] = s.word[0] >> bits;
    return r;
  }
  if (by >= 64) [[unlikely]]
    return s.moved(-by);
  for (unsigned k = 0; k + 1 < W; ++k) r.word[k] = s.word[k] >> bits | (s.word[k + 1] << 1) << (63U - bits);
  r.word[W - 1] = s.word[W - 1] >> bits;
  return r;
}

// ---------------------------------------------------------------------------------------------------- begin

template <int W>
Sprint<W>::Sprint(const SprintTables<W>& tables)
    : tables_(tables), code_(tables.code), sets_(code_.sets), numbers_(code_.numbers),
      cells_(std::max<std::size_t>(code_.cells, 1)), first_sets_(code_.state_sets),
      first_numbers_(code_.state_numbers), floods_(code_.floods.size()) {
  std::copy(tables.constants.begin(), tables.constants.end(), sets_.begin() + code_.draft_sets);
  std::copy(code_.number_constants.begin(), code_.number_constants.end(),
            numbers_.begin() + code_.state_numbers);
  if (code_.uses_history) buckets_.resize(kBuckets);
  const bool drafts = std::any_of(code_.ops.begin(), code_.ops.end(), [](const SprintOp& op) {
    return op.what == SprintOp::What::leaf_draft || op.what == SprintOp::What::leaf_once;
  });
  leaves_.resize(kMaxSlotLeaves + 1 + (drafts ? kMostDrafts : 0));
}

template <int W>
void Sprint<W>::load(const State<W>& state) {
  for (std::size_t k = 0; k < code_.owners; ++k) first_sets_[k] = state.owner[k];
  for (std::size_t k = 0; k < code_.kinds; ++k) first_sets_[code_.owners + k] = state.kind[k];
  first_sets_[code_.empty] = tables_.constants[1] - state.occupied;
  for (std::size_t k = 0; k < code_.set_of.size(); ++k) {
    if (code_.set_of[k] >= 0) first_sets_[at(code_.set_of[k])] = state.sets[k];
    first_numbers_[k] = state.numbers[k];
  }
  first_numbers_[code_.ply] = state.ply;
  std::copy(state.turns.begin(), state.turns.end(), first_numbers_.begin() + code_.turns);
  first_to_move_ = state.to_move;
  first_pool_.clear();
  if (code_.pool)
    first_sets_[code_.empty].each([&](int cell) { first_pool_.push_back(static_cast<std::uint16_t>(cell)); });
  pool_.resize(first_pool_.size());
}

template <int W>
void Sprint<W>::begin() {
  std::copy(first_sets_.begin(), first_sets_.end(), sets_.begin());
  std::copy(first_numbers_.begin(), first_numbers_.end(), numbers_.begin());
  std::copy(first_pool_.begin(), first_pool_.end(), pool_.begin());
  pool_size_ = first_pool_.size();
  to_move_ = first_to_move_;
  plies_ = 0;
  verdict_ = nullptr;
  gave_up_ = false;
  for (Flooded& f : floods_) f.known = false;
  if (!code_.uses_history) return;
  history_.clear();
  history_sets_.clear();
  history_numbers_.clear();
  std::fill(buckets_.begin(), buckets_.end(), std::uint16_t{0});
}

// ---------------------------------------------------------------------------------------------------- parts

template <int W>
bool Sprint<W>::in_row(const typename SprintTables<W>::Row& row, int cell, const Set& set) const {
  if constexpr (W == 1) {
    const std::uint64_t all = set.word[0];
    const std::uint64_t* const lines = row.lines.data() + at(cell) * row.lines_each;
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < row.lines_each; ++i) found |= (lines[i] & ~all) == 0 ? 1 : 0;
    return found != 0;
  }
  for (std::size_t axis = 0; axis < row.forth.size(); ++axis) {
    int length = 1;
    for (int c = row.forth[axis][cell]; c >= 0 && set.test(c); c = row.forth[axis][c]) ++length;
    for (int c = row.back[axis][cell]; c >= 0 && set.test(c); c = row.back[axis][c]) ++length;
    if (length >= row.length) return true;
  }
  return false;
}

template <int W>
typename Sprint<W>::Set Sprint<W>::around(const typename SprintTables<W>::Flood& flood,
                                          const Set& from) const {
  Set all;
  for (const auto& [by, cells] : flood.shifts)
    all |= by < 0 ? moved_down(from & cells, -by) : moved_up(from & cells, by);
  for (const int step : flood.steps) {
    const auto& to = tables_.board.steps[at(step)].to;
    from.each([&](int cell) {
      if (to[at(cell)] >= 0) all.set(to[at(cell)]);
    });
  }
  return all;
}

template <int W>
typename Sprint<W>::Set Sprint<W>::flood(std::size_t index, const Set& from, const Set& through) {
  Flooded& f = floods_[index];
  const auto& steps = tables_.floods[index];
  Set fresh;
  if (f.known && f.from.within(from) && f.through.within(through)) {
    fresh = (((through - f.through) & f.frontier) | (from - f.from)) - f.found;
  } else {
    f.found = f.frontier = Set();
    fresh = from;
  }
  f.known = true;
  f.from = from;
  f.through = through;
  while (fresh.any()) {
    f.found |= fresh;
    const Set next = around(steps, fresh);
    f.frontier |= next;
    fresh = (next & through) - f.found;
  }
  return f.found;
}

template <int W>
std::uint64_t Sprint<W>::hash() const {
  std::uint64_t h = 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(to_move_);
  const auto add = [&h](std::uint64_t word) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(h ^ word) * 0xa0761d6478bd642fU;
    h = static_cast<std::uint64_t>(product) + static_cast<std::uint64_t>(product >> 64);
  };
  for (std::size_t s = 0; s < code_.state_sets; ++s) {
    // The empty cells and the last kind follow from the rest.
    if (s == code_.empty || (s == code_.empty - 1U && code_.kinds > 0)) continue;
    for (const std::uint64_t word : sets_[s].word) add(word);
  }
  for (std::size_t k = 0; k < code_.ply; ++k) add(static_cast<std::uint64_t>(numbers_[k]) + 1);
  return h;
}

template <int W>
void Sprint<W>::enter_history() {
  history_.push_back({hash_, to_move_});
  ++buckets_[hash_ % kBuckets];
  history_sets_.insert(history_sets_.end(), sets_.begin(), sets_.begin() + code_.state_sets);
  history_numbers_.insert(history_numbers_.end(), numbers_.begin(), numbers_.begin() + code_.state_numbers);
}

template <int W>
std::int32_t Sprint<W>::repeats() const {
  if (buckets_[hash_ % kBuckets] == 0) return 0;
  return static_cast<std::int32_t>(
      std::count_if(history_.begin(), history_.end(), [this](const Past& p) { return p.hash == hash_; }));
}

// ----------------------------------------------------------------------------------------------------
// running

template <int W>
void Sprint<W>::exec(Random& random, std::uint32_t max_plies, Playout& result) {
  const SprintOp* const ops = code_.ops.data();
  Set* const r = sets_.data();
  std::int32_t* const n = numbers_.data();
  std::int16_t* const c = cells_.data();
  const auto players = static_cast<std::int32_t>(code_.players.size());
  const SprintPlayer* player = &code_.players[at(to_move_)];
  std::uint32_t total = 0; // moves counted
  std::size_t rounds_done = 0;
  std::int32_t best_score = 0;
  bool scored = false;
  const Leaf* chosen = nullptr;
  const std::size_t draft_sets = code_.draft_sets;
  const Leaf* const leaf_limit = leaves_.data() + leaves_.size() - 1;
  Leaf* leaf_end = leaves_.data();
  bool again_ = false;
  const auto end_turn = [&] {
    ++n[code_.ply];
    ++n[code_.turns + to_move_];
    if (!again_ && ++to_move_ == players) to_move_ = 0;
    again_ = false;
  };
  using enum SprintOp::What;
  for (const SprintOp* op = ops + player->entry;; ++op) {
    switch (op->what) {
    case copy: r[op->d] = r[op->a]; break;
    case unite: r[op->d] = r[op->a] | r[op->b]; break;
    case meet: r[op->d] = r[op->a] & r[op->b]; break;
    case minus: r[op->d] = r[op->a] - r[op->b]; break;
    case up: r[op->d] = moved_up(r[op->a] & r[op->b], op->x); break;
    case down: r[op->d] = moved_down(r[op->a] & r[op->b], op->x); break;
    case up_meet: r[op->d] = moved_up(r[op->a] & r[op->b], op->x) & r[op->c]; break;
    case down_meet: r[op->d] = moved_down(r[op->a] & r[op->b], op->x) & r[op->c]; break;
    case jump: {
      const auto& to = tables_.board.steps[at(op->x)].to;
      Set all;
      r[op->a].each([&](int cell) {
        if (to[at(cell)] >= 0) all.set(to[at(cell)]);
      });
      r[op->d] = all;
      break;
    }
    case jump_back: {
      const auto& to = tables_.board.steps[at(op->x)].to;
      Set all;
      for (int cell = 0; cell < tables_.board.cells; ++cell)
        if (to[at(cell)] >= 0 && r[op->a].test(to[at(cell)])) all.set(cell);
      r[op->d] = all;
      break;
    }
    // Each round doubles the distance (Kogge, Stone: A parallel algorithm for the efficient solution of a
    // general class of recurrence equations, 1973).
    case run_up: {
      Set through = r[op->b] & r[op->c], all = moved_up(r[op->a], op->x) & through;
      int by = op->x;
      for (int i = 0; i < op->rounds; ++i, by *= 2) {
        all |= moved_up(all, by) & through;
        through &= moved_up(through, by);
      }
      r[op->d] = all;
      break;
    }
    case run_down: {
      Set through = r[op->b] & r[op->c], all = moved_down(r[op->a], op->x) & through;
      int by = op->x;
      for (int i = 0; i < op->rounds; ++i, by *= 2) {
        all |= moved_down(all, by) & through;
        through &= moved_down(through, by);
      }
      r[op->d] = all;
      break;
    }
    case run: {
      const auto& to = tables_.board.steps[at(op->x)].to;
      const Set& through = r[op->b];
      Set all;
      r[op->a].each([&](int cell) {
        for (int next = to[at(cell)]; next >= 0 && through.test(next) && !all.test(next); next = to[at(next)])
          all.set(next);
      });
      r[op->d] = all;
      break;
    }
    case SprintOp::What::flood: r[op->d] = this->flood(at(op->x), r[op->a], r[op->b]); break;
    case bit: r[op->d] = Set::of(c[op->a]); break;

    case count: n[op->d] = r[op->a].count(); break;
    case number: n[op->d] = n[op->a]; break;
    case add: n[op->d] = saturated(std::int64_t{n[op->a]} + n[op->b]); break;
    case subtract: n[op->d] = saturated(std::int64_t{n[op->a]} - n[op->b]); break;
    case multiply: n[op->d] = saturated(std::int64_t{n[op->a]} * n[op->b]); break;
    case divide: n[op->d] = saturated(divided(n[op->a], n[op->b])); break;
    case modulo: n[op->d] = saturated(remainder(n[op->a], n[op->b])); break;
    case least: n[op->d] = std::min(n[op->a], n[op->b]); break;
    case greatest: n[op->d] = std::max(n[op->a], n[op->b]); break;
    case SprintOp::What::repeats: n[op->d] = this->repeats(); break;
    case set_truth: n[op->d] = op->x; break;

    case go: op = ops + op->x - 1; break;
    case if_none:
      if (r[op->a].none()) op = ops + op->x - 1;
      break;
    case if_some:
      if (r[op->a].any()) op = ops + op->x - 1;
      break;
    case if_apart:
      if ((r[op->a] & r[op->b]).none()) op = ops + op->x - 1;
      break;
    case if_meet:
      if ((r[op->a] & r[op->b]).any()) op = ops + op->x - 1;
      break;
    case if_in:
      if (r[op->b].test(c[op->a])) op = ops + op->x - 1;
      break;
    case if_out:
      if (!r[op->b].test(c[op->a])) op = ops + op->x - 1;
      break;
    case if_part:
      if (r[op->a].within(r[op->b])) op = ops + op->x - 1;
      break;
    case if_not_part:
      if (!r[op->a].within(r[op->b])) op = ops + op->x - 1;
      break;
    case if_less:
      if (n[op->a] < n[op->b]) op = ops + op->x - 1;
      break;
    case if_not_less:
      if (n[op->a] >= n[op->b]) op = ops + op->x - 1;
      break;
    case if_equal:
      if (n[op->a] == n[op->b]) op = ops + op->x - 1;
      break;
    case if_not_equal:
      if (n[op->a] != n[op->b]) op = ops + op->x - 1;
      break;
    case if_row:
      if (in_row(tables_.rows[op->c], c[op->a], r[op->b])) op = ops + op->x - 1;
      break;
    case if_no_row:
      if (!in_row(tables_.rows[op->c], c[op->a], r[op->b])) op = ops + op->x - 1;
      break;
    case if_stuck:
      if (total == 0) op = ops + op->x - 1;
      break;
    case if_free:
      if (total != 0) op = ops + op->x - 1;
      break;

    case place: c[op->d] = code_.places[at(op->x)][at(c[0])]; break;
    case set_bit: r[op->d].set(c[op->a]); break;
    case clear_bit: r[op->d].clear(c[op->a]); break;
    case carry: r[op->d] = r[op->d] ^ (Set::of(c[op->a]) | Set::of(c[op->b])); break;
    case grab:
      n[op->d] = r[op->a].test(c[op->b]) ? 1 : 0;
      r[op->a].clear(c[op->b]);
      break;
    case give:
      r[op->d].clear(c[op->b]);
      if (n[op->a] != 0) r[op->d].set(c[op->b]);
      break;
    case again: again_ = true; break;

    case drop:
      r[op->d].set(c[op->a]);
      r[op->b].clear(c[op->a]);
      break;

    case hop: {
      const int to = tables_.board.steps[op->c].to[at(c[op->a])];
      if (to < 0 || !r[op->b].test(to)) {
        op = ops + op->x - 1;
        break;
      }
      c[op->d] = static_cast<std::int16_t>(to);
      break;
    }
    case take: {
      const int cell = r[op->a].first();
      if (cell < 0) {
        op = ops + op->x - 1;
        break;
      }
      r[op->a].clear(cell);
      c[op->d] = static_cast<std::int16_t>(cell);
      break;
    }
    case copy_cell: c[op->d] = c[op->a]; break;
    case save: std::copy(r, r + draft_sets, r + op->d); break;
    case restore: std::copy(r + op->a, r + op->a + draft_sets, r); break;
    case call: {
      if (++rounds_done > kMostRounds) {
        gave_up_ = true;
        return;
      }
      const SprintLoop& l = code_.loops[op->d];
      frames_.push_back({op, set_stack_.size(), number_stack_.size(), cell_stack_.size()});
      set_stack_.insert(set_stack_.end(), r, r + draft_sets);
      set_stack_.insert(set_stack_.end(), r + l.sets, r + l.sets_end);
      number_stack_.insert(number_stack_.end(), n + l.numbers, n + l.numbers_end);
      cell_stack_.insert(cell_stack_.end(), c + l.cells, c + l.cells_end);
      c[l.cell] = c[op->a];
      n[l.any] = 0;
      n[l.deep] = op->c;
      op = ops + op->x - 1;
      break;
    }
    case ret: {
      const Frame f = frames_.back();
      frames_.pop_back();
      op = f.back;
      const SprintLoop& l = code_.loops[op->d];
      const Set* const sets = set_stack_.data() + f.sets;
      std::copy(sets, sets + draft_sets, r);
      std::copy(sets + draft_sets, sets + draft_sets + (l.sets_end - l.sets), r + l.sets);
      set_stack_.resize(f.sets);
      std::copy(number_stack_.begin() + static_cast<std::ptrdiff_t>(f.numbers), number_stack_.end(),
                n + l.numbers);
      number_stack_.resize(f.numbers);
      std::copy(cell_stack_.begin() + static_cast<std::ptrdiff_t>(f.cells), cell_stack_.end(), c + l.cells);
      cell_stack_.resize(f.cells);
      break;
    }
    case write: {
      std::uint64_t& text = r[op->d].word[0];
      text = chain(text, static_cast<std::uint64_t>(c[op->a]) << 8 | op->b);
      break;
    }
    case best_none: scored = false; break;
    case best: {
      const std::int32_t score = n[op->a];
      if (scored && score < best_score) {
        op = ops + op->x - 1;
        break;
      }
      if (!scored || score > best_score) {
        leaf_end = leaves_.data();
        total = 0;
      }
      scored = true;
      best_score = score;
      break;
    }
    case leaf_draft:
    case leaf_once: {
      const Set& set = r[op->a];
      const int count = set.count();
      if (count == 0) break;
      if (leaf_end == leaf_limit) {
        gave_up_ = true;
        return;
      }
      const auto index = static_cast<std::size_t>(leaf_end - leaves_.data());
      if (drafts_.size() < (index + 1) * draft_sets) drafts_.resize((index + 1) * draft_sets);
      if (op->what == leaf_once) {
        const std::uint64_t key = chain(hash() ^ r[draft_sets - 1].word[0],
                                        static_cast<std::uint64_t>(set.first()) << 16 | at(c[op->b]));
        if (keys_.size() <= index) keys_.resize(index + 1);
        if (std::find(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(index), key) !=
            keys_.begin() + static_cast<std::ptrdiff_t>(index))
          break;
        keys_[index] = key;
      }
      total += static_cast<std::uint32_t>(count);
      *leaf_end++ = {set, total, op->x, static_cast<std::int32_t>(index), c[op->b]};
      std::copy(r, r + draft_sets, drafts_.begin() + static_cast<std::ptrdiff_t>(index * draft_sets));
      break;
    }
    case recall: {
      const auto from = drafts_.begin() + static_cast<std::ptrdiff_t>(at(chosen->draft) * draft_sets);
      std::copy(from, from + static_cast<std::ptrdiff_t>(draft_sets), r);
      c[1] = chosen->start;
      break;
    }

    case look: hash_ = hash(); break;
    case count_none:
      total = 0;
      rounds_done = 0;
      leaf_end = leaves_.data();
      break;
    case count_pool: total = static_cast<std::uint32_t>(pool_size_); break;
    case leaf: {
      const Set& set = r[op->a];
      const int count = set.count();
      total += static_cast<std::uint32_t>(count);
      *leaf_end = {set, total, op->x, -1, 0};
      leaf_end += count != 0 ? 1 : 0;
      break;
    }
    case pick: {
      if (total == 0) {
        result.outcome = Outcome{0, 0, Outcome::By::no_move};
        return;
      }
      if (plies_ >= max_plies) return;
      result.moves += total;
      ++plies_;
      if (code_.uses_history) enter_history();
      auto k = static_cast<std::uint32_t>(random.below(total));
      if (code_.pool) {
        c[0] = static_cast<std::int16_t>(pool_[k]);
        pool_[k] = pool_[--pool_size_];
        op = ops + player->leaves[0].entry - 1;
        break;
      }
      const Leaf* l = leaves_.data();
      std::uint32_t before = 0;
      for (; k >= l->until; ++l) before = l->until;
      chosen = l;
      const SprintLeaf& leaf = player->leaves[at(l->leaf)];
      c[0] = leaf.origin[at(l->set.nth(static_cast<int>(k - before)))];
      op = ops + leaf.entry - 1;
      break;
    }
    case decide:
      verdict_ = &code_.verdicts[at(op->x)];
      if (verdict_->by == Outcome::By::move) end_turn();
      return;
    case next:
      end_turn();
      player = &code_.players[at(to_move_)];
      op = ops + player->entry - 1;
      break;
    default: __builtin_unreachable();
    }
  }
}

template <int W>
Outcome Sprint<W>::outcome(const SprintVerdict& v) const {
  if (!v.by_score) return {v.winners, v.origin, v.by};
  std::uint32_t best = 0, all = 0;
  std::int32_t most = 0;
  for (std::size_t p = 0; p < v.score.size(); ++p) { // the greatest share wins; if all are equal nobody does
    const std::int32_t share = numbers_[v.score[p]];
    if (p == 0 || share > most) best = 0;
    if (p == 0 || share >= most) {
      most = share;
      best |= std::uint32_t{1} << p;
    }
    all |= std::uint32_t{1} << p;
  }
  return {best == all && v.score.size() > 1 ? 0 : best, v.origin, v.by};
}

template <int W>
Playout Sprint<W>::run(Random& random, std::uint32_t max_plies) {
  Playout p;
  begin();
  exec(random, max_plies, p);
  if (verdict_ != nullptr) p.outcome = outcome(*verdict_);
  p.plies = plies_;
  return p;
}

// ---------------------------------------------------------------------------------------------------- out
// again

template <int W>
void Sprint<W>::store(State<W>& state, const Pieces& pieces, const Set* sets, const std::int32_t* numbers,
                      int to_move) const {
  const int cells = tables_.board.cells, kinds = pieces.kinds;
  for (int cell = 0; cell < cells; ++cell) {
    std::uint8_t code = 0;
    for (int owner = 0; owner < code_.owners; ++owner) {
      if (!sets[owner].test(cell)) continue;
      int kind = 0;
      while (kind + 1 < kinds && !sets[code_.owners + kind].test(cell)) ++kind;
      code = pieces.code[at(owner * kinds + kind)];
    }
    const std::uint8_t old = state.top[at(cell)];
    if (old == code) continue;
    if (old != 0) state.board_hash ^= piece_key(cell, 0, old);
    if (code != 0) state.board_hash ^= piece_key(cell, 0, code);
    state.set_top(pieces, cell, code);
  }
  for (std::size_t k = 0; k < code_.set_of.size(); ++k) {
    if (code_.set_of[k] >= 0) state.set_set(k, sets[code_.set_of[k]]);
    state.set_number(k, numbers[k]);
  }
  state.ply = numbers[code_.ply];
  std::copy(numbers + code_.turns, numbers + code_.turns + state.turns.size(), state.turns.begin());
  state.to_move = to_move;
}

template <int W>
void Sprint<W>::store_past(std::size_t i, State<W>& state, const Pieces& pieces) const {
  store(state, pieces, history_sets_.data() + i * code_.state_sets,
        history_numbers_.data() + i * code_.state_numbers, history_[i].to_move);
}

extern template class Sprint<1>;
extern template class Sprint<2>;
extern template class Sprint<3>;
extern template class Sprint<4>;
extern template class Sprint<6>;
extern template class Sprint<8>;
extern template struct SprintTables<1>;
extern template struct SprintTables<2>;
extern template struct SprintTables<3>;
extern template struct SprintTables<4>;
extern template struct SprintTables<6>;
extern template struct SprintTables<8>;

} // namespace boardwright::runtime::machine
