// Programs made at random, by a seed: well typed, every local bound before it is read, with any subset of
// what the language knows (features.hpp). Many are games of a sort, with steps, rides, captures, chains and
// drops, so that an engine's quick ways are taken; others are wild.
//
//   generate_setup.cpp    boards, pieces, hands, variables, the position
//   generate_values.cpp   numbers, truths, sets, directions, lists, maps
//   generate_actions.cpp  actions of any sort, joined in any way
//   generate_ways.cpp     what moves are like in games, turns, end lines
//   generate_idioms.cpp   what authors say with sets: rows, groups, attacks, formations
//   generate_lists.cpp    what they say with lists that `for` makes, coordinates and maps
#pragma once

#include "runtime/model/operations.hpp"
#include "tests/generated/features.hpp"
#include "tests/runtime/program_builder.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace boardwright::tests {

using runtime::NodeId;
using runtime::Op;
using runtime::Type;

class Generator {
public:
  explicit Generator(std::uint64_t seed);

  [[nodiscard]] const Features& features() const { return features_; }
  [[nodiscard]] const runtime::Program& program() const { return b_.program; }

private:
  struct Bound {
    std::int32_t slot;
    Type type;
  };

  // --- chance
  int below(int n) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(n))); }
  bool one_in(int n) { return below(n) == 0; }
  [[nodiscard]] bool has(Feature f) const { return features_.has(f); }
  template <class T>
  T pick(std::initializer_list<T> all) {
    return all.begin()[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }
  template <class T>
  const T& pick(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }
  // Enough is enough: no more nodes within nodes.
  [[nodiscard]] bool full() const { return b_.program.nodes.size() > node_limit_; }

  // --- the set-up
  static runtime::BoardBuilder make_board(runtime::Random& random, const Features& features);
  void add_directions();
  void add_tracks();
  void add_curves();
  void make_irregular();
  void add_kinds();
  void add_hands();
  void add_variables();
  void place_pieces();
  void add_step(std::vector<int>& into, int dx, int dy);
  [[nodiscard]] int opposite_of(int step) const;

  // --- names
  std::int32_t visible(Type type);
  std::int32_t frame();
  void bind(std::int32_t slot, Type type) { scope_.push_back({slot, type}); }
  template <class F>
  NodeId binding(Type type, std::int32_t slot, F&& inner) {
    bind(slot, type);
    const NodeId node = inner();
    scope_.pop_back();
    return node;
  }
  template <class F>
  NodeId scoped(F&& inner) {
    const std::size_t before = scope_.size();
    const NodeId node = inner();
    scope_.resize(before);
    return node;
  }
  static Type member_of(Type list);

  // --- values: of any sort, nested at most `depth` deep
  NodeId value(Type type, int depth);
  NodeId connective(Type type, int depth);
  // One of the operations whose row tells all that it takes, or nothing of the type.
  std::optional<NodeId> by_row(Type type, int depth);
  [[nodiscard]] bool allows(const runtime::Operation& row) const;
  NodeId number(int depth);
  NodeId number_constant();
  NodeId arithmetic(int depth);
  NodeId small_number(int depth); // for what is done so many times
  NodeId truth(int depth);
  NodeId cells(int depth);
  NodeId plain_cells();
  NodeId random_cells();
  NodeId geometric_cells(int depth);
  NodeId reached(int depth);
  NodeId group(NodeId from, NodeId within);
  NodeId run(NodeId from, NodeId directions, NodeId within);
  NodeId directions(int depth);
  NodeId plain_directions();
  NodeId kind_value(int depth);
  NodeId full_kind();
  NodeId list(Type type, int depth);
  NodeId through_bindings(Op op, Type type, Type of_each, int depth);
  NodeId end_of_list(Type type, int depth);
  NodeId map(int depth);
  NodeId some_list(int depth);
  NodeId source_of_members(int depth);
  NodeId pieces_here() { return b_.add(Op::minus, Type::cells, {b_.board(), b_.empty()}); }

  // --- actions of any sort
  NodeId action(int depth);
  NodeId joined(int depth);
  NodeId simple(int depth);
  NodeId alone(int depth);
  NodeId sure(int depth); // mostly with one outcome, as `each` needs it
  NodeId walking(int depth);
  NodeId choose(int depth);
  NodeId choose_some(int depth);
  NodeId loop(NodeId body, std::int32_t frame_index, int depth);
  template <class F>
  NodeId looped(int depth, F&& body) {
    return scoped([&] {
      const std::int32_t visible_here = frame();
      const NodeId inner = body();
      return loop(inner, visible_here, depth);
    });
  }
  [[nodiscard]] bool loops() const { return has(Feature::bounded) || has(Feature::unbounded); }
  NodeId lift_freely();
  NodeId let(Type type, NodeId bound);
  NodeId nothing() { return b_.seq({}); }
  static constexpr NodeId kNone = runtime::kNoNode;
  NodeId change(NodeId cells);
  NodeId drop(NodeId cells);
  NodeId say(int depth);
  NodeId decide();
  NodeId set_something(int depth);

  // --- moves as games have them
  NodeId turn();
  NodeId group_of_ways();
  NodeId joined_ways();
  NodeId way();
  NodeId step(NodeId directions, NodeId target);
  NodeId ride(NodeId directions, NodeId target);
  NodeId jump(NodeId directions);
  NodeId chain(NodeId directions);
  NodeId late_chain(NodeId directions); // what is taken leaves at the end
  NodeId flight();
  NodeId loose_walk();
  NodeId joined_walk();
  NodeId sowing();
  NodeId along_curves();
  NodeId dropping();
  NodeId moving(); // from a piece of one's own
  NodeId tail();
  NodeId check();
  NodeId movers();
  NodeId target();
  NodeId ways_on();
  NodeId go_chosen(std::int32_t slot) { return b_.go(b_.local(Type::directions, slot)); }
  void end_lines();
  NodeId end_condition();

  // --- what authors say with sets
  // Some member of a set or list for which a condition holds; those for which it holds. The condition is made
  // by `condition(slot)`.
  template <class F>
  NodeId some_member(NodeId source, F&& condition) {
    const std::int32_t slot = b_.slot();
    const NodeId body =
        binding(member_of(b_.program.nodes[source].type), slot, [&] { return condition(slot); });
    return b_.add(Op::some_where, Type::truth, {source, body}, slot);
  }
  template <class F>
  NodeId members_where(NodeId source, F&& condition) {
    const std::int32_t slot = b_.slot();
    const Type set = b_.program.nodes[source].type;
    const NodeId body = binding(member_of(set), slot, [&] { return condition(slot); });
    return b_.add(Op::select, set, {source, body}, slot);
  }
  template <class F>
  NodeId in_row(F&& cell, int which, int least);
  NodeId stones(int which);
  NodeId next_to(NodeId from);
  NodeId ball(NodeId around);
  NodeId row_cells();
  NodeId row_here(); // is `here` in a row?
  NodeId flood(NodeId from, NodeId within);
  NodeId groups(int which);
  NodeId about_groups();
  NodeId breathless(int which);
  NodeId slide(NodeId directions);
  NodeId attacked(NodeId by);
  NodeId safe();
  NodeId formation();
  NodeId ahead(NodeId directions, int target);
  NodeId step_ahead();
  NodeId by_number();

  // --- lists, coordinates, maps
  template <class Body>
  NodeId union_for(NodeId source, Body&& body);
  NodeId straight(std::int32_t direction, int within, bool further);
  NodeId held_between(NodeId from, int held, int by);
  NodeId custodian();
  NodeId first_of_lines();
  NodeId falling();
  NodeId breathing();
  NodeId chosen_first();
  NodeId rectangle_moved();
  NodeId rounds();
  NodeId listed(); // a turn of one of these sorts

  runtime::Random random_;
  Features features_;
  runtime::ProgramBuilder b_;
  std::size_t node_limit_ = 500;
  int player_ = 0;
  bool placed_ = true; // is there a `here` after every way of the turn?
  std::vector<Bound> scope_;
  std::vector<int> orthogonal_, diagonal_, leaps_, tracks_; // steps
  std::vector<int> full_kinds_;                             // those that every player has
  int rock_ = -1;                                           // the kind that nobody owns
  std::vector<int> settable_, constant_, readable_;         // variables: numbers
  int cells_variable_ = -1, truth_variable_ = -1, kind_variable_ = -1, player_variable_ = -1;
};

} // namespace boardwright::tests
