// From turn to turn: the beginning and the end of one, and in random games the move that is drawn. What is
// counted, drawn and written here is what executor/moves.hpp and executor/turns.hpp do for the interpreter.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/games.hpp"
#include "runtime/codegen/changes.hpp"
#include "runtime/codegen/control.hpp"
#include "runtime/codegen/history.hpp"
#include "runtime/codegen/sets.hpp"

#include <algorithm>

namespace boardwright::runtime::codegen {

namespace {

bool begin_turn(Generator& g, const I& i);
bool end_turn(Generator& g, const I& i);
void pick(Generator& g);
void pick_in_order(Generator& g, const std::vector<std::uint32_t>& leaves);
void play_record(Generator& g);

[[nodiscard]] bool is_text(Op op) { return op >= Op::say_text && op <= Op::gone_back; }

} // namespace

// What the code does anywhere decides what a turn must prepare.
void survey(Generator& g) {
  g.flow = flow_of(g.code, g.around.random_games);
  for (std::size_t k = 0; k < g.code.instructions.size(); ++k) {
    if (!g.flow.reached[k]) continue;
    const I& i = g.code.instructions[k];
    g.uses.gone = g.uses.gone || is_text(i.op) || ((i.op == Op::set_piece || i.op == Op::put) && i.y != 0);
    const bool says = i.op >= Op::say_text && i.op <= Op::say_player;
    g.uses.text = g.uses.text || (says && !tells_only(i)) || i.op == Op::outcomes_note;
    g.uses.written = g.uses.written || (says && i.y != 0) || i.op == Op::leaf_once;
    g.uses.again = g.uses.again || i.op == Op::again;
    g.uses.once = g.uses.once || i.op == Op::leaf_once;
    g.uses.memo = g.uses.memo || i.op == Op::memo_enter;
    g.uses.line = g.uses.line || i.op == Op::earlier;
    g.uses.repeats = g.uses.repeats || i.op == Op::repeats || i.op == Op::repeats_of || i.op == Op::earlier;
    g.uses.boards = g.uses.boards || i.op == Op::board_repeats;
    g.uses.boxes_noted = g.uses.boxes_noted || i.op == Op::write_box;
  }
  g.uses.values = std::any_of(g.code.leaves.begin(), g.code.leaves.end(),
                              [](const ir::Leaf& l) { return l.dynamic || !l.values.empty(); });
}

bool turn(Generator& g, const I& i) {
  switch (i.op) {
  case Op::begin_turn: return begin_turn(g, i);
  case Op::end_turn: return end_turn(g, i);
  case Op::board_repeats: return board_repeats(g, i);
  case Op::compare: begin_comparing(g); return true;
  case Op::repeats:
    if (i.y == 0 || !keeps_positions(g)) return false;
    repeats(g, i);
    return true;
  case Op::pick:
    if (g.code.weighs && g.around.random_games) return false;
    // The move may have to be searched for, but where nothing of this player's is only counted.
    if (g.around.random_games && g.uses.memo && leaves_of_turn(g).empty()) return false;
    pick(g);
    return true;
  default: return false;
  }
}

// The leaves that the code of the player whose turn it is comes to, in order.
const std::vector<std::uint32_t>& leaves_of_turn(const Generator& g) {
  static const std::vector<std::uint32_t> none;
  for (std::size_t p = g.code.players.size(); p-- > 0;)
    if (g.code.players[p].position <= g.index) return g.flow.in_order[p];
  return none;
}

namespace {

// Nothing that was done before this turn of a random game is taken back. What the last turn has left behind
// is as it has to be: nothing is decided, nothing carried.
bool begin_turn(Generator& g, const I& i) {
  const auto& leaves = leaves_of_turn(g);
  for (std::size_t k = 1; k < leaves.size(); ++k) // none begins there as long as it isn't come to
    if (g.flow.passed_by[leaves[k]])
      g.a.mov(g.field(g.around.at.before + 8 * static_cast<std::int32_t>(k)), -1);
  if (g.code.uses_history && !keeps_positions(g)) return false;
  if (g.around.random_games && g.uses.boxes_noted) return false;
  const ir::Layout& l = g.code.layout;
  if (g.around.random_games) {
    g.a.mov(g.trail, g.field(g.around.at.trail));
  } else {
    const Gp length = g.fresh();
    g.a.mov(length, g.trail);
    g.a.sub(length, g.field(g.around.at.trail));
    g.a.shr(length, 4);
    g.a.mov(g.field32(g.around.at.turn_mark), length.r32());
    g.release();
  }
  if (keeps_positions(g)) write_key(g, i.x);
  const Gp zero = g.fresh(), list = g.fresh(), begin = g.fresh();
  g.a.mov(g.field32(g.around.at.mover), i.x);
  g.a.xor_(zero.r32(), zero.r32());
  g.define(kTotal, zero);
  if (g.around.random_games) { // each turn is an answer
    count_steps(g, kStepsOfTurn);
    g.a.mov(begin, g.field(g.around.at.left));
    g.a.mov(g.field(g.around.at.begun), begin);
  }
  if (leaves.empty()) {
    g.a.mov(list, g.field(g.around.at.list));
    g.a.mov(begin, x86::qword_ptr(list, g.around.list.records));
    g.a.mov(x86::qword_ptr(list, g.around.list.records + kEnd), begin);
    if (g.uses.values) {
      g.a.mov(begin, x86::qword_ptr(list, g.around.list.values));
      g.a.mov(x86::qword_ptr(list, g.around.list.values + kEnd), begin);
    }
  }
  for (const Reg n : {l.again, l.decision, l.winners, l.carried}) {
    if (g.around.random_games && !(n == l.again && g.uses.again)) continue;
    g.forget(g.number(n));
    g.a.mov(g.memory(g.number(n)), zero.r32());
  }
  for (int w = 0; w < g.words && g.uses.gone; ++w) {
    g.forget(g.word(l.gone, w));
    g.a.mov(g.memory(g.word(l.gone, w)), zero);
  }
  if (g.uses.written) {
    g.forget(g.word(l.written, 0));
    g.a.mov(g.memory(g.word(l.written, 0)), zero);
  }
  if (g.uses.text) {
    g.a.mov(begin, g.field(g.around.at.text));
    g.a.mov(g.field(g.around.at.text + kEnd), begin);
  }
  return true;
}

// Of a move that may be taken back: the counters and whose turn it is are noted.
void end_played_turn(Generator& g, int mover, int next) {
  const ir::Layout& l = g.code.layout;
  const Gp count = g.fresh(), old = g.fresh(), to_move = g.fresh();
  const Label goes_on = g.a.newLabel();
  g.a.mov(to_move.r32(), next);
  g.a.cmp(g.memory(g.number(l.again)), 0);
  g.a.je(goes_on);
  g.a.mov(to_move.r32(), mover);
  g.a.bind(goes_on);
  for (const int n : {static_cast<int>(l.ply), l.turns + mover, static_cast<int>(l.to_move)}) {
    const bool counts = n != l.to_move;
    g.a.mov(old.r32(), g.memory(g.number(n)));
    if (counts) { // as far as that goes
      g.a.mov(count.r32(), old.r32());
      g.a.cmp(count.r32(), 0x7fffffff);
      g.a.adc(count.r32(), 0);
    }
    note(g, asmjit::imm(kNumberPart | static_cast<std::uint32_t>(n)), old);
    g.a.mov(g.memory(g.number(n)), counts ? count.r32() : to_move.r32());
  }
  g.a.jmp(g.exit);
}

// Of a random game, which goes on at once with the next turn.
void end_random_turn(Generator& g, int mover, int next) {
  const ir::Layout& l = g.code.layout;
  for (const int n : {static_cast<int>(l.ply), l.turns + mover}) {
    const Label back = g.a.newLabel();
    const Label too_many = g.cold([&g, n, back] {
      g.a.dec(g.memory(g.number(n)));
      g.a.jmp(back);
    });
    g.a.inc(g.memory(g.number(n)));
    g.a.jo(too_many);
    g.a.bind(back);
  }
  const bool decided = g.flow.decided[g.index], undecided = g.flow.undecided[g.index];
  const auto go_on = [&](int player) {
    g.a.mov(g.memory(g.number(l.to_move)), player);
    g.a.dec(g.field32(g.around.at.plies_left));
    if (decided && !undecided) {
      g.a.jmp(g.exit);
      return;
    }
    g.a.jz(g.exit);
    if (decided) {
      g.a.cmp(g.memory(g.number(l.decision)), 0);
      g.a.jne(g.exit);
    }
    g.a.jmp(g.to(g.code.players[at(player)].position));
  };
  if (g.uses.again) {
    const Label another = g.a.newLabel();
    g.a.cmp(g.memory(g.number(l.again)), 0);
    g.a.je(another);
    go_on(mover);
    g.a.bind(another);
  }
  go_on(next);
}

// Where somebody is out the helper finds who is next.
bool end_turn(Generator& g, const I& i) {
  if (g.code.uses_history && !keeps_positions(g)) return false;
  const ir::Layout& l = g.code.layout;
  const int mover = i.x, next = (mover + 1) % l.players;
  g.forget_all();
  const Label slowly = g.cold([&g, index = g.index] {
    call_step(g, index);
    g.a.jmp(g.exit); // never: the helper goes elsewhere
  });
  g.a.cmp(g.memory(g.number(l.out)), 0);
  g.a.jne(slowly);
  if (g.around.random_games) {
    if (g.code.uses_history) count_position(g, slowly);
    end_random_turn(g, mover, next);
  } else {
    end_played_turn(g, mover, next);
  }
  return true;
}

} // namespace

// ---------------------------------------------------------------- the move that is drawn

// Leaves that are come to in order need no records: how many moves were found before each is enough.
void found_in_order(Generator& g, const I& i, bool one) {
  const auto& leaves = leaves_of_turn(g);
  const auto k = std::find(leaves.begin(), leaves.end(), g.index) - leaves.begin();
  const Gp before = g.read(kTotal);
  if (k > 0) g.a.mov(g.field(g.around.at.before + 8 * static_cast<std::int32_t>(k)), before);
  if (one) {
    const Gp after = g.fresh();
    g.a.lea(after, x86::ptr(before, 1));
    g.define(kTotal, after);
  } else {
    const Gp after = count_of(g, i.a);
    g.a.add(after, before);
    g.define(kTotal, after);
  }
}

namespace {

// Out: r10, a number below the total, evenly drawn as in model/random.hpp. Where it would have to be drawn
// again that is done at the label; nothing has been changed then. Changes rcx, rdx, r8, r9, r11.
void draw(Generator& g, const Label& again) {
  const Gp n = x86::rcx, random = x86::r8, low = x86::r9, drawn = x86::r10, state = x86::r11;
  if (const auto total = g.find(kTotal))
    g.a.mov(n, *total);
  else
    g.a.mov(n, g.field(g.around.at.total));
  g.release();
  g.forget_all();
  g.a.mov(random, g.field(g.around.at.random));
  g.a.mov(state, 0xa0761d6478bd642fU);
  g.a.add(state, x86::qword_ptr(random));
  g.a.mov(x86::rdx, 0xe7037ed1a0b428dbU);
  g.a.xor_(x86::rdx, state);
  g.a.mulx(drawn, low, state);
  g.a.mov(x86::rdx, n);
  g.a.xor_(drawn, low);
  g.a.mulx(drawn, low, drawn);
  g.a.cmp(low, n);
  g.a.jb(again);
  g.a.mov(x86::qword_ptr(random), state);
  g.a.add(g.field(g.around.at.moves), n);
}

// Out: rax, and in memory: member r10 of the set. Changes rcx, rdx, r8, r9, r10.
void member_of(Generator& g, const Operand& words) {
  const Gp cell = x86::rax, rest = x86::r10, set = x86::rdx, first = x86::rcx, sum = x86::r8, more = x86::r9;
  g.a.mov(cell.r32(), 1);
  if (g.words == 1) {
    g.a.shlx(cell, cell, rest);
    g.a.pdep(cell, cell, words(0));
    g.a.tzcnt(cell, cell);
    g.a.mov(g.memory(kOpen), cell.r32());
    return;
  }
  // The last word before which there are no more members than that.
  const Gp base = x86::r11;
  g.a.mov(set, words(0));
  g.a.popcnt(sum, set);
  g.a.xor_(first.r32(), first.r32());
  g.a.xor_(base.r32(), base.r32());
  for (int w = 1; w < g.words; ++w) {
    if (w > 1) {
      g.a.popcnt(more, words(w - 1));
      g.a.add(sum, more);
    }
    g.a.mov(more.r32(), 64 * w);
    g.a.cmp(rest, sum);
    g.a.cmovae(set, words(w));
    g.a.cmovae(first, sum);
    g.a.cmovae(base.r32(), more.r32());
  }
  g.a.sub(rest, first);
  g.a.shlx(cell, cell, rest);
  g.a.pdep(cell, cell, set);
  g.a.tzcnt(cell, cell);
  g.a.add(cell.r32(), base.r32());
  g.a.mov(g.memory(kOpen), cell.r32());
}

} // namespace

// Where nothing is left over the quotient is a product with the inverse of the divisor's odd part.
void divide_exactly(Generator& g, const Gp& n, int by, const Gp& inverse_in) {
  int odd = by, zeros = 0;
  for (; odd % 2 == 0; odd /= 2) ++zeros;
  std::uint64_t inverse = 1;
  for (int k = 0; k < 6; ++k) inverse *= 2 - static_cast<std::uint64_t>(odd) * inverse;
  g.a.shr(n, zeros);
  if (odd == 1) return;
  g.a.mov(inverse_in, inverse);
  g.a.imul(n, inverse_in);
}

namespace {

// Draws one of the moves that were found and goes on with the code that plays it.
void pick(Generator& g) {
  if (!g.around.random_games) {
    g.a.jmp(g.exit);
    return;
  }
  if (const auto& leaves = leaves_of_turn(g); !leaves.empty()) return pick_in_order(g, leaves);
  draw(g, g.cold([&g, index = g.index] {
    call_step(g, index);
    g.a.jmp(g.exit); // never: the helper goes elsewhere
  }));
  // The last record that begins at or before the number that was drawn.
  const Gp record = x86::rsi, count = x86::rdi, half = x86::r8, middle = x86::r9, drawn = x86::r10;
  const int size = kRecordSet + 8 * g.words;
  const Label search = g.a.newLabel(), found = g.a.newLabel();
  g.a.mov(half, g.field(g.around.at.list));
  g.a.mov(record, x86::qword_ptr(half, g.around.list.records));
  g.a.mov(count, x86::qword_ptr(half, g.around.list.records + kEnd));
  g.a.sub(count, record);
  g.a.cmp(count, size);
  g.a.je(found);
  divide_exactly(g, count, size, middle);
  g.a.bind(search);
  g.a.mov(half, count);
  g.a.shr(half, 1);
  g.a.imul(middle, half, size);
  g.a.sub(count, half);
  g.a.add(middle, record);
  g.a.cmp(x86::qword_ptr(middle, kRecordBefore), drawn);
  g.a.cmovbe(record, middle);
  g.a.cmp(count, 1);
  g.a.jne(search);
  g.a.bind(found);
  g.a.sub(drawn, x86::qword_ptr(record, kRecordBefore));
  member_of(g, [&](int w) { return x86::qword_ptr(record, kRecordSet + 8 * w); });
  play_record(g);
}

void pick_in_order(Generator& g, const std::vector<std::uint32_t>& leaves) {
  const Gp drawn = x86::r10;
  const Label back = g.a.newLabel();
  draw(g, g.cold([&g, back] {
    g.a.mov(x86::rdi, g.executor);
    g.a.mov(x86::rax, reinterpret_cast<std::uintptr_t>(g.around.draw));
    g.a.call(x86::rax);
    g.a.mov(x86::r10, x86::rax);
    g.a.mov(x86::rcx, g.field(g.around.at.total));
    g.a.add(g.field(g.around.at.moves), x86::rcx);
    g.a.jmp(back);
  }));
  g.a.bind(back);
  std::vector<Label> chosen;
  for (std::size_t k = leaves.size(); k-- > 1;) {
    chosen.push_back(g.a.newLabel());
    g.a.cmp(drawn, g.field(g.around.at.before + 8 * static_cast<std::int32_t>(k)));
    g.a.jae(chosen.back());
  }
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const I& leaf = g.code.instructions[leaves[k]];
    if (k > 0) {
      g.a.bind(chosen[leaves.size() - 1 - k]);
      g.a.sub(drawn, g.field(g.around.at.before + 8 * static_cast<std::int32_t>(k)));
    }
    g.forget_all();
    if (leaf.op == Op::leaf) {
      member_of(g, [&](int w) { return g.memory(g.word(leaf.a, w)); });
      g.held[x86::rax.id()] = kOpen;
    }
    g.a.jmp(g.to(g.code.leaves[at(leaf.x)].entry));
  }
  g.forget_all();
}

// In: rsi the record of the move that is played.
void play_record(Generator& g) {
  const Gp record = x86::rsi, leaf = x86::rcx, values = x86::rdi, address = x86::r8;
  g.a.mov(leaf.r32(), x86::dword_ptr(record));
  if (g.uses.values) {
    g.a.mov(address, g.field(g.around.at.list));
    g.a.mov(values.r32(), x86::dword_ptr(record, kRecordValues));
    g.a.shl(values, 2);
    g.a.add(values, x86::qword_ptr(address, g.around.list.values));
    g.a.mov(g.field(g.around.at.given), values);
  }
  // Of the player, those that could be found.
  std::vector<std::size_t> own;
  const std::size_t begin = g.index;
  std::size_t end = g.code.instructions.size();
  for (const ir::PlayerCode& p : g.code.players)
    if (p.position > begin) end = std::min<std::size_t>(end, p.position);
  for (std::size_t k = 0; k < g.code.leaves.size(); ++k)
    if (g.code.leaves[k].entry > begin && g.code.leaves[k].entry < end) own.push_back(k);
  if (own.size() == 1 && !g.code.leaves[own.front()].dynamic) {
    g.a.jmp(g.to(g.code.leaves[own.front()].entry));
    return;
  }
  if (!g.leaves.isValid()) g.leaves = g.a.newLabel();
  g.a.lea(address, x86::ptr(g.leaves));
  g.a.jmp(x86::qword_ptr(address, leaf, 3));
}

// In: rdi the values of a dynamic leaf's move, eax the cell that was chosen where the last choice was left
// open. From the second value on they are its choices, which are taken one by one: the open one is written.
// Changes rcx, rdx, rdi.
void patch_open(Generator& g, const ir::Leaf& leaf) {
  const Gp values = x86::rdi, cell = x86::rcx, place = x86::rdx;
  for (std::size_t k = 0; k < leaf.choices.size(); ++k) {
    const ir::Choice& c = leaf.choices[k];
    if (c.from != ir::Choice::From::open) continue;
    g.a.mov(cell.r32(), x86::eax);
    if (c.place >= 0) {
      g.mov_address(place, g.code.places[at(c.place)].data());
      g.a.movsx(cell.r32(), x86::word_ptr(place, x86::rax, 1));
    }
    g.a.mov(place.r32(), x86::dword_ptr(values)); // so many come before those of the leaf
    g.a.mov(x86::dword_ptr(values, place, 2, 4 + 4 * static_cast<int>(k)), cell.r32());
  }
  g.a.add(values, 4);
  g.a.mov(g.field(g.around.at.given), values);
  g.a.jmp(g.targets[leaf.entry].label);
}

} // namespace

// Where to go on for every leaf.
void leaf_table(Generator& g) {
  if (!g.leaves.isValid()) return;
  std::vector<Label> dynamic;
  for (const ir::Leaf& leaf : g.code.leaves) {
    if (!leaf.dynamic) continue;
    dynamic.push_back(g.a.newLabel());
    g.a.bind(dynamic.back());
    patch_open(g, leaf);
  }
  g.a.align(asmjit::AlignMode::kData, 8);
  g.a.bind(g.leaves);
  auto next = dynamic.begin();
  for (const ir::Leaf& leaf : g.code.leaves)
    g.a.embedLabel(leaf.dynamic ? *next++ : g.targets[leaf.entry].label, 8);
}

} // namespace boardwright::runtime::codegen

#endif
