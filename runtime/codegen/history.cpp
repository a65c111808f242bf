// Positions that come again: the key of one, and how often it has come. It is what executor/drafts.hpp and
// executor/key_set.hpp do for the interpreter.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

// Positions have keys here.
bool Generator::keeps_positions() const { return code_.uses_history && !around_.key.parts.empty(); }

// rdx: the value of which a part is added. Changes it.
void Generator::add_part(const Gp& sum, std::uint64_t disturbed_by, const Gp& factor) {
  const Gp high = fresh(), low = fresh();
  a_.mov(low, disturbed_by);
  a_.xor_(x86::rdx, low);
  a_.mulx(high, low, factor);
  a_.xor_(high, low);
  a_.add(sum, high);
  unpin(high);
  unpin(low);
}

// At the beginning of the turn of a player.
void Generator::write_key(int mover) {
  const Gp word = claim(x86::rdx), sum = fresh(), high = fresh(), low = fresh(), factor = fresh();
  a_.mov(factor, around_.key.factor);
  a_.xor_(sum.r32(), sum.r32());
  for (std::size_t k = 0; k < around_.key.parts.size(); ++k) {
    const KeyParts::Part& part = around_.key.parts[k];
    if (part.is_number) {
      a_.mov(low, part.disturbed_by);
      a_.mov(word.r32(), memory(number(static_cast<int>(part.index))));
      a_.xor_(word, low);
    } else {
      a_.mov(word, part.disturbed_by);
      a_.xor_(word, x86::qword_ptr(sets_, 8 * static_cast<std::int32_t>(part.index)));
    }
    a_.mulx(high, low, factor);
    a_.xor_(high, low);
    a_.add(sum, high);
    if (uses_.boards && k + 1 == around_.key.board_parts) a_.mov(field(around_.at.board), sum);
  }
  a_.mov(low, around_.key.of_mover[at(mover)]);
  a_.add(sum, low);
  a_.mov(field(around_.at.key), sum);
  release();
}

// Out: the address of the slot of this key, or of the one where it would be, to which `absent` leads.
Gp Generator::slot_of_key(std::int32_t table, const Gp& key, const Label& absent) {
  const Gp place = fresh(), address = fresh(), mark = fresh();
  const Label next = a_.newLabel(), found = a_.newLabel();
  a_.mov(place, key);
  a_.bind(next);
  a_.and_(place, field(table + KeyTable::kMask));
  static_assert(KeyTable::kSlotBytes == 16);
  a_.mov(address, place);
  a_.shl(address, 4);
  a_.add(address, field(table + KeyTable::kSlots));
  a_.mov(mark.r32(), x86::dword_ptr(address, KeyTable::kEraOfSlot));
  a_.cmp(mark.r32(), field32(table + KeyTable::kEra));
  a_.jne(absent);
  a_.cmp(x86::qword_ptr(address), key);
  a_.je(found);
  a_.inc(place);
  a_.jmp(next);
  a_.bind(found);
  return address;
}

// How often the position at the turn's beginning has come before.
void Generator::repeats(const I& i) {
  const Gp key = fresh(), count = fresh();
  const Label absent = a_.newLabel();
  a_.mov(key, field(around_.at.key));
  a_.xor_(count.r32(), count.r32());
  const Gp slot = slot_of_key(around_.at.positions, key, absent);
  a_.mov(count.r32(), x86::dword_ptr(slot, KeyTable::kCount));
  a_.bind(absent);
  define(number(i.d), count);
}

// It has come once more, and what is asked for with it. Where a table must grow `slowly` is gone to; nothing
// has been changed then.
void Generator::count_position(const Label& slowly) {
  if (uses_.repeats) room_for_keys(around_.at.positions, 1, slowly);
  if (uses_.boards) room_for_keys(around_.at.boards, 1, slowly);
  if (uses_.repeats) count_key(around_.at.positions, around_.at.key);
  if (uses_.boards) count_key(around_.at.boards, around_.at.board);
}

// The table takes so many keys more without growing.
void Generator::room_for_keys(std::int32_t table, std::size_t keys, const Label& slowly) {
  const Gp used = fresh();
  a_.mov(used, field(table + KeyTable::kUsed));
  a_.lea(used, x86::ptr(used, used, 0, static_cast<std::int32_t>(2 * (keys - 1))));
  a_.cmp(used, field(table + KeyTable::kMask));
  a_.ja(slowly);
  release();
}

void Generator::count_key(std::int32_t table, std::int32_t key_at) {
  const Gp key = fresh(), mark = fresh();
  const Label absent = a_.newLabel(), done = a_.newLabel();
  a_.mov(key, field(key_at));
  const Gp slot = slot_of_key(table, key, absent);
  a_.inc(x86::dword_ptr(slot, KeyTable::kCount));
  a_.jmp(done);
  a_.bind(absent);
  a_.mov(x86::qword_ptr(slot), key);
  a_.mov(x86::dword_ptr(slot, KeyTable::kCount), 1);
  a_.mov(mark.r32(), field32(table + KeyTable::kEra));
  a_.mov(x86::dword_ptr(slot, KeyTable::kEraOfSlot), mark.r32());
  a_.inc(field(table + KeyTable::kUsed));
  a_.bind(done);
  release();
}

// No move has been found yet with which others are compared. Where results are compared too it is left to the
// helper.
void Generator::begin_comparing(const Label& slowly) {
  const std::int32_t table = around_.at.once;
  a_.cmp(field32(around_.at.full_turns), 0);
  a_.jne(slowly);
  a_.cmp(field32(table + KeyTable::kEra), -1);
  a_.je(slowly);
  a_.inc(field32(table + KeyTable::kEra));
  a_.mov(field(table + KeyTable::kUsed), 0);
  forget(number(code_.layout.full));
  a_.mov(memory(number(code_.layout.full)), 0);
}

} // namespace boardwright::runtime::codegen

#endif
