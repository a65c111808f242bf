#include "tools/notation_columns.hpp"

#include "tools/console.hpp"

#include <algorithm>

namespace boardwright::tools {

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
