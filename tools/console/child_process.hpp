// Another program that is talked to line by line: what it reads and writes are pipes of ours.
//
// It runs in a process group of its own, so that Ctrl-C at the terminal is ours alone, and so that whatever
// a shell command starts ends with it. Nothing is left running: not by the destructor, not where a signal
// ends this program, and if that is killed outright the other one reads the end of its input.
#pragma once

#include <tl/expected.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace boardwright::tools {

// A line longer than this is none that was meant to be read.
inline constexpr std::size_t kMostLineBytes = std::size_t{1} << 16;
// So many run at once: two for each thread of a match, and some more.
inline constexpr std::size_t kMostChildren = 4096;

class ChildProcess {
public:
  using Clock = std::chrono::steady_clock;

  // Starts a command of the shell. That there is no such command is only told by the shell: see ending().
  [[nodiscard]] static tl::expected<std::unique_ptr<ChildProcess>, std::string>
  start(const std::string& command);
  // Closes its input, which most take for the end, waits a moment, and then kills it.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // What is said goes out while it is listened to; nothing waits here.
  void say(std::string_view line);

  enum class Heard {
    line,
    nothing,  // until the time was over
    stop,     // the flag was set
    end,      // it writes no more
    too_long, // a line over kMostLineBytes
  };
  // The next line, without its end.
  [[nodiscard]] Heard hear(std::string& line, std::optional<Clock::time_point> until,
                           const std::atomic<bool>* stop = nullptr);

  // How it ended ("ended with status 3", "was killed by signal 9 (Killed)"), and the last line that it wrote
  // to standard error. If it still runs it is killed.
  [[nodiscard]] std::string ending();

private:
  ChildProcess(pid_t group, int in, int out, int err);
  [[nodiscard]] bool exited_within(std::chrono::milliseconds time);
  void exchange(int most_ms);
  void write_some();
  void read_some();
  void read_errors();
  void close_input();
  void reap();

  pid_t group_;
  int in_, out_, err_;
  std::size_t slot_ = kMostChildren; // where its group is written down
  std::string unsaid_, heard_, errors_;
  std::size_t taken_ = 0;     // of what was heard: lines that were given
  std::optional<int> status_; // as waitpid has it
};

// Kills all of them: for signal handlers, which may call it.
void kill_children() noexcept;

} // namespace boardwright::tools
