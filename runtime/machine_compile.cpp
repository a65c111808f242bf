// Program → Code. The one function for others is `compile`, at the end.
#include "runtime/machine_code.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace boardwright::runtime::machine {

namespace {

using NodeList = std::span<const NodeId>;

[[nodiscard]] Type member_type(Type type) {
  switch (type) {
  case Type::numbers: return Type::number;
  case Type::sets: return Type::cells; // directions are kept alike
  case Type::kinds: return Type::kind;
  case Type::players: return Type::player;
  default: return type; // members of cells and directions are sets of one
  }
}

// What can be known of a program's nodes without carrying them out.
class Analysis {
public:
  explicit Analysis(const Program& program);

  // Does the value, or the action, look at `here` or `heading`?
  [[nodiscard]] bool reads_walker(NodeId id) { return ask(reads_, id, &Analysis::find_reads); }
  // Has the value at most one member?
  [[nodiscard]] bool single(NodeId id) { return ask(single_, id, &Analysis::find_single); }
  // Has the action at most one outcome?
  [[nodiscard]] bool sure(NodeId id) { return ask(sure_, id, &Analysis::find_sure); }
  // Can no two drafts along the rounds of this loop be equal?
  [[nodiscard]] bool never_returns(const Node& loop);

  [[nodiscard]] const std::vector<Type>& slot_types() const { return slot_types_; }
  [[nodiscard]] const Node& node(NodeId id) const { return program_.nodes[id]; }
  [[nodiscard]] NodeList kids(const Node& n) const { return program_.kids_of(n); }

private:
  using Answers = std::vector<std::int8_t>; // -1: not asked yet
  bool ask(Answers& answers, NodeId id, bool (Analysis::*find)(const Node&));
  bool find_reads(const Node& n);
  bool find_single(const Node& n);
  bool find_sure(const Node& n);
  bool sure_repeat(const Node& n);
  bool all_sure(NodeList ids) {
    return std::all_of(ids.begin(), ids.end(), [&](NodeId id) { return sure(id); });
  }
  void note_slots();
  void bind_slot(std::int32_t slot, Type type, bool one);
  bool straight(NodeId action, const Node& direction);
  bool fixed_direction(NodeId id);

  const Program& program_;
  Answers reads_, single_, sure_;
  std::vector<Type> slot_types_;
  std::vector<bool> slot_single_; // holds one member, or none, whenever it is read
  int depth_ = 0;
};

Analysis::Analysis(const Program& program)
    : program_(program), reads_(program.nodes.size(), -1), single_(reads_), sure_(reads_),
      slot_types_(program.slots, Type::number), slot_single_(program.slots, false) {
  note_slots();
}

// Beyond the nesting that is carried out anyhow, the careful answer will do: reads, many, unsure.
bool Analysis::ask(Answers& answers, NodeId id, bool (Analysis::*find)(const Node&)) {
  if (id == kNoNode) return false;
  if (answers[id] >= 0) return answers[id] != 0;
  if (depth_ > kMaxNesting) return find == &Analysis::find_reads;
  ++depth_;
  const bool answer = (this->*find)(node(id));
  --depth_;
  answers[id] = answer ? 1 : 0;
  return answer;
}

void Analysis::bind_slot(std::int32_t slot, Type type, bool one) {
  if (slot < 0 || at(slot) >= slot_types_.size()) return;
  slot_types_[at(slot)] = type;
  slot_single_[at(slot)] = one;
}

void Analysis::note_slots() {
  const auto members = [&](std::int32_t slot, NodeId source) {
    const Type type = node(source).type;
    bind_slot(slot, member_type(type), type == Type::cells || type == Type::directions);
  };
  for (const Node& n : program_.nodes) {
    const NodeList c = kids(n);
    switch (n.op) {
    case Op::let:
    case Op::let_value: bind_slot(n.a, node(c[0]).type, false); break;
    case Op::choose:
    case Op::each:
    case Op::some_where:
    case Op::select: members(n.a, c[0]); break;
    case Op::choose_some: bind_slot(n.a, node(c[1]).type, false); break;
    case Op::list_for:
      for (std::int32_t i = 0; i < n.b; ++i) members(n.a + i, c[at(2 + i)]);
      break;
    default: break;
    }
  }
  for (const Node& n : program_.nodes)
    if (n.op == Op::set_local && at(n.a) < slot_single_.size()) slot_single_[at(n.a)] = false;
}

bool Analysis::find_reads(const Node& n) {
  switch (n.op) {
  case Op::here:
  case Op::heading:
  case Op::at:
  case Op::go:
  case Op::bend:
  case Op::lift:
  case Op::put:
  case Op::discard: return true;
  case Op::reach:
    return reads_walker(kids(n)[0]); // the walk inside begins with a `here` and heading of its own
  default: {
    const NodeList c = kids(n);
    return std::any_of(c.begin(), c.end(), [&](NodeId id) { return reads_walker(id); });
  }
  }
}

bool Analysis::find_single(const Node& n) {
  const NodeList c = kids(n);
  switch (n.op) {
  case Op::here:
  case Op::start:
  case Op::heading:
  case Op::first:
  case Op::last:
  case Op::cell_numbered: return true;
  case Op::cells: return program_.cell_sets[at(n.a)].count() <= 1;
  case Op::directions: return program_.step_sets[at(n.a)].count() <= 1;
  case Op::local: return slot_single_[at(n.a)];
  case Op::meet: return single(c[0]) || single(c[1]);
  case Op::minus:
  case Op::select:
  case Op::opposite:
  case Op::turned:
  case Op::image: return single(c[0]);
  case Op::let_value: return single(c[1]);
  case Op::if_value: return single(c[1]) && single(c[2]);
  default: return false;
  }
}

bool Analysis::sure_repeat(const Node& n) {
  const NodeList c = kids(n);
  if (!sure(c[0])) return false;
  if ((n.a & kMaximal) != 0) return true;
  if ((n.a & kUnbounded) != 0) return false;
  const Node &low = node(c[1]), &high = node(c[2]);
  return low.op == Op::number && high.op == Op::number && low.a == high.a;
}

bool Analysis::find_sure(const Node& n) {
  const NodeList c = kids(n);
  switch (n.op) {
  case Op::from:
  case Op::to:
  case Op::go: return single(c[0]);
  case Op::bend: return false;
  case Op::sequence:
  case Op::otherwise: return all_sure(c);
  case Op::alternatives: return c.empty() || (c.size() == 1 && sure(c[0]));
  case Op::repeat: return sure_repeat(n);
  case Op::if_action:
  case Op::by_kind_action:
  case Op::by_player_action: return all_sure(c.subspan(1));
  case Op::most:
  case Op::distinct:
  case Op::quietly: return sure(c[0]);
  case Op::choose:
  case Op::choose_some: return false;
  default: return true;
  }
}

bool Analysis::fixed_direction(NodeId id) {
  if (!single(id) || !program_.board.tracks.empty()) return false;
  const Op op = node(id).op;
  return op == Op::local || op == Op::directions;
}

// Is every step of the action a `go` in this direction?
bool Analysis::straight(NodeId action, const Node& direction) {
  const Node& n = node(action);
  const NodeList c = kids(n);
  switch (n.op) {
  case Op::from:
  case Op::to:
  case Op::bend: return false;
  case Op::let:
  case Op::choose: return direction.op != Op::local || n.a != direction.a;
  case Op::go: {
    const Node& d = node(c[0]);
    return d.op == direction.op && d.a == direction.a;
  }
  default:
    return std::all_of(c.begin(), c.end(),
                       [&](NodeId id) { return node(id).type != Type::action || straight(id, direction); });
  }
}

// A round that begins with a step in one displacement, where no other step is taken, ends ever farther away.
bool Analysis::never_returns(const Node& loop) {
  NodeId first = kids(loop)[0];
  for (int i = 0; i < kMaxNesting && node(first).op == Op::sequence && node(first).count > 0; ++i)
    first = kids(node(first))[0];
  if (node(first).op != Op::go) return false;
  const NodeId direction = kids(node(first))[0];
  return fixed_direction(direction) && straight(kids(loop)[0], node(direction));
}

class Compiler {
public:
  explicit Compiler(const Program& program) : program_(program), known_(program) {}
  Code run(const std::vector<std::optional<SlotPlan>>& plans);

private:
  struct Place { // where an action stands
    bool in_reach = false, in_loop = false;
    NodeId whole = kNoNode; // the action of the innermost reach
  };

  // --- values
  const Expr* expr(NodeId id);
  void fill(Expr& e, const Node& n);
  void fill_owned(Expr& e, const Node& n);
  void fill_rectangle(Expr& e, const Node& n);
  void fill_reach(Expr& e, const Node& n);
  void fill_constant(Expr& e, const CellSet& set);
  const std::vector<const Expr*>* all(NodeList ids);
  void note_uses(const Node& n);

  // --- walks over sets
  const Walk* walk(NodeId id);
  const Walk* walk_kids(Walk::Kind kind, const Node& n, NodeList kids, const Expr* condition);
  const Walk* walk_sequence(NodeList ids);
  const Walk* walk_loop(const Node& n);
  const Walk* keep(Walk w) { return &code_.walks.emplace_back(std::move(w)); }
  bool free(NodeId id) { return !known_.reads_walker(id); }
  const Walk* leaf(Walk::Kind kind, const Node& n);

  // --- actions
  std::uint32_t action(NodeId id, std::uint32_t next);
  std::uint32_t build(const Node& n, std::uint32_t next);
  std::uint32_t add(Instruction i);
  std::uint32_t end(Do what) { return add(blank(what)); }
  static Instruction blank(Do what) {
    Instruction i;
    i.what = what;
    return i;
  }
  Instruction simple(Do what, const Node& n, std::uint32_t next);
  std::uint32_t sequence(NodeList ids, std::uint32_t next);
  std::uint32_t alternatives(const Node& n, std::uint32_t next);
  std::uint32_t otherwise(const Node& n, std::uint32_t next);
  std::uint32_t branch(const Node& n, std::uint32_t next);
  std::uint32_t branches(Do what, const Node& n, std::uint32_t next);
  std::uint32_t repeat(const Node& n, std::uint32_t next);
  void compile_rounds(std::uint32_t loop, const Node& n);
  std::uint32_t choose(const Node& n, std::uint32_t next);
  std::uint32_t each(const Node& n, std::uint32_t next);
  std::uint32_t collect(const Node& n, std::uint32_t next);
  std::uint32_t quietly(const Node& n, std::uint32_t next);
  std::uint32_t go(const Node& n, std::uint32_t next);
  std::uint32_t leaf_action(Do what, const Node& n, std::uint32_t next);
  std::uint32_t block(NodeId id);
  std::uint32_t frame(std::int32_t index);
  std::uint32_t bound_slots(NodeId id);
  [[nodiscard]] static bool binds(const Node& n);
  void gather_bound(NodeId id, std::vector<SlotRef>& slots);
  std::uint32_t fan(const CellSet& steps);

  void players();
  std::optional<SlotCode> slots(const SlotPlan& plan);
  SlotStep slot_step(const SlotOp& op);

  const Program& program_;
  Analysis known_;
  Code code_;
  Place place_;
  int depth_ = 0;
  std::map<std::tuple<NodeId, NodeId>, const Expr*> exprs_;
  std::map<std::tuple<NodeId, std::uint32_t, bool, bool, NodeId>, std::uint32_t> actions_;
};

// ---------------------------------------------------------------------------------------------------- values

const Expr* Compiler::expr(NodeId id) {
  if (id == kNoNode) return nullptr;
  const auto key = std::tuple(id, place_.in_reach ? place_.whole : kNoNode);
  if (const auto found = exprs_.find(key); found != exprs_.end()) return found->second;
  const Node& n = program_.nodes[id];
  Expr& e = code_.exprs.emplace_back();
  exprs_[key] = &e;
  e.op = n.op;
  e.type = n.type;
  e.a = n.a;
  e.b = n.b;
  e.origin = n.origin;
  e.single = known_.single(id);
  if (++depth_ > kMaxNesting)
    e.op = Op::never; // a value of this operation faults
  else
    fill(e, n);
  --depth_;
  return &e;
}

const std::vector<const Expr*>* Compiler::all(NodeList ids) {
  std::vector<const Expr*> list;
  for (const NodeId id : ids) list.push_back(expr(id));
  return &code_.kid_lists.emplace_back(std::move(list));
}

void Compiler::note_uses(const Node& n) {
  code_.uses_history |= n.op == Op::repeats || n.op == Op::board_repeats;
  code_.uses_before |= n.op == Op::before;
}

void Compiler::fill(Expr& e, const Node& n) {
  const NodeList c = program_.kids_of(n);
  note_uses(n);
  switch (n.op) {
  case Op::cells: return fill_constant(e, program_.cell_sets[at(n.a)]);
  case Op::directions: {
    const StepSet& steps = program_.step_sets[at(n.a)];
    fill_constant(e, steps);
    e.fan = fan(steps);
    return;
  }
  case Op::owned: return fill_owned(e, n);
  case Op::rectangle: return fill_rectangle(e, n);
  case Op::reach: return fill_reach(e, n);
  case Op::can: {
    const std::uint32_t found = end(Do::found);
    e.entry = action(c[0], found);
    return;
  }
  default: break;
  }
  if (!c.empty()) e.c0 = expr(c[0]);
  if (c.size() > 1) e.c1 = expr(c[1]);
  if (c.size() > 2) e.c2 = expr(c[2]);
  e.kids = all(c);
}

void Compiler::fill_constant(Expr& e, const CellSet& set) {
  e.constant = static_cast<std::uint32_t>(code_.constants.size());
  code_.constants.push_back(set);
}

// The owner becomes an index: who is asked for is known here.
void Compiler::fill_owned(Expr& e, const Node& n) {
  const int count = program_.player_count();
  switch (static_cast<Owners>(n.a)) {
  case Owners::any: e.a = kAnyone; break;
  case Owners::exactly: e.a = n.b; break;
  case Owners::neutral: e.a = count; break;
  case Owners::others: e.a = count == 2 ? 1 - n.b : kOthers; break;
  }
}

// A corner that is written as a number has no child, or one that doesn't count.
void Compiler::fill_rectangle(Expr& e, const Node& n) {
  const NodeList c = program_.kids_of(n);
  if (n.a < 0 && !c.empty()) e.c0 = expr(c[0]);
  if (n.b < 0 && !c.empty()) e.c1 = expr(c.back());
}

void Compiler::fill_reach(Expr& e, const Node& n) {
  const NodeList c = program_.kids_of(n);
  e.c0 = expr(c[0]);
  const Place before = place_;
  place_ = {true, false, c[1]};
  e.walk = walk(c[1]);
  if (e.walk == nullptr) {
    const std::uint32_t reached = end(Do::reached);
    e.entry = action(c[1], reached);
  }
  place_ = before;
}

// ---------------------------------------------------------------------------------------------------- walks

const Walk* Compiler::leaf(Walk::Kind kind, const Node& n) {
  const NodeId operand = program_.kid(n, 0);
  if (!free(operand)) return nullptr;
  Walk w;
  w.kind = kind;
  w.origin = n.origin;
  w.c0 = expr(operand);
  return keep(std::move(w));
}

// The walk over sets for an action, or null where it has none.
const Walk* Compiler::walk(NodeId id) {
  const Node& n = program_.nodes[id];
  const NodeList c = program_.kids_of(n);
  if (depth_ > kMaxNesting) return nullptr;
  switch (n.op) {
  case Op::go: return leaf(Walk::Kind::go, n);
  case Op::at: return leaf(Walk::Kind::at, n);
  case Op::to: return leaf(Walk::Kind::to, n);
  case Op::require: return leaf(Walk::Kind::require, n);
  case Op::never: return keep({});
  case Op::repeat: return walk_loop(n);
  case Op::sequence: return walk_sequence(c);
  case Op::let:
  case Op::choose: return walk_sequence({&id, 1});
  case Op::if_action: {
    if (!free(c[0])) return nullptr;
    const Expr* condition = expr(c[0]);
    return walk_kids(Walk::Kind::branch, n, c.subspan(1), condition);
  }
  case Op::alternatives: return walk_kids(Walk::Kind::alternatives, n, c, nullptr);
  case Op::by_kind_action: // by the piece on `here` itself the cells fall into parts
    if (program_.nodes[c[0]].op != Op::here) return nullptr;
    return walk_kids(Walk::Kind::by_kind, n, c.subspan(1), nullptr);
  default: return nullptr;
  }
}

const Walk* Compiler::walk_kids(Walk::Kind kind, const Node& n, NodeList kids, const Expr* condition) {
  Walk w;
  w.kind = kind;
  w.origin = n.origin;
  w.c0 = condition;
  for (const NodeId kid : kids) {
    ++depth_;
    w.kids.push_back(walk(kid));
    --depth_;
    if (w.kids.back() == nullptr) return nullptr;
  }
  return keep(std::move(w));
}

// Of a binding, all that follows is done for each value in turn, so it becomes part of it.
const Walk* Compiler::walk_sequence(NodeList ids) {
  Walk w;
  w.kind = Walk::Kind::sequence;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Node& n = program_.nodes[ids[i]];
    const Walk* part = nullptr;
    if (n.op == Op::choose || n.op == Op::let) {
      if (!free(program_.kid(n, 0)) || depth_ > kMaxNesting) return nullptr;
      Walk binding;
      binding.kind = n.op == Op::let ? Walk::Kind::let : Walk::Kind::choose;
      binding.slot = n.a;
      binding.origin = n.origin;
      binding.c0 = expr(program_.kid(n, 0));
      ++depth_;
      const Walk* rest = walk_sequence(ids.subspan(i + 1));
      --depth_;
      if (rest == nullptr) return nullptr;
      binding.kids = {rest};
      w.kids.push_back(keep(std::move(binding)));
      return keep(std::move(w));
    }
    ++depth_;
    part = walk(ids[i]);
    --depth_;
    if (part == nullptr) return nullptr;
    w.kids.push_back(part);
  }
  return keep(std::move(w));
}

const Walk* Compiler::walk_loop(const Node& n) {
  const NodeList c = program_.kids_of(n);
  if ((n.a & (kMaximal | kUntil)) != 0 || !free(c[1])) return nullptr;
  const bool bounded = (n.a & kUnbounded) == 0;
  if (bounded && !free(c[2])) return nullptr;
  ++depth_;
  const Walk* body = walk(c[0]);
  --depth_;
  if (body == nullptr) return nullptr;
  using enum Walk::Kind;
  if (body->kind == sequence && body->kids.size() == 2 && body->kids[0]->kind == go &&
      body->kids[1]->kind == Walk::Kind::at) {
    Walk fused;
    fused.kind = both;
    fused.origin = n.origin;
    fused.c0 = body->kids[0]->c0;
    fused.c1 = body->kids[1]->c0;
    body = keep(std::move(fused));
  }
  Walk w;
  w.kind = loop;
  w.origin = n.origin;
  w.c0 = expr(c[1]);
  w.c1 = bounded ? expr(c[2]) : nullptr;
  w.kids = {body};
  return keep(std::move(w));
}

// ----------------------------------------------------------------------------------------------------
// actions

std::uint32_t Compiler::add(Instruction i) {
  code_.instructions.push_back(i);
  return static_cast<std::uint32_t>(code_.instructions.size() - 1);
}

// An instruction with the node's operands and its children that are values.
Instruction Compiler::simple(Do what, const Node& n, std::uint32_t next) {
  Instruction i = blank(what);
  i.a = n.a;
  i.b = n.b;
  i.next = next;
  i.origin = n.origin;
  const NodeList c = program_.kids_of(n);
  const auto value = [&](std::size_t k) {
    return k < c.size() && c[k] != kNoNode && program_.nodes[c[k]].type != Type::action ? expr(c[k])
                                                                                        : nullptr;
  };
  i.c0 = value(0);
  i.c1 = value(1);
  i.c2 = value(2);
  if (i.c0 != nullptr) i.type = i.c0->type;
  return i;
}

std::uint32_t Compiler::action(NodeId id, std::uint32_t next) {
  const auto key =
      std::tuple(id, next, place_.in_reach, place_.in_loop, place_.in_reach ? place_.whole : kNoNode);
  if (const auto found = actions_.find(key); found != actions_.end()) return found->second;
  const Node& n = program_.nodes[id];
  std::uint32_t entry = kNone;
  if (++depth_ > kMaxNesting) {
    Instruction fault = blank(Do::too_deep);
    fault.origin = n.origin;
    fault.next = next;
    entry = add(fault);
  } else {
    entry = build(n, next);
  }
  --depth_;
  actions_[key] = entry;
  return entry;
}

std::uint32_t Compiler::leaf_action(Do what, const Node& n, std::uint32_t next) {
  Instruction i = simple(what, n, next);
  i.keep = place_.in_loop;
  return add(i);
}

std::uint32_t Compiler::build(const Node& n, std::uint32_t next) {
  const NodeList c = program_.kids_of(n);
  note_uses(n);
  const auto one = [&](Do sure, Do many) { return leaf_action(known_.single(c[0]) ? sure : many, n, next); };
  switch (n.op) {
  case Op::sequence: return sequence(c, next);
  case Op::alternatives: return alternatives(n, next);
  case Op::otherwise: return otherwise(n, next);
  case Op::repeat: return repeat(n, next);
  case Op::if_action: return branch(n, next);
  case Op::by_kind_action: return branches(Do::branch_by_kind, n, next);
  case Op::by_player_action: return branches(Do::branch_by_player, n, next);
  case Op::choose: return choose(n, next);
  case Op::choose_some: return leaf_action(Do::choose_some, n, next);
  case Op::each: return each(n, next);
  case Op::most:
  case Op::distinct: return collect(n, next);
  case Op::quietly: return quietly(n, next);
  case Op::from: return one(Do::from_one, Do::from);
  case Op::to: return one(Do::to_one, Do::to);
  case Op::at: return leaf_action(Do::at, n, next);
  case Op::go: return go(n, next);
  case Op::bend: return leaf_action(Do::bend, n, next);
  case Op::let: return leaf_action(Do::let, n, next);
  case Op::require: return leaf_action(Do::require, n, next);
  case Op::lift: return leaf_action(Do::lift, n, next);
  case Op::put: return leaf_action(Do::put, n, next);
  case Op::discard: return leaf_action(Do::discard, n, next);
  case Op::remove: return leaf_action(Do::remove, n, next);
  case Op::drop: return leaf_action(Do::drop, n, next);
  case Op::change: return leaf_action(Do::change, n, next);
  case Op::move_by: return leaf_action(Do::move_by, n, next);
  case Op::set_local: {
    Instruction i = simple(Do::let, n, next);
    i.keep = true; // the value before is another's
    return add(i);
  }
  case Op::set_variable: return leaf_action(Do::set_variable, n, next);
  case Op::set_hand: return leaf_action(Do::set_hand, n, next);
  case Op::pass: return leaf_action(Do::pass, n, next);
  case Op::again: return leaf_action(Do::again, n, next);
  case Op::win: return leaf_action(Do::win, n, next);
  case Op::lose: return leaf_action(Do::lose, n, next);
  case Op::draw: return leaf_action(Do::draw, n, next);
  case Op::say: {
    Instruction i = simple(Do::say, n, next);
    i.items = all(c);
    return add(i);
  }
  default: return leaf_action(Do::never, n, next);
  }
}

std::uint32_t Compiler::sequence(NodeList ids, std::uint32_t next) {
  for (std::size_t i = ids.size(); i > 0; --i) next = action(ids[i - 1], next);
  return next;
}

std::uint32_t Compiler::alternatives(const Node& n, std::uint32_t next) {
  const NodeList c = program_.kids_of(n);
  if (c.empty()) return leaf_action(Do::never, n, next);
  if (c.size() == 1) return action(c[0], next);
  std::vector<std::uint32_t> entries;
  for (const NodeId id : c) entries.push_back(action(id, next));
  Instruction i = simple(Do::alternatives, n, next);
  i.list = static_cast<std::uint32_t>(code_.lists.size());
  code_.lists.push_back(std::move(entries));
  return add(i);
}

std::uint32_t Compiler::block(NodeId id) {
  const std::uint32_t stop = end(Do::block_end);
  return action(id, stop);
}

// Nobody asks whether the last child had an outcome, so it goes straight on.
std::uint32_t Compiler::otherwise(const Node& n, std::uint32_t next) {
  const NodeList c = program_.kids_of(n);
  if (c.empty()) return leaf_action(Do::never, n, next);
  if (c.size() == 1) return action(c[0], next);
  const bool sure = std::all_of(c.begin(), c.end(), [&](NodeId id) { return known_.sure(id); });
  std::vector<std::uint32_t> entries;
  if (sure) {
    for (const NodeId id : c) entries.push_back(block(id));
  } else {
    Instruction mark = blank(Do::otherwise_end);
    mark.next = next;
    const std::uint32_t found = add(mark);
    for (const NodeId id : c.first(c.size() - 1)) entries.push_back(action(id, found));
    entries.push_back(action(c.back(), next));
  }
  Instruction i = simple(sure ? Do::otherwise_sure : Do::otherwise, n, next);
  i.list = static_cast<std::uint32_t>(code_.lists.size());
  code_.lists.push_back(std::move(entries));
  return add(i);
}

std::uint32_t Compiler::branch(const Node& n, std::uint32_t next) {
  const NodeList c = program_.kids_of(n);
  Instruction i = simple(Do::branch, n, next);
  i.body = action(c[1], next);
  i.other = c.size() > 2 && c[2] != kNoNode ? action(c[2], next) : next;
  return add(i);
}

std::uint32_t Compiler::branches(Do what, const Node& n, std::uint32_t next) {
  const NodeList c = program_.kids_of(n);
  std::vector<std::uint32_t> entries;
  for (const NodeId id : c.subspan(1)) entries.push_back(action(id, next));
  Instruction i = simple(what, n, next);
  i.list = static_cast<std::uint32_t>(code_.lists.size());
  code_.lists.push_back(std::move(entries));
  return add(i);
}

std::uint32_t Compiler::frame(std::int32_t index) {
  std::vector<SlotRef> slots;
  if (index >= 0 && at(index) < program_.frames.size())
    for (const std::uint32_t slot : program_.frames[at(index)])
      slots.push_back({static_cast<std::int32_t>(slot), known_.slot_types()[slot]});
  code_.frames.push_back(std::move(slots));
  return static_cast<std::uint32_t>(code_.frames.size() - 1);
}

std::uint32_t Compiler::repeat(const Node& n, std::uint32_t next) {
  const NodeList c = program_.kids_of(n);
  const bool block_body = known_.sure(c[0]);
  const bool one_outcome = block_body && known_.sure(static_cast<NodeId>(&n - program_.nodes.data()));
  Instruction i = simple(one_outcome ? Do::loop_sure : block_body ? Do::loop_block : Do::loop, n, next);
  i.c0 = i.c1;
  i.c1 = (n.a & kUnbounded) != 0 ? nullptr : expr(c[2]);
  i.in_reach = place_.in_reach;
  i.check = (n.a & kUnbounded) != 0 && !known_.never_returns(n);
  i.shared = i.in_reach && place_.whole != kNoNode && &program_.nodes[place_.whole] == &n;
  i.list = frame(n.b);
  const std::uint32_t loop = add(i);
  compile_rounds(loop, n);
  return loop;
}

// The body, and the `until` after it, stand within the repetition: slots may be bound again.
void Compiler::compile_rounds(std::uint32_t loop, const Node& n) {
  const NodeList c = program_.kids_of(n);
  const bool was_in_loop = place_.in_loop;
  place_.in_loop = true;
  std::uint32_t stop = kNone;
  if (code_.instructions[loop].what == Do::loop) {
    Instruction back = blank(Do::loop_end);
    back.other = loop;
    back.origin = n.origin;
    stop = add(back);
  } else {
    stop = end(Do::block_end);
  }
  const std::uint32_t body = action(c[0], stop);
  const Expr* until = (n.a & kUntil) != 0 ? expr(c.back()) : nullptr;
  code_.instructions[loop].body = body;
  code_.instructions[loop].c2 = until;
  place_.in_loop = was_in_loop;
}

std::uint32_t Compiler::choose(const Node& n, std::uint32_t next) { return leaf_action(Do::choose, n, next); }

std::uint32_t Compiler::each(const Node& n, std::uint32_t next) {
  const NodeList c = program_.kids_of(n);
  Instruction i = simple(known_.sure(c[1]) ? Do::each_sure : Do::each_any, n, next);
  if (i.what == Do::each_sure) {
    i.body = block(c[1]);
  } else {
    i.body = action(c[1], end(Do::collect_end));
    i.bound = bound_slots(c[1]);
  }
  return add(i);
}

// Of at most one outcome, it is the greatest and the shortest.
std::uint32_t Compiler::collect(const Node& n, std::uint32_t next) {
  const NodeList c = program_.kids_of(n);
  if (known_.sure(c[0])) return action(c[0], next);
  Instruction i = simple(Do::collect, n, next);
  i.c0 = n.op == Op::most ? expr(c[1]) : nullptr;
  i.list = n.op == Op::distinct ? frame(n.b) : kNone;
  i.body = action(c[0], end(Do::collect_end));
  i.bound = bound_slots(c[0]);
  return add(i);
}

// Slots bound by choices come back by themselves, not by the trail; a collected outcome must bring them
// along.
std::uint32_t Compiler::bound_slots(NodeId id) {
  std::vector<SlotRef> slots;
  gather_bound(id, slots);
  code_.frames.push_back(std::move(slots));
  return static_cast<std::uint32_t>(code_.frames.size() - 1);
}

// The type of such a node is that of what it binds, not `action`.
bool Compiler::binds(const Node& n) {
  return n.op == Op::choose || n.op == Op::choose_some || n.op == Op::let;
}

void Compiler::gather_bound(NodeId id, std::vector<SlotRef>& slots) {
  const Node& n = program_.nodes[id];
  if (depth_ > kMaxNesting) return;
  if (binds(n)) slots.push_back({n.a, known_.slot_types()[at(n.a)]});
  ++depth_;
  for (const NodeId kid : program_.kids_of(n))
    if (kid != kNoNode && (program_.nodes[kid].type == Type::action || binds(program_.nodes[kid])))
      gather_bound(kid, slots);
  --depth_;
}

std::uint32_t Compiler::quietly(const Node& n, std::uint32_t next) {
  Instruction stop = blank(Do::quiet_end);
  stop.next = next;
  Instruction i = simple(Do::quiet, n, next);
  i.body = action(program_.kid(n, 0), add(stop));
  return add(i);
}

// `go` with a test behind it is one instruction: most steps fail there.
std::uint32_t Compiler::go(const Node& n, std::uint32_t next) {
  const NodeId directions = program_.kid(n, 0);
  Instruction i = simple(Do::go, n, next);
  if (known_.single(directions)) i.what = Do::go_one;
  if (program_.nodes[directions].op == Op::directions) {
    i.fan = i.c0->fan;
    i.what = i.what == Do::go_one ? Do::go_fixed : Do::go_fan;
    i.a = code_.fan_sets[i.fan].first();
  }
  if (next != kNone && code_.instructions[next].what == Do::at) {
    i.test = code_.instructions[next].c0;
    i.next = code_.instructions[next].next;
  }
  return add(i);
}

std::uint32_t Compiler::fan(const CellSet& steps) {
  const auto known = std::find(code_.fan_sets.begin(), code_.fan_sets.end(), steps);
  if (known != code_.fan_sets.end()) return static_cast<std::uint32_t>(known - code_.fan_sets.begin());
  Fan f;
  for (int cell = 0; cell < program_.board.cells; ++cell) {
    f.begin.push_back(static_cast<std::uint32_t>(f.hops.size()));
    steps.each([&](int step) {
      const std::int16_t to = program_.board.steps[at(step)].to[at(cell)];
      if (to != kNowhere) f.hops.push_back({to, static_cast<std::int16_t>(step)});
    });
  }
  f.begin.push_back(static_cast<std::uint32_t>(f.hops.size()));
  code_.fans.push_back(std::move(f));
  code_.fan_sets.push_back(steps);
  return static_cast<std::uint32_t>(code_.fans.size() - 1);
}

// ---------------------------------------------------------------------------------------------------- the
// whole

void Compiler::players() {
  const std::uint32_t finish = end(Do::turn_end);
  for (const Player& player : program_.players) {
    PlayerCode p;
    p.turn = player.turn == kNoNode ? end(Do::never) : action(player.turn, finish);
    for (const EndLine& line : player.end) {
      EndRule rule{line.verdict, expr(line.condition), {}, line.origin};
      for (const NodeId id : line.score) rule.score.push_back(expr(id));
      code_.out_by_end |= line.verdict == Verdict::lose && program_.players.size() > 2;
      p.end.push_back(std::move(rule));
    }
    code_.players.push_back(std::move(p));
  }
}

SlotStep Compiler::slot_step(const SlotOp& op) {
  SlotStep s{op.what, op.depth, op.leaf, op.skip, op.step, expr(op.node)};
  if (s.value == nullptr) return s;
  if (s.value->op == Op::owned && s.value->a >= 0) {
    s.source = SlotStep::Source::owner;
    s.index = static_cast<std::uint32_t>(s.value->a);
  } else if (s.value->op == Op::empty) {
    s.source = SlotStep::Source::empty;
  } else if (s.value->op == Op::cells) {
    s.source = SlotStep::Source::constant;
    s.index = s.value->constant;
  }
  return s;
}

// Nothing where a walk can't be taken backwards.
std::optional<SlotCode> Compiler::slots(const SlotPlan& plan) {
  SlotCode code;
  for (const SlotOp& op : plan.ops) {
    code.steps.push_back(slot_step(op));
    if (op.what == SlotOp::What::able && code.steps.back().value->walk == nullptr) return std::nullopt;
  }
  for (const SlotLeaf& leaf : plan.leaves) {
    SlotEnd end;
    if (!leaf.direct) end.entry = block(leaf.action);
    if (leaf.direct && leaf.tail != kNoNode) end.tail = block(leaf.tail);
    end.leaf = leaf;
    code.ends.push_back(std::move(end));
  }
  code.groups = plan.groups;
  code.places = plan.places;
  code.depth = plan.depth;
  code.slot = plan.slot;
  return code;
}

Code Compiler::run(const std::vector<std::optional<SlotPlan>>& plans) {
  code_.slot_types = known_.slot_types();
  players();
  for (std::size_t player = 0; player < plans.size(); ++player)
    if (plans[player]) code_.players[player].slots = slots(*plans[player]);
  return std::move(code_);
}

} // namespace

Code compile(const Program& program, const std::vector<std::optional<SlotPlan>>& plans) {
  return Compiler(program).run(plans);
}

} // namespace boardwright::runtime::machine
