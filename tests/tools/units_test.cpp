// Work in units: in parts, by GNU parallel, with workers and drivers that are killed, it gives the same
// bytes.
#include "tests/tools/running.hpp"
#include "tools/evaluate/unit_files.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string>

using namespace boardwright::tests;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kWork =
    "breakthrough --set columns=5 --set rows=5 --games 12 --strengths random,level:1,level:3 --json";

std::string answer_alone() {
  static const Run alone = run(std::string("evaluate ") + kWork);
  REQUIRE(alone.status == 0);
  return alone.out;
}

std::string fresh_folder(const std::string& name) {
  fs::remove_all(scratch().path(name));
  return scratch().path(name);
}

std::size_t units_in(const std::string& folder) {
  std::size_t units = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (has(entry.path().filename().string(), ".unit.json")) ++units;
  return units;
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
  std::string changed = text;
  const std::size_t plies = changed.find("\"plies\":");
  if (plies != std::string::npos) changed.insert(plies + 8, "1");
  std::ofstream(other + "/" + name) << changed;
  if (changed != text) CHECK(has(run("merge " + one + " " + other).err, "different results of one unit"));
  std::ofstream(other + "/" + name) << "{}";
  CHECK(has(run("merge " + one + " " + other).err, "is not the result of the unit that its name says"));
  const std::string older = fresh_folder("older");
  fs::create_directories(older);
  auto unit = nlohmann::ordered_json::parse(text);
  unit["unit"]["version"] = "0.0.1";
  std::ofstream(older + "/" + boardwright::tools::unit_file_name(unit["unit"])) << unit.dump() << "\n";
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
                            "random,level:1 --until 20% --csv";
  CHECK(run(sweep + " --units " + folder + " --on parallel:2").out == run(sweep).out);
}

TEST_CASE("units: a worker and a driver that are killed cost their units only") {
  if (!has_parallel()) return;
  const std::string folder = fresh_folder("killed");
  // Kills one worker as soon as there is one, and the driver when some units are done.
  const std::string script =
      "program='" + fs::canonical(program_path()).string() + "'; folder='" + folder + "'; $program " +
      with_units(folder) +
      " --on parallel:2 > /dev/null & driver=$!; killed=; i=0; while [ $i -lt 400 ]; do i=$((i + 1)); "
      "for p in $(find /proc -maxdepth 2 -name exe -lname \"$program\"); do p=${p%/exe}; [ -z \"$killed\" ] "
      "&& "
      "grep -qa -e --quiet $p/cmdline && grep -qa \"$folder\" $p/cmdline && kill -9 ${p#/proc/} && killed=1; "
      "done; "
      "[ -n \"$killed\" ] && [ \"$(ls $folder | grep -c unit.json)\" -ge 2 ] && break; done 2>/dev/null; "
      "kill -9 $driver; wait $driver; echo killed $killed";
  if (!has(shell(script).out, "killed 1")) WARN("every worker was done before it could be killed");
  CHECK(units_in(folder) >= 1);
  CHECK(run(with_units(folder) + " --on parallel:2").out == answer_alone());
}
