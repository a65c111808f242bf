#include "runtime/search/leaf_games.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::search {

namespace {

// The judge is asked from so many positions on, if games are decided by pieces to such a degree …
constexpr std::uint64_t kPositionsToKnow = 200;
constexpr double kSkillToJudge = 0.15;
// … or if games are so long, or so many of them are given up: few could be played.
constexpr double kManyPlies = 250;
constexpr double kGivenUp = 0.25;
// Where a position has thousands of moves a single one takes as long as a game elsewhere. So many moves are
// found in a game, and in one that is judged, at the most; and that is asked when so many more were found.
constexpr std::uint64_t kMostMovesOfGame = 300'000, kMostMovesJudged = 50'000;
constexpr std::uint64_t kMovesBetweenLooks = 8'192;
// Of a judged search, the part of the plies that is spent on games that are played to the end.
constexpr std::uint64_t kPartForLearning = 5;
// A judge that hasn't got the skill by then won't get it: nobody looks any more.
constexpr std::uint64_t kPositionsToGiveUp = 3000;
// A look at the clock every so many plies: some ten microseconds in most games.
constexpr std::uint32_t kPliesBetweenLooks = 128;
// Nothing is known of the first plies.
constexpr std::uint32_t kFirstStep = 8;
// Positions of one game are much the same for the judge: the first ones will do.
constexpr std::size_t kMostSeen = 4;
constexpr double kMeanOf = 100; // games

} // namespace

LeafGames::LeafGames(std::shared_ptr<const Rules> rules, const LeafGamesOptions& options)
    : options_(options), players_(static_cast<int>(rules->program().players.size())), player_(rules),
      judge_(rules->program()), seen_(kMostSeen) {
  if (players_ < 2) options_.judging = Judging::never;
}

bool LeafGames::judges() const {
  if (options_.judging != Judging::if_it_pays) return options_.judging == Judging::always;
  if (ended_ > 0 && (mean_plies_ >= kManyPlies || given_up_ >= kGivenUp)) return true;
  return judge_.positions() >= kPositionsToKnow && judge_.skill() >= kSkillToJudge;
}

bool LeafGames::plays_to_end() const {
  return !judges() || plies_to_end_ * kPartForLearning <= plies_judged_;
}

void LeafGames::note_length(bool ended) {
  ++ended_;
  plies_to_end_ += plies_;
  const double part = 1 / std::min(kMeanOf, static_cast<double>(ended_));
  mean_plies_ += (plies_ - mean_plies_) * part;
  given_up_ += ((ended ? 0 : 1) - given_up_) * part;
  if (!ended) ++cut_off;
}

void LeafGames::look() {
  if (seen_count_ < seen_.size()) player_.count_pieces(seen_[seen_count_++]);
}

void LeafGames::learn(const Scores& result) {
  for (std::size_t k = 0; k < seen_count_; ++k) judge_.learn(seen_[k], result);
}

// Plies until the clock is asked again: fewer where a ply has many moves, to go by the last ones.
std::uint32_t LeafGames::step(std::uint32_t last_plies, std::uint64_t last_moves) const {
  if (last_plies == 0) return kFirstStep;
  const std::uint64_t most = kMovesBetweenLooks * last_plies / std::max<std::uint64_t>(last_moves, 1);
  const auto plies = std::min<std::uint64_t>(most, 4 * std::uint64_t{last_plies});
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(plies, 1, kPliesBetweenLooks));
}

// Goes on until the game is over, or as long as is allowed. Positions are looked at after every `seen_every`.
LeafGames::End LeafGames::play_on(std::uint32_t most_plies, std::uint64_t most_moves,
                                  std::uint32_t seen_every, Random& random,
                                  const std::function<bool()>& over) {
  std::uint32_t next_seen = seen_every, last_plies = 0;
  std::uint64_t moves = 0, last_moves = 0;
  while (plies_ < most_plies && moves < most_moves) {
    const std::uint32_t plies =
        std::min({step(last_plies, last_moves), most_plies - plies_, next_seen - plies_});
    const auto played = player_.play_on(random, plies);
    if (!played) return over() ? End::no_time : End::fault;
    plies_ += last_plies = played->plies;
    moves += last_moves = played->moves;
    if (played->outcome) {
      result_ = scores_of(result_of(*played->outcome), players_);
      return End::result;
    }
    if (last_plies == 0) return End::fault; // nobody can move, and nobody says who has won
    if (plies_ == next_seen) {
      look();
      next_seen += seen_every;
    }
    if (over()) return End::no_time;
  }
  return End::cut_off;
}

std::optional<Scores> LeafGames::play(const Game& game, Random& random, const std::function<bool()>& over) {
  if (!player_.begin_with(game)) return scores_of(0, players_);
  plies_ = 0;
  seen_count_ = 0;
  ++games;
  const bool to_end = plays_to_end();
  const bool learns =
      options_.judging != Judging::never && (judges() || judge_.positions() < kPositionsToGiveUp);
  const End end = play_on(to_end ? options_.most_plies : options_.judged_plies,
                          to_end ? kMostMovesOfGame : kMostMovesJudged,
                          learns ? options_.judged_plies : options_.most_plies, random, over);
  if (end == End::no_time) return std::nullopt;
  if (end == End::fault) return scores_of(0, players_);
  if (to_end) note_length(end == End::result);
  if (end == End::result) {
    if (to_end) learn(result_);
    return result_;
  }
  if (!to_end) {
    ++judged;
    plies_judged_ += plies_;
  }
  if (!learns) return scores_of(0, players_);
  player_.count_pieces(seen_.front());
  return judge_.chances(seen_.front());
}

} // namespace boardwright::runtime::search
