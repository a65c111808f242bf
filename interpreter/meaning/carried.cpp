// The kind of what is carried. A definition with bodies by kind, asked where a walker has lifted its piece
// from under itself, means that piece.
//
// The program has no operation for it: `lift` keeps the kind in a slot, if the rules ask for it at all.
#include "interpreter/meaning/elaborator.hpp"

#include "interpreter/meaning/restore.hpp"

#include <algorithm>

namespace boardwright::interpreter {

using dsl::Ast;
using dsl::Form;

// What decides between bodies by kind, where the piece here does: on an empty cell it is the one in the air.
Typed Elaborator::kind_here(dsl::Span span) {
  const NodeId here = builder_.add(Op::here, Type::cells);
  if (!carrying_) return make(Ty::cells, here, span);
  asks_carried_ = true;
  if (!carried_) return make(Ty::cells, here, span);
  const NodeId none_here =
      builder_.add(Op::within, Type::truth, {here, builder_.add(Op::empty, Type::cells)});
  const NodeId in_air =
      builder_.add(Op::less, Type::truth, {builder_.number(0), builder_.add(Op::carried, Type::number)});
  const NodeId both = builder_.add(Op::all_of, Type::truth, {in_air, none_here});
  const NodeId lifted = builder_.add(Op::local, Type::kind, {}, static_cast<std::int32_t>(*carried_));
  const NodeId there = builder_.add(Op::kind_at, Type::kind, {here});
  return make(Ty::kind, builder_.add(Op::if_value, Type::kind, {both, lifted, there}), span);
}

// An action that begins with empty hands.
NodeId Elaborator::carried_kind(NodeId body, std::uint32_t slot) {
  const NodeId none = builder_.add(Op::let, Type::kind, {builder_.kind(-1)}, static_cast<std::int32_t>(slot));
  return builder_.add(Op::sequence, Type::action, {none, body});
}

// Before a `lift`: of what is lifted first, which stays on top of what is carried.
void Elaborator::note_lift(std::vector<NodeId>& steps) {
  if (!carried_) return;
  const auto slot = static_cast<std::int32_t>(*carried_);
  NodeId kind = builder_.add(Op::kind_at, Type::kind, {builder_.add(Op::here, Type::cells)});
  if (builder_.program().board.stacks) {
    const NodeId none =
        builder_.add(Op::equal, Type::truth, {builder_.add(Op::carried, Type::number), builder_.number(0)});
    const NodeId kept = builder_.add(Op::local, Type::kind, {}, slot);
    kind = builder_.add(Op::if_value, Type::kind, {none, kind, kept});
  }
  steps.push_back(builder_.add(Op::set_local, Type::kind, {kind}, slot));
}

bool Elaborator::handles(const dsl::Definition& d, bool lifts) {
  // False while it is asked: a recursion ends there.
  const auto [memo, is_new] = handles_memo_.try_emplace({&d, lifts}, false);
  if (!is_new) return memo->second;
  const auto body_handles = [&](const Ast& body) { return handles(body, nullptr, lifts); };
  bool result = (d.body && body_handles(*d.body)) || (d.others && body_handles(*d.others));
  for (const auto& c : d.cases) result = result || body_handles(c.second);
  return handles_memo_[{&d, lifts}] = result;
}

// May an action, or one that it calls or is given, lift something? Or, else, lay something down?
bool Elaborator::handles(const Ast& n, const Env& env, bool lifts) {
  if (lifts ? n.form == Form::lift : n.form == Form::put || n.form == Form::discard) return true;
  if (n.form == Form::name || n.form == Form::call) {
    const Binding* b = n.form == Form::name ? find(env, n.word) : nullptr;
    if (b != nullptr) return b->action != nullptr && handles(*b->action, b->action_env, lifts);
    const Found found = resolve(n);
    if (found.definition != nullptr && handles(*found.definition, lifts)) return true;
  }
  return std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& kid) { return handles(kid, env, lifts); });
}

} // namespace boardwright::interpreter
