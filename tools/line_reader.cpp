#include "tools/line_reader.hpp"

#include "tools/console.hpp"

#include <array>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <histedit.h>
#include <unistd.h>

namespace boardwright::tools {

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
  }
  ~Editor() {
    if (history != nullptr) history_end(history);
    if (line != nullptr) el_end(line);
  }
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

  static char* prompt_of(EditLine* line) {
    Editor* self = nullptr;
    el_get(line, EL_CLIENTDATA, &self);
    return self->prompt.data();
  }

  std::optional<std::string> read(const std::string& shown) {
    prompt = shown;
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
};

namespace {

extern "C" void on_continue(int) {}

// After Ctrl-Z the shell leaves the terminal in its own mode. SIGCONT then ends the read, and the line begins
// anew.
void begin_anew_when_continued() {
  struct sigaction action {};
  action.sa_handler = on_continue;
  sigemptyset(&action.sa_mask);
  sigaction(SIGCONT, &action, nullptr);
}

} // namespace

LineReader::LineReader() : interactive_(isatty(STDIN_FILENO) != 0) {
  if (!interactive_ || isatty(STDOUT_FILENO) == 0) return;
  std::setlocale(LC_CTYPE, ""); // libedit reads characters as the terminal sends them
  begin_anew_when_continued();
  editor_ = std::make_unique<Editor>();
  if (editor_->line == nullptr || editor_->history == nullptr) editor_.reset();
}

LineReader::~LineReader() = default;

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
  std::array<char, 4096> chunk{};
  std::size_t end = buffer_.find('\n');
  while (end == std::string::npos && !ended_ && buffer_.size() < kMaxLineBytes) {
    const ssize_t got = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR && !interrupted()) continue;
    if (got < 0 && interrupted()) return std::nullopt;
    ended_ = got <= 0;
    if (got < 0) failure_ = errno;
    if (got > 0) buffer_.append(chunk.data(), static_cast<std::size_t>(got));
    end = buffer_.find('\n');
  }
  if (end == std::string::npos && buffer_.empty()) return std::nullopt;
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end == std::string::npos ? end : end + 1);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

} // namespace boardwright::tools
