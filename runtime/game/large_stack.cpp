#include "runtime/game/large_stack.hpp"

#include "runtime/model/meter.hpp"

#include <pthread.h>

#include <cstddef>
#include <exception>

namespace boardwright::runtime {

namespace {

// Programs may be nested as deep as kMaxDepth, and a level takes some kilobytes in the lowering, more under
// sanitizers. Only the pages that are used take memory. Where address space is short, less is asked for.
constexpr std::size_t kSizes[] = {std::size_t{256} << 20, std::size_t{64} << 20, std::size_t{16} << 20};

thread_local bool on_one = false;

struct Task {
  const std::function<void()>& work;
  Meter* meter; // who waits for it pays
  std::exception_ptr thrown;
};

void* carry_out(void* argument) {
  auto& task = *static_cast<Task*>(argument);
  on_one = true;
  const Meter::Use use(task.meter);
  try {
    task.work();
  } catch (...) {
    task.thrown = std::current_exception();
  }
  return nullptr;
}

bool start(pthread_t& thread, std::size_t size, Task& task) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  const bool started = pthread_attr_setstacksize(&attributes, size) == 0 &&
                       pthread_create(&thread, &attributes, carry_out, &task) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

} // namespace

void on_large_stack(const std::function<void()>& work) {
  if (on_one) return work();
  Task task{work, Meter::current(), nullptr};
  for (const std::size_t size : kSizes) {
    pthread_t thread{};
    if (!start(thread, size, task)) continue;
    pthread_join(thread, nullptr);
    if (task.thrown) std::rethrow_exception(task.thrown);
    return;
  }
  work();
}

} // namespace boardwright::runtime
