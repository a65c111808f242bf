// `reach`: by whole sets where the walk is the same from every cell, else by running it from each.
#pragma once

#include "runtime/machine_sets.hpp"

namespace boardwright::runtime::machine {

template <int W>
typename Machine<W>::Set Machine<W>::reach(const Expr& e, const Regs& r) {
  const Set sources = set(*e.c0, r);
  if (r.decided || stop_) return sources; // a decided draft passes every action unchanged
  if (sources.none()) return sources;
  if (e.walk != nullptr) return walked(*e.walk, sources, r);
  return reach_by_running(e, sources, r);
}

template <int W>
typename Machine<W>::Set Machine<W>::reach_by_running(const Expr& e, const Set& sources, const Regs& r) {
  Set reached;
  Frame f;
  f.reached = &reached;
  Visited* const outer = std::exchange(shared_visited_, nullptr);
  const std::size_t used = visited_used_;
  const bool was_found = std::exchange(found_, false);
  const Mark m = mark();
  sources.each([&](int cell) {
    if (!spend(e.origin)) return;
    Regs inner = r;
    inner.here = static_cast<std::int16_t>(cell);
    inner.heading = -1;
    ++inner.quiet;
    inner.frame = &f;
    run(e.entry, inner);
    unwind(m);
  });
  found_ = was_found;
  visited_used_ = used;
  shared_visited_ = outer;
  return reached;
}

// ---------------------------------------------------------------------------------------------------- by
// sets

template <int W>
typename Machine<W>::Set Machine<W>::walked(const Walk& w, const Set& from, const Regs& r) {
  using enum Walk::Kind;
  if (from.none() || !spend(w.origin)) return {};
  Set result;
  switch (w.kind) {
  case go: return stepped(*w.c0, from, r);
  case Walk::Kind::at: return from & set(*w.c0, r);
  case to: return set(*w.c0, r);
  case both: return stepped(*w.c0, from, r) & set(*w.c1, r);
  case require: return truth(*w.c0, r) ? from : Set();
  case never: return {};
  case sequence:
    result = from;
    for (const Walk* part : w.kids) result = walked(*part, result, r);
    return result;
  case alternatives:
    for (const Walk* part : w.kids) result |= walked(*part, from, r);
    return result;
  case Walk::Kind::let: bind(w.slot, *w.c0, r); return walked(*w.kids[0], from, r);
  case Walk::Kind::choose: {
    if (w.first != nullptr && from.last() == from.first()) return walked_from(w, from, r);
    const Mark m = mark();
    for_members(*w.c0, w.slot, r, [&] {
      result |= walked(*w.kids[0], from, r);
      return !stop_;
    });
    unwind(m);
    return result;
  }
  case branch:
    if (truth(*w.c0, r)) return walked(*w.kids[0], from, r);
    return w.kids.size() > 1 ? walked(*w.kids[1], from, r) : from;
  case loop: return walked_loop(w, from, r);
  case by_kind:
    for (std::size_t kind = 0; kind + 1 < w.kids.size(); ++kind)
      result |= walked(*w.kids[kind], from & kind_cells(static_cast<int>(kind)), r);
    return result | walked(*w.kids.back(), from - pos_->occupied, r);
  }
  return {};
}

// From a single cell: only in directions whose first step leads where it must.
template <int W>
typename Machine<W>::Set Machine<W>::walked_from(const Walk& w, const Set& from, const Regs& r) {
  Set result;
  const int cell = from.first();
  const Set to = view(*w.first, r);
  if ((tables_.around[w.c0->fan][at(cell)] & to).none()) return result;
  const Fan& fan = code_.fans[w.c0->fan];
  for (std::uint32_t k = fan.begin[at(cell)]; k < fan.begin[at(cell) + 1] && !stop_; ++k) {
    if (!to.test(fan.hops[k].to)) continue;
    bind_member(w.slot, fan.hops[k].step);
    result |= walked(*w.kids[0], from, r);
  }
  return result;
}

// Every number of rounds from the least to the greatest; without a greatest, until nothing new turns up.
template <int W>
typename Machine<W>::Set Machine<W>::walked_loop(const Walk& w, const Set& from, const Regs& r) {
  const std::int64_t low = std::max(0, number(*w.c0, r));
  const std::int64_t high = w.c1 == nullptr ? std::numeric_limits<std::int64_t>::max() : number(*w.c1, r);
  if (high < low) return {};
  const Walk& body = *w.kids[0];
  if (w.c1 == nullptr && body.kind == Walk::Kind::both && low <= 1)
    return flooded(body, from, low == 0 ? from : Set(), r);
  Set now = from;
  for (std::int64_t i = 0; i < low && now.any() && spend(w.origin); ++i) now = walked(body, now, r);
  Set all = now;
  for (std::int64_t i = low; i < high && now.any() && spend(w.origin); ++i) {
    now = walked(body, now, r);
    if (w.c1 == nullptr) now -= all; // with an upper bound a cell may be reached by other numbers of rounds
    all |= now;
  }
  return all;
}

// (go D, at S)* or +: both are the same everywhere, so they are worked out once.
template <int W>
typename Machine<W>::Set Machine<W>::flooded(const Walk& w, const Set& from, Set all, const Regs& r) {
  if (w.c0->single) {
    const int step = first_of(*w.c0, r);
    if (step < 0) return all;
    // Most walks end at their first cell, which needs less than the whole set.
    const int cell = from.first();
    const int next = to_[step * cells_ + cell];
    if ((next < 0 || !contains(*w.c1, next, r)) && (from - Set::of(cell)).none()) return all;
    return all | ran(step, from, set(*w.c1, r), w.origin);
  }
  const Set within = set(*w.c1, r);
  Set now = from;
  while (now.any() && spend(w.origin)) {
    now = (stepped(*w.c0, now, r) & within) - all;
    all |= now;
  }
  return all;
}

// Straight on from every cell, as long as the cells are in the set.
template <int W>
typename Machine<W>::Set Machine<W>::ran(int step, const Set& from, const Set& through,
                                         std::uint32_t origin) {
  if (const auto& shifts = tables_.shifts[at(step)]; !shifts.empty() && from.last() != from.first()) {
    Set flooded_by_shifts;
    for (Set now = from; now.any() && spend(origin);) {
      now = (stepped_by(step, now) & through) - flooded_by_shifts;
      flooded_by_shifts |= now;
    }
    return flooded_by_shifts;
  }
  const std::int16_t* to = to_ + step * cells_;
  Set all;
  from.each([&](int cell) {
    spend(origin);
    for (int next = to[cell]; next >= 0 && through.test(next) && !all.test(next); next = to[next])
      all.set(next);
  });
  return all;
}

template <int W>
typename Machine<W>::Set Machine<W>::stepped_by(int step, const Set& from) const {
  Set result;
  const auto& shifts = tables_.shifts[at(step)];
  if (!shifts.empty()) {
    for (const auto& shift : shifts) result |= (from & shift.from).moved(shift.by);
    return result;
  }
  const std::int16_t* to = to_ + step * cells_;
  from.each([&](int cell) {
    if (to[cell] >= 0) result.set(to[cell]);
  });
  return result;
}

template <int W>
typename Machine<W>::Set Machine<W>::stepped(const Expr& directions, const Set& from, const Regs& r) {
  Set result;
  if (directions.fan != kNone) {
    const std::vector<Set>& around = tables_.around[directions.fan];
    from.each([&](int cell) { result |= around[at(cell)]; });
    return result;
  }
  if (directions.single) {
    const int step = first_of(directions, r);
    return step < 0 ? result : stepped_by(step, from);
  }
  set(directions, r).each([&](int step) { result |= stepped_by(step, from); });
  return result;
}

// ----------------------------------------------------------------------------------------------------
// backwards

template <int W>
typename Machine<W>::Set Machine<W>::stepped_back(const Expr& directions, const Set& ends, const Regs& r) {
  Set result;
  set(directions, r).each([&](int step) {
    const auto& shifts = tables_.shifts[at(step)];
    for (const auto& shift : shifts) result |= ends.moved(-shift.by) & shift.from;
    if (!shifts.empty()) return;
    const std::int16_t* to = to_ + step * cells_;
    for (int cell = 0; cell < cells_; ++cell)
      if (to[cell] >= 0 && ends.test(to[cell])) result.set(cell);
  });
  return result;
}

template <int W>
typename Machine<W>::Set Machine<W>::origins(const Walk& w, const Set& ends, const Regs& r) {
  Set result;
  if (ends.none() || !spend(w.origin)) return result;
  using enum Walk::Kind;
  switch (w.kind) {
  case go: return stepped_back(*w.c0, ends, r);
  case at: return ends & set(*w.c0, r);
  case to: return (ends & set(*w.c0, r)).any() ? tables_.board : result;
  case both: return stepped_back(*w.c0, ends & set(*w.c1, r), r);
  case require: return truth(*w.c0, r) ? ends : result;
  case never: return result;
  case sequence:
    result = ends;
    for (auto kid = w.kids.rbegin(); kid != w.kids.rend(); ++kid) result = origins(**kid, result, r);
    return result;
  case alternatives:
    for (const Walk* kid : w.kids) result |= origins(*kid, ends, r);
    return result;
  case Walk::Kind::let: bind(w.slot, *w.c0, r); return origins(*w.kids[0], ends, r);
  case Walk::Kind::choose: {
    const Mark m = mark();
    for_members(*w.c0, w.slot, r, [&] {
      result |= origins(*w.kids[0], ends, r);
      return !stop_;
    });
    unwind(m);
    return result;
  }
  case branch:
    if (truth(*w.c0, r)) return origins(*w.kids[0], ends, r);
    return w.kids.size() > 1 ? origins(*w.kids[1], ends, r) : ends;
  case loop: return origins_of_loop(w, ends, r);
  case by_kind:
    for (std::size_t kind = 0; kind + 1 < w.kids.size(); ++kind)
      result |= origins(*w.kids[kind], ends, r) & kind_cells(static_cast<int>(kind));
    return result | (origins(*w.kids.back(), ends, r) - pos_->occupied);
  }
  return result;
}

template <int W>
typename Machine<W>::Set Machine<W>::origins_of_loop(const Walk& w, const Set& ends, const Regs& r) {
  const std::int64_t low = std::max(0, number(*w.c0, r));
  const std::int64_t high = w.c1 == nullptr ? std::numeric_limits<std::int64_t>::max() : number(*w.c1, r);
  if (high < low) return {};
  Set now = ends;
  for (std::int64_t i = 0; i < low && now.any() && spend(w.origin); ++i) now = origins(*w.kids[0], now, r);
  Set all = now;
  for (std::int64_t i = low; i < high && now.any() && spend(w.origin); ++i) {
    now = origins(*w.kids[0], now, r);
    if (w.c1 == nullptr) now -= all;
    all |= now;
  }
  return all;
}

} // namespace boardwright::runtime::machine
