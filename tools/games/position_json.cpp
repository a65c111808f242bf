#include "tools/games/position_json.hpp"

#include "interpreter/notation/fen.hpp"
#include "runtime/model/piece_values.hpp"

#include <nlohmann/json.hpp>

namespace boardwright::tools {
namespace {

using runtime::Position;
using runtime::Program;
using runtime::Type;

Json cells_json(const Program& program, const Position& position) {
  Json cells = Json::object();
  for (std::size_t i = 0; i < position.cells.size(); ++i)
    if (!position.cells[i].empty()) cells[program.board.name[i]] = letters_of(program, position.cells[i]);
  return cells;
}

Json hands_json(const Program& program, const Position& position) {
  Json hands = Json::object();
  for (std::size_t player = 0; player < program.players.size(); ++player)
    for (std::size_t kind = 0; kind < program.kinds.size(); ++kind)
      if (const int slot = program.hand_slot[player][kind]; slot >= 0)
        hands[program.players[player].name][program.kinds[kind].name] =
            position.hands[static_cast<std::size_t>(slot)];
  return hands;
}

Json variable_json(const Program& program, Type type, const runtime::VariableValue& value) {
  switch (type) {
  case Type::truth: return value.number != 0;
  case Type::kind:
    return value.number < 0 ? "none" : program.kinds[static_cast<std::size_t>(value.number)].name;
  case Type::player: return program.players[static_cast<std::size_t>(value.number)].name;
  case Type::cells: {
    Json cells = Json::array();
    value.cells.each([&](int cell) { cells.push_back(program.board.name[static_cast<std::size_t>(cell)]); });
    return cells;
  }
  default: return value.number;
  }
}

// The cells by the value of their pieces; those with the first value are left out.
Json carried_json(const Program& program, const runtime::PieceValue& value, const Position& position) {
  Json json = Json::object();
  for (const auto& [code, cells] : runtime::coded_cells(value, position)) {
    Json& named = json[runtime::text_of_code(program, value, code)];
    cells.each([&](int cell) { named.push_back(program.board.name[static_cast<std::size_t>(cell)]); });
  }
  return json;
}

Json state_json(const Program& program, const Position& position) {
  Json state = Json::object();
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const runtime::Variable& variable = program.variables[i];
    if (variable.plane >= 0) {
      if (const auto* value = runtime::piece_value_at(program, i))
        state[value->name] = carried_json(program, *value, position);
      continue;
    }
    if (variable.name.empty()) continue; // of a program for somebody who mustn't see it
    Json value = variable_json(program, variable.type, position.variables[i]);
    if (variable.player < 0)
      state[variable.name] = std::move(value);
    else
      state[variable.name][program.players[static_cast<std::size_t>(variable.player)].name] =
          std::move(value);
  }
  return state;
}

Json turns_json(const Program& program, const Position& position) {
  Json turns = Json::object();
  for (std::size_t i = 0; i < program.players.size(); ++i) turns[program.players[i].name] = position.turns[i];
  return turns;
}

Json out_json(const Program& program, const Position& position) {
  Json out = Json::array();
  for (std::size_t i = 0; i < program.players.size(); ++i)
    if ((position.out >> i & 1U) != 0) out.push_back(program.players[i].name);
  return out;
}

} // namespace

std::string write_position(const Program& program, const Position& position) {
  return to_text(to_json(program, position));
}

std::string letters_of(const Program& program, const runtime::Stack& stack) {
  std::string letters;
  for (const runtime::Piece piece : stack) letters += program.letter_of(piece);
  return letters;
}

Json to_json(const Program& program, const Position& position) {
  Json json = {{"to_move", program.players[static_cast<std::size_t>(position.to_move)].name},
               {"cells", cells_json(program, position)},
               {"ply", position.ply},
               {"turns", turns_json(program, position)}};
  if (program.hands > 0) json["hands"] = hands_json(program, position);
  if (!program.variables.empty()) json["state"] = state_json(program, position);
  if (position.out != 0) json["out"] = out_json(program, position);
  return json;
}

std::string position_line(const runtime::Program& program, const runtime::Position& position) {
  const auto fen = interpreter::write_fen(program, position);
  return fen ? *fen : write_position(program, position);
}

} // namespace boardwright::tools
