// Units and their results as text, and in files of a folder: one for each unit, called by what the unit is.
#pragma once

#include "tools/evaluate/unit.hpp"

#include <tl/expected.hpp>

#include <optional>
#include <string>

namespace boardwright::tools {

// Of these files. Another version of Boardwright may play other games, so that its units are others, too.
inline constexpr int kUnitFormat = 3; // 1 had no digest, 2 other counts of turns

// All that the result depends on: the rules as they were read, players, seeds, numbers, this program's
// version. For the use of the rules the texts count, since it tells them.
[[nodiscard]] Json unit_json(const Variant& variant, const Unit& unit);
// "0123456789abcdef.unit.json"
[[nodiscard]] std::string unit_file_name(const Json& unit);

[[nodiscard]] std::string unit_file_text(const Json& unit, const UnitResult& result);
// The result that a text has for this unit; nothing if it is of another one, no such text, or was changed
// since it was written: it has a digest of all that it says.
[[nodiscard]] std::optional<UnitResult> result_in(const std::string& text, const Json& unit);

// A file larger than this is none of ours.
inline constexpr std::size_t kMostUnitBytes = std::size_t{1} << 28;

} // namespace boardwright::tools
