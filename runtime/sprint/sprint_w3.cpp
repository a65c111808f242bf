// Sprints over sets of 3 words.
#include "runtime/sprint/sprint_help.hpp"

namespace boardwright::runtime::machine {

template struct SprintTables<3>;
template class Sprint<3>;

} // namespace boardwright::runtime::machine
