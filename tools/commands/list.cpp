// list: the games that can be named.
#include "dsl/text.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/known_games.hpp"
#include "tools/console/json.hpp"
#include "tools/games/about_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace boardwright::tools {
namespace {

struct ListOptions {
  std::vector<std::string> words; // all must be found in what is known of a game
  std::string family;             // this one only; "": all
  bool json = false;
};

bool is_asked_for(const GameEntry& entry, const ListOptions& options) {
  if (!options.family.empty() && dsl::to_lower(options.family) != dsl::to_lower(entry.family)) return false;
  const std::string words = words_of(entry);
  return std::all_of(options.words.begin(), options.words.end(), [&](const std::string& word) {
    return words.find(dsl::to_lower(word)) != std::string::npos || is_called(entry, word);
  });
}

Json entry_json(const GameEntry& entry) {
  Json json = {{"name", entry.name}, {"family", entry.family}};
  if (!entry.loads) {
    json["error"] = "it does not load";
    return json;
  }
  json["game"] = entry.title;
  json["players"] = entry.players;
  json["board"] = entry.board;
  if (!entry.parent.empty()) json["variant_of"] = entry.parent;
  json["options"] = entry.options;
  json["about"] = about_json(entry.about);
  return json;
}

std::string entry_line(const GameEntry& entry, std::size_t width) {
  const std::string name = fmt::format("  {:<{}}", printable(entry.name), width);
  if (!entry.loads)
    return fmt::format("{}  does not load; see `boardwright check {}`\n", name, printable(entry.name));
  std::string title = printable(entry.title);
  if (const auto year = entry.told("year"); !year.empty())
    title += fmt::format(" ({})", printable(std::string(year)));
  const std::string variant =
      entry.parent.empty() ? "" : fmt::format("; a variant of {}", printable(entry.parent));
  return fmt::format("{}  {}: {}; {}{}\n", name, title, printable(entry.board),
                     fmt::join(entry.players, ", "), variant);
}

std::string plural(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// Games that differ in size or by an option are counted apart from games.
std::string summary(const std::vector<GameEntry>& entries) {
  std::set<std::string> families;
  std::size_t variants = 0, options = 0;
  for (const GameEntry& entry : entries) {
    families.insert(entry.family);
    variants += entry.parent.empty() ? 0 : 1;
    options += static_cast<std::size_t>(entry.options);
  }
  std::string text = fmt::format("\n{} in {}", plural(entries.size(), "game", "games"),
                                 plural(families.size(), "family", "families"));
  if (variants > 0) text += fmt::format("; {} of another", plural(variants, "is a variant", "are variants"));
  if (options > 0)
    text += fmt::format("; {} for sizes and other rules", plural(options, "option", "options"));
  return text + "\n";
}

Exit nothing_found(const ListOptions& options, const std::vector<GameEntry>& all, Console& console) {
  std::set<std::string> families;
  for (const GameEntry& entry : all) families.insert(entry.family);
  if (!options.family.empty() && families.count(options.family) == 0)
    console.error(fmt::format("there is no family `{}`; the families are {}", printable(options.family),
                              fmt::join(families, ", ")));
  else
    console.error("no game matches these words");
  return Exit::at_fault;
}

Exit list_games(const ListOptions& options, Console& console) {
  const std::vector<GameEntry> all = all_entries();
  if (interrupted()) return Exit::interrupted;
  std::vector<GameEntry> entries;
  std::copy_if(all.begin(), all.end(), std::back_inserter(entries),
               [&](const GameEntry& entry) { return is_asked_for(entry, options); });
  if (options.json) {
    Json games = Json::array();
    for (const GameEntry& entry : entries) games.push_back(entry_json(entry));
    console.out(to_document({{"games", games}}));
    return Exit::good;
  }
  if (entries.empty()) return nothing_found(options, all, console);
  std::size_t width = 0;
  for (const GameEntry& entry : entries) width = std::max(width, entry.name.size());
  std::string family;
  for (const GameEntry& entry : entries) {
    if (entry.family != family) console.out(fmt::format("{}{}\n", family.empty() ? "" : "\n", entry.family));
    family = entry.family;
    console.out(entry_line(entry, width));
  }
  console.out(summary(entries));
  return Exit::good;
}

} // namespace

std::vector<std::string> games_of_two() {
  std::vector<std::string> names;
  for (const GameEntry& entry : read_index(bundled_index_text()))
    if (entry.loads && entry.players.size() == 2) names.push_back(entry.name);
  return names;
}

void declare_list(CommandLine& line) {
  auto& options = line.options<ListOptions>();
  CLI::App& command = line.add("list", "Lists the games that can be named",
                               "  boardwright list\n  boardwright list hex connection\n"
                               "  boardwright list --family tafl\n"
                               "  BOARDWRIGHT_PATH=~/games boardwright list --json");
  command.add_option("WORD", options.words,
                     "Only games that have all these words in their name, family, board or description");
  command.add_option("--family", options.family, "Only games of this family")->type_name("NAME");
  std::set<std::string> families;
  for (const GameEntry& entry : read_index(bundled_index_text())) families.insert(entry.family);
  line.choices["list --family"].words.assign(families.begin(), families.end());
  add_json(command, options.json);
  line.runs(command, [&options](Console& console) { return list_games(options, console); });
}

} // namespace boardwright::tools
