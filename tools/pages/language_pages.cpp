#include "tools/pages/language_pages.hpp"

#include "dsl/tokens.hpp"
#include "interpreter/meaning/words.hpp"
#include "tools/pages/game_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <vector>

namespace boardwright::tools {
namespace {

using interpreter::LanguageWord;
using Page = std::vector<std::string>; // its lines

Page lines_of_page(std::string_view text) {
  Page lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// "`spread()`" as the index has it.
std::string index_entry(const LanguageWord& word) {
  return std::string(word.name) + (word.is_function() ? "()" : "");
}

// Does a row of a table tell it, in its first cell?
bool is_told_in(const std::string& line, const LanguageWord& word) {
  if (!line.starts_with("| ")) return false;
  const std::string cell = line.substr(0, line.find(" |", 1));
  const std::string quoted = "`" + std::string(word.name);
  return cell.find(quoted + (word.is_function() ? "(" : "`")) != std::string::npos;
}

// The heading above the table that tells a word; nothing where none does.
std::optional<std::string> chapter_of(const Page& page, const LanguageWord& word) {
  std::string heading;
  for (const std::string& line : page) {
    if (line.starts_with("##")) heading = line;
    if (!heading.empty() && is_told_in(line, word))
      return link_to_heading(heading.substr(heading.find_first_not_of("# ")));
  }
  return std::nullopt;
}

// Behind the last row of the table below a heading.
void add_to_table(Page& page, const std::string& heading, const std::string& row) {
  auto at = std::find(page.begin(), page.end(), heading);
  at = std::find_if(at, page.end(), [](const std::string& line) { return line.starts_with("| "); });
  at = std::find_if(at, page.end(), [](const std::string& line) { return !line.starts_with("| "); });
  if (at != page.end()) page.insert(at, row);
}

// Among the entries of its letter, in the order of their texts.
void add_to_index(Page& page, const std::string& entry, const std::string& chapter) {
  const std::string link = fmt::format("[`{}`](#{})", entry, chapter);
  const auto index = std::find(page.begin(), page.end(), "## Index");
  const auto letter = std::find_if(index, page.end(), [&](const std::string& line) {
    return line.starts_with(fmt::format("**{}** ", entry.front()));
  });
  if (letter == page.end()) return;
  for (auto at = letter->find("[`"); at != std::string::npos; at = letter->find("[`", at + 1)) {
    const std::string other = letter->substr(at + 2, letter->find('`', at + 2) - at - 2);
    if (other > entry) {
      letter->insert(at, link + " · ");
      return;
    }
  }
  *letter += " · " + link;
}

std::string joined_words(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  return fmt::format("{}", fmt::join(words, "|"));
}

// The words between the first parentheses of a pattern.
void set_pattern(std::string& grammar, const std::string& rule, const std::string& words) {
  const auto at = grammar.find("\"" + rule + "\": {");
  const auto open = grammar.find("\"match\": \"\\\\b(", at);
  const auto close = grammar.find(")\\\\b\"", open);
  if (at == std::string::npos || open == std::string::npos || close == std::string::npos) return;
  const auto begin = grammar.find('(', open) + 1;
  grammar.replace(begin, close - begin, words);
}

} // namespace

std::string with_words(std::string_view reference) {
  Page page = lines_of_page(reference);
  for (const LanguageWord& word : interpreter::words_of_language()) {
    const auto indexed = index_of(fmt::format("{}", fmt::join(page, "\n")));
    const std::string entry = index_entry(word);
    const bool has_entry = std::any_of(indexed.begin(), indexed.end(),
                                       [&](const IndexedWord& other) { return other.word == entry; });
    if (has_entry) continue;
    if (!chapter_of(page, word))
      add_to_table(page, word.is_function() ? "### Functions" : "### Words",
                   fmt::format("| `{}` | {} |", word.written, word.what));
    if (const auto chapter = chapter_of(page, word)) add_to_index(page, entry, *chapter);
  }
  return fmt::format("{}\n", fmt::join(page, "\n"));
}

std::string with_coloured_words(std::string_view grammar) {
  std::vector<std::string> keywords, words;
  for (std::size_t i = 0; i < dsl::kTokCount; ++i)
    if (const std::string word(dsl::spelling(static_cast<dsl::Tok>(i))); dsl::keyword(word))
      keywords.push_back(word);
  for (const LanguageWord& word : interpreter::words_of_language())
    if (!word.is_function() && !dsl::keyword(word.name)) words.emplace_back(word.name);
  std::string text(grammar);
  set_pattern(text, "keyword", joined_words(std::move(keywords)));
  set_pattern(text, "word", joined_words(std::move(words)));
  return text;
}

} // namespace boardwright::tools
