// Sprints as native code for x86-64: see sprint_native.hpp.
//
// Registers of the sprint live in memory. What an operation reads or writes is also remembered to lie in a
// register of the processor until that is wanted for something else; a value that is never read from memory
// isn't stored either. Which those are shows only in the end, so code is generated twice.
#include "runtime/sprint_native.hpp"

#include "runtime/sprint_keys.hpp"

#ifdef BOARDWRIGHT_ASMJIT

#include <asmjit/x86.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace boardwright::runtime::machine {

namespace {

namespace x86 = asmjit::x86;
using x86::Gp;
using x86::Mem;
using What = SprintOp::What;

// Of the generator of random numbers (playout.hpp).
constexpr std::uint64_t kRandomStep = 0xa0761d6478bd642fU, kRandomMix = 0xe7037ed1a0b428dbU;

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

[[nodiscard]] bool falls_through(What what) {
  return what != What::go && what != What::pick && what != What::decide && what != What::next &&
         what != What::ret;
}

// Lines through each cell, for rays that go along them both ways. What is free of a line is gathered to a
// small number, a table says how much of that is seen from the cell, and that is spread out to the line again
// ("pext bitboards").
class Lines {
public:
  // Longer ones have tables that don't fit into the nearest cache.
  static constexpr int kLongest = 10;
  struct Line {
    std::array<std::uint64_t, 2> cells{};
    const std::uint16_t* seen = nullptr; // by what is free
    std::uint64_t in_first = 0;          // cells in the first word
  };
  // Null where rays go one way, or too far.
  static std::unique_ptr<Lines> make(const Board& board, const std::vector<int>& steps, int words,
                                     bool with_stop);

  [[nodiscard]] const Line* lines() const { return lines_.data(); }
  [[nodiscard]] int axes() const { return axes_; }

private:
  bool add(const Board& board, int forth, int back, int cell);
  void make_table(bool with_stop);

  std::vector<Line> lines_;          // by cell and axis
  std::vector<std::uint16_t> table_; // by place in the line and what is free
  int axes_ = 0;
};

std::unique_ptr<Lines> Lines::make(const Board& board, const std::vector<int>& steps, int words,
                                   bool with_stop) {
  if (words > 2) return nullptr;
  auto all = std::make_unique<Lines>();
  all->make_table(with_stop);
  std::vector<std::pair<int, int>> axes;
  for (const int step : steps) {
    const Step& s = board.steps[static_cast<std::size_t>(step)];
    const int back = board.step_by(-s.dx, -s.dy);
    if (std::find(steps.begin(), steps.end(), back) == steps.end()) return nullptr;
    if (step < back) axes.emplace_back(step, back);
  }
  all->axes_ = static_cast<int>(axes.size());
  for (int cell = 0; cell < board.cells; ++cell)
    for (const auto& [forth, back] : axes)
      if (!all->add(board, forth, back, cell)) return nullptr;
  return all;
}

bool Lines::add(const Board& board, int forth, int back, int cell) {
  const auto next = [&board](int step, int c) -> int {
    return board.steps[static_cast<std::size_t>(step)].to[static_cast<std::size_t>(c)];
  };
  std::vector<int> cells;
  for (int c = cell; c != kNowhere && cells.size() <= kLongest; c = next(back, c)) cells.push_back(c);
  std::reverse(cells.begin(), cells.end());
  const std::size_t place = cells.size() - 1;
  for (int c = next(forth, cell); c != kNowhere && cells.size() <= kLongest; c = next(forth, c))
    cells.push_back(c);
  if (cells.size() > kLongest) return false;
  // Gathered bits are in the order of the cells' numbers.
  const bool falls = cells.size() > 1 && cells[0] > cells[1];
  if (falls) std::reverse(cells.begin(), cells.end());
  if (!std::is_sorted(cells.begin(), cells.end())) return false;
  Line& line = lines_.emplace_back();
  line.seen = table_.data() + ((falls ? cells.size() - 1 - place : place) << kLongest);
  for (const int c : cells) {
    line.cells[static_cast<std::size_t>(c) / 64] |= std::uint64_t{1} << (c % 64);
    line.in_first += c < 64 ? 1 : 0;
  }
  return true;
}

void Lines::make_table(bool with_stop) {
  constexpr std::size_t kStates = std::size_t{1} << kLongest;
  table_.resize(kLongest * kStates);
  for (int place = 0; place < kLongest; ++place) {
    for (std::size_t free = 0; free < kStates; ++free) {
      std::uint16_t& seen = table_[static_cast<std::size_t>(place) * kStates + free];
      for (const int way : {1, -1}) {
        for (int at = place + way; at >= 0 && at < kLongest; at += way) {
          const bool is_free = (free >> at & 1) != 0;
          if (is_free || with_stop) seen = static_cast<std::uint16_t>(seen | 1U << at);
          if (!is_free) break;
        }
      }
    }
  }
}

// Tables that code reads.
struct Tables {
  std::vector<std::pair<std::pair<int, bool>, std::unique_ptr<Lines>>> lines; // by rays, with what stops them
  const Lines* of(const SprintCode& code, int rays, bool with_stop, int words) {
    const std::pair<int, bool> key(rays, with_stop);
    for (const auto& known : lines)
      if (known.first == key) return known.second.get();
    lines.emplace_back(key,
                       Lines::make(code.board, code.rays[static_cast<std::size_t>(rays)], words, with_stop));
    return lines.back().second.get();
  }
};

class Generator {
public:
  Generator(const SprintCode& code, const NativeLayout& layout, asmjit::CodeHolder& holder, Tables& tables,
            InMemory& in_memory, bool final_pass)
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
    Target& target = targets_[static_cast<std::size_t>(x)];
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
    for (int w = 0; w < words_; ++w) define(word(set, w), words[static_cast<std::size_t>(w)]);
  }
  void shift(Words& words, int by, bool up);
  void run(const SprintOp& op, bool up);
  bool rays(const SprintOp& op, bool with_stop);
  void join(int set, const Words& words);
  void zero_test(const Words& words);
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
  [[nodiscard]] const Exits& exits() const { return exits_[static_cast<std::size_t>(player_)]; }
  [[nodiscard]] const SprintPlayer& player() const {
    return code_.players[static_cast<std::size_t>(player_)];
  }

  const SprintCode& code_;
  const NativeLayout& layout_;
  int words_, leaf_bytes_;
  x86::Assembler a_;
  Tables& lookups_;
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

// ---------------------------------------------------------------------------------------------------- way

void Generator::find_targets() {
  targets_.resize(code_.ops.size() + 1);
  const auto target = [this](std::size_t i, bool wild) {
    Target& t = targets_[i];
    t.is_target = true;
    t.wild = t.wild || wild;
  };
  for (std::size_t i = 0; i < code_.ops.size(); ++i) {
    const SprintOp& op = code_.ops[i];
    if (jumps(op.what))
      target(static_cast<std::size_t>(op.x), op.what == What::call || op.x <= static_cast<std::int32_t>(i));
    uses_again_ = uses_again_ || op.what == What::again;
    uses_rounds_ = uses_rounds_ || op.what == What::call;
    uses_keys_ = uses_keys_ || op.what == What::leaf_once;
  }
  for (std::size_t p = 0; p < code_.players.size(); ++p) {
    target(code_.players[p].entry, true);
    if (has_one_leaf(p)) {
      target(code_.players[p].leaves[0].entry, false);
      continue;
    }
    const auto& leaves = code_.players[p].leaves;
    for (std::size_t l = 0; l < leaves.size(); ++l) {
      Target& t = targets_[leaves[l].entry];
      // Only code that nothing else leads to can begin with finding out the cell.
      const bool alone = !t.is_target && !falls_through(code_.ops[leaves[l].entry - 1].what);
      t.leaf = alone ? static_cast<int>(l) : -1;
      if (alone) t.leaf_label = a_.newLabel();
      target(leaves[l].entry, true);
    }
  }
  for (Target& t : targets_)
    if (t.is_target) t.label = a_.newLabel();
}

// Of a player whose moves are all cells of one set.
bool Generator::has_one_leaf(std::size_t p) const {
  if (code_.pool) return true;
  const std::size_t begin = code_.players[p].entry;
  const std::size_t end = p + 1 < code_.players.size() ? code_.players[p + 1].entry : code_.ops.size();
  return std::any_of(code_.ops.begin() + static_cast<std::ptrdiff_t>(begin),
                     code_.ops.begin() + static_cast<std::ptrdiff_t>(end),
                     [](const SprintOp& op) { return op.what == What::leaf_only; });
}

void Generator::come_to(std::size_t i, bool falls) {
  Target& t = targets_[i];
  if (!t.is_target) return;
  if (t.leaf >= 0) {
    forget_all();
    a_.bind(t.leaf_label);
    release();
    leaf_cell(t.leaf, claim(x86::rax));
    release();
  } else if (t.wild) {
    forget_all();
  } else {
    if (falls) arrive(t);
    held_ = t.held;
  }
  a_.bind(t.label);
}

// What the chosen cell of a leaf says: where the walker of the move began.
void Generator::leaf_cell(int index, const Gp& from) {
  lookup(0, from, player().leaves[static_cast<std::size_t>(index)].origin);
}

// Cell `to_cell` is what the table says; mostly that is so many cells from the first.
void Generator::lookup(int to_cell, const Gp& from, const std::vector<std::int16_t>& table) {
  std::optional<int> by;
  bool even = true;
  for (std::size_t i = 0; i < table.size() && even; ++i) {
    if (table[i] < 0) continue;
    const int here = table[i] - static_cast<int>(i);
    even = !by || *by == here;
    by = here;
  }
  const Gp reg = fresh();
  if (even) {
    a_.lea(reg.r32(), x86::ptr(from, by.value_or(0)));
  } else {
    mov_address(reg, table.data());
    a_.movsx(reg.r32(), x86::word_ptr(reg, from, 1));
  }
  define(cell(to_cell), reg);
}

// ---------------------------------------------------------------------------------------------------- sets

Generator::Words Generator::met(int a, int b) {
  Words words;
  for (int w = 0; w < words_; ++w) {
    const Gp reg = copy_of(word(a, w));
    apply(x86::Inst::kIdAnd, reg, word(b, w));
    words.push_back(reg);
  }
  return words;
}

void Generator::meet(Words& words, int set) {
  for (int w = 0; w < words_; ++w) apply(x86::Inst::kIdAnd, words[static_cast<std::size_t>(w)], word(set, w));
}

void Generator::shift(Words& words, int by, bool up) {
  const int apart = by / 64, bits = by % 64;
  const Gp part = words_ > 1 && bits != 0 ? fresh() : Gp();
  for (int i = 0; i < words_; ++i) {
    const int w = up ? words_ - 1 - i : i;
    const int from = up ? w - apart : w + apart, beside = up ? from - 1 : from + 1;
    const Gp& into = words[static_cast<std::size_t>(w)];
    if (from < 0 || from >= words_) {
      a_.xor_(into.r32(), into.r32());
      continue;
    }
    if (from != w) a_.mov(into, words[static_cast<std::size_t>(from)]);
    if (bits == 0) continue;
    up ? a_.shl(into, bits) : a_.shr(into, bits);
    if (beside < 0 || beside >= words_) continue;
    a_.rorx(part, words[static_cast<std::size_t>(beside)], 0);
    up ? a_.shr(part, 64 - bits) : a_.shl(part, 64 - bits);
    a_.or_(into, part);
  }
  if (part.isValid()) pinned_[part.id()] = false;
}

void Generator::join(int set, const Words& words) {
  for (int w = 0; w < words_; ++w) apply(x86::Inst::kIdOr, words[static_cast<std::size_t>(w)], word(set, w));
  define_set(set, words);
}

void Generator::run(const SprintOp& op, bool up) {
  Words through = met(op.b, op.c), all, more;
  for (int w = 0; w < words_; ++w) all.push_back(copy_of(word(op.a, w)));
  shift(all, op.x, up);
  for (std::size_t w = 0; w < all.size(); ++w) {
    a_.and_(all[w], through[w]);
    more.push_back(fresh());
  }
  int by = op.x;
  for (int i = 0; i < op.rounds; ++i, by *= 2) {
    for (std::size_t w = 0; w < all.size(); ++w) a_.mov(more[w], all[w]);
    shift(more, by, up);
    for (std::size_t w = 0; w < all.size(); ++w) {
      a_.and_(more[w], through[w]);
      a_.or_(all[w], more[w]);
    }
    if (i + 1 == op.rounds) break;
    for (std::size_t w = 0; w < all.size(); ++w) a_.mov(more[w], through[w]);
    shift(more, by, up);
    for (std::size_t w = 0; w < all.size(); ++w) a_.and_(through[w], more[w]);
  }
  define_set(op.d, all);
}

bool Generator::rays(const SprintOp& op, bool with_stop) {
  const Lines* lines = lookups_.of(code_, op.x, with_stop, words_);
  if (lines == nullptr || lines->axes() == 0) return false;
  const Words through = words_of(op.b);
  const Gp line = fresh(), from = read(cell(op.a));
  a_.imul(line, from, static_cast<int>(sizeof(Lines::Line)) * lines->axes());
  pinned_[from.id()] = false;
  const Gp seen = fresh(), part = fresh(), first = words_ > 1 ? fresh() : Gp();
  mov_address(seen, lines->lines());
  a_.add(line, seen);
  Words all;
  for (int w = 0; w < words_; ++w) all.push_back(fresh());
  for (int axis = 0; axis < lines->axes(); ++axis) {
    const auto in_line = [&](std::size_t field, int w = 0) {
      return x86::qword_ptr(line,
                            axis * static_cast<int>(sizeof(Lines::Line)) + static_cast<int>(field) + 8 * w);
    };
    const std::size_t cells = offsetof(Lines::Line, cells);
    a_.pext(seen, through[0], in_line(cells));
    if (words_ > 1) {
      a_.mov(first, in_line(offsetof(Lines::Line, in_first)));
      a_.pext(part, through[1], in_line(cells, 1));
      a_.shlx(part, part, first);
      a_.or_(seen, part);
    }
    a_.mov(part, in_line(offsetof(Lines::Line, seen)));
    a_.movzx(seen.r32(), x86::word_ptr(part, seen, 1));
    for (int w = 0; w < words_; ++w) {
      const Gp& into = all[static_cast<std::size_t>(w)];
      if (w > 0) a_.shrx(seen, seen, first);
      a_.pdep(axis == 0 ? into : part, seen, in_line(cells, w));
      if (axis > 0) a_.or_(into, part);
    }
  }
  define_set(op.d, all);
  return true;
}

bool Generator::set_operation(const SprintOp& op) {
  switch (op.what) {
  case What::copy:
    for (int w = 0; w < words_; ++w) define(word(op.d, w), copy_of(word(op.a, w)));
    return true;
  case What::unite:
  case What::meet:
    for (int w = 0; w < words_; ++w) {
      const Gp reg = copy_of(word(op.a, w));
      apply(op.what == What::unite ? x86::Inst::kIdOr : x86::Inst::kIdAnd, reg, word(op.b, w));
      define(word(op.d, w), reg);
      if (words_ > 2) release();
    }
    return true;
  case What::minus:
    for (int w = 0; w < words_; ++w) {
      const Gp without = read(word(op.b, w));
      const asmjit::Operand from = operand(word(op.a, w));
      const Gp reg = fresh();
      a_.emit(x86::Inst::kIdAndn, reg, without, from);
      define(word(op.d, w), reg);
      if (words_ > 2) release();
    }
    return true;
  case What::up:
  case What::down:
  case What::up_meet:
  case What::down_meet: {
    Words words = met(op.a, op.b);
    shift(words, op.x, op.what == What::up || op.what == What::up_meet);
    if (op.what == What::up_meet || op.what == What::down_meet) meet(words, op.c);
    define_set(op.d, words);
    return true;
  }
  case What::join_up:
  case What::join_down: {
    Words words = met(op.a, op.b);
    shift(words, op.x, op.what == What::join_up);
    join(op.d, words);
    return true;
  }
  case What::run_up:
  case What::run_down:
    if (words_ > 2) return false;
    run(op, op.what == What::run_up);
    return true;
  case What::rays:
  case What::slides: return rays(op, op.what == What::slides);
  case What::first: {
    if (words_ > 1) return false;
    const Gp reg = fresh();
    apply(x86::Inst::kIdBlsi, reg, word(op.a, 0));
    define(word(op.d, 0), reg);
    return true;
  }
  case What::bit: {
    if (words_ == 1) {
      const Gp bit = bit_of(op.a), reg = fresh();
      a_.mov(reg, bit);
      define(word(op.d, 0), reg);
      return true;
    }
    const Gp bit = bit_of(op.a);
    const Mem there = word_at(op.d, op.a);
    forget_set(op.d);
    const Gp zero = fresh();
    a_.xor_(zero.r32(), zero.r32());
    for (int w = 0; w < words_; ++w) a_.mov(memory(word(op.d, w)), zero);
    a_.mov(there, bit);
    return true;
  }
  default: return false;
  }
}

// ----------------------------------------------------------------------------------------------------
// numbers

Gp Generator::count(const Words& words) {
  const Gp sum = fresh();
  a_.popcnt(sum, words[0]);
  for (std::size_t w = 1; w < words.size(); ++w) {
    const Gp part = fresh();
    a_.popcnt(part, words[w]);
    a_.add(sum.r32(), part.r32());
    pinned_[part.id()] = false;
  }
  return sum;
}

// What overflowed has the sign of the first operand.
void Generator::saturate(const Gp& result, const Gp& first) {
  const asmjit::Label good = a_.newLabel();
  a_.jno(good);
  a_.mov(result.r32(), first.r32());
  a_.sar(result.r32(), 31);
  a_.xor_(result.r32(), std::numeric_limits<std::int32_t>::max());
  a_.bind(good);
}

bool Generator::number_operation(const SprintOp& op) {
  switch (op.what) {
  case What::count: define(number(op.d), count(words_of(op.a))); return true;
  case What::number: define(number(op.d), copy_of(number(op.a))); return true;
  case What::add:
  case What::subtract: {
    const Gp first = read(number(op.a)), reg = fresh();
    const asmjit::Operand second = operand(number(op.b));
    a_.mov(reg.r32(), first.r32());
    a_.emit(op.what == What::add ? x86::Inst::kIdAdd : x86::Inst::kIdSub, reg.r32(), second);
    saturate(reg, first);
    define(number(op.d), reg);
    return true;
  }
  case What::least:
  case What::greatest: {
    const Gp first = copy_of(number(op.a)), second = read(number(op.b));
    a_.cmp(second.r32(), first.r32());
    op.what == What::least ? a_.cmovl(first.r32(), second.r32()) : a_.cmovg(first.r32(), second.r32());
    define(number(op.d), first);
    return true;
  }
  case What::set_truth: {
    const Gp reg = fresh();
    a_.mov(reg.r32(), op.x);
    define(number(op.d), reg);
    return true;
  }
  default: return false;
  }
}

// ----------------------------------------------------------------------------------------------------
// conditions

void Generator::test_set(int a) {
  if (words_ == 1) {
    if (const auto reg = find(word(a, 0))) {
      a_.test(*reg, *reg);
    } else {
      needs_set(a);
      a_.cmp(memory(word(a, 0)), 0);
    }
    return;
  }
  const Gp all = copy_of(word(a, 0));
  for (int w = 1; w < words_; ++w) apply(x86::Inst::kIdOr, all, word(a, w));
}

void Generator::test_both(int a, int b) {
  Gp all;
  for (int w = 0; w < words_; ++w) {
    const Gp reg = copy_of(word(a, w));
    apply(x86::Inst::kIdAnd, reg, word(b, w));
    w == 0 ? void(all = reg) : void(a_.or_(all, reg));
    if (w > 0) pinned_[reg.id()] = false;
  }
}

void Generator::test_part(int a, int b) {
  Gp all;
  for (int w = 0; w < words_; ++w) {
    const Gp of = read(word(b, w));
    const asmjit::Operand part = operand(word(a, w));
    const Gp reg = fresh();
    a_.emit(x86::Inst::kIdAndn, reg, of, part);
    w == 0 ? void(all = reg) : void(a_.or_(all, reg));
    if (w > 0) pinned_[reg.id()] = false;
    pinned_[of.id()] = false;
  }
}

void Generator::test_bit(int set, int c) {
  const Gp where = read(cell(c));
  if (words_ == 1) {
    a_.bt(read(word(set, 0)), where);
    return;
  }
  const Gp reg = fresh();
  a_.mov(reg, word_at(set, c));
  a_.bt(reg, where);
}

bool Generator::condition(const SprintOp& op) {
  using x86::CondCode;
  switch (op.what) {
  case What::go: a_.jmp(to(op.x)); return true;
  case What::if_none:
  case What::if_some:
    test_set(op.a);
    jump_if(op.what == What::if_none ? CondCode::kZ : CondCode::kNZ, op.x);
    return true;
  case What::if_apart:
  case What::if_meet:
    test_both(op.a, op.b);
    jump_if(op.what == What::if_apart ? CondCode::kZ : CondCode::kNZ, op.x);
    return true;
  case What::if_in:
  case What::if_out:
    test_bit(op.b, op.a);
    jump_if(op.what == What::if_in ? CondCode::kC : CondCode::kNC, op.x);
    return true;
  case What::if_part:
  case What::if_not_part:
    test_part(op.a, op.b);
    jump_if(op.what == What::if_part ? CondCode::kZ : CondCode::kNZ, op.x);
    return true;
  case What::if_less:
  case What::if_not_less:
  case What::if_equal:
  case What::if_not_equal: {
    const Gp first = read(number(op.a));
    apply(x86::Inst::kIdCmp, first.r32(), number(op.b));
    jump_if(op.what == What::if_less       ? CondCode::kL
            : op.what == What::if_not_less ? CondCode::kGE
            : op.what == What::if_equal    ? CondCode::kE
                                           : CondCode::kNE,
            op.x);
    return true;
  }
  case What::if_row:
  case What::if_no_row:
    if (!row(op)) {
      help(op, layout_.help[static_cast<std::size_t>(What::if_row)]);
      a_.test(x86::eax, x86::eax);
    }
    jump_if(op.what == What::if_row ? CondCode::kNZ : CondCode::kZ, op.x);
    return true;
  case What::if_stuck:
  case What::if_free:
    a_.test(total_.r32(), total_.r32());
    jump_if(op.what == What::if_stuck ? CondCode::kZ : CondCode::kNZ, op.x);
    return true;
  default: return false;
  }
}

// As Sprint::joins_row; the flags say whether there is one.
void Generator::join_row(const SprintOp& op) {
  const NativeLayout::Lines& lines = layout_.lines[op.d - 1U];
  const Gp where = read(cell(op.a)), table = fresh(), places = fresh();
  a_.imul(table, where, 2 * lines.axes);
  mov_address(places, lines.places);
  a_.add(places, table);
  mov_address(table, lines.with);
  const Gp place = fresh(), line = fresh(), full = fresh(), less = fresh(), found = fresh();
  for (int axis = 0; axis < lines.axes; ++axis) {
    a_.movzx(place.r32(), x86::word_ptr(places, 2 * axis));
    a_.mov(line.r32(), place.r32());
    a_.shr(line.r32(), 5);
    const Mem there = x86::dword_ptr(sets_, line, 2, static_cast<std::int32_t>(lines.at));
    a_.mov(full.r32(), there);
    a_.bts(full.r32(), place.r32());
    a_.mov(there, full.r32());
    a_.and_(place.r32(), kLongestLine - 1);
    for (const int by : lines.shifts) {
      a_.mov(less.r32(), full.r32());
      a_.shr(less.r32(), by);
      a_.and_(full.r32(), less.r32());
    }
    a_.and_(full.r32(), x86::dword_ptr(table, place, 2));
    axis == 0 ? a_.mov(found.r32(), full.r32()) : a_.or_(found.r32(), full.r32());
  }
  a_.test(found.r32(), found.r32());
}

// As Sprint::in_row does it on small boards; the flags say whether there is one.
bool Generator::row(const SprintOp& op) {
  if (op.d != 0) {
    join_row(op);
    return true;
  }
  if (words_ > 1 || layout_.rows.empty()) return false;
  const NativeLayout::Row& row = layout_.rows[op.c];
  if (row.shifts.empty()) return false;
  const Gp bit = bit_of(op.a), where = read(cell(op.a));
  const Gp set = copy_of(word(op.b, 0));
  a_.or_(set, bit);
  const Gp found = fresh(), full = fresh(), less = fresh();
  for (std::size_t axis = 0; axis < row.shifts.size(); ++axis) {
    const Gp& into = axis == 0 ? found : full;
    a_.mov(into, set);
    for (const int by : row.shifts[axis]) {
      if (by == 0) continue;
      a_.mov(less, into);
      a_.shr(less, by);
      a_.and_(into, less);
    }
    mov_address(less, row.begins[axis]);
    a_.and_(into, x86::qword_ptr(less, where, 3));
    if (axis > 0) a_.or_(found, full);
  }
  a_.test(found, found);
  return true;
}

// ----------------------------------------------------------------------------------------------------
// changes

void Generator::set_bit(int set, int c) {
  if (words_ == 1) {
    const Gp where = read(cell(c)), reg = read(word(set, 0));
    a_.bts(reg, where);
    define(word(set, 0), reg);
    return;
  }
  const Gp bit = bit_of(c);
  a_.or_(word_at(set, c), bit);
  forget_set(set);
}

void Generator::clear_bit(int set, int c) {
  if (words_ == 1) {
    const Gp where = read(cell(c)), reg = read(word(set, 0));
    a_.btr(reg, where);
    define(word(set, 0), reg);
    return;
  }
  const Gp bit = bit_of(c);
  const Mem there = word_at(set, c);
  const Gp reg = fresh();
  a_.andn(reg, bit, there);
  a_.mov(there, reg);
  forget_set(set);
}

void Generator::carry(const SprintOp& op) {
  if (words_ > 1) {
    const Gp from = bit_of(op.a), to = bit_of(op.b);
    a_.xor_(word_at(op.d, op.a), from);
    a_.xor_(word_at(op.d, op.b), to);
    forget_set(op.d);
    return;
  }
  const Key key{Home::bits_of_two, static_cast<std::uint32_t>(op.a) << 16 | op.b};
  auto both = find(key);
  if (!both) {
    const Gp from = read(cell(op.a)), to = read(cell(op.b));
    both = fresh();
    a_.xor_(both->r32(), both->r32());
    a_.bts(*both, from);
    a_.bts(*both, to);
    held_[both->id()] = key;
  }
  const Gp reg = read(word(op.d, 0));
  a_.xor_(reg, *both);
  define(word(op.d, 0), reg);
}

void Generator::grab(const SprintOp& op) {
  test_bit(op.a, op.b);
  const Gp flag = fresh();
  a_.setc(flag.r8());
  a_.movzx(flag.r32(), flag.r8());
  define(number(op.d), flag);
  clear_bit(op.a, op.b);
}

void Generator::give(const SprintOp& op) {
  const Gp flag = read(number(op.a));
  if (words_ == 1) {
    const Gp bit = bit_of(op.b), where = read(cell(op.b)), reg = read(word(op.d, 0)), with = fresh();
    a_.btr(reg, where);
    a_.mov(with, reg);
    a_.or_(with, bit);
    a_.test(flag.r32(), flag.r32());
    a_.cmovnz(reg, with);
    define(word(op.d, 0), reg);
    return;
  }
  const Gp bit = bit_of(op.b);
  const Mem there = word_at(op.d, op.b);
  const Gp reg = fresh(), with = fresh();
  a_.andn(reg, bit, there);
  a_.mov(with, reg);
  a_.or_(with, bit);
  a_.test(flag.r32(), flag.r32());
  a_.cmovnz(reg, with);
  a_.mov(there, reg);
  forget_set(op.d);
}

void Generator::hop(const SprintOp& op) {
  const Gp from = read(cell(op.a));
  const Gp reg = fresh();
  mov_address(reg, code_.board.steps[op.c].to.data());
  a_.movsx(reg.r32(), x86::word_ptr(reg, from, 1));
  a_.test(reg.r32(), reg.r32());
  if (words_ == 1) {
    const Gp set = read(word(op.b, 0));
    jump_if(x86::CondCode::kS, op.x);
    a_.bt(set, reg);
  } else {
    needs_set(op.b);
    jump_if(x86::CondCode::kS, op.x);
    const Gp there = fresh();
    a_.mov(there.r32(), reg.r32());
    a_.shr(there.r32(), 6);
    a_.mov(there, x86::qword_ptr(sets_, there, 3, 8 * op.b * words_));
    a_.bt(there, reg);
  }
  jump_if(x86::CondCode::kNC, op.x);
  define(cell(op.d), reg);
}

// `take` goes to x if there is no cell, `take_on` if there is one.
void Generator::take(const SprintOp& op) {
  const bool on = op.what == What::take_on;
  const asmjit::Label none = a_.newLabel();
  const auto leave_if_none = [&] { on ? void(a_.jz(none)) : jump_if(x86::CondCode::kZ, op.x); };
  if (words_ == 1) {
    const Gp set = read(word(op.a, 0));
    a_.test(set, set);
    leave_if_none();
    const Gp where = fresh();
    a_.tzcnt(where, set);
    a_.blsr(set, set);
    define(word(op.a, 0), set);
    define(cell(op.d), where);
  } else if (words_ == 2) {
    const Gp low = read(word(op.a, 0)), high = read(word(op.a, 1)), less = fresh(), where = fresh();
    a_.mov(less, low);
    a_.or_(less, high);
    leave_if_none();
    a_.tzcnt(where, high);
    a_.add(where.r32(), 64);
    a_.blsr(less, high);
    a_.test(low, low);
    a_.cmovz(high, less);
    a_.tzcnt(less, low);
    a_.blsr(low, low); // its carry says: there was none, as before
    a_.cmovnc(where, less);
    define(word(op.a, 0), low);
    define(word(op.a, 1), high);
    define(cell(op.d), where);
  } else {
    help(op, layout_.help[static_cast<std::size_t>(What::take)]);
    a_.cmp(x86::eax, -1);
    leave_if_none();
    needs(cell(op.d));
    a_.mov(memory(cell(op.d)), x86::ax);
  }
  if (!on) return;
  a_.jmp(to(op.x));
  a_.bind(none);
  forget_all(); // here the registers hold what they did before
}

bool Generator::change(const SprintOp& op) {
  switch (op.what) {
  case What::place: lookup(op.d, read(cell(0)), code_.places[static_cast<std::size_t>(op.x)]); return true;
  case What::set_bit: set_bit(op.d, op.a); return true;
  case What::clear_bit: clear_bit(op.d, op.a); return true;
  case What::carry: carry(op); return true;
  case What::grab: grab(op); return true;
  case What::give: give(op); return true;
  case What::hop: hop(op); return true;
  case What::take:
  case What::take_on: take(op); return true;
  case What::copy_cell: define(cell(op.d), copy_of(cell(op.a))); return true;
  case What::again: a_.mov(field(&SprintFrame::again), 1); return true;
  case What::drop:
    set_bit(op.d, op.a);
    clear_bit(op.b, op.a);
    return true;
  default: return false;
  }
}

// ---------------------------------------------------------------------------------------------------- course

void Generator::leaf(const Words& words, std::int32_t index) {
  for (int w = 0; w < words_; ++w)
    a_.mov(x86::qword_ptr(leaf_end_, 8 * w), words[static_cast<std::size_t>(w)]);
  const Gp n = count(words), next = fresh();
  a_.add(total_.r32(), n.r32());
  a_.mov(x86::dword_ptr(leaf_end_, 8 * words_), total_.r32());
  a_.mov(x86::dword_ptr(leaf_end_, 8 * words_ + 4), index);
  a_.lea(next, x86::ptr(leaf_end_, leaf_bytes_));
  a_.test(n.r32(), n.r32());
  a_.cmovnz(leaf_end_, next);
}

// Its number, exactly: the size of a leaf is 8 times an odd number or a power of two.
Gp Generator::leaf_index(const Gp& leaf) {
  const Gp reg = fresh();
  a_.mov(reg, leaf);
  a_.sub(reg, field(&SprintFrame::leaves));
  int even = 0;
  while ((leaf_bytes_ >> even) % 2 == 0) ++even;
  const auto odd = static_cast<std::uint64_t>(leaf_bytes_ >> even);
  a_.shr(reg, even);
  if (odd == 1) return reg;
  std::uint64_t inverse = odd; // Newton's iteration doubles the bits that are right, of which there are three
  for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
  const Gp by = fresh();
  a_.mov(by, inverse);
  a_.imul(reg, by);
  pinned_[by.id()] = false;
  return reg;
}

void Generator::leaf_draft(const SprintOp& op) {
  const asmjit::Label none = a_.newLabel();
  const Words words = words_of(op.a);
  const Gp from = read(cell(op.b));
  const Gp n = count(words);
  const Held before = held_;
  a_.test(n.r32(), n.r32());
  a_.jz(none);
  a_.cmp(leaf_end_, field(&SprintFrame::leaf_limit));
  a_.jae(exits().at(kGaveUp));
  store_draft(op, words, from, n, std::nullopt);
  a_.bind(none);
  // On the shorter way nothing has been put into the registers that were taken here.
  for (unsigned id = 0; id < 16; ++id)
    if (held_[id] != before[id]) held_[id].reset();
}

// Drafts with a key that may be known are left to the helper.
void Generator::leaf_once(const SprintOp& op) {
  const asmjit::Label none = a_.newLabel(), known = a_.newLabel();
  needs_set(op.a);
  needs(cell(op.b));
  for (const int set : code_.kept[op.d].sets) needs_set(set);
  for (const int set : {code_.draft_sets - 1, code_.draft_sets - 2}) needs_set(set);
  const Gp word_in = claim(x86::rdx), from = read(cell(op.b));
  const Words words = words_of(op.a);
  const Gp n = count(words);
  a_.test(n.r32(), n.r32());
  a_.jz(none);
  for (const Gp& reg : words) pinned_[reg.id()] = false;
  a_.cmp(leaf_end_, field(&SprintFrame::leaf_limit));
  a_.jae(exits().at(kGaveUp));
  const Gp key = draft_key(from, word_in);
  pinned_[word_in.id()] = false;
  {
    const Gp which = fresh(), bit = fresh(), seen = fresh();
    a_.rorx(which, key, 62);
    a_.and_(which.r32(), 3);
    a_.rorx(bit, key, 56);
    a_.mov(seen, x86::qword_ptr(frame_, which, 3, offset_of(&SprintFrame::seen)));
    a_.bts(seen, bit);
    a_.jc(known);
    a_.mov(x86::qword_ptr(frame_, which, 3, offset_of(&SprintFrame::seen)), seen);
    for (const Gp& reg : {which, bit, seen}) pinned_[reg.id()] = false;
  }
  store_draft(op, words_of(op.a), from, n, key);
  a_.bind(none);
  known_drafts_.push_back({known, a_.newLabel(), &op, player_});
  a_.bind(known_drafts_.back().back);
  forget_all(); // the helper leaves nothing where it was
}

void Generator::help_leaf(const SprintOp& op) {
  for (const int set : code_.kept[op.d].sets) needs_set(set);
  for (const int set : {code_.draft_sets - 1, code_.draft_sets - 2})
    needs_set(set); // what tells drafts apart
  help(op, layout_.help[static_cast<std::size_t>(What::leaf_once)]);
  a_.mov(leaf_end_, field(&SprintFrame::leaf_end));
  a_.mov(total_.r32(), field(&SprintFrame::total));
  a_.test(x86::eax, x86::eax);
  a_.jnz(exits().at(kGaveUp));
}

// As Sprint::write, write_put and write_set do it.
void Generator::write(const SprintOp& op) {
  const Gp more = claim(x86::rdx), factor = fresh(), text = copy_of(word(op.d, 0)), part = fresh();
  a_.mov(part, kTextSalt);
  a_.mov(factor, kKeyFactor);
  const auto go_on = [&] { // with what is in `more`, disturbed
    a_.xor_(more, text);
    a_.mulx(text, more, factor);
    a_.xor_(text, more);
  };
  if (op.what == What::write_set) {
    const int salt = op.b;
    for (int w = 0; w < words_; ++w) {
      a_.mov(more, part);
      apply(x86::Inst::kIdXor, more, word(op.a, w));
      if (salt != 0) a_.xor_(more, salt);
      go_on();
    }
  } else {
    const Gp from = read(cell(op.a));
    a_.mov(more.r32(), from.r32());
    a_.shl(more, 8);
    if (op.what == What::write) {
      a_.or_(more, static_cast<int>(op.b));
    } else { // 2 if the set has members, else 3
      test_set(op.b);
      const Gp none = fresh();
      a_.setz(none.r8());
      a_.movzx(none.r32(), none.r8());
      a_.add(none.r32(), 2);
      a_.or_(more, none);
      pinned_[none.id()] = false;
    }
    a_.xor_(more, part);
    go_on();
  }
  define(word(op.d, 0), text);
  if (op.what != What::write_put) return;
  for (const Gp& reg : {more, factor, part}) pinned_[reg.id()] = false;
  for (int w = 0; w < words_; ++w) {
    const Gp zero = fresh();
    a_.xor_(zero.r32(), zero.r32());
    define(word(op.b, w), zero);
    pinned_[zero.id()] = false;
  }
}

// As Sprint::improves.
void Generator::best(const SprintOp& op) {
  const asmjit::Label better = a_.newLabel(), done = a_.newLabel();
  const Gp score = read(number(op.a));
  a_.cmp(field(&SprintFrame::scored), 0);
  a_.je(better);
  a_.cmp(score.r32(), field(&SprintFrame::best_score));
  jump_if(x86::CondCode::kL, op.x);
  a_.je(done);
  a_.bind(better);
  a_.mov(leaf_end_, field(&SprintFrame::leaves));
  a_.xor_(total_.r32(), total_.r32());
  a_.mov(field(&SprintFrame::scored), 1);
  a_.mov(field(&SprintFrame::best_score), score.r32());
  a_.bind(done);
}

void Generator::store_draft(const SprintOp& op, const Words& words, const Gp& from, const Gp& n,
                            const std::optional<Gp>& key) {
  a_.add(total_.r32(), n.r32());
  for (int w = 0; w < words_; ++w)
    a_.mov(x86::qword_ptr(leaf_end_, 8 * w), words[static_cast<std::size_t>(w)]);
  for (const Gp& reg : words) pinned_[reg.id()] = false;
  a_.mov(x86::dword_ptr(leaf_end_, 8 * words_), total_.r32());
  a_.mov(x86::dword_ptr(leaf_end_, 8 * words_ + 4), op.x);
  a_.mov(x86::word_ptr(leaf_end_, 8 * words_ + 8), from.r16());
  if (op.c != 0) { // else nobody asks for it
    const auto pinned = pinned_;
    a_.mov(x86::word_ptr(leaf_end_, 8 * words_ + 10), read(cell(op.c)).r16());
    pinned_ = pinned;
  }
  if (!key && code_.kept[op.d].sets.empty()) {
    a_.add(leaf_end_, leaf_bytes_);
    return;
  }
  const Gp index = leaf_index(leaf_end_);
  if (key) {
    const Gp base = fresh();
    a_.mov(base, field(&SprintFrame::keys));
    a_.mov(x86::qword_ptr(base, index, 3), *key);
    pinned_[base.id()] = false;
  }
  a_.imul(index, index, code_.draft_sets * words_ * 8);
  a_.add(index, field(&SprintFrame::drafts));
  a_.add(leaf_end_, leaf_bytes_);
  int offset = 0;
  each_kept(code_.kept[op.d], [&](const Key& kept, int size) {
    const auto pinned = pinned_;
    a_.mov(x86::qword_ptr(index, offset), read(kept));
    pinned_ = pinned;
    offset += size;
  });
}

// Adds the part of a word that is in rdx.
void Generator::add_part(const Gp& sum, const Gp& factor, const Gp& high, const Gp& low) {
  a_.mulx(high, low, factor);
  a_.xor_(high, low);
  a_.add(sum, high);
}

// As Sprint::draft_key; `word_in` is rdx.
Gp Generator::draft_key(const Gp& from, const Gp& word_in) {
  const KeyPlaces places(code_.state_sets, code_.ply, static_cast<std::size_t>(words_));
  const Gp sum = fresh(), factor = fresh(), high = fresh(), low = fresh();
  a_.mov(factor, kKeyFactor);
  a_.mov(word_in, key_salt(places.start));
  a_.xor_(word_in, from);
  a_.mulx(sum, low, factor);
  a_.xor_(sum, low);
  const auto add = [&](std::size_t place, const Key& key) {
    a_.mov(word_in, key_salt(place));
    if (key.home == Home::number) {
      load(low, key); // the upper half becomes zero
      needs(key);
      a_.xor_(word_in, low);
    } else {
      apply(x86::Inst::kIdXor, word_in, key);
    }
    add_part(sum, factor, high, low);
  };
  for (int set = 0; set < code_.state_sets; ++set)
    for (int w = 0; w < words_ && !code_.follows(static_cast<std::size_t>(set)); ++w)
      add(static_cast<std::size_t>(set * words_ + w), word(set, w));
  for (int k = 0; k < code_.ply; ++k) add(places.numbers + static_cast<std::size_t>(k), number(k));
  add(places.text, word(code_.draft_sets - 1, 0));
  for (int w = 0; w < words_; ++w)
    add(places.gone + static_cast<std::size_t>(w), word(code_.draft_sets - 2, w));
  for (const Gp& reg : {factor, high, low}) pinned_[reg.id()] = false;
  return sum;
}

void Generator::recall(const SprintOp& op) {
  forget_all();
  const Gp chosen = fresh();
  a_.mov(chosen, field(&SprintFrame::chosen));
  for (const int c : {1, 2}) {
    const Gp where = fresh();
    a_.movsx(where.r32(), x86::word_ptr(chosen, 8 * words_ + 6 + 2 * c));
    define(cell(c), where);
    pinned_[where.id()] = false;
  }
  if (code_.kept[static_cast<std::size_t>(op.x)].sets.empty()) return;
  const Gp index = leaf_index(chosen), part = fresh();
  a_.imul(index, index, code_.draft_sets * words_ * 8);
  a_.add(index, field(&SprintFrame::drafts));
  int offset = 0;
  each_kept(code_.kept[static_cast<std::size_t>(op.x)], [&](const Key& key, int size) {
    needs(key);
    a_.mov(part, x86::qword_ptr(index, offset));
    a_.mov(memory(key), part);
    offset += size;
  });
}

void Generator::save(const SprintOp& op) {
  for (const int set : code_.kept[static_cast<std::size_t>(op.x)].sets) {
    for (int w = 0; w < words_; ++w) define(word(op.d + set, w), copy_of(word(set, w)));
    release();
  }
}

void Generator::restore(const SprintOp& op) {
  for (const int set : code_.kept[static_cast<std::size_t>(op.x)].sets) {
    for (int w = 0; w < words_; ++w) define(word(set, w), copy_of(word(op.a + set, w)));
    release();
  }
}

// What is kept, with its bytes.
template <class F>
void Generator::each_kept(const SprintKept& kept, F&& f) const {
  for (const int set : kept.sets)
    for (int w = 0; w < words_; ++w) f(word(set, w), 8);
  for (const int n : kept.numbers) f(number(n), 4);
  for (const int c : kept.cells) f(cell(c), 2);
}

void Generator::call(const SprintOp& op) {
  const SprintLoop& l = code_.loops[op.d];
  const Gp from = read(cell(op.a));
  a_.mov(x86::word_ptr(x86::rsp, -16), from.r16()); // below the stack, where nothing disturbs it here
  release();
  const SprintKept& kept = code_.kept[op.b];
  int bytes = 0;
  each_kept(kept, [&bytes](const Key&, int size) { bytes += size; });
  bytes = (bytes + 7) / 8 * 8;
  a_.inc(field(&SprintFrame::rounds));
  a_.cmp(field(&SprintFrame::rounds), layout_.most_rounds);
  a_.ja(exits().at(kGaveUp));
  const Gp stack = fresh(), end = fresh();
  a_.mov(stack, field(&SprintFrame::stack));
  a_.lea(end, x86::ptr(stack, bytes));
  a_.cmp(end, field(&SprintFrame::stack_limit));
  a_.ja(exits().at(kGaveUp));
  a_.mov(field(&SprintFrame::stack), end);
  const Gp part = end;
  int offset = 0;
  each_kept(kept, [&](const Key& key, int size) {
    needs(key);
    const Mem to = x86::ptr(stack, offset, static_cast<std::uint32_t>(size));
    if (size == 8) a_.mov(part, memory(key)), a_.mov(to, part);
    if (size == 4) a_.mov(part.r32(), memory(key)), a_.mov(to, part.r32());
    if (size == 2) a_.movzx(part.r32(), memory(key)), a_.mov(to, part.r16());
    offset += size;
  });
  a_.movzx(part.r32(), x86::word_ptr(x86::rsp, -16));
  needs(cell(l.cell));
  needs(number(l.any));
  needs(number(l.deep));
  a_.mov(memory(cell(l.cell)), part.r16());
  a_.mov(memory(number(l.any)), 0);
  a_.mov(memory(number(l.deep)), op.c);
  a_.sub(x86::rsp, 8); // even, as calls of helpers want it
  a_.call(to(op.x));
  a_.add(x86::rsp, 8);
  forget_all();
  a_.mov(stack, field(&SprintFrame::stack));
  a_.sub(stack, bytes);
  a_.mov(field(&SprintFrame::stack), stack);
  offset = 0;
  each_kept(kept, [&](const Key& key, int size) {
    const Mem there = x86::ptr(stack, offset, static_cast<std::uint32_t>(size));
    if (size == 8) a_.mov(part, there), a_.mov(memory(key), part);
    if (size == 4) a_.mov(part.r32(), there), a_.mov(memory(key), part.r32());
    if (size == 2) a_.movzx(part.r32(), there), a_.mov(memory(key), part.r16());
    offset += size;
  });
}

void Generator::help(const SprintOp& op, NativeHelper helper) {
  if (helper == nullptr) {
    failed_ = true;
    return;
  }
  // Whatever it looks at must be there; which that is, matters little.
  const auto sets = in_memory_.sets.size(), numbers = in_memory_.numbers.size(),
             cells = in_memory_.cells.size();
  for (const std::uint16_t reg : {op.d, op.a, op.b, op.c}) {
    if (reg < sets) needs_set(reg);
    if (reg < numbers) needs(number(reg));
    if (reg < cells) needs(cell(reg));
  }
  a_.mov(field(&SprintFrame::leaf_end), leaf_end_);
  a_.mov(field(&SprintFrame::total), total_.r32());
  a_.mov(x86::rdi, field(&SprintFrame::sprint));
  mov_address(x86::rsi, &op);
  a_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(helper));
  a_.call(x86::rax);
  forget_all();
}

bool Generator::course(const SprintOp& op, std::size_t index) {
  switch (op.what) {
  case What::count_none:
    a_.xor_(total_.r32(), total_.r32());
    a_.mov(leaf_end_, field(&SprintFrame::leaves));
    if (uses_rounds_) a_.mov(field(&SprintFrame::rounds), 0);
    for (int i = 0; uses_keys_ && i < 4; ++i)
      a_.mov(x86::qword_ptr(frame_, offset_of(&SprintFrame::seen) + 8 * i), 0);
    return true;
  case What::count_pool: a_.mov(total_.r32(), leaf_end_.r32()); return true;
  case What::leaf: leaf(words_of(op.a), op.x); return true;
  case What::leaf_only:
    only_set_ = op.a;
    a_.mov(total_.r32(), count(words_of(op.a)).r32());
    return true;
  case What::leaf_up:
  case What::leaf_down: {
    Words words = met(op.a, op.b);
    shift(words, op.x, op.what == What::leaf_up);
    meet(words, op.c);
    leaf(words, op.d);
    return true;
  }
  case What::save: save(op); return true;
  case What::restore: restore(op); return true;
  case What::call: call(op); return true;
  case What::ret: a_.ret(); return true;
  case What::leaf_draft: words_ > 2 ? help_leaf(op) : leaf_draft(op); return true;
  case What::leaf_once: words_ > 2 ? help_leaf(op) : leaf_once(op); return true;
  case What::write:
  case What::write_put:
  case What::write_set: write(op); return true;
  case What::best_none: a_.mov(field(&SprintFrame::scored), 0); return true;
  case What::best: best(op); return true;
  case What::recall: recall(op); return true;
  case What::pick: pick(index); return true;
  case What::decide: {
    const SprintVerdict& verdict = code_.verdicts[static_cast<std::size_t>(op.x)];
    const bool moved = verdict.by == Outcome::By::move;
    if (moved) end_turn();
    if (uses_again_ && moved) {
      const asmjit::Label usual = a_.newLabel();
      a_.mov(field(&SprintFrame::to_move), player_);
      a_.cmp(field(&SprintFrame::again), 0);
      a_.jne(usual);
      a_.mov(field(&SprintFrame::to_move), next_player());
      a_.bind(usual);
    } else {
      a_.mov(field(&SprintFrame::to_move), moved ? next_player() : player_);
    }
    a_.mov(x86::eax, kDecided + static_cast<std::uint32_t>(op.x));
    a_.jmp(exit_);
    return true;
  }
  case What::next: {
    end_turn();
    if (uses_again_) {
      const asmjit::Label usual = a_.newLabel();
      a_.cmp(field(&SprintFrame::again), 0);
      a_.je(usual);
      a_.mov(field(&SprintFrame::again), 0);
      a_.jmp(targets_[player().entry].label);
      a_.bind(usual);
    }
    if (code_.uses_history) a_.mov(field(&SprintFrame::to_move), next_player());
    a_.jmp(targets_[code_.players[static_cast<std::size_t>(next_player())].entry].label);
    return true;
  }
  default: return false;
  }
}

void Generator::end_turn() {
  for (const int n : {static_cast<int>(code_.ply), code_.turns + player_}) {
    needs(number(n));
    a_.inc(memory(number(n)));
    forget(number(n));
  }
}

// One of the numbers below `total`, evenly.
void Generator::pick_number(const Gp& k) {
  const Gp low = claim(x86::rsi), mix = claim(x86::rax), factor = claim(x86::rdx);
  Rare rare{a_.newLabel(), a_.newLabel(), a_.newLabel()};
  a_.bind(rare.again);
  a_.mov(mix, kRandomStep);
  a_.add(random_, mix);
  a_.mov(factor, kRandomMix);
  a_.xor_(factor, random_);
  a_.mulx(k, low, random_);
  a_.xor_(k, low);
  a_.mov(factor, k);
  a_.mulx(k, low, total_);
  a_.cmp(low, total_);
  a_.jb(rare.here);
  a_.bind(rare.back);
  rare_.push_back(rare);
  for (const Gp& reg : {low, mix, factor}) pinned_[reg.id()] = false;
}

// In a register: the place of the bit of the words before which there are k others; k is changed.
void Generator::nth(const Gp& in, const Gp& k, const std::vector<asmjit::Operand>& words) {
  a_.emit(x86::Inst::kIdMov, in, words[0]);
  std::optional<Gp> base;
  if (words.size() > 1) {
    const Gp here = fresh(), left = fresh(), before = fresh(), offset = fresh();
    base = fresh();
    a_.xor_(base->r32(), base->r32());
    a_.popcnt(before, in);
    a_.mov(left, k); // of the words that have been left behind
    for (std::size_t w = 1; w < words.size(); ++w) {
      if (w > 1) {
        a_.emit(x86::Inst::kIdPopcnt, here, words[w - 1]);
        a_.add(before.r32(), here.r32());
      }
      a_.mov(offset.r32(), static_cast<int>(64 * w));
      a_.mov(here.r32(), k.r32());
      a_.sub(here.r32(), before.r32());
      a_.emit(x86::Inst::kIdCmovae, in, words[w]);
      a_.cmovae(left, here);
      a_.cmovae(base->r32(), offset.r32());
    }
    a_.mov(k, left);
    for (const Gp& reg : {here, left, before, offset}) pinned_[reg.id()] = false;
  }
  const Gp bit = fresh();
  a_.xor_(bit.r32(), bit.r32());
  a_.bts(bit, k);
  a_.pdep(in, bit, in);
  a_.tzcnt(in, in);
  if (base) a_.add(in.r32(), base->r32());
}

void Generator::pick(std::size_t index) {
  a_.test(total_.r32(), total_.r32());
  a_.jz(exits().at(kNoMove));
  {
    const Gp plies = fresh();
    a_.mov(plies.r32(), field(&SprintFrame::plies));
    a_.cmp(plies.r32(), field(&SprintFrame::max_plies));
    a_.jae(exits().at(kUnfinished));
    a_.inc(plies.r32());
    a_.mov(field(&SprintFrame::plies), plies.r32());
  }
  a_.add(field(&SprintFrame::moves), total_);
  release();
  if (code_.uses_history) {
    for (int set = 0; set < code_.state_sets; ++set) needs_set(set);
    help(code_.ops[index], layout_.enter_history);
    release();
  }
  const Gp k = claim(x86::rcx);
  pick_number(k);
  const SprintPlayer& p = player();
  if (code_.pool) {
    const Gp pool = fresh(), moved = fresh(), where = fresh();
    a_.mov(pool, field(&SprintFrame::pool));
    a_.movzx(where.r32(), x86::word_ptr(pool, k, 1));
    a_.dec(leaf_end_);
    a_.movzx(moved.r32(), x86::word_ptr(pool, leaf_end_, 1));
    a_.mov(x86::word_ptr(pool, k, 1), moved.r16());
    define(cell(0), where);
  } else if (only_set_ >= 0) {
    std::vector<asmjit::Operand> words;
    if (words_ > 2) forget_set(only_set_); // there are too few registers for all its words
    for (int w = 0; w < words_; ++w) words.push_back(operand(word(only_set_, w)));
    const Gp where = fresh();
    nth(where, k, words);
    leaf_cell(0, where);
  } else {
    pick_leaf(k);
    return;
  }
  if (p.leaves[0].entry != index + 1) a_.jmp(to(static_cast<std::int32_t>(p.leaves[0].entry)));
}

void Generator::pick_leaf(const Gp& k) {
  forget_all();
  const Gp where = claim(x86::rax), leaf = claim(x86::rdi), before = claim(x86::rsi);
  const asmjit::Label more = a_.newLabel(), found = a_.newLabel();
  a_.mov(leaf, field(&SprintFrame::leaves));
  a_.xor_(before.r32(), before.r32());
  a_.bind(more);
  a_.cmp(k.r32(), x86::dword_ptr(leaf, 8 * words_));
  a_.jb(found);
  a_.mov(before.r32(), x86::dword_ptr(leaf, 8 * words_));
  a_.add(leaf, leaf_bytes_);
  a_.jmp(more);
  a_.bind(found);
  a_.sub(k.r32(), before.r32());
  a_.mov(field(&SprintFrame::chosen), leaf);
  std::vector<asmjit::Operand> words;
  for (int w = 0; w < words_; ++w) words.emplace_back(x86::qword_ptr(leaf, 8 * w));
  nth(where, k, words);
  a_.mov(leaf.r32(), x86::dword_ptr(leaf, 8 * words_ + 4));
  a_.lea(before, x86::ptr(tables_[static_cast<std::size_t>(player_)]));
  a_.jmp(x86::qword_ptr(before, leaf, 3));
}

// ---------------------------------------------------------------------------------------------------- all of
// it

void Generator::operation(const SprintOp& op, std::size_t index) {
  const bool done =
      set_operation(op) || number_operation(op) || condition(op) || change(op) || course(op, index);
  if (!done) {
    // Nothing but a set or a number comes out of the others.
    help(op, layout_.help[static_cast<std::size_t>(op.what)]);
    if (op.what <= What::bit) needs_set(op.d);
  }
  release();
}

// What follows the operations: seldom needed, and tables.
void Generator::finish() {
  for (const Rare& rare : rare_) { // the low part is in rsi; rax and rdx are free
    a_.bind(rare.here);
    a_.xor_(x86::edx, x86::edx);
    a_.mov(x86::rax, total_);
    a_.neg(x86::rax);
    a_.div(total_);
    a_.cmp(x86::rsi, x86::rdx);
    a_.jb(rare.again);
    a_.jmp(rare.back);
  }
  for (const Known& known : known_drafts_) {
    a_.bind(known.here);
    player_ = known.player;
    help_leaf(*known.op);
    a_.jmp(known.back);
  }
  for (std::size_t p = 0; p < code_.players.size(); ++p) {
    player_ = static_cast<std::int32_t>(p);
    for (const std::uint32_t how : {kNoMove, kUnfinished, kGaveUp}) {
      a_.bind(exits()[how]);
      a_.mov(field(&SprintFrame::to_move), player_);
      a_.mov(x86::eax, how);
      a_.jmp(exit_);
    }
    if (has_one_leaf(p)) continue;
    const auto& leaves = player().leaves;
    std::vector<asmjit::Label> labels;
    for (std::size_t l = 0; l < leaves.size(); ++l) {
      const Target& t = targets_[leaves[l].entry];
      if (t.leaf == static_cast<int>(l)) {
        labels.push_back(t.leaf_label);
        continue;
      }
      labels.push_back(a_.newLabel());
      a_.bind(labels.back());
      forget_all();
      needs(cell(0));
      leaf_cell(static_cast<int>(l), claim(x86::rax));
      a_.jmp(t.label);
      release();
    }
    a_.align(asmjit::AlignMode::kData, 8);
    a_.bind(tables_[p]);
    for (const asmjit::Label& label : labels) a_.embedLabel(label, 8);
  }
}

void Generator::begin() {
  for (const Gp& reg : kKept) a_.push(reg);
  a_.sub(x86::rsp, 8); // even, as calls of helpers want it
  a_.mov(frame_, x86::rdi);
  a_.mov(sets_, field(&SprintFrame::registers));
  a_.mov(random_, field(&SprintFrame::random));
  a_.mov(field(&SprintFrame::processor_stack), x86::rsp);
  if (code_.pool)
    a_.mov(leaf_end_.r32(), field(&SprintFrame::pool_size));
  else
    a_.mov(leaf_end_, field(&SprintFrame::leaves));
  a_.mov(x86::eax, field(&SprintFrame::to_move));
  a_.lea(x86::rcx, x86::ptr(entries_));
  a_.jmp(x86::qword_ptr(x86::rcx, x86::rax, 3));
}

void Generator::end() {
  a_.bind(exit_);
  a_.mov(x86::rsp, field(&SprintFrame::processor_stack));
  a_.mov(field(&SprintFrame::random), random_);
  a_.add(x86::rsp, 8);
  for (auto reg = kKept.rbegin(); reg != kKept.rend(); ++reg) a_.pop(*reg);
  a_.ret();
  a_.align(asmjit::AlignMode::kData, 8);
  a_.bind(entries_);
  for (const SprintPlayer& p : code_.players) a_.embedLabel(targets_[p.entry].label, 8);
}

bool Generator::generate() {
  find_targets();
  entries_ = a_.newLabel();
  exit_ = a_.newLabel();
  for (std::size_t p = 0; p < code_.players.size(); ++p) {
    tables_.push_back(a_.newLabel());
    exits_.push_back({a_.newLabel(), a_.newLabel(), a_.newLabel()});
  }
  begin();
  player_ = -1;
  bool falls = false;
  for (std::size_t i = 0; i < code_.ops.size() && !failed_; ++i) {
    if (static_cast<std::size_t>(player_ + 1) < code_.players.size() &&
        code_.players[static_cast<std::size_t>(player_ + 1)].entry == i) {
      ++player_;
      only_set_ = -1;
    }
    come_to(i, falls);
    operation(code_.ops[i], i);
    falls = falls_through(code_.ops[i].what);
  }
  finish();
  end();
  return !failed_;
}

// ---------------------------------------------------------------------------------------------------- memory

class ExecutableCode final : public NativeCode {
public:
  bool make_of(const SprintCode& code, const NativeLayout& layout);
  ~ExecutableCode() override {
    if (run_ != nullptr) runtime_.release(run_);
  }

private:
  asmjit::JitRuntime runtime_;
  Tables tables_;
};

// What is read from outside: the state, and the numbers that verdicts ask for.
[[nodiscard]] InMemory at_least(const SprintCode& code) {
  InMemory in{std::vector<bool>(code.sets), std::vector<bool>(code.numbers),
              std::vector<bool>(std::max<std::size_t>(code.cells, kLeastCells))};
  std::fill_n(in.sets.begin(), code.state_sets, true);
  std::fill_n(in.numbers.begin(), code.state_numbers, true);
  for (const SprintVerdict& v : code.verdicts)
    for (const std::uint16_t score : v.score) in.numbers[score] = true;
  return in;
}

bool ExecutableCode::make_of(const SprintCode& code, const NativeLayout& layout) {
  InMemory in_memory = at_least(code);
  for (const bool final_pass : {false, true}) {
    asmjit::CodeHolder holder;
    if (holder.init(runtime_.environment()) != asmjit::kErrorOk) return false;
    if (!Generator(code, layout, holder, tables_, in_memory, final_pass).generate()) return false;
    if (final_pass && runtime_.add(&run_, &holder) != asmjit::kErrorOk) return false;
  }
  return true;
}

} // namespace

bool NativeCode::possible() {
  const asmjit::CpuFeatures::X86& has = asmjit::CpuInfo::host().features().x86();
  return has.hasBMI() && has.hasBMI2() && has.hasPOPCNT();
}

std::unique_ptr<const NativeCode> NativeCode::make(const SprintCode& code, const NativeLayout& layout) {
  if (!possible()) return nullptr;
  auto made = std::make_unique<ExecutableCode>();
  return made->make_of(code, layout) ? std::move(made) : nullptr;
}

} // namespace boardwright::runtime::machine

#else

namespace boardwright::runtime::machine {

bool NativeCode::possible() { return false; }

std::unique_ptr<const NativeCode> NativeCode::make(const SprintCode&, const NativeLayout&) { return nullptr; }

} // namespace boardwright::runtime::machine

#endif
