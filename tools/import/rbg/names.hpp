// Names of a rule file: none is a word of the language, a cell's, or another thing's.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace boardwright::tools {

class RbgNames {
public:
  // The name itself, or one as near to it as can be.
  [[nodiscard]] std::string take(const std::string& wanted);

private:
  std::set<std::string> taken_;
};

// A letter for each name, all different: the first of the name that is free, else any.
[[nodiscard]] std::vector<std::string> rbg_letters(const std::vector<std::string>& names);

} // namespace boardwright::tools
