// Repetitions whose outcomes can be counted without enumerating them.
//
// Where pieces are sown, every step being a choice, there are many ways; but how many there are depends only
// on where the walker is and how many steps are left, if nothing asks what lies on the board until the last
// stone has been laid down, and what comes then has one outcome. The executor then counts them once for each
// of these numbers (executor/memo.hpp).
//
// Where every round of a turn begins with any piece, the same draft is come to by many orders of the same
// rounds. What comes from it is counted once.
#include "runtime/lowering/actions/loops.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

// Does a condition hold where another does that is the same for the whole turn?
bool passes_by(const Context& cx, NodeId condition, MemoKey& memo) {
  if (cx.facts.is_fixed_in_turn(condition)) {
    memo.holds.push_back(condition);
    return true;
  }
  const Node& n = cx.node(condition);
  if (n.op != Op::any_of) return false;
  const auto kids = cx.program.kids_of(n);
  return std::any_of(kids.begin(), kids.end(), [&](NodeId k) { return passes_by(cx, k, memo); });
}

// The names that a value reads come into the key.
bool key_has(const Context& cx, NodeId value, const AbstractDraft& d, MemoKey& memo) {
  const Node& n = cx.node(value);
  if (n.op == Op::local) {
    const auto known = d.locals.find(n.a);
    if (cx.facts.is_changed(n.a) || known == d.locals.end()) return false;
    const AbstractValue& v = known->second;
    if (v.is(Kind::number) || v.is(Kind::cell) || v.is(Kind::step))
      memo.key.push_back(v.reg);
    else if (!v.is(Kind::steps))
      return false;
  }
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (!key_has(cx, cx.program.kid(n, i), d, memo)) return false;
  return true;
}

// Do the outcomes of an action, as far as their number goes, depend only on the walker, on what is carried
// and on names? What it lays down it doesn't look at.
bool counts_alone(const Context& cx, NodeId action, const AbstractDraft& d, MemoKey& memo) {
  const Node& n = cx.node(action);
  const auto kids = cx.program.kids_of(n);
  const auto plain = [&](NodeId value) {
    return cx.facts.reads_no_state(value) && key_has(cx, value, d, memo);
  };
  const auto follows = [&](NodeId k) { return counts_alone(cx, k, d, memo); };
  switch (n.op) {
  case Op::sequence:
  case Op::alternatives:
  case Op::quietly: return std::all_of(kids.begin(), kids.end(), follows);
  case Op::never:
  case Op::say:
  case Op::pass: return true;
  case Op::go:
  case Op::at:
  case Op::put:
  case Op::discard: return std::all_of(kids.begin(), kids.end(), plain);
  case Op::if_action: return plain(kids[0]) && std::all_of(kids.begin() + 1, kids.end(), follows);
  default: return false;
  }
}

std::optional<MemoKey> memo_of(Context& cx, const Todo* todo, const AbstractDraft& d) {
  if (!is_on(Idiom::counted_rounds) || cx.code.weighs) return std::nullopt;
  if (cx.mode != Mode::search || !d.recorded || cx.comparison.once || cx.text || d.compared)
    return std::nullopt;
  if (cx.within.each > 0 || cx.within.reach > 0 || cx.end_lines.asking || !cx.stacks() || !cx.heights_bounded)
    return std::nullopt;
  const Node n = cx.node(todo->action);
  if ((n.a & (kUnbounded | kMaximal | kUntil)) != 0 || d.here.is(Kind::none)) return std::nullopt;
  // Who asks whether there is an outcome is told by getting there, which those don't that are only counted.
  for (const Todo* part = todo->next; part != nullptr;
       part = part->then != nullptr ? part->then->after : part->next)
    if (part->then != nullptr && part->then->noted) return std::nullopt;
  MemoKey memo;
  if (!counts_alone(cx, cx.kid(todo->action, 0), d, memo)) return std::nullopt;
  const Todo* rest = todo->next;
  for (; rest != nullptr && rest->then == nullptr && cx.node(rest->action).op == Op::require;
       rest = rest->next) {
    if (!passes_by(cx, cx.kid(rest->action, 0), memo)) return std::nullopt;
    memo.passes.push_back(rest->action);
  }
  AbstractDraft after = d;
  after.here = make_cell(static_cast<Reg>(cx.layout.draft_numbers), cx.facts.all_contents());
  after.carried = {Carried::Kind::dynamic, cx.facts.all_contents()};
  if (rest != nullptr && left_to_play(cx, rest, after) == Deferral::no) return std::nullopt;
  return memo;
}

} // namespace

void search_rounds(Context& cx, const Todo* todo, const AbstractDraft& d) {
  if (cx.facts.is_perhaps(cx.node(todo->action))) return search_perhaps(cx, todo, d);
  const auto memo = memo_of(cx, todo, d);
  if (!memo) return rounds(cx, todo, d, nullptr);
  const Label otherwise = cx.e.label(), past = cx.e.label();
  {
    const Emitter::Scope scope(cx.e);
    AbstractDraft asked = d;
    for (const NodeId condition : memo->holds) jump(cx, condition, false, otherwise, asked);
    const std::set<NodeId> before = cx.passing;
    cx.passing.insert(memo->passes.begin(), memo->passes.end());
    rounds(cx, todo, d, &memo->key);
    cx.passing = before;
    if (!memo->holds.empty()) cx.e.go(past);
  }
  cx.e.place(otherwise);
  cx.e.forget_values();
  if (!memo->holds.empty()) rounds(cx, todo, d, nullptr);
  cx.e.place(past);
}

} // namespace boardwright::runtime::lowering
