// Code for moves: those that are found, and the choices that make them.
#pragma once

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

bool move(Generator& g, const I& i);

} // namespace boardwright::runtime::codegen
