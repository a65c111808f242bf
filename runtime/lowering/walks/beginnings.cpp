// From where could walkers get through what comes next? Asked of all cells at once, before walkers begin one
// by one: where no piece can capture no capture is begun.
//
// # What it may rest on
// The answer may have cells too many, never too few: whatever isn't seen through is taken as if it held. What
// comes next is taken backwards: the cells where a test holds, those from where a step leads there. Tests are
// asked of the position as it is now. Once the walker has changed something (it has lifted its piece), that
// is right only where it doesn't come back: so it is followed as long as it goes straight on, and sets must
// say of each cell by what lies there whether it is in them. Nothing is asked of the cell where it has just
// changed something.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

namespace {

constexpr std::size_t kMostParts = 16; // actions that are looked at
constexpr int kMostGoes = 4;           // steps behind each other
constexpr std::size_t kMostCode = 400; // operations: beyond, walkers find out by themselves
constexpr int kMostDirections = 24;    // directions: likewise

// Does it come back to where it was within so many steps?
bool comes_round(const Step& s, int steps) {
  if (!s.may_return()) return false;
  for (std::size_t c = 0; c < s.to.size(); ++c) {
    int on = static_cast<int>(c);
    for (int k = 0; k < steps && on != kNowhere; ++k) {
      on = s.to[static_cast<std::size_t>(on)];
      if (on == static_cast<int>(c)) return true;
    }
  }
  return false;
}

} // namespace

// What has been done on the way so far.
struct Lowering::Way {
  bool changed = false;      // pieces, where the walker has been
  bool changed_here = false; // and where it is
  int step = -1;             // the direction since then
  int goes = 0;
  bool laden = false;   // something is in the air, which must be laid down to make a move
  bool carries = false; // something may be in the air: without stacks, to lift more is a fault
  bool to_end = false;  // the parts that are looked at are all that come until the turn ends
};

Reg Lowering::could_begin(const Todo* todo, const Draft& d, bool changed, bool laden) {
  if (!is_on(Form::begin)) return board_;
  Steps parts;
  for (; todo != nullptr && todo->then == nullptr && parts.size() < kMostParts; todo = todo->next)
    flatten(todo->action, parts);
  Way way;
  way.changed = way.changed_here = changed;
  way.laden = laden;
  way.carries = laden || d.air.kind != Air::Kind::nothing;
  way.to_end = todo == nullptr;
  Emitter::Attempt attempt(e_);
  const std::size_t begin = e_.here();
  const Reg from = could_pass(parts, 0, way, d);
  if (from != board_ && e_.here() - begin <= kMostCode) return from;
  attempt.give_up();
  return board_;
}

// Could one of the parts from i on lay down what is in the air?
bool Lowering::lays_down(const Steps& parts, std::size_t i) const {
  return std::any_of(parts.begin() + static_cast<std::ptrdiff_t>(i), parts.end(), [this](NodeId part) {
    return contains_action(part, Op::put) || contains_action(part, Op::discard);
  });
}

// From where the parts from i on can be passed.
Reg Lowering::could_pass(const Steps& parts, std::size_t i, Way way, Draft d) {
  if (way.laden && way.to_end && !lays_down(parts, i)) return none_;
  if (i == parts.size() || stopped()) return board_;
  const NodeId id = parts[i];
  const Node n = node(id);
  const auto with = [&](NodeId inner, const Draft& e) { // an action in the place of this one
    Steps all;
    flatten(inner, all);
    all.insert(all.end(), parts.begin() + static_cast<std::ptrdiff_t>(i) + 1, parts.end());
    return could_pass(all, 0, way, e);
  };
  const auto any_of = [&](std::uint32_t first) {
    Reg all = none_;
    for (std::uint32_t k = first; k < n.count && all != board_; ++k)
      all = unite(all, with(program_.kid(n, k), d));
    return all;
  };
  switch (n.op) {
  case Op::never: return none_;
  case Op::alternatives:
  case Op::otherwise: return any_of(0);
  case Op::quietly:
  case Op::distinct:
  case Op::most: return with(kid(id, 0), d);
  case Op::if_action: return n.count > 2 ? any_of(1) : board_;
  case Op::by_kind_action: {
    if (way.changed || node(kid(id, 0)).op != Op::here) return board_;
    Reg all = with(program_.kid(n, n.count - 1), d); // of an empty cell
    all = all == none_ ? none_ : meet(all, layout_.empty);
    for (std::uint32_t k = 1; k + 1 < n.count; ++k) {
      const Reg of_kind = kind_cells(static_cast<int>(k) - 1);
      all = unite(all, meet(of_kind, with(program_.kid(n, k), d)));
    }
    return all;
  }
  case Op::choose: {
    d.locals.erase(n.a);
    if (node(kid(id, 0)).type != Type::directions || is_changed(n.a)) return board_;
    const StepSet steps = possible_steps(kid(id, 0), d);
    if (steps.count() > kMostDirections) return board_;
    Reg all = none_;
    steps.each([&](int s) {
      if (all == board_) return;
      Draft e = d;
      e.locals[n.a] = make_steps(StepSet::of(s));
      all = unite(all, could_pass(parts, i + 1, way, std::move(e)));
    });
    return all;
  }
  case Op::go: {
    const StepSet steps = possible_steps(kid(id, 0), d);
    if (steps.count() > kMostDirections || way.goes >= kMostGoes) return board_;
    Reg all = none_;
    steps.each([&](int s) {
      if (all != board_) all = unite(all, could_step(parts, i, s, way, d));
    });
    return all;
  }
  case Op::at: {
    const Reg rest = could_pass(parts, i + 1, way, d);
    const auto tested = at_most_in(kid(id, 0), way, d);
    return tested ? meet(rest, *tested) : rest;
  }
  case Op::repeat: return could_repeat(parts, i, way, d);
  case Op::let: {
    const NodeId source = kid(id, 0);
    const bool asks = node(source).type == Type::cells && !is_changed(n.a) && !way.changed &&
                      !reads_walker(source) && !contains(source, Op::before) && harmless(source) &&
                      known_everywhere(source, d);
    if (asks)
      d.locals[n.a] = any_set(set(source, d));
    else
      d.locals.erase(n.a);
    return could_pass(parts, i + 1, way, std::move(d));
  }
  case Op::set_local: d.locals.erase(n.a); return could_pass(parts, i + 1, way, std::move(d));
  case Op::require:
  case Op::say: return could_pass(parts, i + 1, way, std::move(d));
  case Op::remove:
    if (node(kid(id, 0)).op != Op::here) return board_;
    [[fallthrough]];
  case Op::lift:
  case Op::put:
    if (n.op == Op::lift && way.carries && !stacks()) return board_;
    if (n.op != Op::remove) way.carries = n.op == Op::lift;
    way.laden = false;
    if (!way.changed) way.step = -1;
    way.changed = way.changed_here = true;
    return could_pass(parts, i + 1, way, std::move(d));
  default: return board_;
  }
}

Reg Lowering::could_step(const Steps& parts, std::size_t i, int step, Way way, const Draft& d) {
  const Step& s = board().steps[at(step)];
  const bool straight = !comes_round(s, kMostGoes) && (way.step < 0 || way.step == step);
  if (way.changed && !straight) return board_;
  way.step = step;
  way.changed_here = false;
  ++way.goes;
  Draft behind = d;
  behind.heading = make_steps(StepSet::of(step));
  const Reg rest = could_pass(parts, i + 1, way, behind);
  const CellSet* known = rest == board_ ? &board().all : e_.known_set(rest);
  if (known == nullptr) return stepped(rest, step, true);
  CellSet from;
  for (int cell = 0; cell < board().cells; ++cell)
    if (const int to = s.to[at(cell)]; to != kNowhere && known->test(to)) from.set(cell);
  return from == board().all ? board_ : e_.set_constant(from);
}

// One round must do, if there must be one; of rounds that only go straight on it is known where they lead.
Reg Lowering::could_repeat(const Steps& parts, std::size_t i, const Way& way, const Draft& d) {
  const NodeId id = parts[i];
  const Node& low = node(kid(id, 1));
  if (low.op != Op::number) return board_;
  Steps body;
  flatten(kid(id, 0), body);
  const int step = !body.empty() && node(body[0]).op == Op::go
                       ? constant_steps(kid(body[0], 0), d).value_or(StepSet()).first()
                       : -1;
  const bool goes_on = step >= 0 && is_walk(kid(id, 0)) && body.size() <= 2 && low.a <= 1 &&
                       constant_steps(kid(body[0], 0), d)->count() == 1 &&
                       !board().steps[at(step)].may_return() &&
                       (!way.changed || way.step < 0 || way.step == step) && way.goes < kMostGoes;
  // The heading behind them isn't followed.
  for (const NodeId part : parts)
    if (contains(part, Op::heading)) return board_;
  if (!goes_on) {
    Way inside = way;
    inside.to_end = false;
    const Reg further = low.a >= 1 || way.laden ? could_pass(body, 0, inside, d) : board_;
    return low.a >= 1 || further == board_ ? further : unite(further, could_pass(parts, i + 1, way, d));
  }
  Way after = way;
  after.step = step;
  after.changed_here = false;
  ++after.goes;
  Draft e = d;
  std::optional<Reg> over;
  if (body.size() == 2 && node(body[1]).op == Op::at) over = at_most_in(kid(body[1], 0), after, e);
  const Reg rest = could_pass(parts, i + 1, after, d), through = over.value_or(board_);
  if (rest == board_ && low.a < 1) return board_;
  const Reg none_gone = low.a >= 1 ? none_ : way.changed_here ? could_pass(parts, i + 1, way, d) : rest;
  if (through != board_ && low.a < 1) { // whoever could go a round could go on at once
    Emitter::Attempt attempt(e_);
    if (stepped(through, step, true) == none_gone) return none_gone;
    attempt.give_up();
  }
  const int back = compass_.opposite[at(step)];
  if (back < 0) return board_;
  const Reg last = meet(rest, through);
  // Of several words a run takes long, and where none is needed all that could be run over will do.
  const bool roughly = layout_.words > 1 && low.a < 1 && over;
  const Reg on = roughly ? through : rest == board_ ? last : unite(last, ran(last, back, through));
  const Reg first = stepped(on, step, true);
  return unite(none_gone, first);
}

// Is it bound to one value that stays, whatever of the state has changed?
bool Lowering::known_everywhere(NodeId id, const Draft& d) const {
  const Node& n = node(id);
  if (n.op == Op::local) return !is_changed(n.a) && d.locals.count(n.a) != 0;
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (program_.kid(n, i) != kNoNode && !known_everywhere(program_.kid(n, i), d)) return false;
  return true;
}

// Is it said by names, cells and steps alone, whatever lies on the board?
bool Lowering::asks_only_where(NodeId id) const {
  const Node& n = node(id);
  switch (n.op) {
  case Op::local:
  case Op::cells:
  case Op::here: // of a walk within the value
  case Op::number:
  case Op::directions: return true;
  case Op::reach:
  case Op::unite:
  case Op::meet:
  case Op::minus:
  case Op::opposite:
  case Op::sequence:
  case Op::alternatives:
  case Op::choose:
  case Op::go:
  case Op::at:
  case Op::repeat: break;
  default: return false;
  }
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (!asks_only_where(program_.kid(n, i))) return false;
  return true;
}

// A set that has all cells which may be in the one that is asked for; nothing where that could be any.
std::optional<Reg> Lowering::at_most_in(NodeId id, const Way& way, Draft& d) {
  const Node n = node(id);
  const bool asks = !reads_walker(id) && !contains(id, Op::before) && harmless(id);
  if (n.op == Op::local && !known_everywhere(id, d)) return std::nullopt;
  const bool stays = !way.changed || (goes_by_cell(id) && !way.changed_here) || asks_only_where(id);
  if (asks && known_everywhere(id, d) && stays) {
    const Reg r = e_.source_of(set(id, d));
    return r == board_ ? std::nullopt : std::optional(r);
  }
  if (n.op == Op::unite) {
    const auto a = at_most_in(kid(id, 0), way, d), b = at_most_in(kid(id, 1), way, d);
    return a && b ? std::optional(unite(*a, *b)) : std::nullopt;
  }
  if (n.op == Op::minus) return at_most_in(kid(id, 0), way, d);
  if (n.op != Op::meet) return std::nullopt;
  const auto a = at_most_in(kid(id, 0), way, d), b = at_most_in(kid(id, 1), way, d);
  return a && b ? std::optional(meet(*a, *b)) : a ? a : b;
}

} // namespace boardwright::runtime::lowering
