// Code for pieces in stacks: lifted, put, discarded, counted.
#pragma once

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

void lift_some(Generator& g, const I& i);
void put_some(Generator& g, const I& i);
void discard(Generator& g, const I& i);
[[nodiscard]] bool pieces(Generator& g, const I& i);
void stack_routines(Generator& g);

} // namespace boardwright::runtime::codegen
