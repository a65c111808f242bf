// Moves as files of other programs write them.
#pragma once

#include "runtime/game/game.hpp"
#include "tools/records/formats/foreign_game.hpp"

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace boardwright::tools {

// The legal move that is meant; nothing where there is none, or where several may be. Understood are, in this
// order: of PGN what has a hyphen as the rules write it; algebraic notation, where `Bb7` may be something
// else than in the rules' own notation; that one, with `_` for a blank; cells by their numbers or names, as
// PDN has them (`32-28`, `28x19x10`); points of SGF
// (`cd`, from the upper left corner), or their names; squares of USI (`7g7f`, `P*5e`); coordinates of UCI. A
// pass is `pass`, `--`, or in SGF no point.
[[nodiscard]] tl::expected<std::optional<runtime::Move>, runtime::Fault>
find_foreign_move(runtime::Game& game, Format format, std::string_view text);

// How PDN writes a move of this position: by the numbers of its cells, or their names, and `x` where it takes
// something; with cells on the way where other moves have the same ends. Nothing where PDN has no word for
// it.
[[nodiscard]] tl::expected<std::optional<std::string>, runtime::Fault>
word_of_pdn(runtime::Game& game, const runtime::Move& move, bool by_names);

// How SGF writes it: the point where a piece is put, nothing between the brackets for a pass. On boards of
// hexagons points are called by their names. Nothing where SGF has no word for it.
[[nodiscard]] tl::expected<std::optional<std::string>, runtime::Fault> word_of_sgf(runtime::Game& game,
                                                                                   const runtime::Move& move);

// A cell as a point of SGF; "" where the board is too large.
[[nodiscard]] std::string point_of_cell(const runtime::Program& program, int cell);

// The cell of a point of SGF on a board of squares or rhombs: `cd`, or by its name; -1 where there is none.
[[nodiscard]] int cell_of_point(const runtime::Program& program, std::string_view point);

} // namespace boardwright::tools
