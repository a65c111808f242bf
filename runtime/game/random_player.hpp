// Plays random games from one position, one after the other: what `playouts` has in each thread.
#pragma once

#include "runtime/game/random_game.hpp"
#include "runtime/game/rules.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/random.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <memory>

namespace boardwright::runtime {

class RandomPlayer {
public:
  // From a position, which must fit the program (see check_position), or from the set-up.
  RandomPlayer(std::shared_ptr<const Rules> rules, const Position& position, bool native = true);
  explicit RandomPlayer(std::shared_ptr<const Rules> rules, bool native = true);
  ~RandomPlayer();
  RandomPlayer(RandomPlayer&&) noexcept;
  RandomPlayer& operator=(RandomPlayer&&) noexcept;

  // A game, or its first so many plies.
  tl::expected<Playout, Fault> play(Random& random, std::uint32_t max_plies);
  // How many of these were left when it ended; where it met a fault, the ply that did is one of them.
  [[nodiscard]] std::uint32_t plies_left() const;
  // Where the last game ended.
  [[nodiscard]] Position position() const;
  // Did native code play the last game? Games are the same without.
  [[nodiscard]] bool is_native() const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace boardwright::runtime
