// What `about:` tells players under names that programs know.
#pragma once

#include <string_view>

namespace boardwright::dsl {

// `aim: …`: how one wins, in a sentence.
inline constexpr std::string_view kAim = "aim";
// `kinds: { man: … }`: how the pieces move; `terms: { taken: … }`: what a definition or a variable is to
// players. These entries are maps; what one says of `man` is kept as the entry `kinds.man`, so that all of
// `about` is texts under names.
inline constexpr std::string_view kKinds = "kinds";
inline constexpr std::string_view kOfKind = "kinds.";
inline constexpr std::string_view kTerms = "terms";
inline constexpr std::string_view kOfTerm = "terms.";

} // namespace boardwright::dsl
