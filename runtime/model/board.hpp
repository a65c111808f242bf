// The board as tables: names, coordinates, steps. Written once by the interpreter, then only read.
#pragma once

#include "runtime/model/value.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::runtime {

inline constexpr std::int16_t kNowhere = -1;

// A stack holds at most this many pieces: its height fits a byte.
inline constexpr int kMaxHeight = 255;

// A way to go from a cell to another: a displacement, or a track and its reverse.
struct Step {
  int dx = 0, dy = 0; // tracks: 0, 0
  int track = -1;     // which track; -1 for a displacement
  bool reversed = false;
  bool round = false;           // of a board without edges
  std::vector<std::int16_t> to; // by cell; kNowhere where the step leads to no cell

  // May who follows it come back to where he was?
  [[nodiscard]] bool may_return() const { return track >= 0 || round; }
};

struct Curve { // leaving `from` by step `leaving` one arrives on `to`, heading `heading`
  std::int16_t from = 0, leaving = 0, to = 0, heading = 0;
};

struct Board {
  bool hexes = false;
  bool stacks = false;
  bool slant_right = false; // of hexes: the third axis is north+east | south+west
  int files = 0, ranks = 0; // of the bounding box
  // Without edges: steps lead from the last file to the first and from the last rank to the first, and what
  // stands on the board spreads over so many files and ranks at the most, so that it never meets itself from
  // the other side. 0: the board has edges.
  int reach = 0;
  int origin = kNowhere;   // without edges: the cell to begin on, which is called so too
  int levels = kMaxHeight; // pieces that a cell has room for, with stacks
  // Cells are numbered 0.. in board order (a1, b1, …: by rank, from the bottom), without the holes.
  int cells = 0;
  std::vector<std::string> name; // by cell
  std::vector<int> x, y;         // by cell, from 1
  std::vector<std::int16_t> at;  // by (y-1)*files + (x-1): the cell, or kNowhere
  CellSet all;                   // every cell
  std::vector<Step> steps;
  std::vector<Curve> curves;
  std::vector<std::string> tracks; // names
  // Cells whose name is a number, for cell(n).
  std::vector<std::pair<std::int32_t, std::int16_t>> numbered;

  [[nodiscard]] bool endless() const { return reach > 0; }
  [[nodiscard]] int cell_at(int px, int py) const {
    if (px < 1 || py < 1 || px > files || py > ranks) return kNowhere;
    return at[static_cast<std::size_t>((py - 1) * files + (px - 1))];
  }
  // The cell that is so far from another, or kNowhere.
  [[nodiscard]] int cell_from(int cell, int dx, int dy) const;
  // z(c): on hexes the third coordinate; on squares as for hexes with slant left.
  [[nodiscard]] int z_of(int cell) const {
    const int cx = x[static_cast<std::size_t>(cell)], cy = y[static_cast<std::size_t>(cell)];
    return slant_right ? cx - cy + files : cx + cy - 1;
  }
  [[nodiscard]] int cell_named(std::string_view wanted) const; // kNowhere if there is none
  [[nodiscard]] int step_by(int dx, int dy) const;             // index of the displacement, or -1
  [[nodiscard]] int map(const CellMap& m, int cell) const;     // a cell or kNowhere
};

} // namespace boardwright::runtime
