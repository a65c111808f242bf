// Moves that are found, and the choices of the one that is played.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"

#include <limits>

namespace boardwright::runtime::codegen {

namespace Inst = x86::Inst;

bool Generator::move(const I& i) {
  switch (i.op) {
  case Op::leaf:
  case Op::leaf_one:
    if (!leaves_of_turn().empty())
      found_in_order(i, i.op == Op::leaf_one);
    else if (const std::size_t several = leaves_in_a_row(); several > 1)
      found_several(several);
    else
      found(i, i.op == Op::leaf_one);
    return true;
  case Op::choices: write_choices(i); return true;
  case Op::best_moves:
    if (!around_.random_games || uses_.once) return false;
    best_moves(i);
    return true;
  case Op::best_test: best_test(i); return true;
  case Op::best_end: return around_.random_games; // there are no limits
  case Op::best_begin: {
    const Gp least = fresh();
    a_.mov(least.r32(), std::numeric_limits<std::int32_t>::min());
    define(number(i.d), least);
    return true;
  }
  case Op::choice: {
    if (i.x < 0) {
      define(number(i.d), copy_of(kOpen));
      cells_.push_back(i.d);
      opened_ = i.d;
      return true;
    }
    const Gp value = fresh();
    {
      a_.mov(value, field(around_.random_games ? around_.at.given : around_.at.played));
      a_.mov(value.r32(), x86::dword_ptr(value, 4 * i.x));
    }
    define(number(i.d), value);
    return true;
  }
  case Op::next_choice: {
    const Gp value = fresh(), place = fresh();
    if (around_.random_games) {
      a_.mov(place, field(around_.at.given));
      a_.mov(value.r32(), x86::dword_ptr(place));
      a_.add(field(around_.at.given), 4);
      define(number(i.d), value);
      return true;
    }
    a_.mov(place, field(around_.at.script_next));
    a_.mov(value, field(around_.at.played));
    a_.mov(value.r32(), x86::dword_ptr(value, place, 2));
    a_.inc(place);
    a_.mov(field(around_.at.script_next), place);
    define(number(i.d), value);
    return true;
  }
  default: return false;
  }
}

// In random games: how many instructions from this one on are leaves without values, one after the other?
std::size_t Generator::leaves_in_a_row() const {
  constexpr std::size_t kMost = 16;
  if (!around_.random_games || uses_.memo) return 1;
  std::size_t n = 0;
  for (; n < kMost && index_ + n < code_.instructions.size(); ++n) {
    const I& i = code_.instructions[index_ + n];
    if (i.op != Op::leaf || (n > 0 && targets_[index_ + n].is_target)) break;
    const ir::Leaf& leaf = code_.leaves[at(i.x)];
    if (leaf.dynamic || !leaf.values.empty()) break;
  }
  return n;
}

// All of them are noted, also those of no moves: none of these will be drawn.
void Generator::found_several(std::size_t leaves) {
  const int record_bytes = kRecordSet + 8 * words_, many = static_cast<int>(leaves);
  const Label back = a_.newLabel();
  const Label slowly = cold([this, index = index_, leaves, back] {
    for (std::size_t k = 0; k < leaves; ++k) call_step(index + k);
    a_.jmp(back);
  });
  const Gp list = fresh(), record = fresh(), total = fresh(), value = fresh(), count = fresh();
  const std::int32_t records = around_.list.records;
  a_.mov(list, field(around_.at.list));
  a_.mov(record, x86::qword_ptr(list, records + kEnd));
  a_.lea(value, x86::ptr(record, many * record_bytes));
  a_.cmp(value, x86::qword_ptr(list, records + kLimit));
  a_.ja(slowly);
  a_.mov(total, memory(kTotal));
  a_.lea(count, x86::ptr(total, many * 64 * words_)); // there can't be more
  a_.cmp(count, static_cast<std::uint32_t>(kMaxMoves));
  a_.ja(slowly);
  a_.mov(x86::qword_ptr(list, records + kEnd), value);
  for (int k = 0; k < many; ++k) {
    const I& i = code_.instructions[index_ + at(k)];
    const int place = k * record_bytes;
    a_.mov(x86::qword_ptr(record, place), i.x);
    a_.mov(x86::qword_ptr(record, place + kRecordBefore), total);
    for (int w = 0; w < words_; ++w) {
      a_.mov(value, memory(word(i.a, w)));
      a_.mov(x86::qword_ptr(record, place + kRecordSet + 8 * w), value);
      a_.popcnt(count, value);
      a_.add(total, count);
    }
  }
  a_.mov(memory(kTotal), total);
  forget_all();
  a_.bind(back);
  index_ += leaves - 1;
}

// Counted, and noted in the list if the purpose asks for that. Where one move is enough, where there are too
// many or there is no room the helper does it.
void Generator::found(const I& i, bool one) {
  const ir::Leaf& leaf = code_.leaves[at(i.x)];
  const Label slowly = slow(), done = a_.newLabel();
  const bool only_picks = around_.random_games && !uses_.memo;
  if (!only_picks) {
    a_.cmp(x86::byte_ptr(executor_, around_.at.purpose), kCount);
    a_.jl(slowly);      // also where one is searched for by its number, which is below all as a signed number
    if (leaf.dynamic) { // turns of several choices may have so many moves that they are stopped in the middle
      const Label no_list = a_.newLabel();
      a_.je(no_list);
      a_.cmp(field(around_.at.limits), 0);
      a_.jne(slowly);
      a_.bind(no_list);
    }
  }
  const Gp before = fresh(), after = fresh();
  const Gp number_of = one ? before : count_of(i.a);
  a_.mov(before, field(around_.at.total));
  one ? a_.lea(after, x86::ptr(before, 1)) : a_.lea(after, x86::ptr(before, number_of));
  if (!one) {
    a_.test(number_of.r32(), number_of.r32());
    a_.jz(done);
    unpin(number_of);
  }
  a_.cmp(after, static_cast<std::uint32_t>(kMaxMoves));
  a_.ja(slowly);
  const Gp list = fresh(), record = fresh(), values = fresh(), end = fresh();
  const Label only_counted = a_.newLabel();
  if (!only_picks) {
    a_.cmp(x86::byte_ptr(executor_, around_.at.purpose), kCount);
    a_.je(only_counted);
  }
  const std::int32_t records_at = around_.list.records, values_at = around_.list.values;
  const auto of_list = [&](std::int32_t place) { return x86::qword_ptr(list, place); };
  // What it keeps: registers; or, of a dynamic leaf, how many choices have been written before, these, and
  // its own.
  const auto own = static_cast<int>(leaf.dynamic ? leaf.choices.size() : leaf.values.size());
  const int record_bytes = kRecordSet + 8 * words_, value_bytes = 4 * (own + (leaf.dynamic ? 1 : 0));
  a_.mov(list, field(around_.at.list));
  a_.mov(record, of_list(records_at + kEnd));
  a_.lea(end, x86::ptr(record, record_bytes));
  a_.cmp(end, of_list(records_at + kLimit));
  a_.ja(slowly);
  const bool has_values = uses_.values && (value_bytes > 0 || !only_picks); // else it doesn't matter which
  if (has_values) a_.mov(values, of_list(values_at + kEnd));
  Gp written, values_end;
  if (value_bytes > 0) {
    values_end = fresh();
    if (leaf.dynamic) {
      written = fresh();
      load(written, number(leaf.base));
      a_.lea(values_end, x86::ptr(values, written, 2, value_bytes));
    } else {
      a_.lea(values_end, x86::ptr(values, value_bytes));
    }
    a_.cmp(values_end, of_list(values_at + kLimit));
    a_.ja(slowly);
    a_.mov(of_list(values_at + kEnd), values_end);
    if (!leaf.dynamic) unpin(values_end);
  }
  a_.mov(of_list(records_at + kEnd), end);
  a_.mov(x86::dword_ptr(record), i.x);
  a_.mov(x86::qword_ptr(record, kRecordBefore), before);
  unpin(before);
  // Whatever is read from here on is read on one way only: nothing is remembered of it.
  const auto held = held_;
  const Gp value = end;
  if (leaf.dynamic) {
    copy_choices(leaf, values, written, values_end, value);
  } else {
    for (std::size_t k = 0; k < leaf.values.size(); ++k) {
      load(value, number(leaf.values[k]));
      a_.mov(x86::dword_ptr(values, 4 * static_cast<int>(k)), value.r32());
    }
  }
  if (has_values) {
    a_.sub(values, of_list(values_at));
    a_.shr(values, 2);
    a_.mov(x86::dword_ptr(record, kRecordValues), values.r32());
  } else {
    a_.mov(x86::dword_ptr(record, kRecordValues), 0);
  }
  for (int w = 0; w < words_; ++w) {
    if (one)
      a_.xor_(value.r32(), value.r32());
    else
      load(value, word(i.a, w));
    a_.mov(x86::qword_ptr(record, kRecordSet + 8 * w), value);
  }
  if (held_ != held) failed_ = true;
  a_.bind(only_counted);
  a_.mov(field(around_.at.total), after);
  forget(kTotal);
  join_slow();
  a_.bind(done);
}

// How many have been written before, these, and those of the leaf, which end at `end`. An open one is 0: it
// isn't known yet.
void Generator::copy_choices(const ir::Leaf& leaf, const Gp& to, const Gp& written, const Gp& end,
                             const Gp& value) {
  const Label next = a_.newLabel(), done = a_.newLabel();
  a_.mov(x86::dword_ptr(to), written.r32());
  const auto own = static_cast<int>(leaf.choices.size());
  for (int k = 0; k < own; ++k) {
    const ir::Choice& c = leaf.choices[at(k)];
    const Mem there = x86::dword_ptr(end, 4 * (k - own));
    if (c.from == ir::Choice::From::number) {
      load(value, number(c.value));
      a_.mov(there, value.r32());
    } else {
      a_.mov(there, c.from == ir::Choice::From::constant ? c.value : 0);
    }
  }
  const Gp from = end; // it isn't needed any more
  a_.mov(from, field(around_.at.choices));
  a_.test(written.r32(), written.r32());
  a_.jz(done);
  a_.bind(next);
  a_.mov(value.r32(), x86::dword_ptr(from, written, 2, -4));
  a_.mov(x86::dword_ptr(to, written, 2), value.r32());
  a_.dec(written.r32());
  a_.jnz(next);
  a_.bind(done);
}

void Generator::best_moves(const I& i) {
  const Gp list = fresh(), end = fresh();
  define(number(i.d), copy_of(kTotal));
  a_.mov(list, field(around_.at.list));
  a_.mov(end, x86::qword_ptr(list, around_.list.records + kEnd));
  a_.sub(end, x86::qword_ptr(list, around_.list.records));
  divide_exactly(end, kRecordSet + 8 * words_, list);
  define(number(i.d + 1), end);
  release();
  const Gp values = fresh(), begin = fresh();
  a_.mov(begin, field(around_.at.list));
  a_.mov(values, x86::qword_ptr(begin, around_.list.values + kEnd));
  a_.sub(values, x86::qword_ptr(begin, around_.list.values));
  a_.shr(values, 2);
  define(number(i.d + 2), values);
}

// Where moves don't count any more the helper forgets them.
void Generator::best_test(const I& i) {
  const Label slowly = slow(), keep = a_.newLabel();
  const Gp score = read(number(i.a)), best = read(number(i.d)), found = fresh(), total = fresh();
  a_.cmp(score.r32(), best.r32());
  a_.jl(to(i.x));
  a_.je(keep);
  a_.mov(found.r32(), memory(number(i.b)));
  a_.mov(total, memory(kTotal));
  a_.cmp(found, total);
  a_.jne(slowly);
  a_.mov(memory(number(i.d)), score.r32());
  a_.bind(keep);
  join_slow();
}

void Generator::write_choices(const I& i) {
  const auto& list = code_.choice_lists[at(i.x)];
  const auto size = static_cast<int>(list.size());
  const Label slowly = slow(); // there isn't room
  const Gp place = copy_of(number(i.a)), behind = fresh(), to = fresh(), value = fresh();
  a_.mov(to, field(around_.at.choices));
  a_.lea(to, x86::ptr(to, place, 2));
  a_.lea(behind, x86::ptr(to, 4 * size));
  a_.cmp(behind, field(around_.at.choices + kEnd));
  a_.ja(slowly);
  for (int k = 0; k < size; ++k) {
    const ir::Choice& c = list[at(k)];
    const Mem there = x86::dword_ptr(to, 4 * k);
    if (c.from == ir::Choice::From::number) {
      load(value, number(c.value));
      a_.mov(there, value.r32());
    } else {
      a_.mov(there, c.from == ir::Choice::From::constant ? c.value : 0);
    }
  }
  a_.add(place.r32(), size);
  a_.mov(memory(number(i.d)), place.r32());
  join_slow();
}

} // namespace boardwright::runtime::codegen

#endif
