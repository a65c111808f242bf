// Entry point: coverage_page. The text of the file with its parts marked in place, and their counts below
// each line.
#include "tools/reports/coverage_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace boardwright::tools {
namespace {

using interpreter::Coverage;
using interpreter::CoveredPart;
using interpreter::PartCount;
using interpreter::PartKind;

constexpr std::string_view kCoverageStyle = R"(
:root { color-scheme: light dark; --good: #1a7f37; --games: #9a6700; --bad: #cf222e; --faint: #8884; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; font: 13px/1.45 ui-monospace, monospace; }
td { padding: 0 .6rem; vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere; }
td.n { text-align: right; color: #888; user-select: none; width: 3rem; }
tr.part td { font-size: 12px; background: #8881; }
td.c { text-align: right; white-space: nowrap; }
.good { text-decoration: underline 2px var(--good); text-underline-offset: 3px; }
.games { text-decoration: underline 2px var(--games); text-underline-offset: 3px; background: #bf870022; }
.bad { text-decoration: underline 2px var(--bad); text-underline-offset: 3px; background: #cf222e22; }
.key span { margin-right: 1.2rem; }
)";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) switch (c) {
    case '&': result += "&amp;"; break;
    case '<': result += "&lt;"; break;
    case '>': result += "&gt;"; break;
    case '"': result += "&quot;"; break;
    case '\'': result += "&#39;"; break;
    default: result += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
    }
  return result;
}

std::string_view class_of(const CoveredPart& part) {
  if (interpreter::is_covered(part.kind, part.tests)) return "good";
  return interpreter::is_covered(part.kind, part.random) ? "games" : "bad";
}

std::string counts(const PartCount& count) { return fmt::format("{} of {}", count.held, count.met); }

std::string told(const CoveredPart& part) {
  std::string text = fmt::format("{}: tests {}, random games {}", word_for(part.kind), counts(part.tests),
                                 counts(part.random));
  if (const std::string missing = interpreter::what_is_missing(part.kind, part.tests); !missing.empty())
    text += fmt::format("; in tests it {}", missing);
  return text;
}

// Opening and closing marks of one line of the text; parts are nested, and those that go over several lines
// are closed at the end of one and opened again in the next.
class Marking {
public:
  Marking(const std::string& text, const std::vector<CoveredPart>& parts) : text_(text), parts_(parts) {}

  [[nodiscard]] std::string line(std::size_t begin, std::size_t end) const {
    std::string html;
    std::vector<const CoveredPart*> open;
    std::size_t at = begin;
    for (const CoveredPart& part : parts_) { // outer ones come before inner ones
      const std::size_t from = std::max<std::size_t>(part.span.begin, begin);
      const std::size_t to = std::min<std::size_t>(part.span.end, end);
      if (part.kind == PartKind::definition || from >= to) continue;
      close(html, open, at, from);
      html += escaped(text_.substr(at, from - at));
      at = from;
      html += fmt::format("<span class=\"{}\" title=\"{}\">", class_of(part), escaped(told(part)));
      open.push_back(&part);
    }
    close(html, open, at, end);
    html += escaped(text_.substr(at, end - at));
    for (std::size_t i = 0; i < open.size(); ++i) html += "</span>";
    return html;
  }

private:
  // Closes the marks that end before `until`.
  void close(std::string& html, std::vector<const CoveredPart*>& open, std::size_t& at,
             std::size_t until) const {
    while (!open.empty() && open.back()->span.end <= until) {
      const std::size_t to = std::max<std::size_t>(open.back()->span.end, at);
      html += escaped(text_.substr(at, to - at)) + "</span>";
      at = to;
      open.pop_back();
    }
  }

  const std::string& text_;
  const std::vector<CoveredPart>& parts_;
};

std::string part_row(const CoveredPart& part) {
  const std::string games = part.kind == PartKind::end_line
                                ? fmt::format("{}, ended {} games", counts(part.random), part.random.games)
                                : counts(part.random);
  const std::string missing = interpreter::what_is_missing(part.kind, part.tests);
  return fmt::format("<tr class=\"part\"><td class=\"n\"></td><td><span class=\"{}\">{}</span> {}{}</td>"
                     "<td class=\"c\">{}</td><td class=\"c\">{}</td></tr>\n",
                     class_of(part), escaped(part.text), word_for(part.kind),
                     missing.empty() ? "" : fmt::format(" <b>in tests it {}</b>", missing),
                     counts(part.tests), games);
}

std::string source_table(const CoveredFile& file) {
  const Coverage& coverage = *file.coverage;
  if (coverage.parts.empty()) return "<p>The file has no rules of its own.</p>\n";
  const dsl::FileId id = coverage.parts.front().span.file;
  const std::string& text = file.sources->text(id);
  const Marking marking(text, coverage.parts);
  std::string html = "<table><tr><th></th><th></th><th>tests</th><th>random games</th></tr>\n";
  std::uint32_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    html += fmt::format("<tr id=\"L{0}\"><td class=\"n\">{0}</td><td colspan=\"3\">{1}</td></tr>\n", number,
                        marking.line(begin, end));
    for (const CoveredPart& part : coverage.parts)
      if (part.span.begin >= begin && part.span.begin <= end) html += part_row(part);
    begin = end + 1;
  }
  return html + "</table>\n";
}

std::string missing_list(const CoveredFile& file) {
  std::string items;
  for (const CoveredPart& part : file.coverage->parts) {
    if (interpreter::is_covered(part.kind, part.tests)) continue;
    const dsl::Location at = file.sources->locate(part.span.file, part.span.begin);
    items +=
        fmt::format("<li>line {}: the {} <code>{}</code> {}{}</li>\n", at.line, word_for(part.kind),
                    escaped(part.text), interpreter::what_is_missing(part.kind, part.tests),
                    interpreter::is_covered(part.kind, part.random) ? "" : "; nor do random games reach it");
  }
  if (items.empty()) return "<p>Tests reach all of it.</p>\n";
  return "<h3>What no test reaches</h3>\n<ul>\n" + items + "</ul>\n";
}

std::string file_section(const CoveredFile& file) {
  const Coverage& coverage = *file.coverage;
  return fmt::format(
             "<h2>{}</h2>\n<p>Tests reach {} of {} parts of the rules ({} tests, {} positions), random "
             "games {} ({} games, {} positions, seed {}).</p>\n",
             escaped(file.name), covered_by_tests(coverage), coverage.parts.size(), coverage.tests,
             coverage.test_positions, covered_by_games(coverage), coverage.games, coverage.random_positions,
             coverage.seed) +
         missing_list(file) + source_table(file);
}

} // namespace

std::string coverage_page(const std::vector<CoveredFile>& files) {
  std::string body;
  for (const CoveredFile& file : files) body += file_section(file);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Coverage of rules</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<h1>Coverage of rules</h1>\n"
      "<p class=\"key\"><span class=\"good\">reached by tests</span>"
      "<span class=\"games\">only by random games</span><span class=\"bad\">by neither</span></p>\n"
      "{}</body>\n</html>\n",
      kCoverageStyle, body);
}

} // namespace boardwright::tools
