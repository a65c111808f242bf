// The JSON Schema of rule files, for editors that know YAML and not this server.
#pragma once

#include "tools/console/json.hpp"

namespace boardwright::tools {

// Made from the loader's own tables of keys, so that it knows what the loader knows. Rules are text to it.
[[nodiscard]] Json rule_file_schema();

} // namespace boardwright::tools
