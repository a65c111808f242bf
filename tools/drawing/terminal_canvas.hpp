// A picture made of characters in colours, for a terminal.
#pragma once

#include "tools/drawing/board_scene.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

// Columns that a text takes in a terminal: Chinese characters and their like take two.
[[nodiscard]] int columns_of(std::string_view text);

// How many colours a terminal has.
enum class Depth : std::uint8_t { none, sixteen, table, full };

class TerminalCanvas {
public:
  TerminalCanvas(int columns, int rows);

  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] int rows() const { return rows_; }

  // Row 0 is the top. What lies outside isn't drawn. Without a colour the one that is there stays.
  void put(int column, int row, std::string_view text, std::optional<Colour> ink = std::nullopt,
           bool bold = false);
  void fill(int column, int row, int width, Colour ground);
  [[nodiscard]] bool is_blank(int column, int row) const;

  // The columns [from, to) of a row.
  [[nodiscard]] std::string line(int row, int from, int to, Depth depth) const;

private:
  struct Place {
    std::string sign = " "; // "": the second column of the sign before
    std::optional<Colour> ink, ground;
    bool bold = false;
  };
  [[nodiscard]] std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }
  [[nodiscard]] const Place& at(int column, int row) const { return places_[index(column, row)]; }
  [[nodiscard]] Place& at(int column, int row) { return places_[index(column, row)]; }

  int columns_, rows_;
  std::vector<Place> places_;
};

// How much of a region's colour its cells have: more where the table of colours has little but greys near
// the colour of a board.
[[nodiscard]] constexpr double region_share(Depth depth) { return depth == Depth::full ? 0.35 : 0.6; }

// Signs stand out from their ground by so much at least, as those who see badly need it (WCAG 2, 1.4.11).
inline constexpr double kLeastContrast = 3;
// A colour as a terminal shows it that has so many. Of sixteen the pale ones are for signs alone.
enum class Use : std::uint8_t { ink, ground };
[[nodiscard]] Colour shown(Colour colour, Depth depth, Use use = Use::ink);
// The ground, made paler or darker by as little as lets the ink stand out from it: whose a piece is is told
// by its ink. And the other way round: the ink of what belongs to nobody.
[[nodiscard]] Colour ground_under(Colour ink, Colour ground, Depth depth);
[[nodiscard]] Colour ink_on(Colour ground, Colour ink, Depth depth);

// What the cells of a board look like.
struct Ground {
  Colour light, dark;
  [[nodiscard]] Colour middle() const { return mixed(light, dark, 0.5); }
};
// Pieces must stand out from the cells: of a few grounds the one is taken where the worst does so best.
[[nodiscard]] Ground ground_for(const Scene& scene, Depth depth);

// A text in a colour, on a ground.
[[nodiscard]] std::string in_colour(std::string_view text, Colour ink, Colour ground, Depth depth);

} // namespace boardwright::tools
