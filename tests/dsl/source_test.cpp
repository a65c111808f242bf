#include "dsl/source.hpp"

#include <catch2/catch.hpp>
#include <tuple>

namespace source_test {

using namespace boardwright::dsl;

namespace {

using Place = std::tuple<std::uint32_t, std::uint32_t>; // line, column

Place place(const Sources& sources, std::uint32_t offset) {
  const Location at = sources.locate(0, offset);
  return {at.line, at.column};
}

} // namespace

TEST_CASE("a file keeps its name and text", "[source]") {
  Sources sources;
  REQUIRE(sources.add("a.yaml", "one") == 0);
  REQUIRE(sources.add("b.yaml", "two") == 1);
  CHECK(sources.size() == 2);
  CHECK(sources.name(1) == "b.yaml");
  CHECK(sources.text(0) == "one");
  CHECK(sources.locate(1, 0).file == "b.yaml");
}

TEST_CASE("offsets become lines and columns", "[source]") {
  Sources sources;
  sources.add("a", "ab\n\ncd\n");
  CHECK(place(sources, 0) == Place{1, 1});
  CHECK(place(sources, 2) == Place{1, 3}); // the line break belongs to its line
  CHECK(place(sources, 3) == Place{2, 1});
  CHECK(place(sources, 5) == Place{3, 2});
  CHECK(place(sources, 7) == Place{4, 1});
  CHECK(place(sources, 99) == Place{4, 1}); // beyond the end is the end
}

TEST_CASE("columns count characters", "[source]") {
  Sources sources;
  sources.add("a", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80x"); // é, €, a smiley, x
  CHECK(place(sources, 2) == Place{1, 2});
  CHECK(place(sources, 5) == Place{1, 3});
  CHECK(place(sources, 9) == Place{1, 4});
}

TEST_CASE("lines come without their breaks", "[source]") {
  Sources sources;
  sources.add("a", "one\r\ntwo\n\nend");
  CHECK(sources.line(0, 1) == "one");
  CHECK(sources.line(0, 2) == "two");
  CHECK(sources.line(0, 3).empty());
  CHECK(sources.line(0, 4) == "end");
  CHECK(sources.line(0, 0).empty());
  CHECK(sources.line(0, 5).empty());
}

TEST_CASE("a byte order mark is no part of the first line", "[source]") {
  Sources sources;
  sources.add("a", "\xEF\xBB\xBFgame\nx");
  CHECK(sources.line(0, 1) == "game");
  CHECK(place(sources, 0) == Place{1, 1});
  CHECK(place(sources, 3) == Place{1, 1});
  CHECK(place(sources, 5) == Place{1, 3});
  CHECK(place(sources, 8) == Place{2, 1});
}

TEST_CASE("an empty file has one empty line", "[source]") {
  Sources sources;
  sources.add("a", "");
  CHECK(place(sources, 0) == Place{1, 1});
  CHECK(sources.line(0, 1).empty());
}

TEST_CASE("spans of one file are joined", "[source]") {
  CHECK(join({0, 4, 6}, {0, 1, 5}) == Span{0, 1, 6});
  CHECK(join({0, 1, 2}, {0, 8, 9}) == Span{0, 1, 9});
  CHECK(join({0, 1, 2}, {1, 8, 9}) == Span{0, 1, 2});
}

} // namespace source_test
