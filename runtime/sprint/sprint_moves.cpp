// The sprint compiler: counting by slots, and carrying out the chosen move.
#include "runtime/sprint/sprint_compiler.hpp"

namespace boardwright::runtime::sprint {

// ----------------------------------------------------------------------------------------------------
// counting

Reg Sprinter::after_op(const SlotOp& op, Reg from, Label skip, bool& guarded) {
  Env env;
  switch (op.what) {
  case SlotOp::What::begin: return set(op.node, env);
  case SlotOp::What::step: return stepped(from, op.step, false);
  case SlotOp::What::keep: return meet(from, set(op.node, env));
  case SlotOp::What::able: return meet(from, walked_back(kid(op.node, 1), board_, env));
  case SlotOp::What::guard:
    jump(op.node, false, skip, env);
    guarded = true;
    return from;
  case SlotOp::What::leaf: break;
  }
  return from;
}

void Sprinter::count_ops(const SlotPlan& plan, std::uint32_t begin, std::uint32_t end, Reg from, bool probe,
                         Label found, std::optional<Reg> origins) {
  for (std::uint32_t i = begin; i < end && !failed_; i = std::max(plan.ops[i].skip, i + 1)) {
    const SlotOp& op = plan.ops[i];
    if (op.what == SlotOp::What::leaf) {
      if (origins) {
        join(*origins, displaced_back(from, plan.places[op.leaf]));
      } else if (probe) {
        emit(What::if_some, 0, from, 0, 0, found);
      } else {
        const std::size_t leaf = leaf_offset_ + op.leaf;
        emit(What::leaf, 0, from, 0, 0, static_cast<std::int32_t>(leaf));
        if (leaf_memos_.size() <= leaf) leaf_memos_.resize(leaf + 1);
        leaf_memos_[leaf] = memo_;
      }
      continue;
    }
    const Label skip = label();
    bool guarded = false;
    const Memo before = memo_;
    const Reg now = after_op(op, from, skip, guarded);
    const Memo inside = memo_;
    // A player has hardly ever no pieces, and an empty board is as rare.
    const bool skips = op.skip - i > kWorthSkipping && known_set(now) == nullptr && now >= code_.state_sets;
    if (skips) emit(What::if_none, 0, now, 0, 0, skip);
    count_ops(plan, i + 1, op.skip, now, probe, found, origins);
    place_label(skip);
    if (guarded)
      memo_ = before;
    else if (skips)
      memo_ = inside;
  }
}

// ---------------------------------------------------------------------------------------------------- moves

int Sprinter::cell_at(std::uint32_t place) {
  const auto known = cell_of_place_.find(place);
  if (known != cell_of_place_.end()) return known->second;
  const int reg = new_cell();
  cell_of_place_[place] = reg;
  emit(What::place, reg, 0, 0, 0, static_cast<std::int32_t>(place_base_ + place));
  return reg;
}

// A leaf of a plan, which is so manieth of all leaves of the player.
void Sprinter::leaf(const SlotLeaf& l, std::size_t index, SprintLeaf& into) {
  into.origin = l.origin;
  into.entry = here();
  memo_ = index < leaf_memos_.size() ? leaf_memos_[index] : Memo();
  // Numbers that were counted lie ready too, cells don't.
  std::erase_if(memo_,
                [](const auto& entry) { return entry.first[0] == static_cast<std::int32_t>(What::bit); });
  code_.cells = std::max<Reg>(code_.cells, 1);
  const std::size_t verdicts = code_.verdicts.size();
  const Memo memo = memo_;
  // What a set was before needn't be kept if the move doesn't change it: that is known when it has been
  // compiled.
  lasting_.set();
  for (bool again = true; again && !failed_;) {
    code_.ops.resize(into.entry);
    code_.verdicts.resize(verdicts);
    memo_ = memo;
    cell_of_place_ = {{0, 0}};
    carried_.assign(code_.state_sets, {});
    started_ = l.starts ? begin_contents(l) : std::nullopt;
    Env env;
    for (const SlotItem& i : l.items)
      if (!failed_) find_before(i.action, env);
    for (const SlotItem& i : l.items)
      if (!failed_) item(i, env);
    again = false;
    for (const auto& [id, v] : env.before) {
      const bool wrong =
          v.kind == Value::Kind::cells && v.reg < code_.draft_sets && changes(into.entry, v.reg);
      if (wrong) lasting_.reset(v.reg);
      again = again || wrong;
    }
  }
  lasting_.reset();
  started_.reset();
  emit(What::next);
}

// What may be on the cell where the walker of the leaf begins.
std::optional<Contents> Sprinter::begin_contents(const SlotLeaf& l) const {
  for (const SlotItem& i : l.items) {
    if (i.place != 0) return std::nullopt;
    if (node(i.action).op == Op::lift) return i.before;
  }
  return std::nullopt;
}

bool Sprinter::changes(std::size_t begin, Reg set) const {
  for (std::size_t i = begin; i < code_.ops.size(); ++i) {
    const SprintOp& op = code_.ops[i];
    const bool writes = op.what <= What::bit || op.what == What::set_bit || op.what == What::clear_bit ||
                        op.what == What::carry || op.what == What::give;
    if ((writes && op.d == set) || (op.what == What::grab && op.a == set)) return true;
  }
  return false;
}

void Sprinter::find_before(NodeId id, Env& env) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  if (failed_ || id == kNoNode) return;
  const Node n = node(id);
  if (n.op == Op::before) {
    Env fresh;
    Value v;
    if (n.type == Type::cells) {
      v.kind = Value::Kind::cells;
      v.reg = set(kid(id, 0), fresh);
      if (v.reg < code_.draft_sets && !lasting_.test(v.reg)) { // it will change
        const Reg kept = new_set();
        emit(What::copy, kept, v.reg);
        set_before_[kept] = v.reg;
        v.reg = kept;
      }
    } else if (n.type == Type::number) {
      v.kind = Value::Kind::number;
      v.reg = new_number();
      emit(What::number, v.reg, number(kid(id, 0), fresh)); // it may change
    } else {
      fail();
    }
    env.before[id] = v;
    return;
  }
  for (std::uint32_t i = 0; i < n.count; ++i) find_before(program_.kid(n, i), env);
}

void Sprinter::item(const SlotItem& i, Env& env) {
  const Node n = node(i.action);
  switch (n.op) {
  case Op::from: env.here = env.start = cell_at(i.place); return;
  case Op::to: env.here = cell_at(i.place); return;
  case Op::go: {
    env.here = cell_at(i.place);
    env.heading = program_.step_sets[at(node(kid(i.action, 0)).a)].first();
    return;
  }
  case Op::lift: return lift(cell_at(i.place), i.before);
  case Op::put: return put(cell_at(i.place), i.before);
  case Op::drop: return drop(n, cell_at(i.place), i.before);
  case Op::remove:
    if (i.before.any()) return clear(cell_at(i.place), i.before);
    return act(i.action, env);
  case Op::pass: return;
  default: return act(i.action, env);
  }
}

// Are pieces of these codes members of a set of the state: all, some or none of them?
Sprinter::Share Sprinter::share(Reg set, const Contents& codes) const {
  const int kinds = static_cast<int>(program_.kinds.size());
  bool any = false, all = true;
  for (std::size_t code = 0; code < codes.size(); ++code) {
    if (!codes.test(code)) continue;
    const int owner = (static_cast<int>(code) - 1) / kinds - 1, kind = (static_cast<int>(code) - 1) % kinds;
    bool in = false;
    if (set == code_.empty)
      in = code == 0;
    else if (code != 0 && set < code_.owners)
      in = owner == (set == players() ? -1 : static_cast<int>(set));
    else if (code != 0)
      in = kind == set - code_.owners;
    any = any || in;
    all = all && in;
  }
  return !any ? Share::none : all ? Share::all : Share::some;
}

// Its sets lose the cell and remember that it was theirs.
void Sprinter::lift(int cell, const Contents& there) {
  for (Reg s = 0; s <= code_.empty; ++s) {
    Carried& c = carried_[s];
    c = {};
    if (s == code_.empty) {
      c.from = cell;
      c.op = emit(What::set_bit, s, cell);
      continue;
    }
    c.share = share(s, there);
    if (c.share == Share::some) {
      c.flag = new_number();
      emit(What::grab, c.flag, s, cell);
    } else if (c.share == Share::all) {
      c.from = cell;
      c.op = emit(What::clear_bit, s, cell);
    }
  }
  changed();
}

void Sprinter::put(int cell, const Contents& there) {
  for (Reg s = 0; s <= code_.empty; ++s) {
    const Carried& c = carried_[s];
    const Share had = share(s, there);
    if (s == code_.empty) {
      if (had == Share::all && carry(s, cell)) continue;
      if (had != Share::none) emit(What::clear_bit, s, cell);
    } else if (c.share == Share::some) {
      emit(What::give, s, c.flag, cell);
    } else if (c.share == Share::all) {
      if (had == Share::none && carry(s, cell)) continue;
      if (had != Share::all) emit(What::set_bit, s, cell);
    } else if (had != Share::none) {
      emit(What::clear_bit, s, cell);
    }
  }
  changed();
}

// Makes one operation of two, if nothing that has come between looks at the set.
bool Sprinter::carry(Reg s, int cell) {
  Carried& c = carried_[s];
  if (c.from < 0 || c.from == cell) return false;
  for (std::size_t i = c.op + 1; i < code_.ops.size(); ++i) {
    const SprintOp& op = code_.ops[i];
    const bool bits = op.what == What::set_bit || op.what == What::clear_bit || op.what == What::carry;
    if (op.what != What::place && !(bits && op.d != s)) return false;
  }
  forget(c.op);
  emit(What::carry, s, c.from, cell);
  c.from = -1;
  return true;
}

// A piece that is known comes to a cell.
void Sprinter::fill(int cell, const Contents& there, const Contents& with) {
  for (Reg s = 0; s <= code_.empty; ++s) {
    const Share had = share(s, there), has = share(s, with);
    if (has == Share::all) {
      if (had != Share::all) emit(What::set_bit, s, cell);
    } else if (had != Share::none) {
      emit(What::clear_bit, s, cell);
    }
  }
  changed();
}

void Sprinter::drop(const Node& n, int cell, const Contents& there) {
  const Node given = node(program_.kid(n, 1));
  const int kind = given.op == Op::kind ? given.a : -1;
  if (!has_letters(n.a, kind)) {
    fail();
    return;
  }
  Contents with;
  with.set(at(1 + (n.a + 1) * static_cast<std::int64_t>(program_.kinds.size()) + kind));
  fill(cell, there, with);
}

void Sprinter::clear(int cell, const Contents& there) { fill(cell, there, Contents(1)); }

bool Sprinter::has_letters(int owner, int kind) const {
  if (owner < -1 || kind < 0) return false; // kNatural, which shows in play only; no kind
  const auto& letters = program_.kinds[at(kind)].letter;
  return letters[at(owner < 0 ? players() : owner)] != 0;
}

void Sprinter::decide(std::uint32_t winners, std::uint32_t origin, Outcome::By by) {
  SprintVerdict v;
  v.winners = winners;
  v.origin = origin;
  v.by = by;
  emit(What::decide, 0, 0, 0, 0, static_cast<std::int32_t>(code_.verdicts.size()));
  code_.verdicts.push_back(std::move(v));
}

void Sprinter::act(NodeId id, Env& env) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  if (failed_) return;
  const Node n = node(id);
  switch (n.op) {
  case Op::sequence:
    for (std::uint32_t i = 0; i < n.count; ++i) act(program_.kid(n, i), env);
    return;
  case Op::quietly: return act(kid(id, 0), env);
  case Op::say: return;
  case Op::if_action: return act_if(id, env);
  case Op::let: return let(id, env);
  case Op::remove: return remove(id, env);
  case Op::change: return change(id, env);
  case Op::set_variable: {
    const Type type = program_.variables[at(n.a)].type;
    if (type == Type::number)
      emit(What::number, n.a, number(kid(id, 0), env));
    else if (type == Type::truth)
      emit(What::number, n.a, truth_number(kid(id, 0), env));
    else if (code_.set_of[at(n.a)] >= 0)
      emit(What::copy, code_.set_of[at(n.a)], set(kid(id, 0), env));
    else
      fail();
    return changed();
  }
  case Op::win: return decide(std::uint32_t{1} << n.a, n.origin, Outcome::By::move);
  case Op::draw: return decide(0, n.origin, Outcome::By::move);
  case Op::lose:
    if (players() != 2) {
      fail();
      return;
    }
    return decide(std::uint32_t{1} << (1 - n.a), n.origin, Outcome::By::move);
  case Op::again: emit(What::again); return;
  default: fail();
  }
}

void Sprinter::act_if(NodeId id, Env& env) {
  const Label other = label(), done = label();
  const bool has_else = node(id).count > 2 && kid(id, 2) != kNoNode;
  jump(kid(id, 0), false, other, env);
  const Memo before = memo_;
  Env inside = env;
  act(kid(id, 1), inside);
  if (has_else) emit(What::go, 0, 0, 0, 0, done);
  place_label(other);
  if (has_else) {
    memo_ = before;
    Env outside = env;
    act(kid(id, 2), outside);
  }
  place_label(done);
  changed(); // perhaps
}

void Sprinter::remove(NodeId id, Env& env) {
  Reg gone = set(kid(id, 0), env);
  if (gone < code_.draft_sets) { // it changes itself
    const Reg kept = new_set();
    emit(What::copy, kept, gone);
    gone = kept;
  }
  for (Reg s = 0; s < code_.empty; ++s) emit(What::minus, s, s, gone);
  emit(What::unite, code_.empty, code_.empty, gone);
  changed();
}

// The top pieces of cells get another owner or kind, or both.
void Sprinter::change(NodeId id, Env& env) {
  const Node n = node(id);
  const int kind = n.count > 1 && kid(id, 1) != kNoNode ? node(kid(id, 1)).a : -1;
  if (n.count > 1 && kid(id, 1) != kNoNode && (node(kid(id, 1)).op != Op::kind || kind < 0)) {
    fail();
    return;
  }
  if (n.a == kNatural) {
    fail();
    return;
  }
  const int kinds = static_cast<int>(program_.kinds.size());
  for (int k = 0; k < kinds; ++k) // no piece may come about that there isn't
    for (int owner = -1; owner < players(); ++owner) {
      if (!has_letters(owner, k)) continue;
      if (!has_letters(n.a == kKeepOwner ? owner : n.a, kind < 0 ? k : kind)) fail();
    }
  if (failed_) return;
  const Reg all = minus(set(kid(id, 0), env), code_.empty);
  if (n.a != kKeepOwner) {
    const int index = n.a < 0 ? players() : n.a;
    for (int s = 0; s < code_.owners; ++s) emit(s == index ? What::unite : What::minus, s, s, all);
  }
  if (kind >= 0)
    for (int k = 0; k < code_.kinds; ++k)
      emit(k == kind ? What::unite : What::minus, code_.owners + k, code_.owners + k, all);
  changed();
}

} // namespace boardwright::runtime::sprint
