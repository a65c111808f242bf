// A JSON text as a tree that keeps what a strict reader needs: the order of keys, and that none came twice.
#pragma once

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::tools {

struct JsonTree {
  enum class Kind : std::uint8_t { null, truth, whole, fraction, text, list, object };

  Kind kind = Kind::null;
  std::int64_t number = 0; // whole; a truth as 0 or 1; beyond 64 bits the nearest limit
  std::string text;
  std::vector<JsonTree> items;                           // list
  std::vector<std::pair<std::string, JsonTree>> entries; // object
};

// "a list", "a number", ...: for messages.
[[nodiscard]] const char* name_of(JsonTree::Kind kind);

// Fails with one sentence: what is no JSON (with line and column), a key that stands twice, nesting deeper
// than `max_depth`.
[[nodiscard]] tl::expected<JsonTree, std::string> read_json(std::string_view text, int max_depth);

} // namespace boardwright::tools
