#include "runtime/model/shares.hpp"

#include "runtime/model/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace boardwright::runtime {

namespace {

int most_parts(Result parts) {
  int most = 0;
  for (int player = 0; player < kMostPlayers; ++player) most = std::max(most, parts_of(parts, player));
  return most;
}

} // namespace

Result result_of_parts(Result parts, int players) {
  const int most = most_parts(parts);
  Result winners = 0;
  for (int player = 0; player < players; ++player) {
    const int his = parts_of(parts, player);
    if (his != 0 && his != most) return parts;
    if (his != 0) winners |= Result{1} << player;
  }
  return players > 1 && std::popcount(winners) == players ? 0 : winners;
}

std::uint32_t who_have_most(Result result) {
  if (!is_shared(result)) return static_cast<std::uint32_t>(result);
  std::uint32_t winners = 0;
  for (int player = 0; player < kMostPlayers; ++player)
    if (parts_of(result, player) == most_parts(result)) winners |= std::uint32_t{1} << player;
  return winners;
}

Outcome outcome_of(Result result, std::uint32_t origin, Outcome::By by) {
  return {who_have_most(result), origin, by, is_shared(result) ? result : 0};
}

std::string fraction_text(int parts, int whole) {
  const int common = std::max(1, std::gcd(parts, whole));
  return whole == common ? std::to_string(parts / common)
                         : fmt::format("{}/{}", parts / common, whole / common);
}

std::string shares_text(const Program& program, Result result) {
  if (!is_shared(result)) return {};
  std::string text;
  for (int player = 0; player < program.player_count(); ++player)
    if (const int parts = parts_of(result, player); parts > 0)
      text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", fraction_text(parts, whole_of(result)),
                          program.players[static_cast<std::size_t>(player)].name);
  return text;
}

} // namespace boardwright::runtime
