// What the executor looks up: constants, neighbours, lines, words of the notation. Made once for a program.
#pragma once

#include "runtime/codegen/native_code.hpp"
#include "runtime/executor/memory.hpp"
#include "runtime/executor/takes.hpp"
#include "runtime/ir/ir.hpp"
#include "runtime/model/compass.hpp"
#include "runtime/model/numbering.hpp"
#include "runtime/model/once.hpp"
#include "runtime/model/pieces.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace boardwright::runtime::executor {

template <int W>
[[nodiscard]] Bits<W> narrow(const CellSet& wide) {
  Bits<W> set;
  for (unsigned i = 0; i < W; ++i) set.word[i] = wide.word[i];
  return set;
}
template <int W>
[[nodiscard]] CellSet widen(const Bits<W>& set) {
  CellSet wide;
  for (unsigned i = 0; i < W; ++i) wide.word[i] = set.word[i];
  return wide;
}

// Native code is made when it is first asked for; there may be none.
class NativeOnce {
public:
  template <class Make>
  const codegen::NativeCode* get(Make&& make) const {
    once_.run([&] { code_ = make(); });
    return code_.get();
  }

private:
  mutable Once once_;
  mutable std::unique_ptr<const codegen::NativeCode> code_;
};

// What a step of the rules is worth on an account (price.hpp), in such parts: found out when it is first
// asked for.
inline constexpr std::uint32_t kWholePrice = 1 << 16;

class PriceOnce {
public:
  template <class Find>
  std::uint32_t get(Find&& find) const {
    once_.run([&] { price_ = find(); });
    return price_;
  }

private:
  mutable Once once_;
  mutable std::uint32_t price_ = kWholePrice;
};

template <int W>
struct Tables {
  using Set = Bits<W>;
  // Lines from every cell along one step. Where the numbers of the cells only grow (or only shrink) along it
  // the first cell in the way is the lowest (highest) bit; elsewhere the line is walked.
  struct Lines {
    int step = 0;
    bool grows = false, shrinks = false;
    std::vector<Set> ray; // by cell: all cells straight on from it
  };
  struct RowAxis {
    std::vector<std::int16_t> forth, back; // where one step along the axis leads
  };
  struct Rows {
    std::vector<RowAxis> axes;
    int length = 0;
  };

  Tables(const Program& p, const ir::Code& c);

  const Program& program;
  const ir::Code& code;
  Pieces pieces;
  Compass compass;
  Set board;
  std::vector<std::int16_t> to;          // by step * cells + cell
  std::vector<std::vector<Lines>> lines; // by list of steps
  std::vector<Rows> rows;
  struct Shift { // all members of `from` go as far
    int by = 0;
    Set from;
  };
  // By list of steps: the shifts that steps of a regular board are, and the steps that are none.
  std::vector<std::vector<Shift>> floods;
  std::vector<std::vector<int>> flood_steps;
  std::vector<std::vector<Set>> around; // by list of steps and cell: where they lead
  std::vector<Set> file, rank;          // by number, from 1
  std::vector<Set> files_to, ranks_to;  // the first so many of them together
  // By distance and remainder: the files and ranks whose numbers leave the remainder.
  std::vector<std::vector<Set>> every_file, every_rank;
  // By scale, where formations are fitted by it: where it takes each cell, by pivot * cells + cell. Nothing
  // for boards of so many cells that the table wouldn't stay in the processor's cache.
  std::vector<std::vector<std::int16_t>> scaled;
  // Do the numbers of cells grow evenly with files and ranks, by so many?
  bool even = false;
  int by_file = 0, by_rank = 0;
  bool asks_when = false;                          // does the code ask when an equal position stood?
  std::vector<Takes> takes;                        // by leaf: whose pieces may be taken
  std::vector<std::int32_t> first_kind;            // by owner index: the first kind that he has
  std::vector<ir::KeyText> cells_told, kinds_told; // what their names and letters do to the key of a text
  struct SetTable {
    std::int32_t numbers = 1;
    std::vector<Set> sets; // by cell * numbers + number
  };
  std::vector<SetTable> set_tables;
  NativeOnce native, native_games; // of whatever is asked; of random games
  PriceOnce price;

private:
  void find_neighbours(const std::vector<std::int16_t>& steps);
  void find_shifts(const std::vector<std::int16_t>& steps);
  [[nodiscard]] Lines lines_along(int step) const;
  void copy_set_tables();
  void find_rows();
  void find_files_and_ranks();
  void find_every_file_and_rank();
  void find_evenness();
  void find_scaled();
  void find_first_kinds();
  void find_keys_of_names();
};

template <int W>
Tables<W>::Tables(const Program& p, const ir::Code& c)
    : program(p), code(c), pieces(p), compass(p.board), board(narrow<W>(p.board.all)),
      takes(takes_by_leaf(c)) {
  for (const Step& step : p.board.steps) to.insert(to.end(), step.to.begin(), step.to.end());
  for (const auto& steps : c.steps) {
    find_shifts(steps);
    find_neighbours(steps);
    auto& all = lines.emplace_back();
    for (const int step : steps) all.push_back(lines_along(step));
  }
  copy_set_tables();
  find_rows();
  find_files_and_ranks();
  find_every_file_and_rank();
  find_evenness();
  find_scaled();
  find_first_kinds();
  find_keys_of_names();
  asks_when = std::any_of(c.instructions.begin(), c.instructions.end(),
                          [](const ir::Instruction& i) { return i.op == ir::Op::earlier; });
}

// Which of a list of steps a flood may carry out as shifts of a whole set.
template <int W>
void Tables<W>::find_shifts(const std::vector<std::int16_t>& steps) {
  auto& shifts = floods.emplace_back();
  auto& others = flood_steps.emplace_back();
  for (const int step : steps) {
    const auto groups = by_distance(program.board.steps[at(step)].to);
    if (groups.size() > kMostShifts) others.push_back(step);
    if (groups.size() > kMostShifts) continue;
    for (const auto& [by, from] : groups) shifts.push_back({by, narrow<W>(from)});
  }
}

template <int W>
void Tables<W>::find_neighbours(const std::vector<std::int16_t>& steps) {
  const Board& b = program.board;
  auto& neighbours = around.emplace_back(at(b.cells));
  for (const int step : steps)
    for (int cell = 0; cell < b.cells; ++cell)
      if (const int next = b.steps[at(step)].to[at(cell)]; next != kNowhere) neighbours[at(cell)].set(next);
}

template <int W>
typename Tables<W>::Lines Tables<W>::lines_along(int step) const {
  const Board& b = program.board;
  const auto& next = b.steps[at(step)].to;
  Lines l;
  l.step = step;
  l.ray.resize(at(b.cells));
  l.grows = l.shrinks = true;
  for (int cell = 0; cell < b.cells; ++cell) {
    if (next[at(cell)] == kNowhere) continue;
    l.grows = l.grows && next[at(cell)] > cell;
    l.shrinks = l.shrinks && next[at(cell)] < cell;
  }
  if (!l.grows && !l.shrinks) return l;
  for (int cell = 0; cell < b.cells; ++cell)
    for (int on = next[at(cell)]; on != kNowhere; on = next[at(on)]) l.ray[at(cell)].set(on);
  return l;
}

template <int W>
void Tables<W>::copy_set_tables() {
  for (const ir::SetTable& table : code.set_tables) {
    SetTable& t = set_tables.emplace_back();
    t.numbers = table.numbers;
    for (const CellSet& set : table.sets) t.sets.push_back(narrow<W>(set));
  }
}

template <int W>
void Tables<W>::find_rows() {
  const Board& b = program.board;
  for (const ir::Row& row : code.rows) {
    Rows& r = rows.emplace_back();
    r.length = row.length;
    for (const int step : row.steps) {
      RowAxis& axis = r.axes.emplace_back();
      axis.forth = b.steps[at(step)].to;
      axis.back.assign(at(b.cells), kNowhere);
      for (int cell = 0; cell < b.cells && !row.one_way; ++cell)
        if (axis.forth[at(cell)] != kNowhere)
          axis.back[at(axis.forth[at(cell)])] = static_cast<std::int16_t>(cell);
    }
  }
}

template <int W>
void Tables<W>::find_files_and_ranks() {
  const Board& b = program.board;
  file.resize(at(b.files + 1));
  rank.resize(at(b.ranks + 1));
  b.all.each([&](int cell) {
    file[at(b.x[at(cell)])].set(cell);
    rank[at(b.y[at(cell)])].set(cell);
  });
  const auto add_up = [](const std::vector<Set>& each, std::vector<Set>& sums) {
    sums = each;
    for (std::size_t k = 1; k < sums.size(); ++k) sums[k] |= sums[k - 1];
  };
  add_up(file, files_to);
  add_up(rank, ranks_to);
}

// Only boxes ask for them.
template <int W>
void Tables<W>::find_every_file_and_rank() {
  const Board& b = program.board;
  const bool boxes = std::any_of(code.instructions.begin(), code.instructions.end(),
                                 [](const ir::Instruction& i) { return i.op == ir::Op::set_box; });
  for (int apart = 0; boxes && apart <= std::max(b.files, b.ranks); ++apart)
    for (auto* every : {&every_file, &every_rank}) {
      const auto& each = every == &every_file ? file : rank;
      auto& sets = every->emplace_back(at(std::max(apart, 1)));
      for (std::size_t k = 1; k < each.size() && apart > 0; ++k) sets[k % at(apart)] |= each[k];
    }
}

template <int W>
void Tables<W>::find_first_kinds() {
  for (int owner = 0; owner <= pieces.players; ++owner) {
    int first = 0;
    while (first < pieces.kinds && pieces.code_of(owner == pieces.players ? -1 : owner, first) == 0) ++first;
    first_kind.push_back(first);
  }
}

template <int W>
void Tables<W>::find_keys_of_names() {
  for (const std::string& name : program.board.name) cells_told.push_back(ir::key_of_text(name));
  for (int kind = 0; kind < pieces.kinds; ++kind)
    kinds_told.push_back(ir::key_of_text(std::string(1, program.letter_of_kind(kind))));
}

template <int W>
void Tables<W>::find_scaled() {
  constexpr int kMostCellsScaled = 256;
  const Board& b = program.board;
  scaled.resize(code.scales.size());
  const auto place = [&](int c, int pivot, ir::Scale scale) { // 0: between two cells
    const int from = (c - pivot) * scale.by;
    return from % scale.over == 0 ? pivot + from / scale.over : 0;
  };
  for (const ir::Instruction& i : code.instructions) {
    if (i.op != ir::Op::set_fitting || b.cells > kMostCellsScaled) continue;
    auto& goals = scaled[at(i.x)];
    const ir::Scale scale = code.scales[at(i.x)];
    if (!goals.empty()) continue;
    goals.assign(at(b.cells) * at(b.cells), kNowhere);
    b.all.each([&](int p) {
      b.all.each([&](int c) {
        goals[at(p * b.cells + c)] = static_cast<std::int16_t>(
            b.cell_at(place(b.x[at(c)], b.x[at(p)], scale), place(b.y[at(c)], b.y[at(p)], scale)));
      });
    });
  }
}

// A board without holes, or one whose holes have numbers that are kept free.
template <int W>
void Tables<W>::find_evenness() {
  const Board& b = program.board;
  const int first = b.all.first();
  if (first < 0) return;
  const int x = b.x[at(first)], y = b.y[at(first)];
  even = true;
  const auto look = [&](auto&& see) { b.all.each([&](int c) { see(c, b.x[at(c)] - x, b.y[at(c)] - y); }); };
  look([&](int c, int dx, int dy) {
    if (dy == 0 && dx == 1) by_file = c - first;
    if (dx == 0 && dy == 1) by_rank = c - first;
  });
  look([&](int c, int dx, int dy) { even = even && c - first == dx * by_file + dy * by_rank; });
  // A cell must not come to a hole whose number is another cell's.
  even = even && b.all.count() == b.files * b.ranks;
}

} // namespace boardwright::runtime::executor
