#include "tools/engines/alarm.hpp"

#include <utility>

namespace boardwright::tools {

void Alarm::set(std::chrono::steady_clock::time_point time, std::shared_ptr<std::atomic<bool>> flag) {
  call_off();
  off_ = false;
  waiting_ = std::thread([this, time, flag = std::move(flag)] {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!changed_.wait_until(lock, time, [this] { return off_; })) *flag = true;
  });
}

void Alarm::call_off() {
  if (!waiting_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    off_ = true;
  }
  changed_.notify_all();
  waiting_.join();
}

} // namespace boardwright::tools
