// Plays random games from one position, one after the other: what `playouts` has in each thread.
#pragma once

#include "runtime/game/rules.hpp"
#include "runtime/model/patience.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/random.hpp"
#include "runtime/model/random_game.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace boardwright::runtime {

class Game;

class RandomPlayer {
public:
  // From a position, which must fit the program (see check_position), or from the set-up.
  RandomPlayer(std::shared_ptr<const Rules> rules, const Position& position, bool native = true);
  explicit RandomPlayer(std::shared_ptr<const Rules> rules, bool native = true);
  ~RandomPlayer();
  RandomPlayer(RandomPlayer&&) noexcept;
  RandomPlayer& operator=(RandomPlayer&&) noexcept;

  // Games begin with the present position of `game`, of the same rules, from now on; its past is forgotten.
  // Costs as much as to copy a state.
  // A fault, and nothing happens, if the rules are others.
  tl::expected<void, Fault> begin_with(const Game& game);
  // Games end with a fault when this is over, also in the middle of a turn.
  void give_up_when(const Patience& patience);
  // A game, or its first so many plies.
  tl::expected<Playout, Fault> play(Random& random, std::uint32_t max_plies);
  // The last game, if it was cut off, for so many plies more; what it tells is of these.
  tl::expected<Playout, Fault> play_on(Random& random, std::uint32_t max_plies);
  // How many of these were left when it ended; where it met a fault, the ply that did is one of them.
  [[nodiscard]] std::uint32_t plies_left() const;
  // Where the last game ended.
  [[nodiscard]] Position position() const;
  // Where the last game ended, or the next one begins: pieces on the board and in hand, by owner (neutral
  // ones last) and kind; the cells with a piece of the player on top, in a numbering of the engine's own.
  void count_pieces(std::vector<std::int32_t>& counts) const;
  [[nodiscard]] CellSet cells_of(int player) const;
  // Steps (model/limits.hpp) of all games so far.
  [[nodiscard]] std::uint64_t steps() const;
  // Did native code play the last game? Games are the same without.
  [[nodiscard]] bool is_native() const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace boardwright::runtime
