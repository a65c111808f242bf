// A network of what lies where: followed, fitted, learnt by playing.
#include "runtime/search/network.hpp"

#include "interpreter/load.hpp"
#include "runtime/model/random.hpp"
#include "runtime/search/evaluation.hpp"
#include "runtime/search/network_fit.hpp"
#include "runtime/search/network_training.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace boardwright::runtime::search::network_test {
namespace {

std::shared_ptr<const Features> features_of(const std::string& name,
                                            const interpreter::Settings& settings = {}) {
  const auto loaded = interpreter::load(name, settings);
  if (!loaded) FAIL(loaded.errors());
  return std::make_shared<const Features>(loaded.rules);
}

std::shared_ptr<const Network> any_network(const NetworkInputs& inputs, std::uint64_t seed) {
  Random random(seed);
  const auto number = [&](int most) {
    return static_cast<int>(random.below(2 * static_cast<std::uint64_t>(most) + 1)) - most;
  };
  Network network;
  network.units = inputs.units();
  network.inputs = inputs.size();
  for (std::size_t k = 0; k < inputs.size() * static_cast<std::size_t>(inputs.units()); ++k)
    network.first.push_back(static_cast<std::int8_t>(number(40)));
  for (int u = 0; u < inputs.units(); ++u) {
    network.bias.push_back(static_cast<std::int16_t>(number(100)));
    network.own.push_back(static_cast<std::int16_t>(number(300)));
    network.other.push_back(static_cast<std::int16_t>(number(300)));
  }
  network.constant = number(200);
  return std::make_shared<const Network>(std::move(network));
}

Game mirrored_game(const Features& features, const Game& game, const Symmetry& symmetry) {
  const auto position = mirrored(features.rules().program(), game.position(), symmetry);
  REQUIRE(position);
  return Game(features.shared_rules(), *position);
}

} // namespace

TEST_CASE("a network's value is the same however a position was reached") {
  for (const char* name :
       {"chess", "breakthrough", "lasca", "intermedium", "crazyhouse", "tablut", "amazons"}) {
    INFO(name);
    const auto features = features_of(name);
    const NetworkInputs inputs(*features);
    REQUIRE(inputs.units() > 0);
    const Judgement judgement{{}, any_network(inputs, 5)};
    Evaluation followed(features, judgement);
    Game game(features->shared_rules());
    Random random(1);
    MoveCounts counts;
    counts.fill(-1);
    for (int ply = 0; ply < 40; ++ply) {
      ListLimits some;
      some.most_moves = 300;
      const auto moves = game.moves(some);
      REQUIRE(moves);
      if (moves->empty()) break;
      const int value = followed.of(game, game.to_move(), counts);
      Evaluation afresh(features, judgement);
      CHECK(afresh.of(game, game.to_move(), counts) == value);
      CHECK(afresh.of(game, 1 - game.to_move(), counts) != value);
      // What is read off the position all at once is what was followed.
      NetworkState state(std::make_shared<const NetworkInputs>(*features), judgement.network);
      for (const std::uint16_t thing : inputs.things_of(game)) state.add(thing, 1);
      Evaluation without(features, {});
      CHECK(without.of(game, game.to_move(), counts) + state.value(game.to_move()) == value);
      REQUIRE(game.play((*moves)[random.below(moves->size())]));
      if (ply % 5 == 4) game.undo(), game.undo();
    }
  }
}

TEST_CASE("players that symmetry makes the same look with the same weights") {
  for (const char* name : {"breakthrough", "crazyhouse", "lasca"}) {
    INFO(name);
    const auto features = features_of(name);
    const NetworkInputs inputs(*features);
    CHECK(inputs.size() == inputs.things());
    const Judgement judgement{{}, any_network(inputs, 2)};
    Game game(features->shared_rules());
    Random random(4);
    for (int ply = 0; ply < 20; ++ply) {
      const auto moves = game.moves();
      REQUIRE(moves);
      if (moves->empty()) break;
      REQUIRE(game.play((*moves)[random.below(moves->size())]));
    }
    const auto value_of = [&](const Game& one) {
      NetworkState state(std::make_shared<const NetworkInputs>(*features), judgement.network);
      for (const std::uint16_t thing : inputs.things_of(one)) state.add(thing, 1);
      return state.value(one.to_move());
    };
    const int value = value_of(game);
    CHECK(value != 0);
    // Which of the mirror images that change sides the players are matched by is the first one's choice.
    for (const Symmetry& symmetry : features->symmetries())
      if (symmetry.swaps) {
        const Game other = mirrored_game(*features, game, symmetry);
        CHECK(other.to_move() == 1 - game.to_move());
        CHECK(value_of(other) == value);
        break;
      }
  }
  // Where they are not alike, each has weights of his own.
  const auto tafl = features_of("tablut");
  const NetworkInputs inputs(*tafl);
  CHECK(inputs.size() == 2 * inputs.things());
}

TEST_CASE("games of too many pieces and cells, and of three players, have no network") {
  CHECK(NetworkInputs(*features_of("halma4")).units() == 0);
  CHECK(NetworkInputs(*features_of("chushogi")).units() == 0);
  const NetworkInputs small(*features_of("breakthrough")), large(*features_of("xiangqi"));
  CHECK(small.units() == 32);
  CHECK(small.size() * 32 <= NetworkInputs::kMostWeights);
  CHECK(large.units() == 16); // of twice as many units there would be too many weights
  CHECK(large.size() * 32 > NetworkInputs::kMostWeights);
  Network network = *any_network(small, 1);
  CHECK(network.fits(small));
  CHECK_FALSE(network.fits(large));
}

// Four kinds of each player, one of nobody's and the empty cell are ten sorts of things: on 500 cells as many
// inputs as there may be. A kind that both players may have in hand makes two more.
TEST_CASE("five thousand inputs have a network, and more have none") {
  const auto inputs_of = [](const std::string& hands) {
    const auto loaded = interpreter::load_text(
        "inputs.yaml", "game: Inputs\nplayers: { White: north, Black: south }\n"
                       "board: { squares: 20 by 25 }\n"
                       "pieces: { a: a A, b: b B, c: c C, d: d D, stone: neutral s }\n" +
                           hands +
                           "setup: { a: a1, b: b1, c: c1, d: d1, A: a25, B: b25, C: c25, D: d25 }\n"
                           "turn: from own, step(all, empty)\nend: [draw when ply = 30]\n");
    if (!loaded) FAIL(loaded.errors());
    return NetworkInputs(Features(loaded.rules));
  };
  const NetworkInputs most = inputs_of(""), more = inputs_of("hands: { a: 1 }\n");
  CHECK(most.size() == NetworkInputs::kMostInputs);
  CHECK(most.units() == 8);
  CHECK(more.size() == NetworkInputs::kMostInputs + 2);
  CHECK(more.units() == 0);
}

// Neither of two things alone tells anything, which no sum of weights can say.
TEST_CASE("a fit finds what two things mean together") {
  const auto features = features_of("breakthrough");
  const NetworkInputs inputs(*features);
  const std::uint16_t a = 70, b = 90; // two cells with a piece of the first player
  NetworkExamples examples;
  for (std::uint32_t k = 0; k < 4000; ++k) {
    NetworkExamples::One one;
    one.first = examples.things.size();
    one.kept_apart = k % 10 == 0;
    if ((k & 1U) != 0) examples.things.push_back(a);
    if ((k & 2U) != 0) examples.things.push_back(b);
    one.count = static_cast<std::uint16_t>(examples.things.size() - one.first);
    one.result = (k & 1U) == (k >> 1 & 1U) ? 1.0F : 0.0F;
    examples.all.push_back(one);
  }
  NetworkFitOptions options;
  options.passes = 60;
  const NetworkFit fit = fit_network(inputs, {}, examples, options);
  REQUIRE(fit.network);
  CHECK(fit.error_before > 0.69); // nothing is known without it
  CHECK(fit.error < 0.1);
  const auto value = [&](const std::vector<std::uint16_t>& things) {
    NetworkState state(std::make_shared<const NetworkInputs>(*features), fit.network);
    for (const std::uint16_t thing : things) state.add(thing, 1);
    return state.value(0);
  };
  CHECK(value({}) > Evaluation::kUnit);
  CHECK(value({a, b}) > Evaluation::kUnit);
  CHECK(value({a}) < -Evaluation::kUnit);
  CHECK(value({b}) < -Evaluation::kUnit);

  const std::atomic<bool> stop = true;
  options.stop = &stop;
  CHECK_FALSE(fit_network(inputs, {}, examples, options).network);
}

TEST_CASE("a network is learnt by playing, the same for the same seed") {
  const auto features = features_of("breakthrough", {{"columns", "4"}, {"rows", "5"}});
  NetworkTrainingOptions options;
  options.games = 160;
  options.rounds = 2;
  options.nodes = 20;
  options.match_nodes = 30;
  options.last_match_games = 4;
  std::vector<NetworkRound> rounds;
  const auto weights = features->first_weights();
  const auto one =
      train_network(features, weights, options, {}, [&](const NetworkRound& r) { rounds.push_back(r); });
  const auto other = train_network(features, weights, options);
  REQUIRE(one);
  REQUIRE(other);
  CHECK(one->games == 160);
  REQUIRE(rounds.size() == 2);
  CHECK(rounds[0].games == 80);
  CHECK(rounds[1].positions > rounds[0].positions);
  CHECK(rounds[1].error < rounds[1].error_before);
  CHECK(rounds[1].error == other->rounds[1].error);
  CHECK(one->last_match.wins == other->last_match.wins);
  CHECK(one->last_match.games() == 4);
  CHECK_FALSE(one->network); // four games say nothing

  // There may be as many positions as were learnt from; of one less the last game is one too many.
  options.last_match_games = 0;
  options.most_positions = rounds[1].positions;
  CHECK(train_network(features, weights, options)->games == 160);
  options.most_positions = rounds[0].positions;
  CHECK(train_network(features, weights, options)->games == 80);
  options.most_positions = rounds[0].positions + 1;
  CHECK(train_network(features, weights, options)->games == 81);

  const std::atomic<bool> stop = true;
  options.stop = &stop;
  const auto stopped = train_network(features, weights, options);
  REQUIRE(stopped);
  CHECK(stopped->stopped);
  CHECK(stopped->games == 0);
  CHECK_FALSE(train_network(features_of("halma4"), {}, {}));
}

} // namespace boardwright::runtime::search::network_test
