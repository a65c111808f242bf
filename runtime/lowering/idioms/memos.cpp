// What depends on nothing but one or two cells, and tables of sets: worked out once and looked up from then
// on.
//
// The cells strictly between two others, a rectangle with two corners, all cells on the lines through one: if
// no piece and no variable matters, a memo keeps the set (ir::Op::recall). How far one gets straight on by so
// many steps, where the number is known only in play, is a table.
#include "runtime/lowering/idioms/memos.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

// What a value is worked out from.
struct Inputs {
  std::vector<Reg> cells;
  std::vector<std::int32_t> bound;   // names that are bound within it
  std::vector<std::int32_t> numbers; // what else it reads: what is known tells memos apart
  bool walks = false;                // within a walk, where `here` is the walker's
};

// Adds what the value reads; false where there is more than cells and constants.
bool reads_only_cells(const Context& cx, NodeId id, const AbstractDraft& d, Inputs& in) {
  constexpr std::size_t kMostCells = 2;
  if (id == kNoNode) return true;
  const Node& n = cx.node(id);
  const auto is_input = [&](const AbstractValue& v) {
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
    if (cx.facts.is_changed(n.a) || known == d.locals.end()) return false;
    if (!known->second.is(Kind::steps)) return is_input(known->second);
    in.numbers.push_back(n.a);
    known->second.steps.each([&](int s) { in.numbers.push_back(s); });
    in.numbers.push_back(-1);
    return true;
  }
  case Op::first:
  case Op::last: { // of a set that has a name: a cell, if it is known already
    const Node& of = cx.node(cx.program.kid(n, 0));
    const auto known = d.locals.find(of.a);
    if (of.op != Op::local || known == d.locals.end() || !known->second.is(Kind::set)) break;
    if (cx.facts.is_changed(of.a) || std::find(in.bound.begin(), in.bound.end(), of.a) != in.bound.end())
      break;
    const auto cell = cx.e.known_number_value(n.op == Op::first ? Ir::first : Ir::last, known->second.reg);
    return cell && is_input(make_cell(*cell, known->second.contents));
  }
  case Op::here: return in.walks || is_input(d.here);
  case Op::heading: return in.walks;
  case Op::reach: {
    if (!reads_only_cells(cx, cx.program.kid(n, 0), d, in)) return false;
    const bool walks = std::exchange(in.walks, true);
    const bool good =
        cx.facts.is_walk(cx.program.kid(n, 1)) && reads_only_cells(cx, cx.program.kid(n, 1), d, in);
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
    if (!reads_only_cells(cx, cx.program.kid(n, i), d, in)) return false;
  return true;
}

// How long operations take, roughly.
int cost_since(const Context& cx, std::size_t begin) {
  constexpr int kFlood = 10, kFallBack = 8, kLoop = 6;
  int sum = 0;
  for (std::size_t k = begin; k < cx.e.here(); ++k) {
    const ir::Instruction& i = cx.code.instructions[k];
    const bool rays = i.op == Ir::set_rays || i.op == Ir::set_slides || i.op == Ir::set_between;
    const int words = cx.layout.words > 1 ? 2 : 1;
    sum += rays                        ? 2 * static_cast<int>(cx.code.steps[at(i.x)].size())
           : i.op == Ir::set_run_shift ? words * i.y
           : i.op == Ir::set_flood     ? kFlood
           : i.op == Ir::set_box || i.op == Ir::set_corners ? kFallBack
           : i.op == Ir::take                               ? kLoop
                                                            : 1;
  }
  return sum;
}

// The first and last members of sets that have names, as cells by which a memo may go.
void know_ends(Context& cx, NodeId id, const AbstractDraft& d) {
  if (id == kNoNode) return;
  const Node n = cx.node(id);
  if (n.op == Op::first || n.op == Op::last) {
    const Node& of = cx.node(cx.kid(id, 0));
    const auto known = d.locals.find(of.a);
    if (of.op == Op::local && known != d.locals.end() && known->second.is(Kind::set))
      (void)cx.e.number_value(n.op == Op::first ? Ir::first : Ir::last, known->second.reg);
  }
  for (std::uint32_t i = 0; i < n.count; ++i) know_ends(cx, cx.kid(id, i), d);
}

} // namespace

Reg remembered(Context& cx, NodeId id, const AbstractDraft& d, const std::function<Reg()>& make) {
  if (!is_on(Idiom::memos)) return make();
  constexpr int kWorthKeeping = 8;
  if (cx.mode == Mode::search && !cx.caches.keeping) know_ends(cx, id, d);
  Inputs in;
  if (cx.mode != Mode::search || cx.caches.keeping || !reads_only_cells(cx, id, d, in) || in.cells.empty())
    return make();
  // The same value has one memo, wherever it is asked for.
  NodeId first = id;
  for (const auto& [known, memo] : cx.caches.memos)
    if (cx.facts.same(static_cast<NodeId>(known[0]), id)) first = static_cast<NodeId>(known[0]);
  std::vector<std::int32_t> key{static_cast<std::int32_t>(first), static_cast<std::int32_t>(in.cells.size())};
  key.insert(key.end(), in.numbers.begin(), in.numbers.end());
  const auto known = cx.caches.memos.find(key);
  if (known == cx.caches.memos.end() && cx.code.memos >= ir::kMostMemos) return make();
  const int memo = known != cx.caches.memos.end() ? known->second : cx.code.memos;
  // Of one cell it is the second number: then what is kept of all cells lies side by side.
  const Reg a = in.cells.size() > 1 ? in.cells[0] : cx.e.number_constant(0), b = in.cells.back();
  if (known != cx.caches.memos.end())
    if (const auto there = cx.e.known_value(Ir::recall, a, b, memo)) return *there;
  Emitter::Attempt attempt(cx.e);
  const Reg kept = cx.e.new_set();
  const Label past = cx.e.label();
  cx.e.emit(Ir::recall, kept, a, b, memo, past);
  const std::size_t begin = cx.e.here();
  {
    const Emitter::Scope scope(cx.e);
    cx.caches.keeping = true; // what it is made of needs no memos
    const Reg made = make();
    cx.caches.keeping = false;
    if (cost_since(cx, begin) >= kWorthKeeping && !cx.e.changes_since(begin)) {
      cx.e.emit(Ir::set_copy, kept, made);
      cx.e.emit(Ir::remember, 0, kept, a, b, memo);
      cx.e.place(past);
      if (known == cx.caches.memos.end()) cx.caches.memos[key] = cx.code.memos++;
      cx.e.depend(kept, 0);
      cx.e.know_value(Ir::recall, a, b, memo, kept);
      return kept;
    }
  }
  attempt.give_up();
  return make();
}

namespace {

// A number or a set from a table that says nothing where there is no cell; something else is said there,
// then.
template <class Emit>
Reg unless_none(Context& cx, Reg cell, Reg to, Ir copy, Reg of_none, const Emit& look_up) {
  const Label past = cx.e.label();
  cx.e.emit(copy, to, of_none);
  cx.e.emit(Ir::if_less, 0, cell, cx.e.number_constant(0), 0, past);
  look_up(to);
  cx.e.place(past);
  return to;
}

Reg number_from_table(Context& cx, Reg cell, const ByCell::Values& values, bool may_be_none) {
  const auto [table, fresh] =
      cx.tables.numbers.try_emplace(values.numbers, static_cast<std::int32_t>(cx.code.tables.size()));
  if (fresh) cx.code.tables.push_back(values.numbers);
  if (!may_be_none || values.number_of_none == 0)
    return cx.e.number_value(Ir::table, cell, 0, 0, table->second);
  return unless_none(cx, cell, cx.e.new_number(), Ir::copy, cx.e.number_constant(values.number_of_none),
                     [&, number = table->second](Reg to) { cx.e.emit(Ir::table, to, cell, 0, 0, number); });
}

Reg set_from_table(Context& cx, Reg cell, const ByCell::Values& values, bool may_be_none) {
  const auto [table, fresh] =
      cx.tables.sets.try_emplace(values.sets, static_cast<std::int32_t>(cx.code.set_tables.size()));
  if (fresh) cx.code.set_tables.push_back({1, values.sets});
  const Reg first = cx.e.number_constant(0);
  if (!may_be_none || values.set_of_none.none())
    return cx.e.set_value(Ir::set_table, cell, first, 0, table->second);
  return unless_none(
      cx, cell, cx.e.new_set(), Ir::set_copy, cx.e.set_constant(values.set_of_none),
      [&, number = table->second](Reg to) { cx.e.emit(Ir::set_table, to, cell, first, 0, number); });
}

} // namespace

std::optional<AbstractValue> from_table(Context& cx, NodeId id, const AbstractDraft& d) {
  if (!is_on(Idiom::cell_tables)) return std::nullopt;
  const auto input = cx.by_cell.input(id);
  if (!input) return std::nullopt;
  const auto named = input->name ? d.locals.find(*input->name) : d.locals.end();
  if (input->name && named == d.locals.end()) return std::nullopt;
  const AbstractValue& of = input->name ? named->second : d.here;
  if (!of.is(Kind::cell)) return std::nullopt;
  const auto* values = cx.by_cell.values(id, *input);
  if (values == nullptr) return std::nullopt;
  const bool may_be_none = input->name ? input->may_be_none : cx.maybe_none.count(of.reg) != 0;
  const bool is_set = cx.node(id).type == Type::cells;
  if (is_set) return any_set(cx, set_from_table(cx, of.reg, *values, may_be_none));
  return make_number(number_from_table(cx, of.reg, *values, may_be_none));
}

std::optional<Reg> cached_whole(Context& cx, NodeId id, AbstractDraft& d) {
  if (!is_on(Idiom::memos)) return std::nullopt;
  if (cx.mode != Mode::search || cx.caches.keeping ||
      !(cx.facts.contains(id, Op::reach) || cx.facts.contains(id, Op::box)))
    return std::nullopt;
  Inputs in;
  if (!reads_only_cells(cx, id, d, in) || in.cells.empty()) return std::nullopt;
  const int memos = cx.code.memos;
  Emitter::Attempt attempt(cx.e);
  const std::size_t begin = cx.e.here();
  const Reg kept = remembered(cx, id, d, [&] {
    const Node n = cx.node(id);
    const Reg a = set(cx, cx.kid(id, 0), d), b = set(cx, cx.kid(id, 1), d);
    return n.op == Op::unite ? unite(cx, a, b) : n.op == Op::meet ? meet(cx, a, b) : minus(cx, a, b);
  });
  const bool is_memo = cx.e.here() == begin || cx.code.instructions[begin].op == Ir::recall;
  if (is_memo || cx.code.memos > memos) return kept;
  attempt.give_up();
  return std::nullopt;
}

Reg in_line(Context& cx, NodeId id, AbstractDraft& d) {
  const bool file = cx.node(id).op == Op::file_of;
  const NodeId number_of = cx.kid(id, 0);
  if (cx.node(number_of).op != (file ? Op::x_of : Op::y_of))
    return cx.e.set_value(file ? Ir::set_file : Ir::set_rank, number(cx, number_of, d));
  const auto [known, fresh] =
      cx.tables.lines.try_emplace(cx.node(id).op, static_cast<std::int32_t>(cx.code.set_tables.size()));
  if (fresh) {
    const std::vector<int>& place = file ? cx.board().x : cx.board().y;
    std::vector<CellSet> lines(at(std::max(cx.board().files, cx.board().ranks)) + 1);
    cx.board().all.each([&](int cell) { lines[at(place[at(cell)])].set(cell); });
    ir::SetTable& table = cx.code.set_tables.emplace_back();
    for (int cell = 0; cell < cx.board().cells; ++cell) table.sets.push_back(lines[at(place[at(cell)])]);
  }
  const Reg on_line = cell(cx, cx.kid(number_of, 0), d);
  return cx.e.set_value(Ir::set_table, on_line, cx.e.number_constant(0), 0, known->second);
}

// ---------------------------------------------------------------- so many steps

namespace {

// By cell: from number 1 on the cells that are at most so many steps less one away by a step, or exactly so
// many.
std::optional<std::int32_t> table_of_steps(Context& cx, int step, bool exactly) {
  const auto [known, fresh] =
      cx.tables.step.try_emplace({step, exactly}, static_cast<std::int32_t>(cx.code.set_tables.size()));
  if (!fresh) return known->second;
  const auto& to = cx.board().steps[at(step)].to;
  ir::SetTable table;
  table.numbers = longest_line(cx, step) + 3; // none, with no step, with each number of them, and with more
  if (at(table.numbers * cx.board().cells) > kMostSetsOfTable) {
    cx.tables.step.erase(known);
    return std::nullopt;
  }
  for (int cell = 0; cell < cx.board().cells; ++cell) {
    table.sets.emplace_back();
    CellSet all;
    int c = cell;
    for (int k = 1; k < table.numbers; ++k) {
      if (exactly) all = CellSet();
      if (c != kNowhere && cx.board().all.test(c)) all.set(c);
      c = c == kNowhere ? c : to[at(c)];
      table.sets.push_back(all);
    }
  }
  cx.code.set_tables.push_back(std::move(table));
  return known->second;
}

} // namespace

std::optional<Reg> straight_by_number(Context& cx, const Path& star, const AbstractValue& from,
                                      AbstractDraft& d) {
  if (!is_on(Idiom::lines_by_number)) return std::nullopt;
  if (!star.is(Path::Kind::star) || star.endless || star.maximal || star.until || star.most ||
      !from.is(Kind::cell))
    return std::nullopt;
  const NodeId low = cx.kid(star.of, 1), high = cx.kid(star.of, 2);
  const bool fixed = cx.facts.same(low, high);
  if (!fixed && !star.least) return std::nullopt;
  if (reads_walker(cx, high) || !cx.facts.harmless(high)) return std::nullopt;
  const auto body = cx.facts.round(star, d);
  if (!body || body->steps.count() != 1) return std::nullopt;
  const int step = body->steps.first();
  if (cx.board().steps[at(step)].may_return()) return std::nullopt;
  const auto table = table_of_steps(cx, step, fixed);
  if (!table) return std::nullopt;
  const Reg over = through(cx, *body, d);
  const Reg start = set_of(cx, from);
  const Reg line = unite(cx, start, rays(cx, Ir::set_rays, from.reg, body->steps, over));
  const Reg highest = number(cx, high, d);
  const Reg most = cx.e.number_value(Ir::add, highest, cx.e.number_constant(1));
  const Reg near = meet(cx, line, cx.e.set_value(Ir::set_table, from.reg, most, 0, *table));
  if (fixed || *star.least <= 0) return near;
  return minus(cx, near,
               cx.e.set_value(Ir::set_table, from.reg, cx.e.number_constant(*star.least), 0, *table));
}

} // namespace boardwright::runtime::lowering
