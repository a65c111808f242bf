// What Python sees: parts of the module `boardwright._core`.
#pragma once

#include "interpreter/look/look.hpp"
#include "runtime/game/game.hpp"
#include "tools/python/calls.hpp"
#include "tools/python/state.hpp"

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace boardwright::python {

namespace py = pybind11;

// A rule went wrong, or an action isn't legal: `boardwright.Fault` in Python.
struct FaultError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What a call answers; raised is what there is instead. A handler of signals comes first: that something was
// stopped is only what followed from it.
template <class T>
T value_of(const runtime::Program& program, tl::expected<T, runtime::Fault> answer) {
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (!answer) {
    const std::string place =
        answer.error().origin == 0 ? "" : place_of(program, answer.error().origin) + ": ";
    throw FaultError(place + answer.error().message);
  }
  if constexpr (!std::is_void_v<T>) return std::move(*answer);
}

// Where rules came from: all that it takes to load them again, wherever that is.
struct Origin {
  struct File { // what was asked for, by which file, and what was found
    std::string reference, beside, name, text;
  };
  std::string reference;
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<File> files;
};

// Rules, and what is worked out of them when somebody asks for it. A copy takes other action numbers when it
// is told to, and the first one doesn't.
class PyRules {
public:
  PyRules(std::shared_ptr<const runtime::Rules> rules, Origin origin);
  PyRules(const PyRules& other);
  PyRules& operator=(const PyRules&) = delete;

  [[nodiscard]] const std::shared_ptr<const runtime::Rules>& rules() const { return rules_; }
  [[nodiscard]] const runtime::Program& program() const { return rules_->program(); }
  [[nodiscard]] const std::shared_ptr<const Planes>& planes() const { return planes_; }
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }
  [[nodiscard]] const Origin& origin() const { return *origin_; }
  // How boards are drawn; the rules are read again for it.
  const interpreter::Look& look();
  // Explores where nobody has told the numbers yet.
  std::shared_ptr<ActionNumbers> numbers();
  // As far as they are there.
  [[nodiscard]] std::shared_ptr<ActionNumbers> known_numbers() const { return numbers_; }
  // Nobody has numbers yet, or they are those that an exploration comes to everywhere.
  [[nodiscard]] bool numbers_are_common() const {
    return !numbers_ || (common_ != 0 && numbers_->actions().size() == common_);
  }
  void explore(std::uint64_t seed, std::size_t most_actions);
  void set_actions(const std::vector<Action>& actions, bool dense, bool closed);
  Shared shared() { return {rules_, numbers(), planes_, part_base_}; }
  [[nodiscard]] Symbol part_base() const { return part_base_; }

private:
  void explore_in_turn(const ExploreOptions& options);

  std::shared_ptr<const runtime::Rules> rules_;
  std::shared_ptr<const Planes> planes_;
  std::shared_ptr<const Origin> origin_;
  std::string fingerprint_;
  Symbol part_base_ = 0;
  Turns turns_; // of those who explore
  std::shared_ptr<ActionNumbers> numbers_;
  std::shared_ptr<const interpreter::Look> look_;
  std::size_t common_ = 0; // how many the exploration found; 0: the numbers are others
};

// Something of some rules that one thread at a time uses. It is copied by those who have the turn.
template <class T>
class InTurns {
public:
  template <class... Args>
  explicit InTurns(std::shared_ptr<const runtime::Rules> rules, Args&&... args)
      : rules_(std::move(rules)), what_(std::forward<Args>(args)...) {}
  [[nodiscard]] std::unique_ptr<InTurns> copy() {
    const Turns::Hold hold(turns_);
    const py::gil_scoped_release release;
    return std::make_unique<InTurns>(rules_, std::as_const(what_));
  }

  // What never changes.
  [[nodiscard]] const T& look() const { return what_; }
  // Work that goes on without the interpreter's lock, and may fail.
  template <class F>
  void work(F&& f) {
    const Turns::Hold hold(turns_);
    tl::expected<void, runtime::Fault> answer;
    {
      const py::gil_scoped_release release;
      answer = f(what_);
    }
    value_of(rules_->program(), std::move(answer));
  }
  // What needs no time, or makes arrays.
  template <class F>
  auto ask(F&& f) {
    const Turns::Hold hold(turns_);
    return f(what_);
  }

private:
  std::shared_ptr<const runtime::Rules> rules_;
  T what_;
  Turns turns_;
};

// Classes are made by functions of the module: what Python makes of them by itself would have nothing inside.
void forbid_making(const py::object& type);

// A copy of what is inside an object of the class `_State`, and such an object.
[[nodiscard]] State state_in(const py::object& object);
[[nodiscard]] py::object object_of(State state);

void add_rules(py::module_& module);
void add_state(py::module_& module);
void add_batch(py::module_& module);
void add_search(py::module_& module);
void add_player(py::module_& module);

} // namespace boardwright::python
