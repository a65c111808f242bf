// show --svg and --png: a position as a picture.
#pragma once

#include "tools/console/console.hpp"
#include "tools/games/game_choice.hpp"

#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

struct ShowOptions {
  GameChoice game;
  bool fen = false;                    // only the position, in one line
  std::string svg, png;                // files for a picture of it; "-": standard output
  std::vector<std::string> moves;      // drawn as arrows
  std::vector<std::string> moves_from; // cells: all moves that begin there
  bool bare = false;                   // the picture has no captions
  bool flipped = false;                // seen from the other side
  std::string around;                  // a cell: only what the terminal has room for around it; "": all
  std::string viewer;                  // a player: only what he sees
  bool ascii = false;
  bool json = false;
};

// As `viewer` sees it, or the whole of it.
[[nodiscard]] Exit show_picture(OpenGame& open, std::optional<int> viewer, const ShowOptions& options,
                                Console& console);

} // namespace boardwright::tools
