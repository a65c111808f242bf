// Steps on the board.
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/model/numbering.hpp"

namespace boardwright::runtime::lowering {

namespace {

// By cell: all that is straight on from it.
std::int32_t ray_table(Context& cx, const StepSet& steps) {
  std::vector<std::int16_t> key;
  steps.each([&](int s) { key.push_back(static_cast<std::int16_t>(s)); });
  const auto [known, fresh] =
      cx.tables.rays.try_emplace(key, static_cast<std::int32_t>(cx.code.set_tables.size()));
  if (!fresh) return known->second;
  ir::SetTable& table = cx.code.set_tables.emplace_back();
  for (int cell = 0; cell < cx.board().cells; ++cell) {
    CellSet& all = table.sets.emplace_back();
    steps.each([&](int s) {
      CellSet line; // which may come back to where it was
      const auto& to = cx.board().steps[at(s)].to;
      for (int c = to[at(cell)]; c != kNowhere && !line.test(c); c = to[at(c)]) line.set(c);
      all |= line;
    });
  }
  return known->second;
}

// By cell, and by number from `least` to -`least`: where each multiple of the steps leads.
ir::SetTable table_of_multiples(const Context& cx, const StepSet& steps, int least, int most) {
  ir::SetTable table;
  table.numbers = most - least + 1;
  table.sets.resize(at(cx.board().cells * table.numbers));
  steps.each([&](int step) {
    for (const auto& multiple : cx.facts.compass().multiples_of(step)) {
      if (multiple.factor < least) continue;
      const auto& to = cx.board().steps[at(multiple.step)].to;
      for (int cell = 0; cell < cx.board().cells; ++cell)
        if (to[at(cell)] != kNowhere)
          table.sets[at(cell * table.numbers + multiple.factor - least)].set(to[at(cell)]);
    }
  });
  return table;
}

} // namespace

std::optional<Reg> multiple_steps(Context& cx, Reg cell, Reg number, bool never_negative,
                                  const StepSet& steps) {
  const int most = cx.facts.compass().beyond_all_multiples(), least = never_negative ? 0 : -most;
  if (at((most - least + 1) * cx.board().cells) > kMostSetsOfTable) return std::nullopt;
  std::vector<std::int16_t> key{static_cast<std::int16_t>(least)};
  steps.each([&](int s) { key.push_back(static_cast<std::int16_t>(s)); });
  const auto [known, fresh] =
      cx.tables.multiples.try_emplace(key, static_cast<std::int32_t>(cx.code.set_tables.size()));
  if (fresh) cx.code.set_tables.push_back(table_of_multiples(cx, steps, least, most));
  const Reg entry = never_negative ? number : cx.e.number_value(Ir::add, number, cx.e.number_constant(most));
  return cx.e.set_value(Ir::set_table, cell, entry, 0, known->second);
}

std::vector<std::int16_t> everywhere(const Context& cx) {
  std::vector<std::int16_t> place;
  for (int c = 0; c < cx.board().cells; ++c)
    place.push_back(cx.board().all.test(c) ? static_cast<std::int16_t>(c) : kNowhere);
  return place;
}

std::int32_t place_table(Context& cx, const std::vector<std::int16_t>& place) {
  const auto [known, fresh] =
      cx.tables.places.try_emplace(place, static_cast<std::int32_t>(cx.code.places.size()));
  if (fresh) cx.code.places.push_back(place);
  return known->second;
}

std::int32_t steps_table(Context& cx, const StepSet& steps) {
  std::vector<std::int16_t> all;
  steps.each([&](int s) { all.push_back(static_cast<std::int16_t>(s)); });
  const auto [known, fresh] =
      cx.tables.steps.try_emplace(all, static_cast<std::int32_t>(cx.code.steps.size()));
  if (fresh) cx.code.steps.push_back(all);
  return known->second;
}

Reg stepped(Context& cx, Reg from, int step, bool back) {
  if (from == cx.no_cells) return cx.no_cells;
  const auto groups = by_distance(cx.board().steps[at(step)].to, back);
  if (groups.size() > kMostShifts)
    return cx.e.set_value(back ? Ir::set_step_back : Ir::set_step, from, 0, 0, step);
  Reg all = cx.no_cells;
  for (const auto& [by, cells] : groups)
    all = unite(cx, all, cx.e.set_value(Ir::set_shift, from, cx.e.set_constant(cells), 0, by));
  return all;
}

Reg stepped(Context& cx, Reg from, const StepSet& steps, bool back) {
  Reg all = cx.no_cells;
  steps.each([&](int s) { all = unite(cx, all, stepped(cx, from, s, back)); });
  return all;
}

int longest_line(const Context& cx, int step) {
  const auto& to = cx.board().steps[at(step)].to;
  int longest = 0;
  for (int cell = 0; cell < cx.board().cells; ++cell) {
    int length = 0;
    for (int c = to[at(cell)]; c != kNowhere; c = to[at(c)]) ++length;
    longest = std::max(longest, length);
  }
  return longest;
}

Reg ran(Context& cx, Reg from, int step, Reg through) {
  if (from == cx.no_cells || through == cx.no_cells) return cx.no_cells;
  const auto& to = cx.board().steps[at(step)].to;
  const auto groups = by_distance(to);
  if (groups.size() != 1 || groups.begin()->first == 0)
    return cx.e.set_value(Ir::set_run, from, through, 0, step);
  CellSet arrivals;
  for (const std::int16_t c : to)
    if (c != kNowhere) arrivals.set(c);
  const int longest = longest_line(cx, step);
  int rounds = 0;
  while (1 << rounds < longest) ++rounds;
  return cx.e.set_value(Ir::set_run_shift, from, through, cx.e.set_constant(arrivals), groups.begin()->first,
                        0, rounds);
}

Reg rays(Context& cx, Ir op, Reg cell, const StepSet& steps, Reg through) {
  if (steps.none()) return cx.no_cells;
  if (op == Ir::set_rays && through == cx.all_cells && cx.mode == Mode::search)
    return cx.e.set_value(Ir::set_table, cell, cx.e.number_constant(0), 0, ray_table(cx, steps));
  return cx.e.set_value(op, cell, through, 0, steps_table(cx, steps));
}

Reg flooded(Context& cx, Reg from, const StepSet& steps, Reg through) {
  if (steps.none() || from == cx.no_cells) return from;
  return cx.e.set_value(Ir::set_flood, from, through, 0, steps_table(cx, steps));
}

} // namespace boardwright::runtime::lowering
