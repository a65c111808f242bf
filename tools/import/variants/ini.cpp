#include "tools/import/variants/ini.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace boardwright::tools {
namespace {

constexpr std::string_view kBlank = " \t\r\f\v";
constexpr std::size_t kMostName = 100;
// Some editors begin every file in UTF-8 with it.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string_view trimmed_line(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// Names become names of files, so they hold nothing that a path or a terminal could mean.
bool is_variant_name(std::string_view name) {
  return !name.empty() && name.size() <= kMostName && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  });
}

tl::expected<IniSection, ImportFault> section_of(std::string_view line, int number) {
  const auto fault = [number](const char* message) {
    return tl::unexpected(ImportFault{number, "", message});
  };
  const std::size_t end = line.find(']');
  if (end == std::string_view::npos) return fault("this section has no `]`");
  const std::string_view head = line.substr(1, end - 1);
  const std::size_t colon = head.find(':');
  IniSection section{std::string(trimmed_line(head.substr(0, colon))), "", number, {}};
  if (colon != std::string_view::npos) section.parent = trimmed_line(head.substr(colon + 1));
  if (!is_variant_name(section.name) || (colon != std::string_view::npos && !is_variant_name(section.parent)))
    return fault("the name of a variant is made of letters, digits, `_` and `-`");
  return section;
}

// "" or what is wrong with a line; it becomes a section, or an entry of the last one.
std::string read_line(std::string_view line, int number, std::vector<IniSection>& sections,
                      ImportFault& fault) {
  if (line.empty() || line.front() == '#' || line.front() == ';') return "";
  if (line.front() == '[') {
    auto section = section_of(line, number);
    if (!section) {
      fault = section.error();
      return fault.message;
    }
    if (sections.size() >= kMostSections) return "there are too many sections";
    sections.push_back(*std::move(section));
    return "";
  }
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return "this is neither `[name]` nor `key = value`";
  if (sections.empty()) return "this stands before the first `[name]`";
  auto& entries = sections.back().entries;
  if (entries.size() >= kMostEntries) return "this section has too many entries";
  const std::string_view key = trimmed_line(line.substr(0, equals));
  if (!is_variant_name(key)) return "a key is made of letters and digits";
  entries.push_back({std::string(key), std::string(trimmed_line(line.substr(equals + 1))), number});
  return "";
}

} // namespace

tl::expected<std::vector<IniSection>, ImportFault> read_ini(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<IniSection> sections;
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    ImportFault fault{++number, "", ""};
    const std::string why = read_line(trimmed_line(text.substr(at, end - at)), number, sections, fault);
    if (!why.empty()) return tl::unexpected(ImportFault{number, "", why});
    at = end + 1;
  }
  return sections;
}

const IniSection* section_named(const std::vector<IniSection>& sections, std::string_view name) {
  // Of two sections with one name the later one counts, as where the file is read for play.
  const auto found = std::find_if(sections.rbegin(), sections.rend(),
                                  [name](const IniSection& section) { return section.name == name; });
  return found == sections.rend() ? nullptr : &*found;
}

std::vector<std::string> words_of(std::string_view value) {
  std::vector<std::string> words;
  constexpr std::string_view kBetween = " \t,";
  for (std::size_t at = value.find_first_not_of(kBetween); at != std::string_view::npos;) {
    const std::size_t end = std::min(value.find_first_of(kBetween, at), value.size());
    words.emplace_back(value.substr(at, end - at));
    at = value.find_first_not_of(kBetween, end);
  }
  return words;
}

} // namespace boardwright::tools
