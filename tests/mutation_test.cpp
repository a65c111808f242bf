// The drawing of mistakes for tests/mutation/run, which itself takes too long to be a test.
#include "tests/mutation/mutations.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace mutation_test {

using namespace boardwright::tests;

namespace {

// Every outcome of one mistake in the source, in order.
std::vector<std::string> outcomes(const std::string& source) {
  std::vector<std::string> all;
  for (const auto& m : mutations_of(source)) all.push_back(applied(source, m));
  std::sort(all.begin(), all.end());
  return all;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("operators, words and numbers are changed one at a time") {
  CHECK(outcomes("a < b") == Texts{"a <= b"});
  CHECK(outcomes("a && b || c") == Texts{"a && b && c", "a || b || c"});
  CHECK(outcomes("x = y + 7;") == Texts{"x = y + 6;", "x = y + 8;", "x = y - 7;"});
  CHECK(outcomes("f(0)") == Texts{"f(1)"});
  CHECK(outcomes("bool b = true;") == Texts{"bool b = false;"});
  CHECK(outcomes("x == y") == Texts{"x != y"});
}

TEST_CASE("conditions are negated and statements fall away") {
  CHECK(outcomes("if (f(a)) b;") == Texts{"if (!(f(a))) b;"});
  CHECK(outcomes("if (s.has(\"a b\")) c;") == Texts{"if (!(s.has(\"a b\"))) c;"});
  CHECK(outcomes("if (auto x = f()) b;").empty());
  CHECK(outcomes("void f() {\n  g();\n  return h();\n}\n") == Texts{"void f() {\n  ;\n  return h();\n}\n"});
  CHECK(outcomes("{\n  x.y += z;\n}\n") == Texts{"{\n  ;\n}\n"});
}

TEST_CASE("comments, texts, directives, templates and parts of words are left alone") {
  CHECK(outcomes("// a < b\n/* 1 + 1 */ #\n").empty());
  CHECK(outcomes("say(\"a < b 1\", ' ', 'x')").empty());
  CHECK(outcomes("#define A 1 + \\\n  1 < 2\n#include <map>\n").empty());
  CHECK(outcomes("std::vector<int> untrue, word3, v_2; 1'000; 1.5; 3U").empty());
  CHECK(outcomes("{\n  const int x = y;\n  int z;\n  Thing t(a);\n  std::size_t n = m;\n}\n").empty());
}

TEST_CASE("a draw is the same for the same seed, another for another, and none comes twice") {
  const Texts sources{"a < b && c", "// none\n", "if (x) y = z + 12;\n"};
  std::set<std::string> seen;
  const std::size_t all = outcomes(sources[0]).size() + outcomes(sources[2]).size();
  REQUIRE(all == 6);
  for (std::uint64_t number = 0; number < all; ++number) {
    const auto d = drawn(sources, 5, number);
    REQUIRE(d.source != 1);
    const std::string text = applied(sources[d.source], d.mutation);
    CHECK(text == applied(sources[d.source], drawn(sources, 5, number).mutation));
    CHECK(seen.insert(text).second);
  }
  CHECK(seen.size() == all);
  bool other = false;
  for (std::uint64_t number = 0; number < all; ++number)
    other =
        other || applied(sources[drawn(sources, 5, number).source], drawn(sources, 5, number).mutation) !=
                     applied(sources[drawn(sources, 6, number).source], drawn(sources, 6, number).mutation);
  CHECK(other);
  CHECK(drawn({"", "// none"}, 1, 0).mutation.length == 0);
}

TEST_CASE("what was changed is shown by its line") {
  const std::string source = "one\n  a < b\nthree\n";
  const auto all = mutations_of(source);
  REQUIRE(all.size() == 1);
  CHECK(shown(source, all[0]) == "2: `<` becomes `<=`\n-  a < b\n+  a <= b\n");
}

} // namespace mutation_test
