// Entry point: show_picture.
#include "tools/commands/show_picture.hpp"

#include "interpreter/look/look.hpp"
#include "tools/console/text_file.hpp"
#include "tools/drawing/board_svg.hpp"
#include "tools/drawing/move_drawing.hpp"
#include "tools/drawing/png.hpp"
#include "tools/drawing/seen_board.hpp"
#include "tools/games/illegal_move.hpp"

#include <fmt/format.h>

namespace boardwright::tools {
namespace {

using runtime::Fault;
using runtime::Move;

// Does it begin there? For pieces that enter the board: do they land there?
bool begins_at(const MoveDrawing& move, int cell) { return !move.path.empty() && move.path.front() == cell; }

class Moves {
public:
  Moves(OpenGame& open, Console& console) : open_(open), console_(console) {}

  // The move that is written so.
  bool add(const std::string& text) {
    const auto move = open_.game.find(text);
    if (!move) return fault(move.error());
    if (*move) return add(**move);
    const auto legal = open_.game.notations();
    if (!legal) return fault(legal.error());
    console_.error(why_illegal(open_.program(), open_.game.position(), *legal, text));
    return false;
  }

  // All that begin on a cell.
  bool add_from(const std::string& name) {
    const int cell = open_.program().board.cell_named(name);
    if (cell < 0) {
      console_.error(fmt::format("--moves: `{}` is no cell of this board", quotable(name)));
      return false;
    }
    const auto moves = open_.game.moves();
    if (!moves) return fault(moves.error());
    for (const Move& move : *moves) {
      const auto drawn = drawing_of(open_.game, move);
      if (!drawn) return fault(drawn.error());
      if (begins_at(*drawn, cell)) found.push_back(*drawn);
    }
    return true;
  }

  std::vector<MoveDrawing> found;

private:
  bool add(const Move& move) {
    auto drawn = drawing_of(open_.game, move);
    if (!drawn) return fault(drawn.error());
    found.push_back(std::move(*drawn));
    return true;
  }
  bool fault(const Fault& fault) {
    static_cast<void>(report_fault(open_.program(), fault, console_));
    return false;
  }

  OpenGame& open_;
  Console& console_;
};

Exit write_svg(const std::string& path, const std::string& svg, Console& console) {
  if (path == "-") {
    console.out(svg);
    return Exit::good;
  }
  const auto written = write_text_file(path, svg);
  if (written) return Exit::good;
  console.error(written.error());
  return Exit::files;
}

using Svg = tl::expected<std::string, Fault>;

Svg whole_svg(OpenGame& open, SvgOptions drawn) {
  if (drawn.moves.empty()) drawn.marks = marks_of_last_move(open.game); // where `--position` has played some
  return board_svg(open.program(), open.game.position(), drawn);
}

// The last move isn't marked: its cells may be dark.
Svg seen_svg(OpenGame& open, int viewer, const interpreter::Look& look, SvgOptions drawn) {
  const auto seen = runtime::sight::seen_by(open.program(), open.game.position(), viewer);
  if (!seen) return tl::unexpected(seen.error());
  const SeenBoard board(open.program(), &look, *seen);
  drawn.look = board.look();
  return board_svg(board.program(), board.position(), drawn);
}

} // namespace

Exit show_picture(OpenGame& open, std::optional<int> viewer, const ShowOptions& options, Console& console) {
  Moves moves(open, console);
  for (const std::string& text : options.moves)
    if (!moves.add(text)) return Exit::at_fault;
  for (const std::string& cell : options.moves_from)
    if (!moves.add_from(cell)) return Exit::at_fault;
  const interpreter::Look look = interpreter::look_of(open.loaded);
  SvgOptions drawn;
  drawn.look = &look;
  drawn.flipped = options.flipped;
  drawn.captions = !options.bare;
  drawn.moves = std::move(moves.found);
  const auto svg_text = viewer ? seen_svg(open, *viewer, look, drawn) : whole_svg(open, drawn);
  if (!svg_text) return report_fault(open.program(), svg_text.error(), console);
  const std::string& svg = *svg_text;
  if (!options.svg.empty())
    if (const Exit written = write_svg(options.svg, svg, console); written != Exit::good) return written;
  if (options.png.empty()) return Exit::good;
  if (const auto error = write_png(options.png, svg); !error.empty()) {
    console.error(error);
    return Exit::files;
  }
  return Exit::good;
}

} // namespace boardwright::tools
