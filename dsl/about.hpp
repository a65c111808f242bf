// What `about:` tells players under names that programs know.
#pragma once

#include <string_view>

namespace boardwright::dsl {

// `aim: …`: how one wins, in a sentence.
inline constexpr std::string_view kAim = "aim";
// `kinds: { man: … }`: how the pieces move. It is the one entry that is a map; what it says of `man` is kept
// as the entry `kinds.man`, so that all of `about` is texts under names.
inline constexpr std::string_view kKinds = "kinds";
inline constexpr std::string_view kOfKind = "kinds.";

} // namespace boardwright::dsl
