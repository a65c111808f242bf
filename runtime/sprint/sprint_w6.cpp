// Sprints over sets of 6 words.
#include "runtime/sprint/sprint_help.hpp"

namespace boardwright::runtime::machine {

template struct SprintTables<6>;
template class Sprint<6>;

} // namespace boardwright::runtime::machine
