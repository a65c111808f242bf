// Whole rule files crossed at the level of their trees: a part of one type in the place of another one of
// that type, whatever file it is from; parts wrapped into what takes their type; and the board or the players
// of another file. Bundled games and files that are written at random (writer.hpp) are crossed with one
// another.
#pragma once

#include <cstdint>
#include <string>

namespace boardwright::tests {

// The same text for the same seed. Some don't load.
[[nodiscard]] std::string cross_rule_files(std::uint64_t seed);

} // namespace boardwright::tests
