// completion and manual: what the program tells shells and readers about its own command line.
#include "tools/commands/self_description.hpp"
#include "dsl/finder.hpp"
#include "tools/console/text_file.hpp"
#include "tools/games/game_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace boardwright::tools {

namespace fs = std::filesystem;

Exit write_completion(const CompletionOptions& options, const CommandTree& tree, Console& console) {
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
