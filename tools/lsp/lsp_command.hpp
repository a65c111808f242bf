// lsp: a language server on standard input and output.
#pragma once

#include "tools/console/console.hpp"

namespace boardwright::tools {

// Serves until `exit`, or until the client closes our input. Good only after `shutdown`.
[[nodiscard]] Exit serve_editor(Console& console);

// Prints what schema.hpp makes.
[[nodiscard]] Exit print_schema(Console& console);

} // namespace boardwright::tools
