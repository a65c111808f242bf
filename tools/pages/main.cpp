// boardwright_pages FOLDER: writes the tables of game-defs/README.md anew, in the repository at FOLDER.
#include "tools/pages/game_tables.hpp"

#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace boardwright;

namespace {

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

} // namespace

int main(int count, char** arguments) try {
  if (count != 2) {
    std::cerr << "usage: boardwright_pages FOLDER\n";
    return 2;
  }
  const std::string folder = arguments[1], path = folder + "/game-defs/README.md";
  const std::string page =
      tools::with_tables(read(path), read(folder + "/dsl/README.md"), dsl::bundled_files());
  if (page.empty()) {
    std::cerr << path << " has no markers for the tables\n";
    return 3;
  }
  std::ofstream file(path, std::ios::binary);
  file << page;
  file.close();
  return file ? 0 : 3;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 3;
}
