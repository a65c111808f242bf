// The sprint compiler: sets, walks over sets, numbers and truths.
#include "runtime/sprint/sprint_compiler.hpp"

namespace boardwright::runtime::sprint {

// ---------------------------------------------------------------------------------------------------- sets

Reg Sprinter::unite(Reg a, Reg b) {
  if (a == b || b == none_) return a;
  if (a == none_) return b;
  const CellSet *ka = known_set(a), *kb = known_set(b);
  if (ka != nullptr && kb != nullptr) return constant(*ka | *kb);
  return with_contents(value(What::unite, std::min(a, b), std::max(a, b)), contents_of(a) | contents_of(b));
}

Reg Sprinter::meet(Reg a, Reg b) {
  if (a == b || b == board_) return a;
  if (a == board_) return b;
  if (a == none_ || b == none_) return none_;
  const CellSet *ka = known_set(a), *kb = known_set(b);
  if (ka != nullptr && kb != nullptr) return constant(*ka & *kb);
  const Contents both = contents_of(a) & contents_of(b);
  // What runs through a set is part of it.
  for (const auto& [run, other] : {std::pair(a, b), std::pair(b, a)})
    if (const auto through = run_through_.find(run);
        through != run_through_.end() && through->second == other)
      return run;
  // A step that is met with something is one operation.
  if (!code_.ops.empty() && code_.ops.back().d == a &&
      memo_.count({static_cast<std::int32_t>(What::meet), std::min(a, b), std::max(a, b), 0, 0}) == 0) {
    const SprintOp last = code_.ops.back();
    if (last.what == What::up || last.what == What::down)
      return with_contents(
          value(last.what == What::up ? What::up_meet : What::down_meet, last.a, last.b, b, last.x), both);
  }
  return with_contents(value(What::meet, std::min(a, b), std::max(a, b)), both);
}

Reg Sprinter::minus(Reg a, Reg b) {
  if (b == none_) return a;
  if (a == b || a == none_ || b == board_) return none_;
  const CellSet *ka = known_set(a), *kb = known_set(b);
  if (ka != nullptr && kb != nullptr) return constant(*ka - *kb);
  return with_contents(value(What::minus, a, b),
                       exact(b) ? contents_of(a) & ~contents_of(b) : contents_of(a));
}

// Cells that are numbered equally far apart go together: on a regular board that is one shift, or few.
Reg Sprinter::stepped(Reg from, int step, bool back) {
  if (from == none_) return none_;
  const auto groups = by_distance(board().steps[at(step)].to, back);
  if (groups.size() > kMostShifts) return value(back ? What::jump_back : What::jump, from, 0, 0, step);
  Reg result = none_;
  for (const auto& [by, cells] : groups)
    result =
        unite(result, value(by < 0 ? What::down : What::up, from, constant(cells), 0, by < 0 ? -by : by));
  return result;
}

Reg Sprinter::stepped(Reg from, const StepSet& steps, bool back) {
  Reg result = none_;
  steps.each([&](int s) { result = unite(result, stepped(from, s, back)); });
  return result;
}

// Straight on from every cell, as long as the cells are in the set.
Reg Sprinter::ran(Reg from, int step, Reg through) {
  if (from == none_ || through == none_) return none_;
  const auto& to = board().steps[at(step)].to;
  CellSet arrivals;
  int by = 0;
  bool even = true;
  for (int cell = 0; cell < board().cells; ++cell) {
    if (to[at(cell)] == kNowhere) continue;
    const int distance = to[at(cell)] - cell;
    even = even && (by == 0 || by == distance);
    by = distance;
    arrivals.set(to[at(cell)]);
  }
  if (by == 0) return none_;
  if (!even) return value(What::run, from, through, 0, step);
  const Reg d =
      value(by < 0 ? What::run_down : What::run_up, from, through, constant(arrivals), by < 0 ? -by : by);
  const int longest = longest_run(step);
  std::uint8_t rounds = 0;
  while (1 << rounds < longest) ++rounds;
  if (!failed_ && code_.ops.back().d == d) code_.ops.back().rounds = rounds;
  run_through_[d] = through;
  return d;
}

// Cells that one can go on by a step at the most.
int Sprinter::longest_run(int step) const {
  const auto& to = board().steps[at(step)].to;
  int longest = 0;
  for (int cell = 0; cell < board().cells; ++cell) {
    int length = 0;
    for (int c = to[at(cell)]; c != kNowhere && length < board().cells; c = to[at(c)]) ++length;
    longest = std::max(longest, length);
  }
  return longest;
}

Reg Sprinter::flooded(Reg from, const StepSet& steps, Reg through) {
  std::vector<int> all;
  steps.each([&](int s) { all.push_back(s); });
  const Reg d = new_set();
  emit(What::flood, d, from, through, 0, static_cast<std::int32_t>(code_.floods.size()));
  code_.floods.push_back(std::move(all));
  return d;
}

Reg Sprinter::kind_cells(int kind) {
  if (kind < 0 || kind >= static_cast<int>(program_.kinds.size())) return none_;
  return code_.kinds == 0 ? occupied() : static_cast<Reg>(code_.owners + kind);
}

Reg Sprinter::owned(const Node& n) {
  switch (static_cast<Owners>(n.a)) {
  case Owners::any: return occupied();
  case Owners::exactly: return static_cast<Reg>(n.b);
  case Owners::neutral: return code_.owners > players() ? static_cast<Reg>(players()) : none_;
  case Owners::others: {
    Reg all = none_;
    for (int p = 0; p < players(); ++p)
      if (p != n.b) all = unite(all, static_cast<Reg>(p));
    return all;
  }
  }
  return fail();
}

Reg Sprinter::materialised(const Value& v) {
  switch (v.kind) {
  case Value::Kind::cells: return v.reg;
  case Value::Kind::cell: return value(What::bit, v.reg);
  case Value::Kind::runs:
  case Value::Kind::row: {
    const Reg first = value(What::bit, v.reg);
    Reg all = v.kind == Value::Kind::row ? first : none_;
    if (const auto rays = along_rays(What::rays, v.reg, v.steps, v.through)) return unite(all, *rays);
    v.steps.each([&](int s) { all = unite(all, ran(first, s, v.through)); });
    return all;
  }
  default: return fail();
  }
}

bool Sprinter::bind(std::int32_t slot, NodeId id, Env& env) {
  Value v;
  switch (node(id).type) {
  case Type::cells: v = cells(id, env); break;
  case Type::directions:
    v.kind = Value::Kind::directions;
    if (const auto steps = directions(id, env))
      v.steps = *steps;
    else
      v.kind = Value::Kind::unknown;
    break;
  case Type::number:
    v.kind = Value::Kind::number;
    v.reg = number(id, env);
    break;
  case Type::truth:
    v.kind = Value::Kind::number;
    v.reg = truth_number(id, env);
    break;
  default: break;
  }
  env.slots[slot] = v;
  return !failed_;
}

// A `let` of an action: its value must outlast changes of the state.
void Sprinter::let(NodeId id, Env& env) {
  const std::int32_t slot = node(id).a;
  if (!bind(slot, kid(id, 0), env)) return;
  Value& v = env.slots[slot];
  if (const auto changing = local_.find(slot); changing != local_.end()) {
    emit(What::copy, changing->second, materialised(v));
    v = {Value::Kind::cells, changing->second, 0, {}};
    return;
  }
  using enum Value::Kind;
  if (v.kind == runs || v.kind == row || v.kind == Value::Kind::cells) {
    v.reg = materialised(v);
    v.kind = Value::Kind::cells;
    if (v.reg >= code_.draft_sets) return;
    const Reg kept = new_set();
    emit(What::copy, kept, v.reg);
    (void)with_contents(kept, contents_of(v.reg));
    v.reg = kept;
  } else if (v.kind == Value::Kind::number && v.reg < code_.state_numbers) {
    const Reg kept = new_number();
    emit(What::number, kept, v.reg);
    v.reg = kept;
  }
}

Value Sprinter::cells(NodeId id, Env& env) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  Value v;
  v.kind = Value::Kind::cells;
  if (failed_) return v;
  const Node n = node(id);
  const auto cell = [&](int reg) {
    v.kind = reg < 0 ? Value::Kind::unknown : Value::Kind::cell;
    v.reg = static_cast<Reg>(std::max(reg, 0));
    return v;
  };
  switch (n.op) {
  case Op::cells: v.reg = constant(program_.cell_sets[at(n.a)]); return v;
  case Op::empty: v.reg = code_.empty; return v;
  case Op::owned: v.reg = owned(n); return v;
  case Op::kind_cells:
    v.reg = node(kid(id, 0)).op == Op::kind ? kind_cells(node(kid(id, 0)).a) : fail();
    return v;
  case Op::here: return cell(env.here);
  case Op::start: return cell(env.start);
  case Op::variable:
    v.reg = code_.set_of[at(n.a)] < 0 ? fail() : static_cast<Reg>(code_.set_of[at(n.a)]);
    return v;
  case Op::complement: v.reg = minus(board_, set(kid(id, 0), env)); return v;
  case Op::meet: {
    const Reg a = set(kid(id, 0), env);
    v.reg = meet(a, set(kid(id, 1), env));
    return v;
  }
  case Op::minus: {
    const Reg a = set(kid(id, 0), env);
    v.reg = minus(a, set(kid(id, 1), env));
    return v;
  }
  case Op::unite: {
    const Value a = cells(kid(id, 0), env), b = cells(kid(id, 1), env);
    if (a.kind == Value::Kind::cell && b.kind == Value::Kind::runs && a.reg == b.reg) {
      v = b;
      v.kind = Value::Kind::row;
      return v;
    }
    const Reg first = materialised(a);
    v.reg = unite(first, materialised(b));
    return v;
  }
  case Op::local: {
    const auto known = env.slots.find(n.a);
    if (known != env.slots.end()) return known->second;
    fail();
    return v;
  }
  case Op::let_value:
    if (!bind(n.a, kid(id, 0), env)) return v;
    return cells(kid(id, 1), env);
  case Op::before: {
    const auto known = env.before.find(id);
    if (known != env.before.end()) return known->second;
    fail();
    return v;
  }
  case Op::first: v.reg = value(What::first, set(kid(id, 0), env)); return v;
  case Op::last: v.reg = value(What::last, set(kid(id, 0), env)); return v;
  case Op::by_player:
    if (node(kid(id, 0)).op == Op::player)
      return cells(kid(id, 1 + static_cast<std::uint32_t>(node(kid(id, 0)).a)), env);
    fail();
    return v;
  case Op::by_kind: return by_kind(id, env);
  case Op::select: return selected(id, env);
  case Op::if_value: return if_cells(id, env);
  case Op::reach: return reach(id, env);
  default: fail(); return v;
  }
}

Value Sprinter::if_cells(NodeId id, Env& env) {
  const Reg d = new_set();
  const Label other = label(), done = label();
  const Memo before = memo_;
  jump(kid(id, 0), false, other, env);
  emit(What::copy, d, set(kid(id, 1), env));
  emit(What::go, 0, 0, 0, 0, done);
  memo_ = before;
  place_label(other);
  emit(What::copy, d, set(kid(id, 2), env));
  place_label(done);
  memo_ = before;
  Value v;
  v.kind = Value::Kind::cells;
  v.reg = d;
  return v;
}

// By the kind of the piece on a cell.
Value Sprinter::by_kind(NodeId id, Env& env) {
  const Node n = node(id);
  Value v;
  v.kind = Value::Kind::cells;
  const Value where = cells(kid(id, 0), env);
  if (where.kind != Value::Kind::cell) {
    fail();
    return v;
  }
  v.reg = new_set();
  const Label done = label();
  const Memo before = memo_;
  for (std::uint32_t k = 0; k + 2 < n.count; ++k) {
    const Label other = label();
    emit(What::if_out, 0, where.reg, kind_cells(static_cast<int>(k)), 0, other);
    emit(What::copy, v.reg, set(kid(id, k + 1), env));
    emit(What::go, 0, 0, 0, 0, done);
    place_label(other);
    memo_ = before;
  }
  emit(What::copy, v.reg, set(kid(id, n.count - 1), env));
  place_label(done);
  memo_ = before;
  return v;
}

// The cells for which a condition holds, one after the other.
Value Sprinter::selected(NodeId id, Env& env) {
  const Node n = node(id);
  Value v;
  v.kind = Value::Kind::cells;
  const Reg from = set(kid(id, 0), env);
  const Memo before = memo_;
  const Reg left = new_set();
  v.reg = new_set();
  emit(What::copy, left, from);
  emit(What::copy, v.reg, none_);
  const int cell = new_cell();
  const Label loop = label(), past = label();
  place_label(loop);
  emit(What::take, cell, left, 0, 0, past);
  env.slots[n.a] = {Value::Kind::cell, static_cast<Reg>(cell), 0, {}};
  jump(kid(id, 1), false, loop, env);
  emit(What::set_bit, v.reg, cell);
  emit(What::go, 0, 0, 0, 0, loop);
  place_label(past);
  memo_ = before;
  (void)with_contents(v.reg, contents_of(from));
  return v;
}

std::optional<StepSet> Sprinter::opposite(const StepSet& steps) const {
  StepSet result;
  bool good = true;
  steps.each([&](int s) {
    const Step& step = board().steps[at(s)];
    const int back = step.track >= 0 ? -1 : board().step_by(-step.dx, -step.dy);
    good = good && back >= 0;
    if (back >= 0) result.set(back);
  });
  if (!good) return std::nullopt;
  return result;
}

std::optional<StepSet> Sprinter::directions(NodeId id, Env& env) {
  const Node n = node(id);
  const auto two = [&](auto&& join) -> std::optional<StepSet> {
    const auto a = directions(kid(id, 0), env), b = directions(kid(id, 1), env);
    if (!a || !b) return std::nullopt;
    return join(*a, *b);
  };
  switch (n.op) {
  case Op::directions: return program_.step_sets[at(n.a)];
  case Op::unite: return two([](StepSet a, const StepSet& b) { return a |= b; });
  case Op::meet: return two([](StepSet a, const StepSet& b) { return a &= b; });
  case Op::minus: return two([](StepSet a, const StepSet& b) { return a -= b; });
  case Op::heading: return env.heading < 0 ? std::nullopt : std::optional(StepSet::of(env.heading));
  case Op::opposite: {
    const auto steps = directions(kid(id, 0), env);
    return steps ? opposite(*steps) : std::nullopt;
  }
  case Op::local: {
    const auto known = env.slots.find(n.a);
    if (known == env.slots.end() || known->second.kind != Value::Kind::directions) return std::nullopt;
    return known->second.steps;
  }
  case Op::let_value:
    if (!bind(n.a, kid(id, 0), env)) return std::nullopt;
    return directions(kid(id, 1), env);
  default: return std::nullopt;
  }
}

// ---------------------------------------------------------------------------------------------------- walks

Value Sprinter::reach(NodeId id, Env& env) {
  const Value from = cells(kid(id, 0), env);
  Env inside = env;
  inside.here = inside.start = inside.heading = -1;
  if (from.kind == Value::Kind::cell)
    if (const auto straight = runs(kid(id, 1), from.reg, inside)) return *straight;
  Value v;
  v.kind = Value::Kind::cells;
  v.reg = walked(kid(id, 1), materialised(from), inside);
  return v;
}

// `go d` and tests, as (go D, at S): what a repetition over sets can be made of.
std::optional<Sprinter::Round> Sprinter::round(NodeId body, Env& env) {
  const Node n = node(body);
  Round r;
  NodeId go = body;
  if (n.op == Op::sequence) {
    if (n.count != 2 || node(kid(body, 1)).op != Op::at) return std::nullopt;
    go = kid(body, 0);
    r.through = kid(kid(body, 1), 0);
  }
  if (node(go).op != Op::go) return std::nullopt;
  const auto steps = directions(kid(go, 0), env);
  if (!steps) return std::nullopt;
  r.steps = *steps;
  return r;
}

// choose d in D, (go d, at S)+ with the same S for all d, from one cell.
std::optional<Value> Sprinter::runs(NodeId walk, Reg cell, Env& env) {
  NodeId loop = walk;
  std::optional<StepSet> steps;
  std::int32_t slot = -1;
  if (node(walk).op == Op::sequence && node(walk).count == 2 && node(kid(walk, 0)).op == Op::choose) {
    const NodeId choose = kid(walk, 0);
    steps = directions(kid(choose, 0), env);
    slot = node(choose).a;
    loop = kid(walk, 1);
    if (!steps) return std::nullopt;
    Value any;
    any.kind = Value::Kind::directions;
    any.steps = *steps;
    env.slots[slot] = any;
  }
  const Node n = node(loop);
  if (n.op != Op::repeat || n.a != kUnbounded) return std::nullopt;
  const Node low = node(kid(loop, 1));
  if (low.op != Op::number || low.a != 1) return std::nullopt;
  const auto body = round(kid(loop, 0), env);
  if (!body || body->through == kNoNode || (!steps && body->steps.count() != 1)) return std::nullopt;
  const NodeId through = body->through;
  const Op op = node(through).op; // it mustn't depend on the direction
  if (op != Op::local && op != Op::owned && op != Op::empty && op != Op::cells) return std::nullopt;
  Value v;
  v.kind = Value::Kind::runs;
  v.reg = cell;
  v.steps = body->steps;
  v.through = set(through, env);
  return v;
}

Reg Sprinter::walked(NodeId id, Reg from, Env& env) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  if (failed_) return 0;
  const Node n = node(id);
  switch (n.op) {
  case Op::go: {
    const auto steps = directions(kid(id, 0), env);
    return steps ? stepped(from, *steps, false) : fail();
  }
  case Op::at: return meet(from, set(kid(id, 0), env));
  case Op::never: return none_;
  case Op::sequence: return walked_sequence(n, 0, from, env);
  case Op::alternatives: {
    Reg all = none_;
    for (std::uint32_t i = 0; i < n.count; ++i) all = unite(all, walked(program_.kid(n, i), from, env));
    return all;
  }
  case Op::repeat: return walked_loop(id, from, env);
  default: return fail();
  }
}

// On lines along which the numbers of the cells only grow, or only shrink, the first cell that is in the way
// is a bit that the processor finds at once.
std::optional<Reg> Sprinter::along_rays(What what, Reg cell, const StepSet& steps, Reg through) {
  std::vector<int> all;
  bool good = true;
  steps.each([&](int s) {
    all.push_back(s);
    int sign = 0;
    const auto& to = board().steps[at(s)].to;
    good = good && board().steps[at(s)].track < 0;
    for (int c = 0; c < board().cells; ++c) {
      if (to[at(c)] == kNowhere) continue;
      const int way = to[at(c)] > c ? 1 : -1;
      good = good && (sign == 0 || sign == way);
      sign = way;
    }
  });
  if (!good || all.empty()) return std::nullopt;
  const auto known = std::find(code_.rays.begin(), code_.rays.end(), all);
  const auto index = static_cast<std::int32_t>(known - code_.rays.begin());
  if (known == code_.rays.end()) code_.rays.push_back(all);
  return value(what, cell, through, 0, index);
}

// choose d in D, (go d, at E)*, go d, at S.
std::optional<Reg> Sprinter::slid(NodeId walk, Reg cell, Env& env) {
  const Node n = node(walk);
  if (n.op != Op::sequence || n.count < 3 || node(kid(walk, 0)).op != Op::choose) return std::nullopt;
  const NodeId choose = kid(walk, 0), loop = kid(walk, 1), step = kid(walk, 2);
  const auto steps = directions(kid(choose, 0), env);
  const Node repeat = node(loop);
  if (!steps || repeat.op != Op::repeat || repeat.a != kUnbounded || node(step).op != Op::go)
    return std::nullopt;
  const Node low = node(kid(loop, 1)), way = node(kid(step, 0));
  if (low.op != Op::number || low.a != 0 || way.op != Op::local || way.a != node(choose).a)
    return std::nullopt;
  env.slots[node(choose).a] = {Value::Kind::directions, 0, 0, *steps};
  const auto body = round(kid(loop, 0), env);
  bool by_way = body && reads(body->through, node(choose).a); // such a set is another for each direction
  for (std::uint32_t i = 3; i < n.count; ++i) by_way = by_way || reads(program_.kid(n, i), node(choose).a);
  if (by_way && steps->count() > 1) return std::nullopt;
  const NodeId go = node(kid(loop, 0)).op == Op::sequence ? kid(kid(loop, 0), 0) : kid(loop, 0);
  const Node on = node(kid(go, 0));
  if (!body || on.op != Op::local || on.a != node(choose).a) return std::nullopt;
  for (std::uint32_t i = 3; i < n.count; ++i)
    if (node(program_.kid(n, i)).op != Op::at) return std::nullopt;
  const Reg through = body->through == kNoNode ? board_ : set(body->through, env);
  auto ends = along_rays(What::slides, cell, *steps, through);
  for (std::uint32_t i = 3; ends && i < n.count; ++i)
    ends = meet(*ends, set(kid(program_.kid(n, i), 0), env));
  return ends;
}

Reg Sprinter::walked_from_cell(NodeId walk, Reg cell, Env& env) {
  if (const auto ends = slid(walk, cell, env)) return *ends;
  return walked(walk, value(What::bit, cell), env);
}

Reg Sprinter::walked_sequence(const Node& n, std::uint32_t i, Reg from, Env& env) {
  for (; i < n.count; ++i) {
    const NodeId part = program_.kid(n, i);
    if (node(part).op == Op::let) {
      if (!bind(node(part).a, kid(part, 0), env)) return fail();
    } else if (node(part).op == Op::choose) {
      const auto steps = directions(kid(part, 0), env);
      if (!steps) return fail();
      Reg all = none_;
      steps->each([&](int s) {
        env.slots[node(part).a] = one_way(s);
        all = unite(all, walked_sequence(n, i + 1, from, env));
      });
      return all;
    } else {
      from = walked(part, from, env);
    }
  }
  return from;
}

Reg Sprinter::walked_loop(NodeId id, Reg from, Env& env) {
  const Node n = node(id);
  const Node low = node(kid(id, 1));
  if (low.op != Op::number || (n.a & (kMaximal | kUntil)) != 0) return fail();
  if ((n.a & kUnbounded) == 0) {
    constexpr std::int32_t kMostRounds = 16; // these are written out
    const Node high = node(kid(id, 2));
    if (high.op != Op::number || high.a > kMostRounds) return fail();
    Reg all = low.a <= 0 ? from : none_;
    for (std::int32_t i = 1; i <= high.a; ++i) {
      from = walked(kid(id, 0), from, env);
      if (i >= low.a) all = unite(all, from);
    }
    return all;
  }
  const auto body = round(kid(id, 0), env);
  if (!body || low.a > 1) return fail();
  const Reg through = body->through == kNoNode ? board_ : set(body->through, env);
  if (body->steps.count() == 1) {
    const Reg onward = ran(from, body->steps.first(), through);
    return low.a <= 0 ? unite(from, onward) : onward;
  }
  if (low.a <= 0) return flooded(from, body->steps, through);
  return flooded(meet(stepped(from, body->steps, false), through), body->steps, through);
}

Reg Sprinter::walked_back(NodeId id, Reg ends, Env& env) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  if (failed_) return 0;
  const Node n = node(id);
  switch (n.op) {
  case Op::go: {
    const auto steps = directions(kid(id, 0), env);
    return steps ? stepped(ends, *steps, true) : fail();
  }
  case Op::at: return meet(ends, set(kid(id, 0), env));
  case Op::never: return none_;
  case Op::sequence: return back_sequence(n, 0, ends, env);
  case Op::alternatives: {
    Reg all = none_;
    for (std::uint32_t i = 0; i < n.count; ++i) all = unite(all, walked_back(program_.kid(n, i), ends, env));
    return all;
  }
  case Op::repeat: return back_loop(id, ends, env);
  default: return fail();
  }
}

Reg Sprinter::back_sequence(const Node& n, std::uint32_t i, Reg ends, Env& env) {
  if (i == n.count) return ends;
  const NodeId part = program_.kid(n, i);
  if (node(part).op == Op::let) {
    if (!bind(node(part).a, kid(part, 0), env)) return fail();
    return back_sequence(n, i + 1, ends, env);
  }
  if (node(part).op == Op::choose) {
    const auto steps = directions(kid(part, 0), env);
    if (!steps) return fail();
    Reg all = none_;
    steps->each([&](int s) {
      env.slots[node(part).a] = one_way(s);
      all = unite(all, back_sequence(n, i + 1, ends, env));
    });
    return all;
  }
  return walked_back(part, back_sequence(n, i + 1, ends, env), env);
}

// One round more often: that a first round ends in the set, or where further rounds do.
Reg Sprinter::back_loop(NodeId id, Reg ends, Env& env) {
  const Node n = node(id);
  const Node low = node(kid(id, 1));
  if (low.op != Op::number || low.a > 1 || n.a != kUnbounded) return fail();
  const auto body = round(kid(id, 0), env);
  if (!body) return fail();
  const Reg through = body->through == kNoNode ? board_ : set(body->through, env);
  // From anywhere is anywhere: the rounds after the first add nothing.
  if (ends != board_) return fail();
  const Reg back = stepped(through, body->steps, true);
  return low.a <= 0 ? board_ : back;
}

// ----------------------------------------------------------------------------------------------------
// numbers

Reg Sprinter::number(NodeId id, Env& env) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  if (failed_) return 0;
  const Node n = node(id);
  const auto fold = [&](What what) {
    Reg all = number(kid(id, 0), env);
    for (std::uint32_t i = 1; i < n.count; ++i) all = number_value(what, all, number(kid(id, i), env));
    return all;
  };
  switch (n.op) {
  case Op::number:
  case Op::truth: return number_constant(n.a);
  case Op::variable:
    return program_.variables[at(n.a)].type == Type::number || program_.variables[at(n.a)].type == Type::truth
               ? static_cast<Reg>(n.a)
               : fail();
  case Op::ply: return code_.ply;
  case Op::turns: return static_cast<Reg>(code_.turns + n.a);
  case Op::repeats: code_.uses_history = true; return number_value(What::repeats, 0);
  case Op::count: {
    if (node(kid(id, 0)).type != Type::cells) return fail();
    return number_value(What::count, set(kid(id, 0), env));
  }
  case Op::add: return fold(What::add);
  case Op::subtract: return fold(What::subtract);
  case Op::multiply: return fold(What::multiply);
  case Op::divide: return fold(What::divide);
  case Op::modulo: return fold(What::modulo);
  case Op::least: return fold(What::least);
  case Op::greatest: return fold(What::greatest);
  case Op::negate: return number_value(What::subtract, number_constant(0), number(kid(id, 0), env));
  case Op::local: {
    const auto known = env.slots.find(n.a);
    return known != env.slots.end() && known->second.kind == Value::Kind::number ? known->second.reg : fail();
  }
  case Op::let_value:
    if (!bind(n.a, kid(id, 0), env)) return 0;
    return number(kid(id, 1), env);
  case Op::before: {
    const auto known = env.before.find(id);
    return known != env.before.end() && known->second.kind == Value::Kind::number ? known->second.reg
                                                                                  : fail();
  }
  case Op::if_value: return if_number(id, env);
  default: return fail();
  }
}

Reg Sprinter::if_number(NodeId id, Env& env) {
  const Reg d = new_number();
  const Label other = label(), done = label();
  const Memo before = memo_;
  jump(kid(id, 0), false, other, env);
  emit(What::number, d, number(kid(id, 1), env));
  emit(What::go, 0, 0, 0, 0, done);
  memo_ = before;
  place_label(other);
  emit(What::number, d, number(kid(id, 2), env));
  place_label(done);
  memo_ = before;
  return d;
}

Reg Sprinter::truth_number(NodeId id, Env& env) {
  const Reg d = new_number();
  const Label done = label();
  const Memo before = memo_;
  emit(What::set_truth, d, 0, 0, 0, 0);
  jump(id, false, done, env);
  emit(What::set_truth, d, 0, 0, 0, 1);
  place_label(done);
  memo_ = before;
  return d;
}

// ---------------------------------------------------------------------------------------------------- truths

void Sprinter::jump(NodeId id, bool when, Label to, Env& env) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  if (failed_) return;
  const Node n = node(id);
  switch (n.op) {
  case Op::truth:
    if ((n.a != 0) == when) emit(What::go, 0, 0, 0, 0, to);
    return;
  case Op::negation: return jump(kid(id, 0), !when, to, env);
  case Op::all_of: return jump_any(n, false, when, to, env);
  case Op::any_of: return jump_any(n, true, when, to, env);
  case Op::less:
  case Op::at_most: return jump_compare(n, when, to, env);
  case Op::equal: return jump_equal(n, when, to, env);
  case Op::within: return jump_within(n, when, to, env);
  case Op::some: return jump_some(kid(id, 0), when, to, env);
  case Op::some_where: return jump_some_where(n, when, to, env);
  case Op::no_move:
    if (n.a != player_) {
      fail();
      return;
    }
    emit(when ? What::if_stuck : What::if_free, 0, 0, 0, 0, to);
    return;
  case Op::can: return jump_can(kid(id, 0), when, to, env);
  case Op::variable:
  case Op::local:
    return jump_numbers(What::if_not_equal, What::if_equal, number(id, env), number_constant(0), when, to);
  case Op::let_value:
    if (bind(n.a, kid(id, 0), env)) jump(kid(id, 1), when, to, env);
    return;
  case Op::if_value: {
    const Label other = label(), done = label();
    const Memo before = memo_;
    jump(kid(id, 0), false, other, env);
    jump(kid(id, 1), when, to, env);
    emit(What::go, 0, 0, 0, 0, done);
    memo_ = before;
    place_label(other);
    jump(kid(id, 2), when, to, env);
    place_label(done);
    memo_ = before;
    return;
  }
  default: fail();
  }
}

// What comes after the first is only reached if that didn't settle it.
void Sprinter::jump_any(const Node& n, bool any, bool when, Label to, Env& env) {
  const Label past = label();
  std::optional<Memo> before;
  for (std::uint32_t i = 0; i < n.count; ++i) {
    const bool last = i + 1 == n.count;
    if (last)
      jump(program_.kid(n, i), when, to, env);
    else if (any == when)
      jump(program_.kid(n, i), when, to, env);
    else
      jump(program_.kid(n, i), any, past, env);
    if (i == 0) before = memo_;
  }
  if (n.count == 0 && any != when) emit(What::go, 0, 0, 0, 0, to);
  if (before) memo_ = *before;
  place_label(past);
}

void Sprinter::jump_some(NodeId id, bool when, Label to, Env& env) {
  if (node(id).type == Type::directions) {
    const auto steps = directions(id, env);
    if (!steps) fail();
    if (steps && steps->any() == when) emit(What::go, 0, 0, 0, 0, to);
    return;
  }
  if (node(id).type != Type::cells) {
    fail();
    return;
  }
  if (node(id).op == Op::meet) {
    const Reg a = set(kid(id, 0), env), b = set(kid(id, 1), env);
    emit(when ? What::if_meet : What::if_apart, 0, a, b, 0, to);
    return;
  }
  emit(when ? What::if_some : What::if_none, 0, set(id, env), 0, 0, to);
}

// Over directions that are known, once for each of them.
void Sprinter::jump_some_where(const Node& n, bool when, Label to, Env& env) {
  if (node(program_.kid(n, 0)).type == Type::cells) return jump_some_cell(n, when, to, env);
  if (node(program_.kid(n, 0)).type != Type::directions) {
    fail();
    return;
  }
  const auto steps = directions(program_.kid(n, 0), env);
  if (!steps) {
    fail();
    return;
  }
  const Label past = label();
  const Memo before = memo_;
  steps->each([&](int s) {
    env.slots[n.a] = one_way(s);
    jump(program_.kid(n, 1), true, when ? to : past, env);
  });
  memo_ = before;
  if (!when) emit(What::go, 0, 0, 0, 0, to);
  place_label(past);
}

void Sprinter::jump_some_cell(const Node& n, bool when, Label to, Env& env) {
  const Reg from = set(program_.kid(n, 0), env);
  const Memo before = memo_;
  const Reg left = new_set();
  emit(What::copy, left, from);
  const int cell = new_cell();
  const Label loop = label(), past = label(), none = label();
  place_label(loop);
  emit(What::take, cell, left, 0, 0, none);
  env.slots[n.a] = {Value::Kind::cell, static_cast<Reg>(cell), 0, {}};
  jump(program_.kid(n, 1), true, when ? to : past, env);
  emit(What::go, 0, 0, 0, 0, loop);
  place_label(none);
  if (!when) emit(What::go, 0, 0, 0, 0, to);
  place_label(past);
  memo_ = before;
}

// n <= count(c with the cells of S in line along d): several of them at once, if they follow each other.
bool Sprinter::jump_row(const Node& n, bool when, Label to, Env& env) {
  const Node wanted = node(program_.kid(n, 0)), counted = node(program_.kid(n, 1));
  if (wanted.op != Op::number || counted.op != Op::count || !when) return false;
  if (node(program_.kid(counted, 0)).type != Type::cells) return false;
  const Value v = cells(program_.kid(counted, 0), env);
  const auto back = opposite(v.steps);
  if (v.kind != Value::Kind::row || v.steps.count() != 2 || !back || !(*back == v.steps)) return false;
  const int length = wanted.a + (n.op == Op::less ? 1 : 0);
  if (length < 2) return false;
  if (!code_.ops.empty()) {
    SprintOp& last = code_.ops.back();
    const bool same = last.what == What::if_row && last.a == v.reg && last.b == v.through && last.x == to &&
                      code_.rows[last.c].length == length;
    if (same) {
      code_.rows[last.c].steps.push_back(v.steps.first());
      return true;
    }
  }
  emit(What::if_row, 0, v.reg, v.through, static_cast<int>(code_.rows.size()), to);
  code_.rows.push_back({{v.steps.first()}, length});
  return true;
}

void Sprinter::jump_compare(const Node& n, bool when, Label to, Env& env) {
  if (jump_row(n, when, to, env)) return;
  const Reg a = number(program_.kid(n, 0), env), b = number(program_.kid(n, 1), env);
  if (n.op == Op::less) return jump_numbers(What::if_less, What::if_not_less, a, b, when, to);
  jump_numbers(What::if_not_less, What::if_less, b, a, when, to); // a <= b: not b < a
}

void Sprinter::jump_within(const Node& n, bool when, Label to, Env& env) {
  if (node(program_.kid(n, 0)).type != Type::cells) {
    fail();
    return;
  }
  const Value a = cells(program_.kid(n, 0), env);
  const Reg b = set(program_.kid(n, 1), env);
  if (node(program_.kid(n, 0)).op == Op::start && node(program_.kid(n, 1)).op == Op::before && started_) {
    const auto copied = set_before_.find(b);
    const Reg was = copied == set_before_.end() ? b : copied->second;
    const Share in = exact(was) ? share(was, *started_) : Share::some;
    if (in != Share::some) {
      if ((in == Share::all) == when) emit(What::go, 0, 0, 0, 0, to);
      return;
    }
  }
  if (a.kind == Value::Kind::cell)
    emit(when ? What::if_in : What::if_out, 0, a.reg, b, 0, to);
  else
    emit(when ? What::if_part : What::if_not_part, 0, materialised(a), b, 0, to);
}

void Sprinter::jump_equal(const Node& n, bool when, Label to, Env& env) {
  const NodeId first = program_.kid(n, 0), second = program_.kid(n, 1);
  switch (node(first).type) {
  case Type::number: {
    const Reg a = number(first, env), b = number(second, env);
    return jump_numbers(What::if_equal, What::if_not_equal, a, b, when, to);
  }
  case Type::cells: { // equal: neither has a member of its own
    const Reg a = set(first, env), b = set(second, env);
    const Reg differ = unite(minus(a, b), minus(b, a));
    if (differ == none_) {
      if (when) emit(What::go, 0, 0, 0, 0, to);
      return;
    }
    emit(when ? What::if_none : What::if_some, 0, differ, 0, 0, to);
    return;
  }
  default: fail();
  }
}

void Sprinter::jump_can(NodeId action, bool when, Label to, Env& env) {
  if (!env.before.empty() || env.here >= 0) {
    fail();
    return;
  }
  const auto plan = plan_probe(program_, action);
  if (!plan) {
    fail();
    return;
  }
  const Label found = label(), past = label();
  const Memo before = memo_;
  count_ops(*plan, 0, static_cast<std::uint32_t>(plan->ops.size()), none_, true, when ? to : found);
  if (!when) emit(What::go, 0, 0, 0, 0, to);
  place_label(found);
  place_label(past);
  memo_ = before;
}

} // namespace boardwright::runtime::sprint
