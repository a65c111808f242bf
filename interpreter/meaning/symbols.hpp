// What the names of a rule file stand for.
//
// Players, kinds, options, state, definitions, tracks and cells share one space of names; `name` and `name(`
// are different names. Definitions stand in layers (std, the vocabularies of `use`, the file), the last one
// wins.
#pragma once

#include "dsl/rule_file.hpp"
#include "interpreter/board/geometry.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::interpreter {

enum class OptionType : std::uint8_t { number, truth, word };

struct OptionValue {
  std::string name;
  OptionType type = OptionType::number;
  std::int64_t number = 0;        // of a number or truth
  std::string word;               // as written
  std::vector<std::string> words; // what a word may be
};

enum class NameIs : std::uint8_t {
  unknown,
  definition,
  option,
  kind,
  state,
  track,
  cell,
  player,
  option_word,
  word,
  function,
};

using DefinitionKey = std::pair<std::string, bool>; // name, and whether it has parameters

struct Layer {
  std::map<DefinitionKey, const dsl::Definition*> definitions;
};

struct Found {
  const dsl::Definition* definition = nullptr;
  std::size_t layer = 0;
};

class Symbols {
public:
  explicit Symbols(const dsl::RuleFile& file);

  const dsl::RuleFile& file;
  std::vector<std::string> players;
  std::vector<std::string> kinds;
  std::vector<OptionValue> options;
  std::vector<Layer> layers; // the file's own is the last
  const Geometry* geometry = nullptr;
  std::set<std::string> worthless; // state variables whose first value is wrong, as has been said

  [[nodiscard]] int player(std::string_view name) const; // -1: none
  [[nodiscard]] int kind(std::string_view name) const;
  [[nodiscard]] int state(std::string_view name) const;
  [[nodiscard]] bool is_piece_value(std::string_view name) const; // a variable that every piece has
  [[nodiscard]] int track(std::string_view name) const;
  [[nodiscard]] const OptionValue* option(std::string_view name) const;
  // The definition that a name means, below layer `below`.
  [[nodiscard]] Found definition(const DefinitionKey& key, std::size_t below = SIZE_MAX) const;
  [[nodiscard]] NameIs lookup(const std::string& name, bool with_arguments) const;
  // Where the file, or one that it extends, gives this name to something; nothing for what no file names.
  [[nodiscard]] std::optional<dsl::Span> place_of(const std::string& name) const;
  // Every name that `lookup` would find, for suggestions.
  [[nodiscard]] std::vector<std::string> known_names(bool with_arguments) const;
};

// "a definition", "a kind of piece", …
[[nodiscard]] std::string describe(NameIs what);

// Every two things of a file with one name, and every name that is reserved.
void check_name_clashes(const Symbols& symbols, dsl::Diagnostics& diagnostics);

// Checks the names in every rule: unknown, ended, bound twice, called with too few arguments, calling itself.
// False where unfolding the rules would not end.
[[nodiscard]] bool check_scopes(const Symbols& symbols, const dsl::Sources& sources,
                                dsl::Diagnostics& diagnostics);

} // namespace boardwright::interpreter
