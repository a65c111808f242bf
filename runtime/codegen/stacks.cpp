// Stacks: what is lifted, laid down and thrown away. Few pieces at a time; more of them are the helper's.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/stacks.hpp"
#include "runtime/codegen/changes.hpp"
#include "runtime/codegen/control.hpp"

namespace boardwright::runtime::codegen {

namespace {

void move_pieces(Generator& g, const Gp& arrives, const Gp& many, const Label& routine, const Label& slowly);
void lift_routine(Generator& g);
void put_routine(Generator& g);
void stack_changed_routine(Generator& g);
void top_changed_routine(Generator& g);

// As many pieces as there is room for on the trail at once, with all the rest that changes (two entries for
// the sets of owners, two for those of kinds, the empty cells, the height, how many are carried).
constexpr int kMostPieces = 8;
constexpr int kEntries = kMostPieces + 7;
static_assert(kEntries <= 2 * static_cast<int>(kEntriesAtOnce));

} // namespace

// How many are carried is number `carried`; to i.x if fewer are there than are to go. Then: ecx the cell, r8d how
// many, eax how many there are.
void lift_some(Generator& g, const I& i) {
  const Label slowly = slow(g);
  const Gp cell = g.claim(x86::rcx), height = g.claim(x86::rax), many = g.claim(x86::r8),
           carried = g.claim(x86::rsi);
  g.load(cell, g.number(i.a));
  g.load(carried, g.number(g.code.layout.carried));
  g.a.mov(height, g.field(g.around.at.heights));
  g.a.movzx(height.r32(), x86::byte_ptr(height, cell));
  g.a.test(height.r32(), height.r32());
  g.a.jz(g.to(i.x));
  if (i.y != 0) {
    g.a.mov(many.r32(), height.r32());
  } else {
    g.load(many, g.number(i.b));
    g.a.cmp(many.r32(), height.r32());
    g.a.ja(g.to(i.x)); // fewer than none are very many here
  }
  move_pieces(g, carried, many, g.lift_stack, slowly);
}

void put_some(Generator& g, const I& i) {
  const Label slowly = slow(g);
  const Gp cell = g.claim(x86::rcx), height = g.claim(x86::rax), many = g.claim(x86::r8),
           carried = g.claim(x86::rsi);
  g.load(cell, g.number(i.a));
  g.load(carried, g.number(g.code.layout.carried));
  if (i.y != 0) {
    g.a.mov(many.r32(), carried.r32());
  } else {
    g.load(many, g.number(i.b));
    g.a.cmp(many.r32(), carried.r32());
    g.a.ja(g.to(i.x));
  }
  g.a.mov(height, g.field(g.around.at.heights));
  g.a.movzx(height.r32(), x86::byte_ptr(height, cell));
  move_pieces(g, height, many, g.put_stack, slowly);
}

namespace {

// `arrives`: how many there are already where the pieces go.
void move_pieces(Generator& g, const Gp& arrives, const Gp& many, const Label& routine, const Label& slowly) {
  const Label none = g.a.newLabel();
  const Gp sum = g.claim(x86::rdx);
  g.a.lea(sum.r32(), x86::ptr(arrives, many));
  g.a.cmp(sum.r32(), g.code.layout.levels);
  g.a.ja(slowly);
  g.a.cmp(many.r32(), kMostPieces);
  g.a.ja(slowly);
  g.a.test(many.r32(), many.r32());
  g.a.jz(none);
  g.a.call(routine);
  g.a.bind(none);
  join_slow(g);
}

} // namespace

void discard(Generator& g, const I& i) {
  const Gp carried = g.read(g.number(g.code.layout.carried)), left = g.fresh();
  if (i.y != 0) {
    g.a.xor_(left.r32(), left.r32());
  } else {
    const Gp many = g.read(g.number(i.b));
    g.a.cmp(many.r32(), carried.r32());
    g.a.ja(g.to(i.x));
    g.a.mov(left.r32(), carried.r32());
    g.a.sub(left.r32(), many.r32());
  }
  write_number(g, g.code.layout.carried, left);
}

// Of all kinds, on each cell from the bottom up.
bool pieces(Generator& g, const I& i) {
  const ir::Layout& l = g.code.layout;
  const std::size_t constant = i.b - at(l.draft_numbers);
  const bool of_all_kinds = i.b >= l.draft_numbers && constant < g.code.number_constants.size() &&
                            g.code.number_constants[constant] == -2;
  if (!l.stacks || !of_all_kinds) return false;
  const Gp sum = g.fresh(), cells = g.fresh(), cell = g.fresh(), level = g.fresh(), piece = g.fresh(),
           owners = g.fresh(), owner_of = g.fresh();
  g.a.xor_(sum.r32(), sum.r32());
  g.a.mov(owners.r32(), i.x);
  g.mov_address(owner_of, g.around.owner_of_code);
  for (int w = 0; w < g.words; ++w) {
    const Label next = g.a.newLabel(), another = g.a.newLabel(), done = g.a.newLabel();
    g.a.mov(cells, g.memory(g.word(l.empty, w)));
    g.a.andn(cells, cells, g.memory(g.word(i.a, w)));
    g.a.jz(done);
    g.a.bind(next);
    g.a.tzcnt(cell, cells);
    if (w > 0) g.a.add(cell.r32(), 64 * w);
    g.a.mov(level, g.field(g.around.at.heights));
    g.a.movzx(level.r32(), x86::byte_ptr(level, cell));
    g.a.imul(cell.r32(), cell.r32(), l.levels);
    g.a.add(cell, g.codes);
    g.a.lea(piece, x86::ptr(level, 2));
    g.a.shr(piece, 1);
    g.a.sub(g.field(g.around.at.left), piece); // steps; who looks whether there are any left comes later
    g.a.bind(another);
    g.a.movzx(piece.r32(), x86::byte_ptr(cell, level, 0, -1));
    g.a.movzx(piece.r32(), x86::byte_ptr(owner_of, piece));
    g.a.bt(owners.r32(), piece.r32());
    g.a.adc(sum.r32(), 0);
    g.a.dec(level.r32());
    g.a.jnz(another);
    g.a.blsr(cells, cells);
    g.a.jnz(next);
    g.a.bind(done);
  }
  g.define(g.number(i.d), sum);
  return true;
}

// ---------------------------------------------------------------- routines

// In: ecx the cell, esi how many are carried, r8d how many go. Changes all registers that values are
// remembered in.
void stack_routines(Generator& g) {
  lift_routine(g);
  put_routine(g);
  stack_changed_routine(g);
  top_changed_routine(g);
}

namespace {

// r10: where the codes of the cell begin; eax: its height; r9d: what is on top. Room on the trail.
void begin_stack_routine(Generator& g, const Label& routine) {
  const Label empty = g.a.newLabel();
  g.a.bind(routine);
  room_for(g, kEntries);
  g.a.imul(x86::r10d, x86::ecx, g.code.layout.levels);
  g.a.add(x86::r10, g.codes);
  g.a.mov(x86::r11, g.field(g.around.at.heights));
  g.a.movzx(x86::eax, x86::byte_ptr(x86::r11, x86::rcx));
  g.a.mov(x86::r11, g.field(g.around.at.carried));
  g.a.xor_(x86::r9d, x86::r9d);
  g.a.test(x86::eax, x86::eax);
  g.a.jz(empty);
  g.a.movzx(x86::r9d, x86::byte_ptr(x86::r10, x86::rax, 0, -1));
  g.a.bind(empty);
}

// An entry of the trail: where is edi, what was there rdx.
void note_byte(Generator& g) {
  g.a.mov(x86::dword_ptr(g.trail), x86::edi);
  g.a.mov(x86::qword_ptr(g.trail, 8), x86::rdx);
  g.a.add(g.trail, 16);
}

// From the top down: what is lifted comes under what is carried.
void lift_routine(Generator& g) {
  const Label next = g.a.newLabel(), same = g.a.newLabel();
  begin_stack_routine(g, g.lift_stack);
  const auto carried_begins = static_cast<std::int32_t>(g.around.bytes_of_codes + g.around.bytes_of_heights);
  g.a.bind(next);
  g.a.movzx(x86::edx, x86::byte_ptr(x86::r11, x86::rsi));
  g.a.cmp(x86::dl, x86::byte_ptr(x86::r10, x86::rax, 0, -1));
  g.a.je(same);
  g.a.lea(x86::edi, x86::ptr(x86::rsi, carried_begins + static_cast<std::int32_t>(kBytePart)));
  note_byte(g);
  g.a.mov(x86::dl, x86::byte_ptr(x86::r10, x86::rax, 0, -1));
  g.a.mov(x86::byte_ptr(x86::r11, x86::rsi), x86::dl);
  g.a.bind(same);
  g.a.inc(x86::esi);
  g.a.dec(x86::eax);
  g.a.dec(x86::r8d);
  g.a.jnz(next);
  g.a.jmp(g.stack_changed);
}

// The lowest of those carried, which are the last ones, first.
void put_routine(Generator& g) {
  const Label next = g.a.newLabel(), same = g.a.newLabel();
  begin_stack_routine(g, g.put_stack);
  g.a.bind(next);
  g.a.movzx(x86::edx, x86::byte_ptr(x86::r10, x86::rax));
  g.a.cmp(x86::dl, x86::byte_ptr(x86::r11, x86::rsi, 0, -1));
  g.a.je(same);
  g.a.mov(x86::rdi, x86::r10);
  g.a.sub(x86::rdi, g.codes);
  g.a.lea(x86::edi, x86::ptr(x86::rdi, x86::rax, 0, static_cast<std::int32_t>(kBytePart)));
  note_byte(g);
  g.a.mov(x86::dl, x86::byte_ptr(x86::r11, x86::rsi, 0, -1));
  g.a.mov(x86::byte_ptr(x86::r10, x86::rax), x86::dl);
  g.a.bind(same);
  g.a.inc(x86::eax);
  g.a.dec(x86::esi);
  g.a.dec(x86::r8d);
  g.a.jnz(next);
  g.a.jmp(g.stack_changed);
}

// In: eax the height now, esi how many are carried now, r9d what was on top.
void stack_changed_routine(Generator& g) {
  const Label empty = g.a.newLabel();
  const Key carried = g.number(g.code.layout.carried);
  g.a.bind(g.stack_changed);
  g.a.mov(x86::edi, kNumberPart | g.code.layout.carried);
  g.a.mov(x86::edx, g.memory(carried));
  note_byte(g);
  g.a.mov(g.memory(carried), x86::esi);
  g.a.mov(x86::r11, g.field(g.around.at.heights));
  g.a.movzx(x86::edx, x86::byte_ptr(x86::r11, x86::rcx));
  g.a.lea(x86::edi, x86::ptr(x86::rcx, static_cast<std::int32_t>(g.around.bytes_of_codes + kBytePart)));
  note_byte(g);
  g.a.mov(x86::byte_ptr(x86::r11, x86::rcx), x86::al);
  g.a.test(x86::eax, x86::eax);
  g.a.jz(empty);
  g.a.movzx(x86::eax, x86::byte_ptr(x86::r10, x86::rax, 0, -1));
  g.a.bind(empty);
  g.a.jmp(g.top_changed);
}

// In: ecx a cell, r9d the code of what was on top of it, eax of what is now; 0 for nothing.
void top_changed_routine(Generator& g) {
  const ir::Layout& l = g.code.layout;
  const Label done = g.a.newLabel(), comes = g.a.newLabel(), leaves = g.a.newLabel(), kinds = g.a.newLabel();
  g.a.bind(g.top_changed);
  g.a.cmp(x86::r9d, x86::eax);
  g.a.je(done);
  g.a.xor_(x86::esi, x86::esi);
  g.a.bts(x86::rsi, x86::rcx); // the bit of the cell in its word
  g.a.shr(x86::ecx, 6);        // and which word that is
  // The set whose number is r8d gets the cell, or loses it.
  const auto change = [&](bool in) {
    if (g.words > 1) {
      g.a.imul(x86::r8d, x86::r8d, g.words);
      g.a.add(x86::r8d, x86::ecx);
    }
    g.a.mov(x86::rdx, x86::qword_ptr(g.sets, x86::r8, 3));
    g.a.mov(x86::edi, x86::r8d);
    note_byte(g);
    in ? g.a.or_(x86::rdx, x86::rsi) : g.a.andn(x86::rdx, x86::rsi, x86::rdx);
    g.a.mov(x86::qword_ptr(g.sets, x86::r8, 3), x86::rdx);
  };
  const auto set_of = [&](const Gp& reg, const std::uint8_t* table, const Gp& piece, int first) {
    g.mov_address(x86::rdi, table);
    g.a.movzx(reg.r32(), x86::byte_ptr(x86::rdi, piece));
    if (first > 0) g.a.add(reg.r32(), first);
  };
  const auto alone = [&](const Gp& piece, bool in) {
    set_of(x86::r8, g.around.owner_of_code, piece, 0);
    change(in);
    if (l.kinds > 0) {
      set_of(x86::r8, g.around.kind_of_code, piece, l.owners);
      change(in);
    }
    g.a.mov(x86::r8d, l.empty);
    change(!in);
    g.a.ret();
  };
  const auto both = [&](const std::uint8_t* table, int first, const Label& equal) {
    set_of(x86::r8, table, x86::r9, first);
    set_of(x86::r11, table, x86::rax, first);
    g.a.cmp(x86::r8d, x86::r11d);
    g.a.je(equal);
    change(false);
    g.a.mov(x86::r8d, x86::r11d);
    change(true);
  };
  g.a.test(x86::r9d, x86::r9d);
  g.a.jz(comes);
  g.a.test(x86::eax, x86::eax);
  g.a.jz(leaves);
  both(g.around.owner_of_code, 0, kinds);
  g.a.bind(kinds);
  if (l.kinds > 0) both(g.around.kind_of_code, l.owners, done);
  g.a.bind(done);
  g.a.ret();
  g.a.bind(comes);
  alone(x86::rax, true);
  g.a.bind(leaves);
  alone(x86::r9, false);
}

} // namespace

} // namespace boardwright::runtime::codegen

#endif
