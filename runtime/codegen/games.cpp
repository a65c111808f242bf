// From turn to turn: the beginning and the end of one, and in random games the move that is drawn. What is
// counted, drawn and written here is what executor/turns.hpp does for the interpreter.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"

#include <algorithm>

namespace boardwright::runtime::codegen {

namespace {

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
    uses_.once = uses_.once || i.op == Op::leaf_once;
    uses_.memo = uses_.memo || i.op == Op::memo_enter;
    uses_.repeats = uses_.repeats || i.op == Op::repeats;
    uses_.boards = uses_.boards || i.op == Op::board_repeats;
    uses_.boxes_noted = uses_.boxes_noted || i.op == Op::write_box;
  }
  uses_.values = std::any_of(code_.leaves.begin(), code_.leaves.end(),
                             [](const ir::Leaf& l) { return l.dynamic || !l.values.empty(); });
}

bool Generator::turn(const I& i) {
  switch (i.op) {
  case Op::begin_turn: return begin_turn(i);
  case Op::end_turn: return end_turn(i);
  case Op::repeats:
    if (i.y == 0 || !keeps_positions()) return false;
    repeats(i);
    return true;
  case Op::pick:
    // The move may have to be searched for, but where nothing of this player's is only counted.
    if (around_.random_games && uses_.memo && leaves_of_turn().empty()) return false;
    pick();
    return true;
  default: return false;
  }
}

// Those that the code of the player whose turn it is comes to in order.
const std::vector<std::uint32_t>& Generator::leaves_of_turn() const {
  static const std::vector<std::uint32_t> none;
  for (std::size_t p = code_.players.size(); p-- > 0;)
    if (code_.players[p].position <= index_) return flow_.in_order[p];
  return none;
}

// Nothing that was done before this turn of a random game is taken back. What the last turn has left behind
// is as it has to be: nothing is decided, nothing in the air.
bool Generator::begin_turn(const I& i) {
  const auto& leaves = leaves_of_turn();
  for (std::size_t k = 1; k < leaves.size(); ++k) // none begins there as long as it isn't come to
    if (flow_.passed_by[leaves[k]]) a_.mov(field(around_.at.before + 8 * static_cast<std::int32_t>(k)), -1);
  if (code_.uses_history && !keeps_positions()) return false;
  if (around_.random_games && uses_.boxes_noted) return false;
  const ir::Layout& l = code_.layout;
  if (i.c != 0) begin_comparing(slow());
  if (around_.random_games) {
    a_.mov(trail_, field(around_.at.trail));
  } else {
    const Gp length = fresh();
    a_.mov(length, trail_);
    a_.sub(length, field(around_.at.trail));
    a_.shr(length, 4);
    a_.mov(field32(around_.at.turn_mark), length.r32());
    release();
  }
  if (keeps_positions()) write_key(i.x);
  const Gp zero = fresh(), list = fresh(), begin = fresh();
  a_.mov(field32(around_.at.mover), i.x);
  a_.xor_(zero.r32(), zero.r32());
  define(kTotal, zero);
  if (around_.random_games) { // each turn is an answer
    count_steps(kStepsOfTurn);
    a_.mov(begin, field(around_.at.left));
    a_.mov(field(around_.at.begun), begin);
  }
  if (leaves.empty()) {
    a_.mov(list, field(around_.at.list));
    a_.mov(begin, x86::qword_ptr(list, around_.list.records));
    a_.mov(x86::qword_ptr(list, around_.list.records + kEnd), begin);
    if (uses_.values) {
      a_.mov(begin, x86::qword_ptr(list, around_.list.values));
      a_.mov(x86::qword_ptr(list, around_.list.values + kEnd), begin);
    }
  }
  for (const Reg n : {l.again, l.decision, l.winners, l.air}) {
    if (around_.random_games && !(n == l.again && uses_.again)) continue;
    forget(number(n));
    a_.mov(memory(number(n)), zero.r32());
  }
  if (uses_.text) {
    for (int w = 0; w < words_; ++w) {
      forget(word(l.gone, w));
      a_.mov(memory(word(l.gone, w)), zero);
    }
    a_.mov(begin, field(around_.at.text));
    a_.mov(field(around_.at.text + kEnd), begin);
  }
  if (i.c != 0) join_slow();
  return true;
}

// Where somebody is out the helper finds who is next.
bool Generator::end_turn(const I& i) {
  if (code_.uses_history && !keeps_positions()) return false;
  const ir::Layout& l = code_.layout;
  const int mover = i.x, next = (mover + 1) % l.players;
  forget_all();
  const Label slowly = cold([this, index = index_] {
    call_step(index);
    a_.jmp(exit_); // never: the helper goes elsewhere
  });
  a_.cmp(memory(number(l.out)), 0);
  a_.jne(slowly);
  if (!around_.random_games) {
    const Gp count = fresh(), old = fresh(), to_move = fresh();
    const Label goes_on = a_.newLabel();
    a_.mov(to_move.r32(), next);
    a_.cmp(memory(number(l.again)), 0);
    a_.je(goes_on);
    a_.mov(to_move.r32(), mover);
    a_.bind(goes_on);
    for (const int n : {static_cast<int>(l.ply), l.turns + mover, static_cast<int>(l.to_move)}) {
      const bool counts = n != l.to_move;
      a_.mov(old.r32(), memory(number(n)));
      if (counts) { // as far as that goes
        a_.mov(count.r32(), old.r32());
        a_.cmp(count.r32(), 0x7fffffff);
        a_.adc(count.r32(), 0);
      }
      note(asmjit::imm(kNumberPart | static_cast<std::uint32_t>(n)), old);
      a_.mov(memory(number(n)), counts ? count.r32() : to_move.r32());
    }
    a_.jmp(exit_);
    return true;
  }
  if (code_.uses_history) count_position(slowly);
  for (const int n : {static_cast<int>(l.ply), l.turns + mover}) {
    const Label back = a_.newLabel();
    const Label too_many = cold([this, n, back] {
      a_.dec(memory(number(n)));
      a_.jmp(back);
    });
    a_.inc(memory(number(n)));
    a_.jo(too_many);
    a_.bind(back);
  }
  const bool decided = flow_.decided[index_], undecided = flow_.undecided[index_];
  const auto go_on = [&](int player) {
    a_.mov(memory(number(l.to_move)), player);
    a_.dec(field32(around_.at.plies_left));
    if (decided && !undecided) {
      a_.jmp(exit_);
      return;
    }
    a_.jz(exit_);
    if (decided) {
      a_.cmp(memory(number(l.decision)), 0);
      a_.jne(exit_);
    }
    a_.jmp(to(code_.players[at(player)].position));
  };
  if (uses_.again) {
    const Label another = a_.newLabel();
    a_.cmp(memory(number(l.again)), 0);
    a_.je(another);
    go_on(mover);
    a_.bind(another);
  }
  go_on(next);
  return true;
}

// ---------------------------------------------------------------- the move that is drawn

// Leaves that are come to in order need no records: how many moves were found before each is enough.
void Generator::found_in_order(const I& i, bool one) {
  const auto& leaves = leaves_of_turn();
  const auto k = std::find(leaves.begin(), leaves.end(), index_) - leaves.begin();
  const Gp before = read(kTotal);
  if (k > 0) a_.mov(field(around_.at.before + 8 * static_cast<std::int32_t>(k)), before);
  if (one) {
    const Gp after = fresh();
    a_.lea(after, x86::ptr(before, 1));
    define(kTotal, after);
  } else {
    const Gp after = count_of(i.a);
    a_.add(after, before);
    define(kTotal, after);
  }
}

// Out: r10, a number below the total, evenly drawn as in model/random.hpp. Where it would have to be drawn
// again that is done at the label; nothing has been changed then. Changes rcx, rdx, r8, r9, r11.
void Generator::draw(const Label& again) {
  const Gp n = x86::rcx, random = x86::r8, low = x86::r9, drawn = x86::r10, state = x86::r11;
  if (const auto total = find(kTotal))
    a_.mov(n, *total);
  else
    a_.mov(n, field(around_.at.total));
  release();
  forget_all();
  a_.mov(random, field(around_.at.random));
  a_.mov(state, 0xa0761d6478bd642fU);
  a_.add(state, x86::qword_ptr(random));
  a_.mov(x86::rdx, 0xe7037ed1a0b428dbU);
  a_.xor_(x86::rdx, state);
  a_.mulx(drawn, low, state);
  a_.mov(x86::rdx, n);
  a_.xor_(drawn, low);
  a_.mulx(drawn, low, drawn);
  a_.cmp(low, n);
  a_.jb(again);
  a_.mov(x86::qword_ptr(random), state);
  a_.add(field(around_.at.moves), n);
}

// Out: rax, and in memory: member r10 of the set. Changes rcx, rdx, r8, r9, r10.
void Generator::member_of(const Operand& words) {
  const Gp cell = x86::rax, rest = x86::r10, set = x86::rdx, first = x86::rcx, sum = x86::r8, more = x86::r9;
  a_.mov(cell.r32(), 1);
  if (words_ == 1) {
    a_.shlx(cell, cell, rest);
    a_.pdep(cell, cell, words(0));
    a_.tzcnt(cell, cell);
    a_.mov(memory(kOpen), cell.r32());
    return;
  }
  // The last word before which there are no more members than that.
  const Gp base = x86::r11;
  a_.mov(set, words(0));
  a_.popcnt(sum, set);
  a_.xor_(first.r32(), first.r32());
  a_.xor_(base.r32(), base.r32());
  for (int w = 1; w < words_; ++w) {
    if (w > 1) {
      a_.popcnt(more, words(w - 1));
      a_.add(sum, more);
    }
    a_.mov(more.r32(), 64 * w);
    a_.cmp(rest, sum);
    a_.cmovae(set, words(w));
    a_.cmovae(first, sum);
    a_.cmovae(base.r32(), more.r32());
  }
  a_.sub(rest, first);
  a_.shlx(cell, cell, rest);
  a_.pdep(cell, cell, set);
  a_.tzcnt(cell, cell);
  a_.add(cell.r32(), base.r32());
  a_.mov(memory(kOpen), cell.r32());
}

// Where nothing is left over the quotient is a product with the inverse of the divisor's odd part.
void Generator::divide_exactly(const Gp& n, int by, const Gp& inverse_in) {
  int odd = by, zeros = 0;
  for (; odd % 2 == 0; odd /= 2) ++zeros;
  std::uint64_t inverse = 1;
  for (int k = 0; k < 6; ++k) inverse *= 2 - static_cast<std::uint64_t>(odd) * inverse;
  a_.shr(n, zeros);
  if (odd == 1) return;
  a_.mov(inverse_in, inverse);
  a_.imul(n, inverse_in);
}

// Draws one of the moves that were found and goes on with the code that plays it.
void Generator::pick() {
  if (!around_.random_games) {
    a_.jmp(exit_);
    return;
  }
  if (const auto& leaves = leaves_of_turn(); !leaves.empty()) return pick_in_order(leaves);
  draw(cold([this, index = index_] {
    call_step(index);
    a_.jmp(exit_); // never: the helper goes elsewhere
  }));
  // The last record that begins at or before the number that was drawn.
  const Gp record = x86::rsi, count = x86::rdi, half = x86::r8, middle = x86::r9, drawn = x86::r10;
  const int size = kRecordSet + 8 * words_;
  const Label search = a_.newLabel(), found = a_.newLabel();
  a_.mov(half, field(around_.at.list));
  a_.mov(record, x86::qword_ptr(half, around_.list.records));
  a_.mov(count, x86::qword_ptr(half, around_.list.records + kEnd));
  a_.sub(count, record);
  a_.cmp(count, size);
  a_.je(found);
  divide_exactly(count, size, middle);
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
  member_of([&](int w) { return x86::qword_ptr(record, kRecordSet + 8 * w); });
  play_record();
}

void Generator::pick_in_order(const std::vector<std::uint32_t>& leaves) {
  const Gp drawn = x86::r10;
  const Label back = a_.newLabel();
  draw(cold([this, back] {
    a_.mov(x86::rdi, executor_);
    a_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(around_.draw));
    a_.call(x86::rax);
    a_.mov(x86::r10, x86::rax);
    a_.mov(x86::rcx, field(around_.at.total));
    a_.add(field(around_.at.moves), x86::rcx);
    a_.jmp(back);
  }));
  a_.bind(back);
  std::vector<Label> chosen;
  for (std::size_t k = leaves.size(); k-- > 1;) {
    chosen.push_back(a_.newLabel());
    a_.cmp(drawn, field(around_.at.before + 8 * static_cast<std::int32_t>(k)));
    a_.jae(chosen.back());
  }
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const I& leaf = code_.instructions[leaves[k]];
    if (k > 0) {
      a_.bind(chosen[leaves.size() - 1 - k]);
      a_.sub(drawn, field(around_.at.before + 8 * static_cast<std::int32_t>(k)));
    }
    forget_all();
    if (leaf.op == Op::leaf) {
      member_of([&](int w) { return memory(word(leaf.a, w)); });
      held_[x86::rax.id()] = kOpen;
    }
    a_.jmp(to(code_.leaves[at(leaf.x)].entry));
  }
  forget_all();
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

// In: rdi the values of a dynamic leaf's move, eax the cell that was chosen where the last choice was left
// open. From the second value on they are its choices, which are taken one by one: the open one is written.
// Changes rcx, rdx, rdi.
void Generator::patch_open(const ir::Leaf& leaf) {
  const Gp values = x86::rdi, cell = x86::rcx, place = x86::rdx;
  for (std::size_t k = 0; k < leaf.choices.size(); ++k) {
    const ir::Choice& c = leaf.choices[k];
    if (c.from != ir::Choice::From::open) continue;
    a_.mov(cell.r32(), x86::eax);
    if (c.place >= 0) {
      mov_address(place, code_.places[at(c.place)].data());
      a_.movsx(cell.r32(), x86::word_ptr(place, x86::rax, 1));
    }
    a_.mov(place.r32(), x86::dword_ptr(values)); // so many come before those of the leaf
    a_.mov(x86::dword_ptr(values, place, 2, 4 + 4 * static_cast<int>(k)), cell.r32());
  }
  a_.add(values, 4);
  a_.mov(field(around_.at.given), values);
  a_.jmp(targets_[leaf.entry].label);
}

// Where to go on for every leaf.
void Generator::leaf_table() {
  if (!leaves_.isValid()) return;
  std::vector<Label> dynamic;
  for (const ir::Leaf& leaf : code_.leaves) {
    if (!leaf.dynamic) continue;
    dynamic.push_back(a_.newLabel());
    a_.bind(dynamic.back());
    patch_open(leaf);
  }
  a_.align(asmjit::AlignMode::kData, 8);
  a_.bind(leaves_);
  auto next = dynamic.begin();
  for (const ir::Leaf& leaf : code_.leaves)
    a_.embedLabel(leaf.dynamic ? *next++ : targets_[leaf.entry].label, 8);
}

} // namespace boardwright::runtime::codegen

#endif
