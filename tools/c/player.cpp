// Players, as C has them.
#include "runtime/search/make_player.hpp"
#include "tools/c/handles.hpp"
#include "tools/console/json.hpp"
#include "tools/engines/best_lines.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/engines/think_time.hpp"
#include "tools/engines/weights_file.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

namespace boardwright::c {

namespace {

namespace search = runtime::search;

tl::expected<tools::Weights, Failure> weights_of(const RulesData& rules, const char* path) {
  if (path == nullptr) return tools::bundled_weights_of(rules.program());
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    return refuse(BW_NOT_FOUND, std::string(path) + ": there is no such file");
  auto learnt = tools::weights_for(rules.program(), path);
  if (!learnt) return refuse(BW_RULES, std::move(learnt.error()));
  return std::move(*learnt);
}

Answer seat(const bw_rules& rules, const char* description, std::uint64_t seed, const char* weights,
            bw_player** player) {
  auto learnt = weights_of(*rules.data, weights);
  if (!learnt) return tl::unexpected(std::move(learnt.error()));
  search::PlayerChoice choice;
  choice.seed = seed;
  choice.learnt = std::move(*learnt);
  auto made = search::make_player(description, rules.data->rules(), choice);
  if (!made) return refuse(BW_INVALID, std::move(made.error()));
  *player = new bw_player{rules.data, std::move(*made)};
  return {};
}

struct Limits {
  double seconds;
  std::uint64_t nodes;
  const bw_stop* stop;
};

tl::expected<search::ThinkLimits, Failure> think_limits(const Limits& wanted) {
  if (std::isnan(wanted.seconds) || wanted.seconds < 0)
    return refuse(BW_INVALID, "the seconds are below 0, or no number");
  search::ThinkLimits limits;
  if (wanted.stop != nullptr) limits.stop = &wanted.stop->set;
  if (wanted.nodes > 0) limits.most_nodes = wanted.nodes;
  if (wanted.seconds > 0)
    tools::limit_by(limits, wanted.seconds);
  else if (wanted.nodes == 0 && wanted.stop == nullptr)
    limits.deadline = std::chrono::steady_clock::now() + tools::kUsualTime;
  return limits;
}

// What nobody thinks about: a state of other rules, a game that is over.
Answer check_question(const bw_player& player, const bw_state& state) {
  if (player.data != state.data) return refuse(BW_INVALID, "the state is of other rules than the player");
  const auto outcome = runtime::Game(state.game).outcome();
  if (!outcome) return refuse(*state.data, outcome.error());
  if (*outcome) return refuse(BW_ILLEGAL, "the game is over: there is no move");
  return {};
}

Answer think(bw_player& player, const bw_state& state, const Limits& wanted, std::size_t* move,
             double* value) {
  if (auto good = check_question(player, state); !good) return good;
  const auto limits = think_limits(wanted);
  if (!limits) return tl::unexpected(limits.error());
  const auto thought = player.player->think(state.game, *limits);
  if (!thought) return refuse(*state.data, thought.error());
  if (!thought->move) return refuse(BW_ILLEGAL, "there is no move");
  *move = thought->move->index();
  if (value != nullptr) *value = thought->value;
  return {};
}

tools::Json json_of(const search::Thought& thought) {
  const std::string_view proof = tools::word_of(thought.proof);
  return {{"move", thought.line.empty() ? tools::Json() : tools::Json(thought.line.front())},
          {"value", thought.value},
          {"proof", proof.empty() ? tools::Json() : tools::Json(proof)},
          {"depth", thought.depth},
          {"nodes", thought.nodes},
          {"line", thought.line}};
}

Answer analyse(bw_player& player, const bw_state& state, std::size_t lines, const Limits& wanted,
               char** json) {
  if (lines < 1 || lines > tools::kMostLines) return refuse(BW_INVALID, "there are 1 to 256 lines");
  if (auto good = check_question(player, state); !good) return good;
  const auto limits = think_limits(wanted);
  if (!limits) return tl::unexpected(limits.error());
  const auto ignore = [](const std::vector<search::Thought>&) {};
  const auto thoughts =
      tools::best_lines(*player.player, state.game, *limits, static_cast<int>(lines), ignore);
  if (!thoughts) return refuse(*state.data, thoughts.error());
  tools::Json all = tools::Json::array();
  for (const auto& thought : *thoughts) all.push_back(json_of(thought));
  return give(tools::to_text(all), json);
}

} // namespace

} // namespace boardwright::c

using namespace boardwright::c;

bw_status bw_stop_new(bw_stop** stop, char** error) {
  if (stop != nullptr) *stop = nullptr;
  return carry_out(error, [&]() -> Answer {
    if (stop == nullptr) return refuse(BW_INVALID, "an argument is NULL");
    *stop = new bw_stop;
    return {};
  });
}

void bw_stop_set(bw_stop* stop) {
  if (stop != nullptr) stop->set = true;
}

void bw_stop_clear(bw_stop* stop) {
  if (stop != nullptr) stop->set = false;
}

void bw_stop_free(bw_stop* stop) { delete stop; }

bw_status bw_player_new(const bw_rules* rules, const char* description, uint64_t seed, const char* weights,
                        bw_player** player, char** error) {
  if (player != nullptr) *player = nullptr;
  return carry_out(error, [&]() -> Answer {
    if (rules == nullptr || description == nullptr || player == nullptr)
      return refuse(BW_INVALID, "an argument is NULL");
    return seat(*rules, description, seed, weights, player);
  });
}

void bw_player_free(bw_player* player) { delete player; }

bw_status bw_player_think(bw_player* player, const bw_state* state, double seconds, uint64_t nodes,
                          const bw_stop* stop, size_t* move, double* value, char** error) {
  if (move != nullptr) *move = 0;
  if (value != nullptr) *value = 0;
  return carry_out(error, [&]() -> Answer {
    if (player == nullptr || state == nullptr || move == nullptr)
      return refuse(BW_INVALID, "an argument is NULL");
    return think(*player, *state, {seconds, nodes, stop}, move, value);
  });
}

bw_status bw_player_analyse(bw_player* player, const bw_state* state, size_t lines, double seconds,
                            uint64_t nodes, const bw_stop* stop, char** json, char** error) {
  if (json != nullptr) *json = nullptr;
  return carry_out(error, [&]() -> Answer {
    if (player == nullptr || state == nullptr || json == nullptr)
      return refuse(BW_INVALID, "an argument is NULL");
    return analyse(*player, *state, lines, {seconds, nodes, stop}, json);
  });
}
