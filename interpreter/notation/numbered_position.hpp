// Positions as PDN has them in its tag FEN: `W:W31,32,K50:B1-12`.
//
// Who is to move, then the cells of each player, by number or by name; `K` before one is the kind whose name
// begins so, without a letter it is the first kind of the rule file. Numbers count the cells from the far
// left of the player that is `W`, rank by rank. `W` and `B` are who `w` and `b` are in a FEN
// (fen_players.hpp), and other players the first letters of their names.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {

// A letter, and parts behind colons that each begin with one: no FEN and no picture has a colon there.
[[nodiscard]] bool is_numbered_position(std::string_view text);

// The cells in the order of their numbers, of which the first one is 1.
[[nodiscard]] std::vector<int> numbered_cells(const runtime::Program& program);

// A position so; what isn't on the board is left out. Nothing where a cell has several pieces.
[[nodiscard]] std::optional<std::string> write_numbered(const runtime::Program& program,
                                                        const runtime::Position& position);

// What it says, as an entry with the places of its parts.
[[nodiscard]] std::optional<dsl::PositionEntry>
unfold_numbered(const runtime::Program& program, const dsl::Text& text, dsl::Diagnostics& diagnostics);

} // namespace boardwright::interpreter
