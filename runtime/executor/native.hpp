// What native code asks of the executor, and how it comes to run.
#pragma once

#include "runtime/codegen/native_code.hpp"
#include "runtime/executor/executor.hpp"
#include "runtime/ir/operations.hpp"

#include <type_traits>
#include <unordered_map>

namespace boardwright::runtime::executor {

// Nothing is thrown through native code, which nobody could unwind: what was thrown (there was no memory) is
// kept until native code has been left, see take_fault.
template <int W>
template <class F>
const void* Executor<W>::safely(Executor& e, F&& work) noexcept {
  try {
    return work();
  } catch (...) {
    e.escaped_ = std::current_exception();
    return e.running_->exit();
  }
}

// For some more entries of the trail. False: there is no memory.
template <int W>
bool Executor<W>::make_room(void* executor) noexcept {
  auto& e = *static_cast<Executor*>(executor);
  return safely(e, [&]() -> const void* {
           e.m_.trail.reserve_more(2 * codegen::kEntriesAtOnce);
           return nullptr;
         }) == nullptr;
}

// Where a stretch of steps is over. False: it must not go on.
template <int W>
bool Executor<W>::take_stock_of(void* executor) noexcept {
  auto& e = *static_cast<Executor*>(executor);
  return safely(e, [&]() -> const void* {
           return e.take_stock(e.code_.instructions[e.stock_at_]) ? nullptr : e.running_->exit();
         }) == nullptr;
}

// Carries out one instruction for native code: null where it goes on behind it, or an address to go on at.
// What ends a turn says where the next one begins, even if that is behind it.
template <int W>
const void* Executor<W>::step(void* executor, std::uint32_t index) noexcept {
  auto& e = *static_cast<Executor*>(executor);
  return safely(e, [&]() -> const void* {
    std::uint32_t pc = index + 1;
    const I& i = e.code_.instructions[index];
    if (!e.carry_out(i, pc, e.m_.sets.data(), e.m_.numbers.data())) return e.running_->exit();
    return pc == index + 1 && ir::about(i.op).goes_on ? nullptr : e.running_->address(pc);
  });
}

// Of an operation that is carried out often: nothing else is in question.
template <int W>
template <ir::Op op>
const void* Executor<W>::step_alone(void* executor, std::uint32_t index) noexcept {
  auto& e = *static_cast<Executor*>(executor);
  return safely(e, [&]() -> const void* {
    const I& i = e.code_.instructions[index];
    if (i.op != op) __builtin_unreachable();
    std::uint32_t pc = index + 1;
    if (!e.carry_out(i, pc, e.m_.sets.data(), e.m_.numbers.data())) return e.running_->exit();
    return pc == index + 1 ? nullptr : e.running_->address(pc);
  });
}

template <int W>
codegen::Surroundings::Step Executor<W>::step_of(ir::Op op) {
  using ir::Op;
  switch (op) {
  case Op::leaf_once: return &Executor::template step_alone<Op::leaf_once>;
  case Op::path_enter: return &Executor::template step_alone<Op::path_enter>;
  case Op::change: return &Executor::template step_alone<Op::change>;
  case Op::leaf_key: return &Executor::template step_alone<Op::leaf_key>;
  case Op::leaf_keys: return &Executor::template step_alone<Op::leaf_keys>;
  case Op::set_displaced: return &Executor::template step_alone<Op::set_displaced>;
  case Op::set_scaled: return &Executor::template step_alone<Op::set_scaled>;
  case Op::set_fitting: return &Executor::template step_alone<Op::set_fitting>;
  case Op::set_run_shift: return &Executor::template step_alone<Op::set_run_shift>;
  case Op::set_box: return &Executor::template step_alone<Op::set_box>;
  case Op::box_clear: return &Executor::template step_alone<Op::box_clear>;
  case Op::box_unite: return &Executor::template step_alone<Op::box_unite>;
  case Op::box_add_set: return &Executor::template step_alone<Op::box_add_set>;
  case Op::next_set: return &Executor::template step_alone<Op::next_set>;
  default: return nullptr;
  }
}

template <int W>
std::uint64_t Executor<W>::draw(void* executor) noexcept {
  auto& e = *static_cast<Executor*>(executor);
  return e.random_->below(e.total_);
}

template <int W>
codegen::Surroundings Executor<W>::surroundings(bool random_games) const {
  static_assert(static_cast<int>(Purpose::any) == codegen::kAny &&
                static_cast<int>(Purpose::count) == codegen::kCount &&
                static_cast<int>(Purpose::list) == codegen::kList && Purpose::list < Purpose::pick);
  static_assert(sizeof(Random) == sizeof(std::uint64_t) && std::is_standard_layout_v<Random>);
  static_assert(sizeof(Frame) == 8 && sizeof(Record) == 16 + sizeof(Set) && sizeof(Purpose) == 1);
  const auto from = [](const void* whole) {
    return [whole](const void* part) {
      return static_cast<std::int32_t>(static_cast<const char*>(part) - static_cast<const char*>(whole));
    };
  };
  const auto place = from(this);
  codegen::Surroundings s;
  s.code = &code_;
  s.random_games = random_games;
  s.words = W;
  s.at = {.trail = place(m_.trail.bounds()),
          .stack = place(&stack_),
          .kept_sets = place(&kept_sets_),
          .kept_numbers = place(&kept_numbers_),
          .choices = place(&choices_),
          .played = place(&played_),
          .text = place(&text_),
          .path = place(&path_),
          .list = place(&list_),
          .left = place(&left_),
          .begun = place(&begun_),
          .total = place(&total_),
          .script_next = place(&script_next_),
          .native_stack = place(&native_stack_),
          .stock_at = place(&stock_at_),
          .open = place(&open_),
          .mover = place(&mover_),
          .random = place(&random_),
          .given = place(&given_),
          .moves = place(&playout_moves_),
          .plies_left = place(&plies_left_),
          .before = place(&before_),
          .turn_mark = place(&turn_mark_),
          .purpose = place(&purpose_),
          .memos = place(&memos_),
          .heights = place(&heights_),
          .air = place(&air_),
          .key = place(&key_at_beginning_),
          .positions = place(&positions_),
          .board = place(&board_at_beginning_),
          .boards = place(&boards_),
          .once = place(&once_),
          .full_turns = place(&full_turns_),
          .limits = place(&limits_)};
  const List list;
  s.list = {from(&list)(&list.records), from(&list)(&list.values)};
  s.bytes_of_codes = m_.codes.size();
  s.bytes_of_heights = m_.heights.size();
  s.key = key_parts();
  s.to = t_.to.data();
  for (const auto& lines : t_.lines) {
    auto& all = s.lines.emplace_back();
    for (const auto& line : lines) all.push_back({line.grows, line.shrinks, line.ray.data()->word.data()});
  }
  for (std::size_t k = 0; k < t_.floods.size(); ++k) {
    auto& flood = s.floods.emplace_back();
    flood.only_shifts = t_.flood_steps[k].empty();
    for (const auto& shift : t_.floods[k]) flood.shifts.push_back({shift.by, shift.from.word.data()});
  }
  for (const auto& sets : t_.around) s.around.push_back(sets.data()->word.data());
  for (const auto& table : t_.set_tables)
    s.set_tables.push_back({table.numbers, table.sets.data()->word.data()});
  s.owner_of_code = t_.pieces.owner_index.data();
  s.kind_of_code = t_.pieces.kind.data();
  s.step = &Executor::step;
  s.step_of = &Executor::step_of;
  s.make_room = &Executor::make_room;
  s.take_stock = &Executor::take_stock_of;
  s.undo = [](void* e, std::int32_t mark) { static_cast<Executor*>(e)->m_.undo(mark); };
  s.draw = &Executor::draw;
  return s;
}

// Native code is made when an executor first runs, once for all of them.
template <int W>
bool Executor<W>::make_native() {
  if (native_allowed_ && native_ == nullptr)
    native_ = t_.native.get([this] { return codegen::NativeCode::make(surroundings(false)); });
  return native_allowed_ && native_ != nullptr;
}

// What plays random games is made apart: it needn't ask what it is for, take moves back or write them.
template <int W>
bool Executor<W>::make_native_games() {
  if (native_allowed_ && native_games_ == nullptr)
    native_games_ = t_.native_games.get([this] { return codegen::NativeCode::make(surroundings(true)); });
  return native_allowed_ && native_games_ != nullptr;
}

template <int W>
const std::vector<bool>* Executor<W>::falls_back() {
  return make_native() ? &native_->falls_back() : nullptr;
}

// One instruction after the other, each as if native code left it to C++: where to go on is told by an
// address. Of several instructions with one address all but the last have no code, so the first one will do.
template <int W>
void Executor<W>::run_counted(std::uint32_t pc) {
  std::unordered_map<const void*, std::uint32_t> at_address;
  counts_->resize(code_.instructions.size());
  for (std::uint32_t k = 0; k < code_.instructions.size(); ++k)
    if (native_->address(k) != nullptr) at_address.emplace(native_->address(k), k);
  for (const void* to = nullptr; to != native_->exit();) {
    ++(*counts_)[at(pc)];
    to = step(this, pc);
    if (to == nullptr) ++pc;
    if (to != nullptr && to != native_->exit()) pc = at_address.at(to);
  }
}

template <int W>
void Executor<W>::run(std::uint32_t pc) {
  if (counts_ != nullptr && make_native()) {
    running_ = native_;
    return run_counted(pc);
  }
  if (!(running_game_ ? make_native_games() : make_native())) {
    try {
      return interpret(pc);
    } catch (...) {
      escaped_ = std::current_exception();
      return;
    }
  }
  running_ = running_game_ ? native_games_ : native_;
  heights_ = m_.heights.data();
  air_ = m_.air.data();
  running_->run(this, m_.sets.data()->word.data(), m_.numbers.data(), m_.codes.data(), pc);
}

} // namespace boardwright::runtime::executor
