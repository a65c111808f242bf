// Positions drawn for a terminal that shows signs beyond ASCII.
#pragma once

#include "tools/drawing/board_text.hpp"

#include <string>

namespace boardwright::tools {

// As draw_board says; `options.unicode` is set.
[[nodiscard]] std::string draw_board_unicode(const runtime::Program& program,
                                             const runtime::Position& position, const DrawOptions& options);

} // namespace boardwright::tools
