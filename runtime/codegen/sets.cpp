// Sets, word by word.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace boardwright::runtime::codegen {

namespace Inst = x86::Inst;

bool Generator::set_operation(const I& i) {
  switch (i.op) {
  case Op::set_copy:
    for (int w = 0; w < words_; ++w) {
      define(word(i.d, w), copy_of(word(i.a, w)));
      release();
    }
    return true;
  case Op::set_unite: two_sets(i, Inst::kIdOr); return true;
  case Op::set_meet: two_sets(i, Inst::kIdAnd); return true;
  case Op::set_minus: minus(i); return true;
  case Op::set_join:
    for (int w = 0; w < words_; ++w) {
      const Gp reg = copy_of(word(i.d, w));
      apply(Inst::kIdOr, reg, word(i.a, w));
      define(word(i.d, w), reg);
      release();
    }
    return true;
  case Op::set_shift: set_shift(i); return true;
  case Op::set_step:
  case Op::set_step_back: return set_step(i);
  case Op::set_cell: set_cell(i); return true;
  case Op::set_mapped: return set_mapped(i);
  case Op::set_add: {
    const Gp cell = read(number(i.a));
    if (words_ == 1) {
      const Gp bit = cell_bit(cell, is_cell(i.a));
      apply(Inst::kIdOr, bit, word(i.d, 0));
      define(word(i.d, 0), bit);
      return true;
    }
    const Label none = a_.newLabel();
    const Gp where = fresh(), whole = fresh();
    forget_set(i.d);
    a_.test(cell.r32(), cell.r32());
    a_.js(none);
    a_.mov(where.r32(), cell.r32());
    a_.shr(where.r32(), 6);
    const Mem in = x86::qword_ptr(sets_, where, 3, 8 * i.d * words_);
    a_.mov(whole, in);
    a_.bts(whole, cell);
    a_.mov(in, whole);
    a_.bind(none);
    return true;
  }
  case Op::set_around: set_around(i); return true;
  case Op::set_table: set_table(i); return true;
  case Op::set_first: set_end(i, true); return words_ == 1;
  case Op::set_last: set_end(i, false); return words_ == 1;
  case Op::count: count(i); return true;
  case Op::first: first(i); return true;
  case Op::last: last(i); return true;
  default: return false;
  }
}

void Generator::two_sets(const I& i, asmjit::InstId what) {
  for (int w = 0; w < words_; ++w) {
    // What is in a register already is best copied from there.
    const bool swap = !find(word(i.a, w)) && find(word(i.b, w));
    const Gp reg = copy_of(word(swap ? i.b : i.a, w));
    apply(what, reg, word(swap ? i.a : i.b, w));
    define(word(i.d, w), reg);
    release();
  }
}

void Generator::minus(const I& i) {
  for (int w = 0; w < words_; ++w) {
    const Gp other = read(word(i.b, w)), reg = fresh();
    const auto pinned = pinned_;
    a_.emit(Inst::kIdAndn, reg, other, operand(word(i.a, w)));
    pinned_ = pinned;
    define(word(i.d, w), reg);
    release();
  }
}

// Calls the sink with every word of what comes out, in such an order that the result may lie where the source
// does.
void Generator::shift_words(const WordOf& source, int by, const std::function<void(int, Gp)>& sink) {
  const int far = by < 0 ? -by : by, words = far / 64, bits = far % 64;
  for (int n = 0; n < words_; ++n) {
    const int k = by < 0 ? n : words_ - 1 - n;
    const int from = by < 0 ? k + words : k - words, beside = by < 0 ? from + 1 : from - 1;
    const auto is_word = [this](int w) { return w >= 0 && w < words_; };
    std::optional<Gp> sum;
    if (is_word(from)) {
      sum = source(from);
      if (bits != 0) by < 0 ? a_.shr(*sum, bits) : a_.shl(*sum, bits);
    }
    if (bits != 0 && is_word(beside)) {
      const Gp more = source(beside);
      by < 0 ? a_.shl(more, 64 - bits) : a_.shr(more, 64 - bits);
      if (sum) {
        a_.or_(*sum, more);
        unpin(more);
      } else {
        sum = more;
      }
    }
    if (!sum) {
      sum = fresh();
      a_.xor_(sum->r32(), sum->r32());
    }
    sink(k, *sum);
  }
}

void Generator::set_shift(const I& i) {
  const WordOf met = [&](int w) {
    const Gp reg = copy_of(word(i.a, w));
    if (i.a != i.b) apply(Inst::kIdAnd, reg, word(i.b, w));
    return reg;
  };
  shift_words(met, i.x, [&](int w, const Gp& value) {
    define(word(i.d, w), value);
    release();
  });
}

namespace {

// Members of a word that go to members of another in the same order.
struct InOrder {
  int from_word = 0, to_word = 0;
  std::uint64_t from = 0, to = 0;
  int last_from = -1, last_to = -1;
};

// A step in such parts, as few as can be found by taking each cell in turn.
std::vector<InOrder> parts_in_order(const std::int16_t* to, int cells, bool back) {
  std::vector<std::pair<int, int>> ways;
  for (int c = 0; c < cells; ++c)
    if (to[c] >= 0) ways.emplace_back(back ? to[c] : c, back ? c : to[c]);
  std::sort(ways.begin(), ways.end());
  std::vector<InOrder> parts;
  for (const auto& [a, b] : ways) {
    const auto fits = [&, from = a, goal = b](const InOrder& p) {
      return p.from_word == from / 64 && p.to_word == goal / 64 && p.last_from < from && p.last_to < goal;
    };
    auto part = std::find_if(parts.begin(), parts.end(), fits);
    if (part == parts.end()) part = parts.insert(part, {a / 64, b / 64, 0, 0, -1, -1});
    part->from |= std::uint64_t{1} << (a % 64);
    part->to |= std::uint64_t{1} << (b % 64);
    part->last_from = a;
    part->last_to = b;
  }
  return parts;
}

} // namespace

// Where a step is no shift: its cells are gathered and scattered, in parts that keep their order.
bool Generator::set_step(const I& i) {
  constexpr std::size_t kMostParts = 12; // more take longer than one cell after the other
  const int cells = code_.layout.cells;
  const auto parts = parts_in_order(around_.to + at(i.x) * at(cells), cells, i.op == Op::set_step_back);
  constexpr int kMostWords = 4; // more might not fit the registers
  if (parts.size() > kMostParts || words_ > kMostWords || (words_ > 1 && i.d == i.a)) return false;
  for (int w = 0; w < words_; ++w) {
    const Gp found = fresh(), mask = fresh(), cell = fresh();
    a_.xor_(found.r32(), found.r32());
    for (const InOrder& p : parts) {
      if (p.to_word != w) continue;
      a_.mov(mask, p.from);
      a_.pext(cell, read(word(i.a, p.from_word)), mask);
      a_.mov(mask, p.to);
      a_.pdep(cell, cell, mask);
      a_.or_(found, cell);
    }
    define(word(i.d, w), found);
    release();
  }
  return true;
}

// For sets of one word.
Gp Generator::cell_bit(const Gp& cell, bool is_cell) {
  const Gp bit = fresh();
  if (is_cell) {
    a_.mov(bit.r32(), 1);
    a_.shlx(bit, bit, cell);
    return bit;
  }
  a_.xor_(bit.r32(), bit.r32());
  a_.test(cell.r32(), cell.r32());
  a_.setns(bit.r8());
  a_.shlx(bit, bit, cell);
  return bit;
}

// Member by member. What is mapped isn't where it is written.
bool Generator::set_mapped(const I& i) {
  if (i.a == i.d) return false;
  const std::vector<std::int16_t>& to = code_.places[at(i.x)];
  const Gp left = fresh(), all = fresh(), table = fresh(), member = fresh(), where = fresh();
  mov_address(table, to.data());
  a_.xor_(all.r32(), all.r32());
  forget_set(i.d);
  if (words_ > 1)
    for (int w = 0; w < words_; ++w) a_.mov(memory(word(i.d, w)), all);
  const int words = std::min(words_, static_cast<int>((to.size() + 63) / 64));
  for (int w = 0; w < words; ++w) {
    const Label next = a_.newLabel(), done = a_.newLabel();
    a_.mov(left, memory(word(i.a, w)));
    a_.bind(next);
    a_.test(left, left);
    a_.jz(done);
    a_.tzcnt(member, left);
    a_.blsr(left, left);
    a_.movsx(member.r32(), x86::word_ptr(table, member, 1, 128 * w));
    a_.test(member.r32(), member.r32());
    a_.js(next);
    if (words_ == 1) {
      a_.bts(all, member);
    } else {
      a_.mov(where.r32(), member.r32());
      a_.shr(where.r32(), 6);
      const Mem in = x86::qword_ptr(sets_, where, 3, 8 * i.d * words_);
      a_.mov(all, in);
      a_.bts(all, member);
      a_.mov(in, all);
    }
    a_.jmp(next);
    a_.bind(done);
  }
  if (words_ == 1) define(word(i.d, 0), all);
  return true;
}

void Generator::set_cell(const I& i) {
  const Gp cell = read(number(i.a));
  if (words_ == 1) {
    define(word(i.d, 0), cell_bit(cell, is_cell(i.a)));
    return;
  }
  if (words_ == 2) {
    // Bit 6 says in which word it is; -1 is in none.
    const Gp low = cell_bit(cell, is_cell(i.a)), high = fresh(), none = fresh();
    a_.xor_(none.r32(), none.r32());
    a_.mov(high, low);
    a_.bt(cell.r32(), 6);
    a_.cmovnc(high, none);
    a_.cmovc(low, none);
    define(word(i.d, 0), low);
    define(word(i.d, 1), high);
    return;
  }
  const Gp zero = fresh(), where = fresh();
  const Label none = a_.newLabel();
  forget_set(i.d);
  a_.xor_(zero.r32(), zero.r32());
  for (int w = 0; w < words_; ++w) a_.mov(memory(word(i.d, w)), zero);
  if (!is_cell(i.a)) {
    a_.test(cell.r32(), cell.r32());
    a_.js(none);
  }
  a_.mov(where.r32(), cell.r32());
  a_.shr(where.r32(), 6);
  a_.bts(zero, cell);
  a_.mov(x86::qword_ptr(sets_, where, 3, 8 * i.d * words_), zero);
  a_.bind(none);
}

void Generator::set_around(const I& i) {
  static constexpr std::array<std::uint64_t, CellSet::kWords> kNone{};
  const Gp cell = read(number(i.a)), row = fresh(), other = fresh();
  mov_address(row, around_.around[at(i.x)]);
  a_.imul(other.r32(), cell.r32(), 8 * words_);
  a_.add(row, other);
  mov_address(other, kNone.data());
  a_.test(cell.r32(), cell.r32());
  a_.cmovs(row, other);
  unpin(cell);
  unpin(other);
  for (int w = 0; w < words_; ++w) {
    const Gp found = fresh();
    a_.mov(found, x86::qword_ptr(row, 8 * w));
    define(word(i.d, w), found);
    unpin(found);
  }
}

// For sets of one word: the lowest or highest member as a set.
void Generator::set_end(const I& i, bool lowest) {
  if (words_ != 1) return;
  const Gp reg = fresh();
  if (lowest) {
    const auto pinned = pinned_;
    a_.emit(Inst::kIdBlsi, reg, operand(word(i.a, 0)));
    pinned_ = pinned;
    define(word(i.d, 0), reg);
    return;
  }
  const Gp set = read(word(i.a, 0)), bit = fresh();
  a_.lzcnt(reg, set); // 64 for none
  a_.xor_(bit.r32(), bit.r32());
  a_.bts(bit, 63);
  a_.shrx(bit, bit, reg);
  a_.test(set, set);
  a_.cmovz(bit, set);
  define(word(i.d, 0), bit);
}

Gp Generator::count_of(Reg set) {
  for (int w = 0; w < words_; ++w) // what is in a register should stay there
    if (const auto known = find(word(set, w))) unpin(*known);
  const Gp sum = fresh();
  const auto popcount = [&](const Gp& reg, int w) {
    const auto pinned = pinned_;
    a_.emit(Inst::kIdPopcnt, reg, operand(word(set, w)));
    pinned_ = pinned;
  };
  popcount(sum, 0);
  for (int w = 1; w < words_; ++w) {
    const Gp more = fresh();
    popcount(more, w);
    a_.add(sum.r32(), more.r32());
    unpin(more);
  }
  return sum;
}

void Generator::count(const I& i) { define(number(i.d), count_of(i.a)); }

void Generator::first(const I& i) {
  const Gp found = fresh(), more = fresh();
  a_.or_(found.r32(), -1);
  for (int w = words_ - 1; w >= 0; --w) {
    const Gp set = read(word(i.a, w));
    a_.tzcnt(more, set);
    if (w > 0) a_.add(more.r32(), 64 * w);
    a_.test(set, set);
    a_.cmovnz(found.r32(), more.r32());
    unpin(set);
  }
  define(number(i.d), found);
}

void Generator::last(const I& i) {
  const Gp found = fresh(), more = fresh();
  a_.or_(found.r32(), -1);
  for (int w = 0; w < words_; ++w) {
    const Gp set = read(word(i.a, w));
    a_.bsr(more, set); // its result counts only where the set has members
    if (w > 0) a_.add(more.r32(), 64 * w);
    a_.test(set, set);
    a_.cmovnz(found.r32(), more.r32());
    unpin(set);
  }
  define(number(i.d), found);
}

// ---------------------------------------------------------------- questions, answered by the flags

void Generator::test_none(Reg set) {
  if (words_ == 1) {
    const Gp reg = read(word(set, 0));
    a_.test(reg, reg);
    return;
  }
  const Gp all = copy_of(word(set, 0));
  for (int w = 1; w < words_; ++w) apply(Inst::kIdOr, all, word(set, w));
}

void Generator::test_meet(Reg a, Reg b) {
  const Gp all = copy_of(word(a, 0));
  apply(Inst::kIdAnd, all, word(b, 0));
  for (int w = 1; w < words_; ++w) {
    const Gp more = copy_of(word(a, w));
    apply(Inst::kIdAnd, more, word(b, w));
    a_.or_(all, more);
    unpin(more);
  }
}

void Generator::test_part(Reg a, Reg b) {
  std::optional<Gp> all;
  for (int w = 0; w < words_; ++w) {
    const Gp other = read(word(b, w)), more = fresh();
    const auto pinned = pinned_;
    a_.emit(Inst::kIdAndn, more, other, operand(word(a, w)));
    pinned_ = pinned;
    unpin(other);
    if (!all) {
      all = more;
      continue;
    }
    a_.or_(*all, more);
    unpin(more);
  }
}

void Generator::test_same(Reg a, Reg b) {
  const Gp all = copy_of(word(a, 0));
  apply(Inst::kIdXor, all, word(b, 0));
  for (int w = 1; w < words_; ++w) {
    const Gp more = copy_of(word(a, w));
    apply(Inst::kIdXor, more, word(b, w));
    a_.or_(all, more);
    unpin(more);
  }
}

void Generator::test_bit(Reg set, const Gp& cell) {
  if (words_ == 1) {
    a_.bt(read(word(set, 0)), cell);
    return;
  }
  const Gp where = fresh();
  a_.mov(where.r32(), cell.r32());
  a_.shr(where.r32(), 6);
  a_.mov(where, x86::qword_ptr(sets_, where, 3, 8 * set * words_));
  a_.bt(where, cell);
}

} // namespace boardwright::runtime::codegen

#endif
