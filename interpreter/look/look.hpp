// What drawings of a game need beyond its rules: regions that have a name, the lines of the board, and what
// the file's section `look` says. Plain data; nothing here changes what a rule means.
#pragma once

#include "interpreter/look/counts.hpp"
#include "runtime/model/value.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::interpreter {

// A set of cells that a definition of the file names, or that `look` gives a colour.
struct Region {
  std::string name; // a definition's, or the expression as it is written
  int player = -1;  // whose, where each player has another; -1: everybody's
  runtime::CellSet cells;
  std::string colour; // "#rrggbb"; "": the drawing's choice
  bool plain = false; // an expression that has a colour and no name: nothing to tell of it in words
};

// A side of the board that belongs to somebody: where he begins or ends what he wants to join.
struct Side {
  int player = 0;
  runtime::CellSet cells; // beyond them, in one direction at least, there is no board
};

// A line that a player's pieces go along, between two cells.
struct OwnedLine {
  int from = 0, to = 0, player = 0;
};

// The shape of a piece that isn't drawn as a sign.
enum class Shape : std::uint8_t {
  automatic, // a disc with the letter on it, or the disc alone if the game has no other kind
  disc,
  ring,
  square,
  diamond,
  triangle,
  star,

  bar,    // fills its cell: walls, lines, blocks
  letter, // nothing but its letter
};

struct PieceLook {
  Shape shape = Shape::automatic;
  std::string glyph;  // up to four characters, in UTF-8; "": none
  std::string colour; // "#rrggbb"; "": the owner's
};

enum class CellLook : std::uint8_t {
  automatic,
  plain,     // all of one shade
  chequered, // light and dark ones
  points,    // crossings of lines: pieces stand on them
  lattice,   // the same, with diagonals at every other point; a Look has `points` and `lines` instead
  pits,      // round hollows
};

struct Look {
  std::vector<std::vector<PieceLook>> pieces; // by kind, then by player, neutral behind them
  std::vector<std::string> player_colours;    // by player, "#rrggbb" or "": the drawing's choice
  std::vector<Region> regions;                // the later ones above the others
  std::vector<std::pair<int, int>> lines;     // cells that a line of the board joins, where it has `lines`
  std::vector<Side> sides;
  std::vector<OwnedLine> owned_lines; // on boards of points, instead of lines between all neighbours
  CellLook cells = CellLook::automatic;
  bool upright = false;            // of hexes: files stand upright, not ranks level
  runtime::CellSet narrow;         // grooves and edges: a file or rank of nothing else is drawn narrow
  runtime::CellSet nothing;        // not drawn while they are empty
  std::vector<std::string> hidden; // names of variables and kinds that aren't told beside the board
  std::vector<Count> counts;       // what the rules count, to be told beside the board
};

struct Loaded;
// Of a file that was loaded without errors. Compiles it again: whoever draws often asks once.
[[nodiscard]] Look look_of(const Loaded& loaded);

// "#rrggbb" of a colour's name, or "" for what is none. Letters may be large or small.
[[nodiscard]] std::string colour_named(std::string_view name);
[[nodiscard]] std::vector<std::string> colour_names();

} // namespace boardwright::interpreter
