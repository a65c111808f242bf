// play: a game between people at one terminal, against chance, or against somebody who thinks.
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/engines/seats.hpp"
#include "tools/engines/weights_file.hpp"
#include "tools/play/chooser.hpp"
#include "tools/play/play_session.hpp"

#include <fmt/format.h>

#include <optional>
#include <random>

namespace boardwright::tools {
namespace {

std::uint64_t seed_of(const PlayOptions& options) {
  if (options.seed) return *options.seed;
  std::random_device device;
  return std::uint64_t{device()} << 32U | device();
}

// `NAME=WHO`.
bool seat(const std::string& setting, const OpponentChoice& choice, const OpenGame& open, Seats& seats,
          Console& console) {
  const std::size_t equals = setting.find('=');
  if (equals == 0 || equals == std::string::npos) {
    console.error(fmt::format("--player: `{}` is not of the form NAME=WHO", printable(setting)));
    return false;
  }
  auto sitter = make_sitter(setting.substr(equals + 1), open.loaded.rules, choice);
  auto seated =
      sitter ? seats.seat(setting.substr(0, equals), *sitter) : tl::unexpected(printable(sitter.error()));
  if (!seated) console.error("--player: " + seated.error());
  return seated.has_value();
}

tl::expected<Seats, Exit> seats_of(const PlayOptions& options, std::uint64_t seed, const OpenGame& open,
                                   Console& console) {
  Seats seats(open.program());
  for (const std::string& word : options.random)
    if (const auto seated = seats.seat(word, {"random", nullptr}); !seated) {
      console.error("--random: " + seated.error());
      return tl::unexpected(Exit::usage);
    }
  if (options.players.empty() && options.weights.empty()) return seats;
  const auto weights = find_weights(options.weights, options.game, open.loaded, console);
  if (!weights) return tl::unexpected(weights.error());
  for (const std::string& setting : options.players) {
    const OpponentChoice choice{seed++, 1, *weights, options.game.reference};
    if (!seat(setting, choice, open, seats, console)) return tl::unexpected(Exit::usage);
  }
  return seats;
}

// Which game, where none was given; else with what status to leave.
std::optional<Exit> choose(PlayOptions& options, Console& console) {
  LineReader reader;
  if (reader.interactive() && options.known != nullptr) {
    const bool chosen = choose_game(options, options.known(), reader, console);
    if (interrupted()) return Exit::interrupted;
    return chosen ? std::nullopt : std::optional(Exit::good);
  }
  console.error("GAME is required; `boardwright list` shows the games that are known");
  return Exit::usage;
}

Exit play(const PlayOptions& given, Console& console) {
  PlayOptions options = given;
  if (options.game.reference.empty())
    if (const auto left = choose(options, console)) return *left;
  if (options.game.position == "-") {
    console.error("--position: `play` reads moves from standard input; give the position as a file");
    return Exit::usage;
  }
  auto open = open_game(options.game, console);
  if (!open) return open.error();
  const std::uint64_t seed = seed_of(options);
  auto seats = seats_of(options, seed, *open, console);
  if (!seats) return seats.error();
  return Session(*open, options, std::move(*seats), seed, console).run();
}

} // namespace

void declare_play(CommandLine& line) {
  auto& options = line.options<PlayOptions>();
  CLI::App& command = line.add(
      "play", "Plays a game at the terminal: people in turn, against chance or somebody who thinks",
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
      command.add_option("GAME", options.game.reference,
                         "A rule file, or the name or title of a known game; without it a terminal asks"))
      ->type_name("");
  options.known = &all_entries;
  add_settings(command, options.game.settings);
  add_position(command, options.game);
  command
      .add_option(
          "--random", options.random,
          "Who plays at random: a player's name, `first`, `second` …, or `all`; may be given several times")
      ->type_name("PLAYER")
      ->allow_extra_args(false);
  command
      .add_option_function<std::string>(
          "--seed",
          [&](const std::string& text) {
            options.seed =
                parse_number<std::uint64_t>("--seed", text, 0, std::numeric_limits<std::uint64_t>::max());
          },
          "Makes random moves and rolls repeatable")
      ->type_name("N");
  command
      .add_option(
          "--player", options.players,
          "Who plays for a player: person, random, somebody who thinks, such as auto, or another program, "
          "ugi:COMMAND; see `help match`; may be given several times")
      ->type_name("PLAYER=WHO")
      ->allow_extra_args(false);
  add_time(command, options.seconds,
           "How long somebody who thinks has for a move (1); 20ms, 2m are read, too");
  add_weights(command, options.weights);
  command
      .add_option_function<std::string>(
          "--nodes",
          [&](const std::string& text) {
            options.nodes =
                parse_number<std::uint64_t>("--nodes", text, 1, std::numeric_limits<std::uint64_t>::max());
          },
          "Positions that he may look at for a move; without --time he has as long as that takes")
      ->type_name("N");
  command
      .add_option_function<std::string>(
          "--clock",
          [&](const std::string& text) {
            options.clock = read_clock(text);
            if (!options.clock)
              throw CLI::ValidationError("--clock", fmt::format("`{}` is not of the form SECONDS or "
                                                                "SECONDS+INCREMENT",
                                                                printable(text)));
          },
          "Seconds that each player, people too, has for all his moves, and gets back with each")
      ->type_name("SECONDS[+INCREMENT]");
  command
      .add_option("--record", options.record,
                  "Writes the game to this file, behind what is there, every move at once")
      ->type_name("FILE");
  command.add_flag("--dice-by-hand", options.dice_by_hand,
                   "Asks what the dice show, for people who roll their own: everybody's rolls are typed");
  CLI::Option* resume =
      command.add_flag("--resume", options.resume,
                       "Goes on with the latest game that was left unfinished, without a question");
  command.add_flag("--new", options.fresh, "Asks about no unfinished game")->excludes(resume);
  add_ascii(command, options.ascii);
  line.choices["play --random"].words = {"all", "first", "second"};
  line.runs(command, [&options](Console& console) { return play(options, console); });
}

} // namespace boardwright::tools
