// From `each piece` in `state` to the values that pieces carry (runtime/model/piece_values.hpp).
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "interpreter/meaning/builder.hpp"
#include "interpreter/meaning/elaborator.hpp"
#include "runtime/model/program.hpp"

namespace boardwright::interpreter {

// Adds a value to the program, with its planes as variables. False where something is wrong, as is said.
[[nodiscard]] bool add_piece_value(const dsl::StateEntry& entry, runtime::Program& program, Builder& builder,
                                   Elaborator& elaborator, dsl::Diagnostics& diagnostics);

// Gives the pieces of the set-up the values that `setup` names. To be called when they are all set up.
void set_up_piece_values(const dsl::RuleFile& file, const Geometry& geometry, runtime::Program& program,
                         Elaborator& elaborator, dsl::Diagnostics& diagnostics);

} // namespace boardwright::interpreter
