// Code for cells in line.
#pragma once

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

bool row(Generator& g, const I& i);

} // namespace boardwright::runtime::codegen
