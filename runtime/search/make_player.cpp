#include "runtime/search/make_player.hpp"

#include "runtime/model/random.hpp"
#include "runtime/search/alpha_beta.hpp"
#include "runtime/search/choose_search.hpp"
#include "runtime/search/information_search.hpp"
#include "runtime/search/levels.hpp"
#include "runtime/search/tree_search.hpp"
#include "runtime/search/varied.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace boardwright::runtime::search {

namespace {

class RandomMoves final : public Player {
public:
  explicit RandomMoves(std::uint64_t seed) : random_(mix(seed)) {}
  tl::expected<Thought, Fault> think(const Game& game, const ThinkLimits& limits, const OnThought&) override {
    Game copy = game;
    const auto moves = copy.moves();
    if (!moves) return tl::unexpected(moves.error());
    Thought thought;
    if (moves->empty()) return thought;
    thought.move = limits.only.empty() ? (*moves)[random_.below(moves->size())]
                                       : (*moves)[limits.only[random_.below(limits.only.size())]];
    thought.nodes = 1;
    if (auto text = copy.notation(*thought.move)) thought.line.push_back(std::move(*text));
    return thought;
  }

private:
  Random random_;
};

// ---------------------------------------------------------------- settings, `name=value` with commas between

template <class Number>
std::optional<Number> number_of(std::string_view text, Number low, Number high) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= low && value <= high)) return {};
  return value;
}

struct Setting {
  std::string_view name;
  std::string values; // in words
  std::function<bool(std::string_view)> set;
};

template <class Number>
Setting number(std::string_view name, Number& target, Number low, Number high) {
  return {name, fmt::format("a number from {} to {}", low, high),
          [&target, low, high](std::string_view text) {
            const auto value = number_of(text, low, high);
            if (value) target = *value;
            return value.has_value();
          }};
}

Setting nodes_limit(std::uint64_t& target) {
  return number("nodes", target, std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max());
}

Setting on_off(std::string_view name, bool& target) {
  return {name, "on or off", [&target](std::string_view text) {
            if (text != "on" && text != "off") return false;
            target = text == "on";
            return true;
          }};
}

Setting judging(std::string_view name, Judging& target) {
  return {name, "off, auto or on", [&target](std::string_view text) {
            if (text != "off" && text != "auto" && text != "on") return false;
            target = text == "off" ? Judging::never : text == "on" ? Judging::always : Judging::if_it_pays;
            return true;
          }};
}

Setting without(Techniques& target) {
  return {"without",
          fmt::format("names of techniques with `+` between them ({})", fmt::join(kTechniques, " ")),
          [&target](std::string_view names) { return target.switch_off(names); }};
}

// "" or what is wrong.
std::string read_settings(std::string_view text, const std::vector<Setting>& settings) {
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const std::size_t equals = one.find('=');
    const std::string_view name = one.substr(0, equals);
    const auto found = std::find_if(settings.begin(), settings.end(),
                                    [&](const Setting& setting) { return setting.name == name; });
    if (found == settings.end()) {
      std::string names;
      for (const Setting& setting : settings) names += fmt::format(" {}", setting.name);
      return fmt::format("there is no setting `{}`; there are{}", name, names);
    }
    if (equals == std::string_view::npos || !found->set(one.substr(equals + 1)))
      return fmt::format("`{}` needs {}, as in `{}=…`", name, found->values, name);
  }
  return "";
}

// ---------------------------------------------------------------- kinds of players

using Made = tl::expected<std::unique_ptr<Player>, std::string>;

// What is known of a player before it is made.
struct Wanted {
  std::string_view settings; // behind the colon
  std::shared_ptr<const Rules> rules;
  PlayerChoice choice;
  bool open = false; // nothing is hidden from him

  [[nodiscard]] bool kept_from_him() const { return rules->program().hides() && !open; }
};

struct PlayerKind {
  std::string_view name, help;
  Made (*make)(const Wanted& wanted);
};

Made make_random(const Wanted& wanted) {
  if (!wanted.settings.empty()) return tl::unexpected(std::string("`random` has no settings"));
  return make_random_player(wanted.choice.seed);
}

constexpr int kMostThreads = 1024, kMostMegabytes = 1 << 20;

// Where something is hidden positions aren't searched, but what is known of them.
Made make_informed(const Wanted& wanted) {
  InformationSearchOptions options;
  options.seed = wanted.choice.seed;
  constexpr std::size_t kMostWorlds = 100'000;
  int megabytes = wanted.choice.megabytes.value_or(static_cast<int>(options.most_bytes >> 20));
  const std::string wrong = read_settings(
      wanted.settings, {number("memory", megabytes, 1, kMostMegabytes), nodes_limit(options.most_nodes),
                        number("explore", options.exploration, 0.0, 100.0),
                        number("worlds", options.worlds, std::size_t{1}, kMostWorlds),
                        number("plies", options.games.most_plies, 1U, 1'000'000U),
                        number("judge_at", options.games.judged_plies, 1U, 1'000'000U),
                        judging("judge", options.games.judging)});
  if (!wrong.empty()) return tl::unexpected(wrong);
  options.most_bytes = static_cast<std::size_t>(megabytes) << 20;
  return make_information_search(wanted.rules, options);
}

Made make_mcts(const Wanted& wanted) {
  if (wanted.kept_from_him()) return make_informed(wanted);
  TreeSearchOptions options;
  options.seed = wanted.choice.seed;
  options.threads = wanted.choice.threads;
  int megabytes = wanted.choice.megabytes.value_or(static_cast<int>(options.most_bytes >> 20));
  const std::string wrong = read_settings(
      wanted.settings,
      {number("threads", options.threads, 1, kMostThreads), number("memory", megabytes, 1, kMostMegabytes),
       nodes_limit(options.most_nodes), number("explore", options.exploration, 0.0, 100.0),
       number("first", options.first_play, -100.0, 100.0), number("history", options.history, 0.0, 100.0),
       number("plies", options.games.most_plies, 1U, 1'000'000U),
       number("judge_at", options.games.judged_plies, 1U, 1'000'000U),
       judging("judge", options.games.judging), on_off("reuse", options.reuse)});
  if (!wrong.empty()) return tl::unexpected(wrong);
  options.most_bytes = static_cast<std::size_t>(megabytes) << 20;
  return make_tree_search(wanted.rules, options);
}

// To look at rules takes longer than a short game: those of the last rules are kept.
std::shared_ptr<const Features> features_of(const std::shared_ptr<const Rules>& rules) {
  static std::mutex mutex;
  static std::shared_ptr<const Features> last;
  const std::lock_guard lock(mutex);
  if (!last || last->shared_rules() != rules) last = std::make_shared<const Features>(rules);
  return last;
}

Made make_alphabeta(const Wanted& wanted) {
  if (wanted.rules->program().hides())
    return tl::unexpected(
        std::string("alpha-beta search would look at what players can't see: take `mcts` or `auto`"));
  AlphaBetaOptions options;
  options.threads = wanted.choice.threads;
  int megabytes = wanted.choice.megabytes.value_or(static_cast<int>(options.most_bytes >> 20));
  bool learnt = true, network = true;
  const std::string wrong =
      read_settings(wanted.settings, {number("threads", options.threads, 1, kMostThreads),
                                      number("memory", megabytes, 1, kMostMegabytes),
                                      nodes_limit(options.most_nodes), on_off("learnt", learnt),
                                      on_off("network", network), on_off("quiescence", options.quiescence),
                                      on_off("counts", options.counts), without(options.techniques)});
  if (!wrong.empty()) return tl::unexpected(wrong);
  options.most_bytes = static_cast<std::size_t>(megabytes) << 20;
  auto features = features_of(wanted.rules);
  if (learnt && wanted.choice.learnt) {
    options.judgement = {features->in_order(wanted.choice.learnt->features), wanted.choice.learnt->network};
    if (!network) options.judgement.network = nullptr;
    if (options.judgement.network && !options.judgement.network->fits(NetworkInputs(*features)))
      return tl::unexpected(
          std::string("the network that was learnt is of a game with other pieces or cells"));
  }
  return make_alpha_beta(std::move(features), options);
}

// Rolls where it is nature's move, whoever plays, by a stream of its own.
class Roller final : public Player {
public:
  Roller(std::unique_ptr<Player> player, std::uint64_t seed)
      : player_(std::move(player)), random_(chain(seed, kRolls)) {}
  tl::expected<Thought, Fault> think(const Game& game, const ThinkLimits& limits,
                                     const OnThought& tell) override {
    if (!game.is_chance()) return player_->think(game, limits, tell);
    Game copy = game;
    auto drawn = copy.draw(random_);
    if (!drawn) return tl::unexpected(std::move(drawn).error());
    Thought thought;
    thought.move = *drawn;
    thought.nodes = 1;
    if (!*drawn) return thought;
    if (auto text = copy.notation(**drawn)) thought.line.push_back(std::move(*text));
    return thought;
  }

private:
  static constexpr std::uint64_t kRolls = 0x726f6c6c73; // apart from the stream of who thinks
  std::unique_ptr<Player> player_;
  Random random_;
};

// Says why it was chosen.
class Chosen final : public Player {
public:
  Chosen(std::unique_ptr<Player> player, std::string why)
      : player_(std::move(player)), why_(std::move(why)) {}
  tl::expected<Thought, Fault> think(const Game& game, const ThinkLimits& limits,
                                     const OnThought& tell) override {
    auto thought = player_->think(game, limits, tell);
    if (thought) thought->remark = thought->remark.empty() ? why_ : thought->remark + "; " + why_;
    return thought;
  }

private:
  std::unique_ptr<Player> player_;
  std::string why_;
};

Made make_auto(const Wanted& wanted) {
  std::uint64_t most_nodes = 0;
  const std::string wrong = read_settings(wanted.settings, {nodes_limit(most_nodes)});
  if (!wrong.empty()) return tl::unexpected(wrong);
  if (wanted.kept_from_him()) return make_informed(wanted);
  if (wanted.rules->program().hides()) return make_mcts(wanted);
  const SearchChoice choice = choose_search(*features_of(wanted.rules), wanted.choice.learnt != nullptr);
  auto made = choice.alpha_beta ? make_alphabeta(wanted) : make_mcts(wanted);
  if (!made) return made;
  return std::make_unique<Chosen>(std::move(*made), choice.why);
}

// What plays a game best, for so many positions a move at the most. A tree that went on from the move before
// would be of more; and few positions need little memory.
Made make_limited(const Wanted& wanted) {
  constexpr int kMegabytes = 16;
  if (wanted.kept_from_him()) return make_informed({"memory=16", wanted.rules, wanted.choice});
  SearchChoice search;
  // Beside those from whom something is hidden, who look at games as trees, others do so, too.
  if (!wanted.rules->program().hides())
    search = choose_search(*features_of(wanted.rules), wanted.choice.learnt != nullptr);
  Wanted same{search.alpha_beta ? "" : "reuse=off", wanted.rules, wanted.choice, wanted.open};
  same.choice.threads = 1; // so that they are the same every time
  if (!same.choice.megabytes) same.choice.megabytes = kMegabytes;
  return search.alpha_beta ? make_auto(same) : make_mcts(same);
}

Made make_level(const Wanted& wanted) {
  const auto level = number_of(wanted.settings, kFirstLevel, kLastLevel);
  if (!level)
    return tl::unexpected(
        fmt::format("`level` needs a number from {} to {}, as in `level:3`", kFirstLevel, kLastLevel));
  auto made = plays_its_best(*level) ? make_auto({"", wanted.rules, wanted.choice, wanted.open})
                                     : make_limited(wanted);
  if (!made) return made;
  const double plies = features_of(wanted.rules)->sample().plies;
  return make_level_player(*level, plies, wanted.choice.seed, std::move(*made));
}

Made make_varied(const Wanted& wanted) {
  const auto strength = number_of(wanted.settings, 1, kLastVariety);
  if (!strength)
    return tl::unexpected(
        fmt::format("`varied` needs a number from 1 to {}, as in `varied:3`", kLastVariety));
  auto made = make_limited(wanted);
  if (!made) return made;
  return make_varied_player(variety_of(*strength), wanted.choice.seed, std::move(*made));
}

Made make_open(const Wanted& wanted);

const std::vector<PlayerKind>& kinds() {
  static const std::vector<PlayerKind> all = {
      {"auto", "what plays these rules best", &make_auto},
      {"mcts", "Monte-Carlo tree search; mcts:threads=2,memory=1024 sets threads and megabytes", &make_mcts},
      {"alphabeta", "alpha-beta search, with what was learnt of the game; alphabeta:threads=2,learnt=off",
       &make_alphabeta},
      {"level", "level:1, a beginner, to level:10, full strength", &make_level},
      {"varied",
       "varied:1 to varied:8, any move that looks nearly as good as the best: who plays in `evaluate`",
       &make_varied},
      {"open", "open:varied:3, another player from whom nothing is hidden: what is it worth to see all?",
       &make_open},
      {"random", "any move", &make_random},
  };
  return all;
}

Made make_kind(std::string_view description, Wanted wanted) {
  const std::size_t colon = std::min(description.find(':'), description.size());
  wanted.settings = description.substr(std::min(colon + 1, description.size()));
  for (const PlayerKind& kind : kinds())
    if (kind.name == description.substr(0, colon)) return kind.make(wanted);
  return tl::unexpected(fmt::format("there is no player `{}`; there are {}", description.substr(0, colon),
                                    fmt::join(names_of_players(), " ")));
}

Made make_open(const Wanted& wanted) {
  if (wanted.open || wanted.settings.empty())
    return tl::unexpected(std::string("`open` needs another player, as in `open:varied:3`"));
  return make_kind(wanted.settings, {"", wanted.rules, wanted.choice, true});
}

} // namespace

std::unique_ptr<Player> make_random_player(std::uint64_t seed) { return std::make_unique<RandomMoves>(seed); }

tl::expected<std::unique_ptr<Player>, std::string>
make_player(std::string_view description, std::shared_ptr<const Rules> rules, const PlayerChoice& choice) {
  if (rules == nullptr) return tl::unexpected(std::string("there are no rules"));
  const bool rolls = rules->program().chance.has_value();
  auto made = make_kind(description, {"", std::move(rules), choice});
  if (!rolls || !made) return made;
  return std::make_unique<Roller>(std::move(*made), choice.seed);
}

std::vector<std::string_view> names_of_players() {
  std::vector<std::string_view> names;
  for (const PlayerKind& kind : kinds()) names.push_back(kind.name);
  return names;
}

std::string descriptions_of_players() {
  std::string text;
  for (const PlayerKind& kind : kinds()) text += fmt::format("  {:<9} {}\n", kind.name, kind.help);
  return text;
}

} // namespace boardwright::runtime::search
