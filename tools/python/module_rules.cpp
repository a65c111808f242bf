// What Python sees of rules.
#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/model/fingerprint.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/model/shares.hpp"
#include "tools/python/calls.hpp"
#include "tools/python/known.hpp"
#include "tools/python/module.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace boardwright::python {

PyRules::PyRules(std::shared_ptr<const runtime::Rules> rules, Origin origin)
    : rules_(std::move(rules)), planes_(std::make_shared<const Planes>(rules_)),
      origin_(std::make_shared<const Origin>(std::move(origin))),
      fingerprint_(runtime::fingerprint_text(runtime::fingerprint(rules_->program()))),
      part_base_(python::part_base(*rules_)) {}

PyRules::PyRules(const PyRules& other)
    : rules_(other.rules_), planes_(other.planes_), origin_(other.origin_), fingerprint_(other.fingerprint_),
      part_base_(other.part_base_), numbers_(other.numbers_), look_(other.look_), common_(other.common_) {}

// The caller holds the turn.
void PyRules::explore_in_turn(const ExploreOptions& options) {
  std::atomic<bool> stop = false;
  ExploreOptions with = options;
  with.stop = &stop;
  tl::expected<std::shared_ptr<ActionNumbers>, runtime::Fault> found;
  {
    const py::gil_scoped_release release;
    (void)attend(stop, [&] { found = ActionNumbers::explore(rules_, with); });
  }
  numbers_ = value_of(program(), std::move(found));
}

// Threads that come together wait for the one that was first, and have its numbers.
std::shared_ptr<ActionNumbers> PyRules::numbers() {
  if (numbers_) return numbers_;
  const Turns::Hold hold(turns_);
  if (numbers_) return numbers_;
  explore_in_turn({});
  common_ = numbers_->actions().size();
  return numbers_;
}

void PyRules::explore(std::uint64_t seed, std::size_t most_actions) {
  const Turns::Hold hold(turns_);
  explore_in_turn({seed, most_actions, nullptr});
  common_ = 0;
}

void PyRules::set_actions(const std::vector<Action>& actions, bool dense, bool closed) {
  const Turns::Hold hold(turns_);
  numbers_ = std::make_shared<ActionNumbers>(actions, dense, closed);
  common_ = 0;
}

namespace {

using Found = std::vector<std::tuple<std::string, std::string, std::string, std::string>>;

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

// Finds what was found when the rules were first loaded, and nothing else.
dsl::FileFinder finder_of(const std::vector<Origin::File>& files) {
  return [&files](const std::string& reference, const std::string& beside) -> std::optional<dsl::FoundFile> {
    for (const Origin::File& file : files)
      if (file.reference == reference && file.beside == beside) return dsl::FoundFile{file.name, file.text};
    return std::nullopt;
  };
}

// The same, and notes what it finds.
dsl::FileFinder noting(dsl::FileFinder find, std::vector<Origin::File>& files) {
  return [find = std::move(find), &files](const std::string& reference, const std::string& beside) {
    auto found = find(reference, beside);
    const auto is_known = [&](const Origin::File& f) {
      return f.reference == reference && f.beside == beside;
    };
    if (found && std::none_of(files.begin(), files.end(), is_known))
      files.push_back({reference, beside, found->name, found->text});
    return found;
  };
}

// In the main thread Ctrl-C ends it.
interpreter::Loaded load_attended(const std::string& reference, const interpreter::Settings& settings,
                                  const dsl::FileFinder& find) {
  interpreter::Loaded loaded;
  std::atomic<bool> stop = false;
  const auto load = [&] {
    runtime::Meter meter = runtime::Meter::without_limit(stop);
    const runtime::Meter::Use use(&meter);
    loaded = interpreter::load(reference, settings, find);
  };
  bool ended = true;
  {
    const py::gil_scoped_release release;
    ended = attend(stop, load);
  }
  if (!ended) throw py::error_already_set();
  return loaded;
}

} // namespace

const interpreter::Look& PyRules::look() {
  if (look_) return *look_;
  const interpreter::Loaded again =
      load_attended(origin_->reference, origin_->settings, finder_of(origin_->files));
  if (!again) throw py::value_error(again.errors());
  look_ = std::make_shared<const interpreter::Look>(interpreter::look_of(again));
  return *look_;
}

namespace {

// The rules, or None; what there is to say of them, as text and as a list.
py::tuple load_rules(const std::string& reference, const std::optional<std::string>& text,
                     const interpreter::Settings& settings) {
  Origin origin{reference, settings, {}};
  const auto find = text ? dsl::finder_with(reference, *text) : dsl::standard_finder();
  const interpreter::Loaded loaded = load_attended(reference, settings, noting(find, origin.files));
  py::object rules = py::none();
  if (loaded) rules = py::cast(std::make_shared<PyRules>(loaded.rules, std::move(origin)));
  return py::make_tuple(rules, loaded.errors(), diagnostics_of(loaded.diagnostics, loaded.sources));
}

py::tuple origin_of(const PyRules& rules) {
  const Origin& origin = rules.origin();
  Found files;
  for (const auto& file : origin.files) files.emplace_back(file.reference, file.beside, file.name, file.text);
  return py::make_tuple(origin.reference, origin.settings, files);
}

// From what origin_of told; nothing is asked of the disk.
std::shared_ptr<PyRules> rules_from(const std::string& reference, const interpreter::Settings& settings,
                                    const Found& files) {
  Origin origin{reference, settings, {}};
  for (const auto& [asked, beside, name, text] : files) origin.files.push_back({asked, beside, name, text});
  const interpreter::Loaded loaded = load_attended(reference, settings, finder_of(origin.files));
  if (!loaded) throw py::value_error(loaded.errors());
  return std::make_shared<PyRules>(loaded.rules, std::move(origin));
}

py::list shares_of(const PyRules& rules, const runtime::PlayoutResult& result) {
  py::list shared; // a share for each player, and how many games
  for (const auto& [parts, games] : result.shared) {
    std::vector<double> shares;
    for (int player = 0; player < rules.program().player_count(); ++player)
      shares.push_back(static_cast<double>(runtime::parts_of(parts, player)) / runtime::whole_of(parts));
    shared.append(py::make_tuple(shares, games));
  }
  return shared;
}

py::dict playouts_of(PyRules& rules, std::uint64_t count, std::uint64_t seed, int threads, int max_plies) {
  std::atomic<bool> stop = false;
  runtime::PlayoutOptions options;
  options.count = count;
  options.seed = seed;
  options.threads = threads;
  options.max_plies = max_plies;
  options.stop = &stop;
  tl::expected<runtime::PlayoutResult, runtime::Fault> played;
  {
    const py::gil_scoped_release release;
    (void)attend(stop, [&] { played = runtime::playouts(rules.rules(), options); });
  }
  const runtime::PlayoutResult result = value_of(rules.program(), std::move(played));
  using py::literals::operator""_a;
  return py::dict("shared"_a = shares_of(rules, result), "playouts"_a = result.playouts,
                  "wins"_a = result.wins, "draws"_a = result.draws, "unfinished"_a = result.unfinished,
                  "plies"_a = result.plies, "moves"_a = result.moves, "shortest"_a = result.shortest,
                  "longest"_a = result.longest, "cpu_seconds"_a = result.cpu_seconds,
                  "native"_a = result.native);
}

std::vector<std::string> player_names(const PyRules& rules) {
  std::vector<std::string> names;
  for (const auto& player : rules.program().players) names.push_back(player.name);
  return names;
}

py::dict dict_of(const std::shared_ptr<ActionNumbers>& numbers) {
  py::list all;
  for (const Action& action : numbers->actions()) all.append(py::make_tuple(action.text, action.parts));
  using py::literals::operator""_a;
  return py::dict("dense"_a = numbers->dense(), "closed"_a = numbers->closed(), "size"_a = numbers->size(),
                  "actions"_a = all);
}

py::object known_actions(const PyRules& rules) {
  const auto numbers = rules.known_numbers();
  if (!numbers) return py::none();
  return dict_of(numbers);
}

void set_actions(PyRules& rules, const std::vector<std::pair<std::string, Parts>>& all, bool dense,
                 bool closed) {
  std::vector<Action> actions;
  for (const auto& [text, parts] : all) actions.push_back({parts, text});
  rules.set_actions(actions, dense, closed);
}

py::dict options_of(const PyRules& rules) {
  py::dict options;
  for (const auto& option : rules.program().options) options[py::str(option.name)] = option.value;
  return options;
}

py::tuple shape_of(const PyRules& rules) {
  const Planes& planes = *rules.planes();
  return py::make_tuple(planes.names().size(), planes.ranks(), planes.files());
}

} // namespace

void add_rules(py::module_& module) {
  auto rules = py::class_<PyRules, std::shared_ptr<PyRules>>(module, "Rules");
  rules
      .def_property_readonly(
          "name", [](const PyRules& r) { return r.program().game; }, "The game's name, as its file has it.")
      .def_property_readonly("players", &player_names, "Names of the players, in the order of their numbers.")
      .def_property_readonly(
          "fingerprint", &PyRules::fingerprint,
          "A number, as text, that other rules don't have: games of the same fingerprint have "
          "the same moves.")
      .def_property_readonly(
          "cells", [](const PyRules& r) { return r.program().board.name; },
          "Names of the cells, in the order of State.board().")
      .def_property_readonly(
          "planes", [](const PyRules& r) { return r.planes()->names(); },
          "What each plane of an observation shows.")
      .def_property_readonly(
          "has_chance", [](const PyRules& r) { return r.program().chance.has_value(); },
          "Whether something is left to chance: games have nodes in which nature moves.")
      .def_property_readonly(
          "hides", [](const PyRules& r) { return r.program().hides(); },
          "Whether players know less than everything: see State.observation_string.")
      .def_property_readonly("options", &options_of, "The values of the file's options, as text.")
      .def_property_readonly("_shape", &shape_of)
      .def("_explore", &PyRules::explore)
      .def("_actions", [](PyRules& r) { return dict_of(r.numbers()); })
      .def("_known_actions", &known_actions)
      .def("_numbers_are_common", &PyRules::numbers_are_common)
      .def("_set_actions", &set_actions)
      .def("_known_shape",
           [](PyRules& r, std::size_t most_moves) {
             const Shared shared = r.shared();
             const KnownRows rows(shared, most_moves);
             return py::make_tuple(rows.rows(), rows.columns());
           })
      .def("_num_parts", [](const PyRules& r) { return part_count(r.part_base()); })
      .def("_num_actions", [](PyRules& r) { return r.numbers()->size(); })
      .def("_dense", [](PyRules& r) { return r.numbers()->dense(); })
      .def("_origin", &origin_of)
      .def("_copy", [](const PyRules& r) { return std::make_shared<PyRules>(r); })
      .def("_playouts", &playouts_of);
  forbid_making(rules);
  module.def("_load", &load_rules);
  module.def("_rules_from", &rules_from);
}

} // namespace boardwright::python
