// boardwright_pages FOLDER: writes the tables of game-defs/README.md anew, in the repository at FOLDER, and
// into the reference and the editors' grammar the words of the language that they haven't yet.
#include "tools/pages/game_tables.hpp"
#include "tools/pages/language_pages.hpp"

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

// What is the same already keeps its date.
bool write(const std::string& path, const std::string& text) {
  if (read(path) == text) return true;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return static_cast<bool>(file);
}

} // namespace

int main(int count, char** arguments) try {
  if (count != 2) {
    std::cerr << "usage: boardwright_pages FOLDER\n";
    return 2;
  }
  const std::string folder = arguments[1], path = folder + "/game-defs/README.md",
                    grammar = folder + "/tools/editors/vscode/syntaxes/boardwright.tmLanguage.json";
  const std::string reference = tools::with_words(read(folder + "/dsl/README.md"));
  const std::string page = tools::with_tables(read(path), reference, dsl::bundled_files());
  if (page.empty()) {
    std::cerr << path << " has no markers for the tables\n";
    return 3;
  }
  const bool written = write(path, page) && write(folder + "/dsl/README.md", reference) &&
                       write(grammar, tools::with_coloured_words(read(grammar)));
  return written ? 0 : 3;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 3;
}
