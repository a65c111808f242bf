// Entry points: coverage_text, coverage_json. The page is in coverage_page.cpp.
#include "tools/reports/coverage_report.hpp"

#include "tools/console/console.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>

namespace boardwright::tools {
namespace {

using interpreter::Coverage;
using interpreter::CoveredPart;
using interpreter::PartCount;
using interpreter::PartKind;

constexpr std::size_t kWidest = 70; // of a part's text; rules may be long
constexpr std::size_t kColumn = 19; // of counts

// "12 of 340"; of an end line the games it ended too.
std::string counts(const PartCount& count, bool with_games) {
  const std::string text = fmt::format("{} of {}", count.held, count.met);
  return with_games ? fmt::format("{} ({})", text, count.games) : text;
}

std::string part_line(const CoveredPart& part) {
  const bool good = interpreter::is_covered(part.kind, part.tests);
  const std::string text = fmt::format("{}{}", part.kind == PartKind::definition ? "definition " : "",
                                       quotable(part.text, kWidest));
  return fmt::format("      | {} {:>{}} {:>{}}   {}\n", good ? ' ' : '!', counts(part.tests, false),
                     kColumn - 4, counts(part.random, part.kind == PartKind::end_line), kColumn, text);
}

std::string positions(std::uint64_t count) {
  return count == 1 ? "1 position" : fmt::format("{} positions", grouped(count));
}

std::string head(const Coverage& coverage) {
  std::string text = fmt::format(
      "  coverage: {} of {}, {} of {}, seed {}\n", positions(coverage.test_positions),
      coverage.tests == 1 ? "1 test" : fmt::format("{} tests", coverage.tests),
      positions(coverage.random_positions),
      coverage.games == 1 ? "1 random game" : fmt::format("{} random games", coverage.games), coverage.seed);
  if (coverage.left_out > 0)
    text += fmt::format("  left out, for it would take too long: {} of the tests\n",
                        positions(coverage.left_out));
  return text;
}

std::string share(const Coverage& coverage, std::size_t covered) {
  const std::size_t all = coverage.parts.size();
  return fmt::format("{} of {} ({:.0f} %)", covered, all,
                     all == 0 ? 100.0 : 100.0 * static_cast<double>(covered) / static_cast<double>(all));
}

std::string legend() {
  return "  of an alternative: how often it gave a move, of the times it was tried; of a condition: how "
         "often it\n"
         "  held, of the times it was asked; of a line of `end` also the games that it ended; `!`: tests "
         "miss it;\n  `0 of 0`: the rules never came there\n";
}

std::string missing_line(const CoveredPart& part, const dsl::Sources& sources) {
  const dsl::Location at = sources.locate(part.span.file, part.span.begin);
  const std::string also =
      interpreter::is_covered(part.kind, part.random) ? "" : "; nor do random games reach it";
  return fmt::format("    {}:{}:{}: the {} `{}` {}{}\n", printable(at.file), at.line, at.column,
                     word_for(part.kind), quotable(part.text, kWidest),
                     interpreter::what_is_missing(part.kind, part.tests), also);
}

Json count_json(PartKind kind, const PartCount& count) {
  Json json = {{"met", count.met},
               {"held", count.held},
               {"failed", count.met - std::min(count.met, count.held)},
               {"covered", interpreter::is_covered(kind, count)}};
  if (kind == PartKind::end_line) json["games"] = count.games;
  return json;
}

std::string_view id_of(PartKind kind) {
  switch (kind) {
  case PartKind::alternative: return "alternative";
  case PartKind::condition: return "condition";
  case PartKind::end_line: return "end";
  case PartKind::definition: break;
  }
  return "definition";
}

} // namespace

std::string_view word_for(PartKind kind) {
  return kind == PartKind::end_line ? std::string_view("line of `end`") : id_of(kind);
}

std::size_t covered_by_tests(const Coverage& coverage) {
  return static_cast<std::size_t>(
      std::count_if(coverage.parts.begin(), coverage.parts.end(),
                    [](const CoveredPart& part) { return interpreter::is_covered(part.kind, part.tests); }));
}

std::size_t covered_by_games(const Coverage& coverage) {
  return static_cast<std::size_t>(
      std::count_if(coverage.parts.begin(), coverage.parts.end(),
                    [](const CoveredPart& part) { return interpreter::is_covered(part.kind, part.random); }));
}

std::string coverage_text(const Coverage& coverage, const dsl::Sources& sources) {
  std::string text = head(coverage) + legend();
  if (!coverage.parts.empty())
    text += fmt::format("      |   {:>{}} {:>{}}\n", "tests", kColumn - 4, "random games", kColumn);
  std::uint32_t shown = 0;
  for (const CoveredPart& part : coverage.parts) {
    const std::uint32_t line = sources.locate(part.span.file, part.span.begin).line;
    if (line != shown)
      text += fmt::format("{:>5} | {}\n", line, printable(std::string(sources.line(part.span.file, line))));
    shown = line;
    text += part_line(part);
  }
  const std::size_t tested = covered_by_tests(coverage);
  // Without tests the table says all there is to say.
  const bool lists = coverage.tests > 0 && tested < coverage.parts.size();
  if (lists) text += "  what no test reaches:\n";
  for (const CoveredPart& part : coverage.parts)
    if (lists && !interpreter::is_covered(part.kind, part.tests)) text += missing_line(part, sources);
  return text + fmt::format("  tests reach {}, random games {}\n", share(coverage, tested),
                            share(coverage, covered_by_games(coverage)));
}

Json coverage_json(const Coverage& coverage, const dsl::Sources& sources) {
  Json parts = Json::array(), missed = Json::array();
  for (const CoveredPart& part : coverage.parts) {
    const dsl::Location begin = sources.locate(part.span.file, part.span.begin);
    const dsl::Location end = sources.locate(part.span.file, part.span.end);
    Json json = {{"kind", id_of(part.kind)}, {"line", begin.line},       {"column", begin.column},
                 {"end_line", end.line},     {"end_column", end.column}, {"text", part.text}};
    Json missing = json;
    missing["missing"] = interpreter::what_is_missing(part.kind, part.tests);
    if (!interpreter::is_covered(part.kind, part.tests)) missed.push_back(std::move(missing));
    json["tests"] = count_json(part.kind, part.tests);
    json["random"] = count_json(part.kind, part.random);
    parts.push_back(std::move(json));
  }
  return {{"seed", coverage.seed},
          {"tests", coverage.tests},
          {"test_positions", coverage.test_positions},
          {"left_out", coverage.left_out},
          {"games", coverage.games},
          {"random_positions", coverage.random_positions},
          {"covered_by_tests", covered_by_tests(coverage)},
          {"covered_by_games", covered_by_games(coverage)},
          {"parts", parts},
          {"not_reached_by_tests", missed}};
}

} // namespace boardwright::tools
