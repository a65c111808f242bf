// What depends on nothing but one or two cells, and tables of sets: worked out once and looked up from then
// on.
//
// The cells strictly between two others, a rectangle with two corners, all cells on the lines through one: if
// no piece and no variable matters, a memo keeps the set (ir::Op::recall). How far one gets straight on by so
// many steps, where the number is known only in play, is a table.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// What a value is worked out from.
struct Lowering::Inputs {
  std::vector<Reg> cells;
  std::vector<std::int32_t> bound;   // names that are bound within it
  std::vector<std::int32_t> numbers; // what else it reads: what is known tells memos apart
  bool walks = false;                // within a walk, where `here` is the walker's
};

// Adds what the value reads; false where there is more than cells and constants.
bool Lowering::reads_only_cells(NodeId id, const Draft& d, Inputs& in) const {
  constexpr std::size_t kMostCells = 2;
  if (id == kNoNode) return true;
  const Node& n = node(id);
  const auto is_input = [&](const Val& v) {
    if (!v.is(Kind::cell)) return false;
    const auto cell = std::find(in.cells.begin(), in.cells.end(), v.reg);
    in.numbers.push_back(-2 - static_cast<std::int32_t>(cell - in.cells.begin())); // which of them it is
    if (cell == in.cells.end()) in.cells.push_back(v.reg);
    return in.cells.size() <= kMostCells;
  };
  switch (n.op) {
  case Op::local: {
    if (std::find(in.bound.begin(), in.bound.end(), n.a) != in.bound.end()) return true;
    const auto known = d.locals.find(n.a);
    if (is_changed(n.a) || known == d.locals.end()) return false;
    if (!known->second.is(Kind::steps)) return is_input(known->second);
    in.numbers.push_back(n.a);
    known->second.steps.each([&](int s) { in.numbers.push_back(s); });
    in.numbers.push_back(-1);
    return true;
  }
  case Op::first:
  case Op::last: { // of a set that has a name: a cell, if it is known already
    const Node& of = node(program_.kid(n, 0));
    const auto known = d.locals.find(of.a);
    if (of.op != Op::local || known == d.locals.end() || !known->second.is(Kind::set)) break;
    if (is_changed(of.a) || std::find(in.bound.begin(), in.bound.end(), of.a) != in.bound.end()) break;
    const auto cell = e_.known_number_value(n.op == Op::first ? Ir::first : Ir::last, known->second.reg);
    return cell && is_input(make_cell(*cell, known->second.contents));
  }
  case Op::here: return in.walks || is_input(d.here);
  case Op::heading: return in.walks;
  case Op::reach: {
    if (!reads_only_cells(program_.kid(n, 0), d, in)) return false;
    const bool walks = std::exchange(in.walks, true);
    const bool good = is_walk(program_.kid(n, 1)) && reads_only_cells(program_.kid(n, 1), d, in);
    in.walks = walks;
    return good;
  }
  case Op::go:
  case Op::at:
    if (!in.walks) return false;
    break;
  default:
    if (own_reads(n.op) != kNoPart) return false;
  }
  for (std::int32_t i = 0; i < slots_bound_by(n.op, n.b); ++i) in.bound.push_back(n.a + i);
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (!reads_only_cells(program_.kid(n, i), d, in)) return false;
  return true;
}

// How long operations take, roughly.
int Lowering::cost_since(std::size_t begin) const {
  constexpr int kFlood = 10, kFallBack = 8, kLoop = 6;
  int sum = 0;
  for (std::size_t k = begin; k < e_.here(); ++k) {
    const ir::Instruction& i = code_.instructions[k];
    const bool rays = i.op == Ir::set_rays || i.op == Ir::set_slides || i.op == Ir::set_between;
    const int words = layout_.words > 1 ? 2 : 1;
    sum += rays                        ? 2 * static_cast<int>(code_.steps[at(i.x)].size())
           : i.op == Ir::set_run_shift ? words * i.y
           : i.op == Ir::set_flood     ? kFlood
           : i.op == Ir::set_box || i.op == Ir::set_corners ? kFallBack
           : i.op == Ir::take                               ? kLoop
                                                            : 1;
  }
  return sum;
}

// The first and last members of sets that have names, as cells by which a memo may go.
void Lowering::know_ends(NodeId id, const Draft& d) {
  if (id == kNoNode) return;
  const Node n = node(id);
  if (n.op == Op::first || n.op == Op::last) {
    const Node& of = node(kid(id, 0));
    const auto known = d.locals.find(of.a);
    if (of.op == Op::local && known != d.locals.end() && known->second.is(Kind::set))
      (void)e_.number_value(n.op == Op::first ? Ir::first : Ir::last, known->second.reg);
  }
  for (std::uint32_t i = 0; i < n.count; ++i) know_ends(kid(id, i), d);
}

// The set that `make` works out, from a memo where that is worth it.
Reg Lowering::remembered(NodeId id, const Draft& d, const std::function<Reg()>& make) {
  if (!is_on(Form::memos)) return make();
  constexpr int kWorthKeeping = 8;
  if (mode_ == Mode::search && !keeping_) know_ends(id, d);
  Inputs in;
  if (mode_ != Mode::search || keeping_ || !reads_only_cells(id, d, in) || in.cells.empty()) return make();
  // The same value has one memo, wherever it is asked for.
  NodeId first = id;
  for (const auto& [known, memo] : memos_)
    if (same(static_cast<NodeId>(known[0]), id)) first = static_cast<NodeId>(known[0]);
  std::vector<std::int32_t> key{static_cast<std::int32_t>(first), static_cast<std::int32_t>(in.cells.size())};
  key.insert(key.end(), in.numbers.begin(), in.numbers.end());
  const auto known = memos_.find(key);
  if (known == memos_.end() && code_.memos >= ir::kMostMemos) return make();
  const int memo = known != memos_.end() ? known->second : code_.memos;
  // Of one cell it is the second number: then what is kept of all cells lies side by side.
  const Reg a = in.cells.size() > 1 ? in.cells[0] : e_.number_constant(0), b = in.cells.back();
  if (known != memos_.end())
    if (const auto there = e_.known_value(Ir::recall, a, b, memo)) return *there;
  Emitter::Attempt attempt(e_);
  const Reg kept = e_.new_set();
  const Label past = e_.label();
  e_.emit(Ir::recall, kept, a, b, memo, past);
  const std::size_t begin = e_.here();
  {
    const Emitter::Scope scope(e_);
    keeping_ = true; // what it is made of needs no memos
    const Reg made = make();
    keeping_ = false;
    if (cost_since(begin) >= kWorthKeeping && !e_.changes_since(begin)) {
      e_.emit(Ir::set_copy, kept, made);
      e_.emit(Ir::remember, 0, kept, a, b, memo);
      e_.place(past);
      if (known == memos_.end()) memos_[key] = code_.memos++;
      e_.depend(kept, 0);
      e_.know_value(Ir::recall, a, b, memo, kept);
      return kept;
    }
  }
  attempt.give_up();
  return make();
}

// A join of sets of which one is a memo is a memo itself.
std::optional<Reg> Lowering::kept_whole(NodeId id, Draft& d) {
  if (!is_on(Form::memos)) return std::nullopt;
  if (mode_ != Mode::search || keeping_ || !(contains(id, Op::reach) || contains(id, Op::box)))
    return std::nullopt;
  Inputs in;
  if (!reads_only_cells(id, d, in) || in.cells.empty()) return std::nullopt;
  const int memos = code_.memos;
  Emitter::Attempt attempt(e_);
  const std::size_t begin = e_.here();
  const Reg kept = remembered(id, d, [&] {
    const Node n = node(id);
    const Reg a = set(kid(id, 0), d), b = set(kid(id, 1), d);
    return n.op == Op::unite ? unite(a, b) : n.op == Op::meet ? meet(a, b) : minus(a, b);
  });
  const bool is_memo = e_.here() == begin || code_.instructions[begin].op == Ir::recall;
  if (is_memo || code_.memos > memos) return kept;
  attempt.give_up();
  return std::nullopt;
}

// By cell: all that is straight on from it.
std::int32_t Lowering::ray_table(const StepSet& steps) {
  std::vector<std::int16_t> key;
  steps.each([&](int s) { key.push_back(static_cast<std::int16_t>(s)); });
  const auto [known, fresh] =
      ray_tables_.try_emplace(key, static_cast<std::int32_t>(code_.set_tables.size()));
  if (!fresh) return known->second;
  ir::SetTable& table = code_.set_tables.emplace_back();
  for (int cell = 0; cell < board().cells; ++cell) {
    CellSet& all = table.sets.emplace_back();
    steps.each([&](int s) {
      CellSet line; // which may come back to where it was
      const auto& to = board().steps[at(s)].to;
      for (int c = to[at(cell)]; c != kNowhere && !line.test(c); c = to[at(c)]) line.set(c);
      all |= line;
    });
  }
  return known->second;
}

// A file or a rank; that of a cell is looked up.
Reg Lowering::in_line(NodeId id, Draft& d) {
  const bool file = node(id).op == Op::file_of;
  const NodeId number_of = kid(id, 0);
  if (node(number_of).op != (file ? Op::x_of : Op::y_of))
    return e_.set_value(file ? Ir::set_file : Ir::set_rank, number(number_of, d));
  const auto [known, fresh] =
      line_tables_.try_emplace(node(id).op, static_cast<std::int32_t>(code_.set_tables.size()));
  if (fresh) {
    const std::vector<int>& place = file ? board().x : board().y;
    std::vector<CellSet> lines(at(std::max(board().files, board().ranks)) + 1);
    board().all.each([&](int cell) { lines[at(place[at(cell)])].set(cell); });
    ir::SetTable& table = code_.set_tables.emplace_back();
    for (int cell = 0; cell < board().cells; ++cell) table.sets.push_back(lines[at(place[at(cell)])]);
  }
  const Reg on_line = cell(kid(number_of, 0), d);
  return e_.set_value(Ir::set_table, on_line, e_.number_constant(0), 0, known->second);
}

// ---------------------------------------------------------------- so many steps

// By cell: from number 1 on the cells that are at most so many steps less one away by a step, or exactly so
// many.
std::optional<std::int32_t> Lowering::table_of_steps(int step, bool exactly) {
  constexpr std::size_t kMostSets = 12'000; // a megabyte or less
  const auto [known, fresh] =
      step_tables_.try_emplace({step, exactly}, static_cast<std::int32_t>(code_.set_tables.size()));
  if (!fresh) return known->second;
  const auto& to = board().steps[at(step)].to;
  int longest = 0;
  for (int cell = 0; cell < board().cells; ++cell) {
    int length = 0;
    for (int c = to[at(cell)]; c != kNowhere; c = to[at(c)]) ++length;
    longest = std::max(longest, length);
  }
  ir::SetTable table;
  table.numbers = longest + 3; // none, with no step, with each number of them, and with more
  if (at(table.numbers * board().cells) > kMostSets) {
    step_tables_.erase(known);
    return std::nullopt;
  }
  for (int cell = 0; cell < board().cells; ++cell) {
    table.sets.emplace_back();
    CellSet all;
    int c = cell;
    for (int k = 1; k < table.numbers; ++k) {
      if (exactly) all = CellSet();
      if (c != kNowhere && board().all.test(c)) all.set(c);
      c = c == kNowhere ? c : to[at(c)];
      table.sets.push_back(all);
    }
  }
  code_.set_tables.push_back(std::move(table));
  return known->second;
}

// Straight on from a cell by a number of steps that is known in play: (go d, at S){n}, (go d, at S){0 .. n}.
std::optional<Reg> Lowering::straight_by_number(NodeId loop, const Val& from, Draft& d) {
  if (!is_on(Form::numbered_lines)) return std::nullopt;
  const Node n = node(loop);
  if (n.op != Op::repeat || n.a != 0 || !from.is(Kind::cell)) return std::nullopt;
  const NodeId low = kid(loop, 1), high = kid(loop, 2);
  const bool fixed = same(low, high);
  if (node(high).op == Op::number || (!fixed && node(low).op != Op::number)) return std::nullopt;
  if (reads_walker(high) || !harmless(high)) return std::nullopt;
  const auto body = round(kid(loop, 0), d);
  if (!body || body->steps.count() != 1) return std::nullopt;
  const int step = body->steps.first();
  if (board().steps[at(step)].may_return()) return std::nullopt;
  const auto table = table_of_steps(step, fixed);
  if (!table) return std::nullopt;
  const Reg over = through(*body, d);
  const Reg start = set_of(from);
  const Reg line = unite(start, rays(Ir::set_rays, from.reg, body->steps, over));
  const Reg highest = number(high, d);
  const Reg most = e_.number_value(Ir::add, highest, e_.number_constant(1));
  const Reg near = meet(line, e_.set_value(Ir::set_table, from.reg, most, 0, *table));
  if (fixed || node(low).a <= 0) return near;
  return minus(near, e_.set_value(Ir::set_table, from.reg, e_.number_constant(node(low).a), 0, *table));
}

} // namespace boardwright::runtime::lowering
