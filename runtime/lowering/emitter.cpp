#include "runtime/lowering/emitter.hpp"

#include "runtime/passes/edits.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace boardwright::runtime::lowering {

namespace {

// Constants stand between the draft and the values. There is room for so many.
constexpr int kMostConstants = 4'000;

} // namespace

void Emitter::begin_registers(int sets, int numbers) {
  next_set_ = sets + kMostConstants;
  next_number_ = numbers + kMostConstants;
  next_box_ = 0;
  code_.sets = static_cast<std::uint32_t>(next_set_);
  code_.numbers = static_cast<std::uint32_t>(next_number_);
}

Reg Emitter::set_constant(const CellSet& set) {
  for (const auto& [known, reg] : set_constants_)
    if (known == set) return reg;
  if (code_.set_constants.size() >= at(kMostConstants)) too_large_ = true;
  if (too_large_) return code_.layout.draft_sets;
  const auto reg = static_cast<Reg>(code_.layout.draft_sets + code_.set_constants.size());
  code_.set_constants.push_back(set);
  set_constants_.emplace_back(set, reg);
  return reg;
}

// Apart from sets of cells, so that they can be told apart where they are printed.
Reg Emitter::directions(const StepSet& steps) {
  for (const auto& [known, reg] : directions_)
    if (known == steps) return reg;
  if (code_.set_constants.size() >= at(kMostConstants)) too_large_ = true;
  if (too_large_) return code_.layout.draft_sets;
  const auto reg = static_cast<Reg>(code_.layout.draft_sets + code_.set_constants.size());
  CellSet& members = code_.set_constants.emplace_back();
  steps.each([&](int s) { members.set(s); });
  code_.directions.push_back(reg);
  directions_.emplace_back(steps, reg);
  return reg;
}

Reg Emitter::new_kept_set() {
  if (code_.set_constants.size() >= at(kMostConstants)) too_large_ = true;
  if (too_large_) return code_.layout.draft_sets;
  const auto reg = static_cast<Reg>(code_.layout.draft_sets + code_.set_constants.size());
  code_.set_constants.emplace_back();
  code_.cached_sets.push_back(reg);
  return reg;
}

Reg Emitter::number_constant(std::int32_t n) {
  if (const auto known = number_constants_.find(n); known != number_constants_.end()) return known->second;
  if (code_.number_constants.size() >= at(kMostConstants)) too_large_ = true;
  if (too_large_) return code_.layout.draft_numbers;
  const auto reg = static_cast<Reg>(code_.layout.draft_numbers + code_.number_constants.size());
  code_.number_constants.push_back(n);
  number_constants_[n] = reg;
  return reg;
}

const CellSet* Emitter::known_set(Reg r) const {
  const std::size_t first = code_.layout.draft_sets;
  if (std::find(code_.cached_sets.begin(), code_.cached_sets.end(), r) != code_.cached_sets.end())
    return nullptr;
  return r >= first && r < first + code_.set_constants.size() ? &code_.set_constants[r - first] : nullptr;
}

std::optional<std::int32_t> Emitter::known_number(Reg r) const {
  const std::size_t first = code_.layout.draft_numbers;
  if (r < first || r >= first + code_.number_constants.size()) return std::nullopt;
  return code_.number_constants[r - first];
}

bool Emitter::changes_since(std::size_t begin) const {
  for (std::size_t i = begin; i < code_.instructions.size(); ++i) {
    const ir::Instruction& in = code_.instructions[i];
    if (in.op == Ir::call || ir::changes_state(in.op)) return true;
  }
  return false;
}

bool Emitter::begins_since(std::size_t begin) const {
  return std::any_of(code_.instructions.begin() + static_cast<std::ptrdiff_t>(begin),
                     code_.instructions.end(), [](const ir::Instruction& i) {
                       return i.op == Ir::call || i.op == Ir::keep || i.op == Ir::outcomes_begin;
                     });
}

// ---------------------------------------------------------------- values

std::optional<Reg> Emitter::known(const Key& key) const {
  const auto found = known_.find(key);
  return found == known_.end() ? std::nullopt : std::optional(found->second.reg);
}

Reg Emitter::copied(Reg set) {
  const Reg kept = new_set();
  emit(Ir::set_copy, kept, set);
  remember({static_cast<std::int32_t>(Ir::set_copy), set, 0, 0, 0, 0, 0}, {kept, parts_of_set(set)});
  return kept;
}

Reg Emitter::source_of(Reg copy) const {
  const auto made = made_by(copy);
  return made && made->op == Ir::set_copy ? made->a : copy;
}

std::optional<ir::Instruction> Emitter::made_by(Reg set) const {
  for (const auto& [key, value] : known_) {
    if (value.reg != set || key[6] != 0) continue;
    ir::Instruction i;
    i.op = static_cast<Ir>(key[0]);
    i.d = set;
    i.a = static_cast<Reg>(key[1]), i.b = static_cast<Reg>(key[2]), i.c = static_cast<Reg>(key[3]);
    i.x = key[4];
    return i;
  }
  return std::nullopt;
}

void Emitter::remember(const Key& key, Known value) {
  const auto found = known_.find(key);
  log_.emplace_back(key, found == known_.end() ? std::nullopt : std::optional(found->second));
  known_[key] = value;
}

void Emitter::roll_back(std::size_t log) {
  while (log_.size() > log) {
    auto& [key, old] = log_.back();
    if (old)
      known_[key] = *old;
    else
      known_.erase(key);
    log_.pop_back();
  }
}

void Emitter::changed(Parts parts) {
  for (auto k = known_.begin(); k != known_.end();)
    if ((k->second.parts & parts) != 0) {
      log_.emplace_back(k->first, k->second);
      k = known_.erase(k);
    } else {
      ++k;
    }
}

void Emitter::forget_values() {
  for (const auto& [key, value] : known_) log_.emplace_back(key, value);
  known_.clear();
}

void Emitter::depend(Reg set, Parts parts) {
  if (set_parts_.size() <= set) set_parts_.resize(at(set) + 1);
  set_parts_[set] = parts;
}

void Emitter::number_depends(Reg number, Parts parts) {
  if (number_parts_.size() <= number) number_parts_.resize(at(number) + 1);
  number_parts_[number] = parts;
}

namespace {

template <class OfSet, class OfNumber>
Parts parts_read(Ir op, int a, int b, int c, OfSet of_set, OfNumber of_number) {
  Parts all = 0;
  const std::string_view roles = ir::about(op).roles;
  const int operands[] = {a, b, c};
  for (std::size_t k = 0; k < 3; ++k)
    if (roles[k + 1] == 's')
      all |= of_set(static_cast<Reg>(operands[k]));
    else if (roles[k + 1] == 'n')
      all |= of_number(static_cast<Reg>(operands[k]));
  return all;
}

} // namespace

Reg Emitter::set_value(Ir op, int a, int b, int c, std::int32_t x, Parts more, int y) {
  const Key key{static_cast<std::int32_t>(op), a, b, c, x, y, 0};
  if (const auto r = known(key)) return *r;
  const Reg d = new_set();
  const bool straight = std::exchange(straight_, false);
  emit(op, d, a, b, c, x, y);
  straight_ = straight;
  const Parts parts = more | parts_read(
                                 op, a, b, c, [this](Reg r) { return parts_of_set(r); },
                                 [this](Reg r) { return parts_of_number(r); });
  depend(d, parts);
  remember(key, {d, parts});
  return d;
}

Reg Emitter::number_value(Ir op, int a, int b, int c, std::int32_t x, Parts more) {
  const Key key{static_cast<std::int32_t>(op), a, b, c, x, 0, 1};
  if (const auto r = known(key)) return *r;
  const Reg d = new_number();
  const bool straight = std::exchange(straight_, false);
  emit(op, d, a, b, c, x);
  straight_ = straight;
  const Parts parts = more | parts_read(
                                 op, a, b, c, [this](Reg r) { return parts_of_set(r); },
                                 [this](Reg r) { return parts_of_number(r); });
  number_depends(d, parts);
  remember(key, {d, parts});
  return d;
}

// ---------------------------------------------------------------- the end

// Values that nothing reads, in code that goes on in one line from `begin` (its registers are its own).
void Emitter::remove_unread(std::size_t begin) {
  std::vector<bool> gone(code_.instructions.size() - begin, false);
  for (const std::size_t i : dead_)
    if (i >= begin) gone[i - begin] = true;
  bool again = true;
  while (again) {
    again = false;
    std::set<std::pair<ir::File, Reg>> read;
    for (std::size_t k = 0; k < gone.size(); ++k) {
      if (gone[k]) continue;
      const ir::Instruction& i = code_.instructions[begin + k];
      const bool adds = ir::about(i.op).reads_d; // nobody asks for it but what adds to it
      ir::each_use(code_, i, [&](const ir::Use& use) {
        if (use.read && !(adds && use.written && use.reg == i.d)) read.emplace(use.file, use.reg);
      });
    }
    for (std::size_t k = 0; k < gone.size(); ++k) {
      if (gone[k]) continue;
      const ir::Instruction& i = code_.instructions[begin + k];
      const char role = ir::about(i.op).role(ir::Operand::d);
      // A list was made without a fault when the move was found, and so it would be now.
      const bool pure = i.op < Ir::go && (role == 'S' || role == 'N' || role == 'B') && i.op != Ir::hand;
      const ir::File file = role == 'S' ? ir::File::sets : role == 'N' ? ir::File::numbers : ir::File::boxes;
      if (!pure || read.contains({file, i.d})) continue;
      gone[k] = again = true;
      dead_.push_back(begin + k);
    }
  }
}

namespace {

// Values follow the constants: there was room for more of these.
void close_gap(ir::Code& code) {
  const std::size_t first_set = code.layout.draft_sets + at(kMostConstants);
  const std::size_t first_number = code.layout.draft_numbers + at(kMostConstants);
  const std::size_t sets = code.layout.draft_sets + code.set_constants.size();
  const std::size_t numbers = code.layout.draft_numbers + code.number_constants.size();
  const auto moved_set = [&](Reg& r) { r = r < first_set ? r : static_cast<Reg>(r - (first_set - sets)); };
  const auto moved_number = [&](Reg& r) {
    r = r < first_number ? r : static_cast<Reg>(r - (first_number - numbers));
  };
  const auto moved_choices = [&](std::vector<ir::Choice>& choices) {
    for (ir::Choice& c : choices) {
      if (c.from != ir::Choice::From::number) continue;
      auto r = static_cast<Reg>(c.value);
      moved_number(r);
      c.value = r;
    }
  };
  for (ir::Instruction& i : code.instructions) {
    Reg* const operands[] = {&i.d, &i.a, &i.b, &i.c};
    for (std::size_t k = 0; k < ir::kRegisterOperands; ++k) {
      const char role = ir::about(i.op).roles[k];
      if (role == 's' || role == 'S' || role == 'W') moved_set(*operands[k]);
      if (role == 'n' || role == 'N' || role == 'M') moved_number(*operands[k]);
    }
  }
  for (ir::DraftKey& key : code.keys) {
    for (Reg& r : key.sets) moved_set(r);
    for (Reg& r : key.numbers) moved_number(r);
  }
  for (ir::SpillArea& w : code.spill_areas) {
    for (Reg& r : w.sets) moved_set(r);
    for (Reg& r : w.numbers) moved_number(r);
  }
  for (ir::Leaf& leaf : code.leaves) {
    for (Reg& r : leaf.values) moved_number(r);
    moved_choices(leaf.choices);
    if (leaf.base < 0) continue;
    auto base = static_cast<Reg>(leaf.base);
    moved_number(base);
    leaf.base = base;
  }
  for (auto& list : code.choice_lists) moved_choices(list);
  code.sets -= static_cast<std::uint32_t>(first_set - sets);
  code.numbers -= static_cast<std::uint32_t>(first_number - numbers);
}

} // namespace

void Emitter::finish() {
  auto& all = code_.instructions;
  for (ir::Instruction& i : all)
    if (jumps(i.op)) i.x = static_cast<std::int32_t>(labels_[at(i.x)]);
  passes::Edits edits(all.size());
  for (const std::size_t i : dead_) edits.remove(i);
  // The places of a table whose code was given up are nowhere.
  std::vector<bool> used(code_.labels.size(), false);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].op == Ir::jump_table && !edits.removed(k)) used[at(all[k].x)] = true;
  for (std::size_t t = 0; t < code_.labels.size(); ++t) {
    if (!used[t]) code_.labels[t].clear();
    for (std::uint32_t& l : code_.labels[t]) l = labels_[l];
  }
  edits.apply(code_);
  close_gap(code_);
}

} // namespace boardwright::runtime::lowering
