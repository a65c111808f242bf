// Which kind is on the other side of a piece (runtime::Kind::turned), as FENs of other programs ask for it:
// `+P` is the other side of `P`.
//
// Read off two definitions of the rule file, kind by kind, as far as they name kinds: `turned`, what a piece
// becomes, or else `worth`, what it is in a hand, read backwards.
#pragma once

#include "interpreter/meaning/symbols.hpp"
#include "runtime/model/program.hpp"

namespace boardwright::interpreter {

void find_turned_kinds(const Symbols& symbols, runtime::Program& program);

} // namespace boardwright::interpreter
