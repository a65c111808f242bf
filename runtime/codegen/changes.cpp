// Changes of the state, each of which is noted on the trail.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/changes.hpp"
#include "runtime/codegen/control.hpp"
#include "runtime/codegen/sets.hpp"
#include "runtime/codegen/stacks.hpp"

namespace boardwright::runtime::codegen {

namespace {

void write_words(Generator& g, Reg d, const WordOf& value);
void bit_change(Generator& g, const I& i, bool in);
void set_bit(Generator& g, Reg set, const Gp& cell, bool in);
void lift(Generator& g, const I& i);
void put(Generator& g, const I& i);
void set_piece(Generator& g, const I& i);
void gone_cell(Generator& g, const I& i);
void write_hand(Generator& g, const I& i);

} // namespace

namespace Inst = x86::Inst;

bool change(Generator& g, const I& i) {
  const bool mailbox = g.around.bytes_of_codes != 0 && !g.code.layout.stacks;
  switch (i.op) {
  case Op::put_in: bit_change(g, i, true); return true;
  case Op::take_out: bit_change(g, i, false); return true;
  case Op::write_set: write_words(g, i.d, [&](int w) { return g.copy_of(g.word(i.a, w)); }); return true;
  case Op::join_set:
    write_words(g, i.d, [&](int w) {
      const Gp reg = g.copy_of(g.word(i.d, w));
      g.apply(Inst::kIdOr, reg, g.word(i.a, w));
      return reg;
    });
    return true;
  case Op::leave_set:
    write_words(g, i.d, [&](int w) {
      const Gp other = g.read(g.word(i.a, w)), reg = g.fresh();
      const auto pinned = g.pinned;
      g.a.emit(Inst::kIdAndn, reg, other, g.operand(g.word(i.d, w)));
      g.pinned = pinned;
      return reg;
    });
    return true;
  case Op::write: write_number(g, i.d, g.read(g.number(i.a))); return true;
  case Op::write_hand: write_hand(g, i); return true;
  case Op::remove: { // most of the time there is nothing to remove
    const Label some = slow(g);
    test_none(g, i.a);
    g.a.jnz(some);
    join_slow(g);
    return true;
  }
  case Op::again: {
    const Gp one = g.fresh();
    g.a.mov(one.r32(), 1);
    write_number(g, g.code.layout.again, one);
    return true;
  }
  case Op::decide:
    for (const auto& [reg, value] : {std::pair(g.code.layout.decision, static_cast<std::uint32_t>(i.x + 1)),
                                     std::pair(g.code.layout.winners, g.code.verdicts[at(i.x)].winners)}) {
      const Gp is = g.fresh();
      g.a.mov(is.r32(), value);
      write_number(g, reg, is);
      g.release();
    }
    return true;
  case Op::lift:
    if (!mailbox) return false;
    lift(g, i);
    return true;
  case Op::put:
    if (!mailbox) return false;
    put(g, i);
    return true;
  case Op::set_piece:
    if (!mailbox) return false;
    set_piece(g, i);
    return true;
  case Op::lift_some: lift_some(g, i); return true;
  case Op::put_some: put_some(g, i); return true;
  case Op::discard: discard(g, i); return true;
  case Op::gone_cell: gone_cell(g, i); return true;
  case Op::gone_copy:
    for (int w = 0; w < g.words; ++w) {
      g.define(g.word(i.d, w), g.copy_of(g.word(g.code.layout.gone, w)));
      g.release();
    }
    return true;
  case Op::gone_back:
    write_words(g, g.code.layout.gone, [&](int w) { return g.copy_of(g.word(i.a, w)); });
    return true;
  case Op::say_gone: {
    if (i.y == 1) return false; // codegen/history.cpp
    const Label slowly = slow(g);
    test_none(g, g.code.layout.gone);
    g.a.jnz(slowly);
    join_slow(g);
    return true;
  }
  default: return false;
  }
}

// ---------------------------------------------------------------- the trail

namespace {

// Makes sure of room for kEntriesAtOnce entries. All registers stay.
void room(Generator& g) {
  const Label back = g.a.newLabel();
  const Label full = g.cold([&g, back] {
    g.a.call(g.room);
    g.a.jmp(back);
  });
  g.a.cmp(g.trail, g.field(g.around.at.trail + kLimit));
  g.a.jae(full);
  g.a.bind(back);
}

} // namespace

void room_for(Generator& g, int entries) {
  const Label enough = g.a.newLabel();
  g.a.lea(x86::rdx, x86::ptr(g.trail, entries * 16));
  g.a.cmp(x86::rdx, g.field(g.around.at.trail + kLimit));
  g.a.jbe(enough);
  g.a.sub(x86::rsp, 8);
  g.a.call(g.room);
  g.a.add(x86::rsp, 8);
  g.a.bind(enough);
}

// Calls a helper. All registers stay; where it says no, native code is left.
void keeping_routine(Generator& g, const Label& routine, bool (*helper)(void*)) {
  g.a.bind(routine);
  for (const unsigned id : Generator::kGeneral) g.a.push(x86::gpq(id));
  g.a.mov(g.field(g.around.at.trail + kEnd), g.trail);
  g.a.mov(x86::rdi, g.executor);
  g.a.mov(x86::rax, reinterpret_cast<std::uintptr_t>(helper));
  g.a.call(x86::rax);
  g.a.mov(g.trail, g.field(g.around.at.trail + kEnd));
  g.a.test(x86::al, x86::al);
  g.a.jz(g.give_up);
  for (std::size_t k = Generator::kGeneral.size(); k-- > 0;) g.a.pop(x86::gpq(Generator::kGeneral[k]));
  g.a.ret();
}

// One entry; `where` is a number or a register.
void note(Generator& g, const asmjit::Operand& where, const Gp& old) {
  if (!g.notes()) return;
  room(g);
  g.a.emit(Inst::kIdMov, x86::dword_ptr(g.trail), where);
  g.a.mov(x86::qword_ptr(g.trail, 8), old);
  g.a.add(g.trail, 16);
}

// ---------------------------------------------------------------- sets and numbers

namespace {

// What stays as it is isn't noted.
void write_words(Generator& g, Reg d, const WordOf& value) {
  for (int w = 0; w < g.words; ++w) {
    if (!g.notes()) {
      g.define(g.word(d, w), value(w));
      g.release();
      continue;
    }
    const Gp now = value(w), old = g.read(g.word(d, w));
    const Label same = g.a.newLabel();
    g.a.cmp(now, old);
    g.a.je(same);
    note(g, asmjit::imm(g.word(d, w).index), old);
    g.a.mov(g.memory(g.word(d, w)), now);
    g.a.bind(same);
    g.forget(g.word(d, w));
    g.held[now.id()] = g.word(d, w);
    g.release();
  }
}

} // namespace

void write_no_cells(Generator& g, Reg d) {
  write_words(g, d, [&](int) {
    const Gp zero = g.fresh();
    g.a.xor_(zero.r32(), zero.r32());
    return zero;
  });
}

void write_number(Generator& g, int d, const Gp& value) {
  if (!g.notes()) {
    g.forget(g.number(d));
    g.a.mov(g.memory(g.number(d)), value.r32());
    return;
  }
  const Gp old = g.read(g.number(d));
  if (old == value) return; // itself
  const Label same = g.a.newLabel();
  g.a.cmp(value.r32(), old.r32());
  g.a.je(same);
  note(g, asmjit::imm(kNumberPart | static_cast<std::uint32_t>(d)), old);
  g.a.mov(g.memory(g.number(d)), value.r32());
  g.a.bind(same);
  g.forget(g.number(d));
}

namespace {

// No hand holds less than nothing. Without a kind, or an entry for it, the helper says what is wrong.
void write_hand(Generator& g, const I& i) {
  const Label wrong = slow(g);
  const Gp slot = g.copy_of(g.number(i.a)), table = g.fresh();
  g.mov_address(table, g.around.hand_slots[i.c]);
  g.a.test(slot.r32(), slot.r32());
  g.a.js(wrong);
  g.a.mov(slot.r32(), x86::dword_ptr(table, slot, 2));
  g.a.test(slot.r32(), slot.r32());
  g.a.js(wrong);
  g.unpin(table);
  const Gp value = g.copy_of(g.number(i.b)), other = g.fresh();
  g.a.xor_(other.r32(), other.r32());
  g.a.test(value.r32(), value.r32());
  g.a.cmovs(value.r32(), other.r32());
  const x86::Mem hand = x86::dword_ptr(g.numbers, slot, 2, 4 * g.code.layout.hands);
  if (g.notes()) {
    const Label same = g.a.newLabel();
    g.a.mov(other.r32(), hand);
    g.a.cmp(value.r32(), other.r32());
    g.a.je(same);
    g.a.mov(hand, value.r32());
    g.a.add(slot.r32(), static_cast<std::int32_t>(kNumberPart) + g.code.layout.hands);
    note(g, slot.r32(), other);
    g.a.bind(same);
  } else {
    g.a.mov(hand, value.r32());
  }
  join_slow(g);
}

void bit_change(Generator& g, const I& i, bool in) {
  if (!g.notes()) return set_bit(g, i.d, g.read(g.number(i.a)), in);
  const Gp cell = g.read(g.number(i.a)), now = g.fresh(),
           old = g.words == 1 ? g.read(g.word(i.d, 0)) : g.fresh();
  const Label same = g.a.newLabel();
  const auto changed = [&] {
    g.a.mov(now, old);
    in ? g.a.bts(now, cell) : g.a.btr(now, cell);
  };
  if (g.words == 1) {
    changed();
    g.a.cmp(now, old);
    g.a.je(same);
    note(g, asmjit::imm(g.word(i.d, 0).index), old);
    g.a.mov(g.memory(g.word(i.d, 0)), now);
    g.a.bind(same);
    g.forget(g.word(i.d, 0));
    g.held[now.id()] = g.word(i.d, 0);
    return;
  }
  const Gp where = g.fresh();
  g.forget_set(i.d);
  g.a.mov(where.r32(), cell.r32());
  g.a.shr(where.r32(), 6);
  g.a.add(where.r32(), i.d * g.words);
  g.a.mov(old, x86::qword_ptr(g.sets, where, 3));
  changed();
  g.a.cmp(now, old);
  g.a.je(same);
  note(g, where.r32(), old);
  g.a.mov(x86::qword_ptr(g.sets, where, 3), now);
  g.a.bind(same);
}

// Without a note. The cell isn't -1.
void set_bit(Generator& g, Reg set, const Gp& cell, bool in) {
  if (g.words == 1) {
    const Gp now = g.copy_of(g.word(set, 0));
    in ? g.a.bts(now, cell) : g.a.btr(now, cell);
    g.define(g.word(set, 0), now);
    return;
  }
  const Gp where = g.fresh(), now = g.fresh();
  g.forget_set(set);
  g.a.mov(where.r32(), cell.r32());
  g.a.shr(where.r32(), 6);
  const Mem there = x86::qword_ptr(g.sets, where, 3, 8 * set * g.words);
  g.a.mov(now, there);
  in ? g.a.bts(now, cell) : g.a.btr(now, cell);
  g.a.mov(there, now);
}

} // namespace

// ---------------------------------------------------------------- pieces, with a mailbox and without stacks

// In: ecx a cell, eax the code of a piece that leaves it (or comes to it, where it is empty). Changes also
// rdx, rsi, rdi, r8, r9.
void piece_routine(Generator& g, bool comes, bool notes) {
  const ir::Layout& l = g.code.layout;
  g.a.bind((comes ? g.come : g.leave)[notes]);
  if (notes) room_for(g, 4);
  g.a.xor_(x86::edx, x86::edx);
  g.a.bts(x86::rdx, x86::rcx);
  if (g.words > 1) {
    g.a.mov(x86::esi, x86::ecx);
    g.a.shr(x86::esi, 6);
  }
  const auto change = [&](bool in) { // the set whose first word is r8
    if (g.words > 1) g.a.add(x86::r8d, x86::esi);
    g.a.mov(x86::r9, x86::qword_ptr(g.sets, x86::r8, 3));
    if (notes) {
      g.a.mov(x86::dword_ptr(g.trail), x86::r8d);
      g.a.mov(x86::qword_ptr(g.trail, 8), x86::r9);
      g.a.add(g.trail, 16);
    }
    in ? g.a.or_(x86::r9, x86::rdx) : g.a.andn(x86::r9, x86::rdx, x86::r9);
    g.a.mov(x86::qword_ptr(g.sets, x86::r8, 3), x86::r9);
  };
  const auto set_of_code = [&](const std::uint8_t* table, int first) {
    g.mov_address(x86::rdi, table);
    g.a.movzx(x86::r8d, x86::byte_ptr(x86::rdi, x86::rax));
    if (first > 0) g.a.add(x86::r8d, first);
    if (g.words > 1) g.a.imul(x86::r8d, x86::r8d, g.words);
    change(comes);
  };
  set_of_code(g.around.owner_of_code, 0);
  if (l.kinds > 0) set_of_code(g.around.kind_of_code, l.owners);
  g.a.mov(x86::r8d, l.empty * g.words);
  change(!comes);
  if (notes) {
    g.a.lea(x86::r8d, x86::ptr(x86::rcx, static_cast<std::int32_t>(kBytePart)));
    g.a.mov(x86::dword_ptr(g.trail), x86::r8d);
    comes ? g.a.xor_(x86::edx, x86::edx) : g.a.mov(x86::edx, x86::eax);
    g.a.mov(x86::qword_ptr(g.trail, 8), x86::rdx);
    g.a.add(g.trail, 16);
  }
  comes ? g.a.mov(x86::byte_ptr(g.codes, x86::rcx), x86::al) : g.a.mov(x86::byte_ptr(g.codes, x86::rcx), 0);
  g.a.ret();
}

namespace {

void lift(Generator& g, const I& i) {
  const ir::Layout& l = g.code.layout;
  const Label slowly = slow(g); // something is carried already
  const Gp cell = g.claim(x86::rcx), piece = g.claim(x86::rax);
  g.load(cell, g.number(i.a));
  g.a.movzx(piece.r32(), x86::byte_ptr(g.codes, cell));
  g.a.test(piece.r32(), piece.r32());
  g.a.jz(g.to(i.x));
  g.a.cmp(g.memory(g.number(l.carried)), 0);
  g.a.jne(slowly);
  g.a.call(g.leave[g.notes()]);
  g.forget_all();
  g.a.xor_(x86::edx, x86::edx);
  note(g, asmjit::imm(kNumberPart | l.carried), x86::rdx);
  g.a.mov(g.memory(g.number(l.carried)), x86::eax);
  join_slow(g);
}

void put(Generator& g, const I& i) {
  const ir::Layout& l = g.code.layout;
  const Label slowly = slow(g); // nothing is carried, or there is a piece already
  const Gp cell = g.claim(x86::rcx), piece = g.claim(x86::rax);
  g.load(cell, g.number(i.a));
  g.load(piece, g.number(l.carried));
  g.a.test(piece.r32(), piece.r32());
  g.a.jz(slowly);
  g.a.cmp(x86::byte_ptr(g.codes, cell), 0);
  g.a.jne(slowly);
  g.a.call(g.come[g.notes()]);
  g.forget_all();
  note(g, asmjit::imm(kNumberPart | l.carried), x86::rax);
  g.a.mov(g.memory(g.number(l.carried)), 0);
  join_slow(g);
}

void set_piece(Generator& g, const I& i) {
  const Label slowly = slow(g), done = g.a.newLabel();
  const Gp cell = g.claim(x86::rcx), piece = g.claim(x86::rax);
  g.load(cell, g.number(i.a));
  g.a.movzx(piece.r32(), x86::byte_ptr(g.codes, cell));
  g.a.test(piece.r32(), piece.r32());
  if (i.x == 0) {
    g.a.jz(done);
    if (i.y != 0)
      g.a.jmp(slowly);
    else
      g.a.call(g.leave[g.notes()]);
  } else {
    g.a.jnz(slowly);
    g.a.mov(piece.r32(), i.x);
    g.a.call(g.come[g.notes()]);
  }
  join_slow(g);
  g.a.bind(done);
}

// Another's piece that leaves.
void gone_cell(Generator& g, const I& i) {
  const ir::Layout& l = g.code.layout;
  const Label done = g.a.newLabel();
  const Gp cell = g.read(g.number(i.a)), where = g.fresh(), word = g.fresh(), now = g.fresh();
  g.a.xor_(where.r32(), where.r32());
  if (g.words > 1) {
    g.a.mov(where.r32(), cell.r32());
    g.a.shr(where.r32(), 6);
  }
  const auto first_word = [&](Reg set) { return x86::qword_ptr(g.sets, where, 3, 8 * set * g.words); };
  g.a.mov(word, first_word(l.empty));
  g.a.bt(word, cell);
  g.a.jc(done);
  g.a.mov(word.r32(), g.field32(g.around.at.mover));
  if (g.words > 1) g.a.imul(word.r32(), word.r32(), g.words);
  g.a.add(word, where);
  g.a.mov(word, x86::qword_ptr(g.sets, word, 3));
  g.a.bt(word, cell);
  g.a.jc(done);
  g.a.mov(word, first_word(l.gone));
  g.a.mov(now, word);
  g.a.bts(now, cell);
  if (g.notes()) {
    g.a.add(where.r32(), l.gone * g.words);
    note(g, where.r32(), word);
    g.a.mov(x86::qword_ptr(g.sets, where, 3), now);
  } else {
    g.a.mov(first_word(l.gone), now);
  }
  g.forget_set(l.gone);
  g.a.bind(done);
}

} // namespace

} // namespace boardwright::runtime::codegen

#endif
