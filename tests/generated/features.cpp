#include "tests/generated/features.hpp"

#include <array>

namespace boardwright::tests {

namespace {

// Of 100 programs that draw a feature at all, so many keep it.
int kept(Feature f) {
  switch (f) {
  case Feature::faulty: return 20;
  case Feature::wild_actions:
  case Feature::deep_values: return 40;
  case Feature::large_board: return 35;
  case Feature::many_steps: return 15;
  case Feature::one_player: return 15;
  case Feature::many_players: return 40;
  case Feature::loose_loops: return 50;
  default: return 100;
  }
}

} // namespace

Features Features::drawn(runtime::Random& random) {
  // Of 100 features so many are on: from plain games with one thing added to everything at once.
  static constexpr std::array<std::uint64_t, 6> kDensities{6, 15, 25, 40, 60, 90};
  const std::uint64_t density = kDensities[random.below(kDensities.size())];
  Features features;
  for (unsigned i = 0; i < static_cast<unsigned>(Feature::count); ++i) {
    const auto f = static_cast<Feature>(i);
    const bool on = random.below(100) < density;
    features.set(f, on && random.below(100) < static_cast<std::uint64_t>(kept(f)));
  }
  if (features.has(Feature::one_player)) features.set(Feature::many_players, false);
  return features;
}

std::string Features::names() const {
  static constexpr std::array kNames = {
#define X(name, what) #name,
      BOARDWRIGHT_FEATURES(X)
#undef X
  };
  std::string text;
  for (unsigned i = 0; i < kNames.size(); ++i)
    if (has(static_cast<Feature>(i))) text += (text.empty() ? "" : " ") + std::string(kNames[i]);
  return text;
}

} // namespace boardwright::tests
