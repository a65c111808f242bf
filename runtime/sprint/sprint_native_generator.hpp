// The generator of native code for sprints. See sprint_native.hpp. Its parts: sprint_native_values.cpp (sets,
// numbers, conditions), sprint_native_drafts.cpp (changes, drafts), sprint_native.cpp (the course of a game,
// the whole).
#pragma once

#include "runtime/sprint/sprint_native.hpp"
#include "runtime/sprint/sprint_native_lines.hpp"
#include "runtime/sprint/sprint_sets.hpp"

#include <asmjit/x86.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace boardwright::runtime::machine::native {

namespace x86 = asmjit::x86;
using x86::Gp;
using x86::Mem;
using What = SprintOp::What;

// A word of a set, a number, a cell, or what has been worked out of a cell.
enum class Home : std::uint8_t { set_word, number, cell, bit_of_cell, word_of_cell, bits_of_two };
struct Key {
  Home home = Home::set_word;
  std::uint32_t index = 0;
  friend bool operator==(const Key&, const Key&) = default;
};

// What the registers of the processor hold.
using Held = std::array<std::optional<Key>, 16>;

// The registers that must be in memory.
struct InMemory {
  std::vector<bool> sets, numbers, cells;
};

[[nodiscard]] inline bool falls_through(What what) {
  return what != What::go && what != What::pick && what != What::decide && what != What::next &&
         what != What::ret;
}

class Generator {
public:
  Generator(const SprintCode& code, const NativeLayout& layout, asmjit::CodeHolder& holder,
            LineTables& tables, InMemory& in_memory, bool final_pass)
      : code_(code), layout_(layout), words_(layout.words), leaf_bytes_(words_ * 8 + 16), a_(&holder),
        lookups_(tables), in_memory_(in_memory), final_(final_pass) {}

  bool generate();

private:
  // ---------------------------------------------------------------- registers of the processor
  static constexpr std::array<Gp, 6> kKept{x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15};
  const Gp sets_ = x86::rbx, random_ = x86::rbp, leaf_end_ = x86::r13, total_ = x86::r14, frame_ = x86::r15;

  // Those that values are remembered in. The last four are wanted for choosing a move, so they come last.
  static constexpr std::array<unsigned, 10> kGeneral{8, 9, 10, 11, 12, 7, 6, 1, 2, 0};
  std::optional<Gp> find(const Key& key) {
    for (unsigned id = 0; id < 16; ++id)
      if (held_[id] == key) {
        use(id);
        return x86::gpq(id);
      }
    return std::nullopt;
  }
  void use(unsigned id) {
    used_[id] = ++now_;
    pinned_[id] = true;
  }
  // A register for a new value. It stays as it is until the operation is done.
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
  // This very register.
  Gp claim(const Gp& reg) {
    if (pinned_[reg.id()]) failed_ = true;
    held_[reg.id()].reset();
    use(reg.id());
    return reg;
  }
  void release() { pinned_.fill(false); }
  void forget_all() { held_.fill(std::nullopt); }
  void forget(const Key& key) {
    for (auto& held : held_)
      if (held == key) held.reset();
  }
  void forget_set(int set) {
    for (int w = 0; w < words_; ++w) forget(word(set, w));
  }

  // ---------------------------------------------------------------- values
  [[nodiscard]] Key word(int set, int w) const {
    return {Home::set_word, static_cast<std::uint32_t>(set * words_ + w)};
  }
  [[nodiscard]] static Key number(int n) { return {Home::number, static_cast<std::uint32_t>(n)}; }
  [[nodiscard]] static Key cell(int c) { return {Home::cell, static_cast<std::uint32_t>(c)}; }

  [[nodiscard]] Mem memory(const Key& key) const {
    const auto i = static_cast<std::int32_t>(key.index);
    switch (key.home) {
    case Home::number: return x86::dword_ptr(sets_, static_cast<std::int32_t>(layout_.numbers) + 4 * i);
    case Home::cell: return x86::word_ptr(sets_, static_cast<std::int32_t>(layout_.cells) + 2 * i);
    default: return x86::qword_ptr(sets_, 8 * i);
    }
  }
  [[nodiscard]] std::vector<bool>& homes(Home home) {
    return home == Home::number ? in_memory_.numbers
           : home == Home::cell ? in_memory_.cells
                                : in_memory_.sets;
  }
  [[nodiscard]] std::size_t place(const Key& key) const {
    return key.home == Home::set_word ? key.index / static_cast<std::uint32_t>(words_) : key.index;
  }
  void needs(const Key& key) {
    const auto is_there = homes(key.home)[place(key)];
    if (final_ && !is_there) failed_ = true; // both passes do the same
    homes(key.home)[place(key)] = true;
  }
  void needs_set(int set) { needs(word(set, 0)); }

  // In a register, which isn't to be changed.
  Gp read(const Key& key) {
    if (const auto reg = find(key)) return *reg;
    needs(key);
    const Gp reg = fresh();
    load(reg, key);
    held_[reg.id()] = key;
    return reg;
  }
  void load(const Gp& reg, const Key& key) {
    switch (key.home) {
    case Home::number: a_.mov(reg.r32(), memory(key)); break;
    case Home::cell: a_.movsx(reg.r32(), memory(key)); break;
    default: a_.mov(reg, memory(key));
    }
  }
  // Of a word or a number: as the second operand of an instruction.
  asmjit::Operand operand(const Key& key) {
    if (const auto reg = find(key)) return key.home == Home::number ? reg->r32() : *reg;
    needs(key);
    return memory(key);
  }
  // An instruction on a register and a value.
  void apply(asmjit::InstId what, const Gp& reg, const Key& key) {
    const auto pinned = pinned_;
    a_.emit(what, reg, operand(key));
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
      needs(key);
      load(reg, key);
    }
    return reg;
  }
  // The register holds the new value.
  void define(const Key& key, const Gp& reg) {
    forget(key);
    if (key.home == Home::cell) forget_cell(key.index);
    held_[reg.id()] = key;
    if (!homes(key.home)[place(key)]) return;
    switch (key.home) {
    case Home::number: a_.mov(memory(key), reg.r32()); break;
    case Home::cell: a_.mov(memory(key), reg.r16()); break;
    default: a_.mov(memory(key), reg);
    }
  }
  void forget_cell(std::uint32_t c) {
    for (auto& held : held_) {
      if (!held) continue;
      const bool of_it =
          (held->home == Home::bit_of_cell || held->home == Home::word_of_cell) && held->index == c;
      const bool of_both =
          held->home == Home::bits_of_two && (held->index >> 16 == c || (held->index & 0xffffU) == c);
      if (of_it || of_both) held.reset();
    }
  }

  // 1 << (cell mod 64)
  Gp bit_of(int c) {
    const Key key{Home::bit_of_cell, static_cast<std::uint32_t>(c)};
    if (const auto reg = find(key)) return *reg;
    const Gp where = read(cell(c)), reg = fresh();
    a_.xor_(reg.r32(), reg.r32());
    a_.bts(reg, where);
    held_[reg.id()] = key;
    return reg;
  }
  // cell div 64
  Gp word_of(int c) {
    const Key key{Home::word_of_cell, static_cast<std::uint32_t>(c)};
    if (const auto reg = find(key)) return *reg;
    const Gp reg = fresh(), where = read(cell(c));
    a_.mov(reg.r32(), where.r32());
    a_.shr(reg.r32(), 6);
    held_[reg.id()] = key;
    return reg;
  }
  // The word of a set that a cell is in; only in memory.
  Mem word_at(int set, int c) {
    needs_set(set);
    return x86::qword_ptr(sets_, word_of(c), 3, 8 * set * words_);
  }

  void mov_address(const Gp& reg, const void* p) { a_.mov(reg, reinterpret_cast<std::uintptr_t>(p)); }
  template <class T>
  [[nodiscard]] static std::int32_t offset_of(T SprintFrame::*member) {
    static const SprintFrame frame;
    return static_cast<std::int32_t>(reinterpret_cast<const char*>(&(frame.*member)) -
                                     reinterpret_cast<const char*>(&frame));
  }
  template <class T>
  [[nodiscard]] Mem field(T SprintFrame::*member) const {
    return x86::ptr(frame_, offset_of(member), sizeof(T));
  }

  // ---------------------------------------------------------------- the way through
  using Exits = std::array<asmjit::Label, kDecided>;
  struct Target {
    asmjit::Label label;
    bool is_target = false;
    bool wild = false; // also from somewhere that isn't known yet
    bool met = false;  // `held` counts
    Held held;         // what is so wherever one comes from
    int leaf = -1;     // of a leaf: its cell must be found out first
    asmjit::Label leaf_label;
  };
  void find_targets();
  [[nodiscard]] bool has_one_leaf(std::size_t p) const;
  [[nodiscard]] bool jumps(What what) const {
    return (what >= What::go && what <= What::if_free) || what == What::hop || what == What::take ||
           what == What::take_on || what == What::call || what == What::best;
  }
  void arrive(Target& target) {
    if (!target.met) {
      target.met = true;
      target.held = held_;
    }
    for (unsigned id = 0; id < 16; ++id)
      if (target.held[id] != held_[id]) target.held[id].reset();
  }
  void come_to(std::size_t i, bool falls);
  const asmjit::Label& to(std::int32_t x) {
    Target& target = targets_[at(x)];
    arrive(target);
    return target.label;
  }
  void jump_if(x86::CondCode condition, std::int32_t x) { a_.j(condition, to(x)); }

  // ---------------------------------------------------------------- operations
  using Words = std::vector<Gp>;
  void operation(const SprintOp& op, std::size_t index);
  bool set_operation(const SprintOp& op);
  bool number_operation(const SprintOp& op);
  bool condition(const SprintOp& op);
  bool change(const SprintOp& op);
  bool course(const SprintOp& op, std::size_t index);
  Words met(int a, int b);
  void meet(Words& words, int set);
  void define_set(int set, const Words& words) {
    for (int w = 0; w < words_; ++w) define(word(set, w), words[at(w)]);
  }
  void shift(Words& words, int by, bool up);
  void run(const SprintOp& op, bool up);
  bool rays(const SprintOp& op, bool with_stop);
  void join(int set, const Words& words);
  void test_set(int a);
  void test_both(int a, int b);
  void test_part(int a, int b);
  void saturate(const Gp& result, const Gp& first);
  void set_bit(int set, int c);
  void clear_bit(int set, int c);
  void test_bit(int set, int c);
  void carry(const SprintOp& op);
  void grab(const SprintOp& op);
  void give(const SprintOp& op);
  void hop(const SprintOp& op);
  void take(const SprintOp& op);
  void lookup(int to_cell, const Gp& from, const std::vector<std::int16_t>& table);
  bool row(const SprintOp& op);
  void join_row(const SprintOp& op);
  Gp count(const Words& words);
  Words words_of(int set) {
    Words words;
    for (int w = 0; w < words_; ++w) words.push_back(read(word(set, w)));
    return words;
  }
  void leaf(const Words& words, std::int32_t index);
  void leaf_draft(const SprintOp& op);
  void leaf_once(const SprintOp& op);
  void store_draft(const SprintOp& op, const Words& words, const Gp& from, const Gp& n,
                   const std::optional<Gp>& key);
  void add_part(const Gp& sum, const Gp& factor, const Gp& high, const Gp& low);
  Gp draft_key(const Gp& from, const Gp& word_in);
  void help_leaf(const SprintOp& op);
  void write(const SprintOp& op);
  void best(const SprintOp& op);
  Gp leaf_index(const Gp& leaf);
  void recall(const SprintOp& op);
  void save(const SprintOp& op);
  void restore(const SprintOp& op);
  void call(const SprintOp& op);
  template <class F>
  void each_kept(const SprintKept& kept, F&& f) const;
  void help(const SprintOp& op, NativeHelper helper);
  void pick(std::size_t index);
  void pick_number(const Gp& k);
  void pick_leaf(const Gp& k);
  void nth(const Gp& in, const Gp& k, const std::vector<asmjit::Operand>& words);
  void leaf_cell(int leaf, const Gp& from);
  void end_turn();
  void begin();
  void finish();
  void end();
  [[nodiscard]] std::int32_t next_player() const {
    return player_ + 1 == static_cast<std::int32_t>(code_.players.size()) ? 0 : player_ + 1;
  }
  [[nodiscard]] const Exits& exits() const { return exits_[at(player_)]; }
  [[nodiscard]] const SprintPlayer& player() const { return code_.players[at(player_)]; }

  const SprintCode& code_;
  const NativeLayout& layout_;
  int words_, leaf_bytes_;
  x86::Assembler a_;
  LineTables& lookups_;
  InMemory& in_memory_;
  bool final_, failed_ = false;

  Held held_;
  std::array<bool, 16> pinned_{};
  std::array<std::uint64_t, 16> used_{};
  std::uint64_t now_ = 0;
  std::vector<Target> targets_;
  std::int32_t player_ = 0;
  int only_set_ = -1; // the set of the only leaf of the player
  bool uses_again_ = false, uses_rounds_ = false, uses_keys_ = false;
  asmjit::Label entries_, exit_;
  std::vector<Exits> exits_;          // by player
  std::vector<asmjit::Label> tables_; // by player: of leaves
  struct Rare {                       // an uneven rest of the generator's range
    asmjit::Label here, again, back;
  };
  std::vector<Rare> rare_;
  struct Known { // a draft that may be known already
    asmjit::Label here, back;
    const SprintOp* op = nullptr;
    std::int32_t player = 0;
  };
  std::vector<Known> known_drafts_;
};

} // namespace boardwright::runtime::machine::native
