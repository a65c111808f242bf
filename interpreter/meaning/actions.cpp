// Actions.
#include "interpreter/meaning/elaborator.hpp"

#include "interpreter/meaning/restore.hpp"
#include "runtime/model/index.hpp"
#include "runtime/model/piece_values.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace boardwright::interpreter {

using dsl::Ast;
using dsl::Form;
using runtime::at;

namespace {

// What `say` writes as it is.
bool can_be_said(Ty type) {
  return type == Ty::text || type == Ty::number || type == Ty::cells || type == Ty::kind ||
         type == Ty::player;
}

// Does an action leave what stands on the walker's cell, and the walker? Of those that hold others these have
// said so.
bool keeps_piece(Form form) {
  switch (form) {
  case Form::name:
  case Form::call:
  case Form::paren:
  case Form::sequence:
  case Form::let:
  case Form::set:
  case Form::choose:
  case Form::roll:
  case Form::at:
  case Form::require:
  case Form::say:
  case Form::change: return true;
  default: return false;
  }
}

// Directions that `say` can choose between.
constexpr std::ptrdiff_t kMostSaid = 32;

} // namespace

Elaborator::Acted Elaborator::action(const Ast& n, const Env& env) {
  const Restore keep_nesting(nesting_);
  ++nesting_;
  if (!has_room(n)) return {builder_.nothing(), env};
  const std::uint32_t outer_origin = builder_.origin();
  mark(n);
  const bool carries = surely_carrying_ || flies_;
  Acted result = action_of_form(n, env);
  if (!keeps_piece(n.form)) on_piece_ = n.form == Form::put && n.kids.empty() && carries;
  if (n.form == Form::from) on_piece_ = begins_on_piece(result.node);
  if (readings_ != nullptr) note_action(n);
  builder_.set_origin(outer_origin);
  return result;
}

Elaborator::Acted Elaborator::action_of_form(const Ast& n, const Env& env) {
  const auto plain = [&](Op op, std::vector<NodeId> kids = {}) {
    return Acted{builder_.add(op, Type::action, std::move(kids)), env};
  };
  const auto decided = [&](Op op) { return Acted{builder_.add(op, Type::action, {}, me_), env}; };
  switch (n.form) {
  case Form::name:
  case Form::call: return named_action(n, env);
  case Form::paren: return action(n.kids[0], env);
  case Form::cases:
    return {knows_kind(n) ? chosen_action(inner_bodies(n, env), n.span) : builder_.nothing(), env};
  case Form::sequence: return sequence(n, env);
  case Form::either: return branches(n, env, Op::alternatives);
  case Form::otherwise: return branches(n, env, Op::otherwise);
  case Form::conditional: return conditional_action(n, env);
  case Form::repeat: return repeat(n, env);
  case Form::from:
  case Form::to: {
    const NodeId where = cells(n.kids[0], env);
    placed_ = true;
    return plain(n.form == Form::from ? Op::from : Op::to, {where});
  }
  case Form::at: placed(n, "`at`"); return plain(Op::at, {cells(n.kids[0], env)});
  case Form::go: placed(n, "`go`"); return plain(Op::go, {directions(n.kids[0], env).node});
  case Form::bend: placed(n, "`bend`"); return plain(Op::bend, {directions(n.kids[0], env).node});
  case Form::remove: return {removed(cells(n.kids[0], env)), env};
  case Form::lift: return {some_of(n, env, Op::lift), env};
  case Form::put: return {some_of(n, env, Op::put), env};
  case Form::discard: return {some_of(n, env, Op::discard), env};
  case Form::drop: return {drop(n, env), env};
  case Form::change: return {change(n, env), env};
  case Form::move: {
    const NodeId where = cells(n.kids[0], env);
    return {moved(where, map(n.kids[1], env)), env};
  }
  case Form::let: return let(n, env);
  case Form::set: return {set(n, env), env};
  case Form::choose: return choose(n, env);
  case Form::roll: return roll(n, env);
  case Form::each: return {each(n, env), env};
  case Form::most: return most(n, env);
  case Form::distinct: {
    const Acted body = action(n.kids[0], env);
    // Names that have ended tell no drafts apart: only those that are visible now, and outer ones that were
    // set.
    auto slots = builder_.changed_slots(body.node);
    for (const Binding* b = body.env.get(); b != env.get(); b = b->outer.get()) slots.push_back(b->slot);
    return {builder_.add(Op::distinct, Type::action, {body.node}, 0, frame(std::move(slots))), body.env};
  }
  case Form::quietly: {
    const Acted body = action(n.kids[0], env);
    return {builder_.add(Op::quietly, Type::action, {body.node}), body.env};
  }
  case Form::secretly: return secretly(n, env);
  case Form::say: return {say(n, env), env};
  case Form::require: return plain(Op::require, {truth(n.kids[0], env)});
  case Form::never: return plain(Op::never);
  case Form::pass: return plain(Op::pass);
  case Form::again: return plain(Op::again);
  case Form::win: return decided(Op::win);
  case Form::lose: return decided(Op::lose);
  case Form::draw: return plain(Op::draw);
  default: break;
  }
  const Typed v = value(n, env);
  if (v.type == Ty::truth)
    error(n.span, "action", "an action is needed here, but this is a condition",
          n.form == Form::compare && n.word == "=" && dsl::is_name(n.kids[0], "here") &&
                  value(n.kids[1], env).type == Ty::kind
              ? "`change here to K` makes a K of the piece on `here`; `require C` goes on only where C holds"
          : n.form == Form::compare && n.word == "="
              ? "`set` before it gives a variable this value; `require C` goes on only where C holds"
              : "`require C` goes on only where C holds");
  else if (v.type != Ty::error)
    error(n.span, "action", fmt::format("this is {}, an action is needed here", describe(v.type)));
  return plain(Op::sequence);
}

Elaborator::Acted Elaborator::named_action(const Ast& n, const Env& env) {
  if (const Binding* b = n.form == Form::name ? find(env, n.word) : nullptr; b != nullptr) {
    if (b->action != nullptr) { // performed here, with the names and for the definition it was written in
      const Restore keep_unfolding(unfolding_);
      const Restore keep_depth(depth_);
      if (++depth_ > kMaxUnfolding) {
        error(n.span, "limit", fmt::format("definitions are nested more than {} deep here", kMaxUnfolding));
        return {builder_.nothing(), env};
      }
      unfolding_ = b->action_unfolding;
      return {action(*b->action, b->action_env).node, env};
    }
    const Typed v = b->value;
    if (v.type == Ty::truth)
      error(n.span, "action", fmt::format("`{}` is a condition, an action is needed here", n.word),
            "`require C` goes on only where C holds");
    else
      error(n.span, "action", fmt::format("`{}` is {}, an action is needed here", n.word, describe(v.type)));
    return {builder_.nothing(), env};
  }
  if (n.form == Form::name && n.word == "inherited" && unfolding_.definition == nullptr && turn_ != nullptr &&
      turn_->replaced != nullptr) {
    const Restore keep_turn(turn_);
    turn_ = turn_->replaced.get();
    return {turn_body(*turn_), env};
  }
  const Found found = resolve(n);
  if (found.definition != nullptr && is_action(*found.definition)) return {call_action(found, n, env), env};
  const Typed v = value(n, env);
  if (v.type == Ty::truth)
    error(n.span, "action", fmt::format("`{}` is a condition, an action is needed here", n.word),
          "`require C` goes on only where C holds");
  else if (v.type != Ty::error)
    error(n.span, "action", fmt::format("`{}` is {}, an action is needed here", n.word, describe(v.type)));
  else
    placed_ = true; // for all that can be told: what follows is not to blame
  return {builder_.nothing(), env};
}

bool Elaborator::settled(NodeId condition, bool holds) const {
  const auto& program = builder_.program();
  const auto& n = builder_.node(condition);
  const auto kids = program.kids_of(n);
  const auto kid_settled = [&](NodeId kid) { return settled(kid, holds); };
  switch (n.op) {
  case Op::truth: return (n.a != 0) == holds;
  case Op::negation: return settled(kids[0], !holds);
  case Op::all_of: // what stands before may be unknown
    return holds ? std::all_of(kids.begin(), kids.end(), kid_settled)
                 : std::any_of(kids.begin(), kids.end(), kid_settled);
  case Op::any_of:
    return holds ? std::any_of(kids.begin(), kids.end(), kid_settled)
                 : std::all_of(kids.begin(), kids.end(), kid_settled);
  default: return false;
  }
}

bool Elaborator::fails(NodeId action) const {
  const auto& n = builder_.node(action);
  const auto kids = builder_.program().kids_of(n);
  if (n.op == Op::require) return settled(kids[0], false);
  if (n.op == Op::sequence)
    return std::any_of(kids.begin(), kids.end(), [&](NodeId kid) { return fails(kid); });
  return n.op == Op::never;
}

std::uint64_t Elaborator::calls_in(const Ast& n) const {
  std::uint64_t calls = 0;
  if ((n.form == Form::name || n.form == Form::call) && n.word != "inherited")
    if (const Found found = resolve(n); found.definition != nullptr) calls = 1 + calls_in(*found.definition);
  for (const Ast& kid : n.kids) calls = std::min<std::uint64_t>(calls + calls_in(kid), kMaxCalls);
  return calls;
}

// As far as it is known without what it is called with.
std::uint64_t Elaborator::calls_in(const dsl::Definition& d) const {
  const auto [memo, is_new] =
      calls_memo_.try_emplace(&d, 0); // none while it is asked: a recursion ends there
  if (!is_new || calls_depth_ >= kMaxUnfolding) return memo->second;
  ++calls_depth_;
  std::uint64_t calls = d.body ? calls_in(*d.body) : 0;
  for (const auto& c : d.cases) calls = std::max(calls, calls_in(c.second));
  if (d.others) calls = std::max(calls, calls_in(*d.others));
  --calls_depth_;
  return calls_memo_[&d] = calls;
}

bool Elaborator::is_large_call(const Ast& n, const Env& env, std::uint64_t times) const {
  const bool named = n.form == Form::call || (n.form == Form::name && find(env, n.word) == nullptr);
  return named && times > 1 && times * calls_in(n) > kMostInARow && is_action(n, env);
}

// A sequence in which calls that are the same and follow one another are rounds of one, where they unfold
// into much; null where there are none. What pieces carry is known by place, which rounds are none of.
const Ast* Elaborator::with_rounds(const Ast& sequence, const Env& env) {
  if (!planes_.empty() || keeps_carried_) return nullptr;
  Ast rounds = sequence;
  rounds.kids.clear();
  for (std::size_t i = 0, times = 1; i < sequence.kids.size(); i += times) {
    const Ast& kid = sequence.kids[i];
    const auto same = [&](const Ast& other) {
      return !kid.word.empty() && other.word == kid.word && dump(other) == dump(kid);
    };
    for (times = 1; i + times < sequence.kids.size() && same(sequence.kids[i + times]);) ++times;
    if (!is_large_call(kid, env, times)) {
      for (std::size_t k = 0; k < times; ++k) rounds.kids.push_back(sequence.kids[i + k]);
      continue;
    }
    Ast number{Form::number, kid.span, 0, static_cast<std::int64_t>(times), {}, {}, {}, {}, {}};
    rounds.kids.push_back(
        {Form::repeat, kid.span, dsl::kRepeatExact, 0, {}, {}, {}, {}, {kid, std::move(number)}});
  }
  return rounds.kids.size() < sequence.kids.size() ? &rewritten_.emplace_back(std::move(rounds)) : nullptr;
}

Elaborator::Acted Elaborator::sequence(const Ast& n, Env env) {
  if (const Ast* const rounds = with_rounds(n, env)) return sequence(*rounds, env);
  std::vector<NodeId> kids;
  const Restore keep_dead(dead_);
  std::optional<std::size_t> takes_off; // where a flight begins that is still going on
  const auto fails_to_land = [&] {
    if (takes_off)
      kids[*takes_off] = builder_.add(Op::sequence, Type::action, {kids[*takes_off], stays_in_air()});
    takes_off.reset();
  };
  for (const auto& k : n.kids) {
    const bool plain = k.kids.empty() && !planes_.empty();
    const bool lifts = plain && k.form == Form::lift && !takes_off;
    const bool lands = plain && k.form == Form::put && takes_off;
    const std::size_t since = builder_.program().nodes.size();
    const Restore keep_flies(flies_);
    flies_ = lifts || lands;
    Acted step = action(k, env);
    if (lifts)
      takes_off = kids.size();
    else if (lands)
      takes_off.reset();
    else if (takes_off && minds_values(since))
      fails_to_land();
    kids.push_back(step.node);
    env = std::move(step.env);
    dead_ = dead_ || fails(step.node);
  }
  fails_to_land();
  return {builder_.add(Op::sequence, Type::action, kids), env};
}

// `from` cells that all have a piece?
bool Elaborator::begins_on_piece(NodeId from) const {
  const auto kids = builder_.program().kids_of(builder_.node(from));
  return builder_.node(from).op == Op::from && has_pieces(kids[0]);
}

Elaborator::Acted Elaborator::branches(const Ast& n, const Env& env, Op op) {
  std::vector<NodeId> kids;
  Ways ways(*this);
  const bool on_piece = on_piece_;
  for (const auto& k : n.kids) {
    on_piece_ = on_piece;
    ways.begin();
    kids.push_back(action(k, env).node);
    ways.end();
  }
  ways.join();
  return {builder_.add(op, Type::action, kids), env};
}

Elaborator::Acted Elaborator::conditional_action(const Ast& n, const Env& env) {
  std::vector<NodeId> kids{truth(n.kids[0], env)};
  Ways ways(*this);
  if (n.kids.size() < 3) ways.end(); // nothing is done
  const bool on_piece = on_piece_;
  for (std::size_t i = 1; i < n.kids.size(); ++i) {
    on_piece_ = on_piece;
    if (n.kids[i].form == Form::either)
      error(n.kids[i].span, "connectives", "a branch of `if` is a single step",
            "put the `or` in parentheses: `if C then (A or B)`");
    ways.begin();
    const Restore keep_dead(dead_);
    dead_ = dead_ || settled(kids[0], i != 1);
    kids.push_back(action(n.kids[i], env).node);
    ways.end();
  }
  ways.join();
  return {builder_.add(Op::if_action, Type::action, kids), env};
}

std::int32_t Elaborator::frame(std::vector<std::uint32_t> slots) {
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  auto& frames = builder_.program().frames;
  const auto known = std::find(frames.begin(), frames.end(), slots);
  if (known != frames.end()) return static_cast<std::int32_t>(known - frames.begin());
  frames.push_back(std::move(slots));
  return static_cast<std::int32_t>(frames.size() - 1);
}

namespace {

// Surely few cells, as those with pieces are: a walk over them ends on any board.
bool is_bounded(Builder& builder, NodeId cells) {
  const runtime::Node& n = builder.node(cells);
  const auto kids = builder.program().kids_of(n);
  switch (n.op) {
  case Op::empty:
  case Op::complement: return false;
  case Op::cells: return builder.cells_of(cells) != builder.program().board.all;
  case Op::unite:
    return std::all_of(kids.begin(), kids.end(), [&](NodeId k) { return is_bounded(builder, k); });
  case Op::meet:
    return std::any_of(kids.begin(), kids.end(), [&](NodeId k) { return is_bounded(builder, k); });
  case Op::minus:
  case Op::select: return is_bounded(builder, kids.front());
  default: return true;
  }
}

} // namespace

// One direction, whichever it is?
bool Elaborator::is_single_way(NodeId ways) {
  const runtime::Node& n = builder_.node(ways);
  switch (n.op) {
  case Op::directions: return builder_.steps_of(ways).count() == 1;
  case Op::local: return single_ways_.contains(n.a);
  case Op::heading: return true;
  case Op::opposite:
  case Op::turned: return is_single_way(builder_.program().kids_of(n).front());
  default: return false;
  }
}

// Without edges a walk straight on over cells that may be empty comes to no end, and one that looks farther
// than the margin comes round to what it should be far away from.
void Elaborator::check_walk(const std::vector<NodeId>& kids, std::int32_t flags, dsl::Span span) {
  auto& program = builder_.program();
  std::vector<NodeId> todo{kids.front()};
  int steps = 0;
  bool straight = true;
  while (!todo.empty()) {
    const runtime::Node n = builder_.node(todo.back());
    todo.pop_back();
    const auto parts = program.kids_of(n);
    if (n.op == Op::sequence) {
      todo.insert(todo.end(), parts.begin(), parts.end());
    } else if (n.op == Op::at) {
      if (is_bounded(builder_, parts.front())) return;
    } else if (n.op == Op::go) {
      straight = straight && is_single_way(parts.front());
      ++steps;
    } else {
      return; // there is more to it
    }
  }
  if (steps == 0) return;
  if ((flags & runtime::kUnbounded) != 0) {
    if (straight)
      error(span, "endless", "a walk straight on over cells that may be empty never ends on an endless board",
            "say how far, as in `(go d, at empty){1 .. 2}`, or over what, as in `(go d, at occupied)*`");
    return;
  }
  const runtime::Node& most = builder_.node(kids[2]);
  if (most.op != Op::number || std::int64_t{most.a} * steps <= geometry_.margin) return;
  error(span, "endless",
        fmt::format("this may go {} cells over empty ones, and the `margin` of this board is {}",
                    std::int64_t{most.a} * steps, geometry_.margin),
        fmt::format("`margin: {}` beside `reach`", std::int64_t{most.a} * steps));
}

Elaborator::Acted Elaborator::repeat(const Ast& n, const Env& env) {
  const bool until = (n.flags & dsl::kRepeatUntil) != 0;
  const bool unbounded = (n.flags & dsl::kRepeatUnbounded) != 0;
  NodeId low = 0, high = 0;
  if ((n.flags & dsl::kRepeatExact) != 0) {
    // One expression for both bounds: its value is asked for once, before the first round, so both see the
    // same.
    low = high = number(n.kids[1], env);
  } else if ((n.flags & dsl::kRepeatLow) != 0) {
    low = number(n.kids[1], env);
    high = number(n.kids[2], env);
  } else {
    low = builder_.number(n.number);
    high = builder_.number(1); // of `?`; of no account where there is no bound
  }
  const bool before = placed_, carrying_before = carrying_;
  const bool once = !unbounded && (n.flags & (dsl::kRepeatExact | dsl::kRepeatLow)) == 0;
  on_piece_ = on_piece_ && once;                  // later rounds begin elsewhere
  carrying_ = carrying_ || lifts(n.kids[0], env); // in the round before
  const bool surely_before = surely_carrying_, lays = lays_down(n.kids[0], env);
  surely_carrying_ = surely_carrying_ && !lays;
  const Acted body = action(n.kids[0], env);
  std::vector<NodeId> kids{body.node, low};
  if (!unbounded) kids.push_back(high);
  if (until) kids.push_back(truth(n.kids.back(), body.env));
  placed_ = placed_ || before;
  carrying_ = carrying_ || carrying_before;
  const bool surely_goes_on = builder_.is_constant(low) && builder_.node(low).a > 0;
  surely_carrying_ = lays ? surely_goes_on && surely_carrying_ : surely_before;
  std::int32_t flags = unbounded ? runtime::kUnbounded : 0;
  if ((n.flags & dsl::kRepeatMaximal) != 0) flags |= runtime::kMaximal;
  if (until) flags |= runtime::kUntil;
  if (geometry_.endless() && !dead_) check_walk(kids, flags, n.span);
  return {builder_.add(Op::repeat, Type::action, kids, flags, frame(builder_.changed_slots(body.node))), env};
}

Elaborator::Acted Elaborator::let(const Ast& n, const Env& env) {
  Typed v = value(n.kids[0], env);
  if (v.type == Ty::none) v = convert(v, Ty::cells);
  if (v.type == Ty::error) { // the name exists all the same, so that its uses say nothing more
    Env inner = bind(env, n.word, Ty::error, 0, std::nullopt, true);
    return {builder_.nothing(), inner};
  }
  if (v.type == Ty::word || v.type == Ty::text) {
    error(n.kids[0].span, "type", fmt::format("{} can't be bound to a name", describe(v.type)));
    return {builder_.nothing(), bind(env, n.word, Ty::error, 0, std::nullopt, true)};
  }
  const std::uint32_t slot = builder_.new_slots();
  // Locals can be set to other directions later on: what may be in them isn't known then.
  const NodeId node =
      builder_.add(Op::let, builder_.node(v.node).type, {v.node}, static_cast<std::int32_t>(slot));
  note_local(slot, v.node);
  if (is_single_way(v.node)) single_ways_.insert(static_cast<std::int32_t>(slot));
  return {node, bind(env, n.word, v.type, slot, v.may, true)};
}

Elaborator::Acted Elaborator::choose(const Ast& n, const Env& env) {
  const bool several = n.kids.size() > 1;
  const NodeId how_many = several ? number(n.kids[1], env) : 0;
  const Typed domain = members(n.kids[0], env);
  if (domain.type == Ty::error)
    return {builder_.nothing(), bind(env, n.word, Ty::error, 0, std::nullopt, true)};
  const auto slot = static_cast<std::int32_t>(builder_.new_slots());
  if (several) {
    if (domain.type == Ty::directions) error(n.kids[0].span, "type", "`choose n` takes cells or a list");
    const NodeId node =
        builder_.add(Op::choose_some, runtime_type(domain.type), {how_many, domain.node}, slot);
    return {node, bind(env, n.word, domain.type, static_cast<std::uint32_t>(slot), std::nullopt, true)};
  }
  const Ty member = member_of(domain.type);
  const NodeId node = builder_.add(Op::choose, runtime_type(member), {domain.node}, slot);
  return {node, bind_member(env, n.word, domain, static_cast<std::uint32_t>(slot), true)};
}

NodeId Elaborator::set_local(const Ast& n, const Env& env, const Binding& b) {
  if (!b.assignable) {
    error(n.word_span, "set",
          fmt::format("`{}` can't be set: it was not bound by `let` or `choose`", n.word));
    return builder_.nothing();
  }
  const Typed v = assigned(n, env, b.value.type);
  if (v.type == Ty::error) return builder_.nothing();
  if (b.variable >= 0) return builder_.add(Op::set_variable, runtime_type(v.type), {v.node}, b.variable);
  extents_.erase(b.slot); // from now on it may be either
  return builder_.add(Op::set_local, runtime_type(v.type), {v.node}, static_cast<std::int32_t>(b.slot));
}

// The value that `set` gives to a name of a type. A kind isn't taken for its cells there: mostly the name was
// meant to hold kinds, and has begun with `none`.
Typed Elaborator::assigned(const Ast& n, const Env& env, Ty type) {
  const Typed given = value(n.kids[0], env);
  if (given.type == Ty::error || type == Ty::error) return silent();
  const Typed v = given.type == Ty::none ? convert(given, type) : given;
  if (v.type == type) return v;
  return error(n.kids[0].span, "type",
               fmt::format("`{}` is {}, but this is {}", n.word, describe(type), describe(v.type)),
               type == Ty::cells && v.type == Ty::kind
                   ? "a variable for kinds begins with `kind(none)`; the cells of a kind are `board & man`"
                   : "");
}

NodeId Elaborator::set(const Ast& n, const Env& env) {
  const bool with_owner = (n.flags & dsl::kHasOwner) != 0;
  const bool of_hand = (n.flags & dsl::kHasKind) != 0;
  if (!with_owner && !of_hand)
    if (const Binding* b = find(env, n.word)) return set_local(n, env, *b);
  if (!with_owner && is_piece_value(n.word)) return set_piece_value(n, env);
  if (!with_owner) return set_state_of(n, env, me_);
  Typed who;
  const int player = player_before_dot(n.kids[1], env, who);
  if (player == -2) return builder_.nothing();
  if (player >= 0) return set_state_of(n, env, player);
  std::vector<NodeId> kids{who.node};
  for (int p = 0; p < static_cast<int>(symbols_.players.size()); ++p) kids.push_back(set_state_of(n, env, p));
  return builder_.add(Op::by_player_action, Type::action, kids);
}

// The value is the mover's; only whose variable or hand it goes to is the player's.
NodeId Elaborator::set_state_of(const Ast& n, const Env& env, int player) {
  if ((n.flags & dsl::kHasKind) != 0) {
    const NodeId which = given_kind(n.kids.back(), env, "`set hand(K)` needs a kind");
    const auto& node = builder_.node(which);
    if (node.op == Op::kind && node.a >= 0 &&
        builder_.program().hand_slot[static_cast<std::size_t>(player)][static_cast<std::size_t>(node.a)] <
            0) {
      error(n.span, "hand",
            fmt::format("`{}` has no entry in `hands`: its supply is unlimited",
                        symbols_.kinds[static_cast<std::size_t>(node.a)]));
      return builder_.nothing();
    }
    return builder_.add(Op::set_hand, Type::action, {which, number(n.kids[0], env)}, player);
  }
  const int entry = symbols_.state(n.word);
  if (entry < 0) return builder_.nothing(); // the names pass has said so
  const bool with_owner = (n.flags & dsl::kHasOwner) != 0;
  if (with_owner && !symbols_.file.state[static_cast<std::size_t>(entry)].each_player) {
    error(n.span, "state", fmt::format("`{}` is one variable for all players", n.word),
          "a variable for each player is `name: { each: … }`");
    return builder_.nothing();
  }
  const Typed there = [&] {
    const Restore keep_me(me_);
    me_ = player;
    return state(entry, n.word_span);
  }();
  if (there.type == Ty::error) return builder_.nothing();
  const Typed v = assigned(n, env, there.type);
  if (v.type == Ty::error) return builder_.nothing();
  return builder_.add(Op::set_variable, runtime_type(v.type), {v.node}, builder_.node(there.node).a);
}

NodeId Elaborator::each(const Ast& n, const Env& env) {
  const Typed domain = members(n.kids[0], env);
  if (domain.type == Ty::error) return builder_.nothing();
  const auto slot = builder_.new_slots();
  const Ty member = member_of(domain.type);
  on_piece_ = false; // the next one begins elsewhere
  const bool carrying_before = carrying_;
  carrying_ = carrying_ || lifts(n.kids[1], env);
  surely_carrying_ = surely_carrying_ && !lays_down(n.kids[1], env);
  const bool surely_before = surely_carrying_;
  const NodeId body = action(n.kids[1], bind_member(env, n.word, domain, slot, false)).node;
  carrying_ = carrying_ || carrying_before;
  surely_carrying_ = surely_before;
  return builder_.add(Op::each, runtime_type(member), {domain.node, body}, static_cast<std::int32_t>(slot));
}

Elaborator::Acted Elaborator::most(const Ast& n, const Env& env) {
  const Acted body = action(n.kids[1], env);
  const NodeId worth = number(n.kids[0], body.env);
  return {builder_.add(Op::most, Type::action, {body.node, worth}), body.env};
}

NodeId Elaborator::some_of(const Ast& n, const Env& env, Op op) {
  placed(n, op == Op::lift ? "`lift`" : op == Op::put ? "`put`" : "`discard`");
  std::vector<NodeId> kids, steps;
  if (!n.kids.empty()) kids.push_back(number(n.kids[0], env));
  if (op == Op::lift) note_lift(steps);
  carrying_ = op == Op::lift || (carrying_ && !n.kids.empty());
  const bool all = kids.empty();
  steps.push_back(handled(op, std::move(kids)));
  surely_carrying_ = op == Op::lift && (all || surely_carrying_);
  return steps.size() == 1 ? steps[0] : builder_.add(Op::sequence, Type::action, steps);
}

bool Elaborator::has_letter(int owner, int kind) const {
  const auto& letters = builder_.program().kinds[static_cast<std::size_t>(kind)].letter;
  return owner >= 0 ? letters[static_cast<std::size_t>(owner)] != 0 : letters.back() != 0;
}

// Where nobody comes for whom the letter is missing, nothing is said.
void Elaborator::missing_letter(const Ast& n, int owner, int kind) {
  if (dead_) return;
  const std::string& name = symbols_.kinds[static_cast<std::size_t>(kind)];
  std::string owner_of_one;
  for (std::size_t p = symbols_.players.size(); p-- > 0;)
    if (has_letter(static_cast<int>(p), kind)) owner_of_one = symbols_.players[p];
  error(n.span, "letter",
        fmt::format("`pieces` has no letter for a `{}` of {}", name,
                    owner < 0 ? "neutral" : symbols_.players[static_cast<std::size_t>(owner)]),
        owner_of_one.empty() || owner < 0
            ? ""
            : fmt::format("`if me = {0} then …` is for {0} alone, and so is a body by player: `{{ {0}: …, "
                          "others: … }}`",
                          owner_of_one));
}

std::int32_t Elaborator::owner_operand(const std::string& owner, std::int32_t otherwise) const {
  if (owner == "own") return me_;
  if (owner == "enemy") return symbols_.players.size() == 2 ? 1 - me_ : me_;
  if (owner == "neutral") return runtime::kNeutral;
  return otherwise;
}

// An action for the player who `who` is. Where only the position tells, there is one for each of them; a
// piece that one of them can't have is then a fault when it comes about, not an error.
template <class Make>
NodeId Elaborator::by_player(const Typed& who, const Make& make) {
  const auto& node = builder_.node(who.node);
  if (node.op == Op::player) return make(node.a, Certainty::certain);
  std::vector<NodeId> kids{who.node};
  for (int p = 0; p < static_cast<int>(symbols_.players.size()); ++p)
    kids.push_back(make(p, Certainty::possible));
  return builder_.add(Op::by_player_action, Type::action, kids);
}

// Of what stands before the kind, `drop 2 Black man on S`, either may be missing.
NodeId Elaborator::drop(const Ast& n, const Env& env) {
  const NodeId where = cells(n.kids[0], env);
  const NodeId which = given_kind(n.kids[1], env, "`drop` needs a kind");
  std::vector<NodeId> kids{where, which};
  Typed who = n.kids.size() > 2 ? value(n.kids[2], env) : silent();
  if (n.kids.size() > 3) {
    if (who.type != Ty::player) not_an_owner(n.kids[2], who.type);
    kids.push_back(number(n.kids[3], env));
  } else if (n.kids.size() > 2 && who.type != Ty::player) {
    kids.push_back(number_of(who, n.kids[2].span));
  }
  if (who.type == Ty::player)
    return by_player(who,
                     [&](int player, Certainty certainty) { return drop_of(n, kids, player, certainty); });
  return drop_of(n, std::move(kids), owner_operand(n.word, runtime::kNatural), Certainty::certain);
}

void Elaborator::not_an_owner(const Ast& n, Ty type) {
  if (type == Ty::error) return;
  error(n.span, "type", fmt::format("a player is needed before the kind, but this is {}", describe(type)),
        "`own`, `enemy` and `neutral` stand there, too");
}

NodeId Elaborator::drop_of(const Ast& n, std::vector<NodeId> kids, std::int32_t owner, Certainty certainty) {
  const auto& node = builder_.node(kids[1]);
  if (node.op == Op::kind && node.a >= 0) {
    if (owner == runtime::kNatural)
      owner = !has_letter(me_, node.a) && has_letter(runtime::kNeutral, node.a) ? runtime::kNeutral : me_;
    if (certainty == Certainty::certain && !has_letter(owner, node.a)) {
      missing_letter(n, owner, node.a);
      return builder_.add(Op::never, Type::action);
    }
  }
  return dropped(std::move(kids), owner);
}

NodeId Elaborator::change(const Ast& n, const Env& env) {
  const NodeId where = cells(n.kids[0], env);
  const Typed first = n.kids.size() > 1 ? value(n.kids[1], env) : silent();
  const bool to_player = first.type == Ty::player;
  if (n.kids.size() > 2 && !to_player) {
    not_an_owner(n.kids[1], first.type);
    return builder_.nothing();
  }
  NodeId kind = runtime::kNoNode;
  if (n.kids.size() > (to_player ? 2 : 1))
    kind = given_kind(to_player ? value(n.kids[2], env) : first, n.kids.back(), env,
                      "`change … to K` needs a kind");
  if (to_player)
    return by_player(
        first, [&](int player, Certainty certainty) { return change_to(n, where, player, kind, certainty); });
  return change_to(n, where, owner_operand(n.word, runtime::kKeepOwner), kind, Certainty::certain);
}

// Without a kind, `kNoNode`, the pieces keep theirs.
NodeId Elaborator::change_to(const Ast& n, NodeId where, std::int32_t owner, NodeId kind,
                             Certainty certainty) {
  std::vector<NodeId> kids{where};
  if (kind != runtime::kNoNode) kids.push_back(kind);
  const bool writes = n.kids[0].form == Form::name && n.kids[0].word == "here";
  if (kids.size() > 1 && owner != runtime::kKeepOwner) {
    const auto& node = builder_.node(kids[1]);
    const bool lacks_letter = node.op == Op::kind && node.a >= 0 && !has_letter(owner, node.a);
    if (certainty == Certainty::certain && lacks_letter) {
      missing_letter(n, owner, node.a);
      return builder_.add(Op::never, Type::action);
    }
  }
  return builder_.add(Op::change, Type::action, kids, owner, writes ? 1 : 0);
}

// What is written stands between two signs, which cut it out for all others. Within one that is secret
// already nothing more is to be done.
Elaborator::Acted Elaborator::secretly(const Ast& n, const Env& env) {
  if (in_secret_) return action(n.kids[0], env);
  in_secret_ = true;
  const Acted body = action(n.kids[0], env);
  in_secret_ = false;
  if (rolls_.secret_begins == runtime::kNoNode) {
    const auto says = [&](char sign) {
      return builder_.add(Op::say, Type::action, {builder_.text(std::string(1, sign))});
    };
    rolls_.secret_begins = says(runtime::kSecretBegins);
    rolls_.secret_ends = says(runtime::kSecretEnds);
  }
  builder_.program().secret = true;
  return {builder_.add(Op::sequence, Type::action, {rolls_.secret_begins, body.node, rolls_.secret_ends}),
          body.env};
}

// Text that is chosen is an action that writes it; what `say` writes is cut there.
NodeId Elaborator::say(const Ast& n, const Env& env) {
  std::vector<NodeId> steps, pieces;
  const auto end_piece = [&] {
    steps.push_back(builder_.add(Op::say, Type::action, std::move(pieces)));
    pieces.clear();
  };
  for (const auto& k : n.kids) {
    const Typed v = said(k, env);
    const bool is_choice = v.type == Ty::text && builder_.node(v.node).op != Op::text;
    if (is_choice || v.type == Ty::directions) {
      end_piece();
      steps.push_back(saying(v));
    } else if (can_be_said(v.type)) {
      pieces.push_back(v.node);
    } else if (v.type != Ty::error && v.type != Ty::none) { // nothing is written for `none`
      saying(v);
    }
  }
  if (steps.empty() || !pieces.empty()) end_piece();
  return builder_.add(Op::sequence, Type::action, steps);
}

// What `say` is given: here an `if` may choose between values of several types.
Typed Elaborator::said(const Ast& n, const Env& env) {
  if (n.form == Form::paren) return said(n.kids[0], env);
  if (n.form != Form::conditional || n.kids.size() < 3) return value(n, env);
  const Restore keep_nesting(nesting_);
  ++nesting_;
  if (!has_room(n)) return silent();
  const NodeId condition = truth(n.kids[0], env);
  std::vector<Typed> branches{said(n.kids[1], env), said(n.kids[2], env)};
  const auto is_other = [&](const Typed& v) {
    return v.type != Ty::none && v.type != branches[0].type && branches[0].type != Ty::none;
  };
  const bool of_several = std::any_of(branches.begin(), branches.end(), is_other);
  if (of_several || any_text(branches)) return text_by(Op::if_action, {condition}, branches, n.span);
  return chosen(condition, std::move(branches), n.span);
}

// An action that writes a value.
NodeId Elaborator::saying(const Typed& v) {
  if (v.type == Ty::text && builder_.node(v.node).op != Op::text) return v.node;
  if (can_be_said(v.type)) return builder_.add(Op::say, Type::action, {v.node});
  if (v.type == Ty::directions) return saying_directions(v);
  if (v.type != Ty::error && v.type != Ty::none)
    error(v.span, "type",
          fmt::format("`say` writes text, numbers, cells, directions, kinds and players, not {}",
                      describe(v.type)));
  return builder_.nothing();
}

// Directions by points of the compass: one is looked up, and of several each that is there is written behind
// a comma.
NodeId Elaborator::saying_directions(const Typed& v) {
  const auto& board = builder_.program().board;
  const std::vector<int> may = v.may ? steps_in(*v.may) : std::vector<int>{};
  const bool points =
      std::none_of(may.begin(), may.end(), [&](int s) { return board.steps[at(s)].track >= 0; });
  if (!v.may || !points || std::ssize(may) > kMostSaid) {
    error(
        v.span, "type", "`say` can't tell which directions these may be",
        fmt::format("bind one of at most {} that have points of the compass: `choose d in all`", kMostSaid));
    return builder_.nothing();
  }
  std::vector<NodeId> steps;
  const NodeId set = named(v.node, steps);
  const auto text = [&](const std::string& t) {
    return builder_.add(Op::say, Type::action, {builder_.text(t)});
  };
  const auto one = [&](int s) { return builder_.steps(runtime::StepSet::of(s)); };
  std::vector<NodeId> all;
  for (std::size_t i = 0; i < may.size(); ++i) {
    const NodeId is_there =
        builder_.add(Op::some, Type::truth, {builder_.add(Op::meet, Type::directions, {set, one(may[i])})});
    const NodeId write = text("," + runtime::points_of(board.steps[at(may[i])]));
    all.push_back(builder_.add(Op::if_action, Type::action, {is_there, write}));
  }
  NodeId chain = builder_.add(Op::sequence, Type::action, all);
  for (auto s = may.rbegin(); s != may.rend(); ++s) {
    const NodeId is_it = builder_.add(Op::equal, Type::truth, {set, one(*s)});
    chain = builder_.add(Op::if_action, Type::action,
                         {is_it, text(runtime::points_of(board.steps[at(*s)])), chain});
  }
  steps.push_back(chain);
  return builder_.add(Op::sequence, Type::action, steps);
}

// One of several texts, or of other values that are written, as an action chooses among actions.
Typed Elaborator::text_by(Op op, std::vector<NodeId> kids, const std::vector<Typed>& texts, dsl::Span span) {
  for (const auto& t : texts) {
    if (t.type == Ty::error) return silent();
    kids.push_back(saying(t));
  }
  return make(Ty::text, builder_.add(op, Type::action, kids), span);
}

} // namespace boardwright::interpreter
