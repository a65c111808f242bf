// Sprints over sets of 4 words.
#include "runtime/sprint/sprint_help.hpp"

namespace boardwright::runtime::machine {

template struct SprintTables<4>;
template class Sprint<4>;

} // namespace boardwright::runtime::machine
