// Random games from the leaves of a tree, played to the end or judged on the way.
//
// A random game costs as much as it is long, and tells the less about a position the longer it is. Where
// pieces tell who will win (judge.hpp), or games hardly ever end, they are played for some moves and judged
// then. Now and then one is played to its end all the same, for the judge to learn from.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/game/random_player.hpp"
#include "runtime/model/random.hpp"
#include "runtime/search/judge.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace boardwright::runtime::search {

enum class Judging : std::uint8_t { never, if_it_pays, always };

struct LeafGamesOptions {
  Judging judging = Judging::if_it_pays;
  std::uint32_t judged_plies = 32; // a game that is judged has gone on for so many
  std::uint32_t most_plies = 1000; // no game is longer; the judge has to do then, or it is a draw
};

class LeafGames {
public:
  LeafGames(std::shared_ptr<const Rules> rules, const LeafGamesOptions& options);

  // From the present position of `game`, which is not over. Nothing: `over`, which is asked now and then,
  // says that there is no more time. Where a rule goes wrong nobody wins.
  [[nodiscard]] std::optional<Scores> play(const Game& game, Random& random,
                                           const std::function<bool()>& over);
  // Games that are played end when this is over, however long a single turn may take.
  void give_up_when(const Patience& patience) { player_.give_up_when(patience); }
  [[nodiscard]] bool judges() const;
  [[nodiscard]] double skill() const { return judge_.skill(); }

  std::uint64_t games = 0, judged = 0, cut_off = 0;

private:
  enum class End : std::uint8_t { result, cut_off, no_time, fault };
  End play_on(std::uint32_t most_plies, std::uint64_t most_moves, std::uint32_t seen_every, Random& random,
              const std::function<bool()>& over);
  [[nodiscard]] std::uint32_t step(std::uint32_t last_plies, std::uint64_t last_moves) const;
  [[nodiscard]] bool plays_to_end() const;
  void note_length(bool ended);
  void look();
  void learn(const Scores& result);

  LeafGamesOptions options_;
  int players_;
  RandomPlayer player_;
  Judge judge_;
  std::vector<Judge::Pieces> seen_; // in the present game, after every judged_plies
  std::size_t seen_count_ = 0;
  double mean_plies_ = 0, given_up_ = 0; // of games that were to be played to the end: how many weren't
  std::uint64_t ended_ = 0, plies_to_end_ = 0, plies_judged_ = 0;
  std::uint32_t plies_ = 0; // of the present game
  Scores result_{};
};

} // namespace boardwright::runtime::search
