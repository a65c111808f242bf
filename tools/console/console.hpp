// Standard output, standard error and the interrupt key, as the subcommands see them.
//
// What a command answers goes to standard output and nothing else does; diagnostics and progress go to
// standard error. Writing never throws: a failure is remembered, and finish() turns it into the exit status.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace boardwright::tools {

// Exit statuses, the same for every subcommand.
enum class Exit : int {
  good = 0,
  at_fault = 1,      // the rule file, test, position or move
  usage = 2,         // the command line
  files = 3,         // something can't be read or written, or there is no memory
  interrupted = 130, // as shells report a program that SIGINT ended
};

// Set by SIGINT. Long work looks at it and stops.
[[nodiscard]] const std::atomic<bool>& interrupted();
// From here on SIGINT sets interrupted(); a second one ends the program at once, unless it comes so soon that
// it is the first, sent twice.
void watch_for_interrupts();
// For work that tells what it knows when it is stopped: SIGTERM and SIGHUP do the same as SIGINT from here
// on, but where they are ignored (nohup).
void watch_for_ends();
// Takes it back: it was meant for what has stopped now, not for the whole command.
void forget_interrupt();

class Console {
public:
  Console(); // colours where the stream is a terminal and NO_COLOR is not set

  [[nodiscard]] bool color_out() const { return color_out_; }
  [[nodiscard]] bool color_err() const { return color_err_; }
  [[nodiscard]] int width() const;  // columns of standard output; 80 where it is no terminal
  [[nodiscard]] int height() const; // rows; 0 where it is no terminal

  void out(std::string_view text);
  // Hands on what was written; false once standard output has failed, so that long work can stop.
  bool flush();
  [[nodiscard]] bool failed() const { return failure_ != 0; } // of what is written so far

  void note(std::string_view text);     // to standard error
  void error(std::string_view message); // "error: message"
  // A line that the next one overwrites; only where standard error is a terminal, and a few times a second.
  void progress(std::string_view line);
  void clear_progress();

  // The status to end with: `wanted`, unless standard output failed.
  [[nodiscard]] Exit finish(Exit wanted);

private:
  bool color_out_ = false, color_err_ = false, terminal_err_ = false;
  int failure_ = 0; // errno of the first write that failed
  bool progress_shown_ = false;
  std::chrono::steady_clock::time_point last_progress_{};
};

// Text from a file, fit for a terminal: control characters but line breaks become `?`, so that no escape
// sequence of a hostile rule file is carried out.
[[nodiscard]] std::string printable(std::string_view text);

// The same for a text of unknown length that a message quotes: what is longer than `longest` bytes is cut.
[[nodiscard]] std::string quotable(std::string_view text, std::size_t longest = 80);

// Each line that isn't empty further to the right, and ended by a line break.
[[nodiscard]] std::string indented(std::string_view text, std::size_t by = 2);

// 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t number);

} // namespace boardwright::tools
