// Where rule files come from: a path, the files inside the binary, folders of BOARDWRIGHT_PATH.
#pragma once

#include "dsl/rule_file.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::dsl {

// A file of game-defs/ as it was when the library was built.
struct BundledFile {
  std::string_view name;   // without folder and `.yaml`: "std"
  std::string_view family; // the folder: "rows"
  std::string_view text;
};
[[nodiscard]] const std::vector<BundledFile>& bundled_files();
// Those of game-defs/templates, by the family that each is a beginning of. They are no games to be found by
// name.
[[nodiscard]] const std::vector<BundledFile>& bundled_templates();

// Finds `reference`, in this order: for an `extends` or `use`, beside the file that asks; a path that exists
// (with or without `.yaml`; only what has a `/` or ends in `.yaml` counts as a path); a folder of
// BOARDWRIGHT_PATH (separated by `:`); a bundled file. Folders, devices and files over kMaxFileBytes are not
// read.
[[nodiscard]] FileFinder standard_finder();

// The same, with the text of one file given (an editor's, standard input): `name` is found before all else.
[[nodiscard]] FileFinder finder_with(std::string name, std::string text);

// Bundled files only.
[[nodiscard]] FileFinder bundled_finder();

// A vocabulary of game-defs/std, whatever game has its name; and their names.
[[nodiscard]] std::optional<FoundFile> bundled_vocabulary(const std::string& name);
[[nodiscard]] std::vector<std::string> bundled_vocabularies();

// Is it the text of a game, not of a vocabulary?
[[nodiscard]] bool is_game(std::string_view text);

// The games in the folders of BOARDWRIGHT_PATH, sorted.
[[nodiscard]] std::vector<std::string> games_on_path();

// The names that standard_finder finds without a path: bundled games and those in BOARDWRIGHT_PATH, sorted.
[[nodiscard]] std::vector<std::string> known_games();

// Is a reference in a file, read as a path beside it, the file itself?
[[nodiscard]] bool names_itself(const std::string& reference, const std::string& file);

} // namespace boardwright::dsl
