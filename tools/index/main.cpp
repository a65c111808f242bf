// boardwright_index FILE: writes what `list` says of the bundled games, as C++. Part of the build.
#include "dsl/finder.hpp"
#include "tools/games/game_index.hpp"

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>

using namespace boardwright;

namespace {

std::vector<tools::GameEntry> all_entries() {
  std::vector<tools::GameEntry> entries;
  for (const dsl::BundledFile& file : dsl::bundled_files())
    if (dsl::is_game(file.text))
      entries.push_back(
          tools::entry_of(std::string(file.name), std::string(file.family), dsl::bundled_finder()));
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return entries;
}

} // namespace

int main(int count, char** arguments) try {
  if (count != 2) {
    std::cerr << "usage: boardwright_index FILE\n";
    return 2;
  }
  const auto entries = all_entries();
  for (const tools::GameEntry& entry : entries) {
    if (entry.loads) continue;
    std::cerr << "the bundled game " << entry.name << " does not load; see `boardwright check`\n";
  }
  std::ofstream file(arguments[1], std::ios::binary);
  file << tools::index_source(entries);
  file.close();
  return file ? 0 : 3;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 3;
}
