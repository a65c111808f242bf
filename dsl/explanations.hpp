// What dsl/DIAGNOSTICS.md says of each error and warning, as `boardwright explain` prints it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace boardwright::dsl {

struct Explanation {
  std::string name;              // a member of kCodes
  std::string summary;           // in a few words
  std::vector<std::string> text; // paragraphs, without links
  std::string wrong, right;      // examples: parts of a rule file, or "" where a page can't show one
};

// The entries of the page, in its order.
[[nodiscard]] const std::vector<Explanation>& explanations();
// Null for a name that no error or warning has.
[[nodiscard]] const Explanation* explanation_of(std::string_view name);

// The text of dsl/DIAGNOSTICS.md as it was when the library was built.
[[nodiscard]] std::string_view diagnostics_page();

// An entry is a chapter: its heading is the name, the first paragraph the summary; blocks of code are marked
// `yaml wrong` or `yaml right`.
[[nodiscard]] std::vector<Explanation> read_explanations(std::string_view page);

} // namespace boardwright::dsl
