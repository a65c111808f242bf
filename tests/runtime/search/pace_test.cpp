#include "runtime/search/pace.hpp"

#include <catch2/catch.hpp>

#include <vector>

namespace boardwright::runtime::search::pace_test {

namespace {

using std::chrono::milliseconds;

Pace::Time at(int ms) { return Pace::Time(milliseconds(ms)); }

// When no depth is begun any more: each takes so many times as long as the one before, the first one 1 ms.
int end_of(int share, int latest, int growth, bool changes) {
  Pace pace(at(0), at(share), at(latest));
  int now = 0;
  for (int last = 1; now < 1'000'000; last *= growth) {
    now += last;
    if (!pace.goes_on(at(now), changes)) break;
  }
  return now;
}

} // namespace

TEST_CASE("who always finds the same move thinks less long than his share, and who changes it longer") {
  CHECK(end_of(1000, 3000, 2, false) == 511); // 1, 3, 7 … 255: half of the share isn't over
  CHECK(end_of(1000, 3000, 2, true) == 2047);
}

TEST_CASE("a depth that can hardly end isn't begun") {
  Pace pace(at(0), at(1000), at(1000));
  CHECK(pace.goes_on(at(10), true));
  CHECK(pace.goes_on(at(110), true)); // ten times as long: half of another 1000 can still be
  CHECK_FALSE(Pace(at(0), at(1000), at(1000)).goes_on(at(900), true));
  Pace late(at(0), at(1000), at(1000));
  CHECK(late.goes_on(at(20), true));
  CHECK_FALSE(late.goes_on(at(220), true)); // 2000 more
}

TEST_CASE("nothing is begun when the latest time is over") {
  for (const int growth : {2, 3, 10}) CHECK(end_of(1000, 1500, growth, true) < 1500);
}

} // namespace boardwright::runtime::search::pace_test
