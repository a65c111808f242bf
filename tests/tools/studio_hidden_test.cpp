// What the studio shows of games in which something is hidden: to each what is his to see, and nothing else.
#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "interpreter/look/look.hpp"
#include "runtime/search/worlds.hpp"
#include "tests/rule_files.hpp"
#include "tools/studio/game_view.hpp"
#include "tools/studio/studio.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace studio_hidden_test {

using namespace boardwright;

namespace {

using nlohmann::json;

json ask(tools::Studio& studio, const json& request) { return json::parse(studio.ask(request.dump())); }

std::string text_of(const std::string& name) {
  const auto found = dsl::bundled_finder()(name, "");
  REQUIRE(found);
  return found->text;
}

json load(tools::Studio& studio, const std::string& name, const std::vector<std::string>& moves,
          const json& viewer) {
  return ask(
      studio,
      {{"do", "load"}, {"name", name + ".yaml"}, {"text", text_of(name)}, {"moves", moves}, {"as", viewer}});
}

const json& cell_of(const json& view, const std::string& name) {
  const auto found = std::find_if(view["cells"].begin(), view["cells"].end(),
                                  [&](const json& cell) { return cell["name"] == name; });
  REQUIRE(found != view["cells"].end());
  return *found;
}

// A list of moves has no order that its player could know. A single move is none to choose: what was chosen
// at once is uncovered by one, and then it tells what comes of it.
json in_order(json view) {
  std::sort(view["moves"].begin(), view["moves"].end());
  if (view["moves"].size() == 1) view["moves"][0]["text"] = "";
  return view;
}

// Random games, and in each position what every player is shown in others that look the same to him. Answers
// in how many of them something else lay there.
int compare_views(const std::string& name, int positions) {
  constexpr std::size_t kWorlds = 3;
  const auto loaded = interpreter::load(name, {}, dsl::bundled_finder());
  REQUIRE(loaded);
  const auto look = interpreter::look_of(loaded);
  runtime::Random random(runtime::mix(11));
  int different = 0;
  for (int compared = 0; compared < positions;) {
    runtime::Game game(loaded.rules);
    for (int ply = 0; ply < 40 && compared < positions; ++ply) {
      const auto outcome = game.outcome();
      REQUIRE(outcome);
      if (*outcome) break;
      const int viewer = static_cast<int>(random.below(loaded.rules->program().players.size()));
      runtime::search::Worlds worlds(loaded.rules, kWorlds, static_cast<std::uint64_t>(compared + 1));
      REQUIRE(worlds.follow(game, viewer, [] { return false; }));
      ++compared;
      const json shown = in_order(tools::game_view(loaded, look, game, false, viewer));
      for (runtime::Game& world : worlds.games()) {
        const auto over = world.outcome();
        if (!worlds.agree() || !over || *over) continue;
        different += world.position().same_as(game.position()) ? 0 : 1;
        INFO(name << " after " << game.length() << " moves");
        CHECK(in_order(tools::game_view(loaded, look, world, false, viewer)) == shown);
      }
      const auto move = game.draw(random);
      REQUIRE((move && *move));
      REQUIRE(game.play(**move));
    }
  }
  return different;
}

} // namespace

TEST_CASE("games that look the same to somebody are shown to him alike") {
  for (const char* const name :
       {"darkhex", "phantom_tictactoe", "kuhn", "leduc", "liars_dice", "goofspiel", "battleship", "barrage",
        "darkchess", "banqi", "kriegspiel", "tsuro", "ghosts", "bullsandcows"}) {
    const int different = compare_views(name, tests::kSanitized ? 3 : 25);
    INFO(name);
    if (std::string(name) != "banqi") CHECK(different > 0);
  }
}

TEST_CASE("the board is that of who looks, and so are the moves") {
  tools::Studio studio;
  const json of_x = load(studio, "phantom_tictactoe", {"<b2>"}, 0)["view"];
  CHECK(of_x["closed"] == true);
  CHECK(cell_of(of_x, "b2")["holds"] == "X mark");
  CHECK(of_x["moves"].empty()); // it is the other's turn
  CHECK_FALSE(of_x.contains("position"));
  const json of_o = ask(studio, {{"do", "view"}, {"as", 1}});
  CHECK(cell_of(of_o, "b2")["kind"] == "unseen");
  CHECK(of_o["moves"].size() == 9);
  CHECK(of_o["svg"] != of_x["svg"]);
  const json all = ask(studio, {{"do", "view"}});
  CHECK(all["closed"] == false);
  CHECK(all.contains("position"));
}

TEST_CASE("before nobody there is no board, and whoever is none of the players is nobody") {
  tools::Studio studio;
  for (const json& viewer : {json(-1), json(2), json("X"), json(0.5), json(true)}) {
    const json view = load(studio, "phantom_tictactoe", {"<b2>"}, viewer)["view"];
    CHECK(view["closed"] == true);
    CHECK(view["svg"] == "");
    CHECK(view["cells"].empty());
    CHECK(view["moves"].empty());
  }
}

TEST_CASE("what would tell more is refused until the game is over") {
  tools::Studio studio;
  static_cast<void>(load(studio, "phantom_tictactoe", {"<b2>"}, 1));
  for (const char* const what : {"why", "after", "as_test"}) {
    INFO(what);
    const json answer = ask(studio, {{"do", what}, {"move", "b2"}, {"moves", {"<b2>"}}, {"as", 1}});
    CHECK(answer.value("error", "").find("when the game is over") != std::string::npos);
    CHECK_FALSE(ask(studio, {{"do", what}, {"move", "b2"}, {"moves", {"<b2>"}}}).contains("error"));
  }
  const json refused = ask(studio, {{"do", "play"}, {"move", "z9"}, {"as", 1}});
  CHECK(refused["error"] == "z9 is none of your moves");
  const json set_up = ask(studio, {{"do", "arrange"}, {"as", 1}});
  CHECK(set_up["position"]["cells"].empty()); // how it begins, not how it stands
  const std::vector<std::string> moves = {"<a1>", "<b1>", "<a2>", "<b2>", "<a3>"};
  const json over = load(studio, "phantom_tictactoe", moves, 1)["view"];
  CHECK(over["closed"] == false);
  CHECK(cell_of(over, "a1")["holds"] == "X mark");
  CHECK(ask(studio, {{"do", "why"}, {"move", "b3"}, {"as", 1}}).contains("text"));
}

TEST_CASE("what another player thinks isn't told, nor what nature may draw") {
  tools::Studio studio;
  static_cast<void>(load(studio, "kuhn", {"<(2)>", "<(3)>"}, 1));
  const json request = {{"do", "think"}, {"player", "mcts"}, {"seconds", 5}, {"nodes", 200}};
  json of_other = request, of_oneself = request;
  of_other["as"] = 1;
  of_oneself["as"] = 0;
  CHECK(ask(studio, of_other).size() == 1); // the move alone, which is to be played
  CHECK(ask(studio, of_oneself).contains("value"));
  const json drawing = load(studio, "kuhn", {"<(2)>"}, 1)["view"];
  CHECK(drawing["chance"] == true);
  CHECK(drawing["moves"].empty()); // they would tell which card the first player has
}

TEST_CASE("games that hide nothing are shown to everybody alike") {
  tools::Studio studio;
  const json view = load(studio, "breakthrough", {}, 1)["view"];
  CHECK(view["closed"] == false);
  CHECK(view == load(studio, "breakthrough", {}, nullptr)["view"]);
}

} // namespace studio_hidden_test
