// completion and manual: what the program tells shells and readers about its own command line.
#include "dsl/finder.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/text_file.hpp"
#include "tools/games/game_choice.hpp"
#include "tools/games/game_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace boardwright::tools {

namespace fs = std::filesystem;

namespace {

// What `completion` prints besides scripts, which ask for it: the names of all games, and the settings of
// one.
constexpr const char* kGameNames = "games";
constexpr const char* kGameSettings = "options";
struct CompletionOptions {
  std::string what; // one of shells_to_complete(), kGameNames or kGameSettings
  std::string game; // whose settings
};

struct ManualOptions {
  std::string command; // one of the tree; "": the program
  std::string into;    // a folder for all pages; "": the one page on standard output
};

// An option with more values than a reader would look through is told by its name alone: `seed=`.
constexpr std::int64_t kMostValuesTold = 64;

std::vector<std::string> values_to_tell(const runtime::Option& option) {
  if (!option.values.empty()) return option.values;
  if (option.initial == "true" || option.initial == "false") return {"true", "false"};
  std::vector<std::string> values;
  if (!option.range) return values;
  const std::int64_t low = option.range->first, high = option.range->second;
  for (std::int64_t n = low; n <= high && high - low < kMostValuesTold; ++n)
    values.push_back(std::to_string(n));
  return values;
}

Exit write_settings(const std::string& game, Console& console) {
  GameChoice choice;
  choice.reference = game;
  const auto loaded = load_game(choice, console);
  if (!loaded) return loaded.error();
  for (const runtime::Option& option : loaded->rules->program().options) {
    const std::vector<std::string> values = values_to_tell(option);
    if (values.empty()) console.out(fmt::format("{}=\n", option.name));
    for (const std::string& value : values) console.out(fmt::format("{}={}\n", option.name, value));
  }
  return Exit::good;
}

Exit write_completion(const CompletionOptions& options, const CommandTree& tree, Console& console) {
  if (options.what == kGameSettings) return write_settings(options.game, console);
  if (options.what != kGameNames) {
    console.out(completion_script(tree, options.what));
    return Exit::good;
  }
  std::set<std::string> names;
  for (const std::string& name : dsl::games_on_path()) names.insert(name);
  for (const GameEntry& entry : read_index(bundled_index_text())) names.insert(entry.name);
  console.out(fmt::format("{}\n", fmt::join(names, "\n")));
  return Exit::good;
}

Exit write_manual(const ManualOptions& options, const CommandTree& tree, Console& console) {
  std::vector<const CommandEntry*> commands{&tree.program};
  for (const CommandEntry& command : tree.commands) commands.push_back(&command);
  if (options.into.empty()) {
    const std::string& wanted = options.command.empty() ? tree.program.name : options.command;
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const CommandEntry* command) { return command->name == wanted; });
    console.out(manual_page(tree, **found));
    return Exit::good;
  }
  std::error_code error;
  fs::create_directories(options.into, error);
  for (const CommandEntry* command : commands) {
    const std::string path = (fs::path(options.into) / manual_name(tree, *command)).string();
    if (const auto written = write_text_file(path, manual_page(tree, *command)); !written) {
      console.error(written.error());
      return Exit::files;
    }
  }
  return Exit::good;
}

} // namespace

void declare_completion(CommandLine& line) {
  auto& options = line.options<CompletionOptions>();
  CLI::App& command =
      line.add("completion", "Writes a script by which a shell completes this command line",
               "  boardwright completion fish | source                   # in ~/.config/fish/config.fish\n"
               "  source <(boardwright completion bash)                  # in ~/.bashrc\n"
               "  source <(boardwright completion zsh)                   # in ~/.zshrc, behind compinit\n"
               "  boardwright completion games\n  boardwright completion options GAME");
  std::vector<std::string> all = shells_to_complete();
  all.insert(all.end(), {kGameNames, kGameSettings});
  command
      .add_option_function<std::string>(
          "WHAT",
          [&options, all](const std::string& text) {
            if (std::find(all.begin(), all.end(), text) == all.end())
              throw CLI::ValidationError(
                  "WHAT", fmt::format("`{}` is none of {}", printable(text), fmt::join(all, ", ")));
            options.what = text;
          },
          fmt::format(
              "A shell: {}; or what the scripts ask for: games, the names of all games; options, what "
              "can be set in one",
              fmt::join(shells_to_complete(), ", ")))
      ->required()
      ->type_name("");
  command.add_option("GAME", options.game, "The game, for options")->type_name("");
  line.choices["completion WHAT"].words = all;
  command.callback([&options, &line] {
    if ((options.what == kGameSettings) == options.game.empty())
      throw CLI::ValidationError("GAME", "it is named for `options`, and for nothing else");
    line.run([&options, &line](Console& console) { return write_completion(options, line.tree(), console); });
  });
}

void declare_manual(CommandLine& line) {
  auto& options = line.options<ManualOptions>();
  CLI::App& command = line.add("manual", "Writes pages of the manual, as `man` shows them",
                               "  boardwright manual play | man -l -\n"
                               "  boardwright manual --into ~/.local/share/man/man1");
  CLI::Option* page =
      command
          .add_option_function<std::string>(
              "COMMAND",
              [&options, &line](const std::string& text) {
                const CLI::App* named = command_named(line.app(), text);
                if (named == nullptr || !is_shown(*named))
                  throw CLI::ValidationError("COMMAND", fmt::format("no command `{}`", printable(text)));
                options.command = text;
              },
              "Which page; without it that of the whole program")
          ->type_name("");
  command.add_option("--into", options.into, "Writes all pages into this folder, a file for each")
      ->type_name("FOLDER")
      ->excludes(page);
  for (const CommandEntry& entry : line.tree().commands)
    line.choices["manual COMMAND"].words.push_back(entry.name);
  line.runs(command,
            [&options, &line](Console& console) { return write_manual(options, line.tree(), console); });
}

} // namespace boardwright::tools
