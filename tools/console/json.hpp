// What the subcommands share of writing JSON. Only nlohmann's forward declarations are included here: the
// library itself belongs in .cpp files.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace boardwright::tools {

using Json = nlohmann::ordered_json;

// On one line, without a line break; bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string to_text(const Json& json);
// Over several lines, with a line break at the end.
[[nodiscard]] std::string to_document(const Json& json);

} // namespace boardwright::tools
