// The sprint compiler: operations, registers, and what of them can go.
#include "runtime/sprint/sprint_compiler.hpp"

namespace boardwright::runtime::sprint {

// ---------------------------------------------------------------------------------------------------- code

Reg Sprinter::value(What what, int a, int b, int c, std::int32_t x) {
  const std::array<std::int32_t, 5> key{static_cast<std::int32_t>(what), a, b, c, x};
  if (const auto known = memo_.find(key); known != memo_.end()) return known->second;
  const Reg d = new_set();
  emit(what, d, a, b, c, x);
  memo_[key] = d;
  return d;
}

Reg Sprinter::number_value(What what, int a, int b) {
  const std::array<std::int32_t, 5> key{static_cast<std::int32_t>(what), a, b, 0, 0};
  if (const auto known = memo_.find(key); known != memo_.end()) return known->second;
  const Reg d = new_number();
  emit(what, d, a, b);
  memo_[key] = d;
  return d;
}

Reg Sprinter::constant(const CellSet& set) {
  const auto known = std::find(code_.constants.begin(), code_.constants.end(), set);
  if (known != code_.constants.end())
    return static_cast<Reg>(code_.draft_sets + (known - code_.constants.begin()));
  if (code_.constants.size() >= kMaxConstants) return fail();
  code_.constants.push_back(set);
  return static_cast<Reg>(code_.draft_sets + at(static_cast<std::int64_t>(code_.constants.size())) - 1);
}

Reg Sprinter::number_constant(std::int32_t n) {
  auto& all = code_.number_constants;
  const auto known = std::find(all.begin(), all.end(), n);
  if (known != all.end()) return static_cast<Reg>(code_.state_numbers + (known - all.begin()));
  if (all.size() >= kMaxConstants) return fail();
  all.push_back(n);
  return static_cast<Reg>(code_.state_numbers + all.size() - 1);
}

// An operation that turned out not to be needed: what it writes nobody reads, so it goes with what is dead.
void Sprinter::forget(std::size_t op) {
  if (!failed_) code_.ops[op] = SprintOp{What::copy, 0, unread_, none_, 0, 0, 0};
}

void Sprinter::resolve_labels() {
  for (SprintOp& op : code_.ops) {
    if (jumps(op.what)) op.x = static_cast<std::int32_t>(labels_[at(op.x)]);
  }
}

// A jump over a `go` is the opposite jump to where that goes; a `go` to the next operation is none, and so is
// what nothing leads to.
void Sprinter::straighten(std::vector<bool>& dead) {
  std::vector<bool> target(code_.ops.size() + 1, false);
  for (const std::uint32_t l : labels_) target[l] = true;
  for (std::size_t i = 0; i + 1 < code_.ops.size(); ++i) {
    SprintOp &op = code_.ops[i], &after = code_.ops[i + 1];
    const bool over = op.what > What::go && op.what <= What::if_free && after.what == What::go &&
                      !target[i + 1] && labels_[at(op.x)] == i + 2;
    if (!over) continue;
    const bool odd = (static_cast<int>(op.what) - static_cast<int>(What::if_none)) % 2 != 0;
    op.what = static_cast<What>(static_cast<int>(op.what) + (odd ? -1 : 1));
    op.x = after.x;
    dead[i + 1] = true;
  }
  for (std::uint32_t& l : labels_) // a jump to a `go` goes there at once
    for (int i = 0; i < 8 && l < code_.ops.size() && code_.ops[l].what == What::go; ++i)
      l = labels_[at(code_.ops[l].x)];
  find_unreachable(dead);
  for (std::size_t i = 0; i < code_.ops.size(); ++i) {
    if (dead[i] || code_.ops[i].what != What::go) continue;
    std::size_t next = i + 1;
    while (next < dead.size() && dead[next]) ++next;
    if (labels_[at(code_.ops[i].x)] > i && labels_[at(code_.ops[i].x)] <= next) dead[i] = true;
  }
}

void Sprinter::find_unreachable(std::vector<bool>& dead) const {
  std::vector<bool> met(code_.ops.size(), false);
  std::vector<std::size_t> open;
  for (const SprintPlayer& p : code_.players) {
    open.push_back(p.entry);
    for (const SprintLeaf& l : p.leaves) open.push_back(l.entry);
  }
  while (!open.empty()) {
    std::size_t i = open.back();
    open.pop_back();
    for (; i < met.size() && !met[i]; ++i) {
      met[i] = true;
      const SprintOp& op = code_.ops[i];
      if (dead[i]) continue;
      if (jumps(op.what)) open.push_back(labels_[at(op.x)]);
      if (op.what == What::go || op.what == What::pick || op.what == What::decide || op.what == What::next ||
          op.what == What::ret)
        break;
    }
  }
  for (std::size_t i = 0; i < met.size(); ++i) dead[i] = dead[i] || !met[i];
}

namespace {

// Which registers an operation looks at.
struct Reads {
  bool set_d = false, set_a = false, set_b = false, set_c = false, number_a = false, number_b = false;
};

[[nodiscard]] Reads reads_of(What what) {
  using enum SprintOp::What;
  switch (what) {
  case unite:
  case meet:
  case minus:
  case up:
  case down:
  case join_up:
  case join_down:
  case run:
  case flood:
  case if_apart:
  case if_meet:
  case if_part:
  case if_not_part: return {.set_a = true, .set_b = true};
  case up_meet:
  case down_meet:
  case leaf_up:
  case leaf_down:
  case run_up:
  case run_down: return {.set_a = true, .set_b = true, .set_c = true};
  case copy:
  case first:
  case last:
  case SprintOp::What::jump:
  case jump_back:
  case count:
  case if_none:
  case if_some:
  case grab:
  case leaf:
  case leaf_only:
  case write_set:
  case take:
  case take_on:
  case leaf_draft:
  case leaf_once: return {.set_a = true};
  case if_in:
  case if_out:
  case if_row:
  case if_no_row:
  case write_put:
  case rays:
  case slides:
  case hop: return {.set_b = true};
  case number: return {.number_a = true};
  case add:
  case subtract:
  case multiply:
  case divide:
  case modulo:
  case least:
  case greatest:
  case if_less:
  case if_not_less:
  case if_equal:
  case if_not_equal: return {.number_a = true, .number_b = true};
  case give:
  case best: return {.number_a = true};
  default: return {};
  }
}

} // namespace

// Operations whose result nobody reads go; what is written to the state stays.
void Sprinter::remove_dead() {
  std::vector<bool> dead(code_.ops.size(), false);
  for (std::size_t i = 0; i < code_.ops.size(); ++i) {
    const What what = code_.ops[i].what;
    dead[i] = (what == What::look && !code_.uses_history) || (what == What::leaf && code_.pool);
    if (what == What::count_none && code_.pool) code_.ops[i].what = What::count_pool;
  }
  straighten(dead);
  for (bool more = true; more;) {
    more = false;
    std::vector<bool> set_read(kMaxSprintRegs, false), number_read(kMaxSprintRegs, false);
    for (std::size_t i = 0; i < code_.ops.size(); ++i) {
      if (dead[i]) continue;
      const SprintOp& op = code_.ops[i];
      const Reads r = reads_of(op.what);
      if (r.set_a) set_read[op.a] = true;
      if (r.set_b) set_read[op.b] = true;
      if (r.set_c) set_read[op.c] = true;
      if (r.number_a) number_read[op.a] = true;
      if (r.number_b) number_read[op.b] = true;
    }
    for (const SprintLoop& l : code_.loops) number_read[l.any] = number_read[l.deep] = true;
    for (const SprintVerdict& v : code_.verdicts)
      for (const Reg score : v.score) number_read[score] = true;
    for (std::size_t i = 0; i < code_.ops.size(); ++i) {
      const SprintOp& op = code_.ops[i];
      const bool set = op.what <= What::bit, num = op.what >= What::count && op.what <= What::set_truth;
      const bool unread = (set && op.d >= code_.draft_sets && !set_read[op.d]) ||
                          (num && op.d >= code_.state_numbers && !number_read[op.d]);
      if (!dead[i] && unread) dead[i] = more = true;
    }
  }
  std::vector<std::uint32_t> place(code_.ops.size() + 1);
  std::vector<SprintOp> kept;
  for (std::size_t i = 0; i < code_.ops.size(); ++i) {
    place[i] = static_cast<std::uint32_t>(kept.size());
    if (!dead[i]) kept.push_back(code_.ops[i]);
  }
  place.back() = static_cast<std::uint32_t>(kept.size());
  for (std::uint32_t& l : labels_) l = place[std::min<std::size_t>(l, place.size() - 1)];
  for (SprintPlayer& p : code_.players) {
    p.entry = place[p.entry];
    for (SprintLeaf& l : p.leaves) l.entry = place[l.entry];
  }
  code_.ops = std::move(kept);
}

} // namespace boardwright::runtime::sprint
