// Values that nobody reads aren't worked out, and a call keeps for its caller only what is read behind it.
#include "runtime/lowering/emitter.hpp"

#include <algorithm>
#include <array>

namespace boardwright::runtime::lowering {

namespace {

// Instructions times words of registers: beyond that it would take longer than it saves.
constexpr std::size_t kMostWork = 400'000;
constexpr int kMostPasses = 20;

using Words = std::vector<std::uint64_t>;

// Registers as numbers of bits: sets and numbers that are neither state nor constants.
class Followed {
public:
  explicit Followed(const ir::Code& code)
      : first_set_(code.layout.draft_sets + code.set_constants.size()),
        first_number_(code.layout.draft_numbers + code.number_constants.size()) {}

  // Its bit, or -1 if it isn't followed.
  [[nodiscard]] int of_set(Reg r) { return number_of(sets_, r, first_set_); }
  [[nodiscard]] int of_number(Reg r) { return number_of(numbers_, r, first_number_); }
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(next_); }

private:
  int number_of(std::map<Reg, int>& all, Reg r, std::size_t first) {
    if (r < first) return -1;
    const auto [known, fresh] = all.try_emplace(r, next_);
    if (fresh) ++next_;
    return known->second;
  }
  std::size_t first_set_, first_number_;
  std::map<Reg, int> sets_, numbers_;
  int next_ = 0;
};

struct Uses {
  std::vector<int> reads, writes; // bits
  bool pure = false;              // it does nothing but write
};

[[nodiscard]] bool changes_first(Ir op) {
  return op == Ir::set_add || op == Ir::set_join || op == Ir::best_test;
}

[[nodiscard]] bool is_pure(Ir op) {
  const char role = ir::roles_of(op)[0];
  if (op == Ir::hand || changes_first(op)) return false; // it may go wrong
  return (op < Ir::go && (role == 'S' || role == 'N')) || op == Ir::mark || op == Ir::best_begin;
}

Uses uses_of(const ir::Instruction& i, const ir::Code& code, Followed& all) {
  Uses u;
  u.pure = is_pure(i.op);
  const auto read_set = [&](Reg r) { u.reads.push_back(all.of_set(r)); };
  const auto read_number = [&](Reg r) { u.reads.push_back(all.of_number(r)); };
  const auto read_choice = [&](const ir::Choice& c) {
    if (c.from == ir::Choice::From::number) read_number(static_cast<Reg>(c.value));
  };
  const auto read_key = [&](std::int32_t key) {
    for (const Reg r : code.keys[at(key)].sets) read_set(r);
    for (const Reg r : code.keys[at(key)].numbers) read_number(r);
  };
  const char* roles = ir::roles_of(i.op);
  const std::array<Reg, 4> operands{i.d, i.a, i.b, i.c};
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const bool set = roles[k] == 's' || roles[k] == 'S', number = roles[k] == 'n' || roles[k] == 'N';
    if (!set && !number) continue;
    // Operands behind the first that are written are read too. What is written by an operation that may also
    // jump, or do more, keeps its old value perhaps: that is neither.
    const bool reads = k > 0 || roles[0] == 's' || roles[0] == 'n' || changes_first(i.op);
    if (reads)
      set ? read_set(operands[k]) : read_number(operands[k]);
    else if (u.pure)
      u.writes.push_back(set ? all.of_set(operands[k]) : all.of_number(operands[k]));
  }
  switch (i.op) {
  case Ir::mark: u.writes.push_back(all.of_number(static_cast<Reg>(i.d + 1))); break;
  case Ir::undo: read_number(static_cast<Reg>(i.a + 1)); break;
  case Ir::best_test:
  case Ir::best_end:
    for (int k = 0; k < 3; ++k) read_number(static_cast<Reg>((i.op == Ir::best_test ? i.b : i.a) + k));
    break;
  case Ir::cut:
    for (int k = 0; k < 4; ++k) read_number(static_cast<Reg>(i.a + k));
    break;
  case Ir::choices:
    for (const ir::Choice& c : code.choice_lists[at(i.x)]) read_choice(c);
    break;
  case Ir::leaf:
  case Ir::leaf_one:
  case Ir::leaf_key:
  case Ir::leaf_keys:
  case Ir::leaf_once: {
    const ir::Leaf& leaf = code.leaves[at(i.x)];
    for (const Reg r : leaf.values) read_number(r);
    for (const ir::Choice& c : leaf.choices) read_choice(c);
    if (leaf.base >= 0) read_number(static_cast<Reg>(leaf.base));
    break;
  }
  case Ir::path_enter:
  case Ir::visit:
  case Ir::memo_enter:
  case Ir::outcomes_note:
  case Ir::outcomes_test:
    // Where it stands depends on the operation.
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}, std::size_t{3}})
      if (roles[k] == 't') read_key(operands[k]);
    break;
  default: break;
  }
  std::erase(u.reads, -1);
  std::erase(u.writes, -1);
  return u;
}

[[nodiscard]] bool has(const Words& all, int bit) { return (all[at(bit / 64)] >> (bit % 64) & 1) != 0; }
void put(Words& all, int bit) { all[at(bit / 64)] |= std::uint64_t{1} << (bit % 64); }
void take(Words& all, int bit) { all[at(bit / 64)] &= ~(std::uint64_t{1} << (bit % 64)); }

} // namespace

// Goes back from the end until nothing new is found to be read. What only serves to work out something that
// nobody reads isn't read itself.
void Emitter::remove_dead() {
  const std::size_t size = code_.instructions.size();
  const std::vector<bool> gone = this->gone();
  Followed registers(code_);
  std::vector<Uses> uses(size);
  for (std::size_t k = 0; k < size; ++k) {
    if (gone[k]) continue;
    uses[k] = uses_of(code_.instructions[k], code_, registers);
  }
  const Calls calls = this->calls(gone);
  // What each window keeps: bits, in the order of its registers. `restore` belongs to the `keep` before it.
  std::vector<std::vector<int>> kept(code_.windows.size());
  for (std::size_t w = 0; w < kept.size(); ++w) {
    for (const Reg r : code_.windows[w].sets) kept[w].push_back(registers.of_set(r));
    for (const Reg r : code_.windows[w].numbers) kept[w].push_back(registers.of_number(r));
  }
  std::vector<std::size_t> keeps(size, size), restores(size, size);
  for (std::size_t k = 0, last = size; k < size; ++k) {
    if (gone[k]) continue;
    if (code_.instructions[k].op == Ir::keep) last = k;
    if (code_.instructions[k].op == Ir::restore && last < size) keeps[k] = last, restores[last] = k;
  }
  const std::size_t words = registers.count() / 64 + 1;
  if (size * words > kMostWork) return;
  std::vector<Words> live(size + 1, Words(words)); // before each instruction
  const auto behind = [&](std::size_t k) {
    Words all(words);
    const auto join = [&](std::size_t next) {
      for (std::size_t w = 0; w < words && next <= size; ++w) all[w] |= live[next][w];
    };
    const ir::Instruction& i = code_.instructions[k];
    if (gone[k]) {
      join(k + 1);
    } else if (i.op == Ir::ret) {
      if (!calls.returns.empty())
        for (const std::size_t next : calls.returns[k]) join(next);
    } else if (i.op == Ir::call) {
      join(labels_[at(i.x)]);
    } else {
      each_next(k, join);
    }
    return all;
  };
  bool changed = true;
  for (int pass = 0; changed; ++pass) {
    if (pass == kMostPasses) return;
    changed = false;
    for (std::size_t k = size; k-- > 0;) {
      Words now = behind(k);
      const ir::Instruction& i = code_.instructions[k];
      if (!gone[k]) {
        const Uses& u = uses[k];
        const bool dead =
            u.pure && std::none_of(u.writes.begin(), u.writes.end(), [&](int b) { return has(now, b); });
        // What a register of the state gets is read.
        const bool written = !u.pure || !dead || u.writes.empty();
        if (u.pure)
          for (const int b : u.writes) take(now, b);
        if (written)
          for (const int b : u.reads) put(now, b);
        if (i.op == Ir::restore && keeps[k] < size)
          for (const int b : kept[at(code_.instructions[keeps[k]].x)])
            if (b >= 0) take(now, b);
        if (i.op == Ir::keep && restores[k] < size) {
          const Words later = behind(restores[k]);
          for (const int b : kept[at(i.x)])
            if (b >= 0 && has(later, b)) put(now, b);
        }
      }
      if (now == live[k]) continue;
      live[k] = std::move(now);
      changed = true;
    }
  }
  for (std::size_t k = 0; k < size; ++k) {
    if (gone[k]) continue;
    const ir::Instruction& i = code_.instructions[k];
    const Words later = behind(k);
    const Uses& u = uses[k];
    if (u.pure && !u.writes.empty() &&
        std::none_of(u.writes.begin(), u.writes.end(), [&](int b) { return has(later, b); }))
      forget(k);
    if (i.op != Ir::keep || restores[k] == size) continue;
    const Words read = behind(restores[k]);
    ir::Window& w = code_.windows[at(i.x)];
    std::erase_if(w.sets, [&](Reg r) { return !has(read, registers.of_set(r)); });
    std::erase_if(w.numbers, [&](Reg r) { return !has(read, registers.of_number(r)); });
  }
}

} // namespace boardwright::runtime::lowering
