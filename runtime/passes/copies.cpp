// Changes that are seen only on the way to where they are taken back: copies do for those that look.
#include "runtime/ir/operations.hpp"
#include "runtime/passes/edits.hpp"
#include "runtime/passes/passes.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace boardwright::runtime::passes {

namespace {

using Ir = ir::Op;
using ir::Reg;

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

class ByCopies {
public:
  explicit ByCopies(ir::Code& code);
  void run();

private:
  [[nodiscard]] bool goes_on(std::size_t k, std::size_t undo) const;
  [[nodiscard]] std::size_t begin_of(std::size_t undo) const;
  [[nodiscard]] bool changes(std::size_t k) const { return ir::changes_one_set(all_[k].op); }
  void change_until(std::size_t undo);

  ir::Code& code_;
  std::vector<ir::Instruction>& all_;
  Edits edits_;
  std::vector<bool> places_; // that something leads to
  Reg first_;                // of the sets that copies stand in
};

ByCopies::ByCopies(ir::Code& code)
    : code_(code), all_(code.instructions), edits_(all_.size()), places_(all_.size() + 1, false),
      first_(static_cast<Reg>(code.sets)) {
  for (const ir::Instruction& i : all_)
    if (ir::jumps(i.op)) places_[static_cast<std::size_t>(i.x)] = true;
  for (const auto& table : code.labels)
    for (const std::uint32_t to : table) places_[to] = true;
  for (const ir::PlayerCode& p : code.players)
    for (const std::uint32_t entry : {p.position, p.play, p.notate, p.moves_done}) places_[entry] = true;
  for (const ir::Leaf& leaf : code.leaves) places_[leaf.entry] = true;
}

// Tests may lead to the undo, nothing else may lead away or to anywhere between.
bool ByCopies::goes_on(std::size_t k, std::size_t undo) const {
  const Ir op = all_[k].op;
  if (edits_.removed(k)) return true;
  if (!ir::about(op).names_all || !ir::about(op).goes_on || op == Ir::undo) return false;
  if (!ir::jumps(op)) return true;
  return op >= Ir::if_none && op <= Ir::if_no_row && static_cast<std::size_t>(all_[k].x) == undo;
}

// Where the line of instructions begins that leads to an undo and works on copies: it is the undo itself if
// there is none.
std::size_t ByCopies::begin_of(std::size_t undo) const {
  std::size_t begin = undo;
  while (begin > 0 && (begin == undo || !places_[begin]) && goes_on(begin - 1, undo)) --begin;
  // Behind an operation that may leave out the next one nothing may come between.
  if (begin > 0 && ir::about(all_[begin - 1].op).leaves_out) ++begin;
  // Changes before a mark within are taken back later.
  for (std::size_t m = begin; m < undo; ++m)
    if (all_[m].op == Ir::mark) begin = m + 1;
  while (begin < undo && !changes(begin)) ++begin;
  return std::min(begin, undo);
}

// What reads the sets that are changed on the way to where that is taken back reads copies, which need no
// notes.
void ByCopies::change_until(std::size_t undo) {
  const std::size_t begin = begin_of(undo);
  if (begin == undo || code_.sets + (undo - begin) * 2 >= static_cast<std::size_t>(ir::kMaxRegisters)) return;
  Copies copies(first_);
  for (std::size_t k = begin; k < undo; ++k) {
    ir::Instruction& i = all_[k];
    if (edits_.removed(k)) continue;
    if (changes(k)) {
      std::vector<ir::Instruction> instead;
      copies.change(i, instead);
      for (const ir::Instruction& j : instead) edits_.insert(k, j);
      edits_.remove(k);
      continue;
    }
    const ir::Operation& o = ir::about(i.op);
    Reg* const operands[] = {&i.d, &i.a, &i.b, &i.c};
    for (std::size_t n = 1; n < ir::kRegisterOperands; ++n)
      if (o.roles[n] == 's') *operands[n] = copies.of(*operands[n]);
    ir::each_use(code_, i, [&](const ir::Use& use) {
      if (use.file == ir::File::numbers && use.written) copies.forget_number(use.reg);
    });
  }
  code_.sets = std::max(code_.sets, static_cast<std::uint32_t>(copies.next()));
}

void ByCopies::run() {
  for (std::size_t k = 0; k < all_.size(); ++k)
    if (all_[k].op == Ir::undo) change_until(k);
  edits_.apply(code_);
}

} // namespace

void replace_by_copies(ir::Code& code) { ByCopies(code).run(); }

} // namespace boardwright::runtime::passes
