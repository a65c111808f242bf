// Which of the two ways to draw a board a terminal gets.
#include "tests/tools/terminal.hpp"

#include <catch2/catch.hpp>

namespace board_terminal_test {

using namespace boardwright::tests;

TEST_CASE(
    "a terminal whose locale is UTF-8 gets more than letters and dots, and what has been played is marked") {
  Terminal person({"show", "breakthrough", "--position", "play: a2-a3"}, scratch().path("state"), "C.UTF-8");
  CHECK(person.shows("▸ Black to move"));
  CHECK(person.shows("‹w›"));
  CHECK(person.shows("∘"));
  CHECK(person.status() == 0);
}

TEST_CASE("other terminals, and those who ask, get letters and dots") {
  Terminal plain({"show", "breakthrough"}, scratch().path("state"), "C");
  CHECK(plain.shows("1  w w w w w w w w"));
  CHECK(plain.status() == 0);
  Terminal asked({"show", "breakthrough", "--ascii"}, scratch().path("state"), "C.UTF-8");
  CHECK(asked.shows("1  w w w w w w w w"));
  CHECK(asked.status() == 0);
}

} // namespace board_terminal_test
