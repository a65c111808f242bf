// How long somebody waits for an answer.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

namespace boardwright::runtime {

// Over when a flag is set, or at a time; without any of them never.
struct Patience {
  const std::atomic<bool>* stop = nullptr;
  const std::atomic<bool>* other_stop = nullptr;
  std::optional<std::chrono::steady_clock::time_point> deadline;

  [[nodiscard]] bool is_over() const {
    const auto set = [](const std::atomic<bool>* flag) {
      return flag != nullptr && flag->load(std::memory_order_relaxed);
    };
    return set(stop) || set(other_stop) || (deadline && std::chrono::steady_clock::now() >= *deadline);
  }
};

} // namespace boardwright::runtime
