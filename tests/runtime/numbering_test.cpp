// Numberings of a board's cells (runtime/model/numbering.hpp).
#include "runtime/model/numbering.hpp"

#include "tests/rule_files.hpp"

#include <catch2/catch.hpp>

#include <cstddef>

namespace numbering_test {

using namespace boardwright;

TEST_CASE("boards with every other cell are numbered so that all steps are shifts") {
  const auto rules = tests::load_rules("internationaldraughts");
  const runtime::Board& board = rules->program().board;
  const auto numbering = runtime::find_numbering(board, 1);
  REQUIRE(numbering);
  CHECK(numbering->size == 55);
  for (const auto& step : board.steps) {
    int by = 0;
    for (int cell = 0; cell < board.cells; ++cell) {
      const auto to = step.to[static_cast<std::size_t>(cell)];
      if (to == runtime::kNowhere) continue;
      const int here = numbering->of_cell[static_cast<std::size_t>(to)] -
                       numbering->of_cell[static_cast<std::size_t>(cell)];
      CHECK((by == 0 || by == here));
      by = here;
    }
  }
}

TEST_CASE("a board whose steps are shifts already keeps its order") {
  CHECK_FALSE(runtime::find_numbering(tests::load_rules("reversi")->program().board, 1));
}

} // namespace numbering_test
