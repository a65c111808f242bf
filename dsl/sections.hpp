// From the merged YAML tree of a rule file to typed sections.
//
// Each section is read on its own: what is wrong in one never hides what is wrong in another. A part that
// could not be read is left out of the result, after an error.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "dsl/yaml.hpp"

#include <optional>
#include <string>
#include <vector>

namespace boardwright::dsl {

// A body given for several kinds is copied for each; a file whose copies come to more bytes of rules is
// refused.
inline constexpr std::size_t kMaxCopiedRules = 1 << 18;

// Reads all sections of a file into `file`, whose `file` is set; `extends` and `use` are not looked at.
void read_sections(const Yaml& root, RuleFile& file, Diagnostics& diagnostics);

// Reads a file of the kind that `use` names: nothing but `define`, `options` and `look` (which are not looked
// at) and `about`.
[[nodiscard]] std::vector<Definition> read_vocabulary(const Yaml& root, Diagnostics& diagnostics);

// The names of all sections, `extends` and `use` among them.
[[nodiscard]] std::vector<std::string> section_names();

// One function for each section. `entry` is the section, with what it replaces.
void read_game(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
void read_about(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
void read_players(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
void read_first(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
void read_board(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
void read_pieces(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
void read_hands(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
void read_setup(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
void read_state(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
void read_sees(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
void read_options(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
void read_define(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
void read_turn(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
void read_end(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);
void read_tests(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);

// `games` of a test. Nothing where it is no map.
[[nodiscard]] std::optional<GamesEntry> read_games(const Yaml& value, Diagnostics& diagnostics);

} // namespace boardwright::dsl
