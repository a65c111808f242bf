// Hostile input: whatever stands in a rule file, a position or a move, the answer is a message or a game, and
// it comes soon. The mutations are the same in every run; that none of them crashes, throws or hangs is the
// test.
#include "dsl/finder.hpp"
#include "dsl/migrate.hpp"
#include "interpreter/load.hpp"
#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/position_text.hpp"
#include "rule_files.hpp"
#include "runtime/game/playout.hpp"
#include "tools/games/position_json.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hostile_test {

using namespace boardwright;
using runtime::Random;

namespace {

constexpr int kShare = tests::kSanitized ? 20 : 1; // of the cases
// What is done with the moves of a position that has this many takes longer than the rest of a case.
constexpr std::size_t kMaxMoves = 5'000;

// --- mutations

template <class List>
const auto& any_of(const List& list, Random& random) {
  return list[random.below(std::size(list))];
}

using namespace std::string_view_literals;
constexpr std::array kPieces{"\0"sv,
                             "\xff\xfe"sv,
                             "\xc3"sv,
                             "\xed\xa0\x80"sv,
                             "\t"sv,
                             "\r"sv,
                             "\n"sv,
                             "\n  "sv,
                             ": "sv,
                             " #"sv,
                             "\""sv,
                             "'"sv,
                             "("sv,
                             ")"sv,
                             "["sv,
                             "]"sv,
                             "{"sv,
                             "}"sv,
                             ","sv,
                             "|"sv,
                             "*"sv,
                             "+"sv,
                             "*!"sv,
                             "{0 .. 3}"sv,
                             " or "sv,
                             "~"sv,
                             "-"sv,
                             "."sv,
                             ".."sv,
                             "none"sv,
                             "here"sv,
                             "empty"sv,
                             "2147483647"sv,
                             "2147483648"sv,
                             "-1"sv,
                             "99999999999999999999"sv,
                             "1000000"sv,
                             "0"sv,
                             "512"sv,
                             "otherwise "sv,
                             "distinct "sv,
                             "most 1 of "sv,
                             "quietly "sv,
                             "can "sv,
                             "no move"sv,
                             "changed"sv,
                             "repeats"sv,
                             "again, "sv,
                             "inherited"sv,
                             "enemy."sv,
                             "before("sv,
                             "reach(own, go north)"sv,
                             "choose 3 x in board, "sv,
                             "each x in own do "sv,
                             "extends: game\n"sv,
                             "stacks: true"sv};

void cut(std::string& text, Random& random) {
  text.erase(random.below(text.size()), 1 + random.below(random.below(4) == 0 ? 400 : 6));
}

void insert(std::string& text, Random& random) {
  const std::string_view piece = any_of(kPieces, random);
  text.insert(random.below(text.size()),
              random.below(8) == 0 ? std::string(1, static_cast<char>(random.next())) : std::string(piece));
}

std::pair<std::size_t, std::size_t> stretch(const std::string& text, Random& random, std::size_t most) {
  const std::size_t begin = random.below(text.size());
  return {begin, std::min<std::size_t>(1 + random.below(most), text.size() - begin)};
}

void double_some(std::string& text, Random& random) {
  const auto [begin, size] = stretch(text, random, 80);
  text.insert(random.below(text.size()), std::string(text, begin, size));
}

struct Word {
  std::size_t begin, size;
};
bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// A word or number, or another sign; the last blank if nothing else comes.
Word word_from(const std::string& text, std::size_t begin) {
  while (begin + 1 < text.size() && std::isspace(static_cast<unsigned char>(text[begin])) != 0) ++begin;
  while (begin > 0 && is_of_word(text[begin]) && is_of_word(text[begin - 1])) --begin;
  std::size_t end = begin + 1;
  while (end < text.size() && is_of_word(text[begin]) && is_of_word(text[end])) ++end;
  return {begin, end - begin};
}

void swap(std::string& text, Random& random) {
  Word a = word_from(text, random.below(text.size())), b = word_from(text, random.below(text.size()));
  if (a.begin > b.begin) std::swap(a, b);
  if (a.begin + a.size > b.begin) return;
  const std::string first(text, a.begin, a.size), second(text, b.begin, b.size);
  text.replace(b.begin, b.size, first);
  text.replace(a.begin, a.size, second);
}

void replace(std::string& text, Random& random) {
  const Word word = word_from(text, random.below(text.size()));
  const Word other = word_from(text, random.below(text.size()));
  const std::string by = random.below(2) == 0 ? std::string(any_of(kPieces, random))
                                              : std::string(text, other.begin, other.size);
  text.replace(word.begin, word.size, by);
}

void enclose(std::string& text, Random& random) {
  static constexpr std::array<std::pair<const char*, const char*>, 10> kAround{{{"(", ")"},
                                                                                {"(", ")*"},
                                                                                {"(", ")+!"},
                                                                                {"distinct (", ")"},
                                                                                {"most count(own) of (", ")"},
                                                                                {"count(", ")"},
                                                                                {"reach(own, ", ")"},
                                                                                {"before(", ")"},
                                                                                {"enemy.(", ")"},
                                                                                {"\"", "\""}}};
  const auto [begin, size] = stretch(text, random, 40);
  const auto& [before, behind] = any_of(kAround, random);
  text.insert(begin + size, behind);
  text.insert(begin, before);
}

std::string mutated(std::string text, Random& random) {
  static constexpr std::array kWays{cut, insert, double_some, swap, replace, replace, replace, enclose};
  const std::uint64_t times = 1 + random.below(random.below(4) == 0 ? 8 : 2);
  for (std::uint64_t i = 0; i < times && !text.empty(); ++i) any_of(kWays, random)(text, random);
  return text;
}

// --- what is done with it

// A fault is an answer, if it says what and where.
template <class T>
bool good(const tl::expected<T, runtime::Fault>& result) {
  if (!result) {
    CHECK_FALSE(result.error().message.empty());
    CHECK(result.error().origin != 0);
  }
  return result.has_value();
}

void look_at(runtime::Game& game) {
  const auto outcome = game.outcome();
  if (!good(outcome)) return;
  const auto moves = game.moves();
  if (!good(moves)) return;
  CHECK(outcome->has_value() == moves->empty());
  const std::size_t count = moves->size();
  if (count == 0 || count > kMaxMoves) return;
  const auto notations = game.notations();
  if (good(notations)) CHECK(notations->size() == count);
  (void)good(game.find(notations ? notations->back() : "a1"));
  game.play((*game.moves())[count / 2]);
  (void)good(game.outcome());
  CHECK(game.undo());
}

void play_a_little(const std::shared_ptr<const runtime::Rules>& rules) {
  runtime::PlayoutOptions options;
  options.count = 1;
  options.max_plies = 8;
  (void)good(runtime::playouts(rules, options));
}

// Whether it loads. Either it does, or there is a message.
bool try_rules(const std::string& text) {
  const auto loaded = interpreter::load_text("game.yaml", text);
  CHECK(loaded.diagnostics.has_errors() != static_cast<bool>(loaded));
  CHECK(loaded.errors().empty() == loaded.diagnostics.all().empty());
  if (!loaded) return false;
  runtime::Game game(loaded.rules);
  look_at(game);
  play_a_little(loaded.rules);
  return true;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

std::string rules_with(const std::string& turn, const std::string& more = "") {
  return "game: T\nplayers: { White: north, Black: south }\nboard: { squares: 5 by 5 }\npieces: { man: w b "
         "}\n"
         "setup: { w: rank(1), b: rank(5) }\n" +
         more + "turn: |\n  " + turn + "\nend: [lose when no move]\n";
}

std::string around(std::string_view before, std::size_t depth, std::string_view inside,
                   std::string_view behind) {
  return repeated(before, depth) + std::string(inside) + repeated(behind, depth);
}

} // namespace

TEST_CASE("rule files that were damaged") {
  constexpr int kCases = 1'200 / kShare;
  const auto& files = dsl::bundled_files();
  REQUIRE(files.size() > 10);
  Random random(20'260);
  int loaded = 0;
  for (int i = 0; i < kCases; ++i) {
    const auto& file = any_of(files, random);
    const std::string text = mutated(std::string(file.text), random);
    INFO("case " << i << ", " << file.name << "\n" << text);
    loaded += try_rules(text) ? 1 : 0;
  }
  // Else nothing but messages would be tried.
  CHECK(loaded > kCases / 20);
  CHECK(loaded < kCases);
}

TEST_CASE("rule files that were damaged are migrated as far as they can be read") {
  constexpr int kCases = 600 / kShare;
  const auto& files = dsl::bundled_files();
  Random random(31);
  int read = 0;
  for (int i = 0; i < kCases; ++i) {
    const std::string text = mutated(std::string(any_of(files, random).text), random);
    INFO("case " << i << "\n" << text);
    const auto migration = dsl::migration_of("file", text, dsl::finder_with("file", text));
    if (migration.diagnostics.has_errors()) {
      CHECK(migration.edits.empty());
      continue;
    }
    ++read;
    const std::string fresh = dsl::edited(text, migration.edits);
    CHECK(dsl::migration_of("file", fresh, dsl::finder_with("file", fresh)).edits.empty());
  }
  CHECK(read > kCases / 20);
  CHECK(read < kCases);
}

// Each multiplies the ways through the turn: nothing may go through all of them at load.
TEST_CASE("many choices behind each other") {
  const auto loaded =
      interpreter::load_text("game.yaml", rules_with("from own" + repeated(", step(all, ~own)", 12)));
  INFO(loaded.errors());
  CHECK(loaded.rules != nullptr);
}

TEST_CASE("rules nested deeply") {
  for (const std::size_t depth : {50U, 99U, 101U, 1'000U, 30'000U}) {
    for (const auto& turn :
         {around("(", depth, "from own", ")"), "from " + around("~", depth, "own", ""),
          "require " + around("not ", depth, "true", ", pass"),
          "require 0 < " + around("-", depth, "1", ", pass"),
          "require 0 < " + around("1 + ", depth, "1", ", pass"),
          "from " + around("before(", depth, "own", ")"),
          "from " + around("reach(", depth, "own", ", go north)"), around("if true then ", depth, "pass", ""),
          around("distinct ", depth, "pass", ""), around("most 1 of ", depth, "pass", ""),
          around("each x in own do ", depth, "pass", ""),
          "require " + around("can (", depth, "pass", "), pass"), "from own" + repeated(", go north", depth),
          "pass" + repeated(" or pass", depth), around("(pass or ", depth, "pass", ")"),
          around("(", depth, "from own", ")*"), "from " + around("enemy.", depth, "own", ""),
          "from own" + repeated(" | own", depth)}) {
      INFO(turn.substr(0, 60) << " " << depth);
      try_rules(rules_with(turn));
    }
  }
}

TEST_CASE("rules that grow where they are unfolded") {
  const auto chain = [](int length, const std::string& step, const std::string& last) {
    std::string define = "define:\n";
    for (int i = 0; i <= length; ++i) {
      std::string body = i == length ? last : step;
      const std::string next = "d" + std::to_string(i + 1);
      for (std::size_t at; (at = body.find('$')) != std::string::npos;) body.replace(at, 1, next);
      define += "  d" + std::to_string(i) + ": " + body + "\n";
    }
    return define;
  };
  for (const int length : tests::sampled<int>({40, 90, 1'900}, 2)) {
    try_rules(rules_with("d0", chain(length, "$, $", "from own")));
    try_rules(rules_with("d0", chain(length, "($) or $", "from own, pass")));
    try_rules(rules_with("require d0 = 1, pass", chain(length, "$ + $", "1")));
    try_rules(rules_with("from d0", chain(length, "$ | $ & own", "own")));
    try_rules(rules_with("d0", chain(length, "$", "from own")));
    try_rules(rules_with("require d0 = 1, pass", chain(length, "$ + $", "own + 1")));
  }
}

TEST_CASE("rules with large numbers, long names and many choices") {
  const std::string name(60'000, 'n');
  for (const std::string& turn :
       {std::string("require 2147483647 * 2147483647 > -2147483647 - 2147483647, pass"),
        std::string("require 1 / 0 = 1 % 0, pass"), std::string("choose n in 1 .. 2147483647, say (n)"),
        std::string("choose 4 x in board, say (x)"), std::string("(go north)*"),
        std::string("from own, (pass){2147483647}"), std::string("from own, (go all)*, put 0"),
        std::string("from own, (go all){0 .. 1000000}"), std::string("(pass)*"), std::string("(again)*"),
        std::string("choose x in board, choose y in board, choose z in board, remove x | y | z"),
        std::string("most count(x) of (choose 6 x in board, pass)"),
        std::string("drop 2147483647 man on board"), std::string("to board, drop 300 man on here"),
        "from " + name, "let " + name + " = 1, require " + name + " = 1, pass", "say \"" + name + "\"",
        std::string("from ") + std::string(70'000, '9')}) {
    INFO(turn.substr(0, 80));
    try_rules(rules_with(turn));
  }
  for (const std::string& board :
       {std::string("board: { squares: 2147483647 by 2147483647 }\n"),
        std::string("board: { hexagon: 100000 }\n"), std::string("board: { squares: -1 by 0 }\n"),
        "board: { squares: " + name + " by 1 }\n",
        "board:\n  picture: |\n    " + std::string(100'000, 'o') + "\n"}) {
    std::string text = rules_with("from own, step(forward, empty)");
    text.replace(text.find("board:"), text.find("pieces:") - text.find("board:"), board);
    try_rules(text);
  }
}

TEST_CASE("files that are hardly text") {
  using namespace std::string_literals;
  const std::string rules = rules_with("from own, step(forward, empty)");
  for (const std::string& text : {""s,
                                  "\0"s,
                                  std::string(2'000'000, 'a'),
                                  std::string(1'000, '\0'),
                                  "\xff\xfe"s + rules,
                                  "\xef\xbb\xbf"s + rules,
                                  rules + "\xc3",
                                  rules + "...\n" + rules,
                                  "%YAML 1.2\n---\n" + rules,
                                  std::string(100'000, '['),
                                  std::string(100'000, '{'),
                                  repeated("- ", 50'000),
                                  repeated("a: ", 50'000),
                                  repeated("? ", 50'000),
                                  "a: &x [*x, *x]\n"s,
                                  "game: \"" + std::string(100'000, '\\'),
                                  repeated("x: 1\n", 100'000),
                                  "extends: game\n"s,
                                  "extends: game.yaml\nuse: [game, game.yaml]\n"s,
                                  rules.substr(0, rules.size() / 2),
                                  std::string(500'000, '\n') + rules,
                                  std::string(500'000, ' ') + rules,
                                  std::string(500'000, '#') + "\n" + rules,
                                  std::string(300'000, '\t') + rules}) {
    INFO(text.substr(0, 40) << " " << text.size());
    try_rules(text);
  }
}

TEST_CASE("positions that were damaged") {
  constexpr int kCases = 3'000 / kShare;
  Random random(77);
  int read = 0, played = 0;
  for (const char* name : {"tak", "tablut", "tempo", "havannah"}) {
    const auto rules = tests::load_rules(name);
    const std::string json = tools::write_position(rules->program(), rules->program().initial);
    const auto fen = interpreter::write_fen(rules->program(), rules->program().initial);
    for (int i = 0; i < kCases / 4; ++i) {
      const std::string text = mutated(fen && i % 2 == 1 ? *fen : json, random);
      INFO(name << " " << text);
      auto result = interpreter::read_position(rules, "position", text);
      CHECK(result.game.has_value() != result.diagnostics.has_errors());
      if (!result.game) continue;
      ++read;
      if (!runtime::check_position(rules->program(), result.game->position()).empty()) continue;
      ++played;
      look_at(*result.game);
    }
  }
  CHECK(played == read);
  CHECK(played > kCases / 100);
  const auto rules = tests::load_rules("tablut");
  for (const std::string& text :
       {std::string(100'000, '['), repeated("{\"cells\":", 50'000), std::string(2'000'000, ' '),
        std::string("{\"to_move\": \"White\", \"cells\": {}, \"ply\": 1e999}"), std::string(100, '\0')})
    CHECK_FALSE(interpreter::read_position(rules, "position", text).game);
}

TEST_CASE("moves that were damaged") {
  constexpr int kCases = 1'000 / kShare;
  Random random(5);
  for (const char* name : {"internationaldraughts", "tak", "tempo", "lasca"}) {
    const auto rules = tests::load_rules(name);
    runtime::Game game(rules);
    const auto legal = tests::required(game.notations(), *rules);
    for (int i = 0; i < kCases / 4; ++i) {
      const std::string text = mutated(any_of(legal, random), random);
      INFO(name << " " << text);
      const auto found = game.find(text);
      REQUIRE(good(found));
      if (!*found) continue;
      game.play(**found);
      REQUIRE(game.undo());
    }
    CHECK_FALSE(tests::required(game.find(std::string(1'000'000, 'a')), *rules).has_value());
  }
}

} // namespace hostile_test
