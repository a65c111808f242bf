// From a position as a test writes it to one that the rules can be asked about.
//
// Each function resolves one part, so that what a test expects after a move is read as its position is. Where
// a name, a letter or a value is wrong there is an error at its place, and nothing is returned.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace boardwright::interpreter {

[[nodiscard]] std::optional<int> resolve_player(const runtime::Program& program, const dsl::Name& name,
                                                dsl::Diagnostics& diagnostics);

// The stacks of all cells, from `cells` or the picture.
[[nodiscard]] std::optional<std::vector<runtime::Stack>> resolve_board(const runtime::Program& program,
                                                                       const dsl::PositionEntry& entry,
                                                                       dsl::Diagnostics& diagnostics);

// What `hands` gives: index into Position::hands, number of pieces.
using HandCounts = std::vector<std::pair<int, std::int32_t>>;
[[nodiscard]] std::optional<HandCounts> resolve_hands(const runtime::Program& program,
                                                      const dsl::PositionEntry& entry,
                                                      dsl::Diagnostics& diagnostics);

// What `state` gives: index into Position::variables, value.
using VariableValues = std::vector<std::pair<int, runtime::VariableValue>>;
[[nodiscard]] std::optional<VariableValues> resolve_state(const runtime::Program& program,
                                                          const dsl::PositionEntry& entry,
                                                          dsl::Diagnostics& diagnostics);

// All of it but `play`. What isn't given is as in the set-up; a board that is given is the whole board, and
// then `ply` is usual_ply (usual_ply.hpp). The position fits the program.
[[nodiscard]] std::optional<runtime::Position> resolve_position(const runtime::Program& program,
                                                                const dsl::PositionEntry& entry,
                                                                dsl::Diagnostics& diagnostics);

} // namespace boardwright::interpreter
