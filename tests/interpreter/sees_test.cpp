// `sees`, secret variables, `secretly`: what a player sees, reads and knows, and that who plays knows no
// more.
#include "interpreter/boardwright.hpp"
#include "interpreter/examine.hpp"
#include "runtime/game/game.hpp"
#include "runtime/search/equilibrium.hpp"
#include "runtime/search/expectation.hpp"
#include "runtime/search/make_player.hpp"
#include "runtime/search/worlds.hpp"
#include "runtime/sight/knowledge.hpp"
#include "tests/rule_files.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace boardwright;
using runtime::Game;

namespace {

interpreter::Loaded loaded_with(const std::string& rest) {
  return interpreter::load_text(
      "sees.yaml", "game: Seen\nplayers: { White: north, Black: south }\nboard: { squares: 3 by 3 }\n"
                   "pieces: { man: w b, king: W B }\n" +
                       rest + "\n");
}

Game game_with(const std::string& rest) {
  auto loaded = loaded_with(rest);
  INFO(loaded.errors());
  REQUIRE(loaded);
  return Game(loaded.rules);
}

void play_all(Game& game, const std::vector<std::string>& moves) {
  for (const std::string& text : moves) {
    INFO(text);
    const auto move = game.find(text);
    REQUIRE(move);
    REQUIRE(*move);
    REQUIRE(game.play(**move));
  }
}

std::string seen(const Game& game, int player) {
  const auto text = runtime::sight::observation(game, player);
  REQUIRE(text);
  return *text;
}

std::string known(const Game& game, int player) {
  const auto knowledge = runtime::sight::knowledge_of(game, player);
  REQUIRE(knowledge);
  return runtime::sight::text_of(*knowledge, game.rules().program());
}

// The bundled games that hide something; the small ones where sanitizers make all of it ten times as slow.
std::vector<std::string> hidden_games() {
  std::vector<std::string> games{"kuhn", "leduc", "liars_dice", "goofspiel", "phantom_tictactoe", "darkhex"};
  if (!tests::kSanitized)
    games.insert(games.end(),
                 {"darkchess", "barrage", "battleship", "kriegspiel", "tsuro", "ghosts", "bullsandcows"});
  return games;
}

const std::string kSets = "setup: { w: a1 | b1, W: c1, b: a3, B: c3 }\n";
// As `check` would have them.
const std::string kEven = "setup: { w: a1 | b1, W: c1, b: a3 | b3, B: c3 }\n";
const std::string kStep = "turn: from own, step(all, ~own)";

} // namespace

TEST_CASE("cells that a player doesn't see are dark to him, whoever is to move") {
  Game game = game_with(kSets + "sees: { cells: own | row(2) }\n" + kStep);
  CHECK(seen(game, 0) == "White to move; a1 w, b1 w, c1 W, a3 dark, b3 dark, c3 dark");
  CHECK(seen(game, 1) == "White to move; a1 dark, b1 dark, c1 dark, a3 b, b3 dark, c3 B");
  play_all(game, {"a1-a2"});
  CHECK(seen(game, 1) == "Black to move; a1 dark, b1 dark, c1 dark, a2 w, a3 b, b3 dark, c3 B");
}

TEST_CASE("kinds that a player doesn't see leave him the owner") {
  const Game game = game_with(kSets + "sees: { kinds: own | b1 }\n" + kStep);
  CHECK(seen(game, 1) == "White to move; a1 ?White, b1 w, c1 ?White, a3 b, c3 B");
  CHECK(seen(game, 0) == "White to move; a1 w, b1 w, c1 W, a3 ?Black, c3 ?Black");
}

TEST_CASE("hands and variables are seen by whom they are for") {
  const Game game = game_with(kSets +
                              "hands: { man: 2 }\nsees: { hands: own }\n"
                              "state: { card: { private: 3 }, seed: { hidden: 7 }, open: 1 }\n" +
                              kStep);
  CHECK(seen(game, 0).ends_with(
      "in hand: White man 2, Black man unknown; card(White) = 3, card(Black) unknown, "
      "seed unknown, open = 1"));
  CHECK(seen(game, 1).ends_with(
      "in hand: White man unknown, Black man 2; card(White) unknown, card(Black) = 3, "
      "seed unknown, open = 1"));
}

TEST_CASE("what the last roll weighed is nobody's: it may tell what another one rolled in secret") {
  const auto after = [](const std::string& second) {
    auto loaded = interpreter::load("leduc");
    REQUIRE(loaded);
    Game game(loaded.rules);
    play_all(game, {"<(3)>", second});
    return game;
  };
  const Game one = after("<(3)>"), other = after("<(1)>");
  REQUIRE(one.position().to_move == 0);
  CHECK(seen(one, 0) == seen(other, 0));
  CHECK(known(one, 0) == known(other, 0));
  CHECK(seen(one, 1) != seen(other, 1));
}

TEST_CASE("what pieces carry isn't seen where they aren't") {
  Game game = game_with(kSets + "sees: { kinds: own }\nstate: { moved: { each piece: false } }\n"
                                "turn: from own, step(all, ~own), set moved = true");
  play_all(game, {"a1-a2"});
  CHECK(seen(game, 0).ends_with("moved = true:a2"));
  CHECK(seen(game, 1).ends_with("moved = none"));
}

TEST_CASE("what pieces carry is told once, however many bits it takes") {
  const Game game =
      game_with(kSets + "sees: { kinds: own }\nstate: { near: { each piece: none, some of: all } }\n"
                        "turn: from own, step(all, ~own), set near = north");
  const std::string text = seen(game, 0);
  CHECK(text.find("near = ") == text.rfind("near = "));
  CHECK(text.find("near = ") != std::string::npos);
}

TEST_CASE("who moves reads what he does secretly, others that he does something") {
  Game game =
      game_with(kSets + "sees: { cells: own }\nturn: say \"go \", secretly (from own, step(all, ~own))");
  play_all(game, {"go <a1-a2>"});
  play_all(game, {"go c3-c2"}); // the signs may be left out
  const std::string white = known(game, 0), black = known(game, 1);
  CHECK(white.find("White: go a1-a2 | ") != std::string::npos);
  CHECK(white.find("Black: go ?") != std::string::npos);
  CHECK(black.find("White: go ?") != std::string::npos);
  CHECK(black.find("Black: go c3-c2 | ") != std::string::npos);
  CHECK(white.find("c2 B") == std::string::npos);
}

TEST_CASE("a roll within a secret is read by who draws; each ply has its own signs") {
  Game game = game_with(kSets + "state: { card: { private: 0 } }\n"
                                "turn: secretly (choose c in own, say c, roll n in 1 .. 2, set card = n)");
  const auto first = game.notations();
  REQUIRE(first);
  CHECK(*first == std::vector<std::string>{"<a1>", "<b1>", "<c1>"});
  play_all(game, {"<a1>"});
  CHECK(game.is_chance());
  const auto rolls = game.notations();
  REQUIRE(rolls);
  CHECK(*rolls == std::vector<std::string>{"<(1)>", "<(2)>"});
}

TEST_CASE("what a turn keeps of a secret roll is known to who rolled alone") {
  Game game = game_with(kSets + "turn: secretly (roll n in 2 .. 3), choose m in 1 .. n, say m");
  play_all(game, {"<(3)>"});
  CHECK(seen(game, 0).ends_with("n = 3"));
  CHECK(seen(game, 1).find("n = ") == std::string::npos);
}

TEST_CASE("a turn that is an `if` is nature's where its branch is") {
  Game game = game_with(kSets + "state: { card: { private: 0 } }\n"
                                "turn: if card = 0 then secretly (roll n in 1 .. 3, set card = n) else "
                                "(from own, step(all, ~own))");
  CHECK(game.is_chance());
  play_all(game, {"<(2)>"});
  CHECK(game.is_chance());
  play_all(game, {"<(2)>"});
  CHECK_FALSE(game.is_chance());
  CHECK(game.undo());
  CHECK(game.is_chance());
}

TEST_CASE("files without secrets write `<` as they please, others don't") {
  CHECK(loaded_with(kSets + "turn: from own, step(all, ~own), say \"<\""));
  const auto refused = loaded_with(kSets + "turn: secretly (from own, step(all, ~own)), say \"<\"");
  CHECK_FALSE(refused);
  CHECK(refused.errors().find("[sees]") != std::string::npos);
  CHECK(loaded_with(kSets + "sees: { hands: nobody }\n" + kStep).errors().find("expected `own`") !=
        std::string::npos);
}

TEST_CASE("worlds agree with all that was seen") {
  for (const std::string& name : hidden_games()) {
    INFO(name);
    const auto loaded = interpreter::load(name);
    REQUIRE(loaded);
    runtime::Random random(3);
    Game game(loaded.rules);
    constexpr int kPlies = 14;
    for (int ply = 0; ply < kPlies; ++ply) {
      const auto move = game.draw(random);
      REQUIRE(move);
      if (!*move) break;
      REQUIRE(game.play(**move));
      const auto outcome = game.outcome();
      REQUIRE(outcome);
      if (*outcome) break;
    }
    if (*game.outcome()) continue;
    for (int player = 0; player < 2; ++player) {
      runtime::search::Worlds worlds(loaded.rules, 4, 1);
      REQUIRE(worlds.follow(game, player, [] { return false; }));
      CHECK_FALSE(worlds.games().empty());
      for (const Game& world : worlds.games()) CHECK(seen(world, player) == seen(game, player));
    }
  }
}

// Two games that look the same to the player to move, in the second of which what he doesn't see is
// otherwise.
TEST_CASE("who thinks has the same thoughts in games that look the same to him") {
  int different = 0;
  for (const std::string& name : hidden_games()) {
    INFO(name);
    const auto loaded = interpreter::load(name);
    REQUIRE(loaded);
    runtime::Random random(5);
    Game game(loaded.rules);
    constexpr int kPlies = 9;
    for (int ply = 0; ply < kPlies || (ply < 2 * kPlies && game.is_chance()); ++ply) {
      const auto move = game.draw(random);
      REQUIRE(move);
      if (!*move) break;
      REQUIRE(game.play(**move));
    }
    if (*game.outcome() || game.is_chance()) continue;
    runtime::search::Worlds worlds(loaded.rules, 3, 1);
    REQUIRE(worlds.follow(game, game.to_move(), [] { return false; }));
    if (!worlds.agree()) continue;
    for (const char* const who : {"mcts:worlds=8", "level:2", "varied:3"}) {
      std::vector<std::string> moves;
      std::vector<double> values;
      for (const Game* const at :
           {static_cast<const Game*>(&game), static_cast<const Game*>(&worlds.games()[0])}) {
        auto player = runtime::search::make_player(who, loaded.rules);
        REQUIRE(player);
        runtime::search::ThinkLimits limits;
        limits.most_nodes = 60;
        const auto thought = (*player)->think(*at, limits);
        REQUIRE(thought);
        moves.push_back(thought->line.empty() ? "" : thought->line[0]);
        values.push_back(thought->value);
      }
      CHECK(moves[0] == moves[1]);
      CHECK(values[0] == values[1]);
    }
    different += game.position().same_as(worlds.games()[0].position()) ? 0 : 1;
  }
  CHECK(different > (tests::kSanitized ? 1 : 3));
}

TEST_CASE("Kuhn's and Leduc poker are worth what is published") {
  const auto worth = [](const char* name, double close_enough) {
    const auto loaded = interpreter::load(name);
    REQUIRE(loaded);
    runtime::search::EquilibriumOptions options;
    options.close_enough = close_enough;
    const auto found = runtime::search::find_equilibrium(Game(loaded.rules), options);
    REQUIRE(found);
    REQUIRE(found->complete);
    CHECK(found->exploitability <= close_enough);
    return found->value;
  };
  // In coins: a point is from -2 to 2 of them, and from -13 to 13.
  CHECK(4 * worth("kuhn", 1e-4) - 2 == Approx(-1.0 / 18).margin(0.001));
  if (!tests::kSanitized) CHECK(26 * worth("leduc", 4e-4) - 13 == Approx(-0.0856).margin(0.02));
}

TEST_CASE("a game whose lists tell more than is seen has no strategies") {
  const Game game = game_with("setup: { w: a1, b: a3 }\nstate: { bid: { private: 0 } }\n"
                              "turn: secretly (choose n in 1 .. enemy.bid + 2, say n, set bid = n)\n"
                              "end: [draw when ply >= 2]");
  const auto found = runtime::search::find_equilibrium(game, {});
  REQUIRE_FALSE(found);
  CHECK(found.error().message.find("tell him more than he sees") != std::string::npos);
}

TEST_CASE("`check` tells lists that leak, and secrets that hide nothing") {
  const auto codes = [](const std::string& rest) {
    auto loaded = loaded_with(rest);
    INFO(loaded.errors());
    REQUIRE(loaded);
    std::vector<std::string> found;
    const auto examined = interpreter::examine(loaded, {}, {});
    for (const auto& d : examined.findings.all()) found.emplace_back(d.code.name());
    return found;
  };
  const auto has = [](const std::vector<std::string>& all, const char* code) {
    return std::find(all.begin(), all.end(), code) != all.end();
  };
  const std::string end = "\nend: [lose when no own, draw when ply >= 60]";
  CHECK(has(codes(kEven + "sees: { cells: own }\nturn: secretly (from own, step(all, ~own))" + end), "leak"));
  CHECK_FALSE(has(
      codes(kEven + "sees:\n  cells: own | next(own, all)\nturn: secretly (from own, step(all, ~own))" + end),
      "leak"));
  CHECK(has(codes(kEven + "sees: { kinds: own | enemy }\n" + kStep + end), "nothing-hidden"));
}

TEST_CASE("the expectation of a game of dice is exact") {
  const auto worth = [](const interpreter::Settings& settings) {
    const auto loaded = interpreter::load("pig", settings);
    REQUIRE(loaded);
    runtime::search::ExpectationOptions options;
    options.most_positions = 60'000;
    const auto found = runtime::search::expectation_of(loaded.rules, Game(loaded.rules), options);
    REQUIRE(found);
    CHECK(found->value.high - found->value.low <= 1e-6);
    return found->value.low;
  };
  // By value iteration of an independent program.
  CHECK(worth({{"goal", "3"}}) == Approx(0.8372).margin(0.0001));
  CHECK(worth({{"goal", "10"}}) == Approx(0.7094).margin(0.0001));
}

namespace {

// The engine's answer in random games is the walker's.
void compare_sight(const std::shared_ptr<const runtime::Rules>& rules, int games, int plies) {
  const runtime::Program& program = rules->program();
  runtime::Random random(23);
  for (int i = 0; i < games; ++i) {
    Game game(rules);
    for (int ply = 0; ply < plies; ++ply) {
      for (int player = 0; player < program.player_count(); ++player) {
        const auto by_engine = runtime::sight::seen_by(*rules, game.position(), player);
        const auto by_walker = runtime::sight::seen_by(program, game.position(), player);
        REQUIRE(by_engine.has_value() == by_walker.has_value());
        if (by_walker)
          REQUIRE(*by_engine == *by_walker);
        else
          REQUIRE(by_engine.error().message == by_walker.error().message);
      }
      const auto outcome = game.outcome();
      if (!outcome || *outcome) break;
      const auto move = game.draw(random);
      if (!move || !*move || !game.play(**move)) break;
    }
  }
}

} // namespace

TEST_CASE("what is seen is what the walker says") {
  for (const std::string& name : hidden_games()) {
    INFO(name);
    const auto loaded = interpreter::load(name);
    REQUIRE(loaded);
    const auto& sight = loaded.rules->program().sight;
    const bool looks = sight && !(sight->cells.empty() && sight->kinds.empty());
    CHECK((loaded.rules->for_looking() != nullptr) == looks);
    compare_sight(loaded.rules, 2, 40);
  }
  const std::vector<std::string> files = {
      // cells and kinds; a board that is numbered anew; nothing seen; what depends on who looks and on state
      kSets + "sees: { cells: own | row(2), kinds: \"own | next(own, all)\" }\n" + kStep,
      kSets + "sees: { cells: empty & enemy }\n" + kStep,
      kSets + "sees: { kinds: \"reach(own, (go all, at empty)*) | next(own & king, all)\" }\n" + kStep,
      kSets +
          "state: { far: 1 }\nsees: { cells: \"(c in board where count(next(c, all) & own) >= far)\" }\n" +
          kStep + ", set far = 3 - far",
      // a rule that goes wrong for whoever has no king
      kSets + "sees: { cells: own | (c in board where x(c) = 3 / (count(own & king))) }\n" + kStep,
  };
  for (const std::string& file : files) {
    auto loaded = loaded_with(file);
    INFO(file << loaded.errors());
    REQUIRE(loaded);
    compare_sight(loaded.rules, 6, 30);
  }
}
