// A file of Regular Boardgames as a rule file. This is what the command calls.
#pragma once

#include "tools/import/imported.hpp"

namespace boardwright::tools {

// `name` is the game's, `from` the file's.
[[nodiscard]] ImportedVariant import_rbg(const std::string& text, const std::string& name,
                                         const std::string& from);
// Is it such a file, and none of variants?
[[nodiscard]] bool is_rbg(std::string_view text);

} // namespace boardwright::tools
