// Code for numbers: arithmetic within limits, tables.
#pragma once

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

bool number_operation(Generator& g, const I& i);
bool condition(Generator& g, const I& i);

} // namespace boardwright::runtime::codegen
