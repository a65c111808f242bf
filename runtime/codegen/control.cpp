// Where to go on: loops, calls, the trail's marks, helpers.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

namespace Inst = x86::Inst;

constexpr int kFrame = 8, kFrameBack = 4; // an entry of the executor's stack: a window; where to go back to

bool Generator::control(const I& i) {
  switch (i.op) {
  case Op::go: a_.jmp(to(i.x)); return true;
  case Op::take: take(i); return true;
  case Op::hop:
  case Op::hop_by: hop(i); return true;
  case Op::mark: mark(i); return true;
  case Op::undo: undo(i); return true;
  case Op::keep: return keep(i);
  case Op::restore:
    // Which window it is shows only then.
    a_.mov(x86::rcx, field(around_.at.stack + kEnd));
    a_.mov(x86::ecx, x86::dword_ptr(x86::rcx, -kFrame));
    a_.lea(x86::rax, x86::ptr(windows_));
    a_.mov(x86::esi, static_cast<std::uint32_t>(index_));
    a_.call(x86::qword_ptr(x86::rax, x86::rcx, 3));
    forget_all();
    return true;
  case Op::call: call(i); return true;
  case Op::ret: ret(); return true;
  case Op::jump_table: jump_table(i); return true;
  case Op::path_mark: {
    const Gp length = fresh();
    a_.mov(length, field(around_.at.path + kEnd));
    a_.sub(length, field(around_.at.path));
    a_.shr(length, 3);
    define(number(i.d), length);
    return true;
  }
  case Op::path_leave: {
    const Gp end = copy_of(number(i.a));
    a_.shl(end, 3);
    a_.add(end, field(around_.at.path));
    a_.mov(field(around_.at.path + kEnd), end);
    return true;
  }
  case Op::recall: recall(i); return true;
  case Op::remember: remember(i); return true;
  case Op::key_text: key_text(i); return true;
  case Op::key_set: key_set(i); return true;
  case Op::moves_done: return true;
  case Op::halt: a_.jmp(exit_); return true;
  default: return false;
  }
}

// ---------------------------------------------------------------- helpers

// In: esi the instruction's index, rax what carries it out. Out: rax, and the zero flag says whether it is
// null.
void Generator::step_routine() {
  a_.bind(step_);
  a_.mov(field(around_.at.trail + kEnd), trail_);
  a_.mov(x86::rdi, executor_);
  a_.sub(x86::rsp, 8);
  a_.call(x86::rax);
  a_.add(x86::rsp, 8);
  a_.mov(trail_, field(around_.at.trail + kEnd));
  a_.test(x86::rax, x86::rax);
  a_.ret();
  a_.bind(jump_);
  a_.jmp(x86::rax);
}

void Generator::call_step(std::size_t index) {
  const Surroundings::Step alone = around_.step_of(code_.instructions[index].op);
  a_.mov(x86::esi, static_cast<std::uint32_t>(index));
  a_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(alone != nullptr ? alone : around_.step));
  a_.call(step_);
  a_.jnz(jump_);
}

void Generator::help() {
  forget_all();
  const I& i = code_.instructions[index_];
  if (ir::jumps(i.op)) arrive(targets_[at(i.x)]);
  call_step(index_);
}

Label Generator::slow() {
  const I& i = code_.instructions[index_];
  if (ir::jumps(i.op)) {
    const auto held = held_;
    forget_all();
    arrive(targets_[at(i.x)]);
    held_ = held;
  }
  slow_back_ = a_.newLabel();
  return cold([this, index = index_, back = slow_back_] {
    call_step(index);
    a_.jmp(back);
  });
}

void Generator::join_slow() {
  forget_all();
  a_.bind(slow_back_);
}

// ---------------------------------------------------------------- loops

// What a round of a loop takes, where it may lead back.
void Generator::count_work(const I& i) {
  if (i.cost != 0) count_steps(i.cost);
}

// All registers stay.
void Generator::count_steps(std::uint32_t steps) {
  const Label back = a_.newLabel();
  const Label over = cold([this, index = index_, back] {
    a_.mov(field32(around_.at.stock_at), static_cast<std::uint32_t>(index));
    a_.call(stock_);
    a_.jmp(back);
  });
  a_.sub(field(around_.at.left), steps);
  a_.js(over);
  a_.bind(back);
}

void Generator::take(const I& i) {
  {
    const auto held = held_;
    forget_all();
    arrive(targets_[at(i.x)]);
    held_ = held;
  }
  const Gp set = words_ == 1 ? read(word(i.a, 0)) : fresh(), cell = fresh();
  if (words_ == 1) {
    const Gp rest = fresh();
    a_.test(set, set);
    a_.jz(to(i.x));
    a_.tzcnt(cell, set);
    a_.blsr(rest, set);
    define(word(i.a, 0), rest);
    define(number(i.d), cell);
    cells_.push_back(i.d);
    return;
  }
  const Label done = a_.newLabel();
  std::vector<Label> there;
  for (int w = 0; w < words_; ++w) {
    there.push_back(a_.newLabel());
    a_.mov(set, memory(word(i.a, w)));
    a_.test(set, set);
    if (w + 1 < words_) a_.jnz(there.back());
  }
  a_.jz(to(i.x));
  forget_set(i.a);
  for (int w = words_ - 1; w >= 0; --w) {
    a_.bind(there[at(w)]);
    a_.tzcnt(cell, set);
    if (w > 0) a_.add(cell.r32(), 64 * w);
    a_.blsr(set, set);
    a_.mov(memory(word(i.a, w)), set);
    if (w > 0) a_.jmp(done);
  }
  a_.bind(done);
  define(number(i.d), cell);
  cells_.push_back(i.d);
}

void Generator::hop(const I& i) {
  const Gp cell = read(number(i.a));
  if (words_ == 1) read(word(i.b, 0));
  const Gp found = fresh();
  const Label nowhere = a_.newLabel();
  if (i.op == Op::hop) {
    a_.or_(found.r32(), -1);
    a_.test(cell.r32(), cell.r32());
    a_.js(nowhere);
    mov_address(found, around_.to + at(i.c) * at(code_.layout.cells));
    a_.movsx(found.r32(), x86::word_ptr(found, cell, 1));
  } else {
    const Gp step = read(number(i.c)), table = fresh();
    mov_address(table, around_.to);
    a_.mov(found.r32(), cell.r32());
    a_.or_(found.r32(), step.r32());
    a_.js(nowhere);
    a_.imul(found.r32(), step.r32(), code_.layout.cells);
    a_.add(found.r32(), cell.r32());
    a_.movsx(found.r32(), x86::word_ptr(table, found, 1));
    unpin(step);
    unpin(table);
  }
  a_.bind(nowhere);
  if (i.op == Op::hop_by) { // where either was none
    const Gp none = fresh();
    a_.or_(none.r32(), -1);
    a_.test(found.r32(), found.r32());
    a_.cmovs(found.r32(), none.r32());
    unpin(none);
  }
  define(number(i.d), found);
  a_.test(found.r32(), found.r32());
  a_.js(to(i.x));
  test_bit(i.b, found);
  jump_if(x86::CondCode::kNC, i);
}

void Generator::jump_table(const I& i) {
  const Gp n = read(number(i.a)), table = fresh();
  jump_tables_.push_back({a_.newLabel(), &code_.labels[at(i.x)]});
  a_.lea(table, x86::ptr(jump_tables_.back().label));
  a_.jmp(x86::qword_ptr(table, n, 3));
}

// ---------------------------------------------------------------- marks

void Generator::mark(const I& i) {
  const Gp length = fresh(), text = fresh();
  a_.mov(length, trail_);
  a_.sub(length, field(around_.at.trail));
  a_.shr(length, 4);
  define(number(i.d), length);
  if (!uses_.text) return;
  a_.mov(text, field(around_.at.text + kEnd));
  a_.sub(text, field(around_.at.text));
  define(number(i.d + 1), text);
}

// Mostly a few entries, or none.
void Generator::undo(const I& i) {
  if (uses_.text) {
    const Gp text = copy_of(number(i.a + 1)), now = fresh();
    a_.add(text, field(around_.at.text));
    a_.mov(now, field(around_.at.text + kEnd));
    a_.cmp(text, now);
    a_.cmova(text, now);
    a_.mov(field(around_.at.text + kEnd), text);
    release();
  }
  const Gp mark = claim(x86::rax);
  load(mark, number(i.a));
  const Label done = a_.newLabel();
  a_.shl(mark, 4);
  a_.add(mark, field(around_.at.trail));
  a_.cmp(trail_, mark);
  a_.jbe(done);
  a_.call(undo_);
  forget_all();
  a_.bind(done);
}

// In: rax, an address in the trail below its end. Changes rax, rcx, rdx, rsi and what helpers change.
void Generator::undo_routine() {
  const Label again = a_.newLabel(), number = a_.newLabel(), byte = a_.newLabel(), next = a_.newLabel(),
              other = a_.newLabel(), done = a_.newLabel();
  a_.bind(undo_);
  a_.bind(again);
  a_.mov(x86::ecx, x86::dword_ptr(trail_, -16));
  a_.mov(x86::rdx, x86::qword_ptr(trail_, -8));
  a_.mov(x86::esi, x86::ecx);
  a_.shr(x86::esi, 30);
  a_.jnz(number);
  a_.mov(x86::qword_ptr(sets_, x86::rcx, 3), x86::rdx);
  a_.sub(trail_, 16);
  a_.cmp(trail_, x86::rax);
  a_.ja(again);
  a_.ret();
  a_.bind(number);
  a_.and_(x86::ecx, 0x3fffffff);
  a_.cmp(x86::esi, 2);
  a_.ja(other);
  a_.je(byte);
  a_.mov(x86::dword_ptr(numbers_, x86::rcx, 2), x86::edx);
  a_.jmp(next);
  a_.bind(byte);
  const Label height = a_.newLabel(), carried = a_.newLabel();
  if (code_.layout.stacks) {
    a_.cmp(x86::rcx, static_cast<std::uint32_t>(around_.bytes_of_codes));
    a_.jae(height);
  }
  a_.mov(x86::byte_ptr(codes_, x86::rcx), x86::dl);
  a_.bind(next);
  a_.sub(trail_, 16);
  a_.cmp(trail_, x86::rax);
  a_.ja(again);
  a_.ret();
  a_.bind(height); // behind the codes come the heights, then what is carried
  a_.sub(x86::rcx, static_cast<std::uint32_t>(around_.bytes_of_codes));
  a_.cmp(x86::rcx, static_cast<std::uint32_t>(around_.bytes_of_heights));
  a_.jae(carried);
  a_.add(x86::rcx, field(around_.at.heights));
  a_.mov(x86::byte_ptr(x86::rcx), x86::dl);
  a_.jmp(next);
  a_.bind(carried);
  a_.sub(x86::rcx, static_cast<std::uint32_t>(around_.bytes_of_heights));
  a_.add(x86::rcx, field(around_.at.air));
  a_.mov(x86::byte_ptr(x86::rcx), x86::dl);
  a_.jmp(next);
  // Boxes: the executor does the rest.
  a_.bind(other);
  a_.mov(field(around_.at.trail + kEnd), trail_);
  a_.sub(x86::rax, field(around_.at.trail));
  a_.shr(x86::rax, 4);
  a_.mov(x86::esi, x86::eax);
  a_.mov(x86::rdi, executor_);
  a_.sub(x86::rsp, 8);
  a_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(around_.undo));
  a_.call(x86::rax);
  a_.add(x86::rsp, 8);
  a_.mov(trail_, field(around_.at.trail + kEnd));
  a_.bind(done);
  a_.ret();
}

// ---------------------------------------------------------------- calls

void Generator::call(const I& i) {
  // The helper also finds that there are too many calls.
  const Label slowly = slow();
  const Gp end = fresh(), depth = fresh();
  a_.mov(end, field(around_.at.stack + kEnd));
  a_.mov(depth, end);
  a_.sub(depth, field(around_.at.stack));
  a_.cmp(depth, static_cast<std::uint32_t>(kMaxCalls * kFrame));
  a_.ja(slowly);
  a_.cmp(end, field(around_.at.stack + kLimit));
  a_.je(slowly);
  a_.mov(x86::dword_ptr(end), -1);
  a_.mov(x86::dword_ptr(end, kFrameBack), static_cast<std::uint32_t>(index_ + 1));
  a_.add(end, kFrame);
  a_.mov(field(around_.at.stack + kEnd), end);
  a_.jmp(to(i.x));
  join_slow(); // never: the helper goes elsewhere
}

void Generator::ret() {
  const Gp end = fresh(), back = fresh();
  a_.mov(end, field(around_.at.stack + kEnd));
  a_.mov(back.r32(), x86::dword_ptr(end, kFrameBack - kFrame));
  a_.sub(end, kFrame);
  a_.mov(field(around_.at.stack + kEnd), end);
  a_.jmp(x86::qword_ptr(table_, back, 3));
}

// Takes back the registers of window k. In: esi the instruction's index, for the helper.
void Generator::restore_routine(std::size_t k) {
  const ir::Window& window = code_.windows[k];
  window_labels_.push_back(a_.newLabel());
  a_.bind(window_labels_.back());
  const int sets = static_cast<int>(window.sets.size()) * words_,
            numbers = static_cast<int>(window.numbers.size());
  if (!is_small(window)) {
    a_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(around_.step));
    a_.jmp(step_);
    return;
  }
  a_.sub(field(around_.at.stack + kEnd), kFrame);
  if (sets > 0) {
    a_.mov(x86::rcx, field(around_.at.kept_sets + kEnd));
    a_.sub(x86::rcx, 8 * sets);
    a_.mov(field(around_.at.kept_sets + kEnd), x86::rcx);
    for (int w = 0; w < sets; ++w) {
      a_.mov(x86::rax, x86::qword_ptr(x86::rcx, 8 * w));
      a_.mov(memory(word(window.sets[at(w / words_)], w % words_)), x86::rax);
    }
  }
  if (numbers > 0) {
    a_.mov(x86::rcx, field(around_.at.kept_numbers + kEnd));
    a_.sub(x86::rcx, 4 * numbers);
    a_.mov(field(around_.at.kept_numbers + kEnd), x86::rcx);
    for (int n = 0; n < numbers; ++n) {
      a_.mov(x86::eax, x86::dword_ptr(x86::rcx, 4 * n));
      a_.mov(memory(number(window.numbers[at(n)])), x86::eax);
    }
  }
  a_.ret();
}

// Without boxes, and so small that every one can have its own code.
bool Generator::is_small(const ir::Window& window) const {
  constexpr int kMostKept = 40;
  const int sets = static_cast<int>(window.sets.size()) * words_,
            numbers = static_cast<int>(window.numbers.size());
  return window.box_end == window.box_begin && sets + numbers <= kMostKept;
}

bool Generator::keep(const I& i) {
  const ir::Window& window = code_.windows[at(i.x)];
  const int sets = static_cast<int>(window.sets.size()) * words_,
            numbers = static_cast<int>(window.numbers.size());
  if (!is_small(window)) return false;
  const Label slowly = slow();
  const Gp end = fresh(), kept = fresh(), value = fresh();
  const auto has_room = [&](std::int32_t buffer, int bytes) {
    a_.mov(end, field(buffer + kEnd));
    a_.add(end, bytes);
    a_.cmp(end, field(buffer + kLimit));
    a_.ja(slowly);
  };
  has_room(around_.at.stack, kFrame);
  if (sets > 0) has_room(around_.at.kept_sets, 8 * sets);
  if (numbers > 0) has_room(around_.at.kept_numbers, 4 * numbers);
  a_.mov(end, field(around_.at.stack + kEnd));
  a_.mov(x86::dword_ptr(end), i.x);
  a_.mov(x86::dword_ptr(end, kFrameBack), 0);
  a_.add(field(around_.at.stack + kEnd), kFrame);
  if (sets > 0) {
    a_.mov(kept, field(around_.at.kept_sets + kEnd));
    for (int k = 0; k < sets; ++k) {
      a_.mov(value, memory(word(window.sets[at(k / words_)], k % words_)));
      a_.mov(x86::qword_ptr(kept, 8 * k), value);
    }
    a_.add(field(around_.at.kept_sets + kEnd), 8 * sets);
  }
  if (numbers > 0) {
    a_.mov(kept, field(around_.at.kept_numbers + kEnd));
    for (int k = 0; k < numbers; ++k) {
      a_.mov(value.r32(), memory(number(window.numbers[at(k)])));
      a_.mov(x86::dword_ptr(kept, 4 * k), value.r32());
    }
    a_.add(field(around_.at.kept_numbers + kEnd), 4 * numbers);
  }
  join_slow();
  return true;
}

} // namespace boardwright::runtime::codegen

#endif
