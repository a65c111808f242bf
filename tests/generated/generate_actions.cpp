#include "tests/generated/generator.hpp"

#include <algorithm>

namespace boardwright::tests {

using runtime::kKeepOwner;
using runtime::kMaximal;
using runtime::kNatural;
using runtime::kNeutral;
using runtime::kUnbounded;
using runtime::kUntil;

// ---------------------------------------------------------------- joining

NodeId Generator::alone(int depth) {
  return scoped([&] { return action(depth); });
}

NodeId Generator::action(int depth) {
  if (depth <= 0 || full() || one_in(3)) return simple(std::max(depth, 0));
  return joined(depth - 1);
}

NodeId Generator::joined(int depth) {
  switch (below(14)) {
  case 0: return b_.alt({alone(depth), alone(depth)});
  case 1:
    if (!has(Feature::otherwise)) break;
    return b_.act(Op::otherwise, {alone(depth), alone(depth), alone(depth)});
  case 2:
  case 3:
    if (!loops()) break;
    return looped(depth, [&] { return action(depth); });
  case 4: {
    const NodeId condition = value(Type::truth, depth);
    if (one_in(2)) return b_.act(Op::if_action, {condition, alone(depth)});
    return b_.act(Op::if_action, {condition, alone(depth), alone(depth)});
  }
  case 5:
    if (!has(Feature::choose)) break;
    return choose(depth);
  case 6:
    if (!has(Feature::choose_some)) break;
    return choose_some(depth);
  case 7: {
    if (!has(Feature::each)) break;
    const NodeId source = source_of_members(depth);
    const std::int32_t slot = b_.slot();
    const NodeId body = scoped([&] {
      bind(slot, member_of(b_.program.nodes[source].type));
      return sure(depth);
    });
    return b_.act(Op::each, {source, body}, slot);
  }
  case 8:
    if (!has(Feature::most)) break;
    return scoped([&] {
      const NodeId inner = action(depth);
      return b_.act(Op::most, {inner, value(Type::number, depth)});
    });
  case 9: {
    if (!has(Feature::distinct)) break;
    const std::int32_t visible_here = frame();
    return b_.act(Op::distinct, {alone(depth)}, 0, visible_here);
  }
  case 10:
    if (!has(Feature::quietly)) break;
    return b_.act(Op::quietly, {alone(depth)});
  case 11: {
    if (!has(Feature::kinds)) break;
    std::vector<NodeId> kids{value(Type::cells, depth)};
    for (std::size_t k = 0; k < b_.program.kinds.size(); ++k) kids.push_back(alone(depth));
    kids.push_back(one_in(2) ? b_.act(Op::never) : alone(depth));
    return b_.act(Op::by_kind_action, kids);
  }
  case 12: {
    if (!has(Feature::by_player)) break;
    std::vector<NodeId> kids{value(Type::player, depth)};
    for (int p = 0; p < b_.program.player_count(); ++p) kids.push_back(alone(depth));
    return b_.act(Op::by_player_action, kids);
  }
  default: break;
  }
  return b_.seq({action(depth), action(depth)});
}

// Flags and bounds at random, as far as the features go.
NodeId Generator::loop(NodeId body, std::int32_t frame_index, int depth) {
  const bool unbounded = has(Feature::unbounded) && (!has(Feature::bounded) || one_in(2));
  std::int32_t flags = unbounded ? kUnbounded : 0;
  if (has(Feature::maximal) && one_in(2)) flags |= kMaximal;
  std::vector<NodeId> kids{body, unbounded ? b_.number(below(3)) : small_number(depth)};
  if (!unbounded) kids.push_back(small_number(depth));
  if (has(Feature::until) && one_in(3)) {
    flags |= kUntil;
    kids.push_back(value(Type::truth, depth));
  }
  return b_.act(Op::repeat, kids, flags, frame_index);
}

NodeId Generator::choose(int depth) {
  const NodeId source = source_of_members(depth);
  const std::int32_t slot = b_.slot();
  bind(slot, member_of(b_.program.nodes[source].type));
  return b_.act(Op::choose, {source}, slot);
}

NodeId Generator::choose_some(int depth) {
  const NodeId count = small_number(depth);
  const NodeId source = has(Feature::lists) && one_in(3) ? some_list(depth) : value(Type::cells, depth);
  const std::int32_t slot = b_.slot();
  bind(slot, b_.program.nodes[source].type);
  return b_.act(Op::choose_some, {count, source}, slot);
}

NodeId Generator::let(Type type, NodeId bound) {
  const std::int32_t slot = b_.slot();
  bind(slot, type);
  return b_.act(Op::let, {bound}, slot);
}

NodeId Generator::sure(int depth) {
  if (has(Feature::faulty) && one_in(4)) return action(depth);
  const auto c = [&] { return value(Type::cells, depth); };
  switch (below(4)) {
  case 0: return b_.act(Op::remove, {c()});
  case 1: return set_something(depth);
  case 2:
    return b_.seq(
        {b_.act(Op::to, {b_.add(Op::first, Type::cells, {b_.board()})}), b_.act(Op::remove, {c()})});
  default: return change(c());
  }
}

// ---------------------------------------------------------------- walks

NodeId Generator::walking(int depth) {
  const auto c = [&] { return value(Type::cells, depth - 1); };
  const auto d = [&] { return value(Type::directions, depth - 1); };
  const auto alone_walk = [&] { return scoped([&] { return walking(depth - 1); }); };
  if (depth > 0 && !full()) switch (below(11)) {
    case 0: return b_.seq({walking(depth - 1), walking(depth - 1)});
    case 1: return b_.alt({alone_walk(), alone_walk()});
    case 2:
      if (!loops() || !has(Feature::loose_loops)) break;
      return looped(depth - 1, [&] { return walking(depth - 1); });
    case 3:
      if (!loops()) break;
      return looped(depth - 1, [&] { return b_.seq({b_.go(d()), b_.at(c())}); });
    case 4:
      if (!has(Feature::choose)) break;
      return choose(depth - 1);
    case 5: return b_.require(value(Type::truth, depth - 1));
    case 6: return b_.act(Op::to, {c()});
    case 7: {
      const NodeId condition = value(Type::truth, depth - 1);
      return b_.act(Op::if_action, {condition, alone_walk()});
    }
    case 8: {
      if (!has(Feature::kinds)) break;
      std::vector<NodeId> kids{b_.here()};
      for (std::size_t k = 0; k <= b_.program.kinds.size(); ++k) kids.push_back(alone_walk());
      return b_.act(Op::by_kind_action, kids);
    }
    case 9:
      if (!has(Feature::curves)) break;
      return b_.act(Op::bend, {d()});
    case 10:
      if (!has(Feature::otherwise)) break;
      return b_.act(Op::otherwise, {alone_walk(), alone_walk()});
    default: break;
    }
  const NodeId on = b_.go(d());
  return one_in(2) ? on : b_.seq({on, b_.at(c())});
}

// ---------------------------------------------------------------- single actions

NodeId Generator::lift_freely() {
  if (has(Feature::stacks) || has(Feature::faulty)) return b_.lift();
  const NodeId nothing_carried =
      b_.add(Op::equal, Type::truth, {b_.add(Op::carried, Type::number), b_.number(0)});
  return b_.seq({b_.require(nothing_carried), b_.lift()});
}

// Owners and kinds that every piece on the cells can get, unless faults are wanted.
NodeId Generator::change(NodeId cells) {
  if (rock_ >= 0 && !has(Feature::faulty))
    cells =
        b_.add(Op::minus, Type::cells, {cells, b_.add(Op::kind_cells, Type::cells, {b_.kind_node(rock_)})});
  std::int32_t owner = below(b_.program.player_count());
  if (has(Feature::neutral) && one_in(3)) owner = kNeutral;
  if (!has(Feature::kinds) || one_in(2)) return b_.act(Op::change, {cells}, owner, 0);
  if (one_in(2)) owner = kKeepOwner;
  const NodeId kind = has(Feature::faulty) && one_in(2) ? kind_value(1) : full_kind();
  return b_.act(Op::change, {cells, kind}, owner, 0);
}

NodeId Generator::drop(NodeId cells) {
  std::int32_t owner = one_in(4) ? below(b_.program.player_count()) : player_;
  NodeId kind = has(Feature::faulty) && one_in(2) ? kind_value(1) : full_kind();
  if (has(Feature::neutral) && one_in(4)) {
    owner = kNeutral;
    if (rock_ >= 0 && one_in(2)) kind = b_.kind_node(rock_);
  } else if (one_in(3)) {
    owner = kNatural;
    if (rock_ >= 0 && one_in(3)) kind = b_.kind_node(rock_);
  }
  if (!one_in(3)) return b_.act(Op::drop, {cells, kind}, owner, player_);
  const bool many = has(Feature::stacks) || has(Feature::faulty);
  return b_.act(Op::drop, {cells, kind, b_.number(below(many ? 4 : 2))}, owner, player_);
}

NodeId Generator::decide() {
  switch (below(3)) {
  case 0: return b_.act(Op::win, {}, below(b_.program.player_count()));
  case 1: return b_.act(Op::lose, {}, below(b_.program.player_count()));
  default: return b_.act(Op::draw);
  }
}

NodeId Generator::say(int depth) {
  std::vector<NodeId> kids;
  for (int i = below(3); i >= 0; --i) switch (below(6)) {
    case 0: kids.push_back(b_.text(pick({"+", "!", " ", "text", "A a"}))); break;
    case 1: kids.push_back(value(Type::number, depth)); break;
    case 2: kids.push_back(value(Type::cells, depth)); break;
    case 3: kids.push_back(value(Type::kind, depth)); break;
    case 4: kids.push_back(value(Type::player, depth)); break;
    default: kids.push_back(value(Type::truth, depth)); break;
    }
  return b_.act(Op::say, kids);
}

NodeId Generator::set_something(int depth) {
  if (has(Feature::locals) && one_in(3)) {
    const Type type = pick({Type::number, Type::cells, Type::directions, Type::numbers, Type::sets});
    if (const std::int32_t slot = visible(type); slot >= 0)
      return b_.act(Op::set_local, {value(type, depth)}, slot);
  }
  if (has(Feature::hands) && one_in(4)) {
    const NodeId kind = has(Feature::faulty) ? kind_value(1) : full_kind();
    return b_.act(Op::set_hand, {kind, small_number(depth)}, below(b_.program.player_count()));
  }
  if (!has(Feature::state)) return nothing();
  switch (below(5)) {
  case 0: return b_.act(Op::set_variable, {value(Type::cells, depth)}, cells_variable_);
  case 1:
    if (truth_variable_ < 0) break;
    return b_.act(Op::set_variable, {value(Type::truth, depth)}, truth_variable_);
  case 2:
    if (kind_variable_ < 0) break;
    return b_.act(Op::set_variable, {value(Type::kind, depth)}, kind_variable_);
  case 3:
    if (player_variable_ < 0) break;
    return b_.act(Op::set_variable, {b_.add(Op::player, Type::player, {}, below(b_.program.player_count()))},
                  player_variable_);
  default: break;
  }
  const int variable = pick(settable_);
  if (one_in(2)) return b_.act(Op::set_variable, {value(Type::number, depth)}, variable);
  const NodeId old = b_.add(Op::variable, Type::number, {}, variable);
  return b_.act(Op::set_variable, {b_.add(Op::add, Type::number, {old, number_constant()})}, variable);
}

NodeId Generator::simple(int depth) {
  const auto c = [&] { return value(Type::cells, depth); };
  const auto n = [&] { return value(Type::number, depth); };
  switch (below(22)) {
  case 0: return b_.from(c());
  case 1: return b_.act(Op::to, {c()});
  case 2: return b_.at(c());
  case 3:
  case 4: return b_.go(value(Type::directions, depth));
  case 5: {
    if (!has(Feature::locals)) break;
    Type type = pick({Type::number, Type::cells, Type::directions, Type::kind, Type::truth});
    if (has(Feature::lists) && one_in(3)) type = pick({Type::numbers, Type::sets, Type::kinds});
    if (has(Feature::maps) && one_in(4)) type = Type::map;
    return let(type, value(type, depth));
  }
  case 6: return b_.require(value(Type::truth, depth));
  case 7: return has(Feature::stacks) && one_in(2) ? b_.act(Op::lift, {small_number(depth)}) : lift_freely();
  case 8: return b_.put();
  case 9: return one_in(2) ? b_.put() : b_.act(Op::put, {small_number(depth)});
  case 10: return one_in(2) ? b_.act(Op::discard) : b_.act(Op::discard, {small_number(depth)});
  case 11: return b_.act(Op::remove, {c()});
  case 12: return drop(has(Feature::stacks) || one_in(2) ? c() : b_.here());
  case 13: return change(c());
  case 14:
    if (!has(Feature::kinds) || (rock_ >= 0 && !has(Feature::faulty))) break;
    return b_.act(Op::change, {b_.here(), full_kind()}, kKeepOwner, 1);
  case 15:
    if (!has(Feature::maps)) break;
    return b_.act(Op::move_by, {c(), value(Type::map, depth)});
  case 16:
  case 17: return set_something(depth);
  case 18:
    if (!has(Feature::again)) break;
    return b_.act(Op::again);
  case 19:
    if (!has(Feature::decisions)) break;
    return b_.act(Op::if_action, {value(Type::truth, depth), decide()});
  case 20:
    if (!has(Feature::say)) break;
    return say(depth);
  case 21: return b_.act(Op::never);
  default: break;
  }
  return one_in(2) ? b_.act(Op::pass) : b_.require(b_.add(Op::at_most, Type::truth, {n(), b_.number(9)}));
}

} // namespace boardwright::tests
