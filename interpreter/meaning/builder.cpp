#include "interpreter/meaning/builder.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace boardwright::interpreter {

namespace {

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
  callers_.push_back(0);
  program_.files.emplace_back();
  program_.rules.emplace_back();
  push(Op::never, Type::action, {}, 0, 0);
}

std::uint32_t Builder::beginning_of(std::uint32_t origin) {
  runtime::Origin place = program_.origins[origin];
  place.end = place.begin;
  program_.origins.push_back(place);
  callers_.push_back(callers_[origin]);
  return static_cast<std::uint32_t>(program_.origins.size() - 1);
}

void Builder::at(dsl::Span span, const std::string& rule, std::uint32_t caller) {
  if (!keeps_callers_) caller = 0;
  const auto [entry, is_new] = origins_.try_emplace(Place(span.file, span.begin, span.end, rule, caller), 0u);
  if (is_new) {
    callers_.push_back(caller);
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
  r.parts = kids.empty() ? runtime::own_reads(op) : runtime::own_reads(op, node(kids[0]).type);
  for (std::size_t i = 0; i < kids.size(); ++i) {
    const Reads& kid = reads_[kids[i]];
    r.parts |= runtime::read_through(op, i, kid.parts);
    r.open = r.open || kid.open || r.slots.size() > kMaxReads;
    if (!r.varies())
      for (const auto s : kid.slots) insert(r.slots, s);
  }
  const std::int32_t bound_here = runtime::slots_bound_by(op, b);
  if (runtime::names_slot(op) && bound_here == 0 && !runtime::is_action(op))
    insert(r.slots, static_cast<std::uint32_t>(a));
  for (std::int32_t i = 0; i < bound_here; ++i) erase(r.slots, static_cast<std::uint32_t>(a + i));
  // A name bound by `let` or `choose` is read by what follows it in the sequence.
  if (runtime::one_of(op, Op::sequence, Op::reach, Op::repeat, Op::most)) {
    std::vector<std::uint32_t> bound, assigned;
    r.open = r.open || looked_at_ > kMaxLookedAt;
    if (!r.slots.empty() && !r.varies())
      for (const NodeId k : kids) bound_slots(k, bound, assigned);
    for (const auto s : bound) erase(r.slots, s);
  }
  if (r.varies()) r.slots = {}; // they don't matter
  return r;
}

void Builder::bound_slots(NodeId id, std::vector<std::uint32_t>& bound,
                          std::vector<std::uint32_t>& assigned) const {
  ++looked_at_;
  const auto& n = node(id);
  const std::int32_t bound_here = runtime::slots_bound_by(n.op, n.b);
  for (std::int32_t i = 0; i < bound_here; ++i) bound.push_back(static_cast<std::uint32_t>(n.a + i));
  if (runtime::names_slot(n.op) && bound_here == 0 && runtime::is_action(n.op))
    assigned.push_back(static_cast<std::uint32_t>(n.a));
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
  const bool closed = reads_[id].nothing();
  if (type == Type::action || type == Type::map || !closed || is_constant(id)) return id;
  return fold(id);
}

NodeId Builder::fold(NodeId id) {
  const auto value = runtime::Walker(program_).evaluate(id, blank_, folding_);
  // A fault stays in the program: it belongs to the moment the rule is carried out, if ever. What holds it is
  // not tried again.
  if (!value) reads_[id].open = true;
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
    if (runtime::about(n.op).a == runtime::Operand::cell_set)
      n.a = intern(cell_sets, cell_places, program_.cell_sets[static_cast<std::size_t>(n.a)]);
    if (runtime::about(n.op).a == runtime::Operand::step_set)
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
  if (program_.chance)
    for (NodeId& condition : program_.chance->begins)
      if (condition != runtime::kNoNode) condition = visit(visit, condition);
  if (program_.sight) {
    for (NodeId& cells : program_.sight->cells) cells = visit(visit, cells);
    for (NodeId& cells : program_.sight->kinds) cells = visit(visit, cells);
  }
  program_.nodes = std::move(nodes);
  program_.kids = std::move(kids);
  program_.cell_sets = std::move(cell_sets);
  program_.step_sets = std::move(step_sets);
  reads_.clear();
  expressions_.clear();
}

} // namespace boardwright::interpreter
