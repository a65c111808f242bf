// The subcommands that tell of the command line itself.
#pragma once

#include "tools/commands/command_tree.hpp"
#include "tools/console/console.hpp"

#include <string>

namespace boardwright::tools {

// What `completion` prints besides scripts, which ask for it: the names of all games, and the settings of
// one.
inline constexpr const char* kGameNames = "games";
inline constexpr const char* kGameSettings = "options";
struct CompletionOptions {
  std::string what; // one of shells_to_complete(), kGameNames or kGameSettings
  std::string game; // whose settings
};
[[nodiscard]] Exit write_completion(const CompletionOptions& options, const CommandTree& tree,
                                    Console& console);

struct ManualOptions {
  std::string command; // one of the tree; "": the program
  std::string into;    // a folder for all pages; "": the one page on standard output
};
[[nodiscard]] Exit write_manual(const ManualOptions& options, const CommandTree& tree, Console& console);

} // namespace boardwright::tools
