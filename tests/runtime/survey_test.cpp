// The budgets of random games that show what is odd about rules.
#include "runtime/examine/survey.hpp"

#include <catch2/catch.hpp>

namespace survey_test {

using namespace boardwright;

TEST_CASE("budgets of a survey grow and shrink together, and nothing else does", "[survey]") {
  runtime::SurveyOptions usual;
  usual.seed = 7;
  const runtime::SurveyOptions large = runtime::scaled(usual, 3), small = runtime::scaled(usual, 1, 10);
  CHECK(large.plies == usual.plies * 3);
  CHECK(large.games == usual.games * 3);
  CHECK(large.more_steps == usual.more_steps * 3);
  CHECK(small.positions == usual.positions / 10);
  CHECK(small.steps == usual.steps / 10);
  CHECK(small.more_games == usual.more_games / 10);
  for (const runtime::SurveyOptions& options : {large, small}) {
    CHECK(options.seed == 7);
    CHECK(options.max_plies == usual.max_plies);
  }
}

} // namespace survey_test
