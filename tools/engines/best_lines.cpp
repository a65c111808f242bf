#include "tools/engines/best_lines.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

namespace boardwright::tools {
namespace {

namespace search = runtime::search;
using Lines = std::vector<search::Thought>;

constexpr std::uint64_t kFirstNodes = 1000; // of each line, in the first round
// So long after the time is over lines of the first round are still looked for, each by one node.
constexpr std::chrono::milliseconds kGrace{20};

class Rounds {
public:
  Rounds(search::Player& player, const runtime::Game& game, const search::ThinkLimits& limits,
         std::vector<std::uint32_t> moves, std::size_t count)
      : player_(player), game_(game), limits_(limits), moves_(std::move(moves)),
        count_(std::min(count, moves_.size())) {}

  tl::expected<Lines, runtime::Fault> run(const std::function<void(const Lines&)>& on_round) {
    Lines best;
    // Where there are few nodes, each line has its share of them from the first round on.
    const std::uint64_t share = std::max<std::uint64_t>(limits_.most_nodes / count_, 1);
    for (std::uint64_t nodes = std::min(kFirstNodes, share);; nodes *= 4) {
      settled_ = true;
      auto lines = round(nodes);
      if (!lines) return lines;
      const bool first = best.empty(), whole = lines->size() == count_;
      if (first || (whole && !is_over())) best = std::move(*lines), on_round(best);
      first_ = false;
      if (!whole || settled_ || is_over()) return best;
    }
  }

private:
  // The first round is finished, however many nodes it takes.
  [[nodiscard]] bool is_over() const {
    return (limits_.stop != nullptr && *limits_.stop) || (!first_ && spent_ >= limits_.most_nodes) ||
           (limits_.deadline && std::chrono::steady_clock::now() >= *limits_.deadline);
  }

  [[nodiscard]] bool has_grace() const {
    return first_ && limits_.deadline && (limits_.stop == nullptr || !*limits_.stop) &&
           std::chrono::steady_clock::now() < *limits_.deadline + kGrace;
  }

  tl::expected<Lines, runtime::Fault> round(std::uint64_t nodes) {
    Lines lines;
    search::ThinkLimits limits = limits_;
    limits.only = moves_;
    while (lines.size() < count_ && !limits.only.empty() && (lines.empty() || !is_over() || has_grace())) {
      limits.most_nodes = is_over() ? 1 : first_ ? nodes : std::min(nodes, limits_.most_nodes - spent_);
      auto thought = player_.think(game_, limits);
      if (!thought) return tl::unexpected(std::move(thought.error()));
      if (!thought->move) break;
      spent_ += std::max<std::uint64_t>(thought->nodes, 1);
      settled_ = settled_ && thought->nodes < limits.most_nodes; // more time would tell no more
      std::erase(limits.only, thought->move->index());
      lines.push_back(std::move(*thought));
    }
    // What comes later may turn out better, where little was looked at.
    std::stable_sort(lines.begin(), lines.end(),
                     [](const auto& a, const auto& b) { return a.value > b.value; });
    return lines;
  }

  search::Player& player_;
  const runtime::Game& game_;
  const search::ThinkLimits& limits_;
  std::vector<std::uint32_t> moves_; // that may be answered
  std::size_t count_;
  std::uint64_t spent_ = 0; // nodes
  bool first_ = true;       // round
  bool settled_ = false;
};

} // namespace

tl::expected<Lines, runtime::Fault> best_lines(search::Player& player, const runtime::Game& game,
                                               const search::ThinkLimits& limits, int count,
                                               const std::function<void(const Lines&)>& on_round) {
  std::vector<std::uint32_t> moves = limits.only;
  if (moves.empty()) {
    runtime::Game copy = game;
    const auto all = copy.moves();
    if (!all) return tl::unexpected(all.error());
    moves.resize(all->size());
    std::iota(moves.begin(), moves.end(), 0U);
  }
  if (moves.empty()) return Lines();
  return Rounds(player, game, limits, std::move(moves), static_cast<std::size_t>(std::max(count, 1)))
      .run(on_round);
}

} // namespace boardwright::tools
