// The subcommands that tell of the command line itself.
#pragma once

#include "tools/commands/command_tree.hpp"
#include "tools/console/console.hpp"

#include <string>

namespace boardwright::tools {

// What `completion` prints besides scripts: the names of all games, which the scripts ask for.
inline constexpr const char* kGameNames = "games";
struct CompletionOptions {
  std::string what; // one of shells_to_complete(), or kGameNames
};
[[nodiscard]] Exit write_completion(const CompletionOptions& options, const CommandTree& tree,
                                    Console& console);

struct ManualOptions {
  std::string command; // one of the tree; "": the program
  std::string into;    // a folder for all pages; "": the one page on standard output
};
[[nodiscard]] Exit write_manual(const ManualOptions& options, const CommandTree& tree, Console& console);

} // namespace boardwright::tools
