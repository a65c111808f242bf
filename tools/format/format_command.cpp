// Entry point: format_files.
#include "tools/format/format_command.hpp"

#include "tools/console/text_file.hpp"
#include "tools/console/wrapped.hpp"
#include "tools/format/format.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {
namespace {

// Lines that were taken away are empty ones, so both sides are gone through together.
std::string differences(const std::string& name, const std::string& before, const std::string& after) {
  std::string text = fmt::format("--- {0}\n+++ {0}, laid out\n", printable(name));
  const auto old_lines = lines_of(before), new_lines = lines_of(after);
  std::size_t k = 0;
  for (std::size_t i = 0; i < old_lines.size(); ++i) {
    const bool has = k < new_lines.size();
    if (has && old_lines[i] == new_lines[k]) {
      ++k;
      continue;
    }
    text += fmt::format("{}:\n- {}\n", i + 1, printable(old_lines[i]));
    const bool was_empty = old_lines[i].find_first_not_of(" \t\r") == std::string::npos;
    if (has && (!was_empty || new_lines[k].empty())) text += "+ " + printable(new_lines[k++]) + "\n";
  }
  return text;
}

Exit format_one(const FormatOptions& options, const std::string& path, Console& console) {
  const bool is_stream = path == "-";
  if (const std::string what = is_stream ? "" : what_stands_at(path); !what.empty()) {
    console.error(fmt::format("can't read `{}`: it is {}", printable(path), what));
    return Exit::files;
  }
  const auto text = read_text_file(path, dsl::kMaxFileBytes);
  if (!text) {
    console.error(text.error());
    return Exit::files;
  }
  const std::string name = is_stream ? "standard input" : path;
  const Formatted formatted = format_rule_file(name, *text);
  if (formatted.diagnostics.has_errors()) {
    console.note(dsl::render(formatted.diagnostics, formatted.sources, console.color_err()));
    return Exit::at_fault;
  }
  const bool differs = formatted.text != *text;
  if (options.diff && differs) console.out(differences(name, *text, formatted.text));
  if (options.check && !options.diff && differs) console.out(printable(name) + "\n");
  if (options.check || options.diff) return differs ? Exit::at_fault : Exit::good;
  if (is_stream) console.out(formatted.text);
  if (is_stream || !differs) return Exit::good;
  const auto written = write_text_file(path, formatted.text);
  if (written) return Exit::good;
  console.error(written.error());
  return Exit::files;
}

} // namespace

Exit format_files(const FormatOptions& options, Console& console) {
  Exit worst = Exit::good;
  for (const std::string& path : options.files) {
    if (console.failed() || interrupted()) break;
    worst = std::max(worst, format_one(options, path, console));
  }
  return interrupted() ? Exit::interrupted : worst;
}

} // namespace boardwright::tools
