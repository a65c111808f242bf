// Threads that work on one thing and end together. What one of them throws (a callback of the caller's, or
// that there is no memory) ends neither the process nor only that thread: the others are asked to stop, and
// the thread that waits for them throws it on.
#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace boardwright::runtime {

class ThreadGroup {
public:
  // `stop` asks all of them to end soon; any thread may call it.
  explicit ThreadGroup(std::function<void()> stop) : stop_(std::move(stop)) {}
  ThreadGroup(const ThreadGroup&) = delete;
  ThreadGroup& operator=(const ThreadGroup&) = delete;
  // Whoever leaves before `join`, because he throws himself, waits for no results.
  ~ThreadGroup() {
    if (threads_.empty()) return;
    stop_();
    wait();
  }

  // False: the system gives no more threads, and those that there are must do.
  bool start(std::function<void()> work) {
    try {
      threads_.reserve(threads_.size() + 1);
      threads_.emplace_back([this, work = std::move(work)] { carry_out(work); });
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }
  // Waits for all of them, and throws what the first one has thrown that did.
  void join() {
    wait();
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

private:
  void carry_out(const std::function<void()>& work) noexcept {
    try {
      work();
    } catch (...) {
      stop_();
      const std::lock_guard lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
    }
  }
  void wait() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  std::function<void()> stop_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

} // namespace boardwright::runtime
