// The machine: carries out compiled rules on one State, in place, and takes everything back.
//
// # Going back
// Whatever changes the state or a local pushes what was there onto the trail; a choice notes how long the
// trail is and unwinds to it before the next alternative. What only the walk knows (`here`, `heading`, the
// text so far, …) is in Regs, which a choice copies. Arenas of bytes and list members only grow on the way
// and are cut back likewise.
//
// # Stopping
// `stop_` makes every loop and choice return at once: a fault was met, or what was asked has been found.
//
// # Equality
// Drafts, texts and positions are compared by 64-bit hashes of all that counts. For two different ones among
// a million to be taken for equal has a chance of some 2^-25; the walker, which compares in full, is the
// check on this.
#pragma once

#include "runtime/arithmetic.hpp"
#include "runtime/limits.hpp"
#include "runtime/machine_tables.hpp"

#include <array>
#include <deque>
#include <optional>
#include <unordered_set>
#include <utility>

namespace boardwright::runtime::machine {

// Members of all lists, and pieces in the air, at one time: some hundred megabytes at the worst.
inline constexpr std::size_t kMaxArena = std::size_t{1} << 22;
// Words of what all moves of one position change: 256 MB.
inline constexpr std::size_t kMaxEffects = std::size_t{1} << 26;
// Entries of the trail, or of collected outcomes: 256 MB each.
inline constexpr std::size_t kMaxTrail = std::size_t{1} << 24;

// What is known of the moves of a position by slots: how many, or one of these.
inline constexpr std::int64_t kUncounted = -2, kUnknown = -1;

inline constexpr std::uint8_t kUndecided = 0, kDrawn = 1, kWonBy = 2; // kWonBy + player

struct SlotValue {         // the parts that a slot's type needs
  std::int32_t number = 0; // of directions: the first of them, or -1
  Slice list;
};

// One entry of the trail: what a place held before. Sets and maps are on stacks of their own.
struct Past {
  enum class What : std::uint16_t {
    cell,
    hand,
    number,
    set,
    slot_number,
    slot_list,
    slot_set,
    slot_map
  } what;
  std::uint16_t index = 0;
  std::uint32_t first = 0, second = 0;
};

// Open addressing from a key to a number; cleared at once by counting generations.
class HashIndex {
public:
  void clear();
  // The number that the key has, or `fresh`, which it gets, if it has none. `same(number)` tells whether it
  // is the key.
  template <class Same>
  std::uint32_t find_or_add(std::uint64_t key, std::uint32_t fresh, Same&& same);

private:
  struct Entry {
    std::uint32_t generation = 0, number = 0;
    std::uint64_t key = 0;
  };
  void grow();
  std::vector<Entry> entries_ = std::vector<Entry>(256);
  std::uint32_t generation_ = 1;
  std::size_t used_ = 0;
};

inline void HashIndex::clear() {
  used_ = 0;
  if (++generation_ == 0) { // after 2^32 positions old marks might look new
    std::fill(entries_.begin(), entries_.end(), Entry{});
    generation_ = 1;
  }
}

template <class Same>
std::uint32_t HashIndex::find_or_add(std::uint64_t key, std::uint32_t fresh, Same&& same) {
  for (std::size_t i = key & (entries_.size() - 1);; i = (i + 1) & (entries_.size() - 1)) {
    Entry& e = entries_[i];
    if (e.generation != generation_) {
      e = {generation_, fresh, key};
      if (++used_ * 2 > entries_.size()) grow();
      return fresh;
    }
    if (e.key == key && same(e.number)) return e.number;
  }
}

inline void HashIndex::grow() {
  std::vector<Entry> old(entries_.size() * 2);
  old.swap(entries_);
  for (const Entry& e : old) {
    if (e.generation != generation_) continue;
    std::size_t i = e.key & (entries_.size() - 1);
    while (entries_[i].generation == generation_) i = (i + 1) & (entries_.size() - 1);
    entries_[i] = e;
  }
}

// The sets of one member. To read a set as a whole just after one of its words was written makes the
// processor wait, so they are copied rather than made.
template <int W>
inline constexpr std::array<Bits<W>, Bits<W>::kSize> kSingles = [] {
  std::array<Bits<W>, Bits<W>::kSize> all;
  for (int k = 0; k < Bits<W>::kSize; ++k) all[at(k)].set(k);
  return all;
}();

// Where drafts inside a `reach` have been.
class Visited {
public:
  void clear() { index_.clear(); }
  [[nodiscard]] bool add(std::uint64_t key) { // false: it was there
    const std::uint32_t number = next_++;
    return index_.find_or_add(key, number, [](std::uint32_t) { return true; }) == number;
  }

private:
  HashIndex index_;
  std::uint32_t next_ = 0;
};

template <int W>
class Machine final : public Game::Engine {
public:
  Machine(std::shared_ptr<const Rules> rules, const Tables<W>& tables, const Position& position);

  const Rules& rules() const override { return *rules_; }
  Position position() const override;
  int to_move() const override { return now_.to_move; }
  int length() const override { return static_cast<int>(length_); }
  std::size_t state_bytes() const override { return now_.bytes(); }
  tl::expected<std::optional<Outcome>, Fault> outcome() override;
  tl::expected<std::span<const Move>, Fault> moves() override;
  void play(const Move& move) override;
  bool undo() override;
  void reset() override;
  void allow_native(bool allowed) override {
    if (allowed != native_) sprint_.reset();
    native_ = allowed;
    sprint_at_start_ = false;
  }
  [[nodiscard]] bool is_native() const override { return sprint_ && sprint_->is_native(); }
  tl::expected<std::string, Fault> notation(const Move& move) override;
  tl::expected<std::vector<std::string>, Fault> notations() override;
  tl::expected<PerftCount, Fault> perft(const PerftOptions& options) override;
  tl::expected<Playout, Fault> playout(Random& random, std::uint32_t max_plies) override;
  tl::expected<Playout, Fault> sample(Random& random, std::uint32_t max_plies) override;

private:
  using Set = Bits<W>;

  // ---------------------------------------------------------------- shapes
  struct Collection;
  struct Frame { // of an action whose outcomes are asked about, while they are being found
    Frame* outer = nullptr;
    Collection* collection = nullptr;
    Visited* visited = nullptr;
    Set* reached = nullptr;
    std::int64_t low = 0, high = 0, round = 0;
    std::size_t path = 0; // where the loop's path begins
    bool any = false;
  };
  struct Regs {
    std::int16_t here = -1, start = -1, heading = -1;
    std::uint8_t quiet = 0; // how many reasons there are to write nothing
    std::uint8_t decision = kUndecided;
    bool again = false, decided = false; // decided: or the mover is out
    bool last_left = false;              // the decision came about by others being out
    std::uint32_t out = 0;
    Slice carried;            // without stacks: begin is the piece's code
    std::uint32_t length = 0; // of the text
    std::uint32_t origin = 0; // of the decision
    std::uint64_t text = 0;   // its hash
    Frame* frame = nullptr;
    Set gone;
  };
  struct Mark {
    std::size_t trail = 0, bytes = 0, numbers = 0, sets = 0;
  };
  struct Collected {
    Regs regs;
    std::size_t redo = 0, redo_end = 0;
    std::string text; // while writing
  };
  struct Collection { // outcomes of `most`, `distinct`, `each`
    const Instruction* of = nullptr;
    std::size_t trail = 0; // where the changes begin
    Mark needs;            // how much of the arenas its outcomes refer to
    // What the outcomes changed. Not on one stack for all: an outer collection may keep outcomes while an
    // inner one, begun later, still goes on from its own.
    std::vector<Past> redo;
    std::vector<Set> redo_sets;
    std::vector<CellMap> redo_maps;
    std::size_t found = 0, kept = 0;
    std::int32_t best = 0;
    std::vector<Collected> outcomes; // the first `kept` of them count
    HashIndex seen;
  };
  struct Derived { // what is known of a position
    std::vector<Move> moves;
    std::vector<std::uint32_t> effects;
    std::size_t length = 0; // of the game, at this position
    bool listed = false, judged = false;
    bool rest_listed = false; // `moves` are those that the slots leave out
    std::int64_t slots = kUncounted;
    std::optional<Outcome> outcome; // if judged
    void forget(std::size_t new_length) {
      length = new_length;
      listed = judged = rest_listed = false;
      slots = kUncounted;
    }
  };
  struct Decision {
    std::uint8_t what = kUndecided;
    bool last_left = false;
    std::uint32_t origin = 0;
  };
  enum class Purpose : std::uint8_t { list, ask, write_one, write_all };

  // ---------------------------------------------------------------- faults and limits
  void fault(std::uint32_t origin, std::string message);
  bool spend(std::uint32_t origin, std::uint64_t steps = 1) { // false: no more
    if (work_ >= steps) [[likely]] {
      work_ -= steps;
      return !stop_;
    }
    return out_of_work(origin);
  }
  bool out_of_work(std::uint32_t origin);
  [[nodiscard]] Fault take_fault();

  // ---------------------------------------------------------------- values (machine_values.hpp)
  std::int32_t number(const Expr& e, const Regs& r) {
    if (e.op == Op::number) return e.a;
    return e.op == Op::local ? slots_[at(e.a)].number : number_anew(e, r);
  }
  std::int32_t number_anew(const Expr& e, const Regs& r);
  std::int32_t count(const Expr& e, const Regs& r);
  std::int32_t hand(const Expr& e, const Regs& r);
  std::int32_t hand_total(int player) const;
  std::int32_t height(const Set& cells) const;
  std::int32_t pieces_on(const Expr& e, const Regs& r);
  std::int32_t extreme(const Expr& e, const Regs& r, bool greatest);
  bool truth(const Expr& e, const Regs& r) { return e.memo != nullptr ? kept_truth(e, r) : truth_anew(e, r); }
  bool truth_anew(const Expr& e, const Regs& r);
  bool equal(const Expr& e, const Regs& r);
  bool member(const Expr& e, const Regs& r);
  bool some(const Expr& e, const Regs& r);
  bool some_where(const Expr& e, const Regs& r);
  bool can(const Expr& e, const Regs& r);
  bool no_move(int player);
  const Expr& by_kind(const Expr& e, const Regs& r);
  const Expr& by_player(const Expr& e, const Regs& r);
  const Expr& bound(const Expr& e, const Regs& r); // let_value: binds, then what comes
  int top_kind(const Expr& e, const Regs& r);
  bool owner_fits(const Expr& e, std::uint8_t code) const;
  template <class F>
  auto in_beginning(F&& f);

  // sets (machine_sets.hpp)
  Set set(const Expr& e, const Regs& r) {
    if (e.op == Op::local) return slot_sets_[at(e.a)];
    if (e.op == Op::owned && e.a >= 0) return pos_->owner[at(e.a)];
    return e.memo != nullptr ? kept_set(e, r) : set_anew(e, r);
  }
  Set set_anew(const Expr& e, const Regs& r);
  // The set where it lies, or else in the room that is given. Good until a slot or the position changes.
  const Set& view(const Expr& e, const Regs& r, Set&& room = Set()) {
    switch (e.op) {
    case Op::local: return slot_sets_[at(e.a)];
    case Op::cells:
    case Op::directions: return tables_.constants[e.constant];
    case Op::owned:
      if (e.a >= 0) return pos_->owner[at(e.a)];
      break;
    case Op::empty: return room = tables_.board - pos_->occupied;
    default: break;
    }
    return room = set(e, r);
  }
  int first_of(const Expr& e, const Regs& r);
  bool contains(const Expr& e, int member, const Regs& r);
  Set owned(const Expr& e) const;
  Set kind_cells(int kind) const;
  Set select(const Expr& e, const Regs& r);
  Set rectangle(const Expr& e, const Regs& r);
  Set box(const Expr& e, const Regs& r);
  Set cells_between(int x1, int y1, int x2, int y2, int apart) const;
  Set union_of(const Expr& e, const Regs& r);
  Set image(const Expr& e, const Regs& r);
  Set sum(const Expr& e, const Regs& r);
  Set times(const Expr& e, const Regs& r);
  Set opposites(const Set& steps) const;
  Set turned(const Expr& e, const Regs& r);
  Set spins(const Set& steps) const;
  CellMap map(const Expr& e, const Regs& r);
  CellMap shift(const Expr& e, const Regs& r);
  CellMap about_middle(const Set& cells) const;
  CellMap scaled(const Expr& e, const Regs& r);
  CellMap rotated(const Expr& e, const Regs& r);
  CellMap reflected(const Expr& e, const Regs& r);

  // lists (machine_lists.hpp): parts of numbers_ or sets_, by type
  Slice list(const Expr& e, const Regs& r) { return e.memo != nullptr ? kept_list(e, r) : list_anew(e, r); }
  Slice list_anew(const Expr& e, const Regs& r);
  Slice range(const Expr& e, const Regs& r);
  Slice list_of(const Expr& e, const Regs& r);
  Slice list_for(const Expr& e, const Regs& r);
  Slice combined(const Expr& e, const Regs& r);
  Slice selected(const Expr& e, const Regs& r);
  Slice still_in(const Expr& e, const Regs& r);
  // Of lists for which more lists are needed on the way: their memory, which is kept for the next.
  struct Drawer {
    std::vector<std::int32_t> numbers;
    std::vector<Set> sets;
    HashIndex seen; // of long lists
  };
  struct Builder;
  void gather(const Expr& e, const Regs& r, std::int32_t generator, Builder& into);
  template <class F>
  bool for_members(const Expr& source, std::int32_t slot, const Regs& r, F&& f, const Prune* prune = nullptr);
  void add_member(const Expr& e, const Regs& r, Builder& into);
  void gather_pairs(const Expr& e, const Regs& r, Builder& into);
  [[nodiscard]] Set seconds(const Expr& e, int first, const Regs& r);
  [[nodiscard]] Set bound_seconds(const Expr& e, int first, const Set& second, const Regs& r);
  void gather_parts(const Expr& e, const Regs& r, Builder& into);
  bool has(Slice slice, bool sets, std::int32_t number, const Set& set) const;
  bool same_lists(Slice a, Slice b, bool sets) const;

  // reach (machine_reach.hpp)
  Set reach(const Expr& e, const Regs& r);
  Set reach_by_running(const Expr& e, const Set& sources, const Regs& r);
  Set walked(const Walk& w, const Set& from, const Regs& r);
  Set walked_from(const Walk& w, const Set& from, const Regs& r);
  Set walked_loop(const Walk& w, const Set& from, const Regs& r);
  Set flooded(const Walk& w, const Set& from, Set all, const Regs& r);
  Set stepped(const Expr& directions, const Set& from, const Regs& r);
  Set stepped_by(int step, const Set& from) const;
  // Backwards: the cells from which a walk can end in the set.
  Set origins(const Walk& w, const Set& ends, const Regs& r);
  Set origins_of_loop(const Walk& w, const Set& ends, const Regs& r);
  Set stepped_back(const Expr& directions, const Set& ends, const Regs& r);
  Set ran(int step, const Set& from, const Set& through, std::uint32_t origin);

  // values that are kept (machine_memo.hpp)
  struct KeptSet {
    std::uint64_t key = 0; // 0: none
    Set set;
  };
  struct Kept { // the latest
    std::uint64_t key = 0;
    std::array<std::uint64_t, 4> versions{}; // of what it was made from
    Set set;
    std::vector<Set> sets;
    std::vector<std::int32_t> numbers;
  };
  static constexpr std::int32_t kRowUnknown = -1;
  static constexpr std::size_t kMostRows = 2048; // then they are made anew
  struct KeptMap {
    CellMap map;
    std::int32_t row = kRowUnknown;
    std::uint32_t epoch = 0; // of the rows; 0: not made yet
  };
  void bind_kept_map(std::int32_t slot, const Expr& e, const Regs& r);
  std::int32_t row_of(const CellMap& map);
  void forget_rows();
  const std::int16_t* row(const Expr& map, const CellMap& value);
  struct KeptText { // what an action writes: the hash of a text goes to hash * power + added
    std::uint64_t key = 0, added = 0, power = 0;
    std::uint32_t length = 0;
  };
  static constexpr std::size_t kKeptTexts = 1024; // of one action; a power of two
  bool say_kept(const Instruction& i, Regs& r);
  static constexpr std::size_t kKeptContents = 512; // of one value; a power of two
  KeptSet& kept_content(const Memo& m, std::uint64_t key);
  Set set_by_content(const Expr& e, const Regs& r);
  bool kept_truth(const Expr& e, const Regs& r);
  [[nodiscard]] std::uint64_t content_key(const Memo& m, const Regs& r) const;
  [[nodiscard]] std::uint64_t memo_key(const Memo& m) const;
  [[nodiscard]] std::int32_t input_member(const Input& input, const Regs& r) const;
  [[nodiscard]] bool is_latest(const Memo& m, Kept& kept, const Regs& r) const;
  Set kept_set(const Expr& e, const Regs& r);
  Set latest_set(const Expr& e, const Regs& r);
  Slice kept_list(const Expr& e, const Regs& r);
  Set pruned(const Prune& p, const Set& members, const Regs& r);

  // ---------------------------------------------------------------- slots
  void bind(std::int32_t slot, const Expr& e, const Regs& r);
  // Must be told whenever a slot takes a value.
  void renew(std::int32_t slot) { slot_versions_[at(slot)] = ++version_; }
  void bind_number(std::int32_t slot, std::int32_t number) {
    slots_[at(slot)].number = number;
    renew(slot);
  }
  void bind_list(std::int32_t slot, Slice list) {
    slots_[at(slot)].list = list;
    renew(slot);
  }
  void bind_map(std::int32_t slot, const CellMap& map) {
    slot_maps_[at(slot)] = map;
    slot_rows_[at(slot)] = kRowUnknown;
    renew(slot);
  }
  void bind_member(std::int32_t slot, int member) { // of cells or directions
    slots_[at(slot)].number = member;
    slot_sets_[at(slot)] = kSingles<W>[at(member)];
    renew(slot);
  }
  void bind_set(std::int32_t slot, const Set& value) {
    slots_[at(slot)].number = value.first();
    slot_sets_[at(slot)] = value;
    renew(slot);
  }
  void trail_slot(std::int32_t slot);

  // ---------------------------------------------------------------- changes (machine_changes.hpp)
  [[nodiscard]] Mark mark() const { return {trail_.size(), bytes_.size(), numbers_.size(), sets_.size()}; }
  void unwind(const Mark& m);
  void unwind_trail(std::size_t length);
  void take_back(const Past& p);
  void push(Past::What what, std::size_t index, std::uint32_t first, std::uint32_t second = 0) {
    trail_.push_back({what, static_cast<std::uint16_t>(index), first, second});
  }
  [[nodiscard]] std::size_t height_of(int cell) const {
    return tables_.stacks ? pos_->stack[at(cell)].size : pos_->top[at(cell)] != 0 ? 1U : 0U;
  }
  // The pieces of a cell from bottom to top; without stacks a view of `top`.
  [[nodiscard]] std::span<const std::uint8_t> content(const State<W>& s, int cell) const;
  void set_code(int cell, std::uint8_t code); // without stacks
  void set_stack(int cell, Slice slice);      // with stacks
  void place_code(State<W>& s, int cell, std::uint8_t code) const;
  void place_stack(State<W>& s, int cell, Slice slice) const;
  [[nodiscard]] std::uint64_t stack_hash(int cell, Slice slice, std::size_t from) const;
  void change_hand(std::size_t hand, std::int32_t number);
  void change_number(std::size_t variable, std::int32_t number);
  void change_set(std::size_t variable, const Set& set);
  [[nodiscard]] Slice joined(std::span<const std::uint8_t> below, Slice above, std::uint32_t origin);
  [[nodiscard]] Slice repeated(std::uint8_t code, std::size_t times);

  // ---------------------------------------------------------------- actions (machine_actions.hpp)
  void run(std::uint32_t pc, Regs& r);
  // A block, up to its end; false if it has no outcome. What it changed stays.
  bool run_block(std::uint32_t pc, Regs& r);
  bool simple(const Instruction& i, Regs& r);
  [[nodiscard]] std::uint32_t after(std::uint32_t next, const Regs& r) const;
  [[nodiscard]] std::uint32_t branch_of(const Instruction& i, const Regs& r);
  // A choice carries out all its branches but the last, and answers where that one goes on, with r as it
  // begins; kNone if there is none.
  std::uint32_t from_each(const Instruction& i, Regs& r);
  std::uint32_t to_each(const Instruction& i, Regs& r);
  std::uint32_t go_each(const Instruction& i, Regs& r);
  std::uint32_t go_fan(const Instruction& i, Regs& r);
  std::uint32_t bend_each(const Instruction& i, Regs& r);
  std::uint32_t choose(const Instruction& i, Regs& r);
  std::uint32_t choose_some(const Instruction& i, Regs& r);
  std::uint32_t alternatives(const Instruction& i, Regs& r);
  std::uint32_t otherwise(const Instruction& i, Regs& r);
  bool otherwise_sure(const Instruction& i, Regs& r);
  bool go_step(const Instruction& i, int step, Regs& r);
  bool arrives(const Instruction& i, int to, int step, Regs& r);
  void begin_at(int cell, Regs& r);
  bool has_place(const Instruction& i, const Regs& r);
  bool choose_sets(const Instruction& i, std::int64_t wanted, const Regs& r);
  bool choose_members(const Instruction& i, std::int64_t wanted, const Regs& r);
  void branch_off(std::uint32_t pc, const Regs& r, const Mark& m) {
    Regs copy = r;
    run(pc, copy);
    unwind(m);
  }

  // loops (machine_loops.hpp)
  struct Bounds {
    std::int64_t low = 0, high = 0;
  };
  Bounds bounds(const Instruction& i, const Regs& r);
  std::uint32_t enter_loop(const Instruction& i, Regs& r);
  std::uint32_t end_round(const Instruction& end, Regs& r);
  std::uint32_t rounds(const Instruction& i, Frame& f, Regs& r);
  bool visit(const Instruction& i, Frame& f, const Regs& r, bool ended);
  std::uint32_t loop_block(const Instruction& i, Regs& r);
  bool loop_sure(const Instruction& i, Regs& r);
  bool on_path(const Instruction& i, std::size_t path, std::int64_t round, std::int64_t low, const Regs& r);
  [[nodiscard]] bool ends(const Instruction& i, const Regs& r) {
    return r.decided || (i.c2 != nullptr && truth(*i.c2, r));
  }
  [[nodiscard]] std::uint64_t draft_key(std::uint32_t frame, const Regs& r) const;
  [[nodiscard]] std::uint64_t slot_key(const SlotRef& slot) const;

  // collecting (machine_collect.hpp)
  bool each_sure(const Instruction& i, Regs& r);
  bool each_any(const Instruction& i, Regs& r);
  std::uint32_t collect(const Instruction& i, Regs& r);
  Collection& begin_collection(const Instruction& i);
  void run_collection(Collection& c, const Regs& r);
  void collected(Regs& r);
  void keep_most(Collection& c, const Regs& r);
  void keep_distinct(Collection& c, const Regs& r);
  void keep(Collection& c, std::size_t place, const Regs& r);
  void save_now(Past::What what, std::size_t index, Collection& into);
  void forget_outcomes(Collection& c);
  void redo(const Collection& c, const Past& p);
  [[nodiscard]] static Past::What slot_part(Type type);
  void replay(const Collection& c, std::size_t which, Frame* frame, Regs& r);
  void end_collection(Collection& c);

  // slots (machine_slots.hpp)
  // Moves of the player to move, but for those that the slots leave out, or kUnknown where only the list
  // tells.
  std::int64_t count_slots();
  std::int64_t count_group(const SlotCode& plan, const SlotGroup& group);
  // Carries out the k-th of the moves that count_slots has just counted; false: a fault.
  bool play_slot(std::uint64_t k);
  bool play_action(const SlotCode& plan, const SlotEnd& end, int origin, Regs& r);
  bool play_direct(const SlotCode& plan, const SlotEnd& end, int origin, int cell, Regs& r);
  bool play_block(std::uint32_t entry, Regs& r);
  Set slot_set(const SlotStep& s, const Regs& r);
  void finish_turn(const Regs& r);
  [[nodiscard]] bool sprints_from(const State<W>& state);
  void sprinted();
  tl::expected<Playout, Fault> play_on(Random& random, std::uint32_t max_plies);

  // pieces, position, notation (machine_pieces.hpp)
  std::optional<std::size_t> how_many(const Instruction& i, const Regs& r, std::size_t all);
  bool lift(const Instruction& i, Regs& r);
  bool put(const Instruction& i, Regs& r);
  Slice take_carried(std::size_t n, Regs& r);
  bool discard(const Instruction& i, Regs& r);
  void remove(const Instruction& i, Regs& r);
  void clear_cell(int cell);
  bool drop(const Instruction& i, Regs& r);
  bool take_from_hand(int player, int kind, std::int64_t number);
  void write_drop(int owner, int kind, const Set& on, Regs& r);
  bool change(const Instruction& i, Regs& r);
  void change_top(const Instruction& i, int cell, int kind, Regs& r);
  bool move_by(const Instruction& i, Regs& r);
  [[nodiscard]] bool find_targets(const Set& moved, const Expr& map, const Regs& r);
  void lay(int cell, Slice pieces, const Instruction& i, Regs& r);
  std::uint8_t code_for(int owner, int kind, const Instruction& i);
  void let(const Instruction& i, const Regs& r);
  void set_variable(const Instruction& i, const Regs& r);
  bool set_hand(const Instruction& i, const Regs& r);
  void decide(std::uint8_t decision, const Instruction& i, Regs& r);
  void lose(const Instruction& i, Regs& r);
  void leaves(int cell, std::span<const std::uint8_t> codes, Regs& r);
  void write(const Word& word, Regs& r) {
    if (r.quiet == 0) write_loud(word, r);
  }
  void write_loud(const Word& word, Regs& r);
  void write_cells(const Set& cells, Regs& r);
  void write_gone(Regs& r);
  void write_value(const Expr& e, Regs& r);

  // ---------------------------------------------------------------- turns and games (machine_game.hpp)
  void load(const Position& position);
  void run_turn(int player, Purpose purpose) { run_turn(player, purpose, code_.players[at(player)].turn); }
  void run_turn(int player, Purpose purpose, std::uint32_t entry);
  void end_of_turn(Regs& r);
  void emit(Regs& r);
  void write_effect(const Regs& r, int next);
  // Writes what stands at a place now, in the words that `apply` reads.
  void write_entry(Past::What what, std::size_t index, std::vector<std::uint32_t>& into) const;
  [[nodiscard]] bool touch(Past::What what, std::size_t index);
  [[nodiscard]] int next_player(const Regs& r) const;
  [[nodiscard]] int following(int player, std::uint32_t out) const;
  [[nodiscard]] bool list();
  // The moves that the slots of the player to move leave out. False: a fault.
  [[nodiscard]] bool list_rest();
  void list_from(std::uint32_t entry);
  bool has_outcome(std::uint32_t entry);
  [[nodiscard]] std::uint32_t rest() const { return code_.players[at(now_.to_move)].rest; }
  // Legal moves, without listing those that slots count; kUnknown where only the list tells, or at a fault.
  std::int64_t count_moves();
  bool has_move();
  [[nodiscard]] bool judge();
  [[nodiscard]] bool one_is_left() const;
  // Asks the lines for the player to move; kAgain: he is out, and it is another's turn.
  enum class Judged : std::uint8_t { open, over, again, faulty };
  Judged judge_player();
  Judged apply_line(const EndRule& rule, const Regs& r);
  Judged put_out(const EndRule& rule);
  [[nodiscard]] Outcome shares(const EndRule& rule, const Regs& r);
  [[nodiscard]] Outcome outcome_of(const Decision& d) const;
  [[nodiscard]] std::uint64_t result_of(const Regs& r, int next) const;
  bool write_moves(Purpose purpose);
  [[nodiscard]] bool is_over() { return derived_->outcome.has_value(); }
  void advance(const std::uint32_t* effect, bool record);
  const std::uint32_t* apply(const std::uint32_t* entry);
  void write_cell(int cell, std::vector<std::uint32_t>& into) const;
  void write_set(std::size_t variable, const Set& set, std::vector<std::uint32_t>& into) const;
  [[nodiscard]] static std::size_t entry_size(std::uint32_t head);
  void enter_history();
  void leave_history();
  [[nodiscard]] std::int32_t repeats() const;
  [[nodiscard]] std::int32_t board_repeats() const;
  void compact();
  bool count_lines(int depth, const PerftOptions& options, PerftCount& count);
  [[nodiscard]] std::uint64_t distinct_moves();
  void take_back_move();
  Derived& recent() { return recent_[length_ % kRecent]; }

  std::shared_ptr<const Rules> rules_;
  const Tables<W>& tables_;
  const Code& code_;
  const Instruction* instructions_;
  const std::int16_t* to_; // by step * cells_ + cell
  int cells_;

  // the game
  State<W> now_, beginning_, start_;
  State<W>* pos_ = &now_; // what values read and actions change: `now_`, or `beginning_` within `before`
  std::vector<std::uint8_t> start_bytes_;
  std::size_t compact_at_ = 0;
  Decision decision_;
  std::size_t length_ = 0;
  std::vector<std::uint32_t> undo_;
  std::vector<std::size_t> undo_starts_;
  struct Earlier {
    std::uint64_t all = 0, board = 0;
  };
  std::vector<Earlier> history_;
  static constexpr std::size_t kBuckets =
      1024; // most questions about the past are answered by an empty bucket
  std::vector<std::uint32_t> board_buckets_, all_buckets_;

  // what is known of it
  // Of the last positions all is kept, so that moves can be tried and taken back without listing them again.
  static constexpr std::size_t kRecent = 8;
  std::array<Derived, kRecent> recent_; // by length of the game, modulo kRecent
  std::deque<Derived> levels_;          // of perft
  Derived* derived_ = &recent_[0];
  HashIndex index_;
  std::optional<Fault> fault_;

  // the derivation in progress
  std::vector<Past> trail_;
  std::vector<Set> past_sets_;
  std::vector<CellMap> past_maps_;
  std::vector<std::uint8_t> bytes_;   // pieces of stacks and in the air
  std::vector<std::int32_t> numbers_; // members of lists
  std::vector<Set> sets_;
  std::deque<Drawer> drawers_;
  std::size_t drawers_used_ = 0;
  std::size_t bytes_floor_ = 0, numbers_floor_ = 0, sets_floor_ = 0; // what collected outcomes still need
  std::vector<SlotValue> slots_;
  std::vector<Set> slot_sets_;
  std::vector<CellMap> slot_maps_;
  std::vector<std::uint64_t> slot_versions_; // when it took its value
  std::uint64_t version_ = 0;
  std::vector<std::vector<KeptSet>> kept_sets_, bound_to_; // by Memo::index, Prune::index; made when needed
  std::vector<Kept> kept_;                                 // by Memo::index
  std::vector<std::vector<KeptSet>> kept_contents_;        // likewise; a truth is a set that has a member
  std::vector<std::vector<KeptText>> kept_texts_;          // likewise
  std::vector<std::int32_t> slot_rows_;                    // of maps: the place in rows_
  std::vector<std::vector<KeptMap>> kept_maps_;            // by Memo::index
  std::uint32_t rows_epoch_ = 0;                           // how often rows were begun
  std::vector<CellMap> rows_;
  std::vector<std::int16_t> row_targets_; // by row * cells_ + cell: where its map takes the cell
  HashIndex row_index_;
  std::vector<std::uint64_t> path_;
  std::deque<Visited> visited_;
  std::size_t visited_used_ = 0;
  Visited* shared_visited_ = nullptr; // of the whole `reach` being run
  std::size_t redo_total_ = 0;        // entries of all collections
  std::deque<Collection> collections_;
  std::size_t collections_used_ = 0;
  struct Arrival {
    int target = 0;
    Slice pieces;
  };
  std::vector<Arrival> arrivals_;
  std::vector<std::uint32_t> stamps_; // by cell, hand, variable: the effect that has them already
  std::uint32_t stamp_ = 0;
  std::string text_; // while writing
  bool writing_ = false;
  std::vector<Set> registers_; // of slots
  std::optional<Sprint<W>> sprint_;
  bool native_ = true;           // sprints may be native code
  bool sprint_at_start_ = false; // it has taken the position that the machine was made with
  struct CountedLeaf {
    std::uint32_t leaf = 0;
    std::int32_t count = 0;
    Set set;
  };
  std::vector<CountedLeaf> leaves_;
  bool stop_ = false, found_ = false;
  bool in_end_ = false;
  bool moving_ = false;
  Purpose purpose_ = Purpose::list;
  bool outcome_only_ = false; // nobody has asked for the list of moves yet
  int mover_ = 0;
  int depth_ = 0;
  std::uint64_t work_ = 0;
  std::uint64_t turn_board_hash_ = 0;
  std::vector<std::int32_t> turn_hands_;
  std::size_t turn_trail_ = 0;
  std::uint64_t wanted_text_ = 0, wanted_result_ = 0;
  std::vector<std::string> written_;
};

} // namespace boardwright::runtime::machine
