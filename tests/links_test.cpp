// Links of the repository's pages lead somewhere.
#include "tests/pages/page.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace links_test {

using namespace boardwright;

namespace {

namespace fs = std::filesystem;

// The pages of the repository's own folders: "dsl/README.md".
std::vector<std::string> pages() {
  const fs::path root = tests::source_root();
  std::vector<std::string> found{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"};
  for (const char* folder : {"dsl", "game-defs", "interpreter", "runtime", "tests", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".md") found.push_back(fs::relative(entry.path(), root).string());
  return found;
}

} // namespace

TEST_CASE("links of all pages lead somewhere") {
  CHECK(pages().size() > 8);
  for (const auto& page : pages()) tests::check_links(page);
}

} // namespace links_test
