// How calls from Python are carried out: a thing is used by one thread at a time, and signals are heard
// meanwhile.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace boardwright::python {

// So long a call is carried out by the thread that makes it. What takes longer goes to another one, so that
// this one can listen for signals: within a tenth of a second, as people feel it, with what stopping takes.
inline constexpr std::chrono::milliseconds kAtOnce{30};

// Threads that want to use one thing take turns. All but the waiting is done by threads that hold the
// interpreter's lock, which so guards what is known of the turn.
class Turns {
public:
  // The turn, until it is left. Throws where waiting would never end: the thread itself is in the midst of a
  // call (a handler of signals asks), or the process has been forked off while another thread had the turn;
  // and what a handler of signals raises meanwhile.
  class Hold {
  public:
    explicit Hold(Turns& turns) : turns_(turns) { turns_.take(); }
    ~Hold() { turns_.give(); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

  private:
    Turns& turns_;
  };

private:
  void take();
  void give();
  void wait();

  bool taken_ = false;
  std::thread::id owner_;
  pid_t process_ = 0;
  std::mutex mutex_; // of what follows: threads that wait have left the interpreter's lock
  std::condition_variable changed_;
  std::uint64_t given_ = 0;
};

// Has another thread do the work, and listens for signals until it is done: once a handler of theirs has
// raised something, `stop` is set, by which the work must end soon, and false is the answer; the error is
// Python's (PyErr_Occurred). The caller doesn't hold the interpreter's lock.
[[nodiscard]] bool attend(std::atomic<bool>& stop, const std::function<void()>& work);

} // namespace boardwright::python
