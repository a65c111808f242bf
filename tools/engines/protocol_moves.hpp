// Moves, positions and scores as other programs write them: one word for a move, and the words of UCI.
#pragma once

#include "runtime/game/game.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

enum class Protocol : std::uint8_t { ugi, uci, usi, xboard, gtp };

// By which the command is called, and what goes before `newgame` and `ok` where a protocol has these: "uci".
[[nodiscard]] const char* prefix_of(Protocol protocol);

// The move in one word. UGI: its notation, with `_` for blanks, and a number where several moves are written
// alike (see spelling.hpp). UCI: the cell it leaves and the one it comes to (`e2e4`); behind them what it
// becomes, in small letters (`e7e8q`), or `+` where that is a kind with which no game begins (`b7b8+`); or
// the piece from a hand that enters the cell that was left (`b1c3h`). A piece that is dropped has `@`
// (`N@f3`). A pass is the king's cell twice (`e1e1`), or that of the first piece, or `0000` where there is
// none. USI: likewise, with the files numbered from the right and the ranks lettered from above (`7g7f+`),
// drops with `*` (`P*5e`). xboard: likewise, of ten ranks the first one is 0, a pass is `@@@@`, and castling
// that coordinates don't tell is `O-O` or `O-O-O`. GTP: the point where a piece is put,
// with letters without I where cells are squares (`Q16`), or `pass`. Moves that would be written alike, and
// those that are none of these, are written as in UGI.
[[nodiscard]] tl::expected<std::string, runtime::Fault>
protocol_move(runtime::Game& game, const runtime::Move& move, Protocol protocol);

// All legal moves so, in their order.
[[nodiscard]] tl::expected<std::vector<std::string>, runtime::Fault> protocol_moves(runtime::Game& game,
                                                                                    Protocol protocol);

// Why a game can't be driven by a protocol, a sentence; nothing where it can. Looks at the moves of the
// position.
[[nodiscard]] std::optional<std::string> why_not_by(Protocol protocol, runtime::Game& game);

// What stands between blanks: the words of a line of any protocol, the fields of a FEN.
[[nodiscard]] std::vector<std::string> words_of(const std::string& line);

// The legal move that is written so; the game's own notation is understood, too. Nothing if there is none.
[[nodiscard]] tl::expected<std::optional<runtime::Move>, runtime::Fault>
find_protocol_move(runtime::Game& game, std::string_view word, Protocol protocol);

// A cell as GTP calls it, `Q16`, and the cell that is called so, in any case; -1 where there is none.
[[nodiscard]] std::string point_of_gtp(const runtime::Board& board, int cell);
[[nodiscard]] int cell_of_gtp(const runtime::Board& board, std::string_view point);

// The value of a position (see search::Thought) as other programs count it: by hundredths of the least piece,
// as if four of them were ten times as good.
[[nodiscard]] int centipawns(double value);
[[nodiscard]] double value_of_centipawns(double score);

} // namespace boardwright::tools
