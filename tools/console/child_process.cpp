#include "tools/console/child_process.hpp"

#include "tools/console/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace boardwright::tools {
namespace {

using std::chrono::milliseconds;

// How long a program that was asked to leave may take, and one that closed its output until it is gone.
constexpr milliseconds kLeaving{500};
// How often a flag that another thread sets is looked at.
constexpr int kLookMs = 5;
// Of what is written to standard error, for the message: only the end is of interest.
constexpr std::size_t kMostErrors = 4096;
constexpr std::size_t kShownError = 200;

std::array<std::atomic<pid_t>, kMostChildren> groups{};
static_assert(std::atomic<pid_t>::is_always_lock_free, "a signal handler reads them");

extern "C" void on_end(int signal_number) {
  kill_children();
  std::signal(signal_number, SIG_DFL);
  (void)std::raise(signal_number);
}

// A write to a program that is gone must be an error, not our end; and whoever ends us ends it too.
void prepare_signals() {
  const auto replace = [](int number, void (*handler)(int)) {
    struct sigaction now {};
    if (sigaction(number, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) return;
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, nullptr);
  };
  replace(SIGPIPE, SIG_IGN);
  replace(SIGTERM, on_end);
  replace(SIGHUP, on_end);
}

std::size_t write_down(pid_t group) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    pid_t free = 0;
    if (groups[i].compare_exchange_strong(free, group)) return i;
  }
  return kMostChildren;
}

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  [[nodiscard]] bool good() const { return ends[0] >= 0; }
  [[nodiscard]] int take(std::size_t end) { return std::exchange(ends[end], -1); }
};

// An errno, or 0. The program begins as if a shell at a terminal had started it: our signals aren't its.
int spawn(const std::string& command, const Pipe& in, const Pipe& out, const Pipe& err, pid_t& child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual, nothing;
  sigemptyset(&nothing);
  sigemptyset(&usual);
  for (const int number : {SIGPIPE, SIGTERM, SIGHUP, SIGINT}) sigaddset(&usual, number);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setsigmask(&attributes, &nothing);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  std::string shell = "sh", option = "-c", text = command;
  std::array<char*, 4> words{shell.data(), option.data(), text.data(), nullptr};
  const int error = posix_spawn(&child, "/bin/sh", &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

std::string status_text(int status) {
  // A shell that waited for a program gives its signal so.
  constexpr int kShellSignal = 128;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  const bool signalled = !WIFEXITED(status) || (code > kShellSignal && code < kShellSignal + NSIG);
  if (!signalled) return fmt::format("ended with status {}", code);
  const int number = WIFEXITED(status) ? code - kShellSignal : WTERMSIG(status);
  const char* name = strsignal(number);
  return fmt::format("was killed by signal {} ({})", number, name != nullptr ? name : "unknown");
}

} // namespace

void kill_children() noexcept {
  for (const auto& group : groups)
    if (const pid_t number = group.load(); number > 0) kill(-number, SIGKILL);
}

tl::expected<std::unique_ptr<ChildProcess>, std::string> ChildProcess::start(const std::string& command) {
  static std::once_flag prepared;
  std::call_once(prepared, prepare_signals);
  Pipe in, out, err;
  if (!in.good() || !out.good() || !err.good())
    return tl::unexpected(fmt::format("can't be started: {}", std::strerror(errno)));
  pid_t child = 0;
  if (const int error = spawn(command, in, out, err, child); error != 0)
    return tl::unexpected(fmt::format("can't be started: {}", std::strerror(error)));
  std::unique_ptr<ChildProcess> started(new ChildProcess(child, in.take(1), out.take(0), err.take(0)));
  if (started->slot_ == kMostChildren)
    return tl::unexpected(fmt::format("can't be started: {} programs are running", kMostChildren));
  return started;
}

ChildProcess::ChildProcess(pid_t group, int in, int out, int err)
    : group_(group), in_(in), out_(out), err_(err), slot_(write_down(group)) {
  for (const int number : {in_, out_, err_}) fcntl(number, F_SETFL, O_NONBLOCK);
}

ChildProcess::~ChildProcess() {
  const auto until = Clock::now() + kLeaving;
  while (!unsaid_.empty() && out_ >= 0 && Clock::now() < until) exchange(kLookMs);
  close_input();
  if (!status_) (void)exited_within(kLeaving);
  reap();
  for (const int number : {out_, err_})
    if (number >= 0) ::close(number);
}

void ChildProcess::say(std::string_view line) {
  unsaid_.append(line).append("\n");
  write_some();
}

ChildProcess::Heard ChildProcess::hear(std::string& line, std::optional<Clock::time_point> until,
                                       const std::atomic<bool>* stop) {
  for (;;) {
    const std::size_t end = heard_.find('\n', taken_);
    if (std::min(end, heard_.size()) - taken_ > kMostLineBytes) return Heard::too_long;
    if (end != std::string::npos) {
      line.assign(heard_, taken_, end - taken_);
      if (line.ends_with('\r')) line.pop_back();
      taken_ = end + 1;
      return Heard::line;
    }
    heard_.erase(0, std::exchange(taken_, 0));
    if (out_ < 0) return Heard::end;
    if (stop != nullptr && stop->load()) return Heard::stop;
    const auto now = Clock::now();
    if (until && now >= *until) return Heard::nothing;
    constexpr milliseconds kLongest{1000};
    const auto left = until ? std::chrono::ceil<milliseconds>(*until - now) : kLongest;
    exchange(stop != nullptr ? std::min(kLookMs, static_cast<int>(std::min(left, kLongest).count()))
                             : static_cast<int>(std::min(left, kLongest).count()));
  }
}

// Reads and writes what can be, or waits for it.
void ChildProcess::exchange(int most_ms) {
  std::array<pollfd, 3> ready{
      {{out_, POLLIN, 0}, {err_, POLLIN, 0}, {unsaid_.empty() ? -1 : in_, POLLOUT, 0}}};
  if (poll(ready.data(), ready.size(), most_ms) <= 0) return; // interrupted: the caller looks at the flag
  if (ready[0].revents != 0) read_some();
  if (ready[1].revents != 0) read_errors();
  if (ready[2].revents != 0) write_some();
}

void ChildProcess::write_some() {
  while (!unsaid_.empty() && in_ >= 0) {
    const ssize_t done = ::write(in_, unsaid_.data(), unsaid_.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno == EAGAIN) return;
    if (done <= 0) return close_input(); // it doesn't read any more: its output says why
    unsaid_.erase(0, static_cast<std::size_t>(done));
  }
}

void ChildProcess::read_some() {
  std::array<char, 1 << 14> bytes{};
  const ssize_t size = ::read(out_, bytes.data(), bytes.size());
  if (size > 0) {
    heard_.append(bytes.data(), static_cast<std::size_t>(size));
  } else if (size == 0 || (errno != EINTR && errno != EAGAIN)) {
    ::close(std::exchange(out_, -1));
  }
}

void ChildProcess::read_errors() {
  std::array<char, 1 << 12> bytes{};
  const ssize_t size = ::read(err_, bytes.data(), bytes.size());
  if (size > 0) {
    errors_.append(bytes.data(), static_cast<std::size_t>(size));
    if (errors_.size() > kMostErrors) errors_.erase(0, errors_.size() - kMostErrors);
  } else if (size == 0 || (errno != EINTR && errno != EAGAIN)) {
    ::close(std::exchange(err_, -1));
  }
}

void ChildProcess::close_input() {
  if (in_ >= 0) ::close(std::exchange(in_, -1));
  unsaid_.clear();
}

// Meanwhile what it writes is read: whoever waits for room in a pipe doesn't leave.
bool ChildProcess::exited_within(milliseconds time) {
  const auto until = Clock::now() + time;
  for (;;) {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(group_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) return true;
    if (info.si_pid != 0) return true;
    if (Clock::now() >= until) return false;
    if (out_ < 0 && err_ < 0)
      std::this_thread::sleep_for(milliseconds(1));
    else
      exchange(1);
    heard_.clear();
    taken_ = 0;
  }
}

// As long as its leader isn't waited for, the group's number is nobody else's.
void ChildProcess::reap() {
  if (status_) return;
  kill(-group_, SIGKILL);
  if (slot_ < kMostChildren) groups[slot_] = 0;
  int status = 0;
  while (waitpid(group_, &status, 0) < 0)
    if (errno != EINTR) break;
  status_ = status;
}

std::string ChildProcess::ending() {
  const bool left = status_ || exited_within(kLeaving);
  reap();
  while (err_ >= 0) {
    const std::size_t before = errors_.size();
    pollfd ready{err_, POLLIN, 0};
    if (poll(&ready, 1, 0) <= 0) break;
    read_errors();
    if (errors_.size() == kMostErrors && before == kMostErrors) break; // enough
  }
  std::string text = left ? status_text(*status_) : "closed its output";
  const std::size_t last = errors_.find_last_not_of(" \r\n");
  if (last == std::string::npos) return text;
  errors_.resize(last + 1);
  const std::size_t begin = errors_.rfind('\n');
  return text + "; it wrote: " +
         quotable(std::string_view(errors_).substr(begin == std::string::npos ? 0 : begin + 1), kShownError);
}

} // namespace boardwright::tools
