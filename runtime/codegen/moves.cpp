// Moves that are found, and the choices of the one that is played.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/moves.hpp"
#include "runtime/codegen/control.hpp"
#include "runtime/codegen/games.hpp"
#include "runtime/codegen/history.hpp"
#include "runtime/codegen/sets.hpp"

#include <limits>

namespace boardwright::runtime::codegen {

namespace {

std::size_t leaves_in_a_row(const Generator& g);
void found_several(Generator& g, std::size_t leaves);
void found(Generator& g, const I& i, bool one, bool compared = false);
void found_compared(Generator& g, const I& i);
void copy_choices(Generator& g, const ir::Leaf& leaf, const Gp& to, const Gp& written, const Gp& end,
                  const Gp& value);
void best_moves(Generator& g, const I& i);
void best_test(Generator& g, const I& i);
void write_choices(Generator& g, const I& i);

} // namespace

namespace Inst = x86::Inst;

bool move(Generator& g, const I& i) {
  switch (i.op) {
  case Op::leaf:
  case Op::leaf_one:
    if (!leaves_of_turn(g).empty())
      found_in_order(g, i, i.op == Op::leaf_one);
    else if (const std::size_t several = leaves_in_a_row(g); several > 1)
      found_several(g, several);
    else
      found(g, i, i.op == Op::leaf_one);
    return true;
  case Op::leaf_once:
  case Op::leaf_key:
  case Op::leaf_keys: found_compared(g, i); return true;
  case Op::choices: write_choices(g, i); return true;
  case Op::best_moves:
    if (!g.around.random_games || g.uses.once) return false;
    best_moves(g, i);
    return true;
  case Op::best_test: best_test(g, i); return true;
  case Op::best_end: return g.around.random_games; // there are no limits
  case Op::best_begin: {
    const Gp least = g.fresh();
    g.a.mov(least.r32(), std::numeric_limits<std::int32_t>::min());
    g.define(g.number(i.d), least);
    return true;
  }
  case Op::choice: {
    if (i.x < 0) {
      g.define(g.number(i.d), g.copy_of(kOpen));
      g.cells.push_back(i.d);
      g.opened = i.d;
      return true;
    }
    const Gp value = g.fresh();
    {
      g.a.mov(value, g.field(g.around.random_games ? g.around.at.given : g.around.at.played));
      g.a.mov(value.r32(), x86::dword_ptr(value, 4 * i.x));
    }
    g.define(g.number(i.d), value);
    return true;
  }
  case Op::next_choice: {
    const Gp value = g.fresh(), place = g.fresh();
    if (g.around.random_games) {
      g.a.mov(place, g.field(g.around.at.given));
      g.a.mov(value.r32(), x86::dword_ptr(place));
      g.a.add(g.field(g.around.at.given), 4);
      g.define(g.number(i.d), value);
      return true;
    }
    g.a.mov(place, g.field(g.around.at.script_next));
    g.a.mov(value, g.field(g.around.at.played));
    g.a.mov(value.r32(), x86::dword_ptr(value, place, 2));
    g.a.inc(place);
    g.a.mov(g.field(g.around.at.script_next), place);
    g.define(g.number(i.d), value);
    return true;
  }
  default: return false;
  }
}

namespace {

// In random games: how many instructions from this one on are leaves without values, one after the other?
std::size_t leaves_in_a_row(const Generator& g) {
  constexpr std::size_t kMost = 16;
  if (!g.around.random_games || g.uses.memo) return 1;
  std::size_t n = 0;
  for (; n < kMost && g.index + n < g.code.instructions.size(); ++n) {
    const I& i = g.code.instructions[g.index + n];
    if (i.op != Op::leaf || (n > 0 && g.targets[g.index + n].is_target)) break;
    const ir::Leaf& leaf = g.code.leaves[at(i.x)];
    if (leaf.dynamic || !leaf.values.empty()) break;
  }
  return n;
}

// All of them are noted, also those of no moves: none of these will be drawn.
void found_several(Generator& g, std::size_t leaves) {
  const int record_bytes = kRecordSet + 8 * g.words, many = static_cast<int>(leaves);
  const Label back = g.a.newLabel();
  const Label slowly = g.cold([&g, index = g.index, leaves, back] {
    for (std::size_t k = 0; k < leaves; ++k) call_step(g, index + k);
    g.a.jmp(back);
  });
  const Gp list = g.fresh(), record = g.fresh(), total = g.fresh(), value = g.fresh(), count = g.fresh();
  const std::int32_t records = g.around.list.records;
  g.a.mov(list, g.field(g.around.at.list));
  g.a.mov(record, x86::qword_ptr(list, records + kEnd));
  g.a.lea(value, x86::ptr(record, many * record_bytes));
  g.a.cmp(value, x86::qword_ptr(list, records + kLimit));
  g.a.ja(slowly);
  g.a.mov(total, g.memory(kTotal));
  g.a.lea(count, x86::ptr(total, many * 64 * g.words)); // there can't be more
  g.a.cmp(count, static_cast<std::uint32_t>(kMaxMoves));
  g.a.ja(slowly);
  g.a.mov(x86::qword_ptr(list, records + kEnd), value);
  for (int k = 0; k < many; ++k) {
    const I& i = g.code.instructions[g.index + at(k)];
    const int place = k * record_bytes;
    g.a.mov(x86::qword_ptr(record, place), i.x);
    g.a.mov(x86::qword_ptr(record, place + kRecordBefore), total);
    for (int w = 0; w < g.words; ++w) {
      g.a.mov(value, g.memory(g.word(i.a, w)));
      g.a.mov(x86::qword_ptr(record, place + kRecordSet + 8 * w), value);
      g.a.popcnt(count, value);
      g.a.add(total, count);
    }
  }
  g.a.mov(g.memory(kTotal), total);
  g.forget_all();
  g.a.bind(back);
  g.index += leaves - 1;
}

// A move, or several with the same leaf and values, as it is noted in the list. The registers are those of
// the processor.
struct Note {
  const ir::Leaf& leaf;
  bool only_picks = false; // random games need no move's number
  Gp before{}, after{};    // how many moves have been found without these, and with them
  Gp list{}, record{}, values{}, end{};
  Gp written{}, values_end{}; // of a dynamic leaf how many choices have been written; where the values end

  // What it keeps: registers; or, of a dynamic leaf, how many choices have been written before, these, and
  // its own.
  [[nodiscard]] int own() const {
    return static_cast<int>(leaf.dynamic ? leaf.choices.size() : leaf.values.size());
  }
  [[nodiscard]] int value_bytes() const { return 4 * (own() + (leaf.dynamic ? 1 : 0)); }
  // Does it matter where its values begin?
  [[nodiscard]] bool has_values(const Generator& g) const {
    return g.uses.values && (value_bytes() > 0 || !only_picks);
  }
  [[nodiscard]] Mem of_list(std::int32_t place) const { return x86::qword_ptr(list, place); }
};

// Where one move is enough, or one of several choices may be stopped in the middle, the helper finds it.
void leave_other_purposes(Generator& g, bool dynamic, const Label& slowly) {
  g.a.cmp(x86::byte_ptr(g.executor, g.around.at.purpose), kCount);
  g.a.jl(slowly); // also where one is searched for by its number, which is below all as a signed number
  if (!dynamic) return;
  const Label no_list = g.a.newLabel();
  g.a.je(no_list);
  g.a.cmp(g.field(g.around.at.limits), 0);
  g.a.jne(slowly);
  g.a.bind(no_list);
}

// How many there are with these; to `done` where these are none.
void count_found(Generator& g, const I& i, bool one, Note& note, const Label& slowly, const Label& done) {
  note.before = g.fresh();
  note.after = g.fresh();
  const Gp number_of = one ? note.before : count_of(g, i.a);
  g.a.mov(note.before, g.field(g.around.at.total));
  one ? g.a.lea(note.after, x86::ptr(note.before, 1)) : g.a.lea(note.after, x86::ptr(note.before, number_of));
  if (!one) {
    g.a.test(number_of.r32(), number_of.r32());
    g.a.jz(done);
    g.unpin(number_of);
  }
  g.a.cmp(note.after, static_cast<std::uint32_t>(kMaxMoves));
  g.a.ja(slowly);
}

// The list's records and values end behind this one.
void take_room(Generator& g, Note& note, const Label& slowly) {
  const std::int32_t records_at = g.around.list.records, values_at = g.around.list.values;
  const int record_bytes = kRecordSet + 8 * g.words, value_bytes = note.value_bytes();
  g.a.mov(note.list, g.field(g.around.at.list));
  g.a.mov(note.record, note.of_list(records_at + kEnd));
  g.a.lea(note.end, x86::ptr(note.record, record_bytes));
  g.a.cmp(note.end, note.of_list(records_at + kLimit));
  g.a.ja(slowly);
  if (note.has_values(g)) g.a.mov(note.values, note.of_list(values_at + kEnd));
  if (value_bytes > 0) {
    note.values_end = g.fresh();
    if (note.leaf.dynamic) {
      note.written = g.fresh();
      g.load(note.written, g.number(note.leaf.base));
      g.a.lea(note.values_end, x86::ptr(note.values, note.written, 2, value_bytes));
    } else {
      g.a.lea(note.values_end, x86::ptr(note.values, value_bytes));
    }
    g.a.cmp(note.values_end, note.of_list(values_at + kLimit));
    g.a.ja(slowly);
    g.a.mov(note.of_list(values_at + kEnd), note.values_end);
    if (!note.leaf.dynamic) g.unpin(note.values_end);
  }
  g.a.mov(note.of_list(records_at + kEnd), note.end);
}

// The values, and where they begin.
void write_values(Generator& g, const Note& note, const Gp& value) {
  if (note.leaf.dynamic) {
    copy_choices(g, note.leaf, note.values, note.written, note.values_end, value);
  } else {
    for (std::size_t k = 0; k < note.leaf.values.size(); ++k) {
      g.load(value, g.number(note.leaf.values[k]));
      g.a.mov(x86::dword_ptr(note.values, 4 * static_cast<int>(k)), value.r32());
    }
  }
  const Mem begin = x86::dword_ptr(note.record, kRecordValues);
  if (!note.has_values(g)) {
    g.a.mov(begin, 0);
    return;
  }
  g.a.sub(note.values, note.of_list(g.around.list.values));
  g.a.shr(note.values, 2);
  g.a.mov(begin, note.values.r32());
}

// The cells that the open choice may be; none where there is but one move.
void write_set(Generator& g, const I& i, bool one, const Note& note, const Gp& value) {
  for (int w = 0; w < g.words; ++w) {
    if (one)
      g.a.xor_(value.r32(), value.r32());
    else
      g.load(value, g.word(i.a, w));
    g.a.mov(x86::qword_ptr(note.record, kRecordSet + 8 * w), value);
  }
}

// Counted, and noted in the list if the purpose asks for that. Where one move is enough, where there are too
// many or there is no room the helper does it.
void found(Generator& g, const I& i, bool one, bool compared) {
  Note note{.leaf = g.code.leaves[at(i.x)]};
  note.only_picks = g.around.random_games && !g.uses.memo;
  const Label slowly = compared ? slow_found(g) : slow(g), done = g.a.newLabel(),
              only_counted = g.a.newLabel();
  if (!note.only_picks) leave_other_purposes(g, note.leaf.dynamic, slowly);
  count_found(g, i, one, note, slowly, done);
  for (Gp* const reg : {&note.list, &note.record, &note.values, &note.end}) *reg = g.fresh();
  if (!note.only_picks) {
    g.a.cmp(x86::byte_ptr(g.executor, g.around.at.purpose), kCount);
    g.a.je(only_counted);
  }
  take_room(g, note, slowly);
  g.a.mov(x86::dword_ptr(note.record), i.x);
  g.a.mov(x86::qword_ptr(note.record, kRecordBefore), note.before);
  g.unpin(note.before);
  // Whatever is read from here on is read on one way only: nothing is remembered of it.
  const auto held = g.held;
  const Gp value = note.end;
  write_values(g, note, value);
  write_set(g, i, one, note, value);
  if (g.held != held) g.failed = true;
  g.a.bind(only_counted);
  g.a.mov(g.field(g.around.at.total), note.after);
  g.forget(kTotal);
  join_slow(g);
  g.a.bind(done);
}

// One whose moves are compared with those before.
void found_compared(Generator& g, const I& i) {
  const Label slowly = slow(g), back = g.slow_back, known = g.a.newLabel();
  I leaf = i;
  const bool one = i.op != Op::leaf_keys;
  leaf.op = one ? Op::leaf_one : Op::leaf;
  if (!one) {
    leaf.a = i.b;
    test_none(g, leaf.a);
    g.a.jz(known);
    g.release();
  }
  compare_move(g, i, slowly, known);
  found(g, leaf, one, true);
  g.forget_all();
  g.a.bind(back);
  g.a.bind(known);
}

// How many have been written before, these, and those of the leaf, which end at `end`. An open one is 0: it
// isn't known yet.
void copy_choices(Generator& g, const ir::Leaf& leaf, const Gp& to, const Gp& written, const Gp& end,
                  const Gp& value) {
  const Label next = g.a.newLabel(), done = g.a.newLabel();
  g.a.mov(x86::dword_ptr(to), written.r32());
  const auto own = static_cast<int>(leaf.choices.size());
  for (int k = 0; k < own; ++k) {
    const ir::Choice& c = leaf.choices[at(k)];
    const Mem there = x86::dword_ptr(end, 4 * (k - own));
    if (c.from == ir::Choice::From::number) {
      g.load(value, g.number(c.value));
      g.a.mov(there, value.r32());
    } else {
      g.a.mov(there, c.from == ir::Choice::From::constant ? c.value : 0);
    }
  }
  const Gp from = end; // it isn't needed any more
  g.a.mov(from, g.field(g.around.at.choices));
  g.a.test(written.r32(), written.r32());
  g.a.jz(done);
  g.a.bind(next);
  g.a.mov(value.r32(), x86::dword_ptr(from, written, 2, -4));
  g.a.mov(x86::dword_ptr(to, written, 2), value.r32());
  g.a.dec(written.r32());
  g.a.jnz(next);
  g.a.bind(done);
}

void best_moves(Generator& g, const I& i) {
  const Gp list = g.fresh(), end = g.fresh();
  g.define(g.number(i.d), g.copy_of(kTotal));
  g.a.mov(list, g.field(g.around.at.list));
  g.a.mov(end, x86::qword_ptr(list, g.around.list.records + kEnd));
  g.a.sub(end, x86::qword_ptr(list, g.around.list.records));
  divide_exactly(g, end, kRecordSet + 8 * g.words, list);
  g.define(g.number(i.d + 1), end);
  g.release();
  const Gp values = g.fresh(), begin = g.fresh();
  g.a.mov(begin, g.field(g.around.at.list));
  g.a.mov(values, x86::qword_ptr(begin, g.around.list.values + kEnd));
  g.a.sub(values, x86::qword_ptr(begin, g.around.list.values));
  g.a.shr(values, 2);
  g.define(g.number(i.d + 2), values);
}

// Where moves don't count any more the helper forgets them.
void best_test(Generator& g, const I& i) {
  const Label slowly = slow(g), keep = g.a.newLabel();
  const Gp score = g.read(g.number(i.a)), best = g.read(g.number(i.d)), found = g.fresh(), total = g.fresh();
  g.a.cmp(score.r32(), best.r32());
  g.a.jl(g.to(i.x));
  g.a.je(keep);
  g.a.mov(found.r32(), g.memory(g.number(i.b)));
  g.a.mov(total, g.memory(kTotal));
  g.a.cmp(found, total);
  g.a.jne(slowly);
  g.a.mov(g.memory(g.number(i.d)), score.r32());
  g.a.bind(keep);
  join_slow(g);
}

void write_choices(Generator& g, const I& i) {
  const auto& list = g.code.choice_lists[at(i.x)];
  const auto size = static_cast<int>(list.size());
  const Label slowly = slow(g); // there isn't room
  const Gp place = g.copy_of(g.number(i.a)), behind = g.fresh(), to = g.fresh(), value = g.fresh();
  g.a.mov(to, g.field(g.around.at.choices));
  g.a.lea(to, x86::ptr(to, place, 2));
  g.a.lea(behind, x86::ptr(to, 4 * size));
  g.a.cmp(behind, g.field(g.around.at.choices + kEnd));
  g.a.ja(slowly);
  for (int k = 0; k < size; ++k) {
    const ir::Choice& c = list[at(k)];
    const Mem there = x86::dword_ptr(to, 4 * k);
    if (c.from == ir::Choice::From::number) {
      g.load(value, g.number(c.value));
      g.a.mov(there, value.r32());
    } else {
      g.a.mov(there, c.from == ir::Choice::From::constant ? c.value : 0);
    }
  }
  g.a.add(place.r32(), size);
  g.a.mov(g.memory(g.number(i.d)), place.r32());
  join_slow(g);
}

} // namespace

} // namespace boardwright::runtime::codegen

#endif
