#include "runtime/search/solver.hpp"

#include "runtime/model/meter.hpp"
#include "runtime/model/random.hpp"
#include "runtime/model/shares.hpp"
#include "runtime/search/evaluation.hpp"
#include "runtime/search/goals.hpp"
#include "runtime/search/zeroed_array.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace boardwright::runtime::search {

namespace {

constexpr std::uint32_t kInfinite = 1'000'000'000;
// Lines that are longer are given up as not won: a call for each ply is on the stack.
constexpr int kMostSolvedPlies = 2000;
constexpr std::uint64_t kNodesBetweenReports = 4096;
// To judge a position, to look it up and to come back, on the account of the command.
constexpr std::uint64_t kStepsOfChild = 600;

// How a position that nothing is known of is judged (M. Winands, M. Schadd, Evaluation-function based
// proof-number search, 2010). These took half the positions of judging by moves alone, over five small
// boards.
constexpr double kUnit = 16;     // of the numbers: what one move is worth
constexpr double kTrust = 0.7;   // of a factor e in the odds of the evaluation
constexpr double kSurest = 4;    // what the evaluation says beyond that isn't believed
constexpr double kHardest = 1e8; // far from what can't be proven at all

// How much there is to do to prove that the one who asks wins, and that he doesn't.
struct Numbers {
  std::uint32_t proof = 1, disproof = 1;
  std::uint16_t depth = 0; // moves to the end, where it is proven or disproven
  [[nodiscard]] bool proven() const { return proof == 0; }
  [[nodiscard]] bool solved() const { return proof == 0 || disproof == 0; }
  // Won by the one who asks, or not won by him.
  [[nodiscard]] bool is(bool won) const { return won ? proof == 0 : disproof == 0; }
};
constexpr Numbers kWon = {0, kInfinite, 0}, kNotWon = {kInfinite, 0, 0};

class Table {
public:
  explicit Table(std::size_t bytes)
      : buckets_(std::bit_floor(std::max<std::size_t>(bytes / sizeof(Bucket), 1))) {}

  [[nodiscard]] const Numbers* find(std::uint64_t key) const {
    for (const Entry& entry : buckets_[index(key)])
      if (entry.work > 0 && entry.key == key) return &entry.numbers;
    return nullptr;
  }
  void store(std::uint64_t key, const Numbers& numbers, std::uint64_t work) {
    Bucket& bucket = buckets_[index(key)];
    const auto spent = static_cast<std::uint32_t>(std::min<std::uint64_t>(work, kInfinite));
    Entry* least = &bucket[0];
    for (Entry& entry : bucket) {
      if (entry.work > 0 && entry.key == key) {
        entry.numbers = numbers;
        entry.work = std::max(entry.work, spent);
        return;
      }
      if (entry.work < least->work) least = &entry;
    }
    used_ += least->work == 0 ? 1 : 0;
    *least = {key, numbers, std::max(spent, 1U)};
  }
  [[nodiscard]] double full() const {
    return static_cast<double>(used_) / static_cast<double>(buckets_.size() * std::tuple_size_v<Bucket>);
  }

private:
  struct Entry {
    std::uint64_t key = 0;
    Numbers numbers;
    std::uint32_t work = 0; // positions below it; 0: nothing is here
  };
  using Bucket = std::array<Entry, 4>;
  [[nodiscard]] std::size_t index(std::uint64_t key) const {
    return static_cast<std::size_t>(mix(key)) & (buckets_.size() - 1);
  }
  ZeroedArray<Bucket> buckets_; // of zeros: `work` is none
  std::uint64_t used_ = 0;
};

class Solver {
public:
  Solver(const Game& game, const SolverOptions& options,
         const std::function<void(const SolverProgress&)>& report)
      : game_(game), options_(options), report_(report), table_(options.most_bytes) {
    if (options.features) evaluation_.emplace(options.features, Judgement{options.weights, nullptr});
    const Program& program = game.rules().program();
    players_ = program.player_count();
    timed_ = asks_for_time(program);
    root_length_ = game.length();
    root_mover_ = game.to_move();
    solution_.rules_ask_for_past = repetition_of(program) == Repetition::other;
    lists_.stop = options.limits.stop;
    lists_.deadline = options.limits.deadline;
    game_.give_up_when({options.limits.stop, nullptr, options.limits.deadline});
  }

  tl::expected<Solution, Fault> run();

private:
  struct Child {
    Move move;
    Numbers numbers;
  };

  Numbers ask(int player);
  Numbers search(std::uint32_t most_proof, std::uint32_t most_disproof, int ply);
  std::optional<std::vector<Child>> children(int ply);
  Numbers first_look(std::uint64_t key);
  [[nodiscard]] Numbers estimate(std::uint32_t moves);
  void write_line(bool won);
  static std::uint16_t depth_of(const std::vector<Child>& children, bool won, bool winner_moves);
  [[nodiscard]] Numbers sum_of(const std::vector<Child>& children, bool own) const;
  [[nodiscard]] std::uint64_t key() const {
    std::uint64_t k = chain(game_.key(), static_cast<std::uint64_t>(asks_));
    return timed_ ? chain(k, static_cast<std::uint64_t>(game_.length() - root_length_)) : k;
  }
  // How a game that is over counts for the one who asks.
  Numbers over_as(const Outcome& outcome) {
    // A part of the point is neither won nor lost.
    if (result_of(outcome) == runtime::Result{1} << asks_) return kWon;
    if (result_of(outcome) != runtime::Result{1} << (1 - asks_)) drawn_ = true;
    if (outcome.shares != 0) solution_.shared = true;
    return kNotWon;
  }
  // Neither wins it all: which part they have isn't asked.
  void leave_shared() {
    solution_.shared = solution_.not_won = solution_.not_lost = true;
    solution_.result = Proof::unknown;
  }
  void fail(const Fault& fault) {
    const ThinkLimits& l = options_.limits;
    const bool given_up = Patience{l.stop, nullptr, l.deadline}.is_over() || Meter::gave_up();
    if (!fault_ && !given_up) fault_ = fault;
    stopped_ = true;
  }
  [[nodiscard]] bool over() const {
    const ThinkLimits& l = options_.limits;
    if (solution_.nodes >= l.most_nodes || Meter::gave_up() ||
        (l.stop != nullptr && l.stop->load(std::memory_order_relaxed)))
      return true;
    return l.deadline && std::chrono::steady_clock::now() >= *l.deadline;
  }

  Game game_;
  SolverOptions options_;
  const std::function<void(const SolverProgress&)>& report_;
  Table table_;
  std::optional<Evaluation> evaluation_;
  Solution solution_;
  ListLimits lists_;
  int players_ = 0, root_length_ = 0, root_mover_ = 0;
  int asks_ = 0; // the player of whom it is asked whether he wins
  bool timed_ = false, stopped_ = false;
  bool drawn_ = false; // a line was met that nobody wins
  std::optional<Fault> fault_;
  Numbers root_;
  std::uint32_t winning_ = 0; // of the position that was solved last: the place of the winner's move
};

// Whoever has many moves, and stands better, has less to prove. The numbers of unsolved positions are
// multiples of a unit, so that there is room below one move.
Numbers Solver::estimate(std::uint32_t moves) {
  const bool own = game_.to_move() == asks_;
  double odds = 1;
  if (evaluation_) {
    MoveCounts unknown;
    unknown.fill(-1);
    const double value = static_cast<double>(evaluation_->of(game_, asks_, unknown)) / Evaluation::kUnit;
    odds = std::exp(kTrust * std::clamp(value, -kSurest, kSurest));
  }
  const auto number = [](double chances) {
    return static_cast<std::uint32_t>(std::clamp(kUnit * chances, 1.0, kHardest));
  };
  const double many = moves;
  return {number((own ? 1 : many) / odds), number((own ? many : 1) * odds), 0};
}

// At a position that is on the board for the first time.
Numbers Solver::first_look(std::uint64_t here) {
  if (const Numbers* const known = table_.find(here)) return *known;
  const auto moves = game_.moves(lists_);
  if (!moves) return fail(moves.error()), Numbers();
  if (!moves->complete()) return stopped_ = true, Numbers();
  const auto outcome = game_.outcome();
  if (!outcome) return fail(outcome.error()), Numbers();
  const auto many = static_cast<std::uint32_t>(std::min<std::size_t>(moves->size(), kInfinite - 1));
  const Numbers numbers = outcome->has_value() ? over_as(**outcome) : estimate(many);
  table_.store(here, numbers, 1);
  return numbers;
}

std::optional<std::vector<Solver::Child>> Solver::children(int ply) {
  const auto moves = game_.moves(lists_);
  if (!moves) return fail(moves.error()), std::nullopt;
  if (!moves->complete()) return stopped_ = true, std::nullopt;
  std::vector<Child> all;
  all.reserve(moves->size());
  for (const Move move : *moves) {
    Meter::charge(kStepsOfChild);
    if (const auto played = game_.play(move); !played) return fail(played.error()), std::nullopt;
    Child child = {move, kNotWon};
    if (game_.repetitions() > 0) {
      ++solution_.repetitions;
      drawn_ = true;
    } else if (ply < kMostSolvedPlies) {
      child.numbers = first_look(key());
    } else {
      drawn_ = true;
    }
    game_.undo();
    if (stopped_) return std::nullopt;
    all.push_back(child);
  }
  return all;
}

// The winner goes for the shortest of the lines that are known to be good for him, the loser for the longest.
std::uint16_t Solver::depth_of(const std::vector<Child>& children, bool won, bool winner_moves) {
  int best = winner_moves ? std::numeric_limits<std::uint16_t>::max() : 0;
  for (const Child& child : children)
    if (child.numbers.is(won))
      best =
          winner_moves ? std::min<int>(best, child.numbers.depth) : std::max<int>(best, child.numbers.depth);
  return static_cast<std::uint16_t>(std::min<int>(1 + best, std::numeric_limits<std::uint16_t>::max()));
}

// Of the player who asks one winning move is enough; of the other one all have to be.
Numbers Solver::sum_of(const std::vector<Child>& children, bool own) const {
  std::uint32_t least = kInfinite, most = 0, open = 0;
  for (const Child& child : children) {
    const std::uint32_t one = own ? child.numbers.proof : child.numbers.disproof;
    const std::uint32_t all = own ? child.numbers.disproof : child.numbers.proof;
    least = std::min(least, one);
    most = std::max(most, all);
    open += all > 0 ? 1 : 0;
  }
  const std::uint32_t weak = most >= kInfinite ? kInfinite
                             : most == 0       ? 0
                                               : std::min(most + open - 1, kInfinite - 1);
  Numbers sum = own ? Numbers{least, weak, 0} : Numbers{weak, least, 0};
  if (sum.solved()) sum.depth = depth_of(children, sum.proven(), own == sum.proven());
  return sum;
}

Numbers Solver::search(std::uint32_t most_proof, std::uint32_t most_disproof, int ply) {
  const std::uint64_t before = solution_.nodes++;
  if (over()) return stopped_ = true, Numbers();
  if (report_ && solution_.nodes % kNodesBetweenReports == 0)
    report_({solution_.nodes, asks_ != root_mover_, root_.proof, root_.disproof, table_.full()});
  const std::uint64_t here = key();
  const bool own = game_.to_move() == asks_;
  auto all = children(ply);
  if (!all) return {};
  for (;;) {
    const Numbers sum = sum_of(*all, own);
    if (ply == 0) root_ = sum;
    if (sum.proof >= most_proof || sum.disproof >= most_disproof || sum.solved()) {
      table_.store(here, sum, solution_.nodes - before);
      for (const Child& child : *all)
        if (sum.solved() && own == sum.proven() && child.numbers.is(sum.proven()) &&
            child.numbers.depth + 1 == sum.depth)
          winning_ = child.move.index();
      return sum;
    }
    // The most promising one, until the next is as good, and a bit longer.
    Child* best = nullptr;
    std::uint32_t second = kInfinite;
    const auto number = [own](const Child& child) {
      return own ? child.numbers.proof : child.numbers.disproof;
    };
    for (Child& child : *all) {
      if (best == nullptr || number(child) < number(*best)) {
        if (best != nullptr) second = number(*best);
        best = &child;
      } else {
        second = std::min(second, number(child));
      }
    }
    const std::uint32_t slack = std::min(second + second / 4 + 1, kInfinite);
    const std::uint32_t one = std::min(own ? most_proof : most_disproof, slack);
    const std::uint32_t its = own ? best->numbers.disproof : best->numbers.proof;
    const std::uint32_t others =
        (own ? sum.disproof : sum.proof) - std::min(own ? sum.disproof : sum.proof, its);
    const std::uint32_t room = own ? most_disproof : most_proof;
    const std::uint32_t rest =
        room >= kInfinite ? kInfinite : std::max(room - std::min(room, others), its + 1);
    if (const auto played = game_.play(best->move); !played) return fail(played.error()), Numbers();
    best->numbers = own ? search(one, rest, ply + 1) : search(rest, one, ply + 1);
    game_.undo();
    if (stopped_) return {};
  }
}

Numbers Solver::ask(int player) {
  asks_ = player;
  root_ = {};
  return search(kInfinite, kInfinite, 0);
}

// `won`: by the one who asked, else by the other one. The numbers of positions may have given way to others:
// then they are worked out again.
void Solver::write_line(bool won) {
  int played = 0;
  for (; played < kMostSolvedPlies; ++played) {
    auto all = children(0);
    if (!all || all->empty()) break;
    const bool winner_moves = (game_.to_move() == asks_) == won;
    Child* best = nullptr;
    for (Child& child : *all) {
      if (!winner_moves && !child.numbers.is(won)) {
        if (stopped_ || !game_.play(child.move)) break;
        if (const auto outcome = game_.outcome(); outcome && !outcome->has_value())
          child.numbers = search(kInfinite, kInfinite, 1);
        game_.undo();
      }
      if (stopped_ || !child.numbers.is(won)) continue;
      const bool better = best == nullptr || (winner_moves ? child.numbers.depth < best->numbers.depth
                                                           : child.numbers.depth > best->numbers.depth);
      if (better) best = &child;
    }
    if (best == nullptr && winner_moves && !all->empty() && search(kInfinite, kInfinite, 1).is(won))
      best = &(*all)[winning_];
    if (best == nullptr) break;
    auto text = game_.notation(best->move);
    if (!text || !game_.play(best->move)) break;
    solution_.line.push_back(std::move(*text));
  }
  if (game_.outcome().value_or(std::nullopt))
    solution_.depth = played; // the proof may have been found once more
  while (played-- > 0) game_.undo();
}

tl::expected<Solution, Fault> Solver::run() {
  const int mover = game_.to_move();
  const auto outcome = game_.outcome();
  if (!outcome && over()) return solution_;
  if (!outcome) return tl::unexpected(outcome.error());
  if (outcome->has_value()) {
    const std::uint32_t winners = (*outcome)->winners, own = std::uint32_t{1} << mover;
    solution_.result = winners == own                         ? Proof::win
                       : winners == 0 || (winners & own) != 0 ? Proof::draw
                                                              : Proof::loss;
    if ((*outcome)->shares != 0) leave_shared();
    return solution_;
  }
  Numbers numbers = ask(mover);
  bool settled = !stopped_; // does the line show who wins?
  if (settled && numbers.proven()) {
    solution_.result = Proof::win;
  } else if (settled) {
    solution_.not_won = true;
    // Where every line that was looked at is won by somebody, who can't win has lost.
    if (players_ == 1 || !drawn_) {
      solution_.result = Proof::loss;
      settled = players_ == 2;
    } else {
      numbers = ask(1 - mover);
      settled = !stopped_ && numbers.proven();
      if (!stopped_) {
        solution_.not_lost = !numbers.proven();
        solution_.result = numbers.proven() ? Proof::loss : Proof::draw;
        if (solution_.shared && solution_.not_lost) leave_shared();
      }
    }
  }
  if (fault_) return tl::unexpected(*fault_);
  if (settled) {
    solution_.depth = numbers.depth;
    write_line(numbers.proven());
  }
  return solution_;
}

} // namespace

tl::expected<Solution, Fault> solve(const Game& game, const SolverOptions& options,
                                    const std::function<void(const SolverProgress&)>& on_progress) {
  if (game.rules().program().player_count() > 2)
    return tl::unexpected(Fault{"only games of one or two players are solved", 0});
  return Solver(game, options, on_progress).run();
}

} // namespace boardwright::runtime::search
