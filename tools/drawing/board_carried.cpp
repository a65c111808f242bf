#include "tools/drawing/board_carried.hpp"

#include "runtime/model/index.hpp"
#include "runtime/model/piece_values.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace boardwright::tools {

namespace {

using runtime::at;
using runtime::PieceValue;
using runtime::Program;

// Eighths of a turn, clockwise from the top.
constexpr unsigned kEighths = 8;

// Which way a step leads on the screen, to an eighth of a turn.
unsigned eighth_of(const runtime::Board& board, const runtime::Step& step, BoardView view) {
  double x = step.dx, y = step.dy;
  const double lean = board.slant_right ? -0.5 : 0.5;
  if (board.hexes && view.upright)
    y += lean * x, x *= std::numbers::sqrt3 / 2;
  else if (board.hexes)
    x += lean * y, y *= std::numbers::sqrt3 / 2;
  const double turn = std::atan2(view.flipped ? -x : x, view.flipped ? -y : y) / (2 * std::numbers::pi);
  const auto eighth = static_cast<int>(std::lround(turn * kEighths));
  return static_cast<unsigned>(eighth + static_cast<int>(kEighths)) % kEighths;
}

std::string arrows(unsigned ways) {
  static constexpr std::array<const char*, kEighths> kArrows = {"↑", "↗", "→", "↘", "↓", "↙", "←", "↖"};
  std::string text;
  for (std::size_t i = 0; i < kEighths; ++i)
    if ((ways >> i & 1U) != 0) text += kArrows[i];
  return text;
}

// Several of the four that lead straight on, as arms from the middle.
std::string arms(unsigned ways) {
  static constexpr std::array<const char*, 16> kArms = {"",  "╵", "╶", "└", "╷", "│", "┌", "├",
                                                        "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"};
  const unsigned which = (ways & 1U) | (ways >> 1U & 2U) | (ways >> 2U & 4U) | (ways >> 3U & 8U);
  return kArms[which];
}

std::string signs_of_ways(unsigned ways) {
  constexpr unsigned kStraight = 0b0101'0101, kRising = 0b0010'0010, kFalling = 0b1000'1000;
  const unsigned straight = ways & kStraight, slanting = ways & ~kStraight;
  std::string text = std::popcount(straight) > 1 ? arms(straight) : arrows(straight);
  if (slanting == (kRising | kFalling)) return text + "╳";
  if (slanting == kRising) return text + "╱";
  if (slanting == kFalling) return text + "╲";
  return text + arrows(slanting);
}

std::string sign_of_directions(const Program& program, const PieceValue& value, std::uint32_t code,
                               BoardView view) {
  unsigned ways = 0;
  for (std::size_t i = 0; i < value.steps.size(); ++i)
    if ((code >> i & 1U) != 0)
      ways |= 1U << eighth_of(program.board, program.board.steps[at(value.steps[i])], view);
  return signs_of_ways(ways);
}

} // namespace

bool is_worth_a_sign(const PieceValue& value, std::uint32_t code, int owner) {
  const bool counts =
      owner >= 0 && value.type == runtime::Type::number && static_cast<int>(code) + value.low != 0;
  return counts || code != value.flipped;
}

std::string carried_sign(const Program& program, const PieceValue& value, const runtime::Position& position,
                         int cell, BoardView view) {
  const std::uint32_t code = runtime::code_on(value, position, cell);
  if (value.type == runtime::Type::directions) return sign_of_directions(program, value, code, view);
  const runtime::Stack& stack = position.cells[at(cell)];
  if (stack.empty() || !is_worth_a_sign(value, code, stack.back().owner)) return "";
  const int number = static_cast<int>(code) + value.low;
  switch (value.type) {
  case runtime::Type::truth: return "'";
  case runtime::Type::kind: return number < 0 ? "-" : ":" + std::string(1, program.letter_of_kind(number));
  case runtime::Type::player: return "@" + program.players[at(number)].name.substr(0, 1);
  default: return std::to_string(number);
  }
}

} // namespace boardwright::tools
