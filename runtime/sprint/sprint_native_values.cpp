// Native code for sprints: sets, numbers, conditions.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/sprint/sprint_native_generator.hpp"

#include <limits>

namespace boardwright::runtime::machine::native {

// ---------------------------------------------------------------------------------------------------- sets

Generator::Words Generator::met(int a, int b) {
  Words words;
  for (int w = 0; w < words_; ++w) {
    const Gp reg = copy_of(word(a, w));
    apply(x86::Inst::kIdAnd, reg, word(b, w));
    words.push_back(reg);
  }
  return words;
}

void Generator::meet(Words& words, int set) {
  for (int w = 0; w < words_; ++w) apply(x86::Inst::kIdAnd, words[at(w)], word(set, w));
}

void Generator::shift(Words& words, int by, bool up) {
  const int apart = by / 64, bits = by % 64;
  const Gp part = words_ > 1 && bits != 0 ? fresh() : Gp();
  for (int i = 0; i < words_; ++i) {
    const int w = up ? words_ - 1 - i : i;
    const int from = up ? w - apart : w + apart, beside = up ? from - 1 : from + 1;
    const Gp& into = words[at(w)];
    if (from < 0 || from >= words_) {
      a_.xor_(into.r32(), into.r32());
      continue;
    }
    if (from != w) a_.mov(into, words[at(from)]);
    if (bits == 0) continue;
    up ? a_.shl(into, bits) : a_.shr(into, bits);
    if (beside < 0 || beside >= words_) continue;
    a_.rorx(part, words[at(beside)], 0);
    up ? a_.shr(part, 64 - bits) : a_.shl(part, 64 - bits);
    a_.or_(into, part);
  }
  if (part.isValid()) pinned_[part.id()] = false;
}

void Generator::join(int set, const Words& words) {
  for (int w = 0; w < words_; ++w) apply(x86::Inst::kIdOr, words[at(w)], word(set, w));
  define_set(set, words);
}

void Generator::run(const SprintOp& op, bool up) {
  Words through = met(op.b, op.c), all, more;
  for (int w = 0; w < words_; ++w) all.push_back(copy_of(word(op.a, w)));
  shift(all, op.x, up);
  for (std::size_t w = 0; w < all.size(); ++w) {
    a_.and_(all[w], through[w]);
    more.push_back(fresh());
  }
  int by = op.x;
  for (int i = 0; i < op.rounds; ++i, by *= 2) {
    for (std::size_t w = 0; w < all.size(); ++w) a_.mov(more[w], all[w]);
    shift(more, by, up);
    for (std::size_t w = 0; w < all.size(); ++w) {
      a_.and_(more[w], through[w]);
      a_.or_(all[w], more[w]);
    }
    if (i + 1 == op.rounds) break;
    for (std::size_t w = 0; w < all.size(); ++w) a_.mov(more[w], through[w]);
    shift(more, by, up);
    for (std::size_t w = 0; w < all.size(); ++w) a_.and_(through[w], more[w]);
  }
  define_set(op.d, all);
}

bool Generator::rays(const SprintOp& op, bool with_stop) {
  const Lines* lines = lookups_.of(code_, op.x, with_stop, words_);
  if (lines == nullptr || lines->axes() == 0) return false;
  const Words through = words_of(op.b);
  const Gp line = fresh(), from = read(cell(op.a));
  a_.imul(line, from, static_cast<int>(sizeof(Lines::Line)) * lines->axes());
  pinned_[from.id()] = false;
  const Gp seen = fresh(), part = fresh(), first = words_ > 1 ? fresh() : Gp();
  mov_address(seen, lines->lines());
  a_.add(line, seen);
  Words all;
  for (int w = 0; w < words_; ++w) all.push_back(fresh());
  for (int axis = 0; axis < lines->axes(); ++axis) {
    const auto in_line = [&](std::size_t field, int w = 0) {
      return x86::qword_ptr(line,
                            axis * static_cast<int>(sizeof(Lines::Line)) + static_cast<int>(field) + 8 * w);
    };
    const std::size_t cells = offsetof(Lines::Line, cells);
    a_.pext(seen, through[0], in_line(cells));
    if (words_ > 1) {
      a_.mov(first, in_line(offsetof(Lines::Line, in_first)));
      a_.pext(part, through[1], in_line(cells, 1));
      a_.shlx(part, part, first);
      a_.or_(seen, part);
    }
    a_.mov(part, in_line(offsetof(Lines::Line, seen)));
    a_.movzx(seen.r32(), x86::word_ptr(part, seen, 1));
    for (int w = 0; w < words_; ++w) {
      const Gp& into = all[at(w)];
      if (w > 0) a_.shrx(seen, seen, first);
      a_.pdep(axis == 0 ? into : part, seen, in_line(cells, w));
      if (axis > 0) a_.or_(into, part);
    }
  }
  define_set(op.d, all);
  return true;
}

bool Generator::set_operation(const SprintOp& op) {
  switch (op.what) {
  case What::copy:
    for (int w = 0; w < words_; ++w) define(word(op.d, w), copy_of(word(op.a, w)));
    return true;
  case What::unite:
  case What::meet:
    for (int w = 0; w < words_; ++w) {
      const Gp reg = copy_of(word(op.a, w));
      apply(op.what == What::unite ? x86::Inst::kIdOr : x86::Inst::kIdAnd, reg, word(op.b, w));
      define(word(op.d, w), reg);
      if (words_ > 2) release();
    }
    return true;
  case What::minus:
    for (int w = 0; w < words_; ++w) {
      const Gp without = read(word(op.b, w));
      const asmjit::Operand from = operand(word(op.a, w));
      const Gp reg = fresh();
      a_.emit(x86::Inst::kIdAndn, reg, without, from);
      define(word(op.d, w), reg);
      if (words_ > 2) release();
    }
    return true;
  case What::up:
  case What::down:
  case What::up_meet:
  case What::down_meet: {
    Words words = met(op.a, op.b);
    shift(words, op.x, op.what == What::up || op.what == What::up_meet);
    if (op.what == What::up_meet || op.what == What::down_meet) meet(words, op.c);
    define_set(op.d, words);
    return true;
  }
  case What::join_up:
  case What::join_down: {
    Words words = met(op.a, op.b);
    shift(words, op.x, op.what == What::join_up);
    join(op.d, words);
    return true;
  }
  case What::run_up:
  case What::run_down:
    if (words_ > 2) return false;
    run(op, op.what == What::run_up);
    return true;
  case What::rays:
  case What::slides: return rays(op, op.what == What::slides);
  case What::first: {
    if (words_ > 1) return false;
    const Gp reg = fresh();
    apply(x86::Inst::kIdBlsi, reg, word(op.a, 0));
    define(word(op.d, 0), reg);
    return true;
  }
  case What::bit: {
    if (words_ == 1) {
      const Gp bit = bit_of(op.a), reg = fresh();
      a_.mov(reg, bit);
      define(word(op.d, 0), reg);
      return true;
    }
    const Gp bit = bit_of(op.a);
    const Mem there = word_at(op.d, op.a);
    forget_set(op.d);
    const Gp zero = fresh();
    a_.xor_(zero.r32(), zero.r32());
    for (int w = 0; w < words_; ++w) a_.mov(memory(word(op.d, w)), zero);
    a_.mov(there, bit);
    return true;
  }
  default: return false;
  }
}

// ----------------------------------------------------------------------------------------------------
// numbers

Gp Generator::count(const Words& words) {
  const Gp sum = fresh();
  a_.popcnt(sum, words[0]);
  for (std::size_t w = 1; w < words.size(); ++w) {
    const Gp part = fresh();
    a_.popcnt(part, words[w]);
    a_.add(sum.r32(), part.r32());
    pinned_[part.id()] = false;
  }
  return sum;
}

// What overflowed has the sign of the first operand.
void Generator::saturate(const Gp& result, const Gp& first) {
  const asmjit::Label good = a_.newLabel();
  a_.jno(good);
  a_.mov(result.r32(), first.r32());
  a_.sar(result.r32(), 31);
  a_.xor_(result.r32(), std::numeric_limits<std::int32_t>::max());
  a_.bind(good);
}

bool Generator::number_operation(const SprintOp& op) {
  switch (op.what) {
  case What::count: define(number(op.d), count(words_of(op.a))); return true;
  case What::number: define(number(op.d), copy_of(number(op.a))); return true;
  case What::add:
  case What::subtract: {
    const Gp first = read(number(op.a)), reg = fresh();
    const asmjit::Operand second = operand(number(op.b));
    a_.mov(reg.r32(), first.r32());
    a_.emit(op.what == What::add ? x86::Inst::kIdAdd : x86::Inst::kIdSub, reg.r32(), second);
    saturate(reg, first);
    define(number(op.d), reg);
    return true;
  }
  case What::least:
  case What::greatest: {
    const Gp first = copy_of(number(op.a)), second = read(number(op.b));
    a_.cmp(second.r32(), first.r32());
    op.what == What::least ? a_.cmovl(first.r32(), second.r32()) : a_.cmovg(first.r32(), second.r32());
    define(number(op.d), first);
    return true;
  }
  case What::set_truth: {
    const Gp reg = fresh();
    a_.mov(reg.r32(), op.x);
    define(number(op.d), reg);
    return true;
  }
  default: return false;
  }
}

// ----------------------------------------------------------------------------------------------------
// conditions

void Generator::test_set(int a) {
  if (words_ == 1) {
    if (const auto reg = find(word(a, 0))) {
      a_.test(*reg, *reg);
    } else {
      needs_set(a);
      a_.cmp(memory(word(a, 0)), 0);
    }
    return;
  }
  const Gp all = copy_of(word(a, 0));
  for (int w = 1; w < words_; ++w) apply(x86::Inst::kIdOr, all, word(a, w));
}

void Generator::test_both(int a, int b) {
  Gp all;
  for (int w = 0; w < words_; ++w) {
    const Gp reg = copy_of(word(a, w));
    apply(x86::Inst::kIdAnd, reg, word(b, w));
    w == 0 ? void(all = reg) : void(a_.or_(all, reg));
    if (w > 0) pinned_[reg.id()] = false;
  }
}

void Generator::test_part(int a, int b) {
  Gp all;
  for (int w = 0; w < words_; ++w) {
    const Gp of = read(word(b, w));
    const asmjit::Operand part = operand(word(a, w));
    const Gp reg = fresh();
    a_.emit(x86::Inst::kIdAndn, reg, of, part);
    w == 0 ? void(all = reg) : void(a_.or_(all, reg));
    if (w > 0) pinned_[reg.id()] = false;
    pinned_[of.id()] = false;
  }
}

void Generator::test_bit(int set, int c) {
  const Gp where = read(cell(c));
  if (words_ == 1) {
    a_.bt(read(word(set, 0)), where);
    return;
  }
  const Gp reg = fresh();
  a_.mov(reg, word_at(set, c));
  a_.bt(reg, where);
}

bool Generator::condition(const SprintOp& op) {
  using x86::CondCode;
  switch (op.what) {
  case What::go: a_.jmp(to(op.x)); return true;
  case What::if_none:
  case What::if_some:
    test_set(op.a);
    jump_if(op.what == What::if_none ? CondCode::kZ : CondCode::kNZ, op.x);
    return true;
  case What::if_apart:
  case What::if_meet:
    test_both(op.a, op.b);
    jump_if(op.what == What::if_apart ? CondCode::kZ : CondCode::kNZ, op.x);
    return true;
  case What::if_in:
  case What::if_out:
    test_bit(op.b, op.a);
    jump_if(op.what == What::if_in ? CondCode::kC : CondCode::kNC, op.x);
    return true;
  case What::if_part:
  case What::if_not_part:
    test_part(op.a, op.b);
    jump_if(op.what == What::if_part ? CondCode::kZ : CondCode::kNZ, op.x);
    return true;
  case What::if_less:
  case What::if_not_less:
  case What::if_equal:
  case What::if_not_equal: {
    const Gp first = read(number(op.a));
    apply(x86::Inst::kIdCmp, first.r32(), number(op.b));
    jump_if(op.what == What::if_less       ? CondCode::kL
            : op.what == What::if_not_less ? CondCode::kGE
            : op.what == What::if_equal    ? CondCode::kE
                                           : CondCode::kNE,
            op.x);
    return true;
  }
  case What::if_row:
  case What::if_no_row:
    if (!row(op)) {
      help(op, layout_.helper(What::if_row));
      a_.test(x86::eax, x86::eax);
    }
    jump_if(op.what == What::if_row ? CondCode::kNZ : CondCode::kZ, op.x);
    return true;
  case What::if_stuck:
  case What::if_free:
    a_.test(total_.r32(), total_.r32());
    jump_if(op.what == What::if_stuck ? CondCode::kZ : CondCode::kNZ, op.x);
    return true;
  default: return false;
  }
}

// As Sprint::joins_row; the flags say whether there is one.
void Generator::join_row(const SprintOp& op) {
  const NativeLayout::Lines& lines = layout_.lines[op.d - 1U];
  const Gp where = read(cell(op.a)), table = fresh(), places = fresh();
  a_.imul(table, where, 2 * lines.axes);
  mov_address(places, lines.places);
  a_.add(places, table);
  mov_address(table, lines.with);
  const Gp place = fresh(), line = fresh(), full = fresh(), less = fresh(), found = fresh();
  for (int axis = 0; axis < lines.axes; ++axis) {
    a_.movzx(place.r32(), x86::word_ptr(places, 2 * axis));
    a_.mov(line.r32(), place.r32());
    a_.shr(line.r32(), 5);
    const Mem there = x86::dword_ptr(sets_, line, 2, static_cast<std::int32_t>(lines.at));
    a_.mov(full.r32(), there);
    a_.bts(full.r32(), place.r32());
    a_.mov(there, full.r32());
    a_.and_(place.r32(), kLongestLine - 1);
    for (const int by : lines.shifts) {
      a_.mov(less.r32(), full.r32());
      a_.shr(less.r32(), by);
      a_.and_(full.r32(), less.r32());
    }
    a_.and_(full.r32(), x86::dword_ptr(table, place, 2));
    axis == 0 ? a_.mov(found.r32(), full.r32()) : a_.or_(found.r32(), full.r32());
  }
  a_.test(found.r32(), found.r32());
}

// As Sprint::in_row does it on small boards; the flags say whether there is one.
bool Generator::row(const SprintOp& op) {
  if (op.d != 0) {
    join_row(op);
    return true;
  }
  if (words_ > 1 || layout_.rows.empty()) return false;
  const NativeLayout::Row& row = layout_.rows[op.c];
  if (row.shifts.empty()) return false;
  const Gp bit = bit_of(op.a), where = read(cell(op.a));
  const Gp set = copy_of(word(op.b, 0));
  a_.or_(set, bit);
  const Gp found = fresh(), full = fresh(), less = fresh();
  for (std::size_t axis = 0; axis < row.shifts.size(); ++axis) {
    const Gp& into = axis == 0 ? found : full;
    a_.mov(into, set);
    for (const int by : row.shifts[axis]) {
      if (by == 0) continue;
      a_.mov(less, into);
      a_.shr(less, by);
      a_.and_(into, less);
    }
    mov_address(less, row.begins[axis]);
    a_.and_(into, x86::qword_ptr(less, where, 3));
    if (axis > 0) a_.or_(found, full);
  }
  a_.test(found, found);
  return true;
}

} // namespace boardwright::runtime::machine::native

#endif
