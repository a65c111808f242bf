// Which format a file of games has.
#pragma once

#include "tools/records/formats/foreign_game.hpp"

#include <tl/expected.hpp>

#include <string>
#include <string_view>

namespace boardwright::tools {

// By how it begins and by its tags. An error, a sentence, where it is a file of another kind that people are
// likely to try: rules of other tools, notations that aren't read.
[[nodiscard]] tl::expected<Format, std::string> format_of(std::string_view text);

// The games of a text of that format, which isn't `ours`. Variations are left out: of each game the main line
// is read.
[[nodiscard]] tl::expected<ForeignGames, interpreter::RecordError> read_foreign(Format format,
                                                                                std::string_view text);

} // namespace boardwright::tools
