// Families of kinds: `round: { 2: a A, 4: b B }` under `pieces`.
//
// A family is sugar: its members are kinds like others, named `round(2)` and `round(4)`. What rules can ask
// of them are definitions that no file has written: `round`, the cells of all members; `number(c)`, the
// number of a kind or of the piece on a cell; and `round(n)` for an n that isn't written out.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"

#include <string>
#include <string_view>

namespace boardwright::dsl {

// Is this entry of `pieces` a family, and not the letters of a kind by player?
[[nodiscard]] bool is_family(const Yaml& letters, const std::vector<PlayerEntry>& players);

// Adds the members to `file.pieces`, and the family.
void read_family(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics);

// When all sections have been read: `round(2)` in rules becomes the name of a kind, a body for `round` one
// for each member that has none of its own. Adds the definitions.
void resolve_families(RuleFile& file, Diagnostics& diagnostics);

// Likewise in a rule that was read later.
void resolve_families(RuleFile& file, Ast& rule, Diagnostics& diagnostics);

// The family with this name, or null.
[[nodiscard]] const FamilyEntry* family_named(const RuleFile& file, std::string_view name);

// "`round(2)`, `round(4)`", for messages; not all of very many.
[[nodiscard]] std::string members_of(const FamilyEntry& family);

// The letters of one kind, from what stands behind its name.
void read_letters(const Yaml& value, const std::vector<PlayerEntry>& players, KindEntry& kind,
                  Diagnostics& diagnostics);

} // namespace boardwright::dsl
