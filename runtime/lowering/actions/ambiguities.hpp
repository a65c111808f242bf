// Which moves of a turn are compared, and in what positions.
#pragma once

#include "runtime/lowering/context.hpp"

#include <set>

namespace boardwright::runtime::lowering {

// Alternatives whose moves are compared.
struct Comparing {
  std::set<NodeId> always, sometimes;
  Reg is_ambiguous = 0; // the number that says whether those of `sometimes` are
};

// Which moves of the turn of a player could be the same?
void find_ambiguities(Context& cx, int p);
// Which alternatives are compared always, and which if the number `is_ambiguous` isn't 0?
Comparing comparing(Context& cx, const Todo* alternatives, const AbstractDraft& d);
// From here on moves are compared, if they haven't been in this turn so far.
void begin_comparing(Context& cx);

} // namespace boardwright::runtime::lowering
