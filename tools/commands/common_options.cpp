#include "tools/commands/common_options.hpp"

#include "runtime/search/levels.hpp"
#include "runtime/search/make_player.hpp"
#include "runtime/search/varied.hpp"
#include "tools/commands/known_games.hpp"
#include "tools/engines/opponents.hpp"

#include <algorithm>

namespace boardwright::tools {
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

void add_time(CLI::App& app, std::optional<double>& seconds, const std::string& help) {
  app.add_option_function<std::string>(
         "--time", [&seconds](const std::string& text) { seconds = parse_seconds(text); }, help)
      ->type_name("SECONDS");
}

void add_limits(CLI::App& app, std::optional<double>& seconds, std::uint64_t& nodes, const char* otherwise) {
  add_time(app, seconds, std::string("Time for a move, such as 20ms or 5s") + otherwise);
  add_number<std::uint64_t>(app, "--nodes", nodes, 1, std::numeric_limits<std::uint64_t>::max(),
                            "Positions to look at for a move: the same on every machine");
}

void add_weights(CLI::App& app, std::string& weights) {
  app.add_option(
         "--weights", weights,
         "What was learnt of the game (see `train`): this file, whatever rules it was learnt on, instead of "
         "NAME.weights.yaml")
      ->type_name("PATH");
}

void add_opponents(CLI::App& command) {
  command.footer(command.get_footer() + "\n\nPlayers:\n" + descriptions_of_opponents());
}

ValueChoice players_to_choose() {
  ValueChoice choice;
  std::vector<std::string>& words = choice.words;
  for (const std::string_view name : runtime::search::names_of_players())
    if (name != "level" && name != "varied") words.emplace_back(name);
  for (int level = runtime::search::kFirstLevel; level <= runtime::search::kLastLevel; ++level)
    words.push_back(fmt::format("level:{}", level));
  for (int strength = 1; strength <= runtime::search::kLastVariety; ++strength)
    words.push_back(fmt::format("varied:{}", strength));
  return choice;
}

void add_viewer(CLI::App& app, std::string& viewer) {
  app.add_option("--as", viewer, "Tells only what this player sees and knows, where the game hides something")
      ->type_name("PLAYER");
}

tl::expected<std::optional<int>, Exit> viewer_named(const std::string& viewer,
                                                    const runtime::Program& program, Console& console) {
  if (viewer.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (int player = 0; player < program.player_count(); ++player) {
    names.push_back(program.players[static_cast<std::size_t>(player)].name);
    if (dsl::to_lower(names.back()) == dsl::to_lower(viewer)) return player;
  }
  console.error(fmt::format("--as: there is no player {}; there are {}", quotable(viewer),
                            printable(fmt::format("{}", fmt::join(names, ", ")))));
  return tl::unexpected(Exit::usage);
}

void add_ascii(CLI::App& app, bool& ascii) {
  app.add_flag("--ascii", ascii, "Draws the board with letters and dots, as it is where no terminal is");
}

void add_json(CLI::App& app, bool& json) { app.add_flag("--json", json, "Prints JSON on standard output"); }

} // namespace boardwright::tools
