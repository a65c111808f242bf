// What Python sees of states.
#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/sight/knowledge.hpp"
#include "tools/drawing/board_svg.hpp"
#include "tools/drawing/board_text.hpp"
#include "tools/drawing/seen_board.hpp"
#include "tools/python/batch.hpp"
#include "tools/python/known.hpp"
#include "tools/python/module.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>

namespace boardwright::python {

namespace {

// A state, used by one thread at a time.
class PyState {
public:
  explicit PyState(State state) : state_(std::move(state)) {}
  [[nodiscard]] std::unique_ptr<PyState> copy() {
    const Turns::Hold hold(turns_);
    return std::make_unique<PyState>(state_);
  }
  [[nodiscard]] const runtime::Program& program() const { return state_.shared().rules->program(); }

  // What needs no time.
  template <class F>
  auto ask(F&& f) {
    const Turns::Hold hold(turns_);
    return f(state_);
  }
  // What is asked again by another thread where it can't be had at once: a state answers, or is as before.
  template <class F>
  auto work(F&& f) {
    const Turns::Hold hold(turns_);
    const NoLonger no_longer{state_};
    const auto deadline = std::chrono::steady_clock::now() + kAtOnce;
    state_.give_up_when({nullptr, nullptr, deadline});
    auto answer = f(state_);
    if (!answer && std::chrono::steady_clock::now() >= deadline) {
      std::atomic<bool> stop = false;
      state_.give_up_when({&stop, nullptr, std::nullopt});
      const py::gil_scoped_release release;
      (void)attend(stop, [&] { answer = f(state_); });
    }
    return value_of(program(), std::move(answer));
  }

private:
  struct NoLonger { // what patience was had by
    State& state;
    ~NoLonger() { state.give_up_when({}); }
  };
  State state_;
  Turns turns_;
};

std::unique_ptr<PyState> new_state(PyRules& rules, const std::optional<std::string>& position) {
  const Shared shared = rules.shared();
  if (!position) return std::make_unique<PyState>(State(shared, runtime::Game(shared.rules)));
  interpreter::PositionText read;
  {
    const py::gil_scoped_release release;
    read = interpreter::read_position(shared.rules, "position", *position);
  }
  if (!read.game) throw py::value_error(read.errors());
  return std::make_unique<PyState>(State(shared, std::move(*read.game)));
}

bool is_over(PyState& state) {
  return state.work([](State& s) { return s.outcome(); }).has_value();
}

int players_of(PyState& state) {
  return state.ask([](const State& s) { return s.players(); });
}

py::array_t<float> returns_of(PyState& state) {
  const auto outcome = state.work([](State& s) { return s.outcome(); });
  const int players = players_of(state);
  py::array_t<float> returns(players);
  std::fill(returns.mutable_data(), returns.mutable_data() + players, 0.0F);
  if (outcome) write_returns(*outcome, players, returns.mutable_data());
  return returns;
}

void need_player(PyState& state, int player) {
  if (player < 0 || player >= players_of(state)) throw py::value_error("there is no such player");
}

py::array_t<float> observation_of(PyState& state, int player) {
  need_player(state, player);
  const auto planes = state.ask([](const State& s) { return s.shared().planes; });
  py::array_t<float> tensor({planes->names().size(), planes->ranks(), planes->files()});
  float* const to = tensor.mutable_data();
  state.ask([&](const State& s) { planes->write(s.game(), s.seen(), player, to); });
  return tensor;
}

// All that he has seen and read, a row for each of so many moves.
py::array_t<float> known_rows(PyState& state, int player, std::size_t most_moves) {
  need_player(state, player);
  const Shared shared = state.ask([](const State& s) { return s.shared(); });
  const KnownRows rows(shared, most_moves);
  py::array_t<float> tensor({rows.rows(), rows.columns()});
  float* const to = tensor.mutable_data();
  state.work([&](State& s) { return rows.write(s.game(), player, to); });
  return tensor;
}

// The position as the player sees it, in a line.
std::string seen_by(PyState& state, int player) {
  need_player(state, player);
  const auto seen = state.ask([&](const State& s) { return runtime::sight::observation(s.game(), player); });
  if (!seen) throw py::value_error(seen.error().message);
  return *seen;
}

// All that he has seen and read since the game began.
std::string known_to(PyState& state, int player) {
  need_player(state, player);
  const auto known =
      state.ask([&](const State& s) { return runtime::sight::knowledge_of(s.game(), player); });
  if (!known) throw py::value_error(known.error().message);
  return runtime::sight::text_of(*known, state.program());
}

// The board as SVG; as a player sees it, if one is named.
std::string picture_of(PyState& state, PyRules& rules, std::optional<int> player, bool captions) {
  const interpreter::Look& look = rules.look();
  const runtime::Position position = state.ask([](const State& s) { return s.game().position(); });
  tools::SvgOptions options;
  options.captions = options.turn = captions;
  options.look = &look;
  if (!player) return tools::board_svg(state.program(), position, options);
  need_player(state, *player);
  const auto seen = runtime::sight::seen_by(state.program(), position, *player);
  if (!seen) throw py::value_error(seen.error().message);
  const tools::SeenBoard board(state.program(), &look, *seen);
  options.look = board.look();
  return tools::board_svg(board.program(), board.position(), options);
}

// For each cell its pieces from bottom to top: (owner, kind), an owner of -1 being nobody.
py::list board_of(PyState& state) {
  const auto position = state.ask([](const State& s) { return s.game().position(); });
  py::list cells;
  for (const auto& stack : position.cells) {
    py::list pieces;
    for (const auto piece : stack)
      pieces.append(py::make_tuple(static_cast<int>(piece.owner),
                                   state.program().kinds[static_cast<std::size_t>(piece.kind)].name));
    cells.append(pieces);
  }
  return cells;
}

std::vector<std::pair<std::string, std::uint32_t>> kept_moves(PyState& state) {
  std::vector<std::pair<std::string, std::uint32_t>> moves;
  state.ask([&](const State& s) {
    for (const KeptMove& kept : s.kept()) moves.emplace_back(kept.text, kept.place);
  });
  return moves;
}

std::vector<std::string> texts_of(PyState& state) {
  std::vector<std::string> texts;
  for (auto& [text, place] : kept_moves(state)) texts.push_back(std::move(text));
  return texts;
}

py::tuple from_to(PyState& state, std::int64_t action) {
  const auto cells = state.work([action](State& s) { return s.cells(action); });
  return py::make_tuple(cells.from, cells.to);
}

bool same_game(PyState& a, PyState& b) {
  const auto of_b = b.work([](State& s) { return s.identity(); });
  return a.work([](State& s) { return s.identity(); }).same_as(of_b);
}

} // namespace

State state_in(const py::object& object) {
  return object.cast<PyState&>().ask([](const State& s) { return s; });
}

py::object object_of(State state) { return py::cast(std::make_unique<PyState>(std::move(state))); }

void add_state(py::module_& module) {
  auto state = py::class_<PyState>(module, "_State");
  state.def("copy", &PyState::copy)
      .def("to_move", [](PyState& p) { return p.ask([](const State& s) { return s.game().to_move(); }); })
      .def("is_chance", [](PyState& p) { return p.ask([](const State& s) { return s.game().is_chance(); }); })
      .def("weights", [](PyState& p) { return p.work([](State& s) { return s.weights(); }); })
      .def("length", [](PyState& p) { return p.ask([](const State& s) { return s.game().length(); }); })
      .def("is_over", &is_over)
      .def("returns", &returns_of)
      .def("legal", [](PyState& p) { return p.work([](State& s) { return s.legal(); }); })
      .def("apply",
           [](PyState& p, std::int64_t action) { p.work([action](State& s) { return s.apply(action); }); })
      .def("replay",
           [](PyState& p, std::string text, std::uint32_t place) {
             const KeptMove kept{std::move(text), place};
             p.work([&](State& s) { return s.replay(kept); });
           })
      .def("legal_parts", [](PyState& p) { return p.work([](State& s) { return s.legal_parts(); }); })
      .def("choose_part",
           [](PyState& p, Symbol part) { return p.work([part](State& s) { return s.choose_part(part); }); })
      .def("chosen_parts", [](PyState& p) { return p.ask([](const State& s) { return s.chosen_parts(); }); })
      .def("forget_parts", [](PyState& p) { p.ask([](State& s) { s.forget_parts(); }); })
      .def("undo", [](PyState& p) { return p.ask([](State& s) { return s.undo(); }); })
      .def("text", [](PyState& p,
                      std::int64_t action) { return p.work([action](State& s) { return s.text(action); }); })
      .def("find",
           [](PyState& p, const std::string& text) { return p.work([&](State& s) { return s.find(text); }); })
      .def("parts",
           [](PyState& p, std::int64_t action) {
             return p.work([action](State& s) { return s.parts(action); });
           })
      .def("from_to", &from_to)
      .def("history", [](PyState& p) { return p.ask([](const State& s) { return s.history(); }); })
      .def("texts", &texts_of)
      .def("kept", &kept_moves)
      .def("same_game", &same_game)
      .def("hash", [](PyState& p) { return p.work([](State& s) { return s.identity(); }).hash(); })
      .def("repetitions",
           [](PyState& p) { return p.ask([](const State& s) { return s.game().repetitions(); }); })
      .def("fen",
           [](PyState& p) {
             return interpreter::write_fen(p.program(),
                                           p.ask([](const State& s) { return s.game().position(); }));
           })
      .def("board", &board_of)
      .def("draw",
           [](PyState& p) {
             return tools::draw_board(p.program(), p.ask([](const State& s) { return s.game().position(); }));
           })
      .def("seen", &seen_by)
      .def("known", &known_to)
      .def("known_rows", &known_rows)
      .def("svg", &picture_of)
      .def("observe", &observation_of);
  forbid_making(state);
  module.def("_new_state", &new_state);
}

} // namespace boardwright::python
