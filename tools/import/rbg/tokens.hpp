// The text of a file of Regular Boardgames as tokens, with its macros written out.
#pragma once

#include "tools/import/imported.hpp"

#include <tl/expected.hpp>

#include <tl/expected.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

struct RbgToken {
  std::string text; // a name, a number or a sign; "" at the end of a section
  int line = 0;
};

// The largest of known files has 120,000 bytes and 40,000 tokens with its macros written out. Macros that
// call others several times grow beyond any bound.
inline constexpr std::size_t kMostRbgBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMostRbgTokens = 400'000;
// Macros that call one another; known files have ten.
inline constexpr int kMostRbgCalls = 50;

// What stands behind `#name =`, by name: `players`, `pieces`, `variables`, `board`, `rules`.
using RbgSections = std::map<std::string, std::vector<RbgToken>>;

[[nodiscard]] tl::expected<RbgSections, ImportFault> read_rbg_sections(std::string_view text);

[[nodiscard]] bool is_rbg_name(std::string_view text);
[[nodiscard]] bool is_rbg_number(std::string_view text);

} // namespace boardwright::tools
