// What pieces carry, as signs behind a piece in a terminal.
#pragma once

#include "runtime/model/program.hpp"

#include <string>

namespace boardwright::tools {

struct BoardView {
  bool flipped = false; // seen from the other side
  bool upright = false; // of hexes: files stand upright
};

// The values of the piece on a cell: arrows, or arms from the middle, where it faces, numbers, a mark for
// what is true, letters of kinds and players. What `is_worth_a_sign`
// says no of isn't written.
// `is_hidden` says which values aren't shown.
template <class IsHidden>
[[nodiscard]] std::string carried_signs(const runtime::Program& program, const runtime::Position& position,
                                        int cell, BoardView view, IsHidden&& is_hidden);

// Of all but directions: is it another value than the one that all begin with, or a number other than 0? A
// piece that has a number shows it from the beginning, unless it is nobody's: a wall.
[[nodiscard]] bool is_worth_a_sign(const runtime::PieceValue& value, std::uint32_t code, int owner);

[[nodiscard]] std::string carried_sign(const runtime::Program& program, const runtime::PieceValue& value,
                                       const runtime::Position& position, int cell, BoardView view);

template <class IsHidden>
std::string carried_signs(const runtime::Program& program, const runtime::Position& position, int cell,
                          BoardView view, IsHidden&& is_hidden) {
  std::string text;
  for (const runtime::PieceValue& value : program.piece_values) {
    if (is_hidden(value.name)) continue;
    const std::string sign = carried_sign(program, value, position, cell, view);
    const bool digits = !text.empty() && !sign.empty() && text.back() >= '0' && text.back() <= '9';
    text += (digits && sign.front() >= '0' && sign.front() <= '9' ? "," : "") + sign;
  }
  return text;
}

} // namespace boardwright::tools
