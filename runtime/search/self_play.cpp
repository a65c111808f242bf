#include "runtime/search/self_play.hpp"

#include "runtime/model/shares.hpp"
#include "runtime/search/alpha_beta.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace boardwright::runtime::search {

namespace {

constexpr std::size_t kTableBytes = std::size_t{2} << 20;
// One move in so many is random, once the opening is over.
constexpr std::uint64_t kOneRandomIn = 20;

using Clock = std::chrono::steady_clock;

// Some plies, so that games differ; few enough that the game isn't decided by them.
int opening_of(const Features& features, Random& random) {
  const int most = std::clamp(static_cast<int>(features.sample().plies / 6), 1, 8);
  return 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(most)));
}

tl::expected<bool, Fault> play_randomly(Game& game, Random& random) { // false: it is over
  const auto drawn = game.draw(random);
  if (!drawn) return tl::unexpected(drawn.error());
  if (!*drawn) return false;
  if (auto played = game.play(**drawn); !played) return tl::unexpected(played.error());
  return true;
}

double log_odds(double value) {
  const double chance = std::clamp(value, kLeastChance, 1 - kLeastChance);
  return std::log(chance / (1 - chance));
}

// Where dice are rolled a search judges positions behind a move, before the next roll: these are learnt from.
// How many moves a roll leaves is the roll's doing, and tells nothing of them.
std::optional<Fault> study_behind(Game& game, int mover, double value,
                                  const std::function<void(const Studied&)>& study) {
  const auto outcome = game.outcome();
  if (!outcome) return outcome.error();
  if (outcome->has_value()) return {};
  MoveCounts unknown;
  unknown.fill(-1);
  study({game, unknown, game.to_move() == mover ? value : -value});
  return {};
}

} // namespace

std::unique_ptr<Player> player_with(const std::shared_ptr<const Features>& features,
                                    const Judgement& judgement) {
  AlphaBetaOptions options;
  options.most_bytes = kTableBytes;
  options.judgement = judgement;
  return make_alpha_beta(features, options);
}

float result_for(const Outcome& outcome, int player) {
  if (outcome.shares != 0) return share(outcome, player, 2);
  const bool won = (outcome.winners >> player & 1) != 0, lost = (outcome.winners & ~(1U << player)) != 0;
  return won == lost ? 0.5F : won ? 1.0F : 0.0F;
}

namespace {

[[nodiscard]] bool is_stopped(const SelfPlayOptions& options) {
  return options.stop != nullptr && options.stop->load();
}
[[nodiscard]] bool is_due(const SelfPlayOptions& options) {
  return options.deadline && Clock::now() >= *options.deadline;
}

} // namespace

tl::expected<StudiedGame, Fault> play_to_learn(const Features& features, Player& player, std::uint64_t number,
                                               const SelfPlayOptions& options,
                                               const std::function<void(const Studied&)>& study) {
  // Where random games are so often forced to capture, no position is quiet.
  const bool has_quiet_moves = features.sample().forced < 0.5;
  const bool rolls = features.rules().program().chance.has_value();
  Random random(chain(mix(options.seed), number));
  Game game(features.shared_rules());
  const int opening = opening_of(features, random);
  MoveCounts counts;
  counts.fill(-1);
  ThinkLimits limits;
  limits.most_nodes = options.nodes;
  limits.stop = options.stop;
  limits.deadline = options.deadline;
  StudiedGame played_game;
  for (; played_game.plies < options.most_plies; ++played_game.plies) {
    if (is_stopped(options) || is_due(options)) {
      played_game.cut = true;
      return played_game;
    }
    if (rolls && game.is_chance()) {
      const auto rolled = play_randomly(game, random);
      if (!rolled) return tl::unexpected(rolled.error());
      if (!*rolled) break;
      continue;
    }
    const auto moves = game.moves();
    if (!moves) return tl::unexpected(moves.error());
    if (moves->empty()) break;
    counts[static_cast<std::size_t>(game.to_move())] = static_cast<int>(moves->size());
    const int mover = game.to_move();
    if (played_game.plies < opening || random.below(kOneRandomIn) == 0 || options.at_random) {
      if (const auto played = play_randomly(game, random); !played) return tl::unexpected(played.error());
      if (options.at_random && rolls)
        if (auto fault = study_behind(game, mover, 0, study)) return tl::unexpected(*fault);
      continue;
    }
    const auto thought = player.think(game, limits);
    if (!thought) return tl::unexpected(thought.error());
    const auto captures = game.captures(*thought->move);
    if (!captures) return tl::unexpected(captures.error());
    if (!rolls && (!*captures || !has_quiet_moves)) study({game, counts, log_odds(thought->value)});
    if (auto played = game.play(*thought->move); !played) return tl::unexpected(played.error());
    if (rolls)
      if (auto fault = study_behind(game, mover, log_odds(thought->value), study))
        return tl::unexpected(*fault);
  }
  const auto outcome = game.outcome();
  if (!outcome) return tl::unexpected(outcome.error());
  played_game.outcome = outcome->value_or(Outcome());
  return played_game;
}

// By halving the interval: the slope of the error falls to nothing once.
double certainty_of(const std::vector<Promise>& promises) {
  constexpr int kHalvings = 20;
  double low = kLeastCertainty, high = 1;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = (low + high) / 2;
    double slope = 0;
    for (const Promise& promise : promises)
      slope += (1 / (1 + std::exp(-middle * promise.log_odds)) - promise.result) * promise.log_odds;
    (slope < 0 ? low : high) = middle;
  }
  return high;
}

// ---------------------------------------------------------------- matches

namespace {

// The logarithm of the likelihood ratio of being 30 points stronger and 10 weaker.
double ratio_of(const MatchResult& match) {
  constexpr double kLow = 0.4856, kHigh = 0.5431; // the scores that are expected then
  const double n = match.games(), s = match.score();
  constexpr int kFewest = 20; // games: of less even a clear score may be luck
  if (match.games() < kFewest) return 0;
  const double squares =
      match.wins * (1 - s) * (1 - s) + match.draws * (0.5 - s) * (0.5 - s) + match.losses * s * s;
  // Some games that go all alike say less than they seem to.
  const double variance = std::max(squares / n, 0.25 / (n + 1));
  return n * (kHigh - kLow) * (2 * s - kLow - kHigh) / (2 * variance);
}

constexpr double kSure = 2.94; // log(0.95 / 0.05)

} // namespace

bool surely_stronger(const MatchResult& match) { return ratio_of(match) >= kSure; }
bool enough(const MatchResult& match) { return std::abs(ratio_of(match)) >= kSure; }

namespace {

// One game of a match: its score for the first player, as Black in every second game; nothing where it was
// stopped or due before it was over.
tl::expected<std::optional<float>, Fault>
play_one_of_match(const Features& features, const std::array<std::unique_ptr<Player>, 2>& players, int number,
                  const SelfPlayOptions& options) {
  ThinkLimits limits;
  limits.most_nodes = options.match_nodes;
  limits.stop = options.stop;
  limits.deadline = options.deadline;
  Random random(chain(mix(options.seed), static_cast<std::uint64_t>(number / 2)));
  Game game(features.shared_rules());
  for (int opening = opening_of(features, random); opening > 0; --opening)
    if (const auto played = play_randomly(game, random); !played) return tl::unexpected(played.error());
  for (int ply = 0; ply < options.most_plies; ++ply) {
    if (is_stopped(options) || is_due(options)) return std::nullopt;
    if (game.is_chance()) { // of both games of a pair by the same stream
      const auto rolled = play_randomly(game, random);
      if (!rolled) return tl::unexpected(rolled.error());
      if (!*rolled) break;
      continue;
    }
    const auto thought =
        players[static_cast<std::size_t>((game.to_move() + number) % 2)]->think(game, limits);
    if (!thought) return tl::unexpected(thought.error());
    if (!thought->move) break;
    if (auto played = game.play(*thought->move); !played) return tl::unexpected(played.error());
  }
  const auto outcome = game.outcome();
  if (!outcome) return tl::unexpected(outcome.error());
  return result_for(outcome->value_or(Outcome()), number % 2);
}

} // namespace

tl::expected<MatchResult, Fault> play_match(const std::shared_ptr<const Features>& features,
                                            const Judgement& one, const Judgement& other, int games,
                                            const SelfPlayOptions& options, bool until_enough) {
  MatchResult result, pairs; // of all games, and of those that were played with both sides
  const std::array<std::unique_ptr<Player>, 2> players = {player_with(features, one),
                                                          player_with(features, other)};
  for (int g = 0; g < games; ++g) {
    if (g % 2 == 0) {
      pairs = result;
      if (until_enough && enough(result)) break;
    }
    const auto score = play_one_of_match(*features, players, g, options);
    if (is_stopped(options) || (score && !*score)) return pairs;
    if (!score) return tl::unexpected(score.error());
    ++(**score == 0.5F ? result.draws : **score > 0.5F ? result.wins : result.losses);
  }
  return result;
}

} // namespace boardwright::runtime::search
