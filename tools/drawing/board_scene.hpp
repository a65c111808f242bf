// What all drawings of a position share: colours, the sign of each piece, the shade of each cell.
#pragma once

#include "interpreter/look/look.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

struct Colour {
  std::uint8_t r = 0, g = 0, b = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};
[[nodiscard]] Colour parse_colour(std::string_view text); // "#rrggbb"
[[nodiscard]] std::string colour_text(Colour colour);     // the same back
[[nodiscard]] Colour mixed(Colour a, Colour b, double share_of_b);
// How far two colours can be told apart by their lightness alone, from 1 to 21.
[[nodiscard]] double contrast(Colour a, Colour b);

struct PieceSign {
  interpreter::Shape shape = interpreter::Shape::disc; // never automatic
  std::string text;                                    // on the shape, or alone; may be empty
  Colour fill, ink;                                    // of the piece, and of what is drawn on it
  Colour rim; // the owner's: another than `fill` where `look` gives one
};

class Scene {
public:
  // `shade_from`: the shade of a cell at 0, 0, as of a part of a larger board.
  Scene(const runtime::Program& program, const interpreter::Look* look, int shade_from = 0);

  [[nodiscard]] const runtime::Program& program() const { return program_; }
  [[nodiscard]] const runtime::Board& board() const { return program_.board; }
  [[nodiscard]] const interpreter::Look& look() const { return *look_; }

  // Where a cell is drawn: on a board that is turned round the last file comes first.
  [[nodiscard]] int x_of(int cell, bool flipped) const {
    const int x = board().x[static_cast<std::size_t>(cell)];
    return flipped ? board().files + 1 - x : x;
  }
  [[nodiscard]] int y_of(int cell, bool flipped) const {
    const int y = board().y[static_cast<std::size_t>(cell)];
    return flipped ? board().ranks + 1 - y : y;
  }

  [[nodiscard]] Colour owner(int player) const; // below 0: neutral
  [[nodiscard]] const PieceSign& sign(runtime::Piece piece) const;
  // 0 or 1 on squares, 0 to 2 on hexes: neighbours have another one.
  [[nodiscard]] int shade(int cell) const;
  [[nodiscard]] int region(int cell) const { return region_[static_cast<std::size_t>(cell)]; } // -1: none
  [[nodiscard]] Colour region_colour(int region) const;
  [[nodiscard]] bool narrow_file(int x) const { return narrow_file_[static_cast<std::size_t>(x)]; }
  [[nodiscard]] bool narrow_rank(int y) const { return narrow_rank_[static_cast<std::size_t>(y)]; }
  // Boards that lie side by side, told by their colour: a little room is between this file, or rank, and the
  // next one.
  [[nodiscard]] bool seam_behind_file(int x) const { return seam_file_[static_cast<std::size_t>(x)]; }
  [[nodiscard]] bool seam_behind_rank(int y) const { return seam_rank_[static_cast<std::size_t>(y)]; }
  [[nodiscard]] bool drawn_empty(int cell) const { return !look_->nothing.test(cell); }
  [[nodiscard]] bool points() const { return look_->cells == interpreter::CellLook::points; }
  // Of hexes: files stand upright, and ranks go up or down, by half a cell from file to file.
  [[nodiscard]] bool upright() const { return board().hexes && look_->upright; }
  [[nodiscard]] bool pits() const { return look_->cells == interpreter::CellLook::pits; }
  [[nodiscard]] bool hidden(const std::string& name) const;

private:
  void choose_owner_colours();
  void choose_signs();
  [[nodiscard]] PieceSign sign_of(std::size_t kind, std::size_t owner, bool plain) const;
  void find_narrow();
  void find_seams();
  enum class Next : std::uint8_t { same, different, mixed };
  [[nodiscard]] Next across_file(int x) const;
  [[nodiscard]] Next across_rank(int y) const;

  const runtime::Program& program_;
  interpreter::Look none_; // where no look is given
  const interpreter::Look* look_;
  int shade_from_;
  std::vector<Colour> owners_;                // by player, then neutral
  std::vector<std::vector<PieceSign>> signs_; // by kind, then by player, then neutral
  std::vector<int> region_;
  std::vector<bool> narrow_file_, narrow_rank_; // from 1
  std::vector<bool> seam_file_, seam_rank_;     // likewise
};

} // namespace boardwright::tools
