// Lines that a person types: with editing and history at a terminal, plainly elsewhere.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace boardwright::tools {

// Longer lines aren't read: no command or move comes near it.
inline constexpr std::size_t kMaxLineBytes = 1 << 16;
// Of other programs, which send all moves of a game each time: some hundred thousand.
inline constexpr std::size_t kMaxProtocolLineBytes = 1 << 22;

// What the Tab key makes of the line up to the cursor.
struct Completed {
  std::string text;    // that part of the line from now on
  std::string listing; // lines to be shown below it; may be empty
};
using Completer = std::function<Completed(const std::string& typed)>;

class LineReader {
public:
  explicit LineReader(std::size_t longest = kMaxLineBytes);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // The next line without its line break; nothing at the end of the input and when interrupted. The prompt is
  // shown only to a person. The terminal is as it was whenever this returns.
  [[nodiscard]] std::optional<std::string> read(const std::string& prompt);

  // Asked when Tab is pressed at a terminal.
  void complete_with(Completer completer);

  // The line that was read last had more bytes than that: it was left out, and nothing stands for it.
  [[nodiscard]] bool too_long() const { return too_long_; }
  [[nodiscard]] std::size_t longest() const { return longest_; }

  // Why nothing could be read, as errno has it; 0 at the end of the input.
  [[nodiscard]] int failure() const { return failure_; }

  // Somebody sits at the other end.
  [[nodiscard]] bool interactive() const;

private:
  struct Editor; // libedit, where both ends are a terminal
  [[nodiscard]] std::optional<std::string> read_plainly();

  std::unique_ptr<Editor> editor_;
  bool interactive_ = false;
  std::string buffer_; // read from standard input, and not yet handed on
  std::size_t longest_;
  bool ended_ = false, too_long_ = false;
  int failure_ = 0;
};

} // namespace boardwright::tools
