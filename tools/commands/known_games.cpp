#include "tools/commands/known_games.hpp"

#include "dsl/finder.hpp"
#include "tools/console/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace boardwright::tools {
namespace {

// Where the games of BOARDWRIGHT_PATH are listed, which are in no family.
constexpr const char* kOwnFiles = "your files";

} // namespace

// A file on the path hides a bundled one of its name.
std::vector<GameEntry> all_entries() {
  std::vector<GameEntry> entries;
  std::set<std::string> own;
  for (const std::string& name : dsl::games_on_path()) {
    if (interrupted()) break;
    own.insert(name);
    entries.push_back(entry_of(name, kOwnFiles, dsl::standard_finder()));
  }
  for (GameEntry& entry : read_index(bundled_index_text()))
    if (own.count(entry.name) == 0) entries.push_back(std::move(entry));
  std::stable_sort(entries.begin(), entries.end(), [](const GameEntry& a, const GameEntry& b) {
    return std::tie(a.family, a.name) < std::tie(b.family, b.name);
  });
  return entries;
}

tl::expected<std::string, std::string> game_meant(const std::string& typed) {
  const bool path = typed.find('/') != std::string::npos || typed.ends_with(".yaml");
  if (path || bare_title(typed).empty() || dsl::standard_finder()(typed, "")) return typed;
  const std::vector<GameEntry> all = all_entries();
  const auto found = games_called(all, typed);
  if (found.empty()) return typed;
  if (found.size() == 1) return found.front()->name;
  std::vector<std::string> names;
  for (const GameEntry* entry : found) names.push_back(entry->name);
  return tl::unexpected(
      fmt::format("{} is the title of several games: {}", quotable(typed), fmt::join(names, ", ")));
}

} // namespace boardwright::tools
