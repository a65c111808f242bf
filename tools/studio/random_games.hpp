// Random games that are played a few at a time, between which a page draws what is known so far.
#pragma once

#include "interpreter/load.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/game/random_player.hpp"
#include "tools/console/json.hpp"

#include <chrono>
#include <map>

namespace boardwright::tools {

class RandomGames {
public:
  // The loaded rules must outlive this.
  RandomGames(const interpreter::Loaded& loaded, std::uint64_t seed);

  // Plays on for so long, but no more than so many games in all.
  void play(std::chrono::milliseconds time, std::uint64_t most);
  // All of them so far: results, lengths with their numbers of games, endings.
  [[nodiscard]] Json view() const;

private:
  void count(const runtime::Playout& game);

  const interpreter::Loaded& loaded_;
  std::uint64_t seed_;
  runtime::RandomPlayer player_;
  runtime::PlayoutResult sum_;
  std::map<std::uint32_t, std::uint64_t> lengths_; // of games that ended
  std::string fault_;
  double seconds_ = 0;
};

} // namespace boardwright::tools
