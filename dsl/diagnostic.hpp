// Diagnostics: what a reader, a checker or a test run has to say about a rule file.
//
// Stages add to one Diagnostics and go on, so that one pass tells every error it can; whoever called them
// discards the result if has_errors(). One function, render, writes them for people: place, line, caret, what
// was expected.
#pragma once

#include "dsl/codes.hpp"
#include "dsl/source.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::dsl {

enum class Severity : std::uint8_t { error, warning, note };

[[nodiscard]] constexpr std::string_view name_of(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

struct Related { // another place that belongs to the message, with a line of its own
  Span span;
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::error;
  Code code; // stable, for people to look up
  Span span;
  std::string message;  // one sentence, lower case, no full stop
  std::string expected; // "expected a name or `(`"; may be empty
  std::string help;     // a suggestion, "did you mean `forward`?"; may be empty
  std::string position; // where it can be seen, as `--position` takes it; may be empty
  std::vector<Related> related;
};

// After this many errors the rest is counted, not kept: a hostile file must not fill memory with messages.
inline constexpr std::size_t kMaxDiagnostics = 100;

class Diagnostics {
public:
  // The reference stays valid until the next call; it is where `expected`, `help` and `related` are filled
  // in. A second error with the same span and message is dropped (a definition is checked at each of its
  // calls).
  Diagnostic& error(Code code, Span span, std::string message);
  Diagnostic& warning(Code code, Span span, std::string message);
  Diagnostic& note(Code code, Span span, std::string message); // what may well be right

  void append(const Diagnostics& others);
  // Takes errors back that are explained by another one.
  void forget(Code code, const std::string& message);
  void forget(Code code, const std::function<bool(const Diagnostic&)>& is_echo);

  [[nodiscard]] bool has_errors() const { return errors_ > 0; }
  [[nodiscard]] std::size_t error_count() const { return errors_; }
  // The last one that was added; only where there is one.
  [[nodiscard]] Diagnostic& last() { return all_.back(); }
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }
  [[nodiscard]] std::size_t suppressed() const { return suppressed_; }

private:
  Diagnostic& add(Severity severity, Code code, Span span, std::string message);
  std::vector<Diagnostic> all_;
  Diagnostic dropped_; // takes what is written to a message that is not kept
  std::size_t errors_ = 0;
  std::size_t suppressed_ = 0;
};

// In the order of files and offsets:
//   game.yaml:12:7: error: unknown name `forwad` [unknown-name]
//      12 |   turn: from own, step(forwad, empty)
//         |                        ^~~~~~
//         | did you mean `forward`?
// `color` adds ANSI colours.
[[nodiscard]] std::string render(const Diagnostics& diagnostics, const Sources& sources, bool color);

// The member of `known` that is nearest to `name` by edit distance, if it is near enough to be meant; else
// "".
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string>& known);

} // namespace boardwright::dsl
