// What each line of a rule file takes of the time. Shares of a run are never the same twice, so what is
// asserted holds by far.
#include "interpreter/compile.hpp"
#include "interpreter/findings/profile_lines.hpp"
#include "interpreter/load.hpp"
#include "runtime/game/compiled.hpp"
#include "tests/tools/steps.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace profile_lines_test {

using namespace boardwright;

namespace {

// A condition that asks much and is always so, asked through a definition; all else is a step.
const std::string kHeavy = R"(game: Heavy
players: { White: north, Black: south }
board: { squares: 6 by 6 }
pieces: { man: w b }
setup: { w: rank(1), b: rank(6) }
define:
  busy: |
    count((c in ~empty where some d in ~empty where count(next(c, all) & next(d, all)) > 2)) < 40
  light: count(own) > 0
turn: |
  from own,
  step(all, ~own),
  require busy,
  require light
end:
  - lose when no own
  - draw when ply = 60
)";

const interpreter::ProfiledLine* line_with(const interpreter::LineProfile& profile, const std::string& text) {
  for (const auto& line : profile.lines)
    if (line.text.find(text) != std::string::npos) return &line;
  return nullptr;
}

} // namespace

TEST_CASE("the line that takes most is named, and the line that asks for it") {
  if (!runtime::can_profile()) return;
  auto loaded = interpreter::load_text("heavy.yaml", kHeavy);
  REQUIRE(loaded);
  const auto profile = interpreter::profile_lines(loaded, {}, {0.2, 1, nullptr});
  REQUIRE(profile);
  CHECK(profile->listing > 20);
  CHECK(profile->playing > 20);
  const auto* const busy = line_with(*profile, "count((c in ~empty");
  const auto* const asked = line_with(*profile, "require busy");
  REQUIRE(busy != nullptr);
  REQUIRE(asked != nullptr);
  for (const auto share : {&interpreter::TimeShares::listing, &interpreter::TimeShares::playing}) {
    CHECK(busy->alone.*share > 40);
    CHECK(asked->with_calls.*share >= busy->alone.*share);
    CHECK(asked->alone.*share < 20);
    double sum = profile->rest.*share;
    for (const auto& line : profile->lines) sum += line.alone.*share;
    CHECK(sum == Approx(100));
  }
}

// Else what is measured wouldn't be what is played.
TEST_CASE("rules that keep calls apart become the same code") {
  for (const char* game : {"chess", "eximo", "backgammon"}) {
    INFO(game);
    auto loaded = interpreter::load(game);
    REQUIRE(loaded);
    std::vector<std::uint32_t> callers;
    interpreter::CompileOptions options;
    options.callers = &callers;
    dsl::Diagnostics told;
    bool bad_setting = false;
    const auto program = interpreter::compile(*loaded.file, {}, loaded.sources, told, bad_setting, options);
    REQUIRE(program != nullptr);
    CHECK(callers.size() == program->origins.size());
    for (std::size_t o = 0; o < callers.size(); ++o) CHECK(callers[o] < std::max<std::size_t>(o, 1));
    const auto rules = runtime::Rules::make(program);
    const auto &mine = rules->compiled().code.instructions,
               &plain = loaded.rules->compiled().code.instructions;
    REQUIRE(mine.size() == plain.size());
    bool same = true;
    for (std::size_t k = 0; k < mine.size(); ++k) {
      auto with_origin = mine[k];
      with_origin.origin = plain[k].origin;
      same = same && with_origin == plain[k];
    }
    CHECK(same);
  }
}

TEST_CASE("`inspect --profile` and `check --slow` tell it") {
  using tests::has;
  const std::string file = tests::scratch().file("heavy.yaml", kHeavy);
  const tests::Run text = tests::run("inspect '" + file + "' --profile --time 0.1");
  if (!runtime::can_profile()) {
    CHECK(text.status == 1);
    return;
  }
  CHECK(text.status == 0);
  CHECK(has(text.out, "what takes most\n   list   play search  |   list   play search\n"));
  CHECK(has(text.out, "heavy.yaml:13: require busy,\n"));
  const auto json =
      nlohmann::json::parse(tests::run("inspect '" + file + "' --profile --time 0.1 --json").out);
  CHECK(json["profile"]["samples"]["playing"].get<int>() > 5);
  CHECK(json["profile"]["lines"][0].contains("with_calls"));
  CHECK(has(tests::run("check '" + file + "' --slow").out, "in the order of the file\n"));
  CHECK(tests::run("inspect '" + file + "' --profile --time 61").status == 2);
  CHECK(tests::run("inspect '" + file + "' --profile --code").status == 2);
  CHECK(tests::run("check '" + file + "' --slow --format line").status == 2);
}

} // namespace profile_lines_test
