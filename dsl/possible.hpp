// What may stand behind the beginning of a rule, as the grammar has it: for those who offer words to authors.
#pragma once

#include "dsl/tokens.hpp"
#include "dsl/yaml.hpp"

namespace boardwright::dsl {

enum class RuleIs : std::uint8_t { body, value, end, size };

// The tokens that could follow the text; none where it can't be read to its end.
[[nodiscard]] Toks possible_next(const Text& text, RuleIs what);

} // namespace boardwright::dsl
