// Under which titles the library has the games that other formats name. The names stand in titles.txt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

// The title of what a format (`pgn`, `pdn`, `sgf`, `usi`, `xboard`) calls so, in any case, with any blanks
// and signs; "" where it isn't known.
[[nodiscard]] std::string title_of(std::string_view format, std::string_view said);

// The names that a format (`xboard`) has for games, in the order of the file.
[[nodiscard]] std::vector<std::string> names_in_format(std::string_view format);

// What the format calls the game of this title first; "" where it has no name for it.
[[nodiscard]] std::string name_in_format(std::string_view format, std::string_view title);

// The text of titles.txt, which the build puts into the program.
[[nodiscard]] std::string_view titles_text();

} // namespace boardwright::tools
