// Inputs and outputs that are no ordinary files: folders, FIFOs, links that lead nowhere, a full disk, closed
// streams.
#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <sys/stat.h>
#include <vector>

namespace odd_files_test {

using namespace boardwright::tests;

namespace {

const std::string kRules =
    "game: Steps\nplayers: { Black: north, White: south }\nboard: { squares: 3 by 3 }\n"
    "pieces: { man: b w }\nsetup: { b: a1, w: c3 }\nturn: from own, step(forward, empty)\n"
    "end:\n  - lose when no move\n";

// A folder with one of each, and the name of the game in it.
const std::string& odd() {
  static const std::string folder = [] {
    const std::string path = scratch().path("odd");
    fs::create_directories(path + "/folder.yaml");
    fs::create_directories(path + "/folder");
    REQUIRE(mkfifo((path + "/pipe.yaml").c_str(), 0600) == 0);
    REQUIRE(mkfifo((path + "/pipe").c_str(), 0600) == 0);
    fs::create_symlink("loop.yaml", path + "/loop.yaml");
    fs::create_symlink("loop", path + "/loop");
    fs::create_symlink("nothing", path + "/dangling.yaml");
    fs::create_symlink("pipe.yaml", path + "/to_pipe.yaml");
    std::ofstream(path + "/steps.yaml") << kRules;
    std::ofstream(path + "/notes.txt") << "nothing\n";
    return path;
  }();
  return folder;
}

// Runs in that folder; what waits for ever is ended after a minute, and fails.
Run in_odd(const std::string& arguments) {
  const std::string script = scratch().file("in_odd.sh", "cd '" + odd() + "'; exec timeout 60 '" +
                                                             program_path() + "' " + arguments);
  return shell("sh " + script);
}

} // namespace

TEST_CASE("what is no regular file is told as what it is, however it is named") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"folder.yaml", "can't read `folder.yaml`: it is a folder"},
      {"./folder.yaml", "can't read `./folder.yaml`: it is a folder"},
      {"pipe.yaml", "can't read `pipe.yaml`: it is a FIFO"},
      {"./pipe.yaml", "can't read `./pipe.yaml`: it is a FIFO"},
      {"to_pipe.yaml", "can't read `to_pipe.yaml`: it is a FIFO"},
      {"loop.yaml", "can't read `loop.yaml`: it is a link that leads in a ring"},
      {"./loop.yaml", "can't read `./loop.yaml`: it is a link that leads in a ring"},
      {"dangling.yaml", "can't read `dangling.yaml`: it is a link that leads nowhere"},
      {"./dangling", "can't read `./dangling.yaml`: it is a link that leads nowhere"},
      {"folder", "there is no rule file or game named `folder`; `./folder` is a folder"},
      {"./folder", "can't read `./folder`: it is a folder"},
      {"pipe", "there is no rule file or game named `pipe`; `./pipe` is a FIFO"},
      {"./pipe", "can't read `./pipe`: it is a FIFO"},
      {"loop", "there is no rule file or game named `loop`; `./loop` is a link that leads in a ring"},
      {"./loop", "can't read `./loop`: it is a link that leads in a ring"},
      {"notes.txt",
       "there is no rule file or game named `notes.txt`; the file of this name is `./notes.txt`"},
      {".", "can't read `.`: it is a folder"},
      {"..", "can't read `..`: it is a folder"},
      {"/dev/null", "can't read `/dev/null`: it is a device"},
      {"nothing.yaml", "can't read `nothing.yaml`: No such file or directory"}};
  for (const auto& [name, message] : cases)
    for (const char* command : {"check", "play", "moves"}) {
      INFO(command << " " << name);
      const Run result = in_odd(std::string(command) + " " + name + " < /dev/null");
      CHECK(result.status == 3);
      CHECK(result.err == "error: " + message + "\n");
    }
}

TEST_CASE("a position is read from what can be read") {
  for (const auto& [name, what] :
       std::vector<std::pair<std::string, std::string>>{{"folder", "a folder"},
                                                        {"./pipe", "a FIFO"},
                                                        {"pipe", "a FIFO"},
                                                        {"loop", "a link that leads in a ring"},
                                                        {"dangling.yaml", "a link that leads nowhere"}}) {
    INFO(name);
    const Run result = in_odd("play steps.yaml --position " + name + " < /dev/null");
    CHECK(result.status == 3);
    CHECK(result.err == "error: can't read `" + name + "`: it is " + what + "\n");
  }
  CHECK(shell("echo 'play: a1-a2' | '" + program_path() + "' moves " + odd() +
              "/steps.yaml --position /dev/stdin")
            .status == 0);
}

TEST_CASE("migrate says what it can't read") {
  const Run result = in_odd("migrate --check folder pipe.yaml loop.yaml");
  CHECK(result.status == 3);
  CHECK(result.err == "error: can't read `folder`: it is a folder\n"
                      "error: can't read `pipe.yaml`: it is a FIFO\n"
                      "error: can't read `loop.yaml`: it is a link that leads in a ring\n");
}

TEST_CASE("play reads its moves from what can be read") {
  const Run folder = in_odd("play steps.yaml < folder");
  CHECK(folder.status == 3);
  CHECK(folder.err == "error: can't read standard input: it is a folder\n");
  const Run closed = in_odd("play steps.yaml <&-");
  CHECK(closed.status == 3);
  CHECK(closed.err == "error: can't read standard input: Bad file descriptor\n");
  CHECK(in_odd("play steps.yaml < /dev/null").status == 0); // an end is no failure
}

TEST_CASE("a full disk and a closed output are told") {
  if (!fs::exists("/dev/full")) return; // Linux has it
  std::ofstream(odd() + "/moves.txt") << "a1-a2\nc3-c2\na2-a3\n";
  for (const char* command :
       {"play steps.yaml < moves.txt", "play steps.yaml < /dev/null", "play steps.yaml --random all",
        "moves steps.yaml", "check steps.yaml --no-games", "check steps.yaml --no-games --format junit",
        "check steps.yaml --no-games --format line", "explain", "new --like list", "show steps.yaml",
        "playouts steps.yaml --count 5"}) {
    INFO(command);
    const Run full = in_odd(std::string(command) + " > /dev/full");
    const bool says_nothing =
        std::string(command) == "check steps.yaml --no-games --format line"; // it has no finding
    CHECK(full.status == (says_nothing ? 0 : 3));
    if (!says_nothing) CHECK(full.err == "error: can't write to standard output: No space left on device\n");
    const Run closed = in_odd(std::string(command) + " >&-");
    CHECK(closed.status == (says_nothing ? 0 : 3));
    if (!says_nothing) CHECK(closed.err == "error: can't write to standard output: Bad file descriptor\n");
  }
}

} // namespace odd_files_test
