// From a rule file to rules that can be played.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "runtime/game/game.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::interpreter {

using Settings = std::vector<std::pair<std::string, std::string>>; // option, value

struct Loaded {
  std::shared_ptr<const runtime::Rules> rules; // null where there are errors
  dsl::Sources sources;
  dsl::Diagnostics diagnostics;
  std::optional<dsl::RuleFile>
      file;                 // as read; there even where rules is null, if the file could be read at all
  bool not_found = false;   // the file itself can't be read
  bool bad_setting = false; // an option of `settings` is unknown or has a value it can't take

  [[nodiscard]] explicit operator bool() const { return rules != nullptr; }
  // What went wrong, written for people.
  [[nodiscard]] std::string errors(bool color = false) const {
    return dsl::render(diagnostics, sources, color);
  }
};

// Loads a rule file by path, or a bundled game by name. Settings replace the defaults of the file's options.
[[nodiscard]] Loaded load(const std::string& reference, const Settings& settings = {});
[[nodiscard]] Loaded load(const std::string& reference, const Settings& settings,
                          const dsl::FileFinder& find);
// Loads from text; `name` is what messages call it.
[[nodiscard]] Loaded load_text(const std::string& name, const std::string& text,
                               const Settings& settings = {});

} // namespace boardwright::interpreter
