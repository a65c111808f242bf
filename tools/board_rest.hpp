// What stands beside a board in a terminal: players, hands, state, regions.
#pragma once

#include "tools/board_scene.hpp"
#include "tools/board_text.hpp"
#include "tools/terminal_canvas.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// Each player with his hand and his part of the state, who is to move marked; then what belongs to nobody.
[[nodiscard]] std::vector<std::string> rest_lines(const Scene& scene, const runtime::Position& position,
                                                  const DrawOptions& options);
// The regions that are marked on the board, with their cells where there are few.
[[nodiscard]] std::vector<std::string> region_lines(const Scene& scene, const DrawOptions& options);
[[nodiscard]] Depth depth_of(const DrawOptions& options);
// The value of a variable, in words.
[[nodiscard]] std::string value_text(const runtime::Program& program, runtime::Type type,
                                     const runtime::VariableValue& value);
// Cells whose names the labels at the board's sides don't tell; "" where there are none.
[[nodiscard]] std::string named_cells_text(const runtime::Board& board);

} // namespace boardwright::tools
