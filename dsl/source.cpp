#include "dsl/source.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::dsl {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

std::vector<std::uint32_t> starts_of_lines(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  // A byte order mark is no part of the first line: nobody sees it, so it must not move a column.
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) starts[0] = kByteOrderMark.size();
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts.push_back(static_cast<std::uint32_t>(i + 1));
  return starts;
}

} // namespace

Span join(Span a, Span b) {
  if (a.file != b.file) return a;
  return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

FileId Sources::add(std::string name, std::string text) {
  auto line_starts = starts_of_lines(text);
  files_.push_back({std::move(name), std::move(text), std::move(line_starts)});
  return static_cast<FileId>(files_.size() - 1);
}

Location Sources::locate(FileId file, std::uint32_t offset) const {
  const File& in = files_[file];
  const auto& starts = in.line_starts;
  const std::size_t place = std::min<std::size_t>(offset, in.text.size());
  const auto after = std::upper_bound(starts.begin() + 1, starts.end(), place);
  const std::size_t begin = std::min<std::size_t>(*(after - 1), place);
  const auto before = std::string_view(in.text).substr(begin, place - begin);
  const auto characters = std::count_if(before.begin(), before.end(), starts_character);
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
