#include "tools/python/calls.hpp"

#include "runtime/game/thread_group.hpp"

#include <pybind11/pybind11.h>

#include <unistd.h>

#include <stdexcept>

namespace py = pybind11;

namespace boardwright::python {

namespace {

// Signals are looked for so often.
constexpr std::chrono::milliseconds kListening{20};

} // namespace

void Turns::take() {
  while (taken_) {
    if (process_ != getpid())
      throw std::runtime_error("another thread was using it when this process was forked off");
    if (owner_ == std::this_thread::get_id())
      throw std::runtime_error(
          "it is in use: this is asked in the midst of a call that a signal interrupted");
    wait();
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  taken_ = true;
  owner_ = std::this_thread::get_id();
  process_ = getpid();
}

void Turns::give() {
  taken_ = false;
  {
    const std::lock_guard lock(mutex_);
    ++given_;
  }
  changed_.notify_one();
}

// Until somebody has left his turn, or signals should be looked for.
void Turns::wait() {
  std::uint64_t seen = 0;
  {
    const std::lock_guard lock(mutex_);
    seen = given_;
  }
  const py::gil_scoped_release release;
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kListening, [&] { return given_ != seen; });
}

bool attend(std::atomic<bool>& stop, const std::function<void()>& work) {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false, raised = false;
  runtime::ThreadGroup worker([&stop] { stop = true; });
  const bool begun = worker.start([&] {
    struct AtTheEnd { // also where the work throws
      std::mutex& mutex;
      std::condition_variable& changed;
      bool& done;
      ~AtTheEnd() {
        const std::lock_guard lock(mutex);
        done = true;
        changed.notify_one();
      }
    } const at_the_end{mutex, changed, done};
    work();
  });
  if (!begun) { // the system gives no more threads
    work();
    return true;
  }
  const auto is_done = [&] {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, kListening, [&] { return done; });
  };
  while (!is_done()) {
    if (raised) continue;
    const py::gil_scoped_acquire acquire;
    raised = PyErr_CheckSignals() != 0;
    if (raised) stop = true;
  }
  worker.join();
  return !raised;
}

} // namespace boardwright::python
