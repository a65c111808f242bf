// Code for walks along lines: slides, runs, floods, what lies between.
#pragma once

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

bool line_operation(Generator& g, const I& i);
void flood_routine(Generator& g, std::size_t flood);

} // namespace boardwright::runtime::codegen
