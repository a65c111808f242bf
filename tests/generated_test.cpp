// Programs and rules made at random (tests/generated/), each compared with the walker.
//
//   BOARDWRIGHT_GENERATED=N         so many programs instead of those below
//   BOARDWRIGHT_GENERATED_FIRST=S   from this seed on
//   BOARDWRIGHT_GENERATED_PRINT=1   prints every program before it is tried, for those that end the process
#include "rule_files.hpp"
#include "runtime/model/check_program.hpp"
#include "runtime/normalize/normalize.hpp"
#include "tests/generated/generator.hpp"
#include "tests/generated/judge.hpp"
#include "tests/generated/print_program.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

namespace generated_test {

using namespace boardwright;

namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Sums of what was tried, so that a generator that makes nothing worth trying is noticed.
struct Sums {
  int programs = 0, positions = 0, without_move = 0, faults = 0, too_long = 0, too_large = 0;

  void add(const tests::Judgement& judged) {
    ++programs;
    positions += judged.positions;
    without_move += judged.without_move;
    faults += judged.faults;
    too_long += judged.too_long ? 1 : 0;
    too_large += judged.too_large ? 1 : 0;
  }
  [[nodiscard]] std::string text() const {
    std::string all = std::to_string(programs) + " programs: " + std::to_string(positions) + " positions, " +
                      std::to_string(without_move) + " without a move, " + std::to_string(faults) +
                      " faults, " + std::to_string(too_long) + " broken off, " + std::to_string(too_large) +
                      " too large";
    return all;
  }
};

} // namespace

TEST_CASE("generated programs: the engine does what the walker does") {
  const std::uint64_t count = from_environment("BOARDWRIGHT_GENERATED", tests::kSanitized ? 150 : 10'000);
  const std::uint64_t first = from_environment("BOARDWRIGHT_GENERATED_FIRST", 1);
  const bool print = from_environment("BOARDWRIGHT_GENERATED_PRINT", 0) != 0;
  Sums sums;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const tests::Generator generator(seed);
    const auto program = std::make_shared<const runtime::Program>(generator.program());
    INFO("seed " << seed << ", features: " << generator.features().names());
    if (print) std::cerr << "seed " << seed << "\n" << tests::print_program(*program) << std::endl;
    REQUIRE(runtime::misfit(*program) == std::nullopt);
    REQUIRE(runtime::misfit(runtime::normalize(*program)) == std::nullopt);
    REQUIRE(runtime::check_position(*program, program->initial).empty());
    const auto judged = tests::judge(program, seed);
    sums.add(judged);
    if (judged.difference)
      FAIL_CHECK(tests::name_of(judged.difference->kind) << " differ: " << judged.difference->detail << "\n"
                                                         << tests::print_program(*program));
  }
  WARN(sums.text());
  CHECK(sums.positions > sums.programs);
  CHECK(sums.too_long < sums.programs / 5);
  // One in 500: `most` and `distinct` of many ways behind each other.
  CHECK(sums.too_large <= (sums.programs + 499) / 500);
}

} // namespace generated_test
