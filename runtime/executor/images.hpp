// Where displacements and scales take sets of cells, and keys of what moves are told by.
#pragma once

#include "runtime/executor/drafts.hpp"
#include "runtime/executor/machine.hpp"
#include "runtime/ir/key_words.hpp"

#include <algorithm>

namespace boardwright::runtime::executor {

namespace keys {

// A key goes on with a set of cells. No cells write nothing, so they change nothing.
template <int W>
[[nodiscard]] std::uint64_t with_cells(std::uint64_t key, const Bits<W>& cells) {
  if (cells.none()) return key;
  for (unsigned w = 0; w < W; ++w) key += cells.word[w] * ir::kKeyOfWord[w];
  key *= ir::kKeyFactor;
  return key ^ key >> ir::kKeyShift;
}

} // namespace keys

// Every cell goes as far. Where numbers grow evenly with files and ranks all go at once.
template <int W>
Bits<W> displaced(Machine<W>& m, const Bits<W>& set, int dx, int dy) {
  const Board& board = m.tables.program.board;
  if (!m.tables.even) {
    m.charge(at(set.count()));
    Bits<W> found;
    set.each([&](int cell) {
      if (const int to = board.cell_at(board.x[at(cell)] + dx, board.y[at(cell)] + dy); to >= 0)
        found.set(to);
    });
    return found;
  }
  if (std::abs(dx) >= board.files || std::abs(dy) >= board.ranks) return {};
  // From where it doesn't leave the board: files and ranks from one up to another.
  const Bits<W> files = m.tables.files_to[at(std::min(board.files, board.files - dx))] -
                        m.tables.files_to[at(std::max(0, -dx))];
  const Bits<W> ranks = m.tables.ranks_to[at(std::min(board.ranks, board.ranks - dy))] -
                        m.tables.ranks_to[at(std::max(0, -dy))];
  const Bits<W> stays = set & files & ranks;
  const int by = dx * m.tables.by_file + dy * m.tables.by_rank;
  if (W == 1 || by == 0 || by <= -64 || by >= 64) return stays.moved(by);
  Bits<W> to; // by less than a word: mostly it is a few cells
  for (unsigned k = 0; k < W; ++k) {
    const std::uint64_t below = k > 0 ? stays.word[k - 1] : 0, above = k + 1 < W ? stays.word[k + 1] : 0;
    to.word[k] =
        by > 0 ? stays.word[k] << by | below >> (64 - by) : stays.word[k] >> -by | above << (64 + by);
  }
  return to;
}

namespace boxes {

// The coordinate that a scale takes `c` to, in half cells from the middle `m` (twice it); 0 where it is none.
[[nodiscard]] inline int scaled(int c, int m, ir::Scale scale) {
  const int from = (2 * c - m) * scale.by;
  int to = from;
  if (scale.over == 2) {
    if ((from & 1) != 0) return 0;
    to = from >> 1;
  } else if (scale.over != 1) {
    if (from % scale.over != 0) return 0;
    to = from / scale.over;
  }
  to += m;
  return to <= 0 || (to & 1) != 0 ? 0 : to >> 1;
}

} // namespace boxes

template <int W>
Bits<W> scaled(Machine<W>& m, const Bits<W>& set, const Bits<W>& about, ir::Scale scale) {
  m.charge(at(about.count() + 2 * set.count()));
  const Board& board = m.tables.program.board;
  const CellMap middle = maps::about_middle(board, about);
  Bits<W> found;
  if (middle.valid)
    set.each([&](int cell) {
      const int x = boxes::scaled(board.x[at(cell)], middle.px, scale);
      const int y = boxes::scaled(board.y[at(cell)], middle.py, scale);
      if (const int to = board.cell_at(x, y); to >= 0) found.set(to);
    });
  return found;
}

// The members of `pivots` about which every member of a set goes to one of `goals`.
template <int W>
Bits<W> fitting(Machine<W>& m, const Bits<W>& set, const Bits<W>& pivots, const Bits<W>& goals,
                std::int32_t by) {
  const Board& board = m.tables.program.board;
  const ir::Scale scale = m.code.scales[at(by)];
  Bits<W> found;
  std::uint64_t tried = 0;
  if (const auto& known = m.tables.scaled[at(by)]; !known.empty()) {
    pivots.each([&](int pivot) {
      const std::int16_t* const to = known.data() + pivot * board.cells;
      for (unsigned w = 0; w < W; ++w)
        for (std::uint64_t left = set.word[w]; left != 0; left &= left - 1) {
          ++tried;
          const int goal = to[w * 64 + static_cast<unsigned>(std::countr_zero(left))];
          if (goal < 0 || !goals.test(goal)) return;
        }
      found.set(pivot);
    });
    m.charge(tried);
    return found;
  }
  pivots.each([&](int pivot) {
    const int px = 2 * board.x[at(pivot)], py = 2 * board.y[at(pivot)];
    for (int w = 0; w < W; ++w)
      for (std::uint64_t left = set.word[static_cast<unsigned>(w)]; left != 0; left &= left - 1) {
        ++tried;
        const std::size_t cell = at(w * 64 + std::countr_zero(left));
        const int to =
            board.cell_at(boxes::scaled(board.x[cell], px, scale), boxes::scaled(board.y[cell], py, scale));
        if (to < 0 || !goals.test(to)) return;
      }
    found.set(pivot);
  });
  m.charge(2 * tried);
  return found;
}

// What is told by a key is one move, or more than one cell of a set; once a key comes again it is alike.
template <int W>
bool is_new(Machine<W>& m, std::uint64_t key) {
  const bool fresh = m.once.add(keys::folded(key)) == 1;
  m.alike = m.alike || !fresh;
  return fresh;
}

} // namespace boardwright::runtime::executor
