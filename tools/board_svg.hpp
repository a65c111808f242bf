// Positions drawn as SVG, for rule books and pages: the same text for the same position, everywhere.
#pragma once

#include "interpreter/look.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"
#include "tools/board_text.hpp"

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
  bool captions = true;                    // below: hands, regions that are marked, who is to move
  BoardMarks marks;                        // of the last move
  std::vector<MoveDrawing> moves;
};

[[nodiscard]] std::string board_svg(const runtime::Program& program, const runtime::Position& position,
                                    const SvgOptions& options = {});

} // namespace boardwright::tools
