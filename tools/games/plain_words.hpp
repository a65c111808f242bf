// Conditions of `end`, results and endings as a player would say them, not as the file writes them.
#pragma once

#include "dsl/ast.hpp"
#include "interpreter/load.hpp"
#include "runtime/model/position.hpp"

#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

// Who is meant by `own` and by `enemy`.
struct Sides {
  std::string own, enemy;
};

// "Red can't move", "Red has no king left"; nothing where a condition has no plain words. What options make
// certain is left out: "" is a condition that always holds.
[[nodiscard]] std::optional<std::string> plain_condition(const interpreter::Loaded& loaded,
                                                         const dsl::Ast& condition, const Sides& sides);

// "Blue wins: Red can't move"; "Blue wins" where that is all that can be said.
[[nodiscard]] std::string plain_result(const interpreter::Loaded& loaded, const runtime::Outcome& outcome);

// All ways in which a game can end, a sentence each: "Whoever can't move loses." Lines of `end` without plain
// words stand as the file has them.
[[nodiscard]] std::vector<std::string> plain_endings(const interpreter::Loaded& loaded);

} // namespace boardwright::tools
