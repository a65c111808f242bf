// Standard algebraic notation (SAN): `Nf3`, `exd5`, `e8=Q+`, `O-O`, where kinds have letters and moves lead
// one piece from one cell to another. Nothing of it is said in a rule file: it follows from the pieces and
// from what moves do.
#pragma once

#include "runtime/game/game.hpp"

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

// Two players, a board of squares whose names are a letter and a number, pieces of three kinds or more there
// at first, no stacks.
[[nodiscard]] bool has_algebraic(const runtime::Program& program);

// The moves of a position, in the order of Game::moves(). "": the move can't be written so.
[[nodiscard]] tl::expected<std::vector<std::string>, runtime::Fault>
algebraic_moves(const runtime::Game& game);

// `+` where the player to move is attacked, `#` where he has lost by it; as the rules' `checked` says. ""
// where they don't ask for it.
[[nodiscard]] std::string check_sign(runtime::Game& game);

// Which moves of algebraic_moves() a person may mean: signs for captures, checks and promotions, and letters
// and numbers that nothing depends on, may be there or not; case matters only where it must.
[[nodiscard]] tl::expected<std::vector<std::size_t>, runtime::Fault>
algebraic_meant(const runtime::Game& game, std::string_view text);

// The one legal move that is meant so; nothing where there is none, where several may be, or where the game
// has no algebraic notation.
[[nodiscard]] tl::expected<std::optional<runtime::Move>, runtime::Fault>
find_algebraic(runtime::Game& game, std::string_view text);

// Of a text that names two cells, `b8e5`, the first one; "" of others. In small letters it may also be meant
// for a kind that is called by its first letter: `Be5`, from the eighth row.
[[nodiscard]] std::string first_of_two_cells(const runtime::Program& program, std::string_view text);

} // namespace boardwright::tools
