#include "runtime/game/perft.hpp"

#include "runtime/game/line.hpp"
#include "runtime/model/limits.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/model/shares.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace boardwright::runtime {

namespace {

// On the account of the command: to play a move, to take it back, to begin a list.
constexpr std::uint64_t kStepsOfPosition = 60;

using executor::Engine;
using executor::Purpose;

class Counter {
public:
  Counter(Engine& engine, const Program& program, const PerftOptions& options)
      : engine_(engine), program_(program), options_(options) {
    limits_.stop = options.stop;
  }

  // Counts the lines of so many moves from here. There may be thousands in a line, so the positions of one
  // are on a stack in memory. A fault, or stopped: the line stays as long as it is then.
  void count_lines() {
    if (!enter()) return;
    while (!line_.empty() && go_on()) {
    }
  }
  void take_back() {
    for (; begun_ > 0; --begun_) engine_.undo();
  }

  PerftCount count;
  std::optional<Fault> fault;

private:
  struct Place { // a position of the line, and which of its moves come next
    std::uint64_t moves = 0, next = 0;
    std::size_t bytes = 0;
    std::unordered_set<std::uint64_t> met; // what moves have led to, where equal ones count once
  };

  [[nodiscard]] int left() const { return options_.depth - static_cast<int>(line_.size()); }
  bool fail(Fault f) {
    fault = std::move(f);
    return false;
  }

  // Counts the moves of the position, or puts it on the stack.
  bool enter() {
    Meter::charge(kStepsOfPosition);
    if (Meter::gave_up()) return too_long(); // an answer without a loop asks for no steps
    const bool last = left() == 1 && !options_.distinct;
    auto judged = engine_.judge(last ? Purpose::count : Purpose::list, &limits_);
    if (!judged) return fail(std::move(judged.error()));
    if (!judged->complete || limits_.over()) {
      count.stopped = true;
      return false;
    }
    if (judged->outcome || last) {
      if (last && !judged->outcome) count.leaves += judged->moves;
      return true;
    }
    line_.push_back({judged->moves, 0, engine_.list_bytes(static_cast<std::size_t>(engine_.length())), {}});
    bytes_ += line_.back().bytes;
    return bytes_ <= kMaxBytes || too_many_bytes();
  }

  bool too_long() {
    const auto mover = static_cast<std::size_t>(engine_.to_move());
    return fail({"this takes too long: a command may take " + std::to_string(kMaxCommandSteps) + " steps",
                 program_.nodes[program_.players[mover].turn].origin});
  }

  bool too_many_bytes() {
    const auto mover = static_cast<std::size_t>(engine_.to_move());
    return fail({"the moves along one line take more than " + std::to_string(kMaxBytes) + " bytes",
                 program_.nodes[program_.players[mover].turn].origin});
  }

  // The next move of the last position of the line.
  bool go_on() {
    Place& place = line_.back();
    if (place.next == place.moves) {
      bytes_ -= place.bytes;
      line_.pop_back();
      if (!line_.empty()) undo();
      return true;
    }
    auto played = engine_.play_listed(place.next++);
    if (!played) return fail(std::move(played.error()));
    ++begun_;
    const std::uint64_t decided = *played ? result_of(**played) + 1 : 0;
    if (options_.distinct && !is_new(place, chain(engine_.key(), decided))) {
      undo();
      return fault == std::nullopt;
    }
    if (left() == 0) ++count.leaves;
    const std::size_t before = line_.size();
    if (left() > 0 && !*played && !enter()) return false;
    if (line_.size() == before) undo(); // nothing comes below it
    return true;
  }

  bool is_new(Place& place, std::uint64_t key) {
    constexpr std::size_t kBytesOfKey = 40; // in a set, about
    if (!place.met.insert(key).second) return false;
    place.bytes += kBytesOfKey;
    bytes_ += kBytesOfKey;
    return bytes_ <= kMaxBytes || too_many_bytes();
  }
  void undo() {
    engine_.undo();
    --begun_;
  }

  Engine& engine_;
  const Program& program_;
  const PerftOptions& options_;
  executor::Limits limits_;
  std::vector<Place> line_;
  int begun_ = 0;         // moves that have been played
  std::size_t bytes_ = 0; // of the lists along the line
};

// Counts with weights by the game's own functions: a list is as long as there are outcomes, and nature's
// weights are known only behind its moves, so that little is won by an engine of its own.
class Weigher {
public:
  Weigher(Game& game, const std::atomic<bool>* stop) : game_(game) { limits_.stop = stop; }

  // Nothing: it was stopped.
  tl::expected<std::optional<double>, Fault> below(int depth) {
    Meter::charge(kStepsOfPosition);
    if (depth == 0) return 1;
    if (Meter::gave_up())
      return tl::unexpected(
          Fault{"this takes too long: a command may take " + std::to_string(kMaxCommandSteps) + " steps", 0});
    const auto outcome = game_.outcome();
    if (!outcome) return tl::unexpected(outcome.error());
    if (*outcome) return 0;
    const auto all = game_.moves(limits_);
    if (!all) return tl::unexpected(all.error());
    if (!all->complete()) return std::nullopt;
    const std::size_t moves = all->size();
    if (!game_.is_chance()) return depth == 1 ? static_cast<double>(moves) : sum_of(depth, moves, {});
    if (depth == 1) return 1; // some outcome comes
    const auto weights = game_.weights();
    if (!weights) return tl::unexpected(weights.error());
    return sum_of(depth, moves, *weights);
  }

private:
  // Of all moves; of nature's by their share of all weights.
  tl::expected<std::optional<double>, Fault> sum_of(int depth, std::size_t moves,
                                                    const std::vector<std::int64_t>& weights) {
    double sum = 0, of_weights = 0;
    for (std::size_t i = 0; i < moves; ++i) {
      const auto all = game_.moves(limits_); // anew: it ends when the game moves on
      if (!all) return tl::unexpected(all.error());
      if (!all->complete() || i >= all->size()) return std::nullopt;
      if (auto played = game_.play((*all)[i]); !played) return tl::unexpected(std::move(played).error());
      const auto found = below(depth - 1);
      game_.undo();
      if (!found || !*found) return found;
      const double weight = weights.empty() ? 1 : static_cast<double>(weights[i]);
      sum += weight * **found;
      of_weights += weight;
    }
    return weights.empty() || of_weights == 0 ? sum : sum / of_weights;
  }

  Game& game_;
  ListLimits limits_;
};

} // namespace

tl::expected<PerftCount, Fault> perft(Game& game, const PerftOptions& options) {
  if (options.depth <= 0) return PerftCount{1, false};
  if (auto fault = game.line().judge()) return tl::unexpected(std::move(*fault));
  game.line().forget_list();
  Counter counter(game.line().engine(), game.rules().program(), options);
  counter.count_lines();
  counter.take_back();
  if (counter.fault) return tl::unexpected(std::move(*counter.fault));
  return counter.count;
}

tl::expected<WeighedCount, Fault> weighed_perft(Game& game, const PerftOptions& options) {
  const auto found = Weigher(game, options.stop).below(std::max(options.depth, 0));
  if (!found) return tl::unexpected(found.error());
  return WeighedCount{found->value_or(0), !*found};
}

} // namespace boardwright::runtime
