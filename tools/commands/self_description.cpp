// completion and manual: what the program tells shells and readers about its own command line.
#include "tools/commands/self_description.hpp"
#include "dsl/finder.hpp"
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

} // namespace

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

} // namespace boardwright::tools
