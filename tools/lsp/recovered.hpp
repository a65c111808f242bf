// A rule file of which a part can't be read, checked as far as that goes.
//
// What is wrong in one part shall hide nothing of the others. A section, or an entry of it, that is no YAML
// is left out; one that can't be read is replaced by what stood there when it last could be. Nothing is told
// of what replaces it.
#pragma once

#include "interpreter/load.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

// A section; of `define`, `tests` and such that are written over several lines, an entry.
struct FilePart {
  std::string section, key; // the key is empty where the part is the whole section
  std::size_t begin = 0, end = 0;
};
// By indentation alone, so that it works for any text.
[[nodiscard]] std::vector<FilePart> parts_of(std::string_view text);

// The parts of a file as they stood when they could last be read, by section and key.
using ReadableParts = std::map<std::pair<std::string, std::string>, std::string>;

// The file with all errors that can be told of it, without the rules, which take as long again to make.
[[nodiscard]] std::shared_ptr<interpreter::Loaded> checked(const std::string& path, const std::string& text,
                                                           ReadableParts& readable,
                                                           const dsl::FileFinder& find);

// Does what can be read say enough, so that errors in it don't follow from what is missing? So it is where
// only rules, tests and such are no YAML; not where nobody knows the pieces.
[[nodiscard]] bool are_others_known(const std::string& text);

} // namespace boardwright::tools
