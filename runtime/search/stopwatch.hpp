// CPU time of the thread that asks: what else a machine does changes nothing in it.
#pragma once

#include <chrono>
#include <ctime>

namespace boardwright::runtime::search {

[[nodiscard]] inline std::chrono::nanoseconds cpu_now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

} // namespace boardwright::runtime::search
