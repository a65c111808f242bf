#include "tools/reports/failed_test.hpp"

#include "interpreter/notation/fen.hpp"
#include "tools/console/console.hpp"
#include "tools/drawing/board_text.hpp"
#include "tools/english/reasons.hpp"
#include "tools/games/position_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {
namespace {

// Moves that are explained, of those that are missing and of those that are too many: the rest is likely to
// be so for the same reasons.
constexpr std::size_t kMaxExplained = 2;

// A move that would be understood where it is typed, though the rules write it in another way; or "".
std::string written_otherwise(runtime::Game& game, const std::string& move) {
  const auto found = game.find(move);
  if (!found || !*found) return "";
  const auto notation = game.notation(**found);
  return notation && *notation != move ? *notation : "";
}

std::string reasons(const interpreter::FailedPosition& failed, const std::vector<std::string>& moves) {
  std::string text;
  for (std::size_t i = 0; i < moves.size() && i < kMaxExplained; ++i)
    if (const std::string other = written_otherwise(failed.game, moves[i]); !other.empty())
      text += fmt::format("{} is written {}: tests ask for every letter\n", moves[i], other);
    else if (const auto found = reasons_text(failed.loaded, failed.game, moves[i]))
      text += *found;
  return text;
}

// As a word of the shell.
std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string how_to_see(const interpreter::FailedPosition& failed, const std::string& file) {
  std::string settings;
  for (const auto& [option, value] : failed.test.settings)
    settings += " --set " + in_quotes(option.text + "=" + value.text);
  const std::string what =
      failed.depth > 0 ? fmt::format("perft --depth {} --divide", failed.depth) : "moves";
  const runtime::Program& program = failed.loaded.rules->program();
  const runtime::Position position = failed.game.position();
  const auto fen = interpreter::write_fen(program, position);
  return fmt::format("see: boardwright {} {}{} --position {}\n", what, in_quotes(file), settings,
                     in_quotes(fen ? *fen : write_position(program, position)));
}

} // namespace

std::string failed_position_text(const interpreter::FailedPosition& failed, const std::string& file,
                                 bool color) {
  const runtime::Program& program = failed.loaded.rules->program();
  const runtime::Position position = failed.game.position();
  DrawOptions options;
  options.color = color;
  options.rest = true;
  const std::string board = draw_board(program, position, options);
  return indented(board, 6) + indented(reasons(failed, failed.missing) + reasons(failed, failed.extra), 4) +
         indented(printable(how_to_see(failed, file)), 4);
}

} // namespace boardwright::tools
