// Rules that would take all memory or all time (tests/hostile/limits): whatever is asked of them is answered,
// or refused with the place in the file, within the steps and bytes that there are.
#include "interpreter/examine.hpp"
#include "interpreter/load.hpp"
#include "paths.hpp"
#include "rule_files.hpp"
#include "runtime/examine/survey.hpp"
#include "runtime/examine/why.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/model/limits.hpp"
#include "text_files.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace hostile_limits_test {

using namespace boardwright;

namespace {

// Something for what is done once more at a limit.
constexpr std::uint64_t kMostSteps = runtime::kMaxWork + runtime::kMaxWork / 100;

std::shared_ptr<const runtime::Rules> rules_of(const std::filesystem::path& path) {
  const auto loaded = interpreter::load(path.string());
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded.rules;
}

template <class T>
void check_answer(const tl::expected<T, runtime::Fault>& answer, std::uint64_t steps) {
  CHECK(steps <= kMostSteps);
  if (answer) return;
  CHECK_FALSE(answer.error().message.empty());
  CHECK(answer.error().origin != 0);
}

auto files() { return tests::files_in(tests::source_root() + "/tests/hostile/limits", ".yaml"); }

// A limit is far away under sanitizers, where a step takes twenty times as long: then some files will do.
constexpr std::size_t kEach = tests::kSanitized ? 8 : 1;

} // namespace

TEST_CASE("the moves of rules that explode are written, or refused, within the limits") {
  REQUIRE(files().size() >= 15);
  const auto all = files();
  for (std::size_t i = 0; i < all.size(); i += kEach) {
    const auto& path = all[i];
    INFO(path);
    runtime::Game game(rules_of(path));
    const auto written = game.notations();
    check_answer(written, game.steps());
    const std::uint64_t before = game.steps();
    const auto outcome = game.outcome();
    if (written) CHECK(outcome.has_value());
    if (written) CHECK(game.steps() == before); // it is known
  }
}

TEST_CASE("so they are counted, and asked about") {
  for (const char* name : {"sum-of-three", "choose-three-say", "most-of-pairs", "stacks-distinct"}) {
    INFO(name);
    if (tests::kSanitized && std::string(name) != "sum-of-three") continue;
    runtime::Game game(rules_of(tests::source_root() + "/tests/hostile/limits/" + name + ".yaml"));
    check_answer(runtime::perft(game, {}), game.steps());
    const auto why = runtime::why(game.rules().program(), game.position(), {}, {});
    if (!why) CHECK(why.error().origin != 0);
  }
}

TEST_CASE("the random games of a check are broken off, and it says so") {
  for (const char* name : {"choose-two", "sum-over-walks", "reach-choosing"}) {
    INFO(name);
    if (tests::kSanitized && std::string(name) != "sum-over-walks") continue;
    auto loaded = interpreter::load(tests::source_root() + "/tests/hostile/limits/" + name + ".yaml");
    REQUIRE(loaded.rules != nullptr);
    const auto found = interpreter::examine(loaded, {}).findings;
    bool told = false;
    for (const auto& d : found.all()) told = told || d.code == "games-broken-off" || d.code == "fault";
    CHECK(told);
  }
}

TEST_CASE("the steps of a survey are limited") {
  const auto rules = tests::load_rules("breakthrough");
  runtime::SurveyOptions options;
  options.positions = 0;
  const auto whole = runtime::survey(rules, options);
  CHECK_FALSE(whole.broken_off);
  options.steps = 20'000;
  const auto less = runtime::survey(rules, options);
  CHECK(less.broken_off);
  CHECK(less.plies < whole.plies);
  CHECK(less.plies > 0);
}

} // namespace hostile_limits_test
