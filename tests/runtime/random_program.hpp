// Turns made at random, node by node: well typed, every local bound before it is read, and otherwise without
// sense. What rules people write covers little of what operations can do together; these cover it.
#pragma once

#include "runtime/game/playout.hpp"
#include "tests/runtime/by_row.hpp"
#include "tests/runtime/program_builder.hpp"

#include <vector>

namespace boardwright::runtime {

class RandomProgram {
public:
  RandomProgram(std::uint64_t seed, bool stacks, bool track)
      : b(make_board(track)), random_(seed), stacks_(stacks) {
    b.kind("king", "WBx");
    if (stacks) b.stacks();
    b.hand(0, 0, 2);
    b.hand(1, 1, 1);
    number_variable_ = b.variable(Type::number, 1);
    cells_variable_ = b.variable(Type::cells);
    place_pieces();
    for (std::int32_t player = 0; player < 2; ++player) {
      player_ = player;
      scope_.clear();
      b.program.players[at(player)].turn = turn();
    }
  }

  ProgramBuilder b;

private:
  struct Bound {
    std::int32_t slot;
    Type type;
  };
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
  static BoardBuilder make_board(bool track) {
    BoardBuilder board(4, 3, {"d3"});
    if (track) board.track({"a1", "b2", "c3", "c1", "a1"});
    for (const auto& [dx, dy] : {std::pair(0, 1), {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {-1, -1}, {2, 0}, {0, 2}})
      board.step(dx, dy);
    return board;
  }
  std::int32_t below(int n) {
    return static_cast<std::int32_t>(random_.below(static_cast<std::uint64_t>(n)));
  }

  void place_pieces() {
    for (Stack& stack : b.program.initial.cells) {
      const int height = stacks_ ? below(3) : below(2);
      for (int i = 0; i < height; ++i) stack.push_back(*b.program.piece_of("wbWBx"[below(5)]));
    }
  }

  // A name that is visible, of the type; -1: none.
  std::int32_t visible(Type type) {
    std::vector<std::int32_t> fitting;
    for (const Bound& bound : scope_)
      if (bound.type == type) fitting.push_back(bound.slot);
    return fitting.empty() ? -1 : fitting[at(below(static_cast<int>(fitting.size())))];
  }
  std::int32_t frame() {
    std::vector<std::uint32_t> slots;
    for (const Bound& bound : scope_) slots.push_back(static_cast<std::uint32_t>(bound.slot));
    return b.frame(slots);
  }
  // Something in which a new name is visible.
  template <class F>
  NodeId binding(Type type, std::int32_t& slot, F&& inner) {
    slot = b.slot();
    scope_.push_back({slot, type});
    const NodeId node = inner();
    scope_.pop_back();
    return node;
  }
  template <class F>
  NodeId scoped(F&& inner) {
    const std::size_t visible_before = scope_.size();
    const NodeId node = inner();
    scope_.resize(visible_before);
    return node;
  }

  // ---------------------------------------------------------------- values
  NodeId value(Type type, int depth) {
    if (const std::int32_t slot = visible(type); slot >= 0 && below(3) == 0) return b.local(type, slot);
    if (depth > 0 && below(8) == 0) return anything(type, depth - 1);
    if (depth > 0 && below(4) == 0)
      if (const std::vector<Op> all = tests::regular_operations(type, [](const auto&) { return true; });
          !all.empty())
        return tests::node_by_row(b, all[at(below(static_cast<int>(all.size())))], player_,
                                  [&](Type wanted) { return value(wanted, depth - 1); });
    switch (type) {
    case Type::number: return number(depth - 1);
    case Type::truth: return truth(depth - 1);
    case Type::cells: return cells(depth - 1);
    case Type::directions: return directions(depth - 1);
    case Type::kind:
      return depth > 0 && below(3) == 0 ? b.add(Op::kind_at, type, {cells(depth - 1)})
                                        : b.kind_node(below(3) - (below(4) == 0 ? 1 : 0) < 2 ? below(2) : 0);
    case Type::player: return b.add(Op::player, type, {}, below(2));
    case Type::map: return map(depth - 1);
    default: return list(type, depth - 1);
    }
  }
  NodeId anything(Type type, int depth) {
    const auto same = [&] { return value(type, depth); };
    switch (below(5)) {
    case 0: return b.add(Op::if_value, type, {truth(depth), same(), same()});
    case 1: return b.add(Op::before, type, {same()});
    case 2: return b.add(Op::by_kind, type, {cells(depth), same(), same(), same()});
    case 3: return b.add(Op::by_player, type, {value(Type::player, depth), same(), same()});
    default: {
      static constexpr Type types[] = {Type::number, Type::cells, Type::directions, Type::numbers,
                                       Type::sets,   Type::map,   Type::truth};
      const Type bound = types[below(7)];
      const NodeId first = value(bound, depth);
      std::int32_t slot = 0;
      const NodeId body = binding(bound, slot, same);
      return b.add(Op::let_value, type, {first, body}, slot);
    }
    }
  }
  NodeId number(int depth) {
    const auto n = [&] { return value(Type::number, depth); };
    const auto c = [&] { return value(Type::cells, depth); };
    if (depth <= 0) return b.number(below(5) - 1);
    switch (below(14)) {
    case 0: return b.add(Op::variable, Type::number, {}, number_variable_);
    case 3: return b.add(Op::add, Type::number, {n(), n()});
    case 4: return b.add(Op::subtract, Type::number, {n(), n()});
    case 5: return b.add(Op::multiply, Type::number, {n(), n()});
    case 6: return b.add(Op::divide, Type::number, {n(), n()});
    case 7: return b.add(Op::modulo, Type::number, {n(), n()});
    case 8: return b.add(Op::least, Type::number, {n(), n(), n()});
    case 9: return b.add(Op::greatest, Type::number, {n(), n()});
    case 1:
      return below(2) == 0
                 ? b.add(Op::pieces, Type::number, {c()}, below(4), player_)
                 : b.add(Op::pieces, Type::number, {c(), value(Type::kind, depth)}, below(4), player_);
    case 2: {
      static constexpr Type types[] = {Type::numbers, Type::sets, Type::kinds, Type::players};
      return b.add(Op::count, Type::number, {value(types[below(4)], depth)});
    }
    case 10: {
      static constexpr Op ops[] = {Op::sum_for, Op::product_for, Op::least_for, Op::greatest_for};
      return through_bindings(ops[below(4)], Type::number, Type::number, depth);
    }
    default: return b.add(Op::count, Type::number, {c()});
    }
  }
  NodeId truth(int depth) {
    const auto t = [&] { return value(Type::truth, depth); };
    const auto n = [&] { return value(Type::number, depth); };
    const auto c = [&] { return value(Type::cells, depth); };
    if (depth <= 0) return b.truth(below(3) > 0);
    switch (below(13)) {
    case 0: return b.add(Op::negation, Type::truth, {t()});
    case 1: return b.add(Op::all_of, Type::truth, {t(), t()});
    case 2: return b.add(Op::any_of, Type::truth, {t(), t()});
    case 3: {
      static constexpr Type types[] = {Type::number, Type::truth,   Type::cells, Type::directions,
                                       Type::kind,   Type::numbers, Type::sets,  Type::map};
      const Type type = types[below(8)];
      return b.add(Op::equal, Type::truth, {value(type, depth), value(type, depth)});
    }
    case 4: return b.add(Op::less, Type::truth, {n(), n()});
    case 5: return b.add(Op::at_most, Type::truth, {n(), n()});
    case 6: return b.add(Op::within, Type::truth, {c(), c()});
    case 7:
      return below(2) == 0 ? b.add(Op::member, Type::truth, {n(), value(Type::numbers, depth)})
                           : b.add(Op::member, Type::truth, {c(), value(Type::sets, depth)});
    case 8:
    case 9:
    case 10: {
      const NodeId source = source_of_members(depth);
      std::int32_t slot = 0;
      const NodeId body = binding(member_of(b.program.nodes[source].type), slot, t);
      return b.add(Op::some_where, Type::truth, {source, body}, slot);
    }
    case 11: return b.add(Op::can, Type::truth, {scoped([&] { return question(depth); })});
    default: return b.add(Op::some, Type::truth, {c()});
    }
  }
  static Type member_of(Type type) {
    switch (type) {
    case Type::numbers: return Type::number;
    case Type::sets: return Type::cells;
    case Type::kinds: return Type::kind;
    case Type::players: return Type::player;
    default: return type;
    }
  }
  NodeId source_of_members(int depth) {
    static constexpr Type types[] = {Type::cells,   Type::cells, Type::directions,
                                     Type::numbers, Type::sets,  Type::kinds};
    return value(types[below(6)], depth);
  }
  NodeId random_cells() {
    std::vector<std::string> names;
    for (const std::string& name : b.program.board.name)
      if (below(3) == 0) names.push_back(name);
    return b.cells(names);
  }
  NodeId cells(int depth) {
    const auto c = [&] { return value(Type::cells, depth); };
    const auto n = [&] { return value(Type::number, depth); };
    if (depth <= 0) return live_cells();
    switch (below(17)) {
    case 0: return b.add(Op::unite, Type::cells, {c(), c()});
    case 1: return b.add(Op::meet, Type::cells, {c(), c()});
    case 2: return b.add(Op::minus, Type::cells, {c(), c()});
    case 3: {
      const NodeId source = c();
      std::int32_t slot = 0;
      const NodeId body = binding(Type::cells, slot, [&] { return value(Type::truth, depth); });
      return b.add(Op::select, Type::cells, {source, body}, slot);
    }
    case 4: return b.add(Op::kind_cells, Type::cells, {value(Type::kind, depth)});
    case 5: return b.add(Op::complement, Type::cells, {c()});
    case 6:
      return b.add(Op::rectangle, Type::cells, {c(), c()}, -1,
                   below(2) == 0 ? -1 : 1024 * (1 + below(3)) + 1 + below(4));
    case 8: return b.add(Op::first, Type::cells, {c()});
    case 9: return b.add(Op::last, Type::cells, {c()});
    case 10:
      return b.add(Op::union_of, Type::cells, {value(below(2) == 0 ? Type::sets : Type::kinds, depth)});
    case 12: return b.add(below(2) == 0 ? Op::file_of : Op::rank_of, Type::cells, {n()});
    case 13: return b.add(Op::variable, Type::cells, {}, cells_variable_);
    case 14:
    case 15: {
      const NodeId sources = c();
      return b.add(Op::reach, Type::cells, {sources, scoped([&] { return reaching(depth); })});
    }
    default: return live_cells();
    }
  }
  NodeId live_cells() {
    switch (below(7)) {
    case 0: return b.own(player_);
    case 1: return b.enemy(player_);
    case 2: return b.empty();
    case 3: return b.here();
    case 4: return b.add(Op::start, Type::cells);
    case 5: return b.board();
    default: return random_cells();
    }
  }
  NodeId directions(int depth) {
    const auto d = [&] { return value(Type::directions, depth); };
    if (depth > 0) switch (below(12)) {
      case 0: return b.add(Op::unite, Type::directions, {d(), d()});
      case 1: return b.add(Op::minus, Type::directions, {d(), d()});
      case 2: return b.add(Op::sum, Type::directions, {d(), d()});
      case 3: return b.add(Op::times, Type::directions, {value(Type::number, depth), d()});
      case 4: return b.add(Op::opposite, Type::directions, {d()});
      case 5: return b.add(Op::turned, Type::directions, {d(), b.number(45 * below(9) - 90)});
      case 6: return b.add(Op::spins, Type::directions, {d()});
      case 7: return b.add(Op::heading, Type::directions);
      case 8: {
        const NodeId source = d();
        std::int32_t slot = 0;
        const NodeId body = binding(Type::directions, slot, [&] { return value(Type::truth, depth); });
        return b.add(Op::select, Type::directions, {source, body}, slot);
      }
      default: break;
      }
    std::vector<int> some;
    for (int step = 0; step < static_cast<int>(b.program.board.steps.size()); ++step)
      if (below(4) == 0) some.push_back(step);
    return b.steps(some);
  }
  NodeId list(Type type, int depth) {
    const auto member = [&] { return value(member_of(type), depth); };
    if (depth <= 0 || below(3) == 0) return b.add(Op::list, type, {member(), member(), member()});
    switch (below(6)) {
    case 0:
      return b.add(below(2) == 0   ? Op::unite
                   : below(2) == 0 ? Op::meet
                                   : Op::minus,
                   type, {value(type, depth), value(type, depth)});
    case 1: {
      const NodeId source = value(type, depth);
      std::int32_t slot = 0;
      const NodeId body = binding(member_of(type), slot, [&] { return value(Type::truth, depth); });
      return b.add(Op::select, type, {source, body}, slot);
    }
    case 2: return through_bindings(Op::list_for, type, member_of(type), depth);
    case 3:
      if (type == Type::numbers)
        return b.add(Op::range, type, {value(Type::number, depth), value(Type::number, depth)});
      break;
    case 4:
      if (type == Type::players) return b.add(Op::still_in, type, {}, below(2), below(2));
      break;
    default: break;
    }
    return b.add(Op::list, type, {member(), member()});
  }
  NodeId through_bindings(Op op, Type type, Type of_each, int depth) {
    const std::int32_t first = b.slot();
    b.slot(); // the names of one list have slots side by side
    const NodeId one = source_of_members(depth - 1);
    scope_.push_back({first, member_of(b.program.nodes[one].type)});
    const NodeId two = source_of_members(depth - 1);
    scope_.push_back({first + 1, member_of(b.program.nodes[two].type)});
    const NodeId body = value(of_each, depth - 1), condition = value(Type::truth, depth - 1);
    scope_.resize(scope_.size() - 2);
    return b.add(op, type, {body, condition, one, two}, first, 2);
  }
  NodeId map(int depth) {
    const auto c = [&] { return value(Type::cells, depth); };
    switch (below(4)) {
    case 0: return b.add(Op::scale, Type::map, {b.number(below(5) - 2), b.number(below(4) - 1), c()});
    case 1: return b.add(Op::rotate, Type::map, {b.number(90 * below(6) - 90), c()});
    case 2: return b.add(Op::reflect, Type::map, {value(Type::directions, depth), c()});
    default: return b.add(Op::shift, Type::map, {c(), c()});
    }
  }

  // ---------------------------------------------------------------- actions
  NodeId turn() {
    std::vector<NodeId> parts{b.from(b.board())};
    if (below(3) > 0) parts.push_back(b.lift());
    const int more = 1 + below(4);
    for (int i = 0; i < more; ++i) parts.push_back(action(3));
    if (below(2) > 0) parts.push_back(b.put());
    return b.seq(parts);
  }
  NodeId question(int depth) { return action(std::min(depth, 2)); }
  // What `reach` walks; mostly without changes, so that it may be done by whole sets.
  NodeId reaching(int depth) {
    if (below(5) == 0) return action(std::min(depth, 2));
    return walking(std::min(depth, 3));
  }
  NodeId walking(int depth) {
    const auto c = [&] { return value(Type::cells, depth); };
    const auto d = [&] { return value(Type::directions, depth); };
    if (depth > 0) switch (below(11)) {
      case 0: return b.seq({walking(depth - 1), walking(depth - 1)});
      case 1:
        return b.alt(
            {scoped([&] { return walking(depth - 1); }), scoped([&] { return walking(depth - 1); })});
      case 2: return loop(depth, [&] { return walking(depth - 1); });
      case 3: return loop(depth, [&] { return b.seq({b.go(d()), b.at(c())}); });
      case 4: return choose(depth);
      case 5: return b.require(value(Type::truth, depth));
      case 6: return b.act(Op::to, {c()});
      case 7:
        return b.act(Op::if_action, {value(Type::truth, depth), scoped([&] { return walking(depth - 1); })});
      case 8:
        return b.act(Op::by_kind_action, {b.here(), walk_alone(depth), walk_alone(depth), walk_alone(depth)});
      default: break;
      }
    return below(2) == 0 ? b.go(d()) : b.seq({b.go(d()), b.at(c())});
  }
  NodeId walk_alone(int depth) {
    return scoped([&] { return walking(depth - 1); });
  }
  NodeId choose(int depth) {
    const NodeId source = source_of_members(depth - 1);
    const std::int32_t slot = b.slot();
    scope_.push_back({slot, member_of(b.program.nodes[source].type)});
    return b.act(Op::choose, {source}, slot);
  }
  template <class F>
  NodeId loop(int depth, F&& body) {
    return scoped([&] {
      const std::int32_t visible_here = frame();
      const std::int32_t flags = below(3) == 0 ? kMaximal : 0;
      const bool unbounded = below(2) == 0;
      const NodeId low = b.number(below(3)), high = unbounded ? kNoNode : b.number(below(4));
      std::vector<NodeId> kids{body(), low};
      if (!unbounded) kids.push_back(high);
      const bool until = below(4) == 0;
      if (until) kids.push_back(value(Type::truth, depth - 1));
      return b.act(Op::repeat, kids, flags | (unbounded ? kUnbounded : 0) | (until ? kUntil : 0),
                   visible_here);
    });
  }
  NodeId alone(int depth) {
    return scoped([&] { return action(depth); });
  }
  NodeId action(int depth) {
    const auto c = [&] { return value(Type::cells, depth); };
    const auto n = [&] { return value(Type::number, depth); };
    if (depth <= 0) return simple(0);
    switch (below(22)) {
    case 0:
    case 1: return b.seq({action(depth - 1), action(depth - 1)});
    case 2: return b.alt({alone(depth - 1), alone(depth - 1)});
    case 3: return b.act(Op::otherwise, {alone(depth - 1), alone(depth - 1), alone(depth - 1)});
    case 4:
    case 5:
    case 6: return loop(depth, [&] { return action(depth - 1); });
    case 7: return b.act(Op::if_action, {value(Type::truth, depth), alone(depth - 1), alone(depth - 1)});
    case 8: return choose(depth);
    case 9: {
      const NodeId count = b.number(below(4)), source = source_of_members(depth - 1);
      const std::int32_t slot = b.slot();
      scope_.push_back({slot, b.program.nodes[source].type});
      return b.act(Op::choose_some, {count, source}, slot);
    }
    case 10: {
      const NodeId source = source_of_members(depth - 1);
      std::int32_t slot = 0;
      const NodeId body = scoped([&] {
        return binding(member_of(b.program.nodes[source].type), slot, [&] { return sure(depth - 1); });
      });
      return b.act(Op::each, {source, body}, slot);
    }
    case 11: {
      const NodeId inner = action(depth - 1);
      return b.act(Op::most, {inner, n()});
    }
    case 12: {
      const std::int32_t visible_here = frame();
      return b.act(Op::distinct, {action(depth - 1)}, 0, visible_here);
    }
    case 13: return b.act(Op::quietly, {action(depth - 1)});
    case 14: return b.act(Op::by_kind_action, {c(), alone(depth - 1), alone(depth - 1), alone(depth - 1)});
    case 15: return walking(depth - 1);
    default: return simple(depth - 1);
    }
  }
  // Mostly with one outcome, as `each` needs it.
  NodeId sure(int depth) {
    if (below(8) == 0) return action(depth);
    const auto c = [&] { return value(Type::cells, depth); };
    switch (below(5)) {
    case 0: return b.act(Op::remove, {c()});
    case 1: return b.act(Op::set_variable, {value(Type::number, depth)}, number_variable_);
    case 2:
      return b.seq({b.act(Op::to, {b.add(Op::first, Type::cells, {b.board()})}),
                    b.act(Op::set_variable, {c()}, cells_variable_)});
    case 3:
      return b.act(Op::otherwise,
                   {b.seq({b.act(Op::alternatives, {b.act(Op::never), b.act(Op::pass)})}), b.act(Op::pass)});
    default: return b.act(Op::change, {c()}, below(2), 0);
    }
  }
  // Mostly one that there is: `none` is a fault.
  NodeId given_kind(int depth) { return below(12) == 0 ? value(Type::kind, depth) : b.kind_node(player_); }
  NodeId simple(int depth) {
    const auto c = [&] { return value(Type::cells, depth); };
    const auto n = [&] { return value(Type::number, depth); };
    switch (below(24)) {
    case 0: return b.from(c());
    case 1: return b.act(Op::to, {c()});
    case 2: return b.at(c());
    case 3:
    case 4: return b.go(value(Type::directions, depth));
    case 5: {
      static constexpr Type types[] = {Type::number,  Type::cells, Type::directions,
                                       Type::numbers, Type::sets,  Type::map};
      const Type type = types[below(6)];
      const NodeId bound = value(type, depth);
      const std::int32_t slot = b.slot();
      scope_.push_back({slot, type});
      return b.act(Op::let, {bound}, slot);
    }
    case 6: return b.require(value(Type::truth, depth));
    case 7: return stacks_ && below(2) == 0 ? b.act(Op::lift, {n()}) : lift_if_free();
    case 8:
    case 9: return below(2) == 0 ? b.put() : b.act(Op::put, {n()});
    case 10: return b.act(Op::discard, {n()});
    case 11: return b.act(Op::remove, {c()});
    case 12:
      return b.act(Op::drop, {c(), given_kind(depth), b.number(stacks_ ? below(3) : below(2))},
                   below(3) - 2 >= 0 ? player_ : kNatural, player_);
    case 13: return b.act(Op::change, {c()}, below(2), 0);
    case 14: return b.act(Op::change, {b.here(), given_kind(depth)}, player_, 1);
    case 15: return b.act(Op::move_by, {c(), value(Type::map, depth)});
    case 16: return assign(depth);
    case 17: return b.act(Op::set_variable, {n()}, number_variable_);
    case 18: return b.act(Op::set_variable, {c()}, cells_variable_);
    case 19: return b.act(Op::set_hand, {b.kind_node(player_), n()}, player_);
    case 20: return b.act(below(2) == 0 ? Op::pass : Op::again);
    case 21: return decide();
    case 22: return b.act(Op::say, {b.text("t"), c(), n()});
    default: return b.act(Op::never);
    }
  }
  NodeId lift_if_free() {
    if (stacks_) return b.lift();
    const NodeId nothing = b.add(Op::equal, Type::truth, {b.add(Op::carried, Type::number), b.number(0)});
    return b.seq({b.require(nothing), b.lift()});
  }
  NodeId assign(int depth) {
    static constexpr Type types[] = {Type::number, Type::cells, Type::directions, Type::numbers, Type::sets};
    const Type type = types[below(5)];
    const std::int32_t slot = visible(type);
    return slot < 0 ? b.act(Op::pass) : b.act(Op::set_local, {value(type, depth)}, slot);
  }
  NodeId decide() {
    if (below(3) > 0) return b.act(Op::pass);
    switch (below(3)) {
    case 0: return b.act(Op::win, {}, player_);
    case 1: return b.act(Op::lose, {}, player_);
    default: return b.act(Op::draw);
    }
  }

  Random random_;
  bool stacks_;
  std::int32_t player_ = 0;
  int number_variable_ = 0, cells_variable_ = 0;
  std::vector<Bound> scope_;
};

} // namespace boardwright::runtime
