// Changes that nobody sees: what is taken back before anything reads the set needn't be done. While moves are
// searched a piece is put down, a test asks for one of the sets that tell so, and all of them are taken back.
// And changes that are seen only on the way to where they are taken back: copies do for those that look.
#include "runtime/lowering/emitter.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace boardwright::runtime::lowering {

// Calls `next` with what may come next, apart from calls.
void Emitter::each_next(std::size_t k, const std::function<void(std::size_t)>& next) const {
  const ir::Instruction& i = code_.instructions[k];
  switch (i.op) {
  case Ir::halt:
  case Ir::fault:
  case Ir::ret:
  case Ir::pick:
  case Ir::end_turn:
  case Ir::put_out: return;
  case Ir::jump_table:
    for (const std::uint32_t l : code_.labels[at(i.x)]) next(labels_[l]);
    return;
  case Ir::drop:
  case Ir::change: next(k + 2); break;
  default: break;
  }
  if (jumps(i.op)) next(labels_[at(i.x)]);
  if (i.op != Ir::go && i.op != Ir::cut) next(k + 1);
}

namespace {

// Walks of more instructions are given up.
constexpr std::size_t kLongestLook = 250;
// Of code that is called so much is looked through.
constexpr std::size_t kLongestBody = 1'000;

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
  case Ir::best_test:
  case Ir::call:
  case Ir::ret:
  case Ir::keep:
  case Ir::restore:
  case Ir::choices:
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

std::vector<bool> Emitter::gone() const {
  std::vector<bool> all(code_.instructions.size() + 1, false);
  for (const std::size_t i : dead_) all[i] = true;
  return all;
}

// What is carried out by each piece of code that is called, and where its `ret`s go on. A call within it is
// passed over: where that leads is carried out too.
Emitter::Calls Emitter::calls(const std::vector<bool>& gone) const {
  Calls all;
  const std::size_t size = code_.instructions.size();
  std::map<std::size_t, std::vector<std::size_t>> sites;
  for (std::size_t k = 0; k < size; ++k)
    if (!gone[k] && code_.instructions[k].op == Ir::call)
      sites[labels_[at(code_.instructions[k].x)]].push_back(k + 1);
  for (const auto& [begin, behind] : sites) {
    std::vector<bool> seen(size + 1, false);
    std::vector<std::size_t> todo{begin};
    while (!todo.empty()) {
      const std::size_t k = todo.back();
      todo.pop_back();
      if (k >= size || seen[k]) continue;
      seen[k] = true;
      const ir::Instruction& i = code_.instructions[k];
      if (gone[k]) {
        todo.push_back(k + 1);
        continue;
      }
      all.body[begin].push_back(k);
      if (i.op == Ir::ret) {
        if (all.returns.empty()) all.returns.resize(size);
        all.returns[k].insert(all.returns[k].end(), behind.begin(), behind.end());
      } else if (i.op == Ir::call) {
        todo.push_back(k + 1);
      } else {
        each_next(k, [&](std::size_t next) { todo.push_back(next); });
      }
    }
  }
  return all;
}

// Is what an instruction changes taken back on every way from there, and is its set read on none of them? Of
// a piece of code that is called on the way nothing may read it; where one comes back to whoever has called,
// marks are again those that were made before (frame 1).
bool Emitter::is_unseen(std::size_t change, const std::vector<bool>& gone, const Calls& calls) const {
  const Reg set = code_.instructions[change].d;
  struct Place {
    std::size_t k;
    int frame;
    bool operator==(const Place&) const = default;
  };
  std::vector<Place> seen, todo{{change + 1, 0}};
  std::array<std::vector<Reg>, 2> marks, back;
  const auto has = [](const std::vector<Reg>& all, Reg r) {
    return std::find(all.begin(), all.end(), r) != all.end();
  };
  const auto may_read = [&](const ir::Instruction& i) {
    return !tells_what_it_reads(i.op) || reads_set(i, set);
  };
  while (!todo.empty()) {
    const auto [k, frame] = todo.back();
    todo.pop_back();
    if (std::find(seen.begin(), seen.end(), Place{k, frame}) != seen.end()) continue;
    if (k >= code_.instructions.size() || seen.size() >= kLongestLook) return false;
    seen.push_back({k, frame});
    if (gone[k]) {
      todo.push_back({k + 1, frame});
      continue;
    }
    const ir::Instruction& i = code_.instructions[k];
    if (may_read(i)) return false;
    if (i.op == Ir::mark) marks[at(frame)].push_back(i.d);
    if (i.op == Ir::undo && !has(marks[at(frame)], i.a)) {
      back[at(frame)].push_back(i.a);
      continue;
    }
    if (i.op == Ir::ret) {
      if (calls.returns.empty() || calls.returns[k].empty()) return false;
      for (const std::size_t behind : calls.returns[k]) todo.push_back({behind, 1});
    } else if (i.op == Ir::call) {
      const auto body = calls.body.find(labels_[at(i.x)]);
      if (body == calls.body.end() || body->second.size() > kLongestBody) return false;
      for (const std::size_t in : body->second) {
        const ir::Instruction& j = code_.instructions[in];
        if (may_read(j) || (j.op == Ir::call && labels_[at(j.x)] != labels_[at(i.x)])) return false;
      }
      todo.push_back({k + 1, frame});
    } else {
      if (jumps(i.op)) todo.push_back({labels_[at(i.x)], frame});
      if (i.op != Ir::go) todo.push_back({k + 1, frame});
    }
  }
  // A mark that was made after the change doesn't take it back.
  for (const std::size_t frame : {0U, 1U})
    for (const Reg m : back[frame])
      if (has(marks[frame], m)) return false;
  return true;
}

void Emitter::remove_unseen() {
  std::vector<bool> gone = this->gone();
  const Calls calls = this->calls(gone);
  for (std::size_t k = 0; k < code_.instructions.size(); ++k)
    if (!gone[k] && changes_one_set(code_.instructions[k].op) && is_unseen(k, gone, calls)) forget(k);
}

// ---------------------------------------------------------------- what takes nothing back

namespace {

[[nodiscard]] bool changes_anything(Ir op) {
  return op == Ir::call || (op >= Ir::put_in && op <= Ir::gone_back) || op == Ir::again || op == Ir::ret;
}

} // namespace

// Since which marks has nothing been changed? Wherever that is so an undo does nothing: a jump to it leads
// behind it, and one that is come to in no other way is left out.
void Emitter::remove_idle_undos() {
  using Clean = std::vector<Reg>;
  const std::vector<bool> gone = this->gone();
  const std::size_t size = code_.instructions.size();
  std::vector<std::optional<Clean>> coming(size + 1); // from before, by jumps
  std::vector<bool> unknown(size + 1, false);         // come to from elsewhere too
  for (std::size_t k = 0; k < size; ++k) {
    const ir::Instruction& i = code_.instructions[k];
    if (gone[k] || !jumps(i.op)) continue;
    const std::size_t to = labels_[at(i.x)];
    if (to <= k || i.op == Ir::call || i.op == Ir::cut) unknown[to] = true;
  }
  for (const auto& table : code_.labels)
    for (const std::uint32_t l : table) unknown[std::min<std::size_t>(labels_[l], size)] = true;
  const auto meet = [](std::optional<Clean>& all, const Clean& other) {
    if (!all)
      all = other;
    else
      std::erase_if(*all, [&](Reg m) { return std::find(other.begin(), other.end(), m) == other.end(); });
  };
  std::optional<Clean> now; // none: nothing comes here from above
  for (std::size_t k = 0; k < size; ++k) {
    if (coming[k]) meet(now, *coming[k]);
    if (unknown[k]) now = Clean();
    if (gone[k]) continue;
    if (!now) now = Clean();
    ir::Instruction& i = code_.instructions[k];
    const auto clean = [&](Reg m) { return std::find(now->begin(), now->end(), m) != now->end(); };
    if (i.op == Ir::undo) {
      if (clean(i.a)) forget(k);
      now->push_back(i.a);
    } else if (changes_anything(i.op)) {
      now->clear();
    } else if (ir::roles_of(i.op)[0] == 'N') { // whatever it was
      std::erase(*now, i.d);
      if (i.op == Ir::mark) now->push_back(i.d);
    }
    if (i.op == Ir::restore || i.op == Ir::moves_done) now->clear();
    if (jumps(i.op) && i.op != Ir::call && i.op != Ir::cut) {
      std::size_t to = labels_[at(i.x)];
      while (to > k && to < size &&
             (gone[to] || (code_.instructions[to].op == Ir::undo && clean(code_.instructions[to].a))))
        ++to;
      if (to > k) meet(coming[to], *now);
      if (to != labels_[at(i.x)]) {
        labels_.push_back(static_cast<std::uint32_t>(to));
        i.x = static_cast<std::int32_t>(labels_.size() - 1);
      }
    }
    if (i.op == Ir::go || i.op == Ir::halt || i.op == Ir::ret || i.op == Ir::fault || i.op == Ir::cut ||
        i.op == Ir::pick || i.op == Ir::end_turn || i.op == Ir::jump_table)
      now.reset();
  }
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
    if (!tells_what_it_reads(op) || op == Ir::undo || op == Ir::go || op == Ir::ret) return false;
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
  // A table whose code was given up may lead past the end.
  for (const auto& table : code_.labels)
    for (const std::uint32_t l : table) places[std::min<std::size_t>(labels_[l], places.size() - 1)] = true;
  for (const ir::PlayerCode& p : code_.players)
    for (const std::uint32_t entry : {p.position, p.play, p.notate, p.moves_done}) places[entry] = true;
  for (const ir::Leaf& leaf : code_.leaves) places[leaf.entry] = true;
  copies_begin_ = code_.sets;
  for (std::size_t k = 0; k < code_.instructions.size(); ++k)
    if (!gone[k] && code_.instructions[k].op == Ir::undo) change_copies_until(k, gone, places);
}

} // namespace boardwright::runtime::lowering
