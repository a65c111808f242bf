// Native code does what the executor does without it: the same seeds give the same games, positions have the
// same moves, and what goes wrong goes wrong in the same place.
#include "tests/rule_files.hpp"

#include "interpreter/load.hpp"
#include "runtime/codegen/native_code.hpp"
#include "runtime/executor/engine.hpp"
#include "runtime/game/inspect.hpp"
#include "runtime/lowering/lower.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace native_code_test {

using namespace boardwright;
using namespace boardwright::runtime;
using executor::Engine;
using executor::Purpose;

namespace {

constexpr std::uint32_t kPlies = 40;        // of a game: what is wrong shows early
constexpr int kJudged = 12;                 // positions of another game, judged and played by their lists
constexpr std::uint64_t kManyMoves = 20000; // a game that has come to a position with so many is left

// The two ways to carry out a file.
struct Pair {
  explicit Pair(const std::string& file)
      : rules(tests::load_rules(file)), program(rules->program()), code(lowering::lower(program)) {
    if (code.too_large) return;
    tables = executor::make_tables(program, code);
    for (auto* engine : {&native, &interpreted}) {
      *engine = tables->engine();
      (*engine)->load(rules->program().initial);
    }
    interpreted->allow_native(false);
  }

  std::shared_ptr<const Rules> rules;
  Program program;
  ir::Code code;
  std::unique_ptr<executor::AnyTables> tables;
  std::unique_ptr<Engine> native, interpreted;
};

// Both have a value, or the same fault.
template <class T>
bool both(const tl::expected<T, Fault>& a, const tl::expected<T, Fault>& b) {
  REQUIRE(a.has_value() == b.has_value());
  if (a) return true;
  CHECK(a.error().message == b.error().message);
  CHECK(a.error().origin == b.error().origin);
  return false;
}

void compare_outcomes(const std::optional<Outcome>& a, const std::optional<Outcome>& b) {
  REQUIRE(a.has_value() == b.has_value());
  if (!a) return;
  CHECK(a->winners == b->winners);
  CHECK(a->origin == b->origin);
}

void compare_positions(const Position& a, const Position& b) {
  CHECK(a.same_as(b));
  CHECK(a.ply == b.ply);
  CHECK(a.turns == b.turns);
}

void compare_games(Pair& pair) {
  // Longer and longer, but no further where positions have very many moves.
  std::uint64_t seed = 0;
  for (const std::uint32_t plies : {1U, 2U, 5U, kPlies, kPlies}) {
    ++seed;
    Random one(seed), other(seed);
    const auto a = pair.native->playout(one, plies), b = pair.interpreted->playout(other, plies);
    if (!both(a, b)) continue;
    CHECK(a->plies == b->plies);
    CHECK(a->moves == b->moves);
    compare_outcomes(a->outcome, b->outcome);
    CHECK(pair.native->key() == pair.interpreted->key());
    compare_positions(pair.native->position(), pair.interpreted->position());
    if (a->moves > kManyMoves / 10) return;
  }
}

// One move of a position; false where the game goes no further.
bool compare_position(Pair& pair, Random& random) {
  for (const Purpose purpose : {Purpose::any, Purpose::count, Purpose::list}) {
    const auto a = pair.native->judge(purpose), b = pair.interpreted->judge(purpose);
    if (!both(a, b)) return false;
    compare_outcomes(a->outcome, b->outcome);
    REQUIRE(a->moves == b->moves);
    if (a->outcome || a->moves == 0 || (purpose != Purpose::any && a->moves > kManyMoves)) return false;
    if (purpose != Purpose::list) continue;
    bool same_scripts = true;
    for (std::size_t m = 0; m < a->moves; ++m)
      same_scripts = same_scripts && pair.native->script(m) == pair.interpreted->script(m);
    REQUIRE(same_scripts);
    const auto k = static_cast<std::size_t>(random.below(a->moves));
    const executor::Script script = pair.native->script(k);
    const auto text = pair.native->notation(script), same = pair.interpreted->notation(script);
    if (!both(text, same)) return false;
    CHECK(*text == *same);
    const auto x = pair.native->play(script), y = pair.interpreted->play_listed(k);
    if (!both(x, y)) return false;
    compare_outcomes(*x, *y);
    compare_positions(pair.native->position(), pair.interpreted->position());
    if (*x) return false;
  }
  return true;
}

void compare(const std::string& file) {
  INFO(file);
  Pair pair(file);
  if (pair.tables == nullptr) return;
  compare_games(pair);
  for (Engine* engine : {pair.native.get(), pair.interpreted.get()})
    engine->load(pair.rules->program().initial);
  Random random(5);
  int positions = 0;
  while (positions < kJudged && compare_position(pair, random)) ++positions;
  while (pair.native->undo()) REQUIRE(pair.interpreted->undo());
  compare_positions(pair.native->position(), pair.interpreted->position());
  CHECK(pair.native->is_native() == codegen::NativeCode::possible());
  CHECK_FALSE(pair.interpreted->is_native());
}

// Some files beside them are vocabularies.
bool is_game(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line))
    if (line.rfind("game:", 0) == 0) return true;
  return false;
}

void compare_folder(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tests::source_root() + "/" + folder))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  REQUIRE(files.size() > 10);
  std::erase_if(files, [](const std::string& file) { return !is_game(file); });
  const std::size_t one_in = files.size() > 100 ? 16 : 4;
  for (const std::string& file : tests::sampled(files, one_in)) compare(file);
}

} // namespace

// Games are the same where an operation falls back to the executor: only this shows that it needn't.
TEST_CASE("slides have native code on boards of up to four words", "[native]") {
  if (!codegen::NativeCode::possible()) return;
  const auto falls_back = [](const std::string& side, const std::string& directions) {
    const auto loaded = interpreter::load_text("slides.yaml", "game: Slides\n"
                                                              "players: [White, Black]\n"
                                                              "board: { squares: " +
                                                                  side + " by " + side +
                                                                  " }\n"
                                                                  "pieces: { rook: r s }\n"
                                                                  "setup: { r: a1, s: h8 }\n"
                                                                  "turn: from own, slide(" +
                                                                  directions + ")\n");
    if (!loaded) FAIL(loaded.errors());
    const auto all = inspect(*loaded.rules).fall_back;
    return std::any_of(all.begin(), all.end(),
                       [](const FallBack& one) { return one.operation == "set_slides"; });
  };
  CHECK_FALSE(falls_back("8", "east | west"));
  CHECK_FALSE(falls_back("16", "east | west"));
  CHECK_FALSE(falls_back("16", "all"));
  CHECK(falls_back("17", "east | west"));
}

TEST_CASE("Bundled games are the same as native code", "[native]") { compare_folder("game-defs"); }
TEST_CASE("Every construct is the same as native code", "[native]") { compare_folder("tests/constructs"); }
TEST_CASE("The rules of other tests are the same as native code", "[native]") {
  compare_folder("tests/rules");
}

} // namespace native_code_test
