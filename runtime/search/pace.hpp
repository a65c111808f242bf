// How long to think about a move where a clock runs for the whole game: longer where the best move changes,
// less long where it doesn't, and nothing is begun that can hardly end (R. Hyatt, Using time wisely, ICCA
// Journal 7, 1984).
#pragma once

#include <algorithm>
#include <chrono>

namespace boardwright::runtime::search {

class Pace {
public:
  using Time = std::chrono::steady_clock::time_point;
  // Until `share` he may think on average, and not beyond `latest`.
  Pace(Time now, Time share, Time latest) : begin_(now), before_(now), share_(share), latest_(latest) {}

  // A depth has been searched, and another move is the best now: is the next depth begun?
  [[nodiscard]] bool goes_on(Time now, bool changed) {
    using Seconds = std::chrono::duration<double>;
    unrest_ = unrest_ * kKept + (changed ? 1 : 0);
    const Seconds last = now - before_, earlier = last_;
    last_ = last, before_ = now;
    const double growth =
        earlier.count() > 0 ? std::clamp(last / earlier, kLeastGrowth, kMostGrowth) : kLeastGrowth;
    if (now + last * growth * kHardly > latest_) return false;
    return Seconds(now - begin_) < Seconds(share_ - begin_) * (kOfShare + kOfUnrest * unrest_);
  }

private:
  static constexpr double kKept = 0.5; // of the unrest, from depth to depth
  // Parts of the share after which no depth is begun. The last one takes about as long again.
  static constexpr double kOfShare = 0.5, kOfUnrest = 0.5;
  // A depth takes as many times longer than the one before as that one did; of less than this part of it,
  // nothing comes out.
  static constexpr double kLeastGrowth = 1, kMostGrowth = 10, kHardly = 0.5;

  Time begin_, before_, share_, latest_;
  std::chrono::duration<double> last_{};
  double unrest_ = 0;
};

} // namespace boardwright::runtime::search
