#include "dsl/shape.hpp"

#include "dsl/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::dsl {
namespace {

// What is written of an author's word in a message: a hostile one must not fill the screen.
constexpr std::size_t kMaxQuoted = 60;

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view shape_of(const Yaml& value) {
  switch (value.kind) {
  case Yaml::Kind::empty: return "empty";
  case Yaml::Kind::scalar: return "text";
  case Yaml::Kind::sequence: return "a list";
  case Yaml::Kind::map: break;
  }
  return "a map";
}

// `a1`, `c12`
bool is_like_a_cell(std::string_view word) {
  const auto digits = word.find_first_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && is_identifier(word) &&
         word.find_first_not_of("0123456789", digits) == std::string_view::npos;
}

// What to write where a rule was written as a collection of YAML.
std::string without_collection(const Yaml& value) {
  if (value.is_map()) return "put quotes around a rule that begins with `{`";
  std::vector<std::string> items;
  bool cells = true, words = true;
  for (const Yaml& item : value.items) {
    if (!item.is_scalar()) return "write it as one text, without `[`, `]` and `-`";
    const std::string& text = item.text.text;
    const bool number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    cells = cells && is_like_a_cell(text);
    words = words && (number || is_identifier(text));
    items.push_back(text);
  }
  if (items.empty() || !words) return "write it as one text, without `[`, `]` and `-`";
  const std::string either = in_backticks(fmt::format("{}", fmt::join(items, " | ")));
  if (cells) return fmt::format("several cells are {}", either);
  const bool named =
      std::any_of(items.begin(), items.end(), [](const std::string& item) { return is_identifier(item); });
  if (!named)
    return fmt::format("a list is `list({})`; variables of `state` hold none", fmt::join(items, ", "));
  return fmt::format("a list of kinds is `kinds({})`; cells or directions that are in either are {}",
                     fmt::join(items, ", "), either);
}

bool expect(Yaml::Kind kind, std::string_view wanted, const Yaml& value, std::string_view what,
            std::string_view example, Diagnostics& diagnostics) {
  if (value.kind == kind) return true;
  auto& error = diagnostics.error("shape", value.span, fmt::format("{} is {}", what, shape_of(value)));
  error.expected = fmt::format("expected {}, as in `{}`", wanted, example);
  const bool collection = value.is_map() || value.is_sequence();
  if (kind == Yaml::Kind::scalar && collection) error.help = without_collection(value);
  if (kind == Yaml::Kind::map && value.is_scalar() && value.text.text.find(" = ") != std::string::npos)
    error.help = "an entry is written `name: value`, with `:` and not `=`";
  return false;
}

} // namespace

std::string in_backticks(std::string_view word) {
  if (word.size() <= kMaxQuoted) return fmt::format("`{}`", word);
  return fmt::format("`{}…`", beginning_of(word, kMaxQuoted));
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string near = nearest(word, known);
  return near.empty() ? "" : fmt::format("did you mean `{}`?", near);
}

Name to_name(const Text& text) { return {text.text, text.span()}; }

bool is_identifier(std::string_view word) {
  if (word.empty() || !begins_name(word[0])) return false;
  return std::all_of(word.begin(), word.end(), [](char c) { return continues_name(c); });
}

std::vector<Text> words(const Text& text) {
  std::vector<Text> found;
  const std::string& s = text.text;
  for (std::size_t i = 0; i < s.size();) {
    std::size_t end = i;
    while (end < s.size() && !blank(s[end])) ++end;
    if (end > i) found.push_back(text.part(i, end));
    i = end + 1;
  }
  return found;
}

std::vector<Name> names(const Text& text) {
  std::vector<Name> found;
  for (const Text& word : words(text)) found.push_back(to_name(word));
  return found;
}

std::vector<Text> split(const Text& text, char separator) {
  std::vector<Text> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.text.size(); ++i) {
    if (i < text.text.size() && text.text[i] != separator) continue;
    parts.push_back(text.part(begin, i).trimmed());
    begin = i + 1;
  }
  return parts;
}

std::optional<std::uint64_t> whole_number(std::string_view word) { return number_in<std::uint64_t>(word); }

bool expect_map(const Yaml& value, std::string_view what, std::string_view example,
                Diagnostics& diagnostics) {
  return expect(Yaml::Kind::map, "a map", value, what, example, diagnostics);
}

bool expect_list(const Yaml& value, std::string_view what, std::string_view example,
                 Diagnostics& diagnostics) {
  return expect(Yaml::Kind::sequence, "a list", value, what, example, diagnostics);
}

bool expect_text(const Yaml& value, std::string_view what, std::string_view example,
                 Diagnostics& diagnostics) {
  return expect(Yaml::Kind::scalar, "text", value, what, example, diagnostics);
}

std::optional<std::vector<Name>> read_words(const Yaml& value, std::string_view what,
                                            std::string_view example, Diagnostics& diagnostics) {
  if (value.is_scalar()) return names(value.text);
  if (!expect_list(value, what, example, diagnostics)) return std::nullopt;
  std::vector<Name> found;
  for (const Yaml& item : value.items)
    if (expect_text(item, fmt::format("an item of {}", what), example, diagnostics))
      found.push_back(to_name(item.text.trimmed()));
  return found;
}

std::optional<Name> read_word(const Yaml& value, std::string_view what, std::string_view example,
                              Diagnostics& diagnostics) {
  if (!expect_text(value, what, example, diagnostics)) return std::nullopt;
  auto found = names(value.text);
  if (found.size() == 1) return std::move(found.front());
  auto& error = diagnostics.error("shape", value.span, fmt::format("{} is one word", what));
  error.expected = fmt::format("expected one word, as in `{}`", example);
  return std::nullopt;
}

bool read_truth(const Yaml& value, std::string_view what, Diagnostics& diagnostics) {
  if (value.is_scalar() && (value.text.text == "true" || value.text.text == "false"))
    return value.text.text == "true";
  diagnostics.error("shape", value.span, fmt::format("{} is either `true` or `false`", what));
  return false;
}

std::optional<Ast> read_value(const Yaml& value, std::string_view what, std::string_view example,
                              Diagnostics& diagnostics) {
  if (!expect_text(value, what, example, diagnostics)) return std::nullopt;
  return parse_value(value.text, diagnostics);
}

std::optional<Name> declared_name(const Text& text, std::string_view what, Diagnostics& diagnostics) {
  if (!is_identifier(text.text)) {
    auto& error = diagnostics.error("name", text.span(),
                                    fmt::format("{} can't be the name of {}", in_backticks(text.text), what));
    error.expected = "expected a name of letters, digits and `_` that begins with a letter";
    return std::nullopt;
  }
  return to_name(text);
}

void unknown_key(const Text& key, std::string_view what, const std::vector<std::string>& known,
                 Diagnostics& diagnostics) {
  auto& error = diagnostics.error("unknown-key", key.span(),
                                  fmt::format("unknown key {} in {}", in_backticks(key.text), what));
  error.help = did_you_mean(key.text, known);
  if (!error.help.empty()) return;
  error.expected = "expected";
  for (std::size_t i = 0; i < known.size(); ++i)
    error.expected += (i == 0 ? " `" : i + 1 == known.size() ? " or `" : ", `") + known[i] + "`";
}

} // namespace boardwright::dsl
