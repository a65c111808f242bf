// Lines through cells.
#include "runtime/sprint/sprint_native_lines.hpp"

#include <algorithm>

namespace boardwright::runtime::machine::native {

std::unique_ptr<Lines> Lines::make(const Board& board, const std::vector<int>& steps, int words,
                                   bool with_stop) {
  if (words > 2) return nullptr;
  auto all = std::make_unique<Lines>();
  all->make_table(with_stop);
  std::vector<std::pair<int, int>> axes;
  for (const int step : steps) {
    const Step& s = board.steps[at(step)];
    const int back = board.step_by(-s.dx, -s.dy);
    if (std::find(steps.begin(), steps.end(), back) == steps.end()) return nullptr;
    if (step < back) axes.emplace_back(step, back);
  }
  all->axes_ = static_cast<int>(axes.size());
  for (int cell = 0; cell < board.cells; ++cell)
    for (const auto& [forth, back] : axes)
      if (!all->add(board, forth, back, cell)) return nullptr;
  return all;
}

bool Lines::add(const Board& board, int forth, int back, int cell) {
  const auto next = [&board](int step, int c) -> int { return board.steps[at(step)].to[at(c)]; };
  std::vector<int> cells;
  for (int c = cell; c != kNowhere && cells.size() <= kLongest; c = next(back, c)) cells.push_back(c);
  std::reverse(cells.begin(), cells.end());
  const std::size_t place = cells.size() - 1;
  for (int c = next(forth, cell); c != kNowhere && cells.size() <= kLongest; c = next(forth, c))
    cells.push_back(c);
  if (cells.size() > kLongest) return false;
  // Gathered bits are in the order of the cells' numbers.
  const bool falls = cells.size() > 1 && cells[0] > cells[1];
  if (falls) std::reverse(cells.begin(), cells.end());
  if (!std::is_sorted(cells.begin(), cells.end())) return false;
  Line& line = lines_.emplace_back();
  line.seen = table_.data() + ((falls ? cells.size() - 1 - place : place) << kLongest);
  for (const int c : cells) {
    line.cells[at(c) / 64] |= std::uint64_t{1} << (c % 64);
    line.in_first += c < 64 ? 1 : 0;
  }
  return true;
}

void Lines::make_table(bool with_stop) {
  constexpr std::size_t kStates = std::size_t{1} << kLongest;
  table_.resize(kLongest * kStates);
  for (int place = 0; place < kLongest; ++place) {
    for (std::size_t free = 0; free < kStates; ++free) {
      std::uint16_t& seen = table_[at(place) * kStates + free];
      for (const int way : {1, -1}) {
        for (int there = place + way; there >= 0 && there < kLongest; there += way) {
          const bool is_free = (free >> there & 1) != 0;
          if (is_free || with_stop) seen = static_cast<std::uint16_t>(seen | 1U << there);
          if (!is_free) break;
        }
      }
    }
  }
}

} // namespace boardwright::runtime::machine::native
