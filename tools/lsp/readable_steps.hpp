// Names in rules that can't be read as a whole.
//
// A mistake in one step of a rule shall not hide that another names what nobody knows. The steps that can be
// read alone become definitions for as long as the file is checked. Only unknown names are told of them: what
// else could be said may follow from their not standing where they stand.
#pragma once

#include "interpreter/load.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace boardwright::tools {

// So many rules of a file are looked at, and so many attempts are made to read steps of one.
inline constexpr std::size_t kMostBrokenRules = 16, kMostAttempts = 40;

class ReadableSteps {
public:
  // Adds the definitions to the file that was read.
  explicit ReadableSteps(interpreter::Loaded& loaded);
  // Takes them away, and from what was told since then all that isn't to be.
  void take_away();

private:
  struct Broken {
    dsl::Span span;
    std::set<std::string, std::less<>> bound; // names that mean something in the rule alone
  };
  void look_at(const dsl::Yaml& body, const dsl::Text& head);
  void read(const dsl::Text& rule);
  [[nodiscard]] bool is_told(const dsl::Diagnostic& diagnostic) const;

  interpreter::Loaded& loaded_;
  std::vector<Broken> broken_;
  std::size_t definitions_ = 0; // of the file itself
  std::size_t told_ = 0;        // before
  std::size_t attempts_ = 0;    // at the rule at hand
};

} // namespace boardwright::tools
