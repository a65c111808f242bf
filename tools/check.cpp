// check: parses and compiles rule files and runs their tests.
#include "dsl/finder.hpp"
#include "interpreter/self_test.hpp"
#include "tools/commands.hpp"
#include "tools/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace boardwright::tools {
namespace {

using interpreter::Loaded;
using interpreter::TestResult;
using interpreter::TestRun;

struct Checked {
  std::string file;
  Exit exit = Exit::good;
  Loaded loaded;
  TestRun run;
};

std::string mark(bool good, bool color) {
  if (!color) return good ? "ok    " : "FAILED";
  return good ? "\x1b[32mok\x1b[0m    " : "\x1b[1;31mFAILED\x1b[0m";
}

std::string test_line(const TestResult& result, bool color) {
  return fmt::format("  {}  {}\n", mark(result.passed, color), printable(result.name));
}

std::size_t failures(const TestRun& run) {
  return static_cast<std::size_t>(std::count_if(run.results.begin(), run.results.end(),
                                                [](const TestResult& result) { return !result.passed; }));
}

std::string tests_summary(const TestRun& run) {
  if (run.results.empty()) return "no tests";
  const std::size_t failed = failures(run), all = run.results.size();
  const std::string tests = all == 1 ? "1 test" : fmt::format("{} tests", all);
  return failed == 0 ? tests + ", passed" : fmt::format("{}, {} failed", tests, failed);
}

std::string verdict(const Checked& checked, const CheckOptions& options) {
  switch (checked.exit) {
  case Exit::interrupted: return "interrupted";
  case Exit::files: return "can't be read";
  default: break;
  }
  if (!checked.loaded) return "does not load";
  return options.tests ? tests_summary(checked.run) : "loads";
}

Json diagnostic_json(const dsl::Diagnostic& diagnostic, const dsl::Sources& sources) {
  Json json = {{"severity", diagnostic.severity == dsl::Severity::error ? "error" : "warning"},
               {"code", diagnostic.code},
               {"message", diagnostic.message}};
  if (diagnostic.span.file < sources.size()) {
    const dsl::Location begin = sources.locate(diagnostic.span.file, diagnostic.span.begin);
    const dsl::Location end = sources.locate(diagnostic.span.file, diagnostic.span.end);
    json.update({{"file", begin.file},
                 {"line", begin.line},
                 {"column", begin.column},
                 {"end_line", end.line},
                 {"end_column", end.column}});
  }
  if (!diagnostic.expected.empty()) json["expected"] = diagnostic.expected;
  if (!diagnostic.help.empty()) json["help"] = diagnostic.help;
  return json;
}

Json checked_json(const Checked& checked) {
  Json diagnostics = Json::array(), tests = Json::array();
  for (const auto* from : {&checked.loaded.diagnostics, &checked.run.diagnostics})
    for (const dsl::Diagnostic& diagnostic : from->all())
      diagnostics.push_back(diagnostic_json(diagnostic, checked.loaded.sources));
  for (const TestResult& result : checked.run.results)
    tests.push_back({{"name", result.name}, {"passed", result.passed}, {"seconds", result.seconds}});
  return {{"file", checked.file},
          {"ok", checked.exit == Exit::good},
          {"diagnostics", diagnostics},
          {"tests", tests}};
}

class Checking {
public:
  Checking(const CheckOptions& options, Console& console) : options_(options), console_(console) {}

  Checked file(const std::string& reference) {
    Checked checked;
    checked.file = reference;
    checked.loaded = interpreter::load(reference, options_.settings);
    checked.exit = loaded(reference, checked.loaded);
    if (checked.loaded && options_.tests) checked.exit = tests(reference, checked);
    if (!options_.json)
      console_.out(fmt::format("{}: {}\n", printable(reference), verdict(checked, options_)));
    return checked;
  }

private:
  Exit loaded(const std::string& reference, const Loaded& loaded) {
    if (!loaded) return report_failed_load(reference, loaded, console_);
    if (!loaded.diagnostics.all().empty()) console_.note(loaded.errors(console_.color_err())); // warnings
    return Exit::good;
  }

  Exit tests(const std::string& reference, Checked& checked) {
    interpreter::TestRunOptions run;
    run.stop = &interrupted();
    run.progress = [this, &sources = checked.loaded.sources](const TestResult& result) {
      if (options_.json) return console_.progress(printable(result.name));
      console_.out(test_line(result, console_.color_out()) +
                   dsl::render(result.diagnostics, sources, console_.color_out()));
      console_.flush();
    };
    checked.run =
        interpreter::run_tests(checked.loaded, reference, options_.settings, dsl::standard_finder(), run);
    if (options_.json && !checked.run.diagnostics.all().empty())
      console_.note(dsl::render(checked.run.diagnostics, checked.loaded.sources, console_.color_err()));
    if (checked.run.stopped) return Exit::interrupted;
    return failures(checked.run) > 0 || checked.run.diagnostics.has_errors() ? Exit::at_fault : Exit::good;
  }

  const CheckOptions& options_;
  Console& console_;
};

} // namespace

Exit check(const CheckOptions& options, Console& console) {
  Checking checking(options, console);
  Json files = Json::array();
  Exit worst = Exit::good;
  for (const std::string& reference : options.files) {
    if (console.failed() || interrupted()) break;
    const Checked checked = checking.file(reference);
    worst = std::max(worst, checked.exit); // the gravest of several: statuses rise with what they mean
    if (options.json) files.push_back(checked_json(checked));
  }
  if (options.json) console.out(to_document({{"ok", worst == Exit::good}, {"files", files}}));
  return interrupted() ? Exit::interrupted : worst;
}

} // namespace boardwright::tools
