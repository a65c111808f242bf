// Actions, in the order of the table in operation_table.hpp. Repetition is in walker_loops.cpp.
//
// An action that has at most one outcome changes the draft that it is given and answers whether it goes on.

#include "runtime/model/limits.hpp"
#include "runtime/model/operations.hpp"
#include "runtime/reference/walker_operations.hpp"
#include "runtime/reference/walker_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace boardwright::runtime::reference {

// ---------------------------------------------------------------- notation

namespace {

void write(Walk& w, const Node& n, const std::string& text, Draft& d) {
  if (d.quiet) return;
  d.notation += text;
  if (d.notation.size() > kMaxNotation)
    w.fail(n, fmt::format("the notation of a move has more than {} characters", kMaxNotation));
}

std::string cell_names(Walk& w, const CellSet& cells) {
  std::string names;
  cells.each([&](int cell) {
    if (!names.empty()) names += ',';
    names += w.board().name[static_cast<std::size_t>(cell)];
  });
  return names;
}

// Does a cell that is written need no sign before it?
bool begins(const Walk& w, const Draft& d) {
  return d.notation.empty() || (w.program().secret && d.notation.back() == kSecretBegins);
}

} // namespace

// What has left the board since the last `put` is written by the next `put`, `from` or `say`, or at the end.
void write_gone(Walk& w, const Node& n, Draft& d) {
  if (d.gone.none() || d.quiet) return;
  write(w, n, "x" + cell_names(w, d.gone), d);
  d.gone = {};
}

namespace {

// Pieces leave the game from a cell. The mover's own are not written.
void leave(int cell, const Stack& pieces, Draft& d) {
  const int mover = d.turn->mover;
  if (std::any_of(pieces.begin(), pieces.end(), [mover](Piece p) { return p.owner != mover; }))
    d.gone.set(cell);
}

std::string text_of(Walk& w, NodeId id, const Draft& d) {
  const Node& n = w.node(id);
  if (n.op == Op::text) return w.program().texts[static_cast<std::size_t>(n.a)];
  const Value v = w.value(id, d);
  switch (n.type) {
  case Type::number: return std::to_string(v.number);
  case Type::truth: return v.number != 0 ? "true" : "false";
  case Type::cells: return cell_names(w, v.cells);
  case Type::kind:
    return v.number < 0 ? std::string()
                        : std::string(1, w.program().letter_of_kind(static_cast<int>(v.number)));
  case Type::player: return w.program().players[static_cast<std::size_t>(v.number)].name;
  default: w.fail(n, "`say` writes text, numbers, cells, kinds and players");
  }
}

void say(Walk& w, const Node& n, Draft& d) {
  write_gone(w, n, d);
  for (const NodeId id : w.program().kids_of(n)) write(w, n, text_of(w, id, d), d);
}

// ---------------------------------------------------------------- joining

bool sequence(Walk& w, const Node& n, std::uint32_t i, Draft&& d, Sink out) {
  if (i == n.count) return out(std::move(d));
  if (i + 1 == n.count) return w.run(w.kid(n, i), std::move(d), out);
  return w.run(w.kid(n, i), std::move(d),
               [&](Draft&& e) { return sequence(w, n, i + 1, std::move(e), out); });
}

bool alternatives(Walk& w, const Node& n, Draft&& d, Sink out) {
  for (const NodeId id : w.program().kids_of(n))
    if (!w.run(id, d, out)) return false;
  return true;
}

bool otherwise(Walk& w, const Node& n, Draft&& d, Sink out) {
  for (const NodeId id : w.program().kids_of(n)) {
    bool any = false;
    const auto noted = [&](Draft&& e) {
      any = true;
      return out(std::move(e));
    };
    if (!w.run(id, d, noted)) return false;
    if (any) return true;
  }
  return true;
}

bool if_action(Walk& w, const Node& n, Draft&& d, Sink out) {
  if (w.holds(w.kid(n, 0), d)) return w.run(w.kid(n, 1), std::move(d), out);
  return n.count > 2 ? w.run(w.kid(n, 2), std::move(d), out) : out(std::move(d));
}

bool choose(Walk& w, const Node& n, Draft&& d, Sink out) {
  for (Value& v : w.members(w.kid(n, 0), d)) {
    Draft e = d;
    e.locals.bind(static_cast<std::uint32_t>(n.a), std::move(v));
    if (!out(std::move(e))) return false;
  }
  return true;
}

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

bool choose_some(Walk& w, const Node& n, Draft&& d, Sink out) {
  const std::int64_t wanted = w.number(w.kid(n, 0), d);
  const std::vector<Value> from = w.members(w.kid(n, 1), d);
  if (wanted < 0 || wanted > static_cast<std::int64_t>(from.size())) return true;
  const Type type = w.node(w.kid(n, 1)).type;
  const bool as_set = type == Type::cells || type == Type::directions;
  std::vector<std::size_t> which(static_cast<std::size_t>(wanted));
  for (std::size_t i = 0; i < which.size(); ++i) which[i] = i;
  do {
    w.work(n, which.size());
    Value v = chosen(from, which);
    if (as_set) v.list.clear();
    Draft e = d;
    e.locals.bind(static_cast<std::uint32_t>(n.a), std::move(v));
    if (!out(std::move(e))) return false;
  } while (next_choice(which, from.size()));
  return true;
}

Draft only_outcome(Walk& w, const Node& n, Draft&& d) {
  std::optional<Draft> outcome;
  int outcomes = 0;
  w.run(w.kid(n, 1), std::move(d), [&](Draft&& e) {
    outcome = std::move(e);
    return ++outcomes < 2;
  });
  if (outcomes != 1)
    w.fail(n, fmt::format("the action of `each` must have exactly one outcome, and has {}",
                          outcomes == 0 ? "none" : "several"));
  return std::move(*outcome);
}

bool each(Walk& w, const Node& n, Draft&& d, Sink out) {
  for (Value& v : w.members(w.kid(n, 0), d)) {
    d.locals.bind(static_cast<std::uint32_t>(n.a), std::move(v));
    d = only_outcome(w, n, std::move(d));
  }
  return out(std::move(d));
}

bool most(Walk& w, const Node& n, Draft&& d, Sink out) {
  std::vector<Draft> best;
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  w.run(w.kid(n, 0), std::move(d), [&](Draft&& e) {
    const std::int64_t value = w.number(w.kid(n, 1), e.decided() ? e.undecided() : e);
    if (value > most) best.clear();
    most = std::max(most, value);
    if (value == most) best.push_back(std::move(e));
    w.check_kept(n, best.size());
    return true;
  });
  return std::all_of(best.begin(), best.end(), [&](Draft& e) { return out(std::move(e)); });
}

bool distinct(Walk& w, const Node& n, Draft&& d, Sink out) {
  const auto& frame = w.program().frames[static_cast<std::size_t>(n.b)];
  const auto before = [&](const Draft& a, const Draft& b) { return order(a, b, frame) < 0; };
  const auto text_order = [](const std::string& s) { return std::tuple(s.size(), std::string_view(s)); };
  std::map<Draft, Draft, decltype(before)> best(before); // of those equal to the first, the one to keep
  w.run(w.kid(n, 0), std::move(d), [&](Draft&& e) {
    w.seek_draft(n);
    const auto [at, fresh] = best.try_emplace(e, e);
    if (!fresh && text_order(e.notation) < text_order(at->second.notation)) at->second = std::move(e);
    w.check_kept(n, best.size());
    return true;
  });
  return std::all_of(best.begin(), best.end(), [&](auto& kept) { return out(std::move(kept.second)); });
}

// Nothing is written inside, so the notation needs no restoring.
bool quietly(Walk& w, const Node& n, Draft&& d, Sink out) {
  const bool quiet = d.quiet;
  const CellSet gone = d.gone;
  d.quiet = true;
  return w.run(w.kid(n, 0), std::move(d), [&](Draft&& e) {
    e.quiet = quiet;
    e.gone = gone;
    return out(std::move(e));
  });
}

bool joining(Walk& w, const Node& n, Draft&& d, Sink out) {
  switch (as<JoiningOp>(n.op)) {
  case JoiningOp::sequence: return sequence(w, n, 0, std::move(d), out);
  case JoiningOp::alternatives: return alternatives(w, n, std::move(d), out);
  case JoiningOp::otherwise: return otherwise(w, n, std::move(d), out);
  case JoiningOp::repeat: return repeat(w, n, std::move(d), out);
  case JoiningOp::if_action: return if_action(w, n, std::move(d), out);
  case JoiningOp::choose: return choose(w, n, std::move(d), out);
  case JoiningOp::choose_some: return choose_some(w, n, std::move(d), out);
  case JoiningOp::each: return each(w, n, std::move(d), out);
  case JoiningOp::most: return most(w, n, std::move(d), out);
  case JoiningOp::distinct: return distinct(w, n, std::move(d), out);
  case JoiningOp::quietly: return quietly(w, n, std::move(d), out);
  case JoiningOp::by_kind_action: {
    const int top = w.top_kind(w.kid(n, 0), d);
    return w.run(w.kid(n, top < 0 ? n.count - 1 : 1 + static_cast<std::uint32_t>(top)), std::move(d), out);
  }
  case JoiningOp::by_player_action: {
    const int which = w.player(w.kid(n, 0), d);
    return w.run(w.kid(n, 1 + static_cast<std::uint32_t>(which)), std::move(d), out);
  }
  }
  w.unknown(n);
}

// ---------------------------------------------------------------- the walker

bool from(Walk& w, const Node& n, Draft&& d, Sink out) {
  const CellSet sources = w.cells(w.kid(n, 0), d);
  for (int cell = 0; cell < w.board().cells; ++cell) {
    if (!sources.test(cell)) continue;
    Draft e = d;
    e.here = e.start = cell;
    e.heading = kNoStep;
    write_gone(w, n, e);
    write(w, n, (begins(w, e) ? "" : " ") + w.board().name[static_cast<std::size_t>(cell)], e);
    if (!out(std::move(e))) return false;
  }
  return true;
}

bool to(Walk& w, const Node& n, Draft&& d, Sink out) {
  const CellSet targets = w.cells(w.kid(n, 0), d);
  for (int cell = 0; cell < w.board().cells; ++cell) {
    if (!targets.test(cell)) continue;
    Draft e = d;
    e.here = cell;
    e.heading = kNoStep;
    if (!out(std::move(e))) return false;
  }
  return true;
}

bool go(Walk& w, const Node& n, Draft&& d, Sink out) {
  w.need_here(n, d);
  const StepSet directions = w.steps(w.kid(n, 0), d);
  for (std::size_t step = 0; step < w.board().steps.size(); ++step) {
    if (!directions.test(static_cast<int>(step))) continue;
    const int target = w.board().steps[step].to[static_cast<std::size_t>(d.here)];
    if (target < 0) continue;
    Draft e = d;
    e.here = target;
    e.heading = static_cast<int>(step);
    if (!out(std::move(e))) return false;
  }
  return true;
}

bool bend(Walk& w, const Node& n, Draft&& d, Sink out) {
  w.need_here(n, d);
  const StepSet directions = w.steps(w.kid(n, 0), d);
  for (const Curve& c : w.board().curves) {
    if (c.from != d.here || !directions.test(c.leaving)) continue;
    Draft e = d;
    e.here = c.to;
    e.heading = c.heading;
    if (!out(std::move(e))) return false;
  }
  return true;
}

bool walking(Walk& w, const Node& n, Draft&& d, Sink out) {
  switch (as<WalkingOp>(n.op)) {
  case WalkingOp::from: return from(w, n, std::move(d), out);
  case WalkingOp::to: return to(w, n, std::move(d), out);
  case WalkingOp::at:
    w.need_here(n, d);
    return w.cells(w.kid(n, 0), d).test(d.here) ? out(std::move(d)) : true;
  case WalkingOp::go: return go(w, n, std::move(d), out);
  case WalkingOp::bend: return bend(w, n, std::move(d), out);
  case WalkingOp::let:
    d.locals.bind(static_cast<std::uint32_t>(n.a), w.value(w.kid(n, 0), d));
    return out(std::move(d));
  case WalkingOp::require: return w.holds(w.kid(n, 0), d) ? out(std::move(d)) : true;
  case WalkingOp::never: return true;
  }
  w.unknown(n);
}

// ---------------------------------------------------------------- pieces

Stack& stack_of(Draft& d, int cell) { return d.cells.edit()[static_cast<std::size_t>(cell)]; }

// How many pieces an action is about: its operand, or all.
std::int64_t how_many(Walk& w, const Node& n, const Draft& d, std::size_t all) {
  return n.count > 0 ? w.number(w.kid(n, 0), d) : static_cast<std::int64_t>(all);
}

// Lays pieces on a cell: on what is there, or without stacks in its place.
void lay(Walk& w, const Node& n, int cell, const Stack& pieces, Draft& d) {
  if (!w.board().stacks) {
    leave(cell, d.stack(cell), d);
    stack_of(d, cell).clear();
  }
  if (d.stack(cell).size() + pieces.size() > static_cast<std::size_t>(w.board().levels))
    w.fail(n, fmt::format("more than {} pieces on {}", w.board().levels,
                          w.board().name[static_cast<std::size_t>(cell)]));
  Stack& stack = stack_of(d, cell);
  stack.insert(stack.end(), pieces.begin(), pieces.end());
}

bool lift(Walk& w, const Node& n, Draft& d) {
  w.need_here(n, d);
  const std::size_t height = d.stack(d.here).size();
  const std::int64_t lifted = how_many(w, n, d, height);
  if (height == 0 || lifted < 0 || lifted > static_cast<std::int64_t>(height)) return false;
  if (!d.carried.empty() && !w.board().stacks)
    w.fail(n, "`lift` with a piece in the air already, on a board without stacks");
  if (static_cast<std::int64_t>(d.carried.size()) + lifted > kMaxHeight)
    w.fail(n, fmt::format("more than {} pieces are carried", kMaxHeight));
  Stack& stack = stack_of(d, d.here);
  const auto from = stack.end() - static_cast<std::ptrdiff_t>(lifted);
  d.carried.insert(d.carried.begin(), from, stack.end());
  stack.erase(from, stack.end());
  return true;
}

bool put(Walk& w, const Node& n, Draft& d) {
  const std::int64_t laid = how_many(w, n, d, d.carried.size());
  if (laid < 0 || laid > static_cast<std::int64_t>(d.carried.size())) return false;
  if (laid == 0) return true;
  w.need_here(n, d);
  const auto end = d.carried.begin() + static_cast<std::ptrdiff_t>(laid);
  lay(w, n, d.here, Stack(d.carried.begin(), end), d);
  d.carried.erase(d.carried.begin(), end);
  if (d.quiet) return true;
  write(w, n, (d.gone.any() ? "x" : "-") + w.board().name[static_cast<std::size_t>(d.here)], d);
  d.gone = {}; // what has left so far is what the `x` tells
  return true;
}

bool discard(Walk& w, const Node& n, Draft& d) {
  const std::int64_t thrown = how_many(w, n, d, d.carried.size());
  if (thrown < 0 || thrown > static_cast<std::int64_t>(d.carried.size())) return false;
  if (thrown == 0) return true;
  w.need_here(n, d);
  const auto end = d.carried.begin() + static_cast<std::ptrdiff_t>(thrown);
  leave(d.here, Stack(d.carried.begin(), end), d);
  d.carried.erase(d.carried.begin(), end);
  return true;
}

void remove(Walk& w, const Node& n, Draft& d) {
  w.cells(w.kid(n, 0), d).each([&](int cell) {
    if (d.stack(cell).empty()) return;
    leave(cell, d.stack(cell), d);
    stack_of(d, cell).clear();
  });
}

// A piece without a letter can't be named or read: it must not come about.
void need_letter(Walk& w, const Node& n, Piece piece) {
  if (w.program().letter_of(piece) != '?') return;
  const std::string& kind = w.program().kinds[static_cast<std::size_t>(piece.kind)].name;
  if (piece.owner < 0) w.fail(n, fmt::format("there is no neutral `{}`", kind));
  w.fail(n, fmt::format("{} has no `{}`", w.program().players[static_cast<std::size_t>(piece.owner)].name,
                        kind));
}

// The piece that a drop makes: its owner may depend on whether the player has the kind.
Piece dropped(Walk& w, const Node& n, int kind) {
  const auto kind_index = static_cast<std::int8_t>(kind);
  const Piece own{static_cast<std::int8_t>(n.b), kind_index}, neutral{kNeutral, kind_index};
  if (n.a >= 0) return {static_cast<std::int8_t>(n.a), kind_index};
  if (n.a == kNeutral) return neutral;
  const bool only_neutral = w.program().letter_of(neutral) != '?' && w.program().letter_of(own) == '?';
  return only_neutral ? neutral : own;
}

// Neutral pieces come from the hand of the player that the drop is for. A kind without an entry is unlimited.
bool take_from_hand(Walk& w, const Node& n, Piece piece, std::int64_t number, Draft& d) {
  const auto giver = static_cast<std::size_t>(piece.owner == kNeutral ? n.b : piece.owner);
  const int slot = w.program().hand_slot[giver][static_cast<std::size_t>(piece.kind)];
  if (slot < 0) return true;
  const auto index = static_cast<std::size_t>(slot);
  if ((*d.hands)[index] < number) return false;
  if (number > 0) d.hands.edit()[index] -= static_cast<std::int32_t>(number);
  return true;
}

// On no cell nothing is written. The first kind that the owner has needs no letter.
void write_drop(Walk& w, Piece piece, const CellSet& on, Draft& d, const Node& n) {
  if (on.none()) return;
  int first = 0;
  while (w.program().letter_of({piece.owner, static_cast<std::int8_t>(first)}) == '?') ++first;
  std::string text = begins(w, d) ? "" : "/";
  if (piece.kind != first) text += w.program().letter_of_kind(piece.kind);
  write(w, n, text + cell_names(w, on), d);
}

bool drop(Walk& w, const Node& n, Draft& d) {
  const CellSet on = w.cells(w.kid(n, 0), d);
  const int dropped_kind = w.kind(w.kid(n, 1), d);
  const std::int64_t each = n.count > 2 ? w.number(w.kid(n, 2), d) : 1;
  if (dropped_kind < 0) w.fail(n, kNoKindToDrop);
  if (each < 0) return false;
  const Piece piece = dropped(w, n, dropped_kind);
  need_letter(w, n, piece);
  if (each > 1 && !w.board().stacks)
    w.fail(n, fmt::format("`drop` of {} pieces on one cell of a board without stacks", each));
  if (!take_from_hand(w, n, piece, each * on.count(), d)) return false;
  if (each > kMaxHeight && on.any()) w.fail(n, fmt::format("more than {} pieces on one cell", kMaxHeight));
  if (each > 0) on.each([&](int cell) { lay(w, n, cell, Stack(static_cast<std::size_t>(each), piece), d); });
  write_drop(w, piece, on, d, n);
  return true;
}

void change_top(Walk& w, const Node& n, int cell, std::optional<int> kind, Draft& d) {
  const Piece old = d.stack(cell).back();
  Piece piece = old;
  if (n.a != kKeepOwner) piece.owner = static_cast<std::int8_t>(n.a);
  if (kind) piece.kind = static_cast<std::int8_t>(*kind);
  need_letter(w, n, piece);
  stack_of(d, cell).back() = piece;
  if (n.b == 1 && piece.kind != old.kind)
    write(w, n, std::string("=") + w.program().letter_of_kind(piece.kind), d);
}

bool change(Walk& w, const Node& n, Draft& d) {
  const CellSet changed = w.cells(w.kid(n, 0), d);
  std::optional<int> new_kind;
  if (n.count > 1) new_kind = w.kind(w.kid(n, 1), d);
  if (new_kind && *new_kind < 0) w.fail(n, kNoKindToChangeTo);
  changed.each([&](int cell) {
    if (!d.stack(cell).empty()) change_top(w, n, cell, new_kind, d);
  });
  return true;
}

bool move_by(Walk& w, const Node& n, Draft& d) {
  const CellSet moved = w.cells(w.kid(n, 0), d);
  const CellMap map = w.value(w.kid(n, 1), d).map;
  std::map<int, Stack> arriving; // by target
  bool fits = true;
  moved.each([&](int cell) {
    if (d.stack(cell).empty()) return;
    const int target = w.board().map(map, cell);
    fits = fits && target >= 0 && arriving.emplace(target, d.stack(cell)).second;
  });
  if (!fits) return false;
  moved.each([&](int cell) {
    if (!d.stack(cell).empty()) stack_of(d, cell).clear();
  });
  for (const auto& [target, stack] : arriving) lay(w, n, target, stack, d);
  return true;
}

bool handling(Walk& w, const Node& n, Draft&& d, Sink out) {
  bool goes_on = true;
  w.copy_board(n);
  switch (as<PiecesOp>(n.op)) {
  case PiecesOp::lift: goes_on = lift(w, n, d); break;
  case PiecesOp::put: goes_on = put(w, n, d); break;
  case PiecesOp::discard: goes_on = discard(w, n, d); break;
  case PiecesOp::remove: remove(w, n, d); break;
  case PiecesOp::drop: goes_on = drop(w, n, d); break;
  case PiecesOp::change: goes_on = change(w, n, d); break;
  case PiecesOp::move_by: goes_on = move_by(w, n, d); break;
  }
  return goes_on ? out(std::move(d)) : true;
}

// ---------------------------------------------------------------- the position

void set_variable(Walk& w, const Node& n, Draft& d) {
  const auto index = static_cast<std::size_t>(n.a);
  const Value v = w.value(w.kid(n, 0), d);
  VariableValue& variable = d.variables.edit()[index];
  if (w.program().variables[index].type == Type::cells)
    variable.cells = v.cells;
  else
    variable.number = static_cast<std::int32_t>(v.number);
}

void set_hand(Walk& w, const Node& n, Draft& d) {
  const int k = w.kind(w.kid(n, 0), d);
  if (k < 0) w.fail(n, kNoKindOfHand);
  const int slot = w.program().hand_slot[static_cast<std::size_t>(n.a)][static_cast<std::size_t>(k)];
  if (slot < 0)
    w.fail(n, fmt::format("`set hand` of `{}`: no such entry in `hands`",
                          w.program().kinds[static_cast<std::size_t>(k)].name));
  const std::int64_t pieces = std::max<std::int64_t>(w.number(w.kid(n, 1), d), 0);
  d.hands.edit()[static_cast<std::size_t>(slot)] = static_cast<std::int32_t>(pieces);
}

void win(const Node& n, Draft& d) {
  d.decision = Outcome{std::uint32_t{1} << n.a, n.origin, Outcome::By::move};
}

void draw(const Node& n, Draft& d) { d.decision = Outcome{0, n.origin, Outcome::By::move}; }

// Of two players the other wins, and nobody is put out.
void lose(Walk& w, const Node& n, Draft& d) {
  const std::uint32_t out = d.out | std::uint32_t{1} << n.a;
  const std::vector<int> left = w.following(n.a, out);
  const bool two = w.program().player_count() <= 2;
  if (!two) d.out = out;
  if (left.size() > 1) return;
  const std::uint32_t winners = left.empty() ? 0 : std::uint32_t{1} << left.front();
  d.decision = Outcome{winners, n.origin, two ? Outcome::By::move : Outcome::By::last_left};
}

bool deciding(Walk& w, const Node& n, Draft&& d, Sink out) {
  switch (as<PositionOp>(n.op)) {
  case PositionOp::set_local: d.locals.bind(static_cast<std::uint32_t>(n.a), w.value(w.kid(n, 0), d)); break;
  case PositionOp::set_variable: set_variable(w, n, d); break;
  case PositionOp::set_hand: set_hand(w, n, d); break;
  case PositionOp::pass: write(w, n, "pass", d); break;
  case PositionOp::again: d.again = true; break;
  case PositionOp::win: win(n, d); break;
  case PositionOp::lose: lose(w, n, d); break;
  case PositionOp::draw: draw(n, d); break;
  case PositionOp::say: say(w, n, d); break;
  }
  return out(std::move(d));
}

} // namespace

} // namespace boardwright::runtime::reference

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
  case Group::joining: return reference::joining(*this, n, std::move(d), out);
  case Group::walking: return reference::walking(*this, n, std::move(d), out);
  case Group::pieces: return reference::handling(*this, n, std::move(d), out);
  case Group::position: return reference::deciding(*this, n, std::move(d), out);
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

void Walk::need_here(const Node& n, const Draft& d) const {
  if (d.here == kNoCell) fail(n, fmt::format("`{}` before any `from` or `to`", name_of(n.op)));
}

} // namespace boardwright::runtime
