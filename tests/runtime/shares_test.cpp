// What each player has of a game that is over.
#include "runtime/model/shares.hpp"

#include "interpreter/load.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace shares_test {

using namespace boardwright;
using namespace boardwright::runtime;

namespace {

Result parts(int first, int second, int third = 0) {
  return static_cast<Result>(first) | static_cast<Result>(second) << 8 | static_cast<Result>(third) << 16;
}

std::string with_shares(const std::string& shares) {
  return "game: Shares\nplayers: [White, Black]\nboard: { squares: 3 by 3 }\npieces: { man: w b }\n"
         "setup: { w: a1, b: c3 }\nturn: pass\nend:\n  - share " +
         shares + " when ply = 1\n";
}

} // namespace

TEST_CASE("a win, a draw and a win together are shares, too", "[shares]") {
  CHECK(share(Result{1}, 0, 2) == 1);
  CHECK(share(Result{1}, 1, 2) == 0);
  CHECK(share(Result{0}, 1, 2) == 0.5F);
  CHECK(share(Result{0}, 2, 3) == 1.0F / 3.0F);
  CHECK(share(Result{5}, 2, 3) == 0.5F);
  CHECK(share(Result{0}, 0, 1) == 0); // a puzzle that isn't solved
  CHECK(share(Result{1} << 7, 7, 8) == 1);
  CHECK_FALSE(is_shared(Result{0xff}));
}

TEST_CASE("parts of a point, and who has the most", "[shares]") {
  const Outcome outcome = outcome_of(parts(1, 3), 7, Outcome::By::end_line);
  CHECK(outcome.winners == 2);
  CHECK(outcome.origin == 7);
  CHECK(share(outcome, 0, 2) == 0.25F);
  CHECK(share(outcome, 1, 2) == 0.75F);
  CHECK(result_of(outcome) == parts(1, 3));
  CHECK_FALSE(outcome == Outcome{2, 7, Outcome::By::end_line});
  CHECK(who_have_most(parts(2, 1, 2)) == 5);
  CHECK(share(parts(0, 1, 2), 2, 3) == 2.0F / 3.0F);
  // The parts of the last player are in the highest byte.
  CHECK(share(Result{3} << 56 | Result{1}, 7, 8) == 0.75F);
}

TEST_CASE("parts that are the same for all who have some are no shares", "[shares]") {
  CHECK(result_of_parts(parts(4, 0), 2) == 1);
  CHECK(result_of_parts(parts(0, 4), 2) == 2);
  CHECK(result_of_parts(parts(2, 2), 2) == 0);
  CHECK(result_of_parts(parts(1, 0, 1), 3) == 5);
  CHECK(result_of_parts(parts(1, 1, 1), 3) == 0);
  CHECK(result_of_parts(parts(1, 2), 2) == parts(1, 2));
  CHECK(outcome_of(result_of_parts(parts(0, 4), 2), 0, Outcome::By::move).shares == 0);
}

TEST_CASE("fractions are written in the lowest terms", "[shares]") {
  CHECK(fraction_text(6, 8) == "3/4");
  CHECK(fraction_text(3, 2) == "3/2");
  CHECK(fraction_text(4, 4) == "1");
}

TEST_CASE("a share is a part of 255 parts at the most", "[shares]") {
  CHECK(interpreter::load_text("game.yaml", with_shares("1/255 to White, 254/255 to Black")));
  CHECK_FALSE(interpreter::load_text("game.yaml", with_shares("1/256 to White, 255/256 to Black")));
  // 15 and 17 measure 255 together, 16 and 17 measure 272.
  CHECK(interpreter::load_text("game.yaml", with_shares("30/255 to White, 15/17 to Black")));
  const auto loaded = interpreter::load_text("game.yaml", with_shares("1/16 to White, 15/17 to Black"));
  CHECK(loaded.errors().find("no common measure") != std::string::npos);
}

} // namespace shares_test
