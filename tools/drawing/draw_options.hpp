// What a board is to be drawn with, and what this terminal can show.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"
#include "tools/console/console.hpp"

#include <string>

namespace boardwright::interpreter {
struct Look; // interpreter/look/look.hpp
}

namespace boardwright::tools {

// What a move did to the board, to be marked on it.
struct BoardMarks {
  runtime::CellSet left;    // cells that a piece of the mover's went away from
  runtime::CellSet reached; // cells that have another piece on top, or more of them
  runtime::CellSet taken;   // cells that lost a piece of another player's
  [[nodiscard]] bool any() const { return left.any() || reached.any() || taken.any(); }
};
// Of two positions with a move between them, or several.
[[nodiscard]] BoardMarks marks_between(const runtime::Position& before, const runtime::Position& after);

// Of the last move of a game; none at its beginning.
[[nodiscard]] BoardMarks marks_of_last_move(runtime::Game game);

// What is drawn of a board where the terminal has no room for all of it. It stays where it is as long as what
// is to be seen lies in it.
struct BoardPart {
  int rows = 0;            // that there is room for
  runtime::CellSet wanted; // what is to be seen; nothing: where it was, or the middle
  // The lowest file and rank that are drawn, as the drawing counts them, and how many; 0: all of them are.
  int file = 1, rank = 1, files = 0, ranks = 0;
  // Of a board without edges: its file and rank that the drawing begins with.
  int first_file = 1, first_rank = 1;

  [[nodiscard]] bool is_all() const { return files == 0; }
};

struct DrawOptions {
  bool color = false;                      // escape sequences (ANSI)
  bool true_color = false;                 // of 24 bits, not of a table of 256
  bool few_colors = false;                 // sixteen
  bool unicode = false;                    // signs beyond ASCII, and more room
  bool flipped = false;                    // seen from the other side of the board
  bool over = false;                       // nobody is to move
  bool rest = false;                       // hands, state and who is to move, too: beside the board or below
  int width = 80;                          // columns of the terminal
  int height = 0;                          // rows that the board may take to be drawn larger; 0: it isn't
  BoardMarks marks;                        // of the last move
  BoardPart* part = nullptr;               // else all is drawn; told what it has become
  const interpreter::Look* look = nullptr; // interpreter::look_of(Loaded); may be null
};

// What this standard output can show. `ascii` is the person's wish.
[[nodiscard]] DrawOptions draw_options(const interpreter::Look* look, const Console& console,
                                       bool ascii = false);

// Rows that a board may take on this screen; 0: there is no screen. One that is only to be drawn larger
// leaves more to what was said before.
enum class DrawnSize { needed, larger };
[[nodiscard]] int rows_for_board(const Console& console, DrawnSize size);

} // namespace boardwright::tools
