// Values that pieces carry (`each piece` in `state`): how they are asked and set, and how they follow their
// pieces. The program knows only sets of cells, one for each bit of the values' codes
// (runtime/model/piece_values.hpp): what keeps them right is written into the rules here.
//
// What is carried, one piece at the most, has its bits in slots, one for each plane; or, in a flight, the
// cell that it comes from is kept.
#include "interpreter/meaning/elaborator.hpp"

#include "interpreter/meaning/restore.hpp"
#include "runtime/model/index.hpp"
#include "runtime/model/piece_values.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace boardwright::interpreter {

using dsl::Ast;
using runtime::at;
using runtime::PieceValue;

Ty type_of_value(const PieceValue& value) {
  switch (value.type) {
  case Type::truth: return Ty::truth;
  case Type::directions: return Ty::directions;
  case Type::kind: return Ty::kind;
  case Type::player: return Ty::player;
  default: return Ty::number;
  }
}

namespace {

bool is_flipped(const PieceValue& value, int bit) {
  return (value.flipped >> static_cast<unsigned>(bit) & 1U) != 0;
}

} // namespace

const PieceValue* Elaborator::piece_value(const std::string& name) const {
  if (!is_piece_value(name)) return nullptr;
  return runtime::piece_value_named(builder_.program(), name);
}

bool Elaborator::is_piece_value(const std::string& name) const { return symbols_.is_piece_value(name); }

NodeId Elaborator::plane(int variable) { return builder_.add(Op::variable, Type::cells, {}, variable); }

// ---------------------------------------------------------------- asking

// Is bit i of the value on these cells, one at the most, as in the set-up's code?
NodeId Elaborator::bit_on(const PieceValue& value, int bit, NodeId where) {
  const NodeId there = builder_.add(Op::meet, Type::cells, {where, plane(value.first + bit)});
  const NodeId set = builder_.add(Op::some, Type::truth, {there});
  return is_flipped(value, bit) ? builder_.add(Op::negation, Type::truth, {set}) : set;
}

NodeId Elaborator::number_on(const PieceValue& value, NodeId where) {
  NodeId sum = builder_.number(value.low);
  for (int bit = 0; bit < value.planes; ++bit) {
    const NodeId part = builder_.add(
        Op::if_value, Type::number,
        {bit_on(value, bit, where), builder_.number(std::int64_t{1} << bit), builder_.number(0)});
    sum = bit == 0 && value.low == 0 ? part : builder_.add(Op::add, Type::number, {sum, part});
  }
  return sum;
}

// One of several constants, by number.
NodeId Elaborator::constant_on(const PieceValue& value, NodeId where) {
  const auto slot = static_cast<std::int32_t>(builder_.new_slots());
  const auto one = [&](std::int32_t i) {
    return value.type == Type::kind ? builder_.kind(i) : builder_.player(i);
  };
  NodeId result = one(value.high);
  for (std::int32_t i = value.high - 1; i >= value.low; --i) {
    const NodeId is_it = builder_.add(Op::equal, Type::truth,
                                      {builder_.add(Op::local, Type::number, {}, slot), builder_.number(i)});
    result = builder_.add(Op::if_value, value.type, {is_it, one(i), result});
  }
  return builder_.add(Op::let_value, value.type, {number_on(value, where), result}, slot);
}

NodeId Elaborator::directions_on(const PieceValue& value, NodeId where) {
  NodeId all = builder_.steps({});
  for (int bit = 0; bit < value.planes; ++bit) {
    const NodeId part =
        builder_.add(Op::if_value, Type::directions,
                     {bit_on(value, bit, where), builder_.steps(runtime::StepSet::of(value.steps[at(bit)])),
                      builder_.steps({})});
    all = bit == 0 ? part : builder_.add(Op::unite, Type::directions, {all, part});
  }
  return all;
}

// The value of the piece on the first of these cells.
Typed Elaborator::asked(const PieceValue& value, NodeId cells, dsl::Span span) {
  const Op op = builder_.node(cells).op;
  const bool is_one = op == Op::here || op == Op::start || op == Op::first || op == Op::last;
  const auto slot = static_cast<std::int32_t>(is_one ? 0 : builder_.new_slots());
  const NodeId where = is_one ? cells : builder_.add(Op::local, Type::cells, {}, slot);
  NodeId node = 0;
  switch (value.type) {
  case Type::truth: node = bit_on(value, 0, where); break;
  case Type::directions: node = directions_on(value, where); break;
  case Type::kind:
  case Type::player: node = constant_on(value, where); break;
  default: node = number_on(value, where); break;
  }
  if (!is_one)
    node =
        builder_.add(Op::let_value, value.type, {builder_.add(Op::first, Type::cells, {cells}), node}, slot);
  Typed result = make(type_of_value(value), node, span);
  if (value.type == Type::directions) {
    runtime::StepSet may;
    for (const auto step : value.steps) may.set(step);
    result.may = may;
  }
  return result;
}

Typed Elaborator::asked(const Ast& n, const Env& env) {
  const PieceValue* value = piece_value(n.word);
  if (value == nullptr) {
    if (symbols_.worthless.contains(n.word)) return silent();
    return error(n.span, "state", fmt::format("`{}` has no value yet", n.word));
  }
  if (n.form == dsl::Form::call)
    return n.kids.size() == 1 ? asked(*value, cells(n.kids[0], env), n.span) : silent();
  const std::size_t errors = diagnostics_.error_count();
  if (!placed(n, fmt::format("`{}`", n.word).c_str())) {
    if (diagnostics_.error_count() > errors)
      diagnostics_.last().help = fmt::format("pieces carry it: `{0}(c)` asks the one on c, `(c in own where "
                                             "…)` finds those of which something holds",
                                             n.word);
    return silent();
  }
  return asked(*value, builder_.add(Op::here, Type::cells), n.span);
}

// ---------------------------------------------------------------- setting

std::optional<std::uint32_t> Elaborator::code_of(const PieceValue& value, const Typed& v) const {
  if (v.type != type_of_value(value) || !builder_.is_constant(v.node)) return std::nullopt;
  if (value.type == Type::directions) {
    std::uint32_t set = 0;
    runtime::StepSet left = builder_.steps_of(v.node);
    for (std::size_t i = 0; i < value.steps.size(); ++i) {
      if (left.test(value.steps[i])) set |= 1U << i;
      left.clear(value.steps[i]);
    }
    return left.none() ? std::optional(set) : std::nullopt;
  }
  const std::int32_t number = builder_.node(v.node).a;
  if (number < value.low || number > value.high) return std::nullopt;
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(number) - value.low);
}

// What is told where a constant can't be a value.
void Elaborator::not_of_range(const PieceValue& value, dsl::Span span) {
  if (value.type == Type::directions)
    error(span, "state", fmt::format("`{}` holds no such direction", value.name),
          "`some of` says which directions there may be");
  else
    error(span, "state", fmt::format("`{}` takes {} to {}", value.name, value.low, value.high));
}

// Bit i of what slot t holds: of numbers how far it is above the least.
NodeId Elaborator::bit_of(const PieceValue& value, int bit, NodeId t) {
  const auto number = [&](std::int64_t n) { return builder_.number(n); };
  switch (value.type) {
  case Type::truth: return t;
  case Type::directions: {
    const NodeId step = builder_.steps(runtime::StepSet::of(value.steps[at(bit)]));
    return builder_.add(Op::some, Type::truth, {builder_.add(Op::meet, Type::directions, {t, step})});
  }
  case Type::kind:
  case Type::player: {
    std::vector<NodeId> any;
    for (std::int32_t i = value.low; i <= value.high; ++i)
      if (((i - value.low) >> bit & 1) != 0)
        any.push_back(builder_.add(Op::equal, Type::truth,
                                   {t, value.type == Type::kind ? builder_.kind(i) : builder_.player(i)}));
    return builder_.add(Op::any_of, Type::truth, any);
  }
  default: {
    const NodeId shifted =
        bit == 0 ? t : builder_.add(Op::divide, Type::number, {t, number(std::int64_t{1} << bit)});
    const NodeId last = builder_.add(Op::modulo, Type::number, {shifted, number(2)});
    return builder_.add(Op::equal, Type::truth, {last, number(1)});
  }
  }
}

// The least and the greatest that a number can be, as far as it is seen at a glance.
std::pair<std::int64_t, std::int64_t> Elaborator::span_of(NodeId number) const {
  using Limits = std::numeric_limits<std::int32_t>;
  const auto& n = builder_.node(number);
  const auto kids = builder_.program().kids_of(n);
  if (n.op == Op::number) return {n.a, n.a};
  if (n.op == Op::modulo)
    if (const auto by = span_of(kids[1]); by.first >= 0) // by zero it is 0
      return {0, std::max<std::int64_t>(by.second - 1, 0)};
  if (n.op == Op::if_value || n.op == Op::by_kind || n.op == Op::by_player) {
    auto all = span_of(kids[1]);
    for (const NodeId kid : kids.subspan(2)) {
      const auto one = span_of(kid);
      all = {std::min(all.first, one.first), std::max(all.second, one.second)};
    }
    return all;
  }
  return {Limits::min(), Limits::max()};
}

// A plane with these cells, or without them. No branch of it writes anything: what follows is the same for
// both.
NodeId Elaborator::set_plane(int variable, NodeId is_set, NodeId cells, NodeId without) {
  const NodeId rest = builder_.add(Op::minus, Type::cells, {plane(variable), without});
  const NodeId more = builder_.add(Op::if_value, Type::cells, {is_set, cells, builder_.cells({})});
  const NodeId now = builder_.add(Op::unite, Type::cells, {rest, more});
  return builder_.add(Op::set_variable, Type::cells, {now}, variable);
}

// A name for a node that is used several times; what is constant stands for itself.
NodeId Elaborator::named(NodeId node, std::vector<NodeId>& steps) {
  if (builder_.is_constant(node)) return node;
  const auto slot = static_cast<std::int32_t>(builder_.new_slots());
  const Type type = builder_.node(node).type;
  steps.push_back(builder_.add(Op::let, type, {node}, slot));
  return builder_.add(Op::local, type, {}, slot);
}

NodeId Elaborator::set_piece_value(const Ast& n, const Env& env) {
  const PieceValue* value = piece_value(n.word);
  if (value == nullptr) return builder_.nothing(); // what is wrong with it has been said
  const Typed v = assigned(n, env, type_of_value(*value));
  const bool of_cells = (n.flags & dsl::kHasKind) != 0;
  if (!of_cells) placed(n, fmt::format("`{}`", n.word).c_str());
  const NodeId given = of_cells ? cells(n.kids.back(), env) : builder_.add(Op::here, Type::cells);
  if (v.type == Ty::error) return builder_.nothing();
  const auto code = code_of(*value, v);
  if (!code && builder_.is_constant(v.node)) {
    not_of_range(*value, n.kids[0].span);
    return builder_.nothing();
  }
  std::vector<NodeId> steps;
  NodeId t = 0;
  if (!code) {
    t = v.node;
    if (value->type == Type::number) {
      const auto [least, most] = span_of(t);
      if (least < value->low) t = builder_.add(Op::greatest, Type::number, {t, builder_.number(value->low)});
      if (most > value->high) t = builder_.add(Op::least, Type::number, {t, builder_.number(value->high)});
      if (value->low != 0) t = builder_.add(Op::subtract, Type::number, {t, builder_.number(value->low)});
    }
    t = named(t, steps);
  }
  // Where there is no piece there is nothing to be set.
  const bool stands = !of_cells && on_piece_;
  const NodeId where =
      stands ? given : named(builder_.add(Op::minus, Type::cells, {given, empty_cells()}), steps);
  for (int bit = 0; bit < value->planes; ++bit) {
    NodeId is_set = 0;
    is_set = code ? builder_.truth((*code >> static_cast<unsigned>(bit) & 1U) != 0) : bit_of(*value, bit, t);
    if (is_flipped(*value, bit)) is_set = builder_.add(Op::negation, Type::truth, {is_set});
    steps.push_back(set_plane(value->first + bit, is_set, where, where));
  }
  return builder_.add(Op::sequence, Type::action, steps);
}

NodeId Elaborator::empty_cells() { return builder_.add(Op::empty, Type::cells); }

// Have all of these cells a piece, whatever the position?
bool Elaborator::has_pieces(NodeId cells) const {
  const auto& n = builder_.node(cells);
  const auto kids = builder_.program().kids_of(n);
  switch (n.op) {
  case Op::owned:
  case Op::kind_cells: return true;
  case Op::minus: return has_pieces(kids[0]);
  case Op::meet: return has_pieces(kids[0]) || has_pieces(kids[1]);
  case Op::unite: return has_pieces(kids[0]) && has_pieces(kids[1]);
  default: return false;
  }
}

// ---------------------------------------------------------------- following the pieces

template <class Elaborate>
NodeId Elaborator::with_air(Elaborate&& elaborate) {
  if (planes_.empty() || air_) return elaborate();
  const Restore keep_air(air_);
  const std::uint32_t first = builder_.new_slots(static_cast<std::uint32_t>(planes_.size()));
  air_ = first;
  const NodeId body = elaborate();
  std::vector<NodeId> steps;
  for (std::uint32_t i = 0; i < planes_.size(); ++i)
    steps.push_back(
        builder_.add(Op::let, Type::truth, {builder_.truth(false)}, static_cast<std::int32_t>(first + i)));
  steps.push_back(body);
  return builder_.add(Op::sequence, Type::action, steps);
}

NodeId Elaborator::rooted(const Ast& n, const Env& env) {
  const Restore keep_on_piece(on_piece_);
  const Restore keep_surely(surely_carrying_);
  // What is added around the action begins where it begins.
  const std::uint32_t outer_origin = builder_.origin();
  builder_.at(n.span, rule_);
  builder_.set_origin(builder_.beginning_of(builder_.origin()));
  const NodeId root = rooted_here(n, env);
  builder_.set_origin(outer_origin);
  return root;
}

NodeId Elaborator::rooted_here(const Ast& n, const Env& env) {
  on_piece_ = false;
  const auto elaborate = [&] { return with_air([&] { return action(n, env).node; }); };
  if (!keeps_carried_ || carried_) return elaborate();
  const Restore keep_carried(carried_);
  carried_ = builder_.new_slots();
  return carried_kind(elaborate(), *carried_);
}

void Elaborator::knows_planes() {
  planes_.clear();
  const auto& variables = builder_.program().variables;
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (variables[i].plane >= 0) planes_.push_back(static_cast<int>(i));
}

std::int32_t Elaborator::air_slot(std::size_t i) {
  if (!air_) air_ = builder_.new_slots(static_cast<std::uint32_t>(planes_.size())); // of what no rule calls
  return static_cast<std::int32_t>(*air_ + i);
}

NodeId Elaborator::air(std::size_t i) { return builder_.add(Op::local, Type::truth, {}, air_slot(i)); }

NodeId Elaborator::set_air(std::size_t i, NodeId bit) {
  return builder_.add(Op::set_local, Type::truth, {bit}, air_slot(i));
}

void Elaborator::follow_lift(std::vector<NodeId>& steps) {
  const NodeId here = builder_.add(Op::here, Type::cells);
  for (std::size_t i = 0; i < planes_.size(); ++i) steps.push_back(set_air(i, is_in_plane(planes_[i], here)));
  for (const int variable : planes_) steps.push_back(take_from_plane(variable, here));
}

NodeId Elaborator::is_in_plane(int variable, NodeId cells) {
  return builder_.add(Op::some, Type::truth, {builder_.add(Op::meet, Type::cells, {cells, plane(variable)})});
}

NodeId Elaborator::take_from_plane(int variable, NodeId cells) {
  return builder_.add(Op::set_variable, Type::cells,
                      {builder_.add(Op::minus, Type::cells, {plane(variable), cells})}, variable);
}

void Elaborator::follow_put(std::vector<NodeId>& steps) {
  const NodeId here = builder_.add(Op::here, Type::cells);
  for (std::size_t i = 0; i < planes_.size(); ++i) steps.push_back(set_plane(planes_[i], air(i), here, here));
  forget_air(steps);
}

void Elaborator::forget_air(std::vector<NodeId>& steps) {
  for (std::size_t i = 0; i < planes_.size(); ++i) steps.push_back(set_air(i, builder_.truth(false)));
}

// ---------------------------------------------------------------- flights
//
// Where a piece is lifted and put down in one sequence, and nothing between asks for values or sets them, its
// values stay behind until it is put down: they are moved at once, from the cell where it was lifted.

// A name for the cell where it begins.
NodeId Elaborator::takes_off() {
  flight_ = static_cast<std::int32_t>(builder_.new_slots());
  return builder_.add(Op::let, Type::cells, {builder_.add(Op::here, Type::cells)}, flight_);
}

// What follows the take-off where it came to nothing: the values are taken along after all.
NodeId Elaborator::stays_in_air() {
  std::vector<NodeId> steps;
  follow_lift(steps);
  return builder_.add(Op::sequence, Type::action, steps);
}

void Elaborator::land(std::vector<NodeId>& steps) {
  const NodeId here = builder_.add(Op::here, Type::cells);
  const NodeId from = builder_.add(Op::local, Type::cells, {}, flight_);
  const NodeId both = builder_.add(Op::unite, Type::cells, {from, here});
  for (const int variable : planes_)
    steps.push_back(set_plane(variable, is_in_plane(variable, from), here, both));
}

// Has a node that was added since then to do with values, or with what is in the air?
bool Elaborator::minds_values(std::size_t since) const {
  const auto& program = builder_.program();
  const auto is_plane = [&](std::int32_t variable) { return program.variables[at(variable)].plane >= 0; };
  const auto is_air = [&](std::int32_t slot) {
    return air_ && at(slot) >= *air_ && at(slot) < *air_ + planes_.size();
  };
  return std::any_of(program.nodes.begin() + static_cast<std::ptrdiff_t>(since), program.nodes.end(),
                     [&](const runtime::Node& n) {
                       if (n.op == Op::variable || n.op == Op::set_variable) return is_plane(n.a);
                       return (n.op == Op::local || n.op == Op::set_local) && is_air(n.a);
                     });
}

// `lift`, `put` and `discard`, with what they do to the values. `kids` has their count, or nothing. On a
// board without stacks one piece is in the air, or none.
NodeId Elaborator::handled(Op op, std::vector<NodeId> kids) {
  if (planes_.empty()) return builder_.add(op, Type::action, kids);
  std::vector<NodeId> steps, follow;
  if (!kids.empty()) kids[0] = named(kids[0], steps);
  steps.push_back(builder_.add(op, Type::action, kids));
  if (flies_ && op == Op::lift)
    follow.push_back(takes_off());
  else if (flies_)
    land(follow);
  else if (op == Op::lift)
    follow_lift(follow);
  else if (op == Op::put)
    follow_put(follow);
  else
    forget_air(follow);
  const auto if_more_than_none = [&](NodeId number, const std::vector<NodeId>& then) {
    const NodeId any = builder_.add(Op::less, Type::truth, {builder_.number(0), number});
    return builder_.add(Op::if_action, Type::action, {any, builder_.add(Op::sequence, Type::action, then)});
  };
  if (!kids.empty()) follow = {if_more_than_none(kids[0], follow)};
  steps.insert(steps.end(), follow.begin(), follow.end());
  // Who carries nothing lays nothing down, and what stands there keeps its values.
  if (op == Op::put && kids.empty() && !flies_ && !surely_carrying_)
    return if_more_than_none(builder_.add(Op::carried, Type::number), steps);
  return builder_.add(Op::sequence, Type::action, steps);
}

NodeId Elaborator::removed(NodeId cells) {
  const NodeId action = builder_.add(Op::remove, Type::action, {cells});
  if (planes_.empty()) return action;
  std::vector<NodeId> steps{action};
  for (const int variable : planes_) steps.push_back(take_from_plane(variable, empty_cells()));
  return builder_.add(Op::sequence, Type::action, steps);
}

// Are all of these cells empty, whatever the position? There no piece loses its value.
bool Elaborator::is_empty(NodeId cells) const {
  const auto& n = builder_.node(cells);
  const auto kids = builder_.program().kids_of(n);
  if (n.op == Op::meet || n.op == Op::minus)
    return is_empty(kids[0]) || (n.op == Op::meet && is_empty(kids[1]));
  return n.op == Op::empty;
}

// New pieces have the first value, also where they replace others.
NodeId Elaborator::dropped(std::vector<NodeId> kids, std::int32_t owner) {
  std::vector<NodeId> steps;
  const bool replaces = !planes_.empty() && !is_empty(kids[0]);
  if (replaces) kids[0] = named(kids[0], steps);
  steps.push_back(builder_.add(Op::drop, Type::action, kids, owner, me_));
  if (!replaces) return steps[0];
  for (const int variable : planes_) steps.push_back(take_from_plane(variable, kids[0]));
  return builder_.add(Op::sequence, Type::action, steps);
}

NodeId Elaborator::moved(NodeId cells, NodeId by) {
  if (planes_.empty()) return builder_.add(Op::move_by, Type::action, {cells, by});
  std::vector<NodeId> steps;
  const bool stands = has_pieces(cells);
  cells = named(cells, steps);
  by = named(by, steps);
  // Whatever stands where they come to goes, and its values with it.
  const NodeId moving = stands ? cells : builder_.add(Op::minus, Type::cells, {cells, empty_cells()});
  const NodeId taken =
      builder_.add(Op::unite, Type::cells, {cells, builder_.add(Op::image, Type::cells, {moving, by})});
  const NodeId without = named(taken, steps);
  steps.push_back(builder_.add(Op::move_by, Type::action, {cells, by}));
  for (const int variable : planes_) {
    const NodeId going = builder_.add(Op::meet, Type::cells, {plane(variable), cells});
    const NodeId left = builder_.add(Op::minus, Type::cells, {plane(variable), without});
    const NodeId there = builder_.add(Op::image, Type::cells, {going, by});
    const NodeId now = builder_.add(Op::unite, Type::cells, {left, there});
    steps.push_back(builder_.add(Op::set_variable, Type::cells, {now}, variable));
  }
  return builder_.add(Op::sequence, Type::action, steps);
}

} // namespace boardwright::interpreter
