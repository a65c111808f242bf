#include "runtime/search/pruning.hpp"

#include "runtime/model/random.hpp"
#include "runtime/search/alpha_beta.hpp"
#include "tests/rule_files.hpp"
#include "tests/runtime/search/searching.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <string>

namespace boardwright::runtime::search::pruning_test {

namespace {

// About normal, with this deviation.
double drawn(Random& random, double deviation) {
  double sum = -6;
  for (int k = 0; k < 12; ++k) sum += static_cast<double>(random.below(1'000'000)) / 1e6;
  return sum * deviation;
}

// The margin after so many positions of a game where what a position is worth lies around how it stands.
int margin_after(int positions, double deviation, double risk) {
  Random random(7);
  Margin margin(1000, risk);
  for (int k = 0; k < positions; ++k) {
    const int beyond = static_cast<int>(random.below(static_cast<std::uint64_t>(4 * deviation)));
    if (margin.ask(beyond) != Margin::Verdict::doubtful) continue;
    margin.tell(beyond + drawn(random, deviation) >= 0);
  }
  return margin.value();
}

} // namespace

TEST_CASE("a margin finds the scale of the game, wherever it begins") {
  for (const double deviation : {100.0, 1000.0, 20'000.0}) {
    INFO(deviation);
    const double margin = margin_after(400'000, deviation, 1.0 / 16);
    CHECK(margin > 0.8 * deviation); // one in sixteen is worse than 1.5 deviations below
    CHECK(margin < 2.2 * deviation);
    CHECK(margin_after(400'000, deviation, 1.0 / 64) > margin);
  }
}

TEST_CASE("a margin stays between its limits") {
  Margin grows(1000, 0.1), shrinks(1000, 0.1);
  for (int k = 0; k < 100'000; ++k) grows.tell(false), shrinks.tell(true);
  CHECK(grows.value() == 1 << 20);
  CHECK(shrinks.value() == 16);
}

TEST_CASE("margins begin at a piece's scale, and are wider where more is left to look at") {
  const Margins margins = margins_of(1000, 0.1);
  for (std::size_t depth = 2; depth < margins.size(); ++depth)
    CHECK(margins[depth].value() > margins[depth - 1].value());
  CHECK(margins_of(3000, 0.1)[1].value() == 3 * margins[1].value());
}

TEST_CASE("late moves and deep searches are reduced more") {
  for (int depth = 3; depth < 100; ++depth)
    for (std::size_t number = 2; number < 200; ++number) {
      CHECK(reduction_by(depth, number + 1) >= reduction_by(depth, number));
      CHECK(reduction_by(depth + 1, number) >= reduction_by(depth, number));
    }
}

TEST_CASE("what mostly holds is relied on, as soon as it has held often enough") {
  Reliance reliance(1.0 / 16);
  CHECK_FALSE(reliance.is_relied_on());
  for (int k = 0; k < 7; ++k) reliance.tell(true);
  CHECK_FALSE(reliance.is_relied_on());
  reliance.tell(true);
  CHECK(reliance.is_relied_on());
  reliance.tell(false);
  CHECK_FALSE(reliance.is_relied_on());
}

TEST_CASE("what holds too rarely isn't relied on, but tried again") {
  Reliance often(1.0 / 16), rarely(1.0 / 16);
  for (int k = 0; k < 10'000; ++k) often.tell(k % 32 != 0), rarely.tell(k % 8 != 0);
  CHECK(often.is_relied_on());
  CHECK_FALSE(rarely.is_relied_on());
  const auto share = [](auto&& asked) {
    int yes = 0;
    for (int k = 0; k < 1600; ++k) yes += asked() ? 1 : 0;
    return yes;
  };
  CHECK(share([&] { return often.is_tried(); }) == 1600);
  CHECK(share([&] { return often.is_looked_into(); }) == 100);
  CHECK(share([&] { return rarely.is_tried(); }) == 400);
  CHECK(share([&] { return rarely.is_looked_into(); }) == 1600);
}

TEST_CASE("techniques are switched off by their names") {
  Techniques techniques;
  CHECK(techniques.has(Technique::futility));
  CHECK(techniques.switch_off("futility+late"));
  CHECK_FALSE(techniques.has(Technique::futility));
  CHECK_FALSE(techniques.has(Technique::late));
  CHECK(techniques.has(Technique::reverse));
  CHECK_FALSE(techniques.switch_off("nonsense"));
}

// What is left out proves nothing: where the whole game is seen the result is the same without it.
TEST_CASE("nothing that is left out proves") {
  for (const char* name : {"tictactoe", "breakthrough", "dobutsu"}) {
    INFO(name);
    const auto rules = rules_of(name);
    AlphaBetaOptions plain;
    for (const std::string_view technique : kTechniques) REQUIRE(plain.techniques.switch_off(technique));
    Random random(3);
    int proven = 0;
    for (int game_number = 0; game_number < (tests::kSanitized ? 3 : 12); ++game_number) {
      Game game(rules);
      for (int ply = 0; ply < 60; ++ply) {
        const auto moves = game.moves();
        REQUIRE(moves);
        if (moves->empty()) break;
        if (ply % 6 == 5) {
          const auto with = make_alpha_beta(rules)->think(game, nodes(3000));
          const auto without = make_alpha_beta(rules, plain)->think(game, nodes(30'000));
          REQUIRE(with);
          REQUIRE(without);
          if (with->proof != Proof::unknown && without->proof != Proof::unknown) {
            ++proven;
            CHECK(with->proof == without->proof);
          }
        }
        REQUIRE(game.play((*moves)[random.below(moves->size())]));
      }
    }
    CHECK(proven > 0);
  }
}

} // namespace boardwright::runtime::search::pruning_test
