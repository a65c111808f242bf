// What a rule file's `about` tells of the game.
#pragma once

#include "runtime/model/program.hpp"
#include "tools/console/json.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::tools {

using About = std::vector<std::pair<std::string, std::string>>; // as Program and GameEntry have it

// The text under a key, or "".
[[nodiscard]] std::string_view told(const About& about, std::string_view key);
// Is this entry about how a kind moves? These are shown with the pieces.
[[nodiscard]] bool is_of_kind(std::string_view key);
// Is it about a definition or a variable? These stand where the rules name it.
[[nodiscard]] bool is_of_term(std::string_view key);
// What a definition or a variable is to players, or "".
[[nodiscard]] std::string_view term_told(const About& about, std::string_view name);
// How a kind moves, in the author's words; of a member of a family what is said of all of it. "": nothing is
// told.
[[nodiscard]] std::string_view movement_told(const About& about, std::string_view kind);
// Texts under their keys, as the file has them; free text is under "text".
[[nodiscard]] Json about_json(const About& about);

} // namespace boardwright::tools
