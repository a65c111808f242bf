// Which moves of a turn are compared, and in what positions.
//
// Of two alternatives that nothing tells apart one is often rare: a pawn can seldom capture in passing. So
// the one that is cheaper to ask about is always compared, and the other only where the first could begin at
// all.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// Names that the argument knows have no registers.
std::optional<uniqueness::TakenWalk> Lowering::taken_walk(const Todo* todo, Draft d) {
  for (auto& [slot, v] : d.locals) {
    if (v.is(Kind::number)) v.reg = e_.number_constant(v.reg);
    if (v.is(Kind::set)) v.reg = none_;
  }
  d.here = make_cell(static_cast<Reg>(layout_.draft_numbers), all_contents());
  uniqueness::TakenWalk taken;
  if (!taken_as_set(todo, d, taken.rest)) return std::nullopt;
  std::vector<std::int32_t> slots;
  const Todo* end = nullptr;
  taken.as = walk_up_to(todo, taken.rest, walk_ahead(todo, d, end, slots, true).empty());
  return taken;
}

// If all moves of a player must be compared, or those of whole branches, it is tried with alternatives apart.
void Lowering::find_doubts(int p) {
  const auto ask = [&] {
    Emitter::Attempt attempt(e_);
    const auto takes = [this](const Todo* todo, const Draft& d) { return taken_walk(todo, d); };
    uniqueness::Doubts found = uniqueness::doubts_of(program_.players[at(p)].turn, *this, takes);
    attempt.give_up();
    return found;
  };
  doubts_ = ask();
  NodeId& turn = program_.players[at(p)].turn;
  const NodeId other =
      doubts_.all || !doubts_.branches.empty() ? uniqueness::alternatives_apart(turn, program_, *this) : turn;
  if (other == turn) return;
  const NodeId before = std::exchange(turn, other);
  uniqueness::Doubts apart = ask();
  if (!apart.all && (doubts_.all || apart.branches.size() < doubts_.branches.size()))
    doubts_ = std::move(apart);
  else
    turn = before;
}

// Goes on if an alternative can't begin, else perhaps to the label. False: nothing is known of it.
bool Lowering::jump_if_begins(NodeId alternative, const Todo* next, Label begins, Draft d) {
  if (!is_on(Form::doubts)) return false;
  Steps parts;
  flatten(alternative, parts);
  const std::size_t k = uniqueness::first_that_matters(parts, *this);
  if (k == parts.size() || (node(parts[k]).op != Op::from && node(parts[k]).op != Op::to)) return false;
  const Label not_at_all = e_.label();
  {
    const Emitter::Scope scope(e_);
    for (std::size_t i = 0; i < k; ++i) {
      const Node& n = node(parts[i]);
      if (n.op != Op::require && n.op != Op::let) return false;
      if (!harmless(kid(parts[i], 0)) || is_changed(n.op == Op::let ? n.a : -1)) return false;
      if (n.op == Op::let)
        let(parts[i], d);
      else
        jump(kid(parts[i], 0), false, not_at_all, d);
    }
    if (!harmless(kid(parts[k], 0))) return false;
    for (std::size_t i = k + 1; i < parts.size() && node(parts[i]).op == Op::require; ++i) {
      const NodeId condition = kid(parts[i], 0);
      if (reads_walker(condition) || !harmless(condition) || contains(condition, Op::local)) break;
      jump(condition, false, not_at_all, d);
    }
    const Reg from = set(kid(parts[k], 0), d);
    std::vector<Todo> chain(parts.size() - k - 1);
    for (std::size_t m = chain.size(); m-- > 0;)
      chain[m] = {parts[k + 1 + m], m + 1 < chain.size() ? &chain[m + 1] : next, nullptr};
    const Reg able = could_begin(chain.empty() ? next : chain.data(), d, false);
    e_.emit(Ir::if_meet, 0, from, able, 0, begins);
  }
  e_.place(not_at_all);
  return true;
}

// How seldom an alternative can begin, as it looks: what asks for names or variables seldom can, what asks
// for pieces alone often.
int Lowering::rarity(NodeId alternative) const {
  Steps parts;
  flatten(alternative, parts);
  const auto is_bound = [this](NodeId id) { return contains(id, Op::variable) || contains(id, Op::local); };
  const std::size_t k = uniqueness::first_that_matters(parts, *this);
  for (std::size_t i = 0; i <= k && i < parts.size(); ++i)
    if (node(parts[i]).op != Op::let && node(parts[i]).count > 0 && is_bound(kid(parts[i], 0))) return 0;
  for (std::size_t i = k + 1; i < parts.size(); ++i)
    if (node(parts[i]).op == Op::at && is_bound(kid(parts[i], 0))) return 1;
  return 2;
}

// Which alternatives are compared always, and which if the number `doubt` isn't 0?
Lowering::Comparing Lowering::comparing(const Todo* alternatives, const Draft& d) {
  Comparing c;
  const NodeId id = alternatives->action;
  const auto known = doubts_.alike.find(id);
  if (known == doubts_.alike.end()) return c;
  std::vector<std::tuple<int, std::size_t, std::uint32_t>> costs; // of asking whether it could begin
  const std::uint32_t ways = node(id).count;
  constexpr std::size_t kUnknown = kMaxInstructions;
  for (std::uint32_t i = 0; i < ways; ++i) {
    Emitter::Attempt attempt(e_);
    const std::size_t begin = e_.here();
    const bool asked = jump_if_begins(kid(id, i), alternatives->next, e_.label(), d);
    costs.emplace_back(asked ? rarity(kid(id, i)) : 3, asked ? e_.here() - begin : kUnknown, i);
    attempt.give_up();
    if (known->second.count({i, i}) != 0) c.always.insert(kid(id, i));
  }
  std::sort(costs.begin(), costs.end());
  const auto alike = [&](std::uint32_t i, std::uint32_t k) {
    return known->second.count({std::min(i, k), std::max(i, k)}) != 0;
  };
  std::vector<std::uint32_t> rare;
  for (const auto& [rank, cost, i] : costs) {
    bool asked = false;
    for (std::uint32_t k = 0; k < ways; ++k) {
      if (i == k || !alike(i, k) || c.always.count(kid(id, k)) != 0) continue;
      asked = true;
      (cost == kUnknown ? c.always : c.sometimes).insert(kid(id, k));
    }
    if (!asked) continue;
    c.always.insert(kid(id, i));
    if (cost != kUnknown) rare.push_back(i);
  }
  for (const NodeId k : c.always) c.sometimes.erase(k);
  if (c.sometimes.empty()) {
    begin_comparing();
    return c;
  }
  c.doubt = e_.new_number();
  const Label past = e_.label(), begins = e_.label();
  {
    const Emitter::Scope scope(e_);
    for (const std::uint32_t i : rare) jump_if_begins(kid(id, i), alternatives->next, begins, d);
  }
  e_.emit(Ir::constant, c.doubt, 0, 0, 0, 0);
  if (c.always.size() > rare.size()) begin_comparing(); // moves of some are compared in any case
  e_.go(past);
  e_.place(begins);
  begin_comparing();
  e_.emit(Ir::constant, c.doubt, 0, 0, 0, 1);
  e_.place(past);
  return c;
}

} // namespace boardwright::runtime::lowering
