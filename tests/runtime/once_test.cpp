// What is made once: also if the first attempt fails, and whoever asks.
#include "runtime/model/once.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace boardwright::runtime::once_test {

TEST_CASE("a function runs once, and again only if it has thrown") {
  Once once;
  int runs = 0;
  const auto fail = [&] {
    ++runs;
    throw std::runtime_error("no memory");
  };
  CHECK_THROWS_AS(once.run(fail), std::runtime_error);
  CHECK_THROWS_AS(once.run(fail), std::runtime_error);
  for (int i = 0; i < 3; ++i) once.run([&] { ++runs; });
  CHECK(runs == 3);
}

TEST_CASE("of many threads one runs the function, and all see what it made") {
  Once once;
  int made = 0;
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      once.run([&] { ++made; });
      if (made == 1) ++right;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 8);
}

} // namespace boardwright::runtime::once_test
