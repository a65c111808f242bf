// Entry point: plan_slots.
#include "runtime/sprint/slots.hpp"

#include "runtime/model/program_nodes.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime {

namespace {

using Table = std::vector<std::int16_t>; // by the cell where the walker began: where it is

// The actions still to come, innermost first: an action, or the rounds of a repetition from some number on.
struct Rest;
struct Rounds {
  NodeId body = kNoNode;
  std::int32_t done = 0, low = 0, high = 0;
  const Rest* after = nullptr;
};
struct Rest {
  NodeId action = kNoNode;
  const Rest* next = nullptr;
  const Rounds* rounds = nullptr;
};

enum class Origin : std::uint8_t { none, from, to };

struct Known { // what the planner knows of a slot: the value it stands for, or nothing
  std::int32_t slot = 0;
  NodeId value = kNoNode;
  bool of_walker = false; // the value is asked at `where`, and of nowhere else
  std::uint32_t where = 0;
};

struct Test { // the cell at displacement `where` was in `set` before the move
  std::uint32_t where = 0;
  NodeId set = kNoNode;
};

struct Way { // one way through the turn, so far
  Origin origin = Origin::none;
  std::uint32_t depth = 0; // registers in use
  std::uint32_t where = 0; // displacement
  bool lifted = false;
  bool settled = false; // changed in a way that isn't followed: no test may come any more
  bool probe = false;
  bool only = true; // no other way through the turn has branched off from it
  std::vector<Known> known;
  std::vector<Test> tests;
  std::vector<std::uint32_t> changed; // displacements
  std::vector<SlotItem> action;
  std::vector<std::pair<std::uint32_t, Contents>> now; // by displacement: what is there since it was changed
  Contents carried;
  bool direct = true;
  std::int32_t heading = -1;
  std::vector<SlotEffect> effects;
  std::vector<NodeId> tail;           // the part of `action` behind the last effect
  std::vector<std::uint32_t> written; // displacements where something was put or dropped
};

struct Written { // of a leaf: what tells its moves from others'
  Origin origin;
  std::vector<std::uint32_t> places;
  std::vector<Test> tests;
};

// Among displacements: `pass` was written.
constexpr std::uint32_t kPassed = 0xffffffff;

const Contents kEmptyCell(1);

// Ways through a rule multiply, also those that lead to no move: after so many steps the plan is given up.
constexpr int kMaxFollowed = 1 << 14;
// Actions within actions, and actions that wait for the next: what the C++ stack must hold.
constexpr int kMaxFollowDepth = 1000;

// A repetition with a longer bound isn't unrolled.
constexpr std::int32_t kMaxRounds = 16;

class Planner {
public:
  Planner(Program& program, int player) : program_(program), player_(player) {}

  std::optional<SlotPlan> plan() { return plan(program_.players[static_cast<std::size_t>(player_)].turn); }

  std::optional<SlotPlan> plan(NodeId turn) {
    if (!fits() || !plain_names()) return std::nullopt;
    if (turn == kNoNode) return std::nullopt;
    prepare();
    const Rest rest{turn, nullptr};
    begin_group(false);
    if (!follow(&rest, Way{})) return std::nullopt;
    end_group();
    if (plan_.leaves.empty() || !distinct()) return std::nullopt;
    plan_.places = std::move(tables_);
    return std::move(plan_);
  }

  std::optional<SlotPlan> probe(NodeId action, bool rough = false) {
    if (!fits()) return std::nullopt;
    rough_ = rough;
    exact_ = !rough;
    prepare();
    const Rest rest{action, nullptr};
    begin_group(true);
    Way way;
    way.probe = true;
    if (!follow(&rest, std::move(way))) return std::nullopt;
    end_group();
    plan_.places = std::move(tables_);
    return std::move(plan_);
  }

private:
  void prepare() {
    plan_.slot = static_cast<std::int32_t>(program_.slots++);
    // Tells whoever analyses the program that the slot holds a single cell.
    add(Op::choose, Type::cells, {constant_cells(program_.board.all)}, plan_.slot);
    Table here(static_cast<std::size_t>(program_.board.cells));
    for (std::size_t c = 0; c < here.size(); ++c) here[c] = static_cast<std::int16_t>(c);
    tables_.push_back(std::move(here));
  }

  // ---------------------------------------------------------------- the program
  [[nodiscard]] const Node& node(NodeId id) const { return program_.nodes[id]; }
  [[nodiscard]] NodeId kid(NodeId id, std::uint32_t i) const { return program_.kid(program_.nodes[id], i); }

  NodeId add(Op op, Type type, const std::vector<NodeId>& kids, std::int32_t a = 0,
             std::uint32_t origin = 0) {
    return add_node(program_, op, type, kids, a, origin);
  }
  NodeId constant_cells(const CellSet& set) {
    program_.cell_sets.push_back(set);
    return add(Op::cells, Type::cells, {}, static_cast<std::int32_t>(program_.cell_sets.size() - 1));
  }
  NodeId constant_step(int step) {
    program_.step_sets.push_back(StepSet::of(step));
    return add(Op::directions, Type::directions, {},
               static_cast<std::int32_t>(program_.step_sets.size() - 1));
  }
  NodeId cell_slot() { return add(Op::local, Type::cells, {}, plan_.slot); }

  // No stacks, and what may be on a cell can be told.
  [[nodiscard]] bool fits() const {
    return !program_.board.stacks &&
           program_.kinds.size() * static_cast<std::size_t>(program_.player_count() + 1) < Contents().size();
  }

  // Names like a1 or 45: then no cell's name followed by more is another's.
  [[nodiscard]] bool plain_names() const {
    return std::all_of(program_.board.name.begin(), program_.board.name.end(), [](const std::string& name) {
      const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
      const auto is_letter = [](char c) { return c >= 'a' && c <= 'w'; };
      if (name.size() == 2 && is_digit(name[0]) && is_digit(name[1])) return true;
      return name.size() > 1 && is_letter(name[0]) && std::all_of(name.begin() + 1, name.end(), is_digit);
    });
  }

  // ---------------------------------------------------------------- ops and groups
  void begin_group(bool probe) {
    SlotGroup g;
    g.probe = probe;
    g.begin = static_cast<std::uint32_t>(plan_.ops.size());
    plan_.groups.push_back(g);
  }
  void end_group() { plan_.groups.back().end = static_cast<std::uint32_t>(plan_.ops.size()); }

  // Adds an op, follows the rest with it, and closes its part of the ops.
  bool with(SlotOp op, const Rest* rest, Way way) {
    op.depth = way.depth++;
    plan_.depth = std::max(plan_.depth, way.depth);
    const std::size_t place = plan_.ops.size();
    plan_.ops.push_back(op);
    if (!follow(rest, std::move(way))) return false;
    plan_.ops[place].skip = static_cast<std::uint32_t>(plan_.ops.size());
    return plan_.ops.size() < 8 * kMaxSlotLeaves;
  }

  bool keep(NodeId set, const Rest* rest, Way way) {
    way.tests.push_back({way.where, set});
    SlotOp op;
    op.what = SlotOp::What::keep;
    op.node = set;
    return with(op, rest, std::move(way));
  }

  bool leaf(Way way) {
    SlotOp op;
    op.depth = way.depth;
    op.leaf = static_cast<std::uint32_t>(plan_.leaves.size());
    op.skip = static_cast<std::uint32_t>(plan_.ops.size()) + 1;
    plan_.ops.push_back(op);
    if (way.probe) {
      plan_.ops.back().leaf = way.where;
      return true;
    }
    if (way.origin == Origin::none || way.lifted) return false; // what is in the air at the end is no move
    SlotLeaf l;
    l.origin.assign(static_cast<std::size_t>(program_.board.cells), kNowhere);
    const Table& table = tables_[way.where];
    for (std::size_t c = 0; c < table.size(); ++c) {
      if (table[c] == kNowhere) continue;
      auto& origin = l.origin[static_cast<std::size_t>(table[c])];
      if (origin != kNowhere) return false; // two walkers would be one bit
      origin = static_cast<std::int16_t>(c);
    }
    std::vector<NodeId> actions;
    for (const SlotItem& item : way.action) actions.push_back(item.action);
    l.action = add(Op::sequence, Type::action, actions);
    l.items = std::move(way.action);
    l.place = way.where;
    l.direct = way.direct &&
               std::none_of(way.tail.begin(), way.tail.end(), [this](NodeId id) { return reads_slots(id); });
    l.starts = way.origin == Origin::from;
    l.heading = way.heading;
    l.effects = std::move(way.effects);
    if (!way.tail.empty()) l.tail = add(Op::sequence, Type::action, way.tail);
    plan_.leaves.push_back(std::move(l));
    written_.push_back({way.origin, std::move(way.written), std::move(way.tests)});
    return plan_.leaves.size() <= kMaxSlotLeaves;
  }

  [[nodiscard]] bool reads_slots(NodeId id) const {
    const Node& n = node(id);
    if (n.op == Op::local || n.op == Op::set_local) return true;
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (reads_slots(program_.kid(n, i))) return true;
    return false;
  }

  // ---------------------------------------------------------------- displacements
  // The displacement after one more step; -1 if it leads nowhere from everywhere.
  std::int64_t stepped(std::uint32_t where, int step) {
    const auto& to = program_.board.steps[static_cast<std::size_t>(step)].to;
    Table t = tables_[where];
    bool anywhere = false;
    for (auto& c : t) {
      if (c != kNowhere) c = to[static_cast<std::size_t>(c)];
      anywhere = anywhere || c != kNowhere;
    }
    if (!anywhere) return -1;
    const auto known = std::find(tables_.begin(), tables_.end(), t);
    if (known != tables_.end()) return known - tables_.begin();
    tables_.push_back(std::move(t));
    return static_cast<std::int64_t>(tables_.size()) - 1;
  }

  // May the cell where the walker is have changed on the way? Over holes two displacements can meet in some
  // places.
  [[nodiscard]] bool may_have_changed(const Way& way) const {
    return std::any_of(way.changed.begin(), way.changed.end(),
                       [&](std::uint32_t other) { return meet(way.where, other); });
  }
  [[nodiscard]] bool meet(std::uint32_t a, std::uint32_t b) const {
    const Table &here = tables_[a], &there = tables_[b];
    for (std::size_t c = 0; c < here.size(); ++c)
      if (here[c] != kNowhere && here[c] == there[c]) return true;
    return false;
  }

  // ---------------------------------------------------------------- values
  [[nodiscard]] static NodeId known(const Way& way, std::int32_t slot) {
    for (auto k = way.known.rbegin(); k != way.known.rend(); ++k)
      if (k->slot == slot) return k->of_walker ? kNoNode : k->value;
    return kNoNode;
  }

  // A set whose members are told by what is on the cell alone, with its slots put in; or kNoNode.
  NodeId cellwise(NodeId id, const Way& way) {
    const Node n = node(id);
    switch (n.op) {
    case Op::owned:
    case Op::empty:
    case Op::cells: return id;
    case Op::kind_cells: return node(kid(id, 0)).op == Op::kind ? id : kNoNode;
    case Op::local: return known(way, n.a);
    case Op::unite:
    case Op::meet:
    case Op::minus:
    case Op::complement: {
      std::vector<NodeId> kids;
      for (std::uint32_t i = 0; i < n.count; ++i) {
        kids.push_back(cellwise(kid(id, i), way));
        if (kids.back() == kNoNode) return kNoNode;
      }
      return add(n.op, n.type, kids, n.a, n.origin);
    }
    default: return kNoNode;
    }
  }

  // Reads neither the walker nor a slot of outside nor the turn's beginning: the same wherever it is asked
  // before any change.
  [[nodiscard]] bool free_of_walker(NodeId id) const {
    std::vector<std::int32_t> bound;
    note_bound(id, bound);
    return free_of_walker(id, bound);
  }

  // Every binding place has a slot of its own.
  void note_bound(NodeId id, std::vector<std::int32_t>& bound) const {
    const Node& n = node(id);
    const bool binds = n.op == Op::let_value || n.op == Op::let || n.op == Op::choose || n.op == Op::select ||
                       n.op == Op::some_where;
    if (binds) bound.push_back(n.a);
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (program_.kid(n, i) != kNoNode) note_bound(program_.kid(n, i), bound);
  }

  [[nodiscard]] bool free_of_walker(NodeId id, const std::vector<std::int32_t>& bound) const {
    const Node& n = node(id);
    switch (n.op) {
    case Op::local:
      if (std::find(bound.begin(), bound.end(), n.a) == bound.end()) return false;
      break;
    case Op::here:
    case Op::start:
    case Op::heading:
    case Op::carried:
    case Op::before:
    case Op::changed:
    case Op::can:
    case Op::no_move:
    case Op::bend:
    case Op::repeats:
    case Op::board_repeats: return false;
    default: break;
    }
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (program_.kid(n, i) != kNoNode && !free_of_walker(program_.kid(n, i), bound)) return false;
    return true;
  }

  // The same cells in every position.
  [[nodiscard]] bool constant(NodeId set) const {
    const Node& n = node(set);
    if (n.op == Op::cells) return true;
    if (n.op != Op::unite && n.op != Op::meet && n.op != Op::minus && n.op != Op::complement) return false;
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (!constant(program_.kid(n, i))) return false;
    return true;
  }

  // The set as it can be asked before the move; kNoNode if it can't.
  NodeId before_move(NodeId set, const Way& way) {
    if (way.settled) return kNoNode;
    if (constant(set)) return set;
    const NodeId plain = may_have_changed(way) ? kNoNode : cellwise(set, way);
    if (plain != kNoNode) return plain;
    return way.changed.empty() && free_of_walker(set) ? set : kNoNode;
  }

  // A value of the walker where it stands: with its slots put in, so that it can be asked for all walkers at
  // once. Slots that are bound inside stay. kNoNode if it reads anything else of the turn.
  NodeId unfolded(NodeId id, std::vector<Known>& known, bool inside) {
    const Node n = node(id);
    switch (n.op) {
    case Op::local:
      for (auto k = known.rbegin(); k != known.rend(); ++k)
        if (k->slot == n.a) return k->value;
      return inside ? id : kNoNode; // bound by the walk itself, or unknown: then the walk can't be compiled
    case Op::let_value: {
      const NodeId value = unfolded(kid(id, 0), known, inside);
      if (value == kNoNode) return kNoNode;
      known.push_back({n.a, value, false, 0});
      const NodeId body = unfolded(kid(id, 1), known, inside);
      known.pop_back();
      return body;
    }
    case Op::start:
    case Op::heading:
    case Op::carried:
    case Op::before:
    case Op::changed:
    case Op::can:
    case Op::no_move:
    case Op::repeats:
    case Op::board_repeats: return kNoNode;
    case Op::here: return id;
    default: break;
    }
    std::vector<NodeId> kids;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      kids.push_back(unfolded(kid(id, i), known, inside || (n.op == Op::reach && i == 1)));
      if (kids.back() == kNoNode) return kNoNode;
    }
    const NodeId copy = add(n.op, n.type, kids, n.a, n.origin);
    program_.nodes[copy].b = n.b;
    return copy;
  }

  // The reach from where the walker is that a value stands for, ready to be asked backwards; kNoNode if it is
  // none.
  NodeId reach_from_here(NodeId id, const Way& way) {
    if (way.settled || !way.changed.empty()) return kNoNode;
    std::vector<Known> known;
    for (const Known& k : way.known)
      if (k.value != kNoNode && (!k.of_walker || k.where == way.where)) known.push_back(k);
    const NodeId value = unfolded(id, known, false);
    if (value == kNoNode || node(value).op != Op::reach || node(kid(value, 0)).op != Op::here) return kNoNode;
    return reads_here(kid(value, 1)) ? kNoNode : value;
  }

  [[nodiscard]] bool reads_here(NodeId id) const {
    const Node& n = node(id);
    if (n.op == Op::here) return true;
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (reads_here(program_.kid(n, i))) return true;
    return false;
  }

  // The steps that a direction value stands for; nothing if that isn't known.
  [[nodiscard]] std::optional<StepSet> steps(NodeId id, const Way& way) const {
    const Node& n = node(id);
    if (n.op == Op::directions) return program_.step_sets[static_cast<std::size_t>(n.a)];
    if (n.op != Op::local) return std::nullopt;
    const NodeId value = known(way, n.a);
    if (value == kNoNode || node(value).op != Op::directions) return std::nullopt;
    return program_.step_sets[static_cast<std::size_t>(node(value).a)];
  }

  [[nodiscard]] std::optional<std::int32_t> number(NodeId id) const {
    if (node(id).op == Op::number) return node(id).a;
    return std::nullopt;
  }

  // ---------------------------------------------------------------- tails
  // Has exactly one outcome, whatever the position, and writes nothing that could make two moves look alike.
  [[nodiscard]] bool always_one(NodeId id, bool lifted) const {
    const Node& n = node(id);
    const auto all = [&](std::uint32_t from) {
      for (std::uint32_t i = from; i < n.count; ++i)
        if (!always_one(program_.kid(n, i), lifted)) return false;
      return true;
    };
    switch (n.op) {
    case Op::sequence: return all(0);
    case Op::if_action:
    case Op::by_kind_action:
    case Op::by_player_action: return all(1);
    case Op::quietly: return all(0);
    case Op::let:
    case Op::set_local:
    case Op::set_variable:
    case Op::remove:
    case Op::again:
    case Op::win:
    case Op::lose:
    case Op::draw: return true;
    case Op::change:
      return n.count < 2 || (node(program_.kid(n, 1)).op == Op::kind && node(program_.kid(n, 1)).a >= 0);
    case Op::put: return lifted && n.count == 0;
    default: return false;
    }
  }

  [[nodiscard]] bool always_one(const Rest* rest, bool lifted) const {
    for (; rest != nullptr; rest = rest->next)
      if (rest->rounds != nullptr || !always_one(rest->action, lifted)) return false;
    return true;
  }

  // ---------------------------------------------------------------- the walk through the rule
  bool follow(const Rest* rest, Way way) {
    if (++followed_ > kMaxFollowed || depth_ == kMaxFollowDepth) return false;
    ++depth_;
    const bool may_stop = rough_ && way.origin != Origin::none;
    const std::size_t ops = plan_.ops.size();
    Way stopped = may_stop ? way : Way{};
    bool good = follow_one(rest, std::move(way));
    --depth_;
    if (good || !may_stop) return good;
    plan_.ops.resize(ops);
    return leaf(std::move(stopped));
  }

  bool follow_one(const Rest* rest, Way way) {
    if (rest == nullptr) return leaf(std::move(way));
    if (rest->rounds != nullptr) return rounds(*rest->rounds, std::move(way));
    const NodeId id = rest->action;
    const Node n = node(id);
    switch (n.op) {
    case Op::sequence: return follow_all(n, 0, rest->next, std::move(way));
    case Op::alternatives:
      way.only = way.only && n.count == 1;
      for (std::uint32_t i = 0; i < n.count; ++i) {
        const Rest branch{program_.kid(n, i), rest->next};
        if (!follow(&branch, way)) return false;
      }
      return true;
    case Op::never: return true;
    case Op::otherwise: return otherwise(n, rest->next, std::move(way));
    case Op::from:
    case Op::to: return place(id, rest->next, std::move(way));
    case Op::at: return at(kid(id, 0), rest->next, std::move(way));
    case Op::go: return go(id, rest->next, std::move(way));
    case Op::choose: return choose(id, rest->next, std::move(way));
    case Op::let: return let(id, rest->next, std::move(way));
    case Op::lift: return lift(id, rest->next, std::move(way));
    case Op::drop: return drop(id, rest->next, std::move(way));
    case Op::require: return require(kid(id, 0), rest->next, std::move(way));
    case Op::repeat: return repeat(id, rest->next, std::move(way));
    case Op::pass: return pass(id, rest->next, std::move(way));
    case Op::most:
    case Op::distinct: { // whether there is an outcome at all doesn't depend on which of them are taken
      if (!way.probe) return false;
      const Rest inner{kid(id, 0), rest->next};
      return follow(&inner, std::move(way));
    }
    case Op::by_kind_action:
      if (!always_one(id, way.lifted)) return by_kind(id, rest->next, std::move(way));
      break;
    case Op::if_action:
      if (!always_one(id, way.lifted)) return branch(id, rest->next, std::move(way));
      break;
    default: break;
    }
    return settle(id, rest->next, std::move(way));
  }

  bool follow_all(const Node& n, std::uint32_t i, const Rest* after, Way way) {
    if (i == n.count) return follow(after, std::move(way));
    // A chain of rests on the C++ stack, from the last action to the first.
    std::vector<Rest> chain(n.count - i);
    for (std::size_t k = chain.size(); k-- > 0;)
      chain[k] = {program_.kids[n.kids + i + k], k + 1 < chain.size() ? &chain[k + 1] : after};
    return follow(chain.data(), std::move(way));
  }

  [[nodiscard]] bool decides(NodeId id) const {
    if (id == kNoNode) return false;
    const Node& n = node(id);
    if (n.op == Op::win || n.op == Op::lose || n.op == Op::draw) return true;
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (decides(program_.kid(n, i))) return true;
    return false;
  }

  // What is left to the leaf's action.
  bool settle(NodeId id, const Rest* rest, Way way) {
    if (!always_one(id, way.lifted)) return false;
    if (way.lifted && decides(id)) return false; // a decided draft puts nothing down any more
    way.action.push_back({id, way.where, {}});
    const Op op = node(id).op;
    const bool at_here = op == Op::put || (op == Op::remove && node(kid(id, 0)).op == Op::here);
    if (at_here && !way.settled)
      way.effects.push_back(
          {op == Op::put ? SlotEffect::What::put : SlotEffect::What::clear, way.where, -1, 0});
    else if (op == Op::put || op == Op::set_local)
      way.direct = false;
    else
      way.tail.push_back(id);
    if (op == Op::put) {
      way.action.back().before = becomes(way, way.carried);
      way.changed.push_back(way.where);
      way.written.push_back(way.where);
      way.lifted = false;
    } else if (op == Op::remove && node(kid(id, 0)).op == Op::here) {
      way.action.back().before = becomes(way, kEmptyCell);
      way.changed.push_back(way.where);
    } else if (op == Op::set_local) {
      way.known.push_back({node(id).a, kNoNode});
    } else {
      way.settled = true;
    }
    return follow(rest, std::move(way));
  }

  bool place(NodeId id, const Rest* rest, Way way) {
    const NodeId set = before_move(kid(id, 0), way);
    if (way.origin != Origin::none || set == kNoNode) return false;
    way.origin = node(id).op == Op::from ? Origin::from : Origin::to;
    way.action.push_back({add(node(id).op, Type::action, {cell_slot()}, 0, node(id).origin), way.where, {}});
    way.tests.push_back({way.where, set});
    SlotOp op;
    op.what = SlotOp::What::begin;
    op.node = set;
    return with(op, rest, std::move(way));
  }

  // Does the action or value need the place of the walker? Nodes that stand in several places are asked once.
  [[nodiscard]] bool asks_walker(NodeId id) const {
    std::vector<bool> met(program_.nodes.size(), false);
    std::vector<NodeId> open{id};
    while (!open.empty()) {
      const NodeId next = open.back();
      open.pop_back();
      if (next == kNoNode || met[next]) continue;
      met[next] = true;
      const Node& n = node(next);
      if (goes_by_walker(n.op)) return true;
      // A walk within a value has a place of its own.
      const std::uint32_t count = n.op == Op::reach ? std::min<std::uint32_t>(n.count, 1) : n.count;
      for (std::uint32_t i = 0; i < count; ++i) open.push_back(program_.kid(n, i));
    }
    return false;
  }

  // One move, wherever it is thought to begin.
  bool pass(NodeId id, const Rest* rest, Way way) {
    if (way.origin != Origin::none || way.settled || way.probe) return false;
    for (const Rest* r = rest; r != nullptr; r = r->next)
      if (asks_walker(r->action)) return false; // who passes is nowhere
    way.origin = Origin::to;
    way.action.push_back({id, way.where, {}});
    way.written.push_back(kPassed);
    SlotOp op;
    op.what = SlotOp::What::begin;
    op.node = constant_cells(CellSet::of(0));
    return with(op, rest, std::move(way));
  }

  bool at(NodeId set, const Rest* rest, Way way) {
    const NodeId asked = before_move(set, way);
    return way.origin != Origin::none && asked != kNoNode && keep(asked, rest, std::move(way));
  }

  bool go(NodeId id, const Rest* rest, Way way) {
    const auto directions = steps(kid(id, 0), way);
    if (way.origin == Origin::none || way.settled || !directions) return false;
    bool good = true;
    directions->each([&](int s) {
      const std::int64_t where = stepped(way.where, s);
      if (!good || where < 0) return;
      Way next = way;
      next.where = static_cast<std::uint32_t>(where);
      next.heading = s;
      next.action.push_back(
          {add(Op::go, Type::action, {constant_step(s)}, 0, node(id).origin), next.where, {}});
      SlotOp op;
      op.what = SlotOp::What::step;
      op.step = s;
      good = with(op, rest, std::move(next));
    });
    return good;
  }

  bool choose(NodeId id, const Rest* rest, Way way) {
    const auto directions = steps(kid(id, 0), way);
    if (!directions || way.settled) return false;
    bool good = true;
    directions->each([&](int s) {
      if (!good) return;
      Way next = way;
      next.only = next.only && directions->count() == 1;
      const NodeId step = constant_step(s);
      next.known.push_back({node(id).a, step});
      next.action.push_back(
          {add(Op::let, Type::directions, {step}, node(id).a, node(id).origin), next.where, {}});
      good = follow(rest, std::move(next));
    });
    return good;
  }

  bool let(NodeId id, const Rest* rest, Way way) {
    const Node n = node(id);
    NodeId value = kNoNode;
    if (n.type == Type::cells && way.changed.empty() && !way.settled) {
      value = cellwise(kid(id, 0), way);
      if (value == kNoNode && free_of_walker(kid(id, 0))) value = kid(id, 0);
    } else if (n.type == Type::cells && !way.settled) {
      value = cellwise(kid(id, 0), way); // asked only of cells that haven't changed, see before_move
    } else if (n.type == Type::directions && node(kid(id, 0)).op == Op::directions) {
      value = kid(id, 0);
    }
    Known k{n.a, value, false, way.where};
    if (value == kNoNode && n.type == Type::cells && way.origin != Origin::none) {
      k.value = node(kid(id, 0)).op == Op::here ? kid(id, 0) : reach_from_here(kid(id, 0), way);
      k.of_walker = k.value != kNoNode;
    }
    way.known.push_back(k);
    way.action.push_back({id, way.where, {}});
    return follow(rest, std::move(way));
  }

  bool lift(NodeId id, const Rest* rest, Way way) {
    if (node(id).count > 0 || way.lifted || way.settled || way.origin == Origin::none ||
        may_have_changed(way))
      return false;
    way.action.push_back({id, way.where, {}});
    way.effects.push_back({SlotEffect::What::lift, way.where, -1, 0});
    way.lifted = true;
    way.carried = becomes(way, kEmptyCell) & ~kEmptyCell;
    way.action.back().before = way.carried;
    const NodeId occupied = add(Op::complement, Type::cells, {add(Op::empty, Type::cells, {})});
    way.changed.push_back(way.where);
    const bool certain = std::any_of(way.tests.begin(), way.tests.end(), [&](const Test& t) {
      return t.where == way.where &&
             (contents_anywhere(t.set) & contents_anywhere(add(Op::empty, Type::cells, {}))).none();
    });
    return certain ? follow(rest, std::move(way)) : keep(occupied, rest, std::move(way));
  }

  bool drop(NodeId id, const Rest* rest, Way way) {
    const Node n = node(id);
    const NodeId kind = kid(id, 1);
    const bool on_here = node(kid(id, 0)).op == Op::here && way.origin != Origin::none;
    const bool known_kind = node(kind).op == Op::kind && node(kind).a >= 0 && n.a != kNatural;
    if (way.settled || n.count > 2 || !on_here || !known_kind) return false;
    const int holder = n.a < 0 ? n.b : n.a;
    if (program_.hand_slot[static_cast<std::size_t>(holder)][static_cast<std::size_t>(node(kind).a)] >= 0)
      return false;
    way.action.push_back({id, way.where, {}});
    way.effects.push_back({SlotEffect::What::drop, way.where, static_cast<std::int8_t>(n.a),
                           static_cast<std::int8_t>(node(kind).a)});
    way.action.back().before = becomes(way, code_of(n.a, node(kind).a));
    way.changed.push_back(way.where);
    way.written.push_back(way.where + 0x10000 * (1 + static_cast<std::uint32_t>(node(kind).a)));
    return follow(rest, std::move(way));
  }

  bool require(NodeId condition, const Rest* rest, Way way) {
    const Node n = node(condition);
    if (way.settled) return false;
    if (n.op == Op::all_of) {
      std::vector<NodeId> each;
      for (std::uint32_t i = 0; i < n.count; ++i)
        each.push_back(add(Op::require, Type::action, {kid(condition, i)}, 0, n.origin));
      const NodeId sequence = add(Op::sequence, Type::action, each);
      const Rest all{sequence, rest};
      return follow(&all, std::move(way));
    }
    if (n.op == Op::within && node(kid(condition, 0)).op == Op::here)
      return at(kid(condition, 1), rest, std::move(way));
    const NodeId inner = n.op == Op::negation ? kid(condition, 0) : kNoNode;
    if (inner != kNoNode && node(inner).op == Op::within && node(kid(inner, 0)).op == Op::here)
      return at(add(Op::complement, Type::cells, {kid(inner, 1)}), rest, std::move(way));
    if (way.origin == Origin::none) return false;
    SlotOp op;
    const NodeId reach = n.op == Op::some ? reach_from_here(kid(condition, 0), way) : kNoNode;
    if (reach != kNoNode) {
      op.what = SlotOp::What::able;
      op.node = reach;
      return with(op, rest, std::move(way));
    }
    if (!way.changed.empty() || !free_of_walker(condition)) return false;
    op.what = SlotOp::What::guard;
    op.node = condition;
    return with(op, rest, std::move(way));
  }

  bool by_kind(NodeId id, const Rest* rest, Way way) {
    const Node n = node(id);
    if (node(kid(id, 0)).op != Op::here || way.settled || may_have_changed(way)) return false;
    for (std::uint32_t k = 0; k + 2 < n.count; ++k) {
      const NodeId body = kid(id, k + 1);
      if (node(body).op == Op::never) continue;
      const NodeId kind = add(Op::kind, Type::kind, {}, static_cast<std::int32_t>(k));
      const Rest branch{body, rest};
      if (!keep(add(Op::kind_cells, Type::cells, {kind}), &branch, way)) return false;
    }
    // Where there is no piece the last body counts.
    const NodeId last = kid(id, n.count - 1);
    if (node(last).op == Op::never) return true;
    const Rest branch{last, rest};
    return keep(add(Op::empty, Type::cells, {}), &branch, std::move(way));
  }

  // A branch that goes by where the walker is splits the walkers.
  bool branch(NodeId id, const Rest* rest, Way way) {
    const NodeId condition = kid(id, 0);
    if (node(condition).op != Op::within || node(kid(condition, 0)).op != Op::here) return false;
    const NodeId set = before_move(kid(condition, 1), way);
    if (set == kNoNode) return false;
    const Rest then{kid(id, 1), rest};
    if (!keep(set, &then, way)) return false;
    const NodeId outside = add(Op::complement, Type::cells, {set});
    if (node(id).count < 3) return keep(outside, rest, std::move(way));
    const Rest other{kid(id, 2), rest};
    return keep(outside, &other, std::move(way));
  }

  // ---------------------------------------------------------------- repetition
  bool repeat(NodeId id, const Rest* rest, Way way) {
    const Node n = node(id);
    const auto low = number(kid(id, 1));
    if (!low || way.settled) return false;
    const bool unbounded = (n.a & kUnbounded) != 0;
    if (way.probe && unbounded && *low == 1) {
      // Where every further round is dropped, as it leads back to where one has been, there is no outcome.
      if (exact_ && (n.a & kMaximal) != 0 && !straight(kid(id, 0), way)) return false;
      return first_round(id, rest, std::move(way));
    }
    if ((n.a & (kMaximal | kUntil)) != 0) return false;
    if (!unbounded) {
      const auto high = number(kid(id, 2));
      return high && *high <= kMaxRounds && rounds({kid(id, 0), 0, *low, *high, rest}, std::move(way));
    }
    return straight(kid(id, 0), way) && rounds({kid(id, 0), 0, *low, kMaxCells, rest}, std::move(way));
  }

  // `go d` once and tests, along one direction that isn't a track: it goes on for ever only off the board.
  [[nodiscard]] bool straight(NodeId body, const Way& way) const {
    const Node& n = node(body);
    const auto one_step = [&](NodeId go) {
      const auto s = steps(kid(go, 0), way);
      return s && s->count() == 1 && program_.board.steps[static_cast<std::size_t>(s->first())].track < 0;
    };
    if (n.op == Op::go) return one_step(body);
    if (n.op != Op::sequence) return false;
    int gone = 0;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const NodeId k = program_.kid(n, i);
      if (node(k).op == Op::go && one_step(k))
        ++gone;
      else if (node(k).op != Op::at)
        return false;
    }
    return gone == 1;
  }

  // The rest after each number of rounds from `low` on; ends where a round leads nowhere any more.
  bool rounds(const Rounds& r, Way way) {
    way.only = way.only && (r.done < r.low || r.done >= r.high);
    if (r.done >= r.low && !follow(r.after, way)) return false;
    if (r.done >= r.high) return true;
    const Rounds more{r.body, r.done + 1, r.low, r.high, r.after};
    const Rest after{kNoNode, nullptr, &more};
    const Rest body{r.body, &after};
    return follow(&body, std::move(way));
  }

  // In a probe one round is enough: the rest must then succeed by itself.
  bool first_round(NodeId id, const Rest* rest, Way way) {
    if (!rough_ && !always_one(rest, true)) return false;
    const Rest body{kid(id, 0), nullptr};
    return follow(&body, std::move(way));
  }

  // ---------------------------------------------------------------- priority
  // Groups are the whole turn: what is an alternative to both would be lost where the first has a move.
  bool otherwise(const Node& n, const Rest* rest, Way way) {
    const bool at_root = way.origin == Origin::none && way.action.empty() && !way.probe && way.only;
    if (!at_root || n.count != 2 || !always_one(rest, false) || plan_.groups.size() != 1 ||
        !plan_.ops.empty())
      return false;
    const SlotPlan before = plan_;
    const auto written = written_;
    const Rest first{program_.kid(n, 0), rest};
    if (!follow(&first, way)) {
      plan_ = before;
      written_ = written;
      plan_.groups.back().probe = true;
      Way probe = way;
      probe.probe = true;
      const Rest only{program_.kid(n, 0), nullptr};
      if (!follow(&only, std::move(probe))) return false;
    }
    for (const Rest* r = &first; r != nullptr; r = r->next) plan_.groups.back().actions.push_back(r->action);
    end_group();
    begin_group(false);
    const Rest second{program_.kid(n, 1), rest};
    return follow(&second, std::move(way));
  }

  // ---------------------------------------------------------------- each move once
  // What may be on a cell that is in a set.
  [[nodiscard]] Contents contents(NodeId set, int cell) const {
    const Node& n = node(set);
    const auto sub = [&](std::uint32_t i) { return contents(program_.kid(n, i), cell); };
    switch (n.op) {
    case Op::empty: return Contents(1);
    case Op::owned:
      return pieces([&](int owner, int) {
        switch (static_cast<Owners>(n.a)) {
        case Owners::exactly: return owner == n.b;
        case Owners::others: return owner >= 0 && owner != n.b;
        case Owners::neutral: return owner < 0;
        default: return true;
        }
      });
    case Op::kind_cells: return pieces([&](int, int kind) { return kind == node(program_.kid(n, 0)).a; });
    case Op::cells:
      return program_.cell_sets[static_cast<std::size_t>(n.a)].test(cell) ? ~Contents() : Contents();
    case Op::unite: return sub(0) | sub(1);
    case Op::meet: return sub(0) & sub(1);
    case Op::minus: return exact(set) ? sub(0) & ~sub(1) : sub(0);
    case Op::complement: return exact(set) ? ~sub(0) : ~Contents();
    default: return ~Contents();
    }
  }

  // Is it told by what is on the cell alone?
  [[nodiscard]] bool exact(NodeId set) const {
    const Node& n = node(set);
    switch (n.op) {
    case Op::empty:
    case Op::owned:
    case Op::kind_cells:
    case Op::cells: return true;
    case Op::unite:
    case Op::meet:
    case Op::minus:
    case Op::complement:
      for (std::uint32_t i = 0; i < n.count; ++i)
        if (!exact(program_.kid(n, i))) return false;
      return true;
    default: return false;
    }
  }

  // What may be where the walker is. Over holes two displacements can meet, then nothing is known.
  [[nodiscard]] Contents possible(const Way& way) const {
    if (way.settled) return ~Contents();
    for (auto n = way.now.rbegin(); n != way.now.rend(); ++n) {
      if (n->first == way.where) return n->second;
      if (meet(n->first, way.where)) return ~Contents();
    }
    Contents any;
    for (const std::int16_t cell : tables_[way.where]) {
      if (cell == kNowhere) continue;
      Contents here = ~Contents();
      for (const Test& t : way.tests)
        if (t.where == way.where) here &= contents(t.set, cell);
      any |= here;
    }
    return any;
  }

  // Notes what the walker's cell holds from now on; what it may have held till now.
  Contents becomes(Way& way, const Contents& now) const {
    const Contents before = possible(way);
    way.now.emplace_back(way.where, now);
    return before;
  }

  [[nodiscard]] Contents code_of(int owner, int kind) const {
    Contents c;
    c.set(static_cast<std::size_t>(1 + (owner + 1) * static_cast<int>(program_.kinds.size()) + kind));
    return c;
  }

  template <class F>
  [[nodiscard]] Contents pieces(F&& belongs) const {
    Contents c;
    const int kinds = static_cast<int>(program_.kinds.size());
    for (int owner = -1; owner < program_.player_count(); ++owner)
      for (int kind = 0; kind < kinds; ++kind)
        if (belongs(owner, kind)) c |= code_of(owner, kind);
    return c;
  }

  [[nodiscard]] Contents contents_anywhere(NodeId set) const {
    Contents c;
    for (int cell = 0; cell < program_.board.cells; ++cell) c |= contents(set, cell);
    return c;
  }

  // Do two leaves ask for what can't be on one cell at once?
  [[nodiscard]] bool disjoint(const Written& a, const Written& b) const {
    for (const Test& first : a.tests) {
      for (const Test& second : b.tests) {
        if (first.where != second.where) continue;
        bool apart = true;
        for (int cell = 0; apart && cell < program_.board.cells; ++cell)
          apart = (contents(first.set, cell) & contents(second.set, cell)).none();
        if (apart) return true;
      }
    }
    return false;
  }

  // Puts or drops something elsewhere than where it began.
  [[nodiscard]] static bool strays(const Written& w) {
    return std::any_of(w.places.begin(), w.places.end(),
                       [](std::uint32_t p) { return p != kPassed && (p & 0xffff) != 0; });
  }

  // Two displacements are often the same from some cells: over holes, along tracks, or as one of them can't
  // be gone from everywhere. Can two walkers from one cell write the same?
  [[nodiscard]] bool may_write_alike(const Written& a, const Written& b) const {
    if (a.places == b.places) return true;
    if (a.places.size() != b.places.size()) return false;
    for (std::size_t i = 0; i < a.places.size(); ++i) {
      if ((a.places[i] == kPassed) != (b.places[i] == kPassed)) return false;
      if (a.places[i] >> 16 != b.places[i] >> 16) return false; // kinds that are dropped
    }
    for (std::size_t cell = 0; cell < static_cast<std::size_t>(program_.board.cells); ++cell) {
      bool alike = true;
      for (std::size_t i = 0; alike && i < a.places.size(); ++i) {
        if (a.places[i] == kPassed) continue;
        const std::int16_t one = tables_[a.places[i] & 0xffff][cell],
                           other = tables_[b.places[i] & 0xffff][cell];
        alike = one != kNowhere && one == other;
      }
      if (alike) return true;
    }
    return false;
  }

  [[nodiscard]] bool distinct() const {
    for (std::size_t i = 0; i < written_.size(); ++i) {
      const Written& a = written_[i];
      if (a.places.empty()) return false; // told apart by nothing but where it began
      for (std::size_t k = 0; k < i; ++k) {
        const Written& b = written_[k];
        if (a.origin != b.origin) return false;
        if (group_of(i) != group_of(k)) continue;
        // Where the start isn't written, moves that began elsewhere may look alike, whatever they tested
        // there.
        if (a.origin == Origin::to && (strays(a) || strays(b))) return false;
        if (may_write_alike(a, b) && !disjoint(a, b)) return false;
      }
    }
    return true;
  }

  // The group whose ops hold a leaf.
  [[nodiscard]] std::size_t group_of(std::size_t leaf) const {
    for (std::size_t g = 0; g < plan_.groups.size(); ++g)
      for (std::uint32_t i = plan_.groups[g].begin; i < plan_.groups[g].end; ++i)
        if (plan_.ops[i].what == SlotOp::What::leaf && !plan_.groups[g].probe && plan_.ops[i].leaf == leaf)
          return g;
    return plan_.groups.size();
  }

  Program& program_;
  int player_;
  int followed_ = 0, depth_ = 0;
  bool rough_ = false; // see plan_origins
  bool exact_ = false; // the probe is the answer: nobody lists what it says there is
  SlotPlan plan_;
  std::vector<Table> tables_;
  std::vector<Written> written_; // by leaf
};

} // namespace

std::optional<SlotPlan> plan_slots(Program& program, int player) { return Planner(program, player).plan(); }

std::optional<SlotPlan> plan_action(Program& program, int player, NodeId action) {
  return Planner(program, player).plan(action);
}

std::optional<SlotPlan> plan_probe(Program& program, NodeId action) {
  return Planner(program, 0).probe(action);
}

std::optional<SlotPlan> plan_origins(Program& program, NodeId action) {
  return Planner(program, 0).probe(action, true);
}

} // namespace boardwright::runtime
