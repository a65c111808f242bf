// What `fmt --migrate` does.
#pragma once

#include "tools/console/console.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

struct MigrateOptions {
  std::vector<std::string> files;
  bool check = false; // only says what would change
  bool json = false;
};
[[nodiscard]] Exit migrate(const MigrateOptions& options, Console& console);

} // namespace boardwright::tools
