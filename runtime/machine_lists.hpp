// Lists. Members stand in a row in an arena: numbers, kinds and players in numbers_, sets in sets_. Whoever
// asks for a list and doesn't keep it cuts the arena back afterwards.
#pragma once

#include "runtime/machine_values.hpp"

namespace boardwright::runtime::machine {

// A list on its way to the arena: other lists may come and go there meanwhile.
template <int W>
struct Machine<W>::Builder {
  Builder(Machine& machine, bool sets) : m(machine), of_sets(sets) {
    if (m.drawers_used_ == m.drawers_.size()) m.drawers_.emplace_back();
    drawer = &m.drawers_[m.drawers_used_++];
    drawer->numbers.clear();
    drawer->sets.clear();
  }
  ~Builder() { --m.drawers_used_; }
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  Machine& m;
  bool of_sets;
  Drawer* drawer;

  static constexpr std::size_t kShort = 8; // up to here a look at every member is quicker

  [[nodiscard]] std::size_t size() const { return of_sets ? drawer->sets.size() : drawer->numbers.size(); }
  [[nodiscard]] static std::uint64_t key(std::int32_t number) {
    return mix(static_cast<std::uint32_t>(number));
  }
  [[nodiscard]] static std::uint64_t key(const Set& set) {
    std::uint64_t key = 0;
    for (const std::uint64_t word : set.word) key = (key ^ word ^ (key >> 29)) * 0x9e3779b97f4a7c15U;
    return key ^ key >> 32;
  }
  template <class T>
  bool is_fresh(const std::vector<T>& members, std::size_t place) {
    return drawer->seen.find_or_add(key(members[place]), static_cast<std::uint32_t>(place),
                                    [&](std::uint32_t k) { return members[k] == members[place]; }) == place;
  }
  template <class T>
  void add(std::vector<T>& members, const T& value) {
    if (members.size() < kShort) {
      if (std::find(members.begin(), members.end(), value) == members.end()) members.push_back(value);
      return;
    }
    if (members.size() == kShort) {
      drawer->seen.clear();
      for (std::size_t k = 0; k < kShort; ++k) (void)is_fresh(members, k);
    }
    members.push_back(value);
    if (!is_fresh(members, members.size() - 1)) members.pop_back();
  }
  void add_number(std::int32_t n) { add(drawer->numbers, n); }
  void add_set(const Set& s) { add(drawer->sets, s); }
  Slice finish(std::uint32_t origin) {
    const auto& [numbers, sets, seen] = *drawer;
    if (size() > kMaxList) m.fault(origin, "a list has more than 65536 members");
    if (m.numbers_.size() + numbers.size() > kMaxArena || m.sets_.size() + sets.size() > kMaxArena)
      m.fault(origin, "lists with too many members");
    if (m.stop_) return {};
    const Slice slice{static_cast<std::uint32_t>(of_sets ? m.sets_.size() : m.numbers_.size()),
                      static_cast<std::uint32_t>(size())};
    m.numbers_.insert(m.numbers_.end(), numbers.begin(), numbers.end());
    m.sets_.insert(m.sets_.end(), sets.begin(), sets.end());
    return slice;
  }
};

template <int W>
Slice Machine<W>::list_anew(const Expr& e, const Regs& r) {
  switch (e.op) {
  case Op::local: return slots_[at(e.a)].list;
  case Op::let_value: return list(bound(e, r), r);
  case Op::if_value: return list(truth(*e.c0, r) ? *e.c1 : *e.c2, r);
  case Op::before: return in_beginning([&] { return list(*e.c0, r); });
  case Op::by_kind: return list(by_kind(e, r), r);
  case Op::by_player: return list(by_player(e, r), r);
  case Op::unite:
  case Op::meet:
  case Op::minus: return combined(e, r);
  case Op::select: return selected(e, r);
  case Op::range: return range(e, r);
  case Op::list: return list_of(e, r);
  case Op::list_for: return list_for(e, r);
  case Op::still_in: return still_in(e, r);
  default: fault(e.origin, "the rules are nested too deeply"); return {};
  }
}

template <int W>
Slice Machine<W>::range(const Expr& e, const Regs& r) {
  const std::int64_t low = number(*e.c0, r), high = number(*e.c1, r);
  if (high < low) return {};
  const auto size = static_cast<std::size_t>(high - low + 1);
  if (size > kMaxList || numbers_.size() + size > kMaxArena)
    fault(e.origin, "a list has more than 65536 members");
  if (!spend(e.origin, size)) return {};
  const Slice slice{static_cast<std::uint32_t>(numbers_.size()), static_cast<std::uint32_t>(size)};
  for (std::int64_t n = low; n <= high; ++n) numbers_.push_back(static_cast<std::int32_t>(n));
  return slice;
}

template <int W>
void Machine<W>::add_member(const Expr& e, const Regs& r, Builder& into) {
  if (!spend(e.origin)) return;
  into.of_sets ? into.add_set(set(e, r)) : into.add_number(number(e, r));
  if (into.size() > kMaxList) fault(e.origin, "a list has more than 65536 members");
}

template <int W>
Slice Machine<W>::list_of(const Expr& e, const Regs& r) {
  Builder members(*this, e.type == Type::sets);
  for (const Expr* kid : *e.kids) add_member(*kid, r, members);
  return members.finish(e.origin);
}

template <int W>
Slice Machine<W>::list_for(const Expr& e, const Regs& r) {
  Builder members(*this, e.type == Type::sets);
  const Mark m = mark();
  // Of a decided draft `reach` is something else.
  if (e.part_of != nullptr && !r.decided)
    gather_parts(e, r, members);
  else if (e.pairs != nullptr && !r.decided)
    gather_pairs(e, r, members);
  else
    gather(e, r, 0, members);
  unwind(m);
  return members.finish(e.origin);
}

template <int W>
void Machine<W>::gather(const Expr& e, const Regs& r, std::int32_t generator, Builder& into) {
  if (generator == e.b && e.within != nullptr) {
    const Set member = set(*e.c0, r);
    if (!spend(e.origin) || !member.within(view(*e.within, r))) return;
    into.add_set(member);
    if (into.size() > kMaxList) fault(e.origin, "a list has more than 65536 members");
    return;
  }
  if (generator == e.b) {
    if (e.c1 == nullptr || truth(*e.c1, r)) add_member(*e.c0, r, into);
    return;
  }
  const bool last = generator + 1 == e.b;
  for_members(
      *(*e.kids)[at(2 + generator)], e.a + generator, r,
      [&] {
        gather(e, r, generator + 1, into);
        return !stop_;
      },
      last ? e.prune : nullptr);
}

// The cells that may come second, but for what depends on neither.
template <int W>
typename Machine<W>::Set Machine<W>::seconds(const Expr& e, int first, const Regs& r) {
  const Expr& source = *e.pairs->by_first;
  const std::vector<KeptSet>& table = kept_sets_[source.memo->index];
  if (!table.empty() && table[at(first + 1)].key != 0) return table[at(first + 1)].set;
  bind_member(e.a, first);
  return set(source, r);
}

// Most first cells have no second one, which is seen before either is bound.
template <int W>
void Machine<W>::gather_pairs(const Expr& e, const Regs& r, Builder& into) {
  const Set also = e.pairs->also != nullptr ? set(*e.pairs->also, r) : tables_.board;
  const Set whole = e.prune != nullptr ? set(*e.prune->whole, r) : Set();
  const Set from = set(*(*e.kids)[2], r);
  from.each([&](int first) {
    if (!spend(e.origin)) return;
    Set second = seconds(e, first, r) & also;
    if (e.prune != nullptr) second -= bound_seconds(e, first, second, r) - whole;
    if (second.none() || stop_) return;
    bind_member(e.a, first);
    second.each([&](int member) {
      if (!spend(e.origin)) return;
      bind_member(e.a + 1, member);
      gather(e, r, 2, into);
    });
  });
}

// Those of them that must be in the set that the condition speaks of.
template <int W>
typename Machine<W>::Set Machine<W>::bound_seconds(const Expr& e, int first, const Set& second,
                                                   const Regs& r) {
  const std::vector<KeptSet>& bounds = bound_to_[e.prune->index];
  const std::size_t place = e.prune->other ? at(first + 1) : 0;
  if (bounds.empty() || bounds[place].key == 0) {
    bind_member(e.a, first);
    (void)pruned(*e.prune, second, r);
  }
  return stop_ ? Set() : bounds[place].set;
}

// The part of one of its cells is that of all of them.
template <int W>
void Machine<W>::gather_parts(const Expr& e, const Regs& r, Builder& into) {
  const Expr& source = *(*e.kids)[2];
  if (is_list(source.type)) return gather(e, r, 0, into);
  Set left = set(source, r);
  for (int cell = left.first(); cell >= 0 && spend(e.origin); cell = left.first()) {
    left.clear(cell);
    bind_member(e.a, cell);
    const Set part = set(*e.c0, r);
    left -= part;
    into.add_set(part);
    if (into.size() > kMaxList) fault(e.origin, "a list has more than 65536 members");
  }
}

// Binds the slot to every member in turn while `f` answers true; was that always so?
template <int W>
template <class F>
bool Machine<W>::for_members(const Expr& source, std::int32_t slot, const Regs& r, F&& f,
                             const Prune* prune) {
  if (!is_list(source.type)) {
    Set members = set(source, r);
    if (prune != nullptr && members.any()) members = pruned(*prune, members, r);
    for (int member = members.first(); member >= 0; member = members.first()) {
      members.clear(member);
      if (!spend(source.origin)) return false;
      bind_member(slot, member);
      if (!f()) return false;
    }
    return true;
  }
  const Slice members = list(source, r);
  for (std::uint32_t i = members.begin; i < members.begin + members.size; ++i) {
    if (!spend(source.origin)) return false;
    if (source.type == Type::sets)
      bind_set(slot, sets_[i]);
    else
      bind_number(slot, numbers_[i]);
    if (!f()) return false;
  }
  return true;
}

template <int W>
Slice Machine<W>::combined(const Expr& e, const Regs& r) {
  Builder members(*this, e.type == Type::sets);
  const Slice a = list(*e.c0, r), b = list(*e.c1, r);
  const auto take = [&](Slice from, auto&& wanted) {
    for (std::uint32_t i = from.begin; i < from.begin + from.size; ++i) {
      if (!spend(e.origin, 1 + b.size / 8)) return;
      const Set set = members.of_sets ? sets_[i] : Set();
      const std::int32_t number = members.of_sets ? 0 : numbers_[i];
      if (!wanted(number, set)) continue;
      members.of_sets ? members.add_set(set) : members.add_number(number);
    }
  };
  const auto in_b = [&](std::int32_t n, const Set& s) { return has(b, members.of_sets, n, s); };
  const auto any = [](std::int32_t, const Set&) { return true; };
  if (e.op == Op::unite) {
    take(a, any);
    take(b, any);
  } else {
    take(a, [&](std::int32_t n, const Set& s) { return in_b(n, s) == (e.op == Op::meet); });
  }
  return members.finish(e.origin);
}

template <int W>
Slice Machine<W>::selected(const Expr& e, const Regs& r) {
  Builder members(*this, e.type == Type::sets);
  for_members(*e.c0, e.a, r, [&] {
    if (!truth(*e.c1, r)) return !stop_;
    members.of_sets ? members.add_set(slot_sets_[at(e.a)]) : members.add_number(slots_[at(e.a)].number);
    return !stop_;
  });
  return members.finish(e.origin);
}

template <int W>
Slice Machine<W>::still_in(const Expr& e, const Regs& r) {
  const int count = tables_.pieces.players;
  const Slice slice{static_cast<std::uint32_t>(numbers_.size()), 0};
  for (int i = e.b == 1 ? 1 : 0; i < count; ++i) {
    const int player = (e.a + i) % count;
    if ((r.out >> player & 1) == 0) numbers_.push_back(player);
  }
  return {slice.begin, static_cast<std::uint32_t>(numbers_.size()) - slice.begin};
}

} // namespace boardwright::runtime::machine
