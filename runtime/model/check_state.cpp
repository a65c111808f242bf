#include "runtime/model/check_state.hpp"

#include "runtime/model/piece_values.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::string check_hands(const Program& program, const Position& position) {
  if (position.hands.size() != static_cast<std::size_t>(program.hands))
    return fmt::format("the position has {} entries for hands, the game {}", position.hands.size(),
                       program.hands);
  const bool good = std::all_of(position.hands.begin(), position.hands.end(),
                                [](std::int32_t count) { return count >= 0; });
  return good ? "" : "a hand can't hold less than nothing";
}

} // namespace

std::string check_state(const Program& program, const Position& position) {
  for (const auto check : {check_cells, check_hands, check_variables})
    if (std::string fault = check(program, position); !fault.empty()) return fault;
  return {};
}

} // namespace boardwright::runtime
