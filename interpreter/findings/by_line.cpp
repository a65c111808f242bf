#include "interpreter/findings/by_line.hpp"

#include <algorithm>

namespace boardwright::interpreter {

std::pair<dsl::FileId, std::uint32_t> line_of(const dsl::Diagnostic& finding, const dsl::Sources& sources) {
  return {finding.span.file, sources.locate(finding.span.file, finding.span.begin).line};
}

void append_on_other_lines(const dsl::Diagnostics& found, const dsl::Diagnostics& told,
                           const dsl::Sources& sources, dsl::Diagnostics& to) {
  for (const dsl::Diagnostic& finding : found.all()) {
    const bool known = std::any_of(told.all().begin(), told.all().end(), [&](const dsl::Diagnostic& other) {
      return line_of(other, sources) == line_of(finding, sources);
    });
    if (known) continue;
    auto& copy = finding.severity == dsl::Severity::note
                     ? to.note(finding.code, finding.span, finding.message)
                     : to.warning(finding.code, finding.span, finding.message);
    copy = finding;
  }
}

} // namespace boardwright::interpreter
