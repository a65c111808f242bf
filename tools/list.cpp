// list: the games that can be named.
#include "dsl/finder.hpp"
#include "tools/board_shape.hpp"
#include "tools/commands.hpp"
#include "tools/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace boardwright::tools {
namespace {

struct Entry {
  std::string name;
  interpreter::Loaded loaded;
};

std::vector<Entry> load_all() {
  std::vector<Entry> entries;
  for (const std::string& name : dsl::known_games()) {
    if (interrupted()) break;
    entries.push_back({name, interpreter::load(name)});
  }
  return entries;
}

Json entry_json(const Entry& entry) {
  Json json = {{"name", entry.name}};
  if (!entry.loaded) {
    json["error"] = "it does not load";
    return json;
  }
  const runtime::Program& program = entry.loaded.rules->program();
  json["game"] = program.game;
  for (const runtime::Player& player : program.players) json["players"].push_back(player.name);
  json["board"] = board_shape(program.board);
  return json;
}

std::string entry_line(const Entry& entry, std::size_t width) {
  const std::string name = fmt::format("{:<{}}", printable(entry.name), width);
  if (!entry.loaded)
    return fmt::format("{}  does not load; see `boardwright check {}`\n", name, printable(entry.name));
  const runtime::Program& program = entry.loaded.rules->program();
  std::vector<std::string> players;
  for (const runtime::Player& player : program.players) players.push_back(player.name);
  return fmt::format("{}  {}: {}; {}\n", name, printable(program.game), board_shape(program.board),
                     fmt::join(players, ", "));
}

} // namespace

Exit list_games(const ListOptions& options, Console& console) {
  const std::vector<Entry> entries = load_all();
  if (interrupted()) return Exit::interrupted;
  if (options.json) {
    Json games = Json::array();
    for (const Entry& entry : entries) games.push_back(entry_json(entry));
    console.out(to_document({{"games", games}}));
    return Exit::good;
  }
  std::size_t width = 0;
  for (const Entry& entry : entries) width = std::max(width, entry.name.size());
  for (const Entry& entry : entries) console.out(entry_line(entry, width));
  return Exit::good;
}

} // namespace boardwright::tools
