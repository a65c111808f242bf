#include "tools/lsp/lines.hpp"

#include "dsl/text.hpp"

#include <algorithm>

namespace boardwright::tools {
namespace {

std::size_t utf16_units(const dsl::Character& character) { return character.code > 0xFFFF ? 2 : 1; }

} // namespace

Lines::Lines(std::string_view text) : text_(text), starts_{0} {
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == '\n') starts_.push_back(at + 1);
}

std::size_t Lines::offset(EditorPlace place) const {
  if (place.line >= starts_.size()) return text_.size();
  std::size_t at = starts_[place.line];
  for (std::size_t column = 0; column < place.column && at < text_.size() && text_[at] != '\n';) {
    const auto character = dsl::first_character(text_.substr(at));
    column += utf16_units(character);
    at += character.bytes;
  }
  return std::min(at, text_.size());
}

EditorPlace Lines::place(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<std::size_t>(next - starts_.begin()) - 1;
  std::size_t column = 0;
  for (std::size_t at = starts_[line]; at < offset;) {
    const auto character = dsl::first_character(text_.substr(at));
    column += utf16_units(character);
    at += character.bytes;
  }
  return {line, column};
}

} // namespace boardwright::tools
