#include "tools/commands/command_line.hpp"

#include "dsl/codes.hpp"
#include "dsl/diagnostic.hpp"
#include "dsl/text.hpp"
#include "interpreter/lints/table.hpp"
#include "runtime/search/levels.hpp"
#include "runtime/search/make_player.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/evaluate.hpp"
#include "tools/commands/known_games.hpp"
#include "tools/commands/match.hpp"
#include "tools/commands/protocol.hpp"
#include "tools/commands/self_description.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/format/format_command.hpp"
#include "tools/games/game_index.hpp"
#include "tools/lsp/lsp_command.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <new>
#include <set>
#include <sstream>

#ifndef BOARDWRIGHT_VERSION
#define BOARDWRIGHT_VERSION "0.1.0"
#endif

namespace boardwright::tools {
namespace {

constexpr const char* kAbout =
    "Board games from rule files: plays, checks, counts and measures them.\n"
    "GAME is a rule file's path, or the name or title of a game that `boardwright list` shows.";

constexpr const char* kStatuses =
    "Exit status: 0 good; 1 the rule file, test, position or move is at fault; 2 the command line is;\n"
    "3 a file can't be read or written, or a scheduler of --on leaves work undone; 130 interrupted.\n"
    "Environment: BOARDWRIGHT_PATH, folders with rule files, separated by `:`; NO_COLOR, no colours;\n"
    "TERM, COLORTERM, LANG: what the terminal can show.";

constexpr double kMaxBenchSeconds = 86'400; // a day for a game is a mistyped number

// Decimal digits alone: no sign that wraps round, no octal, no exponent.
template <class Number>
Number parse_number(const std::string& option, const std::string& text, Number low, Number high) {
  const auto value = dsl::number_in<Number>(text);
  if (!value || !(*value >= low && *value <= high))
    throw CLI::ValidationError(option,
                               fmt::format("`{}` is not a number from {} to {}", printable(text), low, high));
  return *value;
}

template <class Number>
CLI::Option* add_number(CLI::App& app, const std::string& name, Number& target, Number low, Number high,
                        const std::string& help) {
  return app
      .add_option_function<std::string>(
          name,
          [&target, name, low, high](const std::string& text) {
            target = parse_number(name, text, low, high);
          },
          help)
      ->type_name("N");
}

std::pair<std::string, std::string> parse_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw CLI::ValidationError("--set", fmt::format("`{}` is not of the form name=value", printable(text)));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void add_settings(CLI::App& app, interpreter::Settings& settings) {
  app.add_option_function<std::vector<std::string>>(
         "--set",
         [&settings](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) settings.push_back(parse_setting(text));
         },
         "Sets an option of the game; may be given several times")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

// `5`, `5s`, `20ms`, `2m`: a number alone is of seconds.
double parse_seconds(const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string unit = text.substr(digits);
  const double scale = unit.empty() || unit == "s" ? 1 : unit == "ms" ? 0.001 : unit == "m" ? 60 : 0;
  const double value = dsl::number_in<double>(std::string_view(text).substr(0, digits)).value_or(0) * scale;
  if (constexpr double kLeast = 0.001; value >= kLeast && value <= kMaxThinkSeconds) return value;
  throw CLI::ValidationError(
      "--time",
      fmt::format("`{}` is no time such as 5, 0.5, 20ms or 2m; from 1ms to a week", printable(text)));
}

void add_time(CLI::App& app, std::optional<double>& seconds, const std::string& help) {
  app.add_option_function<std::string>(
         "--time", [&seconds](const std::string& text) { seconds = parse_seconds(text); }, help)
      ->type_name("SECONDS");
}

// A game may be called by its title wherever its name is.
CLI::Option* by_title(CLI::Option* option) {
  return option->transform([](const std::string& typed) {
    auto meant = game_meant(typed);
    if (!meant) throw CLI::ValidationError(meant.error());
    return std::move(*meant);
  });
}

void add_game(CLI::App& app, GameChoice& game) {
  by_title(app.add_option("GAME", game.reference, "A rule file, or the name or title of a known game"))
      ->required()
      ->type_name("");
  add_settings(app, game.settings);
}

void add_position(CLI::App& app, GameChoice& game) {
  app.add_option("--position", game.position,
                 "The position to begin with: a file, - for standard input, or the position itself, as JSON, "
                 "YAML, a picture, a FEN, or moves to play: 'play: a1-a2 c3-c2'; moves that contain a space "
                 "are a list: 'play: [\"a1-a2 b1-b2\", \"pass\"]'")
      ->type_name("POSITION");
}

void add_weights(CLI::App& app, std::string& weights) {
  app.add_option(
         "--weights", weights,
         "What was learnt of the game (see `train`): this file, whatever rules it was learnt on, instead of "
         "NAME.weights.yaml")
      ->type_name("PATH");
}

void add_json(CLI::App& app, bool& json) { app.add_flag("--json", json, "Prints JSON on standard output"); }

interpreter::LevelSetting parse_level(const std::string& lint, interpreter::LintLevel level) {
  if (!interpreter::is_lint_or_group(lint))
    throw CLI::ValidationError("--allow, --warn, --deny",
                               fmt::format("there is no lint `{}`", printable(lint)));
  return {lint, level};
}

void add_levels(CLI::App& command, std::vector<interpreter::LevelSetting>& levels) {
  using interpreter::LintLevel;
  const auto add = [&](const char* flag, LintLevel level, const char* help) {
    command
        .add_option_function<std::vector<std::string>>(
            flag,
            [&levels, level](const std::vector<std::string>& lints) {
              for (const std::string& lint : lints) levels.push_back(parse_level(lint, level));
            },
            help)
        ->type_name("LINT")
        ->allow_extra_args(false)
        ->trigger_on_parse();
  };
  add("--allow", LintLevel::allow, "Doesn't tell findings of this name");
  add("--warn", LintLevel::warn, "Tells them as warnings");
  add("--deny", LintLevel::deny, "Tells them as errors; `warnings` and `all` stand for many");
}

// All the options there are; each subcommand fills in its own.
struct Request {
  ListOptions list;
  ShowOptions show;
  RulesOptions rules;
  InspectOptions inspect;
  PlayOptions play;
  ReplayOptions replay;
  ProtocolOptions protocol;
  MovesOptions moves;
  WhyOptions why;
  PerftCommand perft;
  PlayoutsCommand playouts;
  MatchOptions match;
  AnalyseOptions analyse;
  EvaluateOptions evaluate;
  SweepOptions sweep;
  MergeOptions merge;
  BenchOptions bench;
  SolveOptions solve;
  TrainOptions train;
  CheckOptions check;
  ExplainOptions explain;
  NewOptions new_file;
  MigrateOptions migrate;
  ImportOptions import_rules;
  FormatOptions format;
  CompletionOptions completion;
  ManualOptions manual;
  std::function<Exit(Console&)> run;
};

CLI::App& add_command(CLI::App& app, const char* name, const char* help, const char* examples) {
  CLI::App* command = app.add_subcommand(name, help);
  command->footer(std::string("Examples:\n") + examples);
  return *command;
}

void add_list(CLI::App& app, Request& request) {
  CLI::App& command = add_command(app, "list", "Lists the games that can be named",
                                  "  boardwright list\n  boardwright list hex connection\n"
                                  "  boardwright list --family tafl\n"
                                  "  BOARDWRIGHT_PATH=~/games boardwright list --json");
  command.add_option("WORD", request.list.words,
                     "Only games that have all these words in their name, family, board or description");
  command.add_option("--family", request.list.family, "Only games of this family")->type_name("NAME");
  add_json(command, request.list.json);
  command.callback(
      [&] { request.run = [&](Console& console) { return list_games(request.list, console); }; });
}

void add_ascii(CLI::App& app, bool& ascii) {
  app.add_flag("--ascii", ascii, "Draws the board with letters and dots, as it is where no terminal is");
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

void add_show(CLI::App& app, Request& request) {
  CLI::App& command =
      add_command(app, "show", "Shows a game: players, board, pieces, options, rules",
                  "  boardwright show GAME\n  boardwright show mygame.yaml --json\n"
                  "  boardwright show GAME --position 'play: a1-a2' --fen\n"
                  "  boardwright show GAME --svg board.svg --move a1-a2\n"
                  "  boardwright show GAME --png board.png --moves b1 --position endgame.json");
  add_game(command, request.show.game);
  add_position(command, request.show.game);
  command.add_flag("--fen", request.show.fen, "Prints only the position, as a FEN");
  add_json(command, request.show.json);
  add_picture(command, request.show);
  command
      .add_option("--around", request.show.around,
                  "Draws of a large board only as much around this cell as the terminal has room for")
      ->type_name("CELL");
  add_ascii(command, request.show.ascii);
  command.callback([&] { request.run = [&](Console& console) { return show(request.show, console); }; });
}

void add_inspect(CLI::App& app, Request& request) {
  InspectOptions& options = request.inspect;
  CLI::App& command = add_command(
      app, "inspect", "Shows what the rules have become: normal form, compiled form, what may be slow",
      "  boardwright inspect GAME\n  boardwright inspect GAME --player White --normal\n"
      "  boardwright inspect mygame.yaml --code --set size=6 --json");
  add_game(command, options.game);
  command.add_option("--player", options.player, "Only the rules of this player")->type_name("NAME");
  command.add_flag("--normal", options.normal, "Only the head and the normal form");
  command.add_flag("--code", options.code, "Only the head and the compiled form");
  add_json(command, options.json);
  command.callback(
      [&] { request.run = [&](Console& console) { return inspect_game(request.inspect, console); }; });
}

void add_rules(CLI::App& app, Request& request) {
  CLI::App& command = add_command(
      app, "rules", "Tells how a game is played: aim, pieces, example moves, how it ends",
      "  boardwright rules GAME\n  boardwright rules GAME --html rules.html\n"
      "  boardwright rules mygame.yaml --source\n"
      "The texts are those that the file gives under `about`; example moves are of random games.");
  add_game(command, request.rules.game);
  command.add_flag("--source", request.rules.source, "The rules as the file writes them");
  command
      .add_option("--html", request.rules.html,
                  "Writes a page with pictures, to be read or printed; - for standard output")
      ->type_name("PAGE")
      ->excludes("--source");
  command.callback(
      [&] { request.run = [&](Console& console) { return tell_rules(request.rules, console); }; });
}

void add_play(CLI::App& app, Request& request) {
  CLI::App& command = add_command(
      app, "play", "Plays a game at the terminal: people in turn, against chance or somebody who thinks",
      "  boardwright play\n  boardwright play GAME\n  boardwright play 'My Game'\n"
      "  boardwright play GAME --player all=person\n"
      "  boardwright play GAME --random second --seed 7\n"
      "  boardwright play GAME --random White --position endgame.json\n"
      "  boardwright play GAME --player second=auto --time 5 --record game.txt\n"
      "An unfinished game is offered first. At a terminal a new one is against the computer at level 3, "
      "where\n"
      "neither --player nor --random says otherwise; `level 1` to `level 10`, or `level people`, at the "
      "prompt\n"
      "changes that. `help` at the prompt lists what can be typed there; Tab completes moves.");
  by_title(
      command.add_option("GAME", request.play.game.reference,
                         "A rule file, or the name or title of a known game; without it a terminal asks"))
      ->type_name("");
  request.play.known = &all_entries;
  add_settings(command, request.play.game.settings);
  add_position(command, request.play.game);
  command
      .add_option(
          "--random", request.play.random,
          "Who plays at random: a player's name, `first`, `second` …, or `all`; may be given several times")
      ->type_name("PLAYER")
      ->allow_extra_args(false);
  command
      .add_option_function<std::string>(
          "--seed",
          [&](const std::string& text) {
            request.play.seed =
                parse_number<std::uint64_t>("--seed", text, 0, std::numeric_limits<std::uint64_t>::max());
          },
          "Makes random moves repeatable")
      ->type_name("N");
  command
      .add_option(
          "--player", request.play.players,
          "Who plays for a player: person, random, somebody who thinks, such as auto, or another program, "
          "ugi:COMMAND; see `help match`; may be given several times")
      ->type_name("PLAYER=WHO")
      ->allow_extra_args(false);
  add_time(command, request.play.seconds,
           "How long somebody who thinks has for a move (1); 20ms, 2m are read, too");
  add_weights(command, request.play.weights);
  command
      .add_option_function<std::string>(
          "--nodes",
          [&](const std::string& text) {
            request.play.nodes =
                parse_number<std::uint64_t>("--nodes", text, 1, std::numeric_limits<std::uint64_t>::max());
          },
          "Positions that he may look at for a move; without --time he has as long as that takes")
      ->type_name("N");
  command
      .add_option_function<std::string>(
          "--clock",
          [&](const std::string& text) {
            request.play.clock = read_clock(text);
            if (!request.play.clock)
              throw CLI::ValidationError("--clock", fmt::format("`{}` is not of the form SECONDS or "
                                                                "SECONDS+INCREMENT",
                                                                printable(text)));
          },
          "Seconds that each player, people too, has for all his moves, and gets back with each")
      ->type_name("SECONDS[+INCREMENT]");
  command
      .add_option("--record", request.play.record,
                  "Writes the game to this file, behind what is there, every move at once")
      ->type_name("FILE");
  CLI::Option* resume =
      command.add_flag("--resume", request.play.resume,
                       "Goes on with the latest game that was left unfinished, without a question");
  command.add_flag("--new", request.play.fresh, "Asks about no unfinished game")->excludes(resume);
  add_ascii(command, request.play.ascii);
  command.callback([&] { request.run = [&](Console& console) { return play(request.play, console); }; });
}

// Neither goes with what asks for another answer.
void add_replay_pictures(CLI::App& app, ReplayOptions& options, const std::vector<CLI::Option*>& others) {
  auto* svg = app.add_option("--svg", options.svg,
                             "Draws each position as a picture, into this folder: 000.svg, 001.svg …")
                  ->type_name("FOLDER");
  auto* html = app.add_option("--html", options.html,
                              "Writes a page that plays the game in a browser; - for standard output")
                   ->type_name("PAGE");
  auto* pgn =
      app.add_option("--pgn", options.pgn, "Writes the game in Portable Game Notation; - for standard output")
          ->type_name("FILE");
  for (CLI::Option* picture : {svg, html}) picture->excludes(pgn);
  for (CLI::Option* picture : {svg, html, pgn}) {
    for (CLI::Option* other : others) picture->excludes(other);
    picture->excludes("--json");
  }
}

void add_replay(CLI::App& app, Request& request) {
  ReplayOptions& options = request.replay;
  CLI::App& command = add_command(
      app, "replay", "Replays a recorded game, step by step",
      "  boardwright play GAME --record game.txt\n  boardwright replay game.txt\n"
      "  boardwright replay game.txt --at 12\n  boardwright replay games.txt --game 3 --moves\n"
      "  boardwright replay game.txt --html game.html\n  boardwright replay game.txt --pgn game.pgn\n"
      "  boardwright replay game.txt --svg frames\n  boardwright replay game.txt --json\n"
      "At a terminal Enter goes on, `b` back, a number to that move.");
  command.add_option("FILE", options.choice.file, "A record, or - for standard input")
      ->required()
      ->type_name("");
  add_number<std::size_t>(command, "--game", options.choice.game, 1, std::numeric_limits<std::size_t>::max(),
                          "Which game of a file with several (1)");
  command.add_option("--rules", options.choice.rules, "The rules, instead of those that the record names")
      ->type_name("GAME");
  auto* at = command
                 .add_option_function<std::string>(
                     "--at",
                     [&](const std::string& text) {
                       options.at = parse_number<std::size_t>("--at", text, 0, interpreter::kMaxRecordMoves);
                     },
                     "Shows only the position after so many moves")
                 ->type_name("N");
  auto* moves = command.add_flag("--moves", options.moves, "Shows only the moves");
  command.add_flag("--ascii", options.ascii, "Draws boards with ASCII signs only");
  command.add_flag("--flip", options.flipped, "Draws the board from its other side");
  add_json(command, options.json);
  add_replay_pictures(command, options, {at, moves});
  command.callback([&] { request.run = [&](Console& console) { return replay(request.replay, console); }; });
}

void add_moves(CLI::App& app, Request& request) {
  CLI::App& command = add_command(
      app, "moves", "Lists the legal moves of a position",
      "  boardwright moves GAME\n  boardwright moves GAME --position endgame.json --json\n"
      "  boardwright moves GAME --position 'play: a1-a2 c3-c2'\n"
      "  boardwright moves GAME --position '{ to_move: Black, cells: { c3: b } }'\n"
      "  echo '{\"to_move\": \"Black\", \"cells\": {\"c3\": \"b\"}}' | boardwright moves GAME --position -");
  add_game(command, request.moves.game);
  add_position(command, request.moves.game);
  add_json(command, request.moves.json);
  command.callback(
      [&] { request.run = [&](Console& console) { return list_moves(request.moves, console); }; });
}

void add_why(CLI::App& app, Request& request) {
  CLI::App& command = add_command(
      app, "why", "Says which rule allows a move, or what stops it; and what ends the game, or doesn't",
      "  boardwright why GAME e2-e5\n  boardwright why GAME e2 --position endgame.json\n"
      "  boardwright why mygame.yaml b3xb4 --json\n  boardwright why GAME end");
  add_game(command, request.why.game);
  command
      .add_option(
          "MOVE", request.why.asked,
          "A move as it is written; a cell: all that begins there; a piece's letter: all that it can do; "
          "`end`: why the game is over, or not")
      ->required()
      ->type_name("");
  add_position(command, request.why.game);
  add_json(command, request.why.json);
  command.callback(
      [&] { request.run = [&](Console& console) { return explain_move(request.why, console); }; });
}

void add_perft(CLI::App& app, Request& request) {
  CLI::App& command =
      add_command(app, "perft", "Counts sequences of moves, by depth",
                  "  boardwright perft GAME --depth 4\n  boardwright perft GAME --depth 3 --divide");
  add_game(command, request.perft.game);
  add_number(command, "--depth", request.perft.depth, 1, kMaxPerftDepth, "How many moves deep")->required();
  command.add_flag("--distinct", request.perft.distinct,
                   "Counts moves that lead to the same position only once");
  command.add_flag("--divide", request.perft.divide, "Prints the count below each move");
  add_position(command, request.perft.game);
  add_json(command, request.perft.json);
  command.callback(
      [&] { request.run = [&](Console& console) { return count_moves(request.perft, console); }; });
}

// `3/8`: the third of eight parts.
void parse_shard(const std::string& text, WorkOptions& work) {
  constexpr std::uint64_t kMost = 1'000'000;
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw CLI::ValidationError("--shard", fmt::format("`{}` is not of the form 3/8", printable(text)));
  work.shards = parse_number<std::uint64_t>("--shard", text.substr(slash + 1), 1, kMost);
  work.shard = parse_number<std::uint64_t>("--shard", text.substr(0, slash), 1, work.shards);
}

// `slurm,local`: what is left of it is done here.
void parse_scheduler(const std::string& text, WorkOptions& work) {
  constexpr std::string_view kHere = ",local";
  const bool or_here = text.ends_with(kHere) && !text.starts_with("list:");
  const std::string on = or_here ? text.substr(0, text.size() - kHere.size()) : text;
  const std::string name = on.substr(0, on.find(':'));
  const bool more = on.size() > name.size() + 1;
  if (name == "slurm" ? on != "slurm:" : more && (name == "parallel" || name == "list")) {
    work.on = on;
    work.or_here = or_here;
    return;
  }
  throw CLI::ValidationError("--on", fmt::format("`{}` is not of the form parallel:4, parallel:HOST,HOST, "
                                                 "slurm, slurm:OPTIONS or list:FILE; with `,local` behind "
                                                 "it what they leave is done here",
                                                 printable(text)));
}

// Gives the option that everything asks for.
CLI::Option* add_units(CLI::App& command, WorkOptions& work) {
  CLI::Option* units =
      command
          .add_option(
              "--units", work.folder,
              "Keeps the results of all pieces of work in this folder, and does only what has none there")
          ->type_name("FOLDER");
  CLI::Option* shard =
      command
          .add_option_function<std::string>(
              "--shard", [&work](const std::string& text) { parse_shard(text, work); },
              "Does only the first, second … of N parts of the work, for machines that share it; see "
              "`help merge`")
          ->type_name("I/N")
          ->needs(units);
  command
      .add_option_function<std::string>(
          "--on", [&work](const std::string& text) { parse_scheduler(text, work); },
          "Hands the work to others: parallel:4, so many workers here, by GNU parallel; parallel:HOST,HOST, "
          "machines that ssh reaches and that see the same folders, as its --sshlogin has them; slurm, or "
          "slurm:OPTIONS of its sbatch; list:FILE, commands for any other scheduler, one a line, and no "
          "answer while there are any. What they leave undone is not done on this machine (status 3), but "
          "with `,local` behind it: slurm,local")
      ->type_name("WHERE")
      ->needs(units)
      ->excludes(shard);
  command.add_flag("--quiet", work.quiet, "Of a part of the work says nothing: for workers")->needs(shard);
  return units;
}

void add_playouts(CLI::App& app, Request& request) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  PlayoutsCommand& options = request.playouts;
  CLI::App& command = add_command(app, "playouts", "Plays random games and prints who won how often",
                                  "  boardwright playouts GAME --count 10000 --seed 1\n"
                                  "  boardwright playouts GAME --count 1000000 --threads 8 --json\n"
                                  "  boardwright playouts GAME --count 1000000 --units done --on parallel:4\n"
                                  "  boardwright playouts GAME --count 1000000 --units done --on "
                                  "'slurm:--partition=short --time=60'");
  add_game(command, options.game);
  add_number<std::uint64_t>(command, "--count", options.count, 1, kMost, "How many games (1000)");
  add_number<std::uint64_t>(command, "--seed", options.seed, 0, kMost,
                            "The same seed gives the same games, on any number of threads (1)");
  add_number<std::uint64_t>(command, "--from", options.from, 0, kMost / 2,
                            "Number of the first of these games, of those that the seed has (0)");
  add_number(command, "--threads", options.work.threads, 1, kMaxThreads, "How many threads (1)");
  add_number(command, "--max-plies", options.max_plies, 1, std::numeric_limits<int>::max(),
             "A game that is not over after this many moves counts as unfinished (2000)");
  add_position(command, options.game);
  (void)add_units(command, options.work);
  add_json(command, options.json);
  command.callback(
      [&] { request.run = [&](Console& console) { return play_out(request.playouts, console); }; });
}

void add_limits(CLI::App& app, std::optional<double>& seconds, std::uint64_t& nodes, const char* otherwise) {
  add_time(app, seconds, std::string("Time for a move, such as 20ms or 5s") + otherwise);
  add_number<std::uint64_t>(app, "--nodes", nodes, 1, std::numeric_limits<std::uint64_t>::max(),
                            "Positions to look at for a move: the same on every machine");
}

// `LOW,HIGH`, both in Elo.
Sprt parse_sprt(const std::string& text) {
  Sprt sprt;
  constexpr double kFarthest = 2000;
  const std::size_t comma = text.find(',');
  const auto number = [](const std::string& part) {
    return parse_number("--sprt", part, -kFarthest, kFarthest);
  };
  if (comma != std::string::npos) sprt = {number(text.substr(0, comma)), number(text.substr(comma + 1))};
  if (comma == std::string::npos || sprt.low >= sprt.high)
    throw CLI::ValidationError("--sprt", fmt::format("`{}` is not of the form 0,40", printable(text)));
  return sprt;
}

// Behind the examples: who may play.
void add_opponents(CLI::App& command) {
  command.footer(command.get_footer() + "\n\nPlayers:\n" + descriptions_of_opponents());
}

// What depends on the clock, or on which games are over first, isn't done in parts.
void add_match_units(CLI::App& command, WorkOptions& work) {
  CLI::Option* units = add_units(command, work);
  for (const char* other : {"--time", "--cpu", "--sprt", "--record"})
    units->excludes(command.get_option(other));
}

void add_first_game(CLI::App& command, MatchOptions& options) {
  command
      .add_option_function<std::string>(
          "--from",
          [&options](const std::string& text) {
            options.from =
                parse_number<std::uint64_t>("--from", text, 0, std::numeric_limits<std::uint64_t>::max() / 2);
            if (options.from % 2 != 0)
              throw CLI::ValidationError("--from", "games come in pairs, so that the first one is even");
          },
          "Number of the first of these games, of those that the seed has: an even one (0)")
      ->type_name("N");
}

void add_match(CLI::App& app, Request& request) {
  MatchOptions& options = request.match;
  CLI::App& command =
      add_command(app, "match", "Plays games between two programs and tells which is stronger",
                  "  boardwright match GAME auto random --games 20 --time 20ms\n"
                  "  boardwright match GAME mcts level:5 --nodes 1000 --seed 7 --jobs 2 --json\n"
                  "  boardwright match GAME mcts mcts:explore=0.7 --time 10ms --games 400 --sprt\n"
                  "  boardwright match GAME auto 'ugi:boardwright ugi GAME --player level:3' --record "
                  "games.txt\n"
                  "  boardwright match GAME auto level:4 --nodes 2000 --units done --on parallel:4\n"
                  "  boardwright match GAME auto level:4 --nodes 2000 --units done --on "
                  "'slurm:--partition=long --time=60'");
  add_game(command, options.game);
  command.add_option("PLAYERS", options.players, "Two players; see below")
      ->required()
      ->expected(2)
      ->type_name("");
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  add_number<std::uint64_t>(command, "--games", options.games, 2, kMost,
                            "How many games, in pairs with sides swapped (100)");
  add_first_game(command, options);
  add_limits(command, options.seconds, options.nodes, " (20ms, unless --nodes is given)");
  command.add_flag("--cpu", options.cpu_time,
                   "Counts CPU time, not the clock's: for players of one thread, on a machine that is busy; "
                   "other programs are told it as a time by the clock, and get less there");
  add_number<std::uint64_t>(command, "--seed", options.seed, 0, kMost,
                            "Of openings and players: with --nodes the same seed gives the same games (1)");
  add_number(command, "--jobs", options.work.threads, 1, kMaxThreads,
             "How many games are played at a time (1)");
  add_number(command, "--opening", options.opening_plies, 0, 1000,
             "Moves at random that each pair of games begins with (4)");
  add_number(command, "--max-plies", options.max_plies, 1, 1'000'000,
             "A game that is not over after this many moves is a draw (500)");
  command
      .add_option_function<std::string>(
          "--sprt",
          [&options](const std::string& text) {
            options.tests = true;
            if (!text.empty()) options.sprt = parse_sprt(text);
          },
          "Stops as soon as a sequential test knows whether the first player is rather HIGH than LOW Elo "
          "stronger (0,40)")
      ->type_name("LOW,HIGH")
      ->expected(0, 1);
  command
      .add_option("--record", options.record,
                  "Writes every game to this file when it is over, behind what is there; `replay --game N` "
                  "shows them")
      ->type_name("FILE");
  add_position(command, options.game);
  add_weights(command, options.weights);
  add_match_units(command, options.work);
  add_json(command, options.json);
  add_opponents(command);
  command.callback(
      [&] { request.run = [&](Console& console) { return play_match_command(request.match, console); }; });
}

void add_analyse(CLI::App& app, Request& request) {
  AnalyseOptions& options = request.analyse;
  CLI::App& command =
      add_command(app, "analyse", "Thinks about a position: best moves, value, what is proven",
                  "  boardwright analyse GAME --time 5\n"
                  "  boardwright analyse GAME --position 'play: a1-a2 c3-c2' --nodes 100000\n"
                  "  boardwright analyse GAME --player mcts:threads=2 --json");
  add_game(command, options.game);
  add_position(command, options.game);
  command.add_option("--player", options.player, "Who thinks (auto); see below")->type_name("PLAYER");
  add_opponents(command);
  add_limits(command, options.seconds, options.nodes, " (2s, unless --nodes is given)");
  add_number<std::uint64_t>(command, "--seed", options.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "Makes it repeatable, with --nodes and one thread (1)");
  add_number<std::size_t>(command, "--lines", options.lines, 1, 10'000,
                          "Moves whose values are told (5); unless it is 1, the others than the best get as "
                          "long again where the player hasn't valued them");
  add_number(command, "--threads", options.threads, 1, kMaxThreads, "How many threads think (1)");
  add_weights(command, options.weights);
  add_json(command, options.json);
  command.callback(
      [&] { request.run = [&](Console& console) { return analyse(request.analyse, console); }; });
}

// `random,varied:1,varied:5`, rising.
std::vector<int> parse_strengths(const std::string& text) {
  std::vector<int> strengths;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    int strength = 0;
    while (strength <= kStrongest && strength_name(strength) != word) ++strength;
    if (word.starts_with("level:"))
      throw CLI::ValidationError(
          "--strengths",
          fmt::format("`{}` slips on purpose, which would hide who is favoured: here play "
                      "varied:1 to {}, any of whose moves looks nearly as good as the best one",
                      printable(word), strength_name(kStrongest)));
    if (strength > kStrongest || (!strengths.empty() && strength <= strengths.back()))
      throw CLI::ValidationError(
          "--strengths", fmt::format("`{}` is not a list such as random,varied:1,varied:5: rising, up to {}",
                                     printable(text), strength_name(kStrongest)));
    strengths.push_back(strength);
    begin = end + 1;
  }
  return strengths;
}

void add_plan(CLI::App& command, EvaluationPlan& plan) {
  add_number<std::uint64_t>(
      command, "--games", plan.games, 2, 1'000'000,
      fmt::format("Games of each strength against itself, and against the next one ({})", plan.games));
  std::string names;
  for (const int strength : plan.strengths) names += (names.empty() ? "" : ",") + strength_name(strength);
  command
      .add_option_function<std::string>(
          "--strengths", [&plan](const std::string& text) { plan.strengths = parse_strengths(text); },
          fmt::format(
              "Who plays, the weakest first: random, varied:1 to {}, which look at so many positions for "
              "a move, however long that takes, and play any that looks nearly as good as the best ({})",
              strength_name(kStrongest), names))
      ->type_name("LIST");
  add_number<std::uint64_t>(command, "--seed", plan.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "The same seed gives the same answer, on any number of threads (1)");
  add_number(command, "--max-plies", plan.max_plies, 1, 1'000'000,
             fmt::format("A game that is not over after this many moves is unfinished ({})", plan.max_plies));
}

void add_work(CLI::App& command, WorkOptions& work) {
  add_number(command, "--threads", work.threads, 1, kMaxThreads, "How many threads play (1)");
  (void)add_units(command, work);
}

void add_evaluate(CLI::App& app, Request& request) {
  EvaluateOptions& options = request.evaluate;
  CLI::App& command = add_command(
      app, "evaluate", "Measures by games of programs whether a game is fair, deep, drawn, too short …",
      "  boardwright evaluate GAME\n  boardwright evaluate GAME --html game.html --threads 4\n"
      "  boardwright evaluate mygame.yaml --set size=7 --games 200 --json\n"
      "  boardwright evaluate GAME --strengths random,varied:2,varied:4,varied:6 --seed 7\n"
      "  boardwright evaluate GAME --units done --on 'slurm:--partition=short --time=60'");
  add_game(command, options.game);
  add_plan(command, options.plan);
  add_number<std::uint64_t>(command, "--effort", options.effort, 1, 1000,
                            "So many times as many games; from 4 on also those of a stronger player (1)");
  add_work(command, options.work);
  command
      .add_option_function<std::string>(
          "--time", [&options](const std::string& text) { options.work.seconds = parse_seconds(text); },
          "For all of it, such as 90s or 10m: what is known by then is told")
      ->type_name("SECONDS")
      ->excludes("--on")
      ->excludes("--shard");
  command
      .add_option(
          "--html", options.html,
          "Writes a page with charts, which needs nothing else; - for standard output instead of the answer")
      ->type_name("FILE");
  add_json(command, options.json);
  command.footer(command.get_footer() + "\n\nCtrl-C, SIGTERM and SIGHUP end it, and it prints what is known "
                                        "so far (status 130). What is measured, and how, is told\n"
                                        "in the JSON and on the page: definition, interval, source.");
  command.callback(
      [&] { request.run = [&](Console& console) { return evaluate_game(request.evaluate, console); }; });
}

void add_axes(CLI::App& command, SweepOptions& options) {
  command
      .add_option_function<std::vector<std::string>>(
          "--set",
          [&options](const std::vector<std::string>& texts) {
            std::size_t variants = 1;
            for (const std::string& text : texts) {
              const auto [name, list] = parse_setting(text);
              auto values = values_in(list);
              if (!values) throw CLI::ValidationError("--set", values.error());
              variants *= values->size();
              if (variants > kMostVariants)
                throw CLI::ValidationError("--set", fmt::format("more than {} variants", kMostVariants));
              options.axes.push_back({name, std::move(*values)});
            }
          },
          "Sets an option to each of some values, such as size=7..13 or pie=true,false; several options: all "
          "combinations")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
}

void add_aims(CLI::App& command, SweepOptions& options) {
  command
      .add_option_function<std::string>(
          "--want",
          [&options](const std::string& text) {
            auto wishes = read_wishes(text);
            if (!wishes) throw CLI::ValidationError("--want", wishes.error());
            options.wishes = std::move(*wishes);
            options.wanted = text;
          },
          "What the best variant is like: 'advantage 48 .. 52 %, draws < 5 %, length 20 .. 60'")
      ->type_name("WISHES");
  command
      .add_option_function<std::string>(
          "--until",
          [&options](const std::string& text) {
            const bool percent = !text.empty() && text.back() == '%';
            options.until =
                parse_number("--until", percent ? text.substr(0, text.size() - 1) : text, 0.1, 50.0) / 100;
          },
          "Doubles the games of a variant until the shares that are wanted (else the first player's points) "
          "are "
          "known to so many per cent either way, 64 times as many games at the most")
      ->type_name("HALFWIDTH")
      ->excludes("--shard");
}

void add_sweep(CLI::App& app, Request& request) {
  SweepOptions& options = request.sweep;
  options.plan.games = 40;
  options.plan.strengths = {0, 1, 3};
  CLI::App& command = add_command(
      app, "sweep", "Evaluates variants of a game, by options and files, and finds the best one",
      "  boardwright sweep GAME --set size=7..13 --set pie=true,false\n"
      "  boardwright sweep GAME --set size=5..9 --want 'advantage 48 .. 52 %, draws < 5 %' --until 5%\n"
      "  boardwright sweep one.yaml two.yaml --games 200 --csv > variants.csv\n"
      "  boardwright sweep GAME --set size=7..13 --units done --on parallel:4 --html sweep.html\n"
      "  boardwright sweep GAME --set size=7..13 --units done --on slurm,local");
  by_title(command.add_option("GAME", options.games, "Rule files, or names of known games"))
      ->required()
      ->type_name("");
  add_axes(command, options);
  add_plan(command, options.plan);
  add_work(command, options.work);
  add_aims(command, options);
  CLI::Option* csv = command.add_flag("--csv", options.csv, "Prints a table of comma-separated values");
  command
      .add_option("--html", options.html,
                  "Writes a page with heat maps; - for standard output instead of the answer")
      ->type_name("FILE");
  command.add_flag("--json", options.json, "Prints JSON on standard output")->excludes(csv);
  command.callback(
      [&] { request.run = [&](Console& console) { return sweep_games(request.sweep, console); }; });
}

void add_merge(CLI::App& app, Request& request) {
  MergeOptions& options = request.merge;
  CLI::App& command =
      add_command(app, "merge", "Puts folders of work together that was done in parts",
                  "  boardwright evaluate GAME --units one --shard 1/2      # on one machine\n"
                  "  boardwright evaluate GAME --units two --shard 2/2      # on another one\n"
                  "  boardwright merge one two --into all && boardwright evaluate GAME --units all");
  command.add_option("FOLDER", options.folders, "Folders of --units")->required()->type_name("");
  command
      .add_option("--into", options.into,
                  "Writes all units into this folder; else it only says what there is")
      ->type_name("FOLDER");
  add_json(command, options.json);
  command.footer(
      command.get_footer() +
      "\n\nUnits that are there several times are kept once; those of several versions are refused. What is\n"
      "missing is told (status 1).");
  command.callback(
      [&] { request.run = [&](Console& console) { return merge_folders(request.merge, console); }; });
}

void add_protocol(CLI::App& app, Request& request, Protocol protocol, const char* name, const char* about,
                  const char* examples) {
  CLI::App& command = add_command(app, name, about, examples);
  add_game(command, request.protocol.game);
  command.add_option("--player", request.protocol.player, "Who thinks, as for `match` (auto)")
      ->type_name("PLAYER");
  add_number<std::uint64_t>(command, "--seed", request.protocol.seed, 0,
                            std::numeric_limits<std::uint64_t>::max(), "Of its random numbers (1)");
  add_weights(command, request.protocol.weights);
  add_number<int>(command, "--threads", request.protocol.threads, 1, kMaxThreads, "How many think (1)");
  command.callback([&request, protocol] {
    request.protocol.protocol = protocol;
    if (protocol == Protocol::uci) request.protocol.variants = games_of_two();
    request.run = [&](Console& console) { return serve(request.protocol, console); };
  });
}

void add_ugi(CLI::App& app, Request& request) {
  add_protocol(app, request, Protocol::ugi, "ugi",
               "Plays for another program over standard input and output, in the Universal Game Interface",
               "  boardwright ugi GAME\n  boardwright ugi GAME --player level:5");
}

void add_uci(CLI::App& app, Request& request) {
  add_protocol(app, request, Protocol::uci, "uci",
               "The same in UCI, for interfaces and tournament managers that drive engines",
               "  boardwright uci GAME\n  boardwright uci GAME --threads 2");
}

void add_bench(CLI::App& app, Request& request) {
  BenchOptions& options = request.bench;
  CLI::App& command =
      add_command(app, "bench", "Measures how fast games are loaded, played at random and counted",
                  "  boardwright bench\n  boardwright bench GAME OTHER --seconds 5 --json");
  by_title(
      command.add_option("GAME", options.games, "Rule files or names; all bundled games if there are none"))
      ->type_name("");
  add_settings(command, options.settings);
  add_number(
      command, "--seconds", options.seconds, 0.001, kMaxBenchSeconds,
      "CPU time for the playouts of a game, as much for counting its moves, and as much for a search (2)");
  add_number(command, "--threads", options.threads, 1, kMaxThreads, "How many threads play at once (1)");
  command.add_flag_callback(
      "--no-native", [&options] { options.native = false; },
      "Interprets random games instead of making native code for them");
  add_number<std::uint64_t>(command, "--calibration", options.calibration, 1, 100'000,
                            "Instead: plays so many games of `auto` against itself, and tells how often what "
                            "`analyse` says of positions comes true");
  add_json(command, options.json);
  command.footer(
      command.get_footer() +
      fmt::format(
          "\nRandom games end after {} moves here. With --json, one object "
          "per game and line.\n`searched`: positions that a search visits, four plies deep, each asked "
          "for its outcome,\nthose above the last for their moves, which are played and taken back.\n"
          "`fall back`: the share of the instructions that native code leaves to C++, among those\n"
          "carried out in a few random games; - if all are interpreted.",
          kBenchMaxPlies));
  command.callback([&] { request.run = [&](Console& console) { return bench(request.bench, console); }; });
}

void add_solve(CLI::App& app, Request& request) {
  SolveOptions& options = request.solve;
  CLI::App& command =
      add_command(app, "solve", "Proves who wins a position if nobody errs",
                  "  boardwright solve GAME\n  boardwright solve GAME --set size=4 --time 600\n"
                  "  boardwright solve GAME --position endgame.json --memory 2048 --json");
  add_game(command, options.game);
  add_position(command, options.game);
  add_number(command, "--memory", options.megabytes, 1, kMaxTableMegabytes,
             "Megabytes of the table of positions (512); when it is full it forgets, and goes on");
  add_time(command, options.seconds,
           "How long to think, such as 20 or 5m; without it until it is known, or Ctrl-C");
  add_json(command, options.json);
  command.footer(
      command.get_footer() +
      "\nA proven win or loss holds whatever the rules say of positions that come again, unless they\n"
      "forbid them; a draw is proven for games where going round in circles is no win for anybody.\n"
      "The number of moves is that of the line that was found, not of the shortest one.");
  command.callback([&] { request.run = [&](Console& console) { return solve(request.solve, console); }; });
}

void add_train(CLI::App& app, Request& request) {
  TrainOptions& options = request.train;
  CLI::App& command = add_command(app, "train", "Learns to judge positions of a game by playing itself",
                                  "  boardwright train GAME\n  boardwright train mygame.yaml --minutes 10\n"
                                  "  boardwright train GAME --games 2000 --seed 7 --output learnt.yaml\n"
                                  "  boardwright train GAME --network --minutes 30");
  add_game(command, options.game);
  CLI::Option* minutes = command
                             .add_option_function<std::string>(
                                 "--minutes",
                                 [&options](const std::string& text) {
                                   options.minutes =
                                       parse_number("--minutes", text, 0.01, kMaxThinkSeconds / 60);
                                 },
                                 "How long it takes, matches included (2; of a network 15)")
                             ->type_name("N");
  command
      .add_option_function<std::string>(
          "--games",
          [&options](const std::string& text) {
            options.games = parse_number<std::uint64_t>("--games", text, 1, 1'000'000'000);
          },
          "How many games it learns from instead: then a seed always gives the same")
      ->type_name("N")
      ->excludes(minutes);
  command
      .add_option_function<std::string>(
          "--rounds",
          [&options](const std::string& text) {
            options.rounds = parse_number("--rounds", text, 1, kMaxRounds);
          },
          "How often weights are fitted and play against the earlier ones (5), or a network is fitted (3)")
      ->type_name("N");
  command.add_flag("--network", options.network,
                   "Learns a small network on top of the weights: of those that the game has, else they are "
                   "learnt first, in a quarter of the time");
  add_number<std::uint64_t>(command, "--seed", options.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "Of openings and other chance (1)");
  command
      .add_option(
          "--output", options.output,
          "The file that is written; else NAME.weights.yaml beside the rule file, where it is found by "
          "those who play (for a bundled game in this folder)")
      ->type_name("PATH");
  add_json(command, options.json);
  command.callback([&] { request.run = [&](Console& console) { return train(request.train, console); }; });
}

const std::vector<std::pair<std::string, CheckFormat>>& check_formats() {
  static const std::vector<std::pair<std::string, CheckFormat>> kFormats = {{"text", CheckFormat::text},
                                                                            {"json", CheckFormat::json},
                                                                            {"sarif", CheckFormat::sarif},
                                                                            {"junit", CheckFormat::junit},
                                                                            {"line", CheckFormat::line}};
  return kFormats;
}

CheckFormat parse_format(const std::string& text) {
  for (const auto& [name, format] : check_formats())
    if (name == text) return format;
  throw CLI::ValidationError(
      "--format", fmt::format("`{}` is none of text, json, sarif, junit and line", printable(text)));
}

void add_format(CLI::App& app, CheckFormat& format) {
  CLI::Option* option =
      app.add_option_function<std::string>(
             "--format", [&format](const std::string& text) { format = parse_format(text); },
             "How findings are told: text, for people; json; sarif (2.1.0), for code hosts; junit, XML for "
             "build servers; line, one line a finding, for editors")
          ->type_name("FORMAT");
  app.add_flag_callback(
         "--json", [&format] { format = CheckFormat::json; }, "The same as --format json")
      ->excludes(option);
}

void add_check(CLI::App& app, Request& request) {
  CheckOptions& options = request.check;
  CLI::App& command = add_command(app, "check", "Checks rule files and runs the tests in them",
                                  "  boardwright check mygame.yaml\n"
                                  "  boardwright check *.yaml --no-tests --json\n"
                                  "  boardwright check mygame.yaml --watch\n"
                                  "  boardwright check mygame.yaml --coverage\n"
                                  "  boardwright check mygame.yaml --coverage-html coverage.html\n"
                                  "  boardwright check mygame.yaml --update\n"
                                  "  boardwright check - --name mygame.yaml --format line < mygame.yaml\n"
                                  "  boardwright check games/*.yaml --format sarif > findings.sarif");
  by_title(
      command.add_option("FILE", options.files, "Rule files, names of known games, or - for standard input"))
      ->required()
      ->type_name("");
  add_settings(command, options.settings);
  command
      .add_option("--name", options.name,
                  "What messages call the file from standard input; what it extends is looked for beside it")
      ->type_name("PATH");
  command.add_flag_callback(
      "--no-tests", [&options] { options.tests = false; }, "Doesn't run the files' tests");
  command.add_flag_callback(
      "--no-games", [&options] { options.games = false; }, "Plays no random games");
  add_levels(command, options.levels);
  add_number<std::uint64_t>(command, "--seed", options.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "Seed of the random games (1)");
  add_number<std::uint64_t>(command, "--effort", options.effort, 1, interpreter::kMostEffort,
                            "Plays and looks at so many times as many random games (1)");
  add_number(command, "--jobs", options.jobs, 1, kMaxThreads,
             "How many files are checked at a time; what is told is the same (all processors)");
  command.add_flag(
      "--coverage", options.coverage,
      "Tells how often each alternative, condition and line of `end` held and failed in tests and "
      "random games, and what no test reaches");
  command.add_option("--coverage-html", options.coverage_html, "The same as a page for a browser")
      ->type_name("PATH");
  command.add_flag("--update", options.update,
                   "First writes moves and counts into those tests of the file that expect nothing yet");
  command.add_flag("--watch", options.watch, "Checks again when a file changes, until Ctrl-C");
  add_format(command, options.format);
  command.callback([&] { request.run = [&](Console& console) { return check(request.check, console); }; });
}

void add_explain(CLI::App& app, Request& request) {
  CLI::App& command = add_command(app, "explain", "Says at length what an error or a warning means",
                                  "  boardwright explain\n  boardwright explain unknown-name\n"
                                  "  boardwright explain unknown-name --json");
  command
      .add_option("NAME", request.explain.names,
                  "What stands in brackets behind a message; a list of all if there is none")
      ->type_name("");
  add_json(command, request.explain.json);
  command.callback(
      [&] { request.run = [&](Console& console) { return explain(request.explain, console); }; });
}

void add_new(CLI::App& app, Request& request) {
  NewOptions& options = request.new_file;
  CLI::App& command =
      add_command(app, "new", "Writes a rule file to begin with, which plays and tests itself",
                  "  boardwright new mygame\n  boardwright new mygame --like rows\n"
                  "  boardwright new --like list");
  CLI::Option* name = command.add_option("NAME", options.name, "What the file is to be called: NAME.yaml");
  name->type_name("");
  command
      .add_option(
          "--like", options.like,
          fmt::format("What it is to be like: {}; or a game that is like one of these (races); `list` "
                      "says more of them",
                      fmt::join(beginnings(), ", ")))
      ->type_name("WHAT");
  add_json(command, options.json);
  command.callback([&options, name, &request] {
    if (name->count() == 0 && options.like != "list") throw CLI::RequiredError("NAME");
    request.run = [&options](Console& console) { return write_new_file(options, console); };
  });
}

void add_migrate(CLI::App& app, Request& request) {
  MigrateOptions& options = request.migrate;
  CLI::App& command =
      add_command(app, "migrate", "Rewrites spellings in rule files that the language gave up",
                  "  boardwright migrate mygame.yaml\n  boardwright migrate --check games/*.yaml");
  command.add_option("FILE", options.files, "Rule files, which are written in place")
      ->required()
      ->type_name("");
  command.add_flag("--check", options.check,
                   "Writes nothing: shows the lines that would change, and ends with 1 if there are any");
  add_json(command, options.json);
  command.callback(
      [&] { request.run = [&](Console& console) { return migrate(request.migrate, console); }; });
}

void add_import(CLI::App& app, Request& request) {
  ImportOptions& options = request.import_rules;
  CLI::App& command = add_command(
      app, "import", "Writes rule files from Fairy-Stockfish's variants or a game of Regular Boardgames",
      "  boardwright import variants.ini myvariant > myvariant.yaml\n"
      "  boardwright import variants.ini --to games\n"
      "  boardwright import variants.ini --json\n"
      "  boardwright import game.rbg > game.yaml");
  command.add_option("FILE", options.file, "The file of variants, or NAME.rbg; `-`: standard input")
      ->required()
      ->type_name("");
  CLI::Option* variants =
      command.add_option("VARIANT", options.variants, "Only these, by the names of their sections");
  variants->type_name("");
  CLI::Option* folder =
      command.add_option("--to", options.to,
                         "Writes NAME.yaml into this folder; without it one variant goes to standard output");
  folder->type_name("FOLDER");
  command.add_flag("--replace", options.replace, "Writes over files that are there");
  add_json(command, options.json);
  command.callback([&options, variants, folder, &request] {
    const bool one = variants->count() == 1 || options.file.ends_with(".rbg");
    if (!one && folder->count() == 0 && !options.json)
      throw CLI::ValidationError("--to", "a folder is needed for more than one variant");
    request.run = [&options](Console& console) { return import_rules(options, console); };
  });
}

void add_fmt(CLI::App& app, Request& request) {
  FormatOptions& options = request.format;
  CLI::App& command =
      add_command(app, "fmt", "Lays out rule files: blanks and empty lines change, nothing else",
                  "  boardwright fmt mygame.yaml\n  boardwright fmt --check games/*.yaml\n"
                  "  boardwright fmt - < mygame.yaml");
  command
      .add_option("FILE", options.files,
                  "Rule files, which are written in place; `-`: from standard input to standard output")
      ->required()
      ->type_name("");
  command.add_flag("--check", options.check,
                   "Writes nothing: names the files that would change, and ends with 1 if there are any");
  command.add_flag("--diff", options.diff, "Like --check, but shows the lines that would change");
  command.callback(
      [&] { request.run = [&](Console& console) { return format_files(request.format, console); }; });
}

void add_lsp(CLI::App& app, Request& request) {
  CLI::App& command =
      add_command(app, "lsp", "Serves an editor: a language server on standard input and output",
                  "  boardwright lsp\n  boardwright lsp --schema > rule-file.schema.json");
  const CLI::Option* const schema =
      command.add_flag("--schema")
          ->description("Prints the JSON Schema of rule files instead, for editors of YAML");
  command.callback([&request, schema] {
    const bool prints = schema->count() > 0;
    request.run = [prints](Console& console) {
      return prints ? print_schema(console) : serve_editor(console);
    };
  });
}

// The word where a command should stand, if it is none; CLI11 would only say that one is missing.
std::optional<std::string> unknown_command(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words.front().substr(0, 1) == "-") return std::nullopt;
  for (const CLI::App* command : app.get_subcommands({}))
    if (command->get_name() == words.front()) return std::nullopt;
  return words.front();
}

std::vector<std::string> words_for_players() {
  std::vector<std::string> words;
  for (const std::string_view name : runtime::search::names_of_players())
    if (name != "level" && name != "varied") words.emplace_back(name);
  for (int level = runtime::search::kFirstLevel; level <= runtime::search::kLastLevel; ++level)
    words.push_back(fmt::format("level:{}", level));
  for (int strength = 1; strength <= runtime::search::kLastVariety; ++strength)
    words.push_back(fmt::format("varied:{}", strength));
  return words;
}

// What the values of options and arguments can be, where that is known, for completion.
ValueChoices value_choices(const CLI::App& app) {
  ValueChoices choices;
  ValueChoice lints{{"all", "warnings"}}, codes, formats, families, commands;
  for (const auto& lint : interpreter::kLints) lints.words.emplace_back(lint.name);
  for (const std::string_view code : dsl::kCodes) codes.words.emplace_back(code);
  for (const auto& format : check_formats()) formats.words.push_back(format.first);
  std::set<std::string> names;
  for (const GameEntry& entry : read_index(bundled_index_text())) names.insert(entry.family);
  families.words.assign(names.begin(), names.end());
  for (const CLI::App* command : app.get_subcommands({})) commands.words.push_back(command->get_name());
  ValueChoice beginnings_to_choose{beginnings()}, shells{shells_to_complete()};
  beginnings_to_choose.words.emplace_back("list");
  shells.words.insert(shells.words.end(), {kGameNames, kGameSettings});
  const ValueChoice games{{}, true, true}, files{{}, false, true}, folders{{}, false, false, true};
  const ValueChoice settings{{}, false, false, false, true};
  for (const char* value : {"FILE", "PATH", "PAGE"}) choices[value] = files;
  choices["FOLDER"] = folders;
  choices["GAME"] = choices["check FILE"] = games;
  choices["NAME=VALUE"] = choices["NAME=VALUES"] = settings;
  choices["LINT"] = lints;
  choices["FORMAT"] = formats;
  choices["explain NAME"] = codes;
  choices["list --family"] = families;
  choices["new --like"] = beginnings_to_choose;
  for (const char* value : {"PLAYERS", "analyse --player", "ugi --player", "uci --player"})
    choices[value] = {words_for_players()};
  choices["play --random"] = {{"all", "first", "second"}};
  choices["completion WHAT"] = shells;
  choices["manual COMMAND"] = commands;
  return choices;
}

void add_completion(CLI::App& app, Request& request) {
  CLI::App& command =
      add_command(app, "completion", "Writes a script by which a shell completes this command line",
                  "  boardwright completion fish | source                   # in ~/.config/fish/config.fish\n"
                  "  source <(boardwright completion bash)                  # in ~/.bashrc\n"
                  "  source <(boardwright completion zsh)                   # in ~/.zshrc, behind compinit\n"
                  "  boardwright completion games\n  boardwright completion options GAME");
  std::vector<std::string> all = shells_to_complete();
  all.insert(all.end(), {kGameNames, kGameSettings});
  command
      .add_option_function<std::string>(
          "WHAT",
          [&request, all](const std::string& text) {
            if (std::find(all.begin(), all.end(), text) == all.end())
              throw CLI::ValidationError(
                  "WHAT", fmt::format("`{}` is none of {}", printable(text), fmt::join(all, ", ")));
            request.completion.what = text;
          },
          fmt::format(
              "A shell: {}; or what the scripts ask for: games, the names of all games; options, what "
              "can be set in one",
              fmt::join(shells_to_complete(), ", ")))
      ->required()
      ->type_name("");
  command.add_option("GAME", request.completion.game, "The game, for options")->type_name("");
  command.callback([&app, &request] {
    if ((request.completion.what == kGameSettings) == request.completion.game.empty())
      throw CLI::ValidationError("GAME", "it is named for `options`, and for nothing else");
    request.run = [&app, &request](Console& console) {
      return write_completion(request.completion, tree_of(app, value_choices(app)), console);
    };
  });
}

void add_manual(CLI::App& app, Request& request) {
  CLI::App& command = add_command(app, "manual", "Writes pages of the manual, as `man` shows them",
                                  "  boardwright manual play | man -l -\n"
                                  "  boardwright manual --into ~/.local/share/man/man1");
  CLI::Option* page =
      command
          .add_option_function<std::string>(
              "COMMAND",
              [&app, &request](const std::string& text) {
                if (const auto word = unknown_command(app, {text}))
                  throw CLI::ValidationError("COMMAND", fmt::format("no command `{}`", printable(*word)));
                request.manual.command = text;
              },
              "Which page; without it that of the whole program")
          ->type_name("");
  command.add_option("--into", request.manual.into, "Writes all pages into this folder, a file for each")
      ->type_name("FOLDER")
      ->excludes(page);
  command.callback([&app, &request] {
    request.run = [&app, &request](Console& console) {
      return write_manual(request.manual, tree_of(app, value_choices(app)), console);
    };
  });
}

void describe(CLI::App& app, Request& request) {
  app.require_subcommand(1);
  app.set_version_flag("--version", "boardwright " BOARDWRIGHT_VERSION, "Prints the version");
  app.set_help_flag("-h,--help", "Prints help");
  app.footer(std::string("Try `boardwright help COMMAND`.\n\n") + kStatuses);
  for (const auto add :
       {add_list,   add_show,     add_rules, add_inspect,    add_play,  add_replay,  add_moves,   add_why,
        add_perft,  add_playouts, add_match, add_evaluate,   add_sweep, add_merge,   add_analyse, add_ugi,
        add_uci,    add_bench,    add_solve, add_train,      add_check, add_explain, add_new,     add_migrate,
        add_import, add_fmt,      add_lsp,   add_completion, add_manual})
    add(app, request);
}

// Help and the version go to standard output and are good; complaints go to standard error.
Exit answer(const CLI::App& app, const CLI::ParseError& error, Console& console) {
  std::ostringstream out, complaint;
  const int code = app.exit(error, out, complaint);
  console.out(out.str());
  if (code == 0) return Exit::good;
  std::string text = complaint.str();
  console.error(text.empty() ? "the command line can't be read\n"
                             : printable(text.substr(0, text.find('\n'))));
  console.note("Try `boardwright --help`, or `boardwright COMMAND --help`.\n");
  return Exit::usage;
}

// `help` and `help COMMAND`, as other programs have them beside `--help`.
std::vector<std::string> with_help_option(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.resize(std::min<std::size_t>(words.size(), 1)); // of one command
  words.emplace_back("--help");
  return words;
}

Exit refuse_command(const CLI::App& app, const std::string& word, Console& console) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  const std::string near = dsl::nearest(word, known);
  console.error(fmt::format("no command `{}`; {}", quotable(word),
                            near.empty() ? fmt::format("the commands are {}", fmt::join(known, ", "))
                                         : fmt::format("did you mean `{}`?", near)));
  return Exit::usage;
}

Exit parse_and_run(int argc, char** argv, Console& console) {
  CLI::App app(kAbout, "boardwright");
  Request request;
  describe(app, request);
  std::vector<std::string> words = with_help_option(argc, argv);
  if (const auto word = unknown_command(app, words)) return refuse_command(app, *word, console);
  std::reverse(words.begin(), words.end()); // as CLI11 takes them
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return answer(app, error, console);
  }
  return request.run ? request.run(console) : Exit::usage;
}

} // namespace

int run_command_line(int argc, char** argv) noexcept {
  // What is caught here is a mistake of ours or memory that ran out: nothing below throws on purpose.
  try {
    watch_for_interrupts();
    propose_games_of(&all_entries);
    Console console;
    return static_cast<int>(console.finish(parse_and_run(argc, argv, console)));
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
    return static_cast<int>(Exit::files);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
  }
  return static_cast<int>(Exit::at_fault);
}

} // namespace boardwright::tools
