// Pieces that must breathe: `to empty, drop stone on here, ..., require some next(group(here, own)) & empty`.
//
// # What it rests on
// A group has at least the piece that has come, and what comes between only takes pieces of others away: so
// a cell beside an empty one will do, and a cell beside a group that touches an empty cell which isn't in
// question itself. These are found for all cells together, by one flood; only the others are tried one by
// one.
#include "runtime/lowering/walkers.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

struct Lowering::Breathing {
  NodeId through = kNoNode; // what the group consists of
  StepSet within, beside;   // the steps within it and out of it
};

namespace {

constexpr std::size_t kMostBetween = 8; // actions between the choice and the condition

} // namespace

// Has a set never a cell with a piece of the mover's?
bool Lowering::only_others(NodeId id) const {
  const Node& n = node(id);
  if (const auto codes = codes_in(id)) {
    for (int code = 1; code < pieces_.count(); ++code)
      if (codes->second.test(at(code)) && pieces_.owner_of(static_cast<std::uint8_t>(code)) == player_)
        return false;
    return true;
  }
  const auto kids = program_.kids_of(n);
  const auto others = [this](NodeId k) { return only_others(k); };
  if (n.op == Op::meet) return std::any_of(kids.begin(), kids.end(), others);
  if (n.op == Op::unite) return std::all_of(kids.begin(), kids.end(), others);
  if (n.op == Op::minus) return others(kids[0]);
  if (n.op != Op::reach) return false;
  Steps walk;
  flatten(kids[1], walk);
  if (walk.empty()) return others(kids[0]);
  const Node& last = node(walk.back());
  if (last.op == Op::at) return others(kid(walk.back(), 0));
  if (last.op != Op::repeat || walk.size() != 1 || !others(kids[0])) return false;
  Steps body;
  flatten(kid(walk.back(), 0), body);
  return node(body.back()).op == Op::at && others(kid(body.back(), 0));
}

// Takes away pieces of others, if anything.
bool Lowering::only_takes_others(NodeId id) const {
  const Node& n = node(id);
  const auto kids = program_.kids_of(n);
  const auto takes = [this](NodeId k) { return only_takes_others(k); };
  switch (n.op) {
  case Op::each: return harmless(kids[0]) && takes(kids[1]);
  case Op::if_action: return harmless(kids[0]) && std::all_of(kids.begin() + 1, kids.end(), takes);
  case Op::sequence: return std::all_of(kids.begin(), kids.end(), takes);
  case Op::remove: return harmless(kids[0]) && only_others(kids[0]);
  case Op::set_variable:
  case Op::say: return true; // what is asked doesn't read them
  default: return false;
  }
}

// `some next(group(here, S), D) & empty`, asked where the piece is that has just come.
std::optional<Lowering::Breathing> Lowering::breathing(NodeId condition, int code, const Draft& d) const {
  if (node(condition).op != Op::some || node(kid(condition, 0)).op != Op::meet) return std::nullopt;
  const NodeId both = kid(condition, 0);
  const std::uint32_t k = node(kid(both, 0)).op == Op::empty ? 1 : 0;
  Steps walk; // of one walk behind another, or of both in one
  NodeId from = kid(both, k);
  for (; node(from).op == Op::reach; from = kid(from, 0)) {
    Steps last;
    flatten(kid(from, 1), last);
    walk.insert(walk.begin(), last.begin(), last.end());
  }
  if (node(kid(both, 1 - k)).op != Op::empty || walk.size() != 2 || node(walk[0]).op != Op::repeat ||
      node(walk[1]).op != Op::go)
    return std::nullopt;
  const NodeId loop = walk[0], step = walk[1];
  const Node& low = node(kid(loop, 1));
  const auto r = round(kid(loop, 0), d);
  const auto beside = constant_steps(kid(step, 0), d);
  if (node(loop).a != kUnbounded || low.op != Op::number || low.a > 0 || !r || r->tests.size() != 1 ||
      !beside)
    return std::nullopt;
  const auto has_it = [&](NodeId id) {
    const auto codes = codes_in(id);
    return codes && codes->first.test(at(code));
  };
  const auto is_here = [this](NodeId id) { return node(id).op == Op::here; };
  const bool begins =
      is_here(from) || (node(from).op == Op::meet && ((is_here(kid(from, 0)) && has_it(kid(from, 1))) ||
                                                      (is_here(kid(from, 1)) && has_it(kid(from, 0)))));
  const auto codes = codes_in(r->tests[0]);
  bool good = begins && codes;
  for (int c = 0; c < pieces_.count() && good; ++c) // else it might be taken away
    good = !codes->second.test(at(c)) || (c > 0 && pieces_.owner_of(static_cast<std::uint8_t>(c)) == player_);
  good = good && compass_.opposites(r->steps) == r->steps;
  r->steps.each([&](int s) { good = good && leads_back(s); });
  beside->each([&](int s) {
    const auto& to = board().steps[at(s)].to;
    for (std::size_t c = 0; c < to.size(); ++c) good = good && to[c] != static_cast<std::int16_t>(c);
  });
  return good ? std::optional(Breathing{r->tests[0], r->steps, *beside}) : std::nullopt;
}

// The cells of a set where a piece may surely come; all that follows the condition is left to the move that
// is played.
std::optional<Reg> Lowering::who_surely_breathes(const Todo* after, const Walkers& w, Draft d) {
  if (stacks() || w.contents != Contents(1) || d.air.kind != Air::Kind::nothing) return std::nullopt;
  Steps parts;
  const Todo* rest = after;
  for (; rest != nullptr && rest->then == nullptr && parts.size() < kMostBetween; rest = rest->next) {
    flatten(rest->action, parts);
    if (node(parts.back()).op == Op::require) break;
  }
  if (rest == nullptr || rest->then != nullptr || parts.size() < 2) return std::nullopt;
  const Node &drop = node(parts.front()), &require = node(parts.back());
  if (drop.op != Op::drop || drop.count != 2 || require.op != Op::require) return std::nullopt;
  const Node& kind = node(program_.kid(drop, 1));
  Air::Kind air = Air::Kind::nothing;
  bool has_cell = true;
  Draft behind;
  behind.here = make_cell(static_cast<Reg>(layout_.draft_numbers), w.contents);
  if (node(program_.kid(drop, 0)).op != Op::here || kind.op != Op::kind || kind.a < 0 ||
      !certain(parts.front(), behind, air, has_cell))
    return std::nullopt;
  const auto owner = owner_of_drop(drop, kind.a);
  if (!owner || *owner != player_) return std::nullopt;
  const bool only_takes = std::all_of(parts.begin() + 1, parts.end() - 1, [&](NodeId id) {
    return only_takes_others(id) && certain(id, behind, air, has_cell);
  });
  const auto b = breathing(program_.kid(require, 0), pieces_.code_of(*owner, kind.a), d);
  if (!only_takes || !b || !is_left_open(rest->next, behind)) return std::nullopt;
  const Reg free = meet(w.set, stepped(layout_.empty, b->beside, true)), others = minus(w.set, free);
  const Reg breath = minus(layout_.empty, others), through = set(b->through, d);
  const Reg alive = flooded(meet(through, stepped(breath, b->beside, true)), b->within, through);
  return unite(free, meet(others, stepped(alive, b->within, true)));
}

// They have made a move; the others are left.
void Lowering::take_breathing_in_bulk(const Todo* todo, Walkers& w, const Draft& d) {
  if (!is_on(Form::surrounding)) return;
  if (!d.recorded || stays_in_bulk_ || !untouched(w) || w.changed()) return;
  const auto those = who_surely_breathes(todo, w, d);
  if (!those) return;
  Walkers sure = w;
  sure.set = *those;
  end_bulk(sure, d);
  w.set = minus(w.set, *those);
}

} // namespace boardwright::runtime::lowering
