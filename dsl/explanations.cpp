// Entry points: explanations, explanation_of, read_explanations.
#include "dsl/explanations.hpp"

#include <algorithm>

namespace boardwright::dsl {
namespace {

constexpr std::string_view kHeading = "## ";
constexpr std::string_view kFence = "```";

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// "the [traps](README.md#traps)" as "the traps".
std::string without_links(std::string_view line) {
  std::string plain;
  while (!line.empty()) {
    const std::size_t open = line.find('[');
    const std::size_t middle = open == line.npos ? line.npos : line.find("](", open);
    const std::size_t close = middle == line.npos ? line.npos : line.find(')', middle);
    if (close == line.npos) return plain.append(line);
    plain.append(line.substr(0, open)).append(line.substr(open + 1, middle - open - 1));
    line.remove_prefix(close + 1);
  }
  return plain;
}

// Up to the fence that closes it.
std::string take_block(std::string_view& page) {
  std::string block;
  while (!page.empty()) {
    const std::string_view line = take_line(page);
    if (line.starts_with(kFence)) break;
    block.append(line) += '\n';
  }
  return block;
}

void add_paragraph(Explanation& entry, std::string_view line) {
  std::string text = without_links(line);
  if (entry.summary.empty())
    entry.summary = std::move(text);
  else
    entry.text.push_back(std::move(text));
}

} // namespace

std::vector<Explanation> read_explanations(std::string_view page) {
  std::vector<Explanation> entries;
  while (!page.empty()) {
    const std::string_view line = take_line(page);
    if (line.starts_with(kFence)) {
      std::string block = take_block(page);
      if (entries.empty()) continue;
      if (line.find(" wrong") != line.npos) entries.back().wrong = std::move(block);
      if (line.find(" right") != line.npos) entries.back().right = std::move(block);
    } else if (line.starts_with(kHeading)) {
      entries.emplace_back().name = line.substr(kHeading.size());
    } else if (!line.empty() && !entries.empty()) {
      add_paragraph(entries.back(), line);
    }
  }
  return entries;
}

const std::vector<Explanation>& explanations() {
  static const std::vector<Explanation> entries = read_explanations(diagnostics_page());
  return entries;
}

const Explanation* explanation_of(std::string_view name) {
  const auto& all = explanations();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Explanation& entry) { return entry.name == name; });
  return found == all.end() ? nullptr : &*found;
}

} // namespace boardwright::dsl
