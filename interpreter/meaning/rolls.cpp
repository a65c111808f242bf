// `roll`: a choice of nature's.
#include "interpreter/meaning/rolls.hpp"

#include "interpreter/meaning/elaborator.hpp"

#include <fmt/format.h>

namespace boardwright::interpreter {

using dsl::Ast;

Env Elaborator::unrolled(const Ast& n, Env env) {
  for (const std::string& name : n.names) env = bind(env, name, Ty::error, 0, std::nullopt, true);
  return env;
}

Elaborator::Acted Elaborator::roll(const Ast& n, const Env& env) {
  const auto refused = [&](dsl::Span span, const std::string& message, const std::string& help) {
    error(span, "roll", message, help);
    return Acted{builder_.nothing(), unrolled(n, env)};
  };
  if (in_end_)
    return refused(n.span, "a roll in `end`",
                   "nature moves within a turn: what was rolled is kept in a variable");
  const Typed domain = members(n.kids[0], env);
  if (domain.type == Ty::error) return {builder_.nothing(), unrolled(n, env)};
  if (n.names.size() > 1 && domain.type != Ty::numbers)
    return refused(
        n.kids[0].span, "what is rolled together are numbers",
        fmt::format("roll one after the other: `roll {} in S, roll {} in S`", n.names[0], n.names[1]));
  if (n.names.size() > 1 && n.kids.size() > 1)
    return refused(n.kids[1].span, "what is rolled together has no weights of its own",
                   fmt::format("roll one after the other: `roll {} in L by W, …`", n.names[0]));
  const Ty member = member_of(domain.type);
  if (domain.type == Ty::sets || member == Ty::directions)
    return refused(n.kids[0].span, fmt::format("{} can't be rolled", describe(domain.type)),
                   "roll a number, a cell, a kind or a player");

  std::vector<NodeId> steps;
  std::vector<std::int32_t> slots;
  std::vector<Typed> values;
  Env inner = env;
  for (const std::string& name : n.names) {
    const auto slot = static_cast<std::int32_t>(builder_.new_slots());
    NodeId from = domain.node;
    if (!slots.empty()) { // dice that are thrown together can't be told apart: the highest comes first
      const auto die = static_cast<std::int32_t>(builder_.new_slots());
      const NodeId fits = builder_.add(Op::at_most, Type::truth,
                                       {builder_.add(Op::local, Type::number, {}, die),
                                        builder_.add(Op::local, Type::number, {}, slots.back())});
      from = builder_.add(Op::select, runtime_type(domain.type), {domain.node, fits}, die);
    }
    steps.push_back(builder_.add(Op::choose, runtime_type(member), {from}, slot));
    inner = bind_member(inner, name, domain, static_cast<std::uint32_t>(slot), true);
    slots.push_back(slot);
    values.push_back(local(*inner, n.span));
    rolls_.places[slot] = n.span;
    if (&name != &n.names.front()) rolls_.further.insert(slot);
  }
  if (n.kids.size() > 1) {
    const NodeId weight = rolls_.weights[slots.front()] = number(n.kids[1], inner);
    steps.push_back(weighed(weight));
  }
  if (slots.size() > 1) steps.push_back(arrangements(slots));
  steps.push_back(rolled_text(values));
  return {builder_.add(Op::sequence, Type::action, steps), inner};
}

// Goes on, where the weight is above 0, with the odds times as high.
NodeId Elaborator::weighed(NodeId weight) {
  auto& program = builder_.program();
  if (!in_turn_) return builder_.nothing();
  if (rolls_.odds < 0) {
    rolls_.odds = static_cast<int>(program.variables.size());
    program.variables.push_back({"odds", -1, Type::number, true});
    program.initial.variables.push_back({1, {}});
  }
  const auto slot = static_cast<std::int32_t>(builder_.new_slots());
  const NodeId named = builder_.add(Op::let, Type::number, {weight}, slot);
  const NodeId its = builder_.add(Op::local, Type::number, {}, slot);
  const NodeId any = builder_.add(Op::less, Type::truth, {builder_.number(0), its});
  const NodeId before = builder_.add(Op::variable, Type::number, {}, rolls_.odds);
  const NodeId product = builder_.add(Op::multiply, Type::number, {before, its});
  return builder_.add(Op::sequence, Type::action,
                      {named, builder_.add(Op::require, Type::action, {any}),
                       builder_.add(Op::set_variable, Type::number, {product}, rolls_.odds)});
}

// In how many orders dice show the same: of three that are k alike in a row so far, the i-th makes it i / k
// times as many.
NodeId Elaborator::arrangements(const std::vector<std::int32_t>& slots) {
  const auto local_number = [&](std::int32_t slot) {
    return builder_.add(Op::local, Type::number, {}, slot);
  };
  std::vector<NodeId> steps;
  NodeId run = builder_.number(1), ways = builder_.number(1);
  for (std::size_t i = 1; i < slots.size(); ++i) {
    const NodeId alike =
        builder_.add(Op::equal, Type::truth, {local_number(slots[i]), local_number(slots[i - 1])});
    const NodeId longer = builder_.add(Op::add, Type::number, {run, builder_.number(1)});
    const auto slot = static_cast<std::int32_t>(builder_.new_slots());
    steps.push_back(
        builder_.add(Op::let, Type::number,
                     {builder_.add(Op::if_value, Type::number, {alike, longer, builder_.number(1)})}, slot));
    run = local_number(slot);
    const NodeId times =
        builder_.add(Op::multiply, Type::number, {ways, builder_.number(static_cast<std::int64_t>(i) + 1)});
    ways = builder_.add(Op::divide, Type::number, {times, run});
  }
  steps.push_back(weighed(ways));
  return builder_.add(Op::sequence, Type::action, steps);
}

// `(5-3)`
NodeId Elaborator::rolled_text(const std::vector<Typed>& values) {
  std::vector<NodeId> pieces{builder_.text("(")};
  for (const Typed& v : values) {
    if (pieces.size() > 1) pieces.push_back(builder_.text("-"));
    pieces.push_back(v.node);
  }
  pieces.push_back(builder_.text(")"));
  return builder_.add(Op::say, Type::action, pieces);
}

} // namespace boardwright::interpreter
