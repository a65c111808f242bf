// Entry point: translate.
#include "tools/records/formats/translate.hpp"

#include "interpreter/notation/fen_players.hpp"
#include "interpreter/notation/position_text.hpp"
#include "interpreter/notation/record.hpp"
#include "runtime/game/spelling.hpp"
#include "runtime/model/shares.hpp"
#include "tools/console/json.hpp"
#include "tools/games/position_json.hpp"
#include "tools/records/formats/foreign_moves.hpp"
#include "tools/records/game_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace boardwright::tools {
namespace {

using interpreter::Record;
using runtime::Game;
using runtime::Program;

// The player of `w` or `b`; nothing where they are not two.
std::optional<std::size_t> player_of(const Program& program, Format format, char colour) {
  const bool black_begins = format == Format::sgf || format == Format::kif;
  return black_begins ? interpreter::player_of_stone(program, colour)
                      : interpreter::player_of_colour(program, std::string(1, colour));
}

// The set-up with these pieces, which are of the first kind that the player has, as a position's text.
tl::expected<std::string, std::string> with_pieces(const Program& program, Format format,
                                                   const ForeignGame& game) {
  runtime::Position position = program.initial;
  for (const PlacedPiece& placed : game.placed) {
    const int cell = cell_of_point(program, placed.cell);
    const auto player = placed.colour == '-' ? 0 : player_of(program, format, placed.colour);
    if (cell == runtime::kNowhere || !player)
      return tl::unexpected(
          fmt::format("line {}: `{}` is no point of this board", placed.line, quotable(placed.cell)));
    auto& stack = position.cells[static_cast<std::size_t>(cell)];
    stack.clear();
    for (std::size_t kind = 0; kind < program.kinds.size() && placed.colour != '-' && stack.empty(); ++kind)
      if (program.kinds[kind].letter[*player] != 0)
        stack.push_back({static_cast<std::int8_t>(*player), static_cast<std::int8_t>(kind)});
  }
  char first = game.to_move;
  if (first == 0 && !game.moves.empty()) first = game.moves.front().colour;
  if (const auto player = player_of(program, format, first); player && first != 0)
    position.to_move = static_cast<std::int8_t>(*player);
  return position_line(program, position);
}

tl::expected<std::string, std::string> position_of(const Program& program, Format format,
                                                   const ForeignGame& game) {
  const bool other_begins = !game.moves.empty() && game.moves.front().colour != 0 &&
                            player_of(program, format, game.moves.front().colour) != std::size_t{0};
  if (!game.placed.empty() || (game.position.empty() && (game.to_move != 0 || other_begins)))
    return with_pieces(program, format, game);
  return game.position;
}

std::string result_of(const Program& program, Format format, const std::string& winner) {
  if (winner == "draw") return "a draw";
  const auto player = winner.empty() ? std::nullopt : player_of(program, format, winner.front());
  return player ? runtime::with_verb(program.players[*player].name, "win") : "";
}

// The move as the rules write it, played; "" where there is none, or nobody knows which.
std::string played(Game& game, Format format, const std::string& text) {
  const auto over = game.outcome();
  if (!over || *over) return "";
  const auto move = find_foreign_move(game, format, text);
  if (!move || !*move) return "";
  const auto written = runtime::spelling(game, **move);
  return written && game.play(**move) ? *written : "";
}

// With whoever makes it where the file says so, which replaying compares.
std::string with_player(const Program& program, Format format, char colour, const std::string& move) {
  const auto player = colour == 0 ? std::nullopt : player_of(program, format, colour);
  return player ? fmt::format("{}: {}", program.players[*player].name, interpreter::as_written(move))
                : interpreter::as_written(move);
}

// A file's own tags of these names mean something else.
bool is_ours(const std::string& name) {
  return name == "Game" || name == "Rules" || name == "RulesHash" || name == "Option" || name == "Position" ||
         name == "Player";
}

} // namespace

tl::expected<Record, std::string> translate(const std::shared_ptr<const runtime::Rules>& rules, Format format,
                                            const ForeignGame& foreign) {
  const Program& program = rules->program();
  Record record;
  record.line = foreign.line;
  record.comments = foreign.comments;
  for (const auto& tag : foreign.tags)
    if (!is_ours(tag.first)) record.tags.push_back(tag);
  const auto position = position_of(program, format, foreign);
  if (!position) return tl::unexpected(position.error());
  std::optional<Game> game;
  if (position->empty()) {
    game.emplace(rules);
  } else {
    auto read = interpreter::read_position(rules, "[FEN]", *position);
    if (!read.game) return tl::unexpected(read.errors());
    game = std::move(read.game);
    record.tags.emplace_back("Position", *position);
  }
  bool lost = false; // a move wasn't found: nobody knows what those behind it mean
  for (const ForeignMove& move : foreign.moves) {
    const std::string ours = lost ? "" : played(*game, format, move.text);
    lost = lost || ours.empty();
    record.moves.push_back({with_player(program, format, move.colour, lost ? move.text : ours), move.line,
                            move.column, move.comments});
  }
  record.result = result_of(program, format, foreign.winner);
  return record;
}

} // namespace boardwright::tools
