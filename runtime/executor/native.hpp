// What native code asks of the machine, and how it comes to run.
#pragma once

#include "runtime/codegen/native_code.hpp"
#include "runtime/executor/run.hpp"
#include "runtime/ir/operations.hpp"

#include <type_traits>

namespace boardwright::runtime::executor {

// Nothing is thrown through native code, which nobody could unwind: what was thrown (there was no memory) is
// kept until native code has been left, see take_fault.
template <int W, class F>
const void* safely(Machine<W>& m, F&& work) noexcept {
  try {
    return work();
  } catch (...) {
    m.escaped = std::current_exception();
    return m.running->exit();
  }
}

// For some more entries of the trail. False: there is no memory.
template <int W>
bool make_room(void* machine) noexcept {
  auto& m = *static_cast<Machine<W>*>(machine);
  return safely(m, [&]() -> const void* {
           m.trail.reserve_more(2 * codegen::kEntriesAtOnce);
           return nullptr;
         }) == nullptr;
}

// Where a stretch of steps is over. False: it must not go on.
template <int W>
bool take_stock_of(void* machine) noexcept {
  auto& m = *static_cast<Machine<W>*>(machine);
  return safely(m, [&]() -> const void* {
           return take_stock(m, m.code.instructions[m.stock_at]) ? nullptr : m.running->exit();
         }) == nullptr;
}

// Carries out one instruction for native code: null where it goes on behind it, or an address to go on at.
// What ends a turn says where the next one begins, even if that is behind it.
template <int W>
const void* step(void* machine, std::uint32_t index) noexcept {
  auto& m = *static_cast<Machine<W>*>(machine);
  return safely(m, [&]() -> const void* {
    std::uint32_t pc = index + 1;
    const I& i = m.code.instructions[index];
    if (!carry_out(m, i, pc, m.sets.data(), m.numbers.data())) return m.running->exit();
    return pc == index + 1 && ir::about(i.op).goes_on ? nullptr : m.running->address(pc);
  });
}

// Of an operation that is carried out often: nothing else is in question.
template <int W, ir::Op op>
const void* step_alone(void* machine, std::uint32_t index) noexcept {
  auto& m = *static_cast<Machine<W>*>(machine);
  return safely(m, [&]() -> const void* {
    const I& i = m.code.instructions[index];
    if (i.op != op) __builtin_unreachable();
    std::uint32_t pc = index + 1;
    if (!carry_out(m, i, pc, m.sets.data(), m.numbers.data())) return m.running->exit();
    return pc == index + 1 ? nullptr : m.running->address(pc);
  });
}

// A leaf that is a move, whatever it is compared with: native code has done that.
template <int W>
const void* found_step(void* machine, std::uint32_t index) noexcept {
  auto& m = *static_cast<Machine<W>*>(machine);
  return safely(m, [&]() -> const void* {
    I i = m.code.instructions[index];
    if (i.op == ir::Op::leaf_keys) i.a = i.b;
    i.op = i.op == ir::Op::leaf_keys ? ir::Op::leaf : ir::Op::leaf_one;
    std::uint32_t pc = index + 1;
    if (!carry_out(m, i, pc, m.sets.data(), m.numbers.data())) return m.running->exit();
    return pc == index + 1 ? nullptr : m.running->address(pc);
  });
}

template <int W>
codegen::Surroundings::Step step_of(ir::Op op) {
  using ir::Op;
  switch (op) {
  case Op::leaf_once: return &step_alone<W, Op::leaf_once>;
  case Op::path_enter: return &step_alone<W, Op::path_enter>;
  case Op::change: return &step_alone<W, Op::change>;
  case Op::leaf_key: return &step_alone<W, Op::leaf_key>;
  case Op::drop: return &step_alone<W, Op::drop>;
  case Op::move_by: return &step_alone<W, Op::move_by>;
  case Op::map_shift: return &step_alone<W, Op::map_shift>;
  case Op::set_file: return &step_alone<W, Op::set_file>;
  case Op::set_rank: return &step_alone<W, Op::set_rank>;
  case Op::say_text: return &step_alone<W, Op::say_text>;
  case Op::say_number: return &step_alone<W, Op::say_number>;
  case Op::leaf_keys: return &step_alone<W, Op::leaf_keys>;
  case Op::set_displaced: return &step_alone<W, Op::set_displaced>;
  case Op::set_scaled: return &step_alone<W, Op::set_scaled>;
  case Op::set_fitting: return &step_alone<W, Op::set_fitting>;
  case Op::set_run_shift: return &step_alone<W, Op::set_run_shift>;
  case Op::set_box: return &step_alone<W, Op::set_box>;
  case Op::box_clear: return &step_alone<W, Op::box_clear>;
  case Op::box_unite: return &step_alone<W, Op::box_unite>;
  case Op::box_add_set: return &step_alone<W, Op::box_add_set>;
  case Op::next_set: return &step_alone<W, Op::next_set>;
  default: return nullptr;
  }
}

template <int W>
std::uint64_t draw(void* machine) noexcept {
  auto& m = *static_cast<Machine<W>*>(machine);
  return m.random->below(m.total);
}

// How many bytes behind the beginning of a whole a part of it stands.
[[nodiscard]] inline std::int32_t place_in(const void* whole, const void* part) {
  return static_cast<std::int32_t>(static_cast<const char*>(part) - static_cast<const char*>(whole));
}

template <int W>
[[nodiscard]] codegen::Surroundings::Places places_in_machine(const Machine<W>& m) {
  const auto place = [&m](const void* part) { return place_in(&m, part); };
  return {.trail = place(m.trail.bounds()),
          .stack = place(&m.stack),
          .spilled_sets = place(&m.spilled_sets),
          .spilled_numbers = place(&m.spilled_numbers),
          .choices = place(&m.choices),
          .played = place(&m.played),
          .text = place(&m.text),
          .path = place(&m.path),
          .places_begun = place(&m.places.begun()),
          .outcomes_begun = place(&m.outcomes.begun()),
          .list = place(&m.list),
          .left = place(&m.left),
          .begun = place(&m.begun),
          .total = place(&m.total),
          .script_next = place(&m.script_next),
          .native_stack = place(&m.native_stack),
          .stock_at = place(&m.stock_at),
          .open = place(&m.open),
          .mover = place(&m.mover),
          .random = place(&m.random),
          .given = place(&m.given),
          .moves = place(&m.playout_moves),
          .plies_left = place(&m.plies_left),
          .before = place(&m.before),
          .turn_mark = place(&m.turn_mark),
          .purpose = place(&m.purpose),
          .memos = place(&m.memos),
          .heights = place(&m.native_heights),
          .carried = place(&m.native_carried),
          .key = place(&m.key_at_beginning),
          .positions = place(&m.positions),
          .board = place(&m.board_at_beginning),
          .boards = place(&m.boards),
          .line = place(&m.line),
          .once = place(&m.once),
          .full_turns = place(&m.full_turns),
          .seeking_best = place(&m.seeking_best),
          .best_keys = place(&m.best_keys),
          .limits = place(&m.limits)};
}

// What native code looks up: lines, floods, neighbours, tables of sets.
template <int W>
void add_tables(codegen::Surroundings& s, const Tables<W>& tables) {
  s.to = tables.to.data();
  for (const auto& lines : tables.lines) {
    auto& all = s.lines.emplace_back();
    for (const auto& line : lines) all.push_back({line.grows, line.shrinks, line.ray.data()->word.data()});
  }
  for (std::size_t k = 0; k < tables.floods.size(); ++k) {
    auto& flood = s.floods.emplace_back();
    flood.only_shifts = tables.flood_steps[k].empty();
    for (const auto& shift : tables.floods[k]) flood.shifts.push_back({shift.by, shift.from.word.data()});
  }
  for (const auto& sets : tables.around) s.around.push_back(sets.data()->word.data());
  for (const auto& table : tables.set_tables)
    s.set_tables.push_back({table.numbers, table.sets.data()->word.data()});
  s.owner_of_code = tables.pieces.owner_index.data();
  s.kind_of_code = tables.pieces.kind.data();
}

// What writing does to a key.
template <int W>
void add_told(codegen::Surroundings& s, const Machine<W>& m) {
  s.cells_told = m.tables.cells_told.data();
  s.kinds_told = m.tables.kinds_told.data();
  for (const std::string& text : m.tables.program.texts) s.texts_told.push_back(ir::key_of_text(text));
  s.drops_named.resize(m.code.drops.size());
  for (const I& i : m.code.instructions) {
    if (i.op != ir::Op::say_drop || !s.drops_named[at(i.x)].empty()) continue;
    for (int kind = 0; kind < m.tables.pieces.kinds; ++kind)
      s.drops_named[at(i.x)].push_back(names_dropped(m, m.code.drops[at(i.x)], kind));
  }
}

// What native code calls.
template <int W>
void add_helpers(codegen::Surroundings& s) {
  s.step = &step<W>;
  s.found = &found_step<W>;
  s.step_of = &step_of<W>;
  s.make_room = &make_room<W>;
  s.take_stock = &take_stock_of<W>;
  s.undo = [](void* machine, std::int32_t mark) { static_cast<Machine<W>*>(machine)->undo(mark); };
  s.draw = &draw<W>;
}

template <int W>
[[nodiscard]] codegen::Surroundings surroundings(const Machine<W>& m, bool random_games) {
  static_assert(static_cast<int>(Purpose::any) == codegen::kAny &&
                static_cast<int>(Purpose::count) == codegen::kCount &&
                static_cast<int>(Purpose::list) == codegen::kList && Purpose::list < Purpose::pick);
  static_assert(sizeof(Random) == sizeof(std::uint64_t) && std::is_standard_layout_v<Random>);
  static_assert(sizeof(Frame) == 8 && sizeof(Record<W>) == 16 + sizeof(Bits<W>) && sizeof(Purpose) == 1);
  codegen::Surroundings s;
  s.code = &m.code;
  s.random_games = random_games;
  s.words = W;
  s.at = places_in_machine(m);
  const MoveList<W> list;
  s.list = {place_in(&list, &list.records), place_in(&list, &list.values)};
  s.bytes_of_codes = m.codes.size();
  s.bytes_of_heights = m.heights.size();
  s.key = key_parts(m);
  s.move_key = move_key_parts(m);
  add_told(s, m);
  for (const std::vector<int>& slots : m.tables.program.hand_slot) s.hand_slots.push_back(slots.data());
  add_tables(s, m.tables);
  add_helpers<W>(s);
  return s;
}

// Native code is made when a machine first runs, once for all of them.
template <int W>
bool make_native(Machine<W>& m) {
  if (m.native_allowed && m.native == nullptr)
    m.native = m.tables.native.get([&m] { return codegen::NativeCode::make(surroundings(m, false)); });
  return m.native_allowed && m.native != nullptr;
}

// What plays random games is made apart: it needn't ask what it is for, take moves back or write them.
template <int W>
bool make_native_games(Machine<W>& m) {
  if (m.native_allowed && m.native_games == nullptr)
    m.native_games =
        m.tables.native_games.get([&m] { return codegen::NativeCode::make(surroundings(m, true)); });
  return m.native_allowed && m.native_games != nullptr;
}

// Tells who watches this thread which code runs. It may be called while other code runs, by a helper.
template <int W>
void run_watched(Machine<W>& m, std::uint32_t pc, codegen::Watch& watch) {
  const codegen::NativeCode* const code = watch.code;
  void* const* const stack = watch.stack;
  m.native_stack = nullptr; // until this code has its own
  watch.stack = &m.native_stack;
  watch.code = m.running;
  m.running->run(&m, m.sets.data()->word.data(), m.numbers.data(), m.codes.data(), pc);
  watch.code = code;
  watch.stack = stack;
}

template <int W>
void run(Machine<W>& m, std::uint32_t pc) {
  if (m.counts != nullptr) m.counts->resize(m.code.instructions.size());
  if (m.counts != nullptr || !(m.running_game ? make_native_games(m) : make_native(m))) {
    try {
      return interpret(m, pc);
    } catch (...) {
      m.escaped = std::current_exception();
      return;
    }
  }
  m.running = m.running_game ? m.native_games : m.native;
  m.native_heights = m.heights.data();
  m.native_carried = m.carried.data();
  if (auto* const watch = codegen::watching.load(std::memory_order_relaxed);
      watch != nullptr && watch->thread == std::this_thread::get_id()) [[unlikely]]
    return run_watched(m, pc, *watch);
  m.running->run(&m, m.sets.data()->word.data(), m.numbers.data(), m.codes.data(), pc);
}

// Whatever went wrong, the state is the present one.
template <int W>
void run_code(Machine<W>& m, std::uint32_t pc) {
  run(m, pc);
  if (m.escaped && !m.fault) m.fault = Fault{"out of memory", 0};
  if (m.viewing) swap_with_beginning(m);
}

} // namespace boardwright::runtime::executor
