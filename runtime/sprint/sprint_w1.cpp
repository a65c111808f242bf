// Sprints over sets of 1 word.
#include "runtime/sprint/sprint_help.hpp"

namespace boardwright::runtime::machine {

template struct SprintTables<1>;
template class Sprint<1>;

} // namespace boardwright::runtime::machine
