// Entry points: standing_view, moves_view, position_view.
#include "tools/studio/program_view.hpp"

#include "interpreter/notation/fen.hpp"
#include "runtime/sight/seen.hpp"
#include "tools/drawing/board_text.hpp"
#include "tools/drawing/seen_board.hpp"
#include "tools/games/position_json.hpp"
#include "tools/games/seen_game.hpp"

#include <nlohmann/json.hpp>

namespace boardwright::tools {
namespace {

Json seen_position(const runtime::Program& program, const interpreter::Look& look,
                   const runtime::Position& position, int viewer) {
  if (viewer == kNobody) return {{"error", "this is shown to a player, and to nobody else"}};
  const auto seen = runtime::sight::seen_by(program, position, viewer);
  if (!seen) return {{"error", seen.error().message}};
  const SeenBoard board(program, &look, *seen);
  DrawOptions options;
  options.look = board.look();
  return {{"seen", seen_json(program, *seen)},
          {"board", draw_board(board.program(), board.position(), options)}};
}

} // namespace

Json standing_view(const interpreter::Loaded& loaded, runtime::Game& game) {
  return {{"to_move", game.to_move()}, {"chance", game.is_chance()}, {"outcome", outcome_view(loaded, game)}};
}

Json moves_view(runtime::Game& game, Viewer viewer, const runtime::ListLimits& limits) {
  const bool closed = is_closed(game, viewer);
  Json moves = Json::array();
  const auto complete = add_moves(game, closed, limits, moves);
  if (!complete) return {{"error", complete.error().message}};
  if (closed && (game.is_chance() || game.to_move() != *viewer)) {
    keep_only_wordless(moves);
    return {{"moves", moves}, {"complete", true}}; // whether there are more is the mover's
  }
  return {{"moves", moves}, {"complete", *complete}};
}

Json position_view(const interpreter::Loaded& loaded, const interpreter::Look& look, runtime::Game& game,
                   Viewer viewer) {
  const runtime::Program& program = loaded.rules->program();
  const runtime::Position position = game.position();
  if (is_closed(game, viewer)) return seen_position(program, look, position, *viewer);
  DrawOptions options;
  options.look = &look;
  Json view = {{"position", write_position(program, position)},
               {"fen", nullptr},
               {"board", draw_board(program, position, options)}};
  if (const auto fen = interpreter::write_fen(program, position)) view["fen"] = *fen;
  return view;
}

} // namespace boardwright::tools
