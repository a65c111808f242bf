// Entry points: those of fen_words.hpp.
#include "interpreter/notation/fen_words.hpp"

#include "dsl/shape.hpp"
#include "dsl/text.hpp"
#include "interpreter/notation/fen_players.hpp"
#include "runtime/model/piece_values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::interpreter {
namespace {

using runtime::Program;

// Signs that a FEN is made of, or by which a position is told to be something else than a FEN.
bool has_meaning(char letter) {
  return dsl::is_digit(letter) || std::string_view("/[]-=:{\"").find(letter) != std::string_view::npos;
}

// The letter of the only kind that both have, where there is one kind only and `P` is nobody's letter.
std::optional<char> only_letter(const Program& program, std::string_view colour) {
  const auto player = player_of_colour(program, colour);
  if (!player || program.kinds.size() != 1 || program.piece_of('P') || program.piece_of('p'))
    return std::nullopt;
  const char letter = program.kinds.front().letter[*player];
  return letter != 0 ? std::optional(letter) : std::nullopt;
}

} // namespace

std::string why_no_fen(const Program& program) {
  if (program.board.stacks) return "a FEN has one piece on a cell, and this board has stacks";
  if (program.board.endless()) return "a FEN goes from edge to edge, and this board has none";
  for (const auto& kind : program.kinds)
    for (const char letter : kind.letter)
      if (letter != 0 && has_meaning(letter))
        return fmt::format("the letter `{}` of {} has a meaning of its own in a FEN", letter,
                           dsl::in_backticks(kind.name));
  return "";
}

std::string letters_text(const Program& program) {
  std::string text;
  for (const runtime::Kind& kind : program.kinds) {
    std::string letters;
    for (const char letter : kind.letter)
      if (letter != 0) letters += (letters.empty() ? "" : " ") + std::string(1, letter);
    if (!letters.empty()) text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", letters, kind.name);
  }
  return text;
}

char letter_meant(const Program& program, char letter) {
  if (letter != 'P' && letter != 'p') return letter;
  return only_letter(program, letter == 'P' ? "w" : "b").value_or(letter);
}

char common_letter(const Program& program, char letter) {
  if (only_letter(program, "w") == letter) return 'P';
  return only_letter(program, "b") == letter ? 'p' : letter;
}

const runtime::PieceValue* promoted_value(const Program& program) {
  const runtime::PieceValue* value = runtime::piece_value_named(program, kPromoted);
  return value != nullptr && value->type == runtime::Type::truth ? value : nullptr;
}

std::optional<std::size_t> checks_variable(const Program& program) {
  if (program.players.size() != 2) return std::nullopt;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const runtime::Variable& variable = program.variables[i];
    if (variable.name == kChecks && variable.type == runtime::Type::number && variable.player == 0) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> idle_clock(const Program& program) {
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const runtime::Variable& variable = program.variables[i];
    if (variable.name == kIdle && variable.clock && variable.player < 0) return i;
  }
  return std::nullopt;
}

int checks_needed(const Program& program) {
  for (const runtime::Option& option : program.options)
    if (option.name == kNeeded) return dsl::number_in<int>(option.value).value_or(kUsuallyNeeded);
  return kUsuallyNeeded;
}

void fen_error(const dsl::Text& where, std::string what, std::string help, dsl::Diagnostics& diagnostics) {
  diagnostics.error("fen", where.span(), std::move(what)).help = std::move(help);
}

dsl::Text text_at(const dsl::Text& where, std::string text) {
  dsl::Text made;
  made.offsets.assign(text.size() + 1, where.offsets.empty() ? 0U : where.offsets.front());
  made.text = std::move(text);
  made.file = where.file;
  return made;
}

} // namespace boardwright::interpreter
