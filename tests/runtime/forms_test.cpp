// Every form can be switched off, and then every game is played as before, only slower.
#include "interpreter/load.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/model/forms.hpp"
#include "tests/rule_files.hpp"
#include "tests/written/judge_file.hpp"
#include "tests/written/writer.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace forms_test {

using namespace boardwright;
using runtime::Form;

namespace {

// While it lives a form is off; behind it all is as it was.
class Without {
public:
  explicit Without(Form form) : form_(form), was_on_(runtime::is_on(form)) { runtime::set_form(form, false); }
  ~Without() { runtime::set_form(form_, was_on_); }
  Without(const Without&) = delete;
  Without& operator=(const Without&) = delete;

private:
  Form form_;
  bool was_on_;
};

std::vector<Form> all_forms() {
  std::vector<Form> all;
  for (std::size_t f = 0; f < runtime::kForms.size(); ++f) all.push_back(static_cast<Form>(f));
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

TEST_CASE("forms have names of their own") {
  std::vector<std::string_view> names;
  for (const runtime::FormRow& row : runtime::kForms) {
    names.push_back(row.name);
    CHECK_FALSE(row.does.empty());
  }
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  CHECK(runtime::form_named("rows") == Form::rows);
  CHECK_FALSE(runtime::form_named("no such form"));
}

TEST_CASE("forms are switched off by their names, all of them or none") {
  REQUIRE(runtime::is_on(Form::rows));
  CHECK(runtime::switch_forms_off("rows,nonsense") == "nonsense");
  CHECK(runtime::is_on(Form::rows));
  CHECK_FALSE(runtime::switch_forms_off("rows,keys"));
  CHECK_FALSE(runtime::is_on(Form::rows));
  CHECK_FALSE(runtime::is_on(Form::keys));
  CHECK(runtime::is_on(Form::groups));
  runtime::set_form(Form::rows, true);
  runtime::set_form(Form::keys, true);
}

TEST_CASE("games are the same without any one form") {
  for (const auto& [name, depth] : std::vector<std::pair<std::string, int>>{{"breakthrough", 3},
                                                                            {"tictactoe", 4},
                                                                            {"reversi", 3},
                                                                            {"scalus", 1},
                                                                            {"epaminondas", 1},
                                                                            {"tak", 2},
                                                                            {"hex", 2},
                                                                            {"pente", 2},
                                                                            {"chess", 2},
                                                                            {"ordo", 2},
                                                                            {"oware", 3},
                                                                            {"fanorona", 2}}) {
    const auto loaded = interpreter::load(name);
    INFO(name);
    REQUIRE(loaded);
    const std::uint64_t expected = leaves(loaded.rules->program(), depth);
    CHECK(expected > 0);
    for (const Form form : all_forms()) {
      const Without without(form);
      INFO(runtime::kForms[static_cast<std::size_t>(form)].name);
      CHECK(leaves(loaded.rules->program(), depth) == expected);
    }
  }
}

TEST_CASE("written rule files are played right without any form") {
  for (const Form form : all_forms()) runtime::set_form(form, false);
  for (std::uint64_t seed = 1; seed <= (tests::kSanitized ? 20u : 150u); ++seed) {
    const std::string text = tests::write_rule_file(seed);
    const auto judged = tests::judge_file(text, seed);
    INFO(text << "\n" << judged.kind << ": " << judged.detail);
    CHECK(judged.kind.empty());
  }
  for (const Form form : all_forms()) runtime::set_form(form, true);
}

} // namespace forms_test
