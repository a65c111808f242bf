// train and solve, and the file of what was learnt.
#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "tests/tools/running.hpp"
#include "tools/engines/bundled_weights.hpp"
#include "tools/engines/weights_file.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace train_test {

using namespace boardwright;
using namespace boardwright::tests;

TEST_CASE("what was learnt is a file that is found, that can be edited, and that knows its rules") {
  const std::string output = scratch().path("learnt.yaml");
  const std::string game = "breakthrough --set columns=4 --set rows=5";
  // Not every seed learns something; this one does.
  const Run trained = run("train " + game + " --games 60 --rounds 2 --seed 3 --output " + output + " --json");
  INFO(trained.err);
  REQUIRE(trained.status == 0);
  const auto json = nlohmann::json::parse(trained.out);
  CHECK(json["games"] == 60);
  CHECK(json["rounds"].size() == 2);
  CHECK(json["last_match"]["wins"] > json["last_match"]["losses"]);
  REQUIRE(json["improved"] == true);
  const std::string text = read(output);
  CHECK(has(text, "weights: \"Breakthrough\"\nrules: \""));
  CHECK(has(text, "columns: \"4\""));
  CHECK(has(text, "\n  piece/man: "));

  const std::string think = " --nodes 500 --player alphabeta --json --weights ";
  const Run right = run("analyse " + game + think + output);
  CHECK(right.status == 0);
  CHECK(right.err.empty());
  const Run other = run("analyse breakthrough" + think + output);
  CHECK(other.status == 0);
  CHECK(has(other.err, "was learnt on other rules"));

  // Those who play are given it in the same way.
  const std::string lines = scratch().file("hint.txt", "hint\n");
  const std::string given = " --weights " + output + " < " + lines;
  const Run played = run("play " + game + " --nodes 100" + given);
  CHECK(played.status == 0);
  CHECK(played.err.empty());
  CHECK(has(run("play breakthrough --nodes 100" + given).err, "was learnt on other rules"));
  for (const char* command : {"play ", "ugi ", "uci "}) {
    CHECK(run(command + game + " --weights " + output + " </dev/null").status == 0);
    CHECK(run(command + game + " --weights " + scratch().path("nothing.yaml") + " </dev/null").status == 3);
  }

  const std::string bad = scratch().file("bad.yaml", "weights: X\nrules: Y\nfeatures:\n  piece/man: many\n");
  const Run wrong = run("analyse " + game + think + bad);
  CHECK(wrong.status == 1);
  CHECK(has(wrong.err, "bad.yaml:4: `piece/man` needs a number"));
  CHECK(run("analyse " + game + think + scratch().path("nothing.yaml")).status == 3);
  CHECK(run("analyse " + game + think + scratch().file("odd.yaml", "[1, 2]")).status == 1);
}

// Rules that change leave what was learnt of them behind: then it is to be learnt anew, or to be taken away.
TEST_CASE("what comes with the program was learnt on the rules of the library") {
  REQUIRE(tools::bundled_weights().size() >= 5);
  for (const std::string_view text : tools::bundled_weights()) {
    const auto file = tools::parse_weights("bundled", std::string(text));
    if (!file) FAIL(file.error());
    INFO(file->game);
    int fitting = 0;
    for (const dsl::BundledFile& game : dsl::bundled_files()) {
      if (!has(std::string(game.text), "game: " + file->game + "\n")) continue;
      const auto loaded = interpreter::load(std::string(game.name));
      if (!loaded || !tools::fits(*file, loaded.rules->program())) continue;
      ++fitting;
      std::vector<std::string> unknown;
      const auto weights = runtime::search::Features(loaded.rules).in_order(file->features, &unknown);
      CHECK(unknown.empty());
    }
    CHECK(fitting == 1);
  }
}

TEST_CASE("what comes with the program is used for the same rules, and not for others") {
  const auto weights = [](const char* game, const interpreter::Settings& settings) {
    const auto loaded = interpreter::load(game, settings);
    return tools::bundled_weights_of(loaded.rules->program());
  };
  CHECK(weights("breakthrough", {}) != nullptr);
  CHECK(weights("breakthrough", {{"columns", "4"}}) == nullptr);
  const std::string copy = scratch().file("mine.yaml", "extends: breakthrough\n");
  CHECK(weights(copy.c_str(), {}) != nullptr);
}

TEST_CASE("train refuses what it can't learn, and where it can't write") {
  CHECK(run("train halma4 --games 2").status == 1);
  CHECK(run("train nowhere.yaml").status == 3);
  CHECK(run("train breakthrough --games 0").status == 2);
  const std::string nowhere = scratch().path("nowhere/weights.yaml");
  const Run unwritable = run("train breakthrough --minutes 1 --output " + nowhere);
  CHECK(unwritable.status == 3);
  CHECK(unwritable.out.empty()); // nothing was begun
  CHECK(unwritable.err == "error: can't write `" + nowhere + "`: No such file or directory\n");
  CHECK(run("train breakthrough --games 2 --minutes 1").status == 2);
}

TEST_CASE("solve proves, says what it assumes, and ends when its time is up") {
  const Run draw = run("solve tictactoe");
  CHECK(draw.status == 0);
  CHECK(has(draw.out, "a draw\n"));
  const Run loss = run("solve reversi --set size=4");
  CHECK(has(loss.out, " wins in "));
  const auto json = nlohmann::json::parse(run("solve hexapawn --json").out);
  CHECK(json["result"] == "loss");
  CHECK(json["line"].size() == json["depth"]);
  const Run unknown = run("solve chess --time 0.05 --memory 1");
  CHECK(unknown.status == 0);
  CHECK(has(unknown.out, "unknown"));
  CHECK(run("solve halma4").status == 1);
  CHECK(run("solve tictactoe --memory 0").status == 2);
}

TEST_CASE("auto says which search it has chosen, and why") {
  const auto remark = [](const std::string& game) {
    const Run run_ = run("analyse " + game + " --nodes 50 --json");
    INFO(run_.err);
    REQUIRE(run_.status == 0);
    return nlohmann::json::parse(run_.out)["remark"].get<std::string>();
  };
  CHECK(has(remark("hex"), "mcts: what counts is connection"));
  CHECK(has(remark("chess"), "alphabeta: "));
}

} // namespace train_test
