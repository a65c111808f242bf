// Moves, positions and scores as other programs write them: one word for a move, and the words of UCI.
#pragma once

#include "runtime/game/game.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

enum class Protocol : std::uint8_t { ugi, uci };

// What goes before `newgame` and `ok`: "ugi", "uci".
[[nodiscard]] const char* prefix_of(Protocol protocol);

// The move in one word. UGI: its notation, with `_` for blanks, and a number where several moves are written
// alike (see spelling.hpp). UCI: the cell it leaves and the one it comes to (`e2e4`); behind them what it
// becomes, in small letters (`e7e8q`), or `+` where that is a kind with which no game begins (`b7b8+`); or
// the piece from a hand that enters the cell that was left (`b1c3h`). A piece that is dropped has `@`
// (`N@f3`). Moves that would be written alike, and those that are none of these, are written as in UGI.
[[nodiscard]] tl::expected<std::string, runtime::Fault>
protocol_move(runtime::Game& game, const runtime::Move& move, Protocol protocol);

// What stands between blanks: lines of both protocols, and fields of a FEN.
[[nodiscard]] std::vector<std::string> words_of(const std::string& line);

// The legal move that is written so; the game's own notation is understood, too. Nothing if there is none.
[[nodiscard]] tl::expected<std::optional<runtime::Move>, runtime::Fault>
find_protocol_move(runtime::Game& game, std::string_view word, Protocol protocol);

// A FEN as UCI has it in the words of the rules: `w` and `b` become the number of a player (by initials, or
// in order), fields for castling and for the cell that may be taken in passing become `rights=` and
// `passant=` where the game has such state, counters are left out. A FEN that has none of these fields stays
// as it is.
// Rights to castle may be files as well (`HAha`).
[[nodiscard]] std::string fen_from_uci(const std::shared_ptr<const runtime::Rules>& rules,
                                       const std::string& fen);
// And back. A FEN with other state, which UCI has no words for, stays as it is.
[[nodiscard]] std::string fen_to_uci(const runtime::Program& program, const runtime::Position& position,
                                     const std::string& fen);

// The value of a position (see search::Thought) as other programs count it: by hundredths of the least piece,
// as if four of them were ten times as good.
[[nodiscard]] int centipawns(double value);
[[nodiscard]] double value_of_centipawns(double score);

} // namespace boardwright::tools
