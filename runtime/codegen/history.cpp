// Positions that come again: the key of one, and how often it has come. It is what executor/drafts.hpp and
// executor/key_set.hpp do for the interpreter.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/history.hpp"

namespace boardwright::runtime::codegen {

namespace {

void room_for_keys(Generator& g, std::int32_t table, std::size_t keys, const Label& slowly);
void count_key(Generator& g, std::int32_t table, std::int32_t key);
void add_to_line(Generator& g, const Label& slowly);

} // namespace

// Positions have keys here.
bool keeps_positions(const Generator& g) { return g.code.uses_history && !g.around.key.parts.empty(); }

// At the beginning of the turn of a player.
void write_key(Generator& g, int mover) {
  const Gp word = g.claim(x86::rdx), sum = g.fresh(), high = g.fresh(), low = g.fresh(), factor = g.fresh();
  g.a.mov(factor, g.around.key.factor);
  g.a.xor_(sum.r32(), sum.r32());
  for (std::size_t k = 0; k < g.around.key.parts.size(); ++k) {
    const KeyParts::Part& part = g.around.key.parts[k];
    if (part.is_number) {
      g.a.mov(low, part.disturbed_by);
      g.a.mov(word.r32(), g.memory(g.number(static_cast<int>(part.index))));
      g.a.xor_(word, low);
    } else {
      g.a.mov(word, part.disturbed_by);
      g.a.xor_(word, x86::qword_ptr(g.sets, 8 * static_cast<std::int32_t>(part.index)));
    }
    g.a.mulx(high, low, factor);
    g.a.xor_(high, low);
    g.a.add(sum, high);
    if (g.uses.boards && k + 1 == g.around.key.board_parts) g.a.mov(g.field(g.around.at.board), sum);
  }
  g.a.mov(low, g.around.key.of_mover[at(mover)]);
  g.a.add(sum, low);
  g.a.mov(g.field(g.around.at.key), sum);
  g.release();
}

namespace {

// Out: the address of the slot of this key, or of the one where it would be, to which `absent` leads.
Gp slot_of_key(Generator& g, std::int32_t table, const Gp& key, const Label& absent) {
  const Gp place = g.fresh(), address = g.fresh(), mark = g.fresh();
  const Label next = g.a.newLabel(), found = g.a.newLabel();
  g.a.mov(place, key);
  g.a.bind(next);
  g.a.and_(place, g.field(table + KeyTable::kMask));
  static_assert(KeyTable::kSlotBytes == 16);
  g.a.mov(address, place);
  g.a.shl(address, 4);
  g.a.add(address, g.field(table + KeyTable::kSlots));
  g.a.mov(mark.r32(), x86::dword_ptr(address, KeyTable::kEraOfSlot));
  g.a.cmp(mark.r32(), g.field32(table + KeyTable::kEra));
  g.a.jne(absent);
  g.a.cmp(x86::qword_ptr(address), key);
  g.a.je(found);
  g.a.inc(place);
  g.a.jmp(next);
  g.a.bind(found);
  return address;
}

} // namespace

// How often the position at the turn's beginning has come before.
void repeats(Generator& g, const I& i) {
  const Gp key = g.fresh(), count = g.fresh();
  const Label absent = g.a.newLabel();
  g.a.mov(key, g.field(g.around.at.key));
  g.a.xor_(count.r32(), count.r32());
  const Gp slot = slot_of_key(g, g.around.at.positions, key, absent);
  g.a.mov(count.r32(), x86::dword_ptr(slot, KeyTable::kCount));
  g.a.bind(absent);
  g.define(g.number(i.d), count);
}

// It has come once more, and what is asked for with it. Where a table must grow `slowly` is gone to; nothing
// has been changed then.
void count_position(Generator& g, const Label& slowly) {
  if (g.uses.repeats) room_for_keys(g, g.around.at.positions, 1, slowly);
  if (g.uses.boards) room_for_keys(g, g.around.at.boards, 1, slowly);
  if (g.uses.line) add_to_line(g, slowly);
  if (g.uses.repeats) count_key(g, g.around.at.positions, g.around.at.key);
  if (g.uses.boards) count_key(g, g.around.at.boards, g.around.at.board);
}

namespace {

// The table takes so many keys more without growing.
void room_for_keys(Generator& g, std::int32_t table, std::size_t keys, const Label& slowly) {
  const Gp used = g.fresh();
  g.a.mov(used, g.field(table + KeyTable::kUsed));
  g.a.lea(used, x86::ptr(used, used, 0, static_cast<std::int32_t>(2 * (keys - 1))));
  g.a.cmp(used, g.field(table + KeyTable::kMask));
  g.a.ja(slowly);
  g.release();
}

void count_key(Generator& g, std::int32_t table, std::int32_t key_at) {
  const Gp key = g.fresh(), mark = g.fresh();
  const Label absent = g.a.newLabel(), done = g.a.newLabel();
  g.a.mov(key, g.field(key_at));
  const Gp slot = slot_of_key(g, table, key, absent);
  g.a.inc(x86::dword_ptr(slot, KeyTable::kCount));
  g.a.jmp(done);
  g.a.bind(absent);
  g.a.mov(x86::qword_ptr(slot), key);
  g.a.mov(x86::dword_ptr(slot, KeyTable::kCount), 1);
  g.a.mov(mark.r32(), g.field32(table + KeyTable::kEra));
  g.a.mov(x86::dword_ptr(slot, KeyTable::kEraOfSlot), mark.r32());
  g.a.inc(g.field(table + KeyTable::kUsed));
  g.a.bind(done);
  g.release();
}

// Behind the others of the past. Whoever comes here has changed nothing yet.
void add_to_line(Generator& g, const Label& slowly) {
  const std::int32_t line = g.around.at.line;
  const Gp end = g.fresh(), key = g.fresh();
  g.a.mov(end, g.field(line + kEnd));
  g.a.cmp(end, g.field(line + kLimit));
  g.a.je(slowly);
  g.a.mov(key, g.field(g.around.at.key));
  g.a.mov(x86::qword_ptr(end), key);
  g.a.add(end, 8);
  g.a.mov(g.field(line + kEnd), end);
  g.release();
}

} // namespace

// No move has been found yet with which others are compared. Where results are compared too it is left to the
// helper.
void begin_comparing(Generator& g, const Label& slowly) {
  const std::int32_t table = g.around.at.once;
  g.a.cmp(g.field32(g.around.at.full_turns), 0);
  g.a.jne(slowly);
  g.a.cmp(g.field32(table + KeyTable::kEra), -1);
  g.a.je(slowly);
  g.a.inc(g.field32(table + KeyTable::kEra));
  g.a.mov(g.field(table + KeyTable::kUsed), 0);
  g.forget(g.number(g.code.layout.full));
  g.a.mov(g.memory(g.number(g.code.layout.full)), 0);
}

} // namespace boardwright::runtime::codegen

#endif
