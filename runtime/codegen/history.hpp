// Code for positions that come again: their keys, and how often they were there.
#pragma once

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

[[nodiscard]] bool keeps_positions(const Generator& g);
void write_key(Generator& g, int mover);
void repeats(Generator& g, const I& i);
void count_position(Generator& g, const Label& slowly);
void begin_comparing(Generator& g, const Label& slowly);

} // namespace boardwright::runtime::codegen
