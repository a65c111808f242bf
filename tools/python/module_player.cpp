// What Python sees of players.
#include "runtime/search/make_player.hpp"
#include "tools/engines/best_lines.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/engines/think_time.hpp"
#include "tools/engines/weights_file.hpp"
#include "tools/python/calls.hpp"
#include "tools/python/module.hpp"

#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <string_view>
#include <utility>

namespace boardwright::python {

namespace {

namespace search = runtime::search;

tools::Weights weights_of(const runtime::Program& program, const std::optional<std::string>& path) {
  if (!path) return tools::bundled_weights_of(program);
  auto learnt = tools::weights_for(program, *path);
  if (!learnt) throw py::value_error(learnt.error());
  return std::move(*learnt);
}

// A player, asked by one thread at a time.
class PyPlayer {
public:
  PyPlayer(std::shared_ptr<PyRules> rules, std::unique_ptr<search::Player> player)
      : rules_(std::move(rules)), player_(std::move(player)) {}

  py::list think(const py::object& of, int lines, std::optional<double> seconds,
                 std::optional<std::uint64_t> nodes);

private:
  [[nodiscard]] py::dict told(State& state, const search::Thought& thought) const;

  std::shared_ptr<PyRules> rules_;
  std::unique_ptr<search::Player> player_;
  Turns turns_;
};

search::ThinkLimits limits_of(const std::atomic<bool>& stop, std::optional<double> seconds,
                              std::optional<std::uint64_t> nodes) {
  search::ThinkLimits limits;
  limits.stop = &stop;
  if (nodes) limits.most_nodes = *nodes;
  if (seconds)
    tools::limit_by(limits, *seconds);
  else if (!nodes)
    limits.deadline = std::chrono::steady_clock::now() + tools::kUsualTime;
  return limits;
}

py::object proof_of(search::Proof proof) {
  const std::string_view word = tools::word_of(proof);
  return word.empty() ? py::object(py::none()) : py::str(word.data(), word.size());
}

py::dict PyPlayer::told(State& state, const search::Thought& thought) const {
  using py::literals::operator""_a;
  return py::dict("action"_a = value_of(rules_->program(), state.number_at(thought.move->index())),
                  "value"_a = thought.value, "proof"_a = proof_of(thought.proof), "depth"_a = thought.depth,
                  "nodes"_a = thought.nodes, "line"_a = thought.line);
}

// The best lines, the best first.
py::list PyPlayer::think(const py::object& of, int lines, std::optional<double> seconds,
                         std::optional<std::uint64_t> nodes) {
  if (lines < 1 || lines > tools::kMostLines) throw py::value_error("lines: 1 to 256");
  if (seconds && !(*seconds > 0)) throw py::value_error("seconds: above 0");
  if (nodes && *nodes < 1) throw py::value_error("nodes: at least 1");
  State state = state_in(of);
  if (state.shared().rules != rules_->rules()) throw py::value_error("a state of other rules");
  const Turns::Hold hold(turns_);
  std::atomic<bool> stop = false;
  tl::expected<std::vector<search::Thought>, runtime::Fault> thoughts;
  {
    const py::gil_scoped_release release;
    const auto limits = limits_of(stop, seconds, nodes);
    (void)attend(stop, [&] {
      if (lines > 1) {
        thoughts = tools::best_lines(*player_, state.game(), limits, lines,
                                     [](const std::vector<search::Thought>&) {});
        return;
      }
      auto best = player_->think(state.game(), limits);
      if (best)
        thoughts = std::vector<search::Thought>{std::move(*best)};
      else
        thoughts = tl::unexpected(std::move(best.error()));
    });
  }
  py::list all;
  for (const search::Thought& thought : value_of(rules_->program(), std::move(thoughts)))
    if (thought.move) all.append(told(state, thought));
  return all;
}

std::unique_ptr<PyPlayer> new_player(const std::shared_ptr<PyRules>& rules, const std::string& description,
                                     std::uint64_t seed, int threads,
                                     const std::optional<std::string>& weights) {
  search::PlayerChoice choice;
  choice.seed = seed;
  choice.threads = threads;
  choice.learnt = weights_of(rules->program(), weights);
  auto made = search::make_player(description, rules->rules(), choice);
  if (!made) throw py::value_error(made.error());
  return std::make_unique<PyPlayer>(rules, std::move(*made));
}

} // namespace

void add_player(py::module_& module) {
  auto player = py::class_<PyPlayer>(module, "_Player");
  player.def("think", &PyPlayer::think);
  forbid_making(player);
  module.def("_new_player", &new_player);
}

} // namespace boardwright::python
