// Where to go on: loops, calls, the trail's marks, helpers.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/control.hpp"
#include "runtime/codegen/memos.hpp"
#include "runtime/codegen/sets.hpp"

namespace boardwright::runtime::codegen {

namespace {

void take(Generator& g, const I& i);
void hop(Generator& g, const I& i);
void jump_table(Generator& g, const I& i);
void mark(Generator& g, const I& i);
void undo(Generator& g, const I& i);
void call(Generator& g, const I& i);
void ret(Generator& g);
Gp length_of(Generator& g, std::int32_t buffer);
void stack_mark(Generator& g, const I& i);
void cut(Generator& g, const I& i);
bool is_small(const Generator& g, const ir::SpillArea& spill_area);
bool keep(Generator& g, const I& i);

} // namespace

namespace Inst = x86::Inst;

constexpr int kFrame = 8,
              kFrameBack = 4; // an entry of the executor's stack: a spill area; where to go back to

bool control(Generator& g, const I& i) {
  switch (i.op) {
  case Op::go: g.a.jmp(g.to(i.x)); return true;
  case Op::take: take(g, i); return true;
  case Op::hop:
  case Op::hop_by: hop(g, i); return true;
  case Op::mark: mark(g, i); return true;
  case Op::undo: undo(g, i); return true;
  case Op::keep: return keep(g, i);
  case Op::restore:
    // Which spill area it is shows only then.
    g.a.mov(x86::rcx, g.field(g.around.at.stack + kEnd));
    g.a.mov(x86::ecx, x86::dword_ptr(x86::rcx, -kFrame));
    g.a.lea(x86::rax, x86::ptr(g.spill_areas));
    g.a.mov(x86::esi, static_cast<std::uint32_t>(g.index));
    g.a.call(x86::qword_ptr(x86::rax, x86::rcx, 3));
    g.forget_all();
    return true;
  case Op::call: call(g, i); return true;
  case Op::ret: ret(g); return true;
  case Op::jump_table: jump_table(g, i); return true;
  case Op::path_mark: {
    g.define(g.number(i.d), length_of(g, g.around.at.path));
    return true;
  }
  case Op::stack_mark: stack_mark(g, i); return true;
  case Op::cut: cut(g, i); return true;
  case Op::path_leave: {
    const Gp end = g.copy_of(g.number(i.a));
    g.a.shl(end, 3);
    g.a.add(end, g.field(g.around.at.path));
    g.a.mov(g.field(g.around.at.path + kEnd), end);
    return true;
  }
  case Op::recall: recall(g, i); return true;
  case Op::remember: remember(g, i); return true;
  case Op::key_text: key_text(g, i); return true;
  case Op::key_set: key_set(g, i); return true;
  case Op::moves_done: return true;
  case Op::halt: g.a.jmp(g.exit); return true;
  default: return false;
  }
}

// ---------------------------------------------------------------- helpers

// In: esi the instruction's index, rax what carries it out. Out: rax, and the zero flag says whether it is
// null.
void step_routine(Generator& g) {
  g.a.bind(g.step);
  g.a.mov(g.field(g.around.at.trail + kEnd), g.trail);
  g.a.mov(x86::rdi, g.executor);
  g.a.sub(x86::rsp, 8);
  g.a.call(x86::rax);
  g.a.add(x86::rsp, 8);
  g.a.mov(g.trail, g.field(g.around.at.trail + kEnd));
  g.a.test(x86::rax, x86::rax);
  g.a.ret();
  g.a.bind(g.jump);
  g.a.jmp(x86::rax);
}

void call_step(Generator& g, std::size_t index) {
  const Surroundings::Step alone = g.around.step_of(g.code.instructions[index].op);
  g.a.mov(x86::esi, static_cast<std::uint32_t>(index));
  g.a.mov(x86::rax, reinterpret_cast<std::uintptr_t>(alone != nullptr ? alone : g.around.step));
  g.a.call(g.step);
  g.a.jnz(g.jump);
}

void help(Generator& g) {
  g.forget_all();
  const I& i = g.code.instructions[g.index];
  if (ir::jumps(i.op)) g.arrive(g.targets[at(i.x)]);
  call_step(g, g.index);
}

Label slow(Generator& g) {
  const I& i = g.code.instructions[g.index];
  if (ir::jumps(i.op)) {
    const auto held = g.held;
    g.forget_all();
    g.arrive(g.targets[at(i.x)]);
    g.held = held;
  }
  g.slow_back = g.a.newLabel();
  return g.cold([&g, index = g.index, back = g.slow_back] {
    call_step(g, index);
    g.a.jmp(back);
  });
}

Label slow_found(Generator& g) {
  g.slow_back = g.a.newLabel();
  return g.cold([&g, index = g.index, back = g.slow_back] {
    g.a.mov(x86::esi, static_cast<std::uint32_t>(index));
    g.a.mov(x86::rax, reinterpret_cast<std::uintptr_t>(g.around.found));
    g.a.call(g.step);
    g.a.jnz(g.jump);
    g.a.jmp(back);
  });
}

void join_slow(Generator& g) {
  g.forget_all();
  g.a.bind(g.slow_back);
}

// ---------------------------------------------------------------- loops

// What a round of a loop takes, where it may lead back.
void count_work(Generator& g, const I& i) {
  if (i.cost != 0) count_steps(g, i.cost);
}

// All registers stay.
void count_steps(Generator& g, std::uint32_t steps) {
  const Label back = g.a.newLabel();
  const Label over = g.cold([&g, index = g.index, back] {
    g.a.mov(g.field32(g.around.at.stock_at), static_cast<std::uint32_t>(index));
    g.a.call(g.stock);
    g.a.jmp(back);
  });
  g.a.sub(g.field(g.around.at.left), steps);
  g.a.js(over);
  g.a.bind(back);
}

namespace {

void take(Generator& g, const I& i) {
  {
    const auto held = g.held;
    g.forget_all();
    g.arrive(g.targets[at(i.x)]);
    g.held = held;
  }
  const Gp set = g.words == 1 ? g.read(g.word(i.a, 0)) : g.fresh(), cell = g.fresh();
  if (g.words == 1) {
    const Gp rest = g.fresh();
    g.a.test(set, set);
    g.a.jz(g.to(i.x));
    g.a.tzcnt(cell, set);
    g.a.blsr(rest, set);
    g.define(g.word(i.a, 0), rest);
    g.define(g.number(i.d), cell);
    g.cells.push_back(i.d);
    return;
  }
  const Label done = g.a.newLabel();
  std::vector<Label> there;
  for (int w = 0; w < g.words; ++w) {
    there.push_back(g.a.newLabel());
    g.a.mov(set, g.memory(g.word(i.a, w)));
    g.a.test(set, set);
    if (w + 1 < g.words) g.a.jnz(there.back());
  }
  g.a.jz(g.to(i.x));
  g.forget_set(i.a);
  for (int w = g.words - 1; w >= 0; --w) {
    g.a.bind(there[at(w)]);
    g.a.tzcnt(cell, set);
    if (w > 0) g.a.add(cell.r32(), 64 * w);
    g.a.blsr(set, set);
    g.a.mov(g.memory(g.word(i.a, w)), set);
    if (w > 0) g.a.jmp(done);
  }
  g.a.bind(done);
  g.define(g.number(i.d), cell);
  g.cells.push_back(i.d);
}

void hop(Generator& g, const I& i) {
  const Gp cell = g.read(g.number(i.a));
  if (g.words == 1) g.read(g.word(i.b, 0));
  const Gp found = g.fresh();
  const Label nowhere = g.a.newLabel();
  if (i.op == Op::hop) {
    g.a.or_(found.r32(), -1);
    g.a.test(cell.r32(), cell.r32());
    g.a.js(nowhere);
    g.mov_address(found, g.around.to + at(i.c) * at(g.code.layout.cells));
    g.a.movsx(found.r32(), x86::word_ptr(found, cell, 1));
  } else {
    const Gp step = g.read(g.number(i.c)), table = g.fresh();
    g.mov_address(table, g.around.to);
    g.a.mov(found.r32(), cell.r32());
    g.a.or_(found.r32(), step.r32());
    g.a.js(nowhere);
    g.a.imul(found.r32(), step.r32(), g.code.layout.cells);
    g.a.add(found.r32(), cell.r32());
    g.a.movsx(found.r32(), x86::word_ptr(table, found, 1));
    g.unpin(step);
    g.unpin(table);
  }
  g.a.bind(nowhere);
  if (i.op == Op::hop_by) { // where either was none
    const Gp none = g.fresh();
    g.a.or_(none.r32(), -1);
    g.a.test(found.r32(), found.r32());
    g.a.cmovs(found.r32(), none.r32());
    g.unpin(none);
  }
  g.define(g.number(i.d), found);
  g.a.test(found.r32(), found.r32());
  g.a.js(g.to(i.x));
  test_bit(g, i.b, found);
  g.jump_if(x86::CondCode::kNC, i);
}

void jump_table(Generator& g, const I& i) {
  const Gp n = g.read(g.number(i.a)), table = g.fresh();
  g.jump_tables.push_back({g.a.newLabel(), &g.code.labels[at(i.x)]});
  g.a.lea(table, x86::ptr(g.jump_tables.back().label));
  g.a.jmp(x86::qword_ptr(table, n, 3));
}

} // namespace

// ---------------------------------------------------------------- marks

namespace {

void mark(Generator& g, const I& i) {
  const Gp length = g.fresh(), text = g.fresh();
  g.a.mov(length, g.trail);
  g.a.sub(length, g.field(g.around.at.trail));
  g.a.shr(length, 4);
  g.define(g.number(i.d), length);
  if (!g.uses.text) return;
  g.a.mov(text, g.field(g.around.at.text + kEnd));
  g.a.sub(text, g.field(g.around.at.text));
  g.define(g.number(i.d + 1), text);
}

// Mostly a few entries, or none.
void undo(Generator& g, const I& i) {
  if (g.uses.text) {
    const Gp text = g.copy_of(g.number(i.a + 1)), now = g.fresh();
    g.a.add(text, g.field(g.around.at.text));
    g.a.mov(now, g.field(g.around.at.text + kEnd));
    g.a.cmp(text, now);
    g.a.cmova(text, now);
    g.a.mov(g.field(g.around.at.text + kEnd), text);
    g.release();
  }
  const Gp mark = g.claim(x86::rax);
  g.load(mark, g.number(i.a));
  const Label done = g.a.newLabel();
  g.a.shl(mark, 4);
  g.a.add(mark, g.field(g.around.at.trail));
  g.a.cmp(g.trail, mark);
  g.a.jbe(done);
  g.a.call(g.undo);
  g.forget_all();
  g.a.bind(done);
}

} // namespace

namespace {

// The entry before, or back where that was the last one.
void next_entry(Generator& g, const Label& again) {
  g.a.sub(g.trail, 16);
  g.a.cmp(g.trail, x86::rax);
  g.a.ja(again);
  g.a.ret();
}

// Byte rcx is dl again. They are the codes, then the heights, then what is carried.
void undo_byte(Generator& g, const Label& again, const Label& next) {
  const Label height = g.a.newLabel(), carried = g.a.newLabel();
  if (g.code.layout.stacks) {
    g.a.cmp(x86::rcx, static_cast<std::uint32_t>(g.around.bytes_of_codes));
    g.a.jae(height);
  }
  g.a.mov(x86::byte_ptr(g.codes, x86::rcx), x86::dl);
  g.a.bind(next);
  next_entry(g, again);
  g.a.bind(height);
  g.a.sub(x86::rcx, static_cast<std::uint32_t>(g.around.bytes_of_codes));
  g.a.cmp(x86::rcx, static_cast<std::uint32_t>(g.around.bytes_of_heights));
  g.a.jae(carried);
  g.a.add(x86::rcx, g.field(g.around.at.heights));
  g.a.mov(x86::byte_ptr(x86::rcx), x86::dl);
  g.a.jmp(next);
  g.a.bind(carried);
  g.a.sub(x86::rcx, static_cast<std::uint32_t>(g.around.bytes_of_heights));
  g.a.add(x86::rcx, g.field(g.around.at.carried));
  g.a.mov(x86::byte_ptr(x86::rcx), x86::dl);
  g.a.jmp(next);
}

// The executor takes back this entry and all below it.
void undo_by_executor(Generator& g) {
  g.a.mov(g.field(g.around.at.trail + kEnd), g.trail);
  g.a.sub(x86::rax, g.field(g.around.at.trail));
  g.a.shr(x86::rax, 4);
  g.a.mov(x86::esi, x86::eax);
  g.a.mov(x86::rdi, g.executor);
  g.a.sub(x86::rsp, 8);
  g.a.mov(x86::rax, reinterpret_cast<std::uintptr_t>(g.around.undo));
  g.a.call(x86::rax);
  g.a.add(x86::rsp, 8);
  g.a.mov(g.trail, g.field(g.around.at.trail + kEnd));
  g.a.ret();
}

} // namespace

// In: rax, an address in the trail below its end. Changes rax, rcx, rdx, rsi and what helpers change.
void undo_routine(Generator& g) {
  const Label again = g.a.newLabel(), no_word = g.a.newLabel(), byte = g.a.newLabel(), box = g.a.newLabel(),
              next = g.a.newLabel();
  g.a.bind(g.undo);
  g.a.bind(again);
  g.a.mov(x86::ecx, x86::dword_ptr(g.trail, -16));
  g.a.mov(x86::rdx, x86::qword_ptr(g.trail, -8));
  g.a.mov(x86::esi, x86::ecx);
  g.a.shr(x86::esi, 30); // which part of the state it is
  g.a.jnz(no_word);
  g.a.mov(x86::qword_ptr(g.sets, x86::rcx, 3), x86::rdx);
  next_entry(g, again);
  g.a.bind(no_word);
  g.a.and_(x86::ecx, 0x3fffffff);
  g.a.cmp(x86::esi, 2);
  g.a.ja(box);
  g.a.je(byte);
  g.a.mov(x86::dword_ptr(g.numbers, x86::rcx, 2), x86::edx);
  g.a.jmp(next);
  g.a.bind(byte);
  undo_byte(g, again, next);
  g.a.bind(box);
  undo_by_executor(g);
}

// ---------------------------------------------------------------- calls

namespace {

// Of a Buffer of words: how many there are.
Gp length_of(Generator& g, std::int32_t buffer) {
  const Gp length = g.fresh();
  g.a.mov(length, g.field(buffer + kEnd));
  g.a.sub(length, g.field(buffer));
  g.a.shr(length, 3);
  return length;
}

// How much of each there is that `cut` ends: calls, places of a path, sets of places, outcomes.
void stack_mark(Generator& g, const I& i) {
  static_assert(kFrame == 8);
  int d = i.d;
  for (const std::int32_t buffer : {g.around.at.stack, g.around.at.path}) {
    g.define(g.number(d++), length_of(g, buffer));
    g.release();
  }
  for (const std::int32_t begun : {g.around.at.places_begun, g.around.at.outcomes_begun}) {
    const Gp many = g.fresh();
    g.a.mov(many, g.field(begun));
    g.define(g.number(d++), many);
    g.release();
  }
}

// Mostly nothing has been begun that must be ended.
void cut(Generator& g, const I& i) {
  const Label some = slow(g);
  int a = i.a;
  for (const std::int32_t buffer : {g.around.at.stack, g.around.at.path}) {
    const Gp length = length_of(g, buffer);
    g.a.cmp(length.r32(), g.memory(g.number(a++)));
    g.a.jne(some);
    g.release();
  }
  for (const std::int32_t begun : {g.around.at.places_begun, g.around.at.outcomes_begun}) {
    const Gp many = g.read(g.number(a++));
    g.a.cmp(many, g.field(begun));
    g.a.jne(some);
    g.release();
  }
  g.a.jmp(g.to(i.x));
  join_slow(g); // never: the helper goes elsewhere
}

void call(Generator& g, const I& i) {
  // The helper also finds that there are too many calls.
  const Label slowly = slow(g);
  const Gp end = g.fresh(), depth = g.fresh();
  g.a.mov(end, g.field(g.around.at.stack + kEnd));
  g.a.mov(depth, end);
  g.a.sub(depth, g.field(g.around.at.stack));
  g.a.cmp(depth, static_cast<std::uint32_t>(kMaxCalls * kFrame));
  g.a.ja(slowly);
  g.a.cmp(end, g.field(g.around.at.stack + kLimit));
  g.a.je(slowly);
  g.a.mov(x86::dword_ptr(end), -1);
  g.a.mov(x86::dword_ptr(end, kFrameBack), static_cast<std::uint32_t>(g.index + 1));
  g.a.add(end, kFrame);
  g.a.mov(g.field(g.around.at.stack + kEnd), end);
  g.a.jmp(g.to(i.x));
  join_slow(g); // never: the helper goes elsewhere
}

void ret(Generator& g) {
  const Gp end = g.fresh(), back = g.fresh();
  g.a.mov(end, g.field(g.around.at.stack + kEnd));
  g.a.mov(back.r32(), x86::dword_ptr(end, kFrameBack - kFrame));
  g.a.sub(end, kFrame);
  g.a.mov(g.field(g.around.at.stack + kEnd), end);
  g.a.jmp(x86::qword_ptr(g.table, back, 3));
}

} // namespace

// Takes back the registers of spill area k. In: esi the instruction's index, for the helper.
void restore_routine(Generator& g, std::size_t k) {
  const ir::SpillArea& spill_area = g.code.spill_areas[k];
  g.spill_area_labels.push_back(g.a.newLabel());
  g.a.bind(g.spill_area_labels.back());
  const int sets = static_cast<int>(spill_area.sets.size()) * g.words,
            numbers = static_cast<int>(spill_area.numbers.size());
  if (!is_small(g, spill_area)) {
    g.a.mov(x86::rax, reinterpret_cast<std::uintptr_t>(g.around.step));
    g.a.jmp(g.step);
    return;
  }
  g.a.sub(g.field(g.around.at.stack + kEnd), kFrame);
  if (sets > 0) {
    g.a.mov(x86::rcx, g.field(g.around.at.spilled_sets + kEnd));
    g.a.sub(x86::rcx, 8 * sets);
    g.a.mov(g.field(g.around.at.spilled_sets + kEnd), x86::rcx);
    for (int w = 0; w < sets; ++w) {
      g.a.mov(x86::rax, x86::qword_ptr(x86::rcx, 8 * w));
      g.a.mov(g.memory(g.word(spill_area.sets[at(w / g.words)], w % g.words)), x86::rax);
    }
  }
  if (numbers > 0) {
    g.a.mov(x86::rcx, g.field(g.around.at.spilled_numbers + kEnd));
    g.a.sub(x86::rcx, 4 * numbers);
    g.a.mov(g.field(g.around.at.spilled_numbers + kEnd), x86::rcx);
    for (int n = 0; n < numbers; ++n) {
      g.a.mov(x86::eax, x86::dword_ptr(x86::rcx, 4 * n));
      g.a.mov(g.memory(g.number(spill_area.numbers[at(n)])), x86::eax);
    }
  }
  g.a.ret();
}

namespace {

// Without boxes, and so small that every one can have its own code.
bool is_small(const Generator& g, const ir::SpillArea& spill_area) {
  constexpr int kMostKept = 40;
  const int sets = static_cast<int>(spill_area.sets.size()) * g.words,
            numbers = static_cast<int>(spill_area.numbers.size());
  return spill_area.box_end == spill_area.box_begin && sets + numbers <= kMostKept;
}

bool keep(Generator& g, const I& i) {
  const ir::SpillArea& spill_area = g.code.spill_areas[at(i.x)];
  const int sets = static_cast<int>(spill_area.sets.size()) * g.words,
            numbers = static_cast<int>(spill_area.numbers.size());
  if (!is_small(g, spill_area)) return false;
  const Label slowly = slow(g);
  const Gp end = g.fresh(), kept = g.fresh(), value = g.fresh();
  const auto has_room = [&](std::int32_t buffer, int bytes) {
    g.a.mov(end, g.field(buffer + kEnd));
    g.a.add(end, bytes);
    g.a.cmp(end, g.field(buffer + kLimit));
    g.a.ja(slowly);
  };
  has_room(g.around.at.stack, kFrame);
  if (sets > 0) has_room(g.around.at.spilled_sets, 8 * sets);
  if (numbers > 0) has_room(g.around.at.spilled_numbers, 4 * numbers);
  g.a.mov(end, g.field(g.around.at.stack + kEnd));
  g.a.mov(x86::dword_ptr(end), i.x);
  g.a.mov(x86::dword_ptr(end, kFrameBack), 0);
  g.a.add(g.field(g.around.at.stack + kEnd), kFrame);
  if (sets > 0) {
    g.a.mov(kept, g.field(g.around.at.spilled_sets + kEnd));
    for (int k = 0; k < sets; ++k) {
      g.a.mov(value, g.memory(g.word(spill_area.sets[at(k / g.words)], k % g.words)));
      g.a.mov(x86::qword_ptr(kept, 8 * k), value);
    }
    g.a.add(g.field(g.around.at.spilled_sets + kEnd), 8 * sets);
  }
  if (numbers > 0) {
    g.a.mov(kept, g.field(g.around.at.spilled_numbers + kEnd));
    for (int k = 0; k < numbers; ++k) {
      g.a.mov(value.r32(), g.memory(g.number(spill_area.numbers[at(k)])));
      g.a.mov(x86::dword_ptr(kept, 4 * k), value.r32());
    }
    g.a.add(g.field(g.around.at.spilled_numbers + kEnd), 4 * numbers);
  }
  join_slow(g);
  return true;
}

} // namespace

} // namespace boardwright::runtime::codegen

#endif
