#include "tools/studio/covered.hpp"

#include "dsl/finder.hpp"
#include "interpreter/findings/coverage.hpp"
#include "tools/reports/coverage_report.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace boardwright::tools {
namespace {

using interpreter::PartCount;

Json counts_json(const PartCount& count) {
  return {{"held", count.held}, {"met", count.met}, {"games", count.games}};
}

// For each byte of a text how many units of UTF-16 are before it; one more for its end.
std::vector<std::size_t> units_before(const std::string& text) {
  std::vector<std::size_t> before(text.size() + 1);
  std::size_t units = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    before[i] = units;
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0U) != 0x80U) units += byte >= 0xF0U ? 2 : 1; // but for bytes that go on
  }
  before[text.size()] = units;
  return before;
}

} // namespace

Json covered_view(const interpreter::Loaded& loaded, const interpreter::Settings& settings) {
  const std::string& name = loaded.sources.name(loaded.file->file);
  const std::string text(loaded.sources.text(loaded.file->file));
  const auto coverage = interpreter::coverage_of(loaded, name, settings, dsl::finder_with(name, text));
  const std::vector<std::size_t> units = units_before(text);
  Json parts = Json::array();
  for (const interpreter::CoveredPart& part : coverage.parts) {
    const PartCount both{part.tests.met + part.random.met, part.tests.held + part.random.held,
                         part.tests.games + part.random.games};
    parts.push_back({{"kind", word_for(part.kind)},
                     {"from", units.at(part.span.begin)},
                     {"to", units.at(part.span.end)},
                     {"text", part.text},
                     {"tests", counts_json(part.tests)},
                     {"random", counts_json(part.random)},
                     {"missing", interpreter::what_is_missing(part.kind, both)},
                     {"reached", both.met > 0}});
  }
  return {{"tests", coverage.tests}, {"games", coverage.games}, {"parts", parts}};
}

} // namespace boardwright::tools
