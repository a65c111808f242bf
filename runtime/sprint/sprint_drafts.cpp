// The sprint compiler: turns that no slots fit, followed one draft after the other.
//
// # How drafts are followed
// The code of an action, and of all that comes after it, changes the position in place. When it has tried
// everything it goes on behind itself, and the position may be any: whoever has more to try has saved the
// draft before, and restores it. A test that fails goes behind as well. So choices nest like loops. A
// repetition calls its rounds, and a round its next one, with all that they use put away in between. (Of all
// this only what is needed is left in the end, see sprint_keep.cpp.)
//
// # Each move once
// Where every choice shows in what is written (a cell of `from`, a cell that something is then put or dropped
// on), no two drafts are one move. Otherwise each draft is compared with the moves so far: the same cells
// written in the same order, and the same position, are the same move.
#include "runtime/sprint/sprint_compiler.hpp"

namespace boardwright::runtime::sprint {

// A repetition whose rounds change the position.
struct Chain {
  NodeId body = kNoNode, until = kNoNode;
  bool maximal = false;
  const Todo* after = nullptr;
  Label entry = 0;
  std::size_t loop = 0; // SprintCode::loops
  Sprinter::Draft begin;
  Contents piece;                               // on the cell where a round begins
  bool shown = true;                            // every round writes where it ends
  bool outer_fewer = false, outer_gone = false; // of the draft that came to it: Draft::fewer, gone
  // No draft can come back: every round leaves fewer pieces, or more cells in a local, and none undoes that;
  // or every round takes a step, and all steps go the same way.
  bool fewer = true, undone = false, stepped = true, up = true, down = true, left = true, right = true;
  [[nodiscard]] bool ends() const { return (fewer && !undone) || (stepped && (up || down || left || right)); }
  void note(const Step& step) {
    const bool track = step.track >= 0;
    up = up && !track && step.dy > 0;
    down = down && !track && step.dy < 0;
    left = left && !track && step.dx < 0;
    right = right && !track && step.dx > 0;
  }
};

namespace {

const Contents kNothing(1);

// Tags of what is written.
constexpr int kFrom = 1, kDrop = 4; // of `put` 2 and 3

} // namespace

// ----------------------------------------------------------------------------------------------------
// contents

Contents Sprinter::codes(int owner, int kind) const {
  Contents c;
  const int kinds = static_cast<int>(program_.kinds.size());
  for (int o = -1; o < players(); ++o)
    for (int k = 0; k < kinds; ++k)
      if ((owner == -2 || owner == o) && (kind == -2 || kind == k) && has_letters(o, k))
        c.set(at(1 + (o + 1) * kinds + k));
  return c;
}

// What may be on a cell of the set.
Contents Sprinter::contents_of(Reg set) const {
  if (set < code_.owners) return codes(set == players() ? -1 : set, -2);
  if (set == code_.empty) return kNothing;
  if (set < code_.empty) return codes(-2, set - code_.owners);
  const Contents any = codes(-2, -2) | kNothing;
  const auto known = contents_.find(set);
  if (known == contents_.end() || known->second.epoch != epoch_) return any;
  // It may hold the cell that is empty since then, if what was lifted there is one of its pieces.
  const Contents& then = known->second.contents;
  const bool lifted_since = air_.any() && !known->second.in_air;
  return lifted_since && (then & air_).any() ? then | kNothing : then;
}

// Is it told by what is on a cell alone?
bool Sprinter::exact(Reg set) const { return set <= code_.empty; }

Reg Sprinter::with_contents(Reg set, const Contents& contents) {
  if (!failed_ && set >= code_.draft_sets && known_set(set) == nullptr)
    contents_[set] = {contents, epoch_, air_.any()};
  return set;
}

bool Sprinter::changes_since(std::size_t begin) const {
  for (std::size_t i = begin; i < code_.ops.size(); ++i) {
    const SprintOp& op = code_.ops[i];
    const bool writes = op.what <= What::bit || op.what == What::set_bit || op.what == What::clear_bit ||
                        op.what == What::carry || op.what == What::give || op.what == What::write ||
                        op.what == What::write_set || op.what == What::write_put;
    if ((writes && op.d < code_.draft_sets) || op.what == What::grab) return true;
  }
  return false;
}

// The set `all` takes in more.
void Sprinter::join(Reg all, Reg more) {
  if (failed_ || more == none_) return;
  SprintOp& last = code_.ops.back();
  const bool moved = (last.what == What::up || last.what == What::down) && last.d == more;
  if (moved)
    emit(last.what == What::up ? What::join_up : What::join_down, all, last.a, last.b, 0, last.x);
  else
    emit(What::unite, all, all, more);
}

Reg Sprinter::displaced_back(Reg set, const std::vector<std::int16_t>& place) {
  const auto groups = by_distance(place, true);
  if (groups.size() > kMostShifts) return fail();
  Reg all = none_;
  for (const auto& [by, cells] : groups) {
    const Reg part = by == 0
                         ? meet(set, constant(cells))
                         : value(by < 0 ? What::down : What::up, set, constant(cells), 0, by < 0 ? -by : by);
    all = unite(all, part);
  }
  return all;
}

// ---------------------------------------------------------------------------------------------------- what
// is left

bool Sprinter::reads_locals(NodeId id) const {
  if (id == kNoNode) return false;
  const Node& n = node(id);
  if (n.op == Op::local && local_.count(n.a) != 0) return true;
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (reads_locals(program_.kid(n, i))) return true;
  return false;
}

// Has exactly one outcome and needs nothing but the cells of the walker.
bool Sprinter::tail_only(NodeId id) const {
  const Node& n = node(id);
  // Drafts are compared by the board, not by locals.
  if (once_ && reads_locals(id)) return false;
  switch (n.op) {
  case Op::sequence:
  case Op::quietly:
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (!tail_only(program_.kid(n, i))) return false;
    return true;
  case Op::if_action:
    for (std::uint32_t i = 1; i < n.count; ++i)
      if (program_.kid(n, i) != kNoNode && !tail_only(program_.kid(n, i))) return false;
    return true;
  // What can make two boards equal again must be done before they are compared. Of the walker's own piece
  // they are equal in any case, as it has been changed nowhere before.
  case Op::remove: return !once_;
  case Op::change: return !once_ || node(program_.kid(n, 0)).op == Op::here;
  case Op::let:
  case Op::set_variable:
  case Op::again:
  case Op::win:
  case Op::lose:
  case Op::draw: return true;
  default: return false;
  }
}

bool Sprinter::tail_only(const Todo* todo) const {
  for (; todo != nullptr; todo = todo->next)
    if (todo->kind != Todo::Kind::act || !tail_only(todo->action)) return false;
  return true;
}

// After a cell has been picked: what is carried is put there, or something dropped, and the rest is a tail.
bool Sprinter::ends_with(const Todo* todo, const Draft& d) const {
  if (once_ || todo == nullptr || todo->kind != Todo::Kind::act) return false;
  const Node& n = node(todo->action);
  if (n.op == Op::sequence && n.count > 0) return false; // is taken apart first
  const bool puts = n.op == Op::put && n.count == 0 && d.lifted;
  const bool drops = n.op == Op::drop && !d.lifted && n.count == 2 &&
                     node(program_.kid(n, 0)).op == Op::here && node(program_.kid(n, 1)).op == Op::kind;
  return (puts || drops) && tail_only(todo->next);
}

// Goes from cell to cell and does nothing else.
bool Sprinter::walks(NodeId id) const {
  const Node& n = node(id);
  switch (n.op) {
  case Op::go:
  case Op::at: return true;
  case Op::sequence:
  case Op::alternatives:
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (!walks(program_.kid(n, i))) return false;
    return true;
  case Op::repeat: return (n.a & (kMaximal | kUntil)) == 0 && walks(program_.kid(n, 0));
  default: return false;
  }
}

bool Sprinter::reads(NodeId id, std::int32_t slot) const {
  if (id == kNoNode) return false;
  const Node& n = node(id);
  if (n.op == Op::heading || (n.op == Op::local && n.a == slot)) return true;
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (reads(program_.kid(n, i), slot)) return true;
  return false;
}

// Is the value another one after a step?
bool Sprinter::reads_walker(NodeId id) const {
  if (id == kNoNode) return false;
  const Node& n = node(id);
  if (n.op == Op::here || n.op == Op::heading) return true;
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (reads_walker(program_.kid(n, i))) return true;
  return false;
}

bool Sprinter::reads_after(const Todo* todo, std::int32_t slot) const {
  for (; todo != nullptr; todo = todo->next) {
    if (todo->kind == Todo::Kind::round_end)
      return reads(todo->chain->body, slot) || reads(todo->chain->until, slot) ||
             reads_after(todo->chain->after, slot);
    if (reads(todo->action, slot)) return true;
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------- leaves

std::int32_t Sprinter::leaf_of(const std::vector<NodeId>& actions, const Draft& d, bool picked) {
  DraftLeaf leaf;
  leaf.actions = actions;
  leaf.picked = picked;
  leaf.starts = d.env.start >= 0;
  leaf.heading = once_ ? -1 : d.env.heading;
  for (const auto& [slot, v] : d.env.slots) {
    const bool changing =
        v.kind == Value::Kind::cells && v.reg >= code_.state_sets && v.reg < code_.draft_sets;
    if (v.kind == Value::Kind::directions || changing) leaf.slots[slot] = v;
  }
  if (once_) // the same tail must be the same leaf
    std::erase_if(leaf.slots, [](const auto& s) { return s.second.kind == Value::Kind::directions; });
  if (picked) {
    leaf.carried = d.carried;
    for (const Carried& c : d.carried)
      if (c.share == Share::some) fail();
  }
  for (std::size_t i = first_draft_leaf_; once_ && i < draft_leaves_.size(); ++i)
    if (draft_leaves_[i].actions == actions && draft_leaves_[i].starts == leaf.starts)
      return static_cast<std::int32_t>(i - first_draft_leaf_);
  draft_leaves_.push_back(std::move(leaf));
  return static_cast<std::int32_t>(draft_leaves_.size() - 1 - first_draft_leaf_);
}

void Sprinter::emit_leaf(Reg set, const Todo* todo, const Draft& d) {
  std::vector<NodeId> actions;
  for (const Todo* t = todo; t != nullptr; t = t->next) actions.push_back(t->action);
  const bool picked = todo != nullptr && ends_with(todo, d);
  const std::int32_t leaf = leaf_of(actions, d, picked);
  if (failed_) return;
  if (picked) draft_leaves_.back().there = contents_of(set);
  emit(once_ ? What::leaf_once : What::leaf_draft, 0, set, std::max(d.env.start, 0), 0, leaf + leaf_base_);
}

void Sprinter::finish(const Todo* todo, const Draft& d) {
  if (d.lifted) { // what is still in the air makes no move
    if (must_land_) fail();
    return;
  }
  // Drafts are compared by where the walker is too, so that must be part of the move.
  if (d.env.here < 0 || (once_ && !d.shown)) {
    fail();
    return;
  }
  if (!d.shown) need_once();
  emit_leaf(value(What::bit, d.env.here), todo, d);
}

// The code that carries out what was left of a chosen move. Its cell is 0, its start 1.
void Sprinter::draft_leaf(std::size_t index, SprintLeaf& into) {
  const DraftLeaf l = draft_leaves_[index];
  into.origin.resize(at(board().cells));
  for (std::size_t c = 0; c < into.origin.size(); ++c) into.origin[c] = static_cast<std::int16_t>(c);
  into.entry = here();
  memo_.clear();
  code_.cells = std::max<Reg>(code_.cells, 3);
  Env env;
  for (const NodeId id : l.actions)
    if (!failed_) find_before(id, env);
  emit(What::recall);
  changed();
  env.here = 0;
  env.start = l.starts ? 1 : -1;
  env.heading = l.heading;
  env.slots = l.slots;
  carried_ = l.picked ? l.carried : std::vector<Carried>(code_.state_sets);
  bool first = l.picked;
  for (const NodeId id : l.actions) {
    if (failed_) break;
    if (!std::exchange(first, false))
      act(id, env);
    else if (node(id).op == Op::put)
      put(0, l.there);
    else
      drop(node(id), 0, l.there);
  }
  emit(What::next);
}

// ----------------------------------------------------------------------------------------------------
// choices

Reg Sprinter::room_for_draft() {
  const Reg first = new_set();
  for (int i = 1; i < code_.draft_sets; ++i) (void)new_set();
  return first;
}

// Brings back what was saved, if anything has changed since; else it needn't have been.
void Sprinter::restore(Reg kept, std::size_t saved, std::size_t begin) {
  if (changes_since(begin))
    emit(What::restore, 0, kept);
  else
    forget(saved);
}

// Each branch begins with the draft as it is now.
template <class F>
void Sprinter::branches(int count, F&& branch) {
  const Reg kept = room_for_draft();
  const std::size_t saved = emit(What::save, kept);
  bool dirty = false;
  const Memo before = memo_;
  for (int i = 0; i < count && !failed_; ++i) {
    const std::size_t begin = code_.ops.size();
    memo_ = before;
    const Label clean = label();
    branch(i, clean);
    if (changes_since(begin) && i + 1 < count) {
      emit(What::restore, 0, kept);
      dirty = true;
    }
    place_label(clean); // a test that fails before anything has changed
  }
  memo_.clear();
  if (!dirty) forget(saved);
}

void Sprinter::write(int cell, int tag) {
  if (once_) emit(What::write, written_, cell, tag);
}

// What leaves the game from a cell makes the next `put` look otherwise, or is written at the end; the mover's
// own pieces aren't.
void Sprinter::leave(int cell, const Contents& there) {
  if (!once_) return;
  const Contents others = there & ~kNothing & ~codes(player_, -2);
  if (others.none()) return;
  const Label past = label();
  if (others != there) {
    emit(What::if_in, 0, cell, code_.empty, 0, past);
    emit(What::if_in, 0, cell, player_, 0, past);
  }
  emit(What::set_bit, gone_, cell);
  place_label(past);
  memo_.clear();
}

void Sprinter::follow(const Todo* todo, Draft d) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  if (failed_ || (needs_once_ && !once_)) return;
  come_to(d);
  if (!d.lifted && d.env.here >= 0 && tail_only(todo)) return finish(todo, d);
  if (todo == nullptr) return finish(todo, d);
  if (todo->kind == Todo::Kind::round_end) return follow_round_end(todo, d);
  if (todo->kind == Todo::Kind::scored) return follow_score(todo, d);
  const Node n = node(todo->action);
  if (n.op == Op::sequence && apart_ && d.env.here < 0 && !split_ && follow_split(todo, d)) return;
  if (n.op == Op::sequence && (once_ || apart_) && d.env.here < 0 && !origins_ && begins_from(todo->action)) {
    const Label none = label();
    find_origins(todo->action, none);
    follow_all(n, 0, todo->next, d);
    origins_.reset();
    place_label(none);
    memo_.clear();
    return;
  }
  if (n.op == Op::sequence) return follow_all(n, 0, todo->next, d);
  if (n.op == Op::otherwise) return follow_otherwise(todo, d);
  // A better score forgets all moves so far: they must be its own.
  if (n.op == Op::most && !first_) fail();
  first_ = false;
  follow_next(todo, std::move(d));
}

void Sprinter::follow_all(const Node& n, std::uint32_t i, const Todo* after, const Draft& d) {
  std::vector<Todo> chain(n.count - i);
  for (std::size_t k = chain.size(); k-- > 0;) {
    chain[k].action = program_.kids[n.kids + i + k];
    chain[k].next = k + 1 < chain.size() ? &chain[k + 1] : after;
  }
  follow(chain.empty() ? after : chain.data(), d);
}

void Sprinter::follow_next(const Todo* todo, Draft d) {
  const NodeId id = todo->action;
  const Node n = node(id);
  const bool first_step = n.op == Op::choose || n.op == Op::go;
  if (first_step && d.env.here >= 0 && follow_walk(todo, d)) return;
  switch (n.op) {
  case Op::never: return;
  case Op::alternatives: {
    int real = 0;
    for (std::uint32_t i = 0; i < n.count; ++i) real += node(program_.kid(n, i)).op == Op::never ? 0 : 1;
    if (real > 1) need_once();
    return branches(static_cast<int>(n.count), [&](int i, Label clean) {
      const Todo branch{Todo::Kind::act, program_.kid(n, static_cast<std::uint32_t>(i)), todo->next, nullptr};
      Draft next = d;
      next.clean = clean;
      follow(&branch, std::move(next));
    });
  }
  case Op::from:
  case Op::to: return follow_place(todo, std::move(d));
  case Op::at: {
    if (d.env.here < 0) {
      fail();
      return;
    }
    const NodeId wanted = kid(id, 0);
    const Reg set = this->set(wanted, d.env);
    if (set == none_) return;
    const Label past = label();
    emit(What::if_out, 0, d.env.here, set, 0, d.clean.value_or(past));
    auto& there = d.there.try_emplace(d.env.here, codes(-2, -2) | kNothing).first->second;
    there &= contents_of(set);
    if (node(wanted).op == Op::minus && node(kid(wanted, 1)).op == Op::local)
      if (const auto local = local_.find(node(kid(wanted, 1)).a); local != local_.end())
        d.not_in = local->second;
    follow(todo->next, std::move(d));
    return place_label(past);
  }
  case Op::go: return follow_go(todo, std::move(d));
  case Op::choose: return follow_choose(todo, std::move(d));
  case Op::choose_some: return follow_choose_some(todo, d);
  case Op::repeat: return follow_repeat(todo, std::move(d));
  case Op::require: {
    const Label past = label();
    jump(kid(id, 0), false, d.clean.value_or(past), d.env);
    follow(todo->next, std::move(d));
    return place_label(past);
  }
  case Op::if_action: return follow_if(todo, d);
  case Op::by_kind_action: return follow_kinds(todo, d);
  case Op::most: {
    if (scored_) {
      fail();
      return;
    }
    scored_ = true;
    emit(What::best_none);
    Todo score{Todo::Kind::scored, kid(id, 1), todo->next, nullptr};
    const Todo inner{Todo::Kind::act, kid(id, 0), &score, nullptr};
    return follow(&inner, std::move(d));
  }
  default: return follow_change(todo, std::move(d));
  }
}

// Has exactly one outcome, whatever the position.
bool Sprinter::always_one(NodeId id) const {
  const Node& n = node(id);
  const auto all = [&](std::uint32_t from) {
    for (std::uint32_t i = from; i < n.count; ++i)
      if (program_.kid(n, i) != kNoNode && !always_one(program_.kid(n, i))) return false;
    return true;
  };
  switch (n.op) {
  case Op::sequence:
  case Op::quietly: return all(0);
  case Op::if_action: return all(1);
  case Op::let:
  case Op::set_local:
  case Op::set_variable:
  case Op::remove:
  case Op::change:
  case Op::again:
  case Op::win:
  case Op::lose:
  case Op::draw: return true;
  default: return false;
  }
}

bool Sprinter::always_one(const Todo* todo) const {
  for (; todo != nullptr; todo = todo->next)
    if (todo->kind != Todo::Kind::act || !always_one(todo->action)) return false;
  return true;
}

// The second action is tried where the first has led to no move. So every outcome of the first must become
// one: what comes after mustn't stop it.
void Sprinter::follow_otherwise(const Todo* todo, const Draft& d) {
  const Node n = node(todo->action);
  if (!first_ || n.count != 2 || !always_one(todo->next)) {
    fail();
    return;
  }
  const bool outer = must_land_;
  const Todo first{Todo::Kind::act, program_.kid(n, 0), todo->next, nullptr};
  const Todo second{Todo::Kind::act, program_.kid(n, 1), todo->next, nullptr};
  branches(2, [&](int i, Label) {
    if (i == 1) emit(What::if_free, 0, 0, 0, 0, group_done_);
    first_ = i == 0;
    must_land_ = outer || i == 0;
    follow(i == 0 ? &first : &second, d);
  });
  must_land_ = outer;
}

// Few walkers get far. Those that do are found for all at once, if the action begins with `from`.
void Sprinter::find_origins(NodeId action, Label none) {
  if (failed_ || !begins_from(action)) return;
  const auto plan = plan_origins(program_, action);
  if (!plan) return;
  const std::size_t ops = code_.ops.size();
  const int sets = next_set_;
  const Memo memo = memo_;
  const Reg origins = new_set();
  emit(What::copy, origins, none_);
  count_ops(*plan, 0, static_cast<std::uint32_t>(plan->ops.size()), none_, true, 0, origins);
  if (failed_) { // some value can't be compiled: then without
    failed_ = false;
    code_.ops.resize(ops);
    next_set_ = sets;
    memo_ = memo;
    return;
  }
  emit(What::if_none, 0, origins, 0, 0, none);
  origins_ = origins;
  memo_.clear();
}

bool Sprinter::begins_from(NodeId action) const {
  const Node& n = node(action);
  if (n.op == Op::from) return true;
  if ((n.op == Op::most || n.op == Op::distinct || n.op == Op::quietly) && n.count > 0)
    return begins_from(program_.kid(n, 0));
  if (n.op != Op::sequence) return false;
  for (std::uint32_t i = 0; i < n.count; ++i) {
    if (node(program_.kid(n, i)).op == Op::let) continue;
    return begins_from(program_.kid(n, i));
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------- the
// walker

void Sprinter::follow_place(const Todo* todo, Draft d) {
  const bool starts = node(todo->action).op == Op::from;
  Reg set = this->set(kid(todo->action, 0), d.env);
  if (origins_ && d.env.here < 0) set = meet(set, *origins_);
  follow_set(set, starts, todo->next, std::move(d));
}

// Each cell of the set in turn, or all of them as one leaf.
void Sprinter::follow_set(Reg set, bool starts, const Todo* after, Draft d) {
  if (set == none_ || failed_) return;
  come_to(d);
  for (Chain* chain : chains_) chain->up = chain->down = chain->left = chain->right = false;
  if (after != nullptr && after->kind == Todo::Kind::act && node(after->action).op == Op::sequence &&
      node(after->action).count > 0) { // taken apart, so that what comes first can be seen
    const Node n = node(after->action);
    std::vector<Todo> chain(n.count);
    for (std::size_t k = chain.size(); k-- > 0;) {
      chain[k].action = program_.kids[n.kids + k];
      chain[k].next = k + 1 < chain.size() ? &chain[k + 1] : after->next;
    }
    return follow_set(set, starts, chain.data(), std::move(d));
  }
  if (!d.shown) need_once(); // the cell before has been left without a trace
  d.env.heading = -1;
  if (!starts && ends_with(after, d)) return emit_leaf(set, after, d);
  const Contents there = contents_of(set);
  const Reg left = new_set();
  emit(What::copy, left, set);
  const int cell = new_cell();
  const Label loop = label(), past = label();
  const Reg kept = room_for_draft();
  const std::size_t saved = emit(What::save, kept);
  place_label(loop);
  memo_.clear();
  const std::size_t begin = code_.ops.size();
  emit(What::take, cell, left, 0, 0, past);
  d.env.here = cell;
  d.env.heading = -1;
  d.there[cell] = there;
  d.not_in.reset();
  d.clean = once_ && starts ? std::nullopt : std::optional(loop);
  d.shown = starts;
  if (starts) {
    d.env.start = cell;
    if (once_) { // what has left is written first
      emit(What::write_set, written_, gone_);
      emit(What::copy, gone_, none_);
    }
    write(cell, kFrom);
  }
  follow(after, std::move(d));
  restore(kept, saved, begin);
  emit(What::go, 0, 0, 0, 0, loop);
  place_label(past);
  memo_.clear();
}

// Where a walk leads is a set of cells, if nothing asks later which way it went.
bool Sprinter::follow_walk(const Todo* todo, const Draft& d) {
  if (once_) return false; // cells that are reached in several ways are compared as any others
  std::vector<NodeId> parts;
  const bool chooses = node(todo->action).op == Op::choose;
  const std::int32_t slot = chooses ? node(todo->action).a : -1;
  const Todo* rest = todo;
  if (chooses) {
    if (node(kid(todo->action, 0)).type != Type::directions) return false;
    parts.push_back(todo->action);
    rest = todo->next;
  }
  int gone = 0;
  for (; rest != nullptr && rest->kind == Todo::Kind::act && walks(rest->action); rest = rest->next) {
    parts.push_back(rest->action);
    gone += node(rest->action).op == Op::at ? 0 : 1;
  }
  if (gone == 0 || reads_after(rest, slot)) return false;
  Env inside = d.env;
  bool plain = !chooses && !ends_with(rest, d); // single steps are taken by themselves
  for (const NodeId part : parts) {
    const Op op = node(part).op;
    const auto steps = plain && op == Op::go ? directions(kid(part, 0), inside) : std::nullopt;
    plain = plain && (op == Op::at || (steps && steps->count() == 1));
  }
  if (plain) return false;
  Node n;
  n.op = Op::sequence;
  n.type = Type::action;
  n.kids = static_cast<std::uint32_t>(program_.kids.size());
  n.count = static_cast<std::uint32_t>(parts.size());
  program_.kids.insert(program_.kids.end(), parts.begin(), parts.end());
  program_.nodes.push_back(n);
  const auto walk = static_cast<NodeId>(program_.nodes.size() - 1);
  inside.here = inside.start = inside.heading = -1;
  follow_set(walked_from_cell(walk, static_cast<Reg>(d.env.here), inside), false, rest, d);
  return true;
}

void Sprinter::follow_go(const Todo* todo, Draft d) {
  const auto steps = directions(kid(todo->action, 0), d.env);
  if (d.env.here < 0 || !steps) {
    fail();
    return;
  }
  std::vector<int> all;
  steps->each([&](int s) { all.push_back(s); });
  if (all.size() > 1) need_once();
  if (all.size() == 1) return follow_hop(all[0], todo->next, std::move(d));
  branches(static_cast<int>(all.size()), [&](int i, Label clean) {
    Draft next = d;
    next.clean = clean;
    follow_hop(all[at(i)], todo->next, std::move(next));
  });
}

// A step, and the test after it in the same operation.
void Sprinter::follow_hop(int step, const Todo* after, Draft d) {
  come_to(d);
  Reg in = board_;
  const bool tests = after != nullptr && after->kind == Todo::Kind::act && node(after->action).op == Op::at &&
                     !reads_walker(kid(after->action, 0));
  const NodeId wanted = tests ? kid(after->action, 0) : kNoNode;
  if (tests) in = set(wanted, d.env);
  if (in == none_ || failed_) return;
  const int cell = new_cell();
  const Label past = label();
  for (Chain* chain : chains_) chain->note(board().steps[at(step)]);
  emit(What::hop, cell, d.env.here, in, step, d.clean.value_or(past));
  d.env.here = cell;
  d.shown = false;
  d.gone = true;
  d.env.heading = step;
  d.there[cell] = contents_of(in);
  d.not_in.reset();
  if (tests && node(wanted).op == Op::minus && node(kid(wanted, 1)).op == Op::local)
    if (const auto local = local_.find(node(kid(wanted, 1)).a); local != local_.end())
      d.not_in = local->second;
  follow(tests ? after->next : after, std::move(d));
  place_label(past);
}

void Sprinter::follow_choose(const Todo* todo, Draft d) {
  const Node n = node(todo->action);
  const NodeId source = kid(todo->action, 0);
  need_once();
  if (node(source).type == Type::directions) {
    const auto steps = directions(source, d.env);
    if (!steps) {
      fail();
      return;
    }
    std::vector<int> all;
    steps->each([&](int s) { all.push_back(s); });
    return branches(static_cast<int>(all.size()), [&](int i, Label clean) {
      Draft next = d;
      next.clean = clean;
      next.env.slots[n.a] = one_way(all[at(i)]);
      follow(todo->next, std::move(next));
    });
  }
  if (node(source).type != Type::cells) {
    fail();
    return;
  }
  follow_members(todo, 1, set(source, d.env), none_, std::move(d));
}

// So many cells of the set, in every way: those of `chosen` are already taken. A slot of one is known as a
// cell.
void Sprinter::follow_members(const Todo* todo, int count, Reg set, Reg chosen, Draft d) {
  d.clean.reset();
  come_to(d);
  if (count == 0) {
    d.env.slots[node(todo->action).a] = {Value::Kind::cells, chosen, 0, {}};
    return follow(todo->next, std::move(d));
  }
  const Contents there = contents_of(set);
  const Reg left = new_set();
  emit(What::copy, left, set);
  (void)with_contents(left, there);
  const int cell = new_cell();
  const Label loop = label(), past = label();
  const Reg kept = room_for_draft();
  emit(What::save, kept);
  place_label(loop);
  memo_.clear();
  emit(What::take, cell, left, 0, 0, past);
  if (node(todo->action).op == Op::choose) {
    d.env.slots[node(todo->action).a] = {Value::Kind::cell, static_cast<Reg>(cell), 0, {}};
    d.there[cell] = there;
    follow(todo->next, std::move(d));
  } else {
    const Reg more = new_set();
    emit(What::unite, more, chosen, value(What::bit, cell));
    (void)with_contents(more, there);
    follow_members(todo, count - 1, left, more, std::move(d));
  }
  emit(What::restore, 0, kept);
  emit(What::go, 0, 0, 0, 0, loop);
  place_label(past);
  memo_.clear();
}

// A number of cells that is only known in the game, of which there can't be many.
void Sprinter::follow_choose_some(const Todo* todo, const Draft& d) {
  constexpr int kMost = 3; // ways multiply
  Draft first = d;
  first.clean.reset();
  need_once();
  const NodeId wanted = kid(todo->action, 0);
  int most = kMost + 1;
  if (node(wanted).op == Op::number) most = node(wanted).a;
  for (std::uint32_t i = 0; node(wanted).op == Op::least && i < node(wanted).count; ++i)
    if (node(kid(wanted, i)).op == Op::number) most = std::min(most, node(kid(wanted, i)).a);
  if (most > kMost || node(kid(todo->action, 1)).type != Type::cells) {
    fail();
    return;
  }
  const Reg count = number(wanted, first.env);
  const Reg from = set(kid(todo->action, 1), first.env);
  const Label past = label();
  for (int k = 0; k <= most; ++k) {
    const Label other = label();
    emit(What::if_not_equal, 0, count, number_constant(k), 0, other);
    memo_.clear();
    follow_members(todo, k, from, none_, first);
    emit(What::go, 0, 0, 0, 0, past);
    place_label(other);
  }
  place_label(past);
  memo_.clear();
}

// A number of steps that is only known in the game.
void Sprinter::follow_counted(const Todo* todo, Draft d) {
  const auto body = round(kid(todo->action, 0), d.env);
  if (reads_walker(body->through)) fail();
  const Reg in = body->through == kNoNode ? board_ : set(body->through, d.env);
  const int step = body->steps.first();
  for (Chain* chain : chains_) chain->note(board().steps[at(step)]);
  const Reg count = number(kid(todo->action, 1), d.env);
  const Reg left = new_number();
  const int cell = new_cell();
  const Label loop = label(), done = label(), past = label();
  emit(What::number, left, count);
  emit(What::copy_cell, cell, d.env.here);
  place_label(loop);
  emit(What::if_less, 0, left, number_constant(1), 0, done);
  emit(What::hop, cell, cell, in, step, past);
  emit(What::subtract, left, left, number_constant(1));
  emit(What::go, 0, 0, 0, 0, loop);
  place_label(done);
  memo_.clear();
  d.env.here = cell;
  d.shown = false;
  d.env.heading = -1;
  d.clean.reset();
  d.there.erase(cell);
  d.not_in.reset();
  follow(todo->next, std::move(d));
  place_label(past);
  memo_.clear();
}

void Sprinter::follow_if(const Todo* todo, const Draft& d) {
  const NodeId id = todo->action;
  const Label other = label(), past = label();
  Draft first = d, second = d;
  first.clean.reset(); // a test that fails in one branch may go on in the other
  second.clean.reset();
  jump(kid(id, 0), false, other, first.env);
  memo_.clear();
  const Todo then{Todo::Kind::act, kid(id, 1), todo->next, nullptr};
  follow(&then, std::move(first));
  emit(What::go, 0, 0, 0, 0, past);
  place_label(other);
  memo_.clear();
  if (node(id).count > 2 && kid(id, 2) != kNoNode) {
    const Todo otherwise{Todo::Kind::act, kid(id, 2), todo->next, nullptr};
    follow(&otherwise, std::move(second));
  } else {
    follow(todo->next, std::move(second));
  }
  place_label(past);
  memo_.clear();
}

void Sprinter::follow_kinds(const Todo* todo, const Draft& d) {
  const Node n = node(todo->action);
  const bool here = node(kid(todo->action, 0)).op == Op::here && d.env.here >= 0;
  const auto known = d.there.find(d.env.here);
  if (!here || known == d.there.end() || known->second.test(0)) {
    fail();
    return;
  }
  const Label past = label();
  for (std::uint32_t k = 0; k + 2 < n.count; ++k) {
    const NodeId body = kid(todo->action, k + 1);
    const Contents these = known->second & codes(-2, static_cast<int>(k));
    if (node(body).op == Op::never || these.none()) continue;
    const Label other = label();
    if (these != known->second) emit(What::if_out, 0, d.env.here, kind_cells(static_cast<int>(k)), 0, other);
    memo_.clear();
    Draft next = d;
    next.clean.reset();
    next.there[d.env.here] = these;
    const Todo branch{Todo::Kind::act, body, todo->next, nullptr};
    follow(&branch, std::move(next));
    emit(What::go, 0, 0, 0, 0, past);
    place_label(other);
    memo_.clear();
  }
  place_label(past);
}

// ----------------------------------------------------------------------------------------------------
// changes

void Sprinter::follow_change(const Todo* todo, Draft d) {
  if (node(todo->action).op != Op::let) d.clean.reset();
  const NodeId id = todo->action;
  const Node n = node(id);
  const int cell = d.env.here;
  const auto there = [&] {
    const auto known = d.there.find(cell);
    return known == d.there.end() ? codes(-2, -2) | kNothing : known->second;
  };
  switch (n.op) {
  case Op::lift: {
    if (n.count > 0 || d.lifted || cell < 0) {
      fail();
      return;
    }
    const Label past = label();
    if (there().test(0)) emit(What::if_in, 0, cell, code_.empty, 0, past);
    carried_.assign(code_.state_sets, {});
    lift(cell, there() & ~kNothing);
    for (Carried& c : carried_) c.from = -1;
    d.carried = carried_;
    d.lifted = true;
    d.carried_codes = there() & ~kNothing;
    d.there[cell] = kNothing;
    follow(todo->next, std::move(d));
    return place_label(past);
  }
  case Op::put:
    if (n.count > 0 || !d.lifted || cell < 0) {
      fail();
      return;
    }
    carried_ = d.carried;
    leave(cell, there());
    put(cell, there());
    if (once_) emit(What::write_put, written_, cell, gone_);
    d.shown = true;
    d.there = {{cell, d.carried_codes}};
    d.lifted = false;
    board_changes(d);
    break;
  case Op::drop: {
    const NodeId kind = kid(id, 1);
    const bool plain = n.count == 2 && node(kind).op == Op::kind && node(kind).a >= 0 && n.a != kNatural;
    if (!plain || !has_letters(n.a, node(kind).a)) {
      fail();
      return;
    }
    chains_may_return();
    if (node(kid(id, 0)).op != Op::here || cell < 0) {
      drop_all(set(kid(id, 0), d.env), n.a, node(kind).a);
      d.there.clear();
      board_changes(d);
      break;
    }
    leave(cell, there());
    drop(n, cell, there());
    if (once_) emit(What::write_set, written_, value(What::bit, cell), kDrop + node(kind).a);
    d.shown = true;
    d.there = {{cell, codes(n.a, node(kind).a)}};
    board_changes(d);
    break;
  }
  case Op::remove:
    if (node(kid(id, 0)).op == Op::here && cell >= 0) {
      d.fewer = d.fewer || !there().test(0);
      leave(cell, there());
      clear(cell, there());
      d.there = {{cell, kNothing}};
    } else {
      if (once_) {
        const Reg others = minus(minus(set(kid(id, 0), d.env), static_cast<Reg>(player_)), code_.empty);
        emit(What::unite, gone_, gone_, others);
      }
      act(id, d.env);
      d.there.clear();
    }
    board_changes(d);
    break;
  case Op::set_local: {
    const auto local = local_.find(n.a);
    if (local == local_.end()) {
      fail();
      return;
    }
    const NodeId to = kid(id, 0);
    const bool grows = node(to).op == Op::unite && node(kid(to, 0)).op == Op::local &&
                       node(kid(to, 0)).a == n.a && node(kid(to, 1)).op == Op::here;
    if (!grows) chains_may_return();
    d.fewer = d.fewer || (grows && d.not_in == local->second);
    emit(What::copy, local->second, set(to, d.env));
    changed();
    break;
  }
  case Op::let:
    if (local_.count(n.a) != 0) chains_may_return(); // it begins anew
    let(id, d.env);
    break;
  case Op::change:
    if (once_) fail(); // see tail_only
    act(id, d.env);
    d.there.clear();
    board_changes(d);
    break;
  default: // what changes numbers, or says what isn't compared
    fail();
    return;
  }
  follow(todo->next, std::move(d));
}

// ----------------------------------------------------------------------------------------------------
// repetition

// What comes to the board, or leaves a local, may make a round's draft equal to an earlier one.
void Sprinter::chains_may_return() {
  for (Chain* chain : chains_) chain->undone = true;
}

// Pieces on all cells of a set, in the place of what was there.
void Sprinter::drop_all(Reg cells, int owner, int kind) {
  if (cells < code_.draft_sets) { // it may be one of those that change
    const Reg kept = new_set();
    emit(What::copy, kept, cells);
    cells = kept;
  }
  const int index = owner < 0 ? players() : owner;
  for (int s = 0; s < code_.owners; ++s) emit(s == index ? What::unite : What::minus, s, s, cells);
  for (int k = 0; k < code_.kinds; ++k)
    emit(k == kind ? What::unite : What::minus, code_.owners + k, code_.owners + k, cells);
  emit(What::minus, code_.empty, code_.empty, cells);
  if (once_) emit(What::write_set, written_, cells, kDrop + kind);
  changed();
}

void Sprinter::follow_repeat(const Todo* todo, Draft d) {
  const Node n = node(todo->action);
  const Node low = node(kid(todo->action, 1));
  need_once();
  if (n.a == 0 && d.env.here >= 0 && same(kid(todo->action, 1), kid(todo->action, 2))) {
    const auto body = round(kid(todo->action, 0), d.env);
    if (body && body->steps.count() == 1) return follow_counted(todo, std::move(d));
  }
  if (low.op != Op::number || low.a > 1 || (n.a & kUnbounded) == 0 || d.env.here < 0) {
    fail();
    return;
  }
  const auto body = round(kid(todo->action, 0), d.env);
  if (n.a == kUnbounded && body && body->steps.count() == 1) return follow_straight(todo, std::move(d));
  follow_chain(todo, std::move(d));
}

// Are two values written alike?
bool Sprinter::same(NodeId a, NodeId b) const {
  if (a == b) return true;
  const Node &x = node(a), &y = node(b);
  if (x.op != y.op || x.a != y.a || x.b != y.b || x.count != y.count) return false;
  for (std::uint32_t i = 0; i < x.count; ++i)
    if (!same(program_.kid(x, i), program_.kid(y, i))) return false;
  return true;
}

// Straight on, and at each cell what comes after.
void Sprinter::follow_straight(const Todo* todo, Draft d) {
  const Node low = node(kid(todo->action, 1));
  const auto body = round(kid(todo->action, 0), d.env);
  const int step = body->steps.first();
  if (board().steps[at(step)].track >= 0) {
    fail();
    return;
  }
  for (Chain* chain : chains_) chain->note(board().steps[at(step)]);
  if (reads_walker(body->through)) fail();
  const Reg in = body->through == kNoNode ? board_ : set(body->through, d.env);
  const int cell = new_cell();
  const Label loop = label(), past = label();
  const Reg kept = room_for_draft();
  const std::size_t saved = emit(What::save, kept);
  if (low.a <= 0)
    emit(What::copy_cell, cell, d.env.here);
  else
    emit(What::hop, cell, d.env.here, in, step, past);
  place_label(loop);
  memo_.clear();
  const std::size_t begin = code_.ops.size();
  d.env.here = cell;
  d.shown = false;
  d.env.heading = low.a <= 0 ? -1 : step;
  d.clean.reset(); // what fails goes on with the next cell
  d.there.erase(cell);
  d.gone = d.gone || low.a > 0;
  if (low.a > 0) d.there[cell] = contents_of(in);
  d.not_in.reset();
  follow(todo->next, std::move(d));
  restore(kept, saved, begin);
  emit(What::hop, cell, cell, in, step, past);
  emit(What::go, 0, 0, 0, 0, loop);
  place_label(past);
  memo_.clear();
}

void Sprinter::follow_chain(const Todo* todo, Draft d) {
  const Node n = node(todo->action);
  const Node low = node(kid(todo->action, 1));
  const bool maximal = (n.a & kMaximal) != 0;
  if (low.a <= 0) {
    fail(); // no round at all is a further outcome
    return;
  }
  Chain chain;
  chain.body = kid(todo->action, 0);
  chain.until = (n.a & kUntil) != 0 ? kid(todo->action, n.count - 1) : kNoNode;
  chain.maximal = maximal;
  chain.after = todo->next;
  chain.entry = label();
  chain.loop = code_.loops.size();
  code_.loops.emplace_back();
  const Label past = label();
  emit(What::call, static_cast<int>(chain.loop), d.env.here, 0, 0, chain.entry);
  emit(What::go, 0, 0, 0, 0, past);
  SprintLoop loop;
  loop.cell = static_cast<Reg>(new_cell());
  loop.any = new_number();
  loop.deep = new_number();
  code_.loops[chain.loop] = loop;
  place_label(chain.entry);
  memo_.clear();
  chain.begin = d;
  chain.begin.env.here = loop.cell;
  chain.begin.env.heading = -1;
  chain.begin.shown = false; // perhaps
  chain.begin.clean.reset();
  chain.begin.not_in.reset();
  const auto there = d.there.find(d.env.here);
  chain.piece = there == d.there.end() ? codes(-2, -2) | kNothing : there->second;
  chain.begin.there = {{loop.cell, chain.piece}};
  chain.outer_fewer = std::exchange(chain.begin.fewer, false);
  chain.outer_gone = std::exchange(chain.begin.gone, false);
  board_changes(chain.begin); // by earlier rounds
  chains_.push_back(&chain);
  Todo end;
  end.kind = Todo::Kind::round_end;
  end.chain = &chain;
  const Todo round{Todo::Kind::act, chain.body, &end, nullptr};
  const std::size_t begin = code_.ops.size();
  const Reg kept = room_for_draft();
  const std::size_t saved = emit(What::save, kept);
  follow(&round, chain.begin);
  chains_.pop_back(); // what comes after stands outside
  if (maximal) {      // where no round follows, the chain is at its end
    const Label back = label();
    emit(What::if_not_equal, 0, loop.any, number_constant(0), 0, back);
    emit(What::if_equal, 0, loop.deep, number_constant(0), 0, back);
    if (changes_since(begin)) emit(What::restore, 0, kept);
    memo_.clear();
    Draft last = chain.begin;
    last.shown = chain.shown;
    last.fewer = chain.outer_fewer;
    last.gone = chain.outer_gone;
    follow(chain.after, last);
    place_label(back);
  } else {
    forget(saved);
  }
  emit(What::ret);
  if (!chain.ends() && (once_ || apart_)) fail(); // otherwise this is only a try
  place_label(past);
  memo_.clear();
}

// After a round: perhaps the end, perhaps more rounds.
void Sprinter::follow_round_end(const Todo* todo, const Draft& d) {
  Chain& chain = *todo->chain;
  const SprintLoop loop = code_.loops[chain.loop];
  const auto there = d.there.find(d.env.here);
  const Contents piece = there == d.there.end() ? codes(-2, -2) | kNothing : there->second;
  const auto alike = [](const Carried& a, const Carried& b) {
    return a.share == b.share && (a.share != Share::some || a.flag == b.flag);
  };
  const bool same_air =
      d.lifted == chain.begin.lifted &&
      (!d.lifted || (d.carried_codes == chain.begin.carried_codes &&
                     std::equal(d.carried.begin(), d.carried.end(), chain.begin.carried.begin(),
                                chain.begin.carried.end(), alike)));
  if ((piece & ~chain.piece).any() || !same_air || d.env.start != chain.begin.env.start) {
    fail(); // the rounds were compiled for other pieces
    return;
  }
  chain.shown = chain.shown && d.shown;
  chain.fewer = chain.fewer && d.fewer;
  chain.stepped = chain.stepped && d.gone;
  Draft next = d;
  next.clean.reset();
  next.fewer = next.fewer || chain.outer_fewer;
  next.gone = next.gone || chain.outer_gone;
  emit(What::set_truth, loop.any, 0, 0, 0, 1);
  const Label more = label(), past = label();
  const auto leave = [&](const Draft& from) {
    chains_.pop_back(); // what comes after stands outside
    follow(chain.after, from);
    chains_.push_back(&chain);
  };
  if (chain.until != kNoNode) {
    jump(chain.until, false, more, next.env);
    memo_.clear();
    leave(next);
    emit(What::go, 0, 0, 0, 0, past);
    place_label(more);
    memo_.clear();
  }
  const auto go_on = [&] { emit(What::call, static_cast<int>(chain.loop), d.env.here, 0, 1, chain.entry); };
  if (chain.maximal) {
    go_on();
  } else {
    branches(2, [&](int i, Label) { i == 0 ? leave(next) : go_on(); });
  }
  place_label(past);
  memo_.clear();
}

void Sprinter::follow_score(const Todo* todo, const Draft& d) {
  Draft next = d;
  if (!tail_only(todo->next) || d.lifted) {
    fail();
    return;
  }
  const Label worse = label();
  const Reg score = number(todo->action, next.env);
  emit(What::best, 0, score, 0, 0, worse);
  finish(todo->next, next);
  place_label(worse);
}

// ---------------------------------------------------------------------------------------------------- groups

// Code that counts the moves of some actions from nothing on. False, and nothing has happened, if they can't
// be.
bool Sprinter::draft_group(const std::vector<NodeId>& actions, std::optional<Reg> origins, Label done) {
  const std::size_t ops = code_.ops.size(), leaves = draft_leaves_.size(), loops = code_.loops.size();
  const int sets = next_set_, numbers = next_number_, cells = next_cell_;
  for (const bool once : {false, true}) {
    once_ = once;
    must_land_ = origins.has_value(); // other groups come after it
    apart_ = !once && told_apart(actions);
    needs_once_ = scored_ = split_ = false;
    first_ = true;
    origins_ = origins;
    group_done_ = done;
    memo_.clear();
    if (once_) {
      emit(What::copy, written_, none_);
      emit(What::copy, gone_, none_);
    }
    std::vector<Todo> chain(actions.size());
    for (std::size_t k = 0; k < chain.size(); ++k) {
      chain[k].action = actions[k];
      chain[k].next = k + 1 < chain.size() ? &chain[k + 1] : nullptr;
    }
    const Reg kept = room_for_draft();
    emit(What::save, kept);
    const std::size_t begin = code_.ops.size();
    follow(chain.data(), Draft());
    if (changes_since(begin)) emit(What::restore, 0, kept);
    origins_.reset();
    if (failed_) return false;
    if (once || !needs_once_) return true;
    code_.ops.resize(ops);
    draft_leaves_.resize(leaves);
    next_set_ = sets;
    next_number_ = numbers;
    next_cell_ = cells;
    code_.loops.resize(loops);
  }
  return true;
}

} // namespace boardwright::runtime::sprint
