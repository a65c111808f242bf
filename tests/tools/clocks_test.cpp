// Clocks of games: what settings mean, how time is spent, how it is shown.
#include "tools/play/clocks.hpp"

#include <catch2/catch.hpp>

namespace clocks_test {

using namespace boardwright::tools;

TEST_CASE("clocks are set in seconds") {
  const auto plain = read_clock("300");
  REQUIRE(plain);
  CHECK(plain->time.count() == 300);
  CHECK(plain->increment.count() == 0);
  const auto both = read_clock("0.5+2.5");
  REQUIRE(both);
  CHECK(both->time.count() == 0.5);
  CHECK(both->increment.count() == 2.5);
  CHECK(read_clock("86400"));
  for (const char* wrong : {"", "x", "+2", "300+", "0", "-1", "1+-1", "86401", "1+2+3", "nan", "inf", " 1"}) {
    INFO(wrong);
    CHECK_FALSE(read_clock(wrong));
  }
}

TEST_CASE("time is spent, and comes back with a move") {
  CHECK_FALSE(Clocks().running());
  Clocks clocks({Seconds(60), Seconds(2)}, 2);
  REQUIRE(clocks.running());
  CHECK(clocks.spend(0, Seconds(10), false));
  CHECK(clocks.left(0).count() == 50);
  CHECK(clocks.left(1).count() == 60);
  CHECK(clocks.spend(0, Seconds(10), true));
  CHECK(clocks.left(0).count() == 42);
  CHECK(clocks.share(1) < clocks.left(1));
  CHECK(clocks.share(0) < clocks.share(1));
  CHECK(clocks.most(1).count() == Approx(3 * clocks.share(1).count()));
  CHECK(Clocks({Seconds(1), Seconds(10)}, 2).most(0).count() ==
        Approx(0.625));                            // half, and a part of the rest
  CHECK_FALSE(clocks.spend(0, Seconds(42), true)); // no increment for a move that comes too late
  CHECK(clocks.left(0).count() == 0);
  CHECK(clocks.share(0).count() > 0);
}

TEST_CASE("clocks are shown in minutes, at the end with tenths") {
  const auto shown = [](double seconds) { return Clocks({Seconds(seconds), Seconds(0)}, 1).text(0); };
  CHECK(shown(300) == "5:00");
  CHECK(shown(61.9) == "1:01");
  CHECK(shown(9.34) == "0:09.3");
  Clocks late({Seconds(1), Seconds(0)}, 1);
  CHECK_FALSE(late.spend(0, Seconds(2), true));
  CHECK(late.text(0) == "0:00.0");
}

TEST_CASE("clocks are written down and read back") {
  Clocks clocks({Seconds(300), Seconds(2.5)}, 2);
  CHECK(clock_text(clocks.setting()) == "300+2.5");
  CHECK(clock_text({Seconds(60), Seconds(0)}) == "60");
  CHECK(clocks.left_text() == "300.0 300.0");
  REQUIRE(clocks.set_left("10.5 0"));
  CHECK(clocks.left(0) == Seconds(10.5));
  for (const char* wrong : {"", "1", "1 2 3", "1 x", "1 -2"}) CHECK_FALSE(clocks.set_left(wrong));
  CHECK(clocks.left_text() == "10.5 0.0");
}

} // namespace clocks_test
