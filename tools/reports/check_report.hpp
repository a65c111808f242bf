// What `check` found, in the forms that other programs read.
#pragma once

#include "interpreter/examine.hpp"
#include "interpreter/findings/coverage.hpp"
#include "interpreter/findings/profile_lines.hpp"
#include "interpreter/self_tests/self_test.hpp"
#include "tools/console/console.hpp"
#include "tools/console/json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

// A rule file that was checked.
struct Checked {
  std::string file; // as it was named
  Exit exit = Exit::good;
  interpreter::Loaded loaded;
  interpreter::TestRun run;
  dsl::Diagnostics findings;                 // what may be wrong though it loads
  std::optional<interpreter::Looked> looked; // random games, if any were played
  std::optional<interpreter::Coverage> coverage;
  std::optional<interpreter::LineProfile> profile;

  // What it was told, part by part; spans are those of loaded.sources.
  [[nodiscard]] std::vector<const dsl::Diagnostics*> told() const {
    return {&loaded.diagnostics, &run.diagnostics, &findings};
  }
};

// One JSON value: `{"ok": …, "seed": …, "files": [{"file", "ok", "diagnostics", "tests"}, …]}`; the seed is
// that of random games, if any were played.
[[nodiscard]] Json json_report(const std::vector<Checked>& files, Exit worst,
                               std::optional<std::uint64_t> seed = std::nullopt);

// SARIF 2.1.0, which code hosts and editors show at the lines of the files.
[[nodiscard]] Json sarif_report(const std::vector<Checked>& files, Exit worst);

// What random games let see: "looked at 10,103 positions of 103 random games, at the rules in 250".
[[nodiscard]] std::string looked_text(const interpreter::Looked& looked);

// JUnit's XML, which build servers show as a table of tests: a suite for each file, a case for loading it and
// one for each of its tests.
[[nodiscard]] std::string junit_report(const std::vector<Checked>& files);

// `file:line:column: error: message [name]`, one line for each finding, as compilers have it.
[[nodiscard]] std::string finding_lines(const Checked& checked);

// A path as the reference of a URI: what isn't a letter, digit or one of `-._~/` is `%` and two digits. An
// absolute path becomes `file:///…`.
[[nodiscard]] std::string uri_of(std::string_view path);

} // namespace boardwright::tools
