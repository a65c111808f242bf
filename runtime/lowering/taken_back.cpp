// Changes that nobody sees: what is taken back before anything reads the set needn't be done. While moves are
// searched a piece is put down, a test asks for one of the sets that tell so, and all of them are taken back.
// And changes that are seen only on the way to where they are taken back: copies do for those that look.
#include "runtime/lowering/emitter.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

namespace {

// Walks of more instructions are given up.
constexpr std::size_t kLongestLook = 100;

[[nodiscard]] bool changes_one_set(Ir op) {
  return op == Ir::put_in || op == Ir::take_out || op == Ir::join_set || op == Ir::leave_set;
}

// Do its operands tell all sets that it reads?
[[nodiscard]] bool tells_what_it_reads(Ir op) {
  switch (op) {
  case Ir::set_copy:
  case Ir::set_unite:
  case Ir::set_meet:
  case Ir::set_minus:
  case Ir::set_shift:
  case Ir::set_step:
  case Ir::set_step_back:
  case Ir::set_run:
  case Ir::set_run_shift:
  case Ir::set_flood:
  case Ir::set_rays:
  case Ir::set_slides:
  case Ir::set_between:
  case Ir::set_around:
  case Ir::set_first:
  case Ir::set_last:
  case Ir::set_cell:
  case Ir::set_add:
  case Ir::set_join:
  case Ir::copy:
  case Ir::constant:
  case Ir::add:
  case Ir::subtract:
  case Ir::multiply:
  case Ir::least:
  case Ir::greatest:
  case Ir::absolute:
  case Ir::count:
  case Ir::first:
  case Ir::last:
  case Ir::table:
  case Ir::place:
  case Ir::step_to:
  case Ir::go:
  case Ir::if_none:
  case Ir::if_some:
  case Ir::if_apart:
  case Ir::if_meet:
  case Ir::if_in:
  case Ir::if_out:
  case Ir::if_part:
  case Ir::if_not_part:
  case Ir::if_same:
  case Ir::if_not_same:
  case Ir::if_less:
  case Ir::if_not_less:
  case Ir::if_equal:
  case Ir::if_not_equal:
  case Ir::if_row:
  case Ir::if_no_row:
  case Ir::if_no_move:
  case Ir::if_move:
  case Ir::take:
  case Ir::hop:
  case Ir::hop_by:
  case Ir::mark:
  case Ir::undo:
  case Ir::put_in:
  case Ir::take_out:
  case Ir::join_set:
  case Ir::leave_set:
  case Ir::write:
  case Ir::leaf:
  case Ir::leaf_one: return true;
  default: return false;
  }
}

[[nodiscard]] bool reads_set(const ir::Instruction& i, Reg set) {
  const char* roles = ir::roles_of(i.op);
  const Reg operands[] = {i.d, i.a, i.b, i.c};
  for (std::size_t k = 0; k < 4; ++k)
    if (operands[k] == set && (roles[k] == 's' || (k > 0 && roles[k] == 'S'))) return true;
  return (i.op == Ir::set_add || i.op == Ir::set_join) && i.d == set;
}

} // namespace

// Is what an instruction changes taken back on every way from there, and is its set read on none of them?
bool Emitter::is_unseen(std::size_t change, const std::vector<bool>& gone) const {
  const Reg set = code_.instructions[change].d;
  std::vector<std::size_t> seen, todo{change + 1};
  std::vector<Reg> marks, back;
  while (!todo.empty()) {
    const std::size_t k = todo.back();
    todo.pop_back();
    if (std::find(seen.begin(), seen.end(), k) != seen.end()) continue;
    if (k >= code_.instructions.size() || seen.size() >= kLongestLook) return false;
    seen.push_back(k);
    if (gone[k]) {
      todo.push_back(k + 1);
      continue;
    }
    const ir::Instruction& i = code_.instructions[k];
    if (!tells_what_it_reads(i.op) || reads_set(i, set)) return false;
    if (i.op == Ir::mark) marks.push_back(i.d);
    if (i.op == Ir::undo) {
      back.push_back(i.a);
      continue;
    }
    if (jumps(i.op)) todo.push_back(labels_[at(i.x)]);
    if (i.op != Ir::go) todo.push_back(k + 1);
  }
  // A mark that was made after the change doesn't take it back.
  return std::none_of(back.begin(), back.end(),
                      [&](Reg m) { return std::find(marks.begin(), marks.end(), m) != marks.end(); });
}

void Emitter::remove_unseen() {
  std::vector<bool> gone(code_.instructions.size() + 1, false);
  for (const std::size_t i : dead_) gone[i] = true;
  for (std::size_t k = 0; k < code_.instructions.size(); ++k)
    if (!gone[k] && changes_one_set(code_.instructions[k].op) && is_unseen(k, gone)) forget(k);
}

// ---------------------------------------------------------------- copies

namespace {

// Copies in a row of instructions, of sets that change there: for each the register with the set as it is
// now.
class Copies {
public:
  explicit Copies(Reg first) : next_(first) {}

  [[nodiscard]] Reg of(Reg set) const {
    const auto known = copies_.find(set);
    return known == copies_.end() ? set : known->second;
  }
  // The copy, changed as the instruction changes the set.
  void change(const ir::Instruction& i, std::vector<ir::Instruction>& into) {
    ir::Instruction changed = i;
    const bool one_cell = i.op == Ir::put_in || i.op == Ir::take_out;
    const bool comes = i.op == Ir::put_in || i.op == Ir::join_set;
    changed.op = comes ? Ir::set_unite : Ir::set_minus;
    changed.a = of(i.d);
    changed.b = one_cell ? cell(i, into) : of(i.a);
    changed.d = copies_.try_emplace(i.d, next_).first->second;
    if (changed.d == next_) ++next_;
    into.push_back(changed);
  }
  void forget_number(Reg number) { cells_.erase(number); }
  [[nodiscard]] Reg next() const { return next_; }

private:
  Reg cell(const ir::Instruction& i, std::vector<ir::Instruction>& into) {
    const auto [known, fresh] = cells_.try_emplace(i.a, next_);
    if (!fresh) return known->second;
    ir::Instruction alone = i;
    alone.op = Ir::set_cell;
    alone.d = next_++;
    into.push_back(alone);
    return alone.d;
  }

  Reg next_;
  std::map<Reg, Reg> copies_, cells_; // by set; by number
};

} // namespace

// In one line to where changes of single sets are taken back: what reads the sets there reads copies, which
// need no notes.
void Emitter::change_copies_until(std::size_t undo, const std::vector<bool>& gone,
                                  const std::vector<bool>& places) {
  auto& all = code_.instructions;
  std::size_t behind = undo; // what leads there leads to the undo
  while (behind > 0 && gone[behind - 1]) --behind;
  // Tests may lead there, nothing else may lead away or to anywhere between.
  const auto goes_on = [&](std::size_t k) {
    const Ir op = all[k].op;
    if (gone[k]) return true;
    if (!tells_what_it_reads(op) || op == Ir::undo || op == Ir::go) return false;
    if (!jumps(op)) return true;
    const std::size_t to = labels_[at(all[k].x)];
    return op >= Ir::if_none && op <= Ir::if_no_row && to >= behind && to <= undo;
  };
  std::size_t begin = behind;
  while (begin > 0 && (begin == behind || !places[begin]) && goes_on(begin - 1)) --begin;
  // Behind an operation that leaves out the next one nothing may come between.
  if (begin > 0 && (all[begin - 1].op == Ir::drop || all[begin - 1].op == Ir::change)) ++begin;
  const auto changes = [&](std::size_t k) { return !gone[k] && changes_one_set(all[k].op); };
  std::size_t k = begin;
  // Changes before a mark within are taken back later.
  for (std::size_t m = begin; m < undo; ++m)
    if (!gone[m] && all[m].op == Ir::mark) k = m + 1;
  while (k < undo && !changes(k)) ++k;
  if (k >= undo) return;
  if (code_.sets + (undo - k) * 2 >= at(kMaxRegisters)) return;
  Copies copies(static_cast<Reg>(copies_begin_));
  for (; k < undo; ++k) {
    if (gone[k]) continue;
    ir::Instruction& i = all[k];
    if (changes(k)) {
      copies.change(i, inserted_[k]);
      forget(k);
      continue;
    }
    const char* roles = ir::roles_of(i.op);
    Reg* const operands[] = {&i.d, &i.a, &i.b, &i.c};
    for (std::size_t o = 1; o < 4; ++o)
      if (roles[o] == 's') *operands[o] = copies.of(*operands[o]);
    if (roles[0] == 'N' || roles[0] == 'M') copies.forget_number(i.d);
  }
  code_.sets = std::max(code_.sets, static_cast<std::uint32_t>(copies.next()));
}

void Emitter::change_copies() {
  std::vector<bool> gone(code_.instructions.size() + 1, false), places(gone);
  for (const std::size_t i : dead_) gone[i] = true;
  for (std::size_t k = 0; k < code_.instructions.size(); ++k)
    if (!gone[k] && jumps(code_.instructions[k].op)) places[labels_[at(code_.instructions[k].x)]] = true;
  for (const auto& table : code_.labels)
    for (const std::uint32_t l : table) places[labels_[l]] = true;
  for (const ir::PlayerCode& p : code_.players)
    for (const std::uint32_t entry : {p.position, p.play, p.notate, p.moves_done}) places[entry] = true;
  for (const ir::Leaf& leaf : code_.leaves) places[leaf.entry] = true;
  copies_begin_ = code_.sets;
  for (std::size_t k = 0; k < code_.instructions.size(); ++k)
    if (!gone[k] && code_.instructions[k].op == Ir::undo) change_copies_until(k, gone, places);
}

} // namespace boardwright::runtime::lowering
