// A loop over the members of a set that only sifts them becomes a set.
//
// Where a condition is asked of one move after the other, code goes through the cells that are left, and
// finds a move for each that passes:
//
//   L: take c <- S, E;  place from <- c;  …;  X = F(c) & {c};  if_some X, N;  leaf_one (from, c);  N: go L;
//   E:
//
// If F is made of sets that the loop doesn't change and of {c} itself by union, meet, difference and shifts,
// then whether c is in F(c) is whether c is in a set that doesn't depend on c: in shift(A - {c}) it is where
// it is in shift(A), since no shift leads a cell to itself. So the loop is `leaf S - F'`, with the cell left
// open. The moves and their order stay the same: sets, too, are gone through from the lowest cell on.
//
// A cell that is always as far from c (where a step came from) is told likewise. And F may be met by what
// lies around c: then it is asked along each step whether the cell there is in F.
#include "runtime/ir/flow_graph.hpp"
#include "runtime/model/index.hpp"
#include "runtime/passes/edits.hpp"
#include "runtime/passes/passes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace boardwright::runtime::passes {

namespace {

using ir::Instruction;
using ir::Op;
using ir::Reg;

[[nodiscard]] char role_of(const Instruction& i, std::size_t operand) {
  return ir::about(i.op).roles[operand];
}

// Does an operation do nothing but write a set or number, whatever its operands are? (Members of lists must
// be there.)
[[nodiscard]] bool is_plain(Op op) {
  const ir::Operation& o = ir::about(op);
  const char role = o.role(ir::Operand::d);
  const bool of_lists = o.roles.find_first_of("Bb") != std::string_view::npos;
  return op < Op::go && (role == 'S' || role == 'N') && !o.may_fail && !o.reads_d && !of_lists;
}

// What an instruction does with one register.
struct Touches {
  bool reads = false, writes = false;
};

[[nodiscard]] Touches touches(const ir::Code& code, const Instruction& i, ir::File file, Reg reg) {
  Touches t;
  ir::each_use(code, i, [&](const ir::Use& use) {
    if (use.file != file || use.reg != reg) return;
    t.reads = t.reads || use.read;
    t.writes = t.writes || use.written;
  });
  if (i.op != Op::keep) return t;
  // What is kept may be read behind what takes it back.
  const ir::SpillArea& w = code.spill_areas[at(i.x)];
  const std::vector<Reg>& kept = file == ir::File::sets ? w.sets : w.numbers;
  t.reads = t.reads || std::find(kept.begin(), kept.end(), reg) != kept.end();
  return t;
}

// Does a new value stand in the register where the instruction leads to `to`?
[[nodiscard]] bool writes_on_way(const Instruction& i, std::size_t k, std::size_t to) {
  const bool jump = ir::jumps(i.op) && to == at(i.x);
  switch (ir::about(i.op).written) {
  case ir::Operation::Written::always: return true;
  case ir::Operation::Written::behind: return !jump;
  case ir::Operation::Written::where_it_jumps: return jump && to != k + 1;
  }
  return false;
}

// May the value that a register has where `begin` is come to be read, there or later in the turn? True also
// where that would take too long to find out.
[[nodiscard]] bool is_read_from(const ir::Code& code, const ir::FlowGraph& flow, std::size_t begin,
                                ir::File file, Reg reg) {
  constexpr std::size_t kLongestWalk = 20'000;
  std::vector<bool> seen(code.instructions.size(), false);
  std::vector<std::size_t> todo{begin};
  for (std::size_t walked = 0; !todo.empty();) {
    const std::size_t k = todo.back();
    todo.pop_back();
    if (k >= seen.size() || seen[k]) continue;
    seen[k] = true;
    const Instruction& i = code.instructions[k];
    const Touches t = touches(code, i, file, reg);
    if (t.reads || ++walked > kLongestWalk) return true;
    for (const std::uint32_t to : flow.after(k))
      if (!t.writes || !writes_on_way(i, k, to)) todo.push_back(to);
  }
  return false;
}

// A set without the cell c in it: nothing, everything, or what stands in a register.
struct Stripped {
  enum class Kind : std::uint8_t { none, all, set } kind = Kind::set;
  Reg reg = 0;
};

class Loop {
public:
  Loop(ir::Code& code, const Board* board, std::size_t take) : code_(code), board_(board), take_(take) {}

  // Reads the loop. False: it is of another kind.
  [[nodiscard]] bool read();
  // What stands in its place. Nothing where the sets can't be told.
  [[nodiscard]] std::optional<std::vector<Instruction>> sifted();
  [[nodiscard]] std::size_t end() const { return back_ + 1; }
  [[nodiscard]] std::size_t leaf() const { return at(code_.instructions[leaf_].x); }
  // The leaf when the cell is left open, and for each of its old values the table that gives it (-1: the cell
  // itself), or nothing for one that stays.
  [[nodiscard]] ir::Leaf opened();
  std::vector<std::optional<std::int32_t>> places; // by old value

private:
  [[nodiscard]] const Instruction& in(std::size_t k) const { return code_.instructions[k]; }
  [[nodiscard]] bool find_back();
  [[nodiscard]] bool is_closed() const;
  [[nodiscard]] bool leaves_nothing() const;
  [[nodiscard]] Instruction named(Instruction i) const;
  [[nodiscard]] bool read_value(std::size_t k);
  [[nodiscard]] bool read_test(std::size_t k);
  [[nodiscard]] bool goes_on_at(std::int32_t x) const;
  [[nodiscard]] bool is_idle(std::size_t undo) const;
  [[nodiscard]] bool varies(const Instruction& i) const;
  [[nodiscard]] bool within_cell(Reg set) const;
  [[nodiscard]] std::optional<Stripped> strip(Reg set, int away);
  [[nodiscard]] std::optional<Stripped> combined(const Instruction& i, int away);
  [[nodiscard]] std::optional<Reg> made(Instruction i);
  [[nodiscard]] std::int32_t composed(std::int32_t first, std::int32_t second);
  [[nodiscard]] std::optional<int> distance(std::int32_t place) const;
  [[nodiscard]] bool is_around(Reg set) const;
  [[nodiscard]] std::optional<Stripped> with_neighbour_in(Reg set, std::int32_t steps);
  [[nodiscard]] bool keep_only(const std::optional<Stripped>& of, bool those_in);

  ir::Code& code_;
  const Board* board_;
  std::size_t take_, back_ = 0, leaf_ = 0;
  std::map<Reg, std::int32_t> cells_; // numbers that c tells, by a place table; -1: c itself
  std::map<Reg, Instruction> sets_;   // sets that c tells, by name
  std::map<Reg, Reg> names_;          // of sets that have been written, at the place that is read
  std::set<Reg> written_sets_, written_numbers_, read_sets_, read_numbers_;
  struct Test {
    std::size_t k = 0;
    bool those_in = false; // who is in the set goes on
    Reg set = 0;
    std::int32_t around = -1; // or who has a neighbour there, by these steps
  };
  std::vector<Test> tests_;
  std::vector<Instruction> kept_, made_; // what doesn't depend on c; the new code
  Reg left_ = 0;
};

// The jump back: the last instruction of the loop, before what comes when no member is left.
bool Loop::find_back() {
  const std::size_t after = at(in(take_).x);
  if (after <= take_ + 1 || after > code_.instructions.size()) return false;
  back_ = after - 1;
  return in(back_).op == Op::go && at(in(back_).x) == take_;
}

// Nothing outside leads into the loop, and only its last instruction back to its beginning. O(code), so it is
// asked last.
bool Loop::is_closed() const {
  for (std::size_t k = 0; k < code_.instructions.size(); ++k) {
    if (!ir::jumps(in(k).op) || k == back_) continue;
    const std::size_t to = at(in(k).x);
    const bool inside = k > take_ && k < back_;
    if (to == take_ || (to > take_ && to <= back_ && !inside)) return false;
  }
  const auto leads_in = [&](std::uint32_t to) { return to >= take_ && to <= back_; };
  for (const auto& labels : code_.labels)
    if (std::any_of(labels.begin(), labels.end(), leads_in)) return false;
  return std::none_of(code_.leaves.begin(), code_.leaves.end(),
                      [&](const ir::Leaf& l) { return leads_in(l.entry); });
}

// From there on the loop only goes on with the next member.
bool Loop::goes_on_at(std::int32_t x) const {
  if (at(x) <= take_ || at(x) > back_) return false;
  for (std::size_t k = at(x); k < back_; ++k)
    if (in(k).op != Op::undo || !is_idle(k)) return false;
  return true;
}

// Takes back what has changed since a mark before the loop, behind which nothing changes.
bool Loop::is_idle(std::size_t undo) const {
  for (std::size_t k = take_; k-- > 0;) {
    const Instruction& i = in(k);
    if (i.op == Op::mark && i.d == in(undo).a) return true;
    if (!is_plain(i.op) && i.op != Op::mark) return false;
  }
  return false;
}

bool Loop::varies(const Instruction& i) const {
  const Reg operands[] = {i.d, i.a, i.b, i.c};
  for (std::size_t k = 1; k < 4; ++k) {
    if (role_of(i, k) == 'n' && cells_.count(operands[k]) != 0) return true;
    if (role_of(i, k) == 's' && (sets_.count(operands[k]) != 0 || operands[k] == in(take_).a)) return true;
  }
  return false;
}

// With the names that its sets have at this place.
Instruction Loop::named(Instruction i) const {
  Reg* const operands[] = {&i.d, &i.a, &i.b, &i.c};
  for (std::size_t o = 1; o < 4; ++o)
    if (const auto now = names_.find(*operands[o]); role_of(i, o) == 's' && now != names_.end())
      *operands[o] = now->second;
  return i;
}

bool Loop::read_value(std::size_t k) {
  Instruction i = in(k);
  const bool is_set = role_of(i, 0) == 'S';
  const Reg operands[] = {i.d, i.a, i.b, i.c};
  for (std::size_t o = 1; o < 4; ++o) {
    if (role_of(i, o) == 's' && names_.count(operands[o]) == 0) read_sets_.insert(operands[o]);
    if (role_of(i, o) == 'n') read_numbers_.insert(operands[o]);
  }
  i = named(i);
  // A register has none of its values of the round before; a set that is written again has another name.
  if ((is_set ? read_sets_ : read_numbers_).count(i.d) != 0) return false;
  const bool first = (is_set ? written_sets_ : written_numbers_).insert(i.d).second;
  if (!first && (!is_set || i.d == in(take_).a || code_.sets >= ir::kMaxRegisters)) return false;
  if (is_set) {
    const Reg of = i.d;
    if (!first) i.d = static_cast<Reg>(code_.sets++);
    names_[of] = i.d;
  }
  if (!varies(i)) {
    kept_.push_back(i);
    return true;
  }
  if (i.op == Op::place || i.op == Op::copy) {
    const auto from = cells_.find(i.a);
    if (from == cells_.end()) return false;
    cells_[i.d] = i.op == Op::copy ? from->second : composed(from->second, i.x);
    return true;
  }
  if (!is_set) return false;
  sets_[i.d] = i;
  return true;
}

// Is the set nothing but c, or nothing?
bool Loop::within_cell(Reg set) const {
  const auto known = sets_.find(set);
  if (known == sets_.end()) return false;
  const Instruction& i = known->second;
  switch (i.op) {
  case Op::set_cell: return cells_.at(i.a) == -1;
  case Op::set_copy:
  case Op::set_minus: return within_cell(i.a);
  case Op::set_meet: return within_cell(i.a) || within_cell(i.b);
  default: return false;
  }
}

// What lies around c.
bool Loop::is_around(Reg set) const {
  const auto known = sets_.find(set);
  return board_ != nullptr && known != sets_.end() && known->second.op == Op::set_around &&
         cells_.at(known->second.a) == -1;
}

bool Loop::read_test(std::size_t k) {
  const Instruction i = named(in(k));
  if (!goes_on_at(i.x)) return false;
  switch (i.op) {
  case Op::if_in:
  case Op::if_out: {
    const auto cell = cells_.find(i.a);
    if (cell == cells_.end() || cell->second != -1) return false;
    tests_.push_back({k, i.op == Op::if_out, i.b});
    return true;
  }
  case Op::if_none:
  case Op::if_some:
    if (!within_cell(i.a)) return false;
    tests_.push_back({k, i.op == Op::if_none, i.a});
    return true;
  case Op::if_apart:
  case Op::if_meet: {
    const bool first = within_cell(i.a), second = within_cell(i.b);
    const bool cell_first = first && sets_.at(i.a).op == Op::set_cell,
               cell_second = second && sets_.at(i.b).op == Op::set_cell;
    if (!cell_first && !cell_second) {
      const bool around_first = is_around(i.a);
      if (!around_first && !is_around(i.b)) return false;
      const Instruction& around = sets_.at(around_first ? i.a : i.b);
      tests_.push_back({k, i.op == Op::if_apart, around_first ? i.b : i.a, around.x});
      return true;
    }
    tests_.push_back({k, i.op == Op::if_apart, cell_first ? i.b : i.a});
    return true;
  }
  default: return false;
  }
}

// Nothing that it writes is read behind it.
bool Loop::leaves_nothing() const {
  const ir::FlowGraph flow(code_);
  const auto is_read = [&](ir::File file) {
    return [this, &flow, file](Reg r) { return is_read_from(code_, flow, end(), file, r); };
  };
  return std::none_of(written_sets_.begin(), written_sets_.end(), is_read(ir::File::sets)) &&
         std::none_of(written_numbers_.begin(), written_numbers_.end(), is_read(ir::File::numbers));
}

bool Loop::read() {
  constexpr std::size_t kLongest = 200;
  if (!find_back() || back_ - take_ > kLongest) return false;
  const Instruction& begin = in(take_);
  cells_[begin.d] = -1;
  written_numbers_.insert(begin.d);
  written_sets_.insert(begin.a);
  bool found = false;
  for (std::size_t k = take_ + 1; k < back_; ++k) {
    const Instruction& i = in(k);
    if (i.op == Op::leaf_one && !found) {
      found = true;
      leaf_ = k;
      if (!goes_on_at(static_cast<std::int32_t>(k + 1))) return false;
    } else if (found) {
      if (i.op != Op::undo) return false;
    } else if (is_plain(i.op)) {
      if (!read_value(k)) return false;
    } else if (!read_test(k)) {
      return false;
    }
  }
  if (!found || !leaves_nothing() || code_.leaves[leaf()].dynamic || code_.leaves[leaf()].base >= 0)
    return false;
  // Only members that make different moves may be left open: c itself is among the choices, or where it was.
  const ir::Leaf& l = code_.leaves[leaf()];
  return std::any_of(l.choices.begin(), l.choices.end(),
                     [&](const ir::Choice& c) {
                       return c.from == ir::Choice::From::number &&
                              cells_.count(static_cast<Reg>(c.value)) != 0;
                     }) &&
         is_closed();
}

std::int32_t Loop::composed(std::int32_t first, std::int32_t second) {
  if (first == -1) return second;
  std::vector<std::int16_t> both;
  for (const std::int16_t to : code_.places[at(first)])
    both.push_back(to < 0 || at(to) >= code_.places[at(second)].size() ? std::int16_t{-1}
                                                                       : code_.places[at(second)][at(to)]);
  code_.places.push_back(std::move(both));
  return static_cast<std::int32_t>(code_.places.size()) - 1;
}

std::optional<Reg> Loop::made(Instruction i) {
  if (code_.sets >= static_cast<std::uint32_t>(ir::kMaxRegisters)) return std::nullopt;
  i.d = static_cast<Reg>(code_.sets++);
  made_.push_back(i);
  return i.d;
}

// A set that has the cell `away` before c if and only if this one has, whatever c is.
std::optional<Stripped> Loop::strip(Reg set, int away) {
  using Kind = Stripped::Kind;
  if (set == in(take_).a) return std::nullopt; // what is left changes from member to member
  const auto known = sets_.find(set);
  if (known == sets_.end()) return Stripped{Kind::set, set};
  const Instruction& i = known->second;
  switch (i.op) {
  case Op::set_cell: {
    const auto from = distance(cells_.at(i.a));
    if (!from) return std::nullopt;
    return Stripped{away == -*from ? Kind::all : Kind::none, 0};
  }
  case Op::set_copy: return strip(i.a, away);
  case Op::set_shift: {
    if (sets_.count(i.b) != 0 || i.b == in(take_).a) return std::nullopt;
    const auto of = strip(i.a, away + i.x);
    if (!of || of->kind == Kind::none) return of;
    Instruction shift = i;
    shift.a = of->kind == Kind::all ? i.b : of->reg;
    const auto r = made(shift);
    return r ? std::optional(Stripped{Kind::set, *r}) : std::nullopt;
  }
  case Op::set_unite:
  case Op::set_meet:
  case Op::set_minus: return combined(i, away);
  default: return std::nullopt;
  }
}

// How far a cell that c tells always is from c: where a move of this leaf came from, so there is one.
std::optional<int> Loop::distance(std::int32_t place) const {
  if (place == -1) return 0;
  const ir::Leaf& l = code_.leaves[leaf()];
  const bool is_chosen = std::any_of(l.choices.begin(), l.choices.end(), [&](const ir::Choice& c) {
    const auto cell = cells_.find(static_cast<Reg>(c.value));
    return c.from == ir::Choice::From::number && cell != cells_.end() && cell->second == place;
  });
  std::optional<int> all;
  const auto& table = code_.places[at(place)];
  for (std::size_t c = 0; c < table.size() && is_chosen; ++c) {
    if (table[c] < 0) continue;
    const int by = table[c] - static_cast<int>(c);
    if (all && *all != by) return std::nullopt;
    all = by;
  }
  return all;
}

// The cells from which one of some steps leads to a member of the set, which may go by c. Each step must lead
// equally far from everywhere.
std::optional<Stripped> Loop::with_neighbour_in(Reg set, std::int32_t steps) {
  Stripped any{Stripped::Kind::none, 0};
  for (const std::int16_t step : code_.steps[at(steps)]) {
    std::optional<int> far;
    const auto& to = board_->steps[at(step)].to;
    for (std::size_t c = 0; c < to.size(); ++c) {
      if (to[c] == kNowhere) continue;
      const int by = to[c] - static_cast<int>(c);
      if (far && *far != by) return std::nullopt;
      far = by;
    }
    if (!far) continue; // it leads nowhere
    const auto there = strip(set, -*far);
    if (!there || there->kind == Stripped::Kind::all) return std::nullopt;
    if (there->kind == Stripped::Kind::none) continue;
    Instruction back = in(leaf_);
    back.op = Op::set_step_back;
    back.a = there->reg;
    back.b = back.c = 0;
    back.x = step;
    auto from = made(back);
    if (from && any.kind == Stripped::Kind::set) {
      back.op = Op::set_unite;
      back.a = any.reg, back.b = *from, back.x = 0;
      from = made(back);
    }
    if (!from) return std::nullopt;
    any = {Stripped::Kind::set, *from};
  }
  return any;
}

std::optional<Stripped> Loop::combined(const Instruction& i, int away) {
  using Kind = Stripped::Kind;
  const auto a = strip(i.a, away);
  const auto b = a ? strip(i.b, away) : std::nullopt;
  if (!a || !b) return std::nullopt;
  const bool same = a->kind == Kind::set && b->kind == Kind::set;
  if (i.op == Op::set_unite && !same)
    return a->kind == Kind::none ? b : b->kind == Kind::none || a->kind == Kind::all ? a : b;
  if (i.op == Op::set_meet && !same)
    return a->kind == Kind::all ? b : b->kind == Kind::all || a->kind == Kind::none ? a : b;
  if (i.op == Op::set_minus && !same) {
    if (b->kind == Kind::none || a->kind == Kind::none) return a;
    if (b->kind == Kind::all) return Stripped{Kind::none, 0};
    return std::nullopt;
  }
  Instruction both = i;
  both.a = a->reg, both.b = b->reg;
  const auto r = made(both);
  return r ? std::optional(Stripped{Kind::set, *r}) : std::nullopt;
}

// Of those that are left only the members of a set go on, or only the others.
bool Loop::keep_only(const std::optional<Stripped>& of, bool those_in) {
  using Kind = Stripped::Kind;
  if (!of) return false;
  const bool all = of->kind == (those_in ? Kind::all : Kind::none);
  if (all) return true;
  Instruction i = in(leaf_);
  i.op = those_in && of->kind == Kind::set ? Op::set_meet : Op::set_minus;
  i.a = left_;
  i.b = of->kind == Kind::set ? of->reg : left_; // nobody goes on: without itself it is nothing
  i.x = 0;
  const auto r = made(i);
  if (!r) return false;
  left_ = *r;
  return true;
}

std::optional<std::vector<Instruction>> Loop::sifted() {
  made_ = kept_;
  left_ = in(take_).a;
  for (const Test& test : tests_)
    if (!keep_only(test.around < 0 ? strip(test.set, 0) : with_neighbour_in(test.set, test.around),
                   test.those_in)) {
      return std::nullopt;
    }
  Instruction leaf = in(leaf_);
  leaf.op = Op::leaf;
  leaf.a = left_;
  made_.push_back(leaf);
  return made_;
}

ir::Leaf Loop::opened() {
  ir::Leaf l = code_.leaves[leaf()];
  const std::vector<Reg> old = std::exchange(l.values, {});
  for (const Reg r : old) {
    const auto cell = cells_.find(r);
    places.push_back(cell == cells_.end() ? std::nullopt : std::optional(cell->second));
    if (cell == cells_.end()) l.values.push_back(r);
  }
  for (ir::Choice& c : l.choices) {
    const auto cell = cells_.find(static_cast<Reg>(c.value));
    if (c.from != ir::Choice::From::number || cell == cells_.end()) continue;
    c = {ir::Choice::From::open, 0, cell->second};
  }
  return l;
}

// The code that plays moves of a leaf takes what is open from the cell.
void open_played(const ir::Code& code, std::size_t leaf,
                 const std::vector<std::optional<std::int32_t>>& places, Edits& edits) {
  std::set<std::uint32_t> begins{static_cast<std::uint32_t>(code.instructions.size())};
  for (const ir::Leaf& l : code.leaves) begins.insert(l.entry);
  for (const ir::PlayerCode& p : code.players) begins.insert({p.position, p.play, p.notate});
  const std::uint32_t begin = code.leaves[leaf].entry, end = *begins.upper_bound(begin);
  for (std::uint32_t k = begin; k < end; ++k) {
    Instruction i = code.instructions[k];
    if (i.op != Op::choice || i.x < 0) continue;
    const auto& place = places[at(i.x)];
    edits.remove(k);
    if (!place) {
      i.x -= static_cast<std::int32_t>(
          std::count_if(places.begin(), places.begin() + i.x, [](const auto& p) { return p.has_value(); }));
      edits.insert(k, i);
      continue;
    }
    i.x = -1;
    edits.insert(k, i);
    if (*place < 0) continue;
    i.op = Op::place;
    i.a = i.d;
    i.x = *place;
    edits.insert(k, i);
  }
}

} // namespace

// O(code) for each loop that is replaced.
void sift_loops(ir::Code& code, const Board* board) {
  for (std::size_t k = 0; k < code.instructions.size(); ++k) {
    if (code.instructions[k].op != Op::take) continue;
    const std::uint32_t sets = code.sets;
    Loop loop(code, board, k);
    const auto by = loop.read() ? loop.sifted() : std::nullopt;
    if (!by) code.sets = sets;
    if (!by) continue;
    const std::size_t leaf = loop.leaf();
    ir::Leaf opened = loop.opened();
    Edits edits(code.instructions.size());
    for (const Instruction& i : *by) edits.insert(k, i);
    for (std::size_t gone = k; gone < loop.end(); ++gone) edits.remove(gone);
    open_played(code, leaf, loop.places, edits);
    code.leaves[leaf].choices = std::move(opened.choices);
    code.leaves[leaf].values = std::move(opened.values);
    edits.apply(code);
  }
}

} // namespace boardwright::runtime::passes
