// Who is meant by the field of a FEN that says who is to move.
//
// FENs of the program's own have the first letter of the player's name, where it is his alone, or his number.
// Those of other programs have `w` and `b`, whatever the players are called: White and Black where there are
// players of that name; else `w` is who begins, whose letters are capitals, and `b` the other one.
#pragma once

#include "runtime/model/program.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace boardwright::interpreter {

// By his name, his number, or the first letter of his name alone.
[[nodiscard]] std::optional<std::size_t> player_meant(const runtime::Program& program, std::string_view word);
// By the word of other programs; nothing unless there are two players.
[[nodiscard]] std::optional<std::size_t> player_of_colour(const runtime::Program& program,
                                                          std::string_view word);

// In Go and its kin black begins: `b` is who is called Black, or else who begins.
[[nodiscard]] std::optional<std::size_t> player_of_stone(const runtime::Program& program, char colour);

// What `player_meant` understands, as short as can be.
[[nodiscard]] std::string player_field(const runtime::Program& program, std::size_t player);
// `w` or `b`.
[[nodiscard]] char colour_field(const runtime::Program& program, std::size_t player);

} // namespace boardwright::interpreter
