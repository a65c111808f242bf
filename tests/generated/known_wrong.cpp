#include "tests/generated/known_wrong.hpp"

#include <limits>

namespace boardwright::tests {

std::string not_tried(const runtime::Program& program) {
  if (program.initial.ply > std::numeric_limits<std::int32_t>::max() - 100)
    return "`ply` at the bound of 32 bits overflows";
  return {};
}

std::string known_wrong(const runtime::Program&, const Difference&) { return {}; }

} // namespace boardwright::tests
