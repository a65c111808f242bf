// What all sections are read with: the shape a value must have, words, names, and what is said where they are
// not so.
//
// `what` names the thing in messages ("`board`", "option `size`"); `example` shows how it is written.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/grammar.hpp"
#include "dsl/rule_file.hpp"
#include "dsl/yaml.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::dsl {

// "`" + word + "`", as messages write what an author wrote. Long words are cut.
[[nodiscard]] std::string in_backticks(std::string_view word);
// "did you mean `x`?" for the nearest of `known`, or "".
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

[[nodiscard]] Name to_name(const Text& text);
// A letter or `_`, then letters, digits and `_`.
[[nodiscard]] bool is_identifier(std::string_view word);
// The parts between blanks and line breaks.
[[nodiscard]] std::vector<Text> words(const Text& text);
[[nodiscard]] std::vector<Name> names(const Text& text); // the words as names
// The trimmed parts between separators; one more than there are separators.
[[nodiscard]] std::vector<Text> split(const Text& text, char separator);
// A whole number written in digits alone, if it fits.
[[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view word);

// Each says what was expected where the value has another shape.
bool expect_map(const Yaml& value, std::string_view what, std::string_view example, Diagnostics& diagnostics);
bool expect_list(const Yaml& value, std::string_view what, std::string_view example,
                 Diagnostics& diagnostics);
bool expect_text(const Yaml& value, std::string_view what, std::string_view example,
                 Diagnostics& diagnostics);

// The value as names: of text its words, of a list each item whole. Nothing where it is neither.
[[nodiscard]] std::optional<std::vector<Name>> read_words(const Yaml& value, std::string_view what,
                                                          std::string_view example, Diagnostics& diagnostics);
// One word.
[[nodiscard]] std::optional<Name> read_word(const Yaml& value, std::string_view what,
                                            std::string_view example, Diagnostics& diagnostics);
// `true` or `false`.
[[nodiscard]] bool read_truth(const Yaml& value, std::string_view what, Diagnostics& diagnostics);
// A constant expression.
[[nodiscard]] std::optional<Ast> read_value(const Yaml& value, std::string_view what,
                                            std::string_view example, Diagnostics& diagnostics);
// A name that the author gives to something of his own: an identifier. Whether it is free, the interpreter
// asks.
[[nodiscard]] std::optional<Name> declared_name(const Text& text, std::string_view what,
                                                Diagnostics& diagnostics);

void unknown_key(const Text& key, std::string_view what, const std::vector<std::string>& known,
                 Diagnostics& diagnostics);

// A map whose keys are known: each is read by the function beside it, others are errors.
template <class T>
struct Key {
  std::string_view name;
  void (*read)(const Yaml& value, T& into, Diagnostics& diagnostics);
};

template <class T>
[[nodiscard]] std::vector<std::string> key_names(std::span<const Key<T>> keys) {
  std::vector<std::string> known;
  for (const auto& key : keys) known.emplace_back(key.name);
  return known;
}

// Whether `entry` was one of the keys; then it has been read.
template <class T>
bool read_key(const YamlEntry& entry, std::span<const Key<T>> keys, T& into, Diagnostics& diagnostics) {
  for (const auto& key : keys) {
    if (entry.key.text != key.name) continue;
    key.read(entry.value, into, diagnostics);
    return true;
  }
  return false;
}

template <class T>
void read_keys(const Yaml& map, std::string_view what, std::span<const Key<T>> keys, T& into,
               Diagnostics& diagnostics) {
  for (const auto& entry : map.entries)
    if (!read_key(entry, keys, into, diagnostics)) unknown_key(entry.key, what, key_names(keys), diagnostics);
}

} // namespace boardwright::dsl
