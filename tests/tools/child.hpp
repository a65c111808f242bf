// The program as a child that is talked to: a line goes in, lines come out.
#pragma once

#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdio>
#include <poll.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace boardwright::tests {

class Child {
public:
  explicit Child(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), program_path());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    int in[2], out[2];
    REQUIRE(pipe(in) == 0);
    REQUIRE(pipe(out) == 0);
    pid_ = fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      for (const int fd : {in[0], in[1], out[0], out[1]}) close(fd);
      execv(argv.front(), argv.data());
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    in_ = in[1];
    out_ = out[0];
    signal(SIGPIPE, SIG_IGN);
  }
  ~Child() {
    close_input();
    close(out_);
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void say(const std::string& line) {
    const std::string text = line + "\n";
    REQUIRE(write(in_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void close_input() {
    if (in_ >= 0) close(in_);
    in_ = -1;
  }

  void kill(int signal) const { REQUIRE(::kill(pid_, signal) == 0); }

  // The next line; a child that says nothing for minutes hangs.
  std::string line() {
    for (;;) {
      if (const std::size_t end = text_.find('\n'); end != std::string::npos) {
        const std::string line = text_.substr(0, end);
        text_.erase(0, end + 1);
        return line;
      }
      constexpr int kTooLongMs = 180'000;
      pollfd ready{out_, POLLIN, 0};
      REQUIRE(poll(&ready, 1, kTooLongMs) == 1);
      char bytes[4096];
      const ssize_t size = ::read(out_, bytes, sizeof bytes);
      REQUIRE(size > 0); // it has ended
      text_.append(bytes, static_cast<std::size_t>(size));
    }
  }
  // Lines up to the first one that begins so, which comes last.
  std::vector<std::string> lines_to(const std::string& begin) {
    std::vector<std::string> lines;
    do lines.push_back(line());
    while (lines.back().rfind(begin, 0) != 0);
    return lines;
  }
  std::string after(const std::string& begin) { return lines_to(begin).back(); }

  // The exit status.
  int wait() {
    int status = 0;
    REQUIRE(waitpid(pid_, &status, 0) == pid_);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

private:
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1;
  std::string text_;
};

} // namespace boardwright::tests
