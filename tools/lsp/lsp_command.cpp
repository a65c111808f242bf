// Entry points: serve_editor, print_schema.
#include "tools/lsp/lsp_command.hpp"

#include "dsl/text.hpp"
#include "tools/lsp/schema.hpp"
#include "tools/lsp/server.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {
namespace {

constexpr std::size_t kMaxMessage = 16U << 20U;
constexpr std::size_t kMaxHeader = 1U << 12U; // bytes of one line

constexpr std::size_t kMostAtOnce = 100; // messages
constexpr int kPause = 200;              // milliseconds without a message, then what takes longer is done

// The client's messages. Standard input is read by hand, since only so it is known whether more is there.
class Messages {
public:
  // Has anything come, or ended, within so many milliseconds?
  [[nodiscard]] bool has_more(int milliseconds) const {
    if (at_ < read_) return true;
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return poll(&input, 1, milliseconds) != 0;
  }

  // The next message; nothing once the client is gone. One without a length is handed on as an empty text,
  // which is answered by an error.
  std::optional<std::string> next() {
    std::optional<std::size_t> length;
    const std::string field = "content-length:";
    while (true) {
      const auto line = header_line();
      if (!line) return std::nullopt;
      if (line->empty()) break;
      if (!dsl::to_lower(*line).starts_with(field)) continue;
      const std::size_t digits = line->find_first_not_of(' ', field.size());
      if (digits != std::string::npos) length = dsl::number_in<std::size_t>(line->substr(digits));
    }
    if (!length) return "";
    std::string text;
    for (std::size_t i = 0; i < *length; ++i) {
      const auto c = byte();
      if (!c) return std::nullopt;
      if (*length <= kMaxMessage) text += *c;
    }
    return text;
  }

private:
  std::optional<char> byte() {
    if (at_ == read_) {
      const auto count = read(STDIN_FILENO, buffer_.data(), buffer_.size());
      if (count < 0 && errno == EINTR && !interrupted()) return byte();
      if (count <= 0) return std::nullopt;
      at_ = 0;
      read_ = static_cast<std::size_t>(count);
    }
    return buffer_[at_++];
  }

  // One line of a header, without its line break.
  std::optional<std::string> header_line() {
    std::string line;
    for (auto c = byte(); c != '\n'; c = byte()) {
      if (!c) return std::nullopt;
      if (line.size() < kMaxHeader) line += *c;
    }
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return line;
  }

  std::array<char, 1U << 16U> buffer_{};
  std::size_t at_ = 0, read_ = 0;
};

void tell(const std::vector<std::string>& messages, Console& console) {
  for (const std::string& message : messages)
    console.out(fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message));
}

} // namespace

Exit serve_editor(Console& console) {
  LanguageServer server;
  Messages messages;
  while (!server.ended()) {
    if (server.waits_for_pause() && !messages.has_more(kPause)) {
      tell(server.at_pause(), console);
    } else {
      std::vector<std::string> waiting;
      for (bool more = true; more && waiting.size() < kMostAtOnce; more = messages.has_more(0)) {
        auto message = messages.next();
        if (!message && waiting.empty()) return interrupted() ? Exit::interrupted : Exit::at_fault;
        if (!message) break;
        waiting.push_back(std::move(*message));
      }
      tell(server.answer(waiting), console);
    }
    if (!console.flush()) return Exit::files;
  }
  return *server.ended() == 0 ? Exit::good : Exit::at_fault;
}

Exit print_schema(Console& console) {
  console.out(to_document(rule_file_schema()));
  return console.flush() ? Exit::good : Exit::files;
}

} // namespace boardwright::tools
