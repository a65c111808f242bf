// Which constructs of the language a rule file uses.
#pragma once

#include "dsl/yaml.hpp"

#include <set>
#include <string>

namespace boardwright::tools {

// What the file itself says, whatever it extends; spelled as in the index of the language's reference: `most`
// for a word, `step()` for a call, `board:` for an entry of the file, `+` for a sign. A name that the file
// defines itself is not the language's and not counted, unless it is a vocabulary that is asked.
[[nodiscard]] std::set<std::string> constructs_of(const dsl::Yaml& file, bool is_vocabulary = false);

} // namespace boardwright::tools
