// Which findings are told, and how: the levels of lints from the file, the caller and the table.
#pragma once

#include "dsl/rule_file.hpp"
#include "interpreter/examine.hpp"

#include <optional>
#include <string>
#include <vector>

namespace boardwright::interpreter {

class LintLevels {
public:
  // What is wrong with the section `check` goes to `out`.
  LintLevels(const dsl::RuleFile& file, const std::vector<LevelSetting>& settings, dsl::Diagnostics& out);

  // Adds to `out` what is to be told of `found`.
  void tell(const dsl::Diagnostics& found, dsl::Diagnostics& out);
  // Entries of the file that matched nothing of what was looked for.
  [[nodiscard]] dsl::Diagnostics unused() const;

private:
  struct Entry { // of the section `check`
    const Lint* lint = nullptr;
    LintLevel level = LintLevel::allow;
    std::string where; // empty: anywhere
    dsl::Span span;
    bool used = false;
  };
  struct Place {
    std::string name;
    dsl::Span span;
  };

  void read_level(const dsl::Name& key, const dsl::Yaml& value, LintLevel level, dsl::Diagnostics& out);
  void read_entry(const dsl::Text& text, LintLevel level, dsl::Diagnostics& out);
  void find_places();
  [[nodiscard]] bool is_within(const dsl::Span& span, const std::string& where) const;
  [[nodiscard]] LintLevel level_of(const Lint& lint, const dsl::Span& span);

  const dsl::RuleFile& file_;
  const std::vector<LevelSetting>& settings_;
  std::vector<Entry> entries_;
  std::vector<Place> places_;
};

} // namespace boardwright::interpreter
