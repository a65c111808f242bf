// Program → Code. The one function for others is `compile`, at the end.
#include "runtime/machine_code.hpp"

#include "runtime/machine_needs.hpp"
#include "runtime/program_nodes.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace boardwright::runtime::machine {

namespace {

using NodeList = std::span<const NodeId>;

[[nodiscard]] bool is_list(Type t) {
  return t == Type::numbers || t == Type::sets || t == Type::kinds || t == Type::players;
}

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
  // Does the slot hold one member, or none, whenever it is read?
  [[nodiscard]] bool slot_is_single(std::int32_t slot) const { return slot_single_[at(slot)]; }
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
  void note_singles(const std::vector<bool>& set_again);
  [[nodiscard]] bool binds_one(const Node& value) const;
  void bind_slot(std::int32_t slot, Type type, bool one);
  bool straight(NodeId action, const Node& direction);
  bool fixed_direction(NodeId id);
  [[nodiscard]] const Node* step_of_all(NodeId action, int depth) const;

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
  std::vector<bool> set_again(slot_single_.size(), false);
  for (const Node& n : program_.nodes)
    if (n.op == Op::set_local && at(n.a) < set_again.size()) set_again[at(n.a)] = true;
  for (std::size_t slot = 0; slot < set_again.size(); ++slot)
    if (set_again[slot]) slot_single_[slot] = false;
  note_singles(set_again); // so that none takes such a slot's value for one member
}

// Parameters are bound to values of all sorts, often to each other: so many names deep they are followed.
constexpr int kNamesDeep = 8;

void Analysis::note_singles(const std::vector<bool>& set_again) {
  bool more = true;
  for (int round = 0; more && round < kNamesDeep; ++round) {
    more = false;
    for (const Node& n : program_.nodes) {
      if ((n.op != Op::let && n.op != Op::let_value) || n.a < 0 || at(n.a) >= slot_single_.size()) continue;
      if (slot_single_[at(n.a)] || set_again[at(n.a)] || !binds_one(node(kids(n)[0]))) continue;
      slot_single_[at(n.a)] = more = true;
    }
  }
}

// Has a value of this operation one member, whatever it is made of?
[[nodiscard]] bool names_one(Op op) {
  switch (op) {
  case Op::here:
  case Op::start:
  case Op::heading:
  case Op::first:
  case Op::last:
  case Op::cell_numbered: return true;
  default: return false;
  }
}

bool Analysis::binds_one(const Node& value) const {
  return names_one(value.op) || (value.op == Op::local && slot_single_[at(value.a)]);
}

bool Analysis::find_reads(const Node& n) {
  if (goes_by_walker(n.op)) return true;
  const NodeList c = kids(n);
  if (n.op == Op::reach) return reads_walker(c[0]); // the walk inside begins with a place of its own
  return std::any_of(c.begin(), c.end(), [&](NodeId id) { return reads_walker(id); });
}

bool Analysis::find_single(const Node& n) {
  if (names_one(n.op)) return true;
  const NodeList c = kids(n);
  switch (n.op) {
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

// Actions that bind a name have the type of what they bind.
[[nodiscard]] bool acts(const Node& n) {
  return n.type == Type::action || n.op == Op::let || n.op == Op::choose || n.op == Op::choose_some;
}

// Is every step of the action a `go` in this direction, and the direction the same in all rounds?
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
                       [&](NodeId id) { return !acts(node(id)) || straight(id, direction); });
  }
}

// A round that takes a step in one displacement, and no other step, ends ever farther away.
bool Analysis::never_returns(const Node& loop) {
  const Node* step = step_of_all(kids(loop)[0], 0);
  if (step == nullptr) return false;
  const NodeId direction = kids(*step)[0];
  return fixed_direction(direction) && straight(kids(loop)[0], node(direction));
}

// A step that every outcome of the action has taken, if one is easily found.
const Node* Analysis::step_of_all(NodeId action, int depth) const {
  const Node& n = node(action);
  if (n.op == Op::go) return &n;
  if (n.op != Op::sequence || depth > kMaxNesting) return nullptr;
  for (const NodeId kid : kids(n))
    if (const Node* step = step_of_all(kid, depth + 1); step != nullptr) return step;
  return nullptr;
}

// So many instructions are looked through for a test.
constexpr int kForeseen = 8;

class Compiler {
public:
  explicit Compiler(const Program& program) : program_(program), known_(program), needs_(program) {}
  Code run(const std::vector<TurnPlan>& plans);

private:
  struct Place { // where an action stands
    bool in_reach = false, in_loop = false;
    NodeId whole = kNoNode; // the action of the innermost reach
  };

  // --- values
  const Expr* expr(NodeId id);
  void fill(Expr& e, const Node& n);
  [[gnu::noinline]] bool fill_apart(Expr& e, const Node& n);
  [[gnu::noinline]] void note_members(Expr& e, const Node& n);
  void fill_owned(Expr& e, const Node& n);
  void fill_rectangle(Expr& e, const Node& n);
  void fill_reach(Expr& e, const Node& n);
  void fill_constant(Expr& e, const CellSet& set);
  const std::vector<const Expr*>* all(NodeList ids);
  void note_uses(const Node& n);

  // --- values that are kept
  [[gnu::noinline]] void keep_value(Expr& e, NodeId id);
  std::optional<std::vector<Input>> inputs(const Needs& needs) const;
  [[nodiscard]] std::uint32_t members_of(Type type) const;
  [[nodiscard]] std::optional<Memo> memo_for(const Node& n, const Needs& needs) const;
  [[nodiscard]] std::optional<Memo> memo_for_map(const Needs& needs) const;
  [[nodiscard]] std::optional<Memo> memo_by_content(const Node& n, const Needs& needs) const;
  [[nodiscard]] std::size_t size_of(NodeId id, std::size_t most) const;
  [[nodiscard]] bool are_plain(const std::vector<std::int32_t>& slots) const;
  std::uint32_t next_of(Memo::Kind kind);
  const Prune* prune(NodeId source, NodeId condition, std::int32_t slot);
  const Prune* prune_by(NodeId condition, std::int32_t slot);
  [[nodiscard]] bool is_at_hand(NodeId id, std::int32_t slot) const;

  // --- walks over sets
  const Walk* walk(NodeId id);
  const Walk* walk_kids(Walk::Kind kind, const Node& n, NodeList kids, const Expr* condition);
  const Walk* walk_sequence(NodeList ids);
  const Walk* walk_loop(const Node& n);
  const Walk* keep(Walk w) { return &code_.walks.emplace_back(std::move(w)); }
  bool free(NodeId id) { return !known_.reads_walker(id); }
  const Walk* leaf(Walk::Kind kind, const Node& n);

  static void note_first(Walk& choose);
  [[nodiscard]] bool goes_back(const CellSet& steps) const;
  [[nodiscard]] static bool is_connected_part(const Expr& e, std::int32_t slot);
  void note_parts(Expr& e);
  void note_within(Expr& e, const Node& n);
  void note_pairs(Expr& e);

  // --- actions
  std::uint32_t action(NodeId id, std::uint32_t next);
  std::uint32_t build(NodeId id, std::uint32_t next);
  [[nodiscard]] bool only_writes(NodeId id);
  [[nodiscard]] bool says_only(NodeId id) const;
  std::uint32_t writing(NodeId id, std::uint32_t next);
  std::uint32_t add(Instruction i);
  std::uint32_t end(Do what) { return add(blank(what)); }
  static Instruction blank(Do what) {
    Instruction i;
    i.what = what;
    return i;
  }
  Instruction simple(Do what, const Node& n, std::uint32_t next);
  [[nodiscard]] bool is_name(const Node& let) const;
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
  const Expr* foreseen(std::uint32_t pc, int depth);
  std::uint32_t leaf_action(Do what, const Node& n, std::uint32_t next);
  std::uint32_t block(NodeId id);
  std::uint32_t frame(std::int32_t index);
  std::uint32_t bound_slots(NodeId id);
  [[nodiscard]] static bool binds(const Node& n);
  void gather_bound(NodeId id, std::vector<SlotRef>& slots);
  std::uint32_t fan(const CellSet& steps);

  std::uint32_t players(); // the end of all turns
  std::optional<SlotCode> slots(const SlotPlan& plan);
  SlotStep slot_step(const SlotOp& op);

  const Program& program_;
  Analysis known_;
  NeedsOf needs_;
  std::map<std::vector<std::int32_t>, Memo*> memos_;
  std::size_t memo_entries_ = 0;
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
  if (n.op == Op::local)
    if (const NodeId value = needs_.stands_for(n.a); value != kNoNode) return exprs_[key] = expr(value);
  const bool names =
      n.op == Op::let_value && (needs_.original(n.a) != n.a || needs_.stands_for(n.a) != kNoNode);
  if (names && depth_ <= kMaxNesting) {
    ++depth_;
    const Expr* of = expr(program_.kid(n, 1));
    --depth_;
    return exprs_[key] = of;
  }
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
  if (e.op == Op::never) return &e;
  keep_value(e, id);
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

// Of values in values this is carried out once for each: what needs much of the C++ stack is done apart.
void Compiler::fill(Expr& e, const Node& n) {
  note_uses(n);
  if (fill_apart(e, n)) return;
  const NodeList c = program_.kids_of(n);
  if (!c.empty()) e.c0 = expr(c[0]);
  if (c.size() > 1) e.c1 = expr(c[1]);
  if (c.size() > 2) e.c2 = expr(c[2]);
  e.kids = all(c);
  note_members(e, n);
}

bool Compiler::fill_apart(Expr& e, const Node& n) {
  switch (n.op) {
  case Op::cells: fill_constant(e, program_.cell_sets[at(n.a)]); return true;
  case Op::directions: {
    const StepSet& steps = program_.step_sets[at(n.a)];
    fill_constant(e, steps);
    e.fan = fan(steps);
    return true;
  }
  case Op::owned: fill_owned(e, n); return true;
  case Op::local: e.a = needs_.original(n.a); return true;
  case Op::rectangle: fill_rectangle(e, n); return true;
  case Op::reach: fill_reach(e, n); return true;
  case Op::can: {
    const std::uint32_t found = end(Do::found);
    e.entry = action(program_.kid(n, 0), found);
    return true;
  }
  default: return false;
  }
}

// What is known beforehand of the members that a value goes through.
void Compiler::note_members(Expr& e, const Node& n) {
  const NodeList c = program_.kids_of(n);
  if (n.op == Op::select || n.op == Op::some_where) e.prune = prune(c[0], c[1], n.a);
  if (n.op != Op::list_for) return;
  note_parts(e);
  note_within(e, n);
  if (n.b > 0) e.prune = prune(c[at(1 + n.b)], c[1], n.a + n.b - 1);
  note_pairs(e);
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

// ----------------------------------------------------------------------------------------------------
// values that are kept

// Entries of all tables together, and of one that holds for a position only.
constexpr std::size_t kMostKept = std::size_t{1} << 18, kMostOfPosition = std::size_t{1} << 13;
constexpr std::size_t kMostInputs = 4;

std::uint32_t Compiler::members_of(Type type) const {
  const std::size_t members = type == Type::cells ? at(program_.board.cells) : program_.board.steps.size();
  return static_cast<std::uint32_t>(members + 1);
}

// What the value is made from, apart from the position.
std::optional<std::vector<Input>> Compiler::inputs(const Needs& needs) const {
  std::vector<Input> all;
  for (const std::int32_t slot : needs.slots) {
    const Type type = known_.slot_types()[at(slot)];
    const bool single = known_.slot_is_single(slot) && (type == Type::cells || type == Type::directions);
    all.push_back({Input::From::slot, slot, single ? members_of(type) : 0});
  }
  if (needs.here) all.push_back({Input::From::here, -1, members_of(Type::cells)});
  if (needs.start) all.push_back({Input::From::start, -1, members_of(Type::cells)});
  if (needs.heading) all.push_back({Input::From::heading, -1, members_of(Type::directions)});
  if (all.size() > kMostInputs) return std::nullopt;
  return all;
}

std::optional<Memo> Compiler::memo_for(const Node& n, const Needs& needs) const {
  const bool is_set = n.type == Type::cells || n.type == Type::directions;
  const bool is_list = n.type == Type::sets || n.type == Type::numbers;
  if (needs.unknown || !needs.heavy || (!is_set && !is_list)) return std::nullopt;
  auto from = inputs(needs);
  if (!from) return std::nullopt;
  Memo memo;
  memo.board = needs.board;
  memo.rest = needs.rest;
  const bool of_position = needs.board || needs.rest;
  // Of a position the parts are kept, where they are much work, rather than what is put together from them.
  if (of_position && !is_heavy(n.op) && (is_set || !from->empty())) return std::nullopt;
  std::size_t size = 1;
  for (const Input& input : *from) size *= std::max<std::size_t>(input.size, 1);
  const bool by_members = std::all_of(from->begin(), from->end(), [](const Input& i) { return i.size > 0; });
  if (is_set && by_members && from->size() <= 2 && !from->empty() &&
      size <= (of_position ? kMostOfPosition : kMostKept)) {
    memo.kind = Memo::Kind::table;
    memo.size = static_cast<std::uint32_t>(size);
  } else {
    if (!from->empty() && (is_list || !is_heavy(n.op))) return std::nullopt;
    memo.worth = from->empty();
  }
  memo.inputs = std::move(*from);
  return memo;
}

// How many nodes the value is made of, up to `most`.
std::size_t Compiler::size_of(NodeId id, std::size_t most) const {
  std::size_t size = 1;
  for (const NodeId kid : program_.kids_of(program_.nodes[id]))
    if (kid != kNoNode && size < most) size += size_of(kid, most - size);
  return size;
}

// Are the slots such that what they hold is soon hashed?
bool Compiler::are_plain(const std::vector<std::int32_t>& slots) const {
  return std::all_of(slots.begin(), slots.end(), [&](std::int32_t slot) {
    const Type type = known_.slot_types()[at(slot)];
    return !is_list(type) && type != Type::map;
  });
}

// Work that is less than this is no more than a look for what is kept; so many values are kept by content.
constexpr std::size_t kWorthKeeping = 8;
constexpr std::uint32_t kMostByContent = 32;

// What is made of nothing but one or two slots, whose content comes again and again.
std::optional<Memo> Compiler::memo_by_content(const Node& n, const Needs& needs) const {
  if (n.type != Type::cells && n.type != Type::truth) return std::nullopt;
  if (needs.unknown || needs.board || needs.rest || needs.here || needs.start || needs.heading)
    return std::nullopt;
  if (needs.slots.empty() || needs.slots.size() > 2 || !are_plain(needs.slots)) return std::nullopt;
  const NodeId id = static_cast<NodeId>(&n - program_.nodes.data());
  if (code_.memo_contents >= kMostByContent || size_of(id, kWorthKeeping) < kWorthKeeping)
    return std::nullopt;
  Memo memo;
  memo.kind = Memo::Kind::content;
  memo.inputs = *inputs(needs);
  return memo;
}

// A map that depends on one cell, and nothing else.
std::optional<Memo> Compiler::memo_for_map(const Needs& needs) const {
  if (needs.unknown || needs.board || needs.rest) return std::nullopt;
  auto from = inputs(needs);
  if (!from || from->size() != 1 || from->front().size == 0) return std::nullopt;
  Memo memo;
  memo.kind = Memo::Kind::map;
  memo.size = from->front().size;
  memo.inputs = std::move(*from);
  return memo;
}

std::uint32_t Compiler::next_of(Memo::Kind kind) {
  switch (kind) {
  case Memo::Kind::table: return code_.memo_tables++;
  case Memo::Kind::latest: return code_.memo_latest++;
  case Memo::Kind::text: return code_.memo_texts++;
  case Memo::Kind::content: return code_.memo_contents++;
  case Memo::Kind::map: return code_.memo_maps++;
  }
  return 0;
}

void Compiler::keep_value(Expr& e, NodeId id) {
  const Node& n = program_.nodes[id];
  auto memo = n.type == Type::map ? memo_for_map(needs_(id)) : memo_for(n, needs_(id));
  if (!memo || !memo->worth)
    if (auto by_content = memo_by_content(n, needs_(id))) memo = std::move(by_content);
  if (!memo || memo_entries_ + memo->size > kMostKept) return;
  auto key = needs_.key(id);
  if (!key) return;
  Memo*& shared = memos_[std::move(*key)];
  if (shared == nullptr) {
    memo_entries_ += memo->size;
    memo->index = next_of(memo->kind);
    shared = &code_.memos.emplace_back(std::move(*memo));
  } else {
    shared->worth = true;
  }
  e.memo = shared;
}

// A set that is found at once, the same for all members that the slot takes.
bool Compiler::is_at_hand(NodeId id, std::int32_t slot) const {
  const Node& n = program_.nodes[id];
  const NodeList c = program_.kids_of(n);
  const auto hand = [&](NodeId kid) { return is_at_hand(kid, slot); };
  switch (n.op) {
  case Op::owned:
  case Op::empty:
  case Op::cells:
  case Op::variable: return n.type == Type::cells;
  case Op::local: return n.type == Type::cells && n.a != slot && needs_.original(n.a) != slot;
  case Op::unite:
  case Op::meet:
  case Op::minus:
  case Op::complement: return n.type == Type::cells && std::all_of(c.begin(), c.end(), hand);
  default: return false;
  }
}

const Prune* Compiler::prune(NodeId source, NodeId condition, std::int32_t slot) {
  if (condition == kNoNode || program_.nodes[source].type != Type::cells) return nullptr;
  if (program_.nodes[condition].op != Op::all_of) return prune_by(condition, slot);
  for (const NodeId part : program_.kids_of(program_.nodes[condition]))
    if (const Prune* found = prune_by(part, slot); found != nullptr) return found;
  return nullptr;
}

const Prune* Compiler::prune_by(NodeId condition, std::int32_t slot) {
  const Node& n = program_.nodes[condition];
  if (n.op != Op::within) return nullptr;
  const NodeId part = program_.kid(n, 0), whole = program_.kid(n, 1);
  if (program_.nodes[part].type != Type::cells || !is_at_hand(whole, slot)) return nullptr;
  const Needs& needs = needs_(part);
  if (needs.unknown || needs.board || needs.rest || needs.lists) return nullptr;
  auto from = inputs(needs);
  if (!from || from->size() > 2) return nullptr;
  Prune found{expr(part), expr(whole), slot, std::nullopt, 0};
  bool has_member = false;
  for (const Input& input : *from) {
    if (input.size == 0) return nullptr;
    if (input.from == Input::From::slot && input.slot == slot)
      has_member = true;
    else
      found.other = input;
  }
  if (!has_member || (from->size() == 2 && !found.other)) return nullptr;
  found.index = static_cast<std::uint32_t>(code_.prunes.size());
  return &code_.prunes.emplace_back(found);
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
      if (n.op == Op::choose) note_first(binding);
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

// A set that is found at once, and doesn't depend on the slot.
bool lies_ready(const Expr& e, std::int32_t slot) {
  if (e.op == Op::owned) return e.a >= 0;
  return e.op == Op::empty || e.op == Op::cells || (e.op == Op::local && e.a != slot);
}

// Most walks end before their first step, and most of those can be known by it.
void Compiler::note_first(Walk& choose) {
  if (choose.c0->fan == kNone) return;
  const auto by_slot = [&](const Expr* directions) {
    return directions->op == Op::local && directions->a == choose.slot;
  };
  const Walk* rest = choose.kids[0];
  const Walk* next = nullptr;
  while (rest->kind == Walk::Kind::sequence && !rest->kids.empty()) {
    next = rest->kids.size() > 1 ? rest->kids[1] : nullptr;
    rest = rest->kids[0];
  }
  const Expr* to = nullptr;
  if (rest->kind == Walk::Kind::go && by_slot(rest->c0) && next != nullptr && next->kind == Walk::Kind::at)
    to = next->c0;
  if (rest->kind == Walk::Kind::loop && rest->c0->op == Op::number && rest->c0->a >= 1 &&
      rest->kids[0]->kind == Walk::Kind::both && by_slot(rest->kids[0]->c0))
    to = rest->kids[0]->c1;
  if (to == nullptr) return;
  const Expr* parts[] = {to, to->op == Op::meet ? to->c0 : to, to->op == Op::meet ? to->c1 : to};
  for (const Expr* part : parts)
    if (choose.first == nullptr && lies_ready(*part, choose.slot)) choose.first = part;
}

// Does every step of these lead back by another of them?
bool Compiler::goes_back(const CellSet& steps) const {
  bool all = true;
  steps.each([&](int step) {
    for (int cell = 0; cell < program_.board.cells; ++cell) {
      const int to = program_.board.steps[at(step)].to[at(cell)];
      if (to == kNowhere) continue;
      bool back = false;
      steps.each([&](int other) { back |= program_.board.steps[at(other)].to[at(to)] == cell; });
      all &= back;
    }
  });
  return all;
}

// reach(c & S, (go D, at S)*), c the cell of the slot?
bool Compiler::is_connected_part(const Expr& e, std::int32_t slot) {
  if (e.op != Op::reach || e.walk == nullptr || e.c0->op != Op::meet) return false;
  const auto is_slot = [&](const Expr* c) { return c->op == Op::local && c->a == slot; };
  const Walk& loop = *e.walk;
  if (loop.kind != Walk::Kind::loop || loop.c1 != nullptr || loop.c0->op != Op::number || loop.c0->a != 0)
    return false;
  const Walk& step = *loop.kids[0];
  if (step.kind != Walk::Kind::both || step.c0->fan == kNone || !lies_ready(*step.c1, slot)) return false;
  const Expr* in = is_slot(e.c0->c0) ? e.c0->c1 : is_slot(e.c0->c1) ? e.c0->c0 : nullptr;
  return in != nullptr && in->op == step.c1->op && in->a == step.c1->a && in->constant == step.c1->constant;
}

void Compiler::note_parts(Expr& e) {
  if (e.b != 1 || e.type != Type::sets || (e.c1 != nullptr && (e.c1->op != Op::truth || e.c1->a == 0)))
    return;
  if (!is_connected_part(*e.c0, e.a)) return;
  const Expr& step = *e.c0->walk->kids[0]->c0;
  if (goes_back(code_.fan_sets[step.fan])) e.part_of = e.c0->walk->kids[0]->c1;
}

void Compiler::note_pairs(Expr& e) {
  if (e.b != 2 || (*e.kids)[2]->type != Type::cells || (*e.kids)[3]->type != Type::cells) return;
  if (const Prune* p = e.prune; p != nullptr) {
    const bool by_other = p->other && (p->other->from != Input::From::slot || p->other->slot != e.a);
    if (by_other || !lies_ready(*p->whole, e.a)) return;
  }
  const auto by_first = [&](const Expr& s) {
    return s.memo != nullptr && s.memo->kind == Memo::Kind::table && !s.memo->board && !s.memo->rest &&
           s.memo->inputs.size() == 1 && s.memo->inputs[0].from == Input::From::slot &&
           s.memo->inputs[0].slot == e.a;
  };
  const Expr& source = *(*e.kids)[3];
  PairSource found;
  if (by_first(source)) found.by_first = &source;
  if (source.op == Op::meet && source.memo == nullptr)
    for (const auto& [one, other] : {std::pair(source.c0, source.c1), std::pair(source.c1, source.c0)})
      if (found.by_first == nullptr && by_first(*one) && lies_ready(*other, e.a)) found = {one, other};
  if (found.by_first != nullptr) e.pairs = &code_.pair_sources.emplace_back(found);
}

// `(E for … where E in S)`: E needn't be worked out twice.
void Compiler::note_within(Expr& e, const Node& n) {
  const NodeList c = program_.kids_of(n);
  if (e.type != Type::sets || c[1] == kNoNode || program_.nodes[c[1]].op != Op::within) return;
  const auto member = needs_.key(c[0]), part = needs_.key(program_.kid(program_.nodes[c[1]], 0));
  if (member && part && *member == *part && !needs_(c[0]).unknown) e.within = e.c1->c1;
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
    entry = build(id, next);
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

// Texts of so many actions are kept.
constexpr std::uint32_t kMostTexts = 32;

bool Compiler::says_only(NodeId id) const {
  if (id == kNoNode) return true;
  const Node& n = program_.nodes[id];
  const NodeList c = program_.kids_of(n);
  if (n.op == Op::say) return true;
  return n.op == Op::if_action && depth_ <= kMaxNesting &&
         std::all_of(c.begin() + 1, c.end(),
                     [&](NodeId kid) { return kid == kNoNode || program_.nodes[kid].op == Op::say; });
}

// Is what it writes made of some slots alone?
bool Compiler::only_writes(NodeId id) {
  if (place_.in_reach || code_.memo_texts >= kMostTexts || !says_only(id)) return false;
  const Needs& needs = needs_(id);
  if (needs.unknown || needs.board || needs.rest || needs.here || needs.start || needs.heading) return false;
  return !needs.slots.empty() && needs.slots.size() <= kMostInputs && are_plain(needs.slots);
}

std::uint32_t Compiler::writing(NodeId id, std::uint32_t next) {
  const Node& n = program_.nodes[id];
  Instruction i = simple(Do::say_kept, n, next);
  const std::uint32_t stop = end(Do::block_end);
  i.body = branch(n, stop);
  Memo memo;
  memo.kind = Memo::Kind::text;
  memo.index = next_of(memo.kind);
  memo.inputs = *inputs(needs_(id));
  i.memo = &code_.memos.emplace_back(std::move(memo));
  return add(i);
}

std::uint32_t Compiler::build(NodeId id, std::uint32_t next) {
  const Node& n = program_.nodes[id];
  const NodeList c = program_.kids_of(n);
  note_uses(n);
  const auto one = [&](Do sure, Do many) { return leaf_action(known_.single(c[0]) ? sure : many, n, next); };
  switch (n.op) {
  case Op::sequence: return sequence(c, next);
  case Op::alternatives: return alternatives(n, next);
  case Op::otherwise: return otherwise(n, next);
  case Op::repeat: return repeat(n, next);
  case Op::if_action: return only_writes(id) ? writing(id, next) : branch(n, next);
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
  case Op::let: return is_name(n) ? next : leaf_action(Do::let, n, next);
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

// Is it only another name of a slot, and asked for by that one everywhere?
bool Compiler::is_name(const Node& let) const {
  if (needs_.original(let.a) == let.a || place_.in_reach) return false;
  const auto slot = static_cast<std::uint32_t>(let.a);
  return std::none_of(program_.frames.begin(), program_.frames.end(), [&](const auto& frame) {
    return std::find(frame.begin(), frame.end(), slot) != frame.end();
  });
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

// Is it soon known whether a cell is in the set?
bool is_light(const Expr& e) {
  switch (e.op) {
  case Op::owned: return e.a >= 0;
  case Op::local:
  case Op::cells:
  case Op::empty: return true;
  case Op::unite:
  case Op::meet:
  case Op::minus: return e.memo == nullptr && is_light(*e.c0) && is_light(*e.c1);
  case Op::complement: return e.memo == nullptr && is_light(*e.c0);
  default: return false;
  }
}

// The cells where every way on begins with a test of `here`, with nothing but writing before it: elsewhere
// there is no outcome. Null if that can't be said.
const Expr* Compiler::foreseen(std::uint32_t pc, int depth) {
  if (pc == kNone || depth > kForeseen) return nullptr;
  const Instruction& i = code_.instructions[pc];
  if (i.what == Do::at) return is_light(*i.c0) ? i.c0 : nullptr;
  if (i.what == Do::say || i.what == Do::say_kept) return foreseen(i.next, depth + 1);
  if (i.what != Do::alternatives) return nullptr;
  const Expr* all = nullptr;
  for (const std::uint32_t entry : code_.lists[i.list]) {
    const Expr* one = foreseen(entry, depth + 1);
    if (one == nullptr) return nullptr;
    if (all == nullptr) {
      all = one;
      continue;
    }
    Expr& both = code_.exprs.emplace_back();
    both.op = Op::unite;
    both.type = Type::cells;
    both.origin = i.origin;
    both.c0 = all;
    both.c1 = one;
    all = &both;
  }
  return all;
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
  } else {
    i.test = foreseen(next, 0);
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

std::uint32_t Compiler::players() {
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
  return finish;
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

Code Compiler::run(const std::vector<TurnPlan>& plans) {
  code_.slot_types = known_.slot_types();
  const std::uint32_t finish = players();
  for (std::size_t player = 0; player < plans.size(); ++player) {
    if (!plans[player].slots) continue;
    code_.players[player].slots = slots(*plans[player].slots);
    if (plans[player].rest != kNoNode) code_.players[player].rest = action(plans[player].rest, finish);
  }
  for (Expr& e : code_.exprs)
    if (e.memo != nullptr && !e.memo->worth) e.memo = nullptr;
  return std::move(code_);
}

} // namespace

Code compile(const Program& program, const std::vector<TurnPlan>& plans) {
  return Compiler(program).run(plans);
}

} // namespace boardwright::runtime::machine
