// What is constant is worked out at load, by the walker itself, which is the judge of everything else. So the
// walker also carries out the rules as they were written: both programs have the same moves, results and
// outcomes.
#include "compare_engines.hpp"
#include "rule_files.hpp"

#include "dsl/finder.hpp"
#include "interpreter/compile.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace folding_test {

using namespace boardwright;

namespace {

namespace fs = std::filesystem;

// A vocabulary is no game: no line of it begins like this.
bool is_game(const fs::path& path) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("game:") || line.starts_with("extends:")) return true;
  return false;
}

std::vector<std::string> files() {
  std::vector<std::string> all = tests::bundled_games();
  for (const char* folder : {"/tests/constructs", "/tests/rules"})
    for (const auto& entry : fs::directory_iterator(std::string(tests::source_root()) + folder))
      if (entry.path().extension() == ".yaml" && is_game(entry.path())) all.push_back(entry.path().string());
  std::sort(all.begin(), all.end());
  return all;
}

std::shared_ptr<const runtime::Program> compiled(const std::string& file, bool fold) {
  dsl::Sources sources;
  dsl::Diagnostics diagnostics;
  const auto read = dsl::read_rule_file(file, dsl::standard_finder(), sources, diagnostics);
  REQUIRE(read.has_value());
  bool bad_setting = false;
  interpreter::CompileOptions options;
  options.fold = fold;
  auto program = interpreter::compile(*read, {}, sources, diagnostics, bad_setting, options);
  INFO(dsl::render(diagnostics, sources, false));
  REQUIRE(program != nullptr);
  return program;
}

// The steps that the walker takes for one answer: what takes longer as it was written is left out.
constexpr std::uint64_t kSteps = tests::kSanitized ? 20'000 : 300'000;

struct Compared {
  int positions = 0;
  bool too_long = false; // as it was written
};

std::string text_of(const runtime::Program& program, const runtime::WalkedMove& move) {
  return move.notation + " to " + tests::describe(program, move.after) + ", " + tests::describe(move.outcome);
}

// A random game by the walker on both programs.
Compared compare(const runtime::Program& folded, const runtime::Program& written, std::uint64_t seed,
                 int plies) {
  const runtime::Walker by_folded(folded, kSteps), by_written(written, kSteps);
  runtime::Random random(seed);
  runtime::Position position = folded.initial;
  std::vector<runtime::Position> past;
  Compared compared;
  for (int ply = 0; ply < plies; ++ply) {
    runtime::Position same = position;
    const auto outcome = by_folded.outcome(position, past), outcome_written = by_written.outcome(same, past);
    const auto moves = by_folded.derive(position, past), moves_written = by_written.derive(same, past);
    compared.too_long = !outcome_written || !moves_written;
    if (compared.too_long || !outcome || !moves) return compared;
    INFO(tests::describe(folded, position));
    REQUIRE(tests::describe(*outcome) == tests::describe(*outcome_written));
    REQUIRE(tests::describe(folded, position) == tests::describe(written, same));
    REQUIRE(moves->size() == moves_written->size());
    for (std::size_t i = 0; i < moves->size(); ++i)
      REQUIRE(text_of(folded, (*moves)[i]) == text_of(written, (*moves_written)[i]));
    ++compared.positions;
    if (*outcome || moves->empty()) return compared;
    const auto& move = (*moves)[random.below(moves->size())];
    if (move.outcome) return compared;
    past.push_back(position);
    position = move.after;
  }
  return compared;
}

} // namespace

TEST_CASE("rules mean the same whether or not what is constant was worked out at load") {
  constexpr int kGames = tests::kSanitized ? 1 : 3, kPlies = tests::kSanitized ? 4 : 12;
  int larger = 0, programs = 0, positions = 0, too_long = 0;
  for (const auto& file : files()) {
    INFO(file);
    const auto folded = compiled(file, true), written = compiled(file, false);
    ++programs;
    larger += written->nodes.size() > folded->nodes.size() ? 1 : 0;
    for (int game = 0; game < kGames; ++game) {
      const auto compared = compare(*folded, *written, static_cast<std::uint64_t>(game) + 1, kPlies);
      positions += compared.positions;
      too_long += compared.too_long ? 1 : 0;
    }
  }
  CAPTURE(programs, larger, positions, too_long);
  CHECK(programs > 60);
  CHECK(larger > programs * 2 / 3); // else nothing was put back
  CHECK(positions > 2 * programs);
  CHECK(too_long < programs * kGames / 4);
}

TEST_CASE("expressions are kept as they were written only where that is asked for") {
  dsl::Sources sources;
  dsl::Diagnostics diagnostics;
  const std::string text = "game: T\nplayers: [A]\nboard: { squares: 3 by 3 }\npieces: { man: m }\n"
                           "turn: if 1 + 1 = 2 then place(man, rank(2) & empty) else pass\n";
  const auto file = dsl::read_rule_file("t.yaml", dsl::finder_with("t.yaml", text), sources, diagnostics);
  REQUIRE(file.has_value());
  bool bad_setting = false;
  interpreter::CompileOptions as_written;
  as_written.fold = false;
  const auto has = [](const runtime::Program& program, runtime::Op op) {
    return std::any_of(program.nodes.begin(), program.nodes.end(),
                       [op](const auto& n) { return n.op == op; });
  };
  const auto folded = interpreter::compile(*file, {}, sources, diagnostics, bad_setting);
  const auto written = interpreter::compile(*file, {}, sources, diagnostics, bad_setting, as_written);
  REQUIRE((folded != nullptr && written != nullptr));
  for (const auto op : {runtime::Op::add, runtime::Op::rank_of, runtime::Op::if_action}) {
    CHECK_FALSE(has(*folded, op));
    CHECK(has(*written, op));
  }
}

} // namespace folding_test
