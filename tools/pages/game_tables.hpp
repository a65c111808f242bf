// The tables of game-defs/README.md: the games of each family, and which construct of the language to learn
// from which file. They are made from the bundled files and from the index of the reference.
#pragma once

#include "dsl/finder.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

struct IndexedWord {
  std::string word;    // `most`, `step()`, `board:`
  std::string chapter; // the heading it leads to: "choices-and-conditions"
};

// GitHub's name of a heading, which links end in: "sets-of-cells".
[[nodiscard]] std::string link_to_heading(std::string_view title);

// The entries under the heading "Index" of the reference, in its order.
[[nodiscard]] std::vector<IndexedWord> index_of(std::string_view reference);

// The page with what stands between its markers, `<!-- NAME: … -->` and `<!-- end of NAME -->`, made anew.
// Empty where a marker is missing.
[[nodiscard]] std::string with_tables(std::string_view page, std::string_view reference,
                                      const std::vector<dsl::BundledFile>& files);

} // namespace boardwright::tools
