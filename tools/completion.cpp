#include "tools/completion.hpp"

#include "tools/notation_columns.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace boardwright::tools {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool begins(std::string_view text, std::string_view typed, bool any_case) {
  if (text.size() < typed.size()) return false;
  return std::equal(typed.begin(), typed.end(), text.begin(),
                    [&](char a, char b) { return a == b || (any_case && lower(a) == lower(b)); });
}

std::vector<std::string_view> beginning(const std::vector<std::string>& texts, std::string_view typed) {
  std::vector<std::string_view> found;
  for (const bool any_case : {false, true}) {
    for (const std::string& text : texts)
      if (begins(text, typed, any_case)) found.emplace_back(text);
    if (!found.empty()) break;
  }
  return found;
}

std::size_t shared(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

std::string without_blanks(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) result += lower(c);
  return result;
}

// Letters and digits only, without the `x` of a capture.
std::string bare(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool takes = lower(text[i]) == 'x' && i > 0 && is_digit(text[i - 1]);
    if (is_word(text[i]) && !takes) result += lower(text[i]);
  }
  return result;
}

} // namespace

std::size_t step_end(std::string_view text, std::size_t from) {
  std::size_t i = from;
  while (i < text.size() && !is_word(text[i])) ++i;
  if (i < text.size()) ++i;
  for (; i < text.size(); ++i) {
    if (!is_word(text[i])) break;                           // a1|-b2
    if (is_digit(text[i - 1]) && !is_digit(text[i])) break; // a1|xb2
  }
  // What is left without a letter or a digit belongs to it.
  return std::none_of(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(), is_word) ? text.size() : i;
}

Completion complete(const std::vector<std::string>& texts, std::string_view typed) {
  const auto found = beginning(texts, typed);
  if (found.empty()) return {std::string(typed), {}};
  std::size_t length = found.front().size();
  for (const std::string_view text : found) length = std::min(length, shared(found.front(), text));
  // Texts that differ in the case of what is typed share less than that.
  if (length > typed.size() || (length == typed.size() && found.front().substr(0, length) != typed))
    return {std::string(found.front().substr(0, length)), {}};
  if (found.size() == 1) return {std::string(typed), {}};
  return {std::string(typed), next_steps(texts, typed)};
}

std::vector<std::string> next_steps(const std::vector<std::string>& texts, std::string_view typed) {
  std::set<std::string_view> steps;
  for (const std::string_view text : beginning(texts, typed))
    steps.insert(text.substr(0, step_end(text, typed.size())));
  return in_order({steps.begin(), steps.end()});
}

std::vector<std::size_t> meant(const std::vector<std::string>& texts, std::string_view typed) {
  std::vector<std::size_t> found;
  const std::string wanted = without_blanks(typed);
  if (wanted.empty()) return found;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (without_blanks(texts[i]).starts_with(wanted)) found.push_back(i);
  const std::string letters = bare(typed);
  if (!found.empty() || letters.empty()) return found;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (bare(texts[i]) == letters) found.push_back(i);
  return found;
}

} // namespace boardwright::tools
