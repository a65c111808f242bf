// A position in one line, after the notation of that name (Forsyth, Edwards):
//
//   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w
//   8/2p5/8/8[PPn] White rights=e1,h1 passes=1 ply=12
//   rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
//
// # The board
// Ranks from the top, separated by `/`: a letter of the rule file is a piece, a number so many empty cells.
// Holes are left out (or drawn as `#`). `+P` is the other side of `P` (turned_kinds.hpp), `P~` one that has
// been promoted. In brackets behind the board stand the pieces in hand, or behind one more `/`.
//
// # What follows
// Who is to move (fen_players.hpp). Then, of our own, fields of the form name=value: state variables
// (`name.Player=…` where each player has one), `ply`, `turns.Player`, `hands.Player.kind`, `out`. Or what
// other programs write there (fen_fields.hpp), or as in an SFEN the pieces in hand and the number of the
// move: there `b` begins. What isn't given is as in the set-up.
//
// A list of cells as PDN has it is read here as well (numbered_position.hpp).
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <optional>
#include <string>

namespace boardwright::interpreter {

// What a FEN says, as entries with the places of their parts. What other programs write about state that the
// game hasn't is left out with a warning.
[[nodiscard]] std::optional<dsl::PositionEntry>
unfold_fen(const runtime::Program& program, const dsl::Text& fen, dsl::Diagnostics& diagnostics);

// Whether a cell is named, as other programs do it, that may be taken in passing. Many name it behind every
// double step, whether or not anybody can take there.
[[nodiscard]] bool names_passing_cell(const runtime::Program& program, const dsl::Text& fen);

// Our own. Reading it gives the position back: what differs from the set-up is written, and `ply` and `turns`
// where the rules ask for them. Nothing where the board has stacks, or a piece's letter means something else
// in a FEN (a digit, `/`, `[`, `]`).
[[nodiscard]] std::optional<std::string> write_fen(const runtime::Program& program,
                                                   const runtime::Position& position);

// As other programs write it; the counters at the end are those of a beginning. Nothing where there is no
// FEN, and where the position has state that they have no words for.
[[nodiscard]] std::optional<std::string> write_common_fen(const runtime::Program& program,
                                                          const runtime::Position& position);

// As USI has it: `lnsgkgsnl/… b RB2p 1`, with the number of the move of a beginning.
[[nodiscard]] std::optional<std::string> write_sfen(const runtime::Program& program,
                                                    const runtime::Position& position);

} // namespace boardwright::interpreter
