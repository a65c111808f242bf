#include "tools/engines/opponents.hpp"

#include "dsl/text.hpp"
#include "runtime/search/make_player.hpp"
#include "tools/console/console.hpp"
#include "tools/engines/external_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace boardwright::tools {

namespace search = runtime::search;

namespace {

struct ExternalKind {
  std::string_view name, help;
  Protocol protocol;
};
constexpr std::array<ExternalKind, 5> kExternal{
    {{"ugi", "another program that plays the game, asked in UGI; ugi:COMMAND, of the shell", Protocol::ugi},
     {"uci", "likewise in UCI; uci:COMMAND", Protocol::uci},
     {"usi", "likewise in USI; usi:COMMAND", Protocol::usi},
     {"xboard", "likewise in xboard's protocol; xboard:COMMAND", Protocol::xboard},
     {"gtp", "likewise in GTP; gtp:COMMAND", Protocol::gtp}}};

std::string name_in(const std::string& description) { return description.substr(0, description.find(':')); }

const ExternalKind* external_kind(const std::string& description) {
  const std::string name = name_in(description);
  for (const ExternalKind& kind : kExternal)
    if (kind.name == name) return &kind;
  return nullptr;
}

using Made = tl::expected<std::shared_ptr<search::Player>, std::string>;

Made make_external(const ExternalKind& kind, const std::string& description, const OpponentChoice& wanted) {
  const std::size_t begin = description.find_first_not_of(" \t", kind.name.size() + 1);
  if (begin == std::string::npos)
    return tl::unexpected(fmt::format("`{0}` needs a command, as in `{0}:COMMAND`", kind.name));
  EngineChoice choice{kind.protocol, description.substr(begin), plain_name(wanted.game), {}};
  if (!wanted.at_once) return std::shared_ptr<search::Player>(ExternalPlayer::make(std::move(choice)));
  auto started = ExternalPlayer::start(std::move(choice));
  if (!started) return tl::unexpected(std::move(started.error()));
  return std::shared_ptr<search::Player>(std::move(*started));
}

} // namespace

Made make_opponent(const std::string& description, const std::shared_ptr<const runtime::Rules>& rules,
                   const OpponentChoice& choice) {
  if (const ExternalKind* kind = external_kind(description)) return make_external(*kind, description, choice);
  std::vector<std::string_view> names = search::names_of_players();
  if (std::find(names.begin(), names.end(), name_in(description)) == names.end()) {
    for (const ExternalKind& kind : kExternal) names.push_back(kind.name);
    return tl::unexpected(
        fmt::format("there is no player `{}`; there are {}", quotable(description), fmt::join(names, " ")));
  }
  search::PlayerChoice wanted;
  wanted.seed = choice.seed;
  wanted.threads = choice.threads;
  wanted.learnt = choice.weights;
  wanted.megabytes = choice.megabytes;
  auto made = search::make_player(description, rules, wanted);
  if (!made) return tl::unexpected(std::move(made.error()));
  return std::shared_ptr<search::Player>(std::move(*made));
}

tl::expected<Sitter, std::string> make_sitter(std::string description,
                                              const std::shared_ptr<const runtime::Rules>& rules,
                                              const OpponentChoice& choice) {
  const std::size_t name = std::min(description.find(':'), description.size());
  description.replace(0, name, dsl::to_lower(std::string_view(description).substr(0, name)));
  if (description == "person" || description == "random") return Sitter{std::move(description), nullptr};
  auto made = make_opponent(description, rules, choice);
  if (made) return Sitter{std::move(description), std::move(*made)};
  std::string why = std::move(made.error());
  const std::size_t list = why.find("; there are ");
  if (list != std::string::npos) why.insert(list + 12, "person ");
  return tl::unexpected(std::move(why));
}

search::Calibration calibration_for(const std::string& description,
                                    const std::shared_ptr<const runtime::Rules>& rules,
                                    const OpponentChoice& choice, const search::CalibrationLimits& limits) {
  // What a tree says of a game of chance is the share of what was rolled in it: it needs no scale.
  if (rules->program().chance) return {1, 0, 0};
  if (is_external(description) || rules->program().players.size() != 2) return {};
  OpponentChoice alike = choice;
  alike.threads = 1; // short thoughts; and so they are the same every time
  const auto player = make_opponent(description, rules, alike);
  return player ? search::learn_calibration(rules, **player, limits) : search::Calibration();
}

bool is_external(const std::string& description) { return external_kind(description) != nullptr; }
bool needs_time(const std::string& description) {
  const ExternalKind* kind = external_kind(description);
  return kind != nullptr && (kind->protocol == Protocol::xboard || kind->protocol == Protocol::gtp);
}

std::string descriptions_of_opponents() {
  std::string text = search::descriptions_of_players();
  for (const ExternalKind& kind : kExternal) text += fmt::format("  {:<9} {}\n", kind.name, kind.help);
  return text;
}

std::string plain_name(const std::string& reference) {
  const std::size_t slash = reference.rfind('/');
  const std::string last = slash == std::string::npos ? reference : reference.substr(slash + 1);
  return last.substr(0, last.rfind(".yaml"));
}

std::string_view word_of(search::Proof proof) {
  switch (proof) {
  case search::Proof::win: return "win";
  case search::Proof::draw: return "draw";
  case search::Proof::loss: return "loss";
  case search::Proof::unknown: break;
  }
  return "";
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
