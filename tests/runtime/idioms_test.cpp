// Every idiom can be switched off, and then every game is played as before, only slower.
#include "interpreter/load.hpp"
#include "runtime/game/inspect.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/model/idioms.hpp"
#include "tests/rule_files.hpp"
#include "tests/written/judge_file.hpp"
#include "tests/written/writer.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace idioms_test {

using namespace boardwright;
using runtime::Idiom;

namespace {

// While it lives an idiom is off; behind it all is as it was.
class Without {
public:
  explicit Without(Idiom idiom) : idiom_(idiom), was_on_(runtime::is_on(idiom)) {
    runtime::set_idiom(idiom, false);
  }
  ~Without() { runtime::set_idiom(idiom_, was_on_); }
  Without(const Without&) = delete;
  Without& operator=(const Without&) = delete;

private:
  Idiom idiom_;
  bool was_on_;
};

std::vector<Idiom> all_idioms() {
  std::vector<Idiom> all;
  for (std::size_t f = 0; f < runtime::kIdioms.size(); ++f) all.push_back(static_cast<Idiom>(f));
  return all;
}

std::uint64_t leaves(const runtime::Program& program, int depth) {
  const auto rules = runtime::Rules::make(std::make_shared<const runtime::Program>(program));
  runtime::Game game(rules);
  const auto counted = runtime::perft(game, {depth, false, nullptr});
  REQUIRE(counted);
  return counted->leaves;
}

} // namespace

TEST_CASE("idioms have names of their own") {
  std::vector<std::string_view> names;
  for (const runtime::IdiomRow& row : runtime::kIdioms) {
    names.push_back(row.name);
    CHECK_FALSE(row.does.empty());
  }
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  CHECK(runtime::idiom_named("rows") == Idiom::rows);
  CHECK_FALSE(runtime::idiom_named("no such idiom"));
}

TEST_CASE("idioms are switched off by their names, all of them or none") {
  REQUIRE(runtime::is_on(Idiom::rows));
  CHECK(runtime::switch_idioms_off("rows,nonsense") == "nonsense");
  CHECK(runtime::is_on(Idiom::rows));
  CHECK_FALSE(runtime::switch_idioms_off("rows,keys"));
  CHECK_FALSE(runtime::is_on(Idiom::rows));
  CHECK_FALSE(runtime::is_on(Idiom::keys));
  CHECK(runtime::is_on(Idiom::groups));
  runtime::set_idiom(Idiom::rows, true);
  runtime::set_idiom(Idiom::keys, true);
}

namespace {

// Pieces are laid down on the lowest row, with something written behind each.
std::string code_of_turn(int size, const std::string& behind) {
  const auto loaded = interpreter::load_text(
      "game.yaml", fmt::format("game: T\nplayers: [White, Black]\nboard: {{ squares: {0} by {0} }}\n"
                               "pieces: {{ man: w b }}\nturn: place(man, empty & rank(1)), {1}\n",
                               size, behind));
  INFO(loaded.errors());
  REQUIRE(loaded);
  return runtime::compiled_form(*loaded.rules, 0);
}

bool is_other_without(Idiom idiom, int size, const std::string& behind) {
  const std::string with = code_of_turn(size, behind);
  const Without without(idiom);
  return code_of_turn(size, behind) != with;
}

} // namespace

TEST_CASE("tables by cell have numbers of sixteen bits") {
  CHECK(is_other_without(Idiom::cell_tables, 8, "require abs(x(here)) * 4095 + 7 > ply"));
  CHECK_FALSE(is_other_without(Idiom::cell_tables, 8, "require abs(x(here)) * 4095 + 8 > ply"));
  CHECK(is_other_without(Idiom::cell_tables, 8, "require abs(x(here)) * -4095 - 8 > ply"));
  CHECK_FALSE(is_other_without(Idiom::cell_tables, 8, "require abs(x(here)) * -4095 - 9 > ply"));
}

TEST_CASE("what goes by one cell is worked out at load, up to some time") {
  const std::string left = "count((c in board where x(c) * y(c) > x(here) * y(here)))";
  CHECK(is_other_without(Idiom::cell_tables, 8, "require " + left + " > ply"));
  CHECK_FALSE(is_other_without(Idiom::cell_tables, 20, "require " + left + " > ply"));
  CHECK(is_other_without(Idiom::as_place, 8, "require " + left + " > 9"));
  CHECK_FALSE(is_other_without(Idiom::as_place, 20, "require " + left + " > 9"));
}

TEST_CASE("games are the same without any one idiom") {
  const std::vector<std::pair<std::string, int>> games{
      {"breakthrough", 3}, {"tictactoe", 4}, {"reversi", 3}, {"scalus", 1},
      {"epaminondas", 1},  {"tak", 2},       {"hex", 2},     {"pente", 2},
      {"chess", 2},        {"ordo", 2},      {"oware", 3},   {"fanorona", 2}};
  for (const auto& [name, depth] : tests::sampled(games, 4)) {
    const auto loaded = interpreter::load(name);
    INFO(name);
    REQUIRE(loaded);
    const std::uint64_t expected = leaves(loaded.rules->program(), depth);
    CHECK(expected > 0);
    for (const Idiom idiom : tests::sampled(all_idioms(), 5)) {
      const Without without(idiom);
      INFO(runtime::kIdioms[static_cast<std::size_t>(idiom)].name);
      CHECK(leaves(loaded.rules->program(), depth) == expected);
    }
  }
}

TEST_CASE("written rule files are played right without any idiom") {
  for (const Idiom idiom : all_idioms()) runtime::set_idiom(idiom, false);
  for (std::uint64_t seed = 1; seed <= (tests::kSanitized ? 20u : 150u); ++seed) {
    const std::string text = tests::write_rule_file(seed);
    const auto judged = tests::judge_file(text, seed);
    INFO(text << "\n" << judged.kind << ": " << judged.detail);
    CHECK(judged.kind.empty());
  }
  for (const Idiom idiom : all_idioms()) runtime::set_idiom(idiom, true);
}

} // namespace idioms_test
