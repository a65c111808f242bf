#include "tools/english/rules_text.hpp"

#include "tools/console/console.hpp"
#include "tools/english/rule_sources.hpp"
#include "tools/games/game_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace boardwright::tools {
namespace {

using interpreter::Loaded;

// Lines of the file on which the turn itself decides: "lines 26 and 31", with the file's name where it is
// another.
std::string decided_in_turn(const Loaded& loaded) {
  std::vector<std::string> lines;
  if (!loaded.file) return "";
  for (const dsl::Span span : decisions(*loaded.file)) {
    const dsl::Location place = loaded.sources.locate(span.file, span.begin);
    const bool elsewhere = span.file != loaded.file->file;
    const std::string line = fmt::format("{}{}", elsewhere ? place.file + ":" : "", place.line);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
  if (lines.empty()) return "";
  return fmt::format("in `turn`, line{} {}", lines.size() == 1 ? "" : "s", fmt::join(lines, ", "));
}

std::string definitions_text(const Loaded& loaded) {
  if (!loaded.file) return "";
  std::string text;
  for (const dsl::Definition* d : used_definitions(*loaded.file))
    text += indented(printable(definition_text(loaded, *d)));
  return text.empty() ? "" : "define\n" + text;
}

std::string end_text(const Loaded& loaded) {
  const auto end = end_sources(loaded);
  const std::string in_turn = decided_in_turn(loaded);
  if (end.empty())
    return in_turn.empty() ? "end: only when there is no move (a draw)\n"
                           : "end: " + printable(in_turn) + "; or when there is no move (a draw)\n";
  std::string text = "end\n";
  for (const std::string& line : end) text += indented(printable(line));
  return in_turn.empty() ? text : text + indented("or " + printable(in_turn));
}

} // namespace

std::string turn_source(const Loaded& loaded) {
  return loaded.file && loaded.file->turn ? source_text(loaded.sources, loaded.file->turn->span) : "";
}

std::vector<std::string> end_sources(const Loaded& loaded) {
  std::vector<std::string> lines;
  if (loaded.file)
    for (const dsl::EndRule& rule : loaded.file->end) lines.push_back(source_text(loaded.sources, rule.span));
  return lines;
}

std::string definition_text(const Loaded& loaded, const dsl::Definition& definition) {
  const dsl::Span span = whole_span(loaded.sources, definition);
  const std::size_t column = loaded.sources.locate(span.file, span.begin).column - 1;
  std::istringstream lines(loaded.sources.text(span.file).substr(span.begin, span.end - span.begin));
  std::string text, line;
  for (bool first = true; std::getline(lines, line); first = false) {
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    text += first ? line : "\n" + line.substr(std::min(blanks, column));
  }
  return text;
}

std::string rules_text(const Loaded& loaded) {
  return definitions_text(loaded) + "turn\n" + indented(printable(turn_source(loaded))) + end_text(loaded);
}

} // namespace boardwright::tools
