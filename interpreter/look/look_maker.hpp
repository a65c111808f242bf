// What drawings need, worked out when a file is compiled.
#pragma once

#include "dsl/rule_file.hpp"
#include "interpreter/board/geometry.hpp"
#include "interpreter/look/look.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "runtime/model/program.hpp"

namespace boardwright::interpreter {

// Of a file whose rules are sound. What is wrong with its section `look` is told. Regions that only the rules
// name are left out unless they are wanted.
[[nodiscard]] Look make_look(const Symbols& symbols, const Geometry& geometry,
                             const runtime::Program& program, dsl::Sources& sources,
                             dsl::Diagnostics& diagnostics, bool regions);

// A key of the section as text that can be parsed: a quoted one has all its places at its beginning.
[[nodiscard]] dsl::Text look_key(const dsl::Name& key);

} // namespace boardwright::interpreter
