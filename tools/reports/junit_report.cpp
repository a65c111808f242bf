// Entry point: junit_report.
#include "tools/console/xml.hpp"
#include "tools/reports/check_report.hpp"

#include <fmt/format.h>

#include <iterator>

namespace boardwright::tools {
namespace {

using dsl::Diagnostic;

struct Case {
  std::string name;
  double seconds = 0;
  bool passed = true;
  std::vector<const Diagnostic*> told; // why it didn't pass, or warnings
  std::string looked;                  // what random games let see
  std::string details;                 // the board where it failed, and what stops or allows its moves
};

// The index of the test that a span lies in: the last that begins before it. Nothing for what stands
// elsewhere.
std::size_t test_at(const dsl::RuleFile& file, dsl::Span span) {
  std::size_t found = file.tests.size();
  for (std::size_t i = 0; i < file.tests.size(); ++i)
    if (file.tests[i].span.file == span.file && file.tests[i].span.begin <= span.begin) found = i;
  return found;
}

// The first is that the file loads.
std::vector<Case> cases_of(const Checked& checked) {
  std::vector<Case> cases{{"loads", 0, checked.loaded.rules != nullptr, {}, "", ""}};
  if (checked.looked) cases[0].looked = looked_text(*checked.looked) + "\n";
  for (const Diagnostic& d : checked.loaded.diagnostics.all()) cases[0].told.push_back(&d);
  for (const interpreter::TestResult& result : checked.run.results)
    cases.push_back({result.name, result.seconds, result.passed, {}, "", result.details});
  for (const Diagnostic& d : checked.run.diagnostics.all()) {
    const std::size_t test = test_at(*checked.loaded.file, d.span); // tests ran, so there is a file
    cases[test + 1 < cases.size() ? test + 1 : 0].told.push_back(&d);
  }
  return cases;
}

// As people read it, without colours.
std::string described(const std::vector<const Diagnostic*>& told, const dsl::Sources& sources) {
  dsl::Diagnostics some;
  for (const Diagnostic* d : told) {
    Diagnostic& copy = d->severity == dsl::Severity::error     ? some.error(d->code, d->span, d->message)
                       : d->severity == dsl::Severity::warning ? some.warning(d->code, d->span, d->message)
                                                               : some.note(d->code, d->span, d->message);
    copy.expected = d->expected;
    copy.help = d->help;
    copy.related = d->related;
    copy.position = d->position;
  }
  return dsl::render(some, sources, false);
}

// A test that fails is a failure; a file that doesn't load is an error.
std::string result_xml(const Case& c, bool is_test, const dsl::Sources& sources) {
  const std::string text = xml_text(described(c.told, sources) + c.looked + c.details);
  if (c.passed) return text.empty() ? "" : fmt::format("      <system-out>{}</system-out>\n", text);
  const std::string_view element = is_test ? "failure" : "error";
  const std::string message = c.told.empty() ? "it failed" : c.told.front()->message;
  const std::string_view type = c.told.empty() ? "test" : c.told.front()->code.name();
  return fmt::format("      <{0} message=\"{1}\" type=\"{2}\">{3}</{0}>\n", element, xml_text(message), type,
                     text);
}

struct Counts {
  std::size_t tests = 0, failures = 0, errors = 0;
  double seconds = 0;

  [[nodiscard]] std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\"", tests, failures, errors,
                       seconds);
  }
};

std::string suite_xml(const Checked& checked, Counts& sum) {
  const std::string file = xml_text(checked.file);
  Counts counts;
  std::string body;
  for (const Case& c : cases_of(checked)) {
    const bool is_test = counts.tests++ > 0;
    if (!c.passed) ++(is_test ? counts.failures : counts.errors);
    counts.seconds += c.seconds;
    body += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n{}    </testcase>\n",
                        file, xml_text(c.name), c.seconds, result_xml(c, is_test, checked.loaded.sources));
  }
  sum.tests += counts.tests;
  sum.failures += counts.failures;
  sum.errors += counts.errors;
  sum.seconds += counts.seconds;
  return fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", file, counts.attributes(), body);
}

} // namespace

std::string junit_report(const std::vector<Checked>& files) {
  Counts sum;
  std::string suites;
  for (const Checked& checked : files) suites += suite_xml(checked, sum);
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<testsuites name=\"boardwright check\" {}>\n{}</testsuites>\n",
                     sum.attributes(), suites);
}

} // namespace boardwright::tools
