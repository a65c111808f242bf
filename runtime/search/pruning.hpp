// What alpha-beta search leaves out, by what the game itself shows.
//
// The algorithms, and where they come from:
//   reverse futility pruning (static null move): a position that is much better than it need be is given
//   back,
//     as it stands; as in Stockfish
//   futility pruning: moves that take nothing aren't looked at where the position is much worse than need be;
//     J. Schaeffer (1986); E. Heinz, Extended futility pruning, ICCA Journal 21 (1998)
//   late move pruning: nor are those that come late in the order, close to the end of a line; as in Stockfish
//   late move reductions by the logarithms of depth and of the place in the order: as in Stockfish
//   internal iterative reductions: E. Schroeder, on Rebel and talkchess.com (2020)
//   null move: a position that is good enough for a player even if he skips his turn is given back; D. Beal,
//     A generalised quiescence search algorithm, Artificial Intelligence 43 (1990); C. Donninger, Null move
//     and deep search, ICCA Journal 16 (1993); verified as by O. David Tabibi, N. Netanyahu, Verified
//     null-move pruning, ICGA Journal 25 (2002)
//   margins: stochastic approximation of a quantile, H. Robbins, S. Monro, A stochastic approximation method
//     (1951)
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace boardwright::runtime::search {

// How much better than a bound a position must stand for a search of some depth hardly ever to find it worse.
// What "much" is differs from game to game, so it is measured while the search goes on: of the positions that
// are beyond the margin, but not far, one in so many is searched all the same. If it turns out otherwise the
// margin grows, else it shrinks a little, so that in the long run a given share of them turns out otherwise.
class Margin {
public:
  Margin() = default;
  Margin(double first, double risk) : value_(first), risk_(risk) {}

  [[nodiscard]] int value() const { return static_cast<int>(value_); }
  enum class Verdict : std::uint8_t { within, beyond, doubtful }; // doubtful: search it, and tell
  [[nodiscard]] Verdict ask(int distance) {
    if (distance < value_) {
      if (distance > 0 && ++idle_ == kIdle) idle_ = 0, set(value_ * (1 - kIdleStep));
      return Verdict::within;
    }
    if (distance >= kNear * value_ || ++beyond_ % kOneOf != 0) return Verdict::beyond;
    idle_ = 0;
    return Verdict::doubtful;
  }
  // `proven`: what it turned out to be was a win or a loss for certain. That no value tells, and it costs the
  // game.
  void tell(bool held, bool proven = false) {
    ++told_;
    const double step = std::max(kLastStep, kFirstStep / std::sqrt(told_));
    set(value_ * (held ? 1 - step * risk_ / (1 - risk_) : 1 + step * (proven ? kProven : 1)));
  }

private:
  static constexpr double kNear = 1.5;
  static constexpr std::uint32_t kOneOf = 8;
  static constexpr double kProven = 16; // as bad as so many others
  static constexpr double kFirstStep = 0.5, kLastStep = 0.02;
  // In what evaluations count: from less than they tell apart to more than they say.
  static constexpr double kLeast = 16, kMost = 1 << 20;
  // So many positions within the margin and none to doubt: it is too wide to matter.
  static constexpr std::uint32_t kIdle = 256;
  static constexpr double kIdleStep = 0.1;
  void set(double value) { value_ = std::clamp(value, kLeast, kMost); }

  double value_ = kMost, risk_ = 0;
  double told_ = 0;
  std::uint32_t beyond_ = 0, idle_ = 0;
};

// Whether something may be relied on that holds in most games, but not in all: found out while the search
// goes on. It is tried now and then, and looked into, until it has held often enough; from then on it is
// looked into once in so many times.
class Reliance {
public:
  explicit Reliance(double risk) : risk_(risk) {}

  [[nodiscard]] bool is_tried() { return is_relied_on() || ++idle_ % kOneOfTried == 0; }
  [[nodiscard]] bool is_looked_into() { return !is_relied_on() || ++used_ % kOneOfUsed == 0; }
  void tell(bool held) {
    ++told_, wrong_ += held ? 0 : 1;
    if (told_ >= kMostTold) told_ /= 2, wrong_ /= 2; // later positions are of more interest
  }
  [[nodiscard]] bool is_relied_on() const { return wrong_ + 1 <= risk_ * (told_ + kTrials); }

private:
  static constexpr std::uint32_t kOneOfTried = 4, kOneOfUsed = 16;
  static constexpr double kTrials = 8, kMostTold = 512;

  double risk_, told_ = 0, wrong_ = 0;
  std::uint32_t idle_ = 0, used_ = 0;
};

// Turns are skipped from this depth on; what comes then is looked ahead by so many plies less. From
// `kVerifiedSkip` on a search of that depth, in which this turn isn't skipped, must agree.
inline constexpr int kShallowestSkip = 3, kVerifiedSkip = 6;
[[nodiscard]] inline int reduction_by_skip(int depth) { return 1 + depth / 4; }

// Deeper searches are left to themselves: threats that no value of a position tells are seen by them.
inline constexpr int kDeepestPruned = 4;
using Margins = std::array<Margin, kDeepestPruned + 1>; // by depth

// Before anything was measured a ply may change so much as this share of what a piece is worth.
inline constexpr double kFirstMargin = 0.5;
[[nodiscard]] inline Margins margins_of(double piece, double risk) {
  Margins margins;
  for (std::size_t depth = 1; depth < margins.size(); ++depth)
    margins[depth] = Margin(kFirstMargin * piece * static_cast<double>(depth), risk);
  return margins;
}

// Of moves that take nothing so many are looked at, close to the end of a line.
inline constexpr int kDeepestLate = 4;
[[nodiscard]] inline std::size_t moves_before_late(int depth) {
  return static_cast<std::size_t>(4 + 3 * depth * depth);
}

// How many plies less a move is looked ahead at first, by depth and its place in the order.
[[nodiscard]] inline double reduction_by(int depth, std::size_t number) {
  constexpr std::size_t kMost = 64;
  static const auto table = [] {
    std::array<std::array<float, kMost>, kMost> t{};
    for (std::size_t d = 1; d < kMost; ++d)
      for (std::size_t n = 1; n < kMost; ++n)
        t[d][n] = static_cast<float>(0.5 + std::log(d) * std::log(n + 1) / 2.2);
    return t;
  }();
  return static_cast<double>(
      table[std::min<std::size_t>(static_cast<std::size_t>(depth), kMost - 1)][std::min(number, kMost - 1)]);
}

} // namespace boardwright::runtime::search
