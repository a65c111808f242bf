#include "tools/games/board_shape.hpp"

#include <fmt/format.h>

namespace boardwright::tools {

std::string board_shape(const runtime::Board& board) {
  const char* const cells = board.hexes ? "hexes" : "squares";
  std::string text = board.endless()
                         ? fmt::format("{} without an edge, of which pieces take up {} by {} at the most",
                                       cells, board.reach, board.reach)
                         : fmt::format("{} by {} {}", board.files, board.ranks, cells);
  if (board.cells != board.files * board.ranks) text += fmt::format(", {} cells", board.cells);
  if (board.stacks) text += ", stacks";
  return text;
}

std::string forward_of(const runtime::Player& player) {
  if (player.dx == 0 && player.dy == 0) return "";
  if (player.dx == 0) return player.dy > 0 ? "north" : "south";
  return player.dx > 0 ? "east" : "west";
}

} // namespace boardwright::tools
