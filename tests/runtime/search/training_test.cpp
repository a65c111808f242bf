#include "runtime/search/training.hpp"

#include "interpreter/load.hpp"
#include "runtime/model/random.hpp"
#include "runtime/search/evaluation.hpp"
#include "runtime/search/symmetry.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace boardwright::runtime::search::training_test {
namespace {

std::shared_ptr<const Features> features_of(const std::string& name,
                                            const interpreter::Settings& settings = {}) {
  const auto loaded = interpreter::load(name, settings);
  if (!loaded) FAIL(loaded.errors());
  return std::make_shared<const Features>(loaded.rules);
}

double weight_of(const Features& features, const std::vector<double>& weights, const std::string& name) {
  const auto& names = features.names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) FAIL("no feature " << name);
  return weights[static_cast<std::size_t>(found - names.begin())];
}

std::size_t symmetries_of(const std::string& name) { return features_of(name)->symmetries().size(); }

} // namespace

TEST_CASE("some games say nothing surely, more of them do") {
  CHECK_FALSE(surely_stronger({}));
  CHECK_FALSE(enough({}));
  CHECK_FALSE(surely_stronger({3, 0, 1}));
  CHECK_FALSE(surely_stronger({19, 0, 0}));
  CHECK(surely_stronger({20, 0, 0}));
  CHECK_FALSE(enough({20, 0, 18}));
  CHECK(surely_stronger({40, 0, 15}));
  CHECK(enough({15, 0, 40}));
  CHECK_FALSE(surely_stronger({15, 0, 40}));
  CHECK_FALSE(surely_stronger({200, 0, 200}));
}

TEST_CASE("how much of a promise comes true, and never so little that nothing could be learnt") {
  const auto certainty = [](double log_odds, int won, int lost) {
    std::vector<Promise> promises(static_cast<std::size_t>(won), Promise{log_odds, 1});
    promises.insert(promises.end(), static_cast<std::size_t>(lost), Promise{log_odds, 0});
    return certainty_of(promises);
  };
  CHECK(certainty(2, 731, 269) == Approx(0.5).epsilon(0.01)); // odds of e to one
  CHECK(certainty(1, 600, 400) == Approx(0.405).epsilon(0.01));
  CHECK(certainty(1, 900, 100) == Approx(1));
  CHECK(certainty(1, 570, 430) > kLeastCertainty);
  CHECK(certainty(1, 560, 440) == Approx(kLeastCertainty).epsilon(1e-5));
  CHECK(certainty(1, 100, 900) == Approx(kLeastCertainty).epsilon(1e-5)); // the contrary comes
  CHECK(certainty_of({}) > 0);
}

TEST_CASE("symmetries are found without being told") {
  CHECK(symmetries_of("tictactoe") == 15); // eight of the board, with and without changing places, less one
  CHECK(symmetries_of("hex") == 3);        // half a turn; two reflections that change sides
  CHECK(symmetries_of("breakthrough") == 3);
  CHECK(symmetries_of("xiangqi") == 3);
  CHECK(symmetries_of("octi") == 3); // what pieces carry is turned along
  CHECK(symmetries_of("siam") == 15);
}

// What is followed from one position to the next is what is found when it is looked at afresh.
TEST_CASE("features are the same however a position was reached") {
  for (const char* name : {"chess", "breakthrough", "reversi", "gomoku", "lasca", "tempo", "eximo",
                           "crazyhouse", "tablut", "havannah", "halma4", "siam", "lielow", "duell"}) {
    INFO(name);
    const auto features = features_of(name);
    Random weigh(3);
    std::vector<double> weights;
    for (std::size_t k = 0; k < features->size(); ++k)
      weights.push_back(static_cast<double>(weigh.below(1024)) / Evaluation::kUnit); // whole numbers of units
    Evaluation followed(features, {weights, nullptr});
    FeatureCounter counter(*features);
    Game game(features->shared_rules());
    Random random(1);
    MoveCounts counts;
    counts.fill(-1);
    for (int ply = 0; ply < 60; ++ply) {
      const auto moves = game.moves();
      REQUIRE(moves);
      if (moves->empty()) break;
      counts[static_cast<std::size_t>(game.to_move())] = static_cast<int>(moves->size());
      const int value = followed.of(game, game.to_move(), counts);
      Evaluation afresh(features, {weights, nullptr});
      CHECK(afresh.of(game, game.to_move(), counts) == value);
      double sum = 0;
      const auto all = counter.features(game, game.to_move(), counts);
      for (std::size_t k = 0; k < all.size(); ++k) sum += weights[k] * static_cast<double>(all[k]);
      CHECK(std::abs(sum * Evaluation::kUnit - value) < 40); // logarithms and shares are rounded
      REQUIRE(game.play((*moves)[random.below(moves->size())]));
      if (ply % 5 == 4) game.undo(), game.undo();
    }
  }
}

TEST_CASE("pieces inside a stack are told by their cell, and moves are no feature where dice are rolled") {
  const auto begins = [](const std::string& what) {
    return [what](const std::string& name) { return name.find(what) != std::string::npos; };
  };
  const auto plain = features_of("breakthrough"), stacks = features_of("backgammon");
  const auto has = [&](const auto& features, const std::string& what) {
    return std::any_of(features->names().begin(), features->names().end(), begins(what));
  };
  CHECK_FALSE(has(plain, "inside/"));
  CHECK(has(plain, "moves"));
  CHECK_FALSE(has(stacks, "moves"));
  FeatureCounter counter(*stacks);
  MoveCounts unknown;
  unknown.fill(-1);
  const auto all = counter.features(Game(stacks->shared_rules()), 0, unknown);
  const auto of = [&](const std::string& name) {
    const auto found = std::find(stacks->names().begin(), stacks->names().end(), name);
    REQUIRE(found != stacks->names().end());
    return all[static_cast<std::size_t>(found - stacks->names().begin())];
  };
  CHECK(stacks->symmetries().size() == 1); // who counts the points from the other side
  CHECK(of("place/man/p6") == 0);          // both have five men there, as they count
  CHECK(of("inside/man/p6") == 0);
}

TEST_CASE("where dice are rolled nature draws, and what is learnt stands behind a move") {
  const auto loaded = interpreter::load_text("sixes.yaml", R"(
game: Sixes
players: [First, Second]
board: { squares: 2 by 1 }
pieces: { man: a b }
setup: { a: a1, b: b1 }
turn: roll n in 1 .. 6, if n = 6 then win else (choose m in 1 .. 2, say m)
)");
  REQUIRE(loaded);
  const auto shared = std::make_shared<const Features>(loaded.rules);
  const auto player = player_with(shared, {});
  for (const bool at_random : {false, true}) {
    SelfPlayOptions options;
    options.at_random = at_random;
    int plies = 0, studied = 0;
    for (std::uint64_t game = 0; game < 40; ++game) {
      const auto played = play_to_learn(*shared, *player, game, options, [&](const Studied& position) {
        ++studied;
        CHECK(position.game.is_chance());
        CHECK(position.moves[0] == -1);
      });
      REQUIRE(played);
      plies += played->plies;
    }
    CHECK(plies > 40 * 4); // eleven on average; whoever chose what is rolled would win by his first
    CHECK(studied > 40);
  }
}

TEST_CASE("what pieces carry is told by features, and a game without such values has none") {
  const auto is_of_value = [](const std::string& name) { return name.find("value/") != std::string::npos; };
  const auto plain = features_of("breakthrough");
  CHECK(std::none_of(plain->names().begin(), plain->names().end(), is_of_value));
  CHECK(plain->values().empty());
  const auto loaded = interpreter::load_text("hares.yaml", R"(
game: Hares
players: { White: north, Black: south }
board: { squares: 5 by 5 }
pieces: { hare: h a }
setup: { h: rank(1), a: rank(5) }
state:
  steps: { each piece: 0, range: 0..15 }
  far: { each piece: 0, range: 0..16 }
  faces: { each piece: north, some of: north | south }
turn: from own, step(forward, empty), set steps = steps + 1, set far = steps, set faces = north | south
end: [lose when no move]
)");
  REQUIRE(loaded);
  const auto features = std::make_shared<const Features>(loaded.rules);
  const auto& names = features->names();
  // Sixteen numbers have a feature each, seventeen are too many; a set of directions has one for each of
  // them.
  CHECK(std::count_if(names.begin(), names.end(), [](const auto& name) {
          return name.find("value/steps/hare/") != std::string::npos;
        }) >= 16);
  CHECK(std::none_of(names.begin(), names.end(),
                     [](const auto& name) { return name.find("value/far/") != std::string::npos; }));
  CHECK(std::any_of(names.begin(), names.end(),
                    [](const auto& name) { return name.ends_with("value/faces/hare/N"); }));

  FeatureCounter counter(*features);
  MoveCounts counts;
  counts.fill(-1);
  Game game(loaded.rules);
  const auto sum_of = [&](const std::string& end, int player) {
    double sum = 0;
    const auto all = counter.features(game, player, counts);
    for (std::size_t k = 0; k < all.size(); ++k)
      if (names[k].ends_with(end)) sum += static_cast<double>(all[k]);
    return sum;
  };
  CHECK(sum_of("value/steps/hare/1", 0) == 0);
  const auto move = game.find("a1-a2");
  REQUIRE((move && *move));
  REQUIRE(game.play(**move));
  CHECK(sum_of("value/steps/hare/1", 0) == 1);
  CHECK(sum_of("value/steps/hare/0", 0) == -1); // four of his against five
  game.undo();
  CHECK(sum_of("value/steps/hare/1", 0) == 0);
}

TEST_CASE("rows that the rules ask for are features, from two in line on") {
  const auto has_rows_of = [](int length) {
    const auto loaded = interpreter::load_text("rows.yaml", "game: Rows\n"
                                                            "players: [White, Black]\n"
                                                            "board: { squares: 12 by 12 }\n"
                                                            "pieces: { man: w b }\n"
                                                            "turn: place(man, empty)\n"
                                                            "end:\n"
                                                            "  - win when some line(" +
                                                                std::to_string(length) + ", own, axes)\n");
    if (!loaded) FAIL(loaded.errors());
    const auto names = Features(loaded.rules).names();
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return name.find("row/" + std::to_string(length)) != std::string::npos;
    });
  };
  CHECK(has_rows_of(2));
  CHECK(has_rows_of(8));
  CHECK_FALSE(has_rows_of(9)); // longer than what is looked at
}

// 24 by 24 cells have (24 - k x) (24 - k y) rows of k + 1 by steps of x files and y ranks.
TEST_CASE("rows are features up to so many of them") {
  constexpr std::size_t kMostRows = 20'000;
  const auto rows_of = [](int longest_by_leaps) {
    std::string rules = "game: Rows\n"
                        "players: [White, Black]\n"
                        "board: { squares: 24 by 24 }\n"
                        "pieces: { man: w b }\n"
                        "turn: place(man, empty)\n"
                        "end:\n";
    const auto ask = [&rules](int length, const char* steps) {
      rules += "  - win when some line(" + std::to_string(length) + ", own, " + steps + ")\n";
    };
    for (int length = 2; length <= 8; ++length) ask(length, "axes");
    for (int length = 2; length <= longest_by_leaps; ++length) ask(length, "leap(1, 2)");
    const auto loaded = interpreter::load_text("rows.yaml", rules);
    if (!loaded) FAIL(loaded.errors());
    return Features(loaded.rules).rows().size();
  };
  CHECK(rows_of(5) == 12'376 + 4 * (506 + 440 + 378 + 320));
  CHECK(rows_of(6) == kMostRows); // of 20,016
}

TEST_CASE("the players' sides of a position that mirrors itself are worth the same") {
  const auto features = features_of("breakthrough");
  Evaluation evaluation(features, {});
  MoveCounts counts;
  counts.fill(-1);
  const Game game(features->shared_rules());
  const int first = evaluation.of(game, 0, counts), second = evaluation.of(game, 1, counts);
  CHECK(first == -second); // it is somebody's turn
  CHECK(std::abs(first) < Evaluation::kUnit);
}

TEST_CASE("weights before anything is learnt rank pieces by their moves") {
  const auto features = features_of("chess");
  const auto weights = features->first_weights();
  const auto worth = [&](const char* kind) {
    return weight_of(*features, weights, std::string("piece/") + kind);
  };
  CHECK(worth("queen") > worth("rook"));
  CHECK(worth("rook") > worth("bishop"));
  CHECK(worth("bishop") > worth("knight"));
  CHECK(worth("knight") > 1.5 * worth("pawn"));
  CHECK(worth("pawn") > 0);
}

// Random games hardly ever promote a rook, and most of them never.
TEST_CASE("kinds that others become are known before there are any") {
  const auto features = features_of("shogi");
  const auto weights = features->first_weights();
  const auto worth = [&](const char* kind) {
    return weight_of(*features, weights, std::string("piece/") + kind);
  };
  CHECK(worth("dragon") > worth("rook"));
  CHECK(worth("tokin") > 1.5 * worth("pawn"));
}

TEST_CASE("training is the same for the same seed, and tells every round") {
  const auto features = features_of("breakthrough", {{"columns", "4"}, {"rows", "5"}});
  TrainingOptions options;
  options.games = 12;
  options.rounds = 2;
  options.nodes = 30;
  options.match_nodes = 30;
  options.match_games = 4;
  std::vector<Round> rounds;
  const auto one = train(features, options, {}, [&](const Round& round) { rounds.push_back(round); });
  const auto other = train(features, options);
  REQUIRE(one);
  REQUIRE(other);
  CHECK(one->weights == other->weights);
  CHECK(one->games == 12);
  REQUIRE(rounds.size() == 2);
  CHECK(rounds[0].games == 6);
  CHECK(rounds[1].positions > rounds[0].positions);
  CHECK(rounds[1].error < rounds[1].error_before);
  CHECK(rounds[1].untrained.games() == 4);
  options.seed = 2;
  const auto third = train(features, options);
  REQUIRE(third);
  CHECK(third->rounds.back().error != one->rounds.back().error);
}

TEST_CASE("training stops when it is told to, and refuses games of three and more") {
  const auto features = features_of("breakthrough");
  const std::atomic<bool> stop = true;
  TrainingOptions options;
  options.stop = &stop;
  const auto stopped = train(features, options);
  REQUIRE(stopped);
  CHECK(stopped->stopped);
  CHECK(stopped->games == 0);
  CHECK(stopped->weights == features->first_weights());
  CHECK_FALSE(train(features_of("halma4"), {}));
}

} // namespace boardwright::runtime::search::training_test
