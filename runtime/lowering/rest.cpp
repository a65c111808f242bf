// What is known of what comes after: can it fail or go wrong, what does it read, how much code is it?
#include "runtime/lowering/lowering.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// Of what only one value gives, the heading and the start, others may come to read it, too: they count
// likewise.
bool Lowering::contains(NodeId id, Op op) const {
  if (id == kNoNode) return false;
  const Node& n = node(id);
  const bool gives_part = one_of(op, Op::heading, Op::start);
  if (n.op == op || (gives_part && (own_reads(n.op) & own_reads(op)) != 0)) return true;
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (contains(program_.kid(n, i), op)) return true;
  return false;
}

// Likewise, but not in values.
bool Lowering::contains_action(NodeId id, Op op) const {
  if (id == kNoNode) return false;
  const Node& n = node(id);
  if (n.op == op) return true;
  if (!is_action(n.op)) return false;
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (contains_action(program_.kid(n, i), op)) return true;
  return false;
}

bool Lowering::contains_local(NodeId id, std::int32_t slot) const {
  if (id == kNoNode) return false;
  const Node& n = node(id);
  if (n.op == Op::local && n.a == slot) return true;
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (contains_local(program_.kid(n, i), slot)) return true;
  return false;
}

// The parts of a draft (Part) that a value or an action goes by. A walk within a value begins anew.
std::uint16_t Lowering::reads(NodeId id) const {
  if (id == kNoNode) return kNoPart;
  const Node& n = node(id);
  std::uint16_t parts = n.count == 0 ? own_reads(n.op) : own_reads(n.op, node(program_.kid(n, 0)).type);
  for (std::uint32_t i = 0; i < n.count; ++i) parts |= read_through(n.op, i, reads(program_.kid(n, i)));
  return parts;
}

bool Lowering::uses(Op op) const {
  return std::any_of(program_.nodes.begin(), program_.nodes.end(),
                     [op](const Node& n) { return n.op == op; });
}

// Walks within values begin and end by themselves.
bool Lowering::changes_place(NodeId id) const {
  for (const Op op : {Op::from, Op::to, Op::go, Op::bend})
    if (contains_action(id, op)) return true;
  return false;
}

// ---------------------------------------------------------------- which way the walker has come

bool Lowering::reads_way(NodeId id, std::int32_t slot) const {
  return contains(id, Op::heading) || (slot >= 0 && contains_local(id, slot)) ||
         // Where drafts are compared the heading counts too.
         contains(id, Op::distinct);
}

// Does anything that may come after ask for the heading, or for a name?
bool Lowering::reads_way(const Todo* todo, std::int32_t slot) const {
  for (; todo != nullptr; todo = todo->next) {
    if (todo->then == nullptr) {
      if (reads_way(todo->action, slot)) return true;
      const Op op = node(todo->action).op;
      if (slot < 0 && (op == Op::from || op == Op::to)) return false; // the heading is forgotten
      continue;
    }
    const Continuation& c = *todo->then;
    if (c.compares && slot < 0) return true;
    for (const NodeId id : c.reads)
      if (reads_way(id, slot)) return true;
    return reads_way(c.after, slot);
  }
  return false;
}

// ---------------------------------------------------------------- what can go wrong

bool Lowering::harmless(NodeId id) const {
  if (id == kNoNode) return true;
  const Node& n = node(id);
  switch (n.op) {
  case Op::hand: return has_entry(n.a, program_.kid(n, 0));
  case Op::range:
  case Op::no_move: return false;
  case Op::can: return is_walk(program_.kid(n, 0));
  case Op::list_for: { // of so many generators the list is short enough
    std::size_t most = 1;
    for (std::int32_t g = 0; g < n.b && most <= kMaxList; ++g) {
      if (node(program_.kid(n, 2 + static_cast<std::uint32_t>(g))).type != Type::cells) return false;
      most *= at(board().cells);
    }
    if (most > kMaxList) return false;
    break;
  }
  case Op::reach: {
    Steps walk;
    flatten(program_.kid(n, 1), walk);
    return harmless(program_.kid(n, 0)) && std::all_of(walk.begin(), walk.end(), [this](NodeId part) {
             return node(part).op == Op::require ? harmless(kid(part, 0)) : is_walk(part);
           });
  }
  default:
    if ((about(n.op).faults & kByOperands) != 0) return false;
  }
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (!harmless(program_.kid(n, i))) return false;
  return true;
}

// Whose piece comes; nothing where there is no such piece.
std::optional<int> Lowering::owner_of_drop(const Node& drop, int kind) const {
  const auto has_letter = [&](int owner) { return pieces_.code_of(owner, kind) != 0; };
  int owner = drop.a;
  if (owner == kNatural) owner = has_letter(kNeutral) && !has_letter(drop.b) ? kNeutral : drop.b;
  return has_letter(owner) ? std::optional(owner) : std::nullopt;
}

// Is it a known kind, of which the player has a hand?
bool Lowering::has_entry(int player, NodeId kind) const {
  const Node& k = node(kind);
  return k.op == Op::kind && k.a >= 0 && program_.hand_slot[at(player)][at(k.a)] >= 0;
}

// Has an action exactly one outcome whatever the position, and can't it go wrong? `air`: what is carried,
// before and after.
bool Lowering::certain(NodeId id, const Draft& d, Air::Kind& air, bool& has_cell) const {
  const Node& n = node(id);
  const auto kids = program_.kids_of(n);
  const auto all_harmless = [&] {
    return std::all_of(kids.begin(), kids.end(), [this](NodeId k) { return harmless(k); });
  };
  const auto letters = [&](int owner, int kind) { return pieces_.code_of(owner, kind) != 0; };
  switch (n.op) {
  case Op::sequence:
  case Op::quietly:
    return std::all_of(kids.begin(), kids.end(), [&](NodeId k) { return certain(k, d, air, has_cell); });
  case Op::if_action: {
    if (!harmless(kids[0])) return false;
    Air::Kind other = air;
    bool cell = has_cell;
    if (!certain(kids[1], d, air, has_cell)) return false;
    if (n.count > 2 && !certain(kids[2], d, other, cell)) return false;
    return other == air;
  }
  case Op::put:
    if (n.count > 0 || (stacks() && !heights_bounded_)) return false;
    if (air != Air::Kind::nothing && !has_cell) return false;
    air = Air::Kind::nothing;
    return true;
  case Op::discard:
    if (n.count > 0 || (air != Air::Kind::nothing && !has_cell)) return false;
    air = Air::Kind::nothing;
    return true;
  case Op::drop: {
    if (n.count > 2 || stacks()) return false;
    const Node& kind = node(kids[1]);
    if (kind.op != Op::kind || kind.a < 0 || !harmless(kids[0])) return false;
    const auto owner = owner_of_drop(n, kind.a);
    return owner && program_.hand_slot[at(*owner < 0 ? n.b : *owner)][at(kind.a)] < 0;
  }
  case Op::change: {
    const auto kind = n.count > 1 ? kind_of(kids[1], d) : std::nullopt;
    if (!harmless(kids[0]) || (n.count > 1 && kind.value_or(-1) < 0)) return false;
    for (int c = 1; c < pieces_.count(); ++c) {
      const int owner = n.a == kKeepOwner ? pieces_.owner_of(static_cast<std::uint8_t>(c)) : n.a;
      if (!letters(owner, kind ? *kind : pieces_.kind[at(c)])) return false;
    }
    return true;
  }
  case Op::set_hand: return has_entry(n.a, kids[0]) && harmless(kids[1]);
  case Op::each: {
    const Air::Kind before = air;
    return harmless(kids[0]) && certain(kids[1], d, air, has_cell) && air == before;
  }
  case Op::remove:
  case Op::let:
  case Op::set_local:
  case Op::set_variable:
  case Op::pass:
  case Op::again:
  case Op::say: return all_harmless();
  // What comes after isn't carried out: so what is in the air stays there.
  case Op::win:
  case Op::draw: return air == Air::Kind::nothing;
  case Op::lose: return air == Air::Kind::nothing && (players() <= 2 || n.a == player_);
  default: return false;
  }
}

bool Lowering::certain(const Todo* todo, const Draft& d) const {
  Air::Kind air = d.air.kind;
  bool has_cell = d.here.is(Kind::cell) && maybe_none_.count(d.here.reg) == 0;
  Draft known;
  known.fits = d.fits;
  for (; todo != nullptr; todo = todo->next) {
    if (todo->then != nullptr) return todo->then->is_end;
    const bool holds = mode_ == Mode::search && passing_.count(todo->action) != 0;
    if (holds && node(todo->action).op == Op::require) note_fits(program_.kid(node(todo->action), 0), known);
    if (holds || surely_fits(todo->action, known)) continue;
    if (!certain(todo->action, d, air, has_cell)) return false;
  }
  return air == Air::Kind::nothing;
}

// ---------------------------------------------------------------- can a repetition come back to a draft?

namespace {

// Which half of the plane steps go to: they never come back if all go to one.
struct Halves {
  bool up = true, down = true, left = true, right = true, any = false;
  void add(const Step& s) {
    const bool track = s.may_return();
    any = true;
    up = up && !track && s.dy > 0;
    down = down && !track && s.dy < 0;
    right = right && !track && s.dx > 0;
    left = left && !track && s.dx < 0;
  }
  [[nodiscard]] bool one() const { return any && (up || down || left || right); }
};

} // namespace

// Conservative: true unless every round certainly leads to a draft that the ones before it weren't.
bool Lowering::comes_back(NodeId loop, const Draft& d) const {
  const NodeId body = program_.kid(node(loop), 0);
  Steps parts;
  flatten(body, parts);
  // The walker only goes one way: every round steps, and nothing puts it elsewhere.
  Halves halves;
  bool steps = true, stepped = false;
  Draft chosen = d;
  const bool keeps_heading = std::all_of(parts.begin(), parts.end(), [this](NodeId id) {
    return node(id).op != Op::go || node(program_.kid(node(id), 0)).op == Op::heading;
  });
  if (!keeps_heading) chosen.heading = make_step(0); // what it was in the last round isn't known
  for (const NodeId id : parts) {
    const Node& n = node(id);
    if (n.op == Op::choose && node(program_.kid(n, 0)).type == Type::directions && changed_.count(n.a) == 0)
      chosen.locals[n.a] = make_steps(possible_steps(program_.kid(n, 0), chosen));
    if (n.op == Op::go) {
      const auto way = constant_steps(program_.kid(n, 0), chosen);
      if (!way) {
        steps = false;
        continue;
      }
      stepped = true;
      way->each([&](int s) { halves.add(board().steps[at(s)]); });
    } else if (changes_place(id)) {
      steps = false;
    }
  }
  if (steps && stepped && halves.one()) return false;
  // A number that only ever goes up, or down, in every round.
  if (std::any_of(parts.begin(), parts.end(), [&](NodeId part) { return counts_on(part, body); }))
    return false;
  // There are ever fewer pieces, on the board and in the air: one is taken off in every round, and none
  // comes. Or ever more cells are in a set: one that isn't in it is added in every round, and none leaves.
  bool removes = false;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const Node &n = node(parts[i]), &before = node(parts[i - 1]);
    if (before.op != Op::at) continue;
    if (n.op == Op::set_local && grows(body, n, program_.kid(before, 0))) return false;
    if (n.op != Op::remove || node(program_.kid(n, 0)).op != Op::here) continue;
    const Node& there = node(program_.kid(before, 0));
    removes = removes || there.op == Op::owned || there.op == Op::kind_cells ||
              (there.op == Op::meet && (node(program_.kid(there, 0)).op == Op::owned ||
                                        node(program_.kid(there, 1)).op == Op::owned));
  }
  return !removes || contains(body, Op::drop);
}

// `set n = n + 2`: 1; `set n = n - 2`: -1; else 0.
int Lowering::count_direction(NodeId set) const {
  const Node& n = node(set);
  if (n.op != Op::set_local) return 0;
  const Node& value = node(kid(set, 0));
  if (value.op != Op::add && value.op != Op::subtract) return 0;
  const auto is_name = [&](std::uint32_t k) {
    const Node& v = node(program_.kid(value, k));
    return v.op == Op::local && v.a == n.a;
  };
  const auto number = [&](std::uint32_t k) {
    const Node& v = node(program_.kid(value, k));
    return v.op == Op::number ? v.a : 0;
  };
  std::int32_t by = is_name(0) ? number(1) : 0;
  if (value.op == Op::add && by == 0 && is_name(1)) by = number(0);
  if (value.op == Op::subtract) by = by > 0 ? -1 : by < 0 ? 1 : 0;
  return by > 0 ? 1 : by < 0 ? -1 : 0;
}

// Is the name set on every way through an action?
bool Lowering::always_sets(NodeId id, std::int32_t slot) const {
  if (id == kNoNode) return false;
  const Node& n = node(id);
  const auto kids = program_.kids_of(n);
  const auto sets = [&](NodeId k) { return always_sets(k, slot); };
  switch (n.op) {
  case Op::set_local: return n.a == slot;
  case Op::sequence: return std::any_of(kids.begin(), kids.end(), sets);
  case Op::quietly: return sets(kids[0]);
  case Op::alternatives:
  case Op::otherwise: return std::all_of(kids.begin(), kids.end(), sets);
  case Op::if_action: return n.count > 2 && sets(kids[1]) && sets(kids[2]);
  default: return false;
  }
}

// A part of a round that sets some name in one direction, as everything in the round that sets it does. What
// stands within it is looked at, too.
bool Lowering::counts_on(NodeId id, NodeId body) const {
  if (id == kNoNode) return false;
  const Node& n = node(id);
  const int direction = count_direction(id);
  if (direction != 0 && always_sets(body, n.a)) {
    std::vector<NodeId> todo{body};
    bool good = true;
    while (good && !todo.empty()) {
      const NodeId k = todo.back();
      todo.pop_back();
      if (k == kNoNode) continue;
      const Node& m = node(k);
      const bool sets = m.a == n.a && (m.op == Op::set_local || m.op == Op::let || m.op == Op::choose ||
                                       m.op == Op::choose_some || m.op == Op::each);
      good = !sets || count_direction(k) == direction;
      for (const NodeId inner : program_.kids_of(m)) todo.push_back(inner);
    }
    if (good) return true;
  }
  if (!is_action(n.op)) return false;
  const auto kids = program_.kids_of(n);
  return std::any_of(kids.begin(), kids.end(), [&](NodeId k) { return counts_on(k, body); });
}

// `at S - hit, set hit = hit | here`, and nothing else in the round sets this name.
bool Lowering::grows(NodeId body, const Node& set, NodeId tested) const {
  const auto is_local = [&](NodeId id) { return node(id).op == Op::local && node(id).a == set.a; };
  const Node &value = node(program_.kid(set, 0)), &of = node(tested);
  if (value.op != Op::unite || of.op != Op::minus || !is_local(program_.kid(of, 1))) return false;
  const NodeId a = program_.kid(value, 0), b = program_.kid(value, 1);
  const bool adds = (is_local(a) && node(b).op == Op::here) || (is_local(b) && node(a).op == Op::here);
  return adds && times_set(body, set.a) == 1;
}

// How often a name is bound or set within an action.
int Lowering::times_set(NodeId id, std::int32_t slot) const {
  if (id == kNoNode) return 0;
  const Node& n = node(id);
  int times = (n.op == Op::set_local || n.op == Op::let || n.op == Op::choose || n.op == Op::choose_some ||
               n.op == Op::each) &&
                      n.a == slot
                  ? 1
                  : 0;
  for (std::uint32_t i = 0; i < n.count; ++i) times += times_set(program_.kid(n, i), slot);
  return times;
}

// ---------------------------------------------------------------- how much code

std::size_t Lowering::weight(NodeId id) const {
  if (id == kNoNode) return 0;
  if (weights_.size() < program_.nodes.size()) weights_.resize(program_.nodes.size());
  if (weights_[id] != 0) return weights_[id];
  const Node& n = node(id);
  std::size_t sum = 1;
  constexpr std::size_t kMost = 1 << 20;
  for (std::uint32_t i = 0; i < n.count; ++i) sum = std::min(kMost, sum + weight(program_.kid(n, i)));
  return weights_[id] = sum;
}

namespace {

constexpr std::size_t kMostWritten = std::size_t{1} << 40;

std::size_t times(std::size_t a, std::size_t b) { return std::min(kMostWritten, a * b); }

} // namespace

// How much code an action would be if what comes behind each of its ways on were written there, and how many
// ways there are.
Lowering::WrittenOut Lowering::written_out(NodeId id) const {
  if (const auto known = written_out_.find(id); known != written_out_.end()) return known->second;
  const Node& n = node(id);
  const auto kids = program_.kids_of(n);
  WrittenOut all{weight(id), 1};
  const auto directions = [&](NodeId of) -> std::size_t {
    return node(of).op == Op::directions ? at(program_.step_sets[at(node(of).a)].count()) : 1;
  };
  switch (n.op) {
  case Op::sequence:
    all.size = 0;
    for (const NodeId k : kids) {
      const WrittenOut part = written_out(k);
      all.size = std::min(kMostWritten, all.size + times(all.ways, part.size));
      all.ways = times(all.ways, part.ways);
    }
    break;
  case Op::alternatives:
  case Op::otherwise:
  case Op::if_action:
  case Op::by_kind_action:
  case Op::by_player_action: {
    const bool asks = n.op != Op::alternatives && n.op != Op::otherwise;
    all = {1, n.op == Op::if_action && n.count < 3 ? 1U : 0U};
    for (std::size_t k = asks ? 1 : 0; k < kids.size(); ++k) {
      const WrittenOut part = written_out(kids[k]);
      all.size = std::min(kMostWritten, all.size + part.size);
      all.ways = std::min(kMostWritten, all.ways + part.ways);
    }
    break;
  }
  case Op::go: all.ways = directions(kids[0]); break;
  case Op::choose: all.ways = node(kids[0]).type == Type::directions ? directions(kids[0]) : 1; break;
  default: break;
  }
  return written_out_[id] = all;
}

std::size_t Lowering::written_out(const Todo* todo) const {
  WrittenOut all{0, 1};
  while (todo != nullptr) {
    if (todo->then != nullptr) {
      todo = todo->then->shares ? nullptr : todo->then->after;
      continue;
    }
    const WrittenOut part = written_out(todo->action);
    all.size = std::min(kMostWritten, all.size + times(all.ways, part.size));
    all.ways = times(all.ways, part.ways);
    todo = todo->next;
  }
  return all.size;
}

// Directions that are chosen multiply what comes behind.
std::size_t Lowering::weight(const Todo* todo) const {
  constexpr std::size_t kMost = 1 << 20;
  std::size_t sum = 0, times = 1;
  for (; todo != nullptr; todo = todo->next) {
    if (todo->then != nullptr) {
      todo = todo->then->after == nullptr ? nullptr : todo->then->after;
      sum = std::min(kMost, sum + 4 * times);
      if (todo == nullptr) break;
    }
    if (todo->then != nullptr) continue;
    const Node& n = node(todo->action);
    sum = std::min(kMost, sum + times * weight(todo->action));
    if (n.op == Op::choose && node(program_.kid(n, 0)).type == Type::directions)
      times = std::min<std::size_t>(times * 4, 64);
    if (n.op == Op::alternatives || n.op == Op::if_action)
      times = std::min<std::size_t>(times * std::max<std::size_t>(n.count, 2), 64);
  }
  return sum;
}

} // namespace boardwright::runtime::lowering
