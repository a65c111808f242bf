// Numbers, and questions about them.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/numbers.hpp"
#include "runtime/codegen/control.hpp"
#include "runtime/codegen/sets.hpp"
#include "runtime/codegen/stacks.hpp"

namespace boardwright::runtime::codegen {

namespace {

void saturate(Generator& g, const I& i, asmjit::InstId what);
void multiply(Generator& g, const I& i);
void divide(Generator& g, const I& i);
void lookup(Generator& g, const I& i, const std::vector<std::int16_t>& table, bool none_is_zero);
void lookup_cell(Generator& g, const I& i, const std::vector<std::int16_t>& table);
void member(Generator& g, const I& i, bool in);
void hand(Generator& g, const I& i);

} // namespace

using x86::CondCode;
namespace Inst = x86::Inst;

bool number_operation(Generator& g, const I& i) {
  switch (i.op) {
  case Op::copy: g.define(g.number(i.d), g.copy_of(g.number(i.a))); return true;
  case Op::constant: {
    const Gp reg = g.fresh();
    g.a.mov(reg.r32(), i.x);
    g.define(g.number(i.d), reg);
    return true;
  }
  case Op::add: saturate(g, i, Inst::kIdAdd); return true;
  case Op::subtract: saturate(g, i, Inst::kIdSub); return true;
  case Op::multiply: multiply(g, i); return true;
  case Op::divide:
  case Op::modulo: divide(g, i); return true;
  case Op::shift_down:
  case Op::low_bits: {
    const Gp reg = g.copy_of(g.number(i.a));
    i.op == Op::shift_down ? g.a.sar(reg.r32(), i.x) : g.a.and_(reg.r32(), (1 << i.x) - 1);
    g.define(g.number(i.d), reg);
    return true;
  }
  case Op::least:
  case Op::greatest: {
    const Gp reg = g.copy_of(g.number(i.a)), other = g.read(g.number(i.b));
    g.a.cmp(reg.r32(), other.r32());
    i.op == Op::least ? g.a.cmovg(reg.r32(), other.r32()) : g.a.cmovl(reg.r32(), other.r32());
    g.define(g.number(i.d), reg);
    return true;
  }
  case Op::pieces: return pieces(g, i);
  case Op::carried: {
    if (g.code.layout.stacks) {
      g.define(g.number(i.d), g.copy_of(g.number(g.code.layout.carried)));
      return true;
    }
    const Gp carried = g.read(g.number(g.code.layout.carried)), reg = g.fresh();
    g.a.xor_(reg.r32(), reg.r32());
    g.a.test(carried.r32(), carried.r32());
    g.a.setnz(reg.r8());
    g.define(g.number(i.d), reg);
    return true;
  }
  case Op::table: lookup(g, i, g.code.tables[at(i.x)], true); return true;
  case Op::place: lookup(g, i, g.code.places[at(i.x)], false); return true;
  case Op::step_to: {
    const Gp cell = g.read(g.number(i.a)), step = g.read(g.number(i.b)), found = g.fresh(), table = g.fresh();
    const Label none = g.a.newLabel();
    g.a.mov(found.r32(), cell.r32());
    g.a.or_(found.r32(), step.r32());
    g.a.js(none);
    g.a.imul(found.r32(), step.r32(), g.code.layout.cells);
    g.a.add(found.r32(), cell.r32());
    g.mov_address(table, g.around.to);
    g.a.movsx(found.r32(), x86::word_ptr(table, found, 1));
    g.a.bind(none);
    const Gp minus = table;
    g.a.or_(minus.r32(), -1);
    g.a.test(found.r32(), found.r32());
    g.a.cmovs(found.r32(), minus.r32());
    g.define(g.number(i.d), found);
    return true;
  }
  case Op::height_at: {
    const Gp cell = g.read(g.number(i.a)), found = g.fresh(), heights = g.fresh();
    const Label none = g.a.newLabel();
    g.a.xor_(found.r32(), found.r32());
    g.a.mov(heights, g.field(g.around.at.heights));
    g.a.test(cell.r32(), cell.r32());
    g.a.js(none);
    g.a.movzx(found.r32(), x86::byte_ptr(heights, cell));
    g.a.bind(none);
    g.define(g.number(i.d), found);
    return true;
  }
  case Op::hand: hand(g, i); return true;
  case Op::kind_at: {
    if (g.around.bytes_of_codes == 0) return false;
    const Gp cell = g.read(g.number(i.a)), found = g.fresh(), table = g.fresh(), piece = g.fresh();
    const Label none = g.a.newLabel();
    g.a.or_(found.r32(), -1);
    g.a.test(cell.r32(), cell.r32());
    g.a.js(none);
    if (g.code.layout.stacks) { // the uppermost of the stack
      g.a.mov(piece, g.field(g.around.at.heights));
      g.a.movzx(piece.r32(), x86::byte_ptr(piece, cell));
      g.a.test(piece.r32(), piece.r32());
      g.a.jz(none);
      g.a.imul(table.r32(), cell.r32(), g.code.layout.levels);
      g.a.add(piece.r32(), table.r32());
      g.a.movzx(piece.r32(), x86::byte_ptr(g.codes, piece, 0, -1));
    } else {
      g.a.movzx(piece.r32(), x86::byte_ptr(g.codes, cell));
      g.a.test(piece.r32(), piece.r32());
      g.a.jz(none);
    }
    g.mov_address(table, g.around.kind_of_code);
    g.a.movzx(found.r32(), x86::byte_ptr(table, piece));
    g.a.bind(none);
    g.define(g.number(i.d), found);
    return true;
  }
  default: return false;
  }
}

namespace {

// Nothing of no kind; a kind without an entry is the helper's, which says so.
void hand(Generator& g, const I& i) {
  const Label wrong = slow(g);
  const Gp slot = g.copy_of(g.number(i.a)), table = g.fresh(), found = g.fresh();
  const Label none = g.a.newLabel();
  g.mov_address(table, g.around.hand_slots[at(i.x)]);
  g.a.xor_(found.r32(), found.r32());
  g.a.test(slot.r32(), slot.r32());
  g.a.js(none);
  g.a.mov(slot.r32(), x86::dword_ptr(table, slot, 2));
  g.a.test(slot.r32(), slot.r32());
  g.a.js(wrong);
  g.a.mov(found.r32(), x86::dword_ptr(g.numbers, slot, 2, 4 * g.code.layout.hands));
  g.a.bind(none);
  g.define(g.number(i.d), found);
  join_slow(g);
}

// Beyond the ends of the range a result has the sign of the first operand.
void saturate(Generator& g, const I& i, asmjit::InstId what) {
  const Gp reg = g.copy_of(g.number(i.a)), end = g.fresh();
  g.a.mov(end.r32(), reg.r32());
  g.a.sar(end.r32(), 31);
  g.a.xor_(end.r32(), 0x7fffffff);
  g.apply(what, reg, g.number(i.b));
  g.a.cmovo(reg.r32(), end.r32());
  g.define(g.number(i.d), reg);
}

// Likewise of both operands.
void multiply(Generator& g, const I& i) {
  const Gp reg = g.copy_of(g.number(i.a)), other = g.read(g.number(i.b)), end = g.fresh();
  g.a.mov(end.r32(), reg.r32());
  g.a.xor_(end.r32(), other.r32());
  g.a.sar(end.r32(), 31);
  g.a.xor_(end.r32(), 0x7fffffff);
  g.a.imul(reg.r32(), other.r32());
  g.a.cmovo(reg.r32(), end.r32());
  g.define(g.number(i.d), reg);
}

// The quotient, rounded down, or what is left, which has the sign of the divisor. The instruction rounds to
// zero, and faults where the divisor is 0, or where it is -1 and the result is too large.
void divide(Generator& g, const I& i) {
  const bool quotient = i.op == Op::divide;
  const Gp low = g.claim(x86::rax), high = g.claim(x86::rdx);
  const Gp by = g.read(g.number(i.b)), sign = g.fresh();
  const Label special = g.a.newLabel(), done = g.a.newLabel(), zero = g.a.newLabel();
  g.load(low, g.number(i.a));
  g.a.lea(sign.r32(), x86::ptr(by, 1));
  g.a.cmp(sign.r32(), 1);
  g.a.jbe(special);
  g.a.cdq(x86::edx, x86::eax);
  g.a.idiv(x86::edx, x86::eax, by.r32());
  g.a.test(high.r32(), high.r32());
  g.a.jz(done);
  g.a.mov(sign.r32(), high.r32());
  g.a.xor_(sign.r32(), by.r32());
  g.a.jns(done);
  quotient ? g.a.dec(low.r32()) : g.a.add(high.r32(), by.r32());
  g.a.jmp(done);
  g.a.bind(special);
  g.a.test(by.r32(), by.r32());
  g.a.jz(zero);
  g.a.xor_(high.r32(), high.r32());
  g.a.neg(low.r32());
  g.a.jno(done);
  g.a.mov(low.r32(), 0x7fffffff);
  g.a.jmp(done);
  g.a.bind(zero);
  g.a.xor_(low.r32(), low.r32());
  g.a.xor_(high.r32(), high.r32());
  g.a.bind(done);
  g.define(g.number(i.d), quotient ? low : high);
}

void lookup(Generator& g, const I& i, const std::vector<std::int16_t>& table, bool none_is_zero) {
  if (g.is_cell(i.a)) return lookup_cell(g, i, table);
  const Gp cell = g.read(g.number(i.a)), found = g.fresh();
  const Label none = g.a.newLabel();
  none_is_zero ? g.a.mov(found.r32(), 0) : g.a.mov(found.r32(), -1);
  g.a.test(cell.r32(), cell.r32());
  g.a.js(none);
  g.mov_address(found, table.data());
  g.a.movsx(found.r32(), x86::word_ptr(found, cell, 1));
  g.a.bind(none);
  g.define(g.number(i.d), found);
}

void lookup_cell(Generator& g, const I& i, const std::vector<std::int16_t>& table) {
  const Gp cell = g.read(g.number(i.a)), found = g.fresh();
  // Mostly it is as far from every cell for which there is one.
  std::optional<int> apart;
  bool alike = true, cells = true;
  for (std::size_t k = 0; k < table.size(); ++k) {
    cells = cells && table[k] >= 0;
    if (table[k] < 0) continue;
    const int by = table[k] - static_cast<int>(k);
    alike = alike && (!apart || *apart == by);
    apart = by;
  }
  const bool opened = i.op == Op::place && g.opened == i.a;
  if (apart && alike && (opened || cells)) {
    g.a.lea(found.r32(), x86::ptr(cell, *apart));
  } else {
    g.mov_address(found, table.data());
    g.a.movsx(found.r32(), x86::word_ptr(found, cell, 1));
  }
  g.define(g.number(i.d), found);
  if (opened) g.cells.push_back(i.d);
}

} // namespace

bool condition(Generator& g, const I& i) {
  switch (i.op) {
  case Op::if_none: test_none(g, i.a); break;
  case Op::if_some: test_none(g, i.a); break;
  case Op::if_apart: test_meet(g, i.a, i.b); break;
  case Op::if_meet: test_meet(g, i.a, i.b); break;
  case Op::if_part: test_part(g, i.a, i.b); break;
  case Op::if_not_part: test_part(g, i.a, i.b); break;
  case Op::if_same: test_same(g, i.a, i.b); break;
  case Op::if_not_same: test_same(g, i.a, i.b); break;
  case Op::if_in: member(g, i, true); return true;
  case Op::if_out: member(g, i, false); return true;
  case Op::if_less:
  case Op::if_not_less:
  case Op::if_equal:
  case Op::if_not_equal: g.apply(Inst::kIdCmp, g.read(g.number(i.a)), g.number(i.b)); break;
  case Op::if_move:
  case Op::if_no_move:
    if (const auto total = g.find(kTotal))
      g.a.test(*total, *total);
    else
      g.a.cmp(g.field(g.around.at.total), 0);
    break;
  default: return false;
  }
  switch (i.op) {
  case Op::if_none:
  case Op::if_apart:
  case Op::if_part:
  case Op::if_same:
  case Op::if_no_move:
  case Op::if_equal: g.jump_if(CondCode::kE, i); break;
  case Op::if_less: g.jump_if(CondCode::kL, i); break;
  case Op::if_not_less: g.jump_if(CondCode::kGE, i); break;
  default: g.jump_if(CondCode::kNE, i);
  }
  return true;
}

namespace {

// -1 is in every set.
void member(Generator& g, const I& i, bool in) {
  if (g.is_cell(i.a)) {
    test_bit(g, i.b, g.read(g.number(i.a)));
    return g.jump_if(in ? CondCode::kC : CondCode::kNC, i);
  }
  const Gp cell = g.read(g.number(i.a));
  if (g.words == 1) g.read(g.word(i.b, 0)); // so that it is there on both ways
  const Label outside = g.a.newLabel();
  if (g.words > 1) g.unpin(g.fresh()); // what test_bit needs is free on both ways
  const auto held = g.held;
  g.a.test(cell.r32(), cell.r32());
  in ? g.a.js(g.to(i.x)) : g.a.js(outside);
  test_bit(g, i.b, cell);
  if (g.held != held) g.failed = true;
  g.jump_if(in ? CondCode::kC : CondCode::kNC, i);
  g.a.bind(outside);
}

} // namespace

} // namespace boardwright::runtime::codegen

#endif
