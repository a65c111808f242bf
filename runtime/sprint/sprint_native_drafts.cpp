// Native code for sprints: changes of the position, drafts.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/sprint/sprint_keys.hpp"
#include "runtime/sprint/sprint_native_generator.hpp"

namespace boardwright::runtime::machine::native {

// ----------------------------------------------------------------------------------------------------
// changes

void Generator::set_bit(int set, int c) {
  if (words_ == 1) {
    const Gp where = read(cell(c)), reg = read(word(set, 0));
    a_.bts(reg, where);
    define(word(set, 0), reg);
    return;
  }
  const Gp bit = bit_of(c);
  a_.or_(word_at(set, c), bit);
  forget_set(set);
}

void Generator::clear_bit(int set, int c) {
  if (words_ == 1) {
    const Gp where = read(cell(c)), reg = read(word(set, 0));
    a_.btr(reg, where);
    define(word(set, 0), reg);
    return;
  }
  const Gp bit = bit_of(c);
  const Mem there = word_at(set, c);
  const Gp reg = fresh();
  a_.andn(reg, bit, there);
  a_.mov(there, reg);
  forget_set(set);
}

void Generator::carry(const SprintOp& op) {
  if (words_ > 1) {
    const Gp from = bit_of(op.a), to = bit_of(op.b);
    a_.xor_(word_at(op.d, op.a), from);
    a_.xor_(word_at(op.d, op.b), to);
    forget_set(op.d);
    return;
  }
  const Key key{Home::bits_of_two, static_cast<std::uint32_t>(op.a) << 16 | op.b};
  auto both = find(key);
  if (!both) {
    const Gp from = read(cell(op.a)), to = read(cell(op.b));
    both = fresh();
    a_.xor_(both->r32(), both->r32());
    a_.bts(*both, from);
    a_.bts(*both, to);
    held_[both->id()] = key;
  }
  const Gp reg = read(word(op.d, 0));
  a_.xor_(reg, *both);
  define(word(op.d, 0), reg);
}

void Generator::grab(const SprintOp& op) {
  test_bit(op.a, op.b);
  const Gp flag = fresh();
  a_.setc(flag.r8());
  a_.movzx(flag.r32(), flag.r8());
  define(number(op.d), flag);
  clear_bit(op.a, op.b);
}

void Generator::give(const SprintOp& op) {
  const Gp flag = read(number(op.a));
  if (words_ == 1) {
    const Gp bit = bit_of(op.b), where = read(cell(op.b)), reg = read(word(op.d, 0)), with = fresh();
    a_.btr(reg, where);
    a_.mov(with, reg);
    a_.or_(with, bit);
    a_.test(flag.r32(), flag.r32());
    a_.cmovnz(reg, with);
    define(word(op.d, 0), reg);
    return;
  }
  const Gp bit = bit_of(op.b);
  const Mem there = word_at(op.d, op.b);
  const Gp reg = fresh(), with = fresh();
  a_.andn(reg, bit, there);
  a_.mov(with, reg);
  a_.or_(with, bit);
  a_.test(flag.r32(), flag.r32());
  a_.cmovnz(reg, with);
  a_.mov(there, reg);
  forget_set(op.d);
}

void Generator::hop(const SprintOp& op) {
  const Gp from = read(cell(op.a));
  const Gp reg = fresh();
  mov_address(reg, code_.board.steps[op.c].to.data());
  a_.movsx(reg.r32(), x86::word_ptr(reg, from, 1));
  a_.test(reg.r32(), reg.r32());
  if (words_ == 1) {
    const Gp set = read(word(op.b, 0));
    jump_if(x86::CondCode::kS, op.x);
    a_.bt(set, reg);
  } else {
    needs_set(op.b);
    jump_if(x86::CondCode::kS, op.x);
    const Gp there = fresh();
    a_.mov(there.r32(), reg.r32());
    a_.shr(there.r32(), 6);
    a_.mov(there, x86::qword_ptr(sets_, there, 3, 8 * op.b * words_));
    a_.bt(there, reg);
  }
  jump_if(x86::CondCode::kNC, op.x);
  define(cell(op.d), reg);
}

// `take` goes to x if there is no cell, `take_on` if there is one.
void Generator::take(const SprintOp& op) {
  const bool on = op.what == What::take_on;
  const asmjit::Label none = a_.newLabel();
  const auto leave_if_none = [&] { on ? void(a_.jz(none)) : jump_if(x86::CondCode::kZ, op.x); };
  if (words_ == 1) {
    const Gp set = read(word(op.a, 0));
    a_.test(set, set);
    leave_if_none();
    const Gp where = fresh();
    a_.tzcnt(where, set);
    a_.blsr(set, set);
    define(word(op.a, 0), set);
    define(cell(op.d), where);
  } else if (words_ == 2) {
    const Gp low = read(word(op.a, 0)), high = read(word(op.a, 1)), less = fresh(), where = fresh();
    a_.mov(less, low);
    a_.or_(less, high);
    leave_if_none();
    a_.tzcnt(where, high);
    a_.add(where.r32(), 64);
    a_.blsr(less, high);
    a_.test(low, low);
    a_.cmovz(high, less);
    a_.tzcnt(less, low);
    a_.blsr(low, low); // its carry says: there was none, as before
    a_.cmovnc(where, less);
    define(word(op.a, 0), low);
    define(word(op.a, 1), high);
    define(cell(op.d), where);
  } else {
    help(op, layout_.helper(What::take));
    a_.cmp(x86::eax, -1);
    leave_if_none();
    needs(cell(op.d));
    a_.mov(memory(cell(op.d)), x86::ax);
  }
  if (!on) return;
  a_.jmp(to(op.x));
  a_.bind(none);
  forget_all(); // here the registers hold what they did before
}

bool Generator::change(const SprintOp& op) {
  switch (op.what) {
  case What::place: lookup(op.d, read(cell(0)), code_.places[at(op.x)]); return true;
  case What::set_bit: set_bit(op.d, op.a); return true;
  case What::clear_bit: clear_bit(op.d, op.a); return true;
  case What::carry: carry(op); return true;
  case What::grab: grab(op); return true;
  case What::give: give(op); return true;
  case What::hop: hop(op); return true;
  case What::take:
  case What::take_on: take(op); return true;
  case What::copy_cell: define(cell(op.d), copy_of(cell(op.a))); return true;
  case What::again: a_.mov(field(&SprintFrame::again), 1); return true;
  case What::drop:
    set_bit(op.d, op.a);
    clear_bit(op.b, op.a);
    return true;
  default: return false;
  }
}

// ---------------------------------------------------------------------------------------------------- drafts

void Generator::leaf(const Words& words, std::int32_t index) {
  for (int w = 0; w < words_; ++w) a_.mov(x86::qword_ptr(leaf_end_, 8 * w), words[at(w)]);
  const Gp n = count(words), next = fresh();
  a_.add(total_.r32(), n.r32());
  a_.mov(x86::dword_ptr(leaf_end_, 8 * words_), total_.r32());
  a_.mov(x86::dword_ptr(leaf_end_, 8 * words_ + 4), index);
  a_.lea(next, x86::ptr(leaf_end_, leaf_bytes_));
  a_.test(n.r32(), n.r32());
  a_.cmovnz(leaf_end_, next);
}

// Its number, exactly: the size of a leaf is 8 times an odd number or a power of two.
Gp Generator::leaf_index(const Gp& leaf) {
  const Gp reg = fresh();
  a_.mov(reg, leaf);
  a_.sub(reg, field(&SprintFrame::leaves));
  int even = 0;
  while ((leaf_bytes_ >> even) % 2 == 0) ++even;
  const auto odd = static_cast<std::uint64_t>(leaf_bytes_ >> even);
  a_.shr(reg, even);
  if (odd == 1) return reg;
  std::uint64_t inverse = odd; // Newton's iteration doubles the bits that are right, of which there are three
  for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
  const Gp by = fresh();
  a_.mov(by, inverse);
  a_.imul(reg, by);
  pinned_[by.id()] = false;
  return reg;
}

void Generator::leaf_draft(const SprintOp& op) {
  const asmjit::Label none = a_.newLabel();
  const Words words = words_of(op.a);
  const Gp from = read(cell(op.b));
  const Gp n = count(words);
  const Held before = held_;
  a_.test(n.r32(), n.r32());
  a_.jz(none);
  a_.cmp(leaf_end_, field(&SprintFrame::leaf_limit));
  a_.jae(exits().at(kGaveUp));
  store_draft(op, words, from, n, std::nullopt);
  a_.bind(none);
  // On the shorter way nothing has been put into the registers that were taken here.
  for (unsigned id = 0; id < 16; ++id)
    if (held_[id] != before[id]) held_[id].reset();
}

// Drafts with a key that may be known are left to the helper.
void Generator::leaf_once(const SprintOp& op) {
  const asmjit::Label none = a_.newLabel(), known = a_.newLabel();
  needs_set(op.a);
  needs(cell(op.b));
  for (const int set : code_.kept[op.d].sets) needs_set(set);
  for (const int set : {code_.draft_sets - 1, code_.draft_sets - 2}) needs_set(set);
  const Gp word_in = claim(x86::rdx), from = read(cell(op.b));
  const Words words = words_of(op.a);
  const Gp n = count(words);
  a_.test(n.r32(), n.r32());
  a_.jz(none);
  for (const Gp& reg : words) pinned_[reg.id()] = false;
  a_.cmp(leaf_end_, field(&SprintFrame::leaf_limit));
  a_.jae(exits().at(kGaveUp));
  const Gp key = draft_key(from, word_in);
  pinned_[word_in.id()] = false;
  {
    const Gp which = fresh(), bit = fresh(), seen = fresh();
    a_.rorx(which, key, 62);
    a_.and_(which.r32(), 3);
    a_.rorx(bit, key, 56);
    a_.mov(seen, x86::qword_ptr(frame_, which, 3, offset_of(&SprintFrame::seen)));
    a_.bts(seen, bit);
    a_.jc(known);
    a_.mov(x86::qword_ptr(frame_, which, 3, offset_of(&SprintFrame::seen)), seen);
    for (const Gp& reg : {which, bit, seen}) pinned_[reg.id()] = false;
  }
  store_draft(op, words_of(op.a), from, n, key);
  a_.bind(none);
  known_drafts_.push_back({known, a_.newLabel(), &op, player_});
  a_.bind(known_drafts_.back().back);
  forget_all(); // the helper leaves nothing where it was
}

void Generator::help_leaf(const SprintOp& op) {
  for (const int set : code_.kept[op.d].sets) needs_set(set);
  for (const int set : {code_.draft_sets - 1, code_.draft_sets - 2})
    needs_set(set); // what tells drafts apart
  help(op, layout_.helper(What::leaf_once));
  a_.mov(leaf_end_, field(&SprintFrame::leaf_end));
  a_.mov(total_.r32(), field(&SprintFrame::total));
  a_.test(x86::eax, x86::eax);
  a_.jnz(exits().at(kGaveUp));
}

// As Sprint::write, write_put and write_set do it.
void Generator::write(const SprintOp& op) {
  const Gp more = claim(x86::rdx), factor = fresh(), text = copy_of(word(op.d, 0)), part = fresh();
  a_.mov(part, kTextSalt);
  a_.mov(factor, kKeyFactor);
  const auto go_on = [&] { // with what is in `more`, disturbed
    a_.xor_(more, text);
    a_.mulx(text, more, factor);
    a_.xor_(text, more);
  };
  if (op.what == What::write_set) {
    const int salt = op.b;
    for (int w = 0; w < words_; ++w) {
      a_.mov(more, part);
      apply(x86::Inst::kIdXor, more, word(op.a, w));
      if (salt != 0) a_.xor_(more, salt);
      go_on();
    }
  } else {
    const Gp from = read(cell(op.a));
    a_.mov(more.r32(), from.r32());
    a_.shl(more, 8);
    if (op.what == What::write) {
      a_.or_(more, static_cast<int>(op.b));
    } else { // 2 if the set has members, else 3
      test_set(op.b);
      const Gp none = fresh();
      a_.setz(none.r8());
      a_.movzx(none.r32(), none.r8());
      a_.add(none.r32(), 2);
      a_.or_(more, none);
      pinned_[none.id()] = false;
    }
    a_.xor_(more, part);
    go_on();
  }
  define(word(op.d, 0), text);
  if (op.what != What::write_put) return;
  for (const Gp& reg : {more, factor, part}) pinned_[reg.id()] = false;
  for (int w = 0; w < words_; ++w) {
    const Gp zero = fresh();
    a_.xor_(zero.r32(), zero.r32());
    define(word(op.b, w), zero);
    pinned_[zero.id()] = false;
  }
}

// As Sprint::improves.
void Generator::best(const SprintOp& op) {
  const asmjit::Label better = a_.newLabel(), done = a_.newLabel();
  const Gp score = read(number(op.a));
  a_.cmp(field(&SprintFrame::scored), 0);
  a_.je(better);
  a_.cmp(score.r32(), field(&SprintFrame::best_score));
  jump_if(x86::CondCode::kL, op.x);
  a_.je(done);
  a_.bind(better);
  a_.mov(leaf_end_, field(&SprintFrame::leaves));
  a_.xor_(total_.r32(), total_.r32());
  a_.mov(field(&SprintFrame::scored), 1);
  a_.mov(field(&SprintFrame::best_score), score.r32());
  a_.bind(done);
}

void Generator::store_draft(const SprintOp& op, const Words& words, const Gp& from, const Gp& n,
                            const std::optional<Gp>& key) {
  a_.add(total_.r32(), n.r32());
  for (int w = 0; w < words_; ++w) a_.mov(x86::qword_ptr(leaf_end_, 8 * w), words[at(w)]);
  for (const Gp& reg : words) pinned_[reg.id()] = false;
  a_.mov(x86::dword_ptr(leaf_end_, 8 * words_), total_.r32());
  a_.mov(x86::dword_ptr(leaf_end_, 8 * words_ + 4), op.x);
  a_.mov(x86::word_ptr(leaf_end_, 8 * words_ + 8), from.r16());
  if (op.c != 0) { // else nobody asks for it
    const auto pinned = pinned_;
    a_.mov(x86::word_ptr(leaf_end_, 8 * words_ + 10), read(cell(op.c)).r16());
    pinned_ = pinned;
  }
  if (!key && code_.kept[op.d].sets.empty()) {
    a_.add(leaf_end_, leaf_bytes_);
    return;
  }
  const Gp index = leaf_index(leaf_end_);
  if (key) {
    const Gp base = fresh();
    a_.mov(base, field(&SprintFrame::keys));
    a_.mov(x86::qword_ptr(base, index, 3), *key);
    pinned_[base.id()] = false;
  }
  a_.imul(index, index, code_.draft_sets * words_ * 8);
  a_.add(index, field(&SprintFrame::drafts));
  a_.add(leaf_end_, leaf_bytes_);
  int offset = 0;
  each_kept(code_.kept[op.d], [&](const Key& kept, int size) {
    const auto pinned = pinned_;
    a_.mov(x86::qword_ptr(index, offset), read(kept));
    pinned_ = pinned;
    offset += size;
  });
}

// Adds the part of a word that is in rdx.
void Generator::add_part(const Gp& sum, const Gp& factor, const Gp& high, const Gp& low) {
  a_.mulx(high, low, factor);
  a_.xor_(high, low);
  a_.add(sum, high);
}

// As Sprint::draft_key; `word_in` is rdx.
Gp Generator::draft_key(const Gp& from, const Gp& word_in) {
  const KeyPlaces places(code_.state_sets, code_.ply, at(words_));
  const Gp sum = fresh(), factor = fresh(), high = fresh(), low = fresh();
  a_.mov(factor, kKeyFactor);
  a_.mov(word_in, key_salt(places.start));
  a_.xor_(word_in, from);
  a_.mulx(sum, low, factor);
  a_.xor_(sum, low);
  const auto add = [&](std::size_t place, const Key& key) {
    a_.mov(word_in, key_salt(place));
    if (key.home == Home::number) {
      load(low, key); // the upper half becomes zero
      needs(key);
      a_.xor_(word_in, low);
    } else {
      apply(x86::Inst::kIdXor, word_in, key);
    }
    add_part(sum, factor, high, low);
  };
  for (int set = 0; set < code_.state_sets; ++set)
    for (int w = 0; w < words_ && !code_.follows(at(set)); ++w) add(at(set * words_ + w), word(set, w));
  for (int k = 0; k < code_.ply; ++k) add(places.numbers + at(k), number(k));
  add(places.text, word(code_.draft_sets - 1, 0));
  for (int w = 0; w < words_; ++w) add(places.gone + at(w), word(code_.draft_sets - 2, w));
  for (const Gp& reg : {factor, high, low}) pinned_[reg.id()] = false;
  return sum;
}

void Generator::recall(const SprintOp& op) {
  forget_all();
  const Gp chosen = fresh();
  a_.mov(chosen, field(&SprintFrame::chosen));
  for (const int c : {1, 2}) {
    const Gp where = fresh();
    a_.movsx(where.r32(), x86::word_ptr(chosen, 8 * words_ + 6 + 2 * c));
    define(cell(c), where);
    pinned_[where.id()] = false;
  }
  if (code_.kept[at(op.x)].sets.empty()) return;
  const Gp index = leaf_index(chosen), part = fresh();
  a_.imul(index, index, code_.draft_sets * words_ * 8);
  a_.add(index, field(&SprintFrame::drafts));
  int offset = 0;
  each_kept(code_.kept[at(op.x)], [&](const Key& key, int size) {
    needs(key);
    a_.mov(part, x86::qword_ptr(index, offset));
    a_.mov(memory(key), part);
    offset += size;
  });
}

void Generator::save(const SprintOp& op) {
  for (const int set : code_.kept[at(op.x)].sets) {
    for (int w = 0; w < words_; ++w) define(word(op.d + set, w), copy_of(word(set, w)));
    release();
  }
}

void Generator::restore(const SprintOp& op) {
  for (const int set : code_.kept[at(op.x)].sets) {
    for (int w = 0; w < words_; ++w) define(word(set, w), copy_of(word(op.a + set, w)));
    release();
  }
}

// What is kept, with its bytes.
template <class F>
void Generator::each_kept(const SprintKept& kept, F&& f) const {
  for (const int set : kept.sets)
    for (int w = 0; w < words_; ++w) f(word(set, w), 8);
  for (const int n : kept.numbers) f(number(n), 4);
  for (const int c : kept.cells) f(cell(c), 2);
}

void Generator::call(const SprintOp& op) {
  const SprintLoop& l = code_.loops[op.d];
  const Gp from = read(cell(op.a));
  a_.mov(x86::word_ptr(x86::rsp, -16), from.r16()); // below the stack, where nothing disturbs it here
  release();
  const SprintKept& kept = code_.kept[op.b];
  int bytes = 0;
  each_kept(kept, [&bytes](const Key&, int size) { bytes += size; });
  bytes = (bytes + 7) / 8 * 8;
  a_.inc(field(&SprintFrame::rounds));
  a_.cmp(field(&SprintFrame::rounds), layout_.most_rounds);
  a_.ja(exits().at(kGaveUp));
  const Gp stack = fresh(), end = fresh();
  a_.mov(stack, field(&SprintFrame::stack));
  a_.lea(end, x86::ptr(stack, bytes));
  a_.cmp(end, field(&SprintFrame::stack_limit));
  a_.ja(exits().at(kGaveUp));
  a_.mov(field(&SprintFrame::stack), end);
  const Gp part = end;
  int offset = 0;
  each_kept(kept, [&](const Key& key, int size) {
    needs(key);
    const Mem to = x86::ptr(stack, offset, static_cast<std::uint32_t>(size));
    if (size == 8) a_.mov(part, memory(key)), a_.mov(to, part);
    if (size == 4) a_.mov(part.r32(), memory(key)), a_.mov(to, part.r32());
    if (size == 2) a_.movzx(part.r32(), memory(key)), a_.mov(to, part.r16());
    offset += size;
  });
  a_.movzx(part.r32(), x86::word_ptr(x86::rsp, -16));
  needs(cell(l.cell));
  needs(number(l.any));
  needs(number(l.deep));
  a_.mov(memory(cell(l.cell)), part.r16());
  a_.mov(memory(number(l.any)), 0);
  a_.mov(memory(number(l.deep)), op.c);
  a_.sub(x86::rsp, 8); // even, as calls of helpers want it
  a_.call(to(op.x));
  a_.add(x86::rsp, 8);
  forget_all();
  a_.mov(stack, field(&SprintFrame::stack));
  a_.sub(stack, bytes);
  a_.mov(field(&SprintFrame::stack), stack);
  offset = 0;
  each_kept(kept, [&](const Key& key, int size) {
    const Mem there = x86::ptr(stack, offset, static_cast<std::uint32_t>(size));
    if (size == 8) a_.mov(part, there), a_.mov(memory(key), part);
    if (size == 4) a_.mov(part.r32(), there), a_.mov(memory(key), part.r32());
    if (size == 2) a_.movzx(part.r32(), there), a_.mov(memory(key), part.r16());
    offset += size;
  });
}

} // namespace boardwright::runtime::machine::native

#endif
