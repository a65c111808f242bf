// Positions of the engine as games written by hand (bench/), and back.
#pragma once

#include "bench/yardstick.hpp"

#include "runtime/game/game.hpp"

#include <cstddef>
#include <cstdint>

namespace boardwright::tests {

template <class G>
concept Stacking = requires(const G& game) {
  game.height(1, 1);
};

// Can the game write its moves?
template <class G>
concept Notating = requires(const G& game, const typename G::Move& move) {
  game.notation(move);
};

template <class G>
int height_of(const G& game, int x, int y) {
  if constexpr (Stacking<G>) return game.height(x, y);
  return game.owner(x, y) == yardstick::kNobody ? 0 : 1;
}

// The moves played before matter where there are opening rules.
template <class G>
G blank(const runtime::Position& position) {
  if constexpr (requires { G::blank(0, 0); })
    return G::blank(position.to_move, position.ply);
  else
    return G::blank(position.to_move);
}

template <class G>
G by_hand(const runtime::Board& board, const runtime::Position& position) {
  G game = blank<G>(position);
  for (std::size_t cell = 0; cell < position.cells.size(); ++cell)
    for (const auto piece : position.cells[cell]) game.put(board.x[cell], board.y[cell], piece.owner);
  return game;
}

// Of a game with one kind of piece.
template <class G>
runtime::Position position_of(const runtime::Program& program, const G& game) {
  runtime::Position position = runtime::blank_position(program);
  position.to_move = game.to_move();
  for (std::size_t cell = 0; cell < position.cells.size(); ++cell) {
    const int x = program.board.x[cell], y = program.board.y[cell];
    const auto owner = static_cast<std::int8_t>(game.owner(x, y));
    position.cells[cell].assign(static_cast<std::size_t>(height_of(game, x, y)), {owner, 0});
  }
  return position;
}

} // namespace boardwright::tests
