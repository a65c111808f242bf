#include "tools/games/past_move.hpp"

namespace boardwright::tools {

tl::expected<std::optional<runtime::Move>, runtime::Fault> move_to(runtime::Game& game,
                                                                   const runtime::Position& after) {
  const auto moves = game.moves();
  if (!moves) return tl::unexpected(moves.error());
  for (const runtime::Move move : *moves) {
    if (const auto played = game.play(move); !played) return tl::unexpected(played.error());
    const runtime::Position now = game.position();
    const bool same = now.same_as(after) && now.ply == after.ply && now.turns == after.turns;
    game.undo();
    if (same) return std::optional(move);
  }
  return std::optional<runtime::Move>();
}

} // namespace boardwright::tools
