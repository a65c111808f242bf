#include "runtime/lowering/facts/terms.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

Terms::Terms(const Program& program) : rules_(program) {
  for (const Node& n : program.nodes)
    if (n.op == Op::set_local) changed_names_.insert(n.a);
  std::set<std::int32_t> several = changed_names_;
  for (const Node& n : program.nodes)
    for (std::int32_t i = 0; i < slots_bound_by(n.op, n.b); ++i) {
      if (n.op != Op::let) {
        several.insert(n.a + i);
        continue;
      }
      const auto [known, fresh] = values_of_names_.try_emplace(n.a, program.kid(n, 0));
      if (!fresh && !same(known->second, program.kid(n, 0))) several.insert(n.a);
    }
  for (const std::int32_t slot : several) values_of_names_.erase(slot);
}

void Terms::flatten(NodeId action, Steps& into) const {
  const Node& n = node(action);
  if (n.op != Op::sequence) return into.push_back(action);
  for (std::uint32_t i = 0; i < n.count; ++i) flatten(rules_.kid(n, i), into);
}

void Terms::flatten_quiet(NodeId id, Steps& into) const {
  const Node& n = node(id);
  if (n.op != Op::sequence && n.op != Op::quietly) return into.push_back(id);
  for (std::uint32_t i = 0; i < n.count; ++i) flatten_quiet(kid(id, i), into);
}

bool Terms::same(NodeId a, NodeId b) const {
  if (a == b) return true;
  if (a == kNoNode || b == kNoNode) return false;
  const Node &x = node(a), &y = node(b);
  if (x.op != y.op || x.a != y.a || x.b != y.b || x.count != y.count || x.type != y.type) return false;
  for (std::uint32_t i = 0; i < x.count; ++i)
    if (!same(rules_.kid(x, i), rules_.kid(y, i))) return false;
  return true;
}

// One round or none.
bool Terms::is_perhaps(const Node& loop) const {
  const auto number_is = [&](std::uint32_t k, std::int32_t a) {
    const Node& n = node(rules_.kid(loop, k));
    return n.op == Op::number && n.a == a;
  };
  return loop.a == 0 && number_is(1, 0) && number_is(2, 1);
}

// Of what only one value gives, the heading and the start, others may come to read it, too: they count
// likewise.
bool Terms::contains(NodeId id, Op op) const {
  const std::uint16_t part = one_of(op, Op::heading, Op::start) ? own_reads(op) : std::uint16_t{kNoPart};
  return finds(id, [=](const Node& n) { return found(n.op == op || (own_reads(n.op) & part) != 0); });
}

// Likewise, but not in values.
bool Terms::contains_action(NodeId id, Op op) const {
  return finds(id, [op](const Node& n) {
    return n.op == op || !is_action(n.op) ? std::optional(n.op == op) : std::nullopt;
  });
}

bool Terms::contains_local(NodeId id, std::int32_t slot) const {
  return finds(id, [slot](const Node& n) { return found(n.op == Op::local && n.a == slot); });
}

bool Terms::contains_variable(NodeId id, std::int32_t variable) const {
  return finds(id, [variable](const Node& n) { return found(n.op == Op::variable && n.a == variable); });
}

bool Terms::uses(Op op) const {
  return std::any_of(rules_.nodes.begin(), rules_.nodes.end(), [op](const Node& n) { return n.op == op; });
}

// The parts of a draft (Part) that a value or an action goes by. A walk within a value begins anew.
std::uint16_t Terms::reads(NodeId id) const {
  if (id == kNoNode) return kNoPart;
  const Node& n = node(id);
  std::uint16_t parts = n.count == 0 ? own_reads(n.op) : own_reads(n.op, node(rules_.kid(n, 0)).type);
  for (std::uint32_t i = 0; i < n.count; ++i) parts |= read_through(n.op, i, reads(rules_.kid(n, i)));
  return parts;
}

// Depends on where the walker is.
bool Terms::reads_walker(NodeId id) const {
  for (const Op op : {Op::here, Op::start, Op::heading, Op::carried, Op::can})
    if (contains(id, op)) return true;
  return false;
}

// Does a value depend on where the walker is, or on local names?
bool Terms::reads_draft(NodeId id) const {
  return finds(id, [](const Node& n) {
    return found(one_of(n.op, Op::local, Op::can, Op::changed) ||
                 (!is_action(n.op) && (own_reads(n.op) & (kWalker | kCarried)) != 0));
  });
}

// A value of the walker, its names and constants alone.
bool Terms::reads_no_state(NodeId id) const {
  return (reads(id) & ~(kHere | kStart | kHeading | kCarried)) == 0;
}

// A value that is the same whatever lies on the board.
bool Terms::reads_no_pieces(NodeId id) const {
  return (reads(id) & ~(kHere | kStart | kHeading | kCarried | kVariables | kGame)) == 0;
}

bool Terms::reads_way(NodeId id, std::int32_t slot) const {
  return contains(id, Op::heading) || (slot >= 0 && contains_local(id, slot)) ||
         // Where drafts are compared the heading counts too.
         contains(id, Op::distinct);
}

// Does anything that may come after ask for the heading, or for a name?
bool Terms::reads_way(const Todo* todo, std::int32_t slot) const {
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

bool Terms::changes_pieces(NodeId id) const {
  return finds(id, [](const Node& n) {
    return !is_action(n.op) ? std::optional(false) : found(group_of(n.op) == runtime::Group::pieces);
  });
}

// Walks within values begin and end by themselves.
bool Terms::changes_place(NodeId id) const {
  for (const Op op : {Op::from, Op::to, Op::go, Op::bend})
    if (contains_action(id, op)) return true;
  return false;
}

// Neither chooses anything nor moves a piece.
bool Terms::only_notes(NodeId id) const {
  const auto is_other = [](const Node& n) -> std::optional<bool> {
    if (!is_action(n.op)) return false; // what it asks
    switch (n.op) {
    case Op::sequence:
    case Op::quietly:
    case Op::if_action: return std::nullopt;
    case Op::say:
    case Op::pass:
    case Op::let:
    case Op::set_local:
    case Op::set_variable:
    case Op::set_hand:
    case Op::require:
    case Op::at:
    case Op::never:
    case Op::change:
    case Op::again:
    case Op::win:
    case Op::lose:
    case Op::draw: return false;
    default: return true;
    }
  };
  return !finds(id, is_other);
}

bool Terms::decides(NodeId id) const {
  return contains_action(id, Op::win) || contains_action(id, Op::lose) || contains_action(id, Op::draw);
}

bool Terms::writes_text(NodeId id, bool quiet) const {
  return !quiet && finds(id, [](const Node& n) {
    return n.op == Op::quietly || !is_action(n.op) ? std::optional(false)
                                                   : found((own_writes(n.op) & kNotation) != 0);
  });
}

// Does an action write more than what has left?
bool Terms::tells(NodeId id) const {
  return finds(id, [](const Node& n) {
    if (n.op == Op::quietly || !is_action(n.op)) return std::optional(false);
    const bool only_leaves = one_of(n.op, Op::remove, Op::move_by, Op::discard) ||
                             (n.op == Op::change && (n.b != 1 || n.count < 2));
    return found(!only_leaves && (own_writes(n.op) & kNotation) != 0);
  });
}

bool Terms::may_leave(NodeId id) const {
  for (const Op op : {Op::remove, Op::move_by, Op::discard, Op::drop, Op::change, Op::put})
    if (contains_action(id, op)) return true;
  return false;
}

// Can an action be a fault, as far as its operations tell? All its outcomes must be looked at then, even by
// whoever only asks whether there is one.
bool Terms::may_go_wrong(NodeId id) const {
  return finds(id, [](const Node& n) {
    const bool may_be_long = one_of(n.op, Op::range, Op::list_for, Op::choose_some);
    return found(may_be_long || (about(n.op).faults & kByOperands) != 0);
  });
}

// The least that a number can be, if that is written there.
std::optional<std::int32_t> Terms::least_of(NodeId range) const {
  const Node& n = node(range);
  if (n.op != Op::range || node(kid(range, 0)).op != Op::number) return std::nullopt;
  return node(kid(range, 0)).a;
}

// No number that is greater comes of it, if that is known.
std::optional<std::int32_t> Terms::greatest_possible(NodeId id) const {
  const Node& n = node(id);
  if (n.op == Op::number) return n.a;
  if (n.op != Op::least) return std::nullopt;
  std::optional<std::int32_t> most;
  for (const NodeId k : rules_.kids_of(n))
    if (const auto m = greatest_possible(k)) most = most ? std::min(*most, *m) : *m;
  return most;
}

bool Terms::never_negative(NodeId id) const {
  const Node& n = node(id);
  const auto kids = rules_.kids_of(n);
  const auto never = [this](NodeId k) { return never_negative(k); };
  if (is_never_negative(n.op)) return true;
  switch (n.op) {
  case Op::number: return n.a >= 0;
  case Op::add:
  case Op::multiply:
  case Op::divide:
  case Op::modulo:
  case Op::least: return std::all_of(kids.begin(), kids.end(), never);
  case Op::greatest: return std::any_of(kids.begin(), kids.end(), never);
  case Op::if_value:
  case Op::by_kind: return std::all_of(kids.begin() + 1, kids.end(), never);
  case Op::local: {
    const auto value = values_of_names_.find(n.a);
    return value != values_of_names_.end() && never_negative(value->second);
  }
  default: return false;
  }
}

// Of a list of few numbers, kinds or players that are known.
std::optional<std::vector<std::int32_t>> Terms::constant_members(NodeId list) const {
  constexpr std::uint32_t kMostMembers = 8; // each is code of its own
  const Node& n = node(list);
  if (n.op != Op::list || n.count > kMostMembers) return std::nullopt;
  std::vector<std::int32_t> members;
  for (std::uint32_t i = 0; i < n.count; ++i) {
    const Node& member = node(rules_.kid(n, i));
    if (member.op != Op::number && member.op != Op::kind && member.op != Op::player) return std::nullopt;
    if (std::find(members.begin(), members.end(), member.a) == members.end()) // a list holds nothing twice
      members.push_back(member.a);
  }
  return members;
}

// A short list of constant sets.
std::optional<std::vector<CellSet>> Terms::constant_list(NodeId id) const {
  constexpr std::uint32_t kMostSets = 12; // each gets code of its own
  const Node& n = node(id);
  if (n.op != Op::list || n.type != Type::sets || n.count > kMostSets) return std::nullopt;
  std::vector<CellSet> all;
  for (std::uint32_t k = 0; k < n.count; ++k) {
    const Node& member = node(rules_.kid(n, k));
    if (member.op != Op::cells) return std::nullopt;
    const CellSet& set = rules_.cell_sets[at(member.a)];
    if (std::find(all.begin(), all.end(), set) == all.end()) all.push_back(set);
  }
  return all;
}

std::vector<NodeId> Terms::parts_of_condition(NodeId condition) const {
  const Node& n = node(condition);
  if (n.op != Op::all_of) return {condition};
  const auto kids = rules_.kids_of(n);
  return {kids.begin(), kids.end()};
}

// Few cells: one, or those of one kind.
bool Terms::is_few(NodeId id) const {
  const Node& n = node(id);
  switch (n.op) {
  case Op::here:
  case Op::start:
  case Op::first:
  case Op::last:
  case Op::kind_cells: return true;
  case Op::cells: return rules_.cell_sets[at(n.a)].count() <= 2;
  case Op::meet: return is_few(rules_.kid(n, 0)) || is_few(rules_.kid(n, 1));
  case Op::minus: return is_few(rules_.kid(n, 0));
  default: return false;
  }
}

// A set that says of each cell by what lies there, or by nothing that changes, whether it is in it.
bool Terms::goes_by_cell(NodeId id) const {
  const Node& n = node(id);
  switch (n.op) {
  case Op::cells:
  case Op::empty:
  case Op::owned: return true;
  case Op::kind_cells: return node(rules_.kid(n, 0)).op == Op::kind;
  case Op::unite:
  case Op::meet:
  case Op::minus: return goes_by_cell(rules_.kid(n, 0)) && goes_by_cell(rules_.kid(n, 1));
  case Op::complement: return goes_by_cell(rules_.kid(n, 0));
  default: return false;
  }
}

} // namespace boardwright::runtime::lowering
