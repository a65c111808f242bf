// Uniformly random games.
#pragma once

#include "runtime/game.hpp"

#include <atomic>
#include <functional>
#include <vector>

namespace boardwright::runtime {

struct PlayoutOptions {
  std::uint64_t count = 1000;
  std::uint64_t seed = 1;
  int threads = 1;      // the sums do not depend on it: playout i has a stream of its own, made of seed and i
  int max_plies = 2000; // a game that is not over by then is unfinished; at most kMaxPly
  double cpu_seconds = 0; // > 0: stop after so much CPU time instead of `count` (one thread only)
  bool native = true;     // by native code where the rules and the processor allow it; the games are the same
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::uint64_t done)> progress; // called now and then from one thread
};

struct PlayoutResult {
  std::uint64_t playouts = 0;
  std::vector<std::uint64_t> wins; // by player, alone or shared
  std::uint64_t draws = 0, unfinished = 0;
  std::uint64_t plies = 0;                 // moves played, all games together
  std::uint64_t moves = 0;                 // legal moves, summed over all plies
  std::uint32_t shortest = 0, longest = 0; // plies of finished and unfinished games
  double cpu_seconds = 0;
  bool native = false; // played by native code
  bool stopped = false;
};

// Plays games from the position the rules begin with (or `from`), choosing among the legal moves evenly.
[[nodiscard]] tl::expected<PlayoutResult, Fault>
playouts(std::shared_ptr<const Rules> rules, const PlayoutOptions& options, const Position* from = nullptr);

// A small, fast, well-mixed generator (wyrand, Wang Yi): 64 bits a call. The same seed gives the same stream.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  // A generator made with it goes on like this one.
  [[nodiscard]] std::uint64_t state() const { return state_; }
  // Evenly from 0 to n - 1 (Lemire's bound); n > 0.
  std::uint64_t below(std::uint64_t n);

private:
  std::uint64_t state_;
};

inline std::uint64_t Random::next() {
  state_ += 0xa0761d6478bd642fU;
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(state_) * (state_ ^ 0xe7037ed1a0b428dbU);
  return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
}

// The high half of the product is even but for products whose low half falls into an uneven rest: those are
// redone.
inline std::uint64_t Random::below(std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next()) * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t rest = (0 - n) % n;
    while (static_cast<std::uint64_t>(product) < rest) product = static_cast<Wide>(next()) * n;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

} // namespace boardwright::runtime
