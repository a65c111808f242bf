// Entry point: serve_editor.
#include "tools/lsp/lsp_command.hpp"

#include "dsl/text.hpp"
#include "tools/lsp/server.hpp"

#include <fmt/format.h>

#include <iostream>
#include <optional>
#include <string>

namespace boardwright::tools {
namespace {

constexpr std::size_t kMaxMessage = 16U << 20U;
constexpr std::size_t kMaxHeader = 1U << 12U; // bytes of one line

// One line of a header, without its line break.
std::optional<std::string> header_line(std::istream& in) {
  std::string line;
  for (char c = 0; in.get(c) && c != '\n';)
    if (line.size() < kMaxHeader) line += c;
  if (!in) return std::nullopt;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

// The next message; nothing once the client is gone. One without a length is handed on as an empty text,
// which is answered by an error.
std::optional<std::string> next_message(std::istream& in) {
  std::optional<std::size_t> length;
  const std::string field = "content-length:";
  while (true) {
    const auto line = header_line(in);
    if (!line) return std::nullopt;
    if (line->empty()) break;
    if (!dsl::to_lower(*line).starts_with(field)) continue;
    const std::size_t digits = line->find_first_not_of(' ', field.size());
    if (digits != std::string::npos) length = dsl::number_in<std::size_t>(line->substr(digits));
  }
  if (!length) return "";
  if (*length > kMaxMessage) {
    in.ignore(static_cast<std::streamsize>(*length));
    return "";
  }
  std::string text(*length, ' ');
  if (!in.read(text.data(), static_cast<std::streamsize>(text.size()))) return std::nullopt;
  return text;
}

} // namespace

Exit serve_editor(Console& console) {
  LanguageServer server;
  while (!server.ended()) {
    const auto message = next_message(std::cin);
    if (!message) return interrupted() ? Exit::interrupted : Exit::at_fault;
    for (const std::string& answer : server.answer(*message))
      console.out(fmt::format("Content-Length: {}\r\n\r\n{}", answer.size(), answer));
    if (!console.flush()) return Exit::files;
  }
  return *server.ended() == 0 ? Exit::good : Exit::at_fault;
}

} // namespace boardwright::tools
