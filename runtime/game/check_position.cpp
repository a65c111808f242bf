// What a position must be like to fit a program.

#include "runtime/game/game.hpp"
#include "runtime/model/check_state.hpp"
#include "runtime/model/limits.hpp"

#include <fmt/format.h>

#include <bit>

namespace boardwright::runtime {

namespace {

std::string check_players(const Program& program, const Position& position) {
  const int players = program.player_count();
  if (position.to_move < 0 || position.to_move >= players) return "no player of the game is to move";
  if ((position.out >> players) != 0) return "a player who is not in the game has been put out";
  // When all but one have been put out, it may be the last of them whose turn it was.
  const bool over = players > 2 && players - std::popcount(position.out) <= 1;
  if (!over && (position.out >> position.to_move & 1) != 0)
    return fmt::format("{} is to move and has been put out",
                       program.players[static_cast<std::size_t>(position.to_move)].name);
  return {};
}

std::string check_counters(const Program& program, const Position& position) {
  if (position.ply < 0) return "`ply` is below 0";
  if (position.ply > kMaxPly) return fmt::format("`ply` is above {}", kMaxPly);
  if (position.turns.size() != program.players.size())
    return fmt::format("the position counts the turns of {} players, the game has {}", position.turns.size(),
                       program.players.size());
  for (const std::int32_t turns : position.turns) {
    if (turns < 0) return "`turns` is below 0";
    if (turns > kMaxPly) return fmt::format("`turns` is above {}", kMaxPly);
  }
  return {};
}

} // namespace

std::string check_position(const Program& program, const Position& position) {
  for (const auto check : {check_state, check_players, check_counters})
    if (std::string fault = check(program, position); !fault.empty()) return fault;
  return {};
}

Position blank_position(const Program& program) {
  Position position = program.initial;
  position.cells.assign(static_cast<std::size_t>(program.board.cells), Stack());
  return position;
}

} // namespace boardwright::runtime
