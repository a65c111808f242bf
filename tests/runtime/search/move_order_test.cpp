#include "runtime/search/move_order.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

namespace boardwright::runtime::search::move_order_test {

TEST_CASE("moves are known by how they are made, by whom, and whether they take something") {
  CHECK(label_for(7, 0, false) == label_for(7, 0, false));
  CHECK(label_for(7, 0, false) != label_for(7, 1, false));
  CHECK(label_for(7, 0, false) != label_for(8, 0, false));
  CHECK(label_for(7, 0, true) != label_for(7, 0, false));
  CHECK(captures(label_for(7, 0, true)));
  CHECK_FALSE(captures(label_for(7, 0, false)));
  CHECK(label_for(0, 0, false) != 0); // which is: not known
}

TEST_CASE("a move that was good enough gains, and those that were tried before it lose") {
  MoveOrder order;
  const MoveLabel good = label_for(10, 0, false), bad = label_for(20, 0, false),
                  other = label_for(30, 0, false);
  order.reward(good, {bad, 0}, {}, 4);
  CHECK(order.of_quiet(good, {}) > 0);
  CHECK(order.of_quiet(bad, {}) < 0);
  CHECK(order.of_quiet(other, {}) == 0);
  MoveOrder deeper;
  deeper.reward(good, {}, {}, 8);
  CHECK(deeper.of_quiet(good, {}) > order.of_quiet(good, {}));
}

TEST_CASE("captures have a history of their own; one that is good enough says nothing against quiet moves") {
  MoveOrder order;
  const MoveLabel good = label_for(10, 0, true), bad = label_for(20, 0, true),
                  quiet = label_for(30, 0, false);
  order.reward(good, {bad, quiet}, {}, 4);
  CHECK(order.of_capture(good) > 0);
  CHECK(order.of_capture(bad) < 0);
  CHECK(order.of_quiet(quiet, {}) == 0);
  order.reward(quiet, {bad}, {}, 4);
  CHECK(order.of_quiet(quiet, {}) > 0);
}

TEST_CASE("what was good after some move is known there, and what answers it") {
  MoveOrder order;
  const MoveLabel last = label_for(10, 1, false), second = label_for(20, 0, false),
                  good = label_for(30, 0, false);
  order.reward(good, {}, {last, second}, 4);
  CHECK(order.of_quiet(good, {last, second}) > order.of_quiet(good, {last, 0}));
  CHECK(order.of_quiet(good, {last, 0}) > order.of_quiet(good, {}));
  CHECK(order.of_quiet(good, {second, last}) == order.of_quiet(good, {}));
  CHECK(order.counter_of(last) == good);
  CHECK(order.counter_of(second) == 0);
  CHECK(order.counter_of(0) == 0);
}

TEST_CASE("histories stay within their limit, and fade") {
  MoveOrder order;
  const MoveLabel good = label_for(10, 0, true), bad = label_for(20, 0, true);
  for (int k = 0; k < 10'000; ++k) order.reward(good, {bad}, {}, 60);
  CHECK(order.of_capture(good) <= MoveOrder::kMost);
  CHECK(order.of_capture(good) > MoveOrder::kMost / 2);
  CHECK(order.of_capture(bad) >= -MoveOrder::kMost);
  CHECK(order.of_capture(bad) < -MoveOrder::kMost / 2);
  const int before = order.of_capture(good);
  order.grow_old();
  CHECK(order.of_capture(good) == before / 2);
}

} // namespace boardwright::runtime::search::move_order_test
