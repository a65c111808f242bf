// The sprint compiler: what of drafts must be kept.
//
// While drafts are followed, every choice is compiled as if all that can change were kept and brought back,
// and every leaf as if the whole draft were stored. Here the finished code is followed, and only that remains
// which can have changed in between (forwards) and is looked at later (backwards). Each of the two depends on
// what the other leaves, so they are found in turn until nothing changes any more: what is then assumed of
// each operation follows from what is assumed of those before and behind it.
#include "runtime/sprint/sprint_compiler.hpp"

namespace boardwright::runtime::sprint {

namespace {

enum class File : std::uint8_t { sets, numbers, cells };

// Registers of all files as members of one set.
class Live {
public:
  Live() = default;
  explicit Live(std::size_t size) : words_((size + 63) / 64) {}
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void clear() { std::fill(words_.begin(), words_.end(), std::uint64_t{0}); }
  void clear(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  [[nodiscard]] bool test(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void unite(const Live& other) {
    for (std::size_t k = 0; k < words_.size(); ++k) words_[k] |= other.words_[k];
  }
  friend bool operator==(const Live&, const Live&) = default;

private:
  std::vector<std::uint64_t> words_;
};

} // namespace

class Keeper {
public:
  Keeper(SprintCode& code, std::vector<std::uint32_t>& labels, Reg unread, Reg none)
      : code_(code), labels_(labels), unread_(unread), none_(none), numbers_(code.sets),
        cells_(numbers_ + code.numbers), size_(cells_ + code.cells) {}

  // False if that took too long.
  bool run();

private:
  static constexpr int kMostRounds = 40;       // a handful is needed
  static constexpr std::uint8_t kReplayed = 1; // a mark of `recall`, here only: nothing is kept

  [[nodiscard]] std::size_t place(File file, std::size_t reg) const {
    return reg + (file == File::sets ? 0 : file == File::numbers ? numbers_ : cells_);
  }
  template <class F>
  void successors(std::size_t i, F&& f) const;
  template <class Read, class Write>
  void registers(std::size_t i, Read&& read, Write&& write) const;
  template <class Read>
  void read_state(Read&& read) const;
  void find_players();
  void find_saves();
  void find_live();
  void find_live_at(std::size_t i, Live& out, Live& inner) const;
  [[nodiscard]] Live live_out(std::size_t i) const;
  [[nodiscard]] DraftMask draft_part(const Live& live) const;
  [[nodiscard]] bool block_live(std::size_t i, Reg block) const;
  void find_written();
  DraftMask written_drafts(std::size_t i) const;
  using Masks = std::vector<std::optional<DraftMask>>;
  void follow(std::size_t from, std::optional<Reg> block, bool into_rounds, Masks& in) const;
  bool find_masks();
  // Leaves that needn't keep the draft: how it came about is carried out anew.
  using Way = std::vector<std::size_t>; // the operations that have changed it
  struct Ways {
    bool known = false, one = true; // reached at all; and always in the same way
    Way way;
    friend bool operator==(const Ways&, const Ways&) = default;
  };
  [[nodiscard]] Ways after(std::size_t i, const std::vector<Ways>& before) const;
  void find_ways(std::size_t none, std::vector<Ways>& before) const;
  [[nodiscard]] bool writes_cell_of(std::size_t i, const Way& way) const;
  void replay_leaves();
  bool replay(std::size_t leaf, const SprintLeaf& of, const Way& way);
  void insert(std::size_t place, const std::vector<SprintOp>& ops);
  void delay_own_cells();
  bool remove_unread();
  void finish();
  std::uint16_t kept(const SprintKept& what);

  SprintCode& code_;
  std::vector<std::uint32_t>& labels_;
  Reg unread_, none_;
  std::size_t numbers_, cells_, size_; // where the files begin in a Live
  std::vector<Live> in_;               // by operation
  std::vector<DraftMask> mask_;        // by operation: save, restore, leaf_draft, leaf_once, recall
  std::vector<std::size_t> player_of_; // by operation
  std::map<Reg, std::size_t> saves_;   // by block
  std::vector<std::size_t> entry_;     // by loop
  std::vector<Live> written_;          // by loop
  std::vector<DraftMask> changed_;     // by loop: what of the draft may be another when it returns
};

void Keeper::find_players() {
  player_of_.assign(code_.ops.size(), 0);
  for (std::size_t p = 0; p < code_.players.size(); ++p)
    for (std::size_t i = code_.players[p].entry; i < code_.ops.size(); ++i) player_of_[i] = p;
}

void Keeper::find_saves() {
  entry_.assign(code_.loops.size(), 0);
  for (std::size_t i = 0; i < code_.ops.size(); ++i) {
    const SprintOp& op = code_.ops[i];
    if (op.what == What::save) saves_[op.d] = i;
    if (op.what == What::call) entry_[op.d] = labels_[at(op.x)];
  }
}

// Where the operation can lead. A call comes back to the next one.
template <class F>
void Keeper::successors(std::size_t i, F&& f) const {
  const SprintOp& op = code_.ops[i];
  switch (op.what) {
  case What::go: f(labels_[at(op.x)]); return;
  case What::decide:
  case What::next:
  case What::ret: return;
  case What::pick:
    for (const SprintLeaf& leaf : code_.players[player_of_[i]].leaves) f(leaf.entry);
    return;
  case What::call: break;
  default:
    if (Sprinter::jumps(op.what)) f(labels_[at(op.x)]);
  }
  if (i + 1 < code_.ops.size()) f(i + 1);
}

template <class Read>
void Keeper::read_state(Read&& read) const {
  for (std::size_t s = 0; s < code_.state_sets; ++s) read(File::sets, s);
  for (std::size_t k = 0; k < code_.state_numbers; ++k) read(File::numbers, k);
}

// What it reads, and what it writes: `whole` if nothing is left of what was there. What is only changed isn't
// read: if nobody wants the result, it needn't be right.
template <class Read, class Write>
void Keeper::registers(std::size_t i, Read&& read, Write&& write) const {
  using enum File;
  const SprintOp& op = code_.ops[i];
  const auto input = [&](Reg set) {
    if (op.what > What::bit || set != op.d) read(sets, set);
  };
  const auto each = [&](const DraftMask& mask, auto&& f) {
    for (std::size_t s = 0; s < code_.draft_sets; ++s)
      if (mask.test(s)) f(s);
  };
  switch (op.what) {
  case What::copy:
  case What::jump:
  case What::jump_back:
  case What::first:
  case What::last: input(op.a); return write(sets, op.d, op.a != op.d);
  case What::unite:
  case What::meet:
  case What::minus:
  case What::up:
  case What::down:
  case What::run:
  case What::flood:
  case What::join_up:
  case What::join_down:
    input(op.a), input(op.b);
    return write(sets, op.d,
                 op.what != What::join_up && op.what != What::join_down && op.a != op.d && op.b != op.d);
  case What::up_meet:
  case What::down_meet:
  case What::run_up:
  case What::run_down:
    input(op.a), input(op.b), input(op.c);
    return write(sets, op.d, op.a != op.d && op.b != op.d && op.c != op.d);
  case What::rays:
  case What::slides:
    read(File::cells, op.a);
    input(op.b);
    return write(sets, op.d, op.b != op.d);
  case What::bit: read(File::cells, op.a); return write(sets, op.d, true);
  case What::count: read(sets, op.a); return write(numbers, op.d, true);
  case What::number: read(numbers, op.a); return write(numbers, op.d, true);
  case What::add:
  case What::subtract:
  case What::multiply:
  case What::divide:
  case What::modulo:
  case What::least:
  case What::greatest: read(numbers, op.a), read(numbers, op.b); return write(numbers, op.d, true);
  case What::repeats:
  case What::set_truth: return write(numbers, op.d, true);
  case What::if_none:
  case What::if_some: return read(sets, op.a);
  case What::if_apart:
  case What::if_meet:
  case What::if_part:
  case What::if_not_part: read(sets, op.a); return read(sets, op.b);
  case What::if_in:
  case What::if_out:
  case What::if_row:
  case What::if_no_row: read(File::cells, op.a); return read(sets, op.b);
  case What::if_less:
  case What::if_not_less:
  case What::if_equal:
  case What::if_not_equal: read(numbers, op.a); return read(numbers, op.b);
  case What::place: read(File::cells, 0); return write(File::cells, op.d, true);
  case What::set_bit:
  case What::clear_bit: read(File::cells, op.a); return write(sets, op.d, false);
  case What::carry: read(File::cells, op.a), read(File::cells, op.b); return write(sets, op.d, false);
  case What::grab:
    read(File::cells, op.b), read(sets, op.a);
    write(sets, op.a, false);
    return write(numbers, op.d, true);
  case What::give: read(numbers, op.a), read(File::cells, op.b); return write(sets, op.d, false);
  case What::hop: // what is written only if it succeeds isn't written whole
    read(File::cells, op.a), read(sets, op.b);
    return write(File::cells, op.d, false);
  case What::take:
  case What::take_on:
    read(sets, op.a);
    write(sets, op.a, false);
    return write(File::cells, op.d, false);
  case What::copy_cell: read(File::cells, op.a); return write(File::cells, op.d, true);
  case What::drop:
    read(File::cells, op.a);
    write(sets, op.d, false);
    return write(sets, op.b, false);
  case What::leaf:
  case What::leaf_only: return read(sets, op.a);
  case What::leaf_up:
  case What::leaf_down: read(sets, op.a), read(sets, op.b); return read(sets, op.c);
  case What::save:
    each(mask_[i], [&](std::size_t s) {
      read(sets, s);
      write(sets, op.d + s, true);
    });
    return;
  case What::restore:
    each(mask_[i], [&](std::size_t s) {
      read(sets, op.a + s);
      write(sets, s, true);
    });
    return;
  case What::call: { // what its round reads is added where the operations are followed
    const SprintLoop& l = code_.loops[op.d];
    write(File::cells, l.cell, true), write(numbers, l.any, true), write(numbers, l.deep, true);
    return read(File::cells, op.a);
  }
  case What::write: read(File::cells, op.a); return write(sets, op.d, false);
  case What::write_put:
    read(File::cells, op.a), read(sets, op.b);
    write(sets, op.d, false);
    return write(sets, op.b, true);
  case What::write_set: read(sets, op.a); return write(sets, op.d, false);
  case What::leaf_once:
    read_state(read);
    read(sets, code_.draft_sets - 1U), read(sets, code_.draft_sets - 2U);
    [[fallthrough]];
  case What::leaf_draft:
    read(sets, op.a), read(File::cells, op.b), read(File::cells, op.c);
    return each(mask_[i], [&](std::size_t s) { read(sets, s); });
  case What::best: return read(numbers, op.a);
  case What::recall:
    write(File::cells, 1, true), write(File::cells, 2, true);
    return each(mask_[i], [&](std::size_t s) { write(sets, s, true); });
  case What::decide:
    for (const Reg score : code_.verdicts[at(op.x)].score) read(numbers, score);
    return read_state(read);
  case What::look:
  case What::pick:
  case What::next: return read_state(read);
  case What::go:
  case What::if_stuck:
  case What::if_free:
  case What::again:
  case What::count_none:
  case What::count_pool:
  case What::ret:
  case What::best_none: return;
  }
}

Live Keeper::live_out(std::size_t i) const {
  Live live(size_);
  successors(i, [&](std::size_t next) { live.unite(in_[next]); });
  return live;
}

// An operation is looked at again when what it leads to has changed.
void Keeper::find_live() {
  const std::size_t size = code_.ops.size();
  in_.assign(size, Live(size_));
  std::vector<std::vector<std::size_t>> asked_by(size);
  for (std::size_t i = 0; i < size; ++i) {
    successors(i, [&](std::size_t next) { asked_by[next].push_back(i); });
    if (code_.ops[i].what == What::call) asked_by[entry_[code_.ops[i].d]].push_back(i);
  }
  std::vector<bool> open(size, true);
  Live out(size_), inner(size_);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = size; i-- > 0;) {
      if (!open[i]) continue;
      open[i] = false;
      find_live_at(i, out, inner);
      const bool call = code_.ops[i].what == What::call;
      if (call) inner.unite(out); // it brings back what the rounds change
      Live& live = call ? inner : out;
      if (live == in_[i]) continue;
      std::swap(in_[i], live);
      for (const std::size_t by : asked_by[i]) {
        open[by] = true;
        more = more || by >= i;
      }
    }
  }
}

// What is live before it: in `out`; of a call there is what is live behind it, and in `inner` before the
// round.
void Keeper::find_live_at(std::size_t i, Live& out, Live& inner) const {
  const SprintOp& op = code_.ops[i];
  out.clear();
  successors(i, [&](std::size_t next) { out.unite(in_[next]); });
  if (op.what == What::call) inner = in_[entry_[op.d]];
  Live& live = op.what == What::call ? inner : out;
  registers(
      i, [](File, std::size_t) {},
      [&](File file, std::size_t reg, bool whole) {
        if (whole) live.clear(place(file, reg));
      });
  registers(
      i, [&](File file, std::size_t reg) { live.set(place(file, reg)); }, [](File, std::size_t, bool) {});
}

DraftMask Keeper::draft_part(const Live& live) const {
  DraftMask mask;
  for (std::size_t s = 0; s < code_.draft_sets; ++s)
    if (live.test(s)) mask.set(s);
  return mask;
}

bool Keeper::block_live(std::size_t i, Reg block) const {
  for (std::size_t s = 0; s < code_.draft_sets; ++s)
    if (in_[i].test(block + s)) return true;
  return false;
}

// All registers that the rounds of a loop write.
void Keeper::find_written() {
  written_.assign(code_.loops.size(), Live(size_));
  std::vector<std::vector<std::size_t>> inner(code_.loops.size());
  for (std::size_t l = 0; l < code_.loops.size(); ++l) {
    std::vector<bool> met(code_.ops.size(), false);
    std::vector<std::size_t> open{entry_[l]};
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      if (met[i]) continue;
      met[i] = true;
      if (code_.ops[i].what == What::call) inner[l].push_back(code_.ops[i].d);
      registers(
          i, [](File, std::size_t) {},
          [&](File file, std::size_t reg, bool) { written_[l].set(place(file, reg)); });
      successors(i, [&](std::size_t next) { open.push_back(next); });
    }
  }
  for (std::size_t round = 0; round < code_.loops.size(); ++round)
    for (std::size_t l = 0; l < code_.loops.size(); ++l)
      for (const std::size_t other : inner[l]) written_[l].unite(written_[other]);
}

DraftMask Keeper::written_drafts(std::size_t i) const {
  DraftMask mask;
  registers(
      i, [](File, std::size_t) {},
      [&](File file, std::size_t reg, bool) {
        if (file == File::sets && reg < code_.draft_sets) mask.set(reg);
      });
  return mask;
}

// Before each operation: the sets that may be others than where it began, which is before `from`, or, with a
// block, after it has been saved there; then only as long as it is needed. Operations of rounds are followed
// if they belong to what began.
void Keeper::follow(std::size_t from, std::optional<Reg> block, bool into_rounds, Masks& in) const {
  in.assign(code_.ops.size(), std::nullopt);
  bool more = true;
  const auto reach = [&](std::size_t i, const DraftMask& mask) {
    if (block && !block_live(i, *block)) return;
    const DraftMask all = in[i].value_or(DraftMask()) | mask;
    if (in[i] == all) return;
    in[i] = all;
    more = true;
  };
  if (block)
    successors(from, [&](std::size_t i) { reach(i, DraftMask()); });
  else
    reach(from, DraftMask());
  // Nothing leads from one player's operations to another's.
  const std::size_t player = player_of_[from], begin = code_.players[player].entry;
  while (more) {
    more = false;
    for (std::size_t i = begin; i < code_.ops.size() && player_of_[i] == player; ++i) {
      if (!in[i] || (block && i == from)) continue;
      const SprintOp& op = code_.ops[i];
      DraftMask mask = *in[i];
      if (op.what == What::restore && block == op.a) {
        mask &= ~draft_part(live_out(i));
      } else if (op.what == What::restore) {
        const std::size_t save = saves_.at(op.a);
        // It is as it was where that was saved, but for what nobody needs.
        const bool inside = in[save].has_value() && (!block || !block_live(from, op.a));
        mask = inside ? *in[save] | (mask & ~draft_part(live_out(i))) : ~DraftMask();
      } else if (op.what == What::call) {
        if (into_rounds) reach(entry_[op.d], mask);
        mask |= changed_[op.d] & ~draft_part(live_out(i));
      } else {
        mask |= written_drafts(i);
      }
      successors(i, [&](std::size_t next) { reach(next, mask); });
    }
  }
}

// What is to be kept, as far as is known now. False if it is no other than before.
bool Keeper::find_masks() {
  find_live();
  std::vector<DraftMask> masks(code_.ops.size());
  Masks in;
  for (const auto& [block, save] : saves_) {
    follow(save, block, false, in);
    for (std::size_t i = 0; i < code_.ops.size(); ++i) {
      if (code_.ops[i].what != What::restore || code_.ops[i].a != block) continue;
      masks[i] = in[i].value_or(DraftMask()) & draft_part(live_out(i));
      masks[save] |= masks[i];
    }
  }
  std::vector<DraftMask> changed(code_.loops.size());
  for (std::size_t l = 0; l < code_.loops.size(); ++l) {
    follow(entry_[l], std::nullopt, false, in);
    for (std::size_t i = 0; i < code_.ops.size(); ++i)
      if (code_.ops[i].what == What::ret && in[i]) changed[l] |= *in[i];
  }
  for (const SprintPlayer& player : code_.players) {
    std::size_t none = player.entry;
    const auto p = static_cast<std::size_t>(&player - code_.players.data());
    while (none < code_.ops.size() && player_of_[none] == p && code_.ops[none].what != What::count_none)
      ++none;
    if (none == code_.ops.size() || player_of_[none] != p) continue;
    follow(none, std::nullopt, true, in);
    // By leaf: what may be another in the draft than where the move is chosen.
    std::vector<std::optional<DraftMask>> of_leaf(player.leaves.size());
    DraftMask at_pick;
    for (std::size_t i = none; i < code_.ops.size() && player_of_[i] == p; ++i) {
      const SprintOp& op = code_.ops[i];
      if (!in[i]) continue;
      if (op.what == What::leaf_draft || op.what == What::leaf_once)
        of_leaf[at(op.x)] = of_leaf[at(op.x)].value_or(DraftMask()) | *in[i];
      if (op.what == What::pick) at_pick |= *in[i];
    }
    for (std::size_t k = 0; k < of_leaf.size(); ++k) {
      if (!of_leaf[k]) continue;
      std::size_t recall = player.leaves[k].entry;
      while (code_.ops[recall].what != What::recall) ++recall; // behind values of before
      masks[recall] = (*of_leaf[k] | at_pick) & draft_part(live_out(recall));
      if (code_.ops[recall].rounds == kReplayed) masks[recall].reset();
      of_leaf[k] = masks[recall];
    }
    for (std::size_t i = none; i < code_.ops.size() && player_of_[i] == p; ++i) {
      const SprintOp& op = code_.ops[i];
      if ((op.what == What::leaf_draft || op.what == What::leaf_once) && in[i]) masks[i] = *of_leaf[at(op.x)];
    }
  }
  const bool more = masks != mask_ || changed != changed_;
  mask_ = std::move(masks);
  changed_ = std::move(changed);
  return more;
}

// ----------------------------------------------------------------------------------------------------
// leaves

// The cells that an operation which changes single cells of drafts looks at; none if it is another.
[[nodiscard]] static std::vector<Reg> cells_of(const SprintOp& op) {
  switch (op.what) {
  case What::set_bit:
  case What::clear_bit:
  case What::drop: return {op.a};
  case What::carry: return {op.a, op.b};
  default: return {};
  }
}

bool Keeper::writes_cell_of(std::size_t i, const Way& way) const {
  bool any = false;
  const auto write = [&](File file, std::size_t reg, bool) {
    for (const std::size_t op : way)
      for (const Reg cell : cells_of(code_.ops[op])) any = any || (file == File::cells && cell == reg);
  };
  registers(
      i, [](File, std::size_t) {}, write);
  return any;
}

Keeper::Ways Keeper::after(std::size_t i, const std::vector<Ways>& before) const {
  constexpr std::size_t kLongest = 8; // that is faster to carry out than to keep
  Ways ways = before[i];
  const SprintOp& op = code_.ops[i];
  if (op.what == What::call) return ways; // it leaves the draft as it was
  if (op.what == What::restore) {
    const std::size_t save = saves_.at(op.a);
    ways = before[save];
    for (std::size_t k = save; k < i; ++k) ways.one = ways.one && !writes_cell_of(k, ways.way);
    ways.one = ways.one && save < i;
    ways.known = true;
    return ways;
  }
  if (!ways.one) return ways;
  if (writes_cell_of(i, ways.way)) ways.one = false;
  if (op.what == What::save || op.what == What::recall || written_drafts(i).none()) return ways;
  if (cells_of(op).empty() || ways.way.size() == kLongest) ways.one = false;
  ways.way.push_back(i);
  return ways;
}

void Keeper::find_ways(std::size_t none, std::vector<Ways>& before) const {
  before.assign(code_.ops.size(), Ways());
  before[none].known = true;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = none; i < code_.ops.size() && player_of_[i] == player_of_[none]; ++i) {
      if (!before[i].known || code_.ops[i].what == What::pick) continue;
      const Ways ways = after(i, before);
      successors(i, [&](std::size_t next) {
        Ways& there = before[next];
        Ways joined = there.known ? there : ways;
        joined.one = joined.one && ways.one && joined.way == ways.way;
        if (joined == there) return;
        there = joined;
        more = true;
      });
    }
  }
}

void Keeper::insert(std::size_t place, const std::vector<SprintOp>& ops) {
  code_.ops.insert(code_.ops.begin() + static_cast<std::ptrdiff_t>(place), ops.begin(), ops.end());
  const auto by = static_cast<std::uint32_t>(ops.size());
  for (std::uint32_t& label : labels_)
    if (label >= place) label += by;
  for (SprintPlayer& player : code_.players) {
    if (player.entry >= place) player.entry += by;
    for (SprintLeaf& leaf : player.leaves)
      if (leaf.entry >= place) leaf.entry += by;
  }
}

// A way that only two cells tell is carried out again from them, if the move is chosen.
bool Keeper::replay(std::size_t leaf, const SprintLeaf& of, const Way& way) {
  SprintOp& op = code_.ops[leaf];
  std::size_t recall = of.entry;
  while (code_.ops[recall].what != What::recall) ++recall; // behind values of before
  const bool starts = live_out(recall).test(place(File::cells, 1));
  std::vector<Reg> cells;
  if (starts) cells.push_back(op.b);
  for (const std::size_t k : way)
    for (const Reg cell : cells_of(code_.ops[k]))
      if (std::find(cells.begin(), cells.end(), cell) == cells.end()) cells.push_back(cell);
  if (cells.size() > 2) return false;
  cells.resize(2);
  const auto now = [&](Reg cell) { return static_cast<Reg>(cell == cells[0] ? 1 : 2); };
  std::vector<SprintOp> ops;
  for (const std::size_t k : way) {
    SprintOp again = code_.ops[k];
    again.a = now(again.a);
    if (again.what == What::carry) again.b = now(again.b);
    ops.push_back(again);
  }
  op.b = cells[0];
  op.c = cells[1];
  code_.ops[recall].rounds = kReplayed;
  insert(recall + 1, ops);
  return true;
}

// While all that is kept is still there: so all operations of the way are.
void Keeper::replay_leaves() {
  mask_.assign(code_.ops.size(), ~DraftMask());
  find_live();
  for (std::size_t p = 0; p < code_.players.size(); ++p) {
    std::size_t none = code_.players[p].entry;
    while (none < code_.ops.size() && player_of_[none] == p && code_.ops[none].what != What::count_none)
      ++none;
    if (none == code_.ops.size() || player_of_[none] != p) continue;
    std::vector<Ways> ways;
    find_ways(none, ways);
    const auto leaf_of = [&](std::size_t i) { return at(code_.ops[i].x); };
    std::map<std::size_t, int> often;
    std::vector<std::size_t> leaves;
    for (std::size_t i = none; i < code_.ops.size() && player_of_[i] == p; ++i) {
      if (code_.ops[i].what != What::leaf_draft) continue;
      ++often[leaf_of(i)];
      if (ways[i].known && ways[i].one) leaves.push_back(i);
    }
    // What is inserted comes behind all that is counted, so from the last leaf on no place changes.
    for (auto i = leaves.rbegin(); i != leaves.rend(); ++i)
      if (often[leaf_of(*i)] == 1 && replay(*i, code_.players[p].leaves[leaf_of(*i)], ways[*i].way)) {
        find_players();
        find_saves();
        mask_.assign(code_.ops.size(), ~DraftMask());
        find_live();
      }
  }
}

// No ray comes back to where it began: what changes there may as well change afterwards, and often needn't
// then.
void Keeper::delay_own_cells() {
  std::vector<bool> target(code_.ops.size() + 1, false);
  for (const std::uint32_t l : labels_) target[l] = true;
  const auto returns = [&](int rays) {
    for (const int step : code_.rays[at(rays)]) {
      const auto& to = code_.board.steps[at(step)].to;
      for (std::size_t cell = 0; cell < to.size(); ++cell) {
        std::size_t c = cell;
        for (std::size_t k = 0; k <= to.size() && to[c] != kNowhere; ++k)
          if (c = at(to[c]); c == cell) return true;
      }
    }
    return false;
  };
  for (std::size_t i = 0; i + 1 < code_.ops.size(); ++i) {
    SprintOp &change = code_.ops[i], &look = code_.ops[i + 1];
    const bool one =
        change.what == What::set_bit || change.what == What::clear_bit || change.what == What::drop;
    const bool along = look.what == What::rays || look.what == What::slides;
    if (!one || !along || target[i + 1] || change.a != look.a || look.d < code_.draft_sets) continue;
    if (look.b < code_.draft_sets && !returns(look.x)) std::swap(change, look);
  }
}

// Operations that only change what is never read go.
bool Keeper::remove_unread() {
  bool any = false;
  for (std::size_t i = 0; i < code_.ops.size(); ++i) {
    SprintOp& op = code_.ops[i];
    const What w = op.what;
    const bool plain = w <= What::set_truth || w == What::place || w == What::set_bit ||
                       w == What::clear_bit || w == What::carry || w == What::grab || w == What::give ||
                       w == What::copy_cell || w == What::drop || w == What::write || w == What::write_put ||
                       w == What::write_set;
    if (!plain || (w == What::copy && op.d == unread_)) continue;
    const Live out = live_out(i);
    bool read = false;
    registers(
        i, [](File, std::size_t) {},
        [&](File file, std::size_t reg, bool) { read = read || out.test(place(file, reg)); });
    if (!read) {
      op = SprintOp{What::copy, 0, unread_, none_, 0, 0, 0};
      any = true;
    } else if (w == What::drop && !(out.test(op.d) && out.test(op.b))) {
      const bool sets = out.test(op.d);
      op = SprintOp{sets ? What::set_bit : What::clear_bit, 0, sets ? op.d : op.b, op.a, 0, 0, 0};
      any = true;
    }
  }
  return any;
}

std::uint16_t Keeper::kept(const SprintKept& what) {
  for (std::size_t k = 0; k < code_.kept.size(); ++k)
    if (code_.kept[k] == what) return static_cast<std::uint16_t>(k);
  code_.kept.push_back(what);
  return static_cast<std::uint16_t>(code_.kept.size() - 1);
}

void Keeper::finish() {
  find_written();
  for (std::size_t i = 0; i < code_.ops.size(); ++i) {
    SprintOp& op = code_.ops[i];
    SprintKept k;
    switch (op.what) {
    case What::save:
    case What::restore:
    case What::leaf_draft:
    case What::leaf_once:
    case What::recall: {
      for (std::size_t s = 0; s < code_.draft_sets; ++s)
        if (mask_[i].test(s)) k.sets.push_back(static_cast<Reg>(s));
      const bool block = op.what == What::save || op.what == What::restore;
      if (block && k.sets.empty()) {
        op = SprintOp{What::copy, 0, unread_, none_, 0, 0, 0};
      } else if (block && k.sets.size() == 1) {
        const Reg s = k.sets.front();
        op = op.what == What::save ? SprintOp{What::copy, 0, static_cast<Reg>(op.d + s), s, 0, 0, 0}
                                   : SprintOp{What::copy, 0, s, static_cast<Reg>(op.a + s), 0, 0, 0};
      } else if (op.what == What::leaf_draft || op.what == What::leaf_once) {
        op.d = kept(k);
      } else {
        op.x = kept(k);
        op.rounds = 0;
      }
      break;
    }
    case What::call: {
      const Live out = live_out(i);
      const Live& written = written_[op.d];
      for (std::size_t s = 0; s < code_.sets; ++s) {
        const bool changes = s < code_.draft_sets ? changed_[op.d].test(s) : written.test(s);
        if (changes && out.test(s)) k.sets.push_back(static_cast<Reg>(s));
      }
      for (std::size_t n = 0; n < code_.numbers; ++n)
        if (const auto p = place(File::numbers, n); written.test(p) && out.test(p))
          k.numbers.push_back(static_cast<Reg>(n));
      for (std::size_t c = 0; c < code_.cells; ++c)
        if (const auto p = place(File::cells, c); written.test(p) && out.test(p))
          k.cells.push_back(static_cast<Reg>(c));
      op.b = kept(k);
      break;
    }
    default: break;
    }
  }
}

bool Keeper::run() {
  find_players();
  find_saves();
  replay_leaves();
  delay_own_cells();
  mask_.assign(code_.ops.size(), ~DraftMask());
  changed_.assign(code_.loops.size(), DraftMask());
  int rounds = 0;
  for (bool more = true; more;) {
    while (find_masks())
      if (++rounds > kMostRounds) return false;
    more = remove_unread();
  }
  finish();
  return true;
}

// What is kept of a draft, and what isn't needed at all.
void Sprinter::find_kept() {
  const bool drafts = std::any_of(code_.ops.begin(), code_.ops.end(), [](const SprintOp& op) {
    return op.what == What::recall || op.what == What::save || op.what == What::call;
  });
  if (!drafts || failed_) return;
  if (code_.draft_sets > DraftMask().size() || !Keeper(code_, labels_, unread_, none_).run()) fail();
  remove_dead();
}

} // namespace boardwright::runtime::sprint
