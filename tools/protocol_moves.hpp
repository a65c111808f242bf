// Moves and positions as other programs write them: one word for a move, and the words of UCI.
#pragma once

#include "runtime/game/game.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace boardwright::tools {

enum class Protocol : std::uint8_t { ugi, uci };

// The move in one word. UGI: its notation, with `_` for blanks. UCI: the cell it leaves and the one it comes
// to
// (`e2e4`), behind them in small letters what it becomes (`e7e8q`); a piece from a hand with `@` (`N@f3`).
// Moves that would be written alike, and those that leave no cell and drop no piece, are written as in UGI.
[[nodiscard]] tl::expected<std::string, runtime::Fault>
protocol_move(runtime::Game& game, const runtime::Move& move, Protocol protocol);

// The legal move that is written so; the game's own notation is understood, too. Nothing if there is none.
[[nodiscard]] tl::expected<std::optional<runtime::Move>, runtime::Fault>
find_protocol_move(runtime::Game& game, std::string_view word, Protocol protocol);

// A FEN as UCI has it in the words of the rules: fields for castling and for the cell that may be taken
// in passing become `rights=` and `passant=` where the game has such state, counters are left out. A FEN that
// has none of these fields stays as it is.
[[nodiscard]] std::string fen_from_uci(const runtime::Program& program, const std::string& fen);

} // namespace boardwright::tools
