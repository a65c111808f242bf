// The rules that the tests of a file are about: with `set:` these are others than the file's own.
#pragma once

#include "dsl/rule_file.hpp"
#include "interpreter/load.hpp"

#include <map>
#include <memory>
#include <string>

namespace boardwright::interpreter {

// Rules by settings: tests that set the same share one load. What it was made of must outlive it.
class TestVariants {
public:
  TestVariants(const Loaded& loaded, const std::string& reference, const Settings& settings,
               const dsl::FileFinder& find)
      : loaded_(loaded), reference_(reference), settings_(settings), find_(find) {}

  // Null, with an error, where the file doesn't load with the test's settings.
  std::shared_ptr<const runtime::Rules> rules_for(const dsl::TestEntry& test, dsl::Diagnostics& diagnostics);
  // The file with the test's settings; without rules where it doesn't load with them.
  const Loaded& loaded_for(const dsl::TestEntry& test);
  // The user's settings, with those of the test before them.
  [[nodiscard]] Settings settings_of(const dsl::TestEntry& test) const;

private:
  using ByOption = std::map<std::string, std::string>;

  [[nodiscard]] ByOption combined(const dsl::TestEntry& test) const;

  const Loaded& loaded_;
  const std::string& reference_;
  const Settings& settings_;
  const dsl::FileFinder& find_;
  std::map<ByOption, Loaded> variants_;
};

} // namespace boardwright::interpreter
