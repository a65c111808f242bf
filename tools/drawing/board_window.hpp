// The part of a board that a drawing shows: of one without edges what is there, with a little room around it,
// drawn together even where it lies across the seam; of any board a rectangle of it. Cells keep their names.
#pragma once

#include "interpreter/look/look.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"
#include "tools/drawing/board_edges.hpp"
#include "tools/drawing/board_labels.hpp"
#include "tools/drawing/draw_options.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

// Files and ranks of a drawing, counted from 1.
struct Rectangle {
  int file = 1, rank = 1; // the lowest
  int files = 0, ranks = 0;
};

// On a board with edges the window is the whole board. What it was made of must outlive it.
class BoardWindow {
public:
  // `shown`: cells that are to be seen besides those with pieces.
  BoardWindow(const runtime::Program& program, const runtime::Position& position,
              const interpreter::Look* look, const runtime::CellSet& shown);
  // A part of another window.
  BoardWindow(const BoardWindow& whole, const Rectangle& part);

  [[nodiscard]] const runtime::Program& program() const { return is_whole_ ? whole_ : program_; }
  [[nodiscard]] const runtime::Position& position() const { return is_whole_ ? all_ : position_; }
  [[nodiscard]] const interpreter::Look* look() const {
    return is_whole_ || given_ == nullptr ? given_ : &look_;
  }
  // Which file and rank of the whole board are the first ones here, and how many it has.
  [[nodiscard]] const Rectangle& place() const { return place_; }
  // Cells of the whole board as those of the window.
  [[nodiscard]] runtime::CellSet seen(const runtime::CellSet& cells) const;
  [[nodiscard]] std::vector<int> seen(const std::vector<int>& cells) const; // those that are seen
  [[nodiscard]] BoardMarks seen(const BoardMarks& marks) const;
  // And back.
  [[nodiscard]] int of_board(int cell) const {
    return is_whole_ ? cell : cells_[static_cast<std::size_t>(cell)];
  }

private:
  void choose(const runtime::CellSet& shown);
  void make_board();
  void make_position();
  void make_look();
  void look_at(int file, int rank, int cell); // of the window, and of the whole board

  const runtime::Program& whole_;
  const runtime::Position& all_;
  const interpreter::Look* given_;
  bool is_whole_;
  std::vector<int> cells_;   // of the window: the cells of the whole board
  std::vector<int> of_cell_; // and back, or -1
  std::vector<int> x_, y_;   // of the window, by its cells
  int files_ = 0, ranks_ = 0;
  Rectangle place_;
  runtime::Program program_;
  runtime::Position position_;
  interpreter::Look look_;
};

[[nodiscard]] runtime::CellSet cells_with_pieces(const runtime::Position& position);
[[nodiscard]] runtime::CellSet cells_of(const BoardMarks& marks);

// --- the part of a window that a terminal has room for, where it hasn't for all of it

struct Room {
  int columns = 0, rows = 0;
};

// Columns of the signs that tell where a board goes on, on both sides together, and rows.
inline constexpr int kSignColumnsAround = 4, kSignRowsAround = 2;

// The part of a window that is drawn in this room, with the signs around it; nothing where all of it is.
// `takes`: the room that drawing a part takes. Tells `part` what has become of it.
[[nodiscard]] std::optional<Rectangle> part_to_draw(const BoardWindow& whole, Room room, BoardPart& part,
                                                    const std::function<Room(const Rectangle&)>& takes);

// Around a drawing, what only the whole board tells of its part.
struct BoardFrame {
  Labels labels;
  std::vector<SideEdge> edges;
  std::vector<Arms> arms;
  runtime::CellSet stars;
  int shade_from = 0;
};
[[nodiscard]] BoardFrame frame_of(const Scene& scene);
[[nodiscard]] BoardFrame frame_of_part(const BoardFrame& whole, const BoardWindow& part);

// Signs where the board goes on: beside the first `rows` lines, which are of cells, and above and below.
[[nodiscard]] std::vector<std::string> with_signs(const std::vector<std::string>& lines, int rows,
                                                  const BoardWindow& whole, const Rectangle& part,
                                                  const DrawOptions& options);

} // namespace boardwright::tools
