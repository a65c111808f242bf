// Actions, in the order of the table in operation_table.hpp. Repetition is in walker_loops.cpp.
//
// An action that has at most one outcome changes the draft that it is given and answers whether it goes on.

#include "runtime/model/limits.hpp"
#include "runtime/model/operations.hpp"
#include "runtime/reference/walker_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace boardwright::runtime {

bool Walk::run(NodeId id, Draft d, Sink out) {
  if (d.decided()) return out(std::move(d));
  const Node& n = node(id);
  const Entered step(*this, n);
  return observer_ == nullptr ? carry_out(n, std::move(d), out) : carry_out_observed(id, std::move(d), out);
}

bool Walk::carry_out_observed(NodeId id, Draft&& d, Sink out) {
  const Node& n = node(id);
  const bool keeps = n.op == Op::most || n.op == Op::distinct || n.op == Op::repeat || n.op == Op::each;
  const Draft from = d;
  const std::uint64_t before = moves_found_;
  bool went_on = false;
  keeping_ += keeps ? 1 : 0;
  observer_->began(id);
  const bool wanted = carry_out(n, std::move(d), [&](Draft&& e) {
    went_on = true;
    const int outer = std::exchange(keeping_, keeping_ - (keeps ? 1 : 0));
    const bool more = out(std::move(e));
    keeping_ = outer;
    return more;
  });
  keeping_ -= keeps ? 1 : 0;
  observer_->acted(id, from, went_on, moves_found_ > before || (keeping_ > 0 && went_on));
  return wanted;
}

bool Walk::carry_out(const Node& n, Draft&& d, Sink out) {
  switch (group_of(n.op)) {
  case Group::joining: return joining(n, std::move(d), out);
  case Group::walking: return walking(n, std::move(d), out);
  case Group::pieces: return handling(n, std::move(d), out);
  case Group::position: return deciding(n, std::move(d), out);
  case Group::any:
  case Group::number:
  case Group::truth:
  case Group::set:
  case Group::cells:
  case Group::directions:
  case Group::name:
  case Group::list:
  case Group::map:
  case Group::text: fail(n, "a value is no action");
  }
  unknown(n);
}

// ---------------------------------------------------------------- joining

bool Walk::joining(const Node& n, Draft&& d, Sink out) {
  switch (as<JoiningOp>(n.op)) {
  case JoiningOp::sequence: return sequence(n, 0, std::move(d), out);
  case JoiningOp::alternatives: return alternatives(n, std::move(d), out);
  case JoiningOp::otherwise: return otherwise(n, std::move(d), out);
  case JoiningOp::repeat: return repeat(n, std::move(d), out);
  case JoiningOp::if_action: return if_action(n, std::move(d), out);
  case JoiningOp::choose: return choose(n, std::move(d), out);
  case JoiningOp::choose_some: return choose_some(n, std::move(d), out);
  case JoiningOp::each: return each(n, std::move(d), out);
  case JoiningOp::most: return most(n, std::move(d), out);
  case JoiningOp::distinct: return distinct(n, std::move(d), out);
  case JoiningOp::quietly: return quietly(n, std::move(d), out);
  case JoiningOp::by_kind_action: {
    const int top = top_kind(kid(n, 0), d);
    return run(kid(n, top < 0 ? n.count - 1 : 1 + static_cast<std::uint32_t>(top)), std::move(d), out);
  }
  case JoiningOp::by_player_action: {
    const int which = player(kid(n, 0), d);
    return run(kid(n, 1 + static_cast<std::uint32_t>(which)), std::move(d), out);
  }
  }
  unknown(n);
}

bool Walk::sequence(const Node& n, std::uint32_t i, Draft&& d, Sink out) {
  if (i == n.count) return out(std::move(d));
  if (i + 1 == n.count) return run(kid(n, i), std::move(d), out);
  return run(kid(n, i), std::move(d), [&](Draft&& e) { return sequence(n, i + 1, std::move(e), out); });
}

bool Walk::alternatives(const Node& n, Draft&& d, Sink out) {
  for (const NodeId id : program_.kids_of(n))
    if (!run(id, d, out)) return false;
  return true;
}

bool Walk::otherwise(const Node& n, Draft&& d, Sink out) {
  for (const NodeId id : program_.kids_of(n)) {
    bool any = false;
    const auto noted = [&](Draft&& e) {
      any = true;
      return out(std::move(e));
    };
    if (!run(id, d, noted)) return false;
    if (any) return true;
  }
  return true;
}

bool Walk::if_action(const Node& n, Draft&& d, Sink out) {
  if (holds(kid(n, 0), d)) return run(kid(n, 1), std::move(d), out);
  return n.count > 2 ? run(kid(n, 2), std::move(d), out) : out(std::move(d));
}

bool Walk::choose(const Node& n, Draft&& d, Sink out) {
  for (Value& v : members(kid(n, 0), d)) {
    Draft e = d;
    e.locals.bind(static_cast<std::uint32_t>(n.a), std::move(v));
    if (!out(std::move(e))) return false;
  }
  return true;
}

namespace {

// A choice of members: their list, and for sets their union.
Value chosen(const std::vector<Value>& members, const std::vector<std::size_t>& which) {
  Value v;
  for (const std::size_t i : which) {
    v.list.push_back(members[i]);
    v.cells |= members[i].cells;
    v.steps |= members[i].steps;
  }
  return v;
}

// The next choice of as many among `of`, in order; false after the last.
bool next_choice(std::vector<std::size_t>& which, std::size_t of) {
  for (std::size_t i = which.size(); i-- > 0;) {
    if (which[i] == of - which.size() + i) continue;
    ++which[i];
    for (std::size_t k = i + 1; k < which.size(); ++k) which[k] = which[k - 1] + 1;
    return true;
  }
  return false;
}

} // namespace

bool Walk::choose_some(const Node& n, Draft&& d, Sink out) {
  const std::int64_t wanted = number(kid(n, 0), d);
  const std::vector<Value> from = members(kid(n, 1), d);
  if (wanted < 0 || wanted > static_cast<std::int64_t>(from.size())) return true;
  const Type type = node(kid(n, 1)).type;
  const bool as_set = type == Type::cells || type == Type::directions;
  std::vector<std::size_t> which(static_cast<std::size_t>(wanted));
  for (std::size_t i = 0; i < which.size(); ++i) which[i] = i;
  do {
    work(n, which.size());
    Value v = chosen(from, which);
    if (as_set) v.list.clear();
    Draft e = d;
    e.locals.bind(static_cast<std::uint32_t>(n.a), std::move(v));
    if (!out(std::move(e))) return false;
  } while (next_choice(which, from.size()));
  return true;
}

bool Walk::each(const Node& n, Draft&& d, Sink out) {
  for (Value& v : members(kid(n, 0), d)) {
    d.locals.bind(static_cast<std::uint32_t>(n.a), std::move(v));
    d = only_outcome(n, std::move(d));
  }
  return out(std::move(d));
}

Draft Walk::only_outcome(const Node& n, Draft&& d) {
  std::optional<Draft> outcome;
  int outcomes = 0;
  run(kid(n, 1), std::move(d), [&](Draft&& e) {
    outcome = std::move(e);
    return ++outcomes < 2;
  });
  if (outcomes != 1)
    fail(n, fmt::format("the action of `each` must have exactly one outcome, and has {}",
                        outcomes == 0 ? "none" : "several"));
  return std::move(*outcome);
}

bool Walk::most(const Node& n, Draft&& d, Sink out) {
  std::vector<Draft> best;
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  run(kid(n, 0), std::move(d), [&](Draft&& e) {
    const std::int64_t value = number(kid(n, 1), e);
    if (value > most) best.clear();
    most = std::max(most, value);
    if (value == most) best.push_back(std::move(e));
    check_kept(n, best.size());
    return true;
  });
  return std::all_of(best.begin(), best.end(), [&](Draft& e) { return out(std::move(e)); });
}

bool Walk::distinct(const Node& n, Draft&& d, Sink out) {
  const auto& frame = program_.frames[static_cast<std::size_t>(n.b)];
  const auto before = [&](const Draft& a, const Draft& b) { return order(a, b, frame) < 0; };
  const auto text_order = [](const std::string& s) { return std::tuple(s.size(), std::string_view(s)); };
  std::map<Draft, Draft, decltype(before)> best(before); // of those equal to the first, the one to keep
  run(kid(n, 0), std::move(d), [&](Draft&& e) {
    work(n, kStepsToFind * steps_of_board_);
    const auto [at, fresh] = best.try_emplace(e, e);
    if (!fresh && text_order(e.notation) < text_order(at->second.notation)) at->second = std::move(e);
    check_kept(n, best.size());
    return true;
  });
  return std::all_of(best.begin(), best.end(), [&](auto& kept) { return out(std::move(kept.second)); });
}

// Nothing is written inside, so the notation needs no restoring.
bool Walk::quietly(const Node& n, Draft&& d, Sink out) {
  const bool quiet = d.quiet;
  const CellSet gone = d.gone;
  d.quiet = true;
  return run(kid(n, 0), std::move(d), [&](Draft&& e) {
    e.quiet = quiet;
    e.gone = gone;
    return out(std::move(e));
  });
}

// ---------------------------------------------------------------- the walker

bool Walk::walking(const Node& n, Draft&& d, Sink out) {
  switch (as<WalkingOp>(n.op)) {
  case WalkingOp::from: return from(n, std::move(d), out);
  case WalkingOp::to: return to(n, std::move(d), out);
  case WalkingOp::at: need_here(n, d); return cells(kid(n, 0), d).test(d.here) ? out(std::move(d)) : true;
  case WalkingOp::go: return go(n, std::move(d), out);
  case WalkingOp::bend: return bend(n, std::move(d), out);
  case WalkingOp::let:
    d.locals.bind(static_cast<std::uint32_t>(n.a), value(kid(n, 0), d));
    return out(std::move(d));
  case WalkingOp::require: return holds(kid(n, 0), d) ? out(std::move(d)) : true;
  case WalkingOp::never: return true;
  }
  unknown(n);
}

bool Walk::from(const Node& n, Draft&& d, Sink out) {
  const CellSet sources = cells(kid(n, 0), d);
  for (int cell = 0; cell < board_.cells; ++cell) {
    if (!sources.test(cell)) continue;
    Draft e = d;
    e.here = e.start = cell;
    e.heading = kNoStep;
    write_gone(n, e);
    write(n, (e.notation.empty() ? "" : " ") + board_.name[static_cast<std::size_t>(cell)], e);
    if (!out(std::move(e))) return false;
  }
  return true;
}

bool Walk::to(const Node& n, Draft&& d, Sink out) {
  const CellSet targets = cells(kid(n, 0), d);
  for (int cell = 0; cell < board_.cells; ++cell) {
    if (!targets.test(cell)) continue;
    Draft e = d;
    e.here = cell;
    e.heading = kNoStep;
    if (!out(std::move(e))) return false;
  }
  return true;
}

bool Walk::go(const Node& n, Draft&& d, Sink out) {
  need_here(n, d);
  const StepSet directions = steps(kid(n, 0), d);
  for (std::size_t step = 0; step < board_.steps.size(); ++step) {
    if (!directions.test(static_cast<int>(step))) continue;
    const int target = board_.steps[step].to[static_cast<std::size_t>(d.here)];
    if (target < 0) continue;
    Draft e = d;
    e.here = target;
    e.heading = static_cast<int>(step);
    if (!out(std::move(e))) return false;
  }
  return true;
}

bool Walk::bend(const Node& n, Draft&& d, Sink out) {
  need_here(n, d);
  const StepSet directions = steps(kid(n, 0), d);
  for (const Curve& c : board_.curves) {
    if (c.from != d.here || !directions.test(c.leaving)) continue;
    Draft e = d;
    e.here = c.to;
    e.heading = c.heading;
    if (!out(std::move(e))) return false;
  }
  return true;
}

void Walk::need_here(const Node& n, const Draft& d) const {
  if (d.here == kNoCell) fail(n, fmt::format("`{}` before any `from` or `to`", name_of(n.op)));
}

// ---------------------------------------------------------------- pieces

bool Walk::handling(const Node& n, Draft&& d, Sink out) {
  bool goes_on = true;
  work(n, steps_of_board_);
  switch (as<PiecesOp>(n.op)) {
  case PiecesOp::lift: goes_on = lift(n, d); break;
  case PiecesOp::put: goes_on = put(n, d); break;
  case PiecesOp::discard: goes_on = discard(n, d); break;
  case PiecesOp::remove: remove(n, d); break;
  case PiecesOp::drop: goes_on = drop(n, d); break;
  case PiecesOp::change: goes_on = change(n, d); break;
  case PiecesOp::move_by: goes_on = move_by(n, d); break;
  }
  return goes_on ? out(std::move(d)) : true;
}

namespace {

Stack& stack_of(Draft& d, int cell) { return d.cells.edit()[static_cast<std::size_t>(cell)]; }

} // namespace

// How many pieces an action is about: its operand, or all.
std::int64_t Walk::how_many(const Node& n, const Draft& d, std::size_t all) {
  return n.count > 0 ? number(kid(n, 0), d) : static_cast<std::int64_t>(all);
}

bool Walk::lift(const Node& n, Draft& d) {
  need_here(n, d);
  const std::size_t height = d.stack(d.here).size();
  const std::int64_t lifted = how_many(n, d, height);
  if (height == 0 || lifted < 0 || lifted > static_cast<std::int64_t>(height)) return false;
  if (!d.carried.empty() && !board_.stacks)
    fail(n, "`lift` with a piece in the air already, on a board without stacks");
  if (static_cast<std::int64_t>(d.carried.size()) + lifted > kMaxHeight)
    fail(n, fmt::format("more than {} pieces are carried", kMaxHeight));
  Stack& stack = stack_of(d, d.here);
  const auto from = stack.end() - static_cast<std::ptrdiff_t>(lifted);
  d.carried.insert(d.carried.begin(), from, stack.end());
  stack.erase(from, stack.end());
  return true;
}

bool Walk::put(const Node& n, Draft& d) {
  const std::int64_t laid = how_many(n, d, d.carried.size());
  if (laid < 0 || laid > static_cast<std::int64_t>(d.carried.size())) return false;
  if (laid == 0) return true;
  need_here(n, d);
  const auto end = d.carried.begin() + static_cast<std::ptrdiff_t>(laid);
  lay(n, d.here, Stack(d.carried.begin(), end), d);
  d.carried.erase(d.carried.begin(), end);
  if (d.quiet) return true;
  write(n, (d.gone.any() ? "x" : "-") + board_.name[static_cast<std::size_t>(d.here)], d);
  d.gone = {}; // what has left so far is what the `x` tells
  return true;
}

bool Walk::discard(const Node& n, Draft& d) {
  const std::int64_t thrown = how_many(n, d, d.carried.size());
  if (thrown < 0 || thrown > static_cast<std::int64_t>(d.carried.size())) return false;
  if (thrown == 0) return true;
  need_here(n, d);
  const auto end = d.carried.begin() + static_cast<std::ptrdiff_t>(thrown);
  leave(d.here, Stack(d.carried.begin(), end), d);
  d.carried.erase(d.carried.begin(), end);
  return true;
}

void Walk::remove(const Node& n, Draft& d) {
  cells(kid(n, 0), d).each([&](int cell) {
    if (d.stack(cell).empty()) return;
    leave(cell, d.stack(cell), d);
    stack_of(d, cell).clear();
  });
}

// Lays pieces on a cell: on what is there, or without stacks in its place.
void Walk::lay(const Node& n, int cell, const Stack& pieces, Draft& d) const {
  if (!board_.stacks) {
    leave(cell, d.stack(cell), d);
    stack_of(d, cell).clear();
  }
  if (d.stack(cell).size() + pieces.size() > static_cast<std::size_t>(board_.levels))
    fail(n, fmt::format("more than {} pieces on {}", board_.levels,
                        board_.name[static_cast<std::size_t>(cell)]));
  Stack& stack = stack_of(d, cell);
  stack.insert(stack.end(), pieces.begin(), pieces.end());
}

// A piece without a letter can't be named or read: it must not come about.
void Walk::need_letter(const Node& n, Piece piece) const {
  if (program_.letter_of(piece) != '?') return;
  const std::string& kind = program_.kinds[static_cast<std::size_t>(piece.kind)].name;
  if (piece.owner < 0) fail(n, fmt::format("there is no neutral `{}`", kind));
  fail(n, fmt::format("{} has no `{}`", program_.players[static_cast<std::size_t>(piece.owner)].name, kind));
}

// The piece that a drop makes: its owner may depend on whether the player has the kind.
Piece Walk::dropped(const Node& n, int kind) const {
  const auto kind_index = static_cast<std::int8_t>(kind);
  const Piece own{static_cast<std::int8_t>(n.b), kind_index}, neutral{kNeutral, kind_index};
  if (n.a >= 0) return {static_cast<std::int8_t>(n.a), kind_index};
  if (n.a == kNeutral) return neutral;
  const bool only_neutral = program_.letter_of(neutral) != '?' && program_.letter_of(own) == '?';
  return only_neutral ? neutral : own;
}

bool Walk::drop(const Node& n, Draft& d) {
  const CellSet on = cells(kid(n, 0), d);
  const int dropped_kind = kind(kid(n, 1), d);
  const std::int64_t each = n.count > 2 ? number(kid(n, 2), d) : 1;
  if (dropped_kind < 0) fail(n, kNoKindToDrop);
  if (each < 0) return false;
  const Piece piece = dropped(n, dropped_kind);
  need_letter(n, piece);
  if (each > 1 && !board_.stacks)
    fail(n, fmt::format("`drop` of {} pieces on one cell of a board without stacks", each));
  if (!take_from_hand(n, piece, each * on.count(), d)) return false;
  if (each > kMaxHeight && on.any()) fail(n, fmt::format("more than {} pieces on one cell", kMaxHeight));
  if (each > 0) on.each([&](int cell) { lay(n, cell, Stack(static_cast<std::size_t>(each), piece), d); });
  write_drop(piece, on, d, n);
  return true;
}

// Neutral pieces come from the hand of the player that the drop is for. A kind without an entry is unlimited.
bool Walk::take_from_hand(const Node& n, Piece piece, std::int64_t number, Draft& d) const {
  const auto giver = static_cast<std::size_t>(piece.owner == kNeutral ? n.b : piece.owner);
  const int slot = program_.hand_slot[giver][static_cast<std::size_t>(piece.kind)];
  if (slot < 0) return true;
  const auto index = static_cast<std::size_t>(slot);
  if ((*d.hands)[index] < number) return false;
  if (number > 0) d.hands.edit()[index] -= static_cast<std::int32_t>(number);
  return true;
}

// On no cell nothing is written. The first kind that the owner has needs no letter.
void Walk::write_drop(Piece piece, const CellSet& on, Draft& d, const Node& n) const {
  if (on.none()) return;
  int first = 0;
  while (program_.letter_of({piece.owner, static_cast<std::int8_t>(first)}) == '?') ++first;
  std::string text = d.notation.empty() ? "" : "/";
  if (piece.kind != first) text += program_.letter_of_kind(piece.kind);
  write(n, text + cell_names(on), d);
}

bool Walk::change(const Node& n, Draft& d) {
  const CellSet changed = cells(kid(n, 0), d);
  std::optional<int> new_kind;
  if (n.count > 1) new_kind = kind(kid(n, 1), d);
  if (new_kind && *new_kind < 0) fail(n, kNoKindToChangeTo);
  changed.each([&](int cell) {
    if (!d.stack(cell).empty()) change_top(n, cell, new_kind, d);
  });
  return true;
}

void Walk::change_top(const Node& n, int cell, std::optional<int> kind, Draft& d) {
  const Piece old = d.stack(cell).back();
  Piece piece = old;
  if (n.a != kKeepOwner) piece.owner = static_cast<std::int8_t>(n.a);
  if (kind) piece.kind = static_cast<std::int8_t>(*kind);
  need_letter(n, piece);
  stack_of(d, cell).back() = piece;
  if (n.b == 1 && piece.kind != old.kind) write(n, std::string("=") + program_.letter_of_kind(piece.kind), d);
}

bool Walk::move_by(const Node& n, Draft& d) {
  const CellSet moved = cells(kid(n, 0), d);
  const CellMap map = value(kid(n, 1), d).map;
  std::map<int, Stack> arriving; // by target
  bool fits = true;
  moved.each([&](int cell) {
    if (d.stack(cell).empty()) return;
    const int target = board_.map(map, cell);
    fits = fits && target >= 0 && arriving.emplace(target, d.stack(cell)).second;
  });
  if (!fits) return false;
  moved.each([&](int cell) {
    if (!d.stack(cell).empty()) stack_of(d, cell).clear();
  });
  for (const auto& [target, stack] : arriving) lay(n, target, stack, d);
  return true;
}

// ---------------------------------------------------------------- the position

bool Walk::deciding(const Node& n, Draft&& d, Sink out) {
  switch (as<PositionOp>(n.op)) {
  case PositionOp::set_local: d.locals.bind(static_cast<std::uint32_t>(n.a), value(kid(n, 0), d)); break;
  case PositionOp::set_variable: set_variable(n, d); break;
  case PositionOp::set_hand: set_hand(n, d); break;
  case PositionOp::pass: write(n, "pass", d); break;
  case PositionOp::again: d.again = true; break;
  case PositionOp::win: win(n, d); break;
  case PositionOp::lose: lose(n, d); break;
  case PositionOp::draw: draw(n, d); break;
  case PositionOp::say: say(n, d); break;
  }
  return out(std::move(d));
}

void Walk::set_variable(const Node& n, Draft& d) {
  const auto index = static_cast<std::size_t>(n.a);
  const Value v = value(kid(n, 0), d);
  VariableValue& variable = d.variables.edit()[index];
  if (program_.variables[index].type == Type::cells)
    variable.cells = v.cells;
  else
    variable.number = static_cast<std::int32_t>(v.number);
}

void Walk::set_hand(const Node& n, Draft& d) {
  const int k = kind(kid(n, 0), d);
  if (k < 0) fail(n, kNoKindOfHand);
  const int slot = program_.hand_slot[static_cast<std::size_t>(n.a)][static_cast<std::size_t>(k)];
  if (slot < 0)
    fail(n, fmt::format("`set hand` of `{}`: no such entry in `hands`",
                        program_.kinds[static_cast<std::size_t>(k)].name));
  const std::int64_t pieces = std::max<std::int64_t>(number(kid(n, 1), d), 0);
  d.hands.edit()[static_cast<std::size_t>(slot)] = static_cast<std::int32_t>(pieces);
}

void Walk::win(const Node& n, Draft& d) const {
  d.decision = Outcome{std::uint32_t{1} << n.a, n.origin, Outcome::By::move};
}

void Walk::draw(const Node& n, Draft& d) const { d.decision = Outcome{0, n.origin, Outcome::By::move}; }

// Of two players the other wins, and nobody is put out.
void Walk::lose(const Node& n, Draft& d) const {
  const std::uint32_t out = d.out | std::uint32_t{1} << n.a;
  const std::vector<int> left = following(n.a, out);
  const bool two = program_.player_count() <= 2;
  if (!two) d.out = out;
  if (left.size() > 1) return;
  const std::uint32_t winners = left.empty() ? 0 : std::uint32_t{1} << left.front();
  d.decision = Outcome{winners, n.origin, two ? Outcome::By::move : Outcome::By::last_left};
}

// ---------------------------------------------------------------- notation

void Walk::write(const Node& n, const std::string& text, Draft& d) const {
  if (d.quiet) return;
  d.notation += text;
  if (d.notation.size() > kMaxNotation)
    fail(n, fmt::format("the notation of a move has more than {} characters", kMaxNotation));
}

// What has left the board since the last `put` is written by the next `put`, `from` or `say`, or at the end.
void Walk::write_gone(const Node& n, Draft& d) const {
  if (d.gone.none() || d.quiet) return;
  write(n, "x" + cell_names(d.gone), d);
  d.gone = {};
}

// Pieces leave the game from a cell. The mover's own are not written.
void Walk::leave(int cell, const Stack& pieces, Draft& d) const {
  const int mover = d.turn->mover;
  if (std::any_of(pieces.begin(), pieces.end(), [mover](Piece p) { return p.owner != mover; }))
    d.gone.set(cell);
}

std::string Walk::cell_names(const CellSet& cells) const {
  std::string names;
  cells.each([&](int cell) {
    if (!names.empty()) names += ',';
    names += board_.name[static_cast<std::size_t>(cell)];
  });
  return names;
}

void Walk::say(const Node& n, Draft& d) {
  write_gone(n, d);
  for (const NodeId id : program_.kids_of(n)) write(n, text_of(id, d), d);
}

std::string Walk::text_of(NodeId id, const Draft& d) {
  const Node& n = node(id);
  if (n.op == Op::text) return program_.texts[static_cast<std::size_t>(n.a)];
  const Value v = value(id, d);
  switch (n.type) {
  case Type::number: return std::to_string(v.number);
  case Type::truth: return v.number != 0 ? "true" : "false";
  case Type::cells: return cell_names(v.cells);
  case Type::kind:
    return v.number < 0 ? std::string() : std::string(1, program_.letter_of_kind(static_cast<int>(v.number)));
  case Type::player: return program_.players[static_cast<std::size_t>(v.number)].name;
  default: fail(n, "`say` writes text, numbers, cells, kinds and players");
  }
}

} // namespace boardwright::runtime
