// The program at a terminal, as a person sees it.
#pragma once

#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <poll.h>
#include <pty.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace boardwright::tests {

class Terminal {
public:
  // Starts the program with these arguments; unfinished games are kept in `state`.
  Terminal(std::vector<std::string> arguments, const std::string& state, const char* locale = "C") {
    winsize size{};
    size.ws_col = 100;
    size.ws_row = 50;
    arguments.insert(arguments.begin(), "boardwright");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const std::string program = program_path();
    child_ = forkpty(&master_, nullptr, nullptr, &size);
    if (child_ == 0) {
      setenv("TERM", "xterm", 1);
      setenv("NO_COLOR", "1", 1);
      setenv("LC_ALL", locale, 1);
      setenv("XDG_STATE_HOME", state.c_str(), 1);
      execv(program.c_str(), argv.data());
      _exit(127);
    }
    REQUIRE(child_ > 0);
  }
  ~Terminal() {
    if (child_ > 0) kill(SIGKILL);
    if (child_ > 0) (void)status();
    if (master_ >= 0) close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void type(const std::string& text) const {
    REQUIRE(::write(master_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  // Waits until this was shown, behind what was waited for before; a minute is enough for any machine.
  bool shows(const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    std::size_t found = 0;
    while ((found = seen_.find(text, passed_)) == std::string::npos)
      if (std::chrono::steady_clock::now() > end || !more()) break;
    INFO("waiting for: " << text << "\nshown: " << seen_.substr(passed_));
    CHECK(found != std::string::npos);
    if (found == std::string::npos) return false;
    passed_ = found + text.size();
    return true;
  }
  bool answers(const std::string& typed, const std::string& text) {
    type(typed);
    return shows(text);
  }
  // What was shown between the places that were waited for last.
  [[nodiscard]] const std::string& all() const { return seen_; }

  void resize(unsigned short columns, unsigned short rows = 50) const {
    winsize size{};
    size.ws_col = columns;
    size.ws_row = rows;
    REQUIRE(ioctl(master_, TIOCSWINSZ, &size) == 0);
  }
  // It shows what is typed by itself, as it does between the lines of a program that edits them.
  [[nodiscard]] bool echoes() const {
    termios state{};
    REQUIRE(tcgetattr(master_, &state) == 0);
    return (state.c_lflag & ECHO) != 0 && (state.c_lflag & ICANON) != 0;
  }
  void kill(int signal) const { ::kill(child_, signal); }
  // Closes the window.
  void hang_up() {
    close(master_);
    master_ = -1;
  }
  // Waits for its end: the exit status, or 128 and the signal that ended it. It is killed after a silent
  // minute.
  int status() {
    while (master_ >= 0 && more()) {
    }
    int result = 0;
    if (!ends(&result)) {
      kill(SIGKILL);
      waitpid(child_, &result, 0);
    }
    child_ = -1;
    return WIFEXITED(result) ? WEXITSTATUS(result) : 128 + WTERMSIG(result);
  }

private:
  bool ends(int* result) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (waitpid(child_, result, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  // Reads on; false at the end, and when nothing has come for a minute.
  bool more() {
    pollfd wait{master_, POLLIN, 0};
    if (poll(&wait, 1, 60'000) <= 0) return false;
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(master_, buffer.data(), buffer.size());
    if (got <= 0) return false; // a terminal that nobody has open any more answers with EIO
    seen_.append(buffer.data(), static_cast<std::size_t>(got));
    return true;
  }

  pid_t child_ = -1;
  int master_ = -1;
  std::string seen_;
  std::size_t passed_ = 0;
};

} // namespace boardwright::tests
