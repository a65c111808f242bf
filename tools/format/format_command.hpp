// fmt: lays out rule files.
#pragma once

#include "tools/console/console.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

struct FormatOptions {
  std::vector<std::string> files; // "-": from standard input to standard output
  bool check = false;             // writes nothing, names the files that would change
  bool diff = false;              // writes nothing, shows the lines that would change
};
[[nodiscard]] Exit format_files(const FormatOptions& options, Console& console);

} // namespace boardwright::tools
