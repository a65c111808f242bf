// Numbers, and questions about them.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

using x86::CondCode;
namespace Inst = x86::Inst;

bool Generator::number_operation(const I& i) {
  switch (i.op) {
  case Op::copy: define(number(i.d), copy_of(number(i.a))); return true;
  case Op::constant: {
    const Gp reg = fresh();
    a_.mov(reg.r32(), i.x);
    define(number(i.d), reg);
    return true;
  }
  case Op::add: saturate(i, Inst::kIdAdd); return true;
  case Op::subtract: saturate(i, Inst::kIdSub); return true;
  case Op::multiply: multiply(i); return true;
  case Op::divide:
  case Op::modulo: divide(i); return true;
  case Op::shift_down:
  case Op::low_bits: {
    const Gp reg = copy_of(number(i.a));
    i.op == Op::shift_down ? a_.sar(reg.r32(), i.x) : a_.and_(reg.r32(), (1 << i.x) - 1);
    define(number(i.d), reg);
    return true;
  }
  case Op::least:
  case Op::greatest: {
    const Gp reg = copy_of(number(i.a)), other = read(number(i.b));
    a_.cmp(reg.r32(), other.r32());
    i.op == Op::least ? a_.cmovg(reg.r32(), other.r32()) : a_.cmovl(reg.r32(), other.r32());
    define(number(i.d), reg);
    return true;
  }
  case Op::carried: {
    if (code_.layout.stacks) {
      define(number(i.d), copy_of(number(code_.layout.air)));
      return true;
    }
    const Gp air = read(number(code_.layout.air)), reg = fresh();
    a_.xor_(reg.r32(), reg.r32());
    a_.test(air.r32(), air.r32());
    a_.setnz(reg.r8());
    define(number(i.d), reg);
    return true;
  }
  case Op::table: lookup(i, code_.tables[at(i.x)], true); return true;
  case Op::place: lookup(i, code_.places[at(i.x)], false); return true;
  case Op::step_to: {
    const Gp cell = read(number(i.a)), step = read(number(i.b)), found = fresh(), table = fresh();
    const Label none = a_.newLabel();
    a_.mov(found.r32(), cell.r32());
    a_.or_(found.r32(), step.r32());
    a_.js(none);
    a_.imul(found.r32(), step.r32(), code_.layout.cells);
    a_.add(found.r32(), cell.r32());
    mov_address(table, around_.to);
    a_.movsx(found.r32(), x86::word_ptr(table, found, 1));
    a_.bind(none);
    const Gp minus = table;
    a_.or_(minus.r32(), -1);
    a_.test(found.r32(), found.r32());
    a_.cmovs(found.r32(), minus.r32());
    define(number(i.d), found);
    return true;
  }
  case Op::height_at: {
    const Gp cell = read(number(i.a)), found = fresh(), heights = fresh();
    const Label none = a_.newLabel();
    a_.xor_(found.r32(), found.r32());
    a_.mov(heights, field(around_.at.heights));
    a_.test(cell.r32(), cell.r32());
    a_.js(none);
    a_.movzx(found.r32(), x86::byte_ptr(heights, cell));
    a_.bind(none);
    define(number(i.d), found);
    return true;
  }
  case Op::kind_at: {
    if (around_.bytes_of_codes == 0) return false;
    const Gp cell = read(number(i.a)), found = fresh(), table = fresh(), piece = fresh();
    const Label none = a_.newLabel();
    a_.or_(found.r32(), -1);
    a_.test(cell.r32(), cell.r32());
    a_.js(none);
    if (code_.layout.stacks) { // the uppermost of the stack
      a_.mov(piece, field(around_.at.heights));
      a_.movzx(piece.r32(), x86::byte_ptr(piece, cell));
      a_.test(piece.r32(), piece.r32());
      a_.jz(none);
      a_.imul(table.r32(), cell.r32(), code_.layout.levels);
      a_.add(piece.r32(), table.r32());
      a_.movzx(piece.r32(), x86::byte_ptr(codes_, piece, 0, -1));
    } else {
      a_.movzx(piece.r32(), x86::byte_ptr(codes_, cell));
      a_.test(piece.r32(), piece.r32());
      a_.jz(none);
    }
    mov_address(table, around_.kind_of_code);
    a_.movzx(found.r32(), x86::byte_ptr(table, piece));
    a_.bind(none);
    define(number(i.d), found);
    return true;
  }
  default: return false;
  }
}

// Beyond the ends of the range a result has the sign of the first operand.
void Generator::saturate(const I& i, asmjit::InstId what) {
  const Gp reg = copy_of(number(i.a)), end = fresh();
  a_.mov(end.r32(), reg.r32());
  a_.sar(end.r32(), 31);
  a_.xor_(end.r32(), 0x7fffffff);
  apply(what, reg, number(i.b));
  a_.cmovo(reg.r32(), end.r32());
  define(number(i.d), reg);
}

// Likewise of both operands.
void Generator::multiply(const I& i) {
  const Gp reg = copy_of(number(i.a)), other = read(number(i.b)), end = fresh();
  a_.mov(end.r32(), reg.r32());
  a_.xor_(end.r32(), other.r32());
  a_.sar(end.r32(), 31);
  a_.xor_(end.r32(), 0x7fffffff);
  a_.imul(reg.r32(), other.r32());
  a_.cmovo(reg.r32(), end.r32());
  define(number(i.d), reg);
}

// The quotient, rounded down, or what is left, which has the sign of the divisor. The instruction rounds to
// zero, and faults where the divisor is 0, or where it is -1 and the result is too large.
void Generator::divide(const I& i) {
  const bool quotient = i.op == Op::divide;
  const Gp low = claim(x86::rax), high = claim(x86::rdx);
  const Gp by = read(number(i.b)), sign = fresh();
  const Label special = a_.newLabel(), done = a_.newLabel(), zero = a_.newLabel();
  load(low, number(i.a));
  a_.lea(sign.r32(), x86::ptr(by, 1));
  a_.cmp(sign.r32(), 1);
  a_.jbe(special);
  a_.cdq(x86::edx, x86::eax);
  a_.idiv(x86::edx, x86::eax, by.r32());
  a_.test(high.r32(), high.r32());
  a_.jz(done);
  a_.mov(sign.r32(), high.r32());
  a_.xor_(sign.r32(), by.r32());
  a_.jns(done);
  quotient ? a_.dec(low.r32()) : a_.add(high.r32(), by.r32());
  a_.jmp(done);
  a_.bind(special);
  a_.test(by.r32(), by.r32());
  a_.jz(zero);
  a_.xor_(high.r32(), high.r32());
  a_.neg(low.r32());
  a_.jno(done);
  a_.mov(low.r32(), 0x7fffffff);
  a_.jmp(done);
  a_.bind(zero);
  a_.xor_(low.r32(), low.r32());
  a_.xor_(high.r32(), high.r32());
  a_.bind(done);
  define(number(i.d), quotient ? low : high);
}

void Generator::lookup(const I& i, const std::vector<std::int16_t>& table, bool none_is_zero) {
  if (is_cell(i.a)) return lookup_cell(i, table);
  const Gp cell = read(number(i.a)), found = fresh();
  const Label none = a_.newLabel();
  none_is_zero ? a_.mov(found.r32(), 0) : a_.mov(found.r32(), -1);
  a_.test(cell.r32(), cell.r32());
  a_.js(none);
  mov_address(found, table.data());
  a_.movsx(found.r32(), x86::word_ptr(found, cell, 1));
  a_.bind(none);
  define(number(i.d), found);
}

void Generator::lookup_cell(const I& i, const std::vector<std::int16_t>& table) {
  const Gp cell = read(number(i.a)), found = fresh();
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
  const bool opened = i.op == Op::place && opened_ == i.a;
  if (apart && alike && (opened || cells)) {
    a_.lea(found.r32(), x86::ptr(cell, *apart));
  } else {
    mov_address(found, table.data());
    a_.movsx(found.r32(), x86::word_ptr(found, cell, 1));
  }
  define(number(i.d), found);
  if (opened) cells_.push_back(i.d);
}

bool Generator::condition(const I& i) {
  switch (i.op) {
  case Op::if_none: test_none(i.a); break;
  case Op::if_some: test_none(i.a); break;
  case Op::if_apart: test_meet(i.a, i.b); break;
  case Op::if_meet: test_meet(i.a, i.b); break;
  case Op::if_part: test_part(i.a, i.b); break;
  case Op::if_not_part: test_part(i.a, i.b); break;
  case Op::if_same: test_same(i.a, i.b); break;
  case Op::if_not_same: test_same(i.a, i.b); break;
  case Op::if_in: member(i, true); return true;
  case Op::if_out: member(i, false); return true;
  case Op::if_less:
  case Op::if_not_less:
  case Op::if_equal:
  case Op::if_not_equal: apply(Inst::kIdCmp, read(number(i.a)), number(i.b)); break;
  case Op::if_move:
  case Op::if_no_move:
    if (const auto total = find(kTotal))
      a_.test(*total, *total);
    else
      a_.cmp(field(around_.at.total), 0);
    break;
  default: return false;
  }
  switch (i.op) {
  case Op::if_none:
  case Op::if_apart:
  case Op::if_part:
  case Op::if_same:
  case Op::if_no_move:
  case Op::if_equal: jump_if(CondCode::kE, i); break;
  case Op::if_less: jump_if(CondCode::kL, i); break;
  case Op::if_not_less: jump_if(CondCode::kGE, i); break;
  default: jump_if(CondCode::kNE, i);
  }
  return true;
}

// -1 is in every set.
void Generator::member(const I& i, bool in) {
  if (is_cell(i.a)) {
    test_bit(i.b, read(number(i.a)));
    return jump_if(in ? CondCode::kC : CondCode::kNC, i);
  }
  const Gp cell = read(number(i.a));
  if (words_ == 1) read(word(i.b, 0)); // so that it is there on both ways
  const Label outside = a_.newLabel();
  if (words_ > 1) unpin(fresh()); // what test_bit needs is free on both ways
  const auto held = held_;
  a_.test(cell.r32(), cell.r32());
  in ? a_.js(to(i.x)) : a_.js(outside);
  test_bit(i.b, cell);
  if (held_ != held) failed_ = true;
  jump_if(in ? CondCode::kC : CondCode::kNC, i);
  a_.bind(outside);
}

} // namespace boardwright::runtime::codegen

#endif
