// Lines of another program: one thread reads them, another one does what is read, in order, and thinks; what
// both say goes out a line at a time.
#pragma once

#include "tools/console/console.hpp"
#include "tools/engines/alarm.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace boardwright::tools {

// Bytes of lines that wait while it thinks; programs send a handful of lines.
inline constexpr std::size_t kMostWaiting = std::size_t{32} << 20;

// Thinking that was asked for, from when the line is read on: it may be stopped before it has begun.
struct Going {
  std::shared_ptr<std::atomic<bool>> stop = std::make_shared<std::atomic<bool>>(false);
  std::atomic<bool> held = false;    // the answer waits: for `stop`, or for `ponderhit`
  std::atomic<bool> dropped = false; // nobody wants the answer any more
  bool counts = false;               // moves, instead of thinking
  std::optional<std::chrono::milliseconds> time;
};

struct LineToObey {
  std::string line;
  std::shared_ptr<Going> going = nullptr; // of a line that may have it think
  std::size_t left_out = 0;               // above 0: a line of more bytes than that stood here
};

class ProtocolLines {
public:
  explicit ProtocolLines(Console& console) : console_(console) {}
  ~ProtocolLines() { finish(); }
  ProtocolLines(const ProtocolLines&) = delete;
  ProtocolLines& operator=(const ProtocolLines&) = delete;

  // `take` is called on the thread that reads, for each line; false: it is over. `obey` is called on the
  // other one, for what was enqueued. When it is over, thinking ends at once; counts are finished, for who
  // pipes commands in sends the end right behind them. Throws what `obey` threw.
  Exit run(const std::function<bool(const std::string&)>& take,
           const std::function<void(const LineToObey&)>& obey);

  void say(const std::string& line);
  // Nobody reads what is said.
  [[nodiscard]] bool gone() const { return gone_; }

  // False: more than kMostWaiting waits already, and this doesn't.
  [[nodiscard]] bool enqueue(LineToObey line);

  // ---- of what thinks, or will
  [[nodiscard]] bool is_thinking();
  void stop();
  void drop(); // likewise, and nobody wants the answer
  // The opponent plays what was expected: from now on the time counts.
  void hit();
  // When the thinking ends that begins now; nothing where its time begins later.
  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point>
  deadline(Going& going, std::chrono::steady_clock::time_point now, std::chrono::milliseconds time);
  // Where the answer is held: returns when it is wanted.
  static void wait_until_wanted(const Going& going);
  void done(const Going& going);

private:
  void enqueue_for_sure(LineToObey line);
  void work(const std::function<void(const LineToObey&)>& obey);
  [[nodiscard]] std::optional<LineToObey> next();
  bool is_counting();
  void finish();

  Console& console_;
  std::thread worker_;
  std::exception_ptr thrown_;      // by it
  std::atomic<bool> gone_ = false; // nobody reads what is said, or it can't go on
  std::mutex speaking_;

  std::mutex waiting_for_; // for what follows
  std::condition_variable arrived_;
  std::deque<LineToObey> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::vector<std::shared_ptr<Going>> goings_; // that have not been answered
  bool closed_ = false;                        // no more will come
  Alarm alarm_;
};

} // namespace boardwright::tools
