// Records: what is written is read again, hostile text is refused with its place, and a record replays
// exactly or says why not.
#include "interpreter/load.hpp"
#include "interpreter/notation/record.hpp"
#include "runtime/game/spelling.hpp"
#include "runtime/model/fingerprint.hpp"

#include <catch2/catch.hpp>

#include <map>

namespace record_test {

using namespace boardwright;
using interpreter::read_records;
using interpreter::Record;
using interpreter::Replayed;

namespace {

const std::string kSteps =
    "game: Steps\nplayers: { Black: north, White: south }\nboard: { squares: 3 by 3 }\n"
    "pieces: { man: b w }\nsetup: { b: a1, w: c3 }\nturn: from own, step(forward, empty)\n"
    "end:\n  - lose when no move\n";

std::shared_ptr<const runtime::Rules> rules_of(const std::string& text,
                                               const interpreter::Settings& settings = {}) {
  const auto loaded = interpreter::load_text("test.yaml", text, settings);
  INFO(loaded.errors());
  REQUIRE(loaded);
  return loaded.rules;
}

std::uint64_t print_of(const std::string& text, const interpreter::Settings& settings = {}) {
  return runtime::fingerprint(rules_of(text, settings)->program());
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

Record only_record(const std::string& text) {
  const auto records = read_records(text);
  INFO((records ? std::string() : records.error().message));
  REQUIRE(records);
  REQUIRE(records->size() == 1);
  return records->front();
}

Replayed replayed(const std::string& rules, const std::string& text) {
  auto result = interpreter::replay_record(rules_of(rules), only_record(text));
  INFO((result ? std::string() : result.error()));
  REQUIRE(result);
  return std::move(*result);
}

// "line:column: message" of a text that is no record.
std::string error_of(const std::string& text) {
  const auto records = read_records(text);
  if (records) return "";
  return std::to_string(records.error().line) + ":" + std::to_string(records.error().column) + ": " +
         records.error().message;
}

} // namespace

TEST_CASE("the fingerprint is that of what is played") {
  const std::uint64_t print = print_of(kSteps);
  CHECK(print_of("# a comment\n\n" + replaced(kSteps, "from own,", "from   own ,")) == print);
  CHECK(print_of(replaced(kSteps, "game: Steps", "game: Other")) == print);
  CHECK(print_of(kSteps + "define:\n  unused(S): count(S) > 2\n") == print);
  CHECK(print_of(kSteps + "define:\n  mine: own\n") == print);
  CHECK(print_of(replaced(kSteps + "define:\n  mine: own\n", "from own", "from mine")) == print);
  for (const auto& [what, by] : std::vector<std::pair<std::string, std::string>>{
           {"empty)", "~own)"},
           {"step(forward", "step(backward"},
           {"b: a1", "b: b1"},
           {"lose when", "win when"},
           {"3 by 3", "3 by 4"},
           {"Black: north", "Red: north"},
           {"man: b w", "man: x w"},
           {"Black: north, White: south", "Black: south, White: north"}}) {
    INFO(what << " -> " << by);
    std::string changed = replaced(kSteps, what, by);
    if (by == "man: x w") changed = replaced(changed, "{ b: a1", "{ x: a1");
    CHECK(print_of(changed) != print);
  }
  const std::string with_option =
      replaced(kSteps, "setup:", "options: { far: { default: 1, range: 1..2 } }\nsetup:") + "";
  const std::string far = replaced(with_option, "step(forward, empty)", "step(forward, empty){far}");
  CHECK(print_of(far, {{"far", "2"}}) != print_of(far));
  CHECK(print_of(far, {{"far", "1"}}) == print_of(far));
  CHECK(runtime::fingerprint_text(0x1f).size() == 16);
}

TEST_CASE("all bundled games have fingerprints of their own") {
  std::map<std::uint64_t, std::string> seen;
  for (const char* game : {"chess", "breakthrough", "eximo", "tempo", "antigrid", "scalus", "intermedium"}) {
    const auto loaded = interpreter::load(game);
    REQUIRE(loaded);
    CHECK(seen.emplace(runtime::fingerprint(loaded.rules->program()), game).second);
  }
}

TEST_CASE("a record is read as it is written") {
  const std::string text =
      "[Game \"A \\\"game\\\" \\\\ of\\ntwo\"]\n[Option \"far=2\"]\n[Option \"size=3\"]\n\n"
      "; about it\n1. Black: a1-a2\n; good\n; very\n2. c3-c2\n3. Black: \" x\\\"\"\n"
      "Result: a draw (agreed)\n";
  const Record record = only_record(text);
  CHECK(record.tag("Game") == "A \"game\" \\ of\ntwo");
  CHECK(record.tags_named("Option") == std::vector<std::string>{"far=2", "size=3"});
  CHECK(record.tag("Nothing").empty());
  CHECK(record.comments == std::vector<std::string>{"about it"});
  REQUIRE(record.moves.size() == 3);
  CHECK(record.moves[0].comments == std::vector<std::string>{"good", "very"});
  CHECK(record.moves[1].text == "c3-c2");
  CHECK(record.moves[1].line == 9);
  CHECK(record.moves[1].column == 4);
  CHECK(record.result == "a draw (agreed)");
  CHECK(interpreter::write_record(record) == text);
  // What editors and other systems make of it: a mark at the beginning, line breaks, blanks.
  const Record odd = only_record("\xEF\xBB\xBF[Game \"x\"] \r\n\r\n  1.   a1-a2 \r\nResult:  White wins\r");
  CHECK(odd.tag("Game") == "x");
  CHECK(odd.moves.at(0).text == "a1-a2");
  CHECK(odd.result == "White wins");
}

TEST_CASE("a file holds several records") {
  const auto records = read_records("1. a\nResult: x\n[Game \"2\"]\n[Game \"3\"]\n1. b\n[Game \"4\"]\n");
  REQUIRE(records);
  REQUIRE(records->size() == 3);
  CHECK((*records)[1].tags.size() == 2);
  CHECK((*records)[1].line == 3);
  CHECK((*records)[2].moves.empty());
}

TEST_CASE("what is no record is refused at its place") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "1:1: there is no record here"},
      {"\n \n", "2:1: there is no record here"},
      {"hello", "1:1: this is none of a tag"},
      {"1. a\n  hello\n", "2:3: this is none of a tag"},
      {"[Game]", "1:1: a tag is a name and a text"},
      {"[]", "1:1: a tag is a name and a text"},
      {"[", "1:1: a tag is a name and a text"},
      {"[Game \"", "1:7: the text of a tag ends"},
      {"[Game \"\\", "1:7: the text of a tag ends"},
      {"[Game \"\\q\"]", "1:7: the text of a tag ends"},
      {"[Game \"\\x1\"]", "1:7: the text of a tag ends"},
      {"[Game \"\\x", "1:7: the text of a tag ends"},
      {"[Game \"x\" y]", "1:7: the text of a tag ends"},
      {" [Game \"x\"", "1:8: the text of a tag ends"},
      {"1 a1-a2", "1:1: a move has its number and a full stop"},
      {"99999999999999999999999. a", "1:1: a move has its number and a full stop"},
      {"2. a", "1:1: this is move 1, but it is numbered 2"},
      {"1. a\n1. b", "2:1: this is move 2, but it is numbered 1"},
      {"1. a\n2.  ", "2:1: move 2 is missing"},
      {"Result:", "1:1: behind `Result:`"},
      {"Result: a\n1. a", "2:1: a tag begins the next game"}};
  for (const auto& [text, message] : cases) {
    INFO(text);
    CHECK(error_of(text).substr(0, message.size()) == message);
  }
}

TEST_CASE("limits of records, on both sides") {
  std::string tags, moves;
  for (std::size_t i = 0; i < interpreter::kMaxRecordTags; ++i) tags += "[T \"x\"]\n";
  CHECK(error_of(tags).empty());
  CHECK(error_of(tags + "[T \"x\"]\n") == "1001:1: a record has more than 1000 tags");
  for (std::size_t i = 1; i <= interpreter::kMaxRecordMoves; ++i) moves += std::to_string(i) + ". a\n";
  CHECK(error_of(moves).empty());
  CHECK(error_of(moves + "100001. a\n") == "100001:1: a record has more than 100000 moves");
  const std::string longest(interpreter::kMaxRecordMove, 'a');
  CHECK(error_of("1. " + longest).empty());
  CHECK(error_of("1. " + longest + "a") == "1:1: move 1 is longer than 32768 bytes");
  const std::string comment = ";" + std::string(interpreter::kMaxRecordBytes - 1, 'a');
  CHECK(error_of(comment).empty());
  CHECK(error_of(comment + "a") == "1:1: a record is larger than 67108864 bytes");
}

TEST_CASE("whatever a notation or a tag holds is written so that it reads back") {
  for (const std::string& text :
       {std::string("a1-b2"), std::string(""), std::string(" a "), std::string("\"a\""),
        std::string("a\nb\t\x01\x7f\\"), std::string("ä→b"), std::string(1, '\0')}) {
    const Record record =
        only_record(interpreter::tag_line("Tag", text) + interpreter::move_line(1, "Black", text));
    CHECK(record.tag("Tag") == text);
    // Steps has no such move: it is asked for as it is.
    CHECK(replayed(kSteps, interpreter::move_line(1, "Black", text)).asked == text);
  }
  CHECK(interpreter::comment_lines("a\n\n  b ") == "; a\n;\n; b\n");
  CHECK(interpreter::result_line("a\nb") == "Result: a b\n");
}

TEST_CASE("a record replays, or says where it stops") {
  const Replayed good = replayed(kSteps, "1. Black: a1-a2\n2. White:c3-c2\n3. A1A2\n");
  CHECK(good.stop == Replayed::Stop::illegal);
  CHECK(good.asked == "A1A2");
  CHECK(good.moves == std::vector<std::string>{"a1-a2", "c3-c2"});
  CHECK(good.players == std::vector<int>{0, 1});
  CHECK_FALSE(good.rules_changed);
  const Replayed wrong = replayed(kSteps, "1. White: a1-a2\n");
  CHECK(wrong.stop == Replayed::Stop::wrong_player);
  CHECK(wrong.named == "White");
  const Replayed over = replayed(kSteps, "1. a1-a2\n2. c3-c2\n3. a2-a3\n4. c2-c1\n5. a3-a2\n");
  CHECK(over.stop == Replayed::Stop::over);
  CHECK(over.moves.size() == 4);
  const Replayed from = replayed(kSteps, "[Position \"3/3/2b w\"]\n[RulesHash \"0\"]\n1. c1-c2\n");
  CHECK(from.stop == Replayed::Stop::over);
  CHECK(from.rules_changed);
  const auto nowhere = interpreter::replay_record(rules_of(kSteps), only_record("[Position \"3/3 w\"]\n"));
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().find("[Position]:1:") != std::string::npos);
}

TEST_CASE("moves that are written alike are told apart") {
  const std::string alike =
      "game: Alike\nplayers: { Black: north, White: south }\nboard: { squares: 3 by 3 }\n"
      "pieces: { man: b w }\nsetup: { b: a1 | c1, w: c3 }\n"
      "turn: quietly (from own, step(forward, empty)), pass\nend:\n  - draw when no move\n";
  const auto rules = rules_of(alike);
  runtime::Game game(rules);
  const auto texts = game.notations();
  REQUIRE(texts);
  REQUIRE(*texts == std::vector<std::string>{"pass", "pass"});
  CHECK(runtime::spellings(*texts) == std::vector<std::string>{"pass#1", "pass#2"});
  for (std::size_t i = 0; i < 2; ++i) {
    const auto moves = game.moves();
    REQUIRE(moves);
    const auto text = runtime::spelling(game, (*moves)[i]);
    REQUIRE(text);
    CHECK(*text == (i == 0 ? "pass#1" : "pass#2"));
    const auto found = runtime::find_spelled(game, *text);
    REQUIRE(found);
    REQUIRE(found->has_value());
    CHECK(**found == (*moves)[i]);
  }
  for (const char* none : {"pass#3", "pass#0", "pass#", "pass#x", "pas#1", "#1", "pass#1#1"}) {
    const auto found = runtime::find_spelled(game, none);
    REQUIRE(found);
    CHECK_FALSE(found->has_value());
  }
  const auto moves = game.moves();
  REQUIRE(moves);
  CHECK(*runtime::find_spelled(game, "PASS") == std::optional((*moves)[0])); // as Game::find has it
}

} // namespace record_test
