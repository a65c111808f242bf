// What Python sees of batches.
#include "tools/python/batch.hpp"
#include "tools/python/module.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace boardwright::python {

namespace {

using Kept = std::vector<std::tuple<py::bytes, std::uint64_t, std::uint64_t>>;

// Holds a batch's rules; one thread at a time has the work done, without the interpreter's lock.
class PyBatch {
public:
  PyBatch(const Shared& shared, const BatchOptions& options)
      : rules_(shared.rules), batch_(rules_, shared.numbers, shared.planes, shared.part_base, options) {}
  PyBatch(const PyBatch& other, const Turns::Hold&) : rules_(other.rules_), batch_(other.batch_) {}
  [[nodiscard]] std::unique_ptr<PyBatch> copy() {
    const Turns::Hold hold(turns_);
    const py::gil_scoped_release release;
    return std::make_unique<PyBatch>(*this, hold);
  }

  // What never changes.
  [[nodiscard]] const Batch& batch() const { return batch_; }
  [[nodiscard]] auto games() const { return static_cast<py::ssize_t>(batch_.options().games); }
  template <class F>
  void work(F&& f) {
    const Turns::Hold hold(turns_);
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
  Turns turns_;
};

std::unique_ptr<PyBatch> new_batch(PyRules& rules, std::size_t games, int threads, std::uint64_t seed,
                                   int max_plies, bool auto_reset) {
  if (max_plies < 1) throw py::value_error("max_plies: at least 1");
  const Shared shared = rules.shared();
  std::unique_ptr<PyBatch> batch;
  {
    const py::gil_scoped_release release;
    batch =
        std::make_unique<PyBatch>(shared, BatchOptions{games, threads, seed, max_plies, auto_reset, &attend});
  }
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  return batch;
}

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

// The caller's array may change meanwhile: another thread may write into it.
py::object step(PyBatch& b, const py::array_t<std::int64_t, py::array::c_style>& actions) {
  if (actions.ndim() != 1 || actions.shape(0) != b.games()) throw py::value_error("one action for each game");
  py::array_t<float> rewards({b.games(), static_cast<py::ssize_t>(b.batch().players())});
  py::array_t<std::uint8_t> ends(b.games());
  const std::vector<std::int64_t> from(actions.data(), actions.data() + b.games());
  float* const to = rewards.mutable_data();
  auto* const how = reinterpret_cast<End*>(ends.mutable_data());
  b.work([&](Batch& batch) { return batch.step(from.data(), to, how); });
  return py::make_tuple(rewards, ends);
}

// The same for parts of moves, and in which games a move was whole.
py::object step_parts(PyBatch& b, const py::array_t<std::int64_t, py::array::c_style>& parts) {
  if (parts.ndim() != 1 || parts.shape(0) != b.games()) throw py::value_error("one part for each game");
  py::array_t<float> rewards({b.games(), static_cast<py::ssize_t>(b.batch().players())});
  py::array_t<std::uint8_t> ends(b.games());
  py::array_t<bool> played(b.games());
  const std::vector<std::int64_t> from(parts.data(), parts.data() + b.games());
  float* const to = rewards.mutable_data();
  auto* const how = reinterpret_cast<End*>(ends.mutable_data());
  auto* const moved = reinterpret_cast<std::uint8_t*>(played.mutable_data());
  b.work([&](Batch& batch) { return batch.step_parts(from.data(), to, how, moved); });
  return py::make_tuple(rewards, ends, played);
}

py::object parts_mask(PyBatch& b, const py::object& out) {
  auto array = rows<bool>({b.games(), static_cast<py::ssize_t>(b.batch().parts())}, out);
  auto* const to = reinterpret_cast<std::uint8_t*>(array.mutable_data());
  b.work([&](Batch& batch) { return batch.parts_mask(to); });
  return array;
}

std::vector<Symbols> chosen_parts(PyBatch& b) {
  std::vector<Symbols> parts;
  b.work([&](Batch& batch) { return batch.chosen_parts(parts); });
  return parts;
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

std::vector<Numbers> legal(PyBatch& b) {
  std::vector<Numbers> actions;
  b.work([&](Batch& batch) { return batch.legal(actions); });
  return actions;
}

// For each game the places of its moves, its stream of random numbers and the key of its position.
Kept keep(PyBatch& b) {
  std::vector<KeptGame> games;
  b.work([&](Batch& batch) { return batch.keep(games); });
  Kept kept;
  for (const KeptGame& game : games) {
    const auto* const bytes = reinterpret_cast<const char*>(game.places.data());
    kept.emplace_back(py::bytes(bytes, game.places.size() * sizeof(std::uint32_t)), game.random, game.key);
  }
  return kept;
}

void restore(PyBatch& b, const Kept& kept) {
  std::vector<KeptGame> games;
  for (const auto& [places, random, key] : kept) {
    const std::string_view bytes(places);
    KeptGame game{std::vector<std::uint32_t>(bytes.size() / sizeof(std::uint32_t)), random, key};
    std::memcpy(game.places.data(), bytes.data(), game.places.size() * sizeof(std::uint32_t));
    games.push_back(std::move(game));
  }
  b.work([&](Batch& batch) { return batch.restore(games); });
}

} // namespace

void add_batch(py::module_& module) {
  auto batch = py::class_<PyBatch>(module, "_Batch");
  batch.def("copy", &PyBatch::copy)
      .def("reset", [](PyBatch& b) { b.work([](Batch& games) { return games.reset(); }); })
      .def("step", &step)
      .def("step_parts", &step_parts)
      .def("parts_mask", &parts_mask, py::arg("out") = py::none())
      .def("chosen_parts", &chosen_parts)
      .def("sample", &sample)
      .def("rollouts", &rollouts)
      .def("mask", &mask, py::arg("out") = py::none())
      .def("observe", &observe, py::arg("out") = py::none())
      .def("current_players", &current_players)
      .def("legal", &legal)
      .def("keep", &keep)
      .def("restore", &restore);
  forbid_making(batch);
  module.def("_new_batch", &new_batch);
}

} // namespace boardwright::python
