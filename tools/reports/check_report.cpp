// Entry points: json_report, sarif_report, finding_lines, uri_of. JUnit's form is in junit_report.cpp.
#include "tools/reports/check_report.hpp"

#include "dsl/codes.hpp"
#include "dsl/explanations.hpp"
#include "tools/games/diagnostic_json.hpp"
#include "tools/reports/coverage_report.hpp"
#include "tools/reports/profile_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#ifndef BOARDWRIGHT_VERSION
#define BOARDWRIGHT_VERSION "0.1.0"
#endif

namespace boardwright::tools {
namespace {

using dsl::Diagnostic;
using dsl::Location;
using dsl::Sources;
using dsl::Span;

// In the order of files and places, as they are printed for people.
std::vector<const Diagnostic*> sorted(const Checked& checked) {
  std::vector<const Diagnostic*> all;
  for (const dsl::Diagnostics* told : checked.told())
    for (const Diagnostic& d : told->all()) all.push_back(&d);
  std::stable_sort(all.begin(), all.end(), [](const Diagnostic* a, const Diagnostic* b) {
    return std::pair(a->span.file, a->span.begin) < std::pair(b->span.file, b->span.begin);
  });
  return all;
}

// The message with what was expected and what may help.
std::string whole_message(const Diagnostic& d) {
  std::string text = d.message;
  for (const std::string* more : {&d.expected, &d.help})
    if (!more->empty()) text += "; " + *more;
  if (!d.position.empty()) text += "; position: " + d.position;
  return text;
}

// --- JSON

Json checked_json(const Checked& checked) {
  Json diagnostics = Json::array(), tests = Json::array();
  for (const dsl::Diagnostics* told : checked.told())
    for (const Diagnostic& diagnostic : told->all())
      diagnostics.push_back(diagnostic_json(diagnostic, checked.loaded.sources));
  for (const interpreter::TestResult& result : checked.run.results) {
    tests.push_back({{"name", result.name}, {"passed", result.passed}, {"seconds", result.seconds}});
    if (!result.details.empty()) tests.back()["details"] = result.details;
  }
  Json json = {{"file", checked.file},
               {"ok", checked.exit == Exit::good},
               {"diagnostics", diagnostics},
               {"tests", tests}};
  if (checked.looked)
    json["looked_at"] = {{"games", checked.looked->games},
                         {"positions", checked.looked->positions},
                         {"rules", checked.looked->rules},
                         {"rules_in_part", checked.looked->parts}};
  if (checked.coverage) json["coverage"] = coverage_json(*checked.coverage, checked.loaded.sources);
  if (checked.profile) json["profile"] = profile_json(*checked.profile);
  return json;
}

// --- SARIF

Json place_json(const Sources& sources, Span span) {
  const Location begin = sources.locate(span.file, span.begin);
  const Location end = sources.locate(span.file, span.end);
  return {{"artifactLocation", {{"uri", uri_of(begin.file)}}},
          {"region",
           {{"startLine", begin.line},
            {"startColumn", begin.column},
            {"endLine", end.line},
            {"endColumn", end.column}}}};
}

Json rules_json() {
  Json rules = Json::array();
  for (const dsl::Explanation& entry : dsl::explanations())
    rules.push_back({{"id", entry.name},
                     {"shortDescription", {{"text", entry.summary}}},
                     {"fullDescription", {{"text", fmt::format("{}", fmt::join(entry.text, "\n\n"))}}}});
  return rules;
}

// `rules` has an entry for each name, in the order of kCodes.
std::size_t rule_index(dsl::Code code) {
  return static_cast<std::size_t>(std::find(dsl::kCodes.begin(), dsl::kCodes.end(), code.name()) -
                                  dsl::kCodes.begin());
}

Json result_json(const Diagnostic& d, const Sources& sources) {
  Json result = {{"ruleId", d.code.name()},
                 {"ruleIndex", rule_index(d.code)},
                 {"level", name_of(d.severity)},
                 {"message", {{"text", whole_message(d)}}}};
  if (d.span.file < sources.size())
    result["locations"] = Json::array({Json{{"physicalLocation", place_json(sources, d.span)}}});
  Json related = Json::array();
  for (const dsl::Related& other : d.related)
    if (other.span.file < sources.size())
      related.push_back(
          {{"message", {{"text", other.message}}}, {"physicalLocation", place_json(sources, other.span)}});
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  return result;
}

} // namespace

Json json_report(const std::vector<Checked>& files, Exit worst, std::optional<std::uint64_t> seed) {
  Json all = Json::array();
  for (const Checked& checked : files) all.push_back(checked_json(checked));
  Json report = {{"ok", worst == Exit::good}, {"files", all}};
  if (seed) report["seed"] = *seed;
  return report;
}

Json sarif_report(const std::vector<Checked>& files, Exit worst) {
  Json results = Json::array();
  Json looked = Json::array();
  for (const Checked& checked : files)
    if (checked.looked)
      looked.push_back(
          {{"level", "note"},
           {"message", {{"text", fmt::format("{}: {}", checked.file, looked_text(*checked.looked))}}}});
  for (const Checked& checked : files)
    for (const Diagnostic* d : sorted(checked)) results.push_back(result_json(*d, checked.loaded.sources));
  const Json driver = {{"name", "boardwright"}, {"version", BOARDWRIGHT_VERSION}, {"rules", rules_json()}};
  const bool done = worst == Exit::good || worst == Exit::at_fault; // nothing unread, not interrupted
  const Json run = {{"tool", {{"driver", driver}}},
                    {"columnKind", "unicodeCodePoints"},
                    {"invocations", Json::array({Json{{"executionSuccessful", done},
                                                      {"toolExecutionNotifications", looked}}})},
                    {"results", results}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({run})}};
}

std::string looked_text(const interpreter::Looked& looked) {
  std::string text =
      fmt::format("looked at {} {} of {} random {}, at the rules in {}", grouped(looked.positions),
                  looked.positions == 1 ? "position" : "positions", grouped(looked.games),
                  looked.games == 1 ? "game" : "games", grouped(looked.rules));
  if (looked.parts > 0) text += fmt::format(" and in part in {}", grouped(looked.parts));
  return text;
}

std::string finding_lines(const Checked& checked) {
  const Sources& sources = checked.loaded.sources;
  std::string text;
  for (const Diagnostic* d : sorted(checked)) {
    std::string place = checked.file;
    if (d->span.file < sources.size()) {
      const Location at = sources.locate(d->span.file, d->span.begin);
      place = fmt::format("{}:{}:{}", at.file, at.line, at.column);
    }
    std::string line =
        fmt::format("{}: {}: {} [{}]", place, name_of(d->severity), whole_message(*d), d->code.name());
    std::replace(line.begin(), line.end(), '\n', ' ');
    text += printable(line) + "\n";
  }
  return text;
}

std::string uri_of(std::string_view path) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri;
  if (path.starts_with('/')) uri = "file://";
  for (const char c : path)
    uri += kPlain.find(c) != kPlain.npos ? std::string(1, c)
                                         : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return uri;
}

} // namespace boardwright::tools
