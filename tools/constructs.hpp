// Which constructs of the language a rule file uses.
#pragma once

#include "dsl/yaml.hpp"

#include <set>
#include <string>

namespace boardwright::tools {

// What the file itself says, whatever it extends; spelled as in the index of the language's reference: `most`
// for a word, `step()` for a call, `board:` for an entry of the file, `+` for a sign. A name that the file
// defines anew is its own and not counted.
[[nodiscard]] std::set<std::string> constructs_of(const dsl::Yaml& file);

} // namespace boardwright::tools
