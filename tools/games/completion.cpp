#include "tools/games/completion.hpp"

#include "dsl/text.hpp"
#include "tools/games/notation_columns.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

namespace boardwright::tools {
namespace {

using dsl::is_digit;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }

bool begins(std::string_view text, std::string_view typed, bool any_case) {
  if (text.size() < typed.size()) return false;
  return std::equal(typed.begin(), typed.end(), text.begin(), [&](char a, char b) {
    return a == b || (any_case && dsl::to_lower(a) == dsl::to_lower(b));
  });
}

bool has_word(std::string_view text) { return std::any_of(text.begin(), text.end(), is_word); }

// What stands between the parts of a move and may be left out: signs, and the `x` of a capture.
bool is_sign(std::string_view text, std::size_t i) {
  return !is_word(text[i]) || (dsl::to_lower(text[i]) == 'x' && i > 0 && is_digit(text[i - 1]));
}

// Where the part of `text` ends that is typed with signs left out, the shortest one; nothing if it begins
// otherwise. A `-` stands for any sign; others only for themselves. `typed` has no blanks.
std::optional<std::size_t> end_of_part(std::string_view text, std::string_view typed) {
  if (typed.size() > text.size()) return std::nullopt;
  std::vector<bool> reached(typed.size() + 1); // so much of `typed` is found in what was passed of `text`
  reached[0] = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool sign = is_sign(text, i);
    for (std::size_t j = typed.size() + 1; j-- > 0;) {
      const bool same =
          j > 0 && reached[j - 1] &&
          (dsl::to_lower(typed[j - 1]) == dsl::to_lower(text[i]) || (typed[j - 1] == '-' && sign));
      reached[j] = same || (reached[j] && sign);
    }
    if (reached[typed.size()]) return i + 1;
  }
  return std::nullopt;
}

struct Part {
  std::size_t index = 0; // of the text
  std::size_t end = 0;   // of the part that is typed
};

// The texts that begin as it is typed, or in another case; if there are none, with signs left out.
std::vector<Part> beginning(const std::vector<std::string>& texts, std::string_view typed) {
  std::vector<Part> found;
  for (const bool any_case : {false, true}) {
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (begins(texts[i], typed, any_case)) found.push_back({i, typed.size()});
    if (!found.empty()) return found;
  }
  const std::string part = without_blanks(typed);
  if (!has_word(part)) return found;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (const auto end = end_of_part(texts[i], part)) found.push_back({i, *end});
  return found;
}

std::size_t shared(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// `a1`, `b12`: a letter or more and a number or more, in small letters, without the `x` of a capture.
std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_word(text[i]) || is_sign(text, i)) continue;
    const bool goes_on = i > 0 && is_word(text[i - 1]) && !is_sign(text, i - 1) &&
                         !(is_digit(text[i - 1]) && is_letter(text[i]));
    if (!goes_on) names.emplace_back();
    names.back() += dsl::to_lower(text[i]);
  }
  return names;
}

template <typename T>
std::vector<T> sorted(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return values;
}

} // namespace

std::string without_blanks(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) result += dsl::to_lower(c);
  return result;
}

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
  const std::string_view first = texts[found.front().index];
  std::size_t length = first.size(), end = 0;
  for (const Part& part : found) {
    length = std::min(length, shared(first, texts[part.index]));
    end = std::max(end, part.end);
  }
  // Texts that differ in the case or in the signs of what is typed share less than that.
  if (length > end || (length == end && first.substr(0, length) != typed))
    return {std::string(first.substr(0, length)), {}};
  if (found.size() == 1) return {std::string(typed), {}};
  return {std::string(typed), next_steps(texts, typed)};
}

std::vector<std::string> next_steps(const std::vector<std::string>& texts, std::string_view typed) {
  std::set<std::string_view> steps;
  for (const Part& part : beginning(texts, typed)) {
    const std::string_view text = texts[part.index];
    steps.insert(text.substr(0, step_end(text, part.end)));
  }
  return in_order({steps.begin(), steps.end()});
}

std::vector<std::size_t> meant(const std::vector<std::string>& texts, std::string_view typed) {
  std::vector<std::size_t> found, whole;
  const std::string wanted = without_blanks(typed);
  if (wanted.empty()) return found;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (without_blanks(texts[i]).starts_with(wanted)) found.push_back(i);
  if (!found.empty() || !has_word(wanted)) return found;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (const auto end = end_of_part(texts[i], wanted)) {
      found.push_back(i);
      if (!has_word(std::string_view(texts[i]).substr(*end))) whole.push_back(i);
    }
  return whole.empty() ? found : whole;
}

std::vector<std::size_t> with_the_same_cells(const std::vector<std::string>& texts, std::string_view typed) {
  std::vector<std::size_t> found;
  const auto wanted = names_in(typed);
  for (std::size_t i = 0; wanted.size() > 1 && i < texts.size(); ++i)
    if (const auto names = names_in(texts[i]); names != wanted && sorted(names) == sorted(wanted))
      found.push_back(i);
  return found;
}

namespace {

// "3b" as "b3": a cell that is typed the other way round. Else as it is.
std::string cell_turned(const std::string& word) {
  const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  const bool turned = digits > 0 && digits + 1 == word.size() && is_letter(word.back());
  return turned ? word.back() + word.substr(0, digits) : word;
}

// What is left of a text without the number of a move and without words, a `-` between its parts.
std::string without_words(std::string_view typed) {
  std::string left;
  for (std::size_t begin = 0; begin < typed.size();) {
    const std::size_t end = std::min(typed.find_first_of(" \t", begin), typed.size());
    const std::string word(typed.substr(begin, end - begin));
    const bool of_letters = std::all_of(word.begin(), word.end(), is_letter);
    const bool number = left.empty() && word.ends_with('.') && is_digit(word.front());
    if (!of_letters && !number) left += (left.empty() ? "" : "-") + cell_turned(word);
    begin = end + 1;
  }
  return left;
}

} // namespace

std::vector<std::size_t> meant_in_words(const std::vector<std::string>& texts, std::string_view typed) {
  const std::string move = without_words(typed);
  std::vector<std::size_t> found;
  if (move.empty() || move == typed) return found;
  for (const std::size_t i : meant(texts, move))
    if (is_all_of(texts[i], move)) found.push_back(i);
  return found;
}

bool is_all_of(std::string_view text, std::string_view typed) {
  const std::string part = without_blanks(typed), whole = without_blanks(text);
  if (part == whole) return true;
  const auto end = has_word(part) ? end_of_part(text, part) : std::nullopt;
  return end && !has_word(text.substr(*end));
}

bool ends_in_number(std::string_view text, std::string_view typed) {
  const std::string part = without_blanks(typed);
  const auto end = part.empty() ? std::nullopt : end_of_part(text, part);
  return end && *end < text.size() && is_digit(text[*end]) && is_digit(text[*end - 1]);
}

} // namespace boardwright::tools
