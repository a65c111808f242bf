// Sets that are looked up: tables by cell and number, and memos of what depends on nothing but two cells.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/memos.hpp"
#include "runtime/ir/key_words.hpp"

namespace boardwright::runtime::codegen {

namespace Inst = x86::Inst;

void set_table(Generator& g, const I& i) {
  const Surroundings::SetTable& table = g.around.set_tables[at(i.x)];
  const Gp cell = g.read(g.number(i.a)), index = g.fresh(), value = g.fresh();
  const Label none = g.a.newLabel(), done = g.a.newLabel();
  g.forget_set(i.d);
  g.a.test(cell.r32(), cell.r32());
  g.a.js(none);
  g.a.imul(index.r32(), cell.r32(), table.numbers);
  if (table.numbers > 1) {
    const Gp by = g.fresh();
    g.load(by, g.number(i.b));
    g.a.xor_(value.r32(), value.r32());
    g.a.test(by.r32(), by.r32());
    g.a.cmovs(by.r32(), value.r32());
    g.a.mov(value.r32(), table.numbers - 1);
    g.a.cmp(by.r32(), value.r32());
    g.a.cmova(by.r32(), value.r32());
    g.a.add(index.r32(), by.r32());
    g.unpin(by);
  }
  g.a.imul(index.r32(), index.r32(), 8 * g.words);
  g.mov_address(value, table.sets);
  g.a.add(index, value);
  for (int w = 0; w < g.words; ++w) {
    g.a.mov(value, x86::qword_ptr(index, 8 * w));
    g.a.mov(g.memory(g.word(i.d, w)), value);
  }
  g.a.jmp(done);
  g.a.bind(none);
  g.a.xor_(value.r32(), value.r32());
  for (int w = 0; w < g.words; ++w) g.a.mov(g.memory(g.word(i.d, w)), value);
  g.a.bind(done);
}

namespace {

// Where the memo keeps the set of two cells, and in `key` what must stand there; to the label if one is none.
Gp memo_slot(Generator& g, int memo, Reg a, Reg b, const Gp& key, const Label& none) {
  const Gp slot = g.fresh(), second = g.fresh();
  g.load(key, g.number(a));
  g.load(second, g.number(b));
  g.a.mov(slot.r32(), key.r32());
  g.a.or_(slot.r32(), second.r32());
  g.a.js(none);
  g.a.imul(key.r32(), key.r32(), g.code.layout.cells);
  g.a.add(key.r32(), second.r32());
  g.a.mov(slot.r32(), key.r32());
  g.a.inc(key.r32());
  g.a.and_(slot.r32(), ir::kMemoSlots - 1);
  g.a.imul(slot.r32(), slot.r32(), 8 * (g.words + 1));
  g.a.add(slot, g.field(g.around.at.memos));
  g.a.add(slot, memo * ir::kMemoSlots * 8 * (g.words + 1));
  g.unpin(second);
  return slot;
}

} // namespace

void recall(Generator& g, const I& i) {
  const Gp key = g.fresh(), value = g.fresh();
  const Label missing = g.a.newLabel();
  const Gp slot = memo_slot(g, i.c, i.a, i.b, key, missing);
  g.a.cmp(key, x86::qword_ptr(slot));
  g.a.jne(missing);
  const auto held = g.held;
  for (int w = 0; w < g.words; ++w) {
    g.a.mov(value, x86::qword_ptr(slot, 8 + 8 * w));
    g.a.mov(g.memory(g.word(i.d, w)), value);
  }
  g.forget_set(i.d);
  g.a.jmp(g.to(i.x));
  g.held = held;
  g.a.bind(missing);
}

void remember(Generator& g, const I& i) {
  const Gp key = g.fresh(), value = g.fresh();
  const Label none = g.a.newLabel();
  const Gp slot = memo_slot(g, i.x, i.b, i.c, key, none);
  g.a.mov(x86::qword_ptr(slot), key);
  for (int w = 0; w < g.words; ++w) {
    g.load(value, g.word(i.a, w));
    g.a.mov(x86::qword_ptr(slot, 8 + 8 * w), value);
  }
  g.a.bind(none);
}

// ---------------------------------------------------------------- keys of moves

void key_text(Generator& g, const I& i) {
  const ir::KeyText& text = g.code.key_texts[at(i.x)];
  const Gp key = g.copy_of(g.word(i.a, 0)), constant = g.fresh();
  g.a.mov(constant, text.times);
  g.a.imul(key, constant);
  g.a.mov(constant, text.plus);
  g.a.add(key, constant);
  g.define(g.word(i.d, 0), key);
}

void key_set(Generator& g, const I& i) {
  const Gp key = g.copy_of(g.word(i.a, 0)), before = g.fresh(), any = g.copy_of(g.word(i.b, 0)),
           factor = g.fresh();
  g.a.mov(before, key);
  for (int w = 0; w < g.words; ++w) {
    if (w > 0) g.apply(Inst::kIdOr, any, g.word(i.b, w));
    g.a.mov(factor, ir::kKeyOfWord[at(w)]);
    g.apply(Inst::kIdImul, factor, g.word(i.b, w));
    g.a.add(key, factor);
  }
  g.a.mov(factor, ir::kKeyFactor);
  g.a.imul(key, factor);
  g.a.mov(factor, key);
  g.a.shr(factor, ir::kKeyShift);
  g.a.xor_(key, factor);
  g.a.test(any, any);
  g.a.cmovz(key, before);
  g.define(g.word(i.d, 0), key);
}

} // namespace boardwright::runtime::codegen

#endif
