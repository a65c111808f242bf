// What the hand-written games of this folder have in common, and what is done with them: random games and
// perft.
//
// They are the yardstick of the engine's speed and an oracle that shares nothing with it: plain arrays, no
// bitboards, written straight from the rules of the game. A hand-written game G has
//   G::Move, G::kFiles, G::kRanks
//   void list(std::vector<Move>&)        all legal moves, each once; none when the game is over
//   void play(const Move&)               one of them
//   int to_move() const                  0 or 1, in turn order
//   std::optional<int> winner() const    who won by the move just played, or kNobody for a draw; who can't
//                                        move loses besides
//   int owner(x, y) const                0, 1, or kNobody; x and y from 1
//   static G blank(to_move)              an empty board; blank(to_move, ply) where first moves are bound
//   void put(x, y, owner)                one more piece on a cell
// and, if it can, int height(x, y) const where there are stacks, and the move as players write it:
//   std::string notation(const Move&) const
#pragma once

#include "runtime/game/playout.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::yardstick {

inline constexpr int kNobody = -1;

// "a1" for the cell at (1, 1).
inline std::string name_of(int x, int y) { return static_cast<char>('a' + x - 1) + std::to_string(y); }

// "xc4,d4": where the other player's pieces, there before a move, are gone after it. "" for nowhere.
template <class G>
std::string captures_between(const G& before, const G& after) {
  const int enemy = 1 - before.to_move();
  std::string text;
  for (int y = 1; y <= G::kRanks; ++y)
    for (int x = 1; x <= G::kFiles; ++x)
      if (before.owner(x, y) == enemy && after.owner(x, y) == kNobody)
        text += (text.empty() ? "x" : ",") + name_of(x, y);
  return text;
}

struct Played {
  std::optional<int> winner;
  std::uint32_t plies = 0;
  std::uint64_t moves = 0; // legal moves, summed over the plies
};

// Plays on evenly at random from `game`. `moves` is only lent, so that its memory can be used again.
template <class G>
Played play_out(G game, runtime::Random& random, std::uint32_t max_plies,
                std::vector<typename G::Move>& moves) {
  Played played;
  for (; played.plies < max_plies; ++played.plies) {
    if (played.winner = game.winner(); played.winner) return played;
    game.list(moves);
    if (moves.empty()) {
      played.winner = 1 - game.to_move();
      return played;
    }
    played.moves += moves.size();
    game.play(moves[random.below(moves.size())]);
  }
  return played;
}

// The number of sequences of `depth` moves.
template <class G>
std::uint64_t perft(G& game, int depth) {
  std::vector<typename G::Move> moves;
  game.list(moves);
  if (depth == 1) return moves.size();
  std::uint64_t leaves = 0;
  for (const auto& move : moves) {
    G next = game;
    next.play(move);
    leaves += perft(next, depth - 1);
  }
  return leaves;
}

} // namespace boardwright::yardstick
