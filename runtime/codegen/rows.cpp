// Rows of cells: is there one of so many through a cell?
//
// Along each axis only the cells that a row through the cell could have matter, which are fewer than the
// length to each side: its window. Those of the window that are in the set are drawn together (pext), in the
// order of the line, and a row is so many ones side by side.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"

#include <algorithm>

namespace boardwright::runtime::codegen {

namespace {

// A window, and as many bits again as the ones are moved by, fit a word.
constexpr int kLongestRow = 16;

// The cells in line with each cell along one axis that a row may need.
struct Axis {
  int words = 0;                    // so many words of a set are looked at,
  std::vector<std::int32_t> from;   // by cell: from this word on,
  std::vector<std::int32_t> before; // so many of the cells come before it,
  std::vector<std::uint64_t> masks; // and they are these, word by word
};

// Nothing where the cells aren't numbered in the order of the line.
[[nodiscard]] std::optional<Axis> axis_of(const std::int16_t* to, int cells, int length, bool one_way,
                                          int words) {
  std::vector<std::int16_t> back(at(cells), -1);
  bool grows = true, shrinks = true;
  for (int cell = 0; cell < cells; ++cell) {
    if (to[cell] < 0) continue;
    grows = grows && to[cell] > cell;
    shrinks = shrinks && to[cell] < cell;
    back[at(to[cell])] = static_cast<std::int16_t>(cell);
  }
  if ((!grows && !shrinks) || length > kLongestRow) return std::nullopt;
  Axis axis;
  std::vector<std::vector<int>> windows;
  for (int cell = 0; cell < cells; ++cell) {
    auto& window = windows.emplace_back();
    window.push_back(cell);
    for (int on = to[cell], n = 1; on >= 0 && n < length; on = to[on], ++n) window.push_back(on);
    for (int on = back[at(cell)], n = 1; on >= 0 && n < length && !one_way; on = back[at(on)], ++n)
      window.push_back(on);
    std::sort(window.begin(), window.end());
    axis.words = std::max(axis.words, window.back() / 64 - window.front() / 64 + 1);
  }
  for (int cell = 0; cell < cells; ++cell) {
    const auto& window = windows[at(cell)];
    const int from = std::min(window.front() / 64, words - axis.words);
    std::vector<std::uint64_t> masks(at(axis.words));
    for (const int c : window) masks[at(c / 64 - from)] |= std::uint64_t{1} << (c % 64);
    axis.from.push_back(from);
    axis.before.push_back(static_cast<std::int32_t>(
        std::count_if(window.begin(), window.end(), [cell](int c) { return c < cell; })));
    axis.masks.insert(axis.masks.end(), masks.begin(), masks.end());
  }
  return axis;
}

} // namespace

// The windows of each cell stand in the code: for sets of one word the masks, for others each mask behind the
// place of its first word in the set and the number of cells before the cell. Those of -1 come first, and
// have no cells.
bool Generator::row(const I& i) {
  if (i.op != Op::if_row && i.op != Op::if_no_row) return false;
  const ir::Row& row = code_.rows[i.c];
  const int cells = code_.layout.cells;
  std::vector<Axis> axes;
  int stride = 0;
  for (const std::int16_t step : row.steps) {
    auto axis = axis_of(around_.to + at(step) * at(cells), cells, row.length, row.one_way, words_);
    if (!axis) return false;
    stride += axis->words + (words_ > 1 ? 1 : 0);
    axes.push_back(std::move(*axis));
  }
  if (axes.empty()) return false;
  const auto [windows, fresh_table] = row_windows_.try_emplace(i.c);
  if (fresh_table) {
    windows->second.label = a_.newLabel();
    auto& all = windows->second.words;
    all.assign(at(stride), 0);
    for (int cell = 0; cell < cells; ++cell)
      for (const Axis& axis : axes) {
        if (words_ > 1)
          all.push_back(static_cast<std::uint64_t>(8 * axis.from[at(cell)]) |
                        static_cast<std::uint64_t>(axis.before[at(cell)]) << 32);
        const auto masks = axis.masks.begin() + std::ptrdiff_t{cell} * axis.words;
        all.insert(all.end(), masks, masks + axis.words);
      }
  }
  const Gp cell = read(number(i.a)), place = fresh(), table = fresh();
  a_.movsxd(place, cell.r32());
  a_.imul(place, place, 8 * stride);
  a_.lea(table, x86::ptr(windows->second.label, 8 * stride));
  a_.add(place, table);
  unpin(table);
  const Gp found = fresh();
  if (words_ == 1) {
    const Gp set = copy_of(word(i.b, 0));
    a_.bts(set, cell);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const Gp line = fresh();
      a_.pext(line, set, x86::qword_ptr(place, 8 * static_cast<int>(k)));
      join_row(row.length, line, found, k == 0);
    }
  } else {
    unpin(cell);
    int begin = 0;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const Gp line = line_of(axes[k].words, i.b, place, 8 * begin);
      join_row(row.length, line, found, k == 0);
      begin += axes[k].words + 1;
    }
  }
  jump_if(i.op == Op::if_row ? x86::CondCode::kNZ : x86::CondCode::kZ, i);
  return true;
}

// The window along one axis, whose masks are there, with the cell itself, from sets of several words.
Gp Generator::line_of(int words, Reg set, const Gp& place, int begin) {
  const auto mask = [&](int k) { return x86::qword_ptr(place, begin + 8 + 8 * k); };
  const Gp line = fresh(), part = fresh(), from = fresh();
  const bool whole = words == words_ && words_ == 2;
  const auto read_word = [&](int k) {
    if (whole) return read(word(set, k));
    a_.mov(part, x86::qword_ptr(sets_, from, 0, 8 * (set * words_ + k)));
    return part;
  };
  if (!whole) a_.mov(from.r32(), x86::dword_ptr(place, begin));
  a_.pext(line, read_word(words - 1), mask(words - 1));
  const Gp size = fresh();
  for (int k = words - 2; k >= 0; --k) {
    a_.popcnt(size, mask(k));
    a_.shlx(line, line, size);
    a_.pext(part, read_word(k), mask(k));
    a_.or_(line, part);
  }
  a_.mov(size.r32(), x86::dword_ptr(place, begin + 4));
  a_.bts(line, size);
  for (const Gp& reg : {part, from, size}) unpin(reg);
  return line;
}

// What has been found has a member more if there are so many ones side by side; the zero flag says whether it
// has none.
void Generator::join_row(int length, const Gp& line, const Gp& found, bool first) {
  const Gp moved = fresh();
  for (int have = 1; have < length;) {
    const int by = std::min(have, length - have);
    a_.rorx(moved, line, by); // what comes round at the other end meets nothing
    a_.and_(line, moved);
    have += by;
  }
  unpin(moved);
  if (first) {
    a_.mov(found, line);
    a_.test(found, found);
  } else {
    a_.or_(found, line);
  }
  unpin(line);
}

} // namespace boardwright::runtime::codegen

#endif
