// What is known of a draft.
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/context.hpp"

namespace boardwright::runtime::lowering {

Contents on(const Context& cx, const AbstractDraft& d, Reg cell) {
  const auto known = d.there.find(cell);
  return known == d.there.end() ? cx.facts.all_contents() : known->second;
}

void forget_contents(const Context& cx, AbstractDraft& d) {
  d.there.clear();
  for (auto& [slot, v] : d.locals) v.contents = cx.facts.all_contents();
  d.here.contents = d.start.contents = cx.facts.all_contents();
}

std::optional<std::int32_t> known_number(const Context& cx, NodeId id, const AbstractDraft& d) {
  const Node& n = cx.node(id);
  if (n.op == Op::number || n.op == Op::kind || n.op == Op::player) return n.a;
  if (n.op != Op::local || cx.changed_locals.count(n.a) != 0) return std::nullopt;
  const auto known = d.locals.find(n.a);
  if (known == d.locals.end() || !known->second.is(AbstractValue::Kind::number)) return std::nullopt;
  return cx.e.known_number(known->second.reg);
}

std::optional<bool> constant_truth(const Context& cx, NodeId id, const AbstractDraft& d) {
  const Node& n = cx.node(id);
  const auto of = [&](std::uint32_t k) { return known_number(cx, cx.program.kid(n, k), d); };
  switch (n.op) {
  case Op::truth: return n.a != 0;
  case Op::negation: {
    const auto always = constant_truth(cx, cx.program.kid(n, 0), d);
    return always ? std::optional(!*always) : std::nullopt;
  }
  case Op::equal:
  case Op::less:
  case Op::at_most: {
    const auto a = of(0), b = of(1);
    if (!a || !b) return std::nullopt;
    return n.op == Op::equal ? *a == *b : n.op == Op::less ? *a < *b : *a <= *b;
  }
  default: return std::nullopt;
  }
}

void record(AbstractDraft& d, std::int32_t constant) {
  if (d.recorded && !d.deferred) d.choices.push_back({ir::Choice::From::constant, constant, -1});
}

void record(const Context& cx, AbstractDraft& d, Reg number) {
  if (!d.recorded || d.deferred) return;
  if (const auto known = cx.e.known_number(number)) return record(d, *known);
  d.choices.push_back({ir::Choice::From::number, number, -1});
}

bool lies_in(const Context& cx, Reg cell, Reg set, const AbstractDraft& d) {
  const Contents there = on(cx, d, cell);
  if (set >= cx.players()) return false;
  for (int code = 0; code < 256; ++code)
    if (there.test(at(code)) &&
        (code == 0 || cx.facts.pieces().of_code[at(code)].owner != static_cast<int>(set)))
      return false;
  return true;
}

} // namespace boardwright::runtime::lowering
