// Sprints over sets of 8 words.
#include "runtime/sprint/sprint_help.hpp"

namespace boardwright::runtime::machine {

template struct SprintTables<8>;
template class Sprint<8>;

} // namespace boardwright::runtime::machine
