// The part of a board without edges that a drawing shows: what is there, with a little room around it, drawn
// together even where it lies across the seam. Cells keep their names.
#pragma once

#include "interpreter/look.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"
#include "tools/drawing/board_text.hpp"

#include <vector>

namespace boardwright::tools {

// On a board with edges the window is the whole board. What it was made of must outlive it.
class BoardWindow {
public:
  // `shown`: cells that are to be seen besides those with pieces.
  BoardWindow(const runtime::Program& program, const runtime::Position& position,
              const interpreter::Look* look, const runtime::CellSet& shown);

  [[nodiscard]] const runtime::Program& program() const { return is_whole_ ? whole_ : program_; }
  [[nodiscard]] const runtime::Position& position() const { return is_whole_ ? all_ : position_; }
  [[nodiscard]] const interpreter::Look* look() const {
    return is_whole_ || given_ == nullptr ? given_ : &look_;
  }
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

  const runtime::Program& whole_;
  const runtime::Position& all_;
  const interpreter::Look* given_;
  bool is_whole_;
  std::vector<int> cells_;   // of the window: the cells of the whole board
  std::vector<int> of_cell_; // and back, or -1
  std::vector<int> x_, y_;   // of the window, by its cells
  int files_ = 0, ranks_ = 0;
  runtime::Program program_;
  runtime::Position position_;
  interpreter::Look look_;
};

[[nodiscard]] runtime::CellSet cells_with_pieces(const runtime::Position& position);
[[nodiscard]] runtime::CellSet cells_of(const BoardMarks& marks);

} // namespace boardwright::tools
