#include "runtime/machine_needs.hpp"

#include "runtime/machine_code.hpp"

#include <algorithm>
#include <iterator>

namespace boardwright::runtime::machine {

namespace {

// Values with more slots than that aren't kept, and keys that would be longer aren't made.
constexpr std::size_t kMaxSlots = 32, kMaxKey = 4096;

void merge(std::vector<std::int32_t>& to, const std::vector<std::int32_t>& from) {
  if (from.empty()) return;
  std::vector<std::int32_t> both;
  std::set_union(to.begin(), to.end(), from.begin(), from.end(), std::back_inserter(both));
  to.swap(both);
}

void leave_out(std::vector<std::int32_t>& from, const std::vector<std::int32_t>& what) {
  std::vector<std::int32_t> left;
  std::set_difference(from.begin(), from.end(), what.begin(), what.end(), std::back_inserter(left));
  from.swap(left);
}

// How many slots a node binds, from operand a on.
std::int32_t bound_by(const Node& n) {
  switch (n.op) {
  case Op::let_value:
  case Op::select:
  case Op::some_where:
  case Op::choose:
  case Op::choose_some:
  case Op::let: return 1;
  case Op::list_for: return n.b;
  default: return 0;
  }
}

// Operations that are made of their children and operands alone.
bool is_plain(Op op) {
  switch (op) {
  case Op::let_value:
  case Op::if_value:
  case Op::by_player:
  case Op::number:
  case Op::add:
  case Op::subtract:
  case Op::multiply:
  case Op::divide:
  case Op::modulo:
  case Op::negate:
  case Op::least:
  case Op::greatest:
  case Op::absolute:
  case Op::count:
  case Op::x_of:
  case Op::y_of:
  case Op::z_of:
  case Op::truth:
  case Op::negation:
  case Op::all_of:
  case Op::any_of:
  case Op::equal:
  case Op::less:
  case Op::at_most:
  case Op::within:
  case Op::member:
  case Op::some:
  case Op::some_where:
  case Op::cells:
  case Op::directions:
  case Op::unite:
  case Op::meet:
  case Op::minus:
  case Op::select:
  case Op::complement:
  case Op::rectangle:
  case Op::box:
  case Op::first:
  case Op::last:
  case Op::union_of:
  case Op::image:
  case Op::reach:
  case Op::file_of:
  case Op::rank_of:
  case Op::cell_numbered:
  case Op::sum:
  case Op::times:
  case Op::opposite:
  case Op::turned:
  case Op::spins:
  case Op::kind:
  case Op::player:
  case Op::range:
  case Op::list:
  case Op::list_for:
  case Op::shift:
  case Op::scale:
  case Op::rotate:
  case Op::reflect:
  // walks
  case Op::sequence:
  case Op::alternatives:
  case Op::otherwise:
  case Op::repeat:
  case Op::if_action:
  case Op::by_player_action:
  case Op::choose:
  case Op::choose_some:
  case Op::to:
  case Op::let:
  case Op::require:
  case Op::say:
  case Op::text:
  case Op::never: return true;
  default: return false;
  }
}

// What the operation itself needs, whatever it is made of.
Needs own_needs(Op op) {
  Needs needs;
  switch (op) {
  case Op::local: break; // its slot
  case Op::here: needs.here = true; break;
  case Op::start: needs.start = true; break;
  case Op::heading: needs.heading = true; break;
  case Op::at:
  case Op::go:
  case Op::bend: needs.here = true; break;
  case Op::owned:
  case Op::empty:
  case Op::kind_cells:
  case Op::height:
  case Op::pieces:
  case Op::kind_at:
  case Op::by_kind:
  case Op::by_kind_action: needs.board = true; break;
  case Op::variable:
  case Op::hand:
  case Op::hand_total: needs.rest = true; break;
  default: needs.unknown = !is_plain(op);
  }
  return needs;
}

using NodeList = std::span<const NodeId>;

bool is_list_type(Type t) {
  return t == Type::numbers || t == Type::sets || t == Type::kinds || t == Type::players;
}

} // namespace

bool is_heavy(Op op) {
  switch (op) {
  case Op::reach:
  case Op::select:
  case Op::union_of:
  case Op::image:
  case Op::list_for:
  case Op::sum:
  case Op::times:
  case Op::spins: return true;
  default: return false;
  }
}

NeedsOf::NeedsOf(const Program& program)
    : program_(program), known_(program.nodes.size()), pure_(program.nodes.size(), -1) {
  note_aliases();
}

void NeedsOf::note_aliases() {
  alias_.assign(program_.slots, -1);
  bound_at_.assign(program_.slots, kNoNode);
  std::vector<bool> bound(program_.slots, false), spoilt(program_.slots, false);
  const auto in_range = [&](std::int32_t slot) { return slot >= 0 && at(slot) < alias_.size(); };
  for (const Node& n : program_.nodes) {
    if (n.op == Op::set_local && in_range(n.a)) spoilt[at(n.a)] = true;
    for (std::int32_t slot = n.a; slot < n.a + bound_by(n); ++slot) {
      if (!in_range(slot)) continue;
      if (bound[at(slot)]) spoilt[at(slot)] = true; // in two places
      bound[at(slot)] = true;
    }
    if (n.op == Op::let_value && in_range(n.a))
      bound_at_[at(n.a)] = static_cast<NodeId>(&n - program_.nodes.data());
    if ((n.op != Op::let && n.op != Op::let_value) || !in_range(n.a)) continue;
    const Node& value = program_.nodes[program_.kid(n, 0)];
    if (value.op == Op::local && in_range(value.a) && value.a != n.a) alias_[at(n.a)] = value.a;
  }
  for (std::size_t slot = 0; slot < alias_.size(); ++slot) {
    if (spoilt[slot]) bound_at_[slot] = kNoNode;
    if (alias_[slot] >= 0 && (spoilt[slot] || spoilt[at(alias_[slot])])) alias_[slot] = -1;
  }
}

// Is it made of operations that neither change the position nor look at another one?
bool NeedsOf::is_pure(NodeId id) {
  if (id == kNoNode) return true;
  if (pure_[id] >= 0) return pure_[id] != 0;
  if (depth_ > kMaxNesting) return false;
  ++depth_;
  const NodeList kids = program_.kids_of(program_.nodes[id]);
  const bool answer = !own_needs(program_.nodes[id].op).unknown &&
                      std::all_of(kids.begin(), kids.end(), [&](NodeId kid) { return is_pure(kid); });
  --depth_;
  pure_[id] = answer ? 1 : 0;
  return answer;
}

NodeId NeedsOf::stands_for(std::int32_t slot) {
  slot = original(slot);
  if (slot < 0 || at(slot) >= bound_at_.size() || bound_at_[at(slot)] == kNoNode) return kNoNode;
  const Node& let = program_.nodes[bound_at_[at(slot)]];
  const NodeId value = program_.kid(let, 0);
  switch (program_.nodes[value].op) {
  case Op::owned:
  case Op::empty:
  case Op::cells:
  case Op::directions:
  case Op::number:
  case Op::kind:
  case Op::player: return is_pure(program_.kid(let, 1)) ? value : kNoNode;
  default: return kNoNode;
  }
}

std::int32_t NeedsOf::original(std::int32_t slot) const {
  for (int i = 0; i < kMaxNesting && slot >= 0 && at(slot) < alias_.size() && alias_[at(slot)] >= 0; ++i)
    slot = alias_[at(slot)];
  return slot;
}

const Needs& NeedsOf::operator()(NodeId id) {
  if (known_[id]) return *known_[id];
  Needs found;
  if (depth_ > kMaxNesting) {
    found.unknown = true;
  } else {
    ++depth_;
    found = find(program_.nodes[id]);
    --depth_;
  }
  if (found.slots.size() > kMaxSlots || found.binds.size() > kMaxSlots) {
    found.unknown = true;
    found.slots.clear();
    found.binds.clear();
  }
  return *(known_[id] = std::move(found));
}

void NeedsOf::add(Needs& to, NodeId id) {
  if (id == kNoNode) return;
  const Needs& from = (*this)(id);
  to.board |= from.board;
  to.rest |= from.rest;
  to.unknown |= from.unknown;
  to.here |= from.here;
  to.start |= from.start;
  to.heading |= from.heading;
  to.heavy |= from.heavy;
  to.lists |= from.lists;
  merge(to.slots, from.slots);
  merge(to.binds, from.binds);
}

Needs NeedsOf::find(const Node& n) {
  if (n.op == Op::local)
    if (const NodeId value = stands_for(n.a); value != kNoNode) return (*this)(value);
  Needs needs = own_needs(n.op);
  needs.heavy = is_heavy(n.op);
  needs.lists = is_list_type(n.type);
  if (n.op == Op::local) needs.slots = {original(n.a)};
  for (const NodeId kid : program_.kids_of(n)) add(needs, kid);
  for (std::int32_t slot = n.a; slot < n.a + bound_by(n); ++slot) merge(needs.binds, {slot});
  leave_out(needs.slots, needs.binds);
  if (n.op != Op::reach) return needs;
  // The walk inside begins with a place and a heading of its own.
  needs.here = needs.heading = false;
  const Needs& sources = (*this)(program_.kid(n, 0));
  needs.here = sources.here;
  needs.heading = sources.heading;
  return needs;
}

std::optional<std::vector<std::int32_t>> NeedsOf::key(NodeId id) {
  Key key;
  std::map<std::int32_t, std::int32_t> bound;
  if (!write(id, key, bound, 0)) return std::nullopt;
  return key;
}

bool NeedsOf::write(NodeId id, Key& key, std::map<std::int32_t, std::int32_t>& bound, int depth) {
  if (id == kNoNode) {
    key.push_back(-1);
    return true;
  }
  if (key.size() > kMaxKey || depth > kMaxNesting) return false;
  const Node& n = program_.nodes[id];
  if (n.op == Op::local)
    if (const NodeId value = stands_for(n.a); value != kNoNode) return write(value, key, bound, depth + 1);
  std::int32_t a = n.a;
  for (std::int32_t slot = n.a; slot < n.a + bound_by(n); ++slot)
    a = bound.try_emplace(slot, -2 - static_cast<std::int32_t>(bound.size())).first->second;
  if (n.op == Op::local) {
    const std::int32_t slot = original(n.a);
    const auto inner = bound.find(slot);
    a = inner == bound.end() ? slot : inner->second;
  }
  const bool compares = n.op == Op::repeat; // b: the slots by which drafts are compared
  key.insert(key.end(), {static_cast<std::int32_t>(n.op), static_cast<std::int32_t>(n.type), a,
                         compares ? 0 : n.b, static_cast<std::int32_t>(n.count)});
  for (const NodeId kid : program_.kids_of(n))
    if (!write(kid, key, bound, depth + 1)) return false;
  return true;
}

} // namespace boardwright::runtime::machine
