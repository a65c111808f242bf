// Work in units: in parts, by GNU parallel, with workers and drivers that are killed, it gives the same
// bytes.
#include "tests/tools/running.hpp"
#include "tools/evaluate/unit_files.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string>

namespace units_test {

using namespace boardwright::tests;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kWork =
    "breakthrough --set columns=5 --set rows=5 --games 12 --strengths random,varied:1,varied:3 --json";

std::string answer_alone() {
  static const Run alone = run(std::string("evaluate ") + kWork);
  REQUIRE(alone.status == 0);
  return alone.out;
}

// Pieces that take long enough for a worker and a driver to be caught at them.
#ifdef __SANITIZE_ADDRESS__
constexpr const char* kLongWork =
    "evaluate breakthrough --set columns=5 --set rows=5 --games 12 --strengths varied:2,varied:3 --json";
#else
constexpr const char* kLongWork =
    "evaluate breakthrough --set columns=5 --set rows=5 --games 12 --strengths varied:5,varied:6 --json";
#endif

// An answer of `playouts` or `match` but for the time that it took.
json without_times(const std::string& text) {
  json answer = json::parse(text);
  answer.erase("seconds");
  answer.erase("cpu_seconds");
  if (answer.contains("players"))
    for (json& player : answer["players"]) {
      player.erase("seconds");
      player.erase("longest_ms");
      player.erase("cpu_time");
    }
  return answer;
}

std::string with_units(const std::string& folder) {
  return std::string("evaluate ") + kWork + " --units " + folder;
}

bool has_parallel() {
  if (shell("command -v parallel").status == 0) return true;
  WARN("GNU parallel is not installed: not tried");
  return false;
}

} // namespace

TEST_CASE("units: with a folder the same bytes, and what is there isn't done again") {
  const std::string folder = fresh_folder("kept");
  CHECK(run(with_units(folder) + " --threads 2").out == answer_alone());
  const std::size_t units = units_in(folder);
  CHECK(units == 16); // five pairs of strengths of three units each, and the use of the rules
  const auto any = std::find_if(fs::directory_iterator(folder), fs::directory_iterator(),
                                [](const auto& entry) { return has(entry.path().string(), ".unit.json"); });
  const auto before = fs::last_write_time(any->path());
  CHECK(run(with_units(folder)).out == answer_alone());
  CHECK(fs::last_write_time(any->path()) == before);
  // What is broken off, or of something else, is done again.
  std::ofstream(any->path()) << "{\"unit\": {}";
  CHECK(run(with_units(folder)).out == answer_alone());
  CHECK(units_in(folder) == units);
}

TEST_CASE("units: what was changed since it was written is done again, and what is no file is told") {
  const std::string folder = fresh_folder("changed");
  REQUIRE(run(with_units(folder)).status == 0);
  std::size_t changed = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::string text = read(entry.path().string());
    const auto at = text.find("\"plies\":"); // how long a game was: one more digit
    if (at == std::string::npos) continue;
    text.insert(at + 8, "1");
    std::ofstream(entry.path()) << text;
    ++changed;
  }
  CHECK(changed == 15);
  const Run merged = run("merge " + folder);
  CHECK(merged.status == 1);
  CHECK(has(merged.err, "or was changed since"));
  CHECK(run(with_units(folder)).out == answer_alone());
  CHECK(run("merge " + folder).status == 0);
  // Whoever opened a FIFO would wait for somebody at its other end.
  const auto any = std::find_if(fs::directory_iterator(folder), fs::directory_iterator(),
                                [](const auto& entry) { return has(entry.path().string(), ".unit.json"); });
  const std::string path = any->path().string();
  REQUIRE(shell("rm '" + path + "' && mkfifo '" + path + "'").status == 0);
  const Run refused = run(with_units(folder));
  CHECK(refused.status == 3);
  CHECK(has(refused.err, "it is a FIFO"));
}

TEST_CASE("units: parts of the work, merged, give the same bytes; what is missing is told") {
  const std::string one = fresh_folder("one"), two = fresh_folder("two"), all = fresh_folder("all");
  const Run part = run(with_units(one) + " --shard 1/3");
  CHECK(part.status == 0);
  CHECK(has(part.out, "part 1 of 3: 6 units done, 0 were there before, 10 of the whole are missing yet"));
  CHECK(run(with_units(two) + " --shard 2/3").status == 0);
  const Run some = run("merge " + one + " " + two + " " + one + " --into " + all);
  CHECK(some.status == 1);
  CHECK(has(some.out, "11 units, 6 of them more than once\n"));
  CHECK(has(some.out, "5 of 16 units are missing: boardwright evaluate breakthrough --set columns=5 --set "
                      "rows=5 --games 12 "));
  CHECK(has(some.out, " against "));
  CHECK(run(with_units(two) + " --shard 3/3").status == 0);
  const Run merged = run("merge " + one + " " + two + " --into " + all + " --json");
  CHECK(merged.status == 0);
  CHECK(json::parse(merged.out)["plans"][0]["missing"].empty());
  CHECK(run(with_units(all)).out == answer_alone());
}

TEST_CASE("merge: several versions, two results of one unit and strange files are refused") {
  const std::string one = fresh_folder("mixed");
  CHECK(run(with_units(one) + " --shard 1/5").status == 0);
  const auto any = std::find_if(fs::directory_iterator(one), fs::directory_iterator(),
                                [](const auto& entry) { return has(entry.path().string(), ".unit.json"); });
  const std::string name = any->path().filename().string(), text = read(any->path().string());
  const std::string other = fresh_folder("other");
  fs::create_directories(other);
  auto unit = nlohmann::ordered_json::parse(text)["unit"];
  auto result = boardwright::tools::result_in(text, unit);
  REQUIRE(result);
  if (!result->games.empty()) {
    ++result->games.front().plies;
    std::ofstream(other + "/" + name) << boardwright::tools::unit_file_text(unit, *result);
    CHECK(has(run("merge " + one + " " + other).err, "different results of one unit"));
  }
  std::ofstream(other + "/" + name) << "{}";
  CHECK(has(run("merge " + one + " " + other).err, "is not the result of the unit that its name says"));
  const std::string older = fresh_folder("older");
  fs::create_directories(older);
  unit["version"] = "0.0.1";
  std::ofstream(older + "/" + boardwright::tools::unit_file_name(unit))
      << boardwright::tools::unit_file_text(unit, *result);
  const Run mixed = run("merge " + one + " " + older);
  CHECK(mixed.status == 1);
  CHECK(has(mixed.err, "the units are of several versions, whose games may differ: \"0.0.1\", "));
  CHECK(run("merge /no/such/folder").status == 1);
  CHECK(run("merge " + one).status == 1); // some are missing
}

TEST_CASE("units: by GNU parallel the same bytes") {
  if (!has_parallel()) return;
  const std::string folder = fresh_folder("by_parallel");
  const Run done = run(with_units(folder) + " --on parallel:4");
  INFO(done.err);
  CHECK(done.status == 0);
  CHECK(done.out == answer_alone());
  const std::string sweep = "sweep breakthrough --set columns=3,4 --set rows=5 --games 8 --strengths "
                            "random,varied:1 --until 20% --csv";
  CHECK(run(sweep + " --units " + folder + " --on parallel:2").out == run(sweep).out);
}

TEST_CASE("units: a worker and a driver that are killed cost their units only") {
  if (!has_parallel()) return;
  const std::string folder = fresh_folder("killed"), work = std::string(kLongWork) + " --units " + folder;
  const Run alone = run(kLongWork);
  REQUIRE(alone.status == 0);
  // GNU parallel runs each line by this shell, which kills the first worker as soon as it is one.
  const std::string shell_that_kills = scratch().file("shell", R"script(#!/bin/sh
/bin/sh "$@" & worker=$!
if mkdir "$caught" 2>/dev/null; then
  shell=$(readlink -f /bin/sh)
  while [ "$(readlink /proc/$worker/exe)" = "$shell" ]; do :; done
  [ "$(readlink /proc/$worker/exe)" = "$program" ] && kill -9 $worker && touch "$caught/killed"
fi
wait $worker
)script");
  fs::permissions(shell_that_kills, fs::perms::owner_all);
  fs::remove_all(folder + ".caught");
  // The driver is killed when some units are done.
  const std::string script = "export PARALLEL_SHELL=" + shell_that_kills + " caught=" + folder +
                             ".caught program='" + fs::canonical(program_path()).string() +
                             "'; \"$program\" " + work +
                             " --on parallel:2 > /dev/null & driver=$!; "
                             "while kill -0 $driver && [ \"$(ls " +
                             folder +
                             " | grep -c unit.json)\" -lt 2 ]; do sleep 0.01; done "
                             "2>/dev/null; kill -9 $driver; wait $driver; echo driver $?";
  CHECK(shell(script).out == "driver 137\n");
  CHECK(fs::exists(folder + ".caught/killed"));
  CHECK(units_in(folder) >= 2);
  CHECK(run(work + " --on parallel:2").out == alone.out);
}

TEST_CASE("units: random games, alone, in parts and by workers, are the same") {
  const std::string games =
      "playouts breakthrough --set columns=4 --set rows=5 --count 15000 --from 5000 --json";
  const std::string whole = fresh_folder("games");
  const Run kept = run(games + " --units " + whole + " --threads 2");
  REQUIRE(kept.status == 0);
  CHECK(units_in(whole) == 2); // 5,000 games up to number 10,000, then 10,000
  const json alone = without_times(run(games).out);
  CHECK(alone == json::parse(kept.out));
  CHECK(alone["playouts"] == 15000);
  const std::string one = fresh_folder("games1"), two = fresh_folder("games2"), all = fresh_folder("games3");
  CHECK(has(run(games + " --units " + one + " --shard 1/2").out,
            "part 1 of 2: 1 units done, 0 were there before, 1 of the whole are missing yet"));
  CHECK(has(run("merge " + one).out, "\n  random games 10001 to 20000, of rules "));
  CHECK(run(games + " --units " + two + " --shard 2/2").status == 0);
  CHECK(run("merge " + one + " " + two + " --into " + all).status == 0);
  CHECK(run(games + " --units " + all).out == kept.out);
  CHECK(run(games + " --units " + all + " --shard 2/2").out == kept.out);
  // Another range of the same games finds those that are there.
  const std::string others = "playouts breakthrough --set columns=4 --set rows=5 --count 10000 --from 10000";
  const auto before = fs::last_write_time(whole);
  CHECK(has(run(others + " --units " + whole + " --shard 1/1").out,
            "10,000 random games, seed 1, from number 10000"));
  CHECK(units_in(whole) == 2);
  CHECK(run(games + " --position 'play: a2-a3' --units " + whole).out != kept.out);
  CHECK(units_in(whole) == 4);
  CHECK(before <= fs::last_write_time(whole));
  CHECK(run("playouts breakthrough --count 99999999999 --units " + whole).status == 2);
  if (!has_parallel()) return;
  CHECK(run(games + " --units " + fresh_folder("games4") + " --on parallel:3").out == kept.out);
}

TEST_CASE("units: a match, alone, in parts and by workers, is the same") {
  const std::string begin = "match breakthrough --set columns=4 --set rows=5 mcts level:2 --nodes 100 --json";
  const std::string match = begin + " --games 12";
  const std::string whole = fresh_folder("match");
  const Run kept = run(match + " --units " + whole + " --jobs 2");
  REQUIRE(kept.status == 0);
  CHECK(units_in(whole) == 3);
  CHECK(without_times(run(match).out) == json::parse(kept.out));
  const std::string one = fresh_folder("match1"), two = fresh_folder("match2"), all = fresh_folder("match3");
  CHECK(run(match + " --units " + one + " --shard 1/2").status == 0);
  CHECK(has(run("merge " + one).out, "\n  pairs of games 3 to 4 of a match, of rules "));
  CHECK(run(match + " --units " + two + " --shard 2/2").status == 0);
  CHECK(run("merge " + one + " " + two + " --into " + all).status == 0);
  CHECK(run(match + " --units " + all).out == kept.out);
  // The games of a part are those of the whole: 8 and then 4 of them.
  const json first = without_times(run(begin + " --games 8").out),
             rest = without_times(run(begin + " --games 4 --from 8").out);
  const json sum = json::parse(kept.out);
  CHECK(first["plies"].get<int>() + rest["plies"].get<int>() == sum["plies"].get<int>());
  CHECK(rest["from"] == 8);
  CHECK(run(match + " --position 'play: a2-a3' --units " + whole).status == 0);
  CHECK(run(match + " --opening 2 --units " + whole).status == 0);
  CHECK(units_in(whole) == 9);
  if (!has_parallel()) return;
  CHECK(run(match + " --units " + fresh_folder("match4") + " --on parallel:2").out == kept.out);
}

TEST_CASE("units: what isn't the same every time isn't done in units") {
  const std::string units = " --units " + fresh_folder("refused");
  const auto why = [&](const std::string& rest) {
    const Run refused = run("match breakthrough " + rest + units);
    CAPTURE(rest);
    CHECK(refused.status == 2);
    return refused.err;
  };
  CHECK(has(why("auto random --time 20ms"), "--time"));
  CHECK(has(why("level:1 random --cpu"), "--cpu"));
  CHECK(has(why("level:1 random --sprt"), "--sprt"));
  CHECK(has(why("level:1 random --record games.txt"), "--record"));
  CHECK(has(why("auto random"), "`auto` needs --nodes: only games whose players count positions"));
  CHECK(has(why("level:10 random"), "`level:10` needs --nodes"));
  const std::string counting = "match breakthrough --set columns=3 level:9 varied:8 --games 2 --max-plies 2";
  CHECK(run(counting + " --units " + fresh_folder("counting")).status == 0);
  CHECK(has(why("mcts:threads=2 random --nodes 10"), "several threads don't think the same"));
  CHECK(has(why("level:1 random --from 3"), "games come in pairs"));
  CHECK(run("playouts breakthrough --shard 1/2").status == 2);
  CHECK(run("playouts breakthrough --on slurm: " + units).status == 2);
  CHECK(units_in(scratch().path("refused")) == 0);
}

TEST_CASE("units: a list of commands for other schedulers") {
  const std::string folder = fresh_folder("listed"), list = scratch().path("list");
  const std::string sweep = "sweep breakthrough --set columns=3,4 --set rows=5 --games 8 --strengths "
                            "random,varied:1 --csv";
  const std::string listing = sweep + " --units " + folder + " --on list:" + list;
  const Run told = run(listing);
  CHECK(told.status == 0);
  CHECK(has(told.out, "14 pieces of work are to be done: see "));
  CHECK(units_in(folder) == 0);
  CHECK(shell("sh -e " + list).out.empty());
  CHECK(units_in(folder) == 14);
  CHECK(run(listing).out == run(sweep).out);
  CHECK(read(list).empty());
}

} // namespace units_test
