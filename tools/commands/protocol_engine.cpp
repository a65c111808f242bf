#include "tools/commands/protocol_engine.hpp"

#include "dsl/finder.hpp"
#include "dsl/text.hpp"
#include "runtime/search/levels.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/engines/best_lines.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/engines/weights_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace boardwright::tools {
namespace {

namespace search = runtime::search;
using Set = tl::expected<void, std::string>;

constexpr int kMostMegabytes = 1 << 20;
constexpr int kUsualMegabytes = 64; // of alpha-beta; a tree grows to more where nothing is said

// What remarks of players begin with that whoever reads a log learns from no other line.
constexpr std::array<std::string_view, 3> kWorthTelling = {"alphabeta: ", "mcts: ", "a rule went wrong"};

Set set_number(const std::string& name, const std::string& text, int low, int high, int& target) {
  const auto number = dsl::number_in<std::int64_t>(text);
  if (!number || *number < low || *number > high)
    return tl::unexpected(fmt::format("{}: a number from {} to {}", name, low, high));
  target = static_cast<int>(*number);
  return {};
}

Set set_truth(const std::string& name, const std::string& text, bool& target) {
  if (text != "true" && text != "false") return tl::unexpected(name + ": true or false");
  target = text == "true";
  return {};
}

bool is_known_game(const std::string& name) {
  const auto known = dsl::known_games();
  return std::find(known.begin(), known.end(), name) != known.end();
}

} // namespace

ProtocolEngine::ProtocolEngine(interpreter::Loaded loaded, ProtocolOptions options, Weights weights,
                               Console& console)
    : options_(std::move(options)),
      console_(console), now_{std::move(loaded), options_.game, std::move(weights)},
      first_(now_), set_{options_.player, options_.threads, std::nullopt, false, search::kLastElo},
      game_asked_(variant()) {}

std::string ProtocolEngine::variant() const { return plain_name(now_.game.reference); }

ProtocolEngine::Thinker ProtocolEngine::thinker() const {
  const std::string held_back = fmt::format("level:{}", search::level_of_elo(set_.elo));
  return {set_.limited ? held_back : set_.player, set_.threads, set_.megabytes};
}

tl::expected<std::shared_ptr<search::Player>, std::string>
ProtocolEngine::player_of(const Chosen& chosen) const {
  const Thinker who = thinker();
  auto player =
      make_opponent(who.description, chosen.loaded.rules,
                    {options_.seed, who.threads, chosen.weights, chosen.game.reference, true, who.megabytes});
  if (!player) return tl::unexpected(player.error());
  return std::shared_ptr<search::Player>(std::move(*player));
}

Set ProtocolEngine::new_player() {
  auto player = player_of(now_);
  if (!player) return tl::unexpected(player.error());
  player_ = std::move(*player);
  remarks_.clear();
  return {};
}

Set ProtocolEngine::take(Chosen chosen) {
  auto player = player_of(chosen);
  if (!player) return tl::unexpected(player.error());
  now_ = std::move(chosen);
  player_ = std::move(*player);
  remarks_.clear();
  return {};
}

std::vector<EngineOption> ProtocolEngine::all_options(bool games) const {
  using Type = EngineOption::Type;
  const auto number = [](const char* name, int value, int low, int high) {
    return EngineOption{Type::spin, name, std::to_string(value), low, high};
  };
  std::vector<EngineOption> all = {
      {Type::text, "Player", options_.player},
      number("Threads", options_.threads, 1, kMaxThreads),
      number("Hash", kUsualMegabytes, 1, kMostMegabytes),
      number("MultiPV", 1, 1, kMostLines),
      {Type::check, "Ponder", "false"},
      number("Skill Level", search::kLastLevel, search::kFirstLevel, search::kLastLevel)};
  if (!games) return all;
  std::set<std::string> names(options_.variants.begin(), options_.variants.end());
  names.insert(variant());
  all.push_back({Type::combo, "UCI_Variant", variant(), 0, 0, {names.begin(), names.end()}});
  all.push_back({Type::check, "UCI_Chess960", "false"});
  all.push_back({Type::check, "UCI_LimitStrength", "false"});
  all.push_back(number("UCI_Elo", search::kLastElo, search::kFirstElo, search::kLastElo));
  return all;
}

tl::expected<bool, std::string> ProtocolEngine::set_option(const std::string& name, const std::string& text,
                                                           bool games) {
  if (name == "Ponder") return false; // a program says that it will: nothing is done otherwise
  if (name == "UCI_Variant" && games) return choose_game(text, dealt_);
  if (name == "UCI_Chess960" && games) {
    bool dealt = false;
    if (const auto set = set_truth(name, text, dealt); !set) return tl::unexpected(set.error());
    return choose_game(game_asked_, dealt);
  }
  const Thinker same = thinker();
  const Settable before = set_;
  if (const auto set = set_thinker(name, text, games); !set) return tl::unexpected(set.error());
  if (thinker() == same) return false; // a new one would have forgotten what it knows of the game
  if (const auto made = new_player(); !made) {
    set_ = before;
    return tl::unexpected(made.error());
  }
  return false;
}

Set ProtocolEngine::set_thinker(const std::string& name, const std::string& text, bool games) {
  if (name == "MultiPV") return set_number(name, text, 1, kMostLines, lines_);
  if (name == "UCI_LimitStrength" && games) return set_truth(name, text, set_.limited);
  if (name == "UCI_Elo" && games)
    return set_number(name, text, search::kFirstElo, search::kLastElo, set_.elo);
  if (name == "Player") {
    if (is_external(text)) // it would run any command for whoever speaks the protocol
      return tl::unexpected(std::string("other programs are named by --player, on the command line"));
    return void(set_.player = text), Set();
  }
  if (name == "Threads") return set_number(name, text, 1, kMaxThreads, set_.threads);
  if (name == "Hash") {
    int megabytes = 0;
    const auto set = set_number(name, text, 1, kMostMegabytes, megabytes);
    if (set) set_.megabytes = megabytes;
    return set;
  }
  if (name == "Skill Level") {
    int level = 0;
    const auto set = set_number(name, text, search::kFirstLevel, search::kLastLevel, level);
    if (set) set_.player = level == search::kLastLevel ? "auto" : fmt::format("level:{}", level);
    return set;
  }
  return tl::unexpected("there is no option `" + quotable(name) + "`");
}

// The game, and apart from that whether its first row is dealt by lot: here this is another game, which is
// called by the same name and 960, if there is one.
tl::expected<bool, std::string> ProtocolEngine::choose_game(const std::string& name, bool dealt) {
  const bool other = dealt && is_known_game(name + "960");
  auto loaded = load_game(other ? name + "960" : name);
  if (loaded) game_asked_ = name, dealt_ = dealt;
  return loaded;
}

tl::expected<bool, std::string> ProtocolEngine::load_game(const std::string& name) {
  if (name == variant()) return false;
  const auto failed = [](std::string why) { return tl::unexpected(std::move(why)); };
  if (!is_known_game(name))
    return failed("there is no game `" + quotable(name) + "`; the game is " + variant());
  auto loaded = interpreter::load(name);
  if (!loaded) return failed("the game `" + quotable(name) + "` does not load: " + loaded.errors());
  runtime::Game begin(loaded.rules);
  if (const auto why = why_not_by(options_.protocol, begin)) return failed(quotable(name) + ": " + *why);
  GameChoice choice{name, {}, ""};
  auto weights = find_weights("", choice, loaded, console_);
  if (!weights) return failed("the weights of `" + quotable(name) + "` can't be read");
  if (const auto taken = take({std::move(loaded), std::move(choice), std::move(*weights)}); !taken)
    return failed(taken.error());
  return true;
}

void ProtocolEngine::first_game() {
  if (now_.loaded.rules == first_.loaded.rules) return;
  now_ = first_;
  game_asked_ = variant();
  dealt_ = false;
}

Set ProtocolEngine::set_rule(const std::string& option, const std::string& value,
                             const std::function<bool(const std::shared_ptr<const runtime::Rules>&)>& fits) {
  GameChoice choice = now_.game;
  std::erase_if(choice.settings, [&](const auto& setting) { return setting.first == option; });
  choice.settings.emplace_back(option, value);
  auto loaded = interpreter::load(choice.reference, choice.settings);
  if (!loaded) return tl::unexpected(loaded.errors());
  if (!fits(loaded.rules)) return tl::unexpected("this value of `" + option + "` doesn't fit");
  auto weights = find_weights(options_.weights, choice, loaded, console_);
  if (!weights) return tl::unexpected(std::string("the weights can't be read"));
  return take({std::move(loaded), std::move(choice), std::move(*weights)});
}

std::vector<std::string> ProtocolEngine::new_remarks(std::string_view remarks) {
  std::vector<std::string> told;
  while (!remarks.empty()) {
    const auto end = std::min(remarks.find("; "), remarks.size());
    const std::string remark = on_one_line(printable(std::string(remarks.substr(0, end))));
    remarks.remove_prefix(std::min(end + 2, remarks.size()));
    const bool worth = std::any_of(kWorthTelling.begin(), kWorthTelling.end(),
                                   [&](std::string_view begin) { return remark.starts_with(begin); });
    if (worth && remarks_.insert(remark).second) told.push_back(remark);
  }
  return told;
}

std::vector<std::string> line_by(Protocol protocol, const runtime::Game& begin,
                                 const search::Thought& thought) {
  constexpr std::size_t kMostShown = 12;
  runtime::Game game(begin);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < thought.line.size() && i < kMostShown; ++i) {
    const auto move = game.find(thought.line[i]);
    if (!move || !*move) break;
    const auto word = protocol_move(game, **move, protocol);
    if (!word || !game.play(**move)) break;
    words.push_back(*word);
  }
  return words;
}

} // namespace boardwright::tools
