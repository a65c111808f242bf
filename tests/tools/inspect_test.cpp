// inspect: the forms that rules have become, as people see them.
#include "interpreter/load.hpp"
#include "runtime/codegen/native_code.hpp"
#include "runtime/game/compiled.hpp"
#include "runtime/game/inspect.hpp"
#include "runtime/ir/print.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <vector>

namespace inspect_test {

namespace {

using namespace boardwright;

struct Run {
  int status = -1;
  std::string out; // what it prints, on either stream
};

Run run(const std::string& arguments) {
  Run result;
  FILE* pipe = popen(("'" + tests::program_path() + "' inspect " + arguments + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    result.out.append(buffer.data(), got);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return result;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

interpreter::Loaded load(const std::string& game) {
  interpreter::Loaded loaded = interpreter::load(game, {});
  REQUIRE(loaded.rules != nullptr);
  return loaded;
}

} // namespace

TEST_CASE("inspect shows Breakthrough's head, normal form and code") {
  const Run all = run("breakthrough");
  INFO(all.out);
  REQUIRE(all.status == 0);
  for (const char* part :
       {"players: White, Black\n", "sets: 64 cells in 64 bits\n", "mailbox: ", "stacks: no\n",
        " instructions, ", "moves compared when found: no player's\n", "native code: ",
        "\nnormal form of White\n\nturn\n", "\nnormal form of Black\n\nturn\n", "\ncode of White\n\nL",
        "\ncode of Black\n\nL", "(in `turn`)", "begin_turn", ":White", ":empty", "leaf 0 (", "halt"})
    CHECK(has(all.out, part));
}

TEST_CASE("inspect shows the part that is asked for") {
  const Run normal = run("breakthrough --normal --player White");
  CHECK(normal.status == 0);
  CHECK(has(normal.out, "normal form of White"));
  CHECK_FALSE(has(normal.out, "normal form of Black"));
  CHECK_FALSE(has(normal.out, "code of White"));
  const Run code = run("breakthrough --code --player Black");
  CHECK(has(code.out, "code of Black"));
  CHECK_FALSE(has(code.out, "code of White"));
  CHECK_FALSE(has(code.out, "normal form of"));
  const Run wrong = run("breakthrough --player Red");
  CHECK(wrong.status == 2);
  CHECK(has(wrong.out, "no player `Red`; the players are White, Black"));
  CHECK(run("/no/such/file.yaml").status == 3);
}

TEST_CASE("inspect prints JSON") {
  const Run result = run("breakthrough --json");
  REQUIRE(result.status == 0);
  const auto json = nlohmann::json::parse(result.out);
  CHECK(json["cells"] == 64);
  CHECK(json["set_bits"] == 64);
  CHECK(json["stacks"] == false);
  CHECK(json["instructions"].get<int>() > 0);
  REQUIRE(json["players"].size() == 2);
  CHECK(json["players"][0]["name"] == "White");
  CHECK(json["players"][0]["compares_moves"] == false);
  CHECK(has(json["players"][1]["code"].get<std::string>(), "begin_turn"));
  CHECK(json["native"] == runtime::codegen::NativeCode::possible());
  CHECK(json["fall_back"].is_array() == runtime::codegen::NativeCode::possible());
}

TEST_CASE("the code of all players is all the code, and its labels are there") {
  const auto loaded = load("breakthrough");
  const runtime::Inspection found = inspect(*loaded.rules);
  std::size_t instructions = 0;
  std::set<std::string> placed, named;
  for (const int player : {0, 1})
    for (const std::string& line : lines_of(compiled_form(*loaded.rules, player))) {
      if (line[0] == 'L') placed.insert(line.substr(0, line.find(':')));
      if (line.compare(0, 4, "    ") != 0) continue;
      ++instructions;
      static const std::regex label("\\bL[0-9]+\\b");
      for (auto it = std::sregex_iterator(line.begin(), line.end(), label); it != std::sregex_iterator();
           ++it)
        named.insert(it->str());
    }
  CHECK(instructions == found.instructions);
  CHECK_FALSE(named.empty());
  for (const std::string& label : named) CHECK(placed.count(label) == 1);
}

// They are interpreted.
TEST_CASE("games whose instructions are counted are the same games") {
  if (!runtime::codegen::NativeCode::possible()) return;
  for (const char* game : {"breakthrough", "tempo", "tak", "lasca"}) {
    CAPTURE(game);
    const auto loaded = load(game);
    const auto plain = loaded.rules->compiled().tables->engine();
    const auto counted = loaded.rules->compiled().tables->engine();
    for (const auto* engine : {&plain, &counted}) (*engine)->load(loaded.rules->program().initial);
    REQUIRE(counted->falls_back() != nullptr);
    std::vector<std::uint64_t> counts;
    counted->count_instructions(&counts);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      runtime::Random one(seed), other(seed);
      const auto a = plain->playout(one, 200), b = counted->playout(other, 200);
      REQUIRE((a && b));
      CHECK(a->plies == b->plies);
      CHECK(a->moves == b->moves);
      CHECK(a->outcome == b->outcome);
    }
    std::uint64_t turns = 0;
    for (std::size_t k = 0; k < counts.size(); ++k)
      if (loaded.rules->compiled().code.instructions[k].op == runtime::ir::Op::begin_turn) turns += counts[k];
    CHECK(turns > 0);
  }
}

TEST_CASE("an operation is described by itself") {
  using runtime::ir::Op;
  CHECK(runtime::ir::description_of(Op::halt) == "done");
  const std::string leaves = runtime::ir::description_of(Op::leaf_keys);
  CHECK(leaves.find("the draft is a move of leaf x, ") == 0);
  CHECK(leaves.find("; likewise, but every cell") != std::string::npos);
}

TEST_CASE("inspect tells where moves are compared") {
  const std::string file = tests::source_root() + "/tests/regressions/alike_by_their_paths.yaml";
  const Run compared = run("'" + file + "' --normal --player White");
  CHECK(has(compared.out, "moves compared when found: those of White, Black\n"));
  CHECK(has(compared.out, "alike_by_their_paths.yaml:"));
  CHECK(has(compared.out, "So every way through the turn\n  is followed to the end"));
  const Run chess = run("chess --normal --player White");
  CHECK(has(chess.out, "moves compared when found: some, those that end in these places\n"));
  CHECK(has(chess.out, "So the ways through the turn\n  that end there are followed to the end"));
  const Run tak = run("tak --normal --player White");
  CHECK(has(tak.out, "moves compared when found: no player's\n"));
  CHECK(has(tak.out, "stacks: yes"));
}

TEST_CASE("the share that falls back is the same each time, and nothing without native code") {
  for (const char* game : {"breakthrough", "tempo"}) {
    const auto loaded = load(game);
    const auto share = measured_fall_back(*loaded.rules);
    CHECK(share.has_value() == runtime::codegen::NativeCode::possible());
    if (!share) continue;
    CHECK(*share >= 0);
    CHECK(*share < 1);
    CHECK(share == measured_fall_back(*loaded.rules));
    const runtime::Inspection found = inspect(*loaded.rules);
    CHECK((*share == 0 || found.falling_back > 0));
    CHECK(found.falling_back < found.instructions);
  }
}

TEST_CASE("the label of a move is the one that stands in the list") {
  for (const char* name : {"hex", "chess", "eximo", "tzaar"}) {
    runtime::Game game(load(name).rules);
    for (int ply = 0; ply < 12; ++ply) {
      const auto moves = game.moves();
      REQUIRE(moves);
      std::vector<std::uint64_t> labels;
      REQUIRE(game.append_labels(labels));
      REQUIRE(labels.size() == moves->size());
      for (std::uint32_t i = 0; i < labels.size(); ++i) REQUIRE(runtime::label_of_move(game, i) == labels[i]);
      CHECK_FALSE(runtime::label_of_move(game, static_cast<std::uint32_t>(labels.size())));
      REQUIRE(game.play((*moves)[moves->size() / 2]));
    }
  }
}

} // namespace inspect_test
