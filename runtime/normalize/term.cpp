#include "runtime/normalize/term.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace boardwright::runtime::normal {

bool contains(const Slots& slots, std::uint32_t slot) {
  return std::binary_search(slots.begin(), slots.end(), slot);
}

bool overlap(const Slots& a, const Slots& b) {
  const Slots& few = a.size() < b.size() ? a : b;
  const Slots& others = a.size() < b.size() ? b : a;
  return std::any_of(few.begin(), few.end(), [&](std::uint32_t s) { return contains(others, s); });
}

void add_slots(Slots& into, const Slots& more) {
  if (more.empty()) return;
  Slots both;
  both.reserve(into.size() + more.size());
  std::set_union(into.begin(), into.end(), more.begin(), more.end(), std::back_inserter(both));
  into = std::move(both);
}

TermStore::TermStore(const Program& program, Origins origins)
    : program_(program), origins_(origins), next_slot_(program.slots) {
  for (std::size_t i = 0; i < program.texts.size(); ++i)
    text_index_.try_emplace(program.texts[i], static_cast<std::int32_t>(i));
}

// ---------------------------------------------------------------- making

std::uint64_t TermStore::hash(const Term& t) const {
  std::uint64_t h = static_cast<std::uint64_t>(t.op) << 8 | static_cast<std::uint64_t>(t.type);
  const auto mix = [&h](std::uint64_t v) {
    h ^= v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    h *= 0xff51afd7ed558ccdu;
  };
  mix(static_cast<std::uint32_t>(t.a));
  mix(static_cast<std::uint32_t>(t.b));
  mix(t.origin);
  for (const TermId k : t.kids) mix(k);
  return h;
}

TermId TermStore::make(Op op, Type type, Terms kids, std::int32_t a, std::int32_t b, std::uint32_t origin) {
  if (origins_ == Origins::left_out) origin = 0;
  Term t;
  t.op = op, t.type = type, t.a = a, t.b = b, t.origin = origin;
  t.kids = std::move(kids);
  const std::uint64_t h = hash(t);
  const auto [from, to] = known_.equal_range(h);
  for (auto i = from; i != to; ++i) {
    const Term& o = terms_[i->second];
    if (o.op == op && o.type == type && o.a == a && o.b == b && o.origin == origin && o.kids == t.kids)
      return i->second;
  }
  work_out(t);
  terms_.push_back(std::move(t));
  const auto id = static_cast<TermId>(terms_.size() - 1);
  known_.emplace(h, id);
  return id;
}

TermId TermStore::with_kids(TermId like, Terms kids) {
  const Term& t = terms_[like];
  if (t.kids == kids) return like;
  return make(t.op, t.type, std::move(kids), t.a, t.b, t.origin);
}

TermId TermStore::number(std::int64_t n, std::uint32_t origin) {
  return make(Op::number, Type::number, {}, static_cast<std::int32_t>(n), 0, origin);
}

TermId TermStore::truth(bool t, std::uint32_t origin) {
  return make(Op::truth, Type::truth, {}, t ? 1 : 0, 0, origin);
}

namespace {

template <class Pool, class Index, class Content>
std::int32_t pooled(Pool& pool, Index& index, const Content& content) {
  const auto [entry, fresh] = index.try_emplace(content, static_cast<std::int32_t>(pool.size()));
  if (fresh) pool.push_back(content);
  return entry->second;
}

} // namespace

TermId TermStore::cells(const CellSet& cells, std::uint32_t origin) {
  return make(Op::cells, Type::cells, {}, pooled(cell_sets_, cell_index_, cells), 0, origin);
}

TermId TermStore::steps(const StepSet& steps, std::uint32_t origin) {
  return make(Op::directions, Type::directions, {}, pooled(step_sets_, step_index_, steps), 0, origin);
}

std::int32_t TermStore::frame(const Slots& slots) { return pooled(frames_, frame_index_, slots); }

// An operand of a node: sets, texts and frames are in this store's pools.
std::int32_t TermStore::taken_operand(Operand operand, std::int32_t value) {
  if (operand == Operand::cell_set) return pooled(cell_sets_, cell_index_, program_.cell_sets[at(value)]);
  if (operand == Operand::step_set) return pooled(step_sets_, step_index_, program_.step_sets[at(value)]);
  if (operand == Operand::text) return text_index_.at(program_.texts[at(value)]);
  if (operand != Operand::frame) return value;
  Slots slots = program_.frames[at(value)];
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  return frame(slots);
}

TermId TermStore::take(NodeId id) {
  if (taken_.size() < program_.nodes.size()) taken_.resize(program_.nodes.size(), kNotTaken);
  if (taken_[id] != kNotTaken) return taken_[id];
  const Node n = program_.nodes[id];
  Terms kids;
  for (const NodeId kid : program_.kids_of(n)) kids.push_back(take(kid));
  const std::int32_t a = taken_operand(about(n.op).a, n.a), b = taken_operand(about(n.op).b, n.b);
  return taken_[id] = make(n.op, n.type, std::move(kids), a, b, n.origin);
}

// ---------------------------------------------------------------- giving back

std::uint32_t TermStore::given_slot(std::int32_t slot) {
  return given_slots_.try_emplace(slot, static_cast<std::uint32_t>(given_slots_.size())).first->second;
}

NodeId TermStore::give(TermId id, Program& to) {
  const Term& t = terms_[id];
  Node n;
  n.op = t.op, n.type = t.type, n.a = t.a, n.b = t.b, n.origin = t.origin;
  if (goes_through_bindings(t.op)) {
    // The slots that such a term binds stand in a row.
    if (given_slots_.find(t.a) == given_slots_.end())
      for (std::int32_t i = 0; i < t.b; ++i) given_slot(t.a + i);
  }
  if (names_slot(t.op)) n.a = static_cast<std::int32_t>(given_slot(t.a));
  std::vector<NodeId> kids;
  for (const TermId kid : t.kids) kids.push_back(give(kid, to));
  n.kids = static_cast<std::uint32_t>(to.kids.size());
  n.count = static_cast<std::uint32_t>(kids.size());
  to.kids.insert(to.kids.end(), kids.begin(), kids.end());
  to.nodes.push_back(n);
  return static_cast<NodeId>(to.nodes.size() - 1);
}

// Names that nothing binds any more are left out of the frames.
void TermStore::give_pools(Program& to) const {
  to.cell_sets = cell_sets_;
  to.step_sets = step_sets_;
  to.slots = static_cast<std::uint32_t>(given_slots_.size());
  to.frames.clear();
  for (const Slots& slots : frames_) {
    Slots named;
    for (const std::uint32_t s : slots)
      if (const auto known = given_slots_.find(static_cast<std::int32_t>(s)); known != given_slots_.end())
        named.push_back(known->second);
    std::sort(named.begin(), named.end());
    to.frames.push_back(std::move(named));
  }
}

// ---------------------------------------------------------------- comparing

// Bound slots by the place of their binding in the term; a binding comes before what reads it.
struct TermStore::Renaming {
  std::vector<std::int32_t> x, y;
  [[nodiscard]] static std::int64_t name(const std::vector<std::int32_t>& bound, std::int32_t slot) {
    const auto place = std::find(bound.begin(), bound.end(), slot);
    // Free slots after the bound ones.
    return place != bound.end() ? place - bound.begin() : (std::int64_t{1} << 32) + slot;
  }
  static void bind(std::vector<std::int32_t>& bound, std::int32_t slot) {
    if (std::find(bound.begin(), bound.end(), slot) == bound.end()) bound.push_back(slot);
  }
};

std::strong_ordering TermStore::compare(TermId x, TermId y) const {
  Renaming names;
  return compare(x, y, names);
}

namespace {

// The cheapest first, whatever the numbers of their operations: planners and readers expect `hit | here`,
// `here | reach(…)`, `own & {a1 …}`.
int rank(Op op) {
  switch (op) {
  case Op::local: return 0;
  case Op::here: return 1;
  case Op::start: return 2;
  case Op::owned: return 3;
  case Op::empty: return 4;
  default: return 16 + static_cast<int>(op);
  }
}

} // namespace

// By what the steps are, since their numbers go by the order in which the rules mention them.
std::strong_ordering TermStore::compare_steps(const StepSet& x, const StepSet& y) const {
  if (x == y) return std::strong_ordering::equal;
  const auto contents = [&](const StepSet& steps) {
    std::vector<std::array<int, 4>> result;
    steps.each([&](int i) {
      const Step& s = program_.board.steps[at(i)];
      result.push_back({s.track, s.reversed ? 1 : 0, s.dx, s.dy});
    });
    std::sort(result.begin(), result.end());
    return result;
  };
  return contents(x) <=> contents(y);
}

// But for frames, which come last, when all slots have their names.
std::strong_ordering TermStore::compare_operands(const Term& s, const Term& t, const Renaming& names) const {
  const Operand a = about(s.op).a;
  std::strong_ordering first = s.a <=> t.a;
  if (a == Operand::cell_set) first = cell_sets_[at(s.a)] <=> cell_sets_[at(t.a)];
  if (a == Operand::text) first = program_.texts[at(s.a)] <=> program_.texts[at(t.a)];
  if (a == Operand::step_set) first = compare_steps(step_sets_[at(s.a)], step_sets_[at(t.a)]);
  if (a == Operand::slot) first = Renaming::name(names.x, s.a) <=> Renaming::name(names.y, t.a);
  if (first != 0 || has_frame(s.op)) return first;
  return s.b <=> t.b;
}

std::strong_ordering TermStore::compare(TermId x, TermId y, Renaming& names) const {
  if (x == y && names.x.empty()) return std::strong_ordering::equal;
  const Term &s = terms_[x], &t = terms_[y];
  if (const auto o = s.size <=> t.size; o != 0) return o;
  if (const auto o = rank(s.op) <=> rank(t.op); o != 0) return o;
  if (const auto o = s.type <=> t.type; o != 0) return o;
  if (const auto o = s.kids.size() <=> t.kids.size(); o != 0) return o;
  const std::int32_t bound = slots_bound_by(s.op, s.b);
  if (bound > 0) {
    if (const auto o = bound <=> slots_bound_by(t.op, t.b); o != 0) return o;
    for (std::int32_t i = 0; i < bound; ++i) {
      Renaming::bind(names.x, s.a + i);
      Renaming::bind(names.y, t.a + i);
    }
  }
  if (const auto o = compare_operands(s, t, names); o != 0) return o;
  for (std::size_t i = 0; i < s.kids.size(); ++i)
    if (const auto o = compare(s.kids[i], t.kids[i], names); o != 0) return o;
  if (!has_frame(s.op)) return std::strong_ordering::equal;
  const auto named = [&](const Slots& slots, const std::vector<std::int32_t>& in) {
    std::vector<std::int64_t> result;
    for (const std::uint32_t slot : slots)
      result.push_back(Renaming::name(in, static_cast<std::int32_t>(slot)));
    std::sort(result.begin(), result.end());
    return result;
  };
  return named(frames_[at(s.b)], names.x) <=> named(frames_[at(t.b)], names.y);
}

// ---------------------------------------------------------------- substituting

TermId TermStore::substituted(TermId in, std::uint32_t slot, TermId by) {
  const Term& t = terms_[in];
  if (!contains(t.slots_read, slot)) return in;
  if (t.op == Op::local) return by;
  Terms kids = t.kids;
  for (TermId& kid : kids) kid = substituted(kid, slot, by);
  return with_kids(in, std::move(kids));
}

TermId TermStore::copied(TermId in, std::map<std::uint32_t, std::uint32_t>& fresh) {
  const Term t = terms_[in];
  for (std::int32_t i = 0; i < slots_bound_by(t.op, t.b); ++i) // the slots of a list stand in a row
    if (fresh.try_emplace(static_cast<std::uint32_t>(t.a + i), next_slot_).second) ++next_slot_;
  Terms kids = t.kids;
  for (TermId& kid : kids) kid = copied(kid, fresh);
  std::int32_t a = t.a, b = t.b;
  if (names_slot(t.op))
    if (const auto known = fresh.find(static_cast<std::uint32_t>(a)); known != fresh.end())
      a = static_cast<std::int32_t>(known->second);
  if (has_frame(t.op)) {
    Slots slots;
    for (const std::uint32_t s : frames_[at(t.b)]) {
      const auto known = fresh.find(s);
      add_slots(slots, {known != fresh.end() ? known->second : s});
    }
    b = frame(slots);
  }
  return make(t.op, t.type, std::move(kids), a, b, t.origin);
}

int TermStore::reads_of_slot(TermId in, std::uint32_t slot) const {
  const Term& t = terms_[in];
  if (!contains(t.slots_read, slot)) return 0;
  if (t.op == Op::local) return 1;
  int sum = 0;
  for (const TermId kid : t.kids) sum += reads_of_slot(kid, slot);
  return sum;
}

} // namespace boardwright::runtime::normal
