// Records in Portable Game Notation (PGN), which other programs read.
#pragma once

#include "tools/records/game_record.hpp"

#include <tl/expected.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace boardwright::tools {

// Tags, moves, comments, result. Moves are in algebraic notation where the game has them, else, and where a
// move has none, as the rules write them, with `_` for a blank. The game of `open` is at its last move
// afterwards. Only games of two players have a PGN.
// An error stands at the move that can't be written, or at the game.
[[nodiscard]] tl::expected<std::string, interpreter::RecordError> pgn_text(OpenRecord& open);

// How a move of the present position is written; nothing where it can't be.
using WordOfMove = std::function<tl::expected<std::optional<std::string>, runtime::Fault>(
    runtime::Game&, const runtime::Move&)>;
// The same as PDN, with other words for moves, and positions as lists of cells. An error where there is no
// word.
[[nodiscard]] tl::expected<std::string, interpreter::RecordError> pdn_text(OpenRecord& open,
                                                                           const WordOfMove& word);

// By the rules; else as the record tells it: `1-0`, `0-1`, `1/2-1/2` or `*`, of the game at its last move.
[[nodiscard]] std::string pgn_result(OpenRecord& open);

// The players' names: by the tag of whoever wrote the game (`White`, `PW`), or by ours. "" where nobody says.
[[nodiscard]] std::string sitter_at(const OpenRecord& open, std::size_t player);

// What a record tells of its event, place, date or round: by PGN's tag, or by SGF's of the same meaning.
[[nodiscard]] std::string told_of(const OpenRecord& open, std::string_view pgn_tag);

// Tags that tell about a game and nothing that follows from its moves and rules, but for players, date,
// event, site and round.
[[nodiscard]] Tags other_tags(const OpenRecord& open);

} // namespace boardwright::tools
