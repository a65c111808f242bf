// Values that nobody reads aren't worked out, and a call keeps for its caller only what is read behind it.
#include "runtime/ir/flow_graph.hpp"
#include "runtime/model/index.hpp"
#include "runtime/passes/edits.hpp"
#include "runtime/passes/passes.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace boardwright::runtime::passes {

namespace {

// Instructions times words of registers: beyond that it would take longer than it saves.
constexpr std::size_t kMostWork = 400'000;
constexpr int kMostPasses = 20;

using Ir = ir::Op;
using ir::Reg;

using Words = std::vector<std::uint64_t>;

// Rows of numbers, one behind the other.
template <class T>
class Rows {
public:
  void reserve(std::size_t rows) { ends_.reserve(rows + 1); }
  void add(T value) { all_.push_back(value); }
  void add(const std::vector<T>& values) { all_.insert(all_.end(), values.begin(), values.end()); }
  void end_row() { ends_.push_back(all_.size()); }
  [[nodiscard]] std::span<const T> operator[](std::size_t row) const {
    return {all_.data() + ends_[row], ends_[row + 1] - ends_[row]};
  }

private:
  std::vector<std::size_t> ends_{0};
  std::vector<T> all_;
};

// Registers as numbers of bits: sets and numbers that are neither state nor constants.
class Followed {
public:
  explicit Followed(const ir::Code& code)
      : first_set_(code.layout.draft_sets + code.set_constants.size()),
        first_number_(code.layout.draft_numbers + code.number_constants.size()) {}

  // The bit of a register, or -1 if it isn't followed.
  [[nodiscard]] int of_set(Reg r) { return number_of(sets_, r, first_set_); }
  [[nodiscard]] int of_number(Reg r) { return number_of(numbers_, r, first_number_); }
  [[nodiscard]] int of(ir::File file, Reg r) {
    return file == ir::File::sets ? of_set(r) : file == ir::File::numbers ? of_number(r) : -1;
  }
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(next_); }

private:
  int number_of(std::vector<int>& all, Reg r, std::size_t first) {
    if (r < first) return -1;
    const std::size_t k = r - first;
    if (k >= all.size()) all.resize(k + 1, -1);
    if (all[k] < 0) all[k] = next_++;
    return all[k];
  }
  std::size_t first_set_, first_number_;
  std::vector<int> sets_, numbers_;
  int next_ = 0;
};

struct Uses {
  std::vector<int> reads, writes; // bits
  bool pure = false;              // it does nothing but write
};

// May it be left out where nobody reads what it writes? What is written by an operation that may also jump,
// or do more, keeps its old value perhaps.
[[nodiscard]] bool is_pure(Ir op) {
  const ir::Operation& o = ir::about(op);
  const char role = o.role(ir::Operand::d);
  if (o.may_fail || o.reads_d) return false;
  return (op < Ir::go && (role == 'S' || role == 'N')) || op == Ir::mark || op == Ir::best_begin;
}

void find_uses(const ir::Instruction& i, const ir::Code& code, Followed& all, Uses& u) {
  u.reads.clear();
  u.writes.clear();
  u.pure = is_pure(i.op);
  ir::each_use(code, i, [&](const ir::Use& use) {
    const int bit = all.of(use.file, use.reg);
    if (bit < 0) return;
    if (use.read) u.reads.push_back(bit);
    if (use.written && u.pure) u.writes.push_back(bit);
  });
}

[[nodiscard]] bool has(const Words& all, int bit) { return (all[at(bit / 64)] >> (bit % 64) & 1) != 0; }
void put(Words& all, int bit) { all[at(bit / 64)] |= std::uint64_t{1} << (bit % 64); }
void take(Words& all, int bit) { all[at(bit / 64)] &= ~(std::uint64_t{1} << (bit % 64)); }

// The registers that are read behind each instruction.
struct Liveness {
  const ir::Code& code;
  Followed registers;
  Rows<int> reads, writes; // bits, by instruction
  std::vector<bool> pure;
  ir::FlowGraph flow;
  // What each spill area keeps: bits, in the order of its registers. `restore` belongs to the `keep` before
  // it.
  std::vector<std::vector<int>> kept;
  std::vector<std::size_t> keeps, restores;
  std::size_t words = 0;
  std::vector<std::uint64_t> live; // before each instruction, and behind the last

  explicit Liveness(const ir::Code& code);
  [[nodiscard]] std::size_t size() const { return code.instructions.size(); }
  void behind(std::size_t k, Words& all) const;
  [[nodiscard]] bool unread(std::size_t k, const Words& later) const {
    return std::none_of(writes[k].begin(), writes[k].end(), [&](int b) { return has(later, b); });
  }
  void go_back(std::size_t k, Words& now, Words& later) const;
  [[nodiscard]] bool settle();
};

Liveness::Liveness(const ir::Code& of)
    : code(of), registers(of), pure(of.instructions.size()), flow(of), keeps(pure.size(), pure.size()),
      restores(keeps) {
  reads.reserve(size());
  writes.reserve(size());
  Uses uses;
  for (std::size_t k = 0, last = size(); k < size(); ++k) {
    const ir::Instruction& i = code.instructions[k];
    find_uses(i, code, registers, uses);
    reads.add(uses.reads);
    writes.add(uses.writes);
    pure[k] = uses.pure;
    if (i.op == Ir::keep) last = k;
    if (i.op == Ir::restore && last < size()) keeps[k] = last, restores[last] = k;
    reads.end_row();
    writes.end_row();
  }
  for (const ir::SpillArea& w : code.spill_areas) {
    std::vector<int>& bits = kept.emplace_back();
    for (const Reg r : w.sets) bits.push_back(registers.of_set(r));
    for (const Reg r : w.numbers) bits.push_back(registers.of_number(r));
  }
  words = registers.count() / 64 + 1;
}

// What is read behind an instruction.
void Liveness::behind(std::size_t k, Words& all) const {
  std::fill(all.begin(), all.end(), 0);
  for (const std::size_t n : flow.after(k))
    for (std::size_t w = 0; w < words && n <= size(); ++w) all[w] |= live[n * words + w];
}

// From what is read behind an instruction to what is read before it. What only serves to work out something
// that nobody reads isn't read itself; what a register of the state gets is.
void Liveness::go_back(std::size_t k, Words& now, Words& later) const {
  const ir::Instruction& i = code.instructions[k];
  const bool needed = !pure[k] || writes[k].empty() || !unread(k, now);
  if (pure[k])
    for (const int b : writes[k]) take(now, b);
  if (needed)
    for (const int b : reads[k]) put(now, b);
  if (i.op == Ir::restore && keeps[k] < size())
    for (const int b : kept[at(code.instructions[keeps[k]].x)])
      if (b >= 0) take(now, b);
  if (i.op == Ir::keep && restores[k] < size()) {
    behind(restores[k], later);
    for (const int b : kept[at(i.x)])
      if (b >= 0 && has(later, b)) put(now, b);
  }
}

// Goes back from the end until nothing new is found to be read. False: it would take too long.
bool Liveness::settle() {
  if (size() * words > kMostWork) return false;
  live.assign((size() + 1) * words, 0);
  Words now(words), later(words);
  bool changed = true;
  for (int pass = 0; changed; ++pass) {
    if (pass == kMostPasses) return false;
    changed = false;
    for (std::size_t k = size(); k-- > 0;) {
      behind(k, now);
      go_back(k, now, later);
      const auto before = live.begin() + static_cast<std::ptrdiff_t>(k * words);
      if (std::equal(now.begin(), now.end(), before)) continue;
      std::copy(now.begin(), now.end(), before);
      changed = true;
    }
  }
  return true;
}

} // namespace

void remove_dead_values(ir::Code& code) {
  Liveness l(code);
  if (!l.settle()) return;
  Edits edits(l.size());
  Words later(l.words);
  for (std::size_t k = 0; k < l.size(); ++k) {
    const ir::Instruction& i = code.instructions[k];
    l.behind(k, later);
    if (l.pure[k] && !l.writes[k].empty() && l.unread(k, later)) edits.remove(k);
    if (i.op != Ir::keep || l.restores[k] == l.size()) continue;
    l.behind(l.restores[k], later);
    ir::SpillArea& w = code.spill_areas[at(i.x)];
    const auto unread = [&](int bit) { return bit >= 0 && !has(later, bit); };
    std::erase_if(w.sets, [&](Reg r) { return unread(l.registers.of_set(r)); });
    std::erase_if(w.numbers, [&](Reg r) { return unread(l.registers.of_number(r)); });
  }
  edits.apply(code);
}

} // namespace boardwright::runtime::passes
