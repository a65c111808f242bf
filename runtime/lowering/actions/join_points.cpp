// Code that is compiled once for several callers: what comes after alternatives, where it would be much to
// write it behind each of them.
#include "runtime/lowering/actions/join_points.hpp"
#include "runtime/lowering/actions/loops.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

// Above this what comes after is shared (nodes of rules, times the ways there). Below, it is better known
// what has been done before.
constexpr std::size_t kWorthSharing = 1'500;
// Above this it is shared in any case, and so it is where the ways that come behind multiply.
constexpr std::size_t kMostWrittenOut = 5'000;
// Likewise from so many ways on where conditions say which is gone: each would have code of its own that
// plays it.
constexpr std::size_t kMostWays = 128;

const Todo* share(Context& cx, const Todo* after, const AbstractDraft& d, std::size_t ways,
                  const std::vector<NodeId>& within, std::optional<std::size_t>& shared, Tried tried) {
  if (after == nullptr || ways < 2 || after->then != nullptr) return after;
  const std::size_t all = cx.sizes.weight(after) * ways;
  std::size_t places = 0;
  for (const NodeId k : within) places += k == kNoNode ? 1 : cx.sizes.written_out(k).ways;
  const Sizes::WrittenOut written = cx.sizes.written_out(after);
  const bool little = all < kWorthSharing && written.size * std::max(ways, places) < kMostWrittenOut &&
                      (tried == Tried::all || written.ways * std::max(ways, places) < kMostWays);
  if (cx.mode != Mode::search ? cx.mode == Mode::play_one || cx.sizes.weight(after) < 8 : little)
    return after;
  shared = cx.shared.size();
  JoinPoint& s = cx.shared.emplace_back();
  const std::size_t index = *shared;
  s.after = after;
  s.label = cx.e.label();
  // Which piece is there matters where it is changed.
  const bool changes =
      !cx.layout.mailbox && after->action != kNoNode && cx.facts.does(after->action, Op::change);
  s.general = generalised(cx, d, within, changes ? after->action : kNoNode);
  const Reg base = cx.e.new_number();
  s.registers = cx.e.registers();
  s.closure.after = after;
  s.closure.shares = true;
  s.closure.go = [&cx, index, base](AbstractDraft e) {
    JoinPoint& to = cx.shared[index];
    // One that is decided, or has no choices left, goes its own way.
    if (e.decided || (to.used && (to.general.recorded != e.recorded || to.general.compared != e.compared ||
                                  to.general.deferred != e.deferred)))
      return act(cx, to.after, std::move(e));
    if (to.used &&
        (to.general.move_key.shapes != e.move_key.shapes || to.general.move_key.leaves != e.move_key.leaves))
      return act(cx, to.after, std::move(e));
    const bool goes = cx.mode != Mode::search;
    to.general.move_key.shapes = e.move_key.shapes;
    to.general.move_key.leaves = e.move_key.leaves;
    to.general.move_key.some = e.move_key.some && (!to.used || to.general.move_key.some);
    to.general.recorded = e.recorded;
    to.general.compared = e.compared;
    to.general.deferred = e.deferred;
    to.used = true;
    if (!goes) begin_choices(cx, e, base); // before the walker's cell changes: it may be one of them
    write_place(cx, e, to.general);
    to.general.base = e.base;
    const Emitter::Registers now = cx.e.registers();
    to.registers.set = std::max(to.registers.set, now.set);
    to.registers.number = std::max(to.registers.number, now.number);
    to.registers.box = std::max(to.registers.box, now.box);
    cx.e.emit(goes ? Ir::go : Ir::call, 0, 0, 0, 0, to.label);
  };
  s.general.choices.clear();
  s.todo = {kNoNode, nullptr, &s.closure};
  return &s.todo;
}

void compile_shared(Context& cx, std::optional<std::size_t> shared) {
  if (!shared || !cx.shared[*shared].used || cx.stopped()) return;
  JoinPoint& s = cx.shared[*shared];
  const Label past = cx.e.label();
  const bool goes = cx.mode != Mode::search;
  cx.e.go(past);
  {
    const Emitter::Scope scope(cx.e);
    cx.e.set_registers(s.registers);
    cx.e.forget_values();
    cx.e.place(s.label);
    act(cx, s.after, s.general);
    if (!goes) cx.e.emit(Ir::ret);
  }
  cx.e.place(past);
}

} // namespace boardwright::runtime::lowering
