// Parts of moves: how they go on, and what they mean.
#include "tools/games/completion.hpp"

#include <catch2/catch.hpp>

#include <chrono>

namespace completion_test {

using namespace boardwright::tools;

namespace {

using Texts = std::vector<std::string>;

const Texts kMoves = {"a1-a2", "a1-b2", "a1xb2-c3xd4", "a1xb2-c3-c4", "c10-c11",
                      "c1-c2", "N@e5",  "n@e5",        "pass"};

} // namespace

TEST_CASE("of a move in words the number, the words and the order within a cell don't matter") {
  const auto one = [](std::string_view typed) {
    const auto found = meant_in_words(kMoves, typed);
    return found.size() == 1 ? kMoves[found.front()] : std::string();
  };
  CHECK(one("1. a1-a2") == "a1-a2");
  CHECK(one("12... a1 a2") == "a1-a2");
  CHECK(one("move a1 to b2") == "a1-b2");
  CHECK(one("1a 2b") == "a1-b2");
  CHECK(one("10c to c11") == "c10-c11");
  CHECK(one("from a1") == "");    // a part of some
  CHECK(one("to and fro") == ""); // no move is left
  CHECK(one("a1-a2") == "");      // nothing is said around it
  CHECK(one("take a1 to c3") == "");
}

TEST_CASE("a move is completed as far as there is one way") {
  const std::vector<std::pair<std::string, std::string>> cases = {{"p", "pass"},
                                                                  {"P", "pass"},
                                                                  {"pass", "pass"},
                                                                  {"A", "a1"},
                                                                  {"a1-", "a1-"},
                                                                  {"a1x", "a1xb2-c3"},
                                                                  {"a1xb2-c3x", "a1xb2-c3xd4"},
                                                                  {"c", "c1"},
                                                                  {"c10", "c10-c11"},
                                                                  {"N", "N@e5"},
                                                                  {"n", "n@e5"},
                                                                  {"a1b2c", "a1xb2-c3"},
                                                                  {"a1b2c3x", "a1xb2-c3xd4"},
                                                                  {"a1b", "a1b"},
                                                                  {"c10c", "c10-c11"},
                                                                  {"z", "z"},
                                                                  {"", ""},
                                                                  {"c1", "c1"}};
  for (const auto& [typed, text] : cases) {
    INFO(typed);
    CHECK(complete(kMoves, typed).text == text);
  }
}

TEST_CASE("where there are several ways the next steps are shown") {
  CHECK(complete(kMoves, "").choices == Texts{"N", "a1", "c1", "c10", "n", "pass"});
  CHECK(complete(kMoves, "a1").choices == Texts{"a1-a2", "a1-b2", "a1xb2"});
  CHECK(complete(kMoves, "a1xb2-c3").choices == Texts{"a1xb2-c3-c4", "a1xb2-c3xd4"});
  CHECK(complete(kMoves, "c1").choices == Texts{"c1-c2", "c10"});
  CHECK(complete(kMoves, "a1b").choices == Texts{"a1-b2", "a1xb2"});
  CHECK(complete(kMoves, "pass").choices.empty());
  CHECK(complete(kMoves, "z").choices.empty());
  CHECK(complete({}, "").choices.empty());
  CHECK(complete({"a1-b2", "a1-b2+"}, "a1-b2").choices == Texts{"a1-b2", "a1-b2+"});
}

TEST_CASE("steps end behind a cell or a word") {
  const std::vector<std::tuple<std::string, std::size_t, std::size_t>> cases = {
      {"a1-a2", 0, 2},   {"a1-a2", 2, 5},   {"a1xb2", 0, 2},   {"a1xb2", 2, 5},
      {"c10-c11", 0, 3}, {"c10-c11", 2, 3}, {"N@e5", 0, 1},    {"pass", 0, 4},
      {"a1+", 0, 3},     {"(a1)", 0, 4},    {"e7-e8=Q", 2, 5}, {"e7-e8=Q", 5, 7},
      {"", 0, 0},        {"--", 0, 2},      {"a1", 2, 2},      {"ä→b", 0, 6}};
  for (const auto& [text, from, end] : cases) {
    INFO(text << " " << from);
    CHECK(step_end(text, from) == end);
  }
}

TEST_CASE("what a part of a move means") {
  const auto texts = [](std::string_view typed) {
    Texts found;
    for (const std::size_t i : meant(kMoves, typed)) found.push_back(kMoves[i]);
    return found;
  };
  CHECK(texts("PA") == Texts{"pass"});
  CHECK(texts("a1 x b2 - c3 x") == Texts{"a1xb2-c3xd4"});
  CHECK(texts("a1a2") == Texts{"a1-a2"});
  CHECK(texts("A1B2C3D4") == Texts{"a1xb2-c3xd4"});
  CHECK(texts("a1-b2-c3-d4") == Texts{"a1xb2-c3xd4"});
  CHECK(texts("n@") == Texts{"N@e5", "n@e5"});
  CHECK(texts("a2").empty()); // a part that isn't the beginning says too little
  CHECK(texts("a1b") == Texts{"a1-b2", "a1xb2-c3xd4", "a1xb2-c3-c4"});
  CHECK(texts("a1b2") == Texts{"a1-b2"}); // a whole move goes before the beginning of others
  CHECK(texts("a1b2c3") == Texts{"a1xb2-c3xd4", "a1xb2-c3-c4"});
  CHECK(texts("a1b2-c3c") == Texts{"a1xb2-c3-c4"});
  CHECK(texts("ne") == Texts{"N@e5", "n@e5"});
  CHECK(texts("a1xa2").empty()); // there is nothing to be taken
  CHECK(texts("a1-b2-c3xc").empty());
  CHECK(meant({"x1xx2"}, "x1x2").size() == 1);
  CHECK(texts("").empty());
  CHECK(texts("-").empty());
}

TEST_CASE("a part that ends inside a number is told from one that ends behind it") {
  CHECK(ends_in_number("a12-b3", "A1"));
  CHECK(ends_in_number("a1-b12", "a1b1"));
  CHECK_FALSE(ends_in_number("a1-b12", "a1"));
  CHECK_FALSE(ends_in_number("a1-b12", "a1-b12"));
  CHECK_FALSE(ends_in_number("pass", ""));
}

TEST_CASE("of very many chains only the next steps are shown") {
  Texts moves;
  for (int a = 1; a <= 9; ++a)
    for (int b = 1; b <= 9; ++b)
      for (int c = 1; c <= 9; ++c)
        for (int d = 1; d <= 9; ++d)
          moves.push_back("a" + std::to_string(a) + "-b" + std::to_string(b) + "-c" + std::to_string(c) +
                          "-d" + std::to_string(d));
  CHECK(complete(moves, "").text == "a");
  CHECK(complete(moves, "a").choices.size() == 9);
  CHECK(complete(moves, "a3").text == "a3-b");
  CHECK(complete(moves, "a3-b").choices == next_steps(moves, "a3-b"));
  CHECK(complete(moves, "a3-b").choices.front() == "a3-b1");
  CHECK(complete(moves, "a3-b4-c5-d6").choices.empty());
}

TEST_CASE("all of a move, signs apart, or a part of it") {
  CHECK(is_all_of("c3xa5", "C3-a5"));
  CHECK(is_all_of("c3xa5", "c3a5"));
  CHECK(is_all_of("O-O+", "o-o"));
  CHECK_FALSE(is_all_of("e1-e3-g5", "e1e3"));
  CHECK_FALSE(is_all_of("a1-a12", "a1a1"));
  CHECK_FALSE(is_all_of("h4xf6", "h"));
}

TEST_CASE("the same cells in another order are recognised") {
  const std::vector<std::string> texts = {"a7-a8/b2,e2", "d4-g4-g7-d7(e6)", "a1-a2", "a2-a1", "c3xd4xe5"};
  using Found = std::vector<std::size_t>;
  CHECK(boardwright::tools::with_the_same_cells(texts, "A7-a8/e2,b2") == Found{0});
  CHECK(boardwright::tools::with_the_same_cells(texts, "d4 g7 g4 d7 e6") == Found{1});
  CHECK(boardwright::tools::with_the_same_cells(texts, "a2-a1") == Found{2});
  CHECK(boardwright::tools::with_the_same_cells(texts, "e5xd4xc3") == Found{4});
  for (const char* other : {"a1", "", "a1-a2-a3", "d4-g4-g7-d7", "a11-a2"})
    CHECK(boardwright::tools::with_the_same_cells(texts, other).empty());
}

} // namespace completion_test
