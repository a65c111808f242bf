// Files of variants as Fairy-Stockfish reads them: `[name:parent]` and `key = value` below it.
#pragma once

#include "tools/import/imported.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

struct IniEntry {
  std::string key, value;
  int line = 0; // from 1 on; 0 where it isn't in the file, but in a parent that everybody knows
};

struct IniSection {
  std::string name, parent; // "" without one
  int line = 0;
  std::vector<IniEntry> entries;
};

// A file of more sections, or a section of more entries, is no file of variants.
inline constexpr std::size_t kMostSections = 5000;
inline constexpr std::size_t kMostEntries = 1000;
inline constexpr std::size_t kMostIniBytes = std::size_t{4} << 20;

// `#` and `;` begin a comment at the start of a line. What a line says that is neither is a fault.
[[nodiscard]] tl::expected<std::vector<IniSection>, ImportFault> read_ini(std::string_view text);

[[nodiscard]] const IniSection* section_named(const std::vector<IniSection>& sections, std::string_view name);

// Parts of a value between blanks or commas.
[[nodiscard]] std::vector<std::string> words_of(std::string_view value);

} // namespace boardwright::tools
