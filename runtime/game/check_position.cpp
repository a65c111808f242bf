// What a position must be like to fit a program.

#include "runtime/game/game.hpp"
#include "runtime/model/limits.hpp"
#include "runtime/model/piece_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace boardwright::runtime {

namespace {

std::string check_stack(const Program& program, std::size_t cell, const Stack& stack) {
  const std::string& name = program.board.name[cell];
  if (!program.board.stacks && stack.size() > 1)
    return fmt::format("{} pieces on {}, and the board has no stacks", stack.size(), name);
  if (stack.size() > static_cast<std::size_t>(program.board.levels))
    return fmt::format("{} pieces on {}; a stack holds at most {}", stack.size(), name, program.board.levels);
  for (const Piece piece : stack)
    if (piece.owner < -1 || program.letter_of(piece) == '?')
      return fmt::format("a piece on {} is none that the game knows", name);
  return {};
}

std::string check_cells(const Program& program, const Position& position) {
  const std::size_t cells = position.cells.size();
  if (cells != static_cast<std::size_t>(program.board.cells))
    return fmt::format("the position has {} cells, the board {}", cells, program.board.cells);
  for (std::size_t cell = 0; cell < cells; ++cell)
    if (std::string fault = check_stack(program, cell, position.cells[cell]); !fault.empty()) return fault;
  return {};
}

std::string check_variable(const Program& program, const Variable& variable, const VariableValue& value) {
  const auto below = [&](std::int32_t least, std::size_t limit) {
    return value.number >= least && value.number < static_cast<std::int64_t>(limit);
  };
  switch (variable.type) {
  case Type::truth: return below(0, 2) ? "" : fmt::format("`{}` is neither true nor false", variable.name);
  case Type::kind:
    return below(-1, program.kinds.size()) ? "" : fmt::format("`{}` is no kind of piece", variable.name);
  case Type::player:
    return below(0, program.players.size()) ? "" : fmt::format("`{}` is no player", variable.name);
  case Type::cells:
    return value.cells.within(program.board.all)
               ? ""
               : fmt::format("`{}` has a cell off the board", variable.name);
  default: return {};
  }
}

std::string check_variables(const Program& program, const Position& position) {
  if (position.variables.size() != program.variables.size())
    return fmt::format("the position has {} state variables, the game {}", position.variables.size(),
                       program.variables.size());
  for (std::size_t i = 0; i < program.variables.size(); ++i)
    if (std::string fault = check_variable(program, program.variables[i], position.variables[i]);
        !fault.empty())
      return fault;
  return wrong_piece_values(program, position);
}

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

std::string check_hands(const Program& program, const Position& position) {
  if (position.hands.size() != static_cast<std::size_t>(program.hands))
    return fmt::format("the position has {} entries for hands, the game {}", position.hands.size(),
                       program.hands);
  const bool good = std::all_of(position.hands.begin(), position.hands.end(),
                                [](std::int32_t count) { return count >= 0; });
  return good ? "" : "a hand can't hold less than nothing";
}

} // namespace

std::string check_position(const Program& program, const Position& position) {
  for (const auto check : {check_cells, check_hands, check_variables, check_players, check_counters})
    if (std::string fault = check(program, position); !fault.empty()) return fault;
  return {};
}

Position blank_position(const Program& program) {
  Position position = program.initial;
  position.cells.assign(static_cast<std::size_t>(program.board.cells), Stack());
  return position;
}

} // namespace boardwright::runtime
