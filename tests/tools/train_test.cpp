// train and solve, and the file of what was learnt.
#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "tests/rule_files.hpp"
#include "tests/tools/running.hpp"
#include "tools/engines/bundled_weights.hpp"
#include "tools/engines/weights_file.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
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

TEST_CASE("a network is learnt on top of weights, written beside them, and used") {
  const std::string game = "breakthrough --set columns=4 --set rows=5";
  const Run trained = run("train " + game + " --network --games 12 --rounds 1 --seed 2 --json --output " +
                          scratch().path("none.yaml"));
  INFO(trained.err);
  REQUIRE(trained.status == 0);
  const auto json = nlohmann::json::parse(trained.out);
  CHECK(json["rounds"].size() == 1);
  CHECK(json["games"] == 9); // the others went into the weights: there were none before
  CHECK(json["weights"]["games"] == 3);
  CHECK(json["improved"].is_boolean());

  // Whether so few games are enough is chance: this one is made up.
  const auto loaded = interpreter::load("breakthrough", {{"columns", "4"}, {"rows", "5"}});
  REQUIRE(loaded);
  const runtime::search::Features features(loaded.rules);
  const runtime::search::NetworkInputs inputs(features);
  runtime::search::Network network;
  network.units = inputs.units();
  network.inputs = inputs.size();
  network.constant = -7;
  for (std::size_t k = 0; k < inputs.size() * 32; ++k)
    network.first.push_back(static_cast<std::int8_t>(k * 37 % 255 - 127));
  for (int u = 0; u < 32; ++u) {
    network.bias.push_back(static_cast<std::int16_t>(100 - 300 * u));
    network.own.push_back(static_cast<std::int16_t>(500 * u));
    network.other.push_back(-32768);
  }
  const std::string text = tools::weights_text(
      features, {features.first_weights(), std::make_shared<const runtime::search::Network>(network)}, {});
  const std::string output = scratch().file("network.yaml", text);
  CHECK(has(text, "\nnetwork:\n  inputs: "));
  const auto file = tools::parse_weights(output, text);
  if (!file) FAIL(file.error());
  REQUIRE(file->what.network);
  CHECK(file->what.network->first == network.first);
  CHECK(file->what.network->bias == network.bias);
  CHECK(file->what.network->own == network.own);
  CHECK(file->what.network->other == network.other);
  CHECK(file->what.network->constant == -7);

  const auto thought = [&](const char* player, const std::string& weights) {
    const Run analysed =
        run("analyse " + game + " --nodes 500 --json --player " + player + " --weights " + weights);
    INFO(analysed.err);
    REQUIRE(analysed.status == 0);
    return nlohmann::json::parse(analysed.out)["value"];
  };
  CHECK(thought("alphabeta", output) != thought("alphabeta:network=off", output));
  CHECK(has(run("analyse breakthrough --nodes 10 --player alphabeta --weights " + output).err,
            "is of a game with other pieces or cells"));

  const auto broken = [&](const char* what, const char* by) {
    std::string other = text;
    other.replace(other.find(what), std::string(what).size(), by);
    return run("analyse " + game + " --nodes 10 --player alphabeta --weights " +
               scratch().file("broken.yaml", other));
  };
  const std::string inputs_line = "  inputs: " + std::to_string(inputs.size()) + "\n";
  CHECK(
      has(broken(inputs_line.c_str(), "  inputs: 5001\n").err, "`inputs` is a whole number from 1 to 5000"));
  CHECK(has(broken(inputs_line.c_str(), "  inputs: 5000\n").err, "`first` is 160000 numbers in base64"));
  CHECK(has(broken("  units: 32", "  units: 65").err, "`units` is a whole number from 1 to 64"));
  CHECK(has(broken("  units: 32", "  units: 16").err, "`bias` is 16 numbers in base64"));
  CHECK(has(broken("  own: \"", "  own: \"~").err, "`own` is 32 numbers in base64"));
  CHECK(has(broken("  other:", "  others:").err, "a network has `other`"));
  CHECK(broken("  constant: ", "  constant: x").status == 1);
}

// Rules that change leave what was learnt of them behind: then it is to be learnt anew, or to be taken away.
TEST_CASE("what comes with the program was learnt on the rules of the library") {
  REQUIRE(tools::bundled_weights().size() >= 5);
  for (const std::string_view text : tests::sampled(tools::bundled_weights(), 4)) {
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
      const auto weights = runtime::search::Features(loaded.rules).in_order(file->what.features, &unknown);
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

TEST_CASE("what was learnt isn't lost where it can't be written") {
  const std::string place = scratch().path("elsewhere");
  std::filesystem::create_directory(place);
  const Run trained =
      shell("TMPDIR='" + place + "' '" + program_path() +
            "' train breakthrough --set columns=4 --set rows=5 --games 60 --rounds 2 --seed 3 "
            "--output /dev/full --json");
  CHECK(trained.status == 3);
  CHECK(has(trained.err, "can't write `/dev/full`"));
  CHECK(has(trained.err, "what was learnt is in `" + place + "/full.kept`"));
  CHECK(has(read(place + "/full.kept"), "weights: \"Breakthrough\""));
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
