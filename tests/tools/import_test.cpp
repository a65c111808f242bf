// `import`: variants of another program, as rule files. What they come to is counted; ffish counted the same.
#include "tools/import/importing.hpp"

#include "interpreter/load.hpp"
#include "running.hpp"
#include "runtime/game/perft.hpp"
#include "tools/import/betza.hpp"
#include "tools/import/cells.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <sstream>

using namespace boardwright;
using namespace boardwright::tests;
using namespace boardwright::tools;

namespace {

std::string ini(const char* name) { return source_root() + "/tests/import/" + name; }

// The comments that begin with `word`, by the section that follows them.
std::map<std::string, std::vector<std::string>> told_before_sections(const std::string& text,
                                                                     const std::string& word) {
  std::map<std::string, std::vector<std::string>> told;
  std::vector<std::string> waiting;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# " + word + " ")) waiting.push_back(line.substr(word.size() + 3));
    if (!line.starts_with('[')) continue;
    told[line.substr(1, line.find_first_of(":]") - 1)] = std::move(waiting);
    waiting.clear();
  }
  return told;
}

std::uint64_t moves_to_depth(const std::shared_ptr<const runtime::Rules>& rules, int depth) {
  runtime::Game game(rules);
  const auto counted = runtime::perft(game, {depth, false, nullptr});
  REQUIRE(counted);
  return counted->leaves;
}

ImportedVariant only(const std::string& text, const std::string& name) {
  auto imported = import_variants(text, {name}, "mine.ini");
  REQUIRE(imported);
  REQUIRE(imported->size() == 1);
  return imported->front();
}

std::string walk(const std::string& betza, bool capturing = true) {
  std::set<std::string> helpers;
  const auto moves = read_betza(betza);
  return moves ? walk_text(*moves, capturing, helpers).value_or("?") : moves.error();
}

} // namespace

TEST_CASE("what is carried over has the counts of the program that it comes from") {
  const std::string text = read(ini("carried.ini"));
  const auto imported = import_variants(text, {}, "carried.ini");
  REQUIRE(imported);
  CHECK(imported->size() > 35);
  auto counts = told_before_sections(text, "counts");
  for (const ImportedVariant& variant : *imported) {
    INFO(variant.name << "\n" << variant.text);
    for (const ImportFault& fault : variant.faults) FAIL_CHECK(fault.key << ": " << fault.message);
    const auto loaded = interpreter::load_text(variant.name, variant.text);
    if (!loaded) continue;
    REQUIRE(counts[variant.name].size() == 1);
    std::istringstream numbers(counts[variant.name].front());
    std::uint64_t wanted = 0;
    for (int depth = 1; numbers >> wanted; ++depth) CHECK(moves_to_depth(loaded.rules, depth) == wanted);
  }
}

TEST_CASE("what can't be carried over is refused, with the key and its line") {
  const std::string text = read(ini("refused.ini"));
  const auto imported = import_variants(text, {}, "refused.ini");
  REQUIRE(imported);
  auto refusals = told_before_sections(text, "refused");
  for (const ImportedVariant& variant : *imported) {
    INFO(variant.name << "\n" << variant.text);
    CHECK(variant.text.empty());
    const auto& wanted = refusals[variant.name];
    for (const ImportFault& fault : variant.faults) {
      const std::string told =
          (fault.key.empty() ? "-" : fault.key) + " " + std::to_string(fault.line) + " " + fault.message;
      INFO(told);
      CHECK(std::any_of(wanted.begin(), wanted.end(), [&](const std::string& refusal) {
        const std::size_t message = refusal.find(' ', refusal.find(' ') + 1);
        return told.starts_with(refusal.substr(0, message + 1)) && has(told, refusal.substr(message + 1));
      }));
    }
    CHECK(variant.faults.empty() == wanted.empty());
  }
}

TEST_CASE("a written file is one that a person would write") {
  const std::string text = only("[hoppers:chess]\ncustomPiece1 = g:gQ\nqueen = -\n"
                                "startFen = rnbgkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBGKBNR w KQkq - 0 1\n"
                                "promotionPieceTypes = g\n",
                                "hoppers")
                               .text;
  CHECK(has(text, "game: Hoppers\nabout: { source: \"the variant hoppers of mine.ini\", without: \"nMoveRule "
                  "= 50\" }\n"));
  CHECK(has(text, "pieces: { pawn: P p, knight: N n, bishop: B b, rook: R r, king: K k, g_piece: G g }\n"));
  CHECK(has(text, "state: { rights: a1 | e1 | h1 | a8 | e8 | h8, passant: none }\n"));
  CHECK(has(text, "    pawn: go ahead & diagonal\n    knight: go leap(1, 2)\n"));
  CHECK(has(text, "    g_piece: hop(all)\n  glide:\n    pawn: go forward\n    others: hit\n"));
  CHECK(has(text, "  officers: kinds(g_piece)\n"));
  CHECK(has(text, "turn: |\n  let ep = passant, set passant = none,\n"
                  "  ((walk(ep), promote) or castle(east) or castle(west)),\n"
                  "  set rights = rights - start - here,\n  require not checked\n"));
  CHECK(has(text,
            "end:\n  - draw when no move and not checked\n  - lose when no move\n  - draw when repeated\n"));
  CHECK(std::count(text.begin(), text.end(), '\n') < 45);
}

TEST_CASE("movements are walks") {
  CHECK(walk("W") == "go orthogonal");
  CHECK(walk("K") == "go all");
  CHECK(walk("FfW") == "go forward | diagonal");
  CHECK(walk("WfF") == "go orthogonal | ahead & diagonal");
  CHECK(walk("fsW") == "go forward | sideways");
  CHECK(walk("RNF") == "slide(orthogonal) or (go diagonal | leap(1, 2))");
  CHECK(walk("fN") == "go 2 * forward + sideways");
  CHECK(walk("NN") == "slide(leap(1, 2))");
  CHECK(walk("D") == "go 2 * orthogonal");
  CHECK(walk("A") == "go 2 * diagonal");
  CHECK(walk("R3") == "dash(orthogonal, 3)");
  CHECK(walk("mRcpR") == "over(orthogonal, occupied)");
  CHECK(walk("mRcpR", false) == "slide(orthogonal)");
  CHECK(walk("gB") == "hop(diagonal)");
  CHECK(walk("nN") == "lame(1, 2)");
  CHECK(walk("nA") == "lame(2, 2)");
  CHECK(walk("lfrbB") == "slide(forward + left | backward + right)");
  CHECK(walk("mW") == "never");
  CHECK(walk("f") == "this movement ends before it says how far");
  CHECK(walk(std::string(300, 'W')) == "this movement is too long");
}

TEST_CASE("sets of cells are said as shortly as they can be") {
  const BoardSize size{8, 8};
  const auto said = [&](const char* cells) { return cells_text(read_cells(cells, size).value(), size); };
  CHECK(said("*7 *8") == "rank(7 .. 8)");
  CHECK(said("d4 e4 d5 e5") == "d4 .. e5");
  CHECK(said("a8 h8 *1") == "rank(1) | a8 | h8");
  CHECK(said("a* b*") == "a1 .. b8");
  CHECK(said("") == "none");
  CHECK(said("**") == "board");
  CHECK(players_text(read_cells("*8", size).value(), read_cells("*1", size).value(), size) == "row(-1)");
  CHECK(players_text(read_cells("a8", size).value(), read_cells("a1", size).value(), size) ==
        "{ White: a8, Black: mirror }");
}

TEST_CASE("whatever stands in a file of variants, the answer is a message or a rule file") {
  for (const char* text : {"", "\n\n# nothing\n; at all\n"}) {
    const auto none = import_variants(text, {}, "x");
    REQUIRE(none);
    CHECK(none->empty());
  }
  const std::map<std::string, std::string> faults = {
      {"pawn = p", "before the first `[name]`"},
      {"[a]\nwhat\n", "neither `[name]` nor `key = value`"},
      {"[a\n", "has no `]`"},
      {"[../a]\n", "letters, digits"},
      {"[a:b\tc]\n", "letters, digits"},
      {"[]\n", "letters, digits"},
      {"[a]\n\x1b[31m = 1\n", "a key is made of"},
      {std::string("[a]\n\0 = 1\n", 10), "a key is made of"},
  };
  for (const auto& [text, message] : faults) {
    const auto imported = import_variants(text, {}, "x");
    INFO(text);
    REQUIRE_FALSE(imported);
    CHECK(has(imported.error().message, message));
  }
  const auto misnamed = import_variants("[hoppers:chess]\n", {"hopers"}, "x");
  REQUIRE_FALSE(misnamed);
  CHECK(misnamed.error().message == "there is no variant `hopers`; did you mean `hoppers`?");
  std::string many;
  for (int i = 0; i < 6000; ++i) many += "[a]\n";
  CHECK(import_variants(many, {}, "x").error().message == "there are too many sections");
  CHECK(import_variants(std::string(5'000'000, '#'), {}, "x").error().message == "this file is too large");
}

TEST_CASE("names of files and values stay what they are in the written file") {
  const auto odd = only("[123:chess]\nchasingRule = \"\\ # { evil\n", "123");
  CHECK(has(odd.text, "game: \"123\"\n"));
  CHECK(has(odd.text, "chasingRule =    evil"));
  const auto imported = import_variants("[on:chess]\n", {}, "a\"b\\\n: #.ini");
  REQUIRE(imported);
  CHECK(imported->front().faults.empty());
  CHECK(has(imported->front().text, "game: \"On\"\nabout: { source: \"the variant on of ab: .ini\""));
}

TEST_CASE("import writes files, and never over one unasked") {
  const std::string file = scratch().file("mine.ini", "[hoppers:chess]\n[crowd:chess]\nwallingRule = duck\n");
  const std::string folder = scratch().path("imported");
  fs::create_directories(folder);
  const Run first = run("import " + file + " --to " + folder);
  CHECK(first.status == 1);
  CHECK(first.out == folder + "/hoppers.yaml\n");
  CHECK(has(first.err, "crowd isn't carried over: " + file +
                           ":3: `wallingRule`: `wallingRule = duck` can't be carried over\n"));
  CHECK(has(first.err, "1 of 2 variants are written\n"));
  CHECK(run("perft " + folder + "/hoppers.yaml --depth 2").status == 0);
  CHECK(run("import " + file + " hoppers --to " + folder).status == 3);
  CHECK(run("import " + file + " hoppers --to " + folder + " --replace").status == 0);
  CHECK(run("import " + file + " hoppers").out == read(folder + "/hoppers.yaml"));
  CHECK(run("import - hoppers < " + file).status == 0);
  CHECK(run("import " + file).status == 2);
  CHECK(run("import /no/such.ini --to " + folder).status == 3);
  const auto told = nlohmann::json::parse(run("import --json " + file).out);
  CHECK(told["ok"] == false);
  CHECK(told["variants"][0]["text"].get<std::string>().starts_with("game: Hoppers\n"));
  CHECK(told["variants"][1]["faults"][0]["key"] == "wallingRule");
  CHECK(told["variants"][1]["faults"][0]["line"] == 3);
}
