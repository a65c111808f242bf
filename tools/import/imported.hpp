// What every importer gives: rule files, and what it couldn't carry over.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace boardwright::tools {

// What is wrong, and where. `key` is the entry that can't be carried over, "" where it isn't about one.
struct ImportFault {
  int line = 0;
  std::string key, message;
};

struct ImportedVariant {
  std::string name;
  std::string text;                  // of the rule file; "" where there are faults
  std::vector<ImportFault> faults;   // what can't be carried over
  std::vector<ImportFault> left_out; // what the rule file says it is without
};

} // namespace boardwright::tools
