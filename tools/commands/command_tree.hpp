// The command line as data: its commands and their options, for what is made from it.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace boardwright::tools {

// What a value can be; nothing of it: anything.
struct ValueChoice {
  std::vector<std::string> words;
  bool games = false, files = false, folders = false;
  bool settings = false; // NAME=VALUE, of the game that the line names
};
// By the name that help texts give the value ("FORMAT"), or by command and argument where that says too
// little
// ("explain NAME", "list --family").
using ValueChoices = std::map<std::string, ValueChoice>;

struct ArgumentEntry {
  std::vector<std::string> names; // "--json"; none: it has a place instead
  std::string value;              // "FILE"; "": a flag
  std::string help;
  int values = 1; // how many of them it takes; of an option that may stand alone 0
  bool required = false;
  bool several = false; // may be given several times, or takes any number
  ValueChoice choice;

  [[nodiscard]] bool takes_value() const { return !value.empty(); }
};

struct CommandEntry {
  std::string name, about;
  std::vector<ArgumentEntry> options, places; // places: by their order
  std::string footer;                         // "Examples:\n  …", and more
};

struct CommandTree {
  CommandEntry program; // its own options
  std::vector<CommandEntry> commands;
};
// Names that were given up still work, but stand in no help, page or list.
[[nodiscard]] bool is_shown(const CLI::App& command);
// Null where there is no command of this name.
[[nodiscard]] const CLI::App* command_named(const CLI::App& app, const std::string& name);
[[nodiscard]] CommandTree tree_of(const CLI::App& app, const ValueChoices& choices);

// A help text's first statement.
[[nodiscard]] std::string in_brief(const std::string& help);

// Scripts that complete the command line. A shell that there is none for gives "".
[[nodiscard]] std::vector<std::string> shells_to_complete();
[[nodiscard]] std::string completion_script(const CommandTree& tree, const std::string& shell);

// The page of the manual about a command, or about the program as a whole, as man(7) has them.
[[nodiscard]] std::string manual_page(const CommandTree& tree, const CommandEntry& command);
// "boardwright-play.1"
[[nodiscard]] std::string manual_name(const CommandTree& tree, const CommandEntry& command);

} // namespace boardwright::tools
