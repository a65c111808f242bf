// The words and functions of the language: those of operations, which their rows tell
// (runtime/model/operation_table.hpp), and those that are made of several, or known at load.
//
// Whoever asks what there is, asks here: names and their checks, the types of arguments, editors, the index
// of the reference, the generators of tests.
#pragma once

#include "runtime/model/operations.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {

struct LanguageWord {
  std::string_view written;                 // "here", "box(a, z, k?)"
  std::string_view name;                    // "here", "box"
  std::vector<std::string_view> parameters; // "a", "z", "k": a function has some
  std::uint8_t traits = runtime::kPlain;
  std::string_view what;           // a sentence for authors, without a stop
  std::optional<runtime::Op> op;   // whose row tells all this
  std::size_t least = 0, most = 0; // arguments

  [[nodiscard]] bool has(runtime::Trait trait) const { return (traits & trait) != 0; }
  [[nodiscard]] bool is_function() const { return !parameters.empty(); }
  // Do the row's columns tell what it takes and gives?
  [[nodiscard]] bool is_regular() const { return op && !has(runtime::kOwnCase); }
};

// How many arguments a function takes that takes any number.
inline constexpr std::size_t kAnyNumber = 255;

[[nodiscard]] const std::vector<LanguageWord>& words_of_language();
// Null where there is none; `hand` and `hand(K)` are two words.
[[nodiscard]] const LanguageWord* word_named(std::string_view name);
[[nodiscard]] const LanguageWord* function_named(std::string_view name);

// The operation of `sum(E for …)` and its like, which take a number for every binding of the names behind
// `for`.
[[nodiscard]] std::optional<runtime::Op> fold_named(std::string_view name);

// The child that a parameter of a regular function goes along with: a letter of the column `children`.
[[nodiscard]] char letter_of_parameter(const LanguageWord& word, std::size_t parameter);

// The type that a letter of the columns `children` and `types` stands for: one of "ntcdkpmNSKP".
[[nodiscard]] runtime::Type type_of_letter(char letter);

} // namespace boardwright::interpreter
