#include "dsl/grammar.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace grammar_test {

namespace {

using namespace boardwright::dsl;
using std::string;

Text text_of(const string& rule) {
  Text text{rule, std::vector<std::uint32_t>(rule.size() + 1), 0};
  std::iota(text.offsets.begin(), text.offsets.end(), 0U);
  return text;
}

// The dumped tree, or the first error.
string body(const string& rule) {
  Diagnostics diagnostics;
  const auto tree = parse_body(text_of(rule), diagnostics);
  CHECK(tree.has_value() != diagnostics.has_errors());
  return tree ? dump(*tree) : diagnostics.all().front().message;
}

std::vector<Diagnostic> errors(const string& rule) {
  Diagnostics diagnostics;
  CHECK_FALSE(parse_body(text_of(rule), diagnostics));
  CHECK(diagnostics.has_errors());
  return diagnostics.all();
}

// From the first byte on, without counting characters: the tables are ASCII but for signs at the end.
std::uint32_t column(const Diagnostic& diagnostic) { return diagnostic.span.begin + 1; }

string repeated(const string& part, std::size_t bytes) {
  string text;
  while (text.size() + part.size() <= bytes) text += part;
  return text;
}

struct Example {
  string rule;
  string tree;
};

void check(const std::vector<Example>& examples) {
  for (const auto& [rule, tree] : examples) {
    INFO(rule);
    CHECK(body(rule) == tree);
  }
}

} // namespace

TEST_CASE("values bind as the operators' table says") {
  check({
      {"a", "a"},
      {"a.b.c", "(perspective a (perspective b c))"},
      {"~a.b", "(complement (perspective a b))"},
      {"- -a * ~b", "(* (negate (negate a)) (complement b))"},
      {"a - b - c * d / e % f", "(- (- a b) (% (/ (* c d) e) f))"},
      {"a1..b2 & 2 .. n + 1 | x", "(| (& (.. a1 b2) (.. 2 (+ n 1))) x)"},
      {"a | b = c and not d in e or f", "(either (all_of (= (| a b) c) (negation (in d e))) f)"},
      {"a != b and c <= d and e >= f and g < h and i > j",
       "(all_of (!= a b) (<= c d) (>= e f) (< g h) (> i j))"},
      {"not not a", "(negation (negation a))"},
      {"(a | b) & c", "(& (paren (| a b)) c)"},
      {"if a then b else if c then d else e", "(conditional a b (conditional c d e))"},
      {"\"a, (b\"", "\"a, (b\""},
      {"2147483647", "2147483647"},
  });
}

TEST_CASE("owners stand before what they own") {
  check({
      {"own", "own"},
      {"own man & row(2)", "(& (owned own man) (call row 2))"},
      {"enemy (a | b)", "(owned enemy (paren (| a b)))"},
      {"enemy.city - neutral", "(- (perspective enemy city) neutral)"},
      {"remove enemy - alive(enemy)", "(remove (- enemy (call alive enemy)))"},
      {"from own - pawn", "(from (- own pawn))"},
  });
}

TEST_CASE("questions") {
  check({
      {"some S & T = x", "(= (some (& S T)) x)"},
      {"no S and a", "(all_of (no S) a)"},
      {"no move and not checked", "(all_of (no_move) (negation checked))"},
      {"some x in S", "(some_inside x S)"},
      {"some own & a in S | T or b", "(either (some_inside (& own a) (| S T)) b)"},
      {"no (a | b) in S = x", "(= (no_inside (paren (| a b)) S) x)"},
      {"not every own in S", "(negation (every_inside own S))"},
      {"sum(a for x in S, y in T where b)", "(fold_for sum x y a S T b)"},
      {"max(a for x in S) + f(1)", "(+ (fold_for max x a S) (call f 1))"},
      {"some x in S where a or b", "(some_in x S (either a b))"},
      {"no x in 1 .. 3 where x = n", "(no_in x (.. 1 3) (= x n))"},
      {"(c in S where c = d)", "(part c S (= c d))"},
      {"(x(a) for a in S)", "(list_for a (call x a) S)"},
      {"(a | b for a in S, b in T where a != b)", "(list_for a b (| a b) S T (!= a b))"},
      {"can flip and b", "(all_of (can flip) b)"},
      {"not can flip and not enemy.(can flip)",
       "(all_of (negation (can flip)) (negation (perspective enemy (paren (can flip)))))"},
      {"can (to c, glide)", "(can (paren (sequence (to c) glide)))"},
      {"count((c in own where can (to c, glide))) <= 1",
       "(<= (call count (part c own (can (paren (sequence (to c) glide))))) 1)"},
      {"before(a or b)", "(before (either a b))"},
      {"reach(c, (go D, at S)*)", "(reach c (repeat * (paren (sequence (go D) (at S)))))"},
      {"reach(c, go D, at S)", "(reach c (sequence (go D) (at S)))"},
      {"pieces(S, own)", "(pieces :own S)"},
      {"pieces(S, enemy man)", "(pieces :enemy S man)"},
      {"pieces(S, kind(c))", "(pieces S (call kind c))"},
  });
}

TEST_CASE("words that are special in one place only are names elsewhere") {
  check({
      {"reach | before | pieces", "(| (| reach before) pieces)"},
      {"score + when_", "(+ score when_)"},
      {"forward | inner | order | notx", "(| (| (| forward inner) order) notx)"},
      {"let reach = 3", "(let reach 3)"},
  });
}

TEST_CASE("actions of one word, over cells and with counts") {
  check({
      {"from own", "(from own)"},
      {"to S | T", "(to (| S T))"},
      {"at ~own", "(at (complement own))"},
      {"go 2 * d", "(go (* 2 d))"},
      {"bend forward", "(bend forward)"},
      {"lift, put, discard", "(sequence (lift) (put) (discard))"},
      {"lift 2, put n - 1, discard (k)", "(sequence (lift 2) (put (- n 1)) (discard (paren k)))"},
      {"never, pass, again, win, lose, draw", "(sequence (never) (pass) (again) (win) (lose) (draw))"},
      {"move a by shift(a, b)", "(move a (call shift a b))"},
      {"quietly remove prey, distinct (a or b)",
       "(sequence (quietly (remove prey)) (distinct (paren (either a b))))"},
      {"most count(hit) of capture", "(most (call count hit) capture)"},
      {"each x in S do (a, b)", "(each x S (paren (sequence a b)))"},
      {"require a or b, c", "(sequence (require (either a b)) c)"},
      {"say \"swap\", say c, say (a, \"-\", n + 1)",
       "(sequence (say \"swap\") (say c) (say a \"-\" (+ n 1)))"},
  });
}

TEST_CASE("names are bound and set") {
  check({
      {"let x = if a then b else c", "(let x (conditional a b c))"},
      {"set n = n + 1", "(set n (+ n 1))"},
      {"set enemy.store = 3", "(set store owner 3 enemy)"},
      {"set p.store = 3", "(set store owner 3 p)"},
      {"set hand(man) = 3", "(set hand kind 3 man)"},
      {"set enemy.hand(man) = 3", "(set hand owner kind 3 enemy man)"},
      {"choose x in S", "(choose x S)"},
      {"choose n x in S", "(choose x S n)"},
      {"choose min(2, n) z in S & T", "(choose z (& S T) (call min 2 n))"},
  });
}

TEST_CASE("pieces are dropped and changed") {
  check({
      {"drop man on S", "(drop S man)"},
      {"drop own man on S", "(drop :own S man)"},
      {"drop kind(c) on S - T", "(drop (- S T) (call kind c))"},
      {"drop neutral kind(c) on S", "(drop :neutral S (call kind c))"},
      {"drop 2 man on S", "(drop S man 2)"},
      {"drop n man on S", "(drop S man n)"},
      {"drop 2 * n enemy man on S", "(drop :enemy S man (* 2 n))"},
      {"drop enemy.n man on S", "(drop S man (perspective enemy n))"},
      {"change S to own", "(change :own S)"},
      {"change S to own man", "(change :own S man)"},
      {"change here to kind(c)", "(change here (call kind c))"},
      {"change own to enemy, pass", "(sequence (change :enemy own) (pass))"},
  });
}

TEST_CASE("one connective joins a level") {
  check({
      {"a, b, c", "(sequence a b c)"},
      {"a or go d or b", "(either a (go d) b)"},
      {"a otherwise (b otherwise c)", "(otherwise a (paren (otherwise b c)))"},
      {"((a))", "(paren (paren a))"},
      {"a and b or c", "(either (all_of a b) c)"},
      {"f(a or go d, -1, (x)*, if c then lift, \"s\")",
       "(call f (either a (go d)) (negate 1) (repeat * (paren x)) (conditional c (lift)) \"s\")"},
  });
}

TEST_CASE("repetitions") {
  check({
      {"(a)?", "(repeat ? (paren a))"},
      {"(a)*, b", "(sequence (repeat * (paren a)) b)"},
      {"(a)* or b", "(either (repeat * (paren a)) b)"},
      {"((a)+)", "(paren (repeat + (paren a)))"},
      {"f(x)*!", "(repeat *! (call f x))"},
      {"f+! until here in S", "(repeat +! until f (in here S))"},
      {"(a)+ until b or c", "(repeat + until (paren a) (either b c))"},
      {"(a){n}", "(repeat {n} (paren a) n)"},
      {"(a){0 .. n + 1}!", "(repeat {a..b}! (paren a) 0 (+ n 1))"},
      {"(a){2}! until c", "(repeat {n}! until (paren a) 2 c)"},
      {"can (a)* and b", "(all_of (can (repeat * (paren a))) b)"},
      // products and sums
      {"(a) * b", "(* (paren a) b)"},
      {"a + (b)", "(+ a (paren b))"},
      {"(a)+ -b", "(+ (paren a) (negate b))"},
  });
}

TEST_CASE("an `if` is an action, a value, or undecided") {
  check({
      {"if a then b", "(conditional a b)"},
      {"a, if b then lift else (c, d)", "(sequence a (conditional b (lift) (paren (sequence c d))))"},
      {"if a then if b then c else d", "(conditional a (conditional b c d))"},
      {"if a then b or not c else d or e", "(conditional a (either b (negation c)) (either d e))"},
      {"(if a then b), c", "(sequence (paren (conditional a b)) c)"},
      {"if a then (b)* else c", "(conditional a (repeat * (paren b)) c)"},
      {"require if a then b else c, d", "(sequence (require (conditional a b c)) d)"},
  });
}

TEST_CASE("comments and blanks may stand between any two tokens") {
  check({
      {"a # b, c\n, d", "(sequence a d)"},
      {" \t(a)\n *!\r\n until # why\n b # end", "(repeat *! until (paren a) b)"},
      {"say \"#\"", "(say \"#\")"},
  });
}

TEST_CASE("values, sizes and lines of `end`") {
  Diagnostics diagnostics;
  const auto value = parse_value(text_of("a | b"), diagnostics);
  REQUIRE(value);
  CHECK(dump(*value) == "(| a b)");

  const auto size = parse_size(text_of("gems + 1 by 8"), diagnostics);
  REQUIRE(size);
  CHECK(dump(size->first) == "(+ gems 1)");
  CHECK(dump(size->second) == "8");

  const auto draw = parse_end(text_of("draw when no move or a"), diagnostics);
  REQUIRE(draw);
  CHECK(draw->verdict == EndVerdict::draw);
  CHECK_FALSE(draw->score);
  CHECK(dump(draw->condition) == "(either (no_move) a)");

  const auto score = parse_end(text_of("score own + score when x"), diagnostics);
  REQUIRE(score);
  CHECK(score->verdict == EndVerdict::score);
  REQUIRE(score->score);
  CHECK(dump(*score->score) == "(+ own score)");
  CHECK(dump(score->condition) == "x");
  CHECK(score->span == Span{0, 0, 24});

  const auto named = parse_end(text_of("White wins when score"), diagnostics);
  REQUIRE(named);
  CHECK(named->verdict == EndVerdict::win);
  CHECK(named->player == "White");
  CHECK(named->player_span == Span{0, 0, 5});
  CHECK(dump(named->condition) == "score");
  const auto plural = parse_end(text_of("score lose when no move"), diagnostics);
  REQUIRE(plural);
  CHECK(plural->verdict == EndVerdict::lose);
  CHECK(plural->player == "score");
  CHECK_FALSE(diagnostics.has_errors());
}

TEST_CASE("every node knows its place") {
  const string rule = " from own , (a - b - c)* until d # end";
  Diagnostics diagnostics;
  const auto tree = parse_body(text_of(rule), diagnostics);
  REQUIRE(tree);
  const auto covers = [&](const Ast& node) {
    return rule.substr(node.span.begin, node.span.end - node.span.begin);
  };
  CHECK(covers(*tree) == "from own , (a - b - c)* until d");
  CHECK(covers(tree->kids[0]) == "from own");
  CHECK(covers(tree->kids[1]) == "(a - b - c)* until d");
  const Ast& paren = tree->kids[1].kids[0];
  CHECK(covers(paren) == "(a - b - c)");
  CHECK(covers(paren.kids[0]) == "a - b - c");
  CHECK(covers(paren.kids[0].kids[0]) == "a - b");
  CHECK(covers(tree->kids[1].kids[1]) == "d");
}

TEST_CASE("names that are bound, set or called know theirs") {
  const string rule = "let x = (f(y) for y in S, zz in T)";
  Diagnostics diagnostics;
  const auto tree = parse_body(text_of(rule), diagnostics);
  REQUIRE(tree);
  CHECK(tree->word_span == Span{0, 4, 5});
  const Ast& list = tree->kids[0];
  REQUIRE(list.name_spans.size() == 2);
  CHECK(list.name_spans[1] == Span{0, 26, 28});
  CHECK(list.kids[0].word_span == Span{0, 9, 10});
}

namespace {

struct Mistake {
  string rule;
  std::uint32_t column;
  string message;       // a part of it
  string expected = ""; // a part of it
  string help = "";     // a part of it
};

} // namespace

TEST_CASE("an error tells the furthest place and what could have stood there") {
  const std::vector<Mistake> mistakes{
      {"", 1, "an empty rule", "expected a step or a value"},
      {"from own,", 10, "unexpected end of the rule", "expected a step or a value"},
      {"from own lift", 10, "unexpected `lift`",
       "expected `,`, `or`, `otherwise`, an operator or the end of the rule"},
      {"from", 5, "unexpected end", "expected a value"},
      {"if a b", 6, "unexpected `b`", "expected `or`, `then` or an operator"},
      {"require if a then b", 20, "unexpected end", "`else`"},
      {"can 3", 5, "unexpected `3`", "expected a step"},
      {"each x in S (a)", 16, "unexpected end", "expected `do` or an operator"},
      {"let x 3", 7, "unexpected `3`", "expected `=`"},
      {"drop own on S", 10, "unexpected `on`", "expected a kind"},
      {"drop 2 on S", 8, "unexpected `on`", "a kind"},
      {"change S to", 12, "unexpected end", "expected a kind or an owner"},
      {"choose x S", 11, "unexpected end", "expected `in`"},
      {"every x in S where a", 14, "`every S in T` takes no condition", "", "`no x in S where not C`"},
      {"require all own in S", 13, "unexpected `own`", "", "`every S in T`"},
      {"pass \"x\"", 6, "unexpected \"x\""},
      {"(1 + )", 6, "unexpected `)`", "expected a value"},
      {"f(a b)", 5, "unexpected `b`", "expected `)`, `,`, `or` or an operator"},
  };
  for (const auto& mistake : mistakes) {
    INFO(mistake.rule);
    const auto error = errors(mistake.rule).front();
    CHECK(error.code == "syntax");
    CHECK(column(error) == mistake.column);
    CHECK_THAT(error.message, Catch::Contains(mistake.message));
    CHECK_THAT(error.expected, Catch::Contains(mistake.expected));
    CHECK_THAT(error.help, Catch::Contains(mistake.help));
  }
}

TEST_CASE("usual slips have a message or a hint of their own") {
  const std::vector<Mistake> mistakes{
      {"a, b or c", 6, "`or` after `,` on one level", "", "write `a, (b or c)` or `(a, b) or c`"},
      {"a or b, c", 7, "`,` after `or` on one level"},
      {"a or b otherwise c", 8, "`otherwise` after `or` on one level"},
      {"if c then a, b", 12, "an `if` without parentheses must be the last of its level", "", "put the `if`"},
      {"if c then lift or put", 16, "an `if` without parentheses must be the last of its level"},
      {"each x in S do if c then a, b", 27, "an `if` without parentheses"},
      {"f(if c then lift or put)", 18, "an `if` without parentheses"},
      {"a == b", 3, "`==`", "", "write `=`"},
      {"a && b", 3, "`&&`", "", "`and`"},
      {"a || b", 3, "`||`", "", "`or`"},
      {"!a", 1, "unexpected `!`", "", "write `not`"},
      {"a <> b", 3, "`<>`", "", "write `!=`"},
      {"a \u2260 b", 3, "`\u2260`", "", "write `!=`"},
      {"say \u201cx\u201d", 5, "`\u201c`", "", "a straight `\"`"},
      {"say 'x'", 5, "`'`", "", "\"like this\""},
      {"say \"x", 5, "a string is not closed"},
      {"say \"x\ny\"", 5, "a string is not closed"},
      {"a $ b", 3, "there is no `$`"},
      {string("a \x01"), 3, "a control character"},
      {"a \xff", 3, "a byte that is not a character"},
      {"\xe2\x89", 1, "a byte that is not a character"},
      {"2x", 1, "`2x` is neither a number nor a name", "", "2 * x"},
      {"2147483648", 1, "this number is too large"},
      {"let from = 3", 5, "`from` is a reserved word", "expected a name", "another name"},
      {"some to in S where x", 6, "`to` is a reserved word"},
      {"from own and man", 10, "unexpected `and`", "", "`&`"},
      {"NOT a", 5, "unexpected `a`", "", "`not` in lower case"},
      {"a And b", 3, "unexpected `And`", "", "`and` in lower case"},
      {"form own", 6, "unexpected `own`", "", "did you mean `from`?"},
      {"if a thne b", 6, "unexpected `thne`", "", "did you mean `then`?"},
      {"a < b < c", 7, "unexpected `<`", "", "two values"},
      {"go d*, x", 6, "unexpected `,`", "", "in parentheses"},
      {"go d{2}", 5, "unexpected `{`", "", "in parentheses"},
      {"step(a)!", 8, "unexpected `!`", "", "after `?`, `*`"},
      {"f()", 3, "unexpected `)`", "", "no parentheses"},
      {"a)", 2, "unmatched `)`"},
      {"(a where b)", 4, "`where` needs a name and a set before it", "", "(x in S where C)"},
      {"f(a otherwise b)", 5, "unexpected `otherwise`", "", "in parentheses"},
  };
  for (auto mistake : mistakes) {
    INFO(mistake.rule);
    const auto error = errors(mistake.rule).front();
    CHECK(column(error) == mistake.column);
    CHECK_THAT(error.message, Catch::Contains(mistake.message));
    CHECK_THAT(error.help, Catch::Contains(mistake.help, Catch::CaseSensitive::No));
  }
}

TEST_CASE("a parenthesis that is not closed is shown") {
  const auto error = errors("a, (b, f(c").front();
  CHECK(error.message == "unexpected end of the rule");
  REQUIRE(error.related.size() == 1);
  CHECK(error.related[0].span == Span{0, 8, 9});
}

TEST_CASE("reading goes on behind an error") {
  struct Several {
    string rule;
    std::vector<std::uint32_t> columns;
  };
  const std::vector<Several> examples{
      {"lift x y, to to, go (d e), f(a b), pass", {8, 14, 24, 32}},
      {"(lift x y, to, (go), a), go", {9, 14, 19, 28}},
      {"(x y, to)", {4, 9}},
      {"x y, f(a b, c), d", {3, 10}},
      {"x y, a $ b", {8}},           // tokens come first
      {"x y, (a", {3}},              // nobody knows what belongs together
      {"f(x y, a or b, c), d", {5}}, // commas of arguments join no steps
      {"(x for y S, z in T), d", {10}},
      {"a b, a b, a b, a b, a b, a b, a b", {3, 8, 13, 18, 23}},
  };
  for (const auto& [rule, columns] : examples) {
    INFO(rule);
    std::vector<std::uint32_t> found;
    for (const auto& error : errors(rule)) found.push_back(column(error));
    CHECK(found == columns);
  }
}

TEST_CASE("values, sizes and lines of `end` have errors too") {
  Diagnostics diagnostics;
  CHECK_FALSE(parse_value(text_of("from own"), diagnostics));
  CHECK_FALSE(parse_value(text_of("a, b"), diagnostics));
  CHECK_FALSE(parse_size(text_of("8 x 8"), diagnostics));
  CHECK_FALSE(parse_size(text_of("8x8"), diagnostics));
  CHECK_FALSE(parse_end(text_of("wins when a"), diagnostics));
  CHECK_FALSE(parse_end(text_of("win if a"), diagnostics));
  CHECK_FALSE(parse_end(text_of("score when a"), diagnostics));
  CHECK(diagnostics.error_count() == 7);
}

TEST_CASE("keywords are those of the grammar") {
  CHECK(is_keyword("from"));
  CHECK(is_keyword("neutral"));
  CHECK(is_keyword("when"));
  CHECK_FALSE(is_keyword("reach"));
  CHECK_FALSE(is_keyword("score"));
  CHECK_FALSE(is_keyword("forward"));
  CHECK_FALSE(is_keyword(""));
  CHECK_FALSE(is_keyword("an operator"));
}

TEST_CASE("nesting is read up to its limit") {
  const auto nested = [](int depth) {
    return string(static_cast<std::size_t>(depth), '(') + "a" + string(static_cast<std::size_t>(depth), ')');
  };
  CHECK(body(nested(kMaxRuleDepth)).starts_with("(paren"));
  CHECK(errors(nested(kMaxRuleDepth + 1)).front().code == "limit");
}

TEST_CASE("a chain of operators is read up to its limit") {
  const auto chain = [](int height) {
    return repeated("a|", 2 * static_cast<std::size_t>(height - 1)) + "a";
  };
  CHECK(body(chain(kMaxTreeHeight)).starts_with("(|"));
  CHECK(errors(chain(kMaxTreeHeight + 1)).front().code == "limit");
  // what does not nest has no such limit
  CHECK(body(repeated("a, ", 60000) + "a").starts_with("(sequence"));
}

TEST_CASE("a rule is read up to its longest size") {
  CHECK(body(string(kMaxRuleBytes - 1, ' ') + "a") == "a");
  CHECK(errors(string(kMaxRuleBytes, ' ') + "a").front().code == "limit");
}

TEST_CASE("hostile rules are refused in time") {
  const std::vector<string> parts{"(",
                                  "if ",
                                  "not ",
                                  "-",
                                  "~",
                                  "a.",
                                  "a+",
                                  "f(f(f(",
                                  "{",
                                  "some x in ",
                                  "no ",
                                  "some ",
                                  "can ",
                                  "can (",
                                  "a|",
                                  "(a|(a|",
                                  "a+(",
                                  "reach(a,",
                                  "(a){",
                                  "drop a(",
                                  "before(",
                                  "own (",
                                  "a = ",
                                  "if a then ",
                                  "quietly ",
                                  "each x in S do ",
                                  "x y, ",
                                  "(x y, ",
                                  "if a then b else ",
                                  "choose f(",
                                  "say (",
                                  ")"};
  for (const auto& part : parts) {
    for (const string& tail : {string(), string("a"), string(20000, ')')}) {
      INFO(part);
      const auto start = std::chrono::steady_clock::now();
      CHECK_FALSE(errors(repeated(part, 40000) + tail).empty());
      CHECK(std::chrono::steady_clock::now() - start <
            std::chrono::seconds(10)); // milliseconds, but for sanitizers
    }
  }
}

TEST_CASE("forty levels of whatever kind take no longer than one each") {
  for (const string& part : {string("("), string("f("), string("(a or "), string("drop f("),
                             string("(c in S where ("), string("can ("), string("f((a, ")}) {
    INFO(part);
    const string rule = repeated(part, 40 * part.size()) + "a";
    const auto closers = static_cast<std::size_t>(std::count(rule.begin(), rule.end(), '('));
    const auto start = std::chrono::steady_clock::now();
    Diagnostics diagnostics;
    (void)parse_body(text_of(rule + string(closers, ')')), diagnostics);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
  }
}

} // namespace grammar_test
