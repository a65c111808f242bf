// What a search says, and how often it comes true.
#include "runtime/search/calibration.hpp"

#include "runtime/search/make_player.hpp"
#include "tests/runtime/search/searching.hpp"

#include <catch2/catch.hpp>

namespace calibration_test {

using namespace boardwright::runtime::search;

namespace {

// So many games in which a search said this of the first player, who won so many of them.
std::vector<SaidInGame> said(double value, int games, int won) {
  std::vector<SaidInGame> all;
  for (int k = 0; k < games; ++k) all.push_back({{value, value, value}, k < won ? 1.0 : 0.0});
  return all;
}

} // namespace

TEST_CASE("calibration: nothing but a proof is certain") {
  const Calibration usual;
  for (const double value : {0.0, 1e-9, 0.001, 0.5, 0.999, 1.0})
    for (const int players : {2, 3, 4})
      for (const int player : {0, 1}) {
        CHECK(usual.chance(value, player, players) <= kMostCertain);
        CHECK(usual.chance(value, player, players) >= 1 - kMostCertain);
      }
  CHECK(usual.chance(0.5, 0) == Approx(0.5));
  CHECK(usual.chance(1.0 / 3, 0, 3) == Approx(1.0 / 3));
  CHECK(usual.chance(0.8, 0) < 0.8);
  CHECK(usual.chance(0.8, 0) > usual.chance(0.7, 0));
  CHECK(usual.chance(0.8, 0) == Approx(1 - usual.chance(0.2, 1)));
}

TEST_CASE("calibration: what games show goes before what is usual") {
  CHECK(fit_calibration({}).offset == 0);
  CHECK(fit_calibration({}).scale == Approx(Calibration{}.scale));
  // 99.9 % of whoever has more pieces, in a game of which the other wins half.
  const Calibration even = fit_calibration(said(0.999, 16, 8));
  CHECK(even.games == 16);
  CHECK(even.chance(0.999, 0) == Approx(0.5).margin(0.1));
  CHECK(even.chance(0.001, 1) == Approx(0.5).margin(0.1));
  // 60 % that always comes true, 90 % that comes true in nine games of ten.
  CHECK(fit_calibration(said(0.6, 40, 40)).chance(0.6, 0) > 0.85);
  std::vector<SaidInGame> true_words = said(0.9, 40, 36), others = said(0.1, 40, 4);
  true_words.insert(true_words.end(), others.begin(), others.end());
  CHECK(fit_calibration(true_words).chance(0.9, 0) == Approx(0.9).margin(0.03));
  // Two games are too few to turn it round.
  CHECK(fit_calibration(said(0.8, 2, 0)).chance(0.8, 0) > 0.2);
}

TEST_CASE("calibration: what is proven stays so") {
  Thought thought;
  thought.value = 1;
  thought.proof = Proof::win;
  thought.candidates = {{{}, 1, 0, Proof::win}, {{}, 0.999, 0, Proof::unknown}};
  calibrate(thought, {}, 0, 2);
  CHECK(thought.value == 1);
  CHECK(thought.candidates[0].value == 1);
  CHECK(thought.candidates[1].value <= kMostCertain);
}

TEST_CASE("calibration: learnt by playing, the same for a seed, within its limits") {
  const auto rules = rules_of("breakthrough", {{"columns", "4"}, {"rows", "5"}});
  const auto learnt = [&](std::uint64_t nodes) {
    const auto player = make_player("alphabeta", rules);
    REQUIRE(player);
    CalibrationLimits limits;
    limits.most_nodes = nodes;
    return learn_calibration(rules, **player, limits);
  };
  const Calibration one = learnt(20'000), two = learnt(20'000);
  CHECK(one.games > 2);
  CHECK(one.scale == two.scale);
  CHECK(one.offset == two.offset);
  CHECK(learnt(0).games == 0);
  CHECK(learnt(1).games == 0);
}

} // namespace calibration_test
