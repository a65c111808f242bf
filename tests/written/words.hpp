// The words of a text: names that a part of a rule file mentions, or that a file knows.
#pragma once

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace boardwright::tests {

using Names = std::set<std::string, std::less<>>;

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

inline Names words_of(std::string_view text) {
  Names words;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > at) words.emplace(text.substr(at, end - at));
    at = std::max(at, end);
  }
  return words;
}

} // namespace boardwright::tests
