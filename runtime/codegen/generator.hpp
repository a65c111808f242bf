// What the parts of the generator of native code share. Each part is a file of functions for some operations:
// sets, lines and vectors (rays, runs, floods), numbers, rows, control (where to go on, calls, helpers),
// changes (state, trail, pieces), stacks, moves (found moves, choices), memos, games (from turn to turn),
// history (positions that come again); native_code.cpp is the whole.
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

// Bytes of a record of a move (executor::Record): behind its leaf, where its values begin, how many moves
// were found before, and its set.
inline constexpr int kRecordValues = 4, kRecordBefore = 8, kRecordSet = 16;

// What the registers of the processor hold.
using Held = std::array<std::optional<Key>, 16>;

// A place of the code that others lead to.
struct Target {
  Label label;
  bool is_target = false;
  bool entry = false; // from outside, or by an address
  bool wild = false;  // also from somewhere that isn't known yet
  bool met = false;   // `held` counts
  Held held;          // what is so wherever one comes from
};

// Code that is seldom needed stands behind everything else.
struct Cold {
  Label here;
  std::function<void()> write;
  std::int32_t index; // of the instruction it belongs to; kShared: of none
};

// What is used anywhere in the code that is reached.
struct Uses {
  bool text = false, again = false, boxes_noted = false;
  bool gone = false, written = false;   // what has left is noted; the key of what has been written
  bool memo = false;                    // moves may only be counted
  bool values = false;                  // records have some
  bool repeats = false, boards = false; // of the past are asked for
  bool line = false;                    // where they stood in it
  bool once = false;                    // moves are compared
};

// The windows of a table of rows.
struct RowWindows {
  Label label;
  std::vector<std::uint64_t> words;
  int stride = 0; // of a cell
};

struct JumpTable {
  Label label;
  const std::vector<std::uint32_t>* to;
};

// A word of (a & b) moved by so many places; b may be missing.
using WordOf = std::function<Gp(int)>;
// Where a word of a set lies.
using Operand = std::function<Mem(int)>;

inline constexpr std::int32_t kEnd = 8, kLimit = 16; // of a Buffer
// More don't fit the registers.
inline constexpr int kMostWordsBetween = 3;
inline constexpr int kMostWordsRun = 3;

// What all parts share: the code that is being made, what it is made from, and what the registers of the
// processor hold.
struct Generator {
  Generator(const Surroundings& game, asmjit::CodeHolder& holder, const void* const* helpers)
      : around(game), code(*game.code), words(game.words), addresses(helpers), a(&holder) {}

  // ---------------------------------------------------------------- registers of the processor
  // Those that helpers keep. trail: behind the last entry of the trail.
  static constexpr std::array<Gp, 6> kKept{x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15};
  const Gp sets = x86::rbx, executor = x86::rbp, numbers = x86::r12, codes = x86::r13, trail = x86::r14,
           table = x86::r15;
  // On the stack: the sets that a flood works on.
  [[nodiscard]] std::int32_t scratch(int set, int w) const { return 8 * (set * words + w); }
  [[nodiscard]] std::int32_t scratch_bytes() const { return 8 * 4 * words + 8; }
  // The processor's registers that values are remembered in; helpers change them.
  static constexpr std::array<unsigned, 9> kGeneral{8, 9, 10, 11, 7, 6, 2, 1, 0};

  void use(unsigned id) {
    used[id] = ++now;
    pinned[id] = true;
  }
  std::optional<Gp> find(const Key& key) {
    for (unsigned id = 0; id < 16; ++id)
      if (held[id] == key) {
        use(id);
        return x86::gpq(id);
      }
    return std::nullopt;
  }
  // A register for a new value. It stays as it is until the instruction is done.
  Gp fresh() {
    unsigned best = 16;
    for (const unsigned id : kGeneral) {
      if (pinned[id]) continue;
      if (best == 16 || (held[best] && (!held[id] || used[id] < used[best]))) best = id;
    }
    if (best == 16) {
      failed = true;
      best = 0;
    }
    held[best].reset();
    use(best);
    return x86::gpq(best);
  }
  // Takes one certain register, for a helper's operand or result.
  Gp claim(const Gp& reg) {
    if (pinned[reg.id()]) failed = true;
    held[reg.id()].reset();
    use(reg.id());
    return reg;
  }
  void unpin(const Gp& reg) { pinned[reg.id()] = false; }
  void release() { pinned.fill(false); }
  void forget_all() {
    held.fill(std::nullopt);
    cells.clear();
  }
  void forget(const Key& key) {
    if (key.is_number) std::erase(cells, key.index);
    for (auto& one : held)
      if (one == key) one.reset();
  }
  void forget_set(Reg set) {
    for (int w = 0; w < words; ++w) forget(word(set, w));
  }

  // ---------------------------------------------------------------- values
  [[nodiscard]] Key word(Reg set, int w) const {
    return {false, static_cast<std::uint32_t>(set * words + w)};
  }
  [[nodiscard]] static Key number(int n) { return {true, static_cast<std::uint32_t>(n)}; }
  [[nodiscard]] Mem memory(const Key& key) const {
    if (key == kTotal) return x86::qword_ptr(executor, around.at.total);
    if (key == kOpen) return x86::dword_ptr(executor, around.at.open);
    const auto i = static_cast<std::int32_t>(key.index);
    return key.is_number ? x86::dword_ptr(numbers, 4 * i) : x86::qword_ptr(sets, 8 * i);
  }
  void load(const Gp& reg, const Key& key) {
    key.is_number ? a.mov(reg.r32(), memory(key)) : a.mov(reg, memory(key));
  }
  // In a register, which isn't to be changed. The upper half is zero if it is a number.
  Gp read(const Key& key) {
    if (const auto reg = find(key)) return *reg;
    const Gp reg = fresh();
    load(reg, key);
    held[reg.id()] = key;
    return reg;
  }
  // As the second operand of an instruction.
  asmjit::Operand operand(const Key& key) {
    if (const auto reg = find(key)) return key.is_number ? reg->r32() : *reg;
    return memory(key);
  }
  void apply(asmjit::InstId what, const Gp& reg, const Key& key) {
    const auto before = pinned;
    a.emit(what, key.is_number ? reg.r32() : reg, operand(key));
    pinned = before;
  }
  // In a register of its own, to be changed.
  Gp copy_of(const Key& key) {
    const Gp reg = fresh();
    const auto before = pinned;
    if (const auto known = find(key)) {
      a.mov(reg, *known);
      pinned = before;
    } else {
      load(reg, key);
    }
    return reg;
  }
  // The register holds the new value.
  void define(const Key& key, const Gp& reg) {
    forget(key);
    held[reg.id()] = key;
    key.is_number ? a.mov(memory(key), reg.r32()) : a.mov(memory(key), reg);
  }

  // ---------------------------------------------------------------- the executor
  [[nodiscard]] Mem field(std::int32_t place) const { return x86::qword_ptr(executor, place); }
  [[nodiscard]] Mem field32(std::int32_t place) const { return x86::dword_ptr(executor, place); }
  void mov_address(const Gp& reg, const void* p) { a.mov(reg, reinterpret_cast<std::uintptr_t>(p)); }

  // ---------------------------------------------------------------- where to go on
  void arrive(Target& target) {
    if (!target.met) {
      target.met = true;
      target.held = held;
    }
    for (unsigned id = 0; id < 16; ++id)
      if (target.held[id] != held[id]) target.held[id].reset();
  }
  const Label& to(std::int64_t x) {
    Target& target = targets[at(x)];
    arrive(target);
    return target.label;
  }
  void jump_if(x86::CondCode condition, const I& i) { a.j(condition, to(i.x)); }

  Label cold(std::function<void()> write) {
    cold_code.push_back(
        {a.newLabel(), std::move(write), parts.empty() ? kShared : static_cast<std::int32_t>(index)});
    return cold_code.back().here;
  }

  // From here on comes the code of an instruction, or code that several share.
  void begin_part(std::int32_t of) { parts.push_back({static_cast<std::uint32_t>(a.offset()), of}); }

  // ---------------------------------------------------------------- the instruction
  // Is the number a cell for sure, so not -1?
  [[nodiscard]] bool is_cell(Reg number) const {
    return std::find(cells.begin(), cells.end(), number) != cells.end();
  }
  // Must the old values of what this instruction changes be noted?
  [[nodiscard]] bool notes() const { return flow.taken_back[index]; }

  const Surroundings& around;
  const ir::Code& code;
  int words;
  const void* const* addresses;
  x86::Assembler a;
  bool failed = false;
  std::vector<bool> falls_back; // by instruction: it was left to the helper
  std::vector<CodePart> parts;  // in the order of their places; what stands before the first is shared
  Flow flow;
  Uses uses;

  Held held;
  Reg opened = 0;                   // the number that the open choice of a move was written to last
  std::vector<std::uint32_t> cells; // numbers of which is known that they are cells
  std::array<bool, 16> pinned{};
  std::array<std::uint64_t, 16> used{};
  std::uint64_t now = 0;
  std::vector<Target> targets;
  std::vector<Cold> cold_code;
  std::size_t index = 0; // of the instruction
  Label slow_back;
  Label exit, give_up, step, jump, room, stock, undo, spill_areas;
  std::array<Label, 2> leave, come; // by whether that is noted
  Label leaves;
  Label lift_stack, put_stack, stack_changed, top_changed;
  std::vector<Label> spill_area_labels, flood_labels;
  std::map<std::size_t, RowWindows> row_windows;
  std::vector<JumpTable> jump_tables;
  std::map<std::size_t, Label> ray_tables; // by list of steps
};

} // namespace boardwright::runtime::codegen
