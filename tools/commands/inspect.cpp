// inspect: what the rules of a game have become: their normal form, the compiled form, what costs.
#include "runtime/game/inspect.hpp"

#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/json.hpp"
#include "tools/reports/profile_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace boardwright::tools {
namespace {

struct InspectOptions {
  GameChoice game;
  std::string player;                // whose rules; "": everybody's
  bool normal = false, code = false; // only this form; neither: both
  bool profile = false;              // what each line takes of the time, instead
  std::optional<double> seconds;     // of each kind of work
  std::uint64_t seed = 1;
  bool json = false;
};

using interpreter::Loaded;
using runtime::Inspection;
using runtime::Program;

constexpr double kProfileSeconds = 1, kMostProfileSeconds = 60;
constexpr std::size_t kMostPlaces = 6; // of an operation that falls back; --json has all

const char* yes_or_no(bool yes) { return yes ? "yes" : "no"; }

// Whose rules are shown.
tl::expected<std::vector<int>, std::string> chosen_players(const Program& program, const std::string& name) {
  std::vector<int> players;
  std::vector<std::string> names;
  for (int p = 0; p < program.player_count(); ++p) {
    names.push_back(program.players[static_cast<std::size_t>(p)].name);
    if (name.empty() || names.back() == name) players.push_back(p);
  }
  if (players.empty())
    return tl::unexpected(
        fmt::format("no player `{}`; the players are {}", quotable(name), fmt::join(names, ", ")));
  return players;
}

std::string compares_text(const Program& program, const Inspection& found) {
  std::vector<std::string> names;
  for (std::size_t p = 0; p < found.compares.size(); ++p)
    if (found.compares[p]) names.push_back(program.players[p].name);
  if (names.empty() && found.compared_at.empty()) return "moves compared when found: no player's\n";
  const bool all = !names.empty();
  std::string text = "moves compared when found: ";
  text +=
      all ? fmt::format("those of {}\n", fmt::join(names, ", ")) : "some, those that end in these places\n";
  text += fmt::format("  Nothing proves that different choices make different moves{}. So {}\n"
                      "  {} followed to the end and compared with the moves that were found before.\n",
                      all ? "" : " there", all ? "every way through the turn" : "the ways through the turn",
                      all ? "is" : "that end there are");
  for (const std::string& place : found.compared_at) text += "  at " + place + "\n";
  return text;
}

std::string fall_back_text(const Inspection& found) {
  if (!found.native)
    return "native code: none (this build, processor or system has none): all instructions are interpreted\n";
  std::string text = fmt::format("native code: yes; {} of {} instructions fall back to C++ helpers\n",
                                 found.falling_back, found.instructions);
  for (const runtime::FallBack& entry : found.fall_back) {
    text += fmt::format("  {:>5} {}: {}\n", entry.instructions, entry.operation, entry.what);
    for (std::size_t k = 0; k < entry.places.size() && k < kMostPlaces; ++k)
      text += "          at " + entry.places[k] + "\n";
    if (entry.places.size() > kMostPlaces)
      text += fmt::format("          and at {} more places\n", entry.places.size() - kMostPlaces);
  }
  return text;
}

std::string header(const Program& program, const Inspection& found) {
  std::vector<std::string> names;
  for (const runtime::Player& player : program.players) names.push_back(player.name);
  return fmt::format("{}\n"
                     "players: {}\n"
                     "sets: {} cells in {} bits\n"
                     "mailbox: {}; stacks: {}\n"
                     "compiled: {} instructions, {} leaves; registers: {} sets, {} numbers, {} boxes\n",
                     program.game, fmt::join(names, ", "), found.cells, 64 * found.words,
                     yes_or_no(found.mailbox), yes_or_no(found.stacks), found.instructions, found.leaves,
                     found.sets, found.numbers, found.boxes) +
         compares_text(program, found) + fall_back_text(found);
}

Json fall_back_json(const Inspection& found) {
  Json all = Json::array();
  for (const runtime::FallBack& entry : found.fall_back)
    all.push_back({{"operation", entry.operation},
                   {"does", entry.what},
                   {"instructions", entry.instructions},
                   {"places", entry.places}});
  return all;
}

struct Forms {
  bool normal = true, code = true;
};

Json inspect_json(const runtime::Rules& rules, const Inspection& found, const std::vector<int>& players,
                  const Forms& forms) {
  const Program& program = rules.program();
  Json by_player = Json::array();
  for (const int p : players) {
    const auto i = static_cast<std::size_t>(p);
    Json json = {{"name", program.players[i].name}, {"compares_moves", static_cast<bool>(found.compares[i])}};
    if (forms.normal) json["normal_form"] = normal_form(rules, p);
    if (forms.code) json["code"] = compiled_form(rules, p);
    by_player.push_back(std::move(json));
  }
  return {{"game", program.game},
          {"cells", found.cells},
          {"set_bits", 64 * found.words},
          {"mailbox", found.mailbox},
          {"stacks", found.stacks},
          {"instructions", found.instructions},
          {"leaves", found.leaves},
          {"registers", {{"sets", found.sets}, {"numbers", found.numbers}, {"boxes", found.boxes}}},
          {"compared_at", found.compared_at},
          {"native", found.native},
          {"fall_back_instructions", found.native ? Json(found.falling_back) : Json()},
          {"fall_back", found.native ? fall_back_json(found) : Json()},
          {"players", by_player}};
}

std::string forms_text(const runtime::Rules& rules, const std::vector<int>& players, const Forms& forms) {
  std::string text;
  for (const int p : players) {
    const std::string& name = rules.program().players[static_cast<std::size_t>(p)].name;
    if (forms.normal) text += fmt::format("\nnormal form of {}\n\n{}", name, normal_form(rules, p));
    if (forms.code) text += fmt::format("\ncode of {}\n\n{}", name, compiled_form(rules, p));
  }
  return text;
}

Exit profile_game(const InspectOptions& options, interpreter::Loaded& loaded, Console& console) {
  const double seconds = options.seconds.value_or(kProfileSeconds);
  if (seconds > kMostProfileSeconds) {
    console.error(fmt::format("--time: a profile takes {} seconds of each kind of work at the most",
                              kMostProfileSeconds));
    return Exit::usage;
  }
  const auto found = profile_lines(loaded, options.game.settings, {seconds, options.seed, &interrupted()});
  if (!found) {
    console.error("--profile: " + found.error());
    return Exit::at_fault;
  }
  if (found->stopped) return Exit::interrupted;
  console.out(options.json
                  ? to_document({{"game", loaded.rules->program().game}, {"profile", profile_json(*found)}})
                  : printable(loaded.rules->program().game) + "\n" + profile_text(*found));
  return Exit::good;
}

Exit inspect_game(const InspectOptions& options, Console& console) {
  auto loaded = load_game(options.game, console);
  if (!loaded) return loaded.error();
  if (options.profile) return profile_game(options, *loaded, console);
  const runtime::Rules& rules = *loaded->rules;
  const auto players = chosen_players(rules.program(), options.player);
  if (!players) {
    console.error(players.error());
    return Exit::usage;
  }
  const Inspection found = inspect(rules);
  if (!found.problem.empty()) {
    console.error(found.problem);
    return Exit::at_fault;
  }
  // Asked for neither one gets both.
  const bool both = options.normal == options.code;
  const Forms forms{both || options.normal, both || options.code};
  console.out(options.json ? to_document(inspect_json(rules, found, *players, forms))
                           : printable(header(rules.program(), found) + forms_text(rules, *players, forms)));
  return Exit::good;
}

} // namespace

void declare_inspect(CommandLine& line) {
  auto& options = line.options<InspectOptions>();
  CLI::App& command =
      line.add("inspect", "Shows what the rules have become: normal form, compiled form, what is slow",
               "  boardwright inspect GAME\n  boardwright inspect GAME --player White --normal\n"
               "  boardwright inspect mygame.yaml --code --set size=6 --json\n"
               "  boardwright inspect mygame.yaml --profile --time 5");
  add_game(command, options.game);
  CLI::Option* const player =
      command.add_option("--player", options.player, "Only the rules of this player")->type_name("NAME");
  CLI::Option* const normal =
      command.add_flag("--normal", options.normal, "Only the head and the normal form");
  CLI::Option* const code = command.add_flag("--code", options.code, "Only the head and the compiled form");
  CLI::Option* const profile =
      command.add_flag("--profile", options.profile,
                       "Instead, what each line of the rules takes of the CPU time of listing moves, of "
                       "random games and of search");
  profile->excludes(player)->excludes(normal)->excludes(code);
  add_time(command, options.seconds,
           "With --profile, the CPU time of each of the three (1 second; 60 at the most)");
  add_number<std::uint64_t>(command, "--seed", options.seed, 0, kMaxCount,
                            "With --profile, the seed of the random games (1)");
  add_json(command, options.json);
  line.runs(command, [&options](Console& console) { return inspect_game(options, console); });
}

} // namespace boardwright::tools
