#include "tools/engines/standing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace boardwright::tools {
namespace {

namespace search = runtime::search;

// Chances to win of two players, and what they are called; each reaches up to the next.
struct Band {
  double from;
  const char* words;
};
constexpr std::array<Band, 7> kBands = {{{0, "losing"},
                                         {0.08, "much worse"},
                                         {0.25, "somewhat worse"},
                                         {0.4, "about even"},
                                         {0.6, "somewhat better"},
                                         {0.75, "much better"},
                                         {0.92, "winning"}}};
// So far beyond its band a value may be before other words are used than the last time.
constexpr double kSlack = 0.1;
// At depth 1 only the player to move has moved, and always seems to have gained something.
constexpr int kLeastDepth = 2;
// Two depths that are further apart tell nothing together.
constexpr double kFarApart = 0.3;
// Of these words nothing else is said, whatever the band.
constexpr int kUnclear = static_cast<int>(kBands.size());

int band_of(double value) {
  int band = 0;
  while (band + 1 < static_cast<int>(kBands.size()) &&
         value >= kBands[static_cast<std::size_t>(band) + 1].from)
    ++band;
  return band;
}

bool near_band(double value, int band) {
  const auto at = static_cast<std::size_t>(band);
  const double upper = at + 1 < kBands.size() ? kBands[at + 1].from : 1;
  return value >= kBands[at].from - kSlack && value <= upper + kSlack;
}

// With more players an even game is worth less: as if there were two.
double of_two(double value, int players) {
  const double even = 1.0 / std::max(players, 2);
  return value <= even ? 0.5 * value / even : 0.5 + 0.5 * (value - even) / (1 - even);
}

bool counts_visits(const search::Thought& thought) {
  return !thought.candidates.empty() && thought.candidates.front().visits > 0;
}

// What a tree thinks of a position on the whole: the move that is best so far owes that to luck, too.
double value_of_tree(const search::Thought& thought) {
  double sum = 0, visits = 0;
  for (const search::Candidate& candidate : thought.candidates) {
    sum += candidate.value * static_cast<double>(candidate.visits);
    visits += static_cast<double>(candidate.visits);
  }
  return sum / visits;
}

} // namespace

void Standing::begin(const search::Calibration& calibration, int player, int players) {
  calibration_ = calibration;
  player_ = player;
  players_ = players;
}

double Standing::chance(double value) const { return calibration_.chance(value, player_, players_); }

void Standing::told(const search::Thought& so_far) {
  known_ = true;
  last_ = so_far.value;
  if (counts_visits(so_far)) {
    thoughts_.push_back(value_of_tree(so_far));
    return;
  }
  if (so_far.depth < kLeastDepth) return;
  const auto same = std::find_if(depths_.begin(), depths_.end(),
                                 [&](const auto& entry) { return entry.first == so_far.depth; });
  if (same != depths_.end())
    same->second = so_far.value;
  else
    depths_.emplace_back(so_far.depth, so_far.value);
  std::sort(depths_.begin(), depths_.end());
}

void Standing::ended(const search::Thought& thought) {
  if (thought.proof != search::Proof::unknown) proof_ = thought.proof;
  if (counts_visits(thought)) thoughts_.push_back(value_of_tree(thought));
  if (!known_) last_ = thought.value; // no depth was completed
  known_ = true;
}

std::pair<double, double> Standing::last_two() const {
  if (!thoughts_.empty()) {
    const auto half = thoughts_.begin() + static_cast<std::ptrdiff_t>(thoughts_.size() / 2);
    const auto [low, high] = std::minmax_element(half, thoughts_.end());
    return {*low, *high};
  }
  if (depths_.empty()) return {last_, last_};
  return {depths_[depths_.size() - std::min<std::size_t>(depths_.size(), 2)].second, depths_.back().second};
}

double Standing::value() const { return chance(mean()); }

double Standing::mean() const {
  if (!thoughts_.empty()) {
    const auto half = thoughts_.begin() + static_cast<std::ptrdiff_t>(thoughts_.size() / 2);
    return std::accumulate(half, thoughts_.end(), 0.0) / static_cast<double>(thoughts_.end() - half);
  }
  const auto [before, last] = last_two();
  return (before + last) / 2;
}

bool Standing::unsettled() const {
  if (thoughts_.empty() && depths_.empty()) return true;
  const auto [one, other] = last_two();
  return std::abs(chance(one) - chance(other)) > kFarApart;
}

std::string Standing::words(int players) {
  switch (proof_) {
  case search::Proof::win: return "a win, proven";
  case search::Proof::draw: return "a draw, proven";
  case search::Proof::loss: return "a loss, proven";
  case search::Proof::unknown: break;
  }
  const double now = of_two(value(), players);
  if (said_ < 0 || said_ == kUnclear || !near_band(now, said_)) said_ = unsettled() ? kUnclear : band_of(now);
  return said_ == kUnclear ? "unclear" : kBands[static_cast<std::size_t>(said_)].words;
}

} // namespace boardwright::tools
