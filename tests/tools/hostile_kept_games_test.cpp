// `play` begins, whatever lies in the folder of the games that were left unfinished.
#include "runtime/model/random.hpp"
#include "tests/rule_files.hpp"
#include "tests/tools/steps.hpp"
#include "tests/tools/terminal.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace hostile_kept_games_test {

using namespace boardwright;
using namespace boardwright::tests;

namespace {

std::string games_in(const std::string& state) { return state + "/boardwright/games"; }

std::string fresh_state(const std::string& name) {
  const std::string path = scratch().path("state_" + name);
  fs::remove_all(path);
  fs::create_directories(games_in(path));
  return path;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// A game that goes on is offered, or set aside, or passed over; then one is played all the same.
void check_begins(const std::string& state) {
  Terminal person({"play", steps()}, state);
  person.type("n\n"); // an answer where it is offered, and else no move
  person.type("quit\n");
  person.type("quit\n");
  CHECK(person.status() == 0);
}

std::string kept_game(const std::string& date) {
  return "[Game \"Steps\"]\n[Rules \"" + fs::weakly_canonical(steps()).string() + "\"]\n[Date \"" + date +
         "\"]\n[Player \"Black: person\"]\n[Player \"White: person\"]\n\n1. Black: c1-c2\n2. White: a4-a3\n";
}

} // namespace

TEST_CASE("a kept game whose date isn't text is offered as any other") {
  const std::string state = fresh_state("date");
  write(games_in(state) + "/odd.game", kept_game("2026\xa7"
                                                 "11"));
  Terminal person({"play", steps()}, state);
  CHECK(person.shows("a game of 2026?11 was left after 2 moves"));
  person.type("yes\n");
  CHECK(person.shows("Black> "));
  person.type("quit\n");
  CHECK(person.status() == 0);
}

TEST_CASE("kept games that are no games are passed over") {
  const std::string state = fresh_state("odd"), folder = games_in(state);
  const std::string good = kept_game("2026-11-11");
  write(folder + "/empty.game", "");
  write(folder + "/binary.game", std::string("\0\x01\xff\xfe[\x80", 6) + good);
  write(folder + "/cut.game", good.substr(0, good.size() / 2));
  write(folder + "/long.game", "[Date \"" + std::string(200'000, 'x') + "\"]\n" + good);
  write(folder + "/large.game", good + std::string(40'000'000, '\n'));
  write(folder + "/many.game", good + good);
  fs::create_directories(folder + "/folder.game");
  fs::create_symlink("nowhere", folder + "/link.game");
  fs::create_symlink("ring.game", folder + "/ring.game");
  write(folder + "/unreadable.game", good);
  fs::permissions(folder + "/unreadable.game", fs::perms::none);
  REQUIRE(mkfifo((folder + "/fifo.game").c_str(), 0600) == 0);
  check_begins(state);
}

TEST_CASE("kept games that were damaged do no harm") {
  const int cases = kSanitized ? 4 : 25;
  constexpr std::size_t kFilesAtOnce = 12; // more are seen by one start
  const std::string good = kept_game("2026-11-11");
  runtime::Random random(20'261'123);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random.below(n)); };
  const std::string state = fresh_state("damaged");
  for (int i = 0; i < cases; ++i) {
    for (std::size_t file = 0; file < kFilesAtOnce; ++file) {
      std::string text = good;
      for (std::size_t times = 1 + below(4); times > 0; --times) {
        const std::size_t at = below(text.size());
        switch (below(4)) {
        case 0: text[at] = static_cast<char>(random.next()); break;
        case 1: text.insert(at, 1 + below(3), static_cast<char>(random.next())); break;
        case 2: text.erase(at, 1 + below(5)); break;
        default: text.insert(at, text.substr(below(text.size()), below(60))); break;
        }
      }
      write(games_in(state) + "/" + std::to_string(file) + ".game", text);
    }
    INFO("case " << i);
    check_begins(state);
  }
}

} // namespace hostile_kept_games_test
