// What is made when it is first asked for, by whichever thread asks first.
#pragma once

#include <atomic>
#include <mutex>
#include <utility>

namespace boardwright::runtime {

// Runs a function once; whoever comes meanwhile waits. If the function throws, the exception goes to the
// caller and the next caller runs it again. Unlike std::call_once no frame of the C library stands between
// the two: to unwind such a frame glibc loads a library first, and ends the program where there is no memory
// for that.
class Once {
public:
  template <class Function>
  void run(Function&& function) {
    if (done_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    if (done_.load(std::memory_order_relaxed)) return;
    std::forward<Function>(function)();
    done_.store(true, std::memory_order_release);
  }

private:
  std::mutex mutex_;
  std::atomic<bool> done_{false};
};

} // namespace boardwright::runtime
