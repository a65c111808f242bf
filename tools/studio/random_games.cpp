#include "tools/studio/random_games.hpp"

#include "runtime/model/shares.hpp"
#include "tools/games/endings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace boardwright::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kMostPlies = 2000; // as `playouts` has it

runtime::Ending& entry_for(const runtime::Outcome& how, runtime::PlayoutResult& sum) {
  for (runtime::Ending& ending : sum.endings)
    if (ending.how.by == how.by && ending.how.origin == how.origin) return ending;
  return sum.endings.emplace_back(runtime::Ending{how, 0, std::vector<std::uint64_t>(sum.wins.size()), 0});
}

} // namespace

RandomGames::RandomGames(const interpreter::Loaded& loaded, std::uint64_t seed)
    : loaded_(loaded), seed_(seed), player_(loaded.rules) {
  sum_.wins.assign(loaded.rules->program().players.size(), 0);
}

void RandomGames::play(std::chrono::milliseconds time, std::uint64_t most) {
  constexpr int kBetweenLooks = 8; // at the clock, which is far away from a worker
  const Clock::time_point begin = Clock::now();
  while (fault_.empty() && sum_.playouts < most && Clock::now() - begin < time) {
    for (int i = 0; i < kBetweenLooks && sum_.playouts < most; ++i) {
      runtime::Random random = runtime::random_of_game(seed_, sum_.playouts);
      const auto game = player_.play(random, kMostPlies);
      if (!game) {
        fault_ = game.error().message;
        break;
      }
      count(*game);
    }
  }
  seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
}

void RandomGames::count(const runtime::Playout& game) {
  ++sum_.playouts;
  sum_.plies += game.plies;
  sum_.moves += game.moves;
  if (!game.outcome) {
    ++sum_.unfinished;
    return;
  }
  ++lengths_[game.plies];
  runtime::Ending& ending = entry_for(*game.outcome, sum_);
  ++ending.games;
  if (game.outcome->winners == 0) {
    ++sum_.draws;
    ++ending.draws;
  }
  if (game.outcome->shares != 0) ++sum_.shared[game.outcome->shares];
  for (std::size_t player = 0; player < sum_.wins.size(); ++player) {
    const std::uint64_t won = game.outcome->winners >> player & 1U;
    sum_.wins[player] += won;
    ending.wins[player] += won;
  }
}

Json RandomGames::view() const {
  Json view = {{"games", sum_.playouts},        {"wins", sum_.wins},   {"draws", sum_.draws},
               {"unfinished", sum_.unfinished}, {"plies", sum_.plies}, {"moves", sum_.moves},
               {"seconds", seconds_},           {"fault", fault_}};
  for (const auto& [parts, games] : sum_.shared)
    view["shared"].push_back(
        {{"text", runtime::shares_text(loaded_.rules->program(), parts)}, {"games", games}});
  view["lengths"] = Json::array();
  for (const auto& [plies, games] : lengths_) view["lengths"].push_back({plies, games});
  view["endings"] = Json::array();
  for (const EndingCount& ending : endings_of(loaded_, sum_))
    view["endings"].push_back({{"by", ending.by},
                               {"rule", ending.rule},
                               {"games", ending.games},
                               {"wins", ending.wins},
                               {"draws", ending.draws}});
  return view;
}

} // namespace boardwright::tools
