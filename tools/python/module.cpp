// The module `boardwright._core`: what Python sees of rules, states and batches.
#include "dsl/finder.hpp"
#include "interpreter/fen.hpp"
#include "interpreter/load.hpp"
#include "interpreter/position_text.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/model/fingerprint.hpp"
#include "runtime/model/shares.hpp"
#include "tools/python/batch.hpp"
#include "tools/python/state.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace boardwright::python {
namespace {

using runtime::Game;

// A rule went wrong, or an action isn't legal: `boardwright.Fault` in Python.
struct FaultError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class T>
T value_of(const runtime::Program& program, tl::expected<T, runtime::Fault> answer) {
  if (!answer) {
    const std::string place =
        answer.error().origin == 0 ? "" : place_of(program, answer.error().origin) + ": ";
    throw FaultError(place + answer.error().message);
  }
  if constexpr (!std::is_void_v<T>) return std::move(*answer);
}

// Rules, and what is worked out of them when somebody asks for it.
class PyRules {
public:
  explicit PyRules(std::shared_ptr<const runtime::Rules> rules)
      : rules_(std::move(rules)), planes_(std::make_shared<const Planes>(rules_)) {}

  [[nodiscard]] const std::shared_ptr<const runtime::Rules>& rules() const { return rules_; }
  [[nodiscard]] const runtime::Program& program() const { return rules_->program(); }
  [[nodiscard]] const std::shared_ptr<const Planes>& planes() const { return planes_; }
  std::shared_ptr<ActionNumbers> numbers() {
    if (!numbers_) explore(1, ExploreOptions().most_actions);
    return numbers_;
  }
  void explore(std::uint64_t seed, std::size_t most_actions) {
    const py::gil_scoped_release release;
    auto found = ActionNumbers::explore(rules_, {seed, most_actions});
    const std::lock_guard lock(mutex_);
    numbers_ = value_of(program(), std::move(found));
  }
  void set_actions(const std::vector<Action>& actions, bool dense, bool closed) {
    numbers_ = std::make_shared<ActionNumbers>(actions, dense, closed);
  }
  Shared shared() { return {rules_, numbers(), planes_}; }

private:
  std::shared_ptr<const runtime::Rules> rules_;
  std::shared_ptr<const Planes> planes_;
  std::mutex mutex_;
  std::shared_ptr<ActionNumbers> numbers_;
};

py::list diagnostics_of(const dsl::Diagnostics& diagnostics, const dsl::Sources& sources) {
  py::list all;
  for (const dsl::Diagnostic& d : diagnostics.all()) {
    py::dict entry;
    entry["severity"] = std::string(dsl::name_of(d.severity));
    entry["code"] = std::string(d.code.name());
    entry["message"] = d.message;
    entry["expected"] = d.expected;
    entry["help"] = d.help;
    if (d.span.file < sources.size()) {
      const dsl::Location place = sources.locate(d.span.file, d.span.begin);
      entry["file"] = place.file;
      entry["line"] = place.line;
      entry["column"] = place.column;
    }
    all.append(entry);
  }
  return all;
}

// The rules, or None; what there is to say of them, as text and as a list.
py::tuple load_rules(const std::string& reference, const std::optional<std::string>& text,
                     const interpreter::Settings& settings) {
  interpreter::Loaded loaded;
  {
    const py::gil_scoped_release release;
    loaded =
        text ? interpreter::load_text(reference, *text, settings) : interpreter::load(reference, settings);
  }
  py::object rules = py::none();
  if (loaded) rules = py::cast(std::make_shared<PyRules>(loaded.rules));
  return py::make_tuple(rules, loaded.errors(), diagnostics_of(loaded.diagnostics, loaded.sources));
}

std::unique_ptr<State> new_state(PyRules& rules, const std::optional<std::string>& position) {
  if (!position) return std::make_unique<State>(rules.shared(), Game(rules.rules()));
  interpreter::PositionText read = interpreter::read_position(rules.rules(), "position", *position);
  if (!read.game) throw py::value_error(read.errors());
  return std::make_unique<State>(rules.shared(), std::move(*read.game));
}

py::dict playouts_of(PyRules& rules, std::uint64_t count, std::uint64_t seed, int threads, int max_plies) {
  runtime::PlayoutOptions options;
  options.count = count;
  options.seed = seed;
  options.threads = threads;
  options.max_plies = max_plies;
  tl::expected<runtime::PlayoutResult, runtime::Fault> played;
  {
    const py::gil_scoped_release release;
    played = runtime::playouts(rules.rules(), options);
  }
  const runtime::PlayoutResult result = value_of(rules.program(), std::move(played));
  using py::literals::operator""_a;
  py::list shared; // a share for each player, and how many games
  for (const auto& [parts, games] : result.shared) {
    std::vector<double> shares;
    for (int player = 0; player < rules.program().player_count(); ++player)
      shares.push_back(static_cast<double>(runtime::parts_of(parts, player)) / runtime::whole_of(parts));
    shared.append(py::make_tuple(shares, games));
  }
  return py::dict("shared"_a = shared, "playouts"_a = result.playouts, "wins"_a = result.wins,
                  "draws"_a = result.draws, "unfinished"_a = result.unfinished, "plies"_a = result.plies,
                  "moves"_a = result.moves, "shortest"_a = result.shortest, "longest"_a = result.longest,
                  "cpu_seconds"_a = result.cpu_seconds, "native"_a = result.native);
}

std::vector<std::string> player_names(const PyRules& rules) {
  std::vector<std::string> names;
  for (const auto& player : rules.program().players) names.push_back(player.name);
  return names;
}

py::dict actions_of(PyRules& rules) {
  py::list all;
  const auto numbers = rules.numbers();
  for (const Action& action : numbers->actions()) all.append(py::make_tuple(action.text, action.parts));
  using py::literals::operator""_a;
  return py::dict("dense"_a = numbers->dense(), "closed"_a = numbers->closed(), "size"_a = numbers->size(),
                  "actions"_a = all);
}

void set_actions(PyRules& rules, const std::vector<std::pair<std::string, Parts>>& all, bool dense,
                 bool closed) {
  std::vector<Action> actions;
  for (const auto& [text, parts] : all) actions.push_back({parts, text});
  rules.set_actions(actions, dense, closed);
}

void add_rules(py::module_& module) {
  py::class_<PyRules, std::shared_ptr<PyRules>>(module, "Rules")
      .def_property_readonly("name", [](const PyRules& r) { return r.program().game; })
      .def_property_readonly("players", &player_names)
      .def_property_readonly(
          "fingerprint",
          [](const PyRules& r) { return runtime::fingerprint_text(runtime::fingerprint(r.program())); })
      .def_property_readonly("cells", [](const PyRules& r) { return r.program().board.name; })
      .def_property_readonly("planes", [](const PyRules& r) { return r.planes()->names(); })
      .def_property_readonly("options",
                             [](const PyRules& r) {
                               py::dict options;
                               for (const auto& option : r.program().options)
                                 options[py::str(option.name)] = option.value;
                               return options;
                             })
      .def_property_readonly("_shape",
                             [](const PyRules& r) {
                               return py::make_tuple(r.planes()->names().size(), r.planes()->ranks(),
                                                     r.planes()->files());
                             })
      .def("_explore", &PyRules::explore)
      .def("_actions", &actions_of)
      .def("_set_actions", &set_actions)
      .def("_num_actions", [](PyRules& r) { return r.numbers()->size(); })
      .def("_dense", [](PyRules& r) { return r.numbers()->dense(); })
      .def("_new_state", &new_state, py::arg("position") = py::none())
      .def("_playouts", &playouts_of);
}

// ---------------------------------------------------------------- states

template <class T>
T value_of(const State& state, tl::expected<T, runtime::Fault> answer) {
  return value_of(state.shared().rules->program(), std::move(answer));
}

py::array_t<float> returns_of(State& state) {
  const auto outcome = value_of(state, state.outcome());
  py::array_t<float> returns(state.players());
  std::fill(returns.mutable_data(), returns.mutable_data() + state.players(), 0.0F);
  if (outcome) write_returns(*outcome, state.players(), returns.mutable_data());
  return returns;
}

py::array_t<float> observation_of(const State& state, int player) {
  if (player < 0 || player >= state.players()) throw py::value_error("there is no such player");
  const Planes& planes = *state.shared().planes;
  py::array_t<float> tensor({planes.names().size(), planes.ranks(), planes.files()});
  planes.write(state.game(), state.seen(), player, tensor.mutable_data());
  return tensor;
}

// For each cell its pieces from bottom to top: (owner, kind), an owner of -1 being nobody.
py::list board_of(const State& state) {
  py::list cells;
  for (const auto& stack : state.game().position().cells) {
    py::list pieces;
    for (const auto piece : stack)
      pieces.append(
          py::make_tuple(static_cast<int>(piece.owner),
                         state.shared().rules->program().kinds[static_cast<std::size_t>(piece.kind)].name));
    cells.append(pieces);
  }
  return cells;
}

void add_state(py::module_& module) {
  py::class_<State>(module, "_State")
      .def("copy", [](const State& s) { return std::make_unique<State>(s); })
      .def("to_move", [](const State& s) { return s.game().to_move(); })
      .def("length", [](const State& s) { return s.game().length(); })
      .def("is_over", [](State& s) { return value_of(s, s.outcome()).has_value(); })
      .def("returns", &returns_of)
      .def("legal", [](State& s) { return value_of(s, s.legal()); })
      .def("apply", [](State& s, std::int64_t action) { value_of(s, s.apply(action)); })
      .def("undo", &State::undo)
      .def("text", [](State& s, std::int64_t action) { return value_of(s, s.text(action)); })
      .def("find", [](State& s, const std::string& text) { return value_of(s, s.find(text)); })
      .def("parts", [](State& s, std::int64_t action) { return value_of(s, s.parts(action)); })
      .def("from_to",
           [](State& s, std::int64_t action) {
             const auto cells = value_of(s, s.cells(action));
             return py::make_tuple(cells.from, cells.to);
           })
      .def("history", &State::history)
      .def("texts", &State::texts)
      .def("key", [](const State& s) { return s.game().key(); })
      .def("repetitions", [](const State& s) { return s.game().repetitions(); })
      .def("fen",
           [](const State& s) {
             return interpreter::write_fen(s.shared().rules->program(), s.game().position());
           })
      .def("board", &board_of)
      .def("observe", &observation_of);
}

// ---------------------------------------------------------------- batches

// Holds a batch's rules; the work is done without the interpreter's lock.
class PyBatch {
public:
  PyBatch(PyRules& rules, const BatchOptions& options)
      : rules_(rules.rules()), batch_(rules_, rules.numbers(), rules.planes(), options) {}

  [[nodiscard]] Batch& batch() { return batch_; }
  [[nodiscard]] auto games() const { return static_cast<py::ssize_t>(batch_.options().games); }
  template <class F>
  void work(F&& f) {
    Batch::Answer answer;
    {
      const py::gil_scoped_release release;
      answer = f(batch_);
    }
    value_of(rules_->program(), std::move(answer));
  }

private:
  std::shared_ptr<const runtime::Rules> rules_;
  Batch batch_;
};

// A row for each game: the caller's array, if he has one of this shape, else a new one.
template <class T>
py::array_t<T> rows(const std::vector<py::ssize_t>& shape, const py::object& out) {
  if (out.is_none()) return py::array_t<T>(shape);
  if (!py::isinstance<py::array_t<T, py::array::c_style>>(out))
    throw py::value_error("out: another type of array");
  auto array = py::reinterpret_borrow<py::array_t<T>>(out);
  if (!std::equal(shape.begin(), shape.end(), array.shape(), array.shape() + array.ndim()) ||
      !array.writeable())
    throw py::value_error("out: an array of another shape, or one that can't be written");
  return array;
}

py::object step(PyBatch& b,
                const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>& actions) {
  if (actions.ndim() != 1 || actions.shape(0) != b.games()) throw py::value_error("one action for each game");
  py::array_t<float> rewards({b.games(), static_cast<py::ssize_t>(b.batch().players())});
  py::array_t<std::uint8_t> ends(b.games());
  const std::int64_t* const from = actions.data();
  float* const to = rewards.mutable_data();
  auto* const how = reinterpret_cast<End*>(ends.mutable_data());
  b.work([&](Batch& batch) { return batch.step(from, to, how); });
  return py::make_tuple(rewards, ends);
}

py::array_t<std::int64_t> sample(PyBatch& b) {
  py::array_t<std::int64_t> actions(b.games());
  std::int64_t* const to = actions.mutable_data();
  b.work([&](Batch& batch) { return batch.sample(to); });
  return actions;
}

py::object mask(PyBatch& b, const py::object& out) {
  if (!b.batch().numbers().dense())
    throw py::value_error("these rules have too many actions for a mask: use legal_actions()");
  auto array = rows<bool>({b.games(), static_cast<py::ssize_t>(b.batch().numbers().size())}, out);
  auto* const to = reinterpret_cast<std::uint8_t*>(array.mutable_data());
  b.work([&](Batch& batch) { return batch.mask(to); });
  return array;
}

py::object observe(PyBatch& b, const py::object& out) {
  const Planes& planes = b.batch().planes();
  auto array =
      rows<float>({b.games(), static_cast<py::ssize_t>(planes.names().size()),
                   static_cast<py::ssize_t>(planes.ranks()), static_cast<py::ssize_t>(planes.files())},
                  out);
  float* const to = array.mutable_data();
  b.work([&](Batch& batch) { return batch.observe(to); });
  return array;
}

py::array_t<std::int32_t> current_players(PyBatch& b) {
  py::array_t<std::int32_t> players(b.games());
  std::int32_t* const to = players.mutable_data();
  b.work([&](Batch& batch) { return batch.to_move(to); });
  return players;
}

py::array_t<float> rollouts(PyBatch& b, int count, std::uint64_t seed) {
  if (count < 1) throw py::value_error("at least one game");
  py::array_t<float> means({b.games(), static_cast<py::ssize_t>(b.batch().players())});
  float* const to = means.mutable_data();
  b.work([&](Batch& batch) { return batch.rollouts(count, seed, to); });
  return means;
}

void add_batch(py::module_& module) {
  py::class_<PyBatch>(module, "_Batch")
      .def(py::init([](PyRules& rules, std::size_t games, int threads, std::uint64_t seed, int max_plies,
                       bool auto_reset) {
        return std::make_unique<PyBatch>(rules, BatchOptions{games, threads, seed, max_plies, auto_reset});
      }))
      .def("reset", [](PyBatch& b) { b.work([](Batch& batch) { return batch.reset(); }); })
      .def("step", &step)
      .def("sample", &sample)
      .def("rollouts", &rollouts)
      .def("mask", &mask, py::arg("out") = py::none())
      .def("observe", &observe, py::arg("out") = py::none())
      .def("current_players", &current_players)
      .def("legal", [](PyBatch& b) {
        std::vector<Numbers> actions;
        b.work([&](Batch& batch) { return batch.legal(actions); });
        return actions;
      });
}

} // namespace
} // namespace boardwright::python

PYBIND11_MODULE(_core, module) {
  using namespace boardwright;
  module.attr("__version__") = BOARDWRIGHT_VERSION;
  py::register_exception<python::FaultError>(module, "Fault", PyExc_RuntimeError);
  module.def("_load", &python::load_rules);
  module.def("games", &dsl::known_games);
  python::add_rules(module);
  python::add_state(module);
  python::add_batch(module);
}
