// The shape of a board before anything stands on it: coordinates, names, holes, and where steps lead.
//
// A Geometry knows the whole bounding box, holes included, because a hole's name may be the corner of a
// rectangle and steps may lead over holes. The runtime's Board, made from it, numbers the cells that are
// left, densely.
#pragma once

#include "dsl/rule_file.hpp"
#include "runtime/model/board.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::interpreter {

struct Place { // coordinates in the bounding box, from 1
  int x = 0, y = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Vector { // a displacement
  int dx = 0, dy = 0;
  friend auto operator<=>(const Vector&, const Vector&) = default;
};

// The longest side of a board's bounding box; a board of one rank may be this long.
inline constexpr int kMaxSide = 512;

// The name that a place has where the file gives it none: file and rank, or row and column from the top left.
[[nodiscard]] std::string place_name(int x, int y, int files, int ranks, bool row_column,
                                     const std::string& left_out = "");

class Geometry {
public:
  bool hexes = false, hexagon = false, slant_right = false, over_holes = false;
  int files = 0, ranks = 0;
  // Of a board without edges: over how many files or ranks what stands on it may spread, and how many empty
  // ones are left beside that, which is how far a rule may look over empty cells. 0: the board has edges.
  int reach = 0, margin = 0;
  std::vector<bool> shape;   // by index(): part of the board's shape
  std::vector<bool> present; // part of the shape and no hole
  bool row_column_names = false;
  bool names_by_file = false;   // each file counts its cells from its lowest one on
  std::string letters_left_out; // no file is named by these

  // By explicit lines: from a place in a direction of the eight to the next place. Empty: steps are free.
  std::optional<std::map<std::pair<Place, Vector>, Place>> lines;
  std::vector<std::pair<std::string, std::vector<Place>>> tracks;

  [[nodiscard]] bool endless() const { return reach > 0; }
  // The cell in the middle of a board without edges, which is called `origin` besides its own name.
  [[nodiscard]] Place origin() const { return {(files + 1) / 2, (ranks + 1) / 2}; }

  [[nodiscard]] std::size_t index(Place p) const {
    return static_cast<std::size_t>(p.y - 1) * static_cast<std::size_t>(files) +
           static_cast<std::size_t>(p.x - 1);
  }
  [[nodiscard]] bool inside(Place p) const { return p.x >= 1 && p.y >= 1 && p.x <= files && p.y <= ranks; }
  [[nodiscard]] bool in_shape(Place p) const { return inside(p) && shape[index(p)]; }
  [[nodiscard]] bool is_cell(Place p) const { return inside(p) && present[index(p)]; }

  // Default names (a1 …, by each file's own count, or row and column from the top left), then those that the
  // file gives.
  void name_places();
  [[nodiscard]] std::optional<Place> find(const std::string& name) const;
  [[nodiscard]] const std::string& name(Place p) const { return names_[index(p)]; }
  // For a message: which cells there are instead of `name`, which is none but looks like one. Those of the
  // same file, else the lowest of the first file and the highest of the last. Empty for any other name.
  [[nodiscard]] std::string cells_instead_of(const std::string& name) const;
  void forget_name(Place p);
  void rename(Place p, const std::string& name); // one whose name is forgotten
  [[nodiscard]] const std::map<std::string, Place>& names() const { return by_name_; }

  // Where a displacement leads from a cell: over holes, along lines, as the board says.
  [[nodiscard]] std::optional<Place> leads(Place from, Vector by) const;

  // The sides of the shape, clockwise from the north, holes left out.
  [[nodiscard]] std::vector<std::vector<Place>> sides() const;

  // Directions by the board's shape.
  [[nodiscard]] std::vector<Vector> adjacent() const;
  [[nodiscard]] std::vector<Vector> diagonal() const;
  [[nodiscard]] std::vector<Vector> axes() const;
  [[nodiscard]] Vector turned(Vector v, std::int64_t degrees) const; // clockwise
  [[nodiscard]] std::vector<Vector> spins(Vector v) const;

  // The place that `p` goes to when the first player's forward is taken to another's.
  [[nodiscard]] Place mirrored(Place p, Vector first, Vector other) const;

  // The board without steps: cells numbered in board order.
  [[nodiscard]] runtime::Board make_board(bool stacks) const;

private:
  [[nodiscard]] std::optional<Place> leads_along_lines(Place from, Vector by) const;
  std::vector<std::string> names_;
  std::map<std::string, Place> by_name_;
};

// Fills in the table of one more displacement, or finds it. Returns its index, or -1 if the board has no room
// for it.
int intern_step(runtime::Board& board, const Geometry& geometry, Vector by);
// The step along a track (or back along it).
int intern_track(runtime::Board& board, const Geometry& geometry, int track, bool reversed);

} // namespace boardwright::interpreter
