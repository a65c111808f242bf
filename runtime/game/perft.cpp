#include "runtime/game/perft.hpp"

#include "runtime/game/line.hpp"

#include <algorithm>
#include <unordered_set>

namespace boardwright::runtime {

namespace {

using executor::Engine;
using executor::Purpose;

class Counter {
public:
  Counter(Engine& engine, const PerftOptions& options) : engine_(engine), options_(options) {}

  // Counts the lines of `depth` moves from here. False: a fault, or stopped.
  bool lines(int depth) {
    count.stopped = options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
    if (count.stopped) return false;
    const bool last = depth == 1 && !options_.distinct;
    auto judged = engine_.judge(last ? Purpose::count : Purpose::list);
    if (!judged) return fail(std::move(judged.error()));
    if (judged->outcome) return true;
    if (last) {
      count.leaves += judged->moves;
      return true;
    }
    std::unordered_set<std::uint64_t> met; // what moves have led to, where equal ones count once
    for (std::size_t k = 0; k < judged->moves; ++k)
      if (!below(k, depth - 1, met)) return false;
    return true;
  }

  PerftCount count;
  std::optional<Fault> fault;

private:
  bool fail(Fault f) {
    fault = std::move(f);
    return false;
  }
  bool below(std::size_t move, int depth, std::unordered_set<std::uint64_t>& met) {
    auto played = engine_.play_listed(move);
    if (!played) return fail(std::move(played.error()));
    bool good = true;
    const std::uint64_t decided = *played ? std::uint64_t{(*played)->winners} + 1 : 0;
    if (!options_.distinct || met.insert(chain(engine_.key(), decided)).second) {
      if (depth == 0)
        ++count.leaves;
      else if (!*played)
        good = lines(depth);
    }
    engine_.undo();
    return good;
  }

  Engine& engine_;
  const PerftOptions& options_;
};

} // namespace

tl::expected<PerftCount, Fault> perft(Game& game, const PerftOptions& options) {
  if (options.depth <= 0) return PerftCount{1, false};
  if (auto fault = game.line_->judge()) return tl::unexpected(std::move(*fault));
  game.line_->forget_list();
  Counter counter(game.line_->engine(), options);
  if (!counter.lines(options.depth) && counter.fault) return tl::unexpected(std::move(*counter.fault));
  return counter.count;
}

} // namespace boardwright::runtime
