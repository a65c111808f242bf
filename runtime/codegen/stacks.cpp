// Stacks: what is lifted, laid down and thrown away. Few pieces at a time; more of them are the helper's.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

namespace {

// As many pieces as there is room for on the trail at once, with all the rest that changes (two entries for
// the sets of owners, two for those of kinds, the empty cells, the height, how many are carried).
constexpr int kMostPieces = 8;
constexpr int kEntries = kMostPieces + 7;
static_assert(kEntries <= 2 * static_cast<int>(kEntriesAtOnce));

} // namespace

// How many are carried is number `air`; to i.x if fewer are there than are to go. Then: ecx the cell, r8d how
// many, eax how many there are.
void Generator::lift_some(const I& i) {
  const Label slowly = slow();
  const Gp cell = claim(x86::rcx), height = claim(x86::rax), many = claim(x86::r8), carried = claim(x86::rsi);
  load(cell, number(i.a));
  load(carried, number(code_.layout.air));
  a_.mov(height, field(around_.at.heights));
  a_.movzx(height.r32(), x86::byte_ptr(height, cell));
  a_.test(height.r32(), height.r32());
  a_.jz(to(i.x));
  if (i.y != 0) {
    a_.mov(many.r32(), height.r32());
  } else {
    load(many, number(i.b));
    a_.cmp(many.r32(), height.r32());
    a_.ja(to(i.x)); // fewer than none are very many here
  }
  move_pieces(carried, many, lift_stack_, slowly);
}

void Generator::put_some(const I& i) {
  const Label slowly = slow();
  const Gp cell = claim(x86::rcx), height = claim(x86::rax), many = claim(x86::r8), carried = claim(x86::rsi);
  load(cell, number(i.a));
  load(carried, number(code_.layout.air));
  if (i.y != 0) {
    a_.mov(many.r32(), carried.r32());
  } else {
    load(many, number(i.b));
    a_.cmp(many.r32(), carried.r32());
    a_.ja(to(i.x));
  }
  a_.mov(height, field(around_.at.heights));
  a_.movzx(height.r32(), x86::byte_ptr(height, cell));
  move_pieces(height, many, put_stack_, slowly);
}

// `arrives`: how many there are already where the pieces go.
void Generator::move_pieces(const Gp& arrives, const Gp& many, const Label& routine, const Label& slowly) {
  const Label none = a_.newLabel();
  const Gp sum = claim(x86::rdx);
  a_.lea(sum.r32(), x86::ptr(arrives, many));
  a_.cmp(sum.r32(), code_.layout.levels);
  a_.ja(slowly);
  a_.cmp(many.r32(), kMostPieces);
  a_.ja(slowly);
  a_.test(many.r32(), many.r32());
  a_.jz(none);
  a_.call(routine);
  a_.bind(none);
  join_slow();
}

void Generator::discard(const I& i) {
  const Gp carried = read(number(code_.layout.air)), left = fresh();
  if (i.y != 0) {
    a_.xor_(left.r32(), left.r32());
  } else {
    const Gp many = read(number(i.b));
    a_.cmp(many.r32(), carried.r32());
    a_.ja(to(i.x));
    a_.mov(left.r32(), carried.r32());
    a_.sub(left.r32(), many.r32());
  }
  write_number(code_.layout.air, left);
}

// ---------------------------------------------------------------- routines

// In: ecx the cell, esi how many are carried, r8d how many go. Changes all registers that values are
// remembered in.
void Generator::stack_routines() {
  lift_routine();
  put_routine();
  stack_changed_routine();
  top_changed_routine();
}

// r10: where the codes of the cell begin; eax: its height; r9d: what is on top. Room on the trail.
void Generator::begin_stack_routine(const Label& routine) {
  const Label enough = a_.newLabel(), empty = a_.newLabel();
  a_.bind(routine);
  a_.lea(x86::rdx, x86::ptr(trail_, kEntries * 16));
  a_.cmp(x86::rdx, field(around_.at.trail + kLimit));
  a_.jbe(enough);
  a_.sub(x86::rsp, 8);
  a_.call(room_);
  a_.add(x86::rsp, 8);
  a_.bind(enough);
  a_.imul(x86::r10d, x86::ecx, code_.layout.levels);
  a_.add(x86::r10, codes_);
  a_.mov(x86::r11, field(around_.at.heights));
  a_.movzx(x86::eax, x86::byte_ptr(x86::r11, x86::rcx));
  a_.mov(x86::r11, field(around_.at.air));
  a_.xor_(x86::r9d, x86::r9d);
  a_.test(x86::eax, x86::eax);
  a_.jz(empty);
  a_.movzx(x86::r9d, x86::byte_ptr(x86::r10, x86::rax, 0, -1));
  a_.bind(empty);
}

// An entry of the trail: where is edi, what was there rdx.
void Generator::note_byte() {
  a_.mov(x86::dword_ptr(trail_), x86::edi);
  a_.mov(x86::qword_ptr(trail_, 8), x86::rdx);
  a_.add(trail_, 16);
}

// From the top down: what is lifted comes under what is in the air.
void Generator::lift_routine() {
  const Label next = a_.newLabel(), same = a_.newLabel();
  begin_stack_routine(lift_stack_);
  const auto air_begins = static_cast<std::int32_t>(around_.bytes_of_codes + around_.bytes_of_heights);
  a_.bind(next);
  a_.movzx(x86::edx, x86::byte_ptr(x86::r11, x86::rsi));
  a_.cmp(x86::dl, x86::byte_ptr(x86::r10, x86::rax, 0, -1));
  a_.je(same);
  a_.lea(x86::edi, x86::ptr(x86::rsi, air_begins + static_cast<std::int32_t>(kBytePart)));
  note_byte();
  a_.mov(x86::dl, x86::byte_ptr(x86::r10, x86::rax, 0, -1));
  a_.mov(x86::byte_ptr(x86::r11, x86::rsi), x86::dl);
  a_.bind(same);
  a_.inc(x86::esi);
  a_.dec(x86::eax);
  a_.dec(x86::r8d);
  a_.jnz(next);
  a_.jmp(stack_changed_);
}

// The lowest of those in the air, which are the last ones, first.
void Generator::put_routine() {
  const Label next = a_.newLabel(), same = a_.newLabel();
  begin_stack_routine(put_stack_);
  a_.bind(next);
  a_.movzx(x86::edx, x86::byte_ptr(x86::r10, x86::rax));
  a_.cmp(x86::dl, x86::byte_ptr(x86::r11, x86::rsi, 0, -1));
  a_.je(same);
  a_.mov(x86::rdi, x86::r10);
  a_.sub(x86::rdi, codes_);
  a_.lea(x86::edi, x86::ptr(x86::rdi, x86::rax, 0, static_cast<std::int32_t>(kBytePart)));
  note_byte();
  a_.mov(x86::dl, x86::byte_ptr(x86::r11, x86::rsi, 0, -1));
  a_.mov(x86::byte_ptr(x86::r10, x86::rax), x86::dl);
  a_.bind(same);
  a_.inc(x86::eax);
  a_.dec(x86::esi);
  a_.dec(x86::r8d);
  a_.jnz(next);
  a_.jmp(stack_changed_);
}

// In: eax the height now, esi how many are carried now, r9d what was on top.
void Generator::stack_changed_routine() {
  const Label empty = a_.newLabel();
  const Key air = number(code_.layout.air);
  a_.bind(stack_changed_);
  a_.mov(x86::edi, kNumberPart | code_.layout.air);
  a_.mov(x86::edx, memory(air));
  note_byte();
  a_.mov(memory(air), x86::esi);
  a_.mov(x86::r11, field(around_.at.heights));
  a_.movzx(x86::edx, x86::byte_ptr(x86::r11, x86::rcx));
  a_.lea(x86::edi, x86::ptr(x86::rcx, static_cast<std::int32_t>(around_.bytes_of_codes + kBytePart)));
  note_byte();
  a_.mov(x86::byte_ptr(x86::r11, x86::rcx), x86::al);
  a_.test(x86::eax, x86::eax);
  a_.jz(empty);
  a_.movzx(x86::eax, x86::byte_ptr(x86::r10, x86::rax, 0, -1));
  a_.bind(empty);
  a_.jmp(top_changed_);
}

// In: ecx a cell, r9d the code of what was on top of it, eax of what is now; 0 for nothing.
void Generator::top_changed_routine() {
  const ir::Layout& l = code_.layout;
  const Label done = a_.newLabel(), comes = a_.newLabel(), leaves = a_.newLabel(), kinds = a_.newLabel();
  a_.bind(top_changed_);
  a_.cmp(x86::r9d, x86::eax);
  a_.je(done);
  a_.xor_(x86::esi, x86::esi);
  a_.bts(x86::rsi, x86::rcx); // the bit of the cell in its word
  a_.shr(x86::ecx, 6);        // and which word that is
  // The set whose number is r8d gets the cell, or loses it.
  const auto change = [&](bool in) {
    if (words_ > 1) {
      a_.imul(x86::r8d, x86::r8d, words_);
      a_.add(x86::r8d, x86::ecx);
    }
    a_.mov(x86::rdx, x86::qword_ptr(sets_, x86::r8, 3));
    a_.mov(x86::edi, x86::r8d);
    note_byte();
    in ? a_.or_(x86::rdx, x86::rsi) : a_.andn(x86::rdx, x86::rsi, x86::rdx);
    a_.mov(x86::qword_ptr(sets_, x86::r8, 3), x86::rdx);
  };
  const auto set_of = [&](const Gp& reg, const std::uint8_t* table, const Gp& piece, int first) {
    mov_address(x86::rdi, table);
    a_.movzx(reg.r32(), x86::byte_ptr(x86::rdi, piece));
    if (first > 0) a_.add(reg.r32(), first);
  };
  const auto alone = [&](const Gp& piece, bool in) {
    set_of(x86::r8, around_.owner_of_code, piece, 0);
    change(in);
    if (l.kinds > 0) {
      set_of(x86::r8, around_.kind_of_code, piece, l.owners);
      change(in);
    }
    a_.mov(x86::r8d, l.empty);
    change(!in);
    a_.ret();
  };
  const auto both = [&](const std::uint8_t* table, int first, const Label& equal) {
    set_of(x86::r8, table, x86::r9, first);
    set_of(x86::r11, table, x86::rax, first);
    a_.cmp(x86::r8d, x86::r11d);
    a_.je(equal);
    change(false);
    a_.mov(x86::r8d, x86::r11d);
    change(true);
  };
  a_.test(x86::r9d, x86::r9d);
  a_.jz(comes);
  a_.test(x86::eax, x86::eax);
  a_.jz(leaves);
  both(around_.owner_of_code, 0, kinds);
  a_.bind(kinds);
  if (l.kinds > 0) both(around_.kind_of_code, l.owners, done);
  a_.bind(done);
  a_.ret();
  a_.bind(comes);
  alone(x86::rax, true);
  a_.bind(leaves);
  alone(x86::r9, false);
}

} // namespace boardwright::runtime::codegen

#endif
