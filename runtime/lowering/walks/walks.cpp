// Walks as sets of cells: where `go`, `at`, choices of directions and repetitions of them lead from a cell,
// or from all cells of a set at once.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"
#include "runtime/model/numbering.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// ---------------------------------------------------------------- single steps

std::int32_t Lowering::steps_table(const StepSet& steps) {
  std::vector<std::int16_t> all;
  steps.each([&](int s) { all.push_back(static_cast<std::int16_t>(s)); });
  const auto [known, fresh] = steps_tables_.try_emplace(all, static_cast<std::int32_t>(code_.steps.size()));
  if (fresh) code_.steps.push_back(all);
  return known->second;
}

Reg Lowering::stepped(Reg from, int step, bool back) {
  if (from == none_) return none_;
  const auto groups = by_distance(board().steps[at(step)].to, back);
  if (groups.size() > kMostShifts)
    return e_.set_value(back ? Ir::set_step_back : Ir::set_step, from, 0, 0, step);
  Reg all = none_;
  for (const auto& [by, cells] : groups)
    all = unite(all, e_.set_value(Ir::set_shift, from, e_.set_constant(cells), 0, by));
  return all;
}

Reg Lowering::stepped(Reg from, const StepSet& steps, bool back) {
  Reg all = none_;
  steps.each([&](int s) { all = unite(all, stepped(from, s, back)); });
  return all;
}

// Straight on from every cell of a set, as long as the cells are in another.
Reg Lowering::ran(Reg from, int step, Reg through) {
  if (from == none_ || through == none_) return none_;
  const auto& to = board().steps[at(step)].to;
  const auto groups = by_distance(to);
  if (groups.size() != 1 || groups.begin()->first == 0)
    return e_.set_value(Ir::set_run, from, through, 0, step);
  CellSet arrivals;
  for (const std::int16_t c : to)
    if (c != kNowhere) arrivals.set(c);
  int longest = 0;
  for (int cell = 0; cell < board().cells; ++cell) {
    int length = 0;
    for (int c = to[at(cell)]; c != kNowhere; c = to[at(c)]) ++length;
    longest = std::max(longest, length);
  }
  int rounds = 0;
  while (1 << rounds < longest) ++rounds;
  return e_.set_value(Ir::set_run_shift, from, through, e_.set_constant(arrivals), groups.begin()->first, 0,
                      rounds);
}

Reg Lowering::rays(Ir op, Reg cell, const StepSet& steps, Reg through) {
  if (steps.none()) return none_;
  if (op == Ir::set_rays && through == board_ && mode_ == Mode::search)
    return e_.set_value(Ir::set_table, cell, e_.number_constant(0), 0, ray_table(steps));
  if (const auto parts = known_rays(op, cell, steps, through)) return *parts;
  return e_.set_value(op, cell, through, 0, steps_table(steps));
}

// Where all its lines are known already, in parts: those of a queen are a bishop's and a rook's.
std::optional<Reg> Lowering::known_rays(Ir op, Reg cell, const StepSet& steps, Reg through) {
  if (!is_on(Form::known_rays)) return std::nullopt;
  if (e_.known_set_value(op, cell, through, 0, steps_table(steps))) return std::nullopt;
  StepSet left = steps;
  Reg all = none_;
  for (const auto& [list, table] : steps_tables_) {
    StepSet part;
    for (const std::int16_t s : list) part.set(s);
    if (list.empty() || (part - left).any()) continue;
    const auto known = e_.known_set_value(op, cell, through, 0, table);
    if (!known) continue;
    all = unite(all, *known);
    left = left - part;
  }
  return left.none() ? std::optional(all) : std::nullopt;
}

Reg Lowering::flooded(Reg from, const StepSet& steps, Reg through) {
  if (steps.none() || from == none_) return from;
  return e_.set_value(Ir::set_flood, from, through, 0, steps_table(steps));
}

// ---------------------------------------------------------------- what is a walk

Reg Lowering::through(const Round& r, Draft& d) {
  Reg all = board_;
  for (const NodeId tested : r.tests) all = meet(all, set(tested, d));
  return all;
}

// ---------------------------------------------------------------- forwards

// Where a walk from its part i on leads; nothing where that can't be said as a set.
std::optional<Reg> Lowering::walked(const Steps& walk, std::size_t i, Val from, Draft& d) {
  for (; i < walk.size() && !stopped(); ++i) {
    const NodeId id = walk[i];
    const Node n = node(id);
    if (from.is(Kind::cell)) {
      if (const auto ends = straight(walk, i, from, d)) return ends;
      if (const auto ends = straight_by_number(id, from, d)) return walked(walk, i + 1, any_set(*ends), d);
    }
    switch (n.op) {
    case Op::never: return none_;
    case Op::at: {
      if (contains(kid(id, 0), Op::here)) return std::nullopt;
      const Reg tested = set(kid(id, 0), d);
      from = any_set(meet(set_of(from), tested));
      break;
    }
    case Op::go: {
      const auto steps = constant_steps(kid(id, 0), d);
      if (steps && from.is(Kind::cell) && steps->count() > 1) {
        from = any_set(e_.set_value(Ir::set_around, from.reg, 0, 0, steps_table(*steps)));
      } else if (steps) {
        from = any_set(stepped(set_of(from), *steps, false));
      } else if (const auto by_cell = steps_by_cell(kid(id, 0), d)) {
        const Reg begin = set_of(from);
        Reg all = none_;
        for (const auto& [step, cells] : *by_cell)
          all = unite(all, stepped(meet(begin, e_.set_constant(cells)), step, false));
        from = any_set(all);
      } else {
        if (contains(kid(id, 0), Op::here) || contains(kid(id, 0), Op::heading)) return std::nullopt;
        const Reg by = ways_of(value(kid(id, 0), d)), r = e_.new_set();
        e_.emit(Ir::set_steps_by, r, set_of(from), by);
        from = any_set(r);
      }
      break;
    }
    case Op::choose: {
      if (node(kid(id, 0)).type != Type::directions) return std::nullopt;
      const auto steps = constant_steps(kid(id, 0), d);
      if (!steps) return std::nullopt;
      if (const auto ends = enclosed(walk, i, *steps, from, d)) return ends;
      Reg all = none_;
      bool good = true;
      steps->each([&](int s) {
        if (!good) return;
        Draft inside = d;
        inside.locals[n.a] = make_steps(StepSet::of(s));
        const auto ends = walked(walk, i + 1, from, inside);
        good = ends.has_value();
        if (ends) all = unite(all, *ends);
      });
      return good ? std::optional(all) : std::nullopt;
    }
    case Op::let: {
      if (contains(kid(id, 0), Op::here) || contains(kid(id, 0), Op::heading)) return std::nullopt;
      d.locals[n.a] = value(kid(id, 0), d);
      break;
    }
    case Op::sequence: {
      Steps parts(walk.begin(), walk.begin() + static_cast<std::ptrdiff_t>(i));
      flatten(id, parts);
      parts.insert(parts.end(), walk.begin() + static_cast<std::ptrdiff_t>(i) + 1, walk.end());
      return walked(parts, i, from, d);
    }
    case Op::alternatives: {
      Reg all = none_;
      for (std::uint32_t k = 0; k < n.count; ++k) {
        Steps parts;
        flatten(program_.kid(n, k), parts);
        // A name that is bound in an alternative ends with it: what comes after is the same for all.
        Draft inside = d;
        const auto ends = walked(parts, 0, from, inside);
        if (!ends) return std::nullopt;
        all = unite(all, *ends);
      }
      from = any_set(all);
      break;
    }
    case Op::by_kind_action: return walked_kinds(walk, i, from, d);
    case Op::repeat: {
      const auto ends = walked_loop(id, from, d);
      if (!ends) return std::nullopt;
      from = any_set(*ends);
      break;
    }
    default: return std::nullopt;
    }
  }
  return set_of(from);
}

// Straight on from one cell: (go d, at S)+, perhaps with a further `go d`.
std::optional<Reg> Lowering::straight(const Steps& walk, std::size_t i, const Val& from, Draft& d) {
  std::optional<StepSet> steps;
  std::int32_t slot = -1;
  std::size_t k = i;
  if (node(walk[k]).op == Op::choose) {
    steps = constant_steps(kid(walk[k], 0), d);
    slot = node(walk[k]).a;
    if (!steps || ++k == walk.size()) return std::nullopt;
  }
  const Node loop = node(walk[k]);
  if (loop.op != Op::repeat || loop.a != kUnbounded) return std::nullopt;
  const Node low = node(kid(walk[k], 1));
  if (low.op != Op::number || low.a > 1) return std::nullopt;
  Draft inside = d;
  if (steps) inside.locals[slot] = make_steps(*steps);
  const auto body = round(kid(walk[k], 0), inside);
  // Every round must go the way that was chosen.
  const auto goes_by_slot = [&](NodeId go) {
    const Node& way = node(kid(go, 0));
    return way.op == Op::local && way.a == slot;
  };
  Steps parts;
  flatten(kid(walk[k], 0), parts);
  if (!body || (steps ? !goes_by_slot(parts[0]) : body->steps.count() != 1)) return std::nullopt;
  if (steps) {
    for (const NodeId tested : body->tests)
      if (contains_local(tested, slot) && steps->count() > 1) return std::nullopt;
    // What comes behind mustn't go by the way, but for one more step.
    for (std::size_t m = k + 1; m < walk.size(); ++m) {
      const bool first = m == k + 1 && node(walk[m]).op == Op::go && goes_by_slot(walk[m]);
      if (!first && contains_local(walk[m], slot) && steps->count() > 1) return std::nullopt;
    }
  }
  // Where what is asked costs much, the first cell is asked for the rest of it before.
  const auto cheap_part = [&]() -> std::optional<NodeId> {
    for (const NodeId tested : body->tests) {
      if (node(tested).op != Op::meet) continue;
      const NodeId a = kid(tested, 0), b = kid(tested, 1);
      if (goes_by_cell(a) && contains(b, Op::reach)) return a;
      if (goes_by_cell(b) && contains(a, Op::reach)) return b;
    }
    return std::nullopt;
  };
  if (low.a == 1 && k + 1 == walk.size() && body->steps.count() == 1 && from.is(Kind::cell) &&
      maybe_none_.count(from.reg) == 0) {
    if (const auto cheap = cheap_part()) {
      const Reg ends = e_.new_set(), next = e_.new_number();
      const Label past = e_.label();
      e_.emit(Ir::set_copy, ends, none_);
      {
        const Emitter::Scope scope(e_);
        e_.emit(Ir::hop, next, from.reg, set(*cheap, inside), body->steps.first(), past);
        e_.emit(Ir::set_copy, ends, rays(Ir::set_rays, from.reg, body->steps, through(*body, inside)));
      }
      e_.place(past);
      return ends;
    }
  }
  const Reg over = through(*body, inside);
  ++k;
  Val ends;
  bool one_more = k < walk.size() && node(walk[k]).op == Op::go;
  if (one_more) {
    const auto way = constant_steps(kid(walk[k], 0), inside);
    one_more = way && *way == body->steps && (!steps || goes_by_slot(walk[k]));
  }
  if (low.a <= 0 && one_more) {
    ends = any_set(rays(Ir::set_slides, from.reg, body->steps, over));
    ++k;
  } else if (low.a == 1) {
    if (one_more && body->steps.count() > 1) return std::nullopt;
    ends = any_set(rays(Ir::set_rays, from.reg, body->steps, over));
  } else {
    const Reg start = set_of(from);
    ends = any_set(unite(start, rays(Ir::set_rays, from.reg, body->steps, over)));
    if (one_more) return std::nullopt;
  }
  return walked(walk, k, ends, inside);
}

// Straight on from one cell over V as far as a cell of S, where the rule has the runs of V that begin beside
// cells of S, `choose d in D, (go d, at V & run(S, opposite(d), V))+`: the line is followed from the one cell
// instead of from all of S.
std::optional<Reg> Lowering::enclosed(const Steps& walk, std::size_t i, const StepSet& steps, const Val& from,
                                      Draft& d) {
  if (!is_on(Form::enclosed)) return std::nullopt;
  if (!from.is(Kind::cell) || i + 2 != walk.size() || steps.none()) return std::nullopt;
  const Node loop = node(walk[i + 1]);
  if (loop.op != Op::repeat || loop.a != kUnbounded) return std::nullopt;
  const Node low = node(kid(walk[i + 1], 1));
  if (low.op != Op::number || low.a != 1) return std::nullopt;
  const auto over_of = [&](int step) -> std::optional<std::pair<Reg, Reg>> {
    Draft inside = d;
    inside.locals[node(walk[i]).a] = make_steps(StepSet::of(step));
    const auto body = round(kid(walk[i + 1], 0), inside);
    if (!body || body->steps.count() != 1 || body->steps.first() != step) return std::nullopt;
    return run_back(through(*body, inside), step);
  };
  Emitter::Attempt attempt(e_);
  const auto registers = e_.registers();
  std::optional<std::pair<Reg, Reg>> sets;
  bool good = true, made_before = true;
  steps.each([&](int step) {
    if (!good) return;
    const auto now = over_of(step);
    good = now && (!sets || *sets == *now);
    made_before = good && now->first < registers.set && now->second < registers.set;
    sets = now;
  });
  attempt.give_up();
  if (!good) return std::nullopt;
  if (!made_before) sets = over_of(steps.first());
  return e_.set_value(Ir::set_between, from.reg, sets->first, sets->second, steps_table(steps));
}

// Are these the cells of a set V from which a step leads over V to a cell of S? Then V and S.
std::optional<std::pair<Reg, Reg>> Lowering::run_back(Reg over, int step) {
  const int back = compass_.opposite[at(step)];
  if (back < 0 || by_distance(board().steps[at(step)].to, true) != by_distance(board().steps[at(back)].to))
    return std::nullopt;
  const auto made = e_.made_by(over);
  if (!made) return std::nullopt;
  for (const Reg run : {over, made->a, made->b}) {
    const auto ran_by = run == over ? made : e_.made_by(run);
    if (!ran_by || ran_by->op != Ir::set_run_shift || ran(ran_by->a, back, ran_by->b) != run) continue;
    const Reg over_run = ran_by->b; // what is left out isn't in it, or it leaves nothing out
    const auto is_left_out = [&](Reg set) {
      const auto less = e_.made_by(over_run);
      return less && less->op == Ir::set_minus && less->b == set;
    };
    const bool whole = run == over ||
                       (made->op == Ir::set_meet && (made->a == over_run || made->b == over_run)) ||
                       (made->op == Ir::set_minus && made->a == run && is_left_out(made->b));
    if (whole) return std::pair(ran_by->b, ran_by->a);
  }
  return std::nullopt;
}

std::optional<Reg> Lowering::walked_loop(NodeId id, const Val& from, Draft& d) {
  const Node n = node(id);
  const Node low = node(kid(id, 1));
  if (low.op != Op::number || (n.a & (kMaximal | kUntil)) != 0) return std::nullopt;
  Steps body;
  flatten(kid(id, 0), body);
  if ((n.a & kUnbounded) == 0) {
    constexpr std::int32_t kMostRounds = 16; // these are written out
    const Node high = node(kid(id, 2));
    if (high.op != Op::number || high.a > kMostRounds) return std::nullopt;
    Reg all = none_;
    if (high.a < std::max(low.a, 0)) return all;
    Val now = from;
    if (low.a <= 0) all = set_of(from);
    for (std::int32_t i = 1; i <= high.a; ++i) {
      Draft inside = d;
      const auto next = walked(body, 0, now, inside);
      if (!next) return std::nullopt;
      now = any_set(*next);
      if (i >= low.a) all = unite(all, *next);
    }
    return all;
  }
  if (low.a > 1) return std::nullopt;
  if (const auto steps = round(kid(id, 0), d)) {
    const Reg over = through(*steps, d), begin = set_of(from);
    if (steps->steps.count() == 1) {
      const Reg onward = ran(begin, steps->steps.first(), over);
      return low.a <= 0 ? unite(begin, onward) : onward;
    }
    if (low.a <= 0) return flooded(begin, steps->steps, over);
    return flooded(meet(stepped(begin, steps->steps, false), over), steps->steps, over);
  }
  // Any other round: all cells that are new go another one.
  for (const NodeId part : body)
    if (contains(part, Op::heading)) return std::nullopt;
  const Reg all = e_.new_set(), front = e_.new_set();
  const Label loop = e_.label(), past = e_.label();
  const auto round_from = [&](Reg begin) -> std::optional<Reg> {
    Draft inside = d;
    return walked(body, 0, any_set(begin), inside);
  };
  e_.emit(Ir::set_copy, front, set_of(from));
  if (low.a > 0) {
    const Emitter::Scope scope(e_);
    const auto first = round_from(front);
    if (!first) return std::nullopt;
    e_.emit(Ir::set_copy, front, *first);
  }
  e_.emit(Ir::set_copy, all, front);
  e_.place(loop);
  {
    const Emitter::Scope scope(e_);
    e_.emit(Ir::if_none, 0, front, 0, 0, past);
    const auto next = round_from(front);
    if (!next) return std::nullopt;
    e_.emit(Ir::set_minus, front, *next, all);
    e_.emit(Ir::set_join, all, front);
    e_.go(loop);
  }
  e_.place(past);
  return all;
}

// A walk that goes by the kind of the piece on its first cell.
std::optional<Reg> Lowering::walked_kinds(const Steps& walk, std::size_t i, const Val& from, Draft& d) {
  const Node n = node(walk[i]);
  if (node(program_.kid(n, 0)).op != Op::here) return std::nullopt;
  if (from.is(Kind::cell)) return walked_kind_of_cell(walk, i, from, d);
  Reg all = none_;
  for (std::uint32_t k = 0; k + 1 < n.count; ++k) {
    const bool last = k + 2 == n.count;
    const int kind = last ? -1 : static_cast<int>(k);
    const Reg of = last ? layout_.empty : kind_cells(kind);
    Steps parts;
    flatten(program_.kid(n, k + 1), parts);
    if (parts.size() == 1 && node(parts[0]).op == Op::never) continue;
    parts.insert(parts.end(), walk.begin() + static_cast<std::ptrdiff_t>(i) + 1, walk.end());
    const Val those = any_set(meet(set_of(from), of));
    Draft inside = d;
    const auto ends = walked(parts, 0, those, inside);
    if (!ends) return std::nullopt;
    all = unite(all, *ends);
  }
  return all;
}

// From one cell: only the walk of the kind that is there.
std::optional<Reg> Lowering::walked_kind_of_cell(const Steps& walk, std::size_t i, const Val& from,
                                                 Draft& d) {
  const Node n = node(walk[i]);
  const auto known = d.there.find(from.reg);
  const Contents there = known != d.there.end() ? known->second : all_contents();
  std::vector<std::uint32_t> possible; // children
  for (std::uint32_t k = 1; k < n.count; ++k) {
    Contents of = k + 1 < n.count ? contents_of_kind(static_cast<int>(k) - 1) : Contents().set(0);
    if ((of & there).any()) possible.push_back(k);
  }
  const auto ends_of = [&](std::uint32_t k) {
    Steps parts;
    flatten(program_.kid(n, k), parts);
    parts.insert(parts.end(), walk.begin() + static_cast<std::ptrdiff_t>(i) + 1, walk.end());
    Draft inside = d;
    inside.there[from.reg] =
        there & (k + 1 < n.count ? contents_of_kind(static_cast<int>(k) - 1) : Contents().set(0));
    return walked(parts, 0, from, inside);
  };
  if (possible.empty()) return none_;
  if (possible.size() == 1) return ends_of(possible.front());
  need_mailbox();
  const Reg all = e_.new_set();
  const Reg kind = e_.number_value(Ir::kind_at, from.reg, 0, 0, 0, kPieces);
  const Reg which = e_.number_value(Ir::add, kind, e_.number_constant(1));
  const Label done = e_.label();
  const auto table = static_cast<std::int32_t>(code_.labels.size());
  code_.labels.emplace_back();
  e_.emit(Ir::set_copy, all, none_);
  e_.emit(Ir::jump_table, 0, which, 0, 0, table);
  std::vector<std::uint32_t> labels(n.count - 1, static_cast<std::uint32_t>(done));
  for (const std::uint32_t k : possible) {
    const Emitter::Scope scope(e_);
    const Label here = e_.label();
    e_.place(here);
    labels[k + 1 < n.count ? k : 0] = static_cast<std::uint32_t>(here);
    const auto ends = ends_of(k);
    if (!ends) return std::nullopt;
    e_.emit(Ir::set_copy, all, *ends);
    e_.go(done);
  }
  e_.place(done);
  code_.labels[at(table)] = labels;
  return all;
}

// ---------------------------------------------------------------- reach

Val Lowering::reach(NodeId id, Draft& d) {
  if (d.decided) return value(kid(id, 0), d); // no action changes a draft that is decided
  if (const auto kept = kept_group(id, d)) return any_set(*kept);
  return any_set(remembered(id, d, [&] { return reached(id, d); }));
}

Reg Lowering::reached(NodeId id, Draft& d) {
  const Val from = value(kid(id, 0), d);
  Steps walk;
  flatten(kid(id, 1), walk);
  Draft inside = d;
  inside.here = inside.heading = {};
  bool reads = false;
  for (const NodeId part : walk) reads = reads || contains(part, Op::heading);
  // One piece walks as its kind does: the ways of all kinds would be more work than to ask which it is.
  const bool one_of_kinds =
      from.is(Kind::cell) && !walk.empty() && node(walk[0]).op == Op::by_kind_action && mode_ == Mode::search;
  if (!reads && !one_of_kinds) {
    Emitter::Attempt attempt(e_);
    if (const auto ends = walked(walk, 0, from, inside)) return *ends;
    attempt.give_up();
  }
  return searched({kid(id, 1)}, from, d);
}

// By trying every way from every cell.
Reg Lowering::searched(const Steps& actions, const Val& from, Draft& d) {
  const Reg found = e_.new_set();
  e_.emit(Ir::set_copy, found, none_);
  const Mode mode = std::exchange(mode_, Mode::search);
  const bool text = std::exchange(text_, false);
  const int exact = std::exchange(exact_, 0);
  ++reaching_;
  const auto from_each = [&](const std::function<void(const Val&, Label)>& body) {
    if (!from.is(Kind::cell)) return each_member(from, Type::cells, body);
    const Emitter::Scope scope(e_);
    const Label past = e_.label();
    if (!(d.here.is(Kind::cell) && d.here.reg == from.reg && maybe_none_.count(from.reg) == 0))
      e_.emit(Ir::if_less, 0, from.reg, e_.number_constant(0), 0, past);
    body(from, past);
    e_.place(past);
  };
  from_each([&](const Val& cell, Label) {
    const Reg mark = e_.new_number(2);
    const std::size_t marked = e_.emit(Ir::mark, mark);
    const std::size_t begin = e_.here();
    Draft inside = d;
    inside.here = cell;
    inside.heading = {};
    inside.quiet = true;
    inside.recorded = false;
    inside.choices.clear();
    inside.there[cell.reg] = cell.contents;
    Continuation then;
    then.go = [&](const Draft& e) { e_.emit(Ir::set_add, found, cell_of(e.here)); };
    then.all = [&](Reg cells) { e_.emit(Ir::set_join, found, cells); };
    std::vector<Todo> chain(actions.size() + 1);
    chain.back() = {kNoNode, nullptr, &then};
    for (std::size_t k = actions.size(); k-- > 0;) chain[k] = {actions[k], &chain[k + 1], nullptr};
    act(chain.data(), inside);
    if (e_.changes_since(begin))
      e_.emit(Ir::undo, 0, mark);
    else
      e_.forget(marked);
    e_.forget_values();
  });
  --reaching_;
  mode_ = mode, text_ = text, exact_ = exact;
  return found;
}

} // namespace boardwright::runtime::lowering
