#include "tests/generated/generator.hpp"

#include "tests/runtime/by_row.hpp"

#include <algorithm>
#include <string>

namespace boardwright::tests {

using runtime::Owners;

std::int32_t Generator::visible(Type type) {
  std::vector<std::int32_t> fitting;
  for (const Bound& bound : scope_)
    if (bound.type == type) fitting.push_back(bound.slot);
  return fitting.empty() ? -1 : pick(fitting);
}

std::int32_t Generator::frame() {
  std::vector<std::uint32_t> slots;
  for (const Bound& bound : scope_) slots.push_back(static_cast<std::uint32_t>(bound.slot));
  return b_.frame(slots);
}

Type Generator::member_of(Type list) {
  switch (list) {
  case Type::numbers: return Type::number;
  case Type::sets: return Type::cells;
  case Type::kinds: return Type::kind;
  case Type::players: return Type::player;
  default: return list;
  }
}

NodeId Generator::value(Type type, int depth) {
  if (full()) depth = 0;
  if (const std::int32_t slot = visible(type); slot >= 0 && one_in(3)) return b_.local(type, slot);
  if (depth > 0 && has(Feature::deep_values) && one_in(8)) return connective(type, depth - 1);
  if (depth > 0 && one_in(4))
    if (const auto node = by_row(type, depth - 1)) return *node;
  switch (type) {
  case Type::number: return number(depth - 1);
  case Type::truth: return truth(depth - 1);
  case Type::cells: return cells(depth - 1);
  case Type::directions: return directions(depth - 1);
  case Type::kind: return kind_value(depth - 1);
  case Type::player:
    if (player_variable_ >= 0 && one_in(3)) return b_.add(Op::variable, Type::player, {}, player_variable_);
    return b_.add(Op::player, type, {}, below(b_.program.player_count()));
  case Type::map: return map(depth - 1);
  default: return list(type, depth - 1);
  }
}

// The first or last member of a list, for the types that lists have.
NodeId Generator::end_of_list(Type type, int depth) {
  const Op op = pick({Op::first_of, Op::last_of});
  if (!has(Feature::lists)) return value(type, depth);
  switch (type) {
  case Type::number: return b_.add(op, type, {list(Type::numbers, depth)}, below(3) - 1);
  case Type::cells: return b_.add(op, type, {list(Type::sets, depth)});
  case Type::kind: return b_.add(op, type, {list(Type::kinds, depth)}, -1);
  case Type::player: return b_.add(op, type, {list(Type::players, depth)}, below(b_.program.player_count()));
  default: return value(type, depth);
  }
}

NodeId Generator::connective(Type type, int depth) {
  const auto same = [&] { return value(type, depth); };
  switch (below(6)) {
  case 0: return b_.add(Op::if_value, type, {truth(depth), same(), same()});
  case 4: return end_of_list(type, depth);
  case 1: return has(Feature::before) ? b_.add(Op::before, type, {same()}) : same();
  case 2: {
    if (!has(Feature::kinds)) return same();
    std::vector<NodeId> kids{cells(depth)};
    for (std::size_t k = 0; k <= b_.program.kinds.size(); ++k) kids.push_back(same());
    return b_.add(Op::by_kind, type, kids);
  }
  case 3: {
    if (!has(Feature::by_player)) return same();
    std::vector<NodeId> kids{value(Type::player, depth)};
    for (int p = 0; p < b_.program.player_count(); ++p) kids.push_back(same());
    return b_.add(Op::by_player, type, kids);
  }
  default: {
    if (!has(Feature::locals)) return same();
    const Type bound = pick({Type::number, Type::cells, Type::directions, Type::truth, Type::kind});
    const NodeId first = value(bound, depth);
    const std::int32_t slot = b_.slot();
    const NodeId body = binding(bound, slot, same);
    return b_.add(Op::let_value, type, {first, body}, slot);
  }
  }
}

// A feature that is off occurs nowhere: what a row reads and takes tells which it needs.
bool Generator::allows(const runtime::Operation& row) const {
  const auto takes = [&](std::string_view letters) {
    return row.children.find_first_of(letters) != std::string_view::npos ||
           row.types.find_first_of(letters) != std::string_view::npos;
  };
  if (takes("m") && !has(Feature::maps)) return false;
  if (takes("k") && !has(Feature::kinds)) return false;
  if (takes("lNSKPv") && !has(Feature::lists)) return false;
  if ((row.traits & runtime::kByEdges) != 0 && !has(Feature::geometry)) return false;
  if (row.reads == runtime::kHands && !has(Feature::hands)) return false;
  if ((row.reads & runtime::kGame) != 0 && !has(Feature::counters)) return false;
  if (row.cost == runtime::Cost::search && !has(Feature::repetition)) return false;
  return (row.reads & runtime::kBeginning) == 0 || has(Feature::before);
}

std::optional<NodeId> Generator::by_row(Type type, int depth) {
  const std::vector<Op> all = regular_operations(type, [&](const auto& row) { return allows(row); });
  if (all.empty()) return std::nullopt;
  const Op op = pick(all);
  const std::int32_t whose =
      runtime::about(op).a == runtime::Operand::player ? below(b_.program.player_count()) : 0;
  return node_by_row(b_, op, whose, [&](Type wanted) { return value(wanted, depth); });
}

// ---------------------------------------------------------------- numbers

NodeId Generator::number_constant() {
  if (has(Feature::large_numbers) && one_in(3))
    return b_.number(pick(
        {2147483647, -2147483647 - 1, 2147483646, 2000000000, -2000000000, 1 << 30, 65536, 46341, -65537}));
  return b_.number(below(6) - 1);
}

NodeId Generator::arithmetic(int depth) {
  const auto n = [&] { return value(Type::number, depth); };
  switch (below(8)) {
  case 0: return b_.add(Op::add, Type::number, {n(), n()});
  case 1: return b_.add(Op::subtract, Type::number, {n(), n()});
  case 2: return b_.add(Op::multiply, Type::number, {n(), n()});
  case 3: return b_.add(Op::divide, Type::number, {n(), n()});
  case 4: return b_.add(Op::modulo, Type::number, {n(), n()});
  case 5: return b_.add(Op::least, Type::number, {n(), n(), n()});
  case 6: return b_.add(Op::greatest, Type::number, {n(), n()});
  default: return b_.add(Op::negate, Type::number, {n()});
  }
}

NodeId Generator::number(int depth) {
  const auto c = [&] { return value(Type::cells, depth); };
  if (!readable_.empty() && one_in(3)) return b_.add(Op::variable, Type::number, {}, pick(readable_));
  if (depth < 0) return number_constant();
  switch (below(11)) {
  case 0:
    if (!has(Feature::hands)) break;
    return b_.add(Op::hand, Type::number, {kind_value(0)}, player_);
  case 1:
  case 2: return arithmetic(depth);
  case 3: {
    const std::int32_t owners = below(4);
    if (has(Feature::kinds) && one_in(2))
      return b_.add(Op::pieces, Type::number, {c(), kind_value(depth)}, owners, player_);
    return b_.add(Op::pieces, Type::number, {c()}, owners, player_);
  }
  case 4:
    if (!has(Feature::lists)) break;
    return b_.add(Op::count, Type::number, {some_list(depth)});
  case 5: return b_.add(Op::count, Type::number, {value(Type::directions, depth)});
  case 6:
    if (!has(Feature::repetition)) break;
    return b_.add(Op::repeats_of, Type::number, {}, below(b_.program.player_count()));
  case 7:
    return through_bindings(pick({Op::sum_for, Op::product_for, Op::least_for, Op::greatest_for}), Type::number, Type::number,
                            depth);
  default: return b_.add(Op::count, Type::number, {c()});
  }
  return number_constant();
}

NodeId Generator::small_number(int depth) {
  if (depth <= 0 || !one_in(3)) return b_.number(below(4));
  return b_.add(Op::modulo, Type::number, {number(depth - 1), b_.number(4)});
}

// ---------------------------------------------------------------- truths

NodeId Generator::truth(int depth) {
  const auto t = [&] { return value(Type::truth, depth - 1); };
  const auto n = [&] { return value(Type::number, depth); };
  const auto c = [&] { return value(Type::cells, depth); };
  if (truth_variable_ >= 0 && one_in(4)) return b_.add(Op::variable, Type::truth, {}, truth_variable_);
  if (depth < 0) return one_in(3) ? b_.truth(!one_in(4)) : b_.some(plain_cells());
  if (has(Feature::rows) && loops() && one_in(8)) return one_in(2) ? row_here() : b_.some(row_cells());
  if (has(Feature::groups) && loops() && one_in(8)) return about_groups();
  if (has(Feature::attacks) && one_in(8)) return safe();
  switch (below(12)) {
  case 0: return b_.add(Op::negation, Type::truth, {t()});
  case 1: return b_.add(Op::all_of, Type::truth, {t(), t()});
  case 2: return b_.add(Op::any_of, Type::truth, {t(), t()});
  case 3: {
    const Type type = has(Feature::lists)
                          ? pick({Type::number, Type::kind, Type::numbers, Type::sets, Type::players})
                          : pick({Type::number, Type::truth, Type::cells, Type::directions});
    return b_.add(Op::equal, Type::truth, {value(type, depth), value(type, depth)});
  }
  case 4: return b_.add(Op::less, Type::truth, {n(), n()});
  case 5: return b_.add(Op::at_most, Type::truth, {n(), n()});
  case 6:
    if (one_in(3))
      return b_.add(Op::within, Type::truth,
                    {value(Type::directions, depth), value(Type::directions, depth)});
    return b_.add(Op::within, Type::truth, {c(), c()});
  case 7: {
    if (!has(Feature::lists)) break;
    const Type type = pick({Type::numbers, Type::sets, Type::kinds, Type::players});
    return b_.add(Op::member, Type::truth, {value(member_of(type), depth), value(type, depth)});
  }
  case 8: {
    const NodeId source = source_of_members(depth);
    const std::int32_t slot = b_.slot();
    const Type type = member_of(b_.program.nodes[source].type);
    const NodeId body = binding(type, slot, t);
    return b_.add(Op::some_where, Type::truth, {source, body}, slot);
  }
  case 9: {
    if (!has(Feature::can) || depth < 1) break;
    const bool wild = has(Feature::wild_actions);
    return b_.add(Op::can, Type::truth, {scoped([&] {
                    return b_.seq({b_.act(Op::to, {c()}), wild ? action(1) : walking(1)});
                  })});
  }
  default: break;
  }
  return b_.some(c());
}

NodeId Generator::some_list(int depth) {
  return value(pick({Type::numbers, Type::sets, Type::kinds, Type::players}), depth);
}

NodeId Generator::source_of_members(int depth) {
  if (has(Feature::lists) && one_in(2)) return some_list(depth);
  return value(one_in(3) ? Type::directions : Type::cells, depth);
}

// ---------------------------------------------------------------- cells

NodeId Generator::random_cells() {
  runtime::CellSet set;
  const auto& board = b_.program.board;
  const int mode = below(3);
  const int chosen = 1 + below(board.files), rank = 1 + below(board.ranks);
  for (int c = 0; c < board.cells; ++c) {
    const auto i = static_cast<std::size_t>(c);
    if (mode == 0 ? one_in(3) : mode == 1 ? board.x[i] == chosen : board.y[i] == rank) set.set(c);
  }
  b_.program.cell_sets.push_back(set);
  return b_.add(Op::cells, Type::cells, {}, static_cast<std::int32_t>(b_.program.cell_sets.size()) - 1);
}

NodeId Generator::plain_cells() {
  switch (below(9)) {
  case 0: return b_.own(player_);
  case 1: return b_.enemy(player_);
  case 2: return b_.empty();
  case 3: return b_.here();
  case 4: return b_.add(Op::start, Type::cells);
  case 5: return b_.board();
  case 6:
    if (!has(Feature::neutral)) return random_cells();
    return b_.add(Op::owned, Type::cells, {}, static_cast<std::int32_t>(Owners::neutral), player_);
  case 7:
    if (cells_variable_ >= 0) return b_.add(Op::variable, Type::cells, {}, cells_variable_);
    return b_.add(Op::complement, Type::cells, {b_.own(player_)});
  default: return random_cells();
  }
}

NodeId Generator::geometric_cells(int depth) {
  const auto c = [&] { return value(Type::cells, depth); };
  const auto n = [&] { return value(Type::number, depth); };
  const auto corner = [&] {
    return one_in(2) ? -1 : 1024 * (1 + below(b_.program.board.ranks)) + 1 + below(b_.program.board.files);
  };
  switch (below(6)) {
  case 0: return b_.add(Op::rectangle, Type::cells, {c(), c()}, corner(), corner());
  case 2: return b_.add(Op::file_of, Type::cells, {n()});
  case 3: return b_.add(Op::cell_numbered, Type::cells, {n()});
  case 1: return b_.add(Op::first, Type::cells, {c()});
  case 4: return b_.add(Op::last, Type::cells, {c()});
  default: return b_.add(Op::rank_of, Type::cells, {n()});
  }
}

// The connected part of `within` around `from`.
NodeId Generator::group(NodeId from, NodeId within) {
  const NodeId again = b_.star(b_.seq({b_.go(plain_directions()), b_.at(within)}), 0, frame());
  return b_.add(Op::reach, Type::cells, {from, again});
}

// Straight on, as long as the cells are in `within`.
NodeId Generator::run(NodeId from, NodeId directions, NodeId within) {
  const std::int32_t slot = b_.slot();
  const NodeId chosen = b_.act(Op::choose, {directions}, slot);
  return scoped([&] {
    bind(slot, Type::directions);
    const NodeId on = b_.plus(b_.seq({go_chosen(slot), b_.at(within)}), 0, frame());
    return b_.add(Op::reach, Type::cells, {from, b_.seq({chosen, on})});
  });
}

NodeId Generator::reached(int depth) {
  const auto c = [&] { return value(Type::cells, depth); };
  switch (below(4)) {
  case 0: return b_.add(Op::reach, Type::cells, {c(), b_.go(plain_directions())});
  case 1: return loops() ? group(c(), c()) : c();
  case 2: return loops() ? run(c(), plain_directions(), c()) : c();
  default: {
    const NodeId from = c();
    return b_.add(Op::reach, Type::cells, {from, scoped([&] { return walking(std::min(depth, 2) + 1); })});
  }
  }
}

NodeId Generator::cells(int depth) {
  const auto c = [&] { return value(Type::cells, depth); };
  if (depth < 0) return plain_cells();
  if (has(Feature::rows) && loops() && one_in(10)) return row_cells();
  if (has(Feature::groups) && loops() && one_in(10))
    return one_in(2) ? breathless(below(2)) : flood(c(), stones(below(4)));
  if (has(Feature::listed) && loops() && one_in(12))
    return one_in(2) ? first_of_lines() : held_between(plain_cells(), below(3), below(3));
  if (has(Feature::attacks) && one_in(10)) return attacked(one_in(2) ? b_.own(player_) : b_.enemy(player_));
  switch (below(15)) {
  case 0: return b_.add(Op::unite, Type::cells, {c(), c()});
  case 1: return b_.add(Op::meet, Type::cells, {c(), c()});
  case 2: return b_.add(Op::minus, Type::cells, {c(), c()});
  case 3: {
    const NodeId source = c();
    const std::int32_t slot = b_.slot();
    const NodeId body = binding(Type::cells, slot, [&] { return value(Type::truth, depth); });
    return b_.add(Op::select, Type::cells, {source, body}, slot);
  }
  case 4:
    if (!has(Feature::kinds)) break;
    return b_.add(Op::kind_cells, Type::cells, {value(Type::kind, depth)});
  case 5: return b_.add(Op::complement, Type::cells, {c()});
  case 6:
  case 7:
    if (!has(Feature::geometry)) break;
    return geometric_cells(depth);
  case 8: {
    if (!has(Feature::lists)) break;
    return b_.add(Op::union_of, Type::cells, {value(one_in(2) ? Type::sets : Type::kinds, depth)});
  }
  case 9:
  case 10:
    if (!has(Feature::reach)) break;
    return reached(depth);
  case 11:
    if (!has(Feature::before)) break;
    return b_.add(Op::before, Type::cells, {c()});
  default: break;
  }
  return plain_cells();
}

// ---------------------------------------------------------------- directions

NodeId Generator::plain_directions() {
  switch (below(8)) {
  case 0: return b_.steps(orthogonal_);
  case 1: {
    std::vector<int> all = orthogonal_;
    all.insert(all.end(), diagonal_.begin(), diagonal_.end());
    return b_.steps(all);
  }
  case 2: // the way ahead of each player
    return b_.steps({orthogonal_[static_cast<std::size_t>(player_) % 2]});
  case 3:
    if (!leaps_.empty()) return b_.steps(leaps_);
    break;
  case 4:
    if (!tracks_.empty()) return b_.steps({pick(tracks_)});
    break;
  case 5: {
    std::vector<int> some;
    for (int step = 0; step < static_cast<int>(b_.program.board.steps.size()); ++step)
      if (one_in(4)) some.push_back(step);
    return b_.steps(some);
  }
  default: break;
  }
  return b_.steps(orthogonal_);
}

NodeId Generator::directions(int depth) {
  const auto d = [&] { return value(Type::directions, depth); };
  if (depth >= 0) switch (below(12)) {
    case 0: return b_.add(Op::unite, Type::directions, {d(), d()});
    case 1: return b_.add(Op::minus, Type::directions, {d(), d()});
    case 2: return b_.add(Op::meet, Type::directions, {d(), d()});
    case 3: return b_.add(Op::heading, Type::directions);
    case 4: return b_.add(Op::opposite, Type::directions, {d()});
    case 5: {
      const NodeId source = d();
      const std::int32_t slot = b_.slot();
      const NodeId body = binding(Type::directions, slot, [&] { return value(Type::truth, depth); });
      return b_.add(Op::select, Type::directions, {source, body}, slot);
    }
    case 6:
      if (!has(Feature::geometry)) break;
      return b_.add(Op::turned, Type::directions, {d(), b_.number(45 * below(9) - 90)});
    case 7:
      if (!has(Feature::geometry)) break;
      return b_.add(Op::sum, Type::directions, {d(), d()});
    case 8:
      if (!has(Feature::geometry)) break;
      return one_in(2) ? b_.add(Op::times, Type::directions, {value(Type::number, depth), d()})
                       : b_.add(Op::spins, Type::directions, {d()});
    default: break;
    }
  return plain_directions();
}

// ---------------------------------------------------------------- kinds, lists, maps

NodeId Generator::full_kind() { return b_.kind_node(pick(full_kinds_)); }

NodeId Generator::kind_value(int depth) {
  if (kind_variable_ >= 0 && one_in(3)) return b_.add(Op::variable, Type::kind, {}, kind_variable_);
  if (depth >= 0 && one_in(2)) return b_.add(Op::kind_at, Type::kind, {value(Type::cells, depth)});
  return one_in(6) ? b_.kind_node(-1) : full_kind();
}

NodeId Generator::list(Type type, int depth) {
  const auto member = [&] { return value(member_of(type), depth); };
  if (depth >= 0) switch (below(7)) {
    case 0:
      return b_.add(pick({Op::unite, Op::meet, Op::minus}), type, {value(type, depth), value(type, depth)});
    case 1: {
      const NodeId source = value(type, depth);
      const std::int32_t slot = b_.slot();
      const NodeId body = binding(member_of(type), slot, [&] { return value(Type::truth, depth); });
      return b_.add(Op::select, type, {source, body}, slot);
    }
    case 2: return through_bindings(Op::list_for, type, member_of(type), depth);
    case 3:
    case 4:
      if (type == Type::numbers) return b_.add(Op::range, type, {small_number(depth), small_number(depth)});
      if (type == Type::players)
        return b_.add(Op::still_in, type, {}, below(b_.program.player_count()), below(2));
      break;
    default: break;
    }
  std::vector<NodeId> members;
  for (int i = below(4); i >= 0; --i) members.push_back(member());
  return b_.add(Op::list, type, members);
}

NodeId Generator::through_bindings(Op op, Type type, Type of_each, int depth) {
  const int names = 1 + below(2);
  const std::int32_t first = b_.slot();
  if (names > 1) b_.slot(); // the names of one list have slots side by side
  return scoped([&] {
    std::vector<NodeId> sources;
    for (int i = 0; i < names; ++i) {
      sources.push_back(source_of_members(depth - 1));
      bind(first + i, member_of(b_.program.nodes[sources.back()].type));
    }
    const NodeId body = value(of_each, depth - 1), condition = value(Type::truth, depth - 1);
    std::vector<NodeId> kids{body, condition};
    kids.insert(kids.end(), sources.begin(), sources.end());
    return b_.add(op, type, kids, first, names);
  });
}

NodeId Generator::map(int depth) {
  const auto c = [&] { return value(Type::cells, depth); };
  switch (below(4)) {
  case 0: return b_.add(Op::scale, Type::map, {b_.number(below(5) - 2), b_.number(below(4) - 1), c()});
  case 1: return b_.add(Op::rotate, Type::map, {b_.number(30 * below(16) - 90), c()});
  case 2: return b_.add(Op::reflect, Type::map, {value(Type::directions, depth), c()});
  default: return b_.add(Op::shift, Type::map, {c(), c()});
  }
}

} // namespace boardwright::tests
