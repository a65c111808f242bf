// Entry points: write_fen, write_common_fen, write_sfen.
#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/fen_players.hpp"
#include "interpreter/notation/fen_rights.hpp"
#include "interpreter/notation/fen_words.hpp"
#include "interpreter/notation/position_entry.hpp"
#include "interpreter/notation/usual_ply.hpp"
#include "runtime/model/piece_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace boardwright::interpreter {
namespace {

using runtime::Position;
using runtime::Program;

// How a piece on a cell is written.
using SignOf = std::string (*)(const Program& program, const Position& position, int cell);

std::string own_sign(const Program& program, const Position& position, int cell) {
  return {program.letter_of(position.cells[static_cast<std::size_t>(cell)].front())};
}

// The rank's cells from left to right; holes have no sign.
std::string rank_text(const Program& program, const Position& position, int y, SignOf sign) {
  std::string text;
  int empty = 0;
  const auto end_of_empty = [&] {
    if (empty > 0) text += std::to_string(empty);
    empty = 0;
  };
  for (int x = 1; x <= program.board.files; ++x) {
    const int cell = program.board.cell_at(x, y);
    if (cell == runtime::kNowhere) continue;
    if (position.cells[static_cast<std::size_t>(cell)].empty()) {
      ++empty;
      continue;
    }
    end_of_empty();
    text += sign(program, position, cell);
  }
  end_of_empty();
  return text;
}

std::string board_text(const Program& program, const Position& position, SignOf sign) {
  std::string text;
  for (int y = program.board.ranks; y >= 1; --y)
    text += (text.empty() && y == program.board.ranks ? "" : "/") + rank_text(program, position, y, sign);
  return text;
}

bool has_letter(const Program& program, std::size_t player, std::size_t kind) {
  const auto& letters = program.kinds[kind].letter;
  return player < letters.size() && letters[player] != 0;
}

// Calls take(player, kind, slot) for every hand.
template <class Take>
void each_hand(const Program& program, Take&& take) {
  for (std::size_t player = 0; player < program.hand_slot.size(); ++player)
    for (std::size_t kind = 0; kind < program.hand_slot[player].size(); ++kind)
      if (const int slot = program.hand_slot[player][kind]; slot >= 0)
        take(player, kind, static_cast<std::size_t>(slot));
}

// Pieces in hand of one sort that are written one by one; more are counted.
constexpr std::size_t kMostRepeated = 9;

std::string hands_text(const Program& program, const Position& position) {
  if (program.hands == 0) return "";
  std::string text;
  each_hand(program, [&](std::size_t player, std::size_t kind, std::size_t slot) {
    if (!has_letter(program, player, kind)) return;
    const auto count = static_cast<std::size_t>(position.hands[slot]);
    if (count > kMostRepeated) text += std::to_string(count);
    text.append(count > kMostRepeated ? 1 : count, program.kinds[kind].letter[player]);
  });
  return "[" + text + "]";
}

// Neutral pieces in a player's hand have no letter that says whose they are. The brackets, which empty all
// hands, come before these fields.
std::string nameless_hands(const Program& program, const Position& position) {
  std::string text;
  each_hand(program, [&](std::size_t player, std::size_t kind, std::size_t slot) {
    if (!has_letter(program, player, kind) && position.hands[slot] != 0)
      text += fmt::format(" hands.{}.{}={}", program.players[player].name, program.kinds[kind].name,
                          position.hands[slot]);
  });
  return text;
}

std::string cells_field(const Program& program, const runtime::CellSet& cells) {
  std::string text;
  cells.each([&](int cell) {
    text += (text.empty() ? "" : ",") + program.board.name[static_cast<std::size_t>(cell)];
  });
  return text.empty() ? "none" : text;
}

std::string value_field(const Program& program, runtime::Type type, const runtime::VariableValue& value) {
  const auto index = static_cast<std::size_t>(value.number);
  switch (type) {
  case runtime::Type::truth: return value.number != 0 ? "true" : "false";
  case runtime::Type::cells: return cells_field(program, value.cells);
  case runtime::Type::kind: return index < program.kinds.size() ? program.kinds[index].name : "none";
  case runtime::Type::player: return index < program.players.size() ? program.players[index].name : "none";
  default: return std::to_string(value.number);
  }
}

// A board that is given begins with pieces that have the first value.
std::string carried_text(const Program& program, const runtime::PieceValue& value, const Position& position) {
  const std::string text = runtime::text_of_values(program, value, position);
  return text == "none" ? "" : fmt::format(" {}={}", value.name, text);
}

std::string state_text(const Program& program, const Position& position) {
  std::string text;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const auto& variable = program.variables[i];
    if (variable.plane >= 0) {
      if (const auto* value = runtime::piece_value_at(program, i))
        text += carried_text(program, *value, position);
      continue;
    }
    if (position.variables[i] == program.initial.variables[i]) continue;
    const std::string owner =
        variable.player < 0 ? "" : "." + program.players[static_cast<std::size_t>(variable.player)].name;
    text += fmt::format(" {}{}={}", variable.name, owner,
                        value_field(program, variable.type, position.variables[i]));
  }
  return text;
}

bool asks(const Program& program, runtime::Op op) {
  return std::any_of(program.nodes.begin(), program.nodes.end(),
                     [op](const runtime::Node& node) { return node.op == op; });
}

std::string counters_text(const Program& program, const Position& position) {
  std::string text;
  const bool asks_turns = asks(program, runtime::Op::turns);
  std::int32_t ply = usual_ply(program, position);
  if (position.ply != ply && (asks_turns || asks(program, runtime::Op::ply))) {
    ply = position.ply;
    text += fmt::format(" ply={}", ply);
  }
  const auto usual = turns_after(program, ply);
  for (std::size_t i = 0; i < usual.size() && asks_turns; ++i)
    if (position.turns[i] != usual[i])
      text += fmt::format(" turns.{}={}", program.players[i].name, position.turns[i]);
  return text;
}

std::string out_text(const Program& program, const Position& position) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < program.players.size(); ++i)
    if ((position.out >> i & 1U) != 0) names.push_back(program.players[i].name);
  return names.empty() ? "" : fmt::format(" out={}", fmt::join(names, ","));
}

// --- as other programs write it

// The kind of which a piece is the other side, where it is told so: nobody has the piece itself in hand, but
// the one that it was.
std::optional<int> turned_from(const Program& program, runtime::Piece piece) {
  if (piece.owner < 0) return std::nullopt;
  const auto& slots = program.hand_slot[static_cast<std::size_t>(piece.owner)];
  if (slots[static_cast<std::size_t>(piece.kind)] >= 0) return std::nullopt;
  for (std::size_t kind = 0; kind < program.kinds.size(); ++kind)
    if (program.kinds[kind].turned == piece.kind && slots[kind] >= 0) return static_cast<int>(kind);
  return std::nullopt;
}

std::string common_sign(const Program& program, const Position& position, int cell) {
  const runtime::Piece piece = position.cells[static_cast<std::size_t>(cell)].front();
  if (const auto kind = turned_from(program, piece))
    return {'+', program.letter_of({piece.owner, static_cast<std::int8_t>(*kind)})};
  std::string sign(1, common_letter(program, program.letter_of(piece)));
  const runtime::PieceValue* promoted = promoted_value(program);
  if (promoted != nullptr &&
      runtime::text_of_code(program, *promoted, runtime::code_on(*promoted, position, cell)) == "true")
    sign += '~';
  return sign;
}

// State that only the program's own FEN has words for, and that isn't as in the set-up.
bool has_other_state(const Program& program, const Position& position) {
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const runtime::Variable& variable = program.variables[i];
    const bool shared = variable.type == runtime::Type::cells && variable.player < 0 && variable.plane < 0;
    if (shared && (variable.name == kRights || variable.name == kGates || variable.name == kPassant))
      continue;
    const runtime::PieceValue* promoted = promoted_value(program);
    if (variable.plane >= 0 && promoted != nullptr && static_cast<int>(i) == promoted->first) continue;
    if (variable.name == kChecks && checks_variable(program)) continue;
    if (variable.clock || position.variables[i] == program.initial.variables[i]) continue;
    return true;
  }
  return position.out != 0 || !nameless_hands(program, position).empty();
}

std::string passing_field(const Program& program, const Position& position) {
  const auto passant = shared_variable(program, kPassant, runtime::Type::cells);
  const auto& cells = passant ? position.variables[*passant].cells : runtime::CellSet{};
  return cells.any() ? program.board.name[static_cast<std::size_t>(cells.first())] : "-";
}

// What is left, for who is `w` and the other one.
std::string checks_field(const Program& program, const Position& position) {
  const auto checks = checks_variable(program);
  if (!checks) return "";
  const auto white = player_of_colour(program, "w").value_or(0);
  const auto left = [&](std::size_t player) {
    return std::max(0, checks_needed(program) - position.variables[*checks + player].number);
  };
  return fmt::format(" {}+{}", left(white), left(1 - white));
}

} // namespace

std::optional<std::string> write_fen(const Program& program, const Position& position) {
  if (!why_no_fen(program).empty()) return std::nullopt;
  return board_text(program, position, own_sign) + hands_text(program, position) + " " +
         player_field(program, static_cast<std::size_t>(position.to_move)) +
         nameless_hands(program, position) + state_text(program, position) +
         counters_text(program, position) + out_text(program, position);
}

std::optional<std::string> write_common_fen(const Program& program, const Position& position) {
  if (!why_no_fen(program).empty() || program.players.size() != 2 || has_other_state(program, position))
    return std::nullopt;
  const auto to_move = static_cast<std::size_t>(position.to_move);
  const auto idle = idle_clock(program);
  return fmt::format("{}{} {} {} {}{} {} 1", board_text(program, position, common_sign),
                     hands_text(program, position), colour_field(program, to_move),
                     letters_of_rights(program, position), passing_field(program, position),
                     checks_field(program, position), idle ? position.variables[*idle].number : 0);
}

std::optional<std::string> write_sfen(const Program& program, const Position& position) {
  if (!why_no_fen(program).empty() || program.players.size() != 2 || has_other_state(program, position))
    return std::nullopt;
  // The last kinds of the rule file first, which are worth the most: `RB2p`.
  std::array<std::string, 2> hands;
  each_hand(program, [&](std::size_t player, std::size_t kind, std::size_t slot) {
    const auto count = static_cast<int>(position.hands[slot]);
    if (!has_letter(program, player, kind) || count == 0) return;
    hands[player].insert(0, (count > 1 ? std::to_string(count) : "") + program.kinds[kind].letter[player]);
  });
  const auto begins = static_cast<std::size_t>(program.initial.to_move);
  const std::string held = hands[begins] + hands[1 - begins];
  return fmt::format("{} {} {} 1", board_text(program, position, common_sign),
                     position.to_move == program.initial.to_move ? 'b' : 'w', held.empty() ? "-" : held);
}

} // namespace boardwright::interpreter
