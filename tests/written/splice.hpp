// Bundled games with parts of others: a direction, a set of cells, a condition or a step of one game's rules
// where another one has one, if that one knows its names; and small changes of what stands there. Boards are
// small.
#pragma once

#include <cstdint>
#include <string>

namespace boardwright::tests {

// The same text for the same seed. Some don't load, since nothing else tells whether a part fits.
[[nodiscard]] std::string splice_rule_file(std::uint64_t seed);

} // namespace boardwright::tests
