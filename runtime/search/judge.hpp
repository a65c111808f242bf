// Who stands better, by pieces alone: what random games are judged by that take too long.
//
// The chances are a logistic function of the pieces that each player has gained and lost since the set-up.
// What a piece is worth is learnt while the search goes on, from random games that were played to their end,
// so that a game in which pieces are a burden is judged the other way round. That is the regression of
// M. Buro, From simple features to sophisticated evaluation functions (1998), with random games for masters'.
// To judge instead of playing on: R. Lorentz, Using evaluation functions in Monte-Carlo tree search (2016).
#pragma once

#include "runtime/game/random_player.hpp"
#include "runtime/search/score.hpp"

#include <cstdint>
#include <vector>

namespace boardwright::runtime::search {

class Judge {
public:
  explicit Judge(const Program& program);

  using Pieces = std::vector<std::int32_t>; // by owner and kind: RandomPlayer::count_pieces
  [[nodiscard]] Scores chances(const Pieces& pieces) const;
  // A game that came by this position ended so.
  void learn(const Pieces& pieces, const Scores& result);

  // Of the results of positions that were learnt from, the share that was told beforehand: 0 if it could as
  // well have been the average, 1 if each was known. Of late ones more than of early ones.
  [[nodiscard]] double skill() const;
  [[nodiscard]] std::uint64_t positions() const { return positions_; }

private:
  [[nodiscard]] std::size_t begin_of(int player) const { return static_cast<std::size_t>(player * kinds_); }
  void note_skill(const Scores& told, const Scores& result);

  int players_, kinds_;
  std::vector<float> begin_;      // pieces of the set-up
  std::vector<float> weight_;     // of a piece, by owner and kind
  std::vector<float> head_start_; // by player: what he has without any pieces
  Scores average_{};
  double error_ = 0, error_of_average_ = 0;
  std::uint64_t positions_ = 0;
};

} // namespace boardwright::runtime::search
