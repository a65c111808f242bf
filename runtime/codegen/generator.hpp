// The generator of native code. Its parts: sets.cpp, lines.cpp and vectors.cpp (rays, runs, floods),
// numbers.cpp, control.cpp (where to go on, calls, helpers), changes.cpp (state, trail, pieces), stacks.cpp,
// moves.cpp (found moves, choices), games.cpp (from turn to turn), history.cpp (positions that come again),
// native_code.cpp (the whole).
//
// Registers of the code lie in memory, where every new value is stored at once. What an instruction reads or
// writes is also remembered to lie in a register of the processor until that is wanted for something else, or
// a jump may come from somewhere where it isn't so.
#pragma once

#include "runtime/codegen/flow.hpp"
#include "runtime/codegen/native_code.hpp"
#include "runtime/ir/operations.hpp"
#include "runtime/model/index.hpp"
#include "runtime/model/limits.hpp"

#include <asmjit/x86.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace boardwright::runtime::codegen {

namespace x86 = asmjit::x86;
using asmjit::Label;
using ir::Op;
using ir::Reg;
using x86::Gp;
using x86::Mem;
using I = ir::Instruction;

// A word of a set, or a number; also two of the executor's: how many moves have been found, and the cell that
// was chosen where a move left one open.
struct Key {
  bool is_number = false;
  std::uint32_t index = 0;
  friend bool operator==(const Key&, const Key&) = default;
};

inline constexpr std::uint32_t kOfExecutor = 0xffffffff;
inline constexpr Key kTotal{false, kOfExecutor}, kOpen{true, kOfExecutor};

// The parts of the state in an entry of the trail (executor/memory.hpp).
inline constexpr std::uint32_t kNumberPart = 1U << 30, kBytePart = 2U << 30;

// Bytes of a record of a move (Executor::Record): behind its leaf, where its values begin, how many moves were found
// before, and its set.
inline constexpr int kRecordValues = 4, kRecordBefore = 8, kRecordSet = 16;

// What the registers of the processor hold.
using Held = std::array<std::optional<Key>, 16>;

class Generator {
public:
  Generator(const Surroundings& around, asmjit::CodeHolder& holder, const void* const* addresses)
      : around_(around), code_(*around.code), words_(around.words), addresses_(addresses), a_(&holder) {}

  // False: something is amiss, and there is no code.
  bool generate();
  // Of the instructions that others lead to.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, Label>> entries() const;
  [[nodiscard]] const Label& exit() const { return exit_; }
  // By instruction: it was left to the helper.
  [[nodiscard]] const std::vector<bool>& falls_back() const { return falls_back_; }

private:
  // ---------------------------------------------------------------- registers of the processor
  // Those that helpers keep. trail_: behind the last entry of the trail.
  static constexpr std::array<Gp, 6> kKept{x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15};
  const Gp sets_ = x86::rbx, executor_ = x86::rbp, numbers_ = x86::r12, codes_ = x86::r13, trail_ = x86::r14,
           table_ = x86::r15;
  // On the stack: the sets that a flood works on.
  [[nodiscard]] std::int32_t scratch(int set, int w) const { return 8 * (set * words_ + w); }
  [[nodiscard]] std::int32_t scratch_bytes() const { return 8 * 4 * words_ + 8; }
  // Those that values are remembered in; helpers change them.
  static constexpr std::array<unsigned, 9> kGeneral{8, 9, 10, 11, 7, 6, 2, 1, 0};

  void use(unsigned id) {
    used_[id] = ++now_;
    pinned_[id] = true;
  }
  std::optional<Gp> find(const Key& key) {
    for (unsigned id = 0; id < 16; ++id)
      if (held_[id] == key) {
        use(id);
        return x86::gpq(id);
      }
    return std::nullopt;
  }
  // A register for a new value. It stays as it is until the instruction is done.
  Gp fresh() {
    unsigned best = 16;
    for (const unsigned id : kGeneral) {
      if (pinned_[id]) continue;
      if (best == 16 || (held_[best] && (!held_[id] || used_[id] < used_[best]))) best = id;
    }
    if (best == 16) {
      failed_ = true;
      best = 0;
    }
    held_[best].reset();
    use(best);
    return x86::gpq(best);
  }
  // This very register, for a helper's operand or result.
  Gp claim(const Gp& reg) {
    if (pinned_[reg.id()]) failed_ = true;
    held_[reg.id()].reset();
    use(reg.id());
    return reg;
  }
  void unpin(const Gp& reg) { pinned_[reg.id()] = false; }
  void release() { pinned_.fill(false); }
  void forget_all() {
    held_.fill(std::nullopt);
    cells_.clear();
  }
  void forget(const Key& key) {
    if (key.is_number) std::erase(cells_, key.index);
    for (auto& held : held_)
      if (held == key) held.reset();
  }
  void forget_set(Reg set) {
    for (int w = 0; w < words_; ++w) forget(word(set, w));
  }

  // ---------------------------------------------------------------- values
  [[nodiscard]] Key word(Reg set, int w) const {
    return {false, static_cast<std::uint32_t>(set * words_ + w)};
  }
  [[nodiscard]] static Key number(int n) { return {true, static_cast<std::uint32_t>(n)}; }
  [[nodiscard]] Mem memory(const Key& key) const {
    if (key == kTotal) return x86::qword_ptr(executor_, around_.at.total);
    if (key == kOpen) return x86::dword_ptr(executor_, around_.at.open);
    const auto i = static_cast<std::int32_t>(key.index);
    return key.is_number ? x86::dword_ptr(numbers_, 4 * i) : x86::qword_ptr(sets_, 8 * i);
  }
  void load(const Gp& reg, const Key& key) {
    key.is_number ? a_.mov(reg.r32(), memory(key)) : a_.mov(reg, memory(key));
  }
  // In a register, which isn't to be changed. The upper half is zero if it is a number.
  Gp read(const Key& key) {
    if (const auto reg = find(key)) return *reg;
    const Gp reg = fresh();
    load(reg, key);
    held_[reg.id()] = key;
    return reg;
  }
  // As the second operand of an instruction.
  asmjit::Operand operand(const Key& key) {
    if (const auto reg = find(key)) return key.is_number ? reg->r32() : *reg;
    return memory(key);
  }
  void apply(asmjit::InstId what, const Gp& reg, const Key& key) {
    const auto pinned = pinned_;
    a_.emit(what, key.is_number ? reg.r32() : reg, operand(key));
    pinned_ = pinned;
  }
  // In a register of its own, to be changed.
  Gp copy_of(const Key& key) {
    const Gp reg = fresh();
    const auto pinned = pinned_;
    if (const auto known = find(key)) {
      a_.mov(reg, *known);
      pinned_ = pinned;
    } else {
      load(reg, key);
    }
    return reg;
  }
  // The register holds the new value.
  void define(const Key& key, const Gp& reg) {
    forget(key);
    held_[reg.id()] = key;
    key.is_number ? a_.mov(memory(key), reg.r32()) : a_.mov(memory(key), reg);
  }

  // ---------------------------------------------------------------- the executor
  [[nodiscard]] Mem field(std::int32_t place) const { return x86::qword_ptr(executor_, place); }
  [[nodiscard]] Mem field32(std::int32_t place) const { return x86::dword_ptr(executor_, place); }
  static constexpr std::int32_t kEnd = 8, kLimit = 16; // of a Buffer
  void mov_address(const Gp& reg, const void* p) { a_.mov(reg, reinterpret_cast<std::uintptr_t>(p)); }

  // ---------------------------------------------------------------- where to go on
  struct Target {
    Label label;
    bool is_target = false;
    bool entry = false; // from outside, or by an address
    bool wild = false;  // also from somewhere that isn't known yet
    bool met = false;   // `held` counts
    Held held;          // what is so wherever one comes from
  };
  void find_targets();
  void arrive(Target& target) {
    if (!target.met) {
      target.met = true;
      target.held = held_;
    }
    for (unsigned id = 0; id < 16; ++id)
      if (target.held[id] != held_[id]) target.held[id].reset();
  }
  void come_to(std::size_t index);
  const Label& to(std::int64_t x) {
    Target& target = targets_[at(x)];
    arrive(target);
    return target.label;
  }
  void jump_if(x86::CondCode condition, const I& i) { a_.j(condition, to(i.x)); }

  // Code that is seldom needed stands behind everything else.
  struct Cold {
    Label here;
    std::function<void()> write;
  };
  Label cold(std::function<void()> write) {
    cold_.push_back({a_.newLabel(), std::move(write)});
    return cold_.back().here;
  }
  // Where the instruction is carried out by the helper, if its own code can't; afterwards all registers may
  // have changed. The caller binds `slow_back_` by `join_slow`.
  Label slow();
  void join_slow();
  void call_step(std::size_t index);
  void help();

  // ---------------------------------------------------------------- operations
  void operation(const I& i);
  bool set_operation(const I& i);
  bool line_operation(const I& i);
  bool number_operation(const I& i);
  bool condition(const I& i);
  bool control(const I& i);
  bool change(const I& i);
  bool move(const I& i);
  bool turn(const I& i);

  void two_sets(const I& i, asmjit::InstId what);
  void minus(const I& i);
  // A word of (a & b) moved by so many places; b may be missing.
  using WordOf = std::function<Gp(int)>;
  void shift_words(const WordOf& source, int by, const std::function<void(int, Gp)>& sink);
  void set_shift(const I& i);
  bool set_step(const I& i);
  void set_cell(const I& i);
  bool set_mapped(const I& i);
  void set_table(const I& i);
  Gp memo_slot(int memo, Reg a, Reg b, const Gp& key, const Label& none);
  void recall(const I& i);
  void remember(const I& i);
  void key_text(const I& i);
  void key_set(const I& i);
  void set_around(const I& i);
  void set_end(const I& i, bool first);
  Gp cell_bit(const Gp& cell, bool is_cell); // W = 1: its bit; none for -1
  void add_bit(Reg set, const Gp& cell);
  void count(const I& i);
  Gp count_of(Reg set);
  void first(const I& i);
  void last(const I& i);
  void slides(const I& i, bool with_last);
  [[nodiscard]] bool can_see_by_vectors(std::size_t lines) const;
  void slides_by_vectors(const I& i, bool with_last);
  static constexpr int kMostWordsBetween = 3; // more don't fit the registers
  void between(const I& i);
  void between_by_vectors(const I& i);
  const Label& ray_table(std::size_t lines);
  void embed_ray_tables();
  static constexpr int kMostWordsRun = 3; // likewise
  void run_shift(const I& i);
  void flood(const I& i);
  void flood_of_one(const I& i);
  [[nodiscard]] bool can_flood(std::size_t flood) const;
  void flood_routine(std::size_t flood);
  void saturate(const I& i, asmjit::InstId what);
  void multiply(const I& i);
  void divide(const I& i);
  void lookup_cell(const I& i, const std::vector<std::int16_t>& table);
  void lookup(const I& i, const std::vector<std::int16_t>& table, bool none_is_zero);
  bool row(const I& i);
  void line_of(int words, Reg set, const Gp& place, std::int32_t& next, std::int32_t& shifts, int base,
               const Gp& line);
  void side_by_side(int length, const Gp& line);
  void test_none(Reg a);
  void test_meet(Reg a, Reg b);
  void test_part(Reg a, Reg b);
  void test_same(Reg a, Reg b);
  // The carry flag says whether the cell (not -1) is in the set.
  void test_bit(Reg set, const Gp& cell);
  void member(const I& i, bool in);
  void count_work(const I& i);
  void count_steps(std::uint32_t steps);
  void take(const I& i);
  void hop(const I& i);
  void mark(const I& i);
  void undo(const I& i);
  bool keep(const I& i);
  [[nodiscard]] bool is_small(const ir::Window& window) const;
  void restore_routine(std::size_t window);
  void call(const I& i);
  void ret();
  void jump_table(const I& i);
  void note(const asmjit::Operand& where, const Gp& old);
  void room();
  void write_words(Reg d, const WordOf& value);
  void bit_change(const I& i, bool in);
  void write_number(int d, const Gp& value);
  void set_bit(Reg set, const Gp& cell, bool in);
  void lift(const I& i);
  void put(const I& i);
  void set_piece(const I& i);
  void gone_cell(const I& i);
  void lift_some(const I& i);
  void put_some(const I& i);
  void discard(const I& i);
  void move_pieces(const Gp& arrives, const Gp& many, const Label& routine, const Label& slowly);
  void stack_routines();
  void begin_stack_routine(const Label& routine);
  void lift_routine();
  void put_routine();
  void stack_changed_routine();
  void top_changed_routine();
  void note_byte();
  void found(const I& i, bool one);
  [[nodiscard]] std::size_t leaves_in_a_row() const;
  void found_several(std::size_t leaves);
  void found_in_order(const I& i, bool one);
  // Is the number a cell for sure, so not -1?
  [[nodiscard]] bool is_cell(Reg number) const {
    return std::find(cells_.begin(), cells_.end(), number) != cells_.end();
  }
  void draw(const Label& again);
  using Operand = std::function<Mem(int)>;
  void member_of(const Operand& words);
  void pick_in_order(const std::vector<std::uint32_t>& leaves);
  [[nodiscard]] const std::vector<std::uint32_t>& leaves_of_turn() const;
  void copy_choices(const ir::Leaf& leaf, const Gp& to, const Gp& written, const Gp& end, const Gp& value);
  void best_moves(const I& i);
  void best_test(const I& i);
  void divide_exactly(const Gp& n, int by, const Gp& inverse_in);
  void write_choices(const I& i);
  void survey();
  bool begin_turn(const I& i);
  bool end_turn(const I& i);
  void pick();
  [[nodiscard]] bool keeps_positions() const;
  void write_key(int mover);
  Gp slot_of_key(std::int32_t table, const Gp& key, const Label& absent);
  void repeats(const I& i);
  void count_position(const Label& slowly);
  void room_for_keys(std::int32_t table, std::size_t keys, const Label& slowly);
  void count_key(std::int32_t table, std::int32_t key);
  void add_part(const Gp& sum, std::uint64_t disturbed_by, const Gp& factor);
  void begin_comparing(const Label& slowly);
  void play_record();
  void patch_open(const ir::Leaf& leaf);
  void leaf_table();
  // Must the old values of what this instruction changes be noted?
  [[nodiscard]] bool notes() const { return flow_.taken_back[index_]; }
  void piece_routine(bool comes, bool notes);
  void undo_routine();
  void keeping_routine(const Label& routine, bool (*helper)(void*));
  void step_routine();
  void begin();

  const Surroundings& around_;
  const ir::Code& code_;
  int words_;
  const void* const* addresses_;
  x86::Assembler a_;
  bool failed_ = false;
  std::vector<bool> falls_back_;
  Flow flow_;
  struct Uses { // anywhere in the code that is reached
    bool text = false, again = false, boxes_noted = false;
    bool memo = false;                    // moves may only be counted
    bool values = false;                  // records have some
    bool repeats = false, boards = false; // of the past are asked for
    bool once = false;                    // moves are compared
  };
  Uses uses_;

  Held held_;
  Reg opened_ = 0;                   // the number that the open choice of a move was written to last
  std::vector<std::uint32_t> cells_; // numbers of which is known that they are cells
  std::array<bool, 16> pinned_{};
  std::array<std::uint64_t, 16> used_{};
  std::uint64_t now_ = 0;
  std::vector<Target> targets_;
  std::vector<Cold> cold_;
  std::size_t index_ = 0; // of the instruction
  Label slow_back_;
  Label exit_, give_up_, step_, jump_, room_, stock_, undo_, windows_;
  std::array<Label, 2> leave_, come_; // by whether that is noted
  Label leaves_;
  Label lift_stack_, put_stack_, stack_changed_, top_changed_;
  std::vector<Label> window_labels_, flood_labels_;
  struct Windows { // of a table of rows
    Label label;
    std::vector<std::uint64_t> words;
    int stride = 0; // of a cell
  };
  std::map<std::size_t, Windows> row_windows_;
  struct Jumps {
    Label label;
    const std::vector<std::uint32_t>* to;
  };
  std::vector<Jumps> jump_tables_;
  std::map<std::size_t, Label> ray_tables_; // by list of steps
};

} // namespace boardwright::runtime::codegen
