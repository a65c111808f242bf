// The words of the language: what is read out of the table of operations, and that each has a meaning.
#include "interpreter/meaning/words.hpp"

#include "interpreter/load.hpp"
#include "runtime/model/operations.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>

namespace words_test {

using namespace boardwright;
using interpreter::LanguageWord;

TEST_CASE("words: how a row is written tells the name and the arguments") {
  const LanguageWord* box = interpreter::function_named("box");
  REQUIRE(box != nullptr);
  CHECK(box->op == runtime::Op::box);
  CHECK(box->parameters == std::vector<std::string_view>{"a", "z", "k"});
  CHECK(box->least == 2);
  CHECK(box->most == 3);
  CHECK(box->has(runtime::kByEdges));
  CHECK(interpreter::letter_of_parameter(*box, 1) == 'c');
  CHECK(interpreter::letter_of_parameter(*box, 2) == 'n');
  const LanguageWord* list = interpreter::function_named("list");
  REQUIRE(list != nullptr);
  CHECK(list->least == 1);
  CHECK(list->most == interpreter::kAnyNumber);
  CHECK_FALSE(list->is_regular());
  CHECK(interpreter::word_named("box") == nullptr);
  CHECK(interpreter::word_named("hand")->op == runtime::Op::hand_total);
  CHECK(interpreter::function_named("hand")->op == runtime::Op::hand);
}

TEST_CASE("words: each is there once, and has a sentence without a stop") {
  std::set<std::pair<std::string_view, bool>> seen;
  for (const LanguageWord& word : interpreter::words_of_language()) {
    INFO(word.written);
    CHECK(seen.emplace(word.name, word.is_function()).second);
    CHECK_FALSE(word.what.empty());
    CHECK(word.what.back() != '.');
  }
}

TEST_CASE("words: whatever its row doesn't tell has a case of its own") {
  for (const LanguageWord& word : interpreter::words_of_language()) {
    // These are read by the grammar.
    if (!word.is_function() || word.name == "before" || word.name == "reach" || word.name == "pieces")
      continue;
    std::string call(word.name);
    for (std::size_t i = 0; i < word.least; ++i) call += i == 0 ? "(1" : ", 1";
    const auto loaded =
        interpreter::load_text("words.yaml", "game: Words\nplayers: { A: north, B: south }\n"
                                             "board: { squares: 3 by 3 }\npieces: { man: a b }\n"
                                             "setup: { a: a1, b: c3 }\nturn: pass\nend: draw when " +
                                                 call + ") = 1\n");
    INFO(call << "\n" << loaded.errors());
    CHECK(loaded.errors().find("isn't written like this") == std::string::npos);
    CHECK(loaded.errors().find("unknown name") == std::string::npos);
  }
}

TEST_CASE("words: a younger function may be a file's own, an old one may not") {
  const auto with_own = [](const std::string& name) {
    return interpreter::load_text("own.yaml", "game: Own\nplayers: [A, B]\nboard: { squares: 2 by 2 }\n"
                                              "pieces: { man: a b }\ndefine:\n  " +
                                                  name + "(S): some S\nturn: require " + name +
                                                  "(own), pass\n");
  };
  CHECK(with_own("spread").errors().empty());
  CHECK(with_own("count").errors().find("is a function of the language") != std::string::npos);
}

} // namespace words_test
