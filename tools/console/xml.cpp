#include "tools/console/xml.hpp"

#include <cstdint>

namespace boardwright::tools {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

// The bytes of the character that a text begins with, if it is one that XML 1.0 may hold; else 0.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 || lead == '\n' || lead == '\t' || lead == '\r' ? 1 : 0;
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return 0;
  std::uint32_t code = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = code << 6U | (byte(i) & 0x3FU);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return overlong || surrogate || code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF ? 0 : size;
}

std::string_view escape_of(char c) {
  switch (c) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  case '\'': return "&apos;";
  case '\n': return "&#10;"; // a line break in an attribute would be read as a space
  case '\t': return "&#9;";
  case '\r': return "&#13;";
  default: return "";
  }
}

} // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const std::string_view escape = size == 1 ? escape_of(text.front()) : "";
    out += size == 0 ? kReplacement : escape.empty() ? text.substr(0, size) : escape;
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out;
}

} // namespace boardwright::tools
