// Positions drawn as SVG, for rule books and pages: the same text for the same position, everywhere.
#pragma once

#include "interpreter/look/look.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"
#include "tools/drawing/draw_options.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// A move that is shown on the board before it is played.
struct MoveDrawing {
  std::vector<int> path;  // cells, from the first to the last; one: something is put there
  runtime::CellSet taken; // struck through
};

struct SvgOptions {
  const interpreter::Look* look = nullptr; // may be null
  bool flipped = false;                    // seen from the other side of the board
  bool captions = true;                    // below: hands, regions that are marked
  bool turn = true;                        // and who is to move
  std::vector<std::string> text;           // below all that: lines, which are broken at blanks
  BoardMarks marks;                        // of the last move
  std::vector<MoveDrawing> moves;
  runtime::CellSet shown; // of a board without edges: cells that are to be seen besides those with pieces
};

[[nodiscard]] std::string board_svg(const runtime::Program& program, const runtime::Position& position,
                                    const SvgOptions& options = {});

// Where a cell lies in a picture.
struct SvgPlace {
  int cell = 0;                               // of the board
  double x = 0, y = 0, width = 0, height = 0; // of its middle, and its size
};

// The same as parts: pictures of one game have most of theirs in common.
struct SvgDrawing {
  std::vector<std::string> elements; // from the lowest to the uppermost, each a line
  std::vector<SvgPlace> places;      // of the cells that are drawn
  double left = 0, top = 0, right = 0, bottom = 0;
};
[[nodiscard]] SvgDrawing board_drawing(const runtime::Program& program, const runtime::Position& position,
                                       const SvgOptions& options = {});
// The tag that opens a picture of that size; and all of it.
[[nodiscard]] std::string svg_opening(const SvgDrawing& drawing);
[[nodiscard]] std::string svg_text(const SvgDrawing& drawing);

} // namespace boardwright::tools
