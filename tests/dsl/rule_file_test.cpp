#include "dsl/rule_file.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <string>

namespace rule_file_test {

using namespace boardwright::dsl;

namespace {

using Files = std::map<std::string, std::string>;

const Files kStandard = {{"std", "define:\n  hop: one\n  jump(a, b): two\n"}};

struct Read {
  Sources sources;
  Diagnostics diagnostics;
  std::optional<RuleFile> file;

  explicit Read(const std::string& text, Files others = {}) {
    others.insert(kStandard.begin(), kStandard.end());
    others["main"] = text;
    const FileFinder find = [&](const std::string& reference,
                                const std::string&) -> std::optional<FoundFile> {
      const auto found = others.find(reference);
      if (found == others.end()) return std::nullopt;
      return FoundFile{found->first, found->second};
    };
    file = read_rule_file("main", find, sources, diagnostics);
  }

  [[nodiscard]] std::string errors() const { return render(diagnostics, sources, false); }
  [[nodiscard]] bool says(const std::string& text) const { return errors().find(text) != std::string::npos; }
};

// What every file needs, without the sections that a test writes itself.
std::string with(const std::string& sections) {
  const std::pair<const char*, const char*> needed[] = {{"game:", "game: G\n"},
                                                        {"players:", "players: [W, B]\n"},
                                                        {"board:", "board: { squares: 3 by 2 }\n"},
                                                        {"pieces:", "pieces: { man: w b }\n"},
                                                        {"turn:", "turn: one\n"}};
  std::string text = sections;
  for (const auto& [key, section] : needed)
    if (("\n" + text).find(std::string("\n") + key) == std::string::npos) text += section;
  return text;
}

std::string joined(const std::vector<Name>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : " ") + name.text;
  return text;
}

std::string drawn(const std::vector<PictureRow>& rows) {
  std::string text;
  for (const auto& row : rows) {
    for (const auto& sign : row.signs) text += sign.text;
    text += '/';
  }
  return text;
}

std::string source_text(const Read& read, Span span) {
  return read.sources.text(span.file).substr(span.begin, span.end - span.begin);
}

struct Wrong {
  const char* sections;
  const char* message; // with its place or without
};

void check_wrong(std::initializer_list<Wrong> cases) {
  for (const auto& [sections, message] : cases) {
    INFO(sections);
    const Read read(with(sections));
    INFO(read.errors());
    CHECK(read.says(message));
  }
}

} // namespace

TEST_CASE("a file with all that it needs") {
  const Read read(with("about: { author: A, year: 1999 }\nfirst: B\nend: [lose when one, draw when two]\n"));
  CHECK(read.errors().empty());
  REQUIRE(read.file);
  CHECK(read.file->game.text == "G");
  REQUIRE(read.file->about.size() == 2);
  CHECK(read.file->about[1].second == "1999");
  CHECK(read.file->first->text == "B");
  CHECK(read.file->end.size() == 2);
  REQUIRE(read.file->turn);
  CHECK(source_text(read, read.file->turn->body.span) == "one");
  REQUIRE(read.file->vocabularies.size() == 1);
  CHECK(read.file->vocabularies[0].size() == 2);
  CHECK(joined(read.file->vocabularies[0][1].parameters) == "a b");
}

TEST_CASE("free text about a game") {
  const Read read(with("about: some text\n"));
  REQUIRE(read.file->about.size() == 1);
  CHECK(read.file->about[0].first.text.empty());
  CHECK(read.file->about[0].second == "some text");
}

TEST_CASE("what is told of kinds is kept by their names") {
  const Read read(with("about: { aim: win, kinds: { man: steps, king: leaps } }\n"));
  REQUIRE(read.file->about.size() == 3);
  CHECK(read.file->about[1].first.text == "kinds.man");
  CHECK(read.file->about[2].second == "leaps");
}

TEST_CASE("what is told of names is kept like that of kinds") {
  const Read read(with("about: { terms: { taken: the men that are lost } }\n"));
  REQUIRE(read.file->about.size() == 1);
  CHECK(read.file->about[0].first.text == "terms.taken");
  CHECK(read.file->about[0].second == "the men that are lost");
}

TEST_CASE("players") {
  const Read read(with("players: { White: north, Black: south }\n"));
  REQUIRE(read.file->players.size() == 2);
  CHECK(read.file->players[1].name.text == "Black");
  CHECK(read.file->players[1].forward == Compass::south);
  CHECK(source_text(read, read.file->players[1].name.span) == "Black");
  check_wrong({{"players: White\n", "1:10: error: `players` is text"},
               {"players: []\n", "a game has one to eight players, not 0"},
               {"players: [a, b, c, d, e, f, g, h, i]\n", "a game has one to eight players, not 9"},
               {"players: [a, 1b]\n", "`1b` can't be the name of a player"},
               {"players: { a: north, b: soth }\n", "did you mean `south`?"}});
}

TEST_CASE("how cells are named") {
  const Read read(with("board: { squares: 8 by 8, names: by file, letters: without j i }\n"));
  CHECK(read.errors().empty());
  CHECK(read.file->board.names_by_file);
  CHECK(read.file->board.letters_left_out == "ji");
  check_wrong({{"board: { squares: 8 by 8, names: by rank }\n", "expected `row column`, `by file`, or a map"},
               {"board: { squares: 8 by 8, letters: abc }\n", "as in `letters: without j`"},
               {"board: { squares: 8 by 8, letters: without }\n", "as in `letters: without j`"},
               {"board: { squares: 8 by 8, letters: without J }\n", "`J` is no letter from a to z"},
               {"board: { squares: 8 by 8, letters: without j j }\n", "`j` is left out already"}});
  const Read two(
      with("board: { squares: 8 by 8, letters: without a b c d e f g h i j k l m n o p q r s t u v w x }\n"));
  CHECK(two.errors().empty());
  check_wrong(
      {{"board: { squares: 8 by 8, letters: without a b c d e f g h i j k l m n o p q r s t u v w x y }\n",
        "at least two letters are needed"}});
}

TEST_CASE("boards") {
  const Read read(
      with("board:\n  hexes: 4 by 5\n  slant: right\n  stacks: true\n  steps: over holes\n  holes: a1\n"
           "  lines: [ranks, files, a1 b2..d4 c1]\n  tracks: { sow: a1 b1 a1 }\n"
           "  curves: [b1 south a2 east]\n  names: { centre: b2 }\n"));
  CHECK(read.errors().empty());
  const BoardSection& board = read.file->board;
  CHECK(board.shape == BoardSection::Shape::hexes);
  CHECK(dump(*board.files) == "4");
  CHECK(dump(*board.ranks) == "5");
  CHECK(board.slant_right);
  CHECK(board.stacks);
  CHECK(board.steps_over_holes);
  CHECK(board.holes);
  REQUIRE(board.lines.size() == 3);
  CHECK(board.lines[0].what == LineEntry::What::ranks);
  CHECK(board.lines[1].what == LineEntry::What::files);
  REQUIRE(board.lines[2].chain.size() == 3);
  CHECK(board.lines[2].chain[1].from.text == "b2");
  CHECK(board.lines[2].chain[1].to->text == "d4");
  CHECK(joined(board.tracks.at(0).cells) == "a1 b1 a1");
  CHECK(board.curves.at(0).heading.text == "east");
  CHECK(board.names.at(0).second.text == "b2");
  CHECK(Read(with("board: { squares: 2 by 2, names: row column }\n")).file->board.names_row_column);
  check_wrong(
      {{"board: 8 by 8\n", "as in `board: { squares: 8 by 8 }`"},
       {"board: { stacks: true }\n", "the board has no shape"},
       {"board: { squares: 8 by 8, hexagon: 3 }\n", "the board has two shapes"},
       {"board: { squars: 8 by 8 }\n", "did you mean `squares`?"},
       {"board: { squares: 2 by 2, steps: over }\n", "expected `over holes`"},
       {"board: { squares: 2 by 2, stacks: yes }\n", "either `true` or `false`"},
       {"board: { squares: 2 by 2, lines: [a1..] }\n", "a stretch of a line has two ends"},
       {"board: { squares: 2 by 2, curves: [a1 b1] }\n", "a curve is four words"},
       {"board: { squares: 2 by 2, names: row }\n", "`names` is neither `row column`, `by file` nor a map"}});
}

TEST_CASE("a board drawn with spaces for holes keeps its columns") {
  const std::pair<const char*, const char*> cases[] = {
      {"    ..o\n    . .\n    .\n", "..o/. ././"},
      {"    . . .\n    .\n    . . o\n", ".../"
                                        "./..o/"},
      {"    .   .\n    . . .\n", ". ./.../"},
      {"    . . .\n     . .\n", ". . ./ . ./"}, // odd and even columns: all of them count
      {"    . .\n\n    . .\n", "..//../"},
      {"    # # .\n    . # .\n", "##./.#./"},
  };
  for (const auto& [picture, expected] : cases) {
    INFO(picture);
    const Read read(with("board:\n  picture: |\n" + std::string(picture)));
    CHECK(read.errors().empty());
    CHECK(drawn(read.file->board.picture) == expected);
  }
  CHECK(Read(with("board:\n  picture: |\n\nfirst: W\n")).says("this picture is empty"));
}

TEST_CASE("set-ups") {
  CHECK(drawn(Read(with("setup: |\n  w.b\n  ..#\n")).file->setup.picture) == "w.b/..#/");
  CHECK(drawn(Read(with("setup: |\n  w . b\n    . . #\n")).file->setup.picture) == "w.b/..#/");
  const Read stacks(with("setup: |\n  wb . b\n"));
  CHECK(joined(stacks.file->setup.picture.at(0).signs) == "wb . b");
  const Read entries(with("setup:\n  w: a1\n  bb: c2\n"));
  REQUIRE(entries.file->setup.entries.size() == 2);
  CHECK(entries.file->setup.entries[1].letters.text == "bb");
  check_wrong({{"setup:\n  w.b\n  ...\n", "the rows of this picture are joined into one line"},
               {"setup: >\n  w.b\n  ...\n", "the rows of this picture are joined into one line"},
               {"setup: [w, b]\n", "`setup` is a list"}});
}

TEST_CASE("pieces") {
  const Read read(with("pieces: { man: w b, king: { B: K }, wall: neutral x }\n"));
  CHECK(read.errors().empty());
  REQUIRE(read.file->pieces.size() == 3);
  CHECK(read.file->pieces[0].letters.at(1).letter.text == "b");
  CHECK(read.file->pieces[0].letters.at(1).owner.text.empty());
  CHECK(read.file->pieces[1].letters.at(0).owner.text == "B");
  CHECK(read.file->pieces[2].letters.at(0).owner.text == "neutral");
  check_wrong({{"pieces: { man: w }\n", "`man` has 1 letter, but there are 2 players"},
               {"pieces: { man: w bb }\n", "`bb` can't be the letter of a piece"},
               {"pieces: { man: w . }\n", "`.` can't be the letter of a piece"},
               {"pieces: { man: w é }\n", "`é` can't be the letter of a piece"},
               {"pieces: { man: neutral x y }\n", "a neutral kind has one letter"},
               {"pieces: man\n", "`pieces` is text"}});
}

TEST_CASE("hands and state") {
  const Read read(
      with("hands: { man: 3, king: { W: 1, B: 2 } }\nstate: { passes: 0, store: { each: 4 } }\n"));
  CHECK(read.errors().empty());
  CHECK(dump(*read.file->hands.at(0).count.all) == "3");
  CHECK(read.file->hands.at(1).count.each.size() == 2);
  CHECK_FALSE(read.file->state.at(0).each_player);
  CHECK(read.file->state.at(1).each_player);
  CHECK(dump(*read.file->state.at(1).value) == "4");
  check_wrong({{"state: { store: { all: 4 } }\n", "a variable has a single first value"},
               {"state: { 1: 4 }\n", "`1` can't be the name of a variable"},
               {"hands: 3\n", "`hands` is text"}});
}

TEST_CASE("options") {
  const Read read(with("options:\n  size: { default: 9, range: 2..19, help: how large }\n"
                       "  gap: { default: box, one of: box | path }\n  swap: { default: true }\n"
                       "  kind: { default: a, one of: [a, b, c] }\n"));
  CHECK(read.errors().empty());
  const auto& options = read.file->options;
  REQUIRE(options.size() == 4);
  CHECK(dump(*options[0].low) == "2");
  CHECK(dump(*options[0].high) == "19");
  CHECK(options[0].help == "how large");
  CHECK(joined(options[1].one_of) == "box path");
  CHECK(source_text(read, options[1].one_of[1].span) == "path");
  CHECK(options[2].initial->text == "true");
  CHECK(joined(options[3].one_of) == "a b c");
  check_wrong({{"options: { a: { range: 1..2 } }\n", "the option `a` has no default"},
               {"options: { a: { default: 1, range: 3 } }\n", "a range has two ends"},
               {"options: { a: { default: 1, rnge: 1..2 } }\n", "did you mean `range`?"},
               {"options: { a: { default: x, one of: x | | y } }\n", "each value of an option is one word"},
               {"options: { a: 3 }\n", "the option `a` is text"}});
}

TEST_CASE("definitions") {
  const Read read(with("define:\n  a: one\n  a(x, y): two\n  hit: { man: one, 'king queen': two }\n"));
  CHECK(read.errors().empty());
  const auto& define = read.file->define;
  REQUIRE(define.size() == 3);
  CHECK(define[0].parameters.empty());
  CHECK(joined(define[1].parameters) == "x y");
  REQUIRE(define[2].cases.size() == 3);
  CHECK(define[2].cases[2].first.text == "queen");
  CHECK(source_text(read, define[2].cases[2].first.span) == "queen");
  CHECK_FALSE(define[2].body);
  check_wrong({{"define: { 'a(x': one }\n", "`a(x` can't be the name of a definition"},
               {"define: { 'a()': one }\n", "can't be the name of a parameter"},
               {"define: { 'a(x)': one, 'a(y, z)': two }\n", "`a` is defined twice"},
               {"define: { hit: { 'man man': one } }\n", "`man` has two bodies here"},
               {"define: { a: ['one, two'] }\n", "write it as one text, without"},
               {"define: { a: [one, two] }\n", "a list of kinds is `kinds(one, two)`"},
               {"define: { a: }\n", "the definition `a` is empty"}});
}

TEST_CASE("copies of a body for many kinds are bounded") {
  std::string kinds;
  for (int i = 0; i < 100; ++i) kinds += " k" + std::to_string(i);
  const std::string body(10'000, 'x');
  CHECK(Read(with("define: { hit: { '" + kinds + "': " + body + " } }\n")).says("copied to too many kinds"));
}

TEST_CASE("all that is wrong is told in one pass") {
  const Read read(
      "game: [G]\nplayers: 3\nbord: { squares: 3 by 2 }\npieces: { man: ww b }\nset-up: x\nfirst:\n");
  CHECK(read.says("main:1:7: error: `game` is a list"));
  CHECK(read.says("main:2:10: error: `players` is text"));
  CHECK(read.says("main:3:1: error: unknown section `bord`"));
  CHECK(read.says("did you mean `board`?"));
  CHECK(read.says("main:4:16: error: `ww` can't be the letter of a piece"));
  CHECK(read.says("main:5:1: error: unknown section `set-up`"));
  CHECK(read.says("did you mean `setup`?"));
  CHECK(read.says("main:1:1: error: the section `turn` is missing"));
  CHECK_FALSE(read.says("`board` is missing")); // it is mistyped, and that has been told
}

TEST_CASE("tests") {
  const Read read(
      with("tests:\n"
           "  - name: a capture\n"
           "    set: { size: 9 }\n"
           "    position: { to_move: B, cells: { a1: w, b2: bw, c1: }, hands: { B: { man: 3 } }, ply: 7,\n"
           "      turns: { W: 4, B: 3 }, state: { passes: 1, store: { W: 2 } } }\n"
           "    moves: a1-b1 d13-f13(f15) d7-e8/b1,g2 f7-e8-d9#\n"
           "    moves include: [a1-b1 b2-b3]\n"
           "    moves exclude: x\n"
           "    count: 4\n"
           "    perft: [40, 1600]\n"
           "    winner: none\n"
           "    to_move: B\n"
           "    after a1-b1: { cells: { a1: b }, to_move: W, winner: nobody, moves: [] }\n"
           "  - { name: opening, perft: 40 }\n"
           "  - name: a picture\n"
           "    position: |\n"
           "      w.b\n"
           "      ...\n"
           "    count: 1\n"
           "  - { name: played, position: { play: a b }, count: 1 }\n"));
  CHECK(read.errors().empty());
  const auto& tests = read.file->tests;
  REQUIRE(tests.size() == 4);
  const TestEntry& first = tests[0];
  CHECK(first.name.text == "a capture");
  CHECK(first.settings.at(0).second.text == "9");
  REQUIRE(first.position);
  CHECK(first.position->cells.size() == 3);
  CHECK(first.position->cells[1].second.text == "bw");
  CHECK(first.position->cells[2].second.text.empty());
  CHECK(dump(*first.position->ply) == "7");
  CHECK(first.position->turns.size() == 2);
  CHECK(first.position->state.size() == 2);
  CHECK(first.expect[0].moves->size() == 4);
  CHECK(first.expect[0].moves->at(3).text == "f7-e8-d9#");
  CHECK(source_text(read, first.expect[0].moves->at(2).span) == "d7-e8/b1,g2");
  CHECK(joined(*first.expect[0].include) == "a1-b1 b2-b3");
  CHECK(first.expect[0].include->size() == 1);
  CHECK(first.perft.at(1).leaves == 1600);
  REQUIRE(first.expect.size() == 2);
  CHECK(first.expect[0].move.text.empty());
  CHECK(first.expect[0].winner->text == "none");
  CHECK(first.expect[0].position->to_move->text == "B");
  CHECK(first.expect[1].move.text == "a1-b1");
  CHECK(source_text(read, first.expect[1].move.span) == "a1-b1");
  CHECK(first.expect[1].position->has_board);
  CHECK(first.expect[1].moves->empty());
  CHECK(tests[1].perft.at(0).leaves == 40);
  CHECK(drawn(tests[2].position->picture) == "w.b/.../");
  CHECK(joined(*tests[3].position->play) == "a b");
  check_wrong({{"tests: { name: x }\n", "`tests` is a map"},
               {"tests: [{ count: 3 }]\n", "this test has no name"},
               {"tests: [{ name: t }]\n", "the test `t` expects nothing"},
               {"tests: [{ name: t, cont: 3 }]\n", "did you mean `count`?"},
               {"tests: [{ name: t, cells: { a1: w } }]\n", "put it under `position`"},
               {"tests: [{ name: t, perft: [4, x] }]\n", "`x` is not a whole number"},
               {"tests: [{ name: t, after a1: { winer: W } }]\n", "did you mean `winner`?"}});
}

TEST_CASE("an extended file is merged in") {
  const Read read(
      "extends: parent\ngame: C\nturn: inherited\ndefine: { a: three, b: }\nend: [lose when x, inherited]\n",
      {{"parent", with("define: { a: one, b: two }\nend: [lose when y]\ntests: [{ name: t, count: 1 }]\n")}});
  CHECK(read.errors().empty());
  CHECK(read.file->game.text == "C");
  REQUIRE(read.file->define.size() == 1);
  REQUIRE(read.file->define[0].replaced);
  CHECK(dump(*read.file->define[0].replaced->body) == "one");
  REQUIRE(read.file->turn->replaced);
  CHECK(dump(read.file->turn->replaced->body) == "one");
  REQUIRE(read.file->end.size() == 2);
  CHECK(read.sources.name(read.file->end[1].span.file) == "parent");
  CHECK(read.file->tests.empty());
  CHECK(read.sources.name(read.file->file) == "main");
}

TEST_CASE("a chain of extended files has an end") {
  const Read cycle("extends: a\n", {{"a", "extends: b\n"}, {"b", "extends: a\n"}});
  CHECK(cycle.says("b:1:10: error: a file can't extend itself"));
  CHECK(cycle.says("a extends b extends a"));
  CHECK(Read("extends: main\n").says("main extends main"));
  const auto chain = [](int length) {
    Files files;
    for (int i = 1; i < length; ++i)
      files["f" + std::to_string(i)] = "extends: f" + std::to_string(i + 1) + "\n";
    files["f" + std::to_string(length)] = with("");
    return files;
  };
  CHECK(Read("extends: f1\n", chain(kMaxExtends)).errors().empty());
  CHECK(Read("extends: f1\n", chain(kMaxExtends + 1)).says("more than 16 files extend one another"));
  CHECK(Read(with("extends: missing\n")).says("main:1:10: error: there is no rule file `missing`"));
  CHECK(Read(with("end: [inherited]\n")).says("there is no `end` to inherit"));
}

TEST_CASE("vocabularies add up") {
  const Files files = {{"words", "about: text\ndefine: { w: one }\n"},
                       {"more", "define: { m: one }\n"},
                       {"parent", with("use: words\n")},
                       {"bad", "define: { go: one }\n"},
                       {"turns", "turn: pass\n"},
                       {"game", with("")}};
  const Read read("extends: parent\nuse: [more, words]\n", files);
  CHECK(read.errors().empty());
  REQUIRE(read.file->vocabularies.size() == 3);
  CHECK(read.file->vocabularies[1].at(0).name.text == "w");
  CHECK(read.file->vocabularies[2].at(0).name.text == "m");
  CHECK(Read(with("use: missing\n"), files).says("there is no vocabulary `missing`"));
  CHECK(Read(with("use: chesss\n"), files).says("did you mean `chess`?"));
  CHECK(Read(with("use: bad\n"), files).says("bad:1:11: error: `go` is a reserved word"));
  CHECK(Read(with("use: game\n"), files).says("`game` is a game, not a vocabulary"));
  CHECK(Read(with("use: turns\n"), files).says("`turn` can't be in a file that is named by `use`"));
}

TEST_CASE("a game may have the name of the vocabulary that it uses") {
  const Files files = {{"chess", with("use: chess\n")}};
  const Read read("extends: chess\n", files);
  CHECK(read.errors().empty());
  REQUIRE(read.file->vocabularies.size() == 2);
  const auto& words = read.file->vocabularies[1];
  CHECK(
      std::any_of(words.begin(), words.end(), [](const Definition& d) { return d.name.text == "checked"; }));
}

TEST_CASE("options of vocabularies lie below those of all files") {
  const Files files = {
      {"words", "options: { far: { default: 1, range: 0..3, help: how far } }\n"},
      {"more", "options: { far: { default: 2 }, near: { default: 4 } }\ndefine: { m: one }\n"},
      {"parent", with("use: words\noptions: { size: { default: 5 } }\n")}};
  const auto options = [](const Read& read) {
    std::string text;
    for (const OptionEntry& o : read.file->options) text += o.name.text + "=" + o.initial->text + " ";
    return text;
  };
  const Read plain("extends: parent\n", files);
  CHECK(plain.errors().empty());
  CHECK(options(plain) == "far=1 size=5 ");
  CHECK(plain.file->options[0].high.has_value());
  CHECK(plain.file->options[0].help == "how far");
  const Read merged("extends: parent\nuse: more\noptions: { far: { default: 3 }, size: }\n", files);
  CHECK(merged.errors().empty());
  CHECK(options(merged) == "far=3 near=4 ");
  CHECK(merged.file->options[0].help == "how far");
  const Read without("extends: parent\noptions:\n", files);
  CHECK(without.errors().empty());
  CHECK(without.file->options.empty());
  CHECK(options(Read(with("use: words\noptions:\n"), files)) == "far=1 ");
  CHECK(Read(with("use: words\noptions: { far: }\n"), files).file->options.empty());
  CHECK(Read(with("use: bad\n"), {{"bad", "options: { far: { defalt: 1 } }\n"}})
            .says("bad:1:19: error: unknown key"));
}

TEST_CASE("a file that isn't there") {
  Sources sources;
  Diagnostics diagnostics;
  const auto file = read_rule_file(
      "nowhere", [](const auto&, const auto&) { return std::nullopt; }, sources, diagnostics);
  CHECK_FALSE(file);
  CHECK(render(diagnostics, sources, false).find("nowhere:1:1: error: there is no rule file `nowhere`") == 0);
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].code == "not-found");
}

TEST_CASE("a file that is no map of sections") {
  for (const char* text : {"", "text\n", "- list\n", "42\n"}) {
    INFO(text);
    const Read read(text);
    CHECK(read.diagnostics.has_errors());
  }
}

} // namespace rule_file_test
