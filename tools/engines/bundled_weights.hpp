// The files of tools/engines/weights/, which are inside the program.
#pragma once

#include <string_view>
#include <vector>

namespace boardwright::tools {

[[nodiscard]] const std::vector<std::string_view>& bundled_weights();

} // namespace boardwright::tools
