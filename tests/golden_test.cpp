// Small rules, one idea each, with what becomes of them: tests/golden/*.golden hold a rule file, a line
// `-----`, and the first player's normal form and code. So a form that isn't recognised any more is seen,
// which no comparison of moves would tell. BOARDWRIGHT_REBASE=1 writes them anew; read the difference.
#include "interpreter/load.hpp"
#include "runtime/game/compiled.hpp"
#include "runtime/game/inspect.hpp"
#include "runtime/ir/print.hpp"
#include "tests/paths.hpp"
#include "tests/text_files.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <regex>

namespace golden_test {

using namespace boardwright;

namespace {

// What searches and judges a position; what plays a move and writes it; what plays a move of the first leaf.
// (What plays a move without writing it differs from that by what it doesn't write; other leaves are alike.)
std::string code_of_first(const runtime::Rules& rules) {
  const auto& compiled = rules.compiled();
  const auto& code = compiled.code;
  const runtime::ir::PlayerCode& first = code.players.front();
  std::size_t end = code.players.size() > 1 ? code.players[1].position : code.instructions.size();
  std::vector<std::size_t> entries;
  for (const runtime::ir::Leaf& leaf : code.leaves)
    if (leaf.entry > first.notate && leaf.entry < end) entries.push_back(leaf.entry);
  std::sort(entries.begin(), entries.end());
  if (entries.size() > 1) end = entries[1];
  return runtime::ir::print(compiled.lowered, code, first.position, first.play, false) +
         runtime::ir::print(compiled.lowered, code, first.notate, end, false);
}

// The places of the rules go: they change with every line of the library.
std::string without_places(const std::string& normal_form) {
  static const std::regex place(" +; .*");
  return std::regex_replace(normal_form, place, "");
}

} // namespace

TEST_CASE("small rules become the normal form and the code that stand beside them", "[golden]") {
  const auto files = tests::files_in(tests::source_root() + "/tests/golden", ".golden");
  REQUIRE(files.size() >= 60);
  for (const auto& path : files) {
    DYNAMIC_SECTION(path.stem().string()) {
      tests::Golden golden(path);
      REQUIRE(golden.has_ruler());
      const auto loaded = interpreter::load_text("game.yaml", golden.input());
      INFO(loaded.errors());
      REQUIRE(loaded);
      const std::string printed =
          without_places(runtime::normal_form(*loaded.rules, 0)) + "-----\n" + code_of_first(*loaded.rules);
      golden.rebase(printed);
      CHECK(printed == golden.expected());
    }
  }
}

} // namespace golden_test
