// Directions: sets of steps, and the arithmetic on them.
//
// Steps are numbered, and only steps that can come about have a number. Where a set is known at load, or at
// least everything that can be in it, its results are numbered at once; else close_steps numbers what an
// operation can yield from any step there is.
#include "interpreter/meaning/elaborator.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace boardwright::interpreter {

using dsl::Ast;

void Elaborator::add_step(runtime::StepSet& set, Vector by, dsl::Span span) {
  if (by == Vector{}) return;
  const int length = std::max(std::abs(by.dx), std::abs(by.dy));
  if (geometry_.endless() && length > geometry_.margin) {
    if (!dead_)
      error(span, "endless",
            fmt::format("a step of {} cells is longer than the `margin` of this board, {}", length,
                        geometry_.margin),
            fmt::format("`margin: {}` beside `reach`", length));
    return;
  }
  const int step = intern_step(builder_.program().board, geometry_, by);
  if (step >= 0)
    set.set(step);
  else
    error(span, "limit", fmt::format("a game may have at most {} different steps", runtime::kMaxSteps));
}

Typed Elaborator::constant_steps(const std::vector<Vector>& vectors, dsl::Span span) {
  runtime::StepSet set;
  for (const Vector v : vectors) add_step(set, v, span);
  return make(Ty::directions, builder_.steps(set), span);
}

Typed Elaborator::relative(int right, int ahead, dsl::Span span, const std::string& what) {
  const auto& p = builder_.program().players[static_cast<std::size_t>(me_)];
  if (p.dx == 0 && p.dy == 0)
    return error(span, "forward", fmt::format("`{}` needs players with directions", what),
                 "players: { Black: north, White: south }");
  return constant_steps({{p.dy * right + p.dx * ahead, -p.dx * right + p.dy * ahead}}, span);
}

std::vector<int> Elaborator::steps_in(const runtime::StepSet& set) const {
  std::vector<int> steps;
  set.each([&](int s) { steps.push_back(s); });
  return steps;
}

Vector Elaborator::vector_of(int step) const {
  const auto& s = builder_.program().board.steps[static_cast<std::size_t>(step)];
  return {s.dx, s.dy};
}

Typed Elaborator::sum(const Typed& left, const Typed& right, dsl::Span span) {
  if (!left.may || !right.may) {
    dynamic_.sum = true;
    dynamic_.span = span;
    return make(Ty::directions, builder_.add(Op::sum, Type::directions, {left.node, right.node}), span);
  }
  runtime::StepSet all;
  for (const int a : steps_in(*left.may)) {
    for (const int b : steps_in(*right.may)) {
      const Vector v = vector_of(a), w = vector_of(b);
      if (v == Vector{} || w == Vector{}) return error(span, "track", "a track can't be added to anything");
      add_step(all, {v.dx + w.dx, v.dy + w.dy}, span);
    }
  }
  Typed result = make(Ty::directions, builder_.add(Op::sum, Type::directions, {left.node, right.node}), span);
  result.may = all;
  return result;
}

// What is longer than the board leads nowhere; without edges, what is longer than the margin.
bool Elaborator::may_lead(Vector v) const {
  if (geometry_.endless()) return std::max(std::abs(v.dx), std::abs(v.dy)) <= geometry_.margin;
  return std::abs(v.dx) < std::max(geometry_.files, 2) && std::abs(v.dy) < std::max(geometry_.ranks, 2);
}

int Elaborator::longest_step() const {
  return geometry_.endless() ? geometry_.margin : std::max(geometry_.files, geometry_.ranks);
}

Typed Elaborator::times(const Typed& factor, const Typed& steps, dsl::Span span) {
  Typed result;
  if (!steps.may) {
    dynamic_.times = true;
    dynamic_.span = span;
    return make(Ty::directions, builder_.add(Op::times, Type::directions, {factor.node, steps.node}), span);
  }
  const bool known = builder_.is_constant(factor.node);
  const int side = std::max(geometry_.files, geometry_.ranks), longest = longest_step();
  const int low = known ? std::clamp(builder_.node(factor.node).a, -side, side) : -longest;
  const int high = known ? low : longest;
  runtime::StepSet all;
  for (const int s : steps_in(*steps.may)) {
    const Vector v = vector_of(s);
    if (v == Vector{}) return error(span, "track", "a track can't be multiplied");
    for (int k = low; k <= high; ++k) {
      const bool on_board = std::abs(k * v.dx) < geometry_.files && std::abs(k * v.dy) < geometry_.ranks;
      if (known || (on_board && may_lead({k * v.dx, k * v.dy}))) add_step(all, {k * v.dx, k * v.dy}, span);
    }
  }
  result = make(Ty::directions, builder_.add(Op::times, Type::directions, {factor.node, steps.node}), span);
  result.may = all;
  return result;
}

runtime::StepSet Elaborator::opposites(const runtime::StepSet& set, dsl::Span span) {
  runtime::StepSet all;
  for (const int s : steps_in(set)) {
    const auto& step = builder_.program().board.steps[static_cast<std::size_t>(s)];
    if (step.track < 0) {
      add_step(all, {-step.dx, -step.dy}, span);
      continue;
    }
    const int back = intern_track(builder_.program().board, geometry_, step.track, !step.reversed);
    if (back >= 0) all.set(back);
  }
  return all;
}

Typed Elaborator::opposite(const Ast& n, const Env& env) {
  const Typed v = directions(n.kids[0], env);
  if (v.may) {
    const auto all = opposites(*v.may, n.span);
    Typed result = make(Ty::directions, builder_.add(Op::opposite, Type::directions, {v.node}), n.span);
    result.may = all;
    return result;
  }
  dynamic_.opposite = true;
  return make(Ty::directions, builder_.add(Op::opposite, Type::directions, {v.node}), n.span);
}

// Is an angle that is known one that the board's directions have? A branch that is never taken may say any.
bool Elaborator::turns_by(NodeId degrees, dsl::Span span) {
  const int least = geometry_.hexes ? 60 : 45;
  if (dead_ || !builder_.is_constant(degrees) || builder_.node(degrees).a % least == 0) return true;
  error(span, "type",
        fmt::format("on {} directions turn by {}s, not by {}", geometry_.hexes ? "hexes" : "squares", least,
                    builder_.node(degrees).a));
  return false;
}

Typed Elaborator::turned(const Ast& n, const Env& env) {
  const Typed v = directions(n.kids[0], env);
  const NodeId degrees = number(n.kids[1], env);
  if (!turns_by(degrees, n.kids[1].span)) return silent();
  if (!v.may) {
    dynamic_.turned = true;
    return make(Ty::directions, builder_.add(Op::turned, Type::directions, {v.node, degrees}), n.span);
  }
  runtime::StepSet all;
  const bool known = builder_.is_constant(degrees);
  for (const int s : steps_in(*v.may)) {
    const Vector by = vector_of(s);
    if (by == Vector{}) return error(n.span, "track", "a track can't be turned");
    if (known) {
      add_step(all, geometry_.turned(by, builder_.node(degrees).a), n.span);
      continue;
    }
    for (int d = 0; d < 360; d += geometry_.hexes ? 60 : 45) add_step(all, geometry_.turned(by, d), n.span);
  }
  Typed result = make(Ty::directions, builder_.add(Op::turned, Type::directions, {v.node, degrees}), n.span);
  result.may = all;
  return result;
}

Typed Elaborator::spins(const Ast& n, const Env& env) {
  const Typed v = directions(n.kids[0], env);
  if (!v.may) {
    dynamic_.spins = true;
    return make(Ty::directions, builder_.add(Op::spins, Type::directions, {v.node}), n.span);
  }
  runtime::StepSet all;
  for (const int s : steps_in(*v.may)) {
    const Vector by = vector_of(s);
    if (by == Vector{}) return error(n.span, "track", "a track can't be turned");
    for (const Vector w : geometry_.spins(by)) add_step(all, w, n.span);
  }
  Typed result = make(Ty::directions, builder_.add(Op::spins, Type::directions, {v.node}), n.span);
  result.may = all;
  return result;
}

void Elaborator::close_steps() {
  auto& steps = builder_.program().board.steps;
  const auto add = [&](Vector v) {
    runtime::StepSet ignored;
    if (may_lead(v)) add_step(ignored, v, dynamic_.span);
  };
  for (std::size_t done = 0; done < steps.size() && !diagnostics_.has_errors(); ++done) {
    const runtime::Step step = steps[done];
    if (step.track >= 0) {
      if (dynamic_.opposite) intern_track(builder_.program().board, geometry_, step.track, !step.reversed);
      continue;
    }
    const Vector v{step.dx, step.dy};
    if (dynamic_.opposite) add({-v.dx, -v.dy});
    if (dynamic_.turned)
      for (int d = 0; d < 360; d += geometry_.hexes ? 60 : 45) add(geometry_.turned(v, d));
    if (dynamic_.spins)
      for (const Vector w : geometry_.spins(v)) add(w);
    const int longest = longest_step();
    if (dynamic_.times)
      for (int k = -longest; k <= longest; ++k) add({k * v.dx, k * v.dy});
    if (dynamic_.sum)
      for (std::size_t other = 0; other <= done; ++other)
        if (steps[other].track < 0) add({v.dx + steps[other].dx, v.dy + steps[other].dy});
  }
}

} // namespace boardwright::interpreter
