#include "tools/console/console.hpp"

#include "dsl/text.hpp"
#include "tools/console/child_process.hpp"
#include "tools/console/ending.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

namespace boardwright::tools {
namespace {

std::atomic<bool> interrupt_seen{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

std::atomic<bool> ends_soon{false};
constexpr int kSoonMicroseconds = 90'000;

extern "C" void end_at_once(int) {
  kill_children();
  _exit(static_cast<int>(Exit::interrupted));
}

// Whoever ends a group of processes, as timeout(1) does, sends a signal to the program and to its group: what
// comes again so soon is the same wish, not a second one.
constexpr std::int64_t kSameMilliseconds = 200;
std::atomic<std::int64_t> first_interrupt{0}; // in milliseconds; 0: there was none
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a signal handler writes it");

// clock_gettime may be called by a handler of signals.
std::int64_t milliseconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

extern "C" void on_interrupt(int signal) {
  const std::int64_t now = milliseconds_now();
  std::int64_t first = 0;
  if (!first_interrupt.compare_exchange_strong(first, now)) {
    if (now - first >= kSameMilliseconds) end_at_once(signal);
    return;
  }
  interrupt_seen = true;
  if (!ends_soon) return;
  itimerval soon{};
  soon.it_value.tv_usec = kSoonMicroseconds;
  setitimer(ITIMER_REAL, &soon, nullptr);
}

bool colors_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  return no_color == nullptr || *no_color == '\0';
}

// A terminal that can do no more than print.
bool dumb_terminal() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::strcmp(term, "dumb") == 0;
}

bool colors_on(int stream) { return isatty(stream) != 0 && colors_wanted() && !dumb_terminal(); }

constexpr auto kProgressInterval = std::chrono::milliseconds(200);

} // namespace

const std::atomic<bool>& interrupted() { return interrupt_seen; }

void forget_interrupt() { interrupt_seen = false, first_interrupt = 0; }

void watch_for_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0; // no SA_RESTART: a read that waits for input must return
  sigaction(SIGINT, &action, nullptr);
}

void watch_for_ends() {
  for (const int number : {SIGTERM, SIGHUP}) {
    struct sigaction now {};
    if (sigaction(number, nullptr, &now) != 0 || now.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, nullptr);
  }
}

void end_soon_when_interrupted() {
  struct sigaction action {};
  action.sa_handler = end_at_once;
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, nullptr);
  ends_soon = true;
}

EndingSoon::EndingSoon() : before_(ends_soon) { end_soon_when_interrupted(); }

// Who was interrupted in the meantime isn't ended any more.
EndingSoon::~EndingSoon() {
  if (before_) return;
  ends_soon = false;
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
}

Console::Console()
    : color_out_(colors_on(STDOUT_FILENO)), color_err_(colors_on(STDERR_FILENO)),
      terminal_err_(isatty(STDERR_FILENO) != 0) {}

int Console::width() const {
  constexpr int kUsual = 80;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return size.ws_col;
}

int Console::height() const {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ? 0 : size.ws_row;
}

void Console::out(std::string_view text) {
  if (failure_ != 0) return;
  clear_progress();
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) failure_ = errno != 0 ? errno : EIO;
}

bool Console::flush() {
  errno = 0;
  // Others write to the stream too (prompts do): what failed there is remembered by the stream.
  if (failure_ == 0 && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0))
    failure_ = errno != 0 ? errno : EIO;
  return failure_ == 0;
}

void Console::note(std::string_view text) {
  flush(); // keeps the order where both streams are one terminal
  clear_progress();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Console::error(std::string_view message) {
  note(color_err_ ? fmt::format("\x1b[1;31merror:\x1b[0m {}\n", message)
                  : fmt::format("error: {}\n", message));
}

void Console::progress(std::string_view line) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_err_ || now - last_progress_ < kProgressInterval) return;
  last_progress_ = now;
  progress_shown_ = true;
  const std::string text = fmt::format("\r\x1b[K{}", line);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Console::clear_progress() {
  if (!progress_shown_) return;
  progress_shown_ = false;
  std::fputs("\r\x1b[K", stderr);
}

Exit Console::finish(Exit wanted) {
  clear_progress();
  if (flush()) return wanted;
  // Whoever closed the pipe knows that he did.
  if (failure_ != EPIPE) error(fmt::format("can't write to standard output: {}", std::strerror(failure_)));
  return Exit::files;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const dsl::Character character = dsl::first_character(text.substr(i));
    if (!character.valid) { // what takes it for UTF-8 may not bear it
      result += '?';
      continue;
    }
    const char32_t code = character.code; // U+0080 to U+009F are control characters, too
    const bool control = (code < 0x20 && code != '\n') || (code >= 0x7F && code < 0xA0);
    if (control)
      result += code == '\t' ? ' ' : '?';
    else
      result += text.substr(i, character.bytes);
    i += character.bytes - 1;
  }
  return result;
}

std::string quotable(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return printable(text);
  return printable(dsl::beginning_of(text, longest)) + "…";
}

std::string indented(std::string_view text, std::size_t by) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) result += std::string(by, ' ').append(text.substr(at, end - at));
    result += '\n';
    at = end + 1;
  }
  return result;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

} // namespace boardwright::tools
