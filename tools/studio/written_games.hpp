// Games as text, out of the page and into it: records, and Portable Game Notation (PGN).
#pragma once

#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"
#include "tools/console/json.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// The moves of a game as they are found again, and who made each.
struct MadeMoves {
  std::vector<std::string> moves;
  std::vector<int> players;
};

// `record` and `pgn`; there is no PGN but of two players. `game` is behind the moves; `reference` is what the
// record calls its rules.
[[nodiscard]] Json game_texts(const interpreter::Loaded& loaded, const std::string& reference,
                              const runtime::Game& game, const MadeMoves& made);

// What a text says that is a record, PGN, or moves with blanks between them: `begin` ("" for the set-up) and
// `moves`, as they are found again. `stopped` says which move can't be played where one can't, `error` why
// nothing can be read.
[[nodiscard]] Json game_in_text(const interpreter::Loaded& loaded, const std::string& text);

// The positions of the file's tests, each with the test's name: what its author wanted to be looked at.
[[nodiscard]] Json test_positions(const interpreter::Loaded& loaded);

} // namespace boardwright::tools
