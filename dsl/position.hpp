// A position as people and programs write it: in a test, in a file for `--position`, on the command line.
//
// It is a map of the keys below (as YAML, of which JSON is a part), or a picture of the board, or a FEN.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "dsl/shape.hpp"
#include "dsl/yaml.hpp"

#include <optional>
#include <span>

namespace boardwright::dsl {

// What stands under `position:` in a test. Nothing where it is neither a map nor text.
[[nodiscard]] std::optional<PositionEntry> read_position(const Yaml& value, Diagnostics& diagnostics);

// A whole text that is a position: what can stand under `position:`, without that key.
[[nodiscard]] std::optional<PositionEntry> read_position_text(const Sources& sources, FileId file,
                                                              Diagnostics& diagnostics);

// The keys of a position that can be compared with one that has come about; the board is the last.
[[nodiscard]] std::span<const Key<PositionEntry>> compared_keys();

} // namespace boardwright::dsl
