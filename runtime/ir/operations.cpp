#include "runtime/ir/operations.hpp"

namespace boardwright::runtime::ir {

std::string description_of(Op op) {
  constexpr std::string_view kLikewise = "likewise";
  auto index = static_cast<std::size_t>(op);
  std::string what(kOperations[index].what);
  while (index > 0 && std::string_view(what).substr(0, kLikewise.size()) == kLikewise)
    what = std::string(kOperations[--index].what) + "; " + what;
  return what;
}

} // namespace boardwright::runtime::ir
