// What authors say with sets: rows, groups, attacked cells, formations, questions about the cell ahead. The
// shapes are those that definitions of the standard vocabulary, and of many games, unfold into.
#include "tests/generated/generator.hpp"

#include <utility>

namespace boardwright::tests {

using runtime::Owners;

// One of the sets that rows and groups are made of; the same each time it is asked for.
NodeId Generator::stones(int which) {
  switch (which) {
  case 0: return b_.own(player_);
  case 1: return b_.enemy(player_);
  case 2: return b_.empty();
  case 3: return pieces_here();
  default: return b_.add(Op::kind_cells, Type::cells, {b_.kind_node(full_kinds_.front())});
  }
}

NodeId Generator::next_to(NodeId from) {
  return b_.add(Op::reach, Type::cells, {from, b_.go(b_.steps(orthogonal_))});
}

// ---------------------------------------------------------------- rows

// Is the cell, which `cell` makes a node for each time, one of at least so many in a line?
template <class F>
NodeId Generator::in_row(F&& cell, int which, int least) {
  std::vector<int> axes{orthogonal_.front()};
  if (orthogonal_.size() > 2) axes.push_back(orthogonal_[2]);
  if (!diagonal_.empty()) axes.push_back(diagonal_.front());
  if (one_in(4)) axes = orthogonal_;
  return some_member(b_.steps(axes), [&](std::int32_t slot) {
    const auto d = [&] { return b_.local(Type::directions, slot); };
    const NodeId both =
        b_.add(Op::unite, Type::directions, {d(), b_.add(Op::opposite, Type::directions, {d()})});
    const NodeId row = b_.add(Op::unite, Type::cells, {cell(), run(cell(), both, stones(which))});
    return b_.add(Op::at_most, Type::truth, {b_.number(least), b_.add(Op::count, Type::number, {row})});
  });
}

NodeId Generator::row_here() {
  return in_row([&] { return b_.here(); }, below(2), 2 + below(3));
}

NodeId Generator::row_cells() {
  const int which = below(5), least = 2 + below(3);
  return members_where(stones(which), [&](std::int32_t slot) {
    return in_row([&] { return b_.local(Type::cells, slot); }, which, least);
  });
}

// ---------------------------------------------------------------- groups

NodeId Generator::flood(NodeId from, NodeId within) {
  const NodeId on = b_.seq({b_.go(b_.steps(orthogonal_)), b_.at(within)});
  return b_.add(Op::reach, Type::cells, {from, b_.star(on, 0, frame())});
}

// A list of the groups of a set, or one group, or a question about them.
NodeId Generator::groups(int which) {
  const NodeId source = stones(which);
  const std::int32_t slot = b_.slot();
  return scoped([&] {
    bind(slot, Type::cells);
    const NodeId group = flood(b_.local(Type::cells, slot), stones(which));
    return b_.add(Op::list_for, Type::sets, {group, b_.truth(true), source}, slot, 1);
  });
}

NodeId Generator::about_groups() {
  const int which = below(4);
  const auto meets = [&](std::int32_t slot, NodeId set) {
    return b_.some(b_.add(Op::meet, Type::cells, {b_.local(Type::cells, slot), set}));
  };
  switch (below(5)) {
  case 0: // from one side to another
    return some_member(groups(which), [&](std::int32_t slot) {
      return b_.add(Op::all_of, Type::truth, {meets(slot, random_cells()), meets(slot, random_cells())});
    });
  case 1: // all in one
    return b_.add(Op::equal, Type::truth,
                  {flood(b_.add(Op::first, Type::cells, {stones(which)}), stones(which)), stones(which)});
  case 2: {
    const NodeId number = b_.add(Op::count, Type::number, {groups(which)});
    return b_.add(Op::less, Type::truth, {b_.number(below(4)), number});
  }
  case 3: // what is reached from one side
    return b_.some(
        b_.add(Op::meet, Type::cells,
               {flood(b_.add(Op::meet, Type::cells, {stones(which), random_cells()}), stones(which)),
                random_cells()}));
  default: return b_.some(breathless(which));
  }
}

// The cells of groups that have no empty neighbour.
NodeId Generator::breathless(int which) {
  if (which == 2) which = 1;
  return members_where(stones(which), [&](std::int32_t slot) {
    const NodeId group = flood(b_.local(Type::cells, slot), stones(which));
    const NodeId breath = b_.add(Op::meet, Type::cells, {next_to(group), b_.empty()});
    return b_.add(Op::negation, Type::truth, {b_.some(breath)});
  });
}

// ---------------------------------------------------------------- attacked cells

NodeId Generator::slide(NodeId directions) {
  return scoped([&] {
    const std::int32_t slot = b_.slot();
    const NodeId chosen = b_.act(Op::choose, {directions}, slot);
    bind(slot, Type::directions);
    const NodeId on = b_.star(b_.seq({go_chosen(slot), b_.at(b_.empty())}), 0, frame());
    return b_.seq({chosen, on, go_chosen(slot)});
  });
}

// All that the pieces of a set could hit.
NodeId Generator::attacked(NodeId by) {
  switch (below(3)) {
  case 0: return b_.add(Op::reach, Type::cells, {by, b_.go(plain_directions())});
  case 1: return loops() ? b_.add(Op::reach, Type::cells, {by, slide(plain_directions())}) : next_to(by);
  default: {
    if (!has(Feature::kinds)) return next_to(by);
    std::vector<NodeId> kids{b_.here()};
    for (std::size_t k = 0; k < b_.program.kinds.size(); ++k)
      kids.push_back(loops() && one_in(2) ? slide(plain_directions()) : b_.go(plain_directions()));
    kids.push_back(b_.act(Op::never));
    return b_.add(Op::reach, Type::cells, {by, b_.act(Op::by_kind_action, kids)});
  }
  }
}

// No piece of some sort is attacked: what the rules of chess-like games ask behind a move.
NodeId Generator::safe() {
  NodeId mine = b_.own(player_);
  if (has(Feature::kinds) && !one_in(3))
    mine = b_.add(Op::meet, Type::cells,
                  {mine, b_.add(Op::kind_cells, Type::cells, {b_.kind_node(full_kinds_.back())})});
  const NodeId hit = b_.add(Op::meet, Type::cells, {attacked(b_.enemy(player_)), mine});
  return b_.add(Op::negation, Type::truth, {b_.some(hit)});
}

// ---------------------------------------------------------------- formations

// A line of pieces moves along itself, or a block to a side.
NodeId Generator::formation() {
  placed_ = false;
  return scoped([&] {
    const std::int32_t head = b_.slot(), way = b_.slot(), body = b_.slot();
    std::vector<NodeId> parts{b_.act(Op::choose, {b_.own(player_)}, head)};
    bind(head, Type::cells);
    parts.push_back(b_.act(Op::choose, {b_.steps(orthogonal_)}, way));
    bind(way, Type::directions);
    const auto cell = [&] { return b_.local(Type::cells, head); };
    const auto d = [&] { return b_.local(Type::directions, way); };
    NodeId pieces = b_.add(Op::meet, Type::cells, {ball(cell()), b_.own(player_)});
    if (loops() && one_in(2))
      pieces = b_.add(Op::unite, Type::cells,
                      {cell(), run(cell(), b_.add(Op::opposite, Type::directions, {d()}), b_.own(player_))});
    parts.push_back(b_.act(Op::let, {pieces}, body));
    bind(body, Type::cells);
    const auto set = [&] { return b_.local(Type::cells, body); };
    parts.insert(parts.end(), {b_.act(Op::to, {cell()}), b_.go(d())});
    const auto map = [&] { return b_.add(Op::shift, Type::map, {cell(), b_.here()}); };
    const NodeId image = b_.add(Op::image, Type::cells, {set(), map()});
    const NodeId others = b_.add(Op::minus, Type::cells, {b_.own(player_), set()});
    if (!one_in(3))
      parts.push_back(b_.require(
          b_.add(Op::negation, Type::truth, {b_.some(b_.add(Op::meet, Type::cells, {image, others}))})));
    if (has(Feature::captures) && one_in(2))
      parts.push_back(
          b_.act(Op::remove, {b_.add(Op::meet, Type::cells,
                                     {b_.add(Op::image, Type::cells, {set(), map()}), b_.enemy(player_)})}));
    if (has(Feature::say) || one_in(2)) parts.push_back(b_.act(Op::say, {set(), b_.text(">"), b_.here()}));
    parts.push_back(b_.act(Op::move_by, {set(), map()}));
    return b_.seq(parts);
  });
}

NodeId Generator::ball(NodeId around) {
  return b_.add(Op::reach, Type::cells, {around, b_.times(b_.go(b_.steps(orthogonal_)), 0, 1 + below(2))});
}

// ---------------------------------------------------------------- questions about the cell ahead

// To a cell of `target` in one of the directions, said in one of the ways that mean the same.
NodeId Generator::ahead(NodeId directions, int target) {
  const auto aim = [&] { return stones(target); };
  switch (below(5)) {
  case 0: // choose, ask, go
    return scoped([&] {
      const std::int32_t slot = b_.slot();
      const NodeId chosen = b_.act(Op::choose, {directions}, slot);
      bind(slot, Type::directions);
      const NodeId next = b_.add(Op::reach, Type::cells, {b_.here(), go_chosen(slot)});
      return b_.seq(
          {chosen, b_.require(b_.some(b_.add(Op::meet, Type::cells, {next, aim()}))), go_chosen(slot)});
    });
  case 1: { // the directions in which there is such a cell
    const NodeId open = members_where(directions, [&](std::int32_t slot) {
      const NodeId next = b_.add(Op::reach, Type::cells, {b_.here(), go_chosen(slot)});
      return b_.add(Op::within, Type::truth, {next, aim()});
    });
    return b_.go(open);
  }
  case 2: // the cells
    return b_.act(Op::to, {b_.add(Op::meet, Type::cells,
                                  {b_.add(Op::reach, Type::cells, {b_.here(), b_.go(directions)}), aim()})});
  case 3: // the cells, by name
    return scoped([&] {
      const std::int32_t slot = b_.slot();
      const NodeId next = b_.add(Op::reach, Type::cells, {b_.here(), b_.go(directions)});
      const NodeId chosen = b_.act(Op::choose, {b_.add(Op::meet, Type::cells, {next, aim()})}, slot);
      return b_.seq({chosen, b_.act(Op::to, {b_.local(Type::cells, slot)})});
    });
  default: { // only cells for which something holds
    const NodeId good = members_where(aim(), [&](std::int32_t slot) {
      const NodeId beside = next_to(b_.local(Type::cells, slot));
      const NodeId friends = b_.some(b_.add(Op::meet, Type::cells, {beside, b_.own(player_)}));
      return one_in(2) ? friends : b_.add(Op::negation, Type::truth, {friends});
    });
    return b_.seq({b_.go(directions), b_.at(good)});
  }
  }
}

// One step, the target asked for ahead.
NodeId Generator::step_ahead() {
  const int target = one_in(3) && has(Feature::captures) ? 1 : 2;
  const bool lifted_first = one_in(2);
  const NodeId on = ahead(plain_directions(), target);
  if (lifted_first) return b_.seq({b_.lift(), on, b_.put()});
  // The piece is lifted from where it was.
  return scoped([&] {
    const std::int32_t slot = b_.slot();
    const NodeId there = b_.act(Op::let, {b_.here()}, slot);
    return b_.seq({on, there, b_.act(Op::to, {b_.add(Op::start, Type::cells)}), b_.lift(),
                   b_.act(Op::to, {b_.local(Type::cells, slot)}), b_.put()});
  });
}

// A number stands for one of several actions.
NodeId Generator::by_number() {
  return scoped([&] {
    const std::int32_t slot = b_.slot();
    const NodeId chosen =
        b_.act(Op::choose, {b_.add(Op::range, Type::numbers, {b_.number(1), b_.number(3)})}, slot);
    const auto is = [&](int n) {
      return b_.add(Op::equal, Type::truth, {b_.local(Type::number, slot), b_.number(n)});
    };
    const NodeId rest = b_.act(Op::if_action, {is(2), step(plain_directions(), target()), step_ahead()});
    return b_.seq({chosen, b_.act(Op::if_action, {is(1), step(plain_directions(), target()), rest})});
  });
}

} // namespace boardwright::tests
