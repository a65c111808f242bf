// What authors say with lists that `for` makes, with coordinates, and with sets that maps take elsewhere.
#include "tests/generated/generator.hpp"

#include <utility>

namespace boardwright::tests {

using runtime::kMaximal;
using runtime::kUnbounded;

// union((E for x in S where C)), for one name.
template <class Body>
NodeId Generator::union_for(NodeId source, Body&& body) {
  const std::int32_t slot = b_.slot();
  return scoped([&] {
    bind(slot, member_of(b_.program.nodes[source].type));
    const std::pair<NodeId, NodeId> parts = body(slot); // member, condition
    return b_.add(Op::union_of, Type::cells,
                  {b_.add(Op::list_for, Type::sets, {parts.first, parts.second, source}, slot, 1)});
  });
}

// Straight on along one direction, as long as the cells are in `within`; then one further, if `further`.
NodeId Generator::straight(std::int32_t direction, int within, bool further) {
  const NodeId on = b_.plus(b_.seq({go_chosen(direction), b_.at(stones(within))}), 0, frame());
  return further ? b_.seq({on, go_chosen(direction)}) : on;
}

// Runs of one set up to a cell of another, as custodian captures take them: by lists of directions, by walks
// that look ahead, or by what lies between two cells.
NodeId Generator::held_between(NodeId from, int held, int by) {
  std::vector<int> all = orthogonal_;
  if (one_in(2)) all.insert(all.end(), diagonal_.begin(), diagonal_.end());
  return union_for(b_.steps(all), [&](std::int32_t d) {
    const NodeId run_of = b_.add(Op::reach, Type::cells, {from, straight(d, held, false)});
    const NodeId behind = b_.add(Op::reach, Type::cells, {from, straight(d, held, true)});
    const NodeId closed = b_.some(b_.add(Op::meet, Type::cells, {behind, stones(by)}));
    if (one_in(2)) return std::pair(run_of, closed);
    const NodeId none = random_cells();
    b_.program.cell_sets.back() = {};
    return std::pair(b_.add(Op::if_value, Type::cells, {closed, run_of, none}), b_.truth(true));
  });
}

// Takes or turns what is held between `here` and a piece of one's own.
NodeId Generator::custodian() {
  if (one_in(2)) {
    const NodeId held = held_between(b_.here(), 1, 0);
    return one_in(2) ? b_.act(Op::remove, {held}) : change(held);
  }
  // Straight on from here, one direction chosen, where a piece of one's own closes the run.
  return scoped([&] {
    const std::int32_t d = b_.slot();
    const NodeId chosen = b_.act(Op::choose, {b_.steps(orthogonal_)}, d);
    bind(d, Type::directions);
    const NodeId behind = b_.add(Op::reach, Type::cells, {b_.here(), straight(d, 1, true)});
    const NodeId closed = b_.require(b_.some(b_.add(Op::meet, Type::cells, {behind, b_.own(player_)})));
    const NodeId held = b_.add(Op::reach, Type::cells, {b_.here(), straight(d, 1, false)});
    return b_.seq({chosen, closed, b_.act(Op::remove, {held})});
  });
}

// The first cells of a set on each file or rank: where pieces that fall come to rest.
NodeId Generator::first_of_lines() {
  const auto& board = b_.program.board;
  const bool by_files = one_in(2);
  const NodeId numbers =
      b_.add(Op::range, Type::numbers, {b_.number(1), b_.number(by_files ? board.files : board.ranks)});
  const Op line = by_files ? Op::file_of : Op::rank_of, end = one_in(2) ? Op::first : Op::last;
  return union_for(numbers, [&](std::int32_t n) {
    const NodeId cells = b_.add(line, Type::cells, {b_.local(Type::number, n)});
    return std::pair(b_.add(end, Type::cells, {b_.add(Op::meet, Type::cells, {cells, b_.empty()})}),
                     b_.truth(true));
  });
}

NodeId Generator::falling() {
  if (one_in(2)) return b_.seq({b_.act(Op::to, {first_of_lines()}), drop(b_.here())});
  return scoped([&] {
    const auto& board = b_.program.board;
    const std::int32_t n = b_.slot();
    const NodeId chosen =
        b_.act(Op::choose, {b_.add(Op::range, Type::numbers, {b_.number(1), b_.number(board.files)})}, n);
    const NodeId file = b_.add(Op::file_of, Type::cells, {b_.local(Type::number, n)});
    const NodeId rest = b_.add(Op::first, Type::cells, {b_.add(Op::meet, Type::cells, {file, b_.empty()})});
    if (one_in(2)) return b_.seq({chosen, b_.act(Op::to, {rest}), drop(b_.here())});
    // Down from the top, as far as it goes.
    const NodeId top =
        b_.add(Op::last, Type::cells, {b_.add(Op::file_of, Type::cells, {b_.local(Type::number, n)})});
    const NodeId down = b_.seq({b_.go(b_.steps({orthogonal_[1]})), b_.at(b_.empty())});
    const std::int32_t visible_here = frame();
    return b_.seq({chosen, b_.act(Op::to, {top}),
                   b_.act(Op::repeat, {down, b_.number(below(2))}, kUnbounded | kMaximal, visible_here),
                   drop(b_.here())});
  });
}

// A piece that must breathe: what it encloses is taken first.
NodeId Generator::breathing() {
  const NodeId placed =
      b_.seq({b_.act(Op::to, {b_.empty()}), b_.act(Op::drop, {b_.here(), full_kind()}, player_, player_)});
  std::vector<NodeId> parts{placed};
  if (one_in(2)) parts.push_back(b_.act(Op::remove, {breathless(1)}));
  const NodeId own_group = flood(b_.here(), b_.own(player_));
  parts.push_back(b_.require(b_.some(b_.add(Op::meet, Type::cells, {next_to(own_group), b_.empty()}))));
  return b_.seq(parts);
}

// A choice of a cell for which something holds, then the piece on it moves.
NodeId Generator::chosen_first() {
  return scoped([&] {
    const std::int32_t c = b_.slot();
    const auto cell = [&] { return b_.local(Type::cells, c); };
    const NodeId source = members_where(b_.own(player_), [&](std::int32_t x) {
      const NodeId beside =
          b_.add(Op::meet, Type::cells, {next_to(b_.local(Type::cells, x)), stones(below(4))});
      return one_in(3) ? b_.add(Op::negation, Type::truth, {b_.some(beside)}) : b_.some(beside);
    });
    const NodeId chosen = b_.act(Op::choose, {one_in(2) ? source : b_.own(player_)}, c);
    bind(c, Type::cells);
    std::vector<NodeId> parts{chosen};
    if (one_in(3)) {
      const std::int32_t d = b_.slot();
      parts.push_back(b_.act(Op::choose, {plain_directions()}, d));
      bind(d, Type::directions);
      parts.insert(parts.end(), {b_.from(cell()), b_.lift(), go_chosen(d), b_.at(target()), b_.put()});
      return b_.seq(parts);
    }
    parts.push_back(b_.from(cell()));
    if (one_in(2)) { // by coordinates: only ahead, or to a side
      const Op axis = one_in(2) ? Op::y_of : Op::x_of;
      const NodeId ends = members_where(
          b_.add(Op::meet, Type::cells,
                 {b_.add(Op::reach, Type::cells, {b_.here(), b_.go(plain_directions())}), b_.empty()}),
          [&](std::int32_t x) {
            const NodeId there = b_.add(axis, Type::number, {b_.local(Type::cells, x)});
            const NodeId here = b_.add(axis, Type::number, {one_in(2) ? b_.here() : cell()});
            return one_in(2) ? b_.add(Op::less, Type::truth, {here, there})
                             : b_.add(Op::at_most, Type::truth, {there, here});
          });
      const std::int32_t to = b_.slot();
      parts.insert(parts.end(), {b_.act(Op::choose, {ends}, to), b_.lift(),
                                 b_.act(Op::to, {b_.local(Type::cells, to)}), b_.put()});
      return b_.seq(parts);
    }
    parts.push_back(step_ahead());
    return b_.seq(parts);
  });
}

// Rectangles of pieces: their corners are found, and they go where a map takes them.
NodeId Generator::rectangle_moved() {
  placed_ = false;
  return scoped([&] {
    const std::int32_t a = b_.slot(), z = b_.slot(), s = b_.slot();
    const auto local = [&](std::int32_t slot) { return b_.local(Type::cells, slot); };
    std::vector<NodeId> parts{b_.act(Op::choose, {b_.own(player_)}, a)};
    bind(a, Type::cells);
    const int gap = 1 + below(2);
    const NodeId corners = members_where(b_.own(player_), [&](std::int32_t x) {
      const NodeId box = b_.add(Op::box, Type::cells, {local(a), local(x), b_.number(gap)});
      const NodeId full = b_.add(Op::within, Type::truth, {box, b_.own(player_)});
      return one_in(2)
                 ? b_.add(Op::all_of, Type::truth,
                          {b_.some(b_.add(Op::box, Type::cells, {local(a), local(x), b_.number(gap)})), full})
                 : full;
    });
    parts.push_back(b_.act(Op::choose, {corners}, z));
    bind(z, Type::cells);
    parts.push_back(b_.act(Op::let, {b_.add(Op::box, Type::cells, {local(a), local(z), b_.number(gap)})}, s));
    bind(s, Type::cells);
    std::int32_t pivot = -1;
    if (one_in(2)) {
      pivot = b_.slot();
      parts.push_back(b_.act(Op::choose, {one_in(2) ? b_.board() : b_.empty()}, pivot));
      bind(pivot, Type::cells);
    }
    const int which = below(4);
    const int numerator = 1 + below(3), denominator = 1 + below(2), degrees = pick({90, 180, 270});
    const auto map = [&] {
      if (pivot >= 0 && which < 2) return b_.add(Op::shift, Type::map, {local(a), local(pivot)});
      switch (which) {
      case 0: return b_.add(Op::scale, Type::map, {b_.number(numerator), b_.number(denominator), local(s)});
      case 1: return b_.add(Op::rotate, Type::map, {b_.number(degrees), local(s)});
      case 2: return b_.add(Op::reflect, Type::map, {b_.steps({orthogonal_.front()}), local(s)});
      default:
        return b_.add(Op::scale, Type::map,
                      {b_.number(2), b_.number(1), pivot >= 0 ? local(pivot) : local(s)});
      }
    };
    const auto image = [&] { return b_.add(Op::image, Type::cells, {local(s), map()}); };
    const auto size = [&](NodeId set) { return b_.add(Op::count, Type::number, {set}); };
    if (one_in(2))
      parts.push_back(b_.require(b_.add(Op::equal, Type::truth, {size(image()), size(local(s))})));
    if (!one_in(3))
      parts.push_back(b_.require(
          b_.add(Op::negation, Type::truth,
                 {b_.some(b_.add(Op::meet, Type::cells,
                                 {image(), b_.add(Op::minus, Type::cells, {pieces_here(), local(s)})}))})));
    if (one_in(2)) parts.push_back(b_.act(Op::say, {local(s), b_.text("*"), image()}));
    parts.push_back(b_.act(Op::move_by, {local(s), map()}));
    if (one_in(3)) parts.push_back(b_.require(safe()));
    return b_.seq(parts);
  });
}

// Several pieces one after the other.
NodeId Generator::rounds() {
  const std::int32_t visible_here = frame();
  const NodeId body = scoped([&] {
    return b_.seq({b_.from(b_.own(player_)), step(plain_directions(), b_.empty())});
  });
  const int low = 1 + below(2);
  (void)visible_here;
  return b_.times(body, low, low + below(2));
}

NodeId Generator::listed() {
  switch (below(6)) {
  case 0: return has(Feature::drops) && has(Feature::lists) ? falling() : chosen_first();
  case 1: return has(Feature::drops) && loops() ? breathing() : chosen_first();
  case 2: return has(Feature::maps) && has(Feature::geometry) ? rectangle_moved() : chosen_first();
  case 3:
    return has(Feature::second_lift) && has(Feature::bounded) && b_.program.board.cells <= 30
               ? rounds()
               : chosen_first();
  default: return chosen_first();
  }
}

} // namespace boardwright::tests
