// Games that may be the one that is played, as far as one player knows: in the field a set of particles.
//
// Each begins as the game did, and is carried on with every move of it: with the player's own as it was, with
// another's by one, drawn by lot, that would have looked the same to him. A game that has no such move is
// given up, and replaced by a copy of one that has. Where none is left all are begun anew; and where that
// doesn't help either, what the player sees is put into the last ones, so that they agree with the present at
// least.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/model/random.hpp"
#include "runtime/sight/knowledge.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace boardwright::runtime::search {

class Worlds {
public:
  Worlds(std::shared_ptr<const Rules> rules, std::size_t count, std::uint64_t seed);

  // Follows a game as far as it has come, with what `player` knows of it and nothing else. `over` is asked
  // now and then: then there are as many worlds as could be made. A fault: a rule went wrong in the game
  // itself.
  tl::expected<void, Fault> follow(const Game& game, int player, const std::function<bool()>& over);
  // Positions of all that he can't tell from the present one. Empty where none could be made.
  [[nodiscard]] std::vector<Game>& games() { return games_; }
  // Do they agree with all that he has seen, not with the present alone?
  [[nodiscard]] bool agree() const { return agree_; }

private:
  [[nodiscard]] std::optional<Game> beginning();
  void begin();
  void advance(const sight::Witnessed& move, const std::function<bool()>& over);
  void begin_anew(std::size_t moves, const std::function<bool()>& over);
  void repair(std::vector<Game> last, const sight::Witnessed& move, const std::function<bool()>& over);
  void fill_up();
  [[nodiscard]] bool step(Game& world, const sight::Witnessed& move, const std::function<bool()>& over);

  std::shared_ptr<const Rules> rules_;
  std::size_t count_;
  Random random_;
  int player_ = -1;
  bool agree_ = true;
  sight::Knowledge known_; // as far as the games have come
  std::vector<Game> games_;
};

// A position that agrees with what is seen, and with `believed` in what isn't: pieces that are believed to
// exist and aren't seen lie where they are believed to lie, or on other cells that aren't seen.
[[nodiscard]] Position position_behind(const Program& program, const sight::Seen& seen,
                                       const Position& believed, Random& random);

} // namespace boardwright::runtime::search
