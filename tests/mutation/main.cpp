// Makes one mistake in a copy of the sources: boardwright_mutate ROOT SEED NUMBER FOLDER…
// Draws it among all .cpp and .hpp files of the folders of ROOT, changes the file, and prints which and how.
#include "tests/mutation/mutations.hpp"
#include "tests/text_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

int main(int argc, char** argv) {
  if (argc < 5) {
    std::cerr << "usage: boardwright_mutate ROOT SEED NUMBER FOLDER...\n";
    return 2;
  }
  const fs::path root = argv[1];
  std::vector<fs::path> files;
  for (int i = 4; i < argc; ++i)
    for (const auto& entry : fs::recursive_directory_iterator(root / argv[i]))
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> sources;
  for (const auto& file : files) sources.push_back(boardwright::tests::read_file(file));
  const auto drawn = boardwright::tests::drawn(sources, std::strtoull(argv[2], nullptr, 10),
                                               std::strtoull(argv[3], nullptr, 10));
  if (drawn.mutation.length == 0) {
    std::cerr << "nothing to change\n";
    return 1;
  }
  const std::string& source = sources[drawn.source];
  std::cout << fs::relative(files[drawn.source], root).string() << ":"
            << boardwright::tests::shown(source, drawn.mutation);
  std::ofstream(files[drawn.source], std::ios::binary) << boardwright::tests::applied(source, drawn.mutation);
  return 0;
}
