// Positions of the five games that are won whatever the other side does: `forced_wins/GAME.json` has what
// `boardwright solve` proved of positions from the ends of games, in how many moves, and the first of them.
#include "interpreter/notation/position_text.hpp"
#include "runtime/search/make_player.hpp"
#include "tests/paths.hpp"
#include "tests/runtime/search/searching.hpp"
#include "tests/text_files.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace boardwright::runtime::search::forced_wins_test {

namespace {

// Under the sanitizers all of them take minutes, and find nothing that these don't.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kTried = 3;
#else
constexpr std::size_t kTried = 10;
#endif

} // namespace

TEST_CASE("forced wins are found") {
  for (const char* name : {"antigrid", "eximo", "intermedium", "scalus", "tempo"}) {
    const auto rules = rules_of(name);
    const auto wins = nlohmann::json::parse(
        tests::read_file(tests::source_root() + "/tests/forced_wins/" + name + ".json"));
    REQUIRE(wins.size() == 10);
    for (std::size_t k = 0; k < kTried; ++k) {
      const auto& win = wins[k];
      INFO(name << ": " << win.dump());
      const auto read = interpreter::read_position(rules, "position", win["position"].dump());
      REQUIRE(read.game);
      const auto player = make_player("auto", rules);
      REQUIRE(player);
      const auto thought = (*player)->think(*read.game, nodes(300'000));
      REQUIRE(thought);
      CHECK(thought->proof == Proof::win);
    }
  }
}

} // namespace boardwright::runtime::search::forced_wins_test
