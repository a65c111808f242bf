#include "interpreter/self_tests/test_games.hpp"

#include "dsl/shape.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/game/random_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace boardwright::interpreter {
namespace {

using dsl::GamesClaim;
using dsl::GamesEntry;
using dsl::in_backticks;
using runtime::Playout;
using runtime::Program;
using Of = GamesClaim::Of;

constexpr std::uint64_t kWhole = 10'000; // shares are in hundredths of a percent

// After how many moves a game is broken off: what its end within so many says is known by then.
std::uint64_t most_plies(const GamesEntry& expected) {
  std::uint64_t most = 0;
  bool of_length_alone = true;
  for (const GamesClaim& claim : expected.claims) {
    if (claim.of == Of::over_within) most = std::max(most, claim.within);
    if (claim.of == Of::plies)
      most = std::max({most, claim.low, claim.high == dsl::kNoBound ? 0 : claim.high + 1});
    of_length_alone = of_length_alone && (claim.of == Of::over_within || claim.of == Of::plies);
  }
  return of_length_alone ? std::max<std::uint64_t>(most, 1) : std::max(most, kUsualGamePlies);
}

class Checking {
public:
  Checking(const std::shared_ptr<const runtime::Rules>& rules, const runtime::Position& from,
           const GamesEntry& expected)
      : rules_(rules), from_(from), expected_(expected), most_plies_(most_plies(expected)),
        player_(rules, from) {}

  GamesChecked run(const std::atomic<bool>* stop) {
    for (std::uint64_t game = 0; game < expected_.count; ++game) {
      if (stop != nullptr && stop->load(std::memory_order_relaxed)) return {{}, true};
      runtime::Random random = runtime::random_of_game(expected_.seed, game);
      auto played = player_.play(random, static_cast<std::uint32_t>(most_plies_));
      if (!played) return fault(game, played.error());
      plies_ += played->plies;
      games_.push_back(*played);
      if (plies_ > kMaxTestPlies) return too_long();
    }
    for (const GamesClaim& claim : expected_.claims) check(claim);
    return std::move(checked_);
  }

private:
  [[nodiscard]] const Program& program() const { return rules_->program(); }

  void fail(dsl::Span span, std::string message, std::string help) {
    checked_.failures.push_back({span, std::move(message), std::move(help)});
  }

  GamesChecked fault(std::uint64_t game, const runtime::Fault& fault) {
    fail(expected_.span, fmt::format("game {} of seed {}: {}", game + 1, expected_.seed, fault.message),
         "at " + runtime::place_of(program(), fault.origin));
    return std::move(checked_);
  }

  GamesChecked too_long() {
    fail(expected_.span,
         fmt::format("{} of {} random games have taken {} moves, and a test may take {}", games_.size(),
                     expected_.count, plies_, kMaxTestPlies),
         "play fewer games with `count`, or give a smaller number in `end within`");
    return std::move(checked_);
  }

  // Where the games of the test can be seen.
  [[nodiscard]] std::string how_to_see() const {
    const std::string longest =
        most_plies_ == kUsualGamePlies ? "" : fmt::format(" --max-plies {}", most_plies_);
    return fmt::format("`boardwright playouts` with --count {} --seed {}{} plays these games",
                       expected_.count, expected_.seed, longest);
  }

  [[nodiscard]] std::optional<int> player_of(const GamesClaim& claim) const {
    if (claim.of == Of::first_wins) return from_.to_move;
    for (std::size_t i = 0; i < program().players.size(); ++i)
      if (program().players[i].name == claim.player.text) return static_cast<int>(i);
    return std::nullopt;
  }

  void check(const GamesClaim& claim) {
    switch (claim.of) {
    case Of::plies: return check_plies(claim);
    case Of::over_within:
      return check_share(claim, fmt::format("are over within {} plies", claim.within),
                         [&](const Playout& p) { return p.outcome.has_value() && p.plies <= claim.within; });
    case Of::draws:
      return check_share(claim, "are drawn",
                         [](const Playout& p) { return p.outcome && p.outcome->winners == 0; });
    case Of::wins:
    case Of::first_wins: return check_wins(claim);
    }
  }

  void check_wins(const GamesClaim& claim) {
    const auto player = player_of(claim);
    if (!player) {
      std::vector<std::string> names;
      for (const auto& other : program().players) names.push_back(other.name);
      return fail(claim.player.span, fmt::format("there is no player {}", in_backticks(claim.player.text)),
                  dsl::did_you_mean(claim.player.text, names));
    }
    check_share(claim,
                fmt::format("are won by {}", program().players[static_cast<std::size_t>(*player)].name),
                [&](const Playout& p) { return p.outcome && (p.outcome->winners >> *player & 1U) != 0; });
  }

  // Whole numbers alone: the same on every machine.
  template <class Holds>
  void check_share(const GamesClaim& claim, const std::string& what, const Holds& holds) {
    const auto held = static_cast<std::uint64_t>(std::count_if(games_.begin(), games_.end(), holds));
    const auto all = static_cast<std::uint64_t>(games_.size());
    const bool inside = held * kWhole >= claim.low * all && held * kWhole <= claim.high * all;
    if (inside && (!claim.some || held > 0)) return;
    fail(claim.written.span,
         fmt::format("{} of {} random games {} ({:.1f} %), but the file says {}", held, all, what,
                     100.0 * static_cast<double>(held) / static_cast<double>(all),
                     in_backticks(claim.written.text)),
         how_to_see());
  }

  // Every game: the first one that is too long or too short is told.
  void check_plies(const GamesClaim& claim) {
    for (std::size_t i = 0; i < games_.size(); ++i) {
      const Playout& game = games_[i];
      if (game.plies >= claim.low && game.plies <= claim.high) continue;
      const bool over = game.outcome.has_value();
      const std::string length = over ? fmt::format("is over after {} plies", game.plies)
                                      : fmt::format("isn't over after {} plies", game.plies);
      return fail(claim.written.span,
                  fmt::format("random game {} of {} {}, but the file says {}", i + 1, games_.size(), length,
                              in_backticks(claim.written.text)),
                  how_to_see());
    }
  }

  const std::shared_ptr<const runtime::Rules>& rules_;
  const runtime::Position& from_;
  const GamesEntry& expected_;
  const std::uint64_t most_plies_;
  runtime::RandomPlayer player_;
  std::vector<Playout> games_;
  std::uint64_t plies_ = 0;
  GamesChecked checked_;
};

} // namespace

GamesChecked check_games(const std::shared_ptr<const runtime::Rules>& rules, const runtime::Position& from,
                         const dsl::GamesEntry& expected, const std::atomic<bool>* stop) {
  return Checking(rules, from, expected).run(stop);
}

} // namespace boardwright::interpreter
