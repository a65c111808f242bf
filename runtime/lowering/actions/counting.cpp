// Repetitions whose outcomes can be counted without enumerating them.
//
// Where pieces are sown, every step being a choice, there are many ways; but how many there are depends only
// on where the walker is and how many steps are left, if nothing asks what lies on the board until the last
// stone has been laid down, and what comes then has one outcome. The executor then counts them once for each
// of these numbers (executor/memo.hpp).
//
// Where every round of a turn begins with any piece, the same draft is come to by many orders of the same
// rounds. What comes from it is counted once.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// Does a condition hold where another does that is the same for the whole turn?
bool Lowering::passes_by(NodeId condition, Memo& memo) const {
  if (is_fixed_in_turn(condition)) {
    memo.holds.push_back(condition);
    return true;
  }
  const Node& n = node(condition);
  if (n.op != Op::any_of) return false;
  const auto kids = program_.kids_of(n);
  return std::any_of(kids.begin(), kids.end(), [&](NodeId k) { return passes_by(k, memo); });
}

// The names that a value reads, but those that the action binds itself, come into the key.
bool Lowering::key_has(NodeId value, const Draft& d, const std::set<std::int32_t>& bound, Memo& memo) const {
  const Node& n = node(value);
  if (n.op == Op::local && bound.count(n.a) == 0) {
    const auto known = d.locals.find(n.a);
    if (is_changed(n.a) || known == d.locals.end()) return false;
    const Val& v = known->second;
    if (v.is(Kind::number) || v.is(Kind::cell) || v.is(Kind::step))
      memo.key.push_back(v.reg);
    else if (!v.is(Kind::steps))
      return false;
  }
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (!key_has(program_.kid(n, i), d, bound, memo)) return false;
  return true;
}

// Do the outcomes of an action, as far as their number goes, depend only on the walker, on what is carried
// and on names? What it lays down it doesn't look at.
bool Lowering::counts_alone(NodeId action, const Draft& d, std::set<std::int32_t>& bound, Memo& memo) const {
  const Node& n = node(action);
  const auto kids = program_.kids_of(n);
  const auto plain = [&](NodeId value) { return reads_no_state(value) && key_has(value, d, bound, memo); };
  const auto follows = [&](NodeId k) { return counts_alone(k, d, bound, memo); };
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
  case Op::choose:
  case Op::let:
    if (!plain(kids[0])) return false;
    bound.insert(n.a);
    return true;
  case Op::if_action: return plain(kids[0]) && std::all_of(kids.begin() + 1, kids.end(), follows);
  case Op::require: {
    if (plain(kids[0])) return true;
    if (!passes_by(kids[0], memo)) return false;
    memo.passes.push_back(action);
    return true;
  }
  default: return false;
  }
}

std::optional<Memo> Lowering::memo_of(const Todo* todo, const Draft& d) {
  if (!is_on(Form::counted_by_numbers)) return std::nullopt;
  if (mode_ != Mode::search || !d.recorded || once_ || text_ || d.compared) return std::nullopt;
  if (exact_ > 0 || reaching_ > 0 || asking_ || !stacks() || !heights_bounded_) return std::nullopt;
  const Node n = node(todo->action);
  if ((n.a & (kUnbounded | kMaximal | kUntil)) != 0 || d.here.is(Kind::none)) return std::nullopt;
  // Who asks whether there is an outcome is told by getting there, which those don't that are only counted.
  for (const Todo* part = todo->next; part != nullptr;
       part = part->then != nullptr ? part->then->after : part->next)
    if (part->then != nullptr && part->then->noted) return std::nullopt;
  Memo memo;
  std::set<std::int32_t> bound;
  if (!counts_alone(kid(todo->action, 0), d, bound, memo)) return std::nullopt;
  const Todo* rest = todo->next;
  for (; rest != nullptr && rest->then == nullptr && node(rest->action).op == Op::require;
       rest = rest->next) {
    if (!passes_by(kid(rest->action, 0), memo)) return std::nullopt;
    memo.passes.push_back(rest->action);
  }
  Draft after = d;
  after.here = make_cell(static_cast<Reg>(layout_.draft_numbers), all_contents());
  after.air = {Air::Kind::dynamic, all_contents()};
  after.there.clear();
  if (rest != nullptr && left_to_play(rest, after) == LeftToPlay::no) return std::nullopt;
  return memo;
}

// Where the moves that come needn't be enumerated to be counted, they are counted so. That may depend on
// conditions which are the same for the whole turn: then both ways are compiled.
void Lowering::search_rounds(const Todo* todo, const Draft& d) {
  if (is_perhaps(node(todo->action))) return search_perhaps(todo, d);
  const auto memo = memo_of(todo, d);
  if (!memo) return rounds(todo, d, nullptr);
  const Label otherwise = e_.label(), past = e_.label();
  {
    const Emitter::Scope scope(e_);
    Draft asked = d;
    for (const NodeId condition : memo->holds) jump(condition, false, otherwise, asked);
    const std::set<NodeId> before = passing_;
    passing_.insert(memo->passes.begin(), memo->passes.end());
    rounds(todo, d, &memo->key);
    passing_ = before;
    if (!memo->holds.empty()) e_.go(past);
  }
  e_.place(otherwise);
  e_.forget_values();
  if (!memo->holds.empty()) rounds(todo, d, nullptr);
  e_.place(past);
}

} // namespace boardwright::runtime::lowering
