// The keys of such a file: kinds of pieces, and what else there is.
#pragma once

#include "tools/import/variants/ini.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace boardwright::tools {

// What everybody knows: the text of parents.ini, which the build puts in, and its sections. Besides variants
// these are `movements`, `usual` and `written`: names that no source has.
[[nodiscard]] std::string_view known_parents();
[[nodiscard]] const std::vector<IniSection>& known_sections();

// An entry of a section of parents.ini that is no variant; nothing where it isn't there.
[[nodiscard]] std::optional<std::string> known_text(std::string_view section, std::string_view key);

// The movement of a kind that has a name of its own; none if there is no such kind.
[[nodiscard]] std::optional<std::string> movement_of(std::string_view key);
[[nodiscard]] bool is_custom_piece(std::string_view key); // `customPiece7`

enum class KeyWorth : std::uint8_t {
  carried,  // becomes rules
  nothing,  // says nothing about the rules
  left_out, // only for long games; the file says that it isn't there
  refused,  // unless it has the value that it has anyway
  unknown,
};
enum class KeyShape : std::uint8_t { text, truth, number, cells, kinds, pairs, result };

struct KeyMeaning {
  KeyWorth worth = KeyWorth::unknown;
  KeyShape shape = KeyShape::text;
};
[[nodiscard]] KeyMeaning meaning_of(std::string_view key);
// Whether `keyWhite` and `keyBlack` are keys, too.
[[nodiscard]] bool has_sides(std::string_view key);

// The key whose name is nearest, for who mistyped one; "" if none is near.
[[nodiscard]] std::string nearest_key(std::string_view key);

} // namespace boardwright::tools
