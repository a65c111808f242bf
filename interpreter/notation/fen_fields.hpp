// Fields of a FEN as other programs write them, behind who is to move: castling (`KQkq`, files as in
// Shredder-FEN and X-FEN, `-`), the cell that may be taken in passing, checks (`2+3` that are left, `+1+0`
// that were given), the two counters, the first of which is the clock `idle` where the game has one.
//
// They are recognised by the state of the game that they speak of: `rights`, `gates` (fen_rights.hpp),
// `passant`, `checks`. A field of which the game has no such state is left out, with a warning unless it says
// nothing.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "runtime/model/program.hpp"

#include <vector>

namespace boardwright::interpreter {

// Adds to the entry, which has the board, hands and player to move already, what the fields say. False where
// one of them can't be read.
[[nodiscard]] bool read_common_fields(const runtime::Program& program, const std::vector<dsl::Text>& fields,
                                      dsl::PositionEntry& entry, dsl::Diagnostics& diagnostics);

} // namespace boardwright::interpreter
