// Rows of cells: is there one of so many through a cell?
//
// Along each axis only the cells that a row through the cell could have matter, which are fewer than the
// length to each side: its window. Those of the window that are in the set are drawn together (pext), in the
// order of the line, and a row is so many ones side by side.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/rows.hpp"

#include <algorithm>
#include <bit>

namespace boardwright::runtime::codegen {

namespace {

void line_of(Generator& g, int words, Reg set, const Gp& place, std::int32_t& next, std::int32_t& shifts,
             int base, const Gp& line);
void side_by_side(Generator& g, int length, const Gp& line);

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

// So many axes share one word: each has room for its longest window and a bit that stays empty.
[[nodiscard]] int axes_in_a_word(int length) { return 64 / (2 * length); }

// What is known of each cell, word by word, as `row` reads it. First that of -1, which has no cells.
class WindowTable {
public:
  WindowTable(const std::vector<Axis>& axes, int length, int words, int cells) : words_(words) {
    const int together = axes_in_a_word(length);
    for (int cell = -1; cell < cells; ++cell) {
      if (words == 1) {
        for (const Axis& axis : axes) all.push_back(cell < 0 ? 0 : axis.masks[at(cell)]);
        continue;
      }
      for (std::size_t first = 0; first < axes.size(); first += at(together)) {
        const std::size_t end = std::min(axes.size(), first + at(together));
        begin_group(axes, first, end);
        for (std::size_t k = first; k < end && cell >= 0; ++k)
          add_axis(axes[k], cell, 2 * length * static_cast<int>(k - first));
        all.insert(all.end(), group_.begin(), group_.end());
      }
    }
    stride = static_cast<int>(all.size() / at(cells + 1));
  }

  // Of a group: the word with the bits of the cell itself; bytes by which parts behind the first of each axis
  // are moved; then by axis the place of its first word in the set, if it doesn't have all words, and the
  // masks.
  [[nodiscard]] static int words_of_shifts(const std::vector<Axis>& axes, std::size_t first,
                                           std::size_t end) {
    int shifts = 0;
    for (std::size_t k = first; k < end; ++k) shifts += axes[k].words - 1;
    return (shifts + 7) / 8;
  }

  std::vector<std::uint64_t> all;
  int stride = 0; // words of a cell

private:
  void begin_group(const std::vector<Axis>& axes, std::size_t first, std::size_t end) {
    next_ = 1 + at(words_of_shifts(axes, first, end));
    std::size_t size = next_;
    for (std::size_t k = first; k < end; ++k) size += at(axes[k].words + (axes[k].words < words_ ? 1 : 0));
    group_.assign(size, 0);
    shift_ = 0;
  }
  void add_axis(const Axis& axis, int cell, int base) {
    group_[0] |= std::uint64_t{1} << (base + axis.before[at(cell)]);
    if (axis.words < words_) group_[next_++] = static_cast<std::uint64_t>(8 * axis.from[at(cell)]);
    for (int k = 0; k < axis.words; ++k) {
      if (k > 0) {
        group_[1 + at(shift_ / 8)] |= static_cast<std::uint64_t>(base) << (8 * (shift_ % 8));
        ++shift_;
      }
      const std::uint64_t mask = axis.masks[at(cell * axis.words + k)];
      base += std::popcount(mask);
      group_[next_++] = mask;
    }
  }

  int words_ = 1, shift_ = 0;
  std::size_t next_ = 0;
  std::vector<std::uint64_t> group_;
};

// None where the cells along one of them aren't numbered in its order.
[[nodiscard]] std::vector<Axis> axes_of(const Generator& g, const ir::Row& row) {
  const int cells = g.code.layout.cells;
  std::vector<Axis> axes;
  for (const std::int16_t step : row.steps) {
    auto axis = axis_of(g.around.to + at(step) * at(cells), cells, row.length, row.one_way, g.words);
    if (!axis) return {};
    axes.push_back(std::move(*axis));
  }
  return axes;
}

// The table of a kind of row, which is made when it is first wanted.
[[nodiscard]] const RowWindows& windows_of(Generator& g, std::size_t row, const std::vector<Axis>& axes) {
  const auto [windows, fresh_table] = g.row_windows.try_emplace(row);
  if (fresh_table) {
    WindowTable table(axes, g.code.rows[row].length, g.words, g.code.layout.cells);
    windows->second = {g.a.newLabel(), std::move(table.all), table.stride};
  }
  return windows->second;
}

// The place of a cell's windows.
void find_windows(Generator& g, const RowWindows& windows, const Gp& cell, bool is_cell, const Gp& place) {
  const Gp table = g.fresh();
  if (is_cell) {
    g.a.imul(place.r32(), cell.r32(), 8 * windows.stride);
  } else {
    g.a.movsxd(place, cell.r32());
    g.a.imul(place, place, 8 * windows.stride);
  }
  g.a.lea(table, x86::ptr(windows.label, 8 * windows.stride));
  g.a.add(place, table);
  g.unpin(table);
}

// The cells in the windows of a group of axes are drawn into one word, `line`. The windows stand `next` bytes
// from the place, which goes on behind them. A set of one word has the cell itself in it, and is given.
void draw_together(Generator& g, const std::vector<Axis>& axes, std::size_t first, std::size_t end,
                   int length, const std::optional<Gp>& set, Reg words, const Gp& place, std::int32_t& next,
                   const Gp& line) {
  const Gp part = g.fresh();
  std::int32_t shifts = next + 8;
  if (!set) {
    g.a.mov(line, x86::qword_ptr(place, next));
    next = shifts + 8 * WindowTable::words_of_shifts(axes, first, end);
  }
  for (std::size_t k = first; k < end; ++k) {
    const int base = 2 * length * static_cast<int>(k - first);
    if (!set) {
      line_of(g, axes[k].words, words, place, next, shifts, base, line);
      continue;
    }
    const Gp to = k == first ? line : part;
    g.a.pext(to, *set, x86::qword_ptr(place, next));
    next += 8;
    if (k == first) continue;
    g.a.shl(part, base);
    g.a.or_(line, part);
  }
  g.unpin(part);
}

} // namespace

// The windows of each cell stand in the code. Those of several axes are drawn into one word, with a bit
// between them that stays empty, and looked at together.
bool row(Generator& g, const I& i) {
  if (i.op != Op::if_row && i.op != Op::if_no_row) return false;
  const int length = g.code.rows[i.c].length;
  const std::vector<Axis> axes = axes_of(g, g.code.rows[i.c]);
  if (axes.empty()) return false;
  const RowWindows& windows = windows_of(g, i.c, axes);
  const Gp cell = g.read(g.number(i.a)), place = g.fresh();
  find_windows(g, windows, cell, g.is_cell(i.a), place);
  std::optional<Gp> set;
  if (g.words == 1) {
    set = g.copy_of(g.word(i.b, 0));
    g.a.bts(*set, cell);
  } else {
    g.unpin(cell);
  }
  const Gp found = g.fresh();
  const int together = axes_in_a_word(length);
  std::int32_t next = 0; // bytes from the place
  for (std::size_t first = 0; first < axes.size(); first += at(together)) {
    const std::size_t end = std::min(axes.size(), first + at(together));
    const Gp line = first == 0 ? found : g.fresh();
    draw_together(g, axes, first, end, length, set, i.b, place, next, line);
    side_by_side(g, length, line);
    if (first == 0) continue;
    g.a.or_(found, line);
    g.unpin(line);
  }
  g.jump_if(i.op == Op::if_row ? x86::CondCode::kNZ : x86::CondCode::kZ, i);
  return true;
}

namespace {

// What is in the window along one axis, whose masks come next, joins the line from bit `base` on. Of sets of
// several words.
void line_of(Generator& g, int words, Reg set, const Gp& place, std::int32_t& next, std::int32_t& shifts,
             int base, const Gp& line) {
  const Gp part = g.fresh(), from = g.fresh();
  const bool whole = words == g.words;
  if (!whole) {
    g.a.mov(from.r32(), x86::dword_ptr(place, next));
    next += 8;
  }
  for (int k = 0; k < words; ++k, next += 8) {
    Gp source = part;
    if (const auto known = whole ? g.find(g.word(set, k)) : std::nullopt) {
      source = *known;
      g.unpin(source);
    } else if (whole) {
      g.a.mov(part, g.memory(g.word(set, k)));
    } else {
      g.a.mov(part, x86::qword_ptr(g.sets, from, 0, 8 * (set * g.words + k)));
    }
    g.a.pext(part, source, x86::qword_ptr(place, next));
    if (k > 0) {
      const Gp by = whole ? from : g.fresh();
      g.a.movzx(by.r32(), x86::byte_ptr(place, shifts++));
      g.a.shlx(part, part, by);
      if (!whole) g.unpin(by);
    } else if (base > 0) {
      g.a.shl(part, base);
    }
    g.a.or_(line, part);
  }
  g.unpin(part);
  g.unpin(from);
}

// Leaves a bit where so many ones stand side by side; the zero flag says whether there is none, if that is
// more than one.
void side_by_side(Generator& g, int length, const Gp& line) {
  const Gp moved = g.fresh();
  for (int have = 1; have < length;) {
    const int by = std::min(have, length - have);
    g.a.rorx(moved, line, by); // what comes round at the other end meets nothing
    g.a.and_(line, moved);
    have += by;
  }
  if (length == 1) g.a.test(line, line);
  g.unpin(moved);
}

} // namespace

} // namespace boardwright::runtime::codegen

#endif
