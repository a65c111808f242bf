// Why a move is legal or not, in words: each reason at its place in the rule file.
#pragma once

#include "interpreter/load.hpp"
#include "runtime/model/position.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

struct Reason {
  dsl::Span span;    // in the author's own file, or the one it extends
  std::string rule;  // what stands there, on one line
  std::string inner; // the words of a vocabulary that it came to, with their place; may be empty
  std::string text;  // "d4 is empty"
};

struct Reasons {
  bool legal = false;
  std::vector<Reason>
      reasons;         // the rules that allow the move; or what stopped each of them, the nearest first
  std::string summary; // a sentence: "e2-e5 is not legal"
};

// `asked` is a move as it would be typed, or a cell: then it is about all moves that begin there. A fault
// where a rule goes wrong.
[[nodiscard]] tl::expected<Reasons, runtime::Fault> reasons_for(const interpreter::Loaded& loaded,
                                                                const runtime::Position& position,
                                                                std::span<const runtime::Position> past,
                                                                std::string_view asked);

} // namespace boardwright::tools
