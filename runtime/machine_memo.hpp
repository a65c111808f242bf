// Values that are kept instead of being worked out again: see Memo and Prune.
#pragma once

#include "runtime/machine_class.hpp"

namespace boardwright::runtime::machine {

// What the value needs of the position, as a hash; never 0, which nothing is kept under.
template <int W>
std::uint64_t Machine<W>::memo_key(const Memo& m) const {
  std::uint64_t key = m.board ? pos_->board_hash : 0;
  if (m.rest) key ^= pos_->rest_hash;
  return key | 1;
}

template <int W>
std::int32_t Machine<W>::input_member(const Input& input, const Regs& r) const {
  switch (input.from) {
  case Input::From::slot: return slots_[at(input.slot)].number;
  case Input::From::here: return r.here;
  case Input::From::start: return r.start;
  case Input::From::heading: return r.heading;
  }
  return -1;
}

// A value is that of a decided draft no more than of another; only `reach` asks, so it isn't kept then.
template <int W>
typename Machine<W>::Set Machine<W>::kept_set(const Expr& e, const Regs& r) {
  if (r.decided || stop_) return set_anew(e, r);
  const Memo& m = *e.memo;
  if (m.kind == Memo::Kind::latest) return latest_set(e, r);
  if (m.kind == Memo::Kind::content) return set_by_content(e, r);
  std::vector<KeptSet>& table = kept_sets_[m.index];
  if (table.empty()) table.resize(m.size);
  std::size_t place = 0;
  for (const Input& input : m.inputs) place = place * input.size + at(input_member(input, r) + 1);
  KeptSet& kept = table[place];
  const std::uint64_t now = memo_key(m);
  if (kept.key == now) return kept.set;
  const Set value = set_anew(e, r);
  if (!stop_) kept = {now, value};
  return value;
}

// Is what is kept of the same? If not, it is from now on.
template <int W>
bool Machine<W>::is_latest(const Memo& m, Kept& kept, const Regs& r) const {
  const std::uint64_t now = memo_key(m);
  bool same = kept.key == now;
  kept.key = now;
  for (std::size_t k = 0; k < m.inputs.size(); ++k) {
    const Input& input = m.inputs[k];
    const std::uint64_t version =
        input.from == Input::From::slot ? slot_versions_[at(input.slot)] : at(input_member(input, r) + 1);
    same = same && kept.versions[k] == version;
    kept.versions[k] = version;
  }
  return same;
}

template <int W>
typename Machine<W>::Set Machine<W>::latest_set(const Expr& e, const Regs& r) {
  Kept& kept = kept_[e.memo->index];
  if (is_latest(*e.memo, kept, r)) return kept.set;
  const std::uint64_t now = std::exchange(kept.key, 0); // none, while it is being worked out
  const Set value = set_anew(e, r);
  if (stop_) return value;
  kept.set = value;
  kept.key = now;
  return value;
}

// The arena takes a copy, as it would take what was worked out anew.
template <int W>
Slice Machine<W>::kept_list(const Expr& e, const Regs& r) {
  if (r.decided || stop_) return list_anew(e, r);
  Kept& kept = kept_[e.memo->index];
  const bool of_sets = e.type == Type::sets;
  if (!is_latest(*e.memo, kept, r)) {
    const std::uint64_t now = std::exchange(kept.key, 0);
    const Slice slice = list_anew(e, r);
    if (stop_) return slice;
    if (of_sets)
      kept.sets.assign(sets_.begin() + slice.begin, sets_.begin() + slice.begin + slice.size);
    else
      kept.numbers.assign(numbers_.begin() + slice.begin, numbers_.begin() + slice.begin + slice.size);
    kept.key = now;
    return slice;
  }
  const std::size_t size = of_sets ? kept.sets.size() : kept.numbers.size();
  const std::size_t begin = of_sets ? sets_.size() : numbers_.size();
  if (begin + size > kMaxArena) return list_anew(e, r);
  if (!spend(e.origin, 1 + size / 8)) return {};
  if (of_sets)
    sets_.insert(sets_.end(), kept.sets.begin(), kept.sets.end());
  else
    numbers_.insert(numbers_.end(), kept.numbers.begin(), kept.numbers.end());
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(size)};
}

// Where a map takes each cell. A turn makes the same maps again and again, and each takes cells one by one.
template <int W>
std::int32_t Machine<W>::row_of(const CellMap& map) {
  std::uint64_t key = map.valid ? 1 : 0;
  const auto add = [&](std::int32_t a, std::int32_t b) {
    key = (key ^ (static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 |
                  static_cast<std::uint32_t>(b))) *
          0x9e3779b97f4a7c15U;
    key ^= key >> 32;
  };
  add(map.xx, map.xy);
  add(map.yx, map.yy);
  add(map.px, map.py);
  add(map.dx, map.dy);
  add(map.over, 0);
  if (rows_.size() >= kMostRows || rows_.capacity() < kMostRows) forget_rows();
  const auto fresh = static_cast<std::uint32_t>(rows_.size());
  const std::uint32_t place =
      row_index_.find_or_add(key, fresh, [&](std::uint32_t k) { return rows_[k] == map; });
  if (place != fresh) return static_cast<std::int32_t>(place);
  rows_.push_back(map);
  std::int16_t* to = row_targets_.data() + place * at(cells_);
  for (int cell = 0; cell < cells_; ++cell)
    to[cell] = static_cast<std::int16_t>(tables_.program.board.map(map, cell));
  return static_cast<std::int32_t>(place);
}

template <int W>
void Machine<W>::bind_kept_map(std::int32_t slot, const Expr& e, const Regs& r) {
  if (r.decided) return bind_map(slot, map(e, r));
  std::vector<KeptMap>& table = kept_maps_[e.memo->index];
  if (table.empty()) table.resize(e.memo->size);
  KeptMap& kept = table[at(input_member(e.memo->inputs[0], r) + 1)];
  if (kept.epoch == 0 || kept.epoch != rows_epoch_) {
    kept.map = map(e, r);
    if (stop_) return bind_map(slot, kept.map);
    kept.row = row_of(kept.map);
    kept.epoch = rows_epoch_;
  }
  bind_map(slot, kept.map);
  slot_rows_[at(slot)] = kept.row;
}

template <int W>
void Machine<W>::forget_rows() {
  ++rows_epoch_;
  rows_.clear();
  rows_.reserve(kMostRows);
  row_targets_.resize(kMostRows * at(cells_));
  row_index_.clear();
  std::fill(slot_rows_.begin(), slot_rows_.end(), kRowUnknown);
}

// By cell. Good until the next map is asked for.
template <int W>
const std::int16_t* Machine<W>::row(const Expr& map, const CellMap& value) {
  std::int32_t found = map.op == Op::local ? slot_rows_[at(map.a)] : kRowUnknown;
  if (found == kRowUnknown) found = row_of(value);
  if (map.op == Op::local) slot_rows_[at(map.a)] = found;
  return row_targets_.data() + at(found) * at(cells_);
}

// Of what a text is made of, which is nothing but slots; never 0.
template <int W>
std::uint64_t Machine<W>::content_key(const Memo& m, const Regs& r) const {
  std::uint64_t key = 1;
  const auto add = [&](std::uint64_t word) {
    key = (key ^ word) * 0x9e3779b97f4a7c15U;
    key ^= key >> 29;
  };
  for (const Input& input : m.inputs) {
    const Type type = input.from == Input::From::slot ? code_.slot_types[at(input.slot)] : Type::number;
    if (type == Type::cells || type == Type::directions)
      for (const std::uint64_t word : slot_sets_[at(input.slot)].word) add(word);
    else
      add(static_cast<std::uint32_t>(input_member(input, r)));
  }
  return mix(key) | 1;
}

template <int W>
typename Machine<W>::KeptSet& Machine<W>::kept_content(const Memo& m, std::uint64_t key) {
  std::vector<KeptSet>& kept = kept_contents_[m.index];
  if (kept.empty()) kept.resize(kKeptContents);
  return kept[key >> 1 & (kKeptContents - 1)];
}

template <int W>
typename Machine<W>::Set Machine<W>::set_by_content(const Expr& e, const Regs& r) {
  const std::uint64_t key = content_key(*e.memo, r);
  KeptSet& kept = kept_content(*e.memo, key);
  if (kept.key == key) return kept.set;
  const Set value = set_anew(e, r);
  if (!stop_) kept = {key, value};
  return value;
}

template <int W>
bool Machine<W>::kept_truth(const Expr& e, const Regs& r) {
  if (r.decided || stop_) return truth_anew(e, r);
  const std::uint64_t key = content_key(*e.memo, r);
  KeptSet& kept = kept_content(*e.memo, key);
  if (kept.key == key) return kept.set.test(0);
  const bool value = truth_anew(e, r);
  if (stop_) return value;
  kept.set = {};
  if (value) kept.set.set(0);
  kept.key = key;
  return value;
}

// An action that only writes, and the same whenever it is told the same.
template <int W>
bool Machine<W>::say_kept(const Instruction& i, Regs& r) {
  if (writing_ || r.quiet > 0 || r.gone.any()) return run_block(i.body, r);
  std::vector<KeptText>& texts = kept_texts_[i.memo->index];
  if (texts.empty()) texts.resize(kKeptTexts);
  const std::uint64_t key = content_key(*i.memo, r);
  KeptText& kept = texts[key >> 1 & (kKeptTexts - 1)];
  if (kept.key != key) {
    Regs alone = r;
    alone.text = alone.length = 0;
    if (!run_block(i.body, alone) || stop_) return false;
    kept = {key, alone.text, 1, alone.length};
    for (std::uint32_t k = 0; k < alone.length; ++k) kept.power = multiply_text(kept.power, kTextBase);
  }
  if (r.length + kept.length > kMaxNotation) return run_block(i.body, r);
  r.text = reduce_text(multiply_text(r.text, kept.power) + kept.added);
  r.length += kept.length;
  return true;
}

// Leaves out members for which the condition can't hold.
template <int W>
typename Machine<W>::Set Machine<W>::pruned(const Prune& p, const Set& members, const Regs& r) {
  if (r.decided) return members; // of such a draft `reach` is something else
  std::vector<KeptSet>& table = bound_to_[p.index];
  if (table.empty()) table.resize(p.other ? p.other->size : 1);
  KeptSet& kept = table[p.other ? at(input_member(*p.other, r) + 1) : 0];
  if (kept.key == 0) {
    Set bound;
    for (int member = 0; member < cells_ && !stop_; ++member) {
      if (!tables_.board.test(member)) continue;
      bind_member(p.slot, member);
      if (set(*p.part, r).test(member)) bound.set(member);
    }
    if (stop_) return members;
    kept = {1, bound};
  }
  return members - (kept.set - set(*p.whole, r));
}

} // namespace boardwright::runtime::machine
