#include "tests/paths.hpp"

namespace boardwright::tests {

const std::string& source_root() {
  static const std::string root = BOARDWRIGHT_SOURCE_DIR;
  return root;
}

const std::string& program_path() {
  static const std::string path = BOARDWRIGHT_BINARY;
  return path;
}

} // namespace boardwright::tests
