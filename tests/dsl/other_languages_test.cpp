// Words and files of other languages: what is said of them, and that nothing is said of ours.
#include "dsl/other_languages.hpp"
#include "tests/rule_files.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace other_languages_test {

using namespace boardwright;

TEST_CASE("words of other languages have an answer", "[dsl]") {
  for (const char* word : {"verify", "len", "checkmate", "None", "nw", "forEach", "dice", "hidden", "Mover"})
    CHECK_FALSE(dsl::said_elsewhere(word).empty());
  CHECK(dsl::said_elsewhere("mover", true).empty()); // what is called is no player
  CHECK(dsl::said_elsewhere("forwad").empty());      // is near a word of ours, and of nobody else's
}

TEST_CASE("files of other programs are told by their beginning", "[dsl]") {
  CHECK(dsl::format_of("[Event \"?\"]\n\n1. e4 e5 *\n") == "the record of a game, PGN");
  CHECK(dsl::format_of("[GameType \"20\"]\n1. 32-28 19-23 *\n") == "the record of a game, PDN");
  CHECK(dsl::format_of("(;FF[4]GM[1]SZ[9];B[ee])") == "the record of a game, SGF");
  CHECK(dsl::format_of("(role x) (role o)\n") == "rules in GDL (.kif)");
  CHECK(dsl::format_of("; a comment\n(define step ($1))\n(game (title \"T\"))") == "rules in ZRF");
  CHECK(dsl::format_of("(game \"T\" (players 2))") == "rules as ludemes (.lud)");
  CHECK(dsl::format_of("[mini:chess]\nmaxRank = 6\n") == "a file of variants (variants.ini)");
  CHECK(dsl::format_of("#players = white(100), black(100)\n") == "rules in RBG (.rbg)");
  CHECK(dsl::format_of("(game").empty());
  CHECK(dsl::format_of("(").empty());
  CHECK(dsl::format_of("").empty());
}

TEST_CASE("no rule file is taken for another program's", "[dsl]") {
  const auto find = dsl::standard_finder();
  for (const std::string& game : tests::bundled_games()) {
    INFO(game);
    const auto found = find(game, "");
    REQUIRE(found);
    CHECK(dsl::format_of(found->text).empty());
  }
}

} // namespace other_languages_test
