// Sets that are looked up: tables by cell and number, and memos of what depends on nothing but two cells.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"
#include "runtime/ir/key_words.hpp"

namespace boardwright::runtime::codegen {

namespace Inst = x86::Inst;

void Generator::set_table(const I& i) {
  const Surroundings::SetTable& table = around_.set_tables[at(i.x)];
  const Gp cell = read(number(i.a)), index = fresh(), value = fresh();
  const Label none = a_.newLabel(), done = a_.newLabel();
  forget_set(i.d);
  a_.test(cell.r32(), cell.r32());
  a_.js(none);
  a_.imul(index.r32(), cell.r32(), table.numbers);
  if (table.numbers > 1) {
    const Gp by = fresh();
    load(by, number(i.b));
    a_.xor_(value.r32(), value.r32());
    a_.test(by.r32(), by.r32());
    a_.cmovs(by.r32(), value.r32());
    a_.mov(value.r32(), table.numbers - 1);
    a_.cmp(by.r32(), value.r32());
    a_.cmova(by.r32(), value.r32());
    a_.add(index.r32(), by.r32());
    unpin(by);
  }
  a_.imul(index.r32(), index.r32(), 8 * words_);
  mov_address(value, table.sets);
  a_.add(index, value);
  for (int w = 0; w < words_; ++w) {
    a_.mov(value, x86::qword_ptr(index, 8 * w));
    a_.mov(memory(word(i.d, w)), value);
  }
  a_.jmp(done);
  a_.bind(none);
  a_.xor_(value.r32(), value.r32());
  for (int w = 0; w < words_; ++w) a_.mov(memory(word(i.d, w)), value);
  a_.bind(done);
}

// Where the memo keeps the set of two cells, and in `key` what must stand there; to the label if one is none.
Gp Generator::memo_slot(int memo, Reg a, Reg b, const Gp& key, const Label& none) {
  const Gp slot = fresh(), second = fresh();
  load(key, number(a));
  load(second, number(b));
  a_.mov(slot.r32(), key.r32());
  a_.or_(slot.r32(), second.r32());
  a_.js(none);
  a_.imul(key.r32(), key.r32(), code_.layout.cells);
  a_.add(key.r32(), second.r32());
  a_.mov(slot.r32(), key.r32());
  a_.inc(key.r32());
  a_.and_(slot.r32(), ir::kMemoSlots - 1);
  a_.imul(slot.r32(), slot.r32(), 8 * (words_ + 1));
  a_.add(slot, field(around_.at.memos));
  a_.add(slot, memo * ir::kMemoSlots * 8 * (words_ + 1));
  unpin(second);
  return slot;
}

void Generator::recall(const I& i) {
  const Gp key = fresh(), value = fresh();
  const Label missing = a_.newLabel();
  const Gp slot = memo_slot(i.c, i.a, i.b, key, missing);
  a_.cmp(key, x86::qword_ptr(slot));
  a_.jne(missing);
  const auto held = held_;
  for (int w = 0; w < words_; ++w) {
    a_.mov(value, x86::qword_ptr(slot, 8 + 8 * w));
    a_.mov(memory(word(i.d, w)), value);
  }
  forget_set(i.d);
  a_.jmp(to(i.x));
  held_ = held;
  a_.bind(missing);
}

void Generator::remember(const I& i) {
  const Gp key = fresh(), value = fresh();
  const Label none = a_.newLabel();
  const Gp slot = memo_slot(i.x, i.b, i.c, key, none);
  a_.mov(x86::qword_ptr(slot), key);
  for (int w = 0; w < words_; ++w) {
    load(value, word(i.a, w));
    a_.mov(x86::qword_ptr(slot, 8 + 8 * w), value);
  }
  a_.bind(none);
}

// ---------------------------------------------------------------- keys of moves

void Generator::key_text(const I& i) {
  const ir::KeyText& text = code_.key_texts[at(i.x)];
  const Gp key = copy_of(word(i.a, 0)), constant = fresh();
  a_.mov(constant, text.times);
  a_.imul(key, constant);
  a_.mov(constant, text.plus);
  a_.add(key, constant);
  define(word(i.d, 0), key);
}

void Generator::key_set(const I& i) {
  const Gp key = copy_of(word(i.a, 0)), before = fresh(), any = copy_of(word(i.b, 0)), factor = fresh();
  a_.mov(before, key);
  for (int w = 0; w < words_; ++w) {
    if (w > 0) apply(Inst::kIdOr, any, word(i.b, w));
    a_.mov(factor, ir::kKeyOfWord[at(w)]);
    apply(Inst::kIdImul, factor, word(i.b, w));
    a_.add(key, factor);
  }
  a_.mov(factor, ir::kKeyFactor);
  a_.imul(key, factor);
  a_.mov(factor, key);
  a_.shr(factor, ir::kKeyShift);
  a_.xor_(key, factor);
  a_.test(any, any);
  a_.cmovz(key, before);
  define(word(i.d, 0), key);
}

} // namespace boardwright::runtime::codegen

#endif
