// Code that is compiled once for several callers: what comes after alternatives, where it would be much to
// write it behind each of them.
#include "runtime/lowering/lowering.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

// Above this what comes after is shared (nodes of rules, times the ways there). Below, it is better known
// what has been done before.
constexpr std::size_t kWorthSharing = 1'500;
// Above this it is shared in any case, and so it is where the ways that come behind multiply.
constexpr std::size_t kMostWrittenOut = 5'000;

const Todo* Lowering::share(const Todo* after, const Draft& d, std::size_t ways,
                            const std::vector<NodeId>& within, std::optional<std::size_t>& shared) {
  if (after == nullptr || ways < 2 || after->then != nullptr) return after;
  const std::size_t all = sizes_.weight(after) * ways;
  std::size_t places = 0;
  for (const NodeId k : within) places += k == kNoNode ? 1 : sizes_.written_out(k).ways;
  const bool little =
      all < kWorthSharing && sizes_.written_out(after) * std::max(ways, places) < kMostWrittenOut;
  if (mode_ != Mode::search ? mode_ == Mode::play_one || sizes_.weight(after) < 8 : little) return after;
  shared = shared_.size();
  Shared& s = shared_.emplace_back();
  const std::size_t index = *shared;
  s.after = after;
  s.label = e_.label();
  // Which piece is there matters where it is changed.
  const bool changes =
      !layout_.mailbox && after->action != kNoNode && contains_action(after->action, Op::change);
  s.general = generalised(d, within, changes ? after->action : kNoNode);
  const Reg base = e_.new_number();
  s.registers = e_.registers();
  s.closure.after = after;
  s.closure.shares = true;
  s.closure.go = [this, index, base](Draft e) {
    Shared& to = shared_[index];
    // One that is decided, or has no choices left, goes its own way.
    if (e.decided || (to.used && (to.general.recorded != e.recorded || to.general.compared != e.compared ||
                                  to.general.left != e.left)))
      return act(to.after, std::move(e));
    if (to.used && (to.general.told.shapes != e.told.shapes || to.general.told.leaves != e.told.leaves))
      return act(to.after, std::move(e));
    const bool goes = mode_ != Mode::search;
    to.general.told.shapes = e.told.shapes;
    to.general.told.leaves = e.told.leaves;
    to.general.told.some = e.told.some && (!to.used || to.general.told.some);
    to.general.recorded = e.recorded;
    to.general.compared = e.compared;
    to.general.left = e.left;
    to.used = true;
    if (!goes) begin_choices(e, base); // before the walker's cell changes: it may be one of them
    write_place(e, to.general);
    to.general.base = e.base;
    const Emitter::Registers now = e_.registers();
    to.registers.set = std::max(to.registers.set, now.set);
    to.registers.number = std::max(to.registers.number, now.number);
    to.registers.box = std::max(to.registers.box, now.box);
    e_.emit(goes ? Ir::go : Ir::call, 0, 0, 0, 0, to.label);
  };
  s.general.choices.clear();
  s.todo = {kNoNode, nullptr, &s.closure};
  return &s.todo;
}

void Lowering::compile_shared(std::optional<std::size_t> shared) {
  if (!shared || !shared_[*shared].used || stopped()) return;
  Shared& s = shared_[*shared];
  const Label past = e_.label();
  const bool goes = mode_ != Mode::search;
  e_.go(past);
  {
    const Emitter::Scope scope(e_);
    e_.set_registers(s.registers);
    e_.forget_values();
    e_.place(s.label);
    act(s.after, s.general);
    if (!goes) e_.emit(Ir::ret);
  }
  e_.place(past);
}

} // namespace boardwright::runtime::lowering
