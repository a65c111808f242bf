// Sets a flag at a time that becomes known later: when the opponent has played the move that was pondered on.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace boardwright::tools {

class Alarm {
public:
  Alarm() = default;
  ~Alarm() { call_off(); }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  // Takes the place of what was set before.
  void set(std::chrono::steady_clock::time_point time, std::shared_ptr<std::atomic<bool>> flag);
  void call_off();

private:
  std::thread waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool off_ = false;
};

} // namespace boardwright::tools
