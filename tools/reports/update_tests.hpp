// check --update: writes moves and counts into tests that expect nothing.
#pragma once

#include "tools/console/console.hpp"

#include <string>

namespace boardwright::tools {

// Of one file, which must load. Tells what it wrote; a file that has nothing to write into is left alone.
[[nodiscard]] Exit update_tests(const std::string& path, Console& console);

} // namespace boardwright::tools
