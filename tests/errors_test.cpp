// Golden files of error messages: tests/errors/*.golden hold a rule file, a line `-----`, and what loading it
// prints.
#include "interpreter/load.hpp"
#include "tests/paths.hpp"
#include "tests/text_files.hpp"

#include <catch2/catch.hpp>

namespace errors_test {

using namespace boardwright;

TEST_CASE("every error says where, what and what to do", "[errors]") {
  const auto files = tests::files_in(tests::source_root() + "/tests/errors", ".golden");
  REQUIRE(files.size() > 20);
  for (const auto& path : files) {
    DYNAMIC_SECTION(path.stem().string()) {
      tests::Golden golden(path);
      REQUIRE(golden.has_ruler());
      const auto loaded = interpreter::load_text("game.yaml", golden.input());
      const std::string printed = loaded.errors();
      CHECK_FALSE(loaded);
      CHECK_FALSE(printed.empty());
      golden.rebase(printed);
      CHECK(printed == golden.expected());
    }
  }
}

} // namespace errors_test
