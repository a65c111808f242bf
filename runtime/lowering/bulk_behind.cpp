// What can be asked of all walkers at once behind changes (bulk.cpp): of the piece that has been laid down,
// of the cells beside the walker, of which one may be where it came from.
#include "runtime/lowering/walkers.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

// The walkers that have come from cells of a set: `place` says of each where from.
std::optional<Reg> Lowering::carried_along(Reg set, const std::vector<std::int16_t>& place) {
  std::optional<int> shift;
  CellSet from;
  for (std::size_t c = 0; c < place.size(); ++c) {
    if (place[c] == kNowhere) continue;
    const int by = static_cast<int>(c) - place[c];
    if (shift.value_or(by) != by) return std::nullopt;
    shift = by;
    from.set(place[c]);
  }
  if (!shift) return none_;
  if (*shift == 0) return meet(set, e_.set_constant(from));
  return e_.set_value(Ir::set_shift, set, e_.set_constant(from), 0, *shift);
}

// The change with which a piece has come to the cell where the walker is, and the one with which that was
// lifted: their numbers. Nothing else has changed there since.
std::optional<std::pair<std::size_t, std::size_t>> Lowering::laid_here(const Walkers& w) const {
  const auto stay = everywhere();
  const auto is_here = [&](const Walkers::Change& c) {
    for (std::size_t k = 0; k < c.place.size(); ++k)
      if (c.place[k] != kNowhere && c.place[k] != stay[k]) return false;
    return true;
  };
  for (std::size_t put = w.changes.size(); put-- > 0;) {
    const Walkers::Change& c = w.changes[put];
    if (c.names) continue;
    if (node(c.action).op != Op::put || !is_here(c)) return std::nullopt;
    for (std::size_t lift = put; lift-- > 0;)
      if (!w.changes[lift].names && node(w.changes[lift].action).op == Op::lift) return std::pair(put, lift);
    return std::nullopt;
  }
  return std::nullopt;
}

// Of which walkers is the piece that they have laid down in a set? It is what it was where it was lifted.
std::optional<Reg> Lowering::where_laid(NodeId id, const Walkers& w, Draft& d) {
  if (!is_on(Form::laid)) return std::nullopt;
  const auto laid = laid_here(w);
  if (!laid || !goes_by_cell(id)) return std::nullopt;
  const Node n = node(id);
  const auto operand = [&](std::uint32_t i) { return where_laid(kid(id, i), w, d); };
  switch (n.op) {
  case Op::cells: return set(id, d);
  case Op::empty: return none_;
  case Op::owned:
  case Op::kind_cells: {
    const Contents in = n.op == Op::owned ? contents_of_owner(n) : contents_of_kind(node(kid(id, 0)).a);
    if ((w.contents & ~in).none()) return board_;
    if ((w.contents & in).none()) return none_;
    return carried_along(set(id, d), w.changes[laid->second].place);
  }
  case Op::complement: {
    const auto a = operand(0);
    return a ? std::optional(minus(board_, *a)) : std::nullopt;
  }
  default: break;
  }
  const auto a = operand(0), b = operand(1);
  if (!a || !b) return std::nullopt;
  return n.op == Op::unite ? unite(*a, *b) : n.op == Op::meet ? meet(*a, *b) : minus(*a, *b);
}

// A piece has been lifted and laid down elsewhere, so the board isn't what it was.
bool Lowering::has_moved_away(const Walkers& w) const {
  const auto laid = laid_here(w);
  if (!laid) return false;
  const auto& from = w.changes[laid->second].place;
  for (std::size_t c = 0; c < from.size(); ++c)
    if (from[c] == static_cast<std::int16_t>(c)) return false;
  return true;
}

// ---------------------------------------------------------------- boards that come again

// Is it a condition that holds where the board has never come before?
bool Lowering::holds_if_fresh(NodeId id) const {
  const Node& n = node(id);
  if (n.op == Op::negation) {
    const Node& of = node(kid(id, 0));
    const bool at_least = (of.op == Op::less || of.op == Op::at_most) &&
                          node(kid(kid(id, 0), 1)).op == Op::board_repeats &&
                          node(kid(kid(id, 0), 0)).op == Op::number;
    return at_least && node(kid(kid(id, 0), 0)).a >= (of.op == Op::less ? 0 : 1);
  }
  if (n.op != Op::less && n.op != Op::at_most && n.op != Op::equal) return false;
  const Node &a = node(kid(id, 0)), &b = node(kid(id, 1));
  if (n.op == Op::equal)
    return (a.op == Op::board_repeats && b.op == Op::number && b.a == 0) ||
           (b.op == Op::board_repeats && a.op == Op::number && a.a == 0);
  return a.op == Op::board_repeats && b.op == Op::number && b.a >= (n.op == Op::less ? 1 : 0);
}

// How many pieces of others have the walkers taken, at least and at most? Nothing else of them has changed.
std::optional<std::pair<int, int>> Lowering::pieces_taken(const Walkers& w) const {
  Contents others;
  for (int code = 1; code < pieces_.count(); ++code)
    if (pieces_.owner_of(static_cast<std::uint8_t>(code)) != player_) others.set(at(code));
  int least = 0, most = 0;
  for (std::size_t k = 0; k < w.changes.size(); ++k) {
    if (w.changes[k].names) continue;
    const Op op = node(w.changes[k].action).op;
    const bool may = (w.known[k] & others).any(), must = (w.known[k] & ~others).none();
    if (op == Op::lift ? may : op != Op::put && op != Op::remove) return std::nullopt;
    most += may ? 1 : 0;
    least += may && must ? 1 : 0;
  }
  return std::pair(least, most);
}

// Of which walkers does the condition that follows hold, which asks how often the board has come before? It
// can't have where no board of the past has what others have now, or so many pieces of them fewer as are
// taken. Else each is asked.
std::optional<Reg> Lowering::where_fresh(const Todo* todo, const Walkers& w, const Draft& d) {
  if (!is_on(Form::fresh)) return std::nullopt;
  constexpr int kMostTaken = 3; // each number is asked for
  if (stacks() || players() > ir::kMostMayRepeat || !d.recorded || d.changes > 0 || stays_in_bulk_)
    return std::nullopt;
  if (!holds_if_fresh(kid(todo->action, 0)) || !has_moved_away(w)) return std::nullopt;
  const auto taken = pieces_taken(w);
  if (!taken || taken->second > kMostTaken) return std::nullopt;
  code_.uses_history = code_.asks_may_repeat = true;
  const Reg holding = e_.new_set();
  const Label each = e_.label(), past = e_.label();
  e_.emit(Ir::set_copy, holding, board_);
  for (int n = taken->first; n <= taken->second; ++n) {
    const Reg may = e_.number_value(Ir::may_repeat, 0, 0, 0, player_ * 64 + n, kPieces);
    e_.emit(Ir::if_not_equal, 0, may, e_.number_constant(0), 0, each);
  }
  e_.go(past);
  e_.place(each);
  {
    const Emitter::Scope scope(e_);
    e_.emit(Ir::set_copy, holding, none_);
    Continuation holds;
    holds.go = [&](const Draft& f) { e_.emit(Ir::set_add, holding, f.here.reg); };
    const Todo end{kNoNode, nullptr, &holds};
    const Todo asked{todo->action, &end, nullptr};
    Draft one = d;
    one.recorded = false;
    take_one_by_one(&asked, w, std::move(one));
  }
  e_.place(past);
  return holding;
}

// ---------------------------------------------------------------- cells beside the walker

// Cells that a walk of one step from the walker leads to, perhaps those of them in a set.
struct Lowering::Beside {
  StepSet steps;
  std::vector<std::pair<NodeId, bool>> in; // sets, and whether it is in them or not
};

bool Lowering::is_beside(NodeId id, const Draft& d, Beside& b) const {
  const Node& n = node(id);
  switch (n.op) {
  case Op::meet:
  case Op::minus: {
    const bool first = reads_walker(kid(id, 0)), second = reads_walker(kid(id, 1));
    if (first && second) // no step leads to where the walker is
      return n.op == Op::minus && is_walker_cell(kid(id, 1)) && is_beside(kid(id, 0), d, b);
    if (!first && n.op == Op::minus) return false;
    b.in.emplace_back(kid(id, first ? 1 : 0), n.op == Op::meet);
    return is_beside(kid(id, first ? 0 : 1), d, b);
  }
  case Op::reach: {
    Steps walk;
    flatten(kid(id, 1), walk);
    if (!is_walker_cell(kid(id, 0)) || walk.empty() || node(walk[0]).op != Op::go) return false;
    const auto steps = constant_steps(program_.kid(node(walk[0]), 0), d);
    if (!steps || !b.steps.none()) return false;
    b.steps = *steps;
    for (std::size_t k = 1; k < walk.size(); ++k) {
      if (node(walk[k]).op != Op::at || reads_walker(kid(walk[k], 0))) return false;
      b.in.emplace_back(kid(walk[k], 0), true);
    }
    bool stays = false;
    b.steps.each([&](int s) {
      const auto& to = board().steps[at(s)].to;
      for (std::size_t c = 0; c < to.size(); ++c) stays = stays || to[c] == static_cast<std::int16_t>(c);
    });
    return !stays;
  }
  default: return false;
  }
}

bool Lowering::steps_away(NodeId id, const Draft& d) const {
  Beside b;
  return is_beside(id, d, b);
}

// The walkers beside whom there is such a cell. Where that is one that has changed on their way, it counts
// as what it has become.
std::optional<Reg> Lowering::where_beside(NodeId id, const Walkers& w, Draft& d) {
  if (!is_on(Form::beside)) return std::nullopt;
  Beside b;
  if (!names_at_hand(id, w) || !is_beside(id, d, b)) return std::nullopt;
  Reg goals = board_;
  bool surely = true, maybe = true; // may a cell that has been left count?
  for (const auto& [of, in] : b.in) {
    if (disturbed(of, w)) {
      const auto codes = codes_in(of);
      if (!codes || !goes_by_cell(of)) return std::nullopt;
      surely = surely && (in ? codes->first : ~codes->second).test(0);
      maybe = maybe && (in ? codes->second : ~codes->first).test(0);
    } else {
      surely = false; // it may be elsewhere
    }
    goals = in ? meet(goals, set(of, d)) : minus(goals, set(of, d));
  }
  Reg all = none_;
  bool good = true;
  b.steps.each([&](int s) {
    const auto& to = board().steps[at(s)].to;
    CellSet met;
    for (std::size_t k = 0; k < w.changes.size(); ++k) {
      if (w.changes[k].names) continue;
      const Op op = node(w.changes[k].action).op;
      // Of a stack `lift 1` may leave what was below.
      const bool leaves = op == Op::remove || (op == Op::lift && !w.known[k].test(0));
      for (std::size_t c = 0; c < to.size(); ++c)
        if (to[c] != kNowhere && w.changes[k].place[c] == to[c]) {
          met.set(static_cast<int>(c));
          good = good && leaves && surely == maybe;
        }
    }
    Reg who = stepped(goals, s, true);
    if (met.any()) {
      const Reg cells = e_.set_constant(met);
      who = surely ? unite(who, cells) : minus(who, cells);
    }
    all = unite(all, who);
  });
  return good ? std::optional(all) : std::nullopt;
}

// What only sets a variable, or says that the mover goes on, is left for later: nothing that comes next asks.
void Lowering::set_in_bulk(const Todo* todo, Walkers w, Draft d) {
  const NodeId id = todo->action;
  const Node n = node(id);
  bool asked = !d.recorded || (n.op == Op::set_variable && !harmless(kid(id, 0)));
  for (const Todo* t = todo->next; t != nullptr && n.op == Op::set_variable; t = t->next)
    asked = asked || t->then != nullptr || contains_variable(t->action, n.a);
  if (asked) return one_by_one(todo, std::move(w), std::move(d));
  w.changes.push_back({id, everywhere(), true, -1});
  w.known.push_back(w.contents);
  bulk(todo->next, std::move(w), std::move(d));
}

bool Lowering::contains_variable(NodeId id, std::int32_t variable) const {
  if (id == kNoNode) return false;
  const Node& n = node(id);
  if (n.op == Op::variable && n.a == variable) return true;
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (contains_variable(program_.kid(n, i), variable)) return true;
  return false;
}

// A member of a constant list: each in code of its own.
bool Lowering::choose_constant_in_bulk(const Todo* todo, const Walkers& w, const Draft& d) {
  if (!is_on(Form::constants_in_bulk)) return false;
  const NodeId source = kid(todo->action, 0);
  const auto slot = node(todo->action).a;
  const auto members = constant_members(source);
  if (!members || changed_.count(slot) != 0) return false;
  for (const std::int32_t member : *members) {
    const Emitter::Scope scope(e_);
    Draft e = d;
    e.locals[slot] = constant_number(member);
    record(e, member);
    bulk(todo->next, w, std::move(e));
  }
  return true;
}

// Of a list of few numbers, kinds or players that are known.
std::optional<std::vector<std::int32_t>> Lowering::constant_members(NodeId list) const {
  constexpr std::uint32_t kMostMembers = 8; // each is code of its own
  const Node& n = node(list);
  if (n.op != Op::list || n.count > kMostMembers) return std::nullopt;
  std::vector<std::int32_t> members;
  for (std::uint32_t i = 0; i < n.count; ++i) {
    const Node& member = node(program_.kid(n, i));
    if (member.op != Op::number && member.op != Op::kind && member.op != Op::player) return std::nullopt;
    if (std::find(members.begin(), members.end(), member.a) == members.end()) // a list holds nothing twice
      members.push_back(member.a);
  }
  return members;
}

} // namespace boardwright::runtime::lowering
