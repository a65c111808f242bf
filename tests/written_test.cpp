// Whole rule files written at random (tests/written/), each loaded and judged.
//
//   BOARDWRIGHT_WRITTEN=N         so many files instead of those below
//   BOARDWRIGHT_WRITTEN_FIRST=S   from this seed on
//   BOARDWRIGHT_WRITTEN_PRINT=1   prints every file before it is tried, for those that end the process
//   BOARDWRIGHT_WRITTEN_STATISTICS=1   prints what became of them, and why files were refused
//   BOARDWRIGHT_WRITTEN_FOLDER=F   writes each failure into a file of this folder
//   BOARDWRIGHT_WRITTEN_REDUCE=0  failures as they were written, not cut down
#include "dsl/yaml.hpp"
#include "interpreter/load.hpp"
#include "rule_files.hpp"
#include "runtime/model/random.hpp"
#include "tests/pages/page.hpp"
#include "tests/paths.hpp"
#include "tests/tools/running.hpp"
#include "tests/written/cross.hpp"
#include "tests/written/judge_file.hpp"
#include "tests/written/reduce.hpp"
#include "tests/written/splice.hpp"
#include "tests/written/writer.hpp"
#include "tools/console/json.hpp"
#include "tools/english/reasons.hpp"
#include "tools/pages/constructs.hpp"
#include "tools/pages/game_tables.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace written_test {

using namespace boardwright;

namespace {

std::uint64_t from_environment(const std::string& name, std::uint64_t otherwise) {
  const char* text = std::getenv(("BOARDWRIGHT_WRITTEN" + name).c_str());
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// So many characters of what is told of a file that is refused.
constexpr std::size_t kShown = 400;

struct Sums {
  int files = 0, loaded = 0, with_moves = 0, positions = 0, without_move = 0, faults = 0, too_long = 0,
      too_large = 0;
  std::map<std::string, std::vector<std::string>> refused; // what is told, by its first line

  void add(const tests::FileJudgement& file) {
    ++files;
    if (!file.loaded) {
      const auto begin = file.refused.find("error");
      refused[file.refused.substr(begin, file.refused.find('\n') - begin)].push_back(file.refused);
      return;
    }
    ++loaded;
    with_moves += file.judged.positions > file.judged.without_move ? 1 : 0;
    positions += file.judged.positions;
    without_move += file.judged.without_move;
    faults += file.judged.faults;
    too_long += file.judged.too_long ? 1 : 0;
    too_large += file.judged.too_large ? 1 : 0;
  }

  [[nodiscard]] std::string text() const {
    return std::to_string(files) + " files: " + std::to_string(loaded) + " loaded, " +
           std::to_string(with_moves) + " with moves, " + std::to_string(positions) + " positions, " +
           std::to_string(without_move) + " without a move, " + std::to_string(faults) + " faults, " +
           std::to_string(too_long) + " broken off, " + std::to_string(too_large) + " too large";
  }

  // The most frequent reasons first.
  void print_refused() const {
    std::multimap<std::size_t, std::string, std::greater<>> by_count;
    for (const auto& [why, all] : refused) by_count.emplace(all.size(), all.front().substr(0, kShown));
    int reasons = 0;
    for (const auto& [count, why] : by_count)
      if (++reasons <= 40) std::cerr << count << "  " << why << "\n";
  }
};

std::string cut_down(const std::string& text, std::uint64_t seed, const tests::FileJudgement& failed) {
  if (from_environment("_REDUCE", 1) == 0) return text;
  return tests::reduced(
      text, [&](const std::string& smaller) { return tests::judge_file(smaller, seed).kind == failed.kind; });
}

// With a first line that says what is wrong.
void write_down(const std::string& text, std::uint64_t seed, const tests::FileJudgement& failed) {
  const char* folder = std::getenv("BOARDWRIGHT_WRITTEN_FOLDER");
  if (folder == nullptr) return;
  std::string what = failed.detail;
  std::replace(what.begin(), what.end(), '\n', ' ');
  std::ofstream(std::string(folder) + "/" + failed.kind + "-" + std::to_string(seed) + ".yaml")
      << "# " << what << "\n"
      << text;
}

using Make = std::string (*)(std::uint64_t seed);

Sums try_files(std::uint64_t standard, Make make) {
  const std::uint64_t count =
      from_environment("", tests::kSanitized ? std::max<std::uint64_t>(7, standard / 100) : standard);
  const std::uint64_t first = from_environment("_FIRST", 1);
  const bool print = from_environment("_PRINT", 0) != 0;
  Sums sums;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = make(seed);
    if (print) std::cerr << "# seed " << seed << "\n" << text << std::endl;
    const auto judged = tests::judge_file(text, seed);
    sums.add(judged);
    if (judged.kind.empty()) continue;
    const std::string small = cut_down(text, seed, judged);
    const auto again = tests::judge_file(small, seed);
    write_down(small, seed, again);
    FAIL_CHECK("seed " << seed << ", " << judged.kind << ": " << again.detail << "\n"
                       << small << "\nas it was written:\n"
                       << text);
  }
  WARN(sums.text());
  if (from_environment("_STATISTICS", 0) != 0) sums.print_refused();
  return sums;
}

// Of all that make files at random, in turn. Returns how many there were.
template <class Use>
std::uint64_t each_made_file(std::uint64_t standard, Use&& use) {
  constexpr Make kMakers[] = {tests::write_rule_file, tests::splice_rule_file, tests::cross_rule_files};
  const std::uint64_t count =
      from_environment("", tests::kSanitized ? std::max<std::uint64_t>(6, standard / 100) : standard);
  const std::uint64_t first = from_environment("_FIRST", 1);
  for (std::uint64_t seed = first; seed < first + count; ++seed) use(seed, kMakers[seed % 3](seed));
  return count;
}

// What an editor sends that opens a file and goes again.
std::string opened_in_an_editor(const std::string& text) {
  const tools::Json document = {
      {"uri", "file:///made.yaml"}, {"languageId", "boardwright"}, {"version", 1}, {"text", text}};
  const tools::Json messages[] = {
      {{"jsonrpc", "2.0"},
       {"id", 1},
       {"method", "initialize"},
       {"params", {{"capabilities", tools::Json::object()}}}},
      {{"jsonrpc", "2.0"}, {"method", "textDocument/didOpen"}, {"params", {{"textDocument", document}}}},
      {{"jsonrpc", "2.0"}, {"id", 2}, {"method", "shutdown"}},
      {{"jsonrpc", "2.0"}, {"method", "exit"}}};
  std::string all;
  for (const tools::Json& message : messages) {
    const std::string body = tools::to_text(message);
    all += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  return all;
}

// What `show` exports of a position is the same when it is given back.
void position_is_read_back(const std::string& path) {
  const auto shown = tests::run("show " + path + " --json");
  const auto json = tools::Json::parse(shown.out, nullptr, false);
  if (shown.status != 0 || !json.is_object()) return; // it doesn't load
  const std::string position = tests::scratch().file("made.json", tools::to_text(json["position"]));
  const auto again = tests::run("show " + path + " --json --position " + position);
  CHECK(again.status == 0);
  CHECK(tools::Json::parse(again.out, nullptr, false)["position"] == json["position"]);
}

// Chapters of the reference that aren't about rules; and words that rules can't do without anything else, or
// that a file gives a meaning to.
const std::set<std::string> kOtherChapters{"about",
                                           "tests",
                                           "check",
                                           "look",
                                           "versions",
                                           "random-games",
                                           "positions",
                                           "yaml-traps",
                                           "extends-and-inherited",
                                           "what-a-player-sees"};
const std::set<std::string> kOtherWords{
    "about:", "check:", "boardwright:", "hide:", "clock", "overtime", "pressed"};

// What share of the files becomes what, which few files don't tell.
void check_shares(const Sums& sums, double least_loaded, double least_with_moves, double most_too_long) {
  constexpr int kFewest = 100;
  if (sums.files < kFewest) return;
  CHECK(sums.loaded > least_loaded * sums.files);
  CHECK(sums.with_moves > least_with_moves * sums.loaded);
  CHECK(sums.too_long < most_too_long * sums.files);
}

} // namespace

TEST_CASE("written rule files: the engine does what the walker does") {
  check_shares(try_files(5'000, tests::write_rule_file), 0.9, 0.6, 0.05);
}

TEST_CASE("spliced rule files: the engine does what the walker does") {
  check_shares(try_files(700, tests::splice_rule_file), 0.5, 0.5, 0.2);
}

TEST_CASE("crossed rule files: the engine does what the walker does") {
  check_shares(try_files(700, tests::cross_rule_files), 0.4, 0.4, 0.25);
}

TEST_CASE("why says of every move that is legal that it is") {
  // What is asked of one position, and how many of a game.
  constexpr std::size_t kAsked = 24;
  constexpr int kPositions = 3;
  std::uint64_t asked = 0;
  const std::uint64_t files = each_made_file(240, [&](std::uint64_t seed, const std::string& text) {
    const auto loaded = interpreter::load_text("made.yaml", text);
    if (!loaded) return;
    runtime::Game game(loaded.rules);
    runtime::Random random(seed);
    for (int k = 0; k < kPositions; ++k) {
      const auto outcome = game.outcome();
      const auto moves = game.moves();
      const auto texts = game.notations();
      if (!outcome || *outcome || !moves || !texts || moves->empty()) return;
      const std::set<std::string> different(texts->begin(), texts->end());
      std::size_t left = kAsked;
      for (const std::string& move : different) {
        if (left-- == 0) break;
        const auto found = tools::reasons_for(loaded, game, move);
        if (!found) continue; // too long for the walker
        ++asked;
        INFO("seed " << seed << ", " << move << "\n" << text);
        CHECK(std::any_of(found->begin(), found->end(), [](const tools::Reasons& r) { return r.legal; }));
      }
      if (!game.play((*moves)[random.below(moves->size())])) return;
    }
  });
  CHECK(asked > files);
}

TEST_CASE("every command answers on files that are made at random") {
  const std::vector<std::string> commands{"rules FILE",
                                          "rules FILE --html -",
                                          "check FILE",
                                          "check FILE --coverage --no-games",
                                          "show FILE",
                                          "show FILE --svg -",
                                          "moves FILE --json",
                                          "inspect FILE",
                                          "why FILE a1",
                                          "why FILE end",
                                          "fmt --check FILE",
                                          "fmt - < FILE",
                                          "lsp < FILE.lsp",
                                          "evaluate FILE --games 2 --strengths random,varied:1",
                                          "playouts FILE --count 20 --threads 1",
                                          "perft FILE --depth 2",
                                          "analyse FILE --nodes 20",
                                          "solve FILE --time 0.05",
                                          "bench FILE --seconds 0.01",
                                          "match FILE random varied:1 --games 2 --max-plies 20",
                                          "play FILE < FILE.play",
                                          "ugi FILE < FILE.ugi"};
  each_made_file(30, [&](std::uint64_t seed, const std::string& text) {
    const std::string path = tests::scratch().file("made.yaml", text);
    (void)tests::scratch().file("made.yaml.lsp", opened_in_an_editor(text));
    (void)tests::scratch().file("made.yaml.play", "moves\nrules\nposition\nfen\nwhy\n1\nundo\nquit\n");
    (void)tests::scratch().file("made.yaml.ugi", "ugi\nisready\nposition startpos\ngo nodes 20\nquit\n");
    INFO("seed " << seed << "\n" << text);
    position_is_read_back(path);
    for (const std::string& command : commands) {
      std::string line = command;
      for (auto at = line.find("FILE"); at != std::string::npos; at = line.find("FILE", at + path.size()))
        line.replace(at, 4, path);
      INFO(line);
      // Whatever goes on for ever is ended.
      const auto run = tests::shell("ulimit -t 60; '" + tests::program_path() + "' " + line);
      CHECK(run.status >= 0);
      CHECK(run.status <= 3);
      CHECK_FALSE(tests::has(run.err, "runtime error"));
    }
  });
}

TEST_CASE("written rule files use every word of the language") {
  if (tests::kSanitized) return; // a judgement on who writes them, and the others read hundreds of them
  std::set<std::string> used;
  for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
    dsl::Sources sources;
    dsl::Diagnostics diagnostics;
    const std::string text = tests::write_rule_file(seed);
    INFO(text);
    const auto file = dsl::read_yaml(sources, sources.add("file", text), diagnostics);
    REQUIRE(file);
    used.merge(tools::constructs_of(*file));
  }
  for (const auto& [word, chapter] : tools::index_of(tests::repository_text("dsl/README.md"))) {
    INFO(word << ", of " << chapter);
    CHECK((used.contains(word) || kOtherChapters.contains(chapter) || kOtherWords.contains(word)));
  }
}

TEST_CASE("a text that fails is cut down to what makes it fail") {
  const auto fails = [](const std::string& text) { return text.find("go north") != std::string::npos; };
  CHECK(tests::reduced("game: One\nturn: from own, lift, (go north){2}, put\n", fails) == "go north");
}

TEST_CASE("small changes of a text leave a rule") {
  runtime::Random random(1);
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.insert(tests::changed_a_little("(go north, require some own)*", random));
  CHECK(seen.contains("(go south, require some own)*"));
  CHECK(seen.contains("(go north)*"));
  CHECK(seen.contains("(go north, require no own)+") == false);
  CHECK(tests::changed_a_little("never", random) == "never");
}

} // namespace written_test
