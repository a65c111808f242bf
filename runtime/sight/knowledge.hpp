// All that a player knows of a game: what he has seen and read since it began, and did himself. In the field
// this is called his information state; two games are in one information set of his exactly where these texts
// are the same.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/sight/seen.hpp"

#include <string>
#include <vector>

namespace boardwright::runtime::sight {

// What a player has learnt with one move.
struct Witnessed {
  int mover = 0;
  bool chance = false; // it was nature's
  std::string read;    // the move, as he reads it
  Seen seen;           // the position behind it, as he sees it
  friend bool operator==(const Witnessed&, const Witnessed&) = default;
};

struct Knowledge {
  Seen begin; // the position that the game began with, as he sees it
  std::vector<Witnessed> moves;
};

// Plays a move; what the player learns of it.
[[nodiscard]] tl::expected<Witnessed, Fault> witnessed(Game& game, const Move& move, int player);

// Costs as much as to take the game back and to play it again.
[[nodiscard]] tl::expected<Knowledge, Fault> knowledge_of(const Game& game, int player);

// The present position as the player sees it, as text (`text_of`).
[[nodiscard]] tl::expected<std::string, Fault> observation(const Game& game, int player);

// A line for the beginning and one for each move: "Black: e7-e5 | White to move; …". What looks the same as
// before is left out.
[[nodiscard]] std::string text_of(const Knowledge& knowledge, const Program& program);

} // namespace boardwright::runtime::sight
