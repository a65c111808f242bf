#include "tools/studio/game_view.hpp"

#include "runtime/game/spelling.hpp"
#include "runtime/sight/seen.hpp"
#include "tools/drawing/board_svg.hpp"
#include "tools/drawing/move_drawing.hpp"
#include "tools/drawing/seen_board.hpp"
#include "tools/english/plain_words.hpp"
#include "tools/games/about_text.hpp"
#include "tools/games/board_shape.hpp"
#include "tools/games/game_choice.hpp"
#include "tools/games/outcome_json.hpp"
#include "tools/games/position_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace boardwright::tools {
namespace {

using runtime::Position;
using runtime::Program;

constexpr std::uint64_t kMostMovesShown = 20'000;
constexpr std::chrono::seconds kPatience{2};

// "White man", "a stack of 3, White man on top"; "" for an empty cell.
std::string held(const Program& program, const runtime::Stack& stack) {
  if (stack.empty()) return "";
  const runtime::Piece top = stack.back();
  std::string text = program.kinds[static_cast<std::size_t>(top.kind)].name;
  if (top.owner >= 0) text = program.players[static_cast<std::size_t>(top.owner)].name + " " + text;
  return stack.size() == 1 ? text : fmt::format("a stack of {}, {} on top", stack.size(), text);
}

Json cells_view(const Program& program, const Position& position, const SvgDrawing& drawing) {
  Json cells = Json::array();
  for (const SvgPlace& place : drawing.places) {
    const auto i = static_cast<std::size_t>(place.cell);
    const runtime::Stack& stack = position.cells[i];
    const std::string kind =
        stack.empty() ? "" : program.kinds[static_cast<std::size_t>(stack.back().kind)].name;
    cells.push_back({{"cell", place.cell},
                     {"name", program.board.name[i]},
                     {"x", place.x},
                     {"y", place.y},
                     {"width", place.width},
                     {"height", place.height},
                     {"holds", held(program, stack)},
                     {"kind", kind}});
  }
  return cells;
}

// The cells that a move goes through or names. Where something is kept from its player they are those that he
// reads in it: what else the move does may be what he is about to find out.
tl::expected<std::vector<int>, runtime::Fault> cells_of(runtime::Game& game, const runtime::Move& move,
                                                        const std::string& notation, bool closed) {
  auto named = cells_named(game.rules().program(), notation);
  if (closed) return named;
  auto path = path_of(game, move);
  if (!path) return path;
  // What several cells are named of is made by all of them: tiles that are laid, groups that move together.
  return named.size() > path->size() ? std::move(named) : std::move(*path);
}

// The board as the viewer sees it. Where a rule goes wrong that says what he sees he is shown nothing.
Json seen_view(const Program& program, const interpreter::Look& look, const Position& position, int viewer,
               bool flipped) {
  const Json nothing = {{"svg", ""}, {"cells", Json::array()}};
  if (viewer == kNobody) return nothing;
  const auto seen = runtime::sight::seen_by(program, position, viewer);
  if (!seen) return nothing;
  const SeenBoard board(program, &look, *seen);
  return board_view(board.program(), *board.look(), board.position(), {}, flipped);
}

// False where a limit came first, or a rule goes wrong.
bool all_moves_shown(runtime::Game& game, bool closed, Json& moves) {
  runtime::ListLimits limits;
  limits.most_moves = kMostMovesShown;
  limits.deadline = std::chrono::steady_clock::now() + kPatience;
  const auto complete = add_moves(game, closed, limits, moves);
  return complete && *complete;
}

Json options_view(const Program& program) {
  Json options = Json::array();
  for (const runtime::Option& option : program.options) {
    Json view = {
        {"name", option.name}, {"value", option.value}, {"help", option.help}, {"values", option.values}};
    if (option.range) view["range"] = {option.range->first, option.range->second};
    options.push_back(view);
  }
  return options;
}

} // namespace

Json rules_view(const interpreter::Loaded& loaded) {
  const Program& program = loaded.rules->program();
  Json players = Json::array();
  for (const runtime::Player& player : program.players) players.push_back(player.name);
  return {{"title", program.game},
          {"players", players},
          {"board", board_shape(program.board)},
          {"hexes", program.board.hexes},
          {"hides", program.hides()},
          {"secret", program.secret},
          {"options", options_view(program)},
          {"about", about_json(program.about)},
          {"endings", plain_endings(loaded)}};
}

Json board_view(const Program& program, const interpreter::Look& look, const Position& position,
                const BoardMarks& marks, bool flipped) {
  SvgOptions options;
  options.look = &look;
  options.flipped = flipped;
  options.turn = false; // the page tells it, and not after the end
  options.marks = marks;
  const SvgDrawing drawing = board_drawing(program, position, options);
  std::string svg = svg_opening(drawing);
  for (const std::string& element : drawing.elements) svg += element;
  return {{"svg", svg + "</svg>"}, {"cells", cells_view(program, position, drawing)}};
}

bool is_closed(runtime::Game& game, Viewer viewer) {
  if (!viewer || !game.rules().program().hides()) return false;
  const auto outcome = game.outcome();
  return !outcome || !*outcome;
}

Json outcome_view(const interpreter::Loaded& loaded, runtime::Game& game) {
  const auto outcome = game.outcome();
  if (!outcome) return {{"text", outcome.error().message}, {"winners", Json::array()}};
  if (!*outcome) return nullptr;
  const runtime::Position last = game.position();
  Json view = {{"text", plain_result(loaded, **outcome, &last)},
               {"why", outcome_text(loaded, **outcome)},
               {"winners", winners_of(loaded.rules->program(), **outcome)}};
  if ((*outcome)->shares != 0) view["shares"] = shares_json(loaded.rules->program(), (*outcome)->shares);
  return view;
}

tl::expected<bool, runtime::Fault> add_moves(runtime::Game& game, bool closed,
                                             const runtime::ListLimits& limits, Json& moves) {
  const auto legal = game.moves(limits);
  if (!legal) return tl::unexpected(legal.error());
  const bool complete = legal->complete() && legal->size() <= limits.most_moves;
  std::vector<std::string> notations;
  std::vector<std::vector<int>> paths;
  for (const runtime::Move move : *legal) {
    if (paths.size() == limits.most_moves) break; // the list itself is ended now and then only
    auto notation = game.notation(move);
    if (!notation) return tl::unexpected(notation.error());
    auto path = cells_of(game, move, *notation, closed);
    if (!path) return tl::unexpected(path.error());
    notations.push_back(std::move(*notation));
    paths.push_back(std::move(*path));
  }
  // Numbers that tell apart what is written alike are given by the list of all moves.
  const auto spelled = complete ? runtime::spellings(notations) : notations;
  for (std::size_t i = 0; i < paths.size(); ++i)
    moves.push_back({{"text", spelled[i]}, {"path", std::move(paths[i])}});
  return complete;
}

void keep_only_wordless(Json& moves) {
  if (moves.size() != 1 || !moves[0]["text"].get_ref<const std::string&>().empty()) moves = Json::array();
}

Json picture_view(const interpreter::Loaded& loaded, const interpreter::Look& look, runtime::Game& game,
                  bool flipped, Viewer viewer) {
  const Program& program = loaded.rules->program();
  const Position position = game.position();
  return is_closed(game, viewer) ? seen_view(program, look, position, *viewer, flipped)
                                 : board_view(program, look, position, marks_of_last_move(game), flipped);
}

Json game_view(const interpreter::Loaded& loaded, const interpreter::Look& look, runtime::Game& game,
               bool flipped, Viewer viewer) {
  const Program& program = loaded.rules->program();
  const Position position = game.position();
  const bool closed = is_closed(game, viewer);
  Json view = picture_view(loaded, look, game, flipped, viewer);
  view["closed"] = closed;
  view["to_move"] = position.to_move;
  view["chance"] = game.is_chance();
  view["outcome"] = outcome_view(loaded, game);
  view["moves"] = Json::array();
  view["complete"] = !view["outcome"].is_null() || all_moves_shown(game, closed, view["moves"]);
  if (!closed) {
    view["position"] = write_position(program, position);
  } else if (game.is_chance() || position.to_move != *viewer) {
    keep_only_wordless(view["moves"]);
    view["complete"] = true; // whether there are more than are listed is the mover's
  }
  return view;
}

} // namespace boardwright::tools
