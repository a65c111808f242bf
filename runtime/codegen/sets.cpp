// Sets, word by word.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/sets.hpp"
#include "runtime/codegen/memos.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace boardwright::runtime::codegen {

namespace {

void two_sets(Generator& g, const I& i, asmjit::InstId what);
void minus(Generator& g, const I& i);
void set_shift(Generator& g, const I& i);
bool set_step(Generator& g, const I& i);
Gp cell_bit(Generator& g, const Gp& cell, bool is_cell);
bool set_mapped(Generator& g, const I& i);
void set_cell(Generator& g, const I& i);
void set_around(Generator& g, const I& i);
bool set_first(Generator& g, const I& i);
void count(Generator& g, const I& i);
void first(Generator& g, const I& i);
void last(Generator& g, const I& i);

} // namespace

namespace Inst = x86::Inst;

bool set_operation(Generator& g, const I& i) {
  switch (i.op) {
  case Op::set_copy:
    for (int w = 0; w < g.words; ++w) {
      g.define(g.word(i.d, w), g.copy_of(g.word(i.a, w)));
      g.release();
    }
    return true;
  case Op::set_unite: two_sets(g, i, Inst::kIdOr); return true;
  case Op::set_meet: two_sets(g, i, Inst::kIdAnd); return true;
  case Op::set_minus: minus(g, i); return true;
  case Op::set_join:
    for (int w = 0; w < g.words; ++w) {
      const Gp reg = g.copy_of(g.word(i.d, w));
      g.apply(Inst::kIdOr, reg, g.word(i.a, w));
      g.define(g.word(i.d, w), reg);
      g.release();
    }
    return true;
  case Op::set_shift: set_shift(g, i); return true;
  case Op::set_step:
  case Op::set_step_back: return set_step(g, i);
  case Op::set_cell: set_cell(g, i); return true;
  case Op::set_mapped: return set_mapped(g, i);
  case Op::set_add: {
    const Gp cell = g.read(g.number(i.a));
    if (g.words == 1) {
      const Gp bit = cell_bit(g, cell, g.is_cell(i.a));
      g.apply(Inst::kIdOr, bit, g.word(i.d, 0));
      g.define(g.word(i.d, 0), bit);
      return true;
    }
    const Label none = g.a.newLabel();
    const Gp where = g.fresh(), whole = g.fresh();
    g.forget_set(i.d);
    g.a.test(cell.r32(), cell.r32());
    g.a.js(none);
    g.a.mov(where.r32(), cell.r32());
    g.a.shr(where.r32(), 6);
    const Mem in = x86::qword_ptr(g.sets, where, 3, 8 * i.d * g.words);
    g.a.mov(whole, in);
    g.a.bts(whole, cell);
    g.a.mov(in, whole);
    g.a.bind(none);
    return true;
  }
  case Op::set_around: set_around(g, i); return true;
  case Op::set_table: set_table(g, i); return true;
  case Op::set_first: return set_first(g, i);
  case Op::count: count(g, i); return true;
  case Op::first: first(g, i); return true;
  case Op::last: last(g, i); return true;
  default: return false;
  }
}

namespace {

void two_sets(Generator& g, const I& i, asmjit::InstId what) {
  for (int w = 0; w < g.words; ++w) {
    // What is in a register already is best copied from there.
    const bool swap = !g.find(g.word(i.a, w)) && g.find(g.word(i.b, w));
    const Gp reg = g.copy_of(g.word(swap ? i.b : i.a, w));
    g.apply(what, reg, g.word(swap ? i.a : i.b, w));
    g.define(g.word(i.d, w), reg);
    g.release();
  }
}

void minus(Generator& g, const I& i) {
  for (int w = 0; w < g.words; ++w) {
    const Gp other = g.read(g.word(i.b, w)), reg = g.fresh();
    const auto pinned = g.pinned;
    g.a.emit(Inst::kIdAndn, reg, other, g.operand(g.word(i.a, w)));
    g.pinned = pinned;
    g.define(g.word(i.d, w), reg);
    g.release();
  }
}

} // namespace

// Calls the sink with every word of what comes out, in such an order that the result may lie where the source
// does.
void shift_words(Generator& g, const WordOf& source, int by, const std::function<void(int, Gp)>& sink) {
  const int far = by < 0 ? -by : by, words = far / 64, bits = far % 64;
  for (int n = 0; n < g.words; ++n) {
    const int k = by < 0 ? n : g.words - 1 - n;
    const int from = by < 0 ? k + words : k - words, beside = by < 0 ? from + 1 : from - 1;
    const auto is_word = [&g](int w) { return w >= 0 && w < g.words; };
    std::optional<Gp> sum;
    if (is_word(from)) {
      sum = source(from);
      if (bits != 0) by < 0 ? g.a.shr(*sum, bits) : g.a.shl(*sum, bits);
    }
    if (bits != 0 && is_word(beside)) {
      const Gp more = source(beside);
      by < 0 ? g.a.shl(more, 64 - bits) : g.a.shr(more, 64 - bits);
      if (sum) {
        g.a.or_(*sum, more);
        g.unpin(more);
      } else {
        sum = more;
      }
    }
    if (!sum) {
      sum = g.fresh();
      g.a.xor_(sum->r32(), sum->r32());
    }
    sink(k, *sum);
  }
}

namespace {

void set_shift(Generator& g, const I& i) {
  const WordOf met = [&](int w) {
    const Gp reg = g.copy_of(g.word(i.a, w));
    if (i.a != i.b) g.apply(Inst::kIdAnd, reg, g.word(i.b, w));
    return reg;
  };
  shift_words(g, met, i.x, [&](int w, const Gp& value) {
    g.define(g.word(i.d, w), value);
    g.release();
  });
}

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

// Where a step is no shift: its cells are gathered and scattered, in parts that keep their order.
bool set_step(Generator& g, const I& i) {
  constexpr std::size_t kMostParts = 12; // more take longer than one cell after the other
  const int cells = g.code.layout.cells;
  const auto parts = parts_in_order(g.around.to + at(i.x) * at(cells), cells, i.op == Op::set_step_back);
  constexpr int kMostWords = 4; // more might not fit the registers
  if (parts.size() > kMostParts || g.words > kMostWords || (g.words > 1 && i.d == i.a)) return false;
  for (int w = 0; w < g.words; ++w) {
    const Gp found = g.fresh(), mask = g.fresh(), cell = g.fresh();
    g.a.xor_(found.r32(), found.r32());
    for (const InOrder& p : parts) {
      if (p.to_word != w) continue;
      g.a.mov(mask, p.from);
      g.a.pext(cell, g.read(g.word(i.a, p.from_word)), mask);
      g.a.mov(mask, p.to);
      g.a.pdep(cell, cell, mask);
      g.a.or_(found, cell);
    }
    g.define(g.word(i.d, w), found);
    g.release();
  }
  return true;
}

// For sets of one word.
Gp cell_bit(Generator& g, const Gp& cell, bool is_cell) {
  const Gp bit = g.fresh();
  if (is_cell) {
    g.a.mov(bit.r32(), 1);
    g.a.shlx(bit, bit, cell);
    return bit;
  }
  g.a.xor_(bit.r32(), bit.r32());
  g.a.test(cell.r32(), cell.r32());
  g.a.setns(bit.r8());
  g.a.shlx(bit, bit, cell);
  return bit;
}

// Member by member. What is mapped isn't where it is written.
bool set_mapped(Generator& g, const I& i) {
  if (i.a == i.d) return false;
  const std::vector<std::int16_t>& to = g.code.places[at(i.x)];
  const Gp left = g.fresh(), all = g.fresh(), table = g.fresh(), member = g.fresh(), where = g.fresh();
  g.mov_address(table, to.data());
  g.a.xor_(all.r32(), all.r32());
  g.forget_set(i.d);
  if (g.words > 1)
    for (int w = 0; w < g.words; ++w) g.a.mov(g.memory(g.word(i.d, w)), all);
  const int words = std::min(g.words, static_cast<int>((to.size() + 63) / 64));
  for (int w = 0; w < words; ++w) {
    const Label next = g.a.newLabel(), done = g.a.newLabel();
    g.a.mov(left, g.memory(g.word(i.a, w)));
    g.a.bind(next);
    g.a.test(left, left);
    g.a.jz(done);
    g.a.tzcnt(member, left);
    g.a.blsr(left, left);
    g.a.movsx(member.r32(), x86::word_ptr(table, member, 1, 128 * w));
    g.a.test(member.r32(), member.r32());
    g.a.js(next);
    if (g.words == 1) {
      g.a.bts(all, member);
    } else {
      g.a.mov(where.r32(), member.r32());
      g.a.shr(where.r32(), 6);
      const Mem in = x86::qword_ptr(g.sets, where, 3, 8 * i.d * g.words);
      g.a.mov(all, in);
      g.a.bts(all, member);
      g.a.mov(in, all);
    }
    g.a.jmp(next);
    g.a.bind(done);
  }
  if (g.words == 1) g.define(g.word(i.d, 0), all);
  return true;
}

void set_cell(Generator& g, const I& i) {
  const Gp cell = g.read(g.number(i.a));
  if (g.words == 1) {
    g.define(g.word(i.d, 0), cell_bit(g, cell, g.is_cell(i.a)));
    return;
  }
  if (g.words == 2) {
    // Bit 6 says in which word it is; -1 is in none.
    const Gp low = cell_bit(g, cell, g.is_cell(i.a)), high = g.fresh(), none = g.fresh();
    g.a.xor_(none.r32(), none.r32());
    g.a.mov(high, low);
    g.a.bt(cell.r32(), 6);
    g.a.cmovnc(high, none);
    g.a.cmovc(low, none);
    g.define(g.word(i.d, 0), low);
    g.define(g.word(i.d, 1), high);
    return;
  }
  const Gp zero = g.fresh(), where = g.fresh();
  const Label none = g.a.newLabel();
  g.forget_set(i.d);
  g.a.xor_(zero.r32(), zero.r32());
  for (int w = 0; w < g.words; ++w) g.a.mov(g.memory(g.word(i.d, w)), zero);
  if (!g.is_cell(i.a)) {
    g.a.test(cell.r32(), cell.r32());
    g.a.js(none);
  }
  g.a.mov(where.r32(), cell.r32());
  g.a.shr(where.r32(), 6);
  g.a.bts(zero, cell);
  g.a.mov(x86::qword_ptr(g.sets, where, 3, 8 * i.d * g.words), zero);
  g.a.bind(none);
}

void set_around(Generator& g, const I& i) {
  static constexpr std::array<std::uint64_t, CellSet::kWords> kNone{};
  const Gp cell = g.read(g.number(i.a)), row = g.fresh(), other = g.fresh();
  g.mov_address(row, g.around.around[at(i.x)]);
  g.a.imul(other.r32(), cell.r32(), 8 * g.words);
  g.a.add(row, other);
  g.mov_address(other, kNone.data());
  g.a.test(cell.r32(), cell.r32());
  g.a.cmovs(row, other);
  g.unpin(cell);
  g.unpin(other);
  for (int w = 0; w < g.words; ++w) {
    const Gp found = g.fresh();
    g.a.mov(found, x86::qword_ptr(row, 8 * w));
    g.define(g.word(i.d, w), found);
    g.unpin(found);
  }
}

// For sets of one word: the lowest member as a set.
bool set_first(Generator& g, const I& i) {
  if (g.words != 1) return false;
  const Gp reg = g.fresh();
  const auto pinned = g.pinned;
  g.a.emit(Inst::kIdBlsi, reg, g.operand(g.word(i.a, 0)));
  g.pinned = pinned;
  g.define(g.word(i.d, 0), reg);
  return true;
}

} // namespace

Gp count_of(Generator& g, Reg set) {
  for (int w = 0; w < g.words; ++w) // what is in a register should stay there
    if (const auto known = g.find(g.word(set, w))) g.unpin(*known);
  const Gp sum = g.fresh();
  const auto popcount = [&](const Gp& reg, int w) {
    const auto pinned = g.pinned;
    g.a.emit(Inst::kIdPopcnt, reg, g.operand(g.word(set, w)));
    g.pinned = pinned;
  };
  popcount(sum, 0);
  for (int w = 1; w < g.words; ++w) {
    const Gp more = g.fresh();
    popcount(more, w);
    g.a.add(sum.r32(), more.r32());
    g.unpin(more);
  }
  return sum;
}

namespace {

void count(Generator& g, const I& i) { g.define(g.number(i.d), count_of(g, i.a)); }

void first(Generator& g, const I& i) {
  const Gp found = g.fresh(), more = g.fresh();
  g.a.or_(found.r32(), -1);
  for (int w = g.words - 1; w >= 0; --w) {
    const Gp set = g.read(g.word(i.a, w));
    g.a.tzcnt(more, set);
    if (w > 0) g.a.add(more.r32(), 64 * w);
    g.a.test(set, set);
    g.a.cmovnz(found.r32(), more.r32());
    g.unpin(set);
  }
  g.define(g.number(i.d), found);
}

void last(Generator& g, const I& i) {
  const Gp found = g.fresh(), more = g.fresh();
  g.a.or_(found.r32(), -1);
  for (int w = 0; w < g.words; ++w) {
    const Gp set = g.read(g.word(i.a, w));
    g.a.bsr(more, set); // its result counts only where the set has members
    if (w > 0) g.a.add(more.r32(), 64 * w);
    g.a.test(set, set);
    g.a.cmovnz(found.r32(), more.r32());
    g.unpin(set);
  }
  g.define(g.number(i.d), found);
}

} // namespace

// ---------------------------------------------------------------- questions, answered by the flags

void test_none(Generator& g, Reg set) {
  if (g.words == 1) {
    const Gp reg = g.read(g.word(set, 0));
    g.a.test(reg, reg);
    return;
  }
  const Gp all = g.copy_of(g.word(set, 0));
  for (int w = 1; w < g.words; ++w) g.apply(Inst::kIdOr, all, g.word(set, w));
}

namespace {

// Is any bit left, if the words of two sets are joined so?
void test_joined(Generator& g, asmjit::InstId join, Reg a, Reg b) {
  const Gp all = g.copy_of(g.word(a, 0));
  g.apply(join, all, g.word(b, 0));
  for (int w = 1; w < g.words; ++w) {
    const Gp more = g.copy_of(g.word(a, w));
    g.apply(join, more, g.word(b, w));
    g.a.or_(all, more);
    g.unpin(more);
  }
}

} // namespace

void test_meet(Generator& g, Reg a, Reg b) { test_joined(g, Inst::kIdAnd, a, b); }

void test_part(Generator& g, Reg a, Reg b) {
  std::optional<Gp> all;
  for (int w = 0; w < g.words; ++w) {
    const Gp other = g.read(g.word(b, w)), more = g.fresh();
    const auto pinned = g.pinned;
    g.a.emit(Inst::kIdAndn, more, other, g.operand(g.word(a, w)));
    g.pinned = pinned;
    g.unpin(other);
    if (!all) {
      all = more;
      continue;
    }
    g.a.or_(*all, more);
    g.unpin(more);
  }
}

void test_same(Generator& g, Reg a, Reg b) { test_joined(g, Inst::kIdXor, a, b); }

void test_bit(Generator& g, Reg set, const Gp& cell) {
  if (g.words == 1) {
    g.a.bt(g.read(g.word(set, 0)), cell);
    return;
  }
  const Gp where = g.fresh();
  g.a.mov(where.r32(), cell.r32());
  g.a.shr(where.r32(), 6);
  g.a.mov(where, x86::qword_ptr(g.sets, where, 3, 8 * set * g.words));
  g.a.bt(where, cell);
}

} // namespace boardwright::runtime::codegen

#endif
