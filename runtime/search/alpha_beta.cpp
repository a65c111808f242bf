#include "runtime/search/alpha_beta.hpp"

#include "runtime/game/for_search.hpp"
#include "runtime/game/inspect.hpp"
#include "runtime/game/thread_group.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/model/random.hpp"
#include "runtime/model/shares.hpp"
#include "runtime/search/evaluation.hpp"
#include "runtime/search/goals.hpp"
#include "runtime/search/long_lists.hpp"
#include "runtime/search/move_order.hpp"
#include "runtime/search/pace.hpp"
#include "runtime/search/pruning.hpp"
#include "runtime/search/stopwatch.hpp"
#include "runtime/search/transpositions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

namespace boardwright::runtime::search {

namespace {

// What a piece is worth in this game, as evaluations count: the mean of all kinds; a unit where none is worth
// anything.
double piece_worth(const std::vector<std::int32_t>& worth) {
  double sum = 0, kinds = 0;
  for (const std::int32_t w : worth)
    if (w > 0) sum += w, ++kinds;
  return kinds == 0 ? Evaluation::kUnit : sum / kinds;
}

// On the account of the command, beside what positions take: to judge and to look up, and to put moves in
// order, the first of them or all.
constexpr std::uint64_t kStepsOfNode = 600, kStepsOfOrdering = 20, kStepsOfSorting = 60;
constexpr int kWin = 1 << 24;         // less the plies to it
constexpr int kSurely = kWin - 10000; // from here on a result is proven
constexpr int kNever = kWin + 1;
constexpr int kUnknown = kNever + 1;
constexpr int kComplete = 10000; // the depth of what depends on no judgement

// Lines that are longer than this are judged where they stand: the stack of calls must end somewhere.
constexpr int kMostPlies = 240;
// Lists of more moves are searched as far as they go.
constexpr std::uint64_t kMostMoves = 50'000;
// Plies of captures beyond the depth: the more there is to capture, the fewer.
constexpr int kMostCaptures = 10, kFewestCaptures = 2;
constexpr double kCapturesInAll = 1.5;
// What a capture may gain besides the pieces that it takes, as places and moves count.
constexpr int kMostBesides = Evaluation::kUnit / 2;
// Where random games are so often forced to capture, captures are the game itself, and quiescence never ends.
constexpr double kMostForced = 0.5;

// More rarely than this there is only by accident nothing but captures.
constexpr double kFewForced = 0.03;

// Where fewer of the moves of random games take something, what decides is something else, such as patterns
// and ways that no value of a position tells: there nothing is left out. (Of games that are decided so 0 to
// 1 % are; of others 3 % and more.)
constexpr double kRareCaptures = 0.02;

// Moves are tried in this order; within a rank those of the greatest order come first.
enum class Rank : std::uint8_t { bad_capture, quiet, counter, second_killer, killer, capture, known };

// So often a position that isn't searched, of those near the margin, would have turned out worse than need
// be, and a move better.
constexpr double kRiskOfPosition = 1.0 / 16, kRiskOfMove = 1.0 / 64;
// Positions without a known move are searched a ply less from this depth on.
constexpr int kReducedWithoutMove = 4;

struct Entry { // a move that is to be looked at
  std::uint32_t index = 0;
  MoveLabel label = 0;
  Rank rank = Rank::quiet;
  std::int32_t order = 0;
  std::int32_t gain = 0; // of a capture
};

bool is_before(const Entry& a, const Entry& b) {
  return a.rank != b.rank ? a.rank > b.rank : a.order != b.order ? a.order > b.order : a.index < b.index;
}

// Captures that were as bad as this elsewhere, of MoveOrder::kMost, come behind all others. (All that put
// more at risk than they take there, unless they were good, make more cutoffs by the first move, and gain
// nothing.)
constexpr int kBadCapture = -3000;
// At the end of a line those that are as bad as this aren't looked at, but now and then, so that it is
// noticed when they are good again.
constexpr int kHopelessCapture = -8000;
constexpr std::uint64_t kOneOfHopeless = 16;
// Of captures that gain the same that with the least of one's own comes first.
constexpr int kShareOfRisk = 16;
// What capture history may add to a capture's gain: its greatest value is worth two units.
constexpr int kGainOfHistory = MoveOrder::kMost / (2 * Evaluation::kUnit);

// How well moves are put in order: told where AlphaBetaOptions::counts asks for it.
struct SearchCounts {
  std::uint64_t inner = 0, ends = 0; // positions: with depth left, and at the ends of lines
  std::uint64_t cutoffs = 0, first_cutoffs = 0, skips = 0;
  void cut_off(bool first) { ++cutoffs, first_cutoffs += first ? 1 : 0; }
  [[nodiscard]] std::string text() const {
    return fmt::format("{} positions with depth left, {} at the ends of lines; of {} cutoffs {:.1f} % by the "
                       "first move; {} left out since a turn could be skipped",
                       inner, ends, cutoffs,
                       100.0 * static_cast<double>(first_cutoffs) /
                           static_cast<double>(std::max<std::uint64_t>(cutoffs, 1)),
                       skips);
  }
};

// Scores as chances, of which a mean can be taken; and back, not beyond what isn't proven.
double as_chance(int score) { return score >= kSurely ? 1 : score <= -kSurely ? 0 : chance_of(score); }
int as_score(double chance) {
  constexpr double kLeast = 1e-9;
  const double p = std::clamp(chance, kLeast, 1 - kLeast);
  return static_cast<int>(std::lround(Evaluation::kUnit * std::log(p / (1 - p))));
}
// The nearest score that isn't above the chance, or isn't below it: bounds are rounded so that nothing is
// lost. What no chance can be is no bound.
int bound_below(double chance) { return chance <= 0 ? -kNever : as_score(chance) - 1; }
int bound_above(double chance) { return chance >= 1 ? kNever : as_score(chance) + 1; }

struct Judged {
  int score = 0;         // for the side to move
  bool complete = false; // nothing in it was judged or taken for a draw because it came again
};

// One thread of a search, with all that it keeps for itself from one thought to the next: everything but the
// table. Number 0 answers, the others help it.
class AlphaBeta {
public:
  AlphaBeta(std::shared_ptr<const Features> features, const AlphaBetaOptions& options, Transpositions& table,
            int number)
      : features_(std::move(features)), options_(options), number_(number),
        evaluation_(features_, options.judgement), worth_(evaluation_.worth_of_pieces()), table_(table),
        plies_(kMostPlies + kMostCaptures + 2) {
    const Program& program = features_->rules().program();
    players_ = program.player_count();
    repetition_ = repetition_of(program);
    timed_ = asks_for_time(program);
    rolls_ = program.chance.has_value();
    const Sample& sample = features_->sample();
    captures_ = sample.captures > 0;
    if (captures_)
      most_captures_ =
          std::clamp(static_cast<int>(kCapturesInAll / sample.captures), kFewestCaptures, kMostCaptures);
    forces_ = sample.forced > kFewForced;
    wide_ = sample.wide;
    long_lists_ = has_long_lists(wide_, sample.moves, worth_);
    reverse_ = margins_of(piece_worth(worth_), kRiskOfPosition);
    futile_ = margins_of(piece_worth(worth_), kRiskOfMove);
    quiescence_ = options.quiescence && captures_ && sample.forced < kMostForced && !long_lists_;
    prunes_ = quiescence_ && !forces_ && sample.captures > kRareCaptures;
    skips_ = prunes_ && players_ == 2 && !rolls_ && uses(Technique::skip);
  }

  tl::expected<Thought, Fault> think(const Game& game, const ThinkLimits& limits,
                                     const OnThought& on_thought);
  // Positions of this thought, or of the last one; other threads may ask.
  void forget_nodes() { nodes_.store(0, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

private:
  struct Ply {
    std::vector<Entry> entries;
    std::size_t sorted = 0; // so many of them stand where they belong
    std::vector<Capture> captures;
    std::vector<std::uint64_t> labels;
    std::array<MoveLabel, 2> killers{};
    std::vector<std::uint32_t> line; // by index
    int stand = kUnknown;            // as the position is judged, where it was
    bool doubts_move = false;        // likewise a move
    bool in_doubt = false;           // searched to see whether it might have been left out
    bool skipped = false;            // its turn: no move is looked at, but what comes if there is none
    bool skips_no_turn = false;      // looked at to see whether the turn may be skipped
    MoveLabel played = 0;            // the move that is being looked at
    MoveLabel best = 0;              // the first of the line
    std::uint32_t best_index = Known::kNoMove;
    std::vector<MoveLabel> tried; // and weren't good enough
  };

  Judged search(int depth, int ply, int alpha, int beta);
  [[nodiscard]] std::optional<Judged> judge_without_list(int ply, int beta);
  [[nodiscard]] std::optional<Judged> stand_pat(int depth, int ply, int beta);
  [[nodiscard]] bool is_good_if_skipped(int depth, int ply, int beta);
  [[nodiscard]] int score_if_skipped(int depth, int ply, int beta);
  [[nodiscard]] bool is_futile(const Entry& entry, std::size_t number, int depth, int ply, int alpha,
                               Judged& best);
  [[nodiscard]] int reduction_of(int depth, std::size_t number, const Entry& entry, bool open) const;
  Judged quiesce(int depth, int ply, int alpha, int beta, const MoveList& moves, std::uint32_t known);
  Judged mean_of_rolls(int depth, int ply, int alpha, int beta);
  Judged try_moves(int depth, int ply, int alpha, int beta, const MoveList& moves, const Entry& known);
  Judged follow(const Move& move, int depth, int ply, int alpha, int beta);
  Judged look(const Move& move, int depth, int reduction, int ply, int alpha, int beta, bool first);
  bool order_moves(int depth, int ply, const MoveList& moves, std::uint32_t known);
  [[nodiscard]] const Entry& entry_at(int ply, std::size_t k);
  bool label_moves(int depth, int ply, const MoveList& moves);
  void rank_capture(Entry& entry, const Capture& capture, std::uint64_t label, int bad);
  void rank(Entry& entry, int ply, MovesBefore before, MoveLabel counter);
  bool sort_captures(int ply, int least, std::uint32_t known);
  void search_root(int depth, const MoveList& moves, Thought& thought);
  void tell(int depth, int score, const Move& move, bool complete, Thought& thought);
  void write_line(Thought& thought);
  bool write_known(Thought& thought, const ListLimits& soon, int ply);
  [[nodiscard]] bool keeps_score(const ListLimits& soon, int ply, int mover, int depth);
  void store(std::uint64_t key, int depth, int ply, Judged result, int alpha, int beta);
  void reward(int ply, MoveLabel label, int depth);
  [[nodiscard]] std::optional<Judged> recall(const Known& known, int depth, int ply, int alpha,
                                             int beta) const;
  [[nodiscard]] static int score_at(const Known& known, int ply) {
    return known.score >= kSurely    ? known.score - ply
           : known.score <= -kSurely ? known.score + ply
                                     : known.score;
  }

  [[nodiscard]] int side(int player) const { return players_ <= 2 ? player : player == root_player_ ? 0 : 1; }
  [[nodiscard]] int score_of(const Outcome& outcome, int ply) const;
  [[nodiscard]] int judge() {
    const int value = evaluation_.of(*game_, players_ <= 2 ? game_->to_move() : root_player_, moves_);
    return players_ > 2 && game_->to_move() != root_player_ ? -value : value;
  }
  [[nodiscard]] std::uint64_t key(int ply) const {
    std::uint64_t k = game_->key();
    if (timed_) k = chain(k, static_cast<std::uint64_t>(root_ply_ + ply));
    if (players_ > 2) k = chain(k, static_cast<std::uint64_t>(root_player_));
    return k;
  }
  [[nodiscard]] bool uses(Technique which) const { return options_.techniques.has(which); }
  [[nodiscard]] Ply& at(int ply) { return plies_[static_cast<std::size_t>(ply)]; }
  [[nodiscard]] bool may_skip(int ply) {
    return ply > 0 && !at(ply).in_doubt && !at(ply).skips_no_turn && !at(ply - 1).skipped;
  }
  [[nodiscard]] MovesBefore before(int ply) {
    if (!uses(Technique::continuation)) return {};
    return {ply > 0 ? at(ply - 1).played : 0, ply > 1 ? at(ply - 2).played : 0};
  }
  Judged stop() {
    stopped_ = true;
    return {};
  }
  Judged fail(const Fault& fault) {
    const bool given_up = Patience{limits_.stop, nullptr, limits_.deadline}.is_over();
    skip_failed_ = !given_up && skips_in_line_ > 0;
    if (!fault_ && !given_up && !skip_failed_) fault_ = fault;
    return stop();
  }
  [[nodiscard]] bool over();
  void bound_lists(int share);

  std::shared_ptr<const Features> features_;
  AlphaBetaOptions options_;
  int number_;
  Evaluation evaluation_;
  std::vector<std::int32_t> worth_; // by the piece's code
  Transpositions& table_;
  int players_ = 0;
  Repetition repetition_ = Repetition::unsaid;
  bool rolls_ = false; // does nature move in this game?
  bool timed_ = false, captures_ = false, forces_ = false, quiescence_ = false, prunes_ = false,
       long_lists_ = false, wide_ = false;
  int most_captures_ = kMostCaptures;
  Margins reverse_, futile_;
  Reliance skipping_{kRiskOfPosition};
  bool skips_ = false; // turns, to see what comes

  // Of one search:
  std::optional<Game> game_;
  ThinkLimits limits_;
  std::chrono::nanoseconds cpu_begin_{};
  ListLimits list_limits_;
  std::vector<Ply> plies_;
  MoveOrder order_;
  SearchCounts counts_;
  MoveCounts moves_{};
  std::atomic<std::uint64_t> nodes_ = 0; // only this thread writes it
  int root_player_ = 0, root_ply_ = 0, root_depth_ = 0, root_score_ = 0;
  bool stopped_ = false;
  int skips_in_line_ = 0;    // turns that were skipped on the way to the position that is looked at
  bool skip_failed_ = false; // a rule went wrong that never meets such a position
  std::optional<Fault> fault_;
  std::vector<std::uint32_t> root_order_;
  std::vector<MoveLabel> root_labels_; // by index; empty: not known
};

// Asking the clock takes a tenth of what a small position does; asking for CPU time is a call of the system.
bool AlphaBeta::over() {
  const std::uint64_t seen = nodes();
  if (seen > limits_.most_nodes) return true;
  if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed)) return true;
  if (limits_.cpu_time && seen % 16 == 0) {
    if (cpu_now() - cpu_begin_ >= *limits_.cpu_time) return true;
    if (wide_) bound_lists(1);
  }
  return limits_.deadline && seen % 4 == 0 && std::chrono::steady_clock::now() >= *limits_.deadline;
}

// A list may take what is left of the time, or a part of it. Of CPU time it takes no more than that by the
// clock, but only where a list may be very long: a busy machine would end other searches too soon.
void AlphaBeta::bound_lists(int share) {
  const auto now = std::chrono::steady_clock::now();
  list_limits_.deadline = limits_.deadline;
  if (limits_.deadline && share > 1) list_limits_.deadline = part_of_time(now, *limits_.deadline, share);
  if (!limits_.cpu_time || !wide_) return;
  const auto left = now + (*limits_.cpu_time - (cpu_now() - cpu_begin_)) / share;
  list_limits_.deadline = std::min(list_limits_.deadline.value_or(left), left);
}

// What a share is worth, as evaluations count it: of two players as a chance that is as great. Of more it
// lies between the same share for all, a draw, and the whole.
int score_of_share(double own, int players) {
  const double beyond = (players * own - 1) / (players - 1);
  constexpr double kNothing = 1e-6; // who has nothing of a shared game still hasn't lost it to another one
  const double chance = std::clamp((1 + beyond) / 2, kNothing, 1 - kNothing);
  return static_cast<int>(std::lround(Evaluation::kUnit * std::log(chance / (1 - chance))));
}

// For the side to move.
int AlphaBeta::score_of(const Outcome& outcome, int ply) const {
  const int mine = side(game_->to_move());
  if (outcome.shares != 0) {
    double first = 0; // what one side has is what the other one hasn't
    for (int p = 0; p < players_; ++p)
      if (side(p) == 0) first += static_cast<double>(share(outcome, p, players_));
    const int score = score_of_share(first, players_);
    return mine == 0 ? score : -score;
  }
  bool own = false, others = players_ == 1;
  for (int p = 0; p < players_; ++p)
    if ((outcome.winners >> p & 1) != 0) (side(p) == mine ? own : others) = true;
  if (players_ == 1) return own ? kWin - ply : ply - kWin;
  return own == others ? 0 : own ? kWin - ply : ply - kWin;
}

Judged AlphaBeta::search(int depth, int ply, int alpha, int beta) {
  nodes_.store(nodes() + 1, std::memory_order_relaxed);
  ++(depth > 0 ? counts_.inner : counts_.ends);
  Meter::charge(kStepsOfNode);
  plies_[static_cast<std::size_t>(ply)].line.clear();
  if (over()) return stop();
  // What is rolled brings positions back that nobody wants back, and ends that, too.
  if (!rolls_ && repetition_ != Repetition::other && game_->repetitions() > 0) return {0, false};
  if (depth <= 0)
    if (const auto judged = judge_without_list(ply, beta)) return *judged;
  const std::uint64_t here = key(ply);
  const std::optional<Known> known = depth > 0 || uses(Technique::ends) ? table_.find(here) : std::nullopt;
  Entry best{Known::kNoMove, 0, Rank::known, 0, 0};
  if (known) {
    best.index = known->move, best.label = known->label;
    if (const auto result = recall(*known, depth, ply, alpha, beta)) return *result;
  }
  at(ply).stand = kUnknown;
  at(ply).in_doubt = false;
  const bool closed = beta - alpha == 1 && std::abs(beta) < kSurely;
  if (depth > 0 && depth <= kDeepestPruned && closed && prunes_)
    if (const auto judged = stand_pat(depth, ply, beta)) return *judged;
  const bool skipped = closed && depth >= kShallowestSkip && is_good_if_skipped(depth, ply, beta);
  if (stopped_) return {};
  const bool doubts_skip = skipped && depth < kVerifiedSkip && skipping_.is_looked_into();
  if (skipped && !doubts_skip) return ++counts_.skips, Judged{beta, false};
  const int wanted = depth;
  const bool rolled = rolls_ && game_->is_chance();
  if (uses(Technique::internal) && !rolled && depth >= kReducedWithoutMove && best.index == Known::kNoMove)
    --depth;
  const bool in_doubt = at(ply).in_doubt;
  const auto moves = game_->moves(list_limits_);
  if (!moves) return fail(moves.error());
  Meter::charge(moves->size() * kStepsOfOrdering);
  if (!moves->complete() && moves->size() < kMostMoves) return stop();
  if (moves->complete()) {
    const auto outcome = game_->outcome();
    if (!outcome) return fail(outcome.error());
    if (outcome->has_value()) return {score_of(**outcome, ply), true};
  }
  if (rolled) {
    if (depth <= 0 || ply >= kMostPlies) return {judge(), false};
    at(ply).best_index = Known::kNoMove;
    const Judged mean = mean_of_rolls(depth, ply, alpha, beta);
    if (!stopped_) store(here, depth, ply, mean, alpha, beta);
    return mean;
  }
  const auto mover = static_cast<std::size_t>(game_->to_move());
  const int before = std::exchange(moves_[mover], static_cast<int>(moves->size()));
  Judged result;
  at(ply).best_index = Known::kNoMove;
  if (depth <= 0 || ply >= kMostPlies) {
    result = quiesce(depth, ply, alpha, beta, *moves, best.index);
    if (!stopped_ && depth <= 0 && uses(Technique::ends)) store(here, depth, ply, result, alpha, beta);
  } else {
    result = try_moves(depth, ply, alpha, beta, *moves, best);
    if (!stopped_) store(here, depth, ply, result, alpha, beta);
  }
  moves_[mover] = before;
  if (doubts_skip && !stopped_) skipping_.tell(result.score >= beta);
  if (in_doubt && !stopped_)
    reverse_[static_cast<std::size_t>(wanted)].tell(result.score >= beta, std::abs(result.score) >= kSurely);
  return result;
}

// What may be rolled, each by its probability: a position of nature's is worth the mean of the chances behind
// it. A roll takes no depth, since nobody chooses it. With the bounds that B. W. Ballard calls Star1 (The
// *-minimax search procedure for trees containing chance nodes, 1983): of a roll that is looked at it is
// asked only whether the mean can still come between alpha and beta, if all that are left were won, or lost.
Judged AlphaBeta::mean_of_rolls(int depth, int ply, int alpha, int beta) {
  at(ply).line.clear();
  at(ply).played = 0;
  const auto weights = game_->weights();
  if (!weights) return fail(weights.error());
  const double sum = std::accumulate(weights->begin(), weights->end(), 0.0);
  const double low = as_chance(alpha), high = as_chance(beta);
  double mean = 0, left = 1;
  int least = kNever, most = -kNever;
  bool complete = true;
  for (std::size_t k = 0; k < weights->size(); ++k) {
    const double part = static_cast<double>((*weights)[k]) / sum;
    left = std::max(left - part, 0.0);
    const int below = alpha <= -kSurely ? -kNever : bound_below((low - mean - left) / part);
    const int above = beta >= kSurely ? kNever : bound_above((high - mean) / part);
    const auto moves = game_->moves(list_limits_); // anew: it ends when the game moves on
    if (!moves) return fail(moves.error());
    if (k >= moves->size()) return stop();
    const Judged one = follow((*moves)[k], depth, ply, below, std::max(above, below + 1));
    if (stopped_) return {};
    complete = complete && one.complete;
    if (one.score <= below && below > -kNever) return {alpha, false};
    if (one.score >= above && above < kNever) return {beta, false};
    mean += part * as_chance(one.score);
    least = std::min(least, one.score), most = std::max(most, one.score);
  }
  at(ply).line.clear();
  // Whatever comes is won, or lost.
  if (least >= kSurely) return {least, complete};
  if (most <= -kSurely) return {most, complete};
  return {as_score(mean), complete};
}

// Plies to the end are counted from the position in the table, and from the root elsewhere.
std::optional<Judged> AlphaBeta::recall(const Known& known, int depth, int ply, int alpha, int beta) const {
  if (known.depth < depth) return {};
  const int score = score_at(known, ply);
  const Judged result = {score, known.depth == kComplete};
  if (known.bound == Bound::exact || (known.bound == Bound::lower && score >= beta) ||
      (known.bound == Bound::upper && score <= alpha))
    return result;
  return {};
}

void AlphaBeta::store(std::uint64_t key, int depth, int ply, Judged result, int alpha, int beta) {
  Known known;
  known.key = key;
  known.bound = result.score >= beta ? Bound::lower : result.score <= alpha ? Bound::upper : Bound::exact;
  const bool proven = (result.score >= kSurely && known.bound != Bound::upper) ||
                      (result.score <= -kSurely && known.bound != Bound::lower);
  known.depth = static_cast<std::int16_t>(result.complete || proven ? kComplete : depth);
  known.score = result.score >= kSurely    ? result.score + ply
                : result.score <= -kSurely ? result.score - ply
                                           : result.score;
  known.move = at(ply).best_index;
  if (known.move != Known::kNoMove) known.label = at(ply).best;
  table_.store(known);
}

// Most positions at the end of a line are good enough for the side to move as they stand. That is known
// before its moves are listed: whether there is one costs little, and how many there are is taken from its
// last turn. Where lists are long, that is all that is asked.
std::optional<Judged> AlphaBeta::judge_without_list(int ply, int beta) {
  if (!long_lists_ && (!quiescence_ || forces_)) return {};
  const auto outcome = game_->outcome();
  if (!outcome) return fail(outcome.error());
  if (outcome->has_value()) return Judged{score_of(**outcome, ply), true};
  const int stand = judge();
  return long_lists_ || stand >= beta ? std::optional(Judged{stand, false}) : std::nullopt;
}

// Reverse futility: a position that is so much better than it need be that to search it would hardly ever
// change that.
std::optional<Judged> AlphaBeta::stand_pat(int depth, int ply, int beta) {
  Ply& here = at(ply);
  const auto outcome = game_->outcome();
  if (!outcome) return fail(outcome.error());
  if (outcome->has_value()) return Judged{score_of(**outcome, ply), true};
  here.stand = judge();
  if (!uses(Technique::reverse)) return {};
  const Margin::Verdict verdict = reverse_[static_cast<std::size_t>(depth)].ask(here.stand - beta);
  here.in_doubt = verdict == Margin::Verdict::doubtful;
  return verdict == Margin::Verdict::beyond ? std::optional(Judged{here.stand, false}) : std::nullopt;
}

// Null move: is the position good enough for the player to move even if he does nothing? Then it is if he
// moves, in games where that is better than to do nothing in nearly all positions. It proves nothing.
bool AlphaBeta::is_good_if_skipped(int depth, int ply, int beta) {
  if (!skips_ || !may_skip(ply) || !skipping_.is_tried()) return false;
  Ply& here = at(ply);
  const auto outcome = game_->outcome();
  if (!outcome || outcome->has_value() || (here.stand == kUnknown ? judge() : here.stand) < beta)
    return false;
  if (score_if_skipped(depth, ply, beta) < beta || stopped_) return false;
  if (depth < kVerifiedSkip) return true;
  here.skips_no_turn = true;
  const Judged verified = search(depth - 1 - reduction_by_skip(depth), ply, beta - 1, beta);
  here.skips_no_turn = here.in_doubt = false;
  here.stand = kUnknown;
  return !stopped_ && verified.score >= beta;
}

// No rule need stand such a position: what goes wrong in it only ends the looking, as long as this player
// lives.
int AlphaBeta::score_if_skipped(int depth, int ply, int beta) {
  Ply& here = at(ply);
  const int mover = side(game_->to_move());
  if (!skip_turn(*game_)) return -kNever;
  int score = -kNever;
  if (side(game_->to_move()) != mover) {
    here.played = 0;
    here.skipped = true;
    ++skips_in_line_;
    score = -search(depth - 1 - reduction_by_skip(depth), ply + 1, -beta, 1 - beta).score;
    --skips_in_line_;
    here.skipped = false;
  }
  game_->undo();
  if (std::exchange(skip_failed_, false)) skips_ = stopped_ = false, score = -kNever;
  return score;
}

// Those that gain most first, and of these those that were good elsewhere. What gains no more than `least`
// isn't looked at.
bool AlphaBeta::sort_captures(int ply, int least, std::uint32_t known) {
  Ply& here = at(ply);
  here.entries.clear();
  for (const Capture& capture : here.captures) {
    if (capture.gain <= least) continue;
    Entry entry{capture.move, 0, Rank::capture, 0, 0};
    const auto label = label_of_move(*game_, capture.move);
    if (!label) return fail(label.error()), false;
    const bool tried_again = nodes() % kOneOfHopeless == 0;
    rank_capture(entry, capture, *label, tried_again ? -MoveOrder::kMost : kHopelessCapture);
    if (capture.move == known) entry.rank = Rank::known;
    here.entries.push_back(entry);
  }
  std::sort(here.entries.begin(), here.entries.end(), is_before);
  return true;
}

// Where all moves capture there is no standing still, as in games that force one to.
Judged AlphaBeta::quiesce(int depth, int ply, int alpha, int beta, const MoveList& moves,
                          std::uint32_t known) {
  Ply& here = at(ply);
  here.line.clear();
  const int stand = judge();
  if (!quiescence_ || depth <= -most_captures_ || ply >= kMostPlies || !moves.complete())
    return {stand, false};
  if (!forces_ && stand >= beta) return {stand, false};
  here.captures.clear();
  const auto complete = append_captures(*game_, worth_, here.captures, list_limits_);
  if (!complete) return fail(complete.error());
  if (!*complete) return stop();
  constexpr std::size_t kMostForcedMoves = 3; // more would go on and on
  const bool forced = here.captures.size() == moves.size() && moves.size() <= kMostForcedMoves;
  if (here.captures.empty() || (!forced && stand >= beta)) return {stand, false};
  int best = forced ? -kNever : stand;
  alpha = std::max(alpha, best);
  if (!sort_captures(ply, forced ? -kNever : alpha - stand - kMostBesides, known)) return {};
  for (const Entry& entry : here.entries) {
    if (!forced && entry.rank == Rank::bad_capture) break;
    if (!forced && stand + entry.gain + kMostBesides <= alpha) continue;
    here.played = entry.label;
    const int score = follow(moves[entry.index], depth - 1, ply, alpha, beta).score;
    if (stopped_) return {};
    if (entry.label != 0 && (score <= stand || score > alpha))
      order_.judge_capture(entry.label, score > stand);
    if (score > alpha) here.best = entry.label, here.best_index = entry.index;
    best = std::max(best, score);
    alpha = std::max(alpha, score);
    if (alpha >= beta) break;
  }
  return {best, false};
}

// The result of a move, for the side that makes it.
Judged AlphaBeta::follow(const Move& move, int depth, int ply, int alpha, int beta) {
  const int mover = side(game_->to_move());
  if (const auto played = game_->play(move); !played) return fail(played.error());
  const bool again = side(game_->to_move()) == mover;
  Judged result = again ? search(depth, ply + 1, alpha, beta) : search(depth, ply + 1, -beta, -alpha);
  if (!again) result.score = -result.score;
  game_->undo();
  return result;
}

// Likewise; but for the first one only as far as need be to know that it isn't better.
Judged AlphaBeta::look(const Move& move, int depth, int reduction, int ply, int alpha, int beta, bool first) {
  if (first) return follow(move, depth, ply, alpha, beta);
  Judged result = follow(move, depth - reduction, ply, alpha, alpha + 1);
  if (!stopped_ && reduction > 0 && result.score > alpha) result = follow(move, depth, ply, alpha, alpha + 1);
  if (!stopped_ && result.score > alpha && result.score < beta)
    result = follow(move, depth, ply, alpha, beta);
  return result;
}

// The labels of moves, and which of them capture. False: stopped.
bool AlphaBeta::label_moves(int depth, int ply, const MoveList& moves) {
  Ply& here = at(ply);
  here.labels.clear();
  here.captures.clear();
  if (!moves.complete()) return true;
  if (const auto labelled = game_->append_labels(here.labels); !labelled)
    return fail(labelled.error()), false;
  if (!captures_ || (long_lists_ && depth <= 1)) return true;
  const auto complete = append_captures(*game_, worth_, here.captures, list_limits_);
  if (!complete) return fail(complete.error()), false;
  if (!*complete) return stop(), false;
  return true;
}

void AlphaBeta::rank_capture(Entry& entry, const Capture& capture, std::uint64_t label, int bad) {
  entry.rank = Rank::capture;
  entry.order = entry.gain = capture.gain;
  entry.label = label_for(label, game_->to_move(), true);
  if (uses(Technique::attackers)) entry.order -= capture.risk / kShareOfRisk;
  if (!uses(Technique::captures)) return;
  entry.label = label_for(label + static_cast<std::uint64_t>(capture.gain), game_->to_move(), true);
  const int history = order_.of_capture(entry.label);
  entry.order += history / kGainOfHistory;
  if (history < bad && (capture.gain < capture.risk || !uses(Technique::attackers)))
    entry.rank = Rank::bad_capture;
}

// For a move that doesn't capture.
void AlphaBeta::rank(Entry& entry, int ply, MovesBefore before, MoveLabel counter) {
  const auto& killers = at(ply).killers;
  entry.order = order_.of_quiet(entry.label, before);
  entry.rank = entry.label == killers[0]   ? Rank::killer
               : entry.label == killers[1] ? Rank::second_killer
               : entry.label == counter    ? Rank::counter
                                           : Rank::quiet;
}

// The move that was best before, captures, killers, and what was good elsewhere. False: stopped.
bool AlphaBeta::order_moves(int depth, int ply, const MoveList& moves, std::uint32_t known) {
  if (!label_moves(depth, ply, moves)) return false;
  Ply& here = at(ply);
  const int mover = game_->to_move();
  const MovesBefore earlier = before(ply);
  const MoveLabel counter =
      uses(Technique::counter) && ply > 0 ? order_.counter_of(at(ply - 1).played) : MoveLabel{0};
  here.entries.resize(moves.size());
  for (std::size_t k = 0; k < moves.size(); ++k)
    here.entries[k] = {static_cast<std::uint32_t>(k),
                       here.labels.empty() ? 0 : label_for(here.labels[k], mover, false), Rank::quiet, 0, 0};
  for (const Capture& capture : here.captures)
    rank_capture(here.entries[capture.move], capture, here.labels[capture.move], kBadCapture);
  if (!here.labels.empty())
    for (Entry& entry : here.entries)
      if (!captures(entry.label)) rank(entry, ply, earlier, counter);
  if (known < moves.size()) here.entries[known].rank = Rank::known;
  here.sorted = 0;
  return true;
}

// The k-th of the moves that were put in order. Mostly one of the first is good enough, and the others are
// never asked for: so they are sorted in parts, each four times as long as all before it.
const Entry& AlphaBeta::entry_at(int ply, std::size_t k) {
  constexpr std::size_t kFirstPart = 4, kGrowth = 4;
  Ply& here = at(ply);
  if (k < here.sorted) return here.entries[k];
  const std::size_t end = std::min(here.entries.size(), std::max({k + 1, kFirstPart, kGrowth * here.sorted}));
  const auto first = here.entries.begin() + static_cast<std::ptrdiff_t>(here.sorted);
  const auto last = here.entries.begin() + static_cast<std::ptrdiff_t>(end);
  if (end == here.entries.size())
    std::sort(first, last, is_before);
  else
    std::partial_sort(first, last, here.entries.end(), is_before);
  here.sorted = end;
  return here.entries[k];
}

void AlphaBeta::reward(int ply, MoveLabel label, int depth) {
  if (label == 0) return;
  Ply& here = at(ply);
  if (!uses(Technique::malus)) here.tried.clear();
  order_.reward(label, here.tried, before(ply), depth);
  if (captures(label) || here.killers[0] == label) return;
  here.killers[1] = here.killers[0];
  here.killers[0] = label;
}

int AlphaBeta::reduction_of(int depth, std::size_t number, const Entry& entry, bool open) const {
  if (depth < 3 || (entry.rank != Rank::quiet && entry.rank != Rank::bad_capture)) return 0;
  if (!uses(Technique::logarithmic)) return number < 4 ? 0 : number >= 16 && depth >= 5 ? 2 : 1;
  if (number < 2) return 0;
  constexpr double kHistory = MoveOrder::kMost / 2.0;
  const double history = std::clamp(entry.order / kHistory, -1.0, 1.0);
  const double plies =
      reduction_by(depth, number) - (open ? 1 : 0) - (entry.rank == Rank::quiet ? history : 0);
  return std::clamp(static_cast<int>(plies), 0, depth - 2);
}

// Is the move left out? Only where another one is known that doesn't lose, so that nothing is proven by it.
bool AlphaBeta::is_futile(const Entry& entry, std::size_t number, int depth, int ply, int alpha,
                          Judged& best) {
  Ply& here = at(ply);
  here.doubts_move = false;
  if (here.stand == kUnknown || entry.rank != Rank::quiet || best.score <= -kSurely) return false;
  if (uses(Technique::late) && depth <= kDeepestLate && number >= moves_before_late(depth)) {
    best.complete = false;
    return true;
  }
  if (!uses(Technique::futility)) return false;
  Margin& margin = futile_[static_cast<std::size_t>(depth)];
  const Margin::Verdict verdict = margin.ask(alpha - here.stand);
  here.doubts_move = verdict == Margin::Verdict::doubtful;
  if (verdict != Margin::Verdict::beyond) return false;
  best = {std::max(best.score, std::min(alpha, here.stand + margin.value())), false};
  return true;
}

Judged AlphaBeta::try_moves(int depth, int ply, int alpha, int beta, const MoveList& moves,
                            const Entry& known) {
  Ply& here = at(ply);
  here.line.clear();
  here.tried.clear();
  // A position with one move is no decision.
  const int extension = moves.size() == 1 && ply < 2 * root_depth_ ? 1 : 0;
  const bool open = beta - alpha > 1;
  here.doubts_move = false;
  Judged best = {-kNever, true};
  // False: no other move need be looked at.
  const auto try_one = [&](const Entry& entry, std::size_t number) {
    if (number > 0 && extension == 0 && is_futile(entry, number, depth, ply, alpha, best)) return true;
    here.played = entry.label;
    const bool in_doubt = here.doubts_move;
    const Judged result = look(moves[entry.index], depth - 1 + extension,
                               reduction_of(depth, number, entry, open), ply, alpha, beta, number == 0);
    if (stopped_) return false;
    if (in_doubt)
      futile_[static_cast<std::size_t>(depth)].tell(result.score <= alpha, std::abs(result.score) >= kSurely);
    best.complete = best.complete && result.complete;
    if (result.score > best.score) best.score = result.score;
    if (number == 0 || result.score > alpha) {
      const auto& behind = at(ply + 1).line;
      here.best = entry.label, here.best_index = entry.index;
      here.line.assign(1, entry.index);
      here.line.insert(here.line.end(), behind.begin(), behind.end());
    }
    alpha = std::max(alpha, result.score);
    if (alpha < beta) {
      here.tried.push_back(entry.label);
      return true;
    }
    best.complete = result.complete;
    counts_.cut_off(number == 0);
    reward(ply, entry.label, depth);
    return false;
  };
  // What was best before often is all that is needed: the others aren't even sorted then.
  const bool has_known = known.index < moves.size();
  if (has_known && !try_one(known, 0)) return best;
  if (!order_moves(depth, ply, moves, known.index)) return {};
  for (std::size_t k = has_known ? 1 : 0; k < here.entries.size(); ++k)
    if (!try_one(Entry(entry_at(ply, k)), k)) return best;
  best.complete = best.complete && moves.complete();
  return best;
}

// ---------------------------------------------------------------- the root

void AlphaBeta::tell(int depth, int score, const Move& move, bool complete, Thought& thought) {
  thought.move = move;
  thought.depth = depth;
  thought.nodes = nodes();
  root_score_ = score;
  thought.value = score >= kSurely ? 1 : score <= -kSurely ? 0 : chance_of(score);
  thought.proof = Proof::unknown;
  if (score >= kSurely) thought.proof = Proof::win;
  if (score <= -kSurely && complete && players_ <= 2)
    thought.proof = Proof::loss;                                      // others need not help each other
  if (complete && score == 0 && !rolls_) thought.proof = Proof::draw; // with rolls it is a mean
  if (std::abs(score) >= kSurely)
    thought.remark = fmt::format("{} in {} moves", score > 0 ? "wins" : "loses", kWin - std::abs(score));
  thought.candidates.assign(1, {move, thought.value, 0, thought.proof});
}

// One depth; what was best before comes first.
void AlphaBeta::search_root(int depth, const MoveList& moves, Thought& thought) {
  root_depth_ = depth;
  int alpha = -kNever;
  Judged best = {-kNever, true};
  for (std::size_t k = 0; k < root_order_.size(); ++k) {
    const std::uint32_t index = root_order_[k];
    at(0).played = root_labels_.empty() ? 0 : root_labels_[index];
    const Judged result =
        look(moves[index], depth - 1, depth >= 3 && k >= 8 ? 1 : 0, 0, alpha, kNever, k == 0);
    if (stopped_) return;
    best.complete = best.complete && result.complete;
    if (result.score <= alpha && k > 0) continue;
    alpha = best.score = result.score;
    auto& line = at(0).line;
    line.assign(1, index);
    line.insert(line.end(), at(1).line.begin(), at(1).line.end());
    std::rotate(root_order_.begin(), root_order_.begin() + static_cast<std::ptrdiff_t>(k),
                root_order_.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    tell(depth, result.score, moves[index], false, thought);
    if (result.score >= kSurely) break; // nothing is better than to win
  }
  tell(depth, best.score, moves[root_order_.front()], best.complete || best.score <= -kSurely, thought);
}

// Moves are good where their position is, and that is another one each time it is played to. Lists that take
// long aren't waited for: the time is up.
void AlphaBeta::write_line(Thought& thought) {
  std::size_t played = 0;
  thought.line.clear();
  if (auto text = thought.move ? game_->notation(*thought.move) : std::string(); text && !text->empty())
    thought.line.push_back(std::move(*text));
  ListLimits soon = list_limits_;
  if (soon.deadline)
    soon.deadline = std::max(*soon.deadline, std::chrono::steady_clock::now() + kTimeToWrite);
  const auto& indices = plies_[0].line;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    const auto moves = game_->moves(soon);
    if (!moves || indices[k] >= moves->size()) break;
    const Move move = k == 0 && thought.move ? *thought.move : (*moves)[indices[k]];
    if (k > 0) {
      auto text = game_->notation(move);
      if (!text) break;
      thought.line.push_back(std::move(*text));
    }
    if (!game_->play(move)) break;
    ++played;
  }
  const bool whole = played == indices.size();
  while (whole && played < static_cast<std::size_t>(thought.depth) &&
         write_known(thought, soon, static_cast<int>(played)))
    ++played;
  while (played-- > 0) game_->undo();
}

// The search leaves a line where the table knows what is left of it. The next move is one that keeps the
// score, as far as the table tells; it is played, unless there is none.
bool AlphaBeta::write_known(Thought& thought, const ListLimits& soon, int ply) {
  if (players_ != 2 || rolls_ || game_->repetitions() > 0) return false;
  const auto moves = game_->moves(soon);
  if (!moves || !moves->complete()) return false;
  const std::optional<Known> known = table_.find(key(ply));
  const int mover = game_->to_move();
  std::vector<Move> order;
  if (known && known->move < moves->size()) order.push_back((*moves)[known->move]);
  for (const Move& move : *moves) order.push_back(move);
  for (const Move& move : order) {
    if (soon.deadline && std::chrono::steady_clock::now() >= *soon.deadline) return false;
    auto text = game_->notation(move);
    if (!text || !game_->play(move)) return false;
    if (keeps_score(soon, ply + 1, mover, thought.depth - ply - 1)) {
      thought.line.push_back(std::move(*text));
      return true;
    }
    game_->undo();
  }
  return false;
}

// Has the mover, who has just moved, as much by it as the search says?
bool AlphaBeta::keeps_score(const ListLimits& soon, int ply, int mover, int depth) {
  const auto moves = game_->moves(soon);
  if (!moves || !moves->complete()) return false;
  const auto outcome = game_->outcome();
  if (!outcome) return false;
  const int wanted = game_->to_move() == root_player_ ? root_score_ : -root_score_;
  if (outcome->has_value()) return score_of(**outcome, ply) == wanted;
  const std::optional<Known> known = table_.find(key(ply));
  if (!known || known->depth < depth) return false;
  const int score = score_at(*known, ply);
  return game_->to_move() == mover ? known->bound != Bound::upper && score >= wanted
                                   : known->bound != Bound::lower && score <= wanted;
}

tl::expected<Thought, Fault> AlphaBeta::think(const Game& game, const ThinkLimits& limits,
                                              const OnThought& on_thought) {
  if (&game.rules() != &features_->rules()) return tl::unexpected(Fault{"this game has other rules", 0});
  cpu_begin_ = cpu_now(); // the copy counts as thinking: where lists are long it takes a good part of it
  game_.emplace(game);
  limits_ = limits;
  if (limits.latest && limits.deadline) limits_.deadline = limits.latest;
  list_limits_ = {limits.stop, limits_.deadline, kMostMoves, std::numeric_limits<std::size_t>::max()};
  nodes_ = 0;
  stopped_ = skip_failed_ = false;
  skips_in_line_ = 0;
  fault_.reset();
  root_player_ = game.to_move();
  root_ply_ = timed_ ? game.position().ply : 0;
  moves_.fill(-1);
  order_.grow_old();
  counts_ = {};
  for (Ply& ply : plies_) ply.killers = {}, ply.line.clear(), ply.played = 0;

  Thought thought;
  // At least one move is needed, however little time there is.
  ListLimits least;
  least.most_moves = 1;
  bound_lists(long_lists_ ? kShareOfList : 1);
  auto moves = game_->moves(list_limits_);
  bound_lists(1);
  if (moves && moves->empty() && !moves->complete()) moves = game_->moves(least);
  if (!moves) return tl::unexpected(moves.error());
  if (moves->empty()) return thought;
  game_->give_up_when({limits.stop, nullptr, limits_.deadline}); // as late as the move may come
  moves_[static_cast<std::size_t>(root_player_)] = static_cast<int>(moves->size());
  root_order_.clear();
  root_labels_.clear();
  Meter::charge(moves->size() * kStepsOfSorting);
  if (order_moves(1, 0, *moves, Known::kNoMove)) {
    auto& entries = plies_[0].entries;
    std::sort(entries.begin(), entries.end(), is_before);
    root_labels_.assign(moves->size(), 0);
    for (const Entry& entry : entries)
      root_order_.push_back(entry.index), root_labels_[entry.index] = entry.label;
  } else {
    root_order_.resize(moves->size());
    std::iota(root_order_.begin(), root_order_.end(), 0U);
  }
  if (const auto none = std::none_of(root_order_.begin(), root_order_.end(),
                                     [&](std::uint32_t k) { return limits_.allows(k); });
      !none) // a list that was broken off may lack them all
    std::erase_if(root_order_, [&](std::uint32_t k) { return !limits_.allows(k); });
  thought.move = (*moves)[root_order_.front()];
  plies_[0].line.assign(1, root_order_.front());
  const bool paced = limits.latest && limits.deadline && number_ == 0;
  Pace pace(std::chrono::steady_clock::now(), limits.deadline.value_or(Pace::Time()),
            limits.latest.value_or(Pace::Time()));
  // Every other helper looks a ply further than the rest.
  const int most_depth = std::min(options_.most_depth, std::max(limits.most_depth, 1));
  for (int depth = 1 + number_ % 2; depth <= most_depth && !stopped_; ++depth) {
    const std::uint32_t best_before = root_order_.front();
    search_root(depth, *moves, thought);
    thought.nodes = nodes();
    if (stopped_) break;
    if (on_thought) write_line(thought), on_thought(thought);
    if (thought.proof != Proof::unknown) break;
    if (paced && !pace.goes_on(std::chrono::steady_clock::now(), root_order_.front() != best_before)) break;
    const bool asked_for_depth = limits.most_depth < std::numeric_limits<int>::max() || !limits.only.empty();
    // Where there is no decision the time is better spent elsewhere.
    if (root_order_.size() == 1 && limits.deadline && !asked_for_depth) break;
  }
  if (number_ > 0) { // nobody asks for it; what it was told to stop by may not outlive this call
    game_.reset();
    limits_ = {};
    list_limits_ = {};
    return thought;
  }
  game_->give_up_when({}); // what was found is written down, whatever the time
  write_line(thought);
  if (options_.counts) thought.remark = counts_.text();
  if (fault_) thought.remark = fmt::format("a rule went wrong: {}", fault_->message);
  game_.reset();
  return thought;
}

// Threads that search the same position, some of them a ply further, and tell each other what they find by
// the table alone. The first one answers, and the others end with it.
class AlphaBetaThreads final : public Player {
public:
  AlphaBetaThreads(const std::shared_ptr<const Features>& features, const AlphaBetaOptions& options)
      : most_nodes_(options.most_nodes), table_(options.most_bytes) {
    for (int k = 0; k < std::max(options.threads, 1); ++k)
      searches_.push_back(std::make_unique<AlphaBeta>(features, options, table_, k));
  }

  tl::expected<Thought, Fault> think(const Game& game, const ThinkLimits& limits,
                                     const OnThought& on_thought) override {
    table_.grow_old();
    ThinkLimits mine = limits;
    mine.most_nodes = std::max<std::uint64_t>(std::min(limits.most_nodes, most_nodes_) / searches_.size(), 1);
    for (const auto& search : searches_) search->forget_nodes(); // a thread may begin late, or never
    std::atomic<bool> over = false;
    ThinkLimits helping = mine;
    helping.stop = &over;
    ThreadGroup threads([&over] { over = true; });
    for (std::size_t k = 1; k < searches_.size(); ++k) // where the system gives no more, fewer think
      if (!threads.start([&, k] { (void)searches_[k]->think(game, helping, {}); })) break;
    const OnThought tell = [&](const Thought& thought) { on_thought(with_all_nodes(thought)); };
    auto thought = searches_.front()->think(game, mine, on_thought ? tell : OnThought());
    over = true;
    threads.join();
    if (thought) *thought = with_all_nodes(std::move(*thought));
    return thought;
  }

private:
  [[nodiscard]] Thought with_all_nodes(Thought thought) const {
    for (std::size_t k = 1; k < searches_.size(); ++k) thought.nodes += searches_[k]->nodes();
    return thought;
  }

  std::uint64_t most_nodes_; // of all threads
  Transpositions table_;
  std::vector<std::unique_ptr<AlphaBeta>> searches_;
};

} // namespace

std::unique_ptr<Player> make_alpha_beta(std::shared_ptr<const Features> features,
                                        const AlphaBetaOptions& options) {
  return std::make_unique<AlphaBetaThreads>(features, options);
}

std::unique_ptr<Player> make_alpha_beta(std::shared_ptr<const Rules> rules, const AlphaBetaOptions& options) {
  return make_alpha_beta(std::make_shared<const Features>(std::move(rules)), options);
}

} // namespace boardwright::runtime::search
