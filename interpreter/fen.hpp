// A position in one line, after the notation of that name (Forsyth, Edwards):
//
//   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w
//   8/2p5/8/8[PPn] White rights=e1,h1 passes=1 ply=12
//
// Ranks from the top, separated by `/`: a letter of the rule file is a piece, a number so many empty cells.
// Holes are left out (or drawn as `#`). In brackets behind the board stand the pieces in hand. Then comes who
// is to move: his name, its first letter (in either case) where that is his alone, or his number. Further
// fields are of the form name=value: state variables (`name.Player=…` where each player has one), `ply`,
// `turns.Player`, `hands.Player.kind`, `out`. What isn't given is as in the set-up.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <optional>
#include <string>

namespace boardwright::interpreter {

// What a FEN says, as entries with the places of their parts. Other fields (castling rights, cells that can
// be taken in passing, counters of moves, as other programs write them) mean nothing here: a warning names
// them.
[[nodiscard]] std::optional<dsl::PositionEntry>
unfold_fen(const runtime::Program& program, const dsl::Text& fen, dsl::Diagnostics& diagnostics);

// Reading it gives the position back: what differs from the set-up is written, and `ply` and `turns` where
// the rules ask for them. Nothing where the board has stacks, or a piece's letter means something else in a
// FEN (a digit, `/`, `[`, `]`).
[[nodiscard]] std::optional<std::string> write_fen(const runtime::Program& program,
                                                   const runtime::Position& position);

} // namespace boardwright::interpreter
