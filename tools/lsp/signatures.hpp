// The arguments of calls: which are wanted where one is being written, and which is which in those that stand
// there.
#pragma once

#include "tools/lsp/documents.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::tools {

struct Signature {
  std::string label;                                           // "step(D, S)"
  std::vector<std::pair<std::size_t, std::size_t>> parameters; // bytes of the label
  std::size_t active = 0;                                      // the argument that the place lies in
};

// Of the innermost call around a place in a rule.
[[nodiscard]] std::optional<Signature> signature_at(const Document& document, std::size_t offset);

struct InlayHint {
  std::size_t offset = 0;
  std::string text; // "D:"
};

// The names of the arguments of calls with several, where they aren't the argument itself.
[[nodiscard]] std::vector<InlayHint> argument_hints(const Document& document);

} // namespace boardwright::tools
