// What a board doesn't show, in sentences: hands, state, what is counted, who is to move.
// Entry points: describe_rest, value_text, player_text.
#include "tools/drawing/board_rest.hpp"

#include "runtime/model/piece_values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {

using runtime::Position;
using runtime::Program;

std::string value_text(const Program& program, runtime::Type type, const runtime::VariableValue& value) {
  switch (type) {
  case runtime::Type::truth: return value.number != 0 ? "true" : "false";
  case runtime::Type::kind:
    return value.number < 0 ? "none" : program.kinds[static_cast<std::size_t>(value.number)].name;
  case runtime::Type::player: return program.players[static_cast<std::size_t>(value.number)].name;
  case runtime::Type::cells: {
    std::vector<std::string> names;
    value.cells.each([&](int cell) { names.push_back(program.board.name[static_cast<std::size_t>(cell)]); });
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, " "));
  }
  default: return std::to_string(value.number);
  }
}

namespace {

bool hidden_by_look(const interpreter::Look* look, const std::string& name) {
  return look != nullptr && std::find(look->hidden.begin(), look->hidden.end(), name) != look->hidden.end();
}

std::string hands_text(const Program& program, const Position& position, const interpreter::Look* look) {
  const Scene scene(program, look);
  std::vector<std::string> hands;
  for (std::size_t player = 0; player < program.players.size(); ++player)
    if (const std::string hand = hand_text(scene, position, player); !hand.empty())
      hands.push_back(fmt::format("{}: {}", program.players[player].name, hand));
  return hands.empty() ? "" : fmt::format("in hand: {}\n", fmt::join(hands, "; "));
}

// Which pieces carry what; where all carry what they begin with, that.
std::string carried_text(const Program& program, const runtime::PieceValue& value, const Position& position) {
  if (runtime::coded_cells(value, position).empty())
    return fmt::format("{} = {} for every piece", value.name,
                       runtime::text_of_code(program, value, value.flipped));
  return fmt::format("{} = {}", value.name, runtime::text_of_values(program, value, position));
}

std::string state_text(const Program& program, const Position& position, const interpreter::Look* look) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const runtime::Variable& variable = program.variables[i];
    if (hidden_by_look(look, variable.name) || !program.is_told(position, i)) continue;
    if (variable.plane >= 0) {
      if (const auto* value = runtime::piece_value_at(program, i))
        items.push_back(carried_text(program, *value, position));
      continue;
    }
    const std::string owner =
        variable.player < 0 ? "" : program.players[static_cast<std::size_t>(variable.player)].name + ".";
    items.push_back(fmt::format("{}{} = {}", owner, variable.name,
                                value_text(program, variable.type, position.variables[i])));
  }
  return items.empty() ? "" : fmt::format("state: {}\n", fmt::join(items, ", "));
}

std::string counts_text(const Program& program, const Position& position, const interpreter::Look* look) {
  const Counted counts = counted(Scene(program, look), position);
  std::vector<std::string> items;
  for (std::size_t i = 0; i < program.players.size(); ++i)
    if (!counts.of_player[i].empty())
      items.push_back(fmt::format("{} {}", program.players[i].name, fmt::join(counts.of_player[i], ", ")));
  items.insert(items.end(), counts.shared.begin(), counts.shared.end());
  return items.empty() ? "" : fmt::format("counted: {}\n", fmt::join(items, "; "));
}

std::string out_text(const Program& program, const Position& position) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < program.players.size(); ++i)
    if ((position.out >> i & 1U) != 0) names.push_back(program.players[i].name);
  return names.empty() ? "" : fmt::format("out: {}\n", fmt::join(names, ", "));
}

} // namespace

std::string describe_rest(const Program& program, const Position& position, const interpreter::Look* look,
                          bool over) {
  const std::string& mover = program.players[static_cast<std::size_t>(position.to_move)].name;
  return hands_text(program, position, look) + state_text(program, position, look) +
         counts_text(program, position, look) + out_text(program, position) +
         (over ? "" : mover + " to move\n");
}

std::string player_text(const Program& program, int player, bool color) {
  const std::string& name = program.players[static_cast<std::size_t>(player)].name;
  return color ? fmt::format("\x1b[1m{}\x1b[0m", name) : name;
}

} // namespace boardwright::tools
