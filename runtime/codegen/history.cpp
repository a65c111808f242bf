// Keys: of positions that come again, and how often they have come; of moves that are compared, by what has
// been written and where they lead. It is what executor/drafts.hpp, executor/key_set.hpp and
// executor/notation.hpp do for the interpreter.
//
// A text does two things to a key: times, then plus (ir::KeyText). Names of cells have a table of these.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/history.hpp"
#include "runtime/codegen/changes.hpp"
#include "runtime/codegen/control.hpp"
#include "runtime/codegen/sets.hpp"

namespace boardwright::runtime::codegen {

namespace {

void room_for_keys(Generator& g, std::int32_t table, std::size_t keys, const Label& slowly);
void count_key(Generator& g, std::int32_t table, std::int32_t key);
bool say_cell(Generator& g, const I& i);
bool say_cells(Generator& g, const I& i);
bool say_drop(Generator& g, const I& i);
bool say_change(Generator& g, const I& i);
void say_kind(Generator& g, const I& i);
void say_text(Generator& g, const I& i);
void add_to_line(Generator& g, const Label& slowly);

// Sets of more words would take too much code to go through.
constexpr int kMostWordsSaid = 4;
constexpr std::uint8_t kOnlyKey = 1; // flag k

} // namespace

namespace {

// What a part of a key is made with.
struct Mixer {
  Gp word, sum, high, low, factor;
};

// Goes on with the part of what `word` holds, disturbed.
void add_part(Generator& g, const Mixer& m) {
  g.a.mulx(m.high, m.low, m.factor);
  g.a.xor_(m.high, m.low);
  g.a.add(m.sum, m.high);
}

void add_part(Generator& g, const Mixer& m, const KeyParts::Part& part) {
  const auto index = static_cast<std::int32_t>(part.index);
  if (part.is_number) {
    g.a.mov(m.low, part.disturbed_by);
    g.a.mov(m.word.r32(), g.memory(g.number(index)));
    g.a.xor_(m.word, m.low);
  } else {
    g.a.mov(m.word, part.disturbed_by);
    g.a.xor_(m.word, x86::qword_ptr(g.sets, 8 * index));
  }
  add_part(g, m);
}

} // namespace

// Positions have keys here.
bool keeps_positions(const Generator& g) { return g.code.uses_history && !g.around.key.parts.empty(); }

// At the beginning of the turn of a player.
void write_key(Generator& g, int mover) {
  const Mixer m{g.claim(x86::rdx), g.fresh(), g.fresh(), g.fresh(), g.fresh()};
  g.a.mov(m.factor, g.around.key.factor);
  g.a.xor_(m.sum.r32(), m.sum.r32());
  for (std::size_t k = 0; k < g.around.key.parts.size(); ++k) {
    add_part(g, m, g.around.key.parts[k]);
    if (g.uses.boards && k + 1 == g.around.key.board_parts) g.a.mov(g.field(g.around.at.board), m.sum);
  }
  g.a.mov(m.low, g.around.key.of_mover[at(mover)]);
  g.a.add(m.sum, m.low);
  g.a.mov(g.field(g.around.at.key), m.sum);
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

namespace {

// What the number of no board is greater than, that of the turn's beginning counted.
void most_of_any_board(Generator& g, const I& i) {
  const std::int32_t boards = g.around.at.boards;
  const Gp key = g.fresh(), most = g.fresh(), count = g.fresh();
  const Label absent = g.a.newLabel();
  g.a.mov(key, g.field(g.around.at.board));
  g.a.mov(most.r32(), g.field32(boards + KeyTable::kMost));
  g.a.mov(count.r32(), 1);
  const Gp slot = slot_of_key(g, boards, key, absent);
  g.a.add(count.r32(), x86::dword_ptr(slot, KeyTable::kCount));
  g.a.bind(absent);
  g.a.cmp(most.r32(), count.r32());
  g.a.cmovl(most.r32(), count.r32());
  g.define(g.number(i.d), most);
}

} // namespace

// How often the board as it is has come before; within a turn (x = 1) the one at its beginning has come once
// more.
bool board_repeats(Generator& g, const I& i) {
  if (!keeps_positions(g)) return false;
  if (i.x == 2) {
    most_of_any_board(g, i);
    return true;
  }
  g.forget_all();
  const Mixer m{g.claim(x86::rdx), g.fresh(), g.fresh(), g.fresh(), g.fresh()};
  g.a.xor_(m.sum.r32(), m.sum.r32());
  g.a.mov(m.factor, g.around.key.factor);
  for (std::size_t k = 0; k < g.around.key.board_parts; ++k) add_part(g, m, g.around.key.parts[k]);
  const Gp key = m.sum;
  g.release();
  g.use(key.id());
  const Gp count = g.fresh();
  const Label absent = g.a.newLabel();
  g.a.xor_(count.r32(), count.r32());
  if (i.x != 0) {
    g.a.cmp(key, g.field(g.around.at.board));
    g.a.sete(count.r8());
  }
  const Gp slot = slot_of_key(g, g.around.at.boards, key, absent);
  g.a.add(count.r32(), x86::dword_ptr(slot, KeyTable::kCount));
  g.a.bind(absent);
  g.define(g.number(i.d), count);
  return true;
}

// The position has come once more, and its board where boards are asked for. Where a table must grow `slowly`
// is gone to; nothing has been changed then.
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
  g.unpin(used);
}

// A slot for a key that isn't there yet. In: an address that slot_of_key has given.
void take_slot(Generator& g, std::int32_t table, const Gp& slot, const Gp& key) {
  const Gp mark = g.fresh();
  g.a.mov(x86::qword_ptr(slot), key);
  g.a.mov(x86::dword_ptr(slot, KeyTable::kCount), 1);
  g.a.mov(mark.r32(), g.field32(table + KeyTable::kEra));
  g.a.mov(x86::dword_ptr(slot, KeyTable::kEraOfSlot), mark.r32());
  g.a.inc(g.field(table + KeyTable::kUsed));
  g.unpin(mark);
}

void count_key(Generator& g, std::int32_t table, std::int32_t key_at) {
  const Gp key = g.fresh();
  const Label absent = g.a.newLabel(), done = g.a.newLabel();
  g.a.mov(key, g.field(key_at));
  const Gp slot = slot_of_key(g, table, key, absent), count = g.fresh(), most = g.fresh();
  g.a.mov(count.r32(), x86::dword_ptr(slot, KeyTable::kCount));
  g.a.inc(count.r32());
  g.a.mov(x86::dword_ptr(slot, KeyTable::kCount), count.r32());
  g.a.jmp(done);
  g.a.bind(absent);
  take_slot(g, table, slot, key);
  g.a.mov(count.r32(), 1);
  g.a.bind(done);
  g.a.mov(most.r32(), g.field32(table + KeyTable::kMost));
  g.a.cmp(count.r32(), most.r32());
  g.a.cmovl(count.r32(), most.r32());
  g.a.mov(g.field32(table + KeyTable::kMost), count.r32());
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

void count_new_key(Generator& g, std::int32_t table, const Gp& key, const Label& slowly, const Label& again) {
  const Label absent = g.a.newLabel(), is_new = g.a.newLabel();
  room_for_keys(g, table, 1, slowly);
  const Gp slot = slot_of_key(g, table, key, absent);
  g.a.inc(x86::dword_ptr(slot, KeyTable::kCount));
  g.a.cmp(x86::dword_ptr(slot, KeyTable::kCount), 1);
  g.a.jne(again);
  g.a.jmp(is_new); // it has been taken back
  g.a.bind(absent);
  take_slot(g, table, slot, key);
  g.a.bind(is_new);
}

// No move has been found yet with which others are compared. Where results are compared too it is left to the
// helper.
void begin_comparing(Generator& g) {
  const Label slowly = slow(g), done = g.a.newLabel();
  const Reg full = g.code.layout.full;
  g.a.cmp(g.memory(g.number(full)), 0);
  g.a.jge(done); // it has begun in this turn
  const std::int32_t table = g.around.at.once;
  g.a.cmp(g.field32(g.around.at.full_turns), 0);
  g.a.jne(slowly);
  g.a.cmp(g.field32(table + KeyTable::kEra), -1);
  g.a.je(slowly);
  g.a.inc(g.field32(table + KeyTable::kEra));
  g.a.mov(g.field(table + KeyTable::kUsed), 0);
  g.a.mov(g.memory(g.number(full)), 0);
  join_slow(g);
  g.a.bind(done);
}

// ---------------------------------------------------------------- moves that are compared

bool tells_only(const I& i) { return i.op >= Op::say_text && i.op <= Op::say_player && i.y == kOnlyKey; }

bool sign(Generator& g, const I& i) {
  if (!tells_only(i)) return false;
  switch (i.op) {
  case Op::say_text: say_text(g, i); return true;
  case Op::say_from:
  case Op::say_put: return say_cell(g, i);
  case Op::say_gone:
  case Op::say_set: return say_cells(g, i);
  case Op::say_drop: return say_drop(g, i);
  case Op::say_change: return say_change(g, i);
  case Op::say_kind: say_kind(g, i); return true;
  default: return false;
  }
}

// ---------------------------------------------------------------- the key of what has been written

namespace {

// How far a key goes: in two registers.
struct Going {
  Gp times, plus;
};

Key written(const Generator& g) { return g.word(g.code.layout.written, 0); }

void go_on(Generator& g, const Gp& key, const ir::KeyText& text) {
  const Gp constant = g.fresh();
  g.a.mov(constant, text.times);
  g.a.imul(key, constant);
  g.a.mov(constant, text.plus);
  g.a.add(key, constant);
  g.unpin(constant);
}

// With an entry of a table. The number is changed.
void go_on_by(Generator& g, const Gp& key, const ir::KeyText* table, const Gp& number) {
  static_assert(sizeof(ir::KeyText) == 16 && offsetof(ir::KeyText, plus) == 8);
  const Gp begin = g.fresh();
  g.mov_address(begin, table);
  g.a.shl(number, 4);
  g.a.imul(key, x86::qword_ptr(begin, number));
  g.a.add(key, x86::qword_ptr(begin, number, 0, 8));
  g.unpin(begin);
}

void write_move_key(Generator& g, const Gp& key) {
  if (g.notes()) note(g, asmjit::imm(written(g).index), g.read(written(g)));
  g.define(written(g), key);
}

Going going(Generator& g, const ir::KeyText& text) {
  const Going to{g.fresh(), g.fresh()};
  g.a.mov(to.times, text.times);
  g.a.mov(to.plus, text.plus);
  return to;
}

// Another text, where the flags say so.
void go_instead(Generator& g, const Going& to, x86::CondCode condition, const ir::KeyText& text) {
  const Gp other = g.fresh();
  g.a.mov(other, text.times);
  g.a.cmov(condition, to.times, other);
  g.a.mov(other, text.plus);
  g.a.cmov(condition, to.plus, other);
  g.unpin(other);
}

void say_text(Generator& g, const I& i) {
  const Gp key = g.copy_of(written(g));
  go_on(g, key, g.around.texts_told[at(i.x)]);
  write_move_key(g, key);
}

// A cell that is left, behind a blank where something stands; or one where something is put, behind `x` if
// another's piece has left.
bool say_cell(Generator& g, const I& i) {
  const Reg gone = g.code.layout.gone;
  const bool from = i.op == Op::say_from;
  const Label slowly = slow(g);
  test_none(g, gone);
  if (from) g.a.jnz(slowly); // what has left is written first
  const Gp key = g.copy_of(written(g));
  if (from) {
    const Going before = going(g, ir::key_of_text(" "));
    const Gp one = g.fresh(), nothing = g.fresh();
    g.a.mov(one.r32(), 1);
    g.a.xor_(nothing.r32(), nothing.r32());
    g.a.test(key, key);
    g.a.cmovz(before.times, one);
    g.a.cmovz(before.plus, nothing);
    g.a.imul(key, before.times);
    g.a.add(key, before.plus);
    for (const Gp& reg : {before.times, before.plus, one, nothing}) g.unpin(reg);
  } else {
    test_none(g, gone);
    const Going before = going(g, ir::key_of_text("-")); // leaves the flags as they are
    go_instead(g, before, x86::CondCode::kNotZero, ir::key_of_text("x"));
    g.a.imul(key, before.times);
    g.a.add(key, before.plus);
    for (const Gp& reg : {before.times, before.plus}) g.unpin(reg);
  }
  const Gp cell = g.copy_of(g.number(i.a));
  go_on_by(g, key, g.around.cells_told, cell);
  write_move_key(g, key);
  g.release();
  if (!from) write_no_cells(g, gone);
  join_slow(g);
  return true;
}

// All cells of a set, the first one behind what `before` says, the others behind commas.
void go_on_with_cells(Generator& g, const Gp& key, Reg set, const Going& before) {
  const Gp cells = g.fresh(), cell = g.fresh(), names = g.fresh();
  const ir::KeyText comma = ir::key_of_text(",");
  g.mov_address(names, g.around.cells_told);
  for (int w = 0; w < g.words; ++w) {
    const Label next = g.a.newLabel(), another = g.a.newLabel();
    g.a.mov(cells, g.memory(g.word(set, w)));
    g.a.test(cells, cells);
    g.a.jz(next);
    g.a.bind(another);
    g.a.imul(key, before.times);
    g.a.add(key, before.plus);
    g.a.mov(before.times, comma.times);
    g.a.mov(before.plus, comma.plus);
    g.a.tzcnt(cell, cells);
    if (w > 0) g.a.add(cell.r32(), 64 * w);
    g.a.shl(cell, 4);
    g.a.imul(key, x86::qword_ptr(names, cell));
    g.a.add(key, x86::qword_ptr(names, cell, 0, 8));
    g.a.blsr(cells, cells);
    g.a.jnz(another);
    g.a.bind(next);
  }
  for (const Gp& reg : {cells, cell, names}) g.unpin(reg);
}

// A set of cells; or those that have left, behind `x`.
bool say_cells(Generator& g, const I& i) {
  if (g.words > kMostWordsSaid) return false;
  const Label none = g.a.newLabel();
  const bool have_left = i.op == Op::say_gone;
  const Reg set = have_left ? g.code.layout.gone : i.a;
  g.forget_all();
  test_none(g, set);
  g.release();
  g.forget_all();
  g.a.jz(none);
  const Gp key = g.copy_of(written(g));
  go_on_with_cells(g, key, set, going(g, have_left ? ir::key_of_text("x") : ir::KeyText()));
  g.release();
  g.use(key.id());
  write_move_key(g, key);
  g.release();
  if (have_left) write_no_cells(g, set);
  g.forget_all();
  g.a.bind(none);
  return true;
}

// The kind that a register stands for in every position.
std::optional<int> known_kind(const Generator& g, Reg number) {
  const std::size_t first = g.code.layout.draft_numbers;
  if (number < first || number >= first + g.code.number_constants.size()) return std::nullopt;
  const std::int32_t kind = g.code.number_constants[number - first];
  return kind >= 0 ? std::optional(kind) : std::nullopt;
}

bool say_drop(Generator& g, const I& i) {
  const auto kind = known_kind(g, i.b);
  const std::vector<bool>& named = g.around.drops_named[at(i.x)];
  if (!kind || at(*kind) >= named.size() || g.words > kMostWordsSaid) return false;
  ir::KeyText first, behind = ir::key_of_text("/");
  if (named[at(*kind)]) {
    first = g.around.kinds_told[*kind];
    behind = {behind.times * first.times, behind.plus * first.times + first.plus};
  }
  const Label none = g.a.newLabel();
  g.forget_all();
  test_none(g, i.a);
  g.release();
  g.forget_all();
  g.a.jz(none);
  const Gp key = g.copy_of(written(g));
  const Going before = going(g, first);
  g.a.test(key, key);
  go_instead(g, before, x86::CondCode::kNotZero, behind);
  go_on_with_cells(g, key, i.a, before);
  g.release();
  g.use(key.id());
  write_move_key(g, key);
  g.forget_all();
  g.a.bind(none);
  return true;
}

// Where there is a piece of another kind.
bool say_change(Generator& g, const I& i) {
  const ir::Layout& l = g.code.layout;
  const auto kind = known_kind(g, i.b);
  if (!kind || *kind >= l.kinds) return false;
  const Label none = g.a.newLabel();
  const Gp cell = g.read(g.number(i.a));
  test_bit(g, l.empty, cell);
  g.a.jc(none);
  test_bit(g, static_cast<Reg>(l.owners + *kind), cell);
  g.a.jc(none);
  g.release();
  const Gp key = g.copy_of(written(g));
  go_on(g, key, ir::key_of_text("="));
  go_on(g, key, g.around.kinds_told[*kind]);
  write_move_key(g, key);
  g.forget_all();
  g.a.bind(none);
  return true;
}

void say_kind(Generator& g, const I& i) {
  const Label none = g.a.newLabel();
  const Gp kind = g.copy_of(g.number(i.a));
  g.a.test(kind.r32(), kind.r32());
  g.a.js(none);
  const Gp key = g.copy_of(written(g));
  go_on_by(g, key, g.around.kinds_told, kind);
  write_move_key(g, key);
  g.forget_all();
  g.a.bind(none);
}

// ---------------------------------------------------------------- the key of a move

int player_of_code(const Generator& g) {
  int player = 0;
  for (std::size_t p = 0; p < g.code.players.size(); ++p)
    if (g.code.players[p].position <= g.index) player = static_cast<int>(p);
  return player;
}

// On the stack: what the steps of the stacks' part of a key are counted as.
Mem steps_of_stacks(const Generator& g) { return x86::qword_ptr(x86::rsp, g.scratch(0, 0)); }

// The pieces on each cell, from the bottom up, eight in a word (word_of_codes in executor/drafts.hpp). `low`
// and `high` are used for whatever comes between.
void add_stacks(Generator& g, const Mixer& m) {
  const ir::Layout& l = g.code.layout;
  const MoveKeyParts::Stacks& s = g.around.move_key.stacks;
  const Gp cells = g.fresh(), place = g.fresh(), piece = g.fresh(), left = g.fresh();
  g.a.mov(steps_of_stacks(g), 0);
  for (int w = 0; w < g.words; ++w) {
    const Label next = g.a.newLabel(), another = g.a.newLabel(), done = g.a.newLabel();
    g.a.mov(m.low, s.board[at(w)]);
    g.a.mov(cells, g.memory(g.word(l.empty, w)));
    g.a.andn(cells, cells, m.low);
    g.a.jz(done);
    g.a.bind(next);
    g.a.tzcnt(m.low, cells);
    if (w > 0) g.a.add(m.low.r32(), 64 * w);
    g.a.mov(left, g.field(g.around.at.heights));
    g.a.movzx(left.r32(), x86::byte_ptr(left, m.low));
    g.a.imul(piece.r32(), m.low.r32(), l.levels);
    g.a.add(piece, g.codes);
    g.a.imul(place.r32(), m.low.r32(), s.levels);
    g.a.add(place.r32(), static_cast<std::int32_t>(s.first));
    g.a.mov(m.low, s.times);
    g.a.imul(place, m.low);
    g.a.mov(m.low, left);
    g.a.shr(m.low, 1);
    g.a.add(steps_of_stacks(g), m.low);
    g.a.bind(another); // so many bits of the word are codes
    g.a.mov(m.word.r32(), 8 * kCodesInWord);
    g.a.mov(m.low.r32(), left.r32());
    g.a.shl(m.low.r32(), 3);
    g.a.cmp(m.low.r32(), m.word.r32());
    g.a.cmovb(m.word.r32(), m.low.r32());
    g.a.bzhi(m.word, x86::qword_ptr(piece), m.word);
    g.a.mov(m.high, s.with);
    g.a.xor_(m.high, place);
    g.a.xor_(m.word, m.high);
    add_part(g, m);
    g.a.mov(m.low, s.times * at(kCodesInWord));
    g.a.add(place, m.low);
    g.a.add(piece, kCodesInWord);
    g.a.sub(left.r32(), kCodesInWord);
    g.a.ja(another);
    g.a.blsr(cells, cells);
    g.a.jnz(next);
    g.a.bind(done);
  }
  for (const Gp& reg : {cells, place, piece, left}) g.unpin(reg);
}

// Where the move leads: as move_key in executor/drafts.hpp.
void add_result(Generator& g, const Mixer& m, const Label& slowly) {
  const ir::Layout& l = g.code.layout;
  const MoveKeyParts& parts = g.around.move_key;
  if (l.stacks) {
    add_stacks(g, m);
    for (const KeyParts::Part& part : parts.state) add_part(g, m, part);
  } else {
    for (const KeyParts::Part& part : g.around.key.parts) add_part(g, m, part);
    for (const KeyParts::Part& part : parts.clocks) add_part(g, m, part);
  }
  const auto& of_mover = l.stacks ? parts.of_mover : g.around.key.of_mover;
  g.a.mov(m.low, of_mover[at(player_of_code(g))]);
  g.a.add(m.sum, m.low);
  g.a.xor_(m.low.r32(), m.low.r32());
  g.a.mov(m.word.r32(), g.memory(g.number(l.winners)));
  g.a.inc(m.word.r32());
  g.a.cmp(g.memory(g.number(l.decision)), 0);
  g.a.cmovz(m.word, m.low);
  g.a.mov(m.low, parts.ending);
  g.a.xor_(m.word, m.low);
  add_part(g, m);
  g.a.mov(m.low, parts.again[0]);
  if (g.uses.again) {
    g.a.mov(m.high, parts.again[1]);
    g.a.cmp(g.memory(g.number(l.again)), 0);
    if (l.players == 2)
      g.a.cmovnz(m.low, m.high);
    else
      g.a.jnz(slowly); // somebody may be out
  }
  g.a.add(m.sum, m.low);
}

// What it is counted as to look a move up, as steps_to_compare in executor/moves.hpp. Changes no register
// but one.
void count_comparing(Generator& g) {
  const ir::Layout& l = g.code.layout;
  const auto state = static_cast<std::uint32_t>(l.state_sets) * static_cast<std::uint32_t>(g.words) +
                     static_cast<std::uint32_t>(l.state_numbers);
  const Label notation = g.a.newLabel(), counted = g.a.newLabel();
  g.a.cmp(g.memory(g.number(l.full)), 0);
  g.a.jle(notation);
  if (l.stacks) {
    const Gp steps = g.fresh();
    g.a.mov(steps, steps_of_stacks(g));
    g.a.sub(g.field(g.around.at.left), steps);
    g.unpin(steps);
  }
  count_steps(g, kStepsOfComparing + state / 2);
  g.a.jmp(counted);
  g.a.bind(notation);
  count_steps(g, kStepsOfComparing);
  g.a.bind(counted);
}

// While the best moves are sought the keys of those found so far are noted: they may not count in the end.
void room_for_best_key(Generator& g, const Label& slowly) {
  const std::int32_t keys = g.around.at.best_keys;
  const Label good = g.a.newLabel();
  const Gp end = g.fresh();
  g.a.cmp(x86::byte_ptr(g.executor, g.around.at.seeking_best), 0);
  g.a.je(good);
  g.a.mov(end, g.field(keys + kEnd));
  g.a.cmp(end, g.field(keys + kLimit));
  g.a.je(slowly);
  g.a.bind(good);
  g.unpin(end);
}

void note_best_key(Generator& g, const Gp& key) {
  const std::int32_t keys = g.around.at.best_keys;
  const Label done = g.a.newLabel();
  const Gp end = g.fresh();
  g.a.cmp(x86::byte_ptr(g.executor, g.around.at.seeking_best), 0);
  g.a.je(done);
  g.a.mov(end, g.field(keys + kEnd));
  g.a.mov(x86::qword_ptr(end), key);
  g.a.add(g.field(keys + kEnd), 8);
  g.a.bind(done);
  g.unpin(end);
}

} // namespace

void compare_move(Generator& g, const I& i, const Label& slowly, const Label& known) {
  const ir::Layout& l = g.code.layout;
  const bool in_full = i.op == Op::leaf_once;
  g.forget_all();
  const Mixer m{g.claim(x86::rdx), g.fresh(), g.fresh(), g.fresh(), g.fresh()};
  g.a.xor_(m.sum.r32(), m.sum.r32());
  g.a.mov(m.factor, g.around.key.factor);
  if (in_full) {
    const Label notation = g.a.newLabel();
    g.a.mov(m.word, g.around.move_key.written);
    g.a.xor_(m.word, g.memory(written(g)));
    add_part(g, m);
    g.a.cmp(g.memory(g.number(l.full)), 0);
    g.a.jle(notation);
    add_result(g, m, slowly);
    g.a.bind(notation);
  } else {
    g.a.mov(m.word, g.memory(g.word(i.a, 0)));
    add_part(g, m);
  }
  const Gp key = m.sum;
  g.release();
  g.use(key.id());
  const Label again = g.a.newLabel(), is_new = g.a.newLabel();
  if (in_full) room_for_best_key(g, slowly);
  count_new_key(g, g.around.at.once, key, slowly, again);
  if (in_full) note_best_key(g, key);
  if (in_full) count_comparing(g);
  g.a.jmp(is_new);
  g.a.bind(again);
  if (!in_full) {
    g.a.jmp(slowly); // it begins again, in full
  } else {
    g.a.cmp(g.memory(g.number(l.full)), 0);
    g.a.jle(slowly);
    note_best_key(g, key);
    count_comparing(g);
    g.a.jmp(known);
  }
  g.a.bind(is_new);
  g.release();
  g.forget_all();
}

} // namespace boardwright::runtime::codegen

#endif
