// show: a game as its file states it.
#include "interpreter/look/look.hpp"
#include "interpreter/notation/fen.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/show_picture.hpp"
#include "tools/console/json.hpp"
#include "tools/console/wrapped.hpp"
#include "tools/drawing/board_rest.hpp"
#include "tools/drawing/board_text.hpp"
#include "tools/drawing/seen_board.hpp"
#include "tools/english/rule_sources.hpp"
#include "tools/english/rules_text.hpp"
#include "tools/games/about_text.hpp"
#include "tools/games/board_shape.hpp"
#include "tools/games/position_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace boardwright::tools {
namespace {

using interpreter::Loaded;
using runtime::Position;
using runtime::Program;

std::string title_text(const Loaded& loaded) {
  const Program& program = loaded.rules->program();
  std::string text = printable(program.game) + "\n";
  for (const auto& [key, value] : program.about)
    if (!is_of_kind(key) && !is_of_term(key))
      text += indented(printable(wrapped(key.empty() ? value : key + ": " + value)));
  if (loaded.file) text += indented(printable("file: " + loaded.sources.name(loaded.file->file)));
  return text;
}

std::string players_text(const Program& program, bool color) {
  std::string text = "players\n";
  for (int i = 0; i < program.player_count(); ++i) {
    const std::string forward = forward_of(program.players[static_cast<std::size_t>(i)]);
    text += "  " + player_text(program, i, color);
    if (!forward.empty()) text += ", forward is " + forward;
    if (i == program.initial.to_move) text += ", begins";
    text += "\n";
  }
  return text;
}

// With the last move marked, where `--position` has played some.
tl::expected<std::string, runtime::Fault> board_section(const Loaded& loaded, const runtime::Game& game,
                                                        std::optional<int> viewer, const ShowOptions& shown,
                                                        const Console& console) {
  constexpr int kIndent = 2;
  const Program& program = loaded.rules->program();
  const interpreter::Look look = interpreter::look_of(loaded);
  DrawOptions options = draw_options(&look, console, shown.ascii);
  options.flipped = shown.flipped;
  options.width -= kIndent;
  options.rest = true;
  const Position position = game.position();
  if (!viewer) options.marks = marks_of_last_move(game);
  BoardPart part;
  if (!shown.around.empty()) {
    constexpr int kNoEnd = 10'000; // where there is no screen
    const int rows = rows_for_board(console, DrawnSize::needed);
    part.rows = rows > 0 ? rows : kNoEnd;
    part.wanted = runtime::CellSet::of(program.board.cell_named(shown.around));
    options.part = &part;
  }
  const auto section = [&](const Program& drawn, const Position& of) {
    return fmt::format("board: {}\n{}", board_shape(program.board), indented(draw_board(drawn, of, options)));
  };
  if (!viewer) return section(program, position);
  const auto seen = runtime::sight::seen_by(program, position, *viewer);
  if (!seen) return tl::unexpected(seen.error());
  const SeenBoard board(program, &look, *seen);
  options.look = board.look();
  return section(board.program(), board.position());
}

std::vector<std::pair<std::string, std::string>> letters_of_kind(const Program& program,
                                                                 const runtime::Kind& kind) {
  std::vector<std::pair<std::string, std::string>> letters;
  for (std::size_t i = 0; i < kind.letter.size(); ++i) {
    if (kind.letter[i] == 0) continue;
    const bool neutral = i >= program.players.size();
    letters.emplace_back(neutral ? "neutral" : program.players[i].name, std::string(1, kind.letter[i]));
  }
  return letters;
}

std::string pieces_text(const Program& program) {
  std::string text = "pieces\n";
  for (const runtime::Kind& kind : program.kinds) {
    std::vector<std::string> letters;
    for (const auto& [owner, letter] : letters_of_kind(program, kind))
      letters.push_back(owner + " " + letter);
    const std::string_view moves = movement_told(program.about, kind.name);
    text += fmt::format("  {}: {}\n", kind.name, fmt::join(letters, ", "));
    if (!moves.empty()) text += indented(indented(printable(wrapped(std::string(moves)))));
  }
  return text;
}

std::string option_text(const runtime::Option& option) {
  std::string text = fmt::format("  {} = {}", option.name, option.value);
  if (option.value != option.initial) text += fmt::format(" (default {})", option.initial);
  if (!option.values.empty()) text += fmt::format(", one of {}", fmt::join(option.values, " | "));
  if (option.range) text += fmt::format(", range {}..{}", option.range->first, option.range->second);
  if (!option.help.empty()) text += ": " + option.help;
  return printable(text) + "\n";
}

std::string options_text(const Program& program) {
  if (program.options.empty()) return "";
  std::string text = "options (--set name=value)\n";
  for (const runtime::Option& option : program.options) text += option_text(option);
  return text;
}

Json definitions_json(const Loaded& loaded) {
  Json definitions = Json::array();
  if (loaded.file)
    for (const dsl::Definition* d : used_definitions(*loaded.file))
      definitions.push_back(definition_text(loaded, *d));
  return definitions;
}

Json pieces_json(const Program& program) {
  Json pieces = Json::array();
  for (const runtime::Kind& kind : program.kinds) {
    Json letters = Json::object();
    for (const auto& [owner, letter] : letters_of_kind(program, kind)) letters[owner] = letter;
    pieces.push_back({{"kind", kind.name}, {"letters", letters}});
  }
  return pieces;
}

Json options_json(const Program& program) {
  Json options = Json::array();
  for (const runtime::Option& option : program.options) {
    Json json = {{"name", option.name}, {"value", option.value}, {"default", option.initial}};
    if (!option.values.empty()) json["one_of"] = option.values;
    if (option.range) json["range"] = {option.range->first, option.range->second};
    if (!option.help.empty()) json["help"] = option.help;
    options.push_back(std::move(json));
  }
  return options;
}

Json players_json(const Program& program) {
  Json players = Json::array();
  for (const runtime::Player& player : program.players) {
    const std::string forward = forward_of(player);
    players.push_back({{"name", player.name}, {"forward", forward.empty() ? Json() : Json(forward)}});
  }
  return players;
}

Json fen_json(const Program& program, const Position& position) {
  const auto fen = interpreter::write_fen(program, position);
  return fen ? Json(*fen) : Json();
}

// The game with a position, which `drawn` writes: that of one player has kinds of its own for what he doesn't
// see.
Json show_json(const Loaded& loaded, const Program& drawn, const Position& position, bool whole) {
  const Program& program = loaded.rules->program();
  const runtime::Board& board = program.board;
  Json shape = {{"shape", board.hexes ? "hexes" : "squares"},
                {"files", board.files},
                {"ranks", board.ranks},
                {"cells", board.name},
                {"stacks", board.stacks}};
  if (board.endless()) shape["reach"] = board.reach;
  return {{"game", program.game},
          {"about", about_json(program.about)},
          {"players", players_json(program)},
          {"board", shape},
          {"pieces", pieces_json(program)},
          {"options", options_json(program)},
          {"position", to_json(drawn, position)},
          {"fen", whole ? fen_json(program, position) : Json()},
          {"define", definitions_json(loaded)},
          {"turn", turn_source(loaded)},
          {"end", end_sources(loaded)}};
}

Exit show_fen(const Program& program, const Position& position, const ShowOptions& options,
              Console& console) {
  const auto fen = interpreter::write_fen(program, position);
  if (!fen) {
    console.error("positions of this game can't be written as a FEN: it has stacks, or a piece whose letter "
                  "is a digit, `/`, `[` or `]`");
    return Exit::at_fault;
  }
  console.out(options.json ? to_document({{"fen", *fen}}) : *fen + "\n");
  return Exit::good;
}

Exit show(const ShowOptions& options, Console& console) {
  auto open = open_game(options.game, console);
  if (!open) return open.error();
  const auto viewer = viewer_named(options.viewer, open->program(), console);
  if (!viewer) return viewer.error();
  if (*viewer && (options.fen || !options.moves.empty() || !options.moves_from.empty())) {
    console.error("a FEN and arrows of moves tell what a player doesn't see: they don't go with --as");
    return Exit::usage;
  }
  if (!options.svg.empty() || !options.png.empty()) return show_picture(*open, *viewer, options, console);
  if (!options.moves.empty() || !options.moves_from.empty() || options.bare) {
    console.error("--move, --moves and --bare belong to a picture: give --svg FILE or --png FILE, too");
    return Exit::usage;
  }
  const Loaded& loaded = open->loaded;
  const Program& program = open->program();
  const Position position = open->game.position();
  if (!options.around.empty() && program.board.cell_named(options.around) < 0) {
    console.error(fmt::format("--around: the board has no cell {}", quotable(options.around)));
    return Exit::usage;
  }
  if (options.fen) return show_fen(program, position, options, console);
  if (options.json && *viewer) {
    const auto seen = runtime::sight::seen_by(program, position, **viewer);
    if (!seen) return report_fault(program, seen.error(), console);
    const SeenBoard board(program, nullptr, *seen);
    console.out(to_document(show_json(loaded, board.program(), board.position(), false)));
    return Exit::good;
  }
  if (options.json) {
    console.out(to_document(show_json(loaded, program, position, true)));
    return Exit::good;
  }
  const bool color = console.color_out();
  const auto board = board_section(loaded, open->game, *viewer, options, console);
  if (!board) return report_fault(program, board.error(), console);
  console.out(title_text(loaded) + "\n" + players_text(program, color) + "\n" + *board + "\n" +
              pieces_text(program) + "\n" + options_text(program) + (program.options.empty() ? "" : "\n") +
              rules_text(loaded));
  return Exit::good;
}

void add_picture(CLI::App& app, ShowOptions& options) {
  auto* svg = app.add_option("--svg", options.svg,
                             "Draws the position as a picture, into this file; - for "
                             "standard output")
                  ->type_name("FILE");
  auto* png =
      app.add_option("--png", options.png, "The same as PNG, by the program rsvg-convert")->type_name("FILE");
  svg->excludes("--fen")->excludes("--json");
  png->excludes("--fen")->excludes("--json");
  const auto add_list = [&](const char* name, std::vector<std::string>& target, const char* help) {
    app.add_option(name, target, help)->type_name("")->allow_extra_args(false);
  };
  add_list("--move", options.moves, "A move to draw as an arrow; may be given several times");
  add_list("--moves", options.moves_from, "A cell: draws all moves that begin there");
  app.add_flag("--bare", options.bare, "Leaves out what stands below the picture: hands, regions, who moves");
  app.add_flag("--flip", options.flipped, "Draws the board from its other side");
}

} // namespace

void declare_show(CommandLine& line) {
  auto& options = line.options<ShowOptions>();
  CLI::App& command = line.add("show", "Shows a game: players, board, pieces, options, rules",
                               "  boardwright show GAME\n  boardwright show mygame.yaml --json\n"
                               "  boardwright show GAME --position 'play: a1-a2' --fen\n"
                               "  boardwright show GAME --svg board.svg --move a1-a2\n"
                               "  boardwright show GAME --png board.png --moves b1 --position endgame.json");
  add_game(command, options.game);
  add_position(command, options.game);
  command.add_flag("--fen", options.fen, "Prints only the position, as a FEN");
  add_json(command, options.json);
  add_picture(command, options);
  command
      .add_option("--around", options.around,
                  "Draws of a large board only as much around this cell as the terminal has room for")
      ->type_name("CELL");
  add_viewer(command, options.viewer);
  add_ascii(command, options.ascii);
  line.runs(command, [&options](Console& console) { return show(options, console); });
}

} // namespace boardwright::tools
