// explain, and the line that points to it.
#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace explain_test {

using namespace boardwright::tests;

TEST_CASE("explain says what a name means") {
  const Run entry = run("explain unknown-name");
  CHECK(entry.status == 0);
  CHECK(entry.out.find("unknown-name: a name that stands for nothing\n") == 0);
  CHECK(has(entry.out, "\nWrong:\n\n    turn: from own, step(forwad, empty)\n"));
  CHECK(has(entry.out, "\nRight:\n\n    turn: from own, step(forward, empty)\n"));
  CHECK_FALSE(has(entry.out, "README.md")); // links are for the page
  CHECK(run("explain '[unknown-name]'").out == entry.out);
  CHECK(run("explain unknown-name type").out.find(entry.out) == 0);
}

TEST_CASE("explain lists all names") {
  const Run list = run("explain");
  CHECK(list.status == 0);
  CHECK(has(list.out, "\n  unknown-name        a name that stands for nothing\n"));
  const auto json = nlohmann::json::parse(run("explain --json").out);
  CHECK(json["explanations"].size() > 50);
  const auto one = nlohmann::json::parse(run("explain type --json").out)["explanations"];
  REQUIRE(one.size() == 1);
  CHECK(one[0]["name"] == "type");
  CHECK(one[0]["wrong"].get<std::string>().find("turn:") == 0);
}

TEST_CASE("explain knows near names, and refuses others") {
  const Run near = run("explain unknown-nam");
  CHECK(near.status == 2);
  CHECK(near.err == "error: no error or warning is named `unknown-nam`; did you mean `unknown-name`?\n");
  const Run far = run("explain \"$(printf '\\033[2J')\"");
  CHECK(far.status == 2);
  CHECK(has(far.err, "`?[2J`; `boardwright explain` lists them"));
}

TEST_CASE("errors end with one line about explain") {
  const std::string first = scratch().file("first.yaml", "game: A\nturn: step(forwad)\n");
  const std::string second = scratch().file("second.yaml", "extends: first\nbord: none\n");
  const std::string hint = "`boardwright explain missing-section unknown-section` says more\n";
  const Run checked = run("check --allow all " + first + " " + second);
  CHECK(checked.status == 1);
  CHECK(checked.err.rfind(hint) == checked.err.size() - hint.size());
  CHECK(checked.err.find(hint) == checked.err.rfind(hint));
  CHECK(has(run("moves " + first).err, "`boardwright explain missing-section` says more\n"));
  CHECK_FALSE(has(run("moves nosuchgame").err, "says more"));
}

} // namespace explain_test
