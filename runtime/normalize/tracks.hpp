// Tracks that are always named together become one.
#pragma once

#include "runtime/model/program.hpp"

namespace boardwright::runtime::normal {

void join_tracks(Program& program);

} // namespace boardwright::runtime::normal
