#include "tools/match/match_games.hpp"

#include "runtime/game/spelling.hpp"
#include "runtime/game/thread_group.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/model/random.hpp"
#include "runtime/model/shares.hpp"
#include "runtime/search/stopwatch.hpp"
#include "tools/engines/external_player.hpp"
#include "tools/engines/opponents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <utility>

namespace boardwright::tools {
namespace {

using runtime::Fault;
using runtime::Game;
using runtime::search::Player;

// Openings after which the game would be over are drawn again, so many times.
constexpr int kMostDraws = 20;

struct GameResult {
  std::optional<runtime::Result> result; // nothing: cut off
  std::uint64_t plies = 0;
};

using Players = std::array<std::shared_ptr<Player>, 2>;

void add_spent(const Spent& part, Spent& total) {
  total.moves += part.moves;
  total.nodes += part.nodes;
  total.seconds += part.seconds;
  total.longest = std::max(total.longest, part.longest);
}

// A game while it is played: who plays it, and what is recorded of it.
struct Table {
  Players players;
  std::size_t first = 0; // who plays the side that begins
  std::array<Spent, 2>& spent;
  PlayedGame played;

  [[nodiscard]] std::size_t who(int side) const { return side == 0 ? first : 1 - first; }
};

// What a player answered; neither: the match is over.
struct Answer {
  std::optional<runtime::Move> move;
  std::string failure;
  bool resigned = false; // and that is why there is no move
};

class Match {
public:
  Match(std::shared_ptr<const runtime::Rules> rules, const Game& from, const MatchPlan& plan,
        const std::function<void(const MatchScore&)>& progress)
      : rules_(std::move(rules)), from_(from), plan_(plan), progress_(progress) {}

  MatchRun play() {
    runtime::ThreadGroup threads([this] { over_ = true; });
    for (int k = 1; k < plan_.jobs; ++k) // where the system gives no more, it takes longer
      if (!threads.start([this] { work({}); })) break;
    work(plan_.running);
    threads.join();
    run_.stopped = stopped();
    return std::move(run_);
  }

private:
  [[nodiscard]] bool stopped() const { return plan_.stop != nullptr && plan_.stop->load(); }
  [[nodiscard]] Players players_of(std::uint64_t game, Players& kept) const;
  void work(Players kept);
  bool play_pair(std::uint64_t pair, Players& kept);
  std::optional<GameResult> play_game(Game game, Table& table);
  Answer ask(const Game& game, Table& table);
  bool play(Game& game, runtime::Move move, Table& table);
  bool finish(Table& table, const runtime::Outcome& outcome, std::string reason);
  bool note(std::size_t who, const std::string& failure);
  bool begin_record(const Game& opening, Table& table);
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
  std::array<int, 2> in_a_row_{}; // failures
};

// New ones for every game: what they have drawn before must not depend on which thread plays it. Other
// programs run on: each thread has its own.
Players Match::players_of(std::uint64_t game, Players& kept) const {
  Players players = kept;
  for (std::size_t k = 0; k < players.size(); ++k) {
    if (players[k]) continue;
    const std::uint64_t seed = runtime::chain(runtime::chain(plan_.seed, game), k);
    if (auto made = make_opponent(plan_.players[k], rules_, {seed, 1, plan_.weights, plan_.game, false}))
      players[k] = std::move(*made);
    if (is_external(plan_.players[k])) kept[k] = players[k];
  }
  return players;
}

// Whatever is asked of the rules meanwhile hears who stops it.
void Match::work(Players kept) {
  runtime::Meter meter =
      plan_.stop != nullptr ? runtime::Meter::without_limit(*plan_.stop) : runtime::Meter::without_limit();
  const runtime::Meter::Use use(&meter);
  while (!over_ && !stopped()) {
    const std::uint64_t pair = next_.fetch_add(1);
    if (pair >= plan_.pairs || !play_pair(plan_.first_pair + pair, kept)) return;
  }
}

bool Match::play_pair(std::uint64_t pair, Players& kept) {
  const auto opening =
      drawn_opening(from_, plan_.opening_plies, runtime::chain(runtime::mix(plan_.seed), pair));
  if (!opening) return fail("the opening", from_, opening.error()), false;
  std::array<GameResult, 2> games;
  std::array<Spent, 2> spent;
  for (std::size_t first = 0; first < games.size(); ++first) {
    Table table{players_of(2 * pair + first, kept), first, spent, {}};
    table.played.round = fmt::format("{}.{}", pair + 1, first + 1);
    if (!begin_record(*opening, table)) return false;
    const auto game = play_game(*opening, table);
    if (!game) return false;
    games[first] = *game;
  }
  count(games, spent);
  return true;
}

bool Match::begin_record(const Game& opening, Table& table) {
  if (!plan_.record) return true;
  auto past = past_of(opening);
  if (!past) return fail("the opening", opening, past.error()), false;
  for (std::size_t i = 0; i < past->moves.size(); ++i)
    table.played.moves.emplace_back(past->players[i], std::move(past->moves[i]));
  table.played.opening = table.played.moves.size();
  for (const int side : {0, 1})
    table.played.players[static_cast<std::size_t>(side)] = plan_.players[table.who(side)];
  return true;
}

// Nothing: a fault, or the match is stopped.
std::optional<GameResult> Match::play_game(Game game, Table& table) {
  GameResult result;
  const auto ended = [&](const runtime::Outcome& outcome, std::string reason) {
    return finish(table, outcome, std::move(reason)) ? std::optional(result) : std::nullopt;
  };
  for (;; ++result.plies) {
    const auto outcome = game.outcome();
    if (!outcome) return fail("", game, outcome.error()), std::nullopt;
    if (*outcome) {
      result.result = runtime::result_of(**outcome);
      return ended(**outcome, "");
    }
    if (result.plies >= static_cast<std::uint64_t>(plan_.max_plies))
      return ended({}, fmt::format("cut off after {} moves", plan_.max_plies));
    const Answer answer = ask(game, table);
    if (!answer.failure.empty()) {
      runtime::Outcome lost;
      lost.winners = 2U >> static_cast<unsigned>(game.to_move());
      result.result = lost.winners;
      const bool goes_on = answer.resigned || note(table.who(game.to_move()), answer.failure);
      const auto lost_game = ended(lost, answer.failure);
      return goes_on ? lost_game : std::nullopt;
    }
    if (!answer.move || !play(game, *answer.move, table)) return std::nullopt;
  }
}

Answer Match::ask(const Game& game, Table& table) {
  const std::size_t who = table.who(game.to_move());
  Player& player = *table.players[who];
  runtime::search::ThinkLimits limits;
  limits.stop = plan_.stop;
  if (plan_.nodes) limits.most_nodes = *plan_.nodes;
  const auto begin = std::chrono::steady_clock::now();
  const auto cpu_begin = runtime::search::cpu_now();
  if (plan_.milliseconds && plan_.cpu_time) limits.cpu_time = std::chrono::milliseconds(*plan_.milliseconds);
  if (plan_.milliseconds && !plan_.cpu_time)
    limits.deadline = begin + std::chrono::milliseconds(*plan_.milliseconds);
  const auto thought = player.think(game, limits);
  const std::chrono::duration<double> took = counts_cpu_time(plan_, who)
                                                 ? runtime::search::cpu_now() - cpu_begin
                                                 : std::chrono::steady_clock::now() - begin;
  if (stopped() || over_) return {};
  if (!thought || !thought->move) {
    if (has_resigned(player)) return {std::nullopt, "resigned", true};
    if (auto failure = failure_of(player); !failure.empty()) return {std::nullopt, std::move(failure)};
    fail(plan_.players[who], game, thought ? Fault{"no move was found", 0} : thought.error());
    return {};
  }
  Spent& spent = table.spent[who];
  ++spent.moves;
  spent.nodes += thought->nodes;
  spent.seconds += took.count();
  spent.longest = std::max(spent.longest, took.count());
  return {thought->move, ""};
}

bool Match::play(Game& game, runtime::Move move, Table& table) {
  const std::string& name = plan_.players[table.who(game.to_move())];
  if (plan_.record) {
    auto text = runtime::spelling(game, move);
    if (!text) return fail(name, game, text.error()), false;
    table.played.moves.emplace_back(game.to_move(), std::move(*text));
  }
  const auto played = game.play(move);
  if (!played) fail(name, game, played.error());
  return played.has_value();
}

// A game is over; false: so is the match.
bool Match::finish(Table& table, const runtime::Outcome& outcome, std::string reason) {
  const std::lock_guard lock(mutex_);
  for (std::size_t k = 0; k < in_a_row_.size(); ++k)
    if (failure_of(*table.players[k]).empty()) in_a_row_[k] = 0;
  if (!plan_.record) return true;
  table.played.outcome = outcome;
  table.played.reason = std::move(reason);
  std::string wrong = plan_.record(table.played);
  if (wrong.empty()) return true;
  if (run_.unrecorded.empty()) run_.unrecorded = std::move(wrong);
  over_ = true;
  return false;
}

// A player failed; false: too often.
bool Match::note(std::size_t who, const std::string& failure) {
  const std::lock_guard lock(mutex_);
  ++run_.score.failures[who];
  run_.score.last_failure[who] = failure;
  if (++in_a_row_[who] < kMostFailures) return true;
  run_.given_up = who;
  over_ = true;
  return false;
}

void Match::fail(const std::string& player, const Game& game, Fault fault) {
  if (stopped()) return; // that may be why
  const std::lock_guard lock(mutex_);
  if (!run_.fault) run_.fault = {player, std::move(fault), game.position()};
  over_ = true;
}

// Half points have places of their own.
void count_pair(double points, MatchScore& score) {
  const double halves = 2 * points;
  if (halves == std::floor(halves))
    ++score.pairs[static_cast<std::size_t>(halves)];
  else
    ++score.odd_pairs[points];
}

// In the first game of a pair the first player is player 0 of the rules, in the second the other way round.
void Match::count(const std::array<GameResult, 2>& games, const std::array<Spent, 2>& spent) {
  const std::lock_guard lock(mutex_);
  MatchScore& score = run_.score;
  double points = 0; // of the first player
  for (std::size_t k = 0; k < games.size(); ++k) {
    const runtime::Result result = games[k].result.value_or(0);
    const std::uint32_t winners = runtime::who_have_most(result) & 3U;
    ++score.games;
    score.plies += games[k].plies;
    if (!games[k].result) ++score.cut_off;
    if (runtime::is_shared(result)) ++score.shared;
    points += static_cast<double>(runtime::share(result, static_cast<int>(k), 2));
    if (winners == 0 || winners == 3) {
      ++score.draws;
      continue;
    }
    const std::size_t side = winners == 1 ? 0 : 1, winner = side == 0 ? k : 1 - k;
    ++score.side_wins[side];
    ++score.wins[winner];
  }
  count_pair(points, score);
  for (std::size_t k = 0; k < spent.size(); ++k) add_spent(spent[k], score.spent[k]);
  if (plan_.sprt && verdict_of(score.pairs, *plan_.sprt, score.odd_pairs) != Verdict::unknown) over_ = true;
  if (progress_) progress_(score);
}

} // namespace

bool counts_cpu_time(const MatchPlan& plan, std::size_t player) {
  return plan.cpu_time && !is_external(plan.players[player]);
}

MatchRun play_match(const std::shared_ptr<const runtime::Rules>& rules, const Game& from,
                    const MatchPlan& plan, const std::function<void(const MatchScore&)>& progress) {
  return Match(rules, from, plan, progress).play();
}

void add_score(const MatchScore& part, MatchScore& total) {
  for (std::size_t k = 0; k < total.pairs.size(); ++k) total.pairs[k] += part.pairs[k];
  for (const auto& [points, pairs] : part.odd_pairs) total.odd_pairs[points] += pairs;
  total.games += part.games;
  total.shared += part.shared;
  total.draws += part.draws;
  total.cut_off += part.cut_off;
  total.plies += part.plies;
  for (std::size_t k = 0; k < 2; ++k) {
    total.wins[k] += part.wins[k];
    total.side_wins[k] += part.side_wins[k];
    total.failures[k] += part.failures[k];
    if (part.failures[k] > 0) total.last_failure[k] = part.last_failure[k];
    add_spent(part.spent[k], total.spent[k]);
  }
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
      const auto drawn = game.draw(random);
      if (!drawn || !*drawn) return tl::unexpected(drawn ? Fault{"no move was found", 0} : drawn.error());
      if (const auto played = game.play(**drawn); !played) return tl::unexpected(played.error());
    }
    const auto outcome = game.outcome();
    if (!outcome) return tl::unexpected(outcome.error());
    if (!*outcome) return game;
    if (draw % 4 == 3) --plies; // games as short as that end before it
  }
  return from;
}

} // namespace boardwright::tools
