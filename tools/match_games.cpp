#include "tools/match_games.hpp"

#include "runtime/model/random.hpp"
#include "runtime/search/make_player.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace boardwright::tools {
namespace {

using runtime::Fault;
using runtime::Game;
using runtime::search::Player;
using Clock = std::chrono::steady_clock;

// Openings after which the game would be over are drawn again, so many times.
constexpr int kMostDraws = 20;

struct GameResult {
  std::optional<std::uint32_t> winners; // nothing: cut off
  std::uint64_t plies = 0;
};

class Match {
public:
  Match(std::shared_ptr<const runtime::Rules> rules, const Game& from, const MatchPlan& plan,
        const std::function<void(const MatchScore&)>& progress)
      : rules_(std::move(rules)), from_(from), plan_(plan), progress_(progress) {}

  MatchRun play() {
    std::vector<std::thread> threads;
    try {
      for (int k = 1; k < plan_.jobs; ++k) threads.emplace_back([this] { work(); });
    } catch (const std::system_error&) { // the system gives no more: it takes longer
    }
    work();
    for (std::thread& t : threads) t.join();
    run_.stopped = stopped();
    return std::move(run_);
  }

private:
  using Players = std::array<std::unique_ptr<Player>, 2>;

  [[nodiscard]] bool stopped() const { return plan_.stop != nullptr && plan_.stop->load(); }
  [[nodiscard]] Players players_of(std::uint64_t game) const;
  void work();
  bool play_pair(std::uint64_t pair);
  std::optional<GameResult> play_game(Game game, Players& players, std::size_t first,
                                      std::array<Spent, 2>& spent);
  std::optional<runtime::Move> ask(Player& player, const Game& game, const std::string& name, Spent& spent);
  void fail(const std::string& player, const Game& game, Fault fault);
  void count(const std::array<GameResult, 2>& games, const std::array<Spent, 2>& spent);

  std::shared_ptr<const runtime::Rules> rules_;
  const Game& from_;
  const MatchPlan& plan_;
  const std::function<void(const MatchScore&)>& progress_;
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<bool> over_ = false;
  std::mutex mutex_; // of what follows
  MatchRun run_;
};

// New ones for every game: what they have drawn before must not depend on which thread plays it.
Match::Players Match::players_of(std::uint64_t game) const {
  Players players;
  for (std::size_t k = 0; k < players.size(); ++k) {
    runtime::search::PlayerChoice choice;
    choice.weights = plan_.weights;
    choice.seed = runtime::chain(runtime::chain(plan_.seed, game), k);
    if (auto made = runtime::search::make_player(plan_.players[k], rules_, choice))
      players[k] = std::move(*made);
  }
  return players;
}

void Match::work() {
  while (!over_ && !stopped()) {
    const std::uint64_t pair = next_.fetch_add(1);
    if (pair >= plan_.pairs || !play_pair(pair)) return;
  }
}

bool Match::play_pair(std::uint64_t pair) {
  const auto opening =
      drawn_opening(from_, plan_.opening_plies, runtime::chain(runtime::mix(plan_.seed), pair));
  if (!opening) return fail("the opening", from_, opening.error()), false;
  std::array<GameResult, 2> games;
  std::array<Spent, 2> spent;
  for (std::size_t first = 0; first < games.size(); ++first) {
    Players players = players_of(2 * pair + first);
    const auto game = play_game(*opening, players, first, spent);
    if (!game) return false;
    games[first] = *game;
  }
  count(games, spent);
  return true;
}

// Nothing: a fault, or the match is stopped.
std::optional<GameResult> Match::play_game(Game game, Players& players, std::size_t first,
                                           std::array<Spent, 2>& spent) {
  GameResult result;
  for (;; ++result.plies) {
    const auto outcome = game.outcome();
    if (!outcome) return fail("", game, outcome.error()), std::nullopt;
    if (*outcome) {
      result.winners = (*outcome)->winners;
      return result;
    }
    if (result.plies >= static_cast<std::uint64_t>(plan_.max_plies)) return result;
    const std::size_t who = game.to_move() == 0 ? first : 1 - first;
    const auto move = ask(*players[who], game, plan_.players[who], spent[who]);
    if (!move) return std::nullopt;
    if (const auto played = game.play(*move); !played)
      return fail(plan_.players[who], game, played.error()), std::nullopt;
  }
}

std::optional<runtime::Move> Match::ask(Player& player, const Game& game, const std::string& name,
                                        Spent& spent) {
  runtime::search::ThinkLimits limits;
  limits.stop = plan_.stop;
  if (plan_.nodes) limits.most_nodes = *plan_.nodes;
  const auto begin = Clock::now();
  if (plan_.milliseconds && plan_.cpu_time) limits.cpu_time = std::chrono::milliseconds(*plan_.milliseconds);
  if (plan_.milliseconds && !plan_.cpu_time)
    limits.deadline = begin + std::chrono::milliseconds(*plan_.milliseconds);
  const auto thought = player.think(game, limits);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (stopped() || over_) return std::nullopt;
  if (!thought || !thought->move) {
    fail(name, game, thought ? Fault{"no move was found", 0} : thought.error());
    return std::nullopt;
  }
  ++spent.moves;
  spent.nodes += thought->nodes;
  spent.seconds += seconds;
  spent.longest = std::max(spent.longest, seconds);
  return thought->move;
}

void Match::fail(const std::string& player, const Game& game, Fault fault) {
  const std::lock_guard lock(mutex_);
  if (!run_.fault) run_.fault = {player, std::move(fault), game.position()};
  over_ = true;
}

// In the first game of a pair the first player is player 0 of the rules, in the second the other way round.
void Match::count(const std::array<GameResult, 2>& games, const std::array<Spent, 2>& spent) {
  const std::lock_guard lock(mutex_);
  MatchScore& score = run_.score;
  std::size_t points = 0;
  for (std::size_t k = 0; k < games.size(); ++k) {
    const std::uint32_t winners = games[k].winners.value_or(0) & 3U;
    ++score.games;
    score.plies += games[k].plies;
    if (!games[k].winners) ++score.cut_off;
    if (winners == 0 || winners == 3) {
      ++score.draws;
      points += 1;
      continue;
    }
    const std::size_t side = winners == 1 ? 0 : 1, winner = side == 0 ? k : 1 - k;
    ++score.side_wins[side];
    ++score.wins[winner];
    if (winner == 0) points += 2;
  }
  ++score.pairs[points];
  for (std::size_t k = 0; k < spent.size(); ++k) {
    score.spent[k].moves += spent[k].moves;
    score.spent[k].nodes += spent[k].nodes;
    score.spent[k].seconds += spent[k].seconds;
    score.spent[k].longest = std::max(score.spent[k].longest, spent[k].longest);
  }
  if (plan_.sprt && verdict_of(score.pairs, *plan_.sprt) != Verdict::unknown) over_ = true;
  if (progress_) progress_(score);
}

} // namespace

MatchRun play_match(const std::shared_ptr<const runtime::Rules>& rules, const Game& from,
                    const MatchPlan& plan, const std::function<void(const MatchScore&)>& progress) {
  return Match(rules, from, plan, progress).play();
}

tl::expected<Game, Fault> drawn_opening(const Game& from, int plies, std::uint64_t seed) {
  runtime::Random random(runtime::mix(seed));
  for (int draw = 0; draw < kMostDraws; ++draw) {
    Game game = from;
    bool over = false;
    for (int k = 0; k < plies && !over; ++k) {
      const auto moves = game.moves();
      if (!moves) return tl::unexpected(moves.error());
      over = moves->empty();
      if (over) break;
      if (const auto played = game.play((*moves)[random.below(moves->size())]); !played)
        return tl::unexpected(played.error());
    }
    const auto outcome = game.outcome();
    if (!outcome) return tl::unexpected(outcome.error());
    if (!*outcome) return game;
    if (draw % 4 == 3) --plies; // games as short as that end before it
  }
  return from;
}

} // namespace boardwright::tools
