#include "dsl/source.hpp"

#include "dsl/text.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::dsl {

namespace {

std::vector<std::uint32_t> starts_of_lines(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  // A byte order mark is no part of the first line: nobody sees it, so it must not move a column.
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) starts[0] = kByteOrderMark.size();
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts.push_back(static_cast<std::uint32_t>(i + 1));
  return starts;
}

// A file may be one long line, and a column is asked for each of its nodes: so characters are counted once.
constexpr std::size_t kCounted = 256;

std::vector<std::uint32_t> counts_of_characters(std::string_view text) {
  std::vector<std::uint32_t> counts;
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i % kCounted == 0) counts.push_back(count);
    if (!continues_character(text[i])) ++count;
  }
  if (text.size() % kCounted == 0) counts.push_back(count);
  return counts;
}

std::size_t characters_before(std::string_view text, const std::vector<std::uint32_t>& counts,
                              std::size_t place) {
  const auto rest = text.substr(0, place).substr(place - place % kCounted);
  return counts[place / kCounted] + characters_in(rest);
}

} // namespace

Span join(Span a, Span b) {
  if (a.file != b.file) return a;
  return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

FileId Sources::add(std::string name, std::string text) {
  auto line_starts = starts_of_lines(text);
  auto characters = counts_of_characters(text);
  files_.push_back({std::move(name), std::move(text), std::move(line_starts), std::move(characters)});
  return static_cast<FileId>(files_.size() - 1);
}

Location Sources::locate(FileId file, std::uint32_t offset) const {
  const File& in = files_[file];
  const auto& starts = in.line_starts;
  const std::size_t place = std::min<std::size_t>(offset, in.text.size());
  const auto after = std::upper_bound(starts.begin() + 1, starts.end(), place);
  const std::size_t begin = std::min<std::size_t>(*(after - 1), place);
  const std::size_t characters =
      characters_before(in.text, in.characters, place) - characters_before(in.text, in.characters, begin);
  return {in.name, static_cast<std::uint32_t>(after - starts.begin()),
          static_cast<std::uint32_t>(characters + 1)};
}

std::string_view Sources::line(FileId file, std::uint32_t line) const {
  const File& in = files_[file];
  if (line == 0 || line > in.line_starts.size()) return {};
  const std::size_t begin = in.line_starts[line - 1];
  auto text = std::string_view(in.text).substr(begin);
  text = text.substr(0, text.find('\n'));
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

} // namespace boardwright::dsl
