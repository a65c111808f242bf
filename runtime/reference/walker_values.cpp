// Values: one function for each group of the table in operation_table.hpp.

#include "runtime/model/limits.hpp"
#include "runtime/model/operations.hpp"
#include "runtime/model/spread.hpp"
#include "runtime/reference/walker_operations.hpp"
#include "runtime/reference/walker_walk.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace boardwright::runtime::reference {

namespace {

// Numbers are 32 bit and saturate. The operands of every operation fit 32 bits, so 64 hold its exact result.
std::int64_t saturated(std::int64_t n) {
  return std::clamp<std::int64_t>(n, std::numeric_limits<std::int32_t>::min(),
                                  std::numeric_limits<std::int32_t>::max());
}

Value of_number(std::int64_t n) {
  Value v;
  v.number = saturated(n);
  return v;
}

Value of_truth(bool holds) { return of_number(holds ? 1 : 0); }

Value of_cells(const CellSet& cells) {
  Value v;
  v.cells = cells;
  return v;
}

Value of_cell(int cell) { return of_cells(cell < 0 ? CellSet() : CellSet::of(cell)); }

Value of_steps(const StepSet& steps) {
  Value v;
  v.steps = steps;
  return v;
}

Value of_step(int step) { return of_steps(step < 0 ? StepSet() : StepSet::of(step)); }

Value of_map(const CellMap& map) {
  Value v;
  v.map = map;
  return v;
}

std::int64_t divided(std::int64_t a, std::int64_t b) { // rounded down
  if (b == 0) return 0;
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::int64_t remainder(std::int64_t a, std::int64_t b) { return b == 0 ? 0 : a - b * divided(a, b); }

bool is_list(Type t) {
  return t == Type::numbers || t == Type::sets || t == Type::kinds || t == Type::players;
}

bool is_owned(Owners owners, int owner, int player) {
  switch (owners) {
  case Owners::any: return true;
  case Owners::exactly: return owner == player;
  case Owners::others: return owner != player && owner != kNeutral;
  case Owners::neutral: return owner == kNeutral;
  }
  return false;
}

Draft with(const Draft& d, std::int32_t slot, Value value) {
  Draft e = d;
  e.locals.bind(static_cast<std::uint32_t>(slot), std::move(value));
  return e;
}

// ---------------------------------------------------------------- any type

Value before(Walk& w, NodeId id, const Draft& d) {
  Draft e = d;
  e.cells = d.turn->cells;
  e.hands = d.turn->hands;
  e.variables = d.turn->variables;
  return w.value(id, e);
}

Value variable(Walk& w, std::size_t index, const Draft& d) {
  const VariableValue& v = (*d.variables)[index];
  return w.program().variables[index].type == Type::cells ? of_cells(v.cells) : of_number(v.number);
}

Value any_value(Walk& w, const Node& n, const Draft& d) {
  switch (as<AnyOp>(n.op)) {
  case AnyOp::local:
    if (const Value* v = d.locals.find(static_cast<std::uint32_t>(n.a))) return *v;
    w.fail(n, "a name is used where nothing is bound to it");
  case AnyOp::let_value: return w.value(w.kid(n, 1), with(d, n.a, w.value(w.kid(n, 0), d)));
  case AnyOp::if_value: return w.value(w.kid(n, w.holds(w.kid(n, 0), d) ? 1 : 2), d);
  case AnyOp::before: return before(w, w.kid(n, 0), d);
  case AnyOp::by_kind: {
    const int top = w.top_kind(w.kid(n, 0), d);
    return w.value(w.kid(n, top < 0 ? n.count - 1 : 1 + static_cast<std::uint32_t>(top)), d);
  }
  case AnyOp::by_player:
    return w.value(w.kid(n, 1 + static_cast<std::uint32_t>(w.player(w.kid(n, 0), d))), d);
  case AnyOp::first_of:
  case AnyOp::last_of: return end_of_list(w, n, d);
  case AnyOp::variable: return variable(w, static_cast<std::size_t>(n.a), d);
  }
  w.unknown(n);
}

// ---------------------------------------------------------------- numbers

std::int64_t hand(Walk& w, const Node& n, const Draft& d) {
  const int k = w.kind(w.kid(n, 0), d);
  if (k < 0) return 0;
  const int slot = w.program().hand_slot[static_cast<std::size_t>(n.a)][static_cast<std::size_t>(k)];
  if (slot < 0)
    w.fail(n, "`hand` of `" + w.program().kinds[static_cast<std::size_t>(k)].name +
                  "`: no such entry in `hands`");
  return (*d.hands)[static_cast<std::size_t>(slot)];
}

std::int64_t hand_total(Walk& w, const Node& n, const Draft& d) {
  std::int64_t sum = 0;
  for (const int slot : w.program().hand_slot[static_cast<std::size_t>(n.a)])
    if (slot >= 0) sum += (*d.hands)[static_cast<std::size_t>(slot)];
  return sum;
}

bool same_but_for_clocks(Walk& w, const std::vector<VariableValue>& a, const std::vector<VariableValue>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!w.program().variables[i].clock && a[i] != b[i]) return false;
  return true;
}

// Is it what the draft would be with `to_move` to move?
bool is_equal(Walk& w, const Position& p, const Draft& d, std::int32_t to_move) {
  return p.to_move == to_move && p.out == d.out && p.hands == *d.hands && p.cells == *d.cells &&
         same_but_for_clocks(w, p.variables, *d.variables);
}

std::int64_t repeats(Walk& w, const Draft& d, std::int32_t to_move) {
  return std::count_if(w.past().begin(), w.past().end(),
                       [&](const Position& p) { return is_equal(w, p, d, to_move); });
}

// The position at the beginning of the turn is one of them, also before the turn.
std::int64_t repeats_of(Walk& w, const Node& n, const Draft& d) {
  const bool as_it_began = n.a == d.turn->mover && d.out == w.position().out && d.cells == d.turn->cells &&
                           d.hands == d.turn->hands &&
                           same_but_for_clocks(w, *d.turn->variables, *d.variables);
  return repeats(w, d, n.a) + (as_it_began ? 1 : 0);
}

std::int64_t earlier(Walk& w, const Node& n, const Draft& d) {
  std::int64_t left = w.number(w.kid(n, 0), d);
  if (left <= 0) return -1;
  for (std::size_t k = w.past().size(); k-- > 0;)
    if (is_equal(w, w.past()[k], d, d.turn->mover) && --left == 0)
      return std::int64_t{w.position().ply} - static_cast<std::int64_t>(w.past().size() - k);
  return -1;
}

// Within a turn the position at its beginning is one that the board has been in.
std::int64_t board_repeats(Walk& w, const Draft& d) {
  const auto earlier =
      std::count_if(w.past().begin(), w.past().end(), [&](const Position& p) { return p.cells == *d.cells; });
  return earlier + (d.turn->moving && d.cells == d.turn->cells ? 1 : 0);
}

std::int64_t extreme(Walk& w, const Node& n, const Draft& d, bool greatest) {
  std::int64_t best = w.number(w.kid(n, 0), d);
  for (std::uint32_t i = 1; i < n.count; ++i) {
    const std::int64_t next = w.number(w.kid(n, i), d);
    best = greatest ? std::max(best, next) : std::min(best, next);
  }
  return best;
}

std::int64_t size(Walk& w, NodeId id, const Draft& d) {
  const Value v = w.value(id, d);
  const Type type = w.node(id).type;
  if (is_list(type)) return static_cast<std::int64_t>(v.list.size());
  return type == Type::directions ? v.steps.count() : v.cells.count();
}

std::int64_t height(Walk& w, NodeId id, const Draft& d) {
  std::int64_t sum = 0;
  w.cells(id, d).each([&](int cell) { sum += static_cast<std::int64_t>(d.stack(cell).size()); });
  return sum;
}

std::int64_t pieces(Walk& w, const Node& n, const Draft& d) {
  const bool any_kind = n.count < 2;
  const int wanted = any_kind ? 0 : w.kind(w.kid(n, 1), d);
  std::int64_t sum = 0;
  w.cells(w.kid(n, 0), d).each([&](int cell) {
    for (const Piece p : d.stack(cell))
      if (is_owned(static_cast<Owners>(n.a), p.owner, n.b) && (any_kind || p.kind == wanted)) ++sum;
  });
  return sum;
}

Value number_value(Walk& w, const Node& n, const Draft& d) {
  const auto player = static_cast<std::size_t>(n.a);
  const auto operand = [&](std::uint32_t i) { return w.number(w.kid(n, i), d); };
  const auto place = [&] { return w.first_cell(w.kid(n, 0), d); };
  const auto coordinate = [](const std::vector<int>& of, int cell) {
    return cell < 0 ? 0 : of[static_cast<std::size_t>(cell)];
  };
  switch (as<NumberOp>(n.op)) {
  case NumberOp::number: return of_number(n.a);
  case NumberOp::hand: return of_number(hand(w, n, d));
  case NumberOp::hand_total: return of_number(hand_total(w, n, d));
  case NumberOp::ply: return of_number(w.position().ply);
  case NumberOp::turns: return of_number(player < w.position().turns.size() ? w.position().turns[player] : 0);
  case NumberOp::carried: return of_number(static_cast<std::int64_t>(d.carried.size()));
  case NumberOp::repeats: return of_number(repeats(w, d, d.turn->mover));
  case NumberOp::repeats_of: return of_number(repeats_of(w, n, d));
  case NumberOp::earlier: return of_number(earlier(w, n, d));
  case NumberOp::board_repeats: return of_number(board_repeats(w, d));
  case NumberOp::add: return of_number(operand(0) + operand(1));
  case NumberOp::subtract: return of_number(operand(0) - operand(1));
  case NumberOp::multiply: return of_number(operand(0) * operand(1));
  case NumberOp::divide: return of_number(divided(operand(0), operand(1)));
  case NumberOp::modulo: return of_number(remainder(operand(0), operand(1)));
  case NumberOp::negate: return of_number(-operand(0));
  case NumberOp::least: return of_number(extreme(w, n, d, false));
  case NumberOp::greatest: return of_number(extreme(w, n, d, true));
  case NumberOp::absolute: return of_number(std::abs(operand(0)));
  case NumberOp::sum_for: return of_number(total_for(w, n, d, false));
  case NumberOp::product_for: return of_number(total_for(w, n, d, true));
  case NumberOp::least_for: return of_number(extreme_for(w, n, d, false));
  case NumberOp::greatest_for: return of_number(extreme_for(w, n, d, true));
  case NumberOp::count: return of_number(size(w, w.kid(n, 0), d));
  case NumberOp::height: return of_number(height(w, w.kid(n, 0), d));
  case NumberOp::pieces: return of_number(pieces(w, n, d));
  case NumberOp::spread: return of_number(spread(w.board(), w.cells(w.kid(n, 0), d)));
  case NumberOp::x_of: return of_number(coordinate(w.board().x, place()));
  case NumberOp::y_of: return of_number(coordinate(w.board().y, place()));
  case NumberOp::z_of: {
    const int cell = place();
    return of_number(cell < 0 ? 0 : w.board().z_of(cell));
  }
  }
  w.unknown(n);
}

// ---------------------------------------------------------------- truths

bool every_kid(Walk& w, const Node& n, const Draft& d, bool wanted) {
  const auto kids = w.program().kids_of(n);
  return std::all_of(kids.begin(), kids.end(), [&](NodeId id) { return w.holds(id, d) == wanted; });
}

bool equal(Walk& w, const Node& n, const Draft& d) {
  return order(w.value(w.kid(n, 0), d), w.value(w.kid(n, 1), d)) == 0;
}

bool within(Walk& w, const Node& n, const Draft& d) {
  const Value part = w.value(w.kid(n, 0), d), whole = w.value(w.kid(n, 1), d);
  return part.cells.within(whole.cells) && part.steps.within(whole.steps);
}

bool is_member(Walk& w, const Node& n, const Draft& d) {
  const Value wanted = w.value(w.kid(n, 0), d), list = w.value(w.kid(n, 1), d);
  return std::any_of(list.list.begin(), list.list.end(),
                     [&](const Value& v) { return order(v, wanted) == 0; });
}

bool some_where(Walk& w, const Node& n, const Draft& d) {
  for (Value& v : w.members(w.kid(n, 0), d))
    if (w.holds(w.kid(n, 1), with(d, n.a, std::move(v)))) return true;
  return false;
}

// Whoever is out has none.
bool no_move(Walk& w, int player, const Draft& d) {
  if ((d.out >> player & 1) != 0) return true;
  Turn other;
  other.mover = player;
  other.moving = true;
  other.cells = d.cells;
  other.hands = d.hands;
  other.variables = d.variables;
  Draft e = w.begin(other);
  e.out = d.out;
  e.quiet = true;
  return w.turn(player, std::move(e), [](Draft&&) { return false; });
}

Value truth_value(Walk& w, const Node& n, const Draft& d) {
  switch (as<TruthOp>(n.op)) {
  case TruthOp::truth: return of_truth(n.a != 0);
  case TruthOp::negation: return of_truth(!w.holds(w.kid(n, 0), d));
  case TruthOp::all_of: return of_truth(every_kid(w, n, d, true));
  case TruthOp::any_of: return of_truth(!every_kid(w, n, d, false));
  case TruthOp::equal: return of_truth(equal(w, n, d));
  case TruthOp::less: return of_truth(w.number(w.kid(n, 0), d) < w.number(w.kid(n, 1), d));
  case TruthOp::at_most: return of_truth(w.number(w.kid(n, 0), d) <= w.number(w.kid(n, 1), d));
  case TruthOp::within: return of_truth(within(w, n, d));
  case TruthOp::member: return of_truth(is_member(w, n, d));
  case TruthOp::some: return of_truth(size(w, w.kid(n, 0), d) > 0);
  case TruthOp::some_where: return of_truth(some_where(w, n, d));
  case TruthOp::can: return of_truth(w.any_outcome(w.kid(n, 0), d));
  case TruthOp::no_move: return of_truth(no_move(w, n.a, d));
  case TruthOp::changed: return of_truth(d.cells != d.turn->cells || d.hands != d.turn->hands);
  }
  w.unknown(n);
}

// ---------------------------------------------------------------- sets and lists alike

template <class Set>
Set combination(Op op, const Set& a, const Set& b) {
  return op == Op::unite ? a | b : op == Op::meet ? a & b : a - b;
}

std::vector<Value> combination(Op op, std::vector<Value> a, std::vector<Value> b) {
  if (op == Op::unite) {
    a.insert(a.end(), std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()));
    return without_repeats(std::move(a));
  }
  const auto less = [](const Value& v, const Value& w) { return order(v, w) < 0; };
  std::sort(b.begin(), b.end(), less);
  std::erase_if(
      a, [&](const Value& v) { return std::binary_search(b.begin(), b.end(), v, less) != (op == Op::meet); });
  return a;
}

Value combined(Walk& w, const Node& n, const Draft& d) {
  Value a = w.value(w.kid(n, 0), d), b = w.value(w.kid(n, 1), d);
  w.work(n, a.list.size() + b.list.size());
  Value v;
  v.cells = combination(n.op, a.cells, b.cells);
  v.steps = combination(n.op, a.steps, b.steps);
  v.list = combination(n.op, std::move(a.list), std::move(b.list));
  w.check_list(n, v.list.size());
  return v;
}

Value selected(Walk& w, const Node& n, const Draft& d) {
  Value chosen;
  const bool list = is_list(w.node(w.kid(n, 0)).type);
  for (const Value& v : w.members(w.kid(n, 0), d)) {
    if (!w.holds(w.kid(n, 1), with(d, n.a, v))) continue;
    if (list) chosen.list.push_back(v);
    chosen.cells |= list ? CellSet() : v.cells;
    chosen.steps |= list ? StepSet() : v.steps;
  }
  return chosen;
}

Value set_value(Walk& w, const Node& n, const Draft& d) {
  switch (as<SetOp>(n.op)) {
  case SetOp::cells: return of_cells(w.program().cell_sets[static_cast<std::size_t>(n.a)]);
  case SetOp::directions: return of_steps(w.program().step_sets[static_cast<std::size_t>(n.a)]);
  case SetOp::select: return selected(w, n, d);
  case SetOp::unite:
  case SetOp::meet:
  case SetOp::minus: return combined(w, n, d);
  }
  w.unknown(n);
}

// ---------------------------------------------------------------- cells

CellSet owned(Walk& w, const Node& n, const Draft& d) {
  CellSet found;
  w.board().all.each([&](int cell) {
    const Stack& s = d.stack(cell);
    if (!s.empty() && is_owned(static_cast<Owners>(n.a), s.back().owner, n.b)) found.set(cell);
  });
  return found;
}

CellSet kind_cells(Walk& w, int kind, const Draft& d) {
  CellSet found;
  w.board().all.each([&](int cell) {
    if (!d.stack(cell).empty() && d.stack(cell).back().kind == kind) found.set(cell);
  });
  return found;
}

struct Corner {
  int x = 0, y = 0;
};

// The corner of a rectangle may be a hole: such a corner is written as y * 1024 + x.
std::optional<Corner> corner_at(std::int32_t fixed) {
  if (fixed < 0) return std::nullopt;
  return Corner{fixed % 1024, fixed / 1024};
}

std::optional<Corner> corner_at(const Board& board, int cell) {
  if (cell < 0) return std::nullopt;
  return Corner{board.x[static_cast<std::size_t>(cell)], board.y[static_cast<std::size_t>(cell)]};
}

// Every `apart`-th cell of a rectangle, from its corner on.
CellSet cells_between(const Board& board, Corner a, Corner z, std::int64_t apart) {
  CellSet found;
  const auto [x1, x2] = std::minmax(a.x, z.x);
  const auto [y1, y2] = std::minmax(a.y, z.y);
  for (int cell = 0; cell < board.cells; ++cell) {
    const int x = board.x[static_cast<std::size_t>(cell)], y = board.y[static_cast<std::size_t>(cell)];
    const bool inside = x1 <= x && x <= x2 && y1 <= y && y <= y2;
    if (inside && (x - x1) % apart == 0 && (y - y1) % apart == 0) found.set(cell);
  }
  return found;
}

CellSet rectangle(Walk& w, const Node& n, const Draft& d) {
  auto a = corner_at(n.a), z = corner_at(n.b);
  if (!a) a = corner_at(w.board(), w.first_cell(w.kid(n, 0), d));
  if (!z) z = corner_at(w.board(), w.first_cell(w.kid(n, n.count - 1), d));
  return a && z ? cells_between(w.board(), *a, *z, 1) : CellSet();
}

CellSet box(Walk& w, const Node& n, const Draft& d) {
  const auto a = corner_at(w.board(), w.first_cell(w.kid(n, 0), d)),
             z = corner_at(w.board(), w.first_cell(w.kid(n, 1), d));
  const std::int64_t apart = n.count > 2 ? w.number(w.kid(n, 2), d) : 1;
  if (!a || !z || apart < 1 || (z->x - a->x) % apart != 0 || (z->y - a->y) % apart != 0) return {};
  return cells_between(w.board(), *a, *z, apart);
}

// A list of kinds stands for the cells that have them on top.
CellSet union_of(Walk& w, NodeId id, const Draft& d) {
  CellSet all;
  const bool kinds = w.node(id).type == Type::kinds;
  for (const Value& v : w.members(id, d))
    all |= kinds ? kind_cells(w, static_cast<int>(v.number), d) : v.cells;
  return all;
}

CellSet image(Walk& w, const Node& n, const Draft& d) {
  const CellMap map = w.value(w.kid(n, 1), d).map;
  CellSet found;
  w.cells(w.kid(n, 0), d).each([&](int cell) {
    if (const int target = w.board().map(map, cell); target >= 0) found.set(target);
  });
  return found;
}

CellSet reach(Walk& w, const Node& n, const Draft& d) {
  const CellSet sources = w.cells(w.kid(n, 0), d);
  const Node& action = w.node(w.kid(n, 1));
  CellSet found;
  const auto arrived = [&](Draft&& e) {
    found.set(e.here);
    return true;
  };
  std::vector<Draft> starts;
  sources.each([&](int cell) {
    starts.push_back(d);
    starts.back().here = cell;
    starts.back().heading = kNoStep;
    starts.back().quiet = true;
  });
  const Walk::Reaching reaching(w);
  if (action.op == Op::repeat && !d.decided())
    reach_from_all(w, action, std::move(starts), arrived);
  else
    for (Draft& e : starts) w.run(w.kid(n, 1), std::move(e), arrived);
  return found;
}

CellSet numbered(Walk& w, std::int64_t wanted) {
  CellSet found;
  for (const auto& [number, cell] : w.board().numbered)
    if (number == wanted) found.set(cell);
  return found;
}

Value cells_value(Walk& w, const Node& n, const Draft& d) {
  const auto operand = [&](std::uint32_t i) { return w.cells(w.kid(n, i), d); };
  const auto all_with = [&](const std::vector<int>& coordinate) {
    const std::int64_t wanted = w.number(w.kid(n, 0), d);
    CellSet found;
    w.board().all.each([&](int cell) {
      if (coordinate[static_cast<std::size_t>(cell)] == wanted) found.set(cell);
    });
    return of_cells(found);
  };
  switch (as<CellsOp>(n.op)) {
  case CellsOp::owned: return of_cells(owned(w, n, d));
  case CellsOp::empty: {
    CellSet found;
    w.board().all.each([&](int cell) {
      if (d.stack(cell).empty()) found.set(cell);
    });
    return of_cells(found);
  }
  case CellsOp::kind_cells: return of_cells(kind_cells(w, w.kind(w.kid(n, 0), d), d));
  case CellsOp::here: return of_cell(d.here);
  case CellsOp::start: return of_cell(d.start);
  case CellsOp::complement: return of_cells(w.board().all - operand(0));
  case CellsOp::rectangle: return of_cells(rectangle(w, n, d));
  case CellsOp::box: return of_cells(box(w, n, d));
  case CellsOp::first: return of_cell(operand(0).first());
  case CellsOp::last: return of_cell(operand(0).last());
  case CellsOp::union_of: return of_cells(union_of(w, w.kid(n, 0), d));
  case CellsOp::image: return of_cells(image(w, n, d));
  case CellsOp::reach: return of_cells(reach(w, n, d));
  case CellsOp::file_of: return all_with(w.board().x);
  case CellsOp::rank_of: return all_with(w.board().y);
  case CellsOp::cell_numbered: return of_cells(numbered(w, w.number(w.kid(n, 0), d)));
  }
  w.unknown(n);
}

// ---------------------------------------------------------------- directions

struct Displacement {
  std::int64_t dx = 0, dy = 0;
};

// The displacements among the steps: a track has none.
std::vector<Displacement> displacements(const Board& board, const StepSet& steps) {
  std::vector<Displacement> result;
  steps.each([&](int step) {
    const Step& s = board.steps[static_cast<std::size_t>(step)];
    if (s.track < 0) result.push_back({s.dx, s.dy});
  });
  return result;
}

// Adds the step with a displacement, if the board has it. The zero step is none.
void add_step(const Board& board, Displacement by, StepSet& steps) {
  const auto fits = [](std::int64_t n) { return std::abs(n) <= kMaxCells; };
  if (!fits(by.dx) || !fits(by.dy) || (by.dx == 0 && by.dy == 0)) return;
  const int step = board.step_by(static_cast<int>(by.dx), static_cast<int>(by.dy));
  if (step >= 0) steps.set(step);
}

Displacement sixth_turn(Displacement v, bool slant_right) { // clockwise
  return slant_right ? Displacement{v.dy, v.dy - v.dx} : Displacement{v.dx + v.dy, -v.dx};
}

Displacement quarter_turn(Displacement v) { return {v.dy, -v.dx}; } // clockwise

// Clockwise; a diagonal keeps its larger coordinate. Only straight and diagonal steps can turn so: others
// give nothing.
Displacement eighth_turn(Displacement v) {
  if (v.dx != 0 && v.dy != 0 && std::abs(v.dx) != std::abs(v.dy)) return {};
  const std::int64_t length = std::max(std::abs(v.dx), std::abs(v.dy));
  const Displacement w{v.dx + v.dy, v.dy - v.dx};
  return {std::clamp(w.dx, -length, length), std::clamp(w.dy, -length, length)};
}

StepSet sums(const Board& board, const StepSet& a, const StepSet& b) {
  StepSet found;
  for (const Displacement v : displacements(board, a))
    for (const Displacement w : displacements(board, b)) add_step(board, {v.dx + w.dx, v.dy + w.dy}, found);
  return found;
}

StepSet multiples(const Board& board, std::int64_t factor, const StepSet& steps) {
  StepSet found;
  for (const Displacement v : displacements(board, steps))
    add_step(board, {factor * v.dx, factor * v.dy}, found);
  return found;
}

StepSet opposites(const Board& board, const StepSet& steps) {
  StepSet found;
  for (const Displacement v : displacements(board, steps)) add_step(board, {-v.dx, -v.dy}, found);
  steps.each([&](int step) {
    const Step& s = board.steps[static_cast<std::size_t>(step)];
    for (std::size_t i = 0; s.track >= 0 && i < board.steps.size(); ++i)
      if (board.steps[i].track == s.track && board.steps[i].reversed != s.reversed)
        found.set(static_cast<int>(i));
  });
  return found;
}

StepSet turned(const Board& board, const StepSet& steps, std::int64_t degrees) {
  StepSet found;
  for (Displacement v : displacements(board, steps)) {
    if (board.hexes) {
      for (std::int64_t i = remainder(divided(degrees, 60), 6); i > 0; --i)
        v = sixth_turn(v, board.slant_right);
    } else {
      for (std::int64_t i = remainder(divided(degrees, 90), 4); i > 0; --i) v = quarter_turn(v);
      if (remainder(divided(degrees, 45), 2) != 0) v = eighth_turn(v);
    }
    add_step(board, v, found);
  }
  return found;
}

StepSet spins(const Board& board, const StepSet& steps) {
  StepSet found;
  const int turns = board.hexes ? 6 : 4;
  for (const Displacement v : displacements(board, steps))
    for (Displacement w : {v, Displacement{v.dy, v.dx}})
      for (int i = 0; i < turns; ++i) {
        add_step(board, w, found);
        w = board.hexes ? sixth_turn(w, board.slant_right) : quarter_turn(w);
      }
  return found;
}

Value directions_value(Walk& w, const Node& n, const Draft& d) {
  const auto operand = [&](std::uint32_t i) { return w.steps(w.kid(n, i), d); };
  switch (as<DirectionsOp>(n.op)) {
  case DirectionsOp::heading: return of_step(d.heading);
  case DirectionsOp::sum: return of_steps(sums(w.board(), operand(0), operand(1)));
  case DirectionsOp::times: return of_steps(multiples(w.board(), w.number(w.kid(n, 0), d), operand(1)));
  case DirectionsOp::opposite: return of_steps(opposites(w.board(), operand(0)));
  case DirectionsOp::turned: return of_steps(turned(w.board(), operand(0), w.number(w.kid(n, 1), d)));
  case DirectionsOp::spins: return of_steps(spins(w.board(), operand(0)));
  }
  w.unknown(n);
}

// ---------------------------------------------------------------- kinds and players

Value kind_or_player_value(Walk& w, const Node& n, const Draft& d) {
  switch (as<NameOp>(n.op)) {
  case NameOp::kind:
  case NameOp::player: return of_number(n.a);
  case NameOp::kind_at: return of_number(w.top_kind(w.kid(n, 0), d));
  }
  w.unknown(n);
}

// ---------------------------------------------------------------- maps

CellMap shift(const Board& board, int from, int to) {
  CellMap map;
  if (from < 0 || to < 0) return map;
  map.valid = true;
  map.dx = board.x[static_cast<std::size_t>(to)] - board.x[static_cast<std::size_t>(from)];
  map.dy = board.y[static_cast<std::size_t>(to)] - board.y[static_cast<std::size_t>(from)];
  return map;
}

// The map that leaves every cell where it is, about the middle of the bounding box of a set.
CellMap about_middle(const Board& board, const CellSet& cells) {
  CellMap map;
  int left = board.files, right = 1, bottom = board.ranks, top = 1;
  cells.each([&](int cell) {
    const int x = board.x[static_cast<std::size_t>(cell)], y = board.y[static_cast<std::size_t>(cell)];
    left = std::min(left, x), right = std::max(right, x);
    bottom = std::min(bottom, y), top = std::max(top, y);
  });
  // Without edges the middle of more than two cells depends on where the board is cut.
  map.valid = cells.any() && (!board.endless() || cells.count() <= 2);
  map.px = left + right;
  map.py = bottom + top;
  return map;
}

CellMap scaled(CellMap map, std::int64_t by, std::int64_t over) {
  map.xx = map.yy = static_cast<std::int32_t>(by);
  map.over = static_cast<std::int32_t>(over);
  map.valid = map.valid && over != 0;
  return map;
}

// The columns of the matrix are where (1, 0) and (0, 1) turn to.
CellMap rotated(CellMap map, const Board& board, std::int64_t degrees) {
  const int unit = board.hexes ? 60 : 90;
  Displacement x{1, 0}, y{0, 1};
  for (std::int64_t i = remainder(divided(degrees, unit), 360 / unit); i > 0; --i) {
    x = board.hexes ? sixth_turn(x, board.slant_right) : quarter_turn(x);
    y = board.hexes ? sixth_turn(y, board.slant_right) : quarter_turn(y);
  }
  map.xx = static_cast<std::int32_t>(x.dx), map.xy = static_cast<std::int32_t>(y.dx);
  map.yx = static_cast<std::int32_t>(x.dy), map.yy = static_cast<std::int32_t>(y.dy);
  return map;
}

// The reflection in the line along v takes p to 2 <p,v> / <v,v> v - p. On hexes the axes are not at right
// angles: twice <(a,b),(c,d)> is 2ac + 2bd + s (ad + bc), where s is 1, or -1 for the other slant.
CellMap reflected(CellMap map, const Board& board, Displacement v) {
  const std::int64_t s = !board.hexes ? 0 : board.slant_right ? -1 : 1;
  const std::int64_t square = v.dx * v.dx + v.dy * v.dy + s * v.dx * v.dy;
  const std::int64_t along_x = 2 * v.dx + s * v.dy, along_y = 2 * v.dy + s * v.dx;
  map.valid = map.valid && square != 0;
  map.over = static_cast<std::int32_t>(square);
  map.xx = static_cast<std::int32_t>(v.dx * along_x - square);
  map.xy = static_cast<std::int32_t>(v.dx * along_y);
  map.yx = static_cast<std::int32_t>(v.dy * along_x);
  map.yy = static_cast<std::int32_t>(v.dy * along_y - square);
  return map;
}

Value map_value(Walk& w, const Node& n, const Draft& d) {
  const auto middle = [&](std::uint32_t of) { return about_middle(w.board(), w.cells(w.kid(n, of), d)); };
  switch (as<MapOp>(n.op)) {
  case MapOp::shift:
    return of_map(shift(w.board(), w.first_cell(w.kid(n, 0), d), w.first_cell(w.kid(n, 1), d)));
  case MapOp::scale: return of_map(scaled(middle(2), w.number(w.kid(n, 0), d), w.number(w.kid(n, 1), d)));
  case MapOp::rotate: return of_map(rotated(middle(1), w.board(), w.number(w.kid(n, 0), d)));
  case MapOp::reflect: {
    const StepSet along = w.steps(w.kid(n, 0), d);
    const auto vectors = displacements(w.board(), along.any() ? StepSet::of(along.first()) : along);
    return of_map(reflected(middle(1), w.board(), vectors.empty() ? Displacement() : vectors.front()));
  }
  }
  w.unknown(n);
}

} // namespace

} // namespace boardwright::runtime::reference

namespace boardwright::runtime {

Value Walk::value(NodeId id, const Draft& d) {
  const Node& n = node(id);
  const Entered step(*this, n);
  Value found = memory_ == nullptr ? worked_out(n, d) : remembered(id, d);
  if (observer_ != nullptr) observer_->asked(id, d, found);
  return found;
}

Value Walk::remembered(NodeId id, const Draft& d) {
  const auto by = memory_->by_number.find(id);
  const Value* of = by == memory_->by_number.end() ? nullptr : d.locals.find(by->second);
  if (of == nullptr) return worked_out(node(id), d);
  const std::pair key(id, of->number);
  if (const auto known = memory_->known.find(key); known != memory_->known.end()) return known->second;
  return memory_->known[key] = worked_out(node(id), d);
}

Value Walk::worked_out(const Node& n, const Draft& d) {
  switch (group_of(n.op)) {
  case Group::any: return reference::any_value(*this, n, d);
  case Group::number: return reference::number_value(*this, n, d);
  case Group::truth: return reference::truth_value(*this, n, d);
  case Group::set: return reference::set_value(*this, n, d);
  case Group::cells: return reference::cells_value(*this, n, d);
  case Group::directions: return reference::directions_value(*this, n, d);
  case Group::name: return reference::kind_or_player_value(*this, n, d);
  case Group::list: return reference::list_value(*this, n, d);
  case Group::map: return reference::map_value(*this, n, d);
  case Group::joining:
  case Group::walking:
  case Group::pieces:
  case Group::position: fail(n, "an action has no value");
  case Group::text: fail(n, "a text is no value");
  }
  unknown(n);
}

// A node of an operation that no table has: all are named in the switches, without a default.
void Walk::unknown(const Node& n) const { fail(n, "an unknown operation"); }

int Walk::top_kind(NodeId id, const Draft& d) {
  const int cell = first_cell(id, d);
  return cell < 0 || d.stack(cell).empty() ? -1 : d.stack(cell).back().kind;
}

bool Walk::any_outcome(NodeId id, Draft d) {
  d.quiet = true; // what is written doesn't matter
  ++keeping_;
  const bool none = run(id, std::move(d), [](Draft&&) { return false; });
  --keeping_;
  return !none;
}

std::vector<Value> Walk::members(NodeId id, const Draft& d) {
  Value v = value(id, d);
  std::vector<Value> result;
  if (reference::is_list(node(id).type)) result = std::move(v.list);
  v.cells.each([&](int cell) { result.push_back(reference::of_cell(cell)); });
  v.steps.each([&](int step) { result.push_back(reference::of_step(step)); });
  work(node(id), result.size());
  return result;
}

} // namespace boardwright::runtime
