// Steps of the board, whatever rules there are.
#include "runtime/lowering/facts/facts.hpp"

namespace boardwright::runtime::lowering {

// Two cells that become one couldn't be told apart any more.
bool Facts::injective(const StepSet& steps) const {
  bool good = true;
  steps.each([&](int s) {
    CellSet arrived;
    for (const std::int16_t c : board().steps[at(s)].to) {
      if (c == kNowhere) continue;
      good = good && !arrived.test(c);
      arrived.set(c);
    }
  });
  return good;
}

// Every step can be taken back.
bool Facts::goes_both_ways(const StepSet& steps) const {
  bool good = true;
  steps.each([&](int s) {
    const int back = compass_.opposite[at(s)];
    good = good && back >= 0 && steps.test(back);
    if (!good) return;
    const auto &to = board().steps[at(s)].to, &from = board().steps[at(back)].to;
    for (int cell = 0; cell < board().cells; ++cell)
      good = good && (to[at(cell)] == kNowhere || from[at(to[at(cell)])] == cell);
  });
  return good;
}

// A line: no two cells lead to one, and none comes round to itself.
bool Facts::is_line(int step) const {
  const auto& to = board().steps[at(step)].to;
  CellSet reached;
  for (int cell = 0; cell < board().cells; ++cell) {
    if (to[at(cell)] == kNowhere) continue;
    if (reached.test(to[at(cell)])) return false;
    reached.set(to[at(cell)]);
    int length = 0;
    for (int on = to[at(cell)]; on != kNowhere; on = to[at(on)])
      if (++length > board().cells) return false;
  }
  return true;
}

// Lines, one of them, or one and the way back.
bool Facts::is_axis(const StepSet& ways) const {
  bool good = ways.any() && ways.count() <= 2;
  ways.each([&](int s) { good = good && is_line(s); });
  if (!good || ways.count() == 1) return good;
  const int step = ways.first(), back = compass_.opposite[at(step)];
  if (back < 0 || !ways.test(back)) return false;
  const auto &to = board().steps[at(step)].to, &from = board().steps[at(back)].to;
  for (int cell = 0; cell < board().cells; ++cell) {
    if (to[at(cell)] != kNowhere && from[at(to[at(cell)])] != cell) return false;
    if (from[at(cell)] != kNowhere && to[at(from[at(cell)])] != cell) return false;
  }
  return true;
}

// Does the opposite of a step lead from everywhere back to where one came from, and from nowhere else?
bool Facts::leads_back(int step) const {
  const int back = compass_.opposite[at(step)];
  if (back < 0) return false;
  const auto &forth = board().steps[at(step)].to, &home = board().steps[at(back)].to;
  const auto returns = [&](const auto& there, const auto& again) {
    for (std::size_t c = 0; c < there.size(); ++c)
      if (there[c] != kNowhere && again[at(there[c])] != static_cast<std::int16_t>(c)) return false;
    return true;
  };
  return returns(forth, home) && returns(home, forth);
}

// Do the lines along some steps part at the cell where they start, and does none come back?
bool Facts::lines_part(const StepSet& steps) const {
  for (int c = 0; c < board().cells; ++c) {
    if (!board().all.test(c)) continue;
    CellSet seen = CellSet::of(c);
    bool good = true;
    steps.each([&](int s) {
      const auto& to = board().steps[at(s)].to;
      for (int cell = to[at(c)]; good && cell != kNowhere; cell = to[at(cell)]) {
        good = !seen.test(cell);
        seen.set(cell);
      }
    });
    if (!good) return false;
  }
  return true;
}

} // namespace boardwright::runtime::lowering
