// Moves of all walkers at once: as long as what is done is the same for every walker, and what is asked can
// be said of all cells together, they are one set of cells.
//
// # What it may rest on
// A test is asked of the position before the move. That is right as long as the cells in question haven't
// changed on the way, which is known, because every cell is known by its place table: from the walker's cell
// to it. Where something doesn't fit, the walkers are taken one by one from there (`one_by_one`).
#include "runtime/lowering/walks/walkers.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// Each cell by itself.
std::vector<std::int16_t> Lowering::everywhere() const {
  std::vector<std::int16_t> place;
  for (int c = 0; c < board().cells; ++c)
    place.push_back(board().all.test(c) ? static_cast<std::int16_t>(c) : kNowhere);
  return place;
}

std::int32_t Lowering::place_table(const std::vector<std::int16_t>& place) {
  const auto [known, fresh] =
      place_tables_.try_emplace(place, static_cast<std::int32_t>(code_.places.size()));
  if (fresh) code_.places.push_back(place);
  return known->second;
}

// Names may stand for what goes by where the walker is.
bool Lowering::reads_walker(NodeId id) const {
  if (Terms::reads_walker(id)) return true;
  for (const auto& [slot, means] : walker_names_)
    if (contains_local(id, slot)) return true;
  return false;
}

// ---------------------------------------------------------------- begin and end

bool Lowering::begin_bulk(const Todo* todo, const Val& from, const Draft& d) {
  if (!is_on(Form::bulk)) return false;
  if (text_ || exact_ > 0 || reaching_ > 0 || mode_ != Mode::search) return false;
  if (d.recorded ? d.compared || once_ : d.decided || asks_in_bulk(todo->next) == nullptr) return false;
  if (d.air.kind != Air::Kind::nothing || d.here.is(Kind::cell) || !from.is(Kind::set)) return false;
  Walkers w;
  w.set = from.reg;
  w.contents = from.contents;
  w.starts = node(todo->action).op == Op::from;
  w.start = everywhere();
  Draft e = d;
  e.heading = {};
  if (d.recorded) {
    w.chosen.push_back(e.choices.size());
    e.choices.push_back({ir::Choice::From::open, 0, -1});
  }
  const Emitter::Scope scope(e_);
  const auto names = std::exchange(walker_names_, {});
  bulk(todo->next, std::move(w), std::move(e));
  walker_names_ = names;
  return true;
}

// The end of a question that takes all walkers together, if that is what comes after.
const Continuation* Lowering::asks_in_bulk(const Todo* todo) {
  for (; todo != nullptr; todo = todo->next) {
    if (todo->then == nullptr) continue;
    if (!todo->then->bulk) return nullptr;
    if (todo->then->is_end) return todo->then;
    return asks_in_bulk(todo->then->after);
  }
  return nullptr;
}

// If there are any, the answer is yes.
void Lowering::ask_in_bulk(const void* walkers, Reg stack, Label found, std::vector<std::size_t>& cuts) {
  const Walkers& w = *static_cast<const Walkers*>(walkers);
  const Label none = e_.label();
  e_.emit(Ir::if_none, 0, w.set, 0, 0, none);
  cuts.push_back(e_.emit(Ir::cut, 0, stack, 0, 0, found));
  e_.place(none);
}

// All of them have made a move.
void Lowering::end_bulk(const Walkers& w, Draft d) {
  for (const std::size_t k : w.chosen) d.choices[k].place = place_table(w.start);
  for (std::size_t k = 0; k < w.ends.size(); ++k) d.choices[w.ends[k]].place = place_table(w.end[k]);
  const Val set = make_set(w.set, w.contents);
  leaf(&set, d);
}

// Likewise where something stands between that only notes that somebody has come by (note_any_in_bulk): what
// comes before it is left to the move that is played as well, if all that comes behind it is.
bool Lowering::is_left_open_past_notes(const Todo* todo, const Draft& d) {
  if (todo == nullptr || todo->then != nullptr) return false;
  Air::Kind air = d.air.kind;
  bool has_cell = true;
  for (const Todo* part = todo; part != nullptr;) {
    if (part->then != nullptr) {
      if (!part->then->bulk || part->then->is_end) return false;
      part = part->then->after;
      continue;
    }
    if (never_open_.count(part->action) != 0 || !certain(part->action, d, air, has_cell)) return false;
    part = part->next;
  }
  if (air != Air::Kind::nothing) return false;
  left_open_.insert(todo->action);
  return true;
}

// If there are any, that is noted.
void Lowering::note_any_in_bulk(const void* walkers, Reg any, const Todo* after, Draft d) {
  const Walkers& w = *static_cast<const Walkers*>(walkers);
  const Label none = e_.label();
  {
    const Emitter::Scope scope(e_);
    e_.emit(Ir::if_none, 0, w.set, 0, 0, none);
    e_.emit(Ir::constant, any, 0, 0, 0, 1);
    bulk(after, w, std::move(d));
  }
  e_.place(none);
}

// From here on each by itself.
void Lowering::one_by_one(const Todo* todo, Walkers w, Draft d) {
  left_bulk_ = true;
  if (stays_in_bulk_) return;
  const Label none = e_.label();
  e_.emit(Ir::if_none, 0, w.set, 0, 0, none);
  {
    const Emitter::Scope scope(e_);
    w.set = meet(w.set, who_could_go_on(todo, w, d));
    if (w.set != none_) take_one_by_one(todo, std::move(w), std::move(d));
  }
  e_.place(none);
}

Reg Lowering::who_could_go_on(const Todo* todo, const Walkers& w, const Draft& d) {
  if (todo == nullptr || todo->then != nullptr) return board_;
  const auto stay = everywhere();
  const bool unmoved = w.start == stay && std::all_of(w.changes.begin(), w.changes.end(),
                                                      [&](const auto& c) { return c.place == stay; });
  return unmoved ? could_begin(todo, d, !w.changes.empty()) : board_;
}

void Lowering::take_one_by_one(const Todo* todo, Walkers w, Draft d) {
  const auto names = std::exchange(walker_names_, {}); // each has its own
  const Reg left = e_.new_set(), cell = e_.new_number(), mark = e_.new_number(2);
  const Label loop = e_.label(), past = e_.label();
  e_.emit(Ir::set_copy, left, w.set);
  const std::size_t marked = e_.emit(Ir::mark, mark);
  const std::size_t begin = e_.here();
  e_.place(loop);
  e_.emit(Ir::take, cell, left, 0, 0, past);
  {
    const Emitter::Scope inside(e_);
    std::map<std::vector<std::int16_t>, Reg> cells;
    const auto cell_at = [&](const std::vector<std::int16_t>& place) {
      bool same = true;
      for (std::size_t c = 0; c < place.size(); ++c)
        same = same && (place[c] == static_cast<std::int16_t>(c) || place[c] == kNowhere);
      if (same) return cell;
      const auto known = cells.find(place);
      if (known != cells.end()) return known->second;
      const Reg r = e_.new_number();
      e_.emit(Ir::place, r, cell, 0, 0, place_table(place));
      cells[place] = r;
      return r;
    };
    const Val here = make_cell(cell, w.contents);
    const Reg start = cell_at(w.start);
    for (const std::size_t k : w.chosen) d.choices[k] = {ir::Choice::From::number, start, -1};
    for (std::size_t k = 0; k < w.ends.size(); ++k)
      d.choices[w.ends[k]] = {ir::Choice::From::number, cell_at(w.end[k]), -1};
    if (w.starts) d.start = make_cell(start, all_contents());
    // What has been done is done again, where each of them did it.
    std::function<void(std::size_t, Draft)> again = [&](std::size_t k, Draft e) {
      if (k == w.changes.size()) {
        e.here = here;
        e.there[cell] = w.contents;
        for (const auto& c : w.changes)
          if (!c.names && cell_at(c.place) == cell) e.there.erase(cell);
        e.heading = w.has_heading ? make_steps(StepSet::of(w.heading)) : Val();
        return act(todo, std::move(e));
      }
      const Reg where = cell_at(w.changes[k].place);
      e.here = make_cell(where, all_contents());
      if (k < w.known.size()) e.there[where] = w.known[k];
      Continuation then;
      then.go = [&, k](Draft f) { again(k + 1, std::move(f)); };
      act_then(w.changes[k].action, std::move(e), then);
    };
    d.air = {};
    again(0, std::move(d));
  }
  if (e_.changes_since(begin))
    e_.emit(Ir::undo, 0, mark);
  else
    e_.forget(marked);
  e_.go(loop);
  e_.place(past);
  walker_names_ = names;
}

// ---------------------------------------------------------------- what they do

void Lowering::bulk(const Todo* todo, Walkers w, Draft d) {
  if (stopped() || w.set == none_) return;
  // What comes after sees a walker that stands somewhere.
  Draft seen = d;
  seen.here = make_cell(static_cast<Reg>(layout_.draft_numbers), w.contents);
  if (!d.recorded && certain(todo, seen)) {
    while (todo != nullptr && todo->then == nullptr) todo = todo->next;
    if (todo != nullptr) todo->then->bulk(&w, std::move(d));
    return;
  }
  if (d.recorded && is_left_open(todo, seen)) return end_bulk(w, std::move(d));
  if (d.recorded && is_left_open_past_notes(todo, seen)) {
    while (todo->then == nullptr) todo = todo->next;
    d.air = {};
    return todo->then->bulk(&w, std::move(d));
  }
  if (d.recorded && todo != nullptr && todo->then == nullptr) followed_.insert(todo->action);
  if (todo == nullptr) return; // something is in the air
  if (todo->then != nullptr) {
    if (todo->then->bulk) return todo->then->bulk(&w, d);
    return one_by_one(todo, std::move(w), std::move(d));
  }
  const NodeId id = todo->action;
  const Node n = node(id);
  e_.at_origin(n.origin);
  const auto on = [&] { bulk(todo->next, std::move(w), std::move(d)); };
  const auto singly = [&] { one_by_one(todo, std::move(w), std::move(d)); };
  switch (n.op) {
  case Op::never: return;
  case Op::sequence: {
    std::vector<Todo> chain(n.count);
    for (std::size_t k = chain.size(); k-- > 0;)
      chain[k] = {program_.kids[n.kids + k], k + 1 < chain.size() ? &chain[k + 1] : todo->next, nullptr};
    return bulk(chain.empty() ? todo->next : chain.data(), std::move(w), std::move(d));
  }
  case Op::alternatives: {
    const Todo* rest = nullptr;
    if (d.recorded && taken_as_set(todo, seen, rest))
      return walk_in_bulk(todo, rest, std::move(w), std::move(d));
    if (d.recorded) note_walk(id, {});
    for (std::uint32_t k = 0; k < n.count; ++k) {
      if (node(kid(id, k)).op == Op::never) continue;
      const Emitter::Scope scope(e_);
      Draft e = d;
      record(e, static_cast<std::int32_t>(k));
      const Todo branch{kid(id, k), todo->next, nullptr};
      bulk(&branch, w, std::move(e));
    }
    return;
  }
  case Op::choose: {
    const Todo* rest = nullptr;
    if (choose_constant_in_bulk(todo, w, d)) return;
    if (node(kid(id, 0)).type != Type::directions || is_changed(n.a)) return singly();
    if (d.recorded && taken_as_set(todo, seen, rest))
      return walk_in_bulk(todo, rest, std::move(w), std::move(d));
    if (d.recorded) note_walk(id, {});
    return choose_in_bulk(todo, w, d);
  }
  case Op::go: {
    const auto steps = constant_steps(kid(id, 0), d);
    const Todo* rest = nullptr;
    if (!steps || !injective(*steps)) return singly();
    if (d.recorded && taken_as_set(todo, seen, rest))
      return walk_in_bulk(todo, rest, std::move(w), std::move(d));
    if (d.recorded) note_walk(id, {});
    const bool chosen = !is_one_step(kid(id, 0));
    steps->each([&](int s) {
      const Emitter::Scope scope(e_);
      Draft e = d;
      if (chosen) record(e, static_cast<std::int32_t>(s));
      bulk_step(todo->next, s, w, std::move(e));
    });
    return;
  }
  case Op::at: {
    if (!can_ask(kid(id, 0), w)) return singly();
    const Val tested = value(kid(id, 0), d);
    w.set = meet(w.set, set_of(tested));
    w.contents &= tested.contents;
    return on();
  }
  case Op::require: {
    if (!reads_walker(kid(id, 0)) && !w.changed()) { // the same for all
      const Label past = e_.label();
      {
        const Emitter::Scope scope(e_);
        jump(kid(id, 0), false, past, d);
        bulk(todo->next, std::move(w), std::move(d));
      }
      return e_.place(past);
    }
    Emitter::Attempt attempt(e_);
    const auto holding = where_holds(kid(id, 0), w, d);
    if (!holding) {
      attempt.give_up();
      return singly();
    }
    w.set = meet(w.set, *holding);
    return on();
  }
  case Op::if_action: {
    if (only_says(id)) return keys(d) ? singly() : on(); // which it is isn't a choice
    Emitter::Attempt attempt(e_);
    const auto holding = where_holds(kid(id, 0), w, d);
    if (!holding) {
      attempt.give_up();
      return singly();
    }
    for (const bool holds : {true, false}) {
      const Emitter::Scope scope(e_);
      Walkers v = w;
      v.set = holds ? meet(w.set, *holding) : minus(w.set, *holding);
      if (n.count > 2 && untouched(w)) v.contents &= contents_where(kid(id, 0), holds);
      Draft e = d;
      record(e, holds ? 0 : 1);
      const Todo branch{holds ? kid(id, 1) : n.count > 2 ? kid(id, 2) : kNoNode, todo->next, nullptr};
      bulk(branch.action == kNoNode ? todo->next : &branch, std::move(v), std::move(e));
    }
    return;
  }
  case Op::by_kind_action: {
    if (node(kid(id, 0)).op != Op::here || !untouched(w)) return singly();
    for (std::uint32_t k = 1; k + 1 < n.count; ++k) {
      const Contents of = contents_of_kind(static_cast<int>(k) - 1);
      if (node(kid(id, k)).op == Op::never || (w.contents & of).none()) continue;
      const Emitter::Scope scope(e_);
      Walkers v = w;
      v.set = meet(w.set, kind_cells(static_cast<int>(k) - 1));
      v.contents &= of;
      Draft e = d;
      record(e, static_cast<std::int32_t>(k) - 1);
      const Todo branch{kid(id, k), todo->next, nullptr};
      bulk(&branch, std::move(v), std::move(e));
    }
    if (node(kid(id, n.count - 1)).op != Op::never && w.contents.test(0)) {
      Contents nothing;
      nothing.set(0);
      const Emitter::Scope scope(e_);
      Walkers v = w;
      v.set = meet(w.set, layout_.empty);
      v.contents &= nothing;
      record(d, static_cast<std::int32_t>(n.count) - 2);
      const Todo branch{kid(id, n.count - 1), todo->next, nullptr};
      bulk(&branch, std::move(v), std::move(d));
    }
    return;
  }
  case Op::let: {
    if (w.changed() || is_changed(n.a)) return singly();
    if (reads_walker(kid(id, 0))) return let_in_bulk(todo, std::move(w), d);
    let(id, d);
    return on();
  }
  case Op::repeat: {
    // A question is settled without another round, if that is allowed and what comes then is sure. (As often
    // as possible may be never: a round that comes back is one, and is dropped.)
    const Node low = node(kid(id, 1));
    const bool ends = (n.a & (kUnbounded | kMaximal)) != (kUnbounded | kMaximal) ||
                      (goes_straight(id, seen) && !comes_back(id, seen));
    if (ends && !d.recorded && low.op == Op::number && low.a <= 0 && certain(todo->next, seen)) return on();
    if (!repeat_in_bulk(todo, w, d, seen)) singly();
    return;
  }
  case Op::lift: {
    const bool topmost = n.count > 0 && node(kid(id, 0)).op == Op::number && node(kid(id, 0)).a == 1;
    if ((n.count > 0 && !topmost) || d.air.kind != Air::Kind::nothing || !untouched(w)) return singly();
    if (w.contents.test(0)) {
      w.set = minus(w.set, layout_.empty);
      w.contents.reset(0);
    }
    d.air = {Air::Kind::known, w.contents};
    change_in_bulk(id, w, 0);
    if (stacks() && topmost) w.contents = w.known.back() = all_contents(); // there may be more below
    return on();
  }
  case Op::put: { // of a stack all: its top is what it was
    if (n.count > 0 || d.air.kind != Air::Kind::known || (stacks() && !heights_bounded_)) return singly();
    const Contents codes = d.air.codes;
    d.air = {};
    change_in_bulk(id, w, -1);
    w.contents = codes;
    return on();
  }
  case Op::again:
  case Op::set_variable: return set_in_bulk(todo, std::move(w), std::move(d));
  case Op::drop:
  case Op::set_hand: return drop_in_bulk(todo, std::move(w), std::move(d));
  case Op::remove: {
    if (node(kid(id, 0)).op != Op::here || !untouched(w)) return singly();
    change_in_bulk(id, w, 0);
    return on();
  }
  default: return singly();
  }
}

// The cell where they are changes. `code`: what is there then, or -1.
void Lowering::change_in_bulk(NodeId action, Walkers& w, int code) {
  w.changes.push_back({action, everywhere(), false, -1});
  w.known.push_back(w.contents);
  if (code >= 0) {
    w.contents.reset();
    w.contents.set(at(code));
  }
}

// A piece from a hand comes on their cells, which are empty: that goes wrong only where the hand is short,
// the same for all. What comes then must be sure.
void Lowering::drop_in_bulk(const Todo* todo, Walkers w, Draft d) {
  const Todo* rest = todo;
  bool good = d.recorded && untouched(w) && !w.changed(), dropped = false, hands_change = false;
  std::optional<int> from; // the hand that must have a piece
  for (; good && rest != nullptr && rest->then == nullptr; rest = rest->next) {
    const Node& n = node(rest->action);
    const auto kids = program_.kids_of(n);
    if (n.op == Op::set_hand) {
      good = has_entry(n.a, kids[0]) && harmless(kids[1]);
    } else if (n.op == Op::drop && !dropped) {
      const Node& kind = node(kids[1]);
      good = n.count == 2 && node(kids[0]).op == Op::here && kind.op == Op::kind && kind.a >= 0 &&
             w.contents == Contents(1);
      if (!good) break;
      const auto owner = owner_of_drop(n, kind.a);
      const int slot = owner ? program_.hand_slot[at(*owner < 0 ? n.b : *owner)][at(kind.a)] : -1;
      good = owner && (slot < 0 || !hands_change);
      if (slot >= 0) from = slot;
      dropped = true;
    } else {
      break;
    }
    hands_change = true;
  }
  Draft seen = d;
  seen.here = make_cell(static_cast<Reg>(layout_.draft_numbers), all_contents());
  if (!good || rest == todo || !is_left_open(rest, seen)) return one_by_one(todo, std::move(w), std::move(d));
  const Label past = e_.label();
  {
    const Emitter::Scope scope(e_);
    if (from)
      e_.emit(Ir::if_less, 0, static_cast<Reg>(layout_.hands + *from), e_.number_constant(1), 0, past);
    end_bulk(w, std::move(d));
  }
  e_.place(past);
}

void Lowering::step_in_bulk(int step, Walkers& w) {
  const auto& to = board().steps[at(step)].to;
  w.set = stepped(w.set, step, false);
  w.contents = all_contents();
  w.start = moved(w.start, to);
  for (auto& c : w.changes) c.place = moved(c.place, to);
  for (auto& e : w.end) e = moved(e, to);
  w.has_heading = true;
  w.heading = step;
  w.path.push_back(step);
}

// A name of what goes by where the walker is: it stands for that from here on, and whoever is taken by
// himself later finds it out then.
void Lowering::let_in_bulk(const Todo* todo, Walkers w, const Draft& d) {
  const NodeId id = todo->action;
  const Node n = node(id);
  if (!names_at_hand(kid(id, 0), w) || !harmless(kid(id, 0))) return one_by_one(todo, std::move(w), d);
  w.changes.push_back({id, everywhere(), true, n.a});
  w.known.push_back(w.contents);
  const auto names = walker_names_;
  walker_names_[n.a] = kid(id, 0);
  bulk(todo->next, std::move(w), d);
  walker_names_ = names;
}

// Directions: those of them that are chosen by somebody, each with the walkers that may.
void Lowering::choose_in_bulk(const Todo* todo, const Walkers& w, const Draft& d) {
  const NodeId source = kid(todo->action, 0);
  const auto slot = node(todo->action).a;
  const auto steps = constant_steps(source, d);
  constexpr int kMostSteps = 24; // each is code of its own
  const StepSet possible = steps ? *steps : possible_steps(source, d);
  if (!steps && possible.count() > kMostSteps) return one_by_one(todo, w, d);
  std::vector<std::pair<int, Reg>> ways;
  Emitter::Attempt attempt(e_);
  bool good = true;
  possible.each([&](int s) {
    if (!good) return;
    Draft asked = d;
    const auto who = steps ? std::optional(board_) : where_step(source, s, w, asked);
    good = who.has_value();
    if (good) ways.emplace_back(s, *who);
  });
  if (!good) {
    attempt.give_up();
    return one_by_one(todo, w, d);
  }
  for (const auto& [s, who] : ways) {
    const Emitter::Scope scope(e_);
    Draft e = d;
    Walkers v = w;
    v.set = meet(w.set, who);
    e.locals[slot] = make_steps(StepSet::of(s));
    record(e, static_cast<std::int32_t>(s));
    bulk(todo->next, std::move(v), std::move(e));
  }
}

void Lowering::bulk_step(const Todo* next, int step, Walkers w, Draft d) {
  step_in_bulk(step, w);
  d.heading = make_steps(StepSet::of(step));
  bulk(next, std::move(w), std::move(d));
}

// One round of a repetition that goes straight on; false where that can't be said of all together.
bool Lowering::round_in_bulk(const Steps& body, Walkers& w, Draft& d) {
  for (const NodeId part : body) {
    switch (node(part).op) {
    case Op::go: {
      const auto steps = constant_steps(kid(part, 0), d);
      if (!steps || steps->count() != 1 || !injective(*steps)) return false;
      step_in_bulk(steps->first(), w);
      d.heading = make_steps(*steps);
      break;
    }
    case Op::at: {
      if (!can_ask(kid(part, 0), w)) return false;
      const Val tested = value(kid(part, 0), d);
      w.set = meet(w.set, set_of(tested));
      w.contents &= tested.contents;
      break;
    }
    case Op::require: {
      const auto holding = where_holds(kid(part, 0), w, d);
      if (!holding) return false;
      w.set = meet(w.set, *holding);
      break;
    }
    default: return false;
    }
  }
  return true;
}

// Straight on, as often as the board allows: those who have gone so many rounds are together. What comes then
// must be sure, else each walker goes by himself.
bool Lowering::repeat_in_bulk(const Todo* todo, const Walkers& w, const Draft& d, const Draft& seen) {
  if (!is_on(Form::loops_in_bulk)) return false;
  constexpr int kMostRounds = 24; // they are written out
  const NodeId id = todo->action;
  const Node n = node(id), low = node(kid(id, 1));
  if (low.op != Op::number || (n.a & (kMaximal | kUntil)) != 0 || !goes_straight(id, seen)) return false;
  if (!certain(todo->next, seen) || never_straight_.count(id) != 0) return false;
  if (todo->next != nullptr && todo->next->then == nullptr && never_open_.count(todo->next->action) != 0)
    return false;
  int most = kMostRounds;
  if ((n.a & kUnbounded) == 0) {
    const Node high = node(kid(id, 2));
    if (high.op != Op::number || high.a > kMostRounds) return false;
    most = high.a;
  }
  Steps body;
  flatten(kid(id, 0), body);
  Emitter::Attempt attempt(e_);
  Walkers tried = w;
  Draft e = d;
  int rounds = 0;
  bool good = true;
  const auto somewhere = [](const Walkers& v) {
    return std::any_of(v.start.begin(), v.start.end(), [](std::int16_t c) { return c != kNowhere; });
  };
  for (; rounds < most && good; ++rounds) {
    good = round_in_bulk(body, tried, e);
    if (!somewhere(tried) || tried.set == none_) break;
  }
  good = good && (rounds < kMostRounds || (n.a & kUnbounded) == 0);
  attempt.give_up();
  if (!good) return false;
  if (d.recorded) {
    note_walk(id, {});
    const auto [known, fresh] = straight_.try_emplace(id, true);
    if (!fresh && !known->second) {
      never_straight_.insert(id);
      again_ = true;
    }
  }
  const std::function<void(int, Walkers, Draft)> from_round = [&](int k, Walkers v, Draft f) {
    if (k >= low.a) {
      const Emitter::Scope scope(e_);
      Draft g = f;
      record(g, static_cast<std::int32_t>(k));
      bulk(todo->next, v, std::move(g));
    }
    if (k >= rounds) return;
    const Label none = e_.label();
    {
      const Emitter::Scope scope(e_);
      if (!round_in_bulk(body, v, f)) return; // it has been tried
      e_.emit(Ir::if_none, 0, v.set, 0, 0, none);
      from_round(k + 1, std::move(v), std::move(f));
    }
    e_.place(none);
  };
  from_round(0, w, d);
  return true;
}

// A walk of a few steps, of which only the cell matters where it ends: all walkers that have been moved alike
// are together, whatever way they took.
void Lowering::walk_in_bulk(const Todo* todo, const Todo* rest, Walkers w, Draft d) {
  Steps walk;
  for (const Todo* part = todo; part != rest; part = part->next) flatten(part->action, walk);
  std::vector<Walkers> ends;
  Emitter::Attempt attempt(e_);
  if (!walk_paths(walk, 0, w, d, ends)) {
    attempt.give_up();
    return one_by_one(todo, std::move(w), std::move(d));
  }
  note_walk(todo->action, walk_up_to(todo, rest, false));
  for (std::size_t i = 0; i < ends.size(); ++i) {
    Walkers all = std::move(ends[i]);
    for (std::size_t k = i + 1; k < ends.size(); ++k) {
      if (ends[k].set == none_) continue;
      if (ends[k].start == all.start) {
        all.set = unite(all.set, ends[k].set);
        all.contents |= ends[k].contents;
        ends[k].set = none_;
        continue;
      }
      // Along tracks, over holes and without edges two ways may lead from one cell to the same, if not from
      // every cell.
      CellSet alike;
      for (std::size_t c = 0; c < all.start.size(); ++c)
        if (all.start[c] != kNowhere && all.start[c] == ends[k].start[c]) alike.set(static_cast<int>(c));
      if (alike.any()) ends[k].set = minus(ends[k].set, meet(all.set, e_.set_constant(alike)));
    }
    if (all.set == none_) continue;
    const Emitter::Scope scope(e_);
    Draft f = d;
    f.heading = {};
    all.has_heading = false;
    all.ends.push_back(f.choices.size());
    all.end.push_back(everywhere());
    f.choices.push_back({ir::Choice::From::open, 0, -1});
    bulk(rest, std::move(all), std::move(f));
  }
}

// Every way through a walk without repetition; false where there is more to it.
bool Lowering::walk_paths(const Steps& walk, std::size_t i, Walkers w, const Draft& d,
                          std::vector<Walkers>& ends) {
  constexpr std::size_t kMostWays = 24; // beyond that each walker is faster by itself
  if (ends.size() > kMostWays) return false;
  if (w.set == none_) return true;
  if (i == walk.size()) {
    ends.push_back(std::move(w));
    return true;
  }
  const NodeId id = walk[i];
  const Node n = node(id);
  switch (n.op) {
  case Op::never: return true;
  case Op::at: {
    if (!can_ask(kid(id, 0), w)) return false;
    Draft asked = d;
    const Val tested = value(kid(id, 0), asked);
    w.set = meet(w.set, set_of(tested));
    w.contents &= tested.contents;
    return walk_paths(walk, i + 1, std::move(w), d, ends);
  }
  case Op::repeat: {
    const Node low = node(kid(id, 1));
    Steps body;
    flatten(kid(id, 0), body);
    if (n.a == 0) { // so many rounds, or so many: each number is a walk of its own
      const Node high = node(kid(id, 2));
      if (low.op != Op::number || high.op != Op::number || high.a > static_cast<std::int32_t>(kMostWays))
        return false;
      Steps rest(walk.begin() + static_cast<std::ptrdiff_t>(i) + 1, walk.end());
      for (std::int32_t k = 0; k <= high.a; ++k) {
        if (k >= low.a && !walk_paths(rest, 0, w, d, ends)) return false;
        rest.insert(rest.begin(), body.begin(), body.end());
      }
      return true;
    }
    // Straight on: every number of rounds is a way.
    const auto steps =
        node(body.front()).op == Op::go ? constant_steps(kid(body.front(), 0), d) : std::nullopt;
    if (low.op != Op::number || n.a != kUnbounded || !steps || steps->count() != 1 ||
        board().steps[at(steps->first())].may_return())
      return false;
    Draft e = d;
    for (std::size_t k = 0;; ++k) {
      if (static_cast<std::int32_t>(k) >= low.a && !walk_paths(walk, i + 1, w, d, ends)) return false;
      if (k > kMostWays || !round_in_bulk(body, w, e)) return false;
      if (std::all_of(w.start.begin(), w.start.end(), [](std::int16_t c) { return c == kNowhere; }))
        return true;
    }
  }
  case Op::choose:
  case Op::go: {
    const auto steps = constant_steps(kid(id, 0), d);
    if (!steps || (n.op == Op::go && !injective(*steps))) return false;
    bool good = true;
    steps->each([&](int s) {
      if (!good) return;
      Draft e = d;
      Walkers v = w;
      if (n.op == Op::choose) {
        e.locals[n.a] = make_steps(StepSet::of(s));
      } else {
        step_in_bulk(s, v);
        e.heading = make_steps(StepSet::of(s));
      }
      good = walk_paths(walk, i + 1, std::move(v), e, ends);
    });
    return good;
  }
  case Op::alternatives: {
    for (std::uint32_t k = 0; k < n.count; ++k) {
      Steps branch;
      flatten(kid(id, k), branch);
      branch.insert(branch.end(), walk.begin() + static_cast<std::ptrdiff_t>(i) + 1, walk.end());
      if (!walk_paths(branch, 0, w, d, ends)) return false;
    }
    return true;
  }
  default: return false;
  }
}

} // namespace boardwright::runtime::lowering
