// The loop over the operations.
#pragma once

#include "runtime/executor/boxes.hpp"
#include "runtime/executor/calls.hpp"
#include "runtime/executor/changes.hpp"
#include "runtime/executor/drafts.hpp"
#include "runtime/executor/images.hpp"
#include "runtime/executor/memo.hpp"
#include "runtime/executor/moves.hpp"
#include "runtime/executor/notation.hpp"
#include "runtime/executor/stock.hpp"
#include "runtime/executor/turns.hpp"
#include "runtime/executor/walks.hpp"
#include "runtime/model/arithmetic.hpp"
#include "runtime/model/spread.hpp"
#include "runtime/model/unbounded_repeat.hpp"

#include <algorithm>
#include <limits>

namespace boardwright::runtime::executor {

// Carries out one instruction; `pc` says where to go on, which is behind it unless it jumps. False: at an
// end, or something has gone wrong.
template <int W>
[[gnu::always_inline]] inline bool carry_out(Machine<W>& m, const I& i, std::uint32_t& pc, Bits<W>* const s,
                                             std::int32_t* const n) {
  using ir::Op;
  auto& b = m.boxes;
  // What a condition decides: where to go on.
#define JUMP_IF(condition)                                                                                   \
  if (condition) pc = static_cast<std::uint32_t>(i.x);                                                       \
  break
  switch (i.op) {
  // --- sets
  case Op::set_copy: s[i.d] = s[i.a]; break;
  case Op::set_unite: s[i.d] = s[i.a] | s[i.b]; break;
  case Op::set_meet: s[i.d] = s[i.a] & s[i.b]; break;
  case Op::set_minus: s[i.d] = s[i.a] - s[i.b]; break;
  case Op::set_shift: s[i.d] = (s[i.a] & s[i.b]).moved(i.x); break;
  case Op::set_step: s[i.d] = stepped(m, s[i.a], i.x, false); break;
  case Op::set_step_back: s[i.d] = stepped(m, s[i.a], i.x, true); break;
  case Op::set_steps_by: {
    Bits<W> found;
    const Bits<W> from = s[i.a];
    const Bits<W> ways = s[i.b]; // which may be d
    ways.each([&](int step) { found |= stepped(m, from, step, false); });
    s[i.d] = found;
    break;
  }
  case Op::set_run: s[i.d] = run_on(m, i); break;
  case Op::set_run_shift: s[i.d] = run_shifted(m, i); break;
  case Op::set_flood: flood(m, i); break;
  case Op::set_rays: s[i.d] = seen(m, i, false); break;
  case Op::set_slides: s[i.d] = seen(m, i, true); break;
  case Op::set_between: s[i.d] = between(m, i); break;
  case Op::set_around: s[i.d] = n[i.a] < 0 ? Bits<W>() : m.tables.around[at(i.x)][at(n[i.a])]; break;
  case Op::set_table: {
    const auto& table = m.tables.set_tables[at(i.x)];
    s[i.d] = n[i.a] < 0 ? Bits<W>()
                        : table.sets[at(n[i.a] * table.numbers + std::clamp(n[i.b], 0, table.numbers - 1))];
    break;
  }
  case Op::set_first: s[i.d] = s[i.a].only_first(); break;
  case Op::set_cell: s[i.d] = n[i.a] < 0 ? Bits<W>() : Bits<W>::of(n[i.a]); break;
  case Op::set_of_kind:
    s[i.d] = n[i.a] < 0           ? Bits<W>()
             : m.layout.kinds > 0 ? s[m.layout.owners + at(n[i.a])]
                                  : m.tables.board - s[m.layout.empty];
    break;
  case Op::set_corners: s[i.d] = rectangle(m, n[i.a], n[i.b]); break;
  case Op::set_box: s[i.d] = box(m, n[i.a], n[i.b], n[i.c]); break;
  case Op::set_file:
    s[i.d] = n[i.a] >= 1 && n[i.a] <= m.tables.program.board.files ? m.tables.file[at(n[i.a])] : Bits<W>();
    break;
  case Op::set_rank:
    s[i.d] = n[i.a] >= 1 && n[i.a] <= m.tables.program.board.ranks ? m.tables.rank[at(n[i.a])] : Bits<W>();
    break;
  case Op::set_numbered: {
    Bits<W> found;
    m.charge(m.tables.program.board.numbered.size() / 2);
    for (const auto& [number, cell] : m.tables.program.board.numbered)
      if (number == n[i.a]) found.set(cell);
    s[i.d] = found;
    break;
  }
  case Op::set_image: s[i.d] = image(m, s[i.a], b[i.b].map); break;
  case Op::set_displaced: {
    const Board& board = m.tables.program.board;
    const std::int32_t from = n[i.b], to = n[i.c];
    s[i.d] = from < 0 || to < 0 ? Bits<W>()
                                : displaced(m, s[i.a], board.x[at(to)] - board.x[at(from)],
                                            board.y[at(to)] - board.y[at(from)]);
    break;
  }
  case Op::set_scaled: s[i.d] = scaled(m, s[i.a], s[i.b], m.code.scales[at(i.x)]); break;
  case Op::set_fitting: s[i.d] = fitting(m, s[i.a], s[i.b], s[i.c], i.x); break;
  case Op::set_union: {
    Bits<W> all;
    m.charge(b[i.a].bytes() / kBytesPerStep);
    for (const Bits<W>& set : b[i.a].sets) all |= set;
    s[i.d] = all;
    break;
  }
  case Op::set_of_kinds: {
    Bits<W> all;
    for (const std::int32_t kind : b[i.a].numbers)
      if (kind >= 0)
        all |= m.layout.kinds > 0 ? s[m.layout.owners + at(kind)] : m.tables.board - s[m.layout.empty];
    s[i.d] = all;
    break;
  }
  case Op::set_add:
    if (n[i.a] >= 0) s[i.d].set(n[i.a]);
    break;
  case Op::set_join: s[i.d] |= s[i.a]; break;
  // --- numbers
  case Op::copy: n[i.d] = n[i.a]; break;
  case Op::constant: n[i.d] = i.x; break;
  case Op::add: n[i.d] = saturated(std::int64_t{n[i.a]} + n[i.b]); break;
  case Op::subtract: n[i.d] = saturated(std::int64_t{n[i.a]} - n[i.b]); break;
  case Op::multiply: n[i.d] = saturated(std::int64_t{n[i.a]} * n[i.b]); break;
  case Op::divide: n[i.d] = saturated(divided(n[i.a], n[i.b])); break;
  case Op::modulo: n[i.d] = saturated(remainder(n[i.a], n[i.b])); break;
  case Op::shift_down: n[i.d] = n[i.a] >> i.x; break;
  case Op::low_bits: n[i.d] = n[i.a] & ((1 << i.x) - 1); break;
  case Op::least: n[i.d] = std::min(n[i.a], n[i.b]); break;
  case Op::greatest: n[i.d] = std::max(n[i.a], n[i.b]); break;
  case Op::absolute: n[i.d] = saturated(n[i.a] < 0 ? -std::int64_t{n[i.a]} : n[i.a]); break;
  case Op::count: n[i.d] = s[i.a].count(); break;
  case Op::first: n[i.d] = s[i.a].first(); break;
  case Op::last: n[i.d] = s[i.a].last(); break;
  case Op::table: n[i.d] = n[i.a] < 0 ? 0 : m.code.tables[at(i.x)][at(n[i.a])]; break;
  case Op::place: n[i.d] = n[i.a] < 0 ? -1 : m.code.places[at(i.x)][at(n[i.a])]; break;
  case Op::height: {
    std::int32_t sum = 0;
    if (m.layout.stacks)
      (s[i.a] - s[m.layout.empty]).each([&](int cell) { sum += m.height_of(cell); });
    else
      sum = (s[i.a] & (m.tables.board - s[m.layout.empty])).count();
    n[i.d] = sum;
    break;
  }
  case Op::spread:
    m.charge(at(m.tables.program.board.files + m.tables.program.board.ranks));
    n[i.d] = spread(m.tables.program.board, s[i.a]);
    break;
  case Op::height_at: n[i.d] = n[i.a] < 0 ? 0 : m.height_of(n[i.a]); break;
  case Op::pieces: n[i.d] = pieces_on(m, i); break;
  case Op::kind_at: {
    const std::uint8_t piece = n[i.a] < 0 ? std::uint8_t{0} : top(m, n[i.a]);
    n[i.d] = piece == 0 ? -1 : m.tables.pieces.kind[piece];
    break;
  }
  case Op::hand:
    if (n[i.a] < 0) {
      n[i.d] = 0;
    } else if (const int slot = m.tables.program.hand_slot[at(i.x)][at(n[i.a])]; slot >= 0) {
      n[i.d] = n[m.layout.hands + at(slot)];
    } else {
      m.fail(i, "`hand` of `" + m.tables.program.kinds[at(n[i.a])].name + "`: no such entry in `hands`");
      return false;
    }
    break;
  case Op::carried: n[i.d] = m.layout.stacks ? n[m.layout.carried] : n[m.layout.carried] != 0 ? 1 : 0; break;
  case Op::repeats: n[i.d] = repeats(m, i.y != 0); break;
  case Op::repeats_of: n[i.d] = repeats_of(m, i.x); break;
  case Op::earlier: n[i.d] = earlier(m, n[i.a], i.y != 0); break;
  case Op::board_repeats: n[i.d] = board_repeats(m, i.x); break;
  case Op::step_to: n[i.d] = n[i.a] < 0 || n[i.b] < 0 ? -1 : m.next_cell(n[i.a], n[i.b]); break;
  // --- directions
  case Op::set_mapped:
  case Op::steps_turned:
  case Op::steps_spins:
  case Op::steps_sum:
  case Op::steps_times: steps_operation(m, i); break;
  // --- boxes
  case Op::box_count: n[i.d] = static_cast<std::int32_t>(b[i.a].size()); break;
  case Op::box_get: n[i.d] = b[i.a].numbers[at(n[i.b])]; break;
  case Op::box_get_set: s[i.d] = b[i.a].sets[at(n[i.b])]; break;
  case Op::box_copy:
  case Op::box_unite:
  case Op::box_meet:
  case Op::box_minus:
  case Op::box_clear:
  case Op::box_add:
  case Op::box_add_set:
  case Op::box_range:
  case Op::box_players:
  case Op::map_shift:
  case Op::map_scale:
  case Op::map_rotate:
  case Op::map_reflect:
    box_operation(m, i);
    if (m.fault) return false;
    break;
  // --- where to go on
  case Op::go: pc = static_cast<std::uint32_t>(i.x); break;
  case Op::if_none: JUMP_IF(s[i.a].none());
  case Op::if_some: JUMP_IF(s[i.a].any());
  case Op::if_apart: JUMP_IF((s[i.a] & s[i.b]).none());
  case Op::if_meet: JUMP_IF((s[i.a] & s[i.b]).any());
  case Op::if_in: JUMP_IF(n[i.a] < 0 || s[i.b].test(n[i.a]));
  case Op::if_out: JUMP_IF(n[i.a] >= 0 && !s[i.b].test(n[i.a]));
  case Op::if_part: JUMP_IF(s[i.a].within(s[i.b]));
  case Op::if_not_part: JUMP_IF(!s[i.a].within(s[i.b]));
  case Op::if_same: JUMP_IF(s[i.a] == s[i.b]);
  case Op::if_not_same: JUMP_IF(!(s[i.a] == s[i.b]));
  case Op::if_less: JUMP_IF(n[i.a] < n[i.b]);
  case Op::if_not_less: JUMP_IF(n[i.a] >= n[i.b]);
  case Op::if_equal: JUMP_IF(n[i.a] == n[i.b]);
  case Op::if_not_equal: JUMP_IF(n[i.a] != n[i.b]);
  case Op::if_box_none: JUMP_IF(b[i.a].size() == 0);
  case Op::if_box_some: JUMP_IF(b[i.a].size() != 0);
  case Op::if_box_same:
  case Op::if_box_differ:
    m.charge(b[i.a].bytes() / kBytesPerStep);
    JUMP_IF((b[i.a] == b[i.b]) == (i.op == Op::if_box_same));
  case Op::if_member:
  case Op::if_no_member: {
    const auto& list = b[i.b].numbers;
    if (!m.work(list.size() / 4, i)) return false;
    JUMP_IF((std::find(list.begin(), list.end(), n[i.a]) != list.end()) == (i.op == Op::if_member));
  }
  case Op::if_member_set:
  case Op::if_no_member_set: {
    const auto& list = b[i.b].sets;
    if (!m.work(list.size(), i)) return false;
    JUMP_IF((std::find(list.begin(), list.end(), s[i.a]) != list.end()) == (i.op == Op::if_member_set));
  }
  case Op::if_changed:
  case Op::if_unchanged: m.charge(steps_of_state(m)); JUMP_IF(changed(m) == (i.op == Op::if_changed));
  case Op::if_row: JUMP_IF(in_row(m, i));
  case Op::if_no_row: JUMP_IF(!in_row(m, i));
  case Op::if_no_move: JUMP_IF(m.total == 0);
  case Op::if_move: JUMP_IF(m.total != 0);
  case Op::jump_table: pc = m.code.labels[at(i.x)][at(n[i.a])]; break;
  // --- loops and calls
  case Op::take: {
    const int cell = s[i.a].first();
    if (cell < 0) {
      pc = static_cast<std::uint32_t>(i.x);
      break;
    }
    s[i.a].clear(cell);
    n[i.d] = cell;
    break;
  }
  case Op::next_member:
    if (at(n[i.b]) >= b[i.a].numbers.size()) {
      pc = static_cast<std::uint32_t>(i.x);
      break;
    }
    n[i.d] = b[i.a].numbers[at(n[i.b]++)];
    break;
  case Op::next_set:
    if (at(n[i.b]) >= b[i.a].sets.size()) {
      pc = static_cast<std::uint32_t>(i.x);
      break;
    }
    s[i.d] = b[i.a].sets[at(n[i.b]++)];
    break;
  case Op::bend: JUMP_IF(bend(m, i) < 0);
  case Op::hop: {
    const int to = n[i.a] < 0 ? -1 : m.next_cell(n[i.a], i.c);
    n[i.d] = to;
    JUMP_IF(to < 0 || !s[i.b].test(to));
  }
  case Op::hop_by: {
    const int to = n[i.a] < 0 || n[i.c] < 0 ? -1 : m.next_cell(n[i.a], n[i.c]);
    n[i.d] = to;
    JUMP_IF(to < 0 || !s[i.b].test(to));
  }
  case Op::mark:
    n[i.d] = m.trail.mark();
    n[i.d + 1u] = static_cast<std::int32_t>(m.text.size());
    break;
  case Op::undo:
    m.undo(n[i.a]);
    if (m.text.size() > at(n[i.a + 1u])) m.text.resize(at(n[i.a + 1u]));
    break;
  case Op::keep: keep(m, i.x); break;
  case Op::restore: restore(m); break;
  case Op::call:
    if (m.stack.size() > kMaxCalls) {
      m.fail(i, "this goes on without end: nested more than " + std::to_string(kMaxCalls) + " deep");
      m.fault->origin = unbounded_repeat_around(m.tables.program, m.fault->origin);
      return false;
    }
    m.stack.push_back({-1, pc});
    pc = static_cast<std::uint32_t>(i.x);
    break;
  case Op::ret:
    pc = m.stack.back().back;
    m.stack.pop_back();
    break;
  case Op::stack_mark:
    n[i.d] = static_cast<std::int32_t>(m.stack.size());
    n[i.d + 1u] = static_cast<std::int32_t>(m.path.size());
    n[i.d + 2u] = static_cast<std::int32_t>(m.places.begun());
    n[i.d + 3u] = static_cast<std::int32_t>(m.outcomes.begun());
    break;
  case Op::cut: {
    const std::size_t paths = at(n[i.a + 1u]), places = at(n[i.a + 2u]), outcomes = at(n[i.a + 3u]);
    m.path.resize(paths);
    m.places.end(places);
    m.outcomes.end(outcomes);
    const std::size_t to = at(n[i.a]);
    while (m.stack.size() > to)
      if (m.stack.back().spill_area >= 0)
        restore(m);
      else
        m.stack.pop_back();
    pc = static_cast<std::uint32_t>(i.x);
    break;
  }
  case Op::path_mark: n[i.d] = static_cast<std::int32_t>(m.path.size()); break;
  case Op::path_enter: JUMP_IF(!path_enter(m, i));
  case Op::path_leave: m.path.resize(at(n[i.a])); break;
  case Op::visit_begin: n[i.d] = static_cast<std::int32_t>(m.places.begin()); break;
  case Op::visit: JUMP_IF(!visit(m, i));
  case Op::recall: JUMP_IF(recall(m, i));
  case Op::remember: remember(m, i); break;
  case Op::visit_end: m.places.end(at(n[i.a])); break;
  case Op::memo_enter: {
    const bool known = memo_enter(m, i);
    if (m.fault) return false;
    JUMP_IF(known);
  }
  case Op::memo_leave:
    memo_leave(m, i);
    if (m.fault) return false;
    break;
  // --- changes
  case Op::put_in: m.put_in(i.d, n[i.a]); break;
  case Op::take_out: m.take_out(i.d, n[i.a]); break;
  case Op::write_set: m.write_set(i.d, s[i.a]); break;
  case Op::join_set: m.write_set(i.d, s[i.d] | s[i.a]); break;
  case Op::leave_set: m.write_set(i.d, s[i.d] - s[i.a]); break;
  case Op::write: m.write_number(i.d, n[i.a]); break;
  case Op::write_box:
    if (!m.work((b[i.a].bytes() + b[i.d].bytes()) / kBytesPerStep, i)) return false;
    m.write_box(i.d, b[i.a]);
    break;
  case Op::write_hand:
    write_hand(m, i);
    if (m.fault) return false;
    break;
  case Op::lift: {
    const int cell = n[i.a];
    const std::uint8_t piece = m.codes[at(cell)];
    if (piece == 0) {
      pc = static_cast<std::uint32_t>(i.x);
      break;
    }
    if (n[m.layout.carried] != 0) {
      m.fail(i, "`lift` with a piece in the air already, on a board without stacks");
      return false;
    }
    set_code(m, cell, 0);
    m.write_number(m.layout.carried, piece);
    break;
  }
  case Op::put:
    if (i.y != 0) note_gone(m, n[i.a]);
    set_code(m, n[i.a], static_cast<std::uint8_t>(n[m.layout.carried]));
    m.write_number(m.layout.carried, 0);
    break;
  case Op::set_piece:
    if (i.y != 0) note_gone(m, n[i.a]);
    set_code(m, n[i.a], static_cast<std::uint8_t>(i.x));
    break;
  case Op::lift_some: {
    const bool good = lift_some(m, i);
    if (m.fault) return false;
    JUMP_IF(!good);
  }
  case Op::put_some: {
    const bool good = put_some(m, i);
    if (m.fault) return false;
    JUMP_IF(!good);
  }
  case Op::discard: JUMP_IF(!discard(m, i));
  case Op::remove: remove(m, i); break;
  case Op::drop:
  case Op::change: {
    const bool good = i.op == Op::drop ? drop(m, i) : change(m, i);
    if (m.fault) return false;
    if (good) ++pc;
    break;
  }
  case Op::move_by: {
    const bool good = move_by(m, i);
    if (m.fault) return false;
    JUMP_IF(!good);
  }
  case Op::decide:
    m.write_number(m.layout.decision, i.x + 1);
    m.write_number(m.layout.winners, static_cast<std::int32_t>(m.code.verdicts[at(i.x)].winners));
    break;
  case Op::lose: lose(m, i); break;
  // --- notation
  case Op::say_text:
  case Op::say_from:
  case Op::say_put:
  case Op::say_gone:
  case Op::say_drop:
  case Op::say_change:
  case Op::say_number:
  case Op::say_truth:
  case Op::say_set:
  case Op::say_kind:
  case Op::say_player:
    say(m, i);
    if (m.fault) return false;
    break;
  case Op::gone_cell:
    if (!s[m.mover].test(n[i.a]) && !s[m.layout.empty].test(n[i.a])) m.put_in(m.layout.gone, n[i.a]);
    break;
  case Op::gone_cell_of_carried: m.put_in(m.layout.gone, n[i.a]); break;
  case Op::gone_cells:
    m.write_set(m.layout.gone, s[m.layout.gone] | (s[i.a] - s[m.mover] - s[m.layout.empty]));
    break;
  case Op::gone_carried: {
    const int carried = n[m.layout.carried], wanted = i.y != 0 ? carried : n[i.b];
    if (!m.layout.stacks) {
      if (carried != 0 && wanted != 0 &&
          m.tables.pieces.owner_of(static_cast<std::uint8_t>(carried)) != m.mover)
        m.put_in(m.layout.gone, n[i.a]);
      break;
    }
    for (int k = 0; k < std::min(wanted, carried); ++k)
      if (m.tables.pieces.owner_of(m.carried[at(carried - 1 - k)]) != m.mover)
        m.put_in(m.layout.gone, n[i.a]);
    break;
  }
  case Op::gone_copy: s[i.d] = s[m.layout.gone]; break;
  case Op::gone_back: m.write_set(m.layout.gone, s[i.a]); break;
  // --- moves
  case Op::key_text: {
    const ir::KeyText& text = m.code.key_texts[at(i.x)];
    s[i.d].word[0] = s[i.a].word[0] * text.times + text.plus;
    break;
  }
  case Op::key_set: s[i.d].word[0] = keys::with_cells(s[i.a].word[0], s[i.b]); break;
  case Op::leaf:
  case Op::leaf_one:
  case Op::leaf_once:
  case Op::leaf_key:
  case Op::leaf_keys:
    switch (i.op) {
    case Op::leaf: found(m, i, s[i.a]); break;
    case Op::leaf_one: found_one(m, i); break;
    case Op::leaf_once:
      if (m.work(steps_to_compare(m), i)) found_once(m, i);
      break;
    case Op::leaf_key:
      if (is_new(m, s[i.a].word[0])) found_one(m, i);
      break;
    default:
      if (s[i.b].any() && is_new(m, s[i.a].word[0])) found(m, i, s[i.b]);
      break;
    }
    if (m.fault) return false;
    if (m.alike) {               // once more, with all that moves can differ in
      constexpr int kTurns = 16; // it will happen again soon
      m.alike = false;
      m.full_turns = kTurns;
      unwind(m);
      pc = m.code.players[at(m.mover)].position;
      break;
    }
    if (m.purpose == Purpose::any && m.total > 0) {
      unwind(m);
      pc = m.code.players[at(m.mover)].moves_done;
    } else if (m.purpose == Purpose::find && m.total > m.target) {
      unwind(m);
      pc = take_found(m);
    }
    break;
  case Op::choices: write_choices(m, i); break;
  case Op::best_begin: n[i.d] = std::numeric_limits<std::int32_t>::min(); break;
  case Op::best_moves: begin_best(m, n + i.d); break;
  case Op::best_test:
    if (n[i.a] < n[i.d]) {
      pc = static_cast<std::uint32_t>(i.x);
      break;
    }
    if (n[i.a] > n[i.d]) forget_moves(m, n + i.b);
    n[i.d] = n[i.a];
    break;
  case Op::best_end:
    end_best(m, i);
    if (m.fault) return false;
    break;
  case Op::outcomes_begin: n[i.d] = static_cast<std::int32_t>(m.outcomes.begin()); break;
  case Op::outcomes_note: note_outcome(m, i); break;
  case Op::outcomes_test: JUMP_IF(!keeps_outcome(m, i));
  case Op::outcomes_end: m.outcomes.end(at(n[i.a])); break;
  // --- playing a move
  case Op::next_choice:
    if (m.script_next >= m.played.size()) {
      m.fail(i, "this is no move of the position");
      return false;
    }
    n[i.d] = m.played[m.script_next++];
    break;
  case Op::choice: n[i.d] = i.x < 0 ? m.open : m.played[at(i.x)]; break;
  // --- the course of a turn
  case Op::begin_turn:
    begin_turn(m, i);
    if (m.fault) return false;
    break;
  case Op::compare: begin_comparing(m, i); break;
  case Op::snapshot: snapshot(m); break;
  case Op::view_beginning:
  case Op::view_now:
    m.charge(steps_of_state(m) + m.codes.size() / kBytesPerStep);
    swap_with_beginning(m);
    break;
  case Op::end_turn:
    end_turn(m);
    if (!m.running_game) return false;
    if (--m.plies_left == 0 || n[m.layout.decision] != 0) return false;
    pc = m.code.players[at(n[m.layout.to_move])].position;
    break;
  case Op::again: m.write_number(m.layout.again, 1); break;
  case Op::score: m.shares[at(i.x)] = n[i.a]; break;
  case Op::decide_score: decide_score(m, i); break;
  case Op::put_out:
    if (!put_out(m, i)) return false;
    pc = m.code.players[at(n[m.layout.to_move])].position;
    break;
  case Op::moves_done: break;
  case Op::pick:
    if (m.purpose == Purpose::find) m.fail(i, "a move that was counted isn't found");
    if (m.purpose != Purpose::pick) return false;
    pc = pick(m);
    break;
  case Op::fault: m.fail(i, m.code.messages[at(i.x)]); return false;
  case Op::halt: return false;
  }
#undef JUMP_IF
  return true;
}

template <int W>
void interpret(Machine<W>& m, std::uint32_t pc) {
  const I* const code = m.code.instructions.data();
  Bits<W>* const s = m.sets.data();
  std::int32_t* const n = m.numbers.data();
  std::uint64_t* const counts = m.counts == nullptr ? nullptr : m.counts->data();
  for (;;) {
    if (counts != nullptr) ++counts[pc];
    const I& i = code[pc++];
    if (i.cost != 0 && !m.work(i.cost, i)) return;
    if (!carry_out(m, i, pc, s, n)) return;
  }
}

} // namespace boardwright::runtime::executor
