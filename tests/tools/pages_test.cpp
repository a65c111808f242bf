// Long texts at the prompt, a screen at a time.
#include "tools/play/pages.hpp"

#include <catch2/catch.hpp>

namespace pages_test {

using namespace boardwright;

TEST_CASE("a text is cut into pages of whole lines, as the terminal breaks them") {
  using Pages = std::vector<std::string>;
  CHECK(tools::pages_of("", 3, 10).empty());
  CHECK(tools::pages_of("a\nb\nc\n", 3, 10) == Pages{"a\nb\nc\n"});
  CHECK(tools::pages_of("a\nb\nc\nd\n", 3, 10) == Pages{"a\nb\nc\n", "d\n"});
  CHECK(tools::pages_of("a\n0123456789\nc\n", 3, 10) == Pages{"a\n0123456789\nc\n"});
  CHECK(tools::pages_of("a\n01234567890\nc\n", 3, 10) == Pages{"a\n01234567890\n", "c\n"}); // in two rows
  CHECK(tools::pages_of("äöüäöüäöüä\nb\n", 2, 10) == Pages{"äöüäöüäöüä\nb\n"});
  CHECK(tools::pages_of("0123456789012345678901234567890\nb\n", 2, 10) ==
        Pages{"0123456789012345678901234567890\n", "b\n"}); // a single line is never cut
}

} // namespace pages_test
