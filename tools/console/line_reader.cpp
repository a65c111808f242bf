#include "tools/console/line_reader.hpp"

#include "dsl/text.hpp"
#include "tools/console/child_process.hpp"
#include "tools/console/console.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cwchar>
#include <histedit.h>
#include <poll.h>
#include <string>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace boardwright::tools {
namespace {

std::atomic<bool> window_changed{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

// Waits until there is something to read. False with errno EINTR where a signal came first: also one that
// came just before the call, which a plain read() would sleep through.
bool wait_for_input() {
  sigset_t ours, before;
  sigemptyset(&ours);
  for (const int signal : {SIGINT, SIGWINCH, SIGCONT}) sigaddset(&ours, signal);
  pthread_sigmask(SIG_BLOCK, &ours, &before);
  int ready = -1;
  if (interrupted() || window_changed) {
    errno = EINTR;
  } else {
    fd_set input;
    FD_ZERO(&input);
    FD_SET(STDIN_FILENO, &input);
    ready = pselect(STDIN_FILENO + 1, &input, nullptr, nullptr, nullptr, &before);
  }
  const int failure = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = failure;
  return ready > 0;
}

} // namespace

struct LineReader::Editor {
  Editor() : line(el_init("boardwright", stdin, stdout, stderr)), history(history_init()) {
    if (line == nullptr || history == nullptr) return;
    HistEvent event;
    ::history(history, &event, H_SETSIZE, 1000);
    el_set(line, EL_CLIENTDATA, this);
    el_set(line, EL_PROMPT, &Editor::prompt_of);
    el_set(line, EL_EDITOR, "emacs");
    el_set(line, EL_HIST, ::history, history);
    // Signals stay ours: libedit's own handling would pass SIGINT on to the whole process group.
    el_set(line, EL_SIGNAL, 0);
    el_set(line, EL_GETCFN, &Editor::next_character);
    // Of narrow texts libedit makes copies here that it never frees.
    el_wset(line, EL_ADDFN, L"complete-move", L"Completes a move", &Editor::on_tab);
    el_set(line, EL_BIND, "^I", "complete-move", nullptr);
    bind_keys();
  }
  ~Editor() {
    if (history != nullptr) history_end(history);
    if (line != nullptr) el_end(line);
  }
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

  // What terminals send for keys beside the letters. Those that do nothing here must be bound too: else their
  // signs would stand in the line.
  void bind_keys() const {
    using Key = std::pair<std::string, const char*>;
    std::vector<Key> keys;
    for (const char* home : {"\\e[1~", "\\e[7~", "\\e[H", "\\eOH"}) keys.emplace_back(home, "ed-move-to-beg");
    for (const char* end : {"\\e[4~", "\\e[8~", "\\e[F", "\\eOF"}) keys.emplace_back(end, "ed-move-to-end");
    keys.emplace_back("\\e[3~", "ed-delete-next-char");
    for (const int key :
         {2, 5, 6, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34})
      keys.emplace_back("\\e[" + std::to_string(key) + "~", "ed-ignore");
    for (const char* key : {"\\eOP", "\\eOQ", "\\eOR", "\\eOS", "\\e[E", "\\e[Z", "\\e[P", "\\e[Q", "\\e[S"})
      keys.emplace_back(key, "ed-ignore");
    // With Shift, Alt, Ctrl and what they are together.
    for (int held = 2; held <= 8; ++held) {
      const std::string with = ";" + std::to_string(held);
      for (const char key : {'A', 'B', 'C', 'D', 'E', 'F', 'H', 'P', 'Q', 'R', 'S'})
        keys.emplace_back("\\e[1" + with + key, key == 'C'   ? "em-next-word"
                                                : key == 'D' ? "ed-prev-word"
                                                : key == 'H' ? "ed-move-to-beg"
                                                : key == 'F' ? "ed-move-to-end"
                                                             : "ed-ignore");
      for (const int key : {2, 3, 5, 6, 15, 17, 18, 19, 20, 21, 23, 24})
        keys.emplace_back("\\e[" + std::to_string(key) + with + "~", "ed-ignore");
    }
    for (const auto& [signs, does] : keys) el_set(line, EL_BIND, signs.c_str(), does, nullptr);
  }

  static char* prompt_of(EditLine* line) {
    Editor* self = nullptr;
    el_get(line, EL_CLIENTDATA, &self);
    return self->prompt.data();
  }

  // Ctrl-D that was typed before libedit took the terminal over comes as a zero, since the terminal took it
  // for the end of a line then.
  static constexpr char kEndOfInput = '\x04';
  static bool is_empty(EditLine* line) {
    const LineInfo* info = el_line(line);
    return info->buffer == info->lastchar;
  }

  // libedit's own reading would not see that the window has another size while it waits.
  static int next_character(EditLine* line, wchar_t* character) {
    std::mbstate_t state{};
    Editor* self = nullptr;
    el_get(line, EL_CLIENTDATA, &self);
    while (true) {
      pollfd waiting{STDIN_FILENO, POLLIN, 0};
      self->typed_ahead = self->typed_ahead && poll(&waiting, 1, 0) > 0;
      const bool ready = wait_for_input();
      if (window_changed.exchange(false)) {
        el_resize(line);
        continue;
      }
      char byte = 0;
      const ssize_t got = ready ? ::read(STDIN_FILENO, &byte, 1) : -1;
      if (got <= 0) return static_cast<int>(got);
      if (byte == '\0' && !(self->typed_ahead && is_empty(line))) continue; // Ctrl-Space
      if (byte == '\0') byte = kEndOfInput;
      const std::size_t used = std::mbrtowc(character, &byte, 1, &state);
      if (used == 0 || used == 1) return 1;
      if (used == static_cast<std::size_t>(-1)) state = std::mbstate_t{}; // no character: left out
    }
  }

  static unsigned char on_tab(EditLine* line, int) {
    Editor* self = nullptr;
    el_get(line, EL_CLIENTDATA, &self);
    if (!self->completer) return CC_ERROR;
    const LineInfo* info = el_line(line);
    const std::string typed(info->buffer, info->cursor);
    const Completed completed = self->completer(typed);
    if (completed.text != typed) {
      const auto begins = [](char c) { return !dsl::continues_character(c); };
      el_deletestr(line, static_cast<int>(std::count_if(typed.begin(), typed.end(), begins)));
      return el_insertstr(line, completed.text.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
    }
    if (completed.listing.empty()) return CC_ERROR;
    std::fputs(("\n" + completed.listing).c_str(), stdout);
    std::fflush(stdout);
    return CC_REDISPLAY;
  }

  std::optional<std::string> read(const std::string& shown) {
    prompt = shown;
    typed_ahead = true;
    window_changed = false;
    int length = 0;
    const char* text = nullptr;
    el_resize(line); // the window may have another size by now
    do {
      errno = 0;
      text = el_gets(line, &length);
    } while (text == nullptr && length < 0 && errno == EINTR && !interrupted());
    if (text == nullptr || length <= 0) return std::nullopt;
    std::string result(text, static_cast<std::size_t>(length));
    while (!result.empty() && (result.back() == '\n' || result.back() == '\r')) result.pop_back();
    HistEvent event;
    if (!result.empty()) ::history(history, &event, H_ENTER, result.c_str());
    return result;
  }

  EditLine* line;
  History* history;
  std::string prompt;
  Completer completer;
  bool typed_ahead = false; // what comes was there before the line began
};

namespace {

extern "C" void on_continue(int) {}
extern "C" void on_window_change(int) { window_changed = true; }

void watch_window() {
  struct sigaction action {};
  action.sa_handler = on_window_change;
  sigemptyset(&action.sa_mask);
  sigaction(SIGWINCH, &action, nullptr);
}

// After Ctrl-Z the shell leaves the terminal in its own mode. SIGCONT then ends the read, and the line begins
// anew.
void begin_anew_when_continued() {
  struct sigaction action {};
  action.sa_handler = on_continue;
  sigemptyset(&action.sa_mask);
  sigaction(SIGCONT, &action, nullptr);
}

// The terminal as it was before libedit took it over.
termios found_terminal{};

// Where a signal ends the program in the middle of a line nobody else puts the terminal right.
extern "C" void on_ending_signal(int signal) {
  // Another's terminal it is while this program stands in the background.
  if (tcgetpgrp(STDIN_FILENO) == getpgrp()) tcsetattr(STDIN_FILENO, TCSANOW, &found_terminal);
  kill_children();
  raise(signal); // it ends the program as soon as this returns: the handler was for once
}

void restore_terminal_at_the_end() {
  if (tcgetattr(STDIN_FILENO, &found_terminal) != 0) return;
  for (const int signal : {SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue; // as nohup has it
    struct sigaction action {};
    action.sa_handler = on_ending_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(signal, &action, nullptr);
  }
}

} // namespace

LineReader::LineReader(std::size_t longest) : interactive_(isatty(STDIN_FILENO) != 0), longest_(longest) {
  if (!interactive_ || isatty(STDOUT_FILENO) == 0) return;
  std::setlocale(LC_CTYPE, ""); // libedit reads characters as the terminal sends them
  begin_anew_when_continued();
  watch_window();
  restore_terminal_at_the_end();
  editor_ = std::make_unique<Editor>();
  if (editor_->line == nullptr || editor_->history == nullptr) editor_.reset();
}

LineReader::~LineReader() = default;

void LineReader::complete_with(Completer completer) {
  if (editor_) editor_->completer = std::move(completer);
}

bool LineReader::interactive() const { return interactive_; }

std::optional<std::string> LineReader::read(const std::string& prompt) {
  std::fflush(stdout);
  if (interrupted()) return std::nullopt;
  if (editor_) {
    auto line = editor_->read(prompt);
    return interrupted() ? std::nullopt : line;
  }
  if (interactive_) {
    std::fputs(prompt.c_str(), stdout);
    std::fflush(stdout);
  }
  return read_plainly();
}

// With read() rather than a stream: a stream would wait on through SIGINT.
std::optional<std::string> LineReader::read_plainly() {
  std::array<char, 1 << 14> chunk{};
  too_long_ = false;
  std::size_t looked = 0; // so far there is no line break
  std::size_t end = buffer_.find('\n');
  while (end == std::string::npos && !ended_) {
    looked = buffer_.size();
    const ssize_t got = wait_for_input() ? ::read(STDIN_FILENO, chunk.data(), chunk.size()) : -1;
    if (got < 0 && errno == EINTR && !interrupted()) {
      window_changed = false;
      continue;
    }
    if (got < 0 && interrupted()) return std::nullopt;
    ended_ = got <= 0;
    if (got < 0) failure_ = errno;
    if (got > 0) buffer_.append(chunk.data(), static_cast<std::size_t>(got));
    end = buffer_.find('\n', looked);
    if (end == std::string::npos && buffer_.size() > longest_) { // the rest of it, too, is left out
      too_long_ = true;
      buffer_.clear();
    }
  }
  if (end == std::string::npos && buffer_.empty() && !too_long_) return std::nullopt;
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end == std::string::npos ? end : end + 1);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  too_long_ = too_long_ || line.size() > longest_;
  return too_long_ ? std::string() : line;
}

} // namespace boardwright::tools
