// Names: `let x = E` gives way to E itself where x is read, if E has the same value there.
#include "runtime/normalize/names.hpp"
#include "runtime/model/idioms.hpp"
#include "runtime/normalize/sequences.hpp"
#include "runtime/normalize/walks.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

namespace {

std::optional<bool> holds_in_action(const Rewriter& rw, TermId id, std::uint32_t slot, TermId value,
                                    bool changed);
bool put_in_let(Rewriter& rw, Terms& items, std::size_t i, const DraftFacts& c);
bool put_in_displaced(Rewriter& rw, Terms& items, std::size_t i, const DraftFacts& c);

// Larger values are evaluated once, under their name.
constexpr std::uint32_t kCheap = 4;

} // namespace

bool is_cheap(const Rewriter& rw, TermId id) {
  const Term& t = rw.at(id);
  return t.size <= kCheap && about(t.op).cost <= Cost::large &&
         std::all_of(t.kids.begin(), t.kids.end(), [&](TermId k) { return is_cheap(rw, k); });
}

// Is the slot read where it is evaluated again and again?
bool is_read_in_loop(const Rewriter& rw, TermId id, std::uint32_t slot, bool inside) {
  const Term& t = rw.at(id);
  if (!contains(t.slots_read, slot)) return false;
  if (t.op == Op::local) return inside;
  for (std::size_t i = 0; i < t.kids.size(); ++i) {
    bool again = inside;
    if (about(t.op).binds == Binds::bindings)
      again = again || i != 2;
    else if (about(t.op).binds == Binds::members || one_of(t.op, Op::reach, Op::most))
      again = again || i == 1;
    else if (t.op == Op::repeat)
      again = again || i == 0 || ((t.a & kUntil) != 0 && i + 1 == t.kids.size());
    if (is_read_in_loop(rw, t.kids[i], slot, again)) return true;
  }
  return false;
}

std::optional<bool> holds_at_reads(const Rewriter& rw, TermId id, std::uint32_t slot, TermId value,
                                   bool changed) {
  const Term& t = rw.at(id);
  if (is_action(t.op)) return holds_in_action(rw, id, slot, value, changed);
  if (!contains(t.slots_read, slot)) return changed;
  if (t.op == Op::local) return changed ? std::nullopt : std::optional(changed);
  const std::uint16_t needs = rw.at(value).reads;
  for (std::size_t i = 0; i < t.kids.size(); ++i) {
    bool inner = changed;
    if (t.op == Op::before) inner = inner || (needs & kPosition) != 0;
    if (t.op == Op::reach && i == 1) inner = inner || (needs & (kHere | kHeading)) != 0;
    if (!holds_at_reads(rw, t.kids[i], slot, value, inner)) return std::nullopt;
  }
  return changed; // a value changes nothing
}

namespace {

std::optional<bool> holds_in_action(const Rewriter& rw, TermId id, std::uint32_t slot, TermId value,
                                    bool changed) {
  const Term& t = rw.at(id);
  const bool writes = writes_what_is_read(rw, id, value);
  if (!contains(t.slots_read, slot)) return changed || writes;
  const auto holds = [&](TermId k, bool now) { return holds_at_reads(rw, k, slot, value, now); };
  // Branches, and single actions: the operands of one are evaluated before it does anything.
  const auto each_by_itself = [&]() -> std::optional<bool> {
    for (const TermId k : t.kids)
      if (!holds(k, changed)) return std::nullopt;
    return changed || writes;
  };
  if (group_of(t.op) != Group::joining) return each_by_itself();
  switch (as<JoiningOp>(t.op)) {
  case JoiningOp::sequence:
  case JoiningOp::most:
  case JoiningOp::distinct:
  case JoiningOp::quietly: {
    std::optional<bool> now = changed;
    for (const TermId k : t.kids) {
      now = holds(k, *now);
      if (!now) return std::nullopt;
    }
    return now;
  }
  case JoiningOp::repeat:
  case JoiningOp::each: // every round comes after others
    for (const TermId k : t.kids)
      if (!holds(k, is_action(rw.at(k).op) || t.op == Op::repeat ? changed || writes : changed))
        return std::nullopt;
    return changed || writes;
  case JoiningOp::alternatives:
  case JoiningOp::otherwise:
  case JoiningOp::if_action:
  case JoiningOp::by_kind_action:
  case JoiningOp::by_player_action:
  case JoiningOp::choose:
  case JoiningOp::choose_some: return each_by_itself();
  }
  return std::nullopt;
}

} // namespace

bool holds_in_rest(const Rewriter& rw, const Terms& items, std::size_t from, std::uint32_t slot,
                   TermId value) {
  std::optional<bool> now = false;
  for (std::size_t j = from; j < items.size() && now; ++j)
    now = holds_at_reads(rw, items[j], slot, value, *now);
  return now.has_value();
}

void substitute_in_rest(Rewriter& rw, Terms& items, std::size_t from, std::uint32_t slot, TermId by) {
  for (std::size_t j = from; j < items.size(); ++j) items[j] = rw.terms.substituted(items[j], slot, by);
}

bool put_in_lets(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::put_in_lets)) return false;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (rw.is(items[i], Op::let) &&
        (put_in_let(rw, items, i, before[i]) || put_in_displaced(rw, items, i, before[i])))
      return true;
  return false;
}

namespace {

// let x = E, A(x) = A(E), where nothing that E reads is written between the two, no other value is set to x,
// and evaluating E is no fault that would be lost. E that takes long is evaluated once, as the rule says.
// While here is the start, `here` may stand as `start`, which stays the same for longer.
bool put_in_let(Rewriter& rw, Terms& items, std::size_t i, const DraftFacts& c) {
  const auto slot = static_cast<std::uint32_t>(rw.at(items[i]).a);
  TermId x = rw.kid(items[i], 0);
  if (contains(c.later, slot) || is_set_after(rw, items, i, slot) || may_fault(rw, x, c)) return false;
  int reads = 0;
  bool looped = false;
  for (std::size_t j = i + 1; j < items.size(); ++j) {
    reads += rw.terms.reads_of_slot(items[j], slot);
    looped = looped || is_read_in_loop(rw, items[j], slot, false);
  }
  if (reads > 0) {
    if (!is_cheap(rw, x) && (reads > 1 || looped)) return false;
    if (!holds_in_rest(rw, items, i + 1, slot, x)) {
      if (!rw.is(x, Op::here) || !c.at_start) return false;
      x = rw.terms.make(Op::start, Type::cells, {}, 0, 0, rw.at(x).origin);
      if (!holds_in_rest(rw, items, i + 1, slot, x)) return false;
    }
  }
  substitute_in_rest(rw, items, i + 1, slot, x);
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
  return true;
}

} // namespace

// Does a set of cells hold each cell by what is on that cell alone?
bool is_pointwise(const Rewriter& rw, TermId id) {
  const Term& t = rw.at(id);
  switch (t.op) {
  case Op::owned:
  case Op::empty:
  case Op::cells:
  case Op::start: return true;
  case Op::local: return t.type == Type::cells;
  case Op::kind_cells: return rw.is(t.kids[0], Op::kind);
  case Op::unite:
  case Op::meet:
  case Op::minus:
  case Op::complement:
    return std::all_of(t.kids.begin(), t.kids.end(), [&](TermId k) { return is_pointwise(rw, k); });
  default: return false;
  }
}

namespace {

// let x = E, lift, go D, at x = lift, go D, at E: lifting changes only the cell that is left, no step leads
// from a cell to itself, and whether another cell is in E goes by that cell.
bool put_in_displaced(Rewriter& rw, Terms& items, std::size_t i, const DraftFacts& c) {
  if (!is_on(Idiom::put_in_displaced)) return false;
  const Term let = rw.at(items[i]);
  const auto slot = static_cast<std::uint32_t>(let.a);
  if (let.type != Type::cells || contains(c.later, slot) || is_set_after(rw, items, i, slot)) return false;
  if (!is_pointwise(rw, let.kids[0]) || may_fault(rw, let.kids[0], c)) return false;
  std::size_t j = i + 1;
  const auto skip = [&](Op op) {
    while (j < items.size() && rw.is(items[j], op) && !rw.reads(items[j], slot)) ++j;
  };
  skip(Op::let);
  if (j >= items.size() || !rw.is(items[j], Op::lift) || rw.reads(items[j], slot)) return false;
  ++j;
  skip(Op::choose);
  if (j + 1 >= items.size() || !rw.is(items[j], Op::go) || rw.reads(items[j], slot)) return false;
  const TermId test = items[++j];
  if (!rw.is(test, Op::at) || rw.terms.reads_of_slot(test, slot) != 1 || !is_pointwise(rw, rw.kid(test, 0)))
    return false;
  for (std::size_t k = j + 1; k < items.size(); ++k)
    if (rw.reads(items[k], slot)) return false;
  if (!steps_lead_away(rw)) return false;
  items[j] = rw.terms.substituted(test, slot, let.kids[0]);
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
  return true;
}

} // namespace

} // namespace boardwright::runtime::normal
