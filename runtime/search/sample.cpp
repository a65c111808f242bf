#include "runtime/search/sample.hpp"

#include "runtime/model/random.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::search {

namespace {

// Positions in which it is counted how many moves take something: each of them is played for it.
constexpr std::uint64_t kMostMovesPlayed = 200;

class Sampler {
public:
  Sampler(const std::shared_ptr<const Rules>& rules, const SampleOptions& options)
      : rules_(rules), options_(options), random_(mix(options.seed)) {
    limits_.most_moves = options.most_moves;
  }

  Sample run() {
    for (int g = 0; g < options_.games; ++g) play();
    const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
    sample_.moves = share(moves_, static_cast<double>(sample_.seen));
    sample_.plies = share(plies_, options_.games);
    sample_.decisive = share(decided_, finished_);
    sample_.finished = share(finished_, options_.games);
    sample_.captures = share(taking_, asked_);
    sample_.forced = share(forced_, judged_);
    sample_.filling = share(filling_, asked_);
    return std::move(sample_);
  }

private:
  void play() {
    Game game(rules_);
    std::vector<Position> last; // of this game
    for (int ply = 0; ply < options_.most_plies; ++ply) {
      const auto moves = game.moves(limits_);
      if (!moves) return;
      const auto outcome = game.outcome();
      if (!outcome) return;
      if (outcome->has_value()) {
        finished_ += 1;
        decided_ += (*outcome)->winners != 0 ? 1 : 0;
        break;
      }
      if (!moves->complete()) {
        sample_.wide = true;
        break;
      }
      ++sample_.seen;
      moves_ += static_cast<double>(moves->size());
      if (ply % options_.apart == options_.apart - 1) sample_.positions.push_back(game.position());
      last.push_back(game.position());
      if (last.size() > 2) last.erase(last.begin());
      const std::size_t size = moves->size();
      const auto drawn = game.draw(random_);
      if (!drawn || !*drawn) return;
      const Move move = **drawn;
      if (!count_captures(game, move, size) || !game.play(move)) return;
      plies_ += 1;
      filling_ += pieces_of(game.position()) > pieces_of(last.back()) ? 1 : 0;
    }
    std::move(last.begin(), last.end(), std::back_inserter(sample_.positions));
  }

  static std::size_t pieces_of(const Position& position) {
    std::size_t pieces = 0;
    for (const Stack& stack : position.cells) pieces += stack.size();
    return pieces;
  }

  bool count_captures(Game& game, const Move& move, std::uint64_t size) {
    const auto takes = game.captures(move);
    if (!takes) return false;
    asked_ += 1;
    taking_ += *takes ? 1 : 0;
    if (size > kMostMovesPlayed) return true;
    judged_ += 1;
    if (!*takes) return true; // else it may be that all of them do
    std::vector<Move> quiet;
    const auto complete = game.append_moves(Stage::rest, quiet, limits_);
    if (!complete) return false;
    forced_ += quiet.empty() ? 1 : 0;
    return true;
  }

  std::shared_ptr<const Rules> rules_;
  SampleOptions options_;
  Random random_;
  ListLimits limits_;
  Sample sample_;
  double moves_ = 0, plies_ = 0, finished_ = 0, decided_ = 0, taking_ = 0, asked_ = 0, forced_ = 0,
         judged_ = 0, filling_ = 0;
};

} // namespace

Sample sample_games(const std::shared_ptr<const Rules>& rules, const SampleOptions& options) {
  return Sampler(rules, options).run();
}

} // namespace boardwright::runtime::search
