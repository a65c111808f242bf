#include "runtime/examine/survey.hpp"

#include "runtime/examine/walked.hpp"
#include "runtime/model/random.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>

namespace boardwright::runtime {
namespace {

// The walker goes through every position of so many plies of the first game, then through one of so many.
constexpr int kAllOfFirst = 12;
constexpr std::uint64_t kOneOf = 7;
// Positions that tests show were chosen by the author, and are few.
constexpr WalkBudget kAnyNumber{std::numeric_limits<std::uint64_t>::max(),
                                std::numeric_limits<std::uint64_t>::max()};
// Of a position with more moves than this only so many are listed, and their notations are not compared.
constexpr std::uint64_t kMostMoves = 2000;
// Moves that change nothing which are kept: some may do so by chance.
constexpr std::size_t kMostUnchanging = 8;

class Surveying {
public:
  Surveying(std::shared_ptr<const Rules> rules, const SurveyOptions& options)
      : rules_(std::move(rules)), options_(options), found_(walked_program()),
        walked_(walked_program(), {static_cast<std::uint64_t>(options.positions), options.walk_steps}) {
    found_.wins.resize(program().players.size());
    found_.moved.resize(program().players.size());
  }

  Survey run() {
    Walked shown(walked_program(), kAnyNumber);
    for (const Position& position : options_.shown) shown.add(position, {});
    found_.trace.add(shown.trace());
    for (int game = 0; game < options_.games && goes_on(); ++game) {
      random_ = Random(chain(options_.seed, static_cast<std::uint64_t>(game)));
      play(game);
      if (found_.plies == 0) break; // no other game is another
    }
    found_.trace.add(walked_.trace());
    found_.positions = walked_.positions();
    return std::move(found_);
  }

private:
  [[nodiscard]] const Program& program() const { return rules_->program(); }
  [[nodiscard]] const Program& walked_program() const {
    return options_.walked == nullptr ? program() : *options_.walked;
  }
  [[nodiscard]] bool goes_on() {
    found_.stopped = options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
    return !found_.stopped && !found_.fault && found_.plies < options_.plies && listed_ < options_.listed;
  }

  void play(int number) {
    Game game(rules_);
    line_.clear();
    past_.clear();
    ListLimits limits;
    limits.most_moves = kMostMoves;
    for (int ply = 0; goes_on(); ++ply) {
      const Position position = game.position();
      const bool looked = looked_at(number, ply);
      if (looked) walk(position);
      const auto moves = game.moves(limits);
      if (!moves) return fault(moves.error(), position);
      listed_ += moves->size();
      if (moves->size() >= kMostMoves && !listed_whole_) { // are there more than can be listed at all?
        listed_whole_ = true;
        if (const auto all = game.moves(); !all) return fault(all.error(), position);
      }
      if (looked && !found_.ambiguous) note_ambiguous(game, *moves, position);
      if (number == 0 && ply == 0) found_.opening_moves = moves->size();
      if (moves->empty()) { // over, or else there is no move and the game is drawn
        const auto outcome = game.outcome();
        if (!outcome) return fault(outcome.error(), position);
        if (*outcome) return end(**outcome, position);
        break;
      }
      if (ply == options_.max_plies) break;
      if (!step(game, *moves, position)) return;
    }
    ++found_.games;
    ++found_.unfinished;
  }

  bool step(Game& game, const MoveList& moves, const Position& before) {
    const Move move = moves[random_.below(moves.size())];
    auto notation = game.notation(move);
    if (!notation) return fault(notation.error(), before), false;
    if (const auto played = game.play(move); !played) return fault(played.error(), before), false;
    ++found_.plies;
    ++found_.moved[static_cast<std::size_t>(before.to_move)];
    note_unchanging(before, game.position(), *notation);
    line_.push_back(std::move(*notation));
    past_.push_back(before);
    return true;
  }

  void note_unchanging(const Position& before, const Position& after, const std::string& notation) {
    if (before.cells != after.cells || before.hands != after.hands || before.variables != after.variables ||
        before.out != after.out)
      return;
    auto& kept = found_.unchanging;
    const auto same = [&](const MoveSeen& seen) { return seen.notation == notation; };
    if (kept.size() < kMostUnchanging && std::none_of(kept.begin(), kept.end(), same))
      kept.push_back({notation, {before, line_}});
  }

  // Two moves that are written alike can't be told apart by who has to type one.
  void note_ambiguous(Game& game, const MoveList& moves, const Position& position) {
    if (moves.size() >= kMostMoves) return;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const auto notation = game.notation(moves[i]);
      if (!notation) return;
      if (!seen.insert(*notation).second) found_.ambiguous = MoveSeen{*notation, {position, line_}};
    }
  }

  void end(const Outcome& outcome, const Position& position) {
    walk(position); // so that every end line that decided a game has been asked
    ++found_.games;
    ++found_.ends[{outcome.origin, outcome.by}];
    found_.draws += outcome.winners == 0 ? 1 : 0;
    for (std::size_t player = 0; player < found_.wins.size(); ++player)
      found_.wins[player] += outcome.winners >> player & 1;
  }

  void fault(const Fault& fault, const Position& position) {
    found_.fault = FaultSeen{fault, {position, line_}};
  }

  bool looked_at(int game, int ply) {
    if (game == 0 && ply < kAllOfFirst) return true;
    return random_.below(kOneOf) == 0;
  }

  void walk(const Position& position) { walked_.add(position, past_); }

  std::shared_ptr<const Rules> rules_;
  SurveyOptions options_;
  Survey found_;
  Random random_{0};
  Walked walked_;
  std::uint64_t listed_ = 0;  // moves
  bool listed_whole_ = false; // a position of more than kMostMoves
  std::vector<std::string> line_;
  std::vector<Position> past_;
};

} // namespace

Survey survey(const std::shared_ptr<const Rules>& rules, const SurveyOptions& options) {
  return Surveying(rules, options).run();
}

} // namespace boardwright::runtime
