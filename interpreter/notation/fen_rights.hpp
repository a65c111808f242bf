// Castling, and moves like it, in the letters of a FEN.
//
// Nothing here knows a game; it goes by what rule files keep. `rights` in their `state` is a set of cells, as
// the vocabulary of games with a king asks for it: pieces there haven't moved yet. `gates`, where there is
// such state, is another one: when a piece leaves such a cell for the first time one from the hand may enter.
//
// Who castles is seen in the set-up. Where it gives a player rights for three pieces, the one in the middle
// castles with the two others (`trio`). Where it gives them for more (`dealt`), as a first row does that is
// dealt by lot, and where for less, the kinds with the letters K and R do. For those kinds alone there are
// the letters `K` and `Q`: the outermost such piece to the east or west. Any other letter is a file: the
// piece of the player that stands there on his first row. Capital letters are for the player whose pieces
// have them.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {

inline constexpr std::string_view kRights = "rights"; // what may still castle
inline constexpr std::string_view kGates = "gates";   // what brings a piece from the hand when it leaves

// The index of a variable that all players share; nothing where the game has none of that name and type.
[[nodiscard]] std::optional<std::size_t> shared_variable(const runtime::Program& program,
                                                         std::string_view name, runtime::Type type);

struct FenRights {
  runtime::CellSet rights, gates;
  std::vector<std::size_t> idle; // letters of the field that name nothing which may have a right
};
// Where the set-up gives rights to cells on which nothing stands yet, letters speak of pieces that have been
// placed; the others have the rights of the set-up when they come: these.
[[nodiscard]] runtime::CellSet rights_to_come(const runtime::Program& program,
                                              const runtime::Position& position);

// What the letters give to the pieces and hands of a position. Pieces that are still to be placed keep the
// rights of the set-up.
[[nodiscard]] FenRights rights_of_letters(const runtime::Program& program, const runtime::Position& position,
                                          std::string_view letters);

// And back; `-` where there is none.
[[nodiscard]] std::string letters_of_rights(const runtime::Program& program,
                                            const runtime::Position& position);

} // namespace boardwright::interpreter
