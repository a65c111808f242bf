// The time that the processor spends on us: the same on a busy machine as on a quiet one, nearly.
#pragma once

#include <ctime>

namespace boardwright::tools {

// Seconds so far, of this thread unless told otherwise.
inline double cpu_seconds(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace boardwright::tools
