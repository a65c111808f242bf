// How somebody stands, in words: they don't swing with the depth or from one call to the next.
#include "tools/engines/standing.hpp"

#include <catch2/catch.hpp>

namespace standing_test {

using namespace boardwright;
using tools::Standing;

namespace {

runtime::search::Thought at_depth(int depth, double value) {
  runtime::search::Thought thought;
  thought.depth = depth;
  thought.value = value;
  return thought;
}

runtime::search::Thought of_tree(double value) {
  runtime::search::Thought thought;
  thought.value = value;
  thought.candidates.resize(2); // the best one seems to be better than all of it is
  thought.candidates[0] = {runtime::Move(), value + 0.1, 30};
  thought.candidates[1] = {runtime::Move(), value - 0.3, 10};
  return thought;
}

Standing after(const std::vector<double>& values) {
  Standing standing;
  int depth = 1;
  for (const double value : values) standing.told(at_depth(++depth, value));
  return standing;
}

} // namespace

TEST_CASE("a standing is the mean of the last two depths, and words for it") {
  CHECK(after({0.9, 0.4, 0.6}).value() == Approx(0.5));
  CHECK(after({0.4, 0.6}).words(2) == "about even");
  CHECK(after({0.6, 0.4}).words(2) == "about even");
  CHECK(after({0.61}).words(2) == "somewhat better");
  CHECK(after({0.39}).words(2) == "somewhat worse");
  CHECK(after({0.8, 0.8}).words(2) == "much better");
  CHECK(after({0.2, 0.2}).words(2) == "much worse");
  CHECK(after({0.95, 0.95}).words(2) == "winning");
  CHECK(after({0.01, 0.01}).words(2) == "losing");
}

TEST_CASE("two depths that are far apart are told as unclear, and no further than that") {
  CHECK(after({0.34, 0.65}).words(2) == "unclear");
  CHECK(after({0.36, 0.65}).words(2) == "about even");
}

TEST_CASE("a depth that was broken off doesn't count, nor does the first one: then all is unclear") {
  Standing standing = after({0.5, 0.5});
  standing.ended(at_depth(4, 0.99));
  CHECK(standing.words(2) == "about even");
  Standing none;
  CHECK_FALSE(none.known());
  none.told(at_depth(1, 0.99));
  none.ended(at_depth(2, 0.99));
  CHECK(none.known());
  CHECK(none.words(2) == "unclear");
  none.told(at_depth(2, 0.99));
  CHECK(none.words(2) == "winning");
}

TEST_CASE("who is asked again says the same, unless what he thinks has clearly changed") {
  Standing standing = after({0.59, 0.59});
  CHECK(standing.words(2) == "about even");
  standing.told(at_depth(4, 0.79)); // 0.69 in the mean
  CHECK(standing.words(2) == "about even");
  standing.told(at_depth(5, 0.65)); // 0.72
  CHECK(standing.words(2) == "somewhat better");
}

TEST_CASE("of a tree the last half of its thoughts counts") {
  Standing standing;
  for (const double value : {0.1, 0.2, 0.5, 0.52}) standing.told(of_tree(value));
  CHECK(standing.value() == Approx(0.51));
  CHECK(standing.words(2) == "about even");
}

TEST_CASE("among three an even share is a third, and what is proven is told as that") {
  CHECK(after({0.33, 0.33}).words(3) == "about even");
  CHECK(after({0.5, 0.5}).words(3) == "somewhat better");
  auto proven = at_depth(2, 1);
  proven.proof = runtime::search::Proof::win;
  Standing standing;
  standing.ended(proven);
  CHECK(standing.words(2) == "a win, proven");
}

} // namespace standing_test
