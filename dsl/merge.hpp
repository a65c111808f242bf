// What `extends` means: a rule file laid over the one that it extends, as YAML trees.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/yaml.hpp"

#include <string_view>

namespace boardwright::dsl {

// Lays `child` over `parent`; both are maps of sections. Sections merge entry by entry:
//
// - an entry replaces the parent's of the same name, in its place. Definitions are matched by name and by
// having or
//   not having parameters: `step` and `step(D, S)` are different names;
// - a map below an entry of `board`, `options`, `look` and `check` merges likewise (`supply: { default: 16 }`
// leaves
//   the option its range), elsewhere it replaces the parent's;
// - a list or text replaces the parent's, and so does a map what is no map;
// - the shape of a board replaces the parent's shape, whatever its key;
// - an entry without a value removes the parent's (`castle:` also `castle(d)`), a section without a value the
// section;
// - `inherited` as a line of `end` stands for the parent's lines;
// - `tests` are the child's alone: the parent's would fail.
//
// Where an entry replaces another, YamlEntry::replaced keeps that one, so that `inherited` can be resolved in
// `turn` and in definitions. `extends` and `use` must have been taken out of both. Takes time linear in both.
[[nodiscard]] Yaml merge(Yaml parent, Yaml child, Diagnostics& diagnostics);

// Two maps of one section, as where one file extends another.
[[nodiscard]] Yaml merge_entries(std::string_view section, Yaml below, Yaml above, Diagnostics& diagnostics);

} // namespace boardwright::dsl
