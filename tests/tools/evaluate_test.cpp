// evaluate: how sure numbers are, and what is said of good and of bad games.
#include "tests/rule_files.hpp"
#include "tests/tools/running.hpp"
#include "tools/evaluate/estimates.hpp"
#include "tools/evaluate/evaluation.hpp"
#include "tools/evaluate/evaluation_report.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>

namespace evaluate_test {

using namespace boardwright::tests;
using namespace boardwright::tools;
using nlohmann::json;

namespace {

json evaluated(const std::string& arguments) {
  const Run result = run("evaluate " + arguments + " --json");
  INFO(arguments << "\n" << result.err);
  REQUIRE(result.status == 0);
  return json::parse(result.out);
}

json verdict(const json& evaluation, const std::string& id) {
  for (const json& one : evaluation["verdicts"])
    if (one["id"] == id) return one;
  return {};
}

// Whoever begins has two men to the other's one, and is two steps ahead.
constexpr const char* kUnfair = R"(
game: Head Start
players: { White: north, Black: south }
board: { squares: 6 by 7 }
pieces: { man: w b }
setup: { w: rank(2) | rank(3), b: rank(7) }
turn: from own, (step(forward, empty) or step(ahead & diagonal, ~own)), if here in last_row then win
end:
  - lose when no move
)";

// Men who may only walk up and down behind a wall.
constexpr const char* kDrawn = R"(
game: Two Walks
players: { White: north, Black: south }
board: { squares: 3 by 6 }
pieces: { man: w b }
state: { steps: 0 }
setup: { w: b1, b: b6 }
turn: from own, step(orthogonal, empty & (rank(1) | rank(6))), set steps = steps + 1
end:
  - draw when steps >= 30
)";

} // namespace

TEST_CASE("the interval of points: Wilson's where games are won or lost, narrower with draws") {
  const Points won_and_lost = {1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
  const auto half = points_estimate(won_and_lost);
  REQUIRE(half);
  CHECK(half->value == Approx(0.5));
  CHECK(half->low == Approx(0.22653).epsilon(1e-4)); // Wilson's of 4.5 in 9: the variance is that of a sample
  const auto drawn = points_estimate({0.5, 0.5, 1, 0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5});
  CHECK(drawn->low > half->low);
  CHECK(points_estimate({1, 1, 1, 1})->low < 0.6); // four games say little
  CHECK_FALSE(points_estimate({}));
  CHECK_FALSE(share_estimate(0, 0));
  CHECK(share_estimate(5, 10)->low == Approx(0.2366).epsilon(1e-3));
}

TEST_CASE("the bootstrap: always the same, around the ratio, nothing from one game") {
  Ratios ratios;
  for (int k = 0; k < 50; ++k) ratios.emplace_back(k % 5, 2);
  const auto one = bootstrap_ratio(ratios), two = bootstrap_ratio(ratios);
  REQUIRE(one);
  CHECK(one->value == Approx(1));
  CHECK(one->low == two->low);
  CHECK(one->low > 0.7);
  CHECK(one->low < 0.9);
  CHECK(one->high > 1.1);
  CHECK_FALSE(bootstrap_ratio({{1, 1}}));
}

TEST_CASE("evaluate: the same bytes on any number of threads") {
  const std::string wanted = "evaluate breakthrough --set columns=4 --set rows=5 --games 10 --strengths "
                             "random,varied:1,varied:2 --json --seed ";
  const Run one = run(wanted + "3"), three = run(wanted + "3 --threads 3");
  CHECK(one.status == 0);
  CHECK(one.out == three.out);
  CHECK(run(wanted + "4").out != one.out);
  const json answer = json::parse(one.out);
  CHECK(answer["evaluation"] == 1);
  CHECK(answer["games"] == 50);
  CHECK(answer["players"].size() == 2);
  CHECK(answer["strengths"].size() == 3);
  CHECK(answer["steps"].size() == 2);
  CHECK(answer["measures"].size() == 13);
  for (const auto& [id, measure] : answer["measures"].items()) {
    INFO(id);
    for (const char* told : {"title", "interval", "definition", "source", "sentence"})
      CHECK_FALSE(measure[told].get<std::string>().empty());
    REQUIRE(measure["value"].is_number());
    CHECK(measure["low"] <= measure["value"]);
    CHECK(measure["value"] <= measure["high"]);
  }
  CHECK(answer["measures"]["length"]["value"] >=
        5); // a man has four steps to go, and the other one moves, too
  CHECK(answer["measures"]["board"]["value"] <= 1);
}

TEST_CASE("evaluate: bad games are told as such, in words") {
  const json unfair =
      evaluated(scratch().file("headstart.yaml", kUnfair) + " --games 24 --strengths random,varied:1");
  REQUIRE(verdict(unfair, "unfair").is_object());
  CHECK(verdict(unfair, "unfair")["fault"] == true);
  CHECK(has(verdict(unfair, "unfair")["text"], "Unfair: White, who begins, gets "));
  CHECK(verdict(unfair, "good").is_null());
  const std::string walks = scratch().file("walks.yaml", kDrawn);
  const json drawn = evaluated(walks + " --games 24 --strengths random,varied:1");
  CHECK(has(verdict(drawn, "drawn")["text"], "Mostly drawn: 100 % of the games of varied:1 against itself."));
  CHECK(verdict(drawn, "no-skill")["fault"] == true);
  CHECK_FALSE(drawn["unused_cells"].empty());
  CHECK(has(run("evaluate " + walks + " --games 24 --strengths random,varied:1").out, "\n  Mostly drawn: "));
  const json endless = evaluated(walks + " --games 24 --strengths random,varied:1 --max-plies 12");
  CHECK(verdict(endless, "unfinished")["fault"] == true);
  CHECK(has(verdict(endless, "unfinished")["text"],
            " % of the games of varied:1 go on for 12 moves and more."));
  CHECK(verdict(endless, "short").is_null());
}

TEST_CASE("evaluate: a page that needs nothing else, light and dark, fit to print") {
  const std::string path = scratch().path("page.html");
  const Run result = run("evaluate tictactoe --games 8 --strengths random,varied:1 --html " + path);
  CHECK(result.status == 0);
  CHECK(has(result.out, "Tic-tac-toe: 24 games of random, varied:1"));
  const std::string page = read(path);
  for (const char* part : {"<!DOCTYPE html>", "prefers-color-scheme: dark", "@media print", "<svg", "</html>",
                           "steps of strength"})
    CHECK(has(page, part));
  CHECK_FALSE(has(page, "http"));
  CHECK_FALSE(has(page, "nan"));
  CHECK(run("evaluate tictactoe --games 8 --strengths random,varied:1 --html -").out == page);
  CHECK(run("evaluate tictactoe --games 8 --strengths random --html /no/such/folder/page.html").status == 3);
}

TEST_CASE("evaluate: three players, no interval where there is nothing, puzzles refused") {
  const json four = evaluated("halma4 --games 4 --strengths random --max-plies 40");
  CHECK(four["players"].size() == 4);
  CHECK(four["measures"]["lead_changes"]["value"].is_null());
  CHECK(verdict(four, "few-games")["fault"] == false);
}

TEST_CASE("evaluate: what was stopped early names those who have played") {
  Evaluation stopped;
  stopped.plan.strengths = {0, 3, 5};
  for (const int strength : stopped.plan.strengths) stopped.strengths.emplace_back().strength = strength;
  stopped.players = {"White", "Black"};
  CHECK(stopped.measured() == 5);
  stopped.strengths[1].games = 4;
  stopped.endings = {{"no move", "lose when no move", "", 4, 0, {}}};
  CHECK(stopped.measured() == 3);
  CHECK(evaluation_text(stopped, "T, size 7").starts_with("T, size 7: "));
  CHECK(has(evaluation_text(stopped, "T, size 7"), "\n  of varied:3 against itself, "));
  CHECK(has(evaluation_text(stopped, "T, size 7"), "\n  games of varied:3 ended by:\n"));
}

TEST_CASE("evaluate: levels are refused, who play by other rules than they did under that name") {
  const Run refused = run("evaluate tictactoe --strengths random,level:3");
  CHECK(refused.status == 2);
  CHECK(has(refused.err,
            "`level:3` slips on purpose, which would hide who is favoured: here play varied:1 to "
            "varied:8"));
}

TEST_CASE("evaluate: Ctrl-C prints what is known so far, with status 130") {
  const Run stopped =
      shell("timeout --signal=INT 1 '" + program_path() +
            "' evaluate breakthrough --games 100000 --strengths random,varied:1 --json; echo $?");
  const std::size_t end = stopped.out.rfind('}');
  REQUIRE(end != std::string::npos);
  const json answer = json::parse(stopped.out.substr(0, end + 1));
  CHECK(answer["stopped"] == true);
  CHECK(answer["games"] < answer["planned"]);
}

TEST_CASE("evaluate: lengths are told in turns, whatever a turn consists of") {
  const auto file = [](const std::string& name, const std::string& turn) {
    return scratch().file(name,
                          "game: Steps\nplayers: { White: north, Black: south }\nboard: { squares: 3 by 9 }\n"
                          "pieces: { man: w b }\nsetup: { w: a1, b: c9 }\nstate: { steps: 0 }\n"
                          "turn: " +
                              turn + "\nend: [lose when no move]\n");
  };
  const std::string who = " --games 20 --strengths random,varied:1";
  const json three =
      evaluated(file("three.yaml",
                     "(require steps < 2, from own, step(sideways, empty), set steps = steps + 1, again) or "
                     "(from own, step(forward, empty), set steps = 0)") +
                who);
  // Eight steps of each; and the last one, who can't step on, has gone aside in vain.
  CHECK(three["measures"]["length"]["value"] == 17);
  CHECK(three["strengths"][0]["branching"]["value"] > 1);
}

TEST_CASE("evaluate: games that are the same move by move are one game") {
  const std::string file = scratch().file(
      "only.yaml", "game: One Way\nplayers: { White: north, Black: south }\nboard: { squares: 3 by 9 }\n"
                   "pieces: { man: w b }\nsetup: { w: a1, b: c9 }\nturn: from own, step(forward, empty)\n"
                   "end: [lose when no move]\n");
  const json answer = evaluated(file + " --games 40 --strengths random,varied:1");
  CHECK(answer["games"] == 120);
  CHECK(answer["different"] == 4); // one of each against itself, and two of both: the seats count
  CHECK(answer["strengths"][1]["games"] == 1);
  CHECK(answer["strengths"][1]["played"] == 40);
  CHECK(verdict(answer, "unfair").is_null());
  CHECK(verdict(answer, "few-games").is_object());
  const std::string text = run("evaluate " + file + " --games 40 --strengths random,varied:1").out;
  CHECK(has(text, "\n  4 of them differ; only these are counted, 116 were played before, move by move\n"));
}

TEST_CASE("evaluate: no verdict that another strength contradicts") {
  Evaluation e;
  e.players = {"White", "Black"};
  e.plan.strengths = {0, 1, 3};
  e.lengths.assign(100, 40);
  const auto row = [&](int strength, double value, double low, double high) {
    StrengthRow one;
    one.strength = strength;
    one.games = 100;
    one.first = Estimate{value, low, high};
    e.strengths.push_back(one);
  };
  const auto ids = [&] {
    std::string all;
    for (const Judgement& one : judge(e)) all += one.id + " ";
    return all;
  };
  Measure advantage;
  advantage.id = "advantage";
  advantage.value = Estimate{0.25, 0.17, 0.34};
  e.measures.push_back(advantage);
  row(0, 0.6, 0.5, 0.7);
  row(1, 0.3, 0.22, 0.4);
  row(3, 0.25, 0.17, 0.34);
  CHECK(has(ids(), "unfair ")); // chance contradicts nobody, and varied:1 says much the same
  e.strengths[1].first = Estimate{0.48, 0.38, 0.58};
  CHECK_FALSE(has(ids(), "unfair "));
  CHECK(has(ids(), "disputed "));
  e.strengths[1].games = 10; // too few to say anything
  CHECK(has(ids(), "unfair "));
  e.strengths[1].games = 100;
  e.strengths[1].first = Estimate{0.05, 0.01, 0.12}; // even more so
  CHECK(has(ids(), "unfair "));
}

TEST_CASE("evaluate: what is known is told when the time is over, and at every signal") {
  const std::string work = "evaluate breakthrough --games 100000 --strengths random,varied:1";
  const Run timed = run(work + " --time 500ms");
  CHECK(timed.status == 0);
  CHECK(has(timed.out, " were planned; the time, 0.5 s, was over before\n"));
  CHECK(run(work + " --time 0").status == 2);
  CHECK(run(work + " --time 5 --units x --on parallel:2").status == 2);
  // By then there are games of each strength against itself, which takes longer under sanitizers.
  const std::string seconds = kSanitized ? "20" : "3";
  for (const char* signal : {"TERM", "HUP", "INT"}) {
    INFO(signal);
    const Run ended = shell("timeout -s " + std::string(signal) + " " + seconds + " " + program_path() + " " +
                            work + "; echo status $?");
    CHECK(has(ended.out, "\n  by strength, each against itself:\n"));
  }
}

// What one turn decides. `RULE` says when its player has won; else the other one has.
json luck_of(const std::string& rolls, const std::string& rule, int games) {
  const std::string file =
      scratch().file("luck.yaml", "game: Luck\nplayers: [A, B]\nboard: { squares: 1 by 1 }\n"
                                  "pieces: { man: neutral m }\nsetup: { m: a1 }\nstate: { over: false }\n"
                                  "turn: roll n in " +
                                      rolls + ", choose k in 1 .. 2, say k, if " + rule +
                                      " then win else set over = true\nend: [win when over]\n");
  return evaluated(file + " --strengths random --games " + std::to_string(games))["measures"]["luck"];
}

TEST_CASE("luck is the part of results that is rolled") {
  CHECK(luck_of("1 .. 2", "n = 1", 60)["value"] == 1.0);
  const json none = luck_of("1 .. 2", "k = 1", 400);
  CHECK(none["low"] == 0.0);
  CHECK(none["high"].get<double>() < 0.2);
  // One of four pairs of numbers loses: the variance is 3/16, and that of the means by what was rolled 1/16.
  const json third = luck_of("1 .. 2", "n + k > 2", 20000);
  CHECK(third["low"].get<double>() < 1.0 / 3);
  CHECK(third["high"].get<double>() > 1.0 / 3);
  CHECK(third["high"].get<double>() - third["low"].get<double>() < 0.05);
}

TEST_CASE("nature's plies are no moves of players") {
  const json pig = evaluated("pig --set goal=10 --strengths random --games 20");
  const double branching = pig["strengths"][0]["branching"]["value"].get<double>();
  CHECK(branching > 1);
  CHECK(branching < 2); // roll, or roll and hold; of a die there would be six
  CHECK_FALSE(pig["measures"].contains("secrets"));
  CHECK_FALSE(
      evaluated("breakthrough --set columns=4 --strengths random --games 8")["measures"].contains("luck"));
}

// Who guesses is right once in three; who sees what was hidden always is.
TEST_CASE("what is hidden is worth what somebody wins who sees it") {
  const std::string file = scratch().file(
      "guess.yaml", "game: Guess\nplayers: [A, B]\nboard: { squares: 1 by 1 }\n"
                    "pieces: { man: neutral m }\nsetup: { m: a1 }\n"
                    "state: { mine: { private: 0 }, guess: { each: 0 } }\n"
                    "turn: if enemy.mine = 0 then secretly (choose k in 1 .. 3, say k, set mine = "
                    "k)\n  else (choose k in 1 .. 3, say k, set guess = k)\n"
                    "end: [lose when enemy.guess > 0 and enemy.guess = mine, win when enemy.guess > 0]\n");
  const json measures = evaluated(file + " --strengths varied:1 --games 60")["measures"];
  CHECK_FALSE(measures.contains("luck"));
  // 100 % of the games in which he guesses, two thirds of the others.
  CHECK(measures["secrets"]["low"].get<double>() < 5.0 / 6);
  CHECK(measures["secrets"]["high"].get<double>() > 5.0 / 6);
  CHECK(measures["secrets"]["low"].get<double>() > 0.5);
  const Run open = run("match " + file + " open: random --games 2");
  CHECK(open.status == 2);
  CHECK(has(open.err, "open:varied:3"));
}

} // namespace evaluate_test
