// Several good moves instead of one, each with the line that is expected after it, by any player.
#pragma once

#include "runtime/search/player.hpp"

#include <functional>
#include <vector>

namespace boardwright::tools {

inline constexpr int kMostLines = 256; // as many as other programs offer; of most positions all moves

// The best first. In rounds, each four times as long as the last: the best move, the best one without it, and
// so on; `on_round` is told of each round that is complete, and of the first one in any case. The limits are
// those of all of it, but that the first round takes as many nodes as it needs. What was found in the first
// round at least, however little time there is; less than `count` where there are not so many moves. A fault:
// a rule went wrong.
[[nodiscard]] tl::expected<std::vector<runtime::search::Thought>, runtime::Fault>
best_lines(runtime::search::Player& player, const runtime::Game& game,
           const runtime::search::ThinkLimits& limits, int count,
           const std::function<void(const std::vector<runtime::search::Thought>&)>& on_round);

} // namespace boardwright::tools
