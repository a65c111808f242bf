// A game as a file of another program has it, before anybody asks which rules it is played by: what PGN, PDN,
// SGF, KIF, USI and UCI have in common.
#pragma once

#include "interpreter/notation/record.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::tools {

enum class Format : std::uint8_t {
  ours,     // interpreter/notation/record.hpp
  pgn,      // Portable Game Notation, and PDN, its relative
  sgf,      // Smart Game Format
  commands, // `position startpos moves …`, as USI and UCI have it
  kif,      // a move a line, in Japanese
};

// A piece of a set-up that is no FEN.
struct PlacedPiece {
  char colour = 'b'; // `b`, `w`; `-`: the cell is emptied
  std::string cell;  // as the format names it
  std::uint32_t line = 0, column = 0;
};

struct ForeignMove {
  std::string text;
  char colour = 0; // `b` or `w` where the file says who moves, else 0
  std::uint32_t line = 0, column = 0;
  std::vector<std::string> comments; // behind it
};

struct ForeignGame {
  std::vector<std::pair<std::string, std::string>> tags; // as the file has them
  std::vector<std::string> comments;                     // before the first move
  std::string game; // by which name or title the format calls the game; "": it doesn't say
  std::vector<std::pair<std::string, std::string>> options; // such as the board's size
  std::string position;                                     // as `--position` takes it; "": the set-up
  std::vector<PlacedPiece> placed;
  char to_move = 0; // with `placed`: `b`, `w`, or 0
  std::vector<ForeignMove> moves;
  std::string winner; // "w", "b", "draw", or "" where that isn't known
  std::uint32_t line = 1;
};

using ForeignGames = std::vector<ForeignGame>;

} // namespace boardwright::tools
