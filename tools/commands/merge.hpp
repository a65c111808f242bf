// What `evaluate --merge` does.
#pragma once

#include "tools/console/console.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

struct MergeOptions {
  std::vector<std::string> folders;
  std::string into; // "": nothing is written
  bool json = false;
};
[[nodiscard]] Exit merge_folders(const MergeOptions& options, Console& console);

} // namespace boardwright::tools
