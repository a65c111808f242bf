// Changes of the state, each of which is noted on the trail.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

namespace Inst = x86::Inst;

bool Generator::change(const I& i) {
  const bool mailbox = around_.bytes_of_codes != 0 && !code_.layout.stacks;
  switch (i.op) {
  case Op::put_in: bit_change(i, true); return true;
  case Op::take_out: bit_change(i, false); return true;
  case Op::write_set: write_words(i.d, [&](int w) { return copy_of(word(i.a, w)); }); return true;
  case Op::join_set:
    write_words(i.d, [&](int w) {
      const Gp reg = copy_of(word(i.d, w));
      apply(Inst::kIdOr, reg, word(i.a, w));
      return reg;
    });
    return true;
  case Op::leave_set:
    write_words(i.d, [&](int w) {
      const Gp other = read(word(i.a, w)), reg = fresh();
      const auto pinned = pinned_;
      a_.emit(Inst::kIdAndn, reg, other, operand(word(i.d, w)));
      pinned_ = pinned;
      return reg;
    });
    return true;
  case Op::write: write_number(i.d, read(number(i.a))); return true;
  case Op::remove: { // most of the time there is nothing to remove
    const Label some = slow();
    test_none(i.a);
    a_.jnz(some);
    join_slow();
    return true;
  }
  case Op::again: {
    const Gp one = fresh();
    a_.mov(one.r32(), 1);
    write_number(code_.layout.again, one);
    return true;
  }
  case Op::decide:
    for (const auto& [reg, value] : {std::pair(code_.layout.decision, static_cast<std::uint32_t>(i.x + 1)),
                                     std::pair(code_.layout.winners, code_.verdicts[at(i.x)].winners)}) {
      const Gp is = fresh();
      a_.mov(is.r32(), value);
      write_number(reg, is);
      release();
    }
    return true;
  case Op::lift:
    if (!mailbox) return false;
    lift(i);
    return true;
  case Op::put:
    if (!mailbox) return false;
    put(i);
    return true;
  case Op::set_piece:
    if (!mailbox) return false;
    set_piece(i);
    return true;
  case Op::lift_some: lift_some(i); return true;
  case Op::put_some: put_some(i); return true;
  case Op::discard: discard(i); return true;
  case Op::gone_cell: gone_cell(i); return true;
  case Op::gone_copy:
    for (int w = 0; w < words_; ++w) {
      define(word(i.d, w), copy_of(word(code_.layout.gone, w)));
      release();
    }
    return true;
  case Op::gone_back:
    write_words(code_.layout.gone, [&](int w) { return copy_of(word(i.a, w)); });
    return true;
  case Op::say_gone: {
    const Label slowly = slow();
    test_none(code_.layout.gone);
    a_.jnz(slowly);
    join_slow();
    return true;
  }
  default: return false;
  }
}

// ---------------------------------------------------------------- the trail

// Makes sure of room for kEntriesAtOnce entries. All registers stay.
void Generator::room() {
  const Label back = a_.newLabel();
  const Label full = cold([this, back] {
    a_.call(room_);
    a_.jmp(back);
  });
  a_.cmp(trail_, field(around_.at.trail + kLimit));
  a_.jae(full);
  a_.bind(back);
}

// Calls a helper. All registers stay; where it says no, native code is left.
void Generator::keeping_routine(const Label& routine, bool (*helper)(void*)) {
  a_.bind(routine);
  for (const unsigned id : kGeneral) a_.push(x86::gpq(id));
  a_.mov(field(around_.at.trail + kEnd), trail_);
  a_.mov(x86::rdi, executor_);
  a_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(helper));
  a_.call(x86::rax);
  a_.mov(trail_, field(around_.at.trail + kEnd));
  a_.test(x86::al, x86::al);
  a_.jz(give_up_);
  for (std::size_t k = kGeneral.size(); k-- > 0;) a_.pop(x86::gpq(kGeneral[k]));
  a_.ret();
}

// One entry; `where` is a number or a register.
void Generator::note(const asmjit::Operand& where, const Gp& old) {
  if (!notes()) return;
  room();
  a_.emit(Inst::kIdMov, x86::dword_ptr(trail_), where);
  a_.mov(x86::qword_ptr(trail_, 8), old);
  a_.add(trail_, 16);
}

// ---------------------------------------------------------------- sets and numbers

// What stays as it is isn't noted.
void Generator::write_words(Reg d, const WordOf& value) {
  for (int w = 0; w < words_; ++w) {
    if (!notes()) {
      define(word(d, w), value(w));
      release();
      continue;
    }
    const Gp now = value(w), old = read(word(d, w));
    const Label same = a_.newLabel();
    a_.cmp(now, old);
    a_.je(same);
    note(asmjit::imm(word(d, w).index), old);
    a_.mov(memory(word(d, w)), now);
    a_.bind(same);
    forget(word(d, w));
    held_[now.id()] = word(d, w);
    release();
  }
}

void Generator::write_number(int d, const Gp& value) {
  if (!notes()) {
    forget(number(d));
    a_.mov(memory(number(d)), value.r32());
    return;
  }
  const Gp old = read(number(d));
  if (old == value) return; // itself
  const Label same = a_.newLabel();
  a_.cmp(value.r32(), old.r32());
  a_.je(same);
  note(asmjit::imm(kNumberPart | static_cast<std::uint32_t>(d)), old);
  a_.mov(memory(number(d)), value.r32());
  a_.bind(same);
  forget(number(d));
}

void Generator::bit_change(const I& i, bool in) {
  if (!notes()) return set_bit(i.d, read(number(i.a)), in);
  const Gp cell = read(number(i.a)), now = fresh(), old = words_ == 1 ? read(word(i.d, 0)) : fresh();
  const Label same = a_.newLabel();
  const auto changed = [&] {
    a_.mov(now, old);
    in ? a_.bts(now, cell) : a_.btr(now, cell);
  };
  if (words_ == 1) {
    changed();
    a_.cmp(now, old);
    a_.je(same);
    note(asmjit::imm(word(i.d, 0).index), old);
    a_.mov(memory(word(i.d, 0)), now);
    a_.bind(same);
    forget(word(i.d, 0));
    held_[now.id()] = word(i.d, 0);
    return;
  }
  const Gp where = fresh();
  forget_set(i.d);
  a_.mov(where.r32(), cell.r32());
  a_.shr(where.r32(), 6);
  a_.add(where.r32(), i.d * words_);
  a_.mov(old, x86::qword_ptr(sets_, where, 3));
  changed();
  a_.cmp(now, old);
  a_.je(same);
  note(where.r32(), old);
  a_.mov(x86::qword_ptr(sets_, where, 3), now);
  a_.bind(same);
}

// Without a note. The cell isn't -1.
void Generator::set_bit(Reg set, const Gp& cell, bool in) {
  if (words_ == 1) {
    const Gp now = copy_of(word(set, 0));
    in ? a_.bts(now, cell) : a_.btr(now, cell);
    define(word(set, 0), now);
    return;
  }
  const Gp where = fresh(), now = fresh();
  forget_set(set);
  a_.mov(where.r32(), cell.r32());
  a_.shr(where.r32(), 6);
  const Mem there = x86::qword_ptr(sets_, where, 3, 8 * set * words_);
  a_.mov(now, there);
  in ? a_.bts(now, cell) : a_.btr(now, cell);
  a_.mov(there, now);
}

// ---------------------------------------------------------------- pieces, with a mailbox and without stacks

// In: ecx a cell, eax the code of a piece that leaves it (or comes to it, where it is empty). Changes also
// rdx, rsi, rdi, r8, r9.
void Generator::piece_routine(bool comes, bool notes) {
  const ir::Layout& l = code_.layout;
  const Label enough = a_.newLabel();
  a_.bind((comes ? come_ : leave_)[notes]);
  if (notes) {
    a_.lea(x86::rdx, x86::ptr(trail_, 4 * 16));
    a_.cmp(x86::rdx, field(around_.at.trail + kLimit));
    a_.jbe(enough);
    a_.sub(x86::rsp, 8);
    a_.call(room_);
    a_.add(x86::rsp, 8);
    a_.bind(enough);
  }
  a_.xor_(x86::edx, x86::edx);
  a_.bts(x86::rdx, x86::rcx);
  if (words_ > 1) {
    a_.mov(x86::esi, x86::ecx);
    a_.shr(x86::esi, 6);
  }
  const auto change = [&](bool in) { // the set whose first word is r8
    if (words_ > 1) a_.add(x86::r8d, x86::esi);
    a_.mov(x86::r9, x86::qword_ptr(sets_, x86::r8, 3));
    if (notes) {
      a_.mov(x86::dword_ptr(trail_), x86::r8d);
      a_.mov(x86::qword_ptr(trail_, 8), x86::r9);
      a_.add(trail_, 16);
    }
    in ? a_.or_(x86::r9, x86::rdx) : a_.andn(x86::r9, x86::rdx, x86::r9);
    a_.mov(x86::qword_ptr(sets_, x86::r8, 3), x86::r9);
  };
  const auto set_of_code = [&](const std::uint8_t* table, int first) {
    mov_address(x86::rdi, table);
    a_.movzx(x86::r8d, x86::byte_ptr(x86::rdi, x86::rax));
    if (first > 0) a_.add(x86::r8d, first);
    if (words_ > 1) a_.imul(x86::r8d, x86::r8d, words_);
    change(comes);
  };
  set_of_code(around_.owner_of_code, 0);
  if (l.kinds > 0) set_of_code(around_.kind_of_code, l.owners);
  a_.mov(x86::r8d, l.empty * words_);
  change(!comes);
  if (notes) {
    a_.lea(x86::r8d, x86::ptr(x86::rcx, static_cast<std::int32_t>(kBytePart)));
    a_.mov(x86::dword_ptr(trail_), x86::r8d);
    comes ? a_.xor_(x86::edx, x86::edx) : a_.mov(x86::edx, x86::eax);
    a_.mov(x86::qword_ptr(trail_, 8), x86::rdx);
    a_.add(trail_, 16);
  }
  comes ? a_.mov(x86::byte_ptr(codes_, x86::rcx), x86::al) : a_.mov(x86::byte_ptr(codes_, x86::rcx), 0);
  a_.ret();
}

void Generator::lift(const I& i) {
  const ir::Layout& l = code_.layout;
  const Label slowly = slow(); // something is in the air already
  const Gp cell = claim(x86::rcx), piece = claim(x86::rax);
  load(cell, number(i.a));
  a_.movzx(piece.r32(), x86::byte_ptr(codes_, cell));
  a_.test(piece.r32(), piece.r32());
  a_.jz(to(i.x));
  a_.cmp(memory(number(l.air)), 0);
  a_.jne(slowly);
  a_.call(leave_[notes()]);
  forget_all();
  a_.xor_(x86::edx, x86::edx);
  note(asmjit::imm(kNumberPart | l.air), x86::rdx);
  a_.mov(memory(number(l.air)), x86::eax);
  join_slow();
}

void Generator::put(const I& i) {
  const ir::Layout& l = code_.layout;
  const Label slowly = slow(); // nothing is in the air, or there is a piece already
  const Gp cell = claim(x86::rcx), piece = claim(x86::rax);
  load(cell, number(i.a));
  load(piece, number(l.air));
  a_.test(piece.r32(), piece.r32());
  a_.jz(slowly);
  a_.cmp(x86::byte_ptr(codes_, cell), 0);
  a_.jne(slowly);
  a_.call(come_[notes()]);
  forget_all();
  note(asmjit::imm(kNumberPart | l.air), x86::rax);
  a_.mov(memory(number(l.air)), 0);
  join_slow();
}

void Generator::set_piece(const I& i) {
  const Label slowly = slow(), done = a_.newLabel();
  const Gp cell = claim(x86::rcx), piece = claim(x86::rax);
  load(cell, number(i.a));
  a_.movzx(piece.r32(), x86::byte_ptr(codes_, cell));
  a_.test(piece.r32(), piece.r32());
  if (i.x == 0) {
    a_.jz(done);
    if (i.y != 0)
      a_.jmp(slowly);
    else
      a_.call(leave_[notes()]);
  } else {
    a_.jnz(slowly);
    a_.mov(piece.r32(), i.x);
    a_.call(come_[notes()]);
  }
  join_slow();
  a_.bind(done);
}

// Another's piece that leaves: the helper notes it.
void Generator::gone_cell(const I& i) {
  const ir::Layout& l = code_.layout;
  const Label slowly = slow(), done = a_.newLabel();
  const Gp cell = read(number(i.a)), where = fresh(), mover = fresh();
  a_.xor_(where.r32(), where.r32());
  if (words_ > 1) {
    a_.mov(where.r32(), cell.r32());
    a_.shr(where.r32(), 6);
  }
  a_.mov(mover, x86::qword_ptr(sets_, where, 3, 8 * l.empty * words_));
  a_.bt(mover, cell);
  a_.jc(done);
  a_.mov(mover.r32(), field32(around_.at.mover));
  a_.imul(mover.r32(), mover.r32(), words_);
  a_.add(mover, where);
  a_.mov(mover, x86::qword_ptr(sets_, mover, 3));
  a_.bt(mover, cell);
  a_.jnc(slowly);
  join_slow();
  a_.bind(done);
}

} // namespace boardwright::runtime::codegen

#endif
