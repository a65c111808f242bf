// From turn to turn: the beginning and the end of one, and in random games the move that is drawn. What is
// counted, drawn and written here is what executor/turns.hpp does for the interpreter.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"

#include <algorithm>

namespace boardwright::runtime::codegen {

namespace {

// Parts of a record of the executor; see moves.cpp.
constexpr int kRecordValues = 4, kRecordBefore = 8, kRecordSet = 16;

[[nodiscard]] bool is_text(Op op) { return op >= Op::say_text && op <= Op::gone_back; }

} // namespace

// What the code does anywhere decides what a turn must prepare.
void Generator::survey() {
  flow_ = flow_of(code_, around_.random_games);
  for (std::size_t k = 0; k < code_.instructions.size(); ++k) {
    if (!flow_.reached[k]) continue;
    const I& i = code_.instructions[k];
    uses_.text = uses_.text || is_text(i.op) || (i.op == Op::set_piece && i.y != 0) ||
                 (i.op == Op::put && i.y != 0) || i.op == Op::leaf_once || i.op == Op::outcomes_note;
    uses_.again = uses_.again || i.op == Op::again;
    uses_.memo = uses_.memo || i.op == Op::memo_enter;
    uses_.boxes_noted = uses_.boxes_noted || i.op == Op::write_box;
  }
  uses_.values = std::any_of(code_.leaves.begin(), code_.leaves.end(),
                             [](const ir::Leaf& l) { return l.dynamic || !l.values.empty(); });
}

bool Generator::turn(const I& i) {
  switch (i.op) {
  case Op::begin_turn: return begin_turn(i);
  case Op::end_turn: return end_turn(i);
  case Op::pick:
    if (around_.random_games && uses_.memo) return false; // the move may have to be searched for
    pick();
    return true;
  default: return false;
  }
}

// Nothing that was done before this turn of a random game is taken back.
bool Generator::begin_turn(const I& i) {
  if (i.c != 0 || code_.uses_history) return false;
  const ir::Layout& l = code_.layout;
  if (around_.random_games) {
    if (uses_.boxes_noted) return false;
    a_.mov(trail_, field(around_.at.trail));
    a_.mov(field32(around_.at.turn_mark), 0);
  } else {
    const Gp length = fresh();
    a_.mov(length, trail_);
    a_.sub(length, field(around_.at.trail));
    a_.shr(length, 4);
    a_.mov(field32(around_.at.turn_mark), length.r32());
  }
  const Gp zero = fresh(), list = fresh(), begin = fresh();
  a_.mov(field32(around_.at.mover), i.x);
  a_.xor_(zero.r32(), zero.r32());
  a_.mov(field(around_.at.total), zero);
  a_.mov(field(around_.at.work), zero);
  a_.mov(list, field(around_.at.list));
  a_.mov(begin, x86::qword_ptr(list, around_.list.records));
  a_.mov(x86::qword_ptr(list, around_.list.records + kEnd), begin);
  if (uses_.values) {
    a_.mov(begin, x86::qword_ptr(list, around_.list.values));
    a_.mov(x86::qword_ptr(list, around_.list.values + kEnd), begin);
  }
  for (const Reg n : {l.again, l.decision, l.winners, l.air}) {
    forget(number(n));
    a_.mov(memory(number(n)), zero.r32());
  }
  if (!uses_.text) return true;
  for (int w = 0; w < words_; ++w) {
    forget(word(l.gone, w));
    a_.mov(memory(word(l.gone, w)), zero);
  }
  a_.mov(begin, field(around_.at.text));
  a_.mov(field(around_.at.text + kEnd), begin);
  return true;
}

// Where somebody is out the helper finds who is next.
bool Generator::end_turn(const I& i) {
  if (code_.uses_history) return false;
  const ir::Layout& l = code_.layout;
  const int mover = i.x, next = (mover + 1) % l.players;
  forget_all();
  const Label slowly = cold([this, index = index_] {
    call_step(index);
    a_.jmp(exit_); // never: the helper goes elsewhere
  });
  a_.cmp(memory(number(l.out)), 0);
  a_.jne(slowly);
  const Gp count = fresh(), zero = fresh(), to_move = fresh();
  const auto count_up = [&](int n) { // as far as that goes
    a_.mov(count.r32(), memory(number(n)));
    a_.cmp(count.r32(), 0x7fffffff);
    a_.adc(count.r32(), 0);
  };
  a_.xor_(zero.r32(), zero.r32());
  if (!around_.random_games) {
    a_.mov(to_move.r32(), next);
    const Label goes_on = a_.newLabel();
    a_.cmp(memory(number(l.again)), zero.r32());
    a_.je(goes_on);
    a_.mov(to_move.r32(), mover);
    a_.bind(goes_on);
    for (const int n : {static_cast<int>(l.ply), l.turns + mover, static_cast<int>(l.to_move)}) {
      const bool counts = n != l.to_move;
      if (counts) count_up(n);
      a_.mov(zero.r32(), memory(number(n)));
      note(asmjit::imm(kNumberPart | static_cast<std::uint32_t>(n)), zero);
      a_.mov(memory(number(n)), counts ? count.r32() : to_move.r32());
    }
    a_.jmp(exit_);
    return true;
  }
  for (const int n : {static_cast<int>(l.ply), l.turns + mover}) {
    count_up(n);
    a_.mov(memory(number(n)), count.r32());
  }
  const Gp plies = count;
  a_.mov(plies.r32(), field32(around_.at.plies));
  a_.inc(plies.r32());
  a_.mov(field32(around_.at.plies), plies.r32());
  const auto go_on = [&](int player) {
    a_.mov(memory(number(l.to_move)), player);
    a_.cmp(memory(number(l.decision)), zero.r32());
    a_.jne(exit_);
    a_.cmp(plies.r32(), field32(around_.at.max_plies));
    a_.jae(exit_);
    a_.jmp(to(code_.players[at(player)].position));
  };
  if (uses_.again) {
    const Label another = a_.newLabel();
    a_.cmp(memory(number(l.again)), zero.r32());
    a_.je(another);
    go_on(mover);
    a_.bind(another);
  }
  go_on(next);
  return true;
}

// Draws one of the moves that were found and goes on with the code that plays it. Random numbers as in
// model/random.hpp; where one would have to be drawn again the helper does it all.
void Generator::pick() {
  const Gp n = x86::rcx, record = x86::rsi, count = x86::rdi, half = x86::r8, middle = x86::r9,
           drawn = x86::r10, state = x86::r11;
  forget_all();
  if (!around_.random_games) {
    a_.jmp(exit_);
    return;
  }
  const Label again = cold([this, index = index_] {
    call_step(index);
    a_.jmp(exit_); // never: the helper goes elsewhere
  });
  a_.mov(n, field(around_.at.total));
  a_.mov(half, field(around_.at.random));
  a_.mov(state, 0xa0761d6478bd642fU);
  a_.add(state, x86::qword_ptr(half));
  a_.mov(x86::rdx, 0xe7037ed1a0b428dbU);
  a_.xor_(x86::rdx, state);
  a_.mulx(drawn, middle, state);
  a_.xor_(drawn, middle);
  a_.mov(x86::rdx, n);
  a_.mulx(drawn, middle, drawn);
  a_.cmp(middle, n);
  a_.jb(again);
  a_.mov(x86::qword_ptr(half), state);
  a_.add(field(around_.at.moves), n);
  // The last record that begins at or before the number that was drawn.
  const int size = kRecordSet + 8 * words_;
  const Label search = a_.newLabel(), found = a_.newLabel();
  a_.mov(half, field(around_.at.list));
  a_.mov(record, x86::qword_ptr(half, around_.list.records));
  a_.mov(count, x86::qword_ptr(half, around_.list.records + kEnd));
  a_.sub(count, record);
  a_.cmp(count, size);
  a_.je(found);
  { // the number of records: bytes / size, which is exact (size = 8 * odd is a power of two times an odd
    // number)
    int odd = size, zeros = 0;
    for (; odd % 2 == 0; odd /= 2) ++zeros;
    std::uint64_t inverse = 1;
    for (int k = 0; k < 6; ++k) inverse *= 2 - static_cast<std::uint64_t>(odd) * inverse;
    a_.shr(count, zeros);
    if (odd != 1) {
      a_.mov(middle, inverse);
      a_.imul(count, middle);
    }
  }
  a_.bind(search);
  a_.mov(half, count);
  a_.shr(half, 1);
  a_.imul(middle, half, size);
  a_.sub(count, half);
  a_.add(middle, record);
  a_.cmp(x86::qword_ptr(middle, kRecordBefore), drawn);
  a_.cmovbe(record, middle);
  a_.cmp(count, 1);
  a_.jne(search);
  a_.bind(found);
  a_.sub(drawn, x86::qword_ptr(record, kRecordBefore));
  // That member of its set.
  const Gp set = x86::rdx, cell = x86::rax;
  const Label chosen = a_.newLabel();
  for (int w = 0; w < words_; ++w) {
    const Label later = a_.newLabel();
    a_.mov(set, x86::qword_ptr(record, kRecordSet + 8 * w));
    if (w + 1 < words_) {
      a_.popcnt(half, set);
      a_.cmp(drawn, half);
      a_.jae(later);
    }
    a_.mov(cell.r32(), 1);
    a_.shlx(cell, cell, drawn);
    a_.pdep(cell, cell, set);
    a_.tzcnt(cell, cell);
    if (w > 0) a_.add(cell.r32(), 64 * w);
    if (w + 1 == words_) break;
    a_.jmp(chosen);
    a_.bind(later);
    a_.sub(drawn, half);
  }
  a_.bind(chosen);
  a_.mov(field32(around_.at.open), cell.r32());
  play_record();
}

// In: rsi the record of the move that is played.
void Generator::play_record() {
  const Gp record = x86::rsi, leaf = x86::rcx, values = x86::rdi, address = x86::r8;
  a_.mov(leaf.r32(), x86::dword_ptr(record));
  if (uses_.values) {
    a_.mov(address, field(around_.at.list));
    a_.mov(values.r32(), x86::dword_ptr(record, kRecordValues));
    a_.shl(values, 2);
    a_.add(values, x86::qword_ptr(address, around_.list.values));
    a_.mov(field(around_.at.given), values);
  }
  const bool dynamic =
      std::any_of(code_.leaves.begin(), code_.leaves.end(), [](const ir::Leaf& l) { return l.dynamic; });
  if (dynamic && !dynamic_leaf_.isValid()) dynamic_leaf_ = a_.newLabel();
  // Of the player, those that could be found.
  std::vector<std::size_t> own;
  const std::size_t begin = index_;
  std::size_t end = code_.instructions.size();
  for (const ir::PlayerCode& p : code_.players)
    if (p.position > begin) end = std::min<std::size_t>(end, p.position);
  for (std::size_t k = 0; k < code_.leaves.size(); ++k)
    if (code_.leaves[k].entry > begin && code_.leaves[k].entry < end) own.push_back(k);
  if (own.size() == 1 && !code_.leaves[own.front()].dynamic) {
    a_.jmp(to(code_.leaves[own.front()].entry));
    return;
  }
  if (!leaves_.isValid()) leaves_ = a_.newLabel();
  a_.lea(address, x86::ptr(leaves_));
  a_.jmp(x86::qword_ptr(address, leaf, 3));
}

// Where to go on for every leaf. In: rsi the record, rcx the leaf.
void Generator::leaf_table() {
  if (dynamic_leaf_.isValid()) { // all its choices are taken one by one
    a_.bind(dynamic_leaf_);
    a_.mov(x86::rdi, executor_);
    a_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(around_.take_choices));
    a_.call(x86::rax);
    a_.jmp(x86::rax);
  }
  if (!leaves_.isValid()) return;
  a_.align(asmjit::AlignMode::kData, 8);
  a_.bind(leaves_);
  for (const ir::Leaf& leaf : code_.leaves)
    a_.embedLabel(leaf.dynamic ? dynamic_leaf_ : targets_[leaf.entry].label, 8);
}

} // namespace boardwright::runtime::codegen

#endif
