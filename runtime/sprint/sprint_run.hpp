// Sprint: carrying out its code. See sprint.hpp.
#pragma once

#include "runtime/model/arithmetic.hpp"
#include "runtime/model/numbering.hpp"
#include "runtime/model/random.hpp"
#include "runtime/sprint/any_sprint.hpp"
#include "runtime/sprint/sprint.hpp"
#include "runtime/sprint/sprint_keys.hpp"
#include "runtime/sprint/sprint_native.hpp"
#include "runtime/sprint/sprint_sets.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

namespace boardwright::runtime::machine {

// What the sprints of one program look up. Made once, then only read.
template <int W>
struct SprintTables {
  using Set = Bits<W>;
  explicit SprintTables(const SprintCode& code);

  const Board& board;
  const SprintCode& code;
  std::vector<Set> constants;
  struct Flood {
    std::vector<std::pair<int, Set>> shifts; // by how much, which cells
    std::vector<int> steps;                  // the others
  };
  std::vector<Flood> floods;
  struct Row {
    // On small boards, by cell and axis: where lines of the wanted length begin that the cell is in.
    struct Axis {
      std::array<int, 3> shifts{};
      std::array<std::uint64_t, 64> begins{};
    };
    std::vector<Axis> axes;
    // On others: where each axis leads from a cell, forth and back.
    std::vector<const std::int16_t*> forth, back;
    int length = 0;
    // For lines that are kept, by cell and axis: 32 times the line's number, and the cell's place in it.
    std::vector<std::uint16_t> places;
    std::uint16_t lines = 0;                        // how many in all
    std::vector<int> shifts;                        // each looks at a line farther
    std::array<std::uint32_t, kLongestLine> with{}; // by place: where rows that have it begin
  };
  std::vector<Row> rows;
  struct Rays { // by cell and direction; those where numbers grow come first
    std::vector<Set> lines;
    std::size_t each = 0, up = 0; // how many of a cell, and how many of them grow
  };
  std::vector<Rays> rays;

  // Made when it is first asked for; null where there is none.
  [[nodiscard]] const NativeCode* native() const;
  // Of all lines that are kept, and those before some.
  [[nodiscard]] std::size_t lines_before(std::size_t lines) const {
    std::size_t sum = 0;
    for (std::size_t k = 0; k < lines; ++k) sum += rows[code.lines[k].row].lines;
    return sum;
  }
  [[nodiscard]] std::size_t line_count() const { return lines_before(code.lines.size()); }

private:
  void make_rays(const std::vector<int>& steps);
  void make_flood(const std::vector<int>& steps);
  void make_row(const SprintRow& row);
  void make_lines(const SprintRow& row, Row& into) const;
  int line(const SprintRow& row, int step, int cell, int before) const;
  mutable std::once_flag native_once_;
  mutable std::unique_ptr<const NativeCode> native_;
};

// The registers of a sprint in one block: sets, numbers, lines that are kept, cells.
template <int W>
class SprintRegisters {
  std::unique_ptr<std::byte[]> block_; // made before the pointers into it

public:
  SprintRegisters(const SprintCode& code, std::size_t line_count);
  // Where they begin, in bytes from the first set.
  [[nodiscard]] static std::size_t numbers_at(const SprintCode& code) { return code.sets * sizeof(Bits<W>); }
  [[nodiscard]] static std::size_t lines_at(const SprintCode& code) {
    return numbers_at(code) + code.numbers * sizeof(std::int32_t);
  }
  [[nodiscard]] static std::size_t cells_at(const SprintCode& code, std::size_t line_count) {
    return lines_at(code) + line_count * sizeof(std::uint32_t);
  }
  [[nodiscard]] std::byte* block() const { return block_.get(); }

  Bits<W>* const sets;
  std::int32_t* const numbers;
  std::uint32_t* const lines;
  std::int16_t* const cells;
};

template <int W>
SprintRegisters<W>::SprintRegisters(const SprintCode& code, std::size_t line_count)
    : block_(new std::byte[cells_at(code, line_count) +
                           std::max<std::size_t>(code.cells, kLeastCells) * sizeof(std::int16_t)]()),
      sets(reinterpret_cast<Bits<W>*>(block_.get())),
      numbers(reinterpret_cast<std::int32_t*>(block_.get() + numbers_at(code))),
      lines(reinterpret_cast<std::uint32_t*>(block_.get() + lines_at(code))),
      cells(reinterpret_cast<std::int16_t*>(block_.get() + cells_at(code, line_count))) {}

template <int W>
struct SprintHelp;

template <int W>
class Sprint final : public AnySprint {
public:
  using Set = Bits<W>;
  // Native code is used if it is wanted and there is any.
  Sprint(const SprintTables<W>& tables, bool native);

  void load(const Position& position) override;
  Playout run(Random& random, std::uint32_t max_plies) override;
  [[nodiscard]] Position position() const override;
  [[nodiscard]] bool gave_up() const override { return gave_up_; }
  [[nodiscard]] bool is_native() const override { return native_ != nullptr; }

private:
  struct Leaf {
    Set set;
    std::uint32_t until = 0; // moves of this leaf and those before
    std::int32_t leaf = 0;
    std::array<std::int16_t, 2> cells{}; // of a draft: where it began, and another
    std::int32_t unused = 0;
  };
  struct Frame { // of a round whose further rounds are being tried
    const SprintOp* back = nullptr;
    std::size_t sets = 0, numbers = 0; // where on the stacks
  };
  struct Flooded { // what a flood found last: sets grow, so it needn't start anew
    bool known = false;
    Set from, through, found, frontier;
  };

  void begin();
  void exec(Random& random, std::uint32_t max_plies, Playout& result);
  void exec_native(const NativeCode& code, Random& random, std::uint32_t max_plies, Playout& result);
  [[nodiscard]] bool leaf_once(const SprintOp& op, std::uint32_t& total, Leaf*& end);
  [[nodiscard]] bool improves(std::int32_t score, std::uint32_t& total, Leaf*& end);
  void write(const SprintOp& op);
  void write_put(const SprintOp& op);
  void write_set(const SprintOp& op);
  [[nodiscard]] Set jumped(const SprintOp& op) const;
  [[nodiscard]] Set jumped_back(const SprintOp& op) const;
  template <bool kUp>
  [[nodiscard]] Set ran_straight(const SprintOp& op) const;
  [[nodiscard]] Set ran(const SprintOp& op) const;
  friend struct SprintHelp<W>;
  void load_lines();
  [[nodiscard]] bool joins_row(std::size_t lines, int cell);
  [[nodiscard]] inline bool in_row(const typename SprintTables<W>::Row& row, int cell, const Set& set) const;
  template <bool kWithStop>
  [[nodiscard]] static Set seen_along(const typename SprintTables<W>::Rays& rays, int cell,
                                      const Set& through);
  Set flood(std::size_t index, const Set& from, const Set& through);
  [[nodiscard]] Set around(const typename SprintTables<W>::Flood& flood, const Set& from) const;
  [[nodiscard]] Outcome outcome(const SprintVerdict& verdict) const;
  [[nodiscard]] std::uint64_t state_key() const;
  void look() { hash_ = state_key() + at(to_move_); }
  // Slots can still come after drafts.
  [[nodiscard]] std::size_t most_drafts() const { return std::min(kMostDrafts, leaves_.size() - 1); }
  [[nodiscard]] std::uint64_t draft_key(const SprintOp& op) const;
  void enter_history();
  [[nodiscard]] std::int32_t repeats() const;
  [[nodiscard]] int numbered(int cell) const {
    return code_.of_cell.empty() ? cell : code_.of_cell[at(cell)];
  }
  [[nodiscard]] Set numbered(const CellSet& cells) const;

  const SprintTables<W>& tables_;
  const SprintCode& code_;
  SprintRegisters<W> registers_;
  Set* const sets_;
  std::int32_t* const numbers_;
  std::int16_t* const cells_;
  const NativeCode* native_ = nullptr;
  SprintFrame frame_; // shared with native code
  // What native code keeps of rounds within rounds, in words.
  static constexpr std::size_t kNativeStack = std::size_t{1} << 18;
  std::unique_ptr<std::uint64_t[]> native_stack_;
  // the position to begin from
  std::vector<Set> first_sets_;
  std::vector<std::int32_t> first_numbers_;
  std::vector<std::uint16_t> first_pool_;
  std::vector<std::uint32_t> first_lines_;
  std::vector<std::uint32_t*> lines_; // that are kept: where they begin
  std::int32_t first_to_move_ = 0;
  std::uint32_t first_out_ = 0;
  std::size_t players_ = code_.players.size();

  std::vector<std::uint16_t> pool_; // the empty cells, in any order
  std::size_t pool_size_ = 0;
  std::int32_t to_move_ = 0;
  std::uint32_t plies_ = 0;
  // Drafts of one position that are looked at by a sprint, and rounds of repetitions: games that need more go
  // to the general engine, which also knows when it is too much.
  static constexpr std::size_t kMostDrafts = 4096, kMostRounds = std::size_t{1} << 16;
  static constexpr std::size_t kMostStacked = std::size_t{1} << 18; // sets: 16 MB at the widest
  std::vector<Leaf> leaves_;
  std::vector<Set> drafts_;         // by leaf, so many sets each
  std::vector<std::uint64_t> keys_; // of drafts
  std::vector<Frame> frames_;
  std::vector<Set> set_stack_;
  std::vector<std::int32_t> number_stack_;
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
  std::vector<std::uint32_t> buckets_;
  std::uint64_t hash_ = 0;
};

// ---------------------------------------------------------------------------------------------------- tables

template <int W>
SprintTables<W>::SprintTables(const SprintCode& c) : board(c.board), code(c) {
  for (const CellSet& set : c.constants) constants.push_back(narrow<W>(set));
  for (const std::vector<int>& steps : c.floods) make_flood(steps);
  for (const SprintRow& row : c.rows) make_row(row);
  for (const SprintLines& l : c.lines)
    if (rows[l.row].places.empty()) make_lines(c.rows[l.row], rows[l.row]);
  for (const std::vector<int>& steps : c.rays) make_rays(steps);
}

template <int W>
void SprintTables<W>::make_rays(const std::vector<int>& steps) {
  Rays& into = rays.emplace_back();
  std::vector<std::vector<Set>> up, down; // by direction and cell
  for (const int step : steps) {
    const auto& to = board.steps[at(step)].to;
    std::vector<Set> lines(at(board.cells));
    bool grows = true;
    for (int cell = 0; cell < board.cells; ++cell) {
      for (int c = to[at(cell)]; c != kNowhere; c = to[at(c)]) lines[at(cell)].set(c);
      if (to[at(cell)] != kNowhere) grows = to[at(cell)] > cell;
    }
    (grows ? up : down).push_back(std::move(lines));
  }
  into.each = up.size() + down.size();
  into.up = up.size();
  for (int cell = 0; cell < board.cells; ++cell)
    for (const auto* lines : {&up, &down})
      for (const auto& line : *lines) into.lines.push_back(line[at(cell)]);
}

template <int W>
void SprintTables<W>::make_flood(const std::vector<int>& steps) {
  Flood& flood = floods.emplace_back();
  for (const int step : steps) {
    const auto groups = by_distance(board.steps[at(step)].to);
    if (groups.size() > kMostShifts) flood.steps.push_back(step);
    for (const auto& [by, from] : groups)
      if (groups.size() <= kMostShifts) flood.shifts.emplace_back(by, narrow<W>(from));
  }
}

// Where the line of the wanted length begins that has so many cells before the cell; -1 if it leaves the
// board.
template <int W>
int SprintTables<W>::line(const SprintRow& row, int step, int cell, int before) const {
  const Step& s = board.steps[at(step)];
  const int back = board.step_by(-s.dx, -s.dy);
  int first = cell;
  for (int i = 0; i < before && first != kNowhere; ++i) first = board.steps[at(back)].to[at(first)];
  int last = first;
  for (int i = 1; i < row.length && last != kNowhere; ++i) last = s.to[at(last)];
  return last == kNowhere ? -1 : first;
}

template <int W>
void SprintTables<W>::make_lines(const SprintRow& row, Row& into) const {
  const std::size_t axes = row.steps.size();
  into.places.resize(at(board.cells) * axes);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const Step& s = board.steps[at(row.steps[axis])];
    const auto& back = board.steps[at(board.step_by(-s.dx, -s.dy))].to;
    for (int cell = 0; cell < board.cells; ++cell) {
      if (back[at(cell)] != kNowhere) continue; // no line begins here
      std::uint16_t place = static_cast<std::uint16_t>(into.lines++ * kLongestLine);
      for (int c = cell; c != kNowhere; c = s.to[at(c)]) into.places[at(c) * axes + axis] = place++;
    }
  }
  for (int length = 1; length < row.length; length += into.shifts.back())
    into.shifts.push_back(std::min(length, row.length - length));
  for (int place = 0; place < kLongestLine; ++place)
    for (int first = std::max(place - row.length + 1, 0); first <= place; ++first)
      into.with[at(place)] |= std::uint32_t{1} << first;
}

template <int W>
void SprintTables<W>::make_row(const SprintRow& row) {
  Row& into = rows.emplace_back();
  into.length = row.length;
  constexpr int kLongest = 8; // what three shifts can tell
  bool even = W == 1 && row.length <= kLongest;
  for (const int step : row.steps) {
    const Step& s = board.steps[at(step)];
    into.forth.push_back(s.to.data());
    into.back.push_back(board.steps[at(board.step_by(-s.dx, -s.dy))].to.data());
    typename Row::Axis& axis = into.axes.emplace_back();
    int by_all = 0;
    for (int cell = 0; cell < board.cells; ++cell) {
      if (s.to[at(cell)] == kNowhere) continue;
      const int by = s.to[at(cell)] - cell;
      even = even && (by_all == 0 || by_all == by) && by > 0;
      by_all = by;
    }
    if (!even) continue;
    int length = 1; // that has been looked at
    for (int& shift : axis.shifts) {
      const int more = std::min(length, row.length - length);
      // Farther than the board no line leads, so it doesn't matter there.
      shift = std::min(more * by_all, Set::kSize - 1);
      length += more;
    }
    for (int cell = 0; cell < board.cells; ++cell)
      for (int before = 0; before < row.length; ++before)
        if (const int first = line(row, step, cell, before); first >= 0)
          axis.begins[at(cell)] |= std::uint64_t{1} << first;
  }
  if (!even) into.axes.clear();
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

// The members below the lowest one, and with it; all numbers if there is none.
template <int W>
[[nodiscard]] inline Bits<W> up_to_lowest(const Bits<W>& s) {
  Bits<W> r;
  std::uint64_t borrow = 1;
  for (unsigned k = 0; k < W; ++k) {
    const std::uint64_t less = s.word[k] - borrow;
    borrow = s.word[k] < borrow ? 1 : 0;
    r.word[k] = s.word[k] ^ less;
  }
  return r;
}

// The members above the highest one, and with it; all numbers if there is none.
template <int W>
[[nodiscard]] inline Bits<W> down_to_highest(const Bits<W>& s) {
  Bits<W> r;
  std::uint64_t above = ~std::uint64_t{0}; // nothing has been met yet
  for (unsigned k = W; k-- > 0;) {
    const std::uint64_t w = s.word[k];
    const std::uint64_t from = w == 0 ? ~std::uint64_t{0} : ~std::uint64_t{0} << (63 - std::countl_zero(w));
    r.word[k] = from & above;
    above = w == 0 ? above : 0;
  }
  return r;
}

// ---------------------------------------------------------------------------------------------------- begin

template <int W>
Sprint<W>::Sprint(const SprintTables<W>& tables, bool native)
    : tables_(tables), code_(tables.code), registers_(code_, tables.line_count()), sets_(registers_.sets),
      numbers_(registers_.numbers), cells_(registers_.cells), native_(native ? tables.native() : nullptr),
      first_sets_(code_.state_sets), first_numbers_(code_.state_numbers), floods_(code_.floods.size()) {
  std::copy(tables.constants.begin(), tables.constants.end(), sets_ + code_.draft_sets);
  std::copy(code_.number_constants.begin(), code_.number_constants.end(), numbers_ + code_.state_numbers);
  if (code_.uses_history) buckets_.resize(kBuckets);
  for (std::size_t k = 0; k < code_.lines.size(); ++k)
    lines_.push_back(registers_.lines + tables.lines_before(k));
  const bool drafts = std::any_of(code_.ops.begin(), code_.ops.end(), [](const SprintOp& op) {
    return op.what == SprintOp::What::leaf_draft || op.what == SprintOp::What::leaf_once;
  });
  if (native_ != nullptr && !code_.loops.empty())
    native_stack_ = std::make_unique_for_overwrite<std::uint64_t[]>(kNativeStack);
  leaves_.resize(kMaxSlotLeaves + 1 + (drafts ? kMostDrafts : 0));
  if (!drafts) return;
  drafts_.resize(leaves_.size() * code_.draft_sets);
  keys_.resize(leaves_.size());
}

template <int W>
typename Sprint<W>::Set Sprint<W>::numbered(const CellSet& cells) const {
  Set result;
  cells.each([&](int cell) { result.set(numbered(cell)); });
  return result;
}

template <int W>
void Sprint<W>::load(const Position& position) {
  first_out_ = position.out;
  for (std::size_t k = 0; k < code_.empty; ++k) first_sets_[k] = Set();
  Set occupied;
  for (std::size_t cell = 0; cell < position.cells.size(); ++cell) {
    if (position.cells[cell].empty()) continue;
    const Piece piece = position.cells[cell].back();
    const int here = numbered(static_cast<int>(cell));
    first_sets_[piece.owner < 0 ? code_.owners - 1u : at(piece.owner)].set(here);
    if (code_.kinds > 0) first_sets_[code_.owners + at(piece.kind)].set(here);
    occupied.set(here);
  }
  first_sets_[code_.empty] = tables_.constants[1] - occupied;
  for (std::size_t k = 0; k < code_.set_of.size(); ++k) {
    const VariableValue& value = position.variables[k];
    if (code_.set_of[k] >= 0) first_sets_[at(code_.set_of[k])] = numbered(value.cells);
    first_numbers_[k] = value.number;
  }
  first_numbers_[code_.ply] = position.ply;
  std::copy(position.turns.begin(), position.turns.end(), first_numbers_.begin() + code_.turns);
  first_to_move_ = position.to_move;
  load_lines();
  first_pool_.clear();
  if (code_.pool)
    first_sets_[code_.empty].each([&](int cell) { first_pool_.push_back(static_cast<std::uint16_t>(cell)); });
  pool_.resize(first_pool_.size());
}

template <int W>
void Sprint<W>::load_lines() {
  first_lines_.assign(tables_.line_count(), 0);
  for (std::size_t k = 0; k < code_.lines.size(); ++k) {
    const auto& row = tables_.rows[code_.lines[k].row];
    const std::size_t axes = row.forth.size(), before = tables_.lines_before(k);
    first_sets_[code_.lines[k].set].each([&](int cell) {
      for (std::size_t axis = 0; axis < axes; ++axis) {
        const unsigned place = row.places[at(cell) * axes + axis];
        first_lines_[before + place / kLongestLine] |= std::uint32_t{1} << place % kLongestLine;
      }
    });
  }
}

template <int W>
void Sprint<W>::begin() {
  std::copy(first_sets_.begin(), first_sets_.end(), sets_);
  std::copy(first_numbers_.begin(), first_numbers_.end(), numbers_);
  std::copy(first_pool_.begin(), first_pool_.end(), pool_.begin());
  std::copy(first_lines_.begin(), first_lines_.end(), registers_.lines);
  pool_size_ = first_pool_.size();
  to_move_ = first_to_move_;
  plies_ = 0;
  verdict_ = nullptr;
  gave_up_ = false;
  frames_.clear();
  for (Flooded& f : floods_) f.known = false;
  if (!code_.uses_history) return;
  history_.clear();
  history_sets_.clear();
  history_numbers_.clear();
  std::fill(buckets_.begin(), buckets_.end(), 0U);
}

// ---------------------------------------------------------------------------------------------------- parts

template <int W>
[[gnu::always_inline]] inline bool Sprint<W>::in_row(const typename SprintTables<W>::Row& row, int cell,
                                                     const Set& set) const {
  // The beginnings of all lines that are full: each shift up to doubles the length that is looked at. Lines
  // that would go round the edge begin where none does.
  if constexpr (W == 1) {
    if (!row.axes.empty()) {
      std::uint64_t found = 0;
      for (const auto& axis : row.axes) {
        std::uint64_t full = set.word[0] | std::uint64_t{1} << cell; // the cell counts in any case
        full &= full >> axis.shifts[0];
        full &= full >> axis.shifts[1];
        full &= full >> axis.shifts[2];
        found |= full & axis.begins[at(cell)];
      }
      return found != 0;
    }
  }
  for (std::size_t axis = 0; axis < row.forth.size(); ++axis) {
    int length = 1;
    for (int c = row.forth[axis][cell]; c >= 0 && set.test(c); c = row.forth[axis][c]) ++length;
    for (int c = row.back[axis][cell]; c >= 0 && set.test(c); c = row.back[axis][c]) ++length;
    if (length >= row.length) return true;
  }
  return false;
}

// The set of the lines has got the cell.
template <int W>
bool Sprint<W>::joins_row(std::size_t lines, int cell) {
  const auto& row = tables_.rows[code_.lines[lines].row];
  const std::size_t axes = row.forth.size();
  std::uint32_t found = 0;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const unsigned place = row.places[at(cell) * axes + axis];
    std::uint32_t& line = lines_[lines][place / kLongestLine];
    line |= std::uint32_t{1} << place % kLongestLine;
    std::uint32_t full = line;
    for (const int by : row.shifts) full &= full >> by;
    found |= full & row.with[place % kLongestLine];
  }
  return found != 0;
}

template <int W>
typename Sprint<W>::Set Sprint<W>::jumped(const SprintOp& op) const {
  const auto& to = tables_.board.steps[at(op.x)].to;
  Set all;
  sets_[op.a].each([&](int cell) {
    if (to[at(cell)] >= 0) all.set(to[at(cell)]);
  });
  return all;
}

template <int W>
typename Sprint<W>::Set Sprint<W>::jumped_back(const SprintOp& op) const {
  const auto& to = tables_.board.steps[at(op.x)].to;
  Set all;
  for (int cell = 0; cell < tables_.board.cells; ++cell)
    if (to[at(cell)] >= 0 && sets_[op.a].test(to[at(cell)])) all.set(cell);
  return all;
}

// Each round doubles the distance (Kogge, Stone: A parallel algorithm for the efficient solution of a
// general class of recurrence equations, 1973).
template <int W>
template <bool kUp>
inline typename Sprint<W>::Set Sprint<W>::ran_straight(const SprintOp& op) const {
  const auto moved = [](const Set& s, int by) { return kUp ? moved_up(s, by) : moved_down(s, by); };
  Set through = sets_[op.b] & sets_[op.c], all = moved(sets_[op.a], op.x) & through;
  int by = op.x;
  for (int i = 0; i < op.rounds; ++i, by *= 2) {
    all |= moved(all, by) & through;
    through &= moved(through, by);
  }
  return all;
}

template <int W>
typename Sprint<W>::Set Sprint<W>::ran(const SprintOp& op) const {
  const auto& to = tables_.board.steps[at(op.x)].to;
  const Set& through = sets_[op.b];
  Set all;
  sets_[op.a].each([&](int cell) {
    for (int next = to[at(cell)]; next >= 0 && through.test(next) && !all.test(next); next = to[at(next)])
      all.set(next);
  });
  return all;
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

// The cells of rays up to the first one that isn't in the set, and that one too if it is wanted. Two words
// are one number: its parts would go to and fro between the processor's registers otherwise.
template <int W>
template <bool kWithStop>
[[gnu::always_inline]] inline typename Sprint<W>::Set
Sprint<W>::seen_along(const typename SprintTables<W>::Rays& rays, int cell, const Set& through) {
  const Set* line = rays.lines.data() + at(cell) * rays.each;
  const Set *const first_down = line + rays.up, *const last = line + rays.each;
  if constexpr (W == 2) {
    __extension__ using Wide = unsigned __int128;
    const auto wide = [](const Set& s) { return static_cast<Wide>(s.word[1]) << 64 | s.word[0]; };
    const Wide out = ~wide(through);
    Wide all = 0;
    for (; line != first_down; ++line) {
      const Wide way = wide(*line), stop = way & out;
      all |= way & (kWithStop ? stop ^ (stop - 1) : ~stop & (stop - 1));
    }
    for (; line != last; ++line) {
      const Wide way = wide(*line), stop = way & out;
      const auto low = static_cast<std::uint64_t>(stop), high = static_cast<std::uint64_t>(stop >> 64);
      const std::uint64_t word = high != 0 ? high : low;
      // From the highest one on; all numbers if there is none.
      const std::uint64_t from =
          word == 0 ? ~std::uint64_t{0} : ~std::uint64_t{0} << (63 - std::countl_zero(word));
      const Wide above =
          high != 0 ? static_cast<Wide>(from) << 64 : static_cast<Wide>(~std::uint64_t{0}) << 64 | from;
      all |= way & (kWithStop ? above : above & ~stop);
    }
    Set result;
    result.word = {static_cast<std::uint64_t>(all), static_cast<std::uint64_t>(all >> 64)};
    return result;
  } else {
    Set all;
    for (; line != first_down; ++line) {
      const Set stop = *line - through, way = *line & up_to_lowest(stop);
      all |= kWithStop ? way : way - stop;
    }
    for (; line != last; ++line) {
      const Set stop = *line - through, way = *line & down_to_highest(stop);
      all |= kWithStop ? way : way - stop;
    }
    return all;
  }
}

// Of what is on the board, and of the variables.
template <int W>
std::uint64_t Sprint<W>::state_key() const {
  const KeyPlaces places(code_.state_sets, code_.ply, W);
  std::uint64_t key = 0;
  for (std::size_t s = 0; s < code_.state_sets; ++s)
    for (std::size_t w = 0; w < W && !code_.follows(s); ++w) key += key_part(s * W + w, sets_[s].word[w]);
  for (std::size_t k = 0; k < code_.ply; ++k)
    key += key_part(places.numbers + k, static_cast<std::uint32_t>(numbers_[k]));
  return key;
}

template <int W>
void Sprint<W>::enter_history() {
  history_.push_back({hash_, to_move_});
  ++buckets_[hash_ % kBuckets];
  history_sets_.insert(history_sets_.end(), sets_, sets_ + code_.state_sets);
  history_numbers_.insert(history_numbers_.end(), numbers_, numbers_ + code_.state_numbers);
}

template <int W>
std::int32_t Sprint<W>::repeats() const {
  if (buckets_[hash_ % kBuckets] == 0) return 0;
  return static_cast<std::int32_t>(
      std::count_if(history_.begin(), history_.end(), [this](const Past& p) { return p.hash == hash_; }));
}

// ----------------------------------------------------------------------------------------------------
// running

// Moves with a worse score don't count, and those that are known don't if it is better.
template <int W>
bool Sprint<W>::improves(std::int32_t score, std::uint32_t& total, Leaf*& end) {
  if (frame_.scored != 0 && score < frame_.best_score) return false;
  if (frame_.scored == 0 || score > frame_.best_score) {
    end = leaves_.data();
    total = 0;
  }
  frame_.scored = 1;
  frame_.best_score = score;
  return true;
}

template <int W>
std::uint64_t Sprint<W>::draft_key(const SprintOp& op) const {
  const KeyPlaces places(code_.state_sets, code_.ply, W);
  std::uint64_t key = state_key() + key_part(places.text, sets_[code_.draft_sets - 1].word[0]) +
                      key_part(places.start, at(cells_[op.b]));
  for (std::size_t w = 0; w < W; ++w) key += key_part(places.gone + w, sets_[code_.draft_sets - 2].word[w]);
  return key;
}

// False: it is too much.
template <int W>
bool Sprint<W>::leaf_once(const SprintOp& op, std::uint32_t& total, Leaf*& end) {
  const Set& set = sets_[op.a];
  const int count = set.count();
  if (count == 0) return true;
  const auto index = static_cast<std::size_t>(end - leaves_.data());
  gave_up_ = index >= most_drafts();
  if (gave_up_) return false;
  const std::size_t draft_sets = code_.draft_sets;
  if (op.what == SprintOp::What::leaf_once) {
    const std::uint64_t key = draft_key(op);
    std::uint64_t& seen = frame_.seen[key >> 62];
    const std::uint64_t bit = std::uint64_t{1} << (key >> 56 & 63);
    std::size_t same = (seen & bit) != 0 ? 0 : index;
    seen |= bit;
    while (same < index && keys_[same] != key) ++same;
    if (same < index) {
      // Are they one move? That depends on what is left to do.
      gave_up_ = leaves_[same].leaf != op.x || !(leaves_[same].set == set);
      return !gave_up_;
    }
    keys_[index] = key;
  }
  total += static_cast<std::uint32_t>(count);
  *end++ = {set, total, op.x, {cells_[op.b], cells_[op.c]}};
  Set* draft = drafts_.data() + index * draft_sets;
  for (const std::uint16_t s : code_.kept[op.d].sets) *draft++ = sets_[s];
  return true;
}

template <int W>
void Sprint<W>::write(const SprintOp& op) {
  std::uint64_t& text = sets_[op.d].word[0];
  text = text_key(text, static_cast<std::uint64_t>(cells_[op.a]) << 8 | op.b);
}

template <int W>
void Sprint<W>::write_put(const SprintOp& op) {
  std::uint64_t& text = sets_[op.d].word[0];
  const std::uint64_t tag = sets_[op.b].any() ? 2 : 3;
  text = text_key(text, static_cast<std::uint64_t>(cells_[op.a]) << 8 | tag);
  sets_[op.b] = Set();
}

template <int W>
void Sprint<W>::write_set(const SprintOp& op) {
  std::uint64_t& text = sets_[op.d].word[0];
  for (const std::uint64_t word : sets_[op.a].word) text = text_key(text, word ^ op.b);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" // places as values are an extension of GCC and Clang

template <int W>
void Sprint<W>::exec(Random& random, std::uint32_t max_plies, Playout& result) {
  const SprintOp* const ops = code_.ops.data();
  Set* const r = sets_;
  std::int32_t* const n = numbers_;
  std::int16_t* const c = cells_;
  const auto players = static_cast<std::int32_t>(code_.players.size());
  const SprintPlayer* player = &code_.players[at(to_move_)];
  std::uint32_t total = 0; // moves counted
  std::size_t rounds_done = 0, set_top = 0, number_top = 0;
  const Leaf* chosen = nullptr;
  const std::size_t draft_sets = code_.draft_sets;
  Leaf* leaf_end = leaves_.data();
  bool again_ = false;
  const auto end_turn = [&] {
    ++n[code_.ply];
    ++n[code_.turns + to_move_];
    if (!again_ && ++to_move_ == players) to_move_ = 0;
    again_ = false;
  };
  // A jump at the end of each operation, to the next one, is foreseen better by the processor than one jump
  // for all: a fifth was gained on the shortest turns.
  static const void* const kPlaces[] = {
#define X(name) &&do_##name,
      BOARDWRIGHT_SPRINT_OPS(X)
#undef X
  };
#define DO(name) do_##name:;
#define NEXT goto* kPlaces[static_cast<int>((++op)->what)]
  const SprintOp* op = ops + player->entry - 1;
  NEXT;

  DO(copy) r[op->d] = r[op->a];
  NEXT;
  DO(unite) r[op->d] = r[op->a] | r[op->b];
  NEXT;
  DO(meet) r[op->d] = r[op->a] & r[op->b];
  NEXT;
  DO(minus) r[op->d] = r[op->a] - r[op->b];
  NEXT;
  DO(up) r[op->d] = moved_up(r[op->a] & r[op->b], op->x);
  NEXT;
  DO(down) r[op->d] = moved_down(r[op->a] & r[op->b], op->x);
  NEXT;
  DO(up_meet) r[op->d] = moved_up(r[op->a] & r[op->b], op->x) & r[op->c];
  NEXT;
  DO(down_meet) r[op->d] = moved_down(r[op->a] & r[op->b], op->x) & r[op->c];
  NEXT;
  DO(join_up) r[op->d] |= moved_up(r[op->a] & r[op->b], op->x);
  NEXT;
  DO(join_down) r[op->d] |= moved_down(r[op->a] & r[op->b], op->x);
  NEXT;
  DO(jump) r[op->d] = jumped(*op);
  NEXT;
  DO(jump_back) r[op->d] = jumped_back(*op);
  NEXT;
  DO(run_up) r[op->d] = ran_straight<true>(*op);
  NEXT;
  DO(run_down) r[op->d] = ran_straight<false>(*op);
  NEXT;
  DO(run) r[op->d] = ran(*op);
  NEXT;
  DO(flood) r[op->d] = this->flood(at(op->x), r[op->a], r[op->b]);
  NEXT;
  DO(rays) {
    r[op->d] = seen_along<false>(tables_.rays[at(op->x)], c[op->a], r[op->b]);
    NEXT;
  }
  DO(slides) {
    r[op->d] = seen_along<true>(tables_.rays[at(op->x)], c[op->a], r[op->b]);
    NEXT;
  }
  DO(first) r[op->d] = r[op->a].only_first();
  NEXT;
  DO(last) r[op->d] = r[op->a].only_last();
  NEXT;
  DO(bit) r[op->d] = Set::of(c[op->a]);
  NEXT;

  DO(count) n[op->d] = r[op->a].count();
  NEXT;
  DO(number) n[op->d] = n[op->a];
  NEXT;
  DO(add) n[op->d] = saturated(std::int64_t{n[op->a]} + n[op->b]);
  NEXT;
  DO(subtract) n[op->d] = saturated(std::int64_t{n[op->a]} - n[op->b]);
  NEXT;
  DO(multiply) n[op->d] = saturated(std::int64_t{n[op->a]} * n[op->b]);
  NEXT;
  DO(divide) n[op->d] = saturated(divided(n[op->a], n[op->b]));
  NEXT;
  DO(modulo) n[op->d] = saturated(remainder(n[op->a], n[op->b]));
  NEXT;
  DO(least) n[op->d] = std::min(n[op->a], n[op->b]);
  NEXT;
  DO(greatest) n[op->d] = std::max(n[op->a], n[op->b]);
  NEXT;
  DO(repeats) n[op->d] = this->repeats();
  NEXT;
  DO(set_truth) n[op->d] = op->x;
  NEXT;

  DO(go) op = ops + op->x - 1;
  NEXT;
  DO(if_none)
  if (r[op->a].none()) op = ops + op->x - 1;
  NEXT;
  DO(if_some)
  if (r[op->a].any()) op = ops + op->x - 1;
  NEXT;
  DO(if_apart)
  if ((r[op->a] & r[op->b]).none()) op = ops + op->x - 1;
  NEXT;
  DO(if_meet)
  if ((r[op->a] & r[op->b]).any()) op = ops + op->x - 1;
  NEXT;
  DO(if_in)
  if (r[op->b].test(c[op->a])) op = ops + op->x - 1;
  NEXT;
  DO(if_out)
  if (!r[op->b].test(c[op->a])) op = ops + op->x - 1;
  NEXT;
  DO(if_part)
  if (r[op->a].within(r[op->b])) op = ops + op->x - 1;
  NEXT;
  DO(if_not_part)
  if (!r[op->a].within(r[op->b])) op = ops + op->x - 1;
  NEXT;
  DO(if_less)
  if (n[op->a] < n[op->b]) op = ops + op->x - 1;
  NEXT;
  DO(if_not_less)
  if (n[op->a] >= n[op->b]) op = ops + op->x - 1;
  NEXT;
  DO(if_equal)
  if (n[op->a] == n[op->b]) op = ops + op->x - 1;
  NEXT;
  DO(if_not_equal)
  if (n[op->a] != n[op->b]) op = ops + op->x - 1;
  NEXT;
  DO(if_row)
  if (op->d != 0 ? joins_row(op->d - 1U, c[op->a]) : in_row(tables_.rows[op->c], c[op->a], r[op->b]))
    op = ops + op->x - 1;
  NEXT;
  DO(if_no_row)
  if (!(op->d != 0 ? joins_row(op->d - 1U, c[op->a]) : in_row(tables_.rows[op->c], c[op->a], r[op->b])))
    op = ops + op->x - 1;
  NEXT;
  DO(if_stuck)
  if (total == 0) op = ops + op->x - 1;
  NEXT;
  DO(if_free)
  if (total != 0) op = ops + op->x - 1;
  NEXT;

  DO(place) c[op->d] = code_.places[at(op->x)][at(c[0])];
  NEXT;
  DO(set_bit) r[op->d].set(c[op->a]);
  NEXT;
  DO(clear_bit) r[op->d].clear(c[op->a]);
  NEXT;
  DO(carry) r[op->d] = r[op->d] ^ (Set::of(c[op->a]) | Set::of(c[op->b]));
  NEXT;
  DO(grab)
  n[op->d] = r[op->a].test(c[op->b]) ? 1 : 0;
  r[op->a].clear(c[op->b]);
  NEXT;
  DO(give)
  r[op->d].clear(c[op->b]);
  if (n[op->a] != 0) r[op->d].set(c[op->b]);
  NEXT;
  DO(again) again_ = true;
  NEXT;

  DO(drop)
  r[op->d].set(c[op->a]);
  r[op->b].clear(c[op->a]);
  NEXT;

  DO(hop) {
    const int to = tables_.board.steps[op->c].to[at(c[op->a])];
    if (to < 0 || !r[op->b].test(to)) {
      op = ops + op->x - 1;
      NEXT;
    }
    c[op->d] = static_cast<std::int16_t>(to);
    NEXT;
  }
  DO(take) {
    const int cell = r[op->a].first();
    if (cell < 0) {
      op = ops + op->x - 1;
      NEXT;
    }
    r[op->a].clear(cell);
    c[op->d] = static_cast<std::int16_t>(cell);
    NEXT;
  }
  DO(take_on) {
    const int cell = r[op->a].first();
    if (cell < 0) NEXT;
    r[op->a].clear(cell);
    c[op->d] = static_cast<std::int16_t>(cell);
    op = ops + op->x - 1;
    NEXT;
  }
  DO(copy_cell) c[op->d] = c[op->a];
  NEXT;
  DO(save)
  for (const std::uint16_t s : code_.kept[at(op->x)].sets) r[op->d + s] = r[s];
  NEXT;
  DO(restore)
  for (const std::uint16_t s : code_.kept[at(op->x)].sets) r[s] = r[op->a + s];
  NEXT;
  DO(call) {
    if (++rounds_done > kMostRounds) {
      gave_up_ = true;
      return;
    }
    const SprintLoop& l = code_.loops[op->d];
    const SprintKept& kept = code_.kept[op->b];
    const std::size_t top = set_top + kept.sets.size();
    if (top > kMostStacked) {
      gave_up_ = true;
      return;
    }
    if (set_stack_.size() < top) set_stack_.resize(2 * top);
    const std::size_t small = number_top + kept.numbers.size() + kept.cells.size();
    if (number_stack_.size() < small) number_stack_.resize(2 * small);
    frames_.push_back({op, set_top, number_top});
    Set* sets = set_stack_.data() + set_top;
    for (const std::uint16_t s : kept.sets) *sets++ = r[s];
    std::int32_t* into = number_stack_.data() + number_top;
    for (const std::uint16_t k : kept.numbers) *into++ = n[k];
    for (const std::uint16_t k : kept.cells) *into++ = c[k];
    set_top = top;
    number_top = small;
    c[l.cell] = c[op->a];
    n[l.any] = 0;
    n[l.deep] = op->c;
    op = ops + op->x - 1;
    NEXT;
  }
  DO(ret) {
    const Frame f = frames_.back();
    frames_.pop_back();
    op = f.back;
    const SprintKept& kept = code_.kept[op->b];
    set_top = f.sets;
    number_top = f.numbers;
    const Set* sets = set_stack_.data() + set_top;
    for (const std::uint16_t s : kept.sets) r[s] = *sets++;
    const std::int32_t* from = number_stack_.data() + number_top;
    for (const std::uint16_t k : kept.numbers) n[k] = *from++;
    for (const std::uint16_t k : kept.cells) c[k] = static_cast<std::int16_t>(*from++);
    NEXT;
  }
  DO(write) write(*op);
  NEXT;
  DO(write_put) write_put(*op);
  NEXT;
  DO(write_set) write_set(*op);
  NEXT;
  DO(best_none) frame_.scored = 0;
  NEXT;
  DO(best)
  if (!improves(n[op->a], total, leaf_end)) op = ops + op->x - 1;
  NEXT;
  DO(leaf_draft)
  DO(leaf_once)
  if (!leaf_once(*op, total, leaf_end)) return;
  NEXT;
  DO(recall) {
    const auto index = static_cast<std::size_t>(chosen - leaves_.data());
    const Set* draft = drafts_.data() + index * draft_sets;
    for (const std::uint16_t s : code_.kept[at(op->x)].sets) r[s] = *draft++;
    c[1] = chosen->cells[0];
    c[2] = chosen->cells[1];
    NEXT;
  }

  DO(look) look();
  NEXT;
  DO(count_none)
  total = 0;
  frame_.seen.fill(0);
  rounds_done = 0;
  leaf_end = leaves_.data();
  NEXT;
  DO(count_pool) total = static_cast<std::uint32_t>(pool_size_);
  NEXT;
  DO(leaf) {
    const Set& set = r[op->a];
    const int count = set.count();
    total += static_cast<std::uint32_t>(count);
    *leaf_end = {set, total, op->x, {}};
    leaf_end += count != 0 ? 1 : 0;
    NEXT;
  }
  DO(leaf_only) {
    const Set& set = r[op->a];
    total = static_cast<std::uint32_t>(set.count());
    leaves_[0] = {set, total, op->x, {}};
    NEXT;
  }
  DO(leaf_up)
  DO(leaf_down) {
    const Set from = r[op->a] & r[op->b];
    const Set set =
        (op->what == SprintOp::What::leaf_up ? moved_up(from, op->x) : moved_down(from, op->x)) & r[op->c];
    const int count = set.count();
    total += static_cast<std::uint32_t>(count);
    *leaf_end = {set, total, op->d, {}};
    leaf_end += count != 0 ? 1 : 0;
    NEXT;
  }
  DO(pick) {
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
      NEXT;
    }
    const Leaf* l = leaves_.data();
    std::uint32_t before = 0;
    for (; k >= l->until; ++l) before = l->until;
    chosen = l;
    const SprintLeaf& leaf = player->leaves[at(l->leaf)];
    c[0] = leaf.origin[at(l->set.nth(static_cast<int>(k - before)))];
    op = ops + leaf.entry - 1;
    NEXT;
  }
  DO(decide)
  verdict_ = &code_.verdicts[at(op->x)];
  if (verdict_->by == Outcome::By::move) end_turn();
  return;
  DO(next)
  end_turn();
  player = &code_.players[at(to_move_)];
  op = ops + player->entry - 1;
  NEXT;
#undef DO
#undef NEXT
}

#pragma GCC diagnostic pop

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
  if (native_ != nullptr)
    exec_native(*native_, random, max_plies, p);
  else
    exec(random, max_plies, p);
  if (verdict_ != nullptr) p.outcome = outcome(*verdict_);
  p.plies = plies_;
  return p;
}

// ---------------------------------------------------------------------------------------------------- out
// again

template <int W>
Position Sprint<W>::position() const {
  Position p;
  const int cells = code_.of_cell.empty() ? code_.board.cells : static_cast<int>(code_.of_cell.size());
  p.cells.resize(at(cells));
  for (int cell = 0; cell < cells; ++cell)
    for (int owner = 0; owner < code_.owners; ++owner) {
      if (!sets_[owner].test(numbered(cell))) continue;
      int kind = 0;
      while (kind + 1 < code_.kinds && !sets_[code_.owners + kind].test(numbered(cell))) ++kind;
      const bool neutral = at(owner) >= players_;
      p.cells[at(cell)] = {
          Piece{static_cast<std::int8_t>(neutral ? -1 : owner), static_cast<std::int8_t>(kind)}};
    }
  for (std::size_t k = 0; k < code_.set_of.size(); ++k) {
    VariableValue& value = p.variables.emplace_back();
    if (code_.set_of[k] < 0)
      value.number = numbers_[k];
    else
      for (int cell = 0; cell < cells; ++cell)
        if (sets_[code_.set_of[k]].test(numbered(cell))) value.cells.set(cell);
  }
  p.ply = numbers_[code_.ply];
  p.turns.assign(numbers_ + code_.turns, numbers_ + code_.turns + players_);
  p.to_move = to_move_;
  p.out = first_out_;
  return p;
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
