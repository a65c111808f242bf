#include "tools/drawing/board_text.hpp"

#include "tools/drawing/board_letters.hpp"
#include "tools/drawing/board_unicode.hpp"

namespace boardwright::tools {

std::string draw_board(const runtime::Program& program, const runtime::Position& position,
                       const DrawOptions& options) {
  return options.unicode ? draw_board_unicode(program, position, options)
                         : draw_board_letters(program, position, options);
}

} // namespace boardwright::tools
