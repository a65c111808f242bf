// What Python sees of batches.
#include "tools/python/batch.hpp"
#include "tools/python/dlpack.hpp"
#include "tools/python/module.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

namespace boardwright::python {

namespace {

using Kept = std::vector<std::tuple<py::bytes, std::uint64_t, std::uint64_t>>;

using PyBatch = InTurns<Batch>;

py::ssize_t games_of(const PyBatch& b) { return static_cast<py::ssize_t>(b.look().options().games); }

std::unique_ptr<PyBatch> new_batch(PyRules& rules, std::size_t games, int threads, std::uint64_t seed,
                                   int max_plies, bool auto_reset, bool rolls) {
  if (max_plies < 1) throw py::value_error("max_plies: at least 1");
  const Shared shared = rules.shared();
  std::unique_ptr<PyBatch> batch;
  {
    const py::gil_scoped_release release;
    batch =
        std::make_unique<PyBatch>(shared.rules, shared.rules, shared.numbers, shared.planes, shared.part_base,
                                  BatchOptions{games, threads, seed, max_plies, auto_reset, rolls, &attend});
  }
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (rolls) batch->work([](Batch& all) { return all.reset(); });
  return batch;
}

template <class T>
constexpr NumberType kNumber = {std::is_floating_point_v<T> ? std::uint8_t{2} : std::uint8_t{1},
                                8 * sizeof(T)};
template <>
constexpr NumberType kNumber<bool> = {6, 8};

// A row for each game: the caller's array, if he has one of this shape, else a new one.
template <class T>
class GivenRows {
public:
  GivenRows(const std::vector<py::ssize_t>& shape, const py::object& out) {
    if (out.is_none()) {
      use(py::array_t<T>(shape));
    } else if (py::isinstance<py::array>(out)) {
      if (!py::isinstance<py::array_t<T, py::array::c_style>>(out))
        throw py::value_error("out: another type of array");
      auto array = py::reinterpret_borrow<py::array_t<T>>(out);
      if (!std::equal(shape.begin(), shape.end(), array.shape(), array.shape() + array.ndim()) ||
          !array.writeable())
        throw py::value_error("out: an array of another shape, or one that can't be written");
      use(std::move(array));
    } else if (py::hasattr(out, "__dlpack__")) {
      memory_.emplace(out, kNumber<T>, shape);
      object_ = out;
      data_ = static_cast<T*>(memory_->data());
    } else {
      throw py::value_error("out: another type of array");
    }
  }
  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] const py::object& object() const { return object_; }

private:
  void use(py::array_t<T> array) {
    data_ = array.mutable_data();
    object_ = std::move(array);
  }

  py::object object_;
  std::optional<WritableMemory> memory_;
  T* data_ = nullptr;
};

// The caller's array may change meanwhile: another thread may write into it.
py::object step(PyBatch& b, const py::array_t<std::int64_t, py::array::c_style>& actions) {
  if (actions.ndim() != 1 || actions.shape(0) != games_of(b))
    throw py::value_error("one action for each game");
  py::array_t<float> rewards({games_of(b), static_cast<py::ssize_t>(b.look().players())});
  py::array_t<std::uint8_t> ends(games_of(b));
  const std::vector<std::int64_t> from(actions.data(), actions.data() + games_of(b));
  float* const to = rewards.mutable_data();
  auto* const how = reinterpret_cast<End*>(ends.mutable_data());
  b.work([&](Batch& batch) { return batch.step(from.data(), to, how); });
  return py::make_tuple(rewards, ends);
}

// The same for parts of moves, and in which games a move was whole.
py::object step_parts(PyBatch& b, const py::array_t<std::int64_t, py::array::c_style>& parts) {
  if (parts.ndim() != 1 || parts.shape(0) != games_of(b)) throw py::value_error("one part for each game");
  py::array_t<float> rewards({games_of(b), static_cast<py::ssize_t>(b.look().players())});
  py::array_t<std::uint8_t> ends(games_of(b));
  py::array_t<bool> played(games_of(b));
  const std::vector<std::int64_t> from(parts.data(), parts.data() + games_of(b));
  float* const to = rewards.mutable_data();
  auto* const how = reinterpret_cast<End*>(ends.mutable_data());
  auto* const moved = reinterpret_cast<std::uint8_t*>(played.mutable_data());
  b.work([&](Batch& batch) { return batch.step_parts(from.data(), to, how, moved); });
  return py::make_tuple(rewards, ends, played);
}

// Truths are bytes, also where numbers are asked for: not every library takes truths from another one.
template <class T>
py::object mask_of(PyBatch& b, py::ssize_t columns, const py::object& out,
                   Batch::Answer (Batch::*write)(std::uint8_t*)) {
  const GivenRows<T> rows({games_of(b), columns}, out);
  auto* const to = reinterpret_cast<std::uint8_t*>(rows.data());
  b.work([&](Batch& batch) { return (batch.*write)(to); });
  return rows.object();
}

py::object parts_mask(PyBatch& b, const py::object& out, bool bytes) {
  const auto columns = static_cast<py::ssize_t>(b.look().parts());
  return bytes ? mask_of<std::uint8_t>(b, columns, out, &Batch::parts_mask)
               : mask_of<bool>(b, columns, out, &Batch::parts_mask);
}

std::vector<Symbols> chosen_parts(PyBatch& b) {
  std::vector<Symbols> parts;
  b.work([&](Batch& batch) { return batch.chosen_parts(parts); });
  return parts;
}

py::array_t<std::int64_t> sample(PyBatch& b) {
  py::array_t<std::int64_t> actions(games_of(b));
  std::int64_t* const to = actions.mutable_data();
  b.work([&](Batch& batch) { return batch.sample(to); });
  return actions;
}

py::object mask(PyBatch& b, const py::object& out, bool bytes) {
  if (!b.look().numbers().dense())
    throw py::value_error("these rules have too many actions for a mask: use legal_actions()");
  const auto columns = static_cast<py::ssize_t>(b.look().numbers().size());
  return bytes ? mask_of<std::uint8_t>(b, columns, out, &Batch::mask)
               : mask_of<bool>(b, columns, out, &Batch::mask);
}

template <class T>
py::object planes_of(PyBatch& b, const py::object& out) {
  const Planes& planes = b.look().planes();
  const GivenRows<T> rows({games_of(b), static_cast<py::ssize_t>(planes.names().size()),
                           static_cast<py::ssize_t>(planes.ranks()),
                           static_cast<py::ssize_t>(planes.files())},
                          out);
  T* const to = rows.data();
  b.work([&](Batch& batch) { return batch.observe(to); });
  return rows.object();
}

py::object observe(PyBatch& b, const py::object& out, bool bytes) {
  return bytes ? planes_of<std::uint8_t>(b, out) : planes_of<float>(b, out);
}

py::array_t<std::int32_t> current_players(PyBatch& b) {
  py::array_t<std::int32_t> players(games_of(b));
  std::int32_t* const to = players.mutable_data();
  b.work([&](Batch& batch) { return batch.to_move(to); });
  return players;
}

py::array_t<float> rollouts(PyBatch& b, int count, std::uint64_t seed) {
  if (count < 1) throw py::value_error("at least one game");
  py::array_t<float> means({games_of(b), static_cast<py::ssize_t>(b.look().players())});
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
      .def("parts_mask", &parts_mask)
      .def("chosen_parts", &chosen_parts)
      .def("sample", &sample)
      .def("rollouts", &rollouts)
      .def("mask", &mask)
      .def("observe", &observe)
      .def("current_players", &current_players)
      .def("legal", &legal)
      .def("keep", &keep)
      .def("restore", &restore);
  forbid_making(batch);
  module.def("_new_batch", &new_batch);
}

} // namespace boardwright::python
