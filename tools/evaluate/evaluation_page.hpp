// An evaluation as one page for a browser, with charts: it needs nothing else.
#pragma once

#include "tools/evaluate/evaluation.hpp"

#include <string>

namespace boardwright::tools {

// `title`: the game, with what is set.
[[nodiscard]] std::string evaluation_page(const Evaluation& evaluation, const std::string& title);

} // namespace boardwright::tools
