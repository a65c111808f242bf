#include "tools/commands/command_tree.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace boardwright::tools {
namespace {

const ValueChoice* choice_in(const ValueChoices& choices, const std::string& key) {
  const auto found = choices.find(key);
  return found == choices.end() ? nullptr : &found->second;
}

ArgumentEntry argument_of(const CLI::Option& option, const std::string& command,
                          const ValueChoices& choices) {
  ArgumentEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  entry.help = option.get_description();
  entry.required = option.get_required();
  entry.several = option.get_expected_max() > option.get_expected_min() && option.get_expected_max() > 1;
  const std::string place = option.get_name(true, false);
  const bool flag = option.get_items_expected_max() == 0;
  if (!flag) entry.value = entry.names.empty() ? place : option.get_type_name();
  entry.values = flag ? 0 : option.get_items_expected_min();
  const std::string key = command + " " + (entry.names.empty() ? place : entry.names.back());
  const ValueChoice* choice = choice_in(choices, key);
  if (choice == nullptr) choice = choice_in(choices, entry.value);
  if (choice != nullptr && !flag) entry.choice = *choice;
  return entry;
}

CommandEntry entry_of(const CLI::App& app, const ValueChoices& choices) {
  CommandEntry entry{app.get_name(), app.get_description(), {}, {}, app.get_footer()};
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? entry.places : entry.options)
        .push_back(argument_of(*option, entry.name, choices));
  return entry;
}

} // namespace

bool is_shown(const CLI::App& command) { return !command.get_group().empty(); }

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands({}))
    if (command->get_name() == name) return command;
  return nullptr;
}

CommandTree tree_of(const CLI::App& app, const ValueChoices& choices) {
  CommandTree tree{entry_of(app, choices), {}};
  for (const CLI::App* command : app.get_subcommands({}))
    if (is_shown(*command)) tree.commands.push_back(entry_of(*command, choices));
  return tree;
}

std::string in_brief(const std::string& help) {
  std::size_t end = help.size();
  for (const char* mark : {"; ", ": ", " (", ", such as"}) end = std::min(end, help.find(mark));
  return help.substr(0, end);
}

} // namespace boardwright::tools
