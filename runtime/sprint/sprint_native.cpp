// Sprints as native code for x86-64: see sprint_native.hpp.
//
// Registers of the sprint live in memory. What an operation reads or writes is also remembered to lie in a
// register of the processor until that is wanted for something else; a value that is never read from memory
// isn't stored either. Which those are shows only in the end, so code is generated twice.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/sprint/sprint_native_generator.hpp"

#include <algorithm>

namespace boardwright::runtime::machine::native {

// Of the generator of random numbers (playout.hpp).
constexpr std::uint64_t kRandomStep = 0xa0761d6478bd642fU, kRandomMix = 0xe7037ed1a0b428dbU;

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
    if (jumps(op.what)) target(at(op.x), op.what == What::call || op.x <= static_cast<std::int32_t>(i));
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
void Generator::leaf_cell(int index, const Gp& from) { lookup(0, from, player().leaves[at(index)].origin); }

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

// ---------------------------------------------------------------------------------------------------- course

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
    const SprintVerdict& verdict = code_.verdicts[at(op.x)];
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
    a_.jmp(targets_[code_.players[at(next_player())].entry].label);
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
    a_.test(x86::eax, x86::eax);
    a_.jnz(exits().at(kGaveUp));
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
  a_.lea(before, x86::ptr(tables_[at(player_)]));
  a_.jmp(x86::qword_ptr(before, leaf, 3));
}

// ---------------------------------------------------------------------------------------------------- the
// whole

void Generator::operation(const SprintOp& op, std::size_t index) {
  const bool done =
      set_operation(op) || number_operation(op) || condition(op) || change(op) || course(op, index);
  if (!done) {
    // Nothing but a set or a number comes out of the others.
    help(op, layout_.helper(op.what));
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
    if (at(player_ + 1) < code_.players.size() && code_.players[at(player_ + 1)].entry == i) {
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

namespace {

class ExecutableCode final : public NativeCode {
public:
  ExecutableCode() : runtime_(&kParameters) {}
  bool make_of(const SprintCode& code, const NativeLayout& layout);
  ~ExecutableCode() override {
    if (run_ != nullptr) runtime_.release(run_);
  }

private:
  static const asmjit::JitAllocator::CreateParams kParameters;

  asmjit::JitRuntime runtime_;
  LineTables tables_;
};

// No page is both written and executed.
const asmjit::JitAllocator::CreateParams ExecutableCode::kParameters = [] {
  asmjit::JitAllocator::CreateParams parameters;
  parameters.options = asmjit::JitAllocatorOptions::kUseDualMapping;
  return parameters;
}();

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

} // namespace boardwright::runtime::machine::native

namespace boardwright::runtime::machine {

bool NativeCode::possible() {
  const asmjit::CpuFeatures::X86& has = asmjit::CpuInfo::host().features().x86();
  return has.hasBMI() && has.hasBMI2() && has.hasPOPCNT();
}

std::unique_ptr<const NativeCode> NativeCode::make(const SprintCode& code, const NativeLayout& layout) {
  if (!possible()) return nullptr;
  auto made = std::make_unique<native::ExecutableCode>();
  return made->make_of(code, layout) ? std::move(made) : nullptr;
}

} // namespace boardwright::runtime::machine

#else

#include "runtime/sprint/sprint_native.hpp"

namespace boardwright::runtime::machine {

bool NativeCode::possible() { return false; }

std::unique_ptr<const NativeCode> NativeCode::make(const SprintCode&, const NativeLayout&) { return nullptr; }

} // namespace boardwright::runtime::machine

#endif
