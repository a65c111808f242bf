// Sprints over sets of 2 words.
#include "runtime/sprint/sprint_help.hpp"

namespace boardwright::runtime::machine {

template struct SprintTables<2>;
template class Sprint<2>;

} // namespace boardwright::runtime::machine
