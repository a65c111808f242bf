#include "dsl/finder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace finder_test {

using namespace boardwright::dsl;
namespace fs = std::filesystem;

namespace {

// A folder of its own for each test, gone afterwards.
class Folder {
public:
  Folder() : path_(fs::temp_directory_path() / ("boardwright-finder-" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    const fs::path file = path_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

private:
  fs::path path_;
};

// Sets BOARDWRIGHT_PATH for one test.
class SearchPath {
public:
  explicit SearchPath(const std::string& value) {
    if (const char* old = std::getenv("BOARDWRIGHT_PATH")) old_ = old;
    ::setenv("BOARDWRIGHT_PATH", value.c_str(), 1);
  }
  ~SearchPath() {
    old_.empty() ? ::unsetenv("BOARDWRIGHT_PATH") : ::setenv("BOARDWRIGHT_PATH", old_.c_str(), 1);
  }
  SearchPath(const SearchPath&) = delete;
  SearchPath& operator=(const SearchPath&) = delete;

private:
  std::string old_;
};

std::string text_of(const FileFinder& find, const std::string& reference, const std::string& beside = "") {
  const auto found = find(reference, beside);
  return found ? found->text : "(none)";
}

} // namespace

TEST_CASE("a path is found with and without its extension") {
  const Folder folder;
  const auto file = folder.write("one.yaml", "1");
  const auto find = standard_finder();
  CHECK(text_of(find, file) == "1");
  CHECK(text_of(find, folder.path("one")) == "1");
  CHECK(find(file, "")->name == file);
  CHECK(text_of(find, folder.path("two")) == "(none)");
  CHECK(text_of(find, "one") == "(none)"); // a name is no path
}

TEST_CASE("folders, devices and large files are not read") {
  const Folder folder;
  const auto find = standard_finder();
  fs::create_directories(folder.path("folder.yaml"));
  CHECK(text_of(find, folder.path("folder.yaml")) == "(none)");
  CHECK(text_of(find, "/dev/zero") == "(none)");
  CHECK(text_of(find, folder.write("fits.yaml", std::string(kMaxFileBytes, 'a'))).size() == kMaxFileBytes);
  CHECK(text_of(find, folder.write("large.yaml", std::string(kMaxFileBytes + 1, 'a'))) == "(none)");
  CHECK(text_of(find, "") == "(none)");
  CHECK(text_of(find, std::string("a\0b.yaml", 8)) == "(none)");
  CHECK(text_of(find, std::string(100'000, 'x') + "/y") == "(none)");
}

TEST_CASE("what a file refers to is looked for beside it first") {
  const Folder folder;
  const auto find = standard_finder();
  const auto asking = folder.write("games/child.yaml", "child");
  folder.write("games/parent.yaml", "parent");
  folder.write("games/sub/deep.yaml", "deep");
  folder.write("far.yaml", "far");
  CHECK(text_of(find, "parent", asking) == "parent");
  CHECK(text_of(find, "sub/deep", asking) == "deep");
  CHECK(text_of(find, "../far.yaml", asking) == "far");
  CHECK(find("../far", asking)->name == folder.path("far.yaml"));
  CHECK(text_of(find, "far", asking) == "(none)");
  folder.write("games/std.yaml", "mine");
  CHECK(text_of(find, "std", asking) == "mine");
  CHECK(text_of(find, "std") != "mine");
}

TEST_CASE("no file finds itself, so that it may extend one of its own name") {
  const Folder folder;
  const auto asking = folder.write("std.yaml", "mine");
  CHECK(text_of(standard_finder(), "std", asking) == text_of(standard_finder(), "std"));
  const SearchPath path(folder.path(""));
  CHECK(text_of(standard_finder(), "std", asking) != "mine");
}

TEST_CASE("the folders of BOARDWRIGHT_PATH come before the bundled files") {
  const Folder folder;
  folder.write("a/one.yaml", "game: a");
  folder.write("b/one.yaml", "game: b");
  folder.write("b/two.yaml", "# two\nextends: one\n");
  folder.write("b/words.yaml", "define:\n  a: 1\n");
  folder.write("b/std.yaml", "mine");
  const SearchPath path(folder.path("a") + "::" + folder.path("missing") + ":" + folder.path("b") + ":");
  const auto find = standard_finder();
  CHECK(text_of(find, "one") == "game: a");
  CHECK(text_of(find, "two") == "# two\nextends: one\n");
  CHECK(text_of(find, "std") == "mine");
  CHECK(text_of(find, "../a/one") == "(none)"); // a path, and that is from the working folder
  const auto games = known_games();
  CHECK(std::is_sorted(games.begin(), games.end()));
  CHECK(std::count(games.begin(), games.end(), "one") == 1);
  CHECK(std::count(games.begin(), games.end(), "two") == 1);
  CHECK(std::count(games.begin(), games.end(), "words") == 0); // a vocabulary is no game
  CHECK(std::count(games.begin(), games.end(), "std") == 0);
}

TEST_CASE("bundled files are found by name, and beside one another") {
  const auto find = standard_finder();
  const auto standard = find("std", "");
  REQUIRE(standard);
  CHECK(standard->name == "<bundled>/std.yaml");
  CHECK(standard->text.find("define:") != std::string::npos);
  const auto games = known_games();
  REQUIRE_FALSE(games.empty());
  CHECK(find(games.front(), standard->name));
  CHECK_FALSE(find("/etc/hostname", standard->name));
}

TEST_CASE("a finder of bundled files alone, and the games on the path alone") {
  const Folder folder;
  folder.write("hex.yaml", "game: mine");
  folder.write("words.yaml", "define:\n  a: 1\n");
  const SearchPath path(folder.path(""));
  CHECK(text_of(standard_finder(), "hex") == "game: mine");
  CHECK(text_of(bundled_finder(), "hex") != "game: mine");
  CHECK(games_on_path() == std::vector<std::string>{"hex"});
  CHECK(is_game("extends: hex\n"));
  CHECK_FALSE(is_game("about: a game: no\ndefine:\n"));
}

TEST_CASE("a given text is found before all else, under its own name alone") {
  const auto find = finder_with("std", "given");
  CHECK(text_of(find, "std") == "given");
  CHECK(text_of(find, "std", "std") != "given"); // it extends the bundled one
  CHECK(text_of(find, known_games().front()) != "given");
}

} // namespace finder_test
