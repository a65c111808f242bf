#include "tools/games/diagnostic_json.hpp"

#include <nlohmann/json.hpp>

namespace boardwright::tools {

Json diagnostic_json(const dsl::Diagnostic& diagnostic, const dsl::Sources& sources) {
  Json json = {{"severity", name_of(diagnostic.severity)},
               {"code", diagnostic.code.name()},
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
  if (!diagnostic.position.empty()) json["position"] = diagnostic.position;
  return json;
}

Json diagnostics_json(const dsl::Diagnostics& diagnostics, const dsl::Sources& sources) {
  Json all = Json::array();
  for (const dsl::Diagnostic& diagnostic : diagnostics.all())
    all.push_back(diagnostic_json(diagnostic, sources));
  return all;
}

} // namespace boardwright::tools
