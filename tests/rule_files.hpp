// The rule files that tests share: the bundled games, and the files of tests/rules.
#pragma once

#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

namespace boardwright::tests {

// Checks that are repeated many times are repeated less under sanitizers, which make them some thirty times
// slower.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// All of a list; under sanitizers one in so many of it. The release build has tried each of them; what
// sanitizers see beyond that is seen in any of the files that do the same.
template <class T>
std::vector<T> sampled(std::vector<T> all, std::size_t one_in) {
  if (!kSanitized) return all;
  std::vector<T> some;
  for (std::size_t i = 0; i < all.size(); i += one_in) some.push_back(std::move(all[i]));
  return some;
}

// The games that are bundled; under sanitizers one in twelve of them.
inline std::vector<std::string> bundled_games() { return sampled(dsl::known_games(), 12); }

inline std::string test_rules(const std::string& name) {
  return source_root() + "/tests/rules/" + name + ".yaml";
}

// Fails the test, with all that is wrong, where the file does not load.
inline std::shared_ptr<const runtime::Rules> load_rules(const std::string& reference,
                                                        const interpreter::Settings& settings = {}) {
  const auto loaded = interpreter::load(reference, settings);
  INFO(reference << "\n" << loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded.rules;
}

// The value, or the test fails with the fault's message.
template <class T>
T required(tl::expected<T, runtime::Fault> result, const runtime::Rules& rules) {
  if (!result) FAIL(result.error().message << " at " << place_of(rules.program(), result.error().origin));
  return std::move(*result);
}

inline std::string letters_of(const runtime::Program& program, const runtime::Stack& stack) {
  std::string letters;
  for (const auto piece : stack) letters += program.letter_of(piece);
  return letters;
}

} // namespace boardwright::tests
