// What Python sees of tree search.
#include "tools/python/module.hpp"
#include "tools/python/tree_search.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace boardwright::python {

namespace {

using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;

using PySearch = InTurns<TreeSearch>;

py::ssize_t searched_games(const PySearch& s) { return static_cast<py::ssize_t>(s.look().options().games); }
std::size_t game_of(const PySearch& s, std::size_t number) {
  if (number >= s.look().options().games) throw py::index_error("there is no such game");
  return number;
}

std::unique_ptr<PySearch> new_search(PyRules& rules, std::size_t games, int threads, std::uint64_t seed,
                                     std::size_t leaves, double exploration, double first_play,
                                     double virtual_loss, std::uint32_t considered, double gumbel,
                                     int max_plies, bool auto_reset, std::size_t most_edges) {
  if (rules.program().hides())
    throw py::value_error("players of this game know less than everything: a tree of its positions would "
                          "look at what is hidden");
  if (games < 1 || leaves < 1 || max_plies < 1) throw py::value_error("games, leaves, max_plies: at least 1");
  if (most_edges < 1 || most_edges > kMostEdges) throw py::value_error("most_edges: from 1 to 2**31 - 1");
  const auto is_good = [](double x) { return std::isfinite(x) && x >= 0; };
  if (!is_good(gumbel)) throw py::value_error("gumbel: a number, at least 0");
  if (!is_good(exploration) || !std::isfinite(first_play) || !is_good(virtual_loss))
    throw py::value_error(
        "exploration, first_play, virtual_loss: numbers, the first and the last at least 0");
  const TreeOptions options{games,      threads, seed,      leaves,     exploration, first_play, virtual_loss,
                            considered, gumbel,  max_plies, auto_reset, most_edges,  &attend};
  return std::make_unique<PySearch>(rules.rules(), rules.shared(), options);
}

py::array_t<float> planes_of_leaves(const TreeSearch& search) {
  const Planes& planes = search.planes();
  py::array_t<float> array({search.leaves(), planes.names().size(), planes.ranks(), planes.files()});
  search.write_planes(array.mutable_data());
  return array;
}

// The planes of the leaves, and of each its game and who is to move there.
py::tuple collect(PySearch& s, std::uint32_t visits) {
  s.work([visits](TreeSearch& search) { return search.collect(visits); });
  return s.ask([](const TreeSearch& search) {
    const auto count = static_cast<py::ssize_t>(search.leaves());
    py::array_t<std::int32_t> games(count), movers(count);
    search.write_owners(games.mutable_data(), movers.mutable_data());
    return py::make_tuple(planes_of_leaves(search), games, movers);
  });
}

py::tuple leaf_actions(PySearch& s) {
  Numbers actions;
  std::vector<std::int64_t> begins;
  s.ask([&](const TreeSearch& search) { search.list_actions(actions, begins); });
  return py::make_tuple(py::array_t<std::int64_t>(static_cast<py::ssize_t>(actions.size()), actions.data()),
                        py::array_t<std::int64_t>(static_cast<py::ssize_t>(begins.size()), begins.data()));
}

// A value of each player, from who is to move on: of one or two players that of who is to move tells the
// other.
std::vector<float> values_of(const TreeSearch& search, const Floats& given) {
  const auto leaves = static_cast<py::ssize_t>(search.leaves());
  const py::ssize_t players = search.players();
  const float* const from = given.data();
  if (!std::all_of(from, from + given.size(), [](float x) { return std::isfinite(x); }))
    throw py::value_error("values: there is one that is no number");
  if (given.ndim() == 2 && given.shape(0) == leaves && given.shape(1) == players)
    return {from, from + given.size()};
  const bool is_one = given.ndim() == 1 || (given.ndim() == 2 && given.shape(1) == 1);
  if (!is_one || given.shape(0) != leaves || players > 2)
    throw py::value_error("values: one for each leaf, or, of any number of players, (leaves, players)");
  std::vector<float> values;
  for (py::ssize_t i = 0; i < leaves; ++i) {
    values.push_back(from[i]);
    if (players == 2) values.push_back(-from[i]);
  }
  return values;
}

// A number for each legal action, out of one for all actions, or for all that leaf_actions() lists.
std::vector<float> logits_of(const TreeSearch& search, const Floats& given) {
  Numbers actions;
  std::vector<std::int64_t> begins;
  search.list_actions(actions, begins);
  const float* const from = given.data();
  std::vector<float> logits;
  if (given.ndim() == 1 && given.shape(0) == static_cast<py::ssize_t>(actions.size())) {
    logits.assign(from, from + given.size());
  } else if (search.numbers().dense() && given.ndim() == 2 && given.shape(1) == search.numbers().size() &&
             given.shape(0) + 1 == static_cast<py::ssize_t>(begins.size())) {
    for (std::size_t leaf = 0; leaf + 1 < begins.size(); ++leaf)
      for (std::int64_t i = begins[leaf]; i < begins[leaf + 1]; ++i)
        logits.push_back(from[static_cast<std::int64_t>(leaf) * search.numbers().size() +
                              actions[static_cast<std::size_t>(i)]]);
  } else {
    throw py::value_error(
        "logits: (leaves, num_distinct_actions), or one for each action that leaf_actions() lists");
  }
  if (std::any_of(logits.begin(), logits.end(), [](float x) { return std::isnan(x) || x == HUGE_VALF; }))
    throw py::value_error("logits: there is one that is no number");
  return logits;
}

void give(PySearch& s, const Floats& values, const std::optional<Floats>& logits) {
  s.ask([&](TreeSearch& search) {
    const std::vector<float> worth = values_of(search, values);
    std::vector<float> of_legal;
    if (logits) of_legal = logits_of(search, *logits);
    const py::gil_scoped_release release;
    search.give(worth.data(), logits ? of_legal.data() : nullptr);
  });
}

// Of each root its actions, and their visits, values and priors.
py::list roots(PySearch& s) {
  std::vector<std::vector<RootMove>> roots;
  s.work([&](TreeSearch& search) { return search.roots(roots); });
  py::list all;
  for (const auto& moves : roots) {
    const auto count = static_cast<py::ssize_t>(moves.size());
    py::array_t<std::int64_t> actions(count);
    py::array_t<std::uint32_t> visits(count);
    py::array_t<float> values(count), priors(count);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      actions.mutable_data()[i] = moves[i].action;
      visits.mutable_data()[i] = moves[i].visits;
      values.mutable_data()[i] = moves[i].value;
      priors.mutable_data()[i] = moves[i].prior;
    }
    all.append(py::make_tuple(actions, visits, values, priors));
  }
  return all;
}

// Something of all moves of the roots, by action: a row for each game.
template <class T>
py::array_t<T> by_action(PySearch& s, T RootMove::*what) {
  if (!s.look().numbers().dense())
    throw py::value_error("these rules have too many actions for an array: use roots()");
  std::vector<std::vector<RootMove>> roots;
  s.work([&](TreeSearch& search) { return search.roots(roots); });
  const std::int64_t size = s.look().numbers().size();
  py::array_t<T> array({searched_games(s), static_cast<py::ssize_t>(size)});
  std::fill(array.mutable_data(), array.mutable_data() + array.size(), T{});
  for (std::size_t game = 0; game < roots.size(); ++game)
    for (const RootMove& move : roots[game])
      array.mutable_data()[static_cast<std::int64_t>(game) * size + move.action] = move.*what;
  return array;
}

py::array_t<float> values(PySearch& s) {
  py::array_t<float> array(searched_games(s));
  s.ask([&](const TreeSearch& search) {
    for (py::ssize_t i = 0; i < searched_games(s); ++i)
      array.mutable_data()[i] = search.value(static_cast<std::size_t>(i));
  });
  return array;
}

py::array_t<float> observe_roots(PySearch& s) {
  const Planes& planes = s.look().planes();
  py::array_t<float> array(
      {static_cast<std::size_t>(searched_games(s)), planes.names().size(), planes.ranks(), planes.files()});
  float* const to = array.mutable_data();
  s.work([to](TreeSearch& search) { return search.observe(to); });
  return array;
}

py::array_t<std::int32_t> movers(PySearch& s) {
  py::array_t<std::int32_t> players(searched_games(s));
  std::int32_t* const to = players.mutable_data();
  s.work([to](TreeSearch& search) { return search.to_move(to); });
  return players;
}

py::array_t<std::int64_t> choose(PySearch& s, double temperature) {
  if (!std::isfinite(temperature) || temperature < 0) throw py::value_error("temperature: at least 0");
  py::array_t<std::int64_t> actions(searched_games(s));
  std::int64_t* const to = actions.mutable_data();
  s.work([&](TreeSearch& search) { return search.choose(temperature, to); });
  return actions;
}

py::tuple play(PySearch& s, const py::array_t<std::int64_t, py::array::c_style>& actions) {
  if (actions.ndim() != 1 || actions.shape(0) != searched_games(s))
    throw py::value_error("one action for each game");
  py::array_t<float> rewards({searched_games(s), static_cast<py::ssize_t>(s.look().players())});
  py::array_t<std::uint8_t> ends(searched_games(s));
  const std::vector<std::int64_t> from(actions.data(), actions.data() + searched_games(s));
  float* const to = rewards.mutable_data();
  auto* const how = reinterpret_cast<End*>(ends.mutable_data());
  s.work([&](TreeSearch& search) { return search.play(from.data(), to, how); });
  return py::make_tuple(rewards, ends);
}

void add_noise(PySearch& s, double alpha, double share) {
  if (!std::isfinite(alpha) || alpha <= 0 || !(share >= 0 && share <= 1))
    throw py::value_error("alpha: above 0; share: from 0 to 1");
  s.work([&](TreeSearch& search) { return search.add_noise(alpha, share); });
}

py::object state_of_game(PySearch& s, std::size_t game, const PyRules& rules) {
  const std::size_t number = game_of(s, game);
  auto state = s.ask([number](const TreeSearch& search) { return search.state(number); });
  return object_of(value_of(rules.program(), std::move(state)));
}

void begin_with(PySearch& s, std::size_t game, const py::object& state) {
  const std::size_t number = game_of(s, game);
  State begin = state_in(state);
  const bool is_ours = s.ask([&](TreeSearch& search) { return search.begin_with(number, std::move(begin)); });
  if (!is_ours) throw py::value_error("a state of other rules, or of other action numbers");
}

} // namespace

void add_search(py::module_& module) {
  auto search = py::class_<PySearch>(module, "_Search");
  search.def("collect", &collect)
      .def("leaf_actions", &leaf_actions)
      .def("give", &give)
      .def("roots", &roots)
      .def("num_actions",
           [](PySearch& s) {
             if (!s.look().numbers().dense())
               throw py::value_error("these rules have too many actions for a mask: use leaf_actions()");
             return s.look().numbers().size();
           })
      .def("visits", [](PySearch& s) { return by_action(s, &RootMove::visits); })
      .def("improved", [](PySearch& s) { return by_action(s, &RootMove::improved); })
      .def("values", &values)
      .def("observe", &observe_roots)
      .def("current_players", &movers)
      .def("choose", &choose)
      .def("play", &play)
      .def("add_noise", &add_noise)
      .def("reset", [](PySearch& s) { s.ask([](TreeSearch& games) { games.reset(); }); })
      .def("state", &state_of_game)
      .def("begin_with", &begin_with);
  forbid_making(search);
  module.def("_new_search", &new_search);
}

} // namespace boardwright::python
