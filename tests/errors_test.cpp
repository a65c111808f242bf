// Golden files of error messages: tests/errors/*.golden hold a rule file, a line `-----`, and what loading it
// prints. With BOARDWRIGHT_REBASE=1 in the environment the second part is written anew; read the difference
// before keeping it.
#include "interpreter/load.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

using namespace boardwright;

namespace {

constexpr const char* kRuler = "-----\n";

std::vector<std::filesystem::path> golden_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(tests::source_root() + "/tests/errors"))
    if (entry.path().extension() == ".golden") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

} // namespace

TEST_CASE("every error says where, what and what to do", "[errors]") {
  const bool rebase = std::getenv("BOARDWRIGHT_REBASE") != nullptr;
  const auto files = golden_files();
  REQUIRE(files.size() > 20);
  for (const auto& path : files) {
    DYNAMIC_SECTION(path.stem().string()) {
      const std::string golden = read(path);
      const std::size_t ruler = golden.find(kRuler);
      REQUIRE(ruler != std::string::npos);
      const std::string input = golden.substr(0, ruler);
      const auto loaded = interpreter::load_text("game.yaml", input);
      const std::string printed = loaded.errors();
      CHECK_FALSE(loaded);
      CHECK_FALSE(printed.empty());
      if (rebase)
        std::ofstream(path, std::ios::binary) << input << kRuler << printed;
      else
        CHECK(printed == golden.substr(ruler + std::string(kRuler).size()));
    }
  }
}
