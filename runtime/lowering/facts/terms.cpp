#include "runtime/lowering/facts/terms.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

Terms::Terms(const Program& program, normal::TermStore& store) : rules_(program), store_(store) {
  for (const Node& n : program.nodes) {
    used_.add(n.op);
    if (n.op == Op::set_local) changed_names_.insert(n.a);
  }
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
  count_pieces();
}

// How many pieces of each kind a game begins with, and of which kinds more may come without end.
void Terms::count_pieces() {
  pieces_.assign(rules_.kinds.size(), 0);
  for (const Stack& stack : rules_.initial.cells)
    for (const Piece piece : stack) ++pieces_[at(piece.kind)];
  std::vector<bool> from_hands(rules_.kinds.size(), false);
  for (const auto& slots : rules_.hand_slot)
    for (std::size_t kind = 0; kind < slots.size(); ++kind) {
      if (slots[kind] < 0) continue;
      from_hands[kind] = true;
      pieces_[kind] += rules_.initial.hands[at(slots[kind])];
    }
  for (const Node& n : rules_.nodes) {
    if (n.op != Op::drop) continue;
    const Node& kind = node(rules_.kid(n, 1));
    if (kind.op != Op::kind) // where there are hands it is one of those in them
      laid_down_.any = laid_down_.any || rules_.hands == 0;
    else if (kind.a >= 0 && !from_hands[at(kind.a)]) // to drop no kind is a fault
      laid_down_.named.insert(kind.a);
  }
}

void Terms::flatten(NodeId action, Actions& into) const {
  const Node& n = node(action);
  if (n.op != Op::sequence) return into.push_back(action);
  for (std::uint32_t i = 0; i < n.count; ++i) flatten(rules_.kid(n, i), into);
}

void Terms::flatten_quiet(NodeId id, Actions& into) const {
  const Node& n = node(id);
  if (n.op != Op::sequence && n.op != Op::quietly) return into.push_back(id);
  for (std::uint32_t i = 0; i < n.count; ++i) flatten_quiet(kid(id, i), into);
}

bool Terms::same(NodeId a, NodeId b) const {
  return a == b || (a != kNoNode && b != kNoNode && store_.take(a) == store_.take(b));
}

// One round or none.
bool Terms::is_perhaps(const Node& loop) const {
  const auto number_is = [&](std::uint32_t k, std::int32_t a) {
    const Node& n = node(rules_.kid(loop, k));
    return n.op == Op::number && n.a == a;
  };
  return loop.a == 0 && number_is(1, 0) && number_is(2, 1);
}

bool Terms::contains(NodeId id, const OperationSet& any) const {
  return id != kNoNode && term(id).contains.has_any(any);
}

namespace {

constexpr OperationSet reading(std::uint16_t parts) {
  return OperationSet::where([parts](Op op) { return (own_reads(op) & parts) != 0; });
}

} // namespace

// Of what only one value gives, the heading and the start, others may come to read it, too: they count
// likewise.
bool Terms::contains(NodeId id, Op op) const {
  OperationSet any(op);
  if (op == Op::heading) any.add(reading(kHeading));
  if (op == Op::start) any.add(reading(kStart));
  return contains(id, any);
}

bool Terms::does(NodeId id, const OperationSet& any) const {
  return id != kNoNode && term(id).does.has_any(any);
}

bool Terms::contains_local(NodeId id, std::int32_t slot) const {
  return id != kNoNode && normal::contains(term(id).slots_read, static_cast<std::uint32_t>(slot));
}

bool Terms::contains_variable(NodeId id, std::int32_t variable) const {
  return contains(id, Op::variable) &&
         finds(id, [variable](const Node& n) { return found(n.op == Op::variable && n.a == variable); });
}

// The parts of a draft (Part) that a value or an action goes by. A walk within a value begins anew.
std::uint16_t Terms::reads(NodeId id) const {
  return id == kNoNode ? std::uint16_t{kNoPart} : term(id).reads;
}

// Depends on where the walker is.
bool Terms::reads_walker(NodeId id) const {
  static constexpr OperationSet walker = [] {
    OperationSet any = reading(kStart | kHeading);
    any.add(OperationSet(Op::here, Op::start, Op::heading, Op::carried, Op::can));
    return any;
  }();
  return contains(id, walker);
}

// Does a value depend on where the walker is, or on local names?
bool Terms::reads_draft(NodeId id) const {
  static constexpr OperationSet draft = OperationSet::where([](Op op) {
    return one_of(op, Op::local, Op::can, Op::changed) ||
           (!is_action(op) && (own_reads(op) & (kWalker | kCarried)) != 0);
  });
  return contains(id, draft);
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
  static constexpr OperationSet pieces =
      OperationSet::where([](Op op) { return group_of(op) == runtime::Group::pieces; });
  return does(id, pieces);
}

// Walks within values begin and end by themselves.
bool Terms::changes_place(NodeId id) const {
  return does(id, OperationSet(Op::from, Op::to, Op::go, Op::bend));
}

// Neither chooses anything nor moves a piece.
bool Terms::only_notes(NodeId id) const {
  constexpr OperationSet notes(Op::sequence, Op::quietly, Op::if_action, Op::say, Op::pass, Op::let,
                               Op::set_local, Op::set_variable, Op::set_hand, Op::require, Op::at, Op::never,
                               Op::change, Op::again, Op::win, Op::lose, Op::draw);
  return id == kNoNode || !term(id).does.has_others_than(notes);
}

bool Terms::decides(NodeId id) const { return does(id, OperationSet(Op::win, Op::lose, Op::draw)); }

bool Terms::writes_text(NodeId id, bool quiet) const {
  return !quiet && id != kNoNode && (term(id).writes & kNotation) != 0;
}

// Does an action write more than what has left?
bool Terms::tells(NodeId id) const { return id != kNoNode && term(id).tells; }

bool Terms::may_leave(NodeId id) const {
  return does(id, OperationSet(Op::remove, Op::move_by, Op::discard, Op::drop, Op::change, Op::put));
}

// Can an action be a fault, as far as its operations tell? All its outcomes must be looked at then, even by
// whoever only asks whether there is one.
bool Terms::may_go_wrong(NodeId id) const {
  static constexpr OperationSet wrong = OperationSet::where([](Op op) {
    const bool may_be_long = one_of(op, Op::range, Op::list_for, Op::choose_some);
    return may_be_long || (about(op).faults & kByOperands) != 0;
  });
  return contains(id, wrong);
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
  if (term(id).never_negative) return true;
  const auto value = node(id).op == Op::local ? values_of_names_.find(node(id).a) : values_of_names_.end();
  return value != values_of_names_.end() && never_negative(value->second);
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

// A kind of which there are few pieces: about as many as a king, a queen or rooks.
bool Terms::is_rare(std::int32_t kind) const {
  constexpr int kMostPieces = 8; // of all players
  const bool more_come = laid_down_.any || laid_down_.named.count(kind) != 0;
  return !more_come && pieces_[at(kind)] <= kMostPieces;
}

// Few cells: one, or those of a rare kind.
bool Terms::is_few(NodeId id) const {
  const Node& n = node(id);
  switch (n.op) {
  case Op::here:
  case Op::start:
  case Op::first:
  case Op::last: return true;
  case Op::kind_cells: return node(rules_.kid(n, 0)).op != Op::kind || is_rare(node(rules_.kid(n, 0)).a);
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
