#include "runtime/search/transpositions.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace boardwright::runtime::search::transpositions_test {

namespace {

Known known(std::uint64_t key, int depth, std::uint32_t move = Known::kNoMove) {
  Known entry;
  entry.key = key;
  entry.score = static_cast<std::int32_t>(key % 1000) - 500;
  entry.depth = static_cast<std::int16_t>(depth);
  entry.bound = Bound::exact;
  entry.move = move;
  return entry;
}

} // namespace

TEST_CASE("what is stored is found, and nothing else") {
  Transpositions table(1 << 16);
  CHECK_FALSE(table.find(0)); // an empty table has no position, not even that of key 0
  CHECK_FALSE(table.find(7));
  table.store(known(7, 3, 12));
  REQUIRE(table.find(7));
  CHECK(table.find(7)->depth == 3);
  CHECK(table.find(7)->move == 12);
  CHECK(table.find(7)->score == -493);
  table.store(known(7, 4)); // the move of before stays where there is no other
  CHECK(table.find(7)->depth == 4);
  CHECK(table.find(7)->move == 12);
  CHECK_FALSE(table.find(8));
}

TEST_CASE("of a full bucket the shallowest gives way, and what is old before") {
  Transpositions table(1); // one bucket of four
  for (std::uint64_t key = 1; key <= 4; ++key) table.store(known(key, static_cast<int>(key) + 10));
  table.store(known(5, 20));
  CHECK_FALSE(table.find(1));
  CHECK(table.find(2));
  table.grow_old();
  table.store(known(6, 1)); // newer than all of them: it takes the place of the shallowest
  CHECK_FALSE(table.find(2));
  table.store(known(7, 1)); // eight plies count as much as a search: 13 of before is more than 1 of now
  CHECK(table.find(3));
  CHECK_FALSE(table.find(6));
}

// Entries that two threads write a part of each have no position's key.
TEST_CASE("threads that share a table read nothing that nobody wrote") {
  Transpositions table(1 << 10); // so small that they meet all the time
  std::atomic<int> wrong = 0, found = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&table, &wrong, &found, t] {
      std::uint64_t x = t + 1;
      for (int k = 0; k < 40'000; ++k) {
        x = x * 6364136223846793005U + 1442695040888963407U;
        // As keys of positions are, far from one another: those that differ in a few bits could be made of
        // parts.
        const std::uint64_t key = ((x >> 40 & 255) + 1) * 0x9e3779b97f4a7c15U;
        if (k % 2 == 0) {
          table.store(known(key, static_cast<int>(key % 60), static_cast<std::uint32_t>(3 * key)));
        } else if (const auto entry = table.find(key)) {
          ++found;
          const Known right = known(key, static_cast<int>(key % 60), static_cast<std::uint32_t>(3 * key));
          if (entry->score != right.score || entry->move != right.move || entry->depth != right.depth)
            ++wrong;
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(found > 0);
  CHECK(wrong == 0);
}

} // namespace boardwright::runtime::search::transpositions_test
