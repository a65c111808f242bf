#include "interpreter/builder.hpp"

#include "runtime/model/operations.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace boardwright::interpreter {

namespace {

// `here`, `start` and `heading` as if they were slots.
constexpr std::uint32_t kHere = 0xfffffff0, kStart = 0xfffffff1, kHeading = 0xfffffff2;

bool reads_position(Op op) {
  switch (op) {
  case Op::before:
  case Op::by_kind:
  case Op::variable:
  case Op::hand:
  case Op::hand_total:
  case Op::ply:
  case Op::turns:
  case Op::carried:
  case Op::repeats:
  case Op::board_repeats:
  case Op::height:
  case Op::pieces:
  case Op::can:
  case Op::no_move:
  case Op::changed:
  case Op::owned:
  case Op::empty:
  case Op::kind_cells:
  case Op::kind_at:
  case Op::still_in:
  case Op::lift:
  case Op::put:
  case Op::discard:
  case Op::remove:
  case Op::drop:
  case Op::change:
  case Op::move_by:
  case Op::set_variable:
  case Op::set_hand:
  case Op::again:
  case Op::win:
  case Op::lose:
  case Op::draw:
  case Op::pass:
  case Op::by_kind_action:
  case Op::set_local:
  case Op::from: return true;
  default: return false;
  }
}

bool binds_a(Op op) {
  switch (op) {
  case Op::let_value:
  case Op::some_where:
  case Op::select:
  case Op::let:
  case Op::choose:
  case Op::choose_some:
  case Op::each: return true;
  default: return false;
  }
}

void insert(std::vector<std::uint32_t>& sorted, std::uint32_t value) {
  const auto place = std::lower_bound(sorted.begin(), sorted.end(), value);
  if (place == sorted.end() || *place != value) sorted.insert(place, value);
}

void erase(std::vector<std::uint32_t>& sorted, std::uint32_t value) {
  const auto place = std::lower_bound(sorted.begin(), sorted.end(), value);
  if (place != sorted.end() && *place == value) sorted.erase(place);
}

// Lists longer than this stay expressions: as constants they would only fill the program.
constexpr std::size_t kMaxFoldedList = 1024;

// A node that reads more slots than this is not folded, nor is one when looking for the slots bound below
// nodes has taken so many steps: without these bounds memory and time would be quadratic in the program.
constexpr std::size_t kMaxReads = 64;
constexpr std::size_t kMaxLookedAt = 1 << 21;

} // namespace

Builder::Builder(runtime::Program& program, const dsl::Sources& sources, bool keep_expressions)
    : program_(program), sources_(sources), keep_expressions_(keep_expressions) {
  program_.origins.push_back({});
  program_.files.emplace_back();
  program_.rules.emplace_back();
  push(Op::never, Type::action, {}, 0, 0);
}

void Builder::at(dsl::Span span, const std::string& rule) {
  const auto [entry, is_new] = origins_.try_emplace(std::tuple(span.file, span.begin, span.end, rule), 0u);
  if (is_new) {
    const auto where = sources_.locate(span.file, span.begin);
    const auto intern = [](std::vector<std::string>& list, const std::string& name) {
      const auto found = std::find(list.begin(), list.end(), name);
      if (found != list.end()) return static_cast<std::uint32_t>(found - list.begin());
      list.push_back(name);
      return static_cast<std::uint32_t>(list.size() - 1);
    };
    entry->second = static_cast<std::uint32_t>(program_.origins.size());
    program_.origins.push_back({intern(program_.files, where.file), where.line, where.column, span.begin,
                                span.end, intern(program_.rules, rule)});
  }
  origin_ = entry->second;
}

NodeId Builder::number(std::int64_t value) {
  const std::int64_t low = INT32_MIN, high = INT32_MAX;
  return add(Op::number, Type::number, {}, static_cast<std::int32_t>(std::clamp(value, low, high)));
}

NodeId Builder::truth(bool value) { return add(Op::truth, Type::truth, {}, value ? 1 : 0); }

NodeId Builder::cells(const runtime::CellSet& set) {
  program_.cell_sets.push_back(set);
  return add(Op::cells, Type::cells, {}, static_cast<std::int32_t>(program_.cell_sets.size() - 1));
}

NodeId Builder::steps(const runtime::StepSet& set) {
  program_.step_sets.push_back(set);
  return add(Op::directions, Type::directions, {}, static_cast<std::int32_t>(program_.step_sets.size() - 1));
}

NodeId Builder::text(const std::string& text) {
  program_.texts.push_back(text);
  return add(Op::text, Type::action, {}, static_cast<std::int32_t>(program_.texts.size() - 1));
}

std::uint32_t Builder::new_slots(std::uint32_t count) {
  const std::uint32_t first = program_.slots;
  program_.slots += count;
  return first;
}

bool Builder::is_constant(NodeId id) const {
  const auto& n = node(id);
  switch (n.op) {
  case Op::number:
  case Op::truth:
  case Op::cells:
  case Op::directions:
  case Op::kind:
  case Op::player: return true;
  case Op::list:
  case Op::range:
    return std::all_of(program_.kids.begin() + n.kids, program_.kids.begin() + n.kids + n.count,
                       [this](NodeId k) { return is_constant(k); });
  default: return false;
  }
}

bool Builder::is_truth(NodeId id, bool value) const {
  return node(id).op == Op::truth && (node(id).a != 0) == value;
}

const runtime::CellSet& Builder::cells_of(NodeId id) const {
  return program_.cell_sets[static_cast<std::size_t>(node(id).a)];
}

const runtime::StepSet& Builder::steps_of(NodeId id) const {
  return program_.step_sets[static_cast<std::size_t>(node(id).a)];
}

NodeId Builder::push(Op op, Type type, const std::vector<NodeId>& kids, std::int32_t a, std::int32_t b) {
  runtime::Node n;
  n.op = op;
  n.type = type;
  n.a = a;
  n.b = b;
  n.kids = static_cast<std::uint32_t>(program_.kids.size());
  n.count = static_cast<std::uint32_t>(kids.size());
  n.origin = origin_;
  program_.kids.insert(program_.kids.end(), kids.begin(), kids.end());
  reads_.push_back(reads_of(op, kids, a, b));
  std::uint32_t height = 1;
  for (const NodeId k : kids) height = std::max(height, heights_[k] + 1);
  heights_.push_back(height);
  too_high_ = too_high_ || height > kMaxHeight;
  program_.nodes.push_back(n);
  return static_cast<NodeId>(program_.nodes.size() - 1);
}

Builder::Reads Builder::reads_of(Op op, const std::vector<NodeId>& kids, std::int32_t a,
                                 std::int32_t b) const {
  Reads r;
  r.position = reads_position(op);
  const auto take = [&](NodeId kid) {
    r.position = r.position || reads_[kid].position || r.slots.size() > kMaxReads;
    if (r.position) return; // then the slots don't matter
    for (const auto s : reads_[kid].slots) insert(r.slots, s);
  };
  if (op == Op::reach) { // the walk has a `here` and a `heading` of its own
    take(kids[1]);
    erase(r.slots, kHere);
    erase(r.slots, kHeading);
    take(kids[0]);
  } else {
    for (const NodeId k : kids) take(k);
  }
  switch (op) {
  case Op::local: insert(r.slots, static_cast<std::uint32_t>(a)); break;
  case Op::here:
  case Op::at:
  case Op::go:
  case Op::bend: insert(r.slots, kHere); break;
  case Op::start: insert(r.slots, kStart); break;
  case Op::heading: insert(r.slots, kHeading); break;
  case Op::list_for:
  case Op::sum_for:
  case Op::least_for:
  case Op::greatest_for:
    for (std::int32_t i = 0; i < b; ++i) erase(r.slots, static_cast<std::uint32_t>(a + i));
    break;
  default:
    if (binds_a(op)) erase(r.slots, static_cast<std::uint32_t>(a));
  }
  // A name bound by `let` or `choose` is read by what follows it in the sequence.
  if (op == Op::sequence || op == Op::reach || op == Op::repeat || op == Op::most) {
    std::vector<std::uint32_t> bound, assigned;
    if (looked_at_ > kMaxLookedAt) r.position = true;
    if (!r.slots.empty() && !r.position)
      for (const NodeId k : kids) bound_slots(k, bound, assigned);
    for (const auto s : bound) erase(r.slots, s);
  }
  if (r.position) r.slots = {};
  return r;
}

void Builder::bound_slots(NodeId id, std::vector<std::uint32_t>& bound,
                          std::vector<std::uint32_t>& assigned) const {
  ++looked_at_;
  const auto& n = node(id);
  if (binds_a(n.op)) bound.push_back(static_cast<std::uint32_t>(n.a));
  if (runtime::goes_through_bindings(n.op))
    for (std::int32_t i = 0; i < n.b; ++i) bound.push_back(static_cast<std::uint32_t>(n.a + i));
  if (n.op == Op::set_local) assigned.push_back(static_cast<std::uint32_t>(n.a));
  for (std::uint32_t i = 0; i < n.count; ++i) bound_slots(program_.kid(n, i), bound, assigned);
}

std::vector<std::uint32_t> Builder::changed_slots(NodeId id) const {
  std::vector<std::uint32_t> bound, assigned, result;
  bound_slots(id, bound, assigned);
  for (const auto s : assigned)
    if (std::find(bound.begin(), bound.end(), s) == bound.end()) insert(result, s);
  return result;
}

// What needs no evaluation: connectives with a constant side, choices that are made at load.
bool Builder::simplified(Op op, Type type, const std::vector<NodeId>& kids, NodeId& result) {
  switch (op) {
  case Op::all_of:
  case Op::any_of: {
    const bool decides = op == Op::any_of;
    std::vector<NodeId> rest;
    for (const NodeId k : kids) {
      if (is_truth(k, !decides)) continue;
      rest.push_back(k);
      if (is_truth(k, decides)) break;
    }
    if (rest.empty())
      result = truth(!decides);
    else if (rest.size() == 1 || is_truth(rest.front(), decides))
      result = rest.front();
    else if (rest.size() < kids.size())
      result = add(op, type, rest);
    else
      return false;
    return true;
  }
  case Op::if_value:
    if (node(kids[0]).op != Op::truth) return false;
    result = is_truth(kids[0], true) ? kids[1] : kids[2];
    return true;
  case Op::if_action:
    if (node(kids[0]).op != Op::truth) return false;
    result = is_truth(kids[0], true) ? kids[1] : kids.size() > 2 ? kids[2] : nothing();
    return true;
  case Op::require:
    if (node(kids[0]).op != Op::truth) return false;
    result = is_truth(kids[0], true) ? nothing() : add(Op::never, Type::action);
    return true;
  case Op::sequence: {
    std::vector<NodeId> flat;
    for (const NodeId k : kids) {
      const auto& n = node(k);
      if (n.op == Op::sequence)
        flat.insert(flat.end(), program_.kids.begin() + n.kids, program_.kids.begin() + n.kids + n.count);
      else
        flat.push_back(k);
    }
    if (flat.size() == 1)
      result = flat.front();
    else if (flat != kids)
      result = add(op, type, flat);
    else
      return false;
    return true;
  }
  case Op::alternatives:
  case Op::otherwise: {
    std::vector<NodeId> rest;
    for (const NodeId k : kids)
      if (node(k).op != Op::never) rest.push_back(k);
    if (rest.empty())
      result = add(Op::never, Type::action);
    else if (rest.size() == 1)
      result = rest.front();
    else if (rest.size() < kids.size())
      result = add(op, type, rest);
    else
      return false;
    return true;
  }
  default: return false;
  }
}

NodeId Builder::add(Op op, Type type, std::vector<NodeId> kids, std::int32_t a, std::int32_t b) {
  if (full() || too_high_) return 0; // whoever drives the builder asks and reports it
  NodeId result = 0;
  if (simplified(op, type, kids, result))
    return keep_expressions_ ? kept(result, push(op, type, kids, a, b)) : result;
  const NodeId id = push(op, type, kids, a, b);
  const bool closed = !reads_[id].position && reads_[id].slots.empty();
  if (type == Type::action || type == Type::map || !closed || is_constant(id)) return id;
  return fold(id);
}

NodeId Builder::fold(NodeId id) {
  const auto value = runtime::Walker(program_).evaluate(id, blank_, folding_);
  // A fault stays in the program: it belongs to the moment the rule is carried out, if ever. What holds it is
  // not tried again.
  if (!value) reads_[id].position = true;
  if (!value || value->list.size() > kMaxFoldedList) return id;
  const NodeId result = constant(*value, node(id).type);
  return keep_expressions_ ? kept(result, id) : result;
}

// The node may stand elsewhere too, for itself, so it is a copy of it that stands for the expression.
NodeId Builder::kept(NodeId result, NodeId expression) {
  const runtime::Node n = node(result);
  const std::vector<NodeId> kids(program_.kids.begin() + n.kids, program_.kids.begin() + n.kids + n.count);
  const NodeId copy = push(n.op, n.type, kids, n.a, n.b);
  program_.nodes[copy].origin = n.origin;
  expressions_[copy] = expression;
  return copy;
}

NodeId Builder::constant(const runtime::Value& value, Type type) {
  switch (type) {
  case Type::number: return number(value.number);
  case Type::truth: return truth(value.number != 0);
  case Type::cells: return cells(value.cells);
  case Type::directions: return steps(value.steps);
  case Type::kind: return kind(static_cast<int>(value.number));
  case Type::player: return player(static_cast<int>(value.number));
  default: break;
  }
  const Type member = type == Type::numbers ? Type::number
                      : type == Type::sets  ? Type::cells
                      : type == Type::kinds ? Type::kind
                                            : Type::player;
  std::vector<NodeId> kids;
  for (const auto& v : value.list) kids.push_back(constant(v, member));
  return add(Op::list, type, kids);
}

void Builder::compact() {
  std::vector<NodeId> moved(program_.nodes.size(), runtime::kNoNode);
  std::vector<runtime::Node> nodes;
  std::vector<NodeId> kids;
  std::vector<runtime::CellSet> cell_sets;
  std::vector<runtime::StepSet> step_sets;
  std::map<runtime::CellSet, std::int32_t> cell_places;
  std::map<runtime::StepSet, std::int32_t> step_places;
  const auto intern = [](auto& pool, auto& places, const auto& set) {
    const auto [place, is_new] = places.try_emplace(set, static_cast<std::int32_t>(pool.size()));
    if (is_new) pool.push_back(set);
    return place->second;
  };
  const auto visit = [&](const auto& self, NodeId id) -> NodeId {
    for (auto was = expressions_.find(id); was != expressions_.end(); was = expressions_.find(id))
      id = was->second;
    if (moved[id] != runtime::kNoNode) return moved[id];
    const runtime::Node old = program_.nodes[id];
    std::vector<NodeId> mine;
    for (std::uint32_t i = 0; i < old.count; ++i) mine.push_back(self(self, program_.kid(old, i)));
    runtime::Node n = old;
    n.kids = static_cast<std::uint32_t>(kids.size());
    if (n.op == Op::cells)
      n.a = intern(cell_sets, cell_places, program_.cell_sets[static_cast<std::size_t>(n.a)]);
    if (n.op == Op::directions)
      n.a = intern(step_sets, step_places, program_.step_sets[static_cast<std::size_t>(n.a)]);
    kids.insert(kids.end(), mine.begin(), mine.end());
    nodes.push_back(n);
    return moved[id] = static_cast<NodeId>(nodes.size() - 1);
  };
  for (auto& p : program_.players) {
    p.turn = visit(visit, p.turn);
    for (auto& line : p.end) {
      line.condition = visit(visit, line.condition);
      for (auto& s : line.score) s = visit(visit, s);
    }
  }
  program_.nodes = std::move(nodes);
  program_.kids = std::move(kids);
  program_.cell_sets = std::move(cell_sets);
  program_.step_sets = std::move(step_sets);
  reads_.clear();
  expressions_.clear();
}

} // namespace boardwright::interpreter
