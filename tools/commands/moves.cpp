// moves: the legal moves of a position and what each does.
#include "runtime/model/limits.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/json.hpp"
#include "tools/games/notation_columns.hpp"
#include "tools/games/outcome_json.hpp"
#include "tools/games/position_json.hpp"
#include "tools/games/seen_game.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace boardwright::tools {
namespace {

struct MovesOptions {
  GameChoice game;
  std::string viewer; // a player: only what he knows
  bool json = false;
};

using interpreter::Loaded;
using runtime::Fault;
using runtime::Outcome;
using runtime::Position;
using runtime::Program;

Json ended_json(const Loaded& loaded, const std::optional<Outcome>& outcome) {
  if (!outcome) return nullptr;
  return outcome_json(loaded, *outcome);
}

Json winner_json(const Program& program, const std::optional<Outcome>& outcome) {
  const auto winners = outcome ? winners_of(program, *outcome) : std::vector<std::string>{};
  return winners.size() == 1 ? Json(winners.front()) : Json();
}

Json changes_json(const Program& program, const Position& before, const Position& after) {
  Json changes = Json::object();
  for (std::size_t i = 0; i < before.cells.size(); ++i)
    if (before.cells[i] != after.cells[i])
      changes[program.board.name[i]] = letters_of(program, after.cells[i]);
  return changes;
}

// What differs of `hands` or `state`: entries, of each player where he has one; of what pieces carry, by
// value.
Json different(const Json& before, const Json& after) {
  Json rest = Json::object();
  for (const auto& [name, value] : after.items()) {
    const auto was = before.find(name);
    if (was != before.end() && *was == value) continue;
    const bool within = value.is_object() && was != before.end() && was->is_object();
    rest[name] = within ? different(*was, value) : value;
  }
  for (const auto& [name, value] : before.items())
    if (!after.contains(name)) rest[name] = nullptr; // as which nothing is left
  return rest;
}

void add_rest(const Program& program, const Position& before, const Position& after, Json& move) {
  if (before.hands == after.hands && before.variables == after.variables) return;
  const Json old = to_json(program, before), now = to_json(program, after);
  for (const char* part : {"hands", "state"})
    if (now.contains(part) && old[part] != now[part]) move[part] = different(old[part], now[part]);
}

// Plays move `index`, looks, and takes it back. The list is asked for anew each time: it ends when the game
// moves on.
tl::expected<Json, Fault> move_json(OpenGame& open, const Position& before, std::size_t index,
                                    const std::string& notation) {
  const auto moves = open.game.moves();
  if (!moves) return tl::unexpected(moves.error());
  if (const auto played = open.game.play((*moves)[index]); !played) return tl::unexpected(played.error());
  const auto outcome = open.game.outcome(); // before the position: it may put players out
  const Position after = open.game.position();
  open.game.undo();
  if (!outcome) return tl::unexpected(outcome.error());
  const Program& program = open.program();
  Json move = {{"move", notation},
               {"to_move", program.players[static_cast<std::size_t>(after.to_move)].name},
               {"changes", changes_json(program, before, after)}};
  add_rest(program, before, after, move);
  move["outcome"] = ended_json(open.loaded, *outcome);
  move["winner"] = winner_json(program, *outcome);
  return move;
}

Exit too_long(const OpenGame& open, Console& console) {
  const auto mover = static_cast<std::size_t>(open.game.to_move());
  const Program& program = open.program();
  return report_fault(program,
                      {fmt::format("to play every move takes more than {} steps", runtime::kMaxWork),
                       program.nodes[program.players[mover].turn].origin},
                      console);
}

// A line for each move, written as it is found: a position may have millions.
Exit write_json(OpenGame& open, const std::optional<Outcome>& outcome,
                const std::vector<std::string>& notations, Console& console) {
  const Position before = open.game.position();
  const std::uint64_t begun = open.game.steps();
  console.out(fmt::format("{{\"outcome\": {}, \"moves\": [", to_text(ended_json(open.loaded, outcome))));
  for (std::size_t i = 0; i < notations.size(); ++i) {
    if (interrupted()) return Exit::interrupted;
    if (open.game.steps() - begun > runtime::kMaxWork) return too_long(open, console);
    const auto json = move_json(open, before, i, notations[i]);
    if (!json) return report_fault(open.program(), json.error(), console);
    console.out((i == 0 ? "\n" : ",\n") + to_text(*json));
    if (console.failed()) return Exit::files;
  }
  console.out(notations.empty() ? "]}\n" : "\n]}\n");
  return Exit::good;
}

void write_text(const OpenGame& open, const std::optional<Outcome>& outcome,
                std::vector<std::string> notations, Console& console) {
  if (outcome) return console.out(outcome_text(open.loaded, *outcome) + "\n");
  const std::size_t count = notations.size();
  console.out(in_columns(in_order(std::move(notations)), console.width()));
  const std::string mover = open.program().players[static_cast<std::size_t>(open.game.to_move())].name;
  console.out(fmt::format("{} {} for {}\n", grouped(count), count == 1 ? "move" : "moves", mover));
}

// What one player knows: his moves where he is to move, and what he has seen.
Exit list_for(int player, OpenGame& open, bool json, Console& console) {
  const Program& program = open.program();
  const auto outcome = open.game.outcome();
  if (!outcome) return report_fault(program, outcome.error(), console);
  const auto knowledge = runtime::sight::knowledge_of(open.game, player);
  if (!knowledge) return report_fault(program, knowledge.error(), console);
  const bool his = open.game.to_move() == player && !open.game.is_chance() && !*outcome;
  auto notations = his ? open.game.notations() : std::vector<std::string>();
  if (!notations) return report_fault(program, notations.error(), console);
  for (std::string& text : *notations) text = runtime::sight::read_by(program, text, player, player);
  if (json) {
    console.out(to_document({{"player", program.players[static_cast<std::size_t>(player)].name},
                             {"outcome", ended_json(open.loaded, *outcome)},
                             {"seen", seen_json(program, seen_now(*knowledge))},
                             {"knows", lines_known(program, *knowledge)},
                             {"moves", *notations}}));
    return Exit::good;
  }
  for (const std::string& line : lines_known(program, *knowledge)) console.out(printable(line) + "\n");
  if (his || *outcome) write_text(open, *outcome, std::move(*notations), console);
  return Exit::good;
}

Exit list_moves(const MovesOptions& options, Console& console) {
  auto open = open_game(options.game, console);
  if (!open) return open.error();
  const auto viewer = viewer_named(options.viewer, open->program(), console);
  if (!viewer) return viewer.error();
  if (*viewer) return list_for(**viewer, *open, options.json, console);
  auto notations = open->game.notations(); // it may take long, and tells the outcome, too
  if (!notations) return report_fault(open->program(), notations.error(), console);
  const auto outcome = open->game.outcome();
  if (!outcome) return report_fault(open->program(), outcome.error(), console);
  if (options.json) return write_json(*open, *outcome, *notations, console);
  write_text(*open, *outcome, std::move(*notations), console);
  return Exit::good;
}

} // namespace

void declare_moves(CommandLine& line) {
  auto& options = line.options<MovesOptions>();
  CLI::App& command = line.add(
      "moves", "Lists the legal moves of a position",
      "  boardwright moves GAME\n  boardwright moves GAME --position endgame.json --json\n"
      "  boardwright moves GAME --position 'play: a1-a2 c3-c2'\n"
      "  boardwright moves GAME --position '{ to_move: Black, cells: { c3: b } }'\n"
      "  echo '{\"to_move\": \"Black\", \"cells\": {\"c3\": \"b\"}}' | boardwright moves GAME --position -");
  add_game(command, options.game);
  add_position(command, options.game);
  add_viewer(command, options.viewer);
  add_json(command, options.json);
  line.runs(command, [&options](Console& console) { return list_moves(options, console); });
}

} // namespace boardwright::tools
