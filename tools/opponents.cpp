#include "tools/opponents.hpp"

#include "runtime/search/make_player.hpp"
#include "tools/console.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {

namespace search = runtime::search;

tl::expected<std::shared_ptr<search::Player>, std::string>
make_opponent(const std::string& description, const std::shared_ptr<const runtime::Rules>& rules,
              std::uint64_t seed, Weights weights) {
  search::PlayerChoice choice;
  choice.seed = seed;
  choice.weights = std::move(weights);
  auto made = search::make_player(description, rules, choice);
  if (!made) return tl::unexpected(std::move(made.error()));
  return std::shared_ptr<search::Player>(std::move(*made));
}

std::string value_text(double value, search::Proof proof) {
  switch (proof) {
  case search::Proof::win: return "a win, proven";
  case search::Proof::draw: return "a draw, proven";
  case search::Proof::loss: return "a loss, proven";
  case search::Proof::unknown: break;
  }
  return fmt::format("{:.1f} %", 100 * value);
}

std::string thought_text(const runtime::Program& program, int player, const search::Thought& thought) {
  constexpr std::size_t kMost = 8; // moves of the line
  const std::string& name = program.players[static_cast<std::size_t>(player)].name;
  std::string text = fmt::format("{} for {}", value_text(thought.value, thought.proof), name);
  if (thought.depth > 0)
    text += fmt::format(", {} move{} ahead", thought.depth, thought.depth == 1 ? "" : "s");
  if (thought.nodes > 0) text += fmt::format(", {} positions", grouped(thought.nodes));
  const std::size_t shown = std::min(thought.line.size(), kMost);
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? ": " : " ") + thought.line[i];
  if (shown < thought.line.size()) text += " …";
  if (!thought.remark.empty()) text += fmt::format(" ({})", thought.remark);
  return printable(text);
}

} // namespace boardwright::tools
