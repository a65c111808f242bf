#include "tools/games/notation_columns.hpp"

#include "dsl/text.hpp"
#include "tools/console/console.hpp"

#include <algorithm>
#include <string_view>

namespace boardwright::tools {
namespace {

using dsl::is_digit;

const char* end_of_digits(std::string_view text) {
  return std::find_if_not(text.begin(), text.end(), [](char c) { return is_digit(c); });
}

std::string_view digits_of(std::string_view text) {
  const auto end = end_of_digits(text);
  text = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  return text.substr(std::min(text.find_first_not_of('0'), text.size()));
}

// Takes what two texts begin with off both: a character, or a number. Negative, 0 or positive as they
// compare.
int compare_front(std::string_view& a, std::string_view& b) {
  if (!is_digit(a.front()) || !is_digit(b.front())) {
    const int difference = static_cast<unsigned char>(a.front()) - static_cast<unsigned char>(b.front());
    a.remove_prefix(1);
    b.remove_prefix(1);
    return difference;
  }
  const std::string_view x = digits_of(a), y = digits_of(b);
  a.remove_prefix(static_cast<std::size_t>(end_of_digits(a) - a.begin()));
  b.remove_prefix(static_cast<std::size_t>(end_of_digits(b) - b.begin()));
  return x.size() != y.size() ? (x.size() < y.size() ? -1 : 1) : x.compare(y);
}

bool comes_before(std::string_view a, std::string_view b) {
  // What both begin with says nothing, up to the number in which they differ: there may be a million texts.
  auto same =
      static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  while (same > 0 && is_digit(a[same - 1])) --same;
  a.remove_prefix(same);
  b.remove_prefix(same);
  while (!a.empty() && !b.empty())
    if (const int order = compare_front(a, b); order != 0) return order < 0;
  return a.empty() && !b.empty();
}

} // namespace

std::vector<std::string> in_order(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end(), comes_before);
  return texts;
}

std::string in_columns(const std::vector<std::string>& texts, int width) {
  constexpr std::size_t kGap = 2;
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  const std::size_t columns =
      std::max<std::size_t>(1, (static_cast<std::size_t>(std::max(width, 1)) + kGap) / (longest + kGap));
  std::string result;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    result += printable(texts[i]);
    const bool last = (i + 1) % columns == 0 || i + 1 == texts.size();
    result += last ? "\n" : std::string(longest + kGap - texts[i].size(), ' ');
  }
  return result;
}

} // namespace boardwright::tools
