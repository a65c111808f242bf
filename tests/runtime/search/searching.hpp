// What tests of searches share.
#pragma once

#include "interpreter/load.hpp"
#include "runtime/search/player.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace boardwright::runtime::search {

inline std::shared_ptr<const Rules> rules_of(const std::string& name,
                                             const interpreter::Settings& settings = {}) {
  const auto loaded = interpreter::load(name, settings);
  if (!loaded) FAIL(loaded.errors());
  return loaded.rules;
}

inline ThinkLimits nodes(std::uint64_t most) {
  ThinkLimits limits;
  limits.most_nodes = most;
  return limits;
}

// 1, 0 or -1 for the player to move, by looking at everything: for games that don't go round in circles.
inline int result_of(Game& game, std::map<std::uint64_t, int>& known) {
  const std::uint64_t key = game.key();
  if (const auto found = known.find(key); found != known.end()) return found->second;
  const auto moves = game.moves();
  const auto outcome = game.outcome();
  if (!moves || !outcome) FAIL("a fault");
  const int mover = game.to_move();
  if (*outcome) return (*outcome)->winners == 0 ? 0 : ((*outcome)->winners >> mover & 1) != 0 ? 1 : -1;
  int best = -2;
  const std::vector<Move> list(moves->begin(), moves->end());
  for (const Move& move : list) {
    if (!game.play(move)) FAIL("a move that can't be played");
    const int sign = game.to_move() == mover ? 1 : -1;
    best = std::max(best, sign * result_of(game, known));
    game.undo();
  }
  return known[key] = best;
}

inline Proof proof_of(int result) { return result > 0 ? Proof::win : result < 0 ? Proof::loss : Proof::draw; }

} // namespace boardwright::runtime::search
