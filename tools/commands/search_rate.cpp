#include "tools/commands/search_rate.hpp"

#include "runtime/game/game.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/model/random.hpp"
#include "tools/console/console.hpp"
#include "tools/console/cpu_time.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace boardwright::tools {
namespace {

using runtime::Fault;
using runtime::Game;
using runtime::Move;

constexpr std::size_t kDepth = 4;
// A look at the clock costs more than a position.
constexpr std::uint64_t kPositionsBetweenLooks = 256;
// Plies of the random game between two searches: openings and middle games both count.
constexpr int kPliesBetweenSearches = 4;

// A single list may have millions of moves. It ends when so many times the time asked for has passed by the
// clock on the wall, of which a busy machine gives us a part only.
constexpr double kPatience = 10;
// A random game that is longer is left for another one: it remembers each of its plies.
constexpr int kLongestGame = 2'000;

class Visitor {
public:
  Visitor(const std::shared_ptr<const runtime::Rules>& rules, double seconds)
      : rules_(rules), game_(rules), begin_(cpu_seconds()), seconds_(seconds) {
    limits_.stop = &interrupted();
    limits_.deadline =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(kPatience * seconds));
  }

  tl::expected<double, Fault> run() {
    while (!over_) {
      visit(0);
      if (over_ || fault_) break;
      go_on();
    }
    if (fault_) return tl::unexpected(*fault_);
    const double spent = cpu_seconds() - begin_;
    return spent > 0 ? static_cast<double>(visited_) / spent : 0;
  }

private:
  // From one position down to the last depth.
  void visit(std::size_t ply) {
    if (++visited_ % kPositionsBetweenLooks == 0) over_ = interrupted() || cpu_seconds() - begin_ >= seconds_;
    const auto outcome = game_.outcome();
    if (!outcome) return fail(outcome.error());
    if (*outcome || ply == kDepth || over_) return;
    const auto moves = game_.moves(limits_);
    if (!moves) return fail(moves.error());
    if (!moves->complete()) over_ = true;
    std::vector<Move>& list = lists_[ply]; // the game's own list is the next position's from now on
    list.assign(moves->begin(), moves->end());
    for (std::size_t i = 0; i < list.size() && !over_; ++i) {
      if (const auto played = game_.play(list[i]); !played) return fail(played.error());
      visit(ply + 1);
      (void)game_.undo();
    }
  }

  // To the position of the next search: on in the random game, or the beginning of another one.
  void go_on() {
    for (int i = 0; i < kPliesBetweenSearches; ++i) {
      const auto moves = game_.moves(limits_);
      if (!moves) return fail(moves.error());
      if (moves->size() == 0 || ++plies_ > kLongestGame) {
        game_ = Game(rules_);
        plies_ = 0;
        return;
      }
      if (const auto played = game_.play((*moves)[random_.below(moves->size())]); !played)
        return fail(played.error());
    }
  }

  void fail(const Fault& fault) {
    if (!fault_ && !runtime::Meter::gave_up()) fault_ = fault;
    over_ = true;
  }

  std::shared_ptr<const runtime::Rules> rules_;
  Game game_;
  runtime::Random random_{1};
  runtime::ListLimits limits_;
  std::array<std::vector<Move>, kDepth> lists_; // by depth
  double begin_, seconds_;
  std::uint64_t visited_ = 0;
  int plies_ = 0; // of the random game
  bool over_ = false;
  std::optional<Fault> fault_;
};

} // namespace

tl::expected<double, Fault> measured_search_rate(const std::shared_ptr<const runtime::Rules>& rules,
                                                 double seconds) {
  return Visitor(rules, seconds).run();
}

} // namespace boardwright::tools
