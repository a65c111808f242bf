// Where each byte of a decoded YAML scalar stands in the file.
//
// YAML decodes a scalar by changing nothing but white space (folding, indentation, chomping) and, inside
// quotes, escapes. So the bytes that are not white space come in the same order in the file and in the
// decoded text, and walking both side by side places each of them exactly. White space between two of them
// lies between their places.
#pragma once

#include "dsl/yaml.hpp"

#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace boardwright::dsl {

struct ScalarPlace {
  std::vector<std::uint32_t> offsets; // of each decoded byte, and of the end; never decreasing
  // The whole scalar with its quotes; of a block, what is written in it (its `|` where that is nothing).
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct ScalarFault {
  enum class What : std::uint8_t {
    unterminated,   // [begin, end) is the opening quote
    bad_escape,     // [begin, end) is an escape for a control character, or one that yaml-cpp decodes wrongly
    does_not_match, // the decoded text isn't what stands in the file; not expected to happen
  } what = What::does_not_match;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// The style of the scalar whose first sign stands at `mark`, in block context or in flow.
[[nodiscard]] Yaml::Style style_at(std::string_view source, std::uint32_t mark);

// `mark` is where the scalar begins: its first byte, its opening quote, its `|` or `>`. O(bytes of the
// scalar).
[[nodiscard]] tl::expected<ScalarPlace, ScalarFault> place_scalar(std::string_view source, std::uint32_t mark,
                                                                  std::string_view decoded);

} // namespace boardwright::dsl
