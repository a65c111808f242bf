// `import`: variants of another program, as rule files. What they come to is counted; ffish counted the same.
#include "tools/import/variants/importing.hpp"

#include "interpreter/load.hpp"
#include "running.hpp"
#include "runtime/game/perft.hpp"
#include "tools/import/cells.hpp"
#include "tools/import/rbg/game.hpp"
#include "tools/import/rbg/rbg_import.hpp"
#include "tools/import/variants/betza.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <sstream>

namespace import_test {

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
                  "  keep_rights,\n  require not checked\n"));
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
      {"pawn = p", "before the first `[name]`"},   {"[a]\nwhat\n", "neither `[name]` nor `key = value`"},
      {"\xef\xbb\xbf[a\n", "has no `]`"},          {"[../a]\n", "letters, digits"},
      {"[a:b\tc]\n", "letters, digits"},           {"[]\n", "letters, digits"},
      {"[a]\n\x1b[31m = 1\n", "a key is made of"}, {std::string("[a]\n\0 = 1\n", 10), "a key is made of"},
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
  const std::string file =
      scratch().file("mine.ini", "[hoppers:chess]\n[crowd:chess]\nseirawanGating = true\n");
  const std::string folder = scratch().path("imported");
  fs::create_directories(folder);
  const Run first = run("import " + file + " --to " + folder);
  CHECK(first.status == 1);
  CHECK(first.out == folder + "/hoppers.yaml\n");
  CHECK(has(first.err, "crowd isn't carried over: " + file +
                           ":3: `seirawanGating`: `seirawanGating = true` can't be carried over\n"));
  CHECK(has(first.err, "1 of 2 variants are written\n"));
  CHECK(run("perft " + folder + "/hoppers.yaml --depth 2").status == 0);
  CHECK(run("import " + file + " hoppers --to " + folder).status == 3);
  CHECK(run("import " + file + " hoppers --to " + folder + " --replace").status == 0);
  CHECK(run("import " + file + " hoppers").out == read(folder + "/hoppers.yaml"));
  CHECK(run("import - hoppers < " + file).status == 0);
  CHECK(run("import " + file).status == 2);
  CHECK(run("import /no/such.ini --to " + folder).status == 3);
  CHECK(run("import " + file + " hoppers --to " + folder + "/new/one").status == 0); // it makes the folder
  const Run none = run("import " + scratch().file("none.ini", "# nothing\n") + " --to " + folder);
  CHECK(none.status == 1);
  CHECK(has(none.err, "there is no variant in `"));
  const auto told = nlohmann::json::parse(run("import --json " + file).out);
  CHECK(told["ok"] == false);
  CHECK(told["variants"][0]["text"].get<std::string>().starts_with("game: Hoppers\n"));
  CHECK(told["variants"][1]["faults"][0]["key"] == "seirawanGating");
  CHECK(told["variants"][1]["faults"][0]["line"] == 3);
}

namespace {

// A game of one player on one row of three cells, with these rules.
std::string rbg_with(const std::string& rules,
                     const std::string& board = "rectangle(up, down, left, right, [e, e, e])") {
  return "#players = p(100), q(100)\n#pieces = e, w\n#variables = n(3)\n#board = " + board + "\n" + rules +
         "\n";
}

std::string rbg_refusal(const std::string& text) {
  const ImportedVariant imported = import_rbg(text, "game", "game.rbg");
  CHECK(imported.text.empty());
  if (imported.faults.size() != 1) return "no fault";
  const ImportFault& fault = imported.faults.front();
  return std::to_string(fault.line) + " " + fault.key + (fault.key.empty() ? "" : " ") + fault.message;
}

std::string times(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

} // namespace

TEST_CASE("a game of Regular Boardgames has the counts that it has there") {
  for (const char* name : {"noughts", "race", "ring", "sweep", "twice", "walker"}) {
    const std::string text = read(ini((std::string(name) + ".rbg").c_str()));
    const ImportedVariant imported = import_rbg(text, name, std::string(name) + ".rbg");
    INFO(name << "\n" << imported.text);
    for (const ImportFault& fault : imported.faults) FAIL_CHECK(fault.line << ": " << fault.message);
    const auto loaded = interpreter::load_text(imported.name, imported.text);
    if (!loaded) continue;
    const auto at = text.find("// counts ");
    REQUIRE(at != std::string::npos);
    std::istringstream numbers(text.substr(at + 10, text.find('\n', at) - at - 10));
    std::uint64_t wanted = 0;
    for (int depth = 1; numbers >> wanted; ++depth) CHECK(moves_to_depth(loaded.rules, depth) == wanted);
  }
}

TEST_CASE("the rule file of a game of Regular Boardgames is as it was") {
  const std::string text = import_rbg(read(ini("race.rbg")), "race", "race.rbg").text;
  CHECK(text == read(ini("race.yaml")));
}

TEST_CASE("what a score decides, a game of Regular Boardgames decides") {
  const auto loaded =
      interpreter::load_text("noughts", import_rbg(read(ini("noughts.rbg")), "noughts", "noughts.rbg").text);
  REQUIRE(loaded);
  const auto winners_after = [&](std::initializer_list<const char*> moves) {
    runtime::Game game(loaded.rules);
    for (const char* text : moves) {
      const auto move = game.find(text);
      REQUIRE(move);
      REQUIRE(*move);
      REQUIRE(game.play(**move));
    }
    const auto outcome = game.outcome();
    REQUIRE(outcome);
    REQUIRE(*outcome);
    return (*outcome)->winners;
  };
  CHECK(winners_after({"a1", "a2", "b1", "b2", "c1"}) == 1);
  CHECK(winners_after({"a1", "a2", "b1", "b2", "a3", "c2"}) == 2);
  CHECK(winners_after({"a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3"}) == 0);
}

TEST_CASE("what can't be carried over from Regular Boardgames is refused at its line") {
  const std::string good = "#rules = (->p (left* + right*) {e} [w] ->q (left* + right*) {e} [w])*";
  CHECK(import_rbg(rbg_with(good), "game", "game.rbg").faults.empty());
  CHECK(rbg_refusal("") == "0 this file is empty");
  CHECK(rbg_refusal("#players = p(1)") == "0 there is no `#pieces`");
  CHECK(rbg_refusal("\n$") == "2 `$` is no sign of this language");
  CHECK(rbg_refusal("#rules") == "1 `=` is needed behind `#rules`");
  CHECK(rbg_refusal(rbg_with("#rules = ->p . {e} [w]")) ==
        "5 `.`, a move that is told in parts, can't be carried over");
  CHECK(rbg_refusal(rbg_with("#rules = ->p\nfar [w]")) == "6 `far` is no direction of this board");
  CHECK(rbg_refusal(rbg_with("#rules = ->r [w]")) == "5 `r` is no player");
  CHECK(rbg_refusal(rbg_with("#rules = ->p [x]")) == "5 `x` is no piece");
  CHECK(rbg_refusal(rbg_with("#rules = ->p ([w]")) == "5 `)` is needed here");
  CHECK(rbg_refusal(rbg_with("#rules = ->p {? ->q}")) == "5 there is a turn inside a condition");
  CHECK(rbg_refusal(rbg_with("#rules = ->p {? far}")) == "5 `far` is no direction of this board");
  CHECK(rbg_refusal(rbg_with("#rules = ->p [$ m = 1]")) == "5 `m` is no variable");
  CHECK(rbg_refusal(rbg_with("#rules = ->p {$ n 1}")) == "5 a comparison is needed here");
  CHECK(rbg_refusal(rbg_with("#f(a) = a\n#rules = ->p f(e; w)")) ==
        "6 there is no `f` with 2 parameters before this line");
  CHECK(rbg_refusal(rbg_with("#rules = f #f = f")) == "5 `f` is no direction of this board");
  CHECK(rbg_refusal(rbg_with("#rules = [w]")) == "0 nobody ever moves");
  CHECK(rbg_refusal(rbg_with("#rules = {w} ->p [w] ->q")) == "0 there is no first move");
  CHECK(rbg_refusal(rbg_with(good, "a[e]{up: b}")) == "4 there is no cell `b`");
  CHECK(rbg_refusal(rbg_with(good, "a[e]{up: a, up: a}")) == "4 two edges of `a` have the label `up`");
  CHECK(rbg_refusal(rbg_with("#rules = ->p around [w] ->q", "a[e]{around: a}"))
            .starts_with("0 around edges from cells to themselves"));
  CHECK(rbg_refusal("#players = a(1), b(1), c(1)\n#pieces = e, w\n#board = a[e]{up: b} b[e]{}\n"
                    "#rules = (->a {e} [w] (->b + ->c) [e] ->a)*")
            .find("one order of players") != std::string::npos);
}

TEST_CASE("limits of Regular Boardgames hold on both sides") {
  const auto within = [](const std::string& text) { return read_rbg_game(text).has_value(); };
  const auto deep = [](int depth) {
    return rbg_with("#rules = ->p " + times(depth, "(") + "left" + times(depth, ")") + " [w] ->q");
  };
  CHECK(within(deep(kMostRbgDepth)));
  CHECK(rbg_refusal(deep(kMostRbgDepth + 1)) == "5 more than 60 brackets within one another");
  const auto calls = [](int depth) {
    std::string macros = "#m0 = left\n";
    for (int m = 1; m < depth; ++m)
      macros += "#m" + std::to_string(m) + " = m" + std::to_string(m - 1) + "\n";
    return rbg_with(macros + "#rules = ->p m" + std::to_string(depth - 1) + " [w] ->q");
  };
  CHECK(within(calls(kMostRbgCalls)));
  CHECK(has(rbg_refusal(calls(kMostRbgCalls + 1)), "more than 50 macros within one another"));
  const auto cells = [](std::size_t count) {
    return rbg_with("#rules = ->p [w] ->q",
                    "rectangle(up, down, left, right, [e" + times(static_cast<int>(count) - 1, ", e") + "])");
  };
  CHECK(within(cells(kMostRbgCells)));
  CHECK(rbg_refusal(cells(kMostRbgCells + 1)) == "4 it has more than 576 cells");
  const auto players = [](std::size_t count) {
    std::string text =
        "#pieces = e, w\n#board = a[e]{up: b} b[e]{}\n#rules = ->p0 [w] ->p0\n#players = p0(1)";
    for (std::size_t p = 1; p < count; ++p) text += ", p" + std::to_string(p) + "(1)";
    return text;
  };
  CHECK(within(players(kMostRbgPlayers)));
  CHECK(rbg_refusal(players(kMostRbgPlayers + 1)) == "4 it has more than 8 players");
  const auto pieces = [](std::size_t count) {
    std::string text = "#players = p(1)\n#board = a[e]{up: b} b[e]{}\n#rules = ->p [e] ->p\n#pieces = e";
    for (std::size_t p = 1; p < count; ++p) text += ", x" + std::to_string(p);
    return text;
  };
  CHECK(within(pieces(kMostRbgPieces)));
  CHECK(rbg_refusal(pieces(kMostRbgPieces + 1)) == "4 it has more than 80 pieces");
}

TEST_CASE("whatever stands in a file of Regular Boardgames, the answer comes soon") {
  // Macros that double, with and without anything in the end.
  for (const char* last : {"left", ""}) {
    std::string macros = std::string("#m0 = ") + last + "\n";
    for (int m = 1; m < 45; ++m)
      macros +=
          "#m" + std::to_string(m) + " = m" + std::to_string(m - 1) + " m" + std::to_string(m - 1) + "\n";
    CHECK(!rbg_refusal(rbg_with(macros + "#rules = ->p m44 [w] ->q")).starts_with("no fault"));
  }
  CHECK(has(rbg_refusal(rbg_with("#rules = ->p left^9999^9999 [w] ->q")), "more than 200000 parts"));
  CHECK(has(rbg_refusal(rbg_with("#rules = ->p left" + times(1000, "*") + " [w] ->q")), "too many powers"));
  CHECK(has(rbg_refusal(rbg_with("#rules = ->p [$ n = 1" + times(1000, " + 1") + "] ->q")),
            "this number is too long"));
  CHECK(has(rbg_refusal(rbg_with("#rules = (" + times(501, "->p {e} ") + ")*")), "more than 500 turns"));
  // Stars within stars, sums of thousands, and what is left of a file that was cut.
  std::string stars = "{w}";
  for (int depth = 0; depth < 50; ++depth) stars = "(left [w] + " + stars + ")*";
  (void)import_rbg(rbg_with("#rules = (->p " + stars + " ->q)*"), "game", "game.rbg");
  (void)import_rbg(rbg_with("#rules = (->p (left [w]" + times(3000, " + right [w]") + ") ->q [e])*"), "game",
                   "game.rbg");
  const std::string whole = read(ini("noughts.rbg"));
  for (std::size_t end = 0; end < whole.size(); end += 7) CHECK(!rbg_refusal(whole.substr(0, end)).empty());
  for (std::size_t at = 0; at < whole.size(); at += 11) {
    std::string broken = whole;
    broken[at] = static_cast<char>(at % 2 == 0 ? 0xC3 : '(');
    (void)import_rbg(broken, "game", "game.rbg");
  }
}

TEST_CASE("import takes a game of Regular Boardgames by its ending") {
  const Run written = run("import " + ini("walker.rbg"));
  CHECK(written.status == 0);
  CHECK(written.out.starts_with("game: \"walker\"\n"));
  CHECK(run("import - --to " + scratch().path(".") + " --replace < " + ini("walker.rbg")).status == 0);
  CHECK(run("import " + ini("walker.rbg") + " walker").status == 1);
  const std::string bad = scratch().file("bad.rbg", "#players = p(1)\n");
  const Run refused = run("import " + bad);
  CHECK(refused.status == 1);
  CHECK(has(refused.err, "bad isn't carried over: " + bad + ": there is no `#pieces`"));
}

} // namespace import_test
