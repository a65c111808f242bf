// new: files to begin with.
#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "tests/rule_files.hpp"
#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace new_file_test {

using namespace boardwright;
using namespace boardwright::tests;

namespace {

// In the scratch folder, where the files of one test are named after it.
Run make(const std::string& name, const std::string& more = "") {
  return run("new '" + scratch().path(name) + "' " + more);
}

std::string written(const std::string& name) { return read(scratch().path(name + ".yaml")); }

} // namespace

TEST_CASE("every beginning passes check without a finding, and has comments and tests") {
  REQUIRE(dsl::bundled_templates().size() > 10);
  std::set<std::string> texts;
  const auto templates = tests::sampled(dsl::bundled_templates(), 4);
  for (const auto& file : templates) {
    const std::string like(file.name), name = "begin_" + like;
    INFO(like);
    const Run made = make(name, "--like " + like);
    CHECK(made.status == 0);
    const std::string text = written(name);
    CHECK(text.rfind("# ", 0) == 0); // its first line says what it is, and `--like list` shows that
    CHECK(text.find("\n\n") != std::string::npos);
    CHECK(text.find("NAME") == std::string::npos);
    CHECK(has(text, "\ntests:\n"));
    texts.insert(text);
    const Run checked = run("check --deny all " + scratch().path(name + ".yaml"));
    INFO(checked.out << checked.err);
    CHECK(checked.status == 0);
    CHECK(checked.err.empty());
    CHECK(has(checked.out, "passed"));
    CHECK(run("playouts --count 20 --max-plies 1000 " + scratch().path(name + ".yaml")).status == 0);
  }
  CHECK(texts.size() == templates.size());
}

TEST_CASE("a new file has its name as the title") {
  CHECK(make("river_crossing-2").status == 0);
  CHECK(has(written("river_crossing-2"), "\ngame: River Crossing 2\n"));
  CHECK(make("ending.yaml").status == 0);
  CHECK(has(written("ending"), "\ngame: Ending\n"));
  const std::vector<const char*> words{"true", "null", "no",
                                       "1e3",  "0x1F", "007"}; // YAML might have views on these
  for (const char* word : tests::sampled(words, 3)) {
    CHECK(make(word).status == 0);
    CHECK(run("check " + scratch().path(std::string(word) + ".yaml")).status == 0);
    CHECK(run("show " + scratch().path(std::string(word) + ".yaml"))
              .out.find(word[0] == 't'   ? "True"
                        : word[0] == 'n' ? "N"
                                         : word) == 0);
  }
}

TEST_CASE("nothing is written over") {
  const std::string path = scratch().file("mine.yaml", "precious\n");
  const Run again = make("mine");
  CHECK(again.status == 3);
  CHECK(again.err == "error: can't write `" + path + "`: it is there already\n");
  CHECK(read(path) == "precious\n");
  fs::create_symlink("nowhere", scratch().path("dangling.yaml"));
  CHECK(make("dangling").status == 3); // not through a link either
  CHECK(make("no_such_folder/game").status == 3);
}

TEST_CASE("a game stands for its family") {
  CHECK(make("as_a_game", "--like tictactoe").status == 0);
  CHECK(make("as_a_family", "--like rows").status == 0);
  std::string title = "As A Game", text = written("as_a_game");
  text.replace(text.find(title), title.size(), "As A Family");
  CHECK(text == written("as_a_family"));
}

TEST_CASE("what can't be made is refused with the choices") {
  const Run unknown = make("never", "--like draugths");
  CHECK(unknown.status == 2);
  CHECK(has(unknown.err, "did you mean `draughts`?"));
  CHECK(has(unknown.err, "\n  rows "));
  CHECK(unknown.out.empty());
  CHECK_FALSE(fs::exists(scratch().path("never.yaml")));
  const Run list = run("new --like list");
  CHECK(list.status == 0);
  CHECK(has(unknown.err, list.out));
  CHECK(nlohmann::json::parse(run("new --like list --json").out)["choices"].size() ==
        dsl::bundled_templates().size());
  CHECK(run("new").status == 2);
  for (const char* name : {"", ".yaml", "two words", "-dash", "a:b", "..", "a/", "\xFF"}) {
    const Run bad = run("new -- '" + std::string(name) + "'");
    INFO(name);
    CHECK(bad.status == 2);
  }
  CHECK(nlohmann::json::parse(make("as_json", "--json").out)["like"] == "races");
}

TEST_CASE("beginnings are no games to be found by name") {
  for (const auto& file : dsl::bundled_files()) CHECK(file.family != "templates");
  CHECK(run("show territory").status != 0);
}

} // namespace new_file_test
