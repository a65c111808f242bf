#include "tools/commands/protocol_seen.hpp"

#include "runtime/sight/knowledge.hpp"
#include "tools/drawing/board_rest.hpp"
#include "tools/drawing/board_text.hpp"
#include "tools/drawing/seen_board.hpp"
#include "tools/games/seen_game.hpp"

#include <fmt/format.h>

#include <sstream>

namespace boardwright::tools {
namespace {

std::vector<std::string> drawn_lines(const runtime::Program& program, const runtime::Position& position) {
  std::istringstream board(draw_board(program, position, {}) + describe_rest(program, position));
  std::vector<std::string> lines;
  for (std::string line; std::getline(board, line);) lines.push_back(line);
  return lines;
}

} // namespace

std::optional<int> seat_named(std::string_view word) {
  if (word == "p1") return 0;
  if (word == "p2") return 1;
  return std::nullopt;
}

tl::expected<std::string, runtime::Fault> chance_line(runtime::Game& game, Protocol protocol) {
  const auto outcome = game.outcome();
  if (!outcome) return tl::unexpected(outcome.error());
  if (*outcome || !game.is_chance()) return "chance none";
  const auto words = protocol_moves(game, protocol);
  if (!words) return tl::unexpected(words.error());
  const auto weights = game.weights();
  if (!weights) return tl::unexpected(weights.error());
  std::string line = "chance";
  for (std::size_t i = 0; i < words->size(); ++i) line += fmt::format(" {} {}", (*words)[i], (*weights)[i]);
  return line;
}

tl::expected<std::vector<std::string>, runtime::Fault> seen_lines(const runtime::Game& game, int seat) {
  const auto known = runtime::sight::knowledge_of(game, seat);
  if (!known) return tl::unexpected(known.error());
  return lines_known(game.rules().program(), *known);
}

tl::expected<std::vector<std::string>, runtime::Fault> board_lines(const runtime::Game& game,
                                                                   std::optional<int> seat) {
  const runtime::Program& program = game.rules().program();
  const runtime::Position position = game.position();
  if (!seat) return drawn_lines(program, position);
  const auto seen = runtime::sight::seen_by(program, position, *seat);
  if (!seen) return tl::unexpected(seen.error());
  const SeenBoard board(program, nullptr, *seen);
  return drawn_lines(board.program(), board.position());
}

} // namespace boardwright::tools
