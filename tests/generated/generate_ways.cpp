// Turns and ends as games have them, in shapes near those that the standard vocabulary unfolds into.
#include "tests/generated/generator.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::tests {

using runtime::kKeepOwner;
using runtime::kMaximal;
using runtime::Verdict;

NodeId Generator::movers() {
  const NodeId own = b_.own(player_);
  switch (below(5)) {
  case 0:
    if (!has(Feature::kinds)) break;
    return b_.add(Op::meet, Type::cells, {own, b_.add(Op::kind_cells, Type::cells, {full_kind()})});
  case 1: return b_.add(Op::minus, Type::cells, {own, random_cells()});
  case 2:
    if (!has(Feature::deep_values)) break;
    return value(Type::cells, 2);
  default: break;
  }
  return own;
}

NodeId Generator::target() {
  switch (below(7)) {
  case 0: return b_.add(Op::complement, Type::cells, {b_.own(player_)});
  case 1: return has(Feature::captures) ? b_.enemy(player_) : b_.empty();
  case 2: return b_.add(Op::meet, Type::cells, {b_.empty(), value(Type::cells, 1)});
  case 3: return b_.add(Op::unite, Type::cells, {b_.empty(), b_.enemy(player_)});
  default: return b_.empty();
  }
}

NodeId Generator::ways_on() { return one_in(6) ? value(Type::directions, 2) : plain_directions(); }

// ---------------------------------------------------------------- one piece moves

NodeId Generator::step(NodeId directions, NodeId target) {
  return b_.seq({b_.lift(), b_.go(directions), b_.at(target), b_.put()});
}

NodeId Generator::ride(NodeId directions, NodeId target) {
  return scoped([&] {
    const std::int32_t slot = b_.slot();
    const NodeId chosen = b_.act(Op::choose, {directions}, slot);
    bind(slot, Type::directions);
    const auto on = [&](NodeId within) { return b_.seq({go_chosen(slot), b_.at(within)}); };
    if (has(Feature::bounded) && one_in(3))
      return b_.seq({b_.lift(), chosen, b_.times(on(b_.empty()), below(2), 1 + below(4)), b_.put()});
    if (one_in(4)) return b_.seq({b_.lift(), chosen, b_.plus(on(b_.empty()), 0, frame()), b_.put()});
    if (one_in(4)) return b_.seq({b_.lift(), chosen, b_.star(on(b_.empty()), kMaximal, frame()), b_.put()});
    return b_.seq(
        {b_.lift(), chosen, b_.star(on(b_.empty()), 0, frame()), go_chosen(slot), b_.at(target), b_.put()});
  });
}

// Over a piece, which stays or is taken.
NodeId Generator::jump(NodeId directions) {
  return scoped([&] {
    const std::int32_t slot = b_.slot();
    const NodeId chosen = b_.act(Op::choose, {directions}, slot);
    bind(slot, Type::directions);
    const bool takes = has(Feature::captures);
    std::vector<NodeId> parts{chosen, go_chosen(slot), b_.at(takes ? b_.enemy(player_) : pieces_here())};
    if (takes && has(Feature::locals) && one_in(3)) { // the taken cell by a name
      const std::int32_t over = b_.slot();
      parts.push_back(b_.act(Op::let, {b_.here()}, over));
      parts.insert(parts.end(), {go_chosen(slot), b_.at(b_.empty())});
      parts.push_back(b_.act(Op::remove, {b_.local(Type::cells, over)}));
      return b_.seq(parts);
    }
    if (takes) parts.push_back(b_.act(Op::remove, {b_.here()}));
    parts.insert(parts.end(), {go_chosen(slot), b_.at(b_.empty())});
    return b_.seq(parts);
  });
}

NodeId Generator::chain(NodeId directions) {
  const std::int32_t visible_here = frame();
  std::int32_t flags = has(Feature::maximal) && !one_in(3) ? kMaximal : 0;
  const NodeId body = jump(directions);
  const NodeId loop = has(Feature::bounded) && one_in(4) ? b_.times(body, 1, 2 + below(2), flags)
                                                         : b_.plus(body, flags, visible_here);
  return b_.seq({b_.lift(), loop, b_.put()});
}

NodeId Generator::late_chain(NodeId directions) {
  return scoped([&] {
    b_.program.cell_sets.emplace_back();
    const NodeId none =
        b_.add(Op::cells, Type::cells, {}, static_cast<std::int32_t>(b_.program.cell_sets.size()) - 1);
    const std::int32_t hit = b_.slot();
    const NodeId start = b_.act(Op::let, {none}, hit);
    bind(hit, Type::cells);
    const std::int32_t visible_here = frame();
    const auto taken = [&] { return b_.local(Type::cells, hit); };
    const NodeId body = scoped([&] {
      const std::int32_t slot = b_.slot();
      const NodeId chosen = b_.act(Op::choose, {directions}, slot);
      bind(slot, Type::directions);
      const NodeId victims = b_.add(Op::minus, Type::cells, {b_.enemy(player_), taken()});
      const NodeId more = b_.act(Op::set_local, {b_.add(Op::unite, Type::cells, {taken(), b_.here()})}, hit);
      return b_.seq({chosen, go_chosen(slot), b_.at(victims), more, go_chosen(slot), b_.at(b_.empty())});
    });
    const std::int32_t flags = has(Feature::maximal) && one_in(2) ? kMaximal : 0;
    const NodeId loop = b_.plus(body, flags, visible_here);
    return b_.seq({start, b_.lift(), loop, b_.put(), b_.act(Op::remove, {taken()})});
  });
}

NodeId Generator::flight() {
  const NodeId before = one_in(2) ? b_.lift() : kNone;
  const NodeId to = has(Feature::reach) && one_in(2)
                        ? b_.add(Op::meet, Type::cells, {reached(1), one_in(2) ? b_.empty() : target()})
                        : target();
  std::vector<NodeId> parts;
  // The set is worked out before the piece is lifted, or after.
  if (before != kNone) parts.push_back(before);
  parts.push_back(let(Type::cells, to));
  if (before == kNone) parts.push_back(b_.lift());
  parts.push_back(b_.act(Op::to, {b_.local(Type::cells, scope_.back().slot)}));
  parts.push_back(b_.put());
  return b_.seq(parts);
}

// Directions chosen inside the loop: it turns, and comes back to where it was.
NodeId Generator::loose_walk() {
  const std::int32_t visible_here = frame();
  const NodeId body = scoped([&] {
    if (one_in(2)) return b_.seq({b_.go(plain_directions()), b_.at(b_.empty())});
    const std::int32_t slot = b_.slot();
    const NodeId chosen = b_.act(Op::choose, {plain_directions()}, slot);
    bind(slot, Type::directions);
    std::vector<NodeId> parts{chosen, go_chosen(slot)};
    if (!one_in(3)) parts.push_back(b_.at(b_.empty()));
    return b_.seq(parts);
  });
  const bool bounded =
      has(Feature::bounded) && (!has(Feature::unbounded) || one_in(2) || b_.program.board.cells > 12);
  const NodeId loop = bounded ? b_.times(body, below(2), 1 + below(3)) : b_.plus(body, 0, visible_here);
  return b_.seq({b_.lift(), loop, b_.put()});
}

// Branches that join, steps behind them, and branches again: where all that leads is written, once or often.
NodeId Generator::joined_walk() {
  const bool carries = !has(Feature::say) || !one_in(4);
  const auto on = [&] {
    const NodeId go = b_.go(plain_directions());
    return one_in(2) ? go : b_.seq({go, b_.at(carries ? target() : random_cells())});
  };
  const auto on_or_stay = [&] { return one_in(3) ? nothing() : on(); };
  const auto condition = [&] {
    return one_in(2) ? value(Type::truth, 1) : b_.add(Op::within, Type::truth, {b_.here(), random_cells()});
  };
  const auto part = [&]() -> NodeId {
    switch (below(8)) {
    case 0:
    case 1: return b_.act(Op::if_action, {condition(), on()});
    case 2: return b_.act(Op::if_action, {condition(), on_or_stay(), on_or_stay()});
    case 3:
    case 4: return b_.alt({on(), on_or_stay()});
    case 5:
      if (!has(Feature::otherwise)) break;
      return b_.act(Op::otherwise, {on(), on_or_stay()});
    case 6:
      if (!has(Feature::bounded)) break;
      return b_.times(on(), below(2), 1 + below(2));
    default: break;
    }
    return on();
  };
  std::vector<NodeId> parts;
  if (carries) parts.push_back(b_.lift());
  for (int i = 3 + below(3); i > 0; --i) {
    parts.push_back(part());
    if (has(Feature::say) && one_in(5)) parts.push_back(b_.act(Op::say, {b_.here()}));
  }
  parts.push_back(carries ? b_.put() : b_.act(Op::say, {b_.here()}));
  return b_.seq(parts);
}

// Piece by piece along a direction or a track, until none is left.
NodeId Generator::sowing() {
  const NodeId way = b_.steps({tracks_.empty() ? pick(orthogonal_) : pick(tracks_)});
  const NodeId body = b_.seq({b_.go(way), b_.act(Op::put, {b_.number(1)})});
  const NodeId carried = b_.add(Op::equal, Type::truth, {b_.add(Op::carried, Type::number), b_.number(0)});
  const std::int32_t flags = runtime::kUnbounded | kMaximal | runtime::kUntil;
  const NodeId loop = b_.act(Op::repeat, {body, b_.number(1), carried}, flags, frame());
  return one_in(2) ? b_.seq({b_.lift(), b_.act(Op::quietly, {loop})}) : b_.seq({b_.lift(), loop});
}

NodeId Generator::along_curves() {
  return scoped([&] {
    const std::int32_t slot = b_.slot();
    const NodeId chosen = b_.act(Op::choose, {plain_directions()}, slot);
    bind(slot, Type::directions);
    const auto straight = [&](NodeId way) {
      return b_.star(b_.seq({b_.go(way), b_.at(b_.empty())}), 0, frame());
    };
    const auto heading = [&] { return b_.add(Op::heading, Type::directions); };
    return b_.seq({b_.lift(), chosen, straight(b_.local(Type::directions, slot)),
                   b_.act(Op::bend, {b_.local(Type::directions, slot)}), straight(heading()),
                   b_.go(heading()), b_.at(target()), b_.put()});
  });
}

NodeId Generator::moving() {
  if (has(Feature::formations) && one_in(4)) return formation();
  if (has(Feature::listed) && one_in(3)) return listed();
  const NodeId from = b_.from(movers());
  if (has(Feature::ahead) && one_in(3)) return b_.seq({from, one_in(4) ? by_number() : step_ahead()});
  switch (below(14)) {
  case 0:
  case 1:
    if (!has(Feature::rides)) break;
    return b_.seq({from, ride(ways_on(), target())});
  case 2:
  case 3:
    if (!loops() || !has(Feature::chains)) break;
    return b_.seq({from, one_in(4) && has(Feature::locals) ? late_chain(ways_on()) : chain(ways_on())});
  case 4:
    if (!has(Feature::captures)) break;
    return b_.seq({from, b_.lift(), jump(ways_on()), b_.put()});
  case 5:
    if (!has(Feature::flights)) break;
    return scoped([&] { return b_.seq({from, flight()}); });
  case 6:
    if (!loops() || !has(Feature::loose_loops)) break;
    return b_.seq({from, loose_walk()});
  case 7:
    if (!has(Feature::stacks) && tracks_.empty()) break;
    if (has(Feature::stacks)) return b_.seq({from, sowing()});
    return b_.seq({from, b_.lift(), b_.plus(b_.go(b_.steps({pick(tracks_)})), 0, frame()), b_.put()});
  case 8:
    if (!has(Feature::curves)) break;
    return b_.seq({from, along_curves()});
  case 9: {
    if (!has(Feature::kinds)) break;
    std::vector<NodeId> kids{b_.here()};
    for (std::size_t k = 0; k < b_.program.kinds.size(); ++k)
      kids.push_back(one_in(2) ? step(ways_on(), target()) : ride(ways_on(), target()));
    kids.push_back(b_.act(Op::never));
    return b_.seq({from, b_.act(Op::by_kind_action, kids)});
  }
  case 10: {
    if (!has(Feature::wild_actions)) break;
    std::vector<NodeId> parts{from};
    return scoped([&] {
      if (!one_in(3)) parts.push_back(b_.lift());
      for (int i = 1 + below(3); i > 0; --i) parts.push_back(action(3));
      parts.push_back(b_.put());
      return b_.seq(parts);
    });
  }
  case 11:
  case 12:
    if (!has(Feature::joins)) break;
    return b_.seq({from, joined_walk()});
  default: break;
  }
  return b_.seq({from, step(ways_on(), target())});
}

NodeId Generator::dropping() {
  const bool by_name = one_in(2);
  const auto on_one = [&] { return b_.seq({b_.act(Op::to, {target()}), drop(b_.here())}); };
  if (has(Feature::choose_some) && b_.program.board.cells <= 64 && by_name && one_in(2)) {
    placed_ = false;
    return scoped([&] {
      const std::int32_t slot = b_.slot();
      const NodeId chosen = b_.act(Op::choose_some, {b_.number(1 + below(2)), b_.empty()}, slot);
      return b_.seq({chosen, drop(b_.local(Type::cells, slot))});
    });
  }
  if (has(Feature::choose) && by_name) {
    placed_ = false;
    return scoped([&] {
      const std::int32_t slot = b_.slot();
      const NodeId chosen = b_.act(Op::choose, {target()}, slot);
      return b_.seq({chosen, drop(b_.local(Type::cells, slot))});
    });
  }
  return on_one();
}

// ---------------------------------------------------------------- what follows a move

// Conditions after everything else: moves, drafts and all fall away.
NodeId Generator::check() {
  if (has(Feature::attacks) && !one_in(3)) return b_.require(safe());
  switch (below(4)) {
  case 0:
    if (!has(Feature::can)) break;
    return b_.require(b_.add(Op::negation, Type::truth,
                             {b_.add(Op::can, Type::truth,
                                     {b_.seq({b_.act(Op::to, {b_.enemy(player_)}),
                                              b_.go(b_.steps(orthogonal_)), b_.at(b_.own(player_))})})}));
  case 1:
    if (!has(Feature::repetition)) break;
    return b_.require(
        b_.add(Op::less, Type::truth, {b_.add(Op::board_repeats, Type::number), b_.number(1 + below(2))}));
  case 2: return b_.at(value(Type::cells, 2));
  default: break;
  }
  return b_.require(value(Type::truth, 2));
}

NodeId Generator::tail() {
  const auto when = [&](NodeId then) {
    return b_.act(Op::if_action, {b_.add(Op::within, Type::truth, {b_.here(), random_cells()}), then});
  };
  if (has(Feature::rows) && loops() && one_in(5)) {
    const NodeId row = one_in(2) ? row_here() : b_.some(row_cells());
    return b_.act(Op::if_action, {row, b_.act(Op::win, {}, player_)});
  }
  if (has(Feature::groups) && loops() && has(Feature::captures) && one_in(4))
    return one_in(2) ? b_.act(Op::remove, {breathless(1)})
                     : b_.require(b_.add(Op::negation, Type::truth, {b_.some(breathless(0))}));
  if (has(Feature::listed) && has(Feature::captures) && loops() && one_in(4)) return custodian();
  switch (below(12)) {
  case 0:
    if (!has(Feature::kinds) || rock_ >= 0) break;
    return when(b_.act(Op::change, {b_.here(), full_kind()}, kKeepOwner, 1));
  case 1: {
    if (!has(Feature::captures)) break;
    const NodeId beside = b_.add(Op::reach, Type::cells, {b_.here(), b_.go(plain_directions())});
    return b_.act(Op::remove, {b_.add(Op::meet, Type::cells, {beside, b_.enemy(player_)})});
  }
  case 2: // surrounded in a line
    if (!has(Feature::captures) || !loops()) break;
    return change(b_.add(Op::meet, Type::cells,
                         {run(b_.here(), plain_directions(), b_.enemy(player_)), b_.enemy(player_)}));
  case 3:
    if (!has(Feature::state)) break;
    return set_something(1);
  case 4:
    if (!has(Feature::decisions)) break;
    return one_in(3) ? b_.act(Op::if_action, {value(Type::truth, 2), decide()})
                     : when(b_.act(Op::win, {}, player_));
  case 5:
    if (!has(Feature::again)) break;
    return when(b_.act(Op::again));
  case 6:
    if (!has(Feature::say)) break;
    return say(1);
  case 7:
    if (!has(Feature::checks)) break;
    return check();
  case 8:
    if (!has(Feature::second_lift)) break;
    if (one_in(2)) return b_.seq({b_.lift(), b_.go(plain_directions()), b_.at(target()), b_.put()});
    return b_.seq(
        {b_.from(b_.own(player_)), b_.lift(), b_.go(plain_directions()), b_.at(target()), b_.put()});
  case 9: {
    if (!has(Feature::each)) break;
    const NodeId source = b_.add(Op::meet, Type::cells, {b_.enemy(player_), value(Type::cells, 1)});
    const std::int32_t slot = b_.slot();
    return scoped([&] {
      bind(slot, Type::cells);
      return b_.act(Op::each, {source, change(b_.local(Type::cells, slot))}, slot);
    });
  }
  case 10:
    if (!has(Feature::wild_actions)) break;
    return alone(2);
  default:
    if (!has(Feature::drops)) break;
    return dropping();
  }
  return nothing();
}

NodeId Generator::way() {
  if (has(Feature::drops) && one_in(2)) return dropping();
  if (one_in(20)) {
    placed_ = false;
    return b_.act(Op::pass);
  }
  return moving();
}

NodeId Generator::group_of_ways() {
  return scoped([&] {
    const bool outside = std::exchange(placed_, true);
    std::vector<NodeId> parts{way()};
    const int more = below(3);
    for (int i = 0; i < more && placed_; ++i) parts.push_back(tail());
    placed_ = placed_ && outside;
    return b_.seq(parts);
  });
}

NodeId Generator::joined_ways() {
  switch (below(4)) {
  case 0: return b_.alt({group_of_ways(), group_of_ways()});
  case 1:
    if (!has(Feature::otherwise)) break;
    return b_.act(Op::otherwise, {group_of_ways(), group_of_ways()});
  case 2: {
    if (!has(Feature::otherwise)) break;
    const NodeId first = b_.act(Op::otherwise, {group_of_ways(), group_of_ways()});
    return b_.alt({first, group_of_ways()});
  }
  default: break;
  }
  return group_of_ways();
}

NodeId Generator::turn() {
  placed_ = true;
  return scoped([&] {
    NodeId whole = joined_ways();
    if (has(Feature::most) && one_in(2))
      whole =
          b_.act(Op::most, {whole, one_in(2) ? b_.add(Op::negate, Type::number,
                                                      {b_.add(Op::count, Type::number, {b_.enemy(player_)})})
                                             : value(Type::number, 1)});
    if (has(Feature::distinct) && one_in(2)) whole = b_.act(Op::distinct, {whole}, 0, frame());
    if (has(Feature::quietly) && one_in(3)) whole = b_.act(Op::quietly, {whole});
    if (has(Feature::otherwise) && one_in(4)) {
      whole = b_.act(Op::otherwise, {whole, b_.act(Op::pass)});
      placed_ = false;
    }
    std::vector<NodeId> parts{whole};
    const int more = below(3);
    for (int i = 0; i < more && placed_; ++i) parts.push_back(tail());
    return b_.seq(parts);
  });
}

// ---------------------------------------------------------------- ends

NodeId Generator::end_condition() {
  const auto number_less = [&](NodeId a, NodeId c) { return b_.add(Op::less, Type::truth, {a, c}); };
  if (has(Feature::rows) && loops() && one_in(3)) return b_.some(row_cells());
  if (has(Feature::groups) && loops() && one_in(3)) return about_groups();
  if (has(Feature::attacks) && one_in(4)) return b_.add(Op::negation, Type::truth, {safe()});
  switch (below(8)) {
  case 0: return number_less(b_.add(Op::count, Type::number, {b_.own(player_)}), b_.number(below(3)));
  case 1: return b_.some(b_.add(Op::meet, Type::cells, {b_.own(player_), random_cells()}));
  case 2: return b_.add(Op::negation, Type::truth, {b_.some(b_.empty())});
  case 3:
    if (!has(Feature::counters)) break;
    return number_less(b_.number(below(12)), one_in(2) ? b_.add(Op::ply, Type::number)
                                                       : b_.add(Op::turns, Type::number, {}, player_));
  case 4:
    if (!has(Feature::repetition)) break;
    return b_.add(
        Op::at_most, Type::truth,
        {b_.number(1 + below(2)), one_in(3) ? b_.add(Op::earlier, Type::number, {b_.number(1 + below(2))})
                                            : b_.add(pick({Op::repeats, Op::board_repeats}), Type::number)});
  case 5:
    if (readable_.empty()) break;
    return number_less(b_.add(Op::variable, Type::number, {}, pick(readable_)), number_constant());
  default: break;
  }
  return b_.add(Op::all_of, Type::truth,
                {b_.add(Op::negation, Type::truth, {b_.some(b_.enemy(player_))}), value(Type::truth, 2)});
}

void Generator::end_lines() {
  const auto verdict = [&] { return pick({Verdict::win, Verdict::lose, Verdict::draw}); };
  if (has(Feature::end_others))
    for (int lines = 1 + below(2); lines > 0; --lines) {
      b_.end(player_, verdict(), end_condition());
      auto& line = b_.program.players[static_cast<std::size_t>(player_)].end.back();
      if (line.verdict == Verdict::win) line.winner = (player_ + lines - 1) % b_.program.player_count();
    }
  if (has(Feature::end_scores)) {
    const NodeId condition = end_condition();
    std::vector<NodeId> score;
    for (int p = 0; p < b_.program.player_count(); ++p)
      score.push_back(one_in(3) ? value(Type::number, 1) : b_.add(Op::count, Type::number, {b_.own(p)}));
    b_.end(player_, Verdict::score, condition, std::move(score));
  }
  if (has(Feature::end_shares) && b_.program.player_count() > 1) {
    b_.end(player_, Verdict::share, end_condition());
    // Parts that aren't all the same; of a third player none.
    b_.program.players[static_cast<std::size_t>(player_)].end.back().result =
        static_cast<runtime::Result>(1 + below(3)) | runtime::Result{4} << 8;
  }
  if (has(Feature::end_no_move)) b_.end(player_, verdict(), b_.add(Op::no_move, Type::truth, {}, player_));
}

} // namespace boardwright::tests
