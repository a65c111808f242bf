// Positions that come again: the key of one, and how often it has come. It is what executor/drafts.hpp and
// executor/key_set.hpp do for the interpreter.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

// Positions have keys here, and boards of the past aren't asked for.
bool Generator::keeps_positions() const {
  return code_.uses_history && !uses_.boards && !around_.key.parts.empty();
}

// At the beginning of the turn of a player.
void Generator::write_key(int mover) {
  const Gp word = claim(x86::rdx), sum = fresh(), high = fresh(), low = fresh(), factor = fresh();
  a_.mov(factor, around_.key.factor);
  a_.mov(sum, around_.key.of_mover[at(mover)]);
  for (const KeyParts::Part& part : around_.key.parts) {
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
  }
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

// It has come once more. Where the table must grow `slowly` is gone to; nothing has been changed then.
void Generator::count_position(const Label& slowly) {
  const std::int32_t table = around_.at.positions;
  const Gp key = fresh(), used = fresh();
  const Label absent = a_.newLabel(), done = a_.newLabel();
  a_.mov(used, field(table + KeyTable::kUsed));
  a_.add(used, used);
  a_.cmp(used, field(table + KeyTable::kMask));
  a_.ja(slowly);
  a_.mov(key, field(around_.at.key));
  const Gp slot = slot_of_key(table, key, absent);
  a_.inc(x86::dword_ptr(slot, KeyTable::kCount));
  a_.jmp(done);
  a_.bind(absent);
  a_.mov(x86::qword_ptr(slot), key);
  a_.mov(x86::dword_ptr(slot, KeyTable::kCount), 1);
  a_.mov(used.r32(), field32(table + KeyTable::kEra));
  a_.mov(x86::dword_ptr(slot, KeyTable::kEraOfSlot), used.r32());
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
