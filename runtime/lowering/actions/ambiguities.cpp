// Which moves of a turn are compared, and in what positions.
//
// Of two alternatives that nothing tells apart one is often rare: a pawn can seldom capture in passing. So
// the one that is cheaper to ask about is always compared, and the other only where the first could begin at
// all.
#include "runtime/lowering/actions/ambiguities.hpp"
#include "runtime/lowering/actions/actions.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

// Names that the argument knows have no registers.
std::optional<unambiguity::TakenWalk> taken_walk(Context& cx, const Todo* todo, AbstractDraft d) {
  for (auto& [slot, v] : d.locals) {
    if (v.is(Kind::number)) v.reg = cx.e.number_constant(v.reg);
    if (v.is(Kind::set)) v.reg = cx.no_cells;
  }
  d.here = make_cell(static_cast<Reg>(cx.layout.draft_numbers), cx.facts.all_contents());
  unambiguity::TakenWalk taken;
  if (!taken_as_set(cx, todo, d, taken.rest)) return std::nullopt;
  std::vector<std::int32_t> slots;
  const Todo* end = nullptr;
  taken.as = walk_up_to(cx, todo, taken.rest, walk_ahead(cx, todo, d, end, slots, true).empty());
  return taken;
}

// Goes on if an alternative can't begin, else perhaps to the label. False: nothing is known of it.
bool jump_if_begins(Context& cx, NodeId alternative, const Todo* next, Label begins, AbstractDraft d) {
  if (!is_on(Idiom::ambiguities)) return false;
  Actions parts;
  cx.facts.flatten(alternative, parts);
  const std::size_t k = unambiguity::first_that_matters(parts, cx.facts);
  if (k == parts.size() || (cx.node(parts[k]).op != Op::from && cx.node(parts[k]).op != Op::to)) return false;
  const Label not_at_all = cx.e.label();
  {
    const Emitter::Scope scope(cx.e);
    for (std::size_t i = 0; i < k; ++i) {
      const Node& n = cx.node(parts[i]);
      if (n.op != Op::require && n.op != Op::let) return false;
      if (!cx.facts.harmless(cx.kid(parts[i], 0)) || cx.facts.is_changed(n.op == Op::let ? n.a : -1))
        return false;
      if (n.op == Op::let)
        let(cx, parts[i], d);
      else
        jump(cx, cx.kid(parts[i], 0), false, not_at_all, d);
    }
    if (!cx.facts.harmless(cx.kid(parts[k], 0))) return false;
    for (std::size_t i = k + 1; i < parts.size() && cx.node(parts[i]).op == Op::require; ++i) {
      const NodeId condition = cx.kid(parts[i], 0);
      if (reads_walker(cx, condition) || !cx.facts.harmless(condition) ||
          cx.facts.contains(condition, Op::local))
        break;
      jump(cx, condition, false, not_at_all, d);
    }
    const Reg from = set(cx, cx.kid(parts[k], 0), d);
    std::vector<Todo> chain(parts.size() - k - 1);
    for (std::size_t m = chain.size(); m-- > 0;)
      chain[m] = {parts[k + 1 + m], m + 1 < chain.size() ? &chain[m + 1] : next, nullptr};
    const Reg able = could_begin(cx, chain.empty() ? next : chain.data(), d, false);
    cx.e.emit(Ir::if_meet, 0, from, able, 0, begins);
  }
  cx.e.place(not_at_all);
  return true;
}

// How seldom an alternative can begin, as it looks: what asks for names or variables seldom can, what asks
// for pieces alone often.
int rarity(const Context& cx, NodeId alternative) {
  Actions parts;
  cx.facts.flatten(alternative, parts);
  const auto is_bound = [&cx](NodeId id) {
    return cx.facts.contains(id, OperationSet(Op::variable, Op::local));
  };
  const std::size_t k = unambiguity::first_that_matters(parts, cx.facts);
  for (std::size_t i = 0; i <= k && i < parts.size(); ++i)
    if (cx.node(parts[i]).op != Op::let && cx.node(parts[i]).count > 0 && is_bound(cx.kid(parts[i], 0)))
      return 0;
  for (std::size_t i = k + 1; i < parts.size(); ++i)
    if (cx.node(parts[i]).op == Op::at && is_bound(cx.kid(parts[i], 0))) return 1;
  return 2;
}

} // namespace

// If all moves of a player must be compared, or those of whole branches, it is tried with alternatives apart.
void find_ambiguities(Context& cx, int p) {
  const auto ask = [&] {
    Emitter::Attempt attempt(cx.e);
    const auto takes = [&cx](const Todo* todo, const AbstractDraft& d) { return taken_walk(cx, todo, d); };
    unambiguity::Ambiguities found =
        unambiguity::ambiguities_of(p, cx.program.players[at(p)].turn, cx.facts, takes);
    attempt.give_up();
    return found;
  };
  cx.comparison.ambiguities = ask();
  NodeId& turn = cx.program.players[at(p)].turn;
  const NodeId other = cx.comparison.ambiguities.all || !cx.comparison.ambiguities.branches.empty()
                           ? unambiguity::alternatives_apart(turn, cx.program, cx.facts)
                           : turn;
  if (other == turn) return;
  const NodeId before = std::exchange(turn, other);
  unambiguity::Ambiguities apart = ask();
  if (!apart.all &&
      (cx.comparison.ambiguities.all || apart.branches.size() < cx.comparison.ambiguities.branches.size()))
    cx.comparison.ambiguities = std::move(apart);
  else
    turn = before;
}

Comparing comparing(Context& cx, const Todo* alternatives, const AbstractDraft& d) {
  Comparing c;
  const NodeId id = alternatives->action;
  const auto known = cx.comparison.ambiguities.alike.find(id);
  if (known == cx.comparison.ambiguities.alike.end()) return c;
  std::vector<std::tuple<int, std::size_t, std::uint32_t>> costs; // of asking whether it could begin
  const std::uint32_t ways = cx.node(id).count;
  constexpr std::size_t kUnknown = kMaxInstructions;
  for (std::uint32_t i = 0; i < ways; ++i) {
    Emitter::Attempt attempt(cx.e);
    const std::size_t begin = cx.e.here();
    const bool asked = jump_if_begins(cx, cx.kid(id, i), alternatives->next, cx.e.label(), d);
    costs.emplace_back(asked ? rarity(cx, cx.kid(id, i)) : 3, asked ? cx.e.here() - begin : kUnknown, i);
    attempt.give_up();
    if (known->second.count({i, i}) != 0) c.always.insert(cx.kid(id, i));
  }
  std::sort(costs.begin(), costs.end());
  const auto alike = [&](std::uint32_t i, std::uint32_t k) {
    return known->second.count({std::min(i, k), std::max(i, k)}) != 0;
  };
  std::vector<std::uint32_t> rare;
  for (const auto& [rank, cost, i] : costs) {
    bool asked = false;
    for (std::uint32_t k = 0; k < ways; ++k) {
      if (i == k || !alike(i, k) || c.always.count(cx.kid(id, k)) != 0) continue;
      asked = true;
      (cost == kUnknown ? c.always : c.sometimes).insert(cx.kid(id, k));
    }
    if (!asked) continue;
    c.always.insert(cx.kid(id, i));
    if (cost != kUnknown) rare.push_back(i);
  }
  for (const NodeId k : c.always) c.sometimes.erase(k);
  if (c.sometimes.empty()) {
    begin_comparing(cx);
    return c;
  }
  c.is_ambiguous = cx.e.new_number();
  const Label past = cx.e.label(), begins = cx.e.label();
  {
    const Emitter::Scope scope(cx.e);
    for (const std::uint32_t i : rare) jump_if_begins(cx, cx.kid(id, i), alternatives->next, begins, d);
  }
  cx.e.emit(Ir::constant, c.is_ambiguous, 0, 0, 0, 0);
  if (c.always.size() > rare.size()) begin_comparing(cx); // moves of some are compared in any case
  cx.e.go(past);
  cx.e.place(begins);
  begin_comparing(cx);
  cx.e.emit(Ir::constant, c.is_ambiguous, 0, 0, 0, 1);
  cx.e.place(past);
  return c;
}

void begin_comparing(Context& cx) { cx.e.emit(Ir::compare, cx.layout.full, cx.layout.full); }

} // namespace boardwright::runtime::lowering
